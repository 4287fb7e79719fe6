"""Bounds: finite instances of a protocol, and what each is for and is not for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from .errors import Finding, TableError, caller
from .terms import TRUE, Term

if TYPE_CHECKING:
    from .protocol import Protocol


@dataclass(frozen=True)
class Bound:
    """A finite instance: how many entities of each sort, how far each counter goes, and how it may start.

    `start` is a condition on the initial state, beside the protocol's own. `given` is a further assumption on each event's
    parameters, by the event's name: what the bound does not explore. `about` says what the bound is for, `not_for` what it
    is not for: the properties that nothing puts to the test there, or that are declared violated and not broken there, by
    id, each with the reason.
    """

    sizes: Mapping[str, int]
    start: Term[bool] = TRUE
    given: Mapping[str, Term[bool]] = field(default_factory=dict)
    about: str = ""
    not_for: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class NotFor:
    """Why some bounds are not for some properties: one reason, the properties' ids, the bounds' names."""

    reason: str
    properties: tuple[str, ...]
    bounds: tuple[str, ...]


def not_for(reason: str, properties: str, at: str) -> NotFor:
    """Declare why bounds are not for properties; both are given by their names, separated by spaces."""
    return NotFor(reason, tuple(properties.split()), tuple(at.split()))


def declaring(slices: Iterable[Protocol], *declared: NotFor) -> tuple[Protocol, ...]:
    """Return slices whose bounds say what they are not for; raises `TableError` for a bound or a property there is not."""
    made = tuple(slices)
    claimed = {bound: {p.id for p in one.properties} for one in made for bound in one.bounds}
    for one in declared:
        for bound in one.bounds:
            for id in one.properties:
                if id not in claimed.get(bound, ()):
                    wrong = f"has no bound {bound}" if bound not in claimed else f"does not ask {id} at {bound}"
                    raise TableError(
                        Finding(caller(), "what bounds are not for", wrong, "name a bound and its properties")
                    )
    return tuple(excusing(one, *declared) for one in made)


def excusing(slice_: Protocol, *declared: NotFor) -> Protocol:
    """Return a slice whose bounds say what they are not for; what is declared of other bounds is left out."""
    bounds = {
        name: replace(
            bound,
            not_for=dict(bound.not_for)
            | {id: one.reason for one in declared if name in one.bounds for id in one.properties},
        )
        for name, bound in slice_.bounds.items()
    }
    return slice_ if bounds == slice_.bounds else replace(slice_, bounds=bounds)
