------------------------------- MODULE kip631_v2 -------------------------------
\* kip631-v2: KIP-631, version 2: the metadata log, brokers that heartbeat with want-fence and want-shutdown, alterIsr,
\* reassignment.
\* Made from the tables of kip631-v2 cd24237b2e11; not to be edited.
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS Maxtime, NumberBroker, Maxoffset, Maxincarnation, NumberPartition, Maxleader_epoch, NumberTopic, Bound, None

time == -1..Maxtime
Broker == 0..(NumberBroker - 1)
offset == -1..Maxoffset
incarnation_2 == 0..Maxincarnation
Partition == 0..(NumberPartition - 1)
leader_epoch_2 == 0..Maxleader_epoch
BrokerState == {"NOT_RUNNING", "STARTING", "RECOVERY", "RUNNING", "PENDING_CONTROLLED_SHUTDOWN", "SHUTTING_DOWN"}
Topic == 0..(NumberTopic - 1)
Error == {"NONE", "NOT_CONTROLLER", "INVALID_CLUSTER_ID", "DUPLICATE_BROKER_REGISTRATION", "UNSUPPORTED_VERSION", "STALE_BROKER_EPOCH", "BROKER_ID_NOT_REGISTERED", "FENCED_LEADER_EPOCH", "NEW_LEADER_ELECTED", "INVALID_REQUEST", "INELIGIBLE_REPLICA", "INVALID_REPLICA_ASSIGNMENT"}

Pick(S) == CHOOSE x \in S : TRUE
Put(f, updates) == [k \in DOMAIN f |-> LET u == {x \in updates : x.at = k} IN IF u = {} THEN f[k] ELSE Pick(u).to]
PutCell(value, updates) == IF updates = {} THEN value ELSE Pick(updates)

VARIABLES now, active, registered, fenced, last_contact, session, committed, next_offset, shutting_down, incarnation,
  id_reuse, granted, own_incarnation, broker_epoch, isr, leader, leader_epoch, leader_in, leader_at, epoch_at, told,
  own_epoch, told_caught_up, told_fenced, told_shutdown, broker_state, logs, created_at, own_offset, removed_at,
  recovered, serving, replicas, adding, removing

vars == <<now, active, registered, fenced, last_contact, session, committed, next_offset, shutting_down, incarnation,
  id_reuse, granted, own_incarnation, broker_epoch, isr, leader, leader_epoch, leader_in, leader_at, epoch_at, told,
  own_epoch, told_caught_up, told_fenced, told_shutdown, broker_state, logs, created_at, own_offset, removed_at,
  recovered, serving, replicas, adding, removing>>

registered_and_others == <<registered, incarnation, broker_epoch>>

never_written == <<session, id_reuse, created_at, removed_at>>

next_offset_and_others == <<next_offset, leader_at, epoch_at>>

isr_and_others == <<isr, leader, leader_epoch, leader_in, replicas, adding, removing>>

told_and_others == <<told, told_caught_up, told_fenced, told_shutdown>>

Given_TimePasses(to_2) == CASE Bound = "tiny" -> (to_2 = now + 1 /\ now < 2) [] OTHER -> TRUE

Given_TimePasses_to == CASE Bound = "tiny" -> ({now + 1} \intersect time) [] OTHER -> time

Given_Commit(to_2) == CASE Bound = "tiny" -> to_2 = next_offset - 1 [] OTHER -> TRUE

Given_Commit_to == CASE Bound = "tiny" -> ({next_offset - 1} \intersect offset) [] OTHER -> offset

Given_ControllerFails == CASE Bound = "tiny" -> now = 0 [] OTHER -> TRUE

Given_ControllerFailover == CASE Bound = "tiny" -> 1 <= now [] OTHER -> TRUE

Given_Register(b, incarnation_3, supports, cluster) == CASE Bound = "tiny" -> (incarnation_3 = own_incarnation[b] /\
  supports /\ cluster /\ broker_state[b] = "STARTING" /\ own_epoch[b] = -1) [] OTHER -> TRUE

Given_Register_incarnation(b) == CASE Bound = "tiny" -> ({own_incarnation[b]} \intersect incarnation_2) [] OTHER ->
  incarnation_2

Given_Register_supports == CASE Bound = "tiny" -> {TRUE} [] OTHER -> BOOLEAN

Given_Register_cluster == CASE Bound = "tiny" -> {TRUE} [] OTHER -> BOOLEAN

Given_Heartbeat(b, epoch, offset_2, want_fence, want_shutdown) == CASE Bound = "tiny" -> ((broker_state[b] = "STARTING"
  \/ broker_state[b] = "RECOVERY" \/ broker_state[b] = "RUNNING" \/ broker_state[b] = "PENDING_CONTROLLED_SHUTDOWN") /\
  0 <= own_epoch[b] /\ epoch = own_epoch[b] /\ offset_2 = own_offset[b] /\ want_fence = (broker_state[b] = "STARTING" \/
  (broker_state[b] = "RECOVERY" /\ ~recovered[b])) /\ want_shutdown = (broker_state[b] = "PENDING_CONTROLLED_SHUTDOWN"))
  [] OTHER -> TRUE

Given_Heartbeat_epoch(b) == CASE Bound = "tiny" -> ({own_epoch[b]} \intersect offset) [] OTHER -> offset

Given_Heartbeat_offset(b) == CASE Bound = "tiny" -> ({own_offset[b]} \intersect offset) [] OTHER -> offset

Given_Heartbeat_want_fence(b) == CASE Bound = "tiny" -> {broker_state[b] = "STARTING" \/ (broker_state[b] = "RECOVERY"
  /\ ~recovered[b])} [] OTHER -> BOOLEAN

Given_Heartbeat_want_shutdown(b) == CASE Bound = "tiny" -> {broker_state[b] = "PENDING_CONTROLLED_SHUTDOWN"} [] OTHER ->
  BOOLEAN

Given_ElectLeader(p, leader_2) == CASE Bound = "tiny" -> leader[p] = None [] OTHER -> TRUE

Given_Unregister(b, legacy) == CASE Bound = "tiny" -> (~legacy /\ FALSE) [] OTHER -> TRUE

Given_Unregister_legacy == CASE Bound = "tiny" -> {FALSE} [] OTHER -> BOOLEAN

Given_StartBroker(b, incarnation_3) == CASE Bound = "tiny" -> incarnation_3 = incarnation[b] + 1 [] OTHER -> TRUE

Given_StartBroker_incarnation(b) == CASE Bound = "tiny" -> ({incarnation[b] + 1} \intersect incarnation_2) [] OTHER ->
  incarnation_2

Given_RegisterReply(b, error, epoch) == CASE Bound = "tiny" -> (error = "NONE" /\ epoch <= committed) [] OTHER -> TRUE

Given_RegisterReply_error == CASE Bound = "tiny" -> {"NONE"} [] OTHER -> Error

Given_HeartbeatReply(b, error, caught_up_2, fenced_2, shutdown) == CASE Bound = "tiny" -> error = "NONE" [] OTHER ->
  TRUE

Given_HeartbeatReply_error == CASE Bound = "tiny" -> {"NONE"} [] OTHER -> Error

Given_StopBroker(b) == CASE Bound = "tiny" -> next_offset < 5 [] OTHER -> TRUE

Given_ApplyMetadata(b, to_2) == CASE Bound = "tiny" -> to_2 = committed [] OTHER -> TRUE

Given_ApplyMetadata_to == CASE Bound = "tiny" -> ({committed} \intersect offset) [] OTHER -> offset

in_time(to_2) == \A x \in Broker : (active /\ registered[x] /\ ~fenced[x]) => to_2 <= (last_contact[x] + session) + 1

same_incarnation(b, incarnation_3) == registered[b] /\ incarnation[b] = incarnation_3

in_contact(b) == now <= last_contact[b] + id_reuse

new_epoch == next_offset

caught_up(b, offset_2) == broker_epoch[b] <= offset_2

stale(b, epoch) == ~registered[b] \/ epoch # broker_epoch[b]

leads(b) == \E q \in Partition : leader[q] = b

may_go(want_shutdown, b) == want_shutdown /\ ~leads(b)

no_error(error) == error = "NONE"

within_log(b, to_2) == own_offset[b] < to_2 /\ to_2 <= committed /\ broker_state[b] # "NOT_RUNNING"

removed_meanwhile(b, to_2) == {t \in Topic : own_offset[b] < removed_at[t] /\ removed_at[t] <= to_2}

leaves(b, epoch) == own_epoch[b] = epoch /\ told_shutdown[b]'

is_known(t, b) == 0 <= created_at[t] /\ created_at[t] <= own_offset[b] /\ ~(0 <= removed_at[t] /\ removed_at[t] <=
  own_offset[b])

leader_seen(x, p) == IF next_offset - 1 <= own_offset[x] THEN leader[p] ELSE leader_at[p, own_offset[x]]

believes(x, p) == serving[x] /\ leader_seen(x, p) = x

epoch_seen(x, p) == IF next_offset - 1 <= own_offset[x] THEN leader_epoch[p] ELSE epoch_at[p, own_offset[x]]

unchanged == next_offset' = next_offset /\ (\A x \in Broker : registered[x]' = registered[x] /\ fenced[x]' = fenced[x]
  /\ broker_epoch[x]' = broker_epoch[x]) /\ (\A p \in Partition : leader[p]' = leader[p] /\ leader_epoch[p]' =
  leader_epoch[p] /\ isr[p]' = isr[p] /\ replicas[p]' = replicas[p] /\ adding[p]' = adding[p] /\ removing[p]' =
  removing[p])

unnoted(x) == last_contact[x]' = last_contact[x] /\ shutting_down[x]' = shutting_down[x] /\ told[x]' = told[x] /\
  granted[x]' = granted[x]

goes(b) == broker_state[b] = "NOT_RUNNING" /\ broker_state[b]' = "STARTING"

goes_2(b) == broker_state[b] = "STARTING" /\ broker_state[b]' = "RECOVERY"

goes_3(b) == broker_state[b] = "RECOVERY" /\ broker_state[b]' = "RUNNING"

goes_4(b) == broker_state[b] = "RUNNING" /\ broker_state[b]' = "PENDING_CONTROLLED_SHUTDOWN"

goes_5(b) == broker_state[b] = "PENDING_CONTROLLED_SHUTDOWN" /\ broker_state[b]' = "SHUTTING_DOWN"

waits(b) == broker_state[b] = "RECOVERY" /\ recovered[b] /\ registered[b] /\ own_epoch[b] = broker_epoch[b]

shuts_down(b) == broker_state[b] = "PENDING_CONTROLLED_SHUTDOWN" /\ registered[b] /\ own_epoch[b] = broker_epoch[b]

overdue(b) == registered[b] /\ ~fenced[b] /\ last_contact[b] + session < now

\* The contact is noted, and the epoch goes to the process that asked, if it is there still.
answers_registration(b, incarnation_3, epoch) ==
  [last_contact |-> {[at |-> b, to |-> now]}, granted |-> IF own_incarnation[b] = incarnation_3 THEN {[at |-> b, to |->
      epoch]} ELSE {}]

\* The broker leaves the ISR of all its partitions, save as their last member, and leads none of them any more.
retreats(b) ==
  {[partition |-> p, isr_said |-> b \in isr[p] /\ (\E x \in Broker : x \in isr[p] /\ x # b), isr |-> isr[p] \ {b},
      leader_said |-> leader[p] = b, leader |-> None, replicas_said |-> FALSE, removing_said |-> FALSE, adding_said |->
      FALSE] : p \in {p \in Partition : (b \in isr[p] \/ leader[p] = b) /\ ((b \in isr[p] /\ (\E x \in Broker : x \in
      isr[p] /\ x # b)) \/ leader[p] = b)}}

\* The result takes the next offset; what was the newest becomes history.
appends ==
  [next_offset |-> {next_offset + 1}, leader_at |-> {[at |-> <<q, next_offset - 1>>, to |-> leader[q]] : q \in
      Partition}, epoch_at |-> {[at |-> <<q, next_offset - 1>>, to |-> leader_epoch[q]] : q \in Partition}]

\* The contact is noted and the wish to shut down, and the answer goes to the process that asked, if it is there still.
hears(b, epoch, want_shutdown, says_caught_up, says_fenced, says_shutdown) ==
  [last_contact |-> {[at |-> b, to |-> now]}, shutting_down |-> IF want_shutdown THEN {[at |-> b, to |-> TRUE]} ELSE {},
      told |-> IF own_epoch[b] = epoch THEN {[at |-> b, to |-> TRUE]} ELSE {}, told_caught_up |-> IF own_epoch[b] =
      epoch THEN {[at |-> b, to |-> says_caught_up]} ELSE {}, told_fenced |-> IF own_epoch[b] = epoch THEN {[at |-> b,
      to |-> says_fenced]} ELSE {}, told_shutdown |-> IF own_epoch[b] = epoch THEN {[at |-> b, to |-> says_shutdown]}
      ELSE {}]

\* The partitions, then the broker.
fences(b) ==
  [PartitionChange |-> retreats(b), FenceBroker |-> {[broker |-> b, epoch |-> broker_epoch[b]]}, next_offset |->
      appends.next_offset, leader_at |-> appends.leader_at, epoch_at |-> appends.epoch_at]

\* The log manager starts: logs of topics that the metadata does not have are deleted first (S2:281).
enters_recovery(b) ==
  LET
    is_known_2(t) == 0 <= created_at[t] /\ created_at[t] <= own_offset[b] /\ ~(0 <= removed_at[t] /\ removed_at[t] <=
        own_offset[b])
  IN
    [broker_state |-> {[at |-> b, to |-> "RECOVERY"]}, logs |-> {[at |-> b, to |-> {t \in Topic : t \in logs[b] /\
        is_known_2(t)}]}]

PartitionChange_replayed(written) ==
  /\ isr' = Put(isr, {[at |-> r.partition, to |-> r.isr] : r \in {r \in written : r.isr_said}})
  /\ leader' = Put(leader, {[at |-> r.partition, to |-> r.leader] : r \in {r \in written : r.leader_said}})
  /\ leader_epoch' = Put(leader_epoch, {[at |-> r.partition, to |-> leader_epoch[r.partition] + 1] : r \in {r \in
         written : r.leader_said}})
  /\ leader_in' = Put(leader_in, {[at |-> <<r.partition, leader_epoch[r.partition] + 1>>, to |-> r.leader] : r \in {r
         \in written : r.leader_said}})
  /\ replicas' = Put(replicas, {[at |-> r.partition, to |-> r.replicas] : r \in {r \in written : r.replicas_said}})
  /\ removing' = Put(removing, {[at |-> r.partition, to |-> r.removing] : r \in {r \in written : r.removing_said}})
  /\ adding' = Put(adding, {[at |-> r.partition, to |-> r.adding] : r \in {r \in written : r.adding_said}})
  /\ leader_epoch' \in [Partition -> leader_epoch_2]

