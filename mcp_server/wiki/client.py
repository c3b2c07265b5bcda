"""The hub's HTTP API, as the session asks it; all trouble in the words of the catalog."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self

import httpx

from mcp_server import loopback
from mcp_server.wiki.words import Words, one_line

TIMEOUT_S = 30
UNAUTHORIZED = 401

Json = Mapping[str, Any]


class HubTrouble(Exception):
    """The hub gave no answer, or a refusal; the text is for the person."""


class Hub:
    """One hub.  `token` is asked for before each request, since a hub that starts for the first time makes it.

    `transport` stands in for the network in tests of what goes over the wire.
    """

    def __init__(
        self,
        url: str,
        token: Callable[[], str | None],
        words: Words,
        *,
        timeout_s: float = TIMEOUT_S,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._token = token
        self._words = words
        self._timeout_s = timeout_s
        # The environment's proxies are not for a hub of one's own.
        self._http = httpx.AsyncClient(base_url=url, timeout=timeout_s, trust_env=False, transport=transport)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        await self._http.aclose()

    async def get(self, path: str, **query: object) -> Json:
        """Ask.  Values that are None are left out.

        Raises:
            HubTrouble: no answer, or a refusal.
        """
        params = {name: str(value) for name, value in query.items() if value is not None}
        return await self._ask("GET", path, params=params)

    async def send(self, method: str, path: str, **body: object) -> Json:
        """Ask for a change of the hub's registry or queue.

        Raises:
            HubTrouble: no answer, or a refusal.
        """
        return await self._ask(method, path, json={name: value for name, value in body.items() if value is not None})

    async def _ask(self, method: str, path: str, **request: Any) -> Json:
        token = self._token()
        if token is None:
            raise HubTrouble(self._words("gate.down"))
        if not loopback.is_sendable(token):
            raise HubTrouble(self._words("gate.refused"))
        try:
            response = await self._http.request(method, path, headers={"Authorization": f"Bearer {token}"}, **request)
        except httpx.ConnectError:
            raise HubTrouble(self._words("gate.down")) from None
        except httpx.TimeoutException:
            raise HubTrouble(self._words("gate.slow", seconds=f"{self._timeout_s:g}")) from None
        except httpx.HTTPError:
            raise HubTrouble(self._words("gate.stranger")) from None
        return self._read(response)

    def _read(self, response: httpx.Response) -> Json:
        if response.status_code == UNAUTHORIZED:
            raise HubTrouble(self._words("gate.refused"))
        if response.status_code >= 500:
            raise HubTrouble(self._words("gate.broken", status=response.status_code))
        try:
            answer = response.json()
        except ValueError:
            raise HubTrouble(self._words("gate.stranger")) from None
        if not isinstance(answer, dict):
            raise HubTrouble(self._words("gate.stranger"))
        if response.status_code >= 300:
            detail = answer.get("detail")
            raise HubTrouble(one_line(detail) if isinstance(detail, str) else self._words("gate.stranger"))
        return answer
