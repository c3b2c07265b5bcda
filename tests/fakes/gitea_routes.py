"""How Gitea 1.25 answers over HTTP, as far as we ask it: forms, headers and refusals."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from email.utils import format_datetime
from typing import TYPE_CHECKING, Any, Protocol

import pygit2
from pygit2.enums import FileMode
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

if TYPE_CHECKING:
    from tests.fakes.gitea import Account, FakeGitea, Repository

ORG_SCOPE = "read:organization"
NEVER = "0001-01-01T00:00:00Z"
Reply = Callable[[Request, "Repository"], Response]


class Refusal(Exception):
    """An answer other than the one asked for."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


class _Json(JSONResponse):
    media_type = "application/json;charset=utf-8"


class _Endpoint(Protocol):
    async def __call__(self, request: Request) -> Response: ...


def application(forge: FakeGitea) -> Starlette:
    """The routes over the forge as it is now."""
    return Starlette(
        routes=[
            Route("/api/v1/version", _guarded(forge, lambda _: _Json({"version": forge.version}), scope=None)),
            Route("/api/v1/settings/api", _guarded(forge, lambda _: _Json(_settings(forge)), scope=None)),
            Route("/api/v1/users/{owner}/repos", _guarded(forge, lambda asked: _owned(forge, asked), "read:user")),
            Route("/api/v1/orgs/{owner}/repos", _guarded(forge, lambda asked: _organised(forge, asked), ORG_SCOPE)),
            Route("/api/v1/repositories/{id:int}", _guarded(forge, lambda asked: _by_id(forge, asked))),
            Route("/api/v1/repos/{owner}/{name}", _of(forge, lambda _, found: _Json(_row(forge, found)))),
            Route("/api/v1/repos/{owner}/{name}/git/trees/{ref:path}", _of(forge, _Code(forge).tree)),
            Route("/api/v1/repos/{owner}/{name}/raw/{path:path}", _of(forge, _Code(forge).raw)),
            Route("/api/v1/repos/{owner}/{name}/file-contents", _of(forge, _Code(forge).batch)),
            Route("/{rest:path}", _guarded(forge, _no_such_route, scope=None)),
        ]
    )


def _no_such_route(_: Request) -> Response:
    return Response("Not found.\n", 404, media_type="text/plain")


# --- who may ask -------------------------------------------------------------------------------


def _guarded(
    forge: FakeGitea, reply: Callable[[Request], Response], scope: str | None = "read:repository"
) -> _Endpoint:
    async def endpoint(request: Request) -> Response:
        try:
            account = _account(forge, request)
            if account is not None and scope is not None and scope not in account.scopes:
                raise Refusal(403, f"token does not have at least one of required scope(s), required=[{scope}]")
            return reply(request)
        except Refusal as refusal:
            return _refuse(forge, refusal)

    return endpoint


def _account(forge: FakeGitea, request: Request) -> Account | None:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    if not token:
        if forge.require_signin:
            raise Refusal(403, "Only signed in user is allowed to call APIs.")
        return None
    if kind.lower() not in ("token", "bearer") or token not in forge.tokens:
        raise Refusal(401, "invalid username, password or token")
    return forge.tokens[token]


def _refuse(forge: FakeGitea, refusal: Refusal) -> Response:
    answer: dict[str, object] = {"message": refusal.message}
    if not refusal.message.startswith("Only signed in"):
        answer["url"] = f"{forge.root_url}/api/swagger"
    return _Json(answer, refusal.status)


def _is_visible(repository: Repository, account: Account | None) -> bool:
    sees_all = account is not None and repository.owner.casefold() in account.owners
    return sees_all or not (repository.private or (repository.internal and account is None))


# --- listings ----------------------------------------------------------------------------------


def _settings(forge: FakeGitea) -> dict[str, int]:
    return {
        "max_response_items": forge.limits.items,
        "default_paging_num": forge.limits.default_items,
        "default_git_trees_per_page": forge.limits.tree_entries,
        "default_max_blob_size": forge.limits.blob_bytes,
    }


def _organised(forge: FakeGitea, request: Request) -> Response:
    names = {name.casefold() for name, kind in forge.accounts.items() if kind == "organisation"}
    if request.path_params["owner"].casefold() not in names:
        raise Refusal(404, "The target couldn't be found.")
    return _owned(forge, request)


