"""How the routes read what a request says."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from fastapi import Depends, Path, Query, Request

from mcp_server.hub.errors import BadArgument
from mcp_server.hub.hub import Hub
from pipeline.catalog.names import quoted

EXAMPLE = "2026-11-30T10:00:00+03:00"


async def _hub(request: Request) -> Hub:
    hub: Hub = request.app.state.hub
    return hub


HubHere = Annotated[Hub, Depends(_hub)]
Label = Annotated[str, Path(max_length=200, description="of a project")]
Project = Annotated[str, Query(max_length=200, description="label of a project")]
Code = Annotated[str, Query(max_length=200, description="of a page, such as DOC-101252")]
Number = Annotated[int, Path(ge=0, description="a number as answers give it")]
Moment = Annotated[str, Query(max_length=64, json_schema_extra={"format": "date-time"}, description=EXAMPLE)]


def read_moment(name: str, written: str) -> datetime:
    """A time with an offset.

    Raises:
        BadArgument: it is none.
    """
    try:
        moment = datetime.fromisoformat(written.strip())
        moment.astimezone(UTC)
    except ValueError:
        raise BadArgument(f"{name} is {quoted(written)}; expected a time such as {EXAMPLE}{_plus(written)}") from None
    except OverflowError:
        raise BadArgument(f"{name} is {quoted(written)}, which no calendar in UTC has") from None
    if moment.tzinfo is None:
        raise BadArgument(f"{name} is {quoted(written)}, without an offset; expected a time such as {EXAMPLE}")
    return moment


def _plus(written: str) -> str:
    """A `+` that was not encoded arrives as a blank."""
    return " (a + in a query is written %2B)" if " " in written.strip() else ""
