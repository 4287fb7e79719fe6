"""Forks of Kafka as edits of the release that they were made from: the rules that their controllers have otherwise.

AutoMQ's are read in its public source (ReplicationControlManager of 1.7.3); no log of a running one was seen. Of what it has
otherwise the edits have what becomes of a broker's partitions where it is fenced; `unexpressed` names the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from fencepost.model.kraft import KRAFT
from fencepost.model.kraft.builder import NO_ONE
from fencepost.model.kraft.records import FENCE, PARTITION_CHANGE, REPLICAS
from fencepost.model.kraft.state import *
from fencepost.model.kraft.state import b as broker
from fencepost.model.language import (
    ANY,
    Protocol,
    Row,
    Term,
    each,
    every,
    exists,
    forall,
    head,
    let,
    maybe,
    only,
    per,
    present,
    when,
)
from fencepost.model.language.effects import Applied, Effect, procedure
from fencepost.model.language.properties import Assumption, Property
from fencepost.model.language.records import said
from fencepost.model.language.tables import Clue
from fencepost.model.language.terms import Get

from .edits import Tables
from .kraft import KAFKA_39
from .release import Difference, Release

moved_to = per(
    PARTITION,
    "moved_to",
    maybe(BROKER),
    ANY,
    what="fixed",
    about="the broker that gets a partition whose own is fenced, if any",
)
_gets_one = present(moved_to[p])
_another = exists(x, active_broker(x) & x.isnt(broker) & only(moved_to[p]).is_(only(x)))
_alone = ~exists(x, active_broker(x) & x.isnt(broker))
to_another = let(
    "to_another", forall(p, (exists_[p] & broker.in_(replicas[p])).implies(_gets_one & _another | ~_gets_one & _alone))
)
"""Partitions of a broker that is fenced go to another active one; where there is none they stay."""


@procedure(broker)
def hand_over(b: Term[Broker]) -> object:
    """Another active broker becomes the only replica and the ISR of the broker's partitions; none has a leader."""
    new = only(moved_to[p])
    return (
        every(
            p,
            exists_[p] & b.in_(replicas[p]),
            PARTITION_CHANGE(
                p,
                isr=said(new, if_=_gets_one & new.isnt(isr[p])),
                leader=said(NO_ONE, if_=present(leader[p])),
                replicas=said(new, if_=_gets_one & new.isnt(replicas[p])),
                directories=said(each(x, new, default_directory(x)), if_=_gets_one & (mv >= 17)),
            ),
        ),
        FENCE(b, epoch=epoch[b]),
    )


@dataclass(frozen=True)
class HandsOver:
    """Some rows that fence a broker hand its partitions over first; their events choose the brokers that get these."""

    ids: tuple[str, ...]

    @property
    def subject(self) -> str:
        """What is changed, as a sentence names it."""
        return f"one of the rows {', '.join(self.ids)}, which fence a broker"

    def apply(self, tables: Tables) -> Tables | None:
        """Return the tables with the other fence, None where no row of these fences."""
        target = moved_to[p]
        assert isinstance(target, Get)
        chosen = Clue(target, (when(REPLICAS.said, head(REPLICAS.over(replicas[p])), NO_ONE),))
        fencing = [
            row for table in tables for row in table.rows if row.id in self.ids and any(map(_fences, row.effects))
        ]
        events = {
            row.event: replace(row.event, given=row.event.given & to_another, clues=(*row.event.clues, chosen))
            for row in {row.event.name: row for row in fencing}.values()
        }

        def other(row: Row) -> Row:
            if row.event not in events:
                return row
            row = replace(row, event=events[row.event])
            effects = tuple(hand_over(broker) if _fences(one) else one for one in row.effects)
            return replace(row, effects_=effects) if row.id in self.ids else row

        return tuple(table.with_rows(tuple(map(other, table.rows))) for table in tables) if fencing else None


def _fences(effect: Effect) -> bool:
    return isinstance(effect, Applied) and effect.procedure.name == "fence"


@dataclass(frozen=True)
class OfFork(Release):
    """A fork's tables: those of the release that it was made from, which is the `newer` one here, with its own rules.

    `title` is what the fork is called, with its release; `falls` are claims about Kafka's tables that the fork's rules make false, and that are not claimed of it.
    """

    title: str = ""
    falls: tuple[str, ...] = ()

    _of_it, _is_to_it = "rules of its own", "a fork of"

    @property
    def called(self) -> str:
        """The fork's name with its release."""
        return self.title

    @property
    def newest_level_name(self) -> str:
        """The highest metadata.version of the release that it was made from."""
        assert self.newer is not None
        return self.newer.newest_level_name

    def _made(
        self, base: Protocol, tables: Tables, claims: tuple[Property, ...], inputs: tuple[Assumption, ...]
    ) -> Protocol:
        made = super()._made(base, tables, claims, inputs)
        return replace(made, properties=tuple(one for one in made.properties if one.id not in self.falls))


AUTOMQ_17 = OfFork(
    "automq-1.7",
    KRAFT,
    KAFKA_39,
    (
        Difference(
            "fence-hands-over",
            "Where a broker is fenced, another active broker becomes the only replica and the ISR of each of its partitions, "
            "without a leader; where there is none, the partition loses its leader alone.",
            "It leaves the ISR of its partitions, which elect other leaders.",
            "AutoMQ 1.7.3, ReplicationControlManager",
            "a change of replicas, ISR and directories without a leader, in front of a fence",
            (HandsOver(("HB1", "HB4", "HB5", "HB7", "HB10", "F1")),),
        ),
    ),
    (
        "A broker that is unfenced gets partitions without a leader that have no active replica.",
        "A reassignment is one record; AlterPartition sets the replicas, too; there are no preferred leaders.",
        "A partition has one replica; the tables let a request name several.",
        "A broker whose log directory fails at the same time is fenced as Kafka's is.",
    ),
    "AutoMQ 1.7",
    ("P4", "P5", "P6", "P13", "P15", "P29", "P34", "P40", "N7"),
)

FORKS: Mapping[str, Release] = {one.name: one for one in (AUTOMQ_17,)}
"""Forks that have tables, by their names behind kraft@."""
