"""The options of a monitor of logs, beside the log and the protocol."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fencepost.checkers.conformance.records.facts import KRAFT_LOGS, LogFacts
from fencepost.model.language import Protocol, Step
from fencepost.traces.forks import Fork

FULL_BATCH = 10_000
"""The most records that a controller appends at once: a longer result is cut there and goes on in the next batch."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a monitor, beside the log.

    `passed_through` are types of records that are read over where no table is about them. `given` are values of
    variables that a log cannot show (static settings of brokers), by the variable's name. `high_watermark` is the
    offset below which the log is known to be committed, None where only its snapshots show it. `full_batch` is the
    number of records at which a result is cut. With `replay_only` no row and no property is evaluated: for a watcher
    that wants the state alone, and wants it soon. `facts` is what is known of such logs beside the tables. `again` are
    the options of the command that asks again; with `by_term` that command finds the release by itself. Without
    `by_class` every entity is evaluated singly, and no result is cached. With `causes` divergences are distinguished by
    their causes, for logs that violate only. `fork` is the declaration by which records are read that no release has,
    None for a shipped one whose sign is in the log; `rows` are the tables that it names, None for those of the
    registry. `claims` are further properties of the tables.
    """

    passed_through: frozenset[str] = frozenset()
    given: Mapping[str, Any] = field(default_factory=dict)
    high_watermark: int | None = None
    full_batch: int = FULL_BATCH
    replay_only: bool = False
    facts: LogFacts = KRAFT_LOGS
    again: str = ""
    by_term: bool = False
    by_class: bool = True
    causes: bool = False
    fork: Fork | None = None
    rows: Protocol | None = None
    claims: tuple[Step, ...] = ()
