"""The settings of a simulated cluster by Kafka's names, with Kafka's defaults."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import Field, dataclass, field
from typing import Any

INT, LONG = 2**31 - 1, 2**63 - 1
"""The greatest values of Kafka's two kinds of whole numbers."""


def setting(name: str, default: Any, least: int = 0, most: int = INT) -> Any:
    """Declare a field whose name in Kafka is `name`; a number is from `least` to `most`.

    The bounds are Kafka's, but that what is waited for again and again takes 1 ms at least: Kafka would take it for a
    busy loop and go on, while a virtual clock would stand still.
    """
    return field(default=default, metadata={"kafka": name, "least": least, "most": most})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Settings of controllers and brokers; times in milliseconds.

    `repaired` names the defects that are repaired, `fork` whose rules there are beside Kafka's, if any.
    """

    broker_session_timeout_ms: int = setting("broker.session.timeout.ms", 9000, least=1)
    broker_heartbeat_interval_ms: int = setting("broker.heartbeat.interval.ms", 2000, least=1)
    initial_broker_registration_timeout_ms: int = setting("initial.broker.registration.timeout.ms", 60000)
    controller_quorum_election_timeout_ms: int = setting("controller.quorum.election.timeout.ms", 1000, least=1)
    controller_quorum_election_backoff_max_ms: int = setting("controller.quorum.election.backoff.max.ms", 1000)
    controller_quorum_fetch_timeout_ms: int = setting("controller.quorum.fetch.timeout.ms", 2000, least=1)
    controller_quorum_request_timeout_ms: int = setting("controller.quorum.request.timeout.ms", 2000, least=1)
    controller_quorum_retry_backoff_ms: int = setting("controller.quorum.retry.backoff.ms", 20)
    controller_quorum_append_linger_ms: int = setting("controller.quorum.append.linger.ms", 25)
    metadata_max_idle_interval_ms: int = setting("metadata.max.idle.interval.ms", 500)
    metadata_log_max_record_bytes_between_snapshots: int = setting(
        "metadata.log.max.record.bytes.between.snapshots", 20 * 1024 * 1024, least=1, most=LONG
    )
    metadata_log_max_snapshot_interval_ms: int = setting("metadata.log.max.snapshot.interval.ms", 3_600_000, most=LONG)
    metadata_max_retention_bytes: int = setting("metadata.max.retention.bytes", 100 * 1024 * 1024, most=LONG)
    metadata_log_segment_bytes: int = setting("metadata.log.segment.bytes", 1024 * 1024 * 1024)
    auto_leader_rebalance_enable: bool = setting("auto.leader.rebalance.enable", True)
    leader_imbalance_check_interval_seconds: int = setting(
        "leader.imbalance.check.interval.seconds", 300, least=1, most=LONG
    )
    unclean_leader_election_interval_ms: int = setting(
        "unclean.leader.election.interval.ms", 300_000, least=1, most=LONG
    )
    unclean_leader_election_enable: bool = setting("unclean.leader.election.enable", False)
    min_insync_replicas: int = setting("min.insync.replicas", 1, least=1)
    default_replication_factor: int = setting("default.replication.factor", 1, least=1, most=2**15 - 1)
    num_partitions: int = setting("num.partitions", 1, least=1)
    request_timeout_ms: int = setting("request.timeout.ms", 30_000)
    replica_lag_time_max_ms: int = setting("replica.lag.time.max.ms", 30_000, least=1, most=LONG)
    replica_fetch_wait_max_ms: int = setting("replica.fetch.wait.max.ms", 500)
    replica_fetch_backoff_ms: int = setting("replica.fetch.backoff.ms", 1000)
    log_dir_failure_timeout_ms: int = setting("log.dir.failure.timeout.ms", 30_000, least=1, most=LONG)
    max_records_per_batch: int = setting("internal.max.records.per.batch", 10_000, least=1)
    delegation_token_secret_key: str | None = setting("delegation.token.secret.key", None)
    delegation_token_max_lifetime_ms: int = setting("delegation.token.max.lifetime.ms", 604_800_000, least=1, most=LONG)
    delegation_token_expiry_time_ms: int = setting("delegation.token.expiry.time.ms", 86_400_000, least=1, most=LONG)
    delegation_token_expiry_check_interval_ms: int = setting(
        "delegation.token.expiry.check.interval.ms", 3_600_000, least=1, most=LONG
    )
    repaired: frozenset[str] = frozenset()
    fork: str = ""

    def with_kafka(self, values: Mapping[str, str]) -> Settings:
        """Return the settings with some changed, given as texts by Kafka's names.

        Raises ValueError, with a sentence to print, for a name that is none or a text that does not fit.

        >>> Settings().with_kafka({"broker.session.timeout.ms": "500"}).broker_session_timeout_ms
        500
        """
        names = {f.metadata["kafka"]: f for f in dataclasses.fields(self) if "kafka" in f.metadata}
        changed: dict[str, Any] = {}
        for name, text in values.items():
            if name not in names:
                raise ValueError(f"{name}: no setting of this cluster has that name; it has {', '.join(sorted(names))}")
            one = names[name]
            changed[one.name] = _parsed(name, text, one)
        return dataclasses.replace(self, **changed)

    def by_kafka_name(self) -> dict[str, Any]:
        """Return all settings that have a value by Kafka's names."""
        every = {f.metadata["kafka"]: getattr(self, f.name) for f in dataclasses.fields(self) if "kafka" in f.metadata}
        return {name: value for name, value in every.items() if value is not None}


def _parsed(name: str, text: str, one: Field[Any]) -> Any:
    if isinstance(one.default, bool):
        if text not in ("true", "false"):
            raise ValueError(f"{name}={text}: write true or false")
        return text == "true"
    if one.default is None:
        return text
    least, most = one.metadata["least"], one.metadata["most"]
    # Of a text much longer than that Python would refuse to make a number.
    if not (text.isascii() and text.isdigit() and len(text) <= 20 and least <= int(text) <= most):
        raise ValueError(f"{name}={text}: write a whole number from {least} to {most}")
    return int(text)
