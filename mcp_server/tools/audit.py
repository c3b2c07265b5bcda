"""What of the shared wiki to look at again: meta_audit_shared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from mcp_server import results
from mcp_server.arguments import OFFSET, Whole, rows
from mcp_server.tool import Reader, Tool
from pipeline.catalog import knowledge, sliced
from pipeline.catalog.shared_wiki import audited_pages
from pipeline.catalog.status import freshness
from pipeline.model import RepositoryId
from pipeline.shared_audit import AuditedPage, Fault, months_before

AUDIT_LIMIT = 30
MONTHS = Whole(name="months", minimum=1, maximum=120, default=6, meaning="unchanged for so long is old")
FAULTS: tuple[Fault, ...] = ("old", "unlinked", "domain")


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedAudit(results.ListAnswer):
    """meta_audit_shared.  `faults` counts pages by fault, zeros left out."""

    project: RepositoryId | None
    before: datetime
    domains: tuple[str, ...]
    shared_pages: int
    faults: Mapping[Fault, int]
    pages: tuple[AuditedPage, ...]
    next_action_hint: str | None


def ask_audit(reader: Reader, *, months: int, limit: int, offset: int) -> SharedAudit:
    """The pages of the shared wiki with a fault, those with most faults first."""
    catalog = reader.catalog()
    wiki = knowledge.shared_wiki(catalog)
    before = months_before(reader.published.now(), months)
    found = audited_pages(catalog, wiki, before) if wiki else ()
    part = sliced(found[offset : offset + limit], len(found), limit, offset)
    listed = results.fitting(part.rows, limit, AUDIT_LIMIT)
    counts = {fault: sum(fault in one.faults for one in found) for fault in FAULTS}
    return SharedAudit(
        **results.age(freshness(catalog, wiki)),
        **results.position(part, len(listed)),
        project=wiki.project if wiki else None,
        before=before,
        domains=knowledge.shared_rules(catalog).domains,
        shared_pages=wiki.shared_pages if wiki else 0,
        faults={fault: count for fault, count in counts.items() if count},
        pages=listed,
        next_action_hint=None if wiki else knowledge.NO_SHARED_WIKI,
    )


# --- the same in words -------------------------------------------------------------------------------


def show_audit(answer: SharedAudit) -> str:
    """What was looked for, then one line per page."""
    head = results.list_words(answer, "shared pages to look at", len(answer.pages))
    domains = ", ".join(map(results.quoted, answer.domains)) or "none, so any will do"
    sought = f"of {answer.shared_pages}; old = changed before {answer.before:%Y-%m-%d}; domains listed: {domains}"
    hint = [answer.next_action_hint] if answer.next_action_hint else []
    return "\n".join([head, sought, *map(_words, answer.pages), *hint])


def _words(row: AuditedPage) -> str:
    domain = f" [{results.quoted(row.domain)}]" if row.domain else " [no domain]"
    changed = f", changed {row.changed_at:%Y-%m-%d} by {row.changed_by}" if row.changed_at else ", age unknown"
    return f"- {results.quoted(row.slug)}{domain}: {', '.join(row.faults)}{changed}"


# --- the rows ------------------------------------------------------------------------------------------

TOOLS = (
    Tool(
        name="meta_audit_shared",
        title="meta.audit_shared",
        description=(
            "List shared wiki pages to look at again: unchanged for some months, without a link from another page, "
            "or of a domain that the wiki's CLAUDE.md does not list."
        ),
        arguments=(MONTHS, rows(AUDIT_LIMIT), OFFSET),
        answer=SharedAudit,
        ask=ask_audit,
        show=show_audit,
    ),
)
