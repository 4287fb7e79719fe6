"""Properties that KIP-343 claims (HI1 to HI10), and the guarantees by which the designs are compared (M1 to M9)."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .brokers import current_state, error, fences_itself, handles_traffic, target, to, watched
from .controller import iid
from .partitions import asked_epoch, elected, new_isr, served, serves
from .state import *


@definition
def same_incarnation(b: Term[Broker]) -> Term[bool]:
    """The controller speaks of the process that is followed here, and not of another incarnation."""
    return incarnation[b].is_(own_incarnation[b])


HEARTBEATS = (
    result_step(
        "HI1",
        forall(b, (controller & next_(controller)).implies(next_(incarnation[b]) >= incarnation[b])),
        "As long as a controller is in office, the incarnation id that it takes for a broker's never decreases.",
        "S0:56",
    ),
    result_step(
        "HI1t",
        next_(accepted[b]) >= accepted[b],
        "Over all controllers the incarnation id of a broker never decreases: not so, it is in memory only and a session may have expired.",
        "S0:56",
        rows=("H3s", "H3a"),
        expected="violated",
        finding="H12",
    ),
    result_step(
        "HI3",
        (controller & same_incarnation(b) & ~unanswered[b]).implies(~handles_traffic(b)),
        "A broker that fences itself is Inactive already: while a controller is in office, and if no answer to an accepted heartbeat was lost.",
        "S0:50",
        rows=("H7",),
    ),
    result_step(
        "HI3c",
        (same_incarnation(b) & ~unanswered[b]).implies(controller & ~handles_traffic(b)),
        "A broker that fences itself is Inactive already, controller or none: not so if it is gone for longer than the broker's timeout.",
        "S0:50",
        rows=("H7",),
        expected="violated",
        finding="S0:50",
    ),
    result_step(
        "HI3r",
        (controller & same_incarnation(b)).implies(~handles_traffic(b)),
        "A broker that fences itself is Inactive already, answers lost or not: not so, heartbeats that arrive keep it Active.",
        "S0:50",
        rows=("H7",),
        expected="violated",
        finding="S0:50",
    ),
    always(
        "HI8",
        forall(b, watched(b).implies(now <= last_contact[b] + controller_timeout + 1)),
        "A broker that sends no heartbeat is Inactive at the controller within its timeout.",
        "S0:48",
    ),
    always(
        "HI8f",
        forall(b, fences_itself(b).implies(now <= last_reply[b] + broker_timeout + 1)),
        "A broker that gets no answer is fenced within its own timeout.",
        "S0:42",
    ),
    always(
        "HI10",
        forall(b, fences_itself(b).implies(now <= heard[b] + broker_timeout + 1)),
        "A broker that is cut off from the controller, and not from ZooKeeper, serves at most its timeout longer.",
        "S0:18",
    ),
    always(
        "HI10l",
        forall(b, (running[b] & ~fenced[b]).implies(now <= heard[b] + broker_timeout + 1)),
        "A legacy broker that is cut off serves at most its timeout longer: not so, it never fences itself.",
        "S0:18,134",
        expected="violated",
        finding="H9",
        by=("HT1",),
    ),
    result_step(
        "HI9s",
        next_(state[b]).is_(ACTIVE),
        "A heartbeat that asks for Active, of the incarnation that is taken for valid, makes the broker Active.",
        "S0:48,58",
        rows=("H3a", "H5"),
    ),
    always(
        "HI6",
        forall(
            b,
            (controller & legacy[b] & (registered[b] > 0) & incarnation[b].is_(registered[b])).implies(
                known_legacy[b] & state[b].is_(ACTIVE)
            ),
        ),
        "A legacy broker is Active from when the controller sees its registration until it is gone.",
        "S0:138",
    ),
    result_step(
        "HIu",
        asked_incarnation[b].is_(own_incarnation[b]),
        "A broker is unfenced by an answer to its present incarnation: not so, an answer names none (S0:92 says that it does).",
        "S0:83-86,92",
        rows=("H8",),
        expected="violated",
        finding="S0:92",
    ),
)

PARTITIONS = (
    result_step(
        "HI2",
        leader[p].is_(b) & asked_epoch.is_(leader_epoch[p]) & iid.is_(incarnation[b]),
        "An ISR change is applied only for the current leader, in its leader epoch, with the current incarnation id.",
        "S0:118,122",
        rows=("H11",),
    ),
    result_step(
        "HI2w",
        leader[p].is_(b) & believes[b, p].is_(leader_epoch[p]),
        "A legacy broker writes the ISR only as the current leader: ZooKeeper's version sees to that.",
        "S0:134",
        rows=("H9w",),
    ),
    result_step(
        "HI4",
        forall(x, x.in_(next_(metadata[b])).implies(state[x].is_(ACTIVE) | state[x].is_(STOPPING))),
        "Metadata that the controller sends has no Initial and no Inactive broker.",
        "S0:34",
        rows=("HE3",),
    ),
    always(
        "HI5",
        forall(p, ~empty(isr[p]) & (isr[p] <= replicas[p])),
        "No ISR is ever empty, and each has replicas only.",
        "S0:124",
    ),
    always("HI5l", forall(p, absent(leader[p]) | leader[p].in_(isr[p])), "The leader is in the ISR.", "S0:62,124"),
    result_step(
        "HI7",
        forall(p, forall(x, (next_(leader[p]).is_(x) & leader[p].isnt(x)).implies(state[x].is_(ACTIVE)))),
        "A broker that is made leader is Active: no Stopping broker gets a new leadership, and no Inactive one.",
        "S0:36",
    ),
    result_step(
        "HI7n",
        next_(leader[p]).is_(elected) & elected.isnt(leader[p]),
        "An election takes the leadership from the broker that has it, and gives it to the one that is elected, or to none.",
        "S0:18,34",
        rows=("HE1", "HE2"),
    ),
    result_step(
        "HIa",
        (new_isr - isr[p]) <= served(),
        "A broker that joins an ISR is not Inactive: violated, only the empty ISR is refused.",
        "S0:124",
        rows=("H11",),
        expected="violated",
        finding="S0:124",
    ),
)

COMPARED = (
    always(
        "M1",
        forall(p, absent(leader[p]) | leader[p].in_(served())),
        "An Inactive broker leads nothing: not so until another is elected, for state and leaders change one after the other.",
        "S0:34-36",
        expected="violated",
        finding="S0:34",
        by=("H6", "H-reg", "H-gone", "H12"),
    ),
    always(
        "M2",
        forall(p, forall(x, forall(y, ((believes[x, p] >= 0) & believes[x, p].is_(believes[y, p])).implies(x.is_(y))))),
        "No two brokers take themselves for the leader of a partition in one leader epoch.",
        "S0:118-122",
    ),
    always(
        "M3",
        forall(p, forall(x, forall(y, (serves(x, p) & serves(y, p)).implies(x.is_(y))))),
        "No two brokers serve as leader at the same time: not so, the one that is cut off serves until its own timeout.",
        "S0:50",
        expected="violated",
        finding="S-a",
        by=("HE3", "H8"),
    ),
    always(
        "M3c",
        forall(p, forall(x, forall(y, (controller & timed_out[x] & serves(x, p) & serves(y, p)).implies(x.is_(y))))),
        "No broker serves beside a leader that was cut off and replaced: violated, between the two timeouts both act.",
        "S0:50",
        expected="violated",
        finding="S-a",
        by=("HE3", "H6", "H8"),
    ),
    always(
        "M3t",
        forall(b, (controller & timed_out[b] & same_incarnation(b)).implies(~fences_itself(b))),
        "Whom the controller's timer made Inactive has fenced itself: not so, the broker's timeout is the longer one.",
        "S0:50",
        expected="violated",
        finding="S-a",
        by=("H6", "H8"),
    ),
    result_step("M5", elected.in_(isr[p]), "A new leader comes from the ISR.", "S0:34,122", rows=("HE1",)),
    result_step(
        "M6s",
        next_(incarnation[b]).is_(registered[b]) & (legacy[b] | next_(~handles_traffic(b))),
        "A new registration is a new incarnation, Inactive until its first heartbeat, whatever the former one was.",
        "S0:26,34",
        rows=("H-reg", "H9"),
    ),
    result_step(
        "M7",
        controller.implies(~of_former[b]),
        "A controller that has been replaced changes nothing: not so, its answer is contact for a broker, since it names neither "
        "controller nor epoch.",
        "S0:83-86",
        rows=("H8",),
        expected="violated",
        finding="S0:83-86",
    ),
    result_step(
        "M7w",
        (~controller & ~next_(controller)).implies(
            forall(
                b,
                next_(state[b]).is_(state[b])
                & next_(incarnation[b]).is_(incarnation[b])
                & next_(last_contact[b]).is_(last_contact[b]),
            )
            & forall(p, next_(leader[p]).is_(leader[p]) & next_(leader_epoch[p]).is_(leader_epoch[p]))
        ),
        "Without a controller in office nothing changes at the controller, and no leader does.",
        "S0:116",
    ),
)

WITNESSES = (
    sometimes("HW1", exists(b, fences_itself(b) & state[b].is_(ACTIVE)), "A broker is in the cluster, and serves.", "S0:36"),
    sometimes(
        "HW2",
        exists(b, running[b] & fenced[b] & controller & same_incarnation(b) & timed_out[b] & (own_incarnation[b] > 0)),
        "A broker has fenced itself, and the controller had made it Inactive.",
        "S0:42-50",
    ),
    sometimes("HW3", exists(b, state[b].is_(STOPPING)), "A broker shuts down.", "S0:36"),
)  # fmt: skip

PROPERTIES: tuple[Property, ...] = (*HEARTBEATS, *PARTITIONS, *COMPARED, *WITNESSES)

ASSUMPTIONS: tuple[Assumption, ...] = (
    assume("HA0", LONGER, "The broker's timeout is longer than the controller's.", "S0:50"),
    assume("HA1", ~asked[b] & ~answered[b], "A broker sends one heartbeat at a time.", "S0:54", event="SendHeartbeat"),
    assume(
        "HA2",
        asked[b] & iid.is_(asked_incarnation[b]) & target.is_(asked_target[b]),
        "A heartbeat that arrives was sent, by the broker or by another process with its id: no incarnation is invented.",
        "S0:56",
        event="Heartbeat",
    ),
    assume(
        "HA6",
        target.is_(ACTIVE) | target.is_(STOPPING),
        "A broker asks for Active or Stopping: what other targets mean is not said.",
        "S0:58",
        event="Heartbeat",
    ),
    assume(
        "HA3",
        answered[b] & error.is_(answer_error[b]) & current_state.is_(answer_state[b]),
        "An answer that arrives was given to this process.",
        "S0:54",
        event="HeartbeatReply",
    ),
    assume(
        "HA4",
        forall(x, watched(x).implies(to <= last_contact[x] + controller_timeout + 1))
        & forall(x, fences_itself(x).implies(to <= last_reply[x] + broker_timeout + 1)),
        "Timers are punctual: time does not pass while one is due.",
        "S0:42,48",
        event="TimePasses",
    ),
    assume(
        "HA5",
        b.in_(new_isr) & (new_isr <= replicas[p]),
        "A legacy leader writes an ISR of replicas, and never leaves it itself.",
        "KAFKA-5083",
        event="WriteIsr",
    ),
)  # fmt: skip
