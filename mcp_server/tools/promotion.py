"""What of the caller's own wiki is worth sharing: knowledge_suggest_promote.  It suggests; people decide and write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mcp_server import results
from mcp_server.arguments import OFFSET, rows
from mcp_server.tool import Reader, Tool
from mcp_server.working_folder import FoundPage, concepts, own_names
from pipeline.catalog import Catalog, answers, knowledge, sliced
from pipeline.catalog.preferences import preferences
from pipeline.catalog.status import freshness
from pipeline.errors import CatalogError
from pipeline.model import RepositoryId

if TYPE_CHECKING:
    from pipeline.promotion import Candidate

PROMOTE_LIMIT = 20
UNREAD_SHOWN = 10

NO_FOLDER = (
    "no project folder is known; start the server in the project or with --cwd DIR, then ask again "
    "(over HTTP --cwd must be given)"
)
NEXT = (
    "ask the person about each; to promote one, copy it to <domain>/<name>.md of the shared wiki, with title, domain, "
    "shared_at and source_project in its front matter; this server writes nothing"
)
NO_BLACK_LIST = "there is no shared wiki, so no black list kept anything back: look twice. "
NOTHING_HERE = "no page stands in .wiki/concepts of the caller's folder"
NOTHING_WORTH = "no page names a platform or tool and is free of the project's own and black-listed names"


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A page to offer; `suggested_domain` is left out where nothing tells one."""

    slug: str
    current_path: str
    suggested_domain: str | None
    confidence: float
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestions(results.ListAnswer):
    """knowledge_suggest_promote.  Of the pages kept back nothing is said but how many were read."""

    project: RepositoryId | None
    domain: str
    own_names: tuple[str, ...]
    pages_read: int
    unread: tuple[str, ...]
    unread_total: int
    candidates: tuple[Suggestion, ...]
    next_action_hint: str


def ask_promote(reader: Reader, *, limit: int, offset: int) -> Suggestions:
    """The candidates among the pages of the caller's folder, the surest first."""
    catalog = reader.catalog()
    folder = _folder(reader)
    wiki = knowledge.shared_wiki(catalog)
    domain, names = reader.domain(catalog), own_names(folder)
    found = tuple(concepts(folder))
    everything = _judge(catalog, domain, names, found)
    part = sliced(everything[offset : offset + limit], len(everything), limit, offset)
    listed = results.fitting([_suggested(one) for one in part.rows], limit, PROMOTE_LIMIT)
    unread = [page.path for page in found if page.raw is None]
    return Suggestions(
        **results.age(freshness(catalog, wiki)),
        **results.position(part, len(listed)),
        project=wiki.project if wiki else None,
        domain=domain,
        own_names=names,
        pages_read=len(found) - len(unread),
        unread=tuple(unread[:UNREAD_SHOWN]),
        unread_total=len(unread),
        candidates=listed,
        next_action_hint=_hint(wiki, found, everything),
    )


def _folder(reader: Reader) -> Path:
    if reader.cwd is None or not reader.cwd.is_dir():
        raise CatalogError(NO_FOLDER)
    return reader.cwd


def _judge(catalog: Catalog, domain: str, names: tuple[str, ...], found: Sequence[FoundPage]) -> tuple[Candidate, ...]:
    """The candidates; YAML and the stemmers are loaded here, since no other question needs them."""
    from pipeline.promotion import SharedTitle, Surroundings, read_concept, suggest_promote

    titles = (
        SharedTitle(slug=page.slug, title=page.title, domain=page.domain, source_project=page.source_project)
        for page in knowledge.shared_pages(catalog)
    )
    around = Surroundings(
        domain=domain,
        own_names=names,
        never=knowledge.shared_rules(catalog).never,
        shared=tuple(titles),
        promote_words=preferences(catalog).promote_words,
    )
    return suggest_promote((read_concept(page.path, page.raw) for page in found if page.raw is not None), around)


def _suggested(one: Candidate) -> Suggestion:
    return Suggestion(
        slug=one.slug,
        current_path=one.current_path,
        suggested_domain=one.suggested_domain,
        confidence=one.confidence,
        reason=one.reason,
    )


def _hint(wiki: answers.ProjectRow | None, found: tuple[FoundPage, ...], everything: tuple[Candidate, ...]) -> str:
    if not found:
        return NOTHING_HERE
    if not everything:
        return NOTHING_WORTH
    return NEXT if wiki else NO_BLACK_LIST + NEXT


# --- the same in words -------------------------------------------------------------------------------


def show_suggestions(answer: Suggestions) -> str:
    """One line per candidate, then what could not be read and what to do."""
    head = results.list_words(answer, "pages worth sharing", len(answer.candidates))
    names = ", ".join(map(results.quoted, answer.own_names))
    place = f"of {answer.pages_read} pages read, domain {results.quoted(answer.domain)}, own names {names}"
    unread = [f"{answer.unread_total} not read, too large: {_paths(answer)}"] if answer.unread_total else []
    return "\n".join([head, place, *map(_words, answer.candidates), *unread, answer.next_action_hint])


def _words(row: Suggestion) -> str:
    domain = f" → {results.quoted(row.suggested_domain)}" if row.suggested_domain else ""
    return f"- {row.confidence:.2f} {results.quoted(row.slug)}{domain}: {results.quoted(row.reason)}"


def _paths(answer: Suggestions) -> str:
    return ", ".join(map(results.quoted, answer.unread))


# --- the rows ------------------------------------------------------------------------------------------

TOOLS = (
    Tool(
        name="knowledge_suggest_promote",
        title="knowledge.suggest_promote",
        description=(
            "Suggest which pages of your folder's .wiki/concepts are worth sharing with other projects: those that "
            "name platforms or tools and nothing that must stay here. Writes nothing: let the person decide."
        ),
        arguments=(rows(PROMOTE_LIMIT), OFFSET),
        answer=Suggestions,
        ask=ask_promote,
        show=show_suggestions,
    ),
)
