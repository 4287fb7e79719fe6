"""The tree of Kafka's metadata shell over a log at an offset."""

import json

import pytest

from fencepost.checkers.conformance import PASSED_THROUGH, Monitor, Options
from fencepost.checkers.conformance.explain.entities import PARTITION
from fencepost.checkers.conformance.explain.history import past
from fencepost.checkers.conformance.explain.tree import BROKER_FIELDS, PARTITION_FIELDS, STATES, Tree, below, children
from fencepost.checkers.verdicts import Refusal
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import MetadataLog, Record, read_log

from . import RECORDED
from .plain_replay import replayed

MONITOR = Monitor(KRAFT, Options(PASSED_THROUGH, replay_only=True))
VERSION = "1.2.3"


@pytest.fixture(scope="module")
def rolling() -> MetadataLog:
    """A recorded log that conforms."""
    return read_log(RECORDED / "rolling-restart")


@pytest.fixture(scope="module")
def tree(rolling: MetadataLog) -> Tree:
    """The tree of that log, after a restart of a broker."""
    return Tree(past(MONITOR, rolling, 150), VERSION)


@pytest.fixture(scope="module")
def recreated() -> MetadataLog:
    """A log with access control, quotas and credentials."""
    return read_log(RECORDED / "delete-recreate")


def text(tree: Tree, path: str) -> str:
    """The text of the one leaf at a path."""
    ((_, node),) = tree.find(path)
    assert isinstance(node, str)
    return node


def _number(leader: int | None) -> int:
    return -1 if leader is None else leader


def listed(tree: Tree, path: str) -> list[str]:
    """The names in the one directory at a path."""
    ((_, node),) = tree.find(path)
    assert not isinstance(node, str)
    return children(node)


def test_the_layout_names_states_that_there_are() -> None:
    """Every state that the layout shows is one of the tables."""
    names = {state.name for state in MONITOR.layout.states}
    assert {state for _, state in (*PARTITION_FIELDS, *BROKER_FIELDS) if state is not None} | set(STATES) <= names


def test_the_image_has_the_rooms_of_kafka_4(tree: Tree) -> None:
    """The image has the ten children of the shell of Kafka 4, and the features bear their names."""
    assert listed(tree, "/image") == [
        "acls", "clientQuotas", "cluster", "configs", "delegationToken", "features", "producerIds", "provenance",
        "scram", "topics",
    ]  # fmt: skip
    assert text(tree, "/image/features/metadataVersion") == "4.3-IV0"
    assert text(tree, "/image/features/finalized_transaction.version") == "2"
    assert text(tree, "/image/configs/BROKER/min.insync.replicas") == "1"
    assert text(tree, "/image/provenance").startswith("offset 150, epoch 1, time 2026-")
    assert text(tree, "/local/version") == VERSION


def test_a_partition_prints_as_kafka_prints_it(tree: Tree) -> None:
    """A partition's leaf is Kafka's own text for it, by name and by id, its directories in the replicas' order."""
    expected = (
        "PartitionRegistration(replicas=[1, 2, 3], directories=[2pGr1v28HwJFLmC_IxG4ig, RxMky6S9y85kOO-l5YU8mg, "
        "XOH9uVzt1jdeb7tY5inRlQ], isr=[1, 2, 3], removingReplicas=[], addingReplicas=[], elr=[], lastKnownElr=[], "
        "leader=1, leaderRecoveryState=RECOVERED, leaderEpoch=2, partitionEpoch=6)"
    )
    assert text(tree, "/image/topics/byName/a/0") == expected
    assert text(tree, f"image/topics/byId/{text(tree, '/image/topics/byName/a/id')}/0") == expected


def test_every_partition_has_what_its_records_say(rolling: MetadataLog, tree: Tree) -> None:
    """The fields of all partitions are those of a plain replay of the records up to the offset."""
    records = [r for r in rolling.records() if isinstance(r, Record) and r.offset <= 150]
    expected = replayed(records)[PARTITION]
    for (topic, number), fields in expected.items():
        data = json.loads(text(tree, f"/topicIds/{topic}/{number}/data"))
        assert (data["topicId"], data["partitionId"]) == (topic, number)
        assert (tuple(data["isr"]), tuple(data["replicas"])) == (fields["isr"], fields["replicas"])
        assert (data["leader"], data["leaderEpoch"]) == (_number(fields["leader"]), fields["leader_epoch"])
        assert text(tree, f"/topicIds/{topic}/{number}/leader") == str(_number(fields["leader"]))
        assert text(tree, f"/topicIds/{topic}/{number}/partitionEpoch") == str(fields["partition_epoch"])
    shown = [path for path in tree.find("/topicIds/*/*") if not isinstance(path[1], str)]
    assert len(shown) == len(expected) == 14


