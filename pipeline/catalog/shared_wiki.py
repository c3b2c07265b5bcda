"""Questions about the shared wiki as a whole: which of its pages to look at again."""

from __future__ import annotations

from datetime import datetime

from pipeline.catalog import Catalog
from pipeline.catalog.answers import ProjectRow, SharedPageRow
from pipeline.catalog.knowledge import backlinks, shared_pages, shared_rules
from pipeline.shared_audit import AuditedPage, KeptPage, audit


def audited_pages(catalog: Catalog, wiki: ProjectRow, before: datetime) -> tuple[AuditedPage, ...]:
    """The pages of the shared wiki `wiki` that should be looked at again; see `audit`."""
    pages = [_kept(catalog, page) for page in shared_pages(catalog)]
    return audit(pages, wiki.changed_at, shared_rules(catalog).domains, before)


def _kept(catalog: Catalog, page: SharedPageRow) -> KeptPage:
    leading = backlinks(catalog, page.project, page.slug, "shared")
    return KeptPage(
        slug=page.slug,
        title=page.title,
        domain=page.domain,
        shared_at=page.shared_at,
        linked=any(one.slug != page.slug for one in leading),
    )
