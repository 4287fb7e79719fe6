---------------------------------- MODULE zk -----------------------------------
\* zk: The controller of Kafka 3.9 over ZooKeeper: two state machines, the operations that call them, and who may write.
\* Made from the tables of zk 52f22783dc7b; not to be edited.
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS NumberController, NumberPartition, NumberBroker, Maxcontroller_epoch, Maxbroker_epoch, NumberTopic,
  Maxleader_epoch, Maxversion, Bound, None

Controller == 0..(NumberController - 1)
Partition == 0..(NumberPartition - 1)
Call == {"IDLE", "CREATE_PARTITIONS", "CREATE_REPLICAS", "CREATE_LEADERS", "CREATE_ONLINE", "FAIL_OFFLINE", "FAIL_ELECT", "FAIL_REPLICAS", "FAIL_DELETION", "START_REPLICAS", "START_ELECT", "LISTED", "OVER_ONLINE", "OVER_OFFLINE", "OVER_ELECT", "ELECT", "ELECT_UNCLEAN", "SHUTDOWN_LEADERS", "SHUTDOWN_FOLLOWERS", "ASSIGN", "UNNEEDED_OFFLINE", "UNNEEDED_STARTED", "UNNEEDED_SUCCESSFUL", "UNNEEDED_GONE", "DECIDE", "BUMP", "ADD_NEW", "ADD_ONLINE", "LEAD", "MOVE_LEADER", "REMOVE_OFFLINE", "REMOVE_STARTED", "REMOVE_SUCCESSFUL", "REMOVE_GONE", "STORE", "FINISH", "INFORM", "DELETE_RETRY", "DELETE_OFFLINE", "DELETE_GONE", "DELETE_INELIGIBLE", "DELETE_REPLICAS", "DELETE_STARTED", "DELETE_ANSWERED", "DELETE_FAILED", "DELETE_REPLICAS_GONE", "DELETE_ZNODES"}
PartitionState == {"NEW", "ONLINE", "OFFLINE", "NONEXISTENT"}
Broker == 0..(NumberBroker - 1)
controller_epoch_2 == 0..Maxcontroller_epoch
broker_epoch_2 == 0..Maxbroker_epoch
Topic == 0..(NumberTopic - 1)
leader_epoch_2 == -1..Maxleader_epoch
version_2 == -1..Maxversion
ReplicaState == {"NEW", "ONLINE", "OFFLINE", "DELETION_STARTED", "DELETION_SUCCESSFUL", "DELETION_INELIGIBLE", "NONEXISTENT"}
Strategy == {"NONE", "OFFLINE", "UNCLEAN", "REASSIGN", "PREFERRED", "SHUTDOWN"}

Pick(S) == CHOOSE x \in S : TRUE
Put(f, updates) == [k \in DOMAIN f |-> LET u == {x \in updates : x.at = k} IN IF u = {} THEN f[k] ELSE Pick(u).to]
Elements(s) == {s[i] : i \in DOMAIN s}
KeepIn(s, S) == SelectSeq(s, LAMBDA x : x \in S)
FirstIn(s, S) == IF KeepIn(s, S) = <<>> THEN None ELSE Head(KeepIn(s, S))
Join(s, t) == s \o SelectSeq(t, LAMBDA x : x \notin Elements(s))
OnlyItem(x) == IF x = None THEN <<>> ELSE <<x>>
Lists(S) == UNION {{s \in [1..n -> S] : Cardinality(Elements(s)) = n} : n \in 0..Cardinality(S)}

VARIABLES acting, due, call, partition_state, assigned, live, shutting_down, lost, session, own_epoch, controller_epoch,
  subjects, returning, aim, known_epoch, deleting, ineligible, cached_adding, cached_removing, knows, cached_leader,
  cached_isr, cached_leader_epoch, cached_version, resumed, about, due_replicas, replica_state, stop_epoch,
  leader_epoch, version, stated, leader, isr, written_in, recovering, topic, unclean, elected, alive, broker_epoch,
  queued, exists, replicas, adding, removing, gone

vars == <<acting, due, call, partition_state, assigned, live, shutting_down, lost, session, own_epoch, controller_epoch,
  subjects, returning, aim, known_epoch, deleting, ineligible, cached_adding, cached_removing, knows, cached_leader,
  cached_isr, cached_leader_epoch, cached_version, resumed, about, due_replicas, replica_state, stop_epoch,
  leader_epoch, version, stated, leader, isr, written_in, recovering, topic, unclean, elected, alive, broker_epoch,
  queued, exists, replicas, adding, removing, gone>>

acting_and_others == <<acting, own_epoch, deleting>>

knows_and_others == <<knows, cached_leader, cached_isr, cached_leader_epoch, cached_version>>

leader_epoch_and_others == <<leader_epoch, version, stated, leader, isr, written_in, recovering>>

never_written == <<topic, unclean, queued, adding, removing, gone>>

Given_SessionExpired(c) == CASE Bound = "tiny" -> (elected = c /\ controller_epoch < 2) [] Bound = "failover" ->
  (elected = c /\ controller_epoch < 2) [] Bound = "failures" -> (elected = c /\ controller_epoch < 1) [] Bound =
  "directories" -> (elected = c /\ controller_epoch < 1) [] OTHER -> TRUE

Given_SessionEstablished(c) == CASE Bound = "tiny" -> (acting[c] \/ (elected = None /\ ((controller_epoch = 0 /\ c = 0)
  \/ (controller_epoch = 1 /\ c = 1)))) [] Bound = "failover" -> (acting[c] \/ (elected = None /\ ((controller_epoch = 0
  /\ c = 0) \/ (controller_epoch = 1 /\ c = 1)))) [] Bound = "failures" -> (acting[c] \/ (elected = None /\
  controller_epoch = 0 /\ c = 0)) [] Bound = "directories" -> (acting[c] \/ (elected = None /\ controller_epoch = 0 /\ c
  = 0)) [] OTHER -> TRUE

Given_Crash(c) == CASE Bound = "tiny" -> controller_epoch < 2 [] Bound = "failover" -> FALSE [] Bound = "failures" ->
  FALSE [] Bound = "directories" -> FALSE [] OTHER -> TRUE

Given_DeleteController == CASE Bound = "tiny" -> controller_epoch < 2 [] Bound = "failover" -> FALSE [] Bound =
  "failures" -> FALSE [] Bound = "directories" -> FALSE [] OTHER -> TRUE

Given_SessionTimedOut(c) == CASE Bound = "tiny" -> controller_epoch < 2 [] Bound = "failover" -> controller_epoch < 2 []
  Bound = "failures" -> controller_epoch < 1 [] Bound = "directories" -> controller_epoch < 1 [] OTHER -> TRUE

Given_Elect(c) == CASE Bound = "tiny" -> (((controller_epoch = 0 /\ c = 0) \/ (controller_epoch = 1 /\ c = 1)) /\ (\A x
  \in Broker : 0 < broker_epoch[x])) [] Bound = "failover" -> (((controller_epoch = 0 /\ c = 0) \/ (controller_epoch = 1
  /\ c = 1)) /\ (\A x \in Broker : 0 < broker_epoch[x])) [] Bound = "failures" -> (controller_epoch = 0 /\ c = 0 /\ (\A
  x \in Broker : 0 < broker_epoch[x])) [] Bound = "directories" -> (controller_epoch = 0 /\ c = 0 /\ (\A x \in Broker :
  0 < broker_epoch[x])) [] OTHER -> TRUE

Given_Elect_c == CASE Bound = "failures" -> {0} [] Bound = "directories" -> {0} [] OTHER -> Controller

Given_RegisterBroker(b, czxid) == CASE Bound = "tiny" -> (czxid = broker_epoch[b] + 1 /\ ((b = 0 /\ TRUE /\
  broker_epoch[b] = 0 /\ controller_epoch = 0) \/ 0 < broker_epoch[b])) [] Bound = "failover" -> (czxid =
  broker_epoch[b] + 1 /\ ((((b = 0 /\ TRUE /\ broker_epoch[b] = 0) \/ (b = 1 /\ alive[0] /\ broker_epoch[b] = 0)) /\
  controller_epoch = 0) \/ 0 < broker_epoch[b])) [] Bound = "failures" -> (czxid = broker_epoch[b] + 1 /\ ((((b = 0 /\
  TRUE /\ broker_epoch[b] = 0) \/ (b = 1 /\ alive[0] /\ broker_epoch[b] = 0)) /\ controller_epoch = 0) \/ 0 <
  broker_epoch[b])) [] Bound = "directories" -> (czxid = broker_epoch[b] + 1 /\ ((((b = 0 /\ TRUE /\ broker_epoch[b] =
  0) \/ (b = 1 /\ alive[0] /\ broker_epoch[b] = 0)) /\ controller_epoch = 0) \/ 0 < broker_epoch[b])) [] OTHER -> TRUE

Given_RegisterBroker_czxid(b) == CASE Bound = "tiny" -> ({broker_epoch[b] + 1} \intersect broker_epoch_2) [] Bound =
  "failover" -> ({broker_epoch[b] + 1} \intersect broker_epoch_2) [] Bound = "failures" -> ({broker_epoch[b] + 1}
  \intersect broker_epoch_2) [] Bound = "directories" -> ({broker_epoch[b] + 1} \intersect broker_epoch_2) [] OTHER ->
  broker_epoch_2

Given_RegisterAgain(b, czxid) == CASE Bound = "tiny" -> FALSE [] Bound = "failover" -> FALSE [] Bound = "failures" ->
  FALSE [] Bound = "directories" -> FALSE [] OTHER -> TRUE

Given_BrokerGone(b) == CASE Bound = "tiny" -> broker_epoch[b] < 2 [] Bound = "failover" -> broker_epoch[b] < 2 [] Bound
  = "failures" -> broker_epoch[b] < 2 [] Bound = "directories" -> FALSE [] OTHER -> TRUE

Given_CreateTopic(p, target) == CASE Bound = "tiny" -> (target = OnlyItem(0) /\ controller_epoch = 1) [] Bound =
  "failover" -> (target = Join(OnlyItem(0), OnlyItem(1)) /\ controller_epoch = 1) [] Bound = "failures" -> (target =
  Join(OnlyItem(0), OnlyItem(1)) /\ controller_epoch = 1) [] Bound = "directories" -> (target = Join(OnlyItem(0),
  OnlyItem(1)) /\ controller_epoch = 1) [] OTHER -> TRUE

Given_CreateTopic_target == CASE Bound = "tiny" -> {OnlyItem(0)} [] Bound = "failover" -> {Join(OnlyItem(0),
  OnlyItem(1))} [] Bound = "failures" -> {Join(OnlyItem(0), OnlyItem(1))} [] Bound = "directories" -> {Join(OnlyItem(0),
  OnlyItem(1))} [] OTHER -> Lists(Broker)

