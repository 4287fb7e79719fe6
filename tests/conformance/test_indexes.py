"""Indexes over cells leave out only entities that would be tried in vain: every value is that of trying them all."""

import random
from typing import Any

import pytest

from fencepost.checkers.conformance.classes.changes import Change
from fencepost.checkers.conformance.classes.frames import UNKNOWN, Frame
from fencepost.checkers.conformance.classes.tables import Indexed, Overlay, absent
from fencepost.checkers.conformance.evaluation.indexes import candidates, selector
from fencepost.checkers.conformance.evaluation.kleene import Compiler
from fencepost.checkers.conformance.reading.monitor import Monitor
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import Protocol, Term, World
from fencepost.model.language.kinds import EntityKind, IntKind, ThresholdKind
from fencepost.model.language.terms import Comprehension, Quant
from fencepost.model.language.walk import free, nodes

from . import toy


def _world(protocol: Protocol) -> World:
    sizes = {kind.name: 3 for kind in protocol.kinds if isinstance(kind, (EntityKind, IntKind, ThresholdKind))}
    return World.of(sizes, protocol.kinds)


def _written(protocol: Protocol, world: World, random_: random.Random, tables: list[Any], share: float) -> None:
    """Write some of the cells: values of their kinds, and now and then an unknown one."""
    for number, state in enumerate(protocol.states):
        found: list[tuple[Any, ...]] = [()]
        for kind in state.keys:
            found = [(*keys, value) for keys in found for value in world.values(kind)]
        for keys in found:
            if random_.random() < share:
                tables[number][keys] = UNKNOWN if random_.random() < 0.1 else random_.choice(world.values(state.kind))


def _searches(protocol: Protocol) -> list[Term[Any]]:
    return [
        node
        for node in dict.fromkeys(node for term in protocol.terms() for node in nodes(term))
        if isinstance(node, (Quant, Comprehension)) and isinstance(node.var.kind, EntityKind)
    ]


@pytest.mark.representative("0-toy", "2-toy", "1-toy", "0-kraft")
@pytest.mark.parametrize("protocol", [toy.TOY, KRAFT], ids=["toy", "kraft"])
@pytest.mark.parametrize("seed", range(3))
def test_values_are_those_of_trying_every_entity(protocol: Protocol, seed: int) -> None:
    """Over cells known and unknown, written again and again, seen as they are and as they were before changes."""
    random_ = random.Random(seed)
    world = _world(protocol)
    domains = {name: {one: rank for rank, one in enumerate(seen)} for name, seen in world.entities.items()}
    compiler = Compiler({state: number for number, state in enumerate(protocol.states)})
    searches = _searches(protocol)
    plain: list[Any] = [{} for _ in protocol.states]
    indexed: list[Any] = [Indexed() for _ in protocol.states]
    fewer = 0
    for share in (0.5, 0.2, 0.2):
        state = random_.getstate()
        _written(protocol, world, random_, plain, share)
        random_.setstate(state)
        _written(protocol, world, random_, indexed, share)
        frames = [(Frame(plain, domains), Frame(indexed, domains))]
        changed = [number for number in range(len(plain)) if plain[number] and random_.random() < 0.3]
        before: tuple[list[Any], list[Any]] = (list(plain), list(indexed))
        for number in changed:
            keys, value = random_.choice(list(plain[number])), random_.choice(list(plain[number].values()))
            for tables in before:
                tables[number] = Overlay(tables[number])
                tables[number].over[keys] = value
        frames.append((Frame(before[0], domains), Frame(before[1], domains)))
        for one, other in frames:
            for term in searches:
                binding = {
                    var: random_.choice(world.values(var.kind))
                    for var in sorted(free(term), key=str)
                    if random_.random() < 0.8
                }
                assert compiler.code(term)(other, dict(binding)) == compiler.code(term)(one, dict(binding)), str(term)
                assert isinstance(term, (Quant, Comprehension))
                wanted = isinstance(term, Comprehension) or term.quantifier == "some"
                select = selector(compiler, term.var, term.body, wanted)
                tried = candidates(other, term.var, select, dict(binding))
                fewer += tried is not None and len(tried) < len(domains[str(term.var.kind)])
    assert fewer > len(searches) // 10


