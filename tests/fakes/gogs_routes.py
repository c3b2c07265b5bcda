"""How Gogs answers: lists in one piece, folders with their files' content, refusals without a word."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pygit2
from pygit2.enums import FileMode

from tests.fakes.git_reading import find_branch, find_commit, find_entry, find_tag, is_object_id, log, lookup
from tests.fakes.gitea_access import RepositoryReply, authenticate, is_visible, kept
from tests.fakes.gitea_code_routes import http_date
from tests.fakes.gitea_history_routes import payload_commit
from tests.fakes.gitea_http import NOTHING, Answer, Reply, Request
from tests.fakes.gitea_http import json_answer as gitea_json_answer
from tests.fakes.gitea_rows import CREATED

if TYPE_CHECKING:
    from tests.fakes.gitea import FakeGitea
    from tests.fakes.gitea_state import Account, Owner, Repository

SEARCH_ROWS = 10
COMMIT_ROWS = 30
SHA_ALONE = "application/vnd.gogs.sha"
# A file is told to be a symlink, whatever it is.
MODES = {"commit": "160000", "tree": "040000", "blob": "120000"}
KINDS = {FileMode.TREE: "dir", FileMode.COMMIT: "submodule", FileMode.LINK: "symlink"}

UNAUTHORISED = Answer(401)
ABSENT = Answer(404)
HTML = {"Content-Type": "text/html; charset=UTF-8"}
NOWHERE = Answer(404, b"<!DOCTYPE html>\n<html><title>Page Not Found - Gogs</title></html>\n", HTML)
WRONG = {
    "message": "Something went wrong, please check the server logs for more information.",
    "url": "https://github.com/gogs/docs-api",
}


def json_answer(value: object, status: int = 200, headers: Mapping[str, str] = NOTHING) -> Answer:
    """A value as Gogs says that it is JSON."""
    return gitea_json_answer(value, status, {"Content-Type": "application/json; charset=UTF-8", **headers})


class Gogs:
    """Its endpoints."""

    def __init__(self, forge: FakeGitea) -> None:
        self._forge = forge

    def routes(self) -> list[tuple[str, str, Reply]]:
        """The table.  What it has but does not find is a 404 without a body, any other address one with a page."""
        repo = "/api/v1/repos/{owner}/{name}"
        return [
            ("GET", "/api/v1/users/{owner}", self._user),
            ("GET", "/api/v1/orgs/{owner}", self._organisation),
            ("GET", "/api/v1/users/{owner}/repos", self._owned),
            ("GET", "/api/v1/orgs/{owner}/repos", self._owned),
            ("GET", "/api/v1/user/repos", self._mine),
            ("GET", "/api/v1/repos/search", self._search),
            ("GET", repo, self._of(self._one, needs_token=False)),
            ("GET", f"{repo}/raw/{{path*}}", self._of(self._raw)),
            ("GET", f"{repo}/contents", self._of(self._contents)),
            ("GET", f"{repo}/contents/{{path*}}", self._of(self._contents)),
            ("GET", f"{repo}/git/trees/{{ref}}", self._of(self._tree)),
            ("GET", f"{repo}/git/blobs/{{sha}}", self._of(self._blob)),
            ("GET", f"{repo}/branches/{{branch*}}", self._of(self._branch)),
            ("GET", f"{repo}/commits", self._of(self._commits)),
            ("GET", f"{repo}/commits/{{ref*}}", self._of(self._commit)),
        ]

    def _account(self, request: Request) -> Account | None:
        return authenticate(self._forge, request)

    def _of(self, reply: RepositoryReply, *, needs_token: bool = True) -> Reply:
        """Find the repository.  An old name leads nowhere, and code wants a token even where it is public."""

        kept_reply = kept(self._forge, reply)

        def answer(request: Request) -> Answer:
            account = self._account(request)
            if needs_token and account is None:
                return UNAUTHORISED
            found = self._forge.find(f"{request.parts['owner']}/{request.parts['name']}")
            return ABSENT if found is None or not is_visible(found, account) else kept_reply(request, found)

        return answer

    # --- listings

    def _user(self, request: Request) -> Answer:
        found = self._forge.owners.get(request.parts["owner"].casefold())
        return json_answer(self._owner_row(found)) if found else ABSENT

    def _organisation(self, request: Request) -> Answer:
        if self._account(request) is None:
            return UNAUTHORISED
        found = self._forge.owners.get(request.parts["owner"].casefold())
        if found is None:
            return ABSENT
        row = self._owner_row(found) | {"description": "", "website": "", "location": ""}
        return json_answer({key: value for key, value in row.items() if key not in ("login", "email")})

    def _owned(self, request: Request) -> Answer:
        account, owner = self._account(request), request.parts["owner"].casefold()
        if account is None:
            return UNAUTHORISED
        if owner not in self._forge.owners:
            return ABSENT
        return self._listing(account, owner)

    def _mine(self, request: Request) -> Answer:
        account = self._account(request)
        return UNAUTHORISED if account is None else self._listing(account, account.login)

    def _listing(self, account: Account, owner: str) -> Answer:
        """All at once, last moved first; one's own listing ends with what is shared with one."""
        seen = [each for each in self._forge.all_repositories() if is_visible(each, account)]
        seen.sort(key=lambda each: each.updated_at, reverse=True)
        own = [each for each in seen if each.owner.casefold() == owner]
        shared = [each for each in seen if each.owner.casefold() != owner and _is_shared(each, account)]
        return json_answer([self._row(each) for each in (own + shared if owner == account.login else own)])

    def _search(self, request: Request) -> Answer:
        account, number = self._account(request), request.number("uid")
        # No word means the word ".", which few names have.
        word = request.first("q").rpartition("/")[2].casefold() or "."
        owner = self._forge.owner_by_id(number)
        found = [
            each
            for each in self._forge.all_repositories()
            if (number <= 0 or (owner is not None and each.owner.casefold() == owner.login.casefold()))
            and is_visible(each, account if number > 0 else None)
            and word in each.name.casefold()
        ]
        limit = min(request.number("limit") if request.number("limit") > 0 else SEARCH_ROWS, self._forge.limits.items)
        page = max(1, request.number("page"))
        rows = [self._row(each) for each in found[(page - 1) * limit : page * limit]]
        return json_answer({"ok": True, "data": rows}, headers=self._links(request, len(found), page, limit))

    def _links(self, request: Request, total: int, page: int, limit: int) -> dict[str, str]:
        """Where the other pages are, without what else was asked."""
        last = max(1, -(-total // limit))
        around = {"next": page + 1, "last": last} if page < last else {}
        around |= {"first": 1, "prev": page - 1} if page > 1 else {}
        url = f"{self._forge.root_url}{request.raw_path}?page="
        links = ",".join(f'<{url}{number}>; rel="{name}"' for name, number in around.items())
        return {"Link": links} if links else {}

    def _one(self, _: Request, repository: Repository) -> Answer:
        return json_answer(self._row(repository))

    def _owner_row(self, owner: Owner) -> dict[str, object]:
        return {
            "id": owner.id, "username": owner.login, "login": owner.login, "full_name": "", "email": "",
            "avatar_url": f"{self._forge.root_url}/avatars/{owner.id}",
        }  # fmt: skip

    def _row(self, repository: Repository) -> dict[str, object]:
        return {
            "id": repository.id, "owner": self._owner_row(self._forge.owner(repository.owner)),
            "name": repository.name, "full_name": repository.full_name, "description": "",
            "private": repository.private, "fork": False, "parent": None, "empty": repository.empty,
            "mirror": repository.mirror, "size": 0, "website": "", "default_branch": repository.default_branch,
            "created_at": CREATED, "updated_at": self._forge.written(repository.updated_at),
            "permissions": {"admin": True, "push": True, "pull": True},
        }  # fmt: skip

    # --- code

    def _raw(self, request: Request, repository: Repository) -> Answer:
        """A file's bytes; the ref is the first part of the path, there is no tag and never a 304."""
        if repository.empty:
            return ABSENT
        git, segments = self._git(repository), request.parts["path"].split("/")
        places = [("/".join(segments[:count]), segments[count:]) for count in range(1, len(segments) + 1)]
        named = [(find_branch(git, ref) or find_tag(git, ref), rest) for ref, rest in places]
        named = [(commit, rest) for commit, rest in named if commit] or [(_by_id(git, segments[0]), segments[1:])]
        commit, rest = named[0]
        if commit is None:
            return NOWHERE
        found = find_entry(commit, "/".join(rest))
        if found is None:
            return ABSENT
        if not isinstance(found, pygit2.Blob) or found.filemode == FileMode.LINK:
            return json_answer(WRONG, 500)
        touched = self._forge.reader.last_touched(commit, "/".join(rest))
        text = {"Content-Type": "text/plain; charset=utf-8"} if b"\0" not in found.data else {}
        return Answer(body=found.data, headers={"Last-Modified": http_date(touched.commit_time), **text})

    def _contents(self, request: Request, repository: Repository) -> Answer:
        """A file as an object, a folder as a list: both with every file's content.  A submodule spoils it."""
        commit = find_commit(self._git(repository), request.first("ref") or repository.default_branch)
        path = request.parts.get("path", "").strip("/")
        found = find_entry(commit, path) if commit else None
        below = list(found) if isinstance(found, pygit2.Tree) else [found] if found else []
        if any(each.filemode == FileMode.COMMIT for each in below):
            return json_answer(WRONG, 500)
        if isinstance(found, pygit2.Tree):
            return json_answer([self._content_row(each, f"{path}/{each.name}".lstrip("/")) for each in found])
        return ABSENT if found is None else json_answer(self._content_row(found, path))

    def _content_row(self, found: pygit2.Object, path: str) -> dict[str, Any]:
        kind = KINDS.get(FileMode(found.filemode), "file")
        row: dict[str, Any] = {
            "type": kind, "size": found.size if isinstance(found, pygit2.Blob) else 0,
            "name": path.rpartition("/")[2], "path": path, "sha": str(found.id),
        }  # fmt: skip
        if isinstance(found, pygit2.Blob) and kind == "file":
            row |= {"encoding": "base64", "content": base64.b64encode(found.data).decode("ascii")}
        if isinstance(found, pygit2.Blob) and kind == "symlink":
            row |= {"target": found.data.decode("utf-8", "replace")}
        # What is empty is left out.
        return {key: value for key, value in row.items() if value != "" or key not in ("content", "target")}

    def _tree(self, request: Request, repository: Repository) -> Answer:
        """One level, whatever is asked for; `sha` is the question's own word."""
        name, git = request.parts["ref"], self._git(repository)
        found = lookup(git, name)
        if found is None or isinstance(found, pygit2.Blob):
            return ABSENT
        rows = self._forge.reader.rows(found.peel(pygit2.Tree), recursive=False)
        url = f"{self._forge.root_url}/api/v1/repos/{repository.full_name}/git/trees"
        shown = [
            {"path": row.path, "mode": MODES[row.kind], "type": row.kind, "size": row.size, "sha": row.sha,
             "url": f"{url}/{row.sha}"}
            for row in rows
        ]  # fmt: skip
        return json_answer({"sha": name, "url": f"{url}/{name}", "tree": shown or None})

    def _blob(self, request: Request, repository: Repository) -> Answer:
        if not is_object_id(request.parts["sha"]):
            return ABSENT
        found = lookup(self._git(repository), request.parts["sha"])
        if not isinstance(found, pygit2.Blob):
            return json_answer(WRONG, 500)
        content = base64.b64encode(found.data).decode("ascii")
        return json_answer({"content": content, "encoding": "base64", "sha": request.parts["sha"], "size": found.size})

    # --- history

    def _branch(self, request: Request, repository: Repository) -> Answer:
        commit = find_branch(self._git(repository), request.parts["branch"])
        if commit is None:
            return ABSENT
        told = payload_commit(commit, "Not implemented")
        return json_answer({"name": request.parts["branch"], "commit": told})

    def _commits(self, request: Request, repository: Repository) -> Answer:
        """Of HEAD alone, and no second page."""
        git = self._git(repository)
        head = find_commit(git, "HEAD")
        most = request.number("pageSize") or COMMIT_ROWS
        found = log(git, head)[:most] if head else []
        return json_answer([self._commit_row(repository, each) for each in found])

    def _commit(self, request: Request, repository: Repository) -> Answer:
        """One commit; its id as plain text for who accepts that, and then of branches and tags alone."""
        git, ref = self._git(repository), request.parts["ref"]
        if SHA_ALONE in request.headers.get("accept", ""):
            named = find_branch(git, ref.removeprefix("refs/heads/")) or find_tag(git, ref.removeprefix("refs/tags/"))
            plain = {"Content-Type": "text/plain"}
            return Answer(body=str(named.id).encode(), headers=plain) if named else ABSENT
        found = find_commit(git, ref)
        return json_answer(self._commit_row(repository, found)) if found else ABSENT

    def _commit_row(self, repository: Repository, commit: pygit2.Commit) -> dict[str, object]:
        told = payload_commit(commit, "")
        at = told["timestamp"]
        author = {"name": commit.author.name, "email": commit.author.email, "date": at}
        return {
            "sha": str(commit.id),
            "commit": {
                "author": author, "committer": author, "message": commit.message.partition("\n")[0],
                "tree": {"url": f"{self._forge.root_url}/api/v1/repos/{repository.full_name}/tree/{commit.id}",
                         "sha": str(commit.id)},
            },
            "author": None, "committer": None, "parents": [{"sha": str(each)} for each in commit.parent_ids],
        }  # fmt: skip

    def _git(self, repository: Repository) -> pygit2.Repository:
        return self._forge.reader.open(repository.bare)


def _is_shared(repository: Repository, account: Account) -> bool:
    """Whether somebody else's repository is open to the account by name or by an organisation of its own."""
    return repository.owner.casefold() in account.owners or account.login in repository.collaborators


def _by_id(git: pygit2.Repository, name: str) -> pygit2.Commit | None:
    return find_commit(git, name) if is_object_id(name) else None