Given_LogDirEvent(c, brokers) == CASE Bound = "tiny" -> FALSE [] Bound = "failover" -> FALSE [] Bound = "failures" ->
  FALSE [] Bound = "directories" -> (leader_epoch[0] = 0 /\ (\E q \in Partition : assigned[c, q] # <<>>)) [] OTHER ->
  TRUE

Given_ReplicasOffline(c, b, partitions) == CASE Bound = "tiny" -> FALSE [] Bound = "failover" -> FALSE [] Bound =
  "failures" -> FALSE [] Bound = "directories" -> (\E q \in Partition : q \in partitions /\ b \notin lost[c, q]) []
  OTHER -> TRUE

Given_AlterPartition(c, b, p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering) == CASE Bound =
  "tiny" -> (leader[p] = b /\ alive[b] /\ b \in wanted /\ wanted \subseteq Elements(replicas[p]) /\ wanted # isr[p] /\
  from_epoch = broker_epoch[b] /\ from_leader_epoch = leader_epoch[p] /\ from_version = version[p] /\ ~wants_recovering
  /\ isr[p] \subseteq wanted /\ wanted \subseteq {x \in Broker : alive[x]}) [] Bound = "failover" -> (leader[p] = b /\
  alive[b] /\ b \in wanted /\ wanted \subseteq Elements(replicas[p]) /\ wanted # isr[p] /\ from_epoch = broker_epoch[b]
  /\ from_leader_epoch = leader_epoch[p] /\ from_version = version[p] /\ ~wants_recovering /\ isr[p] \subseteq wanted /\
  wanted \subseteq {x \in Broker : alive[x]}) [] Bound = "failures" -> (leader[p] = b /\ alive[b] /\ b \in wanted /\
  wanted \subseteq Elements(replicas[p]) /\ wanted # isr[p] /\ from_epoch = broker_epoch[b] /\ from_leader_epoch =
  leader_epoch[p] /\ from_version = version[p] /\ ~wants_recovering /\ isr[p] \subseteq wanted /\ wanted \subseteq {x
  \in Broker : alive[x]}) [] Bound = "directories" -> (leader[p] = b /\ alive[b] /\ b \in wanted /\ wanted \subseteq
  Elements(replicas[p]) /\ wanted # isr[p] /\ from_epoch = broker_epoch[b] /\ from_leader_epoch = leader_epoch[p] /\
  from_version = version[p] /\ ~wants_recovering /\ isr[p] \subseteq wanted /\ wanted \subseteq {x \in Broker :
  alive[x]}) [] OTHER -> TRUE

Given_AlterPartition_b(p) == CASE Bound = "tiny" -> ({leader[p]} \intersect Broker) [] Bound = "failover" ->
  ({leader[p]} \intersect Broker) [] Bound = "failures" -> ({leader[p]} \intersect Broker) [] Bound = "directories" ->
  ({leader[p]} \intersect Broker) [] OTHER -> Broker

Given_AlterPartition_from_leader_epoch(p) == CASE Bound = "tiny" -> ({leader_epoch[p]} \intersect leader_epoch_2) []
  Bound = "failover" -> ({leader_epoch[p]} \intersect leader_epoch_2) [] Bound = "failures" -> ({leader_epoch[p]}
  \intersect leader_epoch_2) [] Bound = "directories" -> ({leader_epoch[p]} \intersect leader_epoch_2) [] OTHER ->
  leader_epoch_2

Given_AlterPartition_from_version(p) == CASE Bound = "tiny" -> ({version[p]} \intersect version_2) [] Bound = "failover"
  -> ({version[p]} \intersect version_2) [] Bound = "failures" -> ({version[p]} \intersect version_2) [] Bound =
  "directories" -> ({version[p]} \intersect version_2) [] OTHER -> version_2

Given_AlterPartition_wants_recovering == CASE Bound = "tiny" -> {FALSE} [] Bound = "failover" -> {FALSE} [] Bound =
  "failures" -> {FALSE} [] Bound = "directories" -> {FALSE} [] OTHER -> BOOLEAN

Given_AlterPartition_from_epoch(b) == CASE Bound = "tiny" -> ({broker_epoch[b]} \intersect broker_epoch_2) [] Bound =
  "failover" -> ({broker_epoch[b]} \intersect broker_epoch_2) [] Bound = "failures" -> ({broker_epoch[b]} \intersect
  broker_epoch_2) [] Bound = "directories" -> ({broker_epoch[b]} \intersect broker_epoch_2) [] OTHER -> broker_epoch_2

called(c, p, to_2, how) == acting[c] /\ due[c, p] /\ ((call[c] = "CREATE_PARTITIONS" /\ to_2 = "NEW" /\ how = "NONE") \/
  (call[c] = "CREATE_LEADERS" /\ to_2 = "ONLINE" /\ how = "OFFLINE") \/ (call[c] = "FAIL_OFFLINE" /\ to_2 = "OFFLINE" /\
  how = "NONE") \/ (call[c] = "FAIL_ELECT" /\ to_2 = "ONLINE" /\ how = "OFFLINE") \/ (call[c] = "START_ELECT" /\ to_2 =
  "ONLINE" /\ how = "OFFLINE") \/ (call[c] = "OVER_ELECT" /\ to_2 = "ONLINE" /\ how = "OFFLINE") \/ (call[c] = "ELECT"
  /\ to_2 = "ONLINE" /\ how = "PREFERRED") \/ (call[c] = "ELECT_UNCLEAN" /\ to_2 = "ONLINE" /\ how = "UNCLEAN") \/
  (call[c] = "SHUTDOWN_LEADERS" /\ to_2 = "ONLINE" /\ how = "SHUTDOWN") \/ (call[c] = "MOVE_LEADER" /\ to_2 = "ONLINE"
  /\ how = "REASSIGN") \/ (call[c] = "DELETE_OFFLINE" /\ to_2 = "OFFLINE" /\ how = "NONE") \/ (call[c] = "DELETE_GONE"
  /\ to_2 = "NONEXISTENT" /\ how = "NONE"))

legal(to_2, c, p) == (to_2 = "NEW" /\ partition_state[c, p] = "NONEXISTENT") \/ (to_2 = "ONLINE" /\ (partition_state[c,
  p] = "NEW" \/ partition_state[c, p] = "ONLINE" \/ partition_state[c, p] = "OFFLINE")) \/ (to_2 = "OFFLINE" /\
  (partition_state[c, p] = "NEW" \/ partition_state[c, p] = "ONLINE" \/ partition_state[c, p] = "OFFLINE")) \/ (to_2 =
  "NONEXISTENT" /\ partition_state[c, p] = "OFFLINE")

online(c, p) == (live[c] \ shutting_down[c]) \ lost[c, p]

first_replicas(c, p) == Elements(assigned[c, p]) \intersect online(c, p)

cut_off(c) == ~session[c]

moved(c) == own_epoch[c] # controller_epoch

offline_election(how) == how = "OFFLINE" \/ how = "UNCLEAN"

in_sync(p, c) == isr[p] \intersect online(c, p)

clean(c, p) == FirstIn(assigned[c, p], in_sync(p, c))

may_be_unclean(p, c, how) == in_sync(p, c) = {} /\ (how = "UNCLEAN" \/ unclean[topic[p]])

anyone(c, p) == FirstIn(assigned[c, p], online(c, p))

moving_to(c, p) == FirstIn(aim[c], in_sync(p, c))

preferred(c, p) == FirstIn(assigned[c, p], Elements(assigned[c, p]))

staying(p, c) == isr[p] \ shutting_down[c]

reachable(c, p) == live[c] \ lost[c, p]

takes_over(c, p) == FirstIn(assigned[c, p], staying(p, c) \intersect reachable(c, p))

nobody_leads(how, c, p) == (offline_election(how) /\ clean(c, p) = None /\ (~may_be_unclean(p, c, how) \/ anyone(c, p) =
  None)) \/ (how = "REASSIGN" /\ moving_to(c, p) = None) \/ (how = "PREFERRED" /\ preferred(c, p) \notin in_sync(p, c))
  \/ (how = "SHUTDOWN" /\ takes_over(c, p) = None)

called_2(c, r, p, to_2) == acting[c] /\ r \in due_replicas[c, p] /\ ((call[c] = "CREATE_REPLICAS" /\ to_2 = "NEW") \/
  (call[c] = "CREATE_ONLINE" /\ to_2 = "ONLINE") \/ (call[c] = "FAIL_REPLICAS" /\ to_2 = "OFFLINE") \/ (call[c] =
  "FAIL_DELETION" /\ to_2 = "DELETION_INELIGIBLE") \/ (call[c] = "START_REPLICAS" /\ to_2 = "ONLINE") \/ (call[c] =
  "LISTED" /\ to_2 = "ONLINE") \/ (call[c] = "OVER_ONLINE" /\ to_2 = "ONLINE") \/ (call[c] = "OVER_OFFLINE" /\ to_2 =
  "OFFLINE") \/ (call[c] = "SHUTDOWN_FOLLOWERS" /\ to_2 = "OFFLINE") \/ (call[c] = "UNNEEDED_OFFLINE" /\ to_2 =
  "OFFLINE") \/ (call[c] = "UNNEEDED_STARTED" /\ to_2 = "DELETION_STARTED") \/ (call[c] = "UNNEEDED_SUCCESSFUL" /\ to_2
  = "DELETION_SUCCESSFUL") \/ (call[c] = "UNNEEDED_GONE" /\ to_2 = "NONEXISTENT") \/ (call[c] = "ADD_NEW" /\ to_2 =
  "NEW") \/ (call[c] = "ADD_ONLINE" /\ to_2 = "ONLINE") \/ (call[c] = "REMOVE_OFFLINE" /\ to_2 = "OFFLINE") \/ (call[c]
  = "REMOVE_STARTED" /\ to_2 = "DELETION_STARTED") \/ (call[c] = "REMOVE_SUCCESSFUL" /\ to_2 = "DELETION_SUCCESSFUL") \/
  (call[c] = "REMOVE_GONE" /\ to_2 = "NONEXISTENT") \/ (call[c] = "DELETE_RETRY" /\ to_2 = "OFFLINE") \/ (call[c] =
  "DELETE_INELIGIBLE" /\ to_2 = "DELETION_INELIGIBLE") \/ (call[c] = "DELETE_REPLICAS" /\ to_2 = "OFFLINE") \/ (call[c]
  = "DELETE_STARTED" /\ to_2 = "DELETION_STARTED") \/ (call[c] = "DELETE_ANSWERED" /\ to_2 = "DELETION_SUCCESSFUL") \/
  (call[c] = "DELETE_FAILED" /\ to_2 = "DELETION_INELIGIBLE") \/ (call[c] = "DELETE_REPLICAS_GONE" /\ to_2 =
  "NONEXISTENT"))

legal_2(to_2, c, p, r) == (to_2 = "NEW" /\ replica_state[c, p, r] = "NONEXISTENT") \/ (to_2 = "ONLINE" /\
  (replica_state[c, p, r] = "NEW" \/ replica_state[c, p, r] = "ONLINE" \/ replica_state[c, p, r] = "OFFLINE" \/
  replica_state[c, p, r] = "DELETION_INELIGIBLE")) \/ (to_2 = "OFFLINE" /\ (replica_state[c, p, r] = "NEW" \/
  replica_state[c, p, r] = "ONLINE" \/ replica_state[c, p, r] = "OFFLINE" \/ replica_state[c, p, r] =
  "DELETION_INELIGIBLE")) \/ (to_2 = "DELETION_STARTED" /\ replica_state[c, p, r] = "OFFLINE") \/ (to_2 =
  "DELETION_SUCCESSFUL" /\ replica_state[c, p, r] = "DELETION_STARTED") \/ (to_2 = "DELETION_INELIGIBLE" /\
  (replica_state[c, p, r] = "OFFLINE" \/ replica_state[c, p, r] = "DELETION_STARTED")) \/ (to_2 = "NONEXISTENT" /\
  replica_state[c, p, r] = "DELETION_SUCCESSFUL")

leads_on(p, r) == IF leader[p] = r THEN None ELSE leader[p]

left(p, r) == IF isr[p] = {r} THEN isr[p] ELSE isr[p] \ {r}

ready(c) == acting[c] /\ call[c] = "IDLE" /\ returning[c] = {}

fresh(q, c) == exists[q] /\ ~deleting[c, topic[q]] /\ assigned[c, q] = <<>> /\ partition_state[c, q] = "NONEXISTENT"

called_all(c) == acting[c] /\ (\A q \in Partition : ~due[c, q] /\ due_replicas[c, q] = {})

appeared(c) == {x \in Broker : alive[x] /\ x \notin live[c]}

bounced(c) == {x \in Broker : alive[x] /\ x \in live[c] /\ known_epoch[c, x] < broker_epoch[x]}

dead(c) == {x \in Broker : ~alive[x] /\ x \in live[c]}

failed_replicas(c, q) == (Elements(assigned[c, q]) \union lost[c, q]) \intersect subjects[c]

pausing(c) == acting[c] /\ call[c] = "IDLE"

leaderless_by(c, q, partitions, b) == knows[c, q] /\ ~deleting[c, topic[q]] /\ cached_leader[c, q] \notin online(c, q) \
  (IF q \in partitions THEN {b} ELSE {})

same(c, p, b, wanted, wants_recovering) == cached_leader[c, p] = b /\ wanted = cached_isr[c, p] /\ wants_recovering =
  recovering[p]

several(wanted) == \E x \in Broker, y \in Broker : x \in wanted /\ y \in wanted /\ x # y

fenced(c) == cut_off(c) \/ moved(c)

legal_3(c, p) == (partition_state[c, p]' = "NEW" /\ partition_state[c, p] = "NONEXISTENT") \/ (partition_state[c, p]' =
  "ONLINE" /\ (partition_state[c, p] = "NEW" \/ partition_state[c, p] = "ONLINE" \/ partition_state[c, p] = "OFFLINE"))
  \/ (partition_state[c, p]' = "OFFLINE" /\ (partition_state[c, p] = "NEW" \/ partition_state[c, p] = "ONLINE" \/
  partition_state[c, p] = "OFFLINE")) \/ (partition_state[c, p]' = "NONEXISTENT" /\ partition_state[c, p] = "OFFLINE")

legal_4(c, p, x) == (replica_state[c, p, x]' = "NEW" /\ replica_state[c, p, x] = "NONEXISTENT") \/ (replica_state[c, p,
  x]' = "ONLINE" /\ (replica_state[c, p, x] = "NEW" \/ replica_state[c, p, x] = "ONLINE" \/ replica_state[c, p, x] =
  "OFFLINE" \/ replica_state[c, p, x] = "DELETION_INELIGIBLE")) \/ (replica_state[c, p, x]' = "OFFLINE" /\
  (replica_state[c, p, x] = "NEW" \/ replica_state[c, p, x] = "ONLINE" \/ replica_state[c, p, x] = "OFFLINE" \/
  replica_state[c, p, x] = "DELETION_INELIGIBLE")) \/ (replica_state[c, p, x]' = "DELETION_STARTED" /\ replica_state[c,
  p, x] = "OFFLINE") \/ (replica_state[c, p, x]' = "DELETION_SUCCESSFUL" /\ replica_state[c, p, x] = "DELETION_STARTED")
  \/ (replica_state[c, p, x]' = "DELETION_INELIGIBLE" /\ (replica_state[c, p, x] = "OFFLINE" \/ replica_state[c, p, x] =
  "DELETION_STARTED")) \/ (replica_state[c, p, x]' = "NONEXISTENT" /\ replica_state[c, p, x] = "DELETION_SUCCESSFUL")

newest(c) == acting[c] /\ own_epoch[c] = controller_epoch

leaderless(c, p) == (partition_state[c, p] = "NEW" \/ partition_state[c, p] = "OFFLINE") /\ ~deleting[c, topic[p]]

writes(c) == newest(c) /\ session[c]

stays(p) == exists[p] /\ ~queued[topic[p]]

usable(p) == {x \in Broker : alive[x] /\ ~(\E c \in Controller : acting[c] /\ x \in lost[c, p])}

can_be_led(p) == stated[p] /\ isr[p] \intersect usable(p) # {}

served(p) == leader[p] \in usable(p) /\ (\E c \in Controller : elected = c /\ acting[c] /\ partition_state[c, p] =
  "ONLINE" /\ cached_leader[c, p] = leader[p])

at_work(c) == acting[c] /\ session[c] /\ call[c] # "IDLE"

completed(c) == call[c] = "LEAD" \/ call[c] = "MOVE_LEADER" \/ call[c] = "REMOVE_OFFLINE" \/ call[c] = "REMOVE_STARTED"
  \/ call[c] = "REMOVE_SUCCESSFUL" \/ call[c] = "REMOVE_GONE" \/ call[c] = "STORE"

ending(c) == call[c] = "DELETE_REPLICAS_GONE" \/ call[c] = "DELETE_ZNODES"

reassigning(c) == call[c] = "ASSIGN" \/ call[c] = "UNNEEDED_OFFLINE" \/ call[c] = "UNNEEDED_STARTED" \/ call[c] =
  "UNNEEDED_SUCCESSFUL" \/ call[c] = "UNNEEDED_GONE" \/ call[c] = "DECIDE" \/ call[c] = "BUMP" \/ call[c] = "ADD_NEW" \/
  call[c] = "ADD_ONLINE" \/ call[c] = "LEAD" \/ call[c] = "MOVE_LEADER" \/ call[c] = "REMOVE_OFFLINE" \/ call[c] =
  "REMOVE_STARTED" \/ call[c] = "REMOVE_SUCCESSFUL" \/ call[c] = "REMOVE_GONE" \/ call[c] = "STORE" \/ call[c] =
  "FINISH"

removing_now(c) == call[c] = "UNNEEDED_OFFLINE" \/ call[c] = "UNNEEDED_STARTED" \/ call[c] = "UNNEEDED_SUCCESSFUL" \/
  call[c] = "UNNEEDED_GONE" \/ call[c] = "LEAD" \/ call[c] = "MOVE_LEADER" \/ call[c] = "REMOVE_OFFLINE" \/ call[c] =
  "REMOVE_STARTED" \/ call[c] = "REMOVE_SUCCESSFUL" \/ call[c] = "REMOVE_GONE" \/ call[c] = "STORE"

\* The call has come to the partition, whatever became of it.
settled(c, p) ==
  {[at |-> <<c, p>>, to |-> FALSE]}

\* All that a controller remembers is dropped, with what waits in its send queues.
resign(c) ==
  [acting |-> {[at |-> c, to |-> FALSE]}, own_epoch |-> {[at |-> c, to |-> 0]}, live |-> {[at |-> c, to |-> {}]},
      shutting_down |-> {[at |-> c, to |-> {}]}, call |-> {[at |-> c, to |-> "IDLE"]}, subjects |-> {[at |-> c, to |->
      {}]}, returning |-> {[at |-> c, to |-> {}]}, aim |-> {[at |-> c, to |-> <<>>]}, known_epoch |-> {[at |-> <<c, x>>,
      to |-> 0] : x \in Broker}, deleting |-> {[at |-> <<c, t>>, to |-> FALSE] : t \in Topic}, ineligible |-> {[at |->
      <<c, t>>, to |-> FALSE] : t \in Topic}, partition_state |-> {[at |-> <<c, q>>, to |-> "NONEXISTENT"] : q \in
      Partition}, lost |-> {[at |-> <<c, q>>, to |-> {}] : q \in Partition}, assigned |-> {[at |-> <<c, q>>, to |->
      <<>>] : q \in Partition}, cached_adding |-> {[at |-> <<c, q>>, to |-> {}] : q \in Partition}, cached_removing |->
      {[at |-> <<c, q>>, to |-> {}] : q \in Partition}, knows |-> {[at |-> <<c, q>>, to |-> FALSE] : q \in Partition},
      cached_leader |-> {[at |-> <<c, q>>, to |-> None] : q \in Partition}, cached_isr |-> {[at |-> <<c, q>>, to |-> {}]
      : q \in Partition}, cached_leader_epoch |-> {[at |-> <<c, q>>, to |-> -1] : q \in Partition}, cached_version |->
      {[at |-> <<c, q>>, to |-> -1] : q \in Partition}, resumed |-> {[at |-> <<c, q>>, to |-> FALSE] : q \in Partition},
      about |-> {[at |-> <<c, q>>, to |-> FALSE] : q \in Partition}, due |-> {[at |-> <<c, q>>, to |-> FALSE] : q \in
      Partition}, due_replicas |-> {[at |-> <<c, q>>, to |-> {}] : q \in Partition}, replica_state |-> UNION {{[at |->
      <<c, q, y>>, to |-> "NONEXISTENT"] : y \in Broker} : q \in Partition}, stop_epoch |-> UNION {{[at |-> <<c, q, y>>,
      to |-> -1] : y \in Broker} : q \in Partition}]

\* The state znode is written under its version and the controller epoch's; what was written is cached.
lead(c, p, new_leader, new_isr, new_epoch, uncleanly) ==
  [state |-> {[partition |-> p, leader |-> new_leader, leader_epoch |-> new_epoch, isr |-> new_isr, controller_epoch |->
      own_epoch[c], recovering |-> uncleanly, version |-> version[p] + 1]}, knows |-> {[at |-> <<c, p>>, to |-> TRUE]},
      cached_leader |-> {[at |-> <<c, p>>, to |-> new_leader]}, cached_isr |-> {[at |-> <<c, p>>, to |-> new_isr]},
      cached_leader_epoch |-> {[at |-> <<c, p>>, to |-> new_epoch]}, cached_version |-> {[at |-> <<c, p>>, to |->
      version[p] + 1]}]

\* The operation ends where it is, and the controller goes on.
abandon(c) ==
  [call |-> {[at |-> c, to |-> "IDLE"]}, subjects |-> {[at |-> c, to |-> {}]}, aim |-> {[at |-> c, to |-> <<>>]}, about
      |-> {[at |-> <<c, q>>, to |-> FALSE] : q \in Partition}, due |-> {[at |-> <<c, q>>, to |-> FALSE] : q \in
      Partition}, due_replicas |-> {[at |-> <<c, q>>, to |-> {}] : q \in Partition}]

\* The call has come to the replica, whatever became of it.
settled_replica(c, p, r) ==
  {[at |-> <<c, p>>, to |-> due_replicas[c, p] \ {r}]}

\* The operation is over.
finish(c) ==
  [call |-> {[at |-> c, to |-> "IDLE"]}, subjects |-> {[at |-> c, to |-> {}]}, aim |-> {[at |-> c, to |-> <<>>]}, about
      |-> {[at |-> <<c, q>>, to |-> FALSE] : q \in Partition}]

\* The call is about the replicas on these brokers.
replicas_on(c, brokers) ==
  {[at |-> <<c, q>>, to |-> Elements(assigned[c, q]) \intersect brokers] : q \in Partition}

\* The failure of brokers begins: what they lead goes Offline.
fail(c, brokers) ==
  LET
    online_2(q) == (live[c] \ shutting_down[c]) \ lost[c, q]
    leaderless_by_2(q) == knows[c, q] /\ ~deleting[c, topic[q]] /\ cached_leader[c, q] \notin online_2(q) \ brokers
  IN
    [live |-> {[at |-> c, to |-> live[c] \ brokers]}, shutting_down |-> {[at |-> c, to |-> shutting_down[c] \ brokers]},
        subjects |-> {[at |-> c, to |-> brokers]}, call |-> {[at |-> c, to |-> "FAIL_OFFLINE"]}, lost |-> {[at |-> <<c,
        q>>, to |-> lost[c, q] \ brokers] : q \in Partition}, about |-> {[at |-> <<c, q>>, to |-> TRUE] : q \in
        Partition}, due |-> {[at |-> <<c, q>>, to |-> leaderless_by_2(q)] : q \in Partition}]

\* The call is about every partition that waits for a leader.
elect_leaderless(c) ==
  LET
    leaderless_2(q) == (partition_state[c, q] = "NEW" \/ partition_state[c, q] = "OFFLINE") /\ ~deleting[c, topic[q]]
  IN
    {[at |-> <<c, q>>, to |-> TRUE] : q \in {q \in Partition : leaderless_2(q)}}

state_replayed(written) ==
  /\ stated' = Put(stated, {[at |-> r.partition, to |-> TRUE] : r \in written})
  /\ leader' = Put(leader, {[at |-> r.partition, to |-> r.leader] : r \in written})
  /\ leader_epoch' = Put(leader_epoch, {[at |-> r.partition, to |-> r.leader_epoch] : r \in written})
  /\ isr' = Put(isr, {[at |-> r.partition, to |-> r.isr] : r \in written})
  /\ written_in' = Put(written_in, {[at |-> r.partition, to |-> r.controller_epoch] : r \in written})
  /\ recovering' = Put(recovering, {[at |-> r.partition, to |-> r.recovering] : r \in written})
  /\ version' = Put(version, {[at |-> r.partition, to |-> r.version] : r \in written})
  /\ leader_epoch' \in [Partition -> leader_epoch_2]
  /\ written_in' \in [Partition -> controller_epoch_2]
  /\ version' \in [Partition -> version_2]

ZP2n_applies(c, p) == partition_state[c, p] = "NEW" /\ first_replicas(c, p) = {}

ZP2s_applies(c, p) == partition_state[c, p] = "NEW" /\ cut_off(c)

ZP2m_applies(c, p) == partition_state[c, p] = "NEW" /\ moved(c)

ZP3h_applies(c, how) == moved(c) /\ how = "SHUTDOWN"

ZP3o_applies(how, c, p) == offline_election(how) /\ clean(c, p) # None

ZR1l_applies(to_2, c, p, r) == to_2 = "NEW" /\ knows[c, p] /\ cached_leader[c, p] = r

ZR2_applies(to_2, c, p, r) == to_2 = "ONLINE" /\ replica_state[c, p, r] = "NEW"

ZR4k_applies(to_2, c, p) == to_2 = "OFFLINE" /\ ~knows[c, p]

ZR4s_applies(to_2, c) == to_2 = "OFFLINE" /\ cut_off(c)

ZR4x_applies(to_2, p) == to_2 = "OFFLINE" /\ ~stated[p]

ZR4c_applies(to_2, c, p) == to_2 = "OFFLINE" /\ own_epoch[c] < written_in[p]

ZR4i_applies(to_2, r, p) == to_2 = "OFFLINE" /\ r \notin isr[p]

ZR4h_applies(to_2, c) == to_2 = "OFFLINE" /\ moved(c) /\ call[c] = "SHUTDOWN_FOLLOWERS"

ZR4m_applies(to_2, c) == to_2 = "OFFLINE" /\ moved(c)

ZC10h_applies(wants_recovering, wanted) == wants_recovering /\ several(wanted)

ZC10i_applies(wants_recovering, p) == wants_recovering /\ ~recovering[p]

\* S4:17-33
ZP0_is_enabled(c, p, to_2, how) ==
  /\ called(c, p, to_2, how) = TRUE
  /\ (~legal(to_2, c, p)) = TRUE

ZP0(c, p, to_2, how) ==
  /\ ZP0_is_enabled(c, p, to_2, how)
  /\ due' = Put(due, settled(c, p))
  /\ UNCHANGED <<call, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, due_replicas,
         replica_state, stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* S4:18-19
ZP1_is_enabled(c, p, to_2, how) ==
  /\ called(c, p, to_2, how) = TRUE
  /\ to_2 = "NEW"
  /\ legal(to_2, c, p) = TRUE

ZP1(c, p, to_2, how) ==
  /\ ZP1_is_enabled(c, p, to_2, how)
  /\ due' = Put(due, settled(c, p))
  /\ partition_state' = [partition_state EXCEPT ![c, p] = "NEW"]
  /\ UNCHANGED <<call, assigned, live, shutting_down, lost, session, controller_epoch, subjects, returning, aim,
         known_epoch, ineligible, cached_adding, cached_removing, resumed, about, due_replicas, replica_state,
         stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* S4:30-31
ZP4_is_enabled(c, p, to_2, how) ==
  /\ called(c, p, to_2, how) = TRUE
  /\ to_2 = "OFFLINE"
  /\ legal(to_2, c, p) = TRUE
  /\ to_2 # "NEW"

ZP4(c, p, to_2, how) ==
  /\ ZP4_is_enabled(c, p, to_2, how)
  /\ due' = Put(due, settled(c, p))
  /\ partition_state' = [partition_state EXCEPT ![c, p] = "OFFLINE"]
  /\ UNCHANGED <<call, assigned, live, shutting_down, lost, session, controller_epoch, subjects, returning, aim,
         known_epoch, ineligible, cached_adding, cached_removing, resumed, about, due_replicas, replica_state,
         stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* S4:32-33
ZP5_is_enabled(c, p, to_2, how) ==
  /\ called(c, p, to_2, how) = TRUE
  /\ to_2 = "NONEXISTENT"
  /\ legal(to_2, c, p) = TRUE
  /\ to_2 # "NEW"
  /\ to_2 # "OFFLINE"

ZP5(c, p, to_2, how) ==
  /\ ZP5_is_enabled(c, p, to_2, how)
  /\ due' = Put(due, settled(c, p))
  /\ partition_state' = [partition_state EXCEPT ![c, p] = "NONEXISTENT"]
  /\ UNCHANGED <<call, assigned, live, shutting_down, lost, session, controller_epoch, subjects, returning, aim,
         known_epoch, ineligible, cached_adding, cached_removing, resumed, about, due_replicas, replica_state,
         stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* S4:17-33
ZP2n_is_enabled(c, p, to_2, how) ==
  /\ called(c, p, to_2, how) = TRUE
  /\ partition_state[c, p] = "NEW"
  /\ first_replicas(c, p) = {}
  /\ legal(to_2, c, p) = TRUE
  /\ to_2 # "NEW"
  /\ to_2 # "OFFLINE"
  /\ to_2 # "NONEXISTENT"

ZP2n(c, p, to_2, how) ==
  /\ ZP2n_is_enabled(c, p, to_2, how)
  /\ due' = Put(due, settled(c, p))
  /\ UNCHANGED <<call, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, due_replicas,
         replica_state, stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* S4:17-33
ZP2s_is_enabled(c, p, to_2, how) ==
  /\ called(c, p, to_2, how) = TRUE
  /\ partition_state[c, p] = "NEW"
  /\ cut_off(c) = TRUE
  /\ legal(to_2, c, p) = TRUE
  /\ to_2 # "NEW"
  /\ to_2 # "OFFLINE"
  /\ to_2 # "NONEXISTENT"
  /\ (~ZP2n_applies(c, p)) = TRUE

ZP2s(c, p, to_2, how) ==
  /\ ZP2s_is_enabled(c, p, to_2, how)
  /\ due' = Put(due, settled(c, p))
  /\ UNCHANGED <<call, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, due_replicas,
         replica_state, stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* S4:17-33
ZP2m_is_enabled(c, p, to_2, how) ==
  /\ called(c, p, to_2, how) = TRUE
  /\ partition_state[c, p] = "NEW"
  /\ moved(c) = TRUE
  /\ legal(to_2, c, p) = TRUE
  /\ to_2 # "NEW"
  /\ to_2 # "OFFLINE"
  /\ to_2 # "NONEXISTENT"
  /\ (~ZP2n_applies(c, p)) = TRUE
  /\ (~ZP2s_applies(c, p)) = TRUE

ZP2m(c, p, to_2, how) ==
  /\ ZP2m_is_enabled(c, p, to_2, how)
  /\ LET resign_1 == resign(c)
     IN
     /\ acting' = Put(acting, resign_1.acting)
     /\ own_epoch' = Put(own_epoch, resign_1.own_epoch)
     /\ live' = Put(live, resign_1.live)
     /\ shutting_down' = Put(shutting_down, resign_1.shutting_down)
     /\ call' = Put(call, resign_1.call)
     /\ subjects' = Put(subjects, resign_1.subjects)
     /\ returning' = Put(returning, resign_1.returning)
     /\ aim' = Put(aim, resign_1.aim)
     /\ known_epoch' = Put(known_epoch, resign_1.known_epoch)
     /\ deleting' = Put(deleting, resign_1.deleting)
     /\ ineligible' = Put(ineligible, resign_1.ineligible)
     /\ partition_state' = Put(partition_state, resign_1.partition_state)
     /\ lost' = Put(lost, resign_1.lost)
     /\ assigned' = Put(assigned, resign_1.assigned)
     /\ cached_adding' = Put(cached_adding, resign_1.cached_adding)
     /\ cached_removing' = Put(cached_removing, resign_1.cached_removing)
     /\ knows' = Put(knows, resign_1.knows)
     /\ cached_leader' = Put(cached_leader, resign_1.cached_leader)
     /\ cached_isr' = Put(cached_isr, resign_1.cached_isr)
     /\ cached_leader_epoch' = Put(cached_leader_epoch, resign_1.cached_leader_epoch)
     /\ cached_version' = Put(cached_version, resign_1.cached_version)
     /\ resumed' = Put(resumed, resign_1.resumed)
     /\ about' = Put(about, resign_1.about)
     /\ due' = Put(due, resign_1.due)
     /\ due_replicas' = Put(due_replicas, resign_1.due_replicas)
     /\ replica_state' = Put(replica_state, resign_1.replica_state)
     /\ stop_epoch' = Put(stop_epoch, resign_1.stop_epoch)
  /\ UNCHANGED <<session, controller_epoch, elected, alive, broker_epoch, exists, replicas, leader_epoch_and_others,
         never_written>>

\* S4:20-22
ZP2_is_enabled(c, p, to_2, how) ==
  /\ called(c, p, to_2, how) = TRUE
  /\ partition_state[c, p] = "NEW"
  /\ legal(to_2, c, p) = TRUE
  /\ to_2 # "NEW"
  /\ to_2 # "OFFLINE"
  /\ to_2 # "NONEXISTENT"
  /\ (~ZP2n_applies(c, p)) = TRUE
  /\ (~ZP2s_applies(c, p)) = TRUE
  /\ (~ZP2m_applies(c, p)) = TRUE

ZP2(c, p, to_2, how) ==
  /\ ZP2_is_enabled(c, p, to_2, how)
  /\ LET lead_1 == lead(c, p, FirstIn(assigned[c, p], online(c, p)), first_replicas(c, p), leader_epoch[p] + 1, FALSE)
     IN
     /\ state_replayed(lead_1.state)
     /\ knows' = Put(knows, lead_1.knows)
     /\ cached_leader' = Put(cached_leader, lead_1.cached_leader)
     /\ cached_isr' = Put(cached_isr, lead_1.cached_isr)
     /\ cached_leader_epoch' = Put(cached_leader_epoch, lead_1.cached_leader_epoch)
     /\ cached_version' = Put(cached_version, lead_1.cached_version)
     /\ due' = Put(due, settled(c, p))
     /\ partition_state' = [partition_state EXCEPT ![c, p] = "ONLINE"]
     /\ cached_leader_epoch' \in [Controller \X Partition -> leader_epoch_2]
     /\ cached_version' \in [Controller \X Partition -> version_2]
  /\ UNCHANGED <<call, assigned, live, shutting_down, lost, session, controller_epoch, subjects, returning, aim,
         known_epoch, ineligible, cached_adding, cached_removing, resumed, about, due_replicas, replica_state,
         stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, never_written>>

\* S4:17-33
ZP3s_is_enabled(c, p, to_2, how) ==
  /\ called(c, p, to_2, how) = TRUE
  /\ cut_off(c) = TRUE
  /\ legal(to_2, c, p) = TRUE
  /\ to_2 # "NEW"
  /\ to_2 # "OFFLINE"
  /\ to_2 # "NONEXISTENT"
  /\ (~ZP2n_applies(c, p)) = TRUE
  /\ (~ZP2s_applies(c, p)) = TRUE
  /\ (~ZP2m_applies(c, p)) = TRUE
  /\ partition_state[c, p] # "NEW"

ZP3s(c, p, to_2, how) ==
  /\ ZP3s_is_enabled(c, p, to_2, how)
  /\ due' = Put(due, settled(c, p))
  /\ UNCHANGED <<call, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, due_replicas,
         replica_state, stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* S4:17-33
ZP3x_is_enabled(c, p, to_2, how) ==
  /\ called(c, p, to_2, how) = TRUE
  /\ (~stated[p]) = TRUE
  /\ legal(to_2, c, p) = TRUE
  /\ to_2 # "NEW"
  /\ to_2 # "OFFLINE"
  /\ to_2 # "NONEXISTENT"
  /\ (~ZP2n_applies(c, p)) = TRUE
  /\ (~ZP2s_applies(c, p)) = TRUE
  /\ (~ZP2m_applies(c, p)) = TRUE
  /\ partition_state[c, p] # "NEW"
  /\ (~cut_off(c)) = TRUE

ZP3x(c, p, to_2, how) ==
  /\ ZP3x_is_enabled(c, p, to_2, how)
  /\ due' = Put(due, settled(c, p))
  /\ UNCHANGED <<call, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, due_replicas,
         replica_state, stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* S4:17-33
ZP3c_is_enabled(c, p, to_2, how) ==
  /\ called(c, p, to_2, how) = TRUE
  /\ own_epoch[c] < written_in[p]
  /\ legal(to_2, c, p) = TRUE
  /\ to_2 # "NEW"
  /\ to_2 # "OFFLINE"
  /\ to_2 # "NONEXISTENT"
  /\ (~ZP2n_applies(c, p)) = TRUE
  /\ (~ZP2s_applies(c, p)) = TRUE
  /\ (~ZP2m_applies(c, p)) = TRUE
  /\ partition_state[c, p] # "NEW"
  /\ (~cut_off(c)) = TRUE
  /\ stated[p]

ZP3c(c, p, to_2, how) ==
  /\ ZP3c_is_enabled(c, p, to_2, how)
  /\ due' = Put(due, settled(c, p))
  /\ UNCHANGED <<call, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, due_replicas,
         replica_state, stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* S4:17-33
ZP3n_is_enabled(c, p, to_2, how) ==
  /\ called(c, p, to_2, how) = TRUE
  /\ nobody_leads(how, c, p) = TRUE
  /\ legal(to_2, c, p) = TRUE
  /\ to_2 # "NEW"
  /\ to_2 # "OFFLINE"
  /\ to_2 # "NONEXISTENT"
  /\ (~ZP2n_applies(c, p)) = TRUE
  /\ (~ZP2s_applies(c, p)) = TRUE
  /\ (~ZP2m_applies(c, p)) = TRUE
  /\ partition_state[c, p] # "NEW"
  /\ (~cut_off(c)) = TRUE
  /\ stated[p]
  /\ (~(own_epoch[c] < written_in[p])) = TRUE

ZP3n(c, p, to_2, how) ==
  /\ ZP3n_is_enabled(c, p, to_2, how)
  /\ due' = Put(due, settled(c, p))
  /\ UNCHANGED <<call, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, due_replicas,
         replica_state, stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* S4:17-33
ZP3h_is_enabled(c, p, to_2, how) ==
  /\ called(c, p, to_2, how) = TRUE
  /\ moved(c) = TRUE
  /\ how = "SHUTDOWN"
  /\ legal(to_2, c, p) = TRUE
  /\ to_2 # "NEW"
  /\ to_2 # "OFFLINE"
  /\ to_2 # "NONEXISTENT"
  /\ (~ZP2n_applies(c, p)) = TRUE
  /\ (~ZP2s_applies(c, p)) = TRUE
  /\ (~ZP2m_applies(c, p)) = TRUE
  /\ partition_state[c, p] # "NEW"
  /\ (~cut_off(c)) = TRUE
  /\ stated[p]
  /\ (~(own_epoch[c] < written_in[p])) = TRUE
  /\ (~nobody_leads(how, c, p)) = TRUE

ZP3h(c, p, to_2, how) ==
  /\ ZP3h_is_enabled(c, p, to_2, how)
  /\ LET abandon_1 == abandon(c)
     IN
     /\ call' = Put(call, abandon_1.call)
     /\ subjects' = Put(subjects, abandon_1.subjects)
     /\ aim' = Put(aim, abandon_1.aim)
     /\ about' = Put(about, abandon_1.about)
     /\ due' = Put(due, abandon_1.due)
     /\ due_replicas' = Put(due_replicas, abandon_1.due_replicas)
  /\ UNCHANGED <<partition_state, assigned, live, shutting_down, lost, session, controller_epoch, returning,
         known_epoch, ineligible, cached_adding, cached_removing, resumed, replica_state, stop_epoch, elected, alive,
         broker_epoch, exists, replicas, acting_and_others, knows_and_others, leader_epoch_and_others, never_written>>

\* S4:17-33
ZP3m_is_enabled(c, p, to_2, how) ==
  /\ called(c, p, to_2, how) = TRUE
  /\ moved(c) = TRUE
  /\ legal(to_2, c, p) = TRUE
  /\ to_2 # "NEW"
  /\ to_2 # "OFFLINE"
  /\ to_2 # "NONEXISTENT"
  /\ (~ZP2n_applies(c, p)) = TRUE
  /\ (~ZP2s_applies(c, p)) = TRUE
  /\ (~ZP2m_applies(c, p)) = TRUE
  /\ partition_state[c, p] # "NEW"
  /\ (~cut_off(c)) = TRUE
  /\ stated[p]
  /\ (~(own_epoch[c] < written_in[p])) = TRUE
  /\ (~nobody_leads(how, c, p)) = TRUE
  /\ (~ZP3h_applies(c, how)) = TRUE

ZP3m(c, p, to_2, how) ==
  /\ ZP3m_is_enabled(c, p, to_2, how)
  /\ LET resign_1 == resign(c)
     IN
     /\ acting' = Put(acting, resign_1.acting)
     /\ own_epoch' = Put(own_epoch, resign_1.own_epoch)
     /\ live' = Put(live, resign_1.live)
     /\ shutting_down' = Put(shutting_down, resign_1.shutting_down)
     /\ call' = Put(call, resign_1.call)
     /\ subjects' = Put(subjects, resign_1.subjects)
     /\ returning' = Put(returning, resign_1.returning)
     /\ aim' = Put(aim, resign_1.aim)
     /\ known_epoch' = Put(known_epoch, resign_1.known_epoch)
     /\ deleting' = Put(deleting, resign_1.deleting)
     /\ ineligible' = Put(ineligible, resign_1.ineligible)
     /\ partition_state' = Put(partition_state, resign_1.partition_state)
     /\ lost' = Put(lost, resign_1.lost)
     /\ assigned' = Put(assigned, resign_1.assigned)
     /\ cached_adding' = Put(cached_adding, resign_1.cached_adding)
     /\ cached_removing' = Put(cached_removing, resign_1.cached_removing)
     /\ knows' = Put(knows, resign_1.knows)
     /\ cached_leader' = Put(cached_leader, resign_1.cached_leader)
     /\ cached_isr' = Put(cached_isr, resign_1.cached_isr)
     /\ cached_leader_epoch' = Put(cached_leader_epoch, resign_1.cached_leader_epoch)
     /\ cached_version' = Put(cached_version, resign_1.cached_version)
     /\ resumed' = Put(resumed, resign_1.resumed)
     /\ about' = Put(about, resign_1.about)
     /\ due' = Put(due, resign_1.due)
     /\ due_replicas' = Put(due_replicas, resign_1.due_replicas)
     /\ replica_state' = Put(replica_state, resign_1.replica_state)
     /\ stop_epoch' = Put(stop_epoch, resign_1.stop_epoch)
  /\ UNCHANGED <<session, controller_epoch, elected, alive, broker_epoch, exists, replicas, leader_epoch_and_others,
         never_written>>

\* S4:25
ZP3o_is_enabled(c, p, to_2, how) ==
  /\ called(c, p, to_2, how) = TRUE
  /\ offline_election(how) = TRUE
  /\ clean(c, p) # None
  /\ legal(to_2, c, p) = TRUE
  /\ to_2 # "NEW"
  /\ to_2 # "OFFLINE"
  /\ to_2 # "NONEXISTENT"
  /\ (~ZP2n_applies(c, p)) = TRUE
  /\ (~ZP2s_applies(c, p)) = TRUE
  /\ (~ZP2m_applies(c, p)) = TRUE
  /\ partition_state[c, p] # "NEW"
  /\ (~cut_off(c)) = TRUE
  /\ stated[p]
  /\ (~(own_epoch[c] < written_in[p])) = TRUE
  /\ (~nobody_leads(how, c, p)) = TRUE
  /\ (~ZP3h_applies(c, how)) = TRUE
  /\ (~moved(c)) = TRUE

ZP3o(c, p, to_2, how) ==
  /\ ZP3o_is_enabled(c, p, to_2, how)
  /\ LET lead_1 == lead(c, p, clean(c, p), in_sync(p, c), leader_epoch[p] + 1, recovering[p])
     IN
     /\ state_replayed(lead_1.state)
     /\ knows' = Put(knows, lead_1.knows)
     /\ cached_leader' = Put(cached_leader, lead_1.cached_leader)
     /\ cached_isr' = Put(cached_isr, lead_1.cached_isr)
     /\ cached_leader_epoch' = Put(cached_leader_epoch, lead_1.cached_leader_epoch)
     /\ cached_version' = Put(cached_version, lead_1.cached_version)
     /\ due' = Put(due, settled(c, p))
     /\ partition_state' = [partition_state EXCEPT ![c, p] = "ONLINE"]
     /\ cached_leader_epoch' \in [Controller \X Partition -> leader_epoch_2]
     /\ cached_version' \in [Controller \X Partition -> version_2]
  /\ UNCHANGED <<call, assigned, live, shutting_down, lost, session, controller_epoch, subjects, returning, aim,
         known_epoch, ineligible, cached_adding, cached_removing, resumed, about, due_replicas, replica_state,
         stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, never_written>>

\* S4:25
ZP3u_is_enabled(c, p, to_2, how) ==
  /\ called(c, p, to_2, how) = TRUE
  /\ offline_election(how) = TRUE
  /\ legal(to_2, c, p) = TRUE
  /\ to_2 # "NEW"
  /\ to_2 # "OFFLINE"
  /\ to_2 # "NONEXISTENT"
  /\ (~ZP2n_applies(c, p)) = TRUE
  /\ (~ZP2s_applies(c, p)) = TRUE
  /\ (~ZP2m_applies(c, p)) = TRUE
  /\ partition_state[c, p] # "NEW"
  /\ (~cut_off(c)) = TRUE
  /\ stated[p]
  /\ (~(own_epoch[c] < written_in[p])) = TRUE
  /\ (~nobody_leads(how, c, p)) = TRUE
  /\ (~ZP3h_applies(c, how)) = TRUE
  /\ (~moved(c)) = TRUE
  /\ (~ZP3o_applies(how, c, p)) = TRUE

ZP3u(c, p, to_2, how) ==
  /\ ZP3u_is_enabled(c, p, to_2, how)
  /\ LET lead_1 == lead(c, p, anyone(c, p), {anyone(c, p)} \ {None}, leader_epoch[p] + 1, TRUE)
     IN
     /\ state_replayed(lead_1.state)
     /\ knows' = Put(knows, lead_1.knows)
     /\ cached_leader' = Put(cached_leader, lead_1.cached_leader)
     /\ cached_isr' = Put(cached_isr, lead_1.cached_isr)
     /\ cached_leader_epoch' = Put(cached_leader_epoch, lead_1.cached_leader_epoch)
     /\ cached_version' = Put(cached_version, lead_1.cached_version)
     /\ due' = Put(due, settled(c, p))
     /\ partition_state' = [partition_state EXCEPT ![c, p] = "ONLINE"]
     /\ cached_leader_epoch' \in [Controller \X Partition -> leader_epoch_2]
     /\ cached_version' \in [Controller \X Partition -> version_2]
  /\ UNCHANGED <<call, assigned, live, shutting_down, lost, session, controller_epoch, subjects, returning, aim,
         known_epoch, ineligible, cached_adding, cached_removing, resumed, about, due_replicas, replica_state,
         stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, never_written>>

\* S4:26
ZP3r_is_enabled(c, p, to_2, how) ==
  /\ called(c, p, to_2, how) = TRUE
  /\ how = "REASSIGN"
  /\ legal(to_2, c, p) = TRUE
  /\ to_2 # "NEW"
  /\ to_2 # "OFFLINE"
  /\ to_2 # "NONEXISTENT"
  /\ (~ZP2n_applies(c, p)) = TRUE
  /\ (~ZP2s_applies(c, p)) = TRUE
  /\ (~ZP2m_applies(c, p)) = TRUE
  /\ partition_state[c, p] # "NEW"
  /\ (~cut_off(c)) = TRUE
  /\ stated[p]
  /\ (~(own_epoch[c] < written_in[p])) = TRUE
  /\ (~nobody_leads(how, c, p)) = TRUE
  /\ (~ZP3h_applies(c, how)) = TRUE
  /\ (~moved(c)) = TRUE
  /\ (~ZP3o_applies(how, c, p)) = TRUE
  /\ (~offline_election(how)) = TRUE

ZP3r(c, p, to_2, how) ==
  /\ ZP3r_is_enabled(c, p, to_2, how)
  /\ LET lead_1 == lead(c, p, moving_to(c, p), isr[p], leader_epoch[p] + 1, recovering[p])
     IN
     /\ state_replayed(lead_1.state)
     /\ knows' = Put(knows, lead_1.knows)
     /\ cached_leader' = Put(cached_leader, lead_1.cached_leader)
     /\ cached_isr' = Put(cached_isr, lead_1.cached_isr)
     /\ cached_leader_epoch' = Put(cached_leader_epoch, lead_1.cached_leader_epoch)
     /\ cached_version' = Put(cached_version, lead_1.cached_version)
     /\ due' = Put(due, settled(c, p))
     /\ partition_state' = [partition_state EXCEPT ![c, p] = "ONLINE"]
     /\ cached_leader_epoch' \in [Controller \X Partition -> leader_epoch_2]
     /\ cached_version' \in [Controller \X Partition -> version_2]
  /\ UNCHANGED <<call, assigned, live, shutting_down, lost, session, controller_epoch, subjects, returning, aim,
         known_epoch, ineligible, cached_adding, cached_removing, resumed, about, due_replicas, replica_state,
         stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, never_written>>

\* S4:27
ZP3p_is_enabled(c, p, to_2, how) ==
  /\ called(c, p, to_2, how) = TRUE
  /\ how = "PREFERRED"
  /\ legal(to_2, c, p) = TRUE
  /\ to_2 # "NEW"
  /\ to_2 # "OFFLINE"
  /\ to_2 # "NONEXISTENT"
  /\ (~ZP2n_applies(c, p)) = TRUE
  /\ (~ZP2s_applies(c, p)) = TRUE
  /\ (~ZP2m_applies(c, p)) = TRUE
  /\ partition_state[c, p] # "NEW"
  /\ (~cut_off(c)) = TRUE
  /\ stated[p]
  /\ (~(own_epoch[c] < written_in[p])) = TRUE
  /\ (~nobody_leads(how, c, p)) = TRUE
  /\ (~ZP3h_applies(c, how)) = TRUE
  /\ (~moved(c)) = TRUE
  /\ (~ZP3o_applies(how, c, p)) = TRUE
  /\ (~offline_election(how)) = TRUE
  /\ how # "REASSIGN"

ZP3p(c, p, to_2, how) ==
  /\ ZP3p_is_enabled(c, p, to_2, how)
  /\ LET lead_1 == lead(c, p, preferred(c, p), isr[p], leader_epoch[p] + 1, recovering[p])
     IN
     /\ state_replayed(lead_1.state)
     /\ knows' = Put(knows, lead_1.knows)
     /\ cached_leader' = Put(cached_leader, lead_1.cached_leader)
     /\ cached_isr' = Put(cached_isr, lead_1.cached_isr)
     /\ cached_leader_epoch' = Put(cached_leader_epoch, lead_1.cached_leader_epoch)
     /\ cached_version' = Put(cached_version, lead_1.cached_version)
     /\ due' = Put(due, settled(c, p))
     /\ partition_state' = [partition_state EXCEPT ![c, p] = "ONLINE"]
     /\ cached_leader_epoch' \in [Controller \X Partition -> leader_epoch_2]
     /\ cached_version' \in [Controller \X Partition -> version_2]
  /\ UNCHANGED <<call, assigned, live, shutting_down, lost, session, controller_epoch, subjects, returning, aim,
         known_epoch, ineligible, cached_adding, cached_removing, resumed, about, due_replicas, replica_state,
         stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, never_written>>

\* S4:28
ZP3d_is_enabled(c, p, to_2, how) ==
  /\ called(c, p, to_2, how) = TRUE
  /\ how = "SHUTDOWN"
  /\ legal(to_2, c, p) = TRUE
  /\ to_2 # "NEW"
  /\ to_2 # "OFFLINE"
  /\ to_2 # "NONEXISTENT"
  /\ (~ZP2n_applies(c, p)) = TRUE
  /\ (~ZP2s_applies(c, p)) = TRUE
  /\ (~ZP2m_applies(c, p)) = TRUE
  /\ partition_state[c, p] # "NEW"
  /\ (~cut_off(c)) = TRUE
  /\ stated[p]
  /\ (~(own_epoch[c] < written_in[p])) = TRUE
  /\ (~nobody_leads(how, c, p)) = TRUE
  /\ (~ZP3h_applies(c, how)) = TRUE
  /\ (~moved(c)) = TRUE
  /\ (~ZP3o_applies(how, c, p)) = TRUE
  /\ (~offline_election(how)) = TRUE
  /\ how # "REASSIGN"
  /\ how # "PREFERRED"

ZP3d(c, p, to_2, how) ==
  /\ ZP3d_is_enabled(c, p, to_2, how)
  /\ LET lead_1 == lead(c, p, takes_over(c, p), staying(p, c), leader_epoch[p] + 1, recovering[p])
     IN
     /\ state_replayed(lead_1.state)
     /\ knows' = Put(knows, lead_1.knows)
     /\ cached_leader' = Put(cached_leader, lead_1.cached_leader)
     /\ cached_isr' = Put(cached_isr, lead_1.cached_isr)
     /\ cached_leader_epoch' = Put(cached_leader_epoch, lead_1.cached_leader_epoch)
     /\ cached_version' = Put(cached_version, lead_1.cached_version)
     /\ due' = Put(due, settled(c, p))
     /\ partition_state' = [partition_state EXCEPT ![c, p] = "ONLINE"]
     /\ cached_leader_epoch' \in [Controller \X Partition -> leader_epoch_2]
     /\ cached_version' \in [Controller \X Partition -> version_2]
  /\ UNCHANGED <<call, assigned, live, shutting_down, lost, session, controller_epoch, subjects, returning, aim,
         known_epoch, ineligible, cached_adding, cached_removing, resumed, about, due_replicas, replica_state,
         stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, never_written>>

\* S4:43-55
ZR0_is_enabled(c, p, r, to_2) ==
  /\ called_2(c, r, p, to_2) = TRUE
  /\ (~legal_2(to_2, c, p, r)) = TRUE

ZR0(c, p, r, to_2) ==
  /\ ZR0_is_enabled(c, p, r, to_2)
  /\ due_replicas' = Put(due_replicas, settled_replica(c, p, r))
  /\ UNCHANGED <<due, call, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, replica_state,
         stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* S4:43-55
ZR1l_is_enabled(c, p, r, to_2) ==
  /\ called_2(c, r, p, to_2) = TRUE
  /\ to_2 = "NEW"
  /\ knows[c, p]
  /\ cached_leader[c, p] = r
  /\ legal_2(to_2, c, p, r) = TRUE

ZR1l(c, p, r, to_2) ==
  /\ ZR1l_is_enabled(c, p, r, to_2)
  /\ due_replicas' = Put(due_replicas, settled_replica(c, p, r))
  /\ UNCHANGED <<due, call, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, replica_state,
         stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* S4:45-46
ZR1_is_enabled(c, p, r, to_2) ==
  /\ called_2(c, r, p, to_2) = TRUE
  /\ to_2 = "NEW"
  /\ legal_2(to_2, c, p, r) = TRUE
  /\ (~ZR1l_applies(to_2, c, p, r)) = TRUE

ZR1(c, p, r, to_2) ==
  /\ ZR1_is_enabled(c, p, r, to_2)
  /\ due_replicas' = Put(due_replicas, settled_replica(c, p, r))
  /\ replica_state' = [replica_state EXCEPT ![c, p, r] = "NEW"]
  /\ UNCHANGED <<due, call, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, stop_epoch, elected,
         alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others, leader_epoch_and_others,
         never_written>>

\* S4:47-48
ZR2_is_enabled(c, p, r, to_2) ==
  /\ called_2(c, r, p, to_2) = TRUE
  /\ to_2 = "ONLINE"
  /\ replica_state[c, p, r] = "NEW"
  /\ legal_2(to_2, c, p, r) = TRUE
  /\ (~ZR1l_applies(to_2, c, p, r)) = TRUE
  /\ to_2 # "NEW"

ZR2(c, p, r, to_2) ==
  /\ ZR2_is_enabled(c, p, r, to_2)
  /\ assigned' = [assigned EXCEPT ![c, p] = Join(assigned[c, p], OnlyItem(r))]
  /\ due_replicas' = Put(due_replicas, settled_replica(c, p, r))
  /\ replica_state' = [replica_state EXCEPT ![c, p, r] = "ONLINE"]
  /\ UNCHANGED <<due, call, partition_state, live, shutting_down, lost, session, controller_epoch, subjects, returning,
         aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, stop_epoch, elected, alive,
         broker_epoch, exists, replicas, acting_and_others, knows_and_others, leader_epoch_and_others, never_written>>

\* S4:49-50
ZR3_is_enabled(c, p, r, to_2) ==
  /\ called_2(c, r, p, to_2) = TRUE
  /\ to_2 = "ONLINE"
  /\ legal_2(to_2, c, p, r) = TRUE
  /\ (~ZR1l_applies(to_2, c, p, r)) = TRUE
  /\ to_2 # "NEW"
  /\ (~ZR2_applies(to_2, c, p, r)) = TRUE

ZR3(c, p, r, to_2) ==
  /\ ZR3_is_enabled(c, p, r, to_2)
  /\ due_replicas' = Put(due_replicas, settled_replica(c, p, r))
  /\ replica_state' = [replica_state EXCEPT ![c, p, r] = "ONLINE"]
  /\ UNCHANGED <<due, call, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, stop_epoch, elected,
         alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others, leader_epoch_and_others,
         never_written>>

\* S4:43-55
ZR4k_is_enabled(c, p, r, to_2) ==
  /\ called_2(c, r, p, to_2) = TRUE
  /\ to_2 = "OFFLINE"
  /\ (~knows[c, p]) = TRUE
  /\ legal_2(to_2, c, p, r) = TRUE
  /\ (~ZR1l_applies(to_2, c, p, r)) = TRUE
  /\ to_2 # "NEW"
  /\ (~ZR2_applies(to_2, c, p, r)) = TRUE
  /\ to_2 # "ONLINE"

ZR4k(c, p, r, to_2) ==
  /\ ZR4k_is_enabled(c, p, r, to_2)
  /\ stop_epoch' = [stop_epoch EXCEPT ![c, p, r] = IF deleting[c, topic[p]] THEN -1 ELSE cached_leader_epoch[c, p]]
  /\ due_replicas' = Put(due_replicas, settled_replica(c, p, r))
  /\ replica_state' = [replica_state EXCEPT ![c, p, r] = "OFFLINE"]
  /\ UNCHANGED <<due, call, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, elected, alive,
         broker_epoch, exists, replicas, acting_and_others, knows_and_others, leader_epoch_and_others, never_written>>

\* S4:43-55
ZR4s_is_enabled(c, p, r, to_2) ==
  /\ called_2(c, r, p, to_2) = TRUE
  /\ to_2 = "OFFLINE"
  /\ cut_off(c) = TRUE
  /\ legal_2(to_2, c, p, r) = TRUE
  /\ (~ZR1l_applies(to_2, c, p, r)) = TRUE
  /\ to_2 # "NEW"
  /\ (~ZR2_applies(to_2, c, p, r)) = TRUE
  /\ to_2 # "ONLINE"
  /\ (~ZR4k_applies(to_2, c, p)) = TRUE

ZR4s(c, p, r, to_2) ==
  /\ ZR4s_is_enabled(c, p, r, to_2)
  /\ stop_epoch' = [stop_epoch EXCEPT ![c, p, r] = IF deleting[c, topic[p]] THEN -1 ELSE cached_leader_epoch[c, p]]
  /\ due_replicas' = Put(due_replicas, settled_replica(c, p, r))
  /\ UNCHANGED <<due, call, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, replica_state,
         elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others, leader_epoch_and_others,
         never_written>>

\* S4:43-55
ZR4x_is_enabled(c, p, r, to_2) ==
  /\ called_2(c, r, p, to_2) = TRUE
  /\ to_2 = "OFFLINE"
  /\ (~stated[p]) = TRUE
  /\ legal_2(to_2, c, p, r) = TRUE
  /\ (~ZR1l_applies(to_2, c, p, r)) = TRUE
  /\ to_2 # "NEW"
  /\ (~ZR2_applies(to_2, c, p, r)) = TRUE
  /\ to_2 # "ONLINE"
  /\ (~ZR4k_applies(to_2, c, p)) = TRUE
  /\ (~ZR4s_applies(to_2, c)) = TRUE

ZR4x(c, p, r, to_2) ==
  /\ ZR4x_is_enabled(c, p, r, to_2)
  /\ stop_epoch' = [stop_epoch EXCEPT ![c, p, r] = IF deleting[c, topic[p]] THEN -1 ELSE cached_leader_epoch[c, p]]
  /\ due_replicas' = Put(due_replicas, settled_replica(c, p, r))
  /\ UNCHANGED <<due, call, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, replica_state,
         elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others, leader_epoch_and_others,
         never_written>>

\* S4:43-55
ZR4c_is_enabled(c, p, r, to_2) ==
  /\ called_2(c, r, p, to_2) = TRUE
  /\ to_2 = "OFFLINE"
  /\ own_epoch[c] < written_in[p]
  /\ legal_2(to_2, c, p, r) = TRUE
  /\ (~ZR1l_applies(to_2, c, p, r)) = TRUE
  /\ to_2 # "NEW"
  /\ (~ZR2_applies(to_2, c, p, r)) = TRUE
  /\ to_2 # "ONLINE"
  /\ (~ZR4k_applies(to_2, c, p)) = TRUE
  /\ (~ZR4s_applies(to_2, c)) = TRUE
  /\ (~ZR4x_applies(to_2, p)) = TRUE

ZR4c(c, p, r, to_2) ==
  /\ ZR4c_is_enabled(c, p, r, to_2)
  /\ stop_epoch' = [stop_epoch EXCEPT ![c, p, r] = IF deleting[c, topic[p]] THEN -1 ELSE cached_leader_epoch[c, p]]
  /\ due_replicas' = Put(due_replicas, settled_replica(c, p, r))
  /\ UNCHANGED <<due, call, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, replica_state,
         elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others, leader_epoch_and_others,
         never_written>>

\* S4:43-55
ZR4i_is_enabled(c, p, r, to_2) ==
  /\ called_2(c, r, p, to_2) = TRUE
  /\ to_2 = "OFFLINE"
  /\ r \notin isr[p]
  /\ legal_2(to_2, c, p, r) = TRUE
  /\ (~ZR1l_applies(to_2, c, p, r)) = TRUE
  /\ to_2 # "NEW"
  /\ (~ZR2_applies(to_2, c, p, r)) = TRUE
  /\ to_2 # "ONLINE"
  /\ (~ZR4k_applies(to_2, c, p)) = TRUE
  /\ (~ZR4s_applies(to_2, c)) = TRUE
  /\ (~ZR4x_applies(to_2, p)) = TRUE
  /\ (~ZR4c_applies(to_2, c, p)) = TRUE

ZR4i(c, p, r, to_2) ==
  /\ ZR4i_is_enabled(c, p, r, to_2)
  /\ stop_epoch' = [stop_epoch EXCEPT ![c, p, r] = IF deleting[c, topic[p]] THEN -1 ELSE cached_leader_epoch[c, p]]
  /\ due_replicas' = Put(due_replicas, settled_replica(c, p, r))
  /\ replica_state' = [replica_state EXCEPT ![c, p, r] = "OFFLINE"]
  /\ UNCHANGED <<due, call, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, elected, alive,
         broker_epoch, exists, replicas, acting_and_others, knows_and_others, leader_epoch_and_others, never_written>>

\* S4:43-55
ZR4h_is_enabled(c, p, r, to_2) ==
  /\ called_2(c, r, p, to_2) = TRUE
  /\ to_2 = "OFFLINE"
  /\ moved(c) = TRUE
  /\ call[c] = "SHUTDOWN_FOLLOWERS"
  /\ legal_2(to_2, c, p, r) = TRUE
  /\ (~ZR1l_applies(to_2, c, p, r)) = TRUE
  /\ to_2 # "NEW"
  /\ (~ZR2_applies(to_2, c, p, r)) = TRUE
  /\ to_2 # "ONLINE"
  /\ (~ZR4k_applies(to_2, c, p)) = TRUE
  /\ (~ZR4s_applies(to_2, c)) = TRUE
  /\ (~ZR4x_applies(to_2, p)) = TRUE
  /\ (~ZR4c_applies(to_2, c, p)) = TRUE
  /\ (~ZR4i_applies(to_2, r, p)) = TRUE

ZR4h(c, p, r, to_2) ==
  /\ ZR4h_is_enabled(c, p, r, to_2)
  /\ LET abandon_1 == abandon(c)
     IN
     /\ call' = Put(call, abandon_1.call)
     /\ subjects' = Put(subjects, abandon_1.subjects)
     /\ aim' = Put(aim, abandon_1.aim)
     /\ about' = Put(about, abandon_1.about)
     /\ due' = Put(due, abandon_1.due)
     /\ due_replicas' = Put(due_replicas, abandon_1.due_replicas)
  /\ UNCHANGED <<partition_state, assigned, live, shutting_down, lost, session, controller_epoch, returning,
         known_epoch, ineligible, cached_adding, cached_removing, resumed, replica_state, stop_epoch, elected, alive,
         broker_epoch, exists, replicas, acting_and_others, knows_and_others, leader_epoch_and_others, never_written>>

\* S4:43-55
ZR4m_is_enabled(c, p, r, to_2) ==
  /\ called_2(c, r, p, to_2) = TRUE
  /\ to_2 = "OFFLINE"
  /\ moved(c) = TRUE
  /\ legal_2(to_2, c, p, r) = TRUE
  /\ (~ZR1l_applies(to_2, c, p, r)) = TRUE
  /\ to_2 # "NEW"
  /\ (~ZR2_applies(to_2, c, p, r)) = TRUE
  /\ to_2 # "ONLINE"
  /\ (~ZR4k_applies(to_2, c, p)) = TRUE
  /\ (~ZR4s_applies(to_2, c)) = TRUE
  /\ (~ZR4x_applies(to_2, p)) = TRUE
  /\ (~ZR4c_applies(to_2, c, p)) = TRUE
  /\ (~ZR4i_applies(to_2, r, p)) = TRUE
  /\ (~ZR4h_applies(to_2, c)) = TRUE

ZR4m(c, p, r, to_2) ==
  /\ ZR4m_is_enabled(c, p, r, to_2)
  /\ LET resign_1 == resign(c)
     IN
     /\ acting' = Put(acting, resign_1.acting)
     /\ own_epoch' = Put(own_epoch, resign_1.own_epoch)
     /\ live' = Put(live, resign_1.live)
     /\ shutting_down' = Put(shutting_down, resign_1.shutting_down)
     /\ call' = Put(call, resign_1.call)
     /\ subjects' = Put(subjects, resign_1.subjects)
     /\ returning' = Put(returning, resign_1.returning)
     /\ aim' = Put(aim, resign_1.aim)
     /\ known_epoch' = Put(known_epoch, resign_1.known_epoch)
     /\ deleting' = Put(deleting, resign_1.deleting)
     /\ ineligible' = Put(ineligible, resign_1.ineligible)
     /\ partition_state' = Put(partition_state, resign_1.partition_state)
     /\ lost' = Put(lost, resign_1.lost)
     /\ assigned' = Put(assigned, resign_1.assigned)
     /\ cached_adding' = Put(cached_adding, resign_1.cached_adding)
     /\ cached_removing' = Put(cached_removing, resign_1.cached_removing)
     /\ knows' = Put(knows, resign_1.knows)
     /\ cached_leader' = Put(cached_leader, resign_1.cached_leader)
     /\ cached_isr' = Put(cached_isr, resign_1.cached_isr)
     /\ cached_leader_epoch' = Put(cached_leader_epoch, resign_1.cached_leader_epoch)
     /\ cached_version' = Put(cached_version, resign_1.cached_version)
     /\ resumed' = Put(resumed, resign_1.resumed)
     /\ about' = Put(about, resign_1.about)
     /\ due' = Put(due, resign_1.due)
     /\ due_replicas' = Put(due_replicas, resign_1.due_replicas)
     /\ replica_state' = Put(replica_state, resign_1.replica_state)
     /\ stop_epoch' = Put(stop_epoch, resign_1.stop_epoch)
  /\ UNCHANGED <<session, controller_epoch, elected, alive, broker_epoch, exists, replicas, leader_epoch_and_others,
         never_written>>

\* S4:51-53
ZR4_is_enabled(c, p, r, to_2) ==
  /\ called_2(c, r, p, to_2) = TRUE
  /\ to_2 = "OFFLINE"
  /\ legal_2(to_2, c, p, r) = TRUE
  /\ (~ZR1l_applies(to_2, c, p, r)) = TRUE
  /\ to_2 # "NEW"
  /\ (~ZR2_applies(to_2, c, p, r)) = TRUE
  /\ to_2 # "ONLINE"
  /\ (~ZR4k_applies(to_2, c, p)) = TRUE
  /\ (~ZR4s_applies(to_2, c)) = TRUE
  /\ (~ZR4x_applies(to_2, p)) = TRUE
  /\ (~ZR4c_applies(to_2, c, p)) = TRUE
  /\ (~ZR4i_applies(to_2, r, p)) = TRUE
  /\ (~ZR4h_applies(to_2, c)) = TRUE
  /\ (~ZR4m_applies(to_2, c)) = TRUE

ZR4(c, p, r, to_2) ==
  /\ ZR4_is_enabled(c, p, r, to_2)
  /\ LET lead_1 == lead(c, p, leads_on(p, r), left(p, r), leader_epoch[p] + 1, recovering[p])
     IN
     /\ state_replayed(lead_1.state)
     /\ knows' = Put(knows, lead_1.knows)
     /\ cached_leader' = Put(cached_leader, lead_1.cached_leader)
     /\ cached_isr' = Put(cached_isr, lead_1.cached_isr)
     /\ cached_leader_epoch' = Put(cached_leader_epoch, lead_1.cached_leader_epoch)
     /\ cached_version' = Put(cached_version, lead_1.cached_version)
     /\ stop_epoch' = [stop_epoch EXCEPT ![c, p, r] = IF deleting[c, topic[p]] THEN -1 ELSE cached_leader_epoch[c, p]]
     /\ due_replicas' = Put(due_replicas, settled_replica(c, p, r))
     /\ replica_state' = [replica_state EXCEPT ![c, p, r] = "OFFLINE"]
     /\ cached_leader_epoch' \in [Controller \X Partition -> leader_epoch_2]
     /\ cached_version' \in [Controller \X Partition -> version_2]
  /\ UNCHANGED <<due, call, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, elected, alive,
         broker_epoch, exists, replicas, acting_and_others, never_written>>

\* S4:54-55
ZR5_is_enabled(c, p, r, to_2) ==
  /\ called_2(c, r, p, to_2) = TRUE
  /\ to_2 = "DELETION_STARTED"
  /\ legal_2(to_2, c, p, r) = TRUE
  /\ (~ZR1l_applies(to_2, c, p, r)) = TRUE
  /\ to_2 # "NEW"
  /\ (~ZR2_applies(to_2, c, p, r)) = TRUE
  /\ to_2 # "ONLINE"
  /\ (~ZR4k_applies(to_2, c, p)) = TRUE
  /\ (~ZR4s_applies(to_2, c)) = TRUE
  /\ (~ZR4x_applies(to_2, p)) = TRUE
  /\ (~ZR4c_applies(to_2, c, p)) = TRUE
  /\ (~ZR4i_applies(to_2, r, p)) = TRUE
  /\ (~ZR4h_applies(to_2, c)) = TRUE
  /\ (~ZR4m_applies(to_2, c)) = TRUE
  /\ to_2 # "OFFLINE"

ZR5(c, p, r, to_2) ==
  /\ ZR5_is_enabled(c, p, r, to_2)
  /\ stop_epoch' = [stop_epoch EXCEPT ![c, p, r] = IF deleting[c, topic[p]] THEN -1 ELSE cached_leader_epoch[c, p]]
  /\ due_replicas' = Put(due_replicas, settled_replica(c, p, r))
  /\ replica_state' = [replica_state EXCEPT ![c, p, r] = "DELETION_STARTED"]
  /\ UNCHANGED <<due, call, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, elected, alive,
         broker_epoch, exists, replicas, acting_and_others, knows_and_others, leader_epoch_and_others, never_written>>

\* code
ZR6_is_enabled(c, p, r, to_2) ==
  /\ called_2(c, r, p, to_2) = TRUE
  /\ to_2 = "DELETION_SUCCESSFUL"
  /\ legal_2(to_2, c, p, r) = TRUE
  /\ (~ZR1l_applies(to_2, c, p, r)) = TRUE
  /\ to_2 # "NEW"
  /\ (~ZR2_applies(to_2, c, p, r)) = TRUE
  /\ to_2 # "ONLINE"
  /\ (~ZR4k_applies(to_2, c, p)) = TRUE
  /\ (~ZR4s_applies(to_2, c)) = TRUE
  /\ (~ZR4x_applies(to_2, p)) = TRUE
  /\ (~ZR4c_applies(to_2, c, p)) = TRUE
  /\ (~ZR4i_applies(to_2, r, p)) = TRUE
  /\ (~ZR4h_applies(to_2, c)) = TRUE
  /\ (~ZR4m_applies(to_2, c)) = TRUE
  /\ to_2 # "OFFLINE"
  /\ to_2 # "DELETION_STARTED"

ZR6(c, p, r, to_2) ==
  /\ ZR6_is_enabled(c, p, r, to_2)
  /\ due_replicas' = Put(due_replicas, settled_replica(c, p, r))
  /\ replica_state' = [replica_state EXCEPT ![c, p, r] = "DELETION_SUCCESSFUL"]
  /\ UNCHANGED <<due, call, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, stop_epoch, elected,
         alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others, leader_epoch_and_others,
         never_written>>

\* code
ZR7_is_enabled(c, p, r, to_2) ==
  /\ called_2(c, r, p, to_2) = TRUE
  /\ to_2 = "DELETION_INELIGIBLE"
  /\ legal_2(to_2, c, p, r) = TRUE
  /\ (~ZR1l_applies(to_2, c, p, r)) = TRUE
  /\ to_2 # "NEW"
  /\ (~ZR2_applies(to_2, c, p, r)) = TRUE
  /\ to_2 # "ONLINE"
  /\ (~ZR4k_applies(to_2, c, p)) = TRUE
  /\ (~ZR4s_applies(to_2, c)) = TRUE
  /\ (~ZR4x_applies(to_2, p)) = TRUE
  /\ (~ZR4c_applies(to_2, c, p)) = TRUE
  /\ (~ZR4i_applies(to_2, r, p)) = TRUE
  /\ (~ZR4h_applies(to_2, c)) = TRUE
  /\ (~ZR4m_applies(to_2, c)) = TRUE
  /\ to_2 # "OFFLINE"
  /\ to_2 # "DELETION_STARTED"
  /\ to_2 # "DELETION_SUCCESSFUL"

ZR7(c, p, r, to_2) ==
  /\ ZR7_is_enabled(c, p, r, to_2)
  /\ due_replicas' = Put(due_replicas, settled_replica(c, p, r))
  /\ replica_state' = [replica_state EXCEPT ![c, p, r] = "DELETION_INELIGIBLE"]
  /\ UNCHANGED <<due, call, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, stop_epoch, elected,
         alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others, leader_epoch_and_others,
         never_written>>

\* S4:54-55
ZR8_is_enabled(c, p, r, to_2) ==
  /\ called_2(c, r, p, to_2) = TRUE
  /\ to_2 = "NONEXISTENT"
  /\ legal_2(to_2, c, p, r) = TRUE
  /\ (~ZR1l_applies(to_2, c, p, r)) = TRUE
  /\ to_2 # "NEW"
  /\ (~ZR2_applies(to_2, c, p, r)) = TRUE
  /\ to_2 # "ONLINE"
  /\ (~ZR4k_applies(to_2, c, p)) = TRUE
  /\ (~ZR4s_applies(to_2, c)) = TRUE
  /\ (~ZR4x_applies(to_2, p)) = TRUE
  /\ (~ZR4c_applies(to_2, c, p)) = TRUE
  /\ (~ZR4i_applies(to_2, r, p)) = TRUE
  /\ (~ZR4h_applies(to_2, c)) = TRUE
  /\ (~ZR4m_applies(to_2, c)) = TRUE
  /\ to_2 # "OFFLINE"
  /\ to_2 # "DELETION_STARTED"
  /\ to_2 # "DELETION_SUCCESSFUL"
  /\ to_2 # "DELETION_INELIGIBLE"

ZR8(c, p, r, to_2) ==
  /\ ZR8_is_enabled(c, p, r, to_2)
  /\ assigned' = [assigned EXCEPT ![c, p] = KeepIn(assigned[c, p], Elements(assigned[c, p]) \ {r})]
  /\ cached_adding' = [cached_adding EXCEPT ![c, p] = cached_adding[c, p] \ {r}]
  /\ cached_removing' = [cached_removing EXCEPT ![c, p] = cached_removing[c, p] \ {r}]
  /\ due_replicas' = Put(due_replicas, settled_replica(c, p, r))
  /\ replica_state' = [replica_state EXCEPT ![c, p, r] = "NONEXISTENT"]
  /\ UNCHANGED <<due, call, partition_state, live, shutting_down, lost, session, controller_epoch, subjects, returning,
         aim, known_epoch, ineligible, resumed, about, stop_epoch, elected, alive, broker_epoch, exists, replicas,
         acting_and_others, knows_and_others, leader_epoch_and_others, never_written>>

\* ZooKeeper
SE1_is_enabled(c) ==
  /\ session[c]
  /\ Given_SessionExpired(c) = TRUE

SE1(c) ==
  /\ SE1_is_enabled(c)
  /\ session' = [session EXCEPT ![c] = FALSE]
  /\ elected' = IF elected = c THEN None ELSE elected
  /\ UNCHANGED <<due, call, partition_state, assigned, live, shutting_down, lost, controller_epoch, subjects, returning,
         aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, due_replicas, replica_state,
         stop_epoch, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* ZooKeeper
SE2_is_enabled(c) ==
  /\ (~session[c]) = TRUE
  /\ Given_SessionEstablished(c) = TRUE

SE2(c) ==
  /\ SE2_is_enabled(c)
  /\ LET resign_1 == resign(c)
     IN
     /\ session' = [session EXCEPT ![c] = TRUE]
     /\ acting' = Put(acting, resign_1.acting)
     /\ own_epoch' = Put(own_epoch, resign_1.own_epoch)
     /\ live' = Put(live, resign_1.live)
     /\ shutting_down' = Put(shutting_down, resign_1.shutting_down)
     /\ call' = Put(call, resign_1.call)
     /\ subjects' = Put(subjects, resign_1.subjects)
     /\ returning' = Put(returning, resign_1.returning)
     /\ aim' = Put(aim, resign_1.aim)
     /\ known_epoch' = Put(known_epoch, resign_1.known_epoch)
     /\ deleting' = Put(deleting, resign_1.deleting)
     /\ ineligible' = Put(ineligible, resign_1.ineligible)
     /\ partition_state' = Put(partition_state, resign_1.partition_state)
     /\ lost' = Put(lost, resign_1.lost)
     /\ assigned' = Put(assigned, resign_1.assigned)
     /\ cached_adding' = Put(cached_adding, resign_1.cached_adding)
     /\ cached_removing' = Put(cached_removing, resign_1.cached_removing)
     /\ knows' = Put(knows, resign_1.knows)
     /\ cached_leader' = Put(cached_leader, resign_1.cached_leader)
     /\ cached_isr' = Put(cached_isr, resign_1.cached_isr)
     /\ cached_leader_epoch' = Put(cached_leader_epoch, resign_1.cached_leader_epoch)
     /\ cached_version' = Put(cached_version, resign_1.cached_version)
     /\ resumed' = Put(resumed, resign_1.resumed)
     /\ about' = Put(about, resign_1.about)
     /\ due' = Put(due, resign_1.due)
     /\ due_replicas' = Put(due_replicas, resign_1.due_replicas)
     /\ replica_state' = Put(replica_state, resign_1.replica_state)
     /\ stop_epoch' = Put(stop_epoch, resign_1.stop_epoch)
  /\ UNCHANGED <<controller_epoch, elected, alive, broker_epoch, exists, replicas, leader_epoch_and_others,
         never_written>>

\* S4:106
SE3_is_enabled(c) ==
  /\ acting[c]
  /\ Given_Crash(c) = TRUE

SE3(c) ==
  /\ SE3_is_enabled(c)
  /\ LET resign_1 == resign(c)
     IN
     /\ acting' = Put(acting, resign_1.acting)
     /\ own_epoch' = Put(own_epoch, resign_1.own_epoch)
     /\ live' = Put(live, resign_1.live)
     /\ shutting_down' = Put(shutting_down, resign_1.shutting_down)
     /\ call' = Put(call, resign_1.call)
     /\ subjects' = Put(subjects, resign_1.subjects)
     /\ returning' = Put(returning, resign_1.returning)
     /\ aim' = Put(aim, resign_1.aim)
     /\ known_epoch' = Put(known_epoch, resign_1.known_epoch)
     /\ deleting' = Put(deleting, resign_1.deleting)
     /\ ineligible' = Put(ineligible, resign_1.ineligible)
     /\ partition_state' = Put(partition_state, resign_1.partition_state)
     /\ lost' = Put(lost, resign_1.lost)
     /\ assigned' = Put(assigned, resign_1.assigned)
     /\ cached_adding' = Put(cached_adding, resign_1.cached_adding)
     /\ cached_removing' = Put(cached_removing, resign_1.cached_removing)
     /\ knows' = Put(knows, resign_1.knows)
     /\ cached_leader' = Put(cached_leader, resign_1.cached_leader)
     /\ cached_isr' = Put(cached_isr, resign_1.cached_isr)
     /\ cached_leader_epoch' = Put(cached_leader_epoch, resign_1.cached_leader_epoch)
     /\ cached_version' = Put(cached_version, resign_1.cached_version)
     /\ resumed' = Put(resumed, resign_1.resumed)
     /\ about' = Put(about, resign_1.about)
     /\ due' = Put(due, resign_1.due)
     /\ due_replicas' = Put(due_replicas, resign_1.due_replicas)
     /\ replica_state' = Put(replica_state, resign_1.replica_state)
     /\ stop_epoch' = Put(stop_epoch, resign_1.stop_epoch)
  /\ UNCHANGED <<session, controller_epoch, elected, alive, broker_epoch, exists, replicas, leader_epoch_and_others,
         never_written>>

\* operators
SE4_is_enabled ==
  /\ elected # None
  /\ Given_DeleteController = TRUE

SE4 ==
  /\ SE4_is_enabled
  /\ elected' = None
  /\ UNCHANGED <<due, call, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, due_replicas,
         replica_state, stop_epoch, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* ZooKeeper
SE5_is_enabled(c) ==
  /\ elected = c
  /\ (~acting[c]) = TRUE
  /\ Given_SessionTimedOut(c) = TRUE

SE5(c) ==
  /\ SE5_is_enabled(c)
  /\ session' = [session EXCEPT ![c] = FALSE]
  /\ elected' = None
  /\ UNCHANGED <<due, call, partition_state, assigned, live, shutting_down, lost, controller_epoch, subjects, returning,
         aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, due_replicas, replica_state,
         stop_epoch, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* KAFKA-4447
ZC0r_is_enabled(c) ==
  /\ acting[c]
  /\ session[c]
  /\ elected # c

ZC0r(c) ==
  /\ ZC0r_is_enabled(c)
  /\ LET resign_1 == resign(c)
     IN
     /\ acting' = Put(acting, resign_1.acting)
     /\ own_epoch' = Put(own_epoch, resign_1.own_epoch)
     /\ live' = Put(live, resign_1.live)
     /\ shutting_down' = Put(shutting_down, resign_1.shutting_down)
     /\ call' = Put(call, resign_1.call)
     /\ subjects' = Put(subjects, resign_1.subjects)
     /\ returning' = Put(returning, resign_1.returning)
     /\ aim' = Put(aim, resign_1.aim)
     /\ known_epoch' = Put(known_epoch, resign_1.known_epoch)
     /\ deleting' = Put(deleting, resign_1.deleting)
     /\ ineligible' = Put(ineligible, resign_1.ineligible)
     /\ partition_state' = Put(partition_state, resign_1.partition_state)
     /\ lost' = Put(lost, resign_1.lost)
     /\ assigned' = Put(assigned, resign_1.assigned)
     /\ cached_adding' = Put(cached_adding, resign_1.cached_adding)
     /\ cached_removing' = Put(cached_removing, resign_1.cached_removing)
     /\ knows' = Put(knows, resign_1.knows)
     /\ cached_leader' = Put(cached_leader, resign_1.cached_leader)
     /\ cached_isr' = Put(cached_isr, resign_1.cached_isr)
     /\ cached_leader_epoch' = Put(cached_leader_epoch, resign_1.cached_leader_epoch)
     /\ cached_version' = Put(cached_version, resign_1.cached_version)
     /\ resumed' = Put(resumed, resign_1.resumed)
     /\ about' = Put(about, resign_1.about)
     /\ due' = Put(due, resign_1.due)
     /\ due_replicas' = Put(due_replicas, resign_1.due_replicas)
     /\ replica_state' = Put(replica_state, resign_1.replica_state)
     /\ stop_epoch' = Put(stop_epoch, resign_1.stop_epoch)
  /\ UNCHANGED <<session, controller_epoch, elected, alive, broker_epoch, exists, replicas, leader_epoch_and_others,
         never_written>>

\* S4:6,108-109,112
ZC0_is_enabled(c) ==
  /\ session[c]
  /\ (~acting[c]) = TRUE
  /\ elected = None
  /\ Given_Elect(c) = TRUE

ZC0(c) ==
  /\ ZC0_is_enabled(c)
  /\ controller_epoch <= Maxcontroller_epoch - 1
  /\ elected' = c
  /\ controller_epoch' = controller_epoch + 1
  /\ acting' = [acting EXCEPT ![c] = TRUE]
  /\ own_epoch' = [own_epoch EXCEPT ![c] = controller_epoch + 1]
  /\ live' = [live EXCEPT ![c] = {x \in Broker : alive[x]}]
  /\ known_epoch' = Put(known_epoch, {[at |-> <<c, x>>, to |-> broker_epoch[x]] : x \in {x \in Broker : alive[x]}})
  /\ deleting' = Put(deleting, {[at |-> <<c, t>>, to |-> TRUE] : t \in {t \in Topic : queued[t]}})
  /\ assigned' = Put(assigned, {[at |-> <<c, q>>, to |-> replicas[q]] : q \in {q \in Partition : exists[q]}})
  /\ cached_adding' = Put(cached_adding, {[at |-> <<c, q>>, to |-> adding[q]] : q \in {q \in Partition : exists[q]}})
  /\ cached_removing' = Put(cached_removing, {[at |-> <<c, q>>, to |-> removing[q]] : q \in {q \in Partition :
         exists[q]}})
  /\ knows' = Put(knows, {[at |-> <<c, q>>, to |-> stated[q]] : q \in {q \in Partition : exists[q]}})
  /\ cached_leader' = Put(cached_leader, {[at |-> <<c, q>>, to |-> leader[q]] : q \in {q \in Partition : exists[q]}})
  /\ cached_isr' = Put(cached_isr, {[at |-> <<c, q>>, to |-> isr[q]] : q \in {q \in Partition : exists[q]}})
  /\ cached_leader_epoch' = Put(cached_leader_epoch, {[at |-> <<c, q>>, to |-> leader_epoch[q]] : q \in {q \in Partition
         : exists[q]}})
  /\ cached_version' = Put(cached_version, {[at |-> <<c, q>>, to |-> version[q]] : q \in {q \in Partition : exists[q]}})
  /\ partition_state' = Put(partition_state, {[at |-> <<c, q>>, to |-> IF ~stated[q] THEN "NEW" ELSE IF leader[q] \in {x
         \in Broker : alive[x]} THEN "ONLINE" ELSE "OFFLINE"] : q \in {q \in Partition : exists[q]}})
  /\ replica_state' = Put(replica_state, UNION {{[at |-> <<c, q, y>>, to |-> IF alive[y] THEN "ONLINE" ELSE
         "DELETION_INELIGIBLE"] : y \in {y \in Broker : y \in Elements(replicas[q])}} : q \in {q \in Partition :
         exists[q]}})
  /\ due_replicas' = Put(due_replicas, {[at |-> <<c, q>>, to |-> Elements(replicas[q]) \intersect {x \in Broker :
         alive[x]}] : q \in {q \in Partition : exists[q]}})
  /\ call' = [call EXCEPT ![c] = "OVER_ONLINE"]
  /\ UNCHANGED <<due, shutting_down, lost, session, subjects, returning, aim, ineligible, resumed, about, stop_epoch,
         alive, broker_epoch, exists, replicas, leader_epoch_and_others, never_written>>

