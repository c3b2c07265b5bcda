"""The real server over the bundled example, driven in both eras of the protocol with whatever one may ask."""

from __future__ import annotations

import re

import pytest

from mcp_server.errors import CRASHED, UNREADABLE
from tests.fakes.published import Site
from tests.mcp_server.asking import USUAL_TOOLS, Era
from tests.mcp_server.driving import ROOT, Log, Told, drive, percentiles, table

ERAS: tuple[Era, ...] = ("auto", "legacy")
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u2028-\u202e\ufeff\U000e0000-\U000e0fff]")
P95_MS = 2_000


@pytest.fixture(scope="module", params=ERAS)
def log(request: pytest.FixtureRequest, built: Site, tmp_path_factory: pytest.TempPathFactory) -> Log:
    """One conversation with one server process that was started in a folder with a wiki."""
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / ".wiki" / "concepts").mkdir(parents=True)
    (folder / ".wiki" / "concepts" / "dns.md").write_text("# Names in Docker\n", encoding="utf-8")
    return drive(built.layout.root, folder, request.param)


def wrongly(told: list[Told], *, refused: bool) -> list[tuple[str, object, str]]:
    return [(one.name, one.given, one.text) for one in told if one.refused is refused]


def test_every_tool_resource_completion_and_prompt_is_driven(log: Log):
    assert {tool.name for tool in USUAL_TOOLS} <= log.listed
    assert {one.name for one in log.of("good")} == {one.name for one in log.of("hostile")} == log.listed


def test_every_good_question_is_answered(log: Log):
    assert wrongly(log.of("good"), refused=True) == []


def test_every_bad_question_is_refused_in_one_line(log: Log):
    assert wrongly(log.of("bad"), refused=False) == []
    assert [one for one in log.of("bad") if "\n" in one.text or not one.text] == []


def test_no_answer_to_a_hostile_question_holds_what_it_must_not(log: Log):
    told = [*log.of("hostile"), *log.of("bad")]

    assert [one for one in told if FORBIDDEN.search(one.text)] == []
    assert [one for one in told if "Traceback" in one.text or str(ROOT) in one.text or "root:x:" in one.text] == []


def test_no_question_meets_a_mistake_of_the_server(log: Log):
    assert [
        one for one in log.told if one.refused and ("Internal" in one.text or one.text in (CRASHED, UNREADABLE))
    ] == []


def test_the_time_of_every_kind_of_answer_is_told(log: Log):
    print(f"\n{table(log)}")

    assert set(percentiles(log)) == log.listed
    assert max(spent for spent, _ in percentiles(log).values()) < P95_MS
