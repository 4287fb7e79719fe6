"""`fencepost simulate --protocol kip343` and the like: the reference of a design, each step checked with its tables."""

from __future__ import annotations

import importlib
import shlex
import textwrap
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fencepost.checkers.counting import counted
from fencepost.checkers.verdicts import Refusal
from fencepost.model.registry import find

from .outcome import Outcome
from .simulated_runs import JudgedSteps, Simulation, Tell, Written, listed, shortened

if TYPE_CHECKING:
    from fencepost.traces.design_steps import DesignStep, Header

DESIGNS = {
    "kip343": "fencepost.reference.kip343.simulation",
    "kip46": "fencepost.reference.kip46.simulation",
    "kip631-v1": "fencepost.reference.kip631.v1.simulation",
    "kip631-v1+failovers": "fencepost.reference.kip631.v1.failovers",
    "kip631-v2": "fencepost.reference.kip631.v2.simulation",
    "kip631-v2+failovers": "fencepost.reference.kip631.v2.failovers",
}
"""The designs that have a reference, each with the module that runs it."""

SECONDS = 120.0
"""How long a run is where nothing is said, of simulated time."""


@dataclass(frozen=True)
class DesignPlan:
    """A run: its design, its seed, how long it lasts, its faults and the bug put into it, "" for none."""

    design: str
    seed: int
    seconds: float
    faults: str
    inject: str

    def command(self) -> str:
        """Return the command that repeats the run."""
        told = f"fencepost simulate --protocol {self.design} --seed {self.seed}"
        told += f" --time {self.seconds:g}s" if self.seconds != SECONDS else ""
        told += f" --faults {self.faults}" if self.faults else ""
        return told + (f" --inject {self.inject}" if self.inject else "")


@dataclass
class JudgedDesign(JudgedSteps):
    """A run with what the tables say of it; `cells` are the changes compared by variable.

    `untold` are variables that the reference reports and no table has, `idle` steps that change nothing and that no row
    is about in their state.
    """

    untold: Counter[str] = field(default_factory=Counter)
    idle: Counter[str] = field(default_factory=Counter)
    cells: Counter[str] = field(default_factory=Counter)

    @property
    def protocol(self) -> str:
        """The name of the protocol with whose tables it is checked."""
        return str(self.plan.design)

    def counts(self) -> dict[str, Any]:
        """Return what was counted as JSON fields."""
        return {
            "steps": self.steps,
            "changes": self.cells.total(),
            "rows": dict(sorted(self.rows.items())),
            "not_judged": dict(sorted(self.unjudged.items())),
            "untold": dict(sorted(self.untold.items())),
            "idle": dict(sorted(self.idle.items())),
        }

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields of a run."""
        return {**self.head(), **self.counts(), "divergences": list(self.divergences)}

    def page(self) -> Iterator[str]:
        """Yield the page of a run: what is wrong first, then what was checked."""
        yield from self.wrong()
        yield f"{self.verdict()[1]}: {self._headline()} of the transition tables"
        yield from self.counted()
        yield f"  {self.plan.seconds:g} s of the cluster's time in {self.took:.1f} s"

    def _headline(self) -> str:
        if self.divergences:
            count = len(self.divergences)
            return f"{count} step{'s were' if count > 1 else ' was'} no row"
        return "every step that changes something was a row" if self.idle else "every step was a row"

    def counted(self) -> Iterator[str]:
        """Yield lines with the number of steps that each row explains, and what was not checked."""
        yield (
            f"  {counted(self.steps, 'step')}, {counted(self.rows.total(), 'row')} run, "
            f"{len(self.rows)} different ones, "
            f"{counted(self.cells.total(), 'change')} compared"
        )
        if self.idle:
            told = ", ".join(f"{name} {count}" for name, count in sorted(self.idle.items()))
            yield from textwrap.wrap(
                f"{self.idle.total()} steps change nothing, and no row applies: {told}",
                100, initial_indent="  ", subsequent_indent="    ",
            )  # fmt: skip
        yield from listed("steps that no table is about", self.unjudged)
        yield from listed("variables and parameters that no table has", self.untold)
        yield from self.declared_lines()


def simulate_design(
    design: str,
    seed: int | None,
    seeds: int,
    jobs: int,
    seconds: float | None,
    faults: str | None,
    out: Path | None,
    inject: list[str],
    story: bool,
) -> Outcome:
    """Run a design's reference, check every step against its tables; raises `Refusal` for what does not fit."""
    bugs = importlib.import_module(DESIGNS[design]).BUGS
    if len(inject) > 1:
        raise Refusal("--inject: one bug a run")
    if inject and inject[0] not in bugs:
        raise Refusal(f"--inject {inject[0]}: there is none of that name; there are {', '.join(bugs)}")
    plan = DesignPlan(design, 1 if seed is None else seed, seconds or SECONDS, faults or "", "".join(inject))
    simulation = Simulation(_judged_run, _judged_alone, _write, JudgedDesign, design, repeats=False)
    return simulation.run(plan, seeds, jobs, out, story)


def _judged_run(plan: DesignPlan, keep: list[DesignStep], tell: Tell | None = None) -> tuple[Header, JudgedDesign]:
    """Run a plan in lock step with the tables; `keep` gets every step, `tell` every line of the story."""
    from fencepost.checkers.conformance.designs import DesignJudge

    simulation: Any = importlib.import_module(DESIGNS[plan.design])
    began, judged = time.perf_counter(), JudgedDesign(plan)
    given = {"faults": plan.faults or None, "inject": plan.inject or None}
    try:
        header: Header = simulation.header(plan.seed)
        steps: Iterator[DesignStep] = simulation.run(plan.seed, plan.seconds, **given)
        judge = DesignJudge(find(plan.design).whole, header)
        for step in steps:
            keep.append(step)
            if tell is not None:
                tell(line_of(step))
            found = judge.step(step)
            if found is not None:
                judged.divergences.append(str(found))
    except ValueError as error:
        raise Refusal(str(error)) from None
    judged.add(judge.tally)
    judged.took = time.perf_counter() - began
    return header, judged


def _judged_alone(plan: DesignPlan) -> JudgedDesign:
    return _judged_run(plan, [])[1]


def _write(header: Header, judged: JudgedDesign, steps: list[DesignStep], directory: Path) -> Written:
    from fencepost.traces.design_steps import write_design_trace

    trace = directory / "steps.ndjson"
    directory.mkdir(parents=True, exist_ok=True)
    write_design_trace(trace, header, steps)
    lines = [f"trace: {trace}", f"next:  fencepost conform {shlex.quote(str(trace))}"]
    return Written({"trace": str(trace)}, lines)


def line_of(step: DesignStep) -> str:
    """Return a step as a line of the story."""
    told = ", ".join(f"{name} {value}" for name, value in step.parameters.items())
    line = f"{step.time_ms / 1000:9.3f}   {step.node:<13} {step.name}{': ' if told else ''}{told}"
    line += f" ({step.answer})" if step.answer else ""
    if step.changed:
        line += " → " + ", ".join(f"{one.variable}{list(one.keys) or ''} {one.value}" for one in step.changed)
    return shortened(line)
