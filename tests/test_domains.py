"""Which domain a folder belongs to: every rule, their order, and labelled folders."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.domains import detect_domain, is_read
from pipeline.model import DomainMarkers

LABELLED = Path(__file__).parent / "data" / "domains" / "folders.toml"
PYTHON = DomainMarkers(name="python", markers=("pyproject.toml", "*.py"))
TERRAFORM = DomainMarkers(name="terraform", markers=("**/*.tf",))


def listing(*paths: str, cmake: str | None = None) -> dict[str, bytes | None]:
    """Files by path without their bytes, and a CMakeLists.txt of the given text."""
    return dict.fromkeys(paths) | ({} if cmake is None else {"CMakeLists.txt": cmake.encode()})


@pytest.mark.parametrize(
    ("paths", "domain"),
    [
        (["package.json"], "node"),
        (["Package.JSON"], "node"),
        (["platformio.ini"], "embedded"),
        (["blink.ino"], "embedded"),
        (["a/b/BLINK.INO"], "embedded"),
        (["next.config.ts"], "web"),
        (["vite.config.mjs"], "web"),
        (["index.html"], "web"),
        ([], "unknown"),
        (["README.md"], "unknown"),
    ],
)
def test_one_file_is_enough(paths, domain):
    assert detect_domain(listing(*paths)) == domain


@pytest.mark.parametrize(
    "path",
    ["src/package.json", "lib/platformio.ini", "app/next.config.js", "app/vite.config.js", "docs/index.html"],
)
def test_a_marker_deeper_down_says_nothing_of_the_folder(path):
    assert detect_domain(listing(path)) == "unknown"


@pytest.mark.parametrize(
    ("paths", "domain"),
    [
        (["package.json", "platformio.ini", "index.html"], "node"),
        (["platformio.ini", "index.html", "pyproject.toml"], "embedded"),
        (["index.html", "pyproject.toml"], "web"),
        (["pyproject.toml", "main.tf"], "python"),
        (["main.tf"], "terraform"),
    ],
)
def test_the_first_rule_that_fits_decides_and_configured_ones_come_last(paths, domain):
    assert detect_domain(listing(*paths), (PYTHON, TERRAFORM)) == domain


@pytest.mark.parametrize(
    "text",
    [
        "set(TOOLCHAIN arm-none-eabi-)",
        "STM32F4",
        "$ENV{IDF_PATH}",
        "idf_component_register()",
        "ESP-IDF v5",
        "find_package(Zephyr)",
        "pico_sdk_init()",
        "MY_PICO_SDK_PATH",
        "-DNRF52840",
        "nrfx",
        "nRF Connect SDK",
    ],
)
def test_cmake_that_mentions_an_embedded_sdk_is_embedded(text):
    assert detect_domain(listing(cmake=text)) == "embedded"


@pytest.mark.parametrize("text", ["", "picojson", "unrefined", "zephyrous", "raspberry pico", "inrfx", "\xff\xfe"])
def test_cmake_that_mentions_none_is_not(text):
    assert detect_domain(listing(cmake=text)) == "unknown"


def test_cmake_whose_bytes_are_not_here_mentions_nothing():
    assert detect_domain(listing("CMakeLists.txt")) == "unknown"


def test_a_configured_pattern_is_of_the_folder_itself_unless_it_says_below():
    assert detect_domain(listing("src/a.py"), (PYTHON,)) == "unknown"
    assert detect_domain(listing("cloud/net/main.tf"), (TERRAFORM,)) == "terraform"


def test_a_configured_domain_may_add_files_to_one_of_ours():
    assert (
        detect_domain(listing("astro.config.mjs"), (DomainMarkers(name="web", markers=("astro.config.*",)),)) == "web"
    )


@given(st.dictionaries(st.text(), st.none() | st.binary()), st.lists(st.text(min_size=1), min_size=1))
def test_any_listing_and_any_pattern_have_an_answer(files, markers):
    further = DomainMarkers(name="further", markers=tuple(markers))

    assert detect_domain(files, (further,)) in {"node", "embedded", "web", "further", "unknown"}


@pytest.mark.parametrize(
    ("path", "wanted"), [("a/CMakeLists.txt", True), ("CMakeLists.txt.in", False), ("a.ino", False)]
)
def test_only_cmake_files_are_read(path, wanted):
    assert is_read(path) is wanted


def test_labelled_folders_are_told_with_precision_and_recall_of_nine_tenths():
    rows = tomllib.loads(LABELLED.read_text(encoding="utf-8"))["folder"]
    found = [detect_domain({path: text.encode() for path, text in row["files"].items()}) for row in rows]
    labels = [row["domain"] for row in rows]
    right = sum(one == label != "unknown" for one, label in zip(found, labels, strict=True))
    precision = right / sum(one != "unknown" for one in found)
    recall = right / sum(label != "unknown" for label in labels)
    print(f"\ndomains: {len(rows)} folders, precision {precision:.2f}, recall {recall:.2f}")

    assert min(precision, recall) >= 0.9
