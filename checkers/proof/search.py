"""A short search from the initial states for what a counterexample to induction breaks, at the bounds that have it.

The search is exploration's, level by level on NumPy, for some of the time; then it goes on from random states that it
has come to, deeper and deeper, for the rest. Where nothing is found, the states that were seen say what a lemma might
exclude.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fencepost.checkers.counterexample import Middle, Trace, holds, replay, twice_in_last_state
from fencepost.checkers.exploration.engine import bound_of
from fencepost.checkers.exploration.layout import Layout
from fencepost.checkers.exploration.plan import PARTS, STAGE_SHIFT, Plan
from fencepost.checkers.failures import reads_of
from fencepost.checkers.memory import NO_MEMORY, reason
from fencepost.checkers.verdicts import Refusal, ReplayFailed, Verdict
from fencepost.checkers.written_once import WRITTEN_ONCE, written_once
from fencepost.model.language import Always, Bound, EvaluationError, Protocol, Step, TableError, Valuation, lemma, part
from fencepost.model.language.footprint import touched, variables
from fencepost.model.language.kinds import EntityKind

from .candidates import Chooser, Facts, candidate, facts_of
from .processes import Child, shared, workers
from .prover import Prover, hypotheses
from .results import INITIAL, Obligation, Proof
from .scope import Inexpressible
from .searched import Candidate, Searched
from .shortsearch import ShortSearch

if TYPE_CHECKING:
    from fencepost.checkers.exploration.plan import Plan

SECONDS = 10.0
"""How long a proof's counterexamples are searched for altogether, unless something else is said: of a processor's time,
so that a busy machine searches as far as an idle one."""
PLACES = 3
"""Bounds that are tried for one property, as long as there is time."""
FIRST = 0.6
"""The part of what is left of the time that a place gets where there are others after it."""
LEVELS = 0.7
"""The part of a search's time that goes level by level; the rest begins at random states."""
EXPANDED = 256
DEEP = 40
AFTER = 3.0
"""Seconds for the candidate lemmas once a search is over."""
PATIENCE = 60.0
"""Seconds after which a child is ended that has not ended by itself."""

ONE_ROW = 10.0
"""Seconds after which a row is no longer asked of a candidate lemma."""

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Place:
    """Where something is searched: tables and a bound of them. A bound without a name has a counterexample's sizes."""

    protocol: Protocol
    name: str
    bound: Bound

    @property
    def words(self) -> str:
        """The tables with the bound's name, or the sizes of one without."""
        sizes = ", ".join(f"{name} {size}" for name, size in sorted(self.bound.sizes.items()))
        return f"{self.protocol.name} at {self.name or sizes}"


@dataclass(frozen=True)
class _Reply:
    """What a child found at a place, in numbers: for each property the run, for each obligation the facts."""

    states: int
    depth: int
    closed: bool
    seconds: float
    runs: Mapping[str, _Run]
    chosen: Mapping[int, tuple[int, ...]]


@dataclass(frozen=True)
class _Run:
    """A run as registers of its first state, rows with the codes of their bindings, and the moments in the last row."""

    start: tuple[int, ...]
    moves: tuple[tuple[str, int], ...]
    moment: int | None
    earlier: int | None
    shortest: bool


_Asked = Callable[["Plan", Mapping[str, Sequence[int]], Mapping[int, Facts], float], _Reply | str]
"""What answers for a place: the plan, the obligations by property, their facts, seconds; a sentence where it cannot."""


def search(
    protocol: Protocol,
    slices: Sequence[Protocol],
    proof: Proof,
    seconds: float = SECONDS,
    progress: Progress | None = None,
) -> Proof:
    """Return a proof with what was found of its counterexamples to induction: a run from an initial state, or none.

    Each property that some row breaks, and is not declared to, is searched at bounds of `slices` that have the rows
    and the property, the smallest first, and at the sizes of the counterexample where no slice has them. A run that is
    found makes the obligation violated. Where all states of a bound were seen, and it has as many entities as the
    counterexample, larger ones are not tried. Raises `ReplayFailed` where the interpreter does not reproduce a run.
    """
    return _asked_of_rows(protocol, _search(protocol, slices, proof, seconds, _in_child, progress))


