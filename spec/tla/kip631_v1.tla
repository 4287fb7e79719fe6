------------------------------- MODULE kip631_v1 -------------------------------
\* kip631-v1: The first version of KIP-631: leases, the handshake of two heartbeats, and brokers that fence themselves.
\* Made from the tables of kip631-v1 503326282472; not to be edited.
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS NumberBroker, Maxincarnation, Maxtime, Maxoffset, NumberPartition, Maxleader_epoch, NumberExchange, Bound,
  None

Broker == 0..(NumberBroker - 1)
incarnation_2 == 0..Maxincarnation
time == -1..Maxtime
offset == -1..Maxoffset
Partition == 0..(NumberPartition - 1)
leader_epoch_2 == 0..Maxleader_epoch
Exchange == 0..(NumberExchange - 1)
Phase == {"FREE", "ASKED", "ANSWERED"}
Current == {"FENCED", "ACTIVE"}
Target == {"ACTIVE", "SHUTDOWN"}
Next_2 == {"NOTHING", "FENCED", "ACTIVE", "SHUTDOWN"}
BrokerState == {"NOT_RUNNING", "STARTING", "RECOVERING", "REGISTERING", "FENCED", "RUNNING", "PENDING", "SHUTTING_DOWN"}
Error == {"NONE", "NOT_CONTROLLER", "DUPLICATE_BROKER_REGISTRATION", "UNSUPPORTED_VERSION", "STALE_BROKER_EPOCH", "IGNORED", "NEXT_FENCED", "NEXT_ACTIVE", "NEXT_SHUTDOWN"}

Pick(S) == CHOOSE x \in S : TRUE
Put(f, updates) == [k \in DOMAIN f |-> LET u == {x \in updates : x.at = k} IN IF u = {} THEN f[k] ELSE Pick(u).to]
PutCell(value, updates) == IF updates = {} THEN value ELSE Pick(updates)
Elements(s) == {s[i] : i \in DOMAIN s}
Lists(S) == UNION {{s \in [1..n -> S] : Cardinality(Elements(s)) = n} : n \in 0..Cardinality(S)}
InOrder(S) == [i \in 1..Cardinality(S) |-> CHOOSE x \in S : Cardinality({y \in S : y <= x}) = i]

VARIABLES active, registered, incarnation, now, last_contact, id_reuse, answered, answered_epoch, broker_epoch, leader,
  isr, leader_epoch, leader_in, led_at, next_offset, committed, fenced, registered_at, fenced_at, lease_end, granted,
  reported_offset, shutting_down, supported, says_epoch, phase, sender, says_current, says_target, says_offset, asker,
  sent_at, says_next, says_lease, next_lease, longest_lease, replicas, broker_state, own_offset, leads, seen_epoch,
  own_incarnation, started, asked, own_epoch, own_lease_end, serving, told_active

vars == <<active, registered, incarnation, now, last_contact, id_reuse, answered, answered_epoch, broker_epoch, leader,
  isr, leader_epoch, leader_in, led_at, next_offset, committed, fenced, registered_at, fenced_at, lease_end, granted,
  reported_offset, shutting_down, supported, says_epoch, phase, sender, says_current, says_target, says_offset, asker,
  sent_at, says_next, says_lease, next_lease, longest_lease, replicas, broker_state, own_offset, leads, seen_epoch,
  own_incarnation, started, asked, own_epoch, own_lease_end, serving, told_active>>

registered_and_others == <<registered, incarnation, broker_epoch, registered_at, supported>>

never_written == <<id_reuse, longest_lease, replicas>>

leader_and_others == <<leader, isr, leader_epoch, leader_in, led_at>>

says_epoch_and_others == <<says_epoch, says_current, says_target, says_offset>>

phase_and_others == <<phase, says_next, says_lease>>

sender_and_others == <<sender, asker, sent_at>>

own_offset_and_others == <<own_offset, leads, seen_epoch>>

Given_Register(b, incarnation_3, supports) == CASE Bound = "tiny" -> supports [] OTHER -> TRUE

Given_Register_supports == CASE Bound = "tiny" -> {TRUE} [] OTHER -> BOOLEAN

Given_Heartbeat(b, epoch, current, target, offset_2) == CASE Bound = "tiny" -> (epoch = says_epoch[0] /\ current =
  says_current[0] /\ target = says_target[0] /\ offset_2 = says_offset[0]) [] OTHER -> TRUE

Given_Heartbeat_epoch == CASE Bound = "tiny" -> ({says_epoch[0]} \intersect offset) [] OTHER -> offset

Given_Heartbeat_current == CASE Bound = "tiny" -> {says_current[0]} [] OTHER -> Current

Given_Heartbeat_target == CASE Bound = "tiny" -> {says_target[0]} [] OTHER -> Target

Given_Heartbeat_offset == CASE Bound = "tiny" -> ({says_offset[0]} \intersect offset) [] OTHER -> offset

Given_TimePasses(to_2) == CASE Bound = "tiny" -> (to_2 = now + 1 /\ now < 2) [] OTHER -> TRUE

Given_TimePasses_to == CASE Bound = "tiny" -> ({now + 1} \intersect time) [] OTHER -> time

Given_ChooseLease(to_2) == CASE Bound = "tiny" -> FALSE [] OTHER -> TRUE

Given_ControllerFails == CASE Bound = "tiny" -> FALSE [] OTHER -> TRUE

Given_ElectLeader(p, leader_2) == CASE Bound = "tiny" -> leader_epoch[p] < 1 [] OTHER -> TRUE

Given_Commit(to_2) == CASE Bound = "tiny" -> to_2 = next_offset - 1 [] OTHER -> TRUE

Given_Commit_to == CASE Bound = "tiny" -> ({next_offset - 1} \intersect offset) [] OTHER -> offset

Given_ApplyMetadata(b, to_2) == CASE Bound = "tiny" -> to_2 = committed [] OTHER -> TRUE

Given_ApplyMetadata_to == CASE Bound = "tiny" -> ({committed} \intersect offset) [] OTHER -> offset

Given_StartBroker(b, incarnation_3) == CASE Bound = "tiny" -> incarnation_3 = started[b] + 1 [] OTHER -> TRUE

Given_StartBroker_incarnation(b) == CASE Bound = "tiny" -> ({started[b] + 1} \intersect incarnation_2) [] OTHER ->
  incarnation_2

Given_RecoverLogs(b) == CASE Bound = "tiny" -> FALSE [] OTHER -> TRUE

Given_BeginShutdown(b) == CASE Bound = "tiny" -> FALSE [] OTHER -> TRUE

Given_StopBroker(b) == CASE Bound = "tiny" -> FALSE [] OTHER -> TRUE

Given_SendHeartbeat(b, m) == CASE Bound = "tiny" -> (next_offset <= committed + 1 /\ own_offset[b] = committed) [] OTHER
  -> TRUE

Given_RegisterReply(b, error, epoch, lease) == CASE Bound = "tiny" -> error = "NONE" [] OTHER -> TRUE

Given_RegisterReply_error == CASE Bound = "tiny" -> {"NONE"} [] OTHER -> Error

Given_HeartbeatReply(b, error, next, sent, lease) == CASE Bound = "tiny" -> (error = "NONE" /\ next = says_next[0] /\
  sent = sent_at[0] /\ lease = says_lease[0]) [] OTHER -> TRUE

Given_HeartbeatReply_error == CASE Bound = "tiny" -> {"NONE"} [] OTHER -> Error

Given_HeartbeatReply_next == CASE Bound = "tiny" -> {says_next[0]} [] OTHER -> Next_2

Given_HeartbeatReply_sent == CASE Bound = "tiny" -> ({sent_at[0]} \intersect time) [] OTHER -> time

Given_HeartbeatReply_lease == CASE Bound = "tiny" -> ({says_lease[0]} \intersect time) [] OTHER -> time

conflict(b, incarnation_3) == registered[b] /\ incarnation[b] # incarnation_3

contact_recent(b) == now <= last_contact[b] + id_reuse

new_epoch == committed

carried(m, b, epoch, current, target, offset_2) == phase[m] = "ASKED" /\ sender[m] = b /\ says_epoch[m] = epoch /\
  says_current[m] = current /\ says_target[m] = target /\ says_offset[m] = offset_2

stale(b, epoch) == ~registered[b] \/ broker_epoch[b] # epoch

leads_nothing(b) == \A p \in Partition : leader[p] # b

controller_in_time(to_2) == ~active \/ (\A x \in Broker : lease_end[x] = -1 \/ to_2 <= lease_end[x] + 1)

electable(leader_2, p) == leader_2 \in isr[p] /\ ~fenced[leader_2] /\ ~shutting_down[leader_2] /\ leader[p] # leader_2

leader_stops(p) == \E x \in Broker : leader[p] = x /\ shutting_down[x]

told(m, b, next, sent, lease) == phase[m] = "ANSWERED" /\ sender[m] = b /\ asker[m] = own_incarnation[b] /\ says_next[m]
  = next /\ sent_at[m] = sent /\ says_lease[m] = lease

lease_until(sent, lease) == sent + lease

known(x) == registered[x] /\ own_epoch[x] = broker_epoch[x] /\ own_incarnation[x] = incarnation[x]

waits(x) == known(x) /\ fenced[x] /\ (broker_state[x] = "FENCED" \/ broker_state[x] = "RUNNING")

believes(x, p) == serving[x] /\ leads[x, p]

nothing_said(m) == says_epoch[m] = -1 /\ says_current[m] = "FENCED" /\ says_target[m] = "ACTIVE" /\ says_offset[m] = -1

nothing_answered(m) == says_next[m] = "NOTHING" /\ says_lease[m] = 0

goes(b) == (broker_state[b] = "NOT_RUNNING" /\ broker_state[b]' = "STARTING") \/ (broker_state[b] = "STARTING" /\
  broker_state[b]' = "RECOVERING") \/ (broker_state[b] = "STARTING" /\ broker_state[b]' = "REGISTERING")

goes_2(b) == (broker_state[b] = "RECOVERING" /\ broker_state[b]' = "REGISTERING") \/ (broker_state[b] = "FENCED" /\
  broker_state[b]' = "PENDING") \/ (broker_state[b] = "RUNNING" /\ broker_state[b]' = "PENDING")

goes_3(b) == broker_state[b] = "REGISTERING" /\ broker_state[b]' = "FENCED"

goes_4(b) == broker_state[b] = "FENCED" /\ broker_state[b]' = "RUNNING"

goes_5(b) == broker_state[b] = "RUNNING" /\ broker_state[b]' = "FENCED"

goes_6(b) == broker_state[b] = "PENDING" /\ broker_state[b]' = "SHUTTING_DOWN"

known_until(x) == registered[x] /\ (IF active THEN own_lease_end[x] <= lease_end[x] ELSE own_lease_end[x] <= now +
  longest_lease)

gives_lease(m) == phase[m] = "ANSWERED" /\ says_next[m] = "ACTIVE" /\ now <= sent_at[m] + says_lease[m]

registers(x) == broker_state[x] = "STARTING" \/ broker_state[x] = "RECOVERING" \/ broker_state[x] = "REGISTERING"

\* A broker that is fenced leads nothing any more, and leaves every ISR in which it is not alone.
fall(b) ==
  LET
    left(q) == IF isr[q] \ {b} = {} THEN isr[q] ELSE isr[q] \ {b}
  IN
    {[partition |-> q, isr |-> left(q), leader |-> IF leader[q] = b THEN None ELSE leader[q], leader_epoch |-> IF
        leader[q] = b THEN leader_epoch[q] + 1 ELSE leader_epoch[q]] : q \in {q \in Partition : leader[q] = b \/ left(q)
        # isr[q]}}

\* The operation was one batch of the log.
advance ==
  {next_offset + 1}

\* The process is registered, fenced, under a new epoch; what its id led goes, and so does its place in ISRs.
register(b, incarnation_3, supports) ==
  [IsrChange |-> fall(b), RegisterBroker |-> {[broker |-> b, incarnation |-> incarnation_3, epoch |-> new_epoch]},
      next_offset |-> advance, last_contact |-> {[at |-> b, to |-> now]}, lease_end |-> {[at |-> b, to |-> -1]}, granted
      |-> {[at |-> b, to |-> FALSE]}, reported_offset |-> {[at |-> b, to |-> -1]}, shutting_down |-> {[at |-> b, to |->
      FALSE]}, answered |-> {[at |-> b, to |-> incarnation_3]}, answered_epoch |-> {[at |-> b, to |-> new_epoch]},
      supported |-> {[at |-> b, to |-> supports]}]

\* Reset the columns of the heartbeat's request, which are not read any more.
forget_question(m) ==
  [says_epoch |-> {[at |-> m, to |-> -1]}, says_current |-> {[at |-> m, to |-> "FENCED"]}, says_target |-> {[at |-> m,
      to |-> "ACTIVE"]}, says_offset |-> {[at |-> m, to |-> -1]}]

\* Nothing is on its way any more.
free(m) ==
  [phase |-> {[at |-> m, to |-> "FREE"]}, sender |-> {[at |-> m, to |-> None]}, asker |-> {[at |-> m, to |-> 0]},
      sent_at |-> {[at |-> m, to |-> -1]}, says_next |-> {[at |-> m, to |-> "NOTHING"]}, says_lease |-> {[at |-> m, to
      |-> 0]}]

\* The broker was heard of, and has reached an offset.
hear(b, offset_2) ==
  [last_contact |-> {[at |-> b, to |-> now]}, reported_offset |-> {[at |-> b, to |-> offset_2]}]

\* The broker has a lease, from now on.
give_lease(b, current, epoch, offset_2, target) ==
  LET
    new_lease_end == IF lease_end[b] < now + next_lease THEN now + next_lease ELSE lease_end[b]
    carried_2(m) == phase[m] = "ASKED" /\ sender[m] = b /\ says_epoch[m] = epoch /\ says_current[m] = current /\
        says_target[m] = target /\ says_offset[m] = offset_2
  IN
    [lease_end |-> {[at |-> b, to |-> new_lease_end]}, says_epoch |-> UNION {forget_question(m).says_epoch : m \in {m
        \in Exchange : carried_2(m)}}, says_current |-> UNION {forget_question(m).says_current : m \in {m \in Exchange :
        carried_2(m)}}, says_target |-> UNION {forget_question(m).says_target : m \in {m \in Exchange : carried_2(m)}},
        says_offset |-> UNION {forget_question(m).says_offset : m \in {m \in Exchange : carried_2(m)}}, phase |-> {[at
        |-> m, to |-> "ANSWERED"] : m \in {m \in Exchange : carried_2(m)}}, says_next |-> {[at |-> m, to |-> "ACTIVE"] :
        m \in {m \in Exchange : carried_2(m)}}, says_lease |-> {[at |-> m, to |-> next_lease] : m \in {m \in Exchange :
        carried_2(m)}}]

\* Clients may find the broker, and it may lead.
unfence(b) ==
  [UnfenceBroker |-> {[broker |-> b, epoch |-> broker_epoch[b]]}, next_offset |-> advance]

\* The partitions, then the broker.
fence(b) ==
  [IsrChange |-> fall(b), FenceBroker |-> {[broker |-> b, epoch |-> broker_epoch[b]]}]

\* The controller knows of no lease.
end_lease(b) ==
  [lease_end |-> {[at |-> b, to |-> -1]}, granted |-> {[at |-> b, to |-> FALSE]}]

\* A broker becomes leader, in an epoch of its own.
lead(p, leader_2) ==
  [IsrChange |-> {[partition |-> p, isr |-> isr[p], leader |-> leader_2, leader_epoch |-> leader_epoch[p] + 1]},
      next_offset |-> advance]

\* The broker has its lease until then, unless an earlier answer gave it a longer one.
extend(b, lease, sent) ==
  LET
    lease_until_2 == sent + lease
  IN
    {[at |-> b, to |-> IF own_lease_end[b] < lease_until_2 THEN lease_until_2 ELSE own_lease_end[b]]}

\* The broker answers clients no more: it disconnects them.
cease(b) ==
  [own_lease_end |-> {[at |-> b, to |-> -1]}, serving |-> {[at |-> b, to |-> FALSE]}, broker_state |-> {[at |-> b, to
      |-> IF broker_state[b] = "RUNNING" THEN "FENCED" ELSE broker_state[b]]}]

IsrChange_replayed(written) ==
  /\ isr' = Put(isr, {[at |-> r.partition, to |-> r.isr] : r \in written})
  /\ leader' = Put(leader, {[at |-> r.partition, to |-> r.leader] : r \in written})
  /\ leader_epoch' = Put(leader_epoch, {[at |-> r.partition, to |-> r.leader_epoch] : r \in written})
  /\ leader_in' = Put(leader_in, {[at |-> <<r.partition, r.leader_epoch>>, to |-> r.leader] : r \in written})
  /\ led_at' = Put(led_at, {[at |-> r.partition, to |-> next_offset] : r \in {r \in written : r.leader_epoch #
         leader_epoch[r.partition]}})
  /\ leader_epoch' \in [Partition -> leader_epoch_2]

RegisterBroker_replayed(written) ==
  /\ registered' = Put(registered, {[at |-> r.broker, to |-> TRUE] : r \in written})
  /\ incarnation' = Put(incarnation, {[at |-> r.broker, to |-> r.incarnation] : r \in written})
  /\ broker_epoch' = Put(broker_epoch, {[at |-> r.broker, to |-> r.epoch] : r \in written})
  /\ fenced' = Put(fenced, {[at |-> r.broker, to |-> TRUE] : r \in written})
  /\ registered_at' = Put(registered_at, {[at |-> r.broker, to |-> next_offset] : r \in written})
  /\ fenced_at' = Put(fenced_at, {[at |-> r.broker, to |-> next_offset] : r \in written})
  /\ incarnation' \in [Broker -> incarnation_2]
  /\ broker_epoch' \in [Broker -> offset]

UnfenceBroker_fenced(old, written) == Put(old, {[at |-> r.broker, to |-> FALSE] : r \in written})

FenceBroker_replayed(written) ==
  /\ fenced' = Put(fenced, {[at |-> r.broker, to |-> TRUE] : r \in written})
  /\ fenced_at' = Put(fenced_at, {[at |-> r.broker, to |-> next_offset] : r \in written})

V1_3_applies(b, incarnation_3) == conflict(b, incarnation_3) /\ contact_recent(b)

V1_2_applies(b, incarnation_3) == registered[b] /\ ~conflict(b, incarnation_3)

V1_11_applies(target, b) == target = "SHUTDOWN" /\ leads_nothing(b)

V1_10_applies(target, current) == target = "SHUTDOWN" /\ current = "ACTIVE"

V1_6_applies(b) == fenced[b] /\ granted[b]

VH1_applies(b, next, sent, lease) == broker_state[b] = "FENCED" /\ next = "ACTIVE" /\ now <= lease_until(sent, lease)

VH2_applies(b, next, sent, lease) == (broker_state[b] = "RUNNING" \/ broker_state[b] = "PENDING") /\ next = "ACTIVE" /\
  now <= lease_until(sent, lease)

VH3_applies(b, next) == (broker_state[b] = "FENCED" \/ broker_state[b] = "RUNNING" \/ broker_state[b] = "PENDING") /\
  next = "FENCED"

VH4_applies(b, next) == broker_state[b] = "PENDING" /\ next = "SHUTDOWN"

\* S2:35
V1_2_is_enabled(b, incarnation_3, supports) ==
  /\ 0 < incarnation_3
  /\ incarnation_3 <= asked[b]
  /\ registered[b]
  /\ (~conflict(b, incarnation_3)) = TRUE
  /\ active
  /\ (~V1_3_applies(b, incarnation_3)) = TRUE
  /\ supports
  /\ Given_Register(b, incarnation_3, supports) = TRUE

V1_2(b, incarnation_3, supports) ==
  /\ V1_2_is_enabled(b, incarnation_3, supports)
  /\ last_contact' = [last_contact EXCEPT ![b] = now]
  /\ answered' = [answered EXCEPT ![b] = incarnation_3]
  /\ answered_epoch' = [answered_epoch EXCEPT ![b] = broker_epoch[b]]
  /\ UNCHANGED <<active, now, next_offset, committed, fenced, fenced_at, lease_end, granted, reported_offset,
         shutting_down, next_lease, broker_state, own_incarnation, started, asked, own_epoch, own_lease_end, serving,
         told_active, registered_and_others, never_written, leader_and_others, says_epoch_and_others, phase_and_others,
         sender_and_others, own_offset_and_others>>

\* S2:34
V1_1_is_enabled(b, incarnation_3, supports) ==
  /\ 0 < incarnation_3
  /\ incarnation_3 <= asked[b]
  /\ (~registered[b]) = TRUE
  /\ active
  /\ (~V1_3_applies(b, incarnation_3)) = TRUE
  /\ supports
  /\ (~V1_2_applies(b, incarnation_3)) = TRUE
  /\ Given_Register(b, incarnation_3, supports) = TRUE

V1_1(b, incarnation_3, supports) ==
  /\ V1_1_is_enabled(b, incarnation_3, supports)
  /\ LET register_1 == register(b, incarnation_3, supports)
     IN
     /\ IsrChange_replayed(register_1.IsrChange)
     /\ RegisterBroker_replayed(register_1.RegisterBroker)
     /\ next_offset' = PutCell(next_offset, register_1.next_offset)
     /\ last_contact' = Put(last_contact, register_1.last_contact)
     /\ lease_end' = Put(lease_end, register_1.lease_end)
     /\ granted' = Put(granted, register_1.granted)
     /\ reported_offset' = Put(reported_offset, register_1.reported_offset)
     /\ shutting_down' = Put(shutting_down, register_1.shutting_down)
     /\ answered' = Put(answered, register_1.answered)
     /\ answered_epoch' = Put(answered_epoch, register_1.answered_epoch)
     /\ supported' = Put(supported, register_1.supported)
     /\ next_offset' \in offset
     /\ answered' \in [Broker -> incarnation_2]
  /\ UNCHANGED <<active, now, committed, next_lease, broker_state, own_incarnation, started, asked, own_epoch,
         own_lease_end, serving, told_active, never_written, says_epoch_and_others, phase_and_others, sender_and_others,
         own_offset_and_others>>

\* S2:38
V1_1b_is_enabled(b, incarnation_3, supports) ==
  /\ 0 < incarnation_3
  /\ incarnation_3 <= asked[b]
  /\ active
  /\ (~V1_3_applies(b, incarnation_3)) = TRUE
  /\ supports
  /\ (~V1_2_applies(b, incarnation_3)) = TRUE
  /\ registered[b]
  /\ Given_Register(b, incarnation_3, supports) = TRUE

V1_1b(b, incarnation_3, supports) ==
  /\ V1_1b_is_enabled(b, incarnation_3, supports)
  /\ LET register_1 == register(b, incarnation_3, supports)
     IN
     /\ IsrChange_replayed(register_1.IsrChange)
     /\ RegisterBroker_replayed(register_1.RegisterBroker)
     /\ next_offset' = PutCell(next_offset, register_1.next_offset)
     /\ last_contact' = Put(last_contact, register_1.last_contact)
     /\ lease_end' = Put(lease_end, register_1.lease_end)
     /\ granted' = Put(granted, register_1.granted)
     /\ reported_offset' = Put(reported_offset, register_1.reported_offset)
     /\ shutting_down' = Put(shutting_down, register_1.shutting_down)
     /\ answered' = Put(answered, register_1.answered)
     /\ answered_epoch' = Put(answered_epoch, register_1.answered_epoch)
     /\ supported' = Put(supported, register_1.supported)
     /\ next_offset' \in offset
     /\ answered' \in [Broker -> incarnation_2]
  /\ UNCHANGED <<active, now, committed, next_lease, broker_state, own_incarnation, started, asked, own_epoch,
         own_lease_end, serving, told_active, never_written, says_epoch_and_others, phase_and_others, sender_and_others,
         own_offset_and_others>>

\* S2:446
V1_5n_is_enabled(b, epoch, current, target, offset_2) ==
  /\ (\E m \in Exchange : carried(m, b, epoch, current, target, offset_2)) = TRUE
  /\ (~active) = TRUE
  /\ Given_Heartbeat(b, epoch, current, target, offset_2) = TRUE

V1_5n(b, epoch, current, target, offset_2) ==
  /\ V1_5n_is_enabled(b, epoch, current, target, offset_2)
  /\ says_epoch' = Put(says_epoch, UNION {forget_question(m).says_epoch : m \in {m \in Exchange : carried(m, b, epoch,
         current, target, offset_2)}})
  /\ says_current' = Put(says_current, UNION {forget_question(m).says_current : m \in {m \in Exchange : carried(m, b,
         epoch, current, target, offset_2)}})
  /\ says_target' = Put(says_target, UNION {forget_question(m).says_target : m \in {m \in Exchange : carried(m, b,
         epoch, current, target, offset_2)}})
  /\ says_offset' = Put(says_offset, UNION {forget_question(m).says_offset : m \in {m \in Exchange : carried(m, b,
         epoch, current, target, offset_2)}})
  /\ phase' = Put(phase, UNION {free(m).phase : m \in {m \in Exchange : carried(m, b, epoch, current, target,
         offset_2)}})
  /\ sender' = Put(sender, UNION {free(m).sender : m \in {m \in Exchange : carried(m, b, epoch, current, target,
         offset_2)}})
  /\ asker' = Put(asker, UNION {free(m).asker : m \in {m \in Exchange : carried(m, b, epoch, current, target,
         offset_2)}})
  /\ sent_at' = Put(sent_at, UNION {free(m).sent_at : m \in {m \in Exchange : carried(m, b, epoch, current, target,
         offset_2)}})
  /\ says_next' = Put(says_next, UNION {free(m).says_next : m \in {m \in Exchange : carried(m, b, epoch, current,
         target, offset_2)}})
  /\ says_lease' = Put(says_lease, UNION {free(m).says_lease : m \in {m \in Exchange : carried(m, b, epoch, current,
         target, offset_2)}})
  /\ says_lease' \in [Exchange -> time]
  /\ UNCHANGED <<active, now, last_contact, answered, answered_epoch, next_offset, committed, fenced, fenced_at,
         lease_end, granted, reported_offset, shutting_down, next_lease, broker_state, own_incarnation, started, asked,
         own_epoch, own_lease_end, serving, told_active, registered_and_others, never_written, leader_and_others,
         own_offset_and_others>>

