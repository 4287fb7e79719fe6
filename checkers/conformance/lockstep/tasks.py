"""The work that a controller starts by itself, as events of the tables: periodic tasks, its activation, an idle log."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fencepost.checkers.conformance.records.wire import BoundRecord
from fencepost.checkers.conformance.requests.adapting import at
from fencepost.checkers.conformance.requests.outcomes import Part, Reading
from fencepost.model.kraft import security_records as security
from fencepost.model.kraft import state as k
from fencepost.model.kraft.cluster import asked_level, gives_credential, gives_iterations, gives_level
from fencepost.model.kraft.security import published as published_tokens
from fencepost.model.language.interpreter import CellKey
from fencepost.model.language.state import State
from fencepost.traces.steps import Step

from .compiled import CompiledRows
from .controller_state import ControllerState

Written = Sequence[BoundRecord]

METADATA_VERSION, ELR_VERSION = "metadata.version", "eligible.leader.replicas.version"
MOST_ELECTED = 1000
"""The most partitions that a periodic task elects at once (ReplicationControlManager.MAX_ELECTIONS_PER_IMBALANCE)."""

LOWEST = 7
"""The lowest level of metadata.version with which a directory can be formatted."""


@dataclass(frozen=True)
class Given:
    """Values that no step reports: the features that the cluster was formatted with, and static settings.

    `unclean` is their unclean.leader.election.enable, `static_min` their min.insync.replicas. Without
    `formatted` the levels are read off the records that an activation writes.
    """

    formatted: Mapping[str, int] | None = None
    static_min: int = 1
    unclean: bool = False


@dataclass(frozen=True)
class Asked:
    """The input of a task: rows, the state before it, the records that it wrote, the values that no step reports."""

    rows: CompiledRows
    controller: ControllerState
    written: Written
    given: Given = field(default_factory=Given)


def _activation(step: Step, asked: Asked) -> Iterator[Reading]:
    """The levels of the directory's format; what an empty log gets is read off it where they are not given."""
    levels = asked.given.formatted
    if levels is None:
        levels = {
            one.wire.data["name"]: one.wire.data["featureLevel"]
            for one in asked.written
            if one.wire.type == "FEATURE_LEVEL_RECORD"
        }
    # A log that has its features needs none from the format.
    now = asked.controller.cells.tables[asked.controller.shape.named["metadata_version"]].get((), 0)
    found = levels.get(METADATA_VERSION) or max(LOWEST, now)
    params = {
        "metadata_version": found,
        "elr_version": levels.get(ELR_VERSION, 0),
        "has_elr": ELR_VERSION in levels,
        "static_min": asked.given.static_min,
    }
    cells: dict[CellKey, Any] = {}
    for name, level in levels.items():
        if name not in (METADATA_VERSION, ELR_VERSION):
            cells |= {at(gives_level, name): True, at(asked_level, name): level}
    for one in asked.written:
        if one.record is security.USER_SCRAM_CREDENTIAL:
            (who,) = one.entities
            cells |= {at(gives_credential, who): True, at(gives_iterations, who): one.values["iterations"]}
    others: dict[State[Any], Any] = {
        gives_level.state: False,
        asked_level.state: 0,
        gives_credential.state: False,
        gives_iterations.state: 0,
    }
    yield Reading((Part("Activate", params, cells),), others=others)


def _fencing(step: Step, asked: Asked) -> Iterator[Reading]:
    """The broker is the one that the last record fences; without records, one whose contact alone is forgotten."""
    if asked.written:
        about = asked.written[-1].entities
        if len(about) == 1:
            yield Reading((Part("FenceStaleBroker", {"b": about[0]}),))
        return
    for told in step.soft or ():
        cell = (k.contact.state, (told.broker,))
        if told.contact == "nothing" and asked.controller.read(*cell) is k.Contact.EXPIRED:
            yield Reading((Part("FenceStaleBroker", {"b": told.broker}),))


def everywhere(event: str, rows: CompiledRows, controller: ControllerState) -> tuple[Part, ...]:
    """Return the task's event of every partition of which a row says that something is to be done."""
    own = [row for row in rows.protocol.rows if row.event.name == event]
    return tuple(
        Part(event, {"p": p})
        for p in controller.domains["Partition"]
        if any(rows.holds(row, {row.event.params[0]: p}, controller) for row in own)
    )


def _elected(event: str) -> Callable[[Step, Asked], Iterator[Reading]]:
    def read(step: Step, asked: Asked) -> Iterator[Reading]:
        """As many partitions at once as a task elects: which these are is an order of Kafka's, its records say it."""
        parts = everywhere(event, asked.rows, asked.controller)
        if len(step.records) >= MOST_ELECTED:
            elected = {one.entities[0] for one in asked.written}
            parts = tuple(one for one in parts if one.params["p"] in elected)
        if parts or asked.written:
            yield Reading(parts, unordered=True)

    return read


def _sweep(step: Step, asked: Asked) -> Iterator[Reading]:
    """The tokens that are there are those that were published, unless something before it is not stable yet.

    Then the task may have seen any state since: the tokens that it removed show which.
    """
    domain = asked.controller.domains["Token"]
    there = frozenset(one for one in domain if asked.controller.read(security.has_token.state, (one,)))
    gone = frozenset(one.entities[0] for one in asked.written)
    for published in (there,) if step.stable >= step.base_offset else (there, gone):
        cells: dict[CellKey, Any] = {at(published_tokens, one): one in published for one in domain}
        part = Part("SweepDelegationTokens", {"now": step.time_ns // 1_000_000}, cells)
        yield Reading((part,), others={published_tokens.state: False})


def _idle(step: Step, asked: Asked) -> Iterator[Reading]:
    if asked.written:
        yield Reading((Part("Idle", {"later": step.base_offset}),))


TASKS: dict[str, Callable[[Step, Asked], Iterator[Reading]]] = {
    "completeActivation": _activation,
    "maybeFenceStaleBroker": _fencing,
    "electPreferred": _elected("Balance"),
    "electUnclean": _elected("Rescue"),
    "expireDelegationTokens": _sweep,
    "writeNoOpRecord": _idle,
}
"""The reader of each task, by Kafka's name; a task without readings had nothing to do."""
