"""Records: what a row writes to the log, how it is replayed, and what its fields are called on the wire.

A record's fields are declared as variables of the language; `replay` says in updates over them what the record does to
the state. A row's write gives the fields terms. So the same declaration serves the interpreter and the engines (state
after the row = replay of its records), and the conformance kernel (a recorded record = the one that the row writes).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from .build import any_of
from .effects import Effect, Given, Write, flat
from .errors import Place, caller, refuse
from .kinds import BOOL, Kind
from .nodes import FALSE, TRUE, At, Ite, Term, Var, lift

T = TypeVar("T")


@dataclass(frozen=True)
class Wire:
    """The encoding of a field on the wire.

    `names` are the wire fields that make it up (several for an entity with a composite id). `absent` is the wire value of
    an optional field that says nothing; an optional field without it says nothing when it is null or missing. `none` is the
    wire value of an option's "none" (−1 for a leader). `text` says that the wire holds the value as text.
    """

    names: tuple[str, ...]
    absent: Any = None
    none: Any = None
    text: bool = False


@dataclass(frozen=True)
class Tag(Wire):
    """The encoding of a field that is a tag of a fork, not a field of the record type, by its declared name."""


@dataclass(frozen=True, eq=False)
class Field(Generic[T]):
    """A field of a record: the variable of its value, the variable that says whether it is said, and its wire form.

    `already` is, for a list of values beside another list, the list that is stored: one that equals it is left out. `unwritten`
    says why no row gives the field, where none does.
    """

    name: str
    kind: Kind[T]
    optional: bool
    wire: Wire
    already: Term[Any] | None = None
    unwritten: str = ""

    @property
    def value(self) -> Var[T]:
        """The variable that has the field's value in the replay."""
        return Var(f"{self.name}!", self.kind)

    @property
    def said(self) -> Term[bool]:
        """The variable of the replay that says whether the field is given; TRUE for a field that always is."""
        return Var(f"{self.name}?", BOOL) if self.optional else TRUE

    def over(self, old: Term[Any]) -> Term[Any]:
        """Return the field's value where it is given, and the old value where it is not."""
        return Ite(self.said, self.value, old) if self.optional else self.value

    def at(self, along: Term[Any], entry: Term[Any]) -> Term[Any]:
        """Return this field's value beside an entry of the given list."""
        return At(self.value, along, entry)  # type: ignore[arg-type]


def required(name: str, kind: Kind[T], *wire: str, none: Any = None, text: bool = False, tag: bool = False) -> Field[T]:
    """Declare a field that every record of the type has; `wire` defaults to the name.

    With `tag` it is a fork's: a wire record that bears it is this record, one without it is not.
    """
    return Field(name, kind, False, (Tag if tag else Wire)(wire or (name,), None, none, text))


def optional(
    name: str,
    kind: Kind[T],
    *wire: str,
    absent: Any = None,
    none: Any = None,
    text: bool = False,
    unwritten: str = "",
    tag: bool = False,
) -> Field[T]:
    """Declare a field that a record may leave out; `absent` is how the wire leaves it out where it is not null.

    `unwritten` is the reason for a field that no row gives: without one it is a finding of the tables' hygiene. With `tag`
    it is a fork's.
    """
    return Field(name, kind, True, (Tag if tag else Wire)(wire or (name,), absent, none, text), None, unwritten)


def parallel(name: str, kind: Kind[T], *wire: str, already: Term[Any] | None = None) -> Field[T]:
    """Declare a field that is a list beside another of the record; it is said where it differs from `already`."""
    return Field(name, kind, True, Wire(wire or (name,), absent=()), already)


class Said:
    """The value of an optional field of a write, given under a condition."""

    def __init__(self, value: Any, if_: Term[bool]) -> None:
        self.value, self.if_ = value, if_


def said(value: Term[T], if_: Term[bool]) -> Any:
    """Return "the field is given this value, if the condition holds"."""
    return Said(value, if_)


