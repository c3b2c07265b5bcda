from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline import fast_import
from pipeline.fast_import import File, Person, StreamError, Submodule

TWO_COMMITS = """\
feature date-format=rfc2822
# what this shows
commit refs/heads/main
mark :1
author Рита <rita@example.org> Mon, 12 Jan 2026 09:30:00 +0300
committer Inga <inga@example.org> Mon, 12 Jan 2026 10:00:00 +0100
data <<END
First
END
M 100644 inline a b.md
data <<END
# Заголовок
END
M 100644 inline crlf.md
data 5
x\r
y

M 120000 inline link
data 6
crlf.m
M 160000 1234567890123456789012345678901234567890 module

commit refs/heads/main
mark :2
committer Inga <inga@example.org> Tue, 13 Jan 2026 10:00:00 +0100
data <<END
Second
END
R crlf.md kept.md
D a b.md
""".encode()


def test_a_commit_holds_its_people_message_and_files():
    commit = fast_import.parse(TWO_COMMITS, "s.fi")[0]

    assert commit.author == Person("Рита", "rita@example.org", 1768199400, 180)
    assert commit.committer == Person("Inga", "inga@example.org", 1768208400, 60)
    assert commit.message == b"First\n"
    assert commit.tree == {
        "a b.md": File(0o100644, "# Заголовок\n".encode()),
        "crlf.md": File(0o100644, b"x\r\ny\n"),
        "link": File(0o120000, b"crlf.m"),
        "module": Submodule("1234567890123456789012345678901234567890"),
    }


def test_a_commit_goes_on_from_the_last_one_of_its_branch():
    commit = fast_import.parse(TWO_COMMITS, "s.fi")[1]

    assert commit.parents == (1,)
    assert sorted(commit.tree) == ["kept.md", "link", "module"]
    assert commit.author == commit.committer


def test_a_stream_without_commits_is_an_empty_repository():
    assert fast_import.parse(b"feature date-format=rfc2822\n# nothing yet\n", "s.fi") == ()


def test_empty_data_is_an_empty_file():
    raw = TWO_COMMITS.replace("# Заголовок\n".encode(), b"")

    assert fast_import.parse(raw, "s.fi")[0].tree["a b.md"] == File(0o100644, b"")


@pytest.mark.parametrize(
    ("good", "bad", "message"),
    [
        (b"rfc2822\n", b"raw\n", "s.fi:1: found 'feature date-format=raw'; expected \"feature date-format=rfc2822\""),
        (b"commit refs/heads/main\nmark :1", b"blob\nmark :1", "s.fi:3: found 'blob'; expected \"commit refs/heads/"),
        (b"mark :2", b"mark :1", 's.fi:25: found mark ":1"; expected "mark :" and a number that no commit above has'),
        (b"mark :2\n", b"", 's.fi:25: found mark ""; expected "mark :"'),
        (b"data <<END\nFirst", b"from :1\ndata <<END\nFirst", "s.fi:7: found 'from :1'; expected \"data <<WORD\""),
        (b" <inga@example.org> Tue", b" inga@example.org Tue", 's.fi:26: found committer "Inga inga@example.org Tue'),
        (b"Tue, 13 Jan 2026", b"Tue, 43 Jan 2026", 's.fi:26: found the date "Tue, 43 Jan 2026 10:00:00 +0100"'),
        (b"10:00:00 +0100\ndata <<END\nS", b"10:00:00 -0000\ndata <<END\nS", "s.fi:26: found the date"),
        (
            b"R crlf.md",
            b"R crlf.txt",
            "s.fi:30: found 'R crlf.txt kept.md'; expected a file of this commit; \"crlf.txt",
        ),
        (b"D a b.md", b"D a.md", "s.fi:31: found 'D a.md'; expected a file of this commit; \"a.md\" is none"),
        (b"D a b.md", b"C a b.md", "s.fi:31: found 'C a b.md'; expected a change"),
        (b"D a b.md\n", b"from :7\n", "s.fi:31: found 'from :7'; expected a change"),
        (b"R crlf.md", b"from :7\nR crlf.md", 's.fi:30: found from ":7"; expected the mark of a commit above'),
        (b"inline link", b"inline ../link", "s.fi:19: found the path '../link'"),
        (b"data 6\n", b"data 6000\n", "s.fi:20: data of 6000 bytes, but the text ends after 211; count them anew"),
        (b"Second\nEND\n", b"Second\n", "s.fi:27: no line END ends this data; add one"),
        (b"# what", b"\xff what", "s.fi:2: found '� what this shows'; expected text in UTF-8"),
        (b"module\n\n", b"module\n\n\n", "s.fi:24: found ''; expected \"commit refs/heads/"),
    ],
)
def test_a_mistake_is_named_with_its_line(good: bytes, bad: bytes, message: str):
    assert TWO_COMMITS.count(good) == 1

    with pytest.raises(StreamError) as error:
        fast_import.parse(TWO_COMMITS.replace(good, bad), "s.fi")

    assert str(error.value).startswith(message)


def test_a_stream_whose_line_ends_were_converted_is_refused_at_its_first_line():
    with pytest.raises(StreamError, match=r"^s\.fi:1: found 'feature date-format=rfc2822\\r'"):
        fast_import.parse(TWO_COMMITS.replace(b"\n", b"\r\n"), "s.fi")


@given(start=st.integers(0, len(TWO_COMMITS)), size=st.integers(0, 60), other=st.binary(max_size=12))
def test_whatever_is_changed_in_a_stream_nothing_but_a_stream_error_comes(start: int, size: int, other: bytes):
    with contextlib.suppress(StreamError):
        fast_import.parse(TWO_COMMITS[:start] + other + TWO_COMMITS[start + size :], "s.fi")
