"""The tables' records bound to the records of a log: which is which, the values of its fields, and their wire form."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from fencepost.checkers.conformance.classes.classed import sorts_of
from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.model.language import Field, Protocol, Record, TableError, Var, Wire
from fencepost.model.language.errors import Finding
from fencepost.model.language.kinds import (
    BoolKind,
    EntityKind,
    EnumKind,
    IntKind,
    Kind,
    ListKind,
    MapKind,
    OptionKind,
    SetKind,
    ThresholdKind,
)
from fencepost.model.language.records import OwnRecord, Tag
from fencepost.traces import RECORD_TYPES, default_of, fields_of, versions_of
from fencepost.traces import Record as WireRecord

from .old_forms import as_now


class NotDecodable(ValueError):
    """A value on the wire that is none of its field's kind."""


@dataclass(frozen=True, slots=True, eq=False)
class BoundRecord:
    """A record of a log as the tables see it: the model record, and the values of the fields that it says, by their
    names.

    `problems` are sentences about values that are none of their field's kind; such a field has the value `UNKNOWN`.
    """

    record: Record
    wire: WireRecord
    values: Mapping[str, Any]
    problems: tuple[str, ...] = ()

    @property
    def entities(self) -> tuple[Any, ...]:
        """The entities that the record is about."""
        return tuple([self.values.get(name) for _, name in _about(self.record)])

    @property
    def named(self) -> list[tuple[str, Any]]:
        """The entities that the record is about, each with the name of its sort."""
        return [(sort, self.values.get(name)) for sort, name in _about(self.record)]


_abouts: dict[Record, tuple[tuple[str, str], ...]] = {}


def _about(record: Record) -> tuple[tuple[str, str], ...]:
    """Return the fields for what a record is about, each with the name of its sort."""
    found = _abouts.get(record)
    if found is None:
        found = _abouts[record] = tuple((str(field.kind), field.name) for field in record.about)
    return found


class WireBinding:
    """The records of one or more protocols, by their type on the wire.

    Raises `TableError` with every finding where a record or a field is none, or a wire field is neither bound nor
    ignored.
    """

    def __init__(self, records: Iterable[Record]) -> None:
        self.by_type: dict[str, tuple[Record, ...]] = {}
        found: list[Finding] = []
        for record in records:
            found += _findings(record)
            # The record with the most constants and tags is the most particular one: it is tried first.
            kept = (*self.by_type.get(record.type, ()), record)
            self.by_type[record.type] = tuple(sorted(kept, key=lambda r: -len(r.only) - len(r.marks)))
        if found:
            raise TableError(*found)
        self._marks = {one: one.marks for records in self.by_type.values() for one in records if one.marks}
        self._defaults = {
            (type_, name): default_of(type_, name)
            for type_, records in self.by_type.items()
            if not isinstance(records[0], OwnRecord)
            for name in _all_fields(type_)
        }
        self._readers = {
            record: tuple(self._reader(type_, field) for field in (*record.about, *record.fields))
            for type_, records in self.by_type.items()
            for record in records
        }

    @property
    def reads_tags(self) -> bool:
        """Whether a record is recognised by a tag that a fork declares."""
        return bool(self._marks)

    @staticmethod
    def of(protocol: Protocol) -> WireBinding:
        """Return the binding of a protocol's records."""
        return WireBinding(protocol.records)

    def bind(self, wire: WireRecord) -> BoundRecord | None:
        """Return the record as the tables see it, None where they have no record of this type."""
        record = self.record_of(wire)
        if record is None:
            now = as_now(wire)
            found = None if now is None or now.type not in self.by_type else self.bind(now)
            return None if found is None else replace(found, wire=wire)
        said: dict[str, Any] = {}
        problems: list[str] = []
        data = wire.data
        for name, unless, read in self._readers[record]:
            if unless is not None and unless not in data:
                continue
            try:
                value = read(data)
            except NotDecodable as error:
                problems.append(f"{name}: {error}")
                value = UNKNOWN
            if value is not _UNSAID:
                said[name] = value
        return BoundRecord(record, wire, said, tuple(problems))

    def record_of(self, wire: WireRecord) -> Record | None:
        """Return the model record that a wire record is, the most particular one that fits."""
        for record in self.by_type.get(wire.type, ()):
            for name, constant in record.only.items():
                if self._raw(wire, name) != constant:
                    break
            else:
                if record not in self._marks or all(name in wire.data for name in self._marks[record]):
                    return record
        return None

    def _raw(self, wire: WireRecord, name: str) -> Any:
        return wire.data[name] if name in wire.data else self._defaults.get((wire.type, name))

    def _reader(self, type_: str, field: Field[Any]) -> tuple[str, str | None, _Read]:
        """Return the name of a field, the name on the wire without which it says nothing, if any, and its reader."""
        wire = field.wire
        absent = None if wire.absent is None else _left_out(wire)
        defaults = tuple(self._defaults.get((type_, name)) for name in wire.names)
        if len(wire.names) == 1:
            read = _reader_of_one(wire.names[0], defaults[0], field.optional, absent, decoder(field.kind, wire))
            says_nothing = field.optional and (defaults[0] is None or (absent is not None and defaults[0] == absent))
            return field.name, wire.names[0] if says_nothing else None, read
        return field.name, None, _reader_of_several(wire.names, defaults, field.optional, absent)


