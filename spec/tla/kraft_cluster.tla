----------------------------- MODULE kraft_cluster -----------------------------
\* kraft_cluster: The KRaft controller of Kafka 4.4: brokers, partitions, topics, and what a real log needs beside them.
\* Made from the tables of kraft_cluster 3ec0b538951f; not to be edited.
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS Maxlevel, NumberBroker, NumberIncarnation, NumberDirectory, NumberRange, NumberFeature, Maxoffset,
  NumberPartition, Maxcopies, NumberTopic, NumberName, Maxsize, Maxindex, Maxleader_epoch, Maxpartition_epoch,
  NumberCredential, Maxiterations, NumberNode, NumberSetting, NumberValue, Maxproducer_id, Bound, None

level == 0..Maxlevel
Broker == 0..(NumberBroker - 1)
Incarnation == 0..(NumberIncarnation - 1)
Contact == {"NOTHING", "RECENT", "EXPIRED"}
Directory == 0..(NumberDirectory - 1)
Range == 0..(NumberRange - 1)
Feature == 0..(NumberFeature - 1)
offset == -1..Maxoffset
Partition == 0..(NumberPartition - 1)
copies == 0..Maxcopies
Topic == 0..(NumberTopic - 1)
Name == 0..(NumberName - 1)
size == 1..Maxsize
Recovery == {"RECOVERED", "RECOVERING"}
index_2 == 0..Maxindex
leader_epoch_2 == 0..Maxleader_epoch
partition_epoch_2 == 0..Maxpartition_epoch
Credential == 0..(NumberCredential - 1)
iterations_2 == 0..Maxiterations
Node == 0..(NumberNode - 1)
Setting == 0..(NumberSetting - 1)
Value == 0..(NumberValue - 1)
producer_id == 0..Maxproducer_id
Direction == {"UNKNOWN", "UPGRADE", "SAFE_DOWNGRADE", "UNSAFE_DOWNGRADE"}
Copy == {"FIRST", "SECOND", "THIRD", "FOURTH"}

Pick(S) == CHOOSE x \in S : TRUE
Put(f, updates) == [k \in DOMAIN f |-> LET u == {x \in updates : x.at = k} IN IF u = {} THEN f[k] ELSE Pick(u).to]
PutCell(value, updates) == IF updates = {} THEN value ELSE Pick(updates)
Elements(s) == {s[i] : i \in DOMAIN s}
KeepIn(s, S) == SelectSeq(s, LAMBDA x : x \in S)
FirstIn(s, S) == IF KeepIn(s, S) = <<>> THEN None ELSE Head(KeepIn(s, S))
OnlyItem(x) == IF x = None THEN <<>> ELSE <<x>>
Lists(S) == UNION {{s \in [1..n -> S] : Cardinality(Elements(s)) = n} : n \in 0..Cardinality(S)}
InOrder(S) == [i \in 1..Cardinality(S) |-> CHOOSE x \in S : Cardinality({y \in S : y <= x}) = i]
Lesser(a, b) == IF a <= b THEN a ELSE b

VARIABLES metadata_version, in_transaction, registered, incarnation, contact, unassigned, migrating, lost, directories,
  range_feature, metadata_version_2, eligible_leader_replicas_version, elr_version, kraft_version, kraft_version_2,
  feature_level, lowest, highest, epoch, elr_index, exists, isr, topic, own_unclean, active_controller, node_unclean,
  unclean, removing, adding, replicas, fenced, in_controlled_shutdown, location, min_insync, replication, elr, leader,
  last_known, recovery, elr_disordered, last_nobody, index, leader_epoch, partition_epoch, log_end, ranges,
  cordon_known, cordoned, registration_offset, soft_fenced, shutdown_offset, reported, cluster_min_insync,
  cluster_min_set, has_credential, gives_level, asked_level, gives_credential, gives_iterations, iterations, live,
  own_min_insync, controller_incarnation, controller_ranges, resource_type, key, min_insync_replicas, setting,
  next_producer_id, producer_ids_begun, home

vars == <<metadata_version, in_transaction, registered, incarnation, contact, unassigned, migrating, lost, directories,
  range_feature, metadata_version_2, eligible_leader_replicas_version, elr_version, kraft_version, kraft_version_2,
  feature_level, lowest, highest, epoch, elr_index, exists, isr, topic, own_unclean, active_controller, node_unclean,
  unclean, removing, adding, replicas, fenced, in_controlled_shutdown, location, min_insync, replication, elr, leader,
  last_known, recovery, elr_disordered, last_nobody, index, leader_epoch, partition_epoch, log_end, ranges,
  cordon_known, cordoned, registration_offset, soft_fenced, shutdown_offset, reported, cluster_min_insync,
  cluster_min_set, has_credential, gives_level, asked_level, gives_credential, gives_iterations, iterations, live,
  own_min_insync, controller_incarnation, controller_ranges, resource_type, key, min_insync_replicas, setting,
  next_producer_id, producer_ids_begun, home>>

registered_and_others == <<registered, incarnation, directories, epoch, fenced, in_controlled_shutdown, ranges,
  cordon_known, cordoned, registration_offset, soft_fenced, shutdown_offset, reported>>

contact_and_others == <<contact, elr_index, isr, removing, adding, replicas, location, replication, elr, leader,
  last_known, recovery, elr_disordered, last_nobody, leader_epoch, partition_epoch>>

never_written == <<unassigned, migrating, lost, range_feature, metadata_version_2, eligible_leader_replicas_version,
  kraft_version, lowest, highest, exists, topic, own_unclean, active_controller, node_unclean, unclean, index,
  gives_level, asked_level, gives_credential, gives_iterations, live, own_min_insync, resource_type, key,
  min_insync_replicas, home>>

Given_RegisterBroker(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) == CASE Bound =
  "cluster" -> (dirs = OnlyItem(home[b]) /\ tells_previous_epoch /\ previous_epoch = epoch[b] /\ same_cluster /\
  ~migrates /\ (ranges_2 = {r \in Range : TRUE} \/ ranges_2 = {0} \ {None})) [] Bound = "lower" -> FALSE [] OTHER ->
  TRUE

Given_RegisterBroker_dirs(b) == CASE Bound = "cluster" -> {OnlyItem(home[b])} [] OTHER -> Lists(Directory)

Given_RegisterBroker_tells_previous_epoch == CASE Bound = "cluster" -> {TRUE} [] OTHER -> BOOLEAN

Given_RegisterBroker_previous_epoch(b) == CASE Bound = "cluster" -> ({epoch[b]} \intersect offset) [] OTHER -> offset

Given_RegisterBroker_same_cluster == CASE Bound = "cluster" -> {TRUE} [] OTHER -> BOOLEAN

Given_RegisterBroker_migrates == CASE Bound = "cluster" -> {FALSE} [] OTHER -> BOOLEAN

Given_RegisterBroker_ranges == CASE Bound = "cluster" -> {{r \in Range : TRUE}, {0} \ {None}} [] OTHER -> SUBSET Range

Given_Activate(metadata_version_3, elr_version_2, has_elr, static_min) == CASE Bound = "cluster" -> ((metadata_version_3
  = 7 \/ metadata_version_3 = 23) /\ elr_version_2 = 1 /\ static_min = 1) [] Bound = "lower" -> (metadata_version_3 = 24
  /\ elr_version_2 = 1 /\ static_min = 1) [] OTHER -> TRUE

Given_Activate_metadata_version == CASE Bound = "cluster" -> ({7, 23} \intersect level) [] Bound = "lower" -> ({24}
  \intersect level) [] OTHER -> level

Given_Activate_elr_version == CASE Bound = "cluster" -> ({1} \intersect level) [] Bound = "lower" -> ({1} \intersect
  level) [] OTHER -> level

Given_Activate_static_min == CASE Bound = "cluster" -> ({1} \intersect size) [] Bound = "lower" -> ({1} \intersect size)
  [] OTHER -> size

Given_LoseActivation(metadata_version_3) == CASE Bound = "cluster" -> metadata_version_3 = 23 [] Bound = "lower" ->
  FALSE [] OTHER -> TRUE

Given_LoseActivation_metadata_version == CASE Bound = "cluster" -> ({23} \intersect level) [] OTHER -> level

Given_UpdateFeature(f, to_2, way, static_min) == CASE Bound = "cluster" -> ((to_2 = 0 \/ to_2 = 1 \/ to_2 = 23 \/ to_2 =
  33) /\ static_min = 1) [] Bound = "lower" -> (f = metadata_version_2 /\ (to_2 = 23 \/ to_2 = 24)) [] OTHER -> TRUE

Given_UpdateFeature_to == CASE Bound = "cluster" -> ({0, 1, 23, 33} \intersect level) [] Bound = "lower" -> ({23, 24}
  \intersect level) [] OTHER -> level

Given_UpdateFeature_static_min == CASE Bound = "cluster" -> ({1} \intersect size) [] OTHER -> size

Given_UpdateFeature_f == CASE Bound = "lower" -> {metadata_version_2} [] OTHER -> Feature

Given_RegisterController(c, i, ranges_2) == CASE Bound = "cluster" -> (ranges_2 = {r \in Range : TRUE} \/ ranges_2 = {0}
  \ {None}) [] Bound = "lower" -> FALSE [] OTHER -> TRUE

Given_RegisterController_ranges == CASE Bound = "cluster" -> {{r \in Range : TRUE}, {0} \ {None}} [] OTHER -> SUBSET
  Range

Given_AllocateProducerIds(b, broker_epoch) == CASE Bound = "lower" -> FALSE [] OTHER -> TRUE

Given_Idle(later) == CASE Bound = "cluster" -> later = log_end + 1 [] Bound = "lower" -> FALSE [] OTHER -> TRUE

Given_Idle_later == CASE Bound = "cluster" -> ({log_end + 1} \intersect offset) [] OTHER -> offset

formatted == 1 <= metadata_version /\ ~in_transaction

new_incarnation(b, i) == incarnation[b] # i

directory_reserved(dirs) == unassigned \in Elements(dirs) \/ migrating \in Elements(dirs) \/ lost \in Elements(dirs)

named_directories(dirs) == Elements(dirs)

directory_taken(b, dirs) == \E x \in Broker : registered[x] /\ x # b /\ named_directories(dirs) \intersect
  directories[x] # {}

bad_directories(dirs, b) == 17 <= metadata_version /\ (dirs = <<>> \/ directory_reserved(dirs) \/
  Cardinality(Elements(dirs)) < Len(dirs) \/ directory_taken(b, dirs))

finalized(r) == IF range_feature[r] = metadata_version_2 THEN metadata_version ELSE IF range_feature[r] =
  eligible_leader_replicas_version THEN elr_version ELSE IF range_feature[r] = kraft_version THEN kraft_version_2 ELSE
  feature_level[range_feature[r]]

unfit(ranges_2) == \E r \in Range : r \in ranges_2 /\ (finalized(r) < lowest[r] \/ highest[r] < finalized(r))

