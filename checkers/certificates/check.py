"""The check of a certificate by the interpreter: its states are the reachable ones, and every claim is as it says.

What is evaluated is what `spec/steps.md` defines. The check knows no search: a state is right if it is a first state or
a successor of one that is; none is missing if all of these are among the states of the certificate.

A state is a tuple here: of each variable a code for its contents. The interpreter evaluates a row, or a claim, once for
all states in which the variables that it reads and writes have the same contents.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from operator import itemgetter
from typing import Any

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
    State,
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
from fencepost.model.language.walk import conjuncts, free, nary, nodes, substitute

from .states import Certificate, NotCertified, Numbering

DEADLOCK = "deadlock"
OF_A_RANGE = "inconclusive"
"""What a certificate says of a claim that the end of a counter's range alone breaks: the check finds that it breaks."""
Binding = Mapping[Any, Any]
Codes = tuple[int, ...]
Contents = tuple[tuple[int, int], ...]
"""New contents of some variables: the place of each, and the code."""
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
        if shown != (certificate.claims[id] in (word, OF_A_RANGE)):
            raise NotCertified(
                f"{id} is {certificate.claims[id]} in it, and by the interpreter it is {'' if shown else 'not '}{word}"
            )
    return Checked(len(numbers), work.fired.total(), depth, tuple(id for id in ids if id not in about_runs), about_runs)


@dataclass(frozen=True)
class _Row:
    """A row with its guard, what picks the codes of all that it reads or writes, its claims, and its firings so far.

    `still` are claims without rows that read nothing that it writes: for them its step is one that changes nothing.
    """

    row: Row
    guard: Term[bool]
    key: Callable[[Codes], Any]
    reads: frozenset[State[Any]]
    claims: tuple[Step, ...]
    still: tuple[Step, ...]
    firings: dict[Any, list[_Firing]] = field(default_factory=dict)


