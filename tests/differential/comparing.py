"""Asks every engine of one protocol, in this process, and says where what they say differs from the plain search, or
from each other.
"""

import importlib
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from fencepost.checkers.exploration import DEADLOCK, WRITTEN_ONCE, Exploration, explore
from fencepost.checkers.exploration.engine import bound_of
from fencepost.checkers.proof import INITIAL, Proof, prove
from fencepost.checkers.proof.unrolled import unrolled
from fencepost.checkers.tlc import run_tlc
from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict
from fencepost.model.language import Always, Bound, LeadsTo, Protocol, Sometimes, Step
from fencepost.model.language.kinds import IntKind, ThresholdKind
from tests.exploration.plain_exploration import explore_plainly

from .left_out import left_out
from .plain import Search, Seen, TooMany, seen, seen_beyond

proving: Any = importlib.import_module("fencepost.checkers.proof.prove")
"""The module `prove`, whose name the function of the same name hides."""
BOUND = "tiny"
STEPS = 3
"""How long the runs are that the symbolic search is asked for."""
SYMBOLIC = 2
"""Of how many claims it is asked."""
HELD = (Verdict.CLOSED, Verdict.VACUOUS, Verdict.INCONCLUSIVE)


@dataclass(frozen=True)
class Difference:
    """A sentence about an engine, and of which kind it is: a disagreement is made smaller as long as its kind stays."""

    engine: str
    kind: str
    what: str

    def __str__(self) -> str:
        return f"{self.engine}: {self.kind}: {self.what}"


@dataclass(frozen=True)
class Compared:
    """One protocol as all engines saw it: what differs, what refused it, and what was asked."""

    seen: Seen | None
    differences: tuple[Difference, ...]
    refused: tuple[str, ...]
    proved: int = 0


Ask = Callable[[Protocol, Seen], Iterator[Difference]]


def level(value: int | None) -> str:
    """Return a level in words."""
    return "nowhere" if value is None else f"in level {value}"


# -- exploration -------------------------------------------------------------------------------------------------------
def by_exploration(of: str, whole: bool = True, **options: object) -> Ask:
    """Return what explores with an engine, and compares counts, levels and verdicts, verdicts alone where not the
    whole is kept.
    """

    def ask(protocol: Protocol, plain: Seen) -> Iterator[Difference]:
        name = f"explore {of}"
        found: Exploration
        if of == "plainly":
            found = explore_plainly(protocol, BOUND)
        else:
            found = explore(protocol, BOUND, **{"engine": "numpy", **options})  # type: ignore[arg-type]
        if plain.states == 0 and of == "plainly":
            return
        if plain.states == 0:
            yield Difference(name, "starts", "it explores a protocol without a first state in its ranges")
            return
        if whole:
            yield from _counts(name, found, plain)
        yield from _claims(name, found, protocol, plain, whole)

    return ask


def _counts(name: str, found: Exploration, plain: Seen) -> Iterator[Difference]:
    mine = (found.distinct, found.transitions, found.levels)
    theirs = (plain.states, plain.transitions, tuple(plain.levels))
    if mine != theirs:
        yield Difference(name, "counts", f"states, transitions, levels {mine}, and {theirs} in the plain search")
    if dict(found.rows_fired) != plain.fired:
        yield Difference(name, "firings", f"{dict(found.rows_fired)}, and {plain.fired} in the plain search")
    outside = {id: count for id, count in plain.outside.items() if count}
    if dict(found.out_of_range) != outside and plain.twice is None:
        yield Difference(name, "out of range", f"{dict(found.out_of_range)}, and {outside} in the plain search")


def _claims(name: str, found: Exploration, protocol: Protocol, plain: Seen, whole: bool) -> Iterator[Difference]:
    judged = {one.id: one for one in found.properties}
    expected = [(one.id, plain.first.get(one.id)) for one in protocol.properties if not isinstance(one, LeadsTo)]
    expected += [] if protocol.ends else [(DEADLOCK, plain.deadlock)]
    expected += [(WRITTEN_ONCE, plain.twice)] if plain.twice or WRITTEN_ONCE in judged else []
    for id, first in expected:
        one = judged.get(id)
        if one is None:
            yield Difference(name, "claims", f"nothing is said of {id}, which the plain search finds {level(first)}")
        elif (one.depth if whole else one.depth is not None) != (first if whole else first is not None):
            yield Difference(
                name, "claims", f"{id} is {one.verdict.value} {level(one.depth)}, {level(first)} in the plain search"
            )
        elif one.verdict is Verdict.INCONCLUSIVE and first is not None and of_a_range(protocol, id, first):
            continue
        elif (one.verdict in (Verdict.VIOLATED, Verdict.WITNESSED)) != (first is not None):
            yield Difference(name, "claims", f"{id} is {one.verdict.value}, and {level(first)} in the plain search")
    for id, verdict in plain.lasting.items() if whole and plain.twice is None else ():
        if judged[id].verdict.value != verdict:
            yield Difference(
                name, "runs without end", f"{id} is {judged[id].verdict.value}, {verdict} in the plain search"
            )


