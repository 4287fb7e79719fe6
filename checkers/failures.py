"""Why a property is false: the entities for which it is, the conjunct that fails, and the values that make it fail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.document import Document
from fencepost.model.language import Always, Evaluation, EvaluationError, Step, Term, Valuation, Var, World
from fencepost.model.language.interpreter import CellKey, Value
from fencepost.model.language.kinds import BoolKind
from fencepost.model.language.render import text, value_text
from fencepost.model.language.terms import Before, Get, Implies, Lit, Named, Nary, Next, Not, Quant
from fencepost.model.language.walk import children, free, negation

MOST = 8
"""Values that are named of a conjunct; one that reads more is a quantifier over many entities."""


@dataclass(frozen=True)
class Failure(Document):
    """Why a property is false in a state, or of a step.

    `entities` are the variables of the property with the values for which it is false. `conditions` are those under
    which it claims something, and which hold; `conjunct` is the part of what it claims that does not. `values` are what
    the conjunct speaks of, as text, each with its value. `cells` are what the conditions and the conjunct read before
    and after (of a state: before); `bound` are the entities once more, as values.
    """

    DOCUMENT = "property entities:object conditions conjunct values:object"

    property: str
    entities: tuple[tuple[str, str], ...]
    conditions: tuple[str, ...]
    conjunct: str
    values: tuple[tuple[str, str], ...]
    cells: frozenset[CellKey]
    bound: tuple[tuple[Var[Any], Value], ...] = ()

    def lines(self) -> list[str]:
        """Return the failure as text: for whom, which conjunct of what, and its values."""
        for_whom = f" for {', '.join(f'{name}={value}' for name, value in self.entities)}" if self.entities else ""
        lines = [f"{self.property} is false{for_whom}:"]
        if self.conditions:
            lines.append(f"  although {' and '.join(self.conditions)}")
        lines.append(f"  what fails: {self.conjunct}")
        if self.values:
            lines.append(f"  where {', '.join(f'{name} = {value}' for name, value in self.values)}")
        return lines


class Noting(Valuation):
    """A state that notes which of its cells are read."""

    __slots__ = ("seen",)

    def __init__(self, state: Mapping[CellKey, Value], seen: set[CellKey]) -> None:
        super().__init__(state)
        self.seen = seen

    def read(self, state: Any, keys: tuple[Value, ...]) -> Value:
        """Return a cell's value, and note the cell."""
        self.seen.add((state, keys))
        return super().read(state, keys)

    def but(self, changes: Mapping[CellKey, Value]) -> Noting:
        """Return the state with some cells changed; it notes to the same place."""
        return Noting({**self, **changes}, self.seen)


def reads_of(term: Term[Any], state: Valuation, world: World, binding: Mapping[Var[Any], Value]) -> frozenset[CellKey]:
    """Return the cells that a term reads in a state."""
    seen: set[CellKey] = set()
    Evaluation(world, Noting(state, seen)).value(term, binding)
    return frozenset(seen)


@dataclass
class _Part:
    """A part of a property that has not the truth that it should have, and what was bound and assumed on the way."""

    term: Term[bool]
    wanted: bool
    binding: dict[Var[Any], Value]
    bound: list[Var[Any]]
    conditions: list[Term[bool]]


def failure_of(
    claim: Always | Step,
    state: Valuation,
    world: World,
    after: Valuation | None = None,
    binding: Mapping[Var[Any], Value] | None = None,
) -> Failure | None:
    """Return why a property is false in a state, or of a step where `after` is given; None where it is not false."""
    try:
        evaluation = Evaluation(world, state, after=after)
        if evaluation.value(claim.term, binding or {}):
            return None
        part = _Part(claim.term, True, dict(binding or {}), [], [])
        while _narrowed(part, evaluation, world):
            pass
        return _told(claim.id, part, state, world, after)
    except EvaluationError:
        return None


