"""The file that declares a fork, read: each error names its line and says in one sentence what is wrong there."""

from __future__ import annotations

import os
import pkgutil
import re
import struct
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from fencepost.traces.errors import CodecError, TraceError
from fencepost.traces.record_types import RECORD_TYPES, fields_of, schema_of
from fencepost.traces.schema import record_schemas
from fencepost.traces.storage import read_text

from .fork import AFTER, KEYLESS, PLACE, SHIPPED_FILES, Condition, Fork, OwnRecord, OwnTag, Sign, Words
from .lines import Lines
from .types import ALL, Listed, OwnField, Packed, Versions, WrongType, payload_of
from .types import fields_of as declared_fields

SHIPPED = tuple(one.removesuffix(".toml") for one in SHIPPED_FILES)
"""The forks whose declarations are shipped, by the names that --fork knows."""

NONE = "none"
"""The value of --fork for reading a log without any declaration."""

_TOP = {"name", "about", "releases", "rules", "kept", "rows", "sign", "record", "tag", "condition"}
_RECORD = {
    "key", "name", "versions", "fields", "story", "names", "each", "state", "removes", "broker", "changes", "about",
}  # fmt: skip
_TAG = {"tag", "name", "on", "type", "story", "state", "drops", "changes", "about"}
_WORDS = {"say", "if", "is", "starts"}
_CONDITION = {"of", "field", "is", "not", "say"}
_SIGN = {"features", "configs", "tags"}


@cache
def shipped(name: str) -> Fork:
    """Return a fork whose declaration is shipped."""
    text = pkgutil.get_data(__package__, f"{name}.toml") or b""
    return declared(text.decode(), f"{name}.toml")


def fork_of(given: str) -> Fork:
    """Return the fork of a name or of a file; raises TraceError for one that is wrong, or not there."""
    if given == NONE:
        return NOTHING
    if given in SHIPPED:
        return shipped(given)
    if not os.path.exists(given):
        raise TraceError(f"{given}: no such file declares a fork; give one, or {', '.join(SHIPPED)} or {NONE}")
    try:
        text = read_text(given)
    except (OSError, UnicodeDecodeError) as error:
        raise TraceError(f"{given}: cannot be read ({error}); give the TOML file of a fork") from None
    return declared(text, given)


