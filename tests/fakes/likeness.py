"""What a recorded answer and the fake forge's have in common: all that our source reads of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import httpx

from pipeline.sources import gitea_api, tarball
from tests.fakes.gitea import FakeGitea
from tests.fakes.replay import Recorded

URL = "https://forge.example"
READ = frozenset(
    field.name
    for row in vars(gitea_api).values()
    if isinstance(row, type) and row.__module__ == gitea_api.__name__
    for field in fields(row)
)
GZIP = b"\x1f\x8b"
CLOCKS = frozenset({"updated_at", "mirror_updated"})
HEADERS = (
    "content-type", "etag", "last-modified", "link", "location", "x-forgejo-object-type", "x-gitea-object-type",
    "x-total-count",
)  # fmt: skip


def as_we_read_it(value: Any) -> Any:
    """What of an answer our source looks at; of times only that there is one, of a repository not how large,
    of an account not its address."""
    if isinstance(value, dict):
        read = READ - {"size"} if "owner" in value else READ - {"email"} if "login" in value else READ
        return {
            name: isinstance(each, str) if name in CLOCKS else as_we_read_it(each)
            for name, each in value.items()
            if name in read
        }
    if not isinstance(value, list):
        return value
    told = [as_we_read_it(each) for each in value]
    # The files of a commit come by their kinds of change, and these in no order.
    is_unordered = all(isinstance(each, dict) and "filename" in each for each in told)
    return sorted(told, key=lambda each: str(each["filename"])) if is_unordered else told


async def ask_again(forge: FakeGitea, recorded: Recorded) -> httpx.Response:
    """Ask the fake what the real one was asked, with the token of the same name."""
    own = {} if recorded.who == "nobody" else {"Authorization": f"token {recorded.who}"}
    async with httpx.AsyncClient(transport=forge.wire(), base_url=URL) as client:
        return await client.request(
            recorded.method, recorded.path, params=list(recorded.query), headers={**recorded.sent, **own}
        )


def headers_of(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers that matter; of the type of the content not how its letters are written."""
    found = {name: headers[name] for name in HEADERS if name in headers}
    return found | {name: found[name].partition(";")[0] for name in found if name == "content-type"}


def what_we_read(headers: Mapping[str, str], content: bytes) -> Any:
    """JSON as our source reads it, an archive's files, other bytes as they are; of a page of HTML that it is one."""
    kind = headers.get("content-type", "")
    if kind.startswith("application/json"):
        return as_we_read_it(json.loads(content))
    if content.startswith(GZIP):
        return list(tarball.read_files(content, lambda _name, _size: True))
    return content.startswith(b"<") if kind.startswith("text/html") else content
