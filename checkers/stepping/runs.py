"""Runs written down as JSON, and replayed from there by the interpreter, state by state."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from fencepost.checkers.counterexample import Middle, Trace, binding_text, holds, replay, state_json
from fencepost.checkers.exploration.moments import moments
from fencepost.checkers.named import family
from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import (
    TRUE,
    Always,
    Bound,
    EvaluationError,
    Execution,
    LeadsTo,
    Protocol,
    Row,
    Sometimes,
    Step,
    Valuation,
    Var,
)
from fencepost.model.language.render import text, value_text
from fencepost.model.language.walk import nary

from .reading import cell_of
from .stepper import why_not
from .written import FAULTS, FORMAT, Differs, Reader, checked, no_run

OWN_FILE = re.compile(r"(?P<path>.+?\.py)(?P<rest>[:+@].*|$)")
"""The name of a protocol in a file of one's own: the path, and what follows it."""


def written_run(name: str, bound: str | None, trace: Trace, violates: str | None = None) -> dict[str, Any]:
    """Return a run as JSON values: the protocol by the name that finds it, the bound, the run, what it shows at its
    end."""
    return {
        "format": FORMAT,
        "protocol": name,
        "bound": bound,
        "table_hash": trace.protocol.hash,
        "shows": violates,
        "trace": trace.as_json(),
    }


def placed(name: str, folder: Path | None) -> str:
    """Return the name of a protocol whose file is said relative to a folder."""
    found = OWN_FILE.fullmatch(name)
    if folder is None or found is None or Path(found["path"]).is_absolute():
        return name
    return f"{folder / found['path']}{found['rest']}"


def tables_of(run: Mapping[str, Any], folder: Path | None = None) -> Protocol:
    """Return the tables that a run is of: those of its bound, all where it has none; raises `Refusal`."""
    found = family(placed(run["protocol"], folder))
    bound = run["bound"]
    if bound is None:
        return found.whole
    one = found.at(bound)
    if one is None:
        raise Refusal(f"{found.name}: has no bound {bound!r}; use one of {', '.join(found.bounds) or 'none'}")
    return one


def replay_run(
    run: Mapping[str, Any], folder: Path | None = None, *, tables: Protocol | None = None, bound: str | None = None
) -> Trace:
    """Replay a run that was written down, by the interpreter, and compare each state with the one that is written.

    `folder` is where a protocol's file is looked for whose path is relative. `tables` and `bound` replace those that
    the run names. Raises `Differs` at the first step whose guard is false or that does something else, and where the
    run does not show at its end what it says that it shows; `Refusal` for a document that is no run.
    """
    checked(run)
    protocol = tables_of(run, folder) if tables is None else tables
    bound = run["bound"] if bound is None else bound
    limits = protocol.bounds[bound] if bound is not None else None
    try:
        return _Replay(protocol, limits, run).replayed()
    except FAULTS as error:
        raise no_run(error) from error


