"""Questions about projects: which one a name means, how they stand, what is wrong in their texts."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from pipeline import search
from pipeline.catalog import Catalog, check_slice, sliced
from pipeline.catalog.ages import Looks
from pipeline.catalog.answers import DiagnosticRow, ProjectRow, Rows, Span
from pipeline.catalog.names import did_you_mean, listed, near, quoted
from pipeline.errors import AmbiguousRepository, GoneRepository, UnknownRepository
from pipeline.model import RepositoryId, Severity, State, split_id
from pipeline.text import fold

COLUMNS = """p.repository, p.name, p.source, p.state, p.reason, p.visibility, p.archived, p.shared,
    p.default_branch, p.revision, p.committed_at, p.board, p.tasks, p.index_state, c.index_error,
    p.wiki_pages, p.shared_pages, p.errors,
    p.warnings + coalesce(json_array_length(p.settled), 0)"""
FROM = "from projects p left join contents c on c.repository = p.repository"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A project that a name may mean."""

    repository: RepositoryId
    state: State

    @property
    def path(self) -> str:
        """`owner/name`."""
        return self.repository.split("/", 1)[1]


def find(catalog: Catalog, name: str) -> RepositoryId:
    """Which project `name`, `owner/name` or `host/owner/name` means; case and form of letters do not count.

    Raises:
        UnknownRepository: none; the message has the nearest names.
        GoneRepository: only one that is gone.
        AmbiguousRepository: several; the message lists them.
    """
    candidates = _candidates(catalog, name)
    living = [one for one in candidates if one.state != "gone"]
    if not candidates:
        raise UnknownRepository(_unknown(catalog, name))
    if not living:
        raise GoneRepository(_gone(catalog, candidates[0]))
    exact = [one for one in living if name in (one.repository, one.path, split_id(one.repository)[2])]
    chosen = exact if len(exact) == 1 else living
    if len(chosen) > 1:
        raise AmbiguousRepository(_ambiguous(name, chosen))
    return chosen[0].repository


def shortest_names(catalog: Catalog, repositories: Iterable[RepositoryId]) -> dict[RepositoryId, str]:
    """What to call each of these projects: its `name` where no other living project has it, else its whole id."""
    rows = catalog.query(
        """select p.repository, p.name, (select count(*) from projects o
            where o.name_folded = p.name_folded and o.state <> 'gone')
        from projects p where p.repository in (select value from json_each(:repositories))""",
        {"repositories": json.dumps(sorted(set(repositories)))},
        lambda repository, name, alike: (repository, name if alike == 1 else repository),
    )
    return dict(rows)


def list_projects(catalog: Catalog, query: str | None = None, *, limit: int = 50, offset: int = 0) -> Rows[ProjectRow]:
    """Projects by id, the gone ones too; with `query`, those whose id holds every word of it.

    Raises:
        CatalogError: a query without a word, or a slice out of range.
    """
    check_slice(limit, offset)
    terms = () if query is None else search.parse_query(query)
    where = " and ".join(f"instr(p.id_folded, :term{i}) > 0" for i in range(len(terms))) or "true"
    parameters: dict[str, Any] = {f"term{i}": term for i, term in enumerate(terms)}
    total = catalog.count(f"select count(*) from projects p where {where}", parameters)
    rows = _rows(
        catalog,
        f"where {where} order by p.repository limit :limit offset :offset",
        parameters | {"limit": limit, "offset": offset},
    )
    return sliced(rows, total, limit, offset)


def projects_of(catalog: Catalog, span: Span, *, troubled: bool = False) -> list[ProjectRow]:
    """A span of the projects by id, or of those that are not up to date."""
    return _rows(
        catalog,
        f"""where p.repository between :first and :last and {"p.state <> 'ok'" if troubled else "true"}
        order by p.repository limit :count offset :skip""",
        asdict(span),
    )


def project(catalog: Catalog, repository: RepositoryId) -> ProjectRow:
    """One project by its whole id.

    Raises:
        UnknownRepository: no such project.
    """
    rows = _rows(catalog, "where p.repository = :repository", {"repository": repository})
    if not rows:
        raise UnknownRepository(_unknown(catalog, repository))
    return rows[0]


