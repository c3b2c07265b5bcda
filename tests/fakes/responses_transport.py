"""`responses` answering httpx: each request goes through `requests.Session`, which `responses` patches."""

from __future__ import annotations

import httpx
import requests

HOP_HEADERS = frozenset({"host", "content-length", "transfer-encoding", "connection"})


class ResponsesTransport(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Use only while a `responses.RequestsMock` is active: without one it would really go out."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        prepared = requests.Request(
            request.method, str(request.url), headers=_headers(request), data=request.read() or None
        ).prepare()
        try:
            with requests.Session() as session:
                session.trust_env = False
                answer = session.send(prepared, allow_redirects=False, stream=True)
        except requests.Timeout as error:
            raise httpx.ReadTimeout(str(error), request=request) from error
        except requests.RequestException as error:
            raise httpx.ConnectError(str(error), request=request) from error
        content = answer.raw.read(decode_content=False)
        headers = list(answer.raw.headers.items())
        return httpx.Response(answer.status_code, headers=headers, stream=httpx.ByteStream(content), request=request)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        return self.handle_request(request)


def _headers(request: httpx.Request) -> dict[str, str]:
    """As sent: `responses` compares names with their capitals."""
    decoded = ((name.decode("ascii"), value.decode("latin-1")) for name, value in request.headers.raw)
    return {name: value for name, value in decoded if name.lower() not in HOP_HEADERS}
