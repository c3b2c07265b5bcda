"""Why a host could not be reached, in words that are the same every time."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator

CERTIFICATE_EXPIRED = 10
CERTIFICATE_OF_ANOTHER_HOST = frozenset({62, 64})


def network_reason(error: BaseException) -> tuple[str, bool] | None:
    """The reason behind a network error, and whether another try may go better; None if it is none of these."""
    for cause in _causes(error):
        match cause:
            case ssl.SSLCertVerificationError():
                return _certificate_reason(cause), False
            case ssl.SSLError():
                return "TLS: no secure connection could be agreed on", False
            case socket.gaierror():
                return "cannot connect: the host's name is not known", True
            case ConnectionRefusedError():
                return "cannot connect: connection refused", True
    return None


def _certificate_reason(error: ssl.SSLCertVerificationError) -> str:
    if error.verify_code == CERTIFICATE_EXPIRED:
        return "TLS: the certificate has expired"
    if error.verify_code in CERTIFICATE_OF_ANOTHER_HOST:
        return "TLS: the certificate is for another host"
    return "TLS: certificate not trusted; set ca_file in sources.toml"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error and all that led to it, groups opened."""
    while error is not None:
        yield error
        if isinstance(error, BaseExceptionGroup):
            for each in error.exceptions:
                yield from _causes(each)
        error = error.__cause__ or error.__context__
