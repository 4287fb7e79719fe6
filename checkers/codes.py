"""The meaning of an engine's result for a whole run: exit code, declared violations, and whether two engines agree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fencepost.checkers.verdicts import ExitCode, Verdict, worst
from fencepost.model.language import LeadsTo, Protocol

if TYPE_CHECKING:
    from fencepost.checkers.exploration import Exploration, PropertyVerdict, Swarm
    from fencepost.checkers.proof import Hygiene, Proof, Refined
    from fencepost.checkers.tlc import TlcResult


def exploration_code(found: Exploration | Swarm) -> ExitCode:
    """Return the exit code of an exploration: the worst of its properties and of how it ended."""
    codes = {_property_code(one) for one in found.properties}
    if found.verdict is Verdict.INCONCLUSIVE:
        codes.add(ExitCode.INCONCLUSIVE)
    return worst(codes)


def _property_code(one: PropertyVerdict) -> ExitCode:
    if one.verdict is Verdict.INCONCLUSIVE or (one.verdict is Verdict.HOLDS_TO_DEPTH and one.expected == "violated"):
        return ExitCode.INCONCLUSIVE
    if one.as_declared:
        return ExitCode.AS_DECLARED
    if one.verdict is Verdict.VACUOUS:
        return ExitCode.VACUOUS
    return ExitCode.VIOLATED if one.verdict is Verdict.VIOLATED else ExitCode.DIFFERS_FROM_BASELINE


def exploration_findings(protocol: Protocol, found: Exploration) -> list[dict[str, Any]]:
    """Return the declared violations that were found: finding, property, bound, and the length of a shortest trace."""
    return [
        {
            "finding": _finding(protocol, one.id),
            "by": one.id,
            "bound": found.bound,
            "length": None if one.trace is None else len(one.trace.steps),
        }
        for one in found.properties
        if one.verdict is Verdict.VIOLATED and one.expected == "violated"
    ]


def proof_code(found: Proof) -> ExitCode:
    """Return the exit code of a proof: violated by a run, vacuous, declared violated and kept by every row, not
    inductive, or unknown.
    """
    codes = set()
    if found.violated:
        codes.add(ExitCode.VIOLATED)
    if found.not_inductive:
        codes.add(ExitCode.NOT_INDUCTIVE)
    if found.unknown or not found.obligations or found.met == "":
        codes.add(ExitCode.INCONCLUSIVE)
    if found.vacuous:
        codes.add(ExitCode.VACUOUS)
    if found.undeclared:
        codes.add(ExitCode.DIFFERS_FROM_BASELINE)
    return worst(codes)


def refined_code(found: Refined) -> ExitCode:
    """Return the exit code of a refinement: its verdict's, or that of a row declared to miss a target that does not."""
    codes = {
        Verdict.VIOLATED: ExitCode.VIOLATED,
        Verdict.VACUOUS: ExitCode.VACUOUS,
        Verdict.NOT_INDUCTIVE: ExitCode.NOT_INDUCTIVE,
        Verdict.INCONCLUSIVE: ExitCode.INCONCLUSIVE,
    }
    mine = codes.get(found.verdict, ExitCode.AS_DECLARED)
    return worst([mine, ExitCode.DIFFERS_FROM_BASELINE if found.undeclared else ExitCode.AS_DECLARED])


def hygiene_code(found: Hygiene) -> ExitCode:
    """Return the exit code of hygiene: 1 for a gap or an overlap, 4 for a row that never applies, 3 for doubt."""
    codes = {
        Verdict.VIOLATED: ExitCode.VIOLATED,
        Verdict.CLOSED: ExitCode.VACUOUS,
        Verdict.INCONCLUSIVE: ExitCode.INCONCLUSIVE,
    }
    return worst(codes[one.verdict] for one in found.findings)


def proof_findings(protocol: Protocol, found: Proof) -> list[dict[str, Any]]:
    """Return the declared violations that were found: the finding, the property, and the rows that break it."""
    return [
        {"finding": _finding(protocol, id), "by": id, "rows": rows} for id, rows in found.broken_as_declared.items()
    ]


