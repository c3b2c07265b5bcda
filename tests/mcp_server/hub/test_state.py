"""The state folder: where it is, whose it is, and its token."""

import os
from pathlib import Path

import pytest

from mcp_server.hub.state import State, ensure_token, find_state, read_token, take_state
from pipeline.errors import ConfigError

posix = pytest.mark.skipif(os.name != "posix", reason="the platform has no modes")


def test_the_folder_is_the_named_one_else_the_variables_else_the_users(tmp_path):
    environment = {"SDLC_HUB_STATE": str(tmp_path / "env")}

    assert find_state(tmp_path / "named", environment).root == tmp_path / "named"
    assert find_state(None, environment).root == tmp_path / "env"
    assert find_state(None, {}).root.name == "sdlc-hub"
    assert find_state(Path("here"), {}).root == Path.cwd() / "here"


def test_two_hubs_on_one_folder_refuse_each_other(tmp_path):
    state = State(tmp_path / "state")
    lock = take_state(state)
    with pytest.raises(ConfigError, match=r"another sdlc-hub serves the state folder .*state; stop it"):
        take_state(state)
    lock.release()

    take_state(state).release()


def test_a_folder_that_is_a_file_is_refused(tmp_path):
    (tmp_path / "state").write_bytes(b"")

    with pytest.raises(ConfigError, match="cannot be used: a file stands there; give another --state"):
        take_state(State(tmp_path / "state"))


@posix
def test_nobody_else_can_look_into_the_folder(tmp_path):
    take_state(State(tmp_path / "state")).release()

    assert (tmp_path / "state").stat().st_mode & 0o077 == 0


def test_a_token_is_made_once(tmp_path):
    first = ensure_token(tmp_path / "token")

    assert len(first) == 43
    assert ensure_token(tmp_path / "token") == first
    assert ensure_token(tmp_path / "other") != first


@posix
def test_a_token_is_its_owners_from_its_first_moment(tmp_path):
    old = os.umask(0)
    ensure_token(tmp_path / "token")
    os.umask(old)

    assert (tmp_path / "token").stat().st_mode & 0o777 == 0o600


@posix
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o666])
def test_a_token_that_others_can_read_is_refused(tmp_path, mode):
    ensure_token(tmp_path / "token")
    (tmp_path / "token").chmod(mode)

    with pytest.raises(ConfigError, match="can be read by others; run `chmod 600`"):
        ensure_token(tmp_path / "token")


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"short", b"two words of a long token", "я".encode() * 30, b"x" * 30 + b"\0"]
)
def test_what_is_no_token_is_refused(tmp_path, content):
    (tmp_path / "token").write_bytes(content)
    (tmp_path / "token").chmod(0o600)

    with pytest.raises(ConfigError, match="holds no token; remove it"):
        ensure_token(tmp_path / "token")


def test_a_token_that_is_not_there_is_told(tmp_path):
    with pytest.raises(ConfigError, match="makes it at its first start"):
        read_token(tmp_path / "token")
