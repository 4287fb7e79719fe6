"""Edits of rows of leases, each with the claim beyond the first ones that alone notices it."""

from fencepost.model.language import when
from fencepost.model.leases.state import *
from fencepost.model.leases.tables import runs

from .edits import Noticed, guarded, instead, silent, unguarded

_silent = exchange[b].is_(Exchange.NONE)

BATCHES: dict[str, tuple[Noticed, ...]] = {
    "one row each": (
        Noticed("LX1", "LE5", silent("LX1", leader)),
        Noticed("LX2", "LE6", unguarded("LX2", ~fenced[b])),
        Noticed("LH1", "LE8", unguarded("LH1", _silent)),
        Noticed("LR1", "LE9", guarded("LR1", ~leads[b] & _silent)),
        Noticed("LH7", "LE10", silent("LH7", offered)),
        Noticed("LC1", "LE11", silent("LC1", session)),
        Noticed(
            "LH2",
            "LE12",
            instead(
                "LH2",
                session[b].becomes(runs + 1),
                exchange[b].becomes(Exchange.ANSWERED),
                due[b].becomes(when(in_time, longest_delay, due[b])),
            ),
        ),
        Noticed("LH4", "LE13", silent("LH4", lease)),
        Noticed("LB2", "LE14", silent("LB2", leads)),
        Noticed("LH6", "LE15", silent("LH6", leads)),
        Noticed("LB3", "LE16", silent("LB3", last)),
    ),
    "others": (Noticed("LX2", "LE7", silent("LX2", epoch)),),
}
