--------------------------------- MODULE kraft ---------------------------------
\* kraft: The KRaft controller of Kafka 4.4: brokers, partitions, topics, and what a real log needs beside them.
\* Made from the tables of kraft 990d2641ce09; not to be edited.
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS Maxlevel, NumberBroker, NumberIncarnation, NumberDirectory, NumberRange, NumberFeature, Maxoffset,
  NumberPartition, Maxcopies, NumberTopic, NumberName, Maxsize, Maxindex, Maxleader_epoch, Maxpartition_epoch,
  NumberRequest, NumberSetting, NumberValue, NumberCredential, Maxiterations, NumberNode, Maxproducer_id, NumberAcl,
  NumberBinding, Maxcode, NumberToken, NumberPrincipal, Maxtime, NumberQuota, NumberQuotaKind, NumberRate,
  NumberQuotaKey, None

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
Credential == 0..(NumberCredential - 1)
iterations_2 == 0..Maxiterations
Node == 0..(NumberNode - 1)
producer_id == 0..Maxproducer_id
Acl == 0..(NumberAcl - 1)
Binding == 0..(NumberBinding - 1)
code == 0..Maxcode
Token == 0..(NumberToken - 1)
Principal == 0..(NumberPrincipal - 1)
time == 0..Maxtime
Quota == 0..(NumberQuota - 1)
QuotaKind == 0..(NumberQuotaKind - 1)
Rate == 0..(NumberRate - 1)
QuotaKey == 0..(NumberQuotaKey - 1)
Direction == {"UNKNOWN", "UPGRADE", "SAFE_DOWNGRADE", "UNSAFE_DOWNGRADE"}
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
  feature_level, lowest, highest, epoch, elr_index, exists, isr, topic, own_unclean, active_controller, node_unclean,
  unclean, removing, adding, replicas, fenced, in_controlled_shutdown, location, min_insync, replication, elr, leader,
  last_known, recovery, elr_disordered, last_nobody, index, leader_epoch, partition_epoch, log_end, ranges,
  cordon_known, cordoned, registration_offset, soft_fenced, shutdown_offset, reported, assigns, live, assigned,
  outdated, sent, from, from_epoch, about, from_leader_epoch, from_partition_epoch, wanted, member_epoch,
  wanted_recovery, placed, name, cluster_min_insync, cluster_unclean, asks, resource_type, resource, asked,
  own_min_insync, setting, adds, cluster_min_set, has_credential, gives_level, asked_level, gives_credential,
  gives_iterations, iterations, controller_incarnation, controller_ranges, key, min_insync_replicas, static_unclean,
  away, min_asked, min_away, min_to, unclean_asked, unclean_away, unclean_to, node_asked, node_away, node_to,
  next_producer_id, producer_ids_begun, granted, resource_code, pattern_code, operation_code, permission_code,
  resource_name, nameless, in_force, says, matches, scram_user, mechanism, owner, has_token, requester, renewers,
  issued_at, latest, expires_at, published, quota_kinds, user, client_id, ip, quota_names, rate, quota_key,
  producer_byte_rate, consumer_byte_rate, request_percentage, controller_mutation_rate, connection_creation_rate

vars == <<metadata_version, in_transaction, registered, incarnation, contact, unassigned, migrating, lost, directories,
  range_feature, metadata_version_2, eligible_leader_replicas_version, elr_version, kraft_version, kraft_version_2,
  feature_level, lowest, highest, epoch, elr_index, exists, isr, topic, own_unclean, active_controller, node_unclean,
  unclean, removing, adding, replicas, fenced, in_controlled_shutdown, location, min_insync, replication, elr, leader,
  last_known, recovery, elr_disordered, last_nobody, index, leader_epoch, partition_epoch, log_end, ranges,
  cordon_known, cordoned, registration_offset, soft_fenced, shutdown_offset, reported, assigns, live, assigned,
  outdated, sent, from, from_epoch, about, from_leader_epoch, from_partition_epoch, wanted, member_epoch,
  wanted_recovery, placed, name, cluster_min_insync, cluster_unclean, asks, resource_type, resource, asked,
  own_min_insync, setting, adds, cluster_min_set, has_credential, gives_level, asked_level, gives_credential,
  gives_iterations, iterations, controller_incarnation, controller_ranges, key, min_insync_replicas, static_unclean,
  away, min_asked, min_away, min_to, unclean_asked, unclean_away, unclean_to, node_asked, node_away, node_to,
  next_producer_id, producer_ids_begun, granted, resource_code, pattern_code, operation_code, permission_code,
  resource_name, nameless, in_force, says, matches, scram_user, mechanism, owner, has_token, requester, renewers,
  issued_at, latest, expires_at, published, quota_kinds, user, client_id, ip, quota_names, rate, quota_key,
  producer_byte_rate, consumer_byte_rate, request_percentage, controller_mutation_rate, connection_creation_rate>>

registered_and_others == <<registered, incarnation, epoch, ranges>>

never_written == <<unassigned, migrating, lost, range_feature, metadata_version_2, eligible_leader_replicas_version,
  kraft_version, lowest, highest, assigns, assigned, placed, asks, resource_type, resource, asked, adds, gives_level,
  asked_level, gives_credential, gives_iterations, key, min_insync_replicas, static_unclean, away, min_asked, min_away,
  min_to, unclean_asked, unclean_away, unclean_to, node_asked, node_away, node_to, resource_code, pattern_code,
  operation_code, permission_code, resource_name, nameless, matches, scram_user, mechanism, published, quota_kinds,
  user, client_id, ip, quota_names, quota_key, producer_byte_rate, consumer_byte_rate, request_percentage,
  controller_mutation_rate, connection_creation_rate>>

directories_and_others == <<directories, cordon_known, cordoned>>

elr_index_and_others == <<elr_index, isr, removing, adding, replicas, location, leader, recovery, leader_epoch>>

elr_and_others == <<elr, last_known, last_nobody, partition_epoch>>

sent_and_others == <<sent, from, from_epoch, about, from_leader_epoch, from_partition_epoch, wanted, member_epoch,
  wanted_recovery>>

owner_and_others == <<owner, requester, renewers, issued_at, latest, expires_at>>

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

failed(b, dirs) == directories[b] \intersect dirs

stale_directory(b, dirs) == \E p \in Partition, d \in Directory : ~exists[p] /\ d \in failed(b, dirs) /\ location[p, b]
  = d

left(b, dirs) == directories[b] \ dirs

settled(p) == leader[p] \in electable(p) /\ removing[p] = {} /\ adding[p] = {} /\ elr[p] = {} /\ ~elr_disordered[p]

ours(p, b) == assigns[p] /\ exists[p] /\ live[topic[p]] /\ b \in Elements(replicas[p])

undecided(p) == assigned[p] = unassigned \/ assigned[p] = migrating

had(p, b) == assigned[p] # lost /\ (directories[b] = {} \/ assigned[p] \in directories[b])

in_failed(p, b) == ~undecided(p) /\ ~had(p, b)

overlapping(b) == \E p \in Partition : ~settled(p) /\ ours(p, b) /\ in_failed(p, b)

stale_sender(b, m) == ~registered[b] \/ from_epoch[m] # epoch[b]

recovered(m) == wanted_recovery[m] = "RECOVERED"

others_in_isr(m, b) == \E x \in Broker : x \in Elements(wanted[m]) /\ x # b

ineligible_member(m) == \E x \in Broker : x \in Elements(wanted[m]) /\ (~registered[x] \/ in_controlled_shutdown[x] \/
  fenced[x] \/ (member_epoch[m, x] # -1 /\ member_epoch[m, x] # epoch[x]))

stranger(target) == \E x \in Broker : x \in Elements(target) /\ ~registered[x]

closed(x) == directories[x] # {} /\ directories[x] \subseteq cordoned[x]

all_cordoned(target) == \E x \in Broker : x \in Elements(target) /\ closed(x)

bad_target(target) == target = <<>> \/ Cardinality(Elements(target)) < Len(target) \/ stranger(target) \/
  all_cordoned(target)

resized(target, p) == ~(Cardinality(Elements(target)) >= Cardinality(Elements(replicas[p]) \ removing[p]) /\
  Cardinality(Elements(replicas[p]) \ removing[p]) >= Cardinality(Elements(target)))

leaving_2(p, target) == Elements(replicas[p]) \ Elements(target)

merged(target, p) == Join(target, InOrder(leaving_2(p, target)))

entering(target, p) == Elements(target) \ Elements(replicas[p])

old_isr(p) == KeepIn(isr[p], Elements(isr[p]) \ adding[p])

uncleanly(p) == old_isr(p) = <<>>

reassigning(p) == removing[p] # {} \/ adding[p] # {}

old_replicas(p) == KeepIn(replicas[p], Elements(replicas[p]) \ adding[p])

led_by_preferred(p) == leader[p] # None /\ FirstIn(replicas[p], Elements(replicas[p])) = leader[p]

well_placed(t) == \A p \in Partition : topic[p] = t => ((\A x \in Broker : x \in Elements(placed[p]) => (registered[x]
  /\ ~closed(x))) /\ ~(Cardinality(Elements(placed[p])) < Len(placed[p])) /\ placed[p] # <<>> /\ (\A q \in Partition :
  topic[q] = t => (Cardinality(Elements(placed[p])) >= Cardinality(Elements(placed[q])) /\
  Cardinality(Elements(placed[q])) >= Cardinality(Elements(placed[p])))))

numbered_from_0(t) == (\E p \in Partition : topic[p] = t /\ index[p] = 0) /\ (\A p \in Partition : topic[p] = t =>
  (index[p] = 0 \/ (\E q \in Partition : topic[q] = topic[p] /\ topic[q] = t /\ index[p] = index[q] + 1)))

name_taken(n) == \E u \in Topic : live[u] /\ name[u] = n

active == {x \in Broker : active_broker(x)}

hosted(t) == \A p \in Partition : topic[p] = t => (\E x \in Broker : x \in Elements(placed[p]) /\ x \in active)

badly_placed(t) == \E p \in Partition : adds[p] /\ topic[p] = t /\ ~exists[p] /\ ~((\A x \in Broker : x \in
  Elements(placed[p]) => (registered[x] /\ ~closed(x))) /\ ~(Cardinality(Elements(placed[p])) < Len(placed[p])) /\
  placed[p] # <<>> /\ (\E q \in Partition : exists[q] /\ topic[q] = t /\ Cardinality(Elements(placed[p])) >=
  Cardinality(Elements(replicas[q])) /\ Cardinality(Elements(replicas[q])) >= Cardinality(Elements(placed[p]))))

numbered_on(t) == \A p \in Partition : (adds[p] /\ topic[p] = t /\ ~exists[p]) => (index[p] = 0 \/ (\E q \in Partition :
  topic[q] = topic[p] /\ (exists[q] \/ adds[q]) /\ index[p] = index[q] + 1))

unhosted(t) == \E p \in Partition : adds[p] /\ topic[p] = t /\ ~exists[p] /\ ~(\E x \in Broker : x \in
  Elements(placed[p]) /\ x \in active)

nothing_added(t) == ~(\E p \in Partition : adds[p] /\ topic[p] = t /\ ~exists[p])

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

named(t, n) == live[t] /\ name[t] = n

new_size(deletes, t, size_2) == (deletes /\ own_min_insync[t]) \/ (~deletes /\ (~own_min_insync[t] \/ min_insync[t] #
  size_2))

new_switch(deletes, t, switch) == (deletes /\ own_unclean[t]) \/ (~deletes /\ (~own_unclean[t] \/ unclean[t] # switch))

same_minimum(deletes, size_2) == cluster_min_set /\ ~deletes /\ cluster_min_insync = size_2

brokers_own_minimum(s) == resource_type[s] = 4 /\ key[s] = min_insync_replicas

unknown_topic(s) == resource_type[s] = 2 /\ ~(\E t \in Topic : live[t] /\ name[t] = resource[s])

new_value(deletes, s, value) == (deletes /\ setting[s] # None) \/ (~deletes /\ setting[s] # value)

cluster_loses(sets_min, drops_min) == sets_min /\ drops_min

broker_gets == \E s \in Setting : (resource_type[s] # 2 \/ (\E t \in Topic : live[t] /\ name[t] = resource[s])) /\
  ((away[s] /\ setting[s] # None) \/ (~away[s] /\ asks[s] /\ setting[s] # asked[s]) \/ (asks[s] /\ resource_type[s] =
  4)) /\ resource_type[s] = 4 /\ key[s] = min_insync_replicas

elr_forbids(sets_min, drops_min) == elr_on /\ (cluster_loses(sets_min, drops_min) \/ broker_gets)

spent == 9223372036854774807 < next_producer_id

known_codes(v) == 2 <= resource_code[v] /\ resource_code[v] <= 7 /\ 3 <= pattern_code[v] /\ pattern_code[v] <= 4 /\ 2 <=
  operation_code[v] /\ operation_code[v] <= 15 /\ 2 <= permission_code[v] /\ permission_code[v] <= 3

before_scram == metadata_version < 11

unnamed(c) == scram_user[c] = nameless

no_mechanism(c) == mechanism[c] < 1 \/ 2 < mechanism[c]

hashed_enough(iterations_3) == 4096 <= iterations_3 /\ iterations_3 <= 16384

before_tokens == metadata_version < 14

found(k) == published[k] /\ owner[k] # None

is_over(k, now) == latest[k] < now \/ expires_at[k] < now

may_renew(k, by) == owner[k] = by \/ by \in renewers[k]

of_clients(q) == quota_kinds[q] # {} /\ quota_kinds[q] \subseteq {user, client_id}

of_address(q) == quota_kinds[q] = {ip}

legal_entity(q, resolves) == (of_clients(q) \/ (of_address(q) /\ resolves)) /\ nameless \notin quota_names[q]

limits_clients(q) == quota_key[q] = producer_byte_rate \/ quota_key[q] = consumer_byte_rate \/ quota_key[q] =
  request_percentage \/ quota_key[q] = controller_mutation_rate

legal_key(q) == (of_clients(q) /\ limits_clients(q)) \/ (of_address(q) /\ quota_key[q] = connection_creation_rate)

min_isr(p) == Lesser(min_insync[topic[p]], replication[topic[p]])

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

miscounted(p) == \E x \in Broker : elr_index[p, x] # (IF x \in elr[p] THEN 1 ELSE 0)

can_do_3(x, f) == IF \E r \in Range : r \in ranges[x] /\ range_feature[r] = f THEN \E r \in Range : r \in ranges[x] /\
  range_feature[r] = f /\ lowest[r] <= finalized_2(f) /\ finalized_2(f) <= highest[r] ELSE finalized_2(f) = 0

can_do_4(c, f) == IF \E r \in Range : r \in controller_ranges[c] /\ range_feature[r] = f THEN \E r \in Range : r \in
  controller_ranges[c] /\ range_feature[r] = f /\ lowest[r] <= finalized_2(f) /\ finalized_2(f) <= highest[r] ELSE
  finalized_2(f) = 0

joins_isr(p, x) == exists[p] /\ exists[p]' /\ ~outdated[p]' /\ (x \in Elements(isr[p]))' /\ x \notin Elements(isr[p])

proposed(p, x) == \E m \in Request : sent[m] /\ about[m] = p /\ from[m] = leader[p] /\ from_leader_epoch[m] =
  leader_epoch[p] /\ from_partition_epoch[m] = partition_epoch[p] /\ x \in Elements(wanted[m])

taken_back_uncleanly(p, x) == reassignment_ended(p) /\ Elements(isr[p]) \subseteq adding[p] /\ allows_unclean(p) /\
  isr[p]' = OnlyItem(x)

newly_led(p, x) == exists[p] /\ exists[p]' /\ ~outdated[p]' /\ leader[p]' = x /\ leader[p] # x

waits(p, x) == exists[p] /\ leader[p] = None /\ active_broker(x) /\ online(p, x) /\ (x \in Elements(isr[p]) \/ (isr[p] =
  <<>> /\ x \in elr[p]))

may_lead(x, p) == active_broker(x) /\ online(p, x)

values_stay == (\A s \in Setting : setting[s]' = setting[s]) /\ (\A n \in Name : node_unclean[n]' = node_unclean[n]) /\
  (\A t \in Topic : min_insync[t]' = min_insync[t] /\ own_min_insync[t]' = own_min_insync[t] /\ unclean[t]' = unclean[t]
  /\ own_unclean[t]' = own_unclean[t]) /\ cluster_min_insync' = cluster_min_insync /\ cluster_min_set' = cluster_min_set
  /\ cluster_unclean' = cluster_unclean

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
    min_isr_2 == Lesser(min_insync[topic[p]], replication[topic[p]])
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

\* The broker is taken out of every ISR; where it is an eligible leader replica it stays one (D7).
leave(b) ==
  LET
    listed(k, p) == IF k = "FIRST" THEN 1 <= elr_index[p, b] ELSE IF k = "SECOND" THEN 2 <= elr_index[p, b] ELSE IF k =
        "THIRD" THEN 3 <= elr_index[p, b] ELSE 4 <= elr_index[p, b]
  IN
    [PartitionChange |-> retreat(b), PartitionChange_2 |-> UNION {UNION {change(p, KeepIn(isr[p], Elements(isr[p]) \
        {b}), electable(p) \ {b}, {}, IF allows_unclean(p) THEN "UNCLEAN" ELSE "ONLINE", replicas[p], removing[p],
        adding[p], recovery[p]) : k \in {k \in Copy : listed(k, p)}} : p \in {p \in Partition : exists[p]}}]

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

\* The broker leaves the ISR of every partition that it has in one of the directories.
abandon(b, dirs) ==
  UNION {change(p, KeepIn(isr[p], Elements(isr[p]) \ {b}), electable(p) \ {b}, {}, IF allows_unclean(p) THEN "UNCLEAN"
      ELSE "ONLINE", replicas[p], removing[p], adding[p], recovery[p]) : p \in {p \in Partition : exists[p] /\
      location[p, b] \in dirs}}

\* Replaying a change of the registration that leaves an unfenced broker unfenced forgets the offset that it reported.
forgets(b) ==
  IF ~soft_fenced[b] THEN {[at |-> b, to |-> -1]} ELSE {}

\* A replica of the partition is in another directory; whatever the builder finds to change is changed with it.
relocate(p, holder, into) ==
  LET
    isr_left_2 == KeepIn(isr[p], Elements(isr[p]) \ removing[p])
    target_left_2 == KeepIn(replicas[p], Elements(replicas[p]) \ removing[p])
    completes_2 == (removing[p] # {} \/ adding[p] # {}) /\ (removing[p] = {} \/ (isr_left_2 # <<>> /\ target_left_2 #
        <<>>)) /\ adding[p] \subseteq Elements(isr_left_2) /\ (Cardinality(adding[p]) >= Cardinality(removing[p]) \/
        Elements(target_left_2) \subseteq Elements(isr_left_2))
    replicas1_2 == IF completes_2 THEN target_left_2 ELSE replicas[p]
    online_3(x) == location[p, x] = unassigned \/ location[p, x] = migrating \/ (location[p, x] # None /\ location[p, x]
        # lost /\ (directories[x] = {} \/ location[p, x] \in directories[x]))
    electable_2 == {x \in Broker : active_broker(x) /\ online_3(x)}
    isr1_2 == IF completes_2 THEN isr_left_2 ELSE isr[p]
    min_isr_2 == Lesser(min_insync[topic[p]], replication[topic[p]])
    enough_in_sync_2 == Cardinality(Elements(isr1_2)) >= min_isr_2
    candidates_2 == IF elr_on THEN IF enough_in_sync_2 THEN {} ELSE ((elr[p] \union Elements(isr[p])) \
        Elements(isr1_2)) \ {} ELSE elr[p]
    valid_2 == electable_2 \intersect (IF isr1_2 = <<>> THEN candidates_2 ELSE Elements(isr1_2))
    clean_2 == IF "ONLINE" = "PREFERRED" /\ FirstIn(replicas1_2, Elements(replicas1_2)) \in valid_2 THEN
        FirstIn(replicas1_2, Elements(replicas1_2)) ELSE IF leader[p] \in valid_2 THEN leader[p] ELSE
        FirstIn(replicas1_2, valid_2)
    recalled_2 == IF elr_on /\ isr1_2 = <<>> /\ candidates_2 = {} THEN FirstIn(last_known[p], electable_2) ELSE None
    elected_2 == IF clean_2 # None THEN clean_2 ELSE IF recalled_2 # None THEN recalled_2 ELSE IF "ONLINE" = "UNCLEAN"
        THEN FirstIn(replicas1_2, electable_2) ELSE None
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
    removing1 == IF completes_2 THEN {} ELSE removing[p]
    adding1 == IF completes_2 THEN {} ELSE adding[p]
    recovery1 == IF loses_2 /\ recovery[p] = recovery[p] THEN "RECOVERING" ELSE recovery[p]
    elr3 == IF elr_on /\ ~loses_2 THEN IF from_elr_2 THEN candidates_2 \ ({elected_2} \ {None}) ELSE candidates_2 ELSE
        {}
    elr_said == elr3 # elr[p] \/ elr_disordered[p]
    remembers == elr_on /\ leader_said_2 /\ (elected_2 = None) = (last_known[p] = <<>> /\ ~last_nobody[p])
  IN
    IF isr_said_2 \/ leader_said_2 \/ replicas1_2 # replicas[p] \/ removing1 # removing[p] \/ adding1 # adding[p] \/
        recovery1 # recovery[p] \/ elr_said \/ remembers \/ (17 <= metadata_version /\ ((17 <= metadata_version /\
        replicas1_2 # replicas[p]) \/ (holder \in Elements(replicas1_2) /\ location[p, holder] # into))) THEN
        {[partition |-> p, isr_said |-> isr_said_2, isr |-> isr3_2, leader_said |-> leader_said_2, leader |-> elected_2,
        replicas_said |-> replicas1_2 # replicas[p], replicas |-> replicas1_2, removing_said |-> removing1 #
        removing[p], removing |-> removing1, adding_said |-> adding1 # adding[p], adding |-> adding1, recovery_said |->
        recovery1 # recovery[p], recovery |-> recovery1, elr_said |-> elr_said, elr |-> elr3, last_known_said |->
        remembers, last_known |-> IF elected_2 # None THEN <<>> ELSE OnlyItem(leader[p]), directories_said |-> 17 <=
        metadata_version /\ ((17 <= metadata_version /\ replicas1_2 # replicas[p]) \/ (holder \in Elements(replicas1_2)
        /\ location[p, holder] # into)), directories |-> [x \in Broker |-> IF x = holder THEN into ELSE IF location[p,
        x] # None THEN location[p, x] ELSE default_directory(x)]]} ELSE {}

\* A replica of the partition is in another directory, and nothing else has changed.
seat(p, holder, into) ==
  IF 17 <= metadata_version /\ location[p, holder] # into THEN {[partition |-> p, isr_said |-> FALSE, leader_said |->
      FALSE, replicas_said |-> FALSE, removing_said |-> FALSE, adding_said |-> FALSE, recovery_said |-> FALSE, elr_said
      |-> FALSE, last_known_said |-> FALSE, directories_said |-> 17 <= metadata_version /\ location[p, holder] # into,
      directories |-> [x \in Broker |-> IF x = holder THEN into ELSE location[p, x]]]} ELSE {}

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

UnregisterBroker_replayed(written) ==
  /\ registered' = Put(registered, {[at |-> r.broker, to |-> FALSE] : r \in written})
  /\ epoch' = Put(epoch, {[at |-> r.broker, to |-> -1] : r \in written})
  /\ incarnation' = Put(incarnation, {[at |-> r.broker, to |-> None] : r \in written})
  /\ fenced' = Put(fenced, {[at |-> r.broker, to |-> FALSE] : r \in written})
  /\ in_controlled_shutdown' = Put(in_controlled_shutdown, {[at |-> r.broker, to |-> FALSE] : r \in written})
  /\ directories' = Put(directories, {[at |-> r.broker, to |-> {}] : r \in written})
  /\ ranges' = Put(ranges, {[at |-> r.broker, to |-> {}] : r \in written})
  /\ cordon_known' = Put(cordon_known, {[at |-> r.broker, to |-> FALSE] : r \in written})
  /\ cordoned' = Put(cordoned, {[at |-> r.broker, to |-> {}] : r \in written})

Fence_fenced(old, written) == Put(old, {[at |-> r.broker, to |-> TRUE] : r \in written})

Unfence_fenced(old, written) == Put(old, {[at |-> r.broker, to |-> FALSE] : r \in written})

InControlledShutdown_in_controlled_shutdown(old, written) == Put(old, {[at |-> r.broker, to |-> TRUE] : r \in written})

Directories_replayed(written) ==
  /\ directories' = Put(directories, {[at |-> r.broker, to |-> r.directories] : r \in {r \in written :
         r.directories_said}})
  /\ cordoned' = Put(cordoned, {[at |-> r.broker, to |-> r.cordoned] : r \in {r \in written : r.cordoned_said}})
  /\ cordon_known' = Put(cordon_known, {[at |-> r.broker, to |-> TRUE] : r \in {r \in written : r.cordoned_said}})

Topic_live(old, written) == Put(old, {[at |-> r.topic, to |-> TRUE] : r \in written})

Topic_name(old, written) == Put(old, {[at |-> r.topic, to |-> r.name] : r \in written})

Topic_min_insync(old, cluster_min_insync_2, written) == Put(old, {[at |-> r.topic, to |-> cluster_min_insync_2] : r \in
  written})

Topic_unclean(old, cluster_unclean_2, written) == Put(old, {[at |-> r.topic, to |-> cluster_unclean_2] : r \in written})

TopicMinInsync_min_insync(old, cluster_min_insync_2, name_2, written) == Put(old, UNION {{[at |-> t, to |-> IF
  r.value_said THEN r.value ELSE cluster_min_insync_2] : t \in {t \in Topic : name_2[t] = r.resource}} : r \in written})

TopicMinInsync_own_min_insync(old, name_2, written) == Put(old, UNION {{[at |-> t, to |-> r.value_said] : t \in {t \in
  Topic : name_2[t] = r.resource}} : r \in written})

TopicMinInsync_replayed(written) ==
  /\ min_insync' = Put(min_insync, UNION {{[at |-> t, to |-> IF r.value_said THEN r.value ELSE cluster_min_insync] : t
         \in {t \in Topic : name[t] = r.resource}} : r \in written})
  /\ own_min_insync' = Put(own_min_insync, UNION {{[at |-> t, to |-> r.value_said] : t \in {t \in Topic : name[t] =
         r.resource}} : r \in written})
  /\ min_insync' \in [Topic -> size]

TopicUnclean_unclean(old, cluster_unclean_2, name_2, written) == Put(old, UNION {{[at |-> t, to |-> IF r.value_said THEN
  r.value ELSE cluster_unclean_2] : t \in {t \in Topic : name_2[t] = r.resource}} : r \in written})

TopicUnclean_own_unclean(old, name_2, written) == Put(old, UNION {{[at |-> t, to |-> r.value_said] : t \in {t \in Topic
  : name_2[t] = r.resource}} : r \in written})

TopicUnclean_replayed(written) ==
  /\ unclean' = Put(unclean, UNION {{[at |-> t, to |-> IF r.value_said THEN r.value ELSE cluster_unclean] : t \in {t \in
         Topic : name[t] = r.resource}} : r \in written})
  /\ own_unclean' = Put(own_unclean, UNION {{[at |-> t, to |-> r.value_said] : t \in {t \in Topic : name[t] =
         r.resource}} : r \in written})

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

ClearElr_replayed(written) ==
  /\ elr' = Put(elr, UNION {{[at |-> q, to |-> {}] : q \in {q \in Partition : (elr[q] # {} \/ last_known[q] # <<>> \/
         last_nobody[q]) /\ exists[q] /\ name[topic[q]] = r.name}} : r \in written})
  /\ last_known' = Put(last_known, UNION {{[at |-> q, to |-> <<>>] : q \in {q \in Partition : (elr[q] # {} \/
         last_known[q] # <<>> \/ last_nobody[q]) /\ exists[q] /\ name[topic[q]] = r.name}} : r \in written})
  /\ last_nobody' = Put(last_nobody, UNION {{[at |-> q, to |-> FALSE] : q \in {q \in Partition : (elr[q] # {} \/
         last_known[q] # <<>> \/ last_nobody[q]) /\ exists[q] /\ name[topic[q]] = r.name}} : r \in written})
  /\ partition_epoch' = Put(partition_epoch, UNION {{[at |-> q, to |-> partition_epoch[q] + 1] : q \in {q \in Partition
         : (elr[q] # {} \/ last_known[q] # <<>> \/ last_nobody[q]) /\ exists[q] /\ name[topic[q]] = r.name}} : r \in
         written})
  /\ partition_epoch' \in [Partition -> partition_epoch_2]

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

