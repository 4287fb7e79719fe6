"""The events of a log as one self-contained HTML file: lanes over time, made of what `story --json` prints."""

from __future__ import annotations

import base64
import hashlib
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from fencepost.checkers.counting import counted
from fencepost.checkers.operations.moments import iso, spelled
from fencepost.checkers.operations.sentences import causes

from .cases import encodable
from .html import environment, template_file

Fields = Mapping[str, Any]

EVENTS = (1500, 700, 300, 100)
"""How many events the page has: the first number with which it is no larger than `LARGEST`, or the last."""

LARGEST = 2_900_000
"""The bytes of a page that opens at once."""

PARTITIONS = 40
"""So many partitions of one event are listed."""

COLOURS = 8
"""The colours that leaders have; more brokers share them."""

DAY = 86_400_000

STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000,
         600_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 10_800_000, 21_600_000, 43_200_000, DAY, 2 * DAY,
         7 * DAY, 30 * DAY, 365 * DAY)  # fmt: skip
"""The milliseconds between two marks of the axis."""

LEVELS = ((1, 8), (8, 64), (64, 512))
"""From which zoom on the axis has how many marks at most."""

CONDITIONS = {
    "offline": "offline",
    "under_min_isr": "under min ISR",
    "under_replicated": "under-replicated",
    "reassigning": "reassigning",
}
"""The counts of all partitions by their names in the document, the worst first."""

STATES = {
    "active": "active", "fenced": "fenced", "in_controlled_shutdown": "in controlled shutdown",
    "unregistered": "not registered",
}  # fmt: skip

SERIOUS = ("leaderless", "unclean", "candidates_gone")
"""The counts of an event by which it is shown before others."""


@dataclass(frozen=True)
class Bar:
    """A stretch of a lane: where it is and how wide and high in hundredths, what it looks like, says, and leads to.

    `offset` is that of the record with which it begins.
    """

    left: float
    width: float
    kind: str
    title: str
    offset: int
    text: str = ""
    height: float = 100.0
    event: str | None = None

    @property
    def size(self) -> str:
        """The class of the text, by which it is shown where there is room for it."""
        return "t2" if len(self.text) <= 2 else "t8" if len(self.text) <= 8 else "t30"


@dataclass(frozen=True)
class Mark:
    """An event in a lane: where it is in hundredths, what sort of event it is, and what it says."""

    left: float
    kind: str
    title: str
    offset: int
    event: str


@dataclass(frozen=True)
class Lane:
    """A line of the picture: what it is of, its stretches, its marks, and the stretches of reassignments above.

    `note` is shown beside its name, `about` is what it is of in full.
    """

    name: str
    sort: str
    bars: tuple[Bar, ...] = ()
    marks: tuple[Mark, ...] = ()
    brackets: tuple[Bar, ...] = ()
    note: str = ""
    about: str = ""


@dataclass(frozen=True)
class Event:
    """An event as the page lists it, `causes` the most likely first, `rows` each with its sentence."""

    anchor: str
    place: str
    time: str
    fields: Fields
    causes: tuple[str, ...]
    rows: tuple[tuple[str, str], ...]
    finding: str
    kind: str


Section = tuple[str, tuple[tuple[int, str], ...]]
"""A title, and its lines, each with its depth."""


