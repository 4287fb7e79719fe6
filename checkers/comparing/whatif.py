"""What a variant breaks of its base: the obligations that its edit touches, asked, and nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.proof import Hygiene, Obligation, Proof, hygiene, search
from fencepost.checkers.proof.attempts import SECOND
from fencepost.checkers.proof.processes import shared, workers
from fencepost.checkers.proof.prove import GUARD, judged
from fencepost.checkers.proof.prover import STUTTER, Asked, Prover, excepted, hypotheses
from fencepost.checkers.proof.results import INITIAL
from fencepost.checkers.proof.scope import Inexpressible
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import Always, Protocol, Row, Step

from .behaviour import Behaviour, behaviour
from .differences import Differences, compare
from .touched import Pair, Touched, concerned, row_of, touched

Claim = Always | Step
Told = Callable[[str], None]


@dataclass(frozen=True)
class WhatIf:
    """What became of a variant: what differs, which obligations that touches, and what each of them says.

    `proof` is about these obligations only, `hygiene` about the tables of the events that the edit concerns. `first`
    are the seconds until the first answer.
    """

    base: str
    variant: str
    differences: Differences
    touched: Touched
    proof: Proof
    hygiene: Hygiene
    behaviour: Behaviour
    first: float
    seconds: float

    @property
    def broken(self) -> tuple[Obligation, ...]:
        """The obligations that are not kept and not declared so."""
        return tuple(one for one in self.proof.failed if one.refuted and not one.declared)

    def as_json(self) -> dict[str, Any]:
        """Return the outcome as JSON values."""
        return {
            "base": self.base,
            "differences": self.differences.as_json(),
            "rows": list(self.touched.rows),
            "properties": list(self.touched.properties),
            "asked": len(self.touched.pairs),
            "not_asked": self.touched.untouched,
            "asked_by_exploration_only": list(self.touched.unasked),
            "everything_asked_since": self.touched.whole or None,
            "proof": self.proof.as_json(),
            "behaviour": self.behaviour.as_json(),
            "first_seconds": round(self.first, 3),
        }


class _Asking(Prover):
    """A prover that looks for a counterexample before it proves at length."""

    def first(self, row: Row | None, claim: Claim) -> Asked | None:
        """Answer by short attempts or by a counterexample, None where neither does."""
        started = time.perf_counter()
        name = row.id if row is not None else INITIAL if isinstance(claim, Always) else STUTTER
        answer = self.quickly(row, claim, 1)
        if answer == "proved":
            return Asked(name, claim.id, 1, "proved", time.perf_counter() - started)
        if answer == "refuted":
            for index in range(len(self.goals_once(0, row, claim))):
                found = self._refute(row, claim, index, (1, 2))
                if found is not None and self._counts and self._prove(row, claim, index, 1, SECOND)[0] == "unsat":
                    continue  # the finite range of a counter alone made it
                if found is not None:
                    return Asked(name, claim.id, 1, "refuted", time.perf_counter() - started, found=found)
        return None


def whatif(
    base: Protocol,
    variant: Protocol,
    slices: Sequence[Protocol],
    seconds: float = 10.0,
    told: Told | None = None,
    *,
    of_base: Sequence[Protocol] = (),
    in_step: float = 0.0,
) -> WhatIf:
    """Ask what an edit touches. `told` is given a line as soon as something is known.

    What is not inductive is searched for `seconds` of processor time at the bounds of `slices`, which are of the
    variant. For `in_step` seconds these and the slices `of_base` run in step, until one can do what the other cannot.
    Raises `Refusal`, or `ReplayFailed` where the interpreter does not reproduce a counterexample.
    """
    started = time.perf_counter()
    say = told or (lambda line: None)
    quick = compare(base, variant, ask=False)
    found = compare(base, variant) if quick.properties else quick
    mine = touched(base, variant, found)
    asking = _Round(variant, mine, started, say)
    proof = asking.proof()
    if proof.not_inductive and seconds > 0:
        proof = search(variant, slices, proof, seconds)
    events = set(concerned(base, variant, mine.rows))
    tidy = hygiene(variant, applying=proof.applying, only=lambda one: one[3] in events and _about(one[0], one[2], mine))
    found = found if found is not quick else compare(base, variant)  # for the reader, after the first answers
    parted = behaviour((base, variant), of_base, slices, found, in_step)
    first = asking.first if asking.first is not None else time.perf_counter() - started
    return WhatIf(base.name, variant.name, found, mine, proof, tidy, parted, first, time.perf_counter() - started)


def _about(what: str, rows: Sequence[str], mine: Touched) -> bool:
    """Return whether a question about tables concerns a row that changed, or a whole event of which some row did."""
    return what == "gap" or not set(rows).isdisjoint(mine.rows)


class _Round:
    """The obligations of a variant while they are asked: quickly first, then those that this leaves open at length."""

    def __init__(self, variant: Protocol, mine: Touched, started: float, say: Told) -> None:
        self.variant, self.mine, self.started, self.say = variant, mine, started, say
        self.assumed = hypotheses(variant)
        self.prover = _Asking(variant, self.assumed)
        self.answers: dict[tuple[str, str, int], Asked] = {}
        self.first: float | None = None

    def proof(self) -> Proof:
        """Ask, and return what was found as a proof of these obligations."""
        with suppress(Inexpressible):
            self.prover.session(0)
        pairs = [*self.mine.pairs, *dict.fromkeys((STUTTER, id) for _, id in self.mine.stutters)]
        self._asked("first", pairs)
        self._asked("ask", [pair for pair in pairs if (*pair, 1) not in self.answers])
        found = [self._obligation(row, row, id) for row, id in self.mine.pairs]
        found += [self._obligation(row, STUTTER, id) for row, id in self.mine.stutters]
        return self._proof(found, *self._vacuous())

    def _asked(self, how: str, pairs: Sequence[Pair]) -> None:
        """Ask some obligations, those of a row by one worker; where there are few rows, each by any."""
        batches: dict[str, list[tuple[str, str, str]]] = {}
        few = len({row for row, _ in pairs}) < 2 * workers()
        for number, (row, id) in enumerate(pairs):
            key = f"{row} {number % workers()}" if few else row
            batches.setdefault(key, []).append((how, row, id))

        def make() -> Callable[[Any], Any]:
            def work(job: tuple[str, str, str]) -> Asked | None:
                _, name, id = job
                row, claim = row_of(self.variant, name), self.variant.property(id)
                assert isinstance(claim, (Always, Step))
                return self.prover.first(row, claim) if how == "first" else self.prover.ask(row, claim, 1)

            return work

        for (_, row, id), answer, why in shared(make, list(batches.values()), GUARD, workers()):
            if answer is None and how == "ask":
                answer = Asked(row, id, 1, "unknown", GUARD, message=why)
            if answer is not None:
                self.answers[row, id, 1] = answer
                self._tell(row, id, answer)

    def _tell(self, row: str, id: str, answer: Asked) -> None:
        since = time.perf_counter() - self.started
        if self.first is None:
            self.first = since
        claim: Any = self.variant.property(id)
        named = row_of(self.variant, row)
        declared = excepted(named, claim) if named is not None else claim.expected == "violated"
        if answer.answer == "refuted" and not declared:
            self.say(f"{row} × {id}: not kept ({since:.1f} s)")

    def _obligation(self, row: str, name: str, id: str) -> Obligation:
        claim: Any = self.variant.property(id)
        return judged(self.variant, row, name, claim, self.answers, (1,), self.assumed, name == STUTTER)

    def _vacuous(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the rows that no state enables, with claims whose condition none meets; then the rows that apply."""
        jobs = [("row", id) for id in self.mine.rows]
        jobs += [("claim", id) for id in self.mine.properties if isinstance(self.variant.property(id), Always)]

        def make() -> Callable[[Any], Any]:
            def work(job: Pair) -> bool:
                what, id = job
                if what == "row":
                    return self.prover.enabled(self.variant.row(id))
                claim: Any = self.variant.property(id)
                return self.prover.condition_met(claim)

            return work

        met = {job: answer for job, answer, _ in shared(make, [[job] for job in jobs], GUARD, workers())}
        applying = tuple(id for what, id in jobs if what == "row" and met[what, id])
        return tuple(id for what, id in jobs if met[what, id] is False), applying

    def _proof(self, found: Sequence[Obligation], vacuous: tuple[str, ...], applying: tuple[str, ...]) -> Proof:
        refuted = {one.property for one in found if one.refuted}
        kept = [one for one in found if one.verdict is Verdict.PROVED and one.declared]
        excused = [one for one in found if one.declared and one.property in refuted]
        counted = [one for one in found if one not in excused]
        return Proof(
            protocol=self.variant.name,
            seeds=(1,),
            obligations=len(self.mine.pairs),
            frame_obligations=self.mine.frame + len(self.mine.stutters),
            proved=sum(one.verdict is Verdict.PROVED for one in found) + self.mine.frame,
            refuted=sum(one.refuted for one in counted),
            unknown=sum(one.verdict is Verdict.INCONCLUSIVE for one in counted),
            expected=sum(one.refuted for one in excused),
            row_count=len(self.mine.rows),
            property_count=len({id for _, id in self.mine.pairs}),
            failed=tuple(one for one in found if one.verdict is not Verdict.PROVED),
            slowest=tuple(sorted(found, key=lambda one: -one.seconds)[:10]),
            lemma_seconds={},
            vacuous=tuple(sorted(vacuous)),
            undeclared=tuple(
                f"{one.property} by {one.row}"
                for one in kept
                if one.row in self.variant.property(one.property).by  # type: ignore[union-attr]
            ),
            abstractions=(),
            retries=sum(one.retries for one in self.answers.values()),
            seconds=time.perf_counter() - self.started,
            solver_seconds=sum(one.seconds for one in self.answers.values()),
            applying=applying,
        )


__all__ = ["WhatIf", "whatif"]
