"""Codes are stable, documented, and speak on one line."""

import re
from pathlib import Path

import pytest

from pipeline.diagnostics import CODES, crash, in_order, make
from pipeline.model import Diagnostic, RepoPath

DOCS = Path(__file__).parent.parent / "docs" / "diagnostics.md"
ROW = re.compile(r"^\| `([ENW]\d{3})` \| (error|warning|note) \| (.+) \| (.+) \|$", re.MULTILINE)


def test_the_documentation_lists_every_code_and_no_other():
    rows = ROW.findall(DOCS.read_text(encoding="utf-8"))

    assert rows == [(code, known.severity, known.meaning, known.remedy) for code, known in CODES.items()]


def test_codes_stand_in_order():
    assert list(CODES) == sorted(CODES)


@pytest.mark.parametrize("code", CODES)
def test_a_codes_letter_is_its_severity_and_its_texts_are_whole(code):
    known = CODES[code]

    assert known.severity == {"E": "error", "N": "note", "W": "warning"}[code[0]]
    assert known.meaning.endswith(".")
    assert known.remedy.endswith(".")
    assert "\n" not in known.message


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_used(code):
    sources = [path.read_text(encoding="utf-8") for path in (DOCS.parent.parent / "pipeline").rglob("*.py")]

    assert sum(source.count(f'"{code}"') for source in sources) > 1


def test_a_diagnostic_names_the_place_and_the_fact():
    assert make("W103", RepoPath(".tasks/STATUS.md"), 9, slug="api", first=3) == Diagnostic(
        code="W103",
        severity="warning",
        path=RepoPath(".tasks/STATUS.md"),
        line=9,
        message='task "api" is on the board already, at line 3; this one is left out',
    )


def test_a_detail_cannot_forge_a_line_or_fill_the_message():
    found = make("W101", RepoPath("x"), 1, status="a\u2028b\u202e {slug} " + "c" * 999)

    assert found.message.startswith('unknown status "a b {slug} ccc')
    assert len(found.message) < 200


def test_a_missing_detail_is_our_mistake():
    with pytest.raises(KeyError):
        make("W103", RepoPath("x"), 1, slug="a")


def test_a_crash_is_an_error_of_the_whole_repository():
    assert (crash("ValueError").code, crash("ValueError").line) == ("E001", None)


def test_a_file_with_very_much_trouble_keeps_its_first_hundred_and_tells_how_many_more():
    found = [make("W201", RepoPath("b.md"), line) for line in range(120, 0, -1)] + [make("W507", RepoPath("a.md"))]
    kept = in_order(found)

    assert [one.path for one in kept[:2]] == ["a.md", "b.md"]
    assert [one.line for one in kept[1:101]] == list(range(1, 101))
    assert [one.message for one in kept[101:]] == ["20 more diagnostics of this file are not listed"]