names_no_metadata_version(ranges_2) == ~(\E r \in Range : r \in ranges_2 /\ range_feature[r] = metadata_version_2)

finalized_2(f) == IF f = metadata_version_2 THEN metadata_version ELSE IF f = eligible_leader_replicas_version THEN
  elr_version ELSE IF f = kraft_version THEN kraft_version_2 ELSE feature_level[f]

silent(ranges_2) == \E f \in Feature : 1 <= finalized_2(f) /\ ~(\E r \in Range : r \in ranges_2 /\ range_feature[r] = f)

elr_on == 1 <= elr_version

clean_restart(tells_previous_epoch, previous_epoch, b) == tells_previous_epoch /\ previous_epoch = epoch[b]

cleaned_up(b, i, tells_previous_epoch, previous_epoch) == elr_on /\ (~registered[b] \/ (new_incarnation(b, i) /\
  ~clean_restart(tells_previous_epoch, previous_epoch, b)))

haunted(b) == \E p \in Partition : 1 <= elr_index[p, b] /\ ~exists[p]

default_directory(x) == IF ~registered[x] \/ (\E d \in Directory, e \in Directory : d \in directories[x] /\ e \in
  directories[x] /\ d # e) THEN unassigned ELSE IF directories[x] = {} THEN migrating ELSE
  FirstIn(InOrder(directories[x]), directories[x])

active_broker(x) == registered[x] /\ ~fenced[x] /\ ~in_controlled_shutdown[x]

online(p, x) == location[p, x] = unassigned \/ location[p, x] = migrating \/ (location[p, x] # None /\ location[p, x] #
  lost /\ (directories[x] = {} \/ location[p, x] \in directories[x]))

electable(p) == {x \in Broker : active_broker(x) /\ online(p, x)}

allows_unclean(p) == IF ~own_unclean[topic[p]] /\ node_unclean[active_controller] # None THEN
  node_unclean[active_controller] = TRUE ELSE unclean[topic[p]]

can_do(x, f, to_2) == IF \E r \in Range : r \in ranges[x] /\ range_feature[r] = f THEN \E r \in Range : r \in ranges[x]
  /\ range_feature[r] = f /\ lowest[r] <= to_2 /\ to_2 <= highest[r] ELSE to_2 = 0

can_do_2(c, f, to_2) == IF \E r \in Range : r \in controller_ranges[c] /\ range_feature[r] = f THEN \E r \in Range : r
  \in controller_ranges[c] /\ range_feature[r] = f /\ lowest[r] <= to_2 /\ to_2 <= highest[r] ELSE to_2 = 0

supported(f, to_2) == (\A x \in Broker : registered[x] => can_do(x, f, to_2)) /\ (\A c \in Node :
  controller_incarnation[c] # None => can_do_2(c, f, to_2))

unheard_of(f) == f # metadata_version_2 /\ f # eligible_leader_replicas_version /\ f # kraft_version /\ (\E c \in Node :
  controller_incarnation[c] # None) /\ ~(\E c \in Node : controller_incarnation[c] # None /\ (\E r \in Range : r \in
  controller_ranges[c] /\ range_feature[r] = f))

crosses(to_2) == (to_2 < 8 /\ 8 <= metadata_version) \/ (to_2 < 11 /\ 11 <= metadata_version) \/ (to_2 < 13 /\ 13 <=
  metadata_version) \/ (to_2 < 14 /\ 14 <= metadata_version) \/ (to_2 < 15 /\ 15 <= metadata_version) \/ (to_2 < 17 /\
  17 <= metadata_version) \/ (to_2 < 23 /\ 23 <= metadata_version) \/ (to_2 < 30 /\ 30 <= metadata_version) \/ (to_2 <
  32 /\ 32 <= metadata_version) \/ (to_2 < 33 /\ 33 <= metadata_version)

known(b, broker_epoch) == registered[b] /\ broker_epoch = epoch[b]

spent == 1000 < next_producer_id

can_do_3(x, f) == IF \E r \in Range : r \in ranges[x] /\ range_feature[r] = f THEN \E r \in Range : r \in ranges[x] /\
  range_feature[r] = f /\ lowest[r] <= finalized_2(f) /\ finalized_2(f) <= highest[r] ELSE finalized_2(f) = 0

can_do_4(c, f) == IF \E r \in Range : r \in controller_ranges[c] /\ range_feature[r] = f THEN \E r \in Range : r \in
  controller_ranges[c] /\ range_feature[r] = f /\ lowest[r] <= finalized_2(f) /\ finalized_2(f) <= highest[r] ELSE
  finalized_2(f) = 0

\* Complete a reassignment, keep the eligible leader replicas, elect, and write what has changed, if anything.
change(p, target_isr, acceptable, lost_2, election, target, target_removing, target_adding, target_recovery) ==
  LET
    isr_left == KeepIn(target_isr, Elements(target_isr) \ target_removing)
    target_left == KeepIn(target, Elements(target) \ target_removing)
    completes == (target_removing # {} \/ target_adding # {}) /\ (target_removing = {} \/ (isr_left # <<>> /\
        target_left # <<>>)) /\ target_adding \subseteq Elements(isr_left) /\ (Cardinality(target_adding) >=
        Cardinality(target_removing) \/ Elements(target_left) \subseteq Elements(isr_left))
    replicas1 == IF completes THEN target_left ELSE target
    isr1 == IF completes THEN isr_left ELSE target_isr
    min_isr == Lesser(min_insync[topic[p]], replication[topic[p]])
    enough_in_sync == Cardinality(Elements(isr1)) >= min_isr
    candidates == IF elr_on THEN IF enough_in_sync THEN {} ELSE ((elr[p] \union Elements(isr[p])) \ Elements(isr1)) \
        lost_2 ELSE elr[p]
    valid == acceptable \intersect (IF isr1 = <<>> THEN candidates ELSE Elements(isr1))
    clean == IF election = "PREFERRED" /\ FirstIn(replicas1, Elements(replicas1)) \in valid THEN FirstIn(replicas1,
        Elements(replicas1)) ELSE IF leader[p] \in valid THEN leader[p] ELSE FirstIn(replicas1, valid)
    recalled == IF elr_on /\ isr1 = <<>> /\ candidates = {} THEN FirstIn(last_known[p], acceptable) ELSE None
    elected == IF clean # None THEN clean ELSE IF recalled # None THEN recalled ELSE IF election = "UNCLEAN" THEN
        FirstIn(replicas1, acceptable) ELSE None
    moves == elected # leader[p]
    loses == moves /\ clean = None /\ elected # None
    from_elr == moves /\ elected \in candidates
    isr2 == IF from_elr THEN OnlyItem(elected) ELSE isr1
    isr_said == loses \/ ((isr2 # <<>> \/ elr_on) /\ isr2 # isr[p])
    isr3 == IF loses THEN OnlyItem(elected) ELSE isr2
    gives_up == ~moves /\ ~(Elements(replicas[p]) \subseteq Elements(replicas1))
    shrinks == metadata_version < 12 /\ ~moves /\ ~gives_up /\ isr_said /\ ~(Elements(isr[p]) \subseteq Elements(isr3))
    leader_said == moves \/ gives_up \/ shrinks
    removing1 == IF completes THEN {} ELSE target_removing
    adding1 == IF completes THEN {} ELSE target_adding
    recovery1 == IF loses /\ target_recovery = recovery[p] THEN "RECOVERING" ELSE target_recovery
    elr3 == IF elr_on /\ ~loses THEN IF from_elr THEN candidates \ ({elected} \ {None}) ELSE candidates ELSE {}
    elr_said == elr3 # elr[p] \/ elr_disordered[p]
    remembers == elr_on /\ leader_said /\ (elected = None) = (last_known[p] = <<>> /\ ~last_nobody[p])
  IN
    IF isr_said \/ leader_said \/ replicas1 # replicas[p] \/ removing1 # removing[p] \/ adding1 # adding[p] \/ recovery1
        # recovery[p] \/ elr_said \/ remembers \/ (17 <= metadata_version /\ replicas1 # replicas[p]) THEN {[partition
        |-> p, isr_said |-> isr_said, isr |-> isr3, leader_said |-> leader_said, leader |-> elected, replicas_said |->
        replicas1 # replicas[p], replicas |-> replicas1, removing_said |-> removing1 # removing[p], removing |->
        removing1, adding_said |-> adding1 # adding[p], adding |-> adding1, recovery_said |-> recovery1 # recovery[p],
        recovery |-> recovery1, elr_said |-> elr_said, elr |-> elr3, last_known_said |-> remembers, last_known |-> IF
        elected # None THEN <<>> ELSE OnlyItem(leader[p]), directories_said |-> 17 <= metadata_version /\ replicas1 #
        replicas[p], directories |-> [x \in Broker |-> IF location[p, x] # None THEN location[p, x] ELSE
        default_directory(x)]]} ELSE {}

\* The broker stopped uncleanly: it leaves the ISR and the eligible leader replicas of all its partitions.
forget(b) ==
  LET
    listed(k, p) == IF k = "FIRST" THEN 1 <= elr_index[p, b] ELSE IF k = "SECOND" THEN 2 <= elr_index[p, b] ELSE IF k =
        "THIRD" THEN 3 <= elr_index[p, b] ELSE 4 <= elr_index[p, b]
  IN
    [PartitionChange |-> UNION {change(p, KeepIn(isr[p], Elements(isr[p]) \ {b}), electable(p) \ {b}, {b}, IF
        allows_unclean(p) THEN "UNCLEAN" ELSE "ONLINE", replicas[p], removing[p], adding[p], recovery[p]) : p \in {p \in
        Partition : exists[p] /\ b \in Elements(isr[p])}}, PartitionChange_2 |-> UNION {UNION {change(p, KeepIn(isr[p],
        Elements(isr[p]) \ {b}), electable(p) \ {b}, {b}, IF allows_unclean(p) THEN "UNCLEAN" ELSE "ONLINE",
        replicas[p], removing[p], adding[p], recovery[p]) : k \in {k \in Copy : listed(k, p)}} : p \in {p \in Partition
        : exists[p]}}]

\* The broker leaves the ISR of all its partitions, which elect other leaders.
retreat(b) ==
  UNION {change(p, KeepIn(isr[p], Elements(isr[p]) \ {b}), electable(p) \ {b}, {}, IF allows_unclean(p) THEN "UNCLEAN"
      ELSE "ONLINE", replicas[p], removing[p], adding[p], recovery[p]) : p \in {p \in Partition : exists[p] /\ b \in
      Elements(isr[p])}}

\* The registration record, and the heartbeat state made anew: no offset reported, no controlled shutdown under way.
registers(b, as_incarnation, in_directories, with_ranges, epoch_2, as_fenced, as_in_shutdown) ==
  [RegisterBroker |-> {[broker |-> b, epoch |-> epoch_2, incarnation |-> as_incarnation, fenced |-> as_fenced, ics |->
      as_in_shutdown, directories |-> IF 17 <= metadata_version THEN in_directories ELSE {}, ranges_said |-> TRUE,
      ranges |-> with_ranges, cordoned_said |-> FALSE]}, log_end |-> {log_end + 1}, registration_offset |-> {[at |-> b,
      to |-> log_end + 1]}, soft_fenced |-> {[at |-> b, to |-> as_fenced]}, shutdown_offset |-> {[at |-> b, to |-> -1]},
      reported |-> {[at |-> b, to |-> -1]}]

