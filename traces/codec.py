"""One codec for every metadata record and control record: the schema table compiled into readers and writers.

A metadata record's value is a frame (three variable-length numbers: frame version 1, api key, record version) and
the message in Kafka's flexible encoding: fields in wire order, then the tagged fields of each structure, ascending,
those that hold their default left out. A control record has a key of two 16-bit numbers (version, type) instead.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from .errors import CodecError
from .primitives import PRIMITIVES, Reader, Writer, read_uvarint, write_uvarint
from .schema import Array, Field, Primitive, RecordSchema, Shape, Structure, record_schemas

FRAME_VERSION = 1
_CONTROL_KEY = struct.Struct(">hh")


class Decoded(NamedTuple):
    """A decoded value; `canonical` is false where encoding it again would not give the same bytes."""

    type: str
    version: int
    data: dict[str, Any]
    canonical: bool


class UnknownTag(str):
    """The peculiarity of a value with a tagged field that its type does not have."""

    __slots__ = ("payload", "tag")

    tag: int
    payload: bytes

    def __new__(cls, tag: int, payload: bytes) -> UnknownTag:
        """Make the text, which names the tag."""
        self = super().__new__(cls, f"tag {tag} is unknown")
        self.tag, self.payload = tag, payload
        return self

    @property
    def size(self) -> int:
        """The bytes that it takes."""
        return len(self.payload)


class _Codec(NamedTuple):
    schema: RecordSchema
    version: int
    read: Reader
    write: Writer


def decode_value(value: bytes) -> Decoded:
    """Decode the value of one metadata record.

    `data` is the JSON object that kafka-dump-log prints: camel-case names, UUIDs as 22 base64url characters, tagged
    fields only where the bytes hold them. Raises CodecError, never anything else, for bytes that are no such record.
    """
    return _decoded(value, [])


def unknown_tags(value: bytes) -> tuple[UnknownTag, ...]:
    """The tagged fields in the value of a metadata record, in any structure of it, that no type known here has.

    Kafka reads over them and keeps their bytes. Raises CodecError as `decode_value` does.
    """
    oddities: list[str] = []
    _decoded(value, oddities)
    return tuple(one for one in oddities if isinstance(one, UnknownTag))


def frame_of(value: bytes) -> tuple[int, int] | None:
    """The api key and the version that a value's frame gives; None where it has no frame of a metadata record."""
    found = _framed(value)
    return None if found is None else found[:2]


def blanked(value: bytes) -> bytes | None:
    """The value of a record whose type, or its version, is not known here, with zeros behind its frame; else None."""
    found = _framed(value)
    if found is None or type_of_value(*found[:2]):
        return None
    return value[: found[2]] + bytes(len(value) - found[2])


def _framed(value: bytes) -> tuple[int, int, int] | None:
    """The api key and the version of a value's frame, and where it ends."""
    try:
        frame_version, position = read_uvarint(value, 0, [])
        api_key, position = read_uvarint(value, position, [])
        version, position = read_uvarint(value, position, [])
    except (IndexError, CodecError):
        return None
    return (api_key, version, position) if frame_version == FRAME_VERSION else None


def _decoded(value: bytes, oddities: list[str]) -> Decoded:
    try:
        frame_version, position = read_uvarint(value, 0, oddities)
        if frame_version != FRAME_VERSION:
            raise CodecError(
                f"frame version {frame_version} is unknown (metadata records have {FRAME_VERSION}): "
                "this is no metadata record, or one of a Kafka newer than this reader",
                "frame",
            )
        api_key, position = read_uvarint(value, position, oddities)
        version, position = read_uvarint(value, position, oddities)
    except IndexError:
        raise CodecError("the value ends inside its frame: this is no metadata record", "frame") from None
    return _decode(_metadata_codec(api_key, version), value, position, oddities)


def schema_of_value(api_key: int, version: int) -> tuple[RecordSchema, Structure]:
    """The schema of the metadata records of an api key, and the structure of one version; raises CodecError."""
    schema = _metadata_codec(api_key, version).schema
    return schema, schema.versions[version]


