"""What a person can do about a repository that is not up to date, told by its state and reason.  Pure."""

from __future__ import annotations

from typing import Literal

from pipeline.model import State

Remedy = Literal[
    "renamed", "gone", "unlisted", "credentials", "absent", "busy", "server", "certificate", "moved", "network",
    "damaged", "folder", "other",
]  # fmt: skip

# The first whose words stand in the reason.
SIGNS: tuple[tuple[Remedy, tuple[str, ...]], ...] = (
    ("unlisted", ("no longer listed",)),
    ("credentials", ("HTTP 401", "HTTP 403", "credentials", "this token", "by this user")),
    ("absent", ("HTTP 404", "default branch", "no longer there")),
    ("busy", ("HTTP 429", "to be asked again only after")),
    ("server", ("HTTP 5",)),
    ("certificate", ("TLS",)),
    ("moved", ("redirect",)),
    ("network", ("cannot connect", "no answer", "broke off", "cut off", "slower than")),
    ("damaged", ("git's", "damaged", "git fsck", "has no commit")),
    ("folder", ("folder", "`path`", "`ref`")),
)


def remedy(state: State, reason: str | None) -> Remedy | None:
    """The kind of advice; None for a repository that is up to date."""
    match state:
        case "ok":
            return None
        case "renamed" | "gone":
            return state
        case "unreachable":
            return next((kind for kind, signs in SIGNS if any(sign in (reason or "") for sign in signs)), "other")
