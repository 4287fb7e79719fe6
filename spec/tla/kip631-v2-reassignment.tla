------------------------ MODULE kip631_v2_reassignment -------------------------
\* kip631-v2-reassignment: KIP-631, version 2: the metadata log, brokers that heartbeat with want-fence and want-
\* shutdown, alterIsr, reassignment.
\* Made from the tables of kip631-v2-reassignment 726e6b30461b; not to be edited.
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS Maxtime, NumberBroker, Maxoffset, NumberPartition, Maxleader_epoch, Maxincarnation, Bound, None

time == -1..Maxtime
Broker == 0..(NumberBroker - 1)
offset == -1..Maxoffset
Partition == 0..(NumberPartition - 1)
leader_epoch_2 == 0..Maxleader_epoch
BrokerState == {"NOT_RUNNING", "STARTING", "RECOVERY", "RUNNING", "PENDING_CONTROLLED_SHUTDOWN", "SHUTTING_DOWN"}
incarnation_2 == 0..Maxincarnation

Pick(S) == CHOOSE x \in S : TRUE
Put(f, updates) == [k \in DOMAIN f |-> LET u == {x \in updates : x.at = k} IN IF u = {} THEN f[k] ELSE Pick(u).to]
PutCell(value, updates) == IF updates = {} THEN value ELSE Pick(updates)

VARIABLES now, active, registered, fenced, last_contact, session, committed, next_offset, shutting_down, broker_epoch,
  told, own_epoch, told_caught_up, told_fenced, told_shutdown, leader, isr, leader_epoch, replicas, adding, removing,
  own_offset, recovered, granted, broker_state, serving, own_incarnation, incarnation, id_reuse

vars == <<now, active, registered, fenced, last_contact, session, committed, next_offset, shutting_down, broker_epoch,
  told, own_epoch, told_caught_up, told_fenced, told_shutdown, leader, isr, leader_epoch, replicas, adding, removing,
  own_offset, recovered, granted, broker_state, serving, own_incarnation, incarnation, id_reuse>>

never_written == <<registered, session, broker_epoch, own_epoch, own_offset, recovered, granted, broker_state, serving,
  own_incarnation, incarnation, id_reuse>>

told_and_others == <<told, told_caught_up, told_fenced, told_shutdown>>

leader_and_others == <<leader, isr, leader_epoch, replicas, adding, removing>>

Given_TimePasses(to_2) == CASE Bound = "reassignment" -> (to_2 = now + 1 /\ now < 2) [] OTHER -> TRUE

Given_TimePasses_to == CASE Bound = "reassignment" -> ({now + 1} \intersect time) [] OTHER -> time

Given_Commit(to_2) == CASE Bound = "reassignment" -> to_2 = next_offset - 1 [] OTHER -> TRUE

Given_Commit_to == CASE Bound = "reassignment" -> ({next_offset - 1} \intersect offset) [] OTHER -> offset

Given_ControllerFails == CASE Bound = "reassignment" -> now = 0 [] OTHER -> TRUE

Given_ControllerFailover == CASE Bound = "reassignment" -> 1 <= now [] OTHER -> TRUE

Given_Heartbeat(b, epoch, offset_2, want_fence, want_shutdown) == CASE Bound = "reassignment" -> ((broker_state[b] =
  "STARTING" \/ broker_state[b] = "RECOVERY" \/ broker_state[b] = "RUNNING" \/ broker_state[b] =
  "PENDING_CONTROLLED_SHUTDOWN") /\ 0 <= own_epoch[b] /\ epoch = own_epoch[b] /\ offset_2 = own_offset[b] /\ want_fence
  = (broker_state[b] = "STARTING" \/ (broker_state[b] = "RECOVERY" /\ ~recovered[b])) /\ want_shutdown =
  (broker_state[b] = "PENDING_CONTROLLED_SHUTDOWN") /\ b = 2) [] OTHER -> TRUE

Given_Heartbeat_b == CASE Bound = "reassignment" -> {2} [] OTHER -> Broker

Given_Heartbeat_epoch(b) == CASE Bound = "reassignment" -> ({own_epoch[b]} \intersect offset) [] OTHER -> offset

Given_Heartbeat_offset(b) == CASE Bound = "reassignment" -> ({own_offset[b]} \intersect offset) [] OTHER -> offset

Given_Heartbeat_want_fence(b) == CASE Bound = "reassignment" -> {broker_state[b] = "STARTING" \/ (broker_state[b] =
  "RECOVERY" /\ ~recovered[b])} [] OTHER -> BOOLEAN

Given_Heartbeat_want_shutdown(b) == CASE Bound = "reassignment" -> {broker_state[b] = "PENDING_CONTROLLED_SHUTDOWN"} []
  OTHER -> BOOLEAN

Given_SessionExpires(b) == CASE Bound = "reassignment" -> b = 2 [] OTHER -> TRUE

Given_SessionExpires_b == CASE Bound = "reassignment" -> {2} [] OTHER -> Broker

Given_ElectLeader(p, leader_2) == CASE Bound = "reassignment" -> leader[p] = None [] OTHER -> TRUE

Given_AlterIsr(b, p, leader_epoch_3, isr_2) == CASE Bound = "reassignment" -> (serving[b] /\ leader[p] = b /\
  leader_epoch_3 = leader_epoch[p] /\ isr_2 # isr[p] /\ isr[p] \subseteq isr_2 /\ (\A x \in Broker : x \in isr_2 =>
  ~fenced[x]) /\ isr_2 \subseteq replicas[p]) [] OTHER -> TRUE

Given_AlterIsr_b(p) == CASE Bound = "reassignment" -> ({leader[p]} \intersect Broker) [] OTHER -> Broker

Given_AlterIsr_leader_epoch(p) == CASE Bound = "reassignment" -> ({leader_epoch[p]} \intersect leader_epoch_2) [] OTHER
  -> leader_epoch_2

Given_AlterReassignment(p, target) == CASE Bound = "reassignment" -> ((target = {1, 2} \/ target = {0, 2} \/ target =
  {1}) /\ next_offset < 6) [] OTHER -> TRUE

Given_AlterReassignment_target == CASE Bound = "reassignment" -> {{1, 2}, {0, 2}, {1}} [] OTHER -> SUBSET Broker

in_time(to_2) == \A x \in Broker : (active /\ registered[x] /\ ~fenced[x]) => to_2 <= (last_contact[x] + session) + 1

caught_up(b, offset_2) == broker_epoch[b] <= offset_2

stale(b, epoch) == ~registered[b] \/ epoch # broker_epoch[b]

leads(b) == \E q \in Partition : leader[q] = b

may_go(want_shutdown, b) == want_shutdown /\ ~leads(b)

reassigning(p) == \E x \in Broker : x \in adding[p] \/ x \in removing[p]

left(isr_2, p) == isr_2 \ removing[p]

