"""One snapshot → one artifact and the files beside it."""

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline import artifact, codec, diagnostics
from pipeline.model import (
    Artifact,
    BlobState,
    PageLink,
    RepoPath,
    RepositoryId,
    Revision,
    SharedRules,
    SkippedEntry,
    Snapshot,
    SnapshotEntry,
)

REPOSITORY = RepositoryId("forge.example/acme/api")
REVISION = Revision(repository=REPOSITORY, ref="main", commit="c" * 40, committed_at=None)
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"


def oid(path: str) -> str:
    return hashlib.sha256(path.encode("utf-8")).hexdigest()


def entry(path: str, size: int, state: BlobState = "stored") -> SnapshotEntry:
    return SnapshotEntry(path=RepoPath(path), oid=oid(path), size_bytes=size, etag=None, state=state)


def build(
    tree: dict[str, bytes],
    *,
    shared: bool = False,
    extra: tuple[SnapshotEntry, ...] = (),
    skipped: tuple[SkippedEntry, ...] = (),
) -> tuple[Artifact, dict[str, bytes]]:
    entries = (*(entry(path, len(raw)) for path, raw in tree.items()), *extra)
    snapshot = Snapshot(
        schema_version=codec.SCHEMA_VERSION,
        repository=REPOSITORY,
        shared=shared,
        revision=REVISION,
        entries=entries,
        skipped=skipped,
    )
    return artifact.build(snapshot, {oid(path): raw for path, raw in tree.items()}.get)


def pages(tree: dict[str, bytes]) -> list[tuple[str, str, str, bool]]:
    return [(page.slug, page.type, page.title, page.indexed) for page in build(tree)[0].pages]


def codes(made: Artifact) -> list[tuple[str, str, int | None]]:
    return [(one.code, one.path, one.line) for one in made.diagnostics]


def test_a_repository_without_anything_is_an_artifact_too():
    made, files = build({})

    assert (made.name, made.board.state, made.index.state, made.pages, made.diagnostics) == (
        "api",
        "absent",
        "absent",
        (),
        (),
    )
    assert files == {}


def test_the_index_gives_order_and_titles_and_the_tree_gives_the_rest_by_path():
    tree = {
        ".wiki/CLAUDE.md": b"# Rules\n",
        ".wiki/concepts/b.md": b"# Own B\n",
        ".wiki/concepts/c.md": b"# Own C\n",
        ".wiki/index.md": b"# Index\n## Concepts\n- [[zed]]\n- [Page B](concepts/b.md)\n- [a](entities/a.MD)\n",
        ".wiki/entities/a.MD": b"# Own A\n",
        ".wiki/notes/zed.md": b"",
    }

    assert pages(tree) == [
        ("notes/zed", "notes", "zed", True),
        ("concepts/b", "concepts", "Page B", True),
        ("entities/a", "entities", "Own A", True),
        ("CLAUDE", "root", "Rules", False),
        ("concepts/c", "concepts", "Own C", False),
    ]


def test_an_entry_without_a_page_is_reported_at_its_line_and_left_out():
    made, _ = build({".wiki/index.md": b"# I\n- [A](concepts/a.md)\n- [[b]]\n- [Self](index.md)\n"})

    assert made.pages == ()
    assert codes(made) == [("W202", ".wiki/index.md", 2), ("W202", ".wiki/index.md", 3)]


def test_an_index_may_ask_for_the_code_of_its_wiki():
    made, _ = build({".wiki/index.md": b"---\ncode: DOC-101252\n---\n# I\n- [A](a.md)\n", ".wiki/a.md": b""})

    assert (made.index.state, made.index.code, codes(made)) == ("parsed", "DOC-101252", [])


def test_an_odd_code_of_an_index_is_told_once():
    made, _ = build({".wiki/index.md": b"---\ncode: ../x\n---\n# I\n- [A](a.md)\n", ".wiki/a.md": b""})

    assert (made.index.code, codes(made)) == (None, [("W312", ".wiki/index.md", 1)])


def test_an_entry_finds_the_page_in_its_own_capitals_first():
    tree = {".wiki/index.md": b"- [A](a/x.md)\n", ".wiki/a/X.md": b"# Upper\n", ".wiki/a/x.md": b"# Lower\n"}

    assert pages(tree) == [("a/x", "a", "A", True), ("a/X", "a", "Upper", False)]