\* KIP-380
BR1_is_enabled(b, czxid) ==
  /\ broker_epoch[b] < czxid
  /\ (~alive[b]) = TRUE
  /\ Given_RegisterBroker(b, czxid) = TRUE

BR1(b, czxid) ==
  /\ BR1_is_enabled(b, czxid)
  /\ alive' = [alive EXCEPT ![b] = TRUE]
  /\ broker_epoch' = [broker_epoch EXCEPT ![b] = czxid]
  /\ UNCHANGED <<due, call, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, due_replicas,
         replica_state, stop_epoch, elected, exists, replicas, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* KIP-380
BR2_is_enabled(b, czxid) ==
  /\ broker_epoch[b] < czxid
  /\ (~alive[b]) = TRUE
  /\ Given_RegisterAgain(b, czxid) = TRUE

BR2(b, czxid) ==
  /\ BR2_is_enabled(b, czxid)
  /\ alive' = [alive EXCEPT ![b] = TRUE]
  /\ broker_epoch' = [broker_epoch EXCEPT ![b] = czxid]
  /\ UNCHANGED <<due, call, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, due_replicas,
         replica_state, stop_epoch, elected, exists, replicas, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* S4:40
BR3_is_enabled(b) ==
  /\ alive[b]
  /\ Given_BrokerGone(b) = TRUE

