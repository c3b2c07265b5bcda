"""Archives of a commit, as Gitea and Forgejo stream them: `git archive`, with its attributes."""

from __future__ import annotations

import fnmatch
import posixpath
import tarfile
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import pygit2

from tests.fakes.git_reading import TreeRow, find_commit, find_entry
from tests.fakes.gitea_access import require_code
from tests.fakes.gitea_http import Answer, Refusal, Request, json_answer
from tests.fakes.tarballs import member, pack

if TYPE_CHECKING:
    from tests.fakes.gitea import FakeGitea
    from tests.fakes.gitea_state import Repository

FORMATS = (".tar.gz", ".zip", ".bundle")
KINDS = {"040000": tarfile.DIRTYPE, "160000": tarfile.DIRTYPE}
Attributes = Sequence[tuple[str, frozenset[str]]]


class Archives:
    """The endpoint that packs; whatever is asked for, a packed tar."""

    def __init__(self, forge: FakeGitea) -> None:
        self._forge = forge

    def pack(self, request: Request, repository: Repository) -> Answer:
        """A tar of the commit, or of some paths of it where the server knows of such; others give all."""
        require_code(repository)
        name, paths = self._question(request)
        git = self._forge.reader.open(repository.bare)
        commit = find_commit(git, name)
        if commit is None:
            raise Refusal(404, f"unrecognized repository reference: {name}")
        return self._archive(git, repository, commit, paths)

    def _question(self, request: Request) -> tuple[str, Sequence[str]]:
        """The ref and the paths; a bundle has none, and is refused before the ref is looked for."""
        file = request.parts["file"]
        kind = next((each for each in FORMATS if file.endswith(each)), None)
        if kind is None:
            raise Refusal(400, f"unknown format: {file}")
        knows_paths = self._forge.dialect.archives_by_path
        paths = [value for name, value in request.query if name == "path"] if knows_paths else []
        if kind == ".bundle" and paths:
            raise Refusal(400, "cannot specify paths when requesting a bundle")
        return file.removesuffix(kind), paths

    def _archive(
        self, git: pygit2.Repository, repository: Repository, commit: pygit2.Commit, paths: Sequence[str]
    ) -> Answer:
        rows = self._forge.reader.rows(commit.tree, recursive=True)
        api = f"{self._forge.root_url}/api"
        address = f"{api}/v1/repos/{repository.full_name}/archive/{commit.id}.tar.gz?rev={commit.id}"
        headers = {"Link": f'<{address}>; rel="immutable"'}
        if not all(_is_there(path, rows) for path in paths):
            words = {"message": "path doesn't exist or is invalid", "url": f"{api}/swagger"}
            return json_answer(words, 400, headers)
        asked = [row for row in rows if _is_asked(row.path, paths)]
        headers["Content-Type"] = self._forge.dialect.type_of_archives
        return Answer(body=pack(*_members(git, commit, asked, repository.name.lower())), headers=headers)


def _is_there(path: str, rows: Iterable[TreeRow]) -> bool:
    return path == "" or any(row.path == path for row in rows)


def _is_asked(path: str, paths: Sequence[str]) -> bool:
    """Whether it is one of the paths, below one, or above one."""
    return not paths or any(f"{a}/".startswith(f"{b}/") for each in paths for a, b in ((path, each), (each, path)))


def _members(git: pygit2.Repository, commit: pygit2.Commit, rows: Sequence[TreeRow], prefix: str) -> Iterator[bytes]:
    attributes = _attributes(commit)
    yield tarfile.TarInfo.create_pax_global_header({"comment": str(commit.id)})
    yield member(prefix, kind=tarfile.DIRTYPE, mode=0o775)
    for row in rows:
        here = frozenset(each for path in _up(row.path) for each in _attributes_of(path, attributes))
        if "export-ignore" not in here:
            content = git[row.sha].read_raw() if row.kind == "blob" else b""
            if "export-subst" in here:
                content = content.replace(b"$Format:%H$", str(commit.id).encode())
            yield _member(f"{prefix}/{row.path}", row.mode, content)


def _member(name: str, mode: str, content: bytes) -> bytes:
    if mode == "120000":
        return member(name, kind=tarfile.SYMTYPE, mode=0o777, target=content.decode())
    return member(name, content, kind=KINDS.get(mode, tarfile.REGTYPE), mode=int(mode[-3:], 8) or 0o775)


def _attributes(commit: pygit2.Commit) -> Attributes:
    """The lines of the top folder's .gitattributes: a pattern, and what it sets."""
    found = find_entry(commit, ".gitattributes")
    lines = found.data.decode().splitlines() if isinstance(found, pygit2.Blob) else []
    return [(words[0], frozenset(words[1:])) for words in map(str.split, lines) if words]


def _attributes_of(path: str, attributes: Attributes) -> Iterator[str]:
    for pattern, names in attributes:
        if fnmatch.fnmatchcase(path if "/" in pattern else posixpath.basename(path), pattern):
            yield from names


def _up(path: str) -> Iterator[str]:
    """The path and the folders that it is in."""
    while path:
        yield path
        path = posixpath.dirname(path)
