"""Every diagnostic code: how bad it is, what it means, what its author can do.  Pure.

A code never changes its meaning; a retired one is not used again.  First letter and digit group them:
E errors (something could not be read), W warnings (read, but not as written), N notes (nothing is wrong,
somebody may want to know); 0 our own trouble, 1 boards, 2 indexes, 3 pages, their front matter and links,
4 the shared wiki, 5 files.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from pipeline import text
from pipeline.model import Diagnostic, RepoPath, Severity

DETAIL_LIMIT = 120
PER_FILE_LIMIT = 100


@dataclass(frozen=True, slots=True)
class Code:
    """`message` has a place `{name}` for each detail; `meaning` and `remedy` are for the documentation."""

    severity: Severity
    message: str
    meaning: str
    remedy: str


CODES: dict[str, Code] = {
    "E001": Code(
        "error",
        "our reader stopped at this repository ({reason}); nothing of it is shown, please report this",
        "A mistake of ours: reading this repository ended with an exception. Others are not touched.",
        "Report it with the file that causes it.",
    ),
    "E101": Code(
        "error",
        "the board is not UTF-8; save it as UTF-8",
        "The board's bytes are not UTF-8. No task is read from it.",
        "Save the file as UTF-8.",
    ),
    "E102": Code(
        "error",
        "the board holds a NUL byte; remove it",
        "The board holds a NUL byte, so it is not text. No task is read from it.",
        "Remove the byte, or restore the file.",
    ),
    "E103": Code(
        "error",
        "the board holds merge conflict markers; finish the merge",
        "A merge was committed unfinished. No task is read, because either side may be wrong.",
        "Finish the merge and commit.",
    ),
    "E104": Code(
        "error",
        "the board is larger than 1 MiB; move closed tasks elsewhere",
        "The board is over the size limit of one Markdown file. No task is read from it.",
        "Move closed tasks into another file.",
    ),
    "E105": Code(
        "error",
        "the board's bytes could not be brought; no task is known until the next sync",
        "The tree has a board, but the source did not give its bytes.",
        "Run `doit` again; if it stays, look at the source.",
    ),
    "E201": Code(
        "error",
        "{error}; pages are listed from the tree",
        "The wiki's index cannot be read as one: not UTF-8, a NUL byte, merge conflict markers, larger "
        "than 1 MiB, its bytes could not be brought, or text without a heading and without a page link.",
        "Repair what the message names; until then pages are listed by path.",
    ),
    "E301": Code(
        "error",
        "the page is not UTF-8; what could not be read is shown as �",
        "The page's bytes are not UTF-8. It stays listed; the odd bytes are replaced.",
        "Save the file as UTF-8.",
    ),
    "E302": Code(
        "error",
        "the page is larger than 1 MiB; only its name is read",
        "The page is over the size limit of one Markdown file. It is listed by its name.",
        "Split the page.",
    ),
    "N301": Code(
        "note",
        "neither the index nor any page leads here",
        "A page that a reader who begins at the index does not meet. It is listed and searched all the same.",
        "Add it to the index, or link to it from a page about the same.",
    ),
    "W101": Code(
        "warning",
        'unknown status "{status}"; kept as "unknown"',
        "The status starts with no word we know, and no emoji or lane decides. The text is kept beside it.",
        "Begin the status with active, todo, blocked, paused, done or cancelled; more may follow.",
    ),
    "W102": Code(
        "warning",
        'task "{slug}" has no status',
        "A task without a status, emoji or lane. It is kept as `unknown`.",
        "Add `**Status:** active` (or todo, blocked, paused, done, cancelled).",
    ),
    "W103": Code(
        "warning",
        'task "{slug}" is on the board already, at line {first}; this one is left out',
        "Two tasks have one slug. The first one counts.",
        "Rename or remove one of them.",
    ),
    "W104": Code(
        "warning",
        'unknown mark [{mark}]; known: [ ] [x] [~] [/] [-]; kept as "unknown"',
        "A checkbox holds a letter that we do not know. The task is kept as `unknown`.",
        "Use `[ ]`, `[x]` (also `[X]`, `[+]`), `[~]` or `[/]` (active), `[-]` (cancelled).",
    ),
    "W105": Code(
        "warning",
        "another spelling of the board stands beside {board}; this file is not read as a board",
        "Two files differ from `.tasks/STATUS.md` in capital letters only. The exact name wins, else the first.",
        "Keep one of them.",
    ),
    "W106": Code(
        "warning",
        'heading "{heading}" has a status but no `slug — title`; it is not read as a task',
        "A heading with a Status field that is neither `slug — title` nor has a status we know.",
        "Write the heading as `## slug — title`, or drop the field.",
    ),
    "W107": Code(
        "warning",
        "the whole board is front matter; no task is read from it",
        "The file holds nothing but a block between `---` lines, which a board's reader skips.",
        "Write the tasks below the block.",
    ),
    "W201": Code(
        "warning",
        "a link of this line is not closed, or its target has a space; the line is skipped",
        "A list entry or table row looks like a link but is none.",
        "Write `[title](folder/page.md)`; a target with spaces as `<folder/my page.md>`.",
    ),
    "W202": Code(
        "warning",
        "the index names {page}, which is not in the tree",
        "An entry of the index leads to a page that does not exist. The entry is left out.",
        "Correct the link, or write the page.",
    ),
    "W203": Code(
        "warning",
        "another spelling of the index stands beside {index}; it is read as a page",
        "Two files differ from `.wiki/index.md` in capital letters only. The exact name wins, else the first.",
        "Keep one of them.",
    ),
    "W301": Code(
        "warning",
        "the front matter does not parse ({reason}); simple `key: value` lines are kept",
        "The block between `---` lines is not YAML. What stands as `key: value` on its own line is kept.",
        "Correct the line; quote values that begin with @, *, &, % or hold `: `.",
    ),
    "W302": Code(
        "warning",
        "the front matter is not a mapping; simple `key: value` lines are kept",
        "The block is one text or a list, for example because `key:value` lacks its space.",
        "Write `key: value`, with a space after the colon.",
    ),
    "W303": Code(
        "warning",
        'the front matter has "{key}" twice; the first value counts',
        "A key stands twice in one mapping. The first value is kept.",
        "Remove one of them.",
    ),
    "W304": Code(
        "warning",
        "the front matter uses a YAML alias; simple `key: value` lines are kept",
        "Aliases (`*name`) are refused: a few of them can unfold into gigabytes.",
        "Write the value out.",
    ),
    "W305": Code(
        "warning",
        "the front matter is nested deeper than 20 levels; simple `key: value` lines are kept",
        "The block is nested deeper than any real page needs.",
        "Flatten it.",
    ),
    "W306": Code(
        "warning",
        "the front matter is larger than 64 KiB; simple `key: value` lines of its beginning are kept",
        "The block is over its size limit.",
        "Move the text into the body of the page.",
    ),
    "W307": Code(
        "warning",
        "the front matter is not closed; it is read as text",
        "Line 1 is `---` and line 2 a key, but no `---` follows.",
        "Close the block with `---`.",
    ),
    "W308": Code(
        "warning",
        "the page holds merge conflict markers; finish the merge",
        "A merge was committed unfinished. The page is kept as written.",
        "Finish the merge and commit.",
    ),
    "W309": Code(
        "warning",
        "the page holds NUL bytes; they are dropped",
        "The page holds a NUL byte. It is shown without it.",
        "Remove the byte.",
    ),
    "W310": Code(
        "warning",
        "the link {target} leads to no page: {meant} is not there{near}",
        "A link to a page of this wiki that does not exist. Links that leave the wiki are not looked at.",
        "Correct the link, or write the page.",
    ),
    "W311": Code(
        "warning",
        "very many links; only the first {count} of this page are followed",
        "A page has more than 10,000 different links, or the repository more than 200,000.",
        "Split the page.",
    ),
    "W312": Code(
        "warning",
        'code "{written}" is not DOC- and up to 20 digits; the page gets a code made of its address',
        "The front matter asks for a page code of another form than `DOC-101252`.",
        "Write `code: DOC-…` as it was given, or remove the line.",
    ),
    "W313": Code(
        "warning",
        "another page has the code {asked}; this one gets {got}",
        "The front matter asks for a code that a page before this one asks for, or that is made of another page's "
        "address; also of another repository.",
        "Remove `code:` from one of the two.",
    ),
    "W314": Code(
        "warning",
        "the code {shared} could mean another page, too, so neither has it; this one gets {got}",
        "Two pages began at one address, one after the other (the first moved away), or another page asks for the "
        "code that is made of this one's address, or the codes made of two addresses are equal.",
        "Nothing has to be done; to keep a code that is in use, write it into the front matter as `code:`.",
    ),
    "W401": Code(
        "warning",
        'the page has no domain in its front matter; its folder "{domain}" is taken',
        "A page of the shared wiki does not say its domain.",
        "Add `domain:` to its front matter.",
    ),
    "W402": Code(
        "warning",
        'domain "{domain}" is not the folder "{folder}" that the page stands in',
        "Front matter and folder disagree. The front matter counts.",
        "Move the page or correct its `domain:`.",
    ),
    "W403": Code(
        "warning",
        "the page has no domain: neither in its front matter nor by its folder",
        "A page at the top of the shared wiki without `domain:`. Searches by domain do not find it.",
        "Add `domain:` to its front matter or move it into a folder.",
    ),
    "W404": Code(
        "warning",
        'shared_at "{value}" is not a date; kept as written',
        "`shared_at` is neither `YYYY-MM-DD` nor a date with a time.",
        "Write the date as YYYY-MM-DD.",
    ),
    "W405": Code(
        "warning",
        'CLAUDE.md does not list the domain "{domain}"; listed: {listed}',
        "The page's domain is none of those that the shared wiki's `CLAUDE.md` lists. The page keeps it.",
        "Correct `domain:`, or add the domain to the list in `CLAUDE.md`.",
    ),
    "W406": Code(
        "warning",
        "the shared wiki lists no domains; any domain is taken",
        "The shared wiki has no `CLAUDE.md`, or none with a list below a heading that has the word domain (домен).",
        "List the domains in `CLAUDE.md` below a heading such as `## Domains`, one entry each.",
    ),
    "W501": Code(
        "warning",
        "a symbolic link; links are not followed",
        "The path is a symbolic link. Its target is not read, wherever it leads.",
        "Commit the file itself.",
    ),
    "W502": Code(
        "warning",
        "a submodule; submodules are not followed",
        "The path is another repository.",
        "List that repository as a source of its own.",
    ),
    "W503": Code(
        "warning",
        "a path that we do not name: it leaves its folder or holds odd letters",
        "The path has `..`, a `.git` part, a backslash, a colon, control letters, or is too long.",
        "Rename the file.",
    ),
    "W504": Code(
        "warning",
        "over the limit of 5,000 files in one repository; not copied",
        "The repository holds more files than we copy.",
        "Move what is no knowledge out of `.tasks/` and `.wiki/`.",
    ),
    "W505": Code(
        "warning",
        "over the limit of 64 MiB in one repository; not copied",
        "The repository's files are larger in sum than what we copy.",
        "Move large files out of `.tasks/` and `.wiki/`.",
    ),
    "W506": Code(
        "warning",
        "larger than 1 MiB; not copied",
        "The file is over the size limit of one Markdown file. It is listed by its name.",
        "Split the file.",
    ),
    "W507": Code(
        "warning",
        "its bytes could not be brought; only its name is known until the next sync",
        "The tree has the file, but the source did not give its bytes.",
        "Run `doit` again; if it stays, look at the source.",
    ),
    "W508": Code(
        "warning",
        'has the same name as "{other}" once written; left out',
        "Two paths of the repository lead to one name (`x.md` and `x.MD`). The first by path counts.",
        "Rename one of them.",
    ),
    "W509": Code(
        "warning",
        "a Git LFS pointer; the text itself is not in the repository",
        "The file is kept by Git LFS, which is not asked.",
        "Keep Markdown out of LFS.",
    ),
    "W510": Code(
        "warning",
        "{count} more diagnostics of this file are not listed",
        "A file with very much trouble: only the first 100 diagnostics by line are kept.",
        "Look at the first ones; the others may be of the same kind.",
    ),
}


def crash(reason: str) -> Diagnostic:
    """Our reader ended with an exception of that name; concerns the whole repository."""
    return make("E001", RepoPath(""), reason=reason)


def in_order(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Diagnostics by path, line and code; of each file the first hundred, then how many more there are."""
    ordered = sorted(found, key=lambda one: (one.path, one.line or 0, one.code, one.message))
    kept: list[Diagnostic] = []
    for path, group in groupby(ordered, key=lambda one: one.path):
        of_file = list(group)
        kept += of_file[:PER_FILE_LIMIT]
        if len(of_file) > PER_FILE_LIMIT:
            kept.append(make("W510", path, None, count=len(of_file) - PER_FILE_LIMIT))
    return tuple(kept)


def make(code: str, path: RepoPath, line: int | None = None, **details: object) -> Diagnostic:
    """A diagnostic of a known code; `details` fill its message, each on one line and cut short.

    Raises:
        KeyError: no such code, or a detail of its message is missing: our mistake.
    """
    known = CODES[code]
    shown = {name: text.line(str(value), DETAIL_LIMIT) for name, value in details.items()}
    return Diagnostic(code=code, severity=known.severity, path=path, line=line, message=known.message.format_map(shown))
