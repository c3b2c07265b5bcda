"""Branches and commits, as Gitea and Forgejo give them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pygit2
from pygit2.enums import DeltaStatus, DiffOption

from tests.fakes.git_reading import find_branch, find_commit, log
from tests.fakes.gitea_access import require_code
from tests.fakes.gitea_http import Answer, NotFound, Refusal, Request, json_answer
from tests.fakes.gitea_listing_routes import page_headers, paging

if TYPE_CHECKING:
    from tests.fakes.gitea import FakeGitea
    from tests.fakes.gitea_state import Repository

# What became a link, or was one, is told by a letter that servers do not know.
STATUSES = {DeltaStatus.ADDED: "added", DeltaStatus.DELETED: "removed", DeltaStatus.MODIFIED: "modified"}


class History:
    """The endpoints `branches` and `commits`."""

    def __init__(self, forge: FakeGitea) -> None:
        self._forge = forge

    def branch(self, request: Request, repository: Repository) -> Answer:
        """A branch and its commit."""
        require_code(repository)
        name = request.parts["branch"]
        commit = None if repository.empty else find_branch(self._forge.reader.open(repository.bare), name)
        if commit is None:
            raise NotFound("", f"branch does not exist [repo_id: {repository.id} name: {name}]")
        told = payload_commit(commit, f"{self._forge.root_url}/{repository.full_name}/commit/{commit.id}")
        return json_answer({
            "name": name, "commit": told, "protected": False, "required_approvals": 0, "enable_status_check": False,
            "status_check_contexts": [], "user_can_push": False, "user_can_merge": False,
            "effective_branch_protection_name": "",
        })  # fmt: skip

    def commits(self, request: Request, repository: Repository) -> Answer:
        """Commits, newest first.  With a path the pages have a fixed size, but the headers count by `limit`."""
        require_code(repository)
        since, until = (self._bound(request, name) for name in ("since", "until"))
        if repository.empty:
            raise Refusal(409, "Git Repository is empty.")
        page, limit = paging(self._forge, request)
        limit = min(limit, self._forge.limits.commits)
        found = self._found(request, repository)
        if found is None:
            return json_answer(None, 404)
        shown = [each for each in found if _is_between(each, since, until)]
        total = len(shown) if self._forge.dialect.counts_since else len(found)
        if request.first("path") and total == 0:
            raise NotFound("FileCommitsCount")
        fixed = bool(request.first("path")) and self._forge.dialect.path_pages_are_fixed
        size = self._forge.limits.commits if fixed else limit
        # Old servers ask git for as many more as were passed over.
        end = page * size if self._forge.dialect.pages_end else (page - 1) * size + page * size
        rows = [self._row(request, repository, each) for each in shown[(page - 1) * size : end]]
        return json_answer(rows, headers=_count_headers(self._forge, request, total, page, limit))

    def _bound(self, request: Request, name: str) -> datetime | None:
        text = request.first(name)
        if not text or not self._forge.dialect.knows_since:
            return None
        try:
            found = datetime.fromisoformat(text)
        except ValueError:
            raise Refusal(422, f"invalid '{name}' format, expected ISO 8601 (RFC3339)") from None
        return found if found.tzinfo else found.replace(tzinfo=UTC)

    def _found(self, request: Request, repository: Repository) -> list[pygit2.Commit] | None:
        """All commits asked for; None where the start is unknown and the server says null."""
        git = self._forge.reader.open(repository.bare)
        path, end = request.first("path"), request.first("not") if self._forge.dialect.knows_not else ""
        start = find_commit(git, request.first("sha") or repository.default_branch)
        without = find_commit(git, end) if end else None
        if start is None and not path and self._forge.dialect.unknown_start == 404:
            return None
        if start is None or (end and without is None):
            raise Refusal(500)
        return log(git, start, without=without, path=path)

    def _row(self, request: Request, repository: Repository, commit: pygit2.Commit) -> dict[str, object]:
        """A commit; `commit.tree.sha` is the commit's own id."""
        url = f"{self._forge.root_url}/api/v1/repos/{repository.full_name}/git/commits"
        wants = {name: request.truth(name) is not False for name in ("stat", "files", "verification")}
        if not self._forge.dialect.knows_files:
            wants["files"], wants["verification"] = wants["stat"], True
        inner: dict[str, object] = {
            "url": f"{url}/{commit.id}", "author": _signed(commit.author), "committer": _signed(commit.committer),
            "message": commit.message,
            "tree": {"url": f"{url}/{commit.id}", "sha": str(commit.id), "created": written(commit.committer)},
        }  # fmt: skip
        diff = _diffs(self._forge.reader.open(repository.bare), commit)[0] if wants["stat"] else None
        return {
            "url": f"{url}/{commit.id}", "sha": str(commit.id), "created": written(commit.committer),
            "html_url": f"{self._forge.root_url}/{repository.full_name}/commit/{commit.id}",
            "commit": inner | ({"verification": {"verified": False}} if wants["verification"] else {}),
            "author": None, "committer": None,
            "parents": [{"url": f"{url}/{each}", "sha": str(each)} for each in commit.parent_ids],
            "files": self._files(repository, commit) if wants["files"] else None,
            "stats": _stats(diff) if diff is not None else None,
        }  # fmt: skip

    def _files(self, repository: Repository, commit: pygit2.Commit) -> list[dict[str, str]]:
        """Those of the whole commit, against its first parent; old servers tell what differs from all, and not how."""
        first, *others = [_files(each) for each in _diffs(self._forge.reader.open(repository.bare), commit)]
        if not self._forge.dialect.knows_files:
            return [{"filename": path} for path in first if all(path in each for each in others)]
        return [
            {"filename": path, "status": kind}
            for kind in ("added", "removed", "modified")
            for path, status in first.items()
            if status == kind
        ]


