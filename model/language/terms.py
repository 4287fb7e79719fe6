"""Terms: the frozen expressions of which guards, values and properties are made.

A term is interned when it is built, so equal terms are one object: `==` is structural and costs nothing, and engines may
key their memos on identity. Operators build terms and never decide anything; asking a term for its truth raises.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, NoReturn, TypeVar, cast, overload

from .errors import refuse
from .kinds import BOOL, BoolKind, EntityKind, EnumKind, IntKind, Kind, ListKind, OptionKind, SetKind, ThresholdKind
from .unbuilt import Unbuilt, no_term

if TYPE_CHECKING:
    from .effects import Assign
    from .state import State

T = TypeVar("T")
X = TypeVar("X")

Symbol = Literal["+", "-", "*"]


class Interned(type):
    """The metaclass that makes equal terms one object."""

    _all: dict[tuple[object, ...], Any] = {}

    def __call__(cls, *args: Any) -> Any:
        # Only a literal holds Python's own values, of which some are equal and not the same: True and 1.
        key = (cls, *args) if cls is not Lit else (cls, type(args[0]), *args)
        found = Interned._all.get(key)
        if found is None:
            found = super().__call__(*args)
            Interned._all[key] = found
        return found


class Term(Unbuilt, Generic[T], metaclass=Interned):
    """An expression whose value is a `T`."""

    kind: Kind[T]

    def __bool__(self) -> NoReturn:
        raise refuse(
            "a term",
            "a term has no truth value in Python: `and`, `or`, `not`, `if`, `==` and `<` chains do not build terms",
            "write `&`, `|`, `~`, `when(...)`, `.is_(...)` and parentheses",
        )

    @overload
    def is_(self, other: Term[T] | T) -> Term[bool]: ...
    @overload
    def is_(self: Term[X | None], other: Term[X]) -> Term[bool]: ...
    def is_(self, other: Any) -> Term[bool]:
        """Return the term "this equals other"."""
        return Eq(self, lift(other, self.kind))

    @overload
    def isnt(self, other: Term[T] | T) -> Term[bool]: ...
    @overload
    def isnt(self: Term[X | None], other: Term[X]) -> Term[bool]: ...
    def isnt(self, other: Any) -> Term[bool]:
        """Return the term "this differs from other"."""
        return Not(Eq(self, lift(other, self.kind)))

    # -- truth ---------------------------------------------------------------------------------------------------
    @overload
    def __and__(self: Term[bool], other: Term[bool]) -> Term[bool]: ...
    @overload
    def __and__(self: Term[frozenset[X]], other: Term[frozenset[X]]) -> Term[frozenset[X]]: ...
    def __and__(self, other: Any) -> Any:
        if isinstance(self.kind, SetKind):
            return SetOp("&", cast("Term[Any]", self), _same(self, other, "&"))
        return Nary("and", _flat("and", _truth(self, "&"), _truth(other, "&")))

    @overload
    def __or__(self: Term[bool], other: Term[bool]) -> Term[bool]: ...
    @overload
    def __or__(self: Term[frozenset[X]], other: Term[frozenset[X]]) -> Term[frozenset[X]]: ...
    def __or__(self, other: Any) -> Any:
        if isinstance(self.kind, SetKind):
            return SetOp("|", cast("Term[Any]", self), _same(self, other, "|"))
        return Nary("or", _flat("or", _truth(self, "|"), _truth(other, "|")))

    def __invert__(self: Term[bool]) -> Term[bool]:
        _truth(self, "~")
        return self.term if isinstance(self, Not) else Not(self)

    def implies(self: Term[bool], other: Term[bool]) -> Term[bool]:
        """Return the term "if this then other"."""
        return Implies(_truth(self, "implies"), _truth(other, "implies"))

    # -- numbers -------------------------------------------------------------------------------------------------
    def __add__(self: Term[int], other: Term[int] | int) -> Term[int]:
        return Arith("+", self, lift(other, self.kind))

    def __mul__(self: Term[int], other: Term[int] | int) -> Term[int]:
        return Arith("*", self, lift(other, self.kind))

    @overload
    def __sub__(self: Term[int], other: Term[int] | int) -> Term[int]: ...
    @overload
    def __sub__(self: Term[frozenset[X]], other: Term[frozenset[X]]) -> Term[frozenset[X]]: ...
    def __sub__(self, other: Any) -> Any:
        if isinstance(self.kind, SetKind):
            return SetOp("-", cast("Term[Any]", self), _same(self, other, "-"))
        return Arith("-", cast("Term[Any]", self), lift(other, cast("Kind[Any]", self.kind)))

    def __lt__(self: Term[int], other: Term[int] | int) -> Term[bool]:
        return Compare("<", self, lift(other, self.kind))

    @overload
    def __le__(self: Term[int], other: Term[int] | int) -> Term[bool]: ...
    @overload
    def __le__(self: Term[frozenset[X]], other: Term[frozenset[X]]) -> Term[bool]: ...
    def __le__(self, other: Any) -> Any:
        if isinstance(self.kind, SetKind):
            return Subset(cast("Term[Any]", self), _same(self, other, "<="))
        return Compare("<=", cast("Term[Any]", self), lift(other, cast("Kind[Any]", self.kind)))

    def __gt__(self: Term[int], other: Term[int] | int) -> Term[bool]:
        return Compare("<", lift(other, self.kind), self)

    @overload
    def __ge__(self: Term[int], other: Term[int] | int) -> Term[bool]: ...
    @overload
    def __ge__(self: Term[frozenset[X]], other: Term[frozenset[X]]) -> Term[bool]: ...
    def __ge__(self, other: Any) -> Any:
        if isinstance(self.kind, SetKind):
            return Subset(_same(self, other, ">="), cast("Term[Any]", self))
        return Compare("<=", lift(other, cast("Kind[Any]", self.kind)), cast("Term[Any]", self))

    # -- membership ----------------------------------------------------------------------------------------------
    @overload
    def in_(self: Term[X], collection: Term[frozenset[X]] | Term[tuple[X, ...]]) -> Term[bool]: ...
    @overload
    def in_(self: Term[X | None], collection: Term[frozenset[X]] | Term[tuple[X, ...]]) -> Term[bool]: ...
    def in_(self, collection: Any) -> Term[bool]:
        """Return the term "this is a member"; none is a member of nothing, and a list counts as its members."""
        if isinstance(collection, Term) and isinstance(collection.kind, ListKind):
            collection = Elems(collection)
        if not isinstance(collection, Term) or not isinstance(collection.kind, SetKind):
            raise refuse("in_", f"{collection!r} is neither a set nor a list", "write a term of a set or list kind")
        return Member(self, collection)

    @overload
    def becomes(self, value: Term[T] | T) -> Assign: ...
    @overload
    def becomes(self: Term[X | None], value: Term[X]) -> Assign: ...
    def becomes(self, value: Any) -> Assign:
        """Return the update "this state cell takes that value, read before the row"."""
        from .effects import Assign

        if not isinstance(self, Get):
            raise refuse("becomes", f"{self} is no state cell", "write a state variable, with its keys in brackets")
        return Assign(self, lift(value, self.kind))

    def __str__(self) -> str:
        from .render import text

        return text(self)

    def __repr__(self) -> str:
        return f"<{self}>"


def _truth(term: object, operator: str) -> Term[bool]:
    if not isinstance(term, Term):
        raise no_term(term, operator)
    if not isinstance(term.kind, BoolKind):
        raise refuse(f"the operand of {operator}", f"{term} is of kind {term.kind}, not Bool", "write a condition")
    return term


def _same(left: Term[Any], right: object, operator: str) -> Term[Any]:
    if not isinstance(right, Term) or right.kind != left.kind:
        kind = right.kind if isinstance(right, Term) else type(right).__name__
        raise refuse(f"the operands of {operator}", f"{left.kind} against {kind}", "use two terms of one kind")
    return right


def _flat(operator: Literal["and", "or"], left: Term[bool], right: Term[bool]) -> tuple[Term[bool], ...]:
    def parts(term: Term[bool]) -> tuple[Term[bool], ...]:
        return term.terms if isinstance(term, Nary) and term.operator == operator else (term,)

    return parts(left) + parts(right)


def lift(value: Term[T] | T, kind: Kind[T]) -> Term[T]:
    """Return a Python value as a literal of the kind, and a term as itself.

    Raises `TableError` for a Python bool (write TRUE or FALSE), and for a value or a term of another kind.
    """
    if isinstance(value, Term):
        own = value.kind
        if own is kind or own == kind or _coerces(own, kind):
            return value
        raise refuse("a value", f"{value} is of kind {value.kind}, not {kind}", f"write a term of kind {kind}")
    if isinstance(value, bool):
        raise refuse("a value", f"{value!r} is a Python bool, not a term", "write TRUE or FALSE")
    fits = (
        (isinstance(kind, (IntKind, ThresholdKind)) and isinstance(value, int))
        or (isinstance(kind, EnumKind) and isinstance(value, enum.Enum) and isinstance(value, kind.enum))
        or (isinstance(kind, OptionKind) and value is None)
    )
    if not fits:
        from .state import Nothing

        if isinstance(value, Nothing):
            raise refuse("a value", "NONE is how an option begins and no term", "write `none_of(KIND)`")
        raise refuse("a value", f"{value!r} is no value of kind {kind}", f"write a term of kind {kind}")
    return Lit(value, kind)


def _coerces(given: Kind[Any], wanted: Kind[Any]) -> bool:
    """Counters of different names mix freely (an epoch is an offset); an entity is accepted for the option that holds it."""
    if isinstance(given, IntKind) and isinstance(wanted, IntKind):
        return True
    return isinstance(wanted, OptionKind) and wanted.of == given


@dataclass(frozen=True, eq=False, repr=False)
class Lit(Term[T]):
    """A literal."""

    value: T
    kind: Kind[T]


@dataclass(frozen=True, eq=False, repr=False)
class Var(Term[T]):
    """A variable that an event, a quantifier, a comprehension, an `every` or a procedure binds."""

    name: str
    kind: Kind[T]


@dataclass(frozen=True, eq=False, repr=False)
class Get(Term[T]):
    """A read of a state cell; outside the range of a counter that is a key, the variable's initial value."""

    state: State[T]
    keys: tuple[Term[Any], ...]

    @property
    def kind(self) -> Kind[T]:  # type: ignore[override]
        return self.state.kind


