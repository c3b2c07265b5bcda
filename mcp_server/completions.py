"""Names that a client may complete while a person types: projects, paths, slugs, domains, statuses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, TypedDict

import mcp_types as wire
from mcp.server.context import ServerRequestContext

from mcp_server import results
from mcp_server.errors import Refusal, ask
from mcp_server.resources import SHARED
from mcp_server.tool import Reader
from mcp_server.tools.knowledge import ALL
from mcp_server.tools.tasks import STATUSES
from pipeline.catalog import Catalog, knowledge, projects, shared, tasks
from pipeline.text import fold, line

COMPLETIONS = 100
MOST_PROJECTS = 100_000

Context = ServerRequestContext[Any]
Reference = wire.ResourceTemplateReference | wire.PromptReference


class Handlers(TypedDict):
    """What the SDK's server is given."""

    on_completion: Callable[..., Any]


def handlers(reader: Reader) -> Handlers:
    """The handler of completions; what cannot be completed has no values."""

    async def completion(_: Context, params: wire.CompleteRequestParams) -> wire.CompleteResult:
        given = (params.context.arguments if params.context else None) or {}
        answer = await ask(lambda: complete(reader, params.ref, params.argument, given))
        return wire.CompleteResult(completion=wire.Completion(values=[]) if isinstance(answer, Refusal) else answer)

    return {"on_completion": completion}


def complete(
    reader: Reader, reference: Reference, typed: wire.CompletionArgument, given: Mapping[str, str]
) -> wire.Completion:
    """Known values of an argument that hold what was typed; those that begin with it stand first.

    `given` are the arguments already chosen.

    Raises:
        CatalogError: nothing is published, or no project has the name that was chosen.
    """
    start = fold(typed.value)
    known = [(fold(value), value) for value in _values(reader, reference, typed.name, given)]
    found = [(folded, value) for folded, value in known if start in folded]
    found.sort(key=lambda one: not one[0].startswith(start))
    shown = [line(value, results.LONG_LINES["path"]) for _, value in found[:COMPLETIONS]]
    return wire.Completion(values=shown, total=len(found), has_more=len(found) > COMPLETIONS)


def _values(reader: Reader, reference: Reference, name: str, given: Mapping[str, str]) -> list[str]:
    if name == "status":
        return list(STATUSES)
    catalog = reader.catalog()
    if name == "project":
        return _project_names(catalog)
    if name == "domain":
        return [*shared.domains(catalog), ALL]
    if name == "slug" and isinstance(reference, wire.ResourceTemplateReference) and reference.uri.startswith(SHARED):
        return [page.slug for page in knowledge.shared_pages(catalog)]
    return _of_project(catalog, name, given["project"]) if "project" in given else []


def _of_project(catalog: Catalog, name: str, called: str) -> list[str]:
    project = projects.find(catalog, called)
    if name == "slug":
        return [page.slug for page in knowledge.pages(catalog, project)]
    if name == "path":
        return [row.path.removeprefix(".tasks/") for row in tasks.board(catalog, project).files]
    return []


def _project_names(catalog: Catalog) -> list[str]:
    """The shortest name of each project that means no other."""
    listed = projects.list_projects(catalog, limit=MOST_PROJECTS).rows
    alike = Counter(row.name for row in listed)
    return [row.name if alike[row.name] == 1 else row.project for row in listed if row.state != "gone"]
