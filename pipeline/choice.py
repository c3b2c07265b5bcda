"""What to copy of a tree, what only to name, and what to leave out and why (pure)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from pipeline import text
from pipeline.layout import is_safe_path
from pipeline.model import Selection, SkippedEntry, Snapshot, TreeEntry

FILE_LIMIT_BYTES = 1 << 20
FILES_LIMIT = 5_000
TOTAL_LIMIT_BYTES = 64 << 20

Fate = Literal["text", "named", "too_large"]
Skip = Literal["symlink", "submodule", "unsafe_path", "over_file_limit", "over_size_limit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """`text` to be stored, `named` to be listed by name and size, `too_large` Markdown over 1 MiB,
    `skipped` with its reason; each sorted by path.
    """

    text: tuple[TreeEntry, ...]
    named: tuple[TreeEntry, ...]
    too_large: tuple[TreeEntry, ...]
    skipped: tuple[SkippedEntry, ...]


def choose(entries: Iterable[TreeEntry], selection: Selection) -> Choice:
    """Choose among the entries of one revision.

    Markdown (`.md` in any capitalisation) below the text folders is text; other files below the list
    folders are named; the rest is of no interest.  Links, submodules and unsafe paths are skipped with
    their reason, and so is all that follows once a repository has 5,000 files or 64 MiB of text;
    shallow paths go first there, so that a board and an index are the last to suffer.
    """
    kept: dict[Fate, list[TreeEntry]] = {"text": [], "named": [], "too_large": []}
    skipped: list[SkippedEntry] = []
    files = size_bytes = 0
    for entry in sorted(entries, key=lambda each: (each.path.count("/"), each.path)):
        fate = _fate(entry, selection)
        if fate is None:
            continue
        files += fate in kept
        size_bytes += (entry.size_bytes or 0) if fate == "text" else 0
        fate = _over(fate, files, size_bytes)
        if fate == "text" or fate == "named" or fate == "too_large":
            kept[fate].append(entry)
        else:
            skipped.append(SkippedEntry(path=entry.path, reason=fate))
    return Choice(
        text=_by_path(kept["text"]),
        named=_by_path(kept["named"]),
        too_large=_by_path(kept["too_large"]),
        skipped=tuple(sorted(skipped, key=lambda each: each.path)),
    )


def entries_of(snapshot: Snapshot, folder: str) -> tuple[TreeEntry, ...] | None:
    """What the tree of `folder` listed when the snapshot was made; None where it left anything out."""
    if any(_is_below(each.path, (folder,)) for each in snapshot.skipped):
        return None
    return tuple(
        TreeEntry(path=each.path, oid=each.oid, size_bytes=each.size_bytes, etag=each.etag)
        for each in snapshot.entries
        if _is_below(each.path, (folder,))
    )


def _fate(entry: TreeEntry, selection: Selection) -> Fate | Skip | None:
    is_odd = not is_safe_path(entry.path) or text.body(entry.path) != entry.path
    if entry.kind != "file":
        return "unsafe_path" if is_odd else entry.kind
    is_text = entry.path.lower().endswith(".md") and _is_below(entry.path, selection.text_folders)
    if not is_text and not _is_below(entry.path, selection.list_folders):
        return None
    if is_odd:
        return "unsafe_path"
    if not is_text:
        return "named"
    return "too_large" if (entry.size_bytes or 0) > FILE_LIMIT_BYTES else "text"


def _over(fate: Fate | Skip, files: int, size_bytes: int) -> Fate | Skip:
    if fate in ("text", "named", "too_large") and files > FILES_LIMIT:
        return "over_file_limit"
    return "over_size_limit" if fate == "text" and size_bytes > TOTAL_LIMIT_BYTES else fate


def _by_path(entries: list[TreeEntry]) -> tuple[TreeEntry, ...]:
    return tuple(sorted(entries, key=lambda each: each.path))


def _is_below(path: str, folders: tuple[str, ...]) -> bool:
    return any(folder == "" or path.startswith(f"{folder}/") for folder in folders)
