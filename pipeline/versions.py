"""Publishing: stage → one immutable, numbered version that readers see whole or not at all.

    objects/<host>/<owner>/<name>/<digest>/   a project tree, once, shared by versions
    versions/000042/                          top-level files (hard links) and manifest.json
    current.json                              names the version to open: the switch is its rename

A kill leaves the old version or the new one.  A whole but unannounced version may stand between the
two last steps: the next build replaces it.  Readers go by current.json, never by the highest number.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pipeline import codec, files
from pipeline.errors import ArtifactError
from pipeline.layout import CATALOG, FOLDERS, HISTORY, MANIFEST, PROJECT, TOP_LEVEL, Layout, repository_path
from pipeline.model import Artifact, CurrentVersion, FileHash, Manifest, RepositoryId

KEPT_CATALOGS = 2
YOUNG_S = 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What one version has that another has not; names sorted."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """True when both are the same."""
        return not (self.added or self.removed or self.changed)


def compare(old: Mapping[str, object], new: Mapping[str, object]) -> Difference:
    """Compare two name → digest tables."""
    return Difference(
        added=tuple(sorted(new.keys() - old.keys())),
        removed=tuple(sorted(old.keys() - new.keys())),
        changed=tuple(sorted(name for name in old.keys() & new.keys() if old[name] != new[name])),
    )


def compare_manifests(old: Manifest, new: Manifest) -> tuple[Difference, Difference]:
    """Compare the projects, then the other files, of two versions."""
    projects = compare(_by_text(old.projects), _by_text(new.projects))
    return projects, compare(old.files, new.files)


def _by_text(projects: Mapping[RepositoryId, str]) -> dict[str, str]:
    return {str(repository): digest for repository, digest in projects.items()}


def read_current(layout: Layout) -> int | None:
    """The number of the published version; None when nothing has been published.

    Raises:
        ArtifactError: current.json is not what we wrote.
    """
    raw = files.read_bytes(layout.current_json)
    return None if raw is None else codec.load(CurrentVersion, raw, "current.json").version


def announced(layout: Layout) -> int | None:
    """As `read_current`, for a build: a damaged current.json counts as none, so that the build mends it."""
    try:
        return read_current(layout)
    except ArtifactError:
        return None


def read_manifest(layout: Layout, number: int) -> Manifest:
    """The manifest of a kept version.

    Raises:
        ArtifactError: there is no such version, or its manifest is damaged.
    """
    raw = files.read_bytes(layout.version(number) / MANIFEST)
    if raw is None:
        kept = ", ".join(str(each) for each in numbers(layout) if each != number) or "none"
        raise ArtifactError(f"version {number} is not kept; kept: {kept}")
    return codec.load(Manifest, raw, f"versions/{number:06d}/{MANIFEST}")


def numbers(layout: Layout) -> list[int]:
    """The numbers of all version folders, ascending; an unannounced one may be among them."""
    try:
        found = [entry.name for entry in os.scandir(layout.versions) if entry.name.isdigit()]
    except FileNotFoundError:
        return []
    return sorted(int(name) for name in found)


def publish(layout: Layout, projects: Mapping[RepositoryId, str], keep: int) -> int | None:
    """Make stage the next version, unless nothing changed.

    `projects` names the artifact digest of each project that belongs to the version.

    Returns:
        The new version's number, or None when the published one is the same already.
    """
    last = last_manifest(layout)
    shared = _shared_files(layout, last)
    hashes = _hash_stage(layout, last, shared)
    unstored = [project for project in sorted(projects.items()) if not layout.has_object(*project)]
    is_same = last is not None and dict(last.files) == hashes and dict(last.projects) == dict(projects)
    if last is not None and is_same and not unstored and _stands(layout, last, shared):
        _announce_link(layout, last.version)
        return None
    number = _next_number(layout, last)
    is_untidy = layout.untidy.exists()
    files.write_atomic(layout.untidy, b"")
    for project in unstored:
        _store_object(layout, *project)
    manifest = Manifest(schema_version=codec.SCHEMA_VERSION, version=number, files=hashes, projects=projects)
    _build_version(layout, manifest, last)
    _switch(layout, number)
    # What a reader has open (Windows) is left by one collection for the next.
    prune(layout, number, keep, everything=is_untidy or files.HOLDS_OPEN)
    layout.untidy.unlink()
    return number


def last_manifest(layout: Layout) -> Manifest | None:
    """The published manifest; a damaged one counts as none, so that the next build mends it."""
    number = announced(layout)
    try:
        return None if number is None else read_manifest(layout, number)
    except ArtifactError:
        return None


def _shared_files(layout: Layout, last: Manifest | None) -> frozenset[str]:
    """The published files that are one file with stage's, so that neither needs to be read."""
    if last is None:
        return frozenset()
    version, stage = str(layout.version(last.version)), str(layout.stage)
    return frozenset(path for path in last.files if _same_file(f"{stage}/{path}", f"{version}/{path}"))


