--------------------------------- MODULE kraft ---------------------------------
\* kraft: The KRaft controller of Kafka 4.4: brokers, partitions, topics, and what a real log needs beside them.
\* Made from the tables of kraft ad84700ba80d; not to be edited.
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS Maxlevel, NumberBroker, NumberIncarnation, NumberDirectory, NumberRange, NumberFeature, Maxoffset,
  NumberPartition, Maxcopies, NumberTopic, NumberName, Maxsize, Maxindex, Maxleader_epoch, Maxpartition_epoch,
  NumberRequest, NumberSetting, NumberValue, Bound, None

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
Request == 0..(NumberRequest - 1)
Setting == 0..(NumberSetting - 1)
Value == 0..(NumberValue - 1)
Copy == {"FIRST", "SECOND", "THIRD", "FOURTH"}

Pick(S) == CHOOSE x \in S : TRUE
Put(f, updates) == [k \in DOMAIN f |-> LET u == {x \in updates : x.at = k} IN IF u = {} THEN f[k] ELSE Pick(u).to]
PutCell(value, updates) == IF updates = {} THEN value ELSE Pick(updates)
Elements(s) == {s[i] : i \in DOMAIN s}
KeepIn(s, S) == SelectSeq(s, LAMBDA x : x \in S)
FirstIn(s, S) == IF KeepIn(s, S) = <<>> THEN None ELSE Head(KeepIn(s, S))
Join(s, t) == s \o SelectSeq(t, LAMBDA x : x \notin Elements(s))
OnlyItem(x) == IF x = None THEN <<>> ELSE <<x>>
Lists(S) == UNION {{s \in [1..n -> S] : Cardinality(Elements(s)) = n} : n \in 0..Cardinality(S)}
InOrder(S) == [i \in 1..Cardinality(S) |-> CHOOSE x \in S : Cardinality({y \in S : y <= x}) = i]
Lesser(a, b) == IF a <= b THEN a ELSE b

VARIABLES metadata_version, in_transaction, registered, incarnation, contact, unassigned, migrating, lost, directories,
  range_feature, metadata_version_2, eligible_leader_replicas_version, elr_version, kraft_version, kraft_version_2,
  feature_level, lowest, highest, epoch, elr_index, exists, isr, topic, own_unclean, unclean, active_controller,
  node_unclean, cluster_unclean, removing, adding, replicas, fenced, in_controlled_shutdown, location, own_min_insync,
  min_insync, cluster_min_insync, replication, elr, leader, last_known, recovery, elr_disordered, last_nobody, index,
  leader_epoch, partition_epoch, log_end, ranges, cordon_known, cordoned, registration_offset, soft_fenced,
  shutdown_offset, reported, sent, from, from_epoch, about, from_leader_epoch, from_partition_epoch, wanted,
  member_epoch, wanted_recovery, live, placed, name, asks, resource_type, resource, asked, setting, overtaken, outdated,
  cluster_min_set, key, min_insync_replicas, home

vars == <<metadata_version, in_transaction, registered, incarnation, contact, unassigned, migrating, lost, directories,
  range_feature, metadata_version_2, eligible_leader_replicas_version, elr_version, kraft_version, kraft_version_2,
  feature_level, lowest, highest, epoch, elr_index, exists, isr, topic, own_unclean, unclean, active_controller,
  node_unclean, cluster_unclean, removing, adding, replicas, fenced, in_controlled_shutdown, location, own_min_insync,
  min_insync, cluster_min_insync, replication, elr, leader, last_known, recovery, elr_disordered, last_nobody, index,
  leader_epoch, partition_epoch, log_end, ranges, cordon_known, cordoned, registration_offset, soft_fenced,
  shutdown_offset, reported, sent, from, from_epoch, about, from_leader_epoch, from_partition_epoch, wanted,
  member_epoch, wanted_recovery, live, placed, name, asks, resource_type, resource, asked, setting, overtaken, outdated,
  cluster_min_set, key, min_insync_replicas, home>>

never_written == <<metadata_version, in_transaction, unassigned, migrating, lost, range_feature, metadata_version_2,
  eligible_leader_replicas_version, elr_version, kraft_version, kraft_version_2, feature_level, lowest, highest,
  node_unclean, cluster_unclean, cluster_min_insync, placed, asks, resource_type, resource, asked, overtaken, outdated,
  cluster_min_set, key, min_insync_replicas, home>>

registered_and_others == <<registered, incarnation, directories, epoch, ranges, cordon_known, cordoned,
  registration_offset>>

elr_index_and_others == <<elr_index, isr, removing, adding, replicas, location, elr, leader, last_known, recovery,
  last_nobody, leader_epoch, partition_epoch>>

exists_and_others == <<exists, own_unclean, unclean, own_min_insync, min_insync, live, name, setting>>

sent_and_others == <<sent, from, from_epoch, about, from_leader_epoch, from_partition_epoch, wanted, member_epoch,
  wanted_recovery>>

Given_RegisterBroker(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) == CASE Bound =
  "tiny" -> (dirs = OnlyItem(home[b]) /\ ranges_2 = {r \in Range : TRUE} /\ tells_previous_epoch /\ previous_epoch =
  epoch[b] /\ same_cluster /\ ~migrates) [] Bound = "restart" -> (dirs = OnlyItem(home[b]) /\ ranges_2 = {r \in Range :
  TRUE} /\ tells_previous_epoch /\ same_cluster /\ ~migrates) [] Bound = "lag" -> (dirs = OnlyItem(home[b]) /\ ranges_2
  = {r \in Range : TRUE} /\ tells_previous_epoch /\ previous_epoch = epoch[b] /\ same_cluster /\ ~migrates) [] Bound =
  "small" -> (dirs = OnlyItem(home[b]) /\ ranges_2 = {r \in Range : TRUE} /\ tells_previous_epoch /\ previous_epoch =
  epoch[b] /\ same_cluster /\ ~migrates /\ (b = 1 => registered[0]) /\ (b = 2 => registered[1]) /\ registered[b] = (i =
  1) /\ (~registered[b] \/ (b = 0 /\ incarnation[b] = 0))) [] Bound = "changes" -> (dirs = OnlyItem(home[b]) /\ ranges_2
  = {r \in Range : TRUE} /\ tells_previous_epoch /\ previous_epoch = epoch[b] /\ same_cluster /\ ~migrates) [] Bound =
  "pair" -> (dirs = OnlyItem(home[b]) /\ ranges_2 = {r \in Range : TRUE} /\ tells_previous_epoch /\ same_cluster /\
  ~migrates /\ (b = 1 => registered[0]) /\ (b = 2 => registered[1]) /\ ((~registered[b] /\ i = 0 /\ previous_epoch =
  epoch[b] /\ (\A p \in Partition : ~exists[p])) \/ (registered[b] /\ b = 1 /\ i = 1 /\ incarnation[b] = 0 /\
  (previous_epoch = epoch[b] \/ previous_epoch = 0)))) [] OTHER -> TRUE

Given_RegisterBroker_dirs(b) == CASE Bound = "tiny" -> {OnlyItem(home[b])} [] Bound = "restart" -> {OnlyItem(home[b])}
  [] Bound = "lag" -> {OnlyItem(home[b])} [] Bound = "small" -> {OnlyItem(home[b])} [] Bound = "changes" ->
  {OnlyItem(home[b])} [] Bound = "pair" -> {OnlyItem(home[b])} [] OTHER -> Lists(Directory)

Given_RegisterBroker_ranges == CASE Bound = "tiny" -> {{r \in Range : TRUE}} [] Bound = "restart" -> {{r \in Range :
  TRUE}} [] Bound = "lag" -> {{r \in Range : TRUE}} [] Bound = "small" -> {{r \in Range : TRUE}} [] Bound = "changes" ->
  {{r \in Range : TRUE}} [] Bound = "pair" -> {{r \in Range : TRUE}} [] OTHER -> SUBSET Range

Given_RegisterBroker_tells_previous_epoch == CASE Bound = "tiny" -> {TRUE} [] Bound = "restart" -> {TRUE} [] Bound =
  "lag" -> {TRUE} [] Bound = "small" -> {TRUE} [] Bound = "changes" -> {TRUE} [] Bound = "pair" -> {TRUE} [] OTHER ->
  BOOLEAN

Given_RegisterBroker_previous_epoch(b) == CASE Bound = "tiny" -> ({epoch[b]} \intersect offset) [] Bound = "lag" ->
  ({epoch[b]} \intersect offset) [] Bound = "small" -> ({epoch[b]} \intersect offset) [] Bound = "changes" ->
  ({epoch[b]} \intersect offset) [] OTHER -> offset

Given_RegisterBroker_same_cluster == CASE Bound = "tiny" -> {TRUE} [] Bound = "restart" -> {TRUE} [] Bound = "lag" ->
  {TRUE} [] Bound = "small" -> {TRUE} [] Bound = "changes" -> {TRUE} [] Bound = "pair" -> {TRUE} [] OTHER -> BOOLEAN

Given_RegisterBroker_migrates == CASE Bound = "tiny" -> {FALSE} [] Bound = "restart" -> {FALSE} [] Bound = "lag" ->
  {FALSE} [] Bound = "small" -> {FALSE} [] Bound = "changes" -> {FALSE} [] Bound = "pair" -> {FALSE} [] OTHER -> BOOLEAN

Given_Heartbeat(b, broker_epoch, off, want_fence, want_down) == CASE Bound = "tiny" -> off = log_end [] Bound =
  "restart" -> (off = log_end /\ ~want_fence) [] Bound = "lag" -> (off <= log_end /\ reported[b] <= off) [] Bound =
  "small" -> (off = log_end /\ ~want_fence /\ (want_down => b = 0)) [] Bound = "changes" -> off = log_end [] Bound =
  "pair" -> (off = log_end /\ ~want_fence /\ ~want_down) [] OTHER -> TRUE

Given_Heartbeat_off == CASE Bound = "tiny" -> ({log_end} \intersect offset) [] Bound = "restart" -> ({log_end}
  \intersect offset) [] Bound = "small" -> ({log_end} \intersect offset) [] Bound = "changes" -> ({log_end} \intersect
  offset) [] Bound = "pair" -> ({log_end} \intersect offset) [] OTHER -> offset

Given_Heartbeat_want_fence == CASE Bound = "restart" -> {FALSE} [] Bound = "small" -> {FALSE} [] Bound = "pair" ->
  {FALSE} [] OTHER -> BOOLEAN

Given_Heartbeat_want_down == CASE Bound = "pair" -> {FALSE} [] OTHER -> BOOLEAN

active_broker(x) == registered[x] /\ ~fenced[x] /\ ~in_controlled_shutdown[x]

active == {x \in Broker : active_broker(x)}

Given_ProposeIsr(m, b, p, proposal) == CASE Bound = "small" -> (proposal = Elements(replicas[p]) \intersect active /\
  proposal # Elements(isr[p])) [] Bound = "pair" -> (proposal = Elements(replicas[p]) \intersect active /\ proposal #
  Elements(isr[p])) [] OTHER -> TRUE

Given_ProposeIsr_proposal(p) == CASE Bound = "small" -> {Elements(replicas[p]) \intersect active} [] Bound = "pair" ->
  {Elements(replicas[p]) \intersect active} [] OTHER -> SUBSET Broker

Given_CreateTopic(t, n, manual, has_min_insync, min_insync_2, has_unclean, unclean_2) == CASE Bound = "tiny" -> (~manual
  /\ has_min_insync /\ min_insync_2 = 2 /\ ~has_unclean) [] Bound = "restart" -> (~manual /\ has_min_insync /\
  min_insync_2 = 2 /\ ~has_unclean) [] Bound = "lag" -> (~manual /\ has_min_insync /\ min_insync_2 = 2 /\ ~has_unclean)
  [] Bound = "small" -> (~manual /\ has_min_insync /\ min_insync_2 = 2 /\ ~has_unclean) [] Bound = "changes" -> (~manual
  /\ has_min_insync /\ min_insync_2 = 2 /\ ~has_unclean) [] Bound = "pair" -> (~manual /\ has_min_insync /\ min_insync_2
  = 2 /\ ~has_unclean) [] OTHER -> TRUE

Given_CreateTopic_manual == CASE Bound = "tiny" -> {FALSE} [] Bound = "restart" -> {FALSE} [] Bound = "lag" -> {FALSE}
  [] Bound = "small" -> {FALSE} [] Bound = "changes" -> {FALSE} [] Bound = "pair" -> {FALSE} [] OTHER -> BOOLEAN

Given_CreateTopic_has_min_insync == CASE Bound = "tiny" -> {TRUE} [] Bound = "restart" -> {TRUE} [] Bound = "lag" ->
  {TRUE} [] Bound = "small" -> {TRUE} [] Bound = "changes" -> {TRUE} [] Bound = "pair" -> {TRUE} [] OTHER -> BOOLEAN

Given_CreateTopic_min_insync == CASE Bound = "tiny" -> ({2} \intersect size) [] Bound = "restart" -> ({2} \intersect
  size) [] Bound = "lag" -> ({2} \intersect size) [] Bound = "small" -> ({2} \intersect size) [] Bound = "changes" ->
  ({2} \intersect size) [] Bound = "pair" -> ({2} \intersect size) [] OTHER -> size

Given_CreateTopic_has_unclean == CASE Bound = "tiny" -> {FALSE} [] Bound = "restart" -> {FALSE} [] Bound = "lag" ->
  {FALSE} [] Bound = "small" -> {FALSE} [] Bound = "changes" -> {FALSE} [] Bound = "pair" -> {FALSE} [] OTHER -> BOOLEAN

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

online(p, x) == location[p, x] = unassigned \/ location[p, x] = migrating \/ (location[p, x] # None /\ location[p, x] #
  lost /\ (directories[x] = {} \/ location[p, x] \in directories[x]))

electable(p) == {x \in Broker : active_broker(x) /\ online(p, x)}

allows_unclean(p) == IF own_unclean[topic[p]] THEN unclean[topic[p]] ELSE IF node_unclean[active_controller] # None THEN
  node_unclean[active_controller] = TRUE ELSE cluster_unclean

known(b, broker_epoch) == registered[b] /\ broker_epoch = epoch[b]

is_fenced(b) == shutdown_offset[b] < 0 /\ soft_fenced[b]

caught_up(b, off) == registration_offset[b] <= off

stranded(b) == \E p \in Partition : exists[p] /\ leader[p] = None /\ elr_on /\ isr[p] = <<>> /\ elr[p] = {} /\ (\E x \in
  Broker : x \in Elements(last_known[p]) /\ x \notin Elements(replicas[p]) /\ (active_broker(x) \/ x = b))

