"""Properties of `zk-data` besides the theorem: changes of the znode, what leaders drop or cancel, reachability.

As in `kraft-data`, each refutes an edit of a row that the theorem and its lemmas let pass (`tests/zk_data/test_claims.py`).
"""

from __future__ import annotations

from fencepost.model.kraft_data.more_properties import MORE as KRAFT_MORE
from fencepost.model.kraft_data.quantified import for_all, stays
from fencepost.model.kraft_data.state import *
from fencepost.model.language import Always, Sometimes, Step, exists, just, next_, present, sometimes, step, when

_unheard = for_all(b, ~leads(b, e))
_forgets = (
    stays(high_watermark[e])
    & stays(leader_end[e])
    & stays(known_partition_epoch[e])
    & next_(known_isr[e]).is_(known_isr[e])
    & for_all(f, stays(fetched[e, f]) & stays(fetched_broker_epoch[e, f]))
)
SHARED = ("DP5", "DP7", "DP9", "DP11", "DP12")
"""Claims of `kraft-data` that hold here as they are."""
MORE: tuple[Step | Always, ...] = (
    step(
        "ZDP1",
        (partition_epoch.is_(0) & ~stays(partition_epoch)).implies(next_(present(leader)) & next_(epoch).is_(1)),
        "A partition begins with a leader, in its first leader epoch.",
        "S4:21",
    ),
    step(
        "ZDP2",
        b.in_(isr)
        & (next_(isr).is_(isr - just(b)) | isr.is_(just(b)) & next_(isr).is_(isr))
        & next_(leader).is_(when(leader.is_(b), NO_ONE, leader)),
        "A replica that goes Offline was in the ISR, and is the only one that leaves it; the last member stays. Who else leads goes on.",
        "S4:53, KAFKA-5083",
        rows=("ZDC2",),
    ),
    step(
        "ZDP3",
        (stays(epoch) & next_(leader).is_(leader)) | next_(epoch).is_(epoch + 1),
        "A leader epoch stays with its leader, or rises by one.",
        "S4:24-28",
    ),
    step(
        "ZDP6",
        for_all(e, (present(leader_of[e]) & _unheard).implies(_forgets)),
        "What a leader knew of its epoch, and what it acknowledged, stays as it was once it no longer leads there.",
        "KIP-101, KIP-320",
    ),
    *(one for one in KRAFT_MORE if one.id in SHARED),
)
_same_epoch = (v < w) & (w <= partition_epoch) & epoch_at[v].is_(epoch_at[w])
_all_is_acknowledged = high_watermark[e].is_(leader_end[e])
_joined_under = epoch_at[w]
_idle = leader_end[_joined_under].is_(epoch_start[_joined_under])
_cut_off = (i + 1 < leader_end[e]) & for_all(b, ~has(b, e, i + 1))
SEEN: tuple[Sometimes, ...] = (
    sometimes(
        "W4",
        exists(v, exists(w, exists(x, _same_epoch & ~x.in_(isr_at[v]) & x.in_(isr_at[w])))),
        "In a leader epoch a follower comes into the ISR.",
        "S4, KAFKA-7128",
    ),
    sometimes(
        "W11",
        exists(v, exists(w, exists(x, _same_epoch & ~x.in_(isr_at[v]) & x.in_(isr_at[w]) & _idle))),
        "A follower comes into the ISR of a leader that has appended nothing in its epoch.",
        "KAFKA-7128",
    ),
    sometimes(
        "W5",
        exists(v, exists(w, exists(x, _same_epoch & x.in_(isr_at[v]) & ~x.in_(isr_at[w])))),
        "In a leader epoch a member leaves the ISR.",
        "S4, KIP-497",
    ),
    sometimes(
        "W6",
        exists(
            e, exists(f, (high_watermark[e] > 0) & _all_is_acknowledged & leader_of[e].isnt(f) & f.in_(known_isr[e]))
        ),
        "All that a leader has is acknowledged, with a follower in the ISR.",
        "KIP-101",
    ),
    sometimes(
        "W7",
        exists(e, exists(i, exists(f, _cut_off & leader_of[e].is_(f) & truncated[f] & has(f, e, i)))),
        "A leader's record is in no log any more, and the one before it is still in its own.",
        "KIP-101, KIP-279",
    ),
    sometimes(
        "W8", exists(b, truncated[b] & (broker_epoch[b] > 1)), "A broker that lost records follows again.", "KIP-380"
    ),
    sometimes(
        "W9",
        exists(e, exists(f, (high_watermark[e] > log_end[f]) & ~f.in_(known_isr[e]))),
        "A record is acknowledged that a broker outside the ISR does not have.",
        "S4, KIP-101",
    ),
)
"""Properties that are reached at the bounds of `zk-data_seen`; rows that do less do not reach them."""
