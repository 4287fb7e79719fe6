"""What a proof attempt returns: a verdict for every obligation, counterexamples, and where the time went."""

from __future__ import annotations

import builtins
from dataclasses import dataclass, field

from fencepost.checkers.asked import AskedOf
from fencepost.checkers.counterexample import Trace
from fencepost.checkers.counting import counted
from fencepost.checkers.document import Document
from fencepost.checkers.verdicts import Verdict

from .assumptions import Reliance
from .assumptions import lines as assumption_lines
from .questions import Kept
from .searched import Searched
from .solvers import solver_name

INITIAL = "initial"
"""What stands for a row in the obligation that the first state satisfies a property."""


@dataclass(frozen=True)
class Obligation(Document):
    """That a row (or the first state) keeps a property.

    `frame` says that the row writes nothing that the property reads: no evidence for the property. `declared` says that
    the property is declared violated; `ranking` is the claim for whose ranking it is an obligation, empty of another.
    `verdict` is proved or inconclusive; not inductive where the counterexample starts from any state that satisfies the
    invariants; violated where a run from an initial state breaks the property. `seconds` is what the solver took.
    `searched` says what a search from the initial states found of the property.
    """

    DOCUMENT = "row property verdict message counterexample seconds frame declared search=searched ranking"

    row: str
    property: str
    verdict: Verdict
    message: str = ""
    counterexample: Trace | None = None
    seconds: float = 0.0
    frame: bool = False
    declared: bool = False
    searched: Searched | None = None
    ranking: str = ""

    @builtins.property
    def refuted(self) -> bool:
        """Whether there is a counterexample, be it a run or one to induction."""
        return self.verdict in (Verdict.VIOLATED, Verdict.NOT_INDUCTIVE)


@dataclass(frozen=True)
class Settled(Document):
    """The rows that keep a property and write something that it reads: by a recorded core, or as the solver found.

    `INITIAL` is among them where the first state satisfies it.
    """

    DOCUMENT = "property by_core by_solver"

    property: str
    by_core: tuple[str, ...]
    by_solver: tuple[str, ...]


@dataclass(frozen=True)
class ByRanking(Document):
    """A claim of runs without end, as its ranking proves it.

    `verdict` is proved if all `obligations` are, else that of the worst. `fairness` has in words what the proof assumes
    of runs: fairness of the events that help, of no others, and which events happen finitely often.
    """

    DOCUMENT = "property verdict obligations proved fairness"

    property: str
    verdict: Verdict
    obligations: int
    proved: int
    fairness: str

    def words(self) -> str:
        """Return the claim as a line."""
        if self.verdict is Verdict.PROVED:
            of = f"{counted(self.obligations, 'obligation')}, all proved"
            return f"{self.property} comes to pass by its ranking ({of}), under {self.fairness}"
        left = self.obligations - self.proved
        why = "and no run that breaks the claim itself is known: exploration decides it at a bound"
        return (
            f"{self.property} is not shown by its ranking: {left} of {self.obligations} obligations not proved, {why}"
        )


