"""Words are cut into shards where they say it themselves."""

from pipeline.report import search_postings as postings
from pipeline.report.search_index import told
from pipeline.report.search_shards import LEAST, MOST, ONE_IN, Changes, Shard, blocks, changed

Made = dict[Shard, str]


def cut(words: list[str]) -> Made:
    """The shards of some words that all stand in the text 1, with their entries."""
    found = changed([], Changes({}, {word: [7] for word in words}), str)
    return {shard: told(script) for shard, script in found if script}


def update(made: Made, gone: dict[str, list[int]], come: dict[str, list[int]]) -> dict[Shard, bytes | None]:
    entries = {shard.name: entry for shard, entry in made.items()}
    return dict(changed(list(made), Changes(gone, come), entries.__getitem__))


WORDS = [f"word-{number:05}" for number in range(20_000)]
MADE = cut(WORDS)


def test_the_shards_together_have_every_word_once_in_order() -> None:
    assert [word for shard in MADE for word in postings.read_words(shard.words)] == WORDS


def test_a_shard_has_neither_very_few_nor_very_many_words() -> None:
    sizes = [len(postings.read_words(shard.words)) for shard in MADE]

    assert (min(sizes[:-1]) >= LEAST, max(sizes) <= MOST, len(sizes) <= 2 * len(WORDS) // ONE_IN) == (True, True, True)


def test_a_new_word_makes_one_shard_anew_and_names_no_other() -> None:
    after = update(MADE, {}, {"word-00777b": [7]})

    assert [script is None for script in after.values()].count(False) == 1


def test_a_word_without_texts_is_gone() -> None:
    after = update(MADE, {"word-00777": [1]}, {})

    assert "word-00777" not in [word for shard in after for word in postings.read_words(shard.words)]


def test_the_end_of_a_shard_may_go_and_what_follows_joins_it() -> None:
    last = postings.read_words(next(iter(MADE)).words)[-1]

    assert list(update(MADE, {last: [1]}, {})) == list(cut([word for word in WORDS if word != last]))


def test_words_after_all_others_come_into_the_last_shard() -> None:
    assert list(update(MADE, {}, {"zebra": [7]})) == list(cut([*WORDS, "zebra"]))


def test_without_words_there_is_no_shard() -> None:
    assert cut([]) == {}


def test_blocks_have_every_shard_once() -> None:
    assert [name for block in blocks(MADE) for name, _ in block] == [shard.name for shard in MADE]