BR3(b) ==
  /\ BR3_is_enabled(b)
  /\ alive' = [alive EXCEPT ![b] = FALSE]
  /\ UNCHANGED <<due, call, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, due_replicas,
         replica_state, stop_epoch, elected, broker_epoch, exists, replicas, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* S4:59-60
CT1_is_enabled(p, target) ==
  /\ (~exists[p]) = TRUE
  /\ (~gone[p]) = TRUE
  /\ target # <<>>
  /\ Given_CreateTopic(p, target) = TRUE

CT1(p, target) ==
  /\ CT1_is_enabled(p, target)
  /\ exists' = [exists EXCEPT ![p] = TRUE]
  /\ replicas' = [replicas EXCEPT ![p] = target]
  /\ UNCHANGED <<due, call, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, due_replicas,
         replica_state, stop_epoch, elected, alive, broker_epoch, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* S4:65
ZC1a_is_enabled(c) ==
  /\ ready(c) = TRUE
  /\ session[c]
  /\ (\E q \in Partition : fresh(q, c)) = TRUE

ZC1a(c) ==
  /\ ZC1a_is_enabled(c)
  /\ assigned' = Put(assigned, {[at |-> <<c, q>>, to |-> replicas[q]] : q \in {q \in Partition : fresh(q, c)}})
  /\ about' = Put(about, {[at |-> <<c, q>>, to |-> TRUE] : q \in {q \in Partition : fresh(q, c)}})
  /\ due' = Put(due, {[at |-> <<c, q>>, to |-> TRUE] : q \in {q \in Partition : fresh(q, c)}})
  /\ call' = [call EXCEPT ![c] = "CREATE_PARTITIONS"]
  /\ UNCHANGED <<partition_state, live, shutting_down, lost, session, controller_epoch, subjects, returning, aim,
         known_epoch, ineligible, cached_adding, cached_removing, resumed, due_replicas, replica_state, stop_epoch,
         elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others, leader_epoch_and_others,
         never_written>>

\* S4:66
ZC1b_is_enabled(c) ==
  /\ called_all(c) = TRUE
  /\ call[c] = "CREATE_PARTITIONS"

ZC1b(c) ==
  /\ ZC1b_is_enabled(c)
  /\ call' = [call EXCEPT ![c] = "CREATE_REPLICAS"]
  /\ due_replicas' = Put(due_replicas, {[at |-> <<c, q>>, to |-> Elements(assigned[c, q])] : q \in {q \in Partition :
         about[c, q]}})
  /\ UNCHANGED <<due, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, replica_state,
         stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* S4:67
ZC1c_is_enabled(c) ==
  /\ called_all(c) = TRUE
  /\ call[c] = "CREATE_REPLICAS"

ZC1c(c) ==
  /\ ZC1c_is_enabled(c)
  /\ call' = [call EXCEPT ![c] = "CREATE_LEADERS"]
  /\ due' = Put(due, {[at |-> <<c, q>>, to |-> TRUE] : q \in {q \in Partition : about[c, q]}})
  /\ UNCHANGED <<partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects, returning,
         aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, due_replicas, replica_state,
         stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* S4:68
ZC1d_is_enabled(c) ==
  /\ called_all(c) = TRUE
  /\ call[c] = "CREATE_LEADERS"

ZC1d(c) ==
  /\ ZC1d_is_enabled(c)
  /\ call' = [call EXCEPT ![c] = "CREATE_ONLINE"]
  /\ due_replicas' = Put(due_replicas, {[at |-> <<c, q>>, to |-> Elements(assigned[c, q])] : q \in {q \in Partition :
         about[c, q]}})
  /\ UNCHANGED <<due, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, replica_state,
         stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* S4:57-124
ZC1e_is_enabled(c) ==
  /\ called_all(c) = TRUE
  /\ call[c] = "CREATE_ONLINE"

ZC1e(c) ==
  /\ ZC1e_is_enabled(c)
  /\ LET finish_1 == finish(c)
     IN
     /\ call' = Put(call, finish_1.call)
     /\ subjects' = Put(subjects, finish_1.subjects)
     /\ aim' = Put(aim, finish_1.aim)
     /\ about' = Put(about, finish_1.about)
  /\ UNCHANGED <<due, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, returning,
         known_epoch, ineligible, cached_adding, cached_removing, resumed, due_replicas, replica_state, stop_epoch,
         elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others, leader_epoch_and_others,
         never_written>>

\* S4:77-79
ZC4n_is_enabled(c) ==
  /\ ready(c) = TRUE
  /\ session[c]
  /\ appeared(c) # {}

ZC4n(c) ==
  /\ ZC4n_is_enabled(c)
  /\ live' = [live EXCEPT ![c] = live[c] \union appeared(c)]
  /\ known_epoch' = Put(known_epoch, {[at |-> <<c, x>>, to |-> broker_epoch[x]] : x \in {x \in Broker : x \in
         appeared(c)}})
  /\ subjects' = [subjects EXCEPT ![c] = appeared(c)]
  /\ call' = [call EXCEPT ![c] = "START_REPLICAS"]
  /\ due_replicas' = Put(due_replicas, replicas_on(c, appeared(c)))
  /\ UNCHANGED <<due, partition_state, assigned, shutting_down, lost, session, controller_epoch, returning, aim,
         ineligible, cached_adding, cached_removing, resumed, about, replica_state, stop_epoch, elected, alive,
         broker_epoch, exists, replicas, acting_and_others, knows_and_others, leader_epoch_and_others, never_written>>

\* KIP-380
ZC4b_is_enabled(c) ==
  /\ ready(c) = TRUE
  /\ session[c]
  /\ bounced(c) # {}
  /\ appeared(c) = {}

ZC4b(c) ==
  /\ ZC4b_is_enabled(c)
  /\ LET fail_1 == fail(c, bounced(c))
     IN
     /\ returning' = [returning EXCEPT ![c] = bounced(c)]
     /\ live' = Put(live, fail_1.live)
     /\ shutting_down' = Put(shutting_down, fail_1.shutting_down)
     /\ subjects' = Put(subjects, fail_1.subjects)
     /\ call' = Put(call, fail_1.call)
     /\ lost' = Put(lost, fail_1.lost)
     /\ about' = Put(about, fail_1.about)
     /\ due' = Put(due, fail_1.due)
  /\ UNCHANGED <<partition_state, assigned, session, controller_epoch, aim, known_epoch, ineligible, cached_adding,
         cached_removing, resumed, due_replicas, replica_state, stop_epoch, elected, alive, broker_epoch, exists,
         replicas, acting_and_others, knows_and_others, leader_epoch_and_others, never_written>>

\* S4:71-72
ZC4d_is_enabled(c) ==
  /\ ready(c) = TRUE
  /\ session[c]
  /\ dead(c) # {}
  /\ appeared(c) = {}
  /\ bounced(c) = {}

ZC4d(c) ==
  /\ ZC4d_is_enabled(c)
  /\ LET fail_1 == fail(c, dead(c))
     IN
     /\ live' = Put(live, fail_1.live)
     /\ shutting_down' = Put(shutting_down, fail_1.shutting_down)
     /\ subjects' = Put(subjects, fail_1.subjects)
     /\ call' = Put(call, fail_1.call)
     /\ lost' = Put(lost, fail_1.lost)
     /\ about' = Put(about, fail_1.about)
     /\ due' = Put(due, fail_1.due)
  /\ UNCHANGED <<partition_state, assigned, session, controller_epoch, returning, aim, known_epoch, ineligible,
         cached_adding, cached_removing, resumed, due_replicas, replica_state, stop_epoch, elected, alive, broker_epoch,
         exists, replicas, acting_and_others, knows_and_others, leader_epoch_and_others, never_written>>

\* S4:73
ZC2b_is_enabled(c) ==
  /\ called_all(c) = TRUE
  /\ call[c] = "FAIL_OFFLINE"

ZC2b(c) ==
  /\ ZC2b_is_enabled(c)
  /\ call' = [call EXCEPT ![c] = "FAIL_ELECT"]
  /\ due' = Put(due, elect_leaderless(c))
  /\ UNCHANGED <<partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects, returning,
         aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, due_replicas, replica_state,
         stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* S4:74
ZC2c_is_enabled(c) ==
  /\ called_all(c) = TRUE
  /\ call[c] = "FAIL_ELECT"
  /\ call[c] # "FAIL_OFFLINE"

ZC2c(c) ==
  /\ ZC2c_is_enabled(c)
  /\ call' = [call EXCEPT ![c] = "FAIL_REPLICAS"]
  /\ due_replicas' = Put(due_replicas, {[at |-> <<c, q>>, to |-> failed_replicas(c, q)] : q \in {q \in Partition :
         about[c, q] /\ ~deleting[c, topic[q]]}})
  /\ UNCHANGED <<due, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, replica_state,
         stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* code
ZC2d_is_enabled(c) ==
  /\ called_all(c) = TRUE
  /\ call[c] = "FAIL_REPLICAS"
  /\ call[c] # "FAIL_OFFLINE"
  /\ call[c] # "FAIL_ELECT"

ZC2d(c) ==
  /\ ZC2d_is_enabled(c)
  /\ call' = [call EXCEPT ![c] = "FAIL_DELETION"]
  /\ due_replicas' = Put(due_replicas, {[at |-> <<c, q>>, to |-> failed_replicas(c, q)] : q \in {q \in Partition :
         about[c, q] /\ deleting[c, topic[q]]}})
  /\ UNCHANGED <<due, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, replica_state,
         stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* KAFKA-13225
ZC2e_is_enabled(c) ==
  /\ called_all(c) = TRUE
  /\ call[c] = "FAIL_DELETION"
  /\ call[c] # "FAIL_OFFLINE"
  /\ call[c] # "FAIL_ELECT"
  /\ call[c] # "FAIL_REPLICAS"

ZC2e(c) ==
  /\ ZC2e_is_enabled(c)
  /\ LET finish_1 == finish(c)
     IN
     /\ call' = Put(call, finish_1.call)
     /\ subjects' = Put(subjects, finish_1.subjects)
     /\ aim' = Put(aim, finish_1.aim)
     /\ about' = Put(about, finish_1.about)
  /\ UNCHANGED <<due, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, returning,
         known_epoch, ineligible, cached_adding, cached_removing, resumed, due_replicas, replica_state, stop_epoch,
         elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others, leader_epoch_and_others,
         never_written>>

\* KIP-380
ZC2r_is_enabled(c) ==
  /\ pausing(c) = TRUE
  /\ returning[c] # {}

ZC2r(c) ==
  /\ ZC2r_is_enabled(c)
  /\ live' = [live EXCEPT ![c] = live[c] \union returning[c]]
  /\ known_epoch' = Put(known_epoch, {[at |-> <<c, x>>, to |-> broker_epoch[x]] : x \in {x \in Broker : x \in
         returning[c]}})
  /\ subjects' = [subjects EXCEPT ![c] = returning[c]]
  /\ returning' = [returning EXCEPT ![c] = {}]
  /\ call' = [call EXCEPT ![c] = "START_REPLICAS"]
  /\ due_replicas' = Put(due_replicas, replicas_on(c, returning[c]))
  /\ UNCHANGED <<due, partition_state, assigned, shutting_down, lost, session, controller_epoch, aim, ineligible,
         cached_adding, cached_removing, resumed, about, replica_state, stop_epoch, elected, alive, broker_epoch,
         exists, replicas, acting_and_others, knows_and_others, leader_epoch_and_others, never_written>>

\* S4:79-80
ZC3b_is_enabled(c) ==
  /\ called_all(c) = TRUE
  /\ call[c] = "START_REPLICAS"
  /\ call[c] # "FAIL_OFFLINE"
  /\ call[c] # "FAIL_ELECT"
  /\ call[c] # "FAIL_REPLICAS"
  /\ call[c] # "FAIL_DELETION"

ZC3b(c) ==
  /\ ZC3b_is_enabled(c)
  /\ call' = [call EXCEPT ![c] = "START_ELECT"]
  /\ due' = Put(due, elect_leaderless(c))
  /\ UNCHANGED <<partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects, returning,
         aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, due_replicas, replica_state,
         stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* S4:81
ZC3c_is_enabled(c) ==
  /\ called_all(c) = TRUE
  /\ call[c] = "START_ELECT"
  /\ call[c] # "FAIL_OFFLINE"
  /\ call[c] # "FAIL_ELECT"
  /\ call[c] # "FAIL_REPLICAS"
  /\ call[c] # "FAIL_DELETION"
  /\ call[c] # "START_REPLICAS"

ZC3c(c) ==
  /\ ZC3c_is_enabled(c)
  /\ LET finish_1 == finish(c)
     IN
     /\ call' = Put(call, finish_1.call)
     /\ subjects' = Put(subjects, finish_1.subjects)
     /\ aim' = Put(aim, finish_1.aim)
     /\ about' = Put(about, finish_1.about)
     /\ resumed' = Put(resumed, {[at |-> <<c, q>>, to |-> FALSE] : q \in {q \in Partition : (cached_adding[c, q] \union
            Elements(assigned[c, q])) \intersect subjects[c] # {}}})
  /\ UNCHANGED <<due, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, returning,
         known_epoch, ineligible, cached_adding, cached_removing, due_replicas, replica_state, stop_epoch, elected,
         alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others, leader_epoch_and_others,
         never_written>>

\* KIP-112
ZC2l_is_enabled(c, brokers) ==
  /\ ready(c) = TRUE
  /\ brokers # {}
  /\ Given_LogDirEvent(c, brokers) = TRUE

ZC2l(c, brokers) ==
  /\ ZC2l_is_enabled(c, brokers)
  /\ call' = [call EXCEPT ![c] = "LISTED"]
  /\ due_replicas' = Put(due_replicas, replicas_on(c, brokers))
  /\ UNCHANGED <<due, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, replica_state,
         stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* S4:57-124
ZC2m_is_enabled(c) ==
  /\ called_all(c) = TRUE
  /\ call[c] = "LISTED"

ZC2m(c) ==
  /\ ZC2m_is_enabled(c)
  /\ LET finish_1 == finish(c)
     IN
     /\ call' = Put(call, finish_1.call)
     /\ subjects' = Put(subjects, finish_1.subjects)
     /\ aim' = Put(aim, finish_1.aim)
     /\ about' = Put(about, finish_1.about)
  /\ UNCHANGED <<due, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, returning,
         known_epoch, ineligible, cached_adding, cached_removing, resumed, due_replicas, replica_state, stop_epoch,
         elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others, leader_epoch_and_others,
         never_written>>

\* KIP-112
ZC2o_is_enabled(c, b, partitions) ==
  /\ ready(c) = TRUE
  /\ b \in live[c]
  /\ Given_ReplicasOffline(c, b, partitions) = TRUE

ZC2o(c, b, partitions) ==
  /\ ZC2o_is_enabled(c, b, partitions)
  /\ subjects' = [subjects EXCEPT ![c] = {b}]
  /\ call' = [call EXCEPT ![c] = "FAIL_OFFLINE"]
  /\ about' = Put(about, {[at |-> <<c, q>>, to |-> TRUE] : q \in {q \in Partition : q \in partitions}})
  /\ lost' = Put(lost, {[at |-> <<c, q>>, to |-> lost[c, q] \union {b}] : q \in {q \in Partition : q \in partitions}})
  /\ due' = Put(due, {[at |-> <<c, q>>, to |-> TRUE] : q \in {q \in Partition : leaderless_by(c, q, partitions, b)}})
  /\ UNCHANGED <<partition_state, assigned, live, shutting_down, session, controller_epoch, returning, aim, known_epoch,
         ineligible, cached_adding, cached_removing, resumed, due_replicas, replica_state, stop_epoch, elected, alive,
         broker_epoch, exists, replicas, acting_and_others, knows_and_others, leader_epoch_and_others, never_written>>

\* S4:110
ZC6b_is_enabled(c) ==
  /\ called_all(c) = TRUE
  /\ call[c] = "OVER_ONLINE"

ZC6b(c) ==
  /\ ZC6b_is_enabled(c)
  /\ call' = [call EXCEPT ![c] = "OVER_OFFLINE"]
  /\ due_replicas' = Put(due_replicas, {[at |-> <<c, q>>, to |-> Elements(assigned[c, q]) \ live[c]] : q \in Partition})
  /\ UNCHANGED <<due, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, replica_state,
         stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* S4:111,113
ZC6c_is_enabled(c) ==
  /\ called_all(c) = TRUE
  /\ call[c] = "OVER_OFFLINE"

ZC6c(c) ==
  /\ ZC6c_is_enabled(c)
  /\ call' = [call EXCEPT ![c] = "OVER_ELECT"]
  /\ due' = Put(due, elect_leaderless(c))
  /\ UNCHANGED <<partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects, returning,
         aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, due_replicas, replica_state,
         stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others,
         leader_epoch_and_others, never_written>>

\* S4:114-115
ZC6d_is_enabled(c) ==
  /\ called_all(c) = TRUE
  /\ call[c] = "OVER_ELECT"

ZC6d(c) ==
  /\ ZC6d_is_enabled(c)
  /\ LET finish_1 == finish(c)
     IN
     /\ call' = Put(call, finish_1.call)
     /\ subjects' = Put(subjects, finish_1.subjects)
     /\ aim' = Put(aim, finish_1.aim)
     /\ about' = Put(about, finish_1.about)
  /\ UNCHANGED <<due, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, returning,
         known_epoch, ineligible, cached_adding, cached_removing, resumed, due_replicas, replica_state, stop_epoch,
         elected, alive, broker_epoch, exists, replicas, acting_and_others, knows_and_others, leader_epoch_and_others,
         never_written>>

