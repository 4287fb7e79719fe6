"""Adapter for blocks of producer ids: allocations to brokers, and block records that a replay refuses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fencepost.checkers.conformance.requests.adapting import at
from fencepost.model.kraft import state as k
from fencepost.model.kraft.cluster_records import PRODUCER_IDS as BLOCK
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import Valuation, World
from fencepost.model.language.interpreter import CellKey
from fencepost.model.language.terms import Lit

from .judge import Answered, Kind, Question, Replay, asked
from .shared import CONTROLLER, TRUTH, cell, records, same

_REGISTERED = 1
_REFUSED = "RuntimeException"
"""The names of Kafka's refusals of a record that it replays."""


def _ask(line: Mapping[str, Any]) -> Question | Replay:
    if line["op"] == "allocate":
        return _allocate(line)
    if line["op"] == "replay2":
        writes = tuple(
            BLOCK(Lit(_REGISTERED, k.BROKER), epoch=Lit(0, k.OFFSET), next=Lit(int(line[name]), k.PRODUCER_ID))
            for name in ("first", "second")
        )
        return Replay(writes, {}, World({}, {}))
    raise ValueError(f"op is allocate or replay2, not {line['op']}")


def _allocate(line: Mapping[str, Any]) -> Question:
    cells: dict[CellKey, Any] = CONTROLLER | {
        at(k.registered, _REGISTERED): True,
        at(k.fenced, _REGISTERED): line["brokerFenced"],
        at(k.epoch, _REGISTERED): line["storedEpoch"],
    }
    # Where the record of the stored id was itself refused, none is stored.
    if line["next"] is not None and line.get("setup", "ok") == "ok":
        cells |= {cell(k.next_producer_id): int(line["next"]), cell(k.producer_ids_begun): True}
    return asked("AllocateProducerIds", {"b": line["broker"], "broker_epoch": line["epoch"]}, cells)


def _tell(line: Mapping[str, Any], found: Answered) -> Mapping[str, Any]:
    error = found.part.error
    if error != "NONE":
        return {"error": error}
    reply = found.replies()
    return {
        "error": error,
        "first": str(reply["first"]),
        "size": reply["size"],
        "atomic": reply["atomic"],
        "recs": records(found),
    }


def _tell_replay(line: Mapping[str, Any], refused: tuple[str, ...], after: Valuation) -> Mapping[str, Any]:
    first, second = (_REFUSED if by else "ok" for by in refused)
    return {"first": first, "second": second, "nextBlockFirst": str(after.read(*cell(k.next_producer_id)))}


PRODUCER_IDS = Kind(
    "producer-ids",
    KRAFT,
    _ask,
    _tell,
    same=same,
    tell_replay=_tell_replay,
    columns=frozenset(
        ["op", "next", "setup", "broker", "storedEpoch", "epoch", "epochIs", "brokerFenced", "first", "second"]
    ),
    words={"op": ("allocate", "replay2"), "brokerFenced": TRUTH},
)
