"""Trees, blobs and raw files, as Gitea and Forgejo give them."""

from __future__ import annotations

import base64
import posixpath
import re
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from typing import TYPE_CHECKING
from urllib.parse import quote

import pygit2
from pygit2.enums import FileMode

from tests.fakes.git_reading import TreeRow, find_branch, find_commit, find_entry, find_tag, is_object_id, lookup
from tests.fakes.gitea_access import require_code
from tests.fakes.gitea_http import Answer, NotFound, Refusal, Request, json_answer

if TYPE_CHECKING:
    from tests.fakes.gitea import FakeGitea
    from tests.fakes.gitea_state import Repository

POINTER = re.compile(rb"version https://git-lfs[^\n]{0,60}\noid sha256:([0-9a-f]{64})\nsize ([0-9]{1,18})\n")


class Code:
    """The endpoints below `git/`, and raw files."""

    def __init__(self, forge: FakeGitea) -> None:
        self._forge = forge

    def tree(self, request: Request, repository: Repository) -> Answer:
        """A page of a tree; `sha` is what the name leads to, a commit for a branch.  Unknown names are a 400."""
        require_code(repository)
        name = request.parts["ref"]
        git = self._forge.reader.open(repository.bare)
        found = lookup(git, name)
        tree = None if found is None else _peel_tree(found)
        if found is None or tree is None:
            raise Refusal(400, f"sha not found [{name}]")
        rows = self._forge.reader.rows(tree, recursive=bool(request.truth("recursive")))
        most = self._forge.limits.tree_entries
        size = min(request.number("per_page"), most) if request.number("per_page") > 0 else most
        page = max(1, request.number("page"))
        shown = rows[(page - 1) * size : page * size]
        api = _api(self._forge, repository)
        more = page * size < len(rows) or (page > 1 and self._forge.dialect.last_tree_page_is_truncated)
        answer = {
            "sha": str(found.id), "url": f"{api}/git/trees/{found.id}",
            "tree": [_tree_row(row, api) for row in shown] if shown else None,
            "truncated": bool(shown) and more, "page": page, "total_count": len(rows),
        }  # fmt: skip
        return json_answer(answer, headers={"X-Total-Count": str(len(rows))})

    def blob(self, request: Request, repository: Repository) -> Answer:
        """The bytes of one object id."""
        require_code(repository)
        return json_answer(self._blob(repository, request.parts["sha"]))

    def blobs(self, request: Request, repository: Repository) -> Answer:
        """Many objects by their ids, silently cut after the server's limit; one bad id spoils all."""
        require_code(repository)
        asked = request.first("shas")
        if not asked:
            raise Refusal(400, "shas not provided")
        return json_answer([self._blob(repository, sha) for sha in asked.split(",")[: self._forge.limits.items]])

    def _blob(self, repository: Repository, sha: str) -> dict[str, object]:
        git = self._forge.reader.open(repository.bare)
        found = lookup(git, sha) if is_object_id(sha) else None
        if found is None:
            raise Refusal(400, f"object does not exist [id: {sha}, rel_path: ]")
        url = f"{_api(self._forge, repository)}/git/blobs/{sha}"
        # No type is asked for, so a tree or a commit comes as it is stored.
        content = found.read_raw()
        return blob_content(self._forge, content) | {"url": url, "sha": sha, "size": len(content)}

    def raw(self, request: Request, repository: Repository) -> Answer:
        """A file's bytes; a symlink's are its target."""
        if repository.empty:
            raise self._emptiness()
        git = self._forge.reader.open(repository.bare)
        commit, path = self._place(git, repository, request)
        require_code(repository)
        found = find_entry(commit, path)
        if found is None:
            raise NotFound
        if not isinstance(found, pygit2.Blob):
            raise NotFound("getBlobForEntry")
        touched = self._forge.reader.last_touched(commit, path)
        kind = "symlink" if found.filemode == FileMode.LINK else "file"
        headers = dict.fromkeys(self._forge.dialect.type_headers, kind)
        headers |= {"Etag": f'"{found.id}"', "Last-Modified": http_date(touched.commit_time)}
        if self._is_known(request, f'"{found.id}"', touched.commit_time):
            return Answer(304, headers=headers)
        kept = {"Cache-Control": f"private, max-age={self._forge.dialect.raw_max_age_s}"}
        return Answer(body=found.data, headers=headers | _file_headers(path, found.data) | kept)

    def _emptiness(self) -> Refusal:
        dialect, words = self._forge.dialect, "repository is empty"
        if dialect.raw_of_empty != 404:
            return Refusal(dialect.raw_of_empty)
        return NotFound("", words) if dialect.words_of_empty_are_an_error else NotFound(words)

    def _place(self, git: pygit2.Repository, repository: Repository, request: Request) -> tuple[pygit2.Commit, str]:
        """The commit, and the path below it."""
        ref, path = request.first("ref"), request.parts["path"]
        if ref and not self._forge.dialect.raw_falls_back:
            commit = find_commit(git, ref)
            if commit is None:
                raise NotFound
            return commit, path
        return _guessed_place(git, repository, ref, path)

    def _is_known(self, request: Request, etag: str, changed_at: int) -> bool:
        """By the tag; and, after a miss, by the time, which is wrong when a newer file has an older commit."""
        for tag in request.headers.get("if-none-match", "").split(","):
            known = tag.strip().removeprefix("W/") if self._forge.dialect.weak_match else tag.strip()
            if known == etag:
                return True
        since = request.headers.get("if-modified-since")
        return since is not None and changed_at <= parsedate_to_datetime(since).timestamp()


