"""Repositories whose every field holds what would run, ask or hide if it were ever more than text."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from tests.fakes.hostile import Node, commit_tree
from tests.fakes.safe_html import payloads

BATCH = 80
ON_ONE_PAGE = 16
NAME_BYTES = 120
# What ends every block of raw HTML that a text may have begun, so that the next one is read for itself.
END = "</script></pre></style></textarea> --> ?> ]]>"


def put_payloads(folder: Path) -> None:
    """Put the repositories below `folder`, in folders of their owners."""
    texts = payloads()
    for start in range(0, len(texts), BATCH):
        _put(folder / f"eve-{start}" / "texts.git", texts[start : start + BATCH])
    names = _names(texts)
    for owner, name in zip(names, names[::16], strict=False):
        commit_tree(folder / owner / f"{name}.git", {".tasks": {"STATUS.md": _board([name])}}, branch="<img/src=x>")
    shared: dict[str | bytes, Node] = {"CLAUDE.md": "# Domains\n" + "".join(f"- `{name}`\n" for name in names[:8])}
    shared |= {name: {f"{name}.md": _page([name])} for name in names[:8]}
    commit_tree(folder / "eve" / "projects-wiki.git", shared)


def _put(path: Path, texts: list[str]) -> None:
    """One repository with a board, an index, pages with each text, and a commit by each of them."""
    starts = range(0, len(texts), ON_ONE_PAGE)
    pages: dict[str | bytes, Node] = {f"{at}.md": _page(texts[at : at + ON_ONE_PAGE]) for at in starts}
    named: dict[str | bytes, Node] = {f"{name}.md": f"# {name}\n" for name in _names(texts)[::8]}
    index = "# Wiki\n\n" + "".join(f"- [{_line(texts[at])}]({at}.md) — {_line(texts[at])}\n" for at in starts)
    for number, text in enumerate(texts):
        top: Node = {
            ".tasks": {"STATUS.md": _board(texts[: number + 1])},
            ".wiki": {**pages, **named, "index.md": index, "last.md": f"# {number}\n\n{text}\n"},
        }
        commit_tree(path, top, author=_line(text), message=text)


def _page(texts: list[str]) -> str:
    """A page with front matter of the first text, and each of them as a block, a heading, in a line and in a list."""
    first = texts[0]
    front = {"title": first, "description": first, "domain": first, "applies_to": [first], "source_project": first}
    written = "".join(f"{key}: {json.dumps(value)}\n" for key, value in front.items())
    bodies = (f"{text}\n\n{END}\n\n## {_line(text)}\n\nSo {_line(text)} so\n\n- {text}\n" for text in texts)
    return f"---\n{written}---\n# {_line(first)}\n\n" + f"\n{END}\n\n".join(bodies)


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
