"""The life of a broker as it sees it: from its registration to the shutdown that the controller grants.

After Kafka's `BrokerLifecycleManager` (BrokerLifecycleManager). Errors of the controller change no state here: the
broker waits and sends again. A broker whose id was taken over never stops by itself.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any, Protocol

from fencepost.reference.kraft.errors import ApiError
from fencepost.reference.kraft.levels import CORDONED_DIRECTORIES
from fencepost.reference.kraft.messages import (
    BrokerHeartbeatRequest,
    BrokerHeartbeatResponse,
    BrokerRegistrationRequest,
    BrokerRegistrationResponse,
    Endpoint,
    FeatureRange,
)
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.simulator import MILLISECOND

CATCHING_UP_NS = 10 * MILLISECOND
"""The pause between heartbeats while the broker waits to have caught up."""

FIRST_SHUTDOWN_NS = 50 * MILLISECOND
"""The pause after the first answer to a broker that wants to shut down."""


class BrokerState(enum.Enum):
    """The states of a broker, with Kafka's numbers."""

    NOT_RUNNING = 0
    STARTING = 1
    RECOVERY = 2
    RUNNING = 3
    PENDING_CONTROLLED_SHUTDOWN = 6
    SHUTTING_DOWN = 7


class Timer(Protocol):
    """Something scheduled that can be cancelled."""

    def cancel(self) -> None:
        """See to it that it does not happen."""


class Channel(Protocol):
    """The line to the active controller for registrations and heartbeats."""

    def send(
        self, request: Any, on_answer: Callable[[Any], None], on_timeout: Callable[[], None] | None = None
    ) -> None:
        """Send a request until it is answered, with a response or an `ApiError`, or too old."""


class LifecycleHost(Protocol):
    """The part of a broker that its lifecycle needs."""

    def after(self, delay_ns: int, callback: Callable[[], None]) -> Timer:
        """Run something later, unless the broker is gone by then."""

    def applied_offset(self) -> int:
        """Return the offset of the last metadata record that was applied, −1 for none."""

    def metadata_version(self) -> int:
        """Return the level of metadata.version as the broker knows it."""

    def cordoned_directories(self) -> tuple[str, ...]:
        """Return the ids of the directories that get no new replicas."""

    def caught_up(self) -> None:
        """Begin what a broker does once it has caught up for the first time."""

    def unfenced(self) -> None:
        """Handle that the broker runs."""

    def shut_down(self) -> None:
        """End the broker: the shutdown was granted, or it never got registered."""

    def halt(self) -> None:
        """End the broker at once: the failure of a directory could not be reported to any controller."""