Partition_replayed(written) ==
  /\ exists' = Put(exists, {[at |-> r.partition, to |-> TRUE] : r \in written})
  /\ topic' = Put(topic, {[at |-> r.partition, to |-> r.topic] : r \in written})
  /\ index' = Put(index, {[at |-> r.partition, to |-> r.index] : r \in written})
  /\ replicas' = Put(replicas, {[at |-> r.partition, to |-> r.replicas] : r \in written})
  /\ isr' = Put(isr, {[at |-> r.partition, to |-> r.isr] : r \in written})
  /\ removing' = Put(removing, {[at |-> r.partition, to |-> r.removing] : r \in written})
  /\ adding' = Put(adding, {[at |-> r.partition, to |-> r.adding] : r \in written})
  /\ leader' = Put(leader, {[at |-> r.partition, to |-> r.leader] : r \in written})
  /\ leader_epoch' = Put(leader_epoch, {[at |-> r.partition, to |-> r.leader_epoch] : r \in written})
  /\ partition_epoch' = Put(partition_epoch, {[at |-> r.partition, to |-> r.partition_epoch] : r \in written})
  /\ recovery' = Put(recovery, {[at |-> r.partition, to |-> IF r.recovery_said THEN r.recovery ELSE "RECOVERED"] : r \in
         written})
  /\ elr' = Put(elr, {[at |-> r.partition, to |-> IF r.elr_said THEN r.elr ELSE {}] : r \in written})
  /\ last_known' = Put(last_known, {[at |-> r.partition, to |-> IF r.last_known_said THEN r.last_known ELSE <<>>] : r
         \in written})
  /\ last_nobody' = Put(last_nobody, {[at |-> r.partition, to |-> r.last_known_said /\ (IF r.last_known_said THEN
         r.last_known ELSE <<>>) = <<>>] : r \in written})
  /\ elr_index' = Put(elr_index, UNION {{[at |-> <<r.partition, x>>, to |-> IF x \in (IF r.elr_said THEN r.elr ELSE {})
         THEN 1 ELSE 0] : x \in Broker} : r \in written})
  /\ location' = Put(location, UNION {{[at |-> <<r.partition, x>>, to |-> IF x \in Elements(r.replicas) THEN IF
         r.directories_said THEN r.directories[x] ELSE migrating ELSE None] : x \in Broker} : r \in written})
  /\ replication' = Put(replication, {[at |-> r.topic, to |-> Cardinality(Elements(r.replicas))] : r \in {r \in written
         : r.index = 0}})
  /\ index' \in [Partition -> index_2]
  /\ leader_epoch' \in [Partition -> leader_epoch_2]
  /\ partition_epoch' \in [Partition -> partition_epoch_2]
  /\ elr_index' \in [Partition \X Broker -> copies]
  /\ replication' \in [Topic -> size]

RemoveTopic_replayed(written) ==
  /\ live' = Put(live, {[at |-> r.topic, to |-> FALSE] : r \in written})
  /\ setting' = Put(setting, UNION {{[at |-> s, to |-> None] : s \in {s \in Setting : resource_type[s] = 2 /\
         name[r.topic] = resource[s]}} : r \in written})
  /\ name' = Put(name, {[at |-> r.topic, to |-> None] : r \in written})
  /\ own_min_insync' = Put(own_min_insync, {[at |-> r.topic, to |-> FALSE] : r \in written})
  /\ own_unclean' = Put(own_unclean, {[at |-> r.topic, to |-> FALSE] : r \in written})
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

UserScramCredential_replayed(written) ==
  /\ has_credential' = Put(has_credential, {[at |-> r.credential, to |-> TRUE] : r \in written})
  /\ iterations' = Put(iterations, {[at |-> r.credential, to |-> r.iterations] : r \in written})
  /\ iterations' \in [Credential -> iterations_2]

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