def declared(text: str, file: str) -> Fork:
    """Return the fork that a text declares; raises TraceError, which names the line."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        # Of a text that is not closed the error has no line: it is the last one.
        found = re.search(r" \(at line (\d+)[^)]*\)$", str(error))
        line = found[1] if found else str(max(1, len(text.splitlines())))
        says = str(error)[: found.start()] if found else str(error).removesuffix(" (at end of document)")
        raise TraceError(f"{file}, line {line}: this is no TOML: {says}") from None
    except (ValueError, RecursionError) as error:
        # A number of thousands of digits, lists in a thousand lists.
        raise TraceError(f"{file}: this is no TOML that can be read ({error}); write a fork's declaration") from None
    return _Declaration(Lines(file, text), document, text).fork()


NOTHING = Fork("", "", "", Sign(), (), (), (), (), frozenset(), "", NONE, "")
"""The empty declaration: a log is read as if there were no forks."""


def encoded(fork: Fork | None, type: str, version: int, data: Mapping[str, Any]) -> bytes | None:
    """Return the bytes of a record that a fork declares, or else a shipped one, as a dump's text has it.

    None where none declares it, or the data are not as declared.
    """
    for one in map(shipped, SHIPPED) if fork is None else [fork]:
        own = one.by_name.get(type)
        codec = None if own is None else one.codec(own.key, version)
        if codec is not None:
            try:
                return codec.encode(data)
            except (CodecError, struct.error, ValueError):
                return None
    return None


class _Part:
    """One table of the file: its entries, and where they are."""

    def __init__(self, lines: Lines, table: str, index: int, entries: Any, known: Collection[str]) -> None:
        self.lines, self.table, self.index = lines, table, index
        self.what = f"[[{table}]]" if table not in ("", "sign") else f"[{table}]" if table else "the file"
        if not isinstance(entries, dict):
            self.refuse("", f"{table} is a table")
        self.entries: dict[str, Any] = entries
        for name in entries:
            if name not in known:
                self.refuse(name, f"{name} is nothing that {self.what} has; it has {', '.join(sorted(known))}")

    def refuse(self, name: str, what: str, text: str = "") -> Any:
        """Raise the error of an entry, at the line of a text within it where that is given."""
        line = self.lines.table(self.table, self.index) if self.table else 1
        if name:
            line = self.lines.entry(name, self.table, self.index, text)
        self.lines.refuse(line, what)

    def get(self, name: str, kind: type | tuple[type, ...], what: str, default: Any = None) -> Any:
        """Return an entry of a kind; refused where it is left out and has no default."""
        if name not in self.entries:
            if default is None:
                self.refuse("", f"{self.what} has no {name}, which is {what}")
            return default
        value = self.entries[name]
        kinds = kind if isinstance(kind, tuple) else (kind,)
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            self.refuse(name, f"{name} is {what}, and not {value!r}")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """Return an entry that is a list of texts, an empty one where it is left out."""
        found = self.get(name, list, "a list of texts", [])
        for one in found:
            if not isinstance(one, str):
                self.refuse(name, f"{name} is a list of texts, and not {one!r}", str(one))
        return tuple(found)


class _Declaration:
    """The whole file."""

    def __init__(self, lines: Lines, document: dict[str, Any], text: str) -> None:
        self.lines, self.document, self.text = lines, document, text
        self.top = _Part(lines, "", 0, document, _TOP)

    def fork(self) -> Fork:
        """Return what the file declares."""
        name = self.top.get("name", str, "what the fork is called")
        sign = _Part(self.lines, "sign", 0, self.document.get("sign", {}), _SIGN)
        records = tuple(self._record(one) for one in self._parts("record", _RECORD))
        self._once("record", "key", [one.key for one in records])
        self._once("record", "name", [one.name for one in records])
        tags = tuple(self._tag(one) for one in self._parts("tag", _TAG))
        for at, one in enumerate(tags):
            for other in tags[:at]:
                if one.tag == other.tag and set(one.on) & set(other.on):
                    self.lines.refuse(self.lines.entry("tag", "tag", at), f"tag {one.tag} is declared twice")
        if not records and not tags:
            self.lines.refuse(1, "no [[record]] and no [[tag]] is declared: there is nothing to read by this file")
        numbers = sign.get("tags", list, "a list of numbers of tags", [])
        for number in numbers:
            if number not in [one.tag for one in tags]:
                sign.refuse("tags", f"the sign names tag {number}, which no [[tag]] declares", str(number))
        return Fork(
            name,
            self.top.get("about", str, "a text", ""),
            self.top.get("releases", str, "a text", ""),
            Sign(sign.texts("features"), sign.texts("configs"), tuple(numbers)),
            records,
            tags,
            self.top.texts("rules"),
            tuple(self._condition(one) for one in self._parts("condition", _CONDITION)),
            frozenset(self.top.texts("kept")),
            self.top.get("rows", str, "the name of a protocol", ""),
            self.lines.file,
            self.text,
        )

    def _parts(self, name: str, known: Collection[str]) -> Iterator[_Part]:
        found = self.document.get(name, [])
        if not isinstance(found, list):
            line = self.lines.table(name) if isinstance(found, dict) else self.lines.entry(name)
            self.lines.refuse(line, f"{name} is written [[{name}]], once for each")
        for at, one in enumerate(found):
            yield _Part(self.lines, name, at, one, known)

    def _once(self, table: str, entry: str, found: Sequence[Any]) -> None:
        for at, one in enumerate(found):
            if one in found[:at]:
                line = self.lines.entry(entry, table, at)
                self.lines.refuse(line, f"the {entry} {one} is declared twice, first in line "
                                        f"{self.lines.entry(entry, table, found.index(one))}")  # fmt: skip

    # -- records ---------------------------------------------------------------------------------------------------
    def _record(self, part: _Part) -> OwnRecord:
        key = part.get("key", int, "an api key")
        name = part.get("name", str, "what the record's type is called")
        taken = next((one.type for one in record_schemas().values() if one.api_key == key and not one.is_control), "")
        if taken or name in record_schemas():
            part.refuse(
                "key" if taken else "name", f"{taken or name} is a record of Apache Kafka's: only others are declared"
            )
        if not 0 <= key <= 0x7FFF:
            part.refuse("key", f"{key} is no api key: it has 16 bits")
        versions = self._versions(part, part.get("versions", (str, int), "a range of versions, as 0-1", "0"))
        fields = self._fields(part)
        names = self._names(part, fields)
        each = part.get("each", str, "the list of which each element has words", "")
        elements = self._elements(part, fields, each)
        known = [one.name for one in fields if one.name != each.split(".")[0]] + elements
        state = self._template(part, "state", known)
        removes = self._template(part, "removes", known)
        if state and removes:
            part.refuse("removes", "a record has state or removes it: leave one of them out")
        broker = part.get("broker", str, "the field with the id of a broker", "")
        if broker and broker not in known:
            part.refuse("broker", f"there is no field {broker}; there are {', '.join(known)}")
        return OwnRecord(
            key, name, versions, fields, self._words(part, known), names, each, state, removes, broker,
            self._changes(part), part.get("about", str, "a text", ""), part.texts("fields"),
        )  # fmt: skip

    def _versions(self, part: _Part, text: str | int) -> Versions:
        try:
            return Versions.read(str(text))
        except WrongType as error:
            return part.refuse("versions", str(error))  # type: ignore[no-any-return]

    def _fields(self, part: _Part) -> tuple[OwnField, ...]:
        found: list[OwnField] = []
        for text in part.texts("fields"):
            try:
                found += declared_fields(text)
            except WrongType as error:
                part.refuse("fields", str(error), text)
            names = [one.name for one in found]
            again = next((one for one in names if names.count(one) > 1), None)
            if again is not None:
                part.refuse("fields", f"the field {again} is there twice", text)
        return tuple(found)

    def _names(self, part: _Part, fields: Sequence[OwnField]) -> Mapping[str, Mapping[str, str]]:
        found = part.get("names", dict, "a table of words by field and value", {})
        for name, words in found.items():
            if name not in {one.name for one in fields}:
                part.refuse("names", f"there is no field {name} to have names")
            if not isinstance(words, dict) or not all(isinstance(one, str) for one in words.values()):
                part.refuse("names", f'the names of {name} are words by values, as {{ 0 = "closed" }}')
        return found  # type: ignore[no-any-return]

    def _elements(self, part: _Part, fields: Sequence[OwnField], each: str) -> list[str]:
        """Return the names of an element's fields."""
        if not each:
            return []
        head, *rest = each.split(".")
        kind = next((one.type for one in fields if one.name == head), None)
        for name in rest:
            inner = {one[0]: one[1] for one in kind.fields} if isinstance(kind, Packed) else {}
            kind = inner.get(name)
        if isinstance(kind, Listed) and not rest:
            return [one.name for one in kind.fields] or [KEYLESS]
        if isinstance(kind, Packed) and rest:
            return [one[0] for one in kind.fields]
        return part.refuse("each", f"{each} is no list that a field of this record is")  # type: ignore[no-any-return]

    def _template(self, part: _Part, name: str, known: Sequence[str]) -> str:
        text: str = part.get(name, str, "a path with the names of fields in braces", "")
        self._places(part, name, text, known)
        return text

    def _places(self, part: _Part, name: str, text: str, known: Sequence[str]) -> None:
        if text.count("{") != len(PLACE.findall(text)) or text.count("}") != text.count("{"):
            part.refuse(name, f"{text!r}: braces are around the name of a field, and are nowhere else", text)
        for place in PLACE.findall(text):
            if place not in known:
                part.refuse(name, f"{text!r} names the field {place}; there are {', '.join(known) or 'none'}", text)

    def _words(self, part: _Part, known: Sequence[str], is_due: bool = True) -> tuple[Words, ...]:
        found = part.get("story", (str, list), "a text, or a list of texts with conditions", None if is_due else "")
        if isinstance(found, str):
            found = [{"say": found}] if found else []
        words = []
        for one in found:
            if not isinstance(one, dict) or not isinstance(one.get("say"), str) or set(one) - _WORDS:
                part.refuse("story", f"a line of story is {{ if = FIELD, is = VALUE, say = TEXT }}, and not {one!r}")
            self._places(part, "story", one["say"], known)
            name, starts = one.get("if", ""), one.get("starts")
            if not isinstance(name, str) or not isinstance(starts, str | None):
                part.refuse("story", "if is the name of a field, starts a text", one["say"])
            if name and name not in known:
                part.refuse("story", f"there is no field {name}; there are {', '.join(known)}", one["say"])
            if bool(name) != ("is" in one or starts is not None):
                part.refuse("story", "beside if there is what the field is, or how it starts", one["say"])
            values = one.get("is", [])
            # A list of lists has an empty list among the values.
            several = isinstance(values, list) and bool(values)
            words.append(Words(one["say"], name, tuple(values if several else [values] if "is" in one else []), starts))
        if is_due and (not words or words[-1].field):
            part.refuse("story", "the last line of story is for every record: it has no if")
        return tuple(words)

    @staticmethod
    def _changes(part: _Part) -> tuple[str, ...]:
        return part.texts("changes")

    # -- tags ------------------------------------------------------------------------------------------------------
    def _tag(self, part: _Part) -> OwnTag:
        number = part.get("tag", int, "the number of a tag")
        name = part.get("name", str, "what the tag is called")
        text = part.get("type", str, "the type of its payload")
        try:
            kind = payload_of(text)
        except WrongType as error:
            part.refuse("type", str(error))
        on: dict[str, Versions] = {}
        said = part.get("on", dict, 'a table of versions by record types, as { PARTITION_CHANGE_RECORD = "0" }')
        for type, versions in said.items():
            if type not in RECORD_TYPES:
                part.refuse("on", f"{type} is no record type of Apache Kafka's")
            try:
                on[type] = Versions.read(str(versions))
            except WrongType as error:
                part.refuse("on", f"{type}: {error}")
            for version, structure in schema_of(type).versions.items():
                if version in on[type] and number in dict(structure.tagged):
                    part.refuse("tag", f"tag {number} is one of Apache Kafka's in {type} version {version}")
        if not on:
            part.refuse("on", "no record type bears the tag")
        fields = [one for type in on for one in fields_of(type)]
        inner = [one[0] for one in kind.fields] if isinstance(kind, Packed) else []
        state = self._template(part, "state", fields)
        words = self._words(part, ["value", AFTER, *inner], is_due=False)
        return OwnTag(
            number, name, on, kind, text, words, state, part.texts("drops"), self._changes(part),
            part.get("about", str, "a text", ""),
        )  # fmt: skip

    def _condition(self, part: _Part) -> Condition:
        of = part.get("of", str, "a path of the state")
        name = part.get("field", str, "the name of a field")
        say = part.get("say", str, "what health says of it")
        if ("is" in part.entries) == ("not" in part.entries):
            part.refuse("", "a condition has is or not, the value of its field")
        self._places(part, "say", say, ("path", "partition", "value", "field"))
        return Condition(of, name, say, part.entries.get("is"), part.entries.get("not"))


__all__ = ["ALL", "NONE", "SHIPPED", "declared", "fork_of", "shipped"]