def _stands(layout: Layout, last: Manifest, shared: frozenset[str]) -> bool:
    """Whether the published files are what stage has."""
    version = layout.version(last.version)
    own = ((path, known) for path, known in last.files.items() if path not in shared)
    return not any(_verify_file(version / path, known.sha256, path) for path, known in own)


def _next_number(layout: Layout, last: Manifest | None) -> int:
    return last.version + 1 if last else max(numbers(layout), default=0) + 1


def _hash_stage(layout: Layout, last: Manifest | None, shared: frozenset[str]) -> dict[str, FileHash]:
    """Hash the files of stage; one that is shared with the last version keeps its hash."""
    known = last.files if last else {}
    paths = _stage_files(layout.stage)
    return {path: known[path] if path in shared else _hash(layout.stage / path) for path in paths}


def _hash(path: Path) -> FileHash:
    return FileHash(sha256=files.sha256(path), size=path.stat().st_size)


def _stage_files(stage: Path) -> Iterable[str]:
    yield from (name for name in TOP_LEVEL if (stage / name).is_file())
    for folder in FOLDERS:
        yield from (f"{folder}/{path}" for path in files.walk(stage / folder))


def _same_file(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)  # noqa: PTH121  # ten thousand pairs: a Path costs more than the look
    except FileNotFoundError:
        return False


def _store_object(layout: Layout, repository: RepositoryId, digest: str) -> None:
    target = layout.object(repository, digest)
    temporary = target.with_name(f"{files.TEMPORARY}{digest[:16]}")
    files.remove_tree(temporary)
    files.remove_tree(target)
    files.link_tree(layout.stage_project(repository), temporary)
    troubles = _verify_tree(temporary, digest, repository)
    if troubles:
        damaged = f"stage/projects/{repository_path(repository)}"
        raise ArtifactError(f"{troubles[0]}; delete {damaged} in the build folder and run `doit` again")
    files.replace(temporary, target)


def _build_version(layout: Layout, manifest: Manifest, last: Manifest | None) -> None:
    target = layout.version(manifest.version)
    temporary = target.with_name(f"{files.TEMPORARY}{target.name}")
    files.remove_tree(temporary)
    # Readers keep a catalog open; one that they cannot hold fast is a file of its own in stage.
    own = {CATALOG} if files.HOLDS_OPEN else set()
    files.link_files(layout.stage, temporary, (path for path in manifest.files if path not in own))
    for path in manifest.files.keys() & own:
        files.copy(layout.stage / path, temporary / path)
    _link_projects(manifest, temporary, None if last is None else layout.version(last.version))
    files.write_atomic(temporary / MANIFEST, codec.dump(manifest), durable=True)
    files.remove_tree(target)
    files.replace(temporary, target)


def _link_projects(manifest: Manifest, version: Path, last: Path | None) -> None:
    """Show projects/<host>/<owner>/<name> inside the version, for people, where links are allowed."""
    links = {}
    for repository, digest in sorted(manifest.projects.items()):
        place = repository_path(repository)
        ups = "../" * (place.count("/") + 3)
        links[place] = f"{ups}objects/{place}/{digest}"
    files.symlinks_new(links, version / "projects", last / "projects" if last else None)


def _switch(layout: Layout, number: int) -> None:
    announced = CurrentVersion(schema_version=codec.SCHEMA_VERSION, version=number)
    files.sync_folder(layout.versions)
    files.write_atomic(layout.current_json, codec.dump(announced), durable=True)
    _announce_link(layout, number)


def _announce_link(layout: Layout, number: int) -> None:
    wanted = f"versions/{number:06d}"
    if not layout.current_link.is_symlink() or layout.current_link.readlink().as_posix() != wanted:
        files.symlink(wanted, layout.current_link)


def prune(layout: Layout, current: int, keep: int, *, everything: bool = True) -> None:
    """Keep the last `keep` versions and any younger than an hour; drop older catalogs and unlisted objects.

    Without `everything` only objects that a dropped version listed are looked for: there are no others,
    unless a publish was killed.
    """
    for folder in (layout.versions, layout.stage, layout.root):
        files.sweep(folder)
    kept = [number for number in numbers(layout) if number <= current]
    doomed = [number for number in kept[:-keep] if not _is_young(layout.version(number))]
    listed = None if everything else _listed(layout, doomed)
    for number in doomed:
        files.remove_unless_open(layout.version(number))
    for number in kept[:-KEPT_CATALOGS]:
        files.remove_unless_open(layout.version(number) / CATALOG)
    if listed is None:
        _collect_objects(layout)
    else:
        _collect_listed(layout, listed)


