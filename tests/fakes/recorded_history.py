"""The small history that the answers under tests/data/sources/gitea/*/history were recorded of, made again."""

from __future__ import annotations

from pathlib import Path

from pygit2.enums import FileMode

from tests.fakes.histories import Past, Tree

PETR = ("Пётр", "petr@example.org")


def make_recorded_past(path: Path) -> tuple[Past, str, str]:
    """The repository, the head that was there first, and the one of a forced push after it."""
    past = Past(path)

    def commit(changes: Tree, *parents: str) -> str:
        return past.commit(changes, *parents, author=PETR)

    root = commit({".wiki/index.md": "# Заметки\n", ".wiki/Черновик.md": "раз\nдва\n", "main.py": "1\n"})
    renamed = commit({".wiki/Черновик.md": None, ".wiki/Чистовик.md": "раз\nдва\nтри\n"}, root)
    code = commit({"main.py": "2\n"}, renamed)
    ours = commit({".wiki/index.md": "# Наши\n"}, code)
    theirs = commit({".wiki/index.md": "# Их\n", ".wiki/theirs.md": "их\n"}, code)
    evil = commit({".wiki/index.md": "# Общие\n", ".wiki/theirs.md": "их\n", ".wiki/evil.md": "!\n"}, ours, theirs)
    side = commit({".wiki/evil.md": None}, evil)
    taken = commit({".wiki/evil.md": None, "main.py": "3\n"}, evil, side)
    past.modes[".wiki/theirs.md"] = FileMode.LINK
    link = commit({".wiki/theirs.md": "index.md"}, taken)
    first = commit({".wiki/index.md": "# Конец\n", ".wiki/logo.png": "x"}, link)
    return past, first, commit({".wiki/index.md": "# Другой конец\n"}, link)
