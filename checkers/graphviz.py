"""Graphviz, as the package `pygraphviz` brings it along: layouts of graphs as SVG, or their text in DOT."""

from __future__ import annotations

import re
from typing import Any

from fencepost.checkers.messages import without_messages
from fencepost.checkers.verdicts import Refusal

INK, PALE, PAPER = "#1f2933", "#667380", "#ffffff"
FONT = "Helvetica"


def graph(**attributes: str) -> Any:
    """Return an empty directed graph that looks as all pictures do; raises `Refusal` without `pygraphviz`."""
    try:
        import pygraphviz
    except ImportError as error:
        raise Refusal(f"pygraphviz cannot be loaded ({error}); install it, or take --diagram mermaid") from error
    made = pygraphviz.AGraph(strict=False, directed=True, bgcolor=PAPER, fontname=FONT, fontcolor=INK, **attributes)
    made.node_attr.update(fontname=FONT, fontcolor=INK)
    made.edge_attr.update(fontname=FONT, fontcolor=INK, fontsize="12", color=PALE, arrowsize="0.8")
    return made


def rendered(drawn: Any, kind: str, title: str) -> str:
    """Return a graph as an SVG document with a title, or as DOT."""
    if kind == "dot":
        return str(drawn.to_string())
    with without_messages():
        made = drawn.draw(format="svg", prog="dot").decode("utf-8")
    # The comments tell which build of Graphviz made the picture, and the document type is fetched from the network.
    made = re.sub(r"<!--.*?-->\n?|<!DOCTYPE.*?>\n?", "", made, flags=re.S)
    escaped = title.replace("&", "&amp;").replace("<", "&lt;")
    return re.sub(r"(<svg[^>]*>)", lambda found: f"{found[1]}\n<title>{escaped}</title>", made, count=1, flags=re.S)
