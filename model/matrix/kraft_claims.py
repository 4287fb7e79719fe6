"""Guarantees of the matrix that the KRaft tables do not claim themselves; brokers that apply the log late are added here."""

from __future__ import annotations

from dataclasses import replace

from fencepost.model.kraft.outdated import untouched
from fencepost.model.kraft.state import *
from fencepost.model.language.vocabulary import *

believes = per2(
    BROKER, PARTITION, "believes", BOOL, about="the broker serves the partition: so the metadata said that it has read"
)

reads = event("ReadMetadata", b, environment=True, source="S3:236,266", code="BrokerMetadataPublisher")
BELIEF = table(
    "brokers that apply the log",
    reads("RM1", TRUE, every(p, TRUE, believes[b, p].becomes(leader[p].is_(some(b))))),
    about="A broker serves what it led in the metadata that it has read, and may read late; it never fences itself (S2:62).",
)


@definition
def left_behind(b: Term[Broker], p: Term[Partition]) -> Term[bool]:
    """The broker serves a partition that it does not lead any more."""
    return believes[b, p] & leader[p].isnt(some(b))


@definition
def silent(b: Term[Broker]) -> Term[bool]:
    """The broker's session is over, and it is not fenced."""
    return registered[b] & ~fenced[b] & contact[b].is_(Contact.EXPIRED)


_UNFENCED = always(
    "M1",
    forall(p, forall(x, (exists_[p] & leader[p].is_(some(x))).implies(registered[x] & ~fenced[x]))),
    "A leader is registered and not fenced.",
    "S3:266",
    scope=AT_RESULT_BOUNDARIES,
)


def _bounced(spared: Term[bool]) -> Step:
    """Return the claim that a new process of a broker leads nothing, of some partitions."""
    return step(
        "M6",
        forall(
            x,
            (registered[x] & next_(registered[x]) & next_(incarnation[x]).isnt(incarnation[x])).implies(
                next_(fenced[x])
                & (next_(epoch[x]) > epoch[x])
                & forall(p, (next_(exists_[p]) & spared).implies(next_(leader[p]).isnt(some(x))))
            ),
        ),
        "A new process of a broker begins fenced, with a larger epoch, and leads nothing.",
        "S3:228",
        scope=AT_RESULT_BOUNDARIES,
    )


STRICT_CLAIMS: tuple[Property, ...] = (_UNFENCED, _bounced(TRUE))
"""The claims that D26 violates, in their intended form."""
_BOUNCED_BY_D26 = replace(_bounced(TRUE), expected="violated", finding="D26")

KRAFT_CLAIMS: tuple[Property, ...] = (
    replace(_UNFENCED, expected="violated", finding="D26"),
    replace(untouched(_UNFENCED), id="M1w"),
    _BOUNCED_BY_D26,
    replace(
        _bounced(next_(undisturbed(p))),
        id="M6w",
        about="A new process of a broker begins fenced, with a larger epoch, and leads nothing; where neither D26 nor D34 has been.",
    ),
    step(
        "M8",
        forall(
            p,
            next_(replicas[p]).is_(replicas[p])
            & next_(adding[p]).is_(adding[p])
            & next_(removing[p]).is_(removing[p])
            & next_(leader[p]).is_(leader[p]),
        ),
        "A failover changes no partition: a reassignment that was begun is in the log, and goes on from there.",
        "S3:171",
        rows=("FO1",),
    ),
    leads_to(
        "M9",
        silent(b),
        ~silent(b),
        ("FenceStaleBroker",),
        "A broker whose session is over is fenced, if the controller stays.",
        "S3:248,353",
        each=(b,),
        fair_by={"FenceStaleBroker": b},
        by=ranking(helps("FenceStaleBroker", silent(b))),
    ),
)

KRAFT_BELIEFS = (*STRICT_CLAIMS, *(one for one in KRAFT_CLAIMS if one.id not in ("M1", "M1w", "M6", "M6w")))
"""The same of a slice without the row that breaks M1."""

BELIEVERS: tuple[Property, ...] = (
    always(
        "M3",
        forall(p, forall(x, forall(y, (believes[x, p] & believes[y, p]).implies(x.is_(y))))),
        "No two brokers serve one partition.",
        "S3:266",
        expected="violated",
    ),
    leads_to(
        "M4",
        exists(b, exists(p, left_behind(b, p))),
        ~exists(b, exists(p, left_behind(b, p))),
        ("FenceStaleBroker",),
        "A broker that cannot read the log any more stops serving by itself.",
        "S2:62",
        expected="violated",
    ),
)


def with_belief(base: Protocol) -> Protocol:
    """Return a slice in which brokers serve what they have read, with what is claimed of them and nothing else."""
    return replace(base, name="kraft_belief", tables=(*base.tables, BELIEF), properties=BELIEVERS, base=None)
