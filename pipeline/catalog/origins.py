"""Where the texts behind a list stand."""

from __future__ import annotations

import json
from collections.abc import Iterable

from pipeline.catalog import Catalog
from pipeline.catalog.answers import Origin
from pipeline.model import RepositoryId


def board_origins(catalog: Catalog, projects: Iterable[RepositoryId]) -> tuple[Origin, ...]:
    """Path and revision of the boards of these projects, each once, by id; those without a board are left out."""
    return tuple(
        catalog.query(
            """select p.repository, c.board_path, p.revision from projects p
            cross join contents c on c.repository = p.repository
            where p.repository in (select value from json_each(:projects)) and c.board_path is not null
            order by p.repository""",
            {"projects": json.dumps(sorted(set(projects)))},
            lambda project, path, revision: Origin(project=project, path=path, revision=revision),
        )
    )
