"""Where a reader is plugged in: a stable path or a network serial server. Pure text, nothing is opened here."""

from __future__ import annotations

import ipaddress
import posixpath
import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

_UNSTABLE: Final = re.compile(r"/dev/tty(USB|ACM)\d+")
_SCHEMES: Final = ("socket", "rfc2217")


@dataclass(frozen=True, slots=True)
class Address:
    """A checked address: ``text`` as pyserial takes it, ``path`` on the file system or ``None`` on a network."""

    text: str
    path: str | None

    @property
    def is_rfc2217(self) -> bool:
        """Whether the far end negotiates its serial settings by RFC 2217."""
        return self.text.startswith("rfc2217://")


def parse_address(text: str) -> Address:
    """Check where a port is said to be (hardware.md, "Transport rules").

    Accepted are absolute paths that stay the same over a replug (``/dev/serial/by-id/…``, by-path, a
    symlink to a pseudo-terminal), ``socket://host:port`` and ``rfc2217://host:port``. Anything else raises
    ``ValueError`` with a sentence that says what to write instead.
    """
    if "://" in text:
        return _network_address(text)
    if not text.startswith("/"):
        message = (
            f"port {text!r} is neither an absolute path nor socket://host:port: "
            "write the path under /dev/serial/by-id/"
        )
        raise ValueError(message)
    path = "/" + posixpath.normpath(text).lstrip("/")
    if _UNSTABLE.fullmatch(path):
        message = (
            f"port {path} names whichever adapter was plugged in first, so it can become another reader: "
            "use its link under /dev/serial/by-id/ (see `ls -l /dev/serial/by-id`), "
            "or under /dev/serial/by-path/ if the adapter has no serial number"
        )
        raise ValueError(message)
    return Address(path, path)


def _network_address(text: str) -> Address:
    parts = urlsplit(text)
    if parts.scheme not in _SCHEMES:
        message = (
            f"port {text!r}: {parts.scheme}:// is not supported, use socket://host:port or rfc2217://host:port"
        )
        raise ValueError(message)
    try:
        number = parts.port
    except ValueError:
        number = None
    # A query would switch on pyserial's own byte logging, and bytes may hold a hole card.
    if not parts.hostname or not number or parts.path not in ("", "/") or parts.query or parts.username:
        message = f"port {text!r} must be written as {parts.scheme}://host:port, and nothing more"
        raise ValueError(message)
    if _is_public(parts.hostname):
        message = (
            f"port {text!r} is a public address and {parts.scheme}:// is plain text: "
            "put the serial server on an isolated network or on loopback"
        )
        raise ValueError(message)
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return Address(f"{parts.scheme}://{host}:{number}", None)


def _is_public(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        return False  # a name: resolving it here would wait on the network
