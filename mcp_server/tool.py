"""What a tool is, and who asks the catalog for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mcp_types as wire

from mcp_server import results
from mcp_server.arguments import Argument, input_schema
from mcp_server.working_folder import domain_of
from pipeline.catalog import Catalog, Published
from pipeline.catalog.preferences import preferences
from pipeline.roots.published import PublishedRoots, open_roots

READ_ONLY = wire.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """All that a tool may read: the published version and, where it was given, the caller's folder."""

    published: Published
    cwd: Path | None = None

    def catalog(self) -> Catalog:
        """The newest published version.

        Raises:
            NothingPublished: there is none yet.
        """
        return self.published.catalog()

    def roots(self, catalog: Catalog) -> PublishedRoots:
        """The knowledge roots of the same version.

        Raises:
            CatalogError: it has none.
        """
        return catalog.once("knowledge roots", lambda: open_roots(self.published.folder(catalog)))

    def domain(self, catalog: Catalog) -> str:
        """The domain of the caller's folder, by its files; `unknown` when none was given."""
        return domain_of(self.cwd, preferences(catalog).domains)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One question that an agent can put.

    `ask` takes the reader and every argument by name, checked; `show` turns its answer into the text for
    clients that show only text; `title` is the dotted name, also understood in calls.
    """

    name: str
    title: str
    description: str
    arguments: tuple[Argument, ...]
    answer: type[results.Answer]
    ask: Callable[..., Any]
    show: Callable[[Any], str]

    def listed(self, *, dotted: bool) -> wire.Tool:
        """The tool as clients see it."""
        return wire.Tool(
            name=self.title if dotted else self.name,
            title=self.title,
            description=self.description,
            input_schema=input_schema(self.arguments),
            output_schema=results.output_schema(self.answer),
            annotations=READ_ONLY,
        )