online_2(p, x) == location[p, x] = unassigned \/ location[p, x] = migrating \/ (location[p, x] # None /\ location[p, x]
  # lost /\ (directories[x] = {} \/ location[p, x] \in directories[x]))

is_up(b) == shutdown_offset[b] < 0 /\ ~soft_fenced[b]

leads(b) == \E q \in Partition : exists[q] /\ leader[q] = b

leaving(b) == 0 <= shutdown_offset[b]

drained(b) == \A x \in Broker : (registered[x] /\ ~soft_fenced[x] /\ shutdown_offset[x] < 0) => shutdown_offset[b] <=
  reported[x]

stale_sender(b, m) == ~registered[b] \/ from_epoch[m] # epoch[b]

recovered(m) == wanted_recovery[m] = "RECOVERED"

others_in_isr(m, b) == \E x \in Broker : x \in Elements(wanted[m]) /\ x # b

ineligible_member(m) == \E x \in Broker : x \in Elements(wanted[m]) /\ (~registered[x] \/ in_controlled_shutdown[x] \/
  fenced[x] \/ (member_epoch[m, x] # -1 /\ member_epoch[m, x] # epoch[x]))

led_by_preferred(p) == leader[p] # None /\ FirstIn(replicas[p], Elements(replicas[p])) = leader[p]

closed(x) == directories[x] # {} /\ directories[x] \subseteq cordoned[x]

well_placed(t) == \A p \in Partition : topic[p] = t => ((\A x \in Broker : x \in Elements(placed[p]) => (registered[x]
  /\ ~closed(x))) /\ ~(Cardinality(Elements(placed[p])) < Len(placed[p])) /\ placed[p] # <<>> /\ (\A q \in Partition :
  topic[q] = t => (Cardinality(Elements(placed[p])) >= Cardinality(Elements(placed[q])) /\
  Cardinality(Elements(placed[q])) >= Cardinality(Elements(placed[p])))))

numbered_from_0(t) == (\E p \in Partition : topic[p] = t /\ index[p] = 0) /\ (\A p \in Partition : topic[p] = t =>
  (index[p] = 0 \/ (\E q \in Partition : topic[q] = topic[p] /\ topic[q] = t /\ index[p] = index[q] + 1)))

name_taken(n) == \E u \in Topic : live[u] /\ name[u] = n

hosted(t) == \A p \in Partition : topic[p] = t => (\E x \in Broker : x \in Elements(placed[p]) /\ x \in active)

undisturbed(p) == ~outdated[p] /\ ~overtaken[p]

min_insync_of(p) == IF own_min_insync[topic[p]] THEN min_insync[topic[p]] ELSE cluster_min_insync

min_isr(p) == Lesser(min_insync_of(p), replication[topic[p]])

elected_now(p) == exists[p] /\ exists[p]' /\ leader[p]' # leader[p] /\ (leader[p] # None)'

reassignment_ended(p) == (removing[p] # {} \/ adding[p] # {}) /\ removing[p]' = {} /\ adding[p]' = {}

isr_left(m, p) == KeepIn(wanted[m], Elements(wanted[m]) \ removing[p])

target_left(p) == KeepIn(replicas[p], Elements(replicas[p]) \ removing[p])

completes(p, m) == (removing[p] # {} \/ adding[p] # {}) /\ (removing[p] = {} \/ (isr_left(m, p) # <<>> /\ target_left(p)
  # <<>>)) /\ adding[p] \subseteq Elements(isr_left(m, p)) /\ (Cardinality(adding[p]) >= Cardinality(removing[p]) \/
  Elements(target_left(p)) \subseteq Elements(isr_left(m, p)))

replicas1(p, m) == IF completes(p, m) THEN target_left(p) ELSE replicas[p]

isr1(p, m) == IF completes(p, m) THEN isr_left(m, p) ELSE wanted[m]

enough_in_sync(p, m) == Cardinality(Elements(isr1(p, m))) >= min_isr(p)

candidates(p, m) == IF elr_on THEN IF enough_in_sync(p, m) THEN {} ELSE ((elr[p] \union Elements(isr[p])) \
  Elements(isr1(p, m))) \ {} ELSE elr[p]

valid(p, m) == electable(p) \intersect (IF isr1(p, m) = <<>> THEN candidates(p, m) ELSE Elements(isr1(p, m)))

clean(p, m) == IF (IF allows_unclean(p) THEN "UNCLEAN" ELSE "ONLINE") = "PREFERRED" /\ FirstIn(replicas1(p, m),
  Elements(replicas1(p, m))) \in valid(p, m) THEN FirstIn(replicas1(p, m), Elements(replicas1(p, m))) ELSE IF leader[p]
  \in valid(p, m) THEN leader[p] ELSE FirstIn(replicas1(p, m), valid(p, m))

recalled(p, m) == IF elr_on /\ isr1(p, m) = <<>> /\ candidates(p, m) = {} THEN FirstIn(last_known[p], electable(p)) ELSE
  None

elected(p, m) == IF clean(p, m) # None THEN clean(p, m) ELSE IF recalled(p, m) # None THEN recalled(p, m) ELSE IF (IF
  allows_unclean(p) THEN "UNCLEAN" ELSE "ONLINE") = "UNCLEAN" THEN FirstIn(replicas1(p, m), electable(p)) ELSE None

moves(p, m) == elected(p, m) # leader[p]

gives_up(p, m) == ~moves(p, m) /\ ~(Elements(replicas[p]) \subseteq Elements(replicas1(p, m)))

loses(p, m) == moves(p, m) /\ clean(p, m) = None /\ elected(p, m) # None

from_elr(p, m) == moves(p, m) /\ elected(p, m) \in candidates(p, m)

isr2(p, m) == IF from_elr(p, m) THEN OnlyItem(elected(p, m)) ELSE isr1(p, m)

isr_said(p, m) == loses(p, m) \/ ((isr2(p, m) # <<>> \/ elr_on) /\ isr2(p, m) # isr[p])

isr3(p, m) == IF loses(p, m) THEN OnlyItem(elected(p, m)) ELSE isr2(p, m)

shrinks(p, m) == metadata_version < 12 /\ ~moves(p, m) /\ ~gives_up(p, m) /\ isr_said(p, m) /\ ~(Elements(isr[p])
  \subseteq Elements(isr3(p, m)))

leader_said(p, m) == moves(p, m) \/ gives_up(p, m) \/ shrinks(p, m)

taken_away(p, m, b) == leader_said(p, m) /\ elected(p, m) # b

joins_isr(p, x) == exists[p] /\ exists[p]' /\ undisturbed(p)' /\ (x \in Elements(isr[p]))' /\ x \notin Elements(isr[p])

proposed(p, x) == \E m \in Request : sent[m] /\ about[m] = p /\ from[m] = leader[p] /\ from_leader_epoch[m] =
  leader_epoch[p] /\ from_partition_epoch[m] = partition_epoch[p] /\ x \in Elements(wanted[m])

taken_back_uncleanly(p, x) == reassignment_ended(p) /\ Elements(isr[p]) \subseteq adding[p] /\ allows_unclean(p) /\
  isr[p]' = OnlyItem(x)

newly_led(p, x) == exists[p] /\ exists[p]' /\ ~outdated[p]' /\ leader[p]' = x /\ leader[p] # x

waits(p, x) == exists[p] /\ leader[p] = None /\ active_broker(x) /\ online(p, x) /\ (x \in Elements(isr[p]) \/ (isr[p] =
  <<>> /\ x \in elr[p]))

may_lead(x, p) == active_broker(x) /\ online(p, x)

\* Complete a reassignment, keep the eligible leader replicas, elect, and write what has changed, if anything.
change(p, target_isr, acceptable, lost_2, election, target, target_removing, target_adding, target_recovery) ==
  LET
    isr_left_2 == KeepIn(target_isr, Elements(target_isr) \ target_removing)
    target_left_2 == KeepIn(target, Elements(target) \ target_removing)
    completes_2 == (target_removing # {} \/ target_adding # {}) /\ (target_removing = {} \/ (isr_left_2 # <<>> /\
        target_left_2 # <<>>)) /\ target_adding \subseteq Elements(isr_left_2) /\ (Cardinality(target_adding) >=
        Cardinality(target_removing) \/ Elements(target_left_2) \subseteq Elements(isr_left_2))
    replicas1_2 == IF completes_2 THEN target_left_2 ELSE target
    isr1_2 == IF completes_2 THEN isr_left_2 ELSE target_isr
    min_insync_of_2 == IF own_min_insync[topic[p]] THEN min_insync[topic[p]] ELSE cluster_min_insync
    min_isr_2 == Lesser(min_insync_of_2, replication[topic[p]])
    enough_in_sync_2 == Cardinality(Elements(isr1_2)) >= min_isr_2
    candidates_2 == IF elr_on THEN IF enough_in_sync_2 THEN {} ELSE ((elr[p] \union Elements(isr[p])) \
        Elements(isr1_2)) \ lost_2 ELSE elr[p]
    valid_2 == acceptable \intersect (IF isr1_2 = <<>> THEN candidates_2 ELSE Elements(isr1_2))
    clean_2 == IF election = "PREFERRED" /\ FirstIn(replicas1_2, Elements(replicas1_2)) \in valid_2 THEN
        FirstIn(replicas1_2, Elements(replicas1_2)) ELSE IF leader[p] \in valid_2 THEN leader[p] ELSE
        FirstIn(replicas1_2, valid_2)
    recalled_2 == IF elr_on /\ isr1_2 = <<>> /\ candidates_2 = {} THEN FirstIn(last_known[p], acceptable) ELSE None
    elected_2 == IF clean_2 # None THEN clean_2 ELSE IF recalled_2 # None THEN recalled_2 ELSE IF election = "UNCLEAN"
        THEN FirstIn(replicas1_2, acceptable) ELSE None
    moves_2 == elected_2 # leader[p]
    loses_2 == moves_2 /\ clean_2 = None /\ elected_2 # None
    from_elr_2 == moves_2 /\ elected_2 \in candidates_2
    isr2_2 == IF from_elr_2 THEN OnlyItem(elected_2) ELSE isr1_2
    isr_said_2 == loses_2 \/ ((isr2_2 # <<>> \/ elr_on) /\ isr2_2 # isr[p])
    isr3_2 == IF loses_2 THEN OnlyItem(elected_2) ELSE isr2_2
    gives_up_2 == ~moves_2 /\ ~(Elements(replicas[p]) \subseteq Elements(replicas1_2))
    shrinks_2 == metadata_version < 12 /\ ~moves_2 /\ ~gives_up_2 /\ isr_said_2 /\ ~(Elements(isr[p]) \subseteq
        Elements(isr3_2))
    leader_said_2 == moves_2 \/ gives_up_2 \/ shrinks_2
    removing1 == IF completes_2 THEN {} ELSE target_removing
    adding1 == IF completes_2 THEN {} ELSE target_adding
    recovery1 == IF loses_2 /\ target_recovery = recovery[p] THEN "RECOVERING" ELSE target_recovery
    elr3 == IF elr_on /\ ~loses_2 THEN IF from_elr_2 THEN candidates_2 \ ({elected_2} \ {None}) ELSE candidates_2 ELSE
        {}
    elr_said == elr3 # elr[p] \/ elr_disordered[p]
    remembers == elr_on /\ leader_said_2 /\ (elected_2 = None) = (last_known[p] = <<>> /\ ~last_nobody[p])
  IN
    IF isr_said_2 \/ leader_said_2 \/ replicas1_2 # replicas[p] \/ removing1 # removing[p] \/ adding1 # adding[p] \/
        recovery1 # recovery[p] \/ elr_said \/ remembers \/ (17 <= metadata_version /\ replicas1_2 # replicas[p]) THEN
        {[partition |-> p, isr_said |-> isr_said_2, isr |-> isr3_2, leader_said |-> leader_said_2, leader |-> elected_2,
        replicas_said |-> replicas1_2 # replicas[p], replicas |-> replicas1_2, removing_said |-> removing1 #
        removing[p], removing |-> removing1, adding_said |-> adding1 # adding[p], adding |-> adding1, recovery_said |->
        recovery1 # recovery[p], recovery |-> recovery1, elr_said |-> elr_said, elr |-> elr3, last_known_said |->
        remembers, last_known |-> IF elected_2 # None THEN <<>> ELSE OnlyItem(leader[p]), directories_said |-> 17 <=
        metadata_version /\ replicas1_2 # replicas[p], directories |-> [x \in Broker |-> IF location[p, x] # None THEN
        location[p, x] ELSE default_directory(x)]]} ELSE {}

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

\* handleBrokerFenced: the partitions, then the broker.
fence(b) ==
  [PartitionChange |-> retreat(b), Fence |-> {[broker |-> b, epoch |-> epoch[b]]}]

\* The broker is fenced from now on, and its controlled shutdown forgotten.
falls(b, off) ==
  [contact |-> {[at |-> b, to |-> "RECENT"]}, reported |-> {[at |-> b, to |-> off]}, soft_fenced |-> {[at |-> b, to |->
      TRUE]}, shutdown_offset |-> {[at |-> b, to |-> -1]}]

\* handleBrokerUnfenced: the broker, then the partitions without a leader.
unfence(b) ==
  LET
    returning(p) == {x \in Broker : (active_broker(x) \/ x = b) /\ online_2(p, x)}
  IN
    [Unfence |-> {[broker |-> b, epoch |-> epoch[b]]}, PartitionChange |-> UNION {change(p, isr[p], returning(p), {}, IF
        allows_unclean(p) THEN "UNCLEAN" ELSE "ONLINE", replicas[p], removing[p], adding[p], recovery[p]) : p \in {p \in
        Partition : exists[p] /\ leader[p] = None}}]

\* The broker is unfenced from now on; replaying that forgets the offset that it has just reported.
rises(b) ==
  [contact |-> {[at |-> b, to |-> "RECENT"]}, reported |-> {[at |-> b, to |-> -1]}, soft_fenced |-> {[at |-> b, to |->
      FALSE]}]

\* The contact and the offset are noted.
stays(b, off) ==
  [contact |-> {[at |-> b, to |-> "RECENT"]}, reported |-> {[at |-> b, to |-> off]}]

\* handleBrokerInControlledShutdown: the broker, unless it is marked already, then its partitions.
shut_down(b) ==
  [InControlledShutdown |-> IF ~in_controlled_shutdown[b] THEN {[broker |-> b, epoch |-> epoch[b]]} ELSE {},
      PartitionChange |-> retreat(b)]

\* The broker's controlled shutdown begins, at the offset at which this result ends.
sinks(b, off) ==
  [contact |-> {[at |-> b, to |-> "RECENT"]}, reported |-> {[at |-> b, to |-> IF in_controlled_shutdown[b] THEN off ELSE
      -1]}, shutdown_offset |-> {[at |-> b, to |-> log_end + 1]}, log_end |-> {log_end + 1}]

\* The session is over: fenced, without contact, its controlled shutdown forgotten.
expires(b) ==
  [contact |-> {[at |-> b, to |-> "NOTHING"]}, soft_fenced |-> {[at |-> b, to |-> TRUE]}, shutdown_offset |-> {[at |->
      b, to |-> -1]}]

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

Fence_fenced(old, written) == Put(old, {[at |-> r.broker, to |-> TRUE] : r \in written})

Unfence_fenced(old, written) == Put(old, {[at |-> r.broker, to |-> FALSE] : r \in written})

InControlledShutdown_in_controlled_shutdown(old, written) == Put(old, {[at |-> r.broker, to |-> TRUE] : r \in written})

Topic_live(old, written) == Put(old, {[at |-> r.topic, to |-> TRUE] : r \in written})

Topic_name(old, written) == Put(old, {[at |-> r.topic, to |-> r.name] : r \in written})

TopicMinInsync_min_insync(old, name_2, written) == Put(old, UNION {{[at |-> t, to |-> IF r.value_said THEN r.value ELSE
  1] : t \in {t \in Topic : name_2[t] = r.resource}} : r \in written})

TopicMinInsync_own_min_insync(old, name_2, written) == Put(old, UNION {{[at |-> t, to |-> r.value_said] : t \in {t \in
  Topic : name_2[t] = r.resource}} : r \in written})

TopicUnclean_unclean(old, name_2, written) == Put(old, UNION {{[at |-> t, to |-> IF r.value_said THEN r.value ELSE
  FALSE] : t \in {t \in Topic : name_2[t] = r.resource}} : r \in written})

TopicUnclean_own_unclean(old, name_2, written) == Put(old, UNION {{[at |-> t, to |-> r.value_said] : t \in {t \in Topic
  : name_2[t] = r.resource}} : r \in written})

Config_setting(old, written) == Put(old, {[at |-> r.setting, to |-> IF r.value_said THEN r.value ELSE None] : r \in
  written})

ClearElr_elr(old, elr_2, exists_2, last_known_2, last_nobody_2, name_2, topic_2, written) == Put(old, UNION {{[at |-> q,
  to |-> {}] : q \in {q \in Partition : (elr_2[q] # {} \/ last_known_2[q] # <<>> \/ last_nobody_2[q]) /\ exists_2[q] /\
  name_2[topic_2[q]] = r.name}} : r \in written})

ClearElr_last_known(old, elr_2, exists_2, last_known_2, last_nobody_2, name_2, topic_2, written) == Put(old, UNION {{[at
  |-> q, to |-> <<>>] : q \in {q \in Partition : (elr_2[q] # {} \/ last_known_2[q] # <<>> \/ last_nobody_2[q]) /\
  exists_2[q] /\ name_2[topic_2[q]] = r.name}} : r \in written})

ClearElr_last_nobody(old, elr_2, exists_2, last_known_2, last_nobody_2, name_2, topic_2, written) == Put(old, UNION
  {{[at |-> q, to |-> FALSE] : q \in {q \in Partition : (elr_2[q] # {} \/ last_known_2[q] # <<>> \/ last_nobody_2[q]) /\
  exists_2[q] /\ name_2[topic_2[q]] = r.name}} : r \in written})

ClearElr_partition_epoch(old, elr_2, exists_2, last_known_2, last_nobody_2, name_2, partition_epoch_3, topic_2, written)
  == Put(old, UNION {{[at |-> q, to |-> partition_epoch_3[q] + 1] : q \in {q \in Partition : (elr_2[q] # {} \/
  last_known_2[q] # <<>> \/ last_nobody_2[q]) /\ exists_2[q] /\ name_2[topic_2[q]] = r.name}} : r \in written})

Partition_exists(old, written) == Put(old, {[at |-> r.partition, to |-> TRUE] : r \in written})

Partition_topic(old, written) == Put(old, {[at |-> r.partition, to |-> r.topic] : r \in written})

Partition_index(old, written) == Put(old, {[at |-> r.partition, to |-> r.index] : r \in written})

Partition_replicas(old, written) == Put(old, {[at |-> r.partition, to |-> r.replicas] : r \in written})

Partition_isr(old, written) == Put(old, {[at |-> r.partition, to |-> r.isr] : r \in written})

Partition_removing(old, written) == Put(old, {[at |-> r.partition, to |-> r.removing] : r \in written})

Partition_adding(old, written) == Put(old, {[at |-> r.partition, to |-> r.adding] : r \in written})

Partition_leader(old, written) == Put(old, {[at |-> r.partition, to |-> r.leader] : r \in written})

Partition_leader_epoch(old, written) == Put(old, {[at |-> r.partition, to |-> r.leader_epoch] : r \in written})

Partition_partition_epoch(old, written) == Put(old, {[at |-> r.partition, to |-> r.partition_epoch] : r \in written})

Partition_recovery(old, written) == Put(old, {[at |-> r.partition, to |-> IF r.recovery_said THEN r.recovery ELSE
  "RECOVERED"] : r \in written})

Partition_elr(old, written) == Put(old, {[at |-> r.partition, to |-> IF r.elr_said THEN r.elr ELSE {}] : r \in written})

Partition_last_known(old, written) == Put(old, {[at |-> r.partition, to |-> IF r.last_known_said THEN r.last_known ELSE
  <<>>] : r \in written})

Partition_last_nobody(old, written) == Put(old, {[at |-> r.partition, to |-> r.last_known_said /\ (IF r.last_known_said
  THEN r.last_known ELSE <<>>) = <<>>] : r \in written})

Partition_elr_index(old, written) == Put(old, UNION {{[at |-> <<r.partition, x>>, to |-> IF x \in (IF r.elr_said THEN
  r.elr ELSE {}) THEN 1 ELSE 0] : x \in Broker} : r \in written})

Partition_location(old, migrating_2, written) == Put(old, UNION {{[at |-> <<r.partition, x>>, to |-> IF x \in
  Elements(r.replicas) THEN IF r.directories_said THEN r.directories[x] ELSE migrating_2 ELSE None] : x \in Broker} : r
  \in written})

Partition_replication(old, written) == Put(old, {[at |-> r.topic, to |-> Cardinality(Elements(r.replicas))] : r \in {r
  \in written : r.index = 0}})

RemoveTopic_replayed(written) ==
  /\ live' = Put(live, {[at |-> r.topic, to |-> FALSE] : r \in written})
  /\ setting' = Put(setting, UNION {{[at |-> s, to |-> None] : s \in {s \in Setting : resource_type[s] = 2 /\
         name[r.topic] = resource[s]}} : r \in written})
  /\ name' = Put(name, {[at |-> r.topic, to |-> None] : r \in written})
  /\ own_min_insync' = Put(own_min_insync, {[at |-> r.topic, to |-> FALSE] : r \in written})
  /\ min_insync' = Put(min_insync, {[at |-> r.topic, to |-> 1] : r \in written})
  /\ own_unclean' = Put(own_unclean, {[at |-> r.topic, to |-> FALSE] : r \in written})
  /\ unclean' = Put(unclean, {[at |-> r.topic, to |-> FALSE] : r \in written})
  /\ exists' = Put(exists, UNION {{[at |-> q, to |-> FALSE] : q \in {q \in Partition : exists[q] /\ topic[q] = r.topic}}
         : r \in written})
  /\ elr_index' = Put(elr_index, UNION {UNION {{[at |-> <<q, x>>, to |-> 0] : x \in {x \in Broker : exists[q] /\
         topic[q] = r.topic /\ (\E p \in Partition : exists[p] /\ topic[p] = r.topic /\ x \in elr[p])}} : q \in
         Partition} : r \in written})
  /\ location' = Put(location, UNION {UNION {{[at |-> <<q, x>>, to |-> None] : x \in {x \in Broker : exists[q] /\
         topic[q] = r.topic /\ isr[q] # <<>>}} : q \in Partition} : r \in written})
  /\ replicas' = Put(replicas, UNION {{[at |-> q, to |-> <<>>] : q \in {q \in Partition : exists[q] /\ topic[q] =
         r.topic}} : r \in written})
  /\ isr' = Put(isr, UNION {{[at |-> q, to |-> <<>>] : q \in {q \in Partition : exists[q] /\ topic[q] = r.topic}} : r
         \in written})
  /\ removing' = Put(removing, UNION {{[at |-> q, to |-> {}] : q \in {q \in Partition : exists[q] /\ topic[q] =
         r.topic}} : r \in written})
  /\ adding' = Put(adding, UNION {{[at |-> q, to |-> {}] : q \in {q \in Partition : exists[q] /\ topic[q] = r.topic}} :
         r \in written})
  /\ leader' = Put(leader, UNION {{[at |-> q, to |-> None] : q \in {q \in Partition : exists[q] /\ topic[q] = r.topic}}
         : r \in written})
  /\ recovery' = Put(recovery, UNION {{[at |-> q, to |-> "RECOVERED"] : q \in {q \in Partition : exists[q] /\ topic[q] =
         r.topic}} : r \in written})
  /\ elr' = Put(elr, UNION {{[at |-> q, to |-> {}] : q \in {q \in Partition : exists[q] /\ topic[q] = r.topic}} : r \in
         written})
  /\ last_known' = Put(last_known, UNION {{[at |-> q, to |-> <<>>] : q \in {q \in Partition : exists[q] /\ topic[q] =
         r.topic}} : r \in written})
  /\ last_nobody' = Put(last_nobody, UNION {{[at |-> q, to |-> FALSE] : q \in {q \in Partition : exists[q] /\ topic[q] =
         r.topic}} : r \in written})
  /\ leader_epoch' = Put(leader_epoch, UNION {{[at |-> q, to |-> 0] : q \in {q \in Partition : exists[q] /\ topic[q] =
         r.topic}} : r \in written})
  /\ partition_epoch' = Put(partition_epoch, UNION {{[at |-> q, to |-> 0] : q \in {q \in Partition : exists[q] /\
         topic[q] = r.topic}} : r \in written})

