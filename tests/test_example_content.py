from __future__ import annotations

import pytest

from pipeline import example, fast_import, layout
from pipeline.fast_import import Commit, File, Submodule
from pipeline.model import RepoPath
from pipeline.parse.board import parse_board
from pipeline.parse.wiki_index import parse_index

STREAMS = example.read(layout.bundled("examples"))

BOARDS = [
    ("canonical", "garden/greenhouse", ".tasks/STATUS.md", "## 🔴 night-vents — Close the roof vents on cold nights\n"),
    ("free-text status", "garden/shop", ".tasks/STATUS.md", "**Status:** CODE-COMPLETE — **waiting on a load test**"),
    ("noise", "garden/shop", ".tasks/STATUS.md", "```text\nNEXT: this is what the tablet prints"),
    ("commented template", "garden/shop", ".tasks/STATUS.md", "<!-- copy this for a new task\n"),
    ("continuation", "garden/shop", ".tasks/STATUS.md", "on the door tablet\nin green, not in red"),
    ("table", "garden/delivery", ".tasks/status.md", "| ID | Title | Status | Pri | Owner | Next |\n"),
    ("lanes with checkboxes", "garden/labels", ".tasks/STATUS.md", "## In progress\n\n- [~] LBL-002 — "),
    ("Russian", "garden/seed-catalog", ".tasks/STATUS.md", "**Следующее действие:** спросить"),
    ("H3 tasks under lanes", "workshop/labels", ".tasks/STATUS.md", "## В работе\n\n### W-003: A jig"),
    ("table per lane", "garden/pump-firmware", ".tasks/STATUS.md", "## Blocked Tasks\n\n| ID | Title | Blocked By |"),
    ("event log", "workshop/night-builds", ".tasks/STATUS.md", "- 2026-04-02T00:12:40+00:00: builder built"),
    ("closed", "garden/old-site", ".tasks/STATUS.md", "# ⛔ Доска закрыта\n"),
    ("empty", "workshop/plans", ".tasks/STATUS.md", "|----|-------|--------|-------|\n"),
    ("notes", "garden/greenhouse", ".tasks/night-vents/plan.md", "# Plan: night vents\n"),
]

INDEXES = [
    ("canonical", "garden/greenhouse", ".wiki/index.md", "## Entities\n\n- [House 2](entities/house-2.md)\n"),
    ("markers", "garden/shop", ".wiki/index.md", "+ [Order](entities/order.md): states"),
    ("noise", "garden/shop", ".wiki/index.md", "- [All entities](entities/)\n\n<!--\n- [Coupon]"),
    ("outside links", "garden/shop", ".wiki/index.md", "- [How the bench packs](../docs/packing.md)\n"),
    ("BOM, front matter, CRLF", "workshop/handbook", ".wiki/index.md", "\ufeff---\r\ntitle: Справочник мастерской\r\n"),
    (
        "empty sections",
        "workshop/handbook",
        ".wiki/index.md",
        "## Entities\r\n<!-- alphabetical -->\r\n\r\n_(none yet)_",
    ),
    ("wikilinks", "garden/labels", ".wiki/index.md", "- [[concepts/ink-and-water|Ink and water]]"),
    ("tables", "garden/delivery", ".wiki/index.md", "| concept | [[concepts/loading-order\\|Loading order]] |\n"),
    ("Russian, nested", "garden/seed-catalog", ".wiki/index.md", "\n  - [Партия семян](entities/batch.md)\n"),
    ("odd paths", "workshop/labels", ".wiki/INDEX.md", "(raw/%D0%BF%D1%80%D0%B0%D0%B9%D1%81.md)\n"),
    ("spaces", "workshop/labels", ".wiki/INDEX.md", "(<raw/cutting table v2.md>)"),
    ("conflict markers", "workshop/plans", ".wiki/index.md", "<<<<<<< HEAD\n"),
    ("Path column", "garden/pump-firmware", ".wiki/index.md", "| Type | Slug | Path | Status |\n"),
    ("_index.md", "workshop/night-builds", ".wiki/_index.md", "# Night builds\n"),
]

