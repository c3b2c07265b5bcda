from datetime import UTC, datetime

import pytest

from pipeline import config
from pipeline.errors import ConfigError
from pipeline.model import DomainMarkers, HistorySettings, Preferences, ReportSettings, Setting, SourceConfig

KINDS = {
    "gitea": (
        Setting(name="url", kind="address", required=True),
        Setting(name="owners", kind="texts", required=True),
        Setting(name="auth", kind="path"),
        Setting(name="timeout_s", kind="number", default=30, minimum=1),
    ),
    "folder": (
        Setting(name="path", kind="path", required=True),
        Setting(name="depth", kind="integer", default=2, minimum=0),
        Setting(name="worktree", kind="switch", default=False),
    ),
}
EXAMPLE = SourceConfig(kind="folder", name="example", settings={"path": "/example"})


def mistakes(text: str) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as caught:
        config.parse(text, KINDS)
    return caught.value.mistakes


def test_rows_of_several_kinds_are_read_with_their_defaults():
    found = config.parse(
        'language = "ru"\n'
        '[[source]]\nkind = "gitea"\nurl = "https://git.example.org:8443/x"\nowners = ["ann", "team"]\n'
        '[[source]]\nkind = "folder"\npath = "~/projects"\nexclude = ["*-archive"]\n',
        KINDS,
    )

    assert [(source.kind, source.name) for source in found.sources] == [
        ("gitea", "git.example.org:8443"),
        ("folder", "local"),
    ]
    assert found.sources[0].settings == {
        "url": "https://git.example.org:8443/x",
        "owners": ("ann", "team"),
        "auth": None,
        "timeout_s": 30,
    }
    assert found.sources[1].exclude == ("*-archive",)
    assert (found.language, found.shared_wiki, found.stale_after_hours, found.keep_versions) == (
        "ru",
        "projects-wiki",
        24,
        5,
    )


def test_every_mistake_is_told_at_once_with_its_place():
    assert mistakes(
        'langage = "ru"\nkeep_versions = 1\n'
        '[[source]]\nkind = "folder"\npath = "~/a"\ndepth = true\n'
        '[[source]]\nkind = "gitea"\nurl = 7\n'
    ) == (
        "sources.toml: langage is not a setting; did you mean language?",
        "sources.toml: keep_versions is 1 (int); expected a whole number of at least 2",
        "sources.toml: source[1].depth is true (bool); expected a whole number of at least 0",
        "sources.toml: source[2].url is 7 (int); expected https://host",
        "sources.toml: source[2].owners is missing; expected a list of texts in quotes, at least one",
    )


def test_an_address_without_a_scheme_and_a_list_without_owners_are_told_together():
    assert mistakes('[[source]]\nkind = "gitea"\nurl = "git.example.org"\nowners = []\n') == (
        "sources.toml: source[1].url is no web address; expected https://host",
        "sources.toml: source[1].owners is empty; expected a list of texts in quotes, at least one",
    )


@pytest.mark.parametrize("url", ["ann:s3cret-canary@git.example.org", "https://", "https://[", "ftp://git.example.org"])
def test_what_is_no_web_address_is_refused_and_not_repeated(url):
    assert mistakes(f'[[source]]\nkind = "gitea"\nurl = "{url}"\nowners = ["ann"]\n') == (
        "sources.toml: source[1].url is no web address; expected https://host",
    )


def test_a_windows_path_in_double_quotes_is_told_how_to_be_written():
    assert mistakes('[[source]]\nkind = "folder"\npath = "C:\\Users\\ann"\n') == (
        "sources.toml: not TOML: Invalid hex value (at line 3, column 13); "
        "write a path with backslashes in single quotes: 'C:\\Users\\ann'",
    )


def test_an_unknown_kind_names_the_known_ones():
    assert mistakes('[[source]]\nkind = "gitlab"\nurl = "x"\n') == (
        'sources.toml: source[1].kind is "gitlab"; expected one of "folder", "gitea"',
    )