def of_a_range(protocol: Protocol, id: str, first: int) -> bool:
    """Return whether no run so short breaks a claim, or comes to a deadlock, where conditions see numbers beyond the
    ranges.
    """
    beyond = seen_beyond(protocol)
    found = beyond.deadlock if id == DEADLOCK else beyond.first.get(id)
    return found is None or found > first


# -- proof -------------------------------------------------------------------------------------------------------------
def inline(
    make: Callable[[], Callable[[Any], Any]],
    batches: Sequence[Sequence[Any]],
    timeout: float,
    count: int,
    afresh: bool = False,
) -> Iterator[tuple[Any, Any, str]]:
    """Yield each job with its result as `processes.shared` does, in this process: forks cost more than such proofs."""
    work = make()
    for batch in batches:
        for job in batch:
            yield job, work(job), ""


@contextmanager
def in_process() -> Iterator[None]:
    """Have proofs made in this process while the block runs."""
    theirs, proving.shared = proving.shared, inline
    try:
        yield
    finally:
        proving.shared = theirs


def by_proof(protocol: Protocol, plain: Seen) -> Iterator[Difference]:
    """Prove what can be proved together, and compare: none of it is violated at the bound, no row that fires there is
    vacuous, no counterexample leaves a range, and nothing is proved of a protocol without a first state.
    """
    claims = [one for one in protocol.properties if isinstance(one, (Always, Step)) and one.expected == "holds"]
    proof: Proof | None = None
    failed = set[str]()
    while claims:
        some = replace(protocol, properties=tuple(claims), base=protocol)
        if left_out(some):
            return
        with in_process():
            proof = prove(some, assumptions=False)
        yield from _counterexamples(proof)
        failed = {one.property for one in proof.failed}
        if failed <= {WRITTEN_ONCE}:
            break
        claims = [one for one in claims if one.id not in failed]
    if proof is None or not claims:
        return
    if proof.verdict is Verdict.PROVED and not plain.states and without_first_state(protocol):
        yield Difference("prove", "start", "it is proved, and no state of few entities satisfies its start")
    if not plain.states or not plain.assumed:
        return
    broken = any(one.id in plain.first for one in claims) or (plain.twice is not None and WRITTEN_ONCE not in failed)
    if broken or any(plain.fired.get(id) for id in proof.vacuous):
        # A proof has all numbers: what the end of a range alone breaks, or enables, exploration calls inconclusive.
        plain = seen_beyond(protocol)
    for one in claims:
        if one.id in plain.first:
            yield Difference(
                "prove", "proved", f"{one.id}, which is violated {level(plain.first[one.id])} of the plain search"
            )
    if plain.twice is not None and WRITTEN_ONCE not in failed:
        yield Difference("prove", "proved", f"{WRITTEN_ONCE}, which is violated {level(plain.twice)}")
    fired = [id for id in proof.vacuous if plain.fired.get(id)]
    if fired:
        yield Difference("prove", "vacuous", f"no state enables {', '.join(fired)}, which the plain search fires")
    if INITIAL in proof.vacuous:
        yield Difference("prove", "vacuous", "it has no first state, and the plain search has some")


def _counterexamples(proof: Proof) -> Iterator[Difference]:
    """Compare counterexamples with the ranges of counters: a row that leads below the start of one is disabled."""
    for obligation in proof.failed:
        trace = obligation.counterexample
        for state in () if trace is None else (trace.start, *(step.after for step in trace.steps)):
            for (cell, keys), value in state.items():
                pairs = [(cell.kind, value), *zip(cell.keys, keys, strict=True)]
                if any(isinstance(kind, IntKind) and one < kind.lo for kind, one in pairs):
                    text = f"{cell.name} is {value} in the counterexample of {obligation.row} to {obligation.property}"
                    yield Difference("prove", "below the start", text)
                    return


def without_first_state(protocol: Protocol) -> bool:
    """Return whether no state of one to three entities and of counters up to four satisfies the start of a protocol."""
    bound = protocol.bounds[BOUND]
    counters = {kind.name: 4 for kind in protocol.kinds if isinstance(kind, (IntKind, ThresholdKind))}
    worlds = [{**dict.fromkeys(bound.sizes, size), **counters} for size in (1, 2, 3)]
    needed = max(protocol.individuals.values(), default=1)
    return not any(
        any(True for _ in Search(protocol, Bound(sizes), 0).beginnings())
        for sizes in worlds
        if sizes_fit(sizes, needed)
    )


def sizes_fit(sizes: Mapping[str, int], needed: int) -> bool:
    """Return whether a world has as many entities as a protocol names."""
    return min(sizes.values(), default=needed) >= needed


