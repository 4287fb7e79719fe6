"""The compiled rows of replicas and of event loops against the plain interpreter: the same row, changes and answer."""

import pytest

from fencepost.checkers.cli.simulated import judged_run
from fencepost.checkers.conformance.data_lockstep.tables import LISTED, tables
from fencepost.checkers.conformance.loop_lockstep import judge
from fencepost.checkers.conformance.loop_lockstep.judge import LISTED as LISTED_BY_LOOPS
from fencepost.checkers.conformance.loop_lockstep.judge import as_kafka
from fencepost.model.kraft_data.protocol import KRAFT_DATA
from fencepost.reference.kraft.simulation.plan import Plan
from tests.conformance.designs.plain import AskedTwice


def test_brokers_and_loops_run_the_interpreters_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the states of a run with faults both find the same row of both protocols, and the same cells after it."""
    data, loop = AskedTwice(KRAFT_DATA, listed=LISTED), AskedTwice(as_kafka(), listed=LISTED_BY_LOOPS)
    monkeypatch.setattr(tables(KRAFT_DATA), "rows", data)
    monkeypatch.setattr(judge, "compiled", lambda protocol: loop)
    _, found = judged_run(Plan(seed=4, seconds=40, quiet_seconds=10, faults="swarm"))
    assert found.divergences == []
    assert data.wrong == []
    assert loop.wrong == []
    assert set(found.loop.rows) <= set(loop.asked)
    assert len(data.asked) >= 8
    assert len(loop.asked) >= 8
