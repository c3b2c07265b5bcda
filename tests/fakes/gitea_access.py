"""Who may ask what, and what a refusal looks like."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from http import HTTPStatus
from typing import TYPE_CHECKING

from tests.fakes.gitea_http import Answer, NotFound, Refusal, Reply, Request, json_answer

if TYPE_CHECKING:
    from tests.fakes.gitea import FakeGitea
    from tests.fakes.gitea_state import Account, Repository

CONDITIONS = ("if-none-match", "if-modified-since")
KEPT_AT_MOST = 50_000
SIGN_IN = "Only signed in user is allowed to call APIs."
RepositoryReply = Callable[[Request, "Repository"], Answer]


def authenticate(forge: FakeGitea, request: Request) -> Account | None:
    """The account behind a request; None for anybody.  A bad token is a 401, even where none is needed."""
    token = _token(forge, request.headers.get("authorization", ""))
    account = forge.tokens.get(token)
    if token and account is None and not forge.dialect.bad_token_is_nobody:
        raise Refusal(401, forge.dialect.bad_token)
    if account is None and forge.require_signin:
        raise Refusal(403, SIGN_IN)
    return account


def _token(forge: FakeGitea, header: str) -> str:
    kind, _, token = header.partition(" ")
    dialect = forge.dialect
    known = kind == "token" or (not dialect.scheme_is_exact and kind.lower() == "bearer")
    return token if known or (dialect.any_case_scheme and kind.lower() == "token") else ""


def refuse(forge: FakeGitea, request: Request, refusal: Refusal) -> Answer:
    """The refusal as JSON: with the address of the documentation, but for the one that comes before all routes."""
    if refusal.message == SIGN_IN:
        return json_answer({"message": SIGN_IN}, refusal.status)
    answer: dict[str, object] = {"message": refusal.message, "url": f"{forge.root_url}/api/swagger"}
    if isinstance(refusal, NotFound):
        answer["message"] = refusal.message or _not_found(forge, request)
        if forge.dialect.not_found_has_errors:
            answer["errors"] = list(refusal.errors) or ([] if forge.dialect.no_errors_are_a_list else None)
    return json_answer(answer, refusal.status)


def _not_found(forge: FakeGitea, request: Request) -> str:
    language = request.headers.get("accept-language", "")[:2].lower()
    texts = forge.dialect.not_found
    return texts.get(language, texts[""])


def guarded(forge: FakeGitea, need: str, reply: Reply) -> Reply:
    """Let a reply be given only to who may have it; `need` names a row of the dialect's needs."""

    def answer(request: Request) -> Answer:
        try:
            require_scopes(forge, authenticate(forge, request), need)
            return reply(request)
        except Refusal as refusal:
            return refuse(forge, request, refusal)

    return answer


def require_scopes(forge: FakeGitea, account: Account | None, need: str) -> None:
    """Refuse a token that lacks a scope; who comes without a token needs none."""
    for scope in forge.dialect.needs.get(need, ()):
        if account is not None and not account.may(scope):
            raise Refusal(403, forge.dialect.lacks_scope.format(scope, ",".join(account.scopes)))


def require_token(forge: FakeGitea, request: Request) -> Account:
    """The account, where anybody is not enough."""
    account = authenticate(forge, request)
    if account is None:
        raise Refusal(401, "token is required")
    return account


def is_visible(repository: Repository, account: Account | None) -> bool:
    """Whether a repository exists for this account."""
    if account is None:
        return not (repository.private or repository.internal)
    if not repository.private:
        return True
    return repository.owner.casefold() in account.owners or account.login in repository.collaborators


def of_repository(forge: FakeGitea, reply: RepositoryReply, need: str = "code") -> Reply:
    """Find the repository; a former name redirects, relative and with its query."""

    def answer(request: Request) -> Answer:
        asked = f"{request.parts['owner']}/{request.parts['name']}"
        found = forge.find(asked)
        former = forge.find_former(asked)
        account = authenticate(forge, request)
        shows = former is not None and (forge.dialect.redirects_anybody or is_visible(former, account))
        if found is None and former is not None and shows and forge.dialect.redirect is not None:
            return _moved(forge.dialect.redirect, request, former.full_name)
        if request.parts["owner"].casefold() not in forge.owners:
            raise NotFound("GetUserByName", f"user redirect does not exist [name: {request.parts['owner']}]")
        if found is None or not is_visible(found, account):
            raise NotFound
        # Listed with all rights, as a real one does, and only here found to be too much for the token.
        if account is not None and account.public_only and found.private:
            raise Refusal(403, "token scope is limited to public repos")
        return reply(request, found)

    return guarded(forge, need, answer)


def kept(forge: FakeGitea, reply: RepositoryReply) -> RepositoryReply:
    """Give the same answer again as long as nothing is written to the repository and the server is as it was."""

    def answer(request: Request, repository: Repository) -> Answer:
        key = (
            request.method, request.raw_path, request.raw_query, request.body,
            *(request.headers.get(name) for name in CONDITIONS),
            repository.id, repository.bare.writes, *repository.told(),
            forge.root_url, forge.dialect, *forge.limits.all(),
        )  # fmt: skip
        found = forge.kept_answers.get(key)
        if found is None:
            if len(forge.kept_answers) >= KEPT_AT_MOST:
                forge.kept_answers.clear()
            found = forge.kept_answers[key] = reply(request, repository)
        return found

    return answer


def _moved(status: int, request: Request, full_name: str) -> Answer:
    segments = request.raw_path.split("/")
    at = segments.index("repos") + 1
    path = "/".join([*segments[:at], full_name, *segments[at + 2 :]])
    place = f"{path}?{request.raw_query}" if request.raw_query else path
    page = f'<a href="{escape(place)}">{HTTPStatus(status).phrase}</a>.\n'
    return Answer(status, page.encode(), {"Location": place, "Content-Type": "text/html; charset=utf-8"})


def require_code(repository: Repository) -> None:
    """Refuse where the account has no right to the code."""
    if not repository.pull:
        raise Refusal(403, "user should have specific read permission or be a repo admin or a site admin")