def type_of_value(api_key: int, version: int) -> str:
    """The type of the metadata records of an api key, empty where that or the version is unknown."""
    try:
        return schema_of_value(api_key, version)[0].type
    except CodecError:
        return ""


def decode_rest(api_key: int, version: int, fields: int, rest: bytes) -> Decoded:
    """Decode the rest of a metadata record's value, after its first so many fields.

    `data` and `canonical` are those of that part. Raises CodecError as `decode_value` does for the whole.
    """
    return _decode(_rest_codec(api_key, version, fields), rest, 0, [])


class OwnCodec:
    """Reads and writes one version of a record type that no release has, as a fork declares it."""

    def __init__(self, type: str, api_key: int, version: int, structure: Structure) -> None:
        schema = RecordSchema(type, api_key, False, {}, {version: structure})
        self._codec = _Codec(schema, version, _structure_reader(structure), _structure_writer(structure))

    def decode(self, value: bytes) -> Decoded:
        """Decode a value, frame included; raises CodecError."""
        found = _framed(value)
        if found is None:
            raise CodecError("the value has no frame of a metadata record", "frame")
        return _decode(self._codec, value, found[2], [])

    def encode(self, data: Mapping[str, Any]) -> bytes:
        """Return the bytes of a record, frame included; raises CodecError."""
        out = bytearray()
        for one in (FRAME_VERSION, self._codec.schema.api_key, self._codec.version):
            write_uvarint(one, out)
        return _encode(self._codec, data, out)


def decode_control(key: bytes, value: bytes) -> Decoded:
    """Decode one control record from its key (version, control type) and value; raises CodecError."""
    if len(key) < _CONTROL_KEY.size:
        raise CodecError("the key of a control record is shorter than four bytes", "frame")
    key_version, control_type = _CONTROL_KEY.unpack_from(key)
    if len(value) < 2:
        raise CodecError("the value of a control record is shorter than its version", "bytes")
    # The message carries its own version as its first field, and nowhere else.
    version = int.from_bytes(value[:2], "big", signed=True)
    decoded = _decode(_control_codec(control_type, version), value, 0, [])
    canonical = decoded.canonical and key_version == 0 and len(key) == _CONTROL_KEY.size
    return decoded._replace(canonical=canonical)


def encode_value(
    record_type: str, version: int, data: Mapping[str, Any], unread: Sequence[tuple[int, bytes]] = ()
) -> bytes:
    """The bytes of one metadata record, frame included; raises CodecError where the data does not fit the schema.

    `unread` are tagged fields that the record's type does not have, each with its bytes, to be written beside its own.
    """
    codec = _codec_of(record_type, version, is_control=False)
    if unread:
        codec = codec._replace(write=_structure_writer(codec.schema.versions[version], dict(unread)))
    out = bytearray()
    write_uvarint(FRAME_VERSION, out)
    write_uvarint(codec.schema.api_key, out)
    write_uvarint(version, out)
    return _encode(codec, data, out)


def encode_control(record_type: str, data: Mapping[str, Any]) -> tuple[bytes, bytes]:
    """Key and value of one control record; its version is the field `version` of the data. Raises CodecError."""
    version = data.get("version")
    if not isinstance(version, int):
        raise CodecError(f"{record_type}: the field 'version' is missing; it says which version to write", "data")
    codec = _codec_of(record_type, version, is_control=True)
    return _CONTROL_KEY.pack(0, codec.schema.api_key), _encode(codec, data, bytearray())


def _decode(codec: _Codec, value: bytes, position: int, oddities: list[str]) -> Decoded:
    name = codec.schema.type
    try:
        data, position = codec.read(value, position, oddities)
    except (IndexError, struct.error):
        raise CodecError(f"{name} version {codec.version}: the value ends before the record does", "bytes") from None
    except UnicodeDecodeError as error:
        raise CodecError(f"{name} version {codec.version}: a string is not UTF-8 ({error.reason})", "bytes") from error
    except CodecError as error:
        raise CodecError(f"{name} version {codec.version}: {error}", error.kind) from error
    if position != len(value):
        raise CodecError(
            f"{name} version {codec.version}: {len(value) - position} bytes are left over after the record", "trailing"
        )
    return Decoded(name, codec.version, data, not oddities)


