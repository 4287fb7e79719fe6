"""Behaviour gained and lost: two designs run in step at a bound, until one can do what the other cannot."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fencepost.checkers.counterexample import Trace, replay
from fencepost.checkers.document import Document
from fencepost.checkers.exploration.columns import ColumnEngine
from fencepost.checkers.exploration.initial import initial_rows
from fencepost.checkers.exploration.layout import Layout
from fencepost.checkers.exploration.plan import Plan
from fencepost.checkers.exploration.store import PlainStore
from fencepost.checkers.exploration.traces import Silent, Tracer
from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import Bound, Protocol, TableError, Term

from .differences import Differences, alike
from .forbidden import forbidden

SECONDS = 5.0
"""Seconds of processor time for one bound."""
STATES = 100_000
PART = 0.6
"""The part of what is left of the time that a bound gets where there are others after it."""
LIMIT = 2.0
"""Seconds for the question whether a bound sees a change."""
CHUNK = 512


@dataclass(frozen=True)
class Parted(Document):
    """Two designs run in step at a bound.

    A step is an event and the state that it leads to; steps that change no state, answers and refusals are left out.
    `gained` is a shortest run that both have, and then a step that only the variant has; `lost` one that only the
    base has. `depth` counts the levels of common states that were searched whole, `closed` says that these are all.
    `message` says why the bound could not be searched.
    """

    protocol: str
    bound: str
    states: int = 0
    depth: int = 0
    closed: bool = False
    gained: Trace | None = None
    lost: Trace | None = None
    message: str = ""

    def none_text(self) -> str:
        """Return what it means that nothing was found."""
        if self.message:
            return f"not compared: {self.message}"
        if self.closed:
            return f"none in all {self.states:,} common states"
        return f"none in the first {self.depth} levels of {self.states:,} common states, further ones not searched"


def in_step(base: Protocol, variant: Protocol, bound: str, wanted: Sequence[str], seconds: float = SECONDS) -> Parted:
    """Run two designs in step at a bound of both, until what is wanted (`gained`, `lost`) is found or time is up."""
    try:
        return _InStep(base, variant, bound).run(set(wanted), time.process_time() + seconds)
    except (Refusal, TableError) as error:
        return Parted(variant.name, bound, message=str(error))


@dataclass(frozen=True)
class Behaviour(Document):
    """Behaviour that a variant has and its base lacks, and the other way round, as far as some bounds show.

    `possible` is what its rows can have at all of `gained` and `lost`, by how their guards and effects compare;
    `parted` are the bounds that were searched. `blind` are bounds at which no row is another one, given what
    they assume of its event; they are not searched.
    """

    DOCUMENT = "possible bounds=parted blind"

    possible: tuple[str, ...]
    parted: tuple[Parted, ...]
    blind: tuple[str, ...] = ()

    def shortest(self, name: str) -> tuple[Parted, Trace] | None:
        """Return the shortest run of a kind and where it was found, None where no bound shows one."""
        runs = [(one, run) for one in self.parted if (run := getattr(one, name)) is not None]
        return min(runs, key=lambda pair: len(pair[1].steps), default=None)


def behaviour(
    wholes: tuple[Protocol, Protocol],
    base: Sequence[Protocol],
    variant: Sequence[Protocol],
    found: Differences,
    seconds: float = SECONDS,
) -> Behaviour:
    """Run slices of two designs in step, at bounds that have a row that changed: the first of each slice first.

    No bound is begun once both kinds are found. `seconds` of processor time are for all bounds; each gets its part of
    what is left.
    """
    names = {"behaviour-added": "gained", "behaviour-removed": "lost"}
    possible = tuple(dict.fromkeys(names[one.what] for one in forbidden(found, tuple(names))))
    rows = {one.id for one in found.rows}
    sight = _Sight(wholes, found)
    pairs, blind = [], []
    ranked = [(place, new, bound) for new in variant for place, bound in enumerate(new.bounds)]
    asking = time.process_time()
    for _, new, bound in sorted(ranked, key=lambda one: one[0]):
        if time.process_time() - asking >= seconds:
            break
        old = next((one for one in base if bound in one.bounds), None)
        mine = rows & {row.id for one in (old, new) if one is not None for row in one.rows}
        if old is not None and (found.begins or mine):
            if found.begins or sight.sees(old.bounds[bound], mine):
                pairs.append((old, new, bound))
            else:
                blind.append(bound)
    seconds -= time.process_time() - asking
    parted: list[Parted] = []
    wanted = set(possible) if seconds > 0 else set()
    for number, (old, new, bound) in enumerate(pairs):
        if not wanted:
            break
        began = time.process_time()
        if seconds <= 0:
            break
        # What a bound needs first, printed functions, takes a second or two of the largest protocols.
        one = in_step(old, new, bound, sorted(wanted), seconds if number == len(pairs) - 1 else PART * seconds)
        seconds -= time.process_time() - began
        wanted -= {name for name in wanted if getattr(one, name) is not None}
        parted.append(one)
    return Behaviour(possible, tuple(parted), tuple(blind))


class _Sight:
    """Whether bounds see a change: each assumption about an event is checked for each row once."""

    def __init__(self, wholes: tuple[Protocol, Protocol], found: Differences) -> None:
        self.wholes = wholes
        self.events = {one.id: one.on for one in found.rows}
        self.guards = {
            one.id
            for one in found.rows
            if one.how in ("changed", "held back otherwise") and not (one.event or one.effects)
        }
        self._known: dict[tuple[str, Term[bool]], bool] = {}

    def sees(self, bound: Bound, rows: set[str]) -> bool:
        """Return whether some row is another one at a bound, for all that is known."""
        return any(self._differs(id, bound.given.get(self.events[id])) for id in sorted(rows))

    def _differs(self, id: str, given: Term[bool] | None) -> bool:
        if given is None or id not in self.guards:
            return True
        if (id, given) not in self._known:
            self._known[id, given] = not alike(*self.wholes, id, given, LIMIT)
        return self._known[id, given]


class _InStep:
    def __init__(self, base: Protocol, variant: Protocol, bound: str) -> None:
        self.names = variant.name, bound
        mine, theirs = base.bounds[bound], variant.bounds[bound]
        if set(base.states) >= set(variant.states):
            layout = Layout(base, mine.sizes)
        elif set(variant.states) >= set(base.states):
            layout = Layout(variant, theirs.sizes)
        else:
            raise Refusal("each of the two has variables that the other has not")
        if dict(mine.sizes) != dict(theirs.sizes):
            raise Refusal("the bound has other sizes for each of the two")
        self.layout = layout
        self.plans: tuple[Plan, Plan] = (Silent(base, mine, layout), Silent(variant, theirs, layout))
        self.engines = tuple(ColumnEngine(plan) for plan in self.plans)
        for engine, plan in zip(self.engines, self.plans, strict=True):
            left = [row.row.id for row in plan.rows if not engine.takes(row)]
            if left:
                raise Refusal(f"{left[0]} is too large for a search without compiled functions")
        self.store = PlainStore(layout)
        self.found: dict[str, Trace] = {}
        same = {
            row.row.id
            for row in self.plans[0].rows
            if any(row.row.same_as(one.row) and row.conditions == one.conditions for one in self.plans[1].rows)
        }
        self.events = {row.row.event.name for plan in self.plans for row in plan.rows if row.row.id not in same}

    def run(self, wanted: set[str], until: float) -> Parted:
        """Go on level by level through the states that both come to by the same steps."""
        starts = [initial_rows(plan.protocol, plan.bound, self.layout) for plan in self.plans]
        if {one.tobytes() for one in starts[0]} != {one.tobytes() for one in starts[1]}:
            raise Refusal("the two begin in other states")
        if not self.events:
            raise Refusal("no row that changes the state differs here")
        self.store.add(starts[0], np.zeros(len(starts[0]), np.int64), 0, -1)
        start = depth = 0
        while start < self.store.count:
            stop = self.store.count
            for low in range(start, stop, CHUNK):
                self._chunk(low, min(low + CHUNK, stop))
                if wanted <= self.found.keys() or time.process_time() > until or self.store.count > STATES:
                    return self._parted(depth, False)
            start, depth = stop, depth + 1
        return self._parted(depth, True)

    def _parted(self, depth: int, closed: bool) -> Parted:
        return Parted(*self.names, self.store.count, depth, closed, self.found.get("gained"), self.found.get("lost"))

    def _chunk(self, low: int, high: int) -> None:
        cells = self.store.unpacked(low, high)
        own = [one.tobytes() for one in self.layout.pack(cells)[0]]
        sides = [self._steps(side, cells, own) for side in (0, 1)]
        mine, theirs = ({key for key, *_ in side} for side in sides)
        for name, side, others in (("gained", 1, mine), ("lost", 0, theirs)):
            if name not in self.found:
                alone = [(key[0], number, code) for key, number, code, _ in sides[side] if key not in others]
                if alone:
                    self.found[name] = self._trace(side, low, *min(alone))
        common = mine & theirs
        for key, number, _, row in sides[0]:
            if key in common:
                self.store.add(row[None, :], np.asarray([key[0]], np.int64), low, number)
        for number, plan in enumerate(self.plans[0].rows):
            if plan.row.event.name not in self.events:
                for expansion in self._expanded(0, number, cells):
                    self.store.add(expansion.rows, expansion.source, low, number)

    def _expanded(self, side: int, number: int, cells: Any) -> Any:
        at, alive = 0, np.zeros(len(cells), np.uint8)
        while at < len(cells):
            expansion = self.engines[side].expand(number, cells, at, alive)
            at = expansion.stop
            if len(expansion.rows):
                yield expansion

    def _steps(self, side: int, cells: Any, own: list[bytes]) -> list[tuple[tuple[int, str, bytes], int, int, Any]]:
        """The steps of the events that differ: what distinguishes each, its row, its binding, where it leads."""
        made = []
        for number, plan in enumerate(self.plans[side].rows):
            event = plan.row.event.name
            if event not in self.events:
                continue
            for expansion in self._expanded(side, number, cells):
                words, good = self.layout.pack(expansion.rows)
                for i in np.flatnonzero(good):
                    source, after = int(expansion.source[i]), words[i].tobytes()
                    if after != own[source]:
                        made.append(((source, event, after), number, int(expansion.code[i]), expansion.rows[i]))
        return made

    def _trace(self, side: int, low: int, source: int, number: int, code: int) -> Trace:
        """The run to a state that both come to, and the step that only one has, as the interpreter replays them."""
        start, moves = Tracer(self.plans[0], self.store).path(low + source)
        world = self.layout.world
        common = replay(self.plans[0].protocol, world, start, moves)
        plan = self.plans[side].rows[number]
        binding = dict(zip(plan.row.params, plan.radix.decode(code), strict=True))
        last = replay(self.plans[side].protocol, world, common.end, [(plan.row, binding)])
        return Trace(self.plans[side].protocol, world, start, (*common.steps, *last.steps))


__all__ = ["Behaviour", "Parted", "behaviour", "in_step"]
