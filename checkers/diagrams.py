"""State machines as diagrams, from the rows: Mermaid for Markdown, SVG for everything else."""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from xml.etree import ElementTree

from fencepost.model.language.machines import Edge, Machine

LEFT, TOP, ACROSS, DOWN = 140, 150, 340, 190
"""Where the first state stands, and how far the next ones are from it."""
WIDTH, HEIGHT, ROUND = 200, 52, 10
INK, PALE, PAPER, FILL = "#1f2933", "#667380", "#ffffff", "#e4eef7"
FONT = "font-family: 'Helvetica Neue', Helvetica, Arial, 'DejaVu Sans', sans-serif"


def name_of(state: enum.Enum) -> str:
    """Return what Kafka calls a state, or its name in the tables."""
    from fencepost.model.zk.names import STATE_NAMES

    return STATE_NAMES.get(state, state.name.replace("_", " ").capitalize())


def mermaid(machine: Machine) -> str:
    """Return a state machine as the text of a Mermaid diagram."""
    lines = ["stateDiagram-v2"]
    lines += [f"    {_first(machine)}"] if _first(machine) else []
    lines += [f"    [*] --> {name_of(state)} : {', '.join(rows)}" for state, rows in machine.starts.items()]
    lines += [f"    {name_of(e.source)} --> {name_of(e.target)} : {', '.join(e.rows)}" for e in _ordered(machine)]
    return "\n".join(lines)


def mermaid_page(machines: Sequence[Machine]) -> str:
    """Return state machines as Markdown with a Mermaid diagram each, and the rows that change nothing."""
    parts = ["# State machines"]
    for machine in machines:
        parts += [f"## {machine.table.name[:1].upper()}{machine.table.name[1:]}", machine.table.about]
        parts += [f"```mermaid\n{mermaid(machine)}\n```", kept(machine)]
    return "\n\n".join(part for part in parts if part) + "\n"


def kept(machine: Machine) -> str:
    """Return one sentence on the rows that leave the state as it is."""
    return f"These rows keep the state: {', '.join(machine.kept)}." if machine.kept else ""


def _first(machine: Machine) -> str:
    initial = getattr(machine.state.initial, "value", None)
    return f"[*] --> {name_of(initial)}" if isinstance(initial, enum.Enum) and initial in machine.states else ""


def _ordered(machine: Machine) -> list[Edge]:
    """Return the changes by how far they are from the first state, so that a diagram reads as a life does."""
    columns = _columns(machine)
    return sorted(machine.edges, key=lambda e: (columns[e.source], columns[e.target]))


def _columns(machine: Machine) -> dict[enum.Enum, int]:
    """Return how many changes each state is away from the first one; what is not reached so comes after all others."""
    initial = getattr(machine.state.initial, "value", None)
    first = initial if initial in machine.states else machine.states[0]
    column, frontier = {first: 0}, [first]
    while frontier:
        following = []
        for edge in machine.edges:
            if edge.source in frontier and edge.target not in column:
                column[edge.target] = column[edge.source] + 1
                following.append(edge.target)
        frontier = following
    last = max(column.values()) + 1
    return {state: column.get(state, last) for state in machine.states}


# -- SVG ---------------------------------------------------------------------------------------------------------------
def svg(machines: Sequence[Machine]) -> str:
    """Return state machines, one below the other, as an SVG document."""
    root = ElementTree.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img", "style": FONT})
    ElementTree.SubElement(root, "title").text = "; ".join(machine.table.name for machine in machines)
    arrow = ElementTree.SubElement(
        ElementTree.SubElement(root, "defs"),
        "marker",
        {
            "id": "arrow",
            "viewBox": "0 0 10 10",
            "refX": "9",
            "refY": "5",
            "markerWidth": "7",
            "markerHeight": "7",
            "orient": "auto",
        },
    )
    ElementTree.SubElement(arrow, "path", {"d": "M 0 0 L 10 5 L 0 10 z", "fill": PALE})
    paper = ElementTree.SubElement(root, "rect", {"fill": PAPER})
    top, width = 0.0, 0.0
    for machine in machines:
        right, top = _drawn(root, machine, top)
        width = max(width, right)
    for name, value in (("width", width), ("height", top)):
        paper.set(name, f"{value:.0f}")
        root.set(name, f"{value:.0f}")
    root.set("viewBox", f"0 0 {width:.0f} {top:.0f}")
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _drawn(root: ElementTree.Element, machine: Machine, top: float) -> tuple[float, float]:
    """Draw one machine below a line; return how far it reaches to the right and down."""
    columns = _columns(machine)
    stacks: dict[int, list[enum.Enum]] = {}
    for state in machine.states:
        stacks.setdefault(columns[state], []).append(state)
    tallest = max(len(stack) for stack in stacks.values())
    place = {
        state: (LEFT + column * ACROSS, top + TOP + DOWN * (at + (tallest - len(stack)) / 2))
        for column, stack in stacks.items()
        for at, state in enumerate(stack)
    }
    title = ElementTree.SubElement(root, "text", {"x": "24", "y": f"{top + 36:.0f}", "fill": INK, "font-size": "20"})
    title.text = machine.table.name[:1].upper() + machine.table.name[1:]
    lowest = max(y for _, y in place.values())
    for edge in machine.edges:
        _arrow(root, place[edge.source], place[edge.target], edge, lowest, low=place[edge.source][1] > top + TOP)
    for state, (x, y) in place.items():
        box = {"x": x - WIDTH / 2, "y": y - HEIGHT / 2, "width": WIDTH, "height": HEIGHT, "rx": ROUND}
        ElementTree.SubElement(
            root,
            "rect",
            {**{k: f"{v:.0f}" for k, v in box.items()}, "fill": FILL, "stroke": INK, "stroke-width": "1.5"},
        )
        starts = state in machine.starts
        _words(root, x, y - 2 if starts else y + 5, name_of(state), INK, 14)
        if starts:
            _words(root, x, y + 16, f"starts here: {', '.join(machine.starts[state])}", PALE, 11)
    right = max(x for x, _ in place.values()) + WIDTH / 2 + 40
    bottom = lowest + 170
    _words(root, 24, bottom - 14, kept(machine), PALE, 12, "start")
    return right, bottom


