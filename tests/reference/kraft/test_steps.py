"""Steps of the reference: each request and answer as an event, what has no columns under its name."""

from typing import Any

import pytest

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.answered_events import NAMES, answered_event
from fencepost.reference.kraft.controller.cluster import ClusterControlManager
from fencepost.reference.kraft.errors import ApiError, Errors
from fencepost.reference.kraft.recorded_requests import Known, request_of
from fencepost.traces import events as trace

from .bench import CLUSTER, Bench

COMMON: dict[str, Any] = {"line": 3, "t_ms": 5, "log_end": 7, "error": "NONE"}
TOPIC = m.ConfigResource(m.TOPIC_RESOURCE, "a")
DONE = m.PartitionAnswer("a", 0, Errors.NONE)


@pytest.fixture(scope="module")
def cluster() -> ClusterControlManager:
    """A cluster's manager, for its settings and its id."""
    return Bench().cluster


NONE = Errors.NONE
PROPOSAL = m.AlterPartitionData(topic_id="t", partition=0, leader_epoch=1, partition_epoch=2, new_isr=((1, 7),))
TARGET = m.ReassignablePartition("a", 0, (1, 2))
PLACED = m.TopicRequest("a", assignments=((0, (1, 2)), (1, (2, 1))))
SET_ONE = m.ConfigChanges(TOPIC, (("k", m.SET, "v"),))
APPENDED = m.ConfigChanges(TOPIC, (("k", m.APPEND, "v"),))
CREATED, CONFIGURED = (m.CreateTopicAnswer("a", NONE),), (m.ResourceAnswer(TOPIC, NONE),)
BOTH = (m.TopicRequest("a"), m.TopicRequest("b"))
NEW = m.BrokerRegistrationRequest(broker_id=1, cluster_id=CLUSTER, incarnation_id="i")
BEAT = m.BrokerHeartbeatRequest(broker_id=1, broker_epoch=7, current_metadata_offset=3)
TOLD = m.BrokerHeartbeatResponse(True, False, False, False)
MOVED = m.AssignReplicasToDirsRequest(broker_id=1, broker_epoch=7, assignments=(("d", "t", 0),))
ENTRY = m.AclBinding(
    resource_type=2, resource_name="t", pattern_type=3, principal="User:u", host="*", operation=3, permission_type=3
)
QUOTA = m.ClientQuotaAlteration((("user", "u"),), (("producer_byte_rate", 1000.0),))
REQUESTS: list[tuple[m.Request, Any, str]] = [
    (NEW, m.BrokerRegistrationResponse(7), ""),
    (BEAT, TOLD, ""),
    (m.UnregisterBrokerRequest(broker_id=1), None, ""),
    (
        m.AlterPartitionRequest(broker_id=1, broker_epoch=7, partitions=(PROPOSAL,)),
        (m.AlterPartitionAnswer("t", 0, NONE),),
        "",
    ),
    (m.CreateTopicsRequest(topics=(m.TopicRequest("a", 1, 1),)), CREATED, ""),
    (m.CreateTopicsRequest(topics=(PLACED,)), CREATED, ""),
    (m.CreatePartitionsRequest(topics=(m.PartitionsRequest("a", 3),)), (DONE,), ""),
    (m.DeleteTopicsRequest(topic_ids=("t",)), {"t": NONE}, ""),
    (m.ElectLeadersRequest(election_type=0, partitions=(("a", 0),)), (DONE,), ""),
    (m.ElectLeadersRequest(election_type=1), (DONE,), ""),
    (m.AlterPartitionReassignmentsRequest(partitions=(TARGET,)), (DONE,), ""),
    (m.IncrementalAlterConfigsRequest(resources=(SET_ONE,)), CONFIGURED, ""),
    (m.LegacyAlterConfigsRequest(resources=((TOPIC, (("k", "v"),)),)), CONFIGURED, ""),
    (MOVED, (m.DirectoryAnswer("d", "t", 0, NONE),), ""),
    (m.AllocateProducerIdsRequest(broker_id=1, broker_epoch=7), m.ProducerIdsBlock(0, 1000), ""),
    (m.UpdateFeaturesRequest(updates=(("kraft.version", 1, 1),)), None, ""),
    (m.ControllerRegistrationRequest(controller_id=1, incarnation_id="i"), None, ""),
    (m.UnregisterControllerRequest(controller_id=1), None, ""),
    (m.CreateAclsRequest((ENTRY,)), (NONE,), ""),
    (m.DeleteAclsRequest((ENTRY,)), (m.DeletedAcls(NONE, (ENTRY,)),), ""),
    (m.AlterClientQuotasRequest((QUOTA,)), {frozenset(QUOTA.entity): NONE}, ""),
    (m.CreateAclsRequest((ENTRY, ENTRY)), (NONE, NONE), ""),
    (m.DeleteAclsRequest(()), (), ""),
    (m.AlterClientQuotasRequest((QUOTA, QUOTA)), {}, ""),
    (m.CreateTopicsRequest(topics=BOTH), (), "CreateTopics*"),
    (m.CreateTopicsRequest(topics=BOTH[:1], validate_only=True), (), "CreateTopics*"),
    (m.DeleteTopicsRequest(topic_ids=("t", "u")), {}, "DeleteTopics*"),
    (m.IncrementalAlterConfigsRequest(resources=(APPENDED,)), (), "IncrementalAlterConfigs*"),
    (m.UpdateFeaturesRequest(updates=(("a", 1, 1), ("b", 1, 1))), None, "UpdateFeatures*"),
]