RG2_applies(b, i) == registered[b] /\ new_incarnation(b, i) /\ contact[b] = "RECENT"

RG8_applies(b, i, tells_previous_epoch, previous_epoch) == cleaned_up(b, i, tells_previous_epoch, previous_epoch) /\
  haunted(b)

R2_applies(b, i, tells_previous_epoch, previous_epoch) == new_incarnation(b, i) /\ (clean_restart(tells_previous_epoch,
  previous_epoch, b) \/ ~elr_on)

A11_applies(m, b) == ~recovered(m) /\ others_in_isr(m, b)

A12_applies(m, p) == ~recovered(m) /\ recovery[p] = "RECOVERED"

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
  /\ UNCHANGED <<topic, active_controller, index, never_written, exists_and_others, sent_and_others>>

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
  /\ UNCHANGED <<topic, active_controller, index, never_written, exists_and_others, sent_and_others>>

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
  /\ UNCHANGED <<topic, active_controller, index, never_written, exists_and_others, sent_and_others>>

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
  /\ UNCHANGED <<contact, topic, active_controller, replication, elr_disordered, index, never_written,
         elr_index_and_others, exists_and_others, sent_and_others>>

\* S2:59-65, S3:236-244
HB1_is_enabled(b, broker_epoch, off, want_fence, want_down) ==
  /\ known(b, broker_epoch) = TRUE
  /\ is_fenced(b) = TRUE
  /\ want_down
  /\ Given_Heartbeat(b, broker_epoch, off, want_fence, want_down) = TRUE

HB1(b, broker_epoch, off, want_fence, want_down) ==
  /\ HB1_is_enabled(b, broker_epoch, off, want_fence, want_down)
  /\ LET fence_1 == fence(b)
         falls_2 == falls(b, off)
     IN
     /\ PartitionChange_replayed(fence_1.PartitionChange)
     /\ fenced' = Fence_fenced(fenced, fence_1.Fence)
     /\ contact' = Put(contact, falls_2.contact)
     /\ reported' = Put(reported, falls_2.reported)
     /\ soft_fenced' = Put(soft_fenced, falls_2.soft_fenced)
     /\ shutdown_offset' = Put(shutdown_offset, falls_2.shutdown_offset)
     /\ reported' \in [Broker -> offset]
  /\ UNCHANGED <<topic, active_controller, in_controlled_shutdown, index, log_end, never_written, registered_and_others,
         exists_and_others, sent_and_others>>

\* S2:59-65, S3:236-244
HB2_is_enabled(b, broker_epoch, off, want_fence, want_down) ==
  /\ known(b, broker_epoch) = TRUE
  /\ is_fenced(b) = TRUE
  /\ (~want_down) = TRUE
  /\ (~want_fence) = TRUE
  /\ caught_up(b, off) = TRUE
  /\ (~stranded(b)) = TRUE
  /\ Given_Heartbeat(b, broker_epoch, off, want_fence, want_down) = TRUE

HB2(b, broker_epoch, off, want_fence, want_down) ==
  /\ HB2_is_enabled(b, broker_epoch, off, want_fence, want_down)
  /\ LET unfence_1 == unfence(b)
         rises_2 == rises(b)
     IN
     /\ PartitionChange_replayed(unfence_1.PartitionChange)
     /\ fenced' = Unfence_fenced(fenced, unfence_1.Unfence)
     /\ contact' = Put(contact, rises_2.contact)
     /\ reported' = Put(reported, rises_2.reported)
     /\ soft_fenced' = Put(soft_fenced, rises_2.soft_fenced)
  /\ UNCHANGED <<topic, active_controller, in_controlled_shutdown, index, log_end, shutdown_offset, never_written,
         registered_and_others, exists_and_others, sent_and_others>>

\* S2:59-65, S3:236-244
HB3_is_enabled(b, broker_epoch, off, want_fence, want_down) ==
  /\ known(b, broker_epoch) = TRUE
  /\ is_fenced(b) = TRUE
  /\ (~want_down) = TRUE
  /\ (want_fence \/ ~caught_up(b, off)) = TRUE
  /\ Given_Heartbeat(b, broker_epoch, off, want_fence, want_down) = TRUE

HB3(b, broker_epoch, off, want_fence, want_down) ==
  /\ HB3_is_enabled(b, broker_epoch, off, want_fence, want_down)
  /\ LET stays_1 == stays(b, off)
     IN
     /\ contact' = Put(contact, stays_1.contact)
     /\ reported' = Put(reported, stays_1.reported)
     /\ reported' \in [Broker -> offset]
  /\ UNCHANGED <<topic, active_controller, fenced, in_controlled_shutdown, replication, elr_disordered, index, log_end,
         soft_fenced, shutdown_offset, never_written, registered_and_others, elr_index_and_others, exists_and_others,
         sent_and_others>>

\* S2:59-65, S3:236-244
HB4_is_enabled(b, broker_epoch, off, want_fence, want_down) ==
  /\ known(b, broker_epoch) = TRUE
  /\ is_up(b) = TRUE
  /\ want_fence
  /\ want_down
  /\ Given_Heartbeat(b, broker_epoch, off, want_fence, want_down) = TRUE

HB4(b, broker_epoch, off, want_fence, want_down) ==
  /\ HB4_is_enabled(b, broker_epoch, off, want_fence, want_down)
  /\ LET fence_1 == fence(b)
         falls_2 == falls(b, off)
     IN
     /\ PartitionChange_replayed(fence_1.PartitionChange)
     /\ fenced' = Fence_fenced(fenced, fence_1.Fence)
     /\ contact' = Put(contact, falls_2.contact)
     /\ reported' = Put(reported, falls_2.reported)
     /\ soft_fenced' = Put(soft_fenced, falls_2.soft_fenced)
     /\ shutdown_offset' = Put(shutdown_offset, falls_2.shutdown_offset)
     /\ reported' \in [Broker -> offset]
  /\ UNCHANGED <<topic, active_controller, in_controlled_shutdown, index, log_end, never_written, registered_and_others,
         exists_and_others, sent_and_others>>

\* S2:59-65, S3:236-244
HB5_is_enabled(b, broker_epoch, off, want_fence, want_down) ==
  /\ known(b, broker_epoch) = TRUE
  /\ is_up(b) = TRUE
  /\ want_fence
  /\ (~want_down) = TRUE
  /\ Given_Heartbeat(b, broker_epoch, off, want_fence, want_down) = TRUE

HB5(b, broker_epoch, off, want_fence, want_down) ==
  /\ HB5_is_enabled(b, broker_epoch, off, want_fence, want_down)
  /\ LET fence_1 == fence(b)
         falls_2 == falls(b, off)
     IN
     /\ PartitionChange_replayed(fence_1.PartitionChange)
     /\ fenced' = Fence_fenced(fenced, fence_1.Fence)
     /\ contact' = Put(contact, falls_2.contact)
     /\ reported' = Put(reported, falls_2.reported)
     /\ soft_fenced' = Put(soft_fenced, falls_2.soft_fenced)
     /\ shutdown_offset' = Put(shutdown_offset, falls_2.shutdown_offset)
     /\ reported' \in [Broker -> offset]
  /\ UNCHANGED <<topic, active_controller, in_controlled_shutdown, index, log_end, never_written, registered_and_others,
         exists_and_others, sent_and_others>>

\* S2:59-65, S3:236-244
HB6_is_enabled(b, broker_epoch, off, want_fence, want_down) ==
  /\ known(b, broker_epoch) = TRUE
  /\ is_up(b) = TRUE
  /\ (~want_fence) = TRUE
  /\ want_down
  /\ leads(b) = TRUE
  /\ Given_Heartbeat(b, broker_epoch, off, want_fence, want_down) = TRUE

HB6(b, broker_epoch, off, want_fence, want_down) ==
  /\ HB6_is_enabled(b, broker_epoch, off, want_fence, want_down)
  /\ LET shut_down_1 == shut_down(b)
         sinks_2 == sinks(b, off)
     IN
     /\ PartitionChange_replayed(shut_down_1.PartitionChange)
     /\ in_controlled_shutdown' = InControlledShutdown_in_controlled_shutdown(in_controlled_shutdown,
            shut_down_1.InControlledShutdown)
     /\ contact' = Put(contact, sinks_2.contact)
     /\ reported' = Put(reported, sinks_2.reported)
     /\ shutdown_offset' = Put(shutdown_offset, sinks_2.shutdown_offset)
     /\ log_end' = PutCell(log_end, sinks_2.log_end)
     /\ reported' \in [Broker -> offset]
     /\ shutdown_offset' \in [Broker -> offset]
     /\ log_end' \in offset
  /\ UNCHANGED <<topic, active_controller, fenced, index, soft_fenced, never_written, registered_and_others,
         exists_and_others, sent_and_others>>

\* S2:59-65, S3:236-244
HB7_is_enabled(b, broker_epoch, off, want_fence, want_down) ==
  /\ known(b, broker_epoch) = TRUE
  /\ is_up(b) = TRUE
  /\ (~want_fence) = TRUE
  /\ want_down
  /\ (~leads(b)) = TRUE
  /\ Given_Heartbeat(b, broker_epoch, off, want_fence, want_down) = TRUE

HB7(b, broker_epoch, off, want_fence, want_down) ==
  /\ HB7_is_enabled(b, broker_epoch, off, want_fence, want_down)
  /\ LET fence_1 == fence(b)
         falls_2 == falls(b, off)
     IN
     /\ PartitionChange_replayed(fence_1.PartitionChange)
     /\ fenced' = Fence_fenced(fenced, fence_1.Fence)
     /\ contact' = Put(contact, falls_2.contact)
     /\ reported' = Put(reported, falls_2.reported)
     /\ soft_fenced' = Put(soft_fenced, falls_2.soft_fenced)
     /\ shutdown_offset' = Put(shutdown_offset, falls_2.shutdown_offset)
     /\ reported' \in [Broker -> offset]
  /\ UNCHANGED <<topic, active_controller, in_controlled_shutdown, index, log_end, never_written, registered_and_others,
         exists_and_others, sent_and_others>>

\* S2:59-65, S3:236-244
HB8_is_enabled(b, broker_epoch, off, want_fence, want_down) ==
  /\ known(b, broker_epoch) = TRUE
  /\ is_up(b) = TRUE
  /\ (~want_fence) = TRUE
  /\ (~want_down) = TRUE
  /\ Given_Heartbeat(b, broker_epoch, off, want_fence, want_down) = TRUE

HB8(b, broker_epoch, off, want_fence, want_down) ==
  /\ HB8_is_enabled(b, broker_epoch, off, want_fence, want_down)
  /\ LET stays_1 == stays(b, off)
     IN
     /\ contact' = Put(contact, stays_1.contact)
     /\ reported' = Put(reported, stays_1.reported)
     /\ reported' \in [Broker -> offset]
  /\ UNCHANGED <<topic, active_controller, fenced, in_controlled_shutdown, replication, elr_disordered, index, log_end,
         soft_fenced, shutdown_offset, never_written, registered_and_others, elr_index_and_others, exists_and_others,
         sent_and_others>>

\* S2:59-65, S3:236-244
HB9_is_enabled(b, broker_epoch, off, want_fence, want_down) ==
  /\ known(b, broker_epoch) = TRUE
  /\ leaving(b) = TRUE
  /\ leads(b) = TRUE
  /\ Given_Heartbeat(b, broker_epoch, off, want_fence, want_down) = TRUE

HB9(b, broker_epoch, off, want_fence, want_down) ==
  /\ HB9_is_enabled(b, broker_epoch, off, want_fence, want_down)
  /\ LET stays_1 == stays(b, off)
     IN
     /\ contact' = Put(contact, stays_1.contact)
     /\ reported' = Put(reported, stays_1.reported)
     /\ reported' \in [Broker -> offset]
  /\ UNCHANGED <<topic, active_controller, fenced, in_controlled_shutdown, replication, elr_disordered, index, log_end,
         soft_fenced, shutdown_offset, never_written, registered_and_others, elr_index_and_others, exists_and_others,
         sent_and_others>>

\* S2:59-65, S3:236-244
HB10_is_enabled(b, broker_epoch, off, want_fence, want_down) ==
  /\ known(b, broker_epoch) = TRUE
  /\ leaving(b) = TRUE
  /\ (~leads(b)) = TRUE
  /\ drained(b) = TRUE
  /\ Given_Heartbeat(b, broker_epoch, off, want_fence, want_down) = TRUE

HB10(b, broker_epoch, off, want_fence, want_down) ==
  /\ HB10_is_enabled(b, broker_epoch, off, want_fence, want_down)
  /\ LET fence_1 == fence(b)
         falls_2 == falls(b, off)
     IN
     /\ PartitionChange_replayed(fence_1.PartitionChange)
     /\ fenced' = Fence_fenced(fenced, fence_1.Fence)
     /\ contact' = Put(contact, falls_2.contact)
     /\ reported' = Put(reported, falls_2.reported)
     /\ soft_fenced' = Put(soft_fenced, falls_2.soft_fenced)
     /\ shutdown_offset' = Put(shutdown_offset, falls_2.shutdown_offset)
     /\ reported' \in [Broker -> offset]
  /\ UNCHANGED <<topic, active_controller, in_controlled_shutdown, index, log_end, never_written, registered_and_others,
         exists_and_others, sent_and_others>>

\* S2:59-65, S3:236-244
HB11_is_enabled(b, broker_epoch, off, want_fence, want_down) ==
  /\ known(b, broker_epoch) = TRUE
  /\ leaving(b) = TRUE
  /\ (~leads(b)) = TRUE
  /\ (~drained(b)) = TRUE
  /\ Given_Heartbeat(b, broker_epoch, off, want_fence, want_down) = TRUE

HB11(b, broker_epoch, off, want_fence, want_down) ==
  /\ HB11_is_enabled(b, broker_epoch, off, want_fence, want_down)
  /\ LET stays_1 == stays(b, off)
     IN
     /\ contact' = Put(contact, stays_1.contact)
     /\ reported' = Put(reported, stays_1.reported)
     /\ reported' \in [Broker -> offset]
  /\ UNCHANGED <<topic, active_controller, fenced, in_controlled_shutdown, replication, elr_disordered, index, log_end,
         soft_fenced, shutdown_offset, never_written, registered_and_others, elr_index_and_others, exists_and_others,
         sent_and_others>>

\* S3:246-248
SI1(b) ==
  /\ contact[b] = "RECENT"
  /\ contact' = [contact EXCEPT ![b] = "EXPIRED"]
  /\ UNCHANGED <<topic, active_controller, fenced, in_controlled_shutdown, replication, elr_disordered, index, log_end,
         soft_fenced, shutdown_offset, reported, never_written, registered_and_others, elr_index_and_others,
         exists_and_others, sent_and_others>>

\* S3:246-248
F1_is_enabled(b) ==
  /\ contact[b] = "EXPIRED"
  /\ registered[b]
  /\ (~fenced[b]) = TRUE

F1(b) ==
  /\ F1_is_enabled(b)
  /\ LET fence_1 == fence(b)
         expires_2 == expires(b)
     IN
     /\ PartitionChange_replayed(fence_1.PartitionChange)
     /\ fenced' = Fence_fenced(fenced, fence_1.Fence)
     /\ contact' = Put(contact, expires_2.contact)
     /\ soft_fenced' = Put(soft_fenced, expires_2.soft_fenced)
     /\ shutdown_offset' = Put(shutdown_offset, expires_2.shutdown_offset)
  /\ UNCHANGED <<topic, active_controller, in_controlled_shutdown, index, log_end, reported, never_written,
         registered_and_others, exists_and_others, sent_and_others>>

\* S3:246-248
F2_is_enabled(b) ==
  /\ contact[b] = "EXPIRED"
  /\ registered[b]
  /\ fenced[b]

F2(b) ==
  /\ F2_is_enabled(b)
  /\ LET fence_1 == fence(b)
         expires_2 == expires(b)
     IN
     /\ PartitionChange_replayed(fence_1.PartitionChange)
     /\ fenced' = Fence_fenced(fenced, fence_1.Fence)
     /\ contact' = Put(contact, expires_2.contact)
     /\ soft_fenced' = Put(soft_fenced, expires_2.soft_fenced)
     /\ shutdown_offset' = Put(shutdown_offset, expires_2.shutdown_offset)
  /\ UNCHANGED <<topic, active_controller, in_controlled_shutdown, index, log_end, reported, never_written,
         registered_and_others, exists_and_others, sent_and_others>>

\* S3:171
FO1(c) ==
  /\ active_controller' = c
  /\ soft_fenced' = [x \in Broker |-> IF registered[x] THEN fenced[x] ELSE soft_fenced[x]]
  /\ shutdown_offset' = [x \in Broker |-> IF registered[x] THEN -1 ELSE shutdown_offset[x]]
  /\ reported' = [x \in Broker |-> IF registered[x] THEN -1 ELSE reported[x]]
  /\ contact' = [x \in Broker |-> IF registered[x] THEN IF fenced[x] THEN "NOTHING" ELSE "RECENT" ELSE contact[x]]
  /\ UNCHANGED <<topic, fenced, in_controlled_shutdown, replication, elr_disordered, index, log_end, never_written,
         registered_and_others, elr_index_and_others, exists_and_others, sent_and_others>>

\* Partition.scala
LP1_is_enabled(m, b, p, proposal) ==
  /\ exists[p]
  /\ leader[p] = b
  /\ b \in proposal
  /\ proposal \subseteq Elements(replicas[p])
  /\ Given_ProposeIsr(m, b, p, proposal) = TRUE

LP1(m, b, p, proposal) ==
  /\ LP1_is_enabled(m, b, p, proposal)
  /\ sent' = [sent EXCEPT ![m] = TRUE]
  /\ from' = [from EXCEPT ![m] = b]
  /\ from_epoch' = [from_epoch EXCEPT ![m] = epoch[b]]
  /\ about' = [about EXCEPT ![m] = p]
  /\ from_leader_epoch' = [from_leader_epoch EXCEPT ![m] = leader_epoch[p]]
  /\ from_partition_epoch' = [from_partition_epoch EXCEPT ![m] = partition_epoch[p]]
  /\ wanted' = [wanted EXCEPT ![m] = InOrder(proposal)]
  /\ member_epoch' = Put(member_epoch, {[at |-> <<m, x>>, to |-> IF x \in proposal THEN epoch[x] ELSE -1] : x \in
         Broker})
  /\ wanted_recovery' = [wanted_recovery EXCEPT ![m] = "RECOVERED"]
  /\ UNCHANGED <<contact, topic, active_controller, fenced, in_controlled_shutdown, replication, elr_disordered, index,
         log_end, soft_fenced, shutdown_offset, reported, never_written, registered_and_others, elr_index_and_others,
         exists_and_others>>

\* S3:218-220
A14_is_enabled(m, b, p) ==
  /\ sent[m]
  /\ from[m] = b
  /\ about[m] = p
  /\ (~stale_sender(b, m)) = TRUE
  /\ live[topic[p]]
  /\ exists[p]
  /\ (~(leader_epoch[p] < from_leader_epoch[m])) = TRUE
  /\ (~(partition_epoch[p] < from_partition_epoch[m])) = TRUE
  /\ (~(from_leader_epoch[m] < leader_epoch[p])) = TRUE
  /\ leader[p] = b
  /\ (~(from_partition_epoch[m] < partition_epoch[p])) = TRUE
  /\ (~(~(Elements(wanted[m]) \subseteq Elements(replicas[p])) \/ Cardinality(Elements(wanted[m])) < Len(wanted[m]))) =
         TRUE
  /\ leader[p] \in Elements(wanted[m])
  /\ (~A11_applies(m, b)) = TRUE
  /\ (~A12_applies(m, p)) = TRUE
  /\ (~ineligible_member(m)) = TRUE

