"""Configurations: alterations against plain dicts, checks in Kafka's order, values as Kafka validates them."""

import random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fencepost.reference.kraft.controller.config_schema import CONFIG_SCHEMA
from fencepost.reference.kraft.controller.configurations import ConfigurationControlManager
from fencepost.reference.kraft.controller.features import FeatureControlManager
from fencepost.reference.kraft.controller.hash_tables import java_order
from fencepost.reference.kraft.controller.managers import Managers
from fencepost.reference.kraft.errors import ApiError, Errors
from fencepost.reference.kraft.levels import ELR_VERSION, LEVELS, METADATA_VERSION, SUPPORTED_FEATURES
from fencepost.reference.kraft.messages import (
    APPEND,
    BROKER_RESOURCE,
    DELETE,
    SET,
    SUBTRACT,
    TOPIC_RESOURCE,
    ConfigChanges,
    ConfigResource,
    IncrementalAlterConfigsRequest,
    LegacyAlterConfigsRequest,
)
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.timeline import SnapshotRegistry
from tests.cases import each, examples

MIN, UNCLEAN, CLEANUP = "min.insync.replicas", "unclean.leader.election.enable", "cleanup.policy"
TOPIC, OTHER, BROKER, CLUSTER = (
    ConfigResource(TOPIC_RESOURCE, "t"),
    ConfigResource(TOPIC_RESOURCE, "u"),
    ConfigResource(BROKER_RESOURCE, "1"),
    ConfigResource(BROKER_RESOURCE, ""),
)


def manager(
    elr: bool = False, level: str = "4.4-IV2", repaired: frozenset[str] = frozenset()
) -> tuple[ConfigurationControlManager, SnapshotRegistry]:
    """Return a manager at a level of metadata.version, and the registry of its timeline."""
    registry = SnapshotRegistry()
    features = FeatureControlManager(registry, SUPPORTED_FEATURES)
    features.replay({"name": METADATA_VERSION, "featureLevel": LEVELS[level]})
    if elr:
        features.replay({"name": ELR_VERSION, "featureLevel": 1})
    return ConfigurationControlManager(registry, Settings(min_insync_replicas=2, repaired=repaired), features), registry


def alter(
    configurations: ConfigurationControlManager,
    resource: ConfigResource,
    *changes: tuple[str, int, str | None],
    from_broker: bool = True,
) -> tuple[Errors, list[Message]]:
    """Alter one resource, replay what is written, and return error and records."""
    request = IncrementalAlterConfigsRequest(resources=(ConfigChanges(resource, changes),))
    result = configurations.incremental_alter(request, from_broker)
    assert result.atomic
    replay(configurations, result.records)
    return result.response[0].error, list(result.records)


def replay(configurations: ConfigurationControlManager, records: tuple[Message, ...]) -> None:
    """Replay the Config records among records."""
    for record in records:
        if record.type == "CONFIG_RECORD":
            configurations.replay(record.data)


def values(records: list[Message]) -> list[tuple[str, ...]]:
    """Return (key, value) of Config records, and the topic of those that clear eligible leader replicas."""
    return [
        (record.data["name"], record.data["value"]) if record.type == "CONFIG_RECORD" else (record.data["topicName"],)
        for record in records
    ]


# -- against plain dicts -----------------------------------------------------------------------------------------------
RESOURCES = st.sampled_from((TOPIC, OTHER, BROKER, CLUSTER))
KEYS = st.sampled_from((MIN, UNCLEAN, CLEANUP, "no.such.key"))
TEXTS = st.sampled_from(("1", "2", "true", "delete", "compact", "compact,delete", ""))
GOOD = {MIN: ("1", "2"), UNCLEAN: ("true",), CLEANUP: ("delete", "compact", "compact,delete", "")}
Plain = dict[ConfigResource, dict[str, str]]


