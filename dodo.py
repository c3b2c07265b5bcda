"""sources -> sync -> parse -> index -> report -> publish.  `doit list` prints the contents.

Variables: `doit offline=1` asks no source; `doit strict=1` ends non-zero on partial trouble;
`doit accept_removals=1` believes a source that suddenly lists much less.
"""

from doit import create_after

from pipeline import steps

BUILD = steps.open_build(__file__)
DOIT_CONFIG = {"default_tasks": ["publish"], **steps.doit_config(BUILD)}


def task_sync():
    """bring the snapshots up to date with every source (the only network task)"""
    return {"actions": [BUILD.sync], "uptodate": [False]}


@create_after(executed="sync")
def task_parse():
    """turn each snapshot into one artifact"""
    yield {"name": None, "doc": "turn each snapshot into one artifact"}
    for repository in BUILD.roster():
        yield {
            "name": repository,
            "actions": [(BUILD.parse, [repository])],
            "targets": [BUILD.artifact(repository)],
            "uptodate": [BUILD.is_current(repository)],
        }


@create_after(executed="parse")
def task_index():
    """gather all artifacts into repos.json, tasks.json, knowledge.json and the catalog"""
    return {"actions": [BUILD.index], "task_dep": ["parse"], "uptodate": [False]}


@create_after(executed="index")
def task_report():
    """write the HTML report of the catalog"""
    return {"actions": [BUILD.report], "task_dep": ["index"], "uptodate": [False]}


@create_after(executed="report")
def task_publish():
    """make the next version of what changed, and say how things stand"""
    return {"actions": [BUILD.publish], "task_dep": ["report"], "uptodate": [False], "clean": [BUILD.clean]}


def task_check():
    """lint, types and import rules (needs the test extra)"""
    return {"actions": steps.CHECKS, "uptodate": [False]}


def task_test():
    """run the test suite (needs the test extra)"""
    return {"actions": steps.TESTS, "uptodate": [False]}