def drop_others(layout: Layout, current: int) -> None:
    """Keep `current` alone, whatever retention says, and the objects that it lists.

    What a reader still has open (Windows) stays whole, for a later build to remove.
    """
    for number in numbers(layout):
        if number != current:
            files.remove_unless_open(layout.version(number))
    for folder in (layout.versions, layout.stage, layout.root):
        files.sweep(folder)
    _collect_objects(layout)


def _is_young(version: Path) -> bool:
    manifest = version / MANIFEST
    return manifest.is_file() and abs(time.time() - manifest.stat().st_mtime) < YOUNG_S


def _listed(layout: Layout, chosen: Iterable[int]) -> set[tuple[RepositoryId, str]] | None:
    """The objects that these versions list; None when one cannot tell."""
    try:
        return {project for number in chosen for project in read_manifest(layout, number).projects.items()}
    except ArtifactError:
        return None


def _collect_listed(layout: Layout, dropped: set[tuple[RepositoryId, str]]) -> None:
    """Remove those of the dropped objects that no kept version lists."""
    for number in reversed(numbers(layout)):
        kept = _listed(layout, [number]) if dropped else set()
        if kept is None:
            return  # doubt deletes nothing
        dropped -= kept
    for repository, digest in sorted(dropped):
        tree = layout.object(repository, digest)
        files.remove_tree(tree)
        _remove_empty_up(tree.parent, layout.objects)


def _collect_objects(layout: Layout) -> None:
    try:
        manifests = [read_manifest(layout, number) for number in numbers(layout)]
    except ArtifactError:
        return  # doubt deletes nothing
    listed = {layout.object(*project) for manifest in manifests for project in manifest.projects.items()}
    for host in files.folders(layout.objects):
        for owner in files.folders(host):
            for name in files.folders(owner):
                files.sweep(name)
                for tree in files.folders(name):
                    if tree not in listed:
                        files.remove_unless_open(tree)
                _remove_empty(name)
            _remove_empty(owner)
        _remove_empty(host)


def _remove_empty_up(folder: Path, top: Path) -> None:
    """Remove the folders that are empty, from `folder` up to below `top`."""
    while folder != top and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


def _remove_empty(folder: Path) -> None:
    if not any(folder.iterdir()):
        folder.rmdir()


def verify(layout: Layout, number: int) -> list[str]:
    """Recompute every hash of a version: one sentence per missing, extra or changed file.

    A catalog that retention dropped from an old version is not missed.
    """
    try:
        manifest = read_manifest(layout, number)
    except ArtifactError as error:
        return [str(error)]
    folder = layout.version(number)
    dropped = {CATALOG} if number not in numbers(layout)[-KEPT_CATALOGS:] else set()
    wanted = {path: known for path, known in manifest.files.items() if path not in dropped}
    found = set(files.walk(folder)) - {MANIFEST} - dropped
    troubles = [f"{folder.name}/{path}: not in the manifest" for path in sorted(found - wanted.keys())]
    for path, known in sorted(wanted.items()):
        troubles += _verify_file(folder / path, known.sha256, f"{folder.name}/{path}")
    for repository, digest in sorted(manifest.projects.items()):
        troubles += _verify_tree(layout.object(repository, digest), digest, repository)
    return troubles


def _verify_tree(folder: Path, digest: str, repository: RepositoryId) -> list[str]:
    """The same for one project's tree."""
    troubles = _verify_file(folder / PROJECT, digest, f"{repository}: project.json")
    if troubles:
        return troubles
    artifact = codec.load(Artifact, (folder / PROJECT).read_bytes(), f"{repository}: project.json")
    wanted = {each.file: each.sha256 for each in artifact.files}
    wanted |= {} if artifact.history is None else {HISTORY: artifact.history}
    found = set(files.walk(folder)) - {PROJECT}
    troubles = [f"{repository}: {path}: not in project.json" for path in sorted(found - wanted.keys())]
    for path, known in sorted(wanted.items()):
        troubles += _verify_file(folder / path, known, f"{repository}: {path}")
    return troubles


def _verify_file(path: Path, known: str, name: str) -> list[str]:
    if not path.is_file():
        return [f"{name}: missing"]
    return [] if files.sha256(path) == known else [f"{name}: changed"]
