"""Model values → rows of catalog.sqlite, in the column order of `index_schema`.  Pure.

Every text of one line passes `text.line` here, so that no reader has to; names that are paths keep
more letters, since they are asked for by what is shown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pipeline import codec
from pipeline import index_schema as schema
from pipeline.index_history import history_rows
from pipeline.index_texts import Texts
from pipeline.layout import HISTORY
from pipeline.model import (
    Artifact,
    PageLink,
    ProjectHistory,
    RepositoryRecord,
    SharedPage,
    SharedRules,
    WikiPage,
    WorkItem,
    split_id,
)
from pipeline.text import body, fold, line

Row = tuple[Any, ...]
ReadText = Callable[[str], str]
PATH_LIMIT = 1_000
HEADING_OR_FENCE = re.compile(r"^ {0,3}(?:(```|~~~)|(#{1,6}[ \t][^\n]*))", re.MULTILINE)
# No query can hold it: no phrase is found that reaches from one heading into the next, or over an end.
END = "\x01"


def project_row(record: RepositoryRecord) -> Row:
    """The row of `projects`."""
    _, owner, name = split_id(record.repository)
    return (
        record.repository,
        record.name,
        record.source,
        record.visibility,
        int(record.archived),
        record.state,
        one_line(record.reason),
        int(record.shared),
        line(record.default_branch),
        record.revision,
        record.committed_at.isoformat() if record.committed_at else None,
        record.digest,
        record.board,
        as_json(dict(record.tasks)),
        record.index,
        record.wiki_pages,
        record.shared_pages,
        record.errors,
        record.warnings,
        None,
        fold(record.repository),
        fold(f"{owner}/{name}"),
        fold(name),
    )


def content_rows(artifact: Artifact, digest: str, read_text: ReadText) -> Iterator[tuple[schema.Table | Texts, Row]]:
    """Every row that one artifact gives, table by table.

    `read_text` gives the text of a file beside project.json, as `text.body` leaves it.
    """
    for table, rows in (
        (schema.CONTENTS, _contents(artifact, digest)),
        (schema.ITEMS, _items(artifact)),
        (schema.PAGES, _pages(artifact)),
        (schema.SHARED_PAGES, _shared_pages(artifact)),
        (schema.LINKS, _links(artifact)),
        (schema.TASK_FILES, _task_files(artifact)),
        (schema.ATTACHMENTS, _attachments(artifact)),
        (schema.DIAGNOSTICS, _diagnostics(artifact)),
        (schema.TASK_TEXTS, _task_texts(artifact, read_text)),
        (schema.PAGE_TEXTS, _page_texts(artifact, read_text)),
    ):
        for row in rows:
            yield table, row
    if artifact.history is not None:
        written = read_text(HISTORY).encode("utf-8")
        yield from history_rows(artifact, codec.load(ProjectHistory, written, f"{artifact.repository}: {HISTORY}"))


def own_text(board_lines: Sequence[str], first: int, last: int) -> str:
    """The lines `first`..`last` (1-based, inclusive) of a board as written."""
    return "\n".join(board_lines[first - 1 : last])


def without_front_matter(page: str) -> str:
    """The Markdown below the front matter; the whole page when its first line opens none that ends."""
    if not page.startswith("---"):
        return page
    opening, _, rest = page.partition("\n")
    end = 0
    while opening.rstrip() == "---" and 0 <= end < len(rest):
        found, start = rest.find("\n", end), end
        end = found + 1 if found >= 0 else len(rest)
        if rest[start:end].rstrip() in ("---", "..."):
            return rest[end:]
    return page


def headings(page: str) -> Iterator[str]:
    """The lines of a page that are headings (`## …`), with their marks; none of those inside a fence."""
    fence = None
    for opening, heading in HEADING_OR_FENCE.findall(page):
        if opening:
            fence = None if fence == opening else fence or opening
        elif fence is None:
            yield heading


def one_line(value: str | None) -> str | None:
    """`text.line` of a text that may be missing."""
    return None if value is None else line(value)


def path_line(value: str) -> str:
    """`text.line` of a path or of a page's slug."""
    return line(value, PATH_LIMIT)


