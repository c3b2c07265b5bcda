"""Answers of the hub → the text of a tool, line by line.  Pure.

Whatever comes from a page (names, paths, authors …) goes through `Words`, which keeps it inside its line;
the body of a page and a diff stand as they are, after the lines that are ours.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from itertools import groupby
from typing import Any

from mcp_server.period import show_minute, show_time
from mcp_server.wiki.words import Words, one_line

SLICE = 20_000
INDENT = "  "
UNKNOWN = "?"
TROUBLE_SHOWN = 20

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """The words of an answer, the present, and the machine's zone (None: as it is set)."""

    words: Words
    now: datetime
    zone: tzinfo | None

    def minute(self, written: str | None) -> str:
        """A time of the hub, local; empty when there is none."""
        return "" if written is None else show_minute(_moment(written), self.zone)


# --- projects ------------------------------------------------------------------------------------------


def show_projects(voice: Voice, answer: Json, current: str | None) -> str:
    """A table; the session's project is marked."""
    rows = [_project_row(voice, project, current) for project in answer["items"]]
    if not rows:
        return voice.words("projects.none")
    head = voice.words("projects.head")
    return "\n".join([head, "|" + "---|" * (head.count("|") - 1), *rows])


def _project_row(voice: Voice, project: Json, current: str | None) -> str:
    wiki, absent = project["wiki"] or {}, voice.words("projects.absent")
    cells = (
        voice.words("projects.current") if project["label"] == current else "",
        project["label"],
        project["name"],
        project["wiki_root"] or absent,
        wiki.get("pages", absent),
        voice.minute(wiki.get("synced_at")) or absent,
    )
    return "| " + " | ".join(one_line(cell).replace("|", "\\|") for cell in cells) + " |"


def show_created(voice: Voice, project: Json, hub: Sequence[str]) -> str:
    """The project and what registers this server for it; `hub` are the words that find the hub."""
    words = ["mcp", "wiki", "--project", str(project["label"]), *hub]
    fragment = {"mcpServers": {"sdlc-wiki": {"command": "sdlc-hub", "args": words}}}
    return "\n".join(
        [
            voice.words("projects.created", label=project["label"], name=project["name"]),
            *_root(voice, project),
            "",
            voice.words("projects.fragment"),
            json.dumps(fragment, ensure_ascii=False, indent=2),
        ]
    )


def show_root(voice: Voice, project: Json) -> str:
    """The new root, and the packet that brings it."""
    return "\n".join(_root(voice, project))


def _root(voice: Voice, project: Json) -> Iterator[str]:
    if project.get("wiki_root"):
        yield voice.words("root.set", root=project["wiki_root"])
    if project.get("packet_id") is not None:
        yield voice.words("sync.queued", id=project["packet_id"])


# --- tree, search --------------------------------------------------------------------------------------


def show_tree(voice: Voice, answer: Json) -> str:
    """One line per page, indented by its depth; what hangs nowhere is counted at the end."""
    lines = [INDENT * node["depth"] + voice.words("tree.line", **_named(node, "size")) for node in answer["nodes"]]
    if answer["cycles"] or answer["orphans"]:
        lines.append(voice.words("tree.more", cycles=answer["cycles"], orphans=answer["orphans"]))
    return "\n".join(lines)


def show_search(voice: Voice, answer: Json) -> str:
    """Two lines per page: what it is called, and the place of the match."""
    found = [
        f"{voice.words('search.line', **_named(item, 'path'))}\n{INDENT}{one_line(item['snippet'])}"
        for item in answer["items"]
    ]
    return "\n".join(found) or voice.words("search.none")


# --- page, diff ----------------------------------------------------------------------------------------


def show_page(voice: Voice, page: Json, offset: int) -> str:
    """The header and a slice of the page's Markdown."""
    return _with_slice(voice, _page_head(voice, page), page["markdown"], offset, "page.end")


def show_candidates(voice: Voice, answer: Json) -> str:
    """Pages whose titles are close, none of which is the one asked for."""
    found = [voice.words("page.title", **_named(each)) for each in answer["candidates"]]
    return "\n".join([voice.words("page.candidates"), *found]) if found else voice.words("page.nobody")


def _page_head(voice: Voice, page: Json) -> Iterator[str]:
    words = voice.words
    yield words("page.title", **_named(page))
    yield words("page.path", path=page["path"])
    if page["url"]:
        yield words("page.url", url=page["url"])
    yield words("page.synced", at=voice.minute(page["synced_at"]))
    if page["history_at"] is None or page["modified_at"] is None:
        yield words("page.unloaded")
    else:
        at, author = voice.minute(page["modified_at"]), page["modified_by"]
        yield words("page.changed", at=at, author=author, versions=page["versions"])
    for each in page["attachments"]:
        yield words("page.attachment", id=each["id"], name=each["name"])


def show_diff(voice: Voice, answer: Json, offset: int) -> str:
    """The header and a slice of the unified diff."""
    return _with_slice(voice, _diff_head(voice, answer), answer["diff"], offset, "diff.end")


def _diff_head(voice: Voice, answer: Json) -> Iterator[str]:
    words, previous = voice.words, answer["previous"]
    yield words("page.title", **_named(answer))
    yield words("page.path", path=answer["path"])
    yield words("diff.number", n=answer["n"], m=answer["m"])
    yield words("diff.author", author=answer["author"])
    yield words("diff.at", at=voice.minute(answer["at"]))
    yield words("diff.lines", **_lines(answer))
    if previous is None:
        yield words("diff.first")
    else:
        yield words("diff.previous", version=previous["version"], at=voice.minute(previous["at"]))


