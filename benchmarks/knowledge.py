"""What the tools about knowledge take over stdio: made-up wikis, the real server, its own processor time.

    python -m benchmarks knowledge [--sizes 10000,100000] [--json FILE]

One repository is the shared wiki: a tenth of the pages, at most 5,000.  Queries are the mix of `search`.
"""

from __future__ import annotations

import random
import sqlite3
import statistics
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

from benchmarks import corpus, figures, questions
from benchmarks.asking import Client
from benchmarks.figures import Figure
from pipeline import codec, files, index, model, versions
from pipeline.layout import Layout
from pipeline.text import body
from tests.fakes.catalogs import CODE, NOW, Project, reading, roster, write_tree

SHARED = "forge.example/team/projects-wiki"
SHARED_MOST = 5_000
ASKED_PROJECTS = 10
GETS = 100
GET_MS = 2.0

Call = tuple[str, Mapping[str, object]]


def main(sizes: Sequence[int], json_path: Path | None) -> None:
    """Measure and print."""
    machine = figures.machine()
    measured = [figure for size in sizes for figure in measure(size)]
    print("\n".join(figures.table(measured)))
    if json_path is not None:
        figures.write_json(json_path, machine, measured)


def measure(pages: int) -> Iterator[Figure]:
    """One corpus, published; then every tool in turn, each by a server of its own."""
    with tempfile.TemporaryDirectory() as name:
        layout = Layout(Path(name) / "build")
        slugs = publish(layout, pages)
        environment = {"PROJECTS_META_BUILD": str(layout.root), "PROJECTS_META_NOW": f"{NOW:%Y-%m-%dT%H:%M:%SZ}"}
        for work, calls in _asked(slugs).items():
            group = f"Knowledge over stdio, {pages:,} pages"
            yield from _figures(environment, group, work, calls)


def publish(layout: Layout, pages: int) -> Mapping[model.RepositoryId, Sequence[str]]:
    """Write, index and publish the corpus, project by project; the slugs of every project's pages."""
    artifacts: dict[model.RepositoryId, tuple[model.Artifact, str]] = {}
    known: list[Project] = []
    for project in _projects(pages):
        artifact, digest = project.artifact, project.digest
        artifacts[project.id] = (artifact, digest)
        write_tree(layout.stage_project(project.id), project)
        files.write_atomic(layout.stage_project(project.id) / "project.json", codec.dump(artifact))
        known.append(Project(repository=project.repository, shared_pages={"x": ""} if project.shared_pages else {}))
    records = index.build_repositories(roster(known), artifacts, model.RepositoryId(SHARED))
    changed = [
        (artifact, digest, partial(_text, layout.stage_project(name)))
        for name, (artifact, digest) in sorted(artifacts.items())
    ]
    with closing(sqlite3.connect(layout.stage / "catalog.sqlite")) as connection:
        index.create(connection, CODE)
        index.update(connection, records, changed)
        index.prefer(connection, model.Preferences())
        connection.commit()
    files.write_atomic(layout.stage / "repos.json", codec.dump(records))
    files.write_atomic(layout.sync_json, codec.dump(reading()))
    versions.publish(layout, {name: digest for name, (_, digest) in artifacts.items()}, keep=5)
    return {name: _slugs(artifact) for name, (artifact, _) in artifacts.items()}


def _slugs(artifact: model.Artifact) -> list[str]:
    return [*(page.slug for page in artifact.pages), *(page.slug for page in artifact.shared_pages)]


def _projects(pages: int) -> Iterator[Project]:
    shared = min(pages // 10, SHARED_MOST)
    texts: dict[str, str] = {}
    for project in corpus.projects(shared):
        texts |= {str(slug): str(text) for slug, text in project.pages.items()}
    yield Project(repository=SHARED, shared_pages=texts)
    yield from (replace(project, source="forge") for project in corpus.projects(pages - shared))


def _text(folder: Path, file: str) -> str:
    return body((folder / file).read_text(encoding="utf-8"))


def _asked(slugs: Mapping[model.RepositoryId, Sequence[str]]) -> Mapping[str, Sequence[Call]]:
    """The calls of each kind: the whole mix of queries, and a hundred pages."""
    chance = random.Random(1)
    words = [query for queries in questions.mix().values() for query in queries]
    wikis = sorted(set(slugs) - {SHARED})
    shared = [chance.choice(slugs[model.RepositoryId(SHARED)]) for _ in range(GETS)]
    places = [(name, chance.choice(slugs[name])) for name in chance.choices(wikis, k=GETS)]
    asked = [chance.sample(wikis, min(ASKED_PROJECTS, len(wikis))) for _ in words]
    return {
        "knowledge_search": [("knowledge_search", {"query": word}) for word in words],
        "knowledge_get": [("knowledge_get", {"slug": slug}) for slug in shared],
        f"knowledge_ask_projects of {ASKED_PROJECTS}": [
            ("knowledge_ask_projects", {"query": word, "projects": names})
            for word, names in zip(words, asked, strict=True)
        ],
        "knowledge_get_from": [("knowledge_get_from", {"project": name, "slug": slug}) for name, slug in places],
        "knowledge_who_knows": [("knowledge_who_knows", {"query": word}) for word in words],
    }


def _figures(environment: Mapping[str, str], group: str, work: str, calls: Sequence[Call]) -> Iterator[Figure]:
    with Client(environment) as client:
        client.begin()
        client.call(*calls[0])
        before = client.cpu_s()
        times = sorted(client.call(*call) for call in calls)
        after = client.cpu_s()
    target = GET_MS if work == "knowledge_get" else None
    cpu_s = None if before is None or after is None else (after - before) / len(calls)
    yield Figure(group=group, work=f"{work}: p50", value=statistics.median(times), unit="ms", target=target)
    yield Figure(group=group, work=f"{work}: p99", value=times[-(-len(times) * 99 // 100) - 1], unit="ms")
    if cpu_s is not None:
        yield Figure(group=group, work=f"{work}: processor, mean", value=cpu_s * 1000, unit="ms")
