"""A simulated run with its check by the tables, its JSON fields, its page."""

from __future__ import annotations

import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fencepost.checkers.verdicts import ExitCode

from .simulated_runs import SHOWN, Tell, seldom_collected, with_command

if TYPE_CHECKING:
    from fencepost.checkers.conformance.data_lockstep import DataDivergence, DataLockStep, DataResult
    from fencepost.checkers.conformance.lockstep import Divergence, LockStep, LockStepResult
    from fencepost.checkers.conformance.loop_lockstep import LoopDivergence, LoopLockStep, LoopResult
    from fencepost.checkers.conformance.records.static_settings import StaticSettings
    from fencepost.checkers.conformance.voters_lockstep import VotersDivergence, VotersLockStep, VotersResult
    from fencepost.reference.kraft.simulation.plan import Plan
    from fencepost.reference.kraft.simulation.run import Outcome as RunOutcome
    from fencepost.reference.kraft.simulation.run import Run
    from fencepost.reference.kraft.simulation.story import Story
    from fencepost.traces.loop_steps import LoopStep
    from fencepost.traces.steps import AnyStep
    from fencepost.traces.voter_steps import VoterStep

    AnyDivergence = Divergence | DataDivergence | LoopDivergence | VotersDivergence

NEVER_HEALED = "a known defect went on costing every controller its leadership, so the end was not checked"

Reasons = Counter[tuple[str, str]]
"""Steps that no row explains, by Kafka's name of the event and the reason."""


