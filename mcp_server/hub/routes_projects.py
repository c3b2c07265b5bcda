"""Projects: a list of them, a new one, another root."""

from __future__ import annotations

from fastapi import APIRouter

from mcp_server.hub.parameters import HubHere, Label
from mcp_server.hub.registry import Binding
from mcp_server.hub.shapes import NewProject, NewRoot, ProjectItem, ProjectMade, Projects, Trouble, WikiFacts
from mcp_server.hub.wikis import ProjectWiki

router = APIRouter(tags=["projects"])


@router.get("/projects")
def list_projects(hub: HubHere) -> Projects:
    """Every project, by label, with how much of its wiki is here and how old that is."""
    bindings = hub.registry.all()
    return Projects(items=[_item(*pair) for pair in zip(bindings, hub.wikis.find(bindings), strict=True)])


@router.post("/projects", status_code=201, responses={409: {"model": Trouble}})
def make_project(hub: HubHere, asked: NewProject) -> ProjectMade:
    """Make a project; one with a root is synced at once."""
    root = None if asked.wiki_root is None else hub.check_root(asked.wiki_root)
    binding = Binding(label=asked.label, name=asked.name, wiki_root=root, author=asked.author)
    hub.registry.add(binding)
    return _made(hub, binding)


@router.patch("/projects/{label}", responses={404: {"model": Trouble}})
def set_root(hub: HubHere, label: Label, asked: NewRoot) -> ProjectMade:
    """Give a project another root, and sync it."""
    hub.registry.get(label)
    return _made(hub, hub.registry.set_root(label, hub.check_root(asked.wiki_root)))


def _made(hub: HubHere, binding: Binding) -> ProjectMade:
    packet_id = None if binding.wiki_root is None else hub.sync(binding.label)[0].id
    return ProjectMade(
        label=binding.label,
        name=binding.name,
        wiki_root=binding.wiki_root,
        author=binding.author,
        packet_id=packet_id,
    )


def _item(binding: Binding, wiki: ProjectWiki | None) -> ProjectItem:
    facts = WikiFacts(
        pages=len(wiki.slugs) if wiki else 0,
        synced_at=wiki.synced_at if wiki else None,
        history_at=wiki.history_at if wiki else None,
    )
    return ProjectItem(label=binding.label, name=binding.name, wiki_root=binding.wiki_root, wiki=facts)