\* No heartbeat has come under this epoch yet.
no_contact(b) ==
  {[at |-> b, to |-> "NOTHING"]}

PartitionChange_isr(old, written) == Put(old, {[at |-> r.partition, to |-> r.isr] : r \in {r \in written : r.isr_said}})

PartitionChange_leader(old, written) == Put(old, {[at |-> r.partition, to |-> r.leader] : r \in {r \in written :
  r.leader_said}})

PartitionChange_replicas(old, written) == Put(old, {[at |-> r.partition, to |-> r.replicas] : r \in {r \in written :
  r.replicas_said}})

PartitionChange_removing(old, written) == Put(old, {[at |-> r.partition, to |-> r.removing] : r \in {r \in written :
  r.removing_said}})

PartitionChange_adding(old, written) == Put(old, {[at |-> r.partition, to |-> r.adding] : r \in {r \in written :
  r.adding_said}})

PartitionChange_recovery(old, written) == Put(old, {[at |-> r.partition, to |-> r.recovery] : r \in {r \in written :
  r.recovery_said}})

PartitionChange_elr(old, written) == Put(old, {[at |-> r.partition, to |-> r.elr] : r \in {r \in written : r.elr_said}})

PartitionChange_elr_disordered(old, written) == Put(old, {[at |-> r.partition, to |-> FALSE] : r \in {r \in written :
  r.elr_said}})

PartitionChange_elr_index(old, elr_2, elr_index_2, index_3, written) == Put(old, (UNION {{[at |-> <<r.partition, x>>, to
  |-> elr_index_2[r.partition, x] + 1] : x \in {x \in Broker : r.elr_said /\ x \in (IF r.elr_said THEN r.elr ELSE {}) \
  elr_2[r.partition]}} : r \in written}) \union (UNION {{[at |-> <<r.partition, x>>, to |-> IF index_3[r.partition] = 0
  THEN elr_index_2[r.partition, x] - 1 ELSE 0] : x \in {x \in Broker : r.elr_said /\ x \in elr_2[r.partition] \ (IF
  r.elr_said THEN r.elr ELSE {})}} : r \in written}))

PartitionChange_location(old, location_2, migrating_2, replicas_2, written) == Put(old, UNION {{[at |-> <<r.partition,
  x>>, to |-> IF x \in Elements(IF r.replicas_said THEN r.replicas ELSE replicas_2[r.partition]) THEN IF
  r.directories_said THEN r.directories[x] ELSE IF location_2[r.partition, x] # None THEN location_2[r.partition, x]
  ELSE migrating_2 ELSE None] : x \in {x \in Broker : r.replicas_said \/ r.directories_said}} : r \in written})

PartitionChange_last_known(old, written) == Put(old, {[at |-> r.partition, to |-> r.last_known] : r \in {r \in written :
  r.last_known_said}})

PartitionChange_last_nobody(old, last_known_2, leader_2, written) == Put(old, {[at |-> r.partition, to |-> (IF
  r.last_known_said THEN r.last_known ELSE last_known_2[r.partition]) = <<>> /\ (IF r.leader_said THEN r.leader ELSE
  leader_2[r.partition]) = None] : r \in {r \in written : r.last_known_said}})

PartitionChange_leader_epoch(old, leader_epoch_3, written) == Put(old, {[at |-> r.partition, to |->
  leader_epoch_3[r.partition] + 1] : r \in {r \in written : r.leader_said}})

PartitionChange_partition_epoch(old, partition_epoch_3, written) == Put(old, {[at |-> r.partition, to |->
  partition_epoch_3[r.partition] + 1] : r \in written})

PartitionChange_replication(old, index_3, replicas_2, topic_2, written) == Put(old, {[at |-> topic_2[r.partition], to
  |-> Cardinality(Elements(IF r.replicas_said THEN r.replicas ELSE replicas_2[r.partition]))] : r \in {r \in written :
  r.replicas_said /\ index_3[r.partition] = 0}})

PartitionChange_replayed(written) ==
  /\ isr' = Put(isr, {[at |-> r.partition, to |-> r.isr] : r \in {r \in written : r.isr_said}})
  /\ leader' = Put(leader, {[at |-> r.partition, to |-> r.leader] : r \in {r \in written : r.leader_said}})
  /\ replicas' = Put(replicas, {[at |-> r.partition, to |-> r.replicas] : r \in {r \in written : r.replicas_said}})
  /\ removing' = Put(removing, {[at |-> r.partition, to |-> r.removing] : r \in {r \in written : r.removing_said}})
  /\ adding' = Put(adding, {[at |-> r.partition, to |-> r.adding] : r \in {r \in written : r.adding_said}})
  /\ recovery' = Put(recovery, {[at |-> r.partition, to |-> r.recovery] : r \in {r \in written : r.recovery_said}})
  /\ elr' = Put(elr, {[at |-> r.partition, to |-> r.elr] : r \in {r \in written : r.elr_said}})
  /\ elr_disordered' = Put(elr_disordered, {[at |-> r.partition, to |-> FALSE] : r \in {r \in written : r.elr_said}})
  /\ elr_index' = Put(elr_index, (UNION {{[at |-> <<r.partition, x>>, to |-> elr_index[r.partition, x] + 1] : x \in {x
         \in Broker : r.elr_said /\ x \in (IF r.elr_said THEN r.elr ELSE {}) \ elr[r.partition]}} : r \in written})
         \union (UNION {{[at |-> <<r.partition, x>>, to |-> IF index[r.partition] = 0 THEN elr_index[r.partition, x] - 1
         ELSE 0] : x \in {x \in Broker : r.elr_said /\ x \in elr[r.partition] \ (IF r.elr_said THEN r.elr ELSE {})}} : r
         \in written}))
  /\ location' = Put(location, UNION {{[at |-> <<r.partition, x>>, to |-> IF x \in Elements(IF r.replicas_said THEN
         r.replicas ELSE replicas[r.partition]) THEN IF r.directories_said THEN r.directories[x] ELSE IF
         location[r.partition, x] # None THEN location[r.partition, x] ELSE migrating ELSE None] : x \in {x \in Broker :
         r.replicas_said \/ r.directories_said}} : r \in written})
  /\ last_known' = Put(last_known, {[at |-> r.partition, to |-> r.last_known] : r \in {r \in written :
         r.last_known_said}})
  /\ last_nobody' = Put(last_nobody, {[at |-> r.partition, to |-> (IF r.last_known_said THEN r.last_known ELSE
         last_known[r.partition]) = <<>> /\ (IF r.leader_said THEN r.leader ELSE leader[r.partition]) = None] : r \in {r
         \in written : r.last_known_said}})
  /\ leader_epoch' = Put(leader_epoch, {[at |-> r.partition, to |-> leader_epoch[r.partition] + 1] : r \in {r \in
         written : r.leader_said}})
  /\ partition_epoch' = Put(partition_epoch, {[at |-> r.partition, to |-> partition_epoch[r.partition] + 1] : r \in
         written})
  /\ replication' = Put(replication, {[at |-> topic[r.partition], to |-> Cardinality(Elements(IF r.replicas_said THEN
         r.replicas ELSE replicas[r.partition]))] : r \in {r \in written : r.replicas_said /\ index[r.partition] = 0}})
  /\ elr_index' \in [Partition \X Broker -> copies]
  /\ leader_epoch' \in [Partition -> leader_epoch_2]
  /\ partition_epoch' \in [Partition -> partition_epoch_2]
  /\ replication' \in [Topic -> size]

RegisterBroker_replayed(written) ==
  /\ registered' = Put(registered, {[at |-> r.broker, to |-> TRUE] : r \in written})
  /\ epoch' = Put(epoch, {[at |-> r.broker, to |-> r.epoch] : r \in written})
  /\ incarnation' = Put(incarnation, {[at |-> r.broker, to |-> r.incarnation] : r \in written})
  /\ fenced' = Put(fenced, {[at |-> r.broker, to |-> r.fenced] : r \in written})
  /\ in_controlled_shutdown' = Put(in_controlled_shutdown, {[at |-> r.broker, to |-> r.ics] : r \in written})
  /\ directories' = Put(directories, {[at |-> r.broker, to |-> r.directories] : r \in written})
  /\ ranges' = Put(ranges, {[at |-> r.broker, to |-> IF r.ranges_said THEN r.ranges ELSE {}] : r \in written})
  /\ cordon_known' = Put(cordon_known, {[at |-> r.broker, to |-> r.cordoned_said] : r \in written})
  /\ cordoned' = Put(cordoned, {[at |-> r.broker, to |-> IF r.cordoned_said THEN r.cordoned ELSE {}] : r \in written})
  /\ epoch' \in [Broker -> offset]

AbortTransaction_in_transaction(old, written) == PutCell(old, {FALSE : r \in written})

AbortTransaction_metadata_version(old, written) == PutCell(old, {0 : r \in written})

AbortTransaction_elr_version(old, written) == PutCell(old, {0 : r \in written})

AbortTransaction_cluster_min_insync(old, written) == PutCell(old, {1 : r \in written})

AbortTransaction_cluster_min_set(old, written) == PutCell(old, {FALSE : r \in written})

AbortTransaction_feature_level(old, written) == Put(old, UNION {{[at |-> f, to |-> 0] : f \in Feature} : r \in written})

AbortTransaction_has_credential(old, written) == Put(old, UNION {{[at |-> c, to |-> FALSE] : c \in Credential} : r \in
  written})

AbortTransaction_replayed(written) ==
  /\ in_transaction' = PutCell(in_transaction, {FALSE : r \in written})
  /\ metadata_version' = PutCell(metadata_version, {0 : r \in written})
  /\ elr_version' = PutCell(elr_version, {0 : r \in written})
  /\ cluster_min_insync' = PutCell(cluster_min_insync, {1 : r \in written})
  /\ cluster_min_set' = PutCell(cluster_min_set, {FALSE : r \in written})
  /\ feature_level' = Put(feature_level, UNION {{[at |-> f, to |-> 0] : f \in Feature} : r \in written})
  /\ has_credential' = Put(has_credential, UNION {{[at |-> c, to |-> FALSE] : c \in Credential} : r \in written})

BeginTransaction_in_transaction(old, written) == PutCell(old, {TRUE : r \in written})

MetadataVersion_metadata_version(old, written) == PutCell(old, {r.level : r \in written})

ElrVersion_elr_version(old, written) == PutCell(old, {r.level : r \in written})

FeatureLevel_feature_level(old, written) == Put(old, {[at |-> r.feature, to |-> r.level] : r \in written})

