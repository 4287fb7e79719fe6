"""Results of mutants: the checkers that noticed each, and the score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypedDict

from fencepost.checkers.document import Document

from .mutants import Mutant

Fate = Literal["killed", "passed", "equivalent", "not decided", "not asked"]

CHECKERS = ("prove", "explore", "answers", "simulate", "conform")
"""The checkers as they are asked: what needs the tables alone, then what needs recordings, the cheapest first."""

INSIDE = ("prove", "explore")
"""Checkers that need only the tables: hygiene and proof, and exploration."""


@dataclass(frozen=True)
class Answer(Document):
    """One checker's answer for a mutant.

    `killed`: it notices, and `by` says by what. `passed`: it was asked what `asked` says, and noticed nothing.
    `equivalent`: it is shown that nothing could notice, and `asked` says how. `not decided`: time or the solver's
    resources ran out. `not asked`: nothing that the checker has is about the row, as `asked` says.
    """

    checker: str
    fate: Fate
    by: str = ""
    asked: str = ""
    cpu_seconds: float = 0.0


@dataclass(frozen=True)
class Judged(Document):
    """A mutant and the answers of the checkers that were asked, in order; `reason` where it is declared equivalent."""

    DOCUMENT = (
        "id=mutant.id row=mutant.row kind=mutant.kind path=mutant.path about=mutant.about fate reason=why_equivalent "
        "answers cpu_seconds"
    )

    mutant: Mutant
    answers: tuple[Answer, ...]
    reason: str = ""

    @property
    def killers(self) -> tuple[str, ...]:
        """The checkers that notice it."""
        return tuple(one.checker for one in self.answers if one.fate == "killed")

    @property
    def fate(self) -> Literal["killed", "equivalent", "survives", "not decided"]:
        """The fate of the mutant: noticed by some checker, declared equivalent, open, or noticed by none."""
        if self.killers:
            return "killed"
        if self.why_equivalent:
            return "equivalent"
        return "not decided" if any(one.fate == "not decided" for one in self.answers) else "survives"

    @property
    def why_equivalent(self) -> str:
        """Why nothing could notice it: what is shown, or what the list says; nothing where it is not known to be so."""
        shown = next((one.asked for one in self.answers if one.fate == "equivalent"), "")
        return shown or self.reason

    @property
    def cpu_seconds(self) -> float:
        """The CPU seconds of all checkers."""
        return sum(one.cpu_seconds for one in self.answers)


class Reason(TypedDict):
    """A mutant and why no checker notices it."""

    id: str
    reason: str


@dataclass(frozen=True)
class Survey(Document):
    """The outcome of a mutation run.

    `known` are the reasons of reviewed survivors, by id. `stale` are entries of the lists that are
    about nothing any more or are killed, a sentence each.
    `declared` are the least scores that are declared, by "union" and "inside" (hygiene, proof and exploration alone).
    """

    DOCUMENT = (
        "protocol total left_out asked=judged:count unfinished checkers killed=noticed score=scores declared "
        "survivors=survivor_ids classified=reasons equivalent=equivalences not_decided=undecided_ids stale "
        "median_proof_cpu_seconds=median_proof_seconds cpu_seconds mutants=judged"
    )

    protocol: str
    total: int
    left_out: Mapping[str, int]
    judged: tuple[Judged, ...]
    checkers: tuple[str, ...]
    stale: tuple[str, ...] = ()
    declared: Mapping[str, float] = field(default_factory=dict)
    unfinished: int = 0
    seconds: float = 0.0
    known: Mapping[str, str] = field(default_factory=dict)

    def _of(self, fate: str) -> tuple[Judged, ...]:
        return tuple(one for one in self.judged if one.fate == fate)

    @property
    def killed(self) -> tuple[Judged, ...]:
        """The mutants that some checker notices."""
        return self._of("killed")

    @property
    def survivors(self) -> tuple[Judged, ...]:
        """The mutants that no checker notices and that are not known to be equivalent."""
        return self._of("survives")

    @property
    def classified(self) -> tuple[Judged, ...]:
        """The survivors of which it is known why nothing notices them."""
        return tuple(one for one in self.survivors if one.mutant.id in self.known)

    @property
    def equivalent(self) -> tuple[Judged, ...]:
        """The mutants that are shown or declared to be equivalent."""
        return self._of("equivalent")

    @property
    def undecided(self) -> tuple[Judged, ...]:
        """The mutants that no checker notices, and some did not finish."""
        return self._of("not decided")

    @property
    def noticed(self) -> dict[str, int]:
        """How many mutants each checker notices, how many those of this process do, and how many any does."""
        found = {one: self.killed_by(one) for one in self.checkers}
        return {**found, "inside": self.killed_by(*INSIDE), "union": len(self.killed)}

    @property
    def scores(self) -> dict[str, float]:
        """The score of each checker, of those of this process, and of all."""
        found = {
            **{one: self.score(one) for one in self.checkers},
            "inside": self.score(*INSIDE),
            "union": self.score(),
        }
        return {name: round(score, 4) for name, score in found.items()}

    @property
    def survivor_ids(self) -> list[str]:
        """The ids of the survivors."""
        return [one.mutant.id for one in self.survivors]

    @property
    def undecided_ids(self) -> list[str]:
        """The ids of the mutants that are not decided."""
        return [one.mutant.id for one in self.undecided]

    @property
    def reasons(self) -> list[Reason]:
        """Why nothing notices the survivors of which it is known."""
        return [{"id": one.mutant.id, "reason": self.known[one.mutant.id]} for one in self.classified]

    @property
    def equivalences(self) -> list[Reason]:
        """Why mutants are equivalent."""
        return [{"id": one.mutant.id, "reason": one.why_equivalent} for one in self.equivalent]

    @property
    def cpu_seconds(self) -> float:
        """The CPU seconds that all mutants took."""
        return sum(one.cpu_seconds for one in self.judged)

    def killed_by(self, *checkers: str) -> int:
        """Return how many mutants at least one of these checkers notices."""
        return sum(any(one in checkers for one in judged.killers) for judged in self.judged)

    def score(self, *checkers: str) -> float:
        """Return the part of the mutants, those declared equivalent left out, that one of the checkers notices; of all
        checkers where none is named.
        """
        asked = len(self.judged) - len(self.equivalent)
        noticed = self.killed_by(*checkers) if checkers else len(self.killed)
        return noticed / asked if asked else 0.0

    @property
    def short(self) -> tuple[str, ...]:
        """The declared scores that are not reached, a sentence each; only those whose checkers were all asked."""
        found = []
        for name, least in self.declared.items():
            wanted = INSIDE if name == "inside" else CHECKERS
            if set(wanted) <= set(self.checkers):
                reached = self.score(*wanted)
                if reached < least:
                    found.append(f"{self.protocol}: {reached:.1%} by {NAMES[name]}, declared {least:.1%}")
        return tuple(found)

    @property
    def median_proof_seconds(self) -> float:
        """The median of the CPU seconds that a warm check by hygiene and proof takes."""
        taken = sorted(a.cpu_seconds for one in self.judged for a in one.answers if a.checker == "prove")
        return taken[len(taken) // 2] if taken else 0.0


NAMES = {"inside": "hygiene, proof and exploration", "union": "all checkers together"}
"""Names of the two declared scores."""

__all__ = ["CHECKERS", "INSIDE", "NAMES", "Answer", "Fate", "Judged", "Survey"]