def test_an_entry_in_other_capitals_finds_its_only_page():
    assert pages({".wiki/index.md": b"- [A](Concepts/X.md)\n", ".wiki/concepts/x.md": b""}) == [
        ("concepts/x", "concepts", "A", True)
    ]


@pytest.mark.parametrize(
    ("paths", "read", "reported"),
    [
        ((".wiki/index.md", ".wiki/INDEX.md"), ".wiki/index.md", [("W203", ".wiki/INDEX.md", None)]),
        ((".wiki/Index.md", ".wiki/INDEX.md"), ".wiki/INDEX.md", [("W203", ".wiki/Index.md", None)]),
        ((".wiki/index.md", ".wiki/_index.md"), ".wiki/index.md", []),
        ((".wiki/_index.md",), ".wiki/_index.md", []),
        ((".wiki/concepts/index.md",), None, []),
    ],
)
def test_the_index_is_found_in_any_capitals_and_the_exact_name_wins(paths, read, reported):
    made, _ = build(dict.fromkeys(paths, b"# I\n"))

    assert made.index.path == read
    assert [page.path for page in made.pages] == [path for path in sorted(paths) if path != read]
    assert codes(made) == reported


@pytest.mark.parametrize(
    ("paths", "read", "reported"),
    [
        ((".tasks/STATUS.md", ".tasks/status.md"), ".tasks/STATUS.md", [("W105", ".tasks/status.md", None)]),
        ((".tasks/status.md", ".tasks/Status.MD"), ".tasks/Status.MD", [("W105", ".tasks/status.md", None)]),
        ((".tasks/a/STATUS.md",), None, []),
    ],
)
def test_the_board_is_found_in_any_capitals_and_the_exact_name_wins(paths, read, reported):
    made, _ = build(dict.fromkeys(paths, b"## a - A\n**Status:** done\n"))

    assert made.board.path == read
    assert [file.path for file in made.task_files] == [path for path in sorted(paths) if path != read]
    assert codes(made) == reported


def test_files_are_the_texts_as_written_and_their_hashes_are_true():
    made, files = build(
        {
            ".tasks/STATUS.md": "\ufeff## a — A\r\n**Status:** done\u202e\r\n".encode(),
            ".tasks/a/Plan.md": b"plan\0\n",
            ".wiki/index.md": b"# I\n",
            ".wiki/concepts/x.md": b"---\na: b\n---\nbody\xff",
        }
    )

    assert files["STATUS.md"].decode() == "## a — A\n**Status:** done\n"
    assert files["wiki/concepts/x.md"].decode() == "---\na: b\n---\nbody\ufffd"
    assert [record.path for record in made.files] == sorted(record.path for record in made.files)
    assert [(one.sha256, one.size_bytes) for one in made.files] == [
        (hashlib.sha256(files[one.file]).hexdigest(), len(files[one.file])) for one in made.files
    ]


def test_every_named_file_is_there_and_every_file_is_named():
    made, files = build({".tasks/STATUS.md": b"", ".tasks/T 1.md": b"", ".wiki/index.md": b"", ".wiki/A B/я.md": b""})
    named = {made.board_file, made.index_file, made.pages[0].file, made.task_files[0].file}

    assert named == set(files) == {one.file for one in made.files}
    assert len(files) == 4


def test_a_page_that_could_not_be_brought_keeps_its_slug_and_the_indexs_title():
    made, files = build(
        {".wiki/index.md": b"- [Page A](concepts/a.md)\n- [[concepts/b]]\n"},
        extra=(entry(".wiki/concepts/a.md", 3, "failed"), entry(".wiki/concepts/b.md", 9, "too_large")),
    )

    assert [(page.slug, page.title, page.file) for page in made.pages] == [
        ("concepts/a", "Page A", None),
        ("concepts/b", "b", None),
    ]
    assert codes(made) == [("W507", ".wiki/concepts/a.md", None), ("W506", ".wiki/concepts/b.md", None)]
    assert list(files) == ["wiki/index.md"]


