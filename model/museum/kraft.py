"""Defects of the KRaft controller as edits of its tables; each applies to the whole protocol and to the explored slice.

J entries (from Kafka's Jira; K until properties had that letter) and E entries are defects that Kafka had and fixed. The
others leave out one thing that the tables need: a guard of
AlterPartition (`A13-`), or the order of the records of one result (`fence-order`).
"""

from __future__ import annotations

from typing import Any, TypeVar

from fencepost.model.kraft import KRAFT
from fencepost.model.kraft.bounds import LIFE, NEW, at_home, slice_of
from fencepost.model.kraft.brokers import (
    HEARTBEAT,
    REGISTRATION,
    dirs,
    expires,
    fence,
    named_dirs,
    no_contact,
    off,
    registers,
    stays,
    tells_epoch,
    told,
    want_down,
)
from fencepost.model.kraft.cluster_records import CONFIG
from fencepost.model.kraft.directories import CORDONING, forgets
from fencepost.model.kraft.directories import dirs as reported_dirs
from fencepost.model.kraft.records import PARTITION_CHANGE, REGISTER_BROKER
from fencepost.model.kraft.state import *
from fencepost.model.kraft.topics import has_allows, has_smallest, n, smallest
from fencepost.model.language.nodes import First, Ite, Named, Nary
from fencepost.model.language.vocabulary import *
from fencepost.model.language.walk import nary, rewrite

from .edits import Edit, but, redefine, reordered, replaced, without
from .entry import Entry, Expected

# -- what the searches are asked at ------------------------------------------------------------------------------------
SIZES = {
    "Broker": 2, "Directory": 3, "Feature": 1, "Incarnation": 1, "Name": 1, "Partition": 1, "Range": 1, "Request": 1,
    "Setting": 1, "Topic": 1, "Value": 1, "copies": 1, "index": 0, "level": 33, "offset": 1, "leader epoch": 1,
    "partition epoch": 1, "size": 2,
}  # fmt: skip
"""The sizes of a search; written out, so that a change of the protocol's own bounds moves no length."""

T = TypeVar("T")


def _entity(number: int, of: Kind[T]) -> Term[T]:
    """Return an entity of a bound by its number."""
    return Lit(number, of)  # type: ignore[arg-type]


_RESERVED, _FEATURE, _LEVELS, _FIRST = _entity(0, DIRECTORY), _entity(0, FEATURE), _entity(0, RANGE), _entity(0, BROKER)
GIVEN = {
    "RegisterBroker": dirs.is_(only(when(b.is_(_FIRST), some(_entity(1, DIRECTORY)), some(_entity(2, DIRECTORY)))))
    & told.is_(those(r, TRUE))
    & tells_epoch,
    "Heartbeat": (off <= log_end) & (reported[b] <= off) & ics[b].implies(want_down),
    "CreateTopic": has_smallest & smallest.is_(Threshold(2)) & ~has_allows,
}
"""Assumptions of a search about events: a broker has one directory, of its own, and can do every level; one that shuts down
goes on asking for it, as every correct one does."""


def _start(mv_level: int, elr: int, asking: bool = False) -> Term[bool]:
    """Return a start at a metadata version and an ELR version: every partition is placed on all brokers, which can do
    every level."""
    everybody = ascending(those(x, TRUE))
    placement = forall(p, index[p].is_(0) & placed[p].is_(everybody))
    # Nothing is ever put in a reserved directory here, so they need not be distinguished.
    reserved = unassigned.is_(_RESERVED) & migrating.is_(_RESERVED) & lost_directory.is_(_RESERVED)
    features = metadata_version.is_(_FEATURE) & elr_version.is_(_FEATURE)
    features &= kraft_version.is_(_FEATURE) & kraft_level.is_(0)
    levels = range_feature[_LEVELS].is_(_FEATURE) & lowest[_LEVELS].is_(0) & highest[_LEVELS].is_(SIZES["level"])
    settings = forall(s, resource_type[s].is_(2) & (asks[s] if asking else ~asks[s]))
    return mv.is_(mv_level) & elr_level.is_(elr) & reserved & features & levels & placement & settings


