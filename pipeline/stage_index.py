"""The index step: artifacts → repos.json, tasks.json, knowledge.json, shared/ and the catalog, all in stage.

The work for one change does not grow with everything: only artifacts that changed are read.  The rows of the
others are taken over from the files of the last run, which count only while they stand as this very code left them.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from typing import Any

from pipeline import codec, files, stage
from pipeline.catalog_file import NONE_SET, update_catalog, write_catalog
from pipeline.index_files import build_knowledge, build_repositories, build_tasks
from pipeline.layout import CATALOG, KNOWLEDGE, REPOS, SHARED, TASKS, Layout
from pipeline.model import Artifact, Preferences, RepositoryId, Roster
from pipeline.stage_record import Made, index_inputs

Plain = Mapping[str, Any]
AllMade = Mapping[RepositoryId, Made]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """The rows of the three files as plain JSON, by repository; `shared` are the shared wiki's pages."""

    shared_wiki: RepositoryId | None = None
    shared: tuple[Plain, ...] = ()
    records: Mapping[RepositoryId, Plain]
    tasks: Mapping[RepositoryId, Plain]
    errors: Mapping[RepositoryId, Plain]
    wikis: Mapping[RepositoryId, Plain]


NOTHING = Rows(records={}, tasks={}, errors={}, wikis={})


def write_index(
    place: Layout, code: str, roster: Roster, made: AllMade, preferences: Preferences = NONE_SET
) -> tuple[RepositoryId, ...]:
    """Make stage show the roster and its artifacts; answers the repositories whose artifact was read, sorted.

    Raises:
        ArtifactError: an artifact in stage is not as we wrote it, or the disk refused the catalog.
        OSError: the disk refused; what is published stays.
    """
    marks = {
        entry.listing.repository: stage.mark_of(*index_inputs(entry, made.get(entry.listing.repository)))
        for entry in roster.entries
    }
    shared = shared_repository(roster)
    last, kept = _last(place, code, marks, shared)
    read = _write(place, code, roster, made, (last, kept), preferences) if kept else None
    if read is None:
        read = _write(place, code, roster, made, (NOTHING, frozenset()), preferences)
    assert read is not None
    catalog = files.sha256(place.stage / CATALOG)
    stage.remember(place.indexed_json, {"by": _by(place, code, catalog), "rows": marks})
    return read


def shared_repository(roster: Roster) -> RepositoryId | None:
    """The shared wiki; of several the first by id."""
    shared = [row.listing.repository for row in roster.entries if row.shared and row.state in ("ok", "unreachable")]
    return min(shared, default=None)


def _write(
    place: Layout,
    code: str,
    roster: Roster,
    made: AllMade,
    base: tuple[Rows, Set[RepositoryId]],
    preferences: Preferences,
) -> tuple[RepositoryId, ...] | None:
    """Write all, taking over the rows of what is kept; None when the staged catalog proves to be damaged."""
    last, kept = base
    shared = shared_repository(roster)
    changed = replace(roster, entries=tuple(row for row in roster.entries if row.listing.repository not in kept))
    names = sorted({row.listing.repository for row in changed.entries} & made.keys())
    artifacts = {name: (load_artifact(place, name), made[name].artifact) for name in names}
    texts = functools.partial(_text, place)
    records = build_repositories(changed, artifacts, shared)
    rows = _take_apart(
        codec.to_json(records),
        codec.to_json(build_tasks(changed, artifacts, texts)),
        codec.to_json(build_knowledge(changed, artifacts, shared)),
    )
    for name, plain in _put_together(_joined(last, kept, rows)).items():
        files.write_atomic(place.stage / name, codec.dump_json(plain))
    if shared not in kept:
        _write_shared(place, artifacts[shared][0] if shared in artifacts else None)
    if not kept:
        write_catalog(place, code, records, artifacts, texts, preferences)
    elif not update_catalog(place, code, (records, kept), artifacts, texts, preferences):
        return None
    return tuple(names)