def _asked_of_rows(protocol: Protocol, proof: Proof) -> Proof:
    """Return a proof in which each candidate lemma names a row that breaks it, if a row of the protocol does."""
    failed = list(proof.failed)
    found: dict[str, Candidate] = {}
    for number, one in enumerate(failed):
        mine = one.searched.candidate if one.searched is not None else None
        if one.searched is None or mine is None:
            continue
        if mine.lemma_text not in found:
            found[mine.lemma_text] = _with_its_rows(protocol, mine)
        failed[number] = replace(one, searched=replace(one.searched, candidate=found[mine.lemma_text]))
    return replace(proof, failed=tuple(failed)) if found else proof


def _with_its_rows(protocol: Protocol, some: Candidate) -> Candidate:
    claim = lemma("candidate", some.lemma)
    prover = Prover(protocol, (*hypotheses(protocol), claim))
    reads = variables(some.lemma)
    rows = [row.id for row in protocol.rows if row.changes and not touched(row).isdisjoint(reads)]

    def make() -> Callable[[Any], Any]:
        return lambda job: prover.quickly(protocol.row(job[0]), claim, 1)

    with suppress(Inexpressible):
        prover.session(0)
    answers = {id: answer for (id,), answer, _ in shared(make, [[(id,)] for id in rows], ONE_ROW, workers())}
    broken = next((id for id in rows if answers[id] == "refuted"), "")
    return replace(some, broken_by=broken, kept=all(answers[id] == "proved" for id in rows))


@contextmanager
def searching(
    protocol: Protocol, slices: Callable[[], Sequence[Protocol]], proof: Proof, seconds: float
) -> Iterator[Callable[[], Proof]]:
    """Search as `search` does while the block runs, on another core: yields what waits for it and returns the proof.

    The child answers in numbers, which the same search reads again here, since traces speak of these very tables.
    """
    if seconds <= 0 or not _left(proof):
        yield lambda: proof
        return
    places = slices()

    def work() -> list[_Reply | str]:
        told: list[_Reply | str] = []

        def asked(plan: Plan, left: Mapping[str, Sequence[int]], facts: Mapping[int, Facts], given: float) -> Any:
            try:
                told.append(_reply(plan, left, facts, given))
            except Exception as error:
                told.append(reason(error))
            return told[-1]

        _search(protocol, places, proof, seconds, asked)
        return told

    def found(child: Child) -> Proof:
        told, why = child.result(PATIENCE + 6 * seconds)
        replies: Iterator[_Reply | str] = iter(told or ())
        return _asked_of_rows(protocol, _search(protocol, places, proof, seconds, lambda *_: next(replies, why)))

    with Child(work) as child:
        yield lambda: found(child)


def _left(proof: Proof) -> dict[str, list[int]]:
    """Return the numbers of the obligations to search for, by property."""
    left: dict[str, list[int]] = {}
    for number, one in enumerate(proof.failed):
        if one.verdict is Verdict.NOT_INDUCTIVE and not one.declared and one.row != INITIAL and not one.ranking:
            left.setdefault(one.property, []).append(number)
    return left


