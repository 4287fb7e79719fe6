"""`conform` for event traces of designs: checks each trace by the tables of the design that its header names."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from fencepost.checkers.conformance.lockstep.firing import Diverged
from fencepost.checkers.conformance.many import Follow, Job, judged_by
from fencepost.checkers.conformance.results.progress import Progress
from fencepost.checkers.conformance.results.results import ConformResult, Doubt, LogFinding, LogResult, Violation
from fencepost.checkers.unexplained import UNEXPLAINED
from fencepost.checkers.verdicts import Refusal, Verdict
from fencepost.model.language import Protocol
from fencepost.model.registry import UnknownProtocol, find
from fencepost.traces.design_steps import Header, read_design_trace
from fencepost.traces.errors import TraceError
from fencepost.traces.storage import base_name, size_of

from .judge import TICK, DesignJudge

if TYPE_CHECKING:
    from fencepost.checkers.conformance.spark.cluster import Cluster


@dataclass(slots=True)
class DesignResult(LogResult):
    """The verdict on one trace: its steps, the cells compared by variable, and what only one side has.

    `settings` are the header's; `not_judged` are steps by name that no row is about; `untold` are variables and
    parameters that the trace has and the tables have not; `idle` are steps by name that change nothing and that no row
    is about in their state; `declared` counts the declared violations that showed.
    """

    DOCUMENT = (
        f"{LogResult.DOCUMENT} mode settings cells:sorted not_judged:sorted "
        "untold idle:sorted declared:sorted"  # codespell:ignore
    )

    mode: ClassVar[Literal["design"]] = "design"
    settings: dict[str, Any] = field(default_factory=dict)
    cells: dict[str, int] = field(default_factory=dict)
    not_judged: dict[str, int] = field(default_factory=dict)
    untold: tuple[str, ...] = ()
    idle: dict[str, int] = field(default_factory=dict)
    declared: dict[str, int] = field(default_factory=dict)


class TraceJudge:
    """Checks traces, by the tables of the design that a trace names, or by those of `own`; a worker of Spark makes one
    of its own."""

    def __init__(self, own: Protocol | None = None) -> None:
        self.own = own

    def source(self, path: str, progress: Progress | None = None) -> DesignResult:
        """Read a trace and check it; raises `TraceError` for one without a header, or whose design has no tables.

        A trace is short, and reports no `progress`.
        A trace that cannot be read to its end, or whose header does not fit the tables, is undecided.
        """
        header, steps = read_design_trace(path)
        protocol = self._tables(path, header)
        result = DesignResult(path, protocol.name)
        result.settings = {name: value for name, value in header.settings.items() if name != "initial"}
        try:
            judge = DesignJudge(protocol, header)
        except Diverged as error:
            text = f"The settings do not fit the tables of {protocol.name}, so that no step is checked: {error}."
            result.doubts.append(Doubt(None, 1, text))
            return result
        try:
            for number, step in enumerate(steps, 2):
                result.records += 1
                found = judge.step(step)
                if found is not None:
                    result.violations.append(
                        Violation(UNEXPLAINED, number, base_name(path), step.node, str(found), number)
                    )
        except TraceError as error:
            result.doubts.append(Doubt(None, result.records + 2, f"The trace cannot be read from here on: {error}"))
        tally = judge.tally
        result.rows, result.cells = dict(tally.rows), dict(tally.cells)
        result.not_judged, result.untold = dict(tally.unjudged), tuple(sorted(tally.untold))
        result.declared, result.idle = dict(tally.declared), dict(tally.idle)
        # That time passes is no step: its row is run between two, and neither counted nor missed.
        result.rows_never_seen = tuple(
            row.id for row in protocol.rows if row.id not in tally.rows and row.event.name != TICK
        )
        result.findings = [
            LogFinding(name, name, 0, "", protocol.property(name).about) for name in sorted(tally.declared)
        ]
        if result.violations:
            result.verdict = Verdict.VIOLATES
        elif result.doubts:
            pass
        elif not tally.rows:
            result.doubts.append(Doubt(None, None, "The trace holds nothing that a row could explain."))
        elif tally.unjudged:
            count, all_ = tally.unjudged.total(), tally.steps
            text = f"No row of {protocol.name} is about {count} of the {all_} steps: what they do is not checked."
            result.doubts.append(Doubt(None, None, text))
        else:
            result.verdict, result.releases = Verdict.CONFORMS, (protocol.name,)
        if tally.unjudged:
            names = ", ".join(f"{name} ({count})" for name, count in sorted(tally.unjudged.items()))
            result.notes.append(f"no row is about these steps, they were taken over: {names}")
        if tally.untold:
            result.notes.append(f"the tables have no such variables or parameters: {', '.join(sorted(tally.untold))}")
        return result

    def _tables(self, path: str, header: Header) -> Protocol:
        """Return the tables for checking a trace; raises `TraceError` where its header names others, or none."""
        if self.own is None:
            try:
                return find(header.design).whole
            except UnknownProtocol as error:
                hint = "for a design of yours add --protocol FILE.py:NAME"
                raise TraceError(f"{path}:1: {error} ({hint})") from None
        if header.design not in (self.own.name, (self.own.base or self.own).name):
            raise TraceError(f"{path}:1: the trace is one of {header.design!r}, and the protocol is {self.own.name!r}")
        return self.own


def conform_traces(
    paths: Iterable[str],
    *,
    own: Protocol | None = None,
    spark: bool | Cluster = False,
    jobs: int = 1,
    follow: Follow | None = None,
) -> ConformResult:
    """Check traces of designs, by the tables of `own` if given; with `spark` they are tasks of a Spark job.

    `jobs` and `follow` are those of `conform`. Raises `TraceError` for a path alone that cannot be read, which is
    inconclusive among others, `Refusal` where Spark is asked for and cannot run, `Stopped` on Ctrl-C.
    """
    started, listed = time.monotonic(), list(paths)

    # What cannot be read does not say of which design it is.
    blank = partial(DesignResult, protocol="")
    works = [Job(path, path, size_of(path)) for path in listed]
    if spark and own is not None:
        raise Refusal("--protocol: tables of yours are not on the workers; leave out --spark")
    given = () if own is None else (own,)
    found = judged_by(works, TraceJudge, given, blank, spark=spark, processes=jobs, follow=follow)
    designs = sorted({log.protocol for log in found.logs if log.protocol})
    tables = [own] if own is not None else [find(name).whole for name in designs]
    return found.result(started, tables, {"protocols": designs})