def _owned(forge: FakeGitea, request: Request) -> Response:
    """Pages are cut before the permission filter, so one may be short or empty and not the last."""
    owner = request.path_params["owner"].casefold()
    if owner not in {name.casefold() for name in forge.accounts}:
        raise Refusal(404, f"user redirect does not exist [name: {owner}]")
    account = _account(forge, request)
    counted = [
        each
        for each in sorted(forge.repositories.values(), key=lambda each: each.id)
        if each.owner.casefold() == owner and (account is not None or _is_visible(each, None))
    ]
    page, limit = _paging(forge, request)
    shown = [each for each in counted[(page - 1) * limit : page * limit] if _is_visible(each, account)]
    rows = [_row(forge, each) for each in shown]
    return _Json(rows, headers=_page_headers(forge, request, len(counted), page, limit))


def _paging(forge: FakeGitea, request: Request) -> tuple[int, int]:
    page, limit = (int(request.query_params.get(name, "0")) for name in ("page", "limit"))
    return max(1, page), min(limit, forge.limits.items) if limit > 0 else forge.limits.default_items


def _page_headers(forge: FakeGitea, request: Request, total: int, page: int, limit: int) -> dict[str, str]:
    headers = {"X-Total-Count": str(total)} if forge.sends_total else {}
    last = max(1, -(-total // limit))
    around = {"next": page + 1, "last": last} if page < last else {}
    around |= {"first": 1, "prev": page - 1} if page > 1 else {}
    url = f"{forge.root_url}{request.url.path}?limit={limit}&page="
    if around and forge.sends_links:
        headers["Link"] = ",".join(f'<{url}{number}>; rel="{name}"' for name, number in around.items())
    return headers


def _by_id(forge: FakeGitea, request: Request) -> Response:
    found = forge.repositories.get(request.path_params["id"])
    if found is None or not _is_visible(found, _account(forge, request)):
        raise Refusal(404, "The target couldn't be found.")
    return _Json(_row(forge, found))


def _row(forge: FakeGitea, repository: Repository) -> dict[str, object]:
    return {
        "id": repository.id,
        "owner": {"id": 1, "login": repository.owner, "full_name": "", "email": ""},
        "name": repository.name,
        "full_name": repository.full_name,
        "description": "",
        "empty": repository.empty,
        "private": repository.private,
        "internal": repository.internal,
        "fork": False,
        "mirror": repository.mirror,
        "size": 24,
        "default_branch": repository.default_branch,
        "archived": repository.archived,
        "created_at": "2025-01-01T00:00:00Z",
        "updated_at": _written(forge, repository.updated_at),
        "permissions": {"admin": False, "push": False, "pull": repository.pull},
        "mirror_updated": _written(forge, repository.mirror_updated) if repository.mirror_updated else NEVER,
        "object_format_name": "sha1",
        "topics": [],
    }


def _written(forge: FakeGitea, moment: datetime) -> str:
    zone = timezone(timedelta(hours=forge.utc_offset_hours)) if forge.utc_offset_hours else UTC
    return moment.replace(microsecond=0).astimezone(zone).isoformat().replace("+00:00", "Z")


# --- one repository ----------------------------------------------------------------------------


def _of(forge: FakeGitea, reply: Reply) -> _Endpoint:
    """Find the repository; a former name redirects, relative and with its query."""

    def answer(request: Request) -> Response:
        asked = "{owner}/{name}".format_map(request.path_params)
        found = forge.find(asked)
        former = forge.repositories.get(forge.former_names.get(asked.casefold(), 0))
        if found is None and former is not None:
            return _moved(request, asked, former.full_name)
        if found is None or not _is_visible(found, _account(forge, request)):
            raise Refusal(404, "The target couldn't be found.")
        return reply(request, found)

    return _guarded(forge, answer)


def _moved(request: Request, asked: str, full_name: str) -> Response:
    path = request.scope["raw_path"].decode("ascii").replace(f"/repos/{asked}", f"/repos/{full_name}", 1)
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"{path}{query}", 301)


class _Code:
    """The endpoints that need the Code unit."""

    def __init__(self, forge: FakeGitea) -> None:
        self._forge = forge

    def tree(self, request: Request, repository: Repository) -> Response:
        """A page of a tree; `sha` is the commit for whatever names one.  Unknown names are a 400."""
        self._admit(repository)
        name = request.path_params["ref"]
        git = repository.bare.open()
        found = _lookup(git, name)
        if found is None:
            raise Refusal(400, f"sha not found [{name}]")
        rows = list(_walk(git, found.peel(pygit2.Tree), "", recursive=request.query_params.get("recursive") == "1"))
        most = self._forge.limits.tree_entries
        size = min(int(request.query_params.get("per_page", "0")) or most, most)
        page = max(1, int(request.query_params.get("page", "1")))
        part = rows[(page - 1) * size : page * size]
        answer = {
            "sha": str(found.id), "url": "", "tree": part or None, "page": page,
            "truncated": page * size < len(rows), "total_count": len(rows),
        }  # fmt: skip
        return _Json(answer, headers={"X-Total-Count": str(len(rows))})

    def raw(self, request: Request, repository: Repository) -> Response:
        """A file's bytes.  An unknown ref quietly means the default branch."""
        self._admit(repository)
        if repository.empty:
            raise Refusal(404, "repository is empty")
        git = repository.bare.open()
        commit = (
            _lookup(git, request.query_params.get("ref", "HEAD"))
            or git[repository.bare.head(repository.default_branch)]
        )
        blob = _file(git, commit, request.path_params["path"])
        if blob is None:
            raise Refusal(404, "not found")
        headers = {
            "ETag": f'"{blob.id}"',
            "Last-Modified": _http_date(commit.peel(pygit2.Commit).commit_time),
            "Cache-Control": "private, max-age=21600",
            "X-Gitea-Object-Type": "symlink" if blob.filemode == FileMode.LINK else "file",
        }
        known = request.headers.get("if-none-match", "")
        if str(blob.id) in {tag.strip().removeprefix("W/").strip('"') for tag in known.split(",")}:
            return Response(status_code=304, headers=headers)
        return Response(blob.data, headers=headers, media_type="text/plain; charset=utf-8")

    def batch(self, request: Request, repository: Repository) -> Response:
        """Many files in their order: null for a missing one, silently cut after the server's limit."""
        if not self._forge.knows_batches:
            return _no_such_route(request)
        self._admit(repository)
        try:
            asked = json.loads(request.query_params.get("body", ""))["files"]
        except (ValueError, TypeError, KeyError):
            raise Refusal(400, "Invalid body parameter") from None
        git = repository.bare.open()
        commit = _lookup(git, request.query_params.get("ref", "HEAD"))
        if commit is None:
            raise Refusal(404, "object does not exist")
        return _Json([self._file_row(git, commit, path) for path in asked[: self._forge.limits.batch_files]])

    def _file_row(self, git: pygit2.Repository, commit: pygit2.Object, path: str) -> dict[str, object] | None:
        blob = _file(git, commit, path)
        if blob is None:
            return None
        fits = blob.size <= self._forge.limits.blob_bytes
        return {
            "name": path.rpartition("/")[2], "path": path, "sha": str(blob.id), "type": "file", "size": blob.size,
            "encoding": "base64" if fits else None,
            "content": base64.b64encode(blob.data).decode("ascii") if fits else None,
        }  # fmt: skip

    def _admit(self, repository: Repository) -> None:
        if not repository.pull:
            raise Refusal(403, "user should have a permission to read the repo's code")


def _http_date(seconds: int) -> str:
    return format_datetime(datetime.fromtimestamp(seconds, UTC), usegmt=True)


def _lookup(git: pygit2.Repository, name: str) -> pygit2.Object | None:
    try:
        return git.revparse_single(name)
    except (KeyError, ValueError, pygit2.GitError):
        return None


def _file(git: pygit2.Repository, commit: pygit2.Object, path: str) -> pygit2.Blob | None:
    try:
        found = commit.peel(pygit2.Tree)[path]
    except (KeyError, ValueError):
        return None
    return found if isinstance(found, pygit2.Blob) else None


def _walk(git: pygit2.Repository, tree: pygit2.Tree, prefix: str, *, recursive: bool) -> Iterator[dict[str, Any]]:
    """Entries in git's order; a tree comes before what is in it."""
    for entry in tree:
        mode, path = f"{entry.filemode:06o}", f"{prefix}{entry.name}"
        kind = {FileMode.TREE: "tree", FileMode.COMMIT: "commit"}.get(entry.filemode, "blob")
        size = entry.size if isinstance(entry, pygit2.Blob) else 0
        yield {"path": path, "mode": mode, "type": kind, "size": size, "sha": str(entry.id), "url": ""}
        if recursive and isinstance(entry, pygit2.Tree):
            yield from _walk(git, entry, f"{path}/", recursive=True)