class Configurations(RuleBasedStateMachine):
    """Alterations, removals and reverts; beside them a plain dict of dicts."""

    @initialize(elr=st.booleans())
    def begin(self, elr: bool) -> None:
        """Begin without any configuration."""
        self.elr = elr
        self.manager, self.registry = manager(elr)
        self.plain: Plain = {}
        self.copies: dict[int, Plain] = {}

    def refused(self, resource: ConfigResource, changes: dict[str, str | None]) -> bool:
        """Whether Kafka would refuse the outcome: unknown keys and bad values of topics, the rules of ELR."""
        for key, value in changes.items():
            if key == MIN and self.elr and resource.type == BROKER_RESOURCE and (resource.name or value is None):
                return True
        new = {**self.plain.get(resource, {}), **changes}
        if resource.type != TOPIC_RESOURCE:
            return False
        return any(value is not None and value not in GOOD.get(key, ()) for key, value in new.items())

    def applied(self, resource: ConfigResource, changes: dict[str, str | None]) -> None:
        """Apply changes to the plain dict."""
        new: dict[str, str] = dict(self.plain.get(resource, {}))
        for key, value in changes.items():
            new.pop(key, None)
            if value is not None:
                new[key] = value
        self.plain = {one: values for one, values in self.plain.items() if one != resource}
        if new:
            self.plain[resource] = new

    @rule(
        resource=RESOURCES,
        operations=st.dictionaries(KEYS, st.tuples(st.sampled_from((SET, DELETE)), TEXTS), max_size=3),
    )
    def alter_keys(self, resource: ConfigResource, operations: dict[str, tuple[int, str]]) -> None:
        """Keys are set and deleted, all or none; only what changes is written, for a broker everything is."""
        changes = {key: value if operation == SET else None for key, (operation, value) in operations.items()}
        present = self.plain.get(resource, {})
        written = {
            key: value
            for key, value in changes.items()
            if resource.type == BROKER_RESOURCE or present.get(key) != value
        }
        asked = tuple((key, operation, value) for key, (operation, value) in operations.items())
        error, records = alter(self.manager, resource, *asked)
        if self.refused(resource, written):
            assert (error, records) == (Errors.INVALID_CONFIG, [])
            return
        assert error is Errors.NONE
        cleared = [("" if resource.type == BROKER_RESOURCE else resource.name,)] if self.elr and MIN in written else []
        # Kafka goes through the keys of a request in the order of its hash table.
        ordered = [(key, written[key]) for key in java_order(changes) if key in written]
        assert values(records) == [*ordered, *cleared]
        self.applied(resource, changes)

    @rule(resource=RESOURCES, wanted=st.dictionaries(KEYS, TEXTS, max_size=3))
    def replace_all(self, resource: ConfigResource, wanted: dict[str, str]) -> None:
        """The legacy way: what is not named is deleted."""
        present = self.plain.get(resource, {})
        changes: dict[str, str | None] = {**dict.fromkeys(present), **wanted}
        written = {
            key: value
            for key, value in changes.items()
            if key not in wanted or resource.type == BROKER_RESOURCE or present.get(key) != value
        }
        request = LegacyAlterConfigsRequest(resources=((resource, tuple(wanted.items())),))
        result = self.manager.legacy_alter(request)
        replay(self.manager, result.records)
        if self.refused(resource, written):
            assert (result.response[0].error, result.records) == (Errors.INVALID_CONFIG, ())
            return
        assert result.response[0].error is Errors.NONE
        self.applied(resource, changes)

    @rule(name=st.sampled_from("tu"))
    def remove_topic(self, name: str) -> None:
        """The configurations of a topic go with it."""
        self.manager.forget_topic(name)
        self.plain = {one: values for one, values in self.plain.items() if one != ConfigResource(TOPIC_RESOURCE, name)}

    @rule()
    def snapshot(self) -> None:
        """A batch is written."""
        epoch = self.registry.latest_epoch + 1
        self.registry.create(epoch)
        self.copies[epoch] = self.plain

    @precondition(lambda self: self.copies)
    @rule(data=st.data())
    def revert(self, data: st.DataObject) -> None:
        """State is taken back."""
        epoch = data.draw(st.sampled_from(sorted(self.copies)))
        self.registry.revert_to(epoch)
        self.plain = self.copies[epoch]
        self.copies = {one: plain for one, plain in self.copies.items() if one <= epoch}

    @invariant()
    def it_is_as_the_plain_one(self) -> None:
        """What is configured is what is in the plain dict; a resource with nothing is not there."""
        assert {one: dict(values) for one, values in self.manager.configs.items()} == self.plain

    @invariant()
    def what_counts_for_a_topic(self) -> None:
        """A topic's own value comes first, then the cluster's, then the static one."""
        own, cluster = self.plain.get(TOPIC, {}), self.plain.get(CLUSTER, {})
        unclean = own.get(UNCLEAN, cluster.get(UNCLEAN, "false"))
        assert self.manager.unclean_leader_election("t") == (unclean == "true")
        if cluster.get(MIN, "1").isdigit():
            assert self.manager.min_insync_replicas("t") == int(own.get(MIN, cluster.get(MIN, "2")))


