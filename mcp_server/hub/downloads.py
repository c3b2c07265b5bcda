"""Attachments that were brought: one file each, `downloads/wiki-<id>/<name>` below the state folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mcp_server.hub.queue import Download, Packet, Queue
from pipeline import files
from pipeline.layout import Layout, download_name

FOLDER = "downloads"
LARGEST_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where the downloads of one state folder lie; `layout` is that of the build whose blobs they are."""

    root: Path
    layout: Layout
    queue: Queue

    def path(self, attachment: str, name: str) -> str:
        """The place of an attachment, relative to the state folder, as POSIX has it."""
        return f"{FOLDER}/wiki-{attachment}/{download_name(name)}"

    def find(self, attachment: int, repository: str, oid: str) -> str | None:
        """Where these very bytes lie; None when they were not brought, or somebody removed them."""
        known = self.queue.download(str(attachment))
        if known is None or (known.repository, known.oid) != (repository, oid):
            return None
        return known.path if (self.root / known.path).is_file() else None

    def place(self, packet: Packet) -> None:
        """Give the blob that a packet brought its name for people.

        Raises:
            OSError: the disk refused, or the blob is not there.
        """
        path = self.path(packet.subject, packet.name)
        files.link_over(self.layout.blob(packet.oid), self.root / path)
        self.queue.remember(packet.subject, Download(repository=packet.repository, oid=packet.oid, path=path))
