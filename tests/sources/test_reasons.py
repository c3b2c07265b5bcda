"""The words for what the network does to us."""

import socket
import ssl

import pytest

from pipeline.sources.reasons import network_reason

NAMELESS = socket.gaierror(-2, "Name or service not known")


def certificate(code: int) -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, "certificate verify failed")
    error.verify_code = code
    return error


@pytest.mark.parametrize(
    ("error", "told", "again"),
    [
        (NAMELESS, "cannot connect: the host's name is not known", True),
        (ConnectionRefusedError(111, "refused"), "cannot connect: connection refused", True),
        (certificate(10), "TLS: the certificate has expired", False),
        (certificate(62), "TLS: the certificate is for another host", False),
        (certificate(18), "TLS: certificate not trusted; set ca_file in sources.toml", False),
        (ssl.SSLError(1, "wrong version number"), "TLS: no secure connection could be agreed on", False),
    ],
)
def test_each_trouble_has_its_words_and_its_hope(error, told, again):
    assert network_reason(error) == (told, again)


def test_a_trouble_is_found_behind_others_and_in_a_group():
    group = ExceptionGroup("all attempts failed", [OSError("network is unreachable"), NAMELESS])
    outer = OSError("all connection attempts failed")
    outer.__cause__ = group

    assert network_reason(outer) == ("cannot connect: the host's name is not known", True)


def test_another_trouble_has_no_words_here():
    assert network_reason(ConnectionResetError(104, "reset")) is None