RegisterBroker_replayed(written) ==
  /\ registered' = Put(registered, {[at |-> r.broker, to |-> TRUE] : r \in written})
  /\ incarnation' = Put(incarnation, {[at |-> r.broker, to |-> r.incarnation] : r \in written})
  /\ broker_epoch' = Put(broker_epoch, {[at |-> r.broker, to |-> r.epoch] : r \in written})
  /\ fenced' = Put(fenced, {[at |-> r.broker, to |-> TRUE] : r \in written})
  /\ incarnation' \in [Broker -> incarnation_2]
  /\ broker_epoch' \in [Broker -> offset]

UnfenceBroker_fenced(old, written) == Put(old, {[at |-> r.broker, to |-> FALSE] : r \in written})

FenceBroker_fenced(old, written) == Put(old, {[at |-> r.broker, to |-> TRUE] : r \in written})

UnregisterBroker_replayed(written) ==
  /\ registered' = Put(registered, {[at |-> r.broker, to |-> FALSE] : r \in written})
  /\ incarnation' = Put(incarnation, {[at |-> r.broker, to |-> 0] : r \in written})
  /\ broker_epoch' = Put(broker_epoch, {[at |-> r.broker, to |-> -1] : r \in written})
  /\ fenced' = Put(fenced, {[at |-> r.broker, to |-> TRUE] : r \in written})

V2_6d_applies(b, incarnation_3) == registered[b] /\ ~same_incarnation(b, incarnation_3) /\ in_contact(b)

V2_1_applies(b, want_fence, offset_2) == fenced[b] /\ ~want_fence /\ caught_up(b, offset_2)

\* S2:62
TP_is_enabled(to_2) ==
  /\ now < to_2
  /\ in_time(to_2) = TRUE
  /\ Given_TimePasses(to_2) = TRUE

TP(to_2) ==
  /\ TP_is_enabled(to_2)
  /\ now' = to_2
  /\ UNCHANGED <<active, fenced, last_contact, committed, shutting_down, granted, own_incarnation, own_epoch,
         broker_state, logs, own_offset, recovered, serving, registered_and_others, never_written,
         next_offset_and_others, isr_and_others, told_and_others>>

\* S2:18-20
CM_is_enabled(to_2) ==
  /\ committed < to_2
  /\ to_2 < next_offset
  /\ active
  /\ Given_Commit(to_2) = TRUE

CM(to_2) ==
  /\ CM_is_enabled(to_2)
  /\ committed' = to_2
  /\ UNCHANGED <<now, active, fenced, last_contact, shutting_down, granted, own_incarnation, own_epoch, broker_state,
         logs, own_offset, recovered, serving, registered_and_others, never_written, next_offset_and_others,
         isr_and_others, told_and_others>>

\* S2:91
CF_is_enabled ==
  /\ active
  /\ Given_ControllerFails = TRUE

CF ==
  /\ CF_is_enabled
  /\ active' = FALSE
  /\ last_contact' = [x \in Broker |-> -1]
  /\ shutting_down' = [x \in Broker |-> FALSE]
  /\ UNCHANGED <<now, fenced, committed, granted, own_incarnation, own_epoch, broker_state, logs, own_offset, recovered,
         serving, registered_and_others, never_written, next_offset_and_others, isr_and_others, told_and_others>>

\* S2:91
CS_is_enabled ==
  /\ (~active) = TRUE
  /\ Given_ControllerFailover = TRUE

CS ==
  /\ CS_is_enabled
  /\ active' = TRUE
  /\ last_contact' = [x \in Broker |-> IF registered[x] THEN now ELSE last_contact[x]]
  /\ UNCHANGED <<now, fenced, committed, shutting_down, granted, own_incarnation, own_epoch, broker_state, logs,
         own_offset, recovered, serving, registered_and_others, never_written, next_offset_and_others, isr_and_others,
         told_and_others>>

\* S2:53
V2_6s_is_enabled(b, incarnation_3, supports, cluster) ==
  /\ 0 < incarnation_3
  /\ same_incarnation(b, incarnation_3) = TRUE
  /\ active
  /\ cluster
  /\ (~V2_6d_applies(b, incarnation_3)) = TRUE
  /\ supports
  /\ Given_Register(b, incarnation_3, supports, cluster) = TRUE

V2_6s(b, incarnation_3, supports, cluster) ==
  /\ V2_6s_is_enabled(b, incarnation_3, supports, cluster)
  /\ LET answers_registration_1 == answers_registration(b, incarnation_3, broker_epoch[b])
     IN
     /\ last_contact' = Put(last_contact, answers_registration_1.last_contact)
     /\ granted' = Put(granted, answers_registration_1.granted)
     /\ granted' \in [Broker -> offset]
  /\ UNCHANGED <<now, active, fenced, committed, shutting_down, own_incarnation, own_epoch, broker_state, logs,
         own_offset, recovered, serving, registered_and_others, never_written, next_offset_and_others, isr_and_others,
         told_and_others>>

\* S2:52-57
V2_6_is_enabled(b, incarnation_3, supports, cluster) ==
  /\ 0 < incarnation_3
  /\ active
  /\ cluster
  /\ (~V2_6d_applies(b, incarnation_3)) = TRUE
  /\ supports
  /\ (~same_incarnation(b, incarnation_3)) = TRUE
  /\ Given_Register(b, incarnation_3, supports, cluster) = TRUE

V2_6(b, incarnation_3, supports, cluster) ==
  /\ V2_6_is_enabled(b, incarnation_3, supports, cluster)
  /\ LET appends_1 == appends
         answers_registration_2 == answers_registration(b, incarnation_3, new_epoch)
     IN
     /\ PartitionChange_replayed(retreats(b))
     /\ RegisterBroker_replayed({[broker |-> b, incarnation |-> incarnation_3, epoch |-> new_epoch]})
     /\ next_offset' = PutCell(next_offset, appends_1.next_offset)
     /\ leader_at' = Put(leader_at, appends_1.leader_at)
     /\ epoch_at' = Put(epoch_at, appends_1.epoch_at)
     /\ last_contact' = Put(last_contact, answers_registration_2.last_contact)
     /\ granted' = Put(granted, answers_registration_2.granted)
     /\ shutting_down' = [shutting_down EXCEPT ![b] = FALSE]
     /\ next_offset' \in offset
     /\ granted' \in [Broker -> offset]
  /\ UNCHANGED <<now, active, committed, own_incarnation, own_epoch, broker_state, logs, own_offset, recovered, serving,
         never_written, told_and_others>>

\* S2:59-60
V2_1_is_enabled(b, epoch, offset_2, want_fence, want_shutdown) ==
  /\ ((own_incarnation[b] = incarnation[b] /\ epoch = broker_epoch[b]) => (own_epoch[b] = epoch /\ offset_2 <=
         own_offset[b] /\ (want_fence \/ recovered[b]))) = TRUE
  /\ fenced[b]
  /\ (~want_fence) = TRUE
  /\ caught_up(b, offset_2) = TRUE
  /\ active
  /\ (~stale(b, epoch)) = TRUE
  /\ Given_Heartbeat(b, epoch, offset_2, want_fence, want_shutdown) = TRUE

V2_1(b, epoch, offset_2, want_fence, want_shutdown) ==
  /\ V2_1_is_enabled(b, epoch, offset_2, want_fence, want_shutdown)
  /\ LET appends_1 == appends
         hears_2 == hears(b, epoch, want_shutdown, caught_up(b, offset_2), FALSE, may_go(want_shutdown, b))
     IN
     /\ fenced' = UnfenceBroker_fenced(fenced, {[broker |-> b, epoch |-> broker_epoch[b]]})
     /\ next_offset' = PutCell(next_offset, appends_1.next_offset)
     /\ leader_at' = Put(leader_at, appends_1.leader_at)
     /\ epoch_at' = Put(epoch_at, appends_1.epoch_at)
     /\ last_contact' = Put(last_contact, hears_2.last_contact)
     /\ shutting_down' = Put(shutting_down, hears_2.shutting_down)
     /\ told' = Put(told, hears_2.told)
     /\ told_caught_up' = Put(told_caught_up, hears_2.told_caught_up)
     /\ told_fenced' = Put(told_fenced, hears_2.told_fenced)
     /\ told_shutdown' = Put(told_shutdown, hears_2.told_shutdown)
     /\ next_offset' \in offset
  /\ UNCHANGED <<now, active, committed, granted, own_incarnation, own_epoch, broker_state, logs, own_offset, recovered,
         serving, registered_and_others, never_written, isr_and_others>>

\* S2:59-60
V2_1n_is_enabled(b, epoch, offset_2, want_fence, want_shutdown) ==
  /\ ((own_incarnation[b] = incarnation[b] /\ epoch = broker_epoch[b]) => (own_epoch[b] = epoch /\ offset_2 <=
         own_offset[b] /\ (want_fence \/ recovered[b]))) = TRUE
  /\ fenced[b]
  /\ active
  /\ (~stale(b, epoch)) = TRUE
  /\ (~V2_1_applies(b, want_fence, offset_2)) = TRUE
  /\ Given_Heartbeat(b, epoch, offset_2, want_fence, want_shutdown) = TRUE

V2_1n(b, epoch, offset_2, want_fence, want_shutdown) ==
  /\ V2_1n_is_enabled(b, epoch, offset_2, want_fence, want_shutdown)
  /\ LET hears_1 == hears(b, epoch, want_shutdown, caught_up(b, offset_2), TRUE, may_go(want_shutdown, b))
     IN
     /\ last_contact' = Put(last_contact, hears_1.last_contact)
     /\ shutting_down' = Put(shutting_down, hears_1.shutting_down)
     /\ told' = Put(told, hears_1.told)
     /\ told_caught_up' = Put(told_caught_up, hears_1.told_caught_up)
     /\ told_fenced' = Put(told_fenced, hears_1.told_fenced)
     /\ told_shutdown' = Put(told_shutdown, hears_1.told_shutdown)
  /\ UNCHANGED <<now, active, fenced, committed, granted, own_incarnation, own_epoch, broker_state, logs, own_offset,
         recovered, serving, registered_and_others, never_written, next_offset_and_others, isr_and_others>>

\* S2:59,383-384
V2_2_is_enabled(b, epoch, offset_2, want_fence, want_shutdown) ==
  /\ ((own_incarnation[b] = incarnation[b] /\ epoch = broker_epoch[b]) => (own_epoch[b] = epoch /\ offset_2 <=
         own_offset[b] /\ (want_fence \/ recovered[b]))) = TRUE
  /\ want_fence
  /\ active
  /\ (~stale(b, epoch)) = TRUE
  /\ (~V2_1_applies(b, want_fence, offset_2)) = TRUE
  /\ (~fenced[b]) = TRUE
  /\ Given_Heartbeat(b, epoch, offset_2, want_fence, want_shutdown) = TRUE

V2_2(b, epoch, offset_2, want_fence, want_shutdown) ==
  /\ V2_2_is_enabled(b, epoch, offset_2, want_fence, want_shutdown)
  /\ LET fences_1 == fences(b)
         hears_2 == hears(b, epoch, want_shutdown, caught_up(b, offset_2), TRUE, want_shutdown)
     IN
     /\ PartitionChange_replayed(fences_1.PartitionChange)
     /\ fenced' = FenceBroker_fenced(fenced, fences_1.FenceBroker)
     /\ next_offset' = PutCell(next_offset, fences_1.next_offset)
     /\ leader_at' = Put(leader_at, fences_1.leader_at)
     /\ epoch_at' = Put(epoch_at, fences_1.epoch_at)
     /\ last_contact' = Put(last_contact, hears_2.last_contact)
     /\ shutting_down' = Put(shutting_down, hears_2.shutting_down)
     /\ told' = Put(told, hears_2.told)
     /\ told_caught_up' = Put(told_caught_up, hears_2.told_caught_up)
     /\ told_fenced' = Put(told_fenced, hears_2.told_fenced)
     /\ told_shutdown' = Put(told_shutdown, hears_2.told_shutdown)
     /\ next_offset' \in offset
  /\ UNCHANGED <<now, active, committed, granted, own_incarnation, own_epoch, broker_state, logs, own_offset, recovered,
         serving, registered_and_others, never_written>>

\* S2:62
V2_3r_is_enabled(b, epoch, offset_2, want_fence, want_shutdown) ==
  /\ ((own_incarnation[b] = incarnation[b] /\ epoch = broker_epoch[b]) => (own_epoch[b] = epoch /\ offset_2 <=
         own_offset[b] /\ (want_fence \/ recovered[b]))) = TRUE
  /\ (~want_shutdown) = TRUE
  /\ active
  /\ (~stale(b, epoch)) = TRUE
  /\ (~V2_1_applies(b, want_fence, offset_2)) = TRUE
  /\ (~fenced[b]) = TRUE
  /\ (~want_fence) = TRUE
  /\ Given_Heartbeat(b, epoch, offset_2, want_fence, want_shutdown) = TRUE

V2_3r(b, epoch, offset_2, want_fence, want_shutdown) ==
  /\ V2_3r_is_enabled(b, epoch, offset_2, want_fence, want_shutdown)
  /\ LET hears_1 == hears(b, epoch, want_shutdown, caught_up(b, offset_2), FALSE, FALSE)
     IN
     /\ last_contact' = Put(last_contact, hears_1.last_contact)
     /\ shutting_down' = Put(shutting_down, hears_1.shutting_down)
     /\ told' = Put(told, hears_1.told)
     /\ told_caught_up' = Put(told_caught_up, hears_1.told_caught_up)
     /\ told_fenced' = Put(told_fenced, hears_1.told_fenced)
     /\ told_shutdown' = Put(told_shutdown, hears_1.told_shutdown)
  /\ UNCHANGED <<now, active, fenced, committed, granted, own_incarnation, own_epoch, broker_state, logs, own_offset,
         recovered, serving, registered_and_others, never_written, next_offset_and_others, isr_and_others>>

