"""The command line of `sdlc-hub`."""

import pytest

from mcp_server.sdlc import main


def told(capsys, *words: str) -> tuple[int, str]:
    """Exit status and what was said on stderr."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    return int(ended.value.code or 0), capsys.readouterr().err


def test_a_module_that_is_not_there_is_answered_with_those_there_are(capsys):
    status, said = told(capsys, "mcp", "jira", "--project", "AWPCA")

    assert status == 2
    assert said.endswith("error: argument module: there is no module 'jira'; there are: wiki\n")


@pytest.mark.parametrize("words", [(), ("mcp",), ("serv",), ("serve", "--port", "65536"), ("serve", "--port", "x")])
def test_a_command_that_is_not_whole_is_refused(capsys, words):
    assert told(capsys, *words)[0] == 2


def test_the_words_after_a_module_are_its_own(capsys):
    assert told(capsys, "mcp", "wiki", "--language", "de")[1].startswith("usage: sdlc-hub mcp wiki")
