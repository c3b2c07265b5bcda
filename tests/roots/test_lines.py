"""A slice of a text by lines."""

from pipeline.roots.lines import cut_lines


def test_a_line_that_is_too_long_is_cut_to_what_may_be_shown():
    found = cut_lines(f"{'я' * 30}\nnext\n", 1, None, 10)

    assert (found.text, found.is_cut, found.following) == (f"{'я' * 9}…", True, 2)


def test_lines_that_do_not_fit_together_are_left_for_the_next_slice():
    found = cut_lines("aaaa\nbbbb\ncccc", 1, None, 9)

    assert (found.text, found.is_cut, found.following, found.total) == ("aaaa\nbbbb", False, 3, 3)
