"""A session whose hub gives written answers, and remembers what it was asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import mcp_types as wire

from mcp_server.wiki.client import Hub
from mcp_server.wiki.server import call, chosen
from mcp_server.wiki.tools import Session
from mcp_server.wiki.waiting import Timer
from mcp_server.wiki.words import Language, load

VLADIVOSTOK = ZoneInfo("Asia/Vladivostok")
NOW = datetime(2026, 10, 28, 14, 5, tzinfo=VLADIVOSTOK)
SYNCED = {"pages": 12, "synced_at": "2026-10-28T03:10:00+00:00", "history_at": "2026-10-28T03:11:00+00:00"}
AWPCA = {"label": "AWPCA", "name": "Согласование", "wiki_root": "DOC-1", "author": "claude", "wiki": SYNCED}
ROOTLESS = {"label": "sfm_kedr", "name": "Кедр", "wiki_root": None, "author": "claude", "wiki": None}
UNSYNCED = {**AWPCA, "label": "fresh", "wiki": {"pages": 0, "synced_at": None, "history_at": None}}

Answers = Mapping[str, Any]


@dataclass
class FakeTime:
    """Time that passes only by sleeping."""

    now_s: float = 0.0
    naps: list[float] = field(default_factory=list)

    async def sleep(self, seconds: float) -> None:
        self.naps.append(seconds)
        self.now_s += seconds


@dataclass
class WrittenHub:
    """Answers by `METHOD path`; a list is given one after the other, its last for ever; a pair is status and body."""

    answers: Answers
    asked: list[str] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(f"{request.method} {request.url.raw_path.decode()}")
        self.bodies.append(request.content)
        answer = {"GET /projects": {"items": [AWPCA, ROOTLESS, UNSYNCED]}, **self.answers}[
            f"{request.method} {request.url.path}"
        ]
        if isinstance(answer, list):
            answer = answer.pop(0) if len(answer) > 1 else answer[0]
        if isinstance(answer, Exception):
            raise answer
        status, body = answer if isinstance(answer, tuple) else (200, answer)
        return httpx.Response(status, json=body)


@dataclass
class Spoken:
    """What a call answered, what the hub was asked for, how long was waited and what was told meanwhile."""

    text: str
    is_error: bool
    asked: list[str]
    bodies: list[bytes]
    naps: list[float]
    told: list[str]


def speak(
    answers: Answers,
    tool: str,
    *,
    bound: str | None = "AWPCA",
    zone: ZoneInfo | None = VLADIVOSTOK,
    now: datetime = NOW,
    token: str | None = "secret",
    language: Language = "ru",
    read_only: bool = False,
    **given: object,
) -> Spoken:
    """One call of one tool."""
    hub = WrittenHub(answers)
    return asyncio.run(_speak(hub, FakeTime(), tool, given, bound, zone, now, token, language, read_only))


async def _speak(hub, time, tool, given, bound, zone, now, token, language, read_only) -> Spoken:
    words, told = load(language), []

    async def progress(passed_s: float, message: str) -> None:
        told.append(message)

    async with Hub("http://hub", lambda: token, words, transport=httpx.MockTransport(hub)) as client:
        session = Session(
            hub=client,
            label=bound,
            words=words,
            now=lambda: now,
            zone=zone,
            timer=Timer(lambda: time.now_s, time.sleep),
        )
        answer = await call(session, chosen(read_only=read_only), tool, given, progress)
    (content,) = answer.content
    assert isinstance(content, wire.TextContent)
    return Spoken(content.text, bool(answer.is_error), hub.asked, hub.bodies, time.naps, told)