\* S2:34
V1_5s_is_enabled(b, epoch, current, target, offset_2) ==
  /\ (\E m \in Exchange : carried(m, b, epoch, current, target, offset_2)) = TRUE
  /\ stale(b, epoch) = TRUE
  /\ active
  /\ Given_Heartbeat(b, epoch, current, target, offset_2) = TRUE

V1_5s(b, epoch, current, target, offset_2) ==
  /\ V1_5s_is_enabled(b, epoch, current, target, offset_2)
  /\ says_epoch' = Put(says_epoch, UNION {forget_question(m).says_epoch : m \in {m \in Exchange : carried(m, b, epoch,
         current, target, offset_2)}})
  /\ says_current' = Put(says_current, UNION {forget_question(m).says_current : m \in {m \in Exchange : carried(m, b,
         epoch, current, target, offset_2)}})
  /\ says_target' = Put(says_target, UNION {forget_question(m).says_target : m \in {m \in Exchange : carried(m, b,
         epoch, current, target, offset_2)}})
  /\ says_offset' = Put(says_offset, UNION {forget_question(m).says_offset : m \in {m \in Exchange : carried(m, b,
         epoch, current, target, offset_2)}})
  /\ phase' = Put(phase, UNION {free(m).phase : m \in {m \in Exchange : carried(m, b, epoch, current, target,
         offset_2)}})
  /\ sender' = Put(sender, UNION {free(m).sender : m \in {m \in Exchange : carried(m, b, epoch, current, target,
         offset_2)}})
  /\ asker' = Put(asker, UNION {free(m).asker : m \in {m \in Exchange : carried(m, b, epoch, current, target,
         offset_2)}})
  /\ sent_at' = Put(sent_at, UNION {free(m).sent_at : m \in {m \in Exchange : carried(m, b, epoch, current, target,
         offset_2)}})
  /\ says_next' = Put(says_next, UNION {free(m).says_next : m \in {m \in Exchange : carried(m, b, epoch, current,
         target, offset_2)}})
  /\ says_lease' = Put(says_lease, UNION {free(m).says_lease : m \in {m \in Exchange : carried(m, b, epoch, current,
         target, offset_2)}})
  /\ says_lease' \in [Exchange -> time]
  /\ UNCHANGED <<active, now, last_contact, answered, answered_epoch, next_offset, committed, fenced, fenced_at,
         lease_end, granted, reported_offset, shutting_down, next_lease, broker_state, own_incarnation, started, asked,
         own_epoch, own_lease_end, serving, told_active, registered_and_others, never_written, leader_and_others,
         own_offset_and_others>>

\* S2:447
V1_7_is_enabled(b, epoch, current, target, offset_2) ==
  /\ (\E m \in Exchange : carried(m, b, epoch, current, target, offset_2)) = TRUE
  /\ offset_2 < reported_offset[b]
  /\ active
  /\ (~stale(b, epoch)) = TRUE
  /\ Given_Heartbeat(b, epoch, current, target, offset_2) = TRUE

V1_7(b, epoch, current, target, offset_2) ==
  /\ V1_7_is_enabled(b, epoch, current, target, offset_2)
  /\ says_epoch' = Put(says_epoch, UNION {forget_question(m).says_epoch : m \in {m \in Exchange : carried(m, b, epoch,
         current, target, offset_2)}})
  /\ says_current' = Put(says_current, UNION {forget_question(m).says_current : m \in {m \in Exchange : carried(m, b,
         epoch, current, target, offset_2)}})
  /\ says_target' = Put(says_target, UNION {forget_question(m).says_target : m \in {m \in Exchange : carried(m, b,
         epoch, current, target, offset_2)}})
  /\ says_offset' = Put(says_offset, UNION {forget_question(m).says_offset : m \in {m \in Exchange : carried(m, b,
         epoch, current, target, offset_2)}})
  /\ phase' = Put(phase, UNION {free(m).phase : m \in {m \in Exchange : carried(m, b, epoch, current, target,
         offset_2)}})
  /\ sender' = Put(sender, UNION {free(m).sender : m \in {m \in Exchange : carried(m, b, epoch, current, target,
         offset_2)}})
  /\ asker' = Put(asker, UNION {free(m).asker : m \in {m \in Exchange : carried(m, b, epoch, current, target,
         offset_2)}})
  /\ sent_at' = Put(sent_at, UNION {free(m).sent_at : m \in {m \in Exchange : carried(m, b, epoch, current, target,
         offset_2)}})
  /\ says_next' = Put(says_next, UNION {free(m).says_next : m \in {m \in Exchange : carried(m, b, epoch, current,
         target, offset_2)}})
  /\ says_lease' = Put(says_lease, UNION {free(m).says_lease : m \in {m \in Exchange : carried(m, b, epoch, current,
         target, offset_2)}})
  /\ says_lease' \in [Exchange -> time]
  /\ UNCHANGED <<active, now, last_contact, answered, answered_epoch, next_offset, committed, fenced, fenced_at,
         lease_end, granted, reported_offset, shutting_down, next_lease, broker_state, own_incarnation, started, asked,
         own_epoch, own_lease_end, serving, told_active, registered_and_others, never_written, leader_and_others,
         own_offset_and_others>>

\* S2:46
V1_11_is_enabled(b, epoch, current, target, offset_2) ==
  /\ (\E m \in Exchange : carried(m, b, epoch, current, target, offset_2)) = TRUE
  /\ target = "SHUTDOWN"
  /\ leads_nothing(b) = TRUE
  /\ active
  /\ (~stale(b, epoch)) = TRUE
  /\ (~(offset_2 < reported_offset[b])) = TRUE
  /\ Given_Heartbeat(b, epoch, current, target, offset_2) = TRUE

V1_11(b, epoch, current, target, offset_2) ==
  /\ V1_11_is_enabled(b, epoch, current, target, offset_2)
  /\ LET hear_1 == hear(b, offset_2)
     IN
     /\ last_contact' = Put(last_contact, hear_1.last_contact)
     /\ reported_offset' = Put(reported_offset, hear_1.reported_offset)
     /\ shutting_down' = [shutting_down EXCEPT ![b] = TRUE]
     /\ says_epoch' = Put(says_epoch, UNION {forget_question(m).says_epoch : m \in {m \in Exchange : carried(m, b,
            epoch, current, target, offset_2)}})
     /\ says_current' = Put(says_current, UNION {forget_question(m).says_current : m \in {m \in Exchange : carried(m, b,
            epoch, current, target, offset_2)}})
     /\ says_target' = Put(says_target, UNION {forget_question(m).says_target : m \in {m \in Exchange : carried(m, b,
            epoch, current, target, offset_2)}})
     /\ says_offset' = Put(says_offset, UNION {forget_question(m).says_offset : m \in {m \in Exchange : carried(m, b,
            epoch, current, target, offset_2)}})
     /\ phase' = [m \in Exchange |-> IF carried(m, b, epoch, current, target, offset_2) THEN "ANSWERED" ELSE phase[m]]
     /\ says_next' = [m \in Exchange |-> IF carried(m, b, epoch, current, target, offset_2) THEN "SHUTDOWN" ELSE
            says_next[m]]
     /\ says_lease' = [m \in Exchange |-> IF carried(m, b, epoch, current, target, offset_2) THEN 0 ELSE says_lease[m]]
     /\ reported_offset' \in [Broker -> offset]
     /\ says_lease' \in [Exchange -> time]
  /\ UNCHANGED <<active, now, answered, answered_epoch, next_offset, committed, fenced, fenced_at, lease_end, granted,
         next_lease, broker_state, own_incarnation, started, asked, own_epoch, own_lease_end, serving, told_active,
         registered_and_others, never_written, leader_and_others, sender_and_others, own_offset_and_others>>

\* S2:46
V1_10_is_enabled(b, epoch, current, target, offset_2) ==
  /\ (\E m \in Exchange : carried(m, b, epoch, current, target, offset_2)) = TRUE
  /\ target = "SHUTDOWN"
  /\ current = "ACTIVE"
  /\ active
  /\ (~stale(b, epoch)) = TRUE
  /\ (~(offset_2 < reported_offset[b])) = TRUE
  /\ (~V1_11_applies(target, b)) = TRUE
  /\ Given_Heartbeat(b, epoch, current, target, offset_2) = TRUE

V1_10(b, epoch, current, target, offset_2) ==
  /\ V1_10_is_enabled(b, epoch, current, target, offset_2)
  /\ LET hear_1 == hear(b, offset_2)
         give_lease_2 == give_lease(b, current, epoch, offset_2, target)
     IN
     /\ last_contact' = Put(last_contact, hear_1.last_contact)
     /\ reported_offset' = Put(reported_offset, hear_1.reported_offset)
     /\ shutting_down' = [shutting_down EXCEPT ![b] = TRUE]
     /\ lease_end' = Put(lease_end, give_lease_2.lease_end)
     /\ says_epoch' = Put(says_epoch, give_lease_2.says_epoch)
     /\ says_current' = Put(says_current, give_lease_2.says_current)
     /\ says_target' = Put(says_target, give_lease_2.says_target)
     /\ says_offset' = Put(says_offset, give_lease_2.says_offset)
     /\ phase' = Put(phase, give_lease_2.phase)
     /\ says_next' = Put(says_next, give_lease_2.says_next)
     /\ says_lease' = Put(says_lease, give_lease_2.says_lease)
     /\ reported_offset' \in [Broker -> offset]
     /\ lease_end' \in [Broker -> time]
  /\ UNCHANGED <<active, now, answered, answered_epoch, next_offset, committed, fenced, fenced_at, granted, next_lease,
         broker_state, own_incarnation, started, asked, own_epoch, own_lease_end, serving, told_active,
         registered_and_others, never_written, leader_and_others, sender_and_others, own_offset_and_others>>

\* S2:46
V1_10f_is_enabled(b, epoch, current, target, offset_2) ==
  /\ (\E m \in Exchange : carried(m, b, epoch, current, target, offset_2)) = TRUE
  /\ target = "SHUTDOWN"
  /\ active
  /\ (~stale(b, epoch)) = TRUE
  /\ (~(offset_2 < reported_offset[b])) = TRUE
  /\ (~V1_11_applies(target, b)) = TRUE
  /\ (~V1_10_applies(target, current)) = TRUE
  /\ Given_Heartbeat(b, epoch, current, target, offset_2) = TRUE

V1_10f(b, epoch, current, target, offset_2) ==
  /\ V1_10f_is_enabled(b, epoch, current, target, offset_2)
  /\ LET hear_1 == hear(b, offset_2)
     IN
     /\ last_contact' = Put(last_contact, hear_1.last_contact)
     /\ reported_offset' = Put(reported_offset, hear_1.reported_offset)
     /\ shutting_down' = [shutting_down EXCEPT ![b] = TRUE]
     /\ says_epoch' = Put(says_epoch, UNION {forget_question(m).says_epoch : m \in {m \in Exchange : carried(m, b,
            epoch, current, target, offset_2)}})
     /\ says_current' = Put(says_current, UNION {forget_question(m).says_current : m \in {m \in Exchange : carried(m, b,
            epoch, current, target, offset_2)}})
     /\ says_target' = Put(says_target, UNION {forget_question(m).says_target : m \in {m \in Exchange : carried(m, b,
            epoch, current, target, offset_2)}})
     /\ says_offset' = Put(says_offset, UNION {forget_question(m).says_offset : m \in {m \in Exchange : carried(m, b,
            epoch, current, target, offset_2)}})
     /\ phase' = [m \in Exchange |-> IF carried(m, b, epoch, current, target, offset_2) THEN "ANSWERED" ELSE phase[m]]
     /\ says_next' = [m \in Exchange |-> IF carried(m, b, epoch, current, target, offset_2) THEN "FENCED" ELSE
            says_next[m]]
     /\ says_lease' = [m \in Exchange |-> IF carried(m, b, epoch, current, target, offset_2) THEN 0 ELSE says_lease[m]]
     /\ reported_offset' \in [Broker -> offset]
     /\ says_lease' \in [Exchange -> time]
  /\ UNCHANGED <<active, now, answered, answered_epoch, next_offset, committed, fenced, fenced_at, lease_end, granted,
         next_lease, broker_state, own_incarnation, started, asked, own_epoch, own_lease_end, serving, told_active,
         registered_and_others, never_written, leader_and_others, sender_and_others, own_offset_and_others>>

