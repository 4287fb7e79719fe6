"""Refinement: that every step of a protocol is a row of another one, read through a mapping, or changes nothing there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .properties import Always, Step
from .protocol import Protocol
from .state import State
from .terms import Get, Term
from .walk import nodes


@dataclass(frozen=True)
class Target:
    """The required step in a case: a row of the other protocol, or none where `row` is empty.

    `broken` are the rows of the protocol itself that are declared to do otherwise, and `because` says how.
    """

    id: str
    row: str
    case: Term[bool]
    about: str
    broken: tuple[str, ...] = ()
    because: str = ""


@dataclass(frozen=True)
class Outside:
    """Steps of which nothing is claimed: the other protocol has no such thing, or this one declares that it does otherwise."""

    id: str
    steps: Term[bool]
    about: str


@dataclass(frozen=True)
class Group:
    """Targets of some rows, or of all that no other group names. The first target whose case fits decides.

    With `beside` the rows are those of another group, too, less those that `but` has with the reason: what is claimed here
    follows what is claimed there. `kept` is what stays in a step that is no row of the other protocol.
    """

    targets: tuple[Target, ...]
    kept: Term[bool]
    outside: tuple[Outside, ...] = ()
    rows: tuple[str, ...] = ()
    beside: bool = False
    but: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Case:
    """A target of a group with its claim, that a step in its case is the row, and `never`, that no step is in its case."""

    group: Group
    target: Target
    claim: Step
    never: Step


@dataclass(frozen=True)
class Refinement:
    """A refinement claim, which `prove --refines` checks.

    `claiming` gives a protocol (the one that refines, or an edit of it) the claims of the cases; `lower` is that protocol, `upper` the
    other one. `kept` are properties of `upper` on which the claims rely, `lemmas` those of `lower`. `aside` are rows of which nothing
    is asked, `apart` rows all of whose steps are outside, each with the reason. `in_logs` are the claims of the cases as a log shows
    them, `ends` claims that no step is outside, each declared violated, and `hidden` rows whose case no log shows. `theorem` names
    the property of `upper` that is claimed of `lower` so.
    """

    lower: Protocol
    upper: Protocol
    cases: tuple[Case, ...]
    kept: tuple[Always, ...]
    lemmas: tuple[Always, ...]
    aside: Mapping[str, str]
    apart: Mapping[str, str]
    claiming: Callable[[Protocol], Protocol]
    in_logs: tuple[Step, ...]
    ends: tuple[Step, ...]
    hidden: tuple[str, ...]
    theorem: str

    @property
    def states(self) -> frozenset[State[Any]]:
        """The state variables of `lower` that the claims speak of."""
        return frozenset(one.state for case in self.cases for one in nodes(case.claim.term) if isinstance(one, Get))
