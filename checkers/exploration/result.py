"""Results of an exploration: what was counted, and what each property was judged to be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fencepost.checkers.asked import AskedOf
from fencepost.checkers.counterexample import Trace
from fencepost.checkers.document import Document
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language.properties import Expected

from .vacuity import Vacuity

if TYPE_CHECKING:
    from .assumed import Assumed
    from .coverage import GuardCoverage
    from .reduction import Reduced
    from .symmetry import Orbits

DEADLOCK = "deadlock"
"""The id under which the generated property "some row is enabled" is reported."""


@dataclass(frozen=True)
class PropertyVerdict(Document):
    """What was found of one property.

    `depth` is the level of the state that shows it (initial states are level 1), None where no state does. `trace` is
    the shortest run to that state, replayed by the interpreter; for a `Sometimes` it is the witness. Of a `LeadsTo`
    that is violated it is the run to where `loop` begins: steps that are then done for ever, none where the run
    stays in one state. `vacuity` says why nothing put it to the test, where nothing did, and `not_for` why the bound is
    not for it, where the bound says so.
    """

    DOCUMENT = "id verdict expected as_declared depth message vacuity not_for:or_null trace loop"

    id: str
    verdict: Verdict
    expected: Expected
    depth: int | None
    trace: Trace | None
    message: str
    loop: Trace | None = None
    vacuity: Vacuity | None = None
    not_for: str = ""

    @property
    def as_declared(self) -> bool | None:
        """Whether the verdict is the declared one; None where the exploration did not decide."""
        if self.verdict is Verdict.INCONCLUSIVE:
            return None
        if self.not_for and self.verdict is not Verdict.VIOLATED:
            return True
        if self.verdict is Verdict.VACUOUS:
            return False
        return (self.verdict is Verdict.VIOLATED) == (self.expected == "violated")


@dataclass(frozen=True)
class Exploration(Document):
    """What an exploration saw of a protocol at a bound.

    `distinct` counts the states between rows. `transitions` counts initial states and enabled (row, parameters,
    choice), duplicates included, rows without effects and rows that would leave a range left out; `generated` adds one
    stuttering step a state. `depth` is the number of levels, initial states being level 1.

    `verdict` is VIOLATED where a property that is declared to hold does not, VACUOUS where a `Sometimes` has no witness
    or nothing put a property to the test that the bound is for, CLOSED where every reachable state was seen,
    HOLDS_TO_DEPTH where `max_depth` ended the search, INCONCLUSIVE where a budget did. `out_of_range` counts by row the
    (row, parameters) that were disabled because a counter would leave its range. `seconds` includes `compile_seconds`.
    All of it is true of what the bound explores only: `assumptions` say what that is, beside the sizes. `coverage` has
    how far the guards of rows came, of those rows of which it was asked. With `orbits` one state of each orbit
    represents all of them, and every count is of these. With `reduced` some steps were put off: counts are of what is
    left, and runs need not be the shortest. `scopes` has the rows that each property of states or steps is asked of.
    """

    TABLES = {"properties": "id verdict expected depth message"}
    DOCUMENT = (
        "protocol bound sizes distinct generated transitions depth verdict message assumptions properties rows_fired "
        "rows_never_fired out_of_range seconds compile_seconds engine levels orbits reduced coverage asked_of=scopes"
    )

    protocol: str
    bound: str
    sizes: Mapping[str, int]
    distinct: int
    generated: int
    transitions: int
    depth: int
    verdict: Verdict
    properties: tuple[PropertyVerdict, ...]
    rows_fired: Mapping[str, int]
    rows_never_fired: tuple[str, ...]
    out_of_range: Mapping[str, int]
    seconds: float
    engine: str
    compile_seconds: float
    message: str = ""
    levels: tuple[int, ...] = field(default=())
    assumptions: tuple[Assumed, ...] = field(default=())
    coverage: tuple[GuardCoverage, ...] = field(default=())
    orbits: Orbits | None = None
    reduced: Reduced | None = None
    scopes: tuple[AskedOf, ...] = field(default=())

    @property
    def shown_nevertheless(self) -> tuple[str, ...]:
        """The properties that the bound says it is not for, and that it puts to the test or breaks."""
        return tuple(
            p.id
            for p in self.properties
            if p.not_for and (p.verdict is Verdict.VIOLATED or (p.verdict is Verdict.CLOSED and p.expected == "holds"))
        )

    def property(self, id: str) -> PropertyVerdict:
        """Return the verdict of one property; raises `KeyError` for an id that was not checked."""
        for one in self.properties:
            if one.id == id:
                return one
        raise KeyError(id)
