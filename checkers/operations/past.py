"""A log replayed up to a moment, with the tables that replay and explain it; and why an entity is as it is there."""

from __future__ import annotations

import functools
from typing import Any

from fencepost.checkers.conformance import PASSED_THROUGH, Monitor, Options
from fencepost.checkers.conformance.explain.entities import BROKER, PARTITION, Concerning, Entities
from fencepost.checkers.conformance.explain.history import Past, past
from fencepost.checkers.conformance.reading.units import Wants
from fencepost.checkers.conformance.records.forks import fork_in, tables_of
from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.verdicts import Refusal
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import LogSource, MetadataLog, read_log
from fencepost.traces.forks import Fork

from .moments import iso, last_record, when
from .why import why as chain_of
from .why_controller import why_controller


def read_past(
    log: MetadataLog,
    offset: int,
    wants: Wants | None = None,
    static: StaticSettings | None = None,
    fork: Fork | None = None,
    own: Fork | None = None,
) -> tuple[Past, str]:
    """Replay a log up to an offset; return it with the hash of the tables that replay and explain it.

    The rows that wrote each record are evaluated for the units of records that `wants` selects only: for all, that
    takes the greater part of the time. They are those of the fork `own`, where it names any.
    Raises `Refusal` for an offset that has no state.
    """
    reader = monitor(True, static, fork, own)
    return past(reader, log, offset, wants), reader.protocol.hash


def monitor(
    replay_only: bool = False, static: StaticSettings | None = None, fork: Fork | None = None, own: Fork | None = None
) -> Monitor:
    """Return the monitor of the tables, made once in a process: that takes longer than reading a small log.

    `static` are the controllers' static settings, None where none are given. The tables are those of the fork `own`,
    where it names any.
    """
    return _monitor(replay_only, None if static is None else (static.unclean, static.min_insync), fork, own)


@functools.cache
def _monitor(replay_only: bool, static: tuple[bool, int | None] | None, fork: Fork | None, own: Fork | None) -> Monitor:
    tables = tables_of(own) or KRAFT
    if static is None:
        return Monitor(tables, Options(PASSED_THROUGH, replay_only=replay_only, fork=fork))
    settings = StaticSettings(*static)
    options = Options(PASSED_THROUGH, settings.given, replay_only=replay_only, fork=fork)
    return Monitor(settings.on(tables), options)


def why(
    source: LogSource, what: str, name: str, at: str, static: StaticSettings | None = None, fork: Fork | None = None
) -> tuple[dict[str, Any], str]:
    """Return why a broker, a partition or a controller is as it is at a moment of a log, as a JSON document, and the
    hash of the tables.

    Raises `Refusal` for a name that is none, and for a moment that the log does not have; `TraceError` where the log
    cannot be read.
    """
    if what not in ("broker", "partition", "controller"):
        raise Refusal(f"{what}: is nothing that a log has; ask of a broker, a partition or a controller")
    if what != "partition" and not (name.isascii() and name.isdecimal()):
        raise Refusal(f"{what} {name}: give a {what}'s id, a number")
    if what == "partition" and not (name.rpartition("-")[0] and name.rpartition("-")[2].isdecimal()):
        raise Refusal(f"partition {name}: give a topic's name and a partition's number, as in orders-0")
    asked, read = when(at, source), read_log(source)
    offset, time = last_record(read.batches, read.path, asked)
    wants = Concerning(int(name)) if what == "broker" else Concerning(None, name, with_brokers=True)
    own = fork_in(read, fork)
    found, table_hash = read_past(read, offset, wants if what != "controller" else None, static, fork, own)
    if what == "controller":
        chain = why_controller(found.log, offset, found.snapshot, int(name))
    else:
        entities = Entities(found)
        sort = BROKER if what == "broker" else PARTITION
        entity = entities.broker(int(name)) if what == "broker" else entities.partition(name)
        reader = monitor(True, static, fork, own)
        chain, missing = chain_of(reader, found, entities, sort, entity, own)
        while missing:
            # A broker of the chain was no replica of the partition when its records were written.
            wants.offsets |= missing
            found, table_hash = read_past(read, offset, wants, static, fork, own)
            chain, missing = chain_of(reader, found, entities, sort, entity, own)
    document = {
        "path": found.log.path,
        "at": {"asked": asked.text, "offset": offset, "timestamp": time, "time": iso(time)},
        **chain,
        "notes": list(found.notes),
    }
    return document, table_hash