TestConfigurations = Configurations.TestCase
TestConfigurations.settings = settings(max_examples=examples(100))


# -- values ------------------------------------------------------------------------------------------------------------
@each(
    ("key", "value", "is_valid"),
    [
        ("nope", "1", False),
        (MIN, "0", False),
        (MIN, " 2 ", True),
        (MIN, "+2", True),
        (MIN, "x", False),
        (MIN, "2.0", False),
        (MIN, "", False),
        ("retention.ms", "-1", True),
        ("retention.ms", "-2", False),
        ("retention.ms", "9223372036854775808", False),
        ("retention.bytes", "-5", True),
        (CLEANUP, "compact,delete", True),
        (CLEANUP, " compact , delete ", True),
        (CLEANUP, "compact,compact", True),
        (CLEANUP, "", True),
        (CLEANUP, "compact,", False),
        (CLEANUP, "x", False),
        (UNCLEAN, "TRUE", True),
        (UNCLEAN, " true ", True),
        (UNCLEAN, "yes", False),
        ("leader.replication.throttled.replicas", "*", True),
        ("leader.replication.throttled.replicas", "0:1,2:3", True),
        ("leader.replication.throttled.replicas", "", True),
        ("leader.replication.throttled.replicas", "none", False),
        ("leader.replication.throttled.replicas", ",1:2,,3:4,", True),
        ("leader.replication.throttled.replicas", "*,", True),
        ("leader.replication.throttled.replicas", "0:1,*", False),
        ("leader.replication.throttled.replicas", "0:1:2", False),
        ("compression.type", "gzip", True),
        ("compression.type", "GZIP", False),
        ("compression.gzip.level", "-1", True),
        ("compression.gzip.level", "0", False),
        ("min.cleanable.dirty.ratio", "1e-1", True),
        ("min.cleanable.dirty.ratio", "0.5f", True),
        ("min.cleanable.dirty.ratio", "NaN", True),
        ("min.cleanable.dirty.ratio", "1.5", False),
        ("min.cleanable.dirty.ratio", "abc", False),
        ("segment.bytes", "1024", False),
        ("internal.segment.bytes", "5", True),
    ],
)
def test_values_of_topics_are_judged_as_by_kafka(key: str, value: str, is_valid: bool) -> None:
    """Each of these was put to `LogConfig.validate` of 4.4.0, and was accepted or refused there as here."""
    configurations, _ = manager()
    error, _ = alter(configurations, TOPIC, (key, SET, value))
    assert error is (Errors.NONE if is_valid else Errors.INVALID_CONFIG)


def test_white_space_passes_the_check_and_not_the_reading() -> None:
    """4.4.0 checks " 2 " as 2, keeps " 2 " and then fails to read it, at every build; " true " is read as false.

    With the repair D27 a value is read as it was checked.
    """
    for repaired in (frozenset[str](), frozenset({"D27"})):
        configurations, _ = manager(repaired=repaired)
        assert alter(configurations, TOPIC, (MIN, SET, " 3 "), (UNCLEAN, SET, " true "))[0] is Errors.NONE
        assert configurations.of(TOPIC) == {MIN: " 3 ", UNCLEAN: " true "}
        assert configurations.unclean_leader_election("t") == bool(repaired)
        if repaired:
            assert configurations.min_insync_replicas("t") == 3
        else:
            with pytest.raises(ValueError, match='For input string: " 3 "'):
                configurations.min_insync_replicas("t")


def test_two_keys_may_contradict_each_other() -> None:
    """The whole new configuration is judged: a longest lag of compaction below the shortest one is refused."""
    configurations, _ = manager()
    assert alter(configurations, TOPIC, ("min.compaction.lag.ms", SET, "10"))[0] is Errors.NONE
    assert alter(configurations, TOPIC, ("max.compaction.lag.ms", SET, "5"))[0] is Errors.INVALID_CONFIG
    assert alter(configurations, TOPIC, ("max.compaction.lag.ms", SET, "15"))[0] is Errors.NONE


