"""The eleven tools: what each accepts, what must hold before it, what it asks the hub for.

What does not hold is answered with one sentence and without a request for the wiki.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any
from urllib.parse import quote

from mcp_server.arguments import Flag, Number, Text, Whole
from mcp_server.period import NoTime, find_period
from mcp_server.wiki import format as shown
from mcp_server.wiki.arguments import Argument, BadArguments
from mcp_server.wiki.client import Hub, HubTrouble
from mcp_server.wiki.format import Voice
from mcp_server.wiki.waiting import Timer, wait_until_ended
from mcp_server.wiki.words import Words

SYNC_LIMIT_S = 300
ATTACHMENT_LIMIT_S = 60
AUTHOR = "claude"
OFFSET_MAX = 10_000_000
YEARS_IN_HOURS = 24 * 366 * 100

Json = Mapping[str, Any]
Progress = Callable[[float, str], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One client's session: the hub, the project that it is bound to, and how it speaks.

    `finding` are the command-line words that find this hub, for a project's registration; `state` is the hub's state
    folder as this machine would have it.
    """

    hub: Hub
    label: str | None
    words: Words
    now: Callable[[], datetime]
    zone: tzinfo | None = None
    timer: Timer = field(default_factory=Timer)
    finding: tuple[str, ...] = ()
    state: Path | None = None

    def voice(self) -> Voice:
        """How answers are worded at this moment."""
        return Voice(words=self.words, now=self.now(), zone=self.zone)

    def bound(self) -> str:
        """The label of the project.

        Raises:
            Refused: there is none.
        """
        if self.label is None:
            raise Refused(self.words("gate.unbound"))
        return self.label

    async def project(self) -> Json:
        """The hub's record of the project.

        Raises:
            Refused: the session is not bound, or the hub does not know the label.
        """
        label = self.bound()
        for project in (await self.hub.get("/projects"))["items"]:
            if project["label"] == label:
                return dict(project)
        raise Refused(self.words("gate.unknown", label=label))

    async def rooted(self) -> str:
        """The label of a project that has a wiki root.

        Raises:
            Refused: it has none.
        """
        return str((await self._rooted())["label"])

    async def synced(self) -> str:
        """The label of a project whose wiki was brought.

        Raises:
            Refused: it has no root, or was never brought.
        """
        project = await self._rooted()
        if not (project["wiki"] or {}).get("synced_at"):
            raise Refused(self.words("gate.unsynced"))
        return str(project["label"])

    async def _rooted(self) -> Json:
        project = await self.project()
        if not project["wiki_root"]:
            raise Refused(self.words("gate.rootless", label=project["label"]))
        return project


class Refused(Exception):
    """Why a tool does not answer; the text is for the person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool; its description and the meanings of its arguments stand in the catalog.

    `changes` says whether it changes the hub's registry or queue; nothing changes a page.
    """

    name: str
    arguments: tuple[Argument, ...]
    answer: Callable[..., Awaitable[str]]
    changes: bool = False
    repeatable: bool = True


# --- projects ------------------------------------------------------------------------------------------


async def list_projects(session: Session, _: Progress) -> str:
    """All projects of the hub."""
    return shown.show_projects(session.voice(), await session.hub.get("/projects"), session.label)


async def create_project(session: Session, _: Progress, *, label: str, name: str, wiki_root: str | None) -> str:
    """Register a project."""
    made = await session.hub.send("POST", "/projects", label=label, name=name, wiki_root=wiki_root, author=AUTHOR)
    return shown.show_created(session.voice(), made, session.finding)


async def set_root(session: Session, _: Progress, *, root: str) -> str:
    """Give the session's project another root."""
    label = quote((await session.project())["label"], safe="")
    changed = await session.hub.send("PATCH", f"/projects/{label}", wiki_root=root)
    return shown.show_root(session.voice(), changed)


# --- reading -------------------------------------------------------------------------------------------


async def show_tree(session: Session, _: Progress, *, code: str | None, depth: int) -> str:
    """The tree below the root, or below a page."""
    label = await session.synced()
    return shown.show_tree(session.voice(), await session.hub.get("/wiki/tree", project=label, code=code, depth=depth))


async def read_page(session: Session, _: Progress, *, code: str | None, title: str | None, offset: int) -> str:
    """A page, or pages with a title close to the one asked for."""
    if (code is None) == (title is None):
        raise BadArguments(session.words("argument.one_page"))
    label = await session.synced()
    found = await session.hub.get("/wiki/page", project=label, code=code, title=title)
    if "candidates" in found:
        return shown.show_candidates(session.voice(), found)
    return shown.show_page(session.voice(), found, offset)


async def search(session: Session, _: Progress, *, query: str, limit: int) -> str:
    """Pages that hold every word."""
    label = await session.synced()
    return shown.show_search(
        session.voice(), await session.hub.get("/wiki/search", project=label, q=query, limit=limit)
    )


