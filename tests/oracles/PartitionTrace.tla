---------------------------- MODULE PartitionTrace ----------------------------
(* What a metadata log says of one partition, and of the brokers, as a trace: record after record has to be a step.  *)
(* TLC ends at the first record that is none (a deadlock), or at the end of the trace. Brokers are numbers, -1 is    *)
(* none. The trace has only what the records show: no heartbeats, no requests, no other partition.                   *)
EXTENDS Integers, Sequences, TraceData

VARIABLES
    place,                                 \* how many records are explained
    there, replicas, isr, elr, leader,     \* the partition
    leaderEpoch, partitionEpoch,
    registered, fenced                     \* brokers

partition == <<there, replicas, isr, elr, leader, leaderEpoch, partitionEpoch>>
vars == <<place, partition, registered, fenced>>

Record == Trace[place + 1]
Says(field) == field \in DOMAIN Record
Or(field, value) == IF Says(field) THEN Record[field] ELSE value
Is(type) == place < Len(Trace) /\ Record.type = type /\ place' = place + 1

Init ==
    /\ place = 0
    /\ there = FALSE
    /\ replicas = {} /\ isr = {} /\ elr = {}
    /\ leader = -1 /\ leaderEpoch = 0 /\ partitionEpoch = 0
    /\ registered = {} /\ fenced = {}

(* -- brokers -------------------------------------------------------------------------------------------------------- *)
Register ==
    /\ Is("register")
    /\ registered' = registered \union {Record.broker}
    /\ fenced' = IF Record.fenced THEN fenced \union {Record.broker} ELSE fenced \ {Record.broker}
    /\ UNCHANGED partition

Fence ==
    /\ Is("fence")
    /\ Record.broker \in registered
    /\ fenced' = fenced \union {Record.broker}
    /\ UNCHANGED <<partition, registered>>

Unfence ==
    /\ Is("unfence")
    /\ Record.broker \in registered
    /\ fenced' = fenced \ {Record.broker}
    /\ UNCHANGED <<partition, registered>>

Unregister ==
    /\ Is("unregister")
    /\ Record.broker \in registered
    /\ registered' = registered \ {Record.broker}
    /\ fenced' = fenced \ {Record.broker}
    /\ UNCHANGED partition

(* -- the partition ---------------------------------------------------------------------------------------------------- *)
Sound ==
    /\ isr' \subseteq replicas' /\ elr' \subseteq replicas' /\ isr' \intersect elr' = {}
    /\ leader' \in isr' \union {-1}
    /\ isr' # {} \/ leader' = -1

Create ==
    /\ Is("create")
    /\ ~there /\ there' = TRUE
    /\ replicas' = Record.replicas /\ isr' = Record.isr /\ elr' = Record.elr /\ leader' = Record.leader
    /\ leaderEpoch' = Record.leaderEpoch /\ partitionEpoch' = Record.partitionEpoch
    /\ Sound
    /\ UNCHANGED <<registered, fenced>>

Shared ==
    /\ there /\ UNCHANGED there
    /\ replicas' = Or("replicas", replicas) /\ isr' = Or("isr", isr) /\ elr' = Or("elr", elr)
    /\ partitionEpoch' = partitionEpoch + 1
    /\ Sound
    /\ UNCHANGED <<registered, fenced>>

(* The leader stays: a broker that joins the ISR is neither fenced nor unregistered. *)
Alter ==
    /\ Is("change") /\ ~Says("leader")
    /\ Shared
    /\ isr' \ isr \subseteq registered \ fenced
    /\ UNCHANGED <<leader, leaderEpoch>>

(* Another leader is one who is registered, or the same with another epoch, and comes from the ISR, the eligible
   replicas, or, uncleanly, from the replicas. *)
Elect ==
    /\ Is("change") /\ Says("leader") /\ Record.leader # -1
    /\ Shared
    /\ leader' = Record.leader /\ leader' \in registered
    /\ leader' \in isr \union elr \union replicas
    /\ leaderEpoch' = leaderEpoch + 1

Leaderless ==
    /\ Is("change") /\ Says("leader") /\ Record.leader = -1
    /\ Shared
    /\ leader' = -1
    /\ leaderEpoch' = leaderEpoch + 1

Remove ==
    /\ Is("remove")
    /\ there /\ there' = FALSE
    /\ UNCHANGED <<replicas, isr, elr, leader, leaderEpoch, partitionEpoch, registered, fenced>>

Clear ==
    /\ Is("clear")
    /\ elr' = {}
    /\ partitionEpoch' = IF there /\ elr # {} THEN partitionEpoch + 1 ELSE partitionEpoch
    /\ UNCHANGED <<there, replicas, isr, leader, leaderEpoch, registered, fenced>>

End == place = Len(Trace) /\ UNCHANGED vars

Next ==
    \/ Register \/ Fence \/ Unfence \/ Unregister
    \/ Create \/ Alter \/ Elect \/ Leaderless \/ Remove \/ Clear
    \/ End

Spec == Init /\ [][Next]_vars
===============================================================================