A14(m, b, p) ==
  /\ A14_is_enabled(m, b, p)
  /\ PartitionChange_replayed(change(p, wanted[m], electable(p), {}, IF allows_unclean(p) THEN "UNCLEAN" ELSE "ONLINE",
         replicas[p], removing[p], adding[p], wanted_recovery[m]))
  /\ UNCHANGED <<contact, topic, active_controller, fenced, in_controlled_shutdown, index, log_end, soft_fenced,
         shutdown_offset, reported, never_written, registered_and_others, exists_and_others, sent_and_others>>

\* S3:268-276
EL3_is_enabled(p) ==
  /\ exists[p]
  /\ (~led_by_preferred(p)) = TRUE

EL3(p) ==
  /\ EL3_is_enabled(p)
  /\ PartitionChange_replayed(change(p, isr[p], electable(p), {}, "PREFERRED", replicas[p], removing[p], adding[p],
         recovery[p]))
  /\ UNCHANGED <<contact, topic, active_controller, fenced, in_controlled_shutdown, index, log_end, soft_fenced,
         shutdown_offset, reported, never_written, registered_and_others, exists_and_others, sent_and_others>>

\* S3:268-276
EU3_is_enabled(p) ==
  /\ exists[p]
  /\ leader[p] = None

EU3(p) ==
  /\ EU3_is_enabled(p)
  /\ PartitionChange_replayed(change(p, isr[p], electable(p), {}, "UNCLEAN", replicas[p], removing[p], adding[p],
         recovery[p]))
  /\ UNCHANGED <<contact, topic, active_controller, fenced, in_controlled_shutdown, index, log_end, soft_fenced,
         shutdown_offset, reported, never_written, registered_and_others, exists_and_others, sent_and_others>>

\* S3:268-276
BA1_is_enabled(p) ==
  /\ exists[p]
  /\ (~led_by_preferred(p)) = TRUE

BA1(p) ==
  /\ BA1_is_enabled(p)
  /\ PartitionChange_replayed(change(p, isr[p], electable(p), {}, "PREFERRED", replicas[p], removing[p], adding[p],
         recovery[p]))
  /\ UNCHANGED <<contact, topic, active_controller, fenced, in_controlled_shutdown, index, log_end, soft_fenced,
         shutdown_offset, reported, never_written, registered_and_others, exists_and_others, sent_and_others>>

\* S3:268-276
UE1_is_enabled(p) ==
  /\ exists[p]
  /\ leader[p] = None
  /\ allows_unclean(p) = TRUE

UE1(p) ==
  /\ UE1_is_enabled(p)
  /\ PartitionChange_replayed(change(p, isr[p], electable(p), {}, "UNCLEAN", replicas[p], removing[p], adding[p],
         recovery[p]))
  /\ UNCHANGED <<contact, topic, active_controller, fenced, in_controlled_shutdown, index, log_end, soft_fenced,
         shutdown_offset, reported, never_written, registered_and_others, exists_and_others, sent_and_others>>

\* S3:198-203, S3:264-266
CT3_is_enabled(t, n, manual, has_min_insync, min_insync_2, has_unclean, unclean_2) ==
  /\ formatted = TRUE
  /\ (manual \/ well_placed(t)) = TRUE
  /\ (numbered_from_0(t) \/ live[t] \/ name_taken(n)) = TRUE
  /\ (~live[t]) = TRUE
  /\ (~name_taken(n)) = TRUE
  /\ hosted(t) = TRUE
  /\ well_placed(t) = TRUE
  /\ Given_CreateTopic(t, n, manual, has_min_insync, min_insync_2, has_unclean, unclean_2) = TRUE

CT3(t, n, manual, has_min_insync, min_insync_2, has_unclean, unclean_2) ==
  /\ CT3_is_enabled(t, n, manual, has_min_insync, min_insync_2, has_unclean, unclean_2)
  /\ LET written == {[topic |-> t, name |-> n]}
         name_1 == Topic_name(name, written)
         written_2 == IF has_min_insync THEN {[resource |-> n, value_said |-> TRUE, value |-> min_insync_2]} ELSE {}
         written_3 == IF has_unclean THEN {[resource |-> n, value_said |-> TRUE, value |-> unclean_2]} ELSE {}
         written_4 == IF has_min_insync /\ elr_on THEN {[name |-> n]} ELSE {}
         elr_3 == ClearElr_elr(elr, elr, exists, last_known, last_nobody, name_1, topic, written_4)
         last_known_3 == ClearElr_last_known(last_known, elr, exists, last_known, last_nobody, name_1, topic, written_4)
         last_nobody_3 == ClearElr_last_nobody(last_nobody, elr, exists, last_known, last_nobody, name_1, topic,
                written_4)
         partition_epoch_3 == ClearElr_partition_epoch(partition_epoch, elr, exists, last_known, last_nobody, name_1,
                partition_epoch, topic, written_4)
         written_5 == {[partition |-> p, topic |-> t, index |-> index[p], replicas |-> placed[p], isr |->
                KeepIn(placed[p], active), removing |-> {}, adding |-> {}, leader |-> FirstIn(placed[p], active),
                leader_epoch |-> 0, partition_epoch |-> 0, recovery_said |-> FALSE, elr_said |-> FALSE, last_known_said
                |-> FALSE, directories_said |-> 17 <= metadata_version, directories |-> [x \in Broker |->
                default_directory(x)]] : p \in {p \in Partition : topic[p] = t}}
     IN
     /\ live' = Topic_live(live, written)
     /\ name' = name_1
     /\ min_insync' = TopicMinInsync_min_insync(min_insync, name_1, written_2)
     /\ own_min_insync' = TopicMinInsync_own_min_insync(own_min_insync, name_1, written_2)
     /\ unclean' = TopicUnclean_unclean(unclean, name_1, written_3)
     /\ own_unclean' = TopicUnclean_own_unclean(own_unclean, name_1, written_3)
     /\ setting' = Config_setting(setting, {[setting |-> s, value_said |-> TRUE, value |-> asked[s]] : s \in {s \in
            Setting : asks[s] /\ resource_type[s] = 2 /\ resource[s] = n}})
     /\ elr' = Partition_elr(elr_3, written_5)
     /\ last_known' = Partition_last_known(last_known_3, written_5)
     /\ last_nobody' = Partition_last_nobody(last_nobody_3, written_5)
     /\ partition_epoch' = Partition_partition_epoch(partition_epoch_3, written_5)
     /\ exists' = Partition_exists(exists, written_5)
     /\ topic' = Partition_topic(topic, written_5)
     /\ index' = Partition_index(index, written_5)
     /\ replicas' = Partition_replicas(replicas, written_5)
     /\ isr' = Partition_isr(isr, written_5)
     /\ removing' = Partition_removing(removing, written_5)
     /\ adding' = Partition_adding(adding, written_5)
     /\ leader' = Partition_leader(leader, written_5)
     /\ leader_epoch' = Partition_leader_epoch(leader_epoch, written_5)
     /\ recovery' = Partition_recovery(recovery, written_5)
     /\ elr_index' = Partition_elr_index(elr_index, written_5)
     /\ location' = Partition_location(location, migrating, written_5)
     /\ replication' = Partition_replication(replication, written_5)
     /\ min_insync' \in [Topic -> size]
     /\ partition_epoch' \in [Partition -> partition_epoch_2]
     /\ index' \in [Partition -> index_2]
     /\ leader_epoch' \in [Partition -> leader_epoch_2]
     /\ elr_index' \in [Partition \X Broker -> copies]
     /\ replication' \in [Topic -> size]
  /\ UNCHANGED <<contact, active_controller, fenced, in_controlled_shutdown, elr_disordered, log_end, soft_fenced,
         shutdown_offset, reported, never_written, registered_and_others, sent_and_others>>

\* S3:198-203, S3:264-266
DT2(t) ==
  /\ live[t]
  /\ RemoveTopic_replayed({[topic |-> t]})
  /\ UNCHANGED <<contact, topic, active_controller, fenced, in_controlled_shutdown, replication, elr_disordered, index,
         log_end, soft_fenced, shutdown_offset, reported, never_written, registered_and_others, sent_and_others>>

\* S3:228
RG8_is_enabled(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) ==
  /\ formatted = TRUE
  /\ cleaned_up(b, i, tells_previous_epoch, previous_epoch) = TRUE
  /\ haunted(b) = TRUE
  /\ same_cluster
  /\ (~RG2_applies(b, i)) = TRUE
  /\ (~migrates) = TRUE
  /\ (~bad_directories(dirs, b)) = TRUE
  /\ (~unfit(ranges_2)) = TRUE
  /\ (~names_no_metadata_version(ranges_2)) = TRUE
  /\ (~silent(ranges_2)) = TRUE
  /\ Given_RegisterBroker(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) = TRUE

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
  /\ unclean = [k \in Topic |-> FALSE]
  /\ node_unclean = [k \in Name |-> None]
  /\ cluster_unclean = FALSE
  /\ removing = [k \in Partition |-> {}]
  /\ adding = [k \in Partition |-> {}]
  /\ replicas = [k \in Partition |-> <<>>]
  /\ fenced = [k \in Broker |-> FALSE]
  /\ in_controlled_shutdown = [k \in Broker |-> FALSE]
  /\ location = [k \in Partition, k2 \in Broker |-> None]
  /\ own_min_insync = [k \in Topic |-> FALSE]
  /\ min_insync = [k \in Topic |-> 1]
  /\ cluster_min_insync = 1
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
  /\ sent = [k \in Request |-> FALSE]
  /\ from = [k \in Request |-> None]
  /\ from_epoch = [k \in Request |-> -1]
  /\ about = [k \in Request |-> None]
  /\ from_leader_epoch = [k \in Request |-> 0]
  /\ from_partition_epoch = [k \in Request |-> 0]
  /\ wanted = [k \in Request |-> <<>>]
  /\ member_epoch = [k \in Request, k2 \in Broker |-> -1]
  /\ wanted_recovery = [k \in Request |-> "RECOVERED"]
  /\ live = [k \in Topic |-> FALSE]
  /\ name = [k \in Topic |-> None]
  /\ setting = [k \in Setting |-> None]
  /\ overtaken = [k \in Partition |-> FALSE]
  /\ outdated = [k \in Partition |-> FALSE]
  /\ cluster_min_set = FALSE
  /\ metadata_version \in level
  /\ Bound = "tiny" => metadata_version = 33
  /\ Bound = "restart" => metadata_version = 33
  /\ Bound = "lag" => metadata_version = 33
  /\ Bound = "small" => metadata_version = 33
  /\ Bound = "changes" => metadata_version = 33
  /\ Bound = "pair" => metadata_version = 33
  /\ unassigned \in Directory
  /\ Bound = "tiny" => unassigned = 0
  /\ Bound = "restart" => unassigned = 0
  /\ Bound = "lag" => unassigned = 0
  /\ Bound = "small" => unassigned = 0
  /\ Bound = "changes" => unassigned = 0
  /\ Bound = "pair" => unassigned = 0
  /\ migrating \in Directory
  /\ Bound = "tiny" => migrating = 0
  /\ Bound = "restart" => migrating = 0
  /\ Bound = "lag" => migrating = 0
  /\ Bound = "small" => migrating = 0
  /\ Bound = "changes" => migrating = 0
  /\ Bound = "pair" => migrating = 0
  /\ lost \in Directory
  /\ Bound = "tiny" => lost = 0
  /\ Bound = "restart" => lost = 0
  /\ Bound = "lag" => lost = 0
  /\ Bound = "small" => lost = 0
  /\ Bound = "changes" => lost = 0
  /\ Bound = "pair" => lost = 0
  /\ range_feature \in [Range -> Feature]
  /\ Bound = "tiny" => range_feature[0] = 0
  /\ Bound = "restart" => range_feature[0] = 0
  /\ Bound = "lag" => range_feature[0] = 0
  /\ Bound = "small" => range_feature[0] = 0
  /\ Bound = "changes" => range_feature[0] = 0
  /\ Bound = "pair" => range_feature[0] = 0
  /\ metadata_version_2 \in Feature
  /\ Bound = "tiny" => metadata_version_2 = 0
  /\ Bound = "restart" => metadata_version_2 = 0
  /\ Bound = "lag" => metadata_version_2 = 0
  /\ Bound = "small" => metadata_version_2 = 0
  /\ Bound = "changes" => metadata_version_2 = 0
  /\ Bound = "pair" => metadata_version_2 = 0
  /\ eligible_leader_replicas_version \in Feature
  /\ Bound = "tiny" => eligible_leader_replicas_version = 0
  /\ Bound = "restart" => eligible_leader_replicas_version = 0
  /\ Bound = "lag" => eligible_leader_replicas_version = 0
  /\ Bound = "small" => eligible_leader_replicas_version = 0
  /\ Bound = "changes" => eligible_leader_replicas_version = 0
  /\ Bound = "pair" => eligible_leader_replicas_version = 0
  /\ elr_version \in level
  /\ Bound = "tiny" => elr_version = 1
  /\ Bound = "restart" => elr_version = 1
  /\ Bound = "lag" => elr_version = 1
  /\ Bound = "small" => elr_version = 1
  /\ Bound = "changes" => elr_version = 1
  /\ Bound = "pair" => elr_version = 1
  /\ kraft_version \in Feature
  /\ Bound = "tiny" => kraft_version = 0
  /\ Bound = "restart" => kraft_version = 0
  /\ Bound = "lag" => kraft_version = 0
  /\ Bound = "small" => kraft_version = 0
  /\ Bound = "changes" => kraft_version = 0
  /\ Bound = "pair" => kraft_version = 0
  /\ kraft_version_2 \in level
  /\ Bound = "tiny" => kraft_version_2 = 0
  /\ Bound = "restart" => kraft_version_2 = 0
  /\ Bound = "lag" => kraft_version_2 = 0
  /\ Bound = "small" => kraft_version_2 = 0
  /\ Bound = "changes" => kraft_version_2 = 0
  /\ Bound = "pair" => kraft_version_2 = 0
  /\ lowest \in [Range -> level]
  /\ Bound = "tiny" => lowest[0] = 0
  /\ Bound = "restart" => lowest[0] = 0
  /\ Bound = "lag" => lowest[0] = 0
  /\ Bound = "small" => lowest[0] = 0
  /\ Bound = "changes" => lowest[0] = 0
  /\ Bound = "pair" => lowest[0] = 0
  /\ highest \in [Range -> level]
  /\ Bound = "tiny" => highest[0] = 33
  /\ Bound = "restart" => highest[0] = 33
  /\ Bound = "lag" => highest[0] = 33
  /\ Bound = "small" => highest[0] = 33
  /\ Bound = "changes" => highest[0] = 33
  /\ Bound = "pair" => highest[0] = 33
  /\ topic \in [Partition -> Topic]
  /\ active_controller \in Name
  /\ index \in [Partition -> index_2]
  /\ Bound = "tiny" => (\A p \in Partition : index[p] = 0) = TRUE
  /\ Bound = "restart" => (\A p \in Partition : index[p] = 0) = TRUE
  /\ Bound = "lag" => (\A p \in Partition : index[p] = 0) = TRUE
  /\ Bound = "small" => (\A p \in Partition : index[p] = 0) = TRUE
  /\ Bound = "changes" => (\A p \in Partition : index[p] = 0) = TRUE
  /\ Bound = "pair" => (\A p \in Partition : index[p] = (IF p = 0 THEN 0 ELSE 1)) = TRUE
  /\ placed \in [Partition -> Lists(Broker)]
  /\ Bound = "tiny" => (\A p \in Partition : placed[p] = InOrder({x \in Broker : TRUE})) = TRUE
  /\ Bound = "restart" => (\A p \in Partition : placed[p] = InOrder({x \in Broker : TRUE})) = TRUE
  /\ Bound = "lag" => (\A p \in Partition : placed[p] = InOrder({x \in Broker : TRUE})) = TRUE
  /\ Bound = "small" => (\A p \in Partition : placed[p] = InOrder({x \in Broker : TRUE})) = TRUE
  /\ Bound = "changes" => (\A p \in Partition : placed[p] = InOrder({x \in Broker : TRUE})) = TRUE
  /\ Bound = "pair" => (\A p \in Partition : placed[p] = (IF p = 0 THEN Join(OnlyItem(0), OnlyItem(1)) ELSE
         Join(OnlyItem(1), OnlyItem(2)))) = TRUE
  /\ asks \in [Setting -> BOOLEAN]
  /\ Bound = "tiny" => (\A s \in Setting : ~asks[s]) = TRUE
  /\ Bound = "restart" => (\A s \in Setting : ~asks[s]) = TRUE
  /\ Bound = "lag" => (\A s \in Setting : ~asks[s]) = TRUE
  /\ Bound = "small" => (\A s \in Setting : ~asks[s]) = TRUE
  /\ Bound = "changes" => (\A s \in Setting : ~asks[s]) = TRUE
  /\ Bound = "pair" => (\A s \in Setting : ~asks[s]) = TRUE
  /\ resource_type \in [Setting -> level]
  /\ Bound = "tiny" => (\A s \in Setting : resource_type[s] = 2) = TRUE
  /\ Bound = "restart" => (\A s \in Setting : resource_type[s] = 2) = TRUE
  /\ Bound = "lag" => (\A s \in Setting : resource_type[s] = 2) = TRUE
  /\ Bound = "small" => (\A s \in Setting : resource_type[s] = 2) = TRUE
  /\ Bound = "changes" => (\A s \in Setting : resource_type[s] = 2) = TRUE
  /\ Bound = "pair" => (\A s \in Setting : resource_type[s] = 2) = TRUE
  /\ resource \in [Setting -> Name]
  /\ asked \in [Setting -> Value]
  /\ key \in [Setting -> Name]
  /\ min_insync_replicas \in Name
  /\ home \in [Broker -> Directory]
  /\ Bound = "tiny" => home[0] = 1
  /\ Bound = "tiny" => home[1] = 2
  /\ Bound = "restart" => home[0] = 1
  /\ Bound = "restart" => home[1] = 2
  /\ Bound = "lag" => home[0] = 1
  /\ Bound = "lag" => home[1] = 2
  /\ Bound = "small" => home[0] = 1
  /\ Bound = "small" => home[1] = 2
  /\ Bound = "small" => home[2] = 3
  /\ Bound = "changes" => home[0] = 1
  /\ Bound = "changes" => home[1] = 2
  /\ Bound = "pair" => home[0] = 1
  /\ Bound = "pair" => home[1] = 2
  /\ Bound = "pair" => home[2] = 3

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
  \/ \E b \in Broker :
       /\ registered[b]
       /\ \E broker_epoch \in offset :
            /\ known(b, broker_epoch) = TRUE
            /\ \E off \in Given_Heartbeat_off, want_fence \in Given_Heartbeat_want_fence, want_down \in
                 Given_Heartbeat_want_down :
                 \/ HB1(b, broker_epoch, off, want_fence, want_down)
                 \/ HB2(b, broker_epoch, off, want_fence, want_down)
                 \/ HB3(b, broker_epoch, off, want_fence, want_down)
                 \/ HB4(b, broker_epoch, off, want_fence, want_down)
                 \/ HB5(b, broker_epoch, off, want_fence, want_down)
                 \/ HB6(b, broker_epoch, off, want_fence, want_down)
                 \/ HB7(b, broker_epoch, off, want_fence, want_down)
                 \/ HB8(b, broker_epoch, off, want_fence, want_down)
                 \/ HB9(b, broker_epoch, off, want_fence, want_down)
                 \/ HB10(b, broker_epoch, off, want_fence, want_down)
                 \/ HB11(b, broker_epoch, off, want_fence, want_down)
  \/ \E b \in Broker :
       \/ SI1(b)
       \/ F1(b)
       \/ F2(b)
  \/ \E c \in Name : FO1(c)
  \/ \E m \in Request, b \in Broker, p \in Partition : \E proposal \in Given_ProposeIsr_proposal(p) : LP1(m, b, p,
       proposal)
  \/ \E m \in Request, b \in Broker, p \in Partition : A14(m, b, p)
  \/ \E p \in Partition :
       /\ exists[p]
       /\ \/ EL3(p)
          \/ EU3(p)
          \/ BA1(p)
          \/ UE1(p)
  \/ \E t \in Topic, n \in Name, manual \in Given_CreateTopic_manual, has_min_insync \in
       Given_CreateTopic_has_min_insync, min_insync_2 \in Given_CreateTopic_min_insync, has_unclean \in
       Given_CreateTopic_has_unclean, unclean_2 \in BOOLEAN : CT3(t, n, manual, has_min_insync, min_insync_2,
       has_unclean, unclean_2)
  \/ \E t \in Topic : DT2(t)

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
  \/ \E b \in Broker :
       /\ registered[b]
       /\ \E broker_epoch \in offset :
            /\ known(b, broker_epoch) = TRUE
            /\ \E off \in Given_Heartbeat_off, want_fence \in Given_Heartbeat_want_fence, want_down \in
                 Given_Heartbeat_want_down :
                 \/ HB1_is_enabled(b, broker_epoch, off, want_fence, want_down)
                 \/ HB2_is_enabled(b, broker_epoch, off, want_fence, want_down)
                 \/ HB3_is_enabled(b, broker_epoch, off, want_fence, want_down)
                 \/ HB4_is_enabled(b, broker_epoch, off, want_fence, want_down)
                 \/ HB5_is_enabled(b, broker_epoch, off, want_fence, want_down)
                 \/ HB6_is_enabled(b, broker_epoch, off, want_fence, want_down)
                 \/ HB7_is_enabled(b, broker_epoch, off, want_fence, want_down)
                 \/ HB8_is_enabled(b, broker_epoch, off, want_fence, want_down)
                 \/ HB9_is_enabled(b, broker_epoch, off, want_fence, want_down)
                 \/ HB10_is_enabled(b, broker_epoch, off, want_fence, want_down)
                 \/ HB11_is_enabled(b, broker_epoch, off, want_fence, want_down)
  \/ \E b \in Broker :
       \/ contact[b] = "RECENT"
       \/ F1_is_enabled(b)
       \/ F2_is_enabled(b)
  \/ \E c \in Name : TRUE
  \/ \E m \in Request, b \in Broker, p \in Partition : \E proposal \in Given_ProposeIsr_proposal(p) : LP1_is_enabled(m,
       b, p, proposal)
  \/ \E m \in Request, b \in Broker, p \in Partition : A14_is_enabled(m, b, p)
  \/ \E p \in Partition :
       /\ exists[p]
       /\ \/ EL3_is_enabled(p)
          \/ EU3_is_enabled(p)
          \/ BA1_is_enabled(p)
          \/ UE1_is_enabled(p)
  \/ \E t \in Topic, n \in Name, manual \in Given_CreateTopic_manual, has_min_insync \in
       Given_CreateTopic_has_min_insync, min_insync_2 \in Given_CreateTopic_min_insync, has_unclean \in
       Given_CreateTopic_has_unclean, unclean_2 \in BOOLEAN : CT3_is_enabled(t, n, manual, has_min_insync, min_insync_2,
       has_unclean, unclean_2)
  \/ \E t \in Topic : live[t]