def _encode(codec: _Codec, data: Mapping[str, Any], out: bytearray) -> bytes:
    try:
        codec.write(data, out)
    except CodecError as error:
        raise CodecError(f"{codec.schema.type} version {codec.version}: {error}", error.kind) from error
    return bytes(out)


@cache
def _schema_by_key(is_control: bool) -> Mapping[int, RecordSchema]:
    return {schema.api_key: schema for schema in record_schemas().values() if schema.is_control == is_control}


@cache
def _metadata_codec(api_key: int, version: int) -> _Codec:
    schema = _schema_by_key(False).get(api_key)
    if schema is None:
        raise CodecError(f"api key {api_key} is no metadata record known here: it may be one of a newer Kafka", "type")
    return _codec_of(schema.type, version, is_control=False)


@cache
def _rest_codec(api_key: int, version: int, fields: int) -> _Codec:
    schema, structure = schema_of_value(api_key, version)
    behind = Structure(structure.fields[fields:], structure.tagged, structure.printed)
    return _Codec(schema, version, _structure_reader(behind), _structure_writer(behind))


@cache
def _control_codec(control_type: int, version: int) -> _Codec:
    schema = _schema_by_key(True).get(control_type)
    if schema is None:
        raise CodecError(f"control type {control_type} is none that a controller writes to its metadata log", "type")
    return _codec_of(schema.type, version, is_control=True)


@cache
def _codec_of(record_type: str, version: int, *, is_control: bool) -> _Codec:
    schema = record_schemas().get(record_type)
    if schema is None or schema.is_control != is_control:
        kind = "control record" if is_control else "metadata record"
        raise CodecError(f"{record_type!r} is no {kind} type", "type")
    structure = schema.versions.get(version)
    if structure is None:
        known = f"{min(schema.versions)} to {schema.latest_version}" if len(schema.versions) > 1 else "0"
        raise CodecError(f"{record_type} has no version {version} (known: {known})", "version")
    return _Codec(schema, version, _structure_reader(structure), _structure_writer(structure))


def _reader(shape: Shape) -> Reader:
    if isinstance(shape, Structure):
        return _structure_reader(shape)
    if isinstance(shape, Array):
        return _array_reader(shape)
    return PRIMITIVES[shape.name][0]


def _writer(shape: Shape) -> Writer:
    if isinstance(shape, Structure):
        return _structure_writer(shape)
    if isinstance(shape, Array):
        return _array_writer(shape)
    return PRIMITIVES[shape.name][1]


def _int32_array_reader(nullable: bool) -> Reader:
    """A reader of replica lists, which make up most of a log: all elements at once."""

    def read(buffer: bytes, position: int, oddities: list[str]) -> tuple[list[int] | None, int]:
        length, position = read_uvarint(buffer, position, oddities)
        if length == 0:
            if not nullable:
                raise CodecError("an array is null that may not be", "bytes")
            return None, position
        end = position + 4 * (length - 1)
        if end > len(buffer):
            raise IndexError
        return list(struct.unpack_from(f">{length - 1}i", buffer, position)), end

    return read


def _array_reader(shape: Array) -> Reader:
    if shape.element == Primitive("INT32"):
        return _int32_array_reader(shape.nullable)
    read_element = _reader(shape.element)
    nullable = shape.nullable

    def read(buffer: bytes, position: int, oddities: list[str]) -> tuple[list[Any] | None, int]:
        length, position = read_uvarint(buffer, position, oddities)
        if length == 0:
            if not nullable:
                raise CodecError("an array is null that may not be", "bytes")
            return None, position
        # Every element takes a byte at least: a length beyond that is damage, and must not become a huge list.
        if length - 1 > len(buffer) - position:
            raise IndexError
        elements = []
        for _ in range(length - 1):
            element, position = read_element(buffer, position, oddities)
            elements.append(element)
        return elements, position

    return read


def _array_writer(shape: Array) -> Writer:
    write_element = _writer(shape.element)
    nullable = shape.nullable

    def write(value: Any, out: bytearray) -> None:
        if value is None:
            if not nullable:
                raise CodecError("null in place of a list", "data")
            out.append(0)
            return
        if not isinstance(value, (list, tuple)):
            raise CodecError(f"{value!r} is no list", "data")
        write_uvarint(len(value) + 1, out)
        for element in value:
            write_element(element, out)

    return write


