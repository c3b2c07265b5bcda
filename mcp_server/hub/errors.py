"""What the hub refuses, and with which status; every body is `{"detail": "<one text>"}`."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from pipeline.errors import CatalogError, NothingPublished, PipelineError, UnknownPage, UnknownRepository
from pipeline.text import line

logger = logging.getLogger(__name__)

DETAIL_LIMIT = 1000
CRASHED = "the hub met a mistake of its own; nothing was changed, its log has the reason"
WORDS = {
    "missing": "is missing",
    "extra_forbidden": "is not known here",
    "json_invalid": "is not JSON",
    "string_type": "is not a text",
    "int_parsing": "is not a whole number",
    "model_attributes_type": "is not a JSON object",
}


class Refusal(PipelineError):
    """A request that gets no answer; its text is shown to a person."""

    status: ClassVar[int]


class NotFound(Refusal):
    """No such project, page, version, packet or attachment."""

    status = 404


class LabelTaken(Refusal):
    """Another project has that label."""

    status = 409


class BadArgument(Refusal):
    """An argument is not as it must be."""

    status = 422


def answer_errors(app: FastAPI) -> None:
    """Give every error of the app its one form."""
    app.add_exception_handler(Refusal, _refused)
    app.add_exception_handler(CatalogError, _unanswerable)
    app.add_exception_handler(RequestValidationError, _unreadable)
    app.add_exception_handler(HTTPException, _unrouted)
    app.add_exception_handler(Exception, _crashed)


def detail(text: str, status: int, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """The one form."""
    return JSONResponse({"detail": line(text, DETAIL_LIMIT)}, status_code=status, headers=headers)


def _refused(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Refusal)
    return detail(str(error), error.status)


def _unanswerable(_: Request, error: Exception) -> JSONResponse:
    unknown = isinstance(error, NothingPublished | UnknownPage | UnknownRepository)
    return detail(str(error), 404 if unknown else 503)


def _unreadable(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    return detail("; ".join(map(_mistake, error.errors()[:5])), 422)


def _mistake(found: Mapping[str, Any]) -> str:
    name = _name(found["loc"])
    fact = WORDS.get(found["type"])
    return f"{name} {fact}" if fact else f"{name}: {found['msg'].removeprefix('Value error, ')}"


def _name(place: Sequence[str | int]) -> str:
    """`depth` for ("query", "depth"), `the body` for ("body",)."""
    named = [str(part) for part in place[1:] if isinstance(part, str)]
    return line(".".join(named), 100) or f"the {place[0]}"


def _unrouted(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    if error.status_code == 400:  # what FastAPI says of a body that it cannot read
        return detail("the body is not JSON in UTF-8", 422)
    return detail(f"{error.detail}; /openapi.json lists what there is", error.status_code, error.headers)


def _crashed(_: Request, error: Exception) -> JSONResponse:
    logger.error("a request could not be answered", exc_info=error)
    return detail(CRASHED, 500)
