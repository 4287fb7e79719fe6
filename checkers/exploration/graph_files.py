"""State graphs as files: GraphML for graph tools, DOT for Graphviz, Mermaid for Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import networkx

from fencepost.checkers.graphviz import graph, rendered
from fencepost.checkers.plain import plain
from fencepost.checkers.verdicts import Refusal
from fencepost.files import whole, write_whole

MERMAID_EDGES = 500
"""The most edges that Mermaid draws."""
SUFFIXES = {".graphml": "GraphML", ".dot": "DOT", ".gv": "DOT", ".mmd": "Mermaid"}
"""The forms by what a file's name ends with."""


def form_of(file: Path) -> str:
    """Return the form that a file's name asks for; raises `Refusal` for another, or a file that is there."""
    form = SUFFIXES.get(file.suffix)
    if form is None:
        raise Refusal(f"{file}: the end of the name says the form; use {', '.join(SUFFIXES)}")
    if file.exists():
        raise Refusal(f"{file}: is there already, and nothing is overwritten; give another name")
    if not file.absolute().parent.is_dir():
        raise Refusal(f"{file.parent}: there is no such folder; make it first")
    return form


def write(made: Any, file: Path, title: str) -> None:
    """Write a state graph in the form that the file's name asks for; raises `Refusal` for what Mermaid cannot draw."""
    form = form_of(file)
    text = {"DOT": _dot, "Mermaid": _mermaid}.get(form)
    try:
        if text is not None:
            write_whole(file, text(made, title), new=True)
        else:
            with whole(file, new=True) as stream:
                networkx.write_graphml_xml(made, stream)
    except OSError as error:
        raise Refusal(f"{file}: cannot be written ({error.strerror or error}); name another file") from error


def _joined(made: Any) -> Mapping[tuple[int, int], str]:
    """Return the rows between two nodes, by name."""
    found: dict[tuple[int, int], list[str]] = {}
    for source, target, row in made.edges(keys=True):
        found.setdefault((source, target), []).append(row)
    return {pair: ", ".join(sorted(rows)) for pair, rows in found.items()}


def _beside(states: int) -> str:
    return f"{states:,} state{'' if states == 1 else 's'}"


def _dot(made: Any, title: str) -> str:
    drawn = graph(rankdir="TB", label=title, labelloc="t")
    for node, told in made.nodes(data=True):
        thick = "2.5" if told["initial"] else "1"
        label = "\\n".join([*told["label"].split("\n"), _beside(told["states"])])
        drawn.add_node(node, label=label, shape="box", style="rounded", penwidth=thick)
    for (source, target), rows in _joined(made).items():
        drawn.add_edge(source, target, label=f" {rows} ")
    return rendered(drawn, "dot", title)


def _mermaid(made: Any, title: str) -> str:
    edges = _joined(made)
    if len(edges) > MERMAID_EDGES:
        raise Refusal(
            f"Mermaid draws {MERMAID_EDGES} edges at most, and there are {len(edges):,}; name fewer variables with "
            "--by, or write .dot or .graphml"
        )
    lines = ["---", f"title: {title}", "---", "stateDiagram-v2"]
    for node, told in made.nodes(data=True):
        label = "<br>".join([*told["label"].split("\n"), _beside(told["states"])])
        lines.append(f'    state "{label}" as n{node}')
    lines += [f"    [*] --> n{node}" for node, told in made.nodes(data=True) if told["initial"]]
    lines += [f"    n{source} --> n{target} : {rows}" for (source, target), rows in edges.items()]
    return plain("\n".join(lines) + "\n")
