"""GET, POST and PATCH /projects."""

import pytest

from tests.fakes.wikis import Asked, refusal


def test_a_hub_begins_without_a_project(empty_hub: Asked):
    assert empty_hub.get("/projects") == {"items": []}


def test_a_new_project_with_a_root_is_synced_at_once(hub: Asked):
    assert hub.add("AWPCA", "DOC-3") == {
        "label": "AWPCA",
        "name": "Project AWPCA",
        "wiki_root": "DOC-3",
        "author": "claude",
        "packet_id": 1,
    }
    assert hub.get("/packets/1")["state"] == "queued"


def test_a_new_project_without_a_root_has_nothing_to_sync(hub: Asked):
    made = hub.add("sfm_kedr", None)

    assert (made["wiki_root"], made["packet_id"]) == (None, None)


def test_a_list_tells_how_much_of_each_wiki_is_here(hub: Asked):
    hub.add("b", "DOC-21")
    hub.add("a", "DOC-3")
    hub.add("c", None)

    assert hub.get("/projects")["items"] == [
        {
            "label": "a",
            "name": "Project a",
            "wiki_root": "DOC-3",
            "wiki": {"pages": 4, "synced_at": "2026-11-30T11:00:00Z", "history_at": "2026-11-30T11:00:00Z"},
        },
        {
            "label": "b",
            "name": "Project b",
            "wiki_root": "DOC-21",
            "wiki": {"pages": 2, "synced_at": "2026-11-30T11:00:00Z", "history_at": None},
        },
        {
            "label": "c",
            "name": "Project c",
            "wiki_root": None,
            "wiki": {"pages": 0, "synced_at": None, "history_at": None},
        },
    ]


def test_a_label_is_taken_once(hub: Asked):
    hub.add("A")
    status, detail = refusal(hub.post("/projects", label="A", name="B", author="x"))

    assert (status, detail) == (409, "the label A is taken; choose another, or PATCH /projects/<label>")


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({"name": "n", "author": "a"}, "label is missing"),
        ({"label": "a b", "name": "n", "author": "a"}, "label: "),
        ({"label": "", "name": "n", "author": "a"}, "label: "),
        ({"label": "x" * 41, "name": "n", "author": "a"}, "label: "),
        ({"label": "x\n", "name": "n", "author": "a"}, "label: "),
        ({"label": "я", "name": "n", "author": "a"}, "label: "),
        ({"label": 7, "name": "n", "author": "a"}, "label is not a text"),
        ({"label": "x", "name": "", "author": "a"}, "name: "),
        ({"label": "x", "name": "\u200b\n", "author": "a"}, "name: nothing of it can be seen"),
        ({"label": "x", "name": "n" * 201, "author": "a"}, "name: "),
        ({"label": "x", "name": "n"}, "author is missing"),
        ({"label": "x", "name": "n", "author": "a", "root": "DOC-3"}, "root is not known here"),
        ({"label": "x", "name": "n", "author": "a", "wiki_root": "DOC-404"}, 'wiki_root is "DOC-404", which no page'),
        ({"label": "x", "name": "n", "author": "a", "wiki_root": "DOC-9"}, 'wiki_root is "DOC-9", which no page'),
        ({"label": "x", "name": "n", "author": "a", "wiki_root": 3}, "wiki_root is not a text"),
    ],
)
def test_a_new_project_says_what_is_wrong_with_it(hub: Asked, body, detail):
    status, told = refusal(hub.client.post("/projects", json=body))

    assert status == 422
    assert told.startswith(detail)
    assert hub.get("/projects") == {"items": []}


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"null", b'"x"', b"\xff", b'{"label": "\\ud800"}', b"[" * 60_000])
def test_a_body_that_is_no_json_object_is_refused(hub: Asked, raw):
    answer = hub.client.post("/projects", content=raw, headers={"content-type": "application/json"})

    assert refusal(answer)[0] == 422


def test_a_body_over_64_kib_is_refused_before_it_is_read(hub: Asked):
    answer = hub.client.post("/projects", content=b" " * (64 * 1024 + 1))

    assert refusal(answer) == (413, "the body is larger than 64 KiB")


def test_names_are_kept_on_one_line(hub: Asked):
    made = hub.post("/projects", label="x", name="Статусы\r\nпуть:\u2028поддельный\u0085", author="a\vb\tc")

    assert (made.json()["name"], made.json()["author"]) == ("Статусы путь: поддельный", "a b c")


def test_before_the_first_sync_any_root_is_believed(empty_hub: Asked):
    assert empty_hub.add("A", "DOC-101252")["wiki_root"] == "DOC-101252"


def test_another_root_is_remembered_and_synced(hub: Asked):
    hub.add("A", None)
    changed = hub.client.patch("/projects/A", json={"wiki_root": " DOC-33 "})

    assert changed.json() == {
        "label": "A", "name": "Project A", "wiki_root": "DOC-33", "author": "claude", "packet_id": 1
    }  # fmt: skip
    assert hub.get("/wiki/status", project="A")["root_name"] == "Статусы"


@pytest.mark.parametrize("body", [{}, {"wiki_root": None}, {"wiki_root": ""}, {"wiki_root": "DOC-404"}, {"name": "x"}])
def test_a_root_that_no_page_has_changes_nothing(hub: Asked, body):
    hub.add("A", "DOC-3")

    assert refusal(hub.client.patch("/projects/A", json=body))[0] == 422
    assert hub.get("/projects")["items"][0]["wiki_root"] == "DOC-3"


@pytest.mark.parametrize("label", ["B", "a", "..", "%2e%2e%2f", "A%00", "x" * 100])
def test_a_label_that_is_not_known_has_no_root(hub: Asked, label):
    hub.add("A")

    assert refusal(hub.client.patch(f"/projects/{label}", json={"wiki_root": "DOC-3"}))[0] in (404, 405)


def test_projects_outlive_the_hub(hub: Asked):
    hub.add("A", "DOC-3")

    assert (hub.state / "projects.toml").read_text(encoding="utf-8") == (
        "# Projects of sdlc-hub.  Stop the hub before you edit this.\n"
        '\n[[project]]\nlabel = "A"\nname = "Project A"\nwiki_root = "DOC-3"\nauthor = "claude"\n'
    )
