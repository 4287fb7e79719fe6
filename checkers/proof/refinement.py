"""Refinement: every step of a protocol is a row of another one or changes nothing there, or here is one that is not."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fencepost.checkers.document import Document
from fencepost.checkers.verdicts import Refusal, Verdict
from fencepost.model.language import Protocol, Row
from fencepost.model.language.footprint import touched, variables
from fencepost.model.language.refinement import Case, Refinement, Target

from .processes import shared, workers
from .prove import GUARD, Progress, prove
from .prover import Prover, hypotheses
from .results import Obligation, Proof

SEEN_AT = (2, 3)
"""Entities of each sort in the states in which a row's targets are looked for; the larger only where none was seen."""


@dataclass(frozen=True)
class RefinedRow(Document):
    """What the steps of a row are.

    `targets` are the rows of the other protocol that steps of it were seen to be, in states of few entities; there may
    be more. `frame` says that the row writes nothing that the mapping reads, `outside`, where the row is declared to do
    otherwise, how. `failed` are the obligations that are not proved.
    """

    row: str
    verdict: Verdict
    targets: tuple[str, ...]
    frame: bool = False
    outside: str = ""
    failed: tuple[Obligation, ...] = ()

    @property
    def said(self) -> str:
        """What the steps of the row are, in words."""
        if self.frame:
            return "none: it writes nothing that is mapped"
        none = "none" if self.verdict is Verdict.PROVED and not self.outside else ""
        seen = ", ".join(self.targets) or none
        outside = f"outside: {self.outside}" if self.outside else ""
        failed = ", ".join(f"{one.property} {one.verdict.value}" for one in self.failed)
        vacuous = "no step of it is in any case" if self.verdict is Verdict.VACUOUS else ""
        return "; ".join(part for part in (seen, outside, failed, vacuous) if part)


@dataclass(frozen=True)
class Refined(Document):
    """Whether a protocol refines another: its rows, and what is wrong besides.

    `proofs` are the proofs behind it, that of what the other protocol keeps first. `undeclared` says what is declared
    of a row and not found: that it misses a target, or that all its steps are outside.
    """

    DOCUMENT = "lower upper verdict rows obligations proved unknown undeclared seconds solver_seconds"

    lower: str
    upper: str
    rows: tuple[RefinedRow, ...]
    proofs: tuple[Proof, ...]
    undeclared: tuple[str, ...]
    seconds: float

    @property
    def verdict(self) -> Verdict:
        """Proved only if every row is, or is declared to be outside; else what weighs most."""
        found = {one.verdict for one in self.rows}
        if any(proof.violated for proof in self.proofs):
            return Verdict.VIOLATED
        if Verdict.VACUOUS in found or any(proof.vacuous for proof in self.proofs):
            return Verdict.VACUOUS
        if Verdict.NOT_INDUCTIVE in found or any(proof.refuted for proof in self.proofs):
            return Verdict.NOT_INDUCTIVE
        unknown = Verdict.INCONCLUSIVE in found or any(proof.unknown for proof in self.proofs)
        return Verdict.INCONCLUSIVE if unknown or not self.rows else Verdict.PROVED

    @property
    def obligations(self) -> int:
        """How many obligations were asked."""
        return sum(one.obligations for one in self.proofs)

    @property
    def proved(self) -> int:
        """How many of them are proved."""
        return sum(one.proved for one in self.proofs)

    @property
    def unknown(self) -> int:
        """How many of them are not decided."""
        return sum(one.unknown for one in self.proofs)

    @property
    def solver_seconds(self) -> float:
        """Seconds that the solver took for them."""
        return sum(one.solver_seconds for one in self.proofs)

    def of(self, row: str) -> RefinedRow:
        """Return what was found of a row; raises `KeyError` for one that was not asked."""
        return {one.row: one for one in self.rows}[row]


def refine(
    refinement: Refinement,
    *,
    seeds: int = 1,
    rows: Sequence[str] | None = None,
    timeout: float = GUARD,
    progress: Progress | None = None,
) -> Refined:
    """Prove, for any number of entities, that every step is a row of the other protocol or changes nothing there.

    `rows` restricts what is asked: the steps of these, and nothing of what they rely on. A row that the refinement
    leaves aside is asked only if it is named. `timeout` and `progress` are as in `prove`. Raises `Refusal` for an
    unknown row, `ReplayFailed` where the interpreter does not reproduce a counterexample.
    """
    started = time.perf_counter()
    lower, upper = refinement.lower, refinement.upper
    unknown = set(rows or ()) - {row.id for row in lower.rows}
    if unknown:
        raise Refusal(f"prove {lower.name}: no row {sorted(unknown)}; see `show {lower.name}`")
    asked = [one for one in lower.rows if (one.id in rows if rows else one.id not in refinement.aside)]
    proofs = [] if rows else [_proved(upper, [one.id for one in refinement.kept], None, seeds, timeout, progress)]
    if not rows:
        proofs.append(_proved(lower, [one.id for one in refinement.lemmas], None, seeds, timeout, progress))
    mine = {row.id: [case for case in refinement.cases if _about(case, row, refinement)] for row in asked}
    for cases in dict.fromkeys(tuple(found) for found in mine.values()):
        some = [id for id, found in mine.items() if tuple(found) == cases]
        proofs.append(_proved(lower, [case.target.id for case in cases], some, seeds, timeout, progress))
    failed = [one for proof in proofs for one in proof.failed]
    seen = _seen(lower, mine, timeout, progress)
    vacuous = {id for proof in proofs for id in proof.vacuous}
    found = [_judged(refinement, row, mine[row.id], failed, seen, row.id in vacuous) for row in asked]
    found += [
        RefinedRow(id, Verdict.UNDECIDED, (), outside=why)
        for id, why in refinement.aside.items()
        if not rows and id in {row.id for row in lower.rows}
    ]
    order = {row.id: number for number, row in enumerate(lower.rows)}
    missed = {(one.row, one.property) for one in failed}
    undeclared = [
        f"{id} misses {case.target.id}"
        for id, cases in mine.items()
        for case in cases
        if id in case.target.broken and (id, case.target.id) not in missed
    ]
    undeclared += [f"{id} is outside" for id in mine if id in refinement.apart and id in seen]
    return Refined(
        lower.name,
        upper.name,
        tuple(sorted(found, key=lambda one: order[one.row])),
        tuple(proofs),
        tuple(undeclared),
        time.perf_counter() - started,
    )


