"""The lease tables: time, heartbeats, what the controller does when a session is over, what a broker makes of records."""

from __future__ import annotations

from fencepost.model.language import FALSE, TRUE, absent, event, every, forall, none_of, some, table, when

from .state import *

lasts, runs = UNITS.var("lasts"), UNITS.var("runs")
lease_given = (shortest_lease <= lasts) & (lasts <= longest_lease) & (lease[b] <= lasts)
"""Drift decides how long a timer lasts; one that starts later ends no earlier, since one clock measures both."""
session_given = (shortest_session <= runs) & (runs <= longest_session) & (session[b] <= runs)
_silent = exchange[b].is_(Exchange.NONE)

# -- time ------------------------------------------------------------------------------------------------------------------
tick = event("Tick", environment=True, source="S0:42,48")
TIME = table(
    "time",
    tick(
        "LC1", forall(x, (exchange[x].is_(Exchange.ANSWERED) & in_time).implies(due[x] > 0)),
        every(x, TRUE, lease[x].becomes(less(lease[x])), session[x].becomes(less(session[x])),
              offered[x].becomes(less(offered[x])), due[x].becomes(less(due[x]))),
    ),
    about="A unit of real time passes, for all timers alike.",
    why={"LC1": "Where delays are bounded time does not pass over an answer that is due."},
)  # fmt: skip

# -- heartbeats ------------------------------------------------------------------------------------------------------------
register = event("Register", b, lasts, runs, given=lease_given & session_given, environment=True, source="S2:34,425")
send = event("SendHeartbeat", b, lasts, given=lease_given, environment=True, source="S0:42, S2:41")
receive = event("ReceiveHeartbeat", b, runs, given=session_given, environment=True, source="S0:48, S2:43")
refuse = event("RefuseHeartbeat", b, environment=True, source="S2:41")
hear = event("ReceiveAnswer", b, lasts, given=lease_given, environment=True, source="S0:42, S2:43")
hear_refusal = event("ReceiveRefusal", b, environment=True, source="S2:41,443")
lose = event("LoseMessage", b, environment=True, source="S0:42")
HEARTBEATS = table(
    "heartbeats",
    register("LR1", fenced[b] & ~leads[b] & _silent,
             fenced[b].becomes(FALSE), lease[b].becomes(lasts), session[b].becomes(runs)),
    send("LH1", _silent & from_send, exchange[b].becomes(Exchange.SENT), offered[b].becomes(lasts)),
    send("LH1a", _silent & ~from_send & lasts.is_(longest_lease), exchange[b].becomes(Exchange.SENT)),
    receive("LH2", exchange[b].is_(Exchange.SENT) & ~fenced[b],
            session[b].becomes(runs), exchange[b].becomes(Exchange.ANSWERED), due[b].becomes(when(in_time, longest_delay, due[b]))),
    refuse("LH3", exchange[b].is_(Exchange.SENT) & fenced[b], exchange[b].becomes(Exchange.REFUSED)),
    hear("LH4", exchange[b].is_(Exchange.ANSWERED) & from_send & lasts.is_(longest_lease),
         lease[b].becomes(when(lease[b] < offered[b], offered[b], lease[b])),
         exchange[b].becomes(Exchange.NONE), offered[b].becomes(0), due[b].becomes(0)),
    hear("LH5", exchange[b].is_(Exchange.ANSWERED) & ~from_send,
         lease[b].becomes(lasts), exchange[b].becomes(Exchange.NONE), due[b].becomes(0)),
    hear_refusal("LH6", exchange[b].is_(Exchange.REFUSED),
                 leads[b].becomes(FALSE), exchange[b].becomes(Exchange.NONE), offered[b].becomes(0)),
    lose("LH7", ~_silent, exchange[b].becomes(Exchange.NONE), offered[b].becomes(0), due[b].becomes(0)),
    about="A heartbeat and its answer give both timers a new start; either may be late, or get lost.",
    why={
        "LR1": "A broker that the controller gave up, and that has heard so, begins anew; its registration is a contact of both.",
        "LH1": "A lease that counts from the send goes on running down while the heartbeat is under way.",
        "LH1a": "A lease that counts from the answer has no length yet.",
        "LH2": "A session that is over, and that the controller has not acted upon, goes on.",
        "LH3": "A broker that was given up is answered so, and holds no lease until it registers.",
    },
)  # fmt: skip

# -- the controller --------------------------------------------------------------------------------------------------------
expire = event("SessionOver", b, environment=True, source="S0:48, S2:43")
elect = event("Elect", b, environment=True, source="S0:48")
CONTROLLER = table(
    "controller",
    expire("LX1", ~fenced[b] & session[b].is_(0),
           fenced[b].becomes(TRUE), leader.becomes(when(leader.is_(b), none_of(BROKER), leader)),
           epoch.becomes(when(leader.is_(b), epoch + 1, epoch))),
    elect("LX2", absent(leader) & ~fenced[b],
          leader.becomes(b), epoch.becomes(epoch + 1)),
    about="Only when a broker's session is over the controller takes the leadership from it.",
    why={"LX1": "A partition without a leader has a leader epoch of its own, as in Kafka."},
)  # fmt: skip

# -- brokers ---------------------------------------------------------------------------------------------------------------
read = event("ReadRecord", b, environment=True, source="S0:26, S2:60")
append = event("Append", b, environment=True, source="S0:44")
RECORDS = table(
    "records",
    read("LB1", leader.is_(b) & ~(leads[b] & read_epoch[b].is_(epoch)), leads[b].becomes(TRUE), read_epoch[b].becomes(epoch)),
    read("LB2", leader.isnt(b) & leads[b], leads[b].becomes(FALSE)),
    append("LB3", believes(b), last.becomes(some(b))),
    about="A broker reads the newest record of its partition, and appends while it believes that it leads.",
    why={"LB3": "The storage compares no epoch with an append: only the lease protects."},
)  # fmt: skip
