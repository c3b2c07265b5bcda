"""Whatever is sent to a hub, it answers as its OpenAPI says, and never with an error of its own."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from mcp_server.hub.app import build_app
from tests.fakes.wikis import ROUTES, Asked

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
LABELS, CODES, VERSIONS = ["A", "W", "D", "B", "N"], ["DOC-1", "DOC-3", "DOC-33", "DOC-9"], ["DOCH-1", "DOCH-2"]
KNOWN = {"project": LABELS, "label": LABELS, "code": CODES, "version": VERSIONS, "since": ["2026-11-30T00:00:00Z"]}
WITH_ARGUMENTS = [route for route in ROUTES if route != ("GET", "/projects")]
ASKED = [*product(ROUTES, [GenerationMode.POSITIVE]), *product(WITH_ARGUMENTS, [GenerationMode.NEGATIVE])]
BOUNDED = settings(
    max_examples=80,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def knowing(shape: Any) -> Any:
    """The description with names of things that are there, so that not all that is asked for is unknown."""
    if isinstance(shape, list):
        return [knowing(one) for one in shape]
    if not isinstance(shape, dict):
        return shape
    known = KNOWN.get(str(shape.get("name")))
    own = {"schema": {"anyOf": [{"type": "string", "enum": known}, shape["schema"]]}} if known else {}
    named = {key: {"type": "string", "enum": LABELS} for key in ("project",) if isinstance(shape.get(key), dict)}
    return {**{key: knowing(value) for key, value in shape.items()}, **own, **named}


@pytest.mark.parametrize(("route", "mode"), ASKED)
def test_no_request_makes_the_hub_err(library: Asked, route, mode):
    schema = schemathesis.openapi.from_dict(knowing(library.get("/openapi.json")))
    schema.config.update(base_url=str(library.client.base_url))
    method, path = route

    @BOUNDED
    @given(schema[path][method].as_strategy(generation_mode=mode))
    def ask(case):
        case.call_and_validate(checks=CHECKS, headers=dict(library.client.headers), timeout=10)

    ask()


def test_the_description_is_the_same_from_start_to_start(library: Asked):
    assert build_app(library.opened.hub).openapi() == library.get("/openapi.json")
