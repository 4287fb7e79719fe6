"""Edits of rows of KIP-631's first version, each with the claim beyond the first ones that alone notices it."""

from fencepost.model.kip631.v1.brokers import at
from fencepost.model.kip631.v1.leases import fence, over
from fencepost.model.kip631.v1.messages import answer
from fencepost.model.kip631.v1.partitions import advance, chosen, left, reached
from fencepost.model.kip631.v1.records import FENCE_BROKER, ISR_CHANGE
from fencepost.model.kip631.v1.registration import conflict, process
from fencepost.model.kip631.v1.state import *
from fencepost.model.language import FALSE, TRUE, every, just, members, none_of, only_if, some, those, when

from .edits import Noticed, also, chained, guarded, instead, removed, silent, unguarded

S = BrokerState
_live = those(x, x.in_(members(replicas[q])) & ~fenced[x]) - just(b)
_leaves = leader[q].is_(b)
_ended = lease_end[b].becomes(-1), granted[b].becomes(FALSE)


def _without(isr_of_q: object) -> object:
    """What a fence writes of partitions, with another ISR than without the broker."""
    return every(
        q,
        _leaves | left(q, b).isnt(isr[q]),
        ISR_CHANGE(
            q,
            isr=isr_of_q,  # type: ignore[arg-type]
            leader=when(_leaves, none_of(BROKER), leader[q]),
            leader_epoch=when(_leaves, leader_epoch[q] + 1, leader_epoch[q]),
        ),
    )


_fenced = FENCE_BROKER(b, epoch=broker_epoch[b])

BATCHES: dict[str, tuple[Noticed, ...]] = {
    "one row each": (
        Noticed("V1.8", "P5", instead("V1.8", _without(left(q, b) | _live), _fenced, advance(), *_ended)),
        Noticed("V1.8g", "KE", guarded("V1.8g", over)),
        Noticed("V1.10", "K17", also("V1.10", fence(b), advance())),
        Noticed(
            "VH1",
            "K16",
            also(
                "VH1",
                only_if(
                    active & registered[b] & own_epoch[b].is_(broker_epoch[b]) & own_incarnation[b].is_(incarnation[b]),
                    fenced[b].becomes(FALSE),
                ),
            ),
        ),
        Noticed("V1.6r", "K19", silent("V1.6r", reported_offset)),
        Noticed("V1.11", "K18s", also("V1.11", answer(Next.FENCED))),
        Noticed("V1.5", "K18", silent("V1.5", granted)),
        Noticed("V1.2", "K20", silent("V1.2", last_contact)),
        Noticed("V1.1b", "K21", silent("V1.1b", shutting_down)),
        Noticed("VH5", "KM", silent("VH5", says_next)),
        Noticed("VB5", "KH", silent("VB5", says_offset)),
        Noticed("VB6", "K25", guarded("VB6", at(S.FENCED, S.RUNNING, S.SHUTTING_DOWN))),
        Noticed("VH2", "KA", silent("VH2", own_lease_end)),
        Noticed("VC2", "K38", silent("VC2", own_offset)),
        Noticed("VC2", "K27", guarded("VC2", broker_state[b].isnt(S.NOT_RUNNING) & (reached > own_offset[b]))),
        Noticed("VE3", "P5a", unguarded("VE3", b.in_(replicas[p]))),
        Noticed(
            "VE2",
            "P9e",
            instead("VE2", ISR_CHANGE(p, isr=isr[p], leader=some(chosen), leader_epoch=leader_epoch[p] + 2), advance()),
        ),
    ),
    "answers, leases, processes": (
        Noticed("V1.5n", "K30", removed("V1.5n"), "V1.5s"),
        Noticed("V1.3", "K31", guarded("V1.3", conflict(b, process))),
        Noticed(
            "V1.7",
            "K32",
            chained(silent("V1.7", says_next), also("V1.7", every(m, TRUE, says_next[m].becomes(Next.NOTHING)))),
        ),
        Noticed(
            "VF2",
            "K33",
            chained(silent("VF2", last_contact), also("VF2", every(b, TRUE, last_contact[b].becomes(now)))),
        ),
        Noticed("V1.9", "K34", silent("V1.9", own_lease_end)),
        Noticed("VB8", "K35", unguarded("VB8", ~at(S.NOT_RUNNING))),
        Noticed("VF1", "K36", unguarded("VF1", active)),
        Noticed("VT2", "K37", unguarded("VT2", to.isnt(next_lease))),
    ),
    "others": (
        Noticed("V1.8", "P7f", instead("V1.8", _without(isr[q]), _fenced, advance(), *_ended)),
        Noticed(
            "V1.11", "KL", also("V1.11", lease_end[b].becomes(when(lease_end[b] > now, lease_end[b], now + next_lease)))
        ),
        Noticed("VH1", "K26", silent("VH1", serving)),
        Noticed("VC2", "K28", guarded("VC2", broker_state[b].isnt(S.NOT_RUNNING) & (reached <= committed))),
        Noticed(
            "VE3",
            "P16",
            instead(
                "VE3",
                ISR_CHANGE(p, isr=isr[p] | just(b), leader=none_of(BROKER), leader_epoch=leader_epoch[p] + 1),
                advance(),
            ),
        ),
        Noticed(
            "VE1", "P15", guarded("VE1", active & chosen.in_(isr[p]) & ~fenced[chosen] & leader[p].is_(none_of(BROKER)))
        ),
        Noticed("V1.1n", "K22", guarded("V1.1n", ~active & (~registered[b] | conflict(b, process))), "V1.2"),
    ),
}