def test_a_token_in_the_file_is_refused_and_not_repeated():
    assert mistakes('[[source]]\nkind = "folder"\npath = "a"\ntoken = "s3cret-canary"\n') == (
        "sources.toml: source[1].token: a token must not stand here; "
        "name its variable in token_env, or its file in auth",
    )


def test_two_rows_of_one_name_must_be_told_apart():
    assert mistakes('[[source]]\nkind = "folder"\npath = "a"\n[[source]]\nkind = "folder"\npath = "b"\n') == (
        'sources.toml: source[2].name is "local", like source[1]; give each row its own name',
    )


def test_text_that_is_not_toml_is_told_with_its_line():
    assert "line 2" in mistakes('language = "ru"\nkeep_versions = \n')[0]


def test_a_file_without_a_source_says_what_to_do():
    assert mistakes("") == (
        "sources.toml: no [[source]] table; add one, or remove the file to see the bundled example",
    )


def test_without_any_file_the_example_is_built(tmp_path, monkeypatch):
    monkeypatch.delenv("PROJECTS_META_CONFIG", raising=False)
    monkeypatch.setattr("pathlib.Path.home", lambda: tmp_path)

    found = config.load(tmp_path, KINDS, EXAMPLE)

    assert found.sources == (EXAMPLE,)
    assert found.is_example


def test_an_auth_file_alone_is_one_gitea_source_whose_token_stays_in_the_file(tmp_path, monkeypatch):
    monkeypatch.delenv("PROJECTS_META_CONFIG", raising=False)
    monkeypatch.setattr("pathlib.Path.home", lambda: tmp_path)
    auth = tmp_path / ".config" / "projects-mcp" / "auth.toml"
    auth.parent.mkdir(parents=True)
    auth.write_text(
        'gitea_url = "https://git.example.org"\ngitea_user = "ann"\ngitea_token = "s3cret-canary"\n', encoding="utf-8"
    )

    found = config.load(tmp_path, KINDS, EXAMPLE)

    assert found.sources[0].settings["owners"] == ("ann",)
    assert found.sources[0].settings["auth"] == str(auth)
    assert "canary" not in repr(found)


def test_the_file_named_by_the_environment_must_be_there(tmp_path, monkeypatch):
    monkeypatch.setenv("PROJECTS_META_CONFIG", str(tmp_path / "none.toml"))

    with pytest.raises(ConfigError, match=r"PROJECTS_META_CONFIG names .*none\.toml, which cannot be read"):
        config.load(tmp_path, KINDS, EXAMPLE)


def test_a_relative_path_starts_from_the_folder_of_the_file(tmp_path, monkeypatch):
    (tmp_path / "sources.toml").write_text('[[source]]\nkind = "folder"\npath = "work/clones"\n', encoding="utf-8")
    monkeypatch.setenv("PROJECTS_META_CONFIG", str(tmp_path / "sources.toml"))

    found = config.load(tmp_path / "elsewhere", KINDS, EXAMPLE)

    assert found.sources[0].settings["path"] == str(tmp_path / "work" / "clones")


def test_a_path_in_the_home_folder_is_left_to_its_source():
    found = config.parse('[[source]]\nkind = "folder"\npath = "~/projects"\n', KINDS)

    assert found.sources[0].settings["path"] == "~/projects"


def test_further_domains_and_words_are_read_in_their_order():
    found = config.parse(
        'promote_words = ["Terraform"]\n'
        "[domains]\nrust = ['Cargo.toml']\npython = ['pyproject.toml', '**/*.py']\n"
        '[[source]]\nkind = "folder"\npath = "~/a"\n',
        KINDS,
    )

    assert found.preferences == Preferences(
        domains=(
            DomainMarkers(name="rust", markers=("Cargo.toml",)),
            DomainMarkers(name="python", markers=("pyproject.toml", "**/*.py")),
        ),
        promote_words=("Terraform",),
    )