ClearAllElr_elr(old, elr_2, exists_2, last_known_2, last_nobody_2, written) == Put(old, UNION {{[at |-> q, to |-> {}] :
  q \in {q \in Partition : (elr_2[q] # {} \/ last_known_2[q] # <<>> \/ last_nobody_2[q]) /\ exists_2[q]}} : r \in
  written})

ClearAllElr_last_known(old, elr_2, exists_2, last_known_2, last_nobody_2, written) == Put(old, UNION {{[at |-> q, to |->
  <<>>] : q \in {q \in Partition : (elr_2[q] # {} \/ last_known_2[q] # <<>> \/ last_nobody_2[q]) /\ exists_2[q]}} : r
  \in written})

ClearAllElr_last_nobody(old, elr_2, exists_2, last_known_2, last_nobody_2, written) == Put(old, UNION {{[at |-> q, to
  |-> FALSE] : q \in {q \in Partition : (elr_2[q] # {} \/ last_known_2[q] # <<>> \/ last_nobody_2[q]) /\ exists_2[q]}} :
  r \in written})

ClearAllElr_partition_epoch(old, elr_2, exists_2, last_known_2, last_nobody_2, partition_epoch_3, written) == Put(old,
  UNION {{[at |-> q, to |-> partition_epoch_3[q] + 1] : q \in {q \in Partition : (elr_2[q] # {} \/ last_known_2[q] #
  <<>> \/ last_nobody_2[q]) /\ exists_2[q]}} : r \in written})

ClearAllElr_replayed(written) ==
  /\ elr' = Put(elr, UNION {{[at |-> q, to |-> {}] : q \in {q \in Partition : (elr[q] # {} \/ last_known[q] # <<>> \/
         last_nobody[q]) /\ exists[q]}} : r \in written})
  /\ last_known' = Put(last_known, UNION {{[at |-> q, to |-> <<>>] : q \in {q \in Partition : (elr[q] # {} \/
         last_known[q] # <<>> \/ last_nobody[q]) /\ exists[q]}} : r \in written})
  /\ last_nobody' = Put(last_nobody, UNION {{[at |-> q, to |-> FALSE] : q \in {q \in Partition : (elr[q] # {} \/
         last_known[q] # <<>> \/ last_nobody[q]) /\ exists[q]}} : r \in written})
  /\ partition_epoch' = Put(partition_epoch, UNION {{[at |-> q, to |-> partition_epoch[q] + 1] : q \in {q \in Partition
         : (elr[q] # {} \/ last_known[q] # <<>> \/ last_nobody[q]) /\ exists[q]}} : r \in written})
  /\ partition_epoch' \in [Partition -> partition_epoch_2]

ClusterUnclean_cluster_unclean(old, static_unclean_2, written) == PutCell(old, {IF r.value_said THEN r.value ELSE
  static_unclean_2 : r \in written})

ClusterUnclean_unclean(old, live_2, own_unclean_2, static_unclean_2, written) == Put(old, UNION {{[at |-> t, to |-> IF
  r.value_said THEN r.value ELSE static_unclean_2] : t \in {t \in Topic : live_2[t] /\ ~own_unclean_2[t]}} : r \in
  written})

ClusterUnclean_replayed(written) ==
  /\ cluster_unclean' = PutCell(cluster_unclean, {IF r.value_said THEN r.value ELSE static_unclean : r \in written})
  /\ unclean' = Put(unclean, UNION {{[at |-> t, to |-> IF r.value_said THEN r.value ELSE static_unclean] : t \in {t \in
         Topic : live[t] /\ ~own_unclean[t]}} : r \in written})

NodeUnclean_node_unclean(old, written) == Put(old, {[at |-> r.resource, to |-> IF r.value_said THEN IF r.value_said THEN
  r.value ELSE FALSE ELSE None] : r \in written})

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

AccessControlEntry_replayed(written) ==
  /\ granted' = Put(granted, {[at |-> r.acl, to |-> TRUE] : r \in written})
  /\ says' = Put(says, {[at |-> r.acl, to |-> r.binding] : r \in written})
  /\ in_force' = Put(in_force, {[at |-> r.binding, to |-> TRUE] : r \in written})

RemoveAccessControlEntry_replayed(written) ==
  /\ in_force' = Put(in_force, {[at |-> says[r.acl], to |-> FALSE] : r \in written})
  /\ granted' = Put(granted, {[at |-> r.acl, to |-> FALSE] : r \in written})

RemoveUserScramCredential_has_credential(old, written) == Put(old, {[at |-> r.credential, to |-> FALSE] : r \in
  written})

DelegationToken_replayed(written) ==
  /\ has_token' = Put(has_token, {[at |-> r.token, to |-> TRUE] : r \in written})
  /\ owner' = Put(owner, {[at |-> r.token, to |-> r.owner] : r \in written})
  /\ requester' = Put(requester, {[at |-> r.token, to |-> r.requester] : r \in written})
  /\ renewers' = Put(renewers, {[at |-> r.token, to |-> r.renewers] : r \in written})
  /\ issued_at' = Put(issued_at, {[at |-> r.token, to |-> r.issued] : r \in written})
  /\ latest' = Put(latest, {[at |-> r.token, to |-> r.latest] : r \in written})
  /\ expires_at' = Put(expires_at, {[at |-> r.token, to |-> r.expires] : r \in written})
  /\ issued_at' \in [Token -> time]
  /\ latest' \in [Token -> time]
  /\ expires_at' \in [Token -> time]

RemoveDelegationToken_has_token(old, written) == Put(old, {[at |-> r.token, to |-> FALSE] : r \in written})

RemoveClientQuota_rate(old, written) == Put(old, {[at |-> r.quota, to |-> None] : r \in written})

ClientQuota_rate(old, written) == Put(old, {[at |-> r.quota, to |-> r.rate] : r \in written})

RG2_applies(b, i) == registered[b] /\ new_incarnation(b, i) /\ contact[b] = "RECENT"

RG8_applies(b, i, tells_previous_epoch, previous_epoch) == cleaned_up(b, i, tells_previous_epoch, previous_epoch) /\
  haunted(b)

R2_applies(b, i, tells_previous_epoch, previous_epoch) == new_incarnation(b, i) /\ (clean_restart(tells_previous_epoch,
  previous_epoch, b) \/ ~elr_on)

A11_applies(m, b) == ~recovered(m) /\ others_in_isr(m, b)

A12_applies(m, p) == ~recovered(m) /\ recovery[p] = "RECOVERED"

RA4_applies(may_resize, target, p) == ~may_resize /\ resized(target, p)

RC3_applies(p) == uncleanly(p) /\ ~allows_unclean(p)

CP4_applies(t, manual) == unhosted(t) /\ manual

FE2_applies(way, to_2, f) == way = "UPGRADE" /\ to_2 < finalized_2(f)

FE3_applies(way, f, to_2) == way # "UPGRADE" /\ finalized_2(f) < to_2

FE4_applies(f, to_2) == f = metadata_version_2 /\ crosses(to_2)

FE6_applies(f, to_2) == f = eligible_leader_replicas_version /\ 1 <= to_2 /\ metadata_version < 23

FE7_applies(f, to_2) == f = eligible_leader_replicas_version /\ 1 <= to_2

FE10_applies(f, way) == f = kraft_version /\ way = "UPGRADE"

FE11_applies(f, to_2) == f = kraft_version /\ to_2 < finalized_2(f)

CF3_applies(deletes, t, size_2, permitted) == new_size(deletes, t, size_2) /\ ~permitted

CF8_applies(deletes, t, switch, permitted) == new_switch(deletes, t, switch) /\ ~permitted

CF22_applies(deletes, s, value, permitted) == (new_value(deletes, s, value) \/ resource_type[s] = 4) /\ ~permitted

AL3_applies(range) == range /\ metadata_version < 32

AL4_applies(range, good_range) == range /\ ~good_range

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
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, min_insync, index, live, outdated, name,
         cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential, iterations,
         controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says,
         has_token, rate, never_written, sent_and_others, owner_and_others>>

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
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, min_insync, index, live, outdated, name,
         cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential, iterations,
         controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says,
         has_token, rate, never_written, sent_and_others, owner_and_others>>

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
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, min_insync, index, live, outdated, name,
         cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential, iterations,
         controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says,
         has_token, rate, never_written, sent_and_others, owner_and_others>>

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
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, min_insync, replication, elr_disordered, index, live,
         outdated, name, cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential,
         iterations, controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force,
         says, has_token, rate, never_written, elr_index_and_others, elr_and_others, sent_and_others, owner_and_others>>

\* S2:418
UR3_is_enabled(b) ==
  /\ registered[b]
  /\ (~haunted(b)) = TRUE

UR3(b) ==
  /\ UR3_is_enabled(b)
  /\ LET leave_1 == leave(b)
         written == leave_1.PartitionChange
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
         written_2 == leave_1.PartitionChange_2
     IN
     /\ UnregisterBroker_replayed({[broker |-> b, epoch |-> epoch[b]]})
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
     /\ elr_index' \in [Partition \X Broker -> copies]
     /\ leader_epoch' \in [Partition -> leader_epoch_2]
     /\ partition_epoch' \in [Partition -> partition_epoch_2]
     /\ replication' \in [Topic -> size]
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, min_insync, index, log_end, registration_offset,
         soft_fenced, shutdown_offset, reported, live, outdated, name, cluster_min_insync, cluster_unclean,
         own_min_insync, setting, cluster_min_set, has_credential, iterations, controller_incarnation,
         controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says, has_token, rate,
         never_written, sent_and_others, owner_and_others>>

\* S2:59-65, S3:236-244
HB1_is_enabled(b, broker_epoch, off, want_fence, want_down) ==
  /\ known(b, broker_epoch) = TRUE
  /\ is_fenced(b) = TRUE
  /\ want_down

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
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, in_controlled_shutdown, min_insync, index, log_end,
         registration_offset, live, outdated, name, cluster_min_insync, cluster_unclean, own_min_insync, setting,
         cluster_min_set, has_credential, iterations, controller_incarnation, controller_ranges, next_producer_id,
         producer_ids_begun, granted, in_force, says, has_token, rate, registered_and_others, never_written,
         directories_and_others, sent_and_others, owner_and_others>>

\* S2:59-65, S3:236-244
HB2_is_enabled(b, broker_epoch, off, want_fence, want_down) ==
  /\ known(b, broker_epoch) = TRUE
  /\ is_fenced(b) = TRUE
  /\ (~want_down) = TRUE
  /\ (~want_fence) = TRUE
  /\ caught_up(b, off) = TRUE
  /\ (~stranded(b)) = TRUE

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
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, in_controlled_shutdown, min_insync, index, log_end,
         registration_offset, shutdown_offset, live, outdated, name, cluster_min_insync, cluster_unclean,
         own_min_insync, setting, cluster_min_set, has_credential, iterations, controller_incarnation,
         controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says, has_token, rate,
         registered_and_others, never_written, directories_and_others, sent_and_others, owner_and_others>>

\* S2:59-65, S3:236-244
HB3_is_enabled(b, broker_epoch, off, want_fence, want_down) ==
  /\ known(b, broker_epoch) = TRUE
  /\ is_fenced(b) = TRUE
  /\ (~want_down) = TRUE
  /\ (want_fence \/ ~caught_up(b, off)) = TRUE

HB3(b, broker_epoch, off, want_fence, want_down) ==
  /\ HB3_is_enabled(b, broker_epoch, off, want_fence, want_down)
  /\ LET stays_1 == stays(b, off)
     IN
     /\ contact' = Put(contact, stays_1.contact)
     /\ reported' = Put(reported, stays_1.reported)
     /\ reported' \in [Broker -> offset]
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, live, outdated, name,
         cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential, iterations,
         controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says,
         has_token, rate, registered_and_others, never_written, directories_and_others, elr_index_and_others,
         elr_and_others, sent_and_others, owner_and_others>>

\* S2:59-65, S3:236-244
HB4_is_enabled(b, broker_epoch, off, want_fence, want_down) ==
  /\ known(b, broker_epoch) = TRUE
  /\ is_up(b) = TRUE
  /\ want_fence
  /\ want_down

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
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, in_controlled_shutdown, min_insync, index, log_end,
         registration_offset, live, outdated, name, cluster_min_insync, cluster_unclean, own_min_insync, setting,
         cluster_min_set, has_credential, iterations, controller_incarnation, controller_ranges, next_producer_id,
         producer_ids_begun, granted, in_force, says, has_token, rate, registered_and_others, never_written,
         directories_and_others, sent_and_others, owner_and_others>>

\* S2:59-65, S3:236-244
HB5_is_enabled(b, broker_epoch, off, want_fence, want_down) ==
  /\ known(b, broker_epoch) = TRUE
  /\ is_up(b) = TRUE
  /\ want_fence
  /\ (~want_down) = TRUE

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
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, in_controlled_shutdown, min_insync, index, log_end,
         registration_offset, live, outdated, name, cluster_min_insync, cluster_unclean, own_min_insync, setting,
         cluster_min_set, has_credential, iterations, controller_incarnation, controller_ranges, next_producer_id,
         producer_ids_begun, granted, in_force, says, has_token, rate, registered_and_others, never_written,
         directories_and_others, sent_and_others, owner_and_others>>

\* S2:59-65, S3:236-244
HB6_is_enabled(b, broker_epoch, off, want_fence, want_down) ==
  /\ known(b, broker_epoch) = TRUE
  /\ is_up(b) = TRUE
  /\ (~want_fence) = TRUE
  /\ want_down
  /\ leads(b) = TRUE

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
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, min_insync, index, registration_offset,
         soft_fenced, live, outdated, name, cluster_min_insync, cluster_unclean, own_min_insync, setting,
         cluster_min_set, has_credential, iterations, controller_incarnation, controller_ranges, next_producer_id,
         producer_ids_begun, granted, in_force, says, has_token, rate, registered_and_others, never_written,
         directories_and_others, sent_and_others, owner_and_others>>

\* S2:59-65, S3:236-244
HB7_is_enabled(b, broker_epoch, off, want_fence, want_down) ==
  /\ known(b, broker_epoch) = TRUE
  /\ is_up(b) = TRUE
  /\ (~want_fence) = TRUE
  /\ want_down
  /\ (~leads(b)) = TRUE

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
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, in_controlled_shutdown, min_insync, index, log_end,
         registration_offset, live, outdated, name, cluster_min_insync, cluster_unclean, own_min_insync, setting,
         cluster_min_set, has_credential, iterations, controller_incarnation, controller_ranges, next_producer_id,
         producer_ids_begun, granted, in_force, says, has_token, rate, registered_and_others, never_written,
         directories_and_others, sent_and_others, owner_and_others>>

\* S2:59-65, S3:236-244
HB8_is_enabled(b, broker_epoch, off, want_fence, want_down) ==
  /\ known(b, broker_epoch) = TRUE
  /\ is_up(b) = TRUE
  /\ (~want_fence) = TRUE
  /\ (~want_down) = TRUE

HB8(b, broker_epoch, off, want_fence, want_down) ==
  /\ HB8_is_enabled(b, broker_epoch, off, want_fence, want_down)
  /\ LET stays_1 == stays(b, off)
     IN
     /\ contact' = Put(contact, stays_1.contact)
     /\ reported' = Put(reported, stays_1.reported)
     /\ reported' \in [Broker -> offset]
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, live, outdated, name,
         cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential, iterations,
         controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says,
         has_token, rate, registered_and_others, never_written, directories_and_others, elr_index_and_others,
         elr_and_others, sent_and_others, owner_and_others>>

\* S2:59-65, S3:236-244
HB9_is_enabled(b, broker_epoch, off, want_fence, want_down) ==
  /\ known(b, broker_epoch) = TRUE
  /\ leaving(b) = TRUE
  /\ leads(b) = TRUE

HB9(b, broker_epoch, off, want_fence, want_down) ==
  /\ HB9_is_enabled(b, broker_epoch, off, want_fence, want_down)
  /\ LET stays_1 == stays(b, off)
     IN
     /\ contact' = Put(contact, stays_1.contact)
     /\ reported' = Put(reported, stays_1.reported)
     /\ reported' \in [Broker -> offset]
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, live, outdated, name,
         cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential, iterations,
         controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says,
         has_token, rate, registered_and_others, never_written, directories_and_others, elr_index_and_others,
         elr_and_others, sent_and_others, owner_and_others>>

\* S2:59-65, S3:236-244
HB10_is_enabled(b, broker_epoch, off, want_fence, want_down) ==
  /\ known(b, broker_epoch) = TRUE
  /\ leaving(b) = TRUE
  /\ (~leads(b)) = TRUE
  /\ drained(b) = TRUE

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
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, in_controlled_shutdown, min_insync, index, log_end,
         registration_offset, live, outdated, name, cluster_min_insync, cluster_unclean, own_min_insync, setting,
         cluster_min_set, has_credential, iterations, controller_incarnation, controller_ranges, next_producer_id,
         producer_ids_begun, granted, in_force, says, has_token, rate, registered_and_others, never_written,
         directories_and_others, sent_and_others, owner_and_others>>

\* S2:59-65, S3:236-244
HB11_is_enabled(b, broker_epoch, off, want_fence, want_down) ==
  /\ known(b, broker_epoch) = TRUE
  /\ leaving(b) = TRUE
  /\ (~leads(b)) = TRUE
  /\ (~drained(b)) = TRUE

HB11(b, broker_epoch, off, want_fence, want_down) ==
  /\ HB11_is_enabled(b, broker_epoch, off, want_fence, want_down)
  /\ LET stays_1 == stays(b, off)
     IN
     /\ contact' = Put(contact, stays_1.contact)
     /\ reported' = Put(reported, stays_1.reported)
     /\ reported' \in [Broker -> offset]
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, live, outdated, name,
         cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential, iterations,
         controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says,
         has_token, rate, registered_and_others, never_written, directories_and_others, elr_index_and_others,
         elr_and_others, sent_and_others, owner_and_others>>

\* S3:83, S3:234
HX1_is_enabled(b, broker_epoch, off) ==
  /\ known(b, broker_epoch) = TRUE
  /\ fenced[b]

HX1(b, broker_epoch, off) ==
  /\ HX1_is_enabled(b, broker_epoch, off)
  /\ LET falls_1 == falls(b, off)
     IN
     /\ contact' = Put(contact, falls_1.contact)
     /\ reported' = Put(reported, falls_1.reported)
     /\ soft_fenced' = Put(soft_fenced, falls_1.soft_fenced)
     /\ shutdown_offset' = Put(shutdown_offset, falls_1.shutdown_offset)
     /\ reported' \in [Broker -> offset]
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, live, outdated, name, cluster_min_insync, cluster_unclean,
         own_min_insync, setting, cluster_min_set, has_credential, iterations, controller_incarnation,
         controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says, has_token, rate,
         registered_and_others, never_written, directories_and_others, elr_index_and_others, elr_and_others,
         sent_and_others, owner_and_others>>

\* S3:83, S3:234
HX2_is_enabled(b, broker_epoch, off) ==
  /\ known(b, broker_epoch) = TRUE
  /\ (~fenced[b]) = TRUE

HX2(b, broker_epoch, off) ==
  /\ HX2_is_enabled(b, broker_epoch, off)
  /\ LET stays_1 == stays(b, off)
     IN
     /\ contact' = Put(contact, stays_1.contact)
     /\ reported' = Put(reported, stays_1.reported)
     /\ soft_fenced' = [soft_fenced EXCEPT ![b] = FALSE]
     /\ reported' \in [Broker -> offset]
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, shutdown_offset, live, outdated, name, cluster_min_insync,
         cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential, iterations, controller_incarnation,
         controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says, has_token, rate,
         registered_and_others, never_written, directories_and_others, elr_index_and_others, elr_and_others,
         sent_and_others, owner_and_others>>

\* KIP-858
OD3_is_enabled(b, dirs) ==
  /\ 17 <= metadata_version
  /\ registered[b]
  /\ failed(b, dirs) # {}
  /\ (~stale_directory(b, dirs)) = TRUE
  /\ left(b, dirs) # {}

OD3(b, dirs) ==
  /\ OD3_is_enabled(b, dirs)
  /\ PartitionChange_replayed(abandon(b, failed(b, dirs)))
  /\ Directories_replayed({[broker |-> b, epoch |-> epoch[b], directories_said |-> TRUE, directories |-> left(b, dirs),
         cordoned_said |-> FALSE]})
  /\ reported' = Put(reported, forgets(b))
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, index,
         log_end, registration_offset, soft_fenced, shutdown_offset, live, outdated, name, cluster_min_insync,
         cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential, iterations, controller_incarnation,
         controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says, has_token, rate,
         registered_and_others, never_written, sent_and_others, owner_and_others>>

\* KIP-858
OD4_is_enabled(b, dirs) ==
  /\ 17 <= metadata_version
  /\ registered[b]
  /\ failed(b, dirs) # {}
  /\ (~stale_directory(b, dirs)) = TRUE
  /\ left(b, dirs) = {}

OD4(b, dirs) ==
  /\ OD4_is_enabled(b, dirs)
  /\ PartitionChange_replayed(abandon(b, failed(b, dirs)))
  /\ Directories_replayed({[broker |-> b, epoch |-> epoch[b], directories_said |-> FALSE, cordoned_said |-> FALSE]})
  /\ reported' = Put(reported, forgets(b))
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, index,
         log_end, registration_offset, soft_fenced, shutdown_offset, live, outdated, name, cluster_min_insync,
         cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential, iterations, controller_incarnation,
         controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says, has_token, rate,
         registered_and_others, never_written, sent_and_others, owner_and_others>>

\* Kafka 4.4
HC1_is_enabled(b, dirs) ==
  /\ 30 <= metadata_version
  /\ registered[b]
  /\ (~cordon_known[b] \/ dirs # cordoned[b]) = TRUE

HC1(b, dirs) ==
  /\ HC1_is_enabled(b, dirs)
  /\ Directories_replayed({[broker |-> b, epoch |-> epoch[b], directories_said |-> FALSE, cordoned_said |-> TRUE,
         cordoned |-> dirs]})
  /\ reported' = Put(reported, forgets(b))
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, live, outdated, name,
         cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential, iterations,
         controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says,
         has_token, rate, registered_and_others, never_written, elr_index_and_others, elr_and_others, sent_and_others,
         owner_and_others>>

\* KIP-858
AD3_is_enabled(b, broker_epoch) ==
  /\ overlapping(b) = TRUE
  /\ (~(metadata_version < 17)) = TRUE
  /\ (registered[b] /\ broker_epoch = epoch[b]) = TRUE

AD3(b, broker_epoch) ==
  /\ AD3_is_enabled(b, broker_epoch)
  /\ LET written == UNION {relocate(p, b, assigned[p]) : p \in {p \in Partition : ours(p, b)}}
         isr_2 == PartitionChange_isr(isr, written)
         leader_2 == PartitionChange_leader(leader, written)
         replicas_2 == PartitionChange_replicas(replicas, written)
         removing_2 == PartitionChange_removing(removing, written)
         adding_2 == PartitionChange_adding(adding, written)
         recovery_2 == PartitionChange_recovery(recovery, written)
         elr_2 == PartitionChange_elr(elr, written)
         elr_disordered_2 == PartitionChange_elr_disordered(elr_disordered, written)
         elr_index_2 == PartitionChange_elr_index(elr_index, elr, elr_index, index, written)
         location_2 == PartitionChange_location(location, location, migrating, replicas, written)
         last_known_2 == PartitionChange_last_known(last_known, written)
         last_nobody_2 == PartitionChange_last_nobody(last_nobody, last_known, leader, written)
         leader_epoch_2_2 == PartitionChange_leader_epoch(leader_epoch, leader_epoch, written)
         partition_epoch_2_2 == PartitionChange_partition_epoch(partition_epoch, partition_epoch, written)
         replication_2 == PartitionChange_replication(replication, index, replicas, topic, written)
         written_2 == UNION {change(p, KeepIn(isr[p], Elements(isr[p]) \ {b}), electable(p) \ {b}, {}, IF
                allows_unclean(p) THEN "UNCLEAN" ELSE "ONLINE", replicas[p], removing[p], adding[p], recovery[p]) : p
                \in {p \in Partition : ours(p, b) /\ in_failed(p, b)}}
     IN
     /\ outdated' = [p \in Partition |-> IF ours(p, b) /\ in_failed(p, b) /\ ~settled(p) THEN TRUE ELSE outdated[p]]
     /\ isr' = PartitionChange_isr(isr_2, written_2)
     /\ leader' = PartitionChange_leader(leader_2, written_2)
     /\ replicas' = PartitionChange_replicas(replicas_2, written_2)
     /\ removing' = PartitionChange_removing(removing_2, written_2)
     /\ adding' = PartitionChange_adding(adding_2, written_2)
     /\ recovery' = PartitionChange_recovery(recovery_2, written_2)
     /\ elr' = PartitionChange_elr(elr_2, written_2)
     /\ elr_disordered' = PartitionChange_elr_disordered(elr_disordered_2, written_2)
     /\ elr_index' = PartitionChange_elr_index(elr_index_2, elr_2, elr_index_2, index, written_2)
     /\ location' = PartitionChange_location(location_2, location_2, migrating, replicas_2, written_2)
     /\ last_known' = PartitionChange_last_known(last_known_2, written_2)
     /\ last_nobody' = PartitionChange_last_nobody(last_nobody_2, last_known_2, leader_2, written_2)
     /\ leader_epoch' = PartitionChange_leader_epoch(leader_epoch_2_2, leader_epoch_2_2, written_2)
     /\ partition_epoch' = PartitionChange_partition_epoch(partition_epoch_2_2, partition_epoch_2_2, written_2)
     /\ replication' = PartitionChange_replication(replication_2, index, replicas_2, topic, written_2)
     /\ elr_index' \in [Partition \X Broker -> copies]
     /\ leader_epoch' \in [Partition -> leader_epoch_2]
     /\ partition_epoch' \in [Partition -> partition_epoch_2]
     /\ replication' \in [Topic -> size]
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, index,
         log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, name, cluster_min_insync,
         cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential, iterations, controller_incarnation,
         controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says, has_token, rate,
         registered_and_others, never_written, directories_and_others, sent_and_others, owner_and_others>>

\* KIP-858
AD4_is_enabled(b, broker_epoch) ==
  /\ (~(metadata_version < 17)) = TRUE
  /\ (registered[b] /\ broker_epoch = epoch[b]) = TRUE
  /\ (~overlapping(b)) = TRUE

AD4(b, broker_epoch) ==
  /\ AD4_is_enabled(b, broker_epoch)
  /\ LET written == UNION {relocate(p, b, assigned[p]) : p \in {p \in Partition : ours(p, b) /\ ~in_failed(p, b)}}
         written_2 == UNION {seat(p, b, assigned[p]) : p \in {p \in Partition : ours(p, b) /\ in_failed(p, b)}}
         isr_1 == PartitionChange_isr(PartitionChange_isr(isr, written), written_2)
         leader_1 == PartitionChange_leader(PartitionChange_leader(leader, written), written_2)
         replicas_1 == PartitionChange_replicas(PartitionChange_replicas(replicas, written), written_2)
         removing_1 == PartitionChange_removing(PartitionChange_removing(removing, written), written_2)
         adding_1 == PartitionChange_adding(PartitionChange_adding(adding, written), written_2)
         recovery_1 == PartitionChange_recovery(PartitionChange_recovery(recovery, written), written_2)
         elr_1 == PartitionChange_elr(PartitionChange_elr(elr, written), written_2)
         elr_disordered_1 == PartitionChange_elr_disordered(PartitionChange_elr_disordered(elr_disordered, written),
                written_2)
         elr_index_1 == PartitionChange_elr_index(PartitionChange_elr_index(elr_index, elr, elr_index, index, written),
                elr, elr_index, index, written_2)
         location_1 == PartitionChange_location(PartitionChange_location(location, location, migrating, replicas,
                written), location, migrating, replicas, written_2)
         last_known_1 == PartitionChange_last_known(PartitionChange_last_known(last_known, written), written_2)
         last_nobody_1 == PartitionChange_last_nobody(PartitionChange_last_nobody(last_nobody, last_known, leader,
                written), last_known, leader, written_2)
         leader_epoch_1 == PartitionChange_leader_epoch(PartitionChange_leader_epoch(leader_epoch, leader_epoch,
                written), leader_epoch, written_2)
         partition_epoch_1 == PartitionChange_partition_epoch(PartitionChange_partition_epoch(partition_epoch,
                partition_epoch, written), partition_epoch, written_2)
         replication_1 == PartitionChange_replication(PartitionChange_replication(replication, index, replicas, topic,
                written), index, replicas, topic, written_2)
         written_3 == UNION {change(p, KeepIn(isr[p], Elements(isr[p]) \ {b}), electable(p) \ {b}, {}, IF
                allows_unclean(p) THEN "UNCLEAN" ELSE "ONLINE", replicas[p], removing[p], adding[p], recovery[p]) : p
                \in {p \in Partition : ours(p, b) /\ in_failed(p, b)}}
     IN
     /\ isr' = PartitionChange_isr(isr_1, written_3)
     /\ leader' = PartitionChange_leader(leader_1, written_3)
     /\ replicas' = PartitionChange_replicas(replicas_1, written_3)
     /\ removing' = PartitionChange_removing(removing_1, written_3)
     /\ adding' = PartitionChange_adding(adding_1, written_3)
     /\ recovery' = PartitionChange_recovery(recovery_1, written_3)
     /\ elr' = PartitionChange_elr(elr_1, written_3)
     /\ elr_disordered' = PartitionChange_elr_disordered(elr_disordered_1, written_3)
     /\ elr_index' = PartitionChange_elr_index(elr_index_1, elr_1, elr_index_1, index, written_3)
     /\ location' = PartitionChange_location(location_1, location_1, migrating, replicas_1, written_3)
     /\ last_known' = PartitionChange_last_known(last_known_1, written_3)
     /\ last_nobody' = PartitionChange_last_nobody(last_nobody_1, last_known_1, leader_1, written_3)
     /\ leader_epoch' = PartitionChange_leader_epoch(leader_epoch_1, leader_epoch_1, written_3)
     /\ partition_epoch' = PartitionChange_partition_epoch(partition_epoch_1, partition_epoch_1, written_3)
     /\ replication' = PartitionChange_replication(replication_1, index, replicas_1, topic, written_3)
     /\ elr_index' \in [Partition \X Broker -> copies]
     /\ leader_epoch' \in [Partition -> leader_epoch_2]
     /\ partition_epoch' \in [Partition -> partition_epoch_2]
     /\ replication' \in [Topic -> size]
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, index,
         log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated, name, cluster_min_insync,
         cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential, iterations, controller_incarnation,
         controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says, has_token, rate,
         registered_and_others, never_written, directories_and_others, sent_and_others, owner_and_others>>

\* S3:246-248
SI1(b) ==
  /\ contact[b] = "RECENT"
  /\ contact' = [contact EXCEPT ![b] = "EXPIRED"]
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated,
         name, cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential,
         iterations, controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force,
         says, has_token, rate, registered_and_others, never_written, directories_and_others, elr_index_and_others,
         elr_and_others, sent_and_others, owner_and_others>>

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
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, in_controlled_shutdown, min_insync, index, log_end,
         registration_offset, reported, live, outdated, name, cluster_min_insync, cluster_unclean, own_min_insync,
         setting, cluster_min_set, has_credential, iterations, controller_incarnation, controller_ranges,
         next_producer_id, producer_ids_begun, granted, in_force, says, has_token, rate, registered_and_others,
         never_written, directories_and_others, sent_and_others, owner_and_others>>

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
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, in_controlled_shutdown, min_insync, index, log_end,
         registration_offset, reported, live, outdated, name, cluster_min_insync, cluster_unclean, own_min_insync,
         setting, cluster_min_set, has_credential, iterations, controller_incarnation, controller_ranges,
         next_producer_id, producer_ids_begun, granted, in_force, says, has_token, rate, registered_and_others,
         never_written, directories_and_others, sent_and_others, owner_and_others>>

\* S3:171
FO1(c) ==
  /\ active_controller' = c
  /\ soft_fenced' = [x \in Broker |-> IF registered[x] THEN fenced[x] ELSE soft_fenced[x]]
  /\ shutdown_offset' = [x \in Broker |-> IF registered[x] THEN -1 ELSE shutdown_offset[x]]
  /\ reported' = [x \in Broker |-> IF registered[x] THEN -1 ELSE reported[x]]
  /\ contact' = [x \in Broker |-> IF registered[x] THEN IF fenced[x] THEN "NOTHING" ELSE "RECENT" ELSE contact[x]]
  /\ UNCHANGED <<metadata_version, in_transaction, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication, elr_disordered,
         index, log_end, registration_offset, live, outdated, name, cluster_min_insync, cluster_unclean, own_min_insync,
         setting, cluster_min_set, has_credential, iterations, controller_incarnation, controller_ranges,
         next_producer_id, producer_ids_begun, granted, in_force, says, has_token, rate, registered_and_others,
         never_written, directories_and_others, elr_index_and_others, elr_and_others, sent_and_others,
         owner_and_others>>

\* Partition.scala
LP1_is_enabled(m, b, p, proposal) ==
  /\ exists[p]
  /\ leader[p] = b
  /\ b \in proposal
  /\ proposal \subseteq Elements(replicas[p])

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
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated,
         name, cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential,
         iterations, controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force,
         says, has_token, rate, registered_and_others, never_written, directories_and_others, elr_index_and_others,
         elr_and_others, owner_and_others>>

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
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, index,
         log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated, name, cluster_min_insync,
         cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential, iterations, controller_incarnation,
         controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says, has_token, rate,
         registered_and_others, never_written, directories_and_others, sent_and_others, owner_and_others>>

\* S2:86-93
RA3_is_enabled(p, target, may_resize) ==
  /\ (exists[p] /\ live[topic[p]]) = TRUE
  /\ (~bad_target(target)) = TRUE
  /\ (~RA4_applies(may_resize, target, p)) = TRUE

RA3(p, target, may_resize) ==
  /\ RA3_is_enabled(p, target, may_resize)
  /\ PartitionChange_replayed(change(p, isr[p], electable(p), {}, "ONLINE", merged(target, p), IF leaving_2(p, target) =
         {} THEN removing[p] ELSE leaving_2(p, target), IF entering(target, p) = {} THEN adding[p] ELSE entering(target,
         p), recovery[p]))
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, index,
         log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated, name, cluster_min_insync,
         cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential, iterations, controller_incarnation,
         controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says, has_token, rate,
         registered_and_others, never_written, directories_and_others, sent_and_others, owner_and_others>>

\* S2:86-93
RC4_is_enabled(p) ==
  /\ uncleanly(p) = TRUE
  /\ (exists[p] /\ live[topic[p]]) = TRUE
  /\ reassigning(p) = TRUE
  /\ (~RC3_applies(p)) = TRUE

RC4(p) ==
  /\ RC4_is_enabled(p)
  /\ PartitionChange_replayed(change(p, OnlyItem(FirstIn(old_replicas(p), Elements(old_replicas(p)))), electable(p), {},
         IF allows_unclean(p) THEN "UNCLEAN" ELSE "ONLINE", old_replicas(p), {}, {}, recovery[p]))
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, index,
         log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated, name, cluster_min_insync,
         cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential, iterations, controller_incarnation,
         controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says, has_token, rate,
         registered_and_others, never_written, directories_and_others, sent_and_others, owner_and_others>>

\* S2:86-93
RC5_is_enabled(p) ==
  /\ (exists[p] /\ live[topic[p]]) = TRUE
  /\ reassigning(p) = TRUE
  /\ (~RC3_applies(p)) = TRUE
  /\ (~uncleanly(p)) = TRUE

RC5(p) ==
  /\ RC5_is_enabled(p)
  /\ PartitionChange_replayed(change(p, old_isr(p), electable(p), {}, IF allows_unclean(p) THEN "UNCLEAN" ELSE "ONLINE",
         old_replicas(p), {}, {}, recovery[p]))
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, index,
         log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated, name, cluster_min_insync,
         cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential, iterations, controller_incarnation,
         controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says, has_token, rate,
         registered_and_others, never_written, directories_and_others, sent_and_others, owner_and_others>>

\* S3:268-276
EL3_is_enabled(p) ==
  /\ exists[p]
  /\ (~led_by_preferred(p)) = TRUE

EL3(p) ==
  /\ EL3_is_enabled(p)
  /\ PartitionChange_replayed(change(p, isr[p], electable(p), {}, "PREFERRED", replicas[p], removing[p], adding[p],
         recovery[p]))
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, index,
         log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated, name, cluster_min_insync,
         cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential, iterations, controller_incarnation,
         controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says, has_token, rate,
         registered_and_others, never_written, directories_and_others, sent_and_others, owner_and_others>>

\* S3:268-276
EU3_is_enabled(p) ==
  /\ exists[p]
  /\ leader[p] = None

EU3(p) ==
  /\ EU3_is_enabled(p)
  /\ PartitionChange_replayed(change(p, isr[p], electable(p), {}, "UNCLEAN", replicas[p], removing[p], adding[p],
         recovery[p]))
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, index,
         log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated, name, cluster_min_insync,
         cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential, iterations, controller_incarnation,
         controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says, has_token, rate,
         registered_and_others, never_written, directories_and_others, sent_and_others, owner_and_others>>

\* S3:268-276
BA1_is_enabled(p) ==
  /\ exists[p]
  /\ (~led_by_preferred(p)) = TRUE

BA1(p) ==
  /\ BA1_is_enabled(p)
  /\ PartitionChange_replayed(change(p, isr[p], electable(p), {}, "PREFERRED", replicas[p], removing[p], adding[p],
         recovery[p]))
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, index,
         log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated, name, cluster_min_insync,
         cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential, iterations, controller_incarnation,
         controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says, has_token, rate,
         registered_and_others, never_written, directories_and_others, sent_and_others, owner_and_others>>

\* S3:268-276
UE1_is_enabled(p) ==
  /\ exists[p]
  /\ leader[p] = None
  /\ allows_unclean(p) = TRUE

UE1(p) ==
  /\ UE1_is_enabled(p)
  /\ PartitionChange_replayed(change(p, isr[p], electable(p), {}, "UNCLEAN", replicas[p], removing[p], adding[p],
         recovery[p]))
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, index,
         log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated, name, cluster_min_insync,
         cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential, iterations, controller_incarnation,
         controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says, has_token, rate,
         registered_and_others, never_written, directories_and_others, sent_and_others, owner_and_others>>

\* S3:198-203, S3:264-266
CT3_is_enabled(t, n, manual, has_min_insync, min_insync_2, has_unclean, unclean_2) ==
  /\ formatted = TRUE
  /\ (manual \/ well_placed(t)) = TRUE
  /\ (numbered_from_0(t) \/ live[t] \/ name_taken(n)) = TRUE
  /\ (~live[t]) = TRUE
  /\ (~name_taken(n)) = TRUE
  /\ hosted(t) = TRUE
  /\ well_placed(t) = TRUE

CT3(t, n, manual, has_min_insync, min_insync_2, has_unclean, unclean_2) ==
  /\ CT3_is_enabled(t, n, manual, has_min_insync, min_insync_2, has_unclean, unclean_2)
  /\ LET written == {[topic |-> t, name |-> n]}
         name_1 == Topic_name(name, written)
         min_insync_1 == Topic_min_insync(min_insync, cluster_min_insync, written)
         unclean_1 == Topic_unclean(unclean, cluster_unclean, written)
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
     /\ min_insync' = TopicMinInsync_min_insync(min_insync_1, cluster_min_insync, name_1, written_2)
     /\ unclean' = TopicUnclean_unclean(unclean_1, cluster_unclean, name_1, written_3)
     /\ own_min_insync' = TopicMinInsync_own_min_insync(own_min_insync, name_1, written_2)
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
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level,
         active_controller, node_unclean, fenced, in_controlled_shutdown, elr_disordered, log_end, registration_offset,
         soft_fenced, shutdown_offset, reported, outdated, cluster_min_insync, cluster_unclean, cluster_min_set,
         has_credential, iterations, controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun,
         granted, in_force, says, has_token, rate, registered_and_others, never_written, directories_and_others,
         sent_and_others, owner_and_others>>

\* S3:198-203, S3:264-266
DT2(t) ==
  /\ live[t]
  /\ RemoveTopic_replayed({[topic |-> t]})
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, topic,
         active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, reported, outdated,
         cluster_min_insync, cluster_unclean, cluster_min_set, has_credential, iterations, controller_incarnation,
         controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says, has_token, rate,
         registered_and_others, never_written, directories_and_others, sent_and_others, owner_and_others>>

\* S3:264-266
CP6_is_enabled(t, manual) ==
  /\ (manual \/ ~badly_placed(t)) = TRUE
  /\ numbered_on(t) = TRUE
  /\ (live[t] => (\E q \in Partition : exists[q] /\ topic[q] = t)) = TRUE
  /\ unhosted(t) = TRUE
  /\ live[t]
  /\ (~nothing_added(t)) = TRUE
  /\ (~badly_placed(t)) = TRUE
  /\ (~CP4_applies(t, manual)) = TRUE

CP6(t, manual) ==
  /\ CP6_is_enabled(t, manual)
  /\ Partition_replayed({[partition |-> p, topic |-> t, index |-> index[p], replicas |-> placed[p], isr |->
         KeepIn(placed[p], active), removing |-> {}, adding |-> {}, leader |-> FirstIn(placed[p], active), leader_epoch
         |-> 0, partition_epoch |-> 0, recovery_said |-> FALSE, elr_said |-> FALSE, last_known_said |-> FALSE,
         directories_said |-> 17 <= metadata_version, directories |-> [x \in Broker |-> default_directory(x)]] : p \in
         {p \in Partition : adds[p] /\ topic[p] = t /\ ~exists[p] /\ (\A q \in Partition : (adds[q] /\ topic[q] = t /\
         ~exists[q] /\ ~(\E x \in Broker : x \in Elements(placed[q]) /\ x \in active)) => index[p] < index[q])}})
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, own_unclean,
         active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, elr_disordered, log_end,
         registration_offset, soft_fenced, shutdown_offset, reported, live, outdated, name, cluster_min_insync,
         cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential, iterations, controller_incarnation,
         controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says, has_token, rate,
         registered_and_others, never_written, directories_and_others, sent_and_others, owner_and_others>>

\* S3:264-266
CP5_is_enabled(t, manual) ==
  /\ (manual \/ ~badly_placed(t)) = TRUE
  /\ numbered_on(t) = TRUE
  /\ (live[t] => (\E q \in Partition : exists[q] /\ topic[q] = t)) = TRUE
  /\ live[t]
  /\ (~nothing_added(t)) = TRUE
  /\ (~badly_placed(t)) = TRUE
  /\ (~CP4_applies(t, manual)) = TRUE
  /\ (~unhosted(t)) = TRUE

CP5(t, manual) ==
  /\ CP5_is_enabled(t, manual)
  /\ Partition_replayed({[partition |-> p, topic |-> t, index |-> index[p], replicas |-> placed[p], isr |->
         KeepIn(placed[p], active), removing |-> {}, adding |-> {}, leader |-> FirstIn(placed[p], active), leader_epoch
         |-> 0, partition_epoch |-> 0, recovery_said |-> FALSE, elr_said |-> FALSE, last_known_said |-> FALSE,
         directories_said |-> 17 <= metadata_version, directories |-> [x \in Broker |-> default_directory(x)]] : p \in
         {p \in Partition : adds[p] /\ topic[p] = t /\ ~exists[p]}})
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, own_unclean,
         active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, elr_disordered, log_end,
         registration_offset, soft_fenced, shutdown_offset, reported, live, outdated, name, cluster_min_insync,
         cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential, iterations, controller_incarnation,
         controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says, has_token, rate,
         registered_and_others, never_written, directories_and_others, sent_and_others, owner_and_others>>

\* S3:166-173
AC1_is_enabled(metadata_version_3, elr_version_2, has_elr, static_min) ==
  /\ 7 <= metadata_version_3
  /\ metadata_version < 1

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
  /\ UNCHANGED <<contact, kraft_version_2, exists, topic, own_unclean, active_controller, node_unclean, unclean, fenced,
         in_controlled_shutdown, replication, elr_disordered, index, log_end, registration_offset, soft_fenced,
         shutdown_offset, reported, live, outdated, name, cluster_unclean, own_min_insync, setting,
         controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says,
         has_token, rate, registered_and_others, never_written, directories_and_others, elr_index_and_others,
         elr_and_others, sent_and_others, owner_and_others>>

\* S3:166-173
AC3_is_enabled(metadata_version_3, elr_version_2, has_elr, static_min) ==
  /\ 7 <= metadata_version_3
  /\ 1 <= metadata_version
  /\ in_transaction

AC3(metadata_version_3, elr_version_2, has_elr, static_min) ==
  /\ AC3_is_enabled(metadata_version_3, elr_version_2, has_elr, static_min)
  /\ AbortTransaction_replayed({<<>>})
  /\ UNCHANGED <<contact, kraft_version_2, exists, topic, own_unclean, active_controller, node_unclean, unclean, fenced,
         in_controlled_shutdown, min_insync, replication, elr_disordered, index, log_end, registration_offset,
         soft_fenced, shutdown_offset, reported, live, outdated, name, cluster_unclean, own_min_insync, setting,
         iterations, controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force,
         says, has_token, rate, registered_and_others, never_written, directories_and_others, elr_index_and_others,
         elr_and_others, sent_and_others, owner_and_others>>

\* S3:171-173
AC4_is_enabled(metadata_version_3) ==
  /\ 13 <= metadata_version_3
  /\ metadata_version < 1
  /\ (~in_transaction) = TRUE

AC4(metadata_version_3) ==
  /\ AC4_is_enabled(metadata_version_3)
  /\ in_transaction' = BeginTransaction_in_transaction(in_transaction, {<<>>})
  /\ metadata_version' = MetadataVersion_metadata_version(metadata_version, {[level |-> metadata_version_3]})
  /\ metadata_version' \in level
  /\ UNCHANGED <<contact, elr_version, kraft_version_2, feature_level, exists, topic, own_unclean, active_controller,
         node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication, elr_disordered, index, log_end,
         registration_offset, soft_fenced, shutdown_offset, reported, live, outdated, name, cluster_min_insync,
         cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential, iterations, controller_incarnation,
         controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says, has_token, rate,
         registered_and_others, never_written, directories_and_others, elr_index_and_others, elr_and_others,
         sent_and_others, owner_and_others>>

\* S3:252-258
FE5_is_enabled(f, to_2, way, static_min) ==
  /\ formatted = TRUE
  /\ f = metadata_version_2
  /\ (~(way = "UNKNOWN" \/ ~supported(f, to_2) \/ unheard_of(f) \/ (f = metadata_version_2 /\ to_2 < 7))) = TRUE
  /\ (~FE2_applies(way, to_2, f)) = TRUE
  /\ (~FE3_applies(way, f, to_2)) = TRUE
  /\ (~FE4_applies(f, to_2)) = TRUE

FE5(f, to_2, way, static_min) ==
  /\ FE5_is_enabled(f, to_2, way, static_min)
  /\ metadata_version' = MetadataVersion_metadata_version(metadata_version, {[level |-> to_2]})
  /\ metadata_version' \in level
  /\ UNCHANGED <<in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic, own_unclean,
         active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated,
         name, cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential,
         iterations, controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force,
         says, has_token, rate, registered_and_others, never_written, directories_and_others, elr_index_and_others,
         elr_and_others, sent_and_others, owner_and_others>>

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

FE7(f, to_2, way, static_min) ==
  /\ FE7_is_enabled(f, to_2, way, static_min)
  /\ ClusterMinInsync_replayed(IF ~cluster_min_set THEN {[value_said |-> TRUE, value |-> static_min]} ELSE {})
  /\ setting' = Config_setting(setting, {[setting |-> s, value_said |-> FALSE] : s \in {s \in Setting : resource_type[s]
         = 4 /\ key[s] = min_insync_replicas /\ setting[s] # None}})
  /\ elr_version' = ElrVersion_elr_version(elr_version, {[level |-> to_2]})
  /\ elr_version' \in level
  /\ UNCHANGED <<metadata_version, in_transaction, contact, kraft_version_2, feature_level, exists, topic, own_unclean,
         active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, replication, elr_disordered, index,
         log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated, name, cluster_unclean,
         own_min_insync, has_credential, iterations, controller_incarnation, controller_ranges, next_producer_id,
         producer_ids_begun, granted, in_force, says, has_token, rate, registered_and_others, never_written,
         directories_and_others, elr_index_and_others, elr_and_others, sent_and_others, owner_and_others>>

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

FE8(f, to_2, way, static_min) ==
  /\ FE8_is_enabled(f, to_2, way, static_min)
  /\ elr_version' = ElrVersion_elr_version(elr_version, {[level |-> to_2]})
  /\ elr_version' \in level
  /\ UNCHANGED <<metadata_version, in_transaction, contact, kraft_version_2, feature_level, exists, topic, own_unclean,
         active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated,
         name, cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential,
         iterations, controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force,
         says, has_token, rate, registered_and_others, never_written, directories_and_others, elr_index_and_others,
         elr_and_others, sent_and_others, owner_and_others>>

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

FE10(f, to_2, way, static_min) ==
  /\ FE10_is_enabled(f, to_2, way, static_min)
  /\ kraft_version_2' = to_2
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, feature_level, exists, topic, own_unclean,
         active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated,
         name, cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential,
         iterations, controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force,
         says, has_token, rate, registered_and_others, never_written, directories_and_others, elr_index_and_others,
         elr_and_others, sent_and_others, owner_and_others>>

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

FE9(f, to_2, way, static_min) ==
  /\ FE9_is_enabled(f, to_2, way, static_min)
  /\ feature_level' = FeatureLevel_feature_level(feature_level, {[feature |-> f, level |-> to_2]})
  /\ feature_level' \in [Feature -> level]
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, exists, topic, own_unclean,
         active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated,
         name, cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential,
         iterations, controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force,
         says, has_token, rate, registered_and_others, never_written, directories_and_others, elr_index_and_others,
         elr_and_others, sent_and_others, owner_and_others>>

\* S3:260-262
CF5_is_enabled(t, n, size_2, deletes, valid_2, permitted, validate_only) ==
  /\ valid_2
  /\ named(t, n) = TRUE
  /\ (~CF3_applies(deletes, t, size_2, permitted)) = TRUE
  /\ (~(validate_only \/ ~new_size(deletes, t, size_2))) = TRUE

CF5(t, n, size_2, deletes, valid_2, permitted, validate_only) ==
  /\ CF5_is_enabled(t, n, size_2, deletes, valid_2, permitted, validate_only)
  /\ TopicMinInsync_replayed({[resource |-> n, value_said |-> ~deletes, value |-> size_2]})
  /\ ClearElr_replayed(IF elr_on THEN {[name |-> n]} ELSE {})
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated,
         name, cluster_min_insync, cluster_unclean, setting, cluster_min_set, has_credential, iterations,
         controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says,
         has_token, rate, registered_and_others, never_written, directories_and_others, elr_index_and_others,
         sent_and_others, owner_and_others>>

\* S3:260-262
CF10_is_enabled(t, n, switch, deletes, valid_2, permitted, validate_only) ==
  /\ valid_2
  /\ named(t, n) = TRUE
  /\ (~CF8_applies(deletes, t, switch, permitted)) = TRUE
  /\ (~(validate_only \/ ~new_switch(deletes, t, switch))) = TRUE

CF10(t, n, switch, deletes, valid_2, permitted, validate_only) ==
  /\ CF10_is_enabled(t, n, switch, deletes, valid_2, permitted, validate_only)
  /\ TopicUnclean_replayed({[resource |-> n, value_said |-> ~deletes, value |-> switch]})
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         active_controller, node_unclean, fenced, in_controlled_shutdown, min_insync, replication, elr_disordered,
         index, log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated, name,
         cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential, iterations,
         controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says,
         has_token, rate, registered_and_others, never_written, directories_and_others, elr_index_and_others,
         elr_and_others, sent_and_others, owner_and_others>>

\* S3:260-262
CF14_is_enabled(size_2, deletes, valid_2, permitted, validate_only) ==
  /\ same_minimum(deletes, size_2) = TRUE
  /\ (~(~valid_2 \/ (elr_on /\ deletes))) = TRUE
  /\ permitted
  /\ (~validate_only) = TRUE

CF14(size_2, deletes, valid_2, permitted, validate_only) ==
  /\ CF14_is_enabled(size_2, deletes, valid_2, permitted, validate_only)
  /\ ClusterMinInsync_replayed({[value_said |-> TRUE, value |-> size_2]})
  /\ ClearAllElr_replayed(IF elr_on THEN {<<>>} ELSE {})
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated,
         name, cluster_unclean, own_min_insync, setting, has_credential, iterations, controller_incarnation,
         controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says, has_token, rate,
         registered_and_others, never_written, directories_and_others, elr_index_and_others, sent_and_others,
         owner_and_others>>

\* S3:260-262
CF15_is_enabled(size_2, deletes, valid_2, permitted, validate_only) ==
  /\ (~(~valid_2 \/ (elr_on /\ deletes))) = TRUE
  /\ permitted
  /\ (~validate_only) = TRUE
  /\ (~same_minimum(deletes, size_2)) = TRUE

CF15(size_2, deletes, valid_2, permitted, validate_only) ==
  /\ CF15_is_enabled(size_2, deletes, valid_2, permitted, validate_only)
  /\ ClusterMinInsync_replayed({[value_said |-> ~deletes, value |-> size_2]})
  /\ ClearAllElr_replayed(IF elr_on THEN {<<>>} ELSE {})
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated,
         name, cluster_unclean, own_min_insync, setting, has_credential, iterations, controller_incarnation,
         controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says, has_token, rate,
         registered_and_others, never_written, directories_and_others, elr_index_and_others, sent_and_others,
         owner_and_others>>

\* S3:260-262
CF19_is_enabled(switch, deletes, valid_2, permitted, validate_only) ==
  /\ valid_2
  /\ permitted
  /\ (~validate_only) = TRUE

CF19(switch, deletes, valid_2, permitted, validate_only) ==
  /\ CF19_is_enabled(switch, deletes, valid_2, permitted, validate_only)
  /\ ClusterUnclean_replayed({[value_said |-> ~deletes, value |-> switch]})
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated,
         name, cluster_min_insync, own_min_insync, setting, cluster_min_set, has_credential, iterations,
         controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says,
         has_token, rate, registered_and_others, never_written, directories_and_others, elr_index_and_others,
         elr_and_others, sent_and_others, owner_and_others>>

\* S3:260-262
CF28_is_enabled(n, switch, deletes, valid_2, permitted, validate_only) ==
  /\ valid_2
  /\ permitted
  /\ (~validate_only) = TRUE

CF28(n, switch, deletes, valid_2, permitted, validate_only) ==
  /\ CF28_is_enabled(n, switch, deletes, valid_2, permitted, validate_only)
  /\ node_unclean' = NodeUnclean_node_unclean(node_unclean, {[resource |-> n, value_said |-> ~deletes, value |->
         switch]})
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated,
         name, cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential,
         iterations, controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force,
         says, has_token, rate, registered_and_others, never_written, directories_and_others, elr_index_and_others,
         elr_and_others, sent_and_others, owner_and_others>>