def _with_slice(voice: Voice, head: Iterator[str], whole: str, offset: int, end_key: str) -> str:
    """Our lines, an empty one, the slice; and how to go on when more remains."""
    if offset and offset >= len(whole):
        return "\n".join([*head, "", voice.words(end_key, total=len(whole))])
    end = offset + SLICE
    more = [voice.words("page.more", offset=end)] if end < len(whole) else []
    return "\n".join([*head, "", whole[offset:end], *more])


# --- changes -------------------------------------------------------------------------------------------


def show_changes(voice: Voice, answer: Json) -> str:
    """The period, how fresh it is, then the changes by page: pages and changes newest first."""
    words, items = voice.words, answer["items"]
    until = answer["until"] or voice.now.isoformat()
    lines = [words("changes.period", since=voice.minute(answer["since"]), until=voice.minute(until))]
    lines.append(words("changes.synced", at=voice.minute(answer["synced_at"])))
    if answer["history_at"] is None:
        return "\n".join([*lines, words("changes.unloaded")])
    if not items:
        return "\n".join([*lines, words("changes.none")])
    lines += _change_lines(voice, items)
    if answer["truncated"]:
        lines.append(words("changes.truncated", count=len(items)))
    return "\n".join(lines)


def _change_lines(voice: Voice, items: Sequence[Json]) -> Iterator[str]:
    for page in _by_page(items):
        named = {"code": page[0]["page_code"], "name": page[0]["page_name"], "path": page[0]["path"]}
        yield voice.words("changes.page", **named)
        for item in page:
            at = show_time(_moment(item["at"]), voice.now, voice.zone)
            version = {"author": item["author"], "version": item["version"], **_lines(item)}
            yield voice.words("changes.version", at=at, **version)


def _by_page(items: Sequence[Json]) -> list[list[Json]]:
    """The changes of each page, newest first; the page that changed last comes first."""
    newest = sorted(items, key=lambda item: _moment(item["at"]), reverse=True)
    order = {code: place for place, code in reversed(list(enumerate(item["page_code"] for item in newest)))}
    grouped = sorted(newest, key=lambda item: order[item["page_code"]])
    return [list(group) for _, group in groupby(grouped, key=lambda item: item["page_code"])]


# --- sync, attachment, status --------------------------------------------------------------------------


def show_packet(voice: Voice, answer: Json) -> str:
    """What became of a wish to sync."""
    return voice.words("sync.queued" if answer["created"] else "sync.running", id=answer["packet_id"])


def show_status(voice: Voice, answer: Json) -> str:
    """How the wiki and its pipeline stand, a line for each fact."""
    return "\n".join(
        [*_wiki_lines(voice, answer), *_agent_lines(voice, answer["agent"]), *_tree_trouble(voice, answer)]
    )


def _wiki_lines(voice: Voice, answer: Json) -> Iterator[str]:
    words, packet, error = voice.words, answer["packet"], answer["error"]
    root = " — ".join(str(part) for part in (answer["wiki_root"], answer["root_name"]) if part)
    yield words("status.root", root=root) if root else words("status.rootless")
    synced, history = voice.minute(answer["synced_at"]), voice.minute(answer["history_at"])
    yield words("status.synced", at=synced) if synced else words("status.unsynced")
    yield words("status.history", at=history) if history else words("status.unloaded")
    if error:
        yield words("status.error", error=error)
    if packet:
        yield words("status.packet", id=packet["id"], state=show_state(voice, packet["state"]))
    else:
        yield words("status.idle")


def _agent_lines(voice: Voice, agent: Json) -> Iterator[str]:
    words, published = voice.words, agent["published"]
    yield words("status.online" if agent["online"] else "status.offline")
    yield words("status.version", version=agent["version"])
    if published:
        yield words("status.published", version=published["version"], at=voice.minute(published["at"]))
    else:
        yield words("status.unpublished")
    yield words("status.update", update=agent["update"]) if agent["update"] else words("status.current")
    yield words("status.launcher", launcher=agent["launcher"])


def _tree_trouble(voice: Voice, answer: Json) -> Iterator[str]:
    """The pages that hang nowhere, the first few of them by name."""
    found = answer["diagnostics"]
    for each in found[:TROUBLE_SHOWN]:
        yield voice.words(f"status.{each['kind']}", parent=each["parent"], **_named(each))
    if len(found) > TROUBLE_SHOWN:
        yield voice.words("status.others", count=len(found) - TROUBLE_SHOWN)


def show_state(voice: Voice, state: str) -> str:
    """The state of a packet or attachment."""
    key = f"state.{state}"
    return voice.words(key) if key in voice.words.texts else one_line(state)


# --- values --------------------------------------------------------------------------------------------


def _moment(written: str) -> datetime:
    return datetime.fromisoformat(written)


def _named(page: Json, *more: str) -> dict[str, Any]:
    return {name: page[name] for name in ("code", "name", *more)}


def _lines(change: Json) -> dict[str, Any]:
    """How many lines came and went; a text that could not be had has no number."""
    return {name: UNKNOWN if change[name] is None else change[name] for name in ("added", "removed")}
