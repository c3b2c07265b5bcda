"""The bundled example: `examples/<owner>/<name>.fi` (text) → bare git repositories under build/.

Commit ids are fixed, because every date stands in the text; the user's git configuration is not read.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pygit2
from pygit2.enums import ConfigLevel, FileMode

from pipeline import fast_import, files
from pipeline.fast_import import Commit, File, Person, Tree

FORM = b"1"  # of what is written; raise it when the same text shall give other folders
STAMP = "example.sha256"
FRESH = f"{files.TEMPORARY}example"


def read(streams: Path) -> dict[str, bytes]:
    """The streams below `streams`, as `owner/name` → bytes, sorted."""
    return {
        f"{path.parent.name}/{path.stem}": path.read_bytes()
        for path in sorted(streams.glob("*/*.fi"), key=lambda path: (path.parent.name, path.stem))
    }


def materialise(streams: Path, target: Path) -> None:
    """Make a bare repository `target/<owner>/<name>.git` of each stream, and leave nothing else there.

    Nothing is written when `target` already shows these streams.  All streams are read before anything is
    touched, and repositories get their names only when they are whole; a run that was killed half way is
    begun anew.  One build at a time.

    Raises:
        StreamError: a stream is not in the form that `fast_import` reads.
        OSError: the disk refused.
    """
    texts = read(streams)
    digest = _digest(texts)
    if _is_current(target, digest, texts):
        return
    histories = {name: fast_import.parse(raw, f"{name}.fi") for name, raw in texts.items()}
    files.sweep(target)
    with _no_user_configuration():
        for name, commits in histories.items():
            write_repository(target / FRESH / f"{name}.git", commits)
    _swap(target)
    files.write_atomic(target / STAMP, digest)


def write_repository(path: Path, commits: tuple[Commit, ...]) -> None:
    """Make a bare repository at `path`, its HEAD on `main`."""
    repository = pygit2.init_repository(str(path), bare=True, initial_head="main")
    oids: dict[int, pygit2.Oid] = {}
    for commit in commits:
        oids[commit.mark] = repository.create_commit(
            None,
            _signature(commit.author),
            _signature(commit.committer),
            commit.message,
            _write_tree(repository, commit.tree),
            [oids[mark] for mark in commit.parents],
        )
    for ref, mark in {commit.ref: commit.mark for commit in commits}.items():
        repository.references.create(ref, oids[mark])
    repository.free()


def _write_tree(repository: pygit2.Repository, tree: Tree) -> pygit2.Oid:
    index = pygit2.Index()
    for path, entry in tree.items():
        if isinstance(entry, File):
            index.add(pygit2.IndexEntry(path, repository.create_blob(entry.content), FileMode(entry.mode)))
        else:
            index.add(pygit2.IndexEntry(path, pygit2.Oid(hex=entry.oid), FileMode.COMMIT))
    return index.write_tree(repository)


def _signature(person: Person) -> pygit2.Signature:
    return pygit2.Signature(person.name, person.email, person.seconds, person.offset_minutes, "utf-8")


def _digest(texts: Mapping[str, bytes]) -> bytes:
    rows = [f"{name} {hashlib.sha256(raw).hexdigest()}\n".encode() for name, raw in texts.items()]
    return hashlib.sha256(b"".join([FORM, b"\n", *rows])).hexdigest().encode() + b"\n"


def _is_current(target: Path, digest: bytes, names: Mapping[str, bytes]) -> bool:
    return files.read_bytes(target / STAMP) == digest and all(
        (target / f"{name}.git" / "HEAD").is_file() for name in names
    )


def _swap(target: Path) -> None:
    """Put the fresh owners in the place of all that stood there, the old stamp included."""
    for old in sorted(target.iterdir()):
        if old.name != FRESH:
            files.remove_tree(old)
    for owner in sorted((target / FRESH).iterdir()):
        files.replace(owner, target / owner.name)
    files.remove_tree(target / FRESH)


@contextlib.contextmanager
def _no_user_configuration() -> Iterator[None]:
    """Let libgit2 see no configuration but the repository's own: the user's may be broken, or keep reflogs."""
    levels = (ConfigLevel.GLOBAL, ConfigLevel.XDG, ConfigLevel.SYSTEM, ConfigLevel.PROGRAMDATA)
    paths = pygit2.settings.search_path
    kept = [(level, paths[level]) for level in levels]
    try:
        for level in levels:
            paths[level] = ""
        yield
    finally:
        for level, path in kept:
            paths[level] = path