def blob_content(forge: FakeGitea, blob: bytes) -> dict[str, object]:
    """Encoding and content, and what a pointer points to; no content of what is too large to come along."""
    if len(blob) > forge.limits.blob_bytes:
        return {"encoding": forge.dialect.encoding_of_nothing, "content": forge.dialect.content_of_nothing}
    content = {"encoding": "base64", "content": base64.b64encode(blob).decode("ascii")}
    pointer = POINTER.fullmatch(blob) if forge.dialect.tells_what_is_stored_elsewhere else None
    return content | ({"lfs_oid": pointer[1].decode(), "lfs_size": int(pointer[2])} if pointer else {})


def http_date(seconds: int) -> str:
    """A time as HTTP headers have it."""
    return format_datetime(datetime.fromtimestamp(seconds, UTC), usegmt=True)


def _guessed_place(git: pygit2.Repository, repository: Repository, ref: str, path: str) -> tuple[pygit2.Commit, str]:
    """The commit and the path below it.

    Leading segments of `ref/path` are tried as a branch, then as a tag; a name of neither kind quietly means
    the default branch, a whole id that is not there a 404.
    """
    segments = posixpath.join(ref, path).split("/")
    default = repository.default_branch
    for find in (find_branch, find_tag):
        for count in range(1, len(segments) + 1):
            commit = find(git, "/".join(segments[:count]))
            if commit is not None:
                return commit, "/".join(segments[count:])
        if find is find_branch and segments[0] == "HEAD":
            return _or_not_found(find_branch(git, default)), "/".join(segments[1:])
    if is_object_id(segments[0]):
        return _or_not_found(find_commit(git, segments[0])), "/".join(segments[1:])
    return _or_not_found(find_branch(git, default)), path


def _or_not_found(commit: pygit2.Commit | None) -> pygit2.Commit:
    if commit is None:
        raise NotFound("unable to find a git ref")
    return commit


def _file_headers(path: str, content: bytes) -> dict[str, str]:
    is_text = b"\0" not in content[:1024]
    name = posixpath.basename(path)
    plain = name.replace("\\", "\\\\").replace('"', '\\"').encode("ascii", "replace").decode("ascii")
    return {
        "Content-Type": "text/plain; charset=utf-8" if is_text else "application/octet-stream",
        "Content-Disposition": f"inline; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}",
        "X-Content-Type-Options": "nosniff",
    }


def _peel_tree(found: pygit2.Object) -> pygit2.Tree | None:
    try:
        return found.peel(pygit2.Tree)
    except (ValueError, pygit2.GitError):
        return None


def _tree_row(row: TreeRow, api: str) -> dict[str, object]:
    url = {"tree": f"{api}/git/trees/{row.sha}", "blob": f"{api}/git/blobs/{row.sha}"}.get(row.kind, "")
    return {"path": row.path, "mode": row.mode, "type": row.kind, "size": row.size, "sha": row.sha, "url": url}


def _api(forge: FakeGitea, repository: Repository) -> str:
    return f"{forge.root_url}/api/v1/repos/{repository.full_name}"
