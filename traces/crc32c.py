"""CRC-32C (Castagnoli), the checksum of a record batch: by google-crc32c where it is installed, else by a table.

The table is some hundred times slower than the library, which only large logs feel.
"""

from __future__ import annotations

from collections.abc import Callable

_REVERSED_POLYNOMIAL = 0x82F63B78


def _table() -> tuple[int, ...]:
    entries = []
    for byte in range(256):
        value = byte
        for _ in range(8):
            value = value >> 1 ^ _REVERSED_POLYNOMIAL if value & 1 else value >> 1
        entries.append(value)
    return tuple(entries)


_TABLE = _table()


def crc32c_by_table(data: bytes) -> int:
    """The CRC-32C of some bytes as an unsigned 32-bit number, in plain Python."""
    crc = 0xFFFFFFFF
    table = _TABLE
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def _fastest() -> Callable[[bytes], int]:
    try:
        import google_crc32c
    except ImportError:
        return crc32c_by_table
    # The library's own pure-Python fallback is no faster than ours.
    if google_crc32c.implementation != "c":
        return crc32c_by_table
    value: Callable[[bytes], int] = google_crc32c.value
    return value


crc32c: Callable[[bytes], int] = _fastest()
