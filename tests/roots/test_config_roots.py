"""What a file may say of knowledge roots."""

from pathlib import Path

import pytest

from pipeline import config
from pipeline.errors import ConfigError
from pipeline.model.roots import KnowledgeSettings, RootConfig
from tests.fakes.root_folders import write_files

REFERENCE = """
version = 1
[knowledge]
primary = "mine"
[knowledge.roots]
mine = "{folder}/mine"
[[knowledge.read_only]]
id = "group"
path = "{folder}/acme-kb"
[workspace]
scope_map = "work/local/workspace-scope-map-v1.md"
scope_aliases = "/work\\\\local\\\\scope-alias-map-v1.md"
[status]
enabled = true
"""

MINE = '[knowledge]\nprimary = "mine"\nroots.mine = "mine"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two folders that are roots, and one that is none."""
    write_files(tmp_path / "mine", {})
    write_files(tmp_path / "acme-kb", {})
    (tmp_path / "bare").mkdir()
    return tmp_path


def read(text: str, folder: Path) -> KnowledgeSettings | None:
    return config.parse(text.replace("{folder}", folder.as_posix()), {}, base=folder).knowledge


def mistakes(text: str, folder: Path) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        read(text, folder)
    return [mistake.replace(folder.as_posix(), "").removeprefix("sources.toml: ") for mistake in caught.value.mistakes]


def test_a_file_of_another_reader_loads_as_it_is(folder):
    assert read(REFERENCE, folder) == KnowledgeSettings(
        primary="mine",
        roots=(
            RootConfig(id="mine", is_read_only=False, path=str(folder / "mine")),
            RootConfig(id="group", is_read_only=True, path=str(folder / "acme-kb")),
        ),
        default_scope="example",
        scope_map="work/local/workspace-scope-map-v1.md",
        scope_aliases="work/local/scope-alias-map-v1.md",
    )


def test_a_relative_path_starts_from_the_file_and_a_primary_may_be_an_absolute_one(folder):
    found = read(
        f"""
        [knowledge]
        primary = "{folder.as_posix()}/mine"
        read_only = [{{id = "org-kb", path = "acme-kb"}}]
        """,
        folder,
    )

    assert found is not None
    assert [(root.id, root.path) for root in found.roots] == [
        ("primary", str(folder / "mine")),
        ("org-kb", str(folder / "acme-kb")),
    ]


def test_a_read_only_root_may_be_a_repository(folder):
    found = read(MINE + 'read_only = [{id = "group", repo = "acme/kb"}]', folder)

    assert found is not None
    assert found.roots[1] == RootConfig(id="group", is_read_only=True, repo="acme/kb")


def test_a_root_that_is_named_in_both_lists_is_one(folder):
    both = MINE + 'roots.public = "acme-kb"\nread_only = [{id = "public", path = "acme-kb"}]'

    found = read(both, folder)

    assert found is not None
    assert [(root.id, root.is_read_only) for root in found.roots] == [("mine", False), ("public", True)]


def test_without_roots_nothing_is_said(folder):
    assert config.parse('[[source]]\nkind = "folder"\n', {"folder": ()}, base=folder).knowledge is None


def test_all_mistakes_are_told_at_once(folder):
    text = """
    version = 2
    [knowledge]
    primary = "other"
    read_onyl = []
    [knowledge.roots]
    mine = "mine"
    lost = "nowhere"
    bare = "bare"
    [[knowledge.read_only]]
    id = "MINE"
    path = "acme-kb"
    [[knowledge.read_only]]
    path = "acme-kb"
    [[knowledge.read_only]]
    id = "both"
    path = "acme-kb"
    repo = "acme/kb"
    [[knowledge.read_only]]
    id = "neither"
    [workspace]
    scope_map = "../x.md"
    """

    assert mistakes(text, folder) == [
        "version is 2; expected 1",
        "knowledge.read_onyl is not a setting; did you mean read_only?",
        'knowledge.roots.lost is "nowhere"; there is no such folder',
        'knowledge.roots.bare is "bare"; that folder has no knowledge/ in it',
        "knowledge.read_only[2].id is missing; expected the word by which the root is asked for",
        "knowledge.read_only[3] has both path and repo; expected one",
        "knowledge.read_only[4] has neither path nor repo; expected one",
        'knowledge.primary is "other"; expected a root (bare, lost, mine) or an absolute path',
        'the root "MINE" stands twice: it conflicts with [knowledge.roots]; give each its own id',
        'workspace.scope_map is "../x.md"; expected a path below knowledge/ of the primary root',
    ]


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("knowledge = 7", "knowledge is not a table; write its settings under [knowledge]"),
        ('[workspace]\ndefault_scope = "x"', "workspace has no knowledge beside it; write the roots under [knowledge]"),
        ('version = "1"\n[knowledge]\nprimary = "mine"\nroots.mine = "mine"', 'version is "1"; expected 1'),
        ("[knowledge]", "knowledge.primary is missing; expected a name of [knowledge.roots] or an absolute path"),
    ],
)
def test_a_table_of_another_shape_is_told(folder, text, mistake):
    assert mistake in mistakes(text, folder)


def test_two_read_only_roots_of_one_id_are_refused(folder):
    twins = MINE + 'read_only = [{id = "a", path = "mine"}, {id = "A", path = "acme-kb"}]'

    assert mistakes(twins, folder) == [
        'the root "A" stands twice: it conflicts with an earlier [[knowledge.read_only]]; give each its own id'
    ]
