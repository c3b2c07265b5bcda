"""Trouble at the fake forge, as proxies and sick servers make it."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime

import httpx
import pytest

from tests.fakes import faults
from tests.fakes.asking import ask
from tests.fakes.gitea import FakeGitea

pytestmark = pytest.mark.anyio

RAW = "repos/ann/a/raw/x"


@pytest.mark.parametrize(
    ("wish", "told"), [(7, "7"), (datetime(2026, 3, 1, 12, 0, 7, tzinfo=UTC), "Sun, 01 Mar 2026 12:00:07 GMT")]
)
async def test_a_proxy_that_is_asked_too_often_says_when_to_come_back(
    forge: FakeGitea, wish: int | datetime, told: str
) -> None:
    forge.fail("*", **faults.too_many(wish))

    answer = await ask(forge, "version")

    assert (answer.status_code, answer.headers["retry-after"]) == (429, told)


@pytest.mark.parametrize(("trouble", "status"), [(faults.BAD_GATEWAY, 502), (faults.UNAVAILABLE, 503)])
async def test_a_proxy_speaks_html(forge: FakeGitea, trouble: faults.Canned, status: int) -> None:
    forge.fail("*", **trouble)

    answer = await ask(forge, "version")

    assert (answer.status_code, answer.headers["content-type"]) == (status, "text/html; charset=utf-8")


async def test_a_sick_server_has_nothing_to_say(forge: FakeGitea) -> None:
    forge.fail("*", **faults.SILENT_ERROR)

    answer = await ask(forge, "version")

    assert (answer.status_code, answer.json()["message"]) == (500, "")


async def test_a_login_page_looks_like_success(forge: FakeGitea) -> None:
    forge.fail("*", **faults.LOGIN_PAGE)

    answer = await ask(forge, "version")

    assert (answer.status_code, answer.text[:9]) == (200, "<!DOCTYPE")


@pytest.mark.parametrize(
    ("trouble", "text"), [(faults.TWICE_THE_SAME_KEY, '"id":1,"id":2'), (faults.NOT_A_NUMBER, "NaN")]
)
async def test_json_may_be_none(forge: FakeGitea, trouble: faults.Canned, text: str) -> None:
    forge.fail("*", **trouble)

    assert text in (await ask(forge, "users/ann/repos")).text


async def test_a_cache_may_answer_for_nobody(forge: FakeGitea) -> None:
    forge.fail("*", **faults.UNASKED_NOT_MODIFIED)

    answer = await ask(forge, "version")

    assert (answer.status_code, answer.content) == (304, b"")


async def test_a_proxy_that_packs_makes_the_tag_weak(forge: FakeGitea) -> None:
    forge.add("ann/a", {"x": "hello"})
    strong = (await ask(forge, RAW)).headers["etag"]
    forge.spoil("*/raw/*", faults.gzipped)

    answer = await ask(forge, RAW)

    assert (answer.headers["etag"], answer.headers["content-encoding"], answer.text) == (f"W/{strong}", "gzip", "hello")
    assert (await ask(forge, RAW, headers={"If-None-Match": answer.headers["etag"]})).status_code == 304


async def test_an_answer_may_be_cut_off(forge: FakeGitea) -> None:
    forge.add("ann/a", {"x": "hello, world"})
    forge.spoil("*/raw/*", faults.cut_off, times=1)

    with forge.serve() as url, pytest.raises(httpx.RemoteProtocolError):
        httpx.get(f"{url}/api/v1/{RAW}")

    assert (await ask(forge, RAW)).text == "hello, world"


async def test_a_proxy_may_drop_the_tag(forge: FakeGitea) -> None:
    forge.add("ann/a", {"x": "1"})
    forge.spoil("*/raw/*", faults.without_tag)

    assert "etag" not in (await ask(forge, RAW)).headers


async def test_trouble_comes_after_some_and_for_some_and_ends(forge: FakeGitea) -> None:
    forge.fail("*/version", status=503, skip=1, times=2)

    before = [(await ask(forge, "version")).status_code for _ in range(4)]
    forge.fail("*", status=500)
    forge.heal()

    assert (before, (await ask(forge, "version")).status_code) == ([200, 503, 503, 200], 200)


async def test_gzip_is_what_it_says(forge: FakeGitea) -> None:
    packed = faults.gzipped(forge.answer(await _request(forge)))

    assert gzip.decompress(packed.body) == b'{"version":"1.25.4"}\n'


async def _request(forge: FakeGitea):
    await ask(forge, "version")
    return forge.requests[0]
