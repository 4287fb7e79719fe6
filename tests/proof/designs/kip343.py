"""Edits of rows of KIP-343, each with the claim beyond the first ones that alone notices it."""

from fencepost.model.kip343.partitions import elected, served
from fencepost.model.kip343.state import *
from fencepost.model.language import TRUE, absent, only_if

from .edits import Noticed, also, chained, guarded, instead, removed, silent, unguarded

_silent_for_long = now > last_contact[b] + controller_timeout

BATCHES: dict[str, tuple[Noticed, ...]] = {
    "live replicas join the ISR in an election": (
        Noticed(
            "HE1", "HI25", chained(silent("HE1", isr), also("HE1", isr[p].becomes((isr[p] | replicas[p]) & served())))
        ),
    ),
    "one row each": (
        Noticed("H11", "HI26", instead("H11")),
        Noticed("H12", "HI19", silent("H12", incarnation)),
        Noticed("H6", "HI17", unguarded("H6", _silent_for_long)),
        Noticed("H4", "HI11", silent("H4", state)),
        Noticed("H5", "HI13", silent("H5", answered)),
        Noticed("HS1", "HI14", silent("HS1", asked_target)),
        Noticed("H8e", "HI15", silent("H8e", answer_error)),
        Noticed("HZ6", "HI16", also("HZ6", only_if(controller & state[b].is_(ACTIVE), state[b].becomes(STOPPING)))),
        Noticed("H6", "HI18", silent("H6", state)),
        Noticed("HZ3", "HI20", unguarded("HZ3", registered[b].is_(0))),
        Noticed("HZ1", "HI21", silent("HZ1", fenced)),
        Noticed("H7", "HI23", silent("H7", fenced)),
        Noticed("H8", "HI24", silent("H8", fenced)),
        Noticed("HE1", "HI28", silent("HE1", isr)),
        Noticed("HE2", "HI30", guarded("HE2", absent(elected))),
        Noticed("HE3", "HI31", silent("HE3", believes)),
        Noticed("H9w", "HI26", instead("H9w")),
        Noticed("HS2", "HI33", unguarded("HS2", ~asked[b])),
        Noticed("H9", "HI34", chained(silent("H9", accepted), also("H9", accepted[b].becomes(registered[b] + 1)))),
        Noticed("HC1", "HI36", silent("HC1", of_former)),
        Noticed("HZ5", "HI38", unguarded("HZ5", running[b])),
        Noticed("HZ7", "HI39", unguarded("HZ7", shutting_down[b])),
        Noticed("HZ6", "HI40", unguarded("HZ6", ~legacy[b])),
        Noticed("HZ4", "HI41", silent("HZ4", other)),
    ),
    "controllers": (
        Noticed("HC1", "HI37", unguarded("HC1", controller)),
        Noticed("H3a", "HI35", silent("H3a", timed_out)),
    ),
    "others": (
        Noticed("HZ1", "HI32", silent("HZ1", believes)),
        Noticed("HE3", "HI22", also("HE3", fenced[b].becomes(TRUE))),
        Noticed(
            "HE1",
            "HI29",
            instead(
                "HE1",
                leader[p].becomes(elected),
                leader_epoch[p].becomes(leader_epoch[p] + 2),
                isr[p].becomes(isr[p] & served()),
                leader_in[p, leader_epoch[p] + 2].becomes(elected),
            ),
        ),
        Noticed("H3a", "HI11", silent("H3a", incarnation)),
    ),
    "a heartbeat that names no broker": (Noticed("H1", "HI12", removed("H1"), "H5"),),
    "a node that is not the controller": (Noticed("H10a", "HI27", removed("H10a"), "H11"),),
}