def diagnostics(
    catalog: Catalog, repository: RepositoryId | None = None, *, limit: int = 100, offset: int = 0
) -> Rows[DiagnosticRow]:
    """Trouble in the texts of one project, or of all, by project, path and line.

    Raises:
        CatalogError: a slice out of range.
    """
    check_slice(limit, offset)
    where = "true" if repository is None else "repository = :repository"
    parameters = {"repository": repository, "limit": limit, "offset": offset}
    total = catalog.count(f"select count(*) from diagnostics where {where}", {"repository": repository})
    rows = catalog.query(
        f"""select repository, code, severity, path, line, message from diagnostics where {where}
        order by repository, path, line, position limit :limit offset :offset""",
        parameters,
        diagnostic_row,
    )
    return sliced(rows, total, limit, offset)


def diagnostics_of(catalog: Catalog, severity: Severity, span: Span) -> list[DiagnosticRow]:
    """A span of the diagnostics of one severity, by project, path and line."""
    return catalog.query(
        """select repository, code, severity, path, line, message from diagnostics
        where severity = :severity and repository between :first and :last
        order by repository, path, line, position limit :count offset :skip""",
        {"severity": severity, **asdict(span)},
        diagnostic_row,
    )


def diagnostic_row(*columns: Any) -> DiagnosticRow:
    """A row of `diagnostics`: repository, code, severity, path, line, message."""
    repository, code, severity, path, line, message = columns
    return DiagnosticRow(project=repository, code=code, severity=severity, path=path, line=line, message=message)


def moment(written: str | None) -> datetime | None:
    """A time as the catalog keeps it."""
    return None if written is None else datetime.fromisoformat(written)


def _rows(catalog: Catalog, rest: str, parameters: dict[str, Any]) -> list[ProjectRow]:
    return catalog.query(
        f"select {COLUMNS} {FROM} {rest}", parameters, lambda *columns: _project_row(catalog.looks, *columns)
    )


def _project_row(last_looks: Looks, *columns: Any) -> ProjectRow:
    (repository, name, source, state, reason, visibility, archived, shared, *more) = columns
    branch, revision, committed_at, board, tasks, index, index_error, wiki, shared_pages, errors, warnings = more
    return ProjectRow(
        project=repository,
        name=name,
        source=source,
        state=state,
        reason=reason,
        since=last_looks.missing_since(repository),
        stale=last_looks.is_stale(state, repository, source),
        synced_at=last_looks.good_at(repository, source),
        evidence=last_looks.rested_on(repository, source),
        visibility=visibility,
        archived=bool(archived),
        shared=bool(shared),
        default_branch=branch,
        revision=revision,
        changed_at=moment(committed_at),
        board=board,
        tasks=json.loads(tasks),
        index=index,
        index_error=index_error,
        wiki_pages=wiki,
        shared_pages=shared_pages,
        errors=errors,
        warnings=warnings,
    )


def _candidates(catalog: Catalog, name: str) -> list[Candidate]:
    """Those that `name` means when it is whole; else those it means as a part."""
    return catalog.query(
        """select repository, state from projects
        where id_folded = :name or path_folded = :name or name_folded = :name
        order by repository""",
        {"name": fold(name)},
        Candidate,
    )


def near_names(catalog: Catalog, name: str) -> tuple[str, ...]:
    """At most three names of projects that look like `name`, as long as it is (`name`, `owner/name`, …)."""
    return near(name, _names_like(catalog, name))


def _names_like(catalog: Catalog, name: str) -> list[str]:
    known = catalog.query("select repository from projects order by repository", {}, str)
    parts = name.count("/")
    return ["/".join(one.split("/")[max(0, 2 - parts) :]) for one in known]


def _unknown(catalog: Catalog, name: str) -> str:
    known = _names_like(catalog, name)
    hint = did_you_mean(name, known)
    joint = " " if hint else "; "
    return f"no project {quoted(name)}{hint}{joint}meta_projects lists all {len(known)}"


def _gone(catalog: Catalog, found: Candidate) -> str:
    reading = catalog.looks.repositories.get(found.repository)
    since = f" since {reading.gone_since:%Y-%m-%d}" if reading and reading.gone_since else ""
    return f"project {quoted(found.path)} is gone{since}: its source has it no more; nothing of it is shown"


def _ambiguous(name: str, candidates: list[Candidate]) -> str:
    paths = [one.path for one in candidates]
    whole = len(set(paths)) < len(paths)
    choice = [one.repository for one in candidates] if whole else paths
    return f"project {quoted(name)} is one of {len(choice)}: {listed(choice)}; give one of these names"
