"""Units of many records parsed at once: the rows that explain a record are found once for all equivalent ones.

What cannot be decided so is left to `parsing.py`, which says the same of every unit, record by record.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fencepost.arrays import np
from fencepost.checkers.conformance.classes.changes import Change
from fencepost.checkers.conformance.classes.classes import Numbers
from fencepost.checkers.conformance.classes.groups import alike
from fencepost.checkers.conformance.classes.questions import Question
from fencepost.checkers.conformance.matching.matching import Edge, TooMuchWork
from fencepost.checkers.conformance.matching.parsing import Block

from .asking import Asking, packed
from .local import Local
from .matching_by_class import ClassMatcher, Kept
from .run_units import RunUnit
from .transitions import Transitions, Undo

MOST_PLACES = 256
"""The number of places of one unit at which rows are evaluated singly; a unit with more is left to the other parser."""

LONG = 16
"""The number of neighbouring records from which on they are evaluated at once."""


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """Places [start, end) of a unit, each explained by itself: `parts` are the edges as they are kept, and the places
    that have them."""

    start: int
    end: int
    parts: tuple[tuple[tuple[Kept, ...], Numbers], ...]


Node = Stretch | list[Edge]


@dataclass(slots=True)
class _Found:
    nodes: dict[int, Node] = field(default_factory=dict)
    reached: list[int] = field(default_factory=lambda: [0])

    def reach(self, place: int) -> None:
        if place not in self.reached:
            insort(self.reached, place)


class BulkParser:
    """Parses units in which runs of records are about entities of the classed sort."""

    def __init__(self, matcher: ClassMatcher, local: Local) -> None:
        self.matcher, self.local = matcher, local
        self.transitions = Transitions(matcher.state, local)

    def parse(self, unit: RunUnit) -> list[Block | Stretch] | None:
        """Return the blocks of a unit, None where they cannot be found in bulk; leaves the state as it was."""
        matcher = self.matcher
        matcher.forgiven, matcher.exhausted = set(), set()
        matcher.furthest, matcher.could_be_shorter, matcher.work = 0, False, 0
        undo: list[Undo | tuple[Change, ...]] = []
        try:
            nodes = self._nodes(unit, undo)
        except TooMuchWork:
            nodes = None
        finally:
            self.transitions.take_back(undo)
        return None if nodes is None or matcher.exhausted else _blocks(nodes, len(unit))

    def _nodes(self, unit: RunUnit, undo: list[Undo | tuple[Change, ...]]) -> Mapping[int, Node] | None:
        found, at, asked = _Found(), 0, 0
        while at < len(unit):
            self.matcher.state.at_offset(unit.offset(at))
            # Places are reached in order: those in front of this one have been read.
            found.reached.remove(at)
            following = found.reached[0] if found.reached else len(unit)
            stretch = self._stretch(unit, at, following)
            if stretch is not None:
                found.nodes[at] = stretch
                found.reach(stretch.end)
            else:
                asked += 1
                edges = self.matcher.edges(unit, at)
                if asked > MOST_PLACES or self._goes_on(edges, unit):
                    return None
                found.nodes[at] = edges
                for edge in edges:
                    found.reach(edge.end)
            following = found.reached[0] if found.reached else len(unit)
            # No row is evaluated in the state behind the unit.
            if following < len(unit) and not self.transitions.advance(unit, at, following, undo):
                return None
            at = following
        return found.nodes

    def _goes_on(self, edges: Sequence[Edge], unit: RunUnit) -> bool:
        """Whether further parts of a request may follow an edge: rows that begin with the next record's type."""
        plans = self.matcher.plans
        return any(
            plan.row.event.name in plans.later(edge.row)
            for edge in edges
            if edge.row is not None and edge.end < len(unit)
            for plan in plans.by_first.get(unit.type_at(edge.end), ())
        )

    def _stretch(self, unit: RunUnit, at: int, following: int) -> Stretch | None:
        """Return neighbouring records that are each explained by themselves, None where there are not many."""
        piece, run_end, matcher, local = unit.piece(at), unit.run_end(at), self.matcher, self.local
        # The last one of a run has a further condition: rows that write many can end there.
        end = min(following, piece.end, run_end - 1)
        if piece.who is None or piece.said is None or end - at < LONG:
            return None
        behind = unit.type_at(run_end) if run_end < len(unit) else None
        part = slice(at - piece.start, end - piece.start)
        who, said, cut = piece.who[part], piece.said[part], end - at
        what, numbers = ("edges", piece.record.name, behind, False), local.classes.of_number[who]
        asking = Asking(local, what, packed(numbers, said), who, matcher.state.frame, matcher.state.version)

        def evaluate(key: Question, place: int) -> None:
            matcher.keep(key, local.classes.entities[who[place]], unit, at + place, run_end)

        alone: list[bool] = []
        for place in (-1, *asking.rest()):
            if place >= cut:
                break
            known = place < 0 or asking.settle(
                place, Question(what, numbers.item(place), said=said.item(place)), evaluate
            )
            alone += [self._is_alone(edges) for edges, _ in asking.results[len(alone) :]]
            if not all(alone):
                others = np.flatnonzero((asking.which[:cut] >= 0) & ~np.array([*alone, True])[asking.which[:cut]])
                cut = min([cut, *others[:1].tolist()])
            cut = cut if known else min(cut, place)
        for number in np.unique(asking.which[: cut + 1]).tolist():
            matcher.could_be_shorter |= number >= 0 and asking.results[number][1]
        if cut < LONG:
            return None
        groups = alike(asking.which[:cut])
        parts = [(asking.results[asking.which.item(places.item(0))][0], at + places) for places in groups]
        end = at + cut
        last = matcher.kept(unit, end) if end == run_end - 1 < min(following, piece.end) else None
        if last is not None and self._is_alone(last[0]):
            matcher.could_be_shorter |= last[1]
            parts.append((last[0], np.array([end])))
            end = run_end
        return Stretch(at, end, tuple(parts))

    def _is_alone(self, edges: Sequence[Kept]) -> bool:
        """Whether a record is explained by itself, whatever guards evaluate for all entities and whatever follows."""
        asked = any(one.late or one.reads_on or self.matcher.plans.later(one.row) for one in edges)
        return bool(edges) and not asked


def _blocks(nodes: Mapping[int, Node], length: int) -> list[Block | Stretch] | None:
    """Return the blocks of all complete parses, None where there is none, or where a stretch may be part of another."""
    completes = {length}
    for at in sorted(nodes, reverse=True):
        node = nodes[at]
        if (node.end in completes) if isinstance(node, Stretch) else any(edge.end in completes for edge in node):
            completes.add(at)
    if 0 not in completes:
        return None
    blocks: list[Block | Stretch] = []
    at = 0
    while at < length:
        node = nodes[at]
        if isinstance(node, Stretch):
            blocks.append(node)
            at = node.end
            continue
        kept = [edge for edge in node if edge.end in completes]
        live = sorted({edge.end for edge in kept})
        while len(live) > 1:
            inner = nodes[live.pop(0)]
            if isinstance(inner, Stretch):
                return None
            further = [edge for edge in inner if edge.end in completes]
            kept += further
            live = sorted({*live, *(edge.end for edge in further)})
        blocks.append(Block(at, live[0], tuple(kept)))
        at = live[0]
    return blocks
