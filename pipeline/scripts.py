"""Values as scripts that the report's pages load: JSON that no repository's text can break out of.  Pure."""

from __future__ import annotations

import orjson

ESCAPES = {
    "<": b"\\u003c",
    ">": b"\\u003e",
    "&": b"\\u0026",
    "\u2028": b"\\u2028",
    "\u2029": b"\\u2029",
}


def literal(value: object) -> bytes:
    """Plain data as one line of JavaScript."""
    raw = orjson.dumps(value)
    for letter, escape in ESCAPES.items():
        raw = raw.replace(letter.encode(), escape)
    return raw


def assignment(name: str, value: object) -> bytes:
    """`window.name = value;`"""
    return b"window.%s = %s;\n" % (name.encode(), literal(value))


def call(name: str, *values: object) -> bytes:
    """`name(value, …);`"""
    return b"%s(%s);\n" % (name.encode(), b",".join(map(literal, values)))
