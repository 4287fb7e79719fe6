"""A whole QuorumController of Kafka 4.4.0 and one of the reference, whose steps are rows, asked the same."""

import json
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import pytest

from fencepost.checkers.conformance.lockstep import Given
from fencepost.reference.kraft import levels
from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.controller.acls import AclControlManager
from fencepost.reference.kraft.controller.features import FeatureControlManager
from fencepost.reference.kraft.errors import ApiError, ReplayError
from fencepost.reference.kraft.records import Message
from fencepost.reference.timeline import SnapshotRegistry
from tests.conformance.lockstep.watched import Watched, judged
from tests.reference.kraft.single_node import bootstrap

pytestmark = pytest.mark.kafka

MAIN = "org.apache.kafka.controller.Active"
NODE, OTHER = 3000, 3001
NEWEST = "4.4-IV2"
METADATA, KRAFT = ["metadata.version", 7, 40], "kraft.version"

Request = dict[str, Any]


class Asked(Watched):
    """A controller of the reference at levels of metadata.version and kraft.version, asked as `Active.java` asks."""

    def __init__(self, level: str, kraft: int) -> None:
        super().__init__(records=bootstrap(levels.LEVELS[level], elr=0))
        self.controller.managers.features.kraft_version = kraft
        self.epoch_of_broker = 0
        self.lead()

    def request(self, asked: Request) -> m.Request:
        """Return a request of a question as the reference has it."""
        match asked["req"]:
            case "unregisterController":
                return m.UnregisterControllerRequest(controller_id=asked["controller"])
            case "registerController":
                return m.ControllerRegistrationRequest(controller_id=asked["controller"], incarnation_id="x")
            case "updateFeatures":
                return m.UpdateFeaturesRequest(updates=((asked["feature"], asked["to"], asked["way"]),))
            case "registerBroker":
                features = tuple(m.FeatureRange(*one) for one in asked["features"])
                return m.BrokerRegistrationRequest(
                    broker_id=1,
                    cluster_id="cluster",
                    incarnation_id="y",
                    features=features,
                    log_dirs=("directory-A-----------",),
                )
            case _:
                return m.BrokerHeartbeatRequest(
                    broker_id=1, broker_epoch=self.epoch_of_broker + asked.get("stale", 0),
                    current_metadata_offset=asked["offset"], want_fence=asked.get("wantFence", False),
                )  # fmt: skip

    def answer(self, asked: Request) -> dict[str, Any]:
        """Return what `Active.java` tells: the error, the records by type, what is remembered of broker 1."""
        before, answers = self.log_end_offset(), list[Any]()
        deadline = self.clock.now_ns - 1 if asked.get("late") else None
        self.controller.submit(self.request(asked), answers.append, deadline)
        self.clock.run()
        [reply] = answers
        if isinstance(reply, m.BrokerRegistrationResponse):
            self.epoch_of_broker = reply.broker_epoch
        written = [record for step in self.steps if step.base_offset >= before for record in step.records]
        found: dict[str, Any] = {
            "error": reply.error.name if isinstance(reply, ApiError) else "NONE",
            "recs": [one.type.title().replace("_", "").removesuffix("Record") for one in written],
        }
        for one in self.steps[-1].soft or ():
            session = one.contact == "recent"
            found["soft"] = {"fenced": one.fenced, "reported": one.reported, "session": session}
        return found


def _registers(*features: list[Any]) -> Request:
    return {"req": "registerBroker", "features": [METADATA, *features]}


def _updates(to: int, way: int) -> Request:
    return {"req": "updateFeatures", "feature": KRAFT, "to": to, "way": way}


def _beats(offset: int, **more: Any) -> Request:
    return {"req": "heartbeat", "offset": offset, **more}


def _of_controller(request: str, controller: int) -> Request:
    return {"req": request, "controller": controller}


