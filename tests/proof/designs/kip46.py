"""Edits of rows of KIP-46, each with the claim beyond the first ones that alone notices it."""

from fencepost.model.kip46 import KIP46
from fencepost.model.kip46.discovery import clock, to
from fencepost.model.kip46.mitigation import complete, goal, number, partitions, satisfied
from fencepost.model.kip46.state import *
from fencepost.model.language import FALSE, TRUE, at_least, empty, every, forall, just, only_if

from .edits import Noticed, also, chained, guarded, instead, silent, unguarded

_first = queued[number] & forall(j, (j < number).implies(~queued[j])) & forall(j, ~running[j])
_any = queued[number] & forall(j, ~running[j])
_live_stay = (replicas[p] & known_live()) - just(b) <= goal
_picks = controller & healing[b] & p.in_(listed[b]) & at_least(goal, desired[p])

BATCHES: dict[str, tuple[Noticed, ...]] = {
    "one row each": (
        Noticed("SH10", "SI8", instead("SH10", KIP46.row("SH1").effects)),
        Noticed("SH1", "SI9", silent("SH1", timer)),
        Noticed(
            "SH1k",
            "SI10",
            also(
                "SH1k",
                failed[b].becomes(clock),
                gone_since[b].becomes(now),
                only_if(~healing[b], timer[b].becomes(clock + interval)),
            ),
        ),
        Noticed("SH7", "SI12", silent("SH7", live)),
        Noticed(
            "SH8", "SI30", chained(silent("SH8", caught), also("SH8", every(q, TRUE, caught[q].becomes(replicas[q]))))
        ),
        Noticed("SH6", "SI14", unguarded("SH6", controller)),
        Noticed("TM1", "SI15", guarded("TM1", to >= 0)),
        Noticed("SH3", "SI16", silent("SH3", healing)),
        Noticed("SH2", "SI17", silent("SH2", listed)),
        Noticed("SH3a", "SI18", guarded("SH3a", _picks & ~b.in_(goal) & _live_stay)),
        Noticed("SH3b", "SI21", unguarded("SH3b", empty(listed[b]))),
        Noticed("SH6", "SI22", silent("SH6", chunk)),
        Noticed("SH3c", "SI23", silent("SH3c", failed)),
        Noticed("SH4", "SI26", silent("SH4", replicas)),
        Noticed(
            "MT1",
            "SI28",
            also(
                "MT1", every(q, q.in_(partitions), replicas[q].becomes(replicas[q] | goal), settled[q].becomes(FALSE))
            ),
        ),
        Noticed("RP1", "SI32", unguarded("RP1", alive[b])),
    ),
    "others": (
        Noticed("SH1k", "SI11", silent("SH1k", live)),
        Noticed("SH8", "SI13", chained(silent("SH8", live), also("SH8", every(b, TRUE, live[b].becomes(TRUE))))),
        Noticed("SH3a", "SI19", guarded("SH3a", _picks & (goal <= known_live()) & _live_stay)),
        Noticed("SH3b", "SI20", chained(silent("SH3b", next_chunk), also("SH3b", next_chunk.becomes(next_chunk + 2)))),
        Noticed("SH4", "SI29", silent("SH4", caught)),
        Noticed("SH6", "SI27", unguarded("SH6", complete(number))),
        Noticed("SH2", "SI31", also("SH2", every(q, b.in_(replicas[q]), isr[q].becomes(isr[q] | just(b))))),
        Noticed(
            "SH10",
            "SI33",
            chained(silent("SH10", isr), also("SH10", every(q, b.in_(isr[q]), isr[q].becomes(isr[q] - just(b))))),
        ),
    ),
    "tasks in any order": (
        Noticed("SH4", "SI24", guarded("SH4", controller & _any & ~(automatic[number] & satisfied(number)))),
    ),
    "the first of them": (
        Noticed("SH4", "SI34", guarded("SH4", controller & _any & ~(automatic[number] & satisfied(number)))),
        Noticed("SH5", "SI25", guarded("SH5", controller & _first & automatic[number])),
    ),
}