def _search(
    protocol: Protocol,
    slices: Sequence[Protocol],
    proof: Proof,
    seconds: float,
    ask: _Asked,
    progress: Progress | None = None,
) -> Proof:
    left = _left(proof)
    if not left or seconds <= 0:
        return proof
    remaining = seconds
    found: dict[int, Searched] = {}
    tried = dict.fromkeys(left, 0)
    places = _places(protocol, slices, proof, left)
    for index, (place, ids) in enumerate(places):
        asked = [id for id in ids if id in left and tried[id] < PLACES]
        if not asked or (remaining < 0.2 and index):
            continue
        if progress is not None:
            progress(f"{place.protocol.name} {f'at {place.name}' if place.name else ''}")
        later = sum(any(id in left and tried[id] + 1 < PLACES for id in more) for _, more in places[index + 1 :])
        given = remaining * (FIRST if later else 1.0)
        here = _searched(protocol, place, proof, {id: left[id] for id in asked}, given, ask)
        remaining -= max((one.seconds for one in here.values()), default=0.0)
        for number, told in here.items():
            found[number] = _better(found.get(number), told)
        for id in asked:
            tried[id] += 1
            reached = any(found[n].trace is not None for n in left[id])
            if reached or all(_settled(proof.failed[n], here[n]) for n in left[id]):
                left.pop(id)
    return _with(proof, found)


def _settled(one: Obligation, searched: Searched) -> bool:
    """Return whether every state was seen of as many entities as the counterexample has: more are not tried then."""
    if not searched.closed or one.counterexample is None:
        return False
    entities = one.counterexample.world.entities
    return all(searched.sizes.get(sort, 0) >= len(some) for sort, some in entities.items())


def _better(one: Searched | None, other: Searched) -> Searched:
    """Return which of two searches says more: one that found a run, one that ended, one that came further."""

    def rank(searched: Searched) -> tuple[bool, bool, bool, int]:
        return searched.trace is not None, not searched.message, searched.closed, searched.states

    return other if one is None or rank(other) > rank(one) else one


def _with(proof: Proof, found: Mapping[int, Searched]) -> Proof:
    failed = list(proof.failed)
    for number, searched in found.items():
        one = failed[number]
        verdict = Verdict.VIOLATED if searched.breaks(one.row) else one.verdict
        failed[number] = replace(one, verdict=verdict, searched=searched)
    return replace(proof, failed=tuple(failed))


# -- where -------------------------------------------------------------------------------------------------------------
def _places(
    protocol: Protocol, slices: Sequence[Protocol], proof: Proof, left: Mapping[str, Sequence[int]]
) -> list[tuple[Place, list[str]]]:
    """Return the bounds to search, each with the properties that it has: those with most rows first."""
    rows = {id: {proof.failed[n].row for n in numbers} for id, numbers in left.items()}
    ranked: list[tuple[int, int, Place, list[str]]] = []
    for one in slices:
        mine = {row.id for row in one.rows}
        ids = [id for id in left if rows[id] & mine and _has(protocol, one, id)]
        if not ids:
            continue
        weight = sum(len(rows[id] & mine) for id in ids)
        for position, (name, bound) in enumerate(one.bounds.items()):
            ranked.append((position, -weight, Place(one, name, bound), ids))
    ranked.sort(key=lambda entry: entry[:2])
    places = [(place, ids) for _, _, place, ids in ranked]
    for id, numbers in left.items():
        elsewhere = {row.id for place, ids in places if id in ids for row in place.protocol.rows}
        away = [n for n in numbers if proof.failed[n].row not in elsewhere]
        trace = next((t for n in away if (t := proof.failed[n].counterexample) is not None), None)
        if trace is not None:
            sizes = {name: len(values) for name, values in trace.world.entities.items()}
            sizes |= {name: high for name, (_, high) in trace.world.ranges.items()}
            places.append((Place(protocol, "", Bound(sizes)), [id]))
    return places


def _has(protocol: Protocol, one: Protocol, id: str) -> bool:
    """Return whether a slice can be asked for a property: it has its variables, and forgets no update of them."""
    if id == WRITTEN_ONCE:
        return any(written_once(row) is not None for row in one.rows)
    claim = protocol.property(id)
    assert isinstance(claim, (Always, Step))
    spoken = variables(claim.term)
    if any(p.id == id for p in one.properties):
        return True
    kept = {row.id: row for row in one.rows}
    if not spoken <= set(one.states) or (isinstance(claim, Step) and claim.rows and not set(claim.rows) & set(kept)):
        return False
    return all(touched(protocol.row(row)) & spoken <= touched(kept[row]) for row in kept if row in _ids(protocol))