\* S3:260-262
CF24_is_enabled(s, value, deletes, valid_2, permitted, validate_only) ==
  /\ (~(~valid_2 \/ (elr_on /\ brokers_own_minimum(s)))) = TRUE
  /\ (~unknown_topic(s)) = TRUE
  /\ (~CF22_applies(deletes, s, value, permitted)) = TRUE
  /\ (~(validate_only \/ (resource_type[s] # 4 /\ ~new_value(deletes, s, value)))) = TRUE

CF24(s, value, deletes, valid_2, permitted, validate_only) ==
  /\ CF24_is_enabled(s, value, deletes, valid_2, permitted, validate_only)
  /\ setting' = Config_setting(setting, {[setting |-> s, value_said |-> ~deletes, value |-> value]})
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated,
         name, cluster_min_insync, cluster_unclean, own_min_insync, cluster_min_set, has_credential, iterations,
         controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says,
         has_token, rate, registered_and_others, never_written, directories_and_others, elr_index_and_others,
         elr_and_others, sent_and_others, owner_and_others>>

\* S3:260-262
CM1(sets_min, drops_min, to_size, sets_unclean, drops_unclean, to_switch) ==
  /\ (~elr_forbids(sets_min, drops_min)) = TRUE
  /\ LET written == IF sets_min THEN {[value_said |-> ~drops_min, value |-> to_size]} ELSE {}
         written_2 == IF sets_unclean THEN {[value_said |-> ~drops_unclean, value |-> to_switch]} ELSE {}
         written_3 == {[resource |-> n, value_said |-> ~min_away[n], value |-> min_to[n]] : n \in {n \in Name :
                min_asked[n] /\ (\E t \in Topic : live[t] /\ name[t] = n) /\ ((min_away[n] /\ (\E t \in Topic : live[t]
                /\ name[t] = n /\ own_min_insync[t])) \/ (~min_away[n] /\ ~(\E t \in Topic : live[t] /\ name[t] = n /\
                own_min_insync[t] /\ min_insync[t] = min_to[n])))}}
         written_4 == {[resource |-> n, value_said |-> ~unclean_away[n], value |-> unclean_to[n]] : n \in {n \in Name :
                unclean_asked[n] /\ (\E t \in Topic : live[t] /\ name[t] = n) /\ ((unclean_away[n] /\ (\E t \in Topic :
                live[t] /\ name[t] = n /\ own_unclean[t])) \/ (~unclean_away[n] /\ ~(\E t \in Topic : live[t] /\ name[t]
                = n /\ own_unclean[t] /\ unclean[t] = unclean_to[n])))}}
         min_insync_1 == TopicMinInsync_min_insync(ClusterMinInsync_min_insync(min_insync, live, own_min_insync,
                written), cluster_min_insync, name, written_3)
         unclean_1 == TopicUnclean_unclean(ClusterUnclean_unclean(unclean, live, own_unclean, static_unclean,
                written_2), cluster_unclean, name, written_4)
         written_5 == IF sets_min /\ elr_on THEN {<<>>} ELSE {}
         written_6 == {[name |-> n] : n \in {n \in Name : min_asked[n] /\ (\E t \in Topic : live[t] /\ name[t] = n) /\
                ((min_away[n] /\ (\E t \in Topic : live[t] /\ name[t] = n /\ own_min_insync[t])) \/ (~min_away[n] /\
                ~(\E t \in Topic : live[t] /\ name[t] = n /\ own_min_insync[t] /\ min_insync[t] = min_to[n]))) /\
                elr_on}}
     IN
     /\ cluster_min_insync' = ClusterMinInsync_cluster_min_insync(cluster_min_insync, written)
     /\ cluster_min_set' = ClusterMinInsync_cluster_min_set(cluster_min_set, written)
     /\ min_insync' = [t \in Topic |-> IF live[t] /\ sets_min /\ (\E n \in Name : name[t] = n /\ min_asked[n] /\
            min_away[n]) THEN IF drops_min THEN 1 ELSE to_size ELSE min_insync_1[t]]
     /\ cluster_unclean' = ClusterUnclean_cluster_unclean(cluster_unclean, static_unclean, written_2)
     /\ unclean' = [t \in Topic |-> IF live[t] /\ sets_unclean /\ (\E n \in Name : name[t] = n /\ unclean_asked[n] /\
            unclean_away[n]) THEN IF drops_unclean THEN static_unclean ELSE to_switch ELSE unclean_1[t]]
     /\ own_min_insync' = TopicMinInsync_own_min_insync(own_min_insync, name, written_3)
     /\ own_unclean' = TopicUnclean_own_unclean(own_unclean, name, written_4)
     /\ node_unclean' = NodeUnclean_node_unclean(node_unclean, {[resource |-> n, value_said |-> ~node_away[n], value |->
            node_to[n]] : n \in {n \in Name : node_asked[n]}})
     /\ setting' = Config_setting(setting, {[setting |-> s, value_said |-> ~away[s], value |-> asked[s]] : s \in {s \in
            Setting : (resource_type[s] # 2 \/ (\E t \in Topic : live[t] /\ name[t] = resource[s])) /\ ((away[s] /\
            setting[s] # None) \/ (~away[s] /\ asks[s] /\ setting[s] # asked[s]) \/ (asks[s] /\ resource_type[s] =
            4))}})
     /\ elr' = ClearElr_elr(ClearAllElr_elr(elr, elr, exists, last_known, last_nobody, written_5), elr, exists,
            last_known, last_nobody, name, topic, written_6)
     /\ last_known' = ClearElr_last_known(ClearAllElr_last_known(last_known, elr, exists, last_known, last_nobody,
            written_5), elr, exists, last_known, last_nobody, name, topic, written_6)
     /\ last_nobody' = ClearElr_last_nobody(ClearAllElr_last_nobody(last_nobody, elr, exists, last_known, last_nobody,
            written_5), elr, exists, last_known, last_nobody, name, topic, written_6)
     /\ partition_epoch' = ClearElr_partition_epoch(ClearAllElr_partition_epoch(partition_epoch, elr, exists,
            last_known, last_nobody, partition_epoch, written_5), elr, exists, last_known, last_nobody, name,
            partition_epoch, topic, written_6)
     /\ cluster_min_insync' \in size
     /\ min_insync' \in [Topic -> size]
     /\ partition_epoch' \in [Partition -> partition_epoch_2]
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         active_controller, fenced, in_controlled_shutdown, replication, elr_disordered, index, log_end,
         registration_offset, soft_fenced, shutdown_offset, reported, live, outdated, name, has_credential, iterations,
         controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says,
         has_token, rate, registered_and_others, never_written, directories_and_others, elr_index_and_others,
         sent_and_others, owner_and_others>>

\* S3:228, S3:254
CR1(c, i, ranges_2) ==
  /\ 15 <= metadata_version
  /\ RegisterController_replayed({[controller |-> c, incarnation |-> i, migration_ready |-> FALSE, ranges_said |-> TRUE,
         ranges |-> ranges_2]})
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated,
         name, cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential,
         iterations, next_producer_id, producer_ids_begun, granted, in_force, says, has_token, rate,
         registered_and_others, never_written, directories_and_others, elr_index_and_others, elr_and_others,
         sent_and_others, owner_and_others>>

\* Kafka 4.4
CU3_is_enabled(c, itself) ==
  /\ (~itself) = TRUE
  /\ 33 <= metadata_version
  /\ controller_incarnation[c] # None

CU3(c, itself) ==
  /\ CU3_is_enabled(c, itself)
  /\ UnregisterController_replayed({[controller |-> c]})
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated,
         name, cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential,
         iterations, next_producer_id, producer_ids_begun, granted, in_force, says, has_token, rate,
         registered_and_others, never_written, directories_and_others, elr_index_and_others, elr_and_others,
         sent_and_others, owner_and_others>>

\* S3:252-258
PI3_is_enabled(b, broker_epoch) ==
  /\ known(b, broker_epoch) = TRUE
  /\ (~spent) = TRUE

PI3(b, broker_epoch) ==
  /\ PI3_is_enabled(b, broker_epoch)
  /\ ProducerIds_replayed({[broker |-> b, epoch |-> broker_epoch, next |-> next_producer_id + 1000]})
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated,
         name, cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential,
         iterations, controller_incarnation, controller_ranges, granted, in_force, says, has_token, rate,
         registered_and_others, never_written, directories_and_others, elr_index_and_others, elr_and_others,
         sent_and_others, owner_and_others>>

\* S3:268-276
NO1_is_enabled(later) ==
  /\ 5 <= metadata_version
  /\ log_end < later

NO1(later) ==
  /\ NO1_is_enabled(later)
  /\ log_end' = later
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated, name,
         cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential, iterations,
         controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says,
         has_token, rate, registered_and_others, never_written, directories_and_others, elr_index_and_others,
         elr_and_others, sent_and_others, owner_and_others>>

\* Kafka 4.4
AL6_is_enabled(a, v, readable, range, good_range) ==
  /\ (~granted[a]) = TRUE
  /\ known_codes(v) = TRUE
  /\ (~(resource_name[v] = nameless \/ ~readable)) = TRUE
  /\ (~AL3_applies(range)) = TRUE
  /\ (~AL4_applies(range, good_range)) = TRUE
  /\ (~in_force[v]) = TRUE

AL6(a, v, readable, range, good_range) ==
  /\ AL6_is_enabled(a, v, readable, range, good_range)
  /\ AccessControlEntry_replayed({[acl |-> a, binding |-> v]})
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated,
         name, cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential,
         iterations, controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, has_token, rate,
         registered_and_others, never_written, directories_and_others, elr_index_and_others, elr_and_others,
         sent_and_others, owner_and_others>>

\* Kafka 4.4
AL8(readable) ==
  /\ readable
  /\ RemoveAccessControlEntry_replayed({[acl |-> a] : a \in {a \in Acl : granted[a] /\ matches[a]}})
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated,
         name, cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential,
         iterations, controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, says, has_token,
         rate, registered_and_others, never_written, directories_and_others, elr_index_and_others, elr_and_others,
         sent_and_others, owner_and_others>>

\* KIP-554
SC6_is_enabled(c, twice) ==
  /\ (~before_scram) = TRUE
  /\ (~unnamed(c)) = TRUE
  /\ (~no_mechanism(c)) = TRUE
  /\ has_credential[c]
  /\ (~twice) = TRUE

SC6(c, twice) ==
  /\ SC6_is_enabled(c, twice)
  /\ has_credential' = RemoveUserScramCredential_has_credential(has_credential, {[credential |-> c]})
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated,
         name, cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, iterations,
         controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says,
         has_token, rate, registered_and_others, never_written, directories_and_others, elr_index_and_others,
         elr_and_others, sent_and_others, owner_and_others>>

\* KIP-554
SC12_is_enabled(c, iterations_3, twice) ==
  /\ (~before_scram) = TRUE
  /\ (~unnamed(c)) = TRUE
  /\ (~no_mechanism(c)) = TRUE
  /\ hashed_enough(iterations_3) = TRUE
  /\ (~twice) = TRUE

SC12(c, iterations_3, twice) ==
  /\ SC12_is_enabled(c, iterations_3, twice)
  /\ UserScramCredential_replayed({[credential |-> c, iterations |-> iterations_3]})
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated,
         name, cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, controller_incarnation,
         controller_ranges, next_producer_id, producer_ids_begun, granted, in_force, says, has_token, rate,
         registered_and_others, never_written, directories_and_others, elr_index_and_others, elr_and_others,
         sent_and_others, owner_and_others>>

\* KIP-900
TK4_is_enabled(k, holder, by, renewers_2, now, end, until, enabled, of_users) ==
  /\ owner[k] = None
  /\ now <= until
  /\ until <= end
  /\ enabled
  /\ (~before_tokens) = TRUE
  /\ of_users

TK4(k, holder, by, renewers_2, now, end, until, enabled, of_users) ==
  /\ TK4_is_enabled(k, holder, by, renewers_2, now, end, until, enabled, of_users)
  /\ DelegationToken_replayed({[token |-> k, owner |-> holder, requester |-> by, renewers |-> renewers_2, issued |->
         now, latest |-> end, expires |-> until]})
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated,
         name, cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential,
         iterations, controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force,
         says, rate, registered_and_others, never_written, directories_and_others, elr_index_and_others, elr_and_others,
         sent_and_others>>

\* KIP-900
TK10_is_enabled(k, by, now, until, enabled) ==
  /\ until <= latest[k]
  /\ enabled
  /\ (~before_tokens) = TRUE
  /\ found(k) = TRUE
  /\ (~is_over(k, now)) = TRUE
  /\ may_renew(k, by) = TRUE

TK10(k, by, now, until, enabled) ==
  /\ TK10_is_enabled(k, by, now, until, enabled)
  /\ DelegationToken_replayed({[token |-> k, owner |-> owner[k], requester |-> requester[k], renewers |-> renewers[k],
         issued |-> issued_at[k], latest |-> latest[k], expires |-> until]})
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated,
         name, cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential,
         iterations, controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force,
         says, rate, registered_and_others, never_written, directories_and_others, elr_index_and_others, elr_and_others,
         sent_and_others>>

\* KIP-900
TK15_is_enabled(k, by, now, until, at_once, enabled) ==
  /\ until <= latest[k]
  /\ at_once
  /\ enabled
  /\ (~before_tokens) = TRUE
  /\ found(k) = TRUE
  /\ may_renew(k, by) = TRUE

TK15(k, by, now, until, at_once, enabled) ==
  /\ TK15_is_enabled(k, by, now, until, at_once, enabled)
  /\ has_token' = RemoveDelegationToken_has_token(has_token, {[token |-> k]})
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated,
         name, cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential,
         iterations, controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force,
         says, rate, registered_and_others, never_written, directories_and_others, elr_index_and_others, elr_and_others,
         sent_and_others, owner_and_others>>

\* KIP-900
TK17_is_enabled(k, by, now, until, at_once, enabled) ==
  /\ until <= latest[k]
  /\ enabled
  /\ (~before_tokens) = TRUE
  /\ found(k) = TRUE
  /\ may_renew(k, by) = TRUE
  /\ (~at_once) = TRUE
  /\ (~is_over(k, now)) = TRUE

TK17(k, by, now, until, at_once, enabled) ==
  /\ TK17_is_enabled(k, by, now, until, at_once, enabled)
  /\ DelegationToken_replayed({[token |-> k, owner |-> owner[k], requester |-> requester[k], renewers |-> renewers[k],
         issued |-> issued_at[k], latest |-> latest[k], expires |-> until]})
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated,
         name, cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential,
         iterations, controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force,
         says, rate, registered_and_others, never_written, directories_and_others, elr_index_and_others, elr_and_others,
         sent_and_others>>

\* KIP-900
TK18(now) ==
  /\ has_token' = RemoveDelegationToken_has_token(has_token, {[token |-> k] : k \in {k \in Token : found(k) /\
         is_over(k, now)}})
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated,
         name, cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential,
         iterations, controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force,
         says, rate, registered_and_others, never_written, directories_and_others, elr_index_and_others, elr_and_others,
         sent_and_others, owner_and_others>>

\* KIP-546
CQ4_is_enabled(q, twice, resolves, validate_only) ==
  /\ (~twice) = TRUE
  /\ legal_entity(q, resolves) = TRUE
  /\ (~validate_only) = TRUE
  /\ rate[q] # None

CQ4(q, twice, resolves, validate_only) ==
  /\ CQ4_is_enabled(q, twice, resolves, validate_only)
  /\ rate' = RemoveClientQuota_rate(rate, {[quota |-> q]})
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated,
         name, cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential,
         iterations, controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force,
         says, has_token, registered_and_others, never_written, directories_and_others, elr_index_and_others,
         elr_and_others, sent_and_others, owner_and_others>>

\* KIP-546
CQ9_is_enabled(q, rate_2, twice, resolves, allowed, validate_only) ==
  /\ (~twice) = TRUE
  /\ legal_entity(q, resolves) = TRUE
  /\ (~(~legal_key(q) \/ ~allowed)) = TRUE
  /\ (~validate_only) = TRUE
  /\ rate[q] # rate_2

CQ9(q, rate_2, twice, resolves, allowed, validate_only) ==
  /\ CQ9_is_enabled(q, rate_2, twice, resolves, allowed, validate_only)
  /\ rate' = ClientQuota_rate(rate, {[quota |-> q, rate |-> rate_2]})
  /\ UNCHANGED <<metadata_version, in_transaction, contact, elr_version, kraft_version_2, feature_level, exists, topic,
         own_unclean, active_controller, node_unclean, unclean, fenced, in_controlled_shutdown, min_insync, replication,
         elr_disordered, index, log_end, registration_offset, soft_fenced, shutdown_offset, reported, live, outdated,
         name, cluster_min_insync, cluster_unclean, own_min_insync, setting, cluster_min_set, has_credential,
         iterations, controller_incarnation, controller_ranges, next_producer_id, producer_ids_begun, granted, in_force,
         says, has_token, registered_and_others, never_written, directories_and_others, elr_index_and_others,
         elr_and_others, sent_and_others, owner_and_others>>

\* S3:252-258
FE12_is_enabled(f, to_2, way, static_min) ==
  /\ formatted = TRUE
  /\ f = kraft_version
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

\* Kafka 4.4
AL5_is_enabled(a, v, readable, range, good_range) ==
  /\ (~granted[a]) = TRUE
  /\ in_force[v]
  /\ known_codes(v) = TRUE
  /\ (~(resource_name[v] = nameless \/ ~readable)) = TRUE
  /\ (~AL3_applies(range)) = TRUE
  /\ (~AL4_applies(range, good_range)) = TRUE

\* KIP-546
CQ3_is_enabled(q, twice, resolves, validate_only) ==
  /\ rate[q] = None
  /\ (~twice) = TRUE
  /\ legal_entity(q, resolves) = TRUE
  /\ (~validate_only) = TRUE

\* KIP-546
CQ8_is_enabled(q, rate_2, twice, resolves, allowed, validate_only) ==
  /\ rate[q] = rate_2
  /\ (~twice) = TRUE
  /\ legal_entity(q, resolves) = TRUE
  /\ (~(~legal_key(q) \/ ~allowed)) = TRUE
  /\ (~validate_only) = TRUE

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
  /\ live = [k \in Topic |-> FALSE]
  /\ outdated = [k \in Partition |-> FALSE]
  /\ sent = [k \in Request |-> FALSE]
  /\ from = [k \in Request |-> None]
  /\ from_epoch = [k \in Request |-> -1]
  /\ about = [k \in Request |-> None]
  /\ from_leader_epoch = [k \in Request |-> 0]
  /\ from_partition_epoch = [k \in Request |-> 0]
  /\ wanted = [k \in Request |-> <<>>]
  /\ member_epoch = [k \in Request, k2 \in Broker |-> -1]
  /\ wanted_recovery = [k \in Request |-> "RECOVERED"]
  /\ name = [k \in Topic |-> None]
  /\ cluster_min_insync = 1
  /\ cluster_unclean = FALSE
  /\ own_min_insync = [k \in Topic |-> FALSE]
  /\ setting = [k \in Setting |-> None]
  /\ cluster_min_set = FALSE
  /\ has_credential = [k \in Credential |-> FALSE]
  /\ iterations = [k \in Credential |-> 0]
  /\ controller_incarnation = [k \in Node |-> None]
  /\ controller_ranges = [k \in Node |-> {}]
  /\ static_unclean = FALSE
  /\ next_producer_id = 0
  /\ producer_ids_begun = FALSE
  /\ granted = [k \in Acl |-> FALSE]
  /\ in_force = [k \in Binding |-> FALSE]
  /\ owner = [k \in Token |-> None]
  /\ has_token = [k \in Token |-> FALSE]
  /\ requester = [k \in Token |-> None]
  /\ renewers = [k \in Token |-> {}]
  /\ issued_at = [k \in Token |-> 0]
  /\ latest = [k \in Token |-> 0]
  /\ expires_at = [k \in Token |-> 0]
  /\ rate = [k \in Quota |-> None]
  /\ metadata_version \in level
  /\ metadata_version = 0
  /\ unassigned \in Directory
  /\ migrating \in Directory
  /\ lost \in Directory
  /\ range_feature \in [Range -> Feature]
  /\ metadata_version_2 \in Feature
  /\ eligible_leader_replicas_version \in Feature
  /\ elr_version \in level
  /\ elr_version = 0
  /\ kraft_version \in Feature
  /\ kraft_version_2 \in level
  /\ lowest \in [Range -> level]
  /\ highest \in [Range -> level]
  /\ topic \in [Partition -> Topic]
  /\ active_controller \in Name
  /\ index \in [Partition -> index_2]
  /\ assigns \in [Partition -> BOOLEAN]
  /\ assigned \in [Partition -> Directory]
  /\ placed \in [Partition -> Lists(Broker)]
  /\ asks \in [Setting -> BOOLEAN]
  /\ resource_type \in [Setting -> level]
  /\ resource \in [Setting -> Name]
  /\ asked \in [Setting -> Value]
  /\ adds \in [Partition -> BOOLEAN]
  /\ gives_level \in [Feature -> BOOLEAN]
  /\ asked_level \in [Feature -> level]
  /\ gives_credential \in [Credential -> BOOLEAN]
  /\ gives_iterations \in [Credential -> iterations_2]
  /\ key \in [Setting -> Name]
  /\ min_insync_replicas \in Name
  /\ away \in [Setting -> BOOLEAN]
  /\ min_asked \in [Name -> BOOLEAN]
  /\ min_away \in [Name -> BOOLEAN]
  /\ min_to \in [Name -> size]
  /\ unclean_asked \in [Name -> BOOLEAN]
  /\ unclean_away \in [Name -> BOOLEAN]
  /\ unclean_to \in [Name -> BOOLEAN]
  /\ node_asked \in [Name -> BOOLEAN]
  /\ node_away \in [Name -> BOOLEAN]
  /\ node_to \in [Name -> BOOLEAN]
  /\ resource_code \in [Binding -> code]
  /\ pattern_code \in [Binding -> code]
  /\ operation_code \in [Binding -> code]
  /\ permission_code \in [Binding -> code]
  /\ resource_name \in [Binding -> Name]
  /\ nameless \in Name
  /\ says \in [Acl -> Binding]
  /\ matches \in [Acl -> BOOLEAN]
  /\ scram_user \in [Credential -> Name]
  /\ mechanism \in [Credential -> code]
  /\ published \in [Token -> BOOLEAN]
  /\ quota_kinds \in [Quota -> SUBSET QuotaKind]
  /\ user \in QuotaKind
  /\ client_id \in QuotaKind
  /\ ip \in QuotaKind
  /\ quota_names \in [Quota -> SUBSET Name]
  /\ quota_key \in [Quota -> QuotaKey]
  /\ producer_byte_rate \in QuotaKey
  /\ consumer_byte_rate \in QuotaKey
  /\ request_percentage \in QuotaKey
  /\ controller_mutation_rate \in QuotaKey
  /\ connection_creation_rate \in QuotaKey

