"""The primary root's hot file: its sections, and which are read first.  Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pipeline.model.roots import HotFile, HotSection, Section
from pipeline.roots.sections import first_ids, manifest_path, read_sections


@dataclass(frozen=True, slots=True, kw_only=True)
class Hot:
    """The sections with their text, and what an artifact says of them."""

    sections: tuple[Section, ...]
    file: HotFile


def read_hot(written: str | None, text_of: Callable[[str], str | None]) -> Hot:
    """Read the hot file; `text_of` gives a text below knowledge/, None where there is none."""
    if written is None:
        return Hot(sections=(), file=HotFile())
    sections = read_sections(written)
    by_id = {section.id: section.content for section in sections}
    manifest = manifest_path(by_id).replace("\\", "/").removeprefix("./").removeprefix("knowledge/")
    listed = tuple(HotSection(id=each.id, line=each.line, letters=len(each.content)) for each in sections)
    return Hot(
        sections=sections,
        file=HotFile(is_there=True, sections=listed, first=first_ids(by_id, text_of(manifest))),
    )
