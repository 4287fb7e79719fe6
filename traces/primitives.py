"""Kafka's primitive values on the wire: how each is read from bytes and written to them.

A reader takes `(buffer, position, oddities)` and returns the value and the next position. It appends a sentence to
`oddities` where the bytes are legal but not those that Kafka itself would write, so that the caller can keep the
bytes: encoding the value again would not give them back. Short input raises IndexError or struct.error, bad values
CodecError; `codec` turns them all into one CodecError that names the record.
"""

from __future__ import annotations

import base64
import binascii
import struct
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

from .errors import CodecError

Reader: TypeAlias = Callable[[bytes, int, list[str]], tuple[Any, int]]
Writer: TypeAlias = Callable[[Any, bytearray], None]


def read_uvarint(buffer: bytes, position: int, oddities: list[str]) -> tuple[int, int]:
    """An unsigned 32-bit variable-length number: seven bits a byte, lowest first."""
    byte = buffer[position]
    if byte < 0x80:
        return byte, position + 1
    value = byte & 0x7F
    for index in range(1, 5):
        byte = buffer[position + index]
        value |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:
            if byte == 0:
                oddities.append("a number is written longer than needed")
            if value > 0xFFFFFFFF:
                raise CodecError("a variable-length number does not fit 32 bits", "bytes")
            return value, position + index + 1
    raise CodecError("a variable-length number is longer than five bytes", "bytes")


def write_uvarint(value: int, out: bytearray) -> None:
    """Append an unsigned variable-length number."""
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)


def read_varlong(buffer: bytes, position: int, oddities: list[str]) -> tuple[int, int]:
    """A signed variable-length number of at most 64 bits in zigzag form (records use it inside a batch)."""
    byte = buffer[position]
    if byte < 0x80:
        return (byte >> 1) ^ -(byte & 1), position + 1
    value = byte & 0x7F
    for index in range(1, 10):
        byte = buffer[position + index]
        value |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:
            if byte == 0:
                oddities.append("a number is written longer than needed")
            if value > 0xFFFFFFFFFFFFFFFF:
                raise CodecError("a variable-length number does not fit 64 bits", "bytes")
            return (value >> 1) ^ -(value & 1), position + index + 1
    raise CodecError("a variable-length number is longer than ten bytes", "bytes")


def write_varlong(value: int, out: bytearray) -> None:
    """Append a signed variable-length number in zigzag form."""
    write_uvarint(value << 1 if value >= 0 else (-value << 1) - 1, out)


@lru_cache(maxsize=1 << 16)
def uuid_text(raw: bytes) -> str:
    """The 22 characters of base64url that Kafka prints for 16 bytes of a UUID."""
    return base64.urlsafe_b64encode(raw)[:22].decode("ascii")


@lru_cache(maxsize=1 << 16)
def uuid_bytes(text: str) -> bytes:
    """The 16 bytes of a UUID that is printed as 22 characters of base64url; raises CodecError for anything else."""
    try:
        raw = base64.b64decode(text + "==", altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raw = b""
    if len(raw) != 16 or uuid_text(raw) != text:
        raise CodecError(f"{text!r} is no UUID of 22 base64url characters", "data")
    return raw


def _fixed(form: str) -> tuple[Reader, Writer]:
    layout = struct.Struct(form)
    size, unpack, pack = layout.size, layout.unpack_from, layout.pack

    def read(buffer: bytes, position: int, oddities: list[str]) -> tuple[Any, int]:
        return unpack(buffer, position)[0], position + size

    def write(value: Any, out: bytearray) -> None:
        if isinstance(value, bool) or not isinstance(value, int):
            raise CodecError(f"{value!r} is no whole number", "data")
        out += pack(value)

    return read, write


def _read_float(buffer: bytes, position: int, oddities: list[str]) -> tuple[float, int]:
    value: float = struct.unpack_from(">d", buffer, position)[0]
    if value != value and buffer[position : position + 8] != struct.pack(">d", value):
        oddities.append("a not-a-number with a payload")
    return value, position + 8


def _write_float(value: Any, out: bytearray) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise CodecError(f"{value!r} is no number", "data")
    out += struct.pack(">d", value)


def _read_boolean(buffer: bytes, position: int, oddities: list[str]) -> tuple[bool, int]:
    byte = buffer[position]
    if byte > 1:
        oddities.append("a boolean is written as neither 0 nor 1")
    return byte != 0, position + 1


def _write_boolean(value: Any, out: bytearray) -> None:
    if not isinstance(value, bool):
        raise CodecError(f"{value!r} is no boolean", "data")
    out.append(1 if value else 0)


def _read_uuid(buffer: bytes, position: int, oddities: list[str]) -> tuple[str, int]:
    raw = buffer[position : position + 16]
    if len(raw) < 16:
        raise IndexError
    return uuid_text(raw), position + 16


def _write_uuid(value: Any, out: bytearray) -> None:
    if not isinstance(value, str):
        raise CodecError(f"{value!r} is no UUID", "data")
    out += uuid_bytes(value)


def _read_bytes(buffer: bytes, position: int, oddities: list[str]) -> tuple[bytes | None, int]:
    length, position = read_uvarint(buffer, position, oddities)
    if length == 0:
        return None, position
    end = position + length - 1
    if end > len(buffer):
        raise IndexError
    return buffer[position:end], end


def _read_nullable_string(buffer: bytes, position: int, oddities: list[str]) -> tuple[str | None, int]:
    raw, position = _read_bytes(buffer, position, oddities)
    return (None if raw is None else raw.decode("utf-8")), position


def _read_string(buffer: bytes, position: int, oddities: list[str]) -> tuple[str, int]:
    raw, position = _read_bytes(buffer, position, oddities)
    if raw is None:
        raise CodecError("a string is null that may not be", "bytes")
    return raw.decode("utf-8"), position


def _read_binary(buffer: bytes, position: int, oddities: list[str]) -> tuple[str, int]:
    raw, position = _read_bytes(buffer, position, oddities)
    if raw is None:
        raise CodecError("a byte field is null that may not be", "bytes")
    return base64.b64encode(raw).decode("ascii"), position


def _write_string(value: Any, out: bytearray) -> None:
    if not isinstance(value, str):
        raise CodecError(f"{value!r} is no string", "data")
    try:
        raw = value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise CodecError(f"{value!r} is no text that UTF-8 can hold", "data") from error
    write_uvarint(len(raw) + 1, out)
    out += raw


def _write_nullable_string(value: Any, out: bytearray) -> None:
    if value is None:
        out.append(0)
    else:
        _write_string(value, out)


def _write_binary(value: Any, out: bytearray) -> None:
    if not isinstance(value, str):
        raise CodecError(f"{value!r} is no base64 text", "data")
    try:
        raw = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError) as error:
        raise CodecError(f"{value!r} is no base64 text", "data") from error
    write_uvarint(len(raw) + 1, out)
    out += raw


PRIMITIVES: Mapping[str, tuple[Reader, Writer]] = {
    "INT8": _fixed(">b"),
    "INT16": _fixed(">h"),
    "UINT16": _fixed(">H"),
    "INT32": _fixed(">i"),
    "INT64": _fixed(">q"),
    "FLOAT64": (_read_float, _write_float),
    "BOOLEAN": (_read_boolean, _write_boolean),
    "UUID": (_read_uuid, _write_uuid),
    "COMPACT_STRING": (_read_string, _write_string),
    "COMPACT_NULLABLE_STRING": (_read_nullable_string, _write_nullable_string),
    "COMPACT_BYTES": (_read_binary, _write_binary),
}
