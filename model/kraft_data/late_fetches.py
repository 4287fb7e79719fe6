"""Fetches of every life of a follower, in any order: by its metadata a leader knows one from another.

In `kraft-data` what arrives says no more than the newest fetch of a follower in a leader epoch. But a broker that has lost records may have asked from
further on in an earlier life, and that request may arrive last: it waits in a queue of the leader. Here each life has its newest fetch.
Nothing is noted of a life that is older than the one that the leader has read of (`Replica.updateFetchStateOrThrow`), and a follower
is proposed if the two are the same (`Partition.isBrokerEpochIsrEligible`, KIP-903). When a leader reads of a registration is left open.
In Kafka 4.4.0 the broker epoch of a broker that is fenced is not looked at (`getAliveBrokerEpoch`): `forgets_the_fenced` has that.
"""

from __future__ import annotations

from dataclasses import replace

from fencepost.model.language.vocabulary import *

from .lemmas import acceptable
from .log_lemmas import nothing_known
from .quantified import for_all, stays
from .state import *
from .state import candidate, elected_in

life = LIFE.var("life")
fetched_from = per3(
    EPOCH, BROKER, LIFE, "fetched_from", OFFSET, 0, what="message",
    about="Fetch: from where the newest of a follower's life in a leader epoch is; an older one may arrive after it",
)  # fmt: skip
has_asked = per3(EPOCH, BROKER, LIFE, "has_asked", BOOL, what="message", about="Fetch: there is one")
known_life = per2(
    EPOCH, BROKER, "known_life", LIFE, 1, about="a follower's broker epoch, as the leader of an epoch has read it"
)

# -- rows --------------------------------------------------------------------------------------------------------------
_arrives = event(
    "LateFetchArrives", f, b, e, n, life, environment=True, source="KIP-903", code="Replica.updateFetchStateOrThrow"
)
_hears = event(
    "HearRegistration", f, b, e, environment=True, source="KIP-903", code="KRaftMetadataCache.getAliveBrokerEpoch"
)
arrived = leads(b, e) & has_asked[e, f, life] & (n <= fetched_from[e, f, life])
"""A follower has asked from an offset, or from further on, in one of its lives."""
ROWS = (
    _arrives(
        "DL7", arrived & (life >= known_life[e, f]), fetched[e, f].becomes(n), fetched_broker_epoch[e, f].becomes(life)
    ),
    _hears("DL8", leads(b, e) & (known_life[e, f] < broker_epoch[f]), known_life[e, f].becomes(broker_epoch[f])),
)
_is_known = fetched_broker_epoch[e, f].is_(known_life[e, f])
_in_this_life = known_epoch[f], f, broker_epoch[f]
_asks = (has_asked[_in_this_life].becomes(TRUE), fetched_from[_in_this_life].becomes(log_end[f]))


def late_fetches(base: Protocol) -> Protocol:
    """Return `kraft-data`, or a slice of it, with the fetches of every life."""
    why = "fetches of earlier lives arrive late"
    edited = base.but("DF3", effects=_asks, why=why)
    edited = edited.but("DL3", when=base.row("DL3").when & _is_known, why=why).without("DL2", why=why)
    for row in ROWS:
        edited = edited.plus(row, table="leaders", why=why)
    kept = [CLAIMS.get(one.id, one) for one in edited.properties if one.id != "LS11"]
    if any(one.id == "LS1" for one in kept):
        kept.append(KNOWN)
    bounds = {name: _adapted(one) for name, one in base.bounds.items()}
    return replace(edited, properties=tuple(kept), bounds=bounds, base=base, why=why)


_fences = event(
    "HearFence", f, b, e, environment=True, source="KIP-903", code="BrokerMetadataPublisher.onMetadataUpdate"
)


def forgets_the_fenced(base: Protocol) -> Protocol:
    """A leader whose metadata says that a follower is fenced compares no broker epoch, be the new ISR read or not."""
    is_newer = (known_partition_epoch[e] < partition_epoch) & f.in_(known_isr[e]) & ~f.in_(isr)
    row = _fences("DL9", leads(b, e) & is_newer & (known_life[e, f] > 1), known_life[e, f].becomes(1))
    return base.plus(row, table="leaders", why="the broker epoch of a fenced broker is not looked at")


def _adapted(bound: Bound) -> Bound:
    """Return a bound that has of fetches here what it had of those there."""
    given = {("LateFetchArrives" if name == "FetchArrives" else name): term for name, term in bound.given.items()}
    return replace(bound, given=given)