@dataclass
class Judged:
    """A run with what the tables say of it; `declared` counts known defects that showed by their ids, `seconds` are of
    the wall clock.

    `data` is what the tables of `kraft-data` say of the brokers, `loop` what those of `kraft-loop` say of every
    controller's event loop, `voters` what those of `kraft-voters` say of a quorum whose voters change.
    """

    outcome: RunOutcome
    data: DataResult
    loop: LoopResult
    voters: VotersResult
    divergences: list[AnyDivergence] = field(default_factory=list)
    rows: Counter[str] = field(default_factory=Counter)
    unjudged: Reasons = field(default_factory=Counter)
    declared: Counter[str] = field(default_factory=Counter)
    steps: int = 0
    steps_judged: int = 0
    seconds: float = 0.0

    @property
    def clean(self) -> bool:
        """Whether every step was a row, and no promise was broken."""
        return not self.divergences and not self.outcome.violations

    @property
    def plan(self) -> Plan:
        """The plan of the run."""
        return self.outcome.plan

    def verdict(self) -> tuple[ExitCode, str]:
        """Return the exit code and the word for it: a broken promise counts for more than a step that is no row."""
        if self.outcome.violations:
            return ExitCode.VIOLATED, "violated"
        if self.divergences:
            return ExitCode.DOES_NOT_CONFORM, "violates"
        return _unless_nothing(self.data, self.loop, self.voters, self.plan, self.outcome.came_to_pass)

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields of a run."""
        outcome, plan = self.outcome, self.plan
        return {
            "seed": plan.seed,
            "simulated_seconds": plan.seconds,
            "repeat": plan.command(),
            "events": outcome.events,
            "records": outcome.records,
            "steps": self.steps,
            "steps_judged": self.steps_judged,
            **_judged_fields(self.rows, self.unjudged, self.data, self.loop, self.voters, outcome.came_to_pass),
            "divergences": [one.as_json() for one in self.divergences],
            "violations": [
                {"rule": one.rule, "time_ns": one.now_ns, "message": one.message} for one in outcome.violations
            ],
            "faults": outcome.faults,
            "requests": outcome.requests,
            "acknowledged": outcome.acknowledged,
            "losses": outcome.losses,
        }

    def findings(self) -> list[dict[str, Any]]:
        """Return the known defects that showed, as JSON objects."""
        return _findings_of(self.declared)

    def page(self) -> list[str]:
        """Return the page of a run: what is wrong first, then what was checked, and the events."""
        outcome = self.outcome
        lines = [*self.wrong(), f"{self.verdict()[1]}: {self._headline()}"]
        lines += _rows_told(self.steps, self.steps_judged, len(self.rows), self.unjudged, len(self.divergences))
        lines += [*_data_told(self.data), *_loop_told(self.loop), *_voters_told(self.voters)]
        lines += progress_told(outcome.came_to_pass)
        lines += _known_told(self.declared)
        kinds = [f"{name} {count}" for name, count in outcome.faults.items() if count]
        faults = f"{sum(outcome.faults.values())} faults ({', '.join(kinds)}), " if kinds else ""
        lines.append(
            f"  {self.plan.seconds:g} s of the cluster's time in {self.seconds:.1f} s: {faults}"
            f"{outcome.events} events, {outcome.records} offsets in the metadata log"
        )
        return [*lines, f"  {_acknowledged_told(outcome.acknowledged, outcome.loss_reasons)}"]

    def _headline(self) -> str:
        broken, count = self.outcome.violations, len(self.divergences)
        promises = f"{len(broken)} promise{'s' * (len(broken) != 1)} broken, " if broken else ""
        if count:
            return f"{promises}{count} step{'s were' if count > 1 else ' was'} no row of the transition tables"
        if split(self.unjudged)[1]:
            return f"{promises}every step was a row of the transition tables, as far as they have rows"
        return f"{promises}every step was a row of the transition tables"

    def wrong(self) -> Iterator[str]:
        """Yield lines that say what is wrong: the first divergence, broken promises, and how to see it again."""
        for divergence in self.divergences[:1]:
            yield from divergence.text().splitlines()
        for one in self.outcome.violations[:SHOWN]:
            yield f"{one.now_ns / 1e9:.3f} s: {one.rule}: {one.message}"
        more = len(self.outcome.violations) - SHOWN
        if more > 0:
            yield f"and {more} more; --json has them"
        if not self.clean:
            yield from with_command("repeat it with:", self.plan.command())


class JudgedTogether:
    """The results of several runs together."""

    def __init__(self, plan: Plan) -> None:
        from fencepost.checkers.conformance.data_lockstep import DataResult
        from fencepost.checkers.conformance.loop_lockstep import LoopResult
        from fencepost.checkers.conformance.voters_lockstep import VotersResult

        self.plan = plan
        self.data, self.loop, self.voters = DataResult(), LoopResult(), VotersResult()
        self.rows, self.declared, self.reasons = Counter[str](), Counter[str](), Counter[str]()
        self.unjudged: Reasons = Counter()
        self.came_to_pass: dict[str, int] = {}
        self.totals = Counter[str]()

    def add(self, judged: Judged) -> None:
        """Add what was found of a run."""
        outcome = judged.outcome
        self.rows.update(judged.rows)
        self.data.update(judged.data)
        self.loop.update(judged.loop)
        self.voters.update(judged.voters)
        self.unjudged.update(judged.unjudged)
        self.declared.update(judged.declared)
        for name, count in outcome.came_to_pass.items():
            self.came_to_pass[name] = self.came_to_pass.get(name, 0) + count
        self.reasons.update(outcome.loss_reasons)
        self.totals.update(events=outcome.events, steps=judged.steps, steps_judged=judged.steps_judged)
        self.totals.update(records=outcome.records, acknowledged=outcome.acknowledged, losses=len(outcome.losses))
        self.totals.update(divergences=len(judged.divergences))

    def verdict(self) -> tuple[ExitCode, str]:
        """Return the exit code where nothing is wrong with any of them, and the word for it."""
        return _unless_nothing(self.data, self.loop, self.voters, self.plan, self.came_to_pass)

    def counts(self) -> dict[str, Any]:
        """Return the counts as JSON fields."""
        names = ("events", "steps", "steps_judged", "records", "acknowledged", "losses")
        return {
            **{name: self.totals[name] for name in names},
            **_judged_fields(self.rows, self.unjudged, self.data, self.loop, self.voters, self.came_to_pass),
        }

    def findings(self) -> list[dict[str, Any]]:
        """Return the known defects that showed, as JSON objects."""
        return _findings_of(self.declared)

    def counted(self) -> list[str]:
        """Return lines that say what was checked."""
        totals = self.totals
        lines = _rows_told(
            totals["steps"], totals["steps_judged"], len(self.rows), self.unjudged, totals["divergences"]
        )
        lines += [*_data_told(self.data), *_loop_told(self.loop), *_voters_told(self.voters)]
        lines += progress_told(self.came_to_pass)
        return [*lines, *_known_told(self.declared), f"  {_acknowledged_told(totals['acknowledged'], self.reasons)}"]


def _unless_nothing(
    data: DataResult, loop: LoopResult, voters: VotersResult, plan: Plan, came_to_pass: Mapping[str, int]
) -> tuple[ExitCode, str]:
    compared = data.steps_judged and loop.steps_judged and (voters.steps_judged or not plan.voters)
    if not compared or not any(came_to_pass.values()):
        # Nothing was said of the data, the loops, the voters, or of what is to come to pass.
        return ExitCode.INCONCLUSIVE, "inconclusive"
    return ExitCode.AS_DECLARED, "conforms"


def _judged_fields(
    rows: Mapping[str, int],
    unjudged: Reasons,
    data: DataResult,
    loop: LoopResult,
    voters: VotersResult,
    came_to_pass: Mapping[str, int],
) -> dict[str, Any]:
    idle, without_row = split(unjudged)
    return {
        "rows": dict(sorted(rows.items())),
        "changed_nothing": _named(idle),
        "not_judged": _named(without_row),
        "data": data.as_json(),
        "loop": loop.as_json(),
        **({"voters": voters.as_json()} if voters.steps else {}),
        "came_to_pass": came_to_pass,
    }


def _findings_of(found: Counter[str]) -> list[dict[str, Any]]:
    titles = _titles()
    return [{"id": name, "count": count, "title": titles.get(name, "")} for name, count in sorted(found.items())]


def lock_step(plan: Plan) -> LockStep:
    """Return the tables prepared to check a run: with the rows of the defects repaired that the plan repairs."""
    from fencepost.checkers.conformance.lockstep import Given, LockStep
    from fencepost.model.findings import FINDINGS
    from fencepost.model.kraft.protocol import KRAFT

    protocol = KRAFT
    for one in FINDINGS:
        if one.id in plan.settings.repaired:
            protocol = one.repair(protocol)
    settings = plan.settings
    given = Given(static_min=settings.min_insync_replicas, unclean=settings.unclean_leader_election_enable)
    return LockStep(protocol, session_timeout_ms=settings.broker_session_timeout_ms, given=given)


def data_lock_step(plan: Plan) -> DataLockStep:
    """Return the tables of the data prepared to check the brokers of a run."""
    from fencepost.checkers.conformance.data_lockstep import DataLockStep

    return DataLockStep(plan.settings.min_insync_replicas)


def loop_lock_step(plan: Plan) -> LoopLockStep:
    """Return the tables of the loop prepared to check the controllers of a run, with the defects that it repairs."""
    from fencepost.checkers.conformance.loop_lockstep import LoopLockStep

    return LoopLockStep(plan.settings.repaired)


def voters_lock_step(plan: Plan) -> VotersLockStep | None:
    """Return the tables of the voters prepared to check the quorum of a run, None where its voters stay."""
    from fencepost.checkers.conformance.voters_lockstep import VotersLockStep

    return VotersLockStep() if plan.voters else None


def static_of(plan: Plan) -> StaticSettings:
    """Return the static settings of a run's controllers that are not Kafka's defaults: its log does not show them."""
    from fencepost.checkers.conformance.records.static_settings import StaticSettings

    size = plan.settings.min_insync_replicas
    return StaticSettings(plan.settings.unclean_leader_election_enable, None if size == 1 else size)


def _where(error: Exception) -> str:
    """Return what an exception says and where it was raised."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(last.filename).name}:{last.lineno})"