\* S2:65
V2_4_is_enabled(b, epoch, offset_2, want_fence, want_shutdown) ==
  /\ ((own_incarnation[b] = incarnation[b] /\ epoch = broker_epoch[b]) => (own_epoch[b] = epoch /\ offset_2 <=
         own_offset[b] /\ (want_fence \/ recovered[b]))) = TRUE
  /\ leads(b) = TRUE
  /\ active
  /\ (~stale(b, epoch)) = TRUE
  /\ (~V2_1_applies(b, want_fence, offset_2)) = TRUE
  /\ (~fenced[b]) = TRUE
  /\ (~want_fence) = TRUE
  /\ want_shutdown
  /\ Given_Heartbeat(b, epoch, offset_2, want_fence, want_shutdown) = TRUE

V2_4(b, epoch, offset_2, want_fence, want_shutdown) ==
  /\ V2_4_is_enabled(b, epoch, offset_2, want_fence, want_shutdown)
  /\ LET hears_1 == hears(b, epoch, want_shutdown, caught_up(b, offset_2), FALSE, FALSE)
     IN
     /\ last_contact' = Put(last_contact, hears_1.last_contact)
     /\ shutting_down' = Put(shutting_down, hears_1.shutting_down)
     /\ told' = Put(told, hears_1.told)
     /\ told_caught_up' = Put(told_caught_up, hears_1.told_caught_up)
     /\ told_fenced' = Put(told_fenced, hears_1.told_fenced)
     /\ told_shutdown' = Put(told_shutdown, hears_1.told_shutdown)
  /\ UNCHANGED <<now, active, fenced, committed, granted, own_incarnation, own_epoch, broker_state, logs, own_offset,
         recovered, serving, registered_and_others, never_written, next_offset_and_others, isr_and_others>>

\* S2:65,408
V2_4s_is_enabled(b, epoch, offset_2, want_fence, want_shutdown) ==
  /\ ((own_incarnation[b] = incarnation[b] /\ epoch = broker_epoch[b]) => (own_epoch[b] = epoch /\ offset_2 <=
         own_offset[b] /\ (want_fence \/ recovered[b]))) = TRUE
  /\ active
  /\ (~stale(b, epoch)) = TRUE
  /\ (~V2_1_applies(b, want_fence, offset_2)) = TRUE
  /\ (~fenced[b]) = TRUE
  /\ (~want_fence) = TRUE
  /\ want_shutdown
  /\ (~leads(b)) = TRUE
  /\ Given_Heartbeat(b, epoch, offset_2, want_fence, want_shutdown) = TRUE

V2_4s(b, epoch, offset_2, want_fence, want_shutdown) ==
  /\ V2_4s_is_enabled(b, epoch, offset_2, want_fence, want_shutdown)
  /\ LET hears_1 == hears(b, epoch, want_shutdown, caught_up(b, offset_2), FALSE, TRUE)
     IN
     /\ last_contact' = Put(last_contact, hears_1.last_contact)
     /\ shutting_down' = Put(shutting_down, hears_1.shutting_down)
     /\ told' = Put(told, hears_1.told)
     /\ told_caught_up' = Put(told_caught_up, hears_1.told_caught_up)
     /\ told_fenced' = Put(told_fenced, hears_1.told_fenced)
     /\ told_shutdown' = Put(told_shutdown, hears_1.told_shutdown)
  /\ UNCHANGED <<now, active, fenced, committed, granted, own_incarnation, own_epoch, broker_state, logs, own_offset,
         recovered, serving, registered_and_others, never_written, next_offset_and_others, isr_and_others>>

\* S2:62
V2_3_is_enabled(b) ==
  /\ active
  /\ registered[b]
  /\ (~fenced[b]) = TRUE
  /\ last_contact[b] + session < now

V2_3(b) ==
  /\ V2_3_is_enabled(b)
  /\ LET fences_1 == fences(b)
     IN
     /\ PartitionChange_replayed(fences_1.PartitionChange)
     /\ fenced' = FenceBroker_fenced(fenced, fences_1.FenceBroker)
     /\ next_offset' = PutCell(next_offset, fences_1.next_offset)
     /\ leader_at' = Put(leader_at, fences_1.leader_at)
     /\ epoch_at' = Put(epoch_at, fences_1.epoch_at)
     /\ next_offset' \in offset
  /\ UNCHANGED <<now, active, last_contact, committed, shutting_down, granted, own_incarnation, own_epoch, broker_state,
         logs, own_offset, recovered, serving, registered_and_others, never_written, told_and_others>>

\* S2:65
EL_is_enabled(p, leader_2) ==
  /\ active
  /\ leader_2 \in isr[p]
  /\ (~fenced[leader_2]) = TRUE
  /\ (~shutting_down[leader_2]) = TRUE
  /\ leader[p] # leader_2
  /\ Given_ElectLeader(p, leader_2) = TRUE

EL(p, leader_2) ==
  /\ EL_is_enabled(p, leader_2)
  /\ LET appends_1 == appends
     IN
     /\ PartitionChange_replayed({[partition |-> p, isr_said |-> FALSE, leader_said |-> TRUE, leader |-> leader_2,
            replicas_said |-> FALSE, removing_said |-> FALSE, adding_said |-> FALSE]})
     /\ next_offset' = PutCell(next_offset, appends_1.next_offset)
     /\ leader_at' = Put(leader_at, appends_1.leader_at)
     /\ epoch_at' = Put(epoch_at, appends_1.epoch_at)
     /\ next_offset' \in offset
  /\ UNCHANGED <<now, active, fenced, last_contact, committed, shutting_down, granted, own_incarnation, own_epoch,
         broker_state, logs, own_offset, recovered, serving, registered_and_others, never_written, told_and_others>>

\* S2:410-420
V2_7_is_enabled(b, legacy) ==
  /\ (~legacy) = TRUE
  /\ active
  /\ registered[b]
  /\ Given_Unregister(b, legacy) = TRUE

V2_7(b, legacy) ==
  /\ V2_7_is_enabled(b, legacy)
  /\ LET appends_1 == appends
     IN
     /\ PartitionChange_replayed(retreats(b))
     /\ UnregisterBroker_replayed({[broker |-> b, epoch |-> broker_epoch[b]]})
     /\ next_offset' = PutCell(next_offset, appends_1.next_offset)
     /\ leader_at' = Put(leader_at, appends_1.leader_at)
     /\ epoch_at' = Put(epoch_at, appends_1.epoch_at)
     /\ last_contact' = [last_contact EXCEPT ![b] = -1]
     /\ shutting_down' = [shutting_down EXCEPT ![b] = FALSE]
     /\ next_offset' \in offset
  /\ UNCHANGED <<now, active, committed, granted, own_incarnation, own_epoch, broker_state, logs, own_offset, recovered,
         serving, never_written, told_and_others>>

\* S2:67-70
BS1_is_enabled(b, incarnation_3) ==
  /\ 0 < incarnation_3
  /\ incarnation_3 # incarnation[b]
  /\ broker_state[b] = "NOT_RUNNING"
  /\ Given_StartBroker(b, incarnation_3) = TRUE

BS1(b, incarnation_3) ==
  /\ BS1_is_enabled(b, incarnation_3)
  /\ broker_state' = [broker_state EXCEPT ![b] = "STARTING"]
  /\ own_incarnation' = [own_incarnation EXCEPT ![b] = incarnation_3]
  /\ UNCHANGED <<now, active, fenced, last_contact, committed, shutting_down, granted, own_epoch, logs, own_offset,
         recovered, serving, registered_and_others, never_written, next_offset_and_others, isr_and_others,
         told_and_others>>

\* S2:52-53
BS2_is_enabled(b, error, epoch) ==
  /\ (error = "NONE" => (0 <= granted[b] /\ epoch = granted[b])) = TRUE
  /\ no_error(error) = TRUE
  /\ broker_state[b] = "STARTING"
  /\ own_epoch[b] = -1
  /\ Given_RegisterReply(b, error, epoch) = TRUE

BS2(b, error, epoch) ==
  /\ BS2_is_enabled(b, error, epoch)
  /\ own_epoch' = [own_epoch EXCEPT ![b] = epoch]
  /\ UNCHANGED <<now, active, fenced, last_contact, committed, shutting_down, granted, own_incarnation, broker_state,
         logs, own_offset, recovered, serving, registered_and_others, never_written, next_offset_and_others,
         isr_and_others, told_and_others>>

\* S2:70-79,405
BS3_is_enabled(b, error, caught_up_2, fenced_2, shutdown) ==
  /\ (error = "NONE" => (told[b] /\ caught_up_2 = told_caught_up[b] /\ fenced_2 = told_fenced[b] /\ shutdown =
         told_shutdown[b])) = TRUE
  /\ no_error(error) = TRUE
  /\ broker_state[b] = "STARTING"
  /\ caught_up_2
  /\ Given_HeartbeatReply(b, error, caught_up_2, fenced_2, shutdown) = TRUE

BS3(b, error, caught_up_2, fenced_2, shutdown) ==
  /\ BS3_is_enabled(b, error, caught_up_2, fenced_2, shutdown)
  /\ LET enters_recovery_1 == enters_recovery(b)
     IN
     /\ broker_state' = Put(broker_state, enters_recovery_1.broker_state)
     /\ logs' = Put(logs, enters_recovery_1.logs)
  /\ UNCHANGED <<now, active, fenced, last_contact, committed, shutting_down, granted, own_incarnation, own_epoch,
         own_offset, recovered, serving, registered_and_others, never_written, next_offset_and_others, isr_and_others,
         told_and_others>>

\* S2:71-73
BS4_is_enabled(b) ==
  /\ broker_state[b] = "RECOVERY"
  /\ (~recovered[b]) = TRUE

BS4(b) ==
  /\ BS4_is_enabled(b)
  /\ recovered' = [recovered EXCEPT ![b] = TRUE]
  /\ UNCHANGED <<now, active, fenced, last_contact, committed, shutting_down, granted, own_incarnation, own_epoch,
         broker_state, logs, own_offset, serving, registered_and_others, never_written, next_offset_and_others,
         isr_and_others, told_and_others>>

\* S2:70-79,405
BS5_is_enabled(b, error, caught_up_2, fenced_2, shutdown) ==
  /\ (error = "NONE" => (told[b] /\ caught_up_2 = told_caught_up[b] /\ fenced_2 = told_fenced[b] /\ shutdown =
         told_shutdown[b])) = TRUE
  /\ no_error(error) = TRUE
  /\ broker_state[b] = "RECOVERY"
  /\ recovered[b]
  /\ (~fenced_2) = TRUE
  /\ Given_HeartbeatReply(b, error, caught_up_2, fenced_2, shutdown) = TRUE

BS5(b, error, caught_up_2, fenced_2, shutdown) ==
  /\ BS5_is_enabled(b, error, caught_up_2, fenced_2, shutdown)
  /\ broker_state' = [broker_state EXCEPT ![b] = "RUNNING"]
  /\ serving' = [serving EXCEPT ![b] = TRUE]
  /\ UNCHANGED <<now, active, fenced, last_contact, committed, shutting_down, granted, own_incarnation, own_epoch, logs,
         own_offset, recovered, registered_and_others, never_written, next_offset_and_others, isr_and_others,
         told_and_others>>

\* S2:76-77
BS6(b) ==
  /\ broker_state[b] = "RUNNING"
  /\ broker_state' = [broker_state EXCEPT ![b] = "PENDING_CONTROLLED_SHUTDOWN"]
  /\ UNCHANGED <<now, active, fenced, last_contact, committed, shutting_down, granted, own_incarnation, own_epoch, logs,
         own_offset, recovered, serving, registered_and_others, never_written, next_offset_and_others, isr_and_others,
         told_and_others>>

\* S2:70-79,405
BS7_is_enabled(b, error, caught_up_2, fenced_2, shutdown) ==
  /\ (error = "NONE" => (told[b] /\ caught_up_2 = told_caught_up[b] /\ fenced_2 = told_fenced[b] /\ shutdown =
         told_shutdown[b])) = TRUE
  /\ no_error(error) = TRUE
  /\ broker_state[b] = "PENDING_CONTROLLED_SHUTDOWN"
  /\ shutdown
  /\ Given_HeartbeatReply(b, error, caught_up_2, fenced_2, shutdown) = TRUE

BS7(b, error, caught_up_2, fenced_2, shutdown) ==
  /\ BS7_is_enabled(b, error, caught_up_2, fenced_2, shutdown)
  /\ broker_state' = [broker_state EXCEPT ![b] = "SHUTTING_DOWN"]
  /\ serving' = [serving EXCEPT ![b] = FALSE]
  /\ UNCHANGED <<now, active, fenced, last_contact, committed, shutting_down, granted, own_incarnation, own_epoch, logs,
         own_offset, recovered, registered_and_others, never_written, next_offset_and_others, isr_and_others,
         told_and_others>>

\* S2:78-79
BS8_is_enabled(b) ==
  /\ broker_state[b] # "NOT_RUNNING"
  /\ Given_StopBroker(b) = TRUE

BS8(b) ==
  /\ BS8_is_enabled(b)
  /\ broker_state' = [broker_state EXCEPT ![b] = "NOT_RUNNING"]
  /\ own_incarnation' = [own_incarnation EXCEPT ![b] = 0]
  /\ own_epoch' = [own_epoch EXCEPT ![b] = -1]
  /\ own_offset' = [own_offset EXCEPT ![b] = -1]
  /\ recovered' = [recovered EXCEPT ![b] = FALSE]
  /\ serving' = [serving EXCEPT ![b] = FALSE]
  /\ granted' = [granted EXCEPT ![b] = -1]
  /\ told' = [told EXCEPT ![b] = FALSE]
  /\ told_caught_up' = [told_caught_up EXCEPT ![b] = FALSE]
  /\ told_fenced' = [told_fenced EXCEPT ![b] = FALSE]
  /\ told_shutdown' = [told_shutdown EXCEPT ![b] = FALSE]
  /\ UNCHANGED <<now, active, fenced, last_contact, committed, shutting_down, logs, registered_and_others,
         never_written, next_offset_and_others, isr_and_others>>

\* S2:18,69-70,280
BA1_is_enabled(b, to_2) ==
  /\ within_log(b, to_2) = TRUE
  /\ Given_ApplyMetadata(b, to_2) = TRUE