@dataclass(frozen=True)
class Proof(Document):
    """The outcome of a proof attempt.

    `obligations` counts those whose row writes something that the property reads (and those of the first state),
    `frame_obligations` the rest. `proved`, `refuted`, `unknown` and `expected` count over both; `expected` are refuted
    obligations of properties that are declared violated. `not_inductive` counts those of the refuted ones for which no
    run from an initial state is known. `failed` are the obligations that are not proved. `vacuous` names rows that no
    state enables and properties whose condition no state meets, and is `initial` too where the protocol has no first
    state, `hypotheses` where the hypotheses contradict each other. `out_of_range` are the rows
    that some state disables because a counter would fall below its start, or a threshold below 1. `abstractions` names
    what the unbounded encoding only approximates, where it was used. `slowest` are the slowest obligations,
    `lemma_seconds` the time by property; `applying` are the rows that some state enables.
    `assumptions` are those of the protocol, each with the properties that are not proved without it. `by_cores` counts
    the proved obligations for which a recorded core was enough under every seed; `no_cores` says why a file of cores
    could not be used, empty where it could or there is none. `solver` is the solver with its version, `core_solver` the
    one with which the recorded cores were recorded, empty where there are none or their file does not say. `scope` says
    what is proved of: any number of entities, or all values or states of a protocol without any. `questions` are those
    that were found unsatisfiable for the proved obligations, where they are kept. `met` says how it was shown that some
    state satisfies all hypotheses: empty where it was not, None where it was not asked.
    `scopes` has the rows that each property is asked of, `settled` those of them that keep it; `whatif` has none.
    `rankings` has the claims of runs without end whose rankings were asked, of every row; the obligations of rankings
    are counted among the others.
    """

    TABLES = {"failed": "row property verdict declared message"}
    DOCUMENT = (
        "protocol verdict seeds obligations frame_obligations proved proved_by_recorded_cores=by_cores "
        "recorded_cores_unusable=no_cores refuted not_inductive unknown expected row_count property_count failed "
        "slowest=slowest_first lemma_seconds vacuous out_of_range declared_violated_but_proved=undeclared assumptions "
        "abstractions retries seconds solver_seconds solver recorded_cores_solver=core_solver scope "
        "hypotheses_met=met asked_of=scopes settled rankings"
    )

    protocol: str
    seeds: tuple[int, ...]
    obligations: int
    frame_obligations: int
    proved: int
    refuted: int
    unknown: int
    expected: int
    row_count: int
    property_count: int
    failed: tuple[Obligation, ...]
    slowest: tuple[Obligation, ...]
    lemma_seconds: dict[str, float]
    vacuous: tuple[str, ...]
    undeclared: tuple[str, ...]
    abstractions: tuple[str, ...]
    retries: int
    seconds: float
    solver_seconds: float
    applying: tuple[str, ...] = ()
    assumptions: tuple[Reliance, ...] = ()
    by_cores: int = 0
    no_cores: str = ""
    out_of_range: tuple[str, ...] = ()
    solver: str = field(default_factory=solver_name)
    core_solver: str = ""
    scope: str = "for any number of entities"
    questions: tuple[Kept, ...] = ()
    met: str | None = None
    scopes: tuple[AskedOf, ...] = ()
    settled: tuple[Settled, ...] = ()
    rankings: tuple[ByRanking, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """Proved only if every property that is declared to hold is inductive, and no row or condition is vacuous; else
        what weighs most, in the order of the exit codes.

        Where every property that was asked is declared violated, and is, the verdict is violated as declared.
        """
        if self.violated:
            return Verdict.VIOLATED
        if self.vacuous:
            return Verdict.VACUOUS
        if self.refuted:
            return Verdict.NOT_INDUCTIVE
        if self.unknown or not self.obligations or self.met == "":
            return Verdict.INCONCLUSIVE
        return Verdict.VIOLATED_AS_DECLARED if len(self.broken_as_declared) == self.property_count else Verdict.PROVED

    @property
    def broken_as_declared(self) -> dict[str, list[str]]:
        """The properties that are declared violated and are refuted, each with the rows that break it."""
        rows: dict[str, list[str]] = {}
        for one in self.failed:
            if one.declared and one.refuted:
                rows.setdefault(one.property, []).append(one.row)
        return rows

    @property
    def slowest_first(self) -> list[tuple[str, str, float]]:
        """Row, property and seconds of the slowest obligations."""
        return [(one.row, one.property, round(one.seconds, 3)) for one in self.slowest]

    @property
    def violated(self) -> bool:
        """Whether a run from an initial state breaks a property that is declared to hold."""
        runs = any(o.searched is not None and o.searched.trace is not None for o in self.failed)
        return runs or self.refuted > self.not_inductive

    @property
    def not_inductive(self) -> int:
        """How many refuted obligations, declared violations left out, start from a state that no known run leads to."""
        excused = {o.property for o in self.failed if o.declared and o.refuted}
        mine = [o for o in self.failed if o.verdict is Verdict.NOT_INDUCTIVE]
        return sum(not (o.declared and o.property in excused) for o in mine)

    def lines(self) -> list[str]:
        """Return the outcome as text."""
        head = (
            f"{self.protocol}: {self.verdict.value}: {self.obligations} obligations, "
            f"{self.frame_obligations} of frame, "
            f"{self.proved} proved, {self.refuted} refuted ({self.not_inductive} not inductive), "
            f"{self.unknown} unknown, {self.expected} expected "
            f"({counted(self.row_count, 'row')}, {counted(self.property_count, 'property', 'properties')}, "
            f"{self.seconds:.1f} s)"
        )
        lines = [head]
        for one in self.failed:
            what = "expected" if one.declared else one.verdict.value
            lines.append(f"{one.row} × {one.property}: {what}: {one.message}")
            lines.extend(f"    {line}" for line in (one.searched.lines() if one.searched is not None else ()))
            if one.counterexample is not None and not one.declared:
                lines.extend(f"    {line}" for line in one.counterexample.lines())
        lines.extend(one.words() for one in self.rankings)
        lines.extend(assumption_lines(self.assumptions))
        lines.extend(f"vacuous: {name}" for name in self.vacuous)
        lines.extend(
            f"{id} is disabled where a counter would fall below its start, or a threshold below 1"
            for id in self.out_of_range
        )
        lines.extend(f"{name} is declared violated and every row keeps it" for name in self.undeclared)
        return lines
