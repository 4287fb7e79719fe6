"""Demands of the source S3 that no row is about: an edit of the reference that breaks one is noticed by its tests."""

import importlib
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from fencepost.checkers.requirements import read, sources


@dataclass(frozen=True)
class Edit:
    """A text in a function of the reference and what takes its place, with the demands that then no longer hold.

    `tests` are the names of those that the demands cite and that are run, all where there are none.
    """

    demands: tuple[str, ...]
    function: str
    old: str
    new: str
    tests: tuple[str, ...] = ()


CHANNEL = "broker.controller_channel:ControllerChannel."
MAP = "fencepost.reference.timeline.collections:TimelineMap."
VOTERS = "storage.formatter:_initial_voters"
SAVED = "snapshots[-1].deltas.setdefault(self._number, {})[key]"
EDITS = (
    Edit(("S3-51c", "S3-126b"), f"{CHANNEL}_again", "self._queue.appendleft(one)", "pass"),
    Edit(("S3-51c", "S3-126b"), f"{CHANNEL}_again", "self._caller.after(BACKOFF_NS, self._resume)", "pass"),
    Edit(("S3-51c",), f"{CHANNEL}_again", "self._controller, self._refused = None, asked", "pass"),
    Edit(
        ("S3-102e", "S3-140b"),
        "controller.features:FeatureControlManager._not_supported",
        "voter not in cluster.controllers",
        "False",
    ),
    Edit(
        ("S3-102e", "S3-140b"),
        "controller.features:FeatureControlManager._not_supported",
        "for voter in self.voters:",
        "for voter in ():",
    ),
    Edit(
        ("S3-106d",),
        "controller.periodic_tasks:PeriodicTaskControlManager.run",
        "IMMEDIATELY_NS if result.response else task.period_ns",
        "task.period_ns",
    ),
    Edit(
        ("S3-59a", "S3-59c", "S3-59e", "S3-60", "S3-62", "S3-59f", "S3-59g"),
        f"{MAP}__setitem__",
        f"{SAVED} = old",
        "pass",
    ),
    Edit(("S3-59b",), f"{MAP}__setitem__", "latest + 1", "0"),
    Edit(("S3-59c", "S3-62"), f"{MAP}_at", "element is not None and element.start <= epoch", "False"),
    Edit(("S3-59d",), f"{MAP}_at", "kept if kept.start <= epoch else None", "kept"),
    Edit(("S3-59d", "S3-64"), f"{MAP}_at", "element.start <= epoch:", "True:"),
    Edit(("S3-59f", "S3-54a", "S3-59g"), f"{MAP}revert", "restored |= snapshot.deltas.get(self._number, {})", "pass"),
    Edit(("S3-59f", "S3-54b"), f"{MAP}revert", "self._current.items() if one.start <= target", "self._current.items()"),
    Edit(("S3-61",), f"{MAP}__getitem__", "self._current[key].value", "None"),
    Edit(("S3-12b",), "storage.uuids:random_uuid", 'if not text.startswith("-")', "if True"),
    Edit(("S3-14a",), "storage.uuids:random_directory_id", "text not in taken", "True"),
    Edit(
        ("S3-14c",),
        "storage.start_check:check_start",
        "cluster_id=cluster_id, node_id=node_id",
        "cluster_id=None, node_id=None",
    ),
    Edit(("S3-16",), VOTERS, "len(given) > 1", "False"),
    Edit(("S3-16", "S3-18a"), VOTERS, "server.static_voters and given and not request.no_initial_controllers", "False"),
    Edit(("S3-18g",), VOTERS, "not server.static_voters and server.is_controller and not given", "False"),
    Edit(("S3-18c", "S3-18e"), VOTERS, "parse_voters(request.initial_controllers)", "()"),
    Edit(
        ("S3-18b", "S3-18e"),
        VOTERS,
        "(Voter(server.node_id, endpoint.host, endpoint.port, random_uuid(random)),)",
        "()",
    ),
    Edit(
        ("S3-106d", "S3-113"),
        "controller.elections:maybe_elect_unclean_leaders",
        "ControllerResult(tuple(records), len(records) >= MAX_ELECTIONS_PER_RUN)",
        "ControllerResult(tuple(records), False)",
    ),
    Edit(
        ("S3-101c",),
        "controller.quorum_controller:QuorumController._register_tasks",
        "fence, timeout // 8",
        "fence, timeout",
    ),
    Edit(("S3-12a",), "storage.uuids:uuid_text", '.rstrip(b"=")', ""),
    Edit(("S3-14b",), "storage.meta_properties:MetaProperties.pairs", '"directory.id"', '"directory"'),
    Edit(("S3-102h",), "controller.features:FeatureControlManager.replay", "not lowest <= level <= highest", "False"),
    Edit(("S3-27", "S3-08c"), "controller.event_queue:EventQueue.prepend", "appendleft", "append"),
    Edit(("S3-82", "S3-142c"), "controller.managers:Managers.replay", "raise ReplayError(", "return print("),
    Edit(("S3-04",), "raft.node:RaftNode.is_voter.fget", "self.id in self.voter_ids", "True"),
    Edit(("S3-11a",), "storage.start_check:check_start", "if ensemble.empty:", "if False:"),
    Edit(
        ("S3-11b",),
        "storage.formatter:_identities",
        "random_directory_id(random, taken)",
        'random_directory_id(__import__("random").SystemRandom(), taken)',
    ),
    Edit(
        ("S3-13a",),
        "storage.server_properties:parse_server_properties",
        '_node_id(_required(pairs, "node.id", "the number of this node"))',
        "1",
    ),
    Edit(("S3-13b",), "storage.releases:release_level", "return max(fits)", "return min(fits)"),
    Edit(("S3-15c", "S3-15d"), "storage.bootstrap:read_bootstrap", "if not path.exists():", "if True:"),
    Edit(("S3-15f", "S3-142a"), "controller.activation:activation_records", "if level is None:", "if False:"),
    Edit(("S3-17a",), "storage.server_properties:_static_voters", "return tuple(voters)", "return ()"),
    Edit(("S3-17a",), "storage.releases:effective_levels", "asked.get(KRAFT_VERSION, 1 if is_dynamic else 0)", "1"),
    Edit(("S3-18d",), VOTERS, "server.is_controller and not given", "server.is_controller and not request.standalone"),
    Edit(
        ("S3-23",),
        "controller.cluster:ClusterControlManager.register",
        "register_broker_version(self.features.metadata_version_or_throw())",
        "3",
        ("test_the_record_has_the_fields_of_its_version",),
    ),
    Edit(
        ("S3-55",),
        "fencepost.reference.timeline.registry:SnapshotRegistry.create",
        "epoch > self.latest_epoch or not self.snapshots",
        "True",
    ),
    Edit(
        ("S3-81", "S3-137d"),
        "controller.managers:Managers._by_type",
        '"ZK_MIGRATION_STATE_RECORD": _nothing,',
        "",
        ("test_the_state_of_the_migration_from_zookeeper_changes_nothing",),
    ),
    Edit(
        ("S3-55",),
        "fencepost.reference.timeline.registry:SnapshotRegistry.create",
        "if epoch < self.latest_epoch:",
        "if False:",
    ),
    Edit(
        ("S3-96a", "S3-124"),
        "controller.quorum_controller:QuorumController.process_broker_heartbeat",
        "self.active and cluster",
        "self.active and not self.queue.waiting and cluster",
    ),
    Edit(("S3-105b",), "controller.placer:_Rack.__init__", " if not fenced)", ")"),
    Edit(("S3-105e",), "controller.placer:_BrokerRing.next", "self._start + 1", "self._start"),
    Edit(("S3-105e",), "controller.placer:_RackRing.place", "self._start += 1", "pass"),
    Edit(("S3-114",), "controller.topics:_placed", "state.settings.default_replication_factor", "3"),
    Edit(
        ("S3-115",),
        "controller.topics:_placed",
        "state.settings.num_partitions if topic.num_partitions == AUTO",
        "2 if topic.num_partitions == AUTO",
    ),
    Edit(("S3-125a",), "controller.event_queue:EventQueue._turn", "event.run()", "self.scheduler.after(1, event.run)"),
    Edit(("S3-136b", "S3-137c"), "broker.loader:MetadataLoader.handle_commit", "self._publish()", "pass"),
    Edit(
        ("S3-136b",),
        "broker.replica_manager:ReplicaManager._start_fetching",
        "fetcher.add(partition, image.leader_epoch)",
        "pass",
    ),
    Edit(
        ("S3-137c",),
        "broker.loader:MetadataLoader.handle_commit",
        "self._transaction.append(message)",
        "apply(message)",
    ),
    Edit(
        ("S3-72",),
        "controller.managers:Managers.replay",
        "replay(message, offset)",
        "_nothing(message, offset)",
        ("test_every_recorded_log_is_replayed_and_its_snapshot_loaded",),
    ),
)
"""Edits, with every demand that each breaks."""

