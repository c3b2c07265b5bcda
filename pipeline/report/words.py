"""What the report says inside of a repository's text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.messages import Language, Messages

ALERTS = ("note", "tip", "important", "warning", "caution")


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Words in the report's own language; `alerts` by what Markdown calls them."""

    language: Language
    dead: str
    image: str
    file: str
    table: str
    done: str
    not_done: str
    heading: str
    notes: str
    back: str
    alerts: Mapping[str, str]


def words_of(messages: Messages) -> Words:
    """The words of one language."""
    said = messages.text
    return Words(
        language=messages.language,
        dead=said("text.dead"),
        image=said("text.image"),
        file=said("text.file"),
        table=said("text.table"),
        done=said("text.done"),
        not_done=said("text.not_done"),
        heading=said("text.heading"),
        notes=said("text.notes"),
        back=said("text.back"),
        alerts={name: said(f"text.{name}") for name in ALERTS},
    )
