"""Controllers in lock step with `kraft-loop`: seeds are rows, all rows that can be shown are, defects are none."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from fencepost.checkers.bench.simulation import plan_with
from fencepost.checkers.cli.simulated import judged_run
from fencepost.checkers.conformance.loop_lockstep import LoopDivergence, LoopLockStep, LoopResult
from fencepost.checkers.conformance.loop_lockstep.judge import as_kafka
from fencepost.checkers.conformance.loop_lockstep.results import CANNOT, REASONS
from fencepost.model.kraft_loop import KRAFT_LOOP
from fencepost.reference.kraft.injected import BUGS
from fencepost.reference.kraft.messages import CreateTopicsRequest, TopicRequest
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.kraft.simulation.cluster import Cluster
from fencepost.reference.kraft.simulation.plan import Plan
from fencepost.reference.kraft.simulation.run import Run
from fencepost.reference.simulator import SECOND
from fencepost.traces.loop_steps import COMMITS, HEARS, TOLD, WRITES, LoopStep
from tests.cases import each
from tests.reference.kraft.simulation.cut_bootstrap import CUT, execute_cut

MINUTE = Plan(seconds=60, quiet_seconds=5)
SNAPSHOTS = Settings(metadata_log_max_snapshot_interval_ms=3000, metadata_max_retention_bytes=2000)
"""Every node makes a snapshot each three seconds, and forgets the log before it: who starts anew loads one."""


class _Found(Exception):
    """The first difference."""


def judged(plan: Plan, script: Callable[[Cluster], None] | None = None) -> tuple[LoopResult, list[LoopDivergence]]:
    """Run a plan up to the first difference of its loops; return what was judged and found.

    What a script has to happen to the cluster happens after twenty seconds.
    """
    judge, found = LoopLockStep(plan.settings.repaired), list[LoopDivergence]()

    def sink(step: LoopStep) -> None:
        one = judge.step(step)
        if one is not None:
            found.append(one)
            raise _Found

    run = Run(plan, loop_sink=sink)
    if script is not None:
        run.cluster.simulator.after(20 * SECOND, lambda: script(run.cluster))
    with suppress(_Found):
        run.execute()
    return judge.out, found


def overtaken(cluster: Cluster) -> None:
    """Let the leader resign while a write waits in its queue, before the loop has heard of it."""
    node = cluster.active
    assert node is not None
    assert node.controller is not None
    assert node.raft is not None
    node.controller.submit(CreateTopicsRequest(topics=(TopicRequest("late", 1, 1),)), lambda answer: None)
    node.raft.step_down()


def dropped(cluster: Cluster) -> None:
    """Let a standby fall behind its Raft client, and end."""
    node = next(one for one in cluster.controllers.values() if one.alive and not one.active)
    assert node.controller is not None
    node.controller.queue.processing_ns = 10 * SECOND
    cluster.simulator.after(5 * SECOND, node.crash)


@cache
def steps_of(plan: Plan) -> tuple[LoopStep, ...]:
    """Return all steps of the loops of a run."""
    steps: list[LoopStep] = []
    Run(plan, loop_sink=steps.append).execute()
    return tuple(steps)


def reread(steps: tuple[LoopStep, ...], change: Callable[[LoopStep], LoopStep | None]) -> LoopDivergence | None:
    """Check steps that a function changes, or leaves out by None; return the first difference."""
    judge = LoopLockStep()
    for step in steps:
        changed = change(step)
        found = None if changed is None else judge.step(changed)
        if found is not None:
            return found
    return None


def altered(**values: Any) -> Callable[[LoopStep], LoopStep]:
    """Return a function that lets the last states in which the node is active say something else."""

    def change(step: LoopStep) -> LoopStep:
        if step.name == WRITES and step.appended and step.state is not None and step.told["event"] == "writeNoOpRecord":
            return step._replace(state=step.state._replace(**values))
        return step

    return change


SEEDS = {
    **{f"swarm {seed}": replace(MINUTE, seed=seed) for seed in (1, 2, 3, 4, 5)},
    "swarm 16": replace(MINUTE, seed=16, seconds=100, quiet_seconds=10),
    "swarm 24": replace(MINUTE, seed=24, seconds=100, quiet_seconds=10),
    "overtaken": replace(MINUTE, faults="none"),
    "dropped": replace(MINUTE, faults="none"),
    "snapshots 2": replace(MINUTE, seed=2, settings=SNAPSHOTS, faults="controller-crash,controller-restart"),
    "snapshots 3, D4 repaired": replace(
        MINUTE, seed=3, settings=replace(SNAPSHOTS, repaired=frozenset({"D4"})), faults="controller-restart"
    ),
}
SCRIPTS = {"overtaken": overtaken, "dropped": dropped}
"""Runs that show between them every row that the reference can show, and what happens in some of them."""


@cache
def cut(
    repaired: frozenset[str], resigns: bool = False, asked: frozenset[str] | None = None
) -> tuple[LoopResult, list[LoopDivergence]]:
    """Return what was judged of a run whose first leader ends, or resigns, in the middle of its bootstrap.

    The tables have the same defects repaired as the controllers, or those that are `asked`.
    """
    judge, found = LoopLockStep(repaired if asked is None else asked), list[LoopDivergence]()

    def sink(step: LoopStep) -> None:
        one = judge.step(step)
        found.extend([] if one is None else [one])

    execute_cut(replace(CUT, settings=replace(CUT.settings, repaired=repaired)), sink, resigns)
    return judge.out, found


def test_a_bootstrap_that_was_cut_is_aborted_and_lost() -> None:
    """Kafka aborts a bootstrap of which Begin and the metadata.version are in the log, and writes none (D20)."""
    out, found = cut(frozenset())
    rows = out.rows
    assert [one.text() for one in found] == []
    assert rows["QA4"] == 1
    assert rows["QA3"] == 0
    assert rows["QC5"] >= 2


def test_a_bootstrap_that_was_cut_is_written_again_where_d20_is_repaired() -> None:
    """With D20 repaired the next leader aborts the bootstrap and writes it again, and all standbys revert."""
    out, found = cut(frozenset({"D20"}))
    rows = out.rows
    assert [one.text() for one in found] == []
    assert rows["QA3"] == 1
    assert rows["QA4"] == 0
    assert rows["QC5"] >= 2


@cache
def rows_of(name: str) -> LoopResult:
    """Return what was judged of a run, all of whose steps are rows."""
    out, found = judged(SEEDS[name], SCRIPTS.get(name))
    assert [one.text() for one in found] == []
    return out


@pytest.mark.representative("swarm 1", "snapshots 3, D4 repaired")
@pytest.mark.parametrize("name", SEEDS)
def test_every_step_of_a_run_is_rows(name: str) -> None:
    """Every step of every controller's loop is rows of the table, and every node is then as they leave it."""
    out = rows_of(name)
    assert out.steps_judged > 800
    assert sum(out.unjudged.values()) < out.steps / 10


