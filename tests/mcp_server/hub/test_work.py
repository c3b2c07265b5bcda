"""POST /wiki/sync, packets, attachments and GET /wiki/status."""

import pytest

from mcp_server.hub.runner import Ended, Runner
from pipeline.blobs import BlobStore, blob_id
from pipeline.layout import Layout
from tests.fakes.wikis import PICTURE, Asked, refusal


def work(hub: Asked, status: int = 0, told: tuple[str, ...] = ()) -> None:
    """Carry out the packet whose turn it is, as a process that ends with `status` would have."""
    opened = hub.opened
    assert Runner(
        opened.hub.queue, lambda *_: Ended(status, told), opened.hub.shelf, opened.pace, opened.hub.wikis.renew
    ).step()


def picture(hub: Asked) -> int:
    """The id of the picture that lies in the folder of DOC-3."""
    (file,) = hub.get("/wiki/page", project="A", code="DOC-3")["attachments"]
    assert file["size"] == len(PICTURE)
    return int(file["id"])


def bring(hub: Asked) -> None:
    """What `fetch-blob` does."""
    assert BlobStore(hub.opened.hub.shelf.layout).add(blob_id(PICTURE), PICTURE)


# --- syncs


def test_a_sync_that_is_asked_for_twice_is_one_packet(hub: Asked):
    hub.add("A", "DOC-3")
    work(hub)
    first, second = hub.post("/wiki/sync", project="A"), hub.post("/wiki/sync", project="A")

    assert (first.status_code, first.json()) == (202, {"packet_id": 2, "created": True})
    assert (second.status_code, second.json()) == (200, {"packet_id": 2, "created": False})


def test_a_sync_without_a_root_is_refused(hub: Asked):
    hub.add("A", None)

    assert refusal(hub.post("/wiki/sync", project="A"))[0] == 422


@pytest.mark.parametrize("body", [{}, {"project": "B"}, {"project": 1}, {"project": "A", "force": True}, []])
def test_a_sync_of_no_project_queues_nothing(hub: Asked, body):
    hub.add("A", "DOC-3")
    work(hub)

    assert refusal(hub.client.post("/wiki/sync", json=body))[0] in (404, 422)
    assert hub.get("/wiki/status", project="A")["packet"] is None


def test_a_packet_tells_when_it_was_done(hub: Asked):
    hub.add("A", "DOC-3")
    work(hub)

    assert hub.get("/packets/1") == {"id": 1, "state": "done", "finished_at": "2026-11-30T14:05:00Z", "error": None}


def test_a_packet_that_failed_tells_the_last_thing_that_was_said(hub: Asked):
    hub.add("A", "DOC-3")
    work(hub, 1, ("TaskFailed: sync", "nothing could be read: local: the folder is not there\n", "\n"))
    told = "the run ended with status 1: nothing could be read: local: the folder is not there"

    assert hub.get("/packets/1")["error"] == told
    assert hub.get("/wiki/status", project="A")["error"] == told


@pytest.mark.parametrize("number", ["2", "0", "9" * 19, "9" * 400])
def test_a_packet_that_never_was_is_not_found(hub: Asked, number):
    hub.add("A", "DOC-3")

    assert hub.refused(f"/packets/{number}")[0] == 404


@pytest.mark.parametrize("number", ["x", "-1", "1.5", "1e3", "%20", "9" * 5000])
def test_what_is_no_number_is_no_packet(hub: Asked, number):
    assert hub.refused(f"/packets/{number}")[0] in (404, 422)


# --- attachments


def test_an_attachment_is_brought_once_and_then_given_at_once(hub: Asked):
    hub.add("A", "DOC-3")
    number = picture(hub)
    asked = {"id": number, "name": "pic.png", "state": "absent", "path": None, "error": None}
    assert hub.get(f"/wiki/attachments/{number}", project="A") == asked

    queued = hub.post(f"/wiki/attachments/{number}", project="A")
    again = hub.post(f"/wiki/attachments/{number}", project="A")
    assert (queued.status_code, queued.json()) == (202, {**asked, "state": "queued"})
    assert (again.status_code, again.json()) == (202, {**asked, "state": "queued"})

    work(hub)
    bring(hub)
    work(hub)
    path = f"downloads/wiki-{number}/pic.png"
    done = {**asked, "state": "done", "path": path}
    assert hub.get(f"/wiki/attachments/{number}", project="A") == done
    assert (hub.state / path).read_bytes() == PICTURE
    assert hub.post(f"/wiki/attachments/{number}", project="A").status_code == 200


