"""When a loss is a violation: a table of what happened between the acknowledgement and the loss."""

from types import SimpleNamespace
from typing import Any

from fencepost.reference.kraft.broker.image import MetadataImage
from fencepost.reference.kraft.broker.ledger import Acknowledged, Ledger
from fencepost.reference.kraft.broker.replica_log import ReplicaLog
from fencepost.reference.kraft.levels import ELR_VERSION
from fencepost.reference.kraft.records import Message
from tests.cases import each

KEY = ("T", 0)


class Story:
    """A partition of three replicas, with what happens to it at 1, 2, 3 ... nanoseconds."""

    def __init__(self, elr: int, minimum: int) -> None:
        self.ledger, self.image, self.now = Ledger(), MetadataImage(), 0
        self.feature(elr)
        self.apply(
            Message("TOPIC_RECORD", 0, {"name": "t", "topicId": "T"}),
            Message(
                "PARTITION_RECORD", 2,
                {
                    "partitionId": 0, "topicId": "T", "replicas": [1, 2, 3], "isr": [1, 2, 3], "removingReplicas": [],
                    "addingReplicas": [], "leader": 1, "leaderEpoch": 0, "partitionEpoch": 0,
                },
            ),
        )  # fmt: skip
        self.minimum(minimum)
        self.now += 1
        self.ledger.acknowledged(KEY, Acknowledged(0, (7,), self.now, minimum))

    def apply(self, *records: Message) -> None:
        """Let a broker learn of records."""
        self.now += 1
        for record in records:
            self.image.apply(record)
        self.image.offset += len(records)
        self.ledger.metadata_applied(1, self.now, self.image, self.image.take_delta())

    def feature(self, level: int) -> None:
        """Switch eligible leader replicas."""
        self.apply(Message("FEATURE_LEVEL_RECORD", 0, {"name": ELR_VERSION, "featureLevel": level}))

    def minimum(self, value: int) -> None:
        """Set min.insync.replicas of the topic."""
        data = {"resourceType": 2, "resourceName": "t", "name": "min.insync.replicas", "value": str(value)}
        self.apply(Message("CONFIG_RECORD", 0, data))

    def elect(self, leader: int, recovery: int = -1) -> None:
        """Let another lead."""
        data = {"partitionId": 0, "topicId": "T", "leader": leader, "leaderRecoveryState": recovery}
        self.apply(Message("PARTITION_CHANGE_RECORD", 2, data))

    def lose(self, broker: int) -> None:
        """Let a broker lose its data."""
        self.now += 1
        one: Any = SimpleNamespace(simulator=SimpleNamespace(now_ns=self.now), config=SimpleNamespace(broker_id=broker))
        self.ledger.ended(one, "disk loss", {KEY: 1})

    def unclean(self) -> None:
        """Elect 2 uncleanly, and let it recover."""
        self.elect(2, recovery=1)
        self.elect(2, recovery=0)

    def switch(self) -> None:
        """Switch eligible leader replicas off, and on again after a loss."""
        self.feature(0)
        self.lose(3)
        self.feature(1)


@each(
    ("elr", "minimum", "steps", "excuse"),
    [
        (1, 2, [("elect", 2)], ""),
        (0, 2, [("elect", 2)], ""),
        (1, 2, [("lose", 1), ("elect", 2)], ""),
        (1, 2, [("lose", 1), ("lose", 1), ("elect", 2)], ""),
        (1, 2, [("lose", 1), ("lose", 2), ("elect", 2)], "2 brokers lost data, min.insync.replicas is 2"),
        (1, 1, [("lose", 1), ("elect", 2)], "1 brokers lost data, min.insync.replicas is 1"),
        (1, 2, [("minimum", 1), ("minimum", 2), ("lose", 1)], "1 brokers lost data, min.insync.replicas is 1"),
        (0, 2, [("lose", 1), ("elect", 1)], "eligible leader replicas are off, and a broker lost data"),
        (1, 2, [("switch",)], "eligible leader replicas were switched off and on (D21)"),
        (1, 2, [("unclean",), ("elect", 3)], "there was an unclean election"),
    ],
)
def test_what_excuses_a_loss(elr: int, minimum: int, steps: list[tuple[Any, ...]], excuse: str) -> None:
    """A loss is a violation unless one of these is so: no broker lost data, or fewer than the minimum with ELR on."""
    story = Story(elr, minimum)
    for name, *arguments in steps:
        getattr(story, name)(*arguments)
    story.ledger.check(KEY, 2, ReplicaLog(*KEY), story.now)
    assert [(loss.offset, loss.value, loss.excuse) for loss in story.ledger.losses] == [(0, 7, excuse)]
    assert len(story.ledger.violations) == (not excuse)
    story.ledger.check(KEY, 2, ReplicaLog(*KEY), story.now)
    assert len(story.ledger.losses) == 1


def test_what_is_there_is_no_loss() -> None:
    """An entry at its offset is not lost, nor is one that retention took; another value at the offset is."""
    story = Story(1, 2)
    log = ReplicaLog(*KEY)
    log.append(0, [7], 0)
    story.ledger.check(KEY, 1, log, story.now)
    assert story.ledger.losses == []
    other = ReplicaLog(*KEY)
    other.append(0, [8], 0)
    story.ledger.check(KEY, 1, other, story.now)
    assert [loss.found for loss in story.ledger.losses] == [8]


def test_a_lagging_broker_tells_nothing_new() -> None:
    """Metadata that another broker had already are not taken for news when a broker reads them again."""
    story = Story(1, 2)
    old = MetadataImage()
    for level in (1, 0):
        old.apply(Message("FEATURE_LEVEL_RECORD", 0, {"name": ELR_VERSION, "featureLevel": level}))
        old.offset += 1
        story.ledger.metadata_applied(2, story.now, old, old.take_delta())
    story.lose(1)
    story.ledger.check(KEY, 2, ReplicaLog(*KEY), story.now)
    assert story.ledger.losses[0].violation