complete(p, isr_2) == reassigning(p) /\ adding[p] \subseteq isr_2 /\ left(isr_2, p) # {}

at_once(target, p) == target \subseteq replicas[p] /\ target \intersect isr[p] # {}

pruned(p, target) == isr[p] \intersect target

merged(p, target) == replicas[p] \union target

leaves(b, epoch) == own_epoch[b] = epoch /\ told_shutdown[b]'

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

unfenced == {x \in Broker : ~fenced[x]}

under_way(p) == reassigning(p) /\ leader[p] # None /\ replicas[p] \ removing[p] \subseteq unfenced

\* The result takes the next offset; what was the newest becomes history.
appends ==
  {next_offset + 1}

\* The contact is noted and the wish to shut down, and the answer goes to the process that asked, if it is there still.
hears(b, epoch, want_shutdown, says_caught_up, says_fenced, says_shutdown) ==
  [last_contact |-> {[at |-> b, to |-> now]}, shutting_down |-> IF want_shutdown THEN {[at |-> b, to |-> TRUE]} ELSE {},
      told |-> IF own_epoch[b] = epoch THEN {[at |-> b, to |-> TRUE]} ELSE {}, told_caught_up |-> IF own_epoch[b] =
      epoch THEN {[at |-> b, to |-> says_caught_up]} ELSE {}, told_fenced |-> IF own_epoch[b] = epoch THEN {[at |-> b,
      to |-> says_fenced]} ELSE {}, told_shutdown |-> IF own_epoch[b] = epoch THEN {[at |-> b, to |-> says_shutdown]}
      ELSE {}]

