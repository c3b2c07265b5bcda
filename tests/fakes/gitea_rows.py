"""A repository and an account as JSON: all the fields of a real row, so that an answer weighs what it does there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from tests.fakes.gitea import FakeGitea
    from tests.fakes.gitea_state import Owner, Repository

NEVER = "0001-01-01T00:00:00Z"
NOT_ARCHIVED = datetime(1970, 1, 1, tzinfo=UTC)
CREATED = "2025-01-01T00:00:00Z"
SAME_FOR_ALL_OWNERS: Mapping[str, Any] = MappingProxyType({
    "login_name": "", "source_id": 0, "full_name": "", "language": "", "is_admin": False, "last_login": NEVER,
    "created": CREATED, "restricted": False, "active": False, "prohibit_login": False, "location": "", "website": "",
    "description": "", "visibility": "public", "followers_count": 0, "following_count": 0, "starred_repos_count": 0,
})  # fmt: skip
SAME_FOR_ALL: Mapping[str, Any] = MappingProxyType({
    "description": "", "fork": False, "template": False, "size": 24, "language": "", "link": "", "original_url": "",
    "website": "", "stars_count": 0, "forks_count": 0, "watchers_count": 1, "open_issues_count": 0,
    "open_pr_counter": 0, "release_counter": 0, "created_at": CREATED, "has_issues": True,
    "internal_tracker": {
        "enable_time_tracker": True, "allow_only_contributors_to_track_time": True, "enable_issue_dependencies": True,
    },
    "has_wiki": True, "has_pull_requests": True, "has_projects": True, "projects_mode": "all", "has_releases": True,
    "has_packages": True, "has_actions": True, "ignore_whitespace_conflicts": False, "allow_merge_commits": True,
    "allow_rebase": True, "allow_rebase_explicit": True, "allow_squash_merge": True,
    "allow_fast_forward_only_merge": True, "allow_rebase_update": True, "allow_manual_merge": False,
    "autodetect_manual_merge": False, "default_delete_branch_after_merge": False, "default_merge_style": "merge",
    "default_allow_maintainer_edit": False, "avatar_url": "", "object_format_name": "sha1", "topics": [],
    "licenses": [],
})  # fmt: skip


def rows(forge: FakeGitea, repositories: Iterable[Repository]) -> list[orjson.Fragment]:
    """Rows of a listing, as JSON that is made anew only for a repository that changed."""
    server = (forge.root_url, forge.utc_offset_hours, forge.dialect.has_code_field)
    return [_kept(forge, each, server) for each in repositories]


def _kept(forge: FakeGitea, repository: Repository, server: tuple[object, ...]) -> orjson.Fragment:
    key = (*server, *repository.told())
    known = forge.kept_rows.get(repository.id)
    if known is None or known[0] != key:
        known = forge.kept_rows[repository.id] = key, orjson.Fragment(orjson.dumps(row(forge, repository)))
    return known[1]


def row(forge: FakeGitea, repository: Repository) -> dict[str, object]:
    """A repository's row: no head commit in it, and a `link` that is always empty."""
    page = f"{forge.root_url}/{repository.full_name}"
    api = f"{forge.root_url}/api/v1/repos/{repository.full_name}"
    told: dict[str, object] = {
        "id": repository.id,
        "owner": owner_row(forge, forge.owner(repository.owner)),
        "name": repository.name,
        "full_name": repository.full_name,
        "empty": repository.empty,
        "private": repository.private,
        "mirror": repository.mirror,
        "languages_url": f"{api}/languages",
        "html_url": page,
        "url": api,
        "ssh_url": f"git@gitea.internal:{repository.full_name}.git",
        "clone_url": f"{page}.git",
        "default_branch": repository.default_branch,
        "archived": repository.archived,
        "archived_at": forge.written(repository.updated_at if repository.archived else NOT_ARCHIVED),
        "updated_at": forge.written(repository.updated_at),
        "permissions": {"admin": False, "push": False, "pull": repository.pull},
        "internal": repository.internal,
        "mirror_interval": "8h0m0s" if repository.mirror else "",
        "mirror_updated": forge.written(repository.mirror_updated) if repository.mirror_updated else NEVER,
        **SAME_FOR_ALL,
    }
    return told | {"has_code": True} if forge.dialect.has_code_field else told


def owner_row(forge: FakeGitea, owner: Owner) -> dict[str, object]:
    """An account as every row names it."""
    return {
        "id": owner.id,
        "login": owner.login,
        "username": owner.login,
        "email": f"{owner.login.lower()}@noreply.example.org",
        "avatar_url": f"{forge.root_url}/avatars/{owner.id:032x}",
        "html_url": f"{forge.root_url}/{owner.login}",
        **SAME_FOR_ALL_OWNERS,
    }
