"""The simulated cluster: two nodes that may be the controller, brokers, ZooKeeper, and a sender of invalid requests."""

from __future__ import annotations

import random

from fencepost.reference.simulator import MILLISECOND, SECOND, Journal, Network, Process, Simulator

from .broker import Another, Broker
from .controller import Controller
from .names import BrokerState, IsrChange, IsrChangeRequest, MetadataHeartbeatRequest, Settings
from .state import State
from .zookeeper import ZooKeeper


class Cluster:
    """All processes of a run; the seed decides how many there are, and the settings where none are given."""

    def __init__(self, seed: int, settings: Settings | None = None, brokers: int | None = None) -> None:
        self.simulator = Simulator(seed)
        self.draw: random.Random = self.simulator.random("cluster")
        drawn, number = _settings(self.draw), self.draw.randint(3, 4)
        ids = range(1, (brokers or number) + 1)
        partitions = range(self.draw.randint(2, 4))
        replicas = {one: frozenset(self.draw.sample(ids, self.draw.randint(2, 3))) for one in partitions}
        self.settings = settings or drawn
        self.network = Network(self.simulator)
        self.journal = Journal(self.simulator)
        self.state = State(self.journal, ids, replicas)
        self.zookeeper = ZooKeeper(self.simulator, self.journal, self.state)
        shared = (self.network, self.journal, self.state, self.zookeeper, self.settings)
        self.controllers = [Controller(f"controller-{one}", *shared, self._controller_failed) for one in (1, 2)]
        self.brokers = {one: Broker(one, *shared, self.in_sync) for one in ids}
        self.others = {one: Another(broker) for one, broker in self.brokers.items()}
        self.stranger = Process(self.simulator, "stranger")
        self.lagging = set[int]()
        for broker in self.brokers.values():
            broker.legacy = self.settings.mixed and self.draw.random() < 0.6
        for process in (*self.controllers, *self.brokers.values(), *self.others.values(), self.stranger):
            self.network.attach(process)

    # -- running ---------------------------------------------------------------------------------------------------
    def start(self) -> None:
        """Start everything, one process shortly after the other."""
        self.stranger.start()
        for controller in self.controllers:
            controller.start()
        self.simulator.after(0, self.elect_controller)
        for broker in self.brokers.values():
            self.simulator.after(int(self.draw.random() * SECOND), broker.start)

    def run(self, seconds: float) -> None:
        """Let time pass."""
        self.simulator.run_until(self.simulator.now_ns + int(seconds * SECOND))

    def start_broker(self, broker: Broker) -> None:
        """Start a broker that is down; in a rolling upgrade a legacy broker may have been upgraded meanwhile."""
        if not broker.alive:
            broker.legacy = broker.legacy and self.draw.random() < 0.7
            broker.start()

    # -- the controller --------------------------------------------------------------------------------------------
    @property
    def controller(self) -> Controller | None:
        """The node that is the controller."""
        return next((one for one in self.controllers if one.active), None)

    def _controller_failed(self) -> None:
        """Have another controller elected when the session of the last one is over, seldom at once."""
        self.zookeeper.controller = None
        delay = self.draw.choice((0.0, 0.3, 1.0, 2.0)) * self.settings.session_timeout * self.draw.random()
        self.simulator.after(int(delay * MILLISECOND), self.elect_controller)

    def elect_controller(self) -> None:
        """Let a node that is up be the controller; tries again while there is none."""
        able = [one for one in self.controllers if one.alive]
        if not able:
            self.simulator.after(SECOND, self.elect_controller)
        elif self.controller is None:
            self.draw.choice(able).activate()

    # -- replication and invalid requests ----------------------------------------------------------------------------
    def in_sync(self, leader: int, follower: int) -> bool:
        """Whether a follower can keep up with a leader now: it runs, does not lag, and they reach each other."""
        names, faults = (self.brokers[leader].name, self.brokers[follower].name), self.network.faults
        cut = faults.is_cut(*names) or faults.is_cut(*reversed(names))
        return self.state.running[follower] and follower not in self.lagging and not cut

    def send_strange_request(self, draw: random.Random) -> None:
        """Send the controller a request that no sound broker would."""
        controller, state = self.controller, self.state
        if controller is None:
            return
        partition, broker = draw.choice([one for (one,) in state.leader]), draw.choice(list(self.brokers))
        leader, epoch, incarnation = state.leader[partition], state.leader_epoch[partition], state.incarnation[broker]
        alone = frozenset({broker})
        request = draw.choice(
            (
                MetadataHeartbeatRequest(-broker, incarnation, BrokerState.ACTIVE),
                MetadataHeartbeatRequest(broker, max(0, incarnation - 1), BrokerState.ACTIVE),
                IsrChangeRequest(broker, max(0, incarnation - 1), (IsrChange(partition, epoch, alone),)),
                IsrChangeRequest(broker, incarnation, (IsrChange(partition, epoch, alone),)),
                IsrChangeRequest(broker, incarnation, (IsrChange(partition, max(0, epoch - 1), alone),)),
                IsrChangeRequest(
                    leader or broker,
                    state.incarnation[leader or broker],
                    (IsrChange(partition, epoch, frozenset[int]()),),
                ),
            )
        )
        self.network.call(self.stranger, controller.name, request, lambda answer: None, SECOND, lambda: None)


def _settings(draw: random.Random) -> Settings:
    """Draw settings as the text demands them: the broker-side timeout is longer than the controller-side one."""
    period = draw.randint(500, 2000)
    controller_timeout = period * draw.randint(2, 5)
    return Settings(
        controller_timeout=controller_timeout,
        broker_timeout=int(controller_timeout * (1.1 + draw.random())),
        heartbeat_period=period,
        session_timeout=draw.randint(2000, 8000),
        mixed=draw.random() < 0.6,
    )
