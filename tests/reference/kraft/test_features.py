"""Features: any order of updates against a plain dict, refusals in Kafka's order."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fencepost.reference.kraft.controller.registrations import range_data
from fencepost.reference.kraft.errors import ApiError, Errors, ReplayError
from fencepost.reference.kraft.levels import (
    CONTROLLER_REGISTRATION,
    ELR_RECORDS,
    ELR_VERSION,
    KRAFT_VERSION,
    LEVELS,
    METADATA_CHANGES,
    METADATA_VERSION,
    MINIMUM,
    SUPPORTED_FEATURES,
)
from fencepost.reference.kraft.messages import (
    SAFE_DOWNGRADE,
    UNSAFE_DOWNGRADE,
    UPGRADE,
    FeatureRange,
    UpdateFeaturesRequest,
)
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.settings import Settings
from tests.cases import each, examples

from .replayed import Replayed

Update = tuple[str, int, int]
LATEST = LEVELS["4.4-IV2"]


def cluster(level: int = LATEST, repaired: frozenset[str] = frozenset(), **features: int) -> Replayed:
    """Return managers at a level of metadata.version, with further features by name (dots as underscores)."""
    state = Replayed(Settings(min_insync_replicas=2, repaired=repaired))
    for name, value in {
        METADATA_VERSION: level,
        **{key.replace("_", "."): value for key, value in features.items()},
    }.items():
        state.features.replay({"name": name, "featureLevel": value})
    return state


def registered(state: Replayed, which: str, identifier: int, **ranges: tuple[int, int]) -> None:
    """Register a broker or a controller that supports everything but what is given (dots as underscores)."""
    told = {**SUPPORTED_FEATURES, **{key.replace("_", "."): value for key, value in ranges.items()}}
    data = {
        f"{which}Id": identifier,
        "incarnationId": "A" * 22,
        "endPoints": [],
        "features": range_data(FeatureRange(name, *levels) for name, levels in told.items()),
    }
    if which == "broker":
        state.cluster.replay(Message("REGISTER_BROKER_RECORD", 4, {**data, "brokerEpoch": 1, "fenced": True}), 1)
    else:
        state.cluster.replay(Message("REGISTER_CONTROLLER_RECORD", 0, {**data, "zkMigrationReady": False}), 1)


def update(
    state: Replayed, *updates: Update, validate_only: bool = False
) -> tuple[str | None, list[tuple[object, ...]]]:
    """Update features, replay what is written; return the refusal and what the records say."""
    request = UpdateFeaturesRequest(updates=updates, validate_only=validate_only)
    result = state.features.update(request, state.cluster, state.configurations)
    state.replay_all(result.records)
    told = [tuple(record.data.values()) for record in result.records]
    if result.response is None:
        return None, told
    assert result.response.error is Errors.INVALID_UPDATE_VERSION
    assert told == []
    return result.response.message, told


# -- against a plain dict ----------------------------------------------------------------------------------------------
NAMES = st.sampled_from((METADATA_VERSION, ELR_VERSION, "group.version", "transaction.version", "no.such"))
LEVELS_TRIED = st.sampled_from((-1, 0, 1, 2, MINIMUM, 12, 13, 22, 23, 29, 30, LATEST, LATEST + 1))
KINDS = st.sampled_from((0, UPGRADE, SAFE_DOWNGRADE, UNSAFE_DOWNGRADE))


class Features(RuleBasedStateMachine):
    """Updates of all kinds and reverts; beside them a plain dict, and the rules of FeatureControlManager."""

    @initialize(level=st.sampled_from((MINIMUM, 22, LATEST)))
    def begin(self, level: int) -> None:
        """Begin as formatted at a level."""
        self.state = cluster(level)
        self.plain = {METADATA_VERSION: level}
        self.copies: dict[int, dict[str, int]] = {}

    def allowed(self, update: Update, proposed: dict[str, int]) -> bool:
        """Whether one update may be made."""
        name, level, kind = update
        current = self.plain.get(name, 0)
        lowest, highest = SUPPORTED_FEATURES.get(name, (0, -1))
        if kind == 0 or not lowest <= level <= highest:
            return False
        if (level < current and kind == UPGRADE) or (level > current and kind != UPGRADE):
            return False
        if name == METADATA_VERSION:
            return level >= current or not METADATA_CHANGES & set(range(level + 1, current + 1))
        return name != ELR_VERSION or level == 0 or proposed[METADATA_VERSION] >= ELR_RECORDS

    @rule(updates=st.lists(st.tuples(NAMES, LEVELS_TRIED, KINDS), max_size=2, unique_by=lambda one: one[0]))
    def update(self, updates: list[Update]) -> None:
        """All updates of a request are made, or none."""
        proposed = {**self.plain, **{name: level for name, level, _ in updates}}
        refusal, _ = update(self.state, *updates)
        assert (refusal is None) == all(self.allowed(one, proposed) for one in updates)
        if refusal is None:
            self.plain = {name: level for name, level in proposed.items() if level > 0}

    @rule()
    def snapshot(self) -> None:
        """A batch is written."""
        epoch = self.state.registry.latest_epoch + 1
        self.state.registry.create(epoch)
        self.copies[epoch] = dict(self.plain)

    @precondition(lambda self: self.copies)
    @rule(data=st.data())
    def revert(self, data: st.DataObject) -> None:
        """State is taken back."""
        epoch = data.draw(st.sampled_from(sorted(self.copies)))
        self.state.registry.revert_to(epoch)
        self.plain = dict(self.copies[epoch])
        self.copies = {one: plain for one, plain in self.copies.items() if one <= epoch}

    @invariant()
    def it_is_as_the_plain_one(self) -> None:
        """The levels are those of the plain dict; metadata.version never goes below what was formatted or changed."""
        features = self.state.features
        assert dict(features.finalized) == self.plain
        assert features.metadata_version == features.metadata_version_or_throw() == self.plain[METADATA_VERSION]
        assert features.elr_enabled == (self.plain.get(ELR_VERSION, 0) >= 1)


TestFeatures = Features.TestCase
TestFeatures.settings = settings(max_examples=examples(100))


# -- refusals ----------------------------------------------------------------------------------------------------------
@each(
    ("one", "reason"),
    [
        (("group.version", -1, 0), "upgrade type"),
        (("group.version", -1, UPGRADE), "less than 0"),
        (("group.version", 2, SAFE_DOWNGRADE), "Local controller"),
        ((METADATA_VERSION, MINIMUM - 1, UNSAFE_DOWNGRADE), "Local controller"),
        (("group.version", 0, UPGRADE), "Can't downgrade the version"),
        (("streams.version", 1, SAFE_DOWNGRADE), "newer version"),
        ((METADATA_VERSION, 32, SAFE_DOWNGRADE), "might delete metadata"),
        ((METADATA_VERSION, 32, UNSAFE_DOWNGRADE), "not supported in this version"),
        (("no.such", 0, UPGRADE), "not found"),
        ((KRAFT_VERSION, 0, SAFE_DOWNGRADE), "Can't downgrade the version"),
    ],
)
def test_the_first_reason_is_told(one: Update, reason: str) -> None:
    """Refusals come in Kafka's order: type, sign, support, direction, then what is particular to a feature."""
    state = cluster(group_version=1)
    state.features.kraft_version = 1
    refusal, _ = update(state, one)
    assert refusal is not None
    assert reason in refusal