def _narrowed(part: _Part, evaluation: Evaluation, world: World) -> bool:
    """Go one step into the part that fails; return whether there was one to go."""
    term, wanted = part.term, part.wanted
    match term:
        case Named():
            part.term = term.term
        case Not():
            part.term, part.wanted = term.term, not wanted
        case Next(term=inner) if (pushed := _inward(Next, inner)) is not None:
            part.term = pushed
        case Before(term=inner) if (pushed := _inward(Before, inner)) is not None:
            part.term = pushed
        case Implies() if wanted:
            part.conditions.append(term.left)
            part.term = term.right
        case Nary() if (term.operator == "and") is wanted:
            part.term = next(t for t in term.terms if bool(evaluation.value(t, part.binding)) is not wanted)
        case Quant() if (term.quantifier == "every") is wanted:
            inside = [{**part.binding, term.var: x} for x in world.values(term.var.kind)]
            part.binding = next(b for b in inside if bool(evaluation.value(term.body, b)) is not wanted)
            part.bound.append(term.var)
            part.term = term.body
        case _:
            return False
    return True


def _inward(mark: Any, inner: Term[bool]) -> Term[bool] | None:
    """Return a condition under a mark as one whose parts stand under it, None for one that has no parts."""
    match inner:
        case Named():
            return _inward(mark, inner.term)
        case Not():
            return Not(mark(inner.term))
        case Implies():
            return Implies(mark(inner.left), mark(inner.right))
        case Nary():
            return Nary(inner.operator, tuple(mark(t) for t in inner.terms))
        case Quant():
            return Quant(inner.quantifier, inner.var, mark(inner.body))
    return None


def _told(id: str, part: _Part, state: Valuation, world: World, after: Valuation | None) -> Failure:
    conjunct = part.term if part.wanted else negation(part.term)
    seen: set[CellKey] = set()
    noting = Evaluation(world, Noting(state, seen), after=None if after is None else Noting(after, seen))
    noting.value(conjunct, part.binding)
    of_conjunct = set(seen)
    for condition in part.conditions:
        noting.value(condition, part.binding)
    plain = Evaluation(world, state, after=after)
    values: dict[str, str] = {}
    covered: set[CellKey] = set()
    for one in _spoken(conjunct, part.binding):
        values.setdefault(text(one), value_text(plain.value(one, part.binding)))
        if after is None:
            covered |= reads_of(one, state, world, part.binding)
    if after is None:
        for cell in sorted(of_conjunct - covered, key=cell_text):
            values.setdefault(cell_text(cell), value_text(state.read(*cell)))
    return Failure(
        id,
        tuple((v.name, value_text(part.binding[v])) for v in part.bound),
        tuple(dict.fromkeys(_paren(one) for one in part.conditions)),
        text(conjunct),
        tuple(values.items())[:MOST],
        frozenset(seen),
        tuple((v, part.binding[v]) for v in part.bound),
    )


def _paren(term: Term[bool]) -> str:
    inner = text(term)
    return (
        f"({inner})"
        if isinstance(term, (Implies, Quant)) or (isinstance(term, Nary) and term.operator == "or")
        else inner
    )


def _spoken(conjunct: Term[bool], binding: Mapping[Var[Any], Value]) -> list[Term[Any]]:
    """Return the cells and the named values that a conjunct speaks of, the outermost, all with a value here."""
    found: dict[Term[Any], None] = {}

    def visit(node: Term[Any], mark: Any) -> None:
        if isinstance(node, (Next, Before)):
            visit(node.term, type(node))
            return
        plain = isinstance(node, Named) and not isinstance(node.kind, BoolKind) and not isinstance(node.term, Lit)
        if (plain or isinstance(node, Get)) and free(node) <= binding.keys():
            found[node if mark is None else mark(node)] = None
            return
        for child in children(node):
            visit(child, mark)

    visit(conjunct, None)
    return list(found)


def cell_text(cell: CellKey) -> str:
    """Return a cell as it is read: its variable with its keys."""
    state, keys = cell
    return state.name + (f"[{', '.join(value_text(k) for k in keys)}]" if keys else "")


__all__ = ["Failure", "Noting", "cell_text", "failure_of", "reads_of"]
