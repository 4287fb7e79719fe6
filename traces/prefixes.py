"""Values of metadata records in two parts: the fixed-width fields in front, and the rest.

Most records of a large log begin with the entity that they are about, in fields of fixed width (partitionId and
topicId), and say the same of many entities: their bytes differ there alone. So the rest is decoded once, and a record
is made of its own prefix and a rest that was decoded before.
"""

from __future__ import annotations

import struct
from functools import cache
from typing import Any, NamedTuple

from .codec import Decoded, decode_rest, decode_value, schema_of_value
from .errors import CodecError
from .primitives import uuid_text
from .schema import Array, Primitive, Structure, fixed_prefix

FRAME_SIZE = 3
"""Bytes of the frame of a value, where its three numbers take one each: frame version, api key, record version."""

_FORMS = {"INT8": "b", "INT16": "h", "UINT16": "H", "INT32": "i", "INT64": "q", "UUID": "16s"}
_MOST_KEPT, _LONGEST_KEPT = 4096, 1024
"""How many rests are kept decoded for the next record that has one of them, and of how many bytes at most."""


class Prefix(NamedTuple):
    """How the records of one type and version begin: field names and the bytes (`width`) that they take together.

    `layout` has their numbers and the raw bytes of UUIDs, which are those of the fields `uuids`. `may_keep` says
    whether a decoded rest can be copied at no cost.
    """

    type: str
    api_key: int
    version: int
    names: tuple[str, ...]
    width: int
    layout: struct.Struct
    uuids: tuple[str, ...]
    may_keep: bool

    def decode(self, value: bytes, at: int) -> dict[str, Any]:
        """The fields of the prefix that begins at a byte; those and then the fields of the rest are a record's data."""
        found = dict(zip(self.names, self.layout.unpack_from(value, at), strict=True))
        for name in self.uuids:
            found[name] = uuid_text(found[name])
        return found

    def columns(self, prefixes: bytes) -> dict[str, list[Any]]:
        """The fields of prefixes that lie one behind the other: of each a list, in their order."""
        found = dict(zip(self.names, map(list, zip(*self.layout.iter_unpack(prefixes), strict=True)), strict=True))
        for name in self.uuids:
            # Few entities share most of what they name: each text is made once.
            texts = {raw: uuid_text(raw) for raw in set(found[name])}
            found[name] = [texts[raw] for raw in found[name]]
        return found


@cache
def prefix_of(api_key: int, version: int) -> Prefix | None:
    """How the records of an api key and version begin, None where that is unknown or has no fixed width."""
    try:
        schema, structure = schema_of_value(api_key, version)
    except CodecError:
        return None
    fields = fixed_prefix(structure)
    if not fields:
        return None
    names = tuple(field.name for field, _ in fields)
    forms = [field.shape.name for field, _ in fields if isinstance(field.shape, Primitive)]
    return Prefix(
        type=schema.type,
        api_key=api_key,
        version=version,
        names=names,
        width=sum(width for _, width in fields),
        layout=struct.Struct(">" + "".join(_FORMS[form] for form in forms)),
        uuids=tuple(name for name, form in zip(names, forms, strict=True) if form == "UUID"),
        may_keep=_is_flat(structure),
    )


def _is_flat(structure: Structure) -> bool:
    """Whether no value of a structure has parts but lists of values that have none: those are copied at no cost."""
    shapes = [field.shape for field in structure.fields] + [field.shape for _, field in structure.tagged]
    return all(
        isinstance(shape, Primitive) or (isinstance(shape, Array) and isinstance(shape.element, Primitive))
        for shape in shapes
    )


class _Kept(NamedTuple):
    data: dict[str, Any]
    lists: tuple[str, ...]
    canonical: bool


_kept: dict[tuple[int, int, bytes], _Kept] = {}


def decode_by_parts(value: bytes) -> Decoded:
    """Decode a metadata record as `decode_value` does, by a rest decoded before where there is one.

    The value's frame must take three bytes. The data shares nothing with that of another record. Raises CodecError.
    """
    api_key, version = value[1], value[2]
    prefix = prefix_of(api_key, version)
    if prefix is None or not prefix.may_keep:
        return decode_value(value)
    # Of a value that ends inside its prefix the rest is empty, which is no rest: each has its number of tagged fields.
    key = (api_key, version, value[FRAME_SIZE + prefix.width :])
    rest = _kept.get(key)
    if rest is None:
        try:
            rest = _keep(key, len(prefix.names))
        except CodecError:
            return decode_value(value)
    data = prefix.decode(value, FRAME_SIZE) | rest.data
    for name in rest.lists:
        data[name] = data[name][:]
    return Decoded(prefix.type, version, data, rest.canonical)


def _keep(key: tuple[int, int, bytes], fields: int) -> _Kept:
    found = decode_rest(*key[:2], fields, key[2])
    rest = _Kept(found.data, tuple(name for name, one in found.data.items() if isinstance(one, list)), found.canonical)
    if len(_kept) >= _MOST_KEPT:
        _kept.clear()
    if len(key[2]) <= _LONGEST_KEPT:
        _kept[key] = rest
    return rest
