"""Defects that can be put into either version from outside: rules of the shared controller that are left out."""

from __future__ import annotations

from typing import Any

from fencepost.reference.simulator.patching import Injection

from .controller import Controller, Reply
from .records import FenceBrokerRecord

_took_over = Controller.took_over


def _admits_anybody(self: Controller, broker: int, incarnation: int) -> bool:
    return False


def _fences_and_leaves_the_leaderships(self: Controller, broker: int) -> None:
    self.fenced[broker] = True
    self._batch.append(FenceBrokerRecord(broker))


def _takes_all_as_unfenced(self: Controller) -> None:
    _took_over(self)
    for broker in self.settings.brokers:
        if self.registered[broker]:
            self.fenced[broker] = False


def _watches_nobody(self: Controller) -> None:
    self._commit_soon()
    self._elect_soon()


def _answers_at_once(self: Controller, reply: Reply, message: Any) -> None:
    reply(message)


def _keeps_what_is_lost(self: Controller) -> None:
    self.log.truncate()


FAILOVERS = (
    Injection(
        "answers-early",
        "S2:20",
        "an answer does not wait until what it says is committed",
        ((Controller, "answer", _answers_at_once),),
    ),
    Injection(
        "lost-work-kept",
        "S2:20",
        "a new controller goes on with what its log does not have",
        ((Controller, "lose_tail", _keeps_what_is_lost),),
    ),
)
"""The defects that show only where a failover may lose what is not committed."""

SHARED = (
    Injection(
        "duplicate-registration",
        "S2:38",
        "a second process is admitted under an id that was in contact just now",
        ((Controller, "conflicts", _admits_anybody),),
    ),
    Injection(
        "fenced-leader",
        "S2:488",
        "a broker that is fenced goes on leading, and stays in sync",
        ((Controller, "fence", _fences_and_leaves_the_leaderships),),
    ),
    Injection(
        "fence-forgotten",
        "S2:31",
        "a new controller takes every registered broker for unfenced",
        ((Controller, "took_over", _takes_all_as_unfenced),),
    ),
    Injection(
        "silence-forgotten",
        "S2:43",
        "a new controller waits for no broker that was there before: who is silent is never fenced",
        ((Controller, "resume", _watches_nobody),),
    ),
)
"""The defects that both versions can have."""
