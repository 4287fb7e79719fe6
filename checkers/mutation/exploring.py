"""Exploration of a mutant: the slices that have its row, at small budgets, against what the base shows at the same."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fencepost.checkers import keeping
from fencepost.checkers.exploration import Exploration, explore, manifest
from fencepost.checkers.sliced import like
from fencepost.checkers.verdicts import Refusal, ReplayFailed, Verdict
from fencepost.model.language import Always, EvaluationError, Property, Protocol, Step, TableError
from fencepost.model.registry import Family

from .mutants import Mutant, changed
from .results import Answer

CHECKER = "explore"
CODE = ("checkers", "model", "traces")
"""The folders whose files decide what a base shows."""
STATES = 3000
"""States after which an exploration of a mutant stops; the same for the base that it is compared with."""

CLOSED, CLOSED_SECONDS = 20_000, 8.0
"""Limits of a bound that is explored whole, for every mutant until nothing is new."""

SECONDS = 6.0
"""CPU seconds after which no further bound of a mutant is begun."""


@dataclass(frozen=True)
class Shown:
    """The base's results at a bound: whether each property is as declared (None where open), and which rows fired."""

    bound: str
    slice: Protocol
    as_declared: Mapping[str, bool | None]
    fired: frozenset[str]
    seconds: float
    closed: bool
    states: int


class Exploring:
    """The bounds of a family, each explored once; `judge` explores a mutant at those where its row fires."""

    def __init__(self, family: Family, states: int = STATES, cache: Path | None = None) -> None:
        self.family, self.states = family, states
        self.shown = sorted(
            (_shown(family.name, name, one, states, cache) for name, one in family.bounds.items()),
            key=lambda s: s.seconds,
        )

    def judge(self, mutant: Mutant, earlier: Sequence[Answer] = ()) -> Answer:
        """Explore a mutant; it is noticed where a property is not as declared, and is in the base or is open there."""
        began = time.process_time()
        asked: list[str] = []
        cut: list[str] = []
        left: list[str] = []
        # What is proved of the mutant for any number holds at a bound too.
        proved = any(one.checker == "prove" and one.fate == "passed" for one in earlier)
        bounds = self._bounds(mutant)
        if self._answers_only(mutant):
            return Answer(CHECKER, "not asked", "", "the row does what it did: no state is another one")
        if not bounds:
            return Answer(
                CHECKER, "not asked", "", f"neither the row nor one that it holds back fires in {self.states:,} states"
            )
        for shown in bounds:
            if proved and not shown.closed:
                continue
            if time.process_time() - began > SECONDS:
                left.append(shown.bound)
                continue
            part = self._part(mutant, self._decidable(shown, proved))
            if part is None:
                continue
            try:
                found = explore(part, shown.bound, max_states=shown.states, engine="numpy")
            except (Refusal, EvaluationError) as error:
                return Answer(CHECKER, "killed", f"{shown.bound}: the rows cannot run: {error}", "")
            except ReplayFailed as error:
                cut.append(f"{shown.bound} ({error})"[:120])
                continue
            for one in found.properties:
                if one.as_declared is False and shown.as_declared.get(one.id) is not False:
                    steps = f" after {len(one.trace.steps)} rows" if one.trace is not None else ""
                    by = f"{shown.bound}: {one.id} {one.verdict.value}{steps}"
                    return Answer(CHECKER, "killed", by, _told([*asked, shown.bound]))
            idle = _idle(shown, found)
            if idle:
                return Answer(CHECKER, "killed", f"{shown.bound}: {idle} fires no more", _told([*asked, shown.bound]))
            asked.append(f"{shown.bound} ({found.distinct:,} states)")
        said = _told(asked, left)
        if cut:
            return Answer(CHECKER, "not decided", "", f"{said}; not replayed: {', '.join(cut)}")
        if not asked and proved:
            said = "the properties are proved, and no bound with the row is closed within the budget"
        return Answer(CHECKER, "passed", "", said)

    def _answers_only(self, mutant: Mutant) -> bool:
        """Return whether a mutant answers otherwise and does nothing else otherwise."""
        whole = self.family.whole
        before, made = whole.row(mutant.row), mutant.of(whole)
        rows = changed(whole, made)
        return (
            mutant.change is not None
            and [row.id for row in rows] == [mutant.row]
            and made.guard(rows[0]) is whole.guard(before)
            and rows[0].effects == before.effects
        )

    def _bounds(self, mutant: Mutant) -> list[Shown]:
        """Return the bounds at which the row fires, or one whose guard it changes.

        The cheapest come first, one of each slice, and then their other bounds.
        """
        whole = self.family.whole
        rows = {row.id for row in changed(whole, mutant.of(whole))} | {mutant.row}
        fires = [one for one in self.shown if not rows.isdisjoint(one.fired)]
        first = {one.slice.name: one for one in reversed(fires)}
        chosen = [one for one in fires if first[one.slice.name] is one]
        return [*chosen, *(one for one in fires if one not in chosen)]

    def _decidable(self, shown: Shown, proved: bool) -> Protocol:
        """Return a slice with those of its properties that an exploration of this budget can find other than declared.

        That nothing shows a state, that nothing breaks what is declared violated, and what comes to pass at last are
        known only where every state was seen. What is `proved` of the whole needs no asking.
        """
        known = {p.id for p in self.family.whole.properties if _kept(p)} if proved else set[str]()
        kept = [p for p in shown.slice.properties if shown.closed or _kept(p)]
        try:
            return replace(shown.slice, properties=tuple(p for p in kept if not (_kept(p) and p.id in known)))
        except TableError:  # the bound gives a size to what only proved properties speak of
            return replace(shown.slice, properties=tuple(kept))

    def _part(self, mutant: Mutant, part: Protocol) -> Protocol | None:
        """Return a slice of the mutant, None where the slice has another row of this name."""
        whole = self.family.whole.row(mutant.row)
        try:
            if mutant.change is None:
                return mutant.of(part)
            row = like(mutant.change, whole, part.row(mutant.row))
            if row is None:
                return None
            return Mutant(mutant.row, mutant.kind, mutant.path, mutant.about, lambda _: row).of(part)
        except (TableError, StopIteration):
            return None


