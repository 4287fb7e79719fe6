"""One seed, one run, to the byte: a cluster of either version with its work and its faults."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from fencepost.reference.simulator import SECOND, Cells, Faults, Journal, Network, Simulator, Swarm, chosen_faults
from fencepost.reference.simulator.patching import Injection, defect_of
from fencepost.traces.design_steps import DesignStep, Header

from .broker import Broker
from .controller import Controller
from .defects import FAILOVERS
from .faults import KINDS, LOSING, Kind, faults_of
from .operator import Operator
from .quorum import Quorum
from .settings import Settings, drawn

SECONDS = 120.0
"""How long a run is where nothing is said, of the cluster's time."""

START = 3
"""How many seconds a cluster has before work and faults begin."""


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """A version of the design: its name, its defects, its processes, and what only its operators do.

    `session` is what the time is called that a broker counts as alive after a heartbeat, `kinds` the kinds of faults.
    """

    name: str
    session: tuple[str, ...]
    bugs: Mapping[str, Injection]
    controller: Callable[[Settings, Cells, Quorum], Controller]
    brokers: Callable[[Settings, Cells, Cluster], Sequence[Broker]]
    operator: Callable[[Cluster], Operator]
    kinds: tuple[Kind, ...] = KINDS

    def header(self, seed: int) -> Header:
        """Return the first line of a seed's trace: its settings, times in milliseconds, and how its cells begin."""
        cluster = Cluster(self, seed)
        settings = cluster.settings
        return Header(
            design=self.name,
            settings={
                "brokers": list(settings.brokers),
                "replicas": {str(one): sorted(found) for one, found in settings.replicas.items()},
                **dict.fromkeys(self.session, settings.session),
                "id_reuse": settings.id_reuse,
                "initial": cluster.initial,
            },
        )

    def run(
        self, seed: int, seconds: float = SECONDS, faults: str | None = None, inject: str | None = None
    ) -> Iterator[DesignStep]:
        """Run a seed and return its steps one by one; the last fifth of the time is without new faults.

        `faults` is `swarm` (also None) for a random part of all kinds, `all`, `none`, or names with commas between;
        `inject` names defects of `bugs`. Raises ValueError for a name that is none.
        """
        kinds = chosen_faults(faults, [name for name, *_ in self.kinds])
        names = [one for one in (inject or "").split(",") if one]
        return _running(self, [defect_of(name, self.bugs) for name in names], seed, seconds, kinds)


def with_failovers(design: Design) -> Design:
    """Return the design whose failovers may lose what is not committed (S2:20), with the defects that they show."""
    bugs = {one.name: one for one in FAILOVERS}
    return replace(design, name=f"{design.name}+failovers", bugs=bugs, kinds=LOSING)


class Cluster:
    """All processes of a run; `journal` has the steps, `initial` how the cells begin."""

    def __init__(self, design: Design, seed: int, settings: Settings | None = None) -> None:
        self.simulator = Simulator(seed)
        self.settings = settings or drawn(self.simulator.random("settings"))
        self.journal = Journal(self.simulator)
        cells = self.journal.cells
        self.network = Network(self.simulator, Faults())
        self.quorum = Quorum(self.settings, self.network, self.simulator.random("quorum"), self.told)
        self.controller = design.controller(self.settings, cells, self.quorum)
        self.brokers = {one.id: one for one in design.brokers(self.settings, cells, self)}
        for broker in self.brokers.values():
            broker.peers = self.brokers
            self.network.attach(broker)
        self.quorum.begin(self.controller, cells)
        self.operator = design.operator(self)
        self.network.attach(self.operator)
        self.held: dict[int, int] = {}
        self.initial = cells.initial()
        cells.changed()

    def told(self, node: str, name: str, parameters: Mapping[str, Any], answer: str) -> None:
        """Take a step of a node."""
        self.journal.tell(node, name, answer, **parameters)

    def start(self) -> None:
        """Start all brokers, one shortly after the other."""
        for number, broker in enumerate(self.brokers.values()):
            self.simulator.after(1 + number * SECOND // 7, broker.start)

    def run(self, seconds: float) -> list[DesignStep]:
        """Let time pass; returns the steps that were taken."""
        return self.run_to(self.simulator.now_ns + int(seconds * SECOND))

    def run_to(self, time_ns: int) -> list[DesignStep]:
        """Let time pass up to a time; returns the steps that were taken since they were last returned."""
        self.simulator.run_until(time_ns)
        steps, self.journal.steps = self.journal.steps, []
        return steps

    def hold(self, broker: int) -> None:
        """See to it that a broker that goes down stays down until it is released as often as it was held."""
        self.held[broker] = self.held.get(broker, 0) + 1

    def release(self, broker: int) -> None:
        """Let a broker be started again, if nothing else holds it."""
        self.held[broker] = max(0, self.held.get(broker, 0) - 1)
        if not self.held[broker]:
            self.brokers[broker].start()

    def restart(self) -> None:
        """Start the brokers that have ended by themselves and that nothing holds down."""
        for number, broker in self.brokers.items():
            if not self.held.get(number):
                broker.start()


def _running(
    design: Design, bugs: Sequence[Injection], seed: int, seconds: float, kinds: tuple[str, ...] | None
) -> Iterator[DesignStep]:
    cluster = Cluster(design, seed)
    swarm, operator = Swarm(cluster.simulator, faults_of(cluster, design.kinds), kinds), cluster.operator
    begin, quiet, end = int(min(START, seconds) * SECOND), int(0.8 * seconds * SECOND), int(seconds * SECOND)
    passed = 0
    while passed < end:
        upto = min(passed + SECOND, *(one for one in (begin, quiet, end) if one > passed))
        # A defect is there only while the cluster runs, not while its consumer uses the yielded steps.
        with ExitStack() as injected:
            for bug in bugs:
                injected.enter_context(bug.injected())
            if passed == 0:
                cluster.start()
                operator.start()
            elif passed == begin:
                swarm.start()
                operator.working = True
            elif passed == quiet:
                swarm.stop()
                operator.working = False
            if passed > begin:
                cluster.restart()
            steps, passed = cluster.run_to(upto), upto
        yield from steps