def payload_commit(commit: pygit2.Commit, url: str) -> dict[str, object]:
    """A commit as a branch names it."""
    return {
        "id": str(commit.id), "message": commit.message, "url": url,
        "author": _named(commit.author), "committer": _named(commit.committer),
        "verification": None, "timestamp": written(commit.committer),
        "added": None, "removed": None, "modified": None,
    }  # fmt: skip


def _named(signature: pygit2.Signature) -> dict[str, str]:
    return {"name": signature.name, "email": signature.email, "username": ""}


def _signed(signature: pygit2.Signature) -> dict[str, str]:
    return {"name": signature.name, "email": signature.email, "date": written(signature)}


def written(signature: pygit2.Signature) -> str:
    """When somebody signed, in the zone that they were in."""
    zone = timezone(timedelta(minutes=signature.offset)) if signature.offset else UTC
    return datetime.fromtimestamp(signature.time, zone).isoformat().replace("+00:00", "Z")


def _is_between(commit: pygit2.Commit, since: datetime | None, until: datetime | None) -> bool:
    at = datetime.fromtimestamp(commit.commit_time, UTC)
    return (since is None or at >= since) and (until is None or at <= until)


def _diffs(git: pygit2.Repository, commit: pygit2.Commit) -> list[pygit2.Diff]:
    """Against each parent; of a first commit, against nothing."""
    flags = DiffOption.INCLUDE_TYPECHANGE
    if not commit.parents:
        return [commit.tree.diff_to_tree(swap=True, flags=flags)]
    return [parent.tree.diff_to_tree(commit.tree, flags=flags) for parent in commit.parents]


def _stats(diff: pygit2.Diff) -> dict[str, int]:
    """Of the whole commit, whatever path was asked for."""
    added, removed = diff.stats.insertions, diff.stats.deletions
    return {"total": added + removed, "additions": added, "deletions": removed}


def _files(diff: pygit2.Diff) -> dict[str, str]:
    return {delta.new_file.path: STATUSES[delta.status] for delta in diff.deltas if delta.status in STATUSES}


def _count_headers(forge: FakeGitea, request: Request, total: int, page: int, limit: int) -> Mapping[str, str]:
    pages = -(-total // limit)
    return page_headers(forge, request, total, page, limit) | {
        "X-Page": str(page),
        "X-PerPage": str(limit),
        "X-Total": str(total),
        "X-PageCount": str(pages),
        "X-HasMore": "true" if page < pages else "false",
    }