def _ids(protocol: Protocol) -> frozenset[str]:
    return frozenset(row.id for row in protocol.rows)


def _claiming(protocol: Protocol, place: Place, ids: Sequence[str]) -> Protocol:
    """Return the tables of a place with only these properties."""
    claims = []
    for id in ids:
        if id == WRITTEN_ONCE:
            continue
        mine = next((p for p in place.protocol.properties if p.id == id), protocol.property(id))
        if isinstance(mine, Step) and mine.rows:
            mine = replace(mine, rows=tuple(r for r in mine.rows if r in _ids(place.protocol)))
        claims.append(mine)
    return replace(place.protocol, properties=tuple(claims), bounds={**place.protocol.bounds})


# -- one place ---------------------------------------------------------------------------------------------------------
def _searched(
    protocol: Protocol, place: Place, proof: Proof, left: Mapping[str, Sequence[int]], seconds: float, ask: _Asked
) -> dict[int, Searched]:
    """Search one place, and return what it says of each obligation."""
    numbers = [n for mine in left.values() for n in mine]
    try:
        claiming = _claiming(protocol, place, list(left))
        _, bound = bound_of(claiming, place.bound, None)
        plan = Plan(claiming, bound, Layout(claiming, bound.sizes))
        facts = {n: made for n in numbers if (made := _facts(protocol, plan, proof.failed[n])) is not None}
    except (Refusal, TableError, EvaluationError) as error:
        return dict.fromkeys(numbers, _nothing(place, proof.failed[numbers[0]].property, str(error)))
    reply = ask(plan, left, facts, seconds)
    if isinstance(reply, str):
        told = reply.removeprefix("Refusal: ")
        if told.startswith(NO_MEMORY):
            told = f"{told} for the states of {place.words}; give the bound smaller sizes, or add --no-search"
        return {n: _nothing(place, id, told) for id, mine in left.items() for n in mine}
    result = {}
    for id, mine in left.items():
        run = reply.runs.get(id)
        trace = None if run is None else _trace(protocol, plan, id, run)
        base = Searched(
            property=id,
            protocol=place.protocol.name,
            bound=place.name,
            sizes=dict(bound.sizes),
            states=reply.states,
            depth=reply.depth,
            closed=reply.closed,
            seconds=reply.seconds,
            trace=trace,
            shortest=run is not None and run.shortest,
            own_start=trace is None or _begins(protocol, trace),
            row=run.moves[-1][0] if run is not None and id == WRITTEN_ONCE else "",
        )
        if run is not None and trace is None:
            base = replace(base, message="the run that breaks it leaves what the tables assume")
        for n in mine:
            some = reply.chosen.get(n) if trace is None else None
            result[n] = base if some is None else replace(base, candidate=candidate(facts[n], some))
    return result


def _nothing(place: Place, id: str, why: str) -> Searched:
    return Searched(id, place.protocol.name, place.name, dict(place.bound.sizes), 0, 0, False, 0.0, message=why)


def _facts(protocol: Protocol, plan: Plan, one: Obligation) -> Facts | None:
    """Return what the state before a counterexample shows of the variables that a place has."""
    trace = one.counterexample
    if trace is None or not trace.steps:
        return None
    step = trace.steps[-1]
    near: set[Any] = set(trace.failure.cells) if trace.failure is not None else set()
    near |= reads_of(protocol.guard(step.row), trace.start, trace.world, step.binding)
    entities: dict[tuple[str, Any], str] = {}
    named = [*(trace.failure.bound if trace.failure is not None else ()), *step.binding.items()]
    for var, value in named:
        if isinstance(var.kind, EntityKind):
            entities.setdefault((var.kind.name, value), var.name)
    layout = plan.layout
    sorts = {kind.name: (kind, len(layout.world.entities[kind.name])) for kind in plan.protocol.sorts}
    states = [state for state in layout.states if state in set(protocol.states)]
    return facts_of(states, trace.start, trace.world, frozenset(near), entities, sorts)