\* The broker leaves the ISR of all its partitions, save as their last member, and leads none of them any more.
retreats(b) ==
  {[partition |-> p, isr_said |-> b \in isr[p] /\ (\E x \in Broker : x \in isr[p] /\ x # b), isr |-> isr[p] \ {b},
      leader_said |-> leader[p] = b, leader |-> None, replicas_said |-> FALSE, removing_said |-> FALSE, adding_said |->
      FALSE] : p \in {p \in Partition : (b \in isr[p] \/ leader[p] = b) /\ ((b \in isr[p] /\ (\E x \in Broker : x \in
      isr[p] /\ x # b)) \/ leader[p] = b)}}

\* The partitions, then the broker.
fences(b) ==
  [PartitionChange |-> retreats(b), FenceBroker |-> {[broker |-> b, epoch |-> broker_epoch[b]]}, next_offset |->
      appends]

UnfenceBroker_fenced(old, written) == Put(old, {[at |-> r.broker, to |-> FALSE] : r \in written})

PartitionChange_replayed(written) ==
  /\ isr' = Put(isr, {[at |-> r.partition, to |-> r.isr] : r \in {r \in written : r.isr_said}})
  /\ leader' = Put(leader, {[at |-> r.partition, to |-> r.leader] : r \in {r \in written : r.leader_said}})
  /\ leader_epoch' = Put(leader_epoch, {[at |-> r.partition, to |-> leader_epoch[r.partition] + 1] : r \in {r \in
         written : r.leader_said}})
  /\ replicas' = Put(replicas, {[at |-> r.partition, to |-> r.replicas] : r \in {r \in written : r.replicas_said}})
  /\ removing' = Put(removing, {[at |-> r.partition, to |-> r.removing] : r \in {r \in written : r.removing_said}})
  /\ adding' = Put(adding, {[at |-> r.partition, to |-> r.adding] : r \in {r \in written : r.adding_said}})
  /\ leader_epoch' \in [Partition -> leader_epoch_2]

FenceBroker_fenced(old, written) == Put(old, {[at |-> r.broker, to |-> TRUE] : r \in written})

V2_1_applies(b, want_fence, offset_2) == fenced[b] /\ ~want_fence /\ caught_up(b, offset_2)

V2_8c_applies(p, isr_2, b) == complete(p, isr_2) /\ b \in left(isr_2, p)

\* S2:62
TP_is_enabled(to_2) ==
  /\ now < to_2
  /\ in_time(to_2) = TRUE
  /\ Given_TimePasses(to_2) = TRUE

TP(to_2) ==
  /\ TP_is_enabled(to_2)
  /\ now' = to_2
  /\ UNCHANGED <<active, fenced, last_contact, committed, next_offset, shutting_down, never_written, told_and_others,
         leader_and_others>>

\* S2:18-20
CM_is_enabled(to_2) ==
  /\ committed < to_2
  /\ to_2 < next_offset
  /\ active
  /\ Given_Commit(to_2) = TRUE

CM(to_2) ==
  /\ CM_is_enabled(to_2)
  /\ committed' = to_2
  /\ UNCHANGED <<now, active, fenced, last_contact, next_offset, shutting_down, never_written, told_and_others,
         leader_and_others>>

\* S2:91
CF_is_enabled ==
  /\ active
  /\ Given_ControllerFails = TRUE

CF ==
  /\ CF_is_enabled
  /\ active' = FALSE
  /\ last_contact' = [x \in Broker |-> -1]
  /\ shutting_down' = [x \in Broker |-> FALSE]
  /\ UNCHANGED <<now, fenced, committed, next_offset, never_written, told_and_others, leader_and_others>>

\* S2:91
CS_is_enabled ==
  /\ (~active) = TRUE
  /\ Given_ControllerFailover = TRUE

CS ==
  /\ CS_is_enabled
  /\ active' = TRUE
  /\ last_contact' = [x \in Broker |-> IF registered[x] THEN now ELSE last_contact[x]]
  /\ UNCHANGED <<now, fenced, committed, next_offset, shutting_down, never_written, told_and_others, leader_and_others>>

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
  /\ LET hears_1 == hears(b, epoch, want_shutdown, caught_up(b, offset_2), FALSE, may_go(want_shutdown, b))
     IN
     /\ fenced' = UnfenceBroker_fenced(fenced, {[broker |-> b, epoch |-> broker_epoch[b]]})
     /\ next_offset' = PutCell(next_offset, appends)
     /\ last_contact' = Put(last_contact, hears_1.last_contact)
     /\ shutting_down' = Put(shutting_down, hears_1.shutting_down)
     /\ told' = Put(told, hears_1.told)
     /\ told_caught_up' = Put(told_caught_up, hears_1.told_caught_up)
     /\ told_fenced' = Put(told_fenced, hears_1.told_fenced)
     /\ told_shutdown' = Put(told_shutdown, hears_1.told_shutdown)
     /\ next_offset' \in offset
  /\ UNCHANGED <<now, active, committed, never_written, leader_and_others>>

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
  /\ UNCHANGED <<now, active, fenced, committed, next_offset, never_written, leader_and_others>>

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
     /\ last_contact' = Put(last_contact, hears_2.last_contact)
     /\ shutting_down' = Put(shutting_down, hears_2.shutting_down)
     /\ told' = Put(told, hears_2.told)
     /\ told_caught_up' = Put(told_caught_up, hears_2.told_caught_up)
     /\ told_fenced' = Put(told_fenced, hears_2.told_fenced)
     /\ told_shutdown' = Put(told_shutdown, hears_2.told_shutdown)
     /\ next_offset' \in offset
  /\ UNCHANGED <<now, active, committed, never_written>>

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
  /\ UNCHANGED <<now, active, fenced, committed, next_offset, never_written, leader_and_others>>

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
  /\ UNCHANGED <<now, active, fenced, committed, next_offset, never_written, leader_and_others>>

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
  /\ UNCHANGED <<now, active, fenced, committed, next_offset, never_written, leader_and_others>>

\* S2:62
V2_3_is_enabled(b) ==
  /\ active
  /\ registered[b]
  /\ (~fenced[b]) = TRUE
  /\ last_contact[b] + session < now
  /\ Given_SessionExpires(b) = TRUE

V2_3(b) ==
  /\ V2_3_is_enabled(b)
  /\ LET fences_1 == fences(b)
     IN
     /\ PartitionChange_replayed(fences_1.PartitionChange)
     /\ fenced' = FenceBroker_fenced(fenced, fences_1.FenceBroker)
     /\ next_offset' = PutCell(next_offset, fences_1.next_offset)
     /\ next_offset' \in offset
  /\ UNCHANGED <<now, active, last_contact, committed, shutting_down, never_written, told_and_others>>

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
  /\ PartitionChange_replayed({[partition |-> p, isr_said |-> FALSE, leader_said |-> TRUE, leader |-> leader_2,
         replicas_said |-> FALSE, removing_said |-> FALSE, adding_said |-> FALSE]})
  /\ next_offset' = PutCell(next_offset, appends)
  /\ next_offset' \in offset
  /\ UNCHANGED <<now, active, fenced, last_contact, committed, shutting_down, never_written, told_and_others>>

\* S2:89-95
V2_8c_is_enabled(b, p, leader_epoch_3, isr_2) ==
  /\ complete(p, isr_2) = TRUE
  /\ b \in left(isr_2, p)
  /\ active
  /\ (~(leader[p] # b \/ leader_epoch_3 # leader_epoch[p])) = TRUE
  /\ (~(b \notin isr_2 \/ ~(isr_2 \subseteq replicas[p]))) = TRUE
  /\ (~(\E x \in Broker : x \in isr_2 /\ fenced[x])) = TRUE
  /\ Given_AlterIsr(b, p, leader_epoch_3, isr_2) = TRUE

V2_8c(b, p, leader_epoch_3, isr_2) ==
  /\ V2_8c_is_enabled(b, p, leader_epoch_3, isr_2)
  /\ PartitionChange_replayed({[partition |-> p, isr_said |-> TRUE, isr |-> left(isr_2, p), leader_said |-> FALSE,
         replicas_said |-> TRUE, replicas |-> replicas[p] \ removing[p], removing_said |-> TRUE, removing |-> {},
         adding_said |-> TRUE, adding |-> {}]})
  /\ next_offset' = PutCell(next_offset, appends)
  /\ next_offset' \in offset
  /\ UNCHANGED <<now, active, fenced, last_contact, committed, shutting_down, never_written, told_and_others>>

\* S2:89-95
V2_8d_is_enabled(b, p, leader_epoch_3, isr_2) ==
  /\ complete(p, isr_2) = TRUE
  /\ active
  /\ (~(leader[p] # b \/ leader_epoch_3 # leader_epoch[p])) = TRUE
  /\ (~(b \notin isr_2 \/ ~(isr_2 \subseteq replicas[p]))) = TRUE
  /\ (~(\E x \in Broker : x \in isr_2 /\ fenced[x])) = TRUE
  /\ (~V2_8c_applies(p, isr_2, b)) = TRUE
  /\ Given_AlterIsr(b, p, leader_epoch_3, isr_2) = TRUE

V2_8d(b, p, leader_epoch_3, isr_2) ==
  /\ V2_8d_is_enabled(b, p, leader_epoch_3, isr_2)
  /\ PartitionChange_replayed({[partition |-> p, isr_said |-> TRUE, isr |-> left(isr_2, p), leader_said |-> TRUE, leader
         |-> None, replicas_said |-> TRUE, replicas |-> replicas[p] \ removing[p], removing_said |-> TRUE, removing |->
         {}, adding_said |-> TRUE, adding |-> {}]})
  /\ next_offset' = PutCell(next_offset, appends)
  /\ next_offset' \in offset
  /\ UNCHANGED <<now, active, fenced, last_contact, committed, shutting_down, never_written, told_and_others>>

\* S2:89-95
AI5_is_enabled(b, p, leader_epoch_3, isr_2) ==
  /\ active
  /\ (~(leader[p] # b \/ leader_epoch_3 # leader_epoch[p])) = TRUE
  /\ (~(b \notin isr_2 \/ ~(isr_2 \subseteq replicas[p]))) = TRUE
  /\ (~(\E x \in Broker : x \in isr_2 /\ fenced[x])) = TRUE
  /\ (~V2_8c_applies(p, isr_2, b)) = TRUE
  /\ (~complete(p, isr_2)) = TRUE
  /\ Given_AlterIsr(b, p, leader_epoch_3, isr_2) = TRUE

AI5(b, p, leader_epoch_3, isr_2) ==
  /\ AI5_is_enabled(b, p, leader_epoch_3, isr_2)
  /\ PartitionChange_replayed({[partition |-> p, isr_said |-> TRUE, isr |-> isr_2, leader_said |-> FALSE, replicas_said
         |-> FALSE, removing_said |-> FALSE, adding_said |-> FALSE]})
  /\ next_offset' = PutCell(next_offset, appends)
  /\ next_offset' \in offset
  /\ UNCHANGED <<now, active, fenced, last_contact, committed, shutting_down, never_written, told_and_others>>

\* S2:84-90
V2_8_is_enabled(p, target) ==
  /\ at_once(target, p) = TRUE
  /\ active
  /\ (~(target = {} \/ (\E x \in Broker : x \in target /\ ~registered[x]))) = TRUE
  /\ Given_AlterReassignment(p, target) = TRUE

V2_8(p, target) ==
  /\ V2_8_is_enabled(p, target)
  /\ PartitionChange_replayed({[partition |-> p, isr_said |-> TRUE, isr |-> pruned(p, target), leader_said |-> leader[p]
         # None /\ leader[p] \notin pruned(p, target), leader |-> None, replicas_said |-> TRUE, replicas |-> target,
         removing_said |-> TRUE, removing |-> {}, adding_said |-> TRUE, adding |-> {}]})
  /\ next_offset' = PutCell(next_offset, appends)
  /\ next_offset' \in offset
  /\ UNCHANGED <<now, active, fenced, last_contact, committed, shutting_down, never_written, told_and_others>>

\* S2:84-90
V2_8a_is_enabled(p, target) ==
  /\ active
  /\ (~(target = {} \/ (\E x \in Broker : x \in target /\ ~registered[x]))) = TRUE
  /\ (~at_once(target, p)) = TRUE
  /\ Given_AlterReassignment(p, target) = TRUE

V2_8a(p, target) ==
  /\ V2_8a_is_enabled(p, target)
  /\ PartitionChange_replayed({[partition |-> p, isr_said |-> FALSE, leader_said |-> FALSE, replicas_said |-> TRUE,
         replicas |-> merged(p, target), removing_said |-> TRUE, removing |-> replicas[p] \ target, adding_said |->
         TRUE, adding |-> (target \ replicas[p]) \union (adding[p] \intersect target)]})
  /\ next_offset' = PutCell(next_offset, appends)
  /\ next_offset' \in offset
  /\ UNCHANGED <<now, active, fenced, last_contact, committed, shutting_down, never_written, told_and_others>>

Init ==
  /\ now = 0
  /\ active = TRUE
  /\ shutting_down = [k \in Broker |-> FALSE]
  /\ told = [k \in Broker |-> FALSE]
  /\ told_caught_up = [k \in Broker |-> FALSE]
  /\ told_fenced = [k \in Broker |-> FALSE]
  /\ told_shutdown = [k \in Broker |-> FALSE]
  /\ leader = [k \in Partition |-> None]
  /\ leader_epoch = [k \in Partition |-> 0]
  /\ adding = [k \in Partition |-> {}]
  /\ removing = [k \in Partition |-> {}]
  /\ granted = [k \in Broker |-> -1]
  /\ registered \in [Broker -> BOOLEAN]
  /\ Bound = "reassignment" => (\A b \in Broker : registered[b])
  /\ fenced \in [Broker -> BOOLEAN]
  /\ Bound = "reassignment" => (\A b \in Broker : ~fenced[b])
  /\ last_contact \in [Broker -> time]
  /\ Bound = "reassignment" => (\A b \in Broker : last_contact[b] = 0)
  /\ session \in time
  /\ Bound = "reassignment" => session = 1
  /\ committed \in offset
  /\ Bound = "reassignment" => committed = 3
  /\ next_offset \in offset
  /\ Bound = "reassignment" => next_offset = 4
  /\ broker_epoch \in [Broker -> offset]
  /\ Bound = "reassignment" => broker_epoch[0] = 1
  /\ Bound = "reassignment" => broker_epoch[1] = 2
  /\ Bound = "reassignment" => broker_epoch[2] = 3
  /\ own_epoch \in [Broker -> offset]
  /\ Bound = "reassignment" => own_epoch[0] = 1
  /\ Bound = "reassignment" => own_epoch[1] = 2
  /\ Bound = "reassignment" => own_epoch[2] = 3
  /\ isr \in [Partition -> SUBSET Broker]
  /\ Bound = "reassignment" => (\A p \in Partition : isr[p] = {0, 1})
  /\ replicas \in [Partition -> SUBSET Broker]
  /\ Bound = "reassignment" => (\A p \in Partition : replicas[p] = {0, 1})
  /\ own_offset \in [Broker -> offset]
  /\ Bound = "reassignment" => (\A b \in Broker : own_offset[b] = 3)
  /\ recovered \in [Broker -> BOOLEAN]
  /\ Bound = "reassignment" => (\A b \in Broker : recovered[b])
  /\ broker_state \in [Broker -> BrokerState]
  /\ Bound = "reassignment" => (\A b \in Broker : broker_state[b] = "RUNNING")
  /\ serving \in [Broker -> BOOLEAN]
  /\ Bound = "reassignment" => (\A b \in Broker : serving[b])
  /\ own_incarnation \in [Broker -> incarnation_2]
  /\ Bound = "reassignment" => (\A b \in Broker : own_incarnation[b] = 1)
  /\ incarnation \in [Broker -> incarnation_2]
  /\ Bound = "reassignment" => (\A b \in Broker : incarnation[b] = 1)
  /\ id_reuse \in time
  /\ Bound = "reassignment" => id_reuse = 1

Rows ==
  \/ \E to_2 \in Given_TimePasses_to : TP(to_2)
  \/ \E to_2 \in Given_Commit_to : CM(to_2)
  \/ CF
  \/ CS
  \/ \E b \in Given_Heartbeat_b :
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
  \/ \E b \in Given_SessionExpires_b : V2_3(b)
  \/ \E p \in Partition, leader_2 \in Broker : EL(p, leader_2)
  \/ \E isr_2 \in SUBSET Broker :
       /\ (~(\E x \in Broker : x \in isr_2 /\ fenced[x])) = TRUE
       /\ \E p \in Partition :
            /\ \E b \in Given_AlterIsr_b(p) :
                 /\ (~(b \notin isr_2 \/ ~(isr_2 \subseteq replicas[p]))) = TRUE
                 /\ \E leader_epoch_3 \in Given_AlterIsr_leader_epoch(p) :
                      /\ (~(leader[p] # b \/ leader_epoch_3 # leader_epoch[p])) = TRUE
                      /\ \/ V2_8c(b, p, leader_epoch_3, isr_2)
                         \/ V2_8d(b, p, leader_epoch_3, isr_2)
                         \/ AI5(b, p, leader_epoch_3, isr_2)
  \/ \E target \in Given_AlterReassignment_target :
       /\ (~(target = {} \/ (\E x \in Broker : x \in target /\ ~registered[x]))) = TRUE
       /\ \E p \in Partition :
            \/ V2_8(p, target)
            \/ V2_8a(p, target)

Next == Rows \/ UNCHANGED vars

Spec == Init /\ [][Next]_vars

\* The guard of some row holds: unlike in ENABLED Rows, of one too that only a range disables.
SomeRowIsEnabled ==
  \/ \E to_2 \in Given_TimePasses_to : TP_is_enabled(to_2)
  \/ \E to_2 \in Given_Commit_to : CM_is_enabled(to_2)
  \/ CF_is_enabled
  \/ CS_is_enabled
  \/ \E b \in Given_Heartbeat_b :
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
  \/ \E b \in Given_SessionExpires_b : V2_3_is_enabled(b)
  \/ \E p \in Partition, leader_2 \in Broker : EL_is_enabled(p, leader_2)
  \/ \E isr_2 \in SUBSET Broker :
       /\ (~(\E x \in Broker : x \in isr_2 /\ fenced[x])) = TRUE
       /\ \E p \in Partition :
            /\ \E b \in Given_AlterIsr_b(p) :
                 /\ (~(b \notin isr_2 \/ ~(isr_2 \subseteq replicas[p]))) = TRUE
                 /\ \E leader_epoch_3 \in Given_AlterIsr_leader_epoch(p) :
                      /\ (~(leader[p] # b \/ leader_epoch_3 # leader_epoch[p])) = TRUE
                      /\ \/ V2_8c_is_enabled(b, p, leader_epoch_3, isr_2)
                         \/ V2_8d_is_enabled(b, p, leader_epoch_3, isr_2)
                         \/ AI5_is_enabled(b, p, leader_epoch_3, isr_2)
  \/ \E target \in Given_AlterReassignment_target :
       /\ (~(target = {} \/ (\E x \in Broker : x \in target /\ ~registered[x]))) = TRUE
       /\ \E p \in Partition :
            \/ V2_8_is_enabled(p, target)
            \/ V2_8a_is_enabled(p, target)

\* Whoever is unfenced said that it has its own registration. (S2:60)
K4 == [][(\A b \in Given_Heartbeat_b : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b),
  want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : (V2_1(b, epoch,
  offset_2, want_fence, want_shutdown)) => (broker_epoch[b] <= offset_2))]_vars

\* A process that is unfenced has applied its own registration. (S2:60)
K4a == \A b \in Broker : (~fenced[b] /\ own_epoch[b] = broker_epoch[b]) => broker_epoch[b] <= own_offset[b]

\* Fences, unfences and unregistrations are of brokers that are registered. (S2:435-492)
K5 == [][(\A b \in Given_Heartbeat_b : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b),
  want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : (V2_1(b, epoch,
  offset_2, want_fence, want_shutdown) \/ V2_2(b, epoch, offset_2, want_fence, want_shutdown)) => (registered[b])) /\
  (\A b \in Given_SessionExpires_b : (V2_3(b)) => (registered[b]))]_vars

\* Who is told to shut down leads nothing. (S2:65,408)
K8 == [][(\A b \in Given_Heartbeat_b : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b),
  want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : (V2_1(b, epoch,
  offset_2, want_fence, want_shutdown) \/ V2_1n(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_2(b, epoch,
  offset_2, want_fence, want_shutdown) \/ V2_3r(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_4(b, epoch,
  offset_2, want_fence, want_shutdown) \/ V2_4s(b, epoch, offset_2, want_fence, want_shutdown)) => (leaves(b, epoch) =>
  ~leads(b)'))]_vars

\* A fenced or unregistered broker leads nothing. (S2:31)
K9 == \A x \in Broker : fenced[x] => ~leads(x)

\* While a controller is active nobody is unfenced who has been silent for longer than a session, and a tick. (S2:62)
K10 == active => (\A b \in Broker : (registered[b] /\ ~fenced[b]) => now <= (last_contact[b] + session) + 1)

\* The leader is none or in the ISR. (S2:89-95)
P1 == \A p \in Partition : leader[p] = None \/ leader[p] \in isr[p]

\* The ISR is within the replicas. (S2:458)
P2 == \A p \in Partition : isr[p] \subseteq replicas[p]

\* The ISR is never empty. (S2:85-86)
P3 == \A p \in Partition : isr[p] # {}

\* Nobody joins an ISR who is fenced. (S2:488)
P7 == [][\A p \in Partition, x \in Broker : (x \notin isr[p] /\ (x \in isr[p])') => ~fenced[x]]_vars

\* Whoever is fenced leaves every ISR, save as its last member. (S2:488)
P7f == [][(\A b \in Given_Heartbeat_b : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b),
  want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : (V2_2(b, epoch,
  offset_2, want_fence, want_shutdown)) => (\A p \in Partition : b \notin isr[p]' \/ (\A x \in Broker : x \in isr[p]' =>
  x = b))) /\ (\A b \in Given_SessionExpires_b : (V2_3(b)) => (\A p \in Partition : b \notin isr[p]' \/ (\A x \in Broker
  : x \in isr[p]' => x = b)))]_vars

\* Every change of the leader raises the leader epoch. (S2:458)
P9 == [][\A p \in Partition : leader[p]' # leader[p] => leader_epoch[p] < leader_epoch[p]']_vars

\* Who is added or removed is a replica, and not both. (S2:88)
P13 == \A p \in Partition : adding[p] \subseteq replicas[p] /\ removing[p] \subseteq replicas[p] /\ adding[p] \intersect
  removing[p] = {}

\* A reassignment ends with the target as replicas, and with those added who were asked to be in the ISR. (S2:89-94)
P14 == [][(\A p \in Partition, isr_2 \in SUBSET Broker : \A b \in Given_AlterIsr_b(p), leader_epoch_3 \in
  Given_AlterIsr_leader_epoch(p) : (V2_8c(b, p, leader_epoch_3, isr_2) \/ V2_8d(b, p, leader_epoch_3, isr_2)) =>
  (replicas[p]' = replicas[p] \ removing[p] /\ adding[p] \subseteq isr_2 /\ isr[p]' = isr_2 \ removing[p] /\
  ~reassigning(p)'))]_vars

\* An alterIsr that is answered NONE leaves its sender leader. (S2:95)
P25 == [][(\A p \in Partition, isr_2 \in SUBSET Broker : \A b \in Given_AlterIsr_b(p), leader_epoch_3 \in
  Given_AlterIsr_leader_epoch(p) : (V2_8c(b, p, leader_epoch_3, isr_2) \/ AI5(b, p, leader_epoch_3, isr_2)) =>
  (leader[p]' = b))]_vars

\* Whoever becomes leader was in the ISR. (S2:85-95)
M5 == [][\A p \in Partition : (leader[p]' # leader[p] /\ leader[p]' # None) => leader[p]' \in isr[p]]_vars

\* While no controller is active the metadata stays as it is. (S2:18-20)
M7 == [][~active => unchanged]_vars

\* A failover changes nothing of the metadata: what was begun is still under way. (S2:91)
M8 == [][((CF \/ CS) => (unchanged))]_vars

\* A fenced broker is a replica. (S2:49)
\* TLC is asked that this never holds; a violation is the witness.
W1 == ~(\E p \in Partition, x \in Broker : x \in replicas[p] /\ x \notin isr[p] /\ fenced[x])

\* A reassignment waits for a fenced broker. (S2:49,91)
\* TLC is asked that this never holds; a violation is the witness.
W2 == ~(\E p \in Partition, x \in Broker : x \in adding[p] /\ fenced[x])

\* A process that is unfenced has recovered its logs: until then it says that it wants to be fenced, and is.
\* (S2:59-60,71-73)
K14 == \A b \in Broker : (~fenced[b] /\ own_epoch[b] = broker_epoch[b]) => recovered[b]

\* Whoever wants to be fenced is, and whoever wants it no more is unfenced if it has caught up. (S2:59-60,406)
K15 == [][(\A b \in Given_Heartbeat_b : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b),
  want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : (V2_1(b, epoch,
  offset_2, want_fence, want_shutdown) \/ V2_1n(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_2(b, epoch,
  offset_2, want_fence, want_shutdown) \/ V2_3r(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_4(b, epoch,
  offset_2, want_fence, want_shutdown) \/ V2_4s(b, epoch, offset_2, want_fence, want_shutdown)) => (IF want_fence THEN
  fenced[b]' ELSE fenced[b]' = (fenced[b] /\ ~caught_up(b, offset_2))))]_vars

\* Nothing but a heartbeat unfences a broker. (S2:59-60,406)
K16 == [][(\A to_2 \in Given_TimePasses_to : (TP(to_2)) => (\A x \in Broker : fenced[x] => fenced[x]')) /\ (\A to_2 \in
  Given_Commit_to : (CM(to_2)) => (\A x \in Broker : fenced[x] => fenced[x]')) /\ ((CF \/ CS) => (\A x \in Broker :
  fenced[x] => fenced[x]')) /\ (\A b \in Given_Heartbeat_b : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in
  Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in
  Given_Heartbeat_want_shutdown(b) : (V2_1n(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_2(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_3r(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_4(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_4s(b, epoch, offset_2, want_fence, want_shutdown)) => (\A x \in Broker : fenced[x] =>
  fenced[x]')) /\ (\A b \in Given_SessionExpires_b : (V2_3(b)) => (\A x \in Broker : fenced[x] => fenced[x]')) /\ (\A p
  \in Partition, leader_2 \in Broker : (EL(p, leader_2)) => (\A x \in Broker : fenced[x] => fenced[x]')) /\ (\A p \in
  Partition, isr_2 \in SUBSET Broker : \A b \in Given_AlterIsr_b(p), leader_epoch_3 \in Given_AlterIsr_leader_epoch(p) :
  (V2_8c(b, p, leader_epoch_3, isr_2) \/ V2_8d(b, p, leader_epoch_3, isr_2) \/ AI5(b, p, leader_epoch_3, isr_2)) => (\A
  x \in Broker : fenced[x] => fenced[x]')) /\ (\A p \in Partition, target \in Given_AlterReassignment_target : (V2_8(p,
  target) \/ V2_8a(p, target)) => (\A x \in Broker : fenced[x] => fenced[x]'))]_vars

\* Who has not asked for it, and is not registered anew or unregistered, is fenced only when its session is over.
\* (S2:62)
K17 == [][(\A to_2 \in Given_TimePasses_to : (TP(to_2)) => (\A x \in Broker : (~fenced[x] /\ fenced[x]') =>
  last_contact[x] + session < now)) /\ (\A to_2 \in Given_Commit_to : (CM(to_2)) => (\A x \in Broker : (~fenced[x] /\
  fenced[x]') => last_contact[x] + session < now)) /\ ((CF \/ CS) => (\A x \in Broker : (~fenced[x] /\ fenced[x]') =>
  last_contact[x] + session < now)) /\ (\A b \in Given_Heartbeat_b : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in
  Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in
  Given_Heartbeat_want_shutdown(b) : (V2_1(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_1n(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_3r(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_4(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_4s(b, epoch, offset_2, want_fence, want_shutdown)) => (\A x \in Broker : (~fenced[x]
  /\ fenced[x]') => last_contact[x] + session < now)) /\ (\A b \in Given_SessionExpires_b : (V2_3(b)) => (\A x \in
  Broker : (~fenced[x] /\ fenced[x]') => last_contact[x] + session < now)) /\ (\A p \in Partition, leader_2 \in Broker :
  (EL(p, leader_2)) => (\A x \in Broker : (~fenced[x] /\ fenced[x]') => last_contact[x] + session < now)) /\ (\A p \in
  Partition, isr_2 \in SUBSET Broker : \A b \in Given_AlterIsr_b(p), leader_epoch_3 \in Given_AlterIsr_leader_epoch(p) :
  (V2_8c(b, p, leader_epoch_3, isr_2) \/ V2_8d(b, p, leader_epoch_3, isr_2) \/ AI5(b, p, leader_epoch_3, isr_2)) => (\A
  x \in Broker : (~fenced[x] /\ fenced[x]') => last_contact[x] + session < now)) /\ (\A p \in Partition, target \in
  Given_AlterReassignment_target : (V2_8(p, target) \/ V2_8a(p, target)) => (\A x \in Broker : (~fenced[x] /\
  fenced[x]') => last_contact[x] + session < now))]_vars

\* A heartbeat is answered whether its broker has caught up, is fenced, and, if it asks, may shut down. (S2:65,405,408)
K18 == [][(\A b \in Given_Heartbeat_b : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b),
  want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : (V2_1(b, epoch,
  offset_2, want_fence, want_shutdown) \/ V2_1n(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_2(b, epoch,
  offset_2, want_fence, want_shutdown) \/ V2_3r(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_4(b, epoch,
  offset_2, want_fence, want_shutdown) \/ V2_4s(b, epoch, offset_2, want_fence, want_shutdown)) => (own_epoch[b] = epoch
  => (told[b]' /\ told_caught_up[b]' = caught_up(b, offset_2) /\ told_fenced[b]' = fenced[b]' /\ told_shutdown[b]' =
  (want_shutdown /\ ~leads(b)'))))]_vars

\* A heartbeat that is answered NONE is one under the broker's epoch: the contact is noted, and a wish to shut down.
\* (S2:57,65)
K19 == [][(\A b \in Given_Heartbeat_b : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b),
  want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : (V2_1(b, epoch,
  offset_2, want_fence, want_shutdown) \/ V2_1n(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_2(b, epoch,
  offset_2, want_fence, want_shutdown) \/ V2_3r(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_4(b, epoch,
  offset_2, want_fence, want_shutdown) \/ V2_4s(b, epoch, offset_2, want_fence, want_shutdown)) => (active /\ ~stale(b,
  epoch) /\ last_contact[b]' = now /\ shutting_down[b]' = (shutting_down[b] \/ want_shutdown)))]_vars

\* Whatever is answered but NOT_CONTROLLER is answered by the active controller, and so is every refusal for another
\* reason. (S2:409,419)
K30 == [][(\A b \in Given_Heartbeat_b : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b),
  want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : (V2_1(b, epoch,
  offset_2, want_fence, want_shutdown) \/ V2_1n(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_2(b, epoch,
  offset_2, want_fence, want_shutdown) \/ V2_3r(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_4(b, epoch,
  offset_2, want_fence, want_shutdown) \/ V2_4s(b, epoch, offset_2, want_fence, want_shutdown)) => (active)) /\ (\A p
  \in Partition, isr_2 \in SUBSET Broker : \A b \in Given_AlterIsr_b(p), leader_epoch_3 \in
  Given_AlterIsr_leader_epoch(p) : (V2_8c(b, p, leader_epoch_3, isr_2) \/ V2_8d(b, p, leader_epoch_3, isr_2) \/ AI5(b,
  p, leader_epoch_3, isr_2)) => (active)) /\ (\A p \in Partition, target \in Given_AlterReassignment_target : (V2_8(p,
  target) \/ V2_8a(p, target)) => (active))]_vars

\* Who is not the active controller notes nothing of what it is asked, and answers nobody but NOT_CONTROLLER. (S2:409)
K24 == [][(\A b \in Given_Heartbeat_b : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b),
  want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : (V2_1(b, epoch,
  offset_2, want_fence, want_shutdown) \/ V2_1n(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_2(b, epoch,
  offset_2, want_fence, want_shutdown) \/ V2_3r(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_4(b, epoch,
  offset_2, want_fence, want_shutdown) \/ V2_4s(b, epoch, offset_2, want_fence, want_shutdown)) => (~active => (\A x \in
  Broker : unnoted(x))))]_vars

\* A broker passes all of its states, each when the controller has told it that it may, or ends. (S2:67-82)
K25 == [][\A b \in Broker : broker_state[b]' = broker_state[b] \/ broker_state[b]' = "NOT_RUNNING" \/ goes(b) \/
  (goes_2(b) /\ told[b] /\ told_caught_up[b]) \/ (goes_3(b) /\ recovered[b] /\ told[b] /\ ~told_fenced[b]) \/ goes_4(b)
  \/ (goes_5(b) /\ told[b] /\ told_shutdown[b])]_vars

\* A broker serves while it runs, and until its shutdown is granted. (S2:65,73-79)
K26 == \A b \in Broker : serving[b] = (broker_state[b] = "RUNNING" \/ broker_state[b] = "PENDING_CONTROLLED_SHUTDOWN")

\* Nobody has applied what is not committed. (S2:18-20)
K27 == \A b \in Broker : own_offset[b] <= committed

\* A process never goes back to older metadata. (S2:18,69-70)
K29 == [][(\A to_2 \in Given_TimePasses_to : (TP(to_2)) => (\A b \in Broker : own_offset[b] <= own_offset[b]' \/
  broker_state[b]' = "NOT_RUNNING")) /\ (\A to_2 \in Given_Commit_to : (CM(to_2)) => (\A b \in Broker : own_offset[b] <=
  own_offset[b]' \/ broker_state[b]' = "NOT_RUNNING")) /\ ((CF \/ CS) => (\A b \in Broker : own_offset[b] <=
  own_offset[b]' \/ broker_state[b]' = "NOT_RUNNING")) /\ (\A b \in Given_Heartbeat_b : \A epoch \in
  Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b),
  want_shutdown \in Given_Heartbeat_want_shutdown(b) : (V2_1(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_1n(b,
  epoch, offset_2, want_fence, want_shutdown) \/ V2_2(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_3r(b, epoch,
  offset_2, want_fence, want_shutdown) \/ V2_4(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_4s(b, epoch,
  offset_2, want_fence, want_shutdown)) => (\A b_2 \in Broker : own_offset[b_2] <= own_offset[b_2]' \/
  broker_state[b_2]' = "NOT_RUNNING")) /\ (\A b \in Given_SessionExpires_b : (V2_3(b)) => (\A b_2 \in Broker :
  own_offset[b_2] <= own_offset[b_2]' \/ broker_state[b_2]' = "NOT_RUNNING")) /\ (\A p \in Partition, leader_2 \in
  Broker : (EL(p, leader_2)) => (\A b \in Broker : own_offset[b] <= own_offset[b]' \/ broker_state[b]' = "NOT_RUNNING"))
  /\ (\A p \in Partition, isr_2 \in SUBSET Broker : \A b \in Given_AlterIsr_b(p), leader_epoch_3 \in
  Given_AlterIsr_leader_epoch(p) : (V2_8c(b, p, leader_epoch_3, isr_2) \/ V2_8d(b, p, leader_epoch_3, isr_2) \/ AI5(b,
  p, leader_epoch_3, isr_2)) => (\A b_2 \in Broker : own_offset[b_2] <= own_offset[b_2]' \/ broker_state[b_2]' =
  "NOT_RUNNING")) /\ (\A p \in Partition, target \in Given_AlterReassignment_target : (V2_8(p, target) \/ V2_8a(p,
  target)) => (\A b \in Broker : own_offset[b] <= own_offset[b]' \/ broker_state[b]' = "NOT_RUNNING"))]_vars

\* Nothing is left of a process that has ended, and what it is answered is lost. (S2:67-68,78-79)
K35 == \A b \in Broker : broker_state[b] = "NOT_RUNNING" => (own_incarnation[b] = 0 /\ own_epoch[b] = -1 /\
  own_offset[b] = -1 /\ ~recovered[b] /\ granted[b] = -1 /\ ~told[b] /\ ~told_caught_up[b] /\ ~told_fenced[b] /\
  ~told_shutdown[b])

\* Nobody joins an ISR but by an alterIsr of the leader: neither fence, election nor reassignment brings in anybody.
\* (S2:89-94)
P5 == [][(\A to_2 \in Given_TimePasses_to : (TP(to_2)) => (\A p \in Partition : isr[p]' \subseteq isr[p])) /\ (\A to_2
  \in Given_Commit_to : (CM(to_2)) => (\A p \in Partition : isr[p]' \subseteq isr[p])) /\ ((CF \/ CS) => (\A p \in
  Partition : isr[p]' \subseteq isr[p])) /\ (\A b \in Given_Heartbeat_b : \A epoch \in Given_Heartbeat_epoch(b),
  offset_2 \in Given_Heartbeat_offset(b), want_fence \in Given_Heartbeat_want_fence(b), want_shutdown \in
  Given_Heartbeat_want_shutdown(b) : (V2_1(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_1n(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_2(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_3r(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_4(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_4s(b, epoch, offset_2,
  want_fence, want_shutdown)) => (\A p \in Partition : isr[p]' \subseteq isr[p])) /\ (\A b \in Given_SessionExpires_b :
  (V2_3(b)) => (\A p \in Partition : isr[p]' \subseteq isr[p])) /\ (\A p \in Partition, leader_2 \in Broker : (EL(p,
  leader_2)) => (\A p_2 \in Partition : isr[p_2]' \subseteq isr[p_2])) /\ (\A p \in Partition, target \in
  Given_AlterReassignment_target : (V2_8(p, target) \/ V2_8a(p, target)) => (\A p_2 \in Partition : isr[p_2]' \subseteq
  isr[p_2]))]_vars

\* An alterIsr is granted to the leader in its leader epoch, and the ISR is the one asked for, without whom a
\* reassignment removes. (S2:89-95)
P5a == [][(\A p \in Partition, isr_2 \in SUBSET Broker : \A b \in Given_AlterIsr_b(p), leader_epoch_3 \in
  Given_AlterIsr_leader_epoch(p) : (V2_8c(b, p, leader_epoch_3, isr_2) \/ V2_8d(b, p, leader_epoch_3, isr_2) \/ AI5(b,
  p, leader_epoch_3, isr_2)) => (active /\ leader[p] = b /\ leader_epoch_3 = leader_epoch[p] /\ isr[p]' = isr_2 \
  (removing[p] \ removing[p]') /\ isr_2 \subseteq replicas[p]))]_vars

\* A change of the leader raises the leader epoch by one, and nothing else does. (S2:458)
P9e == [][\A p \in Partition : leader_epoch[p]' = (IF leader[p]' = leader[p] THEN leader_epoch[p] ELSE leader_epoch[p] +
  1)]_vars

\* Whoever is made leader is unfenced and does not shut down, and the active controller makes it. (S2:31,65)
P15 == [][\A p \in Partition, x \in Broker : (leader[p]' = x /\ leader[p] # x) => (~fenced[x] /\ ~shutting_down[x] /\
  active)]_vars

\* A partition is left without a leader only by a leader that leaves the ISR, or is fenced. (S2:31,95)
P16 == [][\A p \in Partition : (leader[p] # None /\ ~(leader[p] # None)') => (\A x \in Broker : leader[p] = x => (~(x
  \in isr[p])' \/ fenced[x]'))]_vars

\* A reassignment that is answered NONE has the target as its replicas, at once or when those who are added are in sync,
\* who was being added before among them. (S2:84-90)
P17 == [][(\A p \in Partition, target \in Given_AlterReassignment_target : (V2_8(p, target) \/ V2_8a(p, target)) =>
  (active /\ target # {} /\ (\A x \in Broker : x \in target => registered[x]) /\ replicas[p]' \ removing[p]' = target /\
  reassigning(p)' = (~at_once(target, p)) /\ isr[p]' = (IF at_once(target, p) THEN isr[p] \intersect target ELSE isr[p])
  /\ target \ replicas[p] \subseteq adding[p]' /\ (at_once(target, p) \/ target \intersect adding[p] \subseteq
  adding[p]')))]_vars

\* Nothing but an operator's request, and the alterIsr that ends one, changes whom a partition is on. (S2:85-94)
P18 == [][(\A to_2 \in Given_TimePasses_to : (TP(to_2)) => (\A p \in Partition : replicas[p]' = replicas[p] /\
  adding[p]' = adding[p] /\ removing[p]' = removing[p])) /\ (\A to_2 \in Given_Commit_to : (CM(to_2)) => (\A p \in
  Partition : replicas[p]' = replicas[p] /\ adding[p]' = adding[p] /\ removing[p]' = removing[p])) /\ ((CF \/ CS) => (\A
  p \in Partition : replicas[p]' = replicas[p] /\ adding[p]' = adding[p] /\ removing[p]' = removing[p])) /\ (\A b \in
  Given_Heartbeat_b : \A epoch \in Given_Heartbeat_epoch(b), offset_2 \in Given_Heartbeat_offset(b), want_fence \in
  Given_Heartbeat_want_fence(b), want_shutdown \in Given_Heartbeat_want_shutdown(b) : (V2_1(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_1n(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_2(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_3r(b, epoch, offset_2, want_fence, want_shutdown) \/ V2_4(b, epoch, offset_2,
  want_fence, want_shutdown) \/ V2_4s(b, epoch, offset_2, want_fence, want_shutdown)) => (\A p \in Partition :
  replicas[p]' = replicas[p] /\ adding[p]' = adding[p] /\ removing[p]' = removing[p])) /\ (\A b \in
  Given_SessionExpires_b : (V2_3(b)) => (\A p \in Partition : replicas[p]' = replicas[p] /\ adding[p]' = adding[p] /\
  removing[p]' = removing[p])) /\ (\A p \in Partition, leader_2 \in Broker : (EL(p, leader_2)) => (\A p_2 \in Partition
  : replicas[p_2]' = replicas[p_2] /\ adding[p_2]' = adding[p_2] /\ removing[p_2]' = removing[p_2])) /\ (\A p \in
  Partition, isr_2 \in SUBSET Broker : \A b \in Given_AlterIsr_b(p), leader_epoch_3 \in Given_AlterIsr_leader_epoch(p) :
  (AI5(b, p, leader_epoch_3, isr_2)) => (\A p_2 \in Partition : replicas[p_2]' = replicas[p_2] /\ adding[p_2]' =
  adding[p_2] /\ removing[p_2]' = removing[p_2]))]_vars

\* A reassignment ends, while the partition has a leader and nobody of the target is fenced. (S2:86-91)
Spec_P23 == Spec /\ WF_vars((\E p \in Partition, isr_2 \in SUBSET Broker : \E b \in Given_AlterIsr_b(p), leader_epoch_3
  \in Given_AlterIsr_leader_epoch(p) : V2_8c(b, p, leader_epoch_3, isr_2)) \/ (\E p \in Partition, isr_2 \in SUBSET
  Broker : \E b \in Given_AlterIsr_b(p), leader_epoch_3 \in Given_AlterIsr_leader_epoch(p) : V2_8d(b, p, leader_epoch_3,
  isr_2)) \/ (\E p \in Partition, isr_2 \in SUBSET Broker : \E b \in Given_AlterIsr_b(p), leader_epoch_3 \in
  Given_AlterIsr_leader_epoch(p) : AI5(b, p, leader_epoch_3, isr_2))) /\ WF_vars((CS)) /\ WF_vars((\E to_2 \in
  Given_TimePasses_to : TP(to_2)))
P23 == (\E p \in Partition : under_way(p)) ~> (\A p \in Partition : ~under_way(p))

\* For K1, K13, M2: no epoch is ahead of the log.
VL1 == 0 <= committed /\ committed < next_offset /\ (\A b \in Broker : broker_epoch[b] < next_offset /\ own_epoch[b] <
  next_offset) /\ (\A b \in Broker : granted[b] < next_offset /\ -1 <= own_epoch[b] /\ -1 <= own_offset[b])

\* For K9, M1: who is not registered counts as fenced.
VL3 == \A b \in Broker : (registered[b] /\ 0 < broker_epoch[b] /\ 0 < incarnation[b]) \/ (~registered[b] /\ fenced[b] /\
  broker_epoch[b] = -1 /\ incarnation[b] = 0)

\* For K4a: a process that has not started knows nothing.
VL6 == \A b \in Broker : broker_state[b] = "NOT_RUNNING" => (own_epoch[b] = -1 /\ own_offset[b] = -1 /\ granted[b] = -1
  /\ own_incarnation[b] = 0)

\* For K4a: a process that does not know its epoch yet is fenced,
VL7 == \A b \in Broker : (own_incarnation[b] = incarnation[b] /\ registered[b] /\ own_epoch[b] # broker_epoch[b]) =>
  fenced[b]

\* For K4a: and whoever knows an epoch, or is told of it, is the process that it was given to.
VL8 == \A b \in Broker : ((own_epoch[b] = broker_epoch[b] \/ granted[b] = broker_epoch[b]) /\ registered[b]) =>
  own_incarnation[b] = incarnation[b]
================================================================================