QUESTIONS: dict[str, tuple[str, int, list[Request], set[str]]] = {
    "who registers at kraft.version 1": (
        NEWEST, 1, [_registers(), _registers([KRAFT, 0, 0]), _registers([KRAFT, 0, 1])], {"RG5", "RG7", "R1"},
    ),
    "who registers at kraft.version 0": (
        NEWEST, 0,
        [_registers([KRAFT, 1, 1]), _registers(["group.version", 1, 1]), _registers(), _registers([KRAFT, 0, 1])],
        {"RG5", "R1", "R3"},
    ),
    "the active controller is not unregistered": (
        NEWEST, 1,
        [_of_controller("unregisterController", NODE), _of_controller("unregisterController", OTHER),
         _of_controller("registerController", OTHER), _of_controller("registerController", NODE),
         _of_controller("unregisterController", NODE), _of_controller("unregisterController", OTHER)],
        {"CU0", "CU2", "CU3", "CR1"},
    ),
    "nor is it where none can be": (
        "4.3-IV0", 1, [_of_controller("unregisterController", NODE), _of_controller("unregisterController", OTHER)],
        {"CU0", "CU1"},
    ),
    "kraft.version to the level that it has": (
        NEWEST, 1, [_updates(1, 1), _updates(1, 2), _updates(0, 2), _updates(0, 1)], {"FE2", "FE10", "FE11", "FE12"},
    ),
    "kraft.version goes up": (
        NEWEST, 0, [_updates(0, 1), _updates(1, 2), _updates(1, 1), _updates(1, 1)], {"FE3", "FE10"},
    ),
    "heartbeats that come too late": (
        NEWEST, 0,
        [_registers(), _beats(3, late=True), _beats(99), _beats(7, late=True, wantFence=True),
         _beats(6, late=True, stale=1)],
        {"HX0", "HX1", "HX2", "HB2"},
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def of_kafka(asked: Callable[[str, Sequence[str]], list[str]]) -> dict[str, list[dict[str, Any]]]:
    """What Kafka's controller answers to each list of requests."""
    lines = [json.dumps({"mv": mv, "kraft": kraft, "ask": ask}) for mv, kraft, ask, _ in QUESTIONS.values()]
    return dict(zip(QUESTIONS, (json.loads(line)["out"] for line in asked(MAIN, lines)), strict=True))


@pytest.mark.representative(
    "who registers at kraft.version 1", "kraft.version goes up", "heartbeats that come too late",
)  # fmt: skip
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_whole_controller_answers_so(name: str, of_kafka: dict[str, list[dict[str, Any]]]) -> None:
    """Kafka's answers, records and what it remembers are the reference's, whose steps are the rows that are named."""
    level, kraft, requests, rows = QUESTIONS[name]
    node = Asked(level, kraft)
    assert [node.answer(one) for one in requests] == of_kafka[name]
    judge, divergences = judged(node.steps, given=Given({levels.METADATA_VERSION: levels.LEVELS[level]}))
    assert [one.text() for one in divergences] == []
    assert rows <= set(judge.out.rows)


# -- records that are only kept ----------------------------------------------------------------------------------------
Entry = tuple[str | None, int]
"""A host and an id; without a host the entry of the id is removed."""


def _replayed(kept: AclControlManager, host: str | None, number: int) -> bool:
    name, data = "REMOVE_ACCESS_CONTROL_ENTRY_RECORD", dict[str, Any](id=f"{number:022d}")
    if host is not None:
        name = "ACCESS_CONTROL_ENTRY_RECORD"
        data |= {"resourceType": 2, "resourceName": "a", "patternType": 3, "principal": "User:a", "host": host}
        data |= {"operation": 3, "permissionType": 3}
    try:
        kept.replay(Message(name, 0, data))
    except ReplayError:
        return False
    return True


def test_every_order_of_access_control_entries(asked: Callable[[str, Sequence[str]], list[str]]) -> None:
    """Of two ids and two entries, in every order of four records, the reference refuses to replay what Kafka does."""
    records: list[Entry] = [("*", 1), ("h", 1), ("*", 2), (None, 1), (None, 2)]
    lines = list(product(records, repeat=4))
    answers = asked("org.apache.kafka.controller.Acls", [json.dumps(one) for one in lines])
    for line, told in zip(lines, answers, strict=True):
        registry = SnapshotRegistry()
        features = FeatureControlManager(registry, {}, (NODE,), NODE, 0)
        kept = AclControlManager(registry, features, lambda: "")
        assert [_replayed(kept, *one) for one in line] == json.loads(told), line