def _about(case: Case, row: Row, refinement: Refinement) -> bool:
    """Whether a case is one of a row's: of its own group, of that of all others, or of one that is on top of these."""
    group = case.group
    if group.rows:
        return row.id in group.rows
    if group.beside:
        return row.id not in group.but
    return not any(row.id in one.group.rows for one in refinement.cases if not one.group.beside)


def _proved(
    protocol: Protocol,
    claims: Sequence[str],
    rows: Sequence[str] | None,
    seeds: int,
    timeout: float,
    progress: Progress | None,
) -> Proof:
    return prove(
        protocol, seeds=seeds, properties=claims, rows=rows, timeout=timeout, progress=progress, assumptions=False
    )


def _reads(row: Row, case: Case) -> bool:
    return not touched(row).isdisjoint(variables(case.claim.term))


def _judged(
    refinement: Refinement,
    row: Row,
    cases: Sequence[Case],
    failed: Sequence[Obligation],
    seen: dict[str, tuple[Target, ...]],
    vacuous: bool,
) -> RefinedRow:
    ids = {case.target.id for case in cases}
    mine = tuple(one for one in failed if one.row == row.id and one.property in ids)
    undeclared = tuple(one for one in mine if not one.declared)
    broken = {one.property for one in mine if one.declared}
    outside = dict.fromkeys(case.target.because for case in cases if case.target.id in broken)
    frame = not any(_reads(row, case) for case in cases)
    verdict = Verdict.PROVED
    missed = {one.property for one in mine}
    targets = tuple(dict.fromkeys(one.row for one in seen.get(row.id, ()) if one.id not in missed))
    if any(one.refuted for one in undeclared):
        verdict = Verdict.NOT_INDUCTIVE
    elif any(one.verdict is Verdict.INCONCLUSIVE for one in mine):
        verdict = Verdict.INCONCLUSIVE
    elif vacuous or not (frame or row.id in seen or row.id in refinement.apart):
        verdict = Verdict.VACUOUS
    elif row.id in refinement.apart:
        outside[refinement.apart[row.id]] = None
    return RefinedRow(row.id, verdict, targets, frame, "; ".join(outside), undeclared)


def _seen(
    protocol: Protocol, mine: dict[str, list[Case]], timeout: float, progress: Progress | None
) -> dict[str, tuple[Target, ...]]:
    """Return the targets that steps of each row were seen to be; a row of which no step was seen is not there."""
    prover = Prover(protocol, hypotheses(protocol))
    asked = {id: [case for case in cases if _reads(protocol.row(id), case)] for id, cases in mine.items()}

    def make() -> Callable[[Any], Any]:
        def work(job: tuple[str]) -> tuple[Target, ...] | None:
            [id] = job
            return _targets(prover, protocol.row(id), asked[id])

        return work

    found: dict[str, tuple[Target, ...]] = {}
    plan = [[(id,)] for id, cases in asked.items() if cases]
    for done, ((id,), targets, _) in enumerate(shared(make, plan, timeout, workers()), 1):
        if targets is not None:
            found[id] = targets
        if progress is not None:
            progress(done, len(plan), f"steps of {id}")
    return found


def _targets(prover: Prover, row: Row, cases: Sequence[Case]) -> tuple[Target, ...] | None:
    """Return the targets with a row in whose case some step of a row is, None if there is no step in any case."""
    for size in SEEN_AT:
        seen = [case.target for case in cases if case.target.row and prover.shows(row, case.never, size)]
        if seen:
            return tuple(seen)
        if any(prover.shows(row, case.never, size) for case in cases if not case.target.row):
            return ()
    return None


def edited(refinement: Refinement, base: Protocol) -> Refinement:
    """Return the question whether an edit of the protocol refines the other one, too."""
    return replace(refinement, lower=refinement.claiming(base))


__all__ = ["Refined", "RefinedRow", "edited", "refine"]
