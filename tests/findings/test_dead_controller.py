"""K7: the registration of a controller that is gone refuses every upgrade, on the tables, the reference and 4.4.0."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from fencepost.model.kraft import KRAFT
from fencepost.model.kraft.answers import Error
from fencepost.model.kraft.cluster import Direction
from fencepost.model.language.kinds import EntityKind, ThresholdKind
from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.controller.features import feature_level_record
from fencepost.reference.kraft.errors import ApiError, Errors
from fencepost.reference.kraft.levels import LEVELS, METADATA_VERSION
from tests.reference.kraft.replayed import Replayed
from tests.requirements.tables import Tables

ANSWERS = Path(__file__).resolve().parents[2] / "traces" / "recorded" / "oracle" / "features.ndjson.gz"
OLD, NEW = LEVELS["4.4-IV1"], LEVELS["4.4-IV2"]


def test_the_rows_neither_upgrade_nor_remove() -> None:
    """The rows of the page: the registration is not questioned, refuses the level, and cannot be removed below it."""
    sizes = {kind.name: 1 for kind in KRAFT.kinds if isinstance(kind, EntityKind | ThresholdKind)}
    tables = Tables(KRAFT, **{**sizes, "Feature": 2})
    tables["metadata.version"], tables["eligible.leader.replicas.version"], tables["metadata_version"] = 0, 1, OLD
    tables["range_feature", 0], tables["lowest", 0], tables["highest", 0] = 0, 7, OLD
    answers = [
        tables.do("RegisterController", c=0, i=0, ranges=frozenset({0})),
        tables.do("UpdateFeature", f=0, to=NEW, way=Direction.UPGRADE, static_min=1),
        tables.do("UnregisterController", c=0, itself=False),
    ]
    assert tables.ran == ["CR1", "FE1", "CU1"]
    assert answers == [Error.NONE, Error.INVALID_UPDATE_VERSION, Error.UNSUPPORTED_VERSION]


def upgrade(state: Replayed) -> str:
    """Ask for the newest metadata.version, and return why it is refused, empty where it is not."""
    request = m.UpdateFeaturesRequest(updates=((METADATA_VERSION, NEW, m.UPGRADE),))
    answer = state.features.update(request, state.cluster, state.configurations).response
    return "" if answer is None else str(answer.message)


def test_the_reference_neither_upgrades_nor_removes() -> None:
    """No voter any more, the controller is asked still; with its registration renewed the upgrade is accepted."""
    state = Replayed()
    state.replay(feature_level_record(METADATA_VERSION, OLD), 0)
    state.cluster.activate(0)
    state.features.node_id, state.features.voters = 3000, (3000,)
    for highest, refusal in ((OLD, "Controller 3001 does not support"), (NEW, "")):
        ranges = (m.FeatureRange(METADATA_VERSION, 7, highest),)
        registers = m.ControllerRegistrationRequest(controller_id=3001, incarnation_id="A" * 22, features=ranges)
        state.replay_all(state.cluster.register_controller(registers).records, 1)
        assert refusal in upgrade(state)
        assert bool(upgrade(state)) == bool(refusal)
        with pytest.raises(ApiError) as raised:
            state.cluster.unregister_controller(m.UnregisterControllerRequest(controller_id=3001))
        assert raised.value.error is Errors.UNSUPPORTED_VERSION


def test_kafka_asks_every_registered_controller() -> None:
    """4.4.0's own class refuses each recorded upgrade that only the other registered controller does not support."""
    refused = []
    with gzip.open(ANSWERS, "rt", encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            if (line["feature"], line["way"]) != (METADATA_VERSION, 1) or not line["controllerRanges"]:
                continue
            mine, brokers, other = (highest(line[f"{who}Ranges"]) for who in ("local", "broker", "controller"))
            if other < line["to"] <= min(mine, brokers):
                refused.append(line["out"]["error"])
    assert set(refused) == {"INVALID_UPDATE_VERSION"}


def highest(ranges: list[Any]) -> int:
    """Return the highest metadata.version of some ranges, 0 where it is not among them."""
    return next((int(most) for name, _, most in ranges if name == METADATA_VERSION), 0)
