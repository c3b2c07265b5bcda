from __future__ import annotations

import copy
import json
import os
import pickle
from pathlib import Path

import pygit2
import pytest

from pipeline.errors import ConfigError
from pipeline.sources.credentials import Secret, token_of_file, token_of_variable

CANARY = "canary-4d1f0e"
PLACE = "source[1].auth"
only_posix = pytest.mark.skipif(os.name != "posix", reason="Windows keeps rights elsewhere")


@pytest.fixture
def auth(tmp_path: Path) -> Path:
    path = tmp_path / "auth.toml"
    path.write_bytes(f'gitea_user = "ann"\ngitea_token = "{CANARY}"\n'.encode())
    path.chmod(0o600)
    return path


def mistake(path: Path) -> str:
    with pytest.raises(ConfigError) as caught:
        token_of_file(path, "gitea_token", PLACE)
    return str(caught.value)


def test_a_secret_shows_itself_only_when_asked() -> None:
    secret = Secret(CANARY)

    assert secret.reveal() == CANARY
    assert (repr(secret), str(secret), f"{secret}", f"{[secret]}") == ("Secret(…)",) * 3 + ("[Secret(…)]",)


@pytest.mark.parametrize("store", [pickle.dumps, copy.deepcopy, json.dumps])
def test_a_secret_is_not_stored(store: object) -> None:
    with pytest.raises(TypeError) as caught:
        store(Secret(CANARY))  # type: ignore[operator]

    assert CANARY not in str(caught.value)


def test_the_token_of_a_private_file_is_read(auth: Path) -> None:
    assert token_of_file(auth, "gitea_token", PLACE).reveal() == CANARY


@only_posix
@pytest.mark.parametrize("mode", [0o644, 0o640, 0o620, 0o604, 0o601])
def test_a_file_that_others_can_use_is_refused_with_the_remedy(auth: Path, mode: int) -> None:
    auth.chmod(mode)

    assert mistake(auth) == f"{PLACE}: {auth} can be read by others; run `chmod 600 {auth}`"


@only_posix
def test_a_symlink_is_refused(auth: Path, tmp_path: Path) -> None:
    (tmp_path / "link.toml").symlink_to(auth)

    assert "link.toml is a symlink; name the file itself" in mistake(tmp_path / "link.toml")


def test_a_file_that_git_would_take_along_is_refused(auth: Path, tmp_path: Path) -> None:
    pygit2.init_repository(str(tmp_path))

    assert "lies in a git work tree that does not ignore it" in mistake(auth)


def test_a_file_that_git_ignores_is_read(auth: Path, tmp_path: Path) -> None:
    pygit2.init_repository(str(tmp_path))
    (tmp_path / ".gitignore").write_bytes(b"auth.toml\n")

    assert token_of_file(auth, "gitea_token", PLACE).reveal() == CANARY


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        (f'gitea_token = "{CANARY}', "is not TOML; expected a line gitea_token"),
        (f'token = "{CANARY}"', "holds no gitea_token; expected a line gitea_token"),
        ("gitea_token = 7", "holds no gitea_token; expected a line gitea_token"),
        (f'gitea_token = "{CANARY} ё"', "is not a token; expected ASCII letters without spaces"),
    ],
)
def test_a_file_without_a_token_says_so_and_shows_nothing(auth: Path, text: str, fact: str) -> None:
    auth.write_bytes(text.encode())

    told = mistake(auth)

    assert (fact in told, CANARY in told) == (True, False)


def test_a_missing_file_says_so(tmp_path: Path) -> None:
    assert mistake(tmp_path / "auth.toml").endswith("auth.toml cannot be read: No such file or directory")


def test_the_token_of_a_variable_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORGE_TOKEN", f" {CANARY}\n")

    assert token_of_variable("FORGE_TOKEN", "source[1].token_env").reveal() == CANARY


def test_a_variable_that_is_not_set_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FORGE_TOKEN", raising=False)

    with pytest.raises(ConfigError) as caught:
        token_of_variable("FORGE_TOKEN", "source[1].token_env")

    assert caught.value.mistakes == (
        "source[1].token_env: the environment variable FORGE_TOKEN is not set; expected a token in it",
    )
