"""A folder's commits and the texts of its pages → each page's versions and code.  Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipeline.chains import Chain, Edit, trace
from pipeline.codes import claim_of, settle, with_code
from pipeline.differences import count_lines
from pipeline.model import FolderHistory, PageHistory, PageKey, PageVersion, RepositoryId
from pipeline.renames import Text

Known = Callable[[str | None, str | None], tuple[int, int] | None]


def page_histories(
    repository: RepositoryId, history: FolderHistory, pages: Sequence[PageKey], text: Text, known: Known
) -> tuple[PageHistory, ...]:
    """The versions of every page of a folder, by slug; then of those that are no more, by their last path.

    `text` gives the bytes of a blob, None when they are not there.  `known` gives the lines added and removed between
    two blobs (None: no file) where they were counted before, else None: only the others are counted.  Codes are
    settled among these pages alone; over several repositories `codes.settle` has the last word.  A page that no commit
    names has no versions, and so have all while the history's order is not known.
    """
    ordered = sorted(pages, key=lambda page: page.slug)
    chains = trace(history, [page.path for page in ordered], text)
    count = _Counter(text, known)
    keys = [*ordered, *[None] * (len(chains) - len(ordered))]
    unsettled = [_page_history(chain, key, count) for chain, key in zip(chains, keys, strict=True)]
    grants = settle([claim_of(repository, page) for page in unsettled])
    return tuple(with_code(page, grant) for page, grant in zip(unsettled, grants, strict=True))


@dataclass(frozen=True, slots=True)
class _Counter:
    """Lines added and removed, counted where they are not known."""

    text: Text
    known: Known

    def count(self, before: str | None, after: str | None) -> tuple[int, int] | None:
        if before == after:
            return 0, 0
        return self.known(before, after) or self._compare(before, after)

    def _compare(self, before: str | None, after: str | None) -> tuple[int, int] | None:
        old, new = (None if oid is None else self.text(oid) for oid in (before, after))
        if [old is None, new is None] != [before is None, after is None]:
            return None
        return count_lines(old, new)


def _page_history(chain: Chain, key: PageKey | None, counter: _Counter) -> PageHistory:
    count = len(chain.edits)
    versions = tuple(_version(edit, count - place, count, counter) for place, edit in enumerate(chain.edits))
    return PageHistory(
        code="",
        aliases=(),
        slug=key.slug if key else None,
        path=chain.path,
        versions=versions,
        asked=key.code if key else None,
        addresses=chain.addresses,
        nth=chain.nth,
    )


def _version(edit: Edit, number: int, count: int, counter: _Counter) -> PageVersion:
    lines = counter.count(edit.before, edit.after)
    commit = edit.commit
    return PageVersion(
        code="",
        number=number,
        count=count,
        commit=commit.id,
        author=commit.author,
        email=commit.email,
        at=commit.committed_at,
        authored_at=commit.authored_at,
        path=edit.path,
        before=edit.before,
        after=edit.after,
        added=lines[0] if lines else None,
        removed=lines[1] if lines else None,
    )