async def list_changes(
    session: Session, _: Progress, *, hours: float | None, since: str | None, until: str | None, author: str | None
) -> str:
    """Who changed which pages."""
    if hours is not None and since is not None:
        raise BadArguments(session.words("argument.one_period"))
    try:
        period = find_period(hours=hours, since=since, until=until, now=session.now(), zone=session.zone)
    except NoTime as trouble:
        raise BadArguments(session.words("argument.time", name=trouble.argument)) from None
    label = await session.synced()
    end = period.until.isoformat() if period.until else None
    found = await session.hub.get(
        "/wiki/changes", project=label, since=period.since.isoformat(), until=end, author=author
    )
    return shown.show_changes(session.voice(), found)


async def show_diff(session: Session, _: Progress, *, code: str, version: str | None, offset: int) -> str:
    """What one version changed; without `version` the last."""
    label = await session.synced()
    found = await session.hub.get("/wiki/diff", project=label, code=code, version=version)
    return shown.show_diff(session.voice(), found, offset)


async def show_status(session: Session, _: Progress) -> str:
    """How the wiki stands."""
    project = await session.project()
    return shown.show_status(session.voice(), await session.hub.get("/wiki/status", project=project["label"]))


# --- work ----------------------------------------------------------------------------------------------


async def fetch_attachment(session: Session, progress: Progress, *, id: str) -> str:
    """Bring a file that lies beside a page, and tell where its copy is."""
    label = await session.synced()
    path = f"/wiki/attachments/{quote(id, safe='')}"
    seen = await session.hub.send("POST", path, project=label)
    if seen["state"] != "done":
        seen = await wait_until_ended(
            session.timer,
            ATTACHMENT_LIMIT_S,
            lambda: session.hub.get(path, project=label),
            _teller(session, progress, id),
        )
    if seen["state"] == "done":
        return "\n".join(_copies(session, str(seen["path"])))
    if seen["state"] == "error":
        raise Refused(session.words("attachment.failed", error=seen["error"], id=id))
    return session.words("attachment.pending", id=id, state=shown.show_state(session.voice(), seen["state"]))


def _copies(session: Session, path: str) -> Sequence[str]:
    """The copy's path in the hub's state folder, and on this machine where it is the hub's."""
    here = session.state / path if session.state else None
    return [path, str(here)] if here is not None and here.is_file() else [path]


async def sync(session: Session, progress: Progress, *, wait: bool) -> str:
    """Bring the wiki up to date."""
    label = await session.rooted()
    packet = await session.hub.send("POST", "/wiki/sync", project=label)
    if not wait:
        return shown.show_packet(session.voice(), packet)
    number = packet["packet_id"]
    seen = await wait_until_ended(
        session.timer,
        SYNC_LIMIT_S,
        lambda: session.hub.get(f"/packets/{number}"),
        _teller(session, progress, number),
    )
    if seen["state"] == "done":
        status = await session.hub.get("/wiki/status", project=label)
        return session.words("sync.done", at=session.voice().minute(status["synced_at"]))
    if seen["state"] == "error":
        raise Refused(session.words("sync.failed", error=seen["error"]))
    return session.words("sync.late", seconds=SYNC_LIMIT_S, id=number)


def _teller(session: Session, progress: Progress, number: object) -> Callable[[float, Json], Awaitable[None]]:
    async def tell(passed_s: float, seen: Json) -> None:
        state = shown.show_state(session.voice(), seen["state"])
        await progress(passed_s, session.words("sync.waiting", id=number, state=state))

    return tell


TROUBLE = (BadArguments, HubTrouble, Refused)
OFFSET = Whole(name="offset", minimum=0, maximum=OFFSET_MAX, default=0)

TOOLS: tuple[Tool, ...] = (
    Tool(
        name="projects",
        arguments=(),
        answer=list_projects,
    ),
    Tool(
        name="project_create",
        arguments=(
            Text(name="label", required=True),
            Text(name="name", required=True),
            Text(name="wiki_root"),
        ),
        answer=create_project,
        changes=True,
        repeatable=False,
    ),
    Tool(
        name="root_set",
        arguments=(Text(name="root", required=True),),
        answer=set_root,
        changes=True,
    ),
    Tool(
        name="tree",
        arguments=(
            Text(name="code"),
            Whole(name="depth", minimum=1, maximum=100, default=2),
        ),
        answer=show_tree,
    ),
    Tool(
        name="page",
        arguments=(Text(name="code"), Text(name="title"), OFFSET),
        answer=read_page,
    ),
    Tool(
        name="search",
        arguments=(
            Text(name="query", required=True),
            Whole(name="limit", minimum=1, maximum=100, default=10),
        ),
        answer=search,
    ),
    Tool(
        name="changes",
        arguments=(
            Number(name="hours", maximum=YEARS_IN_HOURS),
            Text(name="since"),
            Text(name="until"),
            Text(name="author"),
        ),
        answer=list_changes,
    ),
    Tool(
        name="diff",
        arguments=(
            Text(name="code", required=True),
            Text(name="version"),
            OFFSET,
        ),
        answer=show_diff,
    ),
    Tool(
        name="attachment",
        arguments=(Text(name="id", required=True),),
        answer=fetch_attachment,
        changes=True,
    ),
    Tool(
        name="sync",
        arguments=(Flag(name="wait"),),
        answer=sync,
        changes=True,
    ),
    Tool(
        name="status",
        arguments=(),
        answer=show_status,
    ),
)