def story_of(tell: Tell | None) -> Story | None:
    """Return the story of a run that hands every line on, after the legend; None where none is asked for."""
    from fencepost.reference.kraft.simulation.story import Story, legend

    if tell is None:
        return None
    for line in legend():
        tell(line)
    return Story(sink=lambda line: tell(str(line)))


def judged_alone(plan: Plan) -> Judged:
    """Return what was found of a run, and nothing of the run itself: small enough to go from process to process."""
    from fencepost.reference.kraft.simulation.story import Unrecorded

    return judged_run(plan, told=Unrecorded())[1]


def _by_finding(result: LockStepResult) -> Counter[str]:
    """Count by finding what lock step counts by the row or the property that has it."""
    finding = {one.rule: one.finding for one in result.findings}
    found: Counter[str] = Counter()
    for rule, count in result.finding_counts.items():
        found[finding[rule]] += count
    return found


def _findings(outcome: RunOutcome, result: LockStepResult, data: DataResult, loop: LoopResult) -> Counter[str]:
    """Count the known defects that showed; of several checkers the one that saw a defect most often counts it."""
    found = Counter(outcome.findings) + _by_finding(result)
    found |= loop.declared
    return found | Counter({name: count for name, count in data.declared.items() if name.startswith("D")})


class _Enough(Exception):
    """The first divergence was found, and no more was asked for."""


TOGETHER = 4_000
"""So many steps wait to be checked one after the other: a processor keeps what checks them at hand meanwhile."""