def test_an_attachment_that_could_not_be_brought_says_why_and_may_be_asked_for_again(hub: Asked):
    hub.add("A", "DOC-3")
    number = picture(hub)
    hub.post(f"/wiki/attachments/{number}", project="A")
    work(hub)
    work(hub, 2, ("local/team/atlas: the clone has not this file\n",))

    found = hub.get(f"/wiki/attachments/{number}", project="A")
    assert (found["state"], found["error"]) == (
        "error", "the run ended with status 2: local/team/atlas: the clone has not this file"
    )  # fmt: skip
    assert hub.post(f"/wiki/attachments/{number}", project="A").json()["state"] == "queued"


def test_a_copy_that_somebody_removed_is_brought_anew(hub: Asked):
    hub.add("A", "DOC-3")
    number = picture(hub)
    hub.post(f"/wiki/attachments/{number}", project="A")
    bring(hub)
    work(hub)
    work(hub)
    (hub.state / f"downloads/wiki-{number}/pic.png").unlink()

    assert hub.get(f"/wiki/attachments/{number}", project="A")["state"] == "absent"
    assert hub.post(f"/wiki/attachments/{number}", project="A").status_code == 202


def test_an_attachment_of_another_projects_wiki_is_not_found(hub: Asked):
    hub.add("A", "DOC-3")
    hub.add("B", "DOC-21")
    hub.add("D", "DOC-5")
    number = picture(hub)

    assert hub.refused(f"/wiki/attachments/{number}", project="B")[0] == 404
    assert hub.refused(f"/wiki/attachments/{number}", project="D")[0] == 404
    assert refusal(hub.post(f"/wiki/attachments/{number}", project="B"))[0] == 404


@pytest.mark.parametrize("number", ["1", "0", "9" * 20, "9" * 300])
def test_an_attachment_that_is_not_there_is_not_found(hub: Asked, number):
    hub.add("A", "DOC-3")

    assert hub.refused(f"/wiki/attachments/{number}", project="A")[0] == 404
    assert refusal(hub.post(f"/wiki/attachments/{number}", project="A"))[0] == 404


# --- status


def test_a_status_tells_root_ages_work_and_the_pipeline(hub: Asked):
    hub.add("A", "DOC-1")
    hub.opened.hub.queue.beat()
    answer = hub.get("/wiki/status", project="A")
    published = answer["agent"].pop("published")

    assert published["version"] == 1
    assert [(one["kind"], one["code"], one["parent"]) for one in answer.pop("diagnostics")] == [
        ("cycle", "DOC-11", "DOC-12"), ("cycle", "DOC-12", "DOC-11"), ("orphan", "DOC-13", "DOC-404")
    ]  # fmt: skip
    assert answer == {
        "wiki_root": "DOC-1",
        "root_name": "Атлас",
        "synced_at": "2026-11-30T11:00:00Z",
        "history_at": "2026-11-30T11:00:00Z",
        "error": None,
        "packet": {"id": 1, "kind": "sync", "state": "queued"},
        "agent": {
            "online": True,
            "heartbeat_at": "2026-11-30T14:05:00Z",
            "version": "0.1.0",
            "update": None,
            "launcher": "python -m doit",
        },
    }


def test_a_pipeline_that_was_silent_for_ten_minutes_is_offline(hub: Asked, monkeypatch):
    hub.add("A", None)
    hub.opened.hub.queue.beat()
    monkeypatch.setenv("PROJECTS_META_NOW", "2026-11-30T14:14:59Z")
    assert hub.get("/wiki/status", project="A")["agent"]["online"] is True

    monkeypatch.setenv("PROJECTS_META_NOW", "2026-11-30T14:15:00Z")
    assert hub.get("/wiki/status", project="A")["agent"]["online"] is False


def test_a_status_before_the_first_sync_knows_nothing_and_says_so(empty_hub: Asked):
    empty_hub.add("A", "DOC-3")
    answer = empty_hub.get("/wiki/status", project="A")

    assert (answer["root_name"], answer["synced_at"], answer["history_at"]) == (None, None, None)
    assert (answer["agent"]["published"], answer["agent"]["online"]) == (None, False)


def test_a_version_of_another_schema_asks_for_an_update(hub: Asked):
    hub.add("A", "DOC-3")
    layout: Layout = hub.opened.hub.shelf.layout
    layout.current_json.write_bytes(b'{"schema_version": 999, "version": 1}')

    assert "run `doit` with the version" in hub.get("/wiki/status", project="A")["agent"]["update"]
    assert hub.refused("/wiki/tree", project="A")[0] == 503
