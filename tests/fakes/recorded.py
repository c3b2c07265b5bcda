"""The small forge that the answers under tests/data/sources/gitea were recorded of, as a fake one.

Ids of accounts, repositories and git objects are those of the recordings: accounts chief, vera, oleg and
team were made in this order, repositories as below.
"""

from __future__ import annotations

from tests.fakes.bare import Link, Stored, Submodule, lfs_pointer
from tests.fakes.gitea import FakeGitea

DAY = 86_400
TOKENS = {"owner": "vera", "reader": "vera", "stranger": "oleg"}
SCOPES = {"reader": ("read:repository",), "stranger": ("read:repository", "read:user")}

NOTES: dict[str, Stored] = {
    ".tasks/STATUS.md": "# Задачи\n\n- [ ] первая\n",
    ".wiki/100% done #1.md": "# Готово\n",
    ".wiki/index.md": "# Знания\n\n- [[Страница №1]]\n",
    ".wiki/link.md": Link("index.md"),
    ".wiki/media.bin": lfs_pointer("a1" * 32, 12_345),
    ".wiki/nested/deep.md": "# Глубоко\n",
    ".wiki/sub": Submodule("1" * 39 + "2"),
    ".wiki/windows.md": b"\xef\xbb\xbf# Windows\r\n",
    ".wiki/Страница №1.md": "# Один\n",
    "README.md": "# notes\n",
    "src/main.py": "print(1)\n",
}


def furnish(forge: FakeGitea, *, rename: bool = True) -> None:
    """Make the accounts, repositories and tokens; with `rename` the fourth repository has its second name."""
    forge.add_user("chief")
    forge.add_user("vera")
    forge.add_user("oleg")
    forge.add_organisation("team")
    forge.add("vera/notes", NOTES, private=True)
    forge.tick(DAY)
    forge.commit("vera/notes", {".tasks/STATUS.md": "# Задачи\n\n- [x] первая\n- [ ] вторая\n"})
    forge.tick(DAY)
    forge.add("vera/empty", private=True)
    forge.tick(DAY)
    forge.add("vera/code", {"README.md": "# code\n"}, branch="release/1")
    forge.tick(DAY)
    forge.add("vera/old-name", {".tasks/STATUS.md": "- [x] renamed\n"}, private=True)
    forge.tick(DAY)
    forge.add("team/site", {".wiki/index.md": "# Site\n", ".wiki/about.md": "# About\n"}, private=True)
    forge.collaborate("team/site", "vera")
    if rename:
        forge.rename("vera/old-name", "vera/new-name")
    for text, login in TOKENS.items():
        owners = ("vera", "team") if login == "vera" else (login,)
        forge.token(text, owners=owners, scopes=SCOPES.get(text), login=login)