Rows ==
  \/ \E same_cluster \in BOOLEAN :
       /\ same_cluster
       /\ \E migrates \in BOOLEAN :
            /\ (~migrates) = TRUE
            /\ \E ranges_2 \in SUBSET Range :
                 /\ (~unfit(ranges_2)) = TRUE
                 /\ (~names_no_metadata_version(ranges_2)) = TRUE
                 /\ (~silent(ranges_2)) = TRUE
                 /\ \E b \in Broker, i \in Incarnation :
                      /\ (~(registered[b] /\ new_incarnation(b, i) /\ contact[b] = "RECENT")) = TRUE
                      /\ \E dirs \in Lists(Directory) :
                           /\ (~bad_directories(dirs, b)) = TRUE
                           /\ \E previous_epoch \in offset, tells_previous_epoch \in BOOLEAN :
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
       \/ UR3(b)
       \/ SI1(b)
       \/ F1(b)
       \/ F2(b)
  \/ \E b \in Broker :
       /\ registered[b]
       /\ \E broker_epoch \in offset :
            /\ known(b, broker_epoch) = TRUE
            /\ \E off \in offset, want_fence \in BOOLEAN, want_down \in BOOLEAN :
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
       /\ registered[b]
       /\ \E broker_epoch \in offset :
            /\ known(b, broker_epoch) = TRUE
            /\ \E off \in offset :
                 \/ HX1(b, broker_epoch, off)
                 \/ HX2(b, broker_epoch, off)
  \/ \E b \in Broker :
       /\ registered[b]
       /\ \E dirs \in SUBSET Directory :
            \/ OD3(b, dirs)
            \/ OD4(b, dirs)
            \/ HC1(b, dirs)
  \/ \E b \in Broker, broker_epoch \in offset :
       \/ AD3(b, broker_epoch)
       \/ AD4(b, broker_epoch)
       \/ PI3(b, broker_epoch)
  \/ \E c \in Name : FO1(c)
  \/ \E m \in Request, b \in Broker, p \in Partition, proposal \in SUBSET Broker : LP1(m, b, p, proposal)
  \/ \E m \in Request, b \in Broker, p \in Partition : A14(m, b, p)
  \/ \E p \in Partition, target \in Lists(Broker), may_resize \in BOOLEAN : RA3(p, target, may_resize)
  \/ \E p \in Partition :
       /\ exists[p]
       /\ \/ RC4(p)
          \/ RC5(p)
          \/ EL3(p)
          \/ EU3(p)
          \/ BA1(p)
          \/ UE1(p)
  \/ \E t \in Topic, n \in Name, manual \in BOOLEAN, has_min_insync \in BOOLEAN, min_insync_2 \in size, has_unclean \in
       BOOLEAN, unclean_2 \in BOOLEAN : CT3(t, n, manual, has_min_insync, min_insync_2, has_unclean, unclean_2)
  \/ \E t \in Topic : DT2(t)
  \/ \E t \in Topic :
       /\ numbered_on(t) = TRUE
       /\ (live[t] => (\E q \in Partition : exists[q] /\ topic[q] = t)) = TRUE
       /\ live[t]
       /\ (~nothing_added(t)) = TRUE
       /\ (~badly_placed(t)) = TRUE
       /\ \E manual \in BOOLEAN :
            /\ (manual \/ ~badly_placed(t)) = TRUE
            /\ (~(unhosted(t) /\ manual)) = TRUE
            /\ \/ CP6(t, manual)
               \/ CP5(t, manual)
  \/ \E metadata_version_3 \in level :
       /\ 7 <= metadata_version_3
       /\ \E elr_version_2 \in level, has_elr \in BOOLEAN, static_min \in size :
            \/ AC1(metadata_version_3, elr_version_2, has_elr, static_min)
            \/ AC3(metadata_version_3, elr_version_2, has_elr, static_min)
  \/ \E metadata_version_3 \in level : AC4(metadata_version_3)
  \/ \E f \in Feature, to_2 \in level :
       /\ (~(f = metadata_version_2 /\ crosses(to_2))) = TRUE
       /\ \E way \in Direction :
            /\ (~(way = "UNKNOWN" \/ ~supported(f, to_2) \/ unheard_of(f) \/ (f = metadata_version_2 /\ to_2 < 7))) =
                   TRUE
            /\ (~(way = "UPGRADE" /\ to_2 < finalized_2(f))) = TRUE
            /\ (~(way # "UPGRADE" /\ finalized_2(f) < to_2)) = TRUE
            /\ \E static_min \in size :
                 \/ FE5(f, to_2, way, static_min)
                 \/ FE7(f, to_2, way, static_min)
                 \/ FE8(f, to_2, way, static_min)
                 \/ FE10(f, to_2, way, static_min)
                 \/ FE9(f, to_2, way, static_min)
  \/ \E t \in Topic, n \in Name, size_2 \in size, deletes \in BOOLEAN, valid_2 \in BOOLEAN, permitted \in BOOLEAN,
       validate_only \in BOOLEAN : CF5(t, n, size_2, deletes, valid_2, permitted, validate_only)
  \/ \E t \in Topic, n \in Name, switch \in BOOLEAN, deletes \in BOOLEAN, valid_2 \in BOOLEAN, permitted \in BOOLEAN,
       validate_only \in BOOLEAN : CF10(t, n, switch, deletes, valid_2, permitted, validate_only)
  \/ \E permitted \in BOOLEAN :
       /\ permitted
       /\ \E validate_only \in BOOLEAN :
            /\ (~validate_only) = TRUE
            /\ \E deletes \in BOOLEAN, valid_2 \in BOOLEAN :
                 /\ (~(~valid_2 \/ (elr_on /\ deletes))) = TRUE
                 /\ \E size_2 \in size :
                      \/ CF14(size_2, deletes, valid_2, permitted, validate_only)
                      \/ CF15(size_2, deletes, valid_2, permitted, validate_only)
  \/ \E switch \in BOOLEAN, deletes \in BOOLEAN, valid_2 \in BOOLEAN, permitted \in BOOLEAN, validate_only \in BOOLEAN :
       CF19(switch, deletes, valid_2, permitted, validate_only)
  \/ \E n \in Name, switch \in BOOLEAN, deletes \in BOOLEAN, valid_2 \in BOOLEAN, permitted \in BOOLEAN, validate_only
       \in BOOLEAN : CF28(n, switch, deletes, valid_2, permitted, validate_only)
  \/ \E s \in Setting, value \in Value, deletes \in BOOLEAN, valid_2 \in BOOLEAN, permitted \in BOOLEAN, validate_only
       \in BOOLEAN : CF24(s, value, deletes, valid_2, permitted, validate_only)
  \/ \E sets_min \in BOOLEAN, drops_min \in BOOLEAN, to_size \in size, sets_unclean \in BOOLEAN, drops_unclean \in
       BOOLEAN, to_switch \in BOOLEAN : CM1(sets_min, drops_min, to_size, sets_unclean, drops_unclean, to_switch)
  \/ \E c \in Node, i \in Incarnation, ranges_2 \in SUBSET Range : CR1(c, i, ranges_2)
  \/ \E c \in Node, itself \in BOOLEAN : CU3(c, itself)
  \/ \E later \in offset : NO1(later)
  \/ \E a \in Acl, v \in Binding, readable \in BOOLEAN, range \in BOOLEAN, good_range \in BOOLEAN : AL6(a, v, readable,
       range, good_range)
  \/ \E readable \in BOOLEAN : AL8(readable)
  \/ \E c \in Credential, twice \in BOOLEAN : SC6(c, twice)
  \/ \E c \in Credential, iterations_3 \in iterations_2, twice \in BOOLEAN : SC12(c, iterations_3, twice)
  \/ \E k \in Token, holder \in Principal, by \in Principal, renewers_2 \in SUBSET Principal, now \in time, end \in
       time, until \in time, enabled \in BOOLEAN, of_users \in BOOLEAN : TK4(k, holder, by, renewers_2, now, end, until,
       enabled, of_users)
  \/ \E k \in Token, by \in Principal, now \in time, until \in time, enabled \in BOOLEAN : TK10(k, by, now, until,
       enabled)
  \/ \E enabled \in BOOLEAN :
       /\ enabled
       /\ \E k \in Token :
            /\ found(k) = TRUE
            /\ \E until \in time :
                 /\ until <= latest[k]
                 /\ \E by \in Principal :
                      /\ may_renew(k, by) = TRUE
                      /\ \E now \in time, at_once \in BOOLEAN :
                           \/ TK15(k, by, now, until, at_once, enabled)
                           \/ TK17(k, by, now, until, at_once, enabled)
  \/ \E now \in time : TK18(now)
  \/ \E q \in Quota, twice \in BOOLEAN, resolves \in BOOLEAN, validate_only \in BOOLEAN : CQ4(q, twice, resolves,
       validate_only)
  \/ \E q \in Quota, rate_2 \in Rate, twice \in BOOLEAN, resolves \in BOOLEAN, allowed \in BOOLEAN, validate_only \in
       BOOLEAN : CQ9(q, rate_2, twice, resolves, allowed, validate_only)

Next == Rows \/ UNCHANGED vars

Spec == Init /\ [][Next]_vars

\* The guard of some row holds: unlike in ENABLED Rows, of one too that only a range disables.
SomeRowIsEnabled ==
  \/ \E same_cluster \in BOOLEAN :
       /\ same_cluster
       /\ \E migrates \in BOOLEAN :
            /\ (~migrates) = TRUE
            /\ \E ranges_2 \in SUBSET Range :
                 /\ (~unfit(ranges_2)) = TRUE
                 /\ (~names_no_metadata_version(ranges_2)) = TRUE
                 /\ (~silent(ranges_2)) = TRUE
                 /\ \E b \in Broker, i \in Incarnation :
                      /\ (~(registered[b] /\ new_incarnation(b, i) /\ contact[b] = "RECENT")) = TRUE
                      /\ \E dirs \in Lists(Directory) :
                           /\ (~bad_directories(dirs, b)) = TRUE
                           /\ \E previous_epoch \in offset, tells_previous_epoch \in BOOLEAN :
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
       \/ UR3_is_enabled(b)
       \/ contact[b] = "RECENT"
       \/ F1_is_enabled(b)
       \/ F2_is_enabled(b)
  \/ \E b \in Broker :
       /\ registered[b]
       /\ \E broker_epoch \in offset :
            /\ known(b, broker_epoch) = TRUE
            /\ \E off \in offset, want_fence \in BOOLEAN, want_down \in BOOLEAN :
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
       /\ registered[b]
       /\ \E broker_epoch \in offset :
            /\ known(b, broker_epoch) = TRUE
            /\ \E off \in offset :
                 \/ HX1_is_enabled(b, broker_epoch, off)
                 \/ HX2_is_enabled(b, broker_epoch, off)
  \/ \E b \in Broker :
       /\ registered[b]
       /\ \E dirs \in SUBSET Directory :
            \/ OD3_is_enabled(b, dirs)
            \/ OD4_is_enabled(b, dirs)
            \/ HC1_is_enabled(b, dirs)
  \/ \E b \in Broker, broker_epoch \in offset :
       \/ AD3_is_enabled(b, broker_epoch)
       \/ AD4_is_enabled(b, broker_epoch)
       \/ PI3_is_enabled(b, broker_epoch)
  \/ \E c \in Name : TRUE
  \/ \E m \in Request, b \in Broker, p \in Partition, proposal \in SUBSET Broker : LP1_is_enabled(m, b, p, proposal)
  \/ \E m \in Request, b \in Broker, p \in Partition : A14_is_enabled(m, b, p)
  \/ \E p \in Partition, target \in Lists(Broker), may_resize \in BOOLEAN : RA3_is_enabled(p, target, may_resize)
  \/ \E p \in Partition :
       /\ exists[p]
       /\ \/ RC4_is_enabled(p)
          \/ RC5_is_enabled(p)
          \/ EL3_is_enabled(p)
          \/ EU3_is_enabled(p)
          \/ BA1_is_enabled(p)
          \/ UE1_is_enabled(p)
  \/ \E t \in Topic, n \in Name, manual \in BOOLEAN, has_min_insync \in BOOLEAN, min_insync_2 \in size, has_unclean \in
       BOOLEAN, unclean_2 \in BOOLEAN : CT3_is_enabled(t, n, manual, has_min_insync, min_insync_2, has_unclean,
       unclean_2)
  \/ \E t \in Topic : live[t]
  \/ \E t \in Topic :
       /\ numbered_on(t) = TRUE
       /\ (live[t] => (\E q \in Partition : exists[q] /\ topic[q] = t)) = TRUE
       /\ live[t]
       /\ (~nothing_added(t)) = TRUE
       /\ (~badly_placed(t)) = TRUE
       /\ \E manual \in BOOLEAN :
            /\ (manual \/ ~badly_placed(t)) = TRUE
            /\ (~(unhosted(t) /\ manual)) = TRUE
            /\ \/ CP6_is_enabled(t, manual)
               \/ CP5_is_enabled(t, manual)
  \/ \E metadata_version_3 \in level :
       /\ 7 <= metadata_version_3
       /\ \E elr_version_2 \in level, has_elr \in BOOLEAN, static_min \in size :
            \/ AC1_is_enabled(metadata_version_3, elr_version_2, has_elr, static_min)
            \/ AC3_is_enabled(metadata_version_3, elr_version_2, has_elr, static_min)
  \/ \E metadata_version_3 \in level : AC4_is_enabled(metadata_version_3)
  \/ \E f \in Feature, to_2 \in level :
       /\ (~(f = metadata_version_2 /\ crosses(to_2))) = TRUE
       /\ \E way \in Direction :
            /\ (~(way = "UNKNOWN" \/ ~supported(f, to_2) \/ unheard_of(f) \/ (f = metadata_version_2 /\ to_2 < 7))) =
                   TRUE
            /\ (~(way = "UPGRADE" /\ to_2 < finalized_2(f))) = TRUE
            /\ (~(way # "UPGRADE" /\ finalized_2(f) < to_2)) = TRUE
            /\ \E static_min \in size :
                 \/ FE5_is_enabled(f, to_2, way, static_min)
                 \/ FE7_is_enabled(f, to_2, way, static_min)
                 \/ FE8_is_enabled(f, to_2, way, static_min)
                 \/ FE10_is_enabled(f, to_2, way, static_min)
                 \/ FE9_is_enabled(f, to_2, way, static_min)
  \/ \E t \in Topic, n \in Name, size_2 \in size, deletes \in BOOLEAN, valid_2 \in BOOLEAN, permitted \in BOOLEAN,
       validate_only \in BOOLEAN : CF5_is_enabled(t, n, size_2, deletes, valid_2, permitted, validate_only)
  \/ \E t \in Topic, n \in Name, switch \in BOOLEAN, deletes \in BOOLEAN, valid_2 \in BOOLEAN, permitted \in BOOLEAN,
       validate_only \in BOOLEAN : CF10_is_enabled(t, n, switch, deletes, valid_2, permitted, validate_only)
  \/ \E permitted \in BOOLEAN :
       /\ permitted
       /\ \E validate_only \in BOOLEAN :
            /\ (~validate_only) = TRUE
            /\ \E deletes \in BOOLEAN, valid_2 \in BOOLEAN :
                 /\ (~(~valid_2 \/ (elr_on /\ deletes))) = TRUE
                 /\ \E size_2 \in size :
                      \/ CF14_is_enabled(size_2, deletes, valid_2, permitted, validate_only)
                      \/ CF15_is_enabled(size_2, deletes, valid_2, permitted, validate_only)
  \/ \E switch \in BOOLEAN, deletes \in BOOLEAN, valid_2 \in BOOLEAN, permitted \in BOOLEAN, validate_only \in BOOLEAN :
       CF19_is_enabled(switch, deletes, valid_2, permitted, validate_only)
  \/ \E n \in Name, switch \in BOOLEAN, deletes \in BOOLEAN, valid_2 \in BOOLEAN, permitted \in BOOLEAN, validate_only
       \in BOOLEAN : CF28_is_enabled(n, switch, deletes, valid_2, permitted, validate_only)
  \/ \E s \in Setting, value \in Value, deletes \in BOOLEAN, valid_2 \in BOOLEAN, permitted \in BOOLEAN, validate_only
       \in BOOLEAN : CF24_is_enabled(s, value, deletes, valid_2, permitted, validate_only)
  \/ \E sets_min \in BOOLEAN, drops_min \in BOOLEAN, to_size \in size, sets_unclean \in BOOLEAN, drops_unclean \in
       BOOLEAN, to_switch \in BOOLEAN : (~elr_forbids(sets_min, drops_min)) = TRUE
  \/ \E c \in Node, i \in Incarnation, ranges_2 \in SUBSET Range : 15 <= metadata_version
  \/ \E c \in Node, itself \in BOOLEAN : CU3_is_enabled(c, itself)
  \/ \E later \in offset : NO1_is_enabled(later)
  \/ \E a \in Acl, v \in Binding, readable \in BOOLEAN, range \in BOOLEAN, good_range \in BOOLEAN : AL6_is_enabled(a, v,
       readable, range, good_range)
  \/ \E readable \in BOOLEAN : readable
  \/ \E c \in Credential, twice \in BOOLEAN : SC6_is_enabled(c, twice)
  \/ \E c \in Credential, iterations_3 \in iterations_2, twice \in BOOLEAN : SC12_is_enabled(c, iterations_3, twice)
  \/ \E k \in Token, holder \in Principal, by \in Principal, renewers_2 \in SUBSET Principal, now \in time, end \in
       time, until \in time, enabled \in BOOLEAN, of_users \in BOOLEAN : TK4_is_enabled(k, holder, by, renewers_2, now,
       end, until, enabled, of_users)
  \/ \E k \in Token, by \in Principal, now \in time, until \in time, enabled \in BOOLEAN : TK10_is_enabled(k, by, now,
       until, enabled)
  \/ \E enabled \in BOOLEAN :
       /\ enabled
       /\ \E k \in Token :
            /\ found(k) = TRUE
            /\ \E until \in time :
                 /\ until <= latest[k]
                 /\ \E by \in Principal :
                      /\ may_renew(k, by) = TRUE
                      /\ \E now \in time, at_once \in BOOLEAN :
                           \/ TK15_is_enabled(k, by, now, until, at_once, enabled)
                           \/ TK17_is_enabled(k, by, now, until, at_once, enabled)
  \/ \E now \in time : TRUE
  \/ \E q \in Quota, twice \in BOOLEAN, resolves \in BOOLEAN, validate_only \in BOOLEAN : CQ4_is_enabled(q, twice,
       resolves, validate_only)
  \/ \E q \in Quota, rate_2 \in Rate, twice \in BOOLEAN, resolves \in BOOLEAN, allowed \in BOOLEAN, validate_only \in
       BOOLEAN : CQ9_is_enabled(q, rate_2, twice, resolves, allowed, validate_only)

\* The epochs of registrations with a new incarnation increase, over all brokers. (S2:34, S2:52)
K1 == [][(\A b \in Broker, i \in Incarnation, previous_epoch \in offset, tells_previous_epoch \in BOOLEAN, dirs \in
  Lists(Directory), ranges_2 \in SUBSET Range, same_cluster \in BOOLEAN, migrates \in BOOLEAN : (R1(b, i,
  previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R2(b, i, previous_epoch,
  tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R2u(b, i, previous_epoch, tells_previous_epoch, dirs,
  ranges_2, same_cluster, migrates)) => (\A x \in Broker : registered[x] => epoch[x] < epoch[b]'))]_vars

K1_where_nothing_changes == (\A b \in Broker, i \in Incarnation, previous_epoch \in offset, tells_previous_epoch \in
  BOOLEAN, dirs \in Lists(Directory), ranges_2 \in SUBSET Range, same_cluster \in BOOLEAN, migrates \in BOOLEAN :
  (ENABLED (UNCHANGED vars /\ (R1(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/
  R2(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R2u(b, i, previous_epoch,
  tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)))) => (\A x \in Broker : registered[x] => epoch[x] <
  epoch[b]))

\* Another incarnation is admitted only if the former one has no session. (S2:38, S2:56)
K2 == [][(\A b \in Broker, i \in Incarnation, previous_epoch \in offset, tells_previous_epoch \in BOOLEAN, dirs \in
  Lists(Directory), ranges_2 \in SUBSET Range, same_cluster \in BOOLEAN, migrates \in BOOLEAN : (R2(b, i,
  previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R2u(b, i, previous_epoch,
  tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)) => (contact[b] # "RECENT"))]_vars

K2_where_nothing_changes == (\A b \in Broker, i \in Incarnation, previous_epoch \in offset, tells_previous_epoch \in
  BOOLEAN, dirs \in Lists(Directory), ranges_2 \in SUBSET Range, same_cluster \in BOOLEAN, migrates \in BOOLEAN :
  (ENABLED (UNCHANGED vars /\ (R2(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/
  R2u(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)))) => (contact[b] # "RECENT"))

\* Registering again as the same incarnation keeps epoch, fencing and controlled shutdown. (S2:35, KAFKA-16757)
K3 == [][(\A b \in Broker, i \in Incarnation, previous_epoch \in offset, tells_previous_epoch \in BOOLEAN, dirs \in
  Lists(Directory), ranges_2 \in SUBSET Range, same_cluster \in BOOLEAN, migrates \in BOOLEAN : (R3(b, i,
  previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)) => (epoch[b]' = epoch[b] /\ fenced[b] =
  fenced[b]' /\ in_controlled_shutdown[b] = in_controlled_shutdown[b]'))]_vars

\* A broker is unfenced only after it reported an offset not below that of its newest registration. (S2:60, S3:244)
K4 == [][(\A b \in Broker, broker_epoch \in offset, off \in offset, want_fence \in BOOLEAN, want_down \in BOOLEAN :
  (HB2(b, broker_epoch, off, want_fence, want_down)) => (registration_offset[b] <= off))]_vars

K4_where_nothing_changes == (\A b \in Broker, broker_epoch \in offset, off \in offset, want_fence \in BOOLEAN, want_down
  \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (HB2(b, broker_epoch, off, want_fence, want_down)))) =>
  (registration_offset[b] <= off))

\* Fencing, unfencing and controlled shutdown name a registered broker, with its current epoch.
\* (ClusterControlManager.replayRegistrationChange)
K5 == [][(\A b \in Broker : (UR3(b) \/ F1(b) \/ F2(b)) => (registered[b])) /\ (\A b \in Broker, broker_epoch \in offset,
  off \in offset, want_fence \in BOOLEAN, want_down \in BOOLEAN : (HB1(b, broker_epoch, off, want_fence, want_down) \/
  HB2(b, broker_epoch, off, want_fence, want_down) \/ HB4(b, broker_epoch, off, want_fence, want_down) \/ HB5(b,
  broker_epoch, off, want_fence, want_down) \/ HB6(b, broker_epoch, off, want_fence, want_down) \/ HB7(b, broker_epoch,
  off, want_fence, want_down) \/ HB10(b, broker_epoch, off, want_fence, want_down)) => (registered[b])) /\ (\A b \in
  Broker, dirs \in SUBSET Directory : (OD3(b, dirs) \/ OD4(b, dirs) \/ HC1(b, dirs)) => (registered[b])) /\ (\A b \in
  Broker, broker_epoch \in offset : (AD3(b, broker_epoch) \/ AD4(b, broker_epoch)) => (registered[b]))]_vars

K5_where_nothing_changes == (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (UR3(b) \/ F1(b) \/ F2(b)))) =>
  (registered[b])) /\ (\A b \in Broker, broker_epoch \in offset, off \in offset, want_fence \in BOOLEAN, want_down \in
  BOOLEAN : (ENABLED (UNCHANGED vars /\ (HB1(b, broker_epoch, off, want_fence, want_down) \/ HB2(b, broker_epoch, off,
  want_fence, want_down) \/ HB4(b, broker_epoch, off, want_fence, want_down) \/ HB5(b, broker_epoch, off, want_fence,
  want_down) \/ HB6(b, broker_epoch, off, want_fence, want_down) \/ HB7(b, broker_epoch, off, want_fence, want_down) \/
  HB10(b, broker_epoch, off, want_fence, want_down)))) => (registered[b])) /\ (\A b \in Broker, dirs \in SUBSET
  Directory : (ENABLED (UNCHANGED vars /\ (OD3(b, dirs) \/ OD4(b, dirs) \/ HC1(b, dirs)))) => (registered[b])) /\ (\A b
  \in Broker, broker_epoch \in offset : (ENABLED (UNCHANGED vars /\ (AD3(b, broker_epoch) \/ AD4(b, broker_epoch)))) =>
  (registered[b]))

\* Each directory belongs to at most one broker. (ClusterControlManager.registerBroker)
K6 == \A x \in Broker, y \in Broker : (registered[x] /\ registered[y] /\ x # y) => (\A d \in Directory : ~(d \in
  directories[x] /\ d \in directories[y]))

\* The leader is in the ISR. (ReplicationControlManager.validateAlterPartitionData)
P1 == \A p \in Partition : exists[p] => (leader[p] = None \/ leader[p] \in Elements(isr[p]))

\* The leader is in the ISR; where D26 has not been. (ReplicationControlManager.validateAlterPartitionData)
P1w == \A p \in Partition : (~outdated[p] /\ exists[p]) => (leader[p] = None \/ leader[p] \in Elements(isr[p]))

\* The ISR is within the replicas, and there are replicas; where D26 has not been. (Replicas.java)
P2 == \A p \in Partition : (~outdated[p] /\ exists[p]) => (Elements(isr[p]) \subseteq Elements(replicas[p]) /\
  replicas[p] # <<>>)

\* Nobody leads a partition whose ISR is empty. (PartitionChangeBuilder)
P3 == \A p \in Partition : (exists[p] /\ isr[p] = <<>>) => leader[p] = None

\* Nobody leads a partition whose ISR is empty; where D26 has not been. (PartitionChangeBuilder)
P3w == \A p \in Partition : (~outdated[p] /\ exists[p] /\ isr[p] = <<>>) => leader[p] = None

\* Nobody is both in the ISR and an eligible leader replica; where D26 has not been.
\* (ReplicationControlManager.updatePartitionInfo)
P4 == \A p \in Partition, x \in Broker : ~outdated[p] => ~(exists[p] /\ x \in Elements(isr[p]) /\ x \in elr[p])

\* Eligible leader replicas are replicas; where D26 has not been. (KIP-966)
P5 == \A p \in Partition : (~outdated[p] /\ exists[p]) => elr[p] \subseteq Elements(replicas[p])

\* After a change there are eligible leader replicas only below min.insync.replicas, or beside a leader just chosen from
\* them; where D26 has not been. (KIP-966)
P6 == [][\A p \in Partition : (~outdated[p]' /\ exists[p] /\ exists[p]' /\ partition_epoch[p] # partition_epoch[p]' /\
  elr[p]' # {}) => (~(Cardinality(Elements(isr[p])') >= min_isr(p)) \/ (leader[p]' # leader[p] /\ isr[p]' =
  OnlyItem(leader[p]')))]_vars

\* Nobody who is fenced or unregistered is in an ISR, but the last one of a leaderless partition (which without ELR, or
\* from the time before it, stays there); where D26 has not been. (KIP-841, KAFKA-13916)
P7 == \A p \in Partition, x \in Broker : (~outdated[p] /\ exists[p] /\ x \in Elements(isr[p])) => ((registered[x] /\
  ~fenced[x]) \/ (leader[p] = None /\ isr[p] = OnlyItem(x)))

\* Nobody who shuts down is in an ISR, but the last one of a leaderless partition. (KIP-841, KAFKA-13916)
P7s == \A p \in Partition, x \in Broker : (exists[p] /\ x \in Elements(isr[p])) => (~in_controlled_shutdown[x] \/
  (leader[p] = None /\ isr[p] = OnlyItem(x)))

\* A change raises the partition epoch by one, and the leader epoch by one or not at all. (PartitionRegistration.merge)
P8 == [][\A p \in Partition : (exists[p] /\ exists[p]') => ((partition_epoch[p]' = partition_epoch[p] /\
  leader_epoch[p]' = leader_epoch[p] /\ isr[p]' = isr[p] /\ leader[p]' = leader[p] /\ elr[p]' = elr[p] /\ replicas[p]' =
  replicas[p] /\ recovery[p]' = recovery[p]) \/ (partition_epoch[p]' = partition_epoch[p] + 1 /\ (leader_epoch[p]' =
  leader_epoch[p] \/ leader_epoch[p]' = leader_epoch[p] + 1)))]_vars

\* Another leader has another leader epoch. (PartitionRegistration.merge)
P9 == [][\A p \in Partition : (exists[p] /\ exists[p]' /\ leader[p]' # leader[p]) => leader_epoch[p]' #
  leader_epoch[p]]_vars

\* A leader that was elected cleanly was in the ISR or an eligible leader replica, or the leader before it has proposed
\* it; or the reassignment that ends has put it into the ISR; where D26 has not been.
\* (PartitionChangeBuilder.isValidNewLeader)
P10 == [][\A p \in Partition : (~outdated[p]' /\ elected_now(p) /\ recovery[p]' = "RECOVERED") => (leader[p]' \in
  Elements(isr[p]) \union elr[p] \/ ((reassignment_ended(p) \/ leader[p] # None) /\ (leader[p] \in
  Elements(isr[p]))'))]_vars

\* A leader from outside whom nobody proposed is alone in the ISR and recovers; where D26 has not been.
\* (PartitionChangeBuilder.tryElection)
P11 == [][\A p \in Partition : (~outdated[p]' /\ elected_now(p) /\ leader[p]' \notin Elements(isr[p]) \union elr[p] /\
  ~reassignment_ended(p) /\ leader[p] = None) => (isr[p]' = OnlyItem(leader[p]') /\ recovery[p]' = "RECOVERING")]_vars

\* While a leader recovers it is alone in the ISR. (KIP-704)
P12 == \A p \in Partition, x \in Broker, y \in Broker : (exists[p] /\ recovery[p] = "RECOVERING" /\ x \in
  Elements(isr[p]) /\ y \in Elements(isr[p])) => x = y

\* A proposal that moves the leader moves it to somebody who was proposed or might lead before, or, uncleanly, to one
\* alone. (PartitionChangeBuilder.isValidNewLeader)
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

\* A broker that puts a replica into a directory that it does not have leaves the ISR, unless nobody leads; where D26
\* has not been. (ReplicationControlManager.handleAssignReplicasToDirs)
P28 == [][(\A b \in Broker, broker_epoch \in offset : (AD4(b, broker_epoch)) => (\A p \in Partition : (~outdated[p]' /\
  exists[p] /\ exists[p]' /\ location[p, b]' # location[p, b] /\ b \in Elements(isr[p]') /\ (leader[p] # None)') =>
  online(p, b)'))]_vars

\* Nobody who is fenced is in an ISR, not even between the records of one result: they come in an order that sees to it;
\* where D26 has not been. (KIP-841, S3:222-224)
P7r == \A p \in Partition, x \in Broker : (~outdated[p] /\ exists[p] /\ x \in Elements(isr[p])) => (~fenced[x] \/
  (leader[p] = None /\ isr[p] = OnlyItem(x)))

\* A change changes something: no epoch rises by itself. (KAFKA-16624)
P8r == [][\A p \in Partition : (exists[p] /\ exists[p]' /\ ~elr_disordered[p] /\ partition_epoch[p]' #
  partition_epoch[p]) => ~(isr[p]' = isr[p] /\ leader[p]' = leader[p] /\ elr[p]' = elr[p] /\ last_known[p]' =
  last_known[p] /\ last_nobody[p]' = last_nobody[p] /\ replicas[p]' = replicas[p] /\ (\A x \in Broker : location[p, x]'
  = location[p, x]) /\ removing[p]' = removing[p] /\ adding[p]' = adding[p] /\ recovery[p]' = recovery[p])]_vars

\* A broker that has read its registration and does not want to be fenced is not kept fenced. (S2:59, KAFKA-13959)
K11 == [][(\A b \in Broker, broker_epoch \in offset, off \in offset, want_fence \in BOOLEAN, want_down \in BOOLEAN :
  (HB3(b, broker_epoch, off, want_fence, want_down)) => (want_fence \/ off < registration_offset[b]))]_vars

K11_where_nothing_changes == (\A b \in Broker, broker_epoch \in offset, off \in offset, want_fence \in BOOLEAN,
  want_down \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (HB3(b, broker_epoch, off, want_fence, want_down)))) =>
  (want_fence \/ off < registration_offset[b]))

\* A controlled shutdown offset is set once: it moves from and to none only, or the shutdown would never end on a busy
\* log. (S3:244, KAFKA-14292)
K12 == [][\A x \in Broker : shutdown_offset[x] = -1 \/ shutdown_offset[x]' = -1 \/ shutdown_offset[x]' =
  shutdown_offset[x]]_vars

\* A creation that is refused writes no configuration. (ReplicationControlManager.createTopics)
C1 == [][TRUE]_vars

\* Who is being added or removed is a replica. (PartitionReassignmentReplicas)
P13 == \A p \in Partition : exists[p] => adding[p] \union removing[p] \subseteq Elements(replicas[p])

\* Nobody is being added and removed at once. (PartitionReassignmentReplicas)
P13b == \A p \in Partition : exists[p] => adding[p] \intersect removing[p] = {}

\* A reassignment ends with the target as replicas once everybody who is added is proposed; of a smaller target,
\* everybody. (KAFKA-15665, KAFKA-19975)
P14 == [][(\A m \in Request, b \in Broker, p \in Partition : (A14(m, b, p)) => ((exists[p] /\ exists[p]' /\
  reassignment_ended(p)) => (replicas[p]' = KeepIn(replicas[p], Elements(replicas[p]) \ removing[p]) /\ adding[p]
  \subseteq Elements(wanted[m]) /\ (~(Cardinality(adding[p]) >= Cardinality(removing[p])) => Elements(replicas[p])'
  \subseteq Elements(wanted[m])))))]_vars

\* When a replica leaves, the leader epoch rises; before 3.6-IV0 also when one leaves the ISR. (PartitionChangeBuilder)
P15 == [][\A p \in Partition : (exists[p] /\ exists[p]' /\ (~(Elements(replicas[p]) \subseteq Elements(replicas[p])') \/
  (metadata_version < 12 /\ ~(Elements(isr[p]) \subseteq Elements(isr[p])')))) => leader_epoch[p]' = leader_epoch[p] +
  1]_vars

\* Nobody comes into the ISR whom the leader did not propose. (S2:94)
P21 == [][(\A m \in Request, b \in Broker, p \in Partition : (A14(m, b, p)) => (Elements(isr[p])' \subseteq
  Elements(wanted[m]) \union ({leader[p]'} \ {None})))]_vars

P21_where_nothing_changes == (\A m \in Request, b \in Broker, p \in Partition : (ENABLED (UNCHANGED vars /\ (A14(m, b,
  p)))) => (Elements(isr[p]) \subseteq Elements(wanted[m]) \union ({leader[p]} \ {None})))

\* A reassignment adds nobody to the ISR but a leader that it elects. (S2:94)
P21r == [][(\A p \in Partition, target \in Lists(Broker), may_resize \in BOOLEAN : (RA3(p, target, may_resize)) =>
  (Elements(isr[p])' \subseteq Elements(isr[p]) \union ({leader[p]'} \ {None}))) /\ (\A p \in Partition : (RC5(p)) =>
  (Elements(isr[p])' \subseteq Elements(isr[p]) \union ({leader[p]'} \ {None})))]_vars

P21r_where_nothing_changes == (\A p \in Partition, target \in Lists(Broker), may_resize \in BOOLEAN : (ENABLED
  (UNCHANGED vars /\ (RA3(p, target, may_resize)))) => (Elements(isr[p]) \subseteq Elements(isr[p]) \union ({leader[p]}
  \ {None}))) /\ (\A p \in Partition : (ENABLED (UNCHANGED vars /\ (RC5(p)))) => (Elements(isr[p]) \subseteq
  Elements(isr[p]) \union ({leader[p]} \ {None})))

\* A proposal that is answered NONE leaves its sender the leader. (S3:220, S3:333)
P25 == [][(\A m \in Request, b \in Broker, p \in Partition : (A14(m, b, p)) => (taken_away(p, m, b) \/ leader[p]' =
  b))]_vars

P25_where_nothing_changes == (\A m \in Request, b \in Broker, p \in Partition : (ENABLED (UNCHANGED vars /\ (A14(m, b,
  p)))) => (taken_away(p, m, b) \/ leader[p] = b))

\* No change leaves fewer replicas that may lead than there were, or than min.insync.replicas asks for; where D26 has
\* not been. (S3:216, S3:347)
P26 == [][(\A b \in Broker, i \in Incarnation, previous_epoch \in offset, tells_previous_epoch \in BOOLEAN, dirs \in
  Lists(Directory), ranges_2 \in SUBSET Range, same_cluster \in BOOLEAN, migrates \in BOOLEAN : (R2(b, i,
  previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)) => (\A p \in Partition : (~outdated[p]'
  /\ exists[p] /\ exists[p]' /\ partition_epoch[p]' # partition_epoch[p] /\ elr_on /\ replicas[p]' = replicas[p] /\
  recovery[p]' = "RECOVERED") => Cardinality(((Elements(isr[p]) \union elr[p]) \intersect Elements(replicas[p]))') >=
  Lesser(Cardinality((Elements(isr[p]) \union elr[p]) \intersect Elements(replicas[p])), Lesser(min_isr(p),
  Cardinality(Elements(replicas[p])))))) /\ (\A b \in Broker, broker_epoch \in offset, off \in offset, want_fence \in
  BOOLEAN, want_down \in BOOLEAN : (HB1(b, broker_epoch, off, want_fence, want_down) \/ HB4(b, broker_epoch, off,
  want_fence, want_down) \/ HB5(b, broker_epoch, off, want_fence, want_down) \/ HB6(b, broker_epoch, off, want_fence,
  want_down) \/ HB7(b, broker_epoch, off, want_fence, want_down) \/ HB10(b, broker_epoch, off, want_fence, want_down))
  => (\A p \in Partition : (~outdated[p]' /\ exists[p] /\ exists[p]' /\ partition_epoch[p]' # partition_epoch[p] /\
  elr_on /\ replicas[p]' = replicas[p] /\ recovery[p]' = "RECOVERED") => Cardinality(((Elements(isr[p]) \union elr[p])
  \intersect Elements(replicas[p]))') >= Lesser(Cardinality((Elements(isr[p]) \union elr[p]) \intersect
  Elements(replicas[p])), Lesser(min_isr(p), Cardinality(Elements(replicas[p])))))) /\ (\A b \in Broker, dirs \in SUBSET
  Directory : (OD3(b, dirs) \/ OD4(b, dirs)) => (\A p \in Partition : (~outdated[p]' /\ exists[p] /\ exists[p]' /\
  partition_epoch[p]' # partition_epoch[p] /\ elr_on /\ replicas[p]' = replicas[p] /\ recovery[p]' = "RECOVERED") =>
  Cardinality(((Elements(isr[p]) \union elr[p]) \intersect Elements(replicas[p]))') >=
  Lesser(Cardinality((Elements(isr[p]) \union elr[p]) \intersect Elements(replicas[p])), Lesser(min_isr(p),
  Cardinality(Elements(replicas[p])))))) /\ (\A b \in Broker : (F1(b) \/ F2(b)) => (\A p \in Partition : (~outdated[p]'
  /\ exists[p] /\ exists[p]' /\ partition_epoch[p]' # partition_epoch[p] /\ elr_on /\ replicas[p]' = replicas[p] /\
  recovery[p]' = "RECOVERED") => Cardinality(((Elements(isr[p]) \union elr[p]) \intersect Elements(replicas[p]))') >=
  Lesser(Cardinality((Elements(isr[p]) \union elr[p]) \intersect Elements(replicas[p])), Lesser(min_isr(p),
  Cardinality(Elements(replicas[p]))))))]_vars

\* A partition is created on registered brokers. (ReplicationControlManager.createTopics)
P27 == [][\A p \in Partition : (~exists[p] /\ exists[p]') => (\A x \in Broker : x \in Elements(replicas[p]') =>
  registered[x])]_vars

\* Every topic has a name, and no two have the same. (ReplicationControlManager.replay)
P17 == \A t \in Topic : live[t] => (name[t] # None /\ (\A u \in Topic : (live[u] /\ name[u] = name[t]) => u = t))

\* The index of eligible leader replicas lists a partition once for each of them, and for nobody else.
\* (ReplicationControlManager.generateLeaderAndIsrUpdates)
P18 == \A p \in Partition : ~miscounted(p)

\* The index of directories names no partition that is gone. (ReplicationControlManager.replay)
P18d == \A p \in Partition, x \in Broker : location[p, x] # None => exists[p]

\* Every registered broker can do every finalized feature level. (S2:36, S3:254)
K7 == \A x \in Broker, f \in Feature : (registered[x] /\ 1 <= finalized_2(f)) => can_do_3(x, f)

\* Every registered controller can do every finalized feature level. (S3:254)
K7c == \A c \in Node, f \in Feature : (controller_incarnation[c] # None /\ 1 <= finalized_2(f)) => can_do_4(c, f)

\* A broker that may go from its controlled shutdown leads nothing, and every active broker has read that. (S3:244)
K8 == [][(\A b \in Broker, broker_epoch \in offset, off \in offset, want_fence \in BOOLEAN, want_down \in BOOLEAN :
  (HB10(b, broker_epoch, off, want_fence, want_down)) => (~leads(b) /\ (\A x \in Broker : (registered[x] /\
  ~soft_fenced[x] /\ shutdown_offset[x] < 0) => shutdown_offset[b] <= reported[x])))]_vars

K8_where_nothing_changes == (\A b \in Broker, broker_epoch \in offset, off \in offset, want_fence \in BOOLEAN, want_down
  \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (HB10(b, broker_epoch, off, want_fence, want_down)))) => (~leads(b) /\ (\A x
  \in Broker : (registered[x] /\ ~soft_fenced[x] /\ shutdown_offset[x] < 0) => shutdown_offset[b] <= reported[x])))

\* There is only the bootstrap transaction: while one is open there is nothing yet that it could be about. (S3:171-173)
L9 == in_transaction => ((\A p \in Partition : ~exists[p]) /\ (\A x \in Broker : ~registered[x]))

\* Producer ids only rise, so that no two blocks overlap; the first record may say 0, where they begin.
\* (ProducerIdControlManager)
L10 == [][(\A b \in Broker, broker_epoch \in offset : (PI3(b, broker_epoch)) => (producer_ids_begun' /\
  (~producer_ids_begun \/ next_producer_id < next_producer_id')))]_vars

L10_where_nothing_changes == (\A b \in Broker, broker_epoch \in offset : (ENABLED (UNCHANGED vars /\ (PI3(b,
  broker_epoch)))) => (producer_ids_begun /\ (~producer_ids_begun \/ next_producer_id < next_producer_id)))

\* The bootstrap records take effect once. (ActivationRecordsGenerator)
L11 == [][(\A metadata_version_3 \in level, elr_version_2 \in level, has_elr \in BOOLEAN, static_min \in size :
  (AC1(metadata_version_3, elr_version_2, has_elr, static_min)) => (~formatted /\ formatted'))]_vars

L11_where_nothing_changes == (\A metadata_version_3 \in level, elr_version_2 \in level, has_elr \in BOOLEAN, static_min
  \in size : (ENABLED (UNCHANGED vars /\ (AC1(metadata_version_3, elr_version_2, has_elr, static_min)))) => (~formatted
  /\ formatted))

\* A partition is led. (ReplicationControlManager.validateAlterPartitionData)
\* TLC is asked that this never holds; a violation is the witness.
W0 == ~(\E p \in Partition : exists[p] /\ leader[p] # None)

\* A fenced broker is a replica. (S2:49)
\* TLC is asked that this never holds; a violation is the witness.
W1 == ~(\E p \in Partition, x \in Broker : exists[p] /\ x \in Elements(replicas[p]) /\ fenced[x])

\* There are eligible leader replicas. (KIP-966)
\* TLC is asked that this never holds; a violation is the witness.
W4 == ~(\E p \in Partition : exists[p] /\ elr[p] # {})

\* A reassignment is under way to a broker that is fenced. (S2:49)
\* TLC is asked that this never holds; a violation is the witness.
W2 == ~(\E p \in Partition, x \in Broker : exists[p] /\ x \in adding[p] /\ fenced[x])

\* A partition has no leader. (PartitionChangeBuilder)
\* TLC is asked that this never holds; a violation is the witness.
W5 == ~(\E p \in Partition : exists[p] /\ leader[p] = None)

\* Nobody comes into an ISR but whom its leader has proposed under the current epochs, or somebody alone in it: a leader
\* that was eligible or recovers, or the one with whom a reassignment is taken back where unclean leaders are allowed.
\* (S3:347, KIP-966, KIP-704)
P29 == [][\A p \in Partition, x \in Broker : joins_isr(p, x) => (proposed(p, x) \/ (isr[p]' = OnlyItem(x) /\ leader[p]'
  = x /\ (x \in elr[p] \/ recovery[p]' = "RECOVERING" \/ (recovery[p] = "RECOVERING" /\ leader[p] # None /\
  allows_unclean(p)))) \/ taken_back_uncleanly(p, x))]_vars

\* Only members of the ISR become eligible leader replicas. (KIP-966)
P30 == [][\A p \in Partition, x \in Broker : (exists[p] /\ exists[p]' /\ ~outdated[p]' /\ (x \in elr[p])' /\ x \notin
  elr[p]) => x \in Elements(isr[p])]_vars

\* A broker that comes back after an unclean stop is in no ISR and no eligible leader replica. (KIP-966)
P31 == [][(\A b \in Broker, i \in Incarnation, previous_epoch \in offset, tells_previous_epoch \in BOOLEAN, dirs \in
  Lists(Directory), ranges_2 \in SUBSET Range, same_cluster \in BOOLEAN, migrates \in BOOLEAN : (R1(b, i,
  previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R2u(b, i, previous_epoch,
  tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)) => (\A p \in Partition : (exists[p] /\ exists[p]' /\
  ~outdated[p]' /\ elr_on) => (~(b \in Elements(isr[p]))' /\ ~(b \in elr[p])')))]_vars

P31_where_nothing_changes == (\A b \in Broker, i \in Incarnation, previous_epoch \in offset, tells_previous_epoch \in
  BOOLEAN, dirs \in Lists(Directory), ranges_2 \in SUBSET Range, same_cluster \in BOOLEAN, migrates \in BOOLEAN :
  (ENABLED (UNCHANGED vars /\ (R1(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/
  R2u(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)))) => (\A p \in Partition :
  (exists[p] /\ ~outdated[p] /\ elr_on) => (b \notin Elements(isr[p]) /\ b \notin elr[p])))

\* Whoever is newly elected is active and online in its directory; only a broker that is unfenced just now may be in a
\* controlled shutdown (D11). (PartitionChangeBuilder.isValidNewLeader, KIP-858)
P32 == [][\A p \in Partition, x \in Broker : newly_led(p, x) => ((registered[x] /\ ~fenced[x] /\ online(p, x))' /\
  ((~in_controlled_shutdown[x])' \/ fenced[x]))]_vars

P32_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (\A p \in Partition, x \in Broker : (exists[p] /\
  ~outdated[p] /\ leader[p] = x /\ leader[p] # x) => (registered[x] /\ ~fenced[x] /\ online(p, x) /\
  (~in_controlled_shutdown[x] \/ fenced[x])))

\* Nothing leaves a partition without a leader while one could be elected cleanly, unless that one's directories change.
\* (ReplicationControlManager.handleBrokerUnfenced)
P34 == [][\A p \in Partition, x \in Broker : (exists[p] /\ exists[p]' /\ ~outdated[p]' /\ waits(p, x)' /\
  directories[x]' = directories[x] /\ location[p, x]' = location[p, x]) => waits(p, x)]_vars

\* Who leaves an ISR that is then below min.insync.replicas stays eligible, and so does who was eligible. (KIP-966)
P35 == [][(\A b \in Broker, i \in Incarnation, previous_epoch \in offset, tells_previous_epoch \in BOOLEAN, dirs \in
  Lists(Directory), ranges_2 \in SUBSET Range, same_cluster \in BOOLEAN, migrates \in BOOLEAN : (R2(b, i,
  previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)) => (\A p \in Partition, x \in Broker :
  (exists[p] /\ exists[p]' /\ ~outdated[p]' /\ elr_on /\ (x \in Elements(isr[p]) \/ x \in elr[p]) /\ (x \in
  Elements(replicas[p]))' /\ ~(recovery[p]' = "RECOVERING" \/ (recovery[p] = "RECOVERING" /\ leader[p] # None /\
  allows_unclean(p)))) => ((x \in Elements(isr[p]) \/ x \in elr[p])' \/ Cardinality(Elements(isr[p])') >= min_isr(p))))
  /\ (\A b \in Broker : (UR3(b) \/ F1(b) \/ F2(b)) => (\A p \in Partition, x \in Broker : (exists[p] /\ exists[p]' /\
  ~outdated[p]' /\ elr_on /\ (x \in Elements(isr[p]) \/ x \in elr[p]) /\ (x \in Elements(replicas[p]))' /\
  ~(recovery[p]' = "RECOVERING" \/ (recovery[p] = "RECOVERING" /\ leader[p] # None /\ allows_unclean(p)))) => ((x \in
  Elements(isr[p]) \/ x \in elr[p])' \/ Cardinality(Elements(isr[p])') >= min_isr(p)))) /\ (\A b \in Broker,
  broker_epoch \in offset, off \in offset, want_fence \in BOOLEAN, want_down \in BOOLEAN : (HB1(b, broker_epoch, off,
  want_fence, want_down) \/ HB2(b, broker_epoch, off, want_fence, want_down) \/ HB4(b, broker_epoch, off, want_fence,
  want_down) \/ HB5(b, broker_epoch, off, want_fence, want_down) \/ HB6(b, broker_epoch, off, want_fence, want_down) \/
  HB7(b, broker_epoch, off, want_fence, want_down) \/ HB10(b, broker_epoch, off, want_fence, want_down)) => (\A p \in
  Partition, x \in Broker : (exists[p] /\ exists[p]' /\ ~outdated[p]' /\ elr_on /\ (x \in Elements(isr[p]) \/ x \in
  elr[p]) /\ (x \in Elements(replicas[p]))' /\ ~(recovery[p]' = "RECOVERING" \/ (recovery[p] = "RECOVERING" /\ leader[p]
  # None /\ allows_unclean(p)))) => ((x \in Elements(isr[p]) \/ x \in elr[p])' \/ Cardinality(Elements(isr[p])') >=
  min_isr(p)))) /\ (\A b \in Broker, dirs \in SUBSET Directory : (OD3(b, dirs) \/ OD4(b, dirs)) => (\A p \in Partition,
  x \in Broker : (exists[p] /\ exists[p]' /\ ~outdated[p]' /\ elr_on /\ (x \in Elements(isr[p]) \/ x \in elr[p]) /\ (x
  \in Elements(replicas[p]))' /\ ~(recovery[p]' = "RECOVERING" \/ (recovery[p] = "RECOVERING" /\ leader[p] # None /\
  allows_unclean(p)))) => ((x \in Elements(isr[p]) \/ x \in elr[p])' \/ Cardinality(Elements(isr[p])') >= min_isr(p))))
  /\ (\A b \in Broker, broker_epoch \in offset : (AD3(b, broker_epoch) \/ AD4(b, broker_epoch)) => (\A p \in Partition,
  x \in Broker : (exists[p] /\ exists[p]' /\ ~outdated[p]' /\ elr_on /\ (x \in Elements(isr[p]) \/ x \in elr[p]) /\ (x
  \in Elements(replicas[p]))' /\ ~(recovery[p]' = "RECOVERING" \/ (recovery[p] = "RECOVERING" /\ leader[p] # None /\
  allows_unclean(p)))) => ((x \in Elements(isr[p]) \/ x \in elr[p])' \/ Cardinality(Elements(isr[p])') >= min_isr(p))))
  /\ (\A m \in Request, b \in Broker, p \in Partition : (A14(m, b, p)) => (\A p_2 \in Partition, x \in Broker :
  (exists[p_2] /\ exists[p_2]' /\ ~outdated[p_2]' /\ elr_on /\ (x \in Elements(isr[p_2]) \/ x \in elr[p_2]) /\ (x \in
  Elements(replicas[p_2]))' /\ ~(recovery[p_2]' = "RECOVERING" \/ (recovery[p_2] = "RECOVERING" /\ leader[p_2] # None /\
  allows_unclean(p_2)))) => ((x \in Elements(isr[p_2]) \/ x \in elr[p_2])' \/ Cardinality(Elements(isr[p_2])') >=
  min_isr(p_2)))) /\ (\A p \in Partition, target \in Lists(Broker), may_resize \in BOOLEAN : (RA3(p, target,
  may_resize)) => (\A p_2 \in Partition, x \in Broker : (exists[p_2] /\ exists[p_2]' /\ ~outdated[p_2]' /\ elr_on /\ (x
  \in Elements(isr[p_2]) \/ x \in elr[p_2]) /\ (x \in Elements(replicas[p_2]))' /\ ~(recovery[p_2]' = "RECOVERING" \/
  (recovery[p_2] = "RECOVERING" /\ leader[p_2] # None /\ allows_unclean(p_2)))) => ((x \in Elements(isr[p_2]) \/ x \in
  elr[p_2])' \/ Cardinality(Elements(isr[p_2])') >= min_isr(p_2)))) /\ (\A p \in Partition : (RC4(p) \/ RC5(p) \/ EL3(p)
  \/ EU3(p) \/ BA1(p) \/ UE1(p)) => (\A p_2 \in Partition, x \in Broker : (exists[p_2] /\ exists[p_2]' /\
  ~outdated[p_2]' /\ elr_on /\ (x \in Elements(isr[p_2]) \/ x \in elr[p_2]) /\ (x \in Elements(replicas[p_2]))' /\
  ~(recovery[p_2]' = "RECOVERING" \/ (recovery[p_2] = "RECOVERING" /\ leader[p_2] # None /\ allows_unclean(p_2)))) =>
  ((x \in Elements(isr[p_2]) \/ x \in elr[p_2])' \/ Cardinality(Elements(isr[p_2])') >= min_isr(p_2))))]_vars

\* A broker whose directory has failed leaves the ISR of every partition there, unless nobody leads it. (7.6, KIP-858)
P36 == [][(\A b \in Broker, dirs \in SUBSET Directory : (OD3(b, dirs) \/ OD4(b, dirs)) => (\A p \in Partition :
  (exists[p] /\ exists[p]' /\ ~outdated[p]' /\ location[p, b] \in directories[b] \intersect dirs /\ (leader[p] # None)')
  => ~(b \in Elements(isr[p]))'))]_vars

P36_where_nothing_changes == (\A b \in Broker, dirs \in SUBSET Directory : (ENABLED (UNCHANGED vars /\ (OD3(b, dirs) \/
  OD4(b, dirs)))) => (\A p \in Partition : (exists[p] /\ ~outdated[p] /\ location[p, b] \in directories[b] \intersect
  dirs /\ leader[p] # None) => b \notin Elements(isr[p])))

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

\* A new replica is in the only directory of its broker, in one to be told where that has several, and counts as
\* migrating where the broker tells none. (KIP-858, 7.12)
P37 == [][\A p \in Partition, x \in Broker : ((exists[p] /\ x \in Elements(replicas[p]))' /\ ~(exists[p] /\ x \in
  Elements(replicas[p]))) => location[p, x]' = (IF 17 <= metadata_version THEN default_directory(x) ELSE
  migrating)]_vars

\* The offset that a broker has to read is that of its registration record, which is new and the last of its result.
\* (ClusterControlManager.replay, S3:244)
B1 == [][(\A b \in Broker, i \in Incarnation, previous_epoch \in offset, tells_previous_epoch \in BOOLEAN, dirs \in
  Lists(Directory), ranges_2 \in SUBSET Range, same_cluster \in BOOLEAN, migrates \in BOOLEAN : (R1(b, i,
  previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R2(b, i, previous_epoch,
  tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R2u(b, i, previous_epoch, tells_previous_epoch, dirs,
  ranges_2, same_cluster, migrates) \/ R3(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster,
  migrates)) => (registration_offset[b]' = log_end' /\ log_end < registration_offset[b]'))]_vars

B1_where_nothing_changes == (\A b \in Broker, i \in Incarnation, previous_epoch \in offset, tells_previous_epoch \in
  BOOLEAN, dirs \in Lists(Directory), ranges_2 \in SUBSET Range, same_cluster \in BOOLEAN, migrates \in BOOLEAN :
  (ENABLED (UNCHANGED vars /\ (R1(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/
  R2(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R2u(b, i, previous_epoch,
  tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R3(b, i, previous_epoch, tells_previous_epoch, dirs,
  ranges_2, same_cluster, migrates)))) => (registration_offset[b] = log_end /\ log_end < registration_offset[b]))

\* A new registration is that of the incarnation that asked for it, fenced and not in a controlled shutdown. (S2:31,
\* S2:52)
B2 == [][(\A b \in Broker, i \in Incarnation, previous_epoch \in offset, tells_previous_epoch \in BOOLEAN, dirs \in
  Lists(Directory), ranges_2 \in SUBSET Range, same_cluster \in BOOLEAN, migrates \in BOOLEAN : (R1(b, i,
  previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R2(b, i, previous_epoch,
  tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R2u(b, i, previous_epoch, tells_previous_epoch, dirs,
  ranges_2, same_cluster, migrates)) => ((registered[b] /\ fenced[b] /\ ~in_controlled_shutdown[b] /\ incarnation[b] =
  i)'))]_vars

B2_where_nothing_changes == (\A b \in Broker, i \in Incarnation, previous_epoch \in offset, tells_previous_epoch \in
  BOOLEAN, dirs \in Lists(Directory), ranges_2 \in SUBSET Range, same_cluster \in BOOLEAN, migrates \in BOOLEAN :
  (ENABLED (UNCHANGED vars /\ (R1(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/
  R2(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R2u(b, i, previous_epoch,
  tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)))) => (registered[b] /\ fenced[b] /\
  ~in_controlled_shutdown[b] /\ incarnation[b] = i))

\* A broker's newest registration is at its epoch or after it. (S2:52, S2:60)
B3 == \A x \in Broker : registered[x] => epoch[x] <= registration_offset[x]

\* Only a broker of this cluster registers, none that migrates from ZooKeeper, and it tells its directories. (S2:34,
\* KIP-858)
B4 == [][(\A b \in Broker, i \in Incarnation, previous_epoch \in offset, tells_previous_epoch \in BOOLEAN, dirs \in
  Lists(Directory), ranges_2 \in SUBSET Range, same_cluster \in BOOLEAN, migrates \in BOOLEAN : (R1(b, i,
  previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R2(b, i, previous_epoch,
  tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R2u(b, i, previous_epoch, tells_previous_epoch, dirs,
  ranges_2, same_cluster, migrates) \/ R3(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster,
  migrates)) => (same_cluster /\ ~migrates /\ (17 <= metadata_version => directories[b]' # {})))]_vars

B4_where_nothing_changes == (\A b \in Broker, i \in Incarnation, previous_epoch \in offset, tells_previous_epoch \in
  BOOLEAN, dirs \in Lists(Directory), ranges_2 \in SUBSET Range, same_cluster \in BOOLEAN, migrates \in BOOLEAN :
  (ENABLED (UNCHANGED vars /\ (R1(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/
  R2(b, i, previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R2u(b, i, previous_epoch,
  tells_previous_epoch, dirs, ranges_2, same_cluster, migrates) \/ R3(b, i, previous_epoch, tells_previous_epoch, dirs,
  ranges_2, same_cluster, migrates)))) => (same_cluster /\ ~migrates /\ (17 <= metadata_version => directories[b] #
  {})))

\* No broker has a directory under a reserved id. (KIP-858)
B5 == \A x \in Broker : unassigned \notin directories[x] /\ migrating \notin directories[x] /\ lost \notin
  directories[x]

\* An operator takes away the registration that he names, and no other. (S2:418)
B6 == [][(\A b \in Broker : (UR3(b)) => (~registered[b]' /\ (\A x \in Broker : x # b => (registered[x]' = registered[x]
  /\ epoch[x]' = epoch[x]))))]_vars

B6_where_nothing_changes == (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (UR3(b)))) => (~registered[b] /\ (\A x \in
  Broker : x # b => (registered[x] = registered[x] /\ epoch[x] = epoch[x]))))

\* Whoever is unfenced was registered before, under the same epoch, and is heard just now. (S2:59, S3:244)
B7 == [][\A x \in Broker : ((registered[x] /\ ~fenced[x])' /\ ~(registered[x] /\ ~fenced[x])) => (registered[x] /\
  epoch[x]' = epoch[x] /\ contact[x]' = "RECENT")]_vars

\* Nobody is unfenced who wants to be fenced or to shut down. (S2:59)
B8 == [][(\A b \in Broker, broker_epoch \in offset, off \in offset, want_fence \in BOOLEAN, want_down \in BOOLEAN :
  (HB2(b, broker_epoch, off, want_fence, want_down)) => (~want_fence /\ ~want_down))]_vars

B8_where_nothing_changes == (\A b \in Broker, broker_epoch \in offset, off \in offset, want_fence \in BOOLEAN, want_down
  \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (HB2(b, broker_epoch, off, want_fence, want_down)))) => (~want_fence /\
  ~want_down))

\* A heartbeat fences only a broker that wants to be fenced or to shut down. (S2:59-65)
B9 == [][(\A b \in Broker, broker_epoch \in offset, off \in offset, want_fence \in BOOLEAN, want_down \in BOOLEAN :
  (HB1(b, broker_epoch, off, want_fence, want_down) \/ HB4(b, broker_epoch, off, want_fence, want_down) \/ HB5(b,
  broker_epoch, off, want_fence, want_down) \/ HB7(b, broker_epoch, off, want_fence, want_down)) => (want_fence \/
  want_down))]_vars

B9_where_nothing_changes == (\A b \in Broker, broker_epoch \in offset, off \in offset, want_fence \in BOOLEAN, want_down
  \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (HB1(b, broker_epoch, off, want_fence, want_down) \/ HB4(b, broker_epoch,
  off, want_fence, want_down) \/ HB5(b, broker_epoch, off, want_fence, want_down) \/ HB7(b, broker_epoch, off,
  want_fence, want_down)))) => (want_fence \/ want_down))

\* Nobody is fenced for silence before the session is over. (S3:246-248)
B10 == [][(\A b \in Broker : (F1(b) \/ F2(b)) => (contact[b] = "EXPIRED"))]_vars

B10_where_nothing_changes == (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (F1(b) \/ F2(b)))) => (contact[b] =
  "EXPIRED"))

\* Every unfenced broker has a session that may end, after a failover too: its silence will be noticed. (S3:248,
\* KAFKA-18138)
B11 == \A x \in Broker : (registered[x] /\ ~fenced[x]) => contact[x] # "NOTHING"

\* A heartbeat counts, and directories are assigned, only under the current epoch of a registered broker. (S2:34,
\* S3:236)
B12 == [][(\A b \in Broker, broker_epoch \in offset, off \in offset, want_fence \in BOOLEAN, want_down \in BOOLEAN :
  (HB1(b, broker_epoch, off, want_fence, want_down) \/ HB2(b, broker_epoch, off, want_fence, want_down) \/ HB3(b,
  broker_epoch, off, want_fence, want_down) \/ HB4(b, broker_epoch, off, want_fence, want_down) \/ HB5(b, broker_epoch,
  off, want_fence, want_down) \/ HB6(b, broker_epoch, off, want_fence, want_down) \/ HB7(b, broker_epoch, off,
  want_fence, want_down) \/ HB8(b, broker_epoch, off, want_fence, want_down) \/ HB9(b, broker_epoch, off, want_fence,
  want_down) \/ HB10(b, broker_epoch, off, want_fence, want_down) \/ HB11(b, broker_epoch, off, want_fence, want_down))
  => (registered[b] /\ broker_epoch = epoch[b])) /\ (\A b \in Broker, broker_epoch \in offset : (AD3(b, broker_epoch) \/
  AD4(b, broker_epoch)) => (registered[b] /\ broker_epoch = epoch[b]))]_vars

B12_where_nothing_changes == (\A b \in Broker, broker_epoch \in offset, off \in offset, want_fence \in BOOLEAN,
  want_down \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (HB1(b, broker_epoch, off, want_fence, want_down) \/ HB2(b,
  broker_epoch, off, want_fence, want_down) \/ HB3(b, broker_epoch, off, want_fence, want_down) \/ HB4(b, broker_epoch,
  off, want_fence, want_down) \/ HB5(b, broker_epoch, off, want_fence, want_down) \/ HB6(b, broker_epoch, off,
  want_fence, want_down) \/ HB7(b, broker_epoch, off, want_fence, want_down) \/ HB8(b, broker_epoch, off, want_fence,
  want_down) \/ HB9(b, broker_epoch, off, want_fence, want_down) \/ HB10(b, broker_epoch, off, want_fence, want_down) \/
  HB11(b, broker_epoch, off, want_fence, want_down)))) => (registered[b] /\ broker_epoch = epoch[b])) /\ (\A b \in
  Broker, broker_epoch \in offset : (ENABLED (UNCHANGED vars /\ (AD3(b, broker_epoch) \/ AD4(b, broker_epoch)))) =>
  (registered[b] /\ broker_epoch = epoch[b]))

\* A heartbeat speaks for its sender only, who is not taken to have read more than it says. (S3:236-244)
B13 == [][(\A b \in Broker, broker_epoch \in offset, off \in offset, want_fence \in BOOLEAN, want_down \in BOOLEAN :
  (HB1(b, broker_epoch, off, want_fence, want_down) \/ HB2(b, broker_epoch, off, want_fence, want_down) \/ HB3(b,
  broker_epoch, off, want_fence, want_down) \/ HB4(b, broker_epoch, off, want_fence, want_down) \/ HB5(b, broker_epoch,
  off, want_fence, want_down) \/ HB6(b, broker_epoch, off, want_fence, want_down) \/ HB7(b, broker_epoch, off,
  want_fence, want_down) \/ HB8(b, broker_epoch, off, want_fence, want_down) \/ HB9(b, broker_epoch, off, want_fence,
  want_down) \/ HB10(b, broker_epoch, off, want_fence, want_down) \/ HB11(b, broker_epoch, off, want_fence, want_down))
  => ((reported[b] <= off)' /\ (\A x \in Broker : x # b => (reported[x]' = reported[x] /\ contact[x]' =
  contact[x]))))]_vars

B13_where_nothing_changes == (\A b \in Broker, broker_epoch \in offset, off \in offset, want_fence \in BOOLEAN,
  want_down \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (HB1(b, broker_epoch, off, want_fence, want_down) \/ HB2(b,
  broker_epoch, off, want_fence, want_down) \/ HB3(b, broker_epoch, off, want_fence, want_down) \/ HB4(b, broker_epoch,
  off, want_fence, want_down) \/ HB5(b, broker_epoch, off, want_fence, want_down) \/ HB6(b, broker_epoch, off,
  want_fence, want_down) \/ HB7(b, broker_epoch, off, want_fence, want_down) \/ HB8(b, broker_epoch, off, want_fence,
  want_down) \/ HB9(b, broker_epoch, off, want_fence, want_down) \/ HB10(b, broker_epoch, off, want_fence, want_down) \/
  HB11(b, broker_epoch, off, want_fence, want_down)))) => (reported[b] <= off /\ (\A x \in Broker : x # b =>
  (reported[x] = reported[x] /\ contact[x] = contact[x]))))

\* What the controller remembers of heartbeats agrees with the registrations: who is fenced, and who may be shutting
\* down. (S3:236)
B14 == \A x \in Broker : registered[x] => (soft_fenced[x] = fenced[x] /\ (0 <= shutdown_offset[x] =>
  (in_controlled_shutdown[x] /\ ~fenced[x])))

\* A controlled shutdown takes the broker's leaderships away, and is over only when all has been read that says so.
\* (S3:244)
B15 == [][(\A b \in Broker, broker_epoch \in offset, off \in offset, want_fence \in BOOLEAN, want_down \in BOOLEAN :
  (HB6(b, broker_epoch, off, want_fence, want_down)) => (shutdown_offset[b]' = log_end' /\ (\A p \in Partition :
  (exists[p] /\ b \in Elements(isr[p])) => ~(b \in Elements(isr[p]) /\ leader[p] = b)')))]_vars

B15_where_nothing_changes == (\A b \in Broker, broker_epoch \in offset, off \in offset, want_fence \in BOOLEAN,
  want_down \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (HB6(b, broker_epoch, off, want_fence, want_down)))) =>
  (shutdown_offset[b] = log_end /\ (\A p \in Partition : (exists[p] /\ b \in Elements(isr[p])) => ~(b \in
  Elements(isr[p]) /\ leader[p] = b))))

\* Who goes from a controlled shutdown leads nothing, and no active broker believes that it does. (S3:244)
B16 == [][(\A b \in Broker, broker_epoch \in offset, off \in offset, want_fence \in BOOLEAN, want_down \in BOOLEAN :
  (HB10(b, broker_epoch, off, want_fence, want_down)) => ((\A p \in Partition : exists[p] => ~(leader[p] = b)') /\ (\A x
  \in Broker : (active_broker(x) /\ x # b) => shutdown_offset[b] <= reported[x])))]_vars

B16_where_nothing_changes == (\A b \in Broker, broker_epoch \in offset, off \in offset, want_fence \in BOOLEAN,
  want_down \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (HB10(b, broker_epoch, off, want_fence, want_down)))) => ((\A p
  \in Partition : exists[p] => leader[p] # b) /\ (\A x \in Broker : (active_broker(x) /\ x # b) => shutdown_offset[b] <=
  reported[x])))

\* A heartbeat that came too late is a contact all the same, and says how far the broker has read; it fences and
\* unfences none. (S3:234)
B17 == [][(\A b \in Broker, broker_epoch \in offset, off \in offset : (HX1(b, broker_epoch, off) \/ HX2(b, broker_epoch,
  off)) => ((contact[b] = "RECENT" /\ reported[b] = off /\ soft_fenced[b] = fenced[b])'))]_vars

B17_where_nothing_changes == (\A b \in Broker, broker_epoch \in offset, off \in offset : (ENABLED (UNCHANGED vars /\
  (HX1(b, broker_epoch, off) \/ HX2(b, broker_epoch, off)))) => (contact[b] = "RECENT" /\ reported[b] = off /\
  soft_fenced[b] = fenced[b]))

\* A request that is refused changes nothing. (7.8-7.18)
C2 == [][(\A t \in Topic, manual \in BOOLEAN : (CP6(t, manual)) => ((\A p \in Partition : exists[p]' = exists[p] /\
  partition_epoch[p]' = partition_epoch[p] /\ leader[p]' = leader[p] /\ isr[p]' = isr[p]) /\ (\A x \in Broker :
  registered[x]' = registered[x] /\ epoch[x]' = epoch[x] /\ fenced[x]' = fenced[x]) /\ (\A t_2 \in Topic : live[t_2]' =
  live[t_2]) /\ metadata_version' = metadata_version /\ values_stay))]_vars

\* A configuration that is not valid, that the policy forbids, or that is only asked about changes nothing. (S3:260-262,
\* CF4, CF8)
C3 == [][(\A t \in Topic, n \in Name, size_2 \in size, deletes \in BOOLEAN, valid_2 \in BOOLEAN, permitted \in BOOLEAN,
  validate_only \in BOOLEAN : (CF5(t, n, size_2, deletes, valid_2, permitted, validate_only)) => ((~valid_2 \/
  ~permitted \/ validate_only) => (values_stay /\ (\A p \in Partition : elr[p]' = elr[p])))) /\ (\A t \in Topic, n \in
  Name, switch \in BOOLEAN, deletes \in BOOLEAN, valid_2 \in BOOLEAN, permitted \in BOOLEAN, validate_only \in BOOLEAN :
  (CF10(t, n, switch, deletes, valid_2, permitted, validate_only)) => ((~valid_2 \/ ~permitted \/ validate_only) =>
  (values_stay /\ (\A p \in Partition : elr[p]' = elr[p])))) /\ (\A size_2 \in size, deletes \in BOOLEAN, valid_2 \in
  BOOLEAN, permitted \in BOOLEAN, validate_only \in BOOLEAN : (CF14(size_2, deletes, valid_2, permitted, validate_only)
  \/ CF15(size_2, deletes, valid_2, permitted, validate_only)) => ((~valid_2 \/ ~permitted \/ validate_only) =>
  (values_stay /\ (\A p \in Partition : elr[p]' = elr[p])))) /\ (\A switch \in BOOLEAN, deletes \in BOOLEAN, valid_2 \in
  BOOLEAN, permitted \in BOOLEAN, validate_only \in BOOLEAN : (CF19(switch, deletes, valid_2, permitted, validate_only))
  => ((~valid_2 \/ ~permitted \/ validate_only) => (values_stay /\ (\A p \in Partition : elr[p]' = elr[p])))) /\ (\A n
  \in Name, switch \in BOOLEAN, deletes \in BOOLEAN, valid_2 \in BOOLEAN, permitted \in BOOLEAN, validate_only \in
  BOOLEAN : (CF28(n, switch, deletes, valid_2, permitted, validate_only)) => ((~valid_2 \/ ~permitted \/ validate_only)
  => (values_stay /\ (\A p \in Partition : elr[p]' = elr[p])))) /\ (\A s \in Setting, value \in Value, deletes \in
  BOOLEAN, valid_2 \in BOOLEAN, permitted \in BOOLEAN, validate_only \in BOOLEAN : (CF24(s, value, deletes, valid_2,
  permitted, validate_only)) => ((~valid_2 \/ ~permitted \/ validate_only) => (values_stay /\ (\A p \in Partition :
  elr[p]' = elr[p]))))]_vars

\* A topic's min.insync.replicas that is answered NONE is stored, or gives way to the cluster's. (7.17)
C4 == [][(\A t \in Topic, n \in Name, size_2 \in size, deletes \in BOOLEAN, valid_2 \in BOOLEAN, permitted \in BOOLEAN,
  validate_only \in BOOLEAN : (CF5(t, n, size_2, deletes, valid_2, permitted, validate_only)) => ((~deletes =>
  (own_min_insync[t] /\ min_insync[t] = size_2)') /\ (deletes => (~own_min_insync[t] /\ min_insync[t] =
  cluster_min_insync)')))]_vars

C4_where_nothing_changes == (\A t \in Topic, n \in Name, size_2 \in size, deletes \in BOOLEAN, valid_2 \in BOOLEAN,
  permitted \in BOOLEAN, validate_only \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (CF5(t, n, size_2, deletes, valid_2,
  permitted, validate_only)))) => ((~deletes => (own_min_insync[t] /\ min_insync[t] = size_2)) /\ (deletes =>
  (~own_min_insync[t] /\ min_insync[t] = cluster_min_insync))))

\* A topic's unclean.leader.election.enable that is answered NONE is stored, or gives way to the cluster's. (7.17)
C5 == [][(\A t \in Topic, n \in Name, switch \in BOOLEAN, deletes \in BOOLEAN, valid_2 \in BOOLEAN, permitted \in
  BOOLEAN, validate_only \in BOOLEAN : (CF10(t, n, switch, deletes, valid_2, permitted, validate_only)) => ((~deletes =>
  (own_unclean[t] /\ unclean[t] = switch)') /\ (deletes => (~own_unclean[t] /\ unclean[t] = cluster_unclean)')))]_vars

C5_where_nothing_changes == (\A t \in Topic, n \in Name, switch \in BOOLEAN, deletes \in BOOLEAN, valid_2 \in BOOLEAN,
  permitted \in BOOLEAN, validate_only \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (CF10(t, n, switch, deletes, valid_2,
  permitted, validate_only)))) => ((~deletes => (own_unclean[t] /\ unclean[t] = switch)) /\ (deletes => (~own_unclean[t]
  /\ unclean[t] = cluster_unclean))))

\* The cluster's min.insync.replicas that is answered NONE is stored, or taken away. (7.17)
C6 == [][(\A size_2 \in size, deletes \in BOOLEAN, valid_2 \in BOOLEAN, permitted \in BOOLEAN, validate_only \in BOOLEAN
  : (CF14(size_2, deletes, valid_2, permitted, validate_only) \/ CF15(size_2, deletes, valid_2, permitted,
  validate_only)) => ((~deletes => (cluster_min_set /\ cluster_min_insync = size_2)') /\ (deletes =>
  ~cluster_min_set')))]_vars

C6_where_nothing_changes == (\A size_2 \in size, deletes \in BOOLEAN, valid_2 \in BOOLEAN, permitted \in BOOLEAN,
  validate_only \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (CF14(size_2, deletes, valid_2, permitted, validate_only) \/
  CF15(size_2, deletes, valid_2, permitted, validate_only)))) => ((~deletes => (cluster_min_set /\ cluster_min_insync =
  size_2)) /\ (deletes => ~cluster_min_set)))

\* The cluster's unclean.leader.election.enable that is answered NONE is stored, or gives way to the static one. (7.17)
C7 == [][(\A switch \in BOOLEAN, deletes \in BOOLEAN, valid_2 \in BOOLEAN, permitted \in BOOLEAN, validate_only \in
  BOOLEAN : (CF19(switch, deletes, valid_2, permitted, validate_only)) => (cluster_unclean' = (IF deletes THEN
  static_unclean ELSE switch)))]_vars

C7_where_nothing_changes == (\A switch \in BOOLEAN, deletes \in BOOLEAN, valid_2 \in BOOLEAN, permitted \in BOOLEAN,
  validate_only \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (CF19(switch, deletes, valid_2, permitted, validate_only))))
  => (cluster_unclean = (IF deletes THEN static_unclean ELSE switch)))

\* A node's unclean.leader.election.enable that is answered NONE is stored, or taken away, and no other node's. (7.17)
C18 == [][(\A n \in Name, switch \in BOOLEAN, deletes \in BOOLEAN, valid_2 \in BOOLEAN, permitted \in BOOLEAN,
  validate_only \in BOOLEAN : (CF28(n, switch, deletes, valid_2, permitted, validate_only)) => ((~deletes =>
  node_unclean[n]' = switch) /\ (deletes => (node_unclean[n] = None)') /\ (\A o \in Name : o # n => node_unclean[o]' =
  node_unclean[o])))]_vars

C18_where_nothing_changes == (\A n \in Name, switch \in BOOLEAN, deletes \in BOOLEAN, valid_2 \in BOOLEAN, permitted \in
  BOOLEAN, validate_only \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (CF28(n, switch, deletes, valid_2, permitted,
  validate_only)))) => ((~deletes => node_unclean[n] = switch) /\ (deletes => node_unclean[n] = None) /\ (\A o \in Name
  : o # n => node_unclean[o] = node_unclean[o])))

\* Any other value that is answered NONE is stored, or taken away, alone; that of a topic only where there is the topic.
\* (7.17)
C8 == [][(\A s \in Setting, value \in Value, deletes \in BOOLEAN, valid_2 \in BOOLEAN, permitted \in BOOLEAN,
  validate_only \in BOOLEAN : (CF24(s, value, deletes, valid_2, permitted, validate_only)) => ((~deletes => setting[s]'
  = value) /\ (deletes => (setting[s] = None)') /\ (\A s_2 \in Setting : s_2 # s_2 => setting[s_2]' = setting[s_2]) /\
  (resource_type[s] = 2 => (\E t \in Topic : live[t] /\ name[t] = resource[s]))))]_vars

C8_where_nothing_changes == (\A s \in Setting, value \in Value, deletes \in BOOLEAN, valid_2 \in BOOLEAN, permitted \in
  BOOLEAN, validate_only \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (CF24(s, value, deletes, valid_2, permitted,
  validate_only)))) => ((~deletes => setting[s] = value) /\ (deletes => setting[s] = None) /\ (\A s_2 \in Setting : s_2
  # s_2 => setting[s_2] = setting[s_2]) /\ (resource_type[s] = 2 => (\E t \in Topic : live[t] /\ name[t] =
  resource[s]))))

\* Every value of a request with several is stored, or taken away; those of a topic only where there is the topic.
\* (7.17)
C9 == [][(\A sets_min \in BOOLEAN, drops_min \in BOOLEAN, to_size \in size, sets_unclean \in BOOLEAN, drops_unclean \in
  BOOLEAN, to_switch \in BOOLEAN : (CM1(sets_min, drops_min, to_size, sets_unclean, drops_unclean, to_switch)) =>
  ((sets_min => (cluster_min_set' = (~drops_min) /\ (~drops_min => cluster_min_insync' = to_size))) /\ (sets_unclean =>
  cluster_unclean' = (IF drops_unclean THEN static_unclean ELSE to_switch)) /\ (\A n \in Name : node_unclean[n]' = (IF
  node_asked[n] THEN IF node_away[n] THEN None ELSE node_to[n] ELSE node_unclean[n])) /\ (\A s \in Setting :
  (((resource_type[s] # 2 \/ (\E t \in Topic : live[t] /\ name[t] = resource[s])) /\ away[s]) => (setting[s] = None)')
  /\ (((resource_type[s] # 2 \/ (\E t \in Topic : live[t] /\ name[t] = resource[s])) /\ asks[s] /\ ~away[s]) =>
  setting[s]' = asked[s]) /\ ((~(resource_type[s] # 2 \/ (\E t \in Topic : live[t] /\ name[t] = resource[s])) \/
  (~asks[s] /\ ~away[s])) => setting[s]' = setting[s])) /\ (\A t \in Topic, n \in Name : ((live[t] /\ name[t] = n /\
  min_asked[n]) => (own_min_insync[t]' = (~min_away[n]) /\ (~min_away[n] => min_insync[t]' = min_to[n]))) /\ ((live[t]
  /\ name[t] = n /\ unclean_asked[n]) => (own_unclean[t]' = (~unclean_away[n]) /\ (~unclean_away[n] => unclean[t]' =
  unclean_to[n]))))))]_vars

C9_where_nothing_changes == (\A sets_min \in BOOLEAN, drops_min \in BOOLEAN, to_size \in size, sets_unclean \in BOOLEAN,
  drops_unclean \in BOOLEAN, to_switch \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (CM1(sets_min, drops_min, to_size,
  sets_unclean, drops_unclean, to_switch)))) => ((sets_min => (cluster_min_set = (~drops_min) /\ (~drops_min =>
  cluster_min_insync = to_size))) /\ (sets_unclean => cluster_unclean = (IF drops_unclean THEN static_unclean ELSE
  to_switch)) /\ (\A n \in Name : node_unclean[n] = (IF node_asked[n] THEN IF node_away[n] THEN None ELSE node_to[n]
  ELSE node_unclean[n])) /\ (\A s \in Setting : (((resource_type[s] # 2 \/ (\E t \in Topic : live[t] /\ name[t] =
  resource[s])) /\ away[s]) => setting[s] = None) /\ (((resource_type[s] # 2 \/ (\E t \in Topic : live[t] /\ name[t] =
  resource[s])) /\ asks[s] /\ ~away[s]) => setting[s] = asked[s]) /\ ((~(resource_type[s] # 2 \/ (\E t \in Topic :
  live[t] /\ name[t] = resource[s])) \/ (~asks[s] /\ ~away[s])) => setting[s] = setting[s])) /\ (\A t \in Topic, n \in
  Name : ((live[t] /\ name[t] = n /\ min_asked[n]) => (own_min_insync[t] = (~min_away[n]) /\ (~min_away[n] =>
  min_insync[t] = min_to[n]))) /\ ((live[t] /\ name[t] = n /\ unclean_asked[n]) => (own_unclean[t] = (~unclean_away[n])
  /\ (~unclean_away[n] => unclean[t] = unclean_to[n]))))))

\* A topic without a value of its own has the cluster's; there are topics only once the log is formatted. (S3:260-262)
C10 == \A t \in Topic : live[t] => (formatted /\ (own_min_insync[t] \/ min_insync[t] = cluster_min_insync) /\
  (own_unclean[t] \/ unclean[t] = cluster_unclean))

\* A topic's eligible leader replicas are forgotten only where its own min.insync.replicas changes. (7.16)
C11 == [][(\A t \in Topic, n \in Name, size_2 \in size, deletes \in BOOLEAN, valid_2 \in BOOLEAN, permitted \in BOOLEAN,
  validate_only \in BOOLEAN : (CF5(t, n, size_2, deletes, valid_2, permitted, validate_only)) => (\A p \in Partition :
  elr[p]' # elr[p] => (min_insync[topic[p]]' # min_insync[topic[p]] \/ own_min_insync[topic[p]]' #
  own_min_insync[topic[p]])))]_vars

\* Where min.insync.replicas changes, whom the other minimum made eligible is forgotten. (7.16)
C12 == [][(\A t \in Topic, n \in Name, size_2 \in size, deletes \in BOOLEAN, valid_2 \in BOOLEAN, permitted \in BOOLEAN,
  validate_only \in BOOLEAN : (CF5(t, n, size_2, deletes, valid_2, permitted, validate_only)) => (\A p \in Partition :
  (exists[p] /\ elr_on /\ min_insync[topic[p]]' # min_insync[topic[p]]) => elr[p]' = {})) /\ (\A size_2 \in size,
  deletes \in BOOLEAN, valid_2 \in BOOLEAN, permitted \in BOOLEAN, validate_only \in BOOLEAN : (CF14(size_2, deletes,
  valid_2, permitted, validate_only) \/ CF15(size_2, deletes, valid_2, permitted, validate_only)) => (\A p \in Partition
  : (exists[p] /\ elr_on /\ min_insync[topic[p]]' # min_insync[topic[p]]) => elr[p]' = {})) /\ (\A sets_min \in BOOLEAN,
  drops_min \in BOOLEAN, to_size \in size, sets_unclean \in BOOLEAN, drops_unclean \in BOOLEAN, to_switch \in BOOLEAN :
  (CM1(sets_min, drops_min, to_size, sets_unclean, drops_unclean, to_switch)) => (\A p \in Partition : (exists[p] /\
  elr_on /\ min_insync[topic[p]]' # min_insync[topic[p]]) => elr[p]' = {}))]_vars

\* A topic that is answered NONE is there under its name, with every partition and every value that was asked for.
\* (7.11)
C13 == [][(\A t \in Topic, n \in Name, manual \in BOOLEAN, has_min_insync \in BOOLEAN, min_insync_2 \in size,
  has_unclean \in BOOLEAN, unclean_2 \in BOOLEAN : (CT3(t, n, manual, has_min_insync, min_insync_2, has_unclean,
  unclean_2)) => ((live[t] /\ name[t] = n)' /\ (\A p \in Partition : topic[p] = t => exists[p]') /\ (has_min_insync =>
  (own_min_insync[t] /\ min_insync[t] = min_insync_2)') /\ (has_unclean => (own_unclean[t] /\ unclean[t] = unclean_2)')
  /\ (\A s \in Setting : (asks[s] /\ resource_type[s] = 2 /\ resource[s] = n) => setting[s]' = asked[s])))]_vars

C13_where_nothing_changes == (\A t \in Topic, n \in Name, manual \in BOOLEAN, has_min_insync \in BOOLEAN, min_insync_2
  \in size, has_unclean \in BOOLEAN, unclean_2 \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (CT3(t, n, manual,
  has_min_insync, min_insync_2, has_unclean, unclean_2)))) => (live[t] /\ name[t] = n /\ (\A p \in Partition : topic[p]
  = t => exists[p]) /\ (has_min_insync => (own_min_insync[t] /\ min_insync[t] = min_insync_2)) /\ (has_unclean =>
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

\* More partitions that are answered NONE are there, one at least. (7.11)
C15 == [][(\A t \in Topic, manual \in BOOLEAN : (CP5(t, manual)) => ((\E p \in Partition : ~exists[p] /\ exists[p]') /\
  (\A p \in Partition : (adds[p] /\ topic[p] = t) => exists[p]')))]_vars

C15_where_nothing_changes == (\A t \in Topic, manual \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (CP5(t, manual)))) =>
  ((\E p \in Partition : ~exists[p] /\ exists[p]) /\ (\A p \in Partition : (adds[p] /\ topic[p] = t) => exists[p])))

\* A reassignment of a partition that has none under way leads to its target, whose preferred replica counts at once.
\* (7.10)
C16 == [][(\A p \in Partition, target \in Lists(Broker), may_resize \in BOOLEAN : (RA3(p, target, may_resize)) =>
  (~reassigning(p) => (Elements(replicas[p])' = Elements(target) \union removing[p]' /\ FirstIn(replicas[p],
  Elements(replicas[p]))' = FirstIn(target, Elements(target)) /\ (adding[p]' = Elements(target) \ Elements(replicas[p])
  \/ (adding[p] \union removing[p] = {})'))))]_vars

C16_where_nothing_changes == (\A p \in Partition, target \in Lists(Broker), may_resize \in BOOLEAN : (ENABLED (UNCHANGED
  vars /\ (RA3(p, target, may_resize)))) => (~reassigning(p) => (Elements(replicas[p]) = Elements(target) \union
  removing[p] /\ FirstIn(replicas[p], Elements(replicas[p])) = FirstIn(target, Elements(target)) /\ (adding[p] =
  Elements(target) \ Elements(replicas[p]) \/ adding[p] \union removing[p] = {}))))

\* A reassignment that may not change the number of replicas has a target of as many. (KIP-860)
C20 == [][(\A p \in Partition, target \in Lists(Broker), may_resize \in BOOLEAN : (RA3(p, target, may_resize)) =>
  (may_resize \/ (Cardinality(Elements(target)) >= Cardinality(Elements(replicas[p]) \ removing[p]) /\
  Cardinality(Elements(replicas[p]) \ removing[p]) >= Cardinality(Elements(target)))))]_vars

C20_where_nothing_changes == (\A p \in Partition, target \in Lists(Broker), may_resize \in BOOLEAN : (ENABLED (UNCHANGED
  vars /\ (RA3(p, target, may_resize)))) => (may_resize \/ (Cardinality(Elements(target)) >=
  Cardinality(Elements(replicas[p]) \ removing[p]) /\ Cardinality(Elements(replicas[p]) \ removing[p]) >=
  Cardinality(Elements(target)))))

\* A reassignment that is taken back leaves the replicas as they were, and none under way. (7.10)
C17 == [][(\A p \in Partition : (RC4(p) \/ RC5(p)) => (Elements(replicas[p])' = Elements(replicas[p]) \ adding[p] /\
  (adding[p] \union removing[p] = {})'))]_vars

C17_where_nothing_changes == (\A p \in Partition : (ENABLED (UNCHANGED vars /\ (RC4(p) \/ RC5(p)))) =>
  (Elements(replicas[p]) = Elements(replicas[p]) \ adding[p] /\ adding[p] \union removing[p] = {}))

\* A feature level that is answered NONE is finalized, and no other has changed. (7.13)
L17 == [][(\A f \in Feature, to_2 \in level, way \in Direction, static_min \in size : (FE5(f, to_2, way, static_min) \/
  FE7(f, to_2, way, static_min) \/ FE8(f, to_2, way, static_min) \/ FE10(f, to_2, way, static_min) \/ FE9(f, to_2, way,
  static_min)) => (finalized_2(f)' = to_2 /\ (\A g \in Feature : g # f => finalized_2(g)' = finalized_2(g))))]_vars

L17_where_nothing_changes == (\A f \in Feature, to_2 \in level, way \in Direction, static_min \in size : (ENABLED
  (UNCHANGED vars /\ (FE5(f, to_2, way, static_min) \/ FE7(f, to_2, way, static_min) \/ FE8(f, to_2, way, static_min) \/
  FE10(f, to_2, way, static_min) \/ FE9(f, to_2, way, static_min)))) => (finalized_2(f) = to_2 /\ (\A g \in Feature : g
  # f => finalized_2(g) = finalized_2(g)))) /\ (\A f \in Feature, to_2 \in level, way \in Direction, static_min \in size
  : (FE12_is_enabled(f, to_2, way, static_min)) => (finalized_2(f) = to_2 /\ (\A g \in Feature : g # f => finalized_2(g)
  = finalized_2(g))))

\* An upgrade lowers no level, and a downgrade raises none. (7.13)
L18 == [][(\A f \in Feature, to_2 \in level, way \in Direction, static_min \in size : (FE5(f, to_2, way, static_min) \/
  FE7(f, to_2, way, static_min) \/ FE8(f, to_2, way, static_min) \/ FE10(f, to_2, way, static_min) \/ FE9(f, to_2, way,
  static_min)) => (way # "UNKNOWN" /\ (way = "UPGRADE" => finalized_2(f) <= to_2) /\ (way = "UPGRADE" \/ to_2 <=
  finalized_2(f))))]_vars

L18_where_nothing_changes == (\A f \in Feature, to_2 \in level, way \in Direction, static_min \in size : (ENABLED
  (UNCHANGED vars /\ (FE5(f, to_2, way, static_min) \/ FE7(f, to_2, way, static_min) \/ FE8(f, to_2, way, static_min) \/
  FE10(f, to_2, way, static_min) \/ FE9(f, to_2, way, static_min)))) => (way # "UNKNOWN" /\ (way = "UPGRADE" =>
  finalized_2(f) <= to_2) /\ (way = "UPGRADE" \/ to_2 <= finalized_2(f)))) /\ (\A f \in Feature, to_2 \in level, way \in
  Direction, static_min \in size : (FE12_is_enabled(f, to_2, way, static_min)) => (way # "UNKNOWN" /\ (way = "UPGRADE"
  => finalized_2(f) <= to_2) /\ (way = "UPGRADE" \/ to_2 <= finalized_2(f))))

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
L24 == [][(\A c \in Node, i \in Incarnation, ranges_2 \in SUBSET Range : (CR1(c, i, ranges_2)) =>
  (controller_incarnation[c]' = i /\ controller_ranges[c]' = ranges_2))]_vars

L24_where_nothing_changes == (\A c \in Node, i \in Incarnation, ranges_2 \in SUBSET Range : (ENABLED (UNCHANGED vars /\
  (CR1(c, i, ranges_2)))) => (controller_incarnation[c] = i /\ controller_ranges[c] = ranges_2))

\* An operator takes away the registration of a controller that has one. (7.16)
L25 == [][(\A c \in Node, itself \in BOOLEAN : (CU3(c, itself)) => (controller_incarnation[c] # None /\
  (controller_incarnation[c] = None)'))]_vars

L25_where_nothing_changes == (\A c \in Node, itself \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (CU3(c, itself)))) =>
  (controller_incarnation[c] # None /\ controller_incarnation[c] = None))

\* The active controller keeps its registration. (QuorumController.unregisterController)
L26 == [][(\A c \in Node, itself \in BOOLEAN : (CU3(c, itself)) => (~itself))]_vars

L26_where_nothing_changes == (\A c \in Node, itself \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (CU3(c, itself)))) =>
  (~itself))

\* A broker that is fenced, shut down or started anew changes only partitions in whose ISR it was. (S3:236-248)
P40 == [][(\A b \in Broker, i \in Incarnation, previous_epoch \in offset, tells_previous_epoch \in BOOLEAN, dirs \in
  Lists(Directory), ranges_2 \in SUBSET Range, same_cluster \in BOOLEAN, migrates \in BOOLEAN : (R2(b, i,
  previous_epoch, tells_previous_epoch, dirs, ranges_2, same_cluster, migrates)) => (\A p \in Partition : (exists[p] /\
  b \notin Elements(isr[p])) => partition_epoch[p]' = partition_epoch[p])) /\ (\A b \in Broker, broker_epoch \in offset,
  off \in offset, want_fence \in BOOLEAN, want_down \in BOOLEAN : (HB1(b, broker_epoch, off, want_fence, want_down) \/
  HB4(b, broker_epoch, off, want_fence, want_down) \/ HB5(b, broker_epoch, off, want_fence, want_down) \/ HB6(b,
  broker_epoch, off, want_fence, want_down) \/ HB7(b, broker_epoch, off, want_fence, want_down) \/ HB10(b, broker_epoch,
  off, want_fence, want_down)) => (\A p \in Partition : (exists[p] /\ b \notin Elements(isr[p])) => partition_epoch[p]'
  = partition_epoch[p])) /\ (\A b \in Broker : (F1(b) \/ F2(b)) => (\A p \in Partition : (exists[p] /\ b \notin
  Elements(isr[p])) => partition_epoch[p]' = partition_epoch[p]))]_vars

\* A proposal on its way names whom its leader proposed, each with the broker epoch that the leader knew. (KIP-903)
P41 == [][(\A m \in Request, b \in Broker, p \in Partition, proposal \in SUBSET Broker : (LP1(m, b, p, proposal)) =>
  (Elements(wanted[m]') = proposal /\ (\A x \in Broker : x \in proposal => member_epoch[m, x]' = epoch[x])))]_vars

P41_where_nothing_changes == (\A m \in Request, b \in Broker, p \in Partition, proposal \in SUBSET Broker : (ENABLED
  (UNCHANGED vars /\ (LP1(m, b, p, proposal)))) => (Elements(wanted[m]) = proposal /\ (\A x \in Broker : x \in proposal
  => member_epoch[m, x] = epoch[x])))

\* Every heartbeat that is not refused renews its broker's session. (S2:59-65, S3:246)
B20 == [][(\A b \in Broker, broker_epoch \in offset, off \in offset, want_fence \in BOOLEAN, want_down \in BOOLEAN :
  (HB1(b, broker_epoch, off, want_fence, want_down) \/ HB2(b, broker_epoch, off, want_fence, want_down) \/ HB3(b,
  broker_epoch, off, want_fence, want_down) \/ HB4(b, broker_epoch, off, want_fence, want_down) \/ HB5(b, broker_epoch,
  off, want_fence, want_down) \/ HB6(b, broker_epoch, off, want_fence, want_down) \/ HB7(b, broker_epoch, off,
  want_fence, want_down) \/ HB8(b, broker_epoch, off, want_fence, want_down) \/ HB9(b, broker_epoch, off, want_fence,
  want_down) \/ HB10(b, broker_epoch, off, want_fence, want_down) \/ HB11(b, broker_epoch, off, want_fence, want_down))
  => (contact[b]' = "RECENT"))]_vars

B20_where_nothing_changes == (\A b \in Broker, broker_epoch \in offset, off \in offset, want_fence \in BOOLEAN,
  want_down \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (HB1(b, broker_epoch, off, want_fence, want_down) \/ HB2(b,
  broker_epoch, off, want_fence, want_down) \/ HB3(b, broker_epoch, off, want_fence, want_down) \/ HB4(b, broker_epoch,
  off, want_fence, want_down) \/ HB5(b, broker_epoch, off, want_fence, want_down) \/ HB6(b, broker_epoch, off,
  want_fence, want_down) \/ HB7(b, broker_epoch, off, want_fence, want_down) \/ HB8(b, broker_epoch, off, want_fence,
  want_down) \/ HB9(b, broker_epoch, off, want_fence, want_down) \/ HB10(b, broker_epoch, off, want_fence, want_down) \/
  HB11(b, broker_epoch, off, want_fence, want_down)))) => (contact[b] = "RECENT"))

\* A new topic brings configurations of its own, and no others change. (S3:198-203)
C21 == [][(\A t \in Topic, n \in Name, manual \in BOOLEAN, has_min_insync \in BOOLEAN, min_insync_2 \in size,
  has_unclean \in BOOLEAN, unclean_2 \in BOOLEAN : (CT3(t, n, manual, has_min_insync, min_insync_2, has_unclean,
  unclean_2)) => ((\A s \in Setting : (resource_type[s] # 2 \/ resource[s] # n) => setting[s]' = setting[s]) /\ (\A t_2
  \in Topic : live[t_2] => (own_min_insync[t_2]' = own_min_insync[t_2] /\ own_unclean[t_2]' = own_unclean[t_2]))))]_vars

\* Switching on eligible leader replicas takes no configuration away but the brokers' min.insync.replicas. (S3:252-258)
C22 == [][(\A f \in Feature, to_2 \in level, way \in Direction, static_min \in size : (FE7(f, to_2, way, static_min)) =>
  (\A s \in Setting : (resource_type[s] # 4 \/ key[s] # min_insync_replicas) => setting[s]' = setting[s]))]_vars

\* A request with several values leaves the topics alone of which it says nothing. (7.17)
C23 == [][(\A sets_min \in BOOLEAN, drops_min \in BOOLEAN, to_size \in size, sets_unclean \in BOOLEAN, drops_unclean \in
  BOOLEAN, to_switch \in BOOLEAN : (CM1(sets_min, drops_min, to_size, sets_unclean, drops_unclean, to_switch)) => (\A t
  \in Topic, n \in Name : (live[t] /\ name[t] = n) => ((~min_asked[n] => own_min_insync[t]' = own_min_insync[t]) /\
  (~unclean_asked[n] => own_unclean[t]' = own_unclean[t]))))]_vars

\* Whoever becomes active leaves no transaction open. (S3:166-173)
L29 == [][(\A metadata_version_3 \in level, elr_version_2 \in level, has_elr \in BOOLEAN, static_min \in size :
  (AC1(metadata_version_3, elr_version_2, has_elr, static_min) \/ AC3(metadata_version_3, elr_version_2, has_elr,
  static_min)) => (~in_transaction'))]_vars

L29_where_nothing_changes == (\A metadata_version_3 \in level, elr_version_2 \in level, has_elr \in BOOLEAN, static_min
  \in size : (ENABLED (UNCHANGED vars /\ (AC1(metadata_version_3, elr_version_2, has_elr, static_min) \/
  AC3(metadata_version_3, elr_version_2, has_elr, static_min)))) => (~in_transaction))

\* What an access control entry says is in force. (AclControlManager.replay)
G1 == \A a \in Acl : granted[a] => in_force[says[a]]

\* No two access control entries say the same. (AclControlManager.createAcls)
G2 == \A a \in Acl, other \in Acl : (granted[a] /\ granted[other] /\ says[a] = says[other]) => a = other

\* An id of an access control entry that is in use is never given to another. (AclControlManager.newAclId)
G3 == [][\A a \in Acl : (granted[a] /\ granted[a]') => says[a]' = says[a]]_vars

\* An access control entry that is answered NONE is in force. (AclControlManager.createAcls)
G4 == [][(\A a \in Acl, v \in Binding, readable \in BOOLEAN, range \in BOOLEAN, good_range \in BOOLEAN : (AL6(a, v,
  readable, range, good_range)) => (in_force[v]'))]_vars

G4_where_nothing_changes == (\A a \in Acl, v \in Binding, readable \in BOOLEAN, range \in BOOLEAN, good_range \in
  BOOLEAN : (ENABLED (UNCHANGED vars /\ (AL6(a, v, readable, range, good_range)))) => (in_force[v])) /\ (\A a \in Acl, v
  \in Binding, readable \in BOOLEAN, range \in BOOLEAN, good_range \in BOOLEAN : (AL5_is_enabled(a, v, readable, range,
  good_range)) => (in_force[v]))

\* Of the access control entries those that a filter matches are gone after it, and no other.
\* (AclControlManager.deleteAcls)
G5 == [][(\A readable \in BOOLEAN : (AL8(readable)) => (\A a \in Acl : granted[a]' = (granted[a] /\ ~matches[a])))]_vars

G5_where_nothing_changes == (\A readable \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (AL8(readable)))) => (\A a \in Acl :
  granted[a] = (granted[a] /\ ~matches[a])))

\* A SCRAM credential that is deleted was there, and is gone. (ScramControlManager.replay)
G6 == [][(\A c \in Credential, twice \in BOOLEAN : (SC6(c, twice)) => (has_credential[c] /\
  (~has_credential[c])'))]_vars

G6_where_nothing_changes == (\A c \in Credential, twice \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (SC6(c, twice)))) =>
  (has_credential[c] /\ ~has_credential[c]))

\* A SCRAM credential that is answered NONE is there. (ScramControlManager.alterCredentials)
G7 == [][(\A c \in Credential, iterations_3 \in iterations_2, twice \in BOOLEAN : (SC12(c, iterations_3, twice)) =>
  ((has_credential[c] /\ iterations[c] = iterations_3)'))]_vars

G7_where_nothing_changes == (\A c \in Credential, iterations_3 \in iterations_2, twice \in BOOLEAN : (ENABLED (UNCHANGED
  vars /\ (SC12(c, iterations_3, twice)))) => (has_credential[c] /\ iterations[c] = iterations_3))

\* A delegation token has an owner, and never lives longer than it may at most. (KIP-48)
G8 == \A k \in Token : has_token[k] => (owner[k] # None /\ expires_at[k] <= latest[k])

\* Whose a delegation token is, who may renew it and when it ends at the latest never change. (KIP-48)
G9 == [][\A k \in Token : owner[k] # None => (owner[k]' = owner[k] /\ requester[k]' = requester[k] /\ renewers[k]' =
  renewers[k] /\ issued_at[k]' = issued_at[k] /\ latest[k]' = latest[k])]_vars

\* A delegation token that is over, and published, is gone after the sweep.
\* (DelegationTokenControlManager.sweepExpiredDelegationTokens)
G10 == [][(\A now \in time : (TK18(now)) => (\A k \in Token : (published[k] /\ owner[k] # None /\ is_over(k, now)) =>
  (~has_token[k])'))]_vars

G10_where_nothing_changes == (\A now \in time : (ENABLED (UNCHANGED vars /\ (TK18(now)))) => (\A k \in Token :
  (published[k] /\ owner[k] # None /\ is_over(k, now)) => ~has_token[k]))

\* A sweep takes away no delegation token that is not over. (DelegationTokenControlManager.sweepExpiredDelegationTokens)
G11 == [][(\A now \in time : (TK18(now)) => (\A k \in Token : (has_token[k] /\ ~is_over(k, now)) =>
  has_token[k]'))]_vars

\* A delegation token that is to end at once is gone. (DelegationTokenControlManager.expireDelegationToken)
G12 == [][(\A k \in Token, by \in Principal, now \in time, until \in time, at_once \in BOOLEAN, enabled \in BOOLEAN :
  (TK15(k, by, now, until, at_once, enabled)) => ((~has_token[k])'))]_vars

G12_where_nothing_changes == (\A k \in Token, by \in Principal, now \in time, until \in time, at_once \in BOOLEAN,
  enabled \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (TK15(k, by, now, until, at_once, enabled)))) => (~has_token[k]))

\* A delegation token that is renewed, or is to end later, ends when it was answered. (KIP-48)
G13 == [][(\A k \in Token, by \in Principal, now \in time, until \in time, enabled \in BOOLEAN : (TK10(k, by, now,
  until, enabled)) => ((has_token[k] /\ expires_at[k] = until)')) /\ (\A k \in Token, by \in Principal, now \in time,
  until \in time, at_once \in BOOLEAN, enabled \in BOOLEAN : (TK17(k, by, now, until, at_once, enabled)) =>
  ((has_token[k] /\ expires_at[k] = until)'))]_vars

G13_where_nothing_changes == (\A k \in Token, by \in Principal, now \in time, until \in time, enabled \in BOOLEAN :
  (ENABLED (UNCHANGED vars /\ (TK10(k, by, now, until, enabled)))) => (has_token[k] /\ expires_at[k] = until)) /\ (\A k
  \in Token, by \in Principal, now \in time, until \in time, at_once \in BOOLEAN, enabled \in BOOLEAN : (ENABLED
  (UNCHANGED vars /\ (TK17(k, by, now, until, at_once, enabled)))) => (has_token[k] /\ expires_at[k] = until))

\* A delegation token that is answered NONE is there, as it was asked for. (KIP-48)
G14 == [][(\A k \in Token, holder \in Principal, by \in Principal, renewers_2 \in SUBSET Principal, now \in time, end
  \in time, until \in time, enabled \in BOOLEAN, of_users \in BOOLEAN : (TK4(k, holder, by, renewers_2, now, end, until,
  enabled, of_users)) => ((has_token[k] /\ owner[k] = holder /\ requester[k] = by /\ renewers[k] = renewers_2 /\
  latest[k] = end /\ expires_at[k] = until)'))]_vars

G14_where_nothing_changes == (\A k \in Token, holder \in Principal, by \in Principal, renewers_2 \in SUBSET Principal,
  now \in time, end \in time, until \in time, enabled \in BOOLEAN, of_users \in BOOLEAN : (ENABLED (UNCHANGED vars /\
  (TK4(k, holder, by, renewers_2, now, end, until, enabled, of_users)))) => (has_token[k] /\ owner[k] = holder /\
  requester[k] = by /\ renewers[k] = renewers_2 /\ latest[k] = end /\ expires_at[k] = until))

\* A client quota is for a user, a client id or both, or for an address, and has one of their keys. (KIP-546)
G15 == \A q \in Quota : rate[q] # None => (legal_key(q) /\ nameless \notin quota_names[q])

\* A client quota that is answered NONE has its value. (KIP-546)
G16 == [][(\A q \in Quota, rate_2 \in Rate, twice \in BOOLEAN, resolves \in BOOLEAN, allowed \in BOOLEAN, validate_only
  \in BOOLEAN : (CQ9(q, rate_2, twice, resolves, allowed, validate_only)) => (rate[q]' = rate_2))]_vars

G16_where_nothing_changes == (\A q \in Quota, rate_2 \in Rate, twice \in BOOLEAN, resolves \in BOOLEAN, allowed \in
  BOOLEAN, validate_only \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (CQ9(q, rate_2, twice, resolves, allowed,
  validate_only)))) => (rate[q] = rate_2)) /\ (\A q \in Quota, rate_2 \in Rate, twice \in BOOLEAN, resolves \in BOOLEAN,
  allowed \in BOOLEAN, validate_only \in BOOLEAN : (CQ8_is_enabled(q, rate_2, twice, resolves, allowed, validate_only))
  => (rate[q] = rate_2))

\* A client quota whose removal is answered NONE is not set. (KIP-546)
G18 == [][(\A q \in Quota, twice \in BOOLEAN, resolves \in BOOLEAN, validate_only \in BOOLEAN : (CQ4(q, twice, resolves,
  validate_only)) => ((rate[q] = None)'))]_vars

G18_where_nothing_changes == (\A q \in Quota, twice \in BOOLEAN, resolves \in BOOLEAN, validate_only \in BOOLEAN :
  (ENABLED (UNCHANGED vars /\ (CQ4(q, twice, resolves, validate_only)))) => (rate[q] = None)) /\ (\A q \in Quota, twice
  \in BOOLEAN, resolves \in BOOLEAN, validate_only \in BOOLEAN : (CQ3_is_enabled(q, twice, resolves, validate_only)) =>
  (rate[q] = None))

\* A refused request about access control, credentials, tokens or quotas changes none of them. (Kafka 4.4)
G17 == [][TRUE]_vars

\* An access control entry that is answered NONE can be read, and has a name and codes that Kafka knows.
\* (AclControlManager.validateNewAcl)
G19 == [][(\A a \in Acl, v \in Binding, readable \in BOOLEAN, range \in BOOLEAN, good_range \in BOOLEAN : (AL6(a, v,
  readable, range, good_range)) => (readable /\ resource_name[v] # nameless /\ 1 < resource_code[v] /\ resource_code[v]
  < 8 /\ (pattern_code[v] = 3 \/ pattern_code[v] = 4) /\ 1 < operation_code[v] /\ operation_code[v] < 16 /\
  (permission_code[v] = 2 \/ permission_code[v] = 3)))]_vars

G19_where_nothing_changes == (\A a \in Acl, v \in Binding, readable \in BOOLEAN, range \in BOOLEAN, good_range \in
  BOOLEAN : (ENABLED (UNCHANGED vars /\ (AL6(a, v, readable, range, good_range)))) => (readable /\ resource_name[v] #
  nameless /\ 1 < resource_code[v] /\ resource_code[v] < 8 /\ (pattern_code[v] = 3 \/ pattern_code[v] = 4) /\ 1 <
  operation_code[v] /\ operation_code[v] < 16 /\ (permission_code[v] = 2 \/ permission_code[v] = 3))) /\ (\A a \in Acl,
  v \in Binding, readable \in BOOLEAN, range \in BOOLEAN, good_range \in BOOLEAN : (AL5_is_enabled(a, v, readable,
  range, good_range)) => (readable /\ resource_name[v] # nameless /\ 1 < resource_code[v] /\ resource_code[v] < 8 /\
  (pattern_code[v] = 3 \/ pattern_code[v] = 4) /\ 1 < operation_code[v] /\ operation_code[v] < 16 /\ (permission_code[v]
  = 2 \/ permission_code[v] = 3)))

\* An access control entry for a range of addresses is answered NONE from 4.4-IV1 on, if it is a range. (KIP-1276)
G20 == [][(\A a \in Acl, v \in Binding, readable \in BOOLEAN, range \in BOOLEAN, good_range \in BOOLEAN : (AL6(a, v,
  readable, range, good_range)) => (range => (good_range /\ 31 < metadata_version)))]_vars

G20_where_nothing_changes == (\A a \in Acl, v \in Binding, readable \in BOOLEAN, range \in BOOLEAN, good_range \in
  BOOLEAN : (ENABLED (UNCHANGED vars /\ (AL6(a, v, readable, range, good_range)))) => (range => (good_range /\ 31 <
  metadata_version))) /\ (\A a \in Acl, v \in Binding, readable \in BOOLEAN, range \in BOOLEAN, good_range \in BOOLEAN :
  (AL5_is_enabled(a, v, readable, range, good_range)) => (range => (good_range /\ 31 < metadata_version)))

\* A SCRAM credential is written or removed from 3.5-IV2 on, of a user with a name who is named once, by a mechanism
\* that Kafka knows. (ScramControlManager.alterCredentials)
G21 == [][(\A c \in Credential, twice \in BOOLEAN : (SC6(c, twice)) => (10 < metadata_version /\ ~twice /\ scram_user[c]
  # nameless /\ (mechanism[c] = 1 \/ mechanism[c] = 2))) /\ (\A c \in Credential, iterations_3 \in iterations_2, twice
  \in BOOLEAN : (SC12(c, iterations_3, twice)) => (10 < metadata_version /\ ~twice /\ scram_user[c] # nameless /\
  (mechanism[c] = 1 \/ mechanism[c] = 2)))]_vars

G21_where_nothing_changes == (\A c \in Credential, twice \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (SC6(c, twice)))) =>
  (10 < metadata_version /\ ~twice /\ scram_user[c] # nameless /\ (mechanism[c] = 1 \/ mechanism[c] = 2))) /\ (\A c \in
  Credential, iterations_3 \in iterations_2, twice \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (SC12(c, iterations_3,
  twice)))) => (10 < metadata_version /\ ~twice /\ scram_user[c] # nameless /\ (mechanism[c] = 1 \/ mechanism[c] = 2)))

\* A password is hashed 4,096 times at least, and 16,384 times at most. (ScramMechanism.minIterations)
G22 == [][(\A c \in Credential, iterations_3 \in iterations_2, twice \in BOOLEAN : (SC12(c, iterations_3, twice)) =>
  (4095 < iterations_3 /\ iterations_3 < 16385))]_vars

G22_where_nothing_changes == (\A c \in Credential, iterations_3 \in iterations_2, twice \in BOOLEAN : (ENABLED
  (UNCHANGED vars /\ (SC12(c, iterations_3, twice)))) => (4095 < iterations_3 /\ iterations_3 < 16385))

\* Delegation tokens are answered NONE only where the controller has a secret for them, from 3.6-IV2 on.
\* (DelegationTokenControlManager.createDelegationToken)
G23 == [][(\A k \in Token, holder \in Principal, by \in Principal, renewers_2 \in SUBSET Principal, now \in time, end
  \in time, until \in time, enabled \in BOOLEAN, of_users \in BOOLEAN : (TK4(k, holder, by, renewers_2, now, end, until,
  enabled, of_users)) => (enabled /\ 13 < metadata_version)) /\ (\A k \in Token, by \in Principal, now \in time, until
  \in time, enabled \in BOOLEAN : (TK10(k, by, now, until, enabled)) => (enabled /\ 13 < metadata_version)) /\ (\A k \in
  Token, by \in Principal, now \in time, until \in time, at_once \in BOOLEAN, enabled \in BOOLEAN : (TK15(k, by, now,
  until, at_once, enabled) \/ TK17(k, by, now, until, at_once, enabled)) => (enabled /\ 13 < metadata_version))]_vars

G23_where_nothing_changes == (\A k \in Token, holder \in Principal, by \in Principal, renewers_2 \in SUBSET Principal,
  now \in time, end \in time, until \in time, enabled \in BOOLEAN, of_users \in BOOLEAN : (ENABLED (UNCHANGED vars /\
  (TK4(k, holder, by, renewers_2, now, end, until, enabled, of_users)))) => (enabled /\ 13 < metadata_version)) /\ (\A k
  \in Token, by \in Principal, now \in time, until \in time, enabled \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (TK10(k,
  by, now, until, enabled)))) => (enabled /\ 13 < metadata_version)) /\ (\A k \in Token, by \in Principal, now \in time,
  until \in time, at_once \in BOOLEAN, enabled \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (TK15(k, by, now, until,
  at_once, enabled) \/ TK17(k, by, now, until, at_once, enabled)))) => (enabled /\ 13 < metadata_version))

\* Whoever renews a delegation token, or lets it end, is its owner or one of its renewers. (KIP-48)
G24 == [][(\A k \in Token, by \in Principal, now \in time, until \in time, enabled \in BOOLEAN : (TK10(k, by, now,
  until, enabled)) => (published[k] /\ (owner[k] = by \/ by \in renewers[k]))) /\ (\A k \in Token, by \in Principal, now
  \in time, until \in time, at_once \in BOOLEAN, enabled \in BOOLEAN : (TK15(k, by, now, until, at_once, enabled) \/
  TK17(k, by, now, until, at_once, enabled)) => (published[k] /\ (owner[k] = by \/ by \in renewers[k])))]_vars

G24_where_nothing_changes == (\A k \in Token, by \in Principal, now \in time, until \in time, enabled \in BOOLEAN :
  (ENABLED (UNCHANGED vars /\ (TK10(k, by, now, until, enabled)))) => (published[k] /\ (owner[k] = by \/ by \in
  renewers[k]))) /\ (\A k \in Token, by \in Principal, now \in time, until \in time, at_once \in BOOLEAN, enabled \in
  BOOLEAN : (ENABLED (UNCHANGED vars /\ (TK15(k, by, now, until, at_once, enabled) \/ TK17(k, by, now, until, at_once,
  enabled)))) => (published[k] /\ (owner[k] = by \/ by \in renewers[k])))

\* A delegation token that is over is not renewed, nor given another end.
\* (DelegationTokenControlManager.renewDelegationToken)
G25 == [][(\A k \in Token, by \in Principal, now \in time, until \in time, at_once \in BOOLEAN, enabled \in BOOLEAN :
  (TK17(k, by, now, until, at_once, enabled)) => (now <= latest[k] /\ now <= expires_at[k] /\ ~at_once))]_vars

G25_where_nothing_changes == (\A k \in Token, by \in Principal, now \in time, until \in time, at_once \in BOOLEAN,
  enabled \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (TK17(k, by, now, until, at_once, enabled)))) => (now <= latest[k]
  /\ now <= expires_at[k] /\ ~at_once))

\* A delegation token that is over is not renewed. (DelegationTokenControlManager.renewDelegationToken)
G26 == [][(\A k \in Token, by \in Principal, now \in time, until \in time, enabled \in BOOLEAN : (TK10(k, by, now,
  until, enabled)) => (now <= latest[k] /\ now <= expires_at[k]))]_vars

G26_where_nothing_changes == (\A k \in Token, by \in Principal, now \in time, until \in time, enabled \in BOOLEAN :
  (ENABLED (UNCHANGED vars /\ (TK10(k, by, now, until, enabled)))) => (now <= latest[k] /\ now <= expires_at[k]))

\* Every renewer of a new delegation token is a User. (KIP-900)
G27 == [][(\A k \in Token, holder \in Principal, by \in Principal, renewers_2 \in SUBSET Principal, now \in time, end
  \in time, until \in time, enabled \in BOOLEAN, of_users \in BOOLEAN : (TK4(k, holder, by, renewers_2, now, end, until,
  enabled, of_users)) => (of_users))]_vars

G27_where_nothing_changes == (\A k \in Token, holder \in Principal, by \in Principal, renewers_2 \in SUBSET Principal,
  now \in time, end \in time, until \in time, enabled \in BOOLEAN, of_users \in BOOLEAN : (ENABLED (UNCHANGED vars /\
  (TK4(k, holder, by, renewers_2, now, end, until, enabled, of_users)))) => (of_users))

\* A client quota is written or removed by a request that does more than validate, and names the key once. (KIP-546)
G28 == [][(\A q \in Quota, twice \in BOOLEAN, resolves \in BOOLEAN, validate_only \in BOOLEAN : (CQ4(q, twice, resolves,
  validate_only)) => (~validate_only /\ ~twice)) /\ (\A q \in Quota, rate_2 \in Rate, twice \in BOOLEAN, resolves \in
  BOOLEAN, allowed \in BOOLEAN, validate_only \in BOOLEAN : (CQ9(q, rate_2, twice, resolves, allowed, validate_only)) =>
  (~validate_only /\ ~twice))]_vars

G28_where_nothing_changes == (\A q \in Quota, twice \in BOOLEAN, resolves \in BOOLEAN, validate_only \in BOOLEAN :
  (ENABLED (UNCHANGED vars /\ (CQ4(q, twice, resolves, validate_only)))) => (~validate_only /\ ~twice)) /\ (\A q \in
  Quota, rate_2 \in Rate, twice \in BOOLEAN, resolves \in BOOLEAN, allowed \in BOOLEAN, validate_only \in BOOLEAN :
  (ENABLED (UNCHANGED vars /\ (CQ9(q, rate_2, twice, resolves, allowed, validate_only)))) => (~validate_only /\ ~twice))

\* A client quota is written only where it changes. (ClientQuotaControlManager.alterClientQuotas)
G29 == [][(\A q \in Quota, twice \in BOOLEAN, resolves \in BOOLEAN, validate_only \in BOOLEAN : (CQ4(q, twice, resolves,
  validate_only)) => (rate[q]' # rate[q])) /\ (\A q \in Quota, rate_2 \in Rate, twice \in BOOLEAN, resolves \in BOOLEAN,
  allowed \in BOOLEAN, validate_only \in BOOLEAN : (CQ9(q, rate_2, twice, resolves, allowed, validate_only)) =>
  (rate[q]' # rate[q]))]_vars

G29_where_nothing_changes == (\A q \in Quota, twice \in BOOLEAN, resolves \in BOOLEAN, validate_only \in BOOLEAN :
  (ENABLED (UNCHANGED vars /\ (CQ4(q, twice, resolves, validate_only)))) => (rate[q] # rate[q])) /\ (\A q \in Quota,
  rate_2 \in Rate, twice \in BOOLEAN, resolves \in BOOLEAN, allowed \in BOOLEAN, validate_only \in BOOLEAN : (ENABLED
  (UNCHANGED vars /\ (CQ9(q, rate_2, twice, resolves, allowed, validate_only)))) => (rate[q] # rate[q]))

\* For K1: no epoch is ahead of the log, so that the next one is new.
N1 == \A x \in Broker : epoch[x] <= log_end

\* For P2: only a replica is in a directory, so that only a replica is elected, whoever led last.
N2 == \A p \in Partition, x \in Broker : location[p, x] # None => (x \in Elements(replicas[p]) \/ ~exists[p])

\* For P10: whoever is an eligible leader replica is found by the index; more than those may be (D6).
N3 == \A p \in Partition, x \in Broker : (exists[p] /\ x \in elr[p]) => 1 <= elr_index[p, x]

\* For P8 to P11: what is created with a topic did not exist before.
N4 == \A p \in Partition : exists[p] => live[topic[p]]

\* For P3, P7, K7: before the cluster is formatted there is nothing that its features could be about.
N5 == ~formatted => (elr_version = 0 /\ (\A p \in Partition : ~exists[p]) /\ (\A x \in Broker : ~registered[x]))

\* For P2: somebody is left when a reassignment is taken back.
N7 == \A p \in Partition : exists[p] => (\E x \in Broker : x \in Elements(replicas[p]) /\ x \notin adding[p])

\* For P4, P18: nobody is an eligible leader replica of what does not exist.
N6 == \A p \in Partition : elr[p] # {} => exists[p]

\* For B1, B3: no registration is ahead of the log, so that the next one is after it.
N9 == \A x \in Broker : registered[x] => registration_offset[x] <= log_end
================================================================================
