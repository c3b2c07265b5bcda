"""doit's variables on the command line: `doit offline=1`."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from doit import doit_cmd, get_var

SWITCHES = ("accept_removals", "offline", "strict")
KNOWN = (*SWITCHES[:2], "purge", *SWITCHES[2:])
YES, NO = ("1", "yes", "true", "on"), ("", "0", "no", "false", "off")


def is_on(name: str) -> bool:
    """Whether the variable was given as a yes."""
    return str(get_var(name, "0")).lower() in YES


def text(name: str) -> str | None:
    """What the variable was given, without blanks around it; None when it was not given."""
    given = get_var(name)
    return None if given is None else str(given).strip()


def names_subtask() -> bool:
    """Whether the command line names one sub-task of many."""
    return any(":" in word and "=" not in word for word in sys.argv[1:])


def mistakes() -> tuple[str, ...]:
    """A misspelt variable would be passed over in silence, and `doit offlin=1` would go online."""
    given: Mapping[str, str] = getattr(doit_cmd, "_CMDLINE_VARS", None) or {}
    unknown = [f"{name}=… is not a variable; known: {', '.join(KNOWN)}" for name in given if name not in KNOWN]
    odd = [
        f"{name}={value[:40]}: expected {name}=1 or {name}=0"
        for name, value in given.items()
        if name in SWITCHES and value.lower() not in (*YES, *NO)
    ]
    return (*unknown, *odd)
