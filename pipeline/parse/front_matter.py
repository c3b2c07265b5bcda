"""A page's front matter → plain values: texts, None, lists and maps with text keys.  Pure, never raises.

YAML guesses types: `2024` becomes a number, `no` a truth value, `1.10` the number 1.1, a date a date.
Here a scalar is the text that its author wrote; only an empty value, `~` and `null` are None.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import frontmatter
import yaml
from frontmatter.default_handlers import SafeLoader, YAMLHandler

from pipeline import diagnostics, text
from pipeline.model import Diagnostic, RepoPath
from pipeline.parse.markdown import FrontMatter

SIZE_LIMIT = 64 << 10
DEPTH_LIMIT = 20
KEY_LIMIT = 200
FIRST_LINE = 2
SIMPLE = re.compile(r"([^\W\d][\w-]{0,60})[ \t]{0,9}:[ \t]{0,9}(?![|>&*\[{#])(\S.{0,2000})?\Z")
NULL_TAG = "tag:yaml.org,2002:null"
STREAM_STARTS = (yaml.MappingStartEvent, yaml.SequenceStartEvent)
STREAM_ENDS = (yaml.MappingEndEvent, yaml.SequenceEndEvent)


class _Unusable(Exception):
    """The block cannot be taken as it is; the code says why, `line` counts from the block's first."""

    def __init__(self, code: str, line: int | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.line = line


class _TextLoader(SafeLoader):  # type: ignore[misc,valid-type]  # libyaml's loader where it is built in, else the slow one
    """Constructs texts, lists and maps only, whatever tags say; notes keys that stand twice."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self.doubled: dict[str, int] = {}


def _construct_map(loader: _TextLoader, node: yaml.MappingNode) -> dict[str, object]:
    plain: dict[str, object] = {}
    for key_node, value_node in node.value:
        if not isinstance(key_node, yaml.ScalarNode):
            raise _Unusable("W302", _line(key_node.start_mark))
        key = text.line(key_node.value, KEY_LIMIT)
        if key in plain:
            loader.doubled.setdefault(key, _line(key_node.start_mark))
        else:
            plain[key] = _construct(loader, value_node)
    return plain


def _construct(loader: _TextLoader, node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        return _construct_map(loader, node)
    if isinstance(node, yaml.SequenceNode):
        return [_construct(loader, child) for child in node.value]
    return None if node.tag == NULL_TAG else text.body(str(node.value))


_TextLoader.yaml_constructors = {None: _construct}
_TextLoader.yaml_multi_constructors = {}


class _StrictYaml(YAMLHandler):
    """python-frontmatter's YAML handler for a block that is cut out already: no aliases, bounded depth."""

    def __init__(self, block: str) -> None:
        super().__init__()
        self.block = block
        self.doubled: dict[str, int] = {}

    def split(self, text: str) -> tuple[str, str]:  # noqa: ARG002  # the library's signature
        return self.block, ""

    def load(self, fm: str, **_: object) -> dict[str, object]:
        _check_events(fm)
        loader = _TextLoader(fm)
        try:
            plain = loader.get_single_data()
        finally:
            loader.dispose()
        if plain is not None and not isinstance(plain, dict):
            raise _Unusable("W302")
        self.doubled = loader.doubled
        return plain or {}


def _check_events(block: str) -> None:
    """Refuse aliases and deep nesting before anything is built."""
    depth = 0
    for event in yaml.parse(block, Loader=SafeLoader):
        if isinstance(event, yaml.AliasEvent):
            raise _Unusable("W304", _line(event.start_mark))
        depth += isinstance(event, STREAM_STARTS) - isinstance(event, STREAM_ENDS)
        if depth > DEPTH_LIMIT:
            raise _Unusable("W305", _line(event.start_mark))


def read_front_matter(path: RepoPath, block: FrontMatter | None) -> tuple[Mapping[str, object], tuple[Diagnostic, ...]]:
    """Read a block; one that cannot be read is a warning, and its simple `key: value` lines are kept.

    Keys keep their order; of a key that stands twice the first value counts.
    """
    if block is None:
        return {}, ()
    if len(block.text.encode("utf-8")) > SIZE_LIMIT:
        return _simple_lines(block.text[:SIZE_LIMIT]), (diagnostics.make("W306", path, 1),)
    try:
        return _load(path, block.text)
    except _Unusable as trouble:
        found = diagnostics.make(trouble.code, path, FIRST_LINE + (trouble.line or 0))
    except (yaml.YAMLError, ValueError, RecursionError) as trouble:
        found = diagnostics.make("W301", path, _line_of(trouble), reason=_reason(trouble))
    return _simple_lines(block.text), (found,)


def _load(path: RepoPath, block: str) -> tuple[Mapping[str, object], tuple[Diagnostic, ...]]:
    handler = _StrictYaml(block)
    plain, _ = frontmatter.parse(block, handler=handler)
    doubled = handler.doubled.items()
    return plain, tuple(diagnostics.make("W303", path, FIRST_LINE + line, key=key) for key, line in doubled)


def _line_of(trouble: Exception) -> int:
    return FIRST_LINE + _line(getattr(trouble, "problem_mark", None))


def _line(mark: Any) -> int:
    """The line of one of yaml's two kinds of mark, from 0; 0 without a mark."""
    return int(mark.line) if mark else 0


def _reason(trouble: Exception) -> str:
    return str(getattr(trouble, "problem", None) or getattr(trouble, "reason", None) or type(trouble).__name__)


def _simple_lines(block: str) -> dict[str, object]:
    """What stands as `key: value` at the beginning of a line, by a reader that knows no YAML."""
    plain: dict[str, object] = {}
    for line in block.split("\n"):
        match = SIMPLE.match(line.rstrip())
        if match:
            plain.setdefault(match[1], _unquoted(match[2]))
    return plain


def _unquoted(value: str | None) -> str | None:
    if value and len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value
