import io

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


def test_a_reason_cannot_forge_a_line_or_colour_the_terminal():
    found = shown(SyncEvent(kind="failed", source="local", reason="a\nall is well\x1b[2J"))

    assert found.splitlines()[0] == "local: a all is well[2J"
