"""Seeded runs: the same to the byte, without broken promises, and well in the end; bugs are seen."""

import json
from pathlib import Path

import pytest

from fencepost.reference.zk.injected import BUGS
from fencepost.reference.zk.simulation import Plan, Run, simulate
from fencepost.reference.zk.simulation.faults import KINDS, parse_faults
from fencepost.reference.zk.simulation.output import write_run
from fencepost.traces.errors import TraceError
from fencepost.traces.zk import Unparsed, ZnodeTree, read_recording, read_state_change, read_znode_history
from fencepost.traces.zk.steps import ZkStep, read_zk_steps, step_line
from tests.cases import each


def lines_of(plan: Plan) -> tuple[list[str], Run]:
    """Run a plan; returns its steps as lines, and the run."""
    steps: list[str] = []
    run = simulate(plan, lambda step: steps.append(step_line(step)))
    return steps, run


def test_one_seed_is_one_run() -> None:
    """The same seed gives the same steps, logs and history; another one does not."""
    (first, one), (second, two) = (lines_of(Plan(seed=7, seconds=60)) for _ in range(2))
    assert first == second
    assert one.cluster.server.history == two.cluster.server.history
    for broker in one.cluster.brokers:
        assert one.cluster.brokers[broker].log.state_change_lines == two.cluster.brokers[broker].log.state_change_lines
    assert lines_of(Plan(seed=8, seconds=60))[0] != first


@pytest.mark.representative("1")
@pytest.mark.parametrize("first", range(1, 51, 5))
def test_runs_break_no_promise_and_end_well(first: int) -> None:
    """Whatever happens, no promise is broken; when it is over all partitions are led, and nothing is left undone."""
    broken = {seed: found for seed in range(first, first + 5) if (found := Run(Plan(seed=seed)).execute().violations)}
    assert broken == {}


def test_every_kind_of_fault_happens() -> None:
    """With all kinds chosen each of them happens within a few runs."""
    happened: set[str] = set()
    for seed in range(1, 6):
        happened |= set(Run(Plan(seed=seed, seconds=90, quiet_seconds=20, faults="all")).execute().faults)
        if happened == {kind.name for kind in KINDS}:
            return
    pytest.fail(f"of all kinds only {sorted(happened)} happened")


def test_faults_are_chosen_by_name() -> None:
    """Names are kept in their own order; one that is none is answered with those that there are."""
    assert parse_faults("pause, broker-kill") == ("broker-kill", "pause")
    assert parse_faults("none") == ()
    with pytest.raises(ValueError, match="--faults flood: there is swarm"):
        parse_faults("flood")


def test_a_run_is_written_as_a_recorded_cluster_is(tmp_path: Path) -> None:
    """What a run leaves on disk is read like a recording: no line unparsed, the history replays to the final tree."""
    steps: list[ZkStep] = []
    run = simulate(Plan(seed=3, seconds=45, quiet_seconds=20), steps.append)
    trace = write_run(run, tmp_path, steps)
    assert list(read_zk_steps(trace)) == [json_equal(step) for step in steps]
    unparsed = [
        one
        for path in sorted(tmp_path.glob("state-change*"))
        for one in read_state_change(path)
        if isinstance(one, Unparsed)
    ]
    assert unparsed == []
    assert read_recording(tmp_path).missing == ()
    tree = ZnodeTree()
    for transaction in read_znode_history(tmp_path / "znode-history.ndjson"):
        tree.apply(transaction)
    final = {path: node.data for path, node in run.cluster.server.nodes.items() if path != "/"}
    assert {path: node.data for path, node in tree.nodes.items() if path != "/"} == final


def json_equal(step: ZkStep) -> ZkStep:
    """Return a step as it is after a way through JSON."""
    from fencepost.traces.zk.steps import step_of

    return step_of(json.loads(step_line(step)), "here")


def test_a_line_that_is_no_step_is_refused(tmp_path: Path) -> None:
    """A damaged trace of steps gives one sentence with file and line."""
    path = tmp_path / "steps.ndjson"
    path.write_text('{"v":1,"t_ms":0,"node":"one"}\n', encoding="utf-8")
    with pytest.raises(TraceError, match=r"steps\.ndjson:1: this line is no step"):
        list(read_zk_steps(path))


def test_every_write_of_a_leadership_is_told() -> None:
    """The steps hold every write to a state znode that ZooKeeper's history has, in its order."""
    steps: list[ZkStep] = []
    run = simulate(Plan(seed=5, seconds=90), steps.append)
    told = [(w.path, w.op, w.data) for s in steps for w in s.writes if w.path.endswith("/state")]
    history = [
        (row["path"], row["op"], row.get("data"))
        for row in run.cluster.server.history
        if row.get("path", "").endswith("/state") and row["op"] != "check" and not row.get("multi_failed")
    ]
    assert told == history
    assert len(told) > 50


@pytest.mark.representative("Z4")
@pytest.mark.parametrize("bug", ["Z4", "Z5", "Z6", "Z8", "Z16", "Z19", "page-reassign-selector"])
def test_promises_find_bugs(bug: str) -> None:
    """A run with one of these historical bugs breaks a promise within twelve seeds."""
    assert any(Run(Plan(seed=seed, bugs=(bug,))).execute().violations for seed in range(1, 13))


@each("bug", BUGS)
def test_a_bug_is_gone_after_its_run(bug: str) -> None:
    """What a bug replaces is put back, so that the next run is sound."""
    before = [getattr(owner, name) for owner, name, _ in BUGS[bug].patches]
    with BUGS[bug].injected():
        assert [getattr(owner, name) for owner, name, _ in BUGS[bug].patches] != before
    assert [getattr(owner, name) for owner, name, _ in BUGS[bug].patches] == before
