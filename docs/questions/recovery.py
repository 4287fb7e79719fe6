"""KIP-966's unclean recovery as variants of kraft-data: the election where no replica is left that has every record."""

from __future__ import annotations

from dataclasses import replace

from fencepost.model.kraft_data.controller import NOBODY
from fencepost.model.kraft_data.quantified import for_all
from fencepost.model.kraft_data.slices import CLAIMS, bound
from fencepost.model.kraft_data.state import (
    BROKERS,
    crashed,
    e,
    elr,
    epoch,
    g,
    has,
    high_watermark,
    isr,
    leader,
    leader_log,
    log,
    log_end,
    n,
    o,
    unclean_at,
    x,
)
from fencepost.model.language import FALSE, Protocol, Term, absent, forall, step

KEPT = step(
    "RecoveryKeepsWhatIsLeft",
    for_all(
        x,
        e,
        o,
        ((o < high_watermark[e]) & (e <= epoch) & (unclean_at[epoch] <= e) & has(x, e, o)).implies(has(g, e, o)),
    ),
    "Who is elected uncleanly has every acknowledged record that any replica still has, if no earlier "
    "election was unclean.",
    "KIP-966",
    rows=("DC19",),
)
ASKED = ("Create", "Elect", "FenceLeader", "TakeMetadata", "Append", "RaiseHighWatermark", "Stop", "RegisterUncleanly")
NEVER = {
    one.name: FALSE
    for one in CLAIMS.events
    if one.name not in (*ASKED, "ElectUncleanly", "RegisterUncleanlyElectsUncleanly")
}

# A recovery is a task of its own: no registration elects uncleanly on the way (DC20).
BASE = replace(
    CLAIMS,
    name="kraft-data+task",
    properties=(*CLAIMS.properties, KEPT),
    inputs=tuple(one for one in CLAIMS.inputs if one.event != "RegisterUncleanlyElectsUncleanly"),
    bounds={"answers": bound(2, 1, 5, 5, 2, 1, given=NEVER), "records": bound(2, 2, 5, 5, 2, 1, given=NEVER)},
)
WHY = "the controller asks replicas how far their logs come, and elects by the answers"
NOTHING_LEFT = absent(leader) & isr.is_(NOBODY) & elr.is_(NOBODY)
answered = BROKERS.var("answered")
longer = log_end[x] <= log_end[g]
newest, newest_of_other = log[g, log_end[g] - 1], log[x, log_end[x] - 1]
newer = (log_end[x] > 0).implies((log_end[g] > 0) & ((newest_of_other < newest) | newest_of_other.is_(newest) & longer))


def electing(name: str, when: Term[bool], *choose: Term[object]) -> Protocol:
    """Return the tables in which an unclean election happens under a condition."""
    alone = BASE.without("DC20", why=WHY)
    return alone.but("DC19", when=alone.row("DC19").when & when, choose=choose, why=WHY, name=f"kraft-data+{name}")


TODAY = electing("today", NOTHING_LEFT)
"""The first that is there, whatever its log."""
AGGRESSIVE = electing(
    "aggressive", absent(leader) & g.in_(answered) & forall(x, x.in_(answered).implies(~crashed[x] & newer)), answered
)
"""Of those that have answered in time, who has the newest last record."""
LONGEST = electing("longest", NOTHING_LEFT & forall(x, ~crashed[x] & longer))
"""All have answered, and who has the longest log is elected, of whatever epochs."""
BALANCED = electing("balanced", NOTHING_LEFT & forall(x, ~crashed[x] & newer))
"""All have answered, and who has the newest last record is elected: of the latest epoch, and the last of these."""
REPAIRED = BALANCED.but(
    "DL6",
    when=BALANCED.row("DL6").when & leader_log[e, n - 1].is_(e),
    why="a leader acknowledges nothing before a record of its own epoch, as in Raft",
    name="kraft-data+balanced+own-epoch",
)
