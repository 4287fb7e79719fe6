"""Checks a write of a state znode: conditions of every write, and those of a leader's own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.checkers.unexplained import UNEXPLAINED

from .history import Write
from .known import Term

Problem = tuple[str, str]
"""The rule that a write breaks, and the sentence that says how."""


def problems_of(write: Write, isr: Any, replicas: Any, c: Term | None) -> Iterator[Problem]:
    """Yield what is wrong with a write by itself.

    `isr` and `replicas` are those that the znodes said before it, unknown where they did not; `c` is the term whose
    session it was, None for a leader that writes its ISR itself.
    """
    one = write.leadership
    if c is not None and one.controller_epoch != c.epoch:
        yield "epoch", f"The znode names controller epoch {one.controller_epoch}, and it is controller {c} who writes."
    twice = sorted({b for b in one.isr if one.isr.count(b) > 1})
    if twice:
        yield UNEXPLAINED, f"The ISR {_list(one.isr)} names {_brokers(twice)} twice."
    if replicas is not UNKNOWN:
        strangers = sorted(set(one.isr) - set(replicas) - (set() if isr is UNKNOWN else set(isr)))
        if strangers:
            yield (
                "ZA1",
                f"The ISR grows by {_brokers(strangers)}, and the replicas of the partition are {_list(replicas)}.",
            )


def problems_of_leader(write: Write, leader: Any, epoch: int | None) -> Iterator[Problem]:
    """Yield what is wrong with an ISR that a leader wrote itself; `epoch` is that of the controller in office."""
    one = write.leadership
    if leader is not UNKNOWN and leader != one.leader:
        yield UNEXPLAINED, f"Broker {one.leader} writes an ISR of its own, and the leader is {leader}."
    if one.leader not in one.isr:
        yield "ZA2", f"Leader {one.leader} writes the ISR {_list(one.isr)}, and leaves itself out."
    if epoch is not None and one.controller_epoch > epoch:
        yield "epoch", f"The znode names controller epoch {one.controller_epoch}, and the controller is of {epoch}."


def _list(brokers: Sequence[int]) -> str:
    return f"[{', '.join(map(str, brokers))}]"


def _brokers(ids: Sequence[int]) -> str:
    return f"broker{'s' if len(ids) > 1 else ''} {', '.join(map(str, ids))}"
