"""Events as one function against the rows as functions of their own: the same row, and the same cells after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from fencepost.checkers.cli.simulated import judged_run
from fencepost.checkers.conformance.data_lockstep.tables import tables
from fencepost.checkers.conformance.designs import judge
from fencepost.checkers.conformance.lockstep import firing
from fencepost.checkers.conformance.lockstep.cells import Cells
from fencepost.checkers.conformance.lockstep.printing import Function
from fencepost.checkers.conformance.lockstep.whole import Ran, WholeRows
from fencepost.checkers.conformance.loop_lockstep.tables import as_kafka, compiled
from fencepost.checkers.conformance.zk_lockstep import ZkLockStep
from fencepost.model.kraft_data.protocol import KRAFT_DATA
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.kraft.simulation.plan import Plan
from fencepost.reference.zk.simulation.plan import Plan as ZkPlan
from fencepost.reference.zk.simulation.run import Run
from tests.conformance.designs.recorded import judged, recorded

SHORT = Plan(seconds=40, quiet_seconds=10)
RUNS = {
    "usual": SHORT,
    "swarm": replace(SHORT, seed=4, faults="swarm"),
    "snapshots": replace(
        SHORT,
        seed=2,
        settings=Settings(metadata_log_max_snapshot_interval_ms=3000, metadata_max_retention_bytes=2000),
        faults="controller-crash,controller-restart",
    ),
    "impatient": replace(
        SHORT,
        seed=3,
        settings=Settings(min_insync_replicas=2, replica_lag_time_max_ms=1000, broker_session_timeout_ms=3000),
        faults="slow,partition,isolate,loss,broker-kill,broker-power-loss",
    ),
}
DESIGNS = {"kip343": (2, 25), "kip46": (7, 12), "kip631-v1": (2, 25), "kip631-v2": (2, 25)}
"""By design: the seed that is run, and how many different rows it runs at least."""


def copied(cells: Cells) -> Cells:
    """Return a state of its own with the same cells."""
    found = Cells([dict(table) for table in cells.tables], cells.domains)
    found.others = dict(cells.others)
    return found


class Twice(dict[str, Function]):
    """Functions of events that note in `wrong` where rows one by one come to another state; `rows` are those run."""

    def __init__(self, rows: WholeRows) -> None:
        super().__init__()
        self.of, self.functions = rows, rows.transitions
        self.rows: Counter[str] = Counter()
        self.wrong: list[str] = []

    def __missing__(self, event: str) -> Function:
        def both(cells: Cells, params: Mapping[str, Any]) -> str:
            row, alone = apart(self.of, event, params, copied(cells))
            found: str = self.functions[event](cells, params)
            self.rows[found] += 1
            if (found, cells.tables) != (row, alone.tables):
                self.wrong.append(f"{event}{dict(params)}: {row}, in one function {found}")
            return found

        self[event] = both
        return both


def apart(rows: WholeRows, event: str, params: Mapping[str, Any], cells: Cells) -> tuple[str, Cells]:
    """Run the row of an event that applies in a state, its functions one by one."""
    kept, rows.cells = rows.cells, cells
    try:
        ran = WholeRows.applicable(rows, event, params)
        if ran is not None:
            rows.apply(ran)
    finally:
        rows.cells = kept
    return "" if ran is None else ran.row.id, cells


class RunTwice(WholeRows):
    """Rows of which each that applies is run in copies of the state in both ways; `wrong` is where they differ."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.rows: Counter[str] = Counter()
        self.wrong: list[str] = []

    def applicable(self, event: str, params: Mapping[str, Any], given: bool = True) -> Ran | None:
        """Return what the rows say, and note where the event's one function does otherwise."""
        if given:
            row, alone = apart(self, event, params, copied(self.cells))
            together = copied(self.cells)
            found: str = self.transitions[event](together, params)
            self.rows[found] += 1
            if (found, together.tables) != (row, alone.tables):
                self.wrong.append(f"{event}{dict(params)}: {row}, in one function {found}")
        return super().applicable(event, params, given)


@pytest.mark.parametrize("name", RUNS)
def test_brokers_and_loops_come_to_the_same_cells(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever a run comes through, both find the same row of `kraft-data` and of `kraft-loop`, and the same cells."""
    repaired = frozenset(RUNS[name].settings.repaired)
    data, loop = Twice(tables(KRAFT_DATA).rows), Twice(compiled(as_kafka(repaired)))
    monkeypatch.setattr(data.of, "transitions", data)
    monkeypatch.setattr(loop.of, "transitions", loop)
    _, found = judged_run(RUNS[name])
    assert found.divergences == []
    assert data.wrong == []
    assert loop.wrong == []
    assert loop.rows == found.loop.rows
    assert len(data.rows) >= 8
    assert len(loop.rows) >= 8


@pytest.mark.parametrize("design", DESIGNS)
def test_designs_come_to_the_same_cells(design: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """So it is of the rows of a design, whose tables lock step asks one by one."""
    monkeypatch.setattr(judge, "WholeRows", RunTwice)
    seed, least = DESIGNS[design]
    rows = judged(*recorded(design, seed)).rows
    assert isinstance(rows, RunTwice)
    assert rows.wrong == []
    assert len(rows.rows) >= least


def test_the_zookeeper_era_comes_to_the_same_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """So it is of the rows of the ZooKeeper era, which change many cells at once."""
    monkeypatch.setattr(firing, "WholeRows", RunTwice)
    judge_ = ZkLockStep()
    Run(ZkPlan(seed=3, seconds=40, brokers=3), lambda step: judge_.step(step) and None).execute()
    rows = judge_.rows
    assert isinstance(rows, RunTwice)
    assert rows.wrong == []
    assert len(rows.rows) >= 25
