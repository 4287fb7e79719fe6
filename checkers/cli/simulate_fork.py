"""`fencepost simulate --fork inkless`: the reference with a fork's rules, its log checked against the fork's tables.

Steps are not compared one by one: of a fork's requests it is the records that tables explain. What clients were
promised is watched as of every reference.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fencepost.checkers.counting import counted
from fencepost.checkers.verdicts import ExitCode, Refusal, worst
from fencepost.model.registry import find

from .outcome import Outcome
from .simulated import static_of, story_of
from .simulated_runs import SHOWN, Simulation, Tell, Written, with_command

if TYPE_CHECKING:
    from fencepost.reference.kraft.simulation.plan import Plan
    from fencepost.reference.kraft.simulation.run import Outcome as RunOutcome
    from fencepost.reference.kraft.simulation.run import Run

FORKS = ("inkless",)
"""The forks that have a reference."""

SWITCH = "switch_to_diskless"


@dataclass
class JudgedFork:
    """A run of a fork's reference, and what the fork's tables say of the active controller's log once it is written.

    `checked` is the page of the log's verdict, `divergences` are its violations as text.
    """

    plan: Plan
    outcome: RunOutcome
    code: ExitCode = ExitCode.INCONCLUSIVE
    word: str = "inconclusive"
    checked: list[str] = field(default_factory=list)
    divergences: list[str] = field(default_factory=list)

    def check(self, log: Path) -> None:
        """Check a log of the run against the tables of its fork."""
        from fencepost.checkers.conformance import conform
        from fencepost.traces.forks import fork_of

        from .conform import page

        result = conform([str(log)], None, static=static_of(self.plan), fork=fork_of(self.plan.settings.fork))
        self.code, self.word = result.exit_code, result.verdict.value
        self.checked = list(page(result))
        self.divergences = [one.message for judged in result.logs for one in judged.violations]

    @property
    def clean(self) -> bool:
        """Whether the log conforms, and no promise was broken."""
        return self.verdict()[0] is ExitCode.AS_DECLARED

    def verdict(self) -> tuple[ExitCode, str]:
        """Return the exit code and the word for it: a broken promise counts for more than what a log has."""
        return (ExitCode.VIOLATED, "violated") if self.outcome.violations else (self.code, self.word)

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields of the run."""
        found = self.outcome
        return {
            "seed": self.plan.seed,
            "simulated_seconds": self.plan.seconds,
            "repeat": self.plan.command(),
            "events": found.events,
            "records": found.records,
            "violations": [
                {"rule": one.rule, "time_ns": one.now_ns, "message": one.message} for one in found.violations
            ],
            "faults": found.faults,
            "requests": found.requests,
            "acknowledged": found.acknowledged,
            "losses": found.losses,
        }

    def findings(self) -> list[dict[str, Any]]:
        """Return nothing: known defects of Kafka are in the page of the log."""
        return []

    def wrong(self) -> Iterator[str]:
        """Yield lines that say what is wrong, and how to see it again."""
        violations = self.outcome.violations
        yield from (f"{one.now_ns / 1e9:.3f} s: {one.rule}: {one.message}" for one in violations[:SHOWN])
        if len(violations) > SHOWN:
            yield f"and {len(violations) - SHOWN} more; --json has them"
        if not self.clean and not violations:
            yield from self.checked
        if not self.clean:
            yield from with_command("repeat it with:", self.plan.command())

    def page(self) -> Iterator[str]:
        """Yield the page of the run: what is wrong first, then what happened, then what the tables say of the log."""
        found = self.outcome
        yield from self.wrong()
        yield f"{self.verdict()[1]}: {_promises(len(found.violations))}, {_switches(found.requests)}"
        yield (
            f"  {self.plan.seconds:g} s of the cluster's time: {sum(found.faults.values())} faults, "
            f"{found.events} events, {found.records} offsets in the metadata log, "
            f"{found.acknowledged} acknowledged records"
        )
        if self.clean:
            yield from self.checked
            yield from with_command("repeat it with:", self.plan.command())
        elif found.violations:
            yield from self.checked if self.code is not ExitCode.AS_DECLARED else self.checked[:3]


class JudgedForks:
    """The results of several runs together."""

    def __init__(self, plan: Plan) -> None:
        self.codes: list[tuple[ExitCode, str]] = []
        self.totals, self.requests = Counter[str](), Counter[str]()

    def add(self, found: JudgedFork) -> None:
        """Add what was found of a run."""
        run = found.outcome
        self.codes.append(found.verdict())
        self.requests.update(run.requests)
        self.totals.update(events=run.events, records=run.records, acknowledged=run.acknowledged)
        self.totals.update(losses=len(run.losses), violations=len(run.violations))

    def verdict(self) -> tuple[ExitCode, str]:
        """Return the worst exit code, and the word for it."""
        code = worst(one for one, _ in self.codes)
        return next(one for one in self.codes if one[0] is code)

    def counts(self) -> dict[str, Any]:
        """Return the counts as JSON fields."""
        return {**{name: self.totals[name] for name in ("events", "records", "acknowledged", "losses")},
                "requests": dict(sorted(self.requests.items()))}  # fmt: skip

    def findings(self) -> list[dict[str, Any]]:
        """Return nothing, as of one run."""
        return []

    def counted(self) -> Iterator[str]:
        """Yield lines that say what was checked."""
        yield f"  {_promises(self.totals['violations'])}, {_switches(self.requests)}"
        yield f"  {self.totals['records']} offsets in metadata logs, {self.totals['acknowledged']} acknowledged records"


def simulate_fork(plan: Plan, seeds: int, jobs: int, out: Path | None, story: bool) -> Outcome:
    """Run a fork's reference, write its controllers' logs, and check that of the active one by the fork's tables."""
    outcome = Simulation(_run, _alone, _write, JudgedForks).run(plan, seeds, jobs, out, story)
    return replace(outcome, table_hash=lambda: find(f"kraft@{plan.settings.fork}").whole.hash)


def _run(plan: Plan, steps: list[Any], tell: Tell | None = None) -> tuple[Run, JudgedFork]:
    from fencepost.reference.kraft.simulation.run import Run

    run = Run(plan, story=story_of(tell))
    return run, JudgedFork(plan, run.execute())


def _alone(plan: Plan) -> JudgedFork:
    run, found = _run(plan, [])
    with tempfile.TemporaryDirectory(prefix=f"fencepost-{plan.settings.fork}-") as directory:
        _write(run, found, [], Path(directory))
    return found


def _write(run: Run, found: JudgedFork, steps: list[Any], directory: Path) -> Written:
    from fencepost.reference.kraft.simulation.output import write_run
    from fencepost.reference.kraft.storage.errors import StorageError

    try:
        log, _ = write_run(run, directory)
    except StorageError as error:
        raise Refusal(f"--out {directory}: {error}; what is written there is not whole") from None
    found.check(log)
    return Written({"log": str(log)}, [f"log:   {log}"])


def _promises(count: int) -> str:
    return f"{count or 'no'} promise{'s' * (count > 1)} broken"


def _switches(requests: dict[str, int] | Counter[str]) -> str:
    return f"{counted(requests.get(SWITCH, 0), 'request')} to switch a topic"
