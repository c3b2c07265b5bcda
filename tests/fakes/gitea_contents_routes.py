"""Contents of files and folders, one and many, as Gitea and Forgejo give them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import orjson
import pygit2
from pygit2.enums import FileMode

from tests.fakes.git_reading import find_branch, find_commit, find_entry, find_tag, is_object_id
from tests.fakes.gitea_access import require_code
from tests.fakes.gitea_code_routes import blob_content
from tests.fakes.gitea_history_routes import written
from tests.fakes.gitea_http import Answer, NotFound, Refusal, Request, json_answer

if TYPE_CHECKING:
    from tests.fakes.gitea import FakeGitea
    from tests.fakes.gitea_state import Repository

# A path that leads out of the tree takes the whole answer with it.
PANIC = Answer(
    500, b"<!DOCTYPE html>\n<title>Internal Server Error</title>\n", {"Content-Type": "text/html;charset=utf-8"}
)
KINDS = {FileMode.TREE: "dir", FileMode.COMMIT: "submodule", FileMode.LINK: "symlink"}


class Contents:
    """The endpoints `contents` and `file-contents`."""

    def __init__(self, forge: FakeGitea) -> None:
        self._forge = forge

    def at(self, request: Request, repository: Repository) -> Answer:
        """A file as an object with its content, a folder as a list without any."""
        require_code(repository)
        path = request.parts.get("path", "").strip("/")
        if repository.empty and self._forge.dialect.contents_of_empty_are_a_list:
            return json_answer([])
        commit = self._commit(request, repository)
        found = find_entry(commit, path)
        if found is None:
            raise NotFound("GetContentsOrList", f"object does not exist [id: , rel_path: {path}]")
        if isinstance(found, pygit2.Tree):
            below = [f"{path}/{entry.name}".lstrip("/") for entry in found]
            return json_answer([self._row(repository, commit, each, with_content=False) for each in below])
        return json_answer(self._row(repository, commit, path, with_content=True))

    def batch(self, request: Request, repository: Repository) -> Answer:
        """Many files in their order: null for a missing one, silently cut after the server's limits."""
        require_code(repository)
        asked = _asked_files(request)
        commit = self._commit(request, repository)
        if any(not path or path.startswith("../") for path in asked):
            return PANIC
        rows: list[dict[str, Any] | None] = []
        weight = 0
        for path in asked[: self._forge.limits.batch_files]:
            row = self._row(repository, commit, path, with_content=True)
            weight += len((row or {}).get("content") or "")
            if weight > self._forge.limits.response_bytes:
                break
            rows.append(row)
        return json_answer(rows)

    def _commit(self, request: Request, repository: Repository) -> pygit2.Commit:
        """The commit of `ref`, which falls back to nothing."""
        git = self._forge.reader.open(repository.bare)
        name = request.first("ref") or repository.default_branch
        found = find_commit(git, name) if is_object_id(name) else find_branch(git, name) or find_tag(git, name)
        if found is None:
            raise NotFound("", f"object does not exist [id: {name}, rel_path: ]")
        return found

    def _row(
        self, repository: Repository, commit: pygit2.Commit, path: str, *, with_content: bool
    ) -> dict[str, Any] | None:
        found = find_entry(commit, path) if path else None
        if found is None:
            return None
        touched = self._forge.reader.last_touched(commit, path)
        url = f"{self._forge.root_url}/api/v1/repos/{repository.full_name}"
        row: dict[str, Any] = {
            "name": path.rpartition("/")[2], "path": path, "sha": str(found.id), "last_commit_sha": str(touched.id),
            **dict.fromkeys(self._forge.dialect.dates_of_contents, written(touched.committer)),
            "type": KINDS.get(FileMode(found.filemode), "file"),
            "size": found.size if isinstance(found, pygit2.Blob) else 0,
            "encoding": None, "content": None, "target": None,
            "url": f"{url}/contents/{quote(path)}?ref={commit.id}", "git_url": f"{url}/git/blobs/{found.id}",
            "submodule_git_url": None,
        }  # fmt: skip
        return row | self._told_of_blob(found, with_content=with_content)

    def _told_of_blob(self, found: pygit2.Object, *, with_content: bool) -> dict[str, Any]:
        if not isinstance(found, pygit2.Blob):
            return {}
        if found.filemode == FileMode.LINK:
            return {"target": found.data.decode("utf-8", "replace")}
        return blob_content(self._forge, found.data) if with_content else {}


def _asked_files(request: Request) -> list[str]:
    """The paths of the question, from the query or, of a POST, from the body."""
    try:
        asked = orjson.loads(request.body if request.method == "POST" else request.first("body"))
    except ValueError:
        raise Refusal(400, "invalid body parameter") from None
    files = asked.get("files", []) if isinstance(asked, dict) else None
    if not isinstance(files, list):
        raise Refusal(400, "invalid body parameter")
    return [str(path) for path in files]
