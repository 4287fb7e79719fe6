"""KAFKA-13959 in KIP-631's second version: where caught up is the log's end, a broker may chase it for ever."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from fencepost.checkers.counterexample import Trace, holds
from fencepost.checkers.exploration import explore
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kip631.v2 import KIP631_V2
from fencepost.model.kip631.v2.properties import waits
from fencepost.model.kip631.v2.state import b
from fencepost.model.language import Protocol, Valuation, exists, run, satisfying
from fencepost.model.museum.kip631_v2 import BUSY
from fencepost.model.museum.kip631_v2_edits import log_end, within_one
from fencepost.model.registry import find
from tests.requirements.tables import Tables

LAPS = 6
Happened = tuple[str, tuple[tuple[str, Any], ...]]
"""A row, and its parameters by name."""


@cache
def chase() -> tuple[Trace, Trace]:
    """Return the run to where the loop begins and the loop, as exploration finds them."""
    verdict = explore(find("kip631-v2+log_end").explored, "busy", engine="numpy").property("K11")
    assert verdict.verdict is Verdict.VIOLATED
    assert verdict.trace is not None
    assert verdict.loop is not None
    return verdict.trace, verdict.loop


def moves(protocol: Protocol, state: Valuation) -> Iterator[tuple[Happened, Valuation]]:
    """Yield what can happen in a state of the bound, and the state after it."""
    bound, world = protocol.bounds["busy"], chase()[0].world
    for row in protocol.rows:
        for binding in satisfying(protocol.bounded_guard(row, bound), row.params, state, world):
            told = tuple((one.name, value) for one, value in binding.items())
            yield (row.id, told), run(row, binding, state, world).after


def refused(tables: Tables) -> str | None:
    """Return the row by which the broker's next heartbeat is answered, and let it be answered."""
    says = {"b": 0, "epoch": tables["own_epoch", 0], "offset": tables["own_offset", 0]}
    wants = {"want_fence": False, "want_shutdown": False}
    row: str | None = tables.row("Heartbeat", **says, **wants)
    tables.do("Heartbeat", **says, **wants)
    return row


def test_the_log_goes_on_for_ever_and_so_does_the_broker() -> None:
    """Something is appended, committed and applied again and again; the broker waits in every state of the loop."""
    stem, loop = chase()
    assert [step.row.id for step in stem.steps] == ["BL1", "V2.1n"]
    assert [step.row.id for step in loop.steps] == ["CM", "BL1", "BA1", "BL2"]
    assert all(holds(exists(b, waits(b)), step.after, loop.world) for step in loop.steps)


def test_no_fairness_of_heartbeats_would_help() -> None:
    """In every state of the loop the broker's next heartbeat is refused (V2.1n): V2.1 is never possible there."""
    _, loop = chase()
    for step in loop.steps:
        rows = {id for (id, _), _ in moves(loop.protocol, step.after)}
        assert "V2.1n" in rows
        assert "V2.1" not in rows


def test_the_loop_is_a_run_of_the_tables_themselves() -> None:
    """Without BL1 and BL2, with a topic created in each lap, the broker stays as far behind, and refused, each lap."""
    stem, loop = chase()
    tables = Tables(log_end(KIP631_V2), Broker=1, Partition=1, Topic=LAPS)
    for (state, keys), value in stem.end.items():
        tables[(state.name, *keys)] = value
    behind = tables["next_offset"] - tables["own_offset", 0]
    for lap in range(LAPS):
        for step in loop.steps:
            if step.row.id == "BL1":
                tables.do("CreateTopic", t=lap)
            elif step.row.id != "BL2":
                happened = {one.name: value for one, value in step.binding.items()}
                tables.do(step.row.event.name, **{**happened, "to": happened["to"] + lap})
            assert refused(tables) == "V2.1n"
        assert tables["next_offset"] - tables["own_offset", 0] == behind
    assert tables["own_offset", 0] == 1 + LAPS
    assert {"CM", "TC", "BA1", "V2.1n"} == set(tables.ran)


@pytest.mark.representative("as is")
@pytest.mark.parametrize("edit", [lambda tables: tables, log_end, within_one], ids=["as is", "log_end", "within_one"])
def test_counting_from_later_changes_nothing_else(edit: Callable[[Protocol], Protocol]) -> None:
    """Whatever can happen before BL2 can happen after it, with offsets one less, and leads to the same state."""
    protocol, count = edit(BUSY), ("BL2", ())
    todo, seen, compared = [chase()[0].start], set[Valuation](), 0
    while todo:
        state = todo.pop()
        if state in seen:
            continue
        seen.add(state)
        before = dict(moves(protocol, state))
        todo += before.values()
        if count not in before:
            continue
        counted = before.pop(count)
        after = dict(moves(protocol, counted))
        for (id, told), end in before.items():
            less = tuple((name, value - 1 if name in {"to", "offset"} else value) for name, value in told)
            assert after[id, less] == dict(moves(protocol, end))[count]
            compared += 1
    assert len(seen) == explore(protocol, "busy", engine="numpy").distinct
    assert compared > len(seen)


def test_a_distance_from_the_end_helps_as_little() -> None:
    """Nor is one batch behind near enough: where two are appended meanwhile, the broker is refused."""
    found = explore(within_one(BUSY), "busy", engine="numpy").property("K11")
    assert found.verdict is Verdict.VIOLATED
    assert found.loop is not None
    assert {"BL1", "CM", "BA1"} <= {step.row.id for step in found.loop.steps}


def test_its_own_registration_is_enough() -> None:
    """Where caught up is the broker's own registration, as in Kafka since KAFKA-13959, K11 is kept on the same log."""
    assert explore(BUSY, "busy", engine="numpy").property("K11").verdict is Verdict.CLOSED