@dataclass(frozen=True, eq=False, repr=False)
class Not(Term[bool]):
    """Negation."""

    term: Term[bool]
    kind = BOOL


@dataclass(frozen=True, eq=False, repr=False)
class Nary(Term[bool]):
    """A conjunction or a disjunction of two or more."""

    operator: Literal["and", "or"]
    terms: tuple[Term[bool], ...]
    kind = BOOL


@dataclass(frozen=True, eq=False, repr=False)
class Implies(Term[bool]):
    """An implication, kept as such because it reads as such."""

    left: Term[bool]
    right: Term[bool]
    kind = BOOL


@dataclass(frozen=True, eq=False, repr=False)
class Eq(Term[bool]):
    """Equality of two values of one kind; of lists, the order included."""

    left: Term[Any]
    right: Term[Any]
    kind = BOOL


@dataclass(frozen=True, eq=False, repr=False)
class Compare(Term[bool]):
    """An order of two numbers."""

    operator: Literal["<", "<="]
    left: Term[int]
    right: Term[int]
    kind = BOOL


@dataclass(frozen=True, eq=False, repr=False)
class Arith(Term[int]):
    """A sum, a difference or a product of two counters."""

    operator: Symbol
    left: Term[int]
    right: Term[int]

    @property
    def kind(self) -> Kind[int]:  # type: ignore[override]
        return self.left.kind


