"""Repairs of an edit: a condition for the guard of a row that breaks something, or a lemma to rely on.

Conditions are those that the base's row has and the variant's has not, and those of other rows of the same event, or
what they deny; lemmas are properties that proofs of the base rely on, and those of the variant do not. Only what
excludes the counterexample is given to the solver, and only what it proves is suggested.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal

from fencepost.checkers.counterexample import Trace, holds
from fencepost.checkers.document import Document
from fencepost.checkers.proof import Obligation
from fencepost.checkers.proof.attempts import QUICK
from fencepost.checkers.proof.cores import recorded
from fencepost.checkers.proof.obligations import claim_of
from fencepost.checkers.proof.processes import shared
from fencepost.checkers.proof.prover import Prover, hypotheses
from fencepost.checkers.proof.scope import Inexpressible
from fencepost.model.language import Always, EvaluationError, Protocol, Row, Step, Table, Term
from fencepost.model.language.render import text
from fencepost.model.language.walk import conjuncts, free, nary, negation

from .touched import row_of

Claim = Always | Step
From = Literal["base", "neighbour", "lemma"]

SECONDS = 5.0
"""Seconds of processor time for the search, unless something else is said."""
ONE = 60.0
"""Seconds after which a single question is ended."""


@dataclass(frozen=True)
class Repair(Document):
    """A condition, or a lemma, with which a row is proved to keep what it breaks.

    `of` says where it is from: a guard of the base, that of another row (`neighbour`), or a property; `where` is that
    row or property. `kept` are the properties that the row then keeps, `all_kept` says that these are all that it
    breaks. Of a lemma, `itself` says whether every row of the edit is proved to keep it.
    """

    row: str
    of: From
    where: str
    condition: str
    kept: tuple[str, ...]
    all_kept: bool
    itself: bool = True

    def line(self) -> str:
        """Return the suggestion as a sentence."""
        kept = f"{self.row} is proved to keep {', '.join(self.kept)}"
        if self.of == "lemma":
            rest = "" if self.itself else "; it is not proved itself"
            return f"{kept} if proofs may rely on {self.where}{rest}: {self.condition}"
        whose = f"the base's {self.where}" if self.of == "base" else self.where
        return f"{kept} where its guard also says: {self.condition} (of {whose})"


@dataclass(frozen=True)
class Repairs(Document):
    """Repairs found: suggestions, how many conditions excluded a counterexample, and how many of these were asked."""

    found: tuple[Repair, ...] = ()
    candidates: int = 0
    asked: int = 0


@dataclass(frozen=True)
class _Candidate:
    row: Row
    of: From
    where: str
    term: Term[bool]
    claims: tuple[str, ...]
    broken: int


def repairs(
    base: Protocol, variant: Protocol, broken: Sequence[Obligation], edited: Sequence[str], seconds: float = SECONDS
) -> Repairs:
    """Look for what would make rows keep what they break; `edited` are the rows that the edit changed.

    The search ends after `seconds` of processor time; what excludes all counterexamples of a row comes first.
    """
    by_row: dict[str, list[Obligation]] = {}
    for one in broken:
        if one.counterexample is not None and one.counterexample.steps:
            by_row.setdefault(one.row, []).append(one)
    if not by_row or seconds <= 0:
        return Repairs()
    candidates = [one for id, mine in by_row.items() for one in _candidates(base, variant, variant.row(id), mine)]
    candidates.sort(key=lambda one: (len(one.claims) < one.broken, ("base", "neighbour", "lemma").index(one.of)))
    return _Search(base, variant, candidates, edited).run(seconds) if candidates else Repairs()


def _candidates(base: Protocol, variant: Protocol, row: Row, broken: Sequence[Obligation]) -> Iterator[_Candidate]:
    """Yield the conditions and lemmas that exclude a counterexample of a row, each once."""
    params, seen = set(row.params), set(conjuncts(row.when))
    for of, where, term in (*_guards(base, variant, row), *_lemmas(base, variant)):
        if term in seen or not (free(term) <= params if of != "lemma" else True):
            continue
        seen.add(term)
        claims = tuple(one.property for one in broken if _excludes(term, one.counterexample))
        if claims:
            yield _Candidate(row, of, where, term, claims, len(broken))


def _guards(base: Protocol, variant: Protocol, row: Row) -> Iterator[tuple[From, str, Term[bool]]]:
    old = next((one for one in base.rows if one.id == row.id), None)
    for part in conjuncts(old.when) if old is not None else ():
        yield "base", row.id, part
    for whole, of in ((base, "base"), (variant, "neighbour")):
        for one in whole.rows:
            if one.event == row.event and one.id != row.id:
                for part in conjuncts(one.when):
                    yield "neighbour" if of == "neighbour" else "base", one.id, part
                    yield "neighbour" if of == "neighbour" else "base", one.id, negation(part)


def _lemmas(base: Protocol, variant: Protocol) -> Iterator[tuple[From, str, Term[bool]]]:
    """Yield the properties on states that proofs of the base may rely on, and those of the variant may not."""
    relied = {one.term for one in hypotheses(variant)}
    yield from (("lemma", one.id, one.term) for one in hypotheses(base) if one.term not in relied)


def _excludes(term: Term[bool], run: Trace | None) -> bool:
    """Return whether a condition is false where the counterexample's last row begins."""
    if run is None:
        return False
    last = run.steps[-1]
    try:
        return not holds(term, last.before, run.world, binding=last.binding)
    except EvaluationError:
        return False


