"""State of `zk-data`: that of `kraft-data` without ELR, minimum and proposals, and who may come to lead.

The state znode of the partition is what Kafka called `LeaderAndIsr` with the znode's version, and since KIP-497 the partition epoch:
whatever is written raises it by one, and a write asks for the version that its writer knows. So the maps by partition epoch of
`kraft-data` are the znode's history. Requests carry the znode as it was under some version, however late they come.
"""

from __future__ import annotations

from fencepost.model.kraft_data.state import *
from fencepost.model.language import Assign, Term, maybe, per, procedure

elected_in = per(
    BROKER, "elected_in", EPOCH, 0, what="ghost", about="the newest epoch for which the broker was elected"
)
_to, _under = maybe(BROKER).var("to"), EPOCH.var("under")
_isr = BROKERS.var("new_isr")


@procedure(_to, _under, _isr)
def write(to: Term[Broker | None], under: Term[int], new_isr: Term[frozenset[Broker]]) -> tuple[Assign, ...]:
    """A broker or controller that knows the znode's version writes it: leader, leader epoch, ISR, under the next version."""
    new = partition_epoch + 1
    return (
        partition_epoch.becomes(new),
        leader_at[new].becomes(to),
        epoch_at[new].becomes(under),
        isr_at[new].becomes(new_isr),
    )


# A function and no definition, as in kraft-data: Z3 is quicker where it sees the condition itself.
def candidate(b: Term[Broker], e: Term[int]) -> Term[bool]:
    """The broker may come to lead after an epoch: it is in the ISR, or has been elected and has not read it."""
    return b.in_(isr) | ((elected_in[b] > e) & (elected_in[b] > known_epoch[b]))
