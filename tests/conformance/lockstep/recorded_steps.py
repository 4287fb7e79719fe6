"""A real controller's requests, answers and records as steps, with the soft state that the reference has then."""

from functools import cache
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

from fencepost.reference.kraft.recorded import RecordedController, log_records
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.kraft.steps import soft_state
from fencepost.traces import events as trace
from fencepost.traces import read_log
from fencepost.traces.event_files import read_events
from fencepost.traces.steps import CLAIM, CONTACT, SILENCE, BrokerState, Step, WrittenRecord

FOLDER = Path(__file__).resolve().parents[3] / "traces" / "recorded" / "fake-chaos-elr"
TASKS = {
    "NO_OP_RECORD": "writeNoOpRecord",
    "BROKER_REGISTRATION_CHANGE_RECORD": "maybeFenceStaleBroker",
    "END_TRANSACTION_RECORD": "completeActivation",
    "REGISTER_CONTROLLER_RECORD": "registerController",
}
"""What the controller did by itself, by the record that ends it."""


class Recorded(RecordedController):
    """The recording, followed by the reference's managers; `steps` are what the real controller did.

    The times of the recording are not the controller's, so a contact is over when the log needs it to be.
    """

    def __init__(self) -> None:
        super().__init__(list(log_records(read_log(FOLDER))), Settings(broker_session_timeout_ms=500))
        self.steps: list[Step] = []
        self.epoch = 0
        self.waiting: list[Message] = []
        self.began = 0

    def _step(self, name: str, base: int, time_ms: int, **more: Any) -> None:
        common = {"time_ns": time_ms * 1_000_000, "node": 3000, "epoch": self.epoch, "name": name, "base_offset": base}
        self.steps.append(Step(**common, **more))

    def _soft(self) -> tuple[BrokerState, ...] | None:
        soft, tracker = soft_state(self.managers.cluster, 0), self.managers.cluster.tracker
        if soft is None or tracker is None:
            return None
        # A contact that is held is recent: the clock is not asked.
        return tuple(one if one.contact == "nothing" else one._replace(contact="recent") for one in soft)

    def _silence(self, broker: int, time_ms: int) -> None:
        registration = self.managers.cluster.registrations.get(broker)
        tracker = self.managers.cluster.tracker
        if registration is None or tracker is None:
            return
        if tracker.last_contact(broker, registration.epoch) is not None:
            self._step(SILENCE, self.offset, time_ms, contact=(broker, registration.epoch))

    def _inject(self) -> None:
        record = self.log[self.place]
        if record.message is None:
            former, self.epoch = self.epoch, self.epoch + 1
            super()._inject()
            self._step(CLAIM, record.offset, record.time_ms, last_epoch=former or -1, soft=self._soft())
            self.began = self.offset
            return
        if not self.waiting:
            self.began = record.offset
        self.waiting.append(record.message)
        name = TASKS.get(record.message.type)
        if name == "maybeFenceStaleBroker":
            self._silence(record.message.data["brokerId"], record.time_ms)
        super()._inject()
        if name is not None:
            records = tuple(WrittenRecord(*one) for one in self.waiting)
            self._step(name, self.began, record.time_ms, records=records, soft=self._soft())
            self.waiting = []

    def _take(self, found: Any) -> None:
        event: trace.Event = found.event
        base, registrations = self.offset, self.managers.cluster.registrations
        if isinstance(event, trace.BrokerHeartbeat):
            known = registrations.get(event.broker)
            if known is not None and known.epoch == event.broker_epoch:
                self._step(CONTACT, base, event.t_ms, contact=(event.broker, event.broker_epoch))
        elif isinstance(event, trace.BrokerRegistration) and event.error in ("NONE", "UNKNOWN_SERVER_ERROR"):
            known = registrations.get(event.broker)
            if known is not None and known.incarnation_id != event.incarnation:
                self._silence(event.broker, event.t_ms)
        super()._take(found)
        fault = "RuntimeException" if event.error == "UNKNOWN_SERVER_ERROR" else ""
        records = tuple(WrittenRecord(*one) for one in found.records)
        soft = None if fault else self._soft()
        self._step(event.request, base, event.t_ms, request=event, records=records, fault=fault, soft=soft)


@cache
def recorded_steps(requests: int | None = None) -> tuple[Step, ...]:
    """Return the steps of the recording's first requests, or of all but the four that were noted down wrongly."""
    controller = Recorded()
    events = list(islice(read_events(FOLDER / "events.ndjson.gz"), requests and requests + 1))
    if requests is None:
        controller.put_all(events)
    for event, following in pairwise(events) if requests else ():
        controller.put(event, max(event.log_end, following.log_end))
    return tuple(controller.steps)