UserScramCredential_has_credential(old, written) == Put(old, {[at |-> r.credential, to |-> TRUE] : r \in written})

UserScramCredential_iterations(old, written) == Put(old, {[at |-> r.credential, to |-> r.iterations] : r \in written})

ClusterMinInsync_cluster_min_insync(old, written) == PutCell(old, {IF r.value_said THEN r.value ELSE 1 : r \in written})

ClusterMinInsync_cluster_min_set(old, written) == PutCell(old, {r.value_said : r \in written})

ClusterMinInsync_min_insync(old, live_2, own_min_insync_2, written) == Put(old, UNION {{[at |-> t, to |-> IF
  r.value_said THEN r.value ELSE 1] : t \in {t \in Topic : live_2[t] /\ ~own_min_insync_2[t]}} : r \in written})

ClusterMinInsync_replayed(written) ==
  /\ cluster_min_insync' = PutCell(cluster_min_insync, {IF r.value_said THEN r.value ELSE 1 : r \in written})
  /\ cluster_min_set' = PutCell(cluster_min_set, {r.value_said : r \in written})
  /\ min_insync' = Put(min_insync, UNION {{[at |-> t, to |-> IF r.value_said THEN r.value ELSE 1] : t \in {t \in Topic :
         live[t] /\ ~own_min_insync[t]}} : r \in written})
  /\ cluster_min_insync' \in size
  /\ min_insync' \in [Topic -> size]

EndTransaction_in_transaction(old, written) == PutCell(old, {FALSE : r \in written})

Config_setting(old, written) == Put(old, {[at |-> r.setting, to |-> IF r.value_said THEN r.value ELSE None] : r \in
  written})

RegisterController_replayed(written) ==
  /\ controller_incarnation' = Put(controller_incarnation, {[at |-> r.controller, to |-> r.incarnation] : r \in
         written})
  /\ controller_ranges' = Put(controller_ranges, {[at |-> r.controller, to |-> IF r.ranges_said THEN r.ranges ELSE {}] :
         r \in written})

UnregisterController_replayed(written) ==
  /\ controller_incarnation' = Put(controller_incarnation, {[at |-> r.controller, to |-> None] : r \in written})
  /\ controller_ranges' = Put(controller_ranges, {[at |-> r.controller, to |-> {}] : r \in written})

ProducerIds_replayed(written) ==
  /\ next_producer_id' = PutCell(next_producer_id, {r.next : r \in written})
  /\ producer_ids_begun' = PutCell(producer_ids_begun, {TRUE : r \in written})
  /\ next_producer_id' \in producer_id

RG2_applies(b, i) == registered[b] /\ new_incarnation(b, i) /\ contact[b] = "RECENT"

RG8_applies(b, i, tells_previous_epoch, previous_epoch) == cleaned_up(b, i, tells_previous_epoch, previous_epoch) /\
  haunted(b)

R2_applies(b, i, tells_previous_epoch, previous_epoch) == new_incarnation(b, i) /\ (clean_restart(tells_previous_epoch,
  previous_epoch, b) \/ ~elr_on)

FE2_applies(way, to_2, f) == way = "UPGRADE" /\ to_2 < finalized_2(f)

FE3_applies(way, f, to_2) == way # "UPGRADE" /\ finalized_2(f) < to_2

FE4_applies(f, to_2) == f = metadata_version_2 /\ crosses(to_2)

FE6_applies(f, to_2) == f = eligible_leader_replicas_version /\ 1 <= to_2 /\ metadata_version < 23

FE7_applies(f, to_2) == f = eligible_leader_replicas_version /\ 1 <= to_2

FE10_applies(f, way) == f = kraft_version /\ way = "UPGRADE"

FE11_applies(f, to_2) == f = kraft_version /\ to_2 < finalized_2(f)

\* S3:228
R1_is_enabled(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) ==
  /\ formatted = TRUE
  /\ (~registered[b]) = TRUE
  /\ same_cluster
  /\ (~RG2_applies(b, i)) = TRUE
  /\ (~migrates) = TRUE
  /\ (~bad_directories(dirs, b)) = TRUE
  /\ (~unfit(ranges_2)) = TRUE
  /\ (~names_no_metadata_version(ranges_2)) = TRUE
  /\ (~silent(ranges_2)) = TRUE
  /\ (~RG8_applies(b, i, tells_previous_epoch, previous_epoch)) = TRUE
  /\ Given_RegisterBroker(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) = TRUE

R1(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) ==
  /\ R1_is_enabled(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)
  /\ LET forget_1 == forget(b)
         registers_2 == registers(b, i, named_directories(dirs), ranges_2, log_end + 1, TRUE, FALSE)
         written == IF elr_on THEN forget_1.PartitionChange ELSE {}
         isr_1 == PartitionChange_isr(isr, written)
         leader_1 == PartitionChange_leader(leader, written)
         replicas_1 == PartitionChange_replicas(replicas, written)
         removing_1 == PartitionChange_removing(removing, written)
         adding_1 == PartitionChange_adding(adding, written)
         recovery_1 == PartitionChange_recovery(recovery, written)
         elr_1 == PartitionChange_elr(elr, written)
         elr_disordered_1 == PartitionChange_elr_disordered(elr_disordered, written)
         elr_index_1 == PartitionChange_elr_index(elr_index, elr, elr_index, index, written)
         location_1 == PartitionChange_location(location, location, migrating, replicas, written)
         last_known_1 == PartitionChange_last_known(last_known, written)
         last_nobody_1 == PartitionChange_last_nobody(last_nobody, last_known, leader, written)
         leader_epoch_1 == PartitionChange_leader_epoch(leader_epoch, leader_epoch, written)
         partition_epoch_1 == PartitionChange_partition_epoch(partition_epoch, partition_epoch, written)
         replication_1 == PartitionChange_replication(replication, index, replicas, topic, written)
         written_2 == IF elr_on THEN forget_1.PartitionChange_2 ELSE {}
         isr_2 == PartitionChange_isr(isr_1, written_2)
         leader_2 == PartitionChange_leader(leader_1, written_2)
         replicas_2 == PartitionChange_replicas(replicas_1, written_2)
         removing_2 == PartitionChange_removing(removing_1, written_2)
         adding_2 == PartitionChange_adding(adding_1, written_2)
         recovery_2 == PartitionChange_recovery(recovery_1, written_2)
         elr_2 == PartitionChange_elr(elr_1, written_2)
         elr_disordered_2 == PartitionChange_elr_disordered(elr_disordered_1, written_2)
         elr_index_2 == PartitionChange_elr_index(elr_index_1, elr_1, elr_index_1, index, written_2)
         location_2 == PartitionChange_location(location_1, location_1, migrating, replicas_1, written_2)
         last_known_2 == PartitionChange_last_known(last_known_1, written_2)
         last_nobody_2 == PartitionChange_last_nobody(last_nobody_1, last_known_1, leader_1, written_2)
         leader_epoch_2_2 == PartitionChange_leader_epoch(leader_epoch_1, leader_epoch_1, written_2)
         partition_epoch_2_2 == PartitionChange_partition_epoch(partition_epoch_1, partition_epoch_1, written_2)
         replication_2 == PartitionChange_replication(replication_1, index, replicas_1, topic, written_2)
         written_3 == IF ~elr_on THEN retreat(b) ELSE {}
     IN
     /\ RegisterBroker_replayed(registers_2.RegisterBroker)
     /\ isr' = PartitionChange_isr(isr_2, written_3)
     /\ leader' = PartitionChange_leader(leader_2, written_3)
     /\ replicas' = PartitionChange_replicas(replicas_2, written_3)
     /\ removing' = PartitionChange_removing(removing_2, written_3)
     /\ adding' = PartitionChange_adding(adding_2, written_3)
     /\ recovery' = PartitionChange_recovery(recovery_2, written_3)
     /\ elr' = PartitionChange_elr(elr_2, written_3)
     /\ elr_disordered' = PartitionChange_elr_disordered(elr_disordered_2, written_3)
     /\ elr_index' = PartitionChange_elr_index(elr_index_2, elr_2, elr_index_2, index, written_3)
     /\ location' = PartitionChange_location(location_2, location_2, migrating, replicas_2, written_3)
     /\ last_known' = PartitionChange_last_known(last_known_2, written_3)
     /\ last_nobody' = PartitionChange_last_nobody(last_nobody_2, last_known_2, leader_2, written_3)
     /\ leader_epoch' = PartitionChange_leader_epoch(leader_epoch_2_2, leader_epoch_2_2, written_3)
     /\ partition_epoch' = PartitionChange_partition_epoch(partition_epoch_2_2, partition_epoch_2_2, written_3)
     /\ replication' = PartitionChange_replication(replication_2, index, replicas_2, topic, written_3)
     /\ log_end' = PutCell(log_end, registers_2.log_end)
     /\ registration_offset' = Put(registration_offset, registers_2.registration_offset)
     /\ soft_fenced' = Put(soft_fenced, registers_2.soft_fenced)
     /\ shutdown_offset' = Put(shutdown_offset, registers_2.shutdown_offset)
     /\ reported' = Put(reported, registers_2.reported)
     /\ contact' = Put(contact, no_contact(b))
     /\ elr_index' \in [Partition \X Broker -> copies]
     /\ leader_epoch' \in [Partition -> leader_epoch_2]
     /\ partition_epoch' \in [Partition -> partition_epoch_2]
     /\ replication' \in [Topic -> size]
     /\ log_end' \in offset
     /\ registration_offset' \in [Broker -> offset]
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, feature_level, min_insync,
         cluster_min_insync, cluster_min_set, has_credential, iterations, controller_incarnation, controller_ranges,
         setting, next_producer_id, producer_ids_begun, never_written>>

\* S3:228
R2_is_enabled(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) ==
  /\ formatted = TRUE
  /\ new_incarnation(b, i) = TRUE
  /\ (clean_restart(tells_previous_epoch, previous_epoch, b) \/ ~elr_on) = TRUE
  /\ same_cluster
  /\ (~RG2_applies(b, i)) = TRUE
  /\ (~migrates) = TRUE
  /\ (~bad_directories(dirs, b)) = TRUE
  /\ (~unfit(ranges_2)) = TRUE
  /\ (~names_no_metadata_version(ranges_2)) = TRUE
  /\ (~silent(ranges_2)) = TRUE
  /\ (~RG8_applies(b, i, tells_previous_epoch, previous_epoch)) = TRUE
  /\ registered[b]
  /\ Given_RegisterBroker(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) = TRUE