def _kept(one: Property) -> bool:
    """Return whether a property is one of states or steps that is declared to hold."""
    return isinstance(one, (Always, Step)) and one.expected == "holds"


def _all(family: str, bound: str) -> int:
    """Return how many states a bound has, as is recorded; the most that it may have where nothing is."""
    known = manifest.recorded(family).get(bound) if (manifest.FOLDER / f"{family}.toml").is_file() else None
    return CLOSED if known is None else known.distinct


def _shown(family: str, name: str, part: Protocol, states: int, cache: Path | None) -> Shown:
    """Return what the base shows at a bound, from the cache where it was asked before."""
    key = keeping.key("shown", keeping.code(CODE), keeping.surroundings(), part.hash, name, states)
    file = None if cache is None else cache / f"{key[:32]}.json"
    known = None if file is None else keeping.document(file, key)
    if known is not None:
        return Shown(slice=part, **{**known, "fired": frozenset(known["fired"])})
    most, began = states, time.process_time()
    found = explore(part, name, max_states=most, engine="numpy")
    taken = time.process_time() - began
    all_of_it = _all(family, name)
    if not _closed(found) and all_of_it <= CLOSED and taken * all_of_it / states < CLOSED_SECONDS:
        began = time.process_time()
        larger = explore(part, name, max_states=CLOSED, engine="numpy")
        if _closed(larger):
            most, found, taken = CLOSED, larger, time.process_time() - began
    shown = Shown(
        name,
        part,
        {one.id: one.as_declared for one in found.properties},
        frozenset(id for id, count in found.rows_fired.items() if count),
        taken,
        _closed(found),
        most,
    )
    if file is not None:
        document: dict[str, Any] = {
            "bound": name,
            "as_declared": dict(shown.as_declared),
            "fired": sorted(shown.fired),
            "seconds": shown.seconds,
            "closed": shown.closed,
            "states": shown.states,
        }
        keeping.seal(file, key, json.dumps(document).encode())
    return shown


def _idle(shown: Shown, found: Exploration) -> str:
    """Return a row that fires in some state of the base and in none of the mutant's; "" unless every state was seen.

    That a row which is gone fires no more is not counted.
    """
    whole = shown.closed and found.verdict is Verdict.CLOSED
    return min(shown.fired.intersection(found.rows_never_fired), default="") if whole else ""


def _closed(found: Exploration) -> bool:
    return found.verdict is Verdict.CLOSED or any(one.verdict is Verdict.CLOSED for one in found.properties)


def cache_folder() -> Path | None:
    """Return where what bases show is kept, in the user's cache folder; None where there is none."""
    return keeping.cache_folder("mutation")


def _told(asked: Sequence[str], left: Sequence[str] = ()) -> str:
    said = ", ".join(asked) if asked else "no bound"
    return f"{said}; not begun: {', '.join(left)}" if left else said


__all__ = ["CODE", "Exploring", "cache_folder"]
