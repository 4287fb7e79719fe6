"""The properties of a protocol, evaluated in the states of a log: only where a record touched a cell that they read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fencepost.checkers.conformance.classes.changes import Cell
from fencepost.checkers.conformance.classes.frames import UNKNOWN, Code, Env, Frame, values
from fencepost.checkers.conformance.classes.siblings import Sibling, sibling_of
from fencepost.checkers.conformance.evaluation.indexes import FEW, Selector, in_order, selector
from fencepost.checkers.conformance.evaluation.inert import is_inert
from fencepost.checkers.conformance.evaluation.kleene import Compiler
from fencepost.checkers.conformance.evaluation.premises import Premises, parts_of
from fencepost.checkers.conformance.records.wire import entity_text
from fencepost.checkers.conformance.results.results import PropertyEvidence
from fencepost.model.language import Always, Step, Term, Var
from fencepost.model.language.kinds import EntityKind
from fencepost.model.language.properties import AFTER_EVERY_RECORD
from fencepost.model.language.terms import Eq, Get, Named, Quant
from fencepost.model.language.walk import bound, children, free, nodes

from .replay import HardState, Layout
from .touched import Touched

if TYPE_CHECKING:
    from fencepost.checkers.conformance.matching.parsing import Block

Claim = Always | Step

Pattern: TypeAlias = tuple[tuple[Any, ...] | None, ...]
"""Instances of a claim: for each of its variables the values that are meant, None for all."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A property that does not hold: of which entities, by the names of the variables that range over them."""

    claim: Claim
    instance: tuple[tuple[str, str, Any], ...]

    @property
    def entity(self) -> str:
        """The entities as text."""
        return ", ".join(f"{name}={entity_text(value)}" for name, _, value in self.instance)

    @property
    def entities(self) -> tuple[tuple[str, Any], ...]:
        """The entities, each with its sort."""
        return tuple((sort, value) for _, sort, value in self.instance)


@dataclass(frozen=True, slots=True)
class Through:
    """The values of a variable for which an inner quantifier reads a cell of an entity, the key at a place.

    Where its `body` is `settled` whatever the variable is, the quantifier asks nothing of the entity.
    """

    var: Var[Any]
    inner: Var[Any]
    at: int
    select: Selector
    body: Code
    settled: bool
    sibling: Sibling | None = None

    def found(self, keys: tuple[Any, ...], before: Frame) -> list[Collection[Any]] | None:
        """Return those that an index leaves in the state before a change of the cell, and after it; None for any."""
        env: Env = {self.inner: keys[self.at]}
        found: list[Collection[Any]] = []
        for frame in self.asking(keys[self.at], before):
            some = self.select(frame, env)
            if some is None:
                return None
            # The first index that leaves so few was the last one asked: others may leave out some of them.
            if len(some) <= FEW:
                some = [one for one in some if self.body(frame, {**env, self.var: one}) is not self.settled]
            found.append(some)
        return found

    def asking(self, key: Any, before: Frame) -> Iterator[Frame]:
        """Yield the state before a change, and that after it, where the quantifier asks something of an entity."""
        for frame in (before,) if before.after is None else (before, before.after):
            if self.body(frame, {self.inner: key}) is not self.settled:
                yield frame

    def values(self, keys: tuple[Any, ...], before: Frame) -> tuple[Any, ...] | None:
        """Return the values in the state before a change of the cell, and after it; None where any may be."""
        found = self.found(keys, before)
        if found is None:
            return None
        seen = [one for some in found for one in in_order(before, self.var, some) or ()]
        return tuple(dict.fromkeys(seen))


