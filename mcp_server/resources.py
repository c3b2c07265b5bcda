"""Texts by address: `project://…`, `shared://…`.

An address is never a path: its parts are looked up in the catalog.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypedDict

import mcp_types as wire
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.shared.uri_template import UriTemplate

from mcp_server import results
from mcp_server.errors import Refusal, UnknownAddress, ask
from mcp_server.tool import Reader
from pipeline.catalog import Catalog, answers, knowledge, projects, tasks
from pipeline.catalog.status import freshness
from pipeline.text import body

SHARED = "shared://"
MARKDOWN = "text/markdown"

Context = ServerRequestContext[Any]
Text = answers.BoardText | answers.FileText | answers.PageText | answers.SharedPageText


class Handlers(TypedDict):
    """What the SDK's server is given."""

    on_list_resources: Callable[..., Any]
    on_list_resource_templates: Callable[..., Any]
    on_read_resource: Callable[..., Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Beside(results.Answer):
    """What goes beside a text: `_meta` of its contents."""

    origin: answers.Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """One kind of address and how its text is found; `read` takes the parts of the address by name."""

    address: UriTemplate
    name: str
    description: str
    read: Callable[..., Text]


def _read_board(catalog: Catalog, *, project: str) -> Text:
    return tasks.board(catalog, projects.find(catalog, project))


def _read_task_file(catalog: Catalog, *, project: str, path: str) -> Text:
    return tasks.file_text(catalog, projects.find(catalog, project), f".tasks/{path}")


def _read_page(catalog: Catalog, *, project: str, slug: str) -> Text:
    return knowledge.page_text(catalog, projects.find(catalog, project), slug)


def _read_shared_page(catalog: Catalog, *, slug: str) -> Text:
    return knowledge.shared_page_text(catalog, slug)


TEMPLATES = (
    Template(
        address=UriTemplate.parse("project://{project}/status"),
        name="status",
        description="a project's .tasks/STATUS.md as written",
        read=_read_board,
    ),
    Template(
        address=UriTemplate.parse("project://{project}/tasks/{+path}"),
        name="task file",
        description="a Markdown file below a project's .tasks/",
        read=_read_task_file,
    ),
    Template(
        address=UriTemplate.parse("project://{project}/wiki/{+slug}"),
        name="wiki page",
        description="a page of a project's .wiki/, by its path without .md",
        read=_read_page,
    ),
    Template(
        address=UriTemplate.parse(f"{SHARED}{{+slug}}"),
        name="shared page",
        description="a page of the shared wiki, by its path without .md",
        read=_read_shared_page,
    ),
)


def handlers(reader: Reader) -> Handlers:
    """The three handlers of resources."""

    async def list_resources(_: Context, __: wire.PaginatedRequestParams | None) -> wire.ListResourcesResult:
        return wire.ListResourcesResult(resources=[])

    async def list_templates(_: Context, __: wire.PaginatedRequestParams | None) -> wire.ListResourceTemplatesResult:
        return wire.ListResourceTemplatesResult(resource_templates=[_listed(template) for template in TEMPLATES])

    async def read_resource(_: Context, params: wire.ReadResourceRequestParams) -> wire.ReadResourceResult:
        answer = await ask(lambda: read(reader.catalog(), params.uri))
        if isinstance(answer, Refusal):
            raise MCPError(code=wire.INVALID_PARAMS, message=answer.text, data={"uri": params.uri})
        return answer

    return {
        "on_list_resources": list_resources,
        "on_list_resource_templates": list_templates,
        "on_read_resource": read_resource,
    }


def read(catalog: Catalog, uri: str) -> wire.ReadResourceResult:
    """The whole text at an address, with its origin and age beside it.

    Raises:
        UnknownAddress: no template has that form.
        CatalogError: there is no such project, board, file or page.
    """
    for template in TEMPLATES:
        parts = template.address.match(uri)
        if parts is not None:
            return _contents(catalog, uri, template.read(catalog, **parts))
    known = ", ".join(str(template.address) for template in TEMPLATES)
    raise UnknownAddress(f"no resource {results.quoted(uri)}; expected one of {known}; write / in a project as %2F")


def _listed(template: Template) -> wire.ResourceTemplate:
    return wire.ResourceTemplate(
        name=template.name,
        uri_template=str(template.address),
        description=template.description,
        mime_type=MARKDOWN,
    )


def _contents(catalog: Catalog, uri: str, found: Text) -> wire.ReadResourceResult:
    project = projects.project(catalog, found.origin.project)
    told = _Beside(**results.age(freshness(catalog, project)), origin=found.origin)
    contents = wire.TextResourceContents(
        uri=uri, mime_type=MARKDOWN, text=body(found.text), _meta=results.to_json(told)
    )
    return wire.ReadResourceResult(contents=[contents])
