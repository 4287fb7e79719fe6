"""The plain interpreter: rows run one at a time on Python values, slow and obvious; it confirms every counterexample."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, assert_never, cast

from .effects import Stage, Update
from .errors import EvaluationError
from .kinds import BoolKind, EntityKind, EnumKind, IntKind, Kind, ListKind, OptionKind, SetKind, ThresholdKind
from .nodes import (
    Before,
    Comprehension,
    Each,
    Get,
    Implies,
    Ite,
    Lit,
    MaxOf,
    Named,
    Nary,
    Next,
    Quant,
    Structure,
    Term,
    Var,
)
from .operators import operator_of
from .records import Record
from .render import value_text
from .state import State
from .tables import Row
from .walk import children, conjuncts, free

Value = Any
Binding = Mapping[Var[Any], Value]
CellKey = tuple[State[Any], tuple[Value, ...]]


class WrittenTwice(EvaluationError):
    """One stage of a row writes a cell twice with different values, which has no meaning."""


@dataclass(frozen=True, slots=True)
class World:
    """The values there are: the entities of each sort, and the range of each counter and threshold, both ends included."""

    entities: Mapping[str, tuple[Value, ...]]
    ranges: Mapping[str, tuple[int, int]]

    @staticmethod
    def of(sizes: Mapping[str, int], kinds: tuple[Kind[Any], ...]) -> World:
        """Return the world of a bound: entities 0..n-1 of each sort, counters from their start to the bound."""
        entities = {k.name: tuple(range(sizes[k.name])) for k in kinds if isinstance(k, EntityKind)}
        ranges = {k.name: (k.lo, sizes[k.name]) for k in kinds if isinstance(k, IntKind)}
        ranges |= {k.name: (1, sizes[k.name]) for k in kinds if isinstance(k, ThresholdKind)}
        return World(entities, ranges)

    def values(self, kind: Kind[Any]) -> tuple[Value, ...]:
        """Return every value of a kind, in a fixed order."""
        match kind:
            case BoolKind():
                return (False, True)
            case EnumKind():
                return tuple(cast(Iterable[Any], kind.enum))
            case EntityKind():
                return self.entities[kind.name]
            case IntKind() | ThresholdKind():
                low, high = self.ranges[kind.name]
                return tuple(range(low, high + 1))
            case OptionKind():
                return (None, *self.values(kind.of))
            case SetKind():
                inside = self.values(kind.of)
                return tuple(
                    frozenset(chosen) for n in range(len(inside) + 1) for chosen in itertools.combinations(inside, n)
                )
            case ListKind():
                inside = self.values(kind.of)
                return tuple(chosen for n in range(len(inside) + 1) for chosen in itertools.permutations(inside, n))
        raise AssertionError(f"no values of {kind}")


class Valuation(Mapping[CellKey, Value]):
    """A state: the cells that differ from their initial value. Frozen, hashable; the initial value is read elsewhere."""

    __slots__ = ("_cells", "_hash")

    def __init__(self, cells: Mapping[CellKey, Value] | None = None) -> None:
        self._cells = {
            key: value for key, value in (cells or {}).items() if key[0].initial is None or initial(key[0]) != value
        }
        self._hash: int | None = None

    def __getitem__(self, key: CellKey) -> Value:
        return self._cells[key]

    def __iter__(self) -> Iterator[CellKey]:
        return iter(self._cells)

    def __len__(self) -> int:
        return len(self._cells)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self._cells.items()))
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Valuation) and self._cells == other._cells

    def read(self, state: State[Any], keys: tuple[Value, ...]) -> Value:
        """Return a cell's value; raises `EvaluationError` for one that has neither a value nor an initial one."""
        found = self._cells.get((state, keys), _MISSING)
        if found is not _MISSING:
            return found
        if state.initial is None:
            raise EvaluationError(f"{state.name}{list(keys)} has no value")
        return initial(state)

    def but(self, changes: Mapping[CellKey, Value]) -> Valuation:
        """Return the state with some cells changed."""
        return Valuation({**self._cells, **changes}) if changes else self


_MISSING = object()