def test_a_blob_that_the_store_lost_is_a_page_that_could_not_be_brought():
    made, _ = build({}, extra=(entry(".wiki/a.md", 3),))

    assert [(page.slug, page.file) for page in made.pages] == [("a", None)]
    assert codes(made) == [("W507", ".wiki/a.md", None)]


@pytest.mark.parametrize(
    ("state", "code", "error"),
    [("too_large", "E104", "larger than 1 MiB"), ("failed", "E105", "its bytes could not be brought")],
)
def test_a_board_and_an_index_that_are_not_here_are_errors_and_the_tree_is_listed(state, code, error):
    made, _ = build(
        {".wiki/a.md": b"# A\n"}, extra=(entry(".tasks/STATUS.md", 9, state), entry(".wiki/index.md", 9, state))
    )

    assert (made.board.state, made.board_file, made.index.error) == ("empty", None, f"wiki index malformed: {error}")
    assert [page.title for page in made.pages] == ["A"]
    assert {code, "E201"} <= {one.code for one in made.diagnostics if one.severity == "error"}


def test_a_malformed_index_leaves_the_trees_pages():
    made, files = build({".wiki/index.md": b"no heading\n", ".wiki/a.md": b"# A\n"})

    assert made.index.state == "malformed"
    assert [(page.slug, page.indexed) for page in made.pages] == [("a", False)]
    assert files["wiki/index.md"] == b"no heading\n"


def test_two_paths_with_one_name_keep_the_first_by_path():
    made, _ = build({".wiki/x.MD": b"# Upper\n", ".wiki/x.md": b"# Lower\n"})

    assert [page.title for page in made.pages] == ["Upper"]
    assert codes(made) == [("W508", ".wiki/x.md", None)]


def test_other_files_of_the_wiki_are_attachments_and_an_entry_may_name_one():
    made, files = build({".wiki/index.md": b"- [D](raw/d.dat)\n"}, extra=(entry(".wiki/raw/d.dat", 7, "listed"),))

    assert [(one.path, one.size_bytes) for one in made.attachments] == [(".wiki/raw/d.dat", 7)]
    assert codes(made) == []
    assert list(files) == ["wiki/index.md"]


def test_an_lfs_pointer_is_reported_wherever_it_stands():
    made, _ = build({".tasks/STATUS.md": LFS, ".tasks/a.md": LFS, ".wiki/b.md": LFS})

    assert codes(made) == [("W509", path, None) for path in (".tasks/STATUS.md", ".tasks/a.md", ".wiki/b.md")]


def test_skipped_paths_are_told_of_with_their_reasons():
    made, _ = build(
        {},
        skipped=(
            SkippedEntry(path=RepoPath(".wiki/link.md"), reason="symlink"),
            SkippedEntry(path=RepoPath(".wiki/mod"), reason="submodule"),
            SkippedEntry(path=RepoPath(".wiki/a\nb\udcff\u202e.md"), reason="unsafe_path"),
        ),
    )

    assert codes(made) == [("W503", ".wiki/a b.md", None), ("W501", ".wiki/link.md", None), ("W502", ".wiki/mod", None)]


def test_a_shared_wikis_pages_are_its_markdown_without_its_rules_and_its_own_folders():
    made, files = build(
        {
            "CLAUDE.md": b"# Rules\n",
            "README.md": b"# Read\n",
            "node/README.md": b"# Node\n",
            "node/yarn.md": b"---\ntitle: Yarn\ndomain: node\napplies_to: windows\n---\nText\n",
            ".tasks/STATUS.md": b"## a - A\n**Status:** done\n",
            ".wiki/own.md": b"# Own\n",
        },
        shared=True,
    )

    assert [(page.slug, page.domain, page.title) for page in made.shared_pages] == [
        ("node/README", "node", "Node"),
        ("node/yarn", "node", "Yarn"),
    ]
    assert ([page.slug for page in made.pages], made.board.state) == (["own"], "parsed")
    assert {"STATUS.md", "wiki/own.md", "shared/node/yarn.md"} <= set(files)
    assert {record.path for record in made.files} >= {"CLAUDE.md", "README.md"}


def links(found: tuple[PageLink, ...]) -> list[tuple[str, str, int]]:
    return [(one.source, one.target, one.line) for one in found]


