"""A fork of Kafka by its declaration: the records and tags that its metadata log has beside Kafka's own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

from fencepost.traces.codec import OwnCodec, UnknownTag, encode_value, frame_of, unknown_tags
from fencepost.traces.errors import CodecError
from fencepost.traces.record_types import CONFIG_RECORD, FEATURE_LEVEL_RECORD
from fencepost.traces.records import AnyRecord, Batch, Record, Snapshot, Undecodable

from .types import OwnField, Packed, Versions, blanked_fields, blanked_payload, shown_fields, structure, unpacked

PLACE = re.compile(r"\{(\w+)\}")
"""How a template names a field."""

SHIPPED_FILES = ("automq.toml", "inkless.toml")
"""The files of the forks whose declarations are shipped."""

AFTER = "after"
"""The field name in a tag's template for the time that the preceding value held."""

KEYLESS = "each"
"""The field name in a template for an element that is no structure."""


@dataclass(frozen=True, slots=True)
class Words:
    """A template, and the field by whose values, or first letters, it is chosen; an empty one for any."""

    say: str
    field: str = ""
    values: tuple[Any, ...] = ()
    starts: str | None = None

    def fits(self, said: Mapping[str, Any]) -> bool:
        """Return whether the template is for a record that says so."""
        if not self.field:
            return True
        value = said.get(self.field)
        if self.starts is not None:
            return isinstance(value, str) and value.startswith(self.starts)
        return any(type(one) is type(value) and one == value for one in self.values)


