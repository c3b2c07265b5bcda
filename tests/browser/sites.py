"""Reports in build folders, as a person's browser finds them."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pipeline import catalog, codec, files, freshness, news
from pipeline.catalog import Catalog
from pipeline.layout import Layout
from pipeline.messages import Language
from pipeline.model import SourceReading, SyncReading
from pipeline.report import site

CHECKOUT = Path(__file__).parent.parent.parent
LOOKED = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Built:
    """A build folder with one version; `report` is the folder of its pages."""

    build: Path
    version: int = 1

    @property
    def report(self) -> Path:
        """Where index.html is."""
        return self.build / "versions" / f"{self.version:06d}" / "report"

    @property
    def pages(self) -> tuple[str, ...]:
        """Every page by its path in the report, sorted."""
        return tuple(sorted(path.relative_to(self.report).as_posix() for path in self.report.rglob("*.html")))


def write_site(build: Path, catalog: Catalog, language: Language = "en") -> Built:
    """Render a catalog into a version of a build folder, with the clock of a good look beside it."""
    built = Built(build)
    for path, _, content in site.render_site(catalog, language):
        if content is not None:
            files.write_atomic(built.report / path, content)
    files.write_atomic(build / "freshness.js", freshness.render_freshness(good_look()))
    files.write_atomic(build / "looks.js", freshness.render_looks(good_look()))
    files.write_atomic(build / "news.js", news.render_news(news.nothing(built.version)))
    return built


def build_example(build: Path) -> Built:
    """The bundled example, built by doit as for a newcomer: real repositories, real histories."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TEMP", "TMP") if name in os.environ}
    home = {"HOME": str(build), "USERPROFILE": str(build), "PYTHONDONTWRITEBYTECODE": "1"}
    variables = {"PROJECTS_META_BUILD": str(build), "PROJECTS_META_NOW": LOOKED.isoformat()}
    subprocess.run(
        [sys.executable, "-m", "doit"], cwd=CHECKOUT, env={**kept, **home, **variables}, check=True, timeout=100
    )
    return Built(build)


def speak(language: Language, found: Built, build: Path) -> Built:
    """The report of the same version in another language, in a build folder of its own."""
    with catalog.open_published(Layout(found.build), LOOKED) as opened:
        return write_site(build, opened, language)


def good_look() -> SyncReading:
    """Half an hour before the tests' present everything answered."""
    source = SourceReading(
        source="git.example.org", state="ok", reason=None, checked_at=LOOKED, synced_at=LOOKED, repositories=1
    )
    return SyncReading(
        schema_version=codec.SCHEMA_VERSION,
        machine="laptop",
        checked_at=LOOKED,
        offline=False,
        stale_after_hours=24,
        sources=(source,),
        repositories=(),
    )
