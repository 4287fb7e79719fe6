"""One run: a cluster with its work and its faults, from the formatted disks to the last look at how it is."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from fencepost.reference.kraft.broker.ledger import Ledger
from fencepost.reference.kraft.broker.producers import Producer
from fencepost.reference.kraft.broker.telling import BrokerObservers, BrokerStepWriter
from fencepost.reference.kraft.controller.metrics import kafka_metrics
from fencepost.reference.kraft.controller.quorum_controller import QuorumController
from fencepost.reference.kraft.injected import BUGS, REPLICATION
from fencepost.reference.kraft.inkless import INKLESS, NEWEST
from fencepost.reference.kraft.levels import DIRECTORIES, METADATA_VERSION, NAMES, TRANSACTIONS
from fencepost.reference.kraft.loop_steps import LoopWriter
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.kraft.steps import StepWriter
from fencepost.reference.kraft.voter_steps import VoterWriter
from fencepost.reference.simulator import SECOND, Simulator
from fencepost.traces.loop_steps import LoopStep
from fencepost.traces.steps import AnyStep
from fencepost.traces.voter_steps import VoterStep

from .cluster import Cluster, ClusterConfig, name_of
from .controller_node import ControllerNode
from .faults import FaultInjector, draw_plans, parse_faults
from .observers import Observers
from .odd_requests import ODD_WORK, OddAdministrator
from .plan import OLDEST_DRAWN, Plan
from .progress import PROMISES, Progress
from .script import Script
from .security_requests import SECRET_KEY, SECURITY_WORK, SecurityAdministrator
from .story import Story
from .telling import counted, short
from .voters import QuorumPlan, VoterAdministrator
from .watch import Violation, Watch
from .workload import OF_INKLESS, Administrator, WorkloadPlan

LOSING = ("D21", "D28", "D29")
"""The defects of Kafka by which acknowledged records are lost, as the ledger names them."""

STUCK = "removed leader"
"""The finding that no controller can be elected, by the name under which runs count it (VB5 of `kraft-voters`)."""

AFTER_FAULT_S = 40
"""So long after a controller fell to a known defect the cluster may still be on its way back."""

NO_WORK = WorkloadPlan(interval_ms=10**9)


@dataclass
class Outcome:
    """The outcome of a run.

    `violations` are broken promises, `findings` what Kafka does wrong as well, with how often. `faults` counts those
    that happened, `requests` those of administrators. `metrics` are the controllers' by node. `came_to_pass` counts by
    the id of each promise of `progress.PROMISES` how often it was due and done, or found not to be.
    """

    plan: Plan
    events: int = 0
    records: int = 0
    violations: list[Violation] = field(default_factory=list)
    findings: dict[str, int] = field(default_factory=dict)
    faults: dict[str, int] = field(default_factory=dict)
    requests: dict[str, int] = field(default_factory=dict)
    acknowledged: int = 0
    losses: list[str] = field(default_factory=list)
    loss_reasons: dict[str, int] = field(default_factory=dict)
    metrics: dict[int, dict[str, Any]] = field(default_factory=dict)
    came_to_pass: dict[str, int] = field(default_factory=dict)


class Run:
    """A run of a plan; `sink` receives every step of every controller and of every replica, `story` every line.

    `loop_sink` receives every step of the controllers' loops, on every node, and of the Raft under them, `voter_sink`
    every step of a quorum whose voters change. After `execute` the cluster can be looked at, and its disks written.
    """

    def __init__(
        self,
        plan: Plan,
        sink: Callable[[AnyStep], None] | None = None,
        story: Story | None = None,
        loop_sink: Callable[[LoopStep], None] | None = None,
        voter_sink: Callable[[VoterStep], None] | None = None,
    ) -> None:
        self.plan = plan
        self.story = story or Story()
        self.watch, self.ledger = Watch(), Ledger()
        self.progress = Progress(self.watch)
        told = [self.watch, self.story, self.progress]
        loop = None if loop_sink is None else LoopWriter(loop_sink, lambda: self.cluster.now_ns)
        writers = [StepWriter(sink)] if sink is not None else []
        voters = None if voter_sink is None else VoterWriter(voter_sink)
        observers = Observers(*told, *writers, *(one for one in (loop, voters) if one is not None))
        bugs = tuple(bug for bug in plan.bugs if bug in BUGS)
        brokers = self.ledger if sink is None else BrokerObservers(self.ledger, BrokerStepWriter(sink))
        self.cluster = _cluster_class(bugs)(_config(plan), observers, brokers)
        if loop is not None:
            loop.formatted(self.cluster.config.level >= TRANSACTIONS)
        if voters is not None:
            config, cluster = self.cluster.config, self.cluster
            voters.formatted(cluster.voters, cluster.others, config.dynamic_quorum, cluster.joining)
        simulator, network = self.cluster.simulator, self.cluster.network
        work = NO_WORK if plan.story else WorkloadPlan.drawn(simulator.random("work"))
        work = dataclasses.replace(work, highest=plan.highest)
        if plan.settings.fork == INKLESS:
            work = dataclasses.replace(work, weights={**work.weights, **OF_INKLESS})
        self.administrator = Administrator(
            simulator, network, work, tuple(self.cluster.controllers), name_of, self.cluster.image,
            lambda broker: not self.cluster.brokers[broker].alive, cordon=self._cordon,
        )  # fmt: skip
        self.producers = [
            Producer(simulator, network, f"producer-{number}", self.ledger, self.cluster.image, name_of, number=number)
            for number in range(plan.producers)
        ]
        faults = () if plan.story else draw_plans(simulator.random("fault mix"), parse_faults(plan.faults))
        self.faults = FaultInjector(self.cluster, faults, self._fault)
        self.odd: list[Administrator] = [self._odd_administrator()] if plan.odd else []
        self.odd += [self._security_administrator()] if plan.security else []
        self.voters = [self._voter_administrator()] if plan.voters else []
        for process in (self.administrator, *self.odd, *self.voters, *self.producers):
            network.attach(process)

    def _odd_administrator(self) -> Administrator:
        cluster = self.cluster
        odd = OddAdministrator(
            cluster.simulator, cluster.network, ODD_WORK, tuple(cluster.controllers), name_of, cluster.image,
            lambda broker: False, name="odd administrator",
        )  # fmt: skip
        odd.cluster_id = cluster.cluster_id
        return odd

    def _security_administrator(self) -> Administrator:
        cluster = self.cluster
        return SecurityAdministrator(
            cluster.simulator, cluster.network, SECURITY_WORK, tuple(cluster.controllers), name_of, cluster.image,
            lambda broker: False, name="security administrator",
        )  # fmt: skip

    def _voter_administrator(self) -> VoterAdministrator:
        cluster = self.cluster
        ids = tuple(cluster.controllers)
        return VoterAdministrator(cluster.simulator, cluster.network, [name_of(one) for one in ids], ids)

    def _cordon(self, draw: random.Random) -> None:
        """Let a broker have other directories that get no new replicas; now and then all of them, or none."""
        broker = self.cluster.brokers[draw.choice(sorted(self.cluster.brokers))]
        directories = [one.id for one in broker.disk.directories]
        broker.cordon(draw.sample(directories, draw.randint(0, len(directories))))

    def _fault(self, who: str, what: str) -> None:
        self.story.tell(self.cluster.now_ns, short(who), short(what), "×")

    # -- the run ---------------------------------------------------------------------------------------------------
    def execute(self) -> Outcome:
        """Run it, and return what became of it."""
        with ExitStack() as injected:
            for bug in self.plan.bugs:
                if bug in REPLICATION:
                    injected.enter_context(REPLICATION[bug].injected())
            return self._execute()

    def _execute(self) -> Outcome:
        cluster, plan = self.cluster, self.plan
        self._tell_beginning()
        cluster.start()
        for process in (self.administrator, *self.odd, *self.voters, *self.producers):
            process.start()
        if plan.story:
            Script(cluster, self.administrator, self.story).schedule()
        else:
            self.faults.start()
        quiet = min(plan.quiet_seconds, plan.seconds / 2)
        self._pass(plan.seconds - quiet)
        self.faults.stop()
        if not plan.story:
            for process in (self.administrator, *self.odd, *self.voters):
                process.crash()
        self._pass(quiet)
        return self._outcome()

    def _pass(self, seconds: float) -> None:
        """Let time pass, and look once a second at what is to come to pass."""
        cluster = self.cluster
        end_ns = cluster.now_ns + int(seconds * SECOND)
        while cluster.now_ns < end_ns:
            cluster.simulator.run_until(min(cluster.now_ns + SECOND, end_ns))
            self.progress.look(cluster, self.faults.under_way or cluster.is_stuck)

    def unfinished(self) -> Outcome:
        """Return the outcome of an interrupted run: its end is not checked."""
        return Outcome(self.plan, self.cluster.simulator.events, violations=self.watch.violations)

    def _tell_beginning(self) -> None:
        config = self.cluster.config
        nodes = f"{counted(config.controllers, 'controller')} and {counted(config.brokers, 'broker')}"
        self.story.tell(
            0, "format", f"cluster {self.cluster.cluster_id}: {nodes}, {METADATA_VERSION} {NAMES[config.level]}", "+"
        )
        if self.faults.plans:
            plans = "; ".join(map(str, self.faults.plans))
            self.story.tell(0, "faults", f"drawn for this seed, on average: {plans}")

    def _outcome(self) -> Outcome:
        cluster, watch, ledger = self.cluster, self.watch, self.ledger
        now = cluster.now_ns
        for fatal in cluster.fatal:
            watch.violated(fatal.now_ns, "replay", f"controller {fatal.node} cannot go on: {fatal.cause}")
        # Where a known defect goes on costing every controller its leadership, nothing else can be asked.
        hopeless = now - watch.last_fault_ns < AFTER_FAULT_S * SECOND and watch.last_fault_ns >= 0
        if cluster.is_stuck:
            hopeless, watch.findings[STUCK] = True, 1
        for problem in cluster.problems(self.progress.moved):
            if hopeless:
                watch.findings["never healed"] = watch.findings.get("never healed", 0) + 1
            else:
                watch.violated(now, "in the end", problem)
        controllers = [node.controller for node in cluster.controllers.values() if node.controller is not None]
        watch.compare(controllers, now)
        ledger.check_all(cluster.brokers.values())
        for loss in ledger.violations:
            watch.violated(now, "data loss", str(loss))
        reasons = Counter(loss.excuse for loss in ledger.losses if loss.excuse)
        for finding in LOSING:
            count = sum(times for reason, times in reasons.items() if f"({finding})" in reason)
            watch.findings |= {finding: count} if count else {}
        active = cluster.active
        log = active.disk.log if active is not None else next(iter(cluster.controllers.values())).disk.log
        return Outcome(
            plan=self.plan,
            events=cluster.simulator.events,
            records=log.end_offset,
            violations=watch.violations,
            findings=watch.findings,
            faults=dict(self.faults.happened),
            requests={**self.administrator.sent, **{kind: n for one in self.voters for kind, n in one.sent.items()}},
            acknowledged=ledger.acknowledged_entries,
            losses=[str(loss) for loss in ledger.losses],
            loss_reasons=dict(reasons),
            metrics={controller.node_id: kafka_metrics(controller) for controller in controllers},
            came_to_pass={name: self.progress.applied[name] for name in PROMISES},
        )


def _config(plan: Plan) -> ClusterConfig:
    """Make the cluster of a plan; what the plan leaves open is drawn from its seed."""
    draw = Simulator(plan.seed).random("plan")
    level = plan.level
    if level is None:
        newest = plan.story or draw.random() < 0.6 or bool(plan.scram)
        level = plan.highest if newest else draw.randint(OLDEST_DRAWN, plan.highest)
    if plan.settings.fork == INKLESS:
        level = min(level, NEWEST)
    directories, racks = draw.choice((1, 1, 2, 3)), draw.choice((0, 0, 2, 3))
    if level < DIRECTORIES:
        # Brokers with several directories halt at such a level.
        directories = 1
    if plan.story:
        directories, racks = 1, 0
    quorum = QuorumPlan.drawn(Simulator(plan.seed).random("quorum"), plan.controllers) if plan.voters else None
    return ClusterConfig(
        seed=plan.seed,
        quorum=quorum,
        dynamic_quorum=quorum is None or quorum.dynamic,
        controllers=plan.controllers,
        brokers=plan.brokers,
        directories=plan.directories if plan.directories is not None else directories,
        racks=plan.racks if plan.racks is not None else racks,
        level=level,
        features=dict(plan.features),
        settings=_settings(plan),
        scram=plan.scram,
        recovery_ns=(0, 3 * SECOND),
    )


def _settings(plan: Plan) -> Settings:
    """Return the settings of a plan; who asks for tokens needs a secret key."""
    if not plan.security or plan.settings.delegation_token_secret_key is not None:
        return plan.settings
    return dataclasses.replace(plan.settings, delegation_token_secret_key=SECRET_KEY)


def _cluster_class(bugs: tuple[str, ...]) -> type[Cluster]:
    """Return the class of clusters whose controllers have some bugs."""
    if not bugs:
        return Cluster

    class BuggyController(QuorumController):
        def __init__(self, *arguments: Any, **more: Any) -> None:
            super().__init__(*arguments, **more)
            for bug in bugs:
                BUGS[bug].install(self)

    class BuggyNode(ControllerNode):
        controller_class = BuggyController

    class BuggyCluster(Cluster):
        controller_class = BuggyNode

    return BuggyCluster