_UNSAID = object()


Decoder: TypeAlias = Callable[[Any], Any]
"""Takes a value of the wire, and returns that of a kind; raises `NotDecodable` where there is none."""

_Read: TypeAlias = Callable[[Mapping[str, Any]], Any]
"""Takes a record's data, and returns a field's value, `_UNSAID` where it says nothing; raises `NotDecodable`."""


def _reader_of_one(name: str, default: Any, optional: bool, absent: Any, decode: Decoder) -> _Read:
    """Return the reader of a field that has one name on the wire.

    With `optional` the field says nothing where the wire has null, or `absent` where that is not None.
    """
    if not optional:
        return lambda data: decode(data.get(name, default))

    def read(data: Mapping[str, Any]) -> Any:
        given = data.get(name, default)
        return _UNSAID if given is None or (absent is not None and given == absent) else decode(given)

    return read


def _reader_of_several(names: Sequence[str], defaults: Sequence[Any], optional: bool, absent: Any) -> _Read:
    """Return the reader of a field of which each part has a name on the wire; `optional` as in `_reader_of_one`."""

    def read(data: Mapping[str, Any]) -> Any:
        given = tuple(map(data.get, names, defaults))
        if optional and absent is not None and given == absent:
            return _UNSAID
        if None in given:
            raise NotDecodable(f"{', '.join(names)} must all be there")
        return tuple(map(id_part, given))

    return read


def decoder(kind: Kind[Any], wire: Wire) -> Decoder:
    """Return the decoder of a kind's values that are under one name of the wire."""
    if isinstance(kind, OptionKind):
        of, none = _decoder_of_one(kind.of, wire), wire.none
        return lambda value: None if value is None or value == none else of(value)
    one = _decoder_of_one(kind, wire)
    if isinstance(kind, (SetKind, ListKind)):
        return lambda value: _collection(kind, ()) if value is None else one(value)

    def there(value: Any) -> Any:
        if value is None:
            raise NotDecodable(f"{wire.names[0]} is missing")
        return one(value)

    return there


def _decoder_of_one(kind: Kind[Any], wire: Wire) -> Decoder:
    match kind:
        case BoolKind():
            return _boolean_in_text if wire.text else _boolean
        case IntKind() | ThresholdKind():
            return _number
        case EnumKind():
            return _member_of(kind, wire.text)
        case EntityKind():
            return as_key
        case MapKind():
            inner = _decoder_of_one(_inner(kind.to), wire)
            return lambda value: tuple(map(inner, _list(value)))
        case SetKind() | ListKind():
            # A list may hold the wire value of "none", which is no entity.
            none = wire.none

            def collection(value: Any) -> Any:
                return _collection(kind, tuple([as_key(x) for x in _list(value) if none is None or x != none]))

            return collection
    return _undecodable


def _undecodable(value: Any) -> Any:
    raise NotDecodable(f"{value!r} is of no kind that a record can have")


def _boolean(value: Any) -> bool:
    if value in (True, False):
        return bool(value)
    raise NotDecodable(f"{value!r} is no truth value")


