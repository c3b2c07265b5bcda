"""Listings of repositories, and their owners, as Gitea and Forgejo give them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from tests.fakes.gitea_access import authenticate, is_visible, require_token
from tests.fakes.gitea_http import Answer, NotFound, Refusal, Request, json_answer
from tests.fakes.gitea_rows import owner_row, row, rows
from tests.fakes.gitea_search import SORTS, Order, Search

if TYPE_CHECKING:
    from tests.fakes.gitea import FakeGitea
    from tests.fakes.gitea_state import Account, Owner, Repository

SHARED_BY_ORGANISATIONS = frozenset({
    "id", "full_name", "email", "avatar_url", "description", "website", "location", "visibility", "username",
})  # fmt: skip


class Listings:
    """The endpoints that answer rows of repositories and accounts."""

    def __init__(self, forge: FakeGitea) -> None:
        self._forge = forge

    def version(self, _: Request) -> Answer:
        """What the server calls itself."""
        return json_answer({"version": self._forge.version})

    def settings(self, _: Request) -> Answer:
        """The limits."""
        limits = self._forge.limits
        told = {
            "max_response_items": limits.items,
            "default_paging_num": limits.default_items,
            "default_git_trees_per_page": limits.tree_entries,
            "default_max_blob_size": limits.blob_bytes,
        }
        if self._forge.dialect.tells_response_size:
            told["default_max_response_size"] = limits.response_bytes
        return json_answer(told)

    def of_user(self, request: Request) -> Answer:
        """What a user or an organisation owns, by id."""
        name = request.parts["owner"].casefold()
        if name not in self._forge.owners:
            raise Refusal(404, f"user redirect does not exist [name: {name}]")
        return self._owned(request, name)

    def of_organisation(self, request: Request) -> Answer:
        """What an organisation owns, by id."""
        return self._owned(request, self._organisation(request).login.casefold())

    def _owned(self, request: Request, owner: str) -> Answer:
        """Pages are cut before the permission filter, so one may be short or empty and not the last."""
        forge, account = self._forge, authenticate(self._forge, request)
        counted = forge.found((owner, account is None), lambda: self._counted(owner, account))
        page, limit = paging(forge, request)
        cut = counted[(page - 1) * limit : page * limit]
        shown = [each for each in cut if is_visible(each, account) and (each.pull or forge.dialect.lists_unreadable)]
        answer = json_answer(rows(forge, shown), headers=page_headers(forge, request, len(counted), page, limit))
        forge.page_answered(page * limit < len(counted))
        return answer

    def _counted(self, owner: str, account: Account | None) -> list[Repository]:
        """All of an owner for anybody signed in; for others the public ones."""
        owned = self._forge.owned_by(owner)
        return owned if account is not None else [each for each in owned if is_visible(each, None)]

    def of_mine(self, request: Request) -> Answer:
        """All that the token's account owns or may work on, by the alphabet."""
        account = require_token(self._forge, request)
        mine = [each for each in self._forge.all_repositories() if _is_mine(each, account)]
        return self._page(request, sorted(mine, key=SORTS["alpha"]), rows)

    def search(self, request: Request) -> Answer:
        """Filtered before it is counted, so the total is exact."""
        forge, account = self._forge, authenticate(self._forge, request)
        search, order = Search.read(forge, request), Order.read(forge, request)
        found = forge.found((search, order, account), lambda: order.sort(search.find(forge, account)))
        return self._page(request, found, lambda forge, shown: {"ok": True, "data": rows(forge, shown)})

    def _page(self, request: Request, found: Sequence[Repository], shape: Callable[..., object]) -> Answer:
        page, limit = paging(self._forge, request)
        headers = page_headers(self._forge, request, len(found), page, limit)
        answer = json_answer(shape(self._forge, found[(page - 1) * limit : page * limit]), headers=headers)
        self._forge.page_answered(page * limit < len(found))
        return answer

    def by_id(self, request: Request) -> Answer:
        """One repository by its number, whatever it is called; not for anybody, even if it is public."""
        forge = self._forge
        account = require_token(forge, request)
        found = forge.repositories.get(int(request.parts["id"])) if request.parts["id"].isdecimal() else None
        if found is None or not is_visible(found, account):
            raise NotFound
        return json_answer(row(forge, found))

    def one(self, _: Request, repository: Repository) -> Answer:
        """One repository by its name."""
        return json_answer(row(self._forge, repository))

    def user(self, request: Request) -> Answer:
        """A user; an organisation answers here, too."""
        found = self._forge.owners.get(request.parts["owner"].casefold())
        if found is None:
            raise Refusal(404, f"user redirect does not exist [name: {request.parts['owner']}]")
        return json_answer(owner_row(self._forge, found))

    def organisation(self, request: Request) -> Answer:
        """An organisation, whose name is not called `login` here."""
        found = self._organisation(request)
        row = {key: value for key, value in owner_row(self._forge, found).items() if key in SHARED_BY_ORGANISATIONS}
        return json_answer(row | {"name": found.login, "repo_admin_change_team_access": False})

    def _organisation(self, request: Request) -> Owner:
        found = self._forge.owners.get(request.parts["owner"].casefold())
        if found is None or found.kind != "organisation":
            raise NotFound("GetOrgByName", f"org does not exist [id: 0, name: {request.parts['owner']}]")
        return found


def _is_mine(repository: Repository, account: Account) -> bool:
    mine = repository.owner.casefold() in account.owners or account.login in repository.collaborators
    return mine and is_visible(repository, account)


def paging(forge: FakeGitea, request: Request) -> tuple[int, int]:
    """The page, from 1, and how many rows it has: asked for, but in the server's limits."""
    limit = request.number("limit")
    return max(1, request.number("page")), min(limit, forge.limits.items) if limit > 0 else forge.limits.default_items


def page_headers(forge: FakeGitea, request: Request, total: int, page: int, limit: int) -> dict[str, str]:
    """The total, and where the other pages are; their host is the one that the server believes to have."""
    headers = {"X-Total-Count": str(total)} if forge.dialect.sends_total else {}
    last = max(1, -(-total // limit))
    # Past the end the links are those of the last page.
    page = min(page, last)
    around = {"next": page + 1} if page < last else {}
    around |= {"last": last} if page < last else {}
    around |= {"first": 1, "prev": page - 1} if page > 1 else {}
    if around and forge.dialect.sends_links:
        headers["Link"] = ",".join(f'<{_at_page(forge, request, at)}>; rel="{name}"' for name, at in around.items())
    return headers


def _at_page(forge: FakeGitea, request: Request, page: int) -> str:
    query = dict(request.query) | {"page": str(page)}
    return f"{forge.root_url}{request.raw_path}?{urlencode(sorted(query.items()))}"