BA1(b, to_2) ==
  /\ BA1_is_enabled(b, to_2)
  /\ own_offset' = [own_offset EXCEPT ![b] = to_2]
  /\ logs' = [logs EXCEPT ![b] = logs[b] \ removed_meanwhile(b, to_2)]
  /\ UNCHANGED <<now, active, fenced, last_contact, committed, shutting_down, granted, own_incarnation, own_epoch,
         broker_state, recovered, serving, registered_and_others, never_written, next_offset_and_others, isr_and_others,
         told_and_others>>

\* S2:260,287
V2_6c_is_enabled(b, incarnation_3, supports, cluster) ==
  /\ 0 < incarnation_3
  /\ (~cluster) = TRUE
  /\ active
  /\ Given_Register(b, incarnation_3, supports, cluster) = TRUE

\* S2:56-57,258
V2_6d_is_enabled(b, incarnation_3, supports, cluster) ==
  /\ 0 < incarnation_3
  /\ registered[b]
  /\ (~same_incarnation(b, incarnation_3)) = TRUE
  /\ in_contact(b) = TRUE
  /\ active
  /\ cluster
  /\ Given_Register(b, incarnation_3, supports, cluster) = TRUE

\* S2:54
V2_6f_is_enabled(b, incarnation_3, supports, cluster) ==
  /\ 0 < incarnation_3
  /\ (~supports) = TRUE
  /\ active
  /\ cluster
  /\ (~V2_6d_applies(b, incarnation_3)) = TRUE
  /\ Given_Register(b, incarnation_3, supports, cluster) = TRUE

\* S2:371-386
V2_5s_is_enabled(b, epoch, offset_2, want_fence, want_shutdown) ==
  /\ ((own_incarnation[b] = incarnation[b] /\ epoch = broker_epoch[b]) => (own_epoch[b] = epoch /\ offset_2 <=
         own_offset[b] /\ (want_fence \/ recovered[b]))) = TRUE
  /\ stale(b, epoch) = TRUE
  /\ active
  /\ Given_Heartbeat(b, epoch, offset_2, want_fence, want_shutdown) = TRUE

\* S2:410-420
V2_7c_is_enabled(b, legacy) ==
  /\ (~active) = TRUE
  /\ (~legacy) = TRUE
  /\ Given_Unregister(b, legacy) = TRUE

\* S2:410-420
V2_7n_is_enabled(b, legacy) ==
  /\ (~registered[b]) = TRUE
  /\ (~legacy) = TRUE
  /\ active
  /\ Given_Unregister(b, legacy) = TRUE

Init ==
  /\ now = 0
  /\ active = TRUE
  /\ shutting_down = [k \in Broker |-> FALSE]
  /\ granted = [k \in Broker |-> -1]
  /\ leader = [k \in Partition |-> None]
  /\ leader_epoch = [k \in Partition |-> 0]
  /\ leader_in = [k \in Partition, k2 \in leader_epoch_2 |-> None]
  /\ leader_at = [k \in Partition, k2 \in offset |-> None]
  /\ epoch_at = [k \in Partition, k2 \in offset |-> 0]
  /\ told = [k \in Broker |-> FALSE]
  /\ told_caught_up = [k \in Broker |-> FALSE]
  /\ told_fenced = [k \in Broker |-> FALSE]
  /\ told_shutdown = [k \in Broker |-> FALSE]
  /\ logs = [k \in Broker |-> {}]
  /\ created_at = [k \in Topic |-> -1]
  /\ removed_at = [k \in Topic |-> -1]
  /\ adding = [k \in Partition |-> {}]
  /\ removing = [k \in Partition |-> {}]
  /\ registered \in [Broker -> BOOLEAN]
  /\ Bound = "tiny" => (\A b \in Broker : ~registered[b]) = TRUE
  /\ fenced \in [Broker -> BOOLEAN]
  /\ Bound = "tiny" => (\A b \in Broker : fenced[b]) = TRUE
  /\ last_contact \in [Broker -> time]
  /\ Bound = "tiny" => (\A b \in Broker : last_contact[b] = -1) = TRUE
  /\ session \in time
  /\ Bound = "tiny" => session = 1
  /\ committed \in offset
  /\ Bound = "tiny" => committed = 0
  /\ next_offset \in offset
  /\ Bound = "tiny" => next_offset = 1
  /\ incarnation \in [Broker -> incarnation_2]
  /\ Bound = "tiny" => (\A b \in Broker : incarnation[b] = 0) = TRUE
  /\ id_reuse \in time
  /\ Bound = "tiny" => id_reuse = 1
  /\ own_incarnation \in [Broker -> incarnation_2]
  /\ Bound = "tiny" => (\A b \in Broker : own_incarnation[b] = 0) = TRUE
  /\ broker_epoch \in [Broker -> offset]
  /\ Bound = "tiny" => (\A b \in Broker : broker_epoch[b] = -1) = TRUE
  /\ isr \in [Partition -> SUBSET Broker]
  /\ Bound = "tiny" => (\A p \in Partition : isr[p] = {0}) = TRUE
  /\ own_epoch \in [Broker -> offset]
  /\ Bound = "tiny" => (\A b \in Broker : own_epoch[b] = -1) = TRUE
  /\ broker_state \in [Broker -> BrokerState]
  /\ Bound = "tiny" => (\A b \in Broker : broker_state[b] = "NOT_RUNNING") = TRUE
  /\ own_offset \in [Broker -> offset]
  /\ Bound = "tiny" => (\A b \in Broker : own_offset[b] = -1) = TRUE
  /\ recovered \in [Broker -> BOOLEAN]
  /\ Bound = "tiny" => (\A b \in Broker : ~recovered[b]) = TRUE
  /\ serving \in [Broker -> BOOLEAN]
  /\ Bound = "tiny" => (\A b \in Broker : ~serving[b]) = TRUE
  /\ replicas \in [Partition -> SUBSET Broker]
  /\ Bound = "tiny" => (\A p \in Partition : replicas[p] = {0}) = TRUE

Rows ==
  \/ \E to_2 \in Given_TimePasses_to : TP(to_2)
  \/ \E to_2 \in Given_Commit_to : CM(to_2)
  \/ CF
  \/ CS
  \/ \E cluster \in Given_Register_cluster :
       /\ cluster
       /\ \E supports \in Given_Register_supports :
            /\ supports
            /\ \E b \in Broker :
                 /\ \E incarnation_3 \in Given_Register_incarnation(b) :
                      /\ 0 < incarnation_3
                      /\ (~(registered[b] /\ ~same_incarnation(b, incarnation_3) /\ in_contact(b))) = TRUE
                      /\ \/ V2_6s(b, incarnation_3, supports, cluster)
                         \/ V2_6(b, incarnation_3, supports, cluster)
  \/ \E b \in Broker :
       /\ \E epoch \in Given_Heartbeat_epoch(b) :
            /\ (~stale(b, epoch)) = TRUE
            /\ \E offset_2 \in Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b) :
                 /\ ((own_incarnation[b] = incarnation[b] /\ epoch = broker_epoch[b]) => (own_epoch[b] = epoch /\
                        offset_2 <= own_offset[b] /\ (want_fence \/ recovered[b]))) = TRUE
                 /\ \E want_shutdown \in Given_Heartbeat_want_shutdown(b) :
                      \/ V2_1(b, epoch, offset_2, want_fence, want_shutdown)
                      \/ V2_1n(b, epoch, offset_2, want_fence, want_shutdown)
                      \/ V2_2(b, epoch, offset_2, want_fence, want_shutdown)
                      \/ V2_3r(b, epoch, offset_2, want_fence, want_shutdown)
                      \/ V2_4(b, epoch, offset_2, want_fence, want_shutdown)
                      \/ V2_4s(b, epoch, offset_2, want_fence, want_shutdown)
  \/ \E b \in Broker :
       \/ V2_3(b)
       \/ BS4(b)
       \/ BS6(b)
       \/ BS8(b)
  \/ \E p \in Partition, leader_2 \in Broker : EL(p, leader_2)
  \/ \E b \in Broker, legacy \in Given_Unregister_legacy : V2_7(b, legacy)
  \/ \E b \in Broker : \E incarnation_3 \in Given_StartBroker_incarnation(b) : BS1(b, incarnation_3)
  \/ \E b \in Broker, error \in Given_RegisterReply_error, epoch \in offset : BS2(b, error, epoch)
  \/ \E error \in Given_HeartbeatReply_error :
       /\ no_error(error) = TRUE
       /\ \E b \in Broker, caught_up_2 \in BOOLEAN, fenced_2 \in BOOLEAN, shutdown \in BOOLEAN :
            /\ (error = "NONE" => (told[b] /\ caught_up_2 = told_caught_up[b] /\ fenced_2 = told_fenced[b] /\ shutdown =
                   told_shutdown[b])) = TRUE
            /\ \/ BS3(b, error, caught_up_2, fenced_2, shutdown)
               \/ BS5(b, error, caught_up_2, fenced_2, shutdown)
               \/ BS7(b, error, caught_up_2, fenced_2, shutdown)
  \/ \E b \in Broker, to_2 \in Given_ApplyMetadata_to : BA1(b, to_2)

Next == Rows \/ UNCHANGED vars

Spec == Init /\ [][Next]_vars

\* The guard of some row holds: unlike in ENABLED Rows, of one too that only a range disables.
SomeRowIsEnabled ==
  \/ \E to_2 \in Given_TimePasses_to : TP_is_enabled(to_2)
  \/ \E to_2 \in Given_Commit_to : CM_is_enabled(to_2)
  \/ CF_is_enabled
  \/ CS_is_enabled
  \/ \E cluster \in Given_Register_cluster :
       /\ cluster
       /\ \E supports \in Given_Register_supports :
            /\ supports
            /\ \E b \in Broker :
                 /\ \E incarnation_3 \in Given_Register_incarnation(b) :
                      /\ 0 < incarnation_3
                      /\ (~(registered[b] /\ ~same_incarnation(b, incarnation_3) /\ in_contact(b))) = TRUE
                      /\ \/ V2_6s_is_enabled(b, incarnation_3, supports, cluster)
                         \/ V2_6_is_enabled(b, incarnation_3, supports, cluster)
  \/ \E b \in Broker :
       /\ \E epoch \in Given_Heartbeat_epoch(b) :
            /\ (~stale(b, epoch)) = TRUE
            /\ \E offset_2 \in Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b) :
                 /\ ((own_incarnation[b] = incarnation[b] /\ epoch = broker_epoch[b]) => (own_epoch[b] = epoch /\
                        offset_2 <= own_offset[b] /\ (want_fence \/ recovered[b]))) = TRUE
                 /\ \E want_shutdown \in Given_Heartbeat_want_shutdown(b) :
                      \/ V2_1_is_enabled(b, epoch, offset_2, want_fence, want_shutdown)
                      \/ V2_1n_is_enabled(b, epoch, offset_2, want_fence, want_shutdown)
                      \/ V2_2_is_enabled(b, epoch, offset_2, want_fence, want_shutdown)
                      \/ V2_3r_is_enabled(b, epoch, offset_2, want_fence, want_shutdown)
                      \/ V2_4_is_enabled(b, epoch, offset_2, want_fence, want_shutdown)
                      \/ V2_4s_is_enabled(b, epoch, offset_2, want_fence, want_shutdown)
  \/ \E b \in Broker :
       \/ V2_3_is_enabled(b)
       \/ BS4_is_enabled(b)
       \/ broker_state[b] = "RUNNING"
       \/ BS8_is_enabled(b)
  \/ \E p \in Partition, leader_2 \in Broker : EL_is_enabled(p, leader_2)
  \/ \E b \in Broker, legacy \in Given_Unregister_legacy : V2_7_is_enabled(b, legacy)
  \/ \E b \in Broker : \E incarnation_3 \in Given_StartBroker_incarnation(b) : BS1_is_enabled(b, incarnation_3)
  \/ \E b \in Broker, error \in Given_RegisterReply_error, epoch \in offset : BS2_is_enabled(b, error, epoch)
  \/ \E error \in Given_HeartbeatReply_error :
       /\ no_error(error) = TRUE
       /\ \E b \in Broker, caught_up_2 \in BOOLEAN, fenced_2 \in BOOLEAN, shutdown \in BOOLEAN :
            /\ (error = "NONE" => (told[b] /\ caught_up_2 = told_caught_up[b] /\ fenced_2 = told_fenced[b] /\ shutdown =
                   told_shutdown[b])) = TRUE
            /\ \/ BS3_is_enabled(b, error, caught_up_2, fenced_2, shutdown)
               \/ BS5_is_enabled(b, error, caught_up_2, fenced_2, shutdown)
               \/ BS7_is_enabled(b, error, caught_up_2, fenced_2, shutdown)
  \/ \E b \in Broker, to_2 \in Given_ApplyMetadata_to : BA1_is_enabled(b, to_2)

\* A counter's range alone disables a row of the event.
Register_would_leave ==
  \/ \E cluster \in Given_Register_cluster :
       /\ cluster
       /\ \E supports \in Given_Register_supports :
            /\ supports
            /\ \E b \in Broker :
                 /\ \E incarnation_3 \in Given_Register_incarnation(b) :
                      /\ 0 < incarnation_3
                      /\ (~(registered[b] /\ ~same_incarnation(b, incarnation_3) /\ in_contact(b))) = TRUE
                      /\ \/ (V2_6s_is_enabled(b, incarnation_3, supports, cluster)) /\ ~ENABLED V2_6s(b, incarnation_3,
                           supports, cluster)
                         \/ (V2_6_is_enabled(b, incarnation_3, supports, cluster)) /\ ~ENABLED V2_6(b, incarnation_3,
                              supports, cluster)

Heartbeat_would_leave ==
  \/ \E b \in Broker :
       /\ \E epoch \in Given_Heartbeat_epoch(b) :
            /\ (~stale(b, epoch)) = TRUE
            /\ \E offset_2 \in Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b) :
                 /\ ((own_incarnation[b] = incarnation[b] /\ epoch = broker_epoch[b]) => (own_epoch[b] = epoch /\
                        offset_2 <= own_offset[b] /\ (want_fence \/ recovered[b]))) = TRUE
                 /\ \E want_shutdown \in Given_Heartbeat_want_shutdown(b) :
                      \/ (V2_1_is_enabled(b, epoch, offset_2, want_fence, want_shutdown)) /\ ~ENABLED V2_1(b, epoch,
                           offset_2, want_fence, want_shutdown)
                      \/ (V2_2_is_enabled(b, epoch, offset_2, want_fence, want_shutdown)) /\ ~ENABLED V2_2(b, epoch,
                           offset_2, want_fence, want_shutdown)