def _boolean_in_text(value: Any) -> bool:
    if isinstance(value, str) and value.strip().lower() in ("true", "false"):
        # As Kafka reads what it has accepted: without regard to case, and with white space around it as false.
        return value.lower() == "true"
    return _boolean(value)


def _number(value: Any) -> int:
    try:
        return int(value)
    except (TypeError, ValueError):
        raise NotDecodable(f"{value!r} is no number") from None


def _member_of(kind: EnumKind[Any], text: bool) -> Decoder:
    members = {member.value: member for member in kind.enum}
    if text:
        members = {str(value): member for value, member in members.items()} | members

    def member(value: Any) -> Any:
        try:
            return members[value]
        except (KeyError, TypeError):
            raise NotDecodable(f"{value!r} is none of {', '.join(str(m.value) for m in kind.enum)}") from None

    return member


def _list(value: Any) -> Any:
    if not isinstance(value, (list, tuple)):
        raise NotDecodable(f"{value!r} is no list")
    return value


def _collection(kind: Kind[Any], items: tuple[Any, ...]) -> Any:
    return frozenset(items) if isinstance(kind, SetKind) else items


def as_key(value: Any) -> Any:
    """Return a value of the wire as one that can be a key: lists and objects become tuples."""
    if isinstance(value, (list, tuple)):
        return tuple(as_key(x) for x in value)
    if isinstance(value, dict):
        return tuple(sorted((k, as_key(v)) for k, v in value.items()))
    return value


def id_part(value: Any) -> Any:
    """Return a part of a composite id as it is in an entity: of a list of structs the order says nothing."""
    plain = as_key(value)
    structs = isinstance(value, (list, tuple)) and any(isinstance(one, dict) for one in value)
    return tuple(sorted(plain, key=repr)) if structs else plain


