"""The types of a declared fork's fields, as its file writes them: `streamId i64`, `tags [key str, value str] 1+`.

A field is a name, a type, the versions that have it where these are not all, and `tag N` where it is a tagged one.
A type is i8, i16, u16, i32, i64, f64, bool, uuid, str, bytes, json (a string that holds JSON), json-bytes (bytes that
may hold JSON), a list of elements in brackets, or `packed(...)`: bytes with numbers side by side, big-endian, where
`name [...]` is a list behind its length in four bytes, and `name *[...]` one that goes on to the end. str, bytes and
lists are nullable with `?` behind them.
"""

from __future__ import annotations

import base64
import json
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fencepost.traces import primitives
from fencepost.traces.schema import Array, Field, Primitive, Shape, Structure

PRIMITIVES: Mapping[str, str] = {
    "i8": "INT8",
    "i16": "INT16",
    "u16": "UINT16",
    "i32": "INT32",
    "i64": "INT64",
    "f64": "FLOAT64",
    "bool": "BOOLEAN",
    "uuid": "UUID",
    "str": "COMPACT_STRING",
    "str?": "COMPACT_NULLABLE_STRING",
    "bytes": "COMPACT_BYTES",
    "json": "COMPACT_STRING",
    "json-bytes": "COMPACT_BYTES",
}
_PACKED: Mapping[str, str] = {"i8": ">b", "i16": ">h", "u16": ">H", "i32": ">i", "i64": ">q", "f64": ">d", "bool": ">?"}
_TOKEN = re.compile(r"\s*([A-Za-z_][\w-]*\??|\d+(?:-\d+|\+)?|\*\[|[\[\](),]\??)")
_DEFAULTS: Mapping[str, Any] = {
    "BOOLEAN": False, "FLOAT64": 0.0, "UUID": "A" * 22, "COMPACT_STRING": "", "COMPACT_NULLABLE_STRING": None,
    "COMPACT_BYTES": "",
}  # fmt: skip


class WrongType(ValueError):
    """A field is not written as a field is; the text says why."""


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions from `first` to `last`; all later ones, too, where `last` is None."""

    first: int = 0
    last: int | None = None

    def __contains__(self, version: object) -> bool:
        return isinstance(version, int) and self.first <= version and (self.last is None or version <= self.last)

    def __str__(self) -> str:
        if self.last == self.first:
            return str(self.first)
        return f"{self.first}+" if self.last is None else f"{self.first}-{self.last}"

    @classmethod
    def read(cls, text: str) -> Versions:
        """Read `1`, `0-1` or `1+`."""
        found = re.fullmatch(r"(\d+)(?:(\+)|-(\d+))?", text.strip())
        if found is None:
            raise WrongType(f"{text!r} is no range of versions, as 1, 0-1 or 1+ is")
        first = int(found[1])
        last = None if found[2] else int(found[3] or first)
        if last is not None and last < first:
            raise WrongType(f"the versions {text} end before they begin")
        return cls(first, last)


ALL = Versions()


@dataclass(frozen=True, slots=True)
class Listed:
    """A list: of structures where `fields` are given, else of values of the type `element`."""

    fields: tuple[OwnField, ...]
    element: str = ""
    nullable: bool = False


@dataclass(frozen=True, slots=True)
class Packed:
    """Bytes with numbers side by side; a list among them (`is_rest`: to the end) ends what a reader knows of sizes."""

    fields: tuple[tuple[str, str | Packed, bool], ...]

    def read(self, data: bytes) -> Any:
        """Return what bytes say; raises ValueError where they are no such ones."""
        found, at = self._read(data, 0)
        if at != len(data):
            raise ValueError
        return found

    def _read(self, data: bytes, at: int) -> tuple[Any, int]:
        found: dict[str, Any] = {}
        for name, kind, is_rest in self.fields:
            if isinstance(kind, Packed):
                left = -1
                if not is_rest:
                    (left,), at = _unpacked(">i", data, at)
                some = []
                while left != 0 and (not is_rest or at < len(data)):
                    one, behind = kind._read(data, at)
                    if behind == at or left < -1:
                        raise ValueError
                    some.append(one)
                    left, at = left - (not is_rest), behind
                found[name] = some
            else:
                (found[name],), at = _unpacked(_PACKED[kind], data, at)
        return found, at


@dataclass(frozen=True, slots=True)
class OwnField:
    """A field as it is declared; `tag` is None for one that is not tagged."""

    name: str
    type: str | Listed | Packed
    versions: Versions = ALL
    tag: int | None = None


def fields_of(text: str) -> tuple[OwnField, ...]:
    """Read fields that are separated by commas; raises WrongType."""
    reader = _Reader(text)
    try:
        return reader.fields(None)
    except RecursionError:
        raise WrongType(f"{text[:40]!r} has too many lists within lists") from None


def payload_of(text: str) -> str | Packed:
    """Read the type of a tag's payload: a primitive or packed(...)."""
    reader = _Reader(text)
    try:
        kind = reader.type()
    except RecursionError:
        raise WrongType(f"{text[:40]!r} has too many lists within lists") from None
    reader.end()
    if isinstance(kind, Listed):
        raise WrongType(f"{text!r}: the payload of a tag is a primitive or packed(...)")
    return kind