PAGES = [
    ("front matter", "garden/greenhouse", ".wiki/concepts/vent-hysteresis.md", "---\ntitle: Vent hysteresis\n"),
    ("none", "garden/greenhouse", ".wiki/concepts/dew-point.md", "# Dew point\n"),
    ("key twice", "garden/shop", ".wiki/concepts/basket-lifetime.md", "\ntitle: Basket lifetime\ntitle: How long"),
    ("no space", "garden/shop", ".wiki/concepts/pickup-slots.md", '\ntitle:"Pickup slots"\n'),
    ("@name", "garden/shop", ".wiki/entities/order.md", "\nassignee: @nadia\n"),
    ("date with time", "garden/shop", ".wiki/entities/order.md", "\ncreated: 2026-02-27T15:25:00+03:00\n"),
    ("attachment", "garden/greenhouse", ".wiki/entities/house-2-plan.svg", "<svg "),
    ("rules", "garden/projects-wiki", "CLAUDE.md", "## Black list\n"),
    ("no domain", "garden/projects-wiki", "cross/names-on-boxes.md", "a cable\nshared_at: 2026-09-24\n---"),
    ("unlisted domain", "garden/projects-wiki", "web/slow-printer.md", "\ndomain: printing\n"),
    ("Russian", "garden/projects-wiki", "cross/dates-in-tables.md", "title: Даты в таблицах\n"),
    ("dead link", "garden/projects-wiki", "node/lockfile-first.md", "](reading-a-lockfile.md)"),
]


def history(name: str) -> tuple[Commit, ...]:
    return fast_import.parse(STREAMS[name], f"{name}.fi")


def content(name: str, path: str) -> bytes:
    entry = history(name)[-1].tree[path]
    assert isinstance(entry, File)
    return entry.content


@pytest.mark.parametrize(("style", "name", "path", "text"), [*BOARDS, *INDEXES, *PAGES])
def test_each_style_is_there(style: str, name: str, path: str, text: str):
    assert text in content(name, path).decode(), style


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("workshop/handbook", ".tasks/"),
        ("garden/projects-wiki", ".tasks/"),
        ("workshop/bench-scripts", ".tasks/"),
        ("workshop/bench-scripts", ".wiki/"),
        ("garden/old-site", ".wiki/index.md"),
    ],
)
def test_some_repositories_have_no_board_or_no_wiki(name: str, folder: str):
    assert [path for path in history(name)[-1].tree if path.startswith(folder)] == []


def test_one_tree_holds_a_symlink_and_a_submodule():
    tree = history("garden/pump-firmware")[-1].tree

    assert tree[".wiki/entities/board.md"] == File(0o120000, b"../../docs/board.md")
    assert isinstance(tree[".wiki/vendor-notes"], Submodule)


def test_two_owners_have_a_repository_of_the_same_name():
    assert [name for name in STREAMS if name.endswith("/labels")] == ["garden/labels", "workshop/labels"]


def test_one_history_holds_a_merge():
    assert [len(commit.parents) for commit in history("garden/pump-firmware")] == [0, 1, 1, 1, 2, 1, 1]


@pytest.mark.parametrize("name", STREAMS)
def test_a_history_goes_over_months_in_order_and_its_people_are_of_example_org(name: str):
    commits = history(name)
    seconds = [commit.committer.seconds for commit in commits]

    assert 3 <= len(commits) <= 15
    assert seconds == sorted(seconds)
    assert seconds[-1] - seconds[0] > 20 * 86400
    assert {commit.author.email.rsplit("@", 1)[1] for commit in commits} == {"example.org"}


@pytest.mark.parametrize(
    ("name", "state", "tasks"),
    [
        (
            "garden/greenhouse",
            "parsed",
            "soil-log=done night-vents=active humidity-probe=blocked light-plan=paused door-sensor=todo",
        ),
        (
            "garden/seed-catalog",
            "parsed",
            "germination-test=done order-2027=active web-export=paused cold-room=blocked "
            "photo-cards=todo price-tags=done",
        ),
        (
            "garden/shop",
            "parsed",
            "double-payment=active fair-day=done basket-timeout=done spring-load=blocked "
            "catalog-import=blocked pickup-slots=paused gift-cards=todo",
        ),
        (
            "garden/labels",
            "parsed",
            "LBL-002=active LBL-004=todo LBL-005=cancelled film-for-the-outdoor-roll=blocked "
            "print-on-the-long-roll=done LBL-003=done",
        ),
        (
            "garden/delivery",
            "parsed",
            "D-1=done D-2=active D-3=todo D-4=blocked D-5=todo D-0=done",
        ),
        (
            "garden/pump-firmware",
            "parsed",
            "TASK-003=active TASK-004=todo TASK-005=todo TASK-002=blocked TASK-001=done",
        ),
        ("workshop/labels", "parsed", "W-003=active W-002=todo W-004=todo W-001=done"),
        ("garden/old-site", "closed", ""),
        ("workshop/plans", "empty", ""),
        ("workshop/night-builds", "empty", ""),
    ],
)
def test_each_board_is_read_as_it_was_meant(name: str, state: str, tasks: str):
    path = ".tasks/status.md" if name == "garden/delivery" else ".tasks/STATUS.md"

    board, diagnostics = parse_board(RepoPath(path), content(name, path))

    assert board.state == state
    assert [f"{item.slug}={item.status}" for item in board.items] == tasks.split()
    assert diagnostics == ()


