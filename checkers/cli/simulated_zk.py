"""A simulated run of the ZooKeeper era with what the tables say of it: how it is judged, its JSON fields, its page."""

from __future__ import annotations

import textwrap
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fencepost.checkers.verdicts import ExitCode

from .simulated import SHOWN, seldom_collected

if TYPE_CHECKING:
    from fencepost.reference.zk.simulation.plan import Plan
    from fencepost.reference.zk.simulation.run import Outcome as RunOutcome
    from fencepost.reference.zk.simulation.run import Run
    from fencepost.traces.zk.steps import ZkStep

TOLD = {
    "Elect", "Resign", "Crash", "Start", "SessionExpired", "Begin", "CreateTopic", "QueueTopicDeletion", "DeleteTopic",
}  # fmt: skip
"""The steps that a story tells."""


@dataclass
class JudgedZk:
    """A run with what the tables say of it: divergences as text, the rows that were run, steps by name without a row.

    `adopted` is what was taken over from steps, `declared` are the declared violations that showed.
    """

    plan: Plan
    outcome: RunOutcome | None = None
    divergences: list[str] = field(default_factory=list)
    rows: Counter[str] = field(default_factory=Counter)
    unjudged: Counter[str] = field(default_factory=Counter)
    adopted: Counter[str] = field(default_factory=Counter)
    declared: Counter[str] = field(default_factory=Counter)
    steps: int = 0
    broke_off: str = ""
    seconds: float = 0.0

    @property
    def violations(self) -> list[str]:
        """Promises that were broken, the run's own end among them."""
        told = list(self.outcome.violations) if self.outcome is not None else []
        return [*told, *([f"the run broke off: {self.broke_off}"] if self.broke_off else [])]

    @property
    def clean(self) -> bool:
        """Whether every step was a row, and no promise was broken."""
        return not self.divergences and not self.violations


def judged_alone(plan: Plan) -> JudgedZk:
    """Return what was found of a run, and nothing of the run itself."""
    return judged_run(plan)[1]


def judged_run(plan: Plan, keep: list[ZkStep] | None = None, tell: Any = None) -> tuple[Run, JudgedZk]:
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
    tally = judge.tally
    judged = replace(
        judged,
        rows=tally.rows,
        unjudged=tally.unjudged,
        adopted=tally.adopted,
        declared=tally.declared,
        steps=tally.steps,
        seconds=time.perf_counter() - began,
    )
    return run, judged


def line_of(step: ZkStep) -> str:
    """Return a step as a line of the story."""
    who = "ZooKeeper" if step.node < 0 else f"broker {step.node}"
    told = ", ".join(f"{name} {_short(value)}" for name, value in step.parameters.items() if name != "operation")
    name = step.parameters.get("operation", step.name)
    line = f"{step.time_ms / 1000 % 100_000:9.3f}   {who:<9}   {name}{': ' if told else ''}{told}"
    line += f" ({step.outcome})" if step.outcome else ""
    return line if len(line) <= 100 else f"{line[:98].rstrip()} …"


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={_short(one)}" for name, one in value.items())
    return str(value).replace("'", "")


# -- what is told of it ------------------------------------------------------------------------------------------------
def verdict_of(judged: JudgedZk) -> tuple[ExitCode, str]:
    """Return the exit code and the word for it: a broken promise counts for more than a step that is no row."""
    if judged.violations:
        return ExitCode.VIOLATED, "violated"
    if judged.divergences:
        return ExitCode.DOES_NOT_CONFORM, "violates"
    return ExitCode.AS_DECLARED, "conforms"


def fields_of(judged: JudgedZk) -> dict[str, Any]:
    """Return the JSON fields of a run."""
    outcome = judged.outcome
    return {
        "protocol": "zk",
        "seed": judged.plan.seed,
        "simulated_seconds": judged.plan.seconds,
        "repeat": judged.plan.command(),
        "events": 0 if outcome is None else outcome.events,
        "records": 0 if outcome is None else outcome.zxid,
        "epochs": 0 if outcome is None else outcome.epochs,
        "steps": judged.steps,
        "rows": dict(sorted(judged.rows.items())),
        "not_judged": dict(sorted(judged.unjudged.items())),
        "adopted": dict(sorted(judged.adopted.items())),
        "divergences": list(judged.divergences),
        "violations": judged.violations,
        "stuck": [] if outcome is None else list(outcome.stuck),
        "faults": {} if outcome is None else dict(outcome.faults),
        "requests": {} if outcome is None else dict(outcome.requests),
    }


def findings_of(declared: Counter[str]) -> list[dict[str, Any]]:
    """Return the declared violations that showed, as JSON objects."""
    from fencepost.model.zk import ZK

    return [{"id": name, "count": count, "title": ZK.property(name).about} for name, count in sorted(declared.items())]


def page_of(judged: JudgedZk, verdict: str) -> Iterator[str]:
    """Yield the page of a run: what is wrong first, then what was judged, and what happened."""
    yield from wrong(judged)
    broken = len(judged.divergences)
    rows = "every step was a row of the transition tables"
    yield f"{verdict}: {f'{broken} steps were no row of the transition tables' if broken else rows}"
    yield from counted(judged)
    outcome = judged.outcome
    if outcome is not None:
        kinds = ", ".join(f"{name} {count}" for name, count in outcome.faults.items() if count)
        yield (
            f"  {judged.plan.seconds:g} s of the cluster's time in {judged.seconds:.1f} s: {outcome.events} events, "
            f"{outcome.zxid} transactions of ZooKeeper, {outcome.epochs} controllers"
        )
        if kinds:
            yield from textwrap.wrap(f"faults: {kinds}", 100, initial_indent="  ", subsequent_indent="    ")
        if outcome.stuck:
            yield from textwrap.wrap(
                f"topics that Kafka never finishes either: {', '.join(outcome.stuck)}",
                100, initial_indent="  ", subsequent_indent="    ",
            )  # fmt: skip


def counted(judged: JudgedZk) -> Iterator[str]:
    """Yield lines that say how many steps which rows explain, and what was not judged."""
    yield f"  {judged.steps} steps, {judged.rows.total()} rows run, {len(judged.rows)} different ones"
    for title, found in (
        ("steps that no table is about", judged.unjudged),
        ("taken over from the run", judged.adopted),
    ):
        if found:
            yield f"  {title}:"
            yield from (f"    {count} {name}" for name, count in sorted(found.items()))
    if judged.declared:
        yield "  declared violations that showed:"
        for one in findings_of(judged.declared):
            yield from textwrap.wrap(
                f"{one['id']} {one['count']} ×: {one['title']}", 100, initial_indent="    ", subsequent_indent="      "
            )


def wrong(judged: JudgedZk) -> Iterator[str]:
    """Yield lines that say what is wrong, and how to see it again."""
    for text in [*judged.divergences[:1], *judged.violations[:SHOWN]]:
        yield from textwrap.wrap(text, 100, subsequent_indent="  ")
    more = max(0, len(judged.divergences) - 1) + max(0, len(judged.violations) - SHOWN)
    if more:
        yield f"and {more} more; --json has them"
    if not judged.clean:
        yield f"repeat it with: {judged.plan.command()}"


def written(run: Run, steps: list[ZkStep], directory: Path) -> Path:
    """Write a run's logs, history and steps; return the trace of steps."""
    from fencepost.reference.zk.simulation.output import write_run

    return write_run(run, directory, steps)
