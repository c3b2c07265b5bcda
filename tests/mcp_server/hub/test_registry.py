"""projects.toml: what is written is what is read, and a file that people broke is refused with every mistake."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_server.hub.errors import BadArgument, LabelTaken, NotFound
from mcp_server.hub.registry import Binding, Registry, dump, load
from pipeline.errors import ConfigError
from pipeline.text import line

ATLAS = Binding(label="A", name="Атлас", wiki_root=None, author="claude")
TEXTS = st.text(min_size=1, max_size=60).map(line).filter(bool)
BINDINGS = st.builds(
    Binding,
    label=st.from_regex(r"[A-Za-z0-9_-]{1,40}", fullmatch=True),
    name=TEXTS,
    wiki_root=st.none() | TEXTS,
    author=TEXTS,
)


@given(st.lists(BINDINGS, unique_by=lambda binding: binding.label, max_size=5))
def test_what_is_written_is_what_is_read(bindings):
    assert list(load(dump(bindings))) == bindings


def test_a_registry_is_read_again_as_it_was_left(tmp_path):
    registry = Registry(tmp_path / "projects.toml")
    registry.add(ATLAS)
    registry.set_root("A", "DOC-3")

    assert Registry(tmp_path / "projects.toml").all() == (
        Binding(label="A", name="Атлас", wiki_root="DOC-3", author="claude"),
    )


def test_a_label_is_given_once(tmp_path):
    registry = Registry(tmp_path / "projects.toml")
    registry.add(ATLAS)

    with pytest.raises(LabelTaken, match="the label A is taken"):
        registry.add(ATLAS)


def test_an_unknown_label_is_told(tmp_path):
    with pytest.raises(NotFound, match='no project "B"'):
        Registry(tmp_path / "projects.toml").set_root("B", "DOC-3")


def test_there_are_a_thousand_projects_at_most(tmp_path):
    many = (Binding(label=f"p{number}", name="n", wiki_root=None, author="a") for number in range(1000))
    (tmp_path / "projects.toml").write_bytes(dump(many))

    with pytest.raises(BadArgument, match="there are 1,000 projects already"):
        Registry(tmp_path / "projects.toml").add(ATLAS)


def test_a_write_that_fails_changes_nothing(tmp_path):
    registry = Registry(tmp_path / "projects.toml")
    (tmp_path / "projects.toml").mkdir()

    with pytest.raises(IsADirectoryError):
        registry.add(ATLAS)
    assert registry.all() == ()


@pytest.mark.parametrize(
    ("raw", "mistakes"),
    [
        (b"[[project", ["projects.toml is not TOML"]),
        (b"\xff", ["projects.toml is not TOML"]),
        (b"project = 1", ["project is no list"]),
        (b"project = [1]", ["project 1 is no table"]),
        (b"[[project]]\nlabel = 'a b'\nname = 1\n", ["label is", "name is 1", "author is None"]),
        (b"[[project]]\nlabel='a'\nname='n'\nauthor='x'\nroot='y'\n", ["unknown key root"]),
        (b"[[project]]\nlabel='a'\nname='n\\u2028m'\nauthor=''\nwiki_root=3\n", ["wiki_root is 3", "author is ''"]),
        (b"[[project]]\nlabel='a'\nname='n'\nauthor='x'\n" * 2, ["label a stands twice"]),
        (b"projects = []", ["projects is not known"]),
    ],
)
def test_a_file_that_people_broke_is_refused_with_its_mistakes(raw, mistakes):
    with pytest.raises(ConfigError) as caught:
        load(raw)

    assert [one for one in mistakes if one not in str(caught.value)] == []
