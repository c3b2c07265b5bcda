"""The texts that search looks at, and the full-text indexes that stand over them where SQLite can make them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline import search_words

TRIGRAMS = "tokenize='trigram case_sensitive 1'"
HASH_BYTES = 32 << 20


@dataclass(frozen=True, slots=True)
class Texts:
    """Folded texts that search looks at; `fields` in the order in which a hit counts.

    Three indexes stand over `name`, where SQLite can make them: `search` of the trigrams of all fields,
    `heads` of those of all fields but the last, field by field, and `words` of what `search_words` says;
    the table of vocabularies has the words of the last.  Whoever writes `name` tells them (`index_search`).
    """

    name: str
    search: str
    key: tuple[str, ...]
    fields: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The column names without the row id, key first."""
        return (*(column.split(" ", 1)[0] for column in self.key), *self.fields)

    @property
    def definition(self) -> str:
        """The CREATE statement: the full-text index needs a row id, nothing else may lean on it."""
        key = ", ".join(column.split(" ", 1)[0] for column in self.key)
        columns = ", ".join((*self.key, *(f"{field} text not null" for field in self.fields)))
        return f"create table {self.name} (id integer primary key, {columns}, unique ({key}))"

    @property
    def letters(self) -> str:
        """The view of `search` that lists its trigrams: how two letters are found by the index."""
        return f"{self.search}_letters"

    @property
    def heads(self) -> str:
        """The trigram index over the fields that stand above a text."""
        return f"{self.search}_heads"

    @property
    def words(self) -> str:
        """The index of whole words and single letters."""
        return f"{self.search}_words"

    @property
    def known(self) -> str:
        """The view of `words` that lists its tokens."""
        return f"{self.words}_known"

    @property
    def held(self) -> str:
        """The view of `words` that lists its tokens, each with the ids of its texts."""
        return f"{self.words}_held"

    @property
    def trigram_indexes(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The trigram indexes, each with its columns: the first fields of a text."""
        return (self.search, self.fields), (self.heads, self.fields[:-1])


def full_text_indexes(texts: Texts) -> Iterator[str]:
    """The statements that make the three indexes over some texts, empty, and the views of what they hold."""
    for (name, columns), detail in zip(texts.trigram_indexes, ("none", "column"), strict=True):
        content = f"content='{texts.name}', content_rowid='id'"
        yield _full_text_index(name, columns, f"{content}, {TRIGRAMS}, detail={detail}")
    yield _full_text_index(texts.words, ("tokens",), f"content='', {search_words.TOKENIZER}, detail=none")
    yield f"create virtual table {texts.letters} using fts5vocab({texts.search}, row)"
    yield f"create virtual table {texts.known} using fts5vocab({texts.words}, row)"
    yield f"create virtual table {texts.held} using fts5vocab({texts.words}, instance)"
    # A larger buffer before an index is merged to disk: less work when all is new.
    for name in (texts.search, texts.heads, texts.words):
        yield f"insert into {name} ({name}, rank) values ('hashsize', {HASH_BYTES})"


def _full_text_index(name: str, columns: Sequence[str], options: str) -> str:
    return f"create virtual table {name} using fts5({', '.join(columns)}, {options}, columnsize=0)"