@pytest.mark.parametrize(
    ("name", "path", "pages"),
    [
        (
            "garden/greenhouse",
            ".wiki/index.md",
            [
                "entities/house-2",
                "concepts/dew-point",
                "concepts/vent-hysteresis",
                "packages/sensorlog",
                "sources/probe-datasheet",
                "raw/visit-2026-03",
            ],
        ),
        (
            "garden/seed-catalog",
            ".wiki/index.md",
            [
                "concepts/germination",
                "entities/batch",
                "concepts/storage",
                "entities/suppliers/north-field",
                "sources/supplier-letter",
                "sources/rassylka",
            ],
        ),
        (
            "garden/shop",
            ".wiki/index.md",
            [
                "concepts/basket-lifetime",
                "concepts/payment-retry",
                "concepts/pickup-slots",
                "concepts/fair-day",
                "entities/order",
                "decisions/0002-no-accounts",
            ],
        ),
        (
            "garden/labels",
            ".wiki/index.md",
            ["concepts/label-layout", "concepts/ink-and-water", "entities/roll-printer"],
        ),
        (
            "garden/delivery",
            ".wiki/index.md",
            ["entities/van", "entities/stop", "concepts/loading-order", "concepts/round-trip"],
        ),
        (
            "garden/pump-firmware",
            ".wiki/index.md",
            ["concepts/dry-run", "entities/flow-meter", "decisions/0001-where-state-lives"],
        ),
        (
            "workshop/handbook",
            ".wiki/index.md",
            ["concepts/laser-safety", "concepts/borrowing", "raw/2026/cupboard-january"],
        ),
        (
            "workshop/labels",
            ".wiki/INDEX.md",
            [
                "raw/call plywood march",
                "raw/cutting table v2",
                "raw/prices-(plywood)",
                "raw/прайс",
                "sources/laser-manual",
                "sources/smoke-memo",
                "sources/100%-birch",
            ],
        ),
        ("workshop/night-builds", ".wiki/_index.md", ["entities/machine", "concepts/red-night"]),
    ],
)
def test_each_index_names_the_pages_that_were_meant(name: str, path: str, pages: list[str]):
    _, entries, diagnostics = parse_index(RepoPath(path), content(name, path))

    assert [f"{entry.type}/{entry.slug}" for entry in entries] == pages
    assert diagnostics == ()


def test_the_index_with_conflict_markers_is_refused_with_its_line():
    index, entries, _ = parse_index(RepoPath(".wiki/index.md"), content("workshop/plans", ".wiki/index.md"))

    assert index.error == "wiki index malformed: merge conflict markers (line 5)"
    assert entries == ()


@pytest.mark.parametrize(
    ("name", "missing"),
    [("garden/greenhouse", []), ("garden/seed-catalog", ["sources/rassylka"]), ("garden/shop", ["concepts/fair-day"])],
)
def test_some_entries_have_no_page(name: str, missing: list[str]):
    _, entries, _ = parse_index(RepoPath(".wiki/index.md"), content(name, ".wiki/index.md"))
    pages = [f"{entry.type}/{entry.slug}" for entry in entries]

    assert [page for page in pages if f".wiki/{page}.md" not in history(name)[-1].tree] == missing


def test_the_index_misses_a_page_of_the_tree():
    assert "frost-checklist" not in content("garden/greenhouse", ".wiki/index.md").decode()
    assert content("garden/greenhouse", ".wiki/concepts/frost-checklist.md").startswith(b"# Frost checklist\n")
