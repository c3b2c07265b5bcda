"""Which pages of a project are worth sharing with the others.  Pure, never raises.

A page is offered when it names a platform or tool, and neither the project nor anything that the shared wiki never
speaks of.  People decide; nothing here writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz import process
from rapidfuzz.distance import Indel

from pipeline.domains import CROSS, UNKNOWN
from pipeline.model import RepoPath
from pipeline.parse.blocks import Block, Heading, Item, Text
from pipeline.parse.markdown import inspect
from pipeline.parse.page import parse_page
from pipeline.stems import first_named
from pipeline.text import fold
from pipeline.tool_words import OTHER, PLATFORM, Tool, Vocabulary, find_tools, vocabulary

CLOSE = 0.8
FIRST_TOOL, FURTHER_TOOL, TOOLS_COUNTED = 0.3, 0.1, 3
WHY_SECTION, HOW_SECTION, CONFIRMED = 0.1, 0.1, 0.3
ALREADY_SHARED = 0.25
TOOLS_SHOWN, PAGES_SHOWN = 5, 2

WORD = re.compile(r"[^\W\d_]+")
LEAD = re.compile(r"(?:\*\*|__)([^*_]{1,60})(?:\*\*|__)")
WHY = frozenset({"why", "reason", "reasons", "rationale", "cause", "causes", "почему", "зачем", "причина", "причины"})
HOW = frozenset({"when", "how", "fix", "solution", "workaround", "когда", "как", "решение", "исправление", "обход"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptPage:
    """A page of the project; `path` from the project's folder, `slug` that path below `.wiki/` without `.md`."""

    path: str
    slug: str
    title: str
    text: str
    has_why: bool
    has_how: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTitle:
    """A page that the shared wiki has already."""

    slug: str
    title: str
    domain: str | None
    source_project: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What decides beside the page: the project's detected domain and own names, the shared wiki's black list and
    pages, and further words of tools.
    """

    domain: str = UNKNOWN
    own_names: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    shared: tuple[SharedTitle, ...] = ()
    promote_words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A page to offer.  `confidence` is from 0 to 1; `suggested_domain` None where nothing tells one; `reason` names
    the words and the shared pages that decided.
    """

    slug: str
    current_path: str
    suggested_domain: str | None
    confidence: float
    reason: str


def read_concept(path: str, raw: bytes) -> ConceptPage:
    """Read one Markdown file of the project's wiki."""
    slug = path.removeprefix(".wiki/")[: -len(".md")]
    document, _ = inspect(raw)
    page, _ = parse_page(RepoPath(path), slug, raw)
    sections = {word for block in document.blocks for word in _first_word(block)}
    return ConceptPage(
        path=path,
        slug=slug,
        title=page.title,
        text=document.text,
        has_why=not sections.isdisjoint(WHY),
        has_how=not sections.isdisjoint(HOW),
    )


def suggest_promote(pages: Iterable[ConceptPage], around: Surroundings) -> tuple[Candidate, ...]:
    """The pages worth offering to the shared wiki, the surest first, then by slug.

    One that names nothing of note, or something that must not be shared, is left out without a word.
    """
    known, titles = vocabulary(around.promote_words), [fold(one.title) for one in around.shared]
    found = (_judge(page, around, known, titles) for page in pages)
    return tuple(sorted((one for one in found if one), key=lambda one: (-one.confidence, one.slug)))


def _judge(page: ConceptPage, around: Surroundings, known: Vocabulary, titles: Sequence[str]) -> Candidate | None:
    tools = find_tools(page.text, known)
    spoken = f"{page.slug}\n{page.title}\n{page.text}"
    if not tools or first_named(spoken, (*around.own_names, *around.never)) is not None:
        return None
    domain = _suggested_domain(tools, around.domain)
    close = [around.shared[place] for place in _alike(page.title, titles)]
    own = {fold(name) for name in around.own_names}
    already = [one for one in close if _is_at_home(one, domain) or fold(one.source_project or "") in own]
    elsewhere = [one for one in close if one not in already and one.domain is not None]
    return Candidate(
        slug=page.slug,
        current_path=page.path,
        suggested_domain=domain,
        confidence=_confidence(page, tools, confirmed=bool(elsewhere), already=bool(already)),
        reason=_reason(page, tools, elsewhere, already),
    )


def _is_at_home(shared: SharedTitle, domain: str | None) -> bool:
    """True for a page of the same domain; where none is known, for any."""
    return domain is None or fold(shared.domain or "") == fold(domain)


def _suggested_domain(tools: Sequence[Tool], detected: str) -> str | None:
    """The folder's domain; `cross` when every tool (a platform is none) serves all domains; where the folder tells
    none, the one domain to which all the others belong.
    """
    groups = {tool.group for tool in tools} - {PLATFORM}
    if groups == {CROSS}:
        return CROSS
    if detected != UNKNOWN:
        return detected
    told = groups - {CROSS, OTHER}
    return next(iter(told)) if len(told) == 1 and OTHER not in groups else None


def _confidence(page: ConceptPage, tools: Sequence[Tool], *, confirmed: bool, already: bool) -> float:
    further = min(len(tools), TOOLS_COUNTED) - 1
    signs = WHY_SECTION * page.has_why + HOW_SECTION * page.has_how + CONFIRMED * confirmed
    sure = FIRST_TOOL + FURTHER_TOOL * further + signs
    return round(sure * (ALREADY_SHARED if already else 1), 2)


def _alike(title: str, titles: Sequence[str]) -> list[int]:
    """The places of the folded titles that are close to `title`, the nearest first, then in their order."""
    found = process.extract(fold(title), titles, scorer=Indel.normalized_similarity, score_cutoff=CLOSE, limit=None)
    return [place for _, likeness, place in sorted(found, key=lambda each: (-each[1], each[2]))]


def _first_word(block: Block) -> list[str]:
    """The first word of a heading, or of the bold words that a line begins with."""
    if isinstance(block, Heading):
        return WORD.findall(fold(block.text))[:1]
    lead = LEAD.match(block.text) if isinstance(block, (Item, Text)) else None
    return WORD.findall(fold(lead[1]))[:1] if lead else []


def _reason(
    page: ConceptPage, tools: Sequence[Tool], elsewhere: Sequence[SharedTitle], already: Sequence[SharedTitle]
) -> str:
    sections = [name for name, there in (("Why", page.has_why), ("When/How", page.has_how)) if there]
    parts = [
        f"names {_listed([tool.name for tool in tools], TOOLS_SHOWN)}",
        f"shared already, as it seems: {_listed([one.slug for one in already], PAGES_SHOWN)}" if already else "",
        f"confirmed in another domain: {_listed([one.slug for one in elsewhere], PAGES_SHOWN)}" if elsewhere else "",
        f"says {' and '.join(sections)}" if sections else "",
    ]
    return "; ".join(part for part in parts if part)


def _listed(names: Sequence[str], most: int) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"
