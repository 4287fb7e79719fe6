"""The properties of a protocol asked along the steps of a controller: only where a step touched what they read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fencepost.checkers.conformance.evaluation.inert import is_inert
from fencepost.checkers.conformance.records.wire import entity_text
from fencepost.model.language import Always, Protocol, Step, Term, Var
from fencepost.model.language.kinds import EntityKind
from fencepost.model.language.properties import AFTER_EVERY_RECORD
from fencepost.model.language.terms import Get, Named, Quant
from fencepost.model.language.walk import free, nodes

from .cells import Cells, Change
from .instances import loops
from .printing import Function, Printer

Claim = Always | Step
Instance = tuple[Any, ...]
Known = dict[str, set[Instance]]
"""The violations that a run has, by the id of the property: one is reported once, until the property holds again."""


@dataclass(slots=True, eq=False)
class _Plan:
    """A property: the variables that range over entities, and which of them a touched cell fixes, by its table.

    `touched` is there for a claim about a result that holds of every entity of which nothing changes: what a touched
    cell asks, by its table.
    """

    claim: Claim
    vars: tuple[Var[Any], ...]
    body: Term[bool]
    reads: Mapping[int, tuple[tuple[int | None, ...], ...]]
    broken: dict[tuple[bool, ...], Function] = field(default_factory=dict)
    own: tuple[Var[Any], ...] | None = None
    step: bool = False
    touched: Mapping[int, tuple[_Asked, ...]] | None = None


@dataclass(slots=True, eq=False)
class _Question:
    """A property with some of its variables given: `function` lists the instances that do not hold."""

    fixed: tuple[bool, ...]
    function: Function | None = None


_Asked = tuple[_Question, tuple[int, ...]]
"""A question that a touched cell asks, and which of the cell's keys it gives to it."""


@dataclass(frozen=True, slots=True)
class Breach:
    """A property that does not hold, and of which entities."""

    claim: Claim
    entity: str