class _Waiting:
    """Steps of a run that wait to be checked by the tables; `divergences` are in the order of the steps.

    With `until_first` none waits, and the first divergence raises `_Enough`.
    """

    def __init__(self, tables: LockStep, data: DataLockStep, until_first: bool) -> None:
        self._tables, self._data, self._until_first = tables, data, until_first
        self._most = 1 if until_first else TOGETHER
        self._steps: list[AnyStep] = []
        self._others: list[tuple[int, Callable[[], LoopDivergence | VotersDivergence | None]]] = []
        self.divergences: list[AnyDivergence] = []

    def add(self, step: AnyStep) -> None:
        """Take a step of a controller or of a broker."""
        self._steps.append(step)
        if len(self._steps) >= self._most:
            self.check()

    def other(self, check: Callable[[], LoopDivergence | VotersDivergence | None]) -> None:
        """Take the check of a step of a loop, or of the quorum."""
        self._others.append((len(self._steps), check))
        if self._until_first:
            self.check()

    def check(self) -> None:
        """Check all that waits."""
        from fencepost.traces.broker_steps import BrokerStep

        steps, others = self._steps, self._others
        self._steps, self._others = [], []
        found: list[tuple[int, int, AnyDivergence]] = []
        try:
            for at, step in enumerate(steps):
                if not isinstance(step, BrokerStep) and (divergence := self._tables.step(step)) is not None:
                    found.append((at, 1, divergence))
            for at, step in enumerate(steps):
                if differences := self._data.step(step):
                    found += [(at, 2, one) for one in differences]
            for at, check in others:
                if (other := check()) is not None:
                    found.append((at, 0, other))
        finally:
            self.divergences += [one for *_, one in sorted(found, key=lambda one: one[:2])]
        if self._until_first and self.divergences:
            raise _Enough


def judged_run(
    plan: Plan, keep: list[AnyStep] | None = None, told: Story | None = None, until_first: bool = False
) -> tuple[Run, Judged]:
    """Run a plan in lock step with the tables; return the run itself and what was found.

    With `until_first` the run ends at the first step that is no row.
    """
    from fencepost.checkers.conformance.voters_lockstep import VotersResult
    from fencepost.reference.kraft.simulation.run import Run

    began = time.perf_counter()
    tables, data, loop = lock_step(plan), data_lock_step(plan), loop_lock_step(plan)
    voters = voters_lock_step(plan)
    waiting = _Waiting(tables, data, until_first)

    def kept(step: AnyStep) -> None:
        if keep is not None:
            keep.append(step)
        waiting.add(step)

    def loop_sink(step: LoopStep) -> None:
        waiting.other(partial(loop.step, step))

    def voter_sink(step: VoterStep) -> None:
        if voters is not None:
            waiting.other(partial(voters.step, step))

    sink = waiting.add if keep is None else kept
    run = Run(plan, sink, told, loop_sink, None if voters is None else voter_sink)
    try:
        with seldom_collected():
            try:
                outcome = run.execute()
            finally:
                waiting.check()
    except _Enough:
        outcome = run.unfinished()
    except Exception as error:
        # Whatever an injected bug leads to is found, and said with the command that repeats it.
        run.watch.violated(run.cluster.now_ns, "the run broke off", _where(error))
        outcome = run.unfinished()
    result = tables.out
    return run, Judged(
        outcome,
        data.out,
        loop.out,
        VotersResult() if voters is None else voters.out,
        waiting.divergences,
        Counter(result.rows),
        Counter(result.not_judged),
        _findings(outcome, result, data.out, loop.out),
        result.steps,
        result.steps_judged,
        time.perf_counter() - began,
    )


# -- text ------------------------------------------------------------------------------------------------------------
def split(unjudged: Reasons) -> tuple[Reasons, Reasons]:
    """Return the steps that could change nothing, and those that the tables have no row for."""
    from fencepost.checkers.conformance.lockstep.results import changes_nothing

    idle = Counter({key: count for key, count in unjudged.items() if changes_nothing(key[1])})
    return idle, unjudged - idle


def _named(reasons: Reasons) -> dict[str, int]:
    """Return counts of steps by name and reason as a JSON object."""
    return {f"{name} ({reason})": count for (name, reason), count in sorted(reasons.items())}


def _titles() -> dict[str, str]:
    from fencepost.model.findings import FINDINGS
    from fencepost.reference.kraft.repairs import REPAIRS
    from fencepost.reference.kraft.simulation.run import STUCK

    return {
        "never healed": NEVER_HEALED,
        STUCK: "a leader was removed, and lost before this was committed: no controller can be elected (VB5)",
        **{f"{name}": f"repaired: {text}" for name, text in REPAIRS.items()},
        **{one.id: one.title for one in FINDINGS},
    }


