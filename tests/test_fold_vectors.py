"""The shared table of what search means: folding, reading a query, matching and showing."""

import json
from pathlib import Path

import pytest

from pipeline.errors import CatalogError
from pipeline.search import matches, parse_query
from pipeline.text import first_place, fold, fold_with_offsets, snippet

VECTORS = json.loads((Path(__file__).parent / "data" / "fold_vectors.json").read_text(encoding="utf-8"))
REFUSED = [one["query"] for one in VECTORS["queries"] if one["terms"] is None]
READ = [one for one in VECTORS["queries"] if one["terms"] is not None]


@pytest.mark.parametrize("vector", VECTORS["folds"], ids=lambda vector: vector["why"])
def test_a_text_is_folded_as_the_table_says_and_folding_it_again_changes_nothing(vector):
    assert fold(vector["text"]) == vector["folded"]
    assert fold(vector["folded"]) == vector["folded"]


@pytest.mark.parametrize("vector", VECTORS["offsets"], ids=lambda vector: ascii(vector["text"]))
def test_each_folded_letter_comes_from_the_place_in_the_table(vector):
    found = fold_with_offsets(vector["text"])

    assert (found.folded, list(found.offsets)) == (vector["folded"], vector["offsets"])


@pytest.mark.parametrize("vector", READ, ids=lambda vector: ascii(vector["query"]))
def test_a_query_is_read_into_the_terms_of_the_table(vector):
    assert list(parse_query(vector["query"])) == vector["terms"]


@pytest.mark.parametrize("query", REFUSED, ids=ascii)
def test_a_query_without_terms_in_the_table_is_refused(query):
    with pytest.raises(CatalogError):
        parse_query(query)


@pytest.mark.parametrize("vector", VECTORS["matches"], ids=lambda vector: ascii(vector["query"]))
def test_fields_match_as_the_table_says(vector):
    assert matches([fold(field) for field in vector["fields"]], parse_query(vector["query"])) is vector["matches"]


@pytest.mark.parametrize("vector", VECTORS["snippets"], ids=lambda vector: ascii(vector["query"]))
def test_the_place_and_the_snippet_of_a_match_are_those_of_the_table(vector):
    terms = parse_query(vector["query"])

    assert first_place(vector["text"], terms) == vector["place"]
    assert snippet(vector["text"], terms, vector["width"]) == vector["snippet"]
