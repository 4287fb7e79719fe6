"""Proof attempts: every row keeps every property, for any number of entities, or here is how it does not."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from fencepost.checkers.asked import scopes_of
from fencepost.checkers.verdicts import Refusal, Verdict
from fencepost.checkers.written_once import WRITTEN_ONCE
from fencepost.model.language import Always, Assumption, EvaluationError, LeadsTo, Protocol, Row, Step

from . import violations
from .assumptions import Reliance, without
from .cores import recorded
from .cores import with_groups as cores_with_groups
from .models import trace_of
from .obligations import claim_id, claim_of, scope_of, selected
from .processes import shared, workers
from .prover import STUTTER, Answer, Asked, Prover, excepted, hypotheses, obligations
from .questions import Folder, Kept
from .rankings import RankingStep, by_ranking, ranked
from .results import INITIAL, Obligation, Proof, Settled
from .row_groups import row_groups, with_groups
from .scope import Inexpressible
from .vacuity import Contradictions, begins, leaves_range, met
from .witnesses import Witnesses

Claim: TypeAlias = Always | Step

FEW_JOBS, MANY_JOBS = 20, 60
"""Of fewer obligations a row shares a batch with others, up to so many in all."""

Job = tuple[str, str, str, int]
Progress = Callable[[int, int, str], None]

HYPOTHESES = "hypotheses"
"""What stands for a row or a property where no state satisfies all hypotheses."""

CONTRADICTION = "the definitions that the solver was told contradict each other, so that anything would be proved"

GUARD = 240.0
"""Seconds after which a query is ended, whatever it has used of its resources."""


def prove(
    protocol: Protocol,
    *,
    seeds: int | Sequence[int] = 1,
    properties: Sequence[str] | None = None,
    rows: Sequence[str] | None = None,
    timeout: float = GUARD,
    progress: Progress | None = None,
    assumptions: bool = True,
    folder: Folder | None = None,
) -> Proof:
    """Prove that every `always` and `step` property is inductive, or find what breaks it.

    Each obligation is asked under each of the seeds (a number n stands for 1 to n), and counts as proved only if it is
    under all of them; the obligations of rankings (`rankings.py`) are among them. `properties` and `rows` restrict what
    is asked, never what is assumed. `timeout` bounds one
    obligation in seconds and is a guard only: verdicts depend on the solver's own count of resources. `progress` is
    called with how many obligations are done, of how many, and the last. With `assumptions` each assumption of the
    protocol is dropped in turn, to find what is not proved without it. `folder` is where each question that is found
    unsatisfiable for any number of entities, and on which the proof rests, is written. Raises `Refusal` for an unknown
    id, `ReplayFailed` where the interpreter does not reproduce a counterexample.
    """
    started = time.perf_counter()
    chosen = tuple(range(1, seeds + 1)) if isinstance(seeds, int) else tuple(seeds)
    if not chosen:
        raise Refusal("prove: no seeds; give a number of at least 1")
    protocol = ranked(protocol)
    claims, asked_rows = selected(protocol, properties, rows)
    everything = hypotheses(protocol)
    listed = list(obligations(protocol, asked_rows, claims))
    answers = _all_answers(protocol, everything, claims, listed, chosen, timeout, progress, folder)
    found = [*_initial(claims, answers, chosen, protocol, everything)]
    found += (judged(protocol, STUTTER, STUTTER, c, answers, chosen, everything, False) for c in _of_states(claims))
    for row, claim, frame in listed:
        name = STUTTER if frame and isinstance(claim, Step) else row.id
        if frame and isinstance(claim, Always):
            found.append(
                Obligation(row.id, claim.id, Verdict.PROVED, "the row writes nothing that it reads", frame=True)
            )
        else:
            found.append(judged(protocol, row.id, name, claim, answers, chosen, everything, frame))
    vacuous = [id for (name, id, _), a in answers.items() if name == "enabled" and a.answer == "refuted"]
    of_all = ("condition", "begins", "met")
    vacuous += [id for (name, id, _), a in answers.items() if name in of_all and a.answer == "refuted"]
    proof = _proof(protocol, chosen, found, answers, sorted(set(vacuous)), asked_rows, claims, started)
    if not assumptions:
        return proof
    relied = tuple(_reliances(protocol, asked_rows, claims, proof, answers, chosen[:1], timeout))
    return replace(proof, assumptions=relied, seconds=time.perf_counter() - started)


def ways_of(protocol: Protocol, rows: Sequence[str] | None = None) -> dict[tuple[str, str], tuple[int, ...]]:
    """Return which attempts proved each obligation of some rows, all without `rows`, under the first seed, as
    `Asked.ways` has them.
    """
    protocol = ranked(protocol)
    claims, asked_rows = selected(protocol, None, rows)
    listed = list(obligations(protocol, asked_rows, claims))
    answers = _all_answers(protocol, hypotheses(protocol), claims, listed, (1,), GUARD, None, sliced=False)
    return {(row, property_): asked.ways for (row, property_, _), asked in answers.items() if asked.answer == "proved"}


def _reliances(
    protocol: Protocol,
    rows: Sequence[Row],
    claims: Sequence[Claim],
    proof: Proof,
    answers: Mapping[tuple[str, str, int], Asked],
    seeds: Sequence[int],
    timeout: float,
) -> Iterator[Reliance]:
    """Yield each assumption with what is not proved without it, of what is proved with it: what a row breaks from a
    recorded state, and what is not proved when asked.

    Where the solver was not given it, the proof is one without it, and nothing is asked again.
    """
    failed = {one.property for one in proof.failed}
    kept = tuple(one for one in claims if one.id not in failed)
    for one in (*protocol.assumptions, *protocol.inputs):
        bare = without(protocol, (one.id,))
        pairs = [*pairs_without(bare, one, rows, kept), *((STUTTER, claim) for claim in _of_states(kept))]
        asked = [(row, claim) for row, claim in pairs if one.event or one.id in answers[row, claim.id, seeds[0]].told]
        if not asked:
            yield Reliance(one, ())
            continue
        fallen = violations.fallen(bare, violations.without(bare, one.id), asked, hypotheses(bare))
        left = [(row, claim) for row, claim in asked if claim.id not in fallen]
        more = _fallen(bare, kept, left, seeds[0], timeout) if left else {}
        undecided = {id: row for id, row in more.items() if row is not None}
        fallen |= more.keys()
        lost = (claim_id(claim) for claim in kept if claim.id in fallen)
        needed = dict.fromkeys((*((WRITTEN_ONCE,) if WRITTEN_ONCE in fallen else ()), *lost))
        yield Reliance(one, tuple(needed), tuple((row, id) for id, row in undecided.items()))


def pairs_without(
    bare: Protocol, dropped: Assumption, rows: Sequence[Row], claims: Sequence[Claim]
) -> list[tuple[str, Claim]]:
    """Return the rows and properties that an assumption may matter for: rows of its event, if it is of one."""
    concerned = [row for row in rows if dropped.event in ("", row.event.name)]
    return [(row.id, claim) for row, claim, frame in obligations(bare, concerned, claims) if not frame]


def _fallen(
    bare: Protocol, claims: Sequence[Claim], asked: Sequence[tuple[str, Claim]], seed: int, timeout: float
) -> dict[str, str | None]:
    """Return the properties that some row is not proved to keep, each with the row where that is not decided: one row
    is enough, and no trace is wanted.
    """
    prover = Prover(bare, hypotheses(bare))
    with suppress(Inexpressible):
        prover.session(0)
    ids = (*(claim.id for claim in claims), WRITTEN_ONCE)
    rows = {id: [row for row, one in asked if one.id == id] for id in ids}

    def make() -> Callable[[Any], Any]:
        def work(job: tuple[str]) -> tuple[str, Answer]:
            [id] = job
            answers = ((row, _answer_without(prover, row, claim_of(bare, row, id), seed)) for row in rows[id])
            return next(((row, one) for row, one in answers if one != "proved"), ("", "proved"))

        return work

    plan = [[(id,)] for id in rows if rows[id]]
    # What ends without an answer is not decided, whichever row it was asked of.
    found = [(id, said or (rows[id][0], "unknown")) for (id,), said, _ in shared(make, plan, timeout, workers())]
    return {id: None if answer == "refuted" else row for id, (row, answer) in found if answer != "proved"}


def _answer_without(prover: Prover, row: str, claim: Claim, seed: int) -> Answer:
    """Return what a prover that lacks an assumption answers of a claim and a row, or of states."""
    if row == STUTTER:
        return prover.ask(None, claim, seed).answer
    return prover.kept(prover.protocol.row(row), claim, seed)


def _all_answers(
    protocol: Protocol,
    assumed: tuple[Always, ...],
    claims: Sequence[Claim],
    listed: Sequence[tuple[Row, Claim, bool]],
    seeds: Sequence[int],
    timeout: float,
    progress: Progress | None,
    folder: Folder | None = None,
    sliced: bool = True,
) -> dict[tuple[str, str, int], Asked]:
    """Ask rows that do the same once, everybody else, and then those for whom the one answer did not suffice.

    Recorded slices are tried with `sliced`.
    """
    groups = row_groups(protocol, dict.fromkeys(row for row, _, _ in listed))
    spoken = {(row.id, c.id): one for one in groups for row in one.members for c in claims if one.speak_for(c)}
    alone = [(row, claim, frame) for row, claim, frame in listed if frame or (row.id, claim.id) not in spoken]
    asked = {(spoken[row.id, c.id].row.id, c.id) for row, c, frame in listed if not frame and (row.id, c.id) in spoken}
    tries: dict[str, list[Job]] = {}
    for name, id in sorted(asked):
        tries.setdefault(name, []).extend(("try", name, id, seed) for seed in seeds)
    # The children inherit what all rows share; where that cannot be said, each obligation says why.
    known = recorded(protocol)
    cores = cores_with_groups(known.cores, groups)
    slices = cores_with_groups(known.slices, groups) if sliced else {}
    prover = Prover(with_groups(protocol, groups), assumed, cores=cores, slices=slices, folder=folder)
    some = dict.fromkeys(row.id for row, _, _ in listed)
    plan = [*tries.values(), *_plan(protocol, claims, alone, seeds, some, prover.witnesses)]
    with suppress(Inexpressible):
        prover.session(0)
        prover.few_of(1)
    contradictions = Contradictions(prover)
    with suppress(Inexpressible):
        _ = contradictions.first
    answers = _answers(prover, contradictions, plan, timeout, progress)
    left: dict[str, list[Job]] = {}
    for row, claim, frame in listed:
        if frame or (row.id, claim.id) not in spoken:
            continue
        for seed in seeds:
            one = answers.get((spoken[row.id, claim.id].row.id, claim.id, seed))
            if one is not None and one.answer == "proved":
                answers[row.id, claim.id, seed] = replace(one, row=row.id, seconds=0.0)
            else:
                left.setdefault(row.id, []).append(("ask", row.id, claim.id, seed))
    if left:
        answers |= _answers(prover, contradictions, list(left.values()), timeout, progress)
    return answers


def _plan(
    protocol: Protocol,
    claims: Sequence[Claim],
    listed: Sequence[tuple[Row, Claim, bool]],
    seeds: Sequence[int],
    some: Iterable[str],
    witnesses: Witnesses,
) -> list[list[Job]]:
    """Return the work as batches, one a row and seed, most to do first; `some` are rows that must be enabled.

    What is declared violated is asked of few entities too, and is a batch of its own that comes first: one worker makes
    the sessions for these, and the other need not. What one recorded state shows is replayed one after the other.
    """
    batches: list[list[Job]] = []
    few: list[tuple[str, str]] = []
    stutters: dict[str, None] = dict.fromkeys(claim.id for claim in _of_states(claims))
    by_row: dict[str, list[str]] = {}
    for row, claim, frame in listed:
        if not frame and excepted(row, claim):
            few.append((row.id, claim.id))
        elif not frame:
            by_row.setdefault(row.id, []).append(claim.id)
        elif isinstance(claim, Step):
            stutters.setdefault(claim.id)
    for seed in seeds:
        first = [("ask", INITIAL, c.id, seed) for c in claims if isinstance(c, Always)]
        batches += [[*first, *(("ask", STUTTER, id, seed) for id in stutters)]]
        batches += _together([("ask", row, id, seed) for id in ids] for row, ids in by_row.items())
    batches.sort(key=len, reverse=True)
    possible: list[Job] = [("met", "", HYPOTHESES, 0), ("begins", "", INITIAL, 0)]
    seen: list[Job] = [("condition", "", c.id, 0) for c in claims if isinstance(c, Always)]
    # What a row is for any number of entities is made once, where it is asked of properties.
    batch_of = {row: batch for batch in batches for _, row, _, _ in batch}
    for id in some:
        there = batch_of.get(id, possible)
        (there if witnesses.place(id) is None else seen).append(("enabled", "", id, 0))
        there.append(("range", "", id, 0))
    possible += sorted(seen, key=lambda job: witnesses.place(job[2]) or 0)
    half = max(1, len(possible) // 2)
    declared = [("ask", row, id, seed) for row, id in few for seed in seeds]
    return [declared, *batches, *(possible[i : i + half] for i in range(0, len(possible), half))]


def _together(rows: Iterable[list[Job]]) -> list[list[Job]]:
    """Return the work of rows as batches: rows of few obligations share one, as each batch begins a process."""
    batches: list[list[Job]] = [[]]
    for jobs in rows:
        if len(jobs) >= FEW_JOBS:
            batches.insert(0, jobs)
        elif len(batches[-1]) + len(jobs) > MANY_JOBS:
            batches.append(jobs)
        else:
            batches[-1] = batches[-1] + jobs
    return [one for one in batches if one]


def _answers(
    prover: Prover, contradictions: Contradictions, plan: list[list[Job]], timeout: float, progress: Progress | None
) -> dict[tuple[str, str, int], Asked]:
    protocol = prover.protocol
    plan = [[*batch, ("defined", "", str(number), 0)] for number, batch in enumerate(plan)]

    def make() -> Callable[[Any], Any]:
        def work(job: Job) -> Any:
            what, name, id, seed = job
            if what == "defined":
                return not contradictions.found(), ()
            if what == "met":
                return met(prover), ()
            if what == "enabled":
                return prover.enabled(protocol.row(id)), ()
            if what == "begins":
                return begins(prover), ()
            if what == "range":
                return leaves_range(prover, protocol.row(id)), ()
            claim: Any = claim_of(protocol, name, id)
            if what == "condition":
                return prover.condition_met(claim), ()
            row = None if name in (INITIAL, STUTTER) else protocol.row(name)
            return (prover.attempt if what == "try" else prover.ask)(row, claim, seed), prover.abstractions()

        return work

    answers: dict[tuple[str, str, int], Asked] = {}
    doubts: dict[int, str] = {}
    total = sum(len(batch) for batch in plan)
    for done, (job, result, why) in enumerate(shared(make, plan, timeout, workers(), afresh=True), 1):
        what, name, id, seed = job
        if what in ("ask", "try"):
            asked, abstractions = result if result is not None else (None, ())
            answers[name, id, seed] = asked or Asked(name, id, seed, "unknown", timeout, message=why)
            for one in abstractions:
                answers["abstraction", one, 0] = Asked("", one, 0, "proved", 0.0)
        elif what == "met":
            shown = result[0] if result is not None else None
            answer: Answer = "refuted" if shown == "never" else "unknown" if shown is None else "proved"
            answers[what, id, 0] = Asked(what, id, 0, answer, 0.0, message=why if shown is None else str(shown))
        elif what == "defined":
            if result is None or not result[0]:
                doubts[int(id)] = CONTRADICTION if result is not None else f"not asked of its definitions: {why}"
        elif result is not None:
            answers[what, id, 0] = Asked(what, id, 0, "proved" if result[0] else "refuted", 0.0)
        if progress is not None:
            progress(done, total, f"{name} × {id}" if name else id)
    for number, message in doubts.items():
        for what, name, id, seed in plan[number]:
            if what in ("ask", "try") and answers[name, id, seed].answer == "proved":
                doubted = replace(answers[name, id, seed], answer="unknown", message=message, questions=())
                answers[name, id, seed] = doubted
    return answers


def _initial(
    claims: Sequence[Claim],
    answers: dict[tuple[str, str, int], Asked],
    seeds: Sequence[int],
    protocol: Protocol,
    assumed: tuple[Always, ...],
) -> list[Obligation]:
    return [
        judged(protocol, INITIAL, INITIAL, claim, answers, seeds, assumed, False)
        for claim in claims
        if isinstance(claim, Always)
    ]


def _of_states(claims: Sequence[Claim]) -> list[RankingStep]:
    """Return the claims that speak of states alone."""
    return [one for one in claims if isinstance(one, RankingStep) and one.of_states]


def judged(
    protocol: Protocol,
    row: str,
    name: str,
    claim: Claim,
    answers: dict[tuple[str, str, int], Asked],
    seeds: Sequence[int],
    assumed: tuple[Always, ...],
    frame: bool,
) -> Obligation:
    """Return an obligation as the answers under all seeds have it, its counterexample confirmed by the interpreter."""
    mine = [answers[name, claim.id, seed] for seed in seeds]
    worst = min(mine, key=lambda a: ("refuted", "unknown", "abstraction", "proved").index(a.answer))
    seconds = sum(a.seconds for a in mine)
    anywhere = claim.expected == "violated" and not claim.by
    declared = anywhere if row in (INITIAL, STUTTER) else excepted(protocol.row(row), claim)
    ranking = claim.claim if isinstance(claim, RankingStep) else ""
    found = partial(Obligation, row, claim.id, seconds=seconds, frame=frame, declared=declared, ranking=ranking)
    if worst.answer == "proved":
        return found(Verdict.PROVED)
    if worst.answer != "refuted":
        return found(Verdict.INCONCLUSIVE, _why(worst))
    assert worst.found is not None
    # A counterexample of any row starts from a state to which no run need lead; that of the first state is a run.
    refuted = Verdict.VIOLATED if name == INITIAL else Verdict.NOT_INDUCTIVE
    if name == STUTTER and not (isinstance(claim, RankingStep) and claim.of_states):
        return found(refuted, f"{claim.id} does not even hold of a step that changes nothing")
    try:
        of = None if name in (INITIAL, STUTTER) else protocol.row(row)
        trace, message = trace_of(protocol, worst.found, of, claim, assumed)
    except EvaluationError as error:
        return found(refuted, f"the row cannot run: {error}")
    if trace.begins and not ranking:
        refuted, trace = Verdict.VIOLATED, replace(trace, initial=True)
    return found(refuted, message, trace)


def _why(asked: Asked) -> str:
    if asked.answer == "abstraction":
        return "abstraction: it fails where thresholds are families of sets, and nowhere that sets are counted"
    return asked.message or f"the solver does not know (seed {asked.seed}, {asked.retries} further attempts)"


def falling(protocol: Protocol, dropped: Iterable[str]) -> tuple[tuple[str, ...], Proof]:
    """Return the properties that fall without some assumptions, and the proof of all that is left.

    What falls is no hypothesis for the others, which are asked again until nothing falls any more. Raises `Refusal` for
    an assumption that the protocol does not make.
    """
    bare, fallen = without(protocol, dropped), set[str]()
    while True:
        found = prove(bare, assumptions=False)
        more = {one.ranking or one.property for one in found.failed if not one.declared}
        if not more:
            return tuple(one.id for one in protocol.properties if one.id in fallen), found
        fallen |= more
        claims = [one for one in bare.properties if one.id in more]
        bare = bare.claiming(
            *(replace(one, expected="violated", by=()) for one in claims if isinstance(one, (Always, Step))),
            *(replace(one, ranking=None) for one in claims if isinstance(one, LeadsTo)),
        )


def _kept(claims: Sequence[Claim], found: Sequence[Obligation], refuted: set[str]) -> Iterator[str]:
    """Yield what is declared violated and is not: by no row, or by one that is declared to break it and keeps it."""
    kept = {(one.property, one.row) for one in found if one.verdict is Verdict.PROVED}
    for claim in claims:
        if claim.expected == "violated" and claim.id not in refuted:
            yield claim.id
        elif claim.expected == "violated":
            yield from (f"{claim.id} by {row}" for row in claim.by if (claim.id, row) in kept)


def _met(protocol: Protocol, answers: Mapping[tuple[str, str, int], Asked]) -> str:
    """Return how it was shown that the hypotheses can be met; empty where it was not."""
    asked = answers.get(("met", HYPOTHESES, 0))
    if asked is None or asked.answer != "proved":
        return ""
    having = f" with {asked.message} of each sort of entity" if protocol.sorts else ""
    return f"by a state{having}, as the interpreter confirms"


def _questions(
    found: Sequence[Obligation], answers: Mapping[tuple[str, str, int], Asked], seeds: Sequence[int]
) -> tuple[Kept, ...]:
    """Return the questions on which the proved obligations rest, each once, named by the first that rests on it."""
    kept: dict[Path, Kept] = {}
    for one in found:
        for seed in seeds if one.verdict is Verdict.PROVED else ():
            asked = answers.get((STUTTER if one.frame else one.row, one.property, seed))
            for question in asked.questions if asked is not None else ():
                kept.setdefault(question.file, replace(question, about=f"{one.row} × {one.property}"))
    return tuple(kept.values())


def _by_core(one: Obligation, answers: Mapping[tuple[str, str, int], Asked], seeds: Sequence[int]) -> bool:
    """Whether a recorded core was enough for an obligation under every seed."""
    is_asked = one.verdict is Verdict.PROVED and (one.row, one.property, seeds[0]) in answers
    return is_asked and all(answers[one.row, one.property, seed].by_core for seed in seeds)


def _settled(
    found: Sequence[Obligation], answers: Mapping[tuple[str, str, int], Asked], seeds: Sequence[int]
) -> Iterator[Settled]:
    """Yield of each property the rows that were proved to keep it though they write something of it."""
    by_property: dict[str, tuple[list[str], list[str]]] = {}
    for one in found:
        if one.verdict is Verdict.PROVED and not one.frame:
            by_property.setdefault(one.property, ([], []))[not _by_core(one, answers, seeds)].append(one.row)
    for id, (by_core, by_solver) in by_property.items():
        yield Settled(id, tuple(by_core), tuple(by_solver))


def _proof(
    protocol: Protocol,
    seeds: tuple[int, ...],
    found: list[Obligation],
    answers: dict[tuple[str, str, int], Asked],
    vacuous: list[str],
    rows: Sequence[Row],
    claims: Sequence[Claim],
    started: float,
) -> Proof:
    known = recorded(protocol)
    refuted = {o.property for o in found if o.refuted}
    excused = [o for o in found if o.declared and o.property in refuted]
    expected = sum(o.refuted for o in excused)
    counted = [o for o in found if not (o.declared and o.property in refuted)]
    lemma_seconds: dict[str, float] = {}
    for (name, id, _), asked in answers.items():
        if name not in ("enabled", "condition", "begins", "range", "abstraction", "met"):
            lemma_seconds[id] = lemma_seconds.get(id, 0.0) + asked.seconds
    slow_first = sorted(lemma_seconds.items(), key=lambda item: -item[1])
    return Proof(
        protocol=protocol.name,
        seeds=seeds,
        obligations=sum(not o.frame for o in found),
        frame_obligations=sum(o.frame for o in found),
        proved=sum(o.verdict is Verdict.PROVED for o in found),
        refuted=sum(o.refuted for o in counted),
        unknown=sum(o.verdict is Verdict.INCONCLUSIVE for o in counted),
        expected=expected,
        row_count=len(rows),
        property_count=len({claim_id(one) for one in claims}),
        failed=tuple(o for o in found if o.verdict is not Verdict.PROVED),
        slowest=tuple(sorted((o for o in found if o.seconds), key=lambda o: -o.seconds)[:10]),
        lemma_seconds=dict(slow_first),
        vacuous=tuple(vacuous),
        undeclared=tuple(_kept(claims, found, refuted)),
        abstractions=tuple(sorted(id for name, id, _ in answers if name == "abstraction")),
        retries=sum(a.retries for a in answers.values()),
        seconds=time.perf_counter() - started,
        solver_seconds=sum(a.seconds for a in answers.values()),
        by_cores=sum(_by_core(o, answers, seeds) for o in found),
        no_cores=known.wrong,
        core_solver=known.solver,
        scope=scope_of(protocol),
        questions=_questions(found, answers, seeds),
        met=_met(protocol, answers),
        scopes=scopes_of(protocol, [one for one in claims if not isinstance(one, RankingStep)]),
        rankings=by_ranking(protocol, claims, found) if len(rows) == len(protocol.rows) else (),
        settled=tuple(_settled(found, answers, seeds)),
        applying=tuple(id for (name, id, _), a in answers.items() if name == "enabled" and a.answer == "proved"),
        out_of_range=tuple(id for (name, id, _), a in answers.items() if name == "range" and a.answer == "proved"),
    )
