"""Nothing is answered without the token."""

import anyio
import httpx
import pytest
from anyio import to_thread

from mcp_server.hub.app import build_app
from tests.fakes.wikis import ROUTES, Asked, refusal

BARE = [
    ("GET", "/openapi.json"),
    ("GET", "/docs"),
    ("GET", "/redoc"),
    ("GET", "/"),
    ("GET", "/nothing"),
    ("OPTIONS", "/"),
]


def test_the_app_has_the_routes_that_are_tried_here_and_no_other(library: Asked):
    shown = library.get("/openapi.json")["paths"]

    assert sorted((method.upper(), path) for path, methods in shown.items() for method in methods) == ROUTES


@pytest.mark.parametrize(("method", "path"), [*ROUTES, *BARE])
@pytest.mark.parametrize(
    "header", [None, "", "Bearer", "Bearer wrong", "Basic {token}", "{token}", "Bearer {token}x", "Bearer x{token}"]
)
def test_no_route_answers_without_the_token(library: Asked, method, path, header):
    url = f"{library.client.base_url}{path.replace('{label}', 'A')}"
    headers = {} if header is None else {"Authorization": header.format(token=library.opened.token)}
    answer = httpx.request(method, url, headers=headers, json={}, trust_env=False)

    assert refusal(answer)[0] == 401
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("scheme", ["Bearer ", "bearer ", "BEARER  "])
def test_the_token_opens_in_any_spelling_of_its_scheme(library: Asked, scheme):
    headers = {"Authorization": f"{scheme}{library.opened.token}"}

    assert httpx.get(f"{library.client.base_url}/projects", headers=headers, trust_env=False).status_code == 200


def test_the_token_is_not_taken_from_the_address(library: Asked):
    url = f"{library.client.base_url}/projects?token={library.opened.token}&access_token={library.opened.token}"

    assert httpx.get(url, trust_env=False).status_code == 401


@pytest.mark.parametrize("path", ["/docs", "/redoc", "/nothing", "/projects/", "/wiki", "//projects", "/wiki/tree/.."])
def test_what_is_no_route_is_not_found_in_the_one_form(library: Asked, path):
    assert library.refused(path)[0] == 404


@pytest.mark.parametrize(("method", "path"), [("PUT", "/projects"), ("DELETE", "/projects/A"), ("POST", "/wiki/tree")])
def test_a_method_that_a_route_has_not_is_refused_in_the_one_form(library: Asked, method, path):
    assert refusal(library.client.request(method, path, json={}))[0] == 405


def test_every_error_is_described_by_its_one_form(library: Asked):
    paths = library.get("/openapi.json")["paths"]
    errors = {
        answer["content"]["application/json"]["schema"]["$ref"]
        for methods in paths.values()
        for operation in methods.values()
        for status, answer in operation["responses"].items()
        if status >= "400"
    }

    assert errors == {"#/components/schemas/Trouble"}


def test_few_questions_are_worked_on_at_once(library: Asked):
    async def most() -> float:
        app = build_app(library.opened.hub)
        async with app.router.lifespan_context(app):
            return to_thread.current_default_thread_limiter().total_tokens

    assert anyio.run(most) == 4