class _Replay:
    """A run while it is replayed."""

    def __init__(self, protocol: Protocol, bound: Bound | None, run: Mapping[str, Any]) -> None:
        self.protocol, self.bound, self.run = protocol, bound, run
        self.reader = Reader(protocol, run)
        self.trace, self.world = self.reader.trace, self.reader.world

    def replayed(self) -> Trace:
        """Return the run as the interpreter has it."""
        state = self.start()
        done: list[Execution] = []
        middle: Middle | None = None
        for number, step in enumerate(self.trace["steps"], 1):
            row, binding = self.reader.move(number, step)
            execution = self.executed(number, row, binding, state)
            last = number == len(self.trace["steps"])
            if last and self.trace["inside_last_row"]:
                middle = self.middle(number, step, execution)
            else:
                self.compare(number, step, execution)
            done.append(execution)
            state = execution.after
        trace = Trace(self.protocol, self.world, self.start(), tuple(done), middle, bool(self.trace["initial"]))
        return self.shown(trace)

    def start(self) -> Valuation:
        """Return the first state; one that is said to be initial has to be."""
        state = self.reader.state(self.trace["start"])
        if self.trace["initial"]:
            if any(one.initial is not None for one, _ in state):
                changed = next(cell for cell in state if cell[0].initial is not None)
                raise Differs(f"{self.protocol.name}: the first state is no initial one: {changed[0].name} is changed")
            given = nary("and", (self.protocol.begin, TRUE if self.bound is None else self.bound.start))
            try:
                begins = holds(given, state, self.world)
            except EvaluationError as error:
                raise Differs(f"{self.protocol.name}: the first state is not whole: {error}") from error
            if not begins:
                raise Differs(f"{self.protocol.name}: the first state is no initial one; it has to be {text(given)}")
        return state

    def executed(self, number: int, row: Row, binding: dict[Var[Any], Any], state: Valuation) -> Execution:
        """Run a row; its guard has to hold, with what the bound assumes of its event."""
        protocol = self.protocol
        guard = protocol.guard(row) if self.bound is None else protocol.bounded_guard(row, self.bound)
        try:
            if holds(guard, state, self.world, binding=binding):
                return replay(protocol, self.world, state, [(row, binding)]).steps[0]
        except EvaluationError as error:
            raise Differs(f"{protocol.name}: step {number} ({row.id}) cannot be evaluated: {error}") from error
        unmet = why_not(row.id, guard, state, self.world, binding)
        told = f": {unmet.text()}" if unmet is not None else ""
        raise Differs(
            f"{protocol.name}: step {number} differs: the guard of {row.id}({binding_text(binding)}) is false{told}"
        )

    def compare(self, number: int, step: Mapping[str, Any], execution: Execution) -> None:
        """Compare what a step did with what is written of it."""
        where = f"{self.protocol.name}: step {number} ({execution.row.id}) differs"
        found = state_json(execution.after)
        for cell in {**found, **step["state"]}:
            mine, said = self.value(cell, found), self.value(cell, step["state"])
            if mine != said:
                raise Differs(f"{where}: {cell} is {mine} after it, and the run says {said}")
        records = [[str(record) for record in group] for group in execution.records]
        if [sorted(group) for group in records] != [sorted(group) for group in step["records"]]:
            raise Differs(f"{where}: it writes {_records(records)}, and the run says {_records(step['records'])}")
        answer = None if execution.answer is None else value_text(execution.answer)
        if answer != step["answer"]:
            raise Differs(f"{where}: it answers {answer or 'nothing'}, and the run says {step['answer'] or 'nothing'}")

    def value(self, cell: str, state: Mapping[str, str]) -> str:
        """Return a cell's value as text, its initial one where the state does not have it."""
        if cell in state:
            return state[cell]
        variable, keys = cell_of(cell, self.protocol, self.world)
        return "without a value" if variable.initial is None else value_text(Valuation().read(variable, keys))

    def middle(self, number: int, step: Mapping[str, Any], execution: Execution) -> Middle:
        """Return the moment inside the last row that the run ends with."""
        found = moments(execution.row, execution.binding, execution.before, self.world)
        for one in found:
            if state_json(one.state) == step["state"]:
                return one.middle
        raise Differs(
            f"{self.protocol.name}: step {number} ({execution.row.id}) differs: "
            "no state inside the row is the one that the run ends with"
        )

    def shown(self, trace: Trace) -> Trace:
        """Return the run with why it shows what it says that it shows at its end."""
        id = self.run.get("shows")
        if id is None:
            return trace
        claim = next((one for one in self.protocol.properties if one.id == id), None)
        if claim is None:
            raise Differs(f"{self.protocol.name}: the run shows {id}, and there is no such property")
        if isinstance(claim, LeadsTo):
            raise Refusal(f"{id} is about runs without end, and this run has one")
        if isinstance(claim, Sometimes):
            if not holds(claim.term, trace.end, self.world):
                raise Differs(f"{self.protocol.name}: the run differs: {id} is not witnessed at its end")
            return trace
        if not any(broken(claim, trace, since) for since in _since(claim, trace)):
            raise Differs(f"{self.protocol.name}: the run differs: {id} is not violated at its end")
        return replace(
            trace,
            failure=trace.because(claim, next(s for s in _since(claim, trace) if broken(claim, trace, s))).failure,
        )


def broken(claim: Always | Step, trace: Trace, since: Valuation) -> bool:
    """Return whether a claim is false at the end of a run, of a step since a state in its last row."""
    if isinstance(claim, Always):
        return not holds(claim.term, trace.end, trace.world)
    last = trace.steps[-1]
    if not claim.is_of(last.row):
        return False
    return not holds(claim.term, since, trace.world, trace.end, last.binding)


def _since(claim: Always | Step, trace: Trace) -> tuple[Valuation, ...]:
    """The states from which the last step of a run may begin: before its row, and those directly before its end."""
    if isinstance(claim, Always):
        return (trace.end,)
    if not trace.steps:
        return ()
    last = trace.steps[-1]
    found = [one for one in moments(last.row, last.binding, last.before, trace.world) if one.state == trace.end]
    return (last.before, *(state for one in found for state in one.earlier))


def _records(groups: list[list[str]]) -> str:
    return ", ".join(one for group in groups for one in group) or "no record"