def _words(
    root: ElementTree.Element, x: float, y: float, text: str, fill: str, size: int, anchor: str = "middle"
) -> None:
    """Write a line with a rim of paper, so that arrows below it do not hurt."""
    ElementTree.SubElement(
        root,
        "text",
        {
            "x": f"{x:.0f}",
            "y": f"{y:.0f}",
            "fill": fill,
            "font-size": str(size),
            "text-anchor": anchor,
            "stroke": PAPER if size == 12 else "none",
            "stroke-width": "4",
            "paint-order": "stroke",
        },
    ).text = text


def _arrow(
    root: ElementTree.Element,
    start: tuple[float, float],
    end: tuple[float, float],
    edge: Edge,
    lowest: float,
    low: bool,
) -> None:
    """Draw a change from one state to another, or to itself: above its box, or below it where it stands `low`."""
    (x1, y1), (x2, y2) = start, end
    anchor = "middle"
    if edge.source is edge.target:
        side = 1 if low else -1
        rim, away = y1 + side * HEIGHT / 2, y1 + side * (HEIGHT / 2 + 56)
        path = f"M {x1 - 30:.0f} {rim:.0f} C {x1 - 60:.0f} {away:.0f} {x1 + 60:.0f} {away:.0f} {x1 + 30:.0f} {rim:.0f}"
        middle = (x1, rim + side * 48 + (8 if low else 0))
    elif x1 - x2 > 1.5 * ACROSS:
        # A long way back goes below everything else.
        below = lowest + 90 + 40 * (x1 - x2) / ACROSS / 2
        sx, ex = x1 - WIDTH / 3, x2
        lower = f"C {sx:.0f} {below:.0f} {ex:.0f} {below:.0f}"
        path = f"M {sx:.0f} {y1 + HEIGHT / 2:.0f} {lower} {ex:.0f} {y2 + HEIGHT / 2:.0f}"
        middle = ((sx + ex) / 2, (y1 + y2 + HEIGHT) / 8 + 0.75 * below + 4)
    else:
        length = math.hypot(x2 - x1, y2 - y1)
        # To the left of the way, so that there and back are two arrows.
        bend = 70 if x1 == x2 else 40
        cx, cy = (x1 + x2) / 2 + (y2 - y1) / length * bend, (y1 + y2) / 2 - (x2 - x1) / length * bend
        (sx, sy), (ex, ey) = _rim(x1, y1, cx, cy), _rim(x2, y2, cx, cy)
        path = f"M {sx:.0f} {sy:.0f} Q {cx:.0f} {cy:.0f} {ex:.0f} {ey:.0f}"
        middle = ((sx + 2 * cx + ex) / 4, (sy + 2 * cy + ey) / 4 + 4)
        if x1 == x2:
            anchor = "start" if y2 > y1 else "end"
            middle = (middle[0] + (6 if y2 > y1 else -6), middle[1])
    ElementTree.SubElement(
        root, "path", {"d": path, "fill": "none", "stroke": PALE, "stroke-width": "1.5", "marker-end": "url(#arrow)"}
    )
    at_once = len(edge.rows) if edge.source is edge.target else 2
    lines = [" ".join(edge.rows[k : k + at_once]) for k in range(0, len(edge.rows), at_once)]
    for number, line in enumerate(lines):
        _words(root, middle[0], middle[1] + 14 * (number - (len(lines) - 1) / 2), line, INK, 12, anchor)


def _rim(x: float, y: float, towards_x: float, towards_y: float) -> tuple[float, float]:
    """Return where a line from the middle of a state leaves its box."""
    dx, dy = towards_x - x, towards_y - y
    scale = min(
        WIDTH / 2 / abs(dx) if dx else math.inf,
        HEIGHT / 2 / abs(dy) if dy else math.inf,
    )
    return x + dx * scale, y + dy * scale
