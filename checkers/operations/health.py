"""The health of a cluster at a moment of its metadata log: one document, of which the page is made too.

Only the log is asked: what a broker's own metrics would show (lag, disks, heartbeats) is not in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.model.kraft.levels import METADATA_VERSION_LEVELS, NAMES_OF_LEVELS
from fencepost.traces import LogSource
from fencepost.traces.forks import filled
from fencepost.traces.in_words import MIGRATION_STATES

from .moments import Moment, When, iso
from .replaying import Replaying, time_of
from .watching import CONDITIONS, BrokerLife, Cells, Id, Watch, failed_directory

UNHEALTHY = ("offline", "under_min_isr")
"""The conditions by which a cluster is unhealthy: partitions that do not serve, or take no record with acks=all."""

FLAPS = 3
"""So many fences, or registrations, of one broker within the window are flapping."""

WINDOW = 3600.0
"""The window in seconds in front of the moment, unless another is given."""


LEVEL_38, LEVEL_43 = METADATA_VERSION_LEVELS["3.8-IV0"], METADATA_VERSION_LEVELS["4.3-IV0"]
"""The first levels of metadata.version of the releases that changed when a reassignment is complete."""


@dataclass(frozen=True)
class Health:
    """The result of `health`; `document` are the command's own JSON fields, of which every text is made."""

    status: str
    document: Mapping[str, Any]

    @property
    def is_unhealthy(self) -> bool:
        """Whether some partition does not serve, or takes no record with acks=all."""
        return self.status == "unhealthy"


def health(source: LogSource, asked: When, static: StaticSettings | None = None, window: float = WINDOW) -> Health:
    """Replay a log up to a moment, and return what an operator wants to know of it.

    Raises `Refusal` where the log has no such moment, or its state there is not known, `TraceError` where it cannot be
    read.
    """
    settings = static or StaticSettings()
    watch = Watch(settings.min_insync)
    replaying = Replaying(source, asked, settings)
    replaying.run(watch)
    assert replaying.last is not None
    return _Report(replaying, watch, window).health()


