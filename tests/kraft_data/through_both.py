"""A run through both: rows of `kraft` that break what `kraft-data` takes for granted, and what then becomes of records.

`Run` takes rows of `kraft` one by one and notes what they make of one partition. `scripted` is `kraft-data` with just
these decisions in place of its controller: its leaders, followers and crashes are free, so that exploring it shows
whether a record can be lost under this very controller, or in no run of the bound.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from fencepost.checkers.exploration import explore
from fencepost.checkers.verdicts import Verdict
from fencepost.model.findings import Finding
from fencepost.model.findings.finding import entity
from fencepost.model.kraft import state as kraft
from fencepost.model.kraft_data import state as data
from fencepost.model.kraft_data.slices import CLAIMS, bound
from fencepost.model.language.interpreter import World, run, satisfying
from fencepost.model.language.state import Map
from fencepost.model.language.vocabulary import *

BEGINNING = ("RegisterBroker", "Heartbeat", "CreateTopic")


@dataclass(frozen=True)
class Decided:
    """What a controller has decided about a partition, and the minimum by which its leader acknowledges.

    `marked` says that the leader was elected uncleanly. `gone` are brokers that are no replicas any more, and have
    deleted their log.
    """

    leader: int | None
    epoch: int
    isr: frozenset[int]
    elr: frozenset[int]
    marked: bool
    minimum: int
    gone: frozenset[int] = frozenset()


class Run:
    """A run of the tables of a finding: it begins with two brokers that are in every ISR, and goes on row by row.

    `given` is what its rows may be from there on, in place of what the finding's bound says of these events.
    """

    def __init__(self, finding: Finding, protocol: Protocol, given: Mapping[str, Term[bool]], partition: int) -> None:
        self.protocol, self.partition = protocol, partition
        where = finding.faithful().bounds["smallest"]
        self.given: dict[str, Term[bool]] = {**where.given, **given}
        self.world = World.of(where.sizes, protocol.kinds)
        others = {one.name: FALSE for one in protocol.events if one.name not in BEGINNING}
        everyone = exists(kraft.p, forall(kraft.x, kraft.x.in_(members(kraft.isr[kraft.p]))))
        begun = replace(
            protocol,
            properties=(always("begun", ~everyone, "No broker has begun.", "KIP-966", AT_RESULT_BOUNDARIES),),
            bounds={"begin": replace(where, given={**where.given, **others})},
        )
        found = explore(begun, "begin", max_depth=8, stop_at_first=True, deadlock=False, engine="numpy")
        trace = found.property("begun").trace
        assert trace is not None
        self.state, self.taken = trace.end, [one.row.id for one in trace.steps]

    def take(self, row: str, given: Term[bool] = TRUE) -> Run:
        """Take a row, with the first values of its parameters that its guard and `given` allow."""
        one = self.protocol.row(row)
        guard = self.protocol.guard(one) & self.given.get(one.event.name, TRUE) & given
        binding = next(satisfying(guard, one.params, self.state, self.world), None)
        assert binding is not None, f"{row} does not apply after {', '.join(self.taken)}"
        self.state = run(one, binding, self.state, self.world).after
        self.taken.append(row)
        return self

    def decided(self, configured: int) -> Decided:
        """The decided partition; the leader goes by the configured minimum, or by the number of its replicas."""

        def of(cell: Map[Any, Any]) -> Any:
            return self.state.read(cell.state, (self.partition,))

        replicas, leader, epoch = of(kraft.replicas), of(kraft.leader), of(kraft.leader_epoch)
        return Decided(
            leader,
            epoch + 1,
            frozenset(of(kraft.isr)),
            frozenset(of(kraft.elr)),
            of(kraft.recovery) is not kraft.Recovery.RECOVERED,
            min(configured, len(replicas)),
            frozenset(self.world.entities["Broker"]) - frozenset(replicas),
        )


_decide = event("Decide", environment=True, source="KIP-966", code="ReplicationControlManager")


def _brokers(ids: frozenset[int]) -> Term[frozenset[data.Broker]]:
    """Return a set of brokers as a term."""
    found: Term[frozenset[data.Broker]] = data.NOBODY
    for one in sorted(ids):
        found = found | just(entity(one, data.BROKER))
    return found


def _row(number: int, before: Decided | None, now: Decided, lost: frozenset[int]) -> Row:
    """A decision: a change under the next partition epoch, or another minimum where nothing else changes."""
    here, c = data.partition_epoch, number + 1
    new = here + 1
    same = before is not None and replace(before, minimum=now.minimum) == now
    when = data.config.is_(number) & (here > 0) if before is not None else here.is_(0)
    effects: list[Any] = [data.config.becomes(c)]
    if same:
        effects.append(data.last_config[here].becomes(c))
    else:
        unclean = now.epoch if now.marked else data.unclean_at[data.epoch]
        effects += [
            here.becomes(new),
            data.leader_at[new].becomes(data.NO_ONE if now.leader is None else some(entity(now.leader, data.BROKER))),
            data.epoch_at[new].becomes(now.epoch),
            data.isr_at[new].becomes(_brokers(now.isr)),
            data.elr_at[new].becomes(_brokers(now.elr)),
            data.first_config[new].becomes(c),
            data.last_config[new].becomes(c),
            data.unclean_at[entity(now.epoch, data.EPOCH)].becomes(unclean),
        ]
    for one in sorted(lost | (now.gone - (before.gone if before is not None else frozenset()))):
        broker = entity(one, data.BROKER)
        effects += [
            data.log_end[broker].becomes(0),
            every(data.o, TRUE, data.log[broker, data.o].becomes(0)),
            data.truncated[broker].becomes(FALSE),
        ]
    return _decide(f"S{number}", when, *effects)


def scripted(decisions: list[Decided], lost: Mapping[int, int] | None = None) -> tuple[Protocol, Bound]:
    """Return `kraft-data` under a controller that decides just this, in this order, and the bound to explore it at.

    `lost` says which broker loses its whole log with the decision of a number, counted from 0, unclean stop included.
    """
    kept = tuple(one for one in CLAIMS.inputs if one.id in ("DA2", "DA4", "DA5"))
    edited = replace(CLAIMS, inputs=kept, properties=(CLAIMS.property("AcknowledgedIsKept"),), bounds={})
    [table] = [one for one in CLAIMS.tables if one.name == "controller"]
    why = "the controller decides as in a run of kraft"
    befores: list[Decided | None] = [None, *decisions[:-1]]
    for number, (before, now) in enumerate(zip(befores, decisions, strict=True)):
        gone = frozenset({lost[number]} if lost and number in lost else ())
        edited = edited.plus(_row(number, before, now, gone), why=why, table="controller")
    for row in table.rows:
        edited = edited.without(row.id, why=why)
    minima = TRUE
    for number, now in enumerate(decisions, 1):
        minima = minima & data.min_isr_in[entity(number, data.CONFIG)].is_(Threshold(now.minimum))
    brokers = 1 + max(max(one.isr | one.elr, default=0) for one in decisions)
    epochs = max(one.epoch for one in decisions)
    where = bound(brokers, 1, epochs, len(decisions), 1, 2, configurations=len(decisions), given={})
    return edited, replace(where, start=minima)


def is_lost(decisions: list[Decided], lost: Mapping[int, int] | None = None) -> tuple[Verdict, list[str]]:
    """Return whether an acknowledged record is lost under these decisions, and the rows of a shortest run to it."""
    protocol, where = scripted(decisions, lost)
    found = explore(protocol, where, deadlock=False).property("AcknowledgedIsKept")
    return found.verdict, [one.row.id for one in found.trace.steps] if found.trace is not None else []


__all__ = ["Decided", "Run", "is_lost", "scripted"]
