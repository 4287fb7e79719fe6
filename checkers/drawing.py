"""Pictures of state machines and lives as SVG: a state a box, in columns by how far it is from the first one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from xml.etree import ElementTree

from .diagrams import Arrow, Picture, columns

LEFT, TOP, ACROSS, DOWN = 40, 150, 340, 190
"""The margin, how far down the first state is, and how far at least the next ones are from it."""
WIDTH, HEIGHT, ROUND = 200, 52, 10
INK, PALE, PAPER, FILL = "#1f2933", "#667380", "#ffffff", "#e4eef7"
FONT = "font-family: 'Helvetica Neue', Helvetica, Arial, 'DejaVu Sans', sans-serif"
STATE_LETTER, LETTER = 9.5, 7.0
"""How wide a letter is at most, of a state's name and of what stands beside an arrow."""
LINE = 14
"""How far lines of words are below one another."""
LANE = 34
"""How far the ways back below all boxes are from one another."""

Point = tuple[float, float]


def svg(drawn: Sequence[Picture]) -> str:
    """Return pictures, one below the other, as an SVG document."""
    root = ElementTree.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img", "style": FONT})
    ElementTree.SubElement(root, "title").text = "; ".join(one.title for one in drawn)
    head = {"id": "arrow", "viewBox": "0 0 10 10", "refX": "9", "refY": "5", "markerWidth": "7", "markerHeight": "7"}
    arrow = ElementTree.SubElement(ElementTree.SubElement(root, "defs"), "marker", {**head, "orient": "auto"})
    ElementTree.SubElement(arrow, "path", {"d": "M 0 0 L 10 5 L 0 10 z", "fill": PALE})
    paper = ElementTree.SubElement(root, "rect", {"fill": PAPER})
    top, width = 0.0, 0.0
    for one in drawn:
        sheet = _Sheet(root, one, top)
        sheet.draw()
        width, top = max(width, sheet.right), sheet.bottom
    for name, value in (("width", width), ("height", top)):
        paper.set(name, f"{value:.0f}")
        root.set(name, f"{value:.0f}")
    root.set("viewBox", f"0 0 {width:.0f} {top:.0f}")
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


