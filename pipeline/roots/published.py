"""The published roots: what a reader may ask of one version.  Looks paths up in a table; never joins them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from pipeline import codec, files, text
from pipeline.errors import CatalogError
from pipeline.layout import ROOTS, ROOTS_FILE, is_safe_path, root_file
from pipeline.model.roots import RootFile, RootListing, RootRow, RootsFile
from pipeline.roots.gathering import is_hidden
from pipeline.roots.registry import normal_path
from pipeline.roots.routing import HotText
from pipeline.roots.sections import read_sections

NO_ROOTS = "no knowledge roots are configured: name them under [knowledge] in sources.toml, then run `doit`"
REPLACED = "the published version was replaced while it was read; ask again"
RULE = "expected a path below knowledge/, without `..`, not absolute, such as work/org/README.md"
PATH_LIMIT = 400


class UnknownRoot(CatalogError):
    """No root has that id."""


class InvalidPath(CatalogError):
    """What was given is no path below knowledge/."""


class NoSuchFile(CatalogError):
    """The root has no such file."""


class ReadOnlyRoot(CatalogError):
    """Nothing is written to this root."""


class TextTooLarge(CatalogError):
    """The file is listed, and has no text that can be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """The files of one root, by path, and its hot file."""

    hot: RootFile | None
    by_path: Mapping[str, RootFile]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedRoots:
    """The roots of one version; what is asked for is read once, and kept: a version never changes."""

    folder: Path
    told: RootsFile
    listings: dict[str, Listing] = field(default_factory=dict)
    read_hot: list[tuple[HotText, ...]] = field(default_factory=list)

    def root(self, name: str | None) -> RootRow:
        """The root of that id, whatever its capitals; the primary one where none is named.

        Raises:
            UnknownRoot: with the known ids.
        """
        wanted = (self.told.primary or "") if name is None else name.strip()
        for row in self.told.roots:
            if row.id.casefold() == wanted.casefold():
                return row
        known = ", ".join(sorted(row.id for row in self.told.roots))
        raise UnknownRoot(f"Unknown knowledge_root_id '{text.line(wanted, 80)}'. Known: {known}.")

    def files(self, root: RootRow) -> Mapping[str, RootFile]:
        """Its files below knowledge/ by path, sorted; the hot file is not among them."""
        return self._listing(root).by_path

    def file(self, root: RootRow, path: str) -> RootFile:
        """One file.

        Raises:
            InvalidPath: the path is none below knowledge/.
            NoSuchFile: with the nearest paths.
        """
        known = self.files(root)
        wanted = checked_path(path)
        if wanted not in known:
            near = get_close_matches(wanted, known, n=3, cutoff=0.6) if len(known) <= 20_000 else []
            hint = f"; did you mean {', '.join(near)}?" if near else "; list_knowledge_files names those that are there"
            raise NoSuchFile(f"{root.id} has no knowledge/{text.line(wanted, PATH_LIMIT)}{hint}")
        return known[wanted]

    def text(self, root: RootRow, file: RootFile) -> str:
        """The text of a file, as published.

        Raises:
            TextTooLarge: it is too large, or no text.
            CatalogError: the version is being removed.
        """
        if file.start is None or file.length is None:
            why = next((each.reason for each in root.problems if each.path.endswith(file.path)), "it is no UTF-8 text")
            raise TextTooLarge(f"{root.id}: {text.line(file.path, PATH_LIMIT)} cannot be read: {why}")
        try:
            with (self.folder / ROOTS / root_file(root.id, "pack")).open("rb") as pack:
                pack.seek(file.start)
                return pack.read(file.length).decode()
        except FileNotFoundError:
            raise CatalogError(REPLACED) from None

    def hot(self) -> Sequence[HotText]:
        """The sections of the primary root's hot file; none where there is none."""
        if not self.read_hot:
            self.read_hot.append(tuple(map(HotText.of, read_sections(self._hot_text()))))
        return self.read_hot[0]

    def _hot_text(self) -> str:
        root = next((row for row in self.told.roots if row.id == self.told.primary), None)
        hot = self._listing(root).hot if root is not None else None
        return self.text(root, hot) if root is not None and hot is not None and hot.start is not None else ""

    def _listing(self, root: RootRow) -> Listing:
        if root.id not in self.listings:
            raw = files.read_bytes(self.folder / ROOTS / root_file(root.id, "json"))
            if raw is None:
                raise CatalogError(REPLACED)
            read = codec.load(RootListing, raw, f"roots/{root.id}.json")
            self.listings[root.id] = Listing(hot=read.hot, by_path={file.path: file for file in read.files})
        return self.listings[root.id]


def open_roots(folder: Path) -> PublishedRoots:
    """The roots of the version in `folder`.

    Raises:
        CatalogError: it has none.
        ArtifactError: roots.json is not as we wrote it.
    """
    raw = files.read_bytes(folder / ROOTS_FILE)
    if raw is None:
        raise CatalogError(NO_ROOTS)
    return PublishedRoots(folder=folder, told=codec.load(RootsFile, raw, ROOTS_FILE))


def checked_path(path: str) -> str:
    """A path below knowledge/ as listings name it.

    Raises:
        InvalidPath: it is absolute, leaves the root, or names what is never shown.
    """
    place = path.strip().replace("\\", "/")
    inside = normal_path(place)
    if place.startswith("/") or not is_safe_path(inside) or is_hidden(inside):
        raise InvalidPath(f"file_path is {text.line(path, 80)!r}; {RULE}")
    return inside


def require_writable(told: RootsFile, name: str) -> None:
    """Whether a tool that writes could write to a root: no tool of ours does.

    Raises:
        ReadOnlyRoot: the root is read-only.
        UnknownRoot: there is none of that id.
    """
    root = PublishedRoots(folder=Path(), told=told).root(name)
    if root.is_read_only:
        raise ReadOnlyRoot(
            f"Knowledge root '{root.id}' is read-only: nothing is written to it. Write to the primary root "
            f"'{told.primary}' with the tools of your editor; this server writes nothing."
        )