class _Report:
    def __init__(self, replaying: Replaying, watch: Watch, window: float) -> None:
        self.replaying, self.watch, self.window = replaying, watch, window
        self.cells = Cells(replaying.state)
        assert replaying.last is not None
        self.last = replaying.last
        asked = replaying.asked.time
        self.now = self.last.time if asked is None else max(asked, self.last.time or asked)
        self.active = {b for b in self._registered() if not self._is(b, "fenced", "in_controlled_shutdown")}

    def health(self) -> Health:
        """Return the whole report."""
        partitions = {name: self._partitions(name) for name in CONDITIONS}
        brokers = self._brokers()
        unclean = self._unclean()
        is_unhealthy = any(partitions[name] for name in UNHEALTHY)
        # A partition whose replicas are all in sync may be at its minimum as it was made to be.
        troubles = [*partitions["under_replicated"], *partitions["leader_recovering"], *partitions["reassigning"]]
        troubles += partitions["led_in_failed_directory"]
        # The preferred replica could lead: neither the periodic balance nor a request has made it the leader.
        troubles += [one for one in partitions["not_preferred"] if set(one["replicas"][:1]) & set(one["isr"])]
        quorum = self.replaying.voters.as_json(self.replaying.software.registered)
        # A quorum of two needs both; one that was formatted with a single voter is alone on purpose.
        is_at_risk = len(self.replaying.voters.ids) == 2 or bool(quorum["never_registered"])
        fork = self._fork()
        is_noted = bool(
            fork["conditions"]
            or troubles
            or unclean
            or any(brokers.values())
            or self.replaying.software.is_migrating
            or is_at_risk
        )
        status = "unhealthy" if is_unhealthy else "attention" if is_noted else "healthy"
        document = {
            "path": self.replaying.source.path,
            "status": status,
            "at": {
                "asked": self.replaying.asked.text,
                "offset": self.last.offset,
                "time": iso(self.last.time),
                "timestamp": self.last.time,
                "now": iso(self.now),
            },
            "known_from": None if self.replaying.first is None else self.replaying.first.as_json(self.now),
            "controller": self._controller(),
            "quorum": quorum,
            "metadata_version": self._metadata_version(),
            "migration": self._migration(),
            "window_seconds": self.window,
            "counts": self._counts(partitions, brokers, unclean),
            "partitions": partitions,
            "unclean_elections": unclean,
            "brokers": brokers,
            "leaders": self._leaders(),
            "upgrade": self._upgrade(),
            "fork": fork if fork["name"] else None,
            "notes": list(self.replaying.notes),
        }
        return Health(status, document)

    def _fork(self) -> dict[str, Any]:
        """Return what the declaration of a fork notes of the state that its own records leave, each since when."""
        own = self.replaying.own
        if own is None:
            return {"name": None, "conditions": []}
        found = []
        for condition, path, entry in own.conditions():
            offset, timestamp = entry.since[condition.field]
            partition = "" if entry.partition is None else self.watch.called(entry.partition)
            said = {"path": path, "field": condition.field, "value": entry.value[condition.field]}
            since = Moment(offset, time_of(timestamp)).as_json(self.now)
            words = filled(condition.say, {**said, "partition": partition})
            found.append({**said, "partition": partition or None, "words": words, "since": since})
        found += self._takeovers()
        return {"name": own.fork.name, "conditions": found}

    def _takeovers(self) -> list[dict[str, Any]]:
        """Return what takes over no end of a failed node's log, and streams that are open elsewhere than they serve."""
        takeovers = self.replaying.takeovers
        if takeovers is None:
            return []

        def noted(path: str, value: Any, partition: str | None, words: str, since: Moment | None) -> dict[str, Any]:
            said = {"path": path, "field": "", "value": value, "partition": partition, "words": words}
            return {**said, "since": self._since(since)}

        found = []
        for one in takeovers.running:
            words = f"the takeover of the log of the failed node {one.failed} by node {one.by} has no end: {one.words}"
            found.append(noted("keys/__a.failover", one.as_json(self.now), None, words, one.began))
        for broker, life in sorted(self.watch.brokers.items()):
            streams = takeovers.open_at(broker)
            if life.fenced_since is not None and streams and takeovers.of(broker) is None:
                named = f"stream{'' if len(streams) == 1 else 's'} {', '.join(map(str, streams))}"
                words = f"{named} open at node {broker}, which is fenced: their last records may be in its log alone"
                found.append(noted("streams", streams, None, words, life.fenced_since))
        ids = [one for some in self.watch.partitions.values() for one in some]
        leaders = {one: self.cells("leader", one) for one in ids}
        for partition, node, streams in takeovers.away(leaders):
            name = self.watch.called(partition)
            words = f"{name} is led by node {leaders[partition]}, its streams are open at node {node}: an open move"
            found.append(noted("streams", streams, name, words, None))
        return found

    def _migration(self) -> dict[str, Any] | None:
        """Return the state of the migration from ZooKeeper, None where the cluster does not come from there."""
        software = self.replaying.software
        state = software.migration
        if state is None or not state.data.get("zkMigrationState"):
            return None
        number = state.data["zkMigrationState"]
        # Offsets of a snapshot's records are its own.
        is_of_log = self.replaying.first is not None and state.offset >= self.replaying.first.offset
        return {
            "state": MIGRATION_STATES.get(number, str(number)),
            "since": Moment(state.offset, time_of(state.timestamp)).as_json(self.now) if is_of_log else None,
            "registered": sorted(software.brokers),
            "in_zookeeper_mode": sorted(software.in_zookeeper_mode),
            "fenced": sorted(one for one in software.brokers if self._is(one, "fenced")),
        }

    def _leaders(self) -> list[dict[str, Any]]:
        """Return for each broker how many partitions it leads, how many prefer it as leader, how many it replicates."""
        leads, prefers, hosts = Counter[int](), Counter[int](), Counter[int]()
        for partitions in self.watch.partitions.values():
            for one in partitions:
                leader, replicas = self.cells("leader", one), self.cells("replicas", one)
                if isinstance(leader, int):
                    leads[leader] += 1
                if replicas is not UNKNOWN:
                    prefers.update(replicas[:1])
                    hosts.update(replicas)
        brokers = sorted({*self._registered(), *hosts})
        return [{"broker": b, "leads": leads[b], "preferred": prefers[b], "replicas": hosts[b]} for b in brokers]

    def _upgrade(self) -> dict[str, Any]:
        """Return to which metadata.version the cluster may be raised, and which nodes support no more than that."""
        highest = self.replaying.software.highest
        lowest, newest = min(highest.values(), default=None), max(highest.values(), default=None)
        level = self.cells("metadata_version")
        return {
            "may_be_raised_to": None if lowest is None or level == lowest else NAMES_OF_LEVELS.get(lowest, str(lowest)),
            "held_back_by": [node for node, one in highest.items() if one == lowest and lowest != newest],
            "others_support": None if lowest == newest or newest is None else NAMES_OF_LEVELS.get(newest, str(newest)),
        }

    def _registered(self) -> list[int]:
        return sorted(self.cells.keys("registered"))

    def _is(self, broker: int, *names: str) -> bool:
        return any(self.cells(name, broker) is True for name in names)

    def _since(self, at: Moment | None) -> dict[str, Any] | None:
        return None if at is None else at.as_json(self.now)

    def _controller(self) -> dict[str, Any] | None:
        if not self.watch.leaders:
            return None
        node, epoch, at = self.watch.leaders[-1]
        recent = sum(self._is_recent(one) for _, _, one in self.watch.leaders)
        return {"id": node, "epoch": epoch, "since": self._since(at), "changes_in_window": recent}

    def _metadata_version(self) -> str | None:
        level = self.cells("metadata_version")
        return NAMES_OF_LEVELS.get(level) if isinstance(level, int) else None

    def _counts(
        self, partitions: Mapping[str, Sequence[Any]], brokers: Mapping[str, Sequence[Any]], unclean: Sequence[Any]
    ) -> dict[str, int]:
        return {
            "brokers": len(self._registered()),
            "active_brokers": len(self.active),
            "topics": len(self.cells.keys("live")),
            "partitions": sum(len(found) for found in self.watch.partitions.values()),
            **{name: len(found) for name, found in partitions.items()},
            "leaderless_with_active_replicas": sum(bool(one["active_replicas"]) for one in partitions["offline"]),
            "unclean_elections": len(unclean),
            **{f"{name}_brokers": len(found) for name, found in brokers.items()},
        }

    # -- partitions ------------------------------------------------------------------------------------------------
    def _partitions(self, condition: str) -> list[dict[str, Any]]:
        found = [(one, at) for (name, one), at in self.watch.since.items() if name == condition]
        return [
            self._partition(one, at, condition)
            for one, at in sorted(found, key=lambda each: (self.watch.names.get(each[0][0], ""), each[0][1]))
        ]

    def _partition(self, partition: Id, since: Moment, condition: str) -> dict[str, Any]:
        told = {name: _plain(self.cells(name, partition)) for name in ("replicas", "isr", "elr", "leader")}
        known = [one for one in told["replicas"] if isinstance(one, int)]
        moved = self.watch.progress.get(partition) if condition == "reassigning" else None
        return {
            "partition": self.watch.called(partition),
            "topic": self.watch.names.get(partition[0]),
            "topic_id": partition[0],
            "number": partition[1],
            "since": self._since(since),
            **told,
            "min_isr": self.watch.min_isr(self.cells, partition),
            "last_known_elr": _plain(self.cells("last_known", partition)),
            "adding": _plain(self.cells("adding", partition)),
            "removing": _plain(self.cells("removing", partition)),
            "active_replicas": [one for one in known if one in self.active],
            "progress": self._since(moved),
            "waits_for": self._waits(partition, told, condition),
            "needs_unclean": self._needs_unclean(partition),
            "failed_directory": failed_directory(self.cells, partition),
        }

    def _waits(self, partition: Id, told: Mapping[str, Any], condition: str) -> list[int]:
        """The brokers of which the condition waits: for each of them, or where it is offline for any one of them."""
        if condition == "offline":
            return sorted({*told["isr"], *told["elr"]}) or _plain(self.cells("last_known", partition)) or []
        if condition == "reassigning":
            added, removed = (_plain(self.cells(name, partition)) or [] for name in ("adding", "removing"))
            target = [one for one in told["replicas"] if one not in removed]
            # 3.8 to 4.2 wait for every replica of the target (KAFKA-15665), later ones where it shrinks (KAFKA-19975).
            highest = max(self.replaying.software.highest.values(), default=None)
            is_each = (highest is not None and LEVEL_38 <= highest < LEVEL_43) or len(added) < len(removed)
            if highest is not None and highest < LEVEL_38:
                is_each = False
            late = [one for one in (target if is_each else added) if one not in told["isr"]]
            # Without any of the target in the ISR nothing would be left of it.
            return late or ([] if set(target) & set(told["isr"]) else target)
        if condition == "under_replicated":
            adding = _plain(self.cells("adding", partition)) or []
            return [one for one in told["replicas"] if one not in told["isr"] and one not in adding]
        return []

    def _needs_unclean(self, partition: Id) -> dict[str, Any] | None:
        """Return since which record only an unclean election gives the partition a leader, None where another does."""
        found = self.watch.forgotten.get(partition)
        if found is None:
            return None
        return {
            "since": self._since(found.at),
            "by": found.record,
            "elr_before": list(found.elr),
            "last_known_before": list(found.last_known),
        }

    def _unclean(self) -> list[dict[str, Any]]:
        return [
            {
                "partition": one.name,
                "topic_id": one.partition[0],
                "at": one.at.as_json(self.now),
                "leader": one.leader,
                "isr_before": list(one.isr),
                "elr_before": list(one.elr),
                "recovering": ("leader_recovering", one.partition) in self.watch.since,
            }
            for one in self.watch.unclean
        ]

    # -- brokers ---------------------------------------------------------------------------------------------------
    def _brokers(self) -> dict[str, list[dict[str, Any]]]:
        lives = sorted(self.watch.brokers.items())
        there = set(self._registered())
        return {
            "fenced": [
                {"broker": broker, "since": self._since(life.fenced_since), "epoch": _plain(self._epoch(broker))}
                for broker, life in lives
                if life.fenced_since is not None
            ],
            "in_controlled_shutdown": [
                {"broker": broker, "since": self._since(life.shutdown_since)}
                for broker, life in lives
                if life.shutdown_since is not None
            ],
            "never_unfenced": [
                {
                    "broker": broker,
                    "registered": self._since(one.at),
                    "epoch": one.epoch,
                    "ended": self._since(one.ended),
                }
                for broker, life in lives
                for one in life.registrations
                if one.unfenced is None and (one.ended is not None or broker in there)
            ],
            "gone": self._gone(lives, there),
            "cordoned": [
                {
                    "broker": broker,
                    "since": self._since(life.cordoned_since),
                    "directories": _plain(self.cells("cordoned", broker)) or [],
                    "all": set(_plain(self.cells("directories", broker)) or [])
                    <= set(_plain(self.cells("cordoned", broker)) or []),
                }
                for broker, life in lives
                if life.cordoned_since is not None
            ],
            "lost_directories": [
                {"broker": broker, "directory": one, "since": self._since(at)}
                for broker, life in lives
                if broker in there
                for one, at in life.lost.items()
            ],
            "flapping": [found for broker, life in lives if (found := self._flapping(broker, life)) is not None],
        }

    def _gone(self, lives: Sequence[tuple[int, BrokerLife]], there: set[int]) -> list[dict[str, Any]]:
        """Return brokers that are not registered and hold replicas: these are never in sync again."""
        hosts = Counter[int]()
        for partitions in self.watch.partitions.values():
            for one in partitions:
                replicas = self.cells("replicas", one)
                hosts.update(() if replicas is UNKNOWN else [each for each in replicas if each not in there])
        known = dict(lives)
        return [
            {
                "broker": broker,
                "unregistered": self._since(known[broker].unregistered) if broker in known else None,
                "partitions": count,
            }
            for broker, count in sorted(hosts.items())
        ]

    def _epoch(self, broker: int) -> Any:
        return self.cells("epoch", broker)

    def _flapping(self, broker: int, life: BrokerLife) -> dict[str, Any] | None:
        counts = {
            "registrations": sum(self._is_recent(one.at) for one in life.registrations),
            "fences": sum(map(self._is_recent, life.fences)),
            "unfences": sum(map(self._is_recent, life.unfences)),
        }
        if max(counts["registrations"], counts["fences"]) < FLAPS:
            return None
        return {"broker": broker, **counts}

    def _is_recent(self, at: Moment) -> bool:
        if at.time is None or self.now is None:
            return False
        return at.time > self.now - self.window * 1000


def _plain(value: Any) -> Any:
    if value is UNKNOWN:
        return None
    if isinstance(value, frozenset):
        return sorted(value)
    return list(value) if isinstance(value, tuple) else value