# -- symbolic search ---------------------------------------------------------------------------------------------------
def by_symbols(protocol: Protocol, plain: Seen) -> Iterator[Difference]:
    """Search symbolically for a shortest run to some claims, and compare its length with the level in the plain
    search.
    """
    if plain.begins_outside:
        return
    claims = [one for one in protocol.properties if isinstance(one, (Always, Step, Sometimes))]
    claims.sort(key=lambda one: -plain.first.get(one.id, 0))
    for one in claims[:SYMBOLIC]:
        found = unrolled(protocol, *bound_of(protocol, BOUND, None), one, STEPS)
        # A row that writes twice counts as a step of its run, unless the run has none before it or leads to a witness.
        late = (plain.twice or 0) > 1 and not isinstance(one, Sometimes)
        levels = {one.id: plain.first.get(one.id), WRITTEN_ONCE: plain.twice}
        turns = {id: at + (late and id != one.id) for id, at in levels.items() if at is not None}
        soonest = min(turns.values(), default=STEPS + 2)
        # Of two runs as long either is right: the step that breaks the claim may be one that writes twice.
        expected = [(levels[id], id) for id, at in turns.items() if at == soonest <= STEPS + 1] or [(None, one.id)]
        mine = (None if found.trace is None else len(found.trace.steps) + 1, found.property)
        if mine not in expected:
            right = " or ".join(f"{id} {level(at)}" for at, id in expected)
            yield Difference("explore --symbolic", "claims", f"{mine[1]} {level(mine[0])}, {right} in the plain search")


# -- TLC ---------------------------------------------------------------------------------------------------------------
def by_tlc(protocol: Protocol, plain: Seen) -> Iterator[Difference]:
    """Have TLC count the states, and evaluate one claim of each kind by itself; not where a cell is written twice."""
    if plain.twice is not None:
        return
    counted = run_tlc(protocol, BOUND, properties=())
    mine = (counted.distinct, counted.transitions)
    if mine != (plain.states, plain.transitions):
        yield Difference(
            "tlc", "counts", f"states, transitions {mine}, and {(plain.states, plain.transitions)} in the plain search"
        )
    asked: dict[type, Always | Step | Sometimes | LeadsTo] = {}
    for one in protocol.properties:
        asked.setdefault(type(one), one)
    for claim in asked.values():
        found = run_tlc(protocol, BOUND, properties=(claim.id,))
        if isinstance(claim, LeadsTo):
            expected = (
                {plain.lasting[claim.id], "inconclusive"} if any(plain.outside.values()) else {plain.lasting[claim.id]}
            )
            expected |= {"closed"} if "vacuous" in expected else set()
        else:
            first = plain.first.get(claim.id)
            met = "witnessed" if isinstance(claim, Sometimes) else "violated"
            expected = {met} if first is not None else {"closed", "vacuous"}
            if first is not None and not isinstance(claim, Sometimes) and of_a_range(protocol, claim.id, first):
                expected = {"inconclusive"}
        if found.verdict.value not in expected:
            yield Difference(
                "tlc",
                "claims",
                f"{claim.id} is {found.verdict.value}, {' or '.join(sorted(expected))} in the plain search",
            )


QUICK: dict[str, Ask] = {
    "numpy": by_exploration("numpy"),
    "plainly": by_exploration("plainly"),
    "proof": by_proof,
    "symbolic": by_symbols,
}
"""The engines that every protocol is asked."""
ENGINES: dict[str, Ask] = {
    **QUICK,
    "llvm": by_exploration("llvm", engine="llvm"),
    "orbits": by_exploration("orbits", whole=False, orbits=True),
    "partial order": by_exploration("partial order", whole=False, partial_order=True),
    "tlc": by_tlc,
}
"""All engines by name."""


def without_start(refused: Refusal, plain: Seen) -> bool:
    """Return whether an engine refuses a protocol that the plain search finds no first state of, or none in its
    ranges.
    """
    return plain.begins_outside or (plain.states == 0 and "no state satisfies" in str(refused))


def compared(protocol: Protocol, engines: dict[str, Ask] | None = None) -> Compared:
    """Run engines on a protocol; one that the plain search finds too large, or that is left out, is run on none."""
    if left_out(protocol):
        return Compared(None, (), ("drawing: left out",))
    try:
        plain = seen(protocol)
    except TooMany:
        return Compared(None, (), ("plain: too many firings",))
    differences: list[Difference] = []
    refused: list[str] = []
    for name, ask in (engines or QUICK).items():
        try:
            differences += ask(protocol, plain)
        except Refusal as error:
            if "\n" in str(error).strip() or error.code is ExitCode.INTERNAL:
                differences.append(Difference(name, "refusal", str(error)))
            elif not without_start(error, plain):
                refused.append(f"{name}: {error}")
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{last.filename.rsplit('/', 1)[-1]}, {last.name}"
            differences.append(Difference(name, f"crash {type(error).__name__} in {where}", str(error)))
    return Compared(plain, tuple(differences), tuple(refused))
