"""Further properties of KIP-343: the validity of answers, ISR joins, transitions of broker states, and fencing."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .brokers import CLOCK, FORMATION, HEARTBEATS_OF_BROKERS, PROCESSES, handles_traffic, in_cluster, no_error, target
from .controller import FAILOVERS, HEARTBEATS, REGISTRATIONS, TIMER, iid, valid
from .partitions import ISR_CHANGES, LEADERS, NOT_LEADER, lost_leader, new_isr, served, to_controller
from .properties import same_incarnation
from .state import *

TABLES = (
    HEARTBEATS,
    TIMER,
    HEARTBEATS_OF_BROKERS,
    CLOCK,
    REGISTRATIONS,
    FAILOVERS,
    LEADERS,
    ISR_CHANGES,
    PROCESSES,
    FORMATION,
)
ANSWERED = ("H1", "H2", "H3s", "H3a", "H4", "H5")
"""The rows of heartbeats at the controller."""

_accepted = valid & (iid >= incarnation[b])
_stays = next_(leader[p]).is_(leader[p])


OF_ANSWERS: tuple[Property, ...] = (
    result_step(
        "HI11",
        _accepted.implies(
            next_(state[b]).is_(when(target.is_(STOPPING), literal(STOPPING), literal(ACTIVE)))
            & next_(incarnation[b]).is_(iid)
            & next_(last_contact[b]).is_(now)
        ),
        "A heartbeat of no lower incarnation is contact, and its incarnation and the state that it asks for are stored.",
        "S0:54-58",
        rows=ANSWERED,
    ),
    result_step(
        "HI12",
        (~_accepted).implies(
            next_(state[b]).is_(state[b])
            & next_(incarnation[b]).is_(incarnation[b])
            & next_(last_contact[b]).is_(last_contact[b])
            & next_(known_legacy[b]).is_(known_legacy[b])
        ),
        "A heartbeat that is refused changes nothing at the controller.",
        "S0:56,88-90",
        rows=ANSWERED,
    ),
    result_step(
        "HI13",
        ~next_(asked[b])
        & next_(answered[b]).is_(running[b] & (iid <= own_incarnation[b]))
        & next_(answered[b]).implies(
            when(
                _accepted,
                next_(answer_error[b]).is_(Error.NONE) & next_(answer_state[b]).is_(next_(state[b])),
                next_(answer_error[b]).is_(
                    when(valid, literal(Error.INVALID_INCARNATION_ID), literal(Error.INVALID_REQUEST))
                ),
            )
        ),
        "A heartbeat is under way until it is answered: with the state that the controller has the broker in, or the error that refuses it.",
        "S0:54,86-90",
        rows=ANSWERED,
    ),
    result_step(
        "HI14",
        next_(asked[b])
        & next_(asked_incarnation[b]).is_(own_incarnation[b])
        & next_(asked_target[b]).is_(when(shutting_down[b], literal(STOPPING), literal(ACTIVE))),
        "A heartbeat has the incarnation of the process that sends it, and the state that this would like to be in.",
        "S0:76-81",
        rows=("HS1",),
    ),
    always(
        "HI15",
        forall(
            b,
            (asked[b] | asked_target[b].is_(ACTIVE))
            & (answered[b] | (answer_error[b].is_(Error.NONE) & answer_state[b].is_(INITIAL) & ~of_former[b])),
        ),
        "Nothing is left of a heartbeat or an answer that is under way no more.",
        "S0:54",
    ),
)

OF_STATES: tuple[Property, ...] = (
    result_step(
        "HI16",
        forall(
            b,
            (controller & state[b].isnt(next_(state[b]))).implies(
                next_(state[b]).isnt(STOPPING) & next_(state[b]).is_(ACTIVE).implies(legacy[b] & (registered[b] > 0))
            ),
        ),
        "While a controller is in office a broker becomes Active or Stopping only by its heartbeat, save legacy brokers.",
        "S0:48,58,138",
        except_rows=dict.fromkeys(("H3s", "H3a", "H4", "H5"), "it is the heartbeat that changes the state"),
    ),
    result_step(
        "HI17",
        forall(
            b,
            (controller & handles_traffic(b) & ~next_(handles_traffic(b))).implies(
                (~known_legacy[b] & (now > last_contact[b] + controller_timeout))
                | registered[b].is_(0)
                | (registered[b] > incarnation[b])
            ),
        ),
        "While a controller is in office a broker becomes Inactive only if it is silent for its timeout, gone, or registered anew.",
        "S0:34,48",
    ),
    result_step(
        "HI18",
        next_(state[b]).is_(INACTIVE),
        "A broker that is silent for the controller's timeout, or has no znode any more, becomes Inactive.",
        "S0:34,48",
        rows=("H6", "H-gone"),
    ),
    result_step(
        "HI19",
        forall(
            x,
            next_(state[x]).is_(when(legacy[x] & (registered[x] > 0), literal(ACTIVE), literal(INACTIVE)))
            & next_(incarnation[x]).is_(registered[x]),
        ),
        "A new controller knows what it reads from ZooKeeper: all brokers are Inactive but the legacy ones.",
        "S0:34,56,138",
        named_for="what a new controller knows is set when it takes over; later rows tell it what has changed",
        rows=("H12",),
    ),
    result_step(
        "HI20",
        forall(
            b,
            (next_(czxid[b]) >= czxid[b])
            & (
                next_(registered[b]).is_(registered[b])
                | next_(registered[b]).is_(0)
                | (registered[b].is_(0) & (next_(registered[b]) > czxid[b]) & next_(czxid[b]).is_(next_(registered[b])))
            )
            & (next_(own_incarnation[b]).is_(own_incarnation[b]) | next_(own_incarnation[b]).is_(next_(registered[b]))),
        ),
        "A znode has a czxid that no other of its id had, there is one at a time, and a process has that of the one it made.",
        "S0:26-28",
    ),
)

OF_FENCING: tuple[Property, ...] = (
    result_step(
        "HI21",
        forall(b, (next_(running[b]) & ~next_(fenced[b]) & ~next_(legacy[b])).implies(running[b] & ~fenced[b])),
        "Nothing but an answer unfences a broker: a new process is fenced.",
        "S0:44,70-73",
        except_rows={"H8": "it is the answer that unfences", "HF1": "the cluster is formed, before anything happens"},
    ),
    result_step(
        "HI22",
        forall(
            b,
            (running[b] & ~fenced[b] & next_(running[b] & fenced[b])).implies(
                ~legacy[b] & (now > last_reply[b] + broker_timeout)
            ),
        ),
        "A broker that had an answer within its timeout fences itself only if the answer says that it is Inactive.",
        "S0:42,71",
        except_rows={"H8'": "it is the answer that says Inactive"},
    ),
    result_step(
        "HI23",
        next_(fenced[b]),
        "A broker that has had no answer for its timeout fences itself.",
        "S0:42",
        rows=("H7",),
    ),
    result_step(
        "HI24",
        when(
            no_error,
            next_(last_reply[b]).is_(now) & next_(fenced[b]).is_(~in_cluster),
            next_(last_reply[b]).is_(last_reply[b]) & next_(fenced[b]).is_(fenced[b]),
        ),
        "An answer without an error is contact: a broker that is Active or Stopping by it takes requests, any other is fenced.",
        "S0:42,54,71-73",
        rows=("H8e", "H8", "H8'"),
    ),
)

OF_PARTITIONS: tuple[Property, ...] = (
    result_step(
        "HI25",
        forall(p, next_(isr[p]) <= isr[p]),
        "A broker joins an ISR only by an ISR change of the leader: no election brings back a broker that is not in sync.",
        "S0:62",
        except_rows=dict.fromkeys(("H11", "H9w"), "it is an ISR change of the leader (HI26)"),
    ),
    result_step(
        "HI26",
        next_(isr[p]).is_(new_isr) & _stays & next_(leader_epoch[p]).is_(leader_epoch[p]),
        "NONE is answered where the ISR is now the one that was asked for, and nothing else of the partition has changed.",
        "S0:107,126",
        rows=("H11", "H9w"),
    ),
    result_step(
        "HI27",
        controller & to_controller,
        "An ISR change is applied by the node that is the controller, and refused by another reason than NOT_CONTROLLER by it alone.",
        "S0:116",
        rows=("H10", "H11a", "H11b", "H11"),
    ),
    result_step(
        "HI28",
        forall(p, forall(x, (next_(leader[p]).is_(x) & leader[p].isnt(x)).implies(x.in_(isr[p]) & next_(isr[p] <= served())))),
        "A broker that becomes leader was in the ISR, from which an election removes Inactive brokers.",
        "S0:34,62",
    ),
    result_step(
        "HI29",
        forall(p, next_(leader_epoch[p]).is_(when(_stays, leader_epoch[p], leader_epoch[p] + 1))),
        "A change of the leader raises the leader epoch by one, and nothing else does.",
        "S0:107,122",
    ),
    result_step(
        "HI30",
        forall(
            p,
            forall(x, (leader[p].is_(x) & state[x].is_(ACTIVE)).implies(next_(leader[p]).is_(x)))
            & (present(leader[p]) & absent(next_(leader[p]))).implies(lost_leader(p)),
        ),
        "An Active leader stays, and a partition is left without one only where no broker in the ISR is Active.",
        "S0:34-36",
    ),
    result_step(
        "HI31",
        next_(metadata[b]).is_(served())
        & forall(p, next_(believes[b, p]).is_(when(leader[p].is_(b), leader_epoch[p], NOT_LEADER))),
        "Metadata lists every broker that is Active or Stopping, and names to a broker every partition that it leads, with the epoch.",
        "S0:26,34-36",
        rows=("HE3",),
    ),
    result_step(
        "HI32",
        forall(
            b,
            forall(
                p,
                next_(believes[b, p]).is_(believes[b, p])
                | next_(believes[b, p]).is_(-1)
                | (
                    controller
                    & same_incarnation(b)
                    & leader[p].is_(b)
                    & next_(believes[b, p]).is_(leader_epoch[p])
                ),
            )
            & (~running[b] & next_(running[b])).implies(forall(p, next_(believes[b, p]).is_(-1))),
        ),
        "Only metadata for its own incarnation makes a process take itself for a leader; a new one leads nothing.",
        "S0:26",
    ),
)  # fmt: skip

OF_MESSAGES: tuple[Property, ...] = (
    result_step(
        "HI33",
        forall(
            b,
            next_(asked[b]).implies(
                when(
                    asked[b],
                    next_(asked_incarnation[b]).is_(asked_incarnation[b]) & next_(asked_target[b]).is_(asked_target[b]),
                    other[b] & next_(asked_incarnation[b]).is_(registered[b]) & next_(asked_target[b]).is_(ACTIVE),
                )
            ),
        ),
        "A heartbeat stays as it was sent, unless its sender sends another; one of another process with the same id names that one's "
        "incarnation, and asks to be Active.",
        "S0:26,76-81,118",
        except_rows={"HS1": "the sender sends another"},
    ),
    always(
        "HI34",
        forall(b, accepted[b] <= czxid[b]),
        "No controller takes for a broker's an incarnation that ZooKeeper never gave.",
        "S0:28,56",
    ),
    always(
        "HI35",
        forall(b, timed_out[b].implies(state[b].is_(INACTIVE) & ~known_legacy[b])),
        "Whom the controller's timer made Inactive is so until it heartbeats or is registered anew, and is no legacy broker.",
        "S0:48,138",
    ),
    always(
        "HI36",
        (~controller).implies(forall(b, of_former[b].is_(answered[b]))),
        "Whatever answer is on its way while no controller is in office is that of a former one.",
        "S0:83-86",
    ),
)

OF_PROCESSES: tuple[Property, ...] = (
    result_step(
        "HI37",
        next_(controller).is_(~controller),
        "There is one current controller at most: who fails was it, and another takes over when there is none.",
        "S0:42,116",
        named_for="a controller fails or takes over in these rows; HF1 sets the cluster up and has one from then on",
        rows=("HC1", "H12"),
    ),
    result_step(
        "HI38",
        next_(running[b]).isnt(running[b]) | next_(registered[b]).is_(0).isnt(registered[b].is_(0)),
        "A process ends that ran, and one starts where none did; a session ends that had a znode, and one begins that makes it.",
        "S0:28",
        rows=("HZ1", "HZ2", "HZ3", "HZ4", "HZ5"),
    ),
    result_step(
        "HI39",
        running[b] & next_(shutting_down[b]).is_(~shutting_down[b]),
        "A process that runs begins its controlled shutdown once, and takes back only one that it has begun.",
        "S0:36,58",
        rows=("HZ6", "HZ7"),
    ),
    always(
        "HI40",
        forall(b, shutting_down[b].implies(~legacy[b])),
        "Only a process of the new protocol asks for Stopping: a legacy broker sends no heartbeat that could.",
        "S0:36,134",
    ),
    always(
        "HI41",
        forall(b, (registered[b] > 0).implies(other[b].is_(registered[b].isnt(own_incarnation[b])))),
        "A znode is that of the process that is followed, or that of another one with the same id.",
        "S0:26,118",
    ),
)  # fmt: skip

MORE: tuple[Property, ...] = (*OF_ANSWERS, *OF_STATES, *OF_FENCING, *OF_PARTITIONS, *OF_MESSAGES, *OF_PROCESSES)

SHOWN: tuple[Property, ...] = (
    sometimes(
        "HW4",
        exists(b, running[b] & unanswered[b] & ~asked[b] & ~answered[b]),
        "The answer to a heartbeat that was accepted is lost.",
        "S0:18",
    ),
)
