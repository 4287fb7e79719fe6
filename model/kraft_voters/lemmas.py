"""Lemmas for the proof of `kraft-voters`: what the logs of epochs have, and what controllers have of them."""

from __future__ import annotations

from fencepost.model.kraft_data.quantified import for_all
from fencepost.model.language import Always, absent, lemma, present

from .state import *

LEMMAS: tuple[Always, ...] = (
    lemma("VL1", for_all(e, ((e > raft_epoch) | e.is_(0)).implies(
        log_end[e].is_(0) & epoch_start[e].is_(0) & absent(leader_of[e]) & high_watermark[e].is_(0))), "For VP2s, VP9, VP10: nothing is there of epochs to come."),
    lemma("VL4", for_all(c, (end[c] <= log_end[follows[c]]) & (follows[c] <= epoch[c]) & (epoch[c] <= raft_epoch)), "For VL5: a controller has what there is."),
    lemma("VL5", for_all(n, leads[n].implies(leader_of[epoch[n]].is_(n) & follows[n].is_(epoch[n]) & end[n].is_(log_end[epoch[n]]) & (epoch[n] >= 1))),
          "For VP2: a leader has the log of its epoch."),
    lemma("VL6", for_all(e, (high_watermark[e] <= log_end[e]) & ((high_watermark[e] > 0).implies(high_watermark[e] > epoch_start[e]))
          & present(leader_of[e]).implies(epoch_start[e] < log_end[e])), "For VP2: what is committed is in the log."),
    lemma("VL8", for_all(e, o, s, ((o < s) & (s <= log_end[e]) & changes[e, o]).implies(level[e, s])), "For VP1: voters come with kraft.version 1, which stays."),
    lemma("VL9", for_all(e, c, told[e, c].implies(supports[c])), "For VP8: what a leader was notified of holds."),
    lemma("VL10", for_all(c, joins[c].implies(auto_join[c])), "For VP15: who asks has auto-join."),
    lemma("VL11", for_all(c, k, replaces[c].is_(k).implies(node_id[k].is_(node_id[c]) & k.isnt(c))), "For VP17: who asks asks for its own node."),
)  # fmt: skip