def test_the_short_forms_of_the_kip(tree: Tree) -> None:
    """`/brokers/ID` has the registration and both flags, as before a failover, and topics are found by name and id."""
    assert listed(tree, "/brokers/1") == ["inControlledShutdown", "isFenced", "registration"]
    assert text(tree, "/brokers/1/isFenced") == "false"
    assert text(tree, "/brokers/1/registration") == text(tree, "/image/cluster/brokers/1")
    assert "epoch=61, incarnationId=XE2DNt10SaSHZU7bEgkJFA, listeners=[Endpoint(listenerName='PLAINTEXT'" in text(
        tree, "/brokers/1/registration"
    )
    assert text(tree, "/metadataQuorum/leader") == "LeaderAndEpoch(leaderId=3000, epoch=1)"
    assert listed(tree, "/controllers") == ["3000"]
    assert text(tree, "/features/metadata.version") == "30"
    assert text(tree, "/configs/broker/<default>/min.insync.replicas") == "1"


def test_the_flags_of_a_broker_follow_the_offset(rolling: MetadataLog) -> None:
    """In controlled shutdown, then fenced: the two leaves say so at the offsets of the records."""
    flags = {}
    for offset in (42, 43, 53, 62):
        found = Tree(past(MONITOR, rolling, offset), VERSION)
        flags[offset] = (text(found, "/brokers/1/inControlledShutdown"), text(found, "/brokers/1/isFenced"))
    assert flags == {42: ("false", "false"), 43: ("true", "false"), 53: ("true", "true"), 62: ("false", "false")}


def test_access_control_quotas_and_credentials_come_and_go(recreated: MetadataLog) -> None:
    """What no table is about is in the tree from the record that says it to the one that takes it back."""
    seen: dict[str, list[int]] = {}
    for record in recreated.records():
        if isinstance(record, Record):
            seen.setdefault(record.type, []).append(record.offset)
    acl, gone = seen["ACCESS_CONTROL_ENTRY_RECORD"][0], seen["REMOVE_ACCESS_CONTROL_ENTRY_RECORD"][-1]
    first = Tree(past(MONITOR, recreated, acl), VERSION)
    (id,) = listed(first, "/image/acls")
    assert text(first, f"/image/acls/{id}") == (
        "StandardAcl(resourceType=TOPIC, resourceName=hand, patternType=LITERAL, principal=User:alice, host=*, "
        "operation=READ, permissionType=ALLOW)"
    )
    assert id not in listed(Tree(past(MONITOR, recreated, gone), VERSION), "/image/acls")
    quota = seen["CLIENT_QUOTA_RECORD"]
    values = [
        text(Tree(past(MONITOR, recreated, at), VERSION), "/image/clientQuotas/user(alice)/producer_byte_rate")
        for at in quota[:2]
    ]
    assert values == ["1000.0", "2000.0"]
    credential, removed = seen["USER_SCRAM_CREDENTIAL_RECORD"][0], seen["REMOVE_USER_SCRAM_CREDENTIAL_RECORD"][0]
    said = text(Tree(past(MONITOR, recreated, credential), VERSION), "/image/scram/SCRAM-SHA-256/alice")
    assert "FvWro2" not in said
    assert said.count("[redacted]") == 4
    assert listed(Tree(past(MONITOR, recreated, removed), VERSION), "/image/scram/SCRAM-SHA-256") == []


def test_a_deleted_topic_is_gone_from_the_tree(recreated: MetadataLog) -> None:
    """The topics of the tree are those that are there at the offset, and each has its partitions."""
    records = [r for r in recreated.records() if isinstance(r, Record) and r.offset <= 500]
    expected = replayed(records)
    found = Tree(past(MONITOR, recreated, 500), VERSION)
    assert sorted(listed(found, "/topics")) == sorted(one["name"] for one in expected["Topic"].values())
    assert sum(len(listed(found, f"/image/topics/byId/{id}")) - 2 for id in expected["Topic"]) == len(
        expected[PARTITION]
    )


def test_everything_below_a_path_is_listed_and_can_be_looked_at(tree: Tree) -> None:
    """`below` names every node once, parents first, and each of its paths is found and of the kind that it says."""
    ((here, node),) = tree.find("/")
    paths = list(below(here, node))
    assert len(paths) == len(set(paths)) > 200
    for path in paths:
        ((_, found),) = tree.find(path)
        assert isinstance(found, str) != path.endswith("/")
        assert path == "/" or f"{path.rstrip('/').rpartition('/')[0]}/" in paths[: paths.index(path)]


def test_names_with_wildcards_find_all_that_fit(tree: Tree) -> None:
    """`*` stands for a part of one name."""
    assert [path for path, _ in tree.find("/brokers/*/isFenced")] == [f"/brokers/{n}/isFenced" for n in (1, 2, 3, 4)]
    assert [path for path, _ in tree.find("/image/topics/byName/s*")] == ["/image/topics/byName/solo"]


def test_a_path_that_leads_nowhere_says_where_it_stops(tree: Tree) -> None:
    """The refusal names the directory that was reached and what it has, or the leaf that is none."""
    with pytest.raises(Refusal, match="there is no 9 in /brokers, which has 1, 2, 3, 4"):
        tree.find("/brokers/9/isFenced")
    with pytest.raises(Refusal, match="/image/provenance is no directory"):
        tree.find("/image/provenance/x")