\* S2:41,441
V1_5_is_enabled(b, epoch, current, target, offset_2) ==
  /\ (\E m \in Exchange : carried(m, b, epoch, current, target, offset_2)) = TRUE
  /\ current = "FENCED"
  /\ active
  /\ (~stale(b, epoch)) = TRUE
  /\ (~(offset_2 < reported_offset[b])) = TRUE
  /\ (~V1_11_applies(target, b)) = TRUE
  /\ (~V1_10_applies(target, current)) = TRUE
  /\ target # "SHUTDOWN"
  /\ Given_Heartbeat(b, epoch, current, target, offset_2) = TRUE

V1_5(b, epoch, current, target, offset_2) ==
  /\ V1_5_is_enabled(b, epoch, current, target, offset_2)
  /\ LET hear_1 == hear(b, offset_2)
         give_lease_2 == give_lease(b, current, epoch, offset_2, target)
     IN
     /\ last_contact' = Put(last_contact, hear_1.last_contact)
     /\ reported_offset' = Put(reported_offset, hear_1.reported_offset)
     /\ granted' = [granted EXCEPT ![b] = TRUE]
     /\ lease_end' = Put(lease_end, give_lease_2.lease_end)
     /\ says_epoch' = Put(says_epoch, give_lease_2.says_epoch)
     /\ says_current' = Put(says_current, give_lease_2.says_current)
     /\ says_target' = Put(says_target, give_lease_2.says_target)
     /\ says_offset' = Put(says_offset, give_lease_2.says_offset)
     /\ phase' = Put(phase, give_lease_2.phase)
     /\ says_next' = Put(says_next, give_lease_2.says_next)
     /\ says_lease' = Put(says_lease, give_lease_2.says_lease)
     /\ reported_offset' \in [Broker -> offset]
     /\ lease_end' \in [Broker -> time]
  /\ UNCHANGED <<active, now, answered, answered_epoch, next_offset, committed, fenced, fenced_at, shutting_down,
         next_lease, broker_state, own_incarnation, started, asked, own_epoch, own_lease_end, serving, told_active,
         registered_and_others, never_written, leader_and_others, sender_and_others, own_offset_and_others>>

\* S2:442-443
V1_6_is_enabled(b, epoch, current, target, offset_2) ==
  /\ (\E m \in Exchange : carried(m, b, epoch, current, target, offset_2)) = TRUE
  /\ fenced[b]
  /\ granted[b]
  /\ active
  /\ (~stale(b, epoch)) = TRUE
  /\ (~(offset_2 < reported_offset[b])) = TRUE
  /\ (~V1_11_applies(target, b)) = TRUE
  /\ (~V1_10_applies(target, current)) = TRUE
  /\ target # "SHUTDOWN"
  /\ current # "FENCED"
  /\ Given_Heartbeat(b, epoch, current, target, offset_2) = TRUE

V1_6(b, epoch, current, target, offset_2) ==
  /\ V1_6_is_enabled(b, epoch, current, target, offset_2)
  /\ LET hear_1 == hear(b, offset_2)
         give_lease_2 == give_lease(b, current, epoch, offset_2, target)
         unfence_3 == unfence(b)
     IN
     /\ last_contact' = Put(last_contact, hear_1.last_contact)
     /\ reported_offset' = Put(reported_offset, hear_1.reported_offset)
     /\ granted' = [granted EXCEPT ![b] = FALSE]
     /\ lease_end' = Put(lease_end, give_lease_2.lease_end)
     /\ says_epoch' = Put(says_epoch, give_lease_2.says_epoch)
     /\ says_current' = Put(says_current, give_lease_2.says_current)
     /\ says_target' = Put(says_target, give_lease_2.says_target)
     /\ says_offset' = Put(says_offset, give_lease_2.says_offset)
     /\ phase' = Put(phase, give_lease_2.phase)
     /\ says_next' = Put(says_next, give_lease_2.says_next)
     /\ says_lease' = Put(says_lease, give_lease_2.says_lease)
     /\ fenced' = UnfenceBroker_fenced(fenced, unfence_3.UnfenceBroker)
     /\ next_offset' = PutCell(next_offset, unfence_3.next_offset)
     /\ reported_offset' \in [Broker -> offset]
     /\ lease_end' \in [Broker -> time]
     /\ next_offset' \in offset
  /\ UNCHANGED <<active, now, answered, answered_epoch, committed, fenced_at, shutting_down, next_lease, broker_state,
         own_incarnation, started, asked, own_epoch, own_lease_end, serving, told_active, registered_and_others,
         never_written, leader_and_others, sender_and_others, own_offset_and_others>>

\* S2:440
V1_6f_is_enabled(b, epoch, current, target, offset_2) ==
  /\ (\E m \in Exchange : carried(m, b, epoch, current, target, offset_2)) = TRUE
  /\ fenced[b]
  /\ active
  /\ (~stale(b, epoch)) = TRUE
  /\ (~(offset_2 < reported_offset[b])) = TRUE
  /\ (~V1_11_applies(target, b)) = TRUE
  /\ (~V1_10_applies(target, current)) = TRUE
  /\ target # "SHUTDOWN"
  /\ current # "FENCED"
  /\ (~V1_6_applies(b)) = TRUE
  /\ Given_Heartbeat(b, epoch, current, target, offset_2) = TRUE

V1_6f(b, epoch, current, target, offset_2) ==
  /\ V1_6f_is_enabled(b, epoch, current, target, offset_2)
  /\ LET hear_1 == hear(b, offset_2)
     IN
     /\ last_contact' = Put(last_contact, hear_1.last_contact)
     /\ reported_offset' = Put(reported_offset, hear_1.reported_offset)
     /\ says_epoch' = Put(says_epoch, UNION {forget_question(m).says_epoch : m \in {m \in Exchange : carried(m, b,
            epoch, current, target, offset_2)}})
     /\ says_current' = Put(says_current, UNION {forget_question(m).says_current : m \in {m \in Exchange : carried(m, b,
            epoch, current, target, offset_2)}})
     /\ says_target' = Put(says_target, UNION {forget_question(m).says_target : m \in {m \in Exchange : carried(m, b,
            epoch, current, target, offset_2)}})
     /\ says_offset' = Put(says_offset, UNION {forget_question(m).says_offset : m \in {m \in Exchange : carried(m, b,
            epoch, current, target, offset_2)}})
     /\ phase' = [m \in Exchange |-> IF carried(m, b, epoch, current, target, offset_2) THEN "ANSWERED" ELSE phase[m]]
     /\ says_next' = [m \in Exchange |-> IF carried(m, b, epoch, current, target, offset_2) THEN "FENCED" ELSE
            says_next[m]]
     /\ says_lease' = [m \in Exchange |-> IF carried(m, b, epoch, current, target, offset_2) THEN 0 ELSE says_lease[m]]
     /\ reported_offset' \in [Broker -> offset]
     /\ says_lease' \in [Exchange -> time]
  /\ UNCHANGED <<active, now, answered, answered_epoch, next_offset, committed, fenced, fenced_at, lease_end, granted,
         shutting_down, next_lease, broker_state, own_incarnation, started, asked, own_epoch, own_lease_end, serving,
         told_active, registered_and_others, never_written, leader_and_others, sender_and_others,
         own_offset_and_others>>

\* S2:43
V1_6r_is_enabled(b, epoch, current, target, offset_2) ==
  /\ (\E m \in Exchange : carried(m, b, epoch, current, target, offset_2)) = TRUE
  /\ active
  /\ (~stale(b, epoch)) = TRUE
  /\ (~(offset_2 < reported_offset[b])) = TRUE
  /\ (~V1_11_applies(target, b)) = TRUE
  /\ (~V1_10_applies(target, current)) = TRUE
  /\ target # "SHUTDOWN"
  /\ current # "FENCED"
  /\ (~V1_6_applies(b)) = TRUE
  /\ (~fenced[b]) = TRUE
  /\ Given_Heartbeat(b, epoch, current, target, offset_2) = TRUE

V1_6r(b, epoch, current, target, offset_2) ==
  /\ V1_6r_is_enabled(b, epoch, current, target, offset_2)
  /\ LET hear_1 == hear(b, offset_2)
         give_lease_2 == give_lease(b, current, epoch, offset_2, target)
     IN
     /\ last_contact' = Put(last_contact, hear_1.last_contact)
     /\ reported_offset' = Put(reported_offset, hear_1.reported_offset)
     /\ granted' = [granted EXCEPT ![b] = FALSE]
     /\ lease_end' = Put(lease_end, give_lease_2.lease_end)
     /\ says_epoch' = Put(says_epoch, give_lease_2.says_epoch)
     /\ says_current' = Put(says_current, give_lease_2.says_current)
     /\ says_target' = Put(says_target, give_lease_2.says_target)
     /\ says_offset' = Put(says_offset, give_lease_2.says_offset)
     /\ phase' = Put(phase, give_lease_2.phase)
     /\ says_next' = Put(says_next, give_lease_2.says_next)
     /\ says_lease' = Put(says_lease, give_lease_2.says_lease)
     /\ reported_offset' \in [Broker -> offset]
     /\ lease_end' \in [Broker -> time]
  /\ UNCHANGED <<active, now, answered, answered_epoch, next_offset, committed, fenced, fenced_at, shutting_down,
         next_lease, broker_state, own_incarnation, started, asked, own_epoch, own_lease_end, serving, told_active,
         registered_and_others, never_written, leader_and_others, sender_and_others, own_offset_and_others>>

\* S2:43
VT1_is_enabled(to_2) ==
  /\ now < to_2
  /\ (\A x \in Broker : own_lease_end[x] = -1 \/ to_2 <= own_lease_end[x]) = TRUE
  /\ controller_in_time(to_2) = TRUE
  /\ Given_TimePasses(to_2) = TRUE

VT1(to_2) ==
  /\ VT1_is_enabled(to_2)
  /\ now' = to_2
  /\ UNCHANGED <<active, last_contact, answered, answered_epoch, next_offset, committed, fenced, fenced_at, lease_end,
         granted, reported_offset, shutting_down, next_lease, broker_state, own_incarnation, started, asked, own_epoch,
         own_lease_end, serving, told_active, registered_and_others, never_written, leader_and_others,
         says_epoch_and_others, phase_and_others, sender_and_others, own_offset_and_others>>

\* S2:43
VT2_is_enabled(to_2) ==
  /\ 0 < to_2
  /\ to_2 <= longest_lease
  /\ to_2 # next_lease
  /\ Given_ChooseLease(to_2) = TRUE

VT2(to_2) ==
  /\ VT2_is_enabled(to_2)
  /\ next_lease' = to_2
  /\ UNCHANGED <<active, now, last_contact, answered, answered_epoch, next_offset, committed, fenced, fenced_at,
         lease_end, granted, reported_offset, shutting_down, broker_state, own_incarnation, started, asked, own_epoch,
         own_lease_end, serving, told_active, registered_and_others, never_written, leader_and_others,
         says_epoch_and_others, phase_and_others, sender_and_others, own_offset_and_others>>

\* S2:43,505
V1_8_is_enabled(b) ==
  /\ active
  /\ lease_end[b] # -1
  /\ lease_end[b] < now
  /\ (~fenced[b]) = TRUE

V1_8(b) ==
  /\ V1_8_is_enabled(b)
  /\ LET fence_1 == fence(b)
         end_lease_2 == end_lease(b)
     IN
     /\ IsrChange_replayed(fence_1.IsrChange)
     /\ FenceBroker_replayed(fence_1.FenceBroker)
     /\ next_offset' = PutCell(next_offset, advance)
     /\ lease_end' = Put(lease_end, end_lease_2.lease_end)
     /\ granted' = Put(granted, end_lease_2.granted)
     /\ next_offset' \in offset
  /\ UNCHANGED <<active, now, last_contact, answered, answered_epoch, committed, reported_offset, shutting_down,
         next_lease, broker_state, own_incarnation, started, asked, own_epoch, own_lease_end, serving, told_active,
         registered_and_others, never_written, says_epoch_and_others, phase_and_others, sender_and_others,
         own_offset_and_others>>

\* S2:43
V1_8g_is_enabled(b) ==
  /\ active
  /\ lease_end[b] # -1
  /\ lease_end[b] < now
  /\ fenced[b]

V1_8g(b) ==
  /\ V1_8g_is_enabled(b)
  /\ LET end_lease_1 == end_lease(b)
     IN
     /\ lease_end' = Put(lease_end, end_lease_1.lease_end)
     /\ granted' = Put(granted, end_lease_1.granted)
  /\ UNCHANGED <<active, now, last_contact, answered, answered_epoch, next_offset, committed, fenced, fenced_at,
         reported_offset, shutting_down, next_lease, broker_state, own_incarnation, started, asked, own_epoch,
         own_lease_end, serving, told_active, registered_and_others, never_written, leader_and_others,
         says_epoch_and_others, phase_and_others, sender_and_others, own_offset_and_others>>

\* S2:20
VF1_is_enabled ==
  /\ active
  /\ Given_ControllerFails = TRUE

VF1 ==
  /\ VF1_is_enabled
  /\ active' = FALSE
  /\ last_contact' = [b \in Broker |-> -1]
  /\ reported_offset' = [b \in Broker |-> -1]
  /\ shutting_down' = [b \in Broker |-> FALSE]
  /\ lease_end' = Put(lease_end, UNION {end_lease(b).lease_end : b \in Broker})
  /\ granted' = Put(granted, UNION {end_lease(b).granted : b \in Broker})
  /\ UNCHANGED <<now, answered, answered_epoch, next_offset, committed, fenced, fenced_at, next_lease, broker_state,
         own_incarnation, started, asked, own_epoch, own_lease_end, serving, told_active, registered_and_others,
         never_written, leader_and_others, says_epoch_and_others, phase_and_others, sender_and_others,
         own_offset_and_others>>

\* S2:20
VF2 ==
  /\ (~active) = TRUE
  /\ active' = TRUE
  /\ last_contact' = [b \in Broker |-> IF registered[b] THEN now ELSE last_contact[b]]
  /\ lease_end' = [b \in Broker |-> IF registered[b] THEN now + longest_lease ELSE lease_end[b]]
  /\ lease_end' \in [Broker -> time]
  /\ UNCHANGED <<now, answered, answered_epoch, next_offset, committed, fenced, fenced_at, granted, reported_offset,
         shutting_down, next_lease, broker_state, own_incarnation, started, asked, own_epoch, own_lease_end, serving,
         told_active, registered_and_others, never_written, leader_and_others, says_epoch_and_others, phase_and_others,
         sender_and_others, own_offset_and_others>>

\* S2:31
VE1_is_enabled(p, leader_2) ==
  /\ active
  /\ electable(leader_2, p) = TRUE
  /\ leader[p] = None
  /\ Given_ElectLeader(p, leader_2) = TRUE

VE1(p, leader_2) ==
  /\ VE1_is_enabled(p, leader_2)
  /\ LET lead_1 == lead(p, leader_2)
     IN
     /\ IsrChange_replayed(lead_1.IsrChange)
     /\ next_offset' = PutCell(next_offset, lead_1.next_offset)
     /\ next_offset' \in offset
  /\ UNCHANGED <<active, now, last_contact, answered, answered_epoch, committed, fenced, fenced_at, lease_end, granted,
         reported_offset, shutting_down, next_lease, broker_state, own_incarnation, started, asked, own_epoch,
         own_lease_end, serving, told_active, registered_and_others, never_written, says_epoch_and_others,
         phase_and_others, sender_and_others, own_offset_and_others>>

\* S2:46
V1_10m_is_enabled(p, leader_2) ==
  /\ active
  /\ electable(leader_2, p) = TRUE
  /\ leader_stops(p) = TRUE
  /\ Given_ElectLeader(p, leader_2) = TRUE

V1_10m(p, leader_2) ==
  /\ V1_10m_is_enabled(p, leader_2)
  /\ LET lead_1 == lead(p, leader_2)
     IN
     /\ IsrChange_replayed(lead_1.IsrChange)
     /\ next_offset' = PutCell(next_offset, lead_1.next_offset)
     /\ next_offset' \in offset
  /\ UNCHANGED <<active, now, last_contact, answered, answered_epoch, committed, fenced, fenced_at, lease_end, granted,
         reported_offset, shutting_down, next_lease, broker_state, own_incarnation, started, asked, own_epoch,
         own_lease_end, serving, told_active, registered_and_others, never_written, says_epoch_and_others,
         phase_and_others, sender_and_others, own_offset_and_others>>

\* S2:31
VE2_is_enabled(p, leader_2) ==
  /\ active
  /\ electable(leader_2, p) = TRUE
  /\ leader[p] # None
  /\ (~leader_stops(p)) = TRUE
  /\ Given_ElectLeader(p, leader_2) = TRUE

VE2(p, leader_2) ==
  /\ VE2_is_enabled(p, leader_2)
  /\ LET lead_1 == lead(p, leader_2)
     IN
     /\ IsrChange_replayed(lead_1.IsrChange)
     /\ next_offset' = PutCell(next_offset, lead_1.next_offset)
     /\ next_offset' \in offset
  /\ UNCHANGED <<active, now, last_contact, answered, answered_epoch, committed, fenced, fenced_at, lease_end, granted,
         reported_offset, shutting_down, next_lease, broker_state, own_incarnation, started, asked, own_epoch,
         own_lease_end, serving, told_active, registered_and_others, never_written, says_epoch_and_others,
         phase_and_others, sender_and_others, own_offset_and_others>>

\* S2:488
VE3_is_enabled(p, b) ==
  /\ active
  /\ leader[p] # None
  /\ b \in Elements(replicas[p])
  /\ b \notin isr[p]
  /\ (~fenced[b]) = TRUE

VE3(p, b) ==
  /\ VE3_is_enabled(p, b)
  /\ IsrChange_replayed({[partition |-> p, isr |-> isr[p] \union {b}, leader |-> leader[p], leader_epoch |->
         leader_epoch[p]]})
  /\ next_offset' = PutCell(next_offset, advance)
  /\ next_offset' \in offset
  /\ UNCHANGED <<active, now, last_contact, answered, answered_epoch, committed, fenced, fenced_at, lease_end, granted,
         reported_offset, shutting_down, next_lease, broker_state, own_incarnation, started, asked, own_epoch,
         own_lease_end, serving, told_active, registered_and_others, never_written, says_epoch_and_others,
         phase_and_others, sender_and_others, own_offset_and_others>>

\* S2:18
VC1_is_enabled(to_2) ==
  /\ active
  /\ committed < to_2
  /\ to_2 < next_offset
  /\ Given_Commit(to_2) = TRUE

VC1(to_2) ==
  /\ VC1_is_enabled(to_2)
  /\ committed' = to_2
  /\ UNCHANGED <<active, now, last_contact, answered, answered_epoch, next_offset, fenced, fenced_at, lease_end,
         granted, reported_offset, shutting_down, next_lease, broker_state, own_incarnation, started, asked, own_epoch,
         own_lease_end, serving, told_active, registered_and_others, never_written, leader_and_others,
         says_epoch_and_others, phase_and_others, sender_and_others, own_offset_and_others>>

