"""How a project stands: its wiki, its work, and the pipeline behind both."""

from __future__ import annotations

from itertools import islice

from mcp_server.hub.hub import Hub
from mcp_server.hub.registry import Binding
from mcp_server.hub.shapes import Agent, PacketAtWork, Publication, Remark, Status
from mcp_server.hub.wikis import ProjectWiki
from pipeline import __version__
from pipeline.catalog import Catalog
from pipeline.errors import CatalogError, NothingPublished

MOST_REMARKS = 100


def read_status(hub: Hub, binding: Binding) -> Status:
    """Everything about one project; what is not known yet is null."""
    catalog, update = _published(hub)
    (wiki,) = hub.wikis.find([binding])
    packet = hub.queue.at_work(binding.label)
    return Status(
        wiki_root=binding.wiki_root,
        root_name=wiki.wiki.tree.pages[wiki.top].title if wiki else None,
        synced_at=wiki.synced_at if wiki else None,
        history_at=wiki.history_at if wiki else None,
        error=_error(hub, binding, wiki),
        packet=PacketAtWork(id=packet.id, kind=packet.kind, state=packet.state) if packet else None,
        agent=_agent(hub, catalog, update),
        diagnostics=_remarks(wiki) if wiki else [],
    )


def _published(hub: Hub) -> tuple[Catalog | None, str | None]:
    """The version that is published now, or why it cannot be read."""
    try:
        return hub.wikis.catalog(), None
    except NothingPublished:
        return None, None
    except CatalogError as error:
        return None, str(error)


def _error(hub: Hub, binding: Binding, wiki: ProjectWiki | None) -> str | None:
    """Why the last sync failed, else why the repository could not be looked at."""
    last = hub.queue.last("sync", binding.label)
    if last is not None and last.error is not None:
        return last.error
    return wiki.row.reason if wiki and wiki.row.state == "unreachable" else None


def _agent(hub: Hub, catalog: Catalog | None, update: str | None) -> Agent:
    return Agent(
        online=hub.is_online(),
        heartbeat_at=hub.queue.heartbeat(),
        version=__version__,
        published=None if catalog is None else Publication(version=catalog.store.version, at=hub.published_at()),
        update=update,
        launcher=hub.launcher,
    )


def _remarks(wiki: ProjectWiki) -> list[Remark]:
    found = (trouble for trouble in wiki.wiki.tree.troubles if trouble.slug in wiki.slugs)
    pages = wiki.wiki.tree.pages
    return [
        Remark(kind=one.kind, code=pages[one.slug].code, name=pages[one.slug].title, parent=one.parent)
        for one in islice(found, MOST_REMARKS)
    ]