def _structure_reader(structure: Structure) -> Reader:
    readers = tuple((field.name, _reader(field.shape)) for field in structure.fields)
    tagged = {tag: (field.name, _reader(field.shape), field.default) for tag, field in structure.tagged}
    printed = structure.printed

    def read(buffer: bytes, position: int, oddities: list[str]) -> tuple[dict[str, Any], int]:
        data: dict[str, Any] = {}
        for name, read_field in readers:
            data[name], position = read_field(buffer, position, oddities)
        count, position = read_uvarint(buffer, position, oddities)
        if count == 0:
            return data, position
        position = _read_tagged(tagged, count, data, buffer, position, oddities)
        return {name: data[name] for name in printed if name in data}, position

    return read


def _read_tagged(
    tagged: Mapping[int, tuple[str, Reader, Any]],
    count: int,
    data: dict[str, Any],
    buffer: bytes,
    position: int,
    oddities: list[str],
) -> int:
    previous = -1
    for _ in range(count):
        tag, position = read_uvarint(buffer, position, oddities)
        size, position = read_uvarint(buffer, position, oddities)
        end = position + size
        if end > len(buffer):
            raise IndexError
        if tag <= previous:
            raise CodecError(f"tag {tag} follows tag {previous}: tags ascend", "bytes")
        previous = tag
        known = tagged.get(tag)
        if known is None:
            # Kafka keeps the bytes of tags that it does not know and does not print them.
            oddities.append(UnknownTag(tag, buffer[position:end]))
            position = end
            continue
        name, read_field, default = known
        data[name], position = read_field(buffer, position, oddities)
        if position != end:
            raise CodecError(f"tagged field {name} takes another number of bytes than its size of {size} says", "bytes")
        if data[name] == default:
            oddities.append(f"tagged field {name} is written out though it holds its default")
    return position


def _structure_writer(structure: Structure, unread: Mapping[int, bytes] = MappingProxyType({})) -> Writer:
    writers = tuple((field.name, _writer(field.shape)) for field in structure.fields)
    tagged = tuple((tag, field, _writer(field.shape)) for tag, field in structure.tagged)
    names = frozenset(structure.printed)

    def write(value: Any, out: bytearray) -> None:
        if not isinstance(value, Mapping):
            raise CodecError(f"{value!r} is no object of named fields", "data")
        unknown = value.keys() - names
        if unknown:
            raise CodecError(f"there is no field {min(unknown)!r} in this version", "data")
        for name, write_field in writers:
            if name not in value:
                raise CodecError(f"the field {name!r} is missing", "data")
            _write_field(name, write_field, value[name], out)
        present = [
            (tag, field, write_field)
            for tag, field, write_field in tagged
            if value.get(field.name, field.default) != field.default
        ]
        write_uvarint(len(present) + len(unread), out)
        if not unread:
            for tag, field, write_field in present:
                _write_tagged(tag, field, write_field, value[field.name], out)
            return
        own = {tag: (field, write_field) for tag, field, write_field in present}
        for tag in sorted([*own, *unread]):
            if tag in own:
                _write_tagged(tag, *own[tag], value[own[tag][0].name], out)
            else:
                write_uvarint(tag, out)
                write_uvarint(len(unread[tag]), out)
                out += unread[tag]

    return write


def _write_tagged(tag: int, field: Field, write_field: Writer, value: Any, out: bytearray) -> None:
    body = bytearray()
    _write_field(field.name, write_field, value, body)
    write_uvarint(tag, out)
    write_uvarint(len(body), out)
    out += body


def _write_field(name: str, write_field: Callable[[Any, bytearray], None], value: Any, out: bytearray) -> None:
    try:
        write_field(value, out)
    except struct.error as error:
        raise CodecError(f"the field {name!r} cannot hold {value!r} ({error})", "data") from error
    except CodecError as error:
        raise CodecError(f"in the field {name!r}: {error}", error.kind) from error
