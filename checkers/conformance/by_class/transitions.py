"""The changes by the records of a run, found once for each group of entities and made for all of it at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fencepost.arrays import np
from fencepost.checkers.conformance.classes.changes import Change
from fencepost.checkers.conformance.classes.classes import Classes, Numbers, Own
from fencepost.checkers.conformance.classes.frames import MISSING
from fencepost.checkers.conformance.classes.groups import Kind, alike
from fencepost.checkers.conformance.classes.members import Said
from fencepost.checkers.conformance.classes.questions import Question
from fencepost.checkers.conformance.records.wire import BoundRecord
from fencepost.checkers.conformance.state.replay import HardState

from .asking import Asking, packed, unpacked
from .changes_by_class import changes_of
from .local import Local
from .run_units import Piece, RunUnit
from .tracer import Symbol

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Transition:
    """The transition of entities at some indexes of a unit, by the `Group` they form; `kind` is None where more than
    their own cells changes. `counts` are the slots of the numbers that are counted, each with how much more, or which
    it is.
    """

    places: Numbers
    who: Numbers
    kind: Kind | None
    counts: tuple[tuple[int, bool, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Undo:
    """The classes and counted numbers of some entities before they changed."""

    who: Numbers
    classes: Numbers
    counts: tuple[tuple[int, npt.NDArray[np.int64]], ...]


class Transitions:
    """Moves the state of a log over the records of a unit, runs of one type at once."""

    def __init__(self, state: HardState, local: Local) -> None:
        self.state, self.local = state, local
        self.classes = local.classes
        self._made: dict[tuple[int, int], tuple[Any, Kind | None, tuple[tuple[int, bool, int], ...]]] = {}

    def _changes(self, record: BoundRecord) -> tuple[Change, ...]:
        return changes_of(self.state, self.local, record)

    # -- what changes ----------------------------------------------------------------------------------------------
    def of(self, unit: RunUnit, piece: Piece, start: int, end: int) -> list[Transition] | None:
        """Return what the records of a part of a run change, None where that is not known by class.

        A repeated call for this part returns the same: it is in the same state.
        """
        if (start, end) not in unit.changes:
            unit.changes[start, end] = self._of(unit, piece, start, end)
        found: list[Transition] | None = unit.changes[start, end]
        return found

    def _of(self, unit: RunUnit, piece: Piece, start: int, end: int) -> list[Transition] | None:
        assert piece.who is not None
        who, found = piece.who[start - piece.start : end - piece.start], list[Transition]()
        before = self.classes.of_number[who]
        asking = self._asked(unit, piece, start, end)
        if asking is None:
            return None
        for places in alike(packed(before, asking.which)):
            first = places.item(0)
            way = self._known_way(before.item(first), asking.results[asking.which.item(first)])
            found.append(Transition(start + places, who[places], *way))
        return found

    def _asked(self, unit: RunUnit, piece: Piece, start: int, end: int) -> Asking | None:
        """Find the changes by the records of a part of a run, None where that is not known by class."""
        assert piece.who is not None
        assert piece.said is not None
        part = slice(start - piece.start, end - piece.start)
        who, said = piece.who[part], piece.said[part]
        what, before = ("replay", piece.record.name), self.classes.of_number[who]
        asking = Asking(self.local, what, packed(before, said), who, self.state.frame, self.state.version)
        is_known = asking.all(
            lambda at: Question(what, before.item(at), said=said.item(at)),
            lambda _, at: self._changes(unit[start + at]),
        )
        return asking if is_known else None

    def _known_way(self, number: int, cells: Any) -> tuple[Kind | None, tuple[tuple[int, bool, int], ...]]:
        """Return what `_way` does, found once."""
        way = (number, id(cells))
        made = self._made.get(way)
        if made is None:
            # What was evaluated is kept beside: another object may not have its number.
            made = self._made[way] = (cells, *self._way(number, cells))
        return made[1:]

    def _way(self, number: int, cells: Any) -> tuple[Kind | None, tuple[tuple[int, bool, int], ...]]:
        """Return how entities of a class go, and what is counted of them (`Transition`)."""
        slots, classes, first = self.local.shape.slots, self.classes, number
        counts, signs, named = list[tuple[int, bool, int]](), list[tuple[bool, Any]](), list[Any]()
        for (table, keys), old, new in sorted(cells, key=lambda one: one[0][0]):
            slot = slots.get(table)
            own = None if slot is None else classes.own[slot]
            if (
                slot is None
                or keys[0] is not self.local.tracer.own(None)
                or any(isinstance(k, Symbol) for k in keys[1:])
            ):
                return None, ()
            value = new
            if table in self.local.shape.counted:
                if isinstance(old, Symbol) and isinstance(new, Symbol) and new.source == old.source:
                    counts.append((slot, True, new.by))
                    signs.append((True, new.by - old.by))
                elif isinstance(new, int) and not isinstance(old, Symbol):
                    counts.append((slot, False, new))
                    signs.append((False, new))
                else:
                    return None, ()
                value = own
            elif isinstance(new, Symbol):
                if own is None or new is not self.local.tracer.own(own.place):
                    return None, ()
                value = own
            named.append((table, keys[1:]))
            number = classes.step(number, slot, keys[1:], value)
        return (first, number, frozenset(named), tuple(signs)), tuple(counts)

    # -- making it -------------------------------------------------------------------------------------------------
    def make(self, made: Sequence[Transition]) -> Undo:
        """Make changes of entities' own cells, no entity twice."""
        classes = self.classes
        who = np.concatenate([one.who for one in made])
        slots = sorted({slot for one in made for slot, _, _ in one.counts})
        undo = Undo(who, classes.of_number[who], tuple((slot, self._counts(slot)[who]) for slot in slots))
        which = np.repeat(np.arange(len(made)), [len(one.who) for one in made])
        self._go(who, which, [(one.kind, one.counts) for one in made])
        return undo

    def _go(
        self, who: Numbers, which: Numbers, ways: Sequence[tuple[Kind | None, tuple[tuple[int, bool, int], ...]]]
    ) -> None:
        """Make the transitions of entities, each by its number among them."""
        for slot in sorted({slot for _, counts in ways for slot, _, _ in counts}):
            told = [next(((adds, value) for at, adds, value in counts if at == slot), (True, 0)) for _, counts in ways]
            adds, values = np.array([one for one, _ in told]), np.array([one for _, one in told], np.int64)
            counts = self._counts(slot)
            counts[who] = np.where(adds[which], counts[who], 0) + values[which]
        numbers = [-1 if kind is None else kind[1] for kind, _ in ways]
        self.classes.move_all(who, np.array(numbers, np.int32)[which])
        self.state.writes += 1
        self.state.frame.forget()

    def at_once(self, unit: RunUnit, piece: Piece, start: int) -> int | None:
        """Replay records of a run from a place on, without claims about them, up to one that changes more than its
        entity's own cells; return its place, None where what they change is not known by class."""
        asking = self._asked(unit, piece, start, piece.end)
        if asking is None or piece.who is None:
            return None
        who = piece.who[start - piece.start :]
        pairs, which = np.unique(packed(self.classes.of_number[who], asking.which), return_inverse=True)
        ways = [self._known_way(number, asking.results[result]) for number, result in unpacked(pairs)]
        others = np.flatnonzero(np.array([kind is None for kind, _ in ways])[which])
        count = others.item(0) if len(others) else len(who)
        if count:
            self._go(who[:count], which[:count], ways)
        return start + count

    def _counts(self, slot: int) -> npt.NDArray[np.int64]:
        own = self.classes.own[slot]
        assert own is not None
        return own.counts

    def take_back(self, undo: Sequence[Undo | tuple[Change, ...]]) -> None:
        """Take changes back; the last made come first."""
        for one in reversed(undo):
            if isinstance(one, Undo):
                for slot, counts in one.counts:
                    self._counts(slot)[one.who] = counts
                self.classes.move_all(one.who, one.classes)
                self.state.writes += 1
                self.state.frame.forget()
            else:
                self.state.undo(one)

    def advance(self, unit: RunUnit, start: int, end: int, undo: list[Undo | tuple[Change, ...]]) -> bool:
        """Replay records of a unit, recording an undo; False, with nothing changed, where changes are not known."""
        for _, part in self.steps(unit, start, end):
            if part is None:
                return False
            undo.append(self.make(part) if isinstance(part, list) else self.replay(part))
        return True

    def replay(self, made: tuple[Change, ...]) -> tuple[Change, ...]:
        """Make the changes of one record."""
        self.state.apply(made)
        return made

    def singly(self, unit: RunUnit, start: int, end: int) -> Iterator[tuple[int, tuple[Change, ...]]]:
        """Yield the changes by each record, with its index; the caller makes them before the next."""
        for at in range(start, end):
            yield at, self._changes(unit[at])

    def steps(
        self, unit: RunUnit, start: int, end: int
    ) -> Iterator[tuple[int, list[Transition] | tuple[Change, ...] | None]]:
        """Yield what records change, from which place on: those of a run at once, those that change more one by one.

        The caller makes the yielded changes before the next. None where they are not known by class.
        """
        for piece, first, last in unit.between(start, end):
            at = first
            while at < last:
                if piece.who is None:
                    yield at, self._changes(unit[at])
                    at += 1
                    continue
                made = self.of(unit, piece, at, last)
                if made is None:
                    yield at, None
                    return
                apart = min((int(one.places[0]) for one in made if one.kind is None), default=last)
                if apart == at:
                    yield at, self._changes(unit[at])
                    at += 1
                    continue
                yield at, made if apart == last else [part for one in made for part in _before(one, apart)]
                at = apart