def test_links_between_pages_are_kept_and_dead_ones_reported_at_their_line():
    tree = {
        ".wiki/index.md": b"# I\n- [A](concepts/a.md)\n",
        ".wiki/concepts/a.md": b"---\nrelated: [[c]]\n---\n# A\n\n[b](b.md#part)\n[none](../b.md) `[[d]]`\n",
        ".wiki/concepts/b.md": "Смотри [[A]] и [[concepts/c|C]].\n".encode(),
        ".wiki/concepts/c.md": b"",
    }
    made, _ = build(tree)

    assert links(made.links) == [
        ("concepts/a", "concepts/b", 6),
        ("concepts/a", "concepts/c", 2),
        ("concepts/b", "concepts/a", 1),
        ("concepts/b", "concepts/c", 1),
    ]
    assert codes(made) == [("W310", ".wiki/concepts/a.md", 7)]


def test_a_page_that_neither_index_nor_page_leads_to_is_noted_and_is_no_warning():
    made, _ = build({".wiki/index.md": b"- [A](a.md)\n\nAlso [b](b.md).\n", **{f".wiki/{n}.md": b"" for n in "abc"}})

    assert [(one.code, one.severity, one.path) for one in made.diagnostics] == [("N301", "note", ".wiki/c.md")]


@pytest.mark.parametrize(
    "index", [None, b"no heading\n", b"# Index\n\nNothing yet.\n", b"# Index\n[x](https://a.example)\n"]
)
def test_where_no_index_leads_anywhere_no_page_is_an_orphan(index):
    made, _ = build({".wiki/a.md": b"", ".wiki/b.md": b"", **({".wiki/index.md": index} if index else {})})

    assert {one.code for one in made.diagnostics} <= {"E201"}


def test_a_page_that_an_index_names_without_a_link_is_no_orphan():
    made, _ = build({".wiki/index.md": b"| Path |\n|---|\n| a.md |\n", ".wiki/a.md": b"", ".wiki/b.md": b"[[b]]"})

    assert codes(made) == [("N301", ".wiki/b.md", 1)]


def test_a_wikilink_may_use_an_alias_of_a_page():
    tree = {
        ".wiki/a.md": b"[[LRU]] [[Kesh]]\n",
        ".wiki/b.md": b"---\naliases: [LRU]\n---\n",
        ".wiki/c.md": b"---\nalias: kesh\n---\n",
    }

    assert links(build(tree)[0].links) == [("a", "b", 1), ("a", "c", 1)]


def test_a_dead_entry_of_an_index_is_reported_once_and_its_other_dead_links_too():
    made, _ = build({".wiki/index.md": b"# I\n- [[none]]\n\nSee [x](none.md), [[a]].\n", ".wiki/a.md": b""})

    assert codes(made) == [("W202", ".wiki/index.md", 2), ("W310", ".wiki/index.md", 4)]


def test_an_index_may_name_a_page_by_its_title():
    tree = {
        ".wiki/index.md": b"# Concepts\n- [[Cache of ours]]\n- [[Whole]]\n",
        ".wiki/a/cache.md": b"# Cache of ours\n",
    }

    assert pages({**tree, ".wiki/b/w.md": b"---\ntitle: Whole\n---\n"}) == [
        ("a/cache", "a", "Cache of ours", True),
        ("b/w", "b", "Whole", True),
    ]


def test_an_index_in_prose_names_the_pages_it_links_to():
    tree = {".wiki/index.md": b"# I\nRead [[b]], then\n[the first](a.md).\n", **{f".wiki/{n}.md": b"" for n in "abc"}}

    assert [(slug, indexed) for slug, _, _, indexed in pages(tree)] == [("b", True), ("a", True), ("c", False)]


def test_a_rejected_index_is_reported_and_its_pages_are_found_with_their_links():
    made, _ = build({".wiki/_index.md": b"# I\n<<<<<<< HEAD\n- [[b]]\n", ".wiki/a.md": b"[[b]]\n", ".wiki/b.md": b""})

    assert [(page.slug, page.indexed) for page in made.pages] == [("a", False), ("b", False)]
    assert (links(made.links), codes(made)) == ([("a", "b", 1)], [("E201", ".wiki/_index.md", 2)])


