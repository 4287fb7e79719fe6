"""The recorded clusters of Kafka 3.9.2 conform: with their history, by their logs alone, and by their history alone."""

import pytest

from fencepost.checkers.verdicts import Verdict
from fencepost.traces.zk import Entry
from fencepost.traces.zk.controller_lines import PartitionElected, ReassignmentSent

from . import NAMES, RECORDED, judge, judged, recorded


@pytest.mark.representative("first-boot", "rolling-restart")
@pytest.mark.parametrize("name", NAMES)
def test_recorded_clusters_conform(name: str) -> None:
    """Every line and every write of a healthy cluster is explained, and every property holds: no false alarm."""
    result = judge().source(str(RECORDED / name))
    assert [(v.rule, v.segment, v.offset, v.message) for v in result.violations] == []
    assert result.verdict is Verdict.CONFORMS
    assert result.quarantined == []


@pytest.mark.representative("first-boot", "reassignment")
@pytest.mark.parametrize("name", NAMES)
def test_logs_alone_conform(name: str) -> None:
    """Without a history the lines suffice: versions passed over are taken for changes by leaders, and counted."""
    result = judged(name, alone=True)
    assert [(v.rule, v.segment, v.offset, v.message) for v in result.violations] == []
    assert (result.inferred.get("AlterPartition", 0) > 0) == (name != "first-boot")


@pytest.mark.representative("first-boot", "rolling-restart")
@pytest.mark.parametrize("name", NAMES)
def test_history_alone_conforms(name: str) -> None:
    """Without lines every write is explained by a row of its own, or by a change that a leader asked for."""
    result = judge().told(name, (), recorded(name)[1])
    assert [(v.rule, v.offset, v.message) for v in result.violations] == []


@pytest.mark.parametrize(
    ("name", "file"), [("kill-nine", "state-change.broker-3.log.gz"), ("reassignment", "state-change.broker-1.log.gz")]
)
def test_one_file_of_a_cluster_conforms(name: str, file: str) -> None:
    """One broker's log alone conforms, although epochs of other controllers lie between its own."""
    result = judge().source(str(RECORDED / name / file))
    assert [(v.rule, v.offset, v.message) for v in result.violations] == []
    assert result.verdict is Verdict.CONFORMS


def test_every_claimed_write_is_joined_to_the_history() -> None:
    """Each line that claims a write is explained together with that write: rows count as many as there are lines."""
    for name in NAMES:
        claims = sum(
            isinstance(r, Entry) and isinstance(r.message, (PartitionElected, ReassignmentSent))
            for r in recorded(name)[0]
        )
        result = judged(name)
        writing = [
            row
            for row in result.rows
            if row.startswith(("ZP2", "ZP3", "ZC5A1", "ZC5B3")) and row not in ("ZP2n", "ZP3n")
        ]
        ambiguous = sum(count for rows, count in result.classes.items() if any(r.startswith("ZP3") for r in rows))
        assert sum(result.rows[row] for row in writing) + ambiguous == claims


def test_leaders_changes_are_those_that_keep_the_leader_epoch() -> None:
    """As many changes asked for by leaders are inferred as writes of the history keep leader and leader epoch."""
    for name in NAMES:
        last: dict[str, tuple[int, int]] = {}
        kept = 0
        for transaction in recorded(name)[1]:
            for one in transaction.operations:
                if transaction.happened and (one.path or "").endswith("/state") and one.op in ("create", "set"):
                    now = (one.data["leader_epoch"], one.data["leader"])
                    kept += one.op == "set" and last[one.path or ""] == now
                    last[one.path or ""] = now
        assert judged(name).inferred.get("AlterPartition", 0) == kept


def test_start_states_are_inferred_and_said_to_be() -> None:
    """What a term begins with is taken from the first line about it, and counted by the kind of state."""
    assert judged("kill-nine").inferred["replica_state"] > 100
    assert judged("kill-nine").as_json()["inferred"]["partition_state"] > 0


def test_rows_exercised_and_never_exercised_are_all_rows() -> None:
    """Every row is reported as exercised, as one of several that explain an event, or as never exercised."""
    from fencepost.model.zk import ZK

    result = judged("reassignment")
    several = {row for rows in result.classes for row in rows}
    assert set(result.rows) | several | set(result.rows_never_seen) == {row.id for row in ZK.rows}
    assert not (set(result.rows) | several) & set(result.rows_never_seen)
    # KIP-455's phases, refused attempts, removals from the ISR that wrote and that did not.
    assert {"ZC5U", "ZC5A1", "ZC5B3k", "ZC5B6", "ZR0", "ZR4", "ZR4i", "ZR5", "ZR6", "ZR8"} <= set(result.rows)