def _finding(protocol: Protocol, id: str) -> str:
    return next((getattr(one, "finding", "") for one in protocol.properties if one.id == id), "")


@dataclass(frozen=True)
class Comparison:
    """Two runs of one instance, and what they differ in: the name of a count, TLC's, and exploration's.

    `beyond` has the violated properties of the exploration that TLC was not asked, or cannot see, with the reason.
    """

    tlc: TlcResult
    exploration: Exploration
    differences: tuple[tuple[str, Any, Any], ...]
    beyond: Mapping[str, str]

    @property
    def code(self) -> ExitCode:
        """The exit code: 5 where they differ, 3 where TLC decides nothing, 1 where it alone decides that a claim is
        violated, else that of the exploration.
        """
        codes = [exploration_code(self.exploration)]
        if self.differences:
            codes.append(ExitCode.DISAGREEMENT)
        if self.by_tlc_alone:
            codes.append(ExitCode.VIOLATED)
        if self.tlc.verdict is Verdict.INCONCLUSIVE:
            codes.append(ExitCode.INCONCLUSIVE)
        return worst(codes)

    @property
    def by_tlc_alone(self) -> bool:
        """Whether TLC's run violates a claim of which exploration has decided nothing."""
        if self.tlc.verdict is not Verdict.VIOLATED:
            return False
        open_ = {one.id for one in self.exploration.properties if one.verdict is Verdict.INCONCLUSIVE}
        return _asked(self.tlc) in open_

    @property
    def verdict(self) -> Verdict:
        """The verdict of both: exploration's, but where TLC's run alone violates a claim."""
        return Verdict.VIOLATED if self.by_tlc_alone else self.exploration.verdict

    @property
    def agrees(self) -> bool:
        """Whether TLC saw every state, counted the same, and said the same of every violation of the exploration."""
        return self.tlc.verdict is Verdict.CLOSED and not self.differences and not self.beyond


def compare(tlc: TlcResult, exploration: Exploration, live: LeadsTo | None = None) -> Comparison:
    """Compare two runs of one instance: counts and depth where TLC saw every state, what is violated where it ended.

    An exploration that stopped at a depth or a budget has other counts, so that they differ. What leads to what is left
    out but for `live`: TLC takes one such property a run, and only where it is asked for. Verdicts are compared of what
    both were asked, and of what both can see: a violation in the middle of a row's records is none for TLC, which takes
    a row as one step.
    """
    differences: list[tuple[str, Any, Any]] = []
    if tlc.verdict is Verdict.CLOSED:
        for name in ("distinct", "generated", "depth"):
            theirs, ours = getattr(tlc, name), getattr(exploration, name)
            if theirs != ours:
                differences.append((name, theirs, ours))
    asked_too = "" if live is None else live.id
    violated = [one for one in exploration.properties if one.verdict is Verdict.VIOLATED]
    broken = {one.id: one for one in violated if one.expected == "holds" or one.id == asked_too}
    beyond = {id: tlc.not_asked[id] for id in broken if id in tlc.not_asked}
    for id, one in broken.items():
        if one.trace is not None and one.trace.middle is not None:
            beyond.setdefault(id, f"violated between the records of {one.trace.steps[-1].row.id} only")
    seen = broken.keys() - beyond.keys()
    asked = _asked(tlc)
    open_ = {one.id for one in exploration.properties if one.verdict is Verdict.INCONCLUSIVE}
    if (asked is None and seen and tlc.verdict is Verdict.CLOSED) or (
        asked is not None and asked not in broken.keys() | open_
    ):
        differences.append(("violated", asked, sorted(seen)))
    return Comparison(tlc, exploration, tuple(differences), beyond)


def _asked(tlc: TlcResult) -> str | None:
    """Return which claim TLC's run breaks, by the id that exploration has for it, None where there is no such run."""
    from fencepost.checkers.tlc import DEADLOCK

    return "deadlock" if tlc.violated == DEADLOCK else tlc.violated