UNTABLED = {one.id: one for one in read(sources()["S3"]).requirements if one.untabled}


def edited(function: Any, old: str, new: str) -> Any:
    """Return the code of a function with a text in its source replaced."""
    source = textwrap.dedent(inspect.getsource(function)).removeprefix("@property\n")
    assert source.count(old) == 1, f"{function.__qualname__} has {old!r} {source.count(old)} times"
    scope: dict[str, Any] = {}
    code = compile("from __future__ import annotations\n" + source.replace(old, new), function.__qualname__, "exec")
    exec(code, function.__globals__, scope)
    return scope[function.__name__].__code__


def cases(node: str, factory: pytest.TempPathFactory) -> list[Callable[[], Any]]:
    """Return a cited test as calls without arguments, one for each of its parameters, each in a folder of its own."""
    path, name = node.split("::")
    test = getattr(importlib.import_module(path.removesuffix(".py").replace("/", ".")), name)
    given: list[dict[str, Any]] = [{}]
    for mark in getattr(test, "pytestmark", ()):
        if mark.name == "parametrize":
            names = [one.strip() for one in mark.args[0].split(",")] if isinstance(mark.args[0], str) else mark.args[0]
            values = [one if len(names) > 1 else (one,) for one in mark.args[1]]
            given = [{**dict(zip(names, one, strict=True)), **other} for one in values for other in given]
    return [partial(_called, test, one, factory) for one in given]


