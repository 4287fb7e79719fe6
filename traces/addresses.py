"""Addresses of hosts as Java reads them, and ranges of them as Kafka does."""

from __future__ import annotations

import ipaddress
import re

_LONGEST = 15
"""So many characters an IPv4 address has at most; a longer text is none."""

_PREFIX_V4 = re.compile(r"[0-9]{1,2}")
_OCTETS = re.compile(r"[0-9]{1,3}(\.[0-9]{1,3}){3}")
_INTEGER = re.compile(r"[+-]?\d+")
_HEX = re.compile(r"[0-9a-fA-F]+")


def is_address(text: str) -> bool:
    """Whether a text is an address that no resolver is asked for (`InetAddress.getByName`).

    IPv4 addresses may have fewer numbers than four, of which the last fills what is left; IPv6 addresses may stand in
    brackets, have zeros in front, and have a zone by its number.

    >>> is_address("10.0.0.1"), is_address("10.1"), is_address("[::1]"), is_address("localhost")
    (True, True, True, False)
    """
    if text.startswith("["):
        return text.endswith("]") and _v6(text[1:-1]) is not None
    return _is_v4(text) or _v6(text) is not None


def is_range(host: str) -> bool:
    """Whether a host with a slash is a range of addresses (`CidrUtils.validate`).

    >>> is_range("10.0.0.0/8"), is_range("::1/129"), is_range("::ffff:10.0.0.0/104")
    (True, False, False)
    """
    address, _, length = host.partition("/")
    if ":" not in host:
        octets = _OCTETS.fullmatch(address) and all(int(one) < 256 for one in address.split("."))
        return bool(octets and _PREFIX_V4.fullmatch(length) and int(length) <= 32)
    found = _v6(address.removeprefix("[").removesuffix("]") if address.startswith("[") else address)
    # An address that is an IPv4 address in disguise is one to Java.
    if found is None or found.ipv4_mapped is not None:
        return False
    return bool(_INTEGER.fullmatch(length)) and 0 <= int(length) <= 128


def _is_v4(text: str) -> bool:
    parts = text.split(".")
    if len(text) > _LONGEST or len(parts) > 4 or not all(one.isascii() and one.isdigit() for one in parts):
        return False
    *front, last = map(int, parts)
    return all(one < 256 for one in front) and last < 256 ** (4 - len(front))


def _v6(text: str) -> ipaddress.IPv6Address | None:
    address, percent, zone = text.partition("%")
    if percent and not (zone.isascii() and zone.isdigit()):
        return None
    groups = address.split(":")
    if "." in groups[-1]:
        if groups[-1].count(".") != 3 or not _is_v4(groups[-1]):
            return None
        one, two, three, four = map(int, groups[-1].split("."))
        groups[-1:] = [f"{one * 256 + two:x}", f"{three * 256 + four:x}"]
    if not all(not one or _HEX.fullmatch(one) for one in groups):
        return None
    try:
        return ipaddress.IPv6Address(":".join(one and f"{int(one, 16):x}" for one in groups))
    except ValueError:
        return None