def _sections(lines: Sequence[str]) -> list[Section]:
    """The paragraphs of a page of text."""
    found: list[list[str]] = [[]]
    for line in lines:
        if line:
            found[-1].append(line)
        else:
            found.append([])
    return [
        (some[0].strip(), tuple(((len(one) - len(one.lstrip())) // 2, one.strip()) for one in some[1:]))
        for some in found
        if some
    ]


class _Axis:
    """The places of moments in hundredths of the picture: by time, by offset where a time is not known."""

    def __init__(self, lanes: Fields) -> None:
        begin, end = lanes["begin"], lanes["end"]
        states = [state for of in ("brokers", "partitions") for lane in lanes[of] for state in lane["states"]]
        times = [begin, end, *states, *lanes["terms"], *lanes["counts"]]
        self.by_time = all(one["timestamp"] is not None for one in times)
        name = "timestamp" if self.by_time else "offset"
        self.begin: int = begin[name]
        self.end: int = max(end[name], self.begin)
        self.span = max(1, self.end - self.begin)
        self.with_day = self.by_time and (iso(self.begin) or "")[:10] != (iso(self.end) or "")[:10]

    def place(self, offset: int, time: int | None) -> float:
        """Return where a moment is, the nearest end where it is outside."""
        at = offset if not self.by_time else self.begin if time is None else time
        return float(round(min(100.0, max(0.0, (at - self.begin) * 100 / self.span)), 4))

    def of_state(self, state: Fields) -> tuple[float, float]:
        """Return where a stretch begins, and how wide it is."""
        left = self.place(state["offset"], state["timestamp"])
        if state["to"] is None:
            return left, round(100 - left, 4)
        return left, round(max(0.0, self.place(state["to"], state["to_timestamp"]) - left), 4)

    def clock(self, time: int | None) -> str:
        """Return a time as the page has it: with the date where the log has several."""
        text = iso(time)
        return "" if text is None else text[:23].replace("T", " ") if self.with_day else text[11:23]

    def ticks(self) -> Iterator[tuple[float, int, str]]:
        """Yield the marks of the axis: place, the zoom from which on it is there, and its text."""
        seen: set[int] = set()
        for zoom, most in LEVELS:
            step = next((one for one in STEPS if self.span / one <= most), STEPS[-1])
            for at in range(ceil(self.begin / step) * step, self.end + 1, step):
                if at not in seen and (at - self.begin) * 100 / self.span < 97:
                    seen.add(at)
                    yield round((at - self.begin) * 100 / self.span, 4), zoom, self._tick(at, step)

    def _tick(self, at: int, step: int) -> str:
        if not self.by_time:
            return f"@{at}"
        text = iso(at) or ""
        if step >= DAY:
            return text[5:10]
        return text[11:16] if step >= 60_000 else text[11:19] if step >= 1000 else text[14:23]


def picture(story: Fields, state: Fields | None = None, lines: Sequence[str] = ()) -> str:
    """Return the document of `story`, with that of `health` and its lines where they are given, as one HTML file."""
    page = ""
    sections = _sections(lines)
    for most in EVENTS:
        page = _Picture(story, most).page(state, sections)
        if len(page.encode()) <= LARGEST:
            break
    return page


class _Picture:
    def __init__(self, story: Fields, most: int) -> None:
        self.story, self.lanes = story, story["lanes"]
        self.axis = _Axis(self.lanes)
        self.findings: dict[int, dict[str, bool]] = {}
        for one in story["findings"]:
            known = self.findings.setdefault(one["offset"], {})
            known[one["finding"]] = known.get(one["finding"], False) or one["certain"]
        events = story["events"]
        worst = sorted(range(len(events)), key=lambda at: (self._rank(events[at]), at))
        self.shown = sorted(worst[:most])
        self.events = [self._event(at, events[at]) for at in self.shown]
        self.offsets = [one.fields["offset"] for one in self.events]

    def page(self, state: Fields | None, sections: Sequence[Section]) -> str:
        """Return the page."""
        script = encodable(template_file("picture.js")).strip()
        text = environment().get_template("picture.html").render(
            story=self.story,
            state=state,
            sections=sections,
            facts=self._facts(),
            headlines=list(self._headlines()),
            lanes=list(self._lanes()),
            ticks=list(self.axis.ticks()),
            axis=self.axis,
            events=self.events,
            notes=list(self._notes()),
            listed=PARTITIONS,
            style=template_file("report.css") + template_file("picture.css"),
            script=script,
            digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        )  # fmt: skip
        return encodable(text)

    # -- words -----------------------------------------------------------------------------------------------------
    def _facts(self) -> str:
        story, begin, end = self.story, self.lanes["begin"], self.lanes["end"]
        counts, span = story["counts"], ""
        if self.axis.by_time:
            first, last = ((one["time"] or "")[:19].replace("T", " ") for one in (begin, end))
            last = last if first[:10] != last[:10] else last[11:]
            span = f"{first} to {last} UTC ({spelled(self.axis.span / 1000)}), "
        return (
            f"{span}offsets {begin['offset']:,} to {end['offset']:,}: {counted(counts['records'], 'record')} in "
            f"{counted(counts['results'], 'result')}, {counted(counts['events'], 'event')}"
        )

    def _headlines(self) -> Iterator[tuple[str, str]]:
        """Yield the headlines, the worst first: a kind and a sentence each."""
        lanes, counts = self.lanes, self.lanes["counts"]
        for name, word in CONDITIONS.items():
            most = max(counts, key=lambda one, name=name: one[name], default=None)  # type: ignore[misc]
            if most is None or not most[name] or name == "reassigning":
                continue
            at_once = "1 partition" if most[name] == 1 else f"up to {most[name]:,} partitions at once"
            mine = [one for one in lanes["partitions"] if one.get(f"{name}_seconds")]
            longest = max(mine, key=lambda one, name=name: one[f"{name}_seconds"], default=None)  # type: ignore[misc]
            of = f", {longest['partition']} the longest: {spelled(longest[f'{name}_seconds'])}" if longest else ""
            still = f"; {counts[-1][name]:,} at the end" if counts[-1][name] else ""
            yield name, f"{word}: {at_once}{of}{still}"
        unclean = sum(one["counts"].get("unclean", 0) for one in self.story["events"])
        if unclean:
            yield "offline", f"{counted(unclean, 'unclean election')}: records that were acknowledged may be lost"
        for word, state in (("fenced", "fenced"), ("shut down in order", "in_controlled_shutdown")):
            times = {
                one["broker"]: sum(
                    s["state"] == state and (n > 0 or state != "fenced") for n, s in enumerate(one["states"])
                )
                for one in lanes["brokers"]
            }
            named = [f"{one} ({count} times)" if count > 1 else str(one) for one, count in times.items() if count]
            if named:
                yield state, f"broker{'s' * (len(named) > 1)} {word}: {', '.join(named)}"
        if len(lanes["terms"]) > 1:
            last = lanes["terms"][-1]
            changed = sum(one["times"] for one in lanes["terms"]) - 1
            yield (
                "term",
                f"the controller changed {counted(changed, 'time')}; now {last['id']} in epoch {last['epoch']}",
            )
        begun = sum(one["counts"].get("reassignment_begun", 0) for one in self.story["events"])
        over = sum(one["counts"].get("reassignment_over", 0) for one in self.story["events"])
        if begun or over:
            yield "reassigning", f"{counted(begun, 'reassignment')} begun, {over:,} over"
        certain = {name for known in self.findings.values() for name, is_certain in known.items() if is_certain}
        for name in sorted(certain, key=lambda one: int(one[1:]) if one[1:].isdecimal() else 0):
            yield (
                "finding",
                f"known defect of Kafka {name}: {counted(sum(name in k for k in self.findings.values()), 'time')}",
            )
        odd = sum(one["explained"] is False for one in self.story["events"])
        if odd:
            yield "unexplained", f"no row of the tables explains {counted(odd, 'event')}"

    def _notes(self) -> Iterator[str]:
        left, story = self.lanes["left_out"], self.story
        if left["partitions"]:
            yield (
                f"Aggregated: {left['partitions']:,} partitions that changed have no lane, those in most trouble have "
                "(+n: so many more have the same history). The counts above are of all; --partition shows another."
            )
        if left["brokers"]:
            less = counted(left["brokers"], "broker")
            yield f"Aggregated: {less} that changed less have no lane; --broker shows one."
        if left["counts"]:
            yield "Aggregated: of the counts of all partitions the highest of each stretch of time are drawn."
        if any(
            one["times"] > 1 for of in ("brokers", "partitions") for lane in self.lanes[of] for one in lane["states"]
        ):
            yield "Aggregated: a hatched stretch shows the worst of several states; --from and --to show less at once."
        if len(self.events) < len(story["events"]):
            yield (
                f"Aggregated: {len(self.events):,} of {len(story['events']):,} events are on this page, those with "
                "defects, of partitions without a leader and of brokers first; --json has all."
            )
        if story["untold"]:
            yield "No event: " + ", ".join(f"{count:,} {name}" for name, count in story["untold"].items()) + "."
        if story["rows_asked_up_to"] is not None:
            where = f"From offset {story['rows_asked_up_to']} on"
            yield f"{where} rows were evaluated for large batches alone; --rows evaluates them for all."
        if story["ends"] is not None:
            yield f"Here the story ends: {story['ends']}"
        yield from story["notes"]

    # -- events ----------------------------------------------------------------------------------------------------
    def _rank(self, event: Fields) -> int:
        if event["offset"] in self.findings or event["explained"] is False:
            return 0
        if any(event["counts"].get(name) for name in SERIOUS):
            return 1
        return 2 if event["brokers"] or event["explained"] is None else 3

    def _event(self, at: int, fields: Fields) -> Event:
        first, last = fields["offset"], fields["last_offset"]
        known = self.findings.get(first, {})
        rows = tuple((row["id"], self.story["rows"].get(row["id"], "")) for row in fields["rows"])
        return Event(
            f"e{at}",
            f"@{first}" if first == last else f"@{first}-{last}",
            self.axis.clock(fields["timestamp"]),
            fields,
            tuple(causes(fields)),
            rows,
            ", ".join(name if is_certain else f"maybe {name}" for name, is_certain in known.items()),
            self._kind(fields, known),
        )

    def _kind(self, fields: Fields, known: Mapping[str, bool]) -> str:
        if any(known.values()):
            return "finding"
        if fields["explained"] is False:
            return "unexplained"
        if fields["counts"].get("leaderless"):
            return "offline"
        if fields["counts"].get("unclean"):
            return "unclean"
        return "maybe" if known else "plain"

    def _at(self, offset: int) -> str | None:
        """The anchor of the event that has a record; None where it is not on the page."""
        place = bisect_right(self.offsets, offset)
        for one in reversed(self.events[max(0, place - 8) : place]):
            if one.fields["last_offset"] >= offset:
                return one.anchor
        return None

    def _mark(self, one: Event) -> Mark:
        title = f"{one.time} {one.place} {one.fields['words']}".strip()
        left = self.axis.place(one.fields["offset"], one.fields["timestamp"])
        return Mark(left, one.kind, title[:300], one.fields["offset"], one.anchor)

    # -- lanes -----------------------------------------------------------------------------------------------------
    def _lanes(self) -> Iterator[Lane]:
        lanes = self.lanes
        yield Lane("controller", "terms", tuple(map(self._term, lanes["terms"])))
        found = [self._mark(one) for one in self.events if one.kind in ("finding", "unexplained", "maybe")]
        yield Lane("findings", "events", marks=tuple(found), note="" if found else "none")
        others = [one for one in self.events if not one.fields["brokers"] and not self._is_of_partitions(one.fields)]
        yield Lane("cluster", "events", marks=tuple(map(self._mark, others)), note="" if others else "nothing")
        for lane in lanes["brokers"]:
            mine = [one for one in self.events if lane["broker"] in one.fields["brokers"]]
            states = tuple(self._of_broker(lane["broker"], one) for one in lane["states"])
            yield Lane(f"broker {lane['broker']}", "broker", states, tuple(map(self._mark, mine)))
        for name, word in CONDITIONS.items():
            most = max((one[name] for one in lanes["counts"]), default=0)
            if most or name == "offline":
                bars = tuple(self._counts(name, word, most))
                yield Lane(word, f"count {name}", bars, note=f"max {most:,}" if most else "none")
        for lane in lanes["partitions"]:
            bars = tuple(self._of_partition(lane["partition"], one) for one in lane["states"])
            moves = tuple(self._brackets(lane["states"]))
            alike = lane["alike"]["count"]
            named = [*lane["alike"]["partitions"], *(["…"] if alike > len(lane["alike"]["partitions"]) else [])]
            about = f"{lane['partition']}, and with the same history {', '.join(named)}" if alike else ""
            note = f"+{alike:,}" if alike else ""
            yield Lane(lane["partition"], "partition", bars, brackets=moves, note=note, about=about)

    @staticmethod
    def _is_of_partitions(fields: Fields) -> bool:
        counts = fields["counts"]
        return bool(counts["partitions"]) and not counts.get("created") and "TOPIC_RECORD" not in fields["types"]

    def _span(self, one: Fields) -> str:
        begin, end = self.axis.clock(one["timestamp"]), self.axis.clock(one["to_timestamp"])
        place = f"@{one['offset']} to {'the end' if one['to'] is None else '@' + str(one['to'])}"
        if not begin or not end:
            return place
        return f"{begin} to {end} ({spelled(max(0, one['to_timestamp'] - one['timestamp']) / 1000)}), {place}"

    def _term(self, one: Fields) -> Bar:
        left, width = self.axis.of_state(one)
        who = "a controller" if one["id"] is None else f"controller {one['id']}"
        kind = f"term c{one['epoch'] % 2}" + (" many" if one["times"] > 1 else "")
        title = f"{who} leads the quorum in epoch {one['epoch']}: {self._span(one)}{_times(one)}"
        text = f"{who}, epoch {one['epoch']}"
        return Bar(left, width, kind, title, one["offset"], text, event=self._at(one["offset"]))

    def _of_broker(self, broker: int, one: Fields) -> Bar:
        left, width = self.axis.of_state(one)
        kind = f"state {one['state']}" + (" many" if one["times"] > 1 else "")
        title = f"broker {broker} {STATES[one['state']]}: {self._span(one)}{_times(one)}"
        text = "" if one["state"] == "active" else STATES[one["state"]]
        return Bar(left, width, kind, title, one["offset"], text, event=self._at(one["offset"]))

    def _counts(self, name: str, word: str, most: int) -> Iterator[Bar]:
        points = self.lanes["counts"]
        for number, one in enumerate(points):
            if not one[name] or (number and points[number - 1][name] == one[name]):
                continue
            over = next((later for later in points[number + 1 :] if later[name] != one[name]), None)
            to = {"to": None if over is None else over["offset"],
                  "to_timestamp": self.lanes["end"]["timestamp"] if over is None else over["timestamp"]}  # fmt: skip
            left, width = self.axis.of_state({**one, **to})
            title = f"{one[name]:,} of {counted(one['partitions'], 'partition')} {word}: {self._span({**one, **to})}"
            height = round(20 + 80 * one[name] / most, 1)
            text = f"{one[name]:,}" if height > 60 else ""
            yield Bar(left, width, "count", title, one["offset"], text, height, self._at(one["offset"]))

    def _of_partition(self, name: str, one: Fields) -> Bar:
        left, width = self.axis.of_state(one)
        isr, replicas = (len(one[cell]) if isinstance(one[cell], list) else 0 for cell in ("isr", "replicas"))
        leader = one["leader"]
        who = "no leader" if leader is None else f"leader {leader}"
        elr = f", ELR {one['elr']}" if one["elr"] else ""
        moves = f", adds {one['adding']}, removes {one['removing']}" if one["adding"] or one["removing"] else ""
        is_under = leader is not None and one["min_isr"] is not None and isr < one["min_isr"]
        under = f", under min ISR {one['min_isr']}" if is_under else ""
        title = (
            f"{name}: {who}, ISR {one['isr']} of {one['replicas']}{elr}{under}{moves}: {self._span(one)}{_times(one)}"
        )
        kind = "offline" if leader is None else f"led l{leader % COLOURS if isinstance(leader, int) else 0}"
        kind += " under" * is_under + " many" * (one["times"] > 1)
        height = 100.0 if leader is None else round(100 * min(1, isr / max(1, replicas)), 1)
        text = "offline" if leader is None else str(leader) if height > 60 else ""
        return Bar(left, width, kind, title, one["offset"], text, height, self._at(one["offset"]))

    def _brackets(self, states: Sequence[Fields]) -> Iterator[Bar]:
        """The stretches in which a partition is being reassigned, each whole."""
        begun: Fields | None = None
        for one in [*states, None]:
            is_moving = one is not None and bool(one["adding"] or one["removing"])
            if is_moving and begun is None:
                begun = one
            elif not is_moving and begun is not None:
                last = states[-1] if one is None else one
                to = {"to": None, "to_timestamp": last["to_timestamp"]} if one is None else {
                    "to": one["offset"], "to_timestamp": one["timestamp"]}  # fmt: skip
                left, width = self.axis.of_state({**begun, **to})
                title = (
                    f"reassigned: adds {begun['adding']}, removes {begun['removing']}: {self._span({**begun, **to})}"
                )
                yield Bar(left, width, "moving", title, begun["offset"], event=self._at(begun["offset"]))
                begun = None


def _times(one: Fields) -> str:
    return f"; the worst of {counted(one['times'], 'state')}" if one["times"] > 1 else ""


__all__ = ["Bar", "Event", "Lane", "Mark", "picture"]