def as_json(value: object) -> str:
    """Compact JSON in ASCII (so that SQLite takes whatever a front matter holds) with sorted keys."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)


def _contents(artifact: Artifact, digest: str) -> Iterator[Row]:
    yield (
        artifact.repository,
        digest,
        artifact.board.path,
        artifact.board_file,
        artifact.index.path,
        artifact.index_file,
        one_line(artifact.index.error),
        None if artifact.rules is None else as_json(_rules(artifact.rules)),
    )


def _rules(rules: SharedRules) -> dict[str, list[str]]:
    return {"domains": list(map(line, rules.domains)), "never": list(map(line, rules.never))}


def _items(artifact: Artifact) -> Iterator[Row]:
    moment = artifact.revision.committed_at if artifact.revision else None
    for position, item in enumerate(artifact.board.items):
        yield (
            artifact.repository,
            position,
            line(item.slug),
            line(item.title),
            item.status,
            one_line(item.status_text),
            one_line(item.next),
            one_line(item.owner),
            as_json([[line(name), body(value)] for name, value in item.fields]),
            item.line,
            item.end_line,
            schema.STATUSES.index(item.status),
            moment.isoformat() if moment else "",
        )


def _pages(artifact: Artifact) -> Iterator[Row]:
    for position, page in enumerate(artifact.pages):
        yield (
            artifact.repository,
            position,
            path_line(page.slug),
            line(page.type),
            line(page.title),
            one_line(page.description),
            path_line(page.path),
            page.file,
            page.oid,
            page.size_bytes,
            int(page.indexed),
            as_json(dict(page.front_matter)),
        )


def _shared_pages(artifact: Artifact) -> Iterator[Row]:
    for position, page in enumerate(artifact.shared_pages):
        yield (
            artifact.repository,
            position,
            path_line(page.slug),
            one_line(page.domain),
            line(page.title),
            one_line(page.description),
            one_line(page.shared_at),
            as_json([line(name) for name in page.applies_to]),
            one_line(page.source_project),
            path_line(page.path),
            page.file,
            page.oid,
            page.size_bytes,
            as_json(dict(page.front_matter)),
        )


def _links(artifact: Artifact) -> Iterator[Row]:
    """The links between pages; `position` is that of the page that has the link."""
    kinds: tuple[tuple[str, Sequence[SharedPage | WikiPage], Sequence[PageLink]], ...] = (
        ("shared", artifact.shared_pages, artifact.shared_links),
        ("wiki", artifact.pages, artifact.links),
    )
    for kind, pages, links in kinds:
        positions = {page.slug: position for position, page in enumerate(pages)}
        # Names that differ in nothing that is shown are one name to readers: the first link counts.
        ends: dict[tuple[str, str], PageLink] = {}
        for one in links:
            ends.setdefault((path_line(one.target), path_line(one.source)), one)
        for names, one in ends.items():
            yield artifact.repository, kind, *names, positions[one.source], one.line


def _task_files(artifact: Artifact) -> Iterator[Row]:
    for position, file in enumerate(artifact.task_files):
        yield artifact.repository, position, path_line(file.path), file.file, file.oid, file.size_bytes


def _attachments(artifact: Artifact) -> Iterator[Row]:
    for position, file in enumerate(artifact.attachments):
        yield artifact.repository, position, path_line(file.path), file.oid, file.size_bytes


def _diagnostics(artifact: Artifact) -> Iterator[Row]:
    for position, found in enumerate(artifact.diagnostics):
        message = line(found.message)
        yield artifact.repository, position, found.code, found.severity, path_line(found.path), found.line, message


def _task_texts(artifact: Artifact, read_text: ReadText) -> Iterator[Row]:
    if not artifact.board.items or artifact.board_file is None:
        return
    lines = read_text(artifact.board_file).split("\n")
    for position, item in enumerate(artifact.board.items):
        yield artifact.repository, position, *_folded(*_task_fields(item, lines))


def _task_fields(item: WorkItem, lines: list[str]) -> tuple[str, str, str, str]:
    return line(item.slug), line(item.title), line(item.next or ""), own_text(lines, item.line, item.end_line)


def _page_texts(artifact: Artifact, read_text: ReadText) -> Iterator[Row]:
    kinds: tuple[tuple[str, tuple[SharedPage | WikiPage, ...]], ...] = (
        ("shared", artifact.shared_pages),
        ("wiki", artifact.pages),
    )
    for kind, pages in kinds:
        for position, page in enumerate(pages):
            yield artifact.repository, kind, position, *_folded(*_page_fields(page, read_text))


def _page_fields(page: WikiPage | SharedPage, read_text: ReadText) -> tuple[str, str, str, str]:
    text = "" if page.file is None else without_front_matter(read_text(page.file))
    return path_line(page.slug), line(page.title), END.join(headings(text)), text


def _folded(*fields: str) -> tuple[str, ...]:
    """The fields as search sees them, each with its end marked.  A NUL would end a text for the trigram tokenizer."""
    return tuple(f"{fold(field)}{END}".replace("\0", " ") if field else "" for field in fields)
