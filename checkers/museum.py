"""The museum: each variant with a historical defect, and its shortest run in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from fencepost.checkers.catalogue import entry_of
from fencepost.checkers.comparing.differences import Differences, compare
from fencepost.checkers.counterexample import Trace
from fencepost.checkers.exploration import Exploration, explore
from fencepost.checkers.failures import cell_text
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import Execution, LeadsTo, Protocol, State
from fencepost.model.language.footprint import variables
from fencepost.model.language.kinds import BoolKind, EntityKind
from fencepost.model.language.render import value_text
from fencepost.model.museum import Entry, Expected
from fencepost.model.registry import FAMILIES, find

CELLS = 4
"""The number of changed cells that a sentence lists; the others are counted."""


@dataclass(frozen=True)
class Told:
    """An entry with what became of it: `expected` is what has to fall, `explored` the search for it.

    `tables` have the defect, `trace` is its shortest run, None where nothing is expected to fall. `edit` is how the
    tables with the defect differ from those without it.
    """

    entry: Entry
    tables: Protocol
    expected: Expected | None
    explored: Exploration | None
    trace: Trace | None
    edit: Differences

    @property
    def sentences(self) -> tuple[str, ...]:
        """The run in sentences; none without a run."""
        if self.trace is None or self.expected is None:
            return ()
        claim: Any = self.tables.property(self.expected.property)
        terms = (claim.trigger, claim.goal) if isinstance(claim, LeadsTo) else (claim.term,)
        return tuple(sentences(self.trace, frozenset().union(*map(variables, terms))))

    @property
    def ever_after(self) -> str:
        """Return the text behind the run of a liveness claim: a loop, or nothing; empty for other claims."""
        if self.explored is None or self.expected is None:
            return ""
        loop = self.explored.property(self.expected.property).loop
        if loop is None:
            return ""
        if not loop.steps:
            return "From there on nothing that is fair happens any more."
        return f"From there on these rows repeat for ever: {', '.join(step.row.id for step in loop.steps)}."

    @property
    def found(self) -> bool:
        """Whether what has to fall does, in a run as long as the entry says."""
        if self.expected is None:
            return True
        return self.trace is not None and len(self.trace.steps) == self.expected.length


def tell(variant: str) -> Told:
    """Search the shortest run of an entry, as deep as that takes; raises `KeyError` for no variant of it."""
    entry, family = entry_of(variant), FAMILIES[variant.partition("+")[0]]
    whole = entry.grounded(family.whole)
    both = (entry.edited(family.whole), whole) if entry.repairs else (whole, find(variant).whole)
    edit = compare(*both, ask=False)
    place = entry.within or family.explored
    tables = entry.grounded(place) if entry.repairs else entry.edited(place)
    if not entry.expected:
        return Told(entry, tables, None, None, None, edit)
    expected = entry.expected[0]
    alone = replace(tables, properties=(tables.property(expected.property),))
    # What comes to pass is known of a whole bound alone.
    deep = None if isinstance(alone.properties[0], LeadsTo) else expected.length + 1
    found = explore(alone, expected.at(alone), max_depth=deep, stop_at_first=True, deadlock=False)
    verdict = found.property(expected.property)
    trace = verdict.trace if verdict.verdict is Verdict.VIOLATED else None
    return Told(entry, tables, expected, found, trace, edit)


def sentences(trace: Trace, about: frozenset[State[Any]] = frozenset()) -> Iterator[str]:
    """Yield a run in sentences: what happens, to whom, by which row, what it changes, first of what it is `about`."""
    for number, step in enumerate(trace.steps, 1):
        last = number == len(trace.steps)
        yield f"{number}. {_happens(step)}: {_changes(step, trace.end if last else step.after, about)}"
        if last and trace.middle is not None:
            yield "   (in the middle of this row's records)"


def _happens(step: Execution) -> str:
    event = step.row.event
    who = [
        f"{_words(var.kind.name)} {value_text(step.binding[var])}"
        for var in event.params
        if isinstance(var.kind, EntityKind)
    ]
    of = f" ({', '.join(who)})" if who else ""
    return f"{_words(event.name).capitalize()}{of}, row {step.row.id}"


def _changes(step: Execution, after: Any, about: frozenset[State[Any]]) -> str:
    cells = sorted(dict.fromkeys((*step.before, *after)), key=lambda one: one[0] not in about)
    told = [
        _change(state, keys, step.before.read(state, keys), after.read(state, keys))
        for state, keys in cells
        if state.what != "ghost" and step.before.read(state, keys) != after.read(state, keys)
    ]
    if not told:
        answer = "" if step.answer is None else f", the answer is {value_text(step.answer)}"
        return f"nothing changes{answer}"
    more = f"; and {len(told) - CELLS} more changes" if len(told) > CELLS else ""
    return "; ".join(told[:CELLS]) + more


def _change(state: State[Any], keys: tuple[Any, ...], old: Any, new: Any) -> str:
    name = _words(state.name)
    of = [
        f"{_words(kind.name)} {value_text(key)}" if isinstance(kind, EntityKind) else value_text(key)
        for kind, key in zip(state.keys, keys, strict=True)
    ]
    if isinstance(state.kind, BoolKind) and len(of) == 1:
        return f"{of[0]}: {'' if new else 'no longer '}{name}"
    if isinstance(state.kind, BoolKind):
        return f"{cell_text((state, keys))} is {value_text(new)}"
    return f"{name}{' of ' + ', '.join(of) if of else ''} becomes {value_text(new)}"


def _words(name: str) -> str:
    """Return a name of the tables in lower-case words: `RegisterBroker` and `leader_epoch` alike."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).replace("_", " ").strip().lower()


__all__ = ["Told", "sentences", "tell"]
