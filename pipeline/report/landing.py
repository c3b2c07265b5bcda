"""build/report.html: the stable address of the report, rewritten on each run.  Pure."""

from __future__ import annotations

from pipeline.messages import Language
from pipeline.model import SyncReading
from pipeline.report import press


def render_landing(version: int, reading: SyncReading, language: Language) -> bytes:
    """The page that leads at once to `versions/NNNNNN/report/index.html`, with a plain link beside it."""
    report = f"versions/{version:06d}/report"
    html = (
        press.open_press(language)
        .get_template("landing.html")
        .render(href=f"{report}/index.html", style=f"{report}/a/report.css", version=version, reading=reading)
    )
    return html.encode()
