"""The switch to diskless storage over the tables of the controller, and what Inkless had otherwise: one row each.

Each was a rule for topics whose records are all in the object store, made of switched partitions, too, which have a classic
prefix; or a record that leaves out what Kafka's replay relies on.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fencepost.model.kraft.answers import Error
from fencepost.model.kraft.bounds import CREATE, EVERYBODY, HOME, LIFE, NEW, STRAIGHT, at_home, broker, once, slice_of
from fencepost.model.kraft.brokers import HEARTBEAT, REGISTRATION, off, returning, rises, want_down
from fencepost.model.kraft.builder import change
from fencepost.model.kraft.configurations import (
    SEVERAL,
    away,
    drops_min,
    drops_unclean,
    elr_forbids,
    min_asked,
    min_away,
    min_to,
    node_asked,
    node_away,
    node_to,
    sets_min,
    sets_unclean,
    to_size,
    to_switch,
    unclean_asked,
    unclean_away,
    unclean_to,
)
from fencepost.model.kraft.reassignment import REASSIGNMENT, may_resize
from fencepost.model.kraft.records import PARTITION_CHANGE, UNFENCE
from fencepost.model.kraft.state import *
from fencepost.model.kraft.topics import TOPICS, n
from fencepost.model.language.vocabulary import *
from fencepost.model.releases.diskless import joins, switching
from fencepost.model.releases.edits import OfEvent, Other, edited
from fencepost.model.releases.inkless import has_diskless, makes_diskless
from fencepost.model.releases.switch import (
    DISKLESS_SWITCH,
    PENDING,
    SEALED_PARTITION,
    diskless,
    diskless_asked,
    diskless_to,
    may_switch,
    start,
    switches,
)

from .edits import Edit, but, redefine
from .entry import Entry, Expected

# -- where it is searched ----------------------------------------------------------------------------------------------
_ONE_KEY = (
    ~sets_min & ~drops_min & to_size.is_(Threshold(1)) & ~sets_unclean & ~drops_unclean & ~to_switch
)  # the request sets diskless.enable of the topic, and nothing else
_SLICE = slice_of(
    "kraft_switch",
    REGISTRATION.name,
    HEARTBEAT.name,
    TOPICS.name,
    SEVERAL.name,
    REASSIGNMENT.name,
    bounds={
        "switch": (
            "two brokers that have always read everything, and a topic of one partition",
            NEW
            & at_home(2)
            & forall(p, any_of(placed[p].is_(EVERYBODY), placed[p].is_(only(some(broker(0))))))
            & forall(n, ~min_asked[n] & ~min_away[n] & min_to[n].is_(Threshold(1)))
            & forall(n, ~unclean_asked[n] & ~unclean_away[n] & ~unclean_to[n])
            & forall(n, ~node_asked[n] & ~node_away[n] & ~node_to[n])
            & forall(s, ~away[s]),
            {
                **LIFE,
                "RegisterBroker": HOME & STRAIGHT & once(2),
                "Heartbeat": off.is_(log_end) & ~want_down,
                "AlterConfigs": _ONE_KEY,
                "Reassign": may_resize,
                "CancelReassignment": FALSE,
            },
            {"Broker": 2, "offset": 1, "leader_epoch": 3, "partition_epoch": 3},
        )
    },
)
_SWITCHES, _CLASSIC = forall(n, diskless_asked[n] & diskless_to[n]), ~has_diskless & ~makes_diskless
_BORN = has_diskless & makes_diskless


def _expected(property: str, length: int, row: str, creates: Term[bool], **given: Term[bool]) -> Expected:
    start = _SLICE.bounds["switch"].start & _SWITCHES
    events = {**_SLICE.bounds["switch"].given, "CreateTopic": CREATE & creates, **given}
    return Expected(property, length, "switch", {"seal": 1}, row, start, events)


# -- the edits ---------------------------------------------------------------------------------------------------------
legacy = BOOL.var("legacy")
"""The request is an AlterConfigs of the older kind, which names all values of a topic."""


def _by_the_older_request(why: str, *edits: Other) -> Edit:
    """Return the edit of rows of AlterConfigs that distinguishes the older kind of request."""
    told_apart = OfEvent("AlterConfigs", lambda old: replace(old, params=(*old.params, legacy)))
    return lambda base: replace(base, tables=edited(base.tables, (told_apart, *edits)), why=why)


def _unmarked(row: Row) -> Row:
    *values, marks = row.effects
    return replace(row, effects_=(*values, only_if(~legacy, marks)))


def _without_leader(base: Protocol) -> Protocol:
    *values, _ = base.row("CM1").effects
    marks = every(p, switches, DISKLESS_SWITCH(p, seal=PENDING))
    return base.but("CM1", effects=(*values, marks), why="the mark leaves the leader out")


@procedure(b)
def unfence_with_raw_isr(b: Term[Broker]) -> object:
    """handleBrokerUnfenced, which writes the larger ISR of a partition by itself."""
    return (
        UNFENCE(b, epoch=epoch[b]),
        every(p, exists_[p] & absent(leader[p]), change(p, isr[p], returning(p, b))),
        every(p, exists_[p] & joins(b), PARTITION_CHANGE(p, isr=then(isr[p], only(b)))),
    )


def _led_by_the_first(base: Protocol) -> Protocol:
    def other(effect: Effect) -> Effect:
        if isinstance(effect, Every):
            return replace(effect, body=tuple(map(other, effect.body)))
        if not isinstance(effect, Write) or effect.record is not SEALED_PARTITION:
            return effect
        first_of_all = head(placed[p])
        changed: dict[str, Term[Any]] = {
            "isr": when(_BORN, placed[p], keep(placed[p], active)),
            "leader": when(_BORN, first_of_all, first(placed[p], active)),
        }
        return replace(
            effect, fields=tuple(replace(one, value=changed.get(one.field, one.value)) for one in effect.fields)
        )

    effects = tuple(map(other, base.row("CT3").effects))
    return base.but("CT3", effects=effects, why="the first of the ISR leads, fenced or not")


_EVERY_DISKLESS = diskless[topic[p]]

KRAFT_DISKLESS_MUSEUM: tuple[Entry, ...] = (
    Entry(
        "diskless",
        "kraft",
        "aiven/inkless",
        "A classic topic is switched to diskless storage: its partitions are marked, sealed, and led on as classic ones until then.",
        switching,
        (),
    ),
    Entry(
        "diskless+without-leader",
        "kraft",
        "aiven/inkless pull request 626",
        "The mark of a switch did not say the leader, so that the leader epoch stayed and no leader sealed its log.",
        _without_leader,
        (_expected("DS3", 4, "CM1", _CLASSIC, Reassign=FALSE),),
        ground=switching,
        within=_SLICE,
    ),
    Entry(
        "diskless+raw-isr",
        "kraft",
        "aiven/inkless pull request 643, in review",
        "An unfenced broker came into the ISR by a record that is not the builder's: it stayed an eligible leader replica.",
        but("HB2", effects=(unfence_with_raw_isr(b), rises(b)), why="the larger ISR is written as it is"),
        (_expected("P4", 6, "HB2", _BORN, AlterConfigs=FALSE, Reassign=FALSE),),
        ground=switching,
        within=_SLICE,
    ),
    Entry(
        "diskless+led-by-the-first",
        "kraft",
        "aiven/inkless pull request 643, in review",
        "With all replicas in the first ISR of a diskless partition the first of them led it, fenced or not.",
        _led_by_the_first,
        (_expected("DS8", 4, "CT3", _BORN, AlterConfigs=FALSE, Reassign=FALSE),),
        ground=switching,
        within=_SLICE,
    ),
    Entry(
        "diskless+joins-switched",
        "kraft",
        "aiven/inkless pull request 754",
        "An unfenced broker came into the ISR of switched partitions, too, and could lead them without their classic records.",
        redefine(
            "born_diskless",
            _EVERY_DISKLESS,
            rows=("HB2",),
            why="a broker that is unfenced joins all diskless partitions",
        ),
        (_expected("P29", 8, "HB2", _CLASSIC, Reassign=FALSE),),
        ground=switching,
        within=_SLICE,
    ),
    Entry(
        "diskless+takes-the-target",
        "kraft",
        "aiven/inkless pull request 757",
        "A reassignment of a switched partition put all its new replicas into the ISR, which have no classic record.",
        redefine("born_diskless", _EVERY_DISKLESS, rows=("RA3",), why="every diskless partition is reassigned at once"),
        (_expected("P29", 6, "RA3", _CLASSIC),),
        ground=switching,
        within=_SLICE,
    ),
    Entry(
        "diskless+older-request-marks-nothing",
        "kraft",
        "aiven/inkless pull request 630",
        "The older AlterConfigs made a topic diskless and began no switch of its partitions.",
        _by_the_older_request("an older request marks no partition", Other("CM1", _unmarked)),
        (_expected("DS5", 4, "CM1", _CLASSIC, Reassign=FALSE),),
        ground=switching,
        within=_SLICE,
    ),
    Entry(
        "diskless+older-request-unguarded",
        "kraft",
        "aiven/inkless pull request 634",
        "The older AlterConfigs bypassed the preconditions of a partition's switch: a leader, all replicas in sync, no reassignment.",
        _by_the_older_request(
            "an older request is asked nothing",
            Other("CM1", lambda row: replace(row, when=~elr_forbids & (legacy | may_switch))),
            Other("CM3", lambda row: replace(row, when=row.when & ~legacy)),
        ),
        (_expected("DS6", 5, "CM1", _CLASSIC, Reassign=FALSE),),
        ground=switching,
        within=_SLICE,
    ),
    Entry(
        "diskless+given-up",
        "kraft",
        "",
        "A switch that is given up leaves a diskless topic with a partition that has no seal, as one that was created diskless.",
        but(
            "AS6", effects=DISKLESS_SWITCH(p, seal=start), say=Error.NONE, why="a switch is given up for one partition"
        ),
        (_expected("DS9", 5, "AS6", _CLASSIC, Reassign=FALSE),),
        ground=switching,
        within=_SLICE,
    ),
)
