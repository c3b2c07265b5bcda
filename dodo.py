"""sources -> sync -> parse -> index -> report -> publish (-> history).  `doit list` prints the contents.

Variables: `doit offline=1` asks no source; `doit strict=1` ends non-zero on partial trouble;
`doit accept_removals=1` believes a source that suddenly lists much less; `doit purge=<repository>` forgets
a repository on this machine at once.
"""

from collections.abc import Iterator

from doit import create_after

from pipeline import steps

Task = dict[str, object]
BUILD = steps.open_build(__file__)
DOIT_CONFIG = {"default_tasks": ["publish", "history"], **steps.doit_config(BUILD)}


def task_sync() -> Task:
    """bring the snapshots up to date with every source (the only network task)"""
    return {"actions": [BUILD.sync], "uptodate": [False]}


@create_after(executed="sync")
def task_parse() -> Iterator[Task]:
    """turn each snapshot into one artifact"""
    yield {"name": None, "doc": "turn each snapshot into one artifact"}
    for repository in BUILD.roster():
        yield {
            "name": BUILD.task_name(repository),
            "doc": BUILD.last_look(repository),
            "actions": [(BUILD.parse, [repository])],
            "targets": [BUILD.artifact(repository)],
            "uptodate": [BUILD.is_current(repository)],
        }


@create_after(executed="parse")
def task_roots() -> Task:
    """turn each knowledge root into its listing, its texts and what the primary one says"""
    return {"actions": [BUILD.roots], "task_dep": ["parse"], "uptodate": [False]}


@create_after(executed="roots")
def task_index() -> Task:
    """gather all artifacts into repos.json, tasks.json, knowledge.json and the catalog"""
    return {"actions": [BUILD.index], "task_dep": ["roots"], "uptodate": [False]}


@create_after(executed="index")
def task_report() -> Task:
    """write the HTML report of the catalog"""
    return {"actions": [BUILD.report], "task_dep": ["index"], "uptodate": [False]}


@create_after(executed="report")
def task_publish() -> Task:
    """make the next version of what changed, and say how things stand"""
    return {"actions": [BUILD.publish], "task_dep": ["report"], "uptodate": [False], "clean": [BUILD.clean]}


@create_after(executed="publish")
def task_history() -> Task:
    """bring the histories that are not here yet, then publish what came of them"""
    return {"actions": [BUILD.history], "task_dep": ["publish"], "uptodate": [BUILD.has_all_histories()]}


def task_check() -> Task:
    """lint, types and import rules (needs the test extra)"""
    return {"actions": steps.CHECKS, "uptodate": [False]}


def task_test() -> Task:
    """run the test suite (needs the test extra)"""
    return {"actions": steps.TESTS, "uptodate": [False]}
