"""The life of a broker, as a table: in which state, at what answer, what it does next (BrokerLifecycleManager)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fencepost.reference.kraft.broker.broker import FEATURES, Broker, BrokerConfig
from fencepost.reference.kraft.broker.disk import BrokerDisk, NotFormattedError
from fencepost.reference.kraft.broker.lifecycle import BrokerLifecycleManager, BrokerState
from fencepost.reference.kraft.errors import ApiError, Errors
from fencepost.reference.kraft.levels import CORDONED_DIRECTORIES, LATEST_PRODUCTION, LEVELS
from fencepost.reference.kraft.messages import (
    BrokerHeartbeatRequest,
    BrokerHeartbeatResponse,
    BrokerRegistrationRequest,
    BrokerRegistrationResponse,
)
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.simulator import MILLISECOND, SECOND, Network, Simulator
from tests.cases import each

from .broker_cluster import BrokerCluster, directory, name_of
from .clockwork import Call, Clockwork

NOT_RUNNING, STARTING, RECOVERY, RUNNING = (
    BrokerState.NOT_RUNNING,
    BrokerState.STARTING,
    BrokerState.RECOVERY,
    BrokerState.RUNNING,
)
PENDING, SHUTTING_DOWN = BrokerState.PENDING_CONTROLLED_SHUTDOWN, BrokerState.SHUTTING_DOWN


class Life:
    """A lifecycle on a clock, whose requests the test answers."""

    def __init__(self, level: int = LATEST_PRODUCTION) -> None:
        self.clock, self.level, self.told = Clockwork(), level, list[str]()
        self.waiting: list[tuple[Any, Callable[[Any], None], Callable[[], None] | None]] = []
        self.sent: list[tuple[int, Any]] = []
        self.manager = BrokerLifecycleManager(
            self, self, Settings(), broker_id=1, cluster_id="cluster", incarnation_id="incarnation", listeners=(),
            features=FEATURES, rack=None, directories=("a", "b"), previous_broker_epoch=7,
        )  # fmt: skip

    def send(
        self, request: Any, on_answer: Callable[[Any], None], on_timeout: Callable[[], None] | None = None
    ) -> None:
        """Keep a request for the test."""
        self.sent.append((self.clock.now_ns, request))
        self.waiting.append((request, on_answer, on_timeout))

    def after(self, delay_ns: int, callback: Callable[[], None]) -> Call:
        """Schedule on the clock."""
        return self.clock.after(delay_ns, callback)

    def applied_offset(self) -> int:
        """Return some offset."""
        return 42

    def metadata_version(self) -> int:
        """Return the level of the test."""
        return self.level

    def cordoned_directories(self) -> tuple[str, ...]:
        """Return some directory."""
        return ("b",)

    def caught_up(self) -> None:
        """Note it."""
        self.told.append("caught up")

    def unfenced(self) -> None:
        """Note it."""
        self.told.append("unfenced")

    def shut_down(self) -> None:
        """Note it."""
        self.told.append("shut down")

    def halt(self) -> None:
        """Note it."""
        self.told.append("halt")

    def answer(self, answer: Any) -> None:
        """Answer the oldest request and let run what is due at once."""
        self.waiting.pop(0)[1](answer)
        self.clock.run()

    def beat(self, *, caught_up: bool = True, fenced: bool = False, shut_down: bool = False) -> None:
        """Answer a heartbeat."""
        assert isinstance(self.waiting[0][0], BrokerHeartbeatRequest)
        self.answer(BrokerHeartbeatResponse(caught_up, fenced, False, shut_down))

    def next_request(self) -> int:
        """Let time pass until a request is sent; return how long it took, in milliseconds."""
        before = self.clock.now_ns
        while not self.waiting:
            self.clock.run(MILLISECOND)
        return (self.clock.now_ns - before) // MILLISECOND

    def until(self, state: BrokerState) -> Life:
        """Bring the broker into a state, with a heartbeat waiting for its answer."""
        if state is NOT_RUNNING:
            return self
        self.manager.start()
        self.answer(BrokerRegistrationResponse(11))
        if state is not STARTING:
            self.beat()
            self.manager.set_ready_to_unfence()
            self.next_request()
        if state in (RUNNING, PENDING, SHUTTING_DOWN):
            self.beat()
            self.next_request()
        if state in (PENDING, SHUTTING_DOWN):
            self.manager.begin_controlled_shutdown()
            self.beat()
            self.next_request()
        if state is SHUTTING_DOWN:
            self.beat(shut_down=True)
        assert self.manager.state is state
        return self


def say(caught_up: bool, fenced: bool, shut_down: bool) -> BrokerHeartbeatResponse:
    """Return an answer to a heartbeat."""
    return BrokerHeartbeatResponse(caught_up, fenced, False, shut_down)


STALE = ApiError(Errors.STALE_BROKER_EPOCH)


@each(
    ("before", "answer", "after", "pause_ms"),
    [
        # state    caught up, fenced, shut down    next state     milliseconds to the next heartbeat
        (STARTING, say(False, True, False), STARTING, 10),
        (STARTING, say(True, True, False), RECOVERY, 10),
        (STARTING, say(True, True, True), RECOVERY, 10),
        (STARTING, STALE, STARTING, 2000),
        (RECOVERY, say(True, True, False), RECOVERY, 2000),
        (RECOVERY, say(False, False, False), RUNNING, 2000),
        (RECOVERY, STALE, RECOVERY, 2000),
        (RUNNING, say(True, False, False), RUNNING, 2000),
        (RUNNING, say(True, True, False), RUNNING, 2000),
        (RUNNING, say(True, True, True), RUNNING, 2000),
        (RUNNING, STALE, RUNNING, 2000),
        (PENDING, say(True, False, False), PENDING, 2000),
        (PENDING, STALE, PENDING, 2000),
        (PENDING, say(True, True, True), SHUTTING_DOWN, None),
    ],
)
def test_the_answer_to_a_heartbeat(before: BrokerState, answer: Any, after: BrokerState, pause_ms: int | None) -> None:
    """The state and the answer decide the next state and when the next heartbeat is sent; errors only delay it."""
    life = Life().until(before)
    life.answer(answer)
    assert life.manager.state is after
    if pause_ms is None:
        life.clock.run(60 * SECOND)
        assert life.waiting == []
        assert life.told[-1] == "shut down"
    else:
        assert life.next_request() == pause_ms


@each(
    ("state", "after"),
    [
        (NOT_RUNNING, SHUTTING_DOWN),
        (STARTING, SHUTTING_DOWN),
        (RECOVERY, SHUTTING_DOWN),
        (RUNNING, PENDING),
        (PENDING, PENDING),
        (SHUTTING_DOWN, SHUTTING_DOWN),
    ],
)
def test_sigterm(state: BrokerState, after: BrokerState) -> None:
    """Only a broker that runs asks for a controlled shutdown; any other ends at once."""
    life = Life().until(state)
    life.manager.begin_controlled_shutdown()
    assert life.manager.state is after


def test_the_first_answer_to_a_controlled_shutdown_is_followed_up_soon() -> None:
    """50 milliseconds after the first answer, then at the usual interval."""
    life = Life().until(RUNNING)
    life.beat()
    life.manager.begin_controlled_shutdown()
    life.clock.run()
    assert life.waiting[0][0].want_shut_down
    life.beat()
    assert life.next_request() == 50
    life.beat()
    assert life.next_request() == 2000


def test_registration_is_tried_until_it_succeeds_or_time_is_over() -> None:
    """Refused registrations are repeated at the heartbeat interval; after a minute without one the broker ends."""
    life = Life()
    life.manager.start()
    for _ in range(3):
        request = life.waiting[0][0]
        assert isinstance(request, BrokerRegistrationRequest)
        assert (request.log_dirs, request.previous_broker_epoch) == (("a", "b"), 7)
        life.answer(ApiError(Errors.DUPLICATE_BROKER_REGISTRATION))
        assert life.next_request() == 2000
    life.clock.run(60 * SECOND)
    assert life.told == ["shut down"]
    assert life.manager.state is SHUTTING_DOWN


def test_a_registered_broker_outlives_the_registration_timeout() -> None:
    """The limit is for the first registration only."""
    life = Life().until(STARTING)
    life.clock.run(120 * SECOND)
    assert life.manager.state is STARTING


def test_what_a_heartbeat_says() -> None:
    """It wants to be fenced until it is ready, and has the offset of the last record that was applied."""
    life = Life().until(STARTING)
    first = life.waiting[0][0]
    assert (first.broker_epoch, first.current_metadata_offset, first.want_fence) == (11, 42, True)
    assert first.cordoned_log_dirs is None
    life.beat()
    assert life.next_request() == 10
    assert life.waiting[0][0].want_fence
    life.manager.set_ready_to_unfence()
    life.clock.run()
    life.beat(fenced=True)
    assert life.next_request() == 0
    assert not life.waiting[0][0].want_fence


@pytest.mark.parametrize(("level", "told"), [(CORDONED_DIRECTORIES, ("b",)), (CORDONED_DIRECTORIES - 1, None)])
def test_cordoned_directories(level: int, told: tuple[str, ...] | None) -> None:
    """They are reported from metadata.version 4.3-IV0 on, and not before the broker has caught up."""
    assert LEVELS["4.3-IV0"] == CORDONED_DIRECTORIES
    life = Life(level).until(RECOVERY)
    assert life.waiting[0][0].cordoned_log_dirs == told


def test_a_failed_directory_is_told_at_once_and_ever_after() -> None:
    """The next heartbeat is sent at once and names it; all later ones do too; then the broker stays up."""
    life = Life().until(RUNNING)
    life.manager.propagate_directory_failure("a")
    life.clock.run()
    life.beat()
    assert life.next_request() == 0
    assert life.waiting[0][0].offline_log_dirs == ("a",)
    life.beat()
    life.next_request()
    assert life.waiting[0][0].offline_log_dirs == ("a",)
    life.clock.run(40 * SECOND)
    assert "halt" not in life.told


def test_a_failed_directory_that_nobody_hears_of_ends_the_broker() -> None:
    """Without an answer within `log.dir.failure.timeout.ms` the broker halts."""
    life = Life().until(RUNNING)
    life.manager.propagate_directory_failure("a")
    life.clock.run(29 * SECOND)
    assert "halt" not in life.told
    life.clock.run(2 * SECOND)
    assert "halt" in life.told


def test_a_broker_registers_again_when_directories_come_to_be() -> None:
    """The same incarnation registers again, and its life goes on where it was."""
    life = Life().until(RUNNING)
    life.beat()
    life.manager.resend_registration()
    life.clock.run()
    request = life.waiting[0][0]
    assert isinstance(request, BrokerRegistrationRequest)
    assert request.incarnation_id == "incarnation"
    life.answer(BrokerRegistrationResponse(11))
    assert life.manager.state is RUNNING
    assert isinstance(life.waiting[0][0], BrokerHeartbeatRequest)


# -- with a controller ---------------------------------------------------------------------------------------------
def test_a_cluster_starts() -> None:
    """Brokers of a formatted disk register, catch up, and are unfenced within seconds."""
    cluster = BrokerCluster().start()
    assert {broker.state for broker in cluster.brokers.values()} == {RUNNING}
    first = cluster.heartbeats(1)[0]
    assert first[0].want_fence
    assert cluster.controller.fatal == []


def test_a_clean_shutdown_is_known_at_the_next_start() -> None:
    """After SIGTERM the next registration has the epoch of the last; after SIGKILL it has none."""
    cluster = BrokerCluster().start()
    topic = cluster.create("t", (1, 2, 3))
    run = cluster.brokers[1].run
    assert run is not None
    epoch = run.broker_epoch
    cluster.brokers[1].terminate()
    cluster.run(2)
    assert cluster.brokers[1].state is NOT_RUNNING
    assert cluster.registration(topic).leader != 1
    cluster.run(10)
    assert [registered(cluster, how) for how in ("start", "kill")] == [epoch, -1]


def registered(cluster: BrokerCluster, how: str) -> int:
    """Start broker 1, killed before if that is said, and return what it registered with."""
    if how == "kill":
        cluster.brokers[1].kill()
    cluster.brokers[1].start()
    cluster.run(12)
    requests = [r for _, r, _ in cluster.controller.requests if isinstance(r, BrokerRegistrationRequest)]
    assert cluster.brokers[1].state is RUNNING
    return [request.previous_broker_epoch for request in requests if request.broker_id == 1][-1]


def test_a_quick_restart_is_a_duplicate_until_the_session_is_over() -> None:
    """A broker that comes back at once after its controlled shutdown waits for the end of its former session."""
    cluster = BrokerCluster().start()
    cluster.brokers[1].terminate()
    cluster.run(1)
    assert cluster.brokers[1].state is NOT_RUNNING
    cluster.brokers[1].start()
    cluster.run(5)
    assert cluster.brokers[1].state is STARTING
    cluster.run(10)
    assert cluster.brokers[1].state is RUNNING


def test_an_upgrade_to_directories_makes_brokers_register_again() -> None:
    """At 3.7-IV2 each broker registers again, keeps its epoch, and its directories are known."""
    from fencepost.reference.kraft import messages as m

    cluster = BrokerCluster(level=LEVELS["3.7-IV1"], elr=0).start()
    known = cluster.controller.controller.managers.cluster.registrations
    before = known[1].epoch
    assert known[1].directories == ()
    cluster.ask(m.UpdateFeaturesRequest(updates=(("metadata.version", LEVELS["3.7-IV2"], m.UPGRADE),)), wait=5)
    assert known[1].directories == (directory(1),)
    assert known[1].epoch == before
    assert cluster.brokers[1].state is RUNNING


@pytest.mark.parametrize(("level", "alive"), [("3.7-IV1", False), ("3.7-IV2", True)])
def test_several_directories_need_a_metadata_version(level: str, alive: bool) -> None:
    """Below metadata.version 3.7-IV2 a broker with more than one directory halts when it learns of the level."""
    cluster = BrokerCluster(level=LEVELS[level], elr=0, directories=2).start()
    assert cluster.brokers[1].alive is alive


@pytest.mark.parametrize(("cluster_id", "node"), [("another", 1), ("cluster", 2)])
def test_a_foreign_disk_is_refused(cluster_id: str, node: int) -> None:
    """A broker does not start on a disk that was formatted for another cluster or node, nor on none."""
    simulator = Simulator(1)
    config = BrokerConfig(broker_id=1, cluster_id="cluster", controllers=(3000,), settings=Settings(), name_of=name_of)
    for disk in (BrokerDisk.formatted(cluster_id, node, ["d"]), BrokerDisk()):
        broker = Broker(simulator, Network(simulator), config, disk, lambda b, loader: pytest.fail("started"))
        with pytest.raises(NotFormattedError):
            broker.start()
        assert not broker.alive


def test_silent_controllers_only_delay() -> None:
    """While no controller answers, a broker goes on asking, and comes up as soon as one does."""
    cluster = BrokerCluster()
    cluster.controller.refuse_until_ns = 20 * SECOND
    cluster.start()
    cluster.run(15)
    assert cluster.brokers[1].state is STARTING
    cluster.run(12)
    assert cluster.brokers[1].state is RUNNING