\* The epochs of registrations with a new incarnation increase, over all brokers. (S2:34, S2:52)
K1 == [][\A y \in Broker : (registered[y]' /\ (~registered[y] \/ incarnation[y]' # incarnation[y])) => (\A x \in Broker
  : registered[x] => epoch[x] < epoch[y]')]_vars

\* Another incarnation is admitted only if the former one has no session. (S2:38, S2:56)
K2 == [][\A y \in Broker : (registered[y] /\ registered[y]' /\ (~registered[y] \/ incarnation[y]' # incarnation[y])) =>
  contact[y] # "RECENT"]_vars

\* Registering again as the same incarnation keeps epoch, fencing and controlled shutdown. (S2:35, KAFKA-16757)
K3 == [][(\A b \in Broker, i \in Incarnation, tells_previous_epoch \in Given_RegisterBroker_tells_previous_epoch,
  ranges_2 \in Given_RegisterBroker_ranges, same_cluster \in Given_RegisterBroker_same_cluster, migrates \in
  Given_RegisterBroker_migrates : \A previous_epoch \in Given_RegisterBroker_previous_epoch(b), dirs \in
  Given_RegisterBroker_dirs(b) : (R3(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster,
  migrates)) => (epoch[b]' = epoch[b] /\ fenced[b] = fenced[b]' /\ in_controlled_shutdown[b] =
  in_controlled_shutdown[b]'))]_vars

\* A heartbeat unfences its broker only if the offset that it reports is not below that of its newest registration.
\* (S2:60, S3:244)
K4 == [][(\A b \in Broker, broker_epoch \in offset, off \in Given_Heartbeat_off, want_fence \in
  Given_Heartbeat_want_fence, want_down \in Given_Heartbeat_want_down : (HB2(b, broker_epoch, off, want_fence,
  want_down)) => (registration_offset[b] <= off))]_vars

K4_where_nothing_changes == (\A b \in Broker, broker_epoch \in offset, off \in Given_Heartbeat_off, want_fence \in
  Given_Heartbeat_want_fence, want_down \in Given_Heartbeat_want_down : (ENABLED (UNCHANGED vars /\ (HB2(b,
  broker_epoch, off, want_fence, want_down)))) => (registration_offset[b] <= off))

\* Fencing, unfencing and controlled shutdown name a registered broker, with its current epoch.
\* (ClusterControlManager.replayRegistrationChange)
K5 == [][(\A b \in Broker, broker_epoch \in offset, off \in Given_Heartbeat_off, want_fence \in
  Given_Heartbeat_want_fence, want_down \in Given_Heartbeat_want_down : (HB1(b, broker_epoch, off, want_fence,
  want_down) \/ HB2(b, broker_epoch, off, want_fence, want_down) \/ HB4(b, broker_epoch, off, want_fence, want_down) \/
  HB5(b, broker_epoch, off, want_fence, want_down) \/ HB6(b, broker_epoch, off, want_fence, want_down) \/ HB7(b,
  broker_epoch, off, want_fence, want_down) \/ HB10(b, broker_epoch, off, want_fence, want_down)) => (registered[b])) /\
  (\A b \in Broker : (F1(b) \/ F2(b)) => (registered[b]))]_vars

K5_where_nothing_changes == (\A b \in Broker, broker_epoch \in offset, off \in Given_Heartbeat_off, want_fence \in
  Given_Heartbeat_want_fence, want_down \in Given_Heartbeat_want_down : (ENABLED (UNCHANGED vars /\ (HB1(b,
  broker_epoch, off, want_fence, want_down) \/ HB2(b, broker_epoch, off, want_fence, want_down) \/ HB4(b, broker_epoch,
  off, want_fence, want_down) \/ HB5(b, broker_epoch, off, want_fence, want_down) \/ HB6(b, broker_epoch, off,
  want_fence, want_down) \/ HB7(b, broker_epoch, off, want_fence, want_down) \/ HB10(b, broker_epoch, off, want_fence,
  want_down)))) => (registered[b])) /\ (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (F1(b) \/ F2(b)))) =>
  (registered[b]))

\* Each directory belongs to at most one broker. (ClusterControlManager.registerBroker)
K6 == \A x \in Broker, y \in Broker : (registered[x] /\ registered[y] /\ x # y) => (\A d \in Directory : ~(d \in
  directories[x] /\ d \in directories[y]))

\* The leader is in the ISR; where D34 has not been. (ReplicationControlManager.validateAlterPartitionData)
P1 == \A p \in Partition : (~overtaken[p] /\ exists[p]) => (leader[p] = None \/ leader[p] \in Elements(isr[p]))

\* The leader is in the ISR; where D26 has not been. (ReplicationControlManager.validateAlterPartitionData)
P1w == \A p \in Partition : (~outdated[p] /\ exists[p]) => (leader[p] = None \/ leader[p] \in Elements(isr[p]))

\* The leader is in the ISR; where neither D26 nor D34 has been. (ReplicationControlManager.validateAlterPartitionData)
P1v == \A p \in Partition : (undisturbed(p) /\ exists[p]) => (leader[p] = None \/ leader[p] \in Elements(isr[p]))

\* The ISR is within the replicas, and there are replicas; where neither D26 nor D34 has been. (Replicas.java)
P2 == \A p \in Partition : (undisturbed(p) /\ exists[p]) => (Elements(isr[p]) \subseteq Elements(replicas[p]) /\
  replicas[p] # <<>>)

\* A partition whose ISR is empty has no leader; where D34 has not been. (PartitionChangeBuilder)
P3 == \A p \in Partition : (~overtaken[p] /\ exists[p] /\ isr[p] = <<>>) => leader[p] = None

\* A partition whose ISR is empty has no leader; where D26 has not been. (PartitionChangeBuilder)
P3w == \A p \in Partition : (~outdated[p] /\ exists[p] /\ isr[p] = <<>>) => leader[p] = None

\* A partition whose ISR is empty has no leader; where neither D26 nor D34 has been. (PartitionChangeBuilder)
P3v == \A p \in Partition : (undisturbed(p) /\ exists[p] /\ isr[p] = <<>>) => leader[p] = None

\* No broker is both in the ISR and an eligible leader replica; where neither D26 nor D34 has been.
\* (ReplicationControlManager.updatePartitionInfo)
P4 == \A p \in Partition, x \in Broker : undisturbed(p) => ~(exists[p] /\ x \in Elements(isr[p]) /\ x \in elr[p])

\* After a change there are eligible leader replicas only below min.insync.replicas, or beside a leader just chosen from
\* them; where neither D26 nor D34 has been. (KIP-966)
P6 == [][\A p \in Partition : (undisturbed(p)' /\ exists[p] /\ exists[p]' /\ partition_epoch[p] # partition_epoch[p]' /\
  elr[p]' # {}) => (~(Cardinality(Elements(isr[p])') >= min_isr(p)) \/ (leader[p]' # leader[p] /\ isr[p]' =
  OnlyItem(leader[p]')))]_vars

\* No fenced or unregistered broker is in an ISR, except as last member of a leaderless partition (which without ELR, or
\* from the time before it, stays there); where neither D26 nor D34 has been. (KIP-841, KAFKA-13916)
P7 == \A p \in Partition, x \in Broker : (undisturbed(p) /\ exists[p] /\ x \in Elements(isr[p])) => ((registered[x] /\
  ~fenced[x]) \/ (leader[p] = None /\ isr[p] = OnlyItem(x)))

\* A change raises the partition epoch by one, and the leader epoch by one or not at all. (PartitionRegistration.merge)
P8 == [][\A p \in Partition : (exists[p] /\ exists[p]') => ((partition_epoch[p]' = partition_epoch[p] /\
  leader_epoch[p]' = leader_epoch[p] /\ isr[p]' = isr[p] /\ leader[p]' = leader[p] /\ elr[p]' = elr[p] /\ replicas[p]' =
  replicas[p] /\ recovery[p]' = recovery[p]) \/ (partition_epoch[p]' = partition_epoch[p] + 1 /\ (leader_epoch[p]' =
  leader_epoch[p] \/ leader_epoch[p]' = leader_epoch[p] + 1)))]_vars

\* Another leader has another leader epoch. (PartitionRegistration.merge)
P9 == [][\A p \in Partition : (exists[p] /\ exists[p]' /\ leader[p]' # leader[p]) => leader_epoch[p]' #
  leader_epoch[p]]_vars

\* A leader that was elected cleanly was in the ISR or an eligible leader replica, or the leader before it has proposed
\* it; or the reassignment that ends has put it into the ISR; where neither D26 nor D34 has been.
\* (PartitionChangeBuilder.isValidNewLeader)
P10 == [][\A p \in Partition : (undisturbed(p)' /\ elected_now(p) /\ recovery[p]' = "RECOVERED") => (leader[p]' \in
  Elements(isr[p]) \union elr[p] \/ ((reassignment_ended(p) \/ leader[p] # None) /\ (leader[p] \in
  Elements(isr[p]))'))]_vars

\* A leader from outside the ISR that was not proposed is its only member and recovers; where neither D26 nor D34 has
\* been. (PartitionChangeBuilder.tryElection)
P11 == [][\A p \in Partition : (undisturbed(p)' /\ elected_now(p) /\ leader[p]' \notin Elements(isr[p]) \union elr[p] /\
  ~reassignment_ended(p) /\ leader[p] = None) => (isr[p]' = OnlyItem(leader[p]') /\ recovery[p]' = "RECOVERING")]_vars

\* While a leader recovers it is alone in the ISR; where D34 has not been. (KIP-704)
P12 == \A p \in Partition, x \in Broker, y \in Broker : (~overtaken[p] /\ exists[p] /\ recovery[p] = "RECOVERING" /\ x
  \in Elements(isr[p]) /\ y \in Elements(isr[p])) => x = y

\* A proposal that moves the leader moves it to a replica that was proposed or might lead before, or, uncleanly, to a
\* single one. (PartitionChangeBuilder.isValidNewLeader)
P10p == [][(\A m \in Request, b \in Broker, p \in Partition : (A14(m, b, p)) => (leader[p]' = leader[p] \/ (leader[p] =
  None)' \/ leader[p]' \in Elements(wanted[m]) \union (Elements(isr[p]) \union elr[p]) \/ isr[p]' =
  OnlyItem(leader[p]')))]_vars

\* An ISR proposal counts only from the current leader, under the current epochs, with eligible members. (KIP-903)
P16 == [][(\A m \in Request, b \in Broker, p \in Partition : (A14(m, b, p)) => (leader[p] = b /\ from_epoch[m] =
  epoch[b] /\ from_leader_epoch[m] = leader_epoch[p] /\ from_partition_epoch[m] = partition_epoch[p] /\
  Elements(wanted[m]) \subseteq Elements(replicas[p]) /\ (\A x \in Broker : x \in Elements(wanted[m]) => (x \in active
  /\ (member_epoch[m, x] = -1 \/ member_epoch[m, x] = epoch[x])))))]_vars

P16_where_nothing_changes == (\A m \in Request, b \in Broker, p \in Partition : (ENABLED (UNCHANGED vars /\ (A14(m, b,
  p)))) => (leader[p] = b /\ from_epoch[m] = epoch[b] /\ from_leader_epoch[m] = leader_epoch[p] /\
  from_partition_epoch[m] = partition_epoch[p] /\ Elements(wanted[m]) \subseteq Elements(replicas[p]) /\ (\A x \in
  Broker : x \in Elements(wanted[m]) => (x \in active /\ (member_epoch[m, x] = -1 \/ member_epoch[m, x] = epoch[x])))))

\* A broker of which a replica is put into a directory that it does not have leaves the ISR, unless the partition is
\* leaderless; where neither D26 nor D34 has been. (ReplicationControlManager.handleAssignReplicasToDirs)
P28 == [][\A b \in Broker, p \in Partition : (undisturbed(p)' /\ exists[p] /\ exists[p]' /\ location[p, b]' #
  location[p, b] /\ b \in Elements(isr[p]') /\ (leader[p] # None)') => online(p, b)']_vars

\* No fenced broker is in an ISR, not even between the records of one result: their order ensures it; where neither D26
\* nor D34 has been. (KIP-841, S3:222-224)
P7r == \A p \in Partition, x \in Broker : (undisturbed(p) /\ exists[p] /\ x \in Elements(isr[p])) => (~fenced[x] \/
  (leader[p] = None /\ isr[p] = OnlyItem(x)))

\* A change changes something: no epoch rises by itself. (KAFKA-16624)
P8r == [][\A p \in Partition : (exists[p] /\ exists[p]' /\ ~elr_disordered[p] /\ partition_epoch[p]' #
  partition_epoch[p]) => ~(isr[p]' = isr[p] /\ leader[p]' = leader[p] /\ elr[p]' = elr[p] /\ last_known[p]' =
  last_known[p] /\ last_nobody[p]' = last_nobody[p] /\ replicas[p]' = replicas[p] /\ (\A x \in Broker : location[p, x]'
  = location[p, x]) /\ removing[p]' = removing[p] /\ adding[p]' = adding[p] /\ recovery[p]' = recovery[p])]_vars

\* A broker that has read its registration and does not want to be fenced is not kept fenced. (S2:59, KAFKA-13959)
K11 == [][(\A b \in Broker, broker_epoch \in offset, off \in Given_Heartbeat_off, want_fence \in
  Given_Heartbeat_want_fence, want_down \in Given_Heartbeat_want_down : (HB3(b, broker_epoch, off, want_fence,
  want_down)) => (want_fence \/ off < registration_offset[b]))]_vars

K11_where_nothing_changes == (\A b \in Broker, broker_epoch \in offset, off \in Given_Heartbeat_off, want_fence \in
  Given_Heartbeat_want_fence, want_down \in Given_Heartbeat_want_down : (ENABLED (UNCHANGED vars /\ (HB3(b,
  broker_epoch, off, want_fence, want_down)))) => (want_fence \/ off < registration_offset[b]))

\* A controlled shutdown offset is set once: it moves from and to none only, or the shutdown would never end on a busy
\* log. (S3:244, KAFKA-14292)
K12 == [][\A x \in Broker : shutdown_offset[x] = -1 \/ shutdown_offset[x]' = -1 \/ shutdown_offset[x]' =
  shutdown_offset[x]]_vars

\* A creation that is refused writes no configuration. (ReplicationControlManager.createTopics)
C1 == [][TRUE]_vars

\* Who is being added or removed is a replica. (PartitionReassignmentReplicas)
P13 == \A p \in Partition : exists[p] => adding[p] \union removing[p] \subseteq Elements(replicas[p])

\* A reassignment that a proposal ends has the target as replicas, and every added replica is proposed; of a smaller
\* target, every replica. (KAFKA-15665, KAFKA-19975)
P14 == [][(\A m \in Request, b \in Broker, p \in Partition : (A14(m, b, p)) => ((exists[p] /\ exists[p]' /\
  reassignment_ended(p)) => (replicas[p]' = KeepIn(replicas[p], Elements(replicas[p]) \ removing[p]) /\ adding[p]
  \subseteq Elements(wanted[m]) /\ (~(Cardinality(adding[p]) >= Cardinality(removing[p])) => Elements(replicas[p])'
  \subseteq Elements(wanted[m])))))]_vars

\* When a replica leaves, the leader epoch rises; before 3.6-IV0 also when one leaves the ISR. (PartitionChangeBuilder)
P15 == [][\A p \in Partition : (exists[p] /\ exists[p]' /\ (~(Elements(replicas[p]) \subseteq Elements(replicas[p])') \/
  (metadata_version < 12 /\ ~(Elements(isr[p]) \subseteq Elements(isr[p])')))) => leader_epoch[p]' = leader_epoch[p] +
  1]_vars

\* A proposal adds no broker to the ISR that the leader did not propose. (S2:94)
P21 == [][(\A m \in Request, b \in Broker, p \in Partition : (A14(m, b, p)) => (Elements(isr[p])' \subseteq
  Elements(wanted[m]) \union ({leader[p]'} \ {None})))]_vars

P21_where_nothing_changes == (\A m \in Request, b \in Broker, p \in Partition : (ENABLED (UNCHANGED vars /\ (A14(m, b,
  p)))) => (Elements(isr[p]) \subseteq Elements(wanted[m]) \union ({leader[p]} \ {None})))

\* A proposal that is answered NONE leaves its sender the leader. (S3:220, S3:333)
P25 == [][(\A m \in Request, b \in Broker, p \in Partition : (A14(m, b, p)) => (taken_away(p, m, b) \/ leader[p]' =
  b))]_vars

P25_where_nothing_changes == (\A m \in Request, b \in Broker, p \in Partition : (ENABLED (UNCHANGED vars /\ (A14(m, b,
  p)))) => (taken_away(p, m, b) \/ leader[p] = b))

\* No change but an unclean election leaves fewer replicas that may lead than there were, or than min.insync.replicas
\* asks for; where neither D26 nor D34 has been. (S3:216, S3:347)
P26 == [][(\A b \in Broker, i \in Incarnation, tells_previous_epoch \in Given_RegisterBroker_tells_previous_epoch,
  ranges_2 \in Given_RegisterBroker_ranges, same_cluster \in Given_RegisterBroker_same_cluster, migrates \in
  Given_RegisterBroker_migrates : \A previous_epoch \in Given_RegisterBroker_previous_epoch(b), dirs \in
  Given_RegisterBroker_dirs(b) : (R2(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)
  \/ R3(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)) => (\A p \in Partition :
  (undisturbed(p)' /\ exists[p] /\ exists[p]' /\ partition_epoch[p]' # partition_epoch[p] /\ elr_on /\ replicas[p]' =
  replicas[p] /\ ~(recovery[p]' = "RECOVERING" \/ (recovery[p] = "RECOVERING" /\ leader[p] # None /\
  allows_unclean(p)))) => Cardinality(((Elements(isr[p]) \union elr[p]) \intersect Elements(replicas[p]))') >=
  Lesser(Cardinality((Elements(isr[p]) \union elr[p]) \intersect Elements(replicas[p])),
  Lesser(Lesser(Lesser(min_insync_of(p), min_insync_of(p)'), replication[topic[p]]),
  Cardinality(Elements(replicas[p])))))) /\ (\A b \in Broker, broker_epoch \in offset, off \in Given_Heartbeat_off,
  want_fence \in Given_Heartbeat_want_fence, want_down \in Given_Heartbeat_want_down : (HB1(b, broker_epoch, off,
  want_fence, want_down) \/ HB2(b, broker_epoch, off, want_fence, want_down) \/ HB3(b, broker_epoch, off, want_fence,
  want_down) \/ HB4(b, broker_epoch, off, want_fence, want_down) \/ HB5(b, broker_epoch, off, want_fence, want_down) \/
  HB6(b, broker_epoch, off, want_fence, want_down) \/ HB7(b, broker_epoch, off, want_fence, want_down) \/ HB8(b,
  broker_epoch, off, want_fence, want_down) \/ HB9(b, broker_epoch, off, want_fence, want_down) \/ HB10(b, broker_epoch,
  off, want_fence, want_down) \/ HB11(b, broker_epoch, off, want_fence, want_down)) => (\A p \in Partition :
  (undisturbed(p)' /\ exists[p] /\ exists[p]' /\ partition_epoch[p]' # partition_epoch[p] /\ elr_on /\ replicas[p]' =
  replicas[p] /\ ~(recovery[p]' = "RECOVERING" \/ (recovery[p] = "RECOVERING" /\ leader[p] # None /\
  allows_unclean(p)))) => Cardinality(((Elements(isr[p]) \union elr[p]) \intersect Elements(replicas[p]))') >=
  Lesser(Cardinality((Elements(isr[p]) \union elr[p]) \intersect Elements(replicas[p])),
  Lesser(Lesser(Lesser(min_insync_of(p), min_insync_of(p)'), replication[topic[p]]),
  Cardinality(Elements(replicas[p])))))) /\ (\A b \in Broker : (SI1(b) \/ F1(b) \/ F2(b)) => (\A p \in Partition :
  (undisturbed(p)' /\ exists[p] /\ exists[p]' /\ partition_epoch[p]' # partition_epoch[p] /\ elr_on /\ replicas[p]' =
  replicas[p] /\ ~(recovery[p]' = "RECOVERING" \/ (recovery[p] = "RECOVERING" /\ leader[p] # None /\
  allows_unclean(p)))) => Cardinality(((Elements(isr[p]) \union elr[p]) \intersect Elements(replicas[p]))') >=
  Lesser(Cardinality((Elements(isr[p]) \union elr[p]) \intersect Elements(replicas[p])),
  Lesser(Lesser(Lesser(min_insync_of(p), min_insync_of(p)'), replication[topic[p]]),
  Cardinality(Elements(replicas[p])))))) /\ (\A c \in Name : (FO1(c)) => (\A p \in Partition : (undisturbed(p)' /\
  exists[p] /\ exists[p]' /\ partition_epoch[p]' # partition_epoch[p] /\ elr_on /\ replicas[p]' = replicas[p] /\
  ~(recovery[p]' = "RECOVERING" \/ (recovery[p] = "RECOVERING" /\ leader[p] # None /\ allows_unclean(p)))) =>
  Cardinality(((Elements(isr[p]) \union elr[p]) \intersect Elements(replicas[p]))') >=
  Lesser(Cardinality((Elements(isr[p]) \union elr[p]) \intersect Elements(replicas[p])),
  Lesser(Lesser(Lesser(min_insync_of(p), min_insync_of(p)'), replication[topic[p]]),
  Cardinality(Elements(replicas[p])))))) /\ (\A m \in Request, b \in Broker, p \in Partition : \A proposal \in
  Given_ProposeIsr_proposal(p) : (LP1(m, b, p, proposal)) => (\A p_2 \in Partition : (undisturbed(p_2)' /\ exists[p_2]
  /\ exists[p_2]' /\ partition_epoch[p_2]' # partition_epoch[p_2] /\ elr_on /\ replicas[p_2]' = replicas[p_2] /\
  ~(recovery[p_2]' = "RECOVERING" \/ (recovery[p_2] = "RECOVERING" /\ leader[p_2] # None /\ allows_unclean(p_2)))) =>
  Cardinality(((Elements(isr[p_2]) \union elr[p_2]) \intersect Elements(replicas[p_2]))') >=
  Lesser(Cardinality((Elements(isr[p_2]) \union elr[p_2]) \intersect Elements(replicas[p_2])),
  Lesser(Lesser(Lesser(min_insync_of(p_2), min_insync_of(p_2)'), replication[topic[p_2]]),
  Cardinality(Elements(replicas[p_2])))))) /\ (\A m \in Request, b \in Broker, p \in Partition : (A14(m, b, p)) => (\A
  p_2 \in Partition : (undisturbed(p_2)' /\ exists[p_2] /\ exists[p_2]' /\ partition_epoch[p_2]' # partition_epoch[p_2]
  /\ elr_on /\ replicas[p_2]' = replicas[p_2] /\ ~(recovery[p_2]' = "RECOVERING" \/ (recovery[p_2] = "RECOVERING" /\
  leader[p_2] # None /\ allows_unclean(p_2)))) => Cardinality(((Elements(isr[p_2]) \union elr[p_2]) \intersect
  Elements(replicas[p_2]))') >= Lesser(Cardinality((Elements(isr[p_2]) \union elr[p_2]) \intersect
  Elements(replicas[p_2])), Lesser(Lesser(Lesser(min_insync_of(p_2), min_insync_of(p_2)'), replication[topic[p_2]]),
  Cardinality(Elements(replicas[p_2])))))) /\ (\A p \in Partition : (EL3(p) \/ EU3(p) \/ BA1(p) \/ UE1(p)) => (\A p_2
  \in Partition : (undisturbed(p_2)' /\ exists[p_2] /\ exists[p_2]' /\ partition_epoch[p_2]' # partition_epoch[p_2] /\
  elr_on /\ replicas[p_2]' = replicas[p_2] /\ ~(recovery[p_2]' = "RECOVERING" \/ (recovery[p_2] = "RECOVERING" /\
  leader[p_2] # None /\ allows_unclean(p_2)))) => Cardinality(((Elements(isr[p_2]) \union elr[p_2]) \intersect
  Elements(replicas[p_2]))') >= Lesser(Cardinality((Elements(isr[p_2]) \union elr[p_2]) \intersect
  Elements(replicas[p_2])), Lesser(Lesser(Lesser(min_insync_of(p_2), min_insync_of(p_2)'), replication[topic[p_2]]),
  Cardinality(Elements(replicas[p_2])))))) /\ (\A t \in Topic, n \in Name, manual \in Given_CreateTopic_manual,
  has_min_insync \in Given_CreateTopic_has_min_insync, min_insync_2 \in Given_CreateTopic_min_insync, has_unclean \in
  Given_CreateTopic_has_unclean, unclean_2 \in BOOLEAN : (CT3(t, n, manual, has_min_insync, min_insync_2, has_unclean,
  unclean_2)) => (\A p \in Partition : (undisturbed(p)' /\ exists[p] /\ exists[p]' /\ partition_epoch[p]' #
  partition_epoch[p] /\ elr_on /\ replicas[p]' = replicas[p] /\ ~(recovery[p]' = "RECOVERING" \/ (recovery[p] =
  "RECOVERING" /\ leader[p] # None /\ allows_unclean(p)))) => Cardinality(((Elements(isr[p]) \union elr[p]) \intersect
  Elements(replicas[p]))') >= Lesser(Cardinality((Elements(isr[p]) \union elr[p]) \intersect Elements(replicas[p])),
  Lesser(Lesser(Lesser(min_insync_of(p), min_insync_of(p)'), replication[topic[p]]),
  Cardinality(Elements(replicas[p])))))) /\ (\A t \in Topic : (DT2(t)) => (\A p \in Partition : (undisturbed(p)' /\
  exists[p] /\ exists[p]' /\ partition_epoch[p]' # partition_epoch[p] /\ elr_on /\ replicas[p]' = replicas[p] /\
  ~(recovery[p]' = "RECOVERING" \/ (recovery[p] = "RECOVERING" /\ leader[p] # None /\ allows_unclean(p)))) =>
  Cardinality(((Elements(isr[p]) \union elr[p]) \intersect Elements(replicas[p]))') >=
  Lesser(Cardinality((Elements(isr[p]) \union elr[p]) \intersect Elements(replicas[p])),
  Lesser(Lesser(Lesser(min_insync_of(p), min_insync_of(p)'), replication[topic[p]]),
  Cardinality(Elements(replicas[p]))))))]_vars

\* A partition is created on registered brokers. (ReplicationControlManager.createTopics)
P27 == [][\A p \in Partition : (~exists[p] /\ exists[p]') => (\A x \in Broker : x \in Elements(replicas[p]') =>
  registered[x])]_vars

\* A topic has a name from its creation to its deletion, and no two have the same. (ReplicationControlManager.replay)
P17 == \A t \in Topic : (name[t] # None) = live[t] /\ (live[t] => (\A u \in Topic : (live[u] /\ name[u] = name[t]) => u
  = t))

\* The index of directories names no partition that is gone. (ReplicationControlManager.replay)
P18d == \A p \in Partition, x \in Broker : location[p, x] # None => exists[p]

\* A broker that may go from its controlled shutdown leads nothing, and every active broker has read that. (S3:244)
K8 == [][(\A b \in Broker, broker_epoch \in offset, off \in Given_Heartbeat_off, want_fence \in
  Given_Heartbeat_want_fence, want_down \in Given_Heartbeat_want_down : (HB10(b, broker_epoch, off, want_fence,
  want_down)) => (~leads(b) /\ (\A x \in Broker : (registered[x] /\ ~soft_fenced[x] /\ shutdown_offset[x] < 0) =>
  shutdown_offset[b] <= reported[x])))]_vars

K8_where_nothing_changes == (\A b \in Broker, broker_epoch \in offset, off \in Given_Heartbeat_off, want_fence \in
  Given_Heartbeat_want_fence, want_down \in Given_Heartbeat_want_down : (ENABLED (UNCHANGED vars /\ (HB10(b,
  broker_epoch, off, want_fence, want_down)))) => (~leads(b) /\ (\A x \in Broker : (registered[x] /\ ~soft_fenced[x] /\
  shutdown_offset[x] < 0) => shutdown_offset[b] <= reported[x])))

\* The bootstrap records take effect once: what they wrote is never taken back. (ActivationRecordsGenerator)
L11k == [][formatted => formatted']_vars

\* A partition is led. (ReplicationControlManager.validateAlterPartitionData)
\* TLC is asked that this never holds; a violation is the witness.
W0 == ~(\E p \in Partition : exists[p] /\ leader[p] # None)

\* A fenced broker is a replica. (S2:49)
\* TLC is asked that this never holds; a violation is the witness.
W1 == ~(\E p \in Partition, x \in Broker : exists[p] /\ x \in Elements(replicas[p]) /\ fenced[x])

\* There are eligible leader replicas. (KIP-966)
\* TLC is asked that this never holds; a violation is the witness.
W4 == ~(\E p \in Partition : exists[p] /\ elr[p] # {})

\* A partition has no leader. (PartitionChangeBuilder)
\* TLC is asked that this never holds; a violation is the witness.
W5 == ~(\E p \in Partition : exists[p] /\ leader[p] = None)

\* A broker joins an ISR only if its leader has proposed it under the current epochs, or as its only member: a leader
\* that was eligible or recovers, or the one with whom a reassignment is taken back where unclean leaders are allowed.
\* (S3:347, KIP-966, KIP-704)
P29 == [][\A p \in Partition, x \in Broker : joins_isr(p, x) => (proposed(p, x) \/ (isr[p]' = OnlyItem(x) /\ leader[p]'
  = x /\ (x \in elr[p] \/ recovery[p]' = "RECOVERING" \/ (recovery[p] = "RECOVERING" /\ leader[p] # None /\
  allows_unclean(p)))) \/ taken_back_uncleanly(p, x))]_vars

\* Only members of the ISR become eligible leader replicas. (KIP-966)
P30 == [][\A p \in Partition, x \in Broker : (exists[p] /\ exists[p]' /\ undisturbed(p)' /\ (x \in elr[p])' /\ x \notin
  elr[p]) => x \in Elements(isr[p])]_vars

\* A broker that comes back after an unclean stop is in no ISR and no eligible leader replica. (KIP-966)
P31 == [][(\A b \in Broker, i \in Incarnation, tells_previous_epoch \in Given_RegisterBroker_tells_previous_epoch,
  ranges_2 \in Given_RegisterBroker_ranges, same_cluster \in Given_RegisterBroker_same_cluster, migrates \in
  Given_RegisterBroker_migrates : \A previous_epoch \in Given_RegisterBroker_previous_epoch(b), dirs \in
  Given_RegisterBroker_dirs(b) : (R1(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)
  \/ R2u(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)) => (\A p \in Partition :
  (exists[p] /\ exists[p]' /\ undisturbed(p)' /\ elr_on) => (~(b \in Elements(isr[p]))' /\ ~(b \in elr[p])')))]_vars

P31_where_nothing_changes == (\A b \in Broker, i \in Incarnation, tells_previous_epoch \in
  Given_RegisterBroker_tells_previous_epoch, ranges_2 \in Given_RegisterBroker_ranges, same_cluster \in
  Given_RegisterBroker_same_cluster, migrates \in Given_RegisterBroker_migrates : \A previous_epoch \in
  Given_RegisterBroker_previous_epoch(b), dirs \in Given_RegisterBroker_dirs(b) : (ENABLED (UNCHANGED vars /\ (R1(b, i,
  previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R2u(b, i, previous_epoch,
  tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)))) => (\A p \in Partition : (exists[p] /\ undisturbed(p)
  /\ elr_on) => (b \notin Elements(isr[p]) /\ b \notin elr[p])))

\* A newly elected leader is active and online in its directory; only a broker that is unfenced just now may be in a
\* controlled shutdown (D11). (PartitionChangeBuilder.isValidNewLeader, KIP-858)
P32 == [][\A p \in Partition, x \in Broker : newly_led(p, x) => ((registered[x] /\ ~fenced[x] /\ online(p, x))' /\
  ((~in_controlled_shutdown[x])' \/ fenced[x]))]_vars

P32_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (\A p \in Partition, x \in Broker : (exists[p] /\
  ~outdated[p] /\ leader[p] = x /\ leader[p] # x) => (registered[x] /\ ~fenced[x] /\ online(p, x) /\
  (~in_controlled_shutdown[x] \/ fenced[x])))

\* Nothing leaves a partition without a leader while one could be elected cleanly, unless that one's directories change.
\* (ReplicationControlManager.handleBrokerUnfenced)
P34 == [][\A p \in Partition, x \in Broker : (exists[p] /\ exists[p]' /\ undisturbed(p)' /\ waits(p, x)' /\
  directories[x]' = directories[x] /\ location[p, x]' = location[p, x]) => waits(p, x)]_vars

\* Who leaves an ISR that is then below min.insync.replicas stays eligible, and so does who was eligible, until enough
\* are in sync. (KIP-966)
P35 == [][(\A b \in Broker, i \in Incarnation, tells_previous_epoch \in Given_RegisterBroker_tells_previous_epoch,
  ranges_2 \in Given_RegisterBroker_ranges, same_cluster \in Given_RegisterBroker_same_cluster, migrates \in
  Given_RegisterBroker_migrates : \A previous_epoch \in Given_RegisterBroker_previous_epoch(b), dirs \in
  Given_RegisterBroker_dirs(b) : (R2(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)
  \/ R3(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)) => (\A p \in Partition, x
  \in Broker : (exists[p] /\ exists[p]' /\ undisturbed(p)' /\ elr_on /\ (x \in Elements(isr[p]) \/ x \in elr[p]) /\ (x
  \in Elements(replicas[p]))' /\ ~(recovery[p]' = "RECOVERING" \/ (recovery[p] = "RECOVERING" /\ leader[p] # None /\
  allows_unclean(p)))) => ((x \in Elements(isr[p]) \/ x \in elr[p])' \/ Cardinality(Elements(isr[p])') >= min_isr(p) \/
  Cardinality(Elements(isr[p])') >= Lesser(min_insync_of(p)', replication[topic[p]])))) /\ (\A b \in Broker,
  broker_epoch \in offset, off \in Given_Heartbeat_off, want_fence \in Given_Heartbeat_want_fence, want_down \in
  Given_Heartbeat_want_down : (HB1(b, broker_epoch, off, want_fence, want_down) \/ HB2(b, broker_epoch, off, want_fence,
  want_down) \/ HB3(b, broker_epoch, off, want_fence, want_down) \/ HB4(b, broker_epoch, off, want_fence, want_down) \/
  HB5(b, broker_epoch, off, want_fence, want_down) \/ HB6(b, broker_epoch, off, want_fence, want_down) \/ HB7(b,
  broker_epoch, off, want_fence, want_down) \/ HB8(b, broker_epoch, off, want_fence, want_down) \/ HB9(b, broker_epoch,
  off, want_fence, want_down) \/ HB10(b, broker_epoch, off, want_fence, want_down) \/ HB11(b, broker_epoch, off,
  want_fence, want_down)) => (\A p \in Partition, x \in Broker : (exists[p] /\ exists[p]' /\ undisturbed(p)' /\ elr_on
  /\ (x \in Elements(isr[p]) \/ x \in elr[p]) /\ (x \in Elements(replicas[p]))' /\ ~(recovery[p]' = "RECOVERING" \/
  (recovery[p] = "RECOVERING" /\ leader[p] # None /\ allows_unclean(p)))) => ((x \in Elements(isr[p]) \/ x \in elr[p])'
  \/ Cardinality(Elements(isr[p])') >= min_isr(p) \/ Cardinality(Elements(isr[p])') >= Lesser(min_insync_of(p)',
  replication[topic[p]])))) /\ (\A b \in Broker : (SI1(b) \/ F1(b) \/ F2(b)) => (\A p \in Partition, x \in Broker :
  (exists[p] /\ exists[p]' /\ undisturbed(p)' /\ elr_on /\ (x \in Elements(isr[p]) \/ x \in elr[p]) /\ (x \in
  Elements(replicas[p]))' /\ ~(recovery[p]' = "RECOVERING" \/ (recovery[p] = "RECOVERING" /\ leader[p] # None /\
  allows_unclean(p)))) => ((x \in Elements(isr[p]) \/ x \in elr[p])' \/ Cardinality(Elements(isr[p])') >= min_isr(p) \/
  Cardinality(Elements(isr[p])') >= Lesser(min_insync_of(p)', replication[topic[p]])))) /\ (\A c \in Name : (FO1(c)) =>
  (\A p \in Partition, x \in Broker : (exists[p] /\ exists[p]' /\ undisturbed(p)' /\ elr_on /\ (x \in Elements(isr[p])
  \/ x \in elr[p]) /\ (x \in Elements(replicas[p]))' /\ ~(recovery[p]' = "RECOVERING" \/ (recovery[p] = "RECOVERING" /\
  leader[p] # None /\ allows_unclean(p)))) => ((x \in Elements(isr[p]) \/ x \in elr[p])' \/
  Cardinality(Elements(isr[p])') >= min_isr(p) \/ Cardinality(Elements(isr[p])') >= Lesser(min_insync_of(p)',
  replication[topic[p]])))) /\ (\A m \in Request, b \in Broker, p \in Partition : \A proposal \in
  Given_ProposeIsr_proposal(p) : (LP1(m, b, p, proposal)) => (\A p_2 \in Partition, x \in Broker : (exists[p_2] /\
  exists[p_2]' /\ undisturbed(p_2)' /\ elr_on /\ (x \in Elements(isr[p_2]) \/ x \in elr[p_2]) /\ (x \in
  Elements(replicas[p_2]))' /\ ~(recovery[p_2]' = "RECOVERING" \/ (recovery[p_2] = "RECOVERING" /\ leader[p_2] # None /\
  allows_unclean(p_2)))) => ((x \in Elements(isr[p_2]) \/ x \in elr[p_2])' \/ Cardinality(Elements(isr[p_2])') >=
  min_isr(p_2) \/ Cardinality(Elements(isr[p_2])') >= Lesser(min_insync_of(p_2)', replication[topic[p_2]])))) /\ (\A m
  \in Request, b \in Broker, p \in Partition : (A14(m, b, p)) => (\A p_2 \in Partition, x \in Broker : (exists[p_2] /\
  exists[p_2]' /\ undisturbed(p_2)' /\ elr_on /\ (x \in Elements(isr[p_2]) \/ x \in elr[p_2]) /\ (x \in
  Elements(replicas[p_2]))' /\ ~(recovery[p_2]' = "RECOVERING" \/ (recovery[p_2] = "RECOVERING" /\ leader[p_2] # None /\
  allows_unclean(p_2)))) => ((x \in Elements(isr[p_2]) \/ x \in elr[p_2])' \/ Cardinality(Elements(isr[p_2])') >=
  min_isr(p_2) \/ Cardinality(Elements(isr[p_2])') >= Lesser(min_insync_of(p_2)', replication[topic[p_2]])))) /\ (\A p
  \in Partition : (EL3(p) \/ EU3(p) \/ BA1(p) \/ UE1(p)) => (\A p_2 \in Partition, x \in Broker : (exists[p_2] /\
  exists[p_2]' /\ undisturbed(p_2)' /\ elr_on /\ (x \in Elements(isr[p_2]) \/ x \in elr[p_2]) /\ (x \in
  Elements(replicas[p_2]))' /\ ~(recovery[p_2]' = "RECOVERING" \/ (recovery[p_2] = "RECOVERING" /\ leader[p_2] # None /\
  allows_unclean(p_2)))) => ((x \in Elements(isr[p_2]) \/ x \in elr[p_2])' \/ Cardinality(Elements(isr[p_2])') >=
  min_isr(p_2) \/ Cardinality(Elements(isr[p_2])') >= Lesser(min_insync_of(p_2)', replication[topic[p_2]])))) /\ (\A t
  \in Topic, n \in Name, manual \in Given_CreateTopic_manual, has_min_insync \in Given_CreateTopic_has_min_insync,
  min_insync_2 \in Given_CreateTopic_min_insync, has_unclean \in Given_CreateTopic_has_unclean, unclean_2 \in BOOLEAN :
  (CT3(t, n, manual, has_min_insync, min_insync_2, has_unclean, unclean_2)) => (\A p \in Partition, x \in Broker :
  (exists[p] /\ exists[p]' /\ undisturbed(p)' /\ elr_on /\ (x \in Elements(isr[p]) \/ x \in elr[p]) /\ (x \in
  Elements(replicas[p]))' /\ ~(recovery[p]' = "RECOVERING" \/ (recovery[p] = "RECOVERING" /\ leader[p] # None /\
  allows_unclean(p)))) => ((x \in Elements(isr[p]) \/ x \in elr[p])' \/ Cardinality(Elements(isr[p])') >= min_isr(p) \/
  Cardinality(Elements(isr[p])') >= Lesser(min_insync_of(p)', replication[topic[p]])))) /\ (\A t \in Topic : (DT2(t)) =>
  (\A p \in Partition, x \in Broker : (exists[p] /\ exists[p]' /\ undisturbed(p)' /\ elr_on /\ (x \in Elements(isr[p])
  \/ x \in elr[p]) /\ (x \in Elements(replicas[p]))' /\ ~(recovery[p]' = "RECOVERING" \/ (recovery[p] = "RECOVERING" /\
  leader[p] # None /\ allows_unclean(p)))) => ((x \in Elements(isr[p]) \/ x \in elr[p])' \/
  Cardinality(Elements(isr[p])') >= min_isr(p) \/ Cardinality(Elements(isr[p])') >= Lesser(min_insync_of(p)',
  replication[topic[p]]))))]_vars

\* A broker that comes back after an unclean stop makes no other broker ineligible. (KIP-966)
P35u == [][(\A b \in Broker, i \in Incarnation, tells_previous_epoch \in Given_RegisterBroker_tells_previous_epoch,
  ranges_2 \in Given_RegisterBroker_ranges, same_cluster \in Given_RegisterBroker_same_cluster, migrates \in
  Given_RegisterBroker_migrates : \A previous_epoch \in Given_RegisterBroker_previous_epoch(b), dirs \in
  Given_RegisterBroker_dirs(b) : (R1(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)
  \/ R2u(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)) => (\A p \in Partition, x
  \in Broker : x # b => ((exists[p] /\ exists[p]' /\ undisturbed(p)' /\ elr_on /\ (x \in Elements(isr[p]) \/ x \in
  elr[p]) /\ (x \in Elements(replicas[p]))' /\ ~(recovery[p]' = "RECOVERING" \/ (recovery[p] = "RECOVERING" /\ leader[p]
  # None /\ allows_unclean(p)))) => ((x \in Elements(isr[p]) \/ x \in elr[p])' \/ Cardinality(Elements(isr[p])') >=
  min_isr(p) \/ Cardinality(Elements(isr[p])') >= Lesser(min_insync_of(p)', replication[topic[p]])))))]_vars

\* An unclean election that is due, or asked for, gives a leader wherever a replica could lead. (S3:268-276)
P38 == [][(\A p \in Partition : (EU3(p) \/ UE1(p)) => ((leader[p] # None)' \/ (\A x \in Broker : (x \in
  Elements(replicas[p]))' => ~may_lead(x, p))))]_vars

P38_where_nothing_changes == (\A p \in Partition : (ENABLED (UNCHANGED vars /\ (EU3(p) \/ UE1(p)))) => (leader[p] # None
  \/ (\A x \in Broker : x \in Elements(replicas[p]) => ~may_lead(x, p))))

\* The preferred replica leads after a preferred election, if it is in sync and could lead. (S3:211)
P39 == [][(\A p \in Partition : (EL3(p) \/ BA1(p)) => (\A x \in Broker : (FirstIn(replicas[p], Elements(replicas[p]))' =
  x /\ x \in Elements(isr[p]) /\ may_lead(x, p)) => leader[p]' = x))]_vars

P39_where_nothing_changes == (\A p \in Partition : (ENABLED (UNCHANGED vars /\ (EL3(p) \/ BA1(p)))) => (\A x \in Broker
  : (FirstIn(replicas[p], Elements(replicas[p])) = x /\ x \in Elements(isr[p]) /\ may_lead(x, p)) => leader[p] = x))

\* A partition begins at leader epoch 0 and partition epoch 0: its active replicas are in sync, and the first of them
\* leads. (S3:266, ReplicationControlManager.buildPartitionRegistration)
P33 == [][\A p \in Partition : (~exists[p] /\ exists[p]') => (leader_epoch[p] = 0 /\ partition_epoch[p] = 0 /\ leader[p]
  # None /\ leader[p] = FirstIn(replicas[p], active) /\ isr[p] = KeepIn(replicas[p], active) /\ recovery[p] =
  "RECOVERED" /\ (removing[p] \union adding[p]) \union elr[p] = {} /\ last_known[p] = <<>>)']_vars

\* A new replica is in the only directory of its broker, UNASSIGNED where that has several, and counts as migrating
\* where the broker reports none. (KIP-858, 7.12)
P37 == [][\A p \in Partition, x \in Broker : ((exists[p] /\ x \in Elements(replicas[p]))' /\ ~(exists[p] /\ x \in
  Elements(replicas[p]))) => location[p, x]' = (IF 17 <= metadata_version THEN default_directory(x) ELSE
  migrating)]_vars

\* The offset that a broker has to read is that of its registration record, which is new and the last of its result.
\* (ClusterControlManager.replay, S3:244)
B1 == [][(\A b \in Broker, i \in Incarnation, tells_previous_epoch \in Given_RegisterBroker_tells_previous_epoch,
  ranges_2 \in Given_RegisterBroker_ranges, same_cluster \in Given_RegisterBroker_same_cluster, migrates \in
  Given_RegisterBroker_migrates : \A previous_epoch \in Given_RegisterBroker_previous_epoch(b), dirs \in
  Given_RegisterBroker_dirs(b) : (R1(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)
  \/ R2(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R2u(b, i, previous_epoch,
  tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R3(b, i, previous_epoch, tells_previous_epoch, dirs,
  ranges_2, same_cluster, migrates)) => (registration_offset[b]' = log_end' /\ log_end < registration_offset[b]'))]_vars

B1_where_nothing_changes == (\A b \in Broker, i \in Incarnation, tells_previous_epoch \in
  Given_RegisterBroker_tells_previous_epoch, ranges_2 \in Given_RegisterBroker_ranges, same_cluster \in
  Given_RegisterBroker_same_cluster, migrates \in Given_RegisterBroker_migrates : \A previous_epoch \in
  Given_RegisterBroker_previous_epoch(b), dirs \in Given_RegisterBroker_dirs(b) : (ENABLED (UNCHANGED vars /\ (R1(b, i,
  previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R2(b, i, previous_epoch,
  tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R2u(b, i, previous_epoch, tells_previous_epoch, dirs,
  ranges_2, same_cluster, migrates) \/ R3(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster,
  migrates)))) => (registration_offset[b] = log_end /\ log_end < registration_offset[b]))

\* A new registration is that of the incarnation that asked for it, fenced and not in a controlled shutdown. (S2:31,
\* S2:52)
B2 == [][(\A b \in Broker, i \in Incarnation, tells_previous_epoch \in Given_RegisterBroker_tells_previous_epoch,
  ranges_2 \in Given_RegisterBroker_ranges, same_cluster \in Given_RegisterBroker_same_cluster, migrates \in
  Given_RegisterBroker_migrates : \A previous_epoch \in Given_RegisterBroker_previous_epoch(b), dirs \in
  Given_RegisterBroker_dirs(b) : (R1(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)
  \/ R2(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R2u(b, i, previous_epoch,
  tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)) => ((registered[b] /\ fenced[b] /\
  ~in_controlled_shutdown[b] /\ incarnation[b] = i)'))]_vars

B2_where_nothing_changes == (\A b \in Broker, i \in Incarnation, tells_previous_epoch \in
  Given_RegisterBroker_tells_previous_epoch, ranges_2 \in Given_RegisterBroker_ranges, same_cluster \in
  Given_RegisterBroker_same_cluster, migrates \in Given_RegisterBroker_migrates : \A previous_epoch \in
  Given_RegisterBroker_previous_epoch(b), dirs \in Given_RegisterBroker_dirs(b) : (ENABLED (UNCHANGED vars /\ (R1(b, i,
  previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R2(b, i, previous_epoch,
  tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R2u(b, i, previous_epoch, tells_previous_epoch, dirs,
  ranges_2, same_cluster, migrates)))) => (registered[b] /\ fenced[b] /\ ~in_controlled_shutdown[b] /\ incarnation[b] =
  i))

\* A broker's newest registration is at its epoch or after it. (S2:52, S2:60)
B3 == \A x \in Broker : registered[x] => epoch[x] <= registration_offset[x]

\* Only a broker of this cluster registers, none that migrates from ZooKeeper, and it reports its directories. (S2:34,
\* KIP-858)
B4 == [][(\A b \in Broker, i \in Incarnation, tells_previous_epoch \in Given_RegisterBroker_tells_previous_epoch,
  ranges_2 \in Given_RegisterBroker_ranges, same_cluster \in Given_RegisterBroker_same_cluster, migrates \in
  Given_RegisterBroker_migrates : \A previous_epoch \in Given_RegisterBroker_previous_epoch(b), dirs \in
  Given_RegisterBroker_dirs(b) : (R1(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)
  \/ R2(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R2u(b, i, previous_epoch,
  tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R3(b, i, previous_epoch, tells_previous_epoch, dirs,
  ranges_2, same_cluster, migrates)) => (same_cluster /\ ~migrates /\ (17 <= metadata_version => directories[b]' #
  {})))]_vars

B4_where_nothing_changes == (\A b \in Broker, i \in Incarnation, tells_previous_epoch \in
  Given_RegisterBroker_tells_previous_epoch, ranges_2 \in Given_RegisterBroker_ranges, same_cluster \in
  Given_RegisterBroker_same_cluster, migrates \in Given_RegisterBroker_migrates : \A previous_epoch \in
  Given_RegisterBroker_previous_epoch(b), dirs \in Given_RegisterBroker_dirs(b) : (ENABLED (UNCHANGED vars /\ (R1(b, i,
  previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R2(b, i, previous_epoch,
  tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R2u(b, i, previous_epoch, tells_previous_epoch, dirs,
  ranges_2, same_cluster, migrates) \/ R3(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster,
  migrates)))) => (same_cluster /\ ~migrates /\ (17 <= metadata_version => directories[b] # {})))

\* No broker has a directory under a reserved id. (KIP-858)
B5 == \A x \in Broker : unassigned \notin directories[x] /\ migrating \notin directories[x] /\ lost \notin
  directories[x]

\* A broker whose return was not clean registers only if no index of eligible leader replicas lists a deleted topic for
\* it. (ReplicationControlManager.handleUncleanBrokerShutdown)
B6s == [][(\A b \in Broker, i \in Incarnation, tells_previous_epoch \in Given_RegisterBroker_tells_previous_epoch,
  ranges_2 \in Given_RegisterBroker_ranges, same_cluster \in Given_RegisterBroker_same_cluster, migrates \in
  Given_RegisterBroker_migrates : \A previous_epoch \in Given_RegisterBroker_previous_epoch(b), dirs \in
  Given_RegisterBroker_dirs(b) : (R1(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)
  \/ R2u(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)) => (~(elr_on /\
  haunted(b))))]_vars

B6s_where_nothing_changes == (\A b \in Broker, i \in Incarnation, tells_previous_epoch \in
  Given_RegisterBroker_tells_previous_epoch, ranges_2 \in Given_RegisterBroker_ranges, same_cluster \in
  Given_RegisterBroker_same_cluster, migrates \in Given_RegisterBroker_migrates : \A previous_epoch \in
  Given_RegisterBroker_previous_epoch(b), dirs \in Given_RegisterBroker_dirs(b) : (ENABLED (UNCHANGED vars /\ (R1(b, i,
  previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R2u(b, i, previous_epoch,
  tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)))) => (~(elr_on /\ haunted(b))))

\* A registration fails on a deleted topic only with eligible leader replicas, and only if the return was not clean.
\* (ReplicationControlManager.handleUncleanBrokerShutdown)
B6f == [][TRUE]_vars

B6f_where_nothing_changes == (\A b \in Broker, i \in Incarnation, tells_previous_epoch \in
  Given_RegisterBroker_tells_previous_epoch, ranges_2 \in Given_RegisterBroker_ranges, same_cluster \in
  Given_RegisterBroker_same_cluster, migrates \in Given_RegisterBroker_migrates : \A previous_epoch \in
  Given_RegisterBroker_previous_epoch(b), dirs \in Given_RegisterBroker_dirs(b) : (RG8_is_enabled(b, i, previous_epoch,
  tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)) => (elr_on /\ haunted(b) /\ (~registered[b] \/
  (incarnation[b] # i /\ ~clean_restart(tells_previous_epoch, previous_epoch, b)))))

\* A broker that is unfenced was registered before, under the same epoch, and sends a heartbeat in this step. (S2:59,
\* S3:244)
B7 == [][\A x \in Broker : ((registered[x] /\ ~fenced[x])' /\ ~(registered[x] /\ ~fenced[x])) => (registered[x] /\
  epoch[x]' = epoch[x] /\ contact[x]' = "RECENT")]_vars

\* A heartbeat unfences no broker that wants to be fenced or to shut down. (S2:59)
B8 == [][(\A b \in Broker, broker_epoch \in offset, off \in Given_Heartbeat_off, want_fence \in
  Given_Heartbeat_want_fence, want_down \in Given_Heartbeat_want_down : (HB2(b, broker_epoch, off, want_fence,
  want_down)) => (~want_fence /\ ~want_down))]_vars

B8_where_nothing_changes == (\A b \in Broker, broker_epoch \in offset, off \in Given_Heartbeat_off, want_fence \in
  Given_Heartbeat_want_fence, want_down \in Given_Heartbeat_want_down : (ENABLED (UNCHANGED vars /\ (HB2(b,
  broker_epoch, off, want_fence, want_down)))) => (~want_fence /\ ~want_down))

\* A heartbeat fences only a broker that wants to be fenced or to shut down. (S2:59-65)
B9 == [][(\A b \in Broker, broker_epoch \in offset, off \in Given_Heartbeat_off, want_fence \in
  Given_Heartbeat_want_fence, want_down \in Given_Heartbeat_want_down : (HB1(b, broker_epoch, off, want_fence,
  want_down) \/ HB4(b, broker_epoch, off, want_fence, want_down) \/ HB5(b, broker_epoch, off, want_fence, want_down) \/
  HB7(b, broker_epoch, off, want_fence, want_down)) => (want_fence \/ want_down))]_vars

B9_where_nothing_changes == (\A b \in Broker, broker_epoch \in offset, off \in Given_Heartbeat_off, want_fence \in
  Given_Heartbeat_want_fence, want_down \in Given_Heartbeat_want_down : (ENABLED (UNCHANGED vars /\ (HB1(b,
  broker_epoch, off, want_fence, want_down) \/ HB4(b, broker_epoch, off, want_fence, want_down) \/ HB5(b, broker_epoch,
  off, want_fence, want_down) \/ HB7(b, broker_epoch, off, want_fence, want_down)))) => (want_fence \/ want_down))

\* A session that ends fences a broker only once it is over. (S3:246-248)
B10 == [][(\A b \in Broker : (F1(b) \/ F2(b)) => (contact[b] = "EXPIRED"))]_vars

B10_where_nothing_changes == (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (F1(b) \/ F2(b)))) => (contact[b] =
  "EXPIRED"))

\* Every unfenced broker has a session that may end, after a failover too: its silence will be noticed. (S3:248,
\* KAFKA-18138)
B11 == \A x \in Broker : (registered[x] /\ ~fenced[x]) => contact[x] # "NOTHING"

\* A heartbeat counts, and directories are assigned, only under the current epoch of a registered broker. (S2:34,
\* S3:236)
B12 == [][(\A b \in Broker, broker_epoch \in offset, off \in Given_Heartbeat_off, want_fence \in
  Given_Heartbeat_want_fence, want_down \in Given_Heartbeat_want_down : (HB1(b, broker_epoch, off, want_fence,
  want_down) \/ HB2(b, broker_epoch, off, want_fence, want_down) \/ HB3(b, broker_epoch, off, want_fence, want_down) \/
  HB4(b, broker_epoch, off, want_fence, want_down) \/ HB5(b, broker_epoch, off, want_fence, want_down) \/ HB6(b,
  broker_epoch, off, want_fence, want_down) \/ HB7(b, broker_epoch, off, want_fence, want_down) \/ HB8(b, broker_epoch,
  off, want_fence, want_down) \/ HB9(b, broker_epoch, off, want_fence, want_down) \/ HB10(b, broker_epoch, off,
  want_fence, want_down) \/ HB11(b, broker_epoch, off, want_fence, want_down)) => (registered[b] /\ broker_epoch =
  epoch[b]))]_vars

B12_where_nothing_changes == (\A b \in Broker, broker_epoch \in offset, off \in Given_Heartbeat_off, want_fence \in
  Given_Heartbeat_want_fence, want_down \in Given_Heartbeat_want_down : (ENABLED (UNCHANGED vars /\ (HB1(b,
  broker_epoch, off, want_fence, want_down) \/ HB2(b, broker_epoch, off, want_fence, want_down) \/ HB3(b, broker_epoch,
  off, want_fence, want_down) \/ HB4(b, broker_epoch, off, want_fence, want_down) \/ HB5(b, broker_epoch, off,
  want_fence, want_down) \/ HB6(b, broker_epoch, off, want_fence, want_down) \/ HB7(b, broker_epoch, off, want_fence,
  want_down) \/ HB8(b, broker_epoch, off, want_fence, want_down) \/ HB9(b, broker_epoch, off, want_fence, want_down) \/
  HB10(b, broker_epoch, off, want_fence, want_down) \/ HB11(b, broker_epoch, off, want_fence, want_down)))) =>
  (registered[b] /\ broker_epoch = epoch[b]))

\* A heartbeat speaks for its sender only, who is not taken to have read more than it says. (S3:236-244)
B13 == [][(\A b \in Broker, broker_epoch \in offset, off \in Given_Heartbeat_off, want_fence \in
  Given_Heartbeat_want_fence, want_down \in Given_Heartbeat_want_down : (HB1(b, broker_epoch, off, want_fence,
  want_down) \/ HB2(b, broker_epoch, off, want_fence, want_down) \/ HB3(b, broker_epoch, off, want_fence, want_down) \/
  HB4(b, broker_epoch, off, want_fence, want_down) \/ HB5(b, broker_epoch, off, want_fence, want_down) \/ HB6(b,
  broker_epoch, off, want_fence, want_down) \/ HB7(b, broker_epoch, off, want_fence, want_down) \/ HB8(b, broker_epoch,
  off, want_fence, want_down) \/ HB9(b, broker_epoch, off, want_fence, want_down) \/ HB10(b, broker_epoch, off,
  want_fence, want_down) \/ HB11(b, broker_epoch, off, want_fence, want_down)) => ((reported[b] <= off)' /\ (\A x \in
  Broker : x # b => (reported[x]' = reported[x] /\ contact[x]' = contact[x]))))]_vars

B13_where_nothing_changes == (\A b \in Broker, broker_epoch \in offset, off \in Given_Heartbeat_off, want_fence \in
  Given_Heartbeat_want_fence, want_down \in Given_Heartbeat_want_down : (ENABLED (UNCHANGED vars /\ (HB1(b,
  broker_epoch, off, want_fence, want_down) \/ HB2(b, broker_epoch, off, want_fence, want_down) \/ HB3(b, broker_epoch,
  off, want_fence, want_down) \/ HB4(b, broker_epoch, off, want_fence, want_down) \/ HB5(b, broker_epoch, off,
  want_fence, want_down) \/ HB6(b, broker_epoch, off, want_fence, want_down) \/ HB7(b, broker_epoch, off, want_fence,
  want_down) \/ HB8(b, broker_epoch, off, want_fence, want_down) \/ HB9(b, broker_epoch, off, want_fence, want_down) \/
  HB10(b, broker_epoch, off, want_fence, want_down) \/ HB11(b, broker_epoch, off, want_fence, want_down)))) =>
  (reported[b] <= off /\ (\A x \in Broker : x # b => (reported[x] = reported[x] /\ contact[x] = contact[x]))))

\* What the controller remembers of heartbeats agrees with the registrations: who is fenced, and who may be shutting
\* down. (S3:236)
B14 == \A x \in Broker : registered[x] => (soft_fenced[x] = fenced[x] /\ (0 <= shutdown_offset[x] =>
  (in_controlled_shutdown[x] /\ ~fenced[x])))

\* A controlled shutdown takes the broker's leaderships away, and is over only when all has been read that says so.
\* (S3:244)
B15 == [][(\A b \in Broker, broker_epoch \in offset, off \in Given_Heartbeat_off, want_fence \in
  Given_Heartbeat_want_fence, want_down \in Given_Heartbeat_want_down : (HB6(b, broker_epoch, off, want_fence,
  want_down)) => (shutdown_offset[b]' = log_end' /\ (\A p \in Partition : (exists[p] /\ b \in Elements(isr[p])) => ~(b
  \in Elements(isr[p]) /\ leader[p] = b)')))]_vars

B15_where_nothing_changes == (\A b \in Broker, broker_epoch \in offset, off \in Given_Heartbeat_off, want_fence \in
  Given_Heartbeat_want_fence, want_down \in Given_Heartbeat_want_down : (ENABLED (UNCHANGED vars /\ (HB6(b,
  broker_epoch, off, want_fence, want_down)))) => (shutdown_offset[b] = log_end /\ (\A p \in Partition : (exists[p] /\ b
  \in Elements(isr[p])) => ~(b \in Elements(isr[p]) /\ leader[p] = b))))

\* Who goes from a controlled shutdown leads nothing, and no active broker believes that it does. (S3:244)
B16 == [][(\A b \in Broker, broker_epoch \in offset, off \in Given_Heartbeat_off, want_fence \in
  Given_Heartbeat_want_fence, want_down \in Given_Heartbeat_want_down : (HB10(b, broker_epoch, off, want_fence,
  want_down)) => ((\A p \in Partition : exists[p] => ~(leader[p] = b)') /\ (\A x \in Broker : (active_broker(x) /\ x #
  b) => shutdown_offset[b] <= reported[x])))]_vars

B16_where_nothing_changes == (\A b \in Broker, broker_epoch \in offset, off \in Given_Heartbeat_off, want_fence \in
  Given_Heartbeat_want_fence, want_down \in Given_Heartbeat_want_down : (ENABLED (UNCHANGED vars /\ (HB10(b,
  broker_epoch, off, want_fence, want_down)))) => ((\A p \in Partition : exists[p] => leader[p] # b) /\ (\A x \in Broker
  : (active_broker(x) /\ x # b) => shutdown_offset[b] <= reported[x])))

\* Nothing is left of a value that a topic had and has not; there are topics only once the log is formatted.
\* (S3:260-262)
C10 == \A t \in Topic : (live[t] => formatted) /\ (own_min_insync[t] \/ min_insync[t] = 1) /\ (own_unclean[t] \/
  ~unclean[t])

\* Where min.insync.replicas changes and as many are in sync as the new one asks for, those that the other minimum made
\* eligible are forgotten: they need not have what is acknowledged from now on. (7.16)
C12 == [][\A p \in Partition : (exists[p] /\ exists[p]' /\ elr_on /\ cluster_min_set /\ min_insync_of(p)' #
  min_insync_of(p) /\ Cardinality(Elements(isr[p])) >= Lesser(min_insync_of(p)', replication[topic[p]])) => elr[p]' =
  {}]_vars

\* A topic that is answered NONE is there under its name, with every partition and every value that was asked for.
\* (7.11)
C13 == [][(\A t \in Topic, n \in Name, manual \in Given_CreateTopic_manual, has_min_insync \in
  Given_CreateTopic_has_min_insync, min_insync_2 \in Given_CreateTopic_min_insync, has_unclean \in
  Given_CreateTopic_has_unclean, unclean_2 \in BOOLEAN : (CT3(t, n, manual, has_min_insync, min_insync_2, has_unclean,
  unclean_2)) => ((live[t] /\ name[t] = n)' /\ (\A p \in Partition : topic[p] = t => exists[p]') /\ (has_min_insync =>
  (own_min_insync[t] /\ min_insync[t] = min_insync_2)') /\ (has_unclean => (own_unclean[t] /\ unclean[t] = unclean_2)')
  /\ (\A s \in Setting : (asks[s] /\ resource_type[s] = 2 /\ resource[s] = n) => setting[s]' = asked[s])))]_vars

C13_where_nothing_changes == (\A t \in Topic, n \in Name, manual \in Given_CreateTopic_manual, has_min_insync \in
  Given_CreateTopic_has_min_insync, min_insync_2 \in Given_CreateTopic_min_insync, has_unclean \in
  Given_CreateTopic_has_unclean, unclean_2 \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (CT3(t, n, manual, has_min_insync,
  min_insync_2, has_unclean, unclean_2)))) => (live[t] /\ name[t] = n /\ (\A p \in Partition : topic[p] = t =>
  exists[p]) /\ (has_min_insync => (own_min_insync[t] /\ min_insync[t] = min_insync_2)) /\ (has_unclean =>
  (own_unclean[t] /\ unclean[t] = unclean_2)) /\ (\A s \in Setting : (asks[s] /\ resource_type[s] = 2 /\ resource[s] =
  n) => setting[s] = asked[s])))

\* The partitions of a topic are numbered from 0 on, none is left out, and there is one at least.
\* (ReplicationControlManager.createTopic, createPartitions)
C19 == (\A t \in Topic : live[t] => (\E p \in Partition : exists[p] /\ topic[p] = t /\ index[p] = 0)) /\ (\A p \in
  Partition : exists[p] => (index[p] = 0 \/ (\E q \in Partition : topic[q] = topic[p] /\ exists[q] /\ index[p] =
  index[q] + 1)))

\* A topic that is deleted is gone with its partitions and its configuration, and no other is. (7.11)
C14 == [][(\A t \in Topic : (DT2(t)) => (~live[t]' /\ (\A u \in Topic : u # t => live[u]' = live[u]) /\ (\A p \in
  Partition : exists[p]' = (exists[p] /\ topic[p] # t)) /\ (\A s \in Setting : (resource_type[s] = 2 /\ name[t] =
  resource[s]) => (setting[s] = None)')))]_vars

C14_where_nothing_changes == (\A t \in Topic : (ENABLED (UNCHANGED vars /\ (DT2(t)))) => (~live[t] /\ (\A u \in Topic :
  u # t => live[u] = live[u]) /\ (\A p \in Partition : exists[p] = (exists[p] /\ topic[p] # t)) /\ (\A s \in Setting :
  (resource_type[s] = 2 /\ name[t] = resource[s]) => setting[s] = None)))

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

\* A broker that is fenced, shuts down, or starts anew after a clean stop, changes only partitions in whose ISR it was.
\* (S3:236-248)
P40 == [][(\A b \in Broker, i \in Incarnation, tells_previous_epoch \in Given_RegisterBroker_tells_previous_epoch,
  ranges_2 \in Given_RegisterBroker_ranges, same_cluster \in Given_RegisterBroker_same_cluster, migrates \in
  Given_RegisterBroker_migrates : \A previous_epoch \in Given_RegisterBroker_previous_epoch(b), dirs \in
  Given_RegisterBroker_dirs(b) : (R2(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster,
  migrates)) => (\A p \in Partition : (exists[p] /\ b \notin Elements(isr[p])) => partition_epoch[p]' =
  partition_epoch[p])) /\ (\A b \in Broker, broker_epoch \in offset, off \in Given_Heartbeat_off, want_fence \in
  Given_Heartbeat_want_fence, want_down \in Given_Heartbeat_want_down : (HB1(b, broker_epoch, off, want_fence,
  want_down) \/ HB4(b, broker_epoch, off, want_fence, want_down) \/ HB5(b, broker_epoch, off, want_fence, want_down) \/
  HB6(b, broker_epoch, off, want_fence, want_down) \/ HB7(b, broker_epoch, off, want_fence, want_down) \/ HB10(b,
  broker_epoch, off, want_fence, want_down)) => (\A p \in Partition : (exists[p] /\ b \notin Elements(isr[p])) =>
  partition_epoch[p]' = partition_epoch[p])) /\ (\A b \in Broker : (F1(b) \/ F2(b)) => (\A p \in Partition : (exists[p]
  /\ b \notin Elements(isr[p])) => partition_epoch[p]' = partition_epoch[p]))]_vars

\* A proposal on its way names whom its leader proposed, each with the broker epoch that the leader knew. (KIP-903)
P41 == [][(\A m \in Request, b \in Broker, p \in Partition : \A proposal \in Given_ProposeIsr_proposal(p) : (LP1(m, b,
  p, proposal)) => (Elements(wanted[m]') = proposal /\ (\A x \in Broker : x \in proposal => member_epoch[m, x]' =
  epoch[x])))]_vars

P41_where_nothing_changes == (\A m \in Request, b \in Broker, p \in Partition : \A proposal \in
  Given_ProposeIsr_proposal(p) : (ENABLED (UNCHANGED vars /\ (LP1(m, b, p, proposal)))) => (Elements(wanted[m]) =
  proposal /\ (\A x \in Broker : x \in proposal => member_epoch[m, x] = epoch[x])))

\* Every heartbeat that is not refused renews its broker's session. (S2:59-65, S3:246)
B20 == [][(\A b \in Broker, broker_epoch \in offset, off \in Given_Heartbeat_off, want_fence \in
  Given_Heartbeat_want_fence, want_down \in Given_Heartbeat_want_down : (HB1(b, broker_epoch, off, want_fence,
  want_down) \/ HB2(b, broker_epoch, off, want_fence, want_down) \/ HB3(b, broker_epoch, off, want_fence, want_down) \/
  HB4(b, broker_epoch, off, want_fence, want_down) \/ HB5(b, broker_epoch, off, want_fence, want_down) \/ HB6(b,
  broker_epoch, off, want_fence, want_down) \/ HB7(b, broker_epoch, off, want_fence, want_down) \/ HB8(b, broker_epoch,
  off, want_fence, want_down) \/ HB9(b, broker_epoch, off, want_fence, want_down) \/ HB10(b, broker_epoch, off,
  want_fence, want_down) \/ HB11(b, broker_epoch, off, want_fence, want_down)) => (contact[b]' = "RECENT"))]_vars

B20_where_nothing_changes == (\A b \in Broker, broker_epoch \in offset, off \in Given_Heartbeat_off, want_fence \in
  Given_Heartbeat_want_fence, want_down \in Given_Heartbeat_want_down : (ENABLED (UNCHANGED vars /\ (HB1(b,
  broker_epoch, off, want_fence, want_down) \/ HB2(b, broker_epoch, off, want_fence, want_down) \/ HB3(b, broker_epoch,
  off, want_fence, want_down) \/ HB4(b, broker_epoch, off, want_fence, want_down) \/ HB5(b, broker_epoch, off,
  want_fence, want_down) \/ HB6(b, broker_epoch, off, want_fence, want_down) \/ HB7(b, broker_epoch, off, want_fence,
  want_down) \/ HB8(b, broker_epoch, off, want_fence, want_down) \/ HB9(b, broker_epoch, off, want_fence, want_down) \/
  HB10(b, broker_epoch, off, want_fence, want_down) \/ HB11(b, broker_epoch, off, want_fence, want_down)))) =>
  (contact[b] = "RECENT"))

\* A new topic brings configurations of its own, and no others change. (S3:198-203)
C21 == [][(\A t \in Topic, n \in Name, manual \in Given_CreateTopic_manual, has_min_insync \in
  Given_CreateTopic_has_min_insync, min_insync_2 \in Given_CreateTopic_min_insync, has_unclean \in
  Given_CreateTopic_has_unclean, unclean_2 \in BOOLEAN : (CT3(t, n, manual, has_min_insync, min_insync_2, has_unclean,
  unclean_2)) => ((\A s \in Setting : (resource_type[s] # 2 \/ resource[s] # n) => setting[s]' = setting[s]) /\ (\A t_2
  \in Topic : live[t_2] => (own_min_insync[t_2]' = own_min_insync[t_2] /\ own_unclean[t_2]' = own_unclean[t_2]))))]_vars

\* For K1: no epoch is ahead of the log, so that the next one is new.
N1 == \A x \in Broker : epoch[x] <= log_end

\* For P2: only a replica is in a directory, so that only a replica is elected, whatever the last leader.
N2 == \A p \in Partition, x \in Broker : location[p, x] # None => (x \in Elements(replicas[p]) \/ ~exists[p])

\* For P10: an eligible leader replica is found by the index; more than those may be (D6).
N3 == \A p \in Partition, x \in Broker : (exists[p] /\ x \in elr[p]) => 1 <= elr_index[p, x]

\* For P8 to P11: what is created with a topic did not exist before.
N4 == \A p \in Partition : exists[p] => live[topic[p]]

\* For P3, P7, K7: before the cluster is formatted there is nothing that its features could be about.
N5 == ~formatted => (elr_version = 0 /\ (\A p \in Partition : ~exists[p]) /\ (\A x \in Broker : ~registered[x]))

\* For P2: a replica is left when a reassignment is cancelled.
N7 == \A p \in Partition : exists[p] => (\E x \in Broker : x \in Elements(replicas[p]) /\ x \notin adding[p])

\* For P4, P18: a partition that does not exist has no eligible leader replica.
N6 == \A p \in Partition : elr[p] # {} => exists[p]

\* A partition is a number in a topic: what its record says of the topic, one record of a request says.
N10 == \A p \in Partition, q \in Partition : (topic[p] = topic[q] /\ index[p] = index[q]) => p = q

\* For B1, B3: no registration is ahead of the log, so that the next one is after it.
N9 == \A x \in Broker : registered[x] => registration_offset[x] <= log_end
================================================================================
