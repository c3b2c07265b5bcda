"""What of the shared wiki to look at again, asked through the protocol."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipeline.model import SharedRules
from tests.fakes.catalogs import Project
from tests.fakes.published import Site
from tests.mcp_server.asking import ATLAS, answer, call, words

# Every page was shared on 1 October 2026, two months before the tests' now.
SHARED = Project(
    repository="local/team/projects-wiki",
    shared_pages={"node/yarn": "Yarn\n", "node/npm": "npm\n", "cross/git": "Git\n", "web/nginx": "Nginx\n"},
    titles={"node/npm": "npm"},
    shared_links=(("node/npm", "node/yarn", 1), ("node/yarn", "cross/git", 2), ("node/npm", "node/npm", 3)),
    rules=SharedRules(domains=("node", "cross"), never=()),
)


@pytest.fixture
def audited(site: Site) -> Site:
    """A shared wiki of four pages."""
    site.publish(ATLAS, SHARED)
    return site


def test_pages_without_links_or_with_an_unlisted_domain_are_told(audited: Site):
    found = answer(audited, "meta_audit_shared")

    assert [(row["slug"], row["faults"]) for row in found["pages"]] == [
        ("web/nginx", ["unlinked", "domain"]),
        ("node/npm", ["unlinked"]),
    ]
    assert (found["faults"], found["total"], found["shared_pages"]) == ({"unlinked": 2, "domain": 1}, 2, 4)
    assert (found["before"], found["domains"]) == ("2026-05-30T12:00:00Z", ["node", "cross"])


def test_the_months_are_the_callers(audited: Site):
    found = answer(audited, "meta_audit_shared", months=1, limit=1, offset=2)

    assert found["pages"] == [
        {
            "slug": "cross/git",
            "title": "cross/git",
            "domain": "cross",
            "changed_at": "2026-10-01T00:00:00Z",
            "changed_by": "shared_at",
            "faults": ["old"],
        }
    ]
    assert (found["total"], found["next_offset"], found["faults"]["old"]) == (4, 3, 4)


def test_the_audit_in_words_is_one_line_per_page(audited: Site):
    assert words(call(audited, "meta_audit_shared")).splitlines()[1:] == [
        'of 4; old = changed before 2026-05-30; domains listed: "node", "cross"',
        '- "web/nginx" ["web"]: unlinked, domain, changed 2026-10-01 by shared_at',
        '- "node/npm" ["node"]: unlinked, changed 2026-10-01 by shared_at',
    ]


def test_a_wiki_that_lists_no_domains_takes_any(site: Site):
    site.publish(ATLAS, replace(SHARED, rules=None))

    assert answer(site, "meta_audit_shared")["faults"] == {"unlinked": 2}
    assert "domains listed: none, so any will do" in words(call(site, "meta_audit_shared"))


def test_without_a_shared_wiki_there_is_nothing_to_audit(library: Site):
    found = answer(library, "meta_audit_shared")

    assert (found["project"], found["pages"], found["shared_pages"]) == (None, [], 0)
    assert found["next_action_hint"].startswith("there is no shared wiki")