\* S2:18
VC2_is_enabled(b, to_2) ==
  /\ broker_state[b] # "NOT_RUNNING"
  /\ own_offset[b] < to_2
  /\ to_2 <= committed
  /\ Given_ApplyMetadata(b, to_2) = TRUE

VC2(b, to_2) ==
  /\ VC2_is_enabled(b, to_2)
  /\ own_offset' = [own_offset EXCEPT ![b] = to_2]
  /\ leads' = Put(leads, {[at |-> <<b, p>>, to |-> leader[p] = b] : p \in {p \in Partition : led_at[p] <= to_2}})
  /\ seen_epoch' = Put(seen_epoch, {[at |-> <<b, p>>, to |-> leader_epoch[p]] : p \in {p \in Partition : led_at[p] <=
         to_2}})
  /\ UNCHANGED <<active, now, last_contact, answered, answered_epoch, next_offset, committed, fenced, fenced_at,
         lease_end, granted, reported_offset, shutting_down, next_lease, broker_state, own_incarnation, started, asked,
         own_epoch, own_lease_end, serving, told_active, registered_and_others, never_written, leader_and_others,
         says_epoch_and_others, phase_and_others, sender_and_others>>

\* S2:123
VB1_is_enabled(b, incarnation_3) ==
  /\ started[b] < incarnation_3
  /\ broker_state[b] = "NOT_RUNNING"
  /\ 0 < incarnation_3
  /\ Given_StartBroker(b, incarnation_3) = TRUE

VB1(b, incarnation_3) ==
  /\ VB1_is_enabled(b, incarnation_3)
  /\ broker_state' = [broker_state EXCEPT ![b] = "STARTING"]
  /\ own_incarnation' = [own_incarnation EXCEPT ![b] = incarnation_3]
  /\ started' = [started EXCEPT ![b] = incarnation_3]
  /\ UNCHANGED <<active, now, last_contact, answered, answered_epoch, next_offset, committed, fenced, fenced_at,
         lease_end, granted, reported_offset, shutting_down, next_lease, asked, own_epoch, own_lease_end, serving,
         told_active, registered_and_others, never_written, leader_and_others, says_epoch_and_others, phase_and_others,
         sender_and_others, own_offset_and_others>>

\* S2:123
VB2_is_enabled(b) ==
  /\ broker_state[b] = "STARTING"
  /\ Given_RecoverLogs(b) = TRUE

VB2(b) ==
  /\ VB2_is_enabled(b)
  /\ broker_state' = [broker_state EXCEPT ![b] = "RECOVERING"]
  /\ UNCHANGED <<active, now, last_contact, answered, answered_epoch, next_offset, committed, fenced, fenced_at,
         lease_end, granted, reported_offset, shutting_down, next_lease, own_incarnation, started, asked, own_epoch,
         own_lease_end, serving, told_active, registered_and_others, never_written, leader_and_others,
         says_epoch_and_others, phase_and_others, sender_and_others, own_offset_and_others>>

\* S2:123
VB3(b) ==
  /\ (broker_state[b] = "STARTING" \/ broker_state[b] = "RECOVERING") = TRUE
  /\ broker_state' = [broker_state EXCEPT ![b] = "REGISTERING"]
  /\ asked' = [asked EXCEPT ![b] = own_incarnation[b]]
  /\ UNCHANGED <<active, now, last_contact, answered, answered_epoch, next_offset, committed, fenced, fenced_at,
         lease_end, granted, reported_offset, shutting_down, next_lease, own_incarnation, started, own_epoch,
         own_lease_end, serving, told_active, registered_and_others, never_written, leader_and_others,
         says_epoch_and_others, phase_and_others, sender_and_others, own_offset_and_others>>

\* S2:123
VB6_is_enabled(b) ==
  /\ (broker_state[b] = "FENCED" \/ broker_state[b] = "RUNNING") = TRUE
  /\ Given_BeginShutdown(b) = TRUE

VB6(b) ==
  /\ VB6_is_enabled(b)
  /\ broker_state' = [broker_state EXCEPT ![b] = "PENDING"]
  /\ UNCHANGED <<active, now, last_contact, answered, answered_epoch, next_offset, committed, fenced, fenced_at,
         lease_end, granted, reported_offset, shutting_down, next_lease, own_incarnation, started, asked, own_epoch,
         own_lease_end, serving, told_active, registered_and_others, never_written, leader_and_others,
         says_epoch_and_others, phase_and_others, sender_and_others, own_offset_and_others>>

\* S2:123
VB8_is_enabled(b) ==
  /\ broker_state[b] # "NOT_RUNNING"
  /\ Given_StopBroker(b) = TRUE

VB8(b) ==
  /\ VB8_is_enabled(b)
  /\ broker_state' = [broker_state EXCEPT ![b] = "NOT_RUNNING"]
  /\ own_incarnation' = [own_incarnation EXCEPT ![b] = 0]
  /\ own_epoch' = [own_epoch EXCEPT ![b] = -1]
  /\ own_offset' = [own_offset EXCEPT ![b] = -1]
  /\ own_lease_end' = [own_lease_end EXCEPT ![b] = -1]
  /\ serving' = [serving EXCEPT ![b] = FALSE]
  /\ leads' = Put(leads, {[at |-> <<b, p>>, to |-> FALSE] : p \in Partition})
  /\ seen_epoch' = Put(seen_epoch, {[at |-> <<b, p>>, to |-> 0] : p \in Partition})
  /\ UNCHANGED <<active, now, last_contact, answered, answered_epoch, next_offset, committed, fenced, fenced_at,
         lease_end, granted, reported_offset, shutting_down, next_lease, started, asked, told_active,
         registered_and_others, never_written, leader_and_others, says_epoch_and_others, phase_and_others,
         sender_and_others>>

\* S2:444
VB5_is_enabled(b, m) ==
  /\ (broker_state[b] = "FENCED" \/ broker_state[b] = "RUNNING" \/ broker_state[b] = "PENDING") = TRUE
  /\ (phase[m] = "FREE" \/ sent_at[m] < now) = TRUE
  /\ Given_SendHeartbeat(b, m) = TRUE

VB5(b, m) ==
  /\ VB5_is_enabled(b, m)
  /\ phase' = [phase EXCEPT ![m] = "ASKED"]
  /\ sender' = [sender EXCEPT ![m] = b]
  /\ asker' = [asker EXCEPT ![m] = own_incarnation[b]]
  /\ says_epoch' = [says_epoch EXCEPT ![m] = own_epoch[b]]
  /\ says_current' = [says_current EXCEPT ![m] = IF serving[b] THEN "ACTIVE" ELSE "FENCED"]
  /\ says_target' = [says_target EXCEPT ![m] = IF broker_state[b] = "PENDING" THEN "SHUTDOWN" ELSE "ACTIVE"]
  /\ says_offset' = [says_offset EXCEPT ![m] = own_offset[b]]
  /\ sent_at' = [sent_at EXCEPT ![m] = now]
  /\ says_next' = [says_next EXCEPT ![m] = "NOTHING"]
  /\ says_lease' = [says_lease EXCEPT ![m] = 0]
  /\ says_lease' \in [Exchange -> time]
  /\ UNCHANGED <<active, now, last_contact, answered, answered_epoch, next_offset, committed, fenced, fenced_at,
         lease_end, granted, reported_offset, shutting_down, next_lease, broker_state, own_incarnation, started, asked,
         own_epoch, own_lease_end, serving, told_active, registered_and_others, never_written, leader_and_others,
         own_offset_and_others>>

\* S2:35
VB4_is_enabled(b, error, epoch, lease) ==
  /\ answered[b] = own_incarnation[b]
  /\ epoch = answered_epoch[b]
  /\ lease = next_lease
  /\ broker_state[b] = "REGISTERING"
  /\ error = "NONE"
  /\ Given_RegisterReply(b, error, epoch, lease) = TRUE

VB4(b, error, epoch, lease) ==
  /\ VB4_is_enabled(b, error, epoch, lease)
  /\ broker_state' = [broker_state EXCEPT ![b] = "FENCED"]
  /\ own_epoch' = [own_epoch EXCEPT ![b] = epoch]
  /\ UNCHANGED <<active, now, last_contact, answered, answered_epoch, next_offset, committed, fenced, fenced_at,
         lease_end, granted, reported_offset, shutting_down, next_lease, own_incarnation, started, asked, own_lease_end,
         serving, told_active, registered_and_others, never_written, leader_and_others, says_epoch_and_others,
         phase_and_others, sender_and_others, own_offset_and_others>>

\* S2:439-444
VH1_is_enabled(b, error, next, sent, lease) ==
  /\ (error # "NONE" \/ (\E m \in Exchange : told(m, b, next, sent, lease))) = TRUE
  /\ broker_state[b] = "FENCED"
  /\ next = "ACTIVE"
  /\ now <= lease_until(sent, lease)
  /\ error = "NONE"
  /\ Given_HeartbeatReply(b, error, next, sent, lease) = TRUE

VH1(b, error, next, sent, lease) ==
  /\ VH1_is_enabled(b, error, next, sent, lease)
  /\ broker_state' = [broker_state EXCEPT ![b] = "RUNNING"]
  /\ serving' = [serving EXCEPT ![b] = TRUE]
  /\ own_lease_end' = Put(own_lease_end, extend(b, lease, sent))
  /\ phase' = Put(phase, UNION {free(m).phase : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
  /\ sender' = Put(sender, UNION {free(m).sender : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
  /\ asker' = Put(asker, UNION {free(m).asker : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
  /\ sent_at' = Put(sent_at, UNION {free(m).sent_at : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
  /\ says_next' = Put(says_next, UNION {free(m).says_next : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
  /\ says_lease' = Put(says_lease, UNION {free(m).says_lease : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
  /\ told_active' = [told_active EXCEPT ![b] = own_epoch[b]]
  /\ own_lease_end' \in [Broker -> time]
  /\ says_lease' \in [Exchange -> time]
  /\ UNCHANGED <<active, now, last_contact, answered, answered_epoch, next_offset, committed, fenced, fenced_at,
         lease_end, granted, reported_offset, shutting_down, next_lease, own_incarnation, started, asked, own_epoch,
         registered_and_others, never_written, leader_and_others, says_epoch_and_others, own_offset_and_others>>

\* S2:439-444
VH2_is_enabled(b, error, next, sent, lease) ==
  /\ (error # "NONE" \/ (\E m \in Exchange : told(m, b, next, sent, lease))) = TRUE
  /\ (broker_state[b] = "RUNNING" \/ broker_state[b] = "PENDING") = TRUE
  /\ next = "ACTIVE"
  /\ now <= lease_until(sent, lease)
  /\ error = "NONE"
  /\ (~VH1_applies(b, next, sent, lease)) = TRUE
  /\ Given_HeartbeatReply(b, error, next, sent, lease) = TRUE

VH2(b, error, next, sent, lease) ==
  /\ VH2_is_enabled(b, error, next, sent, lease)
  /\ own_lease_end' = Put(own_lease_end, extend(b, lease, sent))
  /\ phase' = Put(phase, UNION {free(m).phase : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
  /\ sender' = Put(sender, UNION {free(m).sender : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
  /\ asker' = Put(asker, UNION {free(m).asker : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
  /\ sent_at' = Put(sent_at, UNION {free(m).sent_at : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
  /\ says_next' = Put(says_next, UNION {free(m).says_next : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
  /\ says_lease' = Put(says_lease, UNION {free(m).says_lease : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
  /\ told_active' = [told_active EXCEPT ![b] = own_epoch[b]]
  /\ own_lease_end' \in [Broker -> time]
  /\ says_lease' \in [Exchange -> time]
  /\ UNCHANGED <<active, now, last_contact, answered, answered_epoch, next_offset, committed, fenced, fenced_at,
         lease_end, granted, reported_offset, shutting_down, next_lease, broker_state, own_incarnation, started, asked,
         own_epoch, serving, registered_and_others, never_written, leader_and_others, says_epoch_and_others,
         own_offset_and_others>>

\* S2:439-444
VH3_is_enabled(b, error, next, sent, lease) ==
  /\ (error # "NONE" \/ (\E m \in Exchange : told(m, b, next, sent, lease))) = TRUE
  /\ (broker_state[b] = "FENCED" \/ broker_state[b] = "RUNNING" \/ broker_state[b] = "PENDING") = TRUE
  /\ next = "FENCED"
  /\ error = "NONE"
  /\ (~VH1_applies(b, next, sent, lease)) = TRUE
  /\ (~VH2_applies(b, next, sent, lease)) = TRUE
  /\ Given_HeartbeatReply(b, error, next, sent, lease) = TRUE

VH3(b, error, next, sent, lease) ==
  /\ VH3_is_enabled(b, error, next, sent, lease)
  /\ LET cease_1 == cease(b)
     IN
     /\ own_lease_end' = Put(own_lease_end, cease_1.own_lease_end)
     /\ serving' = Put(serving, cease_1.serving)
     /\ broker_state' = Put(broker_state, cease_1.broker_state)
     /\ phase' = Put(phase, UNION {free(m).phase : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
     /\ sender' = Put(sender, UNION {free(m).sender : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
     /\ asker' = Put(asker, UNION {free(m).asker : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
     /\ sent_at' = Put(sent_at, UNION {free(m).sent_at : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
     /\ says_next' = Put(says_next, UNION {free(m).says_next : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
     /\ says_lease' = Put(says_lease, UNION {free(m).says_lease : m \in {m \in Exchange : told(m, b, next, sent,
            lease)}})
     /\ says_lease' \in [Exchange -> time]
  /\ UNCHANGED <<active, now, last_contact, answered, answered_epoch, next_offset, committed, fenced, fenced_at,
         lease_end, granted, reported_offset, shutting_down, next_lease, own_incarnation, started, asked, own_epoch,
         told_active, registered_and_others, never_written, leader_and_others, says_epoch_and_others,
         own_offset_and_others>>

