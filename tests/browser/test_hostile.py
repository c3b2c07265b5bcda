"""Three hundred hostile texts in every field: nothing runs, nothing is asked for, nothing is violated, with and without
the policy."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pipeline import files
from tests.browser.audit import faults
from tests.browser.chromium import Watch, reading
from tests.browser.hostile import put_payloads
from tests.browser.sites import Built
from tests.fakes.safe_html import payloads
from tests.graph.conftest import make_workspace

POLICY = re.compile(rb'<meta http-equiv="Content-Security-Policy"[^>]*>')


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The report of a machine that was fed them."""
    machine = make_workspace(tmp_path_factory.mktemp("attacked"))
    put_payloads(machine.projects)
    assert machine.doit().status == 0
    return Built(machine.build, machine.version())


@pytest.fixture(scope="module")
def unguarded(attacked: Built, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The same report without its policy: our escaping and sanitising stand alone."""
    bare = Built(tmp_path_factory.mktemp("unguarded"))
    for name in files.walk(attacked.report):
        files.write_atomic(bare.report / name, POLICY.sub(b"", (attacked.report / name).read_bytes()))
    for beside in attacked.build.glob("*.js"):
        files.write_atomic(bare.build / beside.name, beside.read_bytes())
    return bare


def seen(browser: Browser, built: Built) -> tuple[list[str], Watch]:
    """The faults of every page of a report, and what happened while it was open."""
    with reading(browser, built.report, built.build) as reader:
        return [f"{fault.page}: {fault.what}" for fault in faults(reader, built.pages)], reader.watch


def test_the_texts_are_there(attacked: Built):
    boards = [Path(attacked.report / page).read_text(encoding="utf-8") for page in attacked.pages if "texts" in page]

    assert len(payloads()) >= 300
    assert sum(board.count("window.__pwn=1") for board in boards) > 2_000


def test_nothing_of_them_runs_leaves_or_meets_the_policy(browser: Browser, attacked: Built):
    found, watch = seen(browser, attacked)

    assert (found, watch.troubles) == ([], [])


def test_nothing_of_them_runs_or_leaves_where_no_policy_stops_it(browser: Browser, unguarded: Built):
    found, watch = seen(browser, unguarded)

    assert b"Content-Security-Policy" not in (unguarded.report / "index.html").read_bytes()
    assert (found, watch.troubles) == ([], [])