def _before(one: Transition, place: int) -> Iterator[Transition]:
    inside = one.places < place
    if inside.any():
        yield Transition(one.places[inside], one.who[inside], one.kind, one.counts)


class Before:
    """The cells of the classed sort as they were at a place of a unit, however they change from there on."""

    def __init__(self, classes: Classes) -> None:
        self.classes = classes
        self.of_number = classes.of_number.copy()
        self.counts = {slot: own.counts.copy() for slot, own in enumerate(classes.own) if own and own.place is None}
        self._there: list[int] | None = None

    def numbers(self, place: int | None, slot: int, who: Numbers) -> npt.NDArray[np.int64]:
        """Return the number at an index of the ids of some entities, or the number counted for them in a slot."""
        return self.classes.numbers(place, slot, who) if place is not None else self.counts[slot][who]

    def there(self) -> list[int]:
        """Return the classes that had an entity."""
        if self._there is None:
            self._there = np.unique(self.of_number[: len(self.classes.entities)]).tolist()
        return self._there

    def members(self, numbers: Sequence[int]) -> list[Any]:
        """Return the entities that were of some classes."""
        inside = np.flatnonzero(np.isin(self.of_number[: len(self.classes.entities)], numbers))
        return [self.classes.entities[at] for at in inside.tolist()]

    def table(self, slot: int) -> BeforeTable:
        """Return one of its tables."""
        return BeforeTable(self, slot)


