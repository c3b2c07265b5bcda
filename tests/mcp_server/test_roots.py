"""The tools of knowledge roots."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipeline.roots.published import ReadOnlyRoot, open_roots, require_writable
from tests.fakes.published import Site
from tests.fakes.root_folders import add_roots
from tests.mcp_server.asking import ATLAS, answer, refusal


def section(name: str, content: str) -> str:
    return f"<!-- section:{name} -->\n{content}\n<!-- /section:{name} -->\n"


CONTOUR = "| bazaar | acme-shop | web shop | yes |\n"
MINE: dict[str, str | bytes] = {
    "agent-notes.md": section("knowledge-roots-routing-v1", "The team's clone is `group`.")
    + section("release-v1", "Release flow: tag, build."),
    "knowledge/notes.md": "# Mine\n",
    "knowledge/work/local/knowledge-roots-index-v1.md": (
        "group/smoke-test-v1.md => group\nwork/org/ => group\nwork/projects/aiguiders-open/ => group\n"
    ),
    "knowledge/work/local/workspace-scope-map-v1.md": "/home/ann/code/shop => bazaar\n",
    "knowledge/work/local/scope-alias-map-v1.md": "bz => bazaar\n",
    "knowledge/work/org/scope-contour-map-v1.md": f"{CONTOUR}| attic | — | drafts | no |\n",
}
GROUP: dict[str, str | bytes] = {
    "knowledge/group/smoke-test-v1.md": "The group smoke test passed.\n",
    "knowledge/work/org/scope-contour-map-v1.md": CONTOUR,
    "knowledge/work/projects/aiguiders-open/README.md": "Mission cards of the open stack.\n",
    "knowledge/lines.md": "one\ntwo\nthree\n",
    "knowledge/marked.md": section("meta", "what it is") + section("b", "1\n2"),
    "knowledge/v1..2.md": "two dots\n",
    "knowledge/empty.md": "",
    "knowledge/picture.png": b"\x89PNG\0",
}


@pytest.fixture
def roots(site: Site, tmp_path: Path) -> Site:
    """One project, and two roots published with it."""
    site.publish(ATLAS)
    add_roots(site, tmp_path / "roots", MINE, GROUP)
    return site


def route(site: Site, query: str, **more: object) -> dict[str, Any]:
    return answer(site, "route_context", query=query, **more)


def test_a_question_about_the_group_brings_its_routing_its_hint_and_a_preview(roots):
    found = route(roots, "group smoke test")

    assert found["knowledge_roots_overlay_applied"] is True
    assert found["knowledge_roots_registry_hits"] == 3
    assert found["overlay_reason"] == "registry"
    assert "section:knowledge-roots-routing-v1" in found["assembled_context"]
    assert "knowledge_root_id=group" in found["assembled_context"]
    assert "The group smoke test passed." in found["assembled_context"]


def test_a_prefix_answers_for_the_words_of_its_path(roots):
    found = route(roots, "aiguiders-open mission cards")

    assert (found["knowledge_roots_overlay_applied"], found["knowledge_roots_registry_hits"]) == (True, 1)
    assert "- Prefix: `knowledge/work/projects/aiguiders-open/`" in found["assembled_context"]
    assert "Mission cards of the open stack." in found["assembled_context"]


def test_an_exact_line_answers_for_its_file_alone(roots):
    assert route(roots, "smoke-test-v1")["knowledge_roots_registry_hits"] == 1
    assert route(roots, "lines.md zzz")["knowledge_roots_registry_hits"] == 0


def test_the_contour_table_of_a_folder_answers_for_it(roots):
    assert route(roots, "scope contour")["knowledge_roots_registry_hits"] == 1


def test_an_unrelated_question_brings_no_hint(roots):
    found = route(roots, "release flow")

    assert (found["knowledge_roots_overlay_applied"], found["overlay_reason"]) == (False, "none")
    assert [each["id"] for each in found["selected"]] == ["release-v1"]
    assert "knowledge_root_id" not in found["assembled_context"]


def test_without_a_hot_file_hints_are_shown_all_the_same(site, tmp_path):
    site.publish(ATLAS)
    add_roots(site, tmp_path, {"knowledge/work/local/knowledge-roots-index-v1.md": "lines.md => group"}, GROUP)

    found = route(site, "lines.md")

    assert [each["id"] for each in found["selected"]] == ["knowledge-root.group.lines.md"]


def test_a_folder_of_the_disk_tells_the_scope(roots):
    assert route(roots, "release flow", workspace_path="/home/ann/code/shop/x")["resolved_scope"] == "bazaar"


def test_no_root_is_chosen_for_whoever_asks(roots):
    said = refusal(roots, "read_knowledge_file", file_path="group/smoke-test-v1.md")

    assert said.startswith("mine has no knowledge/group/smoke-test-v1.md")


def test_a_file_needs_no_hint_to_be_read(roots):
    found = answer(roots, "read_knowledge_file", file_path="lines.md", knowledge_root_id="GROUP", offset=2, limit=1)

    assert (found["text"], found["offset"], found["next_offset"], found["truncated"]) == ("two", 2, 3, True)
    assert (found["knowledge_root_id"], found["read_only"], found["lines_total"]) == ("group", True, 3)


@pytest.mark.parametrize(("offset", "limit", "text"), [(1, 0, ""), (3, 9, "three"), (9, 1, "")])
def test_lines_at_the_edges(roots, offset, limit, text):
    found = answer(
        roots, "read_knowledge_file", file_path="lines.md", knowledge_root_id="group", offset=offset, limit=limit
    )

    assert found["text"] == text


def test_an_outline_names_the_sections_and_shows_the_first_to_read(roots):
    found = answer(roots, "read_knowledge_file", file_path="marked.md", knowledge_root_id="group", mode="outline")

    assert [(each["id"], each["line"], each["line_count"]) for each in found["sections"]] == [
        ("meta", 1, 1),
        ("b", 4, 2),
    ]
    assert found["text"] == "what it is"


def test_one_section_is_read_by_its_id(roots):
    asked = {"file_path": "marked.md", "knowledge_root_id": "group", "mode": "section"}

    assert answer(roots, "read_knowledge_file", **asked, section_id="b")["text"] == "1\n2"
    assert (
        refusal(roots, "read_knowledge_file", **asked, section_id="c") == "marked.md has no section c; it has meta, b"
    )
    assert refusal(roots, "read_knowledge_file", **asked) == "section_id goes with mode section, and only with it"


def test_an_empty_file_is_empty_and_a_missing_one_is_told(roots):
    assert answer(roots, "read_knowledge_file", file_path="empty.md", knowledge_root_id="group")["text"] == ""
    assert "did you mean lines.md?" in refusal(
        roots, "read_knowledge_file", file_path="line.md", knowledge_root_id="group"
    )


@pytest.mark.parametrize("path", ["v1..2.md", "./v1..2.md", "knowledge/v1..2.md", "knowledge\\v1..2.md"])
def test_two_dots_in_a_name_are_a_name(roots, path):
    assert answer(roots, "read_knowledge_file", file_path=path, knowledge_root_id="group")["text"] == "two dots"


@pytest.mark.parametrize(
    "path",
    ["..", "../x", "a/../../x", "a\\..\\x", "/etc/passwd", "C:\\x", "C:x", "\\\\host\\share", ".git/config", "a/.GIT/x",
     ".revisions/a.md", "a\tb", "a\x1bb"],
)  # fmt: skip
def test_a_path_that_leaves_the_root_is_refused(roots, path):
    assert "expected a path below knowledge/" in refusal(roots, "read_knowledge_file", file_path=path)


@pytest.mark.parametrize("path", ["%2e%2e/x", "lines.md.", "a/..b", "LINES.MD", "work"])
def test_a_path_that_only_looks_like_another_is_not_there(roots, path):
    said = refusal(roots, "read_knowledge_file", file_path=path, knowledge_root_id="group")

    assert "has no knowledge/" in said


@pytest.mark.parametrize("name", ["user", "primary", "public", "../group"])
def test_an_unknown_root_is_told_with_the_known_ones(roots, name):
    said = refusal(roots, "read_knowledge_file", file_path="a.md", knowledge_root_id=name)

    assert said == f"Unknown knowledge_root_id '{name}'. Known: group, mine."


def test_what_is_no_text_is_listed_and_not_read(roots):
    listed = answer(roots, "list_knowledge_files", knowledge_root_id="group", subdir=".")["files"]

    assert [each["path"] for each in listed if each.get("readable") is False] == ["picture.png"]
    assert "cannot be read" in refusal(roots, "read_knowledge_file", file_path="picture.png", knowledge_root_id="group")


def test_files_of_a_folder_are_listed_in_slices(roots):
    found = answer(roots, "list_knowledge_files", knowledge_root_id="group", subdir="work", limit=1)

    assert ([each["path"] for each in found["files"]], found["total"], found["next_offset"]) == (
        ["work/org/scope-contour-map-v1.md"],
        2,
        1,
    )


def test_every_root_tells_how_it_stands(roots):
    found = answer(roots, "list_knowledge_roots")

    assert [
        (each["id"], each["primary"], each["read_only"], each["state"], each["files"]) for each in found["roots"]
    ] == [
        ("mine", True, False, "ok", 5),
        ("group", False, True, "ok", 8),
    ]
    assert (found["hints"], found["warnings"]) == (3, 0)


@pytest.mark.parametrize(
    ("given", "scope", "by", "folder"),
    [
        ({"token": "bz"}, "bazaar", "alias", "acme-shop"),
        ({"workspace_path": "/home/ann/code/shop"}, "bazaar", "workspace", "acme-shop"),
        ({"token": "attic"}, "attic", "asked", None),
        ({}, "example", "default", None),
    ],
)
def test_a_scope_is_resolved_and_says_by_which_map(roots, given, scope, by, folder):
    found = answer(roots, "resolve_scope", **given)

    assert (found["scope"], found["answered_by"], found["group_folder"]) == (scope, by, folder)


def test_nothing_writes_and_a_read_only_root_says_its_name(roots):
    told = open_roots(roots.layout.version(1)).told

    require_writable(told, "mine")
    with pytest.raises(ReadOnlyRoot, match="Knowledge root 'group' is read-only"):
        require_writable(told, "group")
    assert refusal(roots, "write_knowledge_file", file_path="a.md").startswith('no tool "write_knowledge_file"')


def test_without_roots_a_tool_says_how_to_name_them(site):
    site.publish(ATLAS)

    assert refusal(site, "list_knowledge_roots").startswith("no knowledge roots are configured")


def test_text_is_served_from_the_published_version_alone(roots, tmp_path):
    (tmp_path / "roots" / "group" / "knowledge" / "lines.md").write_text("changed", encoding="utf-8")

    assert (
        answer(roots, "read_knowledge_file", file_path="lines.md", knowledge_root_id="group")["text"]
        == "one\ntwo\nthree"
    )


def test_no_tool_changes_a_byte_of_a_root(roots, tmp_path):
    def trees() -> dict[str, bytes]:
        return {path.as_posix(): path.read_bytes() for path in (tmp_path / "roots").rglob("*") if path.is_file()}

    before = trees()
    answer(roots, "route_context", query="group smoke test")
    answer(roots, "read_knowledge_file", file_path="lines.md", knowledge_root_id="group")
    answer(roots, "list_knowledge_files", knowledge_root_id="group")
    answer(roots, "list_knowledge_roots")
    answer(roots, "resolve_scope", token="bz")

    assert len(before) == 14
    assert trees() == before
