"""The strategies by which an obligation is asked for any number of entities, from the cheapest to the last."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from .definitions import NOTHING, Leave

SLICE = 300_000
"""Resources of the solver that make some tenths of a second."""


Near = Literal["", "property", "row", "core", "slice"]
After = Literal["", "exhausted", "saturated"]


@dataclass(frozen=True)
class Attempt:
    """A way to ask: how many slices, what is left out, the solver's options, and whether cases are asked one by one.

    `near` leaves out the invariants that speak of more than the property does, or the row and the property do, or
    all that are not in the obligation's recorded core, or in its slice, which also says which definitions are given.
    `incremental` asks a solver that keeps the row's guard from one property to the next. `after` is how the first
    attempt must have ended for this one to have a chance: "exhausted", out of resources, or "saturated", with nothing
    left to try.
    """

    slices: float
    leave: Leave = NOTHING
    options: tuple[tuple[str, Any], ...] = ()
    cases: bool = False
    near: Near = ""
    incremental: bool = False
    after: After = ""


PLAIN = Attempt(1)
# Z3's former arithmetic: among a few entities it finds a state several times as soon, another one.
FEW = Attempt(1, options=(("arith.solver", 2),))
_CALM = (("qi.eager_threshold", 30.0),)
_FLAT = (("pull_nested_quantifiers", True),)
_FALSE_FIRST = (("phase_selection", 0),)
_NO_MODELS = (("mbqi", False),)
_PATIENT = (("mbqi", False), ("qi.eager_threshold", 30.0))
_LOOSE = (("mbqi", False), ("relevancy", 0))

_CORE = Attempt(0.5, Leave(None, True), near="core")
CORES = (
    replace(_CORE, slices=0.2, options=_LOOSE),
    _CORE,
    replace(_CORE, options=_FALSE_FIRST),
    replace(_CORE, options=_FLAT),
    *[replace(_CORE, slices=slices, options=way) for slices in (0.5, 1, 1) for way in (_FALSE_FIRST, ())],
    replace(_CORE, slices=4, options=_FALSE_FIRST),
)
"""Ways to ask with a core, each under its own seed. What the solver was asked before in the same process moves it from
the one in 50 that it does not find to another one, and a few hundredths of a second under another seed find it.
"""
SLICED = Attempt(16, near="slice")
"""The way to ask with a slice. Little is left to instantiate, so that it ends soon either way."""
AT_ONCE = Attempt(0.1, Leave(None, True), _NO_MODELS, near="property", incremental=True)
NEAR = (
    *CORES,
    AT_ONCE,
    Attempt(0.1, Leave(None, True), _LOOSE, near="property", after="saturated"),
    Attempt(0.7, Leave(None, True), _NO_MODELS, near="property", after="exhausted"),
    Attempt(0.25, Leave(2, True), _NO_MODELS, near="row"),
)
QUICK = (*NEAR, Attempt(0.35, Leave(2, True), _NO_MODELS))
SHARED = (
    *QUICK,
    Attempt(0.6, Leave(None, True), _LOOSE, near="row"),
    Attempt(0.1, Leave(None, True), near="property", after="saturated"),
    Attempt(0.7, Leave(None, True), _PATIENT),
    Attempt(0.7, Leave(None, True), _FALSE_FIRST),
)
FIRST = (
    *SHARED,
    Attempt(0.5, Leave(2, True), _NO_MODELS, cases=True),
    Attempt(1, Leave(None, True), _CALM, cases=True),
    Attempt(1.5, Leave(None, True), _FALSE_FIRST),
    Attempt(3),
)
SECOND = (Attempt(4, options=_FLAT), Attempt(6, options=_CALM))
PLAINLY = (Attempt(16), Attempt(32), Attempt(32))
LAST = (Attempt(8), Attempt(16, options=_FALSE_FIRST), *PLAINLY, Attempt(16, options=_FLAT), Attempt(32))
"""The attempts that may prove what is declared violated, those for rows that do the same, those before few entities are
tried, after two of each sort were, and after three were; each under its own seed. Plain ones end soon where they cannot
go on, and another seed may find what one did not; flattened quantifiers take seconds to say so, and come late.

What a proof can do without is left out at first: a proof without it is a proof. A proof that the solver finds at once
in one manner may take it for ever in another, so several short attempts beat a long one.
"""