R2(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) ==
  /\ R2_is_enabled(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)
  /\ LET registers_1 == registers(b, i, named_directories(dirs), ranges_2, log_end + 1, TRUE, FALSE)
     IN
     /\ PartitionChange_replayed(retreat(b))
     /\ RegisterBroker_replayed(registers_1.RegisterBroker)
     /\ log_end' = PutCell(log_end, registers_1.log_end)
     /\ registration_offset' = Put(registration_offset, registers_1.registration_offset)
     /\ soft_fenced' = Put(soft_fenced, registers_1.soft_fenced)
     /\ shutdown_offset' = Put(shutdown_offset, registers_1.shutdown_offset)
     /\ reported' = Put(reported, registers_1.reported)
     /\ contact' = Put(contact, no_contact(b))
     /\ log_end' \in offset
     /\ registration_offset' \in [Broker -> offset]
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, feature_level, min_insync,
         cluster_min_insync, cluster_min_set, has_credential, iterations, controller_incarnation, controller_ranges,
         setting, next_producer_id, producer_ids_begun, never_written>>

\* S3:228
R2u_is_enabled(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) ==
  /\ formatted = TRUE
  /\ new_incarnation(b, i) = TRUE
  /\ same_cluster
  /\ (~RG2_applies(b, i)) = TRUE
  /\ (~migrates) = TRUE
  /\ (~bad_directories(dirs, b)) = TRUE
  /\ (~unfit(ranges_2)) = TRUE
  /\ (~names_no_metadata_version(ranges_2)) = TRUE
  /\ (~silent(ranges_2)) = TRUE
  /\ (~RG8_applies(b, i, tells_previous_epoch, previous_epoch)) = TRUE
  /\ registered[b]
  /\ (~R2_applies(b, i, tells_previous_epoch, previous_epoch)) = TRUE
  /\ Given_RegisterBroker(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) = TRUE

R2u(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) ==
  /\ R2u_is_enabled(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)
  /\ LET forget_1 == forget(b)
         registers_2 == registers(b, i, named_directories(dirs), ranges_2, log_end + 1, TRUE, FALSE)
         written == forget_1.PartitionChange
         isr_1 == PartitionChange_isr(isr, written)
         leader_1 == PartitionChange_leader(leader, written)
         replicas_1 == PartitionChange_replicas(replicas, written)
         removing_1 == PartitionChange_removing(removing, written)
         adding_1 == PartitionChange_adding(adding, written)
         recovery_1 == PartitionChange_recovery(recovery, written)
         elr_1 == PartitionChange_elr(elr, written)
         elr_disordered_1 == PartitionChange_elr_disordered(elr_disordered, written)
         elr_index_1 == PartitionChange_elr_index(elr_index, elr, elr_index, index, written)
         location_1 == PartitionChange_location(location, location, migrating, replicas, written)
         last_known_1 == PartitionChange_last_known(last_known, written)
         last_nobody_1 == PartitionChange_last_nobody(last_nobody, last_known, leader, written)
         leader_epoch_1 == PartitionChange_leader_epoch(leader_epoch, leader_epoch, written)
         partition_epoch_1 == PartitionChange_partition_epoch(partition_epoch, partition_epoch, written)
         replication_1 == PartitionChange_replication(replication, index, replicas, topic, written)
         written_2 == forget_1.PartitionChange_2
     IN
     /\ RegisterBroker_replayed(registers_2.RegisterBroker)
     /\ isr' = PartitionChange_isr(isr_1, written_2)
     /\ leader' = PartitionChange_leader(leader_1, written_2)
     /\ replicas' = PartitionChange_replicas(replicas_1, written_2)
     /\ removing' = PartitionChange_removing(removing_1, written_2)
     /\ adding' = PartitionChange_adding(adding_1, written_2)
     /\ recovery' = PartitionChange_recovery(recovery_1, written_2)
     /\ elr' = PartitionChange_elr(elr_1, written_2)
     /\ elr_disordered' = PartitionChange_elr_disordered(elr_disordered_1, written_2)
     /\ elr_index' = PartitionChange_elr_index(elr_index_1, elr_1, elr_index_1, index, written_2)
     /\ location' = PartitionChange_location(location_1, location_1, migrating, replicas_1, written_2)
     /\ last_known' = PartitionChange_last_known(last_known_1, written_2)
     /\ last_nobody' = PartitionChange_last_nobody(last_nobody_1, last_known_1, leader_1, written_2)
     /\ leader_epoch' = PartitionChange_leader_epoch(leader_epoch_1, leader_epoch_1, written_2)
     /\ partition_epoch' = PartitionChange_partition_epoch(partition_epoch_1, partition_epoch_1, written_2)
     /\ replication' = PartitionChange_replication(replication_1, index, replicas_1, topic, written_2)
     /\ log_end' = PutCell(log_end, registers_2.log_end)
     /\ registration_offset' = Put(registration_offset, registers_2.registration_offset)
     /\ soft_fenced' = Put(soft_fenced, registers_2.soft_fenced)
     /\ shutdown_offset' = Put(shutdown_offset, registers_2.shutdown_offset)
     /\ reported' = Put(reported, registers_2.reported)
     /\ contact' = Put(contact, no_contact(b))
     /\ elr_index' \in [Partition \X Broker -> copies]
     /\ leader_epoch' \in [Partition -> leader_epoch_2]
     /\ partition_epoch' \in [Partition -> partition_epoch_2]
     /\ replication' \in [Topic -> size]
     /\ log_end' \in offset
     /\ registration_offset' \in [Broker -> offset]
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, feature_level, min_insync,
         cluster_min_insync, cluster_min_set, has_credential, iterations, controller_incarnation, controller_ranges,
         setting, next_producer_id, producer_ids_begun, never_written>>

\* S3:228
R3_is_enabled(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) ==
  /\ formatted = TRUE
  /\ same_cluster
  /\ (~RG2_applies(b, i)) = TRUE
  /\ (~migrates) = TRUE
  /\ (~bad_directories(dirs, b)) = TRUE
  /\ (~unfit(ranges_2)) = TRUE
  /\ (~names_no_metadata_version(ranges_2)) = TRUE
  /\ (~silent(ranges_2)) = TRUE
  /\ (~RG8_applies(b, i, tells_previous_epoch, previous_epoch)) = TRUE
  /\ registered[b]
  /\ (~R2_applies(b, i, tells_previous_epoch, previous_epoch)) = TRUE
  /\ (~new_incarnation(b, i)) = TRUE
  /\ Given_RegisterBroker(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) = TRUE

R3(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) ==
  /\ R3_is_enabled(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)
  /\ LET registers_1 == registers(b, i, named_directories(dirs), ranges_2, epoch[b], fenced[b],
         in_controlled_shutdown[b])
     IN
     /\ RegisterBroker_replayed(registers_1.RegisterBroker)
     /\ log_end' = PutCell(log_end, registers_1.log_end)
     /\ registration_offset' = Put(registration_offset, registers_1.registration_offset)
     /\ soft_fenced' = Put(soft_fenced, registers_1.soft_fenced)
     /\ shutdown_offset' = Put(shutdown_offset, registers_1.shutdown_offset)
     /\ reported' = Put(reported, registers_1.reported)
     /\ log_end' \in offset
     /\ registration_offset' \in [Broker -> offset]
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, feature_level, min_insync,
         cluster_min_insync, cluster_min_set, has_credential, iterations, controller_incarnation, controller_ranges,
         setting, next_producer_id, producer_ids_begun, contact_and_others, never_written>>

\* S3:166-173
AC1_is_enabled(metadata_version_3, elr_version_2, has_elr, static_min) ==
  /\ 7 <= metadata_version_3
  /\ metadata_version < 1
  /\ Given_Activate(metadata_version_3, elr_version_2, has_elr, static_min) = TRUE

AC1(metadata_version_3, elr_version_2, has_elr, static_min) ==
  /\ AC1_is_enabled(metadata_version_3, elr_version_2, has_elr, static_min)
  /\ LET written == IF in_transaction THEN {<<>>} ELSE {}
         in_transaction_1 == AbortTransaction_in_transaction(in_transaction, written)
         metadata_version_1 == AbortTransaction_metadata_version(metadata_version, written)
         elr_version_1 == AbortTransaction_elr_version(elr_version, written)
         cluster_min_insync_1 == AbortTransaction_cluster_min_insync(cluster_min_insync, written)
         cluster_min_set_1 == AbortTransaction_cluster_min_set(cluster_min_set, written)
         feature_level_1 == AbortTransaction_feature_level(feature_level, written)
         has_credential_1 == AbortTransaction_has_credential(has_credential, written)
         in_transaction_2 == BeginTransaction_in_transaction(in_transaction_1, IF 13 <= metadata_version_3 THEN {<<>>}
                ELSE {})
         written_2 == {[credential |-> c, iterations |-> gives_iterations[c]] : c \in {c \in Credential :
                gives_credential[c] /\ 11 <= metadata_version_3}}
         written_3 == IF has_elr /\ 1 <= elr_version_2 THEN {[value_said |-> TRUE, value |-> static_min]} ELSE {}
     IN
     /\ in_transaction' = EndTransaction_in_transaction(in_transaction_2, IF 13 <= metadata_version_3 THEN {<<>>} ELSE
            {})
     /\ metadata_version' = MetadataVersion_metadata_version(metadata_version_1, {[level |-> metadata_version_3]})
     /\ elr_version' = ElrVersion_elr_version(elr_version_1, IF has_elr THEN {[level |-> elr_version_2]} ELSE {})
     /\ cluster_min_insync' = ClusterMinInsync_cluster_min_insync(cluster_min_insync_1, written_3)
     /\ cluster_min_set' = ClusterMinInsync_cluster_min_set(cluster_min_set_1, written_3)
     /\ feature_level' = FeatureLevel_feature_level(feature_level_1, {[feature |-> f, level |-> asked_level[f]] : f \in
            {f \in Feature : gives_level[f]}})
     /\ has_credential' = UserScramCredential_has_credential(has_credential_1, written_2)
     /\ iterations' = UserScramCredential_iterations(iterations, written_2)
     /\ min_insync' = ClusterMinInsync_min_insync(min_insync, live, own_min_insync, written_3)
     /\ metadata_version' \in level
     /\ elr_version' \in level
     /\ feature_level' \in [Feature -> level]
     /\ iterations' \in [Credential -> iterations_2]
     /\ cluster_min_insync' \in size
     /\ min_insync' \in [Topic -> size]
  /\ UNCHANGED <<kraft_version_2, log_end, controller_incarnation, controller_ranges, setting, next_producer_id,
         producer_ids_begun, registered_and_others, contact_and_others, never_written>>

\* S3:166-173
AC3_is_enabled(metadata_version_3, elr_version_2, has_elr, static_min) ==
  /\ 7 <= metadata_version_3
  /\ 1 <= metadata_version
  /\ in_transaction
  /\ Given_Activate(metadata_version_3, elr_version_2, has_elr, static_min) = TRUE

AC3(metadata_version_3, elr_version_2, has_elr, static_min) ==
  /\ AC3_is_enabled(metadata_version_3, elr_version_2, has_elr, static_min)
  /\ AbortTransaction_replayed({<<>>})
  /\ UNCHANGED <<kraft_version_2, min_insync, log_end, iterations, controller_incarnation, controller_ranges, setting,
         next_producer_id, producer_ids_begun, registered_and_others, contact_and_others, never_written>>

