"""Work that is asked for and how it stands: syncs, attachments, packets, the whole."""

from __future__ import annotations

from fastapi import APIRouter, Response

from mcp_server.hub.downloads import LARGEST_BYTES
from mcp_server.hub.errors import BadArgument, NotFound
from mcp_server.hub.hub import Hub
from mcp_server.hub.parameters import HubHere, Number, Project
from mcp_server.hub.queue import Blob
from mcp_server.hub.shapes import Attachment, ForProject, PacketRow, Queued, Status, Trouble
from mcp_server.hub.standing import read_status
from mcp_server.hub.wikis import ProjectWiki
from pipeline.catalog.names import quoted
from pipeline.catalog.wiki_tree import WikiFile

router = APIRouter(tags=["work"], responses={404: {"model": Trouble}})


@router.post("/wiki/sync", status_code=202, responses={200: {"model": Queued}})
def sync(hub: HubHere, asked: ForProject, response: Response) -> Queued:
    """Have the project's wiki synced; one that waits or runs already is joined (200)."""
    binding = hub.registry.get(asked.project)
    if binding.wiki_root is None:
        raise BadArgument(f"project {binding.label} has no wiki root; PATCH /projects/{binding.label} sets one")
    packet, created = hub.sync(binding.label)
    response.status_code = 202 if created else 200
    return Queued(packet_id=packet.id, created=created)


@router.get("/packets/{packet_id}")
def read_packet(hub: HubHere, packet_id: Number) -> PacketRow:
    """How one piece of work stands."""
    packet = hub.queue.get(packet_id)
    if packet is None:
        raise NotFound(f"no packet {quoted(str(packet_id))}")
    return PacketRow(id=packet.id, state=packet.state, finished_at=packet.finished_at, error=packet.error)


@router.post("/wiki/attachments/{attachment_id}", status_code=202, responses={200: {"model": Attachment}})
def bring_attachment(hub: HubHere, attachment_id: Number, asked: ForProject, response: Response) -> Attachment:
    """Have a copy of an attachment brought; one that is here already is answered (200)."""
    here = hub.wiki(asked.project)
    file = _file(here, attachment_id)
    if hub.shelf.find(file.id, here.wiki.project, file.oid) is not None:
        response.status_code = 200
        return _attachment(hub, here, file)
    if file.size_bytes > LARGEST_BYTES:
        raise BadArgument(f"{quoted(file.name)} is larger than {LARGEST_BYTES >> 20} MiB; it is not brought")
    blob = Blob(repository=here.wiki.project, oid=file.oid, name=file.name)
    hub.bring(here.binding.label, file.id, blob)
    return _attachment(hub, here, file)


@router.get("/wiki/attachments/{attachment_id}")
def read_attachment(hub: HubHere, project: Project, attachment_id: Number) -> Attachment:
    """How the copy of an attachment stands."""
    here = hub.wiki(project)
    return _attachment(hub, here, _file(here, attachment_id))


@router.get("/wiki/status")
def status(hub: HubHere, project: Project) -> Status:
    """How a project stands, and who carries packets out."""
    return read_status(hub, hub.registry.get(project))


def _file(here: ProjectWiki, number: int) -> WikiFile:
    file = here.wiki.files.get(number)
    if file is None or file.page not in here.slugs:
        raise NotFound(f"no attachment {quoted(str(number))} in the wiki of project {here.binding.label}")
    return file


def _attachment(hub: Hub, here: ProjectWiki, file: WikiFile) -> Attachment:
    path = hub.shelf.find(file.id, here.wiki.project, file.oid)
    if path is not None:
        return Attachment(id=file.id, name=file.name, state="done", path=path, error=None)
    packet = hub.queue.last("attachment", str(file.id))
    if packet is None or packet.oid != file.oid or packet.state == "done":
        return Attachment(id=file.id, name=file.name, state="absent", path=None, error=None)
    return Attachment(id=file.id, name=file.name, state=packet.state, path=None, error=packet.error)
