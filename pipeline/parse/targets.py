"""Where a link of an index leads inside `.wiki/`.  Pure, never raises.

A target is only a name: whoever uses it looks it up in the repository's tree and never opens it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import unquote

from pipeline import text
from pipeline.parse import words
from pipeline.parse.inline import Link, unescape

TYPES = ("entities", "concepts", "packages", "sources", "raw")
NAMES_OF_TYPES = {
    "entities": "entity entities сущность сущности сутність сутності 实体 엔티티 개체 エンティティ entidad entidades",
    "concepts": "concept concepts концепция концепции концепт концепты концепції поняття 概念 개념 conceptos",
    "packages": "package packages пакет пакеты пакети 包 패키지 パッケージ paquete paquetes paketler",
    "sources": "source sources источник источники джерело джерела 来源 출처 ソース fuente fuentes kaynaklar",
    "raw": "raw сырье сырые сирі 원본",
}
TYPE_NAMES: dict[str, str] = {name: kind for kind, names in NAMES_OF_TYPES.items() for name in names.split()}
FOLDERS = ("", ".", "..")
ASSETS = (
    *(".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".bmp", ".ico", ".pdf", ".zip", ".gz", ".csv", ".tsv"),
    *(".json", ".yaml", ".yml", ".toml", ".xml", ".html", ".htm", ".txt", ".docx", ".xlsx", ".pptx", ".mp4", ".drawio"),
)


@dataclass(frozen=True, slots=True)
class Place:
    """A page: `type` is its first folder, `root`, or None for a bare name that has no folder."""

    type: str | None
    slug: str

    @property
    def last(self) -> str:
        """The last part of its path."""
        return self.slug.rsplit("/", 1)[-1]

    @property
    def page(self) -> str:
        """The page's slug in its repository: `concepts/x`, `x` for a root page."""
        return self.slug if self.type in (None, "root") else f"{self.type}/{self.slug}"


def link_place(link: Link) -> Place | None:
    """The page that a link leads to; None for anything but a page of this wiki."""
    if link.kind == "image":
        return None
    written = link.target if link.kind == "wikilink" else unescape(link.target)
    target = written.partition("#")[0].partition("?")[0].strip()
    if link.kind == "wikilink":
        return bare_place(target) if "/" not in target else path_place(target)
    return path_place(unquote(target))


def bare_place(name: str) -> Place | None:
    """The page named by a wikilink without a folder."""
    slug = _without_suffix(name)
    return None if _is_odd(slug) or slug in FOLDERS or slug.lower().endswith(ASSETS) else Place(None, slug)


def path_place(target: str) -> Place | None:
    """The page at a path relative to `.wiki/`; None when it leaves it, is a folder, a URL or no page."""
    if not target or target.startswith("/") or _is_odd(target) or _is_url(target):
        return None
    written = _without_prefix(target).split("/")
    parts = None if written[-1] in FOLDERS else _resolve(written)
    if not parts or parts[-1].lower().endswith(ASSETS):
        return None
    parts[-1] = _without_suffix(parts[-1])
    if not parts[-1]:
        return None
    return Place("root", parts[0]) if len(parts) == 1 else Place(parts[0], "/".join(parts[1:]))


def _without_prefix(target: str) -> str:
    parts = target.split("/")
    start = next((place for place, part in enumerate(parts) if part not in (".", ".wiki")), len(parts))
    return "/".join(parts[start:])


def _resolve(parts: list[str]) -> list[str] | None:
    """The path below `.wiki/`; it may leave and come back (`../.wiki/x`), but not end outside."""
    base = [".wiki"]
    for part in parts:
        if part == "..":
            if not base:
                return None
            base.pop()
        elif part not in ("", "."):
            base.append(part)
    return base[1:] if base[:1] == [".wiki"] and len(base) > 1 else None


def _without_suffix(name: str) -> str:
    return name[:-3] if name.lower().endswith(".md") else name


def _is_url(target: str) -> bool:
    head, colon, _ = target.partition(":")
    return bool(colon) and "/" not in head and head.replace("+", "").replace("-", "").replace(".", "").isalnum()


def _is_odd(name: str) -> bool:
    return text.body(name) != name or "\n" in name or "\\" in name


def type_named(title: str, folders: Collection[str] = ()) -> str | None:
    """The type that a plain heading names: one of the five, in eight languages, or a folder of this wiki.

    A heading in two languages (`Concepts | Концепции`) names what its first part names.
    """
    first = re.split(r"[|/]", title[: words.LONGEST_NAME], maxsplit=1)[0]
    return _type_named(words.heading_name(title), folders) or _type_named(words.heading_name(first), folders)


def _type_named(name: str, folders: Collection[str]) -> str | None:
    found = TYPE_NAMES.get(name)
    if found:
        return found
    spelled = (name, name.replace(" ", "-"), f"{name}s", f"{name[:-1]}ies" if name.endswith("y") else name)
    return next((folder for folder in spelled if folder in folders), None)


@dataclass(frozen=True, slots=True)
class Tree:
    """What a repository's tree tells about its pages, by slug (`concepts/x`)."""

    pages: frozenset[str]
    folders: frozenset[str]
    by_name: dict[str, str | None]

    def find(self, place: Place) -> str | None:
        """The one page with that last name, whatever its folder; None when there is none or several."""
        return self.by_name.get(words.slugify(place.last))


def read_tree(pages: Collection[str]) -> Tree:
    """Order the slugs of a tree by name; a name that two pages share leads nowhere."""
    by_name: dict[str, str | None] = {}
    for page in pages:
        name = words.slugify(page.rsplit("/", 1)[-1])
        by_name[name] = None if name in by_name else page
    folders = frozenset(page.split("/", 1)[0] for page in pages if "/" in page)
    return Tree(frozenset(pages), folders, by_name)


def page_place(page: str) -> Place:
    """The place of a page known by its slug in the repository."""
    folder, slash, rest = page.partition("/")
    return Place(folder, rest) if slash else Place("root", page)
