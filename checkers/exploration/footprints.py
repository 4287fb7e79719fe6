"""Footprints: which state variables a row writes, and which conditions on its steps that leaves true."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from fencepost.model.language.leaves import leaves
from fencepost.model.language.state import State
from fencepost.model.language.terms import (
    FALSE,
    TRUE,
    Before,
    Compare,
    Eq,
    Get,
    Implies,
    Lit,
    Named,
    Nary,
    Next,
    Not,
    Quant,
    Subset,
    Term,
    Var,
)
from fencepost.model.language.walk import children, rebuild

from .layout import Layout, Numbers

if TYPE_CHECKING:
    from .plan import RowPlan

States = frozenset[State[Any]]

MOST_CASES = 200
"""Cases of truth and falsehood that are gone through before a condition counts as one that may fail."""


@lru_cache(None)
def read(term: Term[Any]) -> States:
    """Return the state variables that a term reads."""
    return frozenset(leaf for leaf in leaves(term) if not isinstance(leaf, Var))


@lru_cache(None)
def _timed(term: Term[Any]) -> bool:
    """Return whether a term says of a part of it whether it is read before or after a step."""
    return isinstance(term, (Before, Next)) or any(map(_timed, children(term)))


def written(row: RowPlan) -> States:
    """Return the state variables that a row may write."""
    return frozenset(update.target.state for stage in row.stages for update in stage.stage.updates)


@dataclass(frozen=True)
class Columns:
    """Where the variables that a row writes stand among the registers: each position, with the bit of its variable."""

    bit: Mapping[State[Any], int]
    positions: Numbers
    bits: Numbers

    def mask(self, term: Term[Any]) -> int:
        """Return the bits of the variables that a term reads."""
        mask = 0
        for state in read(term):
            mask |= self.bit.get(state, 0)
        return mask


def columns(layout: Layout, writes: States) -> Columns:
    """Return where some variables stand; of more than 62 the last share a bit."""
    ordered = [state for state in layout.states if state in writes]
    bit = {state: 1 << min(i, 61) for i, state in enumerate(ordered)}
    found = [(i, bit[state]) for i, (state, _) in enumerate(layout.cells) if state in writes]
    return Columns(bit, *(np.array(one, np.int64) for one in (zip(*found, strict=True) if found else ((), ()))))


MOST_BINDINGS = 1 << 16
"""Bindings of a row up to which the cells that each of them may write are kept apart."""


@dataclass(frozen=True)
class Places:
    """What a firing may write, by the binding of its row.

    `kind`: for the number of each binding the one of its list of registers. These stand one after the other in
    `positions`, with the bits of their variables; a list begins in `begins`, which has the end too.
    """

    kind: Numbers
    begins: Numbers
    positions: Numbers
    bits: Numbers


def places(row: RowPlan) -> Places:
    """Return what the firings of a row may write: cells whose keys the binding gives, and all where it does not."""
    layout, radix = row.layout, row.radix
    targets = list(dict.fromkeys(update.target for stage in row.stages for update in stage.stage.updates))
    keyed = {key for target in targets for key in map(_plain, target.keys)}
    many = radix.count > MOST_BINDINGS
    telling = [at for at, one in enumerate(radix.variables) if one in keyed and not many]
    kind = np.zeros(1 if many else radix.count, np.int64)
    sizes = [radix.sizes[at] for at in telling]
    for at, size in zip(telling, sizes, strict=True):
        kind = kind * size + np.arange(len(kind)) // radix.weights[at] % size
    lists = []
    for values in np.ndindex(*sizes):
        given: dict[Term[Any], int] = {
            radix.variables[at]: layout.coding.registers(radix.variables[at].kind)[value]
            for at, value in zip(telling, values, strict=True)
        }
        found: set[int] = set()
        for target in targets:
            found |= _cells(layout, target, given)
        lists.append(sorted(found))
    begins = np.cumsum([0, *map(len, lists)]).astype(np.int64)
    positions = np.array([one for some in lists for one in some], np.int64)
    bit = row.columns.bit
    bits = np.array([bit[layout.cells[one][0]] for one in positions.tolist()], np.int64)
    return Places(kind, begins, positions, bits)


def _plain(key: Term[Any]) -> Term[Any]:
    """Return a term without a name, and without the time at which it is read where it reads nothing."""
    while isinstance(key, (Named, Before, Next)) and not (isinstance(key, Named) and read(key)):
        key = key.term
    return key


def _cells(layout: Layout, target: Get[Any], given: Mapping[Term[Any], int]) -> set[int]:
    """Return the positions that a target may be at, where some variables are given."""
    found = [layout.base[target.state]]
    for key, kind, stride in zip(target.keys, target.state.keys, layout.strides[target.state], strict=True):
        low, high = layout.coding.low(kind), layout.coding.high(kind)
        value = given.get(_plain(key))
        some = range(low, high + 1) if value is None else range(max(value, low), min(value, high) + 1)
        found = [at + (one - low) * stride for at in found for one in some]
    return set(found)


def kept(term: Term[bool], writes: States) -> bool:
    """Return whether a step that writes these variables only keeps a condition, whatever the state.

    Variables that are not written are after the step what they were before; if that and the condition's connectives
    do not show it, the answer is no.
    """
    return _kept(term, read(term) & writes)


@lru_cache(None)
def _kept(term: Term[bool], writes: States) -> bool:
    return _decided(_folded(_Leaves(writes).of(term, False))) is TRUE


class _Leaves:
    """Terms with `Next` at the reads of written variables and nowhere else."""

    def __init__(self, writes: States) -> None:
        self.writes = writes
        self._made: dict[tuple[Term[Any], bool], Term[Any]] = {}

    def of(self, term: Term[Any], after: bool) -> Term[Any]:
        """Return a term as it reads before or after the step."""
        found = self._made.get((term, after))
        if found is None:
            found = self._made[term, after] = self._changed(term, after)
        return found

    def _changed(self, term: Term[Any], after: bool) -> Term[Any]:
        if not _timed(term) and not (after and read(term) & self.writes):
            return term
        match term:
            case Named() | Before():
                return self.of(term.term, after)
            case Next():
                return self.of(term.term, True)
            case Lit() | Var():
                return term
            case Get() if after and term.state in self.writes:
                return Next(term)
        return rebuild(term, lambda child: self.of(child, after))


def _folded(term: Term[Any]) -> Term[Any]:
    """Return a condition with truth and falsehood folded where its connectives decide them."""
    match term:
        case Eq() | Subset():
            return TRUE if term.left is term.right else term
        case Compare() if term.left is term.right:
            return TRUE if term.operator in ("<=", ">=") else FALSE
        case Quant():
            body = _decided(_folded(term.body))
            return body if body in (TRUE, FALSE) else term
        case Not() | Nary() | Implies():
            return rebuild(term, _folded)
    return term


def _decided(term: Term[bool]) -> Term[bool]:
    """Return TRUE or FALSE for a condition that is that in every case of its parts, else the condition."""
    left = MOST_CASES

    def cases(known: dict[Term[bool], bool]) -> set[bool]:
        nonlocal left
        left -= 1
        value = _value(term, known)
        if isinstance(value, bool):
            return {value}
        if left < 0:
            return {True, False}
        first = cases({**known, value: True})
        return first if len(first) > 1 else first | cases({**known, value: False})

    found = cases({})
    return term if len(found) > 1 else TRUE if True in found else FALSE


def _value(term: Term[bool], known: dict[Term[bool], bool]) -> bool | Term[bool]:
    """Return what a condition is in a case, or the first of its parts that must be known for that."""
    parts: tuple[Term[bool], ...]
    match term:
        case Not():
            inner = _value(term.term, known)
            return not inner if isinstance(inner, bool) else inner
        case Implies():
            parts, ends = (Not(term.left), term.right), True
        case Nary():
            parts, ends = term.terms, term.operator == "or"
        case _:
            return term is TRUE if term in (TRUE, FALSE) else known.get(term, term)
    open_: Term[bool] | None = None
    for one in parts:
        value = _value(one, known)
        if value is ends:
            return ends
        if not isinstance(value, bool) and open_ is None:
            open_ = value
    return open_ if open_ is not None else not ends