def test_no_run_shows_a_row_that_cannot_be_shown() -> None:
    """Some of the runs show most rows already, and none of those of which a reason says that they cannot be shown."""
    total = LoopResult()
    for name in ("swarm 1", "snapshots 2", "snapshots 3, D4 repaired"):
        total.update(rows_of(name))
    for repaired in ((), ("D20",)):
        total.update(cut(frozenset(repaired))[0])
    assert set(CANNOT) <= set(total.rows_never_fired())
    assert len(set(total.rows_never_fired()) - set(CANNOT)) < 8


@pytest.mark.nightly("test_no_run_shows_a_row_that_cannot_be_shown")
def test_together_the_runs_show_every_row_that_can_be_shown() -> None:
    """Every row is shown by a run but for those that the reference cannot show, which are listed with the reason."""
    total = LoopResult()
    for name in SEEDS:
        total.update(rows_of(name))
    for repaired in ((), ("D20",)):
        total.update(cut(frozenset(repaired))[0])
    assert set(total.rows_never_fired()) == set(CANNOT)
    assert set(CANNOT) <= set(REASONS) <= {row.id for row in KRAFT_LOOP.rows}


def test_who_renounces_within_a_transaction_is_as_d1_and_d2_have_it() -> None:
    """A leader that has applied End and loses it keeps a part of its bootstrap: Kafka's rows have it all the way."""
    out, found = cut(frozenset({"D20"}), resigns=True)
    assert [one.text() for one in found] == []
    assert out.rows["QK3"] == 1
    assert out.rows["QA3"] == 1


def test_the_repair_of_d1_is_that_of_the_tables() -> None:
    """With D1 and D2 repaired the committed offset falls back with the state, and the bootstrap is delivered again."""
    repaired = frozenset({"D1", "D2", "D20"})
    out, found = cut(repaired, resigns=True)
    assert [one.text() for one in found] == []
    assert out.rows["QK3"] == 1
    # The first Begin comes to both followers and once more to the former leader, the second to two standbys.
    assert out.rows["QC3"] == 5


@pytest.mark.parametrize(("asked", "controllers"), [(("D1",), ()), ((), ("D1",))])
def test_kafka_and_the_repair_of_d1_differ(asked: tuple[str, ...], controllers: tuple[str, ...]) -> None:
    """Kafka's renunciation is no QK3 of the tables, and the repaired one is none of the variant for D1."""
    others = ("D2", "D20")
    _, found = cut(frozenset((*controllers, *others)), resigns=True, asked=frozenset((*asked, *others)))
    assert [one.near for one in found] == ["QK3"]
    assert "committed offset" in found[0].reason


def test_a_bootstrap_in_many_batches_is_judged_no_further() -> None:
    """Data of a bootstrap in several batches cannot be reported as one record: the run is left, and says so."""
    out, found = judged(replace(MINUTE, seconds=10, settings=Settings(max_records_per_batch=3)))
    assert found == []
    assert sum(out.left.values()) == 1
    assert out.rows["QK1"] == 1
    assert out.rows["QC1"] == 0