\* S3:171-173
AC4_is_enabled(metadata_version_3) ==
  /\ 13 <= metadata_version_3
  /\ metadata_version < 1
  /\ (~in_transaction) = TRUE
  /\ Given_LoseActivation(metadata_version_3) = TRUE

AC4(metadata_version_3) ==
  /\ AC4_is_enabled(metadata_version_3)
  /\ in_transaction' = BeginTransaction_in_transaction(in_transaction, {<<>>})
  /\ metadata_version' = MetadataVersion_metadata_version(metadata_version, {[level |-> metadata_version_3]})
  /\ metadata_version' \in level
  /\ UNCHANGED <<elr_version, kraft_version_2, feature_level, min_insync, log_end, cluster_min_insync, cluster_min_set,
         has_credential, iterations, controller_incarnation, controller_ranges, setting, next_producer_id,
         producer_ids_begun, registered_and_others, contact_and_others, never_written>>

\* S3:252-258
FE5_is_enabled(f, to_2, way, static_min) ==
  /\ formatted = TRUE
  /\ f = metadata_version_2
  /\ (~(way = "UNKNOWN" \/ ~supported(f, to_2) \/ unheard_of(f) \/ (f = metadata_version_2 /\ to_2 < 7))) = TRUE
  /\ (~FE2_applies(way, to_2, f)) = TRUE
  /\ (~FE3_applies(way, f, to_2)) = TRUE
  /\ (~FE4_applies(f, to_2)) = TRUE
  /\ Given_UpdateFeature(f, to_2, way, static_min) = TRUE

FE5(f, to_2, way, static_min) ==
  /\ FE5_is_enabled(f, to_2, way, static_min)
  /\ metadata_version' = MetadataVersion_metadata_version(metadata_version, {[level |-> to_2]})
  /\ metadata_version' \in level
  /\ UNCHANGED <<in_transaction, elr_version, kraft_version_2, feature_level, min_insync, log_end, cluster_min_insync,
         cluster_min_set, has_credential, iterations, controller_incarnation, controller_ranges, setting,
         next_producer_id, producer_ids_begun, registered_and_others, contact_and_others, never_written>>

\* S3:252-258
FE7_is_enabled(f, to_2, way, static_min) ==
  /\ formatted = TRUE
  /\ f = eligible_leader_replicas_version
  /\ 1 <= to_2
  /\ (~(way = "UNKNOWN" \/ ~supported(f, to_2) \/ unheard_of(f) \/ (f = metadata_version_2 /\ to_2 < 7))) = TRUE
  /\ (~FE2_applies(way, to_2, f)) = TRUE
  /\ (~FE3_applies(way, f, to_2)) = TRUE
  /\ (~FE4_applies(f, to_2)) = TRUE
  /\ f # metadata_version_2
  /\ (~FE6_applies(f, to_2)) = TRUE
  /\ Given_UpdateFeature(f, to_2, way, static_min) = TRUE

FE7(f, to_2, way, static_min) ==
  /\ FE7_is_enabled(f, to_2, way, static_min)
  /\ ClusterMinInsync_replayed(IF ~cluster_min_set THEN {[value_said |-> TRUE, value |-> static_min]} ELSE {})
  /\ setting' = Config_setting(setting, {[setting |-> s, value_said |-> FALSE] : s \in {s \in Setting : resource_type[s]
         = 4 /\ key[s] = min_insync_replicas /\ setting[s] # None}})
  /\ elr_version' = ElrVersion_elr_version(elr_version, {[level |-> to_2]})
  /\ elr_version' \in level
  /\ UNCHANGED <<metadata_version, in_transaction, kraft_version_2, feature_level, log_end, has_credential, iterations,
         controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, registered_and_others,
         contact_and_others, never_written>>

\* S3:252-258
FE8_is_enabled(f, to_2, way, static_min) ==
  /\ formatted = TRUE
  /\ f = eligible_leader_replicas_version
  /\ (~(way = "UNKNOWN" \/ ~supported(f, to_2) \/ unheard_of(f) \/ (f = metadata_version_2 /\ to_2 < 7))) = TRUE
  /\ (~FE2_applies(way, to_2, f)) = TRUE
  /\ (~FE3_applies(way, f, to_2)) = TRUE
  /\ (~FE4_applies(f, to_2)) = TRUE
  /\ f # metadata_version_2
  /\ (~FE6_applies(f, to_2)) = TRUE
  /\ (~FE7_applies(f, to_2)) = TRUE
  /\ Given_UpdateFeature(f, to_2, way, static_min) = TRUE

FE8(f, to_2, way, static_min) ==
  /\ FE8_is_enabled(f, to_2, way, static_min)
  /\ elr_version' = ElrVersion_elr_version(elr_version, {[level |-> to_2]})
  /\ elr_version' \in level
  /\ UNCHANGED <<metadata_version, in_transaction, kraft_version_2, feature_level, min_insync, log_end,
         cluster_min_insync, cluster_min_set, has_credential, iterations, controller_incarnation, controller_ranges,
         setting, next_producer_id, producer_ids_begun, registered_and_others, contact_and_others, never_written>>

\* S3:252-258
FE10_is_enabled(f, to_2, way, static_min) ==
  /\ formatted = TRUE
  /\ f = kraft_version
  /\ way = "UPGRADE"
  /\ (~(way = "UNKNOWN" \/ ~supported(f, to_2) \/ unheard_of(f) \/ (f = metadata_version_2 /\ to_2 < 7))) = TRUE
  /\ (~FE2_applies(way, to_2, f)) = TRUE
  /\ (~FE3_applies(way, f, to_2)) = TRUE
  /\ (~FE4_applies(f, to_2)) = TRUE
  /\ f # metadata_version_2
  /\ (~FE6_applies(f, to_2)) = TRUE
  /\ (~FE7_applies(f, to_2)) = TRUE
  /\ f # eligible_leader_replicas_version
  /\ Given_UpdateFeature(f, to_2, way, static_min) = TRUE

FE10(f, to_2, way, static_min) ==
  /\ FE10_is_enabled(f, to_2, way, static_min)
  /\ kraft_version_2' = to_2
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, feature_level, min_insync, log_end, cluster_min_insync,
         cluster_min_set, has_credential, iterations, controller_incarnation, controller_ranges, setting,
         next_producer_id, producer_ids_begun, registered_and_others, contact_and_others, never_written>>

\* S3:252-258
FE9_is_enabled(f, to_2, way, static_min) ==
  /\ formatted = TRUE
  /\ (~(way = "UNKNOWN" \/ ~supported(f, to_2) \/ unheard_of(f) \/ (f = metadata_version_2 /\ to_2 < 7))) = TRUE
  /\ (~FE2_applies(way, to_2, f)) = TRUE
  /\ (~FE3_applies(way, f, to_2)) = TRUE
  /\ (~FE4_applies(f, to_2)) = TRUE
  /\ f # metadata_version_2
  /\ (~FE6_applies(f, to_2)) = TRUE
  /\ (~FE7_applies(f, to_2)) = TRUE
  /\ f # eligible_leader_replicas_version
  /\ (~FE10_applies(f, way)) = TRUE
  /\ (~FE11_applies(f, to_2)) = TRUE
  /\ f # kraft_version
  /\ Given_UpdateFeature(f, to_2, way, static_min) = TRUE

FE9(f, to_2, way, static_min) ==
  /\ FE9_is_enabled(f, to_2, way, static_min)
  /\ feature_level' = FeatureLevel_feature_level(feature_level, {[feature |-> f, level |-> to_2]})
  /\ feature_level' \in [Feature -> level]
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, min_insync, log_end,
         cluster_min_insync, cluster_min_set, has_credential, iterations, controller_incarnation, controller_ranges,
         setting, next_producer_id, producer_ids_begun, registered_and_others, contact_and_others, never_written>>

\* S3:228, S3:254
CR1_is_enabled(c, i, ranges_2) ==
  /\ 15 <= metadata_version
  /\ Given_RegisterController(c, i, ranges_2) = TRUE

CR1(c, i, ranges_2) ==
  /\ CR1_is_enabled(c, i, ranges_2)
  /\ RegisterController_replayed({[controller |-> c, incarnation |-> i, migration_ready |-> FALSE, ranges_said |-> TRUE,
         ranges |-> ranges_2]})
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, feature_level, min_insync, log_end,
         cluster_min_insync, cluster_min_set, has_credential, iterations, setting, next_producer_id, producer_ids_begun,
         registered_and_others, contact_and_others, never_written>>

\* Kafka 4.4
CU3_is_enabled(c, itself) ==
  /\ (~itself) = TRUE
  /\ 33 <= metadata_version
  /\ controller_incarnation[c] # None

CU3(c, itself) ==
  /\ CU3_is_enabled(c, itself)
  /\ UnregisterController_replayed({[controller |-> c]})
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, feature_level, min_insync, log_end,
         cluster_min_insync, cluster_min_set, has_credential, iterations, setting, next_producer_id, producer_ids_begun,
         registered_and_others, contact_and_others, never_written>>

\* S3:252-258
PI3_is_enabled(b, broker_epoch) ==
  /\ known(b, broker_epoch) = TRUE
  /\ (~spent) = TRUE
  /\ Given_AllocateProducerIds(b, broker_epoch) = TRUE

PI3(b, broker_epoch) ==
  /\ PI3_is_enabled(b, broker_epoch)
  /\ ProducerIds_replayed({[broker |-> b, epoch |-> broker_epoch, next |-> next_producer_id + 1000]})
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, feature_level, min_insync, log_end,
         cluster_min_insync, cluster_min_set, has_credential, iterations, controller_incarnation, controller_ranges,
         setting, registered_and_others, contact_and_others, never_written>>

\* S3:268-276
NO1_is_enabled(later) ==
  /\ 5 <= metadata_version
  /\ log_end < later
  /\ Given_Idle(later) = TRUE

NO1(later) ==
  /\ NO1_is_enabled(later)
  /\ log_end' = later
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, feature_level, min_insync,
         cluster_min_insync, cluster_min_set, has_credential, iterations, controller_incarnation, controller_ranges,
         setting, next_producer_id, producer_ids_begun, registered_and_others, contact_and_others, never_written>>

