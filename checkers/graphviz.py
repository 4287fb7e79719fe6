"""Graphviz, as the package `pygraphviz` brings it along: layouts of graphs as SVG, or their text in DOT."""

from __future__ import annotations

import errno
import os
import re
import tempfile
from typing import Any

from fencepost.checkers.extras import how_to_get
from fencepost.checkers.messages import without_messages
from fencepost.checkers.plain import plain
from fencepost.checkers.verdicts import Refusal

INK, PALE, PAPER = "#1f2933", "#667380", "#ffffff"
FONT = "Helvetica"


def graph(**attributes: str) -> Any:
    """Return an empty directed graph that looks as all pictures do; raises `Refusal` without `pygraphviz`."""
    try:
        import pygraphviz
    except ImportError as error:
        raise Refusal(
            f"pygraphviz cannot be loaded ({error}): run `{how_to_get('pictures')}`, or take --diagram mermaid"
        ) from error
    made = pygraphviz.AGraph(strict=False, directed=True, bgcolor=PAPER, fontname=FONT, fontcolor=INK, **attributes)
    made.node_attr.update(fontname=FONT, fontcolor=INK)
    made.edge_attr.update(fontname=FONT, fontcolor=INK, fontsize="12", color=PALE, arrowsize="0.8")
    return made


def _complete(text: str, end: str) -> str:
    """Return a text that has its end: Graphviz writes through a temporary file, and does not say that it is full."""
    if not text.rstrip().endswith(end):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), tempfile.gettempdir())
    return text


def rendered(drawn: Any, kind: str, title: str) -> str:
    """Return a graph as an SVG document with a title, or as DOT."""
    if kind == "dot":
        return plain(_complete(str(drawn.to_string()), "}"))
    with without_messages():
        made = _complete(drawn.draw(format="svg", prog="dot").decode("utf-8"), "</svg>")
    # The comments tell which build of Graphviz made the picture, and the document type is fetched from the network.
    made = re.sub(r"<!--.*?-->\n?|<!DOCTYPE.*?>\n?", "", made, flags=re.S)
    escaped = title.replace("&", "&amp;").replace("<", "&lt;")
    return plain(
        re.sub(r"(<svg[^>]*>)", lambda found: f"{found[1]}\n<title>{escaped}</title>", made, count=1, flags=re.S)
    )