@dataclass(frozen=True, eq=False)
class Plan:
    """A claim, or one of the claims that it is the conjunction of, by the variables for all of whose values it is made.

    `told` are these in the claim's order.
    `reads` are the tables that it reads, each with the instances that a changed cell affects: for each variable
    the place of its value among the cell's keys, how to find its values, or None where any may be concerned. With
    `by_entity` a cell of the sort that has classes concerns none but its own entity, with `sibling` that, and the one
    whose sibling it is; one that is `inert` says nothing of what does not change.
    """

    claim: Claim
    part: int
    vars: tuple[Var[Any], ...]
    told: tuple[Var[Any], ...]
    term: Term[bool]
    compiler: Compiler
    reads: Mapping[int, frozenset[tuple[int | Through | None, ...]]]
    by_entity: bool = False
    inert: bool = False
    sibling: Sibling | None = None

    @cached_property
    def body(self) -> Code:
        """The claim of each instance, compiled at first use."""
        return self.compiler.code(self.term)

    @cached_property
    def premises(self) -> Premises:
        """The changes that make an instance true where it is false."""
        return Premises(self.term, self.vars, self.compiler)

    @cached_property
    def every(self) -> Pattern:
        """The pattern of all its instances."""
        return (None,) * len(self.vars)

    @property
    def whole(self) -> bool:
        """Whether the step of the property is a whole result."""
        return self.claim.scope != AFTER_EVERY_RECORD


class Claims:
    """The properties of a protocol prepared for any number of logs; lemmas claim nothing and are left out.

    `failovers` are further claims, of a change of the leader; those with variables that the protocol does not have are
    left out. Of those that are about no row only the ones that `asks` allows are evaluated.
    """

    def __init__(
        self, layout: Layout, failovers: Sequence[Step] = (), asks: Callable[[Claim], bool] = lambda _: True
    ) -> None:
        read = {one: {node.state for node in nodes(one.term) if isinstance(node, Get)} for one in failovers}
        self.failovers = [_plan(one, layout) for one in failovers if read[one] <= layout.numbers.keys()]
        self.plans: list[Plan] = []
        self.of_rows: dict[str, list[Plan]] = {}
        self.ids: list[str] = []
        for claim in layout.protocol.properties:
            if isinstance(claim, Step) or (isinstance(claim, Always) and not claim.lemma):
                self.ids.append(claim.id)
                rows = claim.rows if isinstance(claim, Step) else ()
                if not rows:
                    self.plans += _parts(claim, layout) if asks(claim) else ()
                    continue
                plans = _parts(claim, layout) if isinstance(claim, Step) and claim.left_out else [_plan(claim, layout)]
                for row in rows:
                    self.of_rows.setdefault(row, []).extend(plans)
        self.of_records = [plan for plan in self.plans if not plan.whole]
        self.of_results = [plan for plan in self.plans if plan.whole]

    def of_block(self, block: Block) -> Iterator[tuple[Plan, Mapping[Var[Any], Any]]]:
        """Yield the claims about rows that a block's result has to keep, each with the parameters that it may read.

        Where several rows may have written the result, these are the claims of all of them that read no parameters.
        """
        first, *others = block.edges or (None,)
        if first is None or first.row is None:
            return
        if not others:
            for plan in self.of_rows.get(first.row.id, ()):
                # A claim of all rows but some reads no parameter of any: it is evaluated by class for any entity.
                yield plan, first.binding if is_by_name(plan) else {}
        elif all(one.row is not None and (one.start, one.end) == (block.start, block.end) for one in block.edges):
            yield from ((plan, {}) for plan in self.of_each(block.rows))

    def of_each(self, rows: Collection[str]) -> list[Plan]:
        """Return the claims of every one of some rows that read none of their parameters."""
        found = []
        for plan in self.of_rows.get(min(rows), ()):
            claim = plan.claim
            if isinstance(claim, Step) and not claim.by_name and set(rows) <= set(claim.rows):
                found.append(plan)
        return found