def test_what_was_left_out_of_the_copy_is_not_dead():
    skipped = (SkippedEntry(path=RepoPath(".wiki/docs"), reason="symlink"),)
    made, _ = build({".wiki/a.md": b"[x](docs/x.md) [y](img/y.md)\n"}, skipped=skipped)

    assert [(one.code, one.line) for one in made.diagnostics] == [("W310", 1), ("W501", None)]


def test_a_page_with_very_many_links_is_followed_in_part_and_makes_no_orphans():
    many = " ".join(f"[[page {number}]]" for number in range(10_001)).encode()
    made, _ = build({".wiki/index.md": b"- [[a]]\n", ".wiki/a.md": many, ".wiki/b.md": b""})

    assert [one.code for one in made.diagnostics if one.code != "W310"] == ["W311", "W510"]


def test_shared_pages_have_their_own_links_and_dead_links():
    tree = {
        "CLAUDE.md": RULES,
        "README.md": b"[a](node/a.md) [none](none.md)\n",
        "node/a.md": b"---\ndomain: node\n---\n[[b]] [own](../.wiki/own.md) [d](../cross/d.md)\n",
        "cross/b.md": b"---\ndomain: cross\n---\n[rules](../CLAUDE.md)\n",
        "cross/c.md": b"---\ndomain: cross\n---\n",
        ".wiki/own.md": b"[a](../node/a.md)\n",
    }
    made, _ = build(tree, shared=True)

    assert (links(made.links), links(made.shared_links)) == ([], [("node/a", "cross/b", 4)])
    assert codes(made) == [("W310", "README.md", 1), ("N301", "cross/c.md", 1), ("W310", "node/a.md", 4)]


RULES = "# Правила\n## Домены\n- `node`\n- `cross`\n## Чёрный список\n- Acme\n".encode()


def test_a_shared_page_whose_domain_is_not_listed_is_reported_and_kept():
    tree = {
        "CLAUDE.md": RULES,
        "git/a.md": b"---\ndomain: git\n---\n",
        "git/b.md": b"",
        "x.md": b"",
        "node/c.md": b"---\ndomain: Node\n---\n",
    }
    made, _ = build(tree, shared=True)

    assert made.rules == SharedRules(domains=("node", "cross"), never=("Acme",))
    assert [page.domain for page in made.shared_pages] == ["git", "git", "Node", None]
    assert [one[:2] for one in codes(made)] == [
        ("W405", "git/a.md"),
        ("W401", "git/b.md"),
        ("W405", "git/b.md"),
        ("W403", "x.md"),
    ]


def test_a_shared_wiki_without_a_list_of_domains_takes_any():
    made, _ = build({"node/a.md": b"---\ndomain: node\n---\n"}, shared=True)

    assert (made.rules, codes(made)) == (SharedRules(), [("W406", "CLAUDE.md", None)])


def test_only_the_shared_wiki_has_rules():
    assert build({".wiki/a.md": b"", "CLAUDE.md": RULES})[0].rules is None


def test_a_shared_page_that_could_not_be_brought_keeps_its_name_and_folder():
    made, _ = build({}, shared=True, extra=(entry("node/yarn.md", 1, "failed"),))

    assert [(page.slug, page.domain, page.title, page.file) for page in made.shared_pages] == [
        ("node/yarn", "node", "yarn", None)
    ]


def test_the_front_matters_description_comes_before_the_indexs_and_the_indexs_before_the_text():
    made, _ = build(
        {
            ".wiki/index.md": b"- [A](a.md) - from the index\n- [B](b.md) - from the index\n- [C](c.md)\n",
            ".wiki/a.md": b"---\ndescription: own\n---\ntext\n",
            ".wiki/b.md": b"text\n",
            ".wiki/c.md": b"text\n",
        }
    )

    assert [page.description for page in made.pages] == ["own", "from the index", "text"]


def test_diagnostics_come_by_path_then_line():
    made, _ = build({".wiki/index.md": b"# I\n- [x](\n- [A](a/a.md)\n", ".tasks/STATUS.md": b"- [?] q\n- [!] r\n"})

    assert codes(made) == [
        ("W104", ".tasks/STATUS.md", 1),
        ("W104", ".tasks/STATUS.md", 2),
        ("W201", ".wiki/index.md", 2),
        ("W202", ".wiki/index.md", 3),
    ]


