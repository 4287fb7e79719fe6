"""State machines found in the tables: edges are there because rows allow them, and go with the rows that made them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fencepost.model.kraft import KRAFT
from fencepost.model.language import FALSE, Evaluation, Valuation, World
from fencepost.model.language.machines import machines, value_of
from fencepost.model.zk import ZK
from fencepost.model.zk import partitions as partition_rows
from fencepost.model.zk import replicas as replica_rows
from fencepost.model.zk.state import PartitionState, ReplicaState, c, p, partition_state

PARTITION, REPLICA = machines(ZK)


def test_the_edges_are_the_legal_changes() -> None:
    """Rows of either machine make exactly the changes that Kafka lists as valid."""
    for machine, valid in ((PARTITION, partition_rows.VALID_PREVIOUS), (REPLICA, replica_rows.VALID_PREVIOUS)):
        assert {(edge.source, edge.target) for edge in machine.edges} == {
            (old, new) for new, olds in valid.items() for old in olds
        }


def test_an_edge_goes_with_its_row() -> None:
    """Without the row that creates partitions nothing leads to New; without the check of legality everything does."""
    without = machines(ZK.without("ZP1", why="nothing is created"))[0]
    assert PartitionState.NEW not in {edge.target for edge in without.edges}
    anything = machines(ZK.without("ZP0", why="any change is legal"))[0]
    assert {edge.source for edge in anything.edges if edge.target is PartitionState.NEW} == set(PartitionState)


def test_every_row_moves_or_keeps() -> None:
    """Each row of a machine's table is on some edge or among those that keep the state, never both."""
    for machine in (PARTITION, REPLICA):
        moving = {row for edge in machine.edges for row in edge.rows}
        assert moving | set(machine.kept) == {row.id for row in machine.table.rows}
        assert not moving & set(machine.kept)


def test_where_a_new_controller_starts() -> None:
    """Its first row puts replicas Online or DeletionIneligible, partitions New, Online or Offline (S4:108-113)."""
    assert REPLICA.starts == {ReplicaState.ONLINE: ("ZC0",), ReplicaState.DELETION_INELIGIBLE: ("ZC0",)}
    assert set(PARTITION.starts) == {PartitionState.NEW, PartitionState.ONLINE, PartitionState.OFFLINE}


def test_tables_without_a_state_to_go_to_are_no_machines() -> None:
    """KRaft's tables change fields of records, not one state of several."""
    assert machines(KRAFT) == ()


def test_a_row_that_never_applies_makes_no_edge() -> None:
    """A guard that is false for certain takes the row out of the diagram."""
    never = machines(ZK.but("ZP5", when=FALSE, why="nothing vanishes"))[0]
    assert not any("ZP5" in edge.rows for edge in never.edges)


@settings(max_examples=60, deadline=None)
@given(before=st.sampled_from(list(PartitionState)), to=st.sampled_from(list(PartitionState)), row=st.integers(0, 99))
def test_what_is_decided_is_what_the_interpreter_says(before: PartitionState, to: PartitionState, row: int) -> None:
    """Where a guard has a value with only the two states known, the interpreter agrees in a state that has them."""
    rows = PARTITION.table.rows
    chosen = rows[row % len(rows)]
    term, cell = chosen.when, partition_state[c, p]
    found = value_of(term, {cell: before, partition_rows.to: to})
    if found is None:
        return
    sizes = dict.fromkeys(ZK.sized_kinds(), 2)
    world = World.of(sizes, ZK.kinds)
    state = Valuation({(cell.state, (0, 0)): before})  # type: ignore[attr-defined]
    binding = {var: world.values(var.kind)[0] for var in chosen.params}
    assert Evaluation(world, state).value(term, {**binding, partition_rows.to: to}) is found


@pytest.mark.parametrize("machine", [PARTITION, REPLICA], ids=["partition", "replica"])
def test_sources_and_targets_are_those_of_the_edges(machine) -> None:  # type: ignore[no-untyped-def]
    """What a row leads from and to is read off the edges that it is on."""
    for row in machine.table.rows:
        pairs = {(edge.source, edge.target) for edge in machine.edges if row.id in edge.rows}
        assert {one for one, _ in pairs} == set(machine.sources(row.id))
        assert {one for _, one in pairs} == set(machine.targets(row.id))
