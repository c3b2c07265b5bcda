"""The one screen that a person sees when `doit` is done (pure)."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline import roster_rows, text
from pipeline.model import RepositoryId, Roster, RosterEntry, SyncReading
from pipeline.versions import Difference

SHOWN = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """All that the last screen tells.  `returning` are those of `purged` that are still asked for;
    `doubt` says why bytes that nothing names could not be removed.
    """

    origin: str
    is_example: bool
    roster: Roster
    reading: SyncReading
    troubles: tuple[tuple[str, str], ...]
    projects: Difference
    version: int
    is_new: bool
    report: str
    registration: str
    purged: tuple[RepositoryId, ...] = ()
    returning: tuple[RepositoryId, ...] = ()
    doubt: str | None = None


def render_summary(summary: Summary) -> str:
    """Sentences of at most one screen: what was looked at, what changed, what is stale and why."""
    lines = [
        _headline(summary),
        *_changes(summary),
        *_stale(summary),
        *_failed(summary),
        *_gone(summary),
        *_purged(summary),
    ]
    state = "published" if summary.is_new else "nothing new, still"
    lines += [f"{state} version {summary.version}", f"report: {summary.report}", f"agents: {summary.registration}"]
    if summary.is_example:
        lines.append("this is the bundled example; write sources.toml to see your own: docs/configuration.md")
    return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class Histories:
    """What came of the histories that were not here: `waiting` counts those still to be brought, the failed ones too;
    `version` is that which shows more now, None when nothing new came.
    """

    brought: tuple[RepositoryId, ...]
    failed: tuple[tuple[RepositoryId, str], ...]
    waiting: int
    version: int | None


def render_histories(told: Histories) -> str:
    """The same in at most one screen; nothing when there is nothing to say."""
    rest = max(0, told.waiting - len(told.failed))
    lines = _listed("no past", [f"{who}: {text.line(why)}" for who, why in told.failed])
    if told.brought:
        lines.insert(0, f"history of {_count(len(told.brought), 'repository', 'repositories')}: {_some(told.brought)}")
    if rest:
        lines.append(f"  {_count(rest, 'history waits', 'histories wait')} for the next `doit`")
    if told.version is not None:
        lines.append(f"published version {told.version} with what came")
    return "".join(f"{line}\n" for line in lines)


def _headline(summary: Summary) -> str:
    count = _count(len(summary.roster.entries), "repository", "repositories")
    moment = f"{summary.reading.checked_at:%Y-%m-%d %H:%M} UTC"
    look = "offline, nothing was asked" if summary.reading.offline else f"looked at {moment}"
    return f"{count} from {summary.origin}, {look}"


def _changes(summary: Summary) -> list[str]:
    named = [("new", summary.projects.added), ("changed", summary.projects.changed), ("left", summary.projects.removed)]
    return [f"  {word:<8} {len(names):>4}  {_some(names)}" for word, names in named if names]


def _stale(summary: Summary) -> list[str]:
    """One line per reason: a forge that is away makes all of its repositories stale for the same one."""
    by_reason: dict[str, list[RosterEntry]] = {}
    for entry in summary.roster.entries:
        if entry.state == "unreachable":
            by_reason.setdefault(entry.reason or "no reason given", []).append(entry)
    lines = []
    for reason, entries in list(by_reason.items())[:SHOWN]:
        shown = _stale_row(entries[0]) if len(entries) == 1 else f"{text.line(reason)}: {_some(_names(entries))}"
        lines.append(f"  {'stale':<8} {len(entries):>4}  {shown}")
    rest = len(by_reason) - SHOWN
    return [*lines, f"    … and {rest} more reasons"] if rest > 0 else lines


def _names(entries: list[RosterEntry]) -> tuple[str, ...]:
    return tuple(entry.listing.repository for entry in entries)


def _failed(summary: Summary) -> list[str]:
    known = {entry.listing.repository for entry in summary.roster.entries if entry.state == "unreachable"}
    return _listed("failed", [f"{who}: {text.line(why)}" for who, why in summary.troubles if who not in known])


def _gone(summary: Summary) -> list[str]:
    return _listed("gone", [entry.listing.repository for entry in summary.roster.entries if entry.state == "gone"])


def _purged(summary: Summary) -> list[str]:
    lines = _listed("purged", list(summary.purged))
    comes = "comes again with the next look" if summary.reading.offline else "was brought anew"
    for name in summary.returning:
        told = f"{text.line(name)} is still asked for and {comes}; to keep it out: "
        lines.append(f'    {told}exclude = ["{text.line(name.split("/", 1)[1])}"] in its [[source]]')
    if summary.doubt:
        lines.append(f"  {'kept':<8}       bytes that nothing names: {text.line(summary.doubt)}")
    return lines


def _stale_row(entry: RosterEntry) -> str:
    last = roster_rows.last_revision(entry)
    shown = f"; showing {last.commit[:7]}" if last else "; never read yet"
    return f"{entry.listing.repository}: {text.line(entry.reason or 'no reason given')}{shown}"


def _listed(word: str, rows: list[str]) -> list[str]:
    lines = [f"  {word:<8} {len(rows):>4}"] if len(rows) > 1 else [f"  {word:<8} {len(rows):>4}  {row}" for row in rows]
    if len(rows) > 1:
        lines += [f"    {row}" for row in rows[:SHOWN]]
    return [*lines, f"    … and {len(rows) - SHOWN} more"] if len(rows) > SHOWN else lines


def _some(names: tuple[str, ...]) -> str:
    shown = ", ".join(text.line(name, 60) for name in names[:3])
    return f"{shown}, …" if len(names) > 3 else shown


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