class _Trying(Prover):
    """A prover that is asked quickly: what it does not prove at once is no suggestion."""

    def proves(self, row: Row, claim: Claim) -> bool:
        """Return whether a row is easily seen to keep a property."""
        goals = range(len(self.goals_once(0, row, claim)))
        return all(self._prove(row, claim, index, 1, QUICK)[0] == "unsat" for index in goals)


class _Search:
    """Candidates, each asked in a child that inherits the solver's view of the variant."""

    def __init__(
        self, base: Protocol, variant: Protocol, candidates: Sequence[_Candidate], edited: Sequence[str]
    ) -> None:
        self.candidates = candidates
        self.relied = {one.id: one for one in hypotheses(base)}
        self.edited = [row for id in edited if (row := row_of(variant, id)) is not None]
        self.rows = {n: _strengthened(variant, one, n) for n, one in enumerate(candidates) if one.of != "lemma"}
        tried = Table("rows that are tried", tuple(self.rows.values()), "disjoint", "", {}, variant.place)
        self.protocol = replace(variant, tables=(*variant.tables, tried))
        self.assumed = hypotheses(variant)
        cores = dict(recorded(variant).cores)
        for number, row in self.rows.items():
            mine = candidates[number]
            cores |= {(row.id, id): cores[mine.row.id, id] for id in mine.claims if (mine.row.id, id) in cores}
        self.prover = _Trying(self.protocol, self.assumed, cores=cores)

    def run(self, seconds: float) -> Repairs:
        """Ask until the processor time is spent, or all that is broken can be repaired."""
        began = time.process_time()
        with suppress(Inexpressible):
            self.prover.session(0)
        found: list[Repair] = []
        asked, spent, settled = 0, time.process_time() - began, set[tuple[str, str]]()
        for number, one in enumerate(self.candidates):
            if spent >= seconds:
                break
            if all((one.row.id, id) in settled for id in one.claims):
                continue
            asked += 1
            for _, reply, _ in shared(lambda: self._work, [[(number,)]], ONE, 1):
                kept, itself, took = reply if reply is not None else ((), False, ONE)
                spent += took
                if kept:
                    whole = len(kept) == one.broken
                    found.append(Repair(one.row.id, one.of, one.where, text(one.term), kept, whole, itself))
                    settled |= {(one.row.id, id) for id in kept}
        return Repairs(tuple(found), len(self.candidates), asked)

    def _work(self, job: tuple[Any, ...]) -> tuple[tuple[str, ...], bool, float]:
        began, number = time.process_time(), int(job[0])
        kept: tuple[str, ...] = ()
        itself = True
        with suppress(Inexpressible):
            ask = self._as_lemma if self.candidates[number].of == "lemma" else self._in_guard
            kept, itself = ask(self.candidates[number], number)
        return kept, itself, time.process_time() - began

    def _in_guard(self, one: _Candidate, number: int) -> tuple[tuple[str, ...], bool]:
        row = self.rows[number]
        kept = tuple(id for id in one.claims if self.prover.proves(row, _claim(self.protocol, id, row)))
        return (kept if kept and self.prover.enabled(row) else ()), True

    def _as_lemma(self, one: _Candidate, number: int) -> tuple[tuple[str, ...], bool]:
        lemma = self.relied[one.where]
        prover = _Trying(self.protocol, (*self.assumed, lemma))
        kept = tuple(id for id in one.claims if prover.proves(one.row, _claim(self.protocol, id, one.row)))
        return kept, bool(kept) and all(prover.proves(row, lemma) for row in self.edited)


def _strengthened(variant: Protocol, one: _Candidate, number: int) -> Row:
    """Return a row with a further condition, under an id of its own; earlier rows of its table are in its guard."""
    return replace(one.row, id=f"{one.row.id}?{number}", when=nary("and", (variant.guard(one.row), one.term)))


def _claim(protocol: Protocol, id: str, row: Row) -> Claim:
    """Return a property, as one of this row where it names the row that is tried."""
    claim = claim_of(protocol, row.id.split("?")[0], id)
    if not isinstance(claim, Step) or row.id.split("?")[0] not in claim.rows:
        return claim
    return replace(claim, rows=(row.id,), left_out=())


__all__ = ["Repair", "Repairs", "repairs"]
