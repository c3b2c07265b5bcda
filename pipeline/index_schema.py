"""What catalog.sqlite is made of: its tables, their natural keys, and the texts that search looks at.

`SCHEMA` is its `user_version`; a catalog of another number is never changed, a new one is begun.

    1  the first shape
    2  tasks lie in the order in which they are listed; names and states have indexes
    3  links between pages; the shared wiki's rules
    4  the headings of a page, which count more than the rest of its body; slugs have indexes;
       a folded text has an end mark, so that its last two letters begin a trigram
    5  histories: codes of pages, their versions, changes of tasks
    6  indexes of the fields that stand above a text, and of its words and letters
    7  codes that pages of several repositories have a claim to are settled among these
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pipeline.index_texts import TRIGRAMS, Texts, full_text_indexes
from pipeline.model import Status

SCHEMA = 7
PAGE_SIZE_BYTES = 4096

Engine = Literal["trigram", "scan"]

# In the order in which a person wants to see them; the place of a status here is the `rank` of its tasks.
STATUSES: tuple[Status, ...] = ("active", "blocked", "paused", "todo", "unknown", "done", "cancelled")


@dataclass(frozen=True, slots=True)
class Table:
    """A table without row ids: rows are told apart, and sorted, by the columns of `key`."""

    name: str
    key: tuple[str, ...]
    columns: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The column names, key first."""
        return tuple(column.split(" ", 1)[0] for column in (*self.key, *self.columns))

    @property
    def definition(self) -> str:
        """The CREATE statement."""
        key = ", ".join(column.split(" ", 1)[0] for column in self.key)
        columns = ", ".join((*self.key, *self.columns))
        return f"create table {self.name} ({columns}, primary key ({key})) without rowid"


REPOSITORY = "repository text not null"
POSITION = "position integer not null"
FILE = ("path text not null", "file text", "oid text not null", "size_bytes integer not null")

META = Table("meta", ("key text not null",), ("value text",))
# `settled` is what is to be said, beside `warnings`, of codes that pages of other repositories have a claim to, too.
PROJECTS = Table(
    "projects",
    (REPOSITORY,),
    (
        "name text not null",
        "source text not null",
        "visibility text not null",
        "archived integer not null",
        "state text not null",
        "reason text",
        "shared integer not null",
        "default_branch text not null",
        "revision text",
        "committed_at text",
        "digest text",
        "board text not null",
        "tasks text not null",
        "index_state text not null",
        "wiki_pages integer not null",
        "shared_pages integer not null",
        "errors integer not null",
        "warnings integer not null",
        "settled text",
        "id_folded text not null",
        "path_folded text not null",
        "name_folded text not null",
    ),
)
CONTENTS = Table(
    "contents",
    (REPOSITORY,),
    (
        "digest text not null",
        "board_path text",
        "board_file text",
        "index_path text",
        "index_file text",
        "index_error text",
        "rules text",
    ),
)
ITEMS = Table(
    "items",
    (REPOSITORY, POSITION),
    (
        "slug text not null",
        "title text not null",
        "status text not null",
        "status_text text",
        "next text",
        "owner text",
        "fields text not null",
        "line integer not null",
        "end_line integer not null",
        "rank integer not null",
        "changed_at text not null",
    ),
)
PAGES = Table(
    "pages",
    (REPOSITORY, POSITION),
    (
        "slug text not null",
        "type text not null",
        "title text not null",
        "description text",
        *FILE,
        "indexed integer not null",
        "front_matter text not null",
    ),
)
SHARED_PAGES = Table(
    "shared_pages",
    (REPOSITORY, POSITION),
    (
        "slug text not null",
        "domain text",
        "title text not null",
        "description text",
        "shared_at text",
        "applies_to text not null",
        "source_project text",
        *FILE,
        "front_matter text not null",
    ),
)
LINKS = Table(
    "links",
    (REPOSITORY, "kind text not null", "target text not null", "source text not null"),
    ("position integer not null", "line integer not null"),
)
TASK_FILES = Table("task_files", (REPOSITORY, POSITION), FILE)
ATTACHMENTS = Table(
    "attachments", (REPOSITORY, POSITION), ("path text not null", "oid text not null", "size_bytes integer not null")
)
DIAGNOSTICS = Table(
    "diagnostics",
    (REPOSITORY, POSITION),
    ("code text not null", "severity text not null", "path text not null", "line integer", "message text not null"),
)
BY = (
    "commit_id text not null",
    "author text not null",
    "author_folded text not null",
    "email_folded text not null",
    "at integer not null",
)
HISTORIES = Table("histories", (REPOSITORY,), ("wiki_is_loaded integer not null", "tasks_is_loaded integer not null"))
# `code` is what the page has among those of its repository; `claim` is what that is made of: what its front matter asks
# for, its addresses, and which of those that began there it is.  Gone pages have their last path.
PAGE_HISTORIES = Table(
    "page_histories",
    (REPOSITORY, POSITION),
    (
        "slug text not null",
        "path text not null",
        "title text not null",
        "is_gone integer not null",
        "code text not null",
        "claim text not null",
        "versions integer not null",
    ),
)
# `rank`: 0 the page's own, 1 of a former address, 2 only claimed: another page of the repository has it, or none.
PAGE_CODES = Table("page_codes", (REPOSITORY, "code text not null", POSITION), ("rank integer not null",))
# Pages with a claim to a code that a page of another repository claims, too: what they have instead of the above.
SETTLED_PAGES = Table("settled_pages", (REPOSITORY, POSITION), ("code text not null",))
SETTLED_CODES = Table("settled_codes", ("code text not null",), (REPOSITORY, POSITION))
PAGE_VERSIONS = Table(
    "page_versions",
    (REPOSITORY, POSITION, "number integer not null"),
    (
        "code text not null",
        *BY,
        "authored_at integer not null",
        "path text",
        "before text",
        "after text",
        "added integer",
        "removed integer",
    ),
)
TASK_CHANGES = Table(
    "task_changes",
    (REPOSITORY, POSITION),
    (
        *BY,
        "slug text not null",
        "title text not null",
        "kind text not null",
        "status text not null",
        "before text",
        "after text",
    ),
)
TASK_TEXTS = Texts("task_texts", "task_search", (REPOSITORY, POSITION), ("slug", "title", "next", "text"))
PAGE_TEXTS = Texts(
    "page_texts",
    "page_search",
    (REPOSITORY, "kind text not null", POSITION),
    ("slug", "title", "headings", "body"),
)