def _called(test: Callable[..., Any], given: dict[str, Any], factory: pytest.TempPathFactory) -> None:
    known: dict[str, Any] = {
        "tmp_path": factory.mktemp("case"),
        "tmp_path_factory": factory,
        "monkeypatch": pytest.MonkeyPatch(),
        **given,
    }
    module = importlib.import_module(test.__module__)
    for name in inspect.signature(test).parameters:
        if name not in known:
            fixture = inspect.unwrap(getattr(module, name))
            known[name] = fixture(**{one: known[one] for one in inspect.signature(fixture).parameters})
    try:
        test(**{name: known[name] for name in inspect.signature(test).parameters})
    finally:
        known["monkeypatch"].undo()


def is_run(node: str, edit: Edit) -> bool:
    """Return whether a cited test is run for an edit."""
    return not edit.tests or node.partition("::")[2] in edit.tests


def fails(case: Callable[[], Any]) -> bool:
    """Return whether a test fails, or does not come to its end."""
    try:
        case()
    except (Exception, BaseExceptionGroup, pytest.fail.Exception):
        return True
    return False


@pytest.mark.parametrize("edit", EDITS, ids=lambda one: f"{one.demands[0]} {one.function.split('.')[-1]} {one.new}")
def test_an_edit_that_breaks_a_demand_is_noticed(
    edit: Edit, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """With the edit some test that the demand cites fails, which holds without it."""
    place, name = edit.function.split(":")
    module = importlib.import_module(place if place.startswith("fencepost") else f"fencepost.reference.kraft.{place}")
    function: Any = module
    for part in name.split("."):
        function = getattr(function, part)
    asked = {
        demand: [
            case for node in UNTABLED[demand].tests if is_run(node, edit) for case in cases(node, tmp_path_factory)
        ]
        for demand in edit.demands
    }
    assert [demand for demand, tests in asked.items() if not tests or any(map(fails, tests))] == []
    # Other modules that imported the function have the edit too.
    monkeypatch.setattr(function, "__code__", edited(function, edit.old, edit.new))
    assert [demand for demand, tests in asked.items() if not any(map(fails, tests))] == []


def test_every_demand_that_no_row_is_about_has_an_edit() -> None:
    """Of each demand there is an edit of the reference that breaks it, and edits are of such demands alone."""
    assert {demand for edit in EDITS for demand in edit.demands} == UNTABLED.keys()
