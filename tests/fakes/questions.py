"""Random texts of all of Unicode, and queries that have something to do with them."""

from hypothesis import assume
from hypothesis import strategies as st

from pipeline.text import body, fold

AWKWARD = (
    "İıßẞﬁſσςΣёЁЙ\u0418\u0306e\u0301é\u0345ͅŉǰΐ🙂\U0001f469\u200d\U0001f4bb漢字가\u1100\u1161"
    "\ufffe\uffff\ufffd%_*\"'\\-:()^~ \n\tаbAB"
)
letters = st.one_of(st.sampled_from(AWKWARD), st.characters(exclude_categories=["Cs"]))
written = st.text(letters, max_size=24)
texts = st.lists(st.tuples(written, written, written, written), min_size=1, max_size=5)


@st.composite
def questions(draw: st.DrawFn) -> tuple[list[tuple[str, str, str, str]], str]:
    """Texts, and a query of pieces of them and of other letters, some in quotes."""
    found = draw(texts)
    joined = "\n".join("\n".join(fields) for fields in found)
    start = draw(st.integers(0, len(joined)))
    piece = joined[start : start + draw(st.integers(1, 8))]
    pieces = [piece, f'"{piece}"', piece.upper(), fold(piece), draw(st.text(letters, max_size=4))]
    query = " ".join(draw(st.lists(st.sampled_from(pieces), min_size=1, max_size=3))).replace("\0", "")
    assume(body(query).replace('"', "").strip())
    return found, query