def load_artifact(place: Layout, repository: RepositoryId) -> Artifact:
    """The staged artifact of a repository.

    Raises:
        ArtifactError: it is not as we wrote it.
        FileNotFoundError: there is none.
    """
    return codec.load(Artifact, place.artifact(repository).read_bytes(), f"{repository}: project.json")


def _text(place: Layout, repository: RepositoryId, file: str) -> str:
    return (place.stage_project(repository) / file).read_text(encoding="utf-8")


def _write_shared(place: Layout, shared: Artifact | None) -> None:
    folder = place.stage / SHARED
    named = [each.file for each in shared.files if each.file.startswith(f"{SHARED}/")] if shared else []
    source = place.stage_project(shared.repository) if shared else folder
    stage.write_tree(folder, ((file.removeprefix(f"{SHARED}/"), (source / file).read_bytes()) for file in named))


# --- what the last run left ---------------------------------------------------------------------


def _last(
    place: Layout, code: str, marks: Mapping[RepositoryId, str], shared: RepositoryId | None
) -> tuple[Rows, Set[RepositoryId]]:
    """The rows of the last run, and the repositories whose rows are right as they stand."""
    memory = stage.recall(place.indexed_json)
    known = memory.get("rows", {})
    kept = {name for name, mark in marks.items() if known.get(name) == mark}
    catalog = place.stage / CATALOG
    if not kept or not catalog.is_file() or memory.get("by") != _by(place, code, files.sha256(catalog)):
        return NOTHING, frozenset()
    last = _take_apart(*(stage.recall(place.stage / name) for name in (REPOS, TASKS, KNOWLEDGE)))
    if shared != last.shared_wiki and shared is not None:
        kept.discard(shared)
    return last, kept


def _by(place: Layout, code: str, catalog: str) -> str:
    """Who made the files and how they stand: another code, or a hand on one of them, makes another mark."""
    return stage.mark_of(code, catalog, stage.seal(place, "index"))


def _take_apart(repos: Plain, tasks: Plain, knowledge: Plain) -> Rows:
    return Rows(
        shared_wiki=repos["shared_wiki"],
        shared=tuple(knowledge["shared"]),
        records={row["repository"]: row for row in repos["repositories"]},
        tasks={row["full_name"]: row for row in tasks["projects"]},
        errors={row["project"]: row for row in tasks["errors"]},
        wikis={row["project"]: row for row in knowledge["wikis"]},
    )


def _joined(last: Rows, kept: Set[RepositoryId], fresh: Rows) -> Rows:
    """The rows of `last` that are kept, and the fresh ones."""
    return Rows(
        shared_wiki=fresh.shared_wiki,
        shared=last.shared if fresh.shared_wiki in kept else fresh.shared,
        records=_over(last.records, kept, fresh.records),
        tasks=_over(last.tasks, kept, fresh.tasks),
        errors=_over(last.errors, kept, fresh.errors),
        wikis=_over(last.wikis, kept, fresh.wikis),
    )


def _over(
    last: Mapping[RepositoryId, Plain], kept: Set[RepositoryId], fresh: Mapping[RepositoryId, Plain]
) -> dict[RepositoryId, Plain]:
    return {**{name: row for name, row in last.items() if name in kept}, **fresh}


def _put_together(rows: Rows) -> dict[str, Plain]:
    """The three files, by name."""
    head: Plain = {"schema_version": codec.SCHEMA_VERSION}
    wiki: Plain = {"shared_wiki": rows.shared_wiki}
    return {
        REPOS: {**head, **wiki, "repositories": _sorted(rows.records)},
        TASKS: {**head, "projects": _sorted(rows.tasks), "errors": _sorted(rows.errors)},
        KNOWLEDGE: {**head, **wiki, "shared": list(rows.shared), "wikis": _sorted(rows.wikis)},
    }


def _sorted(rows: Mapping[RepositoryId, Plain]) -> list[Plain]:
    return [rows[name] for name in sorted(rows)]
