"""The check of a certificate by the interpreter: its states are the reachable ones, and every claim is as it says.

What is evaluated is what `spec/steps.md` defines. The check knows no search: a state is right if it is a first state or
a successor of one that is; none is missing if all of these are among the states of the certificate.

A state is a tuple here: of each variable a code for its contents. The interpreter evaluates a condition, a firing, or a
claim, once for all states in which the variables that it reads and writes have the same contents. A claim is evaluated
again only where a step has changed what it reads.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from fencepost.model.language import (
    Always,
    Bound,
    Evaluation,
    EvaluationError,
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
)
from fencepost.model.language.interpreter import applied, bindings
from fencepost.model.language.nodes import Lit, Named, Quant
from fencepost.model.language.properties import AFTER_EVERY_RECORD
from fencepost.model.language.walk import conjuncts, free, nary, stage_terms, substitute

from .guards import Conditions, Guard, Values
from .states import Certificate, Codes, NotCertified, Numbering, variables

DEADLOCK = "deadlock"
OF_A_RANGE = "inconclusive"
"""The verdict of a claim that the end of a counter's range alone violates: the check finds that it is violated."""
Binding = Mapping[Any, Any]
Contents = tuple[tuple[int, int], ...]
"""New contents of some variables: the place of each, and the code."""
_Claim = TypeVar("_Claim", Always, Step)
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Checked:
    """Totals of a check: states, steps, levels, and the claims that were evaluated; of those about runs none was."""

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

    `writes` picks those of what its effects read or write, `reads` are these variables. `bindings` are the values of
    its parameters by what its guard reads; `runs` are its firings by what its effects read and by these values.
    """

    row: Row
    guard: Guard
    key: Callable[[Codes], Any]
    asks: Callable[[Codes], Any]
    writes: Callable[[Codes], Any]
    reads: frozenset[State[Any]]
    claims: tuple[Step, ...]
    bindings: dict[Any, list[Values]] = field(default_factory=dict)
    runs: dict[Any, _Firing] = field(default_factory=dict)
    firings: dict[Any, list[_Firing]] = field(default_factory=dict)


@dataclass(frozen=True)
class _Firing:
    """The writes of a firing, the difference of the state's number (None where it leads out of a range), and what is
    written at each two moments of which one comes directly after the other.

    `claims` are those of its steps, and `inside` those of its moments, that depend on more than the row reads. `still`
    are those without rows that read nothing that it changes, at any moment: for them its step is one that changes
    nothing. `changed` are these variables. `done` has, by claim, the contents with which it has been evaluated.
    """

    binding: Binding
    after: Contents
    more: int | None
    moments: tuple[tuple[Contents, Contents], ...]
    claims: tuple[Step, ...]
    inside: tuple[Always, ...]
    still: frozenset[Step]
    changed: frozenset[State[Any]]
    done: dict[str, set[Any]] = field(default_factory=dict)


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
        self._reads = {one.id: variables(one.term) for one in claims}
        self._key = {id: self.numbering.picking(reads) for id, reads in self._reads.items()}
        self._answers: dict[str, dict[Any, bool]] = {one.id: {} for one in claims}
        self._params = {one.id: tuple(free(one.term)) for one in claims}
        self._came: dict[int, frozenset[State[Any]]] = {}
        self._reading: dict[Any, tuple[list[Any], frozenset[Step]]] = {}
        self.rows = [*self._rows()]

    def _rows(self) -> Iterator[_Row]:
        """Yield the rows that make steps of the protocol, or of a claim that names them."""
        conditions, picking = Conditions(self.numbering, self.world), self.numbering.picking
        for row in self.protocol.rows:
            claims = [one for one in self.of_steps if (row.id in one.rows if one.rows else row.changes)]
            if row.changes or claims:
                guard = Guard(self.protocol.bounded_guard(row, self.bound), row.params, conditions)
                answer = () if row.say is None else (row.say,)
                reads = variables(*answer, *stage_terms(row.stages))
                reads |= {update.target.state for stage in row.stages for update in stage.updates}
                key = picking(reads | guard.reads)
                yield _Row(row, guard, key, picking(guard.reads), picking(reads), reads, tuple(claims))

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
        codes, still, enabled = self.numbering.codes(number), set[frozenset[Step]](), False
        of_states, of_steps = self._to_evaluate(self._came.get(number))
        self._state(of_states, codes)
        for one in self.rows:
            key = one.key(codes)
            if key not in one.firings:
                one.firings[key] = [*self._firings(one, codes)]
            for firing in one.firings[key]:
                enabled = enabled or one.row.changes
                if firing.more is None:
                    self.outside[one.row.id] += 1
                    continue
                self._steps(firing, codes, firing.claims, firing.inside)
                still.add(firing.still)
                if one.row.changes:
                    self.fired[one.row.id] += 1
                    self._came.setdefault(number + firing.more, firing.changed)
                    yield number + firing.more
        for claim in of_steps.intersection(frozenset[Step]().union(*still)):
            self._step(claim, codes, codes, {})
        if not enabled:
            self.shown.add(DEADLOCK)

    def _to_evaluate(self, changed: frozenset[State[Any]] | None) -> tuple[Sequence[Any], frozenset[Step]]:
        """Return the claims of states, and those of a step that changes nothing, of which a state may decide anew.

        Of a state to which a step led these are the claims that read what the step changed: the others have been
        evaluated of the same contents in the state before it.
        """
        if changed not in self._reading:
            self._reading[changed] = (
                [one for one in self.of_states if self._may_differ(one, changed)],
                frozenset(one for one in self.of_steps if self._may_differ(one, changed)),
            )
        return self._reading[changed]

    def _may_differ(self, claim: Any, changed: frozenset[State[Any]] | None) -> bool:
        return changed is None or not changed.isdisjoint(self._reads[claim.id])

    def _firings(self, of: _Row, codes: Codes) -> Iterator[_Firing]:
        """Yield the firings of a row in a state, by the interpreter."""
        here, asked = of.writes(codes), of.asks(codes)
        if asked not in of.bindings:
            of.bindings[asked] = of.guard.satisfying(codes)
        for values in of.bindings[asked]:
            if (here, values) not in of.runs:
                of.runs[here, values] = self._firing(of, codes, dict(zip(of.row.params, values, strict=True)))
            yield of.runs[here, values]

    def _firing(self, of: _Row, codes: Codes, binding: Binding) -> _Firing:
        """Return a firing, by the interpreter; what its row's variables decide of the claims is evaluated here."""
        state = Valuation(self.numbering.contents(codes, of.reads))
        try:
            end, pairs = self._moments(of.row, binding, Evaluation(self.world, state))
        except EvaluationError as error:
            raise NotCertified(f"{of.row.id} has no meaning in a state of it: {error}") from error
        coded = {moment: self._changed(state, moment) for moment in {end, *itertools.chain(*pairs)}}
        after = coded[end]
        more = self.numbering.difference(codes, after)
        changed = frozenset(self.numbering.states[place] for contents in coded.values() for place, _ in contents)
        still = {one for one in of.claims if not one.rows and not self._may_differ(one, changed)}
        claims = [one for one in of.claims if one not in still]
        inside = [one for one in self.inside if self._may_differ(one, changed)]
        made = _Firing(
            binding,
            after,
            more,
            tuple((coded[before], coded[now]) for before, now in pairs),
            tuple(one for one in claims if not self._reads[one.id] <= of.reads),
            tuple(one for one in inside if not self._reads[one.id] <= of.reads),
            frozenset(still),
            changed,
        )
        if more is not None:
            decided = (
                tuple(one for one in claims if one not in made.claims),
                tuple(one for one in inside if one not in made.inside),
            )
            self._steps(made, codes, *decided)
        return made

    def _changed(self, state: Valuation, moment: Valuation) -> Contents:
        """Return the contents at a moment of the variables that it has other contents of than a state."""
        if moment is state:
            return ()
        cells: dict[State[Any], dict[Any, Any]] = {cell[0]: {} for cell, _ in {*state.items()} ^ {*moment.items()}}
        for (variable, keys), value in moment.items():
            if variable in cells:
                cells[variable][keys] = value
        return tuple((self.numbering.places[one], self.numbering.code(one, here)) for one, here in cells.items())

    def _steps(self, firing: _Firing, codes: Codes, claims: Sequence[Step], inside: Sequence[Always]) -> None:
        """Evaluate claims of a firing, and of what is between its moments.

        A claim is evaluated once for the same contents of what it reads before the firing: what it reads after it, and
        at the moments, follows.
        """
        claims, inside = self._not_evaluated(firing, codes, claims), self._not_evaluated(firing, codes, inside)
        if not claims and not inside:
            return
        whole = ((codes, _with(codes, firing.after)),)
        pairs = tuple((_with(codes, before), _with(codes, after)) for before, after in firing.moments) or whole
        for moment in {after for _, after in pairs} - {whole[0][1]} if inside else ():
            self._state(inside, moment)
        for one in claims:
            for before, after in pairs if one.scope == AFTER_EVERY_RECORD else whole:
                self._step(one, before, after, firing.binding if one.rows else {})

    def _not_evaluated(self, firing: _Firing, codes: Codes, claims: Sequence[_Claim]) -> list[_Claim]:
        """Return the claims that are evaluated of a firing for the first time with these contents, and note them."""
        found = []
        for one in claims:
            done, here = firing.done.setdefault(one.id, set()), self._key[one.id](codes)
            if here not in done:
                done.add(here)
                found.append(one)
        return found

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
        key = (*map(pick, states), *[binding[var] for var in self._params[claim.id]])
        if key not in answers:
            reads = self._reads[claim.id]
            here, *then = (Valuation(self.numbering.contents(codes, reads)) for codes in states)
            evaluation = Evaluation(self.world, here, after=then[0] if then else None)
            answers[key] = bool(evaluation.value(claim.term, binding))
        return answers[key]

    def _moments(
        self, row: Row, binding: Binding, before: Evaluation
    ) -> tuple[Valuation, list[tuple[Valuation, Valuation]]]:
        """Return the state after a firing, and each two moments inside it of which one comes directly after the other.

        There are none of these where no claim is evaluated at moments.
        """
        now, pairs = before.state, list[tuple[Valuation, Valuation]]()
        for stage in row.stages:
            here = before.at(now)
            then = applied(stage, binding, here)
            if self.at_records:
                everyone = frozenset(self._elements(stage, binding, here))
                reached, waiting = {frozenset[Any](): now, everyone: then}, [frozenset[Any]()]
                while waiting:
                    some = waiting.pop()
                    for element in everyone - some:
                        more = some | {element}
                        if more not in reached:
                            reached[more] = applied(stage, binding, here, more)
                            waiting.append(more)
                        pairs.append((reached[some], reached[more]))
            now = then
        return now, pairs

    def _elements(self, stage: Stage, binding: Binding, here: Evaluation) -> Iterator[tuple[Any, ...]]:
        """Yield those for whom a stage writes records under `every` that change cells; one for a stage without it."""
        depth = max((len(one.binders) for one in stage.written), default=0)
        if not depth:
            yield ()
            return
        for update in stage.updates:
            for inner in bindings(update.binders, binding, self.world):
                if here.value(update.when, inner):
                    yield tuple(inner[var] for var in update.binders[:depth])


def _with(codes: Codes, contents: Contents) -> Codes:
    """Return the codes of a state in which some variables have other contents."""
    changed = list(codes)
    for place, code in contents:
        changed[place] = code
    return tuple(changed)