def encode(record: Record, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the wire fields of a model record: constants, what is said, and how the wire leaves out the rest."""
    data: dict[str, Any] = dict(record.only)
    for field in (*record.about, *record.fields):
        if field.name not in values:
            if field.wire.absent is not None:
                data[field.wire.names[0]] = _left_out(field.wire)
            continue
        value = values[field.name]
        if len(field.wire.names) > 1:
            data.update(zip(field.wire.names, map(_whole, value), strict=True))
        else:
            name = field.wire.names[0]
            default = (
                None if isinstance(record, OwnRecord) or isinstance(field.wire, Tag) else default_of(record.type, name)
            )
            data[name] = _encode_one(field, value, default)
    return data


def _encode_one(field: Field[Any], value: Any, default: Any) -> Any:
    if value is None:
        return field.wire.none
    plain: Any = value.value if isinstance(_inner(field.kind), EnumKind) else value
    if isinstance(value, frozenset):
        plain = sorted(value)
    if isinstance(plain, (tuple, list)):
        plain = [_struct(item) for item in plain]
    if field.wire.text:
        return str(plain).lower() if isinstance(plain, bool) else str(plain)
    return (
        int(plain) if isinstance(plain, bool) and isinstance(default, int) and not isinstance(default, bool) else plain
    )


def _left_out(wire: Wire) -> Any:
    """Return the wire value of a field that is left out: lists of the wire are lists, a declaration's are tuples."""
    return list(wire.absent) if isinstance(wire.absent, tuple) else wire.absent


def _struct(item: Any) -> Any:
    """A struct of the wire that `as_key` made a key, as a struct again."""
    return dict(item) if _is_struct(item) else item


def _is_struct(item: Any) -> bool:
    """Whether a key is a struct of the wire: pairs of a field's name and its value."""
    return isinstance(item, tuple) and all(isinstance(one, tuple) and len(one) == 2 for one in item)


def _are_structs(part: Any) -> bool:
    """Whether a part of a composite id is a list of structs."""
    return isinstance(part, tuple) and all(map(_is_struct, part))


def _whole(part: Any) -> Any:
    """Return a part of a composite id in wire form: structs again, where it was a list of them."""
    return [_struct(one) for one in part] if _are_structs(part) else part


def _inner(kind: Kind[Any]) -> Kind[Any]:
    return kind.of if isinstance(kind, OptionKind) else kind


def entities_of(kind: Kind[Any], value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the entities in a field's value, each with the name of its sort."""
    if value is UNKNOWN or value is None:
        return
    if isinstance(kind, EntityKind):
        yield kind.name, value
    elif isinstance(kind, OptionKind):
        yield from entities_of(kind.of, value)
    elif isinstance(kind, (SetKind, ListKind)):
        for item in value:
            yield from entities_of(kind.of, item)
    elif isinstance(kind, MapKind):
        for item in value:
            yield from entities_of(kind.to, item)


_of_entities: dict[Record, tuple[tuple[str, Kind[Any], str, str], ...]] = {}


def entities_in(record: BoundRecord) -> list[tuple[str, Any]]:
    """Return the entities that a record's fields name, each with the name of its sort."""
    fields = _of_entities.get(record.record)
    if fields is None:
        fields = _of_entities[record.record] = tuple(
            (field.name, _inner(field.kind), *_sort_of(_inner(field.kind)))
            for field in (*record.record.about, *record.record.fields)
            if any(sorts_of(field.kind))
        )
    found: list[tuple[str, Any]] = []
    for name, kind, sort, of_each in fields:
        value = record.values.get(name)
        if value is None or value is UNKNOWN:
            continue
        if sort:
            found.append((sort, value))
        elif of_each:
            found += [(of_each, one) for one in value]
        else:
            found += entities_of(kind, value)
    return found


def _sort_of(kind: Kind[Any]) -> tuple[str, str]:
    """Return the name of the sort of which a value is an entity, and of that of which it is a list or a set."""
    if isinstance(kind, EntityKind):
        return kind.name, ""
    of = kind.of if isinstance(kind, (SetKind, ListKind)) else None
    return "", of.name if isinstance(of, EntityKind) else ""


def entity_text(value: Any) -> str:
    """Return an entity as text: the parts of a composite id joined by a hyphen, as Kafka prints a partition."""
    if isinstance(value, tuple):
        return "-".join(map(_part_text, value))
    return str(value)


def _part_text(part: Any) -> str:
    """A part of a composite id as text: of a list of structs what their fields say."""
    if not _are_structs(part):
        return str(part)
    structs = ("(" + ", ".join(f"{name} {value}" for name, value in one) + ")" for one in part)
    return "".join(structs) or "()"


_variables: dict[Record, tuple[tuple[Field[Any], Var[Any], Var[Any] | None], ...]] = {}


def said_by(record: BoundRecord) -> dict[Var[Any], Any]:
    """Return what a record says, under the variables of its fields."""
    fields = _variables.get(record.record)
    if fields is None:
        fields = _variables[record.record] = tuple(
            (f, f.value, f.said if isinstance(f.said, Var) else None)
            for f in (*record.record.about, *record.record.fields)
        )
    found: dict[Var[Any], Any] = {}
    for field, value, said in fields:
        if field.name in record.values:
            found[value] = record.values[field.name]
        if said is not None:
            found[said] = field.name in record.values
    return found


def _all_fields(type_: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for version in versions_of(type_) for name in fields_of(type_, version)))


def _findings(record: Record) -> Iterator[Finding]:
    where = f"record {record.name}"
    if isinstance(record, OwnRecord):
        # Its fields are in no schema: a declaration has them.
        return
    if record.type not in RECORD_TYPES:
        yield Finding(record.place, where, f"there is no record type {record.type}", _near(record.type, RECORD_TYPES))
        return
    known = set(_all_fields(record.type))
    # Tags are none of the type's fields: what a fork declares of them no schema has.
    fields = [field for field in (*record.about, *record.fields) if not isinstance(field.wire, Tag)]
    bound = {name for field in fields for name in field.wire.names}
    for name in sorted((bound | set(record.only) | set(record.ignored)) - known):
        yield Finding(record.place, where, f"{record.type} has no field {name}", _near(name, known))
    for name in sorted(known - bound - set(record.only) - set(record.ignored)):
        yield Finding(
            record.place,
            where,
            f"says nothing of the wire field {name}",
            "bind it to a field, or name it in `ignored=`",
        )


def _near(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, sorted(known), 1)
    return f"did you mean {close[0]}?" if close else f"use one of {', '.join(sorted(known))}"
