"""How a file is read, for a person who asks."""

from pipeline.explain import explain


def test_a_board_is_explained_with_what_is_odd():
    assert explain("board", b"## a - A\n**Status:** green\n**Next:** go\n") == {
        "entries": [{"slug": "a", "title": "A", "status": "unknown", "next": "go"}],
        "diagnostics": [
            {
                "code": "W101",
                "severity": "warning",
                "line": 1,
                "message": 'unknown status "green"; kept as "unknown"',
            }
        ],
    }


def test_an_unreadable_board_has_no_entries_and_an_error():
    read = explain("board", b"\xff")

    assert read["entries"] == []
    assert [one["code"] for one in read["diagnostics"]] == ["E101"]


def test_an_index_leaves_out_what_only_a_tree_could_place():
    assert explain("index", b"# I\n- [[x]]\n- [[a/y]]\n") == {
        "entries": [{"slug": "y", "type": "a", "title": "y"}],
        "diagnostics": [],
    }


def test_a_rejected_index_is_an_error_with_its_reason():
    assert explain("index", b"\0") == {"error": "wiki index malformed: NUL byte"}


def test_a_bare_link_is_placed_by_the_pages_around_the_index():
    read = explain("index", b"# I\n- [[retry]]\n- [[nowhere]]\n", ["concepts/retry"])

    assert read["entries"] == [{"slug": "retry", "type": "concepts", "title": "retry"}]