class _Reader:
    """Reads the tokens of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(self._tokens())
        self.at = 0

    def _tokens(self) -> Iterator[str]:
        at = 0
        while at < len(self.text.rstrip()):
            found = _TOKEN.match(self.text, at)
            if found is None:
                raise WrongType(f"{self.text!r}: {self.text[at:].strip()[:12]!r} is not understood")
            yield found[1]
            at = found.end()

    @property
    def next(self) -> str:
        """The token at hand, empty at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, *expected: str) -> str:
        """Return the token at hand and go on; one of some, where these are given."""
        found = self.next
        if expected and found not in expected:
            raise WrongType(f"{self.text!r}: {found or 'the end'!r} where {' or '.join(map(repr, expected))} is due")
        self.at += 1
        return found

    def end(self) -> None:
        """Refuse what is left over."""
        if self.next:
            raise WrongType(f"{self.text!r}: {self.next!r} is left over behind the type")

    def fields(self, close: str | None) -> tuple[OwnField, ...]:
        """Read fields up to a bracket, or to the end."""
        found = [self._field()]
        while self.next == ",":
            self.take()
            found.append(self._field())
        if close is None:
            self.end()
        names = [one.name for one in found]
        again = next((one for one in names if names.count(one) > 1), None)
        if again is not None:
            raise WrongType(f"{self.text!r}: the field {again} is there twice")
        tags = [one.tag for one in found if one.tag is not None]
        if len(set(tags)) < len(tags):
            raise WrongType(f"{self.text!r}: two fields have one tag")
        return tuple(found)

    def _field(self) -> OwnField:
        name = self.take()
        if not re.fullmatch(r"[A-Za-z_]\w*", name):
            raise WrongType(f"{self.text!r}: {name or 'the end'!r} where the name of a field is due")
        kind = self.type()
        versions = ALL
        if self.next[:1].isdigit():
            versions = Versions.read(self.take())
        tag = None
        if self.next == "tag":
            self.take()
            if not self.next.isdecimal():
                raise WrongType(f"{self.text!r}: a number is due behind tag")
            tag = int(self.take())
        return OwnField(name, kind, versions, tag)

    def type(self) -> str | Listed | Packed:
        """Read a type."""
        if self.next == "[":
            self.take()
            is_fields = self.at + 1 < len(self.tokens) and self.tokens[self.at + 1] not in ("]", "]?")
            inner = self.fields("]") if is_fields else ()
            element = "" if is_fields else self._primitive()
            return Listed(inner, element, self.take("]", "]?") == "]?")
        if self.next == "packed":
            self.take()
            self.take("(")
            found = self._packed(")")
            self.take(")")
            return found
        return self._primitive()

    def _primitive(self) -> str:
        name = self.take()
        if name not in PRIMITIVES:
            raise WrongType(f"{self.text!r}: {name or 'the end'!r} is no type; use one of {', '.join(PRIMITIVES)}")
        return name

    def _packed(self, close: str) -> Packed:
        found: list[tuple[str, str | Packed, bool]] = []
        while True:
            name = self.take()
            if not re.fullmatch(r"[A-Za-z_]\w*", name):
                raise WrongType(f"{self.text!r}: {name or 'the end'!r} where a name is due")
            if self.next in ("[", "*["):
                is_rest = self.take() == "*["
                found.append((name, self._packed("]"), is_rest))
                self.take("]")
                if is_rest and self.next != close:
                    raise WrongType(f"{self.text!r}: behind a list that goes on to the end nothing follows")
            else:
                kind = self.take()
                if kind not in _PACKED:
                    known = ", ".join(_PACKED)
                    raise WrongType(f"{self.text!r}: {kind or 'the end'!r} is nothing that is packed; use {known}")
                found.append((name, kind, False))
            if self.next != ",":
                return Packed(tuple(found))
            self.take()


def structure(fields: Sequence[OwnField], version: int) -> Structure:
    """Return the shape of one version of a record, or of the elements of a list."""
    there = [one for one in fields if version in one.versions]
    made = {one.name: Field(one.name, shape := _shape(one.type, version), _default(shape)) for one in there}
    tagged = sorted((one.tag, made[one.name]) for one in there if one.tag is not None)
    plain = tuple(made[one.name] for one in there if one.tag is None)
    return Structure(plain, tuple(tagged), tuple(one.name for one in there))


