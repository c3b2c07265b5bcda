"""A wiki with everything that a tree can have, and a hub that serves it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from fastapi.routing import APIRoute

from mcp_server import loopback
from mcp_server.hub import routes_changes, routes_projects, routes_wiki, routes_work
from mcp_server.hub.app import build_app, guard
from mcp_server.hub.serving import Opened, open_hub
from mcp_server.hub.state import State
from pipeline.blobs import BlobStore, blob_id
from tests.fakes.catalogs import Project
from tests.fakes.page_histories import AT, history, page, version
from tests.fakes.published import Site

ROUTES = sorted(
    (method, route.path)
    for routes in (routes_projects, routes_wiki, routes_changes, routes_work)
    for route in routes.router.routes
    if isinstance(route, APIRoute)
    for method in route.methods or ()
)
BEFORE, AFTER = "# Статусы\nстарый\n", "# Статусы\nстатус согласован\n"
PICTURE = b"\x89PNG picture"

GUIDES = page(
    "guides",
    version(2, AT.replace(hour=12, minute=40), author="Дмитрий Соснов", before=BEFORE, after=AFTER, removed=1),
    version(1, AT.replace(hour=11, minute=2), count=2, author="Дмитрий Соснов", after=BEFORE, added=2),
    code="DOC-3",
    aliases=("DOC-33",),
)
ATLAS = Project(
    repository="local/team/atlas",
    wiki_index="# Атлас\n",
    pages={
        "guides": f"---\ncode: DOC-3\n---\n{AFTER}",
        "guides/maps": "# Maps\n",
        "guides/deep/x": "# X\nстатус\n",
        "b": "---\nparent: DOC-3\n---\n# Bee\n",
        "a1": "---\nparent: DOC-12\n---\n",
        "a2": "---\nparent: DOC-11\n---\n",
        "lost": "---\nparent: DOC-404\n---\n",
    },
    titles={"guides": "Статусы", "guides/maps": "Maps", "b": "Bee", "guides/deep/x": "Deep"},
    front_matters={
        "guides": {"code": "DOC-3"},
        "b": {"parent": "DOC-3"},
        "a1": {"parent": "DOC-12"},
        "a2": {"parent": "DOC-11"},
        "lost": {"parent": "DOC-404"},
    },
    unindexed=frozenset({"b", "a1", "a2", "lost"}),
    attachments={"guides/pic.png": PICTURE, "logo.png": b"logo"},
    history=history(
        "local/team/atlas",
        page("a1", code="DOC-11"),
        page("a2", code="DOC-12"),
        page("b", version(1, AT, author="Ann", path=".wiki/b.md"), code="DOC-6"),
        GUIDES,
        page("guides/deep/x", code="DOC-5"),
        page("guides/maps", code="DOC-4"),
        page("index", code="DOC-1"),
        page("lost", code="DOC-13"),
        replace(
            page("guides/old", version(1, AT, author="Bob", path=None, added=0, removed=3), code="DOC-9"), slug=None
        ),
    ),
)
BEACON = Project(
    repository="local/team/beacon",
    pages={"start": "# Start\n"},
    attachments={},
    history=history(
        "local/team/beacon", page("index", code="DOC-21"), page("start", code="DOC-22"), wiki_is_loaded=False
    ),
)


@dataclass(frozen=True)
class Asked:
    """A client of one hub; `opened` is the hub itself, for what no client sees."""

    client: httpx.Client
    opened: Opened
    state: Path

    def get(self, path: str, **query: Any) -> Any:
        """The JSON of an answer that must be 200."""
        answer = self.client.get(path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def refused(self, path: str, **query: Any) -> tuple[int, str]:
        """Status and detail of a refusal, which has nothing else."""
        return refusal(self.client.get(path, params=query))

    def post(self, path: str, **body: Any) -> httpx.Response:
        return self.client.post(path, json=body)

    def add(self, label: str = "A", root: str | None = "DOC-3") -> Any:
        """A new project."""
        made = self.post("/projects", label=label, name=f"Project {label}", wiki_root=root, author="claude")
        assert made.status_code == 201, made.text
        return made.json()


def refusal(answer: httpx.Response) -> tuple[int, str]:
    """Status and detail of a refusal, which has nothing else."""
    assert list(answer.json()) == ["detail"], answer.text
    return answer.status_code, answer.json()["detail"]


def publish(site: Site) -> None:
    """Both wikis, and the texts of their versions."""
    store = BlobStore(site.layout)
    for text in (BEFORE, AFTER):
        assert store.add(blob_id(text.encode()), text.encode())
    site.publish(ATLAS, BEACON)


@contextmanager
def asking(state: Path) -> Iterator[Asked]:
    """A hub on loopback that carries no packet out, and a client of it."""
    with open_hub(State(state), state.parent) as opened, loopback.listen("127.0.0.1", 0) as listening:
        config = uvicorn.Config(
            guard(build_app(opened.hub), opened.token),
            log_level="critical",
            access_log=False,
            ws="none",
            lifespan="off",
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        headers = {"Authorization": f"Bearer {opened.token}"}
        try:
            with httpx.Client(base_url=loopback.url_of(listening), headers=headers, trust_env=False) as client:
                yield Asked(client, opened, state)
        finally:
            server.should_exit = True
            thread.join()
