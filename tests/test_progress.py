import io
import threading
from dataclasses import dataclass

from pipeline import progress
from pipeline.model import RepositoryId
from pipeline.sync import SyncEvent

ANN = RepositoryId("local/ann/notes")


def shown(*events: SyncEvent) -> str:
    stream = io.StringIO()
    with progress.watching(stream) as watch:
        for event in events:
            watch(event)
    return stream.getvalue()


def test_without_a_terminal_progress_is_plain_lines():
    assert shown(
        SyncEvent(kind="listed", source="local", count=2),
        SyncEvent(kind="planned", source="local", count=2),
        SyncEvent(kind="probed", source="local", repository=ANN),
        SyncEvent(kind="fetched", source="local", repository=ANN),
        SyncEvent(kind="failed", source="local", repository=ANN, reason="HTTP 503 after 3 tries"),
    ) == (
        "local: 2 repositories listed\n"
        "local/ann/notes: HTTP 503 after 3 tries\n"
        "sync done: listed 2  probed 1/2  fetched 1  errors 1\n"
    )


def test_a_source_that_could_not_be_listed_is_not_said_to_have_no_repositories():
    assert shown(
        SyncEvent(kind="failed", source="git.example.org", reason="cannot connect: connection refused"),
        SyncEvent(kind="listed", source="git.example.org", count=0),
        SyncEvent(kind="listed", source="local", count=0),
        SyncEvent(kind="listed", source="team", count=1),
    ) == (
        "git.example.org: cannot connect: connection refused\n"
        "local: 0 repositories listed\n"
        "team: 1 repository listed\n"
        "sync done: listed 1  probed 0/0  fetched 0  errors 1\n"
    )


def test_made_artifacts_are_counted_in_one_line_without_a_terminal():
    stream = io.StringIO()
    parsing = progress.Parsing(stream)
    for _ in range(2):
        parsing.expect()
    parsing.step()
    parsing.end()

    assert stream.getvalue() == "parsed 1/2\n"


def test_nothing_is_said_when_nothing_had_to_be_made():
    stream = io.StringIO()
    progress.Parsing(stream).end()

    assert stream.getvalue() == ""


@dataclass
class Watch:
    """A clock that goes on by hand."""

    now_s: float = 1000.0

    def __call__(self) -> float:
        return self.now_s


def test_a_long_sync_tells_its_pace_every_ten_seconds_and_how_long_a_host_is_silent():
    stream, watch = io.StringIO(), Watch()
    plain = progress.Plain(stream, watch)
    plain.show(SyncEvent(kind="listed", source="local", count=300))
    plain.show(SyncEvent(kind="planned", source="local", count=300))
    watch.now_s += 9.9
    plain.show(SyncEvent(kind="probed", source="local", count=99))
    plain.tick()
    watch.now_s += 0.1
    plain.tick()
    watch.now_s += 12
    plain.tick()

    assert stream.getvalue() == (
        "local: 300 repositories listed\n"
        "listed 300  probed 99/300  fetched 0  9.9/s  about 20 s left\n"
        "listed 300  probed 99/300  fetched 0  201 left  no answer for 12 s\n"
    )


def test_every_five_hundredth_repository_is_a_line():
    stream = io.StringIO()
    plain = progress.Plain(stream, Watch())
    plain.show(SyncEvent(kind="planned", source="local", count=1200))
    plain.show(SyncEvent(kind="probed", source="local", count=499))
    plain.show(SyncEvent(kind="probed", source="local", repository=ANN))

    assert stream.getvalue() == "listed 0  probed 500/1,200  fetched 0\n"


def test_a_sync_that_is_silent_in_its_own_thread_still_tells_the_time(monkeypatch):
    monkeypatch.setattr(progress, "TICK_S", 0.001)
    told, stream, watch = threading.Event(), io.StringIO(), Watch()
    monkeypatch.setattr(stream, "flush", told.set)
    with progress.watching(stream, watch):
        watch.now_s += 60

        assert told.wait(timeout=30)
    assert stream.getvalue().splitlines()[0] == "listed 0  probed 0/0  fetched 0  no answer for 60 s"


def test_a_long_parsing_tells_its_pace_and_what_is_left():
    stream, watch = io.StringIO(), Watch()
    parsing = progress.Parsing(stream, expected=1000, parsed=498, monotonic=watch)
    parsing.step()
    watch.now_s += 4
    parsing.step()
    watch.now_s += 10
    parsing.step()
    parsing.end()

    assert stream.getvalue() == (
        "parsed 500/1,000  0.5/s  about 17 min left\nparsed 501/1,000  0.1/s  about 83 min left\nparsed 501/1,000\n"
    )


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_on_a_terminal_the_numbers_are_drawn_and_wiped():
    stream = Terminal()
    with progress.watching(stream) as watch:
        watch(SyncEvent(kind="listed", source="local", count=2))
        watch(SyncEvent(kind="failed", source="local", repository=ANN, reason="HTTP 503 after 3 tries"))
    parsing = progress.Parsing(stream)
    parsing.expect()
    parsing.step()
    parsing.end()

    assert "local/ann/notes: HTTP 503 after 3 tries" in stream.getvalue()
    assert "listed 2" in stream.getvalue()
    assert "parsed 1/1" in stream.getvalue()


def test_a_reason_cannot_forge_a_line_or_colour_the_terminal():
    found = shown(SyncEvent(kind="failed", source="local", reason="a\nall is well\x1b[2J"))

    assert found.splitlines()[0] == "local: a all is well[2J"
