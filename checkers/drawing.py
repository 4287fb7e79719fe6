"""Pictures of state machines and lives, laid out by Graphviz: a state a box, words beside arrows with room for them."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from html import escape
from typing import Any

from .diagrams import Arrow, Picture, columns, ordered
from .graphviz import INK, PALE, PAPER, graph, rendered

BOX = {"shape": "box", "style": "rounded,filled", "fillcolor": "#e4eef7", "color": INK, "fontsize": "14"}
"""How a state looks."""
DOT = {"label": "", "shape": "circle", "width": "0.15", "style": "filled", "fillcolor": INK, "color": INK}
"""How the beginning looks."""
REMARK_WIDTH = 110
"""Characters of a line of what is said below a title."""


def drawing(drawn: Sequence[Picture], kind: str) -> str:
    """Return pictures as an SVG document, or as the DOT text that it is made of; `kind` is svg or dot."""
    whole = graph(rankdir="LR", newrank="true", nodesep="0.4", ranksep="0.6")
    # Graphviz puts what comes first lowest.
    for number, one in reversed([*enumerate(drawn)]):
        _picture(whole, f"p{number}", one)
    return rendered(whole, kind, "; ".join(one.title for one in drawn))


def _picture(whole: Any, name: str, picture: Picture) -> None:
    """Add a picture as a frame of its own, the first state first, since Graphviz begins there."""
    frame = whole.add_subgraph(name=f"cluster_{name}", label=_title(picture), labeljust="l", color=PAPER, margin="24")

    def state(of: str) -> str:
        return f"{name}:{of}"

    if picture.first is not None:
        frame.add_node(state("first"), **DOT)
    column = columns(picture)
    for one in sorted(picture.states, key=column.__getitem__):
        starts = picture.starts.get(one, ())
        frame.add_node(state(one), label=one + (f"\\nstarts here: {', '.join(starts)}" if starts else ""), **BOX)
    if picture.first is not None:
        frame.add_edge(state("first"), state(picture.first))
    for arrow in ordered(picture):
        frame.add_edge(state(arrow.source), state(arrow.target), label=_beside(arrow))


def _title(picture: Picture) -> str:
    """The title with the remarks below it, as Graphviz's form of HTML."""
    lines = [f'<font point-size="20">{escape(picture.title)}</font>']
    for remark in picture.remarks:
        folded = textwrap.wrap(remark, REMARK_WIDTH)
        lines += [f'<font point-size="12" color="{PALE}">{escape(line)}</font>' for line in folded]
    return "<" + "".join(f'{line}<br align="left"/>' for line in lines) + ">"


def _beside(arrow: Arrow) -> str:
    """The words of an arrow, with room on both sides."""
    return "\\n".join(f" {line} " for line in arrow.lines)
