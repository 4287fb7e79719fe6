"""State of `kraft-whole`: the domain's cells on each node, in each in-memory snapshot, at each end of a log; what records say."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from fencepost.model.kraft import state as domain
from fencepost.model.kraft.records import FENCE, ISR, LEADER, PARTITION_CHANGE, UNFENCE
from fencepost.model.kraft_loop.state import CONTROLLER, EPOCH, OFFSET, Controller
from fencepost.model.language.effects import Given
from fencepost.model.language.errors import caller
from fencepost.model.language.state import State, StateClass
from fencepost.model.language.terms import Get
from fencepost.model.language.vocabulary import *

from .lifting import HARD, SOFT, keys_of


class What(enum.Enum):
    """The record of a slot or of an offset of a log."""

    NOTHING = "none"
    FENCE = "Fence"
    UNFENCE = "Unfence"
    CHANGE = "PartitionChange"


RECORDS: dict[What, Record] = {What.FENCE: FENCE, What.UNFENCE: UNFENCE, What.CHANGE: PARTITION_CHANGE}
WHAT = one_of(What)


@dataclass(frozen=True)
class Cells:
    """The hard state of the domain, kept once for each tuple of some keys."""

    of: dict[State[Any], State[Any]]

    @staticmethod
    def make(word: str, keys: tuple[Any, ...], what: StateClass, about: str, open_: bool = False) -> Cells:
        """Declare the variables; they begin as those of `kraft`, or, where that is open, with any value."""
        made = {}
        for one in HARD:
            first = None if open_ else one.initial
            made[one] = State(f"{word}_{one.name}", (*keys, *keys_of(one)), one.kind, first, what, about, one.place)
        return Cells(made)

    def at(self, *keys: Term[Any]) -> Read:
        """Return how to read the cells at the keys."""
        return Read(self, keys)


@dataclass(frozen=True)
class Read:
    """The cells at some keys."""

    cells: Cells
    keys: tuple[Term[Any], ...]

    def __call__(self, state: State[Any], keys: tuple[Term[Any], ...]) -> Term[Any]:
        """Return the cell of a variable of `kraft`."""
        return self.cells.of[state].at(*self.keys, *keys)


on_node = Cells.make("node", (CONTROLLER,), "hard", "the state of a node", True)
in_snapshot = Cells.make("kept", (CONTROLLER, OFFSET), "hard", "the state of an in-memory snapshot")
in_log = Cells.make(
    "image", (EPOCH, OFFSET), "ghost", "what the records of an epoch's log up to an offset give, from the start on"
)
at_start = Cells.make("first", (), "fixed", "the state with which the log begins", True)
soft_on = {
    one: State(f"node_{one.name}", (CONTROLLER, *one.keys), one.kind, one.initial, "soft", one.about, one.place)
    for one in SOFT
}


@dataclass(frozen=True)
class Slot:
    """A record, at some keys: what it is, whom it is about, and what a partition change says."""

    what: State[Any]
    who: State[Any]
    says_isr: State[Any]
    isr: State[Any]
    says_leader: State[Any]
    leader: State[Any]

    @staticmethod
    def make(word: str, keys: tuple[Any, ...], what: StateClass, about: str) -> Slot:
        """Declare the variables of a record."""

        place = caller()

        def one(name: str, kind: Any, initial: Any) -> State[Any]:
            return State(f"{word}_{name}", keys, kind, Lit(initial, kind), what, about, place)

        return Slot(
            one("record", WHAT, What.NOTHING),
            one("broker", domain.BROKER, 0),
            one("says_isr", BOOL, False),
            one("isr", domain.BROKERS, ()),
            one("says_leader", BOOL, False),
            one("leader", maybe(domain.BROKER), None),
        )

    def cells(self) -> tuple[State[Any], ...]:
        """Return the variables."""
        return self.what, self.who, self.says_isr, self.isr, self.says_leader, self.leader

    def nothing(self) -> tuple[Term[Any], ...]:
        """Return what the variables hold where there is no record."""
        return tuple(Lit(one.initial.value, one.kind) for one in self.cells() if isinstance(one.initial, Lit))

    def said(self, *keys: Term[Any]) -> tuple[Term[Any], ...]:
        """Return what the record says."""
        return tuple(one.at(*keys) for one in self.cells())


pending = (
    Slot.make("first_pending", (CONTROLLER,), "soft", "the first record of the result that the node is writing"),
    Slot.make("second_pending", (CONTROLLER,), "soft", "its second record"),
)
logged = Slot.make("logged", (EPOCH, OFFSET), "hard", "the record at an offset of an epoch's log")
n = CONTROLLER.var("n")


def soft(n: Term[Controller]) -> SoftRead:
    """Return how to read soft and hard state of the domain on a node."""
    return SoftRead(n)


@dataclass(frozen=True)
class SoftRead:
    """All of the domain's state on a node."""

    n: Term[Controller]

    def __call__(self, state: State[Any], keys: tuple[Term[Any], ...]) -> Term[Any]:
        """Return the cell of a variable of `kraft`."""
        if state in soft_on:
            return soft_on[state].at(self.n, *keys)
        return on_node.at(self.n)(state, keys)


def fields(record: What, said: tuple[Term[Any], ...]) -> tuple[Given, ...]:
    """Return the fields of a record that says so, as `kraft` names them; the rest it leaves out."""
    _, who, says_isr, isr, says_leader, leader = said
    if record is not What.CHANGE:
        return Given("broker", TRUE, who), Given("epoch", TRUE, Lit(-1, domain.OFFSET))
    return (
        Given("partition", TRUE, Lit(0, domain.PARTITION)),
        Given(ISR.name, says_isr, isr),
        Given(LEADER.name, says_leader, leader),
    )


def each_cell(
    state: State[Any],
    target: Callable[[State[Any], tuple[Term[Any], ...]], Term[Any]],
    source: Callable[[State[Any], tuple[Term[Any], ...]], Term[Any]],
) -> Iterator[Assign | Every]:
    """Yield updates that make all cells of a variable of the domain what others are."""
    kinds = keys_of(state)
    keys = tuple(Var("x", kind) for kind in kinds)
    update = sets(target(state, keys), source(state, keys))
    yield every(keys[0], TRUE, update) if keys else update


def sets(target: Term[Any], value: Term[Any]) -> Assign:
    """Return the update of one cell."""
    assert isinstance(target, Get)
    return Assign(target, value)
