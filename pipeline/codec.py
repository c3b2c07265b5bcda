"""Model ⇄ canonical JSON text: sorted keys, two spaces, LF, UTF-8, one newline at the end.

`SCHEMA_VERSION` stands in every JSON artifact; a change of shape raises it and adds a line here.

    1  the first shape
    2  project.json has the links between pages and the shared wiki's rules
    3  project.json names the history.json beside it; roster.json and sync.json tell how histories stand
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import orjson
from pydantic import TypeAdapter, ValidationError

from pipeline import model
from pipeline.errors import ArtifactError

SCHEMA_VERSION = 3

SCHEMAS: dict[str, type] = {
    "current": model.CurrentVersion,
    "history": model.ProjectHistory,
    "knowledge": model.KnowledgeFile,
    "manifest": model.Manifest,
    "project": model.Artifact,
    "repos": model.RepositoriesFile,
    "root": model.RootListing,
    "roots": model.RootsFile,
    "roster": model.Roster,
    "snapshot": model.Snapshot,
    "sync": model.SyncReading,
    "tasks": model.TasksFile,
}

Shape = TypeVar("Shape")

_adapter: Callable[[Any], TypeAdapter[Any]] = cache(TypeAdapter)


def dump(value: object) -> bytes:
    """The canonical JSON of a model value."""
    return dump_json(to_json(value))


def dump_line(value: object) -> bytes:
    """The same on one line, for journals."""
    return orjson.dumps(to_json(value), option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)


def dump_json(plain: object) -> bytes:
    """Plain JSON data in the canonical form."""
    return orjson.dumps(plain, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)


def to_json(value: object) -> Any:
    """Plain JSON data of a model value."""
    plain = _adapter(type(value)).dump_python(value, mode="json")
    if isinstance(value, model.TasksFile):
        _drop_missing_indexes(plain)
    return plain


def load(kind: type[Shape], raw: bytes, name: str) -> Shape:
    """Read a model value; `name` is what messages call the file.

    Raises:
        ArtifactError: not JSON, of another shape, or of another schema version.
    """
    try:
        value: Shape = _adapter(kind).validate_json(raw, strict=True)
    except ValidationError as error:
        raise ArtifactError(_explain(name, raw, error)) from None
    version = getattr(value, "schema_version", SCHEMA_VERSION)
    if version != SCHEMA_VERSION:
        raise ArtifactError(_wrong_version(name, version))
    return value


def json_schema(name: str) -> dict[str, Any]:
    """The JSON Schema of one artifact, generated from the model."""
    schema: dict[str, Any] = _adapter(SCHEMAS[name]).json_schema(mode="serialization")
    _forbid_other_keys(schema)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _forbid_other_keys(schema: dict[str, Any]) -> None:
    for shape in (schema, *schema.get("$defs", {}).values()):
        if "properties" in shape:
            shape["additionalProperties"] = False


def _drop_missing_indexes(plain: dict[str, Any]) -> None:
    for project in plain["projects"]:
        if project["wiki_index"] is None:
            del project["wiki_index"]


def _wrong_version(name: str, version: object) -> str:
    return (
        f"{name} has schema_version {version}, this program reads {SCHEMA_VERSION}; "
        "run `doit` with the version of projects-meta that is installed here"
    )


def _explain(name: str, raw: bytes, error: ValidationError) -> str:
    try:
        found = orjson.loads(raw)
        if isinstance(found, dict) and found.get("schema_version", SCHEMA_VERSION) != SCHEMA_VERSION:
            return _wrong_version(name, found["schema_version"])
    except orjson.JSONDecodeError:
        return f"{name} is not whole JSON; run `doit` to make it anew"
    place = ".".join(str(part) for part in error.errors(include_url=False)[0]["loc"])
    return f"{name} is not as we write it ({place or 'from its start'}); run `doit` to make it anew"