\* KIP-497
ZC10_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering) ==
  /\ wanted # {}
  /\ (~acting[c] \/ ready(c)) = TRUE
  /\ wanted \subseteq Elements(replicas[p])
  /\ (leader[p] = None \/ leader[p] \in wanted) = TRUE
  /\ acting[c]
  /\ (~(b \notin live[c] \/ from_epoch # known_epoch[c, b])) = TRUE
  /\ knows[c, p]
  /\ (~(cached_version[c, p] < from_version \/ cached_leader_epoch[c, p] < from_leader_epoch)) = TRUE
  /\ (~(from_leader_epoch < cached_leader_epoch[c, p])) = TRUE
  /\ (~same(c, p, b, wanted, wants_recovering)) = TRUE
  /\ (~(from_version < cached_version[c, p])) = TRUE
  /\ (~ZC10h_applies(wants_recovering, wanted)) = TRUE
  /\ (~ZC10i_applies(wants_recovering, p)) = TRUE
  /\ wanted \subseteq live[c] \ shutting_down[c]
  /\ (~(cut_off(c) \/ ~stated[p])) = TRUE
  /\ (~moved(c)) = TRUE
  /\ Given_AlterPartition(c, b, p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering) = TRUE

ZC10(c, b, p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering) ==
  /\ ZC10_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering)
  /\ LET lead_1 == lead(c, p, leader[p], wanted, leader_epoch[p], wants_recovering)
     IN
     /\ state_replayed(lead_1.state)
     /\ knows' = Put(knows, lead_1.knows)
     /\ cached_leader' = Put(cached_leader, lead_1.cached_leader)
     /\ cached_isr' = Put(cached_isr, lead_1.cached_isr)
     /\ cached_leader_epoch' = Put(cached_leader_epoch, lead_1.cached_leader_epoch)
     /\ cached_version' = Put(cached_version, lead_1.cached_version)
     /\ cached_leader_epoch' \in [Controller \X Partition -> leader_epoch_2]
     /\ cached_version' \in [Controller \X Partition -> version_2]
  /\ UNCHANGED <<due, call, partition_state, assigned, live, shutting_down, lost, session, controller_epoch, subjects,
         returning, aim, known_epoch, ineligible, cached_adding, cached_removing, resumed, about, due_replicas,
         replica_state, stop_epoch, elected, alive, broker_epoch, exists, replicas, acting_and_others, never_written>>

\* KIP-497
ZC10b_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering) ==
  /\ wanted # {}
  /\ (~acting[c] \/ ready(c)) = TRUE
  /\ wanted \subseteq Elements(replicas[p])
  /\ (leader[p] = None \/ leader[p] \in wanted) = TRUE
  /\ (b \notin live[c] \/ from_epoch # known_epoch[c, b]) = TRUE
  /\ acting[c]
  /\ Given_AlterPartition(c, b, p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering) = TRUE

\* KIP-497
ZC10c_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering) ==
  /\ wanted # {}
  /\ (~acting[c] \/ ready(c)) = TRUE
  /\ wanted \subseteq Elements(replicas[p])
  /\ (leader[p] = None \/ leader[p] \in wanted) = TRUE
  /\ (~knows[c, p]) = TRUE
  /\ acting[c]
  /\ (~(b \notin live[c] \/ from_epoch # known_epoch[c, b])) = TRUE
  /\ Given_AlterPartition(c, b, p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering) = TRUE

\* KIP-497
ZC10d_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering) ==
  /\ wanted # {}
  /\ (~acting[c] \/ ready(c)) = TRUE
  /\ wanted \subseteq Elements(replicas[p])
  /\ (leader[p] = None \/ leader[p] \in wanted) = TRUE
  /\ (cached_version[c, p] < from_version \/ cached_leader_epoch[c, p] < from_leader_epoch) = TRUE
  /\ acting[c]
  /\ (~(b \notin live[c] \/ from_epoch # known_epoch[c, b])) = TRUE
  /\ knows[c, p]
  /\ Given_AlterPartition(c, b, p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering) = TRUE

\* KIP-497
ZC10e_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering) ==
  /\ wanted # {}
  /\ (~acting[c] \/ ready(c)) = TRUE
  /\ wanted \subseteq Elements(replicas[p])
  /\ (leader[p] = None \/ leader[p] \in wanted) = TRUE
  /\ from_leader_epoch < cached_leader_epoch[c, p]
  /\ acting[c]
  /\ (~(b \notin live[c] \/ from_epoch # known_epoch[c, b])) = TRUE
  /\ knows[c, p]
  /\ (~(cached_version[c, p] < from_version \/ cached_leader_epoch[c, p] < from_leader_epoch)) = TRUE
  /\ Given_AlterPartition(c, b, p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering) = TRUE

\* KIP-497
ZC10f_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering) ==
  /\ wanted # {}
  /\ (~acting[c] \/ ready(c)) = TRUE
  /\ wanted \subseteq Elements(replicas[p])
  /\ (leader[p] = None \/ leader[p] \in wanted) = TRUE
  /\ same(c, p, b, wanted, wants_recovering) = TRUE
  /\ acting[c]
  /\ (~(b \notin live[c] \/ from_epoch # known_epoch[c, b])) = TRUE
  /\ knows[c, p]
  /\ (~(cached_version[c, p] < from_version \/ cached_leader_epoch[c, p] < from_leader_epoch)) = TRUE
  /\ (~(from_leader_epoch < cached_leader_epoch[c, p])) = TRUE
  /\ Given_AlterPartition(c, b, p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering) = TRUE

\* KIP-497
ZC10g_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering) ==
  /\ wanted # {}
  /\ (~acting[c] \/ ready(c)) = TRUE
  /\ wanted \subseteq Elements(replicas[p])
  /\ (leader[p] = None \/ leader[p] \in wanted) = TRUE
  /\ from_version < cached_version[c, p]
  /\ acting[c]
  /\ (~(b \notin live[c] \/ from_epoch # known_epoch[c, b])) = TRUE
  /\ knows[c, p]
  /\ (~(cached_version[c, p] < from_version \/ cached_leader_epoch[c, p] < from_leader_epoch)) = TRUE
  /\ (~(from_leader_epoch < cached_leader_epoch[c, p])) = TRUE
  /\ (~same(c, p, b, wanted, wants_recovering)) = TRUE
  /\ Given_AlterPartition(c, b, p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering) = TRUE

\* KIP-497
ZC10h_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering) ==
  /\ wanted # {}
  /\ (~acting[c] \/ ready(c)) = TRUE
  /\ wanted \subseteq Elements(replicas[p])
  /\ (leader[p] = None \/ leader[p] \in wanted) = TRUE
  /\ wants_recovering
  /\ several(wanted) = TRUE
  /\ acting[c]
  /\ (~(b \notin live[c] \/ from_epoch # known_epoch[c, b])) = TRUE
  /\ knows[c, p]
  /\ (~(cached_version[c, p] < from_version \/ cached_leader_epoch[c, p] < from_leader_epoch)) = TRUE
  /\ (~(from_leader_epoch < cached_leader_epoch[c, p])) = TRUE
  /\ (~same(c, p, b, wanted, wants_recovering)) = TRUE
  /\ (~(from_version < cached_version[c, p])) = TRUE
  /\ Given_AlterPartition(c, b, p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering) = TRUE

\* KIP-497
ZC10i_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering) ==
  /\ wanted # {}
  /\ (~acting[c] \/ ready(c)) = TRUE
  /\ wanted \subseteq Elements(replicas[p])
  /\ (leader[p] = None \/ leader[p] \in wanted) = TRUE
  /\ wants_recovering
  /\ (~recovering[p]) = TRUE
  /\ acting[c]
  /\ (~(b \notin live[c] \/ from_epoch # known_epoch[c, b])) = TRUE
  /\ knows[c, p]
  /\ (~(cached_version[c, p] < from_version \/ cached_leader_epoch[c, p] < from_leader_epoch)) = TRUE
  /\ (~(from_leader_epoch < cached_leader_epoch[c, p])) = TRUE
  /\ (~same(c, p, b, wanted, wants_recovering)) = TRUE
  /\ (~(from_version < cached_version[c, p])) = TRUE
  /\ (~ZC10h_applies(wants_recovering, wanted)) = TRUE
  /\ Given_AlterPartition(c, b, p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering) = TRUE

\* KIP-497
ZC10j_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering) ==
  /\ wanted # {}
  /\ (~acting[c] \/ ready(c)) = TRUE
  /\ wanted \subseteq Elements(replicas[p])
  /\ (leader[p] = None \/ leader[p] \in wanted) = TRUE
  /\ (~(wanted \subseteq live[c] \ shutting_down[c])) = TRUE
  /\ acting[c]
  /\ (~(b \notin live[c] \/ from_epoch # known_epoch[c, b])) = TRUE
  /\ knows[c, p]
  /\ (~(cached_version[c, p] < from_version \/ cached_leader_epoch[c, p] < from_leader_epoch)) = TRUE
  /\ (~(from_leader_epoch < cached_leader_epoch[c, p])) = TRUE
  /\ (~same(c, p, b, wanted, wants_recovering)) = TRUE
  /\ (~(from_version < cached_version[c, p])) = TRUE
  /\ (~ZC10h_applies(wants_recovering, wanted)) = TRUE
  /\ (~ZC10i_applies(wants_recovering, p)) = TRUE
  /\ Given_AlterPartition(c, b, p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering) = TRUE

\* KIP-497
ZC10s_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering) ==
  /\ wanted # {}
  /\ (~acting[c] \/ ready(c)) = TRUE
  /\ wanted \subseteq Elements(replicas[p])
  /\ (leader[p] = None \/ leader[p] \in wanted) = TRUE
  /\ (cut_off(c) \/ ~stated[p]) = TRUE
  /\ acting[c]
  /\ (~(b \notin live[c] \/ from_epoch # known_epoch[c, b])) = TRUE
  /\ knows[c, p]
  /\ (~(cached_version[c, p] < from_version \/ cached_leader_epoch[c, p] < from_leader_epoch)) = TRUE
  /\ (~(from_leader_epoch < cached_leader_epoch[c, p])) = TRUE
  /\ (~same(c, p, b, wanted, wants_recovering)) = TRUE
  /\ (~(from_version < cached_version[c, p])) = TRUE
  /\ (~ZC10h_applies(wants_recovering, wanted)) = TRUE
  /\ (~ZC10i_applies(wants_recovering, p)) = TRUE
  /\ wanted \subseteq live[c] \ shutting_down[c]
  /\ Given_AlterPartition(c, b, p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering) = TRUE

\* KIP-497
ZC10m_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering) ==
  /\ wanted # {}
  /\ (~acting[c] \/ ready(c)) = TRUE
  /\ wanted \subseteq Elements(replicas[p])
  /\ (leader[p] = None \/ leader[p] \in wanted) = TRUE
  /\ moved(c) = TRUE
  /\ acting[c]
  /\ (~(b \notin live[c] \/ from_epoch # known_epoch[c, b])) = TRUE
  /\ knows[c, p]
  /\ (~(cached_version[c, p] < from_version \/ cached_leader_epoch[c, p] < from_leader_epoch)) = TRUE
  /\ (~(from_leader_epoch < cached_leader_epoch[c, p])) = TRUE
  /\ (~same(c, p, b, wanted, wants_recovering)) = TRUE
  /\ (~(from_version < cached_version[c, p])) = TRUE
  /\ (~ZC10h_applies(wants_recovering, wanted)) = TRUE
  /\ (~ZC10i_applies(wants_recovering, p)) = TRUE
  /\ wanted \subseteq live[c] \ shutting_down[c]
  /\ (~(cut_off(c) \/ ~stated[p])) = TRUE
  /\ Given_AlterPartition(c, b, p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering) = TRUE

Init ==
  /\ acting = [k \in Controller |-> FALSE]
  /\ due = [k \in Controller, k2 \in Partition |-> FALSE]
  /\ call = [k \in Controller |-> "IDLE"]
  /\ partition_state = [k \in Controller, k2 \in Partition |-> "NONEXISTENT"]
  /\ assigned = [k \in Controller, k2 \in Partition |-> <<>>]
  /\ live = [k \in Controller |-> {}]
  /\ shutting_down = [k \in Controller |-> {}]
  /\ lost = [k \in Controller, k2 \in Partition |-> {}]
  /\ session = [k \in Controller |-> FALSE]
  /\ own_epoch = [k \in Controller |-> 0]
  /\ controller_epoch = 0
  /\ subjects = [k \in Controller |-> {}]
  /\ returning = [k \in Controller |-> {}]
  /\ aim = [k \in Controller |-> <<>>]
  /\ known_epoch = [k \in Controller, k2 \in Broker |-> 0]
  /\ deleting = [k \in Controller, k2 \in Topic |-> FALSE]
  /\ ineligible = [k \in Controller, k2 \in Topic |-> FALSE]
  /\ cached_adding = [k \in Controller, k2 \in Partition |-> {}]
  /\ cached_removing = [k \in Controller, k2 \in Partition |-> {}]
  /\ knows = [k \in Controller, k2 \in Partition |-> FALSE]
  /\ cached_leader = [k \in Controller, k2 \in Partition |-> None]
  /\ cached_isr = [k \in Controller, k2 \in Partition |-> {}]
  /\ cached_leader_epoch = [k \in Controller, k2 \in Partition |-> -1]
  /\ cached_version = [k \in Controller, k2 \in Partition |-> -1]
  /\ resumed = [k \in Controller, k2 \in Partition |-> FALSE]
  /\ about = [k \in Controller, k2 \in Partition |-> FALSE]
  /\ due_replicas = [k \in Controller, k2 \in Partition |-> {}]
  /\ replica_state = [k \in Controller, k2 \in Partition, k3 \in Broker |-> "NONEXISTENT"]
  /\ stop_epoch = [k \in Controller, k2 \in Partition, k3 \in Broker |-> -1]
  /\ leader_epoch = [k \in Partition |-> -1]
  /\ version = [k \in Partition |-> -1]
  /\ stated = [k \in Partition |-> FALSE]
  /\ leader = [k \in Partition |-> None]
  /\ isr = [k \in Partition |-> {}]
  /\ written_in = [k \in Partition |-> 0]
  /\ recovering = [k \in Partition |-> FALSE]
  /\ elected = None
  /\ alive = [k \in Broker |-> FALSE]
  /\ broker_epoch = [k \in Broker |-> 0]
  /\ queued = [k \in Topic |-> FALSE]
  /\ exists = [k \in Partition |-> FALSE]
  /\ replicas = [k \in Partition |-> <<>>]
  /\ adding = [k \in Partition |-> {}]
  /\ removing = [k \in Partition |-> {}]
  /\ gone = [k \in Partition |-> FALSE]
  /\ topic \in [Partition -> Topic]
  /\ unclean \in [Topic -> BOOLEAN]
  /\ Bound = "tiny" => (\A t \in Topic : ~unclean[t]) = TRUE
  /\ Bound = "failover" => (\A t \in Topic : ~unclean[t]) = TRUE

Rows ==
  \/ \E c \in Controller :
       /\ acting[c]
       /\ \E p \in Partition :
            /\ due[c, p]
            /\ \E to_2 \in PartitionState, how \in Strategy :
                 /\ called(c, p, to_2, how) = TRUE
                 /\ \/ ZP0(c, p, to_2, how)
                    \/ ZP1(c, p, to_2, how)
                    \/ ZP4(c, p, to_2, how)
                    \/ ZP5(c, p, to_2, how)
                    \/ ZP2n(c, p, to_2, how)
                    \/ ZP2s(c, p, to_2, how)
                    \/ ZP2m(c, p, to_2, how)
                    \/ ZP2(c, p, to_2, how)
                    \/ ZP3s(c, p, to_2, how)
                    \/ ZP3x(c, p, to_2, how)
                    \/ ZP3c(c, p, to_2, how)
                    \/ ZP3n(c, p, to_2, how)
                    \/ ZP3h(c, p, to_2, how)
                    \/ ZP3m(c, p, to_2, how)
                    \/ ZP3o(c, p, to_2, how)
                    \/ ZP3u(c, p, to_2, how)
                    \/ ZP3r(c, p, to_2, how)
                    \/ ZP3p(c, p, to_2, how)
                    \/ ZP3d(c, p, to_2, how)
  \/ \E c \in Controller :
       /\ acting[c]
       /\ \E p \in Partition, r \in Broker :
            /\ r \in due_replicas[c, p]
            /\ \E to_2 \in ReplicaState :
                 /\ called_2(c, r, p, to_2) = TRUE
                 /\ \/ ZR0(c, p, r, to_2)
                    \/ ZR1l(c, p, r, to_2)
                    \/ ZR1(c, p, r, to_2)
                    \/ ZR2(c, p, r, to_2)
                    \/ ZR3(c, p, r, to_2)
                    \/ ZR4k(c, p, r, to_2)
                    \/ ZR4s(c, p, r, to_2)
                    \/ ZR4x(c, p, r, to_2)
                    \/ ZR4c(c, p, r, to_2)
                    \/ ZR4i(c, p, r, to_2)
                    \/ ZR4h(c, p, r, to_2)
                    \/ ZR4m(c, p, r, to_2)
                    \/ ZR4(c, p, r, to_2)
                    \/ ZR5(c, p, r, to_2)
                    \/ ZR6(c, p, r, to_2)
                    \/ ZR7(c, p, r, to_2)
                    \/ ZR8(c, p, r, to_2)
  \/ \E c \in Controller :
       \/ SE1(c)
       \/ SE2(c)
       \/ SE3(c)
       \/ SE5(c)
       \/ ZC0r(c)
       \/ ZC1a(c)
       \/ ZC1b(c)
       \/ ZC1c(c)
       \/ ZC1d(c)
       \/ ZC1e(c)
       \/ ZC4n(c)
       \/ ZC4b(c)
       \/ ZC4d(c)
       \/ ZC2b(c)
       \/ ZC2c(c)
       \/ ZC2d(c)
       \/ ZC2e(c)
       \/ ZC2r(c)
       \/ ZC3b(c)
       \/ ZC3c(c)
       \/ ZC2m(c)
       \/ ZC6b(c)
       \/ ZC6c(c)
       \/ ZC6d(c)
  \/ SE4
  \/ \E c \in Given_Elect_c : ZC0(c)
  \/ \E b \in Broker : \E czxid \in Given_RegisterBroker_czxid(b) : BR1(b, czxid)
  \/ \E b \in Broker, czxid \in broker_epoch_2 : BR2(b, czxid)
  \/ \E b \in Broker : BR3(b)
  \/ \E p \in Partition, target \in Given_CreateTopic_target : CT1(p, target)
  \/ \E c \in Controller, brokers \in SUBSET Broker : ZC2l(c, brokers)
  \/ \E c \in Controller, b \in Broker, partitions \in SUBSET Partition : ZC2o(c, b, partitions)
  \/ \E c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
       Given_AlterPartition_wants_recovering : \E b \in Given_AlterPartition_b(p), from_leader_epoch \in
       Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \E from_epoch
       \in Given_AlterPartition_from_epoch(b) : ZC10(c, b, p, from_epoch, from_leader_epoch, from_version, wanted,
       wants_recovering)

Next == Rows \/ UNCHANGED vars

Spec == Init /\ [][Next]_vars

\* The guard of some row holds: unlike in ENABLED Rows, of one too that only a range disables.
SomeRowIsEnabled ==
  \/ \E c \in Controller :
       /\ acting[c]
       /\ \E p \in Partition :
            /\ due[c, p]
            /\ \E to_2 \in PartitionState, how \in Strategy :
                 /\ called(c, p, to_2, how) = TRUE
                 /\ \/ ZP0_is_enabled(c, p, to_2, how)
                    \/ ZP1_is_enabled(c, p, to_2, how)
                    \/ ZP4_is_enabled(c, p, to_2, how)
                    \/ ZP5_is_enabled(c, p, to_2, how)
                    \/ ZP2n_is_enabled(c, p, to_2, how)
                    \/ ZP2s_is_enabled(c, p, to_2, how)
                    \/ ZP2m_is_enabled(c, p, to_2, how)
                    \/ ZP2_is_enabled(c, p, to_2, how)
                    \/ ZP3s_is_enabled(c, p, to_2, how)
                    \/ ZP3x_is_enabled(c, p, to_2, how)
                    \/ ZP3c_is_enabled(c, p, to_2, how)
                    \/ ZP3n_is_enabled(c, p, to_2, how)
                    \/ ZP3h_is_enabled(c, p, to_2, how)
                    \/ ZP3m_is_enabled(c, p, to_2, how)
                    \/ ZP3o_is_enabled(c, p, to_2, how)
                    \/ ZP3u_is_enabled(c, p, to_2, how)
                    \/ ZP3r_is_enabled(c, p, to_2, how)
                    \/ ZP3p_is_enabled(c, p, to_2, how)
                    \/ ZP3d_is_enabled(c, p, to_2, how)
  \/ \E c \in Controller :
       /\ acting[c]
       /\ \E p \in Partition, r \in Broker :
            /\ r \in due_replicas[c, p]
            /\ \E to_2 \in ReplicaState :
                 /\ called_2(c, r, p, to_2) = TRUE
                 /\ \/ ZR0_is_enabled(c, p, r, to_2)
                    \/ ZR1l_is_enabled(c, p, r, to_2)
                    \/ ZR1_is_enabled(c, p, r, to_2)
                    \/ ZR2_is_enabled(c, p, r, to_2)
                    \/ ZR3_is_enabled(c, p, r, to_2)
                    \/ ZR4k_is_enabled(c, p, r, to_2)
                    \/ ZR4s_is_enabled(c, p, r, to_2)
                    \/ ZR4x_is_enabled(c, p, r, to_2)
                    \/ ZR4c_is_enabled(c, p, r, to_2)
                    \/ ZR4i_is_enabled(c, p, r, to_2)
                    \/ ZR4h_is_enabled(c, p, r, to_2)
                    \/ ZR4m_is_enabled(c, p, r, to_2)
                    \/ ZR4_is_enabled(c, p, r, to_2)
                    \/ ZR5_is_enabled(c, p, r, to_2)
                    \/ ZR6_is_enabled(c, p, r, to_2)
                    \/ ZR7_is_enabled(c, p, r, to_2)
                    \/ ZR8_is_enabled(c, p, r, to_2)
  \/ \E c \in Controller :
       \/ SE1_is_enabled(c)
       \/ SE2_is_enabled(c)
       \/ SE3_is_enabled(c)
       \/ SE5_is_enabled(c)
       \/ ZC0r_is_enabled(c)
       \/ ZC1a_is_enabled(c)
       \/ ZC1b_is_enabled(c)
       \/ ZC1c_is_enabled(c)
       \/ ZC1d_is_enabled(c)
       \/ ZC1e_is_enabled(c)
       \/ ZC4n_is_enabled(c)
       \/ ZC4b_is_enabled(c)
       \/ ZC4d_is_enabled(c)
       \/ ZC2b_is_enabled(c)
       \/ ZC2c_is_enabled(c)
       \/ ZC2d_is_enabled(c)
       \/ ZC2e_is_enabled(c)
       \/ ZC2r_is_enabled(c)
       \/ ZC3b_is_enabled(c)
       \/ ZC3c_is_enabled(c)
       \/ ZC2m_is_enabled(c)
       \/ ZC6b_is_enabled(c)
       \/ ZC6c_is_enabled(c)
       \/ ZC6d_is_enabled(c)
  \/ SE4_is_enabled
  \/ \E c \in Given_Elect_c : ZC0_is_enabled(c)
  \/ \E b \in Broker : \E czxid \in Given_RegisterBroker_czxid(b) : BR1_is_enabled(b, czxid)
  \/ \E b \in Broker, czxid \in broker_epoch_2 : BR2_is_enabled(b, czxid)
  \/ \E b \in Broker : BR3_is_enabled(b)
  \/ \E p \in Partition, target \in Given_CreateTopic_target : CT1_is_enabled(p, target)
  \/ \E c \in Controller, brokers \in SUBSET Broker : ZC2l_is_enabled(c, brokers)
  \/ \E c \in Controller, b \in Broker, partitions \in SUBSET Partition : ZC2o_is_enabled(c, b, partitions)
  \/ \E c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
       Given_AlterPartition_wants_recovering : \E b \in Given_AlterPartition_b(p), from_leader_epoch \in
       Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \E from_epoch
       \in Given_AlterPartition_from_epoch(b) : ZC10_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version,
       wanted, wants_recovering)

\* A counter's range alone disables a row of the event.
PartitionState_would_leave ==
  \/ \E c \in Controller :
       /\ acting[c]
       /\ \E p \in Partition :
            /\ due[c, p]
            /\ (~(partition_state[c, p] = "NEW" /\ first_replicas(c, p) = {})) = TRUE
            /\ (~(partition_state[c, p] = "NEW" /\ cut_off(c))) = TRUE
            /\ (~(partition_state[c, p] = "NEW" /\ moved(c))) = TRUE
            /\ \E to_2 \in PartitionState :
                 /\ legal(to_2, c, p) = TRUE
                 /\ to_2 # "NEW"
                 /\ to_2 # "OFFLINE"
                 /\ to_2 # "NONEXISTENT"
                 /\ \E how \in Strategy :
                      /\ called(c, p, to_2, how) = TRUE
                      /\ \/ (ZP2_is_enabled(c, p, to_2, how)) /\ ~ENABLED ZP2(c, p, to_2, how)
                         \/ (ZP3o_is_enabled(c, p, to_2, how)) /\ ~ENABLED ZP3o(c, p, to_2, how)
                         \/ (ZP3u_is_enabled(c, p, to_2, how)) /\ ~ENABLED ZP3u(c, p, to_2, how)
                         \/ (ZP3r_is_enabled(c, p, to_2, how)) /\ ~ENABLED ZP3r(c, p, to_2, how)
                         \/ (ZP3p_is_enabled(c, p, to_2, how)) /\ ~ENABLED ZP3p(c, p, to_2, how)
                         \/ (ZP3d_is_enabled(c, p, to_2, how)) /\ ~ENABLED ZP3d(c, p, to_2, how)

ReplicaState_would_leave ==
  \/ \E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : (ZR4_is_enabled(c, p, r, to_2)) /\
       ~ENABLED ZR4(c, p, r, to_2)

Elect_would_leave ==
  \/ \E c \in Given_Elect_c : (ZC0_is_enabled(c)) /\ ~ENABLED ZC0(c)

AlterPartition_would_leave ==
  \/ \E c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
       Given_AlterPartition_wants_recovering : \E b \in Given_AlterPartition_b(p), from_leader_epoch \in
       Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \E from_epoch
       \in Given_AlterPartition_from_epoch(b) : (ZC10_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version,
       wanted, wants_recovering)) /\ ~ENABLED ZC10(c, b, p, from_epoch, from_leader_epoch, from_version, wanted,
       wants_recovering)

\* Every write of a state znode is one of the controller whose epoch is in /controller_epoch. (KAFKA-6082)
ZI1 == [][\A p \in Partition : version[p]' # version[p] => written_in[p]' = controller_epoch']_vars

\* A controller that writes a state znode or a topic znode has its session, and no other controller was elected since.
\* (KAFKA-6082)
ZI1w == [][(\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : (ZP2(c, p, to_2, how) \/
  ZP3o(c, p, to_2, how) \/ ZP3u(c, p, to_2, how) \/ ZP3r(c, p, to_2, how) \/ ZP3p(c, p, to_2, how) \/ ZP3d(c, p, to_2,
  how)) => (~fenced(c))) /\ (\A c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : (ZR4(c, p, r,
  to_2)) => (~fenced(c))) /\ (\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ZC10(c, b, p, from_epoch, from_leader_epoch, from_version, wanted,
  wants_recovering)) => (~fenced(c)))]_vars

ZI1w_where_nothing_changes == (\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy :
  (ENABLED (UNCHANGED vars /\ (ZP2(c, p, to_2, how) \/ ZP3o(c, p, to_2, how) \/ ZP3u(c, p, to_2, how) \/ ZP3r(c, p,
  to_2, how) \/ ZP3p(c, p, to_2, how) \/ ZP3d(c, p, to_2, how)))) => (~fenced(c))) /\ (\A c \in Controller, p \in
  Partition, r \in Broker, to_2 \in ReplicaState : (ENABLED (UNCHANGED vars /\ (ZR4(c, p, r, to_2)))) => (~fenced(c)))
  /\ (\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ENABLED (UNCHANGED vars /\ (ZC10(c, b, p, from_epoch, from_leader_epoch,
  from_version, wanted, wants_recovering)))) => (~fenced(c)))

\* The controller epoch never goes back. (S4:107)
ZI1e == [][controller_epoch <= controller_epoch']_vars

\* The leader in the state znode is none or in its ISR. (S4:20-28)
ZI2 == \A p \in Partition : stated[p] => (leader[p] = None \/ leader[p] \in isr[p])

\* Every change of leader or ISR raises the version by one. (KIP-497)
ZI3 == [][\A p \in Partition : (stated[p] /\ stated[p]' /\ (leader[p]' # leader[p] \/ isr[p]' # isr[p])) => version[p]'
  = version[p] + 1]_vars

\* Every change of the leader raises the leader epoch. (KAFKA-9212)
ZI3e == [][\A p \in Partition : (stated[p] /\ stated[p]' /\ leader[p]' # leader[p]) => leader_epoch[p] <
  leader_epoch[p]']_vars

\* Every change that the controller makes raises the leader epoch by one. (KAFKA-9212)
ZI3c == [][(\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : (ZP3o(c, p, to_2, how) \/
  ZP3u(c, p, to_2, how) \/ ZP3r(c, p, to_2, how) \/ ZP3p(c, p, to_2, how) \/ ZP3d(c, p, to_2, how)) => (leader_epoch[p]'
  = leader_epoch[p] + 1 /\ version[p]' = version[p] + 1)) /\ (\A c \in Controller, p \in Partition, r \in Broker, to_2
  \in ReplicaState : (ZR4(c, p, r, to_2)) => (leader_epoch[p]' = leader_epoch[p] + 1 /\ version[p]' = version[p] +
  1))]_vars

ZI3c_where_nothing_changes == (\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy :
  (ENABLED (UNCHANGED vars /\ (ZP3o(c, p, to_2, how) \/ ZP3u(c, p, to_2, how) \/ ZP3r(c, p, to_2, how) \/ ZP3p(c, p,
  to_2, how) \/ ZP3d(c, p, to_2, how)))) => (leader_epoch[p] = leader_epoch[p] + 1 /\ version[p] = version[p] + 1)) /\
  (\A c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : (ENABLED (UNCHANGED vars /\ (ZR4(c, p, r,
  to_2)))) => (leader_epoch[p] = leader_epoch[p] + 1 /\ version[p] = version[p] + 1))

\* An ISR change that the leader asks for keeps leader and leader epoch, and raises the version. (KIP-497)
ZI3a == [][(\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ZC10(c, b, p, from_epoch, from_leader_epoch, from_version, wanted,
  wants_recovering)) => (leader_epoch[p]' = leader_epoch[p] /\ leader[p]' = leader[p] /\ version[p]' = version[p] +
  1))]_vars

ZI3a_where_nothing_changes == (\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ENABLED (UNCHANGED vars /\ (ZC10(c, b, p, from_epoch, from_leader_epoch,
  from_version, wanted, wants_recovering)))) => (leader_epoch[p] = leader_epoch[p] /\ leader[p] = leader[p] /\
  version[p] = version[p] + 1))

\* A state znode begins with leader epoch 0 and version 0. (S4:22)
ZI3n == [][(\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : (ZP2(c, p, to_2, how)) =>
  (leader_epoch[p]' = 0 /\ version[p]' = 0))]_vars

ZI3n_where_nothing_changes == (\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy :
  (ENABLED (UNCHANGED vars /\ (ZP2(c, p, to_2, how)))) => (leader_epoch[p] = 0 /\ version[p] = 0))

\* The ISR is never empty. (KAFKA-5083)
ZI4 == \A p \in Partition : stated[p] => isr[p] # {}

\* Whom a clean election chooses was in the ISR before. (S4:27-28)
ZI7 == [][(\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : (ZP3o(c, p, to_2, how) \/
  ZP3r(c, p, to_2, how) \/ ZP3p(c, p, to_2, how) \/ ZP3d(c, p, to_2, how)) => (leader[p]' # None /\ leader[p]' \in
  isr[p]))]_vars

ZI7_where_nothing_changes == (\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : (ENABLED
  (UNCHANGED vars /\ (ZP3o(c, p, to_2, how) \/ ZP3r(c, p, to_2, how) \/ ZP3p(c, p, to_2, how) \/ ZP3d(c, p, to_2,
  how)))) => (leader[p] # None /\ leader[p] \in isr[p]))

\* A leader from outside the ISR is marked as recovering. (KIP-704)
ZI7u == [][\A p \in Partition : (stated[p] /\ stated[p]' /\ leader[p]' # leader[p] /\ (leader[p] # None)') =>
  (leader[p]' \in isr[p] \/ recovering[p]')]_vars

\* No leader epoch is given to two leaders. (S4:12-14)
ZI11w == [][\A p \in Partition : (stated[p] /\ leader[p]' # leader[p]) => (leader_epoch[p]' # leader_epoch[p] \/
  ~stated[p]')]_vars

\* Partitions change their state only as the state machine allows. (S4:17-33)
ZI8 == [][\A c \in Controller, p \in Partition : (acting[c] /\ acting[c]') => (partition_state[c, p]' =
  partition_state[c, p] \/ legal_3(c, p))]_vars

\* Replicas change their state only as the state machine allows. (S4:43-55)
ZI8r == [][\A c \in Controller, p \in Partition, x \in Broker : (acting[c] /\ acting[c]') => (replica_state[c, p, x]' =
  replica_state[c, p, x] \/ legal_4(c, p, x))]_vars

\* A controller that may write has replicas for a New partition, and neither a leader nor an ISR. (S4:12)
ZI15 == \A c \in Controller, p \in Partition : (acting[c] /\ ~fenced(c) /\ partition_state[c, p] = "NEW") =>
  (assigned[c, p] # <<>> /\ ~knows[c, p])

\* A partition enters Online only with a leader that was just written, or at startup with a live one. (S4:12-15)
ZI15o == [][\A c \in Controller, p \in Partition : (partition_state[c, p]' = "ONLINE" /\ partition_state[c, p] #
  "ONLINE") => ((leader[p] # None)' /\ (version[p]' = version[p] + 1 \/ (~acting[c] /\ leader[p] \in live[c]')))]_vars

\* Who is added and who is removed by a reassignment are different replicas, and listed until it ends. (S4:106)
ZI6 == \A p \in Partition, x \in Broker : (x \in adding[p] \/ x \in removing[p]) => (exists[p] /\ x \in
  Elements(replicas[p]) /\ ~(x \in adding[p] /\ x \in removing[p]))

\* A replica stays, so that every controller can continue towards the target. (S4:106)
ZI6t == \A p \in Partition : exists[p] => (\E x \in Broker : x \in Elements(replicas[p]) /\ x \notin removing[p])

\* A replica from before the reassignment is struck off the list only at its end. (S4:106)
ZI6k == [][\A p \in Partition, x \in Broker : (exists[p] /\ exists[p]' /\ x \in Elements(replicas[p]) /\ x \notin
  adding[p] /\ x \notin Elements(replicas[p]')) => (x \in removing[p] /\ adding[p]' = {} /\ removing[p]' = {})]_vars

\* A broker that bounced is started up under its new epoch, with every replica that it has. (KIP-380)
ZI10 == [][(\A c \in Controller : (ZC2r(c)) => ((\A x \in Broker : x \in returning[c] => (x \in live[c]' /\
  known_epoch[c, x]' = broker_epoch[x])) /\ (\A q \in Partition, x \in Broker : (x \in returning[c] /\ x \in
  Elements(assigned[c, q])) => x \in due_replicas[c, q]')))]_vars

ZI10_where_nothing_changes == (\A c \in Controller : (ENABLED (UNCHANGED vars /\ (ZC2r(c)))) => ((\A x \in Broker : x
  \in returning[c] => (x \in live[c] /\ known_epoch[c, x] = broker_epoch[x])) /\ (\A q \in Partition, x \in Broker : (x
  \in returning[c] /\ x \in Elements(assigned[c, q])) => x \in due_replicas[c, q])))

\* The ISR grows only under its leader, in its leader epoch, or by a marked unclean election, by the new leader alone.
\* (KIP-497, KIP-704)
ZI17 == [][\A p \in Partition, x \in Broker : (stated[p] /\ stated[p]' /\ x \notin isr[p] /\ x \in isr[p]') =>
  ((leader[p]' = leader[p] /\ leader_epoch[p]' = leader_epoch[p]) \/ (leader[p]' = x /\ recovering[p]'))]_vars

\* An ISR change that is answered with NONE stores the ISR that the leader proposed, and no other broker. (KIP-497)
ZI17a == [][(\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ZC10(c, b, p, from_epoch, from_leader_epoch, from_version, wanted,
  wants_recovering)) => (isr[p]' = wanted /\ recovering[p]' = wants_recovering))]_vars

ZI17a_where_nothing_changes == (\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ENABLED (UNCHANGED vars /\ (ZC10(c, b, p, from_epoch, from_leader_epoch,
  from_version, wanted, wants_recovering)))) => (isr[p] = wanted /\ recovering[p] = wants_recovering))

\* Only who knows the leader epoch and the version in the znode, and is the process that registered, changes an ISR.
\* (KIP-497, KAFKA-14154)
ZI17c == [][(\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ZC10(c, b, p, from_epoch, from_leader_epoch, from_version, wanted,
  wants_recovering)) => (from_leader_epoch = leader_epoch[p] /\ from_version = version[p] /\ from_epoch = known_epoch[c,
  b]))]_vars

ZI17c_where_nothing_changes == (\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ENABLED (UNCHANGED vars /\ (ZC10(c, b, p, from_epoch, from_leader_epoch,
  from_version, wanted, wants_recovering)))) => (from_leader_epoch = leader_epoch[p] /\ from_version = version[p] /\
  from_epoch = known_epoch[c, b]))

\* Who asks for an ISR is live; who is asked into it is live and not shutting down. (KAFKA-14140)
ZI17j == [][(\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ZC10(c, b, p, from_epoch, from_leader_epoch, from_version, wanted,
  wants_recovering)) => (b \in live[c] /\ wanted \subseteq live[c] \ shutting_down[c]))]_vars

ZI17j_where_nothing_changes == (\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ENABLED (UNCHANGED vars /\ (ZC10(c, b, p, from_epoch, from_leader_epoch,
  from_version, wanted, wants_recovering)))) => (b \in live[c] /\ wanted \subseteq live[c] \ shutting_down[c]))

\* A leader that proposes the stored ISR is answered, and nothing is written. (KAFKA-14144)
ZI17n == [][(\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ZC10(c, b, p, from_epoch, from_leader_epoch, from_version, wanted,
  wants_recovering)) => (isr[p]' # isr[p] \/ recovering[p]' # recovering[p] \/ cached_leader[c, p] # b))]_vars

ZI17n_where_nothing_changes == (\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ENABLED (UNCHANGED vars /\ (ZC10(c, b, p, from_epoch, from_leader_epoch,
  from_version, wanted, wants_recovering)))) => (isr[p] # isr[p] \/ recovering[p] # recovering[p] \/ cached_leader[c, p]
  # b))

\* The ISR of a new partition is the replicas that are online. (S4:21)
ZI18n == [][(\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : (ZP2(c, p, to_2, how)) =>
  (\A x \in Broker : (x \in isr[p]') = (x \in Elements(assigned[c, p]) /\ x \in online(c, p))))]_vars

ZI18n_where_nothing_changes == (\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy :
  (ENABLED (UNCHANGED vars /\ (ZP2(c, p, to_2, how)))) => (\A x \in Broker : (x \in isr[p]) = (x \in
  Elements(assigned[c, p]) /\ x \in online(c, p))))

\* After a leader was lost the ISR is those of it that are online, or the new leader alone if there are none. (S4:25)
ZI18o == [][(\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : (ZP3o(c, p, to_2, how) \/
  ZP3u(c, p, to_2, how)) => (\A x \in Broker : (x \in isr[p]') = (x \in isr[p] \intersect online(c, p) \/ (isr[p]
  \intersect online(c, p) = {} /\ leader[p]' = x))))]_vars

ZI18o_where_nothing_changes == (\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy :
  (ENABLED (UNCHANGED vars /\ (ZP3o(c, p, to_2, how) \/ ZP3u(c, p, to_2, how)))) => (\A x \in Broker : (x \in isr[p]) =
  (x \in isr[p] \intersect online(c, p) \/ (isr[p] \intersect online(c, p) = {} /\ leader[p] = x))))

\* A preferred election and a reassignment keep the ISR as it is. (S4:26-27,91)
ZI18s == [][(\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : (ZP3r(c, p, to_2, how) \/
  ZP3p(c, p, to_2, how)) => (\A x \in Broker : (x \in isr[p]') = (x \in isr[p])))]_vars

\* A controlled shutdown removes from the ISR the broker that shuts down, and no other. (S4:28)
ZI18d == [][(\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : (ZP3d(c, p, to_2, how))
  => (\A x \in Broker : (x \in isr[p]') = (x \in isr[p] /\ x \notin shutting_down[c])))]_vars

ZI18d_where_nothing_changes == (\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy :
  (ENABLED (UNCHANGED vars /\ (ZP3d(c, p, to_2, how)))) => (\A x \in Broker : (x \in isr[p]) = (x \in isr[p] /\ x \notin
  shutting_down[c])))

\* A replica that goes Offline leaves the ISR, unless it is its last member; no other replica leaves. (S4:53,
\* KAFKA-5083)
ZI18r == [][(\A c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : (ZR4(c, p, r, to_2)) => (\A x
  \in Broker : (x \in isr[p]') = (x \in isr[p] /\ (x # r \/ (\A y \in Broker : y \in isr[p] => y = r)))))]_vars

ZI18r_where_nothing_changes == (\A c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : (ENABLED
  (UNCHANGED vars /\ (ZR4(c, p, r, to_2)))) => (\A x \in Broker : (x \in isr[p]) = (x \in isr[p] /\ (x # r \/ (\A y \in
  Broker : y \in isr[p] => y = r)))))

\* A newly made leader is live, not shutting down, and has its log directory, as the controller knows. (S4:21-28)
ZI19 == [][\A p \in Partition : (stated[p]' /\ leader[p]' # leader[p] /\ (leader[p] # None)') => (\E c \in Controller :
  acting[c] /\ leader[p]' \in online(c, p))]_vars

\* Of those who are in sync and online, the first of the replicas leads. (S4:21-28)
ZI19f == [][(\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : (ZP2(c, p, to_2, how) \/
  ZP3o(c, p, to_2, how) \/ ZP3d(c, p, to_2, how)) => (leader[p]' = FirstIn(assigned[c, p], isr[p]' \intersect online(c,
  p))))]_vars

ZI19f_where_nothing_changes == (\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy :
  (ENABLED (UNCHANGED vars /\ (ZP2(c, p, to_2, how) \/ ZP3o(c, p, to_2, how) \/ ZP3d(c, p, to_2, how)))) => (leader[p] =
  FirstIn(assigned[c, p], isr[p] \intersect online(c, p))))

\* A preferred election makes the first of the replicas the leader. (S4:27)
ZI19p == [][(\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : (ZP3p(c, p, to_2, how))
  => (leader[p]' = FirstIn(assigned[c, p], Elements(assigned[c, p]))))]_vars

ZI19p_where_nothing_changes == (\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy :
  (ENABLED (UNCHANGED vars /\ (ZP3p(c, p, to_2, how)))) => (leader[p] = FirstIn(assigned[c, p], Elements(assigned[c,
  p]))))

\* A leader from outside the ISR is chosen only where no in-sync replica is online, and where a topic allows it or an
\* operator asked for it; it is marked. (KIP-460, KIP-704)
ZI19u == [][(\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : (ZP3o(c, p, to_2, how) \/
  ZP3u(c, p, to_2, how) \/ ZP3r(c, p, to_2, how) \/ ZP3p(c, p, to_2, how) \/ ZP3d(c, p, to_2, how)) => (leader[p]' \in
  isr[p] \/ (isr[p] \intersect online(c, p) = {} /\ recovering[p]' /\ (how = "UNCLEAN" \/ unclean[topic[p]]))))]_vars

ZI19u_where_nothing_changes == (\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy :
  (ENABLED (UNCHANGED vars /\ (ZP3o(c, p, to_2, how) \/ ZP3u(c, p, to_2, how) \/ ZP3r(c, p, to_2, how) \/ ZP3p(c, p,
  to_2, how) \/ ZP3d(c, p, to_2, how)))) => (leader[p] \in isr[p] \/ (isr[p] \intersect online(c, p) = {} /\
  recovering[p] /\ (how = "UNCLEAN" \/ unclean[topic[p]]))))

\* An election is given up only where no online replica may lead: of the in-sync ones, or of all where it may be
\* unclean. (S4:73,80)
ZI19n == [][(\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : (ZP2n(c, p, to_2, how) \/
  ZP3n(c, p, to_2, how)) => (\A x \in Broker : x \in online(c, p) => ~(IF partition_state[c, p] = "NEW" THEN x \in
  Elements(assigned[c, p]) ELSE (IF how = "REASSIGN" THEN x \in Elements(aim[c]) ELSE IF how = "PREFERRED" THEN
  FirstIn(assigned[c, p], Elements(assigned[c, p])) = x ELSE x \in Elements(assigned[c, p])) /\ (x \in isr[p] \/ (isr[p]
  \intersect online(c, p) = {} /\ (how = "UNCLEAN" \/ (how = "OFFLINE" /\ unclean[topic[p]])))))))]_vars

ZI19n_where_nothing_changes == (\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy :
  (ENABLED (UNCHANGED vars /\ (ZP2n(c, p, to_2, how) \/ ZP3n(c, p, to_2, how)))) => (\A x \in Broker : x \in online(c,
  p) => ~(IF partition_state[c, p] = "NEW" THEN x \in Elements(assigned[c, p]) ELSE (IF how = "REASSIGN" THEN x \in
  Elements(aim[c]) ELSE IF how = "PREFERRED" THEN FirstIn(assigned[c, p], Elements(assigned[c, p])) = x ELSE x \in
  Elements(assigned[c, p])) /\ (x \in isr[p] \/ (isr[p] \intersect online(c, p) = {} /\ (how = "UNCLEAN" \/ (how =
  "OFFLINE" /\ unclean[topic[p]])))))))

\* A replica that goes Offline loses the leadership, and no other gets it by that. (S4:53)
ZI19k == [][(\A c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : (ZR4(c, p, r, to_2)) =>
  (leader[p]' = leader[p] \/ (leader[p] = r /\ leader[p]' = None)))]_vars

\* The controller epoch in a state znode is that of the controller who writes it. (KAFKA-6082)
ZI1o == [][(\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : (ZP2(c, p, to_2, how) \/
  ZP3o(c, p, to_2, how) \/ ZP3u(c, p, to_2, how) \/ ZP3r(c, p, to_2, how) \/ ZP3p(c, p, to_2, how) \/ ZP3d(c, p, to_2,
  how)) => (written_in[p]' = own_epoch[c])) /\ (\A c \in Controller, p \in Partition, r \in Broker, to_2 \in
  ReplicaState : (ZR4(c, p, r, to_2)) => (written_in[p]' = own_epoch[c])) /\ (\A c \in Controller, p \in Partition,
  wanted \in SUBSET Broker, wants_recovering \in Given_AlterPartition_wants_recovering : \A b \in
  Given_AlterPartition_b(p), from_leader_epoch \in Given_AlterPartition_from_leader_epoch(p), from_version \in
  Given_AlterPartition_from_version(p) : \A from_epoch \in Given_AlterPartition_from_epoch(b) : (ZC10(c, b, p,
  from_epoch, from_leader_epoch, from_version, wanted, wants_recovering)) => (written_in[p]' = own_epoch[c]))]_vars

ZI1o_where_nothing_changes == (\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy :
  (ENABLED (UNCHANGED vars /\ (ZP2(c, p, to_2, how) \/ ZP3o(c, p, to_2, how) \/ ZP3u(c, p, to_2, how) \/ ZP3r(c, p,
  to_2, how) \/ ZP3p(c, p, to_2, how) \/ ZP3d(c, p, to_2, how)))) => (written_in[p] = own_epoch[c])) /\ (\A c \in
  Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : (ENABLED (UNCHANGED vars /\ (ZR4(c, p, r, to_2))))
  => (written_in[p] = own_epoch[c])) /\ (\A c \in Controller, p \in Partition, wanted \in SUBSET Broker,
  wants_recovering \in Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ENABLED (UNCHANGED vars /\ (ZC10(c, b, p, from_epoch, from_leader_epoch,
  from_version, wanted, wants_recovering)))) => (written_in[p] = own_epoch[c]))

\* A partition is marked as recovering only by the election of a leader from outside the ISR. (KIP-704)
ZI20 == [][\A p \in Partition : (stated[p] /\ stated[p]' /\ ~recovering[p] /\ recovering[p]') => (leader[p]' # None /\
  leader[p]' \notin isr[p])]_vars

\* The mark stays until the leader says that it has recovered, whichever replica is elected meanwhile. (KIP-704)
ZI20l == [][\A p \in Partition : (stated[p] /\ stated[p]' /\ recovering[p] /\ ~recovering[p]') => leader_epoch[p]' =
  leader_epoch[p]]_vars

\* While a leader recovers it is alone in the ISR. (KIP-704)
ZI20a == \A p \in Partition, x \in Broker, y \in Broker : (stated[p] /\ recovering[p] /\ x \in isr[p] /\ y \in isr[p])
  => x = y

\* A change of a partition's state that is said to be done is done. (S4:17-33)
ZI8d == [][(\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : (ZP1(c, p, to_2, how) \/
  ZP4(c, p, to_2, how) \/ ZP5(c, p, to_2, how) \/ ZP2(c, p, to_2, how) \/ ZP3o(c, p, to_2, how) \/ ZP3u(c, p, to_2, how)
  \/ ZP3r(c, p, to_2, how) \/ ZP3p(c, p, to_2, how) \/ ZP3d(c, p, to_2, how)) => (partition_state[c, p]' = to_2))]_vars

ZI8d_where_nothing_changes == (\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy :
  (ENABLED (UNCHANGED vars /\ (ZP1(c, p, to_2, how) \/ ZP4(c, p, to_2, how) \/ ZP5(c, p, to_2, how) \/ ZP2(c, p, to_2,
  how) \/ ZP3o(c, p, to_2, how) \/ ZP3u(c, p, to_2, how) \/ ZP3r(c, p, to_2, how) \/ ZP3p(c, p, to_2, how) \/ ZP3d(c, p,
  to_2, how)))) => (partition_state[c, p] = to_2))

\* A change of a replica's state that is said to be done is done. (S4:43-55)
ZI8e == [][(\A c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : (ZR1(c, p, r, to_2) \/ ZR2(c, p,
  r, to_2) \/ ZR3(c, p, r, to_2) \/ ZR4k(c, p, r, to_2) \/ ZR4i(c, p, r, to_2) \/ ZR4(c, p, r, to_2) \/ ZR5(c, p, r,
  to_2) \/ ZR6(c, p, r, to_2) \/ ZR7(c, p, r, to_2) \/ ZR8(c, p, r, to_2)) => (replica_state[c, p, r]' = to_2))]_vars

ZI8e_where_nothing_changes == (\A c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : (ENABLED
  (UNCHANGED vars /\ (ZR1(c, p, r, to_2) \/ ZR2(c, p, r, to_2) \/ ZR3(c, p, r, to_2) \/ ZR4k(c, p, r, to_2) \/ ZR4i(c,
  p, r, to_2) \/ ZR4(c, p, r, to_2) \/ ZR5(c, p, r, to_2) \/ ZR6(c, p, r, to_2) \/ ZR7(c, p, r, to_2) \/ ZR8(c, p, r,
  to_2)))) => (replica_state[c, p, r] = to_2))

\* Every partition that a call is about is come to once, whatever becomes of it, and the call goes on. (S4:57-124)
ZI8k == [][(\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : (ZP0(c, p, to_2, how) \/
  ZP1(c, p, to_2, how) \/ ZP4(c, p, to_2, how) \/ ZP5(c, p, to_2, how) \/ ZP2n(c, p, to_2, how) \/ ZP2s(c, p, to_2, how)
  \/ ZP2m(c, p, to_2, how) \/ ZP2(c, p, to_2, how) \/ ZP3s(c, p, to_2, how) \/ ZP3x(c, p, to_2, how) \/ ZP3c(c, p, to_2,
  how) \/ ZP3n(c, p, to_2, how) \/ ZP3h(c, p, to_2, how) \/ ZP3m(c, p, to_2, how) \/ ZP3o(c, p, to_2, how) \/ ZP3u(c, p,
  to_2, how) \/ ZP3r(c, p, to_2, how) \/ ZP3p(c, p, to_2, how) \/ ZP3d(c, p, to_2, how)) => (~due[c, p]' /\ (~acting[c]'
  \/ call[c]' = "IDLE" \/ call[c]' = call[c])))]_vars

ZI8k_where_nothing_changes == (\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy :
  (ENABLED (UNCHANGED vars /\ (ZP0(c, p, to_2, how) \/ ZP1(c, p, to_2, how) \/ ZP4(c, p, to_2, how) \/ ZP5(c, p, to_2,
  how) \/ ZP2n(c, p, to_2, how) \/ ZP2s(c, p, to_2, how) \/ ZP2m(c, p, to_2, how) \/ ZP2(c, p, to_2, how) \/ ZP3s(c, p,
  to_2, how) \/ ZP3x(c, p, to_2, how) \/ ZP3c(c, p, to_2, how) \/ ZP3n(c, p, to_2, how) \/ ZP3h(c, p, to_2, how) \/
  ZP3m(c, p, to_2, how) \/ ZP3o(c, p, to_2, how) \/ ZP3u(c, p, to_2, how) \/ ZP3r(c, p, to_2, how) \/ ZP3p(c, p, to_2,
  how) \/ ZP3d(c, p, to_2, how)))) => (~due[c, p] /\ (~acting[c] \/ call[c] = "IDLE" \/ call[c] = call[c])))

\* Every replica that a call is about is come to once, whatever becomes of it, and the others after it. (S4:57-124)
ZI8l == [][(\A c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : (ZR0(c, p, r, to_2) \/ ZR1l(c,
  p, r, to_2) \/ ZR1(c, p, r, to_2) \/ ZR2(c, p, r, to_2) \/ ZR3(c, p, r, to_2) \/ ZR4k(c, p, r, to_2) \/ ZR4s(c, p, r,
  to_2) \/ ZR4x(c, p, r, to_2) \/ ZR4c(c, p, r, to_2) \/ ZR4i(c, p, r, to_2) \/ ZR4h(c, p, r, to_2) \/ ZR4m(c, p, r,
  to_2) \/ ZR4(c, p, r, to_2) \/ ZR5(c, p, r, to_2) \/ ZR6(c, p, r, to_2) \/ ZR7(c, p, r, to_2) \/ ZR8(c, p, r, to_2))
  => (r \notin due_replicas[c, p]' /\ (\A x \in Broker : (x \in due_replicas[c, p] /\ x # r) => (x \in due_replicas[c,
  p]' \/ call[c]' = "IDLE"))))]_vars

ZI8l_where_nothing_changes == (\A c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : (ENABLED
  (UNCHANGED vars /\ (ZR0(c, p, r, to_2) \/ ZR1l(c, p, r, to_2) \/ ZR1(c, p, r, to_2) \/ ZR2(c, p, r, to_2) \/ ZR3(c, p,
  r, to_2) \/ ZR4k(c, p, r, to_2) \/ ZR4s(c, p, r, to_2) \/ ZR4x(c, p, r, to_2) \/ ZR4c(c, p, r, to_2) \/ ZR4i(c, p, r,
  to_2) \/ ZR4h(c, p, r, to_2) \/ ZR4m(c, p, r, to_2) \/ ZR4(c, p, r, to_2) \/ ZR5(c, p, r, to_2) \/ ZR6(c, p, r, to_2)
  \/ ZR7(c, p, r, to_2) \/ ZR8(c, p, r, to_2)))) => (r \notin due_replicas[c, p] /\ (\A x \in Broker : (x \in
  due_replicas[c, p] /\ x # r) => (x \in due_replicas[c, p] \/ call[c] = "IDLE"))))

\* A write fails only where the session is gone, or another controller was elected. (KAFKA-6082)
ZI1f == [][(\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : (ZP2s(c, p, to_2, how) \/
  ZP2m(c, p, to_2, how) \/ ZP3s(c, p, to_2, how) \/ ZP3h(c, p, to_2, how) \/ ZP3m(c, p, to_2, how)) => (fenced(c))) /\
  (\A c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : (ZR4s(c, p, r, to_2) \/ ZR4h(c, p, r,
  to_2) \/ ZR4m(c, p, r, to_2)) => (fenced(c)))]_vars

ZI1f_where_nothing_changes == (\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy :
  (ENABLED (UNCHANGED vars /\ (ZP2s(c, p, to_2, how) \/ ZP2m(c, p, to_2, how) \/ ZP3s(c, p, to_2, how) \/ ZP3h(c, p,
  to_2, how) \/ ZP3m(c, p, to_2, how)))) => (fenced(c))) /\ (\A c \in Controller, p \in Partition, r \in Broker, to_2
  \in ReplicaState : (ENABLED (UNCHANGED vars /\ (ZR4s(c, p, r, to_2) \/ ZR4h(c, p, r, to_2) \/ ZR4m(c, p, r, to_2))))
  => (fenced(c))) /\ (\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ZC10m_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version, wanted,
  wants_recovering)) => (fenced(c)))

\* Who learns that another controller was elected stops what it is at. (KAFKA-6082)
ZI1g == [][(\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : (ZP2m(c, p, to_2, how) \/
  ZP3h(c, p, to_2, how) \/ ZP3m(c, p, to_2, how)) => (~acting[c]' \/ call[c]' = "IDLE")) /\ (\A c \in Controller, p \in
  Partition, r \in Broker, to_2 \in ReplicaState : (ZR4h(c, p, r, to_2) \/ ZR4m(c, p, r, to_2)) => (~acting[c]' \/
  call[c]' = "IDLE"))]_vars

ZI1g_where_nothing_changes == (\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy :
  (ENABLED (UNCHANGED vars /\ (ZP2m(c, p, to_2, how) \/ ZP3h(c, p, to_2, how) \/ ZP3m(c, p, to_2, how)))) => (~acting[c]
  \/ call[c] = "IDLE")) /\ (\A c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : (ENABLED
  (UNCHANGED vars /\ (ZR4h(c, p, r, to_2) \/ ZR4m(c, p, r, to_2)))) => (~acting[c] \/ call[c] = "IDLE"))

\* The controller deletes only topics that are queued for it. (TopicDeletionManager)
ZI22 == \A c \in Controller, p \in Partition : (newest(c) /\ deleting[c, topic[p]]) => queued[topic[p]]

\* A partition is deleted only if its topic is queued for deletion. (TopicDeletionManager)
ZI22d == [][\A p \in Partition : (exists[p] /\ ~exists[p]') => queued[topic[p]]]_vars

\* The wish to delete a topic is dropped only with the topic, or by a controller that has not heard of it.
\* (KafkaController.processTopicDeletion)
ZI22q == [][\A t \in Topic : (queued[t] /\ ~queued[t]') => ((\A q \in Partition : topic[q] = t => ~exists[q]') \/ (\E c
  \in Controller : acting[c] /\ (\A q \in Partition : topic[q] = t => assigned[c, q] = <<>>)))]_vars

\* The znode of the controller is there only while its session is. (ZooKeeper)
ZI23 == \A c \in Controller : elected = c => session[c]

\* A node that becomes controller creates the znode, which was not there, and raises the controller epoch by one. (S4:6)
ZI23e == [][\A c \in Controller : (~acting[c] /\ acting[c]') => (elected' = c /\ (\A d \in Controller : elected # d) /\
  controller_epoch' = controller_epoch + 1 /\ own_epoch[c]' = controller_epoch')]_vars

\* A broker that becomes live is known by the epoch of its registration. (KIP-380)
ZI24 == [][\A c \in Controller, x \in Broker : (x \in live[c]' /\ x \notin live[c]) => known_epoch[c, x]' =
  broker_epoch[x]]_vars

\* A controller begins with the brokers that are registered. (S4:107)
ZI30 == [][(\A c \in Given_Elect_c : (ZC0(c)) => (\A x \in Broker : (x \in live[c]') = alive[x]))]_vars

ZI30_where_nothing_changes == (\A c \in Given_Elect_c : (ENABLED (UNCHANGED vars /\ (ZC0(c)))) => (\A x \in Broker : (x
  \in live[c]) = alive[x]))

\* A broker that registered is live from now on. (S4:77)
ZI30n == [][(\A c \in Controller : (ZC4n(c)) => (\A x \in Broker : (x \in live[c]') = (x \in live[c] \/
  alive[x])))]_vars

ZI30n_where_nothing_changes == (\A c \in Controller : (ENABLED (UNCHANGED vars /\ (ZC4n(c)))) => (\A x \in Broker : (x
  \in live[c]) = (x \in live[c] \/ alive[x])))

\* The replicas of a partition are those that ZooKeeper lists. (S4:19)
ZI30a == [][(\A c \in Given_Elect_c : (ZC0(c)) => (\A q \in Partition : (assigned[c, q]' # <<>> /\ assigned[c, q]' #
  assigned[c, q]) => assigned[c, q]' = replicas[q])) /\ (\A c \in Controller : (ZC1a(c)) => (\A q \in Partition :
  (assigned[c, q]' # <<>> /\ assigned[c, q]' # assigned[c, q]) => assigned[c, q]' = replicas[q]))]_vars

\* After a failover each replica begins as Online, or as not to be deleted where its broker is down. (S4:109)
ZI30r == [][(\A c \in Given_Elect_c : (ZC0(c)) => (\A q \in Partition, x \in Broker : (exists[q] /\ x \in
  Elements(replicas[q])) => replica_state[c, q, x]' = (IF alive[x] THEN "ONLINE" ELSE "DELETION_INELIGIBLE")))]_vars

ZI30r_where_nothing_changes == (\A c \in Given_Elect_c : (ENABLED (UNCHANGED vars /\ (ZC0(c)))) => (\A q \in Partition,
  x \in Broker : (exists[q] /\ x \in Elements(replicas[q])) => replica_state[c, q, x] = (IF alive[x] THEN "ONLINE" ELSE
  "DELETION_INELIGIBLE")))

\* After a failover each partition begins as New, as Online with a live leader, or as Offline. (S4:112)
ZI30p == [][(\A c \in Given_Elect_c : (ZC0(c)) => (\A q \in Partition : exists[q] => partition_state[c, q]' = (IF
  ~stated[q] THEN "NEW" ELSE IF \E x \in Broker : leader[q] = x /\ alive[x] THEN "ONLINE" ELSE "OFFLINE")))]_vars

ZI30p_where_nothing_changes == (\A c \in Given_Elect_c : (ENABLED (UNCHANGED vars /\ (ZC0(c)))) => (\A q \in Partition :
  exists[q] => partition_state[c, q] = (IF ~stated[q] THEN "NEW" ELSE IF \E x \in Broker : leader[q] = x /\ alive[x]
  THEN "ONLINE" ELSE "OFFLINE")))

\* Every replica of a broker that lost a directory is asked. (KIP-112)
ZI30l == [][(\A c \in Controller, brokers \in SUBSET Broker : (ZC2l(c, brokers)) => (\A q \in Partition, x \in Broker :
  (x \in due_replicas[c, q]') = (x \in Elements(assigned[c, q]) /\ x \in brokers)))]_vars

ZI30l_where_nothing_changes == (\A c \in Controller, brokers \in SUBSET Broker : (ENABLED (UNCHANGED vars /\ (ZC2l(c,
  brokers)))) => (\A q \in Partition, x \in Broker : (x \in due_replicas[c, q]) = (x \in Elements(assigned[c, q]) /\ x
  \in brokers)))

\* A replica that goes from New to Online is among the assigned ones afterwards. (S4:48)
ZI31 == [][(\A c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : (ZR2(c, p, r, to_2)) => (\A x
  \in Broker : (x \in Elements(assigned[c, p]')) = (x \in Elements(assigned[c, p]) \/ x = r)))]_vars

ZI31_where_nothing_changes == (\A c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : (ENABLED
  (UNCHANGED vars /\ (ZR2(c, p, r, to_2)))) => (\A x \in Broker : (x \in Elements(assigned[c, p])) = (x \in
  Elements(assigned[c, p]) \/ x = r)))

\* A replica that is NonExistent is forgotten, and no other. (S4:41)
ZI31f == [][(\A c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : (ZR8(c, p, r, to_2)) => ((\A x
  \in Broker : (x \in Elements(assigned[c, p]')) = (x \in Elements(assigned[c, p]) /\ x # r)) /\ r \notin
  cached_adding[c, p]' /\ r \notin cached_removing[c, p]'))]_vars

ZI31f_where_nothing_changes == (\A c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : (ENABLED
  (UNCHANGED vars /\ (ZR8(c, p, r, to_2)))) => ((\A x \in Broker : (x \in Elements(assigned[c, p])) = (x \in
  Elements(assigned[c, p]) /\ x # r)) /\ r \notin cached_adding[c, p] /\ r \notin cached_removing[c, p]))

\* Reassignments that have a replica on brokers that started are taken up again. (S4:81)
ZI32r == [][(\A c \in Controller : (ZC3c(c)) => (\A q \in Partition, x \in Broker : ((x \in cached_adding[c, q] \/ x \in
  Elements(assigned[c, q])) /\ x \in subjects[c]) => ~resumed[c, q]'))]_vars

ZI32r_where_nothing_changes == (\A c \in Controller : (ENABLED (UNCHANGED vars /\ (ZC3c(c)))) => (\A q \in Partition, x
  \in Broker : ((x \in cached_adding[c, q] \/ x \in Elements(assigned[c, q])) /\ x \in subjects[c]) => ~resumed[c, q]))

\* Once a call has come to all that it is about, the next begins. (S4:57-124)
ZI26n == [][(\A c \in Controller : (ZC1b(c) \/ ZC1c(c) \/ ZC1d(c) \/ ZC1e(c) \/ ZC2b(c) \/ ZC2c(c) \/ ZC2d(c) \/ ZC2e(c)
  \/ ZC3b(c) \/ ZC3c(c) \/ ZC2m(c) \/ ZC6b(c) \/ ZC6c(c) \/ ZC6d(c)) => (call[c]' # call[c]))]_vars

ZI26n_where_nothing_changes == (\A c \in Controller : (ENABLED (UNCHANGED vars /\ (ZC1b(c) \/ ZC1c(c) \/ ZC1d(c) \/
  ZC1e(c) \/ ZC2b(c) \/ ZC2c(c) \/ ZC2d(c) \/ ZC2e(c) \/ ZC3b(c) \/ ZC3c(c) \/ ZC2m(c) \/ ZC6b(c) \/ ZC6c(c) \/
  ZC6d(c)))) => (call[c] # call[c]))

\* A failover begins with the replicas. (S4:108)
ZI26o == [][(\A c \in Given_Elect_c : (ZC0(c)) => (call[c]' = "OVER_ONLINE"))]_vars

ZI26o_where_nothing_changes == (\A c \in Given_Elect_c : (ENABLED (UNCHANGED vars /\ (ZC0(c)))) => (call[c] =
  "OVER_ONLINE"))

\* What is asked for, and what is noticed, is begun. (S4:57-124)
ZI26b == [][(\A c \in Given_Elect_c : (ZC0(c)) => (call[c]' # "IDLE")) /\ (\A c \in Controller : (ZC1a(c) \/ ZC4n(c) \/
  ZC4b(c) \/ ZC4d(c) \/ ZC2r(c)) => (call[c]' # "IDLE")) /\ (\A c \in Controller, brokers \in SUBSET Broker : (ZC2l(c,
  brokers)) => (call[c]' # "IDLE")) /\ (\A c \in Controller, b \in Broker, partitions \in SUBSET Partition : (ZC2o(c, b,
  partitions)) => (call[c]' # "IDLE"))]_vars

ZI26b_where_nothing_changes == (\A c \in Given_Elect_c : (ENABLED (UNCHANGED vars /\ (ZC0(c)))) => (call[c] # "IDLE"))
  /\ (\A c \in Controller : (ENABLED (UNCHANGED vars /\ (ZC1a(c) \/ ZC4n(c) \/ ZC4b(c) \/ ZC4d(c) \/ ZC2r(c)))) =>
  (call[c] # "IDLE")) /\ (\A c \in Controller, brokers \in SUBSET Broker : (ENABLED (UNCHANGED vars /\ (ZC2l(c,
  brokers)))) => (call[c] # "IDLE")) /\ (\A c \in Controller, b \in Broker, partitions \in SUBSET Partition : (ENABLED
  (UNCHANGED vars /\ (ZC2o(c, b, partitions)))) => (call[c] # "IDLE"))

\* The calls of an operation come in the page's order, each once, to the last one or until a write fails. (S4:57-124)
ZI26 == [][\A c \in Controller : (acting[c] /\ acting[c]' /\ call[c]' # call[c]) => ((call[c] = "IDLE" /\ (call[c]' =
  "CREATE_PARTITIONS" \/ call[c]' = "FAIL_OFFLINE" \/ call[c]' = "START_REPLICAS" \/ call[c]' = "LISTED" \/ call[c]' =
  "OVER_ONLINE" \/ call[c]' = "ELECT" \/ call[c]' = "ELECT_UNCLEAN" \/ call[c]' = "SHUTDOWN_LEADERS" \/ call[c]' =
  "DELETE_RETRY" \/ call[c]' = "DELETE_OFFLINE" \/ call[c]' = "DELETE_ANSWERED" \/ call[c]' = "DELETE_FAILED" \/
  call[c]' = "DELETE_REPLICAS_GONE" \/ call[c]' = "ASSIGN" \/ call[c]' = "DECIDE")) \/ (call[c] = "CREATE_PARTITIONS" /\
  call[c]' = "CREATE_REPLICAS") \/ (call[c] = "CREATE_REPLICAS" /\ call[c]' = "CREATE_LEADERS") \/ (call[c] =
  "CREATE_LEADERS" /\ call[c]' = "CREATE_ONLINE") \/ (call[c] = "FAIL_OFFLINE" /\ call[c]' = "FAIL_ELECT") \/ (call[c] =
  "FAIL_ELECT" /\ call[c]' = "FAIL_REPLICAS") \/ (call[c] = "FAIL_REPLICAS" /\ call[c]' = "FAIL_DELETION") \/ (call[c] =
  "START_REPLICAS" /\ call[c]' = "START_ELECT") \/ (call[c] = "OVER_ONLINE" /\ call[c]' = "OVER_OFFLINE") \/ (call[c] =
  "OVER_OFFLINE" /\ call[c]' = "OVER_ELECT") \/ (call[c] = "SHUTDOWN_LEADERS" /\ call[c]' = "SHUTDOWN_FOLLOWERS") \/
  (call[c] = "DELETE_OFFLINE" /\ call[c]' = "DELETE_GONE") \/ (call[c] = "DELETE_GONE" /\ call[c]' =
  "DELETE_INELIGIBLE") \/ (call[c] = "DELETE_INELIGIBLE" /\ call[c]' = "DELETE_REPLICAS") \/ (call[c] =
  "DELETE_REPLICAS" /\ call[c]' = "DELETE_STARTED") \/ (call[c] = "DELETE_REPLICAS_GONE" /\ call[c]' = "DELETE_ZNODES")
  \/ (call[c] = "ASSIGN" /\ call[c]' = "DECIDE") \/ (call[c] = "ASSIGN" /\ call[c]' = "UNNEEDED_OFFLINE") \/ (call[c] =
  "UNNEEDED_OFFLINE" /\ call[c]' = "UNNEEDED_STARTED") \/ (call[c] = "UNNEEDED_STARTED" /\ call[c]' =
  "UNNEEDED_SUCCESSFUL") \/ (call[c] = "UNNEEDED_SUCCESSFUL" /\ call[c]' = "UNNEEDED_GONE") \/ (call[c] =
  "UNNEEDED_GONE" /\ call[c]' = "DECIDE") \/ (call[c] = "DECIDE" /\ call[c]' = "BUMP") \/ (call[c] = "BUMP" /\ call[c]'
  = "ADD_NEW") \/ (call[c] = "DECIDE" /\ call[c]' = "ADD_ONLINE") \/ (call[c] = "ADD_ONLINE" /\ call[c]' = "LEAD") \/
  (call[c] = "LEAD" /\ call[c]' = "REMOVE_OFFLINE") \/ (call[c] = "REMOVE_OFFLINE" /\ call[c]' = "REMOVE_STARTED") \/
  (call[c] = "REMOVE_STARTED" /\ call[c]' = "REMOVE_SUCCESSFUL") \/ (call[c] = "REMOVE_SUCCESSFUL" /\ call[c]' =
  "REMOVE_GONE") \/ (call[c] = "REMOVE_GONE" /\ call[c]' = "STORE") \/ (call[c] = "STORE" /\ call[c]' = "FINISH") \/
  (call[c] = "LEAD" /\ call[c]' = "MOVE_LEADER") \/ (call[c] = "MOVE_LEADER" /\ call[c]' = "REMOVE_OFFLINE") \/
  (call[c]' = "IDLE" /\ (call[c] = "CREATE_ONLINE" \/ call[c] = "FAIL_DELETION" \/ call[c] = "START_ELECT" \/ call[c] =
  "LISTED" \/ call[c] = "OVER_ELECT" \/ call[c] = "ELECT" \/ call[c] = "ELECT_UNCLEAN" \/ call[c] = "SHUTDOWN_FOLLOWERS"
  \/ call[c] = "DELETE_RETRY" \/ call[c] = "DELETE_STARTED" \/ call[c] = "DELETE_ANSWERED" \/ call[c] = "DELETE_FAILED"
  \/ call[c] = "DELETE_ZNODES" \/ call[c] = "ADD_NEW" \/ call[c] = "FINISH" \/ fenced(c) \/ (\E p \in Partition :
  about[c, p] /\ ~stated[p]))))]_vars

\* New partitions are created. (S4:65)
ZI27a == [][\A c \in Controller, p \in Partition : (acting[c]' /\ call[c]' # call[c] /\ call[c]' = "CREATE_PARTITIONS")
  => due[c, p]' = fresh(p, c)]_vars

\* All of them get leaders. (S4:67)
ZI27b == [][\A c \in Controller, p \in Partition : (acting[c]' /\ call[c]' # call[c] /\ call[c]' = "CREATE_LEADERS") =>
  due[c, p]' = about[c, p]]_vars

\* All their replicas go New, then Online. (S4:66,68)
ZI27c == [][\A c \in Controller, p \in Partition, x \in Broker : (acting[c]' /\ call[c]' # call[c] /\ (call[c]' =
  "CREATE_REPLICAS" \/ call[c]' = "CREATE_ONLINE")) => (x \in due_replicas[c, p]') = (about[c, p] /\ x \in
  Elements(assigned[c, p]))]_vars

\* Partitions whose leader is lost go Offline. (S4:72)
ZI27d == [][\A c \in Controller, p \in Partition : (acting[c]' /\ call[c]' # call[c] /\ call[c]' = "FAIL_OFFLINE") =>
  due[c, p]' = (knows[c, p] /\ ~deleting[c, topic[p]] /\ cached_leader[c, p] \notin online(c, p)')]_vars

\* Partitions that are New or Offline are to get a leader when brokers come and go, and after a failover. (S4:73,80,113)
ZI27e == [][\A c \in Controller, p \in Partition : (acting[c]' /\ call[c]' # call[c] /\ (call[c]' = "FAIL_ELECT" \/
  call[c]' = "START_ELECT" \/ call[c]' = "OVER_ELECT")) => due[c, p]' = leaderless(c, p)]_vars

\* Replicas on brokers that started go Online. (S4:79)
ZI27g == [][\A c \in Controller, p \in Partition, x \in Broker : (acting[c]' /\ call[c]' # call[c] /\ call[c]' =
  "START_REPLICAS") => (x \in due_replicas[c, p]') = (x \in Elements(assigned[c, p]) /\ x \in subjects[c]')]_vars

\* After a failover replicas on live brokers go Online, (S4:110)
ZI27h == [][\A c \in Controller, p \in Partition, x \in Broker : (acting[c]' /\ call[c]' # call[c] /\ call[c]' =
  "OVER_ONLINE") => (x \in due_replicas[c, p]') = ((x \in Elements(assigned[c, p]))' /\ alive[x])]_vars

\* and the others Offline. (KAFKA-3143)
ZI27i == [][\A c \in Controller, p \in Partition, x \in Broker : (acting[c]' /\ call[c]' # call[c] /\ call[c]' =
  "OVER_OFFLINE") => (x \in due_replicas[c, p]') = (x \in Elements(assigned[c, p]) /\ x \notin live[c])]_vars

\* Replicas on the broker that follow go Offline. (S4:123-124)
ZI27k == [][\A c \in Controller, p \in Partition, x \in Broker : (acting[c]' /\ call[c]' # call[c] /\ call[c]' =
  "SHUTDOWN_FOLLOWERS") => (x \in due_replicas[c, p]') = (about[c, p] /\ x \in Elements(assigned[c, p]) /\ x \in
  subjects[c])]_vars

\* A reassignment sends who is added New, and Online once the target is in sync. (S4:87,89)
ZI27l == [][\A c \in Controller, p \in Partition, x \in Broker : (acting[c]' /\ call[c]' # call[c] /\ (call[c]' =
  "ADD_NEW" \/ call[c]' = "ADD_ONLINE")) => (x \in due_replicas[c, p]') = (about[c, p] /\ x \in cached_adding[c,
  p])]_vars

\* A reassignment stops who is removed, step by step. (S4:92-93)
ZI27m == [][\A c \in Controller, p \in Partition, x \in Broker : (acting[c]' /\ call[c]' # call[c] /\ (call[c]' =
  "UNNEEDED_OFFLINE" \/ call[c]' = "UNNEEDED_STARTED" \/ call[c]' = "UNNEEDED_SUCCESSFUL" \/ call[c]' = "UNNEEDED_GONE"
  \/ call[c]' = "REMOVE_OFFLINE" \/ call[c]' = "REMOVE_STARTED" \/ call[c]' = "REMOVE_SUCCESSFUL" \/ call[c]' =
  "REMOVE_GONE")) => (x \in due_replicas[c, p]') = (about[c, p] /\ x \in subjects[c]')]_vars

\* Partitions of a topic that is deleted are forgotten first. (TopicDeletionManager)
ZI27n == [][\A c \in Controller, p \in Partition : (acting[c]' /\ call[c]' # call[c] /\ call[c]' = "DELETE_GONE") =>
  due[c, p]' = (about[c, p] /\ partition_state[c, p] # "NONEXISTENT")]_vars

\* A replica that cannot be reached is not deleted for now. (TopicDeletionManager)
ZI27o == [][\A c \in Controller, p \in Partition, x \in Broker : (acting[c]' /\ call[c]' # call[c] /\ call[c]' =
  "DELETE_INELIGIBLE") => (x \in due_replicas[c, p]') = (about[c, p] /\ x \in Elements(assigned[c, p]) /\ x \notin
  online(c, p))]_vars

\* Every other replica is stopped, then deleted, unless it has been. (TopicDeletionManager)
ZI27p == [][\A c \in Controller, p \in Partition, x \in Broker : (acting[c]' /\ call[c]' # call[c] /\ (call[c]' =
  "DELETE_REPLICAS" \/ call[c]' = "DELETE_STARTED")) => (x \in due_replicas[c, p]') = (about[c, p] /\ x \in
  Elements(assigned[c, p]) /\ x \in online(c, p) /\ replica_state[c, p, x] # "DELETION_SUCCESSFUL")]_vars

\* Only replicas whose deletion failed are tried again. (TopicDeletionManager)
ZI27q == [][\A c \in Controller, p \in Partition, x \in Broker : (acting[c]' /\ call[c]' # call[c] /\ call[c]' =
  "DELETE_RETRY") => (x \in due_replicas[c, p]') = ((x \in due_replicas[c, p])' /\ x \in Elements(assigned[c, p]) /\
  replica_state[c, p, x] = "DELETION_INELIGIBLE")]_vars

\* Replicas on brokers that failed go Offline, or are not deleted for now where their topic is to be. (S4:74)
ZI27f == [][\A c \in Controller, p \in Partition, x \in Broker : ((acting[c]' /\ call[c]' # call[c] /\ call[c]' =
  "FAIL_REPLICAS" /\ about[c, p] /\ ~deleting[c, topic[p]] /\ x \in Elements(assigned[c, p]) /\ x \in subjects[c]) => x
  \in due_replicas[c, p]') /\ ((acting[c]' /\ call[c]' # call[c] /\ call[c]' = "FAIL_DELETION" /\ about[c, p] /\
  deleting[c, topic[p]] /\ x \in Elements(assigned[c, p]) /\ x \in subjects[c]) => x \in due_replicas[c, p]')]_vars

\* A broker that is no longer live is failed. (S4:71-74)
ZI28b == [][\A c \in Controller, x \in Broker : (acting[c] /\ acting[c]' /\ x \in live[c] /\ x \notin live[c]') =>
  (call[c]' = "FAIL_OFFLINE" /\ x \in subjects[c]' /\ x \notin shutting_down[c]')]_vars

\* A broker that appears is started up. (S4:77-81)
ZI28c == [][\A c \in Controller, x \in Broker : (acting[c] /\ acting[c]' /\ x \notin live[c] /\ x \in live[c]') =>
  (call[c]' = "START_REPLICAS" /\ x \in subjects[c]')]_vars

\* A broker that bounced is failed, and then started up. (KIP-380)
ZI28r == [][\A c \in Controller, x \in Broker : (acting[c]' /\ x \in returning[c] /\ x \notin returning[c]') => (x \in
  live[c]' /\ x \in subjects[c]')]_vars

\* A broker that has been shut down leads only where no other in-sync replica is online. (S4:122)
ZI28s == \A c \in Controller, p \in Partition, x \in Broker, y \in Broker : (writes(c) /\ (call[c] =
  "SHUTDOWN_FOLLOWERS" \/ (call[c] = "SHUTDOWN_LEADERS" /\ ~due[c, p])) /\ x \in subjects[c] /\ knows[c, p] /\
  ~deleting[c, topic[p]] /\ cached_leader[c, p] = x /\ y \in Elements(assigned[c, p])) => y \notin isr[p] \intersect
  online(c, p)

\* Where it followed it is in no ISR that has other members. (S4:124)
ZI28f == \A c \in Controller, p \in Partition, x \in Broker, y \in Broker : (writes(c) /\ call[c] = "SHUTDOWN_FOLLOWERS"
  /\ about[c, p] /\ x \in subjects[c] /\ x \in Elements(assigned[c, p]) /\ x \notin due_replicas[c, p] /\ ~deleting[c,
  topic[p]] /\ replica_state[c, p, x] # "NONEXISTENT" /\ stated[p] /\ x \in isr[p] /\ y \in isr[p]) => x = y

\* For ZI28s: what has a state, and is not to be deleted, is not NonExistent.
ZL49 == \A c \in Controller, p \in Partition : (newest(c) /\ knows[c, p] /\ ~deleting[c, topic[p]]) =>
  partition_state[c, p] # "NONEXISTENT"

\* For ZI28s: who is shut down is known to shut down.
ZL48 == \A c \in Controller, x \in Broker : ((call[c] = "SHUTDOWN_LEADERS" \/ call[c] = "SHUTDOWN_FOLLOWERS") /\ x \in
  subjects[c]) => x \in shutting_down[c]

\* A StopReplica names the leader epoch; for a topic that is deleted, any. (KIP-570)
ZI29k == [][(\A c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : (ZR4k(c, p, r, to_2) \/ ZR4s(c,
  p, r, to_2) \/ ZR4x(c, p, r, to_2) \/ ZR4c(c, p, r, to_2) \/ ZR4i(c, p, r, to_2) \/ ZR4(c, p, r, to_2) \/ ZR5(c, p, r,
  to_2)) => (stop_epoch[c, p, r]' = (IF ~deleting[c, topic[p]] THEN cached_leader_epoch[c, p] ELSE -1)))]_vars

ZI29k_where_nothing_changes == (\A c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : (ENABLED
  (UNCHANGED vars /\ (ZR4k(c, p, r, to_2) \/ ZR4s(c, p, r, to_2) \/ ZR4x(c, p, r, to_2) \/ ZR4c(c, p, r, to_2) \/
  ZR4i(c, p, r, to_2) \/ ZR4(c, p, r, to_2) \/ ZR5(c, p, r, to_2)))) => (stop_epoch[c, p, r] = (IF ~deleting[c,
  topic[p]] THEN cached_leader_epoch[c, p] ELSE -1)))

\* Who says that a newer controller wrote a state has read so in its znode. (S4:24)
ZI40 == [][(\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : (ZP3c(c, p, to_2, how)) =>
  (stated[p] /\ own_epoch[c] < written_in[p])) /\ (\A c \in Controller, p \in Partition, r \in Broker, to_2 \in
  ReplicaState : (ZR4c(c, p, r, to_2)) => (stated[p] /\ own_epoch[c] < written_in[p]))]_vars

ZI40_where_nothing_changes == (\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy :
  (ENABLED (UNCHANGED vars /\ (ZP3c(c, p, to_2, how)))) => (stated[p] /\ own_epoch[c] < written_in[p])) /\ (\A c \in
  Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : (ENABLED (UNCHANGED vars /\ (ZR4c(c, p, r, to_2))))
  => (stated[p] /\ own_epoch[c] < written_in[p]))

\* Where a newer controller wrote the state an older one does not try to write it. (KAFKA-6082)
ZI40w == [][(\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : (ZP3n(c, p, to_2, how) \/
  ZP3h(c, p, to_2, how) \/ ZP3m(c, p, to_2, how) \/ ZP3o(c, p, to_2, how) \/ ZP3u(c, p, to_2, how) \/ ZP3r(c, p, to_2,
  how) \/ ZP3p(c, p, to_2, how) \/ ZP3d(c, p, to_2, how)) => (stated[p] /\ written_in[p] <= own_epoch[c])) /\ (\A c \in
  Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : (ZR4h(c, p, r, to_2) \/ ZR4m(c, p, r, to_2) \/
  ZR4(c, p, r, to_2)) => (stated[p] /\ written_in[p] <= own_epoch[c]))]_vars

ZI40w_where_nothing_changes == (\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy :
  (ENABLED (UNCHANGED vars /\ (ZP3n(c, p, to_2, how) \/ ZP3h(c, p, to_2, how) \/ ZP3m(c, p, to_2, how) \/ ZP3o(c, p,
  to_2, how) \/ ZP3u(c, p, to_2, how) \/ ZP3r(c, p, to_2, how) \/ ZP3p(c, p, to_2, how) \/ ZP3d(c, p, to_2, how)))) =>
  (stated[p] /\ written_in[p] <= own_epoch[c])) /\ (\A c \in Controller, p \in Partition, r \in Broker, to_2 \in
  ReplicaState : (ENABLED (UNCHANGED vars /\ (ZR4h(c, p, r, to_2) \/ ZR4m(c, p, r, to_2) \/ ZR4(c, p, r, to_2)))) =>
  (stated[p] /\ written_in[p] <= own_epoch[c]))

\* That another controller was elected is learnt from ZooKeeper, in a session. (KAFKA-6082)
ZI40s == [][(\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : (ZP2m(c, p, to_2, how) \/
  ZP3h(c, p, to_2, how) \/ ZP3m(c, p, to_2, how)) => (session[c] /\ own_epoch[c] < controller_epoch)) /\ (\A c \in
  Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : (ZR4h(c, p, r, to_2) \/ ZR4m(c, p, r, to_2)) =>
  (session[c] /\ own_epoch[c] < controller_epoch))]_vars

ZI40s_where_nothing_changes == (\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy :
  (ENABLED (UNCHANGED vars /\ (ZP2m(c, p, to_2, how) \/ ZP3h(c, p, to_2, how) \/ ZP3m(c, p, to_2, how)))) => (session[c]
  /\ own_epoch[c] < controller_epoch)) /\ (\A c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState :
  (ENABLED (UNCHANGED vars /\ (ZR4h(c, p, r, to_2) \/ ZR4m(c, p, r, to_2)))) => (session[c] /\ own_epoch[c] <
  controller_epoch)) /\ (\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ZC10m_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version, wanted,
  wants_recovering)) => (session[c] /\ own_epoch[c] < controller_epoch))

\* The controller takes an event up, or refuses it, once it is done with the one before and with brokers that bounced.
\* (ControllerEventManager)
ZI41 == [][(\A c \in Controller : (ZC1a(c) \/ ZC4n(c) \/ ZC4b(c) \/ ZC4d(c)) => (acting[c] /\ call[c] = "IDLE" /\
  returning[c] = {})) /\ (\A c \in Controller, brokers \in SUBSET Broker : (ZC2l(c, brokers)) => (acting[c] /\ call[c] =
  "IDLE" /\ returning[c] = {})) /\ (\A c \in Controller, b \in Broker, partitions \in SUBSET Partition : (ZC2o(c, b,
  partitions)) => (acting[c] /\ call[c] = "IDLE" /\ returning[c] = {})) /\ (\A c \in Controller, p \in Partition, wanted
  \in SUBSET Broker, wants_recovering \in Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p),
  from_leader_epoch \in Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p)
  : \A from_epoch \in Given_AlterPartition_from_epoch(b) : (ZC10(c, b, p, from_epoch, from_leader_epoch, from_version,
  wanted, wants_recovering)) => (acting[c] /\ call[c] = "IDLE" /\ returning[c] = {}))]_vars

ZI41_where_nothing_changes == (\A c \in Controller : (ENABLED (UNCHANGED vars /\ (ZC1a(c) \/ ZC4n(c) \/ ZC4b(c) \/
  ZC4d(c)))) => (acting[c] /\ call[c] = "IDLE" /\ returning[c] = {})) /\ (\A c \in Controller, brokers \in SUBSET Broker
  : (ENABLED (UNCHANGED vars /\ (ZC2l(c, brokers)))) => (acting[c] /\ call[c] = "IDLE" /\ returning[c] = {})) /\ (\A c
  \in Controller, b \in Broker, partitions \in SUBSET Partition : (ENABLED (UNCHANGED vars /\ (ZC2o(c, b, partitions))))
  => (acting[c] /\ call[c] = "IDLE" /\ returning[c] = {})) /\ (\A c \in Controller, p \in Partition, wanted \in SUBSET
  Broker, wants_recovering \in Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p),
  from_leader_epoch \in Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p)
  : \A from_epoch \in Given_AlterPartition_from_epoch(b) : (ENABLED (UNCHANGED vars /\ (ZC10(c, b, p, from_epoch,
  from_leader_epoch, from_version, wanted, wants_recovering)))) => (acting[c] /\ call[c] = "IDLE" /\ returning[c] = {}))
  /\ (\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ZC10b_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version, wanted,
  wants_recovering)) => (acting[c] /\ call[c] = "IDLE" /\ returning[c] = {})) /\ (\A c \in Controller, p \in Partition,
  wanted \in SUBSET Broker, wants_recovering \in Given_AlterPartition_wants_recovering : \A b \in
  Given_AlterPartition_b(p), from_leader_epoch \in Given_AlterPartition_from_leader_epoch(p), from_version \in
  Given_AlterPartition_from_version(p) : \A from_epoch \in Given_AlterPartition_from_epoch(b) : (ZC10c_is_enabled(c, b,
  p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering)) => (acting[c] /\ call[c] = "IDLE" /\
  returning[c] = {})) /\ (\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ZC10d_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version, wanted,
  wants_recovering)) => (acting[c] /\ call[c] = "IDLE" /\ returning[c] = {})) /\ (\A c \in Controller, p \in Partition,
  wanted \in SUBSET Broker, wants_recovering \in Given_AlterPartition_wants_recovering : \A b \in
  Given_AlterPartition_b(p), from_leader_epoch \in Given_AlterPartition_from_leader_epoch(p), from_version \in
  Given_AlterPartition_from_version(p) : \A from_epoch \in Given_AlterPartition_from_epoch(b) : (ZC10e_is_enabled(c, b,
  p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering)) => (acting[c] /\ call[c] = "IDLE" /\
  returning[c] = {})) /\ (\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ZC10f_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version, wanted,
  wants_recovering)) => (acting[c] /\ call[c] = "IDLE" /\ returning[c] = {})) /\ (\A c \in Controller, p \in Partition,
  wanted \in SUBSET Broker, wants_recovering \in Given_AlterPartition_wants_recovering : \A b \in
  Given_AlterPartition_b(p), from_leader_epoch \in Given_AlterPartition_from_leader_epoch(p), from_version \in
  Given_AlterPartition_from_version(p) : \A from_epoch \in Given_AlterPartition_from_epoch(b) : (ZC10g_is_enabled(c, b,
  p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering)) => (acting[c] /\ call[c] = "IDLE" /\
  returning[c] = {})) /\ (\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ZC10h_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version, wanted,
  wants_recovering)) => (acting[c] /\ call[c] = "IDLE" /\ returning[c] = {})) /\ (\A c \in Controller, p \in Partition,
  wanted \in SUBSET Broker, wants_recovering \in Given_AlterPartition_wants_recovering : \A b \in
  Given_AlterPartition_b(p), from_leader_epoch \in Given_AlterPartition_from_leader_epoch(p), from_version \in
  Given_AlterPartition_from_version(p) : \A from_epoch \in Given_AlterPartition_from_epoch(b) : (ZC10i_is_enabled(c, b,
  p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering)) => (acting[c] /\ call[c] = "IDLE" /\
  returning[c] = {})) /\ (\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ZC10j_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version, wanted,
  wants_recovering)) => (acting[c] /\ call[c] = "IDLE" /\ returning[c] = {})) /\ (\A c \in Controller, p \in Partition,
  wanted \in SUBSET Broker, wants_recovering \in Given_AlterPartition_wants_recovering : \A b \in
  Given_AlterPartition_b(p), from_leader_epoch \in Given_AlterPartition_from_leader_epoch(p), from_version \in
  Given_AlterPartition_from_version(p) : \A from_epoch \in Given_AlterPartition_from_epoch(b) : (ZC10s_is_enabled(c, b,
  p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering)) => (acting[c] /\ call[c] = "IDLE" /\
  returning[c] = {})) /\ (\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ZC10m_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version, wanted,
  wants_recovering)) => (acting[c] /\ call[c] = "IDLE" /\ returning[c] = {}))

\* Only a leader that has recovered, or that takes others in, is forbidden to say that it recovers. (KIP-704)
ZI44 == [][TRUE]_vars

ZI44_where_nothing_changes == (\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ZC10h_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version, wanted,
  wants_recovering)) => (wants_recovering /\ (~recovering[p] \/ (\E x \in Broker, y \in Broker : x \in wanted /\ y \in
  wanted /\ x # y)))) /\ (\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ZC10i_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version, wanted,
  wants_recovering)) => (wants_recovering /\ (~recovering[p] \/ (\E x \in Broker, y \in Broker : x \in wanted /\ y \in
  wanted /\ x # y))))

\* An AlterPartition from a broker that the controller does not know under that epoch is answered with that, whatever it
\* asks. (KIP-497)
ZI44b == [][(\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ZC10(c, b, p, from_epoch, from_leader_epoch, from_version, wanted,
  wants_recovering)) => (b \in live[c] /\ from_epoch = known_epoch[c, b]))]_vars

ZI44b_where_nothing_changes == (\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ENABLED (UNCHANGED vars /\ (ZC10(c, b, p, from_epoch, from_leader_epoch,
  from_version, wanted, wants_recovering)))) => (b \in live[c] /\ from_epoch = known_epoch[c, b])) /\ (\A c \in
  Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in Given_AlterPartition_wants_recovering : \A
  b \in Given_AlterPartition_b(p), from_leader_epoch \in Given_AlterPartition_from_leader_epoch(p), from_version \in
  Given_AlterPartition_from_version(p) : \A from_epoch \in Given_AlterPartition_from_epoch(b) : (ZC10c_is_enabled(c, b,
  p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering)) => (b \in live[c] /\ from_epoch =
  known_epoch[c, b])) /\ (\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ZC10d_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version, wanted,
  wants_recovering)) => (b \in live[c] /\ from_epoch = known_epoch[c, b])) /\ (\A c \in Controller, p \in Partition,
  wanted \in SUBSET Broker, wants_recovering \in Given_AlterPartition_wants_recovering : \A b \in
  Given_AlterPartition_b(p), from_leader_epoch \in Given_AlterPartition_from_leader_epoch(p), from_version \in
  Given_AlterPartition_from_version(p) : \A from_epoch \in Given_AlterPartition_from_epoch(b) : (ZC10e_is_enabled(c, b,
  p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering)) => (b \in live[c] /\ from_epoch =
  known_epoch[c, b])) /\ (\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ZC10f_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version, wanted,
  wants_recovering)) => (b \in live[c] /\ from_epoch = known_epoch[c, b])) /\ (\A c \in Controller, p \in Partition,
  wanted \in SUBSET Broker, wants_recovering \in Given_AlterPartition_wants_recovering : \A b \in
  Given_AlterPartition_b(p), from_leader_epoch \in Given_AlterPartition_from_leader_epoch(p), from_version \in
  Given_AlterPartition_from_version(p) : \A from_epoch \in Given_AlterPartition_from_epoch(b) : (ZC10g_is_enabled(c, b,
  p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering)) => (b \in live[c] /\ from_epoch =
  known_epoch[c, b])) /\ (\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ZC10h_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version, wanted,
  wants_recovering)) => (b \in live[c] /\ from_epoch = known_epoch[c, b])) /\ (\A c \in Controller, p \in Partition,
  wanted \in SUBSET Broker, wants_recovering \in Given_AlterPartition_wants_recovering : \A b \in
  Given_AlterPartition_b(p), from_leader_epoch \in Given_AlterPartition_from_leader_epoch(p), from_version \in
  Given_AlterPartition_from_version(p) : \A from_epoch \in Given_AlterPartition_from_epoch(b) : (ZC10i_is_enabled(c, b,
  p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering)) => (b \in live[c] /\ from_epoch =
  known_epoch[c, b])) /\ (\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ZC10j_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version, wanted,
  wants_recovering)) => (b \in live[c] /\ from_epoch = known_epoch[c, b])) /\ (\A c \in Controller, p \in Partition,
  wanted \in SUBSET Broker, wants_recovering \in Given_AlterPartition_wants_recovering : \A b \in
  Given_AlterPartition_b(p), from_leader_epoch \in Given_AlterPartition_from_leader_epoch(p), from_version \in
  Given_AlterPartition_from_version(p) : \A from_epoch \in Given_AlterPartition_from_epoch(b) : (ZC10s_is_enabled(c, b,
  p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering)) => (b \in live[c] /\ from_epoch =
  known_epoch[c, b])) /\ (\A c \in Controller, p \in Partition, wanted \in SUBSET Broker, wants_recovering \in
  Given_AlterPartition_wants_recovering : \A b \in Given_AlterPartition_b(p), from_leader_epoch \in
  Given_AlterPartition_from_leader_epoch(p), from_version \in Given_AlterPartition_from_version(p) : \A from_epoch \in
  Given_AlterPartition_from_epoch(b) : (ZC10m_is_enabled(c, b, p, from_epoch, from_leader_epoch, from_version, wanted,
  wants_recovering)) => (b \in live[c] /\ from_epoch = known_epoch[c, b]))

\* Who is not the controller knows of no brokers. (KafkaController.onControllerResignation)
ZI42 == \A c \in Controller : acting[c] \/ (live[c] = {} /\ shutting_down[c] = {} /\ returning[c] = {})

\* A controller loses its znode with its session, or because an operator deletes it. (ZooKeeper)
ZI46 == [][(\A c \in Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : (ZP0(c, p, to_2, how) \/
  ZP1(c, p, to_2, how) \/ ZP4(c, p, to_2, how) \/ ZP5(c, p, to_2, how) \/ ZP2n(c, p, to_2, how) \/ ZP2s(c, p, to_2, how)
  \/ ZP2m(c, p, to_2, how) \/ ZP2(c, p, to_2, how) \/ ZP3s(c, p, to_2, how) \/ ZP3x(c, p, to_2, how) \/ ZP3c(c, p, to_2,
  how) \/ ZP3n(c, p, to_2, how) \/ ZP3h(c, p, to_2, how) \/ ZP3m(c, p, to_2, how) \/ ZP3o(c, p, to_2, how) \/ ZP3u(c, p,
  to_2, how) \/ ZP3r(c, p, to_2, how) \/ ZP3p(c, p, to_2, how) \/ ZP3d(c, p, to_2, how)) => (\A d \in Controller :
  (elected = d /\ elected' # d) => ~session[d]')) /\ (\A c \in Controller, p \in Partition, r \in Broker, to_2 \in
  ReplicaState : (ZR0(c, p, r, to_2) \/ ZR1l(c, p, r, to_2) \/ ZR1(c, p, r, to_2) \/ ZR2(c, p, r, to_2) \/ ZR3(c, p, r,
  to_2) \/ ZR4k(c, p, r, to_2) \/ ZR4s(c, p, r, to_2) \/ ZR4x(c, p, r, to_2) \/ ZR4c(c, p, r, to_2) \/ ZR4i(c, p, r,
  to_2) \/ ZR4h(c, p, r, to_2) \/ ZR4m(c, p, r, to_2) \/ ZR4(c, p, r, to_2) \/ ZR5(c, p, r, to_2) \/ ZR6(c, p, r, to_2)
  \/ ZR7(c, p, r, to_2) \/ ZR8(c, p, r, to_2)) => (\A d \in Controller : (elected = d /\ elected' # d) => ~session[d]'))
  /\ (\A c \in Controller : (SE1(c) \/ SE2(c) \/ SE3(c) \/ SE5(c) \/ ZC0r(c) \/ ZC1a(c) \/ ZC1b(c) \/ ZC1c(c) \/ ZC1d(c)
  \/ ZC1e(c) \/ ZC4n(c) \/ ZC4b(c) \/ ZC4d(c) \/ ZC2b(c) \/ ZC2c(c) \/ ZC2d(c) \/ ZC2e(c) \/ ZC2r(c) \/ ZC3b(c) \/
  ZC3c(c) \/ ZC2m(c) \/ ZC6b(c) \/ ZC6c(c) \/ ZC6d(c)) => (\A d \in Controller : (elected = d /\ elected' # d) =>
  ~session[d]')) /\ (\A c \in Given_Elect_c : (ZC0(c)) => (\A d \in Controller : (elected = d /\ elected' # d) =>
  ~session[d]')) /\ (\A b \in Broker : \A czxid \in Given_RegisterBroker_czxid(b) : (BR1(b, czxid)) => (\A d \in
  Controller : (elected = d /\ elected' # d) => ~session[d]')) /\ (\A b \in Broker, czxid \in broker_epoch_2 : (BR2(b,
  czxid)) => (\A d \in Controller : (elected = d /\ elected' # d) => ~session[d]')) /\ (\A b \in Broker : (BR3(b)) =>
  (\A d \in Controller : (elected = d /\ elected' # d) => ~session[d]')) /\ (\A p \in Partition, target \in
  Given_CreateTopic_target : (CT1(p, target)) => (\A d \in Controller : (elected = d /\ elected' # d) => ~session[d]'))
  /\ (\A c \in Controller, brokers \in SUBSET Broker : (ZC2l(c, brokers)) => (\A d \in Controller : (elected = d /\
  elected' # d) => ~session[d]')) /\ (\A c \in Controller, b \in Broker, partitions \in SUBSET Partition : (ZC2o(c, b,
  partitions)) => (\A d \in Controller : (elected = d /\ elected' # d) => ~session[d]')) /\ (\A c \in Controller, p \in
  Partition, wanted \in SUBSET Broker, wants_recovering \in Given_AlterPartition_wants_recovering : \A b \in
  Given_AlterPartition_b(p), from_leader_epoch \in Given_AlterPartition_from_leader_epoch(p), from_version \in
  Given_AlterPartition_from_version(p) : \A from_epoch \in Given_AlterPartition_from_epoch(b) : (ZC10(c, b, p,
  from_epoch, from_leader_epoch, from_version, wanted, wants_recovering)) => (\A d \in Controller : (elected = d /\
  elected' # d) => ~session[d]'))]_vars

\* A broker that is live is known by one epoch until it is failed, so that a bounce is noticed. (KIP-380)
ZI48 == [][\A c \in Controller, x \in Broker : (acting[c]' /\ x \in live[c] /\ x \in live[c]') => known_epoch[c, x]' =
  known_epoch[c, x]]_vars

\* For ZI48: who bounced is not live until it is started up.
ZL60 == \A c \in Controller, x \in Broker : ~(x \in returning[c] /\ x \in live[c])

\* Replicas in failed directories are known of live brokers only: a broker that comes back has all of them. (KIP-112)
ZI48l == \A c \in Controller, p \in Partition : lost[c, p] \subseteq live[c]

\* No reassignment is taken up again but those with a replica on brokers that started. (S4:81)
ZI49 == [][(\A c \in Controller : (ZC3c(c)) => (\A q \in Partition : resumed[c, q]' = resumed[c, q] \/ (\E x \in Broker
  : x \in subjects[c] /\ (x \in cached_adding[c, q] \/ x \in Elements(assigned[c, q])))))]_vars

\* A partition with a live member of the ISR becomes Online: not where a changed reassignment stops its leader.
\* (S4:73,80)
Spec_ZI12 == Spec /\ WF_vars((\E c \in Controller : SE5(c))) /\ WF_vars((\E c \in Controller : SE2(c))) /\ WF_vars((\E c
  \in Controller : ZC0r(c))) /\ ([]<>~((ENABLED <<(\E c \in Given_Elect_c : ZC0(c))>>_vars) \/ Elect_would_leave) \/
  []<><<(\E c \in Given_Elect_c : ZC0(c))>>_vars) /\ WF_vars((\E c \in Controller : ZC1a(c))) /\ WF_vars((\E c \in
  Controller : ZC4n(c)) \/ (\E c \in Controller : ZC4b(c)) \/ (\E c \in Controller : ZC4d(c))) /\ WF_vars((\E c \in
  Controller : ZC2r(c))) /\ WF_vars((\E c \in Controller : ZC1b(c)) \/ (\E c \in Controller : ZC1c(c)) \/ (\E c \in
  Controller : ZC1d(c)) \/ (\E c \in Controller : ZC1e(c)) \/ (\E c \in Controller : ZC2b(c)) \/ (\E c \in Controller :
  ZC2c(c)) \/ (\E c \in Controller : ZC2d(c)) \/ (\E c \in Controller : ZC2e(c)) \/ (\E c \in Controller : ZC3b(c)) \/
  (\E c \in Controller : ZC3c(c)) \/ (\E c \in Controller : ZC2m(c)) \/ (\E c \in Controller : ZC6b(c)) \/ (\E c \in
  Controller : ZC6c(c)) \/ (\E c \in Controller : ZC6d(c))) /\ ([]<>~((ENABLED <<(\E c \in Controller, p \in Partition,
  to_2 \in PartitionState, how \in Strategy : ZP0(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP1(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP4(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP5(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP2n(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP2s(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP2m(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP2(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP3s(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP3x(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP3c(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP3n(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP3h(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP3m(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP3o(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP3u(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP3r(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP3p(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP3d(c, p, to_2, how))>>_vars) \/ PartitionState_would_leave) \/ []<><<(\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP0(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP1(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP4(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP5(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP2n(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP2s(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP2m(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP2(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP3s(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP3x(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP3c(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP3n(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP3h(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP3m(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP3o(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP3u(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP3r(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP3p(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP3d(c, p, to_2, how))>>_vars) /\
  ([]<>~((ENABLED <<(\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR0(c, p, r, to_2)) \/
  (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR1l(c, p, r, to_2)) \/ (\E c \in
  Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR1(c, p, r, to_2)) \/ (\E c \in Controller, p \in
  Partition, r \in Broker, to_2 \in ReplicaState : ZR2(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in
  Broker, to_2 \in ReplicaState : ZR3(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in
  ReplicaState : ZR4k(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState :
  ZR4s(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR4x(c, p, r,
  to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR4c(c, p, r, to_2)) \/ (\E c
  \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR4i(c, p, r, to_2)) \/ (\E c \in Controller, p
  \in Partition, r \in Broker, to_2 \in ReplicaState : ZR4h(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r
  \in Broker, to_2 \in ReplicaState : ZR4m(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2
  \in ReplicaState : ZR4(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState :
  ZR5(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR6(c, p, r,
  to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR7(c, p, r, to_2)) \/ (\E c
  \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR8(c, p, r, to_2))>>_vars) \/
  ReplicaState_would_leave) \/ []<><<(\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR0(c,
  p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR1l(c, p, r, to_2)) \/
  (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR1(c, p, r, to_2)) \/ (\E c \in
  Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR2(c, p, r, to_2)) \/ (\E c \in Controller, p \in
  Partition, r \in Broker, to_2 \in ReplicaState : ZR3(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in
  Broker, to_2 \in ReplicaState : ZR4k(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in
  ReplicaState : ZR4s(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState :
  ZR4x(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR4c(c, p, r,
  to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR4i(c, p, r, to_2)) \/ (\E c
  \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR4h(c, p, r, to_2)) \/ (\E c \in Controller, p
  \in Partition, r \in Broker, to_2 \in ReplicaState : ZR4m(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r
  \in Broker, to_2 \in ReplicaState : ZR4(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2
  \in ReplicaState : ZR5(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState :
  ZR6(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR7(c, p, r,
  to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR8(c, p, r, to_2))>>_vars)
ZI12 == (\E p \in Partition : stays(p) /\ can_be_led(p) /\ ~served(p)) ~> (~(\E p \in Partition : stays(p) /\
  can_be_led(p) /\ ~served(p)))

ZI12_inside_the_ranges == (PartitionState_would_leave \/ ReplicaState_would_leave \/ Elect_would_leave \/
  AlterPartition_would_leave) => (~(\E p \in Partition : stays(p) /\ can_be_led(p) /\ ~served(p)))

\* An operation that was begun ends: each call comes to all it is about, and each has a row that ends it. (S4:57-124)
Spec_ZE1 == Spec /\ WF_vars((\E c \in Controller : SE5(c))) /\ WF_vars((\E c \in Controller : SE2(c))) /\ WF_vars((\E c
  \in Controller : ZC0r(c))) /\ ([]<>~((ENABLED <<(\E c \in Given_Elect_c : ZC0(c))>>_vars) \/ Elect_would_leave) \/
  []<><<(\E c \in Given_Elect_c : ZC0(c))>>_vars) /\ WF_vars((\E c \in Controller : ZC1a(c))) /\ WF_vars((\E c \in
  Controller : ZC4n(c)) \/ (\E c \in Controller : ZC4b(c)) \/ (\E c \in Controller : ZC4d(c))) /\ WF_vars((\E c \in
  Controller : ZC2r(c))) /\ WF_vars((\E c \in Controller : ZC1b(c)) \/ (\E c \in Controller : ZC1c(c)) \/ (\E c \in
  Controller : ZC1d(c)) \/ (\E c \in Controller : ZC1e(c)) \/ (\E c \in Controller : ZC2b(c)) \/ (\E c \in Controller :
  ZC2c(c)) \/ (\E c \in Controller : ZC2d(c)) \/ (\E c \in Controller : ZC2e(c)) \/ (\E c \in Controller : ZC3b(c)) \/
  (\E c \in Controller : ZC3c(c)) \/ (\E c \in Controller : ZC2m(c)) \/ (\E c \in Controller : ZC6b(c)) \/ (\E c \in
  Controller : ZC6c(c)) \/ (\E c \in Controller : ZC6d(c))) /\ ([]<>~((ENABLED <<(\E c \in Controller, p \in Partition,
  to_2 \in PartitionState, how \in Strategy : ZP0(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP1(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP4(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP5(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP2n(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP2s(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP2m(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP2(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP3s(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP3x(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP3c(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP3n(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP3h(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP3m(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP3o(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP3u(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP3r(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP3p(c, p, to_2, how)) \/ (\E c \in Controller, p \in Partition, to_2 \in
  PartitionState, how \in Strategy : ZP3d(c, p, to_2, how))>>_vars) \/ PartitionState_would_leave) \/ []<><<(\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP0(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP1(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP4(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP5(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP2n(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP2s(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP2m(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP2(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP3s(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP3x(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP3c(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP3n(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP3h(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP3m(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP3o(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP3u(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP3r(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP3p(c, p, to_2, how)) \/ (\E c \in
  Controller, p \in Partition, to_2 \in PartitionState, how \in Strategy : ZP3d(c, p, to_2, how))>>_vars) /\
  ([]<>~((ENABLED <<(\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR0(c, p, r, to_2)) \/
  (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR1l(c, p, r, to_2)) \/ (\E c \in
  Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR1(c, p, r, to_2)) \/ (\E c \in Controller, p \in
  Partition, r \in Broker, to_2 \in ReplicaState : ZR2(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in
  Broker, to_2 \in ReplicaState : ZR3(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in
  ReplicaState : ZR4k(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState :
  ZR4s(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR4x(c, p, r,
  to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR4c(c, p, r, to_2)) \/ (\E c
  \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR4i(c, p, r, to_2)) \/ (\E c \in Controller, p
  \in Partition, r \in Broker, to_2 \in ReplicaState : ZR4h(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r
  \in Broker, to_2 \in ReplicaState : ZR4m(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2
  \in ReplicaState : ZR4(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState :
  ZR5(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR6(c, p, r,
  to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR7(c, p, r, to_2)) \/ (\E c
  \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR8(c, p, r, to_2))>>_vars) \/
  ReplicaState_would_leave) \/ []<><<(\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR0(c,
  p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR1l(c, p, r, to_2)) \/
  (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR1(c, p, r, to_2)) \/ (\E c \in
  Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR2(c, p, r, to_2)) \/ (\E c \in Controller, p \in
  Partition, r \in Broker, to_2 \in ReplicaState : ZR3(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in
  Broker, to_2 \in ReplicaState : ZR4k(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in
  ReplicaState : ZR4s(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState :
  ZR4x(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR4c(c, p, r,
  to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR4i(c, p, r, to_2)) \/ (\E c
  \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR4h(c, p, r, to_2)) \/ (\E c \in Controller, p
  \in Partition, r \in Broker, to_2 \in ReplicaState : ZR4m(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r
  \in Broker, to_2 \in ReplicaState : ZR4(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2
  \in ReplicaState : ZR5(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState :
  ZR6(c, p, r, to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR7(c, p, r,
  to_2)) \/ (\E c \in Controller, p \in Partition, r \in Broker, to_2 \in ReplicaState : ZR8(c, p, r, to_2))>>_vars)
ZE1 == (\E c \in Controller : at_work(c)) ~> (~(\E c \in Controller : at_work(c)))

ZE1_inside_the_ranges == (PartitionState_would_leave \/ ReplicaState_would_leave \/ Elect_would_leave \/
  AlterPartition_would_leave) => (~(\E c \in Controller : at_work(c)))

\* For ZI1: no controller's epoch is ahead of /controller_epoch.
ZL1 == \A c \in Controller : own_epoch[c] <= controller_epoch

\* For ZI1: no two controllers act in one epoch.
ZL2 == \A c \in Controller, d \in Controller : (acting[c] /\ acting[d] /\ own_epoch[c] = own_epoch[d]) => c = d

\* For ZI8, ZI15: a controller that does not act has no partitions cached.
ZL3 == \A c \in Controller, p \in Partition : acting[c] \/ (call[c] = "IDLE" /\ ~knows[c, p] /\ ~about[c, p] /\ ~due[c,
  p] /\ ~deleting[c, topic[p]] /\ partition_state[c, p] = "NONEXISTENT")

\* For ZI8, ZI9: nor of replicas.
ZL4 == \A c \in Controller, p \in Partition, x \in Broker : acting[c] \/ ~(x \in Elements(assigned[c, p]) \/ x \in
  cached_adding[c, p] \/ x \in cached_removing[c, p] \/ x \in due_replicas[c, p] \/ replica_state[c, p, x] #
  "NONEXISTENT")

\* For ZI2: no state is written in an epoch to come.
ZL5 == \A p \in Partition : written_in[p] <= controller_epoch

\* For ZI2: only what exists has a state, and what was deleted never comes back.
ZL6 == \A p \in Partition : (stated[p] => exists[p]) /\ ~(exists[p] /\ gone[p])

\* For ZI3n: what was never stated has no leader epoch yet.
ZL7 == \A p \in Partition : stated[p] \/ gone[p] \/ (version[p] = -1 /\ leader_epoch[p] = -1 /\ leader[p] = None)

\* For ZI2, ZI15: the newest controller knows which partitions have a state,
ZL8 == \A c \in Controller, p \in Partition : newest(c) => knows[c, p] = stated[p]

\* For ZI3, ZI9: and what is in it,
ZL9 == \A c \in Controller, p \in Partition : (newest(c) /\ knows[c, p]) => (cached_leader[c, p] = leader[p] /\
  cached_leader_epoch[c, p] = leader_epoch[p] /\ cached_version[c, p] = version[p])

\* For ZI2: and its ISR,
ZL10 == \A c \in Controller, p \in Partition, x \in Broker : (newest(c) /\ knows[c, p]) => (x \in cached_isr[c, p]) = (x
  \in isr[p])

\* For ZI6: and who is added and removed.
ZL11 == \A c \in Controller, p \in Partition, x \in Broker : (writes(c) /\ ~(about[c, p] /\ (completed(c) \/
  ending(c)))) => ((x \in cached_adding[c, p]) = (x \in adding[p]) /\ (x \in cached_removing[c, p]) = (x \in
  removing[p]))

\* For ZI2r, ZI6: whom it has cached as replicas is listed,
ZL12 == \A c \in Controller, p \in Partition, x \in Broker : (writes(c) /\ x \in Elements(assigned[c, p])) => (exists[p]
  /\ x \in Elements(replicas[p]))

\* For ZI6, ZI15: and no listed replica is missing, but one that is just removed or deleted.
ZL13 == \A c \in Controller, p \in Partition, x \in Broker, y \in Broker : (writes(c) /\ x \in Elements(replicas[p]) /\
  (y \in Elements(assigned[c, p]) \/ stated[p])) => (x \in Elements(assigned[c, p]) \/ (about[c, p] /\ (ending(c) \/
  (completed(c) /\ x \in removing[p]))))

\* For ZI6: at the end of a reassignment those who are removed are stopped.
ZL14 == \A c \in Controller, p \in Partition, x \in Broker : (writes(c) /\ completed(c) /\ about[c, p] /\ x \in
  removing[p]) => x \in subjects[c]

\* For ZI6: no replica is added to the cached ones by going Online.
ZL15 == \A c \in Controller, p \in Partition, x \in Broker : (writes(c) /\ (call[c] = "CREATE_ONLINE" \/ call[c] =
  "START_REPLICAS" \/ call[c] = "LISTED" \/ call[c] = "OVER_ONLINE" \/ call[c] = "ADD_ONLINE") /\ x \in due_replicas[c,
  p]) => x \in Elements(assigned[c, p])

\* For ZI9c, ZI11: a controller that has no state cached has no leader cached.
ZL16 == \A c \in Controller, p \in Partition : knows[c, p] \/ (cached_leader[c, p] = None /\ cached_leader_epoch[c, p] =
  -1)

\* For ZI8, ZI15: partitions are due only while the call is about partitions.
ZL17 == \A c \in Controller, p \in Partition : (due[c, p] => (call[c] = "CREATE_PARTITIONS" \/ call[c] =
  "CREATE_LEADERS" \/ call[c] = "FAIL_OFFLINE" \/ call[c] = "FAIL_ELECT" \/ call[c] = "START_ELECT" \/ call[c] =
  "OVER_ELECT" \/ call[c] = "ELECT" \/ call[c] = "ELECT_UNCLEAN" \/ call[c] = "SHUTDOWN_LEADERS" \/ call[c] =
  "MOVE_LEADER" \/ call[c] = "DELETE_OFFLINE" \/ call[c] = "DELETE_GONE")) /\ (about[c, p] => call[c] # "IDLE")

\* For ZI9: replicas are due only while the call is about replicas.
ZL18 == \A c \in Controller, p \in Partition, x \in Broker : x \in due_replicas[c, p] => (call[c] = "CREATE_REPLICAS" \/
  call[c] = "CREATE_ONLINE" \/ call[c] = "FAIL_REPLICAS" \/ call[c] = "FAIL_DELETION" \/ call[c] = "START_REPLICAS" \/
  call[c] = "LISTED" \/ call[c] = "OVER_ONLINE" \/ call[c] = "OVER_OFFLINE" \/ call[c] = "SHUTDOWN_FOLLOWERS" \/ call[c]
  = "UNNEEDED_OFFLINE" \/ call[c] = "UNNEEDED_STARTED" \/ call[c] = "UNNEEDED_SUCCESSFUL" \/ call[c] = "UNNEEDED_GONE"
  \/ call[c] = "ADD_NEW" \/ call[c] = "ADD_ONLINE" \/ call[c] = "REMOVE_OFFLINE" \/ call[c] = "REMOVE_STARTED" \/
  call[c] = "REMOVE_SUCCESSFUL" \/ call[c] = "REMOVE_GONE" \/ call[c] = "DELETE_RETRY" \/ call[c] = "DELETE_INELIGIBLE"
  \/ call[c] = "DELETE_REPLICAS" \/ call[c] = "DELETE_STARTED" \/ call[c] = "DELETE_ANSWERED" \/ call[c] =
  "DELETE_FAILED" \/ call[c] = "DELETE_REPLICAS_GONE")

\* For ZI6, ZI9: one partition is reassigned at a time,
ZL19 == \A c \in Controller, p \in Partition, q \in Partition : (reassigning(c) /\ about[c, p] /\ about[c, q]) => p = q

\* For ZI9: and nothing else is due,
ZL20 == \A c \in Controller, p \in Partition, x \in Broker : (reassigning(c) /\ (x \in due_replicas[c, p] \/ due[c, p]))
  => about[c, p]

\* For ZI9: least of all other replicas.
ZL45 == \A c \in Controller, p \in Partition, x \in Broker : (removing_now(c) /\ x \in due_replicas[c, p]) => x \in
  subjects[c]

\* For ZI6: what is reassigned has replicas,
ZL37 == \A c \in Controller, p \in Partition : (writes(c) /\ reassigning(c) /\ about[c, p]) => assigned[c, p] # <<>>

\* For ZI6: and will have some.
ZL38 == \A c \in Controller, p \in Partition : (writes(c) /\ call[c] = "ASSIGN" /\ about[c, p]) => aim[c] # <<>>

\* For ZI15: what has a state has replicas cached.
ZL47 == \A c \in Controller, p \in Partition : (writes(c) /\ stated[p] /\ ~(ending(c) /\ about[c, p])) => assigned[c, p]
  # <<>>

\* For ZI6, ZI15: not every cached replica is to be removed.
ZL39 == \A c \in Controller, p \in Partition, x \in Broker : (writes(c) /\ x \in Elements(assigned[c, p]) /\ ~(ending(c)
  /\ about[c, p])) => (\E y \in Broker : y \in Elements(assigned[c, p]) /\ y \notin cached_removing[c, p])

\* For ZI6: a replica is left when a reassignment is cancelled.
ZL40 == \A p \in Partition : exists[p] => (\E x \in Broker : x \in Elements(replicas[p]) /\ x \notin adding[p])

\* For ZI6: a completed reassignment is none any more, as cached.
ZL41 == \A c \in Controller, p \in Partition, x \in Broker : (completed(c) /\ about[c, p]) => ~(x \in cached_adding[c,
  p] \/ x \in cached_removing[c, p])

\* For ZI9: who is stopped is cached no more.
ZL21 == \A c \in Controller, p \in Partition, x \in Broker : (removing_now(c) /\ about[c, p] /\ (x \in subjects[c] \/ x
  \in due_replicas[c, p])) => x \notin Elements(assigned[c, p])

\* For ZI9c: no replica is removed before the target is in sync.
ZL22 == \A c \in Controller, p \in Partition, x \in Broker, y \in Broker : (writes(c) /\ call[c] = "ADD_ONLINE" /\
  about[c, p] /\ x \in Elements(assigned[c, p]) /\ x \notin cached_removing[c, p] /\ y \in cached_removing[c, p]) => x
  \in isr[p]

\* For ZI9: a deletion is about topics that are queued,
ZL23 == \A c \in Controller, p \in Partition : ((call[c] = "DELETE_OFFLINE" \/ call[c] = "DELETE_GONE" \/ call[c] =
  "DELETE_INELIGIBLE" \/ call[c] = "DELETE_REPLICAS" \/ call[c] = "DELETE_STARTED" \/ call[c] = "DELETE_ANSWERED" \/
  call[c] = "DELETE_FAILED" \/ call[c] = "DELETE_REPLICAS_GONE" \/ call[c] = "DELETE_ZNODES") /\ about[c, p]) =>
  deleting[c, topic[p]]

\* For ZI9: and about nothing else.
ZL43 == \A c \in Controller, p \in Partition, x \in Broker : ((call[c] = "DELETE_OFFLINE" \/ call[c] = "DELETE_GONE" \/
  call[c] = "DELETE_INELIGIBLE" \/ call[c] = "DELETE_REPLICAS" \/ call[c] = "DELETE_STARTED" \/ call[c] =
  "DELETE_ANSWERED" \/ call[c] = "DELETE_FAILED" \/ call[c] = "DELETE_REPLICAS_GONE" \/ call[c] = "DELETE_ZNODES") /\
  (due[c, p] \/ x \in due_replicas[c, p])) => about[c, p]

\* For ZI15: and at its end about all of a topic.
ZL24 == \A c \in Controller, p \in Partition, q \in Partition : (ending(c) /\ about[c, p]) => about[c, q] = (topic[q] =
  topic[p])

\* For ZI6s: a removed replica goes Offline, is sent a deletion, and is dropped from the cache.
ZL25 == \A c \in Controller, p \in Partition, x \in Broker : (writes(c) /\ about[c, p] /\ x \in subjects[c]) =>
  ((call[c] = "REMOVE_OFFLINE" => (x \in due_replicas[c, p] \/ replica_state[c, p, x] = "OFFLINE" \/ replica_state[c, p,
  x] = "DELETION_STARTED" \/ replica_state[c, p, x] = "DELETION_SUCCESSFUL" \/ replica_state[c, p, x] = "NONEXISTENT"))
  /\ (call[c] = "REMOVE_STARTED" => ((x \in due_replicas[c, p] /\ replica_state[c, p, x] = "OFFLINE") \/
  replica_state[c, p, x] = "DELETION_STARTED" \/ replica_state[c, p, x] = "DELETION_SUCCESSFUL" \/ replica_state[c, p,
  x] = "NONEXISTENT")) /\ (call[c] = "REMOVE_SUCCESSFUL" => ((x \in due_replicas[c, p] /\ (replica_state[c, p, x] =
  "DELETION_STARTED" \/ replica_state[c, p, x] = "DELETION_SUCCESSFUL")) \/ replica_state[c, p, x] =
  "DELETION_SUCCESSFUL" \/ replica_state[c, p, x] = "NONEXISTENT")) /\ (call[c] = "REMOVE_GONE" => ((x \in
  due_replicas[c, p] /\ replica_state[c, p, x] = "DELETION_SUCCESSFUL") \/ replica_state[c, p, x] = "NONEXISTENT")) /\
  (call[c] = "STORE" => replica_state[c, p, x] = "NONEXISTENT"))

\* For ZI15: no replica that is stopped by a reassignment stays half deleted.
ZL26 == \A c \in Controller, p \in Partition, x \in Broker : (about[c, p] /\ x \in subjects[c] /\ (replica_state[c, p,
  x] = "DELETION_STARTED" \/ replica_state[c, p, x] = "DELETION_SUCCESSFUL")) => (((call[c] = "UNNEEDED_SUCCESSFUL" \/
  call[c] = "REMOVE_SUCCESSFUL") => (x \in due_replicas[c, p] \/ replica_state[c, p, x] = "DELETION_SUCCESSFUL")) /\
  ((call[c] = "UNNEEDED_GONE" \/ call[c] = "REMOVE_GONE") => (x \in due_replicas[c, p] /\ replica_state[c, p, x] =
  "DELETION_SUCCESSFUL")) /\ call[c] # "STORE")

\* For ZI15: replicas are deleted after their partition is forgotten, or by a reassignment.
ZL27 == \A c \in Controller, p \in Partition, x \in Broker : (writes(c) /\ (replica_state[c, p, x] = "DELETION_STARTED"
  \/ replica_state[c, p, x] = "DELETION_SUCCESSFUL")) => ((deleting[c, topic[p]] /\ partition_state[c, p] =
  "NONEXISTENT") \/ (about[c, p] /\ x \in subjects[c] /\ (call[c] = "UNNEEDED_STARTED" \/ call[c] =
  "UNNEEDED_SUCCESSFUL" \/ call[c] = "UNNEEDED_GONE" \/ call[c] = "REMOVE_STARTED" \/ call[c] = "REMOVE_SUCCESSFUL" \/
  call[c] = "REMOVE_GONE")))

\* For ZI15: replicas that are deleted are cached until they are forgotten.
ZL28 == \A c \in Controller, p \in Partition, x \in Broker : (writes(c) /\ (replica_state[c, p, x] = "DELETION_STARTED"
  \/ replica_state[c, p, x] = "DELETION_SUCCESSFUL")) => (x \in Elements(assigned[c, p]) \/ (about[c, p] /\ x \in
  subjects[c] /\ removing_now(c)))

\* For ZI15: what is created has no leader yet,
ZL29 == \A c \in Controller, p \in Partition : (writes(c) /\ call[c] = "CREATE_PARTITIONS" /\ due[c, p]) => ~knows[c, p]

\* For ZI15: is not deleted,
ZL46 == \A c \in Controller, p \in Partition, x \in Broker : (writes(c) /\ call[c] = "CREATE_PARTITIONS" /\ due[c, p])
  => ~(replica_state[c, p, x] = "DELETION_STARTED" \/ replica_state[c, p, x] = "DELETION_SUCCESSFUL")

\* For ZI15: and has replicas.
ZL30 == \A c \in Controller, p \in Partition : (writes(c) /\ call[c] = "CREATE_PARTITIONS" /\ due[c, p]) => assigned[c,
  p] # <<>>

\* For ZI15: the partitions of a topic are forgotten before its replicas are deleted.
ZL31 == \A c \in Controller, p \in Partition : about[c, p] => ((call[c] = "DELETE_OFFLINE" => (due[c, p] \/
  partition_state[c, p] = "OFFLINE" \/ partition_state[c, p] = "NONEXISTENT")) /\ (call[c] = "DELETE_GONE" => ((due[c,
  p] /\ partition_state[c, p] = "OFFLINE") \/ partition_state[c, p] = "NONEXISTENT")) /\ ((call[c] = "DELETE_INELIGIBLE"
  \/ call[c] = "DELETE_REPLICAS" \/ call[c] = "DELETE_STARTED") => partition_state[c, p] = "NONEXISTENT"))

\* For ZI15: only cached replicas are deleted.
ZL44 == \A c \in Controller, p \in Partition, x \in Broker : (call[c] = "DELETE_STARTED" /\ x \in due_replicas[c, p]) =>
  x \in Elements(assigned[c, p])

\* For ZI15: nothing that is New is at the end of its deletion.
ZL32 == \A c \in Controller, p \in Partition : (writes(c) /\ ending(c) /\ about[c, p]) => partition_state[c, p] # "NEW"

\* For ZI15: at the end of a deletion every replica is forgotten,
ZL33 == \A c \in Controller, p \in Partition, x \in Broker : (ending(c) /\ about[c, p] /\ x \in Elements(assigned[c,
  p])) => (call[c] = "DELETE_REPLICAS_GONE" /\ x \in due_replicas[c, p] /\ replica_state[c, p, x] =
  "DELETION_SUCCESSFUL")

\* For ZI15: and none stays half deleted.
ZL42 == \A c \in Controller, p \in Partition, x \in Broker : (writes(c) /\ ending(c) /\ about[c, p] /\ (replica_state[c,
  p, x] = "DELETION_STARTED" \/ replica_state[c, p, x] = "DELETION_SUCCESSFUL")) => x \in Elements(assigned[c, p])
================================================================================
