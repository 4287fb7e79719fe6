"""The worst run of settings as a timeline: bars of text at 100 columns, or an SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from xml.etree import ElementTree

from .regions import region
from .settings import Settings, written
from .timing import Start

WIDTH = 60
"""Columns of the bars; labels to their left and right make it 100."""


@dataclass(frozen=True)
class Moment:
    """Something that happens at a time (milliseconds of real time since the heartbeat was sent)."""

    at: Fraction
    what: str


@dataclass(frozen=True)
class Run:
    """A run that goes farthest: one exchange, then nothing gets through any more. Milliseconds since the send.

    `received` and `answered` are when the messages arrive; the broker's timer starts at `begins` and the broker
    stops at `stops`; the controller may act from `acts` on.
    """

    start: Start
    received: Fraction
    answered: Fraction
    stops: Fraction
    acts: Fraction

    @property
    def overlap(self) -> Fraction:
        """The time in which two believe; below 0 the time in which none does."""
        return self.stops - self.acts

    @property
    def begins(self) -> Fraction:
        """When the broker's timer starts."""
        return Fraction(0) if self.start is Start.SEND else self.answered

    def moments(self) -> tuple[Moment, ...]:
        """Return what happens, in order of time."""
        timer = "the broker's timer counts from here" if self.start is Start.SEND else ""
        other = "; the broker's timer starts" if self.start is Start.ANSWER else ""
        found = [
            Moment(Fraction(0), "a heartbeat is sent" + (f"; {timer}" if timer else "")),
            Moment(self.received, "it is received; the controller's timer starts"),
            Moment(self.answered, f"its answer arrives{other}; from now on nothing gets through"),
            Moment(self.acts, "the controller's timer is over, its clock being fast: it may make another leader"),
            Moment(self.stops, "the broker's timer is over, its clock being slow: it stops"),
        ]
        return tuple(sorted(found, key=lambda one: one.at))


def worst_run(settings: Settings, start: Start) -> Run:
    """Return the run in which two believe the longest, or come closest to it; unbounded delays at their worst."""
    name = "send" if start is Start.SEND else "answer any" if settings.delay is None else "answer"
    times = region(name).worst(settings.values)
    answered = times["going"] + times["coming"]
    begins = Fraction(0) if start is Start.SEND else answered
    return Run(start, times["going"], answered, begins + times["belief"], times["going"] + times["session"])


def as_text(run: Run) -> list[str]:
    """Return the run as lines of at most 100 columns: two bars over one axis of time, and what happens when."""
    end = max(run.stops, run.acts) * Fraction(21, 20)

    def column(at: Fraction) -> int:
        return min(WIDTH - 1, int(at / end * WIDTH))

    broker = _bar(column(run.begins), column(run.stops), "=")
    controller = _bar(column(run.received), column(run.acts), "-") + "#" * (WIDTH - column(run.acts) - 1)
    lines = [
        f"  {'broker believes':16} {broker:{WIDTH}}",
        f"  {'its session':16} {controller:{WIDTH}}  # another may lead",
    ]
    if run.overlap > 0:
        mark = " " * column(run.acts) + "^" * max(1, column(run.stops) - column(run.acts))
        lines.append(f"  {'two believe':16} {mark:{WIDTH}}  {written(run.overlap)}")
    return [line.rstrip() for line in lines] + [f"  {written(one.at):>10}  {one.what}" for one in run.moments()]


def _bar(begin: int, end: int, sign: str) -> str:
    return " " * begin + "|" + sign * max(0, end - begin - 1) + "|"


INK, PALE, RED = "#1f2933", "#9aa5b1", "#c53030"
BARS = {"broker": "#2b8763", "session": "#9aa5b1", "another": "#d99a20"}
LEFT, RIGHT, ACROSS, TALL = 150, 150, 760, 26
MARKS = 8
"""At most so many marks on the axis."""


def as_svg(run: Run, title: str) -> str:
    """Return the run as an SVG document."""
    end = max(run.stops, run.acts) * Fraction(21, 20)
    moments = run.moments()
    height = 220 + 20 * len(moments)
    width = LEFT + ACROSS + RIGHT
    root = ElementTree.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {width} {height}", "width": str(width),
            "height": str(height), "role": "img",
            "style": "font-family: 'Helvetica Neue', Helvetica, Arial, 'DejaVu Sans', sans-serif",
        },
    )  # fmt: skip
    ElementTree.SubElement(root, "title").text = title
    _box(root, 0, 0, width, height, "#ffffff")
    _text(root, 20, 30, title, INK, 16)

    def across(at: Fraction) -> float:
        return LEFT + float(at / end) * ACROSS

    for top, name, parts in (
        (60, "broker believes", ((run.begins, run.stops, "broker"),)),
        (96, "its session", ((run.received, run.acts, "session"), (run.acts, end, "another"))),
    ):
        _text(root, 20, top + 18, name, INK, 13)
        for begin, finish, kind in parts:
            _box(root, across(begin), top, across(finish) - across(begin), TALL, BARS[kind])
    if run.overlap > 0:
        _box(root, across(run.acts), 54, across(run.stops) - across(run.acts), 74, RED, opacity="0.25")
        _text(root, 20, 174, f"two believe for {written(run.overlap)}", RED, 13)
    _text(root, LEFT + ACROSS + 8, 114, "another may lead", INK, 13)
    for at in _marks(end):
        _box(root, across(at), 128, 1, 6, INK)
        _text(root, across(at) + 3, 144, written(at), INK, 11)
    _box(root, LEFT, 128, ACROSS, 1, INK)
    _listed(root, moments, 204)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _marks(end: Fraction) -> list[Fraction]:
    """Return round times from 0 up to the end, in seconds: steps of 1, 2 or 5 with some zeros."""
    zeros = Fraction(10) ** math.floor(math.log10(end / MARKS))
    step = next(zeros * round for round in (1, 2, 5, 10, 20) if end / (zeros * round) <= MARKS)
    return [step * number for number in range(int(end / step) + 1)]


def _listed(root: ElementTree.Element, moments: Sequence[Moment], top: int) -> None:
    for number, one in enumerate(moments):
        _text(root, 20, top + 20 * number, f"{written(one.at)}: {one.what}", INK, 12)


def _box(
    root: ElementTree.Element, x: float, y: float, width: float, height: float, fill: str, opacity: str = "1"
) -> None:
    shape = {"x": f"{x:.1f}", "y": f"{y:.1f}", "width": f"{max(width, 1):.1f}", "height": f"{height:.1f}"}
    ElementTree.SubElement(root, "rect", {**shape, "fill": fill, "fill-opacity": opacity})


def _text(root: ElementTree.Element, x: float, y: float, text: str, fill: str, size: int) -> None:
    place = {"x": f"{x:.1f}", "y": f"{y:.1f}", "fill": fill, "font-size": str(size)}
    ElementTree.SubElement(root, "text", place).text = text
