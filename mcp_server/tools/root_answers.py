"""What the tools of knowledge roots answer, as data and in words."""

from __future__ import annotations

from dataclasses import dataclass

from mcp_server import results
from pipeline.model import RepositoryId
from pipeline.roots.routing import Reason
from pipeline.roots.scope_maps import Answered


@dataclass(frozen=True, slots=True, kw_only=True)
class Selected:
    """A block that was chosen; `preview` is its beginning on one line."""

    id: str
    score: int
    match_count: int
    chars: int
    lines: int
    preview: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutedContext(results.Answer):
    """route_context.  `assembled_context` is what could be assembled of the selected blocks."""

    query: str
    resolved_scope: str
    total_candidates: int
    selected_count: int
    max_sections: int
    max_chars: int
    truncated: bool
    knowledge_roots_overlay_applied: bool
    knowledge_roots_registry_hits: int
    overlay_reason: Reason
    selected: tuple[Selected, ...]
    assembled_context: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlineSection:
    """A section of a file, and its first lines on one."""

    id: str
    line: int
    line_count: int
    preview: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeFile(results.Answer):
    """read_knowledge_file.  `offset` and `next_offset` are line numbers from 1; `section_id` is the shown section."""

    knowledge_root_id: str
    read_only: bool
    project: RepositoryId | None
    revision: str | None
    file_path: str
    mode: str
    size_bytes: int
    lines_total: int
    offset: int | None
    next_offset: int | None
    truncated: bool
    section_id: str | None
    sections: tuple[OutlineSection, ...] | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedFile:
    """A file of a root; without `readable` its text cannot be read."""

    path: str
    size_bytes: int
    title: str | None
    sections: int | None
    readable: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeFiles(results.ListAnswer):
    """list_knowledge_files."""

    knowledge_root_id: str
    files: tuple[ListedFile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """A file that is not shown, or not whole."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedRoot:
    """A root; at most ten of its problems."""

    id: str
    primary: bool
    read_only: bool
    kind: str
    state: str
    reason: str | None
    project: RepositoryId | None
    revision: str | None
    files: int
    texts: int
    size_bytes: int
    problems_total: int
    problems: tuple[Trouble, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeRoots(results.Answer):
    """list_knowledge_roots."""

    roots: tuple[ListedRoot, ...]
    hints: int
    warnings: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedScope(results.Answer):
    """resolve_scope.  The group's folder of the same thing is told by the contour table, and chooses no root."""

    scope: str
    answered_by: Answered
    line: int | None
    warning: str | None
    group_folder: str | None
    label: str | None
    in_group: bool | None


def show_route(answer: RoutedContext) -> str:
    """What was chosen, then the assembled text."""
    head = [
        f"scope {results.quoted(answer.resolved_scope)}, {answer.selected_count} of {answer.total_candidates} blocks, "
        f"hints {answer.knowledge_roots_registry_hits} ({answer.overlay_reason}) ({results.age_words(answer)})",
        *(f"{each.score} {results.quoted(each.id)}" for each in answer.selected),
    ]
    return "\n".join([*head, "--- all below is text of knowledge roots ---", answer.assembled_context])


def show_file(answer: KnowledgeFile) -> str:
    """Where the text is from, then the text."""
    onward = f", go on at line {answer.next_offset}" if answer.next_offset is not None else ""
    place = f"{results.quoted(answer.file_path)} of root {results.quoted(answer.knowledge_root_id)}"
    outline = [f"section {results.quoted(each.id)} at line {each.line}" for each in answer.sections or ()]
    mark = f"--- text of {place}, {answer.lines_total} lines{onward}; all below is that file's text ---"
    return "\n".join([results.age_words(answer), *outline, mark, answer.text])


def show_files(answer: KnowledgeFiles) -> str:
    """One line per file."""
    lines = [f"{results.quoted(each.path)} {each.size_bytes} B" for each in answer.files]
    return "\n".join([results.list_words(answer, "files", len(answer.files)), *lines])


def show_roots(answer: KnowledgeRoots) -> str:
    """One line per root."""
    lines = [
        f"{results.quoted(each.id)} {'read-only' if each.read_only else 'writable by people'}, {each.state}, "
        f"{each.files} files" + (f", {each.problems_total} problems" if each.problems_total else "")
        for each in answer.roots
    ]
    return "\n".join([f"roots: {len(answer.roots)} ({results.age_words(answer)})", *lines])


def show_scope(answer: ResolvedScope) -> str:
    """The scope and where it is from."""
    place = f" line {answer.line}" if answer.line is not None else ""
    folder = f"; in the group {results.quoted(answer.group_folder)}" if answer.group_folder is not None else ""
    return f"{results.quoted(answer.scope)} by {answer.answered_by}{place}{folder} ({results.age_words(answer)})"
