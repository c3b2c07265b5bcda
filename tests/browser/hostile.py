"""Repositories whose every field holds what would run, ask or hide if it were ever more than text."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from tests.fakes.hostile import Node, commit_tree
from tests.fakes.safe_html import payloads

BATCH = 80
NAME_BYTES = 120


def put_payloads(folder: Path) -> None:
    """Put the repositories below `folder`, in folders of their owners."""
    texts = payloads()
    for start in range(0, len(texts), BATCH):
        _put(folder / f"eve-{start}" / "texts.git", texts[start : start + BATCH])
    names = _names(texts)
    for number, name in enumerate(names[::8]):
        owner = names[number]
        commit_tree(folder / owner / f"{name}.git", {".tasks": {"STATUS.md": _board([name])}}, branch="<img/src=x>")
    shared: dict[str | bytes, Node] = {"CLAUDE.md": "# Domains\n" + "".join(f"- `{name}`\n" for name in names[:20])}
    shared |= {name: {f"{name}.md": _page(name)} for name in names[:20]}
    commit_tree(folder / "eve" / "projects-wiki.git", shared)


def _put(path: Path, texts: Iterable[str]) -> None:
    """One repository with a board, an index, a page for each text, and a commit by each of them."""
    found = list(texts)
    pages: dict[str | bytes, Node] = {f"page-{number}.md": _page(text) for number, text in enumerate(found)}
    named: dict[str | bytes, Node] = {f"{name}.md": f"# {name}\n" for name in _names(found)[::4]}
    index = "# Wiki\n\n" + "".join(
        f"- [{_line(text)}](page-{number}.md) — {_line(text)}\n" for number, text in enumerate(found)
    )
    for number, text in enumerate(found):
        top: Node = {
            ".tasks": {"STATUS.md": _board(found[: number + 1])},
            ".wiki": {**pages, **named, "index.md": index, "last.md": f"# {number}\n\n{text}\n"},
        }
        commit_tree(path, top, author=_line(text), message=text)


def _page(text: str) -> str:
    front = {"title": text, "description": text, "domain": text, "applies_to": [text], "source_project": text}
    written = "".join(f"{key}: {json.dumps(value)}\n" for key, value in front.items())
    return (
        f"---\n{written}---\n# {_line(text)}\n\n{text}\n\n## {_line(text)}\n\nBefore {_line(text)} after\n\n- {text}\n"
    )


def _board(texts: Iterable[str]) -> str:
    return "# Board\n\n" + "".join(_task(number, _line(text)) for number, text in enumerate(texts))


def _task(number: int, text: str) -> str:
    return (
        f"## 🔴 task-{number} {text} — {text}\n**Status:** {('active', 'blocked', 'todo')[number % 3]} {text}\n"
        f"**Next action:** {text}\n**Owner:** {text}\n**Branch:** {text}\n\n"
    )


def _names(texts: Iterable[str]) -> list[str]:
    """As much of each text as can be a name in a folder; each name once."""
    cut = (text.translate({0: None, ord("/"): "\u2215"}).encode("utf-8", "ignore")[:NAME_BYTES] for text in texts)
    names = (raw.decode("utf-8", "ignore").strip(" .\n") for raw in cut)
    return list(dict.fromkeys(name for name in names if name and not name.startswith(("-", "."))))


def _line(text: str) -> str:
    return " ".join(text.split())
