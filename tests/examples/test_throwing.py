"""D6c: an exception as the outcome of a row, found by the shortest run, and gone in the repaired table."""

from fencepost.checkers.exploration import explore
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import markdown, sentence

from .scenario import cell, play
from .search import search
from .throwing import FAITHFUL, OPERATIONS, REPAIRED, b, contact

SIZES = FAITHFUL.bounds["tiny"].sizes
D6C = (("CT1", {"p": 0}), ("LI1", {"p": 0, "b": 1}), ("CE1", {"p": 0}), ("DT1", {"p": 0}))


def test_the_shortest_runs() -> None:
    """ClearElr breaks the index after three rows; after two more a registration throws. Nothing is shorter."""
    found = explore(FAITHFUL, "tiny")
    assert found.verdict is Verdict.CLOSED
    assert (found.distinct, found.generated, found.depth) == (44, 289, 7)
    traces = {one.id: one.trace for one in found.properties if one.verdict is Verdict.VIOLATED}
    assert [[step.row.id for step in trace.steps] for trace in traces.values() if trace is not None] == [
        ["CT1", "LI1", "CE1"],
        ["CT1", "LI1", "CE1", "DT1", "RU1"],
    ]
    assert all(one.as_declared for one in found.properties)


def test_the_plain_search_agrees() -> None:
    """The interpreter alone sees the same states and the same first violation."""
    found = search(FAITHFUL, FAITHFUL.bounds["tiny"])
    assert (found.distinct, found.violated) == (44, {"P18": 4})


def test_every_attempt_costs_a_failover() -> None:
    """The row throws, the next controller knows no contacts, its index is as stale, and it throws again."""
    trace = play(FAITHFUL, SIZES, {}, ("HB1", {"b": 0}), *D6C, ("RU1", {"b": 1}), ("HB1", {"b": 0}), ("RU1", {"b": 1}))
    assert [step.throws for step in trace.steps if step.throws] == ["RuntimeException", "RuntimeException"]
    assert not trace.end.read(*cell(contact[b], 0))
    assert not any(trace.steps[-1].records)


def test_a_controller_from_a_snapshot_is_free_of_it() -> None:
    """After a failover to a controller that loaded a snapshot the broker registers."""
    trace = play(FAITHFUL, SIZES, {}, *D6C, ("SN1", {}), ("RU2", {"b": 1}))
    assert trace.steps[-1].throws == ""


def test_the_repaired_table_never_throws() -> None:
    """With ClearElr keeping the index P18 holds everywhere and the throwing row never fires: its claim is vacuous."""
    found = explore(REPAIRED, "tiny")
    assert found.verdict is Verdict.VACUOUS
    assert found.rows_never_fired == ("RU1",)
    assert not [one.id for one in found.properties if one.verdict is Verdict.VIOLATED]


def test_an_exception_is_rendered_as_an_outcome() -> None:
    """The table and the sentence of the row say what it throws."""
    assert "| throws RuntimeException |" in markdown(OPERATIONS)
    assert sentence(FAITHFUL.row("RU1")).endswith("throw RuntimeException.")
