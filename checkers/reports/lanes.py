"""A run as a table of lanes: a line a step, a column for each entity that takes part, in it what the step changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Fields = Mapping[str, Any]

SHARED = ("", "")
"""The lane of what belongs to no entity."""


@dataclass(frozen=True)
class Change:
    """A variable that a step changed: its name with its keys, and its values; `old` is None where nothing was known."""

    variable: str
    old: str | None
    new: str


@dataclass(frozen=True)
class LaneStep:
    """A step of a run: what it is, and what it changed in each lane, in the order of the lanes.

    `acts` is the place of the lane whose entity the event is about first. `again` is whether it is done for ever.
    """

    number: int
    row: str
    event: str
    given: str
    answer: str | None
    records: tuple[str, ...]
    acts: int
    changes: tuple[tuple[Change, ...], ...]
    sentence: str
    why: str
    again: bool


@dataclass(frozen=True)
class Lanes:
    """A run by lanes. `start` are the variables of its first state that have not their initial values.

    `initial` says that it begins in an initial state, `inside` that it ends in the middle of its last row.
    """

    names: tuple[str, ...]
    start: tuple[tuple[str, str], ...]
    steps: tuple[LaneStep, ...]
    initial: bool
    inside: bool


def lanes(trace: Fields, loop: Fields | None, texts: Fields) -> Lanes:
    """Return a run of a document by lanes; `texts` are those of its protocol."""
    rows, variables = texts.get("rows", {}), texts.get("variables", {})
    told = []
    before: Mapping[str, str] = trace["start"]
    order: dict[tuple[str, str], None] = {SHARED: None}
    steps = [(one, False) for one in trace["steps"]] + [(one, True) for one in (loop["steps"] if loop else ())]
    for step, again in steps:
        acting = next(_entities(step, rows.get(step["row"], {})), SHARED)
        found: dict[tuple[str, str], list[Change]] = {acting: []}
        for change in _changes(before, step["state"], variables):
            found.setdefault(_lane(change.variable, variables), []).append(change)
        order |= dict.fromkeys(found)
        told.append((step, again, acting, found))
        before = step["state"]
    used = [lane for lane in order if any(lane in found for _, _, _, found in told)]
    used.sort(key=lambda lane: _place(lane, list(order)))
    return Lanes(
        tuple(" ".join(lane) if lane != SHARED else "shared" for lane in used),
        tuple(trace["start"].items()),
        tuple(
            LaneStep(
                number,
                step["row"],
                step["event"],
                ", ".join(f"{name}={value}" for name, value in step["binding"].items()),
                step["answer"],
                tuple(record for group in step["records"] for record in group),
                used.index(acting),
                tuple(tuple(found.get(lane, ())) for lane in used),
                rows.get(step["row"], {}).get("text", ""),
                rows.get(step["row"], {}).get("why", ""),
                again,
            )
            for number, (step, again, acting, found) in enumerate(told, 1)
        ),
        trace["initial"],
        (loop or trace)["inside_last_row"],
    )


def _entities(step: Fields, row: Fields) -> Iterator[tuple[str, str]]:
    """The entities that a step's parameters name, in their order."""
    kinds = row.get("entities", {})
    return ((kinds[name], value) for name, value in step["binding"].items() if name in kinds)


def _changes(before: Mapping[str, str], after: Mapping[str, str], variables: Fields) -> Iterator[Change]:
    """Return the differences between two states; a variable that a state does not have has its initial value there."""
    for variable in dict.fromkeys((*before, *after)):
        initial = variables.get(variable.split("[")[0], {}).get("initial")
        old, new = before.get(variable, initial), after.get(variable, initial)
        if old != new:
            yield Change(variable, old, "its initial value" if new is None else new)


def _lane(variable: str, variables: Fields) -> tuple[str, str]:
    """The lane of a variable: its first key that is an entity."""
    name, _, rest = variable.partition("[")
    keys = variables.get(name, {}).get("keys", ())
    values = rest.removesuffix("]").split(", ")
    if len(keys) != len(values):
        return SHARED
    return next(((kind, value) for kind, value in zip(keys, values, strict=True) if kind is not None), SHARED)


def _place(lane: tuple[str, str], order: list[tuple[str, str]]) -> tuple[int, int, str]:
    """The sort key of a lane: shared variables first, then kind by kind as the run comes to them, by number."""
    kinds = list(dict.fromkeys(kind for kind, _ in order))
    kind, value = lane
    return (kinds.index(kind), int(value) if value.isdigit() else 0, value)


__all__ = ["Change", "LaneStep", "Lanes", "lanes"]