# -- claims ------------------------------------------------------------------------------------------------------------
_there = has_asked[e, f, life]
_now = has_asked[e, f, broker_epoch[f]]
_proposed = proposing[e] & x.in_(proposed_isr[e]) & ~x.in_(known_isr[e])
KNOWN: Always = lemma(
    "LS13",
    for_all(e, f, (known_life[e, f] >= 1) & (known_life[e, f] <= broker_epoch[f])),
    "For LS8: a leader reads of lives that there were.",
)
CLAIMS: dict[str, Always | Step] = {
    one.id: one
    for one in (
        lemma(
            "LS1",
            for_all(e, f, life, _there.implies((life >= 1) & (life <= broker_epoch[f]))),
            "For LS8: a fetch carries a broker epoch that was registered.",
        ),
        lemma(
            "LS2",
            for_all(e, f, _now.implies(e <= known_epoch[f])),
            "For LS5: a fetch of this broker epoch carries a leader epoch that its sender has read.",
        ),
        lemma(
            "LS3",
            for_all(
                e,
                f,
                (_now & known_epoch[f].is_(e)).implies(
                    truncated[f] & (crashed[f] | (fetched_from[e, f, broker_epoch[f]] <= log_end[f]))
                ),
            ),
            "For LS5: and, if that is still its epoch, an offset that its log has reached.",
        ),
        lemma(
            "LS4",
            for_all(
                e,
                f,
                (fetched_broker_epoch[e, f] >= 0)
                & (fetched_broker_epoch[e, f] <= broker_epoch[f])
                & (fetched_broker_epoch[e, f] > 0).implies(has_asked[e, f, fetched_broker_epoch[e, f]]),
            ),
            "For LS5: what a leader notes was asked for.",
        ),
        lemma(
            "LS8",
            for_all(
                b,
                e,
                life,
                (candidate(b, e) & (known_epoch[b] <= e) & has_asked[e, b, life]).implies(
                    life.is_(broker_epoch[b]) | (life < known_life[e, b])
                ),
            ),
            "For LS9: of a candidate that is still in an epoch nothing is noted any more that it asked before it lost records.",
        ),
        lemma(
            "LS12",
            for_all(e, f, life, _there.implies(e <= epoch)),
            "For LS8: no broker fetches in an epoch that is not decided.",
        ),
        lemma(
            "LN11",
            for_all(e, f, life, (fetched_from[e, f, life] >= 0) & (_there | fetched_from[e, f, life].is_(0))),
            "For LS1: no broker fetches from below 0.",
        ),
        lemma(
            "LQ4",
            for_all(
                e,
                x,
                _proposed.implies(
                    (proposed_broker_epoch[e, x] >= 1)
                    & (proposed_broker_epoch[e, x] <= known_life[e, x])
                    & (proposed_broker_epoch[e, x] <= fetched_broker_epoch[e, x])
                ),
            ),
            "For LQ6: a proposed member has fetched under the broker epoch of the proposal or a later one, which the leader has read.",
        ),
        lemma(
            "LQ6",
            for_all(
                e,
                x,
                acceptable.implies(
                    known_epoch[x].is_(e)
                    & truncated[x]
                    & fetched_broker_epoch[e, x].is_(broker_epoch[x])
                    & known_life[e, x].is_(broker_epoch[x])
                    & (crashed[x] | (high_watermark[e] <= log_end[x]) & (epoch_start[e] <= log_end[x]))
                ),
            ),
            "For LJ8: a member that may come in by a proposal has all that is acknowledged.",
        ),
        lemma(
            "LM11",
            partition_epoch.is_(0).implies(
                nothing_known
                & for_all(b, e, elected_in[b, e].is_(0))
                & for_all(b, e, life, ~has_asked[e, b, life])
                & for_all(e, unclean_at[e].is_(0))
            ),
            "For LM1: before the partition is created nothing is known of it.",
        ),
        lemma(
            "LH1",
            for_all(
                e,
                x,
                life,
                slowest[e]
                .is_(x)
                .implies(
                    (known_epoch[x] > e)
                    & (fetched[e, x] <= slowest_end[e])
                    & ((fetched_from[e, x, life] <= slowest_end[e]) | (life < known_life[e, x]))
                ),
            ),
            "For LH4: the slowest of those that left an epoch will not be noted with more than it had.",
        ),
        always(
            "DP11",
            for_all(
                v, f, life, ((v <= partition_epoch) & leader_at[v].is_(f)).implies(~has_asked[epoch_at[v], f, life])
            ),
            "No broker fetches in a leader epoch that is its own.",
            "KIP-101",
        ),
        step(
            "DP9",
            for_all(
                b,
                (crashed[b] & next_(crashed[b])).implies(
                    stays(log_end[b])
                    & stays(known_epoch[b])
                    & for_all(
                        e,
                        life,
                        stays(fetched_from[e, b, life]) & next_(has_asked[e, b, life]).is_(has_asked[e, b, life]),
                    )
                ),
            ),
            "A broker that lost records and has not registered again reads, fetches and appends nothing.",
            "KIP-631",
        ),
    )
}
"""The claims of `kraft-data` that speak of fetches, of the fetches of every life."""