@dataclass(frozen=True, eq=False, repr=False)
class Ite(Term[T]):
    """One value where a condition holds, another where it does not."""

    condition: Term[bool]
    then: Term[T]
    otherwise: Term[T]

    @property
    def kind(self) -> Kind[T]:  # type: ignore[override]
        return self.then.kind if isinstance(self.then.kind, OptionKind) else self.otherwise.kind


@dataclass(frozen=True, eq=False, repr=False)
class Quant(Term[bool]):
    """A quantifier over every value of a variable's kind (an entity, a counter in its range, an enumeration)."""

    quantifier: Literal["every", "some"]
    var: Var[Any]
    body: Term[bool]
    kind = BOOL


@dataclass(frozen=True, eq=False, repr=False)
class Comprehension(Term[frozenset[X]]):
    """The set of the entities for which a condition holds."""

    var: Var[X]
    body: Term[bool]

    @property
    def kind(self) -> Kind[frozenset[X]]:  # type: ignore[override]
        return SetKind(self.var.kind)  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False, repr=False)
class SetOf(Term[frozenset[X]]):
    """The set of the given entities or options; a none adds nothing. `of` is the kind of its members."""

    of: EntityKind[Any]
    items: tuple[Term[Any], ...]

    @property
    def kind(self) -> Kind[frozenset[X]]:  # type: ignore[override]
        return SetKind(self.of)