def test_keys_of_brokers_are_judged_by_brokers() -> None:
    """The controller takes any key of a broker, and its replay keeps it: plugins have keys of their own."""
    configurations, _ = manager()
    assert alter(configurations, BROKER, ("my.plugin", SET, "x"))[0] is Errors.NONE
    assert configurations.value(BROKER, "my.plugin") == "x"
    assert alter(configurations, ConfigResource(BROKER_RESOURCE, "x"), (MIN, SET, "1"))[0] is Errors.INVALID_REQUEST
    assert alter(configurations, ConfigResource(BROKER_RESOURCE, "-1"), (MIN, SET, "1"))[0] is Errors.INVALID_REQUEST


def test_an_unknown_key_is_skipped_at_replay() -> None:
    """A Config record of a topic with a key that this software does not know changes nothing and is no fault."""
    configurations, _ = manager()
    data = {"resourceType": TOPIC_RESOURCE, "resourceName": "t", "name": "from.the.future", "value": "1"}
    configurations.replay(data)
    assert configurations.of(TOPIC) == {}
    assert not CONFIG_SCHEMA.is_known(16, "nope")
    assert CONFIG_SCHEMA.is_known(16, "interval.ms")


# -- list keys ---------------------------------------------------------------------------------------------------------
def test_lists_are_appended_to_and_subtracted_from() -> None:
    """Members that are there are not added again, what is missing is not taken away; the default is the beginning."""
    configurations, _ = manager()
    assert values(alter(configurations, TOPIC, (CLEANUP, APPEND, "compact"))[1]) == [(CLEANUP, "delete,compact")]
    assert values(alter(configurations, TOPIC, (CLEANUP, APPEND, "compact"))[1]) == []
    assert values(alter(configurations, TOPIC, (CLEANUP, SUBTRACT, "delete"))[1]) == [(CLEANUP, "compact")]
    assert values(alter(configurations, TOPIC, (CLEANUP, SUBTRACT, "delete"))[1]) == []
    throttled = "leader.replication.throttled.replicas"
    assert values(alter(configurations, TOPIC, (throttled, APPEND, "0:1,0:2"))[1]) == [(throttled, "0:1,0:2")]


@pytest.mark.parametrize("operation", [APPEND, SUBTRACT])
def test_only_lists_can_be_appended_to(operation: int) -> None:
    """APPEND and SUBTRACT of any other key refuse the resource, whatever else the request has for it."""
    configurations, _ = manager()
    error, records = alter(configurations, TOPIC, (UNCLEAN, SET, "true"), (MIN, operation, "1"))
    assert (error, records) == (Errors.INVALID_CONFIG, [])


# -- order of the checks -----------------------------------------------------------------------------------------------
def test_the_first_check_that_fails_is_the_answer() -> None:
    """ELR and length, then the values, then existence, then the policy; the last two are asked for nothing too."""
    configurations, _ = manager(elr=True)
    asked: list[str] = []

    def exists(resource: ConfigResource) -> None:
        asked.append("exists")
        raise ApiError(Errors.BROKER_ID_NOT_REGISTERED)

    def policy(resource: ConfigResource, changes: object) -> None:
        asked.append("policy")
        raise ApiError(Errors.POLICY_VIOLATION)

    configurations.exists, configurations.policy = exists, policy
    assert alter(configurations, BROKER, (MIN, SET, "1"))[0] is Errors.INVALID_CONFIG
    assert alter(configurations, BROKER, ("any", SET, "x" * 32768))[0] is Errors.INVALID_CONFIG
    assert alter(configurations, TOPIC, (MIN, SET, "0"))[0] is Errors.INVALID_CONFIG
    assert asked == []
    assert alter(configurations, BROKER, ("any", SET, "x" * 32767))[0] is Errors.BROKER_ID_NOT_REGISTERED
    assert alter(configurations, TOPIC)[0] is Errors.BROKER_ID_NOT_REGISTERED
    assert asked == ["exists", "exists"]
    configurations.exists = lambda resource: None
    assert alter(configurations, TOPIC)[0] is Errors.POLICY_VIOLATION


def test_a_policy_does_not_see_what_the_legacy_way_deletes() -> None:
    """The policy sees the keys that get a record because they are named, not the implicit deletions (KAFKA-14195)."""
    configurations, _ = manager()
    alter(configurations, TOPIC, (MIN, SET, "1"), (UNCLEAN, SET, "true"))
    seen: list[object] = []
    configurations.policy = lambda resource, changes: seen.append(dict(changes))
    request = LegacyAlterConfigsRequest(resources=((TOPIC, ((MIN, "2"),)),))
    assert values(list(configurations.legacy_alter(request).records)) == [(MIN, "2"), (UNCLEAN, None)]
    assert seen == [{MIN: "2"}]


