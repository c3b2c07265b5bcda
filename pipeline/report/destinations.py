"""Where a link of a repository's text leads, as the report shows it.  Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

OUTSIDE = re.compile(r"https?://[^/?#\\]|mailto:[^/\\?]", re.IGNORECASE)
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}:|[/\\]{2}")
LONGEST = 2_000

Kind = Literal["page", "outside", "file", "dead", "plain"]


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a link leads.

    page: a page of the report, `href` relative to the report's folder.  outside: an address of the web, `host` is
    its name.  file: a file that is not in the report; `href` is where its source shows it, empty for nowhere.
    dead: a page that is not there.  plain: nothing that we can follow.
    """

    kind: Kind
    href: str = ""
    host: str = ""


PLAIN = Destination("plain")
DEAD = Destination("dead")

# A link's target, whether it is a wikilink, and a wikilink's label → where it leads.
Resolve = Callable[[str, bool, str], Destination]


def outside(target: str) -> Destination | None:
    """The destination of a target that names a scheme; None for a relative one.

    Only http, https and mailto lead anywhere.
    """
    if not SCHEME.match(target):
        return None
    if not OUTSIDE.match(target) or len(target) > LONGEST:
        return PLAIN
    return Destination("outside", target, host_of(target))


def host_of(address: str) -> str:
    """The host of an address of the web, without a user's name; empty for others."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def nowhere(target: str, is_wikilink: bool, label: str) -> Destination:
    """A `Resolve` for a text that belongs to no wiki: only addresses of the web lead anywhere."""
    del is_wikilink, label
    return outside(target.strip()) or PLAIN