def test_an_index_keeps_up_with_what_is_written() -> None:
    """Keys are found by value and by member, also where cells get another value, none, or an unknown one."""
    table = Indexed()
    table["a", 1] = frozenset({1, 2})
    assert list(table.find(0, True, (1,), 2)) == ["a"]
    table["b", 1] = frozenset({2})
    table["c", 2] = frozenset({2})
    assert list(table.find(0, True, (1,), 2)) == ["a", "b"]
    table["a", 1] = frozenset({1})
    assert list(table.find(0, True, (1,), 2)) == ["b"]
    table["a", 1] = UNKNOWN
    assert set(table.find(0, True, (1,), 2)) == {"a", "b"}
    assert list(table.find(0, True, (2,), 2)) == ["c"]
    assert list(table.find(1, False, ("c",), frozenset({2}))) == [2]
    table["c", 2] = None
    assert not table.find(0, True, (2,), 2)


def test_a_row_that_moves_many_partitions_finds_them_by_an_index() -> None:
    """Every record that a row of KRaft writes for each of some partitions has an index, but those named here."""
    plans = Monitor(KRAFT).plans
    without = {
        one.row.id
        for one in plans.rows
        for stage in one.plan.stages
        for write in stage.writes
        for var, select in zip(write.binders, write.selects, strict=True)
        if str(var.kind) == "Partition" and select is None
    }
    assert without == set()


def test_a_log_s_own_state_is_asked_by_its_indexes() -> None:
    """What a broker's fencing may move is looked up in the state of a log: a quarter where it is in a quarter."""
    monitor = Monitor(KRAFT)
    state = HardState(monitor.layout)
    numbers = {one.name: number for number, one in enumerate(monitor.layout.states)}
    for place in range(40):
        partition = ("topic", place)
        state.see("Partition", partition)
        for name, value in (("exists", True), ("leader", place % 4), ("isr", frozenset({place % 4}))):
            state.frame.tables[numbers[name]][(partition,)] = value
    plan = next(one.plan for one in monitor.plans.rows if one.row.id == "F1")
    write = next(write for stage in plan.stages for write in stage.writes if write.binders)
    broker = next(var for var in write.outer if str(var.kind) == "Broker")
    found = candidates(state.frame, write.binders[0], write.selects[0], {broker: 1})
    assert found is not None
    assert 0 < len(found) <= 10


def test_what_has_no_cell_is_found() -> None:
    """Entities that nothing was written of are kept beside the index, however late they are seen or written."""
    table, seen = Indexed(), {"a": 0}
    table["b",] = 1
    assert list(table.absent(seen)) == ["a"]
    seen |= {"b": 1, "c": 2}
    assert list(table.absent(seen)) == ["a", "c"]
    table["a",] = 2
    assert list(table.absent(seen)) == ["c"]
    assert list(absent(Overlay(table), seen) or ()) == ["c"]
    assert list(table.absent({"d": 0})) == ["d"]


def test_where_two_conditions_differ_is_found_by_an_index() -> None:
    """That every partition is there just where it was, but those of a topic, is asked of those of which it may be
    false: what differs, and what the topic has."""
    monitor = Monitor(KRAFT)
    state = HardState(monitor.layout)
    numbers = {one.name: number for number, one in enumerate(monitor.layout.states)}
    for topic in ("gone", "stays"):
        for place in range(20):
            state.see("Partition", (topic, place))
            for name, value in (("exists", True), ("topic", topic)):
                state.frame.tables[numbers[name]][((topic, place),)] = value
    removed = [Change((numbers["exists"], (("gone", place),)), True, False) for place in range(20)]
    state.apply(removed)
    claim = next(one for one in KRAFT.properties if one.id == "C14")
    quantifier = next(
        one
        for one in nodes(claim.term)
        if isinstance(one, Quant) and str(one.var.kind) == "Partition" and one.quantifier == "every"
    )
    select = selector(monitor.layout.compiler, quantifier.var, quantifier.body, False)
    topic = next(var for var in free(quantifier) if str(var.kind) == "Topic")
    found = candidates(state.before(removed), quantifier.var, select, {topic: "gone"})
    assert found is not None
    assert set(found) == {("gone", place) for place in range(20)}