def test_one_resource_that_is_refused_does_not_stop_the_others() -> None:
    """Errors are per resource; the records of those that passed are in one atomic result, clearing ELR last."""
    configurations, _ = manager(elr=True)
    request = IncrementalAlterConfigsRequest(
        resources=(
            ConfigChanges(TOPIC, ((MIN, SET, "1"),)),
            ConfigChanges(OTHER, ((MIN, SET, "0"),)),
            ConfigChanges(CLUSTER, ((MIN, SET, "3"), (UNCLEAN, SET, "true"))),
        )
    )
    result = configurations.incremental_alter(request)
    assert [one.error for one in result.response] == [Errors.NONE, Errors.INVALID_CONFIG, Errors.NONE]
    assert values(list(result.records)) == [(MIN, "1"), (MIN, "3"), (UNCLEAN, "true"), ("t",), ("",)]


def test_validate_only_answers_and_writes_nothing() -> None:
    """With `validate_only` the answers are the same and there are no records."""
    configurations, _ = manager()
    changes = (ConfigChanges(TOPIC, ((MIN, SET, "1"),)), ConfigChanges(OTHER, ((MIN, SET, "0"),)))
    result = configurations.incremental_alter(IncrementalAlterConfigsRequest(resources=changes, validate_only=True))
    assert ([one.error for one in result.response], result.records) == ([Errors.NONE, Errors.INVALID_CONFIG], ())


def test_a_request_that_writes_too_much_is_refused_whole() -> None:
    """More than 10,000 records of one request are POLICY_VIOLATION (S3:130)."""
    configurations, _ = manager()
    changes = tuple(ConfigChanges(ConfigResource(TOPIC_RESOURCE, f"t{n}"), ((MIN, SET, "1"),)) for n in range(10_001))
    with pytest.raises(ApiError) as refused:
        configurations.incremental_alter(IncrementalAlterConfigsRequest(resources=changes))
    assert refused.value.error is Errors.POLICY_VIOLATION


# -- cordoned directories ----------------------------------------------------------------------------------------------
def test_cordoning_needs_its_metadata_version_and_goes_through_a_broker() -> None:
    """Below 4.3-IV0 it is refused; sent to a controller directly it can only lose members."""
    key = "cordoned.log.dirs"
    configurations, _ = manager(level="4.2-IV1")
    assert alter(configurations, BROKER, (key, SET, "/a"))[0] is Errors.INVALID_CONFIG
    configurations, _ = manager()
    assert alter(configurations, BROKER, (key, SET, "/a"), from_broker=False)[0] is Errors.INVALID_CONFIG
    assert alter(configurations, BROKER, (key, SET, "/a,/b"))[0] is Errors.NONE
    assert alter(configurations, BROKER, (key, SET, "/b"), from_broker=False)[0] is Errors.NONE
    assert alter(configurations, BROKER, (key, DELETE, None), from_broker=False)[0] is Errors.NONE


# -- eligible leader replicas ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("repaired", "cleared"), [(frozenset[str](), [("",)]), (frozenset({"D24"}), [])])
def test_the_same_minimum_again_forgets_everybody(repaired: frozenset[str], cleared: list[tuple[str, ...]]) -> None:
    """Setting the cluster's minimum to the value it has writes Config and ClearElr; the repair D24 writes Config."""
    configurations, _ = manager(elr=True, repaired=repaired)
    assert values(alter(configurations, CLUSTER, (MIN, SET, "2"))[1]) == [(MIN, "2"), ("",)]
    assert values(alter(configurations, CLUSTER, (MIN, SET, "2"))[1]) == [(MIN, "2"), *cleared]
    assert values(alter(configurations, TOPIC, (MIN, SET, "2"))[1]) == [(MIN, "2"), ("t",)]
    assert values(alter(configurations, TOPIC, (MIN, SET, "2"))[1]) == []


