"""Where a hub keeps its state: told alike to the hub and to the sessions that need its token and its copies."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import platformdirs

APP = "sdlc-hub"
VARIABLE = "SDLC_HUB_STATE"
TOKEN = "token"


def find(named: Path | None, environment: Mapping[str, str] = os.environ) -> Path:
    """The folder that was named, else SDLC_HUB_STATE, else the user's own state folder for `sdlc-hub`."""
    given = named or environment.get(VARIABLE)
    folder = Path(given).expanduser() if given else Path(platformdirs.user_state_dir(APP, appauthor=False))
    return folder.absolute()