# Every word of `name` that is in its word index, sorted, in one text: to look through all takes a millisecond.
VOCABULARIES = Table("vocabularies", ("name text not null",), ("words text not null",))

OF_ONE_PROJECT: tuple[Table | Texts, ...] = (
    CONTENTS,
    ITEMS,
    PAGES,
    SHARED_PAGES,
    LINKS,
    TASK_FILES,
    ATTACHMENTS,
    DIAGNOSTICS,
    HISTORIES,
    PAGE_HISTORIES,
    PAGE_CODES,
    PAGE_VERSIONS,
    TASK_CHANGES,
    TASK_TEXTS,
    PAGE_TEXTS,
)
EVERY: tuple[Table | Texts, ...] = (META, PROJECTS, *OF_ONE_PROJECT, SETTLED_PAGES, SETTLED_CODES)
SEARCHED = (TASK_TEXTS, PAGE_TEXTS)
# What a list would sort, a name would look through and a total would count on every call.
INDEXES = (
    "create index items_as_listed on items (rank, changed_at desc, repository, position)",
    "create index projects_by_id on projects (id_folded)",
    "create index projects_by_path on projects (path_folded)",
    "create index projects_by_name on projects (name_folded)",
    "create index pages_by_slug on pages (repository, slug)",
    "create index shared_pages_by_slug on shared_pages (repository, slug)",
    "create index page_histories_by_slug on page_histories (repository, slug, is_gone)",
    "create index page_codes_by_code on page_codes (code, rank, repository, position)",
    "create index page_versions_by_time on page_versions "
    "(at desc, repository, position, number desc, author_folded, email_folded)",
    "create index task_changes_by_time on task_changes (at desc, repository, position, author_folded, email_folded)",
    "create index projects_by_state on projects (state, board, wiki_pages, shared_pages)",
)


def best_engine(connection: sqlite3.Connection) -> Engine:
    """`trigram` where this SQLite has FTS5 with that tokenizer (3.34), else `scan`."""
    try:
        connection.execute(f"create virtual table temp.probe using fts5(letters, {TRIGRAMS})")
    except sqlite3.OperationalError:
        return "scan"
    connection.execute("drop table temp.probe")
    return "trigram"


def indexed(engine: Engine) -> tuple[Texts, ...]:
    """The texts that have a trigram index in a catalog of this engine."""
    return SEARCHED if engine == "trigram" else ()


def definitions(engine: Engine) -> Iterator[str]:
    """Every statement that makes an empty catalog, in order."""
    for table in EVERY:
        yield table.definition
    yield from INDEXES
    if engine == "trigram":
        yield VOCABULARIES.definition
    for texts in indexed(engine):
        yield from full_text_indexes(texts)