FOLDER = '[[source]]\nkind = "folder"\npath = "~/a"\n'


def test_a_report_is_for_oneself_unless_another_audience_is_named():
    assert config.parse(FOLDER, KINDS).report == ReportSettings(audience="private")
    assert config.parse(f'[report]\naudience = "public"\n{FOLDER}', KINDS).report == ReportSettings(audience="public")


def test_an_audience_that_nobody_knows_is_told():
    assert mistakes(f'[report]\naudience = "team"\n{FOLDER}') == (
        'sources.toml: report.audience is "team"; expected one of "public", "internal", "private"',
    )


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2026-01-31", datetime(2026, 1, 31, tzinfo=UTC)),
        ('"2026-01-31"', datetime(2026, 1, 31, tzinfo=UTC)),
        ("2026-01-31T09:00:00+03:00", datetime(2026, 1, 31, 6, tzinfo=UTC)),
    ],
)
def test_the_bounds_of_history_are_read(written, meant):
    found = config.parse(f"[history]\nsince = {written}\nmax_commits = 100\n{FOLDER}", KINDS)

    assert found.history == HistorySettings(since=meant, max_commits=100, requests_per_run=500)


def test_every_mistake_in_history_is_told_with_its_place():
    assert mistakes(f'[history]\nsince = "monday"\nmax_commits = 0\nrequest_per_run = 1\n{FOLDER}') == (
        "sources.toml: history.request_per_run is not a setting; did you mean requests_per_run?",
        'sources.toml: history.since is "monday"; expected a date such as 2026-01-31, or a time with its offset',
        "sources.toml: history.max_commits is 0 (int); expected a whole number of at least 1",
    )


def test_a_time_without_an_offset_is_refused_since_machines_differ():
    assert "history.since is" in mistakes(f"[history]\nsince = 2026-01-31T09:00:00\n{FOLDER}")[0]


def test_the_pages_of_the_report_can_be_left_out():
    assert config.parse(f"[report]\npages = false\n{FOLDER}", KINDS).report == ReportSettings(pages=False)
    assert config.parse(FOLDER, KINDS).report == ReportSettings(pages=True)


def test_every_mistake_in_report_is_told_with_its_place():
    assert mistakes(f'[report]\npages = "no"\ncolour = 1\n{FOLDER}') == (
        "sources.toml: report.colour is not a setting; known here: audience, pages",
        'sources.toml: report.pages is "no"; expected true or false',
    )


def test_a_history_that_is_no_table_is_told_what_to_write():
    assert mistakes(f"history = 7\n{FOLDER}") == (
        "sources.toml: history is not a table; write its settings under [history]",
    )


def test_every_mistake_in_domains_is_told_with_its_place():
    assert mistakes(
        "promote_words = 'Terraform'\n"
        "[domains]\ncross = ['a']\n'a/b' = ['a']\nrust = []\ngo = [7]\njava = ['src/pom.xml']\n"
        '[[source]]\nkind = "folder"\npath = "~/a"\n'
    ) == (
        "sources.toml: domains.'cross': expected the name of a domain, without a slash, "
        'not "cross" or "unknown" or "all"',
        "sources.toml: domains.'a/b': expected the name of a domain, without a slash, "
        'not "cross" or "unknown" or "all"',
        "sources.toml: domains.rust: expected a list of patterns in quotes, at least one",
        "sources.toml: domains.go: expected a list of patterns in quotes, at least one",
        "sources.toml: domains.java: expected patterns of file names, with no slash but a `**/` before them",
        'sources.toml: promote_words is "Terraform"; expected a list of texts in quotes',
    )


def test_domains_that_are_no_table_are_told_what_to_write():
    assert mistakes('domains = ["rust"]\n[[source]]\nkind = "folder"\npath = "~/a"\n') == (
        'sources.toml: domains is not a table; write for example domains = { rust = ["Cargo.toml"] }',
    )