def _expected(property: str, length: int, row: str, start: Term[bool] | None = None, **sizes: int) -> Expected:
    given = {name.replace("_", " "): size for name, size in sizes.items()}
    newest = _start(33, 1) if start is None else start
    return Expected(property, length, sizes={**SIZES, **given}, row=row, start=newest, given=GIVEN)


# -- the edits ---------------------------------------------------------------------------------------------------------
def _anyone_last_known(old: Term[Any]) -> Term[Any]:
    """The last known leader, any broker; another term of the name (a heartbeat's) is unchanged."""
    if isinstance(old, Ite) and isinstance(old.then, First):
        return when(old.condition, head(old.then.of), old.otherwise)
    return old


def _k3(base: Protocol) -> Protocol:
    everyone = "every replica of a new partition is in its ISR, fenced or not"
    return replaced(base, "CT3", keep(placed[p], active), placed[p], why=everyone)


_stale_pair = event(
    "FenceStaleBrokers", b, y, environment=True, source="S3:246-248", code="QuorumController.maybeFenceReplicas"
)


def _k7(base: Protocol) -> Protocol:
    def lost(who: Term[Any]) -> Term[bool]:
        return registered[who] & ~fenced[who] & contact[who].is_(Contact.EXPIRED)

    both = _stale_pair("F3", lost(b) & lost(y) & b.isnt(y), fence(b), fence(y), expires(b), expires(y))
    return base.plus(both, table="silent brokers", why="two brokers are fenced in one result")


def _k10(base: Protocol) -> Protocol:
    raised = (stays(b, off), shutdown_offset[b].becomes(log_end))
    why = "every heartbeat raises the controlled shutdown offset"
    return base.but("HB9", effects=raised, why=why).but("HB11", effects=raised, why=why)


_config = every(s, asks[s] & resource_type[s].is_(2) & resource[s].is_(n), CONFIG(s, value=asked[s]))


def _bumps_anyway(old: Term[Any]) -> Term[Any]:
    """The leader epoch rises whenever the target ISR is smaller, whether or not an ISR is written."""

    def wanted(node: Term[Any]) -> Term[Any] | None:
        return (
            node.term.otherwise
            if isinstance(node, Named) and node.name == "isr3" and isinstance(node.term, Ite)
            else None
        )

    assert isinstance(old, Nary)
    kept = (term for term in old.terms if not (isinstance(term, Named) and term.name == "isr_said"))
    return nary("and", (rewrite(term, wanted) for term in kept))


def _k1(base: Protocol) -> Protocol:
    kept = tuple(one for one in PARTITION_CHANGE.replay if not _raises_epoch(one))
    return base.replaying("PartitionChange", *kept, why="a change keeps the partition epoch")


def _raises_epoch(effect: Effect) -> bool:
    return isinstance(effect, Assign) and effect.target.state.name == "partition_epoch"


def _k32(base: Protocol) -> Protocol:
    bare = (registers(b, i, named_dirs, told), no_contact(b))
    why = "a new incarnation registers and no partition is changed"
    return base.but("R2", effects=bare, why=why).but("R2u", effects=bare, why=why)


def _fence_order(base: Protocol) -> Protocol:
    return reordered(base, "fence", why="the broker is fenced before its partitions move")


def _unfence_order(base: Protocol) -> Protocol:
    why = "partitions elect the broker before it is unfenced"
    return reordered(base, "unfence", why=why)


