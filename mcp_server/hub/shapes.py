"""What goes over the wire.  Times have an offset; sizes of pages are letters, those of attachments bytes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from mcp_server.hub.queue import Kind, PacketState
from pipeline.text import line

Label = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,40}$", description="1 to 40 of A-Z a-z 0-9 _ -")]
AttachmentState = Literal["absent", "queued", "running", "done", "error"]


def _one_line(value: str) -> str:
    """Text of one line.

    Raises:
        ValueError: nothing of it can be seen.
    """
    clean = line(value)
    if not clean:
        raise ValueError("nothing of it can be seen; expected a text of one line")
    return clean


Text = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_one_line)]


class Body(BaseModel):
    """A request's body; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NewProject(Body):
    """A project to be made; `author` is who makes it."""

    label: Label
    name: Text
    wiki_root: Text | None = None
    author: Text


class NewRoot(Body):
    """The page under which a project's wiki lies from now on."""

    wiki_root: Text


class ForProject(Body):
    """The project that something is asked for."""

    project: Label


@dataclass(frozen=True, slots=True, kw_only=True)
class WikiFacts:
    """How much of a project's wiki there is, and how old it is."""

    pages: int
    synced_at: datetime | None
    history_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectItem:
    """One project in the list."""

    label: str
    name: str
    wiki_root: str | None
    wiki: WikiFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class Projects:
    """Every project, by label."""

    items: list[ProjectItem]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectMade:
    """A project after a change; `packet_id` is the sync that follows it, null without a root."""

    label: str
    name: str
    wiki_root: str | None
    author: str
    packet_id: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A page in a tree; `size` in letters, `depth` 0 for the start."""

    code: str
    name: str
    size: int
    depth: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeNodes:
    """Pages, parents first; how many pages of the project name a parent in a circle, or one that is not there."""

    nodes: list[Node]
    cycles: int
    orphans: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachmentItem:
    """A file that belongs to a page; `size` in bytes."""

    id: int
    name: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page: `markdown` without its front matter; what is not known yet is null."""

    code: str
    name: str
    path: str
    url: str | None
    synced_at: datetime | None
    modified_at: datetime | None
    modified_by: str | None
    versions: int | None
    history_at: datetime | None
    attachments: list[AttachmentItem]
    markdown: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageName:
    """A page that may be meant."""

    code: str
    name: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """At most ten pages that a title may mean, nearest first."""

    candidates: list[PageName]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A page that was found, and where the words stand."""

    code: str
    name: str
    path: str
    snippet: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    """Best first."""

    items: list[Hit]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One version of one page; lines are null where a text is not here."""

    page_code: str
    page_name: str
    path: str
    version: str
    at: datetime
    authored_at: datetime
    author: str
    added: int | None
    removed: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Newest first, at most 500."""

    since: datetime
    until: datetime
    synced_at: datetime | None
    history_at: datetime | None
    truncated: bool
    items: list[Change]


@dataclass(frozen=True, slots=True, kw_only=True)
class Previous:
    """The version before."""

    version: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """Version `n` of `m` of a page, and git's unified diff of the whole file."""

    code: str
    name: str
    path: str
    version: str
    n: int
    m: int
    author: str
    at: datetime
    authored_at: datetime
    added: int | None
    removed: int | None
    previous: Previous | None
    diff: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Queued:
    """The packet that will do it, and whether it was made for this."""

    packet_id: int
    created: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PacketRow:
    """How one piece of work stands."""

    id: int
    state: PacketState
    finished_at: datetime | None
    error: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PacketAtWork:
    """The piece of work that runs for a project, or is the next to."""

    id: int
    kind: Kind
    state: PacketState


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file of a wiki; `path` is where its copy lies below the hub's state folder, once it is done."""

    id: int
    name: str
    state: AttachmentState
    path: str | None
    error: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """The version that is published, and since when."""

    version: int
    at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """Who carries packets out.  `update` says what is to be updated, null when nothing is."""

    online: bool
    heartbeat_at: datetime | None
    version: str
    published: Publication | None
    update: str | None
    launcher: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A page whose front matter names a parent that is not there (orphan), or leads back to itself (cycle)."""

    kind: Literal["cycle", "orphan"]
    code: str
    name: str
    parent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """How a project stands; at most 100 diagnostics."""

    wiki_root: str | None
    root_name: str | None
    synced_at: datetime | None
    history_at: datetime | None
    error: str | None
    packet: PacketAtWork | None
    agent: Agent
    diagnostics: list[Remark]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """Why there is no answer."""

    detail: str
