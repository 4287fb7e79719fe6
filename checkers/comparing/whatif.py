"""Properties that a variant violates and its base has: only the obligations that its edit touches are checked."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fencepost.checkers.asked import scopes_of
from fencepost.checkers.document import Document
from fencepost.checkers.proof import Hygiene, Obligation, Proof, hygiene
from fencepost.checkers.proof.attempts import SECOND
from fencepost.checkers.proof.cores import recorded
from fencepost.checkers.proof.cores import with_groups as cores_with_groups
from fencepost.checkers.proof.obligations import claim_of, scope_of
from fencepost.checkers.proof.processes import shared, workers
from fencepost.checkers.proof.prove import GUARD, judged
from fencepost.checkers.proof.prover import STUTTER, Asked, Prover, excepted, hypotheses
from fencepost.checkers.proof.results import INITIAL
from fencepost.checkers.proof.row_groups import row_groups, with_groups
from fencepost.checkers.proof.scope import Inexpressible
from fencepost.checkers.proof.search import searching
from fencepost.checkers.verdicts import Verdict
from fencepost.checkers.written_once import WRITTEN_ONCE
from fencepost.model.language import Always, Property, Protocol, Row, Step, next_
from fencepost.notebook import headed

from .differences import Differences, compare
from .kept import KeptAnswers
from .repairs import Repairs, repairs
from .touched import Pair, Touched, concerned, row_of, touched

if TYPE_CHECKING:
    from .behaviour import Behaviour

Claim = Always | Step
Told = Callable[[str], None]
Job = tuple[str, str, str]
Slices = Callable[[], Sequence[Protocol]]
"""Slices, made when they are first asked for: the first answers need none."""

LIMIT = 120.0
"""Seconds of processor time for obligations, unless something else is said."""
NO_REPAIRS = Repairs()
NOT_ASKED = "not asked: the processor time for obligations is spent"


@dataclass(frozen=True)
class WhatIf(Document):
    """The result for a variant: its differences, which obligations that touches, and what each of them says.

    `proof` is about these obligations only, `hygiene` about the tables of the events that the edit concerns. `first`
    are the seconds until the first answer, `kept` counts the answers that were kept from before.
    """

    DOCUMENT = (
        "base differences rows=touched.rows properties=touched.properties asked=touched.pairs:count "
        "not_asked=touched.untouched asked_by_exploration_only=touched.unasked "
        "everything_asked_since=touched.whole:or_null proof behaviour first_seconds=first kept out_of_time=not_asked "
        "repairs"
    )

    base: str
    variant: str
    differences: Differences
    touched: Touched
    proof: Proof
    hygiene: Hygiene
    behaviour: Behaviour
    first: float
    seconds: float
    kept: int = 0
    repairs: Repairs = NO_REPAIRS

    def __repr__(self) -> str:
        return f"<WhatIf {self.variant} against {self.base}: {self.proof.verdict.value}>"

    def _repr_html_(self) -> str:
        return headed(repr(self)[1:-1], self.differences._repr_html_(), self.proof._repr_html_())

    @property
    def not_asked(self) -> int:
        """How many obligations were not asked, since the processor time for them was spent."""
        return sum(one.message == NOT_ASKED for one in self.proof.failed)

    @property
    def broken(self) -> tuple[Obligation, ...]:
        """The obligations that are not kept and not declared so."""
        return tuple(one for one in self.proof.failed if one.refuted and not one.declared)


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
    slices: Slices,
    seconds: float = 10.0,
    told: Told | None = None,
    *,
    of_base: Slices = tuple,
    in_step: float = 0.0,
    limit: float = LIMIT,
    repair: float = 0.0,
    cache: Path | None = None,
    progress: Told | None = None,
) -> WhatIf:
    """Ask what an edit touches. `told` is given a line as soon as something is known, `progress` how far it has come.

    Obligations are asked for `limit` seconds of processor time; what is not answered by then is unknown. In the folder
    `cache` answers are found and kept. What is not inductive is searched for `seconds` of processor time at the bounds
    of `slices`, which are of the variant. For `in_step` seconds these and the slices `of_base` run in step, until one
    can do what the other cannot. For `repair` seconds it is asked what would keep what is not kept.
    Raises `Refusal`, or `ReplayFailed` where the interpreter does not reproduce a counterexample.
    """
    started = time.perf_counter()
    say = told or (lambda line: None)
    quick = compare(base, variant, ask=False)
    found = compare(base, variant) if quick.properties else quick
    mine = touched(base, variant, found)
    asking = _Round(variant, mine, started, say, limit, cache, progress or (lambda line: None))
    proof = asking.proof()
    from .behaviour import behaviour

    edited = partial(by_the_edit, mine.pairs)
    # On another core than the rest.
    with searching(edited(variant), lambda: tuple(map(edited, slices())), proof, seconds) as searched:
        events = set(concerned(base, variant, mine.rows))
        tidy = hygiene(
            variant, applying=proof.applying, only=lambda one: one[3] in events and _about(one[0], one[2], mine)
        )
        found = found if found is not quick else compare(base, variant)  # for the reader, after the first answers
        parted = behaviour((base, variant), of_base(), slices(), found, in_step)
        broken = [one for one in proof.failed if one.refuted and not one.declared]
        mended = repairs(base, variant, broken, mine.rows, repair)
        proof = searched()
    first = asking.first if asking.first is not None else time.perf_counter() - started
    took = time.perf_counter() - started
    return WhatIf(base.name, variant.name, found, mine, proof, tidy, parted, first, took, asking.kept.found, mended)


def by_the_edit(pairs: Sequence[Pair], one: Protocol) -> Protocol:
    """Return tables whose claims are what each edited row has to keep: a search for a run that breaks one finds a run
    whose last step is of such a row, and none that the base has as well.

    `pairs` are rows with the properties of which they are asked. A claim on states becomes one on steps of these rows,
    that it holds after a step where it held before.
    """
    rows: dict[str, dict[str, None]] = {}
    for row, id in pairs:
        if any(mine.id == row for mine in one.rows):
            rows.setdefault(id, {})[row] = None
    made: list[Property] = []
    for claim in one.properties:
        if claim.id not in rows or not isinstance(claim, (Always, Step)):
            continue
        term = claim.term if isinstance(claim, Step) else claim.term.implies(next_(claim.term))
        about = (claim.id, term, claim.scope, tuple(rows[claim.id]), claim.source, claim.about)
        made.append(Step(*about, "holds", claim.finding, claim.place))
    return replace(one, properties=tuple(made))


def _about(what: str, rows: Sequence[str], mine: Touched) -> bool:
    """Return whether a question about tables concerns a row that changed, or a whole event of which some row did."""
    return what == "gap" or not set(rows).isdisjoint(mine.rows)


class _Round:
    """The obligations of a variant while they are asked: those of rows that do the same once, then quickly each that
    this leaves open, then at length.
    """

    def __init__(
        self,
        variant: Protocol,
        mine: Touched,
        started: float,
        say: Told,
        limit: float = LIMIT,
        cache: Path | None = None,
        progress: Told = lambda line: None,
    ) -> None:
        self.variant, self.mine, self.started, self.say, self.limit = variant, mine, started, say, limit
        self.progress = progress
        self.assumed = hypotheses(variant)
        self.groups = row_groups(
            variant, [row for name in dict.fromkeys(r for r, _ in mine.pairs) if (row := row_of(variant, name))]
        )
        self.asked_of = with_groups(variant, self.groups)
        self.prover = _Asking(
            self.asked_of, self.assumed, cores=cores_with_groups(recorded(variant).cores, self.groups)
        )
        self.kept = KeptAnswers(cache, self.asked_of, self.assumed)
        self.answers: dict[tuple[str, str, int], Asked] = {}
        self.first: float | None = None
        self.spent = 0.0
        self.broken = self.declared = 0

    def proof(self) -> Proof:
        """Ask, and return what was found as a proof of these obligations."""
        pairs = [*self.mine.pairs, *dict.fromkeys((STUTTER, id) for _, id in self.mine.stutters)]
        self.wanted = len(pairs)
        for pair in pairs:
            self._note(self.kept.get(*pair))
        if self._left(pairs):
            with suppress(Inexpressible):
                self.prover.session(0)
        self._together(self._left(pairs))
        self._asked("first", self._left(pairs))
        self._asked("ask", self._left(pairs))
        for row, id in self._left(pairs):
            self.answers[row, id, 1] = Asked(row, id, 1, "unknown", 0.0, message=NOT_ASKED)
        found = [self._obligation(row, row, id) for row, id in self.mine.pairs]
        found += [self._obligation(row, STUTTER, id) for row, id in self.mine.stutters]
        return self._proof(found, *self._vacuous())

    def _left(self, pairs: Sequence[Pair]) -> list[Pair]:
        return [pair for pair in pairs if (*pair, 1) not in self.answers]

    def _together(self, pairs: Sequence[Pair]) -> None:
        """Ask once what rows that do the same have in common; what is proved of it is proved of each of them."""
        spoken: dict[Pair, list[Pair]] = {}
        for row, id in pairs:
            claim = claim_of(self.variant, row, id)
            one = next((one for one in self.groups if any(row == member.id for member in one.members)), None)
            if one is not None and one.speak_for(claim):
                spoken.setdefault((one.row.id, id), []).append((row, id))

        def proved(answer: Asked) -> None:
            if answer.answer == "proved":
                for row, _ in spoken[answer.row, answer.property]:
                    self._known(replace(answer, row=row, seconds=0.0))

        self._asked("try", list(spoken), proved)

    def _asked(self, how: str, pairs: Sequence[Pair], known: Callable[[Asked], None] | None = None) -> None:
        """Ask some obligations, those of a row by one worker; where there are few rows, each by any."""
        batches: dict[str, list[Job]] = {}
        few = len({row for row, _ in pairs}) < 2 * workers()
        for number, (row, id) in enumerate(pairs):
            key = f"{row} {number % workers()}" if few else row
            batches.setdefault(key, []).append((how, row, id))

        def make() -> Callable[[Any], Any]:
            ways: dict[str, Callable[[Row | None, Claim], Asked | None]] = {
                "first": self.prover.first,
                "try": self._tried,
                "ask": partial(self.prover.ask, seed=1),
            }

            def work(job: Job) -> tuple[Asked | None, float]:
                _, name, id = job
                began, claim = time.process_time(), claim_of(self.asked_of, name, id)
                return ways[how](row_of(self.asked_of, name), claim), time.process_time() - began

            return work

        if self.spent >= self.limit:
            return
        for (_, row, id), reply, why in shared(make, list(batches.values()), GUARD, workers()):
            answer, took = reply if reply is not None else (None, GUARD)
            if reply is None and how == "ask":
                answer = Asked(row, id, 1, "unknown", GUARD, message=why)
            self.spent += took
            if answer is not None:
                (known or self._known)(answer)
            if self.spent >= self.limit:
                return

    def _tried(self, row: Row | None, claim: Claim) -> Asked:
        return self.prover.attempt(row, claim, 1)

    def _known(self, answer: Asked) -> None:
        """Take an answer that is new, and keep it where it decides something."""
        self.kept.put(answer)
        self._note(answer)

    def _note(self, answer: Asked | None) -> None:
        if answer is not None:
            self.answers[answer.row, answer.property, 1] = answer
            self._tell(answer.row, answer.property, answer)
            since = time.perf_counter() - self.started
            declared = f", {self.declared} violated as declared" if self.declared else ""
            kept = f"{self.broken} not kept{declared}"
            self.progress(f"{len(self.answers)} of {self.wanted} obligations answered, {kept}, {since:.0f} s")

    def _tell(self, row: str, id: str, answer: Asked) -> None:
        since = time.perf_counter() - self.started
        if self.first is None:
            self.first = since
        claim = claim_of(self.variant, row, id)
        named = row_of(self.variant, row)
        declared = excepted(named, claim) if named is not None else claim.expected == "violated"
        if answer.answer == "refuted" and declared:
            self.declared += 1
        elif answer.answer == "refuted":
            self.broken += 1
            self.say(f"{row} × {id}: not kept ({since:.1f} s)")

    def _obligation(self, row: str, name: str, id: str) -> Obligation:
        claim = claim_of(self.variant, row, id)
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
        ids = dict.fromkeys(id for _, id in self.mine.pairs if id != WRITTEN_ONCE)
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
            property_count=len(ids),
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
            scope=scope_of(self.variant),
            scopes=scopes_of(self.variant, map(self.variant.property, ids)),
        )


__all__ = ["WhatIf", "whatif"]