# -- cordoned directories ----------------------------------------------------------------------------------------------
filed = per(
    BROKER, "filed", set_of(DIRECTORY), ANY, what="fixed", about="cordoned.log.dirs in the broker's properties file"
)
_ROWS = (REGISTRATION, HEARTBEAT)
CORDON_LOGGED = step(
    "HC2m",
    ((mv >= 30) & registered[b]).implies(next_(cordoned[b]).is_(reported_dirs)),
    "The directories that a heartbeat says are cordoned are in the log once it is answered.",
    "KIP-1066",
    AT_RESULT_BOUNDARIES,
    rows=tuple(row.id for row in CORDONING.rows),
)
CORDON_KEPT = step(
    "HC3m",
    forall(x, (cordon_known[x] & next_(cordon_known[x])).implies(next_(cordoned[x]).is_(cordoned[x]))),
    "Which directories of a broker are known to be cordoned changes by what its heartbeats say of them alone.",
    "KIP-1066",
    AT_RESULT_BOUNDARIES,
    rows=tuple(row.id for one in _ROWS for row in one.rows),
)
CORDONS = slice_of(
    "kraft_cordons",
    *(one.name for one in _ROWS),
    CORDONING.name,
    unclaimed=tuple(one.id for one in KRAFT.properties),
    bounds={
        "cordons": (
            "a broker that registers, again too, and says which of its directories are cordoned",
            NEW & at_home(1),
            {**LIFE, "Heartbeat": off.is_(log_end), "CordonedDirectories": reported_dirs <= directories[b]},
            {"Broker": 1, "Incarnation": 2, "offset": 3, "leader_epoch": 0, "partition_epoch": 0},
        )
    },
)


def _says_what_is_filed(base: Protocol) -> Protocol:
    """A registration names the cordoned directories of the broker's file, whatever the dynamic configuration says."""
    who = REGISTER_BROKER.about[0].value
    kept = (
        one for one in REGISTER_BROKER.replay if not (isinstance(one, Assign) and "cordon" in one.target.state.name)
    )
    said = (cordon_known[who].becomes(mv >= 30), cordoned[who].becomes(filed[who]))
    return base.replaying("RegisterBroker", *kept, *said, why="a registration says what the broker's file cordons")


def _cordoned(name: str, known_as: str, why: str, edit: Edit, claim: Property, length: int, row: str) -> Entry:
    expected = Expected(claim.id, length, "cordons", row=row)
    return Entry(name, "kraft", known_as, why, edit, (expected,), claims=(claim,), within=CORDONS)


