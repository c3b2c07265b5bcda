import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from pipeline import text

ANY = st.text(alphabet=st.characters(), max_size=200)


def test_bytes_that_are_not_utf_8_are_told_and_still_read():
    assert text.decode(b"\xef\xbb\xbfhi") == ("hi", True)
    assert text.decode(b"caf\xe9") == ("caf\ufffd", False)


def test_a_body_keeps_its_lines_and_loses_only_what_cannot_be_seen():
    assert text.body("a\r\nb\rc\u2028d\x00\x1b[31m\u202ee\tf") == "a\nb\nc d[31me\tf"


def test_a_line_is_one_line_and_cut_with_a_mark():
    assert text.line("  one\ntwo\u2029 three\t") == "one two three"
    assert text.line("x" * 300, 10) == "xxxxxxxxx…"


def test_an_emoji_keeps_its_joiners_and_a_stray_joiner_goes():
    assert text.line("👩\u200d💻 ⛔\ufe0f a\u200b \u200db") == "👩\u200d💻 ⛔\ufe0f a b"


def test_folding_makes_case_yo_and_composition_equal():
    assert text.fold("Ёлка ЖЁЛТАЯ") == "елка желтая"
    assert text.fold("и\u0306од") == text.fold("Йод")
    assert text.fold("Straße") == "strasse"
    assert text.fold("ﬁn") == "fin"
    assert text.fold("ΣΑΣ") == text.fold("σας")


def test_a_snippet_stands_around_the_match_and_is_cut_at_words():
    found = text.snippet("Альфа бета гамма дельта эпсилон дзета эта тета йота каппа", ("эта",), 24)

    assert found == "…дзета эта тета йота…"


def test_a_snippet_finds_its_place_where_folding_changes_the_length():
    assert "цель" in text.snippet("ß" * 200 + " цель здесь", ("цель",), 40)


def test_a_text_that_fits_is_its_own_snippet():
    assert (
        text.snippet("# Yarn\n\nOn Windows yarn needs `exec()`.\n", ("exec",))
        == "# Yarn On Windows yarn needs `exec()`."
    )


def test_a_match_near_the_end_has_the_words_before_it():
    assert text.snippet("раз два три четыре пять шесть семь восемь", ("восемь",), 20) == "…шесть семь восемь"


def test_a_snippet_of_letters_without_spaces_cuts_no_letter_in_two():
    assert text.snippet("и\u0306" * 100, ("йй",), 11) == "и\u0306" * 5 + "…"


def test_a_snippet_of_letters_without_spaces_begins_with_a_whole_letter():
    assert text.snippet("и\u0306" * 100 + "b", ("b",), 10) == "…" + "и\u0306" * 5 + "b"


def test_a_match_that_begins_in_the_very_middle_of_a_long_text_is_found_there():
    assert text.first_place("a" * 500 + "b" * 500, ("b",)) == 500


def test_the_place_of_a_match_in_a_long_text_is_found_without_mapping_all_of_it():
    assert text.first_place("ß" * 100_000 + "İ\u0301 слово " * 9 + "цель", ("цель",)) == 100_000 + 9 * 9
    assert text.first_place("\u0301" * 5_000, ("x",)) is None


FOLDING = st.text(st.sampled_from("aßİ\u0301\u0306иЙё ﬁ\n🙂"), max_size=40)


@given(st.lists(FOLDING, max_size=30), FOLDING.map(text.fold))
def test_the_place_of_a_match_is_that_of_the_whole_map(pieces, term):
    written = "".join(pieces)
    whole = text.fold_with_offsets(written)
    place = whole.folded.find(term)

    assert text.first_place(written, (term,)) == (None if place < 0 or not term else whole.offsets[place])


@given(st.lists(FOLDING, max_size=30), st.text(st.sampled_from("asиеi"), min_size=1, max_size=8))
def test_a_snippet_is_one_short_line_that_holds_the_match(pieces, term):
    written = text.body("".join(pieces))
    shown = text.snippet(written, (term,), 40)

    assert len(shown) <= 44
    assert len(shown.splitlines()) <= 1
    assert (term in text.fold(written)) == (term in text.fold(shown))


@given(ANY)
def test_normalising_twice_is_normalising_once(raw):
    assert text.body(text.body(raw)) == text.body(raw)
    assert text.line(text.line(raw)) == text.line(raw)


@given(ANY)
def test_no_line_holds_a_break_a_control_or_a_hidden_letter(raw):
    found = text.line(raw)

    assert len(found.splitlines()) <= 1
    assert not [letter for letter in found if unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp")]


@given(ANY)
def test_the_offsets_fit_the_fold(raw):
    found = text.fold_with_offsets(raw)

    assert found.folded == text.fold(raw)
    assert len(found.offsets) == len(found.folded)
    assert list(found.offsets) == sorted(found.offsets)