class BrokerLifecycleManager:
    """Registers a broker, sends its heartbeats, and moves it from state to state."""

    def __init__(
        self,
        host: LifecycleHost,
        channel: Channel,
        settings: Settings,
        *,
        broker_id: int,
        cluster_id: str,
        incarnation_id: str,
        listeners: tuple[Endpoint, ...],
        features: tuple[FeatureRange, ...],
        rack: str | None,
        directories: tuple[str, ...],
        previous_broker_epoch: int,
    ) -> None:
        self._host, self._channel, self._settings = host, channel, settings
        self.broker_id, self.incarnation_id = broker_id, incarnation_id
        self.state = BrokerState.NOT_RUNNING
        self.broker_epoch = -1
        self.offline: dict[str, bool] = {}
        self._registration = BrokerRegistrationRequest(
            broker_id=broker_id,
            cluster_id=cluster_id,
            incarnation_id=incarnation_id,
            listeners=listeners,
            features=features,
            rack=rack,
            log_dirs=directories,
            previous_broker_epoch=previous_broker_epoch,
        )
        self._ready_to_unfence = False
        self._registered = False
        self._ever_registered = False
        self._shutdown_answered = False
        self._in_flight = False
        self._next_at_once = False
        self._timer: Timer | None = None

    # -- what the broker asks for ----------------------------------------------------------------------------------
    def start(self) -> None:
        """Begin: STARTING, with a first registration, and an end if none succeeds in time."""
        self.state = BrokerState.STARTING
        limit = self._settings.initial_broker_registration_timeout_ms * MILLISECOND
        self._host.after(limit, self._registration_timed_out)
        self._send_registration()

    def set_ready_to_unfence(self) -> None:
        """Say that the broker has recovered its logs: from now on it does not want to be fenced."""
        self._ready_to_unfence = True
        self._schedule(0)

    def begin_controlled_shutdown(self) -> None:
        """Ask to be relieved, as at SIGTERM; a broker that is not RUNNING shuts down at once."""
        if self.state is BrokerState.RUNNING:
            self.state = BrokerState.PENDING_CONTROLLED_SHUTDOWN
            self._schedule(0)
        elif self.state is not BrokerState.PENDING_CONTROLLED_SHUTDOWN:
            self.begin_shutdown()

    def begin_shutdown(self) -> None:
        """Shut down without a request to the controller."""
        if self.state is not BrokerState.SHUTTING_DOWN:
            self.state = BrokerState.SHUTTING_DOWN
            if self._timer is not None:
                self._timer.cancel()
            self._host.shut_down()

    def resend_registration(self) -> None:
        """Register again with the same incarnation: metadata.version has come to know directories."""
        self._registered = False
        self._schedule(0)

    def propagate_directory_failure(self, directory: str) -> None:
        """Tell the controller that a directory failed; the broker halts if that is not heard in time."""
        self.offline[directory] = False
        if self._registered:
            self._schedule(0)
        limit = self._settings.log_dir_failure_timeout_ms * MILLISECOND
        self._host.after(limit, lambda: self._directory_failure_timed_out(directory))

    def cordoned_directories_changed(self) -> None:
        """Tell the controller soon which directories get no new replicas."""
        if self._registered:
            self._schedule(0)

    # -- registration ----------------------------------------------------------------------------------------------
    def _send_registration(self) -> None:
        self._in_flight = True
        self._channel.send(self._registration, self._registration_answered, self._failed)

    def _registration_answered(self, answer: BrokerRegistrationResponse | ApiError) -> None:
        self._in_flight = False
        if self.state is BrokerState.SHUTTING_DOWN:
            return
        if isinstance(answer, ApiError):
            self._schedule_after_failure()
            return
        self.broker_epoch = answer.broker_epoch
        self._registered = self._ever_registered = True
        self._schedule(0)

    def _registration_timed_out(self) -> None:
        if not self._ever_registered:
            self.begin_shutdown()

    # -- heartbeats ------------------------------------------------------------------------------------------------
    def _send_heartbeat(self) -> None:
        told = tuple(self.offline)
        request = BrokerHeartbeatRequest(
            broker_id=self.broker_id,
            broker_epoch=self.broker_epoch,
            current_metadata_offset=self._host.applied_offset(),
            want_fence=not self._ready_to_unfence,
            want_shut_down=self.state is BrokerState.PENDING_CONTROLLED_SHUTDOWN,
            offline_log_dirs=told,
            cordoned_log_dirs=self._cordoned(),
        )
        self._in_flight = True
        self._channel.send(request, lambda answer: self._heartbeat_answered(told, answer), self._failed)

    def _cordoned(self) -> tuple[str, ...] | None:
        """Return the cordoned directories; None, which changes nothing, before the broker knows what is allowed."""
        if self.state is BrokerState.STARTING or self._host.metadata_version() < CORDONED_DIRECTORIES:
            return None
        return self._host.cordoned_directories()

    def _heartbeat_answered(self, told: tuple[str, ...], answer: BrokerHeartbeatResponse | ApiError) -> None:
        self._in_flight = False
        if isinstance(answer, ApiError):
            if self.state is not BrokerState.SHUTTING_DOWN:
                self._schedule_after_failure()
            return
        for directory in told:
            self.offline[directory] = True
        interval = self._settings.broker_heartbeat_interval_ms * MILLISECOND
        match self.state:
            case BrokerState.STARTING:
                if answer.is_caught_up:
                    self.state = BrokerState.RECOVERY
                    self._host.caught_up()
                self._schedule(CATCHING_UP_NS)
            case BrokerState.RECOVERY:
                if not answer.is_fenced:
                    self.state = BrokerState.RUNNING
                    self._host.unfenced()
                self._schedule(interval)
            case BrokerState.RUNNING:
                # Being fenced by the controller is not looked at: the next heartbeat asks to be unfenced anyway.
                self._schedule(interval)
            case BrokerState.PENDING_CONTROLLED_SHUTDOWN:
                if answer.should_shut_down:
                    self.begin_shutdown()
                else:
                    self._schedule(interval if self._shutdown_answered else FIRST_SHUTDOWN_NS)
                self._shutdown_answered = True
            case _:
                pass

    # -- when ------------------------------------------------------------------------------------------------------
    def _failed(self) -> None:
        self._in_flight = False
        if self.state is not BrokerState.SHUTTING_DOWN:
            self._schedule_after_failure()

    def _schedule_after_failure(self) -> None:
        self._next_at_once = False
        self._schedule(self._settings.broker_heartbeat_interval_ms * MILLISECOND)

    def _schedule(self, delay_ns: int) -> None:
        if self._next_at_once:
            delay_ns, self._next_at_once = 0, False
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._host.after(delay_ns, self._communicate)

    def _communicate(self) -> None:
        if self._in_flight:
            self._next_at_once = True
        elif self._registered:
            self._send_heartbeat()
        else:
            self._send_registration()

    def _directory_failure_timed_out(self, directory: str) -> None:
        if not self.offline.get(directory, False):
            self._host.halt()