\* S2:439-444
VH4_is_enabled(b, error, next, sent, lease) ==
  /\ (error # "NONE" \/ (\E m \in Exchange : told(m, b, next, sent, lease))) = TRUE
  /\ broker_state[b] = "PENDING"
  /\ next = "SHUTDOWN"
  /\ error = "NONE"
  /\ (~VH1_applies(b, next, sent, lease)) = TRUE
  /\ (~VH2_applies(b, next, sent, lease)) = TRUE
  /\ (~VH3_applies(b, next)) = TRUE
  /\ Given_HeartbeatReply(b, error, next, sent, lease) = TRUE

VH4(b, error, next, sent, lease) ==
  /\ VH4_is_enabled(b, error, next, sent, lease)
  /\ own_lease_end' = [own_lease_end EXCEPT ![b] = -1]
  /\ serving' = [serving EXCEPT ![b] = FALSE]
  /\ phase' = Put(phase, UNION {free(m).phase : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
  /\ sender' = Put(sender, UNION {free(m).sender : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
  /\ asker' = Put(asker, UNION {free(m).asker : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
  /\ sent_at' = Put(sent_at, UNION {free(m).sent_at : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
  /\ says_next' = Put(says_next, UNION {free(m).says_next : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
  /\ says_lease' = Put(says_lease, UNION {free(m).says_lease : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
  /\ broker_state' = [broker_state EXCEPT ![b] = "SHUTTING_DOWN"]
  /\ says_lease' \in [Exchange -> time]
  /\ UNCHANGED <<active, now, last_contact, answered, answered_epoch, next_offset, committed, fenced, fenced_at,
         lease_end, granted, reported_offset, shutting_down, next_lease, own_incarnation, started, asked, own_epoch,
         told_active, registered_and_others, never_written, leader_and_others, says_epoch_and_others,
         own_offset_and_others>>

\* S2:439-444
VH5_is_enabled(b, error, next, sent, lease) ==
  /\ (error # "NONE" \/ (\E m \in Exchange : told(m, b, next, sent, lease))) = TRUE
  /\ error = "NONE"
  /\ (~VH1_applies(b, next, sent, lease)) = TRUE
  /\ (~VH2_applies(b, next, sent, lease)) = TRUE
  /\ (~VH3_applies(b, next)) = TRUE
  /\ (~VH4_applies(b, next)) = TRUE
  /\ Given_HeartbeatReply(b, error, next, sent, lease) = TRUE

VH5(b, error, next, sent, lease) ==
  /\ VH5_is_enabled(b, error, next, sent, lease)
  /\ phase' = Put(phase, UNION {free(m).phase : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
  /\ sender' = Put(sender, UNION {free(m).sender : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
  /\ asker' = Put(asker, UNION {free(m).asker : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
  /\ sent_at' = Put(sent_at, UNION {free(m).sent_at : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
  /\ says_next' = Put(says_next, UNION {free(m).says_next : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
  /\ says_lease' = Put(says_lease, UNION {free(m).says_lease : m \in {m \in Exchange : told(m, b, next, sent, lease)}})
  /\ says_lease' \in [Exchange -> time]
  /\ UNCHANGED <<active, now, last_contact, answered, answered_epoch, next_offset, committed, fenced, fenced_at,
         lease_end, granted, reported_offset, shutting_down, next_lease, broker_state, own_incarnation, started, asked,
         own_epoch, own_lease_end, serving, told_active, registered_and_others, never_written, leader_and_others,
         says_epoch_and_others, own_offset_and_others>>

\* S2:42-43
V1_9_is_enabled(b) ==
  /\ own_lease_end[b] # -1
  /\ own_lease_end[b] <= now

V1_9(b) ==
  /\ V1_9_is_enabled(b)
  /\ LET cease_1 == cease(b)
     IN
     /\ own_lease_end' = Put(own_lease_end, cease_1.own_lease_end)
     /\ serving' = Put(serving, cease_1.serving)
     /\ broker_state' = Put(broker_state, cease_1.broker_state)
  /\ UNCHANGED <<active, now, last_contact, answered, answered_epoch, next_offset, committed, fenced, fenced_at,
         lease_end, granted, reported_offset, shutting_down, next_lease, own_incarnation, started, asked, own_epoch,
         told_active, registered_and_others, never_written, leader_and_others, says_epoch_and_others, phase_and_others,
         sender_and_others, own_offset_and_others>>

\* S2:38-39
V1_3_is_enabled(b, incarnation_3, supports) ==
  /\ 0 < incarnation_3
  /\ incarnation_3 <= asked[b]
  /\ conflict(b, incarnation_3) = TRUE
  /\ contact_recent(b) = TRUE
  /\ active
  /\ Given_Register(b, incarnation_3, supports) = TRUE

\* S2:36
V1_4_is_enabled(b, incarnation_3, supports) ==
  /\ 0 < incarnation_3
  /\ incarnation_3 <= asked[b]
  /\ (~supports) = TRUE
  /\ active
  /\ (~V1_3_applies(b, incarnation_3)) = TRUE
  /\ Given_Register(b, incarnation_3, supports) = TRUE

Init ==
  /\ active = TRUE
  /\ registered = [k \in Broker |-> FALSE]
  /\ incarnation = [k \in Broker |-> 0]
  /\ now = 0
  /\ last_contact = [k \in Broker |-> -1]
  /\ answered = [k \in Broker |-> 0]
  /\ answered_epoch = [k \in Broker |-> -1]
  /\ broker_epoch = [k \in Broker |-> -1]
  /\ leader = [k \in Partition |-> None]
  /\ leader_epoch = [k \in Partition |-> 0]
  /\ leader_in = [k \in Partition, k2 \in leader_epoch_2 |-> None]
  /\ led_at = [k \in Partition |-> 0]
  /\ next_offset = 1
  /\ committed = 0
  /\ fenced = [k \in Broker |-> TRUE]
  /\ registered_at = [k \in Broker |-> -1]
  /\ fenced_at = [k \in Broker |-> -1]
  /\ lease_end = [k \in Broker |-> -1]
  /\ granted = [k \in Broker |-> FALSE]
  /\ reported_offset = [k \in Broker |-> -1]
  /\ shutting_down = [k \in Broker |-> FALSE]
  /\ supported = [k \in Broker |-> FALSE]
  /\ says_epoch = [k \in Exchange |-> -1]
  /\ phase = [k \in Exchange |-> "FREE"]
  /\ sender = [k \in Exchange |-> None]
  /\ says_current = [k \in Exchange |-> "FENCED"]
  /\ says_target = [k \in Exchange |-> "ACTIVE"]
  /\ says_offset = [k \in Exchange |-> -1]
  /\ asker = [k \in Exchange |-> 0]
  /\ sent_at = [k \in Exchange |-> -1]
  /\ says_next = [k \in Exchange |-> "NOTHING"]
  /\ says_lease = [k \in Exchange |-> 0]
  /\ broker_state = [k \in Broker |-> "NOT_RUNNING"]
  /\ own_offset = [k \in Broker |-> -1]
  /\ leads = [k \in Broker, k2 \in Partition |-> FALSE]
  /\ seen_epoch = [k \in Broker, k2 \in Partition |-> 0]
  /\ own_incarnation = [k \in Broker |-> 0]
  /\ started = [k \in Broker |-> 0]
  /\ asked = [k \in Broker |-> 0]
  /\ own_epoch = [k \in Broker |-> -1]
  /\ own_lease_end = [k \in Broker |-> -1]
  /\ serving = [k \in Broker |-> FALSE]
  /\ told_active = [k \in Broker |-> -1]
  /\ id_reuse \in time
  /\ Bound = "tiny" => id_reuse = 1
  /\ isr \in [Partition -> SUBSET Broker]
  /\ next_lease \in time
  /\ 0 < next_lease
  /\ Bound = "tiny" => next_lease = 1
  /\ longest_lease \in time
  /\ next_lease <= longest_lease
  /\ longest_lease <= id_reuse
  /\ Bound = "tiny" => longest_lease = 1
  /\ replicas \in [Partition -> Lists(Broker)]
  /\ (\A p \in Partition : isr[p] = Elements(replicas[p]) /\ isr[p] # isr[p] \ isr[p]) = TRUE
  /\ Bound = "tiny" => (\A p \in Partition : replicas[p] = InOrder({x \in Broker : TRUE})) = TRUE

Rows ==
  \/ \E supports \in Given_Register_supports :
       /\ supports
       /\ \E incarnation_3 \in incarnation_2 :
            /\ 0 < incarnation_3
            /\ \E b \in Broker :
                 /\ (~(conflict(b, incarnation_3) /\ contact_recent(b))) = TRUE
                 /\ incarnation_3 <= asked[b]
                 /\ \/ V1_2(b, incarnation_3, supports)
                    \/ V1_1(b, incarnation_3, supports)
                    \/ V1_1b(b, incarnation_3, supports)
  \/ \E b \in Broker, epoch \in Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in
       Given_Heartbeat_target, offset_2 \in Given_Heartbeat_offset :
       /\ (\E m \in Exchange : carried(m, b, epoch, current, target, offset_2)) = TRUE
       /\ \/ V1_5n(b, epoch, current, target, offset_2)
          \/ V1_5s(b, epoch, current, target, offset_2)
          \/ V1_7(b, epoch, current, target, offset_2)
          \/ V1_11(b, epoch, current, target, offset_2)
          \/ V1_10(b, epoch, current, target, offset_2)
          \/ V1_10f(b, epoch, current, target, offset_2)
          \/ V1_5(b, epoch, current, target, offset_2)
          \/ V1_6(b, epoch, current, target, offset_2)
          \/ V1_6f(b, epoch, current, target, offset_2)
          \/ V1_6r(b, epoch, current, target, offset_2)
  \/ \E to_2 \in Given_TimePasses_to : VT1(to_2)
  \/ \E to_2 \in time : VT2(to_2)
  \/ \E b \in Broker :
       \/ V1_8(b)
       \/ V1_8g(b)
       \/ VB2(b)
       \/ VB3(b)
       \/ VB6(b)
       \/ VB8(b)
       \/ V1_9(b)
  \/ VF1
  \/ VF2
  \/ \E p \in Partition, leader_2 \in Broker :
       /\ electable(leader_2, p) = TRUE
       /\ \/ VE1(p, leader_2)
          \/ V1_10m(p, leader_2)
          \/ VE2(p, leader_2)
  \/ \E p \in Partition, b \in Broker : VE3(p, b)
  \/ \E to_2 \in Given_Commit_to : VC1(to_2)
  \/ \E b \in Broker, to_2 \in Given_ApplyMetadata_to : VC2(b, to_2)
  \/ \E b \in Broker : \E incarnation_3 \in Given_StartBroker_incarnation(b) : VB1(b, incarnation_3)
  \/ \E b \in Broker, m \in Exchange : VB5(b, m)
  \/ \E b \in Broker, error \in Given_RegisterReply_error, epoch \in offset, lease \in time : VB4(b, error, epoch,
       lease)
  \/ \E error \in Given_HeartbeatReply_error :
       /\ error = "NONE"
       /\ \E b \in Broker, next \in Given_HeartbeatReply_next, sent \in Given_HeartbeatReply_sent, lease \in
            Given_HeartbeatReply_lease :
            /\ (error # "NONE" \/ (\E m \in Exchange : told(m, b, next, sent, lease))) = TRUE
            /\ \/ VH1(b, error, next, sent, lease)
               \/ VH2(b, error, next, sent, lease)
               \/ VH3(b, error, next, sent, lease)
               \/ VH4(b, error, next, sent, lease)
               \/ VH5(b, error, next, sent, lease)

Next == Rows \/ UNCHANGED vars

Spec == Init /\ [][Next]_vars

\* The guard of some row holds: unlike in ENABLED Rows, of one too that only a range disables.
SomeRowIsEnabled ==
  \/ \E supports \in Given_Register_supports :
       /\ supports
       /\ \E incarnation_3 \in incarnation_2 :
            /\ 0 < incarnation_3
            /\ \E b \in Broker :
                 /\ (~(conflict(b, incarnation_3) /\ contact_recent(b))) = TRUE
                 /\ incarnation_3 <= asked[b]
                 /\ \/ V1_2_is_enabled(b, incarnation_3, supports)
                    \/ V1_1_is_enabled(b, incarnation_3, supports)
                    \/ V1_1b_is_enabled(b, incarnation_3, supports)
  \/ \E b \in Broker, epoch \in Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in
       Given_Heartbeat_target, offset_2 \in Given_Heartbeat_offset :
       /\ (\E m \in Exchange : carried(m, b, epoch, current, target, offset_2)) = TRUE
       /\ \/ V1_5n_is_enabled(b, epoch, current, target, offset_2)
          \/ V1_5s_is_enabled(b, epoch, current, target, offset_2)
          \/ V1_7_is_enabled(b, epoch, current, target, offset_2)
          \/ V1_11_is_enabled(b, epoch, current, target, offset_2)
          \/ V1_10_is_enabled(b, epoch, current, target, offset_2)
          \/ V1_10f_is_enabled(b, epoch, current, target, offset_2)
          \/ V1_5_is_enabled(b, epoch, current, target, offset_2)
          \/ V1_6_is_enabled(b, epoch, current, target, offset_2)
          \/ V1_6f_is_enabled(b, epoch, current, target, offset_2)
          \/ V1_6r_is_enabled(b, epoch, current, target, offset_2)
  \/ \E to_2 \in Given_TimePasses_to : VT1_is_enabled(to_2)
  \/ \E to_2 \in time : VT2_is_enabled(to_2)
  \/ \E b \in Broker :
       \/ V1_8_is_enabled(b)
       \/ V1_8g_is_enabled(b)
       \/ VB2_is_enabled(b)
       \/ (broker_state[b] = "STARTING" \/ broker_state[b] = "RECOVERING") = TRUE
       \/ VB6_is_enabled(b)
       \/ VB8_is_enabled(b)
       \/ V1_9_is_enabled(b)
  \/ VF1_is_enabled
  \/ (~active) = TRUE
  \/ \E p \in Partition, leader_2 \in Broker :
       /\ electable(leader_2, p) = TRUE
       /\ \/ VE1_is_enabled(p, leader_2)
          \/ V1_10m_is_enabled(p, leader_2)
          \/ VE2_is_enabled(p, leader_2)
  \/ \E p \in Partition, b \in Broker : VE3_is_enabled(p, b)
  \/ \E to_2 \in Given_Commit_to : VC1_is_enabled(to_2)
  \/ \E b \in Broker, to_2 \in Given_ApplyMetadata_to : VC2_is_enabled(b, to_2)
  \/ \E b \in Broker : \E incarnation_3 \in Given_StartBroker_incarnation(b) : VB1_is_enabled(b, incarnation_3)
  \/ \E b \in Broker, m \in Exchange : VB5_is_enabled(b, m)
  \/ \E b \in Broker, error \in Given_RegisterReply_error, epoch \in offset, lease \in time : VB4_is_enabled(b, error,
       epoch, lease)
  \/ \E error \in Given_HeartbeatReply_error :
       /\ error = "NONE"
       /\ \E b \in Broker, next \in Given_HeartbeatReply_next, sent \in Given_HeartbeatReply_sent, lease \in
            Given_HeartbeatReply_lease :
            /\ (error # "NONE" \/ (\E m \in Exchange : told(m, b, next, sent, lease))) = TRUE
            /\ \/ VH1_is_enabled(b, error, next, sent, lease)
               \/ VH2_is_enabled(b, error, next, sent, lease)
               \/ VH3_is_enabled(b, error, next, sent, lease)
               \/ VH4_is_enabled(b, error, next, sent, lease)
               \/ VH5_is_enabled(b, error, next, sent, lease)

\* A counter's range alone disables a row of the event.
Register_would_leave ==
  \/ \E supports \in Given_Register_supports :
       /\ supports
       /\ \E incarnation_3 \in incarnation_2 :
            /\ 0 < incarnation_3
            /\ \E b \in Broker :
                 /\ (~(conflict(b, incarnation_3) /\ contact_recent(b))) = TRUE
                 /\ (~(registered[b] /\ ~conflict(b, incarnation_3))) = TRUE
                 /\ incarnation_3 <= asked[b]
                 /\ \/ (V1_1_is_enabled(b, incarnation_3, supports)) /\ ~ENABLED V1_1(b, incarnation_3, supports)
                    \/ (V1_1b_is_enabled(b, incarnation_3, supports)) /\ ~ENABLED V1_1b(b, incarnation_3, supports)

Heartbeat_would_leave ==
  \/ \E b \in Broker, epoch \in Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in
       Given_Heartbeat_target, offset_2 \in Given_Heartbeat_offset :
       /\ (\E m \in Exchange : carried(m, b, epoch, current, target, offset_2)) = TRUE
       /\ \/ (V1_5n_is_enabled(b, epoch, current, target, offset_2)) /\ ~ENABLED V1_5n(b, epoch, current, target,
            offset_2)
          \/ (V1_5s_is_enabled(b, epoch, current, target, offset_2)) /\ ~ENABLED V1_5s(b, epoch, current, target,
               offset_2)
          \/ (V1_7_is_enabled(b, epoch, current, target, offset_2)) /\ ~ENABLED V1_7(b, epoch, current, target,
               offset_2)
          \/ (V1_11_is_enabled(b, epoch, current, target, offset_2)) /\ ~ENABLED V1_11(b, epoch, current, target,
               offset_2)
          \/ (V1_10_is_enabled(b, epoch, current, target, offset_2)) /\ ~ENABLED V1_10(b, epoch, current, target,
               offset_2)
          \/ (V1_10f_is_enabled(b, epoch, current, target, offset_2)) /\ ~ENABLED V1_10f(b, epoch, current, target,
               offset_2)
          \/ (V1_5_is_enabled(b, epoch, current, target, offset_2)) /\ ~ENABLED V1_5(b, epoch, current, target,
               offset_2)
          \/ (V1_6_is_enabled(b, epoch, current, target, offset_2)) /\ ~ENABLED V1_6(b, epoch, current, target,
               offset_2)
          \/ (V1_6f_is_enabled(b, epoch, current, target, offset_2)) /\ ~ENABLED V1_6f(b, epoch, current, target,
               offset_2)
          \/ (V1_6r_is_enabled(b, epoch, current, target, offset_2)) /\ ~ENABLED V1_6r(b, epoch, current, target,
               offset_2)

LeaseExpires_would_leave ==
  \/ \E b \in Broker : (V1_8_is_enabled(b)) /\ ~ENABLED V1_8(b)

ControllerFailover_would_leave ==
  \/ ((~active) = TRUE) /\ ~ENABLED VF2

ElectLeader_would_leave ==
  \/ \E p \in Partition, leader_2 \in Broker :
       /\ electable(leader_2, p) = TRUE
       /\ \/ (VE1_is_enabled(p, leader_2)) /\ ~ENABLED VE1(p, leader_2)
          \/ (V1_10m_is_enabled(p, leader_2)) /\ ~ENABLED V1_10m(p, leader_2)
          \/ (VE2_is_enabled(p, leader_2)) /\ ~ENABLED VE2(p, leader_2)

CatchUp_would_leave ==
  \/ \E p \in Partition, b \in Broker : (VE3_is_enabled(p, b)) /\ ~ENABLED VE3(p, b)

SendHeartbeat_would_leave ==
  \/ \E b \in Broker, m \in Exchange : (VB5_is_enabled(b, m)) /\ ~ENABLED VB5(b, m)

HeartbeatReply_would_leave ==
  \/ \E error \in Given_HeartbeatReply_error :
       /\ error = "NONE"
       /\ \E b \in Broker, next \in Given_HeartbeatReply_next, sent \in Given_HeartbeatReply_sent, lease \in
            Given_HeartbeatReply_lease :
            /\ (error # "NONE" \/ (\E m \in Exchange : told(m, b, next, sent, lease))) = TRUE
            /\ \/ (VH1_is_enabled(b, error, next, sent, lease)) /\ ~ENABLED VH1(b, error, next, sent, lease)
               \/ (VH2_is_enabled(b, error, next, sent, lease)) /\ ~ENABLED VH2(b, error, next, sent, lease)
               \/ (VH3_is_enabled(b, error, next, sent, lease)) /\ ~ENABLED VH3(b, error, next, sent, lease)
               \/ (VH4_is_enabled(b, error, next, sent, lease)) /\ ~ENABLED VH4(b, error, next, sent, lease)
               \/ (VH5_is_enabled(b, error, next, sent, lease)) /\ ~ENABLED VH5(b, error, next, sent, lease)

\* The epoch of a broker id never goes back. (S2:34)
K1w == [][\A x \in Broker : registered[x] => broker_epoch[x] <= broker_epoch[x]']_vars

\* Another process gets the id only when the registered one was silent for long enough. (S2:38-39)
K2 == [][(\A b \in Broker, incarnation_3 \in incarnation_2, supports \in Given_Register_supports : (V1_1b(b,
  incarnation_3, supports)) => (~contact_recent(b)))]_vars

K2_where_nothing_changes == (\A b \in Broker, incarnation_3 \in incarnation_2, supports \in Given_Register_supports :
  (ENABLED (UNCHANGED vars /\ (V1_1b(b, incarnation_3, supports)))) => (~contact_recent(b)))

\* The same process that asks again keeps its epoch, and stays fenced or unfenced. (S2:35)
K3 == [][(\A b \in Broker, incarnation_3 \in incarnation_2, supports \in Given_Register_supports : (V1_2(b,
  incarnation_3, supports)) => (broker_epoch[b]' = broker_epoch[b] /\ fenced[b]' = fenced[b]))]_vars

\* An unfenced broker is registered. (S2:31)
K5 == \A x \in Broker : ~registered[x] => fenced[x]

\* A broker is unfenced under its current epoch. (S2:34)
K5e == [][(\A b \in Broker, epoch \in Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in
  Given_Heartbeat_target, offset_2 \in Given_Heartbeat_offset : (V1_6(b, epoch, current, target, offset_2)) => (epoch =
  broker_epoch[b] /\ registered[b]))]_vars

K5e_where_nothing_changes == (\A b \in Broker, epoch \in Given_Heartbeat_epoch, current \in Given_Heartbeat_current,
  target \in Given_Heartbeat_target, offset_2 \in Given_Heartbeat_offset : (ENABLED (UNCHANGED vars /\ (V1_6(b, epoch,
  current, target, offset_2)))) => (epoch = broker_epoch[b] /\ registered[b]))

\* A registered broker supports the features. (S2:36)
K7 == \A x \in Broker : registered[x] => supported[x]

\* A broker may stop only when it leads nothing. (S2:46)
K8 == [][(\A b \in Broker, epoch \in Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in
  Given_Heartbeat_target, offset_2 \in Given_Heartbeat_offset : (V1_11(b, epoch, current, target, offset_2)) =>
  (leads_nothing(b)))]_vars

K8_where_nothing_changes == (\A b \in Broker, epoch \in Given_Heartbeat_epoch, current \in Given_Heartbeat_current,
  target \in Given_Heartbeat_target, offset_2 \in Given_Heartbeat_offset : (ENABLED (UNCHANGED vars /\ (V1_11(b, epoch,
  current, target, offset_2)))) => (leads_nothing(b)))

\* A broker is unfenced only if it has received its lease under its epoch. (S2:440-444)
KU == \A x \in Broker : (registered[x] /\ ~fenced[x]) => told_active[x] = broker_epoch[x]

\* Fenced brokers lead nothing. (S2:31)
M1 == \A p \in Partition, x \in Broker : leader[p] = x => ~fenced[x]

\* At most one leader an epoch: no two brokers read of themselves as leaders in one. (S2:479)
M2 == \A p \in Partition, x \in Broker, y \in Broker : (leads[x, p] /\ leads[y, p] /\ seen_epoch[x, p] = seen_epoch[y,
  p]) => x = y

\* Every change of the leader raises the leader epoch. (S2:479)
M2w == [][\A p \in Partition : leader[p]' = leader[p] \/ leader_epoch[p] < leader_epoch[p]']_vars

\* A broker that loses its leaderships by a fence, or to another process, has stopped serving before. (S2:42-43)
M3f == [][(\A b \in Broker, incarnation_3 \in incarnation_2, supports \in Given_Register_supports : (V1_1b(b,
  incarnation_3, supports)) => (~serving[b])) /\ (\A b \in Broker : (V1_8(b)) => (~serving[b]))]_vars

M3f_where_nothing_changes == (\A b \in Broker, incarnation_3 \in incarnation_2, supports \in Given_Register_supports :
  (ENABLED (UNCHANGED vars /\ (V1_1b(b, incarnation_3, supports)))) => (~serving[b])) /\ (\A b \in Broker : (ENABLED
  (UNCHANGED vars /\ (V1_8(b)))) => (~serving[b]))

\* A broker serves no longer than its lease, which only answers of the controller make longer. (S2:42-43)
M4 == \A x \in Broker : serving[x] => (now <= own_lease_end[x] /\ own_lease_end[x] # -1)

\* Nothing but an answer makes the lease of a broker longer. (S2:43)
M4w == [][(\A b \in Broker, incarnation_3 \in incarnation_2, supports \in Given_Register_supports : (V1_2(b,
  incarnation_3, supports) \/ V1_1(b, incarnation_3, supports) \/ V1_1b(b, incarnation_3, supports)) => (\A x \in Broker
  : own_lease_end[x]' <= own_lease_end[x])) /\ (\A b \in Broker, epoch \in Given_Heartbeat_epoch, current \in
  Given_Heartbeat_current, target \in Given_Heartbeat_target, offset_2 \in Given_Heartbeat_offset : (V1_5n(b, epoch,
  current, target, offset_2) \/ V1_5s(b, epoch, current, target, offset_2) \/ V1_7(b, epoch, current, target, offset_2)
  \/ V1_11(b, epoch, current, target, offset_2) \/ V1_10(b, epoch, current, target, offset_2) \/ V1_10f(b, epoch,
  current, target, offset_2) \/ V1_5(b, epoch, current, target, offset_2) \/ V1_6(b, epoch, current, target, offset_2)
  \/ V1_6f(b, epoch, current, target, offset_2) \/ V1_6r(b, epoch, current, target, offset_2)) => (\A x \in Broker :
  own_lease_end[x]' <= own_lease_end[x])) /\ (\A to_2 \in Given_TimePasses_to : (VT1(to_2)) => (\A x \in Broker :
  own_lease_end[x]' <= own_lease_end[x])) /\ (\A to_2 \in time : (VT2(to_2)) => (\A x \in Broker : own_lease_end[x]' <=
  own_lease_end[x])) /\ (\A b \in Broker : (V1_8(b) \/ V1_8g(b) \/ VB2(b) \/ VB3(b) \/ VB6(b) \/ VB8(b) \/ V1_9(b)) =>
  (\A x \in Broker : own_lease_end[x]' <= own_lease_end[x])) /\ ((VF1 \/ VF2) => (\A x \in Broker : own_lease_end[x]' <=
  own_lease_end[x])) /\ (\A p \in Partition, leader_2 \in Broker : (VE1(p, leader_2) \/ V1_10m(p, leader_2) \/ VE2(p,
  leader_2)) => (\A x \in Broker : own_lease_end[x]' <= own_lease_end[x])) /\ (\A p \in Partition, b \in Broker :
  (VE3(p, b)) => (\A x \in Broker : own_lease_end[x]' <= own_lease_end[x])) /\ (\A to_2 \in Given_Commit_to :
  (VC1(to_2)) => (\A x \in Broker : own_lease_end[x]' <= own_lease_end[x])) /\ (\A b \in Broker, to_2 \in
  Given_ApplyMetadata_to : (VC2(b, to_2)) => (\A x \in Broker : own_lease_end[x]' <= own_lease_end[x])) /\ (\A b \in
  Broker : \A incarnation_3 \in Given_StartBroker_incarnation(b) : (VB1(b, incarnation_3)) => (\A x \in Broker :
  own_lease_end[x]' <= own_lease_end[x])) /\ (\A b \in Broker, m \in Exchange : (VB5(b, m)) => (\A x \in Broker :
  own_lease_end[x]' <= own_lease_end[x])) /\ (\A b \in Broker, error \in Given_RegisterReply_error, epoch \in offset,
  lease \in time : (VB4(b, error, epoch, lease)) => (\A x \in Broker : own_lease_end[x]' <= own_lease_end[x])) /\ (\A b
  \in Broker, error \in Given_HeartbeatReply_error, next \in Given_HeartbeatReply_next, sent \in
  Given_HeartbeatReply_sent, lease \in Given_HeartbeatReply_lease : (VH3(b, error, next, sent, lease) \/ VH4(b, error,
  next, sent, lease) \/ VH5(b, error, next, sent, lease)) => (\A x \in Broker : own_lease_end[x]' <=
  own_lease_end[x]))]_vars

\* The leader is in the ISR, which is never empty. (S2:488,492)
M5 == \A p \in Partition : (\E x \in Broker : x \in isr[p]) /\ (leader[p] = None \/ leader[p] \in isr[p])

\* A new leader was in the ISR before. (S2:46)
M5e == [][\A p \in Partition : leader[p]' = leader[p] \/ leader[p]' = None \/ leader[p]' \in isr[p]]_vars

\* A process that takes over an id is fenced, and leads nothing of what its predecessor led. (S2:38)
M6 == [][(\A b \in Broker, incarnation_3 \in incarnation_2, supports \in Given_Register_supports : (V1_1b(b,
  incarnation_3, supports)) => (fenced[b]' /\ (\A p \in Partition : leader[p]' # b)))]_vars

M6_where_nothing_changes == (\A b \in Broker, incarnation_3 \in incarnation_2, supports \in Given_Register_supports :
  (ENABLED (UNCHANGED vars /\ (V1_1b(b, incarnation_3, supports)))) => (fenced[b] /\ (\A p \in Partition : leader[p] #
  b)))

\* Without an active controller the metadata stays as it is. (S2:446)
M7 == [][active \/ (next_offset' = next_offset /\ (\A x \in Broker : fenced[x]' = fenced[x] /\ broker_epoch[x]' =
  broker_epoch[x]) /\ (\A p \in Partition : leader[p]' = leader[p] /\ isr[p]' = isr[p]))]_vars

\* A failover keeps the metadata; handshakes and shutdowns under way are taken up again by the next heartbeats. (S2:20)
M8 == [][((VF1 \/ VF2) => (next_offset' = next_offset /\ (\A x \in Broker : fenced[x]' = fenced[x] /\ registered[x]' =
  registered[x]) /\ (\A p \in Partition : leader[p]' = leader[p] /\ isr[p]' = isr[p])))]_vars

\* A broker that heartbeats is unfenced in the end. (S2:440-444)
Spec_K11 == Spec /\ ([]<>~((ENABLED <<(\E b \in Broker, m \in Exchange : VB5(b, m))>>_vars) \/
  SendHeartbeat_would_leave) \/ []<><<(\E b \in Broker, m \in Exchange : VB5(b, m))>>_vars) /\ ([]<>~((ENABLED <<(\E b
  \in Broker, epoch \in Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in Given_Heartbeat_target,
  offset_2 \in Given_Heartbeat_offset : V1_5n(b, epoch, current, target, offset_2)) \/ (\E b \in Broker, epoch \in
  Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in Given_Heartbeat_target, offset_2 \in
  Given_Heartbeat_offset : V1_5s(b, epoch, current, target, offset_2)) \/ (\E b \in Broker, epoch \in
  Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in Given_Heartbeat_target, offset_2 \in
  Given_Heartbeat_offset : V1_7(b, epoch, current, target, offset_2)) \/ (\E b \in Broker, epoch \in
  Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in Given_Heartbeat_target, offset_2 \in
  Given_Heartbeat_offset : V1_11(b, epoch, current, target, offset_2)) \/ (\E b \in Broker, epoch \in
  Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in Given_Heartbeat_target, offset_2 \in
  Given_Heartbeat_offset : V1_10(b, epoch, current, target, offset_2)) \/ (\E b \in Broker, epoch \in
  Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in Given_Heartbeat_target, offset_2 \in
  Given_Heartbeat_offset : V1_10f(b, epoch, current, target, offset_2)) \/ (\E b \in Broker, epoch \in
  Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in Given_Heartbeat_target, offset_2 \in
  Given_Heartbeat_offset : V1_5(b, epoch, current, target, offset_2)) \/ (\E b \in Broker, epoch \in
  Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in Given_Heartbeat_target, offset_2 \in
  Given_Heartbeat_offset : V1_6(b, epoch, current, target, offset_2)) \/ (\E b \in Broker, epoch \in
  Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in Given_Heartbeat_target, offset_2 \in
  Given_Heartbeat_offset : V1_6f(b, epoch, current, target, offset_2)) \/ (\E b \in Broker, epoch \in
  Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in Given_Heartbeat_target, offset_2 \in
  Given_Heartbeat_offset : V1_6r(b, epoch, current, target, offset_2))>>_vars) \/ Heartbeat_would_leave) \/ []<><<(\E b
  \in Broker, epoch \in Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in Given_Heartbeat_target,
  offset_2 \in Given_Heartbeat_offset : V1_5n(b, epoch, current, target, offset_2)) \/ (\E b \in Broker, epoch \in
  Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in Given_Heartbeat_target, offset_2 \in
  Given_Heartbeat_offset : V1_5s(b, epoch, current, target, offset_2)) \/ (\E b \in Broker, epoch \in
  Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in Given_Heartbeat_target, offset_2 \in
  Given_Heartbeat_offset : V1_7(b, epoch, current, target, offset_2)) \/ (\E b \in Broker, epoch \in
  Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in Given_Heartbeat_target, offset_2 \in
  Given_Heartbeat_offset : V1_11(b, epoch, current, target, offset_2)) \/ (\E b \in Broker, epoch \in
  Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in Given_Heartbeat_target, offset_2 \in
  Given_Heartbeat_offset : V1_10(b, epoch, current, target, offset_2)) \/ (\E b \in Broker, epoch \in
  Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in Given_Heartbeat_target, offset_2 \in
  Given_Heartbeat_offset : V1_10f(b, epoch, current, target, offset_2)) \/ (\E b \in Broker, epoch \in
  Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in Given_Heartbeat_target, offset_2 \in
  Given_Heartbeat_offset : V1_5(b, epoch, current, target, offset_2)) \/ (\E b \in Broker, epoch \in
  Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in Given_Heartbeat_target, offset_2 \in
  Given_Heartbeat_offset : V1_6(b, epoch, current, target, offset_2)) \/ (\E b \in Broker, epoch \in
  Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in Given_Heartbeat_target, offset_2 \in
  Given_Heartbeat_offset : V1_6f(b, epoch, current, target, offset_2)) \/ (\E b \in Broker, epoch \in
  Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in Given_Heartbeat_target, offset_2 \in
  Given_Heartbeat_offset : V1_6r(b, epoch, current, target, offset_2))>>_vars) /\ ([]<>~((ENABLED <<(\E b \in Broker,
  error \in Given_HeartbeatReply_error, next \in Given_HeartbeatReply_next, sent \in Given_HeartbeatReply_sent, lease
  \in Given_HeartbeatReply_lease : VH1(b, error, next, sent, lease)) \/ (\E b \in Broker, error \in
  Given_HeartbeatReply_error, next \in Given_HeartbeatReply_next, sent \in Given_HeartbeatReply_sent, lease \in
  Given_HeartbeatReply_lease : VH2(b, error, next, sent, lease)) \/ (\E b \in Broker, error \in
  Given_HeartbeatReply_error, next \in Given_HeartbeatReply_next, sent \in Given_HeartbeatReply_sent, lease \in
  Given_HeartbeatReply_lease : VH3(b, error, next, sent, lease)) \/ (\E b \in Broker, error \in
  Given_HeartbeatReply_error, next \in Given_HeartbeatReply_next, sent \in Given_HeartbeatReply_sent, lease \in
  Given_HeartbeatReply_lease : VH4(b, error, next, sent, lease)) \/ (\E b \in Broker, error \in
  Given_HeartbeatReply_error, next \in Given_HeartbeatReply_next, sent \in Given_HeartbeatReply_sent, lease \in
  Given_HeartbeatReply_lease : VH5(b, error, next, sent, lease))>>_vars) \/ HeartbeatReply_would_leave) \/ []<><<(\E b
  \in Broker, error \in Given_HeartbeatReply_error, next \in Given_HeartbeatReply_next, sent \in
  Given_HeartbeatReply_sent, lease \in Given_HeartbeatReply_lease : VH1(b, error, next, sent, lease)) \/ (\E b \in
  Broker, error \in Given_HeartbeatReply_error, next \in Given_HeartbeatReply_next, sent \in Given_HeartbeatReply_sent,
  lease \in Given_HeartbeatReply_lease : VH2(b, error, next, sent, lease)) \/ (\E b \in Broker, error \in
  Given_HeartbeatReply_error, next \in Given_HeartbeatReply_next, sent \in Given_HeartbeatReply_sent, lease \in
  Given_HeartbeatReply_lease : VH3(b, error, next, sent, lease)) \/ (\E b \in Broker, error \in
  Given_HeartbeatReply_error, next \in Given_HeartbeatReply_next, sent \in Given_HeartbeatReply_sent, lease \in
  Given_HeartbeatReply_lease : VH4(b, error, next, sent, lease)) \/ (\E b \in Broker, error \in
  Given_HeartbeatReply_error, next \in Given_HeartbeatReply_next, sent \in Given_HeartbeatReply_sent, lease \in
  Given_HeartbeatReply_lease : VH5(b, error, next, sent, lease))>>_vars) /\ WF_vars((\E to_2 \in Given_Commit_to :
  VC1(to_2))) /\ WF_vars((\E b \in Broker, to_2 \in Given_ApplyMetadata_to : VC2(b, to_2))) /\ ([]<>~((ENABLED
  <<(VF2)>>_vars) \/ ControllerFailover_would_leave) \/ []<><<(VF2)>>_vars)
K11 == (\E x \in Broker : waits(x)) ~> (~(\E x \in Broker : waits(x)))

K11_inside_the_ranges == (Register_would_leave \/ Heartbeat_would_leave \/ LeaseExpires_would_leave \/
  ControllerFailover_would_leave \/ ElectLeader_would_leave \/ CatchUp_would_leave \/ SendHeartbeat_would_leave \/
  HeartbeatReply_would_leave) => (~(\E x \in Broker : waits(x)))

\* A broker serves as the leader that it is.
\* TLC is asked that this never holds; a violation is the witness.
W1 == ~(\E p \in Partition, x \in Broker : believes(x, p) /\ leader[p] = x)

\* A broker has fenced itself, and the controller has not yet.
\* TLC is asked that this never holds; a violation is the witness.
W4 == ~(\E x \in Broker : broker_state[x] = "FENCED" /\ known(x) /\ ~fenced[x])

\* While a controller is active an unfenced broker has a lease that has not expired, or had one until this step.
\* (S2:41-43)
KE == active => (\A x \in Broker : ~fenced[x] => (lease_end[x] # -1 /\ now <= lease_end[x] + 1))

\* A broker is fenced only when its lease is over, also by another process that takes its id over. (S2:43)
K17 == [][\A x \in Broker : (~fenced[x] /\ fenced[x]') => (active /\ lease_end[x] # -1 /\ lease_end[x] < now)]_vars

\* Nothing but a heartbeat unfences a broker. (S2:440-444)
K16 == [][(\A b \in Broker, incarnation_3 \in incarnation_2, supports \in Given_Register_supports : (V1_2(b,
  incarnation_3, supports) \/ V1_1(b, incarnation_3, supports) \/ V1_1b(b, incarnation_3, supports)) => (\A x \in Broker
  : fenced[x] => fenced[x]')) /\ (\A b \in Broker, epoch \in Given_Heartbeat_epoch, current \in Given_Heartbeat_current,
  target \in Given_Heartbeat_target, offset_2 \in Given_Heartbeat_offset : (V1_5n(b, epoch, current, target, offset_2)
  \/ V1_5s(b, epoch, current, target, offset_2) \/ V1_7(b, epoch, current, target, offset_2) \/ V1_11(b, epoch, current,
  target, offset_2) \/ V1_10(b, epoch, current, target, offset_2) \/ V1_10f(b, epoch, current, target, offset_2) \/
  V1_5(b, epoch, current, target, offset_2) \/ V1_6f(b, epoch, current, target, offset_2) \/ V1_6r(b, epoch, current,
  target, offset_2)) => (\A x \in Broker : fenced[x] => fenced[x]')) /\ (\A to_2 \in Given_TimePasses_to : (VT1(to_2))
  => (\A x \in Broker : fenced[x] => fenced[x]')) /\ (\A to_2 \in time : (VT2(to_2)) => (\A x \in Broker : fenced[x] =>
  fenced[x]')) /\ (\A b \in Broker : (V1_8(b) \/ V1_8g(b) \/ VB2(b) \/ VB3(b) \/ VB6(b) \/ VB8(b) \/ V1_9(b)) => (\A x
  \in Broker : fenced[x] => fenced[x]')) /\ ((VF1 \/ VF2) => (\A x \in Broker : fenced[x] => fenced[x]')) /\ (\A p \in
  Partition, leader_2 \in Broker : (VE1(p, leader_2) \/ V1_10m(p, leader_2) \/ VE2(p, leader_2)) => (\A x \in Broker :
  fenced[x] => fenced[x]')) /\ (\A p \in Partition, b \in Broker : (VE3(p, b)) => (\A x \in Broker : fenced[x] =>
  fenced[x]')) /\ (\A to_2 \in Given_Commit_to : (VC1(to_2)) => (\A x \in Broker : fenced[x] => fenced[x]')) /\ (\A b
  \in Broker, to_2 \in Given_ApplyMetadata_to : (VC2(b, to_2)) => (\A x \in Broker : fenced[x] => fenced[x]')) /\ (\A b
  \in Broker : \A incarnation_3 \in Given_StartBroker_incarnation(b) : (VB1(b, incarnation_3)) => (\A x \in Broker :
  fenced[x] => fenced[x]')) /\ (\A b \in Broker, m \in Exchange : (VB5(b, m)) => (\A x \in Broker : fenced[x] =>
  fenced[x]')) /\ (\A b \in Broker, error \in Given_RegisterReply_error, epoch \in offset, lease \in time : (VB4(b,
  error, epoch, lease)) => (\A x \in Broker : fenced[x] => fenced[x]')) /\ (\A b \in Broker, error \in
  Given_HeartbeatReply_error, next \in Given_HeartbeatReply_next, sent \in Given_HeartbeatReply_sent, lease \in
  Given_HeartbeatReply_lease : (VH1(b, error, next, sent, lease) \/ VH2(b, error, next, sent, lease) \/ VH3(b, error,
  next, sent, lease) \/ VH4(b, error, next, sent, lease) \/ VH5(b, error, next, sent, lease)) => (\A x \in Broker :
  fenced[x] => fenced[x]'))]_vars

\* A heartbeat is contact and reports how far its broker has read; one of another epoch or a lower offset changes
\* nothing. (S2:34,39,447)
K19 == [][(\A b \in Broker, epoch \in Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in
  Given_Heartbeat_target, offset_2 \in Given_Heartbeat_offset : (V1_5n(b, epoch, current, target, offset_2) \/ V1_5s(b,
  epoch, current, target, offset_2) \/ V1_7(b, epoch, current, target, offset_2) \/ V1_11(b, epoch, current, target,
  offset_2) \/ V1_10(b, epoch, current, target, offset_2) \/ V1_10f(b, epoch, current, target, offset_2) \/ V1_5(b,
  epoch, current, target, offset_2) \/ V1_6(b, epoch, current, target, offset_2) \/ V1_6f(b, epoch, current, target,
  offset_2) \/ V1_6r(b, epoch, current, target, offset_2)) => (IF active /\ ~stale(b, epoch) /\ reported_offset[b] <=
  offset_2 THEN last_contact[b]' = now /\ reported_offset[b]' = offset_2 /\ shutting_down[b]' = (shutting_down[b] \/
  target = "SHUTDOWN") ELSE last_contact[b]' = last_contact[b] /\ reported_offset[b]' = reported_offset[b] /\
  shutting_down[b]' = shutting_down[b] /\ lease_end[b]' = lease_end[b] /\ granted[b]' = granted[b] /\ fenced[b]' =
  fenced[b] /\ (\A m \in Exchange : carried(m, b, epoch, current, target, offset_2) => phase[m]' = "FREE")))]_vars

K19_where_nothing_changes == (\A b \in Broker, epoch \in Given_Heartbeat_epoch, current \in Given_Heartbeat_current,
  target \in Given_Heartbeat_target, offset_2 \in Given_Heartbeat_offset : (ENABLED (UNCHANGED vars /\ (V1_5n(b, epoch,
  current, target, offset_2) \/ V1_5s(b, epoch, current, target, offset_2) \/ V1_7(b, epoch, current, target, offset_2)
  \/ V1_11(b, epoch, current, target, offset_2) \/ V1_10(b, epoch, current, target, offset_2) \/ V1_10f(b, epoch,
  current, target, offset_2) \/ V1_5(b, epoch, current, target, offset_2) \/ V1_6(b, epoch, current, target, offset_2)
  \/ V1_6f(b, epoch, current, target, offset_2) \/ V1_6r(b, epoch, current, target, offset_2)))) => (IF active /\
  ~stale(b, epoch) /\ reported_offset[b] <= offset_2 THEN last_contact[b] = now /\ reported_offset[b] = offset_2 /\
  shutting_down[b] = (shutting_down[b] \/ target = "SHUTDOWN") ELSE last_contact[b] = last_contact[b] /\
  reported_offset[b] = reported_offset[b] /\ shutting_down[b] = shutting_down[b] /\ lease_end[b] = lease_end[b] /\
  granted[b] = granted[b] /\ fenced[b] = fenced[b] /\ (\A m \in Exchange : carried(m, b, epoch, current, target,
  offset_2) => phase[m] = "FREE")))

\* A broker that asks for its shutdown is answered to proceed once it leads nothing, and not before. (S2:46)
K18s == [][(\A b \in Broker, epoch \in Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in
  Given_Heartbeat_target, offset_2 \in Given_Heartbeat_offset : (V1_5n(b, epoch, current, target, offset_2) \/ V1_5s(b,
  epoch, current, target, offset_2) \/ V1_7(b, epoch, current, target, offset_2) \/ V1_11(b, epoch, current, target,
  offset_2) \/ V1_10(b, epoch, current, target, offset_2) \/ V1_10f(b, epoch, current, target, offset_2) \/ V1_5(b,
  epoch, current, target, offset_2) \/ V1_6(b, epoch, current, target, offset_2) \/ V1_6f(b, epoch, current, target,
  offset_2) \/ V1_6r(b, epoch, current, target, offset_2)) => ((active /\ ~stale(b, epoch) /\ reported_offset[b] <=
  offset_2 /\ target = "SHUTDOWN") => (\A m \in Exchange : carried(m, b, epoch, current, target, offset_2) =>
  (says_next[m]' = "SHUTDOWN") = leads_nothing(b))))]_vars

K18s_where_nothing_changes == (\A b \in Broker, epoch \in Given_Heartbeat_epoch, current \in Given_Heartbeat_current,
  target \in Given_Heartbeat_target, offset_2 \in Given_Heartbeat_offset : (ENABLED (UNCHANGED vars /\ (V1_5n(b, epoch,
  current, target, offset_2) \/ V1_5s(b, epoch, current, target, offset_2) \/ V1_7(b, epoch, current, target, offset_2)
  \/ V1_11(b, epoch, current, target, offset_2) \/ V1_10(b, epoch, current, target, offset_2) \/ V1_10f(b, epoch,
  current, target, offset_2) \/ V1_5(b, epoch, current, target, offset_2) \/ V1_6(b, epoch, current, target, offset_2)
  \/ V1_6f(b, epoch, current, target, offset_2) \/ V1_6r(b, epoch, current, target, offset_2)))) => ((active /\
  ~stale(b, epoch) /\ reported_offset[b] <= offset_2 /\ target = "SHUTDOWN") => (\A m \in Exchange : carried(m, b,
  epoch, current, target, offset_2) => (says_next[m] = "SHUTDOWN") = leads_nothing(b))))

\* A broker that says fenced and wants active is answered active, and is unfenced by its next heartbeat, in which it
\* says active. (S2:440-444)
K18 == [][(\A b \in Broker, epoch \in Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in
  Given_Heartbeat_target, offset_2 \in Given_Heartbeat_offset : (V1_5n(b, epoch, current, target, offset_2) \/ V1_5s(b,
  epoch, current, target, offset_2) \/ V1_7(b, epoch, current, target, offset_2) \/ V1_11(b, epoch, current, target,
  offset_2) \/ V1_10(b, epoch, current, target, offset_2) \/ V1_10f(b, epoch, current, target, offset_2) \/ V1_5(b,
  epoch, current, target, offset_2) \/ V1_6(b, epoch, current, target, offset_2) \/ V1_6f(b, epoch, current, target,
  offset_2) \/ V1_6r(b, epoch, current, target, offset_2)) => ((active /\ ~stale(b, epoch) /\ reported_offset[b] <=
  offset_2 /\ target # "SHUTDOWN") => ((current = "FENCED" => (granted[b]' /\ fenced[b]' = fenced[b])) /\ (current =
  "ACTIVE" => (fenced[b]' = (fenced[b] /\ ~granted[b]) /\ ~granted[b]')) /\ (\A m \in Exchange : carried(m, b, epoch,
  current, target, offset_2) => says_next[m]' = (IF current = "ACTIVE" /\ fenced[b]' THEN "FENCED" ELSE
  "ACTIVE")))))]_vars

K18_where_nothing_changes == (\A b \in Broker, epoch \in Given_Heartbeat_epoch, current \in Given_Heartbeat_current,
  target \in Given_Heartbeat_target, offset_2 \in Given_Heartbeat_offset : (ENABLED (UNCHANGED vars /\ (V1_5n(b, epoch,
  current, target, offset_2) \/ V1_5s(b, epoch, current, target, offset_2) \/ V1_7(b, epoch, current, target, offset_2)
  \/ V1_11(b, epoch, current, target, offset_2) \/ V1_10(b, epoch, current, target, offset_2) \/ V1_10f(b, epoch,
  current, target, offset_2) \/ V1_5(b, epoch, current, target, offset_2) \/ V1_6(b, epoch, current, target, offset_2)
  \/ V1_6f(b, epoch, current, target, offset_2) \/ V1_6r(b, epoch, current, target, offset_2)))) => ((active /\
  ~stale(b, epoch) /\ reported_offset[b] <= offset_2 /\ target # "SHUTDOWN") => ((current = "FENCED" => (granted[b] /\
  fenced[b] = fenced[b])) /\ (current = "ACTIVE" => (fenced[b] = (fenced[b] /\ ~granted[b]) /\ ~granted[b])) /\ (\A m
  \in Exchange : carried(m, b, epoch, current, target, offset_2) => says_next[m] = (IF current = "ACTIVE" /\ fenced[b]
  THEN "FENCED" ELSE "ACTIVE")))))

\* A broker that is answered active has a lease of the length that the answer says, and no other answer gives one.
\* (S2:43)
KL == [][(\A b \in Broker, epoch \in Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in
  Given_Heartbeat_target, offset_2 \in Given_Heartbeat_offset : (V1_5n(b, epoch, current, target, offset_2) \/ V1_5s(b,
  epoch, current, target, offset_2) \/ V1_7(b, epoch, current, target, offset_2) \/ V1_11(b, epoch, current, target,
  offset_2) \/ V1_10(b, epoch, current, target, offset_2) \/ V1_10f(b, epoch, current, target, offset_2) \/ V1_5(b,
  epoch, current, target, offset_2) \/ V1_6(b, epoch, current, target, offset_2) \/ V1_6f(b, epoch, current, target,
  offset_2) \/ V1_6r(b, epoch, current, target, offset_2)) => ((active /\ ~stale(b, epoch) /\ reported_offset[b] <=
  offset_2) => (\A m \in Exchange : carried(m, b, epoch, current, target, offset_2) => (phase[m]' = "ANSWERED" /\ (IF
  says_next[m]' = "ACTIVE" THEN says_lease[m]' = next_lease /\ now + next_lease <= lease_end[b]' ELSE says_lease[m]' = 0
  /\ lease_end[b]' = lease_end[b])))))]_vars

KL_where_nothing_changes == (\A b \in Broker, epoch \in Given_Heartbeat_epoch, current \in Given_Heartbeat_current,
  target \in Given_Heartbeat_target, offset_2 \in Given_Heartbeat_offset : (ENABLED (UNCHANGED vars /\ (V1_5n(b, epoch,
  current, target, offset_2) \/ V1_5s(b, epoch, current, target, offset_2) \/ V1_7(b, epoch, current, target, offset_2)
  \/ V1_11(b, epoch, current, target, offset_2) \/ V1_10(b, epoch, current, target, offset_2) \/ V1_10f(b, epoch,
  current, target, offset_2) \/ V1_5(b, epoch, current, target, offset_2) \/ V1_6(b, epoch, current, target, offset_2)
  \/ V1_6f(b, epoch, current, target, offset_2) \/ V1_6r(b, epoch, current, target, offset_2)))) => ((active /\
  ~stale(b, epoch) /\ reported_offset[b] <= offset_2) => (\A m \in Exchange : carried(m, b, epoch, current, target,
  offset_2) => (phase[m] = "ANSWERED" /\ (IF says_next[m] = "ACTIVE" THEN says_lease[m] = next_lease /\ now + next_lease
  <= lease_end[b] ELSE says_lease[m] = 0 /\ lease_end[b] = lease_end[b])))))

\* A process that is answered NONE is registered, which is contact, and receives its epoch. (S2:34-39)
K20 == [][(\A b \in Broker, incarnation_3 \in incarnation_2, supports \in Given_Register_supports : (V1_2(b,
  incarnation_3, supports) \/ V1_1(b, incarnation_3, supports) \/ V1_1b(b, incarnation_3, supports)) => (registered[b]'
  /\ incarnation[b]' = incarnation_3 /\ last_contact[b]' = now /\ answered[b]' = incarnation_3 /\ answered_epoch[b]' =
  broker_epoch[b]'))]_vars

K20_where_nothing_changes == (\A b \in Broker, incarnation_3 \in incarnation_2, supports \in Given_Register_supports :
  (ENABLED (UNCHANGED vars /\ (V1_2(b, incarnation_3, supports) \/ V1_1(b, incarnation_3, supports) \/ V1_1b(b,
  incarnation_3, supports)))) => (registered[b] /\ incarnation[b] = incarnation_3 /\ last_contact[b] = now /\
  answered[b] = incarnation_3 /\ answered_epoch[b] = broker_epoch[b]))

\* The epoch of a registration is the latest committed offset; the process has no lease, and nothing of an earlier one.
\* (S2:34,41)
K21 == [][(\A b \in Broker, incarnation_3 \in incarnation_2, supports \in Given_Register_supports : (V1_1(b,
  incarnation_3, supports) \/ V1_1b(b, incarnation_3, supports)) => (broker_epoch[b]' = committed /\ fenced[b]' /\
  lease_end[b]' = -1 /\ ~granted[b]' /\ ~shutting_down[b]' /\ reported_offset[b]' = -1))]_vars

K21_where_nothing_changes == (\A b \in Broker, incarnation_3 \in incarnation_2, supports \in Given_Register_supports :
  (ENABLED (UNCHANGED vars /\ (V1_1(b, incarnation_3, supports) \/ V1_1b(b, incarnation_3, supports)))) =>
  (broker_epoch[b] = committed /\ fenced[b] /\ lease_end[b] = -1 /\ ~granted[b] /\ ~shutting_down[b] /\
  reported_offset[b] = -1))

\* No broker is registered while another process has the id, without the features, or by a controller that is not
\* active. (S2:36-39,446)
K22 == [][(\A b \in Broker, incarnation_3 \in incarnation_2, supports \in Given_Register_supports : (V1_2(b,
  incarnation_3, supports) \/ V1_1(b, incarnation_3, supports) \/ V1_1b(b, incarnation_3, supports)) => (active /\
  (~conflict(b, incarnation_3) \/ ~contact_recent(b)) /\ supports))]_vars

K22_where_nothing_changes == (\A b \in Broker, incarnation_3 \in incarnation_2, supports \in Given_Register_supports :
  (ENABLED (UNCHANGED vars /\ (V1_2(b, incarnation_3, supports) \/ V1_1(b, incarnation_3, supports) \/ V1_1b(b,
  incarnation_3, supports)))) => (active /\ (~conflict(b, incarnation_3) \/ ~contact_recent(b)) /\ supports))

\* Whatever is answered but NOT_CONTROLLER is answered by the active controller, and so is every refusal for another
\* reason. (S2:446)
K30 == [][(\A b \in Broker, incarnation_3 \in incarnation_2, supports \in Given_Register_supports : (V1_2(b,
  incarnation_3, supports) \/ V1_1(b, incarnation_3, supports) \/ V1_1b(b, incarnation_3, supports)) => (active)) /\ (\A
  b \in Broker, epoch \in Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in Given_Heartbeat_target,
  offset_2 \in Given_Heartbeat_offset : (V1_5s(b, epoch, current, target, offset_2) \/ V1_7(b, epoch, current, target,
  offset_2) \/ V1_11(b, epoch, current, target, offset_2) \/ V1_10(b, epoch, current, target, offset_2) \/ V1_10f(b,
  epoch, current, target, offset_2) \/ V1_5(b, epoch, current, target, offset_2) \/ V1_6(b, epoch, current, target,
  offset_2) \/ V1_6f(b, epoch, current, target, offset_2) \/ V1_6r(b, epoch, current, target, offset_2)) =>
  (active))]_vars

K30_where_nothing_changes == (\A b \in Broker, incarnation_3 \in incarnation_2, supports \in Given_Register_supports :
  (ENABLED (UNCHANGED vars /\ (V1_2(b, incarnation_3, supports) \/ V1_1(b, incarnation_3, supports) \/ V1_1b(b,
  incarnation_3, supports)))) => (active)) /\ (\A b \in Broker, epoch \in Given_Heartbeat_epoch, current \in
  Given_Heartbeat_current, target \in Given_Heartbeat_target, offset_2 \in Given_Heartbeat_offset : (ENABLED (UNCHANGED
  vars /\ (V1_5s(b, epoch, current, target, offset_2) \/ V1_7(b, epoch, current, target, offset_2) \/ V1_11(b, epoch,
  current, target, offset_2) \/ V1_10(b, epoch, current, target, offset_2) \/ V1_10f(b, epoch, current, target,
  offset_2) \/ V1_5(b, epoch, current, target, offset_2) \/ V1_6(b, epoch, current, target, offset_2) \/ V1_6f(b, epoch,
  current, target, offset_2) \/ V1_6r(b, epoch, current, target, offset_2)))) => (active)) /\ (\A b \in Broker,
  incarnation_3 \in incarnation_2, supports \in Given_Register_supports : (V1_3_is_enabled(b, incarnation_3, supports))
  => (active)) /\ (\A b \in Broker, incarnation_3 \in incarnation_2, supports \in Given_Register_supports :
  (V1_4_is_enabled(b, incarnation_3, supports)) => (active))

\* A process is refused an id only while another one has it that was heard of a short time ago. (S2:38)
K31 == [][TRUE]_vars

K31_where_nothing_changes == (\A b \in Broker, incarnation_3 \in incarnation_2, supports \in Given_Register_supports :
  (V1_3_is_enabled(b, incarnation_3, supports)) => (registered[b] /\ incarnation[b] # incarnation_3 /\ now <=
  last_contact[b] + id_reuse))

\* A heartbeat that comes is answered by itself: whatever else is on its way, of this broker or of others, stays.
\* (S2:427-444)
K32 == [][(\A b \in Broker, epoch \in Given_Heartbeat_epoch, current \in Given_Heartbeat_current, target \in
  Given_Heartbeat_target, offset_2 \in Given_Heartbeat_offset : (V1_5n(b, epoch, current, target, offset_2) \/ V1_5s(b,
  epoch, current, target, offset_2) \/ V1_7(b, epoch, current, target, offset_2) \/ V1_11(b, epoch, current, target,
  offset_2) \/ V1_10(b, epoch, current, target, offset_2) \/ V1_10f(b, epoch, current, target, offset_2) \/ V1_5(b,
  epoch, current, target, offset_2) \/ V1_6(b, epoch, current, target, offset_2) \/ V1_6f(b, epoch, current, target,
  offset_2) \/ V1_6r(b, epoch, current, target, offset_2)) => (\A m \in Exchange : carried(m, b, epoch, current, target,
  offset_2) \/ (phase[m]' = phase[m] /\ sender[m]' = sender[m] /\ says_epoch[m]' = says_epoch[m] /\ says_next[m]' =
  says_next[m] /\ says_lease[m]' = says_lease[m])))]_vars

\* Who is not registered has no lease, and the controller has heard nothing of it. (S2:34,41)
K33 == \A x \in Broker : registered[x] \/ (lease_end[x] = -1 /\ last_contact[x] = -1 /\ ~granted[x] /\
  ~shutting_down[x])

\* What is on its way is a heartbeat or its answer, and nothing is left of one that has come. (S2:427-444)
KM == \A m \in Exchange : (phase[m] = "ASKED" \/ nothing_said(m)) /\ (phase[m] = "ANSWERED" \/ nothing_answered(m)) /\
  (phase[m] # "FREE" \/ (sender[m] = None /\ asker[m] = 0 /\ sent_at[m] = -1))

\* A heartbeat has the epoch of its broker, how far it has read, in which state it is, and in which it would like to be.
\* (S2:431-440)
KH == [][(\A b \in Broker, m \in Exchange : (VB5(b, m)) => (sender[m]' = b /\ asker[m]' = own_incarnation[b] /\
  says_epoch[m]' = own_epoch[b] /\ says_offset[m]' = own_offset[b] /\ sent_at[m]' = now /\ says_current[m]' = (IF
  serving[b] THEN "ACTIVE" ELSE "FENCED") /\ says_target[m]' = (IF broker_state[b] = "PENDING" THEN "SHUTDOWN" ELSE
  "ACTIVE")))]_vars

KH_where_nothing_changes == (\A b \in Broker, m \in Exchange : (ENABLED (UNCHANGED vars /\ (VB5(b, m)))) => (sender[m] =
  b /\ asker[m] = own_incarnation[b] /\ says_epoch[m] = own_epoch[b] /\ says_offset[m] = own_offset[b] /\ sent_at[m] =
  now /\ says_current[m] = (IF serving[b] THEN "ACTIVE" ELSE "FENCED") /\ says_target[m] = (IF broker_state[b] =
  "PENDING" THEN "SHUTDOWN" ELSE "ACTIVE")))

\* A broker goes through its states along the arrows of the drawing. (S2:123)
K25 == [][\A b \in Broker : broker_state[b]' = broker_state[b] \/ broker_state[b]' = "NOT_RUNNING" \/ goes(b) \/
  goes_2(b) \/ (goes_3(b) /\ answered[b] = own_incarnation[b] /\ own_epoch[b]' = answered_epoch[b]) \/ (goes_4(b) /\
  serving[b]') \/ (goes_5(b) /\ ~serving[b]') \/ (goes_6(b) /\ ~serving[b]')]_vars

\* A broker that runs serves, and nothing is left of a process that has ended. (S2:42-43,123)
K26 == \A b \in Broker : (broker_state[b] = "RUNNING" => serving[b]) /\ (broker_state[b] = "NOT_RUNNING" =>
  (own_incarnation[b] = 0 /\ own_epoch[b] = -1 /\ own_offset[b] = -1 /\ (\A p \in Partition : ~leads[b, p] /\
  seen_epoch[b, p] = 0)))

\* A broker that is answered active runs for as long as the lease lasts, one answered fenced stops serving, and one
\* shuts down only if it wishes to and is answered so. (S2:42-46,439)
KA == [][(\A b \in Broker, error \in Given_HeartbeatReply_error, next \in Given_HeartbeatReply_next, sent \in
  Given_HeartbeatReply_sent, lease \in Given_HeartbeatReply_lease : (VH1(b, error, next, sent, lease) \/ VH2(b, error,
  next, sent, lease) \/ VH3(b, error, next, sent, lease) \/ VH4(b, error, next, sent, lease) \/ VH5(b, error, next,
  sent, lease)) => ((\A m \in Exchange : told(m, b, next, sent, lease) => phase[m]' = "FREE") /\ ((next = "ACTIVE" /\
  now <= lease_until(sent, lease) /\ broker_state[b] = "FENCED") => broker_state[b]' = "RUNNING") /\ ((next = "ACTIVE"
  /\ now <= lease_until(sent, lease) /\ (broker_state[b] = "FENCED" \/ serving[b])) => lease_until(sent, lease) <=
  own_lease_end[b]') /\ ((next = "FENCED" /\ (broker_state[b] = "FENCED" \/ broker_state[b] = "RUNNING" \/
  broker_state[b] = "PENDING")) => ~serving[b]') /\ (broker_state[b] = "PENDING" => (broker_state[b]' = "SHUTTING_DOWN")
  = (next = "SHUTDOWN"))))]_vars

KA_where_nothing_changes == (\A b \in Broker, error \in Given_HeartbeatReply_error, next \in Given_HeartbeatReply_next,
  sent \in Given_HeartbeatReply_sent, lease \in Given_HeartbeatReply_lease : (ENABLED (UNCHANGED vars /\ (VH1(b, error,
  next, sent, lease) \/ VH2(b, error, next, sent, lease) \/ VH3(b, error, next, sent, lease) \/ VH4(b, error, next,
  sent, lease) \/ VH5(b, error, next, sent, lease)))) => ((\A m \in Exchange : told(m, b, next, sent, lease) => phase[m]
  = "FREE") /\ ((next = "ACTIVE" /\ now <= lease_until(sent, lease) /\ broker_state[b] = "FENCED") => broker_state[b] =
  "RUNNING") /\ ((next = "ACTIVE" /\ now <= lease_until(sent, lease) /\ (broker_state[b] = "FENCED" \/ serving[b])) =>
  lease_until(sent, lease) <= own_lease_end[b]) /\ ((next = "FENCED" /\ (broker_state[b] = "FENCED" \/ broker_state[b] =
  "RUNNING" \/ broker_state[b] = "PENDING")) => ~serving[b]) /\ (broker_state[b] = "PENDING" => (broker_state[b] =
  "SHUTTING_DOWN") = (next = "SHUTDOWN"))))

\* No broker has applied uncommitted records, and one that has read the last change of leader knows whether it leads.
\* (S2:18-20)
K27 == \A b \in Broker : own_offset[b] <= committed /\ (\A p \in Partition : led_at[p] <= own_offset[b] => (leads[b, p]
  = (leader[p] = b) /\ seen_epoch[b, p] = leader_epoch[p]))

\* The log only grows, by one batch an operation; what is committed stays, and no process goes back to older metadata.
\* (S2:18-22)
K28 == [][committed <= committed' /\ committed' < next_offset' /\ (next_offset' = next_offset \/ next_offset' =
  next_offset + 1) /\ (\A b \in Broker : own_offset[b] <= own_offset[b]' \/ broker_state[b]' = "NOT_RUNNING")]_vars

K28_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (committed <= committed /\ committed < next_offset /\
  (next_offset = next_offset \/ next_offset = next_offset + 1) /\ (\A b \in Broker : own_offset[b] <= own_offset[b] \/
  broker_state[b] = "NOT_RUNNING"))

\* Who has applied metadata up to an offset notes that it has. (S2:18,397)
K38 == [][(\A b \in Broker, to_2 \in Given_ApplyMetadata_to : (VC2(b, to_2)) => (own_offset[b]' = to_2))]_vars

K38_where_nothing_changes == (\A b \in Broker, to_2 \in Given_ApplyMetadata_to : (ENABLED (UNCHANGED vars /\ (VC2(b,
  to_2)))) => (own_offset[b] = to_2))

\* Who neither runs nor waits for its shutdown has no lease. (S2:41-43)
K34 == \A x \in Broker : broker_state[x] = "RUNNING" \/ broker_state[x] = "PENDING" \/ own_lease_end[x] = -1

\* A process that starts, recovers, registers, begins its shutdown or ends was not there yet. (S2:123)
K35 == [][(\A b \in Broker : \A incarnation_3 \in Given_StartBroker_incarnation(b) : (VB1(b, incarnation_3)) =>
  (broker_state[b]' # broker_state[b])) /\ (\A b \in Broker : (VB2(b) \/ VB3(b) \/ VB6(b) \/ VB8(b)) =>
  (broker_state[b]' # broker_state[b]))]_vars

K35_where_nothing_changes == (\A b \in Broker : \A incarnation_3 \in Given_StartBroker_incarnation(b) : (ENABLED
  (UNCHANGED vars /\ (VB1(b, incarnation_3)))) => (broker_state[b] # broker_state[b])) /\ (\A b \in Broker : (ENABLED
  (UNCHANGED vars /\ (VB2(b) \/ VB3(b) \/ VB6(b) \/ VB8(b)))) => (broker_state[b] # broker_state[b]))

\* There is one active controller at most: who fails was it, and another takes over when there is none. (S2:20,34)
K36 == [][((VF1 \/ VF2) => (active' = (~active)))]_vars

K36_where_nothing_changes == ((ENABLED (UNCHANGED vars /\ (VF1 \/ VF2))) => (active = (~active)))

\* Time passes, what was written is committed, brokers read on, and a controller that makes its leases longer or shorter
\* does. (S2:18-20,43)
K37 == [][(\A to_2 \in Given_TimePasses_to : (VT1(to_2)) => (now < now' \/ committed < committed' \/ (\E x \in Broker :
  own_offset[x] < own_offset[x]') \/ next_lease' # next_lease)) /\ (\A to_2 \in time : (VT2(to_2)) => (now < now' \/
  committed < committed' \/ (\E x \in Broker : own_offset[x] < own_offset[x]') \/ next_lease' # next_lease)) /\ (\A to_2
  \in Given_Commit_to : (VC1(to_2)) => (now < now' \/ committed < committed' \/ (\E x \in Broker : own_offset[x] <
  own_offset[x]') \/ next_lease' # next_lease)) /\ (\A b \in Broker, to_2 \in Given_ApplyMetadata_to : (VC2(b, to_2)) =>
  (now < now' \/ committed < committed' \/ (\E x \in Broker : own_offset[x] < own_offset[x]') \/ next_lease' #
  next_lease))]_vars

K37_where_nothing_changes == (\A to_2 \in Given_TimePasses_to : (ENABLED (UNCHANGED vars /\ (VT1(to_2)))) => (now < now
  \/ committed < committed \/ (\E x \in Broker : own_offset[x] < own_offset[x]) \/ next_lease # next_lease)) /\ (\A to_2
  \in time : (ENABLED (UNCHANGED vars /\ (VT2(to_2)))) => (now < now \/ committed < committed \/ (\E x \in Broker :
  own_offset[x] < own_offset[x]) \/ next_lease # next_lease)) /\ (\A to_2 \in Given_Commit_to : (ENABLED (UNCHANGED vars
  /\ (VC1(to_2)))) => (now < now \/ committed < committed \/ (\E x \in Broker : own_offset[x] < own_offset[x]) \/
  next_lease # next_lease)) /\ (\A b \in Broker, to_2 \in Given_ApplyMetadata_to : (ENABLED (UNCHANGED vars /\ (VC2(b,
  to_2)))) => (now < now \/ committed < committed \/ (\E x \in Broker : own_offset[x] < own_offset[x]) \/ next_lease #
  next_lease))

\* Only a replica that has caught up joins an ISR: neither a fence nor an election adds a member. (S2:488,505)
P5 == [][(\A b \in Broker, incarnation_3 \in incarnation_2, supports \in Given_Register_supports : (V1_2(b,
  incarnation_3, supports) \/ V1_1(b, incarnation_3, supports) \/ V1_1b(b, incarnation_3, supports)) => (\A p \in
  Partition : isr[p]' \subseteq isr[p])) /\ (\A b \in Broker, epoch \in Given_Heartbeat_epoch, current \in
  Given_Heartbeat_current, target \in Given_Heartbeat_target, offset_2 \in Given_Heartbeat_offset : (V1_5n(b, epoch,
  current, target, offset_2) \/ V1_5s(b, epoch, current, target, offset_2) \/ V1_7(b, epoch, current, target, offset_2)
  \/ V1_11(b, epoch, current, target, offset_2) \/ V1_10(b, epoch, current, target, offset_2) \/ V1_10f(b, epoch,
  current, target, offset_2) \/ V1_5(b, epoch, current, target, offset_2) \/ V1_6(b, epoch, current, target, offset_2)
  \/ V1_6f(b, epoch, current, target, offset_2) \/ V1_6r(b, epoch, current, target, offset_2)) => (\A p \in Partition :
  isr[p]' \subseteq isr[p])) /\ (\A to_2 \in Given_TimePasses_to : (VT1(to_2)) => (\A p \in Partition : isr[p]'
  \subseteq isr[p])) /\ (\A to_2 \in time : (VT2(to_2)) => (\A p \in Partition : isr[p]' \subseteq isr[p])) /\ (\A b \in
  Broker : (V1_8(b) \/ V1_8g(b) \/ VB2(b) \/ VB3(b) \/ VB6(b) \/ VB8(b) \/ V1_9(b)) => (\A p \in Partition : isr[p]'
  \subseteq isr[p])) /\ ((VF1 \/ VF2) => (\A p \in Partition : isr[p]' \subseteq isr[p])) /\ (\A p \in Partition,
  leader_2 \in Broker : (VE1(p, leader_2) \/ V1_10m(p, leader_2) \/ VE2(p, leader_2)) => (\A p_2 \in Partition :
  isr[p_2]' \subseteq isr[p_2])) /\ (\A to_2 \in Given_Commit_to : (VC1(to_2)) => (\A p \in Partition : isr[p]'
  \subseteq isr[p])) /\ (\A b \in Broker, to_2 \in Given_ApplyMetadata_to : (VC2(b, to_2)) => (\A p \in Partition :
  isr[p]' \subseteq isr[p])) /\ (\A b \in Broker : \A incarnation_3 \in Given_StartBroker_incarnation(b) : (VB1(b,
  incarnation_3)) => (\A p \in Partition : isr[p]' \subseteq isr[p])) /\ (\A b \in Broker, m \in Exchange : (VB5(b, m))
  => (\A p \in Partition : isr[p]' \subseteq isr[p])) /\ (\A b \in Broker, error \in Given_RegisterReply_error, epoch
  \in offset, lease \in time : (VB4(b, error, epoch, lease)) => (\A p \in Partition : isr[p]' \subseteq isr[p])) /\ (\A
  b \in Broker, error \in Given_HeartbeatReply_error, next \in Given_HeartbeatReply_next, sent \in
  Given_HeartbeatReply_sent, lease \in Given_HeartbeatReply_lease : (VH1(b, error, next, sent, lease) \/ VH2(b, error,
  next, sent, lease) \/ VH3(b, error, next, sent, lease) \/ VH4(b, error, next, sent, lease) \/ VH5(b, error, next,
  sent, lease)) => (\A p \in Partition : isr[p]' \subseteq isr[p]))]_vars

\* A broker that joins an ISR is an unfenced replica, and the partition has a leader that it caught up with. (S2:488)
P5a == [][(\A p \in Partition, b \in Broker : (VE3(p, b)) => (active /\ b \in Elements(replicas[p]) /\ ~fenced[b] /\
  leader[p] # None /\ leader[p]' = leader[p] /\ (\A x \in Broker : (x \in isr[p])' = (x \in isr[p] \/ x = b))))]_vars

P5a_where_nothing_changes == (\A p \in Partition, b \in Broker : (ENABLED (UNCHANGED vars /\ (VE3(p, b)))) => (active /\
  b \in Elements(replicas[p]) /\ ~fenced[b] /\ leader[p] # None /\ leader[p] = leader[p] /\ (\A x \in Broker : (x \in
  isr[p]) = (x \in isr[p] \/ x = b))))

\* A change of the leader raises the leader epoch by one, and nothing else does. (S2:479,492)
P9e == [][\A p \in Partition : leader_epoch[p]' = (IF leader[p]' = leader[p] THEN leader_epoch[p] ELSE leader_epoch[p] +
  1)]_vars

P9e_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (\A p \in Partition : leader_epoch[p] = (IF leader[p]
  = leader[p] THEN leader_epoch[p] ELSE leader_epoch[p] + 1))

\* A new leader is unfenced and has not asked for its shutdown, and the active controller elects it. (S2:31,46)
P15 == [][\A p \in Partition, x \in Broker : (leader[p]' = x /\ leader[p] # x) => (~fenced[x] /\ ~shutting_down[x] /\
  active)]_vars

\* A partition is left without a leader only where this is fenced. (S2:31,505)
P16 == [][\A p \in Partition : (leader[p] # None /\ ~(leader[p] # None)') => (\A x \in Broker : leader[p] = x =>
  fenced[x]')]_vars

\* A broker that is fenced leaves every ISR, save as its last member. (S2:505)
P7f == [][(\A b \in Broker, incarnation_3 \in incarnation_2, supports \in Given_Register_supports : (V1_1(b,
  incarnation_3, supports) \/ V1_1b(b, incarnation_3, supports)) => (\A p \in Partition : (fenced[b]' /\ (b \in
  isr[p])') => (\A x \in Broker : (x \in isr[p])' => x = b))) /\ (\A b \in Broker : (V1_8(b)) => (\A p \in Partition :
  (fenced[b]' /\ (b \in isr[p])') => (\A x \in Broker : (x \in isr[p])' => x = b)))]_vars

P7f_where_nothing_changes == (\A b \in Broker, incarnation_3 \in incarnation_2, supports \in Given_Register_supports :
  (ENABLED (UNCHANGED vars /\ (V1_1(b, incarnation_3, supports) \/ V1_1b(b, incarnation_3, supports)))) => (\A p \in
  Partition : (fenced[b] /\ b \in isr[p]) => (\A x \in Broker : x \in isr[p] => x = b))) /\ (\A b \in Broker : (ENABLED
  (UNCHANGED vars /\ (V1_8(b)))) => (\A p \in Partition : (fenced[b] /\ b \in isr[p]) => (\A x \in Broker : x \in isr[p]
  => x = b)))

\* A broker is registered for a while and has no lease yet. (S2:41)
\* TLC is asked that this never holds; a violation is the witness.
W5 == ~(\E x \in Broker : active /\ registered[x] /\ lease_end[x] = -1 /\ reported_offset[x] = -1 /\ last_contact[x] <
  now)

\* The settings fit.
L1 == 0 < next_lease /\ next_lease <= longest_lease /\ longest_lease <= id_reuse /\ 0 <= now

\* An epoch was the offset of something that is committed.
L2 == committed < next_offset /\ (\A x \in Broker : broker_epoch[x] <= committed)

\* No process knows a higher epoch than the controller gave.
L3 == \A x \in Broker : answered_epoch[x] <= broker_epoch[x] /\ own_epoch[x] <= broker_epoch[x] /\ told_active[x] <=
  broker_epoch[x] /\ answered[x] <= started[x] /\ asked[x] <= started[x] /\ own_incarnation[x] <= started[x]

\* No heartbeat names a higher epoch than the controller gave.
L4 == \A m \in Exchange, x \in Broker : sender[m] = x => says_epoch[m] <= broker_epoch[x]

\* A broker's lease is one that the controller counts for as long at least.
L5 == \A x \in Broker : own_lease_end[x] = -1 \/ (now <= own_lease_end[x] /\ known_until(x))

\* Whom a lease is on its way to is registered.
L6 == \A m \in Exchange, x \in Broker : (gives_lease(m) /\ sender[m] = x) => registered[x]

\* The controller counts a lease that is on its way for as long at least, unless it is over.
L6a == \A m \in Exchange, x \in Broker : (gives_lease(m) /\ sender[m] = x /\ active) => sent_at[m] + says_lease[m] <=
  lease_end[x]

\* For M9: a lease that is on its way is longer than nothing.
L6c == \A m \in Exchange : (phase[m] = "ANSWERED" /\ says_next[m] = "ACTIVE") => 0 < says_lease[m]

\* A lease that is on its way ends no later than the longest one that begins now.
L6b == \A m \in Exchange : phase[m] = "ANSWERED" => sent_at[m] + says_lease[m] <= now + longest_lease

\* The controller counts a lease from the last contact at the latest.
L12 == \A x \in Broker : last_contact[x] <= now /\ ((active /\ registered[x]) => lease_end[x] <= last_contact[x] +
  longest_lease)

\* What is on its way was sent.
L7 == \A m \in Exchange : sent_at[m] <= now

\* A broker that serves was answered that it may.
L8 == \A x \in Broker : serving[x] => (told_active[x] = own_epoch[x] /\ (broker_state[x] = "RUNNING" \/ broker_state[x]
  = "PENDING"))

\* The epoch of a process is no lower than one that an earlier process of the id was given.
L9 == \A x \in Broker : ((registers(x) /\ answered[x] = own_incarnation[x]) => told_active[x] <= answered_epoch[x]) /\
  (registers(x) => 0 < own_incarnation[x]) /\ (registers(x) \/ broker_state[x] = "NOT_RUNNING" \/ told_active[x] <=
  own_epoch[x])

\* A broker that says under its current epoch that it is active was answered so.
L10 == \A m \in Exchange, x \in Broker : (phase[m] = "ASKED" /\ sender[m] = x /\ says_current[m] = "ACTIVE" /\
  says_epoch[m] = broker_epoch[x]) => told_active[x] = broker_epoch[x]

\* A broker that believes that it leads was the leader in the epoch that it has seen.
L11 == \A p \in Partition : leader_in[p, leader_epoch[p]] = leader[p] /\ (\A x \in Broker : seen_epoch[x, p] <=
  leader_epoch[p] /\ (leads[x, p] => leader_in[p, seen_epoch[x, p]] = x))

\* For K27: offsets begin at 0.
L13 == 0 <= committed /\ (\A p \in Partition : 0 <= led_at[p])
================================================================================