KRAFT_MUSEUM: tuple[Entry, ...] = (
    Entry(
        "E7",
        "kraft",
        "KAFKA-19522",
        "The last known leader of a partition without ISR was elected while it was fenced: the condition was inverted.",
        redefine("recalled", _anyone_last_known, why="the last known leader is elected without being asked for"),
        (_expected("P7", 7, "BA1", offset=2, Incarnation=2, leader_epoch=2, partition_epoch=2),),
    ),
    Entry(
        "J3",
        "kraft",
        "KAFKA-13083",
        "A topic created with a manual assignment had every replica in its first ISR, fenced brokers too.",
        _k3,
        (_expected("P7", 4, "CT3"),),
        also=("K3",),
    ),
    Entry(
        "J7",
        "kraft",
        "KAFKA-13173",
        "Two sessions expired in one result, both changes of a partition were computed from the state before it: the "
        "second record brought the first broker back into the ISR.",
        _k7,
        (_expected("P7", 8, "F3", leader_epoch=2, partition_epoch=2),),
        also=("K7",),
    ),
    Entry(
        "J9",
        "kraft",
        "KAFKA-13959",
        "A broker had to reach the end of the log to be unfenced, which moves on while it reads: on a busy log never.",
        redefine("caught_up", off >= log_end, why="compared with the log's end"),
        (_expected("K11", 3, "HB3"),),
        also=("K9",),
    ),
    Entry(
        "J10",
        "kraft",
        "KAFKA-14292",
        "Each heartbeat of a broker in controlled shutdown raised the offset that the others had to reach.",
        _k10,
        (_expected("K12", 8, "HB11", offset=3, leader_epoch=2, partition_epoch=2),),
        also=("K10",),
    ),
    Entry(
        "J18",
        "kraft",
        "KAFKA-14612",
        "The configurations of a topic were written although its creation failed.",
        but("CT2", effects=_config, why="configurations are written before the topic is checked"),
        (_expected("C1", 3, "CT2", start=_start(33, 1, asking=True)),),
        also=("K18",),
    ),
    Entry(
        "J1",
        "kraft",
        "KAFKA-12367",
        "A change of a partition left its partition epoch as it was, so that a proposal made before it still counted.",
        _k1,
        (_expected("P8", 5, "HB4"),),
        also=("K1",),
    ),
    Entry(
        "J20",
        "kraft",
        "KAFKA-15021, KAFKA-15109",
        "Before 3.6-IV0 brokers rely on a new leader epoch when the ISR shrinks; a controller that gives none stalls them.",
        redefine("shrinks", FALSE, why="a smaller ISR leaves the leader epoch as it is, whatever the metadata version"),
        (_expected("P15", 6, "HB4", start=_start(11, 0)),),
        also=("K20",),
    ),
    Entry(
        "J27",
        "kraft",
        "KAFKA-16757, KAFKA-16162",
        "A broker that registered again as the same process, as an upgrade asks it to, was fenced and got another epoch.",
        but(
            "R3",
            effects=registers(b, i, named_dirs, told),
            why="the same process that registers again is fenced, under another epoch",
        ),
        (_expected("K3", 2, "R3"), _expected("P7", 5, "R3", offset=2)),
        also=("K27",),
    ),
    Entry(
        "J28",
        "kraft",
        "KAFKA-16624",
        "Before 3.6-IV0 a smaller ISR raises the leader epoch; it rose too where the last member cannot leave.",
        redefine("shrinks", _bumps_anyway, why="asks the target ISR instead of the record"),
        (_expected("P8r", 6, "HB1", start=_start(11, 0), leader_epoch=2, partition_epoch=2),),
        also=("K28",),
    ),
    Entry(
        "J32",
        "kraft",
        "KAFKA-18106",
        "A broker that restarted before it was fenced stayed leader and in the ISR under its old leader epoch.",
        _k32,
        (_expected("P7", 6, "R2u", offset=2, Incarnation=2),),
        also=("K32",),
    ),
    Entry(
        "A13-",
        "kraft",
        "KAFKA-13916, KIP-841, KIP-903",
        "Members of a proposed ISR were not asked whether they are fenced, shutting down or restarted.",
        without("A13", why="the check A13 is left out"),
        (_expected("P16", 6, "A14"), _expected("P7", 6, "A14")),
    ),
    Entry(
        "A8-",
        "kraft",
        "",
        "A proposal made under an older partition epoch is applied to a partition that has changed since.",
        without("A8", why="the check A8 is left out"),
        (_expected("P16", 8, "A14"),),
    ),
    Entry(
        "fence-order",
        "kraft",
        "",
        "A node that reads between the records of the result sees a fenced leader.",
        _fence_order,
        (_expected("P7r", 5, "F1"),),
    ),
    Entry(
        "unfence-order",
        "kraft",
        "",
        "A node that reads between the records of the result sees a leader that is still fenced.",
        _unfence_order,
        (_expected("P7r", 6, "HB2", leader_epoch=2, partition_epoch=2),),
    ),
    _cordoned(
        "cordons-in-memory",
        "KAFKA-19774",
        "A heartbeat's cordoned directories changed the controller's memory and no record was written: the next controller, "
        "and every snapshot, did not have them.",
        but("HC1", effects=forgets(b), why="what is cordoned is kept in memory alone"),
        CORDON_LOGGED,
        2,
        "HC1",
    ),
    _cordoned(
        "registration-cordons",
        "KAFKA-20441",
        "The request to register had the cordoned directories of the broker's file, which undid those of its dynamic "
        "configuration until the next heartbeat.",
        _says_what_is_filed,
        CORDON_KEPT,
        3,
        "R2",
    ),
)