def _rows_told(steps: int, by_rows: int, rows: int, unjudged: Reasons, no_row: int = 0) -> list[str]:
    """Return lines that say by what the steps are explained, and name those that are not."""
    idle, without_row = split(unjudged)
    wrong = f", {no_row} that differ" if no_row else ""
    lines = [
        f"  {steps} steps of controllers: {by_rows} by {rows} different rows, {idle.total()} that change nothing{wrong}"
    ]
    lines += [f"    {count} {name}: {reason}" for (name, reason), count in sorted(idle.items())]
    lines.append(f"  steps that the tables have no row for: {without_row.total() or 'none'}")
    lines += [f"    {count} {name}: {reason}" for (name, reason), count in sorted(without_row.items())]
    return lines


def _data_told(data: DataResult) -> list[str]:
    """Return lines that say what rows of `kraft-data` explain the steps of brokers, and which stayed out."""
    if not data.steps:
        return ["  no step of a broker: of the data nothing was checked"]
    lines = [
        f"  {data.steps} steps of brokers with {data.partitions} partitions and {data.records} records: "
        f"{data.steps_judged} by {len(data.rows)} rows of kraft-data",
        f"    {data.decisions_judged} of {data.decisions} decisions of controllers about them are rows of it, too; "
        f"its theorem was asked {data.asked} times",
    ]
    lines += [f"    {count} partitions without the theorem: {why}" for why, count in sorted(data.left.items())]
    return [*lines, *_not_seen(data.rows_never_fired())]


def _not_seen(missing: Mapping[str, str]) -> Iterator[str]:
    """Return lines that name rows which no step was, those with one reason together."""
    for why in dict.fromkeys(missing.values()):
        rows = ", ".join(row for row, other in missing.items() if other == why)
        yield f"    not seen: {rows}: {why}"


def _loop_told(loop: LoopResult) -> list[str]:
    """Return lines that say what rows of `kraft-loop` explain the steps of the loops, and which stayed out."""
    if not loop.steps:
        return ["  no step of a loop: of what a controller does between request and answer nothing was checked"]
    return [
        f"  {loop.steps} steps of the controllers' loops: {loop.steps_judged} by {len(loop.rows)} rows of kraft-loop",
        *(f"    {count} taken over: {why}" for why, count in sorted(loop.adopted.items())),
        *(
            f"    checked no further in {count} run{'s' * (count != 1)}: {why}"
            for why, count in sorted(loop.left.items())
        ),
        *_not_seen(loop.rows_never_fired()),
    ]


def _voters_told(voters: VotersResult) -> list[str]:
    """Return lines that say what rows of `kraft-voters` explain the steps of a quorum whose voters change."""
    if not voters.steps:
        return []
    changed = sum(count for row, count in voters.rows.items() if row in ("VA8", "VR6", "VU7", "VK4"))
    return [
        f"  {voters.steps} steps of the quorum: {voters.steps_judged} by {len(voters.rows)} rows of kraft-voters, "
        f"{changed} of them a new KRaftVoters",
        *(f"    checked no further in {count} run{'s' * (count != 1)}: {why}" for why, count in voters.left.items()),
        *_not_seen(voters.rows_never_fired()),
    ]


def progress_told(came_to_pass: Mapping[str, int]) -> Iterator[str]:
    """Yield lines that say how often what is to come to pass was due, and what never was."""
    if not came_to_pass:
        return
    due = [f"{name} {count} ×" for name, count in came_to_pass.items() if count]
    yield f"  watched that it comes to pass within its bound: {', '.join(due) or 'nothing, none was ever due'}"
    if never := [name for name, count in came_to_pass.items() if not count]:
        yield f"    never due: {', '.join(never)}"


def _known_told(found: Counter[str]) -> list[str]:
    """Return lines that name the known defects which showed."""
    from fencepost.reference.kraft.repairs import REPAIRS

    if not found:
        return []
    titles = _titles()
    lines = ["  known defects of Kafka that showed (those with * can be repaired: --repaired NAME):"]
    for name, count in sorted(found.items()):
        lines.append(f"    {name}{'*' * (name in REPAIRS)} {count} ×: {titles.get(name, '')}")
    return lines


def _acknowledged_told(acknowledged: int, reasons: Mapping[str, int]) -> str:
    """Return a sentence about acknowledged entries; `reasons` counts those that were lost nevertheless."""
    if not reasons:
        return f"producers had {acknowledged} records acknowledged, and none is lost"
    told = "; ".join(f"{reason} {count} ×" for reason, count in sorted(reasons.items()))
    return f"producers had {acknowledged} records acknowledged; some were gone later, as Kafka has it: {told}"