def _shape(kind: str | Listed | Packed, version: int) -> Shape:
    if isinstance(kind, Packed):
        return Primitive("COMPACT_BYTES")
    if isinstance(kind, str):
        return Primitive(PRIMITIVES[kind])
    inner = structure(kind.fields, version) if kind.fields else Primitive(PRIMITIVES[kind.element])
    return Array(inner, kind.nullable)


def _default(shape: Shape) -> Any:
    if isinstance(shape, Array):
        return None if shape.nullable else []
    assert isinstance(shape, Primitive)
    return _DEFAULTS.get(shape.name, 0)


# -- what values say ---------------------------------------------------------------------------------------------------
def shown(kind: str | Listed | Packed, value: Any) -> Any:
    """Return a value of a type as it is shown: JSON and packed numbers read, where they are such."""
    if value is None:
        return None
    if isinstance(kind, Listed):
        return (
            [shown_fields(kind.fields, one) for one in value]
            if kind.fields
            else [shown(kind.element, one) for one in value]
        )
    if isinstance(kind, Packed):
        try:
            return kind.read(base64.b64decode(value))
        except (ValueError, struct.error):
            return value
    if kind in ("json", "json-bytes"):
        found = _json(kind, value)
        return value if found is None else found
    return value


def shown_fields(fields: Sequence[OwnField], data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a record as they are shown."""
    types = {one.name: one.type for one in fields}
    return {name: shown(types[name], value) if name in types else value for name, value in data.items()}


def blanked(kind: str | Listed | Packed, value: Any, kept: frozenset[str]) -> Any:
    """Return a value with its strings and bytes made blank: letters x, bytes 0; those that are `kept` stay."""
    if value is None:
        return None
    if isinstance(kind, Listed):
        if kind.fields:
            return [blanked_fields(kind.fields, one, kept) for one in value]
        return [blanked(kind.element, one, kept) for one in value]
    # Of packed bytes that are none nothing is known.
    if isinstance(kind, Packed):
        return _zeros(value) if isinstance(shown(kind, value), str) else value
    if kind in ("json", "json-bytes"):
        found = _json(kind, value)
        if found is not None:
            text = json.dumps(_blank_json(found, kept), separators=(",", ":"), ensure_ascii=False)
            return text if kind == "json" else base64.b64encode(text.encode()).decode()
    if kind in ("str", "str?", "json"):
        return value if value in kept else "x" * len(value.encode())
    return _zeros(value) if kind in ("bytes", "json-bytes") else value


def blanked_fields(fields: Sequence[OwnField], data: Mapping[str, Any], kept: frozenset[str]) -> dict[str, Any]:
    """Return the fields of a record with their strings and bytes made blank."""
    types = {one.name: one.type for one in fields}
    return {name: blanked(types[name], value, kept) for name, value in data.items()}


def _json(kind: str, value: str) -> Any:
    """The object or list that a string or bytes hold; None for anything else."""
    try:
        found = json.loads(value if kind == "json" else base64.b64decode(value).decode())
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, (dict, list)) else None


def _blank_json(value: Any, kept: frozenset[str]) -> Any:
    if isinstance(value, dict):
        # A key of an object may be a name, too, but one letter is none.
        return {
            key if len(key) == 1 or key in kept else "x" * len(key): _blank_json(one, kept)
            for key, one in value.items()
        }
    if isinstance(value, list):
        return [_blank_json(one, kept) for one in value]
    return value if not isinstance(value, str) or value in kept else "x" * len(value)


def _zeros(value: str) -> str:
    return base64.b64encode(bytes(len(base64.b64decode(value)))).decode()


def _unpacked(form: str, data: bytes, at: int) -> tuple[tuple[Any, ...], int]:
    return struct.unpack_from(form, data, at), at + struct.calcsize(form)


def unpacked(kind: str | Packed, payload: bytes) -> Any:
    """Return what the payload of a tag says; None where its bytes are none of the type."""
    try:
        if isinstance(kind, Packed):
            return kind.read(payload)
        found, at = primitives.PRIMITIVES[PRIMITIVES[kind]][0](payload, 0, [])
    except (ValueError, IndexError, struct.error):
        return None
    return found if at == len(payload) else None


def blanked_payload(kind: str | Packed, payload: bytes, kept: frozenset[str]) -> bytes:
    """Return the payload of a tag with its strings and bytes made blank; zeros where its bytes are none of the type."""
    value = unpacked(kind, payload)
    if value is None:
        return bytes(len(payload))
    if isinstance(kind, Packed):
        return payload
    out = bytearray()
    primitives.PRIMITIVES[PRIMITIVES[kind]][1](blanked(kind, value, kept), out)
    return bytes(out)