def test_with_elr_the_minimum_is_the_clusters() -> None:
    """A broker has no minimum of its own, and the cluster's cannot be deleted (ConfigurationControlManager)."""
    configurations, _ = manager(elr=True)
    assert alter(configurations, BROKER, (MIN, DELETE, None))[0] is Errors.INVALID_CONFIG
    assert alter(configurations, CLUSTER, (MIN, SET, "1"))[0] is Errors.NONE
    assert alter(configurations, CLUSTER, (MIN, DELETE, None))[0] is Errors.INVALID_CONFIG
    request = LegacyAlterConfigsRequest(resources=((CLUSTER, ()),))
    assert configurations.legacy_alter(request).response[0].error is Errors.INVALID_CONFIG


def test_switching_elr_on_fixes_the_minimum() -> None:
    """The static value becomes the cluster's unless it has one, and brokers lose theirs, in the order of the table."""
    configurations, _ = manager()
    for broker in ("10", "2"):
        alter(configurations, ConfigResource(BROKER_RESOURCE, broker), (MIN, SET, "1"))
    alter(configurations, ConfigResource(BROKER_RESOURCE, "3"), (UNCLEAN, SET, "true"))
    told = [(one.data["resourceName"], one.data["value"]) for one in configurations.elr_safety_records()]
    assert told == [("", "2"), ("2", None), ("10", None)]
    alter(configurations, CLUSTER, (MIN, SET, "3"))
    assert [one.data["resourceName"] for one in configurations.elr_safety_records()] == ["2", "10"]


def test_brokers_lose_their_minimum_in_kafka_s_order() -> None:
    """Brokers 5 and 7, configured in this order: the classes of Kafka 4.4.0 write 7 first."""
    configurations, _ = manager()
    for broker in ("5", "7"):
        alter(configurations, ConfigResource(BROKER_RESOURCE, broker), (MIN, SET, "1"))
    assert [one.data["resourceName"] for one in configurations.elr_safety_records()] == ["", "7", "5"]


def test_a_new_topic_is_configured_without_asking_whether_it_exists() -> None:
    """Its records come in order, ClearElr after them; a null is no value."""
    configurations, _ = manager(elr=True)

    def exists(resource: ConfigResource) -> None:
        raise ApiError(Errors.UNKNOWN_TOPIC_OR_PARTITION)

    configurations.exists = exists
    records = configurations.for_new_topic("t", ((MIN, "2"), (UNCLEAN, "true")))
    assert values(list(records)) == [(MIN, "2"), (UNCLEAN, "true"), ("t",)]
    for wrong in ((MIN, None), (MIN, "0"), ("nope", "1")):
        with pytest.raises(ApiError) as refused:
            configurations.for_new_topic("t", (wrong,))
        assert refused.value.error is Errors.INVALID_CONFIG


def test_the_controller_s_own_node_comes_between_topic_and_cluster() -> None:
    """Of two controllers with the same records one allows unclean leaders, and the other does not (D31)."""
    managers = {node: Managers(SnapshotRegistry(), "c", Settings(), random.Random(0), (1, 2), node) for node in (1, 2)}

    def replayed(resource: str, value: str | None) -> dict[int, bool]:
        data = {"resourceType": BROKER_RESOURCE, "resourceName": resource, "name": UNCLEAN, "value": value}
        for one in managers.values():
            one.configurations.replay(data)
        return {node: one.configurations.unclean_leader_election("t") for node, one in managers.items()}

    assert replayed("1", "true") == {1: True, 2: False}
    assert replayed("", "true") == {1: True, 2: True}
    assert replayed("2", "false") == {1: True, 2: False}
    assert replayed("1", None) == {1: True, 2: False}
    assert replayed("", None) == {1: False, 2: False}


def test_the_node_of_a_configuration_is_a_voter_too() -> None:
    """A voter that has not registered can be configured; any other id, and what is no id, is refused as Kafka does."""
    managers = Managers(SnapshotRegistry(), "c", Settings(), random.Random(0), (3000, 3001), 3000)
    managers.features.replay({"name": METADATA_VERSION, "featureLevel": LEVELS["4.4-IV2"]})

    def error(name: str) -> Errors:
        return alter(managers.configurations, ConfigResource(BROKER_RESOURCE, name), (UNCLEAN, SET, "true"))[0]

    assert [error(name) for name in ("3000", "3001", "")] == [Errors.NONE] * 3
    assert error("3009") is Errors.BROKER_ID_NOT_REGISTERED
    assert [error(name) for name in ("abc", "-1", "1.5")] == [Errors.INVALID_REQUEST] * 3
