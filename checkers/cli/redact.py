"""`fencepost redact`: a metadata log without names, hosts and secrets of its owner, to be sent with a bug report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fencepost.checkers.verdicts import ExitCode, Refusal

from .log_filters import ForkOption, fork_given
from .outcome import Json, Outcome
from .terminal import watching


def redact(
    log: Annotated[str, typer.Argument(help="A metadata log: a directory, segments or snapshots; no dump's text.")],
    to: Annotated[
        Path, typer.Option("--to", metavar="DIRECTORY", help="Where it is written; must be empty, or not be there.")
    ],
    fork: ForkOption = None,
    json: Json = False,
) -> Outcome:
    """Write a metadata log with other names: topics, hosts, racks, users, clients, secrets, values of settings.

    Each name becomes one other name everywhere, at the same offsets, so that `conform` says the same of both logs.
    """
    from fencepost.checkers.conformance.forks import fork_in
    from fencepost.reference.kraft.controller import config_schema
    from fencepost.traces import find_log, read_log, write_log
    from fencepost.traces.redaction import Redaction

    if to.exists() and (not to.is_dir() or any(to.iterdir())):
        raise Refusal(f"{to} is there already, and nothing is overwritten: give a directory that is empty or not there")
    keys = config_schema.TOPIC_KEYS.keys() | config_schema.BROKER_LISTS.keys() | OTHER_SETTINGS
    declared = fork_given(fork)
    with watching(f"reading {log}"):
        read = read_log(find_log(log))
        own = fork_in(read, declared)
        redaction = Redaction(keys.union(*config_schema.OTHER_KEYS.values()), own)
        found = redaction.log(read)
    with watching(f"writing {to}"):
        try:
            paths = write_log(found, to)
        except OSError as error:
            raise Refusal(f"{to}: cannot be written ({error.strerror}): choose another place") from None
    document = {
        "path": log,
        "to": str(to),
        "files": [path.name for path in paths],
        "records": sum(len(batch.records) for batch in found.batches),
        "fork": own.name if own is not None and own.name else None,
        "replaced": redaction.counts,
        "kept": list(KEPT),
    }
    told = ", ".join(f"{count} {kind}" for kind, count in redaction.counts.items())
    page = [
        f"{log}: {document['records']:,} records written to {to} in {len(paths)} files",
        f"  replaced, each by one other name: {told or 'nothing'}",
        f"  kept: {', '.join(KEPT)}",
        *([f"  made blank: strings and bytes of the records of {own.name}"] if own is not None and own.name else []),
        "",
        "That both say the same:",
        f"  fencepost conform {log} {to}",
    ]
    return Outcome("redact", "written", ExitCode.AS_DECLARED, document, page)


OTHER_SETTINGS = frozenset(
    {
        "min.insync.replicas",
        "unclean.leader.election.enable",
        "cordoned.log.dirs",
        "leader.replication.throttled.rate",
        "follower.replication.throttled.rate",
        "replica.alter.log.dirs.io.max.bytes.per.second",
        "num.io.threads",
        "num.network.threads",
        "num.replica.fetchers",
        "log.retention.ms",
        "log.retention.bytes",
        "log.segment.bytes",
        "message.max.bytes",
        "max.connections",
        "advertised.listeners",
        "listeners",
    }
)
"""Names of Kafka's settings that are kept beside those that the controller asks about."""

KEPT = (
    "numbers",
    "times",
    "node ids",
    "ports",
    "ids that Kafka drew (topics, directories, incarnations, ACLs)",
    "names that Kafka gives",
)
"""What stays as it is."""
