"""An administrator who changes the voters of the controller quorum, and how a quorum begins whose voters change."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from fencepost.reference.simulator import MILLISECOND, SECOND, Network, Process, Simulator

KINDS = ("add", "add", "remove", "update", "upgrade")
MEAN_MS = 4000
RETRY_MS = 20
"""After this a request is sent once more, to the next controller, where it found no leader (retry.backoff.ms)."""
TRIES = 40


class ChangeVoters(NamedTuple):
    """AddRaftVoter, RemoveRaftVoter or UpdateRaftVoter of a controller, or an "upgrade" of kraft.version."""

    what: str
    controller: int


@dataclass(frozen=True)
class QuorumPlan:
    """How a quorum whose voters change begins: how many of its controllers vote, and with which kraft.version.

    `dynamic` is 1. `joining` are the controllers with auto-join, `unaware` those that know kraft.version 0 alone, both
    as places among all controllers.
    """

    voters: int
    dynamic: bool = True
    joining: tuple[int, ...] = ()
    unaware: tuple[int, ...] = ()

    @classmethod
    def drawn(cls, draw: random.Random, controllers: int) -> QuorumPlan:
        """Draw one of so many controllers: half begin with kraft.version 0; of these a fourth cannot be upgraded."""
        voters, dynamic = draw.choice((*range(1, controllers + 1), controllers)), draw.random() < 0.5
        joining = tuple(one for one in range(controllers) if draw.random() < 0.3)
        last = controllers - 1
        hinders = last < voters and not dynamic and draw.random() < 0.25
        return cls(voters, dynamic, joining, (last,) if hinders or (last >= voters and draw.random() < 0.3) else ())


class VoterAdministrator(Process):
    """Sends requests about the voters to controller after controller, until one leads; `sent` counts them by kind."""

    def __init__(self, simulator: Simulator, network: Network, controllers: Sequence[str], ids: Sequence[int]) -> None:
        super().__init__(simulator, "voter administrator")
        self._network, self._controllers, self._ids = network, controllers, ids
        self._random = simulator.random(self.name)
        self.sent: dict[str, int] = {}

    def started(self) -> None:
        """Begin to ask for things."""
        self._later()

    def _later(self) -> None:
        mean = MEAN_MS * MILLISECOND
        self.after(self._random.randint(mean // 20, mean * 2), self._tick)

    def _tick(self) -> None:
        self._later()
        draw = self._random
        for _ in range(draw.choice((1, 1, 2))):
            request = ChangeVoters(draw.choice(KINDS), draw.choice(self._ids))
            self.sent[request.what] = self.sent.get(request.what, 0) + 1
            self._ask(request, draw.randrange(len(self._controllers)), 0)

    def _ask(self, request: ChangeVoters, at: int, tried: int) -> None:
        def again() -> None:
            if tried < TRIES:
                self.after(RETRY_MS * MILLISECOND, lambda: self._ask(request, at + 1, tried + 1))

        def answered(answer: Any) -> None:
            if answer == "NOT_LEADER_OR_FOLLOWER":
                again()

        target = self._controllers[at % len(self._controllers)]
        self._network.call(self, target, request, answered, SECOND, again)


__all__ = ["ChangeVoters", "QuorumPlan", "VoterAdministrator"]
