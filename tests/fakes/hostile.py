"""Repositories that somebody made to do harm: trees that git itself would never write, and texts to choke on."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pygit2
from pygit2.enums import ObjectType

MIB = 1 << 20
COMMITTED_AT_S = 1_772_355_600
Node = bytes | str | tuple[str, bytes] | Mapping[str | bytes, "Node"]

BOARD = "# Tasks\n\n| Slug | Status | Next |\n|---|---|---|\n| fix-login | todo | write a test |\n"
INDEX = "# Wiki\n\n- [One](one.md) — first\n"
SCRIPT = "</script><script>window.pwned=1</script>"
ALIASES = "---\na: &a [x, x]\n" + "".join(f"a{n}: &a{n} [*a, *a]\n" for n in range(30)) + "---\n# One\n"


def link(target: str) -> tuple[str, bytes]:
    """A symlink."""
    return "120000", target.encode()


TREES: dict[str, Node] = {
    "up": {".wiki": {"..": {"..": {"..": {"pwned.md": "# up\n"}}}, "index.md": INDEX}},
    "git-folder": {".wiki": {".git": {"hooks": {"x.md": "# x\n"}}, "git~1": {"y.md": "# y\n"}, "index.md": INDEX}},
    "windows": {".wiki": {"a\\..\\..\\b.md": "# x\n", "c:stream.md": "# x\n"}},
    "absolute": {".wiki": {b"\xff\xfe.md": "# x\n", "esc\x1b[31m.md": "# x\n", "new\nline.md": "# x\n"}},
    "turned": {".wiki": {"\u202egpj.md": "# x\n", "tag\U000e0041.md": link("\x1b[31m"), "bell\a.md": link("x")}},
    "long": {".wiki": {"a" * 4000 + ".md": "# x\n"}},
    "many-boards": {".tasks": {"STATUS.md": BOARD, "status.md": BOARD, "Status.MD": BOARD}},
    "twins": {".wiki": {"x.md": "# x\n", "x.MD": "# x\n"}},
    "linked-files": {".tasks": {"STATUS.md": link("/etc/passwd")}, ".wiki": {"loop.md": link("loop.md")}},
    "linked-folders": {".tasks": link("/etc"), ".wiki": link("..")},
    "aliases": {".tasks": {"STATUS.md": BOARD}, ".wiki": {"index.md": INDEX, "one.md": ALIASES}},
    "depth": {".wiki": {"one.md": "---\na: " + "[" * 5000 + "\n---\n# One\n", "index.md": INDEX}},
    "surrogate": {".wiki": {"one.md": '---\ntitle: "\\ud800"\ntype: a: b\n---\n# One\n'}},
    "binary": {".tasks": {"STATUS.md": b"\0\xff\xfe" * 1000}, ".wiki": {"index.md": BOARD.encode("utf-16")}},
    "brackets": {".wiki": {"index.md": "[" * (MIB - 1)}},
    "same-tasks": {".tasks": {"STATUS.md": "# Tasks\n\n## Active\n\n" + "- [ ] same — x\n" * 20_000}},
    "too-large": {".tasks": {"STATUS.md": BOARD + "x" * 2 * MIB}},
    "script": {
        ".tasks": {"STATUS.md": f"# {SCRIPT}\n\n| Slug | Status |\n|---|---|\n| {SCRIPT} | {SCRIPT} |\n"},
        ".wiki": {"index.md": f"# W\n\n- [{SCRIPT}](javascript:alert) — {SCRIPT}\n", f"{SCRIPT[2:8]}.md": SCRIPT},
    },
}


def commit_tree(path: Path, top: Node, *, branch: str = "main", author: str = "Ann", message: str = SCRIPT) -> None:
    """Commit exactly this tree, whatever its names, into a bare repository that is made when it is not there.

    The commit is written as it is, whatever its author's name holds.
    """
    repository = pygit2.init_repository(str(path), bare=True)
    head = f"refs/heads/{branch}"
    repository.set_head(head)
    _, tree = _write(repository, top)
    parent = f"parent {repository.references[head].target}\n" if head in repository.references else ""
    stamp = f"{author} <ann@example.org> {COMMITTED_AT_S} +0000"
    raw = f"tree {tree}\n{parent}author {stamp}\ncommitter {stamp}\n\n{message}\n"
    commit = repository.odb.write(ObjectType.COMMIT, raw.encode("utf-8", "surrogatepass"))
    repository.references.create(head, commit, force=True)


def put_hostile(folder: Path) -> None:
    """Put every hostile repository below `folder`; those that need a file system of their own where it can."""
    for name, top in TREES.items():
        commit_tree(folder / f"{name}.git", top)
    commit_tree(folder / "headless.git", TREES["twins"])
    (folder / "headless.git" / "HEAD").write_bytes(b"ref: refs/heads/nowhere\n")
    commit_tree(folder / "hollow.git", TREES["twins"])
    for each in sorted((folder / "hollow.git" / "objects").glob("??/*")):
        each.chmod(0o600)
        each.write_bytes(b"")
    if hasattr(os, "mkfifo"):
        commit_tree(folder / "piped.git", TREES["twins"])
        os.mkfifo(folder / "piped.git" / "packed-refs")


def _write(repository: pygit2.Repository, node: Node) -> tuple[str, pygit2.Oid]:
    """The mode and the id of one node."""
    if isinstance(node, str):
        return _write(repository, node.encode("utf-8", "surrogatepass"))
    if isinstance(node, bytes):
        return "100644", repository.create_blob(node)
    if isinstance(node, tuple):
        return node[0], repository.create_blob(node[1])
    rows = [(_raw(name), *_write(repository, child)) for name, child in node.items()]
    rows.sort(key=lambda row: row[0] + (b"/" if row[1] == "40000" else b""))
    raw = b"".join(mode.encode() + b" " + name + b"\0" + oid.raw for name, mode, oid in rows)
    return "40000", repository.odb.write(ObjectType.TREE, raw)


def _raw(name: str | bytes) -> bytes:
    return name if isinstance(name, bytes) else name.encode()
