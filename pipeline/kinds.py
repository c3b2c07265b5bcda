"""The configuration of a folder, with every row checked by its kind of source."""

from __future__ import annotations

from pathlib import Path

from pipeline import config
from pipeline.layout import Layout
from pipeline.model import Config, SourceConfig
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
    return config.load(folder, kinds, SourceConfig(kind="folder", name="example", settings=settings))