@dataclass(frozen=True)
class _Firing:
    """What a firing writes, the difference of the state's number (None where it leads out of a range), and what is
    written at each two moments of which one comes directly after the other.
    """

    binding: Binding
    after: Contents
    more: int | None
    moments: tuple[tuple[Contents, Contents], ...]


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
        self.inside = [one for one in self.of_states if isinstance(one, Always) and one.scope == AFTER_EVERY_RECORD]
        self._key = {one.id: self._picking(_variables(one.term)) for one in claims}
        self._answers: dict[str, dict[Any, bool]] = {one.id: {} for one in claims}
        self.rows = [*self._rows()]

    def _rows(self) -> Iterator[_Row]:
        """Yield the rows that make steps of the protocol, or of a claim that names them."""
        for row in self.protocol.rows:
            guard = self.protocol.bounded_guard(row, self.bound)
            writes = {update.target.state for stage in row.stages for update in stage.updates}
            claims = [one for one in self.of_steps if (row.id in one.rows if one.rows else row.changes)]
            still = [one for one in claims if not one.rows and writes.isdisjoint(_variables(one.term))]
            if row.changes or claims:
                reads = _variables(guard, *row.terms) | writes
                key = self._picking(reads)
                yield _Row(row, guard, key, reads, tuple(c for c in claims if c not in still), tuple(still))

    def _picking(self, variables: Collection[State[Any]]) -> Callable[[Codes], Any]:
        """Return what picks the codes of some variables from those of a state."""
        places = sorted(self.numbering.places[one] for one in variables)
        return itemgetter(*places) if places else lambda _: ()

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
                after.update(self.successors(number))
            reached |= (level := after - reached)
            if progress is not None:
                progress(len(reached), len(numbers))
        if numbers != reached:
            number = min(numbers - reached)
            raise NotCertified(f"nothing leads to a state in it: {number:x}, {self._text(number)}")
        return depth

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

    def successors(self, number: int) -> Iterator[int]:
        """Yield the numbers of a state's successors, evaluating the claims in it and of each of its steps."""
        codes, still, enabled = self.numbering.codes(number), set[Step](), False
        self._state(self.of_states, codes)
        for one in self.rows:
            key = one.key(codes)
            if key not in one.firings:
                one.firings[key] = [*self._firings(one, codes)]
            for firing in one.firings[key]:
                enabled = enabled or one.row.changes
                if firing.more is None:
                    self.outside[one.row.id] += 1
                    continue
                self._steps(one, firing, codes)
                still.update(one.still)
                if one.row.changes:
                    self.fired[one.row.id] += 1
                    yield number + firing.more
        for claim in still:
            self._step(claim, codes, codes, {})
        if not enabled:
            self.shown.add(DEADLOCK)

    def _firings(self, of: _Row, codes: Codes) -> Iterator[_Firing]:
        """Yield the firings of a row in a state, by the interpreter."""
        row, state = of.row, Valuation(self.numbering.contents(codes, of.reads))
        for binding in satisfying(of.guard, row.params, state, self.world):
            try:
                done = run(row, binding, state, self.world)
            except EvaluationError as error:
                raise NotCertified(f"{row.id} has no meaning in a state of it: {error}") from error
            pairs = [*self._moments(done)] if self.at_records else []
            coded = {moment: self._changed(state, moment) for moment in {done.after, *itertools.chain(*pairs)}}
            after = coded[done.after]
            more = self.numbering.difference(codes, after)
            yield _Firing(binding, after, more, tuple((coded[before], coded[now]) for before, now in pairs))

    def _changed(self, state: Valuation, moment: Valuation) -> Contents:
        """Return the contents at a moment of the variables that it has other contents of than a state."""
        changed = {cell[0] for cell, _ in {*state.items()} ^ {*moment.items()}}
        return tuple((self.numbering.places[one], self.numbering.code(one, moment)) for one in changed)

    def _steps(self, of: _Row, firing: _Firing, codes: Codes) -> None:
        """Evaluate claims of a firing, and of what is between its moments."""
        whole = ((codes, _with(codes, firing.after)),)
        pairs = tuple((_with(codes, before), _with(codes, after)) for before, after in firing.moments) or whole
        for moment in {after for _, after in pairs} - {whole[0][1]}:
            self._state(self.inside, moment)
        for one in of.claims:
            for before, after in pairs if one.scope == AFTER_EVERY_RECORD else whole:
                self._step(one, before, after, firing.binding if one.rows else {})

    def _state(self, claims: Sequence[Always | Sometimes], codes: Codes) -> None:
        """Evaluate claims of a state, which may be a moment."""
        for one in claims:
            if one.id not in self.shown and self._true(one, (codes,), {}) == isinstance(one, Sometimes):
                self.shown.add(one.id)

    def _step(self, claim: Step, before: Codes, after: Codes, binding: Binding) -> None:
        """Evaluate a claim of a step."""
        if claim.id not in self.shown and not self._true(claim, (before, after), binding):
            self.shown.add(claim.id)

    def _true(self, claim: Always | Sometimes | Step, states: tuple[Codes, ...], binding: Binding) -> bool:
        """Return whether a claim is true of a state, or of two."""
        pick, answers = self._key[claim.id], self._answers[claim.id]
        key = (*map(pick, states), *[binding[var] for var in free(claim.term)])
        if key not in answers:
            reads = _variables(claim.term)
            here, *then = (Valuation(self.numbering.contents(codes, reads)) for codes in states)
            evaluation = Evaluation(self.world, here, after=then[0] if then else None)
            answers[key] = bool(evaluation.value(claim.term, binding))
        return answers[key]

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


def _with(codes: Codes, contents: Contents) -> Codes:
    """Return the codes of a state in which some variables have other contents."""
    changed = list(codes)
    for place, code in contents:
        changed[place] = code
    return tuple(changed)


@cache
def _variables(*terms: Term[Any]) -> frozenset[State[Any]]:
    """Return the variables that terms read, at whatever moment."""
    return frozenset(node.state for node in nodes(*terms) if isinstance(node, Get))
