"""`fencepost explore --graph FILE`: the state graph of a bound, or its quotient by some variables, as a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from fencepost.checkers.verdicts import ExitCode, Verdict
from fencepost.model.language import Protocol

from .outcome import Outcome

if TYPE_CHECKING:
    from .documents import StateGraph

HELP = "Write the states and steps into this file, .graphml, .dot or .mmd, and check nothing."
BY_HELP = "With --graph: states that agree on these variables are one node, as in --by state,leader."
BUT_HELP = "With --graph: states that differ in these variables only are one node."


def names(given: str | None) -> tuple[str, ...]:
    """Return the variables that an option names."""
    return tuple(one.strip() for one in (given or "").split(",") if one.strip())


def written(
    protocol: Protocol,
    bound: str,
    file: Path,
    by: str | None,
    but: str | None,
    sizes: Mapping[str, int] | None,
    max_states: int | None,
) -> Outcome:
    """Write a state graph; raises `Refusal` for what is no variable, and for a file that cannot be written."""
    from fencepost.checkers.exploration.graph import state_graph
    from fencepost.checkers.exploration.graph_files import form_of, write

    from .explore import watching_search

    form = form_of(file)
    with watching_search(protocol, bound) as progress:
        found = state_graph(
            protocol, bound, by=names(by), but=names(but), sizes=sizes, max_states=max_states, progress=progress
        )
    nodes, edges = found.graph.number_of_nodes(), found.graph.number_of_edges()
    write(found.graph, file, f"{protocol.name} at {bound}")
    verdict = "written" if found.complete else Verdict.INCONCLUSIVE.value
    agree = f"that agree on {', '.join(found.cells)}" if by or but else "each a node"
    lines = [
        f"{protocol.name} at {bound}: {verdict} ({found.message})",
        f"  {found.states:,} states, {agree}: {nodes:,} nodes, {edges:,} edges",
        f"  as {form} in {file}; no property was checked",
    ]
    fields: StateGraph = {
        "protocol": protocol.name,
        "bound": bound,
        "graph": str(file),
        "form": form,
        "variables": list(found.cells),
        "distinct": found.states,
        "nodes": nodes,
        "edges": edges,
        "complete": found.complete,
        "message": found.message,
    }
    code = ExitCode.AS_DECLARED if found.complete else ExitCode.INCONCLUSIVE
    return Outcome("explore", verdict, code, fields, lines, protocol.hash)