Init ==
  /\ in_transaction = FALSE
  /\ registered = [k \in Broker |-> FALSE]
  /\ incarnation = [k \in Broker |-> None]
  /\ contact = [k \in Broker |-> "NOTHING"]
  /\ directories = [k \in Broker |-> {}]
  /\ feature_level = [k \in Feature |-> 0]
  /\ epoch = [k \in Broker |-> -1]
  /\ elr_index = [k \in Partition, k2 \in Broker |-> 0]
  /\ exists = [k \in Partition |-> FALSE]
  /\ isr = [k \in Partition |-> <<>>]
  /\ own_unclean = [k \in Topic |-> FALSE]
  /\ node_unclean = [k \in Name |-> None]
  /\ unclean = [k \in Topic |-> FALSE]
  /\ removing = [k \in Partition |-> {}]
  /\ adding = [k \in Partition |-> {}]
  /\ replicas = [k \in Partition |-> <<>>]
  /\ fenced = [k \in Broker |-> FALSE]
  /\ in_controlled_shutdown = [k \in Broker |-> FALSE]
  /\ location = [k \in Partition, k2 \in Broker |-> None]
  /\ min_insync = [k \in Topic |-> 1]
  /\ replication = [k \in Topic |-> 1]
  /\ elr = [k \in Partition |-> {}]
  /\ leader = [k \in Partition |-> None]
  /\ last_known = [k \in Partition |-> <<>>]
  /\ recovery = [k \in Partition |-> "RECOVERED"]
  /\ elr_disordered = [k \in Partition |-> FALSE]
  /\ last_nobody = [k \in Partition |-> FALSE]
  /\ leader_epoch = [k \in Partition |-> 0]
  /\ partition_epoch = [k \in Partition |-> 0]
  /\ log_end = -1
  /\ ranges = [k \in Broker |-> {}]
  /\ cordon_known = [k \in Broker |-> FALSE]
  /\ cordoned = [k \in Broker |-> {}]
  /\ registration_offset = [k \in Broker |-> -1]
  /\ soft_fenced = [k \in Broker |-> FALSE]
  /\ shutdown_offset = [k \in Broker |-> -1]
  /\ reported = [k \in Broker |-> -1]
  /\ cluster_min_insync = 1
  /\ cluster_min_set = FALSE
  /\ has_credential = [k \in Credential |-> FALSE]
  /\ iterations = [k \in Credential |-> 0]
  /\ live = [k \in Topic |-> FALSE]
  /\ own_min_insync = [k \in Topic |-> FALSE]
  /\ controller_incarnation = [k \in Node |-> None]
  /\ controller_ranges = [k \in Node |-> {}]
  /\ setting = [k \in Setting |-> None]
  /\ next_producer_id = 0
  /\ producer_ids_begun = FALSE
  /\ metadata_version \in level
  /\ Bound = "cluster" => metadata_version = 0
  /\ Bound = "lower" => metadata_version = 0
  /\ unassigned \in Directory
  /\ Bound = "cluster" => unassigned = 0
  /\ Bound = "lower" => unassigned = 0
  /\ migrating \in Directory
  /\ Bound = "cluster" => migrating = 0
  /\ Bound = "lower" => migrating = 0
  /\ lost \in Directory
  /\ Bound = "cluster" => lost = 0
  /\ Bound = "lower" => lost = 0
  /\ range_feature \in [Range -> Feature]
  /\ Bound = "cluster" => range_feature[0] = 0
  /\ Bound = "cluster" => range_feature[1] = 1
  /\ Bound = "cluster" => range_feature[2] = 2
  /\ Bound = "cluster" => range_feature[3] = 3
  /\ Bound = "lower" => range_feature[0] = 0
  /\ Bound = "lower" => range_feature[1] = 1
  /\ Bound = "lower" => range_feature[2] = 2
  /\ Bound = "lower" => range_feature[3] = 3
  /\ metadata_version_2 \in Feature
  /\ Bound = "cluster" => metadata_version_2 = 0
  /\ Bound = "lower" => metadata_version_2 = 0
  /\ eligible_leader_replicas_version \in Feature
  /\ Bound = "cluster" => eligible_leader_replicas_version = 1
  /\ Bound = "lower" => eligible_leader_replicas_version = 1
  /\ elr_version \in level
  /\ Bound = "cluster" => elr_version = 0
  /\ Bound = "lower" => elr_version = 0
  /\ kraft_version \in Feature
  /\ Bound = "cluster" => kraft_version = 3
  /\ Bound = "lower" => kraft_version = 3
  /\ kraft_version_2 \in level
  /\ Bound = "cluster" => kraft_version_2 = 0
  /\ Bound = "lower" => kraft_version_2 = 0
  /\ lowest \in [Range -> level]
  /\ Bound = "cluster" => lowest[0] = 7
  /\ Bound = "cluster" => lowest[1] = 0
  /\ Bound = "cluster" => lowest[2] = 0
  /\ Bound = "cluster" => lowest[3] = 0
  /\ Bound = "lower" => lowest[0] = 7
  /\ Bound = "lower" => lowest[1] = 0
  /\ Bound = "lower" => lowest[2] = 0
  /\ Bound = "lower" => lowest[3] = 0
  /\ highest \in [Range -> level]
  /\ Bound = "cluster" => highest[0] = 33
  /\ Bound = "cluster" => highest[1] = 1
  /\ Bound = "cluster" => highest[2] = 1
  /\ Bound = "cluster" => highest[3] = 1
  /\ Bound = "lower" => highest[0] = 33
  /\ Bound = "lower" => highest[1] = 1
  /\ Bound = "lower" => highest[2] = 1
  /\ Bound = "lower" => highest[3] = 1
  /\ topic \in [Partition -> Topic]
  /\ active_controller \in Name
  /\ index \in [Partition -> index_2]
  /\ Bound = "cluster" => (\A p \in Partition : index[p] = 0)
  /\ Bound = "lower" => (\A p \in Partition : index[p] = 0)
  /\ gives_level \in [Feature -> BOOLEAN]
  /\ asked_level \in [Feature -> level]
  /\ Bound = "cluster" => (\A f \in Feature : gives_level[f] = (f = 2) /\ asked_level[f] = 1)
  /\ Bound = "lower" => (\A f \in Feature : gives_level[f] = (f = 2) /\ asked_level[f] = 1)
  /\ gives_credential \in [Credential -> BOOLEAN]
  /\ gives_iterations \in [Credential -> iterations_2]
  /\ Bound = "cluster" => (\A c \in Credential : ~gives_credential[c] /\ gives_iterations[c] = 0)
  /\ Bound = "lower" => (\A c \in Credential : ~gives_credential[c] /\ gives_iterations[c] = 0)
  /\ resource_type \in [Setting -> level]
  /\ Bound = "cluster" => (\A s \in Setting : resource_type[s] = 2)
  /\ Bound = "lower" => (\A s \in Setting : resource_type[s] = 2)
  /\ key \in [Setting -> Name]
  /\ min_insync_replicas \in Name
  /\ home \in [Broker -> Directory]
  /\ Bound = "cluster" => home[0] = 1
  /\ Bound = "lower" => home[0] = 1

