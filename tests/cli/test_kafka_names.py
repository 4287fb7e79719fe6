"""Pages for operators have the names of Kafka: partitions by their topics, fields as in records, ids by meaning."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from fencepost.checkers.conformance.explain.entities import _text as text_of
from fencepost.model.releases import RELEASES

Says = Callable[..., Any]


def test_findings_name_partitions_by_their_topic(fencepost_says: Says, recorded: Path) -> None:
    """`conform` and `health` name a partition as Kafka prints it, JSON has the topic's id and its name."""
    log = recorded / "elr-index-fault-4.4.0"
    assert "once at offset 53, partition gone-0" in fencepost_says("conform", log).out
    assert "once at offset 53, partition gone-0" in fencepost_says("health", log).out
    document = fencepost_says("conform", log, "--json").document
    (id,) = document["logs"][0]["topics"]
    assert document["logs"][0]["topics"] == {id: "gone"}
    assert (document["findings"][0]["entity"], document["findings"][0]["name"]) == (f"p={id}-0", "partition gone-0")


def test_the_state_has_the_names_of_records(fencepost_says: Says, recorded: Path) -> None:
    """The page says leaderEpoch, removingReplicas, logDirs; the document keeps the tables' names."""
    where = (recorded / "reassignment", "--at", "100")
    page = fencepost_says("show", *where, "--partition", "r-3").out
    for name in ("partitionEpoch ", "removingReplicas ", "eligibleLeaderReplicas ", "directories[0]"):
        assert name in page
    assert "elr_index" not in page
    found = fencepost_says("show", *where, "--partition", "r-3", "--json").document
    assert {"partition_epoch", "removing", "elr"} <= set(found["state"])
    assert "metadata.version 7 to " in fencepost_says("show", *where, "--broker", "1").out


def test_reserved_ids_of_directories_are_their_meaning() -> None:
    """The three reserved ids read as UNASSIGNED, MIGRATING and LOST, wherever they stand."""
    reserved = ("AAAAAAAAAAAAAAAAAAAAAQ", "AAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAg")
    assert text_of(reserved) == "[UNASSIGNED, MIGRATING, LOST]"


def test_every_name_is_of_a_variable_that_there_is() -> None:
    """Each name stands for a variable of the tables of the sort that it is given for."""
    from fencepost.checkers.conformance.reading.monitor import Monitor
    from fencepost.checkers.conformance.records.kafka_names import _BY_SORT

    states = Monitor(RELEASES["4.4"].for_logs).layout.states
    there = {(str(one.keys[0]) if one.keys else "", one.name) for one in states}
    assert {(sort, name) for sort, names in _BY_SORT.items() for name in names} <= there
