"""queue.sqlite: who waits for whom, and what a death of the hub leaves."""

from datetime import UTC, datetime

import pytest

from mcp_server.hub.queue import KEPT, Blob, Download, Queue
from pipeline.errors import ConfigError

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def file(name: str) -> Blob:
    return Blob(repository="local/team/atlas", oid="a" * 40, name=name)


@pytest.fixture
def queue(tmp_path):
    return Queue(tmp_path / "queue.sqlite", lambda: NOW)


def take(queue: Queue, count: int) -> list[str]:
    """Carry out so many packets; whose each was."""
    taken = []
    for _ in range(count):
        packet = queue.take()
        assert packet is not None
        taken.append(f"{packet.project}{packet.id}")
        queue.finish(packet.id)
    return taken


def test_syncs_are_carried_out_in_the_order_of_asking(queue):
    for project in ("A", "B", "C"):
        queue.put_sync(project)
    take(queue, 1)
    queue.put_sync("A")

    assert take(queue, 3) == ["B2", "C3", "A4"]
    assert queue.take() is None


def test_a_project_that_asks_for_much_waits_for_itself(queue):
    for number in range(4):
        queue.put_attachment("A", number, file("x"))
    take(queue, 1)
    queue.put_sync("B")
    queue.put_attachment("B", 9, file("y"))

    assert take(queue, 5) == ["B5", "A2", "B6", "A3", "A4"]


def test_a_project_that_was_served_long_ago_does_not_pass_one_that_asked_before(queue):
    queue.put_sync("A")
    take(queue, 1)
    queue.put_sync("A")
    queue.put_sync("B")

    assert take(queue, 2) == ["A2", "B3"]


def test_a_project_has_one_sync_that_waits_or_runs(queue):
    assert [queue.put_sync("A")[1], queue.put_sync("A")[1]] == [True, False]
    queue.take()
    assert queue.put_sync("A")[1] is False
    queue.finish(1)
    assert queue.put_sync("A")[1] is True


def test_an_attachment_is_waited_for_once_whoever_asks(queue):
    first, _ = queue.put_attachment("A", 7, file("x"))

    assert queue.put_attachment("B", 7, file("x")) == (first, False)


def test_what_ran_when_the_hub_died_runs_again_before_all_others(queue, tmp_path):
    for project in ("A", "B", "C"):
        queue.put_sync(project)
    take(queue, 1)
    queue.take()
    queue.put_sync("A")
    queue.close()

    assert take(Queue(tmp_path / "queue.sqlite", lambda: NOW), 3) == ["B2", "C3", "A4"]


def test_the_numbers_of_packets_go_on_after_a_restart(queue, tmp_path):
    queue.put_sync("A")
    take(queue, 1)
    queue.close()

    assert Queue(tmp_path / "queue.sqlite", lambda: NOW).put_sync("A")[0].id == 2


def test_a_packet_tells_how_it_ended(queue):
    queue.put_sync("A")
    queue.take()
    queue.finish(1, "no network")
    packet = queue.get(1)

    assert (packet.state, packet.finished_at, packet.error) == ("error", NOW, "no network")


def test_old_packets_are_forgotten(queue):
    queue.put_sync("A")
    take(queue, 1)
    queue._connection.execute("update sqlite_sequence set seq = ?", (KEPT,))
    queue.put_sync("A")

    assert queue.get(1) is None


def test_the_work_of_a_project_is_what_runs_else_what_is_next(queue):
    queue.put_attachment("A", 1, file("x"))
    queue.put_sync("A")
    assert queue.at_work("A").id == 1
    take(queue, 1)
    assert queue.at_work("A").id == 2
    assert queue.at_work("B") is None


def test_a_download_is_remembered_by_its_attachment(queue):
    queue.remember("7", Download(repository="local/a/b", oid="a" * 40, path="downloads/wiki-7/x"))
    queue.remember("7", Download(repository="local/a/b", oid="b" * 40, path="downloads/wiki-7/x"))

    assert queue.download("7").oid == "b" * 40
    assert queue.download("8") is None


@pytest.mark.parametrize(
    ("content", "told"), [(b"x" * 5000, "cannot be used"), (b"SQLite format 3\0" + b"\xff" * 5000, "cannot be used")]
)
def test_a_damaged_file_is_refused_with_what_to_do(tmp_path, content, told):
    (tmp_path / "queue.sqlite").write_bytes(content)

    with pytest.raises(ConfigError, match=f"{told}.*move it away"):
        Queue(tmp_path / "queue.sqlite", lambda: NOW)


def test_a_file_of_another_version_is_refused(queue, tmp_path):
    queue._connection.execute("pragma user_version = 7")
    queue.close()

    with pytest.raises(ConfigError, match="of another version of projects-meta"):
        Queue(tmp_path / "queue.sqlite", lambda: NOW)