Rows ==
  \/ \E same_cluster \in Given_RegisterBroker_same_cluster :
       /\ same_cluster
       /\ \E migrates \in Given_RegisterBroker_migrates :
            /\ (~migrates) = TRUE
            /\ \E ranges_2 \in Given_RegisterBroker_ranges :
                 /\ (~unfit(ranges_2)) = TRUE
                 /\ (~names_no_metadata_version(ranges_2)) = TRUE
                 /\ (~silent(ranges_2)) = TRUE
                 /\ \E b \in Broker :
                      /\ \E dirs \in Given_RegisterBroker_dirs(b) :
                           /\ (~bad_directories(dirs, b)) = TRUE
                           /\ \E i \in Incarnation :
                                /\ (~(registered[b] /\ new_incarnation(b, i) /\ contact[b] = "RECENT")) = TRUE
                                /\ \E previous_epoch \in Given_RegisterBroker_previous_epoch(b), tells_previous_epoch
                                     \in Given_RegisterBroker_tells_previous_epoch :
                                     /\ (~(cleaned_up(b, i, tells_previous_epoch, previous_epoch) /\ haunted(b))) = TRUE
                                     /\ \/ R1(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster,
                                          migrates)
                                        \/ R2(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster,
                                             migrates)
                                        \/ R2u(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster,
                                             migrates)
                                        \/ R3(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster,
                                             migrates)
  \/ \E metadata_version_3 \in Given_Activate_metadata_version :
       /\ 7 <= metadata_version_3
       /\ \E elr_version_2 \in Given_Activate_elr_version, has_elr \in BOOLEAN, static_min \in Given_Activate_static_min
            :
            \/ AC1(metadata_version_3, elr_version_2, has_elr, static_min)
            \/ AC3(metadata_version_3, elr_version_2, has_elr, static_min)
  \/ \E metadata_version_3 \in Given_LoseActivation_metadata_version : AC4(metadata_version_3)
  \/ \E f \in Given_UpdateFeature_f, to_2 \in Given_UpdateFeature_to :
       /\ (~(f = metadata_version_2 /\ crosses(to_2))) = TRUE
       /\ \E way \in Direction :
            /\ (~(way = "UNKNOWN" \/ ~supported(f, to_2) \/ unheard_of(f) \/ (f = metadata_version_2 /\ to_2 < 7))) =
                   TRUE
            /\ (~(way = "UPGRADE" /\ to_2 < finalized_2(f))) = TRUE
            /\ (~(way # "UPGRADE" /\ finalized_2(f) < to_2)) = TRUE
            /\ \E static_min \in Given_UpdateFeature_static_min :
                 \/ FE5(f, to_2, way, static_min)
                 \/ FE7(f, to_2, way, static_min)
                 \/ FE8(f, to_2, way, static_min)
                 \/ FE10(f, to_2, way, static_min)
                 \/ FE9(f, to_2, way, static_min)
  \/ \E c \in Node, i \in Incarnation, ranges_2 \in Given_RegisterController_ranges : CR1(c, i, ranges_2)
  \/ \E c \in Node, itself \in BOOLEAN : CU3(c, itself)
  \/ \E b \in Broker, broker_epoch \in offset : PI3(b, broker_epoch)
  \/ \E later \in Given_Idle_later : NO1(later)

Next == Rows \/ UNCHANGED vars

Spec == Init /\ [][Next]_vars

\* The guard of some row holds: unlike in ENABLED Rows, of one too that only a range disables.
SomeRowIsEnabled ==
  \/ \E same_cluster \in Given_RegisterBroker_same_cluster :
       /\ same_cluster
       /\ \E migrates \in Given_RegisterBroker_migrates :
            /\ (~migrates) = TRUE
            /\ \E ranges_2 \in Given_RegisterBroker_ranges :
                 /\ (~unfit(ranges_2)) = TRUE
                 /\ (~names_no_metadata_version(ranges_2)) = TRUE
                 /\ (~silent(ranges_2)) = TRUE
                 /\ \E b \in Broker :
                      /\ \E dirs \in Given_RegisterBroker_dirs(b) :
                           /\ (~bad_directories(dirs, b)) = TRUE
                           /\ \E i \in Incarnation :
                                /\ (~(registered[b] /\ new_incarnation(b, i) /\ contact[b] = "RECENT")) = TRUE
                                /\ \E previous_epoch \in Given_RegisterBroker_previous_epoch(b), tells_previous_epoch
                                     \in Given_RegisterBroker_tells_previous_epoch :
                                     /\ (~(cleaned_up(b, i, tells_previous_epoch, previous_epoch) /\ haunted(b))) = TRUE
                                     /\ \/ R1_is_enabled(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2,
                                          same_cluster, migrates)
                                        \/ R2_is_enabled(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2,
                                             same_cluster, migrates)
                                        \/ R2u_is_enabled(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2,
                                             same_cluster, migrates)
                                        \/ R3_is_enabled(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2,
                                             same_cluster, migrates)
  \/ \E metadata_version_3 \in Given_Activate_metadata_version :
       /\ 7 <= metadata_version_3
       /\ \E elr_version_2 \in Given_Activate_elr_version, has_elr \in BOOLEAN, static_min \in Given_Activate_static_min
            :
            \/ AC1_is_enabled(metadata_version_3, elr_version_2, has_elr, static_min)
            \/ AC3_is_enabled(metadata_version_3, elr_version_2, has_elr, static_min)
  \/ \E metadata_version_3 \in Given_LoseActivation_metadata_version : AC4_is_enabled(metadata_version_3)
  \/ \E f \in Given_UpdateFeature_f, to_2 \in Given_UpdateFeature_to :
       /\ (~(f = metadata_version_2 /\ crosses(to_2))) = TRUE
       /\ \E way \in Direction :
            /\ (~(way = "UNKNOWN" \/ ~supported(f, to_2) \/ unheard_of(f) \/ (f = metadata_version_2 /\ to_2 < 7))) =
                   TRUE
            /\ (~(way = "UPGRADE" /\ to_2 < finalized_2(f))) = TRUE
            /\ (~(way # "UPGRADE" /\ finalized_2(f) < to_2)) = TRUE
            /\ \E static_min \in Given_UpdateFeature_static_min :
                 \/ FE5_is_enabled(f, to_2, way, static_min)
                 \/ FE7_is_enabled(f, to_2, way, static_min)
                 \/ FE8_is_enabled(f, to_2, way, static_min)
                 \/ FE10_is_enabled(f, to_2, way, static_min)
                 \/ FE9_is_enabled(f, to_2, way, static_min)
  \/ \E c \in Node, i \in Incarnation, ranges_2 \in Given_RegisterController_ranges : CR1_is_enabled(c, i, ranges_2)
  \/ \E c \in Node, itself \in BOOLEAN : CU3_is_enabled(c, itself)
  \/ \E b \in Broker, broker_epoch \in offset : PI3_is_enabled(b, broker_epoch)
  \/ \E later \in Given_Idle_later : NO1_is_enabled(later)

\* The epochs of registrations with a new incarnation increase, over all brokers. (S2:34, S2:52)
K1 == [][(\A b \in Broker, i \in Incarnation, tells_previous_epoch \in Given_RegisterBroker_tells_previous_epoch,
  ranges_2 \in Given_RegisterBroker_ranges, same_cluster \in Given_RegisterBroker_same_cluster, migrates \in
  Given_RegisterBroker_migrates : \A previous_epoch \in Given_RegisterBroker_previous_epoch(b), dirs \in
  Given_RegisterBroker_dirs(b) : (R1(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)
  \/ R2(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R2u(b, i, previous_epoch,
  tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)) => (\A x \in Broker : registered[x] => epoch[x] <
  epoch[b]'))]_vars

\* Another incarnation is admitted only if the former one has no session. (S2:38, S2:56)
K2 == [][(\A b \in Broker, i \in Incarnation, tells_previous_epoch \in Given_RegisterBroker_tells_previous_epoch,
  ranges_2 \in Given_RegisterBroker_ranges, same_cluster \in Given_RegisterBroker_same_cluster, migrates \in
  Given_RegisterBroker_migrates : \A previous_epoch \in Given_RegisterBroker_previous_epoch(b), dirs \in
  Given_RegisterBroker_dirs(b) : (R2(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)
  \/ R2u(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)) => (contact[b] #
  "RECENT"))]_vars

\* Registering again as the same incarnation keeps epoch, fencing and controlled shutdown. (S2:35, KAFKA-16757)
K3 == [][(\A b \in Broker, i \in Incarnation, tells_previous_epoch \in Given_RegisterBroker_tells_previous_epoch,
  ranges_2 \in Given_RegisterBroker_ranges, same_cluster \in Given_RegisterBroker_same_cluster, migrates \in
  Given_RegisterBroker_migrates : \A previous_epoch \in Given_RegisterBroker_previous_epoch(b), dirs \in
  Given_RegisterBroker_dirs(b) : (R3(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster,
  migrates)) => (epoch[b]' = epoch[b] /\ fenced[b] = fenced[b]' /\ in_controlled_shutdown[b] =
  in_controlled_shutdown[b]'))]_vars

\* Each directory belongs to at most one broker. (ClusterControlManager.registerBroker)
K6 == \A x \in Broker, y \in Broker : (registered[x] /\ registered[y] /\ x # y) => (\A d \in Directory : ~(d \in
  directories[x] /\ d \in directories[y]))

\* A controlled shutdown offset is set once: it moves from and to none only, or the shutdown would never end on a busy
\* log. (S3:244, KAFKA-14292)
K12 == [][\A x \in Broker : shutdown_offset[x] = -1 \/ shutdown_offset[x]' = -1 \/ shutdown_offset[x]' =
  shutdown_offset[x]]_vars

\* Every registered broker can do every finalized feature level. (S2:36, S3:254)
K7 == \A x \in Broker, f \in Feature : (registered[x] /\ 1 <= finalized_2(f)) => can_do_3(x, f)

\* Every registered controller can do every finalized feature level. (S3:254)
K7c == \A c \in Node, f \in Feature : (controller_incarnation[c] # None /\ 1 <= finalized_2(f)) => can_do_4(c, f)

\* There is only the bootstrap transaction: while one is open there is nothing yet that it could be about. (S3:171-173)
L9 == in_transaction => ((\A p \in Partition : ~exists[p]) /\ (\A x \in Broker : ~registered[x]))

\* Producer ids only rise, so that no two blocks overlap; the first record may say 0, where they begin.
\* (ProducerIdControlManager)
L10 == [][(\A b \in Broker, broker_epoch \in offset : (PI3(b, broker_epoch)) => (producer_ids_begun' /\
  (~producer_ids_begun \/ next_producer_id < next_producer_id')))]_vars

\* The bootstrap records take effect once. (ActivationRecordsGenerator)
L11 == [][(\A metadata_version_3 \in Given_Activate_metadata_version, elr_version_2 \in Given_Activate_elr_version,
  has_elr \in BOOLEAN, static_min \in Given_Activate_static_min : (AC1(metadata_version_3, elr_version_2, has_elr,
  static_min)) => (~formatted /\ formatted'))]_vars

\* A feature level that is answered NONE is finalized, and no other has changed. (7.13)
L17 == [][(\A f \in Given_UpdateFeature_f, to_2 \in Given_UpdateFeature_to, way \in Direction, static_min \in
  Given_UpdateFeature_static_min : (FE5(f, to_2, way, static_min) \/ FE7(f, to_2, way, static_min) \/ FE8(f, to_2, way,
  static_min) \/ FE10(f, to_2, way, static_min) \/ FE9(f, to_2, way, static_min)) => (finalized_2(f)' = to_2 /\ (\A g
  \in Feature : g # f => finalized_2(g)' = finalized_2(g))))]_vars

\* An upgrade lowers no level, and a downgrade raises none. (7.13)
L18 == [][(\A f \in Given_UpdateFeature_f, to_2 \in Given_UpdateFeature_to, way \in Direction, static_min \in
  Given_UpdateFeature_static_min : (FE5(f, to_2, way, static_min) \/ FE7(f, to_2, way, static_min) \/ FE8(f, to_2, way,
  static_min) \/ FE10(f, to_2, way, static_min) \/ FE9(f, to_2, way, static_min)) => (way # "UNKNOWN" /\ (way =
  "UPGRADE" => finalized_2(f) <= to_2) /\ (way = "UPGRADE" \/ to_2 <= finalized_2(f))))]_vars

\* metadata.version never goes back across a level at which metadata changed its form. (7.14)
L19 == [][(formatted /\ metadata_version' < metadata_version) => ~((metadata_version' < 8 /\ 8 <= metadata_version) \/
  (metadata_version' < 11 /\ 11 <= metadata_version) \/ (metadata_version' < 13 /\ 13 <= metadata_version) \/
  (metadata_version' < 14 /\ 14 <= metadata_version) \/ (metadata_version' < 15 /\ 15 <= metadata_version) \/
  (metadata_version' < 17 /\ 17 <= metadata_version) \/ (metadata_version' < 23 /\ 23 <= metadata_version) \/
  (metadata_version' < 30 /\ 30 <= metadata_version) \/ (metadata_version' < 32 /\ 32 <= metadata_version) \/
  (metadata_version' < 33 /\ 33 <= metadata_version))]_vars

\* Eligible leader replicas are switched on only at 4.0-IV1 or above, and metadata.version never falls below it while
\* they are. (7.14)
L20 == [][(formatted /\ (elr_version < 1 \/ 23 <= metadata_version)) => (elr_version < 1 \/ 23 <=
  metadata_version)']_vars

\* With eligible leader replicas the cluster has a min.insync.replicas, and no broker one of its own. (7.16)
L21 == [][(formatted /\ (elr_version < 1 \/ (cluster_min_set /\ ~(\E s \in Setting : resource_type[s] = 4 /\ key[s] =
  min_insync_replicas /\ setting[s] # None)))) => (elr_version < 1 \/ (cluster_min_set /\ ~(\E s \in Setting :
  resource_type[s] = 4 /\ key[s] = min_insync_replicas /\ setting[s] # None)))']_vars

\* The log never becomes shorter. (S3:17, L1)
L22 == [][log_end <= log_end']_vars

\* A controller's registration says who it is and what it can do. (7.18)
L24 == [][(\A c \in Node, i \in Incarnation, ranges_2 \in Given_RegisterController_ranges : (CR1(c, i, ranges_2)) =>
  (controller_incarnation[c]' = i /\ controller_ranges[c]' = ranges_2))]_vars

\* An operator takes away the registration of a controller that has one. (7.16)
L25 == [][(\A c \in Node, itself \in BOOLEAN : (CU3(c, itself)) => (controller_incarnation[c] # None /\
  (controller_incarnation[c] = None)'))]_vars

\* The active controller keeps its registration. (QuorumController.unregisterController)
L26 == [][(\A c \in Node, itself \in BOOLEAN : (CU3(c, itself)) => (~itself))]_vars

\* Whoever becomes active leaves no transaction open. (S3:166-173)
L29 == [][(\A metadata_version_3 \in Given_Activate_metadata_version, elr_version_2 \in Given_Activate_elr_version,
  has_elr \in BOOLEAN, static_min \in Given_Activate_static_min : (AC1(metadata_version_3, elr_version_2, has_elr,
  static_min) \/ AC3(metadata_version_3, elr_version_2, has_elr, static_min)) => (~in_transaction'))]_vars

\* For P3, P7, K7: before the cluster is formatted there is nothing that its features could be about.
N5 == ~formatted => (elr_version = 0 /\ (\A p \in Partition : ~exists[p]) /\ (\A x \in Broker : ~registered[x]))
================================================================================
