"""What a phrase means: status words and emoji, lanes, field names, placeholders, slugs.  Pure.

A status is the longest known phrase at the *start* of a text; a word beats an emoji, because emoji
mean different things on different boards.  Nothing is guessed from the middle of a sentence.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Literal

from pipeline import text
from pipeline.model import Status

Role = Literal["status", "next", "owner"]

# The same few names stand in thousands of boards.
REMEMBERED = 4096

PHRASES: dict[Status, tuple[str, ...]] = {
    "active": (
        *("active", "in progress", "doing", "wip", "started", "ongoing", "claimed", "inflight", "in flight"),
        *("implementing", "review", "in review", "в работе", "в процессе", "на ревью", "执行中", "进行中", "審查中"),
        *("진행 중", "진행중", "aktiv", "in arbeit"),
    ),
    "todo": (
        *("todo", "to do", "ready", "open", "next", "planned", "pending", "not started", "backlog", "inbox", "queued"),
        *("бэклог", "в планах", "в очереди", "к выполнению", "待办", "대기", "할 일", "offen", "geplant"),
    ),
    "blocked": (
        *("blocked", "waiting", "waiting on", "waiting for", "stuck", "заблокировано", "заблокирована", "заблокирован"),
        *("ждёт", "ожидание", "ожидает", "阻塞", "等待", "차단됨", "blockiert"),
    ),
    "paused": (
        *("paused", "on hold", "parked", "deferred", "stalled", "на паузе", "отложено", "отложена", "отложен"),
        *("暂停", "보류", "pausiert"),
    ),
    "done": (
        *("done", "complete", "completed", "closed", "shipped", "merged", "finished", "готово", "готова", "готов"),
        *("сделано", "сделана", "завершено", "завершена", "завершён", "закрыто", "закрыта", "закрыт", "выполнено"),
        *("выполнена", "完成", "已完成", "완료", "erledigt", "fertig", "abgeschlossen"),
    ),
    "cancelled": (
        *("cancelled", "canceled", "rejected", "dropped", "superseded", "won't do", "wont do", "obsolete"),
        *("отменено", "отменена", "отменён", "取消", "已取消", "취소", "abgebrochen"),
    ),
}
EMOJI: dict[Status, str] = {
    "active": "🔴🚧🔄▶",
    "todo": "⚪",
    "blocked": "🔵⛔🚫",
    "paused": "🟡⏸",
    "done": "🟢✅✔",
    "cancelled": "❌✗",
}
MARKS: dict[str, Status] = {
    **dict.fromkeys("xX+✓✔", "done"),
    **dict.fromkeys("~/", "active"),
    "-": "cancelled",
}
NEXT_NAMES = (
    *("next", "next action", "next actions", "next step", "next steps", "следующее действие", "следующие действия"),
    *("следующий шаг", "следующие шаги", "следующий точный шаг", "下一步"),
)
OWNER_NAMES = (
    *("owner", "assigned", "assigned to", "assignee", "agent", "исполнитель", "ответственный", "владелец"),
    *("负责人", "담당자", "담당"),
)
FIELD_ROLES: dict[str, Role] = {
    **dict.fromkeys(("status", "state", "статус", "состояние", "状态", "상태"), "status"),
    **dict.fromkeys(NEXT_NAMES, "next"),
    **dict.fromkeys(OWNER_NAMES, "owner"),
}
NOTHING = frozenset(("", "-", "–", "—", "none", "n/a", "нет", "tbd"))
PLACEHOLDERS = NOTHING | {
    *("none yet", "nothing", "nothing yet", "nothing here", "empty", "no tasks", "no tasks yet"),
    *("пусто", "пока пусто", "ничего", "задач нет", "нет задач", "无", "暂无", "없음", "keine", "leer"),
}
LANE_FILLERS = frozenset(("task", "tasks", "recently", "items", "задачи", "недавно", "任务", "aufgaben", "작업"))

# "No active tasks", told at more length than a word; only about tasks: "no open issues" is a goal.
NO_TASKS = re.compile(
    r"(?:no|keine)(?: \w{1,20})? (?:tasks|items|aufgaben)(?: yet| here| now| in progress)?"
    r"|(?:пока )?нет(?: \w{1,20})? задач(?: в работе)?|(?:\w{1,20} )?задач(?: пока)? нет"
)
BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|（[^（）]*）|【[^【】]*】|\{[^{}]*\}")
DATED = re.compile(r"\W{0,9}(?:\d{1,4}[-./]\d{1,2}[-./]\d|\d{4}-\d\d|\d{1,2}:\d\d)")
TRIM = " \t.,;:!|/·*_~-–—"
LONGEST_NAME = 300


def _folded(phrase: str) -> str:
    return text.fold(phrase).replace("_", " ").replace("’", "'")


MEANINGS: dict[str, Status] = {_folded(phrase): status for status, known in PHRASES.items() for phrase in known}
SIGNS: dict[str, Status] = {sign: status for status, signs in EMOJI.items() for sign in signs}
_LONGEST_FIRST = sorted(MEANINGS, key=len, reverse=True)
# A phrase ends where a word ends; a hyphen that goes on into a word is no end ("done-ish").
_PHRASE = re.compile(
    r"[\W_]*(" + "|".join(re.escape(phrase).replace(r"\ ", "[ -]{1,3}") for phrase in _LONGEST_FIRST) + r")(?!\w|-\w)"
)
_SIGN = re.compile("[" + "".join(SIGNS) + "]")


def status_by_word(value: str) -> Status | None:
    """The status named by the longest known phrase at the start of `value`, or None."""
    match = _PHRASE.match(_folded(value))
    return MEANINGS[" ".join(match[1].replace("-", " ").split())] if match else None


def status_by_emoji(value: str) -> Status | None:
    """The status of the first emoji in `value` that stands for one, or None."""
    match = _SIGN.search(value)
    return SIGNS[match[0]] if match else None


def lane(title: str) -> Status | None:
    """The status that a heading *is*, once fillers, counts, brackets and emoji are dropped, or None.

    `Backlog / To do`, `В работе | In progress`: a lane when each part is one; the first part decides.
    A heading that begins with a date or a time is an event's, not a lane.
    """
    if DATED.match(title):
        return None
    parts = [heading_name(part, LANE_FILLERS) for part in re.split(r"[/|]", title[:LONGEST_NAME])]
    meanings = [MEANINGS.get(part.replace("-", " ")) for part in parts]
    return meanings[0] if None not in meanings else None


def heading_name(title: str, fillers: frozenset[str] = frozenset()) -> str:
    """The bare folded name in a plain heading: no brackets, emoji, counts, fillers or outer punctuation."""
    return _bare_name(title[:LONGEST_NAME], fillers)


@lru_cache(maxsize=REMEMBERED)
def _bare_name(title: str, fillers: frozenset[str]) -> str:
    bare = BRACKETS.sub(" ", BRACKETS.sub(" ", title))
    letters = "".join(" " if is_symbol(letter) else letter for letter in bare)
    kept = [word for word in _folded(letters).split() if word not in fillers and not _is_count(word)]
    return " ".join(kept).strip(TRIM)


def field_role(name: str) -> Role | None:
    """What a field or a column of that name holds, or None for any other name."""
    return _role_of(name) if len(name) <= LONGEST_NAME else None


@lru_cache(maxsize=REMEMBERED)
def _role_of(name: str) -> Role | None:
    return FIELD_ROLES.get(" ".join(_folded(BRACKETS.sub(" ", name)).replace("-", " ").split()).strip(TRIM))


def is_nothing(value: str) -> bool:
    """True for a value that says "there is none"."""
    return len(value) < 20 and _folded(value).strip().removesuffix(".") in NOTHING


def is_placeholder(plain: str) -> bool:
    """True for a list entry or cell that stands where no task is: `(none)`, `пусто`, `No active tasks.`, `-`."""
    bare = _folded(plain).strip(TRIM + "()[]") if len(plain) < 40 else "?"
    return bare in PLACEHOLDERS or bool(NO_TASKS.fullmatch(bare))


def slugify(title: str) -> str:
    """Case folded, runs of non-word letters become `-`; letters of every script stay."""
    return re.sub(r"\W+", "-", unicodedata.normalize("NFC", title).casefold()).strip("-")


def is_symbol(letter: str) -> bool:
    """True for emoji and other pictures, and for the invisible letters that belong to them."""
    return letter > "\x7f" and (letter in "\ufe0f\u200d\u20e3" or unicodedata.category(letter) in ("So", "Sk", "Sm"))


def without_leading_symbols(title: str) -> str:
    """`title` from its first letter that is neither emoji nor space."""
    start = next((place for place, letter in enumerate(title) if not (is_symbol(letter) or letter.isspace())), None)
    return "" if start is None else title[start:].strip()


def _is_count(word: str) -> bool:
    return not any(letter.isalpha() for letter in word) and any(letter.isdigit() for letter in word)