def _trace(protocol: Protocol, plan: Plan, id: str, run: _Run) -> Trace | None:
    """Return a run as the interpreter replays it, None where it leaves what the whole protocol assumes of states."""
    layout, rows = plan.layout, {row.row.id: row for row in plan.rows}
    start = layout.valuation(list(run.start))  # type: ignore[arg-type]
    moves = [
        (rows[id].row, dict(zip(rows[id].row.params, rows[id].radix.decode(code), strict=True)))
        for id, code in run.moves
    ]
    last = rows[run.moves[-1][0]] if run.moves else None
    if id == WRITTEN_ONCE:
        trace = replay(plan.protocol, layout.world, start, moves[:-1])
        twice_in_last_state(trace, *moves[-1])
        return trace if _within(protocol, trace) else None

    def middle(moment: int) -> Middle:
        assert last is not None
        stage = moment >> STAGE_SHIFT
        return Middle(stage, last.stages[stage].chosen(moment & PARTS))

    claim = plan.protocol.property(id)
    assert isinstance(claim, (Always, Step))
    trace = replay(plan.protocol, layout.world, start, moves, None if run.moment is None else middle(run.moment))
    since = None
    if run.earlier is not None and last is not None:
        at, step = middle(run.earlier), trace.steps[-1]
        since = part(step.row, step.binding, step.before, layout.world, at.stage, at.chosen)
    trace = trace.because(claim, since)
    if trace.failure is None:
        raise ReplayFailed(f"{protocol.name}: the interpreter does not find {id} violated where the search does")
    return trace if _within(protocol, trace) else None


def _within(protocol: Protocol, trace: Trace) -> bool:
    """Return whether a run does not leave what the whole protocol assumes of states."""
    seen = [trace.start, *(step.after for step in trace.steps)]
    return all(_assumed(protocol, state, trace) for state in seen)


def _assumed(protocol: Protocol, state: Valuation, trace: Trace) -> bool:
    return all(_known_to_hold(one.term, state, trace) for one in protocol.assumptions)


def _begins(protocol: Protocol, trace: Trace) -> bool:
    """Return whether a run begins where the protocol does: a slice may begin where rows that it lacks lead to."""
    return _known_to_hold(protocol.start, trace.start, trace)


def _known_to_hold(term: Any, state: Valuation, trace: Trace) -> bool:
    """Return whether a condition holds; one that speaks of what the slice leaves out restricts nothing there."""
    try:
        return holds(term, state, trace.world)
    except (EvaluationError, KeyError):
        return True


# -- in the child ------------------------------------------------------------------------------------------------------
def _in_child(
    plan: Plan, left: Mapping[str, Sequence[int]], facts: Mapping[int, Facts], seconds: float
) -> _Reply | str:
    def make() -> Callable[[Any], _Reply]:
        return lambda job: _reply(plan, left, facts, seconds)

    ((_, reply, why),) = shared(make, [[("search",)]], PATIENCE + 6 * seconds, 1)
    return why if reply is None else reply


def _reply(plan: Plan, left: Mapping[str, Sequence[int]], facts: Mapping[int, Facts], seconds: float) -> _Reply:
    started = time.process_time()
    found = ShortSearch(plan, set(left), started + seconds)
    found.run_short(LEVELS, EXPANDED, DEEP, random.Random(0))
    runs = {}
    for id in left:
        if id in found.found:
            start, moves, moment, earlier = found.run_to(id)
            runs[id] = _Run(start, moves, moment, earlier, id in found.by_levels)
    spent = time.process_time() - started
    chosen = {}
    for id, mine in left.items():
        for n in mine if id not in runs else ():
            if n in facts:
                chooser = Chooser(
                    facts[n], plan.layout, found.store.states[: found.store.count], started + spent + AFTER
                )
                some = chooser.chosen()
                if some is not None:
                    chosen[n] = some
    return _Reply(found.store.count, found.depth, found.closed, spent, runs, chosen)


__all__ = ["SECONDS", "Place", "search", "searching"]
