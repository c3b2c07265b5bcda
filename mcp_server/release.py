"""Which release of ours a server belongs to."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def release() -> str:
    """Our version; `unreleased` when this runs from a folder that was never installed."""
    try:
        return version("projects-meta")
    except PackageNotFoundError:
        return "unreleased"
