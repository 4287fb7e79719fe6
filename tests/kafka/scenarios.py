"""Scenarios on Kafka's own classes: the requests of a run on the reference as lines, and answers compared with it."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from fencepost.checkers.scenarios import sentences
from fencepost.checkers.scenarios.machine import Done, Machine
from fencepost.checkers.scenarios.parsing import checked, steps_of
from fencepost.checkers.scenarios.results import Report
from fencepost.checkers.scenarios.running import Scenario
from fencepost.checkers.verdicts import Refusal
from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.errors import Errors

MAIN = "org.apache.kafka.controller.Scenarios"
Asks = Callable[[str, Sequence[str]], list[str]]

LEFT_OUT = frozenset(("completeActivation", "contact", "failover"))
"""Lines whose answers are not compared: they have none."""


@dataclass
class Asked(Scenario):
    """A scenario that records its controller's requests as lines for Kafka's classes, with the answers."""

    lines: list[dict[str, Any]] = field(default_factory=list)
    answers: list[tuple[list[str], list[Any]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def _take(self, machine: Machine) -> None:
        super()._take(machine)
        contact, lead, first = machine.contact, machine.lead, [True]

        def contacted(broker: int, epoch: int) -> None:
            self._line({"op": "contact", "broker": broker, "epoch": epoch, "now_ns": machine.clock.now_ns}, [], [])
            contact(broker, epoch)

        def led() -> None:
            if not first:
                self._line({"op": "failover", "now_ns": machine.clock.now_ns}, [], [])
            first.clear()
            lead()

        machine.contact, machine.lead = contacted, led  # type: ignore[method-assign]

    def _line(self, line: dict[str, Any], said: list[str], records: list[Any]) -> None:
        self.lines.append(line)
        self.answers.append((said, records))

    def _note(self, done: Done) -> None:
        common = {"op": done.name, "now_ns": done.now_ns, "offset": done.base_offset}
        records = [[one.type, one.version, dict(one.data)] for one in done.records]
        if done.name == "completeActivation" and not self.lines:
            self._line(self._beginning(done) | common, [], records)
        else:
            self._line(common | _columns(done), _said(done), records)
        super()._note(done)

    def _beginning(self, done: Done) -> dict[str, Any]:
        settings = self.machine.settings
        data = [one.data for one in done.records]
        return {
            "levels": [[one["name"], one["featureLevel"]] for one in data if "featureLevel" in one],
            "configs": [
                [one["resourceType"], one["resourceName"], one["name"], one["value"]] for one in data if "value" in one
            ],
            "static_min": str(settings.min_insync_replicas),
            "session_ns": settings.broker_session_timeout_ms * 1_000_000,
            "cluster": self.machine.controller.managers.cluster.cluster_id,
        }


def asked(text: str, name: str) -> tuple[Asked, Report]:
    """Return what a scenario asks of a controller, and its report."""
    scenario = Asked()
    return scenario, scenario.run(checked(steps_of(text, name)), name, {})


def _said(done: Done) -> list[str]:
    """Return an answer as the program in Java prints it."""
    if done.request is None:
        return []
    if isinstance(done.request, m.ElectLeadersRequest) and done.error is Errors.NONE:
        return sorted(f"{one.topic}-{one.partition} {one.error.name}" for one in done.response)
    answers = sentences.answers(done, lambda id: id)
    if done.error is Errors.NONE and isinstance(done.request, (m.BrokerRegistrationRequest, m.BrokerHeartbeatRequest)):
        return [one.says for one in answers]
    return [one.error for one in answers]


def _columns(done: Done) -> dict[str, Any]:
    """Return a request as the columns of its line."""
    match done.request:
        case m.BrokerRegistrationRequest() as one:
            return {
                "broker": one.broker_id, "cluster": one.cluster_id, "incarnation": one.incarnation_id,
                "directories": one.log_dirs, "previous": one.previous_broker_epoch, "version": one.version,
                "listeners": [[each.name, each.host, each.port, each.security_protocol] for each in one.listeners],
                "features": [[each.name, each.lowest, each.highest] for each in one.features],
            }  # fmt: skip
        case m.BrokerHeartbeatRequest() as one:
            return {
                "broker": one.broker_id, "epoch": one.broker_epoch, "read": one.current_metadata_offset,
                "want_fence": one.want_fence, "want_shutdown": one.want_shut_down, "failed": one.offline_log_dirs,
                "cordoned": one.cordoned_log_dirs,
            }  # fmt: skip
        case m.AlterPartitionRequest(partitions=(part,)) as one:
            return {
                "broker": one.broker_id, "epoch": one.broker_epoch, "topic": part.topic_id,
                "partition": part.partition, "leader_epoch": part.leader_epoch,
                "partition_epoch": part.partition_epoch, "isr": part.new_isr, "recovery": part.leader_recovery_state,
            }  # fmt: skip
        case m.AssignReplicasToDirsRequest() as one:
            return {"broker": one.broker_id, "epoch": one.broker_epoch, "assignments": one.assignments}
        case m.UnregisterBrokerRequest() as one:
            return {"broker": one.broker_id}
        case m.AllocateProducerIdsRequest() as one:
            return {"broker": one.broker_id, "epoch": one.broker_epoch}
    return _of_administrators(done)


def _of_administrators(done: Done) -> dict[str, Any]:
    match done.request:
        case m.CreateTopicsRequest(topics=(one,)):
            ids = [each.data["topicId"] for each in done.records if each.type == "TOPIC_RECORD"]
            return {
                "name": one.name, "assignment": [replicas for _, replicas in one.assignments], "configs": one.configs,
                "id": ids[0] if ids else "",
            }  # fmt: skip
        case m.CreatePartitionsRequest(topics=(grown,)):
            return {"name": grown.name, "count": grown.count, "assignment": grown.assignments}
        case m.DeleteTopicsRequest(topic_ids=(id,)):
            return {"topic": id}
        case m.ElectLeadersRequest() as elected:
            return {"type": elected.election_type, "partitions": elected.partitions}
        case m.AlterPartitionReassignmentsRequest(partitions=(moved,)) as request:
            return {
                "name": moved.topic, "partition": moved.partition, "replicas": moved.replicas,
                "other_factor": request.allow_replication_factor_change,
            }  # fmt: skip
        case m.IncrementalAlterConfigsRequest(resources=(changed,)):
            ((key, _, value),) = changed.changes
            return {"type": changed.resource.type, "name": changed.resource.name, "key": key, "value": value}
        case m.UpdateFeaturesRequest() as updated:
            return {"updates": updated.updates}
    return {}


def asked_of_operators(text: str, name: str) -> Asked:
    """Return what the steps of a scenario ask of a controller, those that cannot be done being left out."""
    scenario = Asked()
    for step in checked(steps_of(text, name)):
        with suppress(Refusal):
            scenario.do(step)
    return scenario


# -- comparing ---------------------------------------------------------------------------------------------------------
def differences(scenario: Asked, printed: Sequence[str]) -> Iterator[str]:
    """Yield where Kafka's classes answered or wrote something else than the reference, in the order of the lines."""
    for line, (said, records), text in zip(scenario.lines, scenario.answers, printed, strict=True):
        if line["op"] in LEFT_OUT:
            continue
        theirs = json.loads(text)
        mine = {"said": said, "records": in_order(records)}
        theirs["records"] = in_order(theirs["records"])
        if mine != theirs:
            yield f"{line['op']} {json.dumps(line)}\n  reference {json.dumps(mine)}\n  Kafka     {json.dumps(theirs)}"


def in_order(records: Sequence[Any]) -> list[Any]:
    """Return records with neighbouring changes of partitions by topic and number, several of one in their own order.

    Kafka visits partitions in the order of hashes of topic ids, which are drawn.
    """
    found: list[Any] = []
    for is_change, group in groupby(json.loads(json.dumps(records)), lambda one: one[0] == "PARTITION_CHANGE_RECORD"):
        run = list(group)
        found += sorted(run, key=lambda one: (one[2]["topicId"], one[2]["partitionId"])) if is_change else run
    return found


def shortened(text: str, differs: Callable[[str], bool], most: int = 60) -> str:
    """Return a scenario with steps left out that still differs, after at most so many runs."""
    lines, size = text.splitlines(), max(1, len(text.splitlines()) // 2)
    while size and most > 0:
        for at in range(1, len(lines), size):
            most -= 1
            fewer = lines[:at] + lines[at + size :]
            if most >= 0 and differs("\n".join(fewer)):
                lines = fewer
                break
        else:
            size //= 2
    return "\n".join(lines)
