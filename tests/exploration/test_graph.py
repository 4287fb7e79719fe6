"""State graphs of a bound, and their quotients by variables, against the interpreter's search."""

from collections import Counter
from pathlib import Path
from typing import Any

import networkx
import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.exploration.graph import state_graph
from fencepost.checkers.exploration.graph_files import write
from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import World, run, satisfying
from fencepost.model.language.render import value_text
from tests.examples.two_phase import TWO_PHASE
from tests.exploration.plain_exploration import initial_states

BOUND = "three"


def walked(names: tuple[str, ...]) -> tuple[Counter[Any], Counter[Any]]:
    """Return the classes of states with their sizes, and the steps between them by row, as the interpreter runs."""
    bound = TWO_PHASE.bounds[BOUND]
    world = World.of(bound.sizes, TWO_PHASE.kinds)
    cells = [
        (one, keys)
        for one in TWO_PHASE.states
        if one.name in names
        for keys in ([()] if not one.keys else [(value,) for value in world.values(one.keys[0])])
    ]

    def of(state: Any) -> tuple[str, ...]:
        return tuple(value_text(state.read(*cell)) for cell in cells)

    waiting = list(initial_states(TWO_PHASE, bound, world))
    seen, steps = set(waiting), Counter[Any]()
    while waiting:
        state = waiting.pop()
        for row in TWO_PHASE.rows:
            if row.changes:
                for binding in satisfying(TWO_PHASE.bounded_guard(row, bound), row.params, state, world):
                    after = run(row, binding, state, world).after
                    steps[of(state), of(after), row.id] += 1
                    if after not in seen:
                        seen.add(after)
                        waiting.append(after)
    return Counter(of(state) for state in seen), steps


@pytest.mark.parametrize("names", [("decision",), ("decision", "progress")])
def test_a_quotient_is_the_interpreters(names: tuple[str, ...]) -> None:
    """Nodes are the classes of reachable states with their sizes, edges the rows between them with their steps."""
    found = state_graph(TWO_PHASE, BOUND, by=names)
    classes, steps = walked(names)
    nodes = dict(found.graph.nodes(data=True))
    cells = [name for name in next(iter(nodes.values())) if name not in ("label", "states", "initial")]
    by_node = {node: tuple(told[name] for name in cells) for node, told in nodes.items()}
    assert {by_node[node]: told["states"] for node, told in nodes.items()} == classes
    edges = found.graph.edges(keys=True, data=True)
    assert {(by_node[a], by_node[b], row): told["steps"] for a, b, row, told in edges} == steps
    assert [told["initial"] for told in nodes.values()].count(True) == 1


def test_without_variables_every_state_is_a_node() -> None:
    """The whole graph has as many nodes as there are states, and as many steps as exploration counts."""
    found, counted = state_graph(TWO_PHASE, BOUND), explore(TWO_PHASE, BOUND)
    assert found.complete
    assert found.graph.number_of_nodes() == found.states == counted.distinct
    steps = sum(told["steps"] for _, _, told in found.graph.edges(data=True))
    assert steps == sum(counted.rows_fired.values())


def test_what_is_left_out_is_no_difference() -> None:
    """States that differ in the variables of `but` alone are one node: variables that distinguish others stay."""
    others = tuple(one.name for one in TWO_PHASE.states if one.name != "progress")
    left, kept = state_graph(TWO_PHASE, BOUND, but=("progress",)), state_graph(TWO_PHASE, BOUND, by=others)
    assert left.graph.number_of_nodes() == kept.graph.number_of_nodes() < left.states
    assert left.graph.number_of_edges() == kept.graph.number_of_edges()


def test_files_have_the_graph(tmp_path: Path) -> None:
    """GraphML comes back as the same graph; DOT and Mermaid have every node and pair of nodes with its rows."""
    found = state_graph(TWO_PHASE, BOUND, by=("decision",))
    for name in ("g.graphml", "g.dot", "g.mmd"):
        write(found.graph, tmp_path / name, "two-phase commit")
    back = networkx.read_graphml(tmp_path / "g.graphml", node_type=int, force_multigraph=True)
    assert dict(back.nodes(data=True)) == dict(found.graph.nodes(data=True))
    assert Counter(back.edges(keys=False)) == Counter(found.graph.edges(keys=False))
    dot, mermaid = ((tmp_path / name).read_text(encoding="utf-8") for name in ("g.dot", "g.mmd"))
    pairs = set(found.graph.edges(keys=False))
    assert dot.count("->") == len(pairs)
    assert mermaid.count("-->") == len(pairs) + 1
    for source, target in pairs:
        assert f"n{source} --> n{target} : " in mermaid
    assert "decision = " in dot


def test_a_search_that_stops_early_says_so() -> None:
    """A graph of some of the states is not complete."""
    assert not state_graph(TWO_PHASE, BOUND, max_states=5).complete


def test_a_file_of_another_form_or_that_is_there_is_refused(tmp_path: Path) -> None:
    """A name without a known end, a file that is there, a missing folder and an unknown variable are refused."""
    found = state_graph(TWO_PHASE, BOUND, by=("decision",))
    with pytest.raises(Refusal, match="the end of the name says the form"):
        write(found.graph, tmp_path / "g.txt", "")
    (tmp_path / "g.dot").write_text("mine", encoding="utf-8")
    with pytest.raises(Refusal, match="nothing is overwritten"):
        write(found.graph, tmp_path / "g.dot", "")
    assert (tmp_path / "g.dot").read_text(encoding="utf-8") == "mine"
    with pytest.raises(Refusal, match="no such folder"):
        write(found.graph, tmp_path / "none" / "g.dot", "")
    with pytest.raises(Refusal, match="--by nope: is no variable"):
        state_graph(TWO_PHASE, BOUND, by=("nope",))


def test_mermaid_has_a_limit(tmp_path: Path) -> None:
    """What Mermaid would not draw is not written as Mermaid."""
    found = state_graph(TWO_PHASE, BOUND)
    with pytest.raises(Refusal, match="Mermaid draws 500 edges at most"):
        write(found.graph, tmp_path / "g.mmd", "")
    assert not (tmp_path / "g.mmd").exists()
