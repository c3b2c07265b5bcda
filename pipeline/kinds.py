"""The configuration of a folder, with every row checked by its kind of source."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from pipeline import config
from pipeline.layout import Layout
from pipeline.model import Config, PageAddress, SourceConfig
from pipeline.sources import SOURCES

EXAMPLE_DEPTH = 2


def load_config(folder: Path, layout: Layout) -> Config:
    """What is configured in `folder`, where dodo.py lies; the bundled example where nothing is.

    Raises:
        ConfigError: every mistake at once.
    """
    kinds = {name: source.SETTINGS for name, source in SOURCES.items()}
    defaults = {setting.name: setting.default for setting in SOURCES["folder"].SETTINGS}
    settings = {**defaults, "path": str(layout.example), "depth": EXAMPLE_DEPTH}
    found = config.load(folder, kinds, SourceConfig(kind="folder", name="example", settings=settings))
    return replace(found, page_addresses=tuple(_page_addresses(found)))


def _page_addresses(found: Config) -> Iterator[PageAddress]:
    for row in found.sources:
        pattern = SOURCES[row.kind].page_address(row)
        if pattern is not None:
            yield PageAddress(source=row.name, pattern=pattern)
