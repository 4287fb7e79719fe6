"""Defects of a time lease without epochs, as edits of the lease tables, and their repairs by epochs (S-a, S-f).

Each edit lets two brokers believe at once though both timers are in the safe region, or takes them out of it. Those that are
called fenced start from the edit, and have the storage compare the leader epoch of each append: two brokers may still
believe, and what the old one appends is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fencepost.model.language import FALSE, TRUE, Protocol, Term, event, every, per, present, when
from fencepost.model.leases import LEASE
from fencepost.model.leases.protocol import lengths, settings
from fencepost.model.leases.state import *
from fencepost.model.leases.tables import CONTROLLER, HEARTBEATS, RECORDS, runs

from .entry import Entry, Expected

shorten = event("ReceiveHeartbeatShorter", b, environment=True, source="S2:43")
move = event("MoveLeader", b, environment=True, source="S2:44-46, S4:98-104")
read_old = event("ReadOldRecord", b, environment=True, source="S2:60")
named_epoch = per(
    BROKER, "named_epoch", EPOCH, 0, about="the leader epoch of the newest record that names the broker leader"
)


def moved(base: Protocol) -> Protocol:
    """The controller moves the leadership of a broker that lives, without waiting for its lease (reassignment, preferred election)."""
    row = move("LM1", present(leader) & leader.isnt(b) & ~fenced[b], leader.becomes(b), epoch.becomes(epoch + 1))
    return base.plus(row, why="a live leader is moved", table=CONTROLLER.name)


def late_record(base: Protocol) -> Protocol:
    """A broker reads records one after the other: a record of an earlier leadership comes after its lease was renewed."""
    why = "an old record is read late"
    elected = base.but("LX2", why=why, effects=(
        leader.becomes(b), epoch.becomes(epoch + 1), named_epoch[b].becomes(epoch + 1)))  # fmt: skip
    old = read_old(
        "LB0", (named_epoch[b] > 0) & ~leads[b], leads[b].becomes(TRUE), read_epoch[b].becomes(named_epoch[b])
    )
    return elected.plus(old, why=why, table=RECORDS.name)


def late_answer(base: Protocol) -> Protocol:
    """The broker's timer starts when an answer arrives, however late that is."""
    return _starting(base, lengths & ~from_send & ~in_time, "the timer starts at the answer, and nothing bounds delays")


def longer_lease(base: Protocol) -> Protocol:
    """The broker's timer is the longer one, as KIP-343 has it; answers come in time, and none gets lost."""
    start = lengths & ~from_send & in_time & longest_delay.is_(0) & (longest_session <= shortest_lease)
    return _starting(base, start, "Tb > Tc").without("LH7", why="no answer is lost")


def one_heartbeat(base: Protocol) -> Protocol:
    """One heartbeat is enough to be active again: who was given up never learns of it (S-f, S2:443)."""
    return base.but(
        "LH2",
        when=exchange[b].is_(Exchange.SENT),
        effects=(
            fenced[b].becomes(FALSE), session[b].becomes(runs), exchange[b].becomes(Exchange.ANSWERED),
            due[b].becomes(when(in_time, longest_delay, due[b])),
        ),
        why="every broker that sends a heartbeat is active",
    ).without("LH3", why="no broker is refused")  # fmt: skip


def no_broker_timer(base: Protocol) -> Protocol:
    """A broker does not look at the time: it believes until it hears otherwise (V2.3, and Kafka as built)."""
    passing = (session[x].becomes(less(session[x])), offered[x].becomes(less(offered[x])), due[x].becomes(less(due[x])))
    return base.but("LC1", effects=every(x, TRUE, *passing), why="only the controller has a timer")


def shorter_promise(base: Protocol) -> Protocol:
    """The length is chosen in each answer, and the controller goes by the last one alone: one unit, after a longer one."""
    shorter = shorten(
        "LH2s", exchange[b].is_(Exchange.SENT) & ~fenced[b] & (offered[b] > 0), session[b].becomes(1), offered[b].becomes(1),
        exchange[b].becomes(Exchange.ANSWERED), due[b].becomes(when(in_time, longest_delay, due[b])),
    )  # fmt: skip
    return base.plus(
        shorter, why="a shorter lease takes the place of a longer one", table=HEARTBEATS.name, before="LH3"
    )


def fenced_by_epoch(base: Protocol) -> Protocol:
    """The storage compares the epoch of each append with the newest one (H10, H11)."""
    return base.but(
        "LB3", when=believes(b) & read_epoch[b].is_(epoch), why="appends of an older leader epoch are refused"
    )


def _starting(base: Protocol, start: Term[bool], why: str) -> Protocol:
    """Return the variant with other settings; the lemma that they are safe goes."""
    kept = tuple(one for one in base.properties if one.id != "LLr")
    return replace(base, start=start, properties=kept, base=base.base or base, why=why)


Edit = Callable[[Protocol], Protocol]
FROM_ANSWER = settings(False, (1, 1), (2, 2))
"""A lease of one unit, a session of two: safe in the region's terms, had the answers come in time."""
EQUAL = settings(True, (2, 2), (2, 2))
"""A lease and a session of two units from the send: safe, at the border."""
THE_LONGER = settings(False, (2, 2), (1, 1), 0)


def _both(
    name: str, why: str, edit: Edit, length: int, appends: int, row: str, start: Term[bool] | None = None
) -> tuple[Entry, Entry]:
    """Return an edit that lets two believe, by its last row, and the epochs that keep what they append apart."""
    found = Expected("LE1", length, row=row, start=start)
    taken = Expected("LE3", appends, row="LB3", start=start)
    return (
        Entry(name, "lease", "S-a, S-f" if name == "one_heartbeat" else "S-a", why, edit, (found,), within=LEASE),
        Entry(
            f"{name}_fenced",
            "lease",
            "KIP-101, H11",
            f"{why} Appends of the old leader were stored, as leader epochs were not compared.",
            fenced_by_epoch,
            (taken,),
            ground=edit,
            within=LEASE,
            repairs=True,
        ),
    )


LEASE_MUSEUM: tuple[Entry, ...] = (
    *_both("moved", "A leader that lives was moved (reassignment, preferred election) while it held its lease.", moved, 6, 6, "LB1"),
    *_both("late_record", "A record of an earlier leadership, read late, made a broker with a fresh lease believe again.", late_record, 10, 8, "LB1"),
    *_both("late_answer", "An answer that came late gave a lapsed lease a new start.", late_answer, 12, 10, "LH5", FROM_ANSWER),
    *_both("one_heartbeat", "A broker that had been given up was active again by its next heartbeat, and had not learnt of it.", one_heartbeat, 12, 10, "LH4"),
    *_both("no_broker_timer", "Only the controller had a timer (S2:62): a broker that was cut off believed until it heard otherwise.", no_broker_timer, 9, 7, "LB1"),
    *_both("shorter_promise", "The controller chose a shorter lease than before (S2:43), the answer was lost, and it forgot the longer one.", shorter_promise, 10, 8, "LB1", EQUAL),
    *_both("longer_lease", "The broker's timer was the longer one (S0:50): the controller had elected another while it served.", longer_lease, 8, 6, "LB1", THE_LONGER),
)  # fmt: skip
"""Entries for what a time lease alone does not give; S-f's second half is the region itself."""
