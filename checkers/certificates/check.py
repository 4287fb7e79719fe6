"""The check of a certificate by the interpreter: its states are the reachable ones, and every claim is as it says.

What is evaluated is what `spec/steps.md` defines. The check knows no search: a state is right if it is a first state or
a successor of one that is; none is missing if all of these are among the states of the certificate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, cast

from fencepost.model.language import (
    Always,
    Bound,
    Evaluation,
    EvaluationError,
    Execution,
    LeadsTo,
    Protocol,
    Row,
    Sometimes,
    Stage,
    Step,
    Term,
    Valuation,
    World,
    part,
    run,
    satisfying,
)
from fencepost.model.language.interpreter import bindings
from fencepost.model.language.nodes import Get, Lit, Named, Quant
from fencepost.model.language.properties import AFTER_EVERY_RECORD
from fencepost.model.language.walk import conjuncts, nary, nodes, substitute

from .states import Certificate, NotCertified, Numbering

DEADLOCK = "deadlock"
Binding = Mapping[Any, Any]
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Checked:
    """What was checked: states, steps, levels, and the claims that were evaluated; of those about runs none was."""

    states: int
    steps: int
    depth: int
    claims: tuple[str, ...]
    about_runs: tuple[str, ...]


def check(
    protocol: Protocol,
    bound: Bound,
    certificate: Certificate,
    numbers: Collection[int],
    progress: Progress | None = None,
) -> Checked:
    """Check a certificate of a protocol at a bound, whose sizes are the certificate's; `progress` gets states done.

    Raises `NotCertified` for what does not hold, in one sentence.
    """
    asked = [one for one in protocol.properties if not isinstance(one, LeadsTo)]
    about_runs = tuple(one.id for one in protocol.properties if isinstance(one, LeadsTo))
    deadlock = not protocol.ends
    ids = [*(one.id for one in protocol.properties), *([DEADLOCK] if deadlock else [])]
    if sorted(certificate.claims) != sorted(ids) or certificate.deadlock != deadlock:
        raise NotCertified("its claims are not those of the protocol")
    work = _Check(protocol, bound, World.of(bound.sizes, protocol.kinds), list(asked))
    depth = work.reach(set(numbers), progress)
    counts = {
        "distinct": len(numbers),
        "transitions": work.first + work.fired.total(),
        "depth": depth,
        "fired": {row.id: work.fired[row.id] for row in protocol.rows if row.changes},
        "out_of_range": dict(work.outside),
    }
    for name, found in counts.items():
        said = getattr(certificate, name)
        if said != found:
            raise NotCertified(f"{name} is {said} in it, and the interpreter counts {found}")
    for id in (id for id in ids if id not in about_runs):
        claim = next((one for one in asked if one.id == id), None)
        shown, word = id in work.shown, "witnessed" if isinstance(claim, Sometimes) else "violated"
        if shown != (certificate.claims[id] == word):
            raise NotCertified(
                f"{id} is {certificate.claims[id]} in it, and by the interpreter it is {'' if shown else 'not '}{word}"
            )
    return Checked(len(numbers), work.fired.total(), depth, tuple(id for id in ids if id not in about_runs), about_runs)


class _Check:
    """One check: the steps of every state, and what they show. `shown` are claims that are violated or witnessed."""

    def __init__(self, protocol: Protocol, bound: Bound, world: World, claims: list[Any]) -> None:
        self.protocol, self.bound, self.world = protocol, bound, world
        self.numbering = Numbering(protocol, world)
        self.fired, self.outside, self.first = Counter[str](), Counter[str](), 0
        self.shown: set[str] = set()
        self.of_states = [one for one in claims if isinstance(one, (Always, Sometimes))]
        self.of_steps = [one for one in claims if isinstance(one, Step)]
        self.at_records = any(not isinstance(one, Sometimes) and one.scope == AFTER_EVERY_RECORD for one in claims)
        self.of_row = {
            row.id: [one for one in self.of_steps if (row.id in one.rows if one.rows else row.changes)]
            for row in protocol.rows
        }
        fired = [row for row in protocol.rows if row.changes or self.of_row[row.id]]
        self.rows = [(row, protocol.bounded_guard(row, bound)) for row in fired]
        self._reads = {term: _variables(term) for term in (*(g for _, g in self.rows), *(one.term for one in claims))}
        self._answers: dict[Any, Any] = {}
        self._contents: dict[Any, int] = {}
        self._split = lru_cache(maxsize=50_000)(self._of_variables)

    def reach(self, numbers: set[int], progress: Progress | None) -> int:
        """Evaluate everything in the states with these numbers, the reachable ones, and return how many levels."""
        level = {*map(self._number, self.first_states())}
        self.first, reached, depth = len(level), set(level), 0
        while level:
            depth, after = depth + 1, set[int]()
            for number in sorted(level):
                if number not in numbers:
                    what = "a first state" if depth == 1 else f"a state of level {depth}"
                    raise NotCertified(f"{what} is missing in it: {number:x}, {self._text(number)}")
                after.update(self.successors(self.numbering.state(number)))
            reached |= (level := after - reached)
            if progress is not None:
                progress(len(reached), len(numbers))
        if numbers != reached:
            number = min(numbers - reached)
            raise NotCertified(f"nothing leads to a state in it: {number:x}, {self._text(number)}")
        return depth

    def _once(self, term: Term[Any], states: tuple[Valuation, ...], binding: Binding, answer: Callable[[], Any]) -> Any:
        """Return an answer about a term, which is the same where the variables that it reads have the same contents."""
        reads = self._reads[term]
        contents = [of.get(variable) for of in map(self._split, states) for variable in reads]
        key = (term, *contents, *binding.items())
        if key not in self._answers:
            self._answers[key] = answer()
        return self._answers[key]

    def _of_variables(self, state: Valuation) -> dict[Any, int]:
        """Return a number for the contents of each variable, of those some cell of which has not its initial value."""
        cells: dict[Any, list[Any]] = {}
        for (variable, keys), value in state.items():
            cells.setdefault(variable, []).append((keys, value))
        return {v: self._contents.setdefault(frozenset(c), len(self._contents)) for v, c in cells.items()}

    def _number(self, state: Valuation) -> int:
        try:
            return self.numbering.number(state)
        except KeyError as error:
            raise NotCertified(f"a first state is outside the ranges of the bound: {dict(state)}") from error

    def _text(self, number: int) -> str:
        try:
            cells = self.numbering.state(number).items()
        except ValueError as error:
            return str(error)
        return ", ".join(f"{state.name}{list(keys) or ''}={value}" for (state, keys), value in cells)

    def first_states(self) -> Iterator[Valuation]:
        """Yield the states that satisfy what holds of every start, cell by cell; a part of it may be false early."""
        free = [cell for cell in self.numbering.cells if cell[0].initial is None]
        parts = [*self._parts(nary("and", (self.protocol.begin, self.bound.start)))]

        def extend(at: int, state: Valuation, left: list[Term[bool]]) -> Iterator[Valuation]:
            here, open_ = Evaluation(self.world, state), []
            for one in left:
                try:
                    if not here.value(one, {}):
                        return
                except EvaluationError:  # it reads a cell that has no value yet
                    open_.append(one)
            if at == len(free):
                yield state
                return
            for value in self.world.values(free[at][0].kind):
                yield from extend(at + 1, state.but({free[at]: value}), open_)

        yield from extend(0, Valuation(), parts)

    def _parts(self, term: Term[bool]) -> Iterator[Term[bool]]:
        """Yield the conjuncts of a condition, what it says of all as one for each."""
        for one in conjuncts(term):
            inner = one
            while isinstance(inner, Named):
                inner = inner.term
            if isinstance(inner, Quant) and inner.quantifier == "every":
                for value in self.world.values(inner.var.kind):
                    yield from self._parts(substitute(inner.body, {inner.var: Lit(value, inner.var.kind)}))
            else:
                yield one

    def successors(self, state: Valuation) -> Iterator[int]:
        """Yield the numbers of a state's successors, evaluating the claims in it and of each of its steps."""
        self._state(state, ends=True)
        enabled = False
        for row, guard in self.rows:
            for binding in self._firings(row, guard, state):
                enabled = enabled or row.changes
                try:
                    done = run(row, binding, state, self.world)
                except EvaluationError as error:
                    raise NotCertified(f"{row.id} has no meaning in a state of it: {error}") from error
                if not row.changes:
                    self._steps(done)
                    continue
                try:
                    number = self.numbering.number(done.after)
                except KeyError:  # it leads out of a range
                    self.outside[row.id] += 1
                    continue
                self.fired[row.id] += 1
                self._steps(done)
                yield number
        if not enabled:
            self.shown.add(DEADLOCK)

    def _firings(self, row: Row, guard: Term[bool], state: Valuation) -> list[Binding]:
        """Return the values of a row's parameters with which it fires in a state."""

        def found() -> list[Binding]:
            return [*satisfying(guard, row.params, state, self.world)]

        return cast(list[Binding], self._once(guard, (state,), {"row": row.id}, found))

    def _state(self, state: Valuation, ends: bool) -> None:
        """Evaluate claims of states; in the middle of a firing those that hold after every record."""
        here = Evaluation(self.world, state)
        for one in self.of_states:
            inside = isinstance(one, Always) and one.scope == AFTER_EVERY_RECORD
            if one.id not in self.shown and (ends or inside):
                true = self._once(one.term, (state,), {}, partial(here.value, one.term, {}))
                if bool(true) == isinstance(one, Sometimes):
                    self.shown.add(one.id)

    def _steps(self, done: Execution) -> None:
        """Evaluate claims of a firing, and of what is between its moments."""
        pairs = [*self._moments(done)] if self.at_records else []
        for moment in dict.fromkeys(later for _, later in pairs):
            self._state(moment, ends=False)
        for one in self.of_row[done.row.id]:
            if one.id not in self.shown:
                steps = pairs if one.scope == AFTER_EVERY_RECORD and pairs else [(done.before, done.after)]
                if not all(self._allowed(one, step, done.binding if one.rows else {}) for step in steps):
                    self.shown.add(one.id)

    def _allowed(self, claim: Step, step: tuple[Valuation, Valuation], binding: Binding) -> bool:
        """Return whether a claim is true of a step."""
        before, after = step

        def found() -> bool:
            return bool(Evaluation(self.world, before, after=after).value(claim.term, binding))

        return bool(self._once(claim.term, step, binding, found))

    def _moments(self, done: Execution) -> Iterator[tuple[Valuation, Valuation]]:
        """Yield each two moments inside a firing of which one comes directly after the other."""
        now = done.before
        for number, (stage, then) in enumerate(zip(done.row.stages, done.states, strict=True)):
            everyone = frozenset(self._elements(stage, done, now))
            reached, waiting = {frozenset[Any](): now, everyone: then}, [frozenset[Any]()]
            while waiting:
                some = waiting.pop()
                for element in everyone - some:
                    more = some | {element}
                    if more not in reached:
                        reached[more] = part(done.row, done.binding, done.before, self.world, number, more)
                        waiting.append(more)
                    yield reached[some], reached[more]
            now = then

    def _elements(self, stage: Stage, done: Execution, now: Valuation) -> Iterator[tuple[Any, ...]]:
        """Yield those for whom a stage writes records under `every` that change cells; one for a stage without it."""
        depth = max((len(one.binders) for one in stage.written), default=0)
        if not depth:
            yield ()
            return
        here = Evaluation(self.world, now, done.before)
        for update in stage.updates:
            for inner in bindings(update.binders, done.binding, self.world):
                if here.value(update.when, inner):
                    yield tuple(inner[var] for var in update.binders[:depth])


def _variables(term: Term[Any]) -> tuple[Any, ...]:
    """Return the variables that a term reads, at whatever moment."""
    return tuple(dict.fromkeys(node.state for node in nodes(term) if isinstance(node, Get)))