class CompiledClaims:
    """The properties of a protocol that claim anything, compiled."""

    def __init__(self, protocol: Protocol, printer: Printer) -> None:
        self.printer = printer
        self.single = {number: len(state.keys) == 1 for state, number in printer.numbers.items()}
        self.plans: list[_Plan] = []
        self.by_row: dict[str, list[_Plan]] = {}
        for claim in protocol.properties:
            if (isinstance(claim, Always) and claim.lemma) or not isinstance(claim, (Always, Step)):
                continue
            plan = self._plan(claim)
            rows = claim.rows if isinstance(claim, Step) else ()
            if not rows:
                self.plans.append(plan)
            for row in rows:
                self.by_row.setdefault(row, []).append(plan)
        self.by_table: dict[bool, dict[int, list[tuple[_Plan, tuple[_Asked, ...]]]]] = {
            whole: self._by_table(whole) for whole in (False, True)
        }

    def _by_table(self, whole: bool) -> dict[int, list[tuple[_Plan, tuple[_Asked, ...]]]]:
        found: dict[int, list[tuple[_Plan, tuple[_Asked, ...]]]] = {}
        for plan in self.plans:
            if (plan.claim.scope != AFTER_EVERY_RECORD) is whole:
                for number, asked in _questions(plan):
                    found.setdefault(number, []).append((plan, asked))
        return found

    def _plan(self, claim: Claim) -> _Plan:
        variables: list[Var[Any]] = []
        body: Term[Any] = claim.term
        while True:
            if isinstance(body, Named):
                body = body.term
            elif (
                isinstance(body, Quant)
                and body.quantifier == "every"
                and isinstance(body.var.kind, EntityKind)
                and body.var not in variables
            ):
                variables.append(body.var)
                body = body.body
            else:
                break
        reads: dict[int, dict[tuple[int | None, ...], None]] = {}
        for node in nodes(body):
            if isinstance(node, Get) and node.state.known is None:
                pattern = tuple(next((n for n, key in enumerate(node.keys) if key is var), None) for var in variables)
                reads.setdefault(self.printer.numbers[node.state], {})[pattern] = None
        asked = {number: tuple(found) for number, found in reads.items()}
        return _Plan(claim, tuple(variables), body, asked, step=isinstance(claim, Step))

    def _broken(self, plan: _Plan, fixed: tuple[bool, ...], own: tuple[Var[Any], ...] = ()) -> Function:
        """Return the function that lists the instances that do not hold, `own` and some variables being given."""
        found = plan.broken.get(fixed)
        if found is None:
            open_ = [var for var, given in zip(plan.vars, fixed, strict=True) if not given]
            params = [*own, *(var for var in plan.vars if var not in open_)]
            function = self.printer.begin(params, [plan.body])
            function.line("found = []")
            with function.scope():
                loops(self.printer, function, open_, plan.body)
                function.line(f"found.append(({''.join(f'{self.printer.variable(var)}, ' for var in plan.vars)}))")
            function.line("return found")
            found = plan.broken[fixed] = self.printer.end(params, function)
        return found

    # -- asking ----------------------------------------------------------------------------------------------------
    def touched(
        self, changed: Sequence[Change], before: Cells, now: Cells, known: Known, whole: bool
    ) -> Iterator[Breach]:
        """Yield what changes broke that were just made."""
        asked: dict[_Plan, dict[tuple[_Question, Instance], None]] = {}
        by_table = self.by_table[whole]
        for number, key, _ in changed:
            for plan, questions in by_table.get(number, ()):
                partial = asked.get(plan)
                if partial is None:
                    partial = asked[plan] = {}
                for question, at in questions:
                    partial[question, self._given(number, key, at)] = None
        for plan, partial in asked.items():
            yield from self._ask(plan, partial, before, now, known.setdefault(plan.claim.id, set()))

    def _given(self, number: int, key: Any, at: tuple[int, ...]) -> Instance:
        """Return the entities that a touched cell's key gives to a question."""
        return () if not at else (key,) * len(at) if self.single[number] else tuple([key[one] for one in at])

    def _ask(
        self,
        plan: _Plan,
        partial: Iterable[tuple[_Question, Instance]],
        before: Cells,
        now: Cells,
        known: set[Instance],
    ) -> Iterable[Breach]:
        step = plan.step
        cells = before if step else now
        fresh: dict[Instance, None] = {}
        for question, given in partial:
            function = question.function
            if function is None:
                function = question.function = self._broken(plan, question.fixed)
            found = function(cells, *given)
            if known and not step:
                # What was false before and is not found again holds again.
                if len(given) == len(question.fixed):
                    if not found:
                        known.discard(given)
                else:
                    again = [one for one in known if _within(one, question.fixed, given) and one not in found]
                    known.difference_update(again)
            if found:
                fresh.update(dict.fromkeys(found))
        breaches = []
        for instance in fresh:
            if step or instance not in known:
                if not step:
                    known.add(instance)
                breaches.append(_told(plan, instance))
        return breaches

    def of_row(
        self, row: str, binding: Mapping[Var[Any], Any], before: Cells, changed: Sequence[Change]
    ) -> Iterator[Breach]:
        """Yield the steps that are claimed of a row and do not hold of its result under a binding.

        `changed` are the changes of the whole step: of entities that none is about a claim may be known to hold.
        """
        for plan in self.by_row.get(row, ()):
            if plan.own is None:
                plan.own = tuple(sorted(free(plan.body) - set(plan.vars), key=lambda var: var.name))
                plan.touched = dict(_questions(plan)) if is_inert(plan.body) else None
            own = [binding[var] for var in plan.own]
            if plan.touched is None:
                found = dict.fromkeys(self._broken(plan, (False,) * len(plan.vars), plan.own)(before, *own))
            else:
                found = {}
                asked = {
                    (question, self._given(number, key, at)): None
                    for number, key, _ in changed
                    for question, at in plan.touched.get(number, ())
                }
                for question, given in asked:
                    function = question.function
                    if function is None:
                        function = question.function = self._broken(plan, question.fixed, plan.own)
                    found |= dict.fromkeys(function(before, *own, *given))
            for instance in found:
                yield _told(plan, instance)


def _questions(plan: _Plan) -> Iterator[tuple[int, tuple[_Asked, ...]]]:
    """Yield the instances of a property that a touched cell affects, by its table."""
    questions: dict[tuple[bool, ...], _Question] = {}
    for number, patterns in plan.reads.items():
        asked = []
        for pattern in patterns:
            fixed = tuple(at is not None for at in pattern)
            question = questions.setdefault(fixed, _Question(fixed))
            asked.append((question, tuple(at for at in pattern if at is not None)))
        yield number, tuple(asked)


def _within(instance: Instance, fixed: Sequence[bool], given: Instance) -> bool:
    return tuple(value for value, one in zip(instance, fixed, strict=True) if one) == given


def _told(plan: _Plan, instance: Instance) -> Breach:
    names = zip(plan.vars, instance, strict=True)
    return Breach(plan.claim, ", ".join(f"{var.name}={entity_text(value)}" for var, value in names))
