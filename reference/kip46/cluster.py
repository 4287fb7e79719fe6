"""The simulated cluster: two nodes that may be the controller, the brokers, and an operator."""

from __future__ import annotations

from fencepost.reference.simulator import MILLISECOND, SECOND, Journal, Network, Process, Simulator

from .broker import Broker
from .controller import Controller
from .state import NEVER, Set, Settings, State


class Cluster:
    """All processes of a run; the seed decides on how many there are, and on the settings where none are given."""

    def __init__(self, seed: int, settings: Settings | None = None, replicas: dict[int, Set] | None = None) -> None:
        self.simulator = Simulator(seed)
        self.draw = self.simulator.random("cluster")
        off = self.draw.random() < 0.12
        drawn = Settings(NEVER if off else self.draw.randint(2, 12) * 1000, self.draw.randint(2, 4))
        brokers = range(1, self.draw.randint(4, 6) + 1)
        if replicas is None:
            number = self.draw.randint(8, 24)
            replicas = {one: Set(self.draw.sample(brokers, self.draw.randint(2, 3))) for one in range(number)}
        self.settings = settings or drawn
        self.network = Network(self.simulator)
        self.journal = Journal(self.simulator)
        self.state = State(self.journal, brokers, replicas, self.settings)
        sizes = {one: self.draw.randint(2, 12) for one in replicas}
        self.controllers = [
            Controller(f"controller-{one}", self.simulator, self.journal, self.state, self._controller_failed)
            for one in (1, 2)
        ]
        self.brokers = {
            one: Broker(one, self.network, self.journal, self.state, sizes, self._changed) for one in brokers
        }
        self.operator = Process(self.simulator, "operator")
        for broker in self.brokers.values():
            self.network.attach(broker)

    # -- running ---------------------------------------------------------------------------------------------------
    def start(self) -> None:
        """Start everything: the brokers are registered already, a controller is elected."""
        for process in (self.operator, *self.controllers, *self.brokers.values()):
            process.start()
        self.simulator.after(0, self.elect_controller)

    def run(self, seconds: float) -> None:
        """Let time pass."""
        self.simulator.run_until(self.simulator.now_ns + int(seconds * SECOND))

    # -- the controller --------------------------------------------------------------------------------------------
    @property
    def controller(self) -> Controller | None:
        """The node that is the controller."""
        return next((one for one in self.controllers if one.active), None)

    def _controller_failed(self) -> None:
        """Have another controller elected when the session of the last one is over, seldom at once."""
        delay = self.draw.choice((0, 1, 5, 15)) * self.draw.random()
        self.simulator.after(int(delay * SECOND), self.elect_controller)

    def elect_controller(self) -> None:
        """Let a node that is up be the controller; tries again while there is none."""
        able = [one for one in self.controllers if one.alive]
        if not able:
            self.simulator.after(SECOND, self.elect_controller)
        elif self.controller is None:
            self.draw.choice(able).activate()

    def _changed(self, broker: int | None) -> None:
        """Notify the controller of a change in ZooKeeper: a broker's registration, else an ISR or a task."""
        delay = self.draw.choice((5, 50, 500)) * self.draw.random()
        self.simulator.after(int(delay * MILLISECOND), lambda: self._tell_controller(broker))

    def _tell_controller(self, broker: int | None) -> None:
        controller = self.controller
        if controller is not None and broker is not None:
            controller.registration_changed(broker)
        elif controller is not None:
            controller.look()

    # -- the operator ----------------------------------------------------------------------------------------------
    def work(self) -> None:
        """Have the operator wish for a reassignment now and then, from now on."""
        self.operator.after(int((4 + 12 * self.draw.random()) * SECOND), self._work)

    def _work(self) -> None:
        self.work()
        state = self.state
        desired = state.desired[self.draw.choice(state.partitions)]
        alike = [one for one in state.partitions if state.desired[one] == desired]
        alive = [one for one in state.brokers if state.alive[one]]
        if len(alive) >= desired:
            number = self.draw.randint(1, min(len(alike), self.settings.chunk_size))
            self.submit(Set(self.draw.sample(alike, number)), Set(self.draw.sample(alive, desired)))

    def submit(self, partitions: Set, target: Set) -> None:
        """Wish that some partitions have other replicas: a task that is not the controller's own."""
        number = self.state.create_chunk(dict.fromkeys(sorted(partitions), target), heals=None)
        self._changed(None)
        self.journal.tell("operator", "SubmitReassignment", chunk=number, partitions=partitions, target=target)
