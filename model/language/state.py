"""State variables: what a protocol remembers, per what, and what becomes of it when a controller fails over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from .effects import Assign
from .errors import Place, caller, refuse
from .kinds import BOOL, Kind, ListKind, SetKind
from .terms import FALSE, TRUE, Eq, Get, Lit, Term, Var, lift
from .walk import free, nodes, quantified

T = TypeVar("T")
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")

StateClass = Literal["hard", "soft", "ghost", "message", "fixed"]
"""hard: replayed from records. soft: lost on failover and invisible in a log. ghost: for properties only, read by no
guard. message: the content of a message in flight. fixed: chosen at the start and never written (a constant)."""

NOTHING_SAID = object()


@dataclass(frozen=True, eq=False)
class State(Generic[T]):
    """A state variable: a value of `kind` for each tuple of keys; `initial` is None where any value may be the first.

    `by_key` is the first value where it depends on the keys: variables that stand for them, and the value.
    `columns` are the names of the keys, where the variable is a set of records.
    `known` is the value of a constant on the wire, the same in every cluster; of a function, the field of its argument.
    """

    name: str
    keys: tuple[Kind[Any], ...]
    kind: Kind[T]
    initial: Term[T] | None
    what: StateClass
    about: str
    place: Place
    known: Any = None
    by_key: tuple[tuple[Var[Any], ...], Term[Any]] | None = None
    columns: tuple[str, ...] = ()

    @property
    def begins(self) -> Term[bool] | None:
        """The condition on first states that `by_key` is, None without it."""
        if self.by_key is None:
            return None
        keys, value = self.by_key
        return quantified("every", keys, Eq(self.at(*keys), value))

    def __repr__(self) -> str:
        return f"<state {self.name}>"

    def at(self, *keys: Term[Any]) -> Term[T]:
        """Return the cell at the keys; raises `TableError` for keys of another number or kind."""
        if len(keys) != len(self.keys):
            raise refuse(self.name, f"{len(keys)} keys for {len(self.keys)}", "give one key for each declared kind")
        return Get(self, tuple(lift(key, kind) for key, kind in zip(keys, self.keys, strict=True)))


@dataclass(frozen=True, eq=False)
class Map(Generic[A, T]):
    """A state variable with one key: `leader[p]`."""

    state: State[T]

    def __getitem__(self, key: Term[A]) -> Term[T]:
        return self.state.at(key)


@dataclass(frozen=True, eq=False)
class Map3(Generic[A, B, C, T]):
    """A state variable with three keys: `replica_state[c, p, b]`."""

    state: State[T]

    def __getitem__(self, keys: tuple[Term[A], Term[B], Term[C]]) -> Term[T]:
        return self.state.at(*keys)


@dataclass(frozen=True, eq=False)
class Map2(Generic[A, B, T]):
    """A state variable with two keys: `log[r, o]`."""

    state: State[T]

    def __getitem__(self, keys: tuple[Term[A], Term[B]]) -> Term[T]:
        return self.state.at(*keys)


@dataclass(frozen=True, eq=False)
class MapOf(Generic[T]):
    """A state variable with any number of keys: `voted[s, t, e, o]`."""

    state: State[T]

    def __getitem__(self, keys: tuple[Term[Any], ...]) -> Term[T]:
        return self.state.at(*keys)


@dataclass(frozen=True, eq=False)
class Records:
    """A set of records, such as messages on their way: a record has a value in every column, which are given by name."""

    state: State[bool]

    def _keys(self, columns: dict[str, Any], word: str) -> tuple[Any, ...]:
        name, known = self.state.name, self.state.columns
        if wrong := [one for one in columns if one not in known]:
            raise refuse(f"{name}.{word}", f"no column {wrong[0]}", f"the columns are {', '.join(known)}")
        if missing := [one for one in known if one not in columns]:
            raise refuse(f"{name}.{word}", f"nothing said of {', '.join(missing)}", "give a value for every column")
        return tuple(columns[one] for one in known)

    def has(self, **columns: Any) -> Term[bool]:
        """Return the term "this record is in the set"."""
        return self.state.at(*self._keys(columns, "has"))

    def some(self, **columns: Any) -> Term[bool]:
        """Return the term "a record with these values is in the set", whatever it has in the other columns."""
        others = {
            name: kind.var(f"some_{name}")
            for name, kind in zip(self.state.columns, self.state.keys, strict=True)
            if name not in columns
        }
        return quantified("some", others.values(), self.has(**columns, **others))

    def put(self, **columns: Any) -> Assign:
        """Return the update "this record is in the set from now on"."""
        return self.state.at(*self._keys(columns, "put")).becomes(TRUE)

    def take(self, **columns: Any) -> Assign:
        """Return the update "this record is not in the set from now on"."""
        return self.state.at(*self._keys(columns, "take")).becomes(FALSE)


def _made(
    name: str, keys: tuple[Kind[Any], ...], kind: Kind[T], initial: Any, what: StateClass, about: str, place: Place
) -> State[T]:
    if not callable(initial):
        return State(name, keys, kind, _initial(kind, initial), what, about, place)
    variables = tuple(key.var(f"key{n}") for n, key in enumerate(keys, 1))
    value = lift(initial(*variables), kind)
    if free(value) - set(variables) or any(isinstance(node, Get) for node in nodes(value)):
        raise refuse(name, f"the initial value {value} speaks of more than the keys", "let it depend on the keys alone")
    return State(name, keys, kind, None, what, about, place, by_key=(variables, value))


def _initial(kind: Kind[Any], initial: object) -> Term[Any] | None:
    if initial is None:
        return None
    if initial is NOTHING_SAID:
        if kind == BOOL:
            return Lit(False, kind)
        if isinstance(kind, SetKind):
            return Lit(frozenset(), kind)
        if isinstance(kind, ListKind):
            return Lit((), kind)
        raise refuse("a state variable", f"no initial value for kind {kind}", "say `initial=`, or ANY for any value")
    if isinstance(initial, AnyValue):
        return None
    if isinstance(initial, Nothing):
        return Lit(None, kind)
    return lift(initial, kind)


class AnyValue:
    """The initial value of a variable that may start with any value of its kind."""


class Nothing:
    """The initial value "none" of an option."""


ANY = AnyValue()
NONE = Nothing()


def cell(name: str, kind: Kind[T], initial: Any = NOTHING_SAID, what: StateClass = "hard", about: str = "") -> Term[T]:
    """Declare a state variable without keys and return it as a term."""
    return State(name, (), kind, _initial(kind, initial), what, about, caller()).at()


def constant(name: str, kind: Kind[T], known: Any, about: str = "") -> Term[T]:
    """Declare a constant of a sort and return it as a term; `known` is its value on the wire."""
    return State(name, (), kind, None, "fixed", about, caller(), known).at()


def part_of(key: Kind[A], name: str, kind: Kind[T], known: str | int | tuple[int, str], about: str = "") -> Map[A, T]:
    """Declare a fixed function of a sort: a field of the struct that an entity is on the wire, or a part of its composite id.

    Where a part of the id is a list of structs, `known` may be its number with a field: the set of what the structs say
    there, null left out.
    """
    return Map(State(name, (key,), kind, None, "fixed", about, caller(), known))


def per(
    key: Kind[A], name: str, kind: Kind[T], initial: Any = NOTHING_SAID, what: StateClass = "hard", about: str = ""
) -> Map[A, T]:
    """Declare a state variable with one key. Without `initial` a Bool starts false, a set or a list empty.

    Here and with more keys `initial` may be a function: `lambda s: when(s.is_(first), LEADER, FOLLOWER)`.
    """
    return Map(_made(name, (key,), kind, initial, what, about, caller()))


def per2(
    one: Kind[A],
    two: Kind[B],
    name: str,
    kind: Kind[T],
    initial: Any = NOTHING_SAID,
    what: StateClass = "hard",
    about: str = "",
) -> Map2[A, B, T]:
    """Declare a state variable with two keys."""
    return Map2(_made(name, (one, two), kind, initial, what, about, caller()))


def per3(
    one: Kind[A],
    two: Kind[B],
    three: Kind[C],
    name: str,
    kind: Kind[T],
    initial: Any = NOTHING_SAID,
    what: StateClass = "hard",
    about: str = "",
) -> Map3[A, B, C, T]:
    """Declare a state variable with three keys."""
    return Map3(_made(name, (one, two, three), kind, initial, what, about, caller()))


def per_all(
    keys: tuple[Kind[Any], ...],
    name: str,
    kind: Kind[T],
    initial: Any = NOTHING_SAID,
    what: StateClass = "hard",
    about: str = "",
) -> MapOf[T]:
    """Declare a state variable with any number of keys."""
    return MapOf(_made(name, keys, kind, initial, what, about, caller()))


def records_of(name: str, about: str = "", what: StateClass = "message", **columns: Kind[Any]) -> Records:
    """Declare a set of records, empty at first, with the kinds of their columns: `records_of("votes", of=SERVER, to=SERVER)`."""
    if not columns:
        raise refuse(name, "a record without columns", "name columns with their kinds")
    made = State(name, tuple(columns.values()), BOOL, FALSE, what, about, caller(), columns=tuple(columns))
    return Records(made)