def initial(state: State[Any]) -> Value:
    """Return the declared initial value of a variable that has one."""
    assert isinstance(state.initial, Lit)
    return state.initial.value


class Evaluation:
    """Terms evaluated in one state: with the state before the row for `Before`, and the one after it for `Next`."""

    def __init__(
        self,
        world: World,
        state: Valuation,
        before: Valuation | Evaluation | None = None,
        after: Valuation | None = None,
    ) -> None:
        self.world, self.state = world, state
        earlier = Evaluation(world, before) if isinstance(before, Valuation) else before
        self._before = self if earlier is None else earlier
        self._after = Evaluation(world, after) if after is not None else None
        self._memo: dict[tuple[Any, ...], Value] = {}

    def at(self, state: Valuation) -> Evaluation:
        """Return the evaluation of terms in a state inside a row, which this one is the evaluation before.

        Where nothing has been applied yet both states are one, and so is what has been evaluated in them.
        """
        return self if state is self.state else Evaluation(self.world, state, self)

    def value(self, term: Term[Any], binding: Binding) -> Value:
        """Return the term's value; raises `EvaluationError` where it has none."""
        if isinstance(term, (Lit, Var)):
            return self._value(term, binding)
        variables = _ordered.get(term)
        if variables is None:
            variables = _ordered[term] = tuple(sorted(free(term), key=lambda v: v.name))
        key: tuple[Any, ...] = (term, *(binding.get(v, _MISSING) for v in variables))
        found = self._memo.get(key, _MISSING)
        if found is _MISSING:
            found = self._memo[key] = self._value(term, binding)
        return found

    def _value(self, term: Term[Any], b: Binding) -> Value:
        value, operator = self.value, operator_of(term)
        if operator is not None:
            return operator.apply(*[value(one, b) for one in children(term)])
        node = cast(Structure, term)
        match node:
            case Lit():
                return node.value
            case Var():
                if node not in b:
                    raise EvaluationError(f"{node.name} is not bound")
                return b[node]
            case Get():
                return self.state.read(node.state, tuple(value(key, b) for key in node.keys))
            case Nary(operator="and"):
                return all(value(t, b) for t in node.terms)
            case Nary():
                return any(value(t, b) for t in node.terms)
            case Implies():
                return not value(node.left, b) or value(node.right, b)
            case Ite():
                return value(node.then if value(node.condition, b) else node.otherwise, b)
            case Quant():
                each = (value(node.body, {**b, node.var: x}) for x in self.world.values(node.var.kind))
                return all(each) if node.quantifier == "every" else any(each)
            case Comprehension():
                return frozenset(x for x in self.world.values(node.var.kind) if value(node.body, {**b, node.var: x}))
            case MaxOf():
                found = [x for x in self.world.values(node.var.kind) if value(node.body, {**b, node.var: x})]
                return max(found) if found else value(node.default, b)
            case Each():
                return tuple(value(node.body, {**b, node.var: x}) for x in value(node.along, b))
            case Named():
                return value(node.term, b)
            case Before():
                return self._before.value(node.term, b)
            case Next():
                if self._after is None:
                    raise EvaluationError("there is no next state here")
                return self._after.value(node.term, b)
        assert_never(node)


_ordered: dict[Term[Any], tuple[Var[Any], ...]] = {}
"""The free variables of terms that have been evaluated, in a fixed order: what a memo's key is made of."""


@dataclass(frozen=True, slots=True)
class RecordValue:
    """A record as a row writes it: the values of its entities and of the fields that it says, by the model's names."""

    record: Record
    fields: Mapping[str, Value]

    def __str__(self) -> str:
        return f"{self.record.name}({', '.join(f'{name}={value_text(value)}' for name, value in self.fields.items())})"


@dataclass(frozen=True, slots=True)
class Execution:
    """A row that ran: its binding, its records by stage, the state after every stage, its answer."""

    row: Row
    binding: Binding
    before: Valuation
    records: tuple[tuple[RecordValue, ...], ...]
    states: tuple[Valuation, ...]
    answer: Value
    throws: str

    @property
    def after(self) -> Valuation:
        """The state after the whole row."""
        return self.states[-1] if self.states else self.before


