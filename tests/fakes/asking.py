"""One question to a fake forge, over httpx and without a network."""

from __future__ import annotations

from collections.abc import Mapping

import httpx

from tests.fakes.gitea import FakeGitea


async def ask(
    forge: FakeGitea,
    path: str,
    query: Mapping[str, str | int] | None = None,
    *,
    token: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> httpx.Response:
    """Ask below `/api/v1/`; `path` is percent-encoded already."""
    own = {"Authorization": f"token {token}"} if token else {}
    async with httpx.AsyncClient(transport=forge.wire(), base_url=f"{forge.url}/api/v1/") as client:
        return await client.get(path, params=query, headers={**own, **(headers or {})})


async def post(forge: FakeGitea, path: str, value: object, *, token: str | None = None) -> httpx.Response:
    """Send JSON."""
    own = {"Authorization": f"token {token}"} if token else {}
    async with httpx.AsyncClient(transport=forge.wire(), base_url=f"{forge.url}/api/v1/") as client:
        return await client.post(path, json=value, headers=own)