@dataclass(frozen=True, eq=False)
class Record:
    """A type of record.

    `type` is its name on the wire. `about` are the fields that tell which entities it is about (always given). `only` are
    wire fields with the constant that makes a wire record this record, where one wire type serves several. `ignored` are
    wire fields that the tables say nothing of. `version` is the wire version that is written, as a term over the state,
    None where the tables do not say. `silent` records are not written when no optional field says anything.
    """

    name: str
    type: str
    about: tuple[Field[Any], ...]
    fields: tuple[Field[Any], ...]
    replay: tuple[Effect, ...]
    only: Mapping[str, Any]
    ignored: tuple[str, ...]
    version: Term[int] | None
    silent: bool
    source: str
    place: Place = field(compare=False)

    def __repr__(self) -> str:
        return f"<record {self.name}>"

    def __call__(self, *about: Term[Any], **fields: Any) -> Write:
        """Return the write of this record; raises `TableError` for a field that is missing, unknown or of another kind."""
        if len(about) != len(self.about):
            raise refuse(self.name, f"{len(about)} terms for {[f.name for f in self.about]}", "give one for each")
        unknown = set(fields) - {f.name for f in self.fields}
        if unknown:
            raise refuse(self.name, f"has no field {sorted(unknown)}", f"use {[f.name for f in self.fields]}")
        given = [Given(f.name, TRUE, lift(term, f.kind)) for f, term in zip(self.about, about, strict=True)]
        for f in self.fields:
            if f.name not in fields:
                if not f.optional:
                    raise refuse(self.name, f"field {f.name} is missing", "every record of the type has it")
                continue
            value = fields[f.name]
            condition = value.if_ if isinstance(value, Said) else TRUE
            given.append(Given(f.name, condition, lift(value.value if isinstance(value, Said) else value, f.kind)))
        return Write(self, tuple(given))

    def field(self, name: str) -> Var[Any]:
        """Return the variable of a field's value, for clues; raises `KeyError` if the record has no such field."""
        return {f.name: f.value for f in (*self.about, *self.fields)}[name]

    @property
    def marks(self) -> tuple[str, ...]:
        """The tags that a wire record has to bear to be this record."""
        return tuple(f.wire.names[0] for f in self.fields if isinstance(f.wire, Tag) and not f.optional)

    def speaks(self, given: tuple[Given, ...]) -> Term[bool]:
        """Return the condition under which a write with these fields writes anything."""
        if not self.silent:
            return TRUE
        optionals = {f.name for f in self.fields if f.optional}
        conditions = tuple(g.said for g in given if g.field in optionals)
        return TRUE if TRUE in conditions else any_of(*conditions)

    def substitution(self, given: tuple[Given, ...]) -> dict[Var[Any], Term[Any]]:
        """Return the term that each replay variable is replaced by in a write with these fields."""
        by_name = {g.field: g for g in given}
        result: dict[Var[Any], Term[Any]] = {}
        for f in (*self.about, *self.fields):
            g = by_name.get(f.name)
            if g is not None:
                result[f.value] = g.value
            if f.optional:
                assert isinstance(f.said, Var)
                result[f.said] = g.said if g is not None else FALSE
        return result


class OwnRecord(Record):
    """A type of record that is in no release: the declaration of a fork has it, under its `type`, with its fields."""


def record(
    type: str,
    *about: Field[Any],
    fields: tuple[Field[Any], ...] = (),
    replay: object = (),
    name: str = "",
    only: Mapping[str, Any] | None = None,
    ignored: tuple[str, ...] = (),
    version: Term[int] | None = None,
    silent: bool = False,
    source: str = "",
    own: bool = False,
) -> Record:
    """Declare a type of record by its name on the wire; with `own` by the name in the declaration of a fork."""
    return (OwnRecord if own else Record)(
        name or type, type, about, fields, flat(replay), dict(only or {}), ignored, version, silent, source, caller()
    )
