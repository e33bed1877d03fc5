"""Where a reader is plugged in: a stable path or a network serial server. Pure text, nothing is opened here."""

from __future__ import annotations

import ipaddress
import posixpath
import re
import socket
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

_UNSTABLE: Final = re.compile(r"/dev/tty(USB|ACM)\d+")
_SCHEMES: Final = ("socket", "rfc2217")
_LOOPBACK: Final = "127.0.0.1"
_LOOPBACK_NAMES: Final = frozenset({"localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback"})


@dataclass(frozen=True, slots=True)
class Address:
    """A checked address: ``text`` as pyserial takes it, ``path`` on the file system or ``None`` on a network."""

    text: str
    path: str | None

    @property
    def is_rfc2217(self) -> bool:
        """Whether the far end negotiates its serial settings by RFC 2217."""
        return self.text.startswith("rfc2217://")

    @property
    def place(self) -> str:
        """One text for all ways of writing one place, as far as can be told without asking the network.

        The two schemes are one place, as a serial server's port is one reader. A path stays as it is: its link
        leads to another node after a replug, and an open node is locked by itself.
        """
        if self.path is not None:
            return self.path
        parts = urlsplit(self.text)
        return f"{_one_name(parts.hostname or '')} {parts.port}"


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
    number = _number(host)
    return number is not None and number.is_global


def _one_name(host: str) -> str:
    """Return one name for the names and numbers of this machine's loopback, and for those of one number."""
    name = host.lower().removesuffix(".")
    if name in _LOOPBACK_NAMES or name.endswith(".localhost"):
        return _LOOPBACK
    number = _number(name)
    if number is None:
        return name
    # Who connects to no address at all reaches this machine.
    is_here = number.is_unspecified or (number.version == 6 and number.is_loopback)  # noqa: PLR2004 - IP version
    return _LOOPBACK if is_here else str(number)


def _number(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the address that ``host`` is a number of, ``None`` for a name: to resolve it waits on the network."""
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        try:
            return ipaddress.IPv4Address(socket.inet_aton(host))  # 127.1, 0x7f000001: what connecting takes too
        except (OSError, ValueError):
            return None
    return getattr(number, "ipv4_mapped", None) or number
