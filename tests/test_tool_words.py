"""Which platforms and tools a text names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.tool_words import BUILT_IN, Tool, find_tools, vocabulary

KNOWN = vocabulary()


def named(text: str, *further: str) -> list[str]:
    return [tool.name for tool in find_tools(text, vocabulary(further))]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Windows 11, then macOS and Ubuntu", ["Windows", "macOS", "Linux"]),
        ("Node.js runs; NODEJS too", ["Node"]),
        ("VS Code and vscode", ["VS Code"]),
        ("run `yarn`, `npm ci` or pnpm", ["yarn", "npm", "pnpm"]),
        ("STM32F407 beside an ESP32-S3", ["STM32", "ESP32"]),
        ("в докере под линуксом, через гит", ["Docker", "Linux", "git"]),
        ("`.gitignore` and a Dockerfile", ["git", "Docker"]),
        ("an MCP server of Claude Code", ["MCP", "Claude Code"]),
        ("Next.js behind NGINX", ["Next.js", "Nginx"]),
        ("ESP-IDF and esp_idf", ["ESP-IDF"]),
        ("Dockerで動く。Python은 git-а", ["Docker", "Python", "git"]),
    ],
)
def test_tools_are_told_once_each_in_the_order_of_the_text(text, names):
    assert named(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "each node of the tree",
        "the windows look south",
        "people react within a day; rust on the pipe",
        "legitimate digits",
        "гитара, гитарист",
        "dockyard",
        "gité",
        "https://git.example.org/team/docker",
        "",
    ],
)
def test_the_same_letters_as_an_everyday_word_or_a_part_of_one_name_nothing(text):
    assert named(text) == []


def test_further_words_are_whole_words_in_any_case_and_of_no_domain():
    assert find_tools("TERRAFORM plan; Clion IDE", vocabulary(["Terraform", "CLion IDE"])) == (
        Tool("Terraform", ""),
        Tool("CLion IDE", ""),
    )
    assert named("terraforming", "Terraform") == []


def test_a_further_russian_word_is_found_in_other_forms():
    assert named("в Битриксе", "Битрикс") == ["Битрикс"]


def test_a_further_word_without_a_letter_names_nothing():
    assert named("any text: ++ -- *", "++", "*", "=") == []


def test_further_words_have_no_marks():
    assert named("Node, nodes", "=nodes*") == ["Node", "=nodes*"]


def test_a_further_name_of_many_words_and_two_scripts_is_found():
    assert named("в конфигураторе 1С версии 8", "конфигуратор 1С версия 8") == ["конфигуратор 1С версия 8"]


@given(st.text())
def test_any_text_is_read_and_only_known_tools_are_told(text):
    known = {name for tools in BUILT_IN.values() for name in tools}

    assert {tool.name for tool in find_tools(text, KNOWN)} <= known
