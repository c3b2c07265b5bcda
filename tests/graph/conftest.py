"""A person's machine: repositories in a folder, a sources.toml, a build folder, and doit itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.bare import BareRepository, Content

HOME = Path(__file__).parent.parent.parent
START = datetime(2026, 3, 1, 9, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Ran:
    """How a run of doit ended."""

    status: int
    out: str
    err: str


@dataclass(slots=True)
class Workspace:
    """Everything of one person."""

    root: Path
    environment: dict[str, str] = field(default_factory=dict)
    commits: int = 0

    @property
    def build(self) -> Path:
        return self.root / "build"

    @property
    def projects(self) -> Path:
        return self.root / "projects"

    def configure(self, text: str) -> None:
        """Write sources.toml."""
        (self.root / "sources.toml").write_text(text, encoding="utf-8", newline="\n")

    def commit(self, name: str, files: dict[str, Content], remove: tuple[str, ...] = ()) -> str:
        """Commit into `projects/<name>.git`, making it when needed; answers the commit."""
        path = self.projects / f"{name}.git"
        repository = BareRepository(path) if path.exists() else BareRepository.create(path, "main")
        self.commits += 1
        return repository.commit("main", files, remove=remove, when=START + timedelta(hours=self.commits))

    def doit(self, *arguments: str, **environment: str) -> Ran:
        """Run doit as a person would, in the checkout."""
        ended = subprocess.run(
            [sys.executable, "-m", "doit", *arguments],
            cwd=HOME,
            env={**self.environment, **environment},
            capture_output=True,
            timeout=100,
        )
        return Ran(ended.returncode, ended.stdout.decode(), ended.stderr.decode())

    def pipeline(self, *arguments: str) -> Ran:
        """Run one of the small commands."""
        ended = subprocess.run(
            [sys.executable, "-m", "pipeline", *arguments], cwd=HOME, env=self.environment, capture_output=True
        )
        return Ran(ended.returncode, ended.stdout.decode(), ended.stderr.decode())

    def version(self) -> int:
        """The published version's number."""
        return int(self.json("current.json")["version"])

    def json(self, path: str) -> Any:
        """A JSON file below the build folder."""
        return json.loads((self.build / path).read_bytes())

    def published(self, path: str) -> Any:
        """A JSON file of the published version."""
        return self.json(f"versions/{self.version():06d}/{path}")

    def page(self, path: str) -> str:
        """A page of the published report."""
        return (self.build / f"versions/{self.version():06d}/report" / path).read_text(encoding="utf-8")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A machine with a folder source and nothing in it yet."""
    return make_workspace(tmp_path)


def make_workspace(root: Path) -> Workspace:
    """The same in a folder of one's own, for tests that share what was built."""
    found = Workspace(root)
    found.projects.mkdir()
    found.configure(f'[[source]]\nkind = "folder"\npath = "{found.projects.as_posix()}"\n')
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TEMP", "TMP") if name in os.environ}
    found.environment = {
        **kept,
        "HOME": str(root),
        "USERPROFILE": str(root),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PROJECTS_META_CONFIG": str(root / "sources.toml"),
        "PROJECTS_META_BUILD": str(found.build),
        "PROJECTS_META_NOW": "2026-03-02T10:00:00Z",
    }
    return found
