"""A simulated run of the ZooKeeper era with its check by the tables, its JSON fields, its page."""

from __future__ import annotations

import textwrap
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fencepost.checkers.counting import counted

from .simulated_runs import JudgedSteps, Tell, listed, seldom_collected, shortened

if TYPE_CHECKING:
    from fencepost.reference.zk.simulation.plan import Plan
    from fencepost.reference.zk.simulation.run import Outcome as RunOutcome
    from fencepost.reference.zk.simulation.run import Run
    from fencepost.traces.zk.steps import ZkStep

TOLD = {
    "Elect", "Resign", "Crash", "Start", "SessionExpired", "Begin", "CreateTopic", "QueueTopicDeletion", "DeleteTopic",
}  # fmt: skip
"""The steps that a story prints."""


@dataclass
class JudgedZk(JudgedSteps):
    """A run with what the tables say of it; `adopted` is what was taken over from steps."""

    outcome: RunOutcome | None = None
    adopted: Counter[str] = field(default_factory=Counter)
    broke_off: str = ""

    @property
    def protocol(self) -> str:
        """The name of the protocol with whose tables it is checked."""
        return "zk"

    @property
    def violations(self) -> list[str]:
        """Promises that were broken, the run's own end among them."""
        told = list(self.outcome.violations) if self.outcome is not None else []
        return [*told, *([f"the run broke off: {self.broke_off}"] if self.broke_off else [])]

    def counts(self) -> dict[str, Any]:
        """Return what was counted as JSON fields."""
        return {
            "steps": self.steps,
            "rows": dict(sorted(self.rows.items())),
            "not_judged": dict(sorted(self.unjudged.items())),
            "adopted": dict(sorted(self.adopted.items())),
        }

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields of a run."""
        outcome = self.outcome
        return {
            **self.head(),
            "events": 0 if outcome is None else outcome.events,
            "records": 0 if outcome is None else outcome.zxid,
            "epochs": 0 if outcome is None else outcome.epochs,
            **self.counts(),
            "divergences": list(self.divergences),
            "violations": self.violations,
            "stuck": [] if outcome is None else list(outcome.stuck),
            "faults": {} if outcome is None else dict(outcome.faults),
            "requests": {} if outcome is None else dict(outcome.requests),
        }

    def page(self) -> Iterator[str]:
        """Yield the page of a run: what is wrong first, then what was checked, and the events."""
        yield from self.wrong()
        broken = len(self.divergences)
        rows = "every step was a row of the transition tables"
        yield f"{self.verdict()[1]}: {f'{broken} steps were no row of the transition tables' if broken else rows}"
        yield from self.counted()
        outcome = self.outcome
        if outcome is not None:
            kinds = ", ".join(f"{name} {count}" for name, count in outcome.faults.items() if count)
            yield (
                f"  {self.plan.seconds:g} s of the cluster's time in {self.took:.1f} s: {outcome.events} events, "
                f"{outcome.zxid} transactions of ZooKeeper, {outcome.epochs} controllers"
            )
            if kinds:
                yield from textwrap.wrap(f"faults: {kinds}", 100, initial_indent="  ", subsequent_indent="    ")
            if outcome.stuck:
                yield from textwrap.wrap(
                    f"topics that Kafka never finishes either: {', '.join(outcome.stuck)}",
                    100, initial_indent="  ", subsequent_indent="    ",
                )  # fmt: skip

    def counted(self) -> Iterator[str]:
        """Yield lines with the number of steps that each row explains, and what was not checked."""
        run = counted(self.rows.total(), "row")
        yield f"  {counted(self.steps, 'step')}, {run} run, {len(self.rows)} different ones"
        yield from listed("steps that no table is about", self.unjudged)
        yield from listed("taken over from the run", self.adopted)
        yield from self.declared_lines()


def judged_alone(plan: Plan) -> JudgedZk:
    """Return what was found of a run, and nothing of the run itself."""
    return judged_run(plan)[1]


def judged_run(plan: Plan, keep: list[ZkStep] | None = None, tell: Tell | None = None) -> tuple[Run, JudgedZk]:
    """Run a plan in lock step with the tables; `keep` gets every step, `tell` every line of the story."""
    from fencepost.checkers.conformance.zk_lockstep import ZkLockStep
    from fencepost.reference.zk.simulation.run import Run

    began, judge, judged = time.perf_counter(), ZkLockStep(), JudgedZk(plan)

    def sink(step: ZkStep) -> None:
        if keep is not None:
            keep.append(step)
        if tell is not None and step.name in TOLD:
            tell(line_of(step))
        found = judge.step(step)
        if found is not None:
            judged.divergences.append(str(found))

    run = Run(plan, sink)
    try:
        with seldom_collected():
            judged.outcome = run.execute()
    except Exception as error:
        # Whatever an injected bug leads to is found, and said with the command that repeats it.
        judged.broke_off = f"{type(error).__name__}: {error}"
    judged.add(judge.tally)
    judged.took = time.perf_counter() - began
    return run, judged


def line_of(step: ZkStep) -> str:
    """Return a step as a line of the story."""
    who = "ZooKeeper" if step.node < 0 else f"broker {step.node}"
    told = ", ".join(f"{name} {_short(value)}" for name, value in step.parameters.items() if name != "operation")
    name = step.parameters.get("operation", step.name)
    line = f"{step.time_ms / 1000 % 100_000:9.3f}   {who:<9}   {name}{': ' if told else ''}{told}"
    return shortened(line + (f" ({step.outcome})" if step.outcome else ""))


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={_short(one)}" for name, one in value.items())
    return str(value).replace("'", "")