def run(row: Row, binding: Binding, state: Valuation, world: World) -> Execution:
    """Run a row whose guard holds.

    Raises `EvaluationError` where a term has no value, `WrittenTwice` where a stage writes a cell with different values.
    """
    current, states, records = state, [], []
    before = Evaluation(world, state)
    for stage in row.stages:
        records.append(written(stage, binding, before))
        current = applied(stage, binding, before.at(current))
        states.append(current)
    answer = before.value(row.say, binding) if row.say is not None else None
    return Execution(row, binding, state, tuple(records), tuple(states), answer, row.throws)


def part(
    row: Row, binding: Binding, state: Valuation, world: World, stage: int, chosen: frozenset[tuple[Value, ...]]
) -> Valuation:
    """Return the state in the middle of a row: the stages before `stage`, and of that one the updates for the chosen
    bindings of its `every` variables."""
    current, before = state, Evaluation(world, state)
    for one in row.stages[:stage]:
        current = applied(one, binding, before.at(current))
    return applied(row.stages[stage], binding, before.at(current), chosen)


def written(stage: Stage, binding: Binding, evaluation: Evaluation) -> tuple[RecordValue, ...]:
    """Return the records of a stage, read in the state before the row, in the order of their bindings (which is open)."""
    found = []
    for one in stage.written:
        for inner in bindings(one.binders, binding, evaluation.world):
            if evaluation.value(one.when, inner):
                fields = {
                    g.field: evaluation.value(g.value, inner) for g in one.fields if evaluation.value(g.said, inner)
                }
                found.append(RecordValue(one.record, fields))
    return tuple(found)


def bindings(variables: tuple[Var[Any], ...], binding: Binding, world: World) -> Iterator[dict[Var[Any], Value]]:
    """Yield the binding extended by every combination of values of the variables."""
    for values in itertools.product(*(world.values(v.kind) for v in variables)):
        yield {**binding, **dict(zip(variables, values, strict=True))}


def applied(
    stage: Stage, binding: Binding, evaluation: Evaluation, chosen: frozenset[tuple[Value, ...]] | None = None
) -> Valuation:
    """Return the state after a stage, which starts where terms are evaluated; of its updates those for the chosen
    bindings of its `every` variables, where these are given.

    Raises `EvaluationError` where a term has no value, `WrittenTwice` where it writes a cell with different values.
    """
    depth = max((len(w.binders) for w in stage.written), default=0)
    changes: dict[CellKey, Value] = {}
    for update in stage.updates:
        for inner in bindings(update.binders, binding, evaluation.world):
            if chosen is not None and tuple(inner[v] for v in update.binders[:depth]) not in chosen:
                continue
            if evaluation.value(update.when, inner):
                _set(changes, update, evaluation, inner)
    return evaluation.state.but(changes)


def _set(changes: dict[CellKey, Value], update: Update, evaluation: Evaluation, binding: Binding) -> None:
    cell = (update.target.state, tuple(evaluation.value(key, binding) for key in update.target.keys))
    value = evaluation.value(update.value, binding)
    if cell in changes and changes[cell] != value:
        raise WrittenTwice(f"{cell[0].name}{list(cell[1])} is written twice in one stage: {changes[cell]} and {value}")
    changes[cell] = value


def satisfying(
    guard: Term[bool], params: tuple[Var[Any], ...], state: Valuation, world: World
) -> Iterator[dict[Var[Any], Value]]:
    """Yield every binding of the parameters under which the guard holds in the state.

    Each conjunct is asked as soon as its variables are bound; apart from that every combination is tried.
    """
    evaluation = Evaluation(world, state)

    def extend(
        index: int, binding: dict[Var[Any], Value], left: tuple[Term[bool], ...]
    ) -> Iterator[dict[Var[Any], Value]]:
        ready = [c for c in left if free(c) <= binding.keys()]
        if not all(evaluation.value(c, binding) for c in ready):
            return
        if index == len(params):
            yield binding
            return
        rest = tuple(c for c in left if c not in ready)
        for value in world.values(params[index].kind):
            yield from extend(index + 1, {**binding, params[index]: value}, rest)

    yield from extend(0, {}, conjuncts(guard))