def test_one_refusal_refuses_the_request() -> None:
    """Nothing is written where one of several updates is refused."""
    assert update(cluster(), ("group.version", 1, UPGRADE), ("share.version", 9, UPGRADE))[0] is not None


def test_the_level_that_is_there_is_written_again() -> None:
    """The current level is accepted in every direction, and its record written; validating writes nothing."""
    state = cluster(group_version=1)
    for kind in (UPGRADE, SAFE_DOWNGRADE, UNSAFE_DOWNGRADE):
        assert update(state, ("group.version", 1, kind)) == (None, [("group.version", 1)])
        assert update(state, (METADATA_VERSION, LATEST, kind)) == (None, [(METADATA_VERSION, LATEST)])
    assert update(state, ("streams.version", 1, UPGRADE), validate_only=True) == (None, [])


def test_everybody_must_support_it() -> None:
    """A registered broker or controller that cannot do it refuses it, and so does a voter that has not registered."""
    one = ("streams.version", 1, UPGRADE)
    state = cluster()
    registered(state, "broker", 1, streams_version=(0, 0))
    assert "Broker 1" in str(update(state, one)[0])
    state = cluster()
    state.features.voters, state.features.node_id = (3000, 3001), 3000
    registered(state, "controller", 3000, streams_version=(0, 0))
    assert "controller 3001 has not registered" in str(update(state, one)[0])
    registered(state, "controller", 3001, streams_version=(0, 0))
    assert "Controller 3001" in str(update(state, one)[0])
    registered(state, "controller", 3001)
    assert update(state, one)[0] is None


