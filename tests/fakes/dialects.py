"""What tells the servers apart that we ask: one row for each; the routes read the row, never its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

Family = Literal["gitea", "gogs"]

FINE_SCOPES = ("read:repository", "read:user", "read:organization")
# What a token must be allowed to do, by kind of question.  A path's outer group is asked before its inner one.
FINE_NEEDS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "code": ("read:repository",),
    "write code": ("write:repository",),
    "search": ("read:repository",),
    "by id": ("read:repository",),
    "user": ("read:user",),
    "user listing": ("read:user", "read:repository"),
    "organisation": ("read:organization",),
})  # fmt: skip
# Before scopes had read and write, reading asked for one in two places only.
COARSE_NEEDS: Mapping[str, tuple[str, ...]] = MappingProxyType({"by id": ("repo",), "own listing": ("repo",)})
TRANSLATED = MappingProxyType({"": "The target couldn't be found.", "ru": "Цель не найдена."})
PLAIN = MappingProxyType({"": "not found"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How one server speaks.

    `version` is what /version says, None where there is no such route; `not_found` is the text of a 404 by
    language ("" for any other); `needs` are the scopes by kind of question; `redirect` is the status for a
    renamed repository, None where the old name is a 404.
    """

    version: str | None
    family: Family = "gitea"
    knows_batches: bool = True
    knows_blob_batches: bool = False
    archives_by_path: bool = False
    type_of_archives: str = "application/octet-stream"
    knows_not: bool = True
    knows_since: bool = True
    counts_since: bool = False
    path_pages_are_fixed: bool = True
    pages_end: bool = True
    knows_files: bool = True
    weak_match: bool = True
    raw_falls_back: bool = True
    raw_of_empty: int = 404
    raw_max_age_s: int = 21600
    contents_of_empty_are_a_list: bool = False
    last_tree_page_is_truncated: bool = False
    sends_total: bool = True
    sends_links: bool = True
    sorts_by_size_of_git: bool = True
    searches_owners: bool = True
    has_code_field: bool = True
    tells_response_size: bool = True
    tells_what_is_stored_elsewhere: bool = True
    dates_of_contents: tuple[str, ...] = ("last_committer_date", "last_author_date")
    lists_unreadable: bool = True
    settings_move_the_time: bool = False
    type_headers: tuple[str, ...] = ("X-Gitea-Object-Type",)
    scheme_is_exact: bool = False
    any_case_scheme: bool = True
    bad_token_is_nobody: bool = False
    bad_token: str = "invalid username, password or token"
    lacks_scope: str = "token does not have at least one of required scope(s), required=[{}], token scope={}"
    not_found: Mapping[str, str] = field(default_factory=lambda: PLAIN, hash=False)
    not_found_has_errors: bool = True
    no_errors_are_a_list: bool = False
    words_of_empty_are_an_error: bool = False
    redirect: int | None = 301
    redirects_anybody: bool = True
    unknown_start: int = 404
    encoding_of_nothing: str | None = None
    content_of_nothing: str | None = None
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: FINE_NEEDS, hash=False)
    read_scopes: tuple[str, ...] = FINE_SCOPES


GITEA_1_25 = Dialect(version="1.25.4")
GITEA_1_24 = replace(
    GITEA_1_25, version="1.24.7", knows_since=False, has_code_field=False, any_case_scheme=False,
    tells_what_is_stored_elsewhere=False, not_found=TRANSLATED,
    bad_token="user does not exist [uid: 0, name: ]",
)  # fmt: skip
GITEA_1_19 = replace(
    GITEA_1_24, version="1.19.4", knows_batches=False, knows_not=False, weak_match=False,
    pages_end=False, knows_files=False,
    raw_falls_back=False, raw_of_empty=500, contents_of_empty_are_a_list=True,
    last_tree_page_is_truncated=True, dates_of_contents=(),
    lists_unreadable=False, settings_move_the_time=True, sorts_by_size_of_git=False, tells_response_size=False,
    bad_token_is_nobody=True, lacks_scope="token does not have required scope: {}", redirect=307,
    unknown_start=500, encoding_of_nothing="base64", content_of_nothing="", needs=COARSE_NEEDS, read_scopes=("repo",),
)  # fmt: skip
GITEA_1_26 = replace(GITEA_1_25, version="1.26.2", archives_by_path=True)
GITEA_1_27 = replace(GITEA_1_26, version="1.27.1", not_found_has_errors=False, counts_since=True)
FORGEJO_11 = replace(
    GITEA_1_24, version="11.0.1+gitea-1.22.0", knows_batches=False, last_tree_page_is_truncated=True,
    tells_response_size=False, raw_falls_back=False, contents_of_empty_are_a_list=True, raw_max_age_s=300,
    words_of_empty_are_an_error=True,
    encoding_of_nothing="base64", content_of_nothing="", dates_of_contents=("last_commit_when",),
    settings_move_the_time=True, lacks_scope="token does not have at least one of required scope(s): [{}]",
    no_errors_are_a_list=True, redirects_anybody=False,
    type_headers=("X-Gitea-Object-Type", "X-Forgejo-Object-Type"), type_of_archives="application/gzip",
)  # fmt: skip
FORGEJO_12 = replace(FORGEJO_11, version="12.0.4+gitea-1.22.0", knows_blob_batches=True, any_case_scheme=True)
GOGS = Dialect(
    version=None, family="gogs", knows_batches=False, knows_not=False, knows_since=False,
    sends_total=False, has_code_field=False, scheme_is_exact=True, any_case_scheme=False,
    bad_token_is_nobody=True, redirect=None, needs=MappingProxyType({}), read_scopes=(),
)  # fmt: skip

DIALECTS: Mapping[str, Dialect] = MappingProxyType({
    "gitea-1.19": GITEA_1_19,
    "gitea-1.24": GITEA_1_24,
    "gitea-1.25": GITEA_1_25,
    "gitea-1.26": GITEA_1_26,
    "gitea-1.26-dev": replace(GITEA_1_26, version="1.26.0+dev-123-gabc1234"),
    "gitea-1.27": GITEA_1_27,
    "forgejo-11": FORGEJO_11,
    "forgejo-12": FORGEJO_12,
    "gogs": GOGS,
})  # fmt: skip
