"""The shapes of every metadata record and control record, read once from `schemas/record-schemas.json`.

The file was read out of the published classes of Kafka 4.4.0: api key (or control type), versions, fields in wire
order, tagged fields by tag, default values. A field here already bears the name that kafka-dump-log prints.
"""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Primitive:
    """A value without parts, by its name in the schema: INT8 ... FLOAT64, BOOLEAN, UUID, COMPACT_STRING, ..."""

    name: str


@dataclass(frozen=True, slots=True)
class Array:
    """A compact array of one kind of element; `nullable` says whether the whole array may be null."""

    element: Shape
    nullable: bool


@dataclass(frozen=True, slots=True)
class Field:
    """A named part of a structure, with the default value that lets a tagged field be left out."""

    name: str
    shape: Shape
    default: Any


@dataclass(frozen=True, slots=True)
class Structure:
    """Fields in wire order, tagged fields in ascending tag order, and the order in which a dump prints them all."""

    fields: tuple[Field, ...]
    tagged: tuple[tuple[int, Field], ...]
    printed: tuple[str, ...]


Shape: TypeAlias = Primitive | Array | Structure


@dataclass(frozen=True, slots=True)
class RecordSchema:
    """One record type with all its versions; `api_key` is the control type if `is_control`."""

    type: str
    api_key: int
    is_control: bool
    defaults: Mapping[str, Any]
    versions: Mapping[int, Structure]

    @property
    def latest_version(self) -> int:
        """The highest version that the schema file knows."""
        return max(self.versions)


_FIXED_WIDTHS: Mapping[str, int] = {"INT8": 1, "INT16": 2, "UINT16": 2, "INT32": 4, "INT64": 8, "UUID": 16}


def fixed_prefix(structure: Structure) -> tuple[tuple[Field, int], ...]:
    """The fields in front of a structure, in a dump too, that take the same bytes in every record, each with its bytes.

    BOOLEAN and FLOAT64 are none: bytes of theirs may differ and say the same, and are then kept with the record.
    """
    found = []
    for field, printed in zip(structure.fields, structure.printed, strict=False):
        width = _FIXED_WIDTHS.get(field.shape.name) if isinstance(field.shape, Primitive) else None
        if width is None or field.name != printed:
            break
        found.append((field, width))
    return tuple(found)


# kafka-dump-log names control records by their class, not by their control type.
_CONTROL_NAMES = {
    "CONTROL_LEADER_CHANGE": "LeaderChange",
    "CONTROL_SNAPSHOT_HEADER": "SnapshotHeader",
    "CONTROL_SNAPSHOT_FOOTER": "SnapshotFooter",
    "CONTROL_KRAFT_VERSION": "KRaftVersion",
    "CONTROL_KRAFT_VOTERS": "KRaftVoters",
}

_ZERO_OF_PRIMITIVE: Mapping[str, Any] = {
    "BOOLEAN": False,
    "FLOAT64": 0.0,
    "UUID": "A" * 22,
    "COMPACT_STRING": "",
    "COMPACT_NULLABLE_STRING": "",
    "COMPACT_BYTES": "",
}


def printed_name(snake_case: str) -> str:
    """The name that a dump prints for a field: camel case, where `kraft_x` becomes `kRaftX`."""
    head, *tail = snake_case.split("_")
    if head == "kraft":
        head = "kRaft"
    return head + "".join(word.capitalize() for word in tail)


@cache
def record_schemas() -> Mapping[str, RecordSchema]:
    """Every record type, by the name that a dump prints (`PARTITION_CHANGE_RECORD`, `LeaderChange`)."""
    text = pkgutil.get_data(__package__, "schemas/record-schemas.json") or b"{}"
    return {schema.type: schema for schema in (_schema(name, entry) for name, entry in json.loads(text).items())}


def _schema(name: str, entry: Mapping[str, Any]) -> RecordSchema:
    defaults: Mapping[str, Any] = entry["defaults"]
    return RecordSchema(
        type=_CONTROL_NAMES.get(name, name),
        api_key=entry["apiKey"],
        is_control=name in _CONTROL_NAMES,
        defaults=defaults,
        versions={int(version): _structure(parts, defaults) for version, parts in entry["versions"].items()},
    )


def _structure(parts: list[dict[str, Any]], defaults: Mapping[str, Any]) -> Structure:
    fields = tuple(_field(part, defaults) for part in parts if "tagged" not in part)
    tags: dict[str, Any] = next((part["tagged"] for part in parts if "tagged" in part), {})
    tagged = tuple((tag, _field(tags[str(tag)], defaults)) for tag in sorted(int(tag) for tag in tags))
    names = [field.name for field in fields] + [field.name for _, field in tagged]
    # A dump prints in the order of the message definition, where a tagged field may stand before an untagged one.
    position = {name: index for index, name in enumerate(defaults)}
    return Structure(fields, tagged, tuple(sorted(names, key=lambda name: position.get(name, len(position)))))


def _field(part: Mapping[str, Any], defaults: Mapping[str, Any]) -> Field:
    name = printed_name(part["name"])
    shape = _shape(part["type"])
    return Field(name, shape, defaults[name] if name in defaults else _zero(shape))


def _shape(description: Any) -> Shape:
    if isinstance(description, str):
        return Primitive(description)
    if "struct" in description:
        # Structures inside arrays have no defaults but zero values.
        return _structure(description["struct"], {})
    return Array(_shape(description["array"]), description["nullable"])


def _zero(shape: Shape) -> Any:
    if isinstance(shape, Array):
        return []
    if isinstance(shape, Structure):
        return {field.name: field.default for field in shape.fields}
    return _ZERO_OF_PRIMITIVE.get(shape.name, 0)
