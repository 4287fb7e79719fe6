"""Plans: what is printed of each row and property, the same for both targets, and how a binding is numbered."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fencepost.checkers.conjuncts import conjuncts, update_conjuncts
from fencepost.checkers.verdicts import Refusal
from fencepost.checkers.written_once import conflict
from fencepost.model.language import Always, Bound, Protocol, Row, Sometimes, Stage, Step, Update
from fencepost.model.language.properties import AFTER_EVERY_RECORD
from fencepost.model.language.terms import FALSE, Before, Get, Term, Var
from fencepost.model.language.walk import children

from .conditions import binding_order, guard
from .footprints import Columns, Places, States, columns, kept, places, written
from .layout import Coding, Layout
from .vacuity import Challenge, challenges

TWICE = 2
"""What the register of faults holds where a stage has written a cell twice with different values."""

STAGE_SHIFT = 48
"""A moment inside a row is written as `stage << STAGE_SHIFT | mask of the groups applied`."""

PARTS = (1 << STAGE_SHIFT) - 1
"""The bits of a moment that are its mask."""


def reads_now(term: Term[Any]) -> bool:
    """Return whether a term reads the state that its stage starts from."""
    if isinstance(term, (Get, Before)):
        return isinstance(term, Get)
    return any(reads_now(child) for child in children(term))


@dataclass(frozen=True)
class Radix:
    """A tuple of variables as one number: the positions of the values in their kinds, the first highest."""

    coding: Coding
    variables: tuple[Var[Any], ...]

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How many values each variable has."""
        return tuple(len(self.coding.registers(v.kind)) for v in self.variables)

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """What a step of each variable adds to the number."""
        return tuple(_product(self.sizes[i + 1 :]) for i in range(len(self.sizes)))

    @property
    def count(self) -> int:
        """How many tuples there are."""
        return _product(self.sizes)

    def decode(self, number: int) -> tuple[Any, ...]:
        """Return the values of a number."""
        return tuple(
            self.coding.decode(v.kind, self.coding.registers(v.kind)[number // weight % size])
            for v, weight, size in zip(self.variables, self.weights, self.sizes, strict=True)
        )


def _product(sizes: tuple[int, ...]) -> int:
    result = 1
    for size in sizes:
        result *= size
    return result


@dataclass(frozen=True, eq=False)
class StagePlan:
    """One stage: runs of updates that share binders, and the groups of bindings that records make.

    The number of a group is an offset by the run's leading binders plus the number of their values.
    """

    coding: Coding
    stage: Stage

    @cached_property
    def depth(self) -> int:
        """How many leading binders tell the records of the stage apart."""
        return max((len(w.binders) for w in self.stage.written), default=0)

    @cached_property
    def runs(self) -> tuple[tuple[Update, ...], ...]:
        """The updates, those with the same binders together."""
        together = itertools.groupby(self.stage.updates, key=lambda u: u.binders)
        return tuple(tuple(run) for _, run in together)

    def terms(self) -> Iterator[Term[Any]]:
        """Yield every term that is printed for the stage."""
        for update in self.stage.updates:
            yield from update_conjuncts(update.when)
            yield update.target
            yield update.value
        if self.conflict is not FALSE:
            yield self.conflict

    @cached_property
    def size(self) -> int:
        """The most updates that the stage makes."""
        return sum(Radix(self.coding, update.binders).count for update in self.stage.updates)

    def leading(self, update: Update) -> Radix:
        """Return the binders of an update that choose its record."""
        return Radix(self.coding, update.binders[: self.depth])

    @cached_property
    def offsets(self) -> dict[tuple[Var[Any], ...], int]:
        """The number of the first group of each tuple of leading binders."""
        result: dict[tuple[Var[Any], ...], int] = {}
        total = 0
        for update in self.stage.updates:
            radix = self.leading(update)
            if radix.variables not in result:
                result[radix.variables] = total
                total += radix.count
        return result

    @cached_property
    def groups(self) -> tuple[tuple[Any, ...], ...]:
        """The values of every group, by its number."""
        radices = [Radix(self.coding, variables) for variables in self.offsets]
        return tuple(radix.decode(number) for radix in radices for number in range(radix.count))

    @cached_property
    def conflict(self) -> Term[bool]:
        """The condition under which the stage writes a cell twice with different values."""
        return conflict(self.stage, lambda kind: len(self.coding.registers(kind)))

    @cached_property
    def reads_now(self) -> bool:
        """Whether any update reads what an earlier stage wrote."""
        return any(reads_now(t) for u in self.stage.updates for t in (u.when, u.value, *u.target.keys))

    def chosen(self, mask: int) -> frozenset[tuple[Any, ...]]:
        """Return the values of the groups in a mask."""
        return frozenset(values for i, values in enumerate(self.groups) if mask >> i & 1)


@dataclass(frozen=True, eq=False)
class RowPlan:
    """One row with effects: its conditions, the order in which its parameters are bound, its stages."""

    layout: Layout
    row: Row
    conditions: tuple[Term[bool], ...]
    moments: bool

    @cached_property
    def radix(self) -> Radix:
        """How a binding of the parameters is numbered."""
        return Radix(self.layout.coding, self.row.params)

    @cached_property
    def order(self) -> tuple[Var[Any], ...]:
        """The parameters in the order in which they are bound."""
        return binding_order(self.row.params, self.conditions, self.layout.world)

    @cached_property
    def stages(self) -> tuple[StagePlan, ...]:
        """The stages."""
        return tuple(StagePlan(self.layout.coding, stage) for stage in self.row.stages)

    @cached_property
    def writes(self) -> States:
        """The state variables that it may write."""
        return written(self)

    @cached_property
    def columns(self) -> Columns:
        """Where the variables stand that it may write."""
        return columns(self.layout, self.writes)

    @cached_property
    def places(self) -> Places:
        """What it may write, by its binding."""
        return places(self)

    @cached_property
    def has_moments(self) -> bool:
        """Whether there are states inside the row that some property is to be checked on."""
        several = len(self.stages) > 1 or any(len(stage.groups) > 1 for stage in self.stages)
        if self.moments and several:
            for stage in self.stages:
                if len(stage.groups) > STAGE_SHIFT:
                    raise Refusal(
                        f"row {self.row.id}: writes {len(stage.groups)} records at once, and exploration takes "
                        f"{STAGE_SHIFT}; give the bound fewer entities"
                    )
        return self.moments and several

    @cached_property
    def conflicting(self) -> tuple[int, ...]:
        """The numbers of the stages that may write a cell twice with different values."""
        return tuple(number for number, stage in enumerate(self.stages) if stage.conflict is not FALSE)

    @cached_property
    def one_step(self) -> str:
        """The condition under which a firing is one step, over `active0`, the mask of the groups of the first stage
        that write, and the like: where all together write nothing, or one stage a single record. Empty where it never
        is."""
        masks = [f"active{number}" for number in range(len(self.stages))]
        if len(masks) == 1:
            return "(active0 & (active0 - 1)) == 0"
        return f"({' | '.join(masks)}) == 0" if all(stage.depth for stage in self.stages) else ""


@dataclass(frozen=True, eq=False)
class Plan:
    """Everything of a protocol that an exploration prints."""

    protocol: Protocol
    bound: Bound
    layout: Layout

    @cached_property
    def records(self) -> bool:
        """Whether some property is checked after every record."""
        return any(isinstance(p, (Always, Step)) and p.scope == AFTER_EVERY_RECORD for p in self.protocol.properties)

    @cached_property
    def rows(self) -> tuple[RowPlan, ...]:
        """The rows with effects."""
        return tuple(
            RowPlan(self.layout, row, conjuncts(guard(self.protocol, self.bound, row)), self.records)
            for row in self.protocol.rows
            if row.changes
        )

    @cached_property
    def still(self) -> tuple[RowPlan, ...]:
        """The rows without effects that some property of steps names: they make no transition, and are asked of it
        alone."""
        named = {id for one in self.protocol.properties if isinstance(one, Step) for id in one.rows}
        return tuple(
            RowPlan(self.layout, row, conjuncts(guard(self.protocol, self.bound, row)), False)
            for row in self.protocol.rows
            if not row.changes and row.id in named
        )

    @cached_property
    def printed(self) -> tuple[RowPlan, ...]:
        """The rows that are expanded, those with effects first."""
        return (*self.rows, *self.still)

    @cached_property
    def conditions(self) -> tuple[Always | Sometimes, ...]:
        """The properties of one state."""
        return tuple(p for p in self.protocol.properties if isinstance(p, (Always, Sometimes)))

    @cached_property
    def challenges(self) -> dict[str, Challenge]:
        """What puts each property to the test, by its id."""
        return challenges(self.protocol, self.bound, self.layout.world)

    @cached_property
    def asked(self) -> tuple[Always | Step, ...]:
        """The claims beside the properties whose failures show that a property is put to the test."""
        return tuple(claim for one in self.challenges.values() for claim in one.claims)

    @cached_property
    def steps(self) -> tuple[tuple[Step, RowPlan | None], ...]:
        """The properties of two states, once for each row that they name, and once for all rows with effects."""
        result: list[tuple[Step, RowPlan | None]] = []
        for one in (*self.protocol.properties, *self.asked):
            if isinstance(one, Step):
                result.extend((one, row) for row in self.printed if row.row.id in one.rows)
                if not one.rows:
                    result.append((one, None))
        return tuple(result)

    def steps_of(self, row: RowPlan) -> tuple[tuple[Step, RowPlan | None], ...]:
        """Return the properties of two states that a step of a row may break."""
        every = (row,) if row in self.still else (None, row)
        return tuple((one, only) for one, only in self.steps if only in every and not kept(one.term, row.writes))
