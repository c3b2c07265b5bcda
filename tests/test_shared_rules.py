"""Domains and the black list out of a CLAUDE.md."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.model import SharedRules
from pipeline.shared_rules import read_rules

RUSSIAN = """# Общая вика

- не домен

## Домены

- `node` — Node.js, yarn
  - и его соседи
- **embedded**: прошивки
- web/
1. cross — всё остальное
- `Node` ещё раз

## Правила

- не домен

## Чёрный список (имена проектов и бизнес-доменов)

* Ромашка — никогда
* `Acme Corp`
"""
ENGLISH = """# Rules
## Valid domains
Some words.
### Firmware
- [embedded](embedded/index.md) has firmware
### Others
- "web", pages
## Never mention
- Initech, the client
```
- fenced
```
## Promotion
- nothing
"""


def test_russian_rules_are_read():
    assert read_rules(RUSSIAN) == SharedRules(
        domains=("node", "embedded", "web", "cross"), never=("Ромашка", "Acme Corp")
    )


def test_english_rules_are_read_below_deeper_headings_too():
    assert read_rules(ENGLISH) == SharedRules(domains=("embedded", "web"), never=("Initech",))


@pytest.mark.parametrize(
    "heading", ["Black list", "BLACKLIST of domains", "Never", "Чёрный список", "Черный список", "Никогда не называть"]
)
def test_a_black_list_is_known_by_its_heading(heading):
    assert read_rules(f"## {heading}\n- Acme\n") == SharedRules(never=("Acme",))


@pytest.mark.parametrize(
    ("entry", "name"),
    [
        ("`node` — x", "node"),
        ("**node**: x", "node"),
        ("**`node`** x", "node"),
        ("__node:__ x", "node"),
        ("node: `package.json`", "node"),
        ("[node](node/) x", "node"),
        ("[[node]] x", "node"),
        ("[x] node", "node"),
        ("«node», x", "node"),
        ("c++ x", "c++"),
        ("**node x", "**node"),
        ("`node x", "`node"),
    ],
)
def test_an_entrys_name_is_the_code_or_bold_text_it_begins_with_or_its_first_word(entry, name):
    assert read_rules(f"# Domains\n- {entry}\n").domains == (name,)


def test_each_list_has_its_own_outermost_entries():
    assert read_rules("# Domains\n- a\n  - b\n## More\n  - c\n    - d\n").domains == ("a", "c")


@pytest.mark.parametrize("written", ["", "# Domains\n", "# Domains\n-\n- —\n", "- node\n", "node\n====\n- x\n"])
def test_what_lists_nothing_has_no_rules(written):
    assert read_rules(written) == SharedRules()


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sampled_from(["# Domains\n", "## Never\n", "- ", "  - ", "`", "**", "a", "\n"]) | st.text(max_size=4))
)
def test_rules_are_read_of_any_text_and_every_name_is_one_line(scraps):
    rules = read_rules("".join(scraps))

    assert all(name and name.splitlines() == [name] for name in (*rules.domains, *rules.never))