@dataclass(frozen=True, eq=False, repr=False)
class Member(Term[bool]):
    """Membership of an entity or an option in a set."""

    item: Term[Any]
    collection: Term[frozenset[Any]]
    kind = BOOL


@dataclass(frozen=True, eq=False, repr=False)
class Subset(Term[bool]):
    """Inclusion of one set in another."""

    left: Term[frozenset[Any]]
    right: Term[frozenset[Any]]
    kind = BOOL


@dataclass(frozen=True, eq=False, repr=False)
class SetOp(Term[frozenset[X]]):
    """Intersection, union or difference of two sets."""

    operator: Literal["&", "|", "-"]
    left: Term[frozenset[X]]
    right: Term[frozenset[X]]

    @property
    def kind(self) -> Kind[frozenset[X]]:  # type: ignore[override]
        return self.left.kind


@dataclass(frozen=True, eq=False, repr=False)
class Elems(Term[frozenset[X]]):
    """The members of a list."""

    of: Term[tuple[X, ...]]

    @property
    def kind(self) -> Kind[frozenset[X]]:  # type: ignore[override]
        assert isinstance(self.of.kind, ListKind)
        return SetKind(self.of.kind.of)


@dataclass(frozen=True, eq=False, repr=False)
class Named(Term[T]):
    """A term with a name, and the arguments to show with it; every engine evaluates it once and keeps the name."""

    name: str
    shown: tuple[Term[Any], ...]
    term: Term[T]

    @property
    def kind(self) -> Kind[T]:  # type: ignore[override]
        return self.term.kind


@dataclass(frozen=True, eq=False, repr=False)
class Before(Term[T]):
    """A term read in the state before the row, inside a record's replay, which otherwise reads the state it is replayed on."""

    term: Term[T]

    @property
    def kind(self) -> Kind[T]:  # type: ignore[override]
        return self.term.kind


@dataclass(frozen=True, eq=False, repr=False)
class Next(Term[T]):
    """A term read in the state after the row, inside a step property."""

    term: Term[T]

    @property
    def kind(self) -> Kind[T]:  # type: ignore[override]
        return self.term.kind


TRUE: Term[bool] = Lit(True, BOOL)
FALSE: Term[bool] = Lit(False, BOOL)