class _Sheet:
    """One picture below a line `top`: where its boxes stand, and how far it reaches to the right and down."""

    def __init__(self, root: ElementTree.Element, picture: Picture, top: float) -> None:
        self.root, self.picture, self.top = root, picture, top
        self.column = columns(picture)
        longest = max(len(line) for arrow in picture.arrows for line in arrow.lines)
        self.wide = max(WIDTH, STATE_LETTER * max(map(len, picture.states)) + 24)
        upright = any(self.column[a.source] == self.column[a.target] for a in picture.arrows if a.source != a.target)
        self.across = max(ACROSS, self.wide + 50 + LETTER * longest * (2 if upright else 1))
        # Four arrows may pass between two boxes that stand one below the other, each with its words.
        self.down = max(DOWN, 4 * (LINE * max(len(a.lines) for a in picture.arrows) + 6))
        self.place = self._places()
        self.lowest = max(y for _, y in self.place.values())
        # The nearer ways stay the higher ones.
        back = [a for a in picture.arrows if self.column[a.source] - self.column[a.target] > 1]
        self.lanes = sorted(back, key=lambda a: self.column[a.source] - self.column[a.target])
        loops = any(a.source == a.target and self._low(a.source) for a in picture.arrows)
        last = max(self.column.values())
        beside = any(self.column[a.source] == self.column[a.target] == last for a in picture.arrows)
        self.right = max(x for x, _ in self.place.values()) + self.wide / 2 + LEFT
        self.right += LETTER * longest + 20 if beside else 0
        self.right = max(self.right, *(24 + LETTER * len(one) for one in (*picture.remarks, picture.title)))
        # Ways back go below the loops.
        self.under = self.lowest + HEIGHT / 2 + (64 if loops else 0)
        self.bottom = self.under + LANE * len(self.lanes) + 18 * len(picture.remarks) + 70

    def draw(self) -> None:
        """Draw the arrows, the boxes over them, and the words over both."""
        _words(self.root, (24, self.top + 36), self.picture.title, INK, 20, "start")
        self._first()
        beside = [self._arrow(one) for one in self.picture.arrows]
        for state, (x, y) in self.place.items():
            self._box(state, x, y)
        for arrow, (middle, anchor) in zip(self.picture.arrows, beside, strict=True):
            for number, line in enumerate(arrow.lines):
                down = LINE * (number - (len(arrow.lines) - 1) / 2)
                _words(self.root, (middle[0], middle[1] + down), line, INK, 12, anchor)
        for number, remark in enumerate(reversed(self.picture.remarks)):
            _words(self.root, (24, self.bottom - 24 - 18 * number), remark, PALE, 12, "start")

    def _places(self) -> Mapping[str, Point]:
        stacks: dict[int, list[str]] = {}
        for state in self.picture.states:
            stacks.setdefault(self.column[state], []).append(state)
        tallest = max(len(stack) for stack in stacks.values())
        left = LEFT + self.wide / 2 + (40 if self.picture.first else 0)
        return {
            state: (left + column * self.across, self.top + TOP + self.down * (at + (tallest - len(stack)) / 2))
            for column, stack in stacks.items()
            for at, state in enumerate(stack)
        }

    def _low(self, state: str) -> bool:
        return self.place[state][1] > self.top + TOP

    def _first(self) -> None:
        """A dot, and an arrow from it to the state in which everything begins."""
        if self.picture.first is None:
            return
        x, y = self.place[self.picture.first]
        edge = x - self.wide / 2
        dot = {"cx": f"{edge - 40:.0f}", "cy": f"{y:.0f}", "r": "6", "fill": INK}
        ElementTree.SubElement(self.root, "circle", dot)
        line = {"d": f"M {edge - 34:.0f} {y:.0f} H {edge:.0f}", "stroke": PALE, "class": "first"}
        ElementTree.SubElement(self.root, "path", {**line, "fill": "none", "stroke-width": "1.5"})

    def _box(self, state: str, x: float, y: float) -> None:
        box = {"x": x - self.wide / 2, "y": y - HEIGHT / 2, "width": self.wide, "height": HEIGHT, "rx": ROUND}
        look = {"fill": FILL, "stroke": INK, "stroke-width": "1.5"}
        ElementTree.SubElement(self.root, "rect", {**{k: f"{v:.0f}" for k, v in box.items()}, **look})
        starts = self.picture.starts.get(state, ())
        _words(self.root, (x, y - 2 if starts else y + 5), state, INK, 14)
        if starts:
            _words(self.root, (x, y + 16), f"starts here: {', '.join(starts)}", PALE, 11)

    def _arrow(self, arrow: Arrow) -> tuple[Point, str]:
        """Draw a change; return where its words stand, and how they are set there."""
        (x1, y1), (x2, y2) = self.place[arrow.source], self.place[arrow.target]
        anchor = "middle"
        if arrow.source == arrow.target:
            # A loop stands above its box, or below it in the lower rows.
            side = 1 if self._low(arrow.source) else -1
            rim, away = y1 + side * HEIGHT / 2, y1 + side * (HEIGHT / 2 + 56)
            path = (
                f"M {x1 - 30:.0f} {rim:.0f} C {x1 - 60:.0f} {away:.0f} {x1 + 60:.0f} {away:.0f} {x1 + 30:.0f} {rim:.0f}"
            )
            middle = (x1, rim + side * 48 + (8 if side > 0 else 0))
        elif arrow in self.lanes:
            path, middle = self._back(arrow)
        else:
            length = math.hypot(x2 - x1, y2 - y1)
            # To the left of the way, so that there and back are two arrows.
            bend = 70 if x1 == x2 else 40
            cx, cy = (x1 + x2) / 2 + (y2 - y1) / length * bend, (y1 + y2) / 2 - (x2 - x1) / length * bend
            (sx, sy), (ex, ey) = self._rim(x1, y1, cx, cy), self._rim(x2, y2, cx, cy)
            path = f"M {sx:.0f} {sy:.0f} Q {cx:.0f} {cy:.0f} {ex:.0f} {ey:.0f}"
            middle = ((sx + 2 * cx + ex) / 4, (sy + 2 * cy + ey) / 4 + 4)
            if x1 == x2:
                anchor = "start" if y2 > y1 else "end"
                middle = (middle[0] + (6 if y2 > y1 else -6), middle[1])
        look = {"fill": "none", "stroke": PALE, "stroke-width": "1.5", "stroke-linejoin": "round"}
        ElementTree.SubElement(self.root, "path", {"d": path, **look, "marker-end": "url(#arrow)"})
        return middle, anchor

    def _back(self, arrow: Arrow) -> tuple[str, Point]:
        """A long way back: down beside the column, along a lane of its own below everything, and up again."""
        (x1, y1), (x2, y2) = self.place[arrow.source], self.place[arrow.target]
        lane = self.lanes.index(arrow)
        below = self.under + LANE * (lane + 1)
        if y1 == self.lowest_of(arrow.source):
            start = x1 - self.wide / 3 + 12 * lane
            path = f"M {start:.0f} {y1 + HEIGHT / 2:.0f} V {below:.0f}"
        else:
            start = x1 - self.wide / 2 - 14 - 8 * lane
            path = f"M {x1 - self.wide / 2:.0f} {y1 + 10:.0f} H {start:.0f} V {below:.0f}"
        if y2 == self.lowest_of(arrow.target):
            end = x2 + self.wide / 3 - 12 * lane
            path += f" H {end:.0f} V {y2 + HEIGHT / 2:.0f}"
        else:
            end = x2 + self.wide / 2 + 14 + 8 * lane
            path += f" H {end:.0f} V {y2 + 10:.0f} H {x2 + self.wide / 2:.0f}"
        return path, ((start + end) / 2, below + 4)

    def lowest_of(self, state: str) -> float:
        """Return how far down the lowest box stands of the column that a state is in."""
        return max(y for one, (_, y) in self.place.items() if self.column[one] == self.column[state])

    def _rim(self, x: float, y: float, towards_x: float, towards_y: float) -> Point:
        """Return where a line from the middle of a state leaves its box."""
        dx, dy = towards_x - x, towards_y - y
        scale = min(
            self.wide / 2 / abs(dx) if dx else math.inf,
            HEIGHT / 2 / abs(dy) if dy else math.inf,
        )
        return x + dx * scale, y + dy * scale


def _words(root: ElementTree.Element, at: Point, text: str, fill: str, size: int, anchor: str = "middle") -> None:
    """Write a line; beside an arrow with a rim of paper, so that arrows below it do not hurt."""
    place = {"x": f"{at[0]:.0f}", "y": f"{at[1]:.0f}", "fill": fill, "font-size": str(size), "text-anchor": anchor}
    rim = {"stroke": PAPER, "stroke-width": "4", "paint-order": "stroke"} if size == 12 else {}
    ElementTree.SubElement(root, "text", {**place, **rim}).text = text
