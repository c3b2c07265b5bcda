import re
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline import layout
from pipeline.model import RepositoryId

FILE_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,84}\Z")
NAMES = st.text(min_size=1, max_size=300)


def test_a_plain_name_stands_as_it_is():
    assert layout.component("price-list_v2.1") == "price-list_v2.1"


@pytest.mark.parametrize(
    "name", ["con", "nul.txt", "lpt1", "dot.", "Upper", "-dash", "..", ".git", "a b", "прайс", "x" * 81]
)
def test_any_other_name_becomes_a_slug_with_its_hash(name):
    assert re.fullmatch(r"[a-z0-9-]{1,61}-[0-9a-f]{16}", layout.component(name))


def test_a_name_that_looks_like_ours_cannot_take_the_place_of_another():
    ours = layout.component("Прайс")

    assert layout.component(ours) != ours


def test_a_markdown_name_keeps_its_ending():
    assert layout.document("call-notes.md") == "call-notes.md"
    assert layout.document("Call notes.md").startswith("call-notes-")
    assert layout.document("Call notes.md").endswith(".md")
    assert layout.document("con.md") != "con.md"


def test_names_that_differ_only_in_case_do_not_meet():
    assert len({layout.document(name) for name in ("readme.md", "README.md", "Readme.md", "readme.MD")}) == 4


def test_a_page_stands_below_its_folder():
    assert layout.document_path("wiki", "concepts/retry-budget.md") == "wiki/concepts/retry-budget.md"


@given(NAMES)
def test_no_name_leaves_its_folder_or_needs_a_special_file_system(name):
    for made in (layout.component(name), layout.document(name)):
        assert FILE_NAME.match(made)
        assert not made.endswith(".")
        assert made.split(".")[0] not in layout.RESERVED


@given(st.lists(NAMES, unique=True, min_size=2, max_size=6))
def test_different_names_get_different_files(names):
    assert len({layout.component(name) for name in names}) == len(names)
    assert len({layout.document(name) for name in names}) == len(names)


@given(st.lists(st.text(min_size=1, max_size=40).filter(lambda part: "/" not in part), min_size=3, max_size=3))
def test_a_repository_is_always_three_folders_deep(parts):
    path = PurePosixPath(layout.repository_path(RepositoryId("/".join(parts))))

    assert len(path.parts) == 3
    assert ".." not in path.parts


@pytest.mark.parametrize(
    "path", ["../x.md", "a/../b.md", "a//b.md", ".wiki/.GIT/x.md", "a\\b.md", "c:x.md", "a\x00.md", "", "a\n.md"]
)
def test_a_path_with_tricks_is_not_safe(path):
    assert not layout.is_safe_path(path)


def test_an_ordinary_path_in_any_language_is_safe():
    assert layout.is_safe_path(".wiki/концепции/Слои приложения (v2) #1 100%.md")


def test_a_blob_is_named_only_by_a_whole_object_id(tmp_path):
    with pytest.raises(ValueError, match="not an object id"):
        layout.Layout(tmp_path).blob("../../etc/passwd")


def test_the_environment_names_the_build_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("PROJECTS_META_BUILD", str(tmp_path / "out"))

    assert layout.find().root == tmp_path / "out"


def test_without_it_the_build_folder_stands_beside_dodo_py(monkeypatch):
    monkeypatch.delenv("PROJECTS_META_BUILD", raising=False)
    home = layout.checkout()

    assert home is not None
    assert layout.find().root == home / "build"


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("pic.png", "pic.png"),
        ("Схема работ.PNG", "Схема работ.PNG"),
        ("../../x", "x"),
        ("..\\..\\x.txt", "x.txt"),
        ("a\r\nb\u2028c.txt", "a__b_c.txt"),
        ("x\u202egpj.exe", "x_gpj.exe"),
        ("CON", "_CON"),
        ("aux .txt", "_aux.txt"),
        ("lpt1.tar.gz", "_lpt1.tar.gz"),
        ("COM¹.txt", "_COM¹.txt"),
        (".bashrc", "_.bashrc"),
        ("-rf", "_-rf"),
        ("report. .", "report"),
        ('a<b>:"|?*.md', "a_b______.md"),
        ("", "_"),
        ("..", "_"),
        ("\ud800.png", "_.png"),
    ],
)
def test_a_foreign_file_gets_a_name_that_every_file_system_takes(name, safe):
    assert layout.download_name(name) == safe


@pytest.mark.parametrize("name", ["a" * 300 + ".png", "я" * 300 + ".картинка", "x." * 200 + "gz", "x" * 400])
def test_a_long_name_is_cut_before_its_extension(name):
    safe = layout.download_name(name)

    assert 150 < len(safe.encode()) <= 200
    assert safe.rpartition(".")[2][-3:] == name.rpartition(".")[2][-3:]


@given(st.text(max_size=400))
def test_no_name_leaves_its_folder_or_its_limits(name):
    found = layout.download_name(name)

    assert 1 <= len(found.encode()) <= 200
    assert not set(found) & set('/\\<>:"|?*\0\n\r')
    assert found[0] not in ".- "
    assert found[-1] not in ". "
    assert layout.download_name(found) == found


@pytest.mark.parametrize(
    ("slug", "href"),
    [
        ("concepts/retry", "w/git.example.org/ann/api/concepts/retry.html"),
        ("Вход", "w/git.example.org/ann/api/x-63f5c2c2f95afc7b.html"),
        ("x.html/y", "w/git.example.org/ann/api/x-html-bf3b798c0c21620c/y.html"),
        ("a/" * 13 + "b", "w/git.example.org/ann/api/b-044850a328eed03c.html"),
        ("con", "w/git.example.org/ann/api/xcon-1143da2bc54c495c.html"),
    ],
)
def test_a_wiki_page_has_a_place_in_the_report_that_its_name_does_not_choose(slug, href):
    assert layout.wiki_href(RepositoryId("git.example.org/ann/api"), slug) == href


def test_pages_and_folders_of_a_wiki_never_meet_in_the_report():
    slugs = ("x", "x.html/y", "X", "x/y", "x.html", "x/Y", "../x", "a" * 130, "a/" * 20 + "x", "b/" * 20 + "x")
    places = {layout.wiki_href(RepositoryId("h/o/n"), slug) for slug in slugs}

    assert len({place.casefold() for place in places}) == len(slugs)
    assert not any(one.startswith(f"{other}/") for one in places for other in places)
