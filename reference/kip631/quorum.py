"""The quorum of controllers: which one is active, and what becomes of requests to those that are not."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from fencepost.reference.simulator import MILLISECOND, Cells, Network, Process, Simulator

from .controller import Controller, Refused
from .settings import Settings

Tell = Callable[[str, str, dict[str, Any], str], None]
"""Reports a step: the node, the step's name, its parameters, its answer."""


class ControllerNode(Process):
    """A node of the quorum; requests to one that is not active are refused."""

    def __init__(self, quorum: Quorum, number: int) -> None:
        super().__init__(quorum.simulator, f"controller-{number}")
        self.quorum = quorum

    def started(self) -> None:
        """Be there to be elected."""
        self.quorum.elect_later()

    def crashed(self) -> None:
        """Leave it to the others, if this is the active one."""
        if self.quorum.active is self:
            self.quorum.lose()

    def serve(self, source: str, request: Any, reply: Callable[[Any], None]) -> None:
        """Take a request, if active."""
        quorum = self.quorum
        if quorum.active is self:
            quorum.controller.serve(request, reply)
            return
        # A refusal by another node while one is active changes no state and is no step; one without is reported.
        if quorum.active is None and hasattr(request, "as_step"):
            name, parameters = request.as_step()
            quorum.told(self.name, name, parameters, "NOT_CONTROLLER")
        reply(Refused("NOT_CONTROLLER"))


class Quorum:
    """The nodes of the quorum, and the one state machine that the active one runs.

    Raft itself (KIP-595) is not played: a node is elected a while after the active one is lost, and batches are
    committed a while after they were appended, later while `stalled`. The next one that is elected lacks what is not
    committed, if it `loses_tail`.
    """

    def __init__(self, settings: Settings, network: Network, draw: random.Random, told: Tell) -> None:
        self.settings, self.network, self.draw, self.told = settings, network, draw, told
        self.simulator: Simulator = network.simulator
        self.active: ControllerNode | None = None
        self.term = 0
        self.stalled = False
        self.loses_tail = False
        self._electing = False
        self.nodes = [ControllerNode(self, number) for number in range(1, settings.controllers + 1)]

    def begin(self, controller: Controller, cells: Cells) -> None:
        """Start all nodes, the first of them active."""
        self.controller = controller
        self._cell = cells.cell("active", True)
        for node in self.nodes:
            self.network.attach(node)
        self.active = self.nodes[0]
        for node in self.nodes:
            node.start()

    @property
    def is_active(self) -> bool:
        """Whether there is an active controller."""
        return self.active is not None

    @property
    def endpoint(self) -> str:
        """The node that a broker asks: the active one, or any while there is none."""
        return (self.active or self.draw.choice(self.nodes)).name

    # -- losing and electing ---------------------------------------------------------------------------------------
    def lose(self) -> None:
        """Have no active controller from now on; what it had in memory is gone, what it appended is not."""
        lost, self.active = self.active, None
        if lost is not None:
            self._cell.value = False
            self.controller.failed()
            self.told(lost.name, "ControllerFails", {}, "")
            self.elect_later()

    def elect_later(self) -> None:
        """See to it that another node becomes active, if none is."""
        if self.active is None and not self._electing:
            self._electing = True
            wait = self.settings.failover * self.draw.uniform(0.5, 1.5)
            self.simulator.after(int(wait * MILLISECOND), self._elect)

    def _elect(self) -> None:
        self._electing = False
        up = [node for node in self.nodes if node.alive]
        if self.active is None and up:
            if self.loses_tail and self.controller.log.has_tail:
                self.controller.lose_tail()
                self.told("quorum", "TailIsLost", {}, "")
            self.loses_tail = False
            self.active = self.draw.choice(up)
            self.term += 1
            self._cell.value = True
            self.controller.took_over()
            self.tell("ControllerFailover", {}, "")
            if self.active is not None:
                self.controller.resume()

    # -- what the controller asks ----------------------------------------------------------------------------------
    def tell(self, name: str, parameters: dict[str, Any], answer: str) -> None:
        """Tell a step of the active controller."""
        assert self.active is not None
        self.told(self.active.name, name, parameters, answer)

    def after(self, delay_ms: float, callback: Callable[[], None]) -> None:
        """Run something later, unless the active controller is lost before; nothing happens if there is none."""
        self.at(self.simulator.now_ns / MILLISECOND + delay_ms, callback)

    def at(self, time_ms: float, callback: Callable[[], None]) -> None:
        """Run something at a time, unless the active controller is lost before; nothing happens if there is none."""
        node, term = self.active, self.term

        def still_active() -> None:
            # The same node may have lost and won the quorum since.
            if self.active is node and self.term == term:
                callback()

        if node is not None:
            node.after(max(0, round(time_ms * MILLISECOND) - self.simulator.now_ns), still_active)

    @property
    def commit_delay(self) -> float:
        """How many milliseconds the next commit takes."""
        return self.settings.commit * self.draw.uniform(0.3, 2) + (2_500 * self.draw.random() if self.stalled else 0)

    @property
    def election_delay(self) -> float:
        """How many milliseconds the controller takes to elect a leader for the next partition that wants one."""
        return self.draw.uniform(0.5, 8)
