"""Markdown → values + diagnostics.  Pure: bytes in, values out; nothing here raises for any bytes.

markdown.py      bytes → Document, or why they cannot be read
blocks.py        lines → headings, list entries, tables and plain lines
inline.py        links of one line; one line reduced to plain text
words.py         status words, lanes, slugs: what a phrase means
board.py         STATUS.md → Board
board_reader.py  a board from top to bottom → drafts of its tasks
board_items.py   what one heading, list entry or table row of a board says
wiki_index.py    index.md → entries, or `wiki index malformed: <reason>`
targets.py       where a link of an index leads inside `.wiki/`
front_matter.py  a YAML block → plain values: text, lists and maps
page.py          a wiki page, a page of the shared wiki
"""
