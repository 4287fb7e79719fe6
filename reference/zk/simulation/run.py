"""One run: a cluster with its work and its faults, from the first broker's start to the last look at how it is."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field

from fencepost.reference.simulator import SECOND, Simulator
from fencepost.reference.zk.broker import BrokerSettings
from fencepost.reference.zk.broker.leading import LeadingSettings
from fencepost.reference.zk.injected import BUGS
from fencepost.traces.zk.steps import ZkStep

from .cluster import Cluster
from .faults import FaultInjector, Place, draw_plans, parse_faults
from .plan import Plan
from .watch import Watch
from .workload import Administrator

Sink = Callable[[ZkStep], None]


@dataclass
class Outcome:
    """The outcome of a run: `violations` are broken promises, `stuck` the topics that Kafka never finishes, and
    `findings` what it does wrong as well, with how often.

    The others are counts of steps, faults and requests by name.
    """

    plan: Plan
    events: int = 0
    zxid: int = 0
    epochs: int = 0
    steps: dict[str, int] = field(default_factory=dict)
    violations: list[str] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    findings: dict[str, int] = field(default_factory=dict)
    faults: dict[str, int] = field(default_factory=dict)
    requests: dict[str, int] = field(default_factory=dict)


class Run:
    """A run of a plan; every observer receives every step. After `execute` the cluster can be looked at."""

    def __init__(self, plan: Plan, *observers: Sink) -> None:
        self.plan = plan
        self.watch = Watch()
        self.observers: tuple[Sink, ...] = (self.watch.step, *observers)
        draw = Simulator(plan.seed).random("plan")
        leading = LeadingSettings(
            look_ns=int((0.1 + 0.4 * draw.random()) * SECOND), catch_up_ns=int((0.1 + 2 * draw.random()) * SECOND)
        )
        self.cluster = Cluster(plan.seed, plan.brokers, self._told, BrokerSettings(leading=leading))
        self.administrator = Administrator(self.cluster, 0.15 + 1.5 * draw.random())
        self.cluster.network.attach(self.administrator)
        place = Place(self.cluster, self.administrator, self.cluster.simulator.random("faults"))
        plans = draw_plans(self.cluster.simulator.random("fault mix"), parse_faults(plan.faults))
        self.faults = FaultInjector(place, plans if plan.work else ())

    def _told(self, step: ZkStep) -> None:
        for one in self.observers:
            one(step)

    def execute(self) -> Outcome:
        """Run it, and return what became of it."""
        with ExitStack() as injected:
            for bug in self.plan.bugs:
                injected.enter_context(BUGS[bug].injected())
            return self._execute()

    def _execute(self) -> Outcome:
        cluster, plan = self.cluster, self.plan
        quiet = min(plan.quiet_seconds, plan.seconds / 2)
        self.administrator.start()
        cluster.start()
        cluster.run(3)
        if plan.work:
            self.administrator.work()
        self.faults.start()
        cluster.run(plan.seconds - quiet - 3)
        self.administrator.working = False
        self.faults.stop()
        # Some brokers are on their way down: wait until they are, so that they can be started.
        cluster.run(quiet / 4)
        cluster.release_all()
        cluster.run(quiet / 4)
        self.watch.violations += [f"after a while: {one}" for one in cluster.unsettled()]
        # One more controller: Kafka leaves a partition without a leader when a changed reassignment takes its leader
        # away (KAFKA-14808), and a leader whose proposal was fenced waits for the next LeaderAndIsr.
        controller = cluster.controller
        if controller is not None:
            controller.stop()
            controller.start()
        cluster.run(quiet / 2)
        return self.outcome()

    def outcome(self) -> Outcome:
        """Return what has become of the run by now."""
        cluster = self.cluster
        problems = [f"in the end: {one}" for one in cluster.problems()]
        return Outcome(
            plan=self.plan,
            events=cluster.simulator.events,
            zxid=cluster.server.zxid,
            epochs=self.watch.epoch,
            steps=dict(sorted(self.watch.steps.items())),
            violations=self.watch.violations + problems,
            stuck=cluster.stuck(),
            findings=dict(self.watch.findings),
            faults=dict(self.faults.happened),
            requests=dict(self.administrator.done),
        )


def simulate(plan: Plan, *observers: Sink) -> Run:
    """Run a plan to its end; every observer receives every step as it happens.

    Returns the run, whose `outcome` says what became of it, and whose cluster has the logs and the znode history.
    """
    run = Run(plan, *observers)
    run.execute()
    return run
