"""The naive sync: list the repositories, then ask for two raw files of each, ten at a time, on every run.

python -m benchmarks.naive URL OWNER
"""

from __future__ import annotations

import asyncio
import itertools
import sys
from collections.abc import AsyncIterator

import httpx

FILES = (".tasks/STATUS.md", ".wiki/index.md")
IN_FLIGHT = 10
LIMIT = 50


async def sync(url: str, owner: str) -> int:
    """Ask for everything; answers how many files there are."""
    slots = asyncio.Semaphore(IN_FLIGHT)
    async with httpx.AsyncClient(base_url=f"{url}/api/v1", timeout=60) as client:
        names = [name async for name in _names(client, owner)]

        async def is_there(name: str, path: str) -> bool:
            async with slots:
                return (await client.get(f"/repos/{owner}/{name}/raw/{path}")).status_code == 200

        found = await asyncio.gather(*(is_there(name, path) for name in names for path in FILES))
    return sum(found)


async def _names(client: httpx.AsyncClient, owner: str) -> AsyncIterator[str]:
    for page in itertools.count(1):
        answer = await client.get(f"/users/{owner}/repos", params={"limit": LIMIT, "page": page})
        rows = answer.json()
        for row in rows:
            yield row["name"]
        if len(rows) < LIMIT:
            return


if __name__ == "__main__":
    print(asyncio.run(sync(*sys.argv[1:3])))