class BeforeTable:
    """One table of cells before a transition; has the interface of a `ClassedTable`, read-only."""

    __slots__ = ("_found", "_said", "before", "slot")

    def __init__(self, before: Before, slot: int) -> None:
        self.before, self.slot = before, slot
        self._found: dict[Any, dict[Any, None]] = {}
        self._said: dict[Any, Said] | None = None

    def get(self, keys: tuple[Any, ...], default: Any = None) -> Any:
        """Return a cell's value, the default where nothing had written it."""
        before, classes, slot = self.before, self.before.classes, self.slot
        at = classes.index.get(keys[0])
        found = classes.rows[0 if at is None else before.of_number.item(at)][slot]
        if classes.paired[slot]:
            found = next((value for rest, value in found if rest == keys[1:]), MISSING)
        elif found is not None and found is classes.own[slot]:
            assert at is not None
            place = classes.places[slot]
            found = before.counts[slot].item(at) if place is None else keys[0][place]
        return default if found is MISSING else found

    def find(self, position: int, members: bool, others: tuple[Any, ...], value: Any) -> Any:
        """Return the keys at a position whose cells had a value, or had it among theirs; None where nothing says."""
        before, own = self.before, self.before.classes.own[self.slot]
        if position > 0 or (own is not None and own.place is None):
            return None
        if own is not None:
            return self._said_by(own).get(value, ())
        key = (members, others, value)
        if key not in self._found:
            fits = [n for n in before.there() if before.classes.fits(n, self.slot, members, others, value)]
            self._found[key] = dict.fromkeys(before.members(fits))
        return self._found[key]

    def _said_by(self, own: Own) -> dict[Any, Said]:
        if self._said is None:
            there = [n for n in self.before.there() if self.before.classes.rows[n][self.slot] is own]
            self._said = own.sayers(self.before.members(there))
        return self._said