def test_a_snapshot_that_is_loaded_shows_d4() -> None:
    """A loaded snapshot's end is taken for its last offset: D4 is counted, and is not where it is repaired."""
    assert rows_of("snapshots 2").declared["D4"] > 0
    assert rows_of("snapshots 2").rows["QS1"] > 0
    assert rows_of("snapshots 3, D4 repaired").declared == {}
    assert rows_of("snapshots 3, D4 repaired").rows["QS1"] > 0


def test_every_step_says_what_it_declares() -> None:
    """Each step that a run reports has exactly the values that its name declares."""
    for step in steps_of(replace(MINUTE, seed=3)):
        assert set(step.told) == set(TOLD[step.name])


@each(
    ("values", "what"),
    [
        ({"next_write": 2}, "next write offset"),
        ({"committed": 2}, "committed offset"),
        ({"stable": 2}, "stable offset"),
        ({"transaction": 3}, "open transaction"),
        ({"tasks": False}, "periodic tasks"),
        ({"snapshots": ()}, "snapshots in memory"),
        ({"parked": ((1, 10**6),)}, "purgatory"),
        ({"memory": ()}, "in memory"),
        ({"claim": 99}, "epoch of the claim"),
    ],
)
def test_what_a_node_says_of_itself_is_compared(values: dict[str, Any], what: str) -> None:
    """A node that has another offset, snapshot, task, future or record than the rows leave it with differs."""
    found = reread(steps_of(replace(MINUTE, seed=2)), altered(**values))
    assert found is not None
    assert what in found.reason
    assert found.near == "QW12"


def test_an_answer_that_is_missing_or_too_early_differs() -> None:
    """Futures complete where the rows complete them: neither later nor twice."""
    steps = steps_of(replace(MINUTE, seed=2))
    late = reread(steps, lambda step: step._replace(answers=()) if step.name == COMMITS else step)
    assert late is not None
    assert late.near == "QC1"
    twice = reread(steps, lambda step: step._replace(answers=step.answers * 2))
    assert twice is not None
    assert "once more" in twice.reason


@pytest.mark.parametrize(("left_out", "near"), [(COMMITS, "QW"), (HEARS, "QW5")])
def test_a_step_that_is_left_out_is_missed(left_out: str, near: str) -> None:
    """Without its commits, or without what it hears of leaders, what a node does next is no row."""
    found = reread(steps_of(replace(MINUTE, seed=2)), lambda step: None if step.name == left_out else step)
    assert found is not None
    assert found.near or found.reason
    assert found.near.startswith(near[:1])


def test_after_a_difference_nothing_is_judged() -> None:
    """All nodes share one log, so that after the first difference every later step is counted as not checked."""
    judge = LoopLockStep()
    change = altered(stable=2)
    found = [one for step in steps_of(replace(MINUTE, seed=2)) if (one := judge.step(change(step))) is not None]
    assert len(found) == 1
    assert sum(count for (_, why), count in judge.out.unjudged.items() if "differed before" in why) > 100


def test_tables_are_kafkas_unless_repaired() -> None:
    """What is asked is Kafka's: D1, D2 and D20 change rows that are the tables' own again where they are repaired."""
    assert as_kafka(frozenset({"D1", "D2", "D20"})).hash == KRAFT_LOOP.hash
    assert len({as_kafka(frozenset(one)).hash for one in ((), ("D1",), ("D2",), ("D20",))}) == 4


ONLY_LOOP = {
    "arms-tasks-at-claim": (2, "QK1"),
    "keeps-its-tasks": (2, "QK3"),
    "reverts-too-little": (3, "QK3"),
    "keeps-old-snapshots": (2, "QC1"),
}
"""Defects that nothing else notices in the run: the seed, and the row whose effects or guard they break."""
ALSO = {
    "claims-before-caught-up": (4, "QK1"),
    "answer-at-once": (2, "QW5"),
    "keeps-a-replaced-listener": (3, "QC3"),
    "forgets-who-waits": (3, "QK3"),
}
"""Defects that a broken promise shows as well, later or at once."""


@pytest.mark.representative("answer-at-once")
@pytest.mark.slow
@pytest.mark.parametrize("name", [*ONLY_LOOP, *ALSO])
def test_a_defect_of_the_loop_differs_at_its_row(name: str) -> None:
    """Lock step names the row that a defect breaks; of most of them nothing else says anything, in all of the run."""
    seed, near = {**ONLY_LOOP, **ALSO}[name]
    _, found = judged_run(replace(plan_with(BUGS[name], seed, None), seconds=100))
    mine = [one for one in found.divergences if isinstance(one, LoopDivergence)]
    assert [one.near for one in mine] == [near]
    if name in ONLY_LOOP:
        assert len(found.divergences) == 1
    assert (found.outcome.violations == []) == (name in ONLY_LOOP)


@pytest.mark.exhaustive
def test_two_hundred_seeds_are_rows() -> None:
    """Two hundred seeds of 100 seconds with faults differ nowhere."""
    wrong = []
    for seed in range(1, 201):
        _, found = judged(replace(MINUTE, seed=seed, seconds=100))
        wrong += [f"seed {seed}: {one.text()}" for one in found]
    assert wrong == []
