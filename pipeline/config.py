"""sources.toml (or an auth.toml) → `Config`; every mistake at once, each with its place.

Each kind of source says which keys its rows accept (`Source.SETTINGS`); this module knows none of
them.  A token never stands in sources.toml and is never read here.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from pipeline.config_roots import TABLES, read_roots
from pipeline.domains import read_markers
from pipeline.errors import ConfigError
from pipeline.model import Config, HistorySettings, ReportSettings, Setting, SourceConfig, Visibility

Kinds = Mapping[str, Sequence[Setting]]

FILE = "sources.toml"
AUTH_FILE = Path(".config") / "projects-mcp" / "auth.toml"

TOP = (
    Setting(
        name="shared_wiki",
        kind="text",
        default="projects-wiki",
        meaning="name of the repository that holds the shared wiki (`name`, `owner/name` or `host/owner/name`)",
    ),
    Setting(
        name="stale_after_hours",
        kind="number",
        default=24,
        minimum=0,
        meaning="after so many hours without a good look an answer says that it is stale",
    ),
    Setting(name="language", kind="text", default="en", choices=("en", "ru"), meaning="language of the report"),
    Setting(
        name="keep_versions",
        kind="integer",
        default=5,
        minimum=2,
        meaning="how many published versions are kept (any younger than an hour is kept too)",
    ),
    Setting(
        name="domains",
        kind="markers",
        default=(),
        meaning="further domains, each with patterns of the files by which a folder is known to be of it",
    ),
    Setting(
        name="promote_words",
        kind="texts",
        default=(),
        meaning="further names of platforms and tools that make a page worth sharing",
    ),
)

HISTORY = (
    Setting(name="since", kind="date", meaning="no commit before this is brought: a date, or a time with its offset"),
    Setting(
        name="max_commits",
        kind="integer",
        default=5_000,
        minimum=1,
        meaning="of how many commits per repository and folder, the newest, the texts are brought",
    ),
    Setting(
        name="requests_per_run",
        kind="integer",
        default=500,
        minimum=0,
        meaning="how many requests one run spends on histories that are not here yet; the next run goes on",
    ),
)

REPORT = (
    Setting(
        name="audience",
        kind="text",
        default="private",
        choices=("public", "internal", "private"),
        meaning="who may read the report: it is made of repositories that are at least as visible",
    ),
    Setting(
        name="pages",
        kind="switch",
        default=True,
        meaning="whether the report shows the text of every wiki page on a page of its own",
    ),
)

EVERY_SOURCE = (
    Setting(name="kind", kind="text", required=True, meaning="what the row is"),
    Setting(
        name="name", kind="text", meaning="first part of its repositories' ids; default: the url's host, or `local`"
    ),
    Setting(
        name="include",
        kind="texts",
        default=("*",),
        meaning="patterns of the repositories wanted: of the name, or of owner/name when the pattern has a slash",
    ),
    Setting(name="exclude", kind="texts", default=(), meaning="patterns of the repositories not wanted"),
    Setting(
        name="visibility",
        kind="text",
        choices=("public", "internal", "private"),
        meaning="what its repositories count as; default: what the source says, `private` where it says nothing",
    ),
)

LETTERS = {"text": "text in quotes", "texts": "a list of texts in quotes", "path": "a path in quotes"}
LETTERS |= {"date": "a date such as 2026-01-31, or a time with its offset"}
LETTERS |= {"address": "https://host", "integer": "a whole number", "number": "a number", "switch": "true or false"}


@dataclass(slots=True)
class _Reader:
    """Collects the mistakes of one file while its tables are read."""

    file: str
    base: Path
    mistakes: list[str] = field(default_factory=list)

    def table(
        self, raw: Mapping[str, Any], settings: Sequence[Setting], place: str, ignored: tuple[str, ...] = ()
    ) -> dict[str, object]:
        """Read one table; keys that are not there take their default."""
        known = [setting.name for setting in settings]
        for key in raw:
            if key not in known and key not in ignored:
                self._unknown(f"{place}{key}", key, [*known, *ignored])
        return {setting.name: self._value(raw, setting, f"{place}{setting.name}") for setting in settings}

    def add(self, text: str) -> None:
        """Remember a mistake."""
        self.mistakes.append(f"{self.file}: {text}")

    def _value(self, raw: Mapping[str, Any], setting: Setting, place: str) -> object:
        if setting.name not in raw:
            if setting.required:
                self.add(f"{place} is missing; expected {_expected(setting)}")
            return setting.default
        value = raw[setting.name]
        if setting.kind == "markers":
            markers, mistakes = read_markers(value, place)
            self.mistakes.extend(f"{self.file}: {mistake}" for mistake in mistakes)
            return markers
        if setting.kind == "date" and (moment := _moment(value)) is not None:
            return moment
        if not _fits(value, setting):
            self.add(f"{place} is {_wrong(value, setting)}; expected {_expected(setting)}")
            return setting.default
        if setting.kind == "path" and not str(value).startswith("~"):
            return str(self.base / str(value))
        return tuple(value) if isinstance(value, list) else value

    def _unknown(self, place: str, key: str, known: list[str]) -> None:
        near = difflib.get_close_matches(key, known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"known here: {', '.join(sorted(known))}"
        self.add(f"{place} is not a setting; {hint}")


def parse(text: str, kinds: Kinds, file: str = FILE, base: Path = Path()) -> Config:
    """Read the text of a sources.toml; relative paths in it start from `base`, the file's folder.

    Raises:
        ConfigError: with every mistake, each with its place.
    """
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError((_not_toml(file, text, error),)) from None
    reader = _Reader(file, base)
    top = reader.table(raw, TOP, "", ignored=("source", "history", "report", *TABLES))
    history = HistorySettings(**_section(raw, "history", HISTORY, reader))
    report = ReportSettings(**_section(raw, "report", REPORT, reader))
    rows = raw.get("source", [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        reader.add("source is not a list of tables; write each source under its own [[source]]")
        rows = []
    sources = tuple(_source(row, kinds, f"source[{number}].", reader) for number, row in enumerate(rows, start=1))
    knowledge = read_roots(raw, base, reader.add)
    if not rows and knowledge is None:
        reader.add("no [[source]] table; add one, or remove the file to see the bundled example")
    _refuse_twins(sources, reader)
    if reader.mistakes:
        raise ConfigError(tuple(reader.mistakes))
    tables = {"history": history, "report": report, "knowledge": knowledge}
    return Config(sources=sources, origin=file, **cast("dict[str, Any]", tables | top))


def parse_auth(text: str, path: Path, kinds: Kinds) -> Config:
    """Read an auth.toml as one gitea source; the token stays in the file.

    Raises:
        ConfigError: gitea_url or gitea_user is missing or of the wrong type, or the file is not TOML.
    """
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError((_not_toml("auth.toml", text, error),)) from None
    needed = (
        Setting(name="gitea_url", kind="address", required=True),
        Setting(name="gitea_user", kind="text", required=True),
        Setting(name="gitea_token", kind="text", required=True),
    )
    reader = _Reader("auth.toml", path.parent)
    found = reader.table(raw, needed, "")
    if reader.mistakes:
        raise ConfigError(tuple(reader.mistakes))
    row = {"kind": "gitea", "url": found["gitea_url"], "owners": [found["gitea_user"]], "auth": str(path)}
    source = _source(row, kinds, "", reader)
    if reader.mistakes:
        raise ConfigError(tuple(reader.mistakes))
    return Config(sources=(source,), origin="auth.toml")


def load(folder: Path, kinds: Kinds, example: SourceConfig) -> Config:
    """The configuration in force: PROJECTS_META_CONFIG, else sources.toml in `folder`, else the
    auth.toml of the home folder, else the bundled `example`.

    Raises:
        ConfigError: the file is missing, cannot be read, or has mistakes.
    """
    named = os.environ.get("PROJECTS_META_CONFIG")
    if named:
        path = Path(named).expanduser().absolute()
        return parse(_read(path, f"PROJECTS_META_CONFIG names {path}, which"), kinds, path.name, path.parent)
    if (folder / FILE).is_file():
        return parse(_read(folder / FILE, FILE), kinds, FILE, folder)
    auth = Path.home() / AUTH_FILE
    if auth.is_file():
        return parse_auth(_read(auth, "auth.toml"), auth, kinds)
    return Config(sources=(example,), origin="the bundled example", is_example=True)


def _section(raw: Mapping[str, Any], name: str, settings: Sequence[Setting], reader: _Reader) -> dict[str, Any]:
    """The settings of the table `name`; those that are not there take their default."""
    table = raw.get(name, {})
    if not isinstance(table, dict):
        reader.add(f"{name} is not a table; write its settings under [{name}]")
        return {}
    return dict(reader.table(table, settings, f"{name}."))


def _source(raw: Mapping[str, Any], kinds: Kinds, place: str, reader: _Reader) -> SourceConfig:
    kind = raw.get("kind")
    if not isinstance(kind, str) or kind not in kinds:
        known = ", ".join(f'"{name}"' for name in sorted(kinds))
        reader.add(f"{place}kind is {_show(kind) if kind is not None else 'missing'}; expected one of {known}")
        return SourceConfig(kind="", name="", place=place)
    common = tuple(setting.name for setting in EVERY_SOURCE)
    shared = reader.table({key: raw[key] for key in raw if key in common}, EVERY_SOURCE, place)
    rest = {key: raw[key] for key in raw if key not in (*common, "token")}
    settings = reader.table(rest, kinds[kind], place)
    if "token" in raw:
        reader.add(f"{place}token: a token must not stand here; name its variable in token_env, or its file in auth")
    name = shared["name"] or _default_name(settings)
    if "/" in str(name):
        reader.add(f'{place}name is "{name}"; expected a name without a slash')
    return SourceConfig(
        kind=kind,
        name=str(name),
        include=cast("tuple[str, ...]", shared["include"]),
        exclude=cast("tuple[str, ...]", shared["exclude"]),
        visibility=cast("Visibility | None", shared["visibility"]),
        settings=settings,
        place=place.rstrip("."),
    )


def _refuse_twins(sources: tuple[SourceConfig, ...], reader: _Reader) -> None:
    seen: dict[str, str] = {}
    for source in sources:
        if source.name and source.name in seen:
            reader.add(f'{source.place}.name is "{source.name}", like {seen[source.name]}; give each row its own name')
        seen.setdefault(source.name, source.place)


def _default_name(settings: Mapping[str, object]) -> str:
    if "url" not in settings:
        return "local"
    url = settings["url"]
    return urlsplit(url).netloc.rpartition("@")[2] or "forge" if isinstance(url, str) else ""


def _not_toml(file: str, text: str, error: tomllib.TOMLDecodeError) -> str:
    """Most often it is a Windows path, whose backslashes TOML reads as escapes."""
    hint = "; write a path with backslashes in single quotes: 'C:\\Users\\ann'" if "\\" in text else ""
    return f"{file}: not TOML: {error}{hint}"


def _read(path: Path, name: str) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ConfigError((f"{name} cannot be read: {error.strerror}",)) from None
    except UnicodeDecodeError:
        raise ConfigError((f"{path.name}: not UTF-8; save it as UTF-8",)) from None


def _fits(value: object, setting: Setting) -> bool:
    match setting.kind:
        case "switch":
            return isinstance(value, bool)
        case "integer":
            right = isinstance(value, int) and not isinstance(value, bool)
        case "number":
            right = isinstance(value, int | float) and not isinstance(value, bool)
        case "date":
            return False
        case "texts":
            right = isinstance(value, list) and all(isinstance(each, str) and each for each in value)
            return right and (bool(value) or not setting.required)
        case "address":
            return isinstance(value, str) and _is_address(value)
        case _:
            right = isinstance(value, str) and value.strip() != ""
    if not right or (setting.choices and value not in setting.choices):
        return False
    return setting.minimum is None or float(cast("float", value)) >= setting.minimum


def _moment(value: object) -> datetime | None:
    """A date is its first moment in UTC; a time needs an offset, so that every machine reads the same."""
    if isinstance(value, str):
        try:
            value = date.fromisoformat(value) if len(value) == len("2026-01-31") else datetime.fromisoformat(value)
        except ValueError:
            return None
    if isinstance(value, datetime):
        return value.astimezone(UTC) if value.tzinfo is not None else None
    return datetime(value.year, value.month, value.day, tzinfo=UTC) if isinstance(value, date) else None


def _is_address(value: str) -> bool:
    try:
        parts = urlsplit(value.strip())
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


def _expected(setting: Setting) -> str:
    if setting.choices:
        return "one of " + ", ".join(f'"{choice}"' for choice in setting.choices)
    if setting.kind == "texts" and setting.required:
        return f"{LETTERS['texts']}, at least one"
    least = f" of at least {setting.minimum:g}" if setting.minimum is not None else ""
    return LETTERS[setting.kind] + least


def _wrong(value: object, setting: Setting) -> str:
    """An address may hold a password, so it is not repeated."""
    if setting.kind == "address" and isinstance(value, str):
        return "no web address"
    return "empty" if value == [] else _show(value)


def _show(value: object) -> str:
    if isinstance(value, str):
        return f'"{value[:60]}"'
    if isinstance(value, dict | list):
        return f"a {'table' if isinstance(value, dict) else 'list'}"
    shown = str(value).lower() if isinstance(value, bool) else value
    return f"{shown} ({type(value).__name__})"