def test_controllers_are_not_asked_before_they_can_register() -> None:
    """Below 3.7-IV0 controllers do not register, so that nothing is known of them."""
    state = cluster(CONTROLLER_REGISTRATION - 1)
    state.features.voters = (3000, 3001)
    assert update(state, (METADATA_VERSION, CONTROLLER_REGISTRATION, UPGRADE))[0] is None
    assert "has not registered" in str(update(state, (METADATA_VERSION, LATEST, UPGRADE))[0])


# -- single features ---------------------------------------------------------------------------------------------------
def test_elr_goes_with_its_metadata_version_in_one_request() -> None:
    """The dependency is looked up in what the request proposes; the minimum is fixed before the features are.

    Kafka puts the updates of a request into a HashMap: metadata.version comes first, wherever the request has it.
    """
    state = cluster(22)
    assert "depends on metadata.version" in str(update(state, (ELR_VERSION, 1, UPGRADE))[0])
    told = update(state, (ELR_VERSION, 1, UPGRADE), (METADATA_VERSION, 23, UPGRADE))
    assert told == (None, [(4, "", "min.insync.replicas", "2"), (METADATA_VERSION, 23), (ELR_VERSION, 1)])
    assert state.features.elr_enabled


@pytest.mark.parametrize(("repaired", "more"), [(frozenset[str](), []), (frozenset({"D21"}), [("",)])])
def test_switching_elr_off_leaves_its_members(repaired: frozenset[str], more: list[tuple[str]]) -> None:
    """Off is the level and nothing else; the repair D21 forgets all members with it."""
    state = cluster(repaired=repaired)
    update(state, (ELR_VERSION, 1, UPGRADE))
    assert update(state, (ELR_VERSION, 0, SAFE_DOWNGRADE)) == (None, [(ELR_VERSION, 0), *more])


def test_kraft_version_is_the_raft_layers() -> None:
    """Its upgrade writes a NoOp, also to the level that it has; a FeatureLevel record of it changes nothing."""
    state = cluster()
    for way, written in ((UPGRADE, ["NO_OP_RECORD"]), (UPGRADE, ["NO_OP_RECORD"]), (SAFE_DOWNGRADE, [])):
        result = state.features.update(
            UpdateFeaturesRequest(updates=((KRAFT_VERSION, 1, way),)), state.cluster, state.configurations
        )
        assert result.response is None
        assert [record.type for record in result.records] == written
        assert state.features.kraft_version == 1
    state.features.replay({"name": KRAFT_VERSION, "featureLevel": 1})
    assert KRAFT_VERSION not in state.features.finalized


# -- replay ------------------------------------------------------------------------------------------------------------
def test_a_level_that_this_software_lacks_is_fatal() -> None:
    """A record outside of the local range cannot be replayed (S3:254)."""
    with pytest.raises(ReplayError, match="only supports"):
        cluster().features.replay({"name": METADATA_VERSION, "featureLevel": LATEST + 1})
    with pytest.raises(ReplayError, match="only supports"):
        cluster().features.replay({"name": "no.such", "featureLevel": 1})


def test_without_metadata_version_operations_fail() -> None:
    """Before the bootstrap the level is unknown: no error of a request but a fault of the controller."""
    features = Replayed().features
    assert features.metadata_version is None
    with pytest.raises(RuntimeError) as fault:
        features.metadata_version_or_throw()
    assert not isinstance(fault.value, ApiError)