@dataclass(frozen=True, slots=True)
class OwnRecord:
    """A record type of a fork; `state` and `removes` are templates of the path under which its fields are kept.

    `written` has the fields as the file has them.
    """

    key: int
    name: str
    versions: Versions
    fields: tuple[OwnField, ...]
    words: tuple[Words, ...]
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    each: str = ""
    state: str = ""
    removes: str = ""
    broker: str = ""
    changes: tuple[str, ...] = ()
    about: str = ""
    written: tuple[str, ...] = ()

    def parts(self, data: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return what is said of each element of the record's list, beside its other fields; of no list one."""
        if not self.each:
            return [dict(data)]
        found: Any = data
        for name in self.each.split("."):
            found = found.get(name) if isinstance(found, Mapping) else None
        rest = {name: value for name, value in data.items() if name != self.each.split(".")[0]}
        some = found if isinstance(found, list) else []
        return [rest | (one if isinstance(one, dict) else {KEYLESS: one}) for one in some]


@dataclass(frozen=True, slots=True)
class OwnTag:
    """A tagged field that a fork adds to Kafka's records; `on` has the versions of each type that bear it."""

    tag: int
    name: str
    on: Mapping[str, Versions]
    type: str | Packed
    text: str
    words: tuple[Words, ...] = ()
    state: str = ""
    drops: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    about: str = ""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that health reports of an entry of a fork's state, by its path: a field has a value, or lacks it."""

    of: str
    field: str
    say: str
    value: Any = None
    other: Any = None

    def holds(self, value: Mapping[str, Any]) -> bool:
        """Return whether an entry is noted."""
        if self.field not in value:
            return False
        found = value[self.field]
        return bool(found == self.value if self.other is None else found != self.other)


@dataclass(frozen=True, slots=True)
class Sign:
    """By what a fork's log is recognised: any one of these is enough."""

    features: tuple[str, ...] = ()
    configs: tuple[str, ...] = ()
    tags: tuple[int, ...] = ()


@dataclass(frozen=True)
class Fork:
    """The declaration of a fork; `rules` are sentences about the rules of Kafka's controller that do not hold.

    `rows` names the tables with the fork's rows, empty where there are none.
    """

    name: str
    about: str
    releases: str
    sign: Sign
    records: tuple[OwnRecord, ...]
    tags: tuple[OwnTag, ...]
    rules: tuple[str, ...]
    conditions: tuple[Condition, ...]
    kept: frozenset[str]
    rows: str
    file: str
    text: str

    def __getstate__(self) -> dict[str, Any]:
        # What was made of the fields is made again.
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def __hash__(self) -> int:
        return hash(self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fork) and (self.text, self.file) == (other.text, other.file)

    @property
    def called(self) -> str:
        """Return the fork's name for --fork: a shipped one is a file name without a folder."""
        return self.file.removesuffix(".toml") if self.file in SHIPPED_FILES else self.file

    @cached_property
    def by_key(self) -> Mapping[int, OwnRecord]:
        """The record types by their api keys."""
        return {one.key: one for one in self.records}

    @cached_property
    def by_name(self) -> Mapping[str, OwnRecord]:
        """The record types by their names."""
        return {one.name: one for one in self.records}

    @cached_property
    def _codecs(self) -> dict[tuple[int, int], OwnCodec]:
        return {}

    def codec(self, key: int, version: int) -> OwnCodec | None:
        """Return what reads and writes a version of a record type; None where it is not declared."""
        own = self.by_key.get(key)
        if own is None or version not in own.versions:
            return None
        if (key, version) not in self._codecs:
            self._codecs[key, version] = OwnCodec(own.name, key, version, structure(own.fields, version))
        return self._codecs[key, version]

    # -- reading ---------------------------------------------------------------------------------------------------
    def read(self, record: Undecodable) -> Record | None:
        """Return a record of the fork's own, None where it is none that is declared, or its bytes are not."""
        frame = None if record.value is None else frame_of(record.value)
        codec = None if frame is None else self.codec(*frame)
        if codec is None or record.value is None:
            return None
        try:
            found = codec.decode(record.value)
        except CodecError:
            return None
        # The bytes are kept: what writes a log knows no record of a fork.
        return Record(
            record.offset, record.timestamp, found.type, found.version, found.data, record.headers, record.value
        )

    def harmless(self, record: Undecodable) -> Record | None:
        """Return a record of the fork's own that changes none of Kafka's cells, None for any other."""
        found = self.read(record)
        return None if found is None or self.by_name[found.type].changes else found

    def owns(self, record: AnyRecord) -> bool:
        """Return whether a record is one of the fork's own that was read."""
        return isinstance(record, Record) and record.type in self.by_name

    def batch(self, batch: Batch) -> Batch:
        """Return a batch in which the fork's own records are read that change none of Kafka's cells."""
        if not batch.undecodable:
            return batch
        records = tuple((self.harmless(one) or one) if isinstance(one, Undecodable) else one for one in batch.records)
        return replace(batch, records=records)

    def with_tags(self, batch: Batch) -> Batch:
        """Return a batch as tables read it: what declared tags say is among a record's data, by the tags' names."""
        said = ((one, self.said_by_tags(one)) for one in batch.kept_raw)
        found = {one.offset: replace(one, data={**one.data, **tags}) for one, tags in said if tags}
        if not found:
            return batch
        return replace(batch, records=tuple(found.get(one.offset, one) for one in batch.records))

    def snapshot(self, snapshot: Snapshot) -> Snapshot:
        """Return a snapshot as tables read it: the fork's own records are read, and what declared tags say."""
        batches = tuple(self.with_tags(self.batch(one)) for one in snapshot.batches)
        is_same = all(a is b for a, b in zip(batches, snapshot.batches, strict=True))
        return snapshot if is_same else replace(snapshot, batches=batches)

    def said_by_tags(self, record: Record) -> dict[str, Any]:
        """Return what the declared tags of a record say, by their names."""
        return {own.name: value for own, value in self.tags_of(record)}

    def tags_of(self, record: Record) -> list[tuple[OwnTag, Any]]:
        """Return the declared tags that a record of Kafka's bears, each with what it says."""
        found = []
        for one in () if record.raw is None or self.owns(record) else unknown_tags(record.raw):
            own = self.tag(record, one)
            if own is not None:
                found.append((own, unpacked(own.type, one.payload)))
        return found

    def unknown_of(self, record: Record) -> tuple[UnknownTag, ...]:
        """Return the tags of a record that are not declared, or whose bytes are not as declared."""
        if record.raw is None or self.owns(record):
            return ()
        return tuple(one for one in unknown_tags(record.raw) if self.tag(record, one) is None)

    def tag(self, record: Record, tag: UnknownTag) -> OwnTag | None:
        """Return the declaration of a tag that a record bears, None where there is none that its bytes fit."""
        for own in self.tags:
            if own.tag == tag.tag and record.version in own.on.get(record.type, _NONE):
                return own if unpacked(own.type, tag.payload) is not None else None
        return None

    # -- what is recognised ----------------------------------------------------------------------------------------
    def signed(self, batches: Iterable[Batch]) -> str:
        """Return the sign by which batches are the fork's, as words; empty where there is none."""
        types = (FEATURE_LEVEL_RECORD, *((CONFIG_RECORD,) if self.sign.configs else ()))
        for batch in batches:
            for record in batch.records_of(types):
                name = record.data["name"]
                if record.type == FEATURE_LEVEL_RECORD and name in self.sign.features:
                    return f"offset {record.offset} finalizes {name}"
                if record.type == CONFIG_RECORD and name in self.sign.configs:
                    return f"offset {record.offset} sets {name}"
            for record in batch.kept_raw if self.sign.tags else ():
                for own, _ in self.tags_of(record):
                    if own.tag in self.sign.tags:
                        return f"offset {record.offset} bears tag {own.tag}"
        return ""

    # -- what is said ----------------------------------------------------------------------------------------------
    def shown(self, record: Record) -> dict[str, Any]:
        """Return the fields of one of the fork's own records as they are shown: JSON and packed numbers read."""
        return shown_fields(self.by_name[record.type].fields, record.data)

    def words(self, record: Record) -> str:
        """Return what one of the fork's own records says, by its template."""
        own = self.by_name[record.type]
        parts = own.parts(self.shown(record))
        found = [_say(own.words, part, own.names) for part in parts]
        return "; ".join(dict.fromkeys(filter(None, found))) or f"{own.name} says nothing"

    def words_of_tags(self, record: Record, since: Mapping[str, int] | None = None) -> str:
        """Return what the declared tags of a record say; empty where it bears none.

        `since` has the time in milliseconds at which a tag, by its name, got the value that it had in front of it.
        """
        found = []
        for own, value in self.tags_of(record):
            before = (since or {}).get(own.name)
            after = "" if before is None else f" after {_span(record.timestamp - before)}"
            said = {AFTER: after, "value": value, **(value if isinstance(value, dict) else {})}
            found.append(_say(own.words, said, {}) or f"{own.name} {_text(value)}")
        return ", ".join(found)

    # -- what is written -------------------------------------------------------------------------------------------
    def encode(self, record: Record) -> bytes:
        """Return the bytes of one of the fork's own records by its fields; raises CodecError."""
        codec = self.codec(self.by_name[record.type].key, record.version)
        if codec is None:
            raise CodecError(f"{self.name} has no version {record.version} of {record.type}", "version")
        return codec.encode(record.data)

    def blanked(self, record: Record) -> Record:
        """Return one of the fork's own records with its strings and bytes made blank."""
        data = blanked_fields(self.by_name[record.type].fields, record.data, self.kept)
        found = replace(record, data=data)
        return replace(found, raw=self.encode(found))

    def blanked_tags(self, record: Record, data: Mapping[str, Any]) -> bytes | None:
        """Return the bytes of a record of Kafka's with other data, its strings and bytes in tags made blank.

        None where it bears no tag beside its own. What is not declared keeps its size, and holds zeros.
        """
        found = []
        for one in () if record.raw is None else unknown_tags(record.raw):
            own = self.tag(record, one)
            payload = bytes(one.size) if own is None else blanked_payload(own.type, one.payload, self.kept)
            found.append((one.tag, payload))
        return encode_value(record.type, record.version, data, found) if found else None


_NONE = Versions(1, 0)


def filled(template: str, said: Mapping[str, Any], names: Mapping[str, Mapping[str, str]] | None = None) -> str:
    """Return a template with the values of its fields; a value that has a name by its name."""

    def value(found: re.Match[str]) -> str:
        one = said.get(found[1])
        return (names or {}).get(found[1], {}).get(str(one), _text(one))

    return PLACE.sub(value, template)


def _say(words: Sequence[Words], said: Mapping[str, Any], names: Mapping[str, Mapping[str, str]]) -> str:
    return next((filled(one.say, said, names) for one in words if one.fits(said)), "")


def _span(milliseconds: int) -> str:
    return f"{milliseconds} ms" if milliseconds < 1000 else f"{milliseconds / 1000:g} s"


def _text(value: Any) -> str:
    """Return a value as words: structures as name value, lists with commas."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case dict():
            return " ".join(f"{name} {_text(one)}" for name, one in value.items()) or "nothing"
        case list():
            return ", ".join(map(_text, value)) or "none"
    return str(value)


def own_records(batches: Iterable[Batch], fork: Fork) -> Iterator[Record]:
    """Yield the records of batches that are the fork's own, or bear its tags, in their order."""
    for batch in batches:
        for record in fork.batch(batch).metadata_records:
            if fork.owns(record) or (record.raw is not None and fork.tags_of(record)):
                yield record
