"""One seed, one run, to the byte: a cluster of either version with its work and its faults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, Protocol

from fencepost.reference.simulator import MILLISECOND, SECOND, Cells, Faults, Network, Simulator
from fencepost.reference.simulator.patching import Injection
from fencepost.traces.design_steps import DesignStep, Header

from .broker import Broker
from .controller import Controller
from .faults import FaultInjector, parse_faults
from .operator import Operator
from .quorum import Quorum
from .settings import Settings, drawn


class Design(Protocol):
    """A version of the design: its name, its processes, and what only its operators do."""

    name: str
    session: str
    """What the document calls the time that a broker counts as alive after a heartbeat."""

    def controller(self, settings: Settings, cells: Cells, quorum: Quorum) -> Controller:
        """Make the controller."""

    def brokers(self, settings: Settings, cells: Cells, cluster: Cluster) -> Sequence[Broker]:
        """Make the brokers."""

    def operator(self, cluster: Cluster) -> Operator:
        """Make the operator."""


class Cluster:
    """All processes of a run. Steps gather in `steps` until they are taken; `initial` is how the cells begin.

    `after_steps` lets something happen right after a node's next steps: that is how a process dies between two.
    """

    def __init__(self, design: Design, seed: int, settings: Settings | None = None) -> None:
        self.simulator = Simulator(seed)
        self.settings = settings or drawn(self.simulator.random("settings"))
        self.cells = Cells()
        self.network = Network(self.simulator, Faults())
        self.steps: list[DesignStep] = []
        self._countdowns: dict[str, tuple[int, Any]] = {}
        self.quorum = Quorum(self.settings, self.network, self.simulator.random("quorum"), self.told)
        self.controller = design.controller(self.settings, self.cells, self.quorum)
        self.brokers = {one.id: one for one in design.brokers(self.settings, self.cells, self)}
        for broker in self.brokers.values():
            broker.peers = self.brokers
            self.network.attach(broker)
        self.quorum.begin(self.controller, self.cells)
        self.operator = design.operator(self)
        self.network.attach(self.operator)
        self.held: dict[int, int] = {}
        self.initial = self.cells.initial()
        self.cells.changed()

    def told(self, node: str, name: str, parameters: Mapping[str, Any], answer: str) -> None:
        """Take a step of a node."""
        self.steps.append(self.cells.step(self.simulator.now_ns // MILLISECOND, node, name, parameters, answer))
        left, happens = self._countdowns.pop(node, (0, None))
        if left > 1:
            self._countdowns[node] = (left - 1, happens)
        elif happens is not None:
            happens()

    def after_steps(self, node: str, steps: int, happens: Any) -> None:
        """Let something happen right after a node's step, the so manieth from now."""
        self._countdowns[node] = (steps, happens)

    def forget_countdown(self, node: str) -> None:
        """Let nothing happen after a node's steps."""
        self._countdowns.pop(node, None)

    def taken(self) -> list[DesignStep]:
        """Return the steps since this was last asked."""
        steps, self.steps = self.steps, []
        return steps

    def start(self) -> None:
        """Start all brokers, one shortly after the other."""
        for number, broker in enumerate(self.brokers.values()):
            self.simulator.after(1 + number * SECOND // 7, broker.start)

    def run(self, seconds: float) -> list[DesignStep]:
        """Let time pass; returns the steps that were taken."""
        self.simulator.run_until(self.simulator.now_ns + int(seconds * SECOND))
        return self.taken()

    def hold(self, broker: int) -> None:
        """See to it that a broker that goes down stays down until it is released as often as it was held."""
        self.held[broker] = self.held.get(broker, 0) + 1

    def release(self, broker: int) -> None:
        """Let a broker be started again, if nothing else holds it."""
        self.held[broker] = max(0, self.held.get(broker, 0) - 1)
        if not self.held[broker]:
            self.brokers[broker].start()

    def restarted(self) -> None:
        """Start the brokers that have ended by themselves and that nothing holds down."""
        for number, broker in self.brokers.items():
            if not self.held.get(number):
                broker.start()


def header_of(design: Design, cluster: Cluster) -> Header:
    """Return the first line of a cluster's trace: its settings, and how its cells begin."""
    settings = cluster.settings
    return Header(
        design=design.name,
        settings={
            "brokers": list(settings.brokers),
            "replicas": {str(one): sorted(found) for one, found in settings.replicas.items()},
            design.session: settings.session,
            "id_reuse": settings.id_reuse,
            "initial": cluster.initial,
        },
    )


def steps_of(
    design: Design, bugs: Mapping[str, Injection], seed: int, seconds: float, faults: str | None, inject: str | None
) -> Iterator[DesignStep]:
    """Run a seed and return its steps one by one; the last fifth of the time is without new faults.

    `faults` is `swarm` (also None) for a random part of all kinds, `all`, `none`, or names with commas between;
    `inject` names defects. Raises ValueError for a name that is none.
    """
    kinds = parse_faults(faults or "swarm")
    names = [one for one in (inject or "").split(",") if one]
    for name in names:
        if name not in bugs:
            raise ValueError(f"--inject {name}: there is none of that name; there are {', '.join(bugs)}")
    return _running(design, [bugs[name] for name in names], seed, seconds, kinds)


def _running(
    design: Design, bugs: Sequence[Injection], seed: int, seconds: float, kinds: tuple[str, ...] | None
) -> Iterator[DesignStep]:
    cluster = Cluster(design, seed)
    injector = FaultInjector(cluster, kinds)
    operator = cluster.operator
    cluster.start()
    operator.start()
    passed, quiet = 0.0, 0.8 * seconds
    while passed < seconds:
        # A defect is there only while the cluster runs, not while somebody else uses what it has told so far.
        with ExitStack() as injected:
            for bug in bugs:
                injected.enter_context(bug.injected())
            injector.working = operator.working = 3 <= passed < quiet
            cluster.restarted()
            slice_ = min(1.0, seconds - passed)
            steps = cluster.run(slice_)
            passed += slice_
        yield from steps