class Known:
    """What is known of claims without evaluating each instance: nothing, unless a subclass knows more."""

    uses_indexes = True
    """Whether an index may leave out instances."""

    def answered(self, plans: Sequence[Plan], touched: Touched, before: Frame) -> Mapping[Plan, Collection[Any]]:
        """Return the claims that are known to hold of the touched cells, and count their instances.

        Each has the entities of the classed sort for which it is still to be evaluated.
        """
        return {}

    def of_row(
        self, plan: Plan, binding: Mapping[Var[Any], Any], touched: Touched, before: Frame
    ) -> Collection[Any] | None:
        """Return of which touched entities a claim about a row is not known to hold, None for all touched cells."""
        return None

    def begun(self, plans: Sequence[Plan], frame: Frame) -> Set[Plan]:
        """Return the claims that are known to hold in the first state of a log, and count their instances."""
        return frozenset()


NOTHING_KNOWN: Final = Known()


class Properties:
    """The properties of a protocol over one log's state; `known` is what need not be evaluated for each instance.

    An `always` is reported where it begins to be false; a `step` wherever it is. Instances over what the log does not
    show are counted as unknown.
    """

    def __init__(self, claims: Claims, state: HardState) -> None:
        self.claims, self.state = claims, state
        self.known = NOTHING_KNOWN
        self.evidence = {id: PropertyEvidence() for id in claims.ids}
        self.broken: defaultdict[tuple[str, int], set[tuple[Any, ...]]] = defaultdict(set)

    def turn(self, claims: Claims, state: HardState) -> Properties:
        """Return the properties of another protocol over the state that goes on; what was counted and broken stays."""
        other = Properties(claims, state)
        other.evidence = {**other.evidence, **self.evidence}
        other.broken = self.broken
        return other

    def is_broken(self, plan: Plan) -> bool:
        """Whether an instance of a claim is false, which may hold again: it is evaluated singly."""
        return bool(self.broken[plan.claim.id, plan.part])

    def counts(self) -> dict[str, tuple[int, int, int]]:
        """Return what was counted of each claim so far."""
        return {id: (one.judged, one.with_premise, one.unknown) for id, one in self.evidence.items()}

    def count_again(self, counts: Mapping[str, tuple[int, int, int]]) -> None:
        """Continue counting from the values of `counts`."""
        self.evidence = self.evidence | {id: PropertyEvidence(*some) for id, some in counts.items()}

    def after_record(self, touched: Touched, before: Frame) -> Iterator[Broken]:
        """Yield what a record broke: the cells that it touched, and the state before it."""
        yield from self._after(self.claims.of_records, touched, before)

    def after_result(self, touched: Touched, before: Frame) -> Iterator[Broken]:
        """Yield what a whole result broke."""
        yield from self._after(self.claims.of_results, touched, before)

    def _after(self, plans: Sequence[Plan], touched: Touched, before: Frame) -> Iterator[Broken]:
        answered = self.known.answered(plans, touched, before)
        by_number: dict[int, list[Cell]] = {}
        for cell in () if len(answered) == len(plans) else touched.cells():
            by_number.setdefault(cell[0], []).append(cell)
        for plan in plans:
            if plan in answered:
                cells = self._left(plan, touched, answered[plan])
            else:
                cells = [cell for number, some in by_number.items() if number in plan.reads for cell in some]
            if cells:
                yield from self.ask(plan, cells, before)

    @staticmethod
    def _left(plan: Plan, touched: Touched, left: Collection[Any] | None) -> list[Cell]:
        """Return the touched cells that a claim reads; with `left` only those of some entities."""
        if left is None:
            return [cell for cell in touched.cells() if cell[0] in plan.reads]
        return [cell for cell in touched.of(left) if cell[0] in plan.reads] if left else []

    def of_block(self, block: Block, touched: Touched, before: Frame) -> Iterator[Broken]:
        """Yield the steps that are claimed of a block's row and do not hold of its result.

        A claim that is inert is evaluated for the cells that the result touched.
        """
        for plan, binding in self.claims.of_block(block):
            if plan.inert:
                left = self.known.of_row(plan, binding, touched, before)
                yield from self.ask(plan, self._left(plan, touched, left), before, binding)
                continue
            for _ in self.instances(plan, [plan.every], before, env := dict(binding), 0):
                found = plan.body(before, env)
                if self.count(plan, found) is False:
                    yield self._told(plan, env)

    def after_failover(self, before: Frame) -> Iterator[Broken]:
        """Yield what a change of the leader broke of the claims about it; they are not counted."""
        for plan in self.claims.failovers:
            env: Env = {}
            for _ in self.state.bindings(plan.vars, env):
                if plan.body(before, env) is False:
                    yield self._told(plan, env)

    def begin(self) -> Iterator[Broken]:
        """Yield the instances that are false in the first state of the log; where it goes on, none is repeated."""
        frame = self.state.frame
        plans = [plan for plan in self.claims.plans if isinstance(plan.claim, Always)]
        answered = self.known.begun(plans, frame)
        for plan in plans:
            if plan not in answered:
                cells = ((number, keys) for number in sorted(plan.reads) for keys in frame.tables[number])
                yield from self.ask(plan, cells, frame)

    # -- asking ----------------------------------------------------------------------------------------------------
    def ask(
        self, plan: Plan, touched: Iterable[Cell], before: Frame, binding: Mapping[Var[Any], Any] | None = None
    ) -> Iterator[Broken]:
        """Yield the instances of a claim that cells which were touched have broken, its other variables as bound."""
        patterns: dict[Pattern, None] = {}
        met: set[Any] = set()
        for number, keys in touched:
            for pattern in plan.reads.get(number, ()):
                # Cells of one entity that an inner quantifier ranges over concern the same.
                how = tuple([at if at is None else keys[at if isinstance(at, int) else at.at] for at in pattern])
                if (pattern, how) not in met:
                    met.add((pattern, how))
                    patterns[tuple([concerned_by(at, keys, before) for at in pattern])] = None
        if not patterns:
            return
        step = isinstance(plan.claim, Step)
        frame = before if step else self.state.frame
        broken = self.broken[plan.claim.id, plan.part]
        env: Env = {} if binding is None else dict(binding)
        for instance in self.instances(plan, tuple(patterns), frame, env, 0):
            found = self.count(plan, plan.body(frame, env))
            if found is False and (step or instance not in broken):
                if not step:
                    broken.add(instance)
                yield self._told(plan, env)
            elif found is True and not step:
                broken.discard(instance)

    def instances(
        self, plan: Plan, patterns: Sequence[Pattern], frame: Frame, env: Env, at: int
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the instances of any of some patterns under which no premise is false, each once.

        `env` is bound to each in turn.
        """
        if at == len(plan.vars):
            yield tuple([env.get(var, UNKNOWN) for var in plan.vars])
            return
        var = plan.vars[at]
        every = [one for one in patterns if one[at] is None]
        named: dict[Any, list[Pattern]] = {}
        for one in patterns:
            for value in one[at] or ():
                named.setdefault(value, []).append(one)
        evidence, premises = self.evidence[plan.claim.id], plan.premises.codes[at]
        in_turn: Collection[Any] = named
        if every:
            in_turn = self._tried(plan, frame, env, at, every, named)
        elif len(named) > 1:
            in_turn = sorted(named, key=str)
        for value in in_turn:
            env[var] = value
            failed = None
            for premise in premises:
                if premise[0](frame, env) is False:
                    failed = premise
                    break
            if failed is not None:
                evidence.judged += 1
                evidence.with_premise += not failed[1]
                if self.broken[plan.claim.id, plan.part]:
                    self._mended(plan, (*[env[one] for one in plan.vars[:at]], value))
                continue
            yield from self.instances(plan, [*every, *named.get(value, ())], frame, env, at + 1)
        env.pop(var, None)

    def _tried(
        self, plan: Plan, frame: Frame, env: Env, at: int, patterns: Sequence[Pattern], named: Collection[Any]
    ) -> Collection[Any]:
        """Return the values of a variable that are to be tried: all but for `named` ones as the patterns say; those
        that an index leaves out are counted.

        A claim that is evaluated once for a class uses no index: that reads others' cells.
        """
        var = plan.vars[at]
        every = values(frame, var.kind) or ()
        if not self.known.uses_indexes:
            return every
        (select, is_antecedent), under, rest = plan.premises.selects[at], env, {one[-1] for one in patterns}
        broken = self.broken[plan.claim.id, plan.part]
        [second, *others] = rest
        if at == 0 and not others and second is not None and len(second) == 1 and not broken:
            # All are evaluated for one value of the second variable: so many instances are left out.
            other, first = plan.premises.under_second
            if other is not None:
                select, is_antecedent, under = other, first, {**env, plan.vars[1]: second[0]}
        found = None if select is None else select(frame, under)
        if found is None:
            return every
        kept = in_order(frame, var, found if under is env or not named else {*found, *named}) or ()
        evidence, left = self.evidence[plan.claim.id], len(every) - len(kept)
        evidence.judged += left
        evidence.with_premise += 0 if is_antecedent else left
        if broken:
            outer = tuple([env[one] for one in plan.vars[:at]])
            for value in every:
                if value not in kept:
                    self._mended(plan, (*outer, value))
        return kept

    def _mended(self, plan: Plan, prefix: tuple[Any, ...]) -> None:
        """Instances that begin so, whose premise is false, hold again."""
        if isinstance(plan.claim, Always):
            broken = self.broken[plan.claim.id, plan.part]
            for instance in [one for one in broken if one[: len(prefix)] == prefix]:
                broken.discard(instance)

    def count(self, plan: Plan, found: Any) -> Any:
        """Count what an instance of a claim came to, and return it."""
        evidence = self.evidence[plan.claim.id]
        if found is UNKNOWN:
            evidence.unknown += 1
        else:
            evidence.judged += 1
            evidence.with_premise += 1
        return found

    @staticmethod
    def _told(plan: Plan, env: Env) -> Broken:
        return Broken(plan.claim, tuple((var.name, str(var.kind), env[var]) for var in plan.told))


def is_by_name(plan: Plan) -> bool:
    """Whether a claim about rows may read the parameters of the one that it is of."""
    return isinstance(plan.claim, Step) and plan.claim.by_name


def concerned_by(at: int | Through | None, keys: tuple[Any, ...], before: Frame) -> tuple[Any, ...] | None:
    """Return the values of a variable that a changed cell concerns, None for all of them."""
    if at is None:
        return None
    return (keys[at],) if isinstance(at, int) else at.values(keys, before)


def _parts(claim: Claim, layout: Layout) -> list[Plan]:
    """Return the parts of a claim that is a conjunction of claims for all entities of a sort; else the claim whole."""
    parts = parts_of(claim.term)
    if len(parts) < 2 or not all(isinstance(one, Quant) and one.quantifier == "every" for one in parts):
        return [_plan(claim, layout)]
    return [_plan(claim, layout, number, part) for number, part in enumerate(parts)]


def _plan(claim: Claim, layout: Layout, number: int = 0, term: Term[Any] | None = None) -> Plan:
    variables: list[Var[Any]] = []
    body: Term[Any] = claim.term if term is None else term
    while True:
        if isinstance(body, Named):
            body = body.term
        elif isinstance(body, Quant) and body.quantifier == "every" and isinstance(body.var.kind, EntityKind):
            if body.var in variables:
                break
            variables.append(body.var)
            body = body.body
        else:
            break
    # The part about each entity of the sort that has classes comes first: it is the same for all of a class.
    outer = tuple(sorted(variables, key=lambda one: layout.classed is None or str(one.kind) != layout.classed.sort))
    compiler = layout.compiler
    reads: dict[int, set[tuple[int | Through | None, ...]]] = {}
    through: dict[tuple[Term[Any], Var[Any]], Selector | None] = {}
    for node, around in _within(body):
        if isinstance(node, Get) and node.state in layout.numbers:
            pattern = tuple(_found_by(var, node, around, outer, compiler, through) for var in outer)
            reads.setdefault(layout.numbers[node.state], set()).add(pattern)
    is_own = [str(var.kind) == layout.classed.sort if layout.classed is not None else False for var in outer]
    others = {
        pattern
        for table, patterns in reads.items()
        if table in layout.slots
        for pattern in patterns
        if not any(at == 0 and own for at, own in zip(pattern, is_own, strict=True))
    }
    siblings = {_sibling(pattern, outer) for pattern in others} if isinstance(claim, Always) else {None}
    return Plan(
        claim,
        number,
        outer,
        tuple(variables),
        body,
        compiler,
        {number: frozenset(patterns) for number, patterns in reads.items()},
        layout.classed is not None and not others,
        bool(outer) and isinstance(claim, Step) and bool(claim.rows) and is_inert(body),
        siblings.pop() if len(siblings) == 1 and is_own[:1] == [True] else None,
    )


def _sibling(pattern: tuple[int | Through | None, ...], outer: Sequence[Var[Any]]) -> Sibling | None:
    """Return as whose sibling alone a cell is read of an entity, None where it is read otherwise."""
    at = pattern[0] if len(pattern) == 1 else None
    if not isinstance(at, Through) or at.at or at.sibling is None:
        return None
    return at.sibling if at.sibling.outer is outer[0] else None


def _within(term: Term[Any]) -> Iterable[tuple[Term[Any], tuple[Term[Any], ...]]]:
    """Return every node of a term with those around it that bind a variable, the innermost first; each pair once."""
    found: dict[tuple[Term[Any], tuple[Term[Any], ...]], None] = {}
    waiting: list[tuple[Term[Any], tuple[Term[Any], ...]]] = [(term, ())]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found[one] = None
            node, around = one
            inside = around if bound(node) is None else (node, *around)
            waiting += [(child, inside) for child in children(node)]
    return found


def _found_by(
    var: Var[Any],
    cell: Get[Any],
    around: tuple[Term[Any], ...],
    outer: tuple[Var[Any], ...],
    compiler: Compiler,
    through: dict[tuple[Term[Any], Var[Any]], Selector | None],
) -> int | Through | None:
    """Return how to find from the keys of a cell the values of a variable for which it is read."""
    binders = [next((node for node in around if bound(node) is key), None) for key in cell.keys]
    for at, (key, binder) in enumerate(zip(cell.keys, binders, strict=True)):
        if key is var and binder is None:
            return at
    for at, binder in enumerate(binders):
        if isinstance(binder, Quant) and free(binder) <= set(outer):
            if (binder, var) not in through:
                through[binder, var] = selector(compiler, var, binder.body, binder.quantifier == "some")
            select = through[binder, var]
            if select is None:
                return None
            settled = binder.quantifier == "every"
            return Through(
                var, binder.var, at, select, compiler.code(binder.body), settled, sibling_of(compiler, binder)
            )
    for at, (key, binder) in enumerate(zip(cell.keys, binders, strict=True)):
        if binder is None and isinstance(key.kind, EntityKind) and free(key) == {var}:
            # The cell of what the variable's value names, as a partition its topic.
            if (key, var) not in through:
                through[key, var] = selector(compiler, var, Eq(key, _named(key.kind)))
            select = through[key, var]
            if select is not None:
                named = _named(key.kind)
                return Through(var, named, at, select, compiler.code(Eq(key, named)), False)
    return None


@cache
def _named(kind: EntityKind[Any]) -> Var[Any]:
    """Return the variable of what an entity names."""
    return Var("named", kind)