TOKEN = m.DelegationTokenResponse(error=NONE, token_id="t", hmac=b"h", issued_ms=1, expires_ms=2, latest_ms=3)
ONE_WAY = [
    (m.AlterUserScramCredentialsRequest(deletions=(("u", 1), ("v", 1))), {}),
    (m.AlterUserScramCredentialsRequest(upsertions=(m.ScramUpsertion("u", 1, 4096, b"s", b"p"),)), {"u": NONE}),
    (m.CreateDelegationTokenRequest(by="User:u"), TOKEN),
    (m.RenewDelegationTokenRequest(by="User:u", hmac=b"h"), TOKEN),
    (m.ExpireDelegationTokenRequest(by="User:u", hmac=b"h"), TOKEN),
]


@pytest.mark.parametrize(("request_", "answer"), ONE_WAY)
def test_what_is_secret_is_not_told(cluster: ClusterControlManager, request_: m.Request, answer: Any) -> None:
    """What stands for a password, and what gives a token away, is in no column: such an event asks nothing again."""
    event = answered_event(request_, answer, COMMON, cluster)
    assert event.request == NAMES[type(request_)]
    assert not any(isinstance(value, bytes) for value in trace.columns_of(event).values())
    assert request_of(event, Known(CLUSTER, {})) is None


def test_every_kind_of_request_has_a_name_and_is_tried() -> None:
    """Nothing that can be asked of the controller is left out."""
    tried = {type(request) for request, _, _ in REQUESTS} | {type(request) for request, _ in ONE_WAY}
    # A request of a fork's, which no table of Kafka's is about.
    assert tried | {m.InitDisklessLogRequest} == set(NAMES) | {m.InitDisklessLogRequest} == set(m.Request.__args__)


@pytest.mark.parametrize(("request_", "answer", "name"), REQUESTS)
def test_a_request_is_an_event_and_back(
    cluster: ClusterControlManager, request_: m.Request, answer: Any, name: str
) -> None:
    """An event asks again what the request asked; one without columns of its own is reported under its name and `*`."""
    event = answered_event(request_, answer, COMMON, cluster)
    if name:
        assert isinstance(event, trace.OtherRequest)
        assert (event.request, event.error) == (name, "NONE")
        assert request_of(event, Known(CLUSTER, {})) is None
    else:
        assert (event.request, event.line, event.t_ms, event.log_end) == (NAMES[type(request_)], 3, 5, 7)
        assert request_of(event, Known(CLUSTER, {})) == request_


@pytest.mark.parametrize(("request_", "answer", "name"), [one for one in REQUESTS if not one[2]])
def test_a_refusal_is_the_event_s_error(
    cluster: ClusterControlManager, request_: m.Request, answer: Any, name: str
) -> None:
    """A request that was refused as a whole has the error, and no answers of parts."""
    event = answered_event(request_, None, {**COMMON, "error": "STALE_BROKER_EPOCH"}, cluster)
    assert event.error == "STALE_BROKER_EPOCH"
    assert getattr(event, "answers", ()) == ()
    refused = answered_event(
        m.UpdateFeaturesRequest(updates=(("a", 1, 1),)), ApiError(Errors.INVALID_UPDATE_VERSION), COMMON, cluster
    )
    assert refused.error == "INVALID_UPDATE_VERSION"
