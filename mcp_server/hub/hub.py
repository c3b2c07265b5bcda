"""What the routes ask: everything of one running hub."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from mcp_server.hub.downloads import Shelf
from mcp_server.hub.errors import BadArgument
from mcp_server.hub.queue import Blob, Packet, Queue
from mcp_server.hub.registry import Registry
from mcp_server.hub.wikis import ProjectWiki, Wikis, check_code
from pipeline.catalog import Published, history
from pipeline.catalog.names import quoted
from pipeline.errors import NothingPublished

ONLINE = timedelta(minutes=10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hub:
    """One state folder and one build folder, open; `launcher` is how `doit` is run, in words."""

    registry: Registry
    queue: Queue
    shelf: Shelf
    published: Published
    wikis: Wikis
    launcher: str
    woken: threading.Event

    @property
    def now(self) -> Callable[[], datetime]:
        """The clock."""
        return self.published.now

    def wiki(self, label: str) -> ProjectWiki:
        """The wiki of a project as it is published now.

        Raises:
            NotFound: no such project, or its root is nowhere.
            BadArgument: the project has no root.
            CatalogError: nothing is published, or it cannot be read.
        """
        return self.wikis.open(self.registry.get(label))

    def check_root(self, code: str) -> str:
        """A root as it may be set.

        Raises:
            BadArgument: something is published, and no page of it has that code.
        """
        clean = check_code(code)
        try:
            catalog = self.wikis.catalog()
        except NothingPublished:
            return clean
        place = history.find_code(catalog, clean)
        if place is None or place.is_gone:
            raise BadArgument(
                f"wiki_root is {quoted(clean)}, which no page of a synced wiki has; sync first, or mend it"
            )
        return clean

    def sync(self, label: str) -> tuple[Packet, bool]:
        """Have a project synced; False when that is on its way already."""
        found = self.queue.put_sync(label)
        self.woken.set()
        return found

    def bring(self, label: str, attachment: int, file: Blob) -> Packet:
        """Have an attachment brought, unless that is on its way already."""
        packet, _ = self.queue.put_attachment(label, attachment, file)
        self.woken.set()
        return packet

    def published_at(self) -> datetime | None:
        """When the version that is published now was announced."""
        try:
            seconds = self.shelf.layout.current_json.stat().st_mtime
        except FileNotFoundError:
            return None
        return datetime.fromtimestamp(int(seconds), UTC)

    def is_online(self) -> bool:
        """Whether somebody carries packets out."""
        beaten = self.queue.heartbeat()
        return beaten is not None and self.now() - beaten < ONLINE
