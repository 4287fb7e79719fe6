"""Effects: what a row does, as simultaneous updates, updates of every element, and records that are replayed in order.

Every value is read in the state before the row. The effects of a row fall into **stages**, applied one after the other:
each write of a record (or of a record for every element) is a stage, and so is each run of plain updates between them.
Inside a stage the order is free; what holds *after every record* is evaluated with any part of a stage applied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from .errors import refuse
from .kinds import BOOL
from .terms import Get, Term, Var, lift

if TYPE_CHECKING:
    from .records import Record


@dataclass(frozen=True)
class Assign:
    """One state cell takes a value."""

    target: Get[Any]
    value: Term[Any]


@dataclass(frozen=True)
class Every:
    """The effects for every value of a variable for which a condition holds, all at once."""

    var: Var[Any]
    when: Term[bool]
    body: tuple[Effect, ...]


@dataclass(frozen=True)
class Only:
    """The effects where a condition holds, and nothing where it does not."""

    when: Term[bool]
    body: tuple[Effect, ...]


@dataclass(frozen=True)
class Together:
    """Effects in one stage, their records in any order."""

    body: tuple[Effect, ...]


@dataclass(frozen=True)
class Given:
    """A field of a write: its value, and the condition under which it is given."""

    field: str
    said: Term[bool]
    value: Term[Any]


@dataclass(frozen=True)
class Write:
    """A record is written (and replayed), provided it says anything."""

    record: Record
    fields: tuple[Given, ...]


@dataclass(frozen=True)
class Procedure:
    """A named effect with formal parameters, shared by rows; engines may keep it as a function."""

    name: str
    formals: tuple[Var[Any], ...]
    body: tuple[Effect, ...]
    about: str
    positional: int


@dataclass(frozen=True)
class Applied:
    """A procedure applied to terms; `shown` are the arguments that differ from the defaults, for rendering."""

    procedure: Procedure
    arguments: tuple[Term[Any], ...]
    shown: tuple[tuple[str, Term[Any]], ...]


Effect: TypeAlias = Assign | Every | Only | Together | Write | Applied
Effects: TypeAlias = "Effect | Iterable[Effects] | None"


def flat(effects: object) -> tuple[Effect, ...]:
    """Return nested effects as one sequence; raises `TableError` for anything that is no effect."""
    if effects is None:
        return ()
    if isinstance(effects, (Assign, Every, Only, Together, Write, Applied)):
        return (effects,)
    if isinstance(effects, (str, Term)) or not isinstance(effects, Iterable):
        raise refuse(
            "an effect", f"{effects!r} is no effect", "write `.becomes(...)`, `every(...)`, a record or a procedure"
        )
    return tuple(one for effect in effects for one in flat(effect))


def every(var: Term[Any], condition: Term[bool], *effects: Effects) -> Every:
    """Return the effects for every value of the variable for which the condition holds."""
    if not isinstance(var, Var):
        raise refuse("every", f"{var!r} is no variable", 'bind a variable, as in `p = PARTITION.var("p")`')
    if not isinstance(condition, Term) or condition.kind != BOOL:
        raise refuse("every", f"{condition!r} is no condition", "write a term of kind Bool, TRUE for all of them")
    return Every(var, condition, flat(effects))


def only_if(condition: Term[bool], *effects: Effects) -> Only:
    """Return the effects where the condition holds."""
    if not isinstance(condition, Term) or condition.kind != BOOL:
        raise refuse("only_if", f"{condition!r} is no condition", "write a term of kind Bool")
    return Only(condition, flat(effects))


def together(*effects: Effects) -> Together:
    """Return the effects as one stage: the order of their records is free."""
    return Together(flat(effects))


def procedure(*formals: Term[Any], **defaults: Any) -> Callable[[Callable[..., object]], Callable[..., Applied]]:
    """Make a function of terms a procedure.

    `formals` are its parameters, in order; `defaults` are further ones by name, each a pair of a variable and a function
    from the first formals to the term it takes where a call leaves it out.
    """
    fixed = tuple(formal for formal in formals if isinstance(formal, Var))
    named: dict[str, tuple[Var[Any], Callable[..., Term[Any]]]] = dict(defaults)

    def make(function: Callable[..., object]) -> Callable[..., Applied]:
        variables = fixed + tuple(var for var, _ in named.values())
        body = flat(function(*variables))
        about = (function.__doc__ or "").strip().split("\n")[0]
        made = Procedure(function.__name__.rstrip("_"), variables, body, about, len(fixed))

        def call(*arguments: Term[Any], **others: Term[Any]) -> Applied:
            unknown = set(others) - set(named)
            if len(arguments) != len(fixed) or unknown:
                raise refuse(
                    made.name,
                    f"called with {len(arguments)} arguments" + (f" and unknown {sorted(unknown)}" if unknown else ""),
                    f"give {len(fixed)} arguments and, by name, any of {sorted(named)}",
                )
            rest = tuple(others.get(name, default(*arguments)) for name, (_, default) in named.items())
            for var, argument in zip(variables, (*arguments, *rest), strict=True):
                lift(argument, var.kind)
            shown = tuple((name, term) for name, term in others.items())
            return Applied(made, (*arguments, *rest), shown)

        call.__doc__ = function.__doc__
        call.__name__ = function.__name__
        call.procedure = made  # type: ignore[attr-defined]
        return call

    return make


@dataclass(frozen=True)
class Update:
    """One primitive update of a stage: for every binding of `binders` under `when`, the target takes the value.

    Keys, condition and value are read in the state that the stage starts from, save operands of `Before`, which are
    read in the state before the row. `record` is the index of the stage's write that it belongs to, None for a plain update.
    """

    binders: tuple[Var[Any], ...]
    when: Term[bool]
    target: Get[Any]
    value: Term[Any]


@dataclass(frozen=True)
class Written:
    """The record of a stage: for every binding of `binders` under `when`, a record with these fields (read before the row)."""

    record: Record
    binders: tuple[Var[Any], ...]
    when: Term[bool]
    fields: tuple[Given, ...]


@dataclass(frozen=True)
class Stage:
    """Updates that are applied at once, and the records that make them, if records do."""

    written: tuple[Written, ...]
    updates: tuple[Update, ...]
