"""What a linter cannot see: who may open files, read the clock, or speak to the network."""

import ast
from pathlib import Path

import pytest

HOME = Path(__file__).parent.parent
CODE = sorted([*HOME.glob("pipeline/**/*.py"), *HOME.glob("mcp_server/**/*.py")])
STAGES = (
    "text", "codec", "plan", "choice", "artifact", "search", "diagnostics", "summary", "index_files", "domains",
    "promotion", "tool_words", "stems", "links", "shared_rules", "shared_audit", "wiki_tree",
    "renames", "differences", "chains", "codes", "history", "task_history",
)  # fmt: skip
PURE = [HOME / "pipeline" / f"{name}.py" for name in STAGES] + sorted(
    [*HOME.glob("pipeline/parse/*.py"), *HOME.glob("pipeline/model/*.py")]
)


def called(path: Path) -> str:
    """How a test's parameter is shown."""
    return path.relative_to(HOME).as_posix()


def calls(path: Path) -> set[str]:
    """The last name of everything that is called."""
    nodes = (node.func for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.Call))
    return {node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "") for node in nodes}


def imports(path: Path) -> set[str]:
    """The top-level modules that are imported."""
    nodes = list(ast.walk(ast.parse(path.read_bytes())))
    named = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    named += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    return {name.split(".")[0] for name in named}


@pytest.mark.parametrize("path", PURE, ids=called)
def test_a_pure_module_opens_nothing_and_reads_no_clock(path):
    assert calls(path) & {"open", "now", "utcnow", "today", "time", "read_bytes", "read_text", "getenv"} == set()


@pytest.mark.parametrize("path", [path for path in CODE if path.name != "files.py"], ids=called)
def test_only_files_py_writes_files(path):
    assert calls(path) & {"write_text", "write_bytes", "mkstemp", "rmtree", "copyfile", "rename", "symlink_to"} <= (
        {"rename"} if path.name in ("versions.py", "sync.py") else set()
    )


@pytest.mark.parametrize(
    ("module", "allowed"),
    [
        ("httpx", {"pipeline/sources/transport.py", "mcp_server/wiki/client.py"}),
        (
            "pygit2",
            {
                "pipeline/differences.py",
                "pipeline/example.py",
                "pipeline/sources/clone.py",
                "pipeline/sources/credentials.py",
                "pipeline/sources/git_history.py",
            },
        ),
        ("nh3", {"pipeline/report/markdown.py"}),
        ("markupsafe", {"pipeline/report/markdown.py"}),
        ("pyromark", {"pipeline/report/markdown.py"}),
        ("subprocess", {"mcp_server/hub/runner.py", "pipeline/registration.py"}),
        ("multiprocessing", {"pipeline/workers.py"}),
        ("requests", set()),
        ("urllib3", set()),
    ],
)
def test_a_library_with_side_effects_is_imported_in_one_place(module, allowed):
    assert {path.relative_to(HOME).as_posix() for path in CODE if module in imports(path)} <= allowed


def test_only_parse_catches_everything():
    caught = {
        path.name
        for path in CODE
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.ExceptHandler) and ast.unparse(node.type or ast.Name("bare")) in ("Exception", "bare")
    }

    assert caught == {"steps.py"}


def test_no_template_switches_escaping_off():
    assert [path.name for path in HOME.glob("templates/**/*.html") if "safe" in path.read_text(encoding="utf-8")] == []


def test_dodo_py_is_a_table_of_contents():
    text = (HOME / "dodo.py").read_text(encoding="utf-8")

    assert text.count("\n") < 120
    assert [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.If | ast.Lambda | ast.Try)] == []


@pytest.mark.parametrize("path", CODE, ids=called)
def test_no_function_is_longer_than_a_screen(path):
    functions = (node for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.FunctionDef))

    assert [node.name for node in functions if (node.end_lineno or 0) - node.lineno >= 60] == []


def test_the_map_of_the_pipeline_names_every_file():
    shown = (HOME / "pipeline" / "__init__.py").read_text(encoding="utf-8")
    words = {word.strip(",") for word in shown.split()}
    names = [path.stem for path in HOME.glob("pipeline/*.py") if path.stem != "__init__"]
    families = tuple(word.rstrip("*") for word in words if word.endswith("*"))

    assert [name for name in names if name not in words and not name.startswith(families)] == []
    assert [path.name for path in HOME.glob("pipeline/*/__init__.py") if f"{path.parent.name}/" not in words] == []