def test_the_order_of_a_snapshots_entries_changes_nothing():
    tree = {
        ".wiki/b.md": b"# B\n",
        ".tasks/STATUS.md": b"- [ ] a\n",
        ".wiki/a.md": b"# A\n",
        ".wiki/index.md": b"- [[a]]\n",
    }

    assert build(tree) == build(dict(reversed(tree.items())))


def test_a_crashed_repository_shows_nothing_but_the_reason():
    snapshot = Snapshot(
        schema_version=codec.SCHEMA_VERSION, repository=REPOSITORY, shared=False, revision=REVISION, entries=()
    )
    made = artifact.crashed(snapshot, diagnostics.crash("ValueError"))

    assert (made.board.state, made.pages, [one.code for one in made.diagnostics]) == ("absent", (), ["E001"])


PATHS = st.sampled_from(
    [
        *(".tasks/STATUS.md", ".tasks/status.MD", ".tasks/a/b.md", ".wiki/index.md", ".wiki/INDEX.md"),
        *(".wiki/_index.md", ".wiki/.md", ".wiki/concepts/x.md", ".wiki/concepts/x.MD", ".wiki/con/aux.md"),
        *("node/x.md", "x.md", "README.md"),
    ]
)
BYTES = st.binary(max_size=80) | st.sampled_from(
    [LFS, b"- [[x]]\n- [a](concepts/x.md)\n", b"---\na: [\n---\n", b"## a - b\n"]
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(PATHS, BYTES), st.booleans())
def test_no_bytes_stop_an_artifact_and_it_survives_its_json(tree, shared):
    made, files = build(tree, shared=shared)

    assert {one.file for one in made.files} == set(files)
    assert codec.load(Artifact, codec.dump(made), "project.json") == made


def test_the_index_of_a_folder_gives_order_titles_and_lines_where_the_top_one_says_nothing():
    tree = {
        ".wiki/index.md": b"# I\n- [Zed](b/z.md)\n",
        ".wiki/a/_index.md": b"# A\n| File | About |\n|---|---|\n| [Two](y.md) | second |\n| [x.md](x.md) | first |\n",
        **{f".wiki/{name}.md": b"# Own\n" for name in ("a/x", "a/y", "a/w", "b/z")},
    }
    made, _ = build(tree)

    assert [(page.slug, page.title, page.description, page.indexed) for page in made.pages] == [
        ("b/z", "Zed", None, True),
        ("a/y", "Two", "second", True),
        ("a/x", "Own", "first", True),
        ("a/_index", "A", None, False),
        ("a/w", "Own", None, False),
    ]


def test_what_the_top_index_names_keeps_its_place_and_title():
    tree = {
        ".wiki/index.md": b"# I\n- [X of the top](a/x.md)\n",
        ".wiki/a/index.md": b"# A\n- [Why](y.md)\n- [X of the folder](x.md)\n",
        **{f".wiki/a/{name}.md": b"" for name in "xy"},
    }

    assert [(slug, title) for slug, _, title, _ in pages(tree)] == [
        ("a/x", "X of the top"),
        ("a/y", "Why"),
        ("a/index", "A"),
    ]


def test_folders_come_in_the_order_in_which_the_top_index_leads_to_their_indexes():
    tree = {
        ".wiki/_index.md": b"# I\n- [B](b/_index.md)\n- [A](a/_index.md)\n",
        **{f".wiki/{folder}/_index.md": b"# F\n- [[x]]\n" for folder in "ab"},
        **{f".wiki/{folder}/x.md": b"" for folder in "ab"},
    }

    assert [slug for slug, *_ in pages(tree)] == ["b/_index", "a/_index", "b/x", "a/x"]


def test_the_index_of_a_folder_makes_no_orphan_where_the_top_one_leads_nowhere():
    made, _ = build(
        {".wiki/a/_index.md": b"# A\n- [[x]]\n", ".wiki/a/x.md": b"", ".wiki/a/y.md": b"", ".wiki/b.md": b""}
    )

    assert codes(made) == []
