"""sync.log: what each run did, for the person who asks later; never over 1 MiB, the oldest runs go first."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from pipeline import text
from pipeline.files import append, read_bytes, read_tail, write_atomic
from pipeline.layout import Layout
from pipeline.model import RepositoryId
from pipeline.outcome import SyncOutcome

LIMIT_BYTES = 1 << 20
KEPT_BYTES = 1 << 19
FAILURES_TOLD = 50


def write_log(layout: Layout, now: datetime, outcome: SyncOutcome) -> None:
    """Add one run."""
    append(layout.sync_log, render_log(now, outcome).encode())
    tail = read_tail(layout.sync_log, LIMIT_BYTES + 1)
    if len(tail) > LIMIT_BYTES:
        write_atomic(layout.sync_log, tail[-KEPT_BYTES:].split(b"\n", 1)[1])


def forget_in_log(layout: Layout, repositories: Collection[RepositoryId]) -> None:
    """Take out every line that tells of one of these."""
    told = tuple(f"  {text.line(name)}: ".encode() for name in repositories)
    lines = (read_bytes(layout.sync_log) or b"").splitlines(keepends=True)
    kept = [line for line in lines if not line.startswith(told)]
    if len(kept) < len(lines):
        write_atomic(layout.sync_log, b"".join(kept))


def render_log(now: datetime, outcome: SyncOutcome) -> str:
    """One line of counts, then one line for each of the first 50 failures and every doubt."""
    head = (
        f"{now:%Y-%m-%dT%H:%M:%SZ} listed {outcome.listed}, probed {outcome.probed}, fetched {outcome.fetched} "
        f"({outcome.blobs} blobs, {outcome.blob_bytes} bytes), failed {len(outcome.failed)}, "
        f"removed {len(outcome.removed)}, renamed {len(outcome.renamed)}"
    )
    troubles = [f"  {text.line(who)}: {text.line(why)}" for who, why in outcome.failed[:FAILURES_TOLD]]
    if len(outcome.failed) > FAILURES_TOLD:
        troubles.append(f"  and {len(outcome.failed) - FAILURES_TOLD} more")
    doubts = [f"  {text.line(doubt)}" for doubt in outcome.doubts]
    return "\n".join([head, *troubles, *doubts]) + "\n"