SessionExpires_would_leave ==
  \/ \E b \in Broker : (V2_3_is_enabled(b)) /\ ~ENABLED V2_3(b)

ElectLeader_would_leave ==
  \/ \E p \in Partition, leader_2 \in Broker : (EL_is_enabled(p, leader_2)) /\ ~ENABLED EL(p, leader_2)

Unregister_would_leave ==
  \/ \E b \in Broker, legacy \in Given_Unregister_legacy : (V2_7_is_enabled(b, legacy)) /\ ~ENABLED V2_7(b, legacy)

\* The epoch of a registration is higher than every epoch there is. (S2:52)
K1 == [][(\A b \in Broker, supports \in Given_Register_supports, cluster \in Given_Register_cluster : \A incarnation_3
  \in Given_Register_incarnation(b) : (V2_6(b, incarnation_3, supports, cluster)) => (\A x \in Broker : broker_epoch[x]
  < broker_epoch[b]'))]_vars

K1_where_nothing_changes == (\A b \in Broker, supports \in Given_Register_supports, cluster \in Given_Register_cluster :
  \A incarnation_3 \in Given_Register_incarnation(b) : (ENABLED (UNCHANGED vars /\ (V2_6(b, incarnation_3, supports,
  cluster)))) => (\A x \in Broker : broker_epoch[x] < broker_epoch[b]))

\* Another incarnation is admitted only where the former one has not been heard of for long enough. (S2:56-57)
K2 == [][(\A b \in Broker, supports \in Given_Register_supports, cluster \in Given_Register_cluster : \A incarnation_3
  \in Given_Register_incarnation(b) : (V2_6(b, incarnation_3, supports, cluster)) => (~registered[b] \/ last_contact[b]
  + id_reuse < now))]_vars

K2_where_nothing_changes == (\A b \in Broker, supports \in Given_Register_supports, cluster \in Given_Register_cluster :
  \A incarnation_3 \in Given_Register_incarnation(b) : (ENABLED (UNCHANGED vars /\ (V2_6(b, incarnation_3, supports,
  cluster)))) => (~registered[b] \/ last_contact[b] + id_reuse < now))

\* The same incarnation registers again: its epoch and its fencing stay. (S2:53)
K3 == [][(\A b \in Broker, supports \in Given_Register_supports, cluster \in Given_Register_cluster : \A incarnation_3
  \in Given_Register_incarnation(b) : (V2_6s(b, incarnation_3, supports, cluster)) => (broker_epoch[b]' =
  broker_epoch[b] /\ fenced[b]' = fenced[b]))]_vars

\* A broker that is unfenced has read its own registration. (S2:60)
K4 == [][(\A b \in Broker : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b), want_fence
  \in Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : (V2_1(b, epoch, offset_2,
  want_fence, want_shutdown)) => (broker_epoch[b] <= offset_2))]_vars

K4_where_nothing_changes == (\A b \in Broker : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in
  Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in
  Given_Heartbeat_want_shutdown(b) : (ENABLED (UNCHANGED vars /\ (V2_1(b, epoch, offset_2, want_fence, want_shutdown))))
  => (broker_epoch[b] <= offset_2))

\* A process that is unfenced has applied its own registration. (S2:60)
K4a == \A b \in Broker : (~fenced[b] /\ own_epoch[b] = broker_epoch[b]) => broker_epoch[b] <= own_offset[b]

\* Fences, unfences and unregistrations are of brokers that are registered. (S2:435-492)
K5 == [][(\A b \in Broker : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b), want_fence
  \in Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : (V2_1(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_2(b, epoch, offset_2, want_fence, want_shutdown)) => (registered[b])) /\ (\A b \in
  Broker : (V2_3(b)) => (registered[b])) /\ (\A b \in Broker, legacy \in Given_Unregister_legacy : (V2_7(b, legacy)) =>
  (registered[b]))]_vars

K5_where_nothing_changes == (\A b \in Broker : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in
  Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in
  Given_Heartbeat_want_shutdown(b) : (ENABLED (UNCHANGED vars /\ (V2_1(b, epoch, offset_2, want_fence, want_shutdown) \/
  V2_2(b, epoch, offset_2, want_fence, want_shutdown)))) => (registered[b])) /\ (\A b \in Broker : (ENABLED (UNCHANGED
  vars /\ (V2_3(b)))) => (registered[b])) /\ (\A b \in Broker, legacy \in Given_Unregister_legacy : (ENABLED (UNCHANGED
  vars /\ (V2_7(b, legacy)))) => (registered[b]))

\* A registered broker supports the finalized features. (S2:54)
K7 == [][(\A b \in Broker, supports \in Given_Register_supports, cluster \in Given_Register_cluster : \A incarnation_3
  \in Given_Register_incarnation(b) : (V2_6(b, incarnation_3, supports, cluster)) => (supports))]_vars

K7_where_nothing_changes == (\A b \in Broker, supports \in Given_Register_supports, cluster \in Given_Register_cluster :
  \A incarnation_3 \in Given_Register_incarnation(b) : (ENABLED (UNCHANGED vars /\ (V2_6(b, incarnation_3, supports,
  cluster)))) => (supports))

\* A broker that is answered to shut down leads nothing. (S2:65,408)
K8 == [][(\A b \in Broker : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b), want_fence
  \in Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : (V2_1(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_1n(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_2(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_3r(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_4(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_4s(b, epoch, offset_2, want_fence, want_shutdown)) => (leaves(b, epoch) =>
  ~leads(b)'))]_vars

K8_where_nothing_changes == (\A b \in Broker : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in
  Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in
  Given_Heartbeat_want_shutdown(b) : (ENABLED (UNCHANGED vars /\ (V2_1(b, epoch, offset_2, want_fence, want_shutdown) \/
  V2_1n(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_2(b, epoch, offset_2, want_fence, want_shutdown) \/
  V2_3r(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_4(b, epoch, offset_2, want_fence, want_shutdown) \/
  V2_4s(b, epoch, offset_2, want_fence, want_shutdown)))) => ((own_epoch[b] = epoch /\ told_shutdown[b]) => ~leads(b)))

\* A fenced or unregistered broker leads nothing. (S2:31)
K9 == \A x \in Broker : fenced[x] => ~leads(x)

\* While a controller is active no unfenced broker has been silent for longer than a session and a tick. (S2:62)
K10 == active => (\A b \in Broker : (registered[b] /\ ~fenced[b]) => now <= (last_contact[b] + session) + 1)

\* A broker enters RECOVERY without logs of topics that its metadata lacks. (S2:281)
K13r == [][(\A b \in Broker, error \in Given_HeartbeatReply_error, caught_up_2 \in BOOLEAN, fenced_2 \in BOOLEAN,
  shutdown \in BOOLEAN : (BS3(b, error, caught_up_2, fenced_2, shutdown)) => (\A t \in Topic : (t \in logs[b])' =>
  is_known(t, b)))]_vars

K13r_where_nothing_changes == (\A b \in Broker, error \in Given_HeartbeatReply_error, caught_up_2 \in BOOLEAN, fenced_2
  \in BOOLEAN, shutdown \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (BS3(b, error, caught_up_2, fenced_2, shutdown)))) =>
  (\A t \in Topic : t \in logs[b] => is_known(t, b)))

\* The leader is none or in the ISR. (S2:89-95)
P1 == \A p \in Partition : leader[p] = None \/ leader[p] \in isr[p]

\* The ISR is within the replicas. (S2:458)
P2 == \A p \in Partition : isr[p] \subseteq replicas[p]

\* The ISR is never empty. (S2:85-86)
P3 == \A p \in Partition : isr[p] # {}

\* No fenced broker joins an ISR. (S2:488)
P7 == [][\A p \in Partition, x \in Broker : (x \notin isr[p] /\ (x \in isr[p])') => ~fenced[x]]_vars

\* A broker that is fenced leaves every ISR, save as its last member. (S2:488)
P7f == [][(\A b \in Broker, supports \in Given_Register_supports, cluster \in Given_Register_cluster : \A incarnation_3
  \in Given_Register_incarnation(b) : (V2_6(b, incarnation_3, supports, cluster)) => (\A p \in Partition : b \notin
  isr[p]' \/ (\A x \in Broker : x \in isr[p]' => x = b))) /\ (\A b \in Broker : \A epoch \in Given_Heartbeat_epoch(b),
  offset_2 \in Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in
  Given_Heartbeat_want_shutdown(b) : (V2_2(b, epoch, offset_2, want_fence, want_shutdown)) => (\A p \in Partition : b
  \notin isr[p]' \/ (\A x \in Broker : x \in isr[p]' => x = b))) /\ (\A b \in Broker : (V2_3(b)) => (\A p \in Partition
  : b \notin isr[p]' \/ (\A x \in Broker : x \in isr[p]' => x = b))) /\ (\A b \in Broker, legacy \in
  Given_Unregister_legacy : (V2_7(b, legacy)) => (\A p \in Partition : b \notin isr[p]' \/ (\A x \in Broker : x \in
  isr[p]' => x = b)))]_vars

P7f_where_nothing_changes == (\A b \in Broker, supports \in Given_Register_supports, cluster \in Given_Register_cluster
  : \A incarnation_3 \in Given_Register_incarnation(b) : (ENABLED (UNCHANGED vars /\ (V2_6(b, incarnation_3, supports,
  cluster)))) => (\A p \in Partition : b \notin isr[p] \/ (\A x \in Broker : x \in isr[p] => x = b))) /\ (\A b \in
  Broker : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b), want_fence \in
  Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : (ENABLED (UNCHANGED vars /\
  (V2_2(b, epoch, offset_2, want_fence, want_shutdown)))) => (\A p \in Partition : b \notin isr[p] \/ (\A x \in Broker :
  x \in isr[p] => x = b))) /\ (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (V2_3(b)))) => (\A p \in Partition : b
  \notin isr[p] \/ (\A x \in Broker : x \in isr[p] => x = b))) /\ (\A b \in Broker, legacy \in Given_Unregister_legacy :
  (ENABLED (UNCHANGED vars /\ (V2_7(b, legacy)))) => (\A p \in Partition : b \notin isr[p] \/ (\A x \in Broker : x \in
  isr[p] => x = b)))

\* Every change of the leader raises the leader epoch. (S2:458)
P9 == [][\A p \in Partition : leader[p]' # leader[p] => leader_epoch[p] < leader_epoch[p]']_vars

\* Who is added or removed is a replica, and not both. (S2:88)
P13 == \A p \in Partition : adding[p] \subseteq replicas[p] /\ removing[p] \subseteq replicas[p] /\ adding[p] \intersect
  removing[p] = {}

\* No two brokers serve a partition as leader in one leader epoch. (S2:458)
M2 == \A p \in Partition, x \in Broker, y \in Broker : (believes(x, p) /\ believes(y, p) /\ epoch_seen(x, p) =
  epoch_seen(y, p)) => x = y

\* A new leader was in the ISR. (S2:85-95)
M5 == [][\A p \in Partition : (leader[p]' # leader[p] /\ leader[p]' # None) => leader[p]' \in isr[p]]_vars

\* Another incarnation of a broker begins fenced, without leaderships, and with an epoch of its own. (S2:52-57)
M6 == [][(\A b \in Broker, supports \in Given_Register_supports, cluster \in Given_Register_cluster : \A incarnation_3
  \in Given_Register_incarnation(b) : (V2_6(b, incarnation_3, supports, cluster)) => (fenced[b]' /\ ~leads(b)' /\
  broker_epoch[b]' # broker_epoch[b]))]_vars

M6_where_nothing_changes == (\A b \in Broker, supports \in Given_Register_supports, cluster \in Given_Register_cluster :
  \A incarnation_3 \in Given_Register_incarnation(b) : (ENABLED (UNCHANGED vars /\ (V2_6(b, incarnation_3, supports,
  cluster)))) => (fenced[b] /\ ~leads(b) /\ broker_epoch[b] # broker_epoch[b]))

\* While no controller is active the metadata stays as it is. (S2:18-20)
M7 == [][~active => unchanged]_vars

\* A failover changes nothing of the metadata: what was begun is still under way. (S2:91)
M8 == [][((CF \/ CS) => (unchanged))]_vars

\* A broker is answered to shut down. (S2:65)
\* TLC is asked that this never holds; a violation is the witness.
W5 == ~(\E b \in Broker : told_shutdown[b])

\* A broker serves as a leader. (S2:75)
\* TLC is asked that this never holds; a violation is the witness.
W6 == ~(\E p \in Partition, x \in Broker : believes(x, p))

\* A process that is unfenced has recovered its logs: until then it says that it wants to be fenced, and is.
\* (S2:59-60,71-73)
K14 == \A b \in Broker : (~fenced[b] /\ own_epoch[b] = broker_epoch[b]) => recovered[b]

\* A broker that wants to be fenced is fenced, and one that no longer wants it is unfenced if it has caught up.
\* (S2:59-60,406)
K15 == [][(\A b \in Broker : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b), want_fence
  \in Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : (V2_1(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_1n(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_2(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_3r(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_4(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_4s(b, epoch, offset_2, want_fence, want_shutdown)) => (IF want_fence THEN fenced[b]'
  ELSE fenced[b]' = (fenced[b] /\ ~caught_up(b, offset_2))))]_vars

K15_where_nothing_changes == (\A b \in Broker : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in
  Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in
  Given_Heartbeat_want_shutdown(b) : (ENABLED (UNCHANGED vars /\ (V2_1(b, epoch, offset_2, want_fence, want_shutdown) \/
  V2_1n(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_2(b, epoch, offset_2, want_fence, want_shutdown) \/
  V2_3r(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_4(b, epoch, offset_2, want_fence, want_shutdown) \/
  V2_4s(b, epoch, offset_2, want_fence, want_shutdown)))) => (IF want_fence THEN fenced[b] ELSE fenced[b] = (fenced[b]
  /\ ~caught_up(b, offset_2))))

\* Nothing but a heartbeat unfences a broker. (S2:59-60,406)
K16 == [][(\A to_2 \in Given_TimePasses_to : (TP(to_2)) => (\A x \in Broker : fenced[x] => fenced[x]')) /\ (\A to_2 \in
  Given_Commit_to : (CM(to_2)) => (\A x \in Broker : fenced[x] => fenced[x]')) /\ ((CF \/ CS) => (\A x \in Broker :
  fenced[x] => fenced[x]')) /\ (\A b \in Broker, supports \in Given_Register_supports, cluster \in
  Given_Register_cluster : \A incarnation_3 \in Given_Register_incarnation(b) : (V2_6s(b, incarnation_3, supports,
  cluster) \/ V2_6(b, incarnation_3, supports, cluster)) => (\A x \in Broker : fenced[x] => fenced[x]')) /\ (\A b \in
  Broker : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b), want_fence \in
  Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : (V2_1n(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_2(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_3r(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_4(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_4s(b, epoch, offset_2,
  want_fence, want_shutdown)) => (\A x \in Broker : fenced[x] => fenced[x]')) /\ (\A b \in Broker : (V2_3(b) \/ BS4(b)
  \/ BS6(b) \/ BS8(b)) => (\A x \in Broker : fenced[x] => fenced[x]')) /\ (\A p \in Partition, leader_2 \in Broker :
  (EL(p, leader_2)) => (\A x \in Broker : fenced[x] => fenced[x]')) /\ (\A b \in Broker, legacy \in
  Given_Unregister_legacy : (V2_7(b, legacy)) => (\A x \in Broker : fenced[x] => fenced[x]')) /\ (\A b \in Broker : \A
  incarnation_3 \in Given_StartBroker_incarnation(b) : (BS1(b, incarnation_3)) => (\A x \in Broker : fenced[x] =>
  fenced[x]')) /\ (\A b \in Broker, error \in Given_RegisterReply_error, epoch \in offset : (BS2(b, error, epoch)) =>
  (\A x \in Broker : fenced[x] => fenced[x]')) /\ (\A b \in Broker, error \in Given_HeartbeatReply_error, caught_up_2
  \in BOOLEAN, fenced_2 \in BOOLEAN, shutdown \in BOOLEAN : (BS3(b, error, caught_up_2, fenced_2, shutdown) \/ BS5(b,
  error, caught_up_2, fenced_2, shutdown) \/ BS7(b, error, caught_up_2, fenced_2, shutdown)) => (\A x \in Broker :
  fenced[x] => fenced[x]')) /\ (\A b \in Broker, to_2 \in Given_ApplyMetadata_to : (BA1(b, to_2)) => (\A x \in Broker :
  fenced[x] => fenced[x]'))]_vars

\* Who has not asked for it, and is not registered anew or unregistered, is fenced only when its session is over.
\* (S2:62)
K17 == [][(\A to_2 \in Given_TimePasses_to : (TP(to_2)) => (\A x \in Broker : (~fenced[x] /\ fenced[x]') =>
  last_contact[x] + session < now)) /\ (\A to_2 \in Given_Commit_to : (CM(to_2)) => (\A x \in Broker : (~fenced[x] /\
  fenced[x]') => last_contact[x] + session < now)) /\ ((CF \/ CS) => (\A x \in Broker : (~fenced[x] /\ fenced[x]') =>
  last_contact[x] + session < now)) /\ (\A b \in Broker, supports \in Given_Register_supports, cluster \in
  Given_Register_cluster : \A incarnation_3 \in Given_Register_incarnation(b) : (V2_6s(b, incarnation_3, supports,
  cluster)) => (\A x \in Broker : (~fenced[x] /\ fenced[x]') => last_contact[x] + session < now)) /\ (\A b \in Broker :
  \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b), want_fence \in
  Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : (V2_1(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_1n(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_3r(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_4(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_4s(b, epoch, offset_2,
  want_fence, want_shutdown)) => (\A x \in Broker : (~fenced[x] /\ fenced[x]') => last_contact[x] + session < now)) /\
  (\A b \in Broker : (V2_3(b) \/ BS4(b) \/ BS6(b) \/ BS8(b)) => (\A x \in Broker : (~fenced[x] /\ fenced[x]') =>
  last_contact[x] + session < now)) /\ (\A p \in Partition, leader_2 \in Broker : (EL(p, leader_2)) => (\A x \in Broker
  : (~fenced[x] /\ fenced[x]') => last_contact[x] + session < now)) /\ (\A b \in Broker : \A incarnation_3 \in
  Given_StartBroker_incarnation(b) : (BS1(b, incarnation_3)) => (\A x \in Broker : (~fenced[x] /\ fenced[x]') =>
  last_contact[x] + session < now)) /\ (\A b \in Broker, error \in Given_RegisterReply_error, epoch \in offset : (BS2(b,
  error, epoch)) => (\A x \in Broker : (~fenced[x] /\ fenced[x]') => last_contact[x] + session < now)) /\ (\A b \in
  Broker, error \in Given_HeartbeatReply_error, caught_up_2 \in BOOLEAN, fenced_2 \in BOOLEAN, shutdown \in BOOLEAN :
  (BS3(b, error, caught_up_2, fenced_2, shutdown) \/ BS5(b, error, caught_up_2, fenced_2, shutdown) \/ BS7(b, error,
  caught_up_2, fenced_2, shutdown)) => (\A x \in Broker : (~fenced[x] /\ fenced[x]') => last_contact[x] + session <
  now)) /\ (\A b \in Broker, to_2 \in Given_ApplyMetadata_to : (BA1(b, to_2)) => (\A x \in Broker : (~fenced[x] /\
  fenced[x]') => last_contact[x] + session < now))]_vars

\* A heartbeat is answered whether its broker has caught up, is fenced, and, if it asks, may shut down. (S2:65,405,408)
K18 == [][(\A b \in Broker : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b), want_fence
  \in Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : (V2_1(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_1n(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_2(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_3r(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_4(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_4s(b, epoch, offset_2, want_fence, want_shutdown)) => (own_epoch[b] = epoch =>
  (told[b]' /\ told_caught_up[b]' = caught_up(b, offset_2) /\ told_fenced[b]' = fenced[b]' /\ told_shutdown[b]' =
  (want_shutdown /\ ~leads(b)'))))]_vars

K18_where_nothing_changes == (\A b \in Broker : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in
  Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in
  Given_Heartbeat_want_shutdown(b) : (ENABLED (UNCHANGED vars /\ (V2_1(b, epoch, offset_2, want_fence, want_shutdown) \/
  V2_1n(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_2(b, epoch, offset_2, want_fence, want_shutdown) \/
  V2_3r(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_4(b, epoch, offset_2, want_fence, want_shutdown) \/
  V2_4s(b, epoch, offset_2, want_fence, want_shutdown)))) => (own_epoch[b] = epoch => (told[b] /\ told_caught_up[b] =
  caught_up(b, offset_2) /\ told_fenced[b] = fenced[b] /\ told_shutdown[b] = (want_shutdown /\ ~leads(b)))))

\* A heartbeat that is answered NONE is one under the broker's epoch: the contact is noted, and a wish to shut down.
\* (S2:57,65)
K19 == [][(\A b \in Broker : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b), want_fence
  \in Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : (V2_1(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_1n(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_2(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_3r(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_4(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_4s(b, epoch, offset_2, want_fence, want_shutdown)) => (active /\ ~stale(b, epoch) /\
  last_contact[b]' = now /\ shutting_down[b]' = (shutting_down[b] \/ want_shutdown)))]_vars

K19_where_nothing_changes == (\A b \in Broker : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in
  Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in
  Given_Heartbeat_want_shutdown(b) : (ENABLED (UNCHANGED vars /\ (V2_1(b, epoch, offset_2, want_fence, want_shutdown) \/
  V2_1n(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_2(b, epoch, offset_2, want_fence, want_shutdown) \/
  V2_3r(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_4(b, epoch, offset_2, want_fence, want_shutdown) \/
  V2_4s(b, epoch, offset_2, want_fence, want_shutdown)))) => (active /\ ~stale(b, epoch) /\ last_contact[b] = now /\
  shutting_down[b] = (shutting_down[b] \/ want_shutdown)))

\* A process that is answered NONE is registered, which is contact, and hears of its epoch. (S2:52-53,57)
K20 == [][(\A b \in Broker, supports \in Given_Register_supports, cluster \in Given_Register_cluster : \A incarnation_3
  \in Given_Register_incarnation(b) : (V2_6s(b, incarnation_3, supports, cluster) \/ V2_6(b, incarnation_3, supports,
  cluster)) => (registered[b]' /\ incarnation[b]' = incarnation_3 /\ last_contact[b]' = now /\ (own_incarnation[b] =
  incarnation_3 => granted[b]' = broker_epoch[b]')))]_vars

K20_where_nothing_changes == (\A b \in Broker, supports \in Given_Register_supports, cluster \in Given_Register_cluster
  : \A incarnation_3 \in Given_Register_incarnation(b) : (ENABLED (UNCHANGED vars /\ (V2_6s(b, incarnation_3, supports,
  cluster) \/ V2_6(b, incarnation_3, supports, cluster)))) => (registered[b] /\ incarnation[b] = incarnation_3 /\
  last_contact[b] = now /\ (own_incarnation[b] = incarnation_3 => granted[b] = broker_epoch[b])))

\* The epoch of a registration is the next offset of the log, and what an earlier process wished is forgotten. (S2:52)
K21 == [][(\A b \in Broker, supports \in Given_Register_supports, cluster \in Given_Register_cluster : \A incarnation_3
  \in Given_Register_incarnation(b) : (V2_6(b, incarnation_3, supports, cluster)) => (broker_epoch[b]' = next_offset /\
  ~shutting_down[b]'))]_vars

K21_where_nothing_changes == (\A b \in Broker, supports \in Given_Register_supports, cluster \in Given_Register_cluster
  : \A incarnation_3 \in Given_Register_incarnation(b) : (ENABLED (UNCHANGED vars /\ (V2_6(b, incarnation_3, supports,
  cluster)))) => (broker_epoch[b] = next_offset /\ ~shutting_down[b]))

\* No broker is registered that is of another cluster, lacks the features, while another process has its id, or by an
\* inactive controller. (S2:54-57,258-260,409)
K22 == [][(\A b \in Broker, supports \in Given_Register_supports, cluster \in Given_Register_cluster : \A incarnation_3
  \in Given_Register_incarnation(b) : (V2_6s(b, incarnation_3, supports, cluster) \/ V2_6(b, incarnation_3, supports,
  cluster)) => (active /\ cluster /\ supports /\ (same_incarnation(b, incarnation_3) \/ ~(registered[b] /\
  in_contact(b)))))]_vars

K22_where_nothing_changes == (\A b \in Broker, supports \in Given_Register_supports, cluster \in Given_Register_cluster
  : \A incarnation_3 \in Given_Register_incarnation(b) : (ENABLED (UNCHANGED vars /\ (V2_6s(b, incarnation_3, supports,
  cluster) \/ V2_6(b, incarnation_3, supports, cluster)))) => (active /\ cluster /\ supports /\ (same_incarnation(b,
  incarnation_3) \/ ~(registered[b] /\ in_contact(b)))))

\* An unregistration that is answered NONE has removed the registration, which the active controller did. (S2:412-420)
K23 == [][(\A b \in Broker, legacy \in Given_Unregister_legacy : (V2_7(b, legacy)) => (~registered[b]' /\
  ~shutting_down[b]' /\ active /\ ~legacy))]_vars

K23_where_nothing_changes == (\A b \in Broker, legacy \in Given_Unregister_legacy : (ENABLED (UNCHANGED vars /\ (V2_7(b,
  legacy)))) => (~registered[b] /\ ~shutting_down[b] /\ active /\ ~legacy))

\* Whatever is answered but NOT_CONTROLLER is answered by the active controller, and so is every refusal for another
\* reason. (S2:409,419)
K30 == [][(\A b \in Broker, supports \in Given_Register_supports, cluster \in Given_Register_cluster : \A incarnation_3
  \in Given_Register_incarnation(b) : (V2_6s(b, incarnation_3, supports, cluster) \/ V2_6(b, incarnation_3, supports,
  cluster)) => (active)) /\ (\A b \in Broker : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in
  Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in
  Given_Heartbeat_want_shutdown(b) : (V2_1(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_1n(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_2(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_3r(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_4(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_4s(b, epoch, offset_2,
  want_fence, want_shutdown)) => (active)) /\ (\A b \in Broker, legacy \in Given_Unregister_legacy : (V2_7(b, legacy))
  => (active))]_vars

K30_where_nothing_changes == (\A b \in Broker, supports \in Given_Register_supports, cluster \in Given_Register_cluster
  : \A incarnation_3 \in Given_Register_incarnation(b) : (ENABLED (UNCHANGED vars /\ (V2_6s(b, incarnation_3, supports,
  cluster) \/ V2_6(b, incarnation_3, supports, cluster)))) => (active)) /\ (\A b \in Broker : \A epoch \in
  Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b),
  want_shutdown \in Given_Heartbeat_want_shutdown(b) : (ENABLED (UNCHANGED vars /\ (V2_1(b, epoch, offset_2, want_fence,
  want_shutdown) \/ V2_1n(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_2(b, epoch, offset_2, want_fence,
  want_shutdown) \/ V2_3r(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_4(b, epoch, offset_2, want_fence,
  want_shutdown) \/ V2_4s(b, epoch, offset_2, want_fence, want_shutdown)))) => (active)) /\ (\A b \in Broker, legacy \in
  Given_Unregister_legacy : (ENABLED (UNCHANGED vars /\ (V2_7(b, legacy)))) => (active)) /\ (\A b \in Broker, supports
  \in Given_Register_supports, cluster \in Given_Register_cluster : \A incarnation_3 \in Given_Register_incarnation(b) :
  (V2_6c_is_enabled(b, incarnation_3, supports, cluster)) => (active)) /\ (\A b \in Broker, supports \in
  Given_Register_supports, cluster \in Given_Register_cluster : \A incarnation_3 \in Given_Register_incarnation(b) :
  (V2_6d_is_enabled(b, incarnation_3, supports, cluster)) => (active)) /\ (\A b \in Broker, supports \in
  Given_Register_supports, cluster \in Given_Register_cluster : \A incarnation_3 \in Given_Register_incarnation(b) :
  (V2_6f_is_enabled(b, incarnation_3, supports, cluster)) => (active)) /\ (\A b \in Broker : \A epoch \in
  Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b),
  want_shutdown \in Given_Heartbeat_want_shutdown(b) : (V2_5s_is_enabled(b, epoch, offset_2, want_fence, want_shutdown))
  => (active)) /\ (\A b \in Broker, legacy \in Given_Unregister_legacy : (V2_7n_is_enabled(b, legacy)) => (active))

\* Where KIP-500 mode is not enabled an unregistration is answered UNSUPPORTED_VERSION, and nothing else. (S2:420)
K31 == [][(\A b \in Broker, legacy \in Given_Unregister_legacy : (V2_7(b, legacy)) => (~legacy))]_vars

K31_where_nothing_changes == (\A b \in Broker, legacy \in Given_Unregister_legacy : (ENABLED (UNCHANGED vars /\ (V2_7(b,
  legacy)))) => (~legacy)) /\ (\A b \in Broker, legacy \in Given_Unregister_legacy : (V2_7c_is_enabled(b, legacy)) =>
  (~legacy)) /\ (\A b \in Broker, legacy \in Given_Unregister_legacy : (V2_7n_is_enabled(b, legacy)) => (~legacy))

\* A node that is not the active controller records nothing of a request, and answers only NOT_CONTROLLER. (S2:409)
K24 == [][(\A b \in Broker, supports \in Given_Register_supports, cluster \in Given_Register_cluster : \A incarnation_3
  \in Given_Register_incarnation(b) : (V2_6s(b, incarnation_3, supports, cluster) \/ V2_6(b, incarnation_3, supports,
  cluster)) => (~active => (\A x \in Broker : unnoted(x)))) /\ (\A b \in Broker : \A epoch \in Given_Heartbeat_epoch(b),
  offset_2 \in Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in
  Given_Heartbeat_want_shutdown(b) : (V2_1(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_1n(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_2(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_3r(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_4(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_4s(b, epoch, offset_2,
  want_fence, want_shutdown)) => (~active => (\A x \in Broker : unnoted(x)))) /\ (\A b \in Broker, legacy \in
  Given_Unregister_legacy : (V2_7(b, legacy)) => (~active => (\A x \in Broker : unnoted(x))))]_vars

\* A broker passes all of its states, each once the controller has answered that it may, or ends. (S2:67-82)
K25 == [][\A b \in Broker : broker_state[b]' = broker_state[b] \/ broker_state[b]' = "NOT_RUNNING" \/ goes(b) \/
  (goes_2(b) /\ told[b] /\ told_caught_up[b]) \/ (goes_3(b) /\ recovered[b] /\ told[b] /\ ~told_fenced[b]) \/ goes_4(b)
  \/ (goes_5(b) /\ told[b] /\ told_shutdown[b])]_vars

\* A broker serves while it runs, and until its shutdown is granted. (S2:65,73-79)
K26 == \A b \in Broker : serving[b] = (broker_state[b] = "RUNNING" \/ broker_state[b] = "PENDING_CONTROLLED_SHUTDOWN")

\* No broker has applied uncommitted records. (S2:18-20)
K27 == \A b \in Broker : own_offset[b] <= committed

\* The log only grows, by one batch a result, and what is committed stays: topics keep the offsets of their records.
\* (S2:18-22,279-280)
K28 == [][committed <= committed' /\ committed' < next_offset' /\ (next_offset' = next_offset \/ next_offset' =
  next_offset + 1) /\ (\A t \in Topic : 0 <= created_at[t] => created_at[t]' = created_at[t]) /\ (\A t \in Topic : 0 <=
  removed_at[t] => removed_at[t]' = removed_at[t])]_vars

K28_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (committed <= committed /\ committed < next_offset /\
  (next_offset = next_offset \/ next_offset = next_offset + 1) /\ (\A t \in Topic : 0 <= created_at[t] => created_at[t]
  = created_at[t]) /\ (\A t \in Topic : 0 <= removed_at[t] => removed_at[t] = removed_at[t]))

\* A process never goes back to older metadata. (S2:18,69-70)
K29 == [][\A b \in Broker : own_offset[b] <= own_offset[b]' \/ broker_state[b]' = "NOT_RUNNING"]_vars

\* Who has applied metadata up to an offset, record by record or as a snapshot, notes that it has. (S2:18,69-70)
K37 == [][(\A b \in Broker, to_2 \in Given_ApplyMetadata_to : (BA1(b, to_2)) => (own_offset[b]' = to_2))]_vars

K37_where_nothing_changes == (\A b \in Broker, to_2 \in Given_ApplyMetadata_to : (ENABLED (UNCHANGED vars /\ (BA1(b,
  to_2)))) => (own_offset[b] = to_2))

\* Metadata changes by what is written to the log: every operation that changes some takes an offset. (S2:18-22)
K32 == [][next_offset' = next_offset + 1 \/ ((\A x \in Broker : registered[x]' = registered[x] /\ broker_epoch[x]' =
  broker_epoch[x] /\ fenced[x]' = fenced[x]) /\ (\A p \in Partition : leader[p]' = leader[p] /\ isr[p]' = isr[p] /\
  replicas[p]' = replicas[p]) /\ (\A t \in Topic : created_at[t]' = created_at[t] /\ removed_at[t]' =
  removed_at[t]))]_vars

\* A broker that starts its log manager keeps the logs of the topics that its metadata has, and deletes all others.
\* (S2:281)
K33 == [][(\A b \in Broker, error \in Given_HeartbeatReply_error, caught_up_2 \in BOOLEAN, fenced_2 \in BOOLEAN,
  shutdown \in BOOLEAN : (BS3(b, error, caught_up_2, fenced_2, shutdown)) => (\A t \in Topic : (t \in logs[b])' = (t \in
  logs[b] /\ is_known(t, b))))]_vars

K33_where_nothing_changes == (\A b \in Broker, error \in Given_HeartbeatReply_error, caught_up_2 \in BOOLEAN, fenced_2
  \in BOOLEAN, shutdown \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (BS3(b, error, caught_up_2, fenced_2, shutdown)))) =>
  (\A t \in Topic : (t \in logs[b]) = (t \in logs[b] /\ is_known(t, b))))

\* What a broker goes through takes it on, to another state or from recovering its logs to having done so. (S2:67-79)
K34 == [][(\A b \in Broker : \A incarnation_3 \in Given_StartBroker_incarnation(b) : (BS1(b, incarnation_3)) =>
  (broker_state[b]' # broker_state[b] \/ (recovered[b]' /\ ~recovered[b]))) /\ (\A b \in Broker, error \in
  Given_HeartbeatReply_error, caught_up_2 \in BOOLEAN, fenced_2 \in BOOLEAN, shutdown \in BOOLEAN : (BS3(b, error,
  caught_up_2, fenced_2, shutdown) \/ BS5(b, error, caught_up_2, fenced_2, shutdown) \/ BS7(b, error, caught_up_2,
  fenced_2, shutdown)) => (broker_state[b]' # broker_state[b] \/ (recovered[b]' /\ ~recovered[b]))) /\ (\A b \in Broker
  : (BS4(b) \/ BS6(b) \/ BS8(b)) => (broker_state[b]' # broker_state[b] \/ (recovered[b]' /\ ~recovered[b])))]_vars

K34_where_nothing_changes == (\A b \in Broker : \A incarnation_3 \in Given_StartBroker_incarnation(b) : (ENABLED
  (UNCHANGED vars /\ (BS1(b, incarnation_3)))) => (broker_state[b] # broker_state[b] \/ (recovered[b] /\
  ~recovered[b]))) /\ (\A b \in Broker, error \in Given_HeartbeatReply_error, caught_up_2 \in BOOLEAN, fenced_2 \in
  BOOLEAN, shutdown \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (BS3(b, error, caught_up_2, fenced_2, shutdown) \/ BS5(b,
  error, caught_up_2, fenced_2, shutdown) \/ BS7(b, error, caught_up_2, fenced_2, shutdown)))) => (broker_state[b] #
  broker_state[b] \/ (recovered[b] /\ ~recovered[b]))) /\ (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (BS4(b) \/
  BS6(b) \/ BS8(b)))) => (broker_state[b] # broker_state[b] \/ (recovered[b] /\ ~recovered[b])))

\* Nothing is left of a process that has ended, and what it is answered is lost. (S2:67-68,78-79)
K35 == \A b \in Broker : broker_state[b] = "NOT_RUNNING" => (own_incarnation[b] = 0 /\ own_epoch[b] = -1 /\
  own_offset[b] = -1 /\ ~recovered[b] /\ granted[b] = -1 /\ ~told[b] /\ ~told_caught_up[b] /\ ~told_fenced[b] /\
  ~told_shutdown[b])

\* Only a topic that there is is removed. (S2:279-280)
K36 == \A t \in Topic : removed_at[t] = -1 \/ (0 <= created_at[t] /\ created_at[t] < removed_at[t])

\* A broker joins an ISR only by an alterIsr of the leader: neither fence, election nor reassignment adds a member.
\* (S2:89-94)
P5 == [][(\A to_2 \in Given_TimePasses_to : (TP(to_2)) => (\A p \in Partition : isr[p]' \subseteq isr[p])) /\ (\A to_2
  \in Given_Commit_to : (CM(to_2)) => (\A p \in Partition : isr[p]' \subseteq isr[p])) /\ ((CF \/ CS) => (\A p \in
  Partition : isr[p]' \subseteq isr[p])) /\ (\A b \in Broker, supports \in Given_Register_supports, cluster \in
  Given_Register_cluster : \A incarnation_3 \in Given_Register_incarnation(b) : (V2_6s(b, incarnation_3, supports,
  cluster) \/ V2_6(b, incarnation_3, supports, cluster)) => (\A p \in Partition : isr[p]' \subseteq isr[p])) /\ (\A b
  \in Broker : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b), want_fence \in
  Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : (V2_1(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_1n(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_2(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_3r(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_4(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_4s(b, epoch, offset_2, want_fence, want_shutdown)) => (\A p \in Partition : isr[p]'
  \subseteq isr[p])) /\ (\A b \in Broker : (V2_3(b) \/ BS4(b) \/ BS6(b) \/ BS8(b)) => (\A p \in Partition : isr[p]'
  \subseteq isr[p])) /\ (\A p \in Partition, leader_2 \in Broker : (EL(p, leader_2)) => (\A p_2 \in Partition :
  isr[p_2]' \subseteq isr[p_2])) /\ (\A b \in Broker, legacy \in Given_Unregister_legacy : (V2_7(b, legacy)) => (\A p
  \in Partition : isr[p]' \subseteq isr[p])) /\ (\A b \in Broker : \A incarnation_3 \in Given_StartBroker_incarnation(b)
  : (BS1(b, incarnation_3)) => (\A p \in Partition : isr[p]' \subseteq isr[p])) /\ (\A b \in Broker, error \in
  Given_RegisterReply_error, epoch \in offset : (BS2(b, error, epoch)) => (\A p \in Partition : isr[p]' \subseteq
  isr[p])) /\ (\A b \in Broker, error \in Given_HeartbeatReply_error, caught_up_2 \in BOOLEAN, fenced_2 \in BOOLEAN,
  shutdown \in BOOLEAN : (BS3(b, error, caught_up_2, fenced_2, shutdown) \/ BS5(b, error, caught_up_2, fenced_2,
  shutdown) \/ BS7(b, error, caught_up_2, fenced_2, shutdown)) => (\A p \in Partition : isr[p]' \subseteq isr[p])) /\
  (\A b \in Broker, to_2 \in Given_ApplyMetadata_to : (BA1(b, to_2)) => (\A p \in Partition : isr[p]' \subseteq
  isr[p]))]_vars

\* A change of the leader raises the leader epoch by one, and nothing else does. (S2:458)
P9e == [][\A p \in Partition : leader_epoch[p]' = (IF leader[p]' = leader[p] THEN leader_epoch[p] ELSE leader_epoch[p] +
  1)]_vars

P9e_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (\A p \in Partition : leader_epoch[p] = (IF leader[p]
  = leader[p] THEN leader_epoch[p] ELSE leader_epoch[p] + 1))

\* A new leader is unfenced and does not shut down, and the active controller elects it. (S2:31,65)
P15 == [][\A p \in Partition, x \in Broker : (leader[p]' = x /\ leader[p] # x) => (~fenced[x] /\ ~shutting_down[x] /\
  active)]_vars

\* A partition is left without a leader only by a leader that leaves the ISR, or is fenced. (S2:31,95)
P16 == [][\A p \in Partition : (leader[p] # None /\ ~(leader[p] # None)') => (\A x \in Broker : leader[p] = x => (~(x
  \in isr[p])' \/ fenced[x]'))]_vars

\* Nothing but an operator's request, and the alterIsr that ends one, changes whom a partition is on. (S2:85-94)
P18 == [][(\A to_2 \in Given_TimePasses_to : (TP(to_2)) => (\A p \in Partition : replicas[p]' = replicas[p] /\
  adding[p]' = adding[p] /\ removing[p]' = removing[p])) /\ (\A to_2 \in Given_Commit_to : (CM(to_2)) => (\A p \in
  Partition : replicas[p]' = replicas[p] /\ adding[p]' = adding[p] /\ removing[p]' = removing[p])) /\ ((CF \/ CS) => (\A
  p \in Partition : replicas[p]' = replicas[p] /\ adding[p]' = adding[p] /\ removing[p]' = removing[p])) /\ (\A b \in
  Broker, supports \in Given_Register_supports, cluster \in Given_Register_cluster : \A incarnation_3 \in
  Given_Register_incarnation(b) : (V2_6s(b, incarnation_3, supports, cluster) \/ V2_6(b, incarnation_3, supports,
  cluster)) => (\A p \in Partition : replicas[p]' = replicas[p] /\ adding[p]' = adding[p] /\ removing[p]' =
  removing[p])) /\ (\A b \in Broker : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b),
  want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : (V2_1(b, epoch,
  offset_2, want_fence, want_shutdown) \/ V2_1n(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_2(b, epoch,
  offset_2, want_fence, want_shutdown) \/ V2_3r(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_4(b, epoch,
  offset_2, want_fence, want_shutdown) \/ V2_4s(b, epoch, offset_2, want_fence, want_shutdown)) => (\A p \in Partition :
  replicas[p]' = replicas[p] /\ adding[p]' = adding[p] /\ removing[p]' = removing[p])) /\ (\A b \in Broker : (V2_3(b) \/
  BS4(b) \/ BS6(b) \/ BS8(b)) => (\A p \in Partition : replicas[p]' = replicas[p] /\ adding[p]' = adding[p] /\
  removing[p]' = removing[p])) /\ (\A p \in Partition, leader_2 \in Broker : (EL(p, leader_2)) => (\A p_2 \in Partition
  : replicas[p_2]' = replicas[p_2] /\ adding[p_2]' = adding[p_2] /\ removing[p_2]' = removing[p_2])) /\ (\A b \in
  Broker, legacy \in Given_Unregister_legacy : (V2_7(b, legacy)) => (\A p \in Partition : replicas[p]' = replicas[p] /\
  adding[p]' = adding[p] /\ removing[p]' = removing[p])) /\ (\A b \in Broker : \A incarnation_3 \in
  Given_StartBroker_incarnation(b) : (BS1(b, incarnation_3)) => (\A p \in Partition : replicas[p]' = replicas[p] /\
  adding[p]' = adding[p] /\ removing[p]' = removing[p])) /\ (\A b \in Broker, error \in Given_RegisterReply_error, epoch
  \in offset : (BS2(b, error, epoch)) => (\A p \in Partition : replicas[p]' = replicas[p] /\ adding[p]' = adding[p] /\
  removing[p]' = removing[p])) /\ (\A b \in Broker, error \in Given_HeartbeatReply_error, caught_up_2 \in BOOLEAN,
  fenced_2 \in BOOLEAN, shutdown \in BOOLEAN : (BS3(b, error, caught_up_2, fenced_2, shutdown) \/ BS5(b, error,
  caught_up_2, fenced_2, shutdown) \/ BS7(b, error, caught_up_2, fenced_2, shutdown)) => (\A p \in Partition :
  replicas[p]' = replicas[p] /\ adding[p]' = adding[p] /\ removing[p]' = removing[p])) /\ (\A b \in Broker, to_2 \in
  Given_ApplyMetadata_to : (BA1(b, to_2)) => (\A p \in Partition : replicas[p]' = replicas[p] /\ adding[p]' = adding[p]
  /\ removing[p]' = removing[p]))]_vars

\* A broker that is not registered, or is fenced, may be silent for any time. (S2:48-49,62)
\* TLC is asked that this never holds; a violation is the witness.
W8 == ~(\E b \in Broker : (~registered[b] \/ fenced[b]) /\ (last_contact[b] + session) + 1 < now)

\* No controller is active, and a broker is unfenced all the same. (S2:91)
\* TLC is asked that this never holds; a violation is the witness.
W9 == ~(~active /\ (\E b \in Broker : ~fenced[b]))

\* A broker that heartbeats, has caught up and wants to be fenced no more is unfenced. (S2:59-60)
Spec_K11 == Spec /\ ([]<>~((ENABLED <<(\E b \in Broker : \E epoch \in Given_Heartbeat_epoch(b), offset_2 \in
  Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in
  Given_Heartbeat_want_shutdown(b) : V2_1(b, epoch, offset_2, want_fence, want_shutdown)) \/ (\E b \in Broker : \E epoch
  \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b),
  want_shutdown \in Given_Heartbeat_want_shutdown(b) : V2_1n(b, epoch, offset_2, want_fence, want_shutdown)) \/ (\E b
  \in Broker : \E epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b), want_fence \in
  Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : V2_2(b, epoch, offset_2,
  want_fence, want_shutdown)) \/ (\E b \in Broker : \E epoch \in Given_Heartbeat_epoch(b), offset_2 \in
  Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in
  Given_Heartbeat_want_shutdown(b) : V2_3r(b, epoch, offset_2, want_fence, want_shutdown)) \/ (\E b \in Broker : \E
  epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b), want_fence \in
  Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : V2_4(b, epoch, offset_2,
  want_fence, want_shutdown)) \/ (\E b \in Broker : \E epoch \in Given_Heartbeat_epoch(b), offset_2 \in
  Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in
  Given_Heartbeat_want_shutdown(b) : V2_4s(b, epoch, offset_2, want_fence, want_shutdown))>>_vars) \/
  Heartbeat_would_leave) \/ []<><<(\E b \in Broker : \E epoch \in Given_Heartbeat_epoch(b), offset_2 \in
  Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in
  Given_Heartbeat_want_shutdown(b) : V2_1(b, epoch, offset_2, want_fence, want_shutdown)) \/ (\E b \in Broker : \E epoch
  \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b),
  want_shutdown \in Given_Heartbeat_want_shutdown(b) : V2_1n(b, epoch, offset_2, want_fence, want_shutdown)) \/ (\E b
  \in Broker : \E epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b), want_fence \in
  Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : V2_2(b, epoch, offset_2,
  want_fence, want_shutdown)) \/ (\E b \in Broker : \E epoch \in Given_Heartbeat_epoch(b), offset_2 \in
  Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in
  Given_Heartbeat_want_shutdown(b) : V2_3r(b, epoch, offset_2, want_fence, want_shutdown)) \/ (\E b \in Broker : \E
  epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b), want_fence \in
  Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : V2_4(b, epoch, offset_2,
  want_fence, want_shutdown)) \/ (\E b \in Broker : \E epoch \in Given_Heartbeat_epoch(b), offset_2 \in
  Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in
  Given_Heartbeat_want_shutdown(b) : V2_4s(b, epoch, offset_2, want_fence, want_shutdown))>>_vars) /\ WF_vars((\E b \in
  Broker, error \in Given_HeartbeatReply_error, caught_up_2 \in BOOLEAN, fenced_2 \in BOOLEAN, shutdown \in BOOLEAN :
  BS3(b, error, caught_up_2, fenced_2, shutdown)) \/ (\E b \in Broker, error \in Given_HeartbeatReply_error, caught_up_2
  \in BOOLEAN, fenced_2 \in BOOLEAN, shutdown \in BOOLEAN : BS5(b, error, caught_up_2, fenced_2, shutdown)) \/ (\E b \in
  Broker, error \in Given_HeartbeatReply_error, caught_up_2 \in BOOLEAN, fenced_2 \in BOOLEAN, shutdown \in BOOLEAN :
  BS7(b, error, caught_up_2, fenced_2, shutdown))) /\ WF_vars((\E b \in Broker, to_2 \in Given_ApplyMetadata_to : BA1(b,
  to_2))) /\ WF_vars((\E to_2 \in Given_Commit_to : CM(to_2))) /\ WF_vars((CS)) /\ WF_vars((\E to_2 \in
  Given_TimePasses_to : TP(to_2)))
K11 == (\E b \in Broker : waits(b)) ~> (\A b \in Broker : ~waits(b))

K11_inside_the_ranges == (Register_would_leave \/ Heartbeat_would_leave \/ SessionExpires_would_leave \/
  ElectLeader_would_leave \/ Unregister_would_leave) => (\A b \in Broker : ~waits(b))

\* A controlled shutdown ends: violated, while it leads a partition that no other broker can lead. (S2:65,407-408)
Spec_K12 == Spec /\ ([]<>~((ENABLED <<(\E b \in Broker : \E epoch \in Given_Heartbeat_epoch(b), offset_2 \in
  Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in
  Given_Heartbeat_want_shutdown(b) : V2_1(b, epoch, offset_2, want_fence, want_shutdown)) \/ (\E b \in Broker : \E epoch
  \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b),
  want_shutdown \in Given_Heartbeat_want_shutdown(b) : V2_1n(b, epoch, offset_2, want_fence, want_shutdown)) \/ (\E b
  \in Broker : \E epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b), want_fence \in
  Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : V2_2(b, epoch, offset_2,
  want_fence, want_shutdown)) \/ (\E b \in Broker : \E epoch \in Given_Heartbeat_epoch(b), offset_2 \in
  Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in
  Given_Heartbeat_want_shutdown(b) : V2_3r(b, epoch, offset_2, want_fence, want_shutdown)) \/ (\E b \in Broker : \E
  epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b), want_fence \in
  Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : V2_4(b, epoch, offset_2,
  want_fence, want_shutdown)) \/ (\E b \in Broker : \E epoch \in Given_Heartbeat_epoch(b), offset_2 \in
  Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in
  Given_Heartbeat_want_shutdown(b) : V2_4s(b, epoch, offset_2, want_fence, want_shutdown))>>_vars) \/
  Heartbeat_would_leave) \/ []<><<(\E b \in Broker : \E epoch \in Given_Heartbeat_epoch(b), offset_2 \in
  Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in
  Given_Heartbeat_want_shutdown(b) : V2_1(b, epoch, offset_2, want_fence, want_shutdown)) \/ (\E b \in Broker : \E epoch
  \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b),
  want_shutdown \in Given_Heartbeat_want_shutdown(b) : V2_1n(b, epoch, offset_2, want_fence, want_shutdown)) \/ (\E b
  \in Broker : \E epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b), want_fence \in
  Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : V2_2(b, epoch, offset_2,
  want_fence, want_shutdown)) \/ (\E b \in Broker : \E epoch \in Given_Heartbeat_epoch(b), offset_2 \in
  Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in
  Given_Heartbeat_want_shutdown(b) : V2_3r(b, epoch, offset_2, want_fence, want_shutdown)) \/ (\E b \in Broker : \E
  epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b), want_fence \in
  Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : V2_4(b, epoch, offset_2,
  want_fence, want_shutdown)) \/ (\E b \in Broker : \E epoch \in Given_Heartbeat_epoch(b), offset_2 \in
  Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in
  Given_Heartbeat_want_shutdown(b) : V2_4s(b, epoch, offset_2, want_fence, want_shutdown))>>_vars) /\ WF_vars((\E b \in
  Broker, error \in Given_HeartbeatReply_error, caught_up_2 \in BOOLEAN, fenced_2 \in BOOLEAN, shutdown \in BOOLEAN :
  BS3(b, error, caught_up_2, fenced_2, shutdown)) \/ (\E b \in Broker, error \in Given_HeartbeatReply_error, caught_up_2
  \in BOOLEAN, fenced_2 \in BOOLEAN, shutdown \in BOOLEAN : BS5(b, error, caught_up_2, fenced_2, shutdown)) \/ (\E b \in
  Broker, error \in Given_HeartbeatReply_error, caught_up_2 \in BOOLEAN, fenced_2 \in BOOLEAN, shutdown \in BOOLEAN :
  BS7(b, error, caught_up_2, fenced_2, shutdown))) /\ WF_vars((\E b \in Broker, to_2 \in Given_ApplyMetadata_to : BA1(b,
  to_2))) /\ WF_vars((\E to_2 \in Given_Commit_to : CM(to_2))) /\ WF_vars((CS)) /\ WF_vars((\E to_2 \in
  Given_TimePasses_to : TP(to_2))) /\ ([]<>~((ENABLED <<(\E p \in Partition, leader_2 \in Broker : EL(p,
  leader_2))>>_vars) \/ ElectLeader_would_leave) \/ []<><<(\E p \in Partition, leader_2 \in Broker : EL(p,
  leader_2))>>_vars)
K12 == (\E b \in Broker : shuts_down(b)) ~> (\A b \in Broker : ~shuts_down(b))

K12_inside_the_ranges == (Register_would_leave \/ Heartbeat_would_leave \/ SessionExpires_would_leave \/
  ElectLeader_would_leave \/ Unregister_would_leave) => (\A b \in Broker : ~shuts_down(b))

\* A broker that is cut off from the controller, and so is fenced, stops serving: not so, only the controller fences.
\* (S2:62)
Spec_M4 == Spec /\ WF_vars((\E to_2 \in Given_TimePasses_to : TP(to_2))) /\ WF_vars((CS)) /\ WF_vars((\E to_2 \in
  Given_Commit_to : CM(to_2)))
M4 == (\E b \in Broker : serving[b] /\ fenced[b]) ~> (\A b \in Broker : serving[b] => ~fenced[b])

M4_inside_the_ranges == (Register_would_leave \/ Heartbeat_would_leave \/ SessionExpires_would_leave \/
  ElectLeader_would_leave \/ Unregister_would_leave) => (\A b \in Broker : serving[b] => ~fenced[b])

\* A broker that is silent for longer than a session is fenced eventually. (S2:62)
Spec_M9 == Spec /\ (\A b \in Broker : ([]<>~((ENABLED <<(V2_3(b))>>_vars) \/ ((V2_3_is_enabled(b)) /\ ~ENABLED V2_3(b)))
  \/ []<><<(V2_3(b))>>_vars)) /\ WF_vars((CS))
M9 == \A b \in Broker : ((overdue(b) /\ 0 <= session) ~> (~overdue(b)))

M9_inside_the_ranges == \A b \in Broker : ((Register_would_leave \/ Heartbeat_would_leave \/ SessionExpires_would_leave
  \/ ElectLeader_would_leave \/ Unregister_would_leave) => (~overdue(b)))

\* For K1, K13, M2: no epoch is ahead of the log.
VL1 == 0 <= committed /\ committed < next_offset /\ (\A b \in Broker : broker_epoch[b] < next_offset /\ own_epoch[b] <
  next_offset) /\ (\A b \in Broker : granted[b] < next_offset /\ -1 <= own_epoch[b] /\ -1 <= own_offset[b])

\* For K13: nor is a topic.
VL2 == \A t \in Topic : created_at[t] < next_offset /\ removed_at[t] < next_offset

\* For K9, M1: who is not registered counts as fenced.
VL3 == \A b \in Broker : (registered[b] /\ 0 < broker_epoch[b] /\ 0 < incarnation[b]) \/ (~registered[b] /\ fenced[b] /\
  broker_epoch[b] = -1 /\ incarnation[b] = 0)

\* For M2: who leads was chosen in the leader epoch,
VL4 == \A p \in Partition : leader_in[p, leader_epoch[p]] = leader[p] /\ 0 <= leader_epoch[p]

\* For M2: and so was the leader at an earlier offset.
VL5 == \A p \in Partition, o \in offset : o < next_offset - 1 => (epoch_at[p, o] <= leader_epoch[p] /\ leader_in[p,
  epoch_at[p, o]] = leader_at[p, o])

\* For K4a: a process that has not started knows nothing.
VL6 == \A b \in Broker : broker_state[b] = "NOT_RUNNING" => (own_epoch[b] = -1 /\ own_offset[b] = -1 /\ granted[b] = -1
  /\ own_incarnation[b] = 0)

\* For K4a: a process that does not know its epoch yet is fenced,
VL7 == \A b \in Broker : (own_incarnation[b] = incarnation[b] /\ registered[b] /\ own_epoch[b] # broker_epoch[b]) =>
  fenced[b]

\* For K4a: and a process that knows an epoch, or receives it, is the one that it was given to.
VL8 == \A b \in Broker : ((own_epoch[b] = broker_epoch[b] \/ granted[b] = broker_epoch[b]) /\ registered[b]) =>
  own_incarnation[b] = incarnation[b]
================================================================================
