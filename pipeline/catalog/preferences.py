"""What a person set for those who ask: further domains, further words of platforms and tools."""

from __future__ import annotations

from pipeline import codec
from pipeline.catalog import Catalog
from pipeline.model import Preferences


def preferences(catalog: Catalog) -> Preferences:
    """The configuration's `domains` and `promote_words`, as they were when this version was made."""
    written = catalog.query("select value from meta where key = 'preferences' and value is not null", {}, str)
    return codec.load(Preferences, written[0].encode(), "the catalog's preferences") if written else Preferences()
