----------------------------- MODULE kraft_voters ------------------------------
\* kraft-voters: The voters of the controller quorum: who elects and commits while AddRaftVoter and RemoveRaftVoter
\* change who does.
\* Made from the tables of kraft-voters 88910dac7c3d; not to be edited.
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS NumberController, Maxoffset, Maxleader_epoch, NumberNode, Bound, None

Controller == 0..(NumberController - 1)
offset == 0..Maxoffset
leader_epoch == 0..Maxleader_epoch
Node == 0..(NumberNode - 1)

At(f, k, initial) == IF k \in DOMAIN f THEN f[k] ELSE initial
Pick(S) == CHOOSE x \in S : TRUE
Put(f, updates) == [k \in DOMAIN f |-> LET u == {x \in updates : x.at = k} IN IF u = {} THEN f[k] ELSE Pick(u).to]

VARIABLES end, configured, follows, voters, epoch, wrote, raft_epoch, leader_of, epoch_start, changes, level, formatted,
  log_end, leads, high_watermark, committed_by, joins, node_id, supports, replaces, was_voter, told, auto_join

vars == <<end, configured, follows, voters, epoch, wrote, raft_epoch, leader_of, epoch_start, changes, level, formatted,
  log_end, leads, high_watermark, committed_by, joins, node_id, supports, replaces, was_voter, told, auto_join>>

never_written == <<configured, formatted, node_id, supports, auto_join>>

voters_and_others == <<voters, wrote, changes, level, log_end>>

raft_epoch_and_others == <<raft_epoch, leader_of, epoch_start>>

Given_UpdateRaftVoter(n, c) == CASE Bound = "tiny" -> FALSE [] Bound = "directories" -> FALSE [] Bound = "two-of-three"
  -> FALSE [] Bound = "three" -> FALSE [] OTHER -> TRUE

Given_UpgradeKRaftVersion(n) == CASE Bound = "tiny" -> FALSE [] Bound = "directories" -> FALSE [] Bound = "two-of-three"
  -> FALSE [] Bound = "three" -> FALSE [] OTHER -> TRUE

Given_JoinVoters(c) == CASE Bound = "static" -> FALSE [] Bound = "knowing" -> FALSE [] Bound = "two-of-three" -> FALSE
  [] Bound = "three" -> FALSE [] OTHER -> TRUE

Given_ReplaceDirectory(c, k) == CASE Bound = "static" -> FALSE [] Bound = "knowing" -> FALSE [] Bound = "two-of-three"
  -> FALSE [] Bound = "three" -> FALSE [] OTHER -> TRUE

voters_at(n) == IF end[n] = 0 THEN configured ELSE voters[follows[n], end[n]]

mine(n) == voters_at(n)

last_epoch(k) == IF end[k] = 0 THEN 0 ELSE At(wrote, <<follows[k], end[k] - 1>>, 0)

majority_of(n, q) == ~(Cardinality(mine(n) \ q) >= Cardinality(q))

elects(q, n, e) == (\A k \in Controller : k \in q => (k \in mine(n) /\ epoch[k] < e /\ (last_epoch(k) < last_epoch(n) \/
  (last_epoch(k) = last_epoch(n) /\ end[k] <= end[n])))) /\ n \in q /\ majority_of(n, q)

has_level(n) == IF end[n] = 0 THEN formatted ELSE level[follows[n], end[n]]

latest(n) == voters[epoch[n], log_end[epoch[n]]]

holds(k, n, at_2) == follows[k] = epoch[n] /\ at_2 <= end[k]

majority_of_2(n, at_2) == ~(Cardinality(latest(n) \ {k \in Controller : k \in latest(n) /\ holds(k, n, at_2)}) >=
  Cardinality({k \in Controller : k \in latest(n) /\ holds(k, n, at_2)}))

established(n) == 0 < high_watermark[epoch[n]]

dynamic(n) == level[epoch[n], log_end[epoch[n]]]

pending(n) == \E o \in offset : changes[epoch[n], o] /\ high_watermark[epoch[n]] <= o

same_node(n, c) == \E k \in Controller : k \in latest(n) /\ node_id[k] = node_id[c]

holds_2(c, n) == follows[c] = epoch[n] /\ log_end[epoch[n]] <= end[c]

caught_up(seen, c, n) == seen /\ holds_2(c, n)

others(n, c) == \E k \in Controller : k \in latest(n) /\ k # c

all_know(n) == \A k \in Controller : k \in latest(n) => (told[epoch[n], k] \/ (k = n /\ supports[k]))

polls(c) == auto_join[c] /\ ~leads[c] /\ has_level(c)

voters_at_2(s, e) == IF s = 0 THEN configured ELSE voters[e, s]

voters_at_3(s, e) == IF s + 1 = 0 THEN configured ELSE At(voters, <<e, s + 1>>, {})

voters_at_4(n) == IF log_end[epoch[n]] = 0 THEN configured ELSE voters[epoch[n], log_end[epoch[n]]]

has_level_2(s, e) == IF s = 0 THEN formatted ELSE level[e, s]

has_level_3(s, e) == IF s + 1 = 0 THEN formatted ELSE At(level, <<e, s + 1>>, FALSE)

voters_at_5(e) == IF log_end[e] = 0 THEN configured ELSE voters[e, log_end[e]]

has_level_4(n) == IF log_end[epoch[n]] = 0 THEN formatted ELSE level[epoch[n], log_end[epoch[n]]]

has_log(d, n) == \A o \in offset : o < high_watermark[d] => (o < end[n] /\ wrote[follows[n], o] = wrote[d, o])

has_log_2(at_2, d, n) == \A o \in offset : o < at_2 => (o < log_end[d] /\ wrote[d, o] = wrote[epoch[n], o])

majority_of_3(n) == ~(Cardinality(latest(n) \ {k \in Controller : k \in latest(n) /\ follows[k] = epoch[n] /\
  high_watermark[epoch[n]]' <= end[k]}) >= Cardinality({k \in Controller : k \in latest(n) /\ follows[k] = epoch[n] /\
  high_watermark[epoch[n]]' <= end[k]}))

majority_of_4(n) == ~(Cardinality(voters_at(n) \ {k \in Controller : k \in voters_at(n) /\ ~(last_epoch(n) <
  last_epoch(k) \/ (last_epoch(n) = last_epoch(k) /\ end[n] < end[k]))}) >= Cardinality({k \in Controller : k \in
  voters_at(n) /\ ~(last_epoch(n) < last_epoch(k) \/ (last_epoch(n) = last_epoch(k) /\ end[n] < end[k]))}))

VU3_applies(n) == dynamic(n) /\ pending(n)

VU4_applies(n, c) == dynamic(n) /\ ~supports[c]

\* KIP-595, KIP-853
VQ1(n, e, q) ==
  /\ elects(q, n, e) = TRUE
  /\ end[n] + 1 \in offset
  /\ end[n] <= Maxoffset - 1
  /\ raft_epoch' = e
  /\ leader_of' = [leader_of EXCEPT ![e] = n]
  /\ epoch_start' = [epoch_start EXCEPT ![e] = end[n]]
  /\ wrote' = Put(wrote, ({[at |-> <<e, o>>, to |-> wrote[follows[n], o]] : o \in {o \in offset : o < end[n]}}) \union
         ({[at |-> <<e, end[n]>>, to |-> e]}))
  /\ changes' = Put(changes, ({[at |-> <<e, o>>, to |-> changes[follows[n], o]] : o \in {o \in offset : o < end[n]}})
         \union ({[at |-> <<e, end[n]>>, to |-> end[n] = 0 /\ formatted]}))
  /\ voters' = Put(voters, ({[at |-> <<e, s>>, to |-> voters[follows[n], s]] : s \in {s \in offset : s <= end[n]}})
         \union ({[at |-> <<e, end[n] + 1>>, to |-> mine(n)]}))
  /\ level' = Put(level, ({[at |-> <<e, s>>, to |-> level[follows[n], s]] : s \in {s \in offset : s <= end[n]}}) \union
         ({[at |-> <<e, end[n] + 1>>, to |-> has_level(n)]}))
  /\ log_end' = [log_end EXCEPT ![e] = end[n] + 1]
  /\ epoch' = [k \in Controller |-> IF k \in q THEN e ELSE epoch[k]]
  /\ leads' = [k \in Controller |-> IF k \in q THEN k = n ELSE leads[k]]
  /\ follows' = [follows EXCEPT ![n] = e]
  /\ end' = [end EXCEPT ![n] = end[n] + 1]
  /\ UNCHANGED <<high_watermark, committed_by, joins, replaces, was_voter, told, never_written>>

\* KIP-595, KIP-853
VQ2_is_enabled(c, e, at_2) ==
  /\ leader_of[e] # None
  /\ leader_of[e] # c
  /\ epoch[c] <= e
  /\ at_2 <= log_end[e]
  /\ (\A s \in offset : (s <= end[c] /\ s <= log_end[e] /\ (s = 0 \/ At(wrote, <<follows[c], s - 1>>, 0) = At(wrote,
         <<e, s - 1>>, 0))) => s <= at_2) = TRUE

VQ2(c, e, at_2) ==
  /\ VQ2_is_enabled(c, e, at_2)
  /\ epoch' = [epoch EXCEPT ![c] = e]
  /\ leads' = [leads EXCEPT ![c] = FALSE]
  /\ follows' = [follows EXCEPT ![c] = e]
  /\ end' = [end EXCEPT ![c] = at_2]
  /\ UNCHANGED <<high_watermark, committed_by, joins, replaces, was_voter, told, never_written, voters_and_others,
         raft_epoch_and_others>>

\* KIP-595, KIP-853
VQ3_is_enabled(n, at_2) ==
  /\ leads[n]
  /\ epoch_start[epoch[n]] < at_2
  /\ high_watermark[epoch[n]] < at_2
  /\ at_2 <= log_end[epoch[n]]
  /\ majority_of_2(n, at_2) = TRUE
  /\ (~(n \notin latest(n) /\ ~(\E o \in offset : at_2 <= o /\ changes[epoch[n], o]))) = TRUE

VQ3(n, at_2) ==
  /\ VQ3_is_enabled(n, at_2)
  /\ high_watermark' = [high_watermark EXCEPT ![epoch[n]] = at_2]
  /\ committed_by' = {k \in Controller : k \in latest(n) /\ holds(k, n, at_2)}
  /\ UNCHANGED <<end, follows, epoch, leads, joins, replaces, was_voter, told, never_written, voters_and_others,
         raft_epoch_and_others>>

\* KIP-595, KIP-853
VQ4_is_enabled(n, at_2) ==
  /\ leads[n]
  /\ epoch_start[epoch[n]] < at_2
  /\ high_watermark[epoch[n]] < at_2
  /\ at_2 <= log_end[epoch[n]]
  /\ majority_of_2(n, at_2) = TRUE
  /\ n \notin latest(n)
  /\ (~(\E o \in offset : at_2 <= o /\ changes[epoch[n], o])) = TRUE

VQ4(n, at_2) ==
  /\ VQ4_is_enabled(n, at_2)
  /\ high_watermark' = [high_watermark EXCEPT ![epoch[n]] = at_2]
  /\ committed_by' = {k \in Controller : k \in latest(n) /\ holds(k, n, at_2)}
  /\ leads' = [leads EXCEPT ![n] = FALSE]
  /\ UNCHANGED <<end, follows, epoch, joins, replaces, was_voter, told, never_written, voters_and_others,
         raft_epoch_and_others>>

\* KIP-595
VQ5(n) ==
  /\ leads[n]
  /\ leads' = [leads EXCEPT ![n] = FALSE]
  /\ UNCHANGED <<end, follows, epoch, high_watermark, committed_by, joins, replaces, was_voter, told, never_written,
         voters_and_others, raft_epoch_and_others>>

\* KIP-853, KIP-1186
VA1_is_enabled(n, c, own, seen) ==
  /\ (own => joins[c]) = TRUE
  /\ (~leads[n]) = TRUE

VA1(n, c, own, seen) ==
  /\ VA1_is_enabled(n, c, own, seen)
  /\ joins' = [joins EXCEPT ![c] = IF own THEN FALSE ELSE @]
  /\ UNCHANGED <<end, follows, epoch, leads, high_watermark, committed_by, replaces, was_voter, told, never_written,
         voters_and_others, raft_epoch_and_others>>

\* KIP-853, KIP-1186
VA2_is_enabled(n, c, own, seen) ==
  /\ (own => joins[c]) = TRUE
  /\ (~established(n)) = TRUE
  /\ leads[n]

VA2(n, c, own, seen) ==
  /\ VA2_is_enabled(n, c, own, seen)
  /\ joins' = [joins EXCEPT ![c] = IF own THEN FALSE ELSE @]
  /\ UNCHANGED <<end, follows, epoch, leads, high_watermark, committed_by, replaces, was_voter, told, never_written,
         voters_and_others, raft_epoch_and_others>>

\* KIP-853, KIP-1186
VA3_is_enabled(n, c, own, seen) ==
  /\ (own => joins[c]) = TRUE
  /\ (~dynamic(n)) = TRUE
  /\ leads[n]
  /\ established(n) = TRUE

VA3(n, c, own, seen) ==
  /\ VA3_is_enabled(n, c, own, seen)
  /\ joins' = [joins EXCEPT ![c] = IF own THEN FALSE ELSE @]
  /\ UNCHANGED <<end, follows, epoch, leads, high_watermark, committed_by, replaces, was_voter, told, never_written,
         voters_and_others, raft_epoch_and_others>>

\* KIP-853, KIP-1186
VA4_is_enabled(n, c, own, seen) ==
  /\ (own => joins[c]) = TRUE
  /\ pending(n) = TRUE
  /\ leads[n]
  /\ established(n) = TRUE
  /\ dynamic(n) = TRUE

VA4(n, c, own, seen) ==
  /\ VA4_is_enabled(n, c, own, seen)
  /\ joins' = [joins EXCEPT ![c] = IF own THEN FALSE ELSE @]
  /\ UNCHANGED <<end, follows, epoch, leads, high_watermark, committed_by, replaces, was_voter, told, never_written,
         voters_and_others, raft_epoch_and_others>>

\* KIP-853, KIP-1186
VA5_is_enabled(n, c, own, seen) ==
  /\ (own => joins[c]) = TRUE
  /\ same_node(n, c) = TRUE
  /\ leads[n]
  /\ established(n) = TRUE
  /\ dynamic(n) = TRUE
  /\ (~pending(n)) = TRUE

VA5(n, c, own, seen) ==
  /\ VA5_is_enabled(n, c, own, seen)
  /\ joins' = [joins EXCEPT ![c] = IF own THEN FALSE ELSE @]
  /\ UNCHANGED <<end, follows, epoch, leads, high_watermark, committed_by, replaces, was_voter, told, never_written,
         voters_and_others, raft_epoch_and_others>>

\* KIP-853, KIP-1186
VA6_is_enabled(n, c, own, seen) ==
  /\ (own => joins[c]) = TRUE
  /\ (~supports[c]) = TRUE
  /\ leads[n]
  /\ established(n) = TRUE
  /\ dynamic(n) = TRUE
  /\ (~pending(n)) = TRUE
  /\ (~same_node(n, c)) = TRUE

VA6(n, c, own, seen) ==
  /\ VA6_is_enabled(n, c, own, seen)
  /\ joins' = [joins EXCEPT ![c] = IF own THEN FALSE ELSE @]
  /\ UNCHANGED <<end, follows, epoch, leads, high_watermark, committed_by, replaces, was_voter, told, never_written,
         voters_and_others, raft_epoch_and_others>>

\* KIP-853, KIP-1186
VA7_is_enabled(n, c, own, seen) ==
  /\ (own => joins[c]) = TRUE
  /\ (~caught_up(seen, c, n)) = TRUE
  /\ leads[n]
  /\ established(n) = TRUE
  /\ dynamic(n) = TRUE
  /\ (~pending(n)) = TRUE
  /\ (~same_node(n, c)) = TRUE
  /\ supports[c]

VA7(n, c, own, seen) ==
  /\ VA7_is_enabled(n, c, own, seen)
  /\ joins' = [joins EXCEPT ![c] = IF own THEN FALSE ELSE @]
  /\ UNCHANGED <<end, follows, epoch, leads, high_watermark, committed_by, replaces, was_voter, told, never_written,
         voters_and_others, raft_epoch_and_others>>

\* KIP-853, KIP-1186
VA8_is_enabled(n, c, own, seen) ==
  /\ (own => joins[c]) = TRUE
  /\ leads[n]
  /\ established(n) = TRUE
  /\ dynamic(n) = TRUE
  /\ (~pending(n)) = TRUE
  /\ (~same_node(n, c)) = TRUE
  /\ supports[c]
  /\ caught_up(seen, c, n) = TRUE

VA8(n, c, own, seen) ==
  /\ VA8_is_enabled(n, c, own, seen)
  /\ log_end[epoch[n]] + 1 \in offset
  /\ log_end[epoch[n]] <= Maxoffset - 1
  /\ joins' = [joins EXCEPT ![c] = IF own THEN FALSE ELSE @]
  /\ wrote' = [wrote EXCEPT ![epoch[n], log_end[epoch[n]]] = epoch[n]]
  /\ changes' = [changes EXCEPT ![epoch[n], log_end[epoch[n]]] = TRUE]
  /\ voters' = [voters EXCEPT ![epoch[n], log_end[epoch[n]] + 1] = latest(n) \union {c}]
  /\ level' = [level EXCEPT ![epoch[n], log_end[epoch[n]] + 1] = TRUE]
  /\ log_end' = [log_end EXCEPT ![epoch[n]] = log_end[epoch[n]] + 1]
  /\ end' = [end EXCEPT ![n] = log_end[epoch[n]] + 1]
  /\ UNCHANGED <<follows, epoch, leads, high_watermark, committed_by, replaces, was_voter, told, never_written,
         raft_epoch_and_others>>

\* KIP-853
VR1_is_enabled(n, c, by) ==
  /\ (by # None => (\E k \in Controller : by = k /\ replaces[k] = c)) = TRUE
  /\ (~leads[n]) = TRUE

VR1(n, c, by) ==
  /\ VR1_is_enabled(n, c, by)
  /\ replaces' = [k \in Controller |-> IF by = k THEN None ELSE replaces[k]]
  /\ UNCHANGED <<end, follows, epoch, leads, high_watermark, committed_by, joins, was_voter, told, never_written,
         voters_and_others, raft_epoch_and_others>>

\* KIP-853
VR2_is_enabled(n, c, by) ==
  /\ (by # None => (\E k \in Controller : by = k /\ replaces[k] = c)) = TRUE
  /\ (~established(n)) = TRUE
  /\ leads[n]

VR2(n, c, by) ==
  /\ VR2_is_enabled(n, c, by)
  /\ replaces' = [k \in Controller |-> IF by = k THEN None ELSE replaces[k]]
  /\ UNCHANGED <<end, follows, epoch, leads, high_watermark, committed_by, joins, was_voter, told, never_written,
         voters_and_others, raft_epoch_and_others>>

\* KIP-853
VR3_is_enabled(n, c, by) ==
  /\ (by # None => (\E k \in Controller : by = k /\ replaces[k] = c)) = TRUE
  /\ (~dynamic(n)) = TRUE
  /\ leads[n]
  /\ established(n) = TRUE

VR3(n, c, by) ==
  /\ VR3_is_enabled(n, c, by)
  /\ replaces' = [k \in Controller |-> IF by = k THEN None ELSE replaces[k]]
  /\ UNCHANGED <<end, follows, epoch, leads, high_watermark, committed_by, joins, was_voter, told, never_written,
         voters_and_others, raft_epoch_and_others>>

\* KIP-853
VR4_is_enabled(n, c, by) ==
  /\ (by # None => (\E k \in Controller : by = k /\ replaces[k] = c)) = TRUE
  /\ pending(n) = TRUE
  /\ leads[n]
  /\ established(n) = TRUE
  /\ dynamic(n) = TRUE

VR4(n, c, by) ==
  /\ VR4_is_enabled(n, c, by)
  /\ replaces' = [k \in Controller |-> IF by = k THEN None ELSE replaces[k]]
  /\ UNCHANGED <<end, follows, epoch, leads, high_watermark, committed_by, joins, was_voter, told, never_written,
         voters_and_others, raft_epoch_and_others>>

\* KIP-853
VR5_is_enabled(n, c, by) ==
  /\ (by # None => (\E k \in Controller : by = k /\ replaces[k] = c)) = TRUE
  /\ (c \notin latest(n) \/ ~others(n, c)) = TRUE
  /\ leads[n]
  /\ established(n) = TRUE
  /\ dynamic(n) = TRUE
  /\ (~pending(n)) = TRUE

VR5(n, c, by) ==
  /\ VR5_is_enabled(n, c, by)
  /\ replaces' = [k \in Controller |-> IF by = k THEN None ELSE replaces[k]]
  /\ UNCHANGED <<end, follows, epoch, leads, high_watermark, committed_by, joins, was_voter, told, never_written,
         voters_and_others, raft_epoch_and_others>>

\* KIP-853
VR6_is_enabled(n, c, by) ==
  /\ (by # None => (\E k \in Controller : by = k /\ replaces[k] = c)) = TRUE
  /\ leads[n]
  /\ established(n) = TRUE
  /\ dynamic(n) = TRUE
  /\ (~pending(n)) = TRUE
  /\ (~(c \notin latest(n) \/ ~others(n, c))) = TRUE

VR6(n, c, by) ==
  /\ VR6_is_enabled(n, c, by)
  /\ log_end[epoch[n]] + 1 \in offset
  /\ log_end[epoch[n]] <= Maxoffset - 1
  /\ replaces' = [k \in Controller |-> IF by = k THEN None ELSE replaces[k]]
  /\ wrote' = [wrote EXCEPT ![epoch[n], log_end[epoch[n]]] = epoch[n]]
  /\ changes' = [changes EXCEPT ![epoch[n], log_end[epoch[n]]] = TRUE]
  /\ voters' = [voters EXCEPT ![epoch[n], log_end[epoch[n]] + 1] = latest(n) \ {c}]
  /\ level' = [level EXCEPT ![epoch[n], log_end[epoch[n]] + 1] = TRUE]
  /\ log_end' = [log_end EXCEPT ![epoch[n]] = log_end[epoch[n]] + 1]
  /\ end' = [end EXCEPT ![n] = log_end[epoch[n]] + 1]
  /\ was_voter' = was_voter \union {c}
  /\ UNCHANGED <<follows, epoch, leads, high_watermark, committed_by, joins, told, never_written,
         raft_epoch_and_others>>

\* KIP-853
VU6_is_enabled(n, c) ==
  /\ (~dynamic(n)) = TRUE
  /\ leads[n]
  /\ established(n) = TRUE
  /\ (~VU3_applies(n)) = TRUE
  /\ (~VU4_applies(n, c)) = TRUE
  /\ c \in latest(n)
  /\ Given_UpdateRaftVoter(n, c) = TRUE

VU6(n, c) ==
  /\ VU6_is_enabled(n, c)
  /\ told' = [told EXCEPT ![epoch[n], c] = supports[c]]
  /\ UNCHANGED <<end, follows, epoch, leads, high_watermark, committed_by, joins, replaces, was_voter, never_written,
         voters_and_others, raft_epoch_and_others>>

\* KIP-853
VU7_is_enabled(n, c) ==
  /\ leads[n]
  /\ established(n) = TRUE
  /\ (~VU3_applies(n)) = TRUE
  /\ (~VU4_applies(n, c)) = TRUE
  /\ c \in latest(n)
  /\ dynamic(n) = TRUE
  /\ Given_UpdateRaftVoter(n, c) = TRUE

VU7(n, c) ==
  /\ VU7_is_enabled(n, c)
  /\ log_end[epoch[n]] + 1 \in offset
  /\ log_end[epoch[n]] <= Maxoffset - 1
  /\ wrote' = [wrote EXCEPT ![epoch[n], log_end[epoch[n]]] = epoch[n]]
  /\ changes' = [changes EXCEPT ![epoch[n], log_end[epoch[n]]] = TRUE]
  /\ voters' = [voters EXCEPT ![epoch[n], log_end[epoch[n]] + 1] = latest(n)]
  /\ level' = [level EXCEPT ![epoch[n], log_end[epoch[n]] + 1] = TRUE]
  /\ log_end' = [log_end EXCEPT ![epoch[n]] = log_end[epoch[n]] + 1]
  /\ end' = [end EXCEPT ![n] = log_end[epoch[n]] + 1]
  /\ UNCHANGED <<follows, epoch, leads, high_watermark, committed_by, joins, replaces, was_voter, told, never_written,
         raft_epoch_and_others>>

\* KIP-853, KAFKA-16538
VK4_is_enabled(n) ==
  /\ (leads[n] /\ established(n)) = TRUE
  /\ (~dynamic(n)) = TRUE
  /\ all_know(n) = TRUE
  /\ Given_UpgradeKRaftVersion(n) = TRUE

VK4(n) ==
  /\ VK4_is_enabled(n)
  /\ log_end[epoch[n]] + 1 \in offset
  /\ log_end[epoch[n]] <= Maxoffset - 1
  /\ wrote' = [wrote EXCEPT ![epoch[n], log_end[epoch[n]]] = epoch[n]]
  /\ changes' = [changes EXCEPT ![epoch[n], log_end[epoch[n]]] = TRUE]
  /\ voters' = [voters EXCEPT ![epoch[n], log_end[epoch[n]] + 1] = latest(n)]
  /\ level' = [level EXCEPT ![epoch[n], log_end[epoch[n]] + 1] = TRUE]
  /\ log_end' = [log_end EXCEPT ![epoch[n]] = log_end[epoch[n]] + 1]
  /\ end' = [end EXCEPT ![n] = log_end[epoch[n]] + 1]
  /\ UNCHANGED <<follows, epoch, leads, high_watermark, committed_by, joins, replaces, was_voter, told, never_written,
         raft_epoch_and_others>>

\* KIP-853
VJ1_is_enabled(c) ==
  /\ polls(c) = TRUE
  /\ (~(\E k \in Controller : k \in voters_at(c) /\ node_id[k] = node_id[c])) = TRUE
  /\ Given_JoinVoters(c) = TRUE

VJ1(c) ==
  /\ VJ1_is_enabled(c)
  /\ joins' = [joins EXCEPT ![c] = TRUE]
  /\ UNCHANGED <<end, follows, epoch, leads, high_watermark, committed_by, replaces, was_voter, told, never_written,
         voters_and_others, raft_epoch_and_others>>

\* KIP-853
VJ2_is_enabled(c, k) ==
  /\ polls(c) = TRUE
  /\ k \in voters_at(c)
  /\ node_id[k] = node_id[c]
  /\ k # c
  /\ Given_ReplaceDirectory(c, k) = TRUE

VJ2(c, k) ==
  /\ VJ2_is_enabled(c, k)
  /\ replaces' = [replaces EXCEPT ![c] = k]
  /\ UNCHANGED <<end, follows, epoch, leads, high_watermark, committed_by, joins, was_voter, told, never_written,
         voters_and_others, raft_epoch_and_others>>

\* KIP-853
VU1_is_enabled(n, c) ==
  /\ (~leads[n]) = TRUE
  /\ Given_UpdateRaftVoter(n, c) = TRUE

\* KIP-853
VU2_is_enabled(n, c) ==
  /\ (~established(n)) = TRUE
  /\ leads[n]
  /\ Given_UpdateRaftVoter(n, c) = TRUE

\* KIP-853
VU3_is_enabled(n, c) ==
  /\ dynamic(n) = TRUE
  /\ pending(n) = TRUE
  /\ leads[n]
  /\ established(n) = TRUE
  /\ Given_UpdateRaftVoter(n, c) = TRUE

\* KIP-853
VU4_is_enabled(n, c) ==
  /\ dynamic(n) = TRUE
  /\ (~supports[c]) = TRUE
  /\ leads[n]
  /\ established(n) = TRUE
  /\ (~VU3_applies(n)) = TRUE
  /\ Given_UpdateRaftVoter(n, c) = TRUE

\* KIP-853
VU5_is_enabled(n, c) ==
  /\ c \notin latest(n)
  /\ leads[n]
  /\ established(n) = TRUE
  /\ (~VU3_applies(n)) = TRUE
  /\ (~VU4_applies(n, c)) = TRUE
  /\ Given_UpdateRaftVoter(n, c) = TRUE

\* KIP-853, KAFKA-16538
VK2_is_enabled(n) ==
  /\ dynamic(n) = TRUE
  /\ (leads[n] /\ established(n)) = TRUE
  /\ Given_UpgradeKRaftVersion(n) = TRUE

\* KIP-853, KAFKA-16538
VK3_is_enabled(n) ==
  /\ (~all_know(n)) = TRUE
  /\ (leads[n] /\ established(n)) = TRUE
  /\ (~dynamic(n)) = TRUE
  /\ Given_UpgradeKRaftVersion(n) = TRUE

Init ==
  /\ end = [k \in Controller |-> 0]
  /\ follows = [k \in Controller |-> 0]
  /\ voters = [k \in leader_epoch, k2 \in offset |-> {}]
  /\ epoch = [k \in Controller |-> 0]
  /\ wrote = [k \in leader_epoch, k2 \in offset |-> 0]
  /\ raft_epoch = 0
  /\ leader_of = [k \in leader_epoch |-> None]
  /\ epoch_start = [k \in leader_epoch |-> 0]
  /\ changes = [k \in leader_epoch, k2 \in offset |-> FALSE]
  /\ level = [k \in leader_epoch, k2 \in offset |-> FALSE]
  /\ log_end = [k \in leader_epoch |-> 0]
  /\ leads = [k \in Controller |-> FALSE]
  /\ high_watermark = [k \in leader_epoch |-> 0]
  /\ committed_by = {}
  /\ joins = [k \in Controller |-> FALSE]
  /\ replaces = [k \in Controller |-> None]
  /\ was_voter = {}
  /\ told = [k \in leader_epoch, k2 \in Controller |-> FALSE]
  /\ configured \in SUBSET Controller
  /\ (\E k \in Controller : k \in configured) = TRUE
  /\ Bound = "tiny" => configured = {0}
  /\ Bound = "directories" => configured = {0, 1}
  /\ Bound = "static" => configured = {0, 1}
  /\ Bound = "knowing" => configured = {0}
  /\ Bound = "two-of-three" => configured = {0, 1}
  /\ Bound = "three" => configured = {0, 1, 2}
  /\ formatted \in BOOLEAN
  /\ Bound = "tiny" => formatted
  /\ Bound = "directories" => formatted
  /\ Bound = "static" => (~formatted) = TRUE
  /\ Bound = "knowing" => formatted
  /\ Bound = "two-of-three" => formatted
  /\ Bound = "three" => formatted
  /\ node_id \in [Controller -> Node]
  /\ (\A c \in Controller, k \in Controller : (c \in configured /\ k \in configured /\ node_id[c] = node_id[k]) => c =
         k) = TRUE
  /\ Bound = "tiny" => (\A c \in Controller, k \in Controller : node_id[c] = node_id[k] => c = k) = TRUE
  /\ Bound = "directories" => node_id[1] = node_id[2]
  /\ Bound = "directories" => node_id[0] # node_id[1]
  /\ Bound = "static" => (\A c \in Controller, k \in Controller : node_id[c] = node_id[k] => c = k) = TRUE
  /\ Bound = "knowing" => (\A c \in Controller, k \in Controller : node_id[c] = node_id[k] => c = k) = TRUE
  /\ Bound = "two-of-three" => (\A c \in Controller, k \in Controller : node_id[c] = node_id[k] => c = k) = TRUE
  /\ Bound = "three" => (\A c \in Controller, k \in Controller : node_id[c] = node_id[k] => c = k) = TRUE
  /\ supports \in [Controller -> BOOLEAN]
  /\ (formatted => (\A k \in Controller : k \in configured => supports[k])) = TRUE
  /\ Bound = "tiny" => (\A c \in Controller : supports[c]) = TRUE
  /\ Bound = "directories" => (\A c \in Controller : supports[c]) = TRUE
  /\ Bound = "two-of-three" => (\A c \in Controller : supports[c]) = TRUE
  /\ Bound = "three" => (\A c \in Controller : supports[c]) = TRUE
  /\ auto_join \in [Controller -> BOOLEAN]
  /\ Bound = "tiny" => (\A c \in Controller : auto_join[c]) = TRUE
  /\ Bound = "directories" => (\A c \in Controller : auto_join[c] = (c = 2)) = TRUE
  /\ Bound = "static" => (\A c \in Controller : ~auto_join[c]) = TRUE
  /\ Bound = "knowing" => (\A c \in Controller : ~auto_join[c]) = TRUE
  /\ Bound = "two-of-three" => (\A c \in Controller : ~auto_join[c]) = TRUE
  /\ Bound = "three" => (\A c \in Controller : ~auto_join[c]) = TRUE

Rows ==
  \/ \E n \in Controller, e \in leader_epoch, q \in SUBSET Controller : VQ1(n, e, q)
  \/ \E c \in Controller, e \in leader_epoch, at_2 \in offset : VQ2(c, e, at_2)
  \/ \E n \in Controller :
       /\ leads[n]
       /\ \E at_2 \in offset :
            /\ epoch_start[epoch[n]] < at_2
            /\ high_watermark[epoch[n]] < at_2
            /\ at_2 <= log_end[epoch[n]]
            /\ majority_of_2(n, at_2) = TRUE
            /\ \/ VQ3(n, at_2)
               \/ VQ4(n, at_2)
  \/ \E n \in Controller :
       /\ leads[n]
       /\ \/ VQ5(n)
          \/ VK4(n)
  \/ \E c \in Controller, own \in BOOLEAN :
       /\ (own => joins[c]) = TRUE
       /\ \E n \in Controller, seen \in BOOLEAN :
            \/ VA1(n, c, own, seen)
            \/ VA2(n, c, own, seen)
            \/ VA3(n, c, own, seen)
            \/ VA4(n, c, own, seen)
            \/ VA5(n, c, own, seen)
            \/ VA6(n, c, own, seen)
            \/ VA7(n, c, own, seen)
            \/ VA8(n, c, own, seen)
  \/ \E c \in Controller, by \in Controller \union {None} :
       /\ (by # None => (\E k \in Controller : by = k /\ replaces[k] = c)) = TRUE
       /\ \E n \in Controller :
            \/ VR1(n, c, by)
            \/ VR2(n, c, by)
            \/ VR3(n, c, by)
            \/ VR4(n, c, by)
            \/ VR5(n, c, by)
            \/ VR6(n, c, by)
  \/ \E n \in Controller :
       /\ leads[n]
       /\ established(n) = TRUE
       /\ (~(dynamic(n) /\ pending(n))) = TRUE
       /\ \E c \in Controller :
            /\ (~(dynamic(n) /\ ~supports[c])) = TRUE
            /\ c \in latest(n)
            /\ \/ VU6(n, c)
               \/ VU7(n, c)
  \/ \E c \in Controller : VJ1(c)
  \/ \E c \in Controller, k \in Controller : VJ2(c, k)

Next == Rows \/ UNCHANGED vars

Spec == Init /\ [][Next]_vars

\* The guard of some row holds: unlike in ENABLED Rows, of one too that only a range disables.
SomeRowIsEnabled ==
  \/ \E n \in Controller, e \in leader_epoch, q \in SUBSET Controller : elects(q, n, e) = TRUE
  \/ \E c \in Controller, e \in leader_epoch, at_2 \in offset : VQ2_is_enabled(c, e, at_2)
  \/ \E n \in Controller :
       /\ leads[n]
       /\ \E at_2 \in offset :
            /\ epoch_start[epoch[n]] < at_2
            /\ high_watermark[epoch[n]] < at_2
            /\ at_2 <= log_end[epoch[n]]
            /\ majority_of_2(n, at_2) = TRUE
            /\ \/ VQ3_is_enabled(n, at_2)
               \/ VQ4_is_enabled(n, at_2)
  \/ \E n \in Controller :
       /\ leads[n]
       /\ \/ leads[n]
          \/ VK4_is_enabled(n)
  \/ \E c \in Controller, own \in BOOLEAN :
       /\ (own => joins[c]) = TRUE
       /\ \E n \in Controller, seen \in BOOLEAN :
            \/ VA1_is_enabled(n, c, own, seen)
            \/ VA2_is_enabled(n, c, own, seen)
            \/ VA3_is_enabled(n, c, own, seen)
            \/ VA4_is_enabled(n, c, own, seen)
            \/ VA5_is_enabled(n, c, own, seen)
            \/ VA6_is_enabled(n, c, own, seen)
            \/ VA7_is_enabled(n, c, own, seen)
            \/ VA8_is_enabled(n, c, own, seen)
  \/ \E c \in Controller, by \in Controller \union {None} :
       /\ (by # None => (\E k \in Controller : by = k /\ replaces[k] = c)) = TRUE
       /\ \E n \in Controller :
            \/ VR1_is_enabled(n, c, by)
            \/ VR2_is_enabled(n, c, by)
            \/ VR3_is_enabled(n, c, by)
            \/ VR4_is_enabled(n, c, by)
            \/ VR5_is_enabled(n, c, by)
            \/ VR6_is_enabled(n, c, by)
  \/ \E n \in Controller :
       /\ leads[n]
       /\ established(n) = TRUE
       /\ (~(dynamic(n) /\ pending(n))) = TRUE
       /\ \E c \in Controller :
            /\ (~(dynamic(n) /\ ~supports[c])) = TRUE
            /\ c \in latest(n)
            /\ \/ VU6_is_enabled(n, c)
               \/ VU7_is_enabled(n, c)
  \/ \E c \in Controller : VJ1_is_enabled(c)
  \/ \E c \in Controller, k \in Controller : VJ2_is_enabled(c, k)

\* One change at a time: where a log has a KRaftVoters, the leader that wrote it had committed every earlier one.
\* (KIP-853)
VP1 == \A e \in leader_epoch, o \in offset, p \in offset : (changes[e, o] /\ changes[e, p] /\ o < p /\ p < log_end[e])
  => o < high_watermark[wrote[e, p]]

\* A committed change is never undone: what was committed in an epoch is in the log of every later leader. (KIP-853,
\* KIP-595)
VP2 == \A d \in leader_epoch, e \in leader_epoch, o \in offset : (d <= e /\ leader_of[e] # None /\ o <
  high_watermark[d]) => (o < log_end[e] /\ wrote[e, o] = wrote[d, o])

\* What is in the log of an epoch stays there, and what it says. (KIP-595)
VP2s == [][\A e \in leader_epoch, o \in offset, k \in Controller : (o < log_end[e] /\ leader_of[e] # None) => ((o <
  log_end[e] /\ 0 <= high_watermark[e])' /\ wrote[e, o]' = wrote[e, o] /\ changes[e, o]' = changes[e, o] /\ (k \in
  At(voters, <<e, o + 1>>, {}))' = (k \in At(voters, <<e, o + 1>>, {})))]_vars

VP2s_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (\A e \in leader_epoch, o \in offset, k \in
  Controller : (o < log_end[e] /\ leader_of[e] # None) => (o < log_end[e] /\ 0 <= high_watermark[e] /\ wrote[e, o] =
  wrote[e, o] /\ changes[e, o] = changes[e, o] /\ (k \in At(voters, <<e, o + 1>>, {})) = (k \in At(voters, <<e, o + 1>>,
  {}))))

\* A high watermark never goes back. (KIP-595)
VP2h == [][\A e \in leader_epoch : high_watermark[e] <= high_watermark[e]']_vars

\* Two voter sets that follow one another in a log differ in one controller at most, so that a majority of the old one
\* and a majority of the new one have a voter in common. (KIP-853)
VP3 == \A e \in leader_epoch, s \in offset, c \in Controller, k \in Controller : (s < log_end[e] /\ (c \in
  voters_at_2(s, e)) # (c \in voters_at_3(s, e)) /\ (k \in voters_at_2(s, e)) # (k \in voters_at_3(s, e))) => c = k

\* A leader writes voters when it has committed a record of its own epoch, and every change that its log has. (KIP-853)
VP4 == [][(\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (VA8(n, c, own, seen)) =>
  (epoch_start[epoch[n]] < high_watermark[epoch[n]] /\ ~pending(n))) /\ (\A n \in Controller, c \in Controller, by \in
  Controller \union {None} : (VR6(n, c, by)) => (epoch_start[epoch[n]] < high_watermark[epoch[n]] /\ ~pending(n))) /\
  (\A n \in Controller, c \in Controller : (VU7(n, c)) => (epoch_start[epoch[n]] < high_watermark[epoch[n]] /\
  ~pending(n)))]_vars

VP4_where_nothing_changes == (\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (ENABLED
  (UNCHANGED vars /\ (VA8(n, c, own, seen)))) => (epoch_start[epoch[n]] < high_watermark[epoch[n]] /\ ~pending(n))) /\
  (\A n \in Controller, c \in Controller, by \in Controller \union {None} : (ENABLED (UNCHANGED vars /\ (VR6(n, c,
  by)))) => (epoch_start[epoch[n]] < high_watermark[epoch[n]] /\ ~pending(n))) /\ (\A n \in Controller, c \in Controller
  : (ENABLED (UNCHANGED vars /\ (VU7(n, c)))) => (epoch_start[epoch[n]] < high_watermark[epoch[n]] /\ ~pending(n)))

\* A voter is left when another one is removed. (KIP-853)
VP5 == [][(\A n \in Controller, c \in Controller, by \in Controller \union {None} : (VR6(n, c, by)) => (\E k \in
  Controller : (k \in voters_at_4(n))'))]_vars

VP5_where_nothing_changes == (\A n \in Controller, c \in Controller, by \in Controller \union {None} : (ENABLED
  (UNCHANGED vars /\ (VR6(n, c, by)))) => (\E k \in Controller : k \in voters_at_4(n)))

\* No node votes with two directories. (KIP-853)
VP6 == \A e \in leader_epoch, s \in offset, c \in Controller, k \in Controller : (s <= log_end[e] /\ c \in
  voters_at_2(s, e) /\ k \in voters_at_2(s, e) /\ node_id[c] = node_id[k]) => c = k

\* Voters change with kraft.version 1 only. (KIP-853)
VP7 == \A e \in leader_epoch, s \in offset, k \in Controller : (s < log_end[e] /\ (k \in voters_at_2(s, e)) # (k \in
  voters_at_3(s, e))) => has_level_2(s, e)

\* kraft.version is never lowered. (KIP-853)
VP7l == \A e \in leader_epoch, s \in offset : (s < log_end[e] /\ has_level_2(s, e)) => has_level_3(s, e)

\* With kraft.version 1 every voter knows it. (KIP-853, KAFKA-16538)
VP8 == \A e \in leader_epoch, s \in offset, k \in Controller : (s <= log_end[e] /\ has_level_2(s, e) /\ k \in
  voters_at_2(s, e)) => supports[k]

\* Nothing but an AddRaftVoter makes a controller a voter. (KIP-853)
VP9 == [][(\A n \in Controller, e \in leader_epoch, q \in SUBSET Controller : (VQ1(n, e, q)) => (\A e_2 \in
  leader_epoch, k \in Controller : (leader_of[e_2] # None /\ k \notin voters_at_5(e_2)) => (k \notin
  voters_at_5(e_2))')) /\ (\A c \in Controller, e \in leader_epoch, at_2 \in offset : (VQ2(c, e, at_2)) => (\A e_2 \in
  leader_epoch, k \in Controller : (leader_of[e_2] # None /\ k \notin voters_at_5(e_2)) => (k \notin
  voters_at_5(e_2))')) /\ (\A n \in Controller, at_2 \in offset : (VQ3(n, at_2) \/ VQ4(n, at_2)) => (\A e \in
  leader_epoch, k \in Controller : (leader_of[e] # None /\ k \notin voters_at_5(e)) => (k \notin voters_at_5(e))')) /\
  (\A n \in Controller : (VQ5(n) \/ VK4(n)) => (\A e \in leader_epoch, k \in Controller : (leader_of[e] # None /\ k
  \notin voters_at_5(e)) => (k \notin voters_at_5(e))')) /\ (\A n \in Controller, c \in Controller, own \in BOOLEAN,
  seen \in BOOLEAN : (VA1(n, c, own, seen) \/ VA2(n, c, own, seen) \/ VA3(n, c, own, seen) \/ VA4(n, c, own, seen) \/
  VA5(n, c, own, seen) \/ VA6(n, c, own, seen) \/ VA7(n, c, own, seen)) => (\A e \in leader_epoch, k \in Controller :
  (leader_of[e] # None /\ k \notin voters_at_5(e)) => (k \notin voters_at_5(e))')) /\ (\A n \in Controller, c \in
  Controller, by \in Controller \union {None} : (VR1(n, c, by) \/ VR2(n, c, by) \/ VR3(n, c, by) \/ VR4(n, c, by) \/
  VR5(n, c, by) \/ VR6(n, c, by)) => (\A e \in leader_epoch, k \in Controller : (leader_of[e] # None /\ k \notin
  voters_at_5(e)) => (k \notin voters_at_5(e))')) /\ (\A n \in Controller, c \in Controller : (VU6(n, c) \/ VU7(n, c))
  => (\A e \in leader_epoch, k \in Controller : (leader_of[e] # None /\ k \notin voters_at_5(e)) => (k \notin
  voters_at_5(e))')) /\ (\A c \in Controller : (VJ1(c)) => (\A e \in leader_epoch, k \in Controller : (leader_of[e] #
  None /\ k \notin voters_at_5(e)) => (k \notin voters_at_5(e))')) /\ (\A c \in Controller, k \in Controller : (VJ2(c,
  k)) => (\A e \in leader_epoch, k_2 \in Controller : (leader_of[e] # None /\ k_2 \notin voters_at_5(e)) => (k_2 \notin
  voters_at_5(e))'))]_vars

\* It makes that controller a voter, and no other. (KIP-853)
VP9o == [][(\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (VA8(n, c, own, seen)) => ((\A k
  \in Controller : (k \in voters_at_4(n))' = (k \in latest(n) \/ k = c)) /\ c \notin latest(n)))]_vars

VP9o_where_nothing_changes == (\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (ENABLED
  (UNCHANGED vars /\ (VA8(n, c, own, seen)))) => ((\A k \in Controller : (k \in voters_at_4(n)) = (k \in latest(n) \/ k
  = c)) /\ c \notin latest(n)))

\* Nothing but a RemoveRaftVoter takes a voter away. (KIP-853)
VP10 == [][(\A n \in Controller, e \in leader_epoch, q \in SUBSET Controller : (VQ1(n, e, q)) => (\A e_2 \in
  leader_epoch, k \in Controller : (leader_of[e_2] # None /\ k \in voters_at_5(e_2)) => (k \in voters_at_5(e_2))')) /\
  (\A c \in Controller, e \in leader_epoch, at_2 \in offset : (VQ2(c, e, at_2)) => (\A e_2 \in leader_epoch, k \in
  Controller : (leader_of[e_2] # None /\ k \in voters_at_5(e_2)) => (k \in voters_at_5(e_2))')) /\ (\A n \in Controller,
  at_2 \in offset : (VQ3(n, at_2) \/ VQ4(n, at_2)) => (\A e \in leader_epoch, k \in Controller : (leader_of[e] # None /\
  k \in voters_at_5(e)) => (k \in voters_at_5(e))')) /\ (\A n \in Controller : (VQ5(n) \/ VK4(n)) => (\A e \in
  leader_epoch, k \in Controller : (leader_of[e] # None /\ k \in voters_at_5(e)) => (k \in voters_at_5(e))')) /\ (\A n
  \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (VA1(n, c, own, seen) \/ VA2(n, c, own, seen) \/
  VA3(n, c, own, seen) \/ VA4(n, c, own, seen) \/ VA5(n, c, own, seen) \/ VA6(n, c, own, seen) \/ VA7(n, c, own, seen)
  \/ VA8(n, c, own, seen)) => (\A e \in leader_epoch, k \in Controller : (leader_of[e] # None /\ k \in voters_at_5(e))
  => (k \in voters_at_5(e))')) /\ (\A n \in Controller, c \in Controller, by \in Controller \union {None} : (VR1(n, c,
  by) \/ VR2(n, c, by) \/ VR3(n, c, by) \/ VR4(n, c, by) \/ VR5(n, c, by)) => (\A e \in leader_epoch, k \in Controller :
  (leader_of[e] # None /\ k \in voters_at_5(e)) => (k \in voters_at_5(e))')) /\ (\A n \in Controller, c \in Controller :
  (VU6(n, c) \/ VU7(n, c)) => (\A e \in leader_epoch, k \in Controller : (leader_of[e] # None /\ k \in voters_at_5(e))
  => (k \in voters_at_5(e))')) /\ (\A c \in Controller : (VJ1(c)) => (\A e \in leader_epoch, k \in Controller :
  (leader_of[e] # None /\ k \in voters_at_5(e)) => (k \in voters_at_5(e))')) /\ (\A c \in Controller, k \in Controller :
  (VJ2(c, k)) => (\A e \in leader_epoch, k_2 \in Controller : (leader_of[e] # None /\ k_2 \in voters_at_5(e)) => (k_2
  \in voters_at_5(e))'))]_vars

\* It takes that voter away, and no other. (KIP-853)
VP10o == [][(\A n \in Controller, c \in Controller, by \in Controller \union {None} : (VR6(n, c, by)) => ((\A k \in
  Controller : (k \in voters_at_4(n))' = (k \in latest(n) /\ k # c)) /\ c \in latest(n)))]_vars

VP10o_where_nothing_changes == (\A n \in Controller, c \in Controller, by \in Controller \union {None} : (ENABLED
  (UNCHANGED vars /\ (VR6(n, c, by)))) => ((\A k \in Controller : (k \in voters_at_4(n)) = (k \in latest(n) /\ k # c))
  /\ c \in latest(n)))

\* A controller that becomes a voter has all that the leader has, and the leader has seen it. (KIP-853)
VP11 == [][(\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (VA8(n, c, own, seen)) =>
  (follows[c] = epoch[n] /\ end[c] = log_end[epoch[n]] /\ seen))]_vars

VP11_where_nothing_changes == (\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (ENABLED
  (UNCHANGED vars /\ (VA8(n, c, own, seen)))) => (follows[c] = epoch[n] /\ end[c] = log_end[epoch[n]] /\ seen))

\* A leader is a voter, or its removal is not committed yet. (KIP-853)
VP12 == \A n \in Controller : (leads[n] /\ ~pending(n)) => n \in latest(n)

\* kraft.version is raised by a leader that knows of every voter that it knows the version, and with the voters in the
\* log. (KAFKA-16538)
VP13 == [][(\A n \in Controller : (VK4(n)) => (all_know(n) /\ ~dynamic(n) /\ established(n) /\ dynamic(n)' /\
  At(changes, <<epoch[n], log_end[epoch[n]] - 1>>, FALSE)'))]_vars

VP13_where_nothing_changes == (\A n \in Controller : (ENABLED (UNCHANGED vars /\ (VK4(n)))) => (all_know(n) /\
  ~dynamic(n) /\ established(n) /\ dynamic(n) /\ At(changes, <<epoch[n], log_end[epoch[n]] - 1>>, FALSE)))

\* A request that is refused changes no log. (KIP-853)
VP14 == [][(\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (VA1(n, c, own, seen) \/ VA2(n,
  c, own, seen) \/ VA3(n, c, own, seen) \/ VA4(n, c, own, seen) \/ VA5(n, c, own, seen) \/ VA6(n, c, own, seen) \/
  VA7(n, c, own, seen)) => ((\A e \in leader_epoch : log_end[e]' = log_end[e]) /\ (\A k \in Controller : epoch[k]' =
  epoch[k] /\ leads[k]' = leads[k]))) /\ (\A n \in Controller, c \in Controller, by \in Controller \union {None} :
  (VR1(n, c, by) \/ VR2(n, c, by) \/ VR3(n, c, by) \/ VR4(n, c, by) \/ VR5(n, c, by)) => ((\A e \in leader_epoch :
  log_end[e]' = log_end[e]) /\ (\A k \in Controller : epoch[k]' = epoch[k] /\ leads[k]' = leads[k])))]_vars

\* A controller without auto-join becomes a voter by an operator's request alone, however often it was removed.
\* (KIP-853)
VP15 == [][(\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (VA8(n, c, own, seen)) => (own =>
  auto_join[c]))]_vars

VP15_where_nothing_changes == (\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (ENABLED
  (UNCHANGED vars /\ (VA8(n, c, own, seen)))) => (own => auto_join[c]))

\* A removed voter does not come back by itself. (KAFKA-19850)
VP16 == [][(\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (VA8(n, c, own, seen)) => (own =>
  c \notin was_voter))]_vars

VP16_where_nothing_changes == (\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (ENABLED
  (UNCHANGED vars /\ (VA8(n, c, own, seen)))) => (own => c \notin was_voter))

\* A controller removes by itself the other directory of its own node, and nothing else. (KIP-853)
VP17 == [][(\A n \in Controller, c \in Controller, by \in Controller \union {None} : (VR6(n, c, by)) => (by # None =>
  (\E k \in Controller : by = k /\ node_id[k] = node_id[c] /\ k # c)))]_vars

VP17_where_nothing_changes == (\A n \in Controller, c \in Controller, by \in Controller \union {None} : (ENABLED
  (UNCHANGED vars /\ (VR6(n, c, by)))) => (by # None => (\E k \in Controller : by = k /\ node_id[k] = node_id[c] /\ k #
  c)))

\* A request of a controller's own is answered once. (KIP-853)
VP18 == [][(\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (VA1(n, c, own, seen) \/ VA2(n,
  c, own, seen) \/ VA3(n, c, own, seen) \/ VA4(n, c, own, seen) \/ VA5(n, c, own, seen) \/ VA6(n, c, own, seen) \/
  VA7(n, c, own, seen) \/ VA8(n, c, own, seen)) => (joins[c]' = (joins[c] /\ ~own)))]_vars

VP18_where_nothing_changes == (\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (ENABLED
  (UNCHANGED vars /\ (VA1(n, c, own, seen) \/ VA2(n, c, own, seen) \/ VA3(n, c, own, seen) \/ VA4(n, c, own, seen) \/
  VA5(n, c, own, seen) \/ VA6(n, c, own, seen) \/ VA7(n, c, own, seen) \/ VA8(n, c, own, seen)))) => (joins[c] =
  (joins[c] /\ ~own)))

\* So is its request to remove another directory. (KIP-853)
VP18r == [][(\A n \in Controller, c \in Controller, by \in Controller \union {None} : (VR1(n, c, by) \/ VR2(n, c, by) \/
  VR3(n, c, by) \/ VR4(n, c, by) \/ VR5(n, c, by) \/ VR6(n, c, by)) => (\A k \in Controller : by = k => (replaces[k] =
  None)'))]_vars

VP18r_where_nothing_changes == (\A n \in Controller, c \in Controller, by \in Controller \union {None} : (ENABLED
  (UNCHANGED vars /\ (VR1(n, c, by) \/ VR2(n, c, by) \/ VR3(n, c, by) \/ VR4(n, c, by) \/ VR5(n, c, by) \/ VR6(n, c,
  by)))) => (\A k \in Controller : by = k => replaces[k] = None))

\* NOT_LEADER_OR_FOLLOWER: it does not lead. (KIP-853)
VP19 == [][(\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (VA1(n, c, own, seen)) =>
  (~leads[n])) /\ (\A n \in Controller, c \in Controller, by \in Controller \union {None} : (VR1(n, c, by)) =>
  (~leads[n]))]_vars

VP19_where_nothing_changes == (\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (ENABLED
  (UNCHANGED vars /\ (VA1(n, c, own, seen)))) => (~leads[n])) /\ (\A n \in Controller, c \in Controller, by \in
  Controller \union {None} : (ENABLED (UNCHANGED vars /\ (VR1(n, c, by)))) => (~leads[n])) /\ (\A n \in Controller, c
  \in Controller : (VU1_is_enabled(n, c)) => (~leads[n]))

\* REQUEST_TIMED_OUT: nothing of the epoch is committed. (KIP-853)
VP20 == [][(\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (VA2(n, c, own, seen)) =>
  (leads[n] /\ high_watermark[epoch[n]] <= epoch_start[epoch[n]])) /\ (\A n \in Controller, c \in Controller, by \in
  Controller \union {None} : (VR2(n, c, by)) => (leads[n] /\ high_watermark[epoch[n]] <= epoch_start[epoch[n]]))]_vars

VP20_where_nothing_changes == (\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (ENABLED
  (UNCHANGED vars /\ (VA2(n, c, own, seen)))) => (leads[n] /\ high_watermark[epoch[n]] <= epoch_start[epoch[n]])) /\ (\A
  n \in Controller, c \in Controller, by \in Controller \union {None} : (ENABLED (UNCHANGED vars /\ (VR2(n, c, by)))) =>
  (leads[n] /\ high_watermark[epoch[n]] <= epoch_start[epoch[n]])) /\ (\A n \in Controller, c \in Controller :
  (VU2_is_enabled(n, c)) => (leads[n] /\ high_watermark[epoch[n]] <= epoch_start[epoch[n]]))

\* UNSUPPORTED_VERSION: kraft.version is 0. (KIP-853)
VP21 == [][(\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (VA3(n, c, own, seen)) =>
  (leads[n] /\ ~has_level_4(n))) /\ (\A n \in Controller, c \in Controller, by \in Controller \union {None} : (VR3(n, c,
  by)) => (leads[n] /\ ~has_level_4(n)))]_vars

VP21_where_nothing_changes == (\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (ENABLED
  (UNCHANGED vars /\ (VA3(n, c, own, seen)))) => (leads[n] /\ ~has_level_4(n))) /\ (\A n \in Controller, c \in
  Controller, by \in Controller \union {None} : (ENABLED (UNCHANGED vars /\ (VR3(n, c, by)))) => (leads[n] /\
  ~has_level_4(n)))

\* REQUEST_TIMED_OUT: a change is not committed yet. (KIP-853)
VP22 == [][(\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (VA4(n, c, own, seen)) =>
  (leads[n] /\ pending(n))) /\ (\A n \in Controller, c \in Controller, by \in Controller \union {None} : (VR4(n, c, by))
  => (leads[n] /\ pending(n)))]_vars

VP22_where_nothing_changes == (\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (ENABLED
  (UNCHANGED vars /\ (VA4(n, c, own, seen)))) => (leads[n] /\ pending(n))) /\ (\A n \in Controller, c \in Controller, by
  \in Controller \union {None} : (ENABLED (UNCHANGED vars /\ (VR4(n, c, by)))) => (leads[n] /\ pending(n))) /\ (\A n \in
  Controller, c \in Controller : (VU3_is_enabled(n, c)) => (leads[n] /\ pending(n)))

\* DUPLICATE_VOTER: the node is a voter. (KIP-853)
VP23 == [][(\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (VA5(n, c, own, seen)) => (\E k
  \in Controller : k \in latest(n) /\ node_id[k] = node_id[c]))]_vars

VP23_where_nothing_changes == (\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (ENABLED
  (UNCHANGED vars /\ (VA5(n, c, own, seen)))) => (\E k \in Controller : k \in latest(n) /\ node_id[k] = node_id[c]))

\* INVALID_REQUEST: the controller does not know the version. (KIP-853)
VP24 == [][(\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (VA6(n, c, own, seen)) =>
  (~supports[c] /\ dynamic(n)))]_vars

VP24_where_nothing_changes == (\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (ENABLED
  (UNCHANGED vars /\ (VA6(n, c, own, seen)))) => (~supports[c] /\ dynamic(n))) /\ (\A n \in Controller, c \in Controller
  : (VU4_is_enabled(n, c)) => (~supports[c] /\ dynamic(n)))

\* REQUEST_TIMED_OUT: the leader has not seen that the controller has all. (KIP-853)
VP25 == [][(\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (VA7(n, c, own, seen)) => (~seen
  \/ follows[c] # epoch[n] \/ end[c] < log_end[epoch[n]]))]_vars

VP25_where_nothing_changes == (\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (ENABLED
  (UNCHANGED vars /\ (VA7(n, c, own, seen)))) => (~seen \/ follows[c] # epoch[n] \/ end[c] < log_end[epoch[n]]))

\* VOTER_NOT_FOUND: it is no voter, or the only one. (KIP-853)
VP26 == [][(\A n \in Controller, c \in Controller, by \in Controller \union {None} : (VR5(n, c, by)) => (c \notin
  latest(n) \/ latest(n) = {c}))]_vars

VP26_where_nothing_changes == (\A n \in Controller, c \in Controller, by \in Controller \union {None} : (ENABLED
  (UNCHANGED vars /\ (VR5(n, c, by)))) => (c \notin latest(n) \/ latest(n) = {c}))

\* VOTER_NOT_FOUND: it is no voter. (KIP-853)
VP26u == [][TRUE]_vars

VP26u_where_nothing_changes == (\A n \in Controller, c \in Controller : (VU5_is_enabled(n, c)) => (c \notin latest(n)))

\* INVALID_UPDATE_VERSION: a voter may not know the version. (KAFKA-16538)
VP27 == [][TRUE]_vars

VP27_where_nothing_changes == (\A n \in Controller : (VK3_is_enabled(n)) => (\E k \in Controller : k \in latest(n) /\
  ~told[epoch[n], k] /\ ~(k = n /\ supports[k])))

\* With kraft.version 0 a voter's update is remembered. (KAFKA-16538)
VP28 == [][(\A n \in Controller, c \in Controller : (VU6(n, c)) => (c \in latest(n) /\ ~dynamic(n) /\ told[epoch[n], c]'
  = supports[c]))]_vars

VP28_where_nothing_changes == (\A n \in Controller, c \in Controller : (ENABLED (UNCHANGED vars /\ (VU6(n, c)))) => (c
  \in latest(n) /\ ~dynamic(n) /\ told[epoch[n], c] = supports[c]))

\* A leader that resigns leads no more. (KIP-595)
VP29 == [][(\A n \in Controller : (VQ5(n)) => (leads[n] /\ ~leads[n]'))]_vars

VP29_where_nothing_changes == (\A n \in Controller : (ENABLED (UNCHANGED vars /\ (VQ5(n)))) => (leads[n] /\ ~leads[n]))

\* A commit raises the high watermark. (KIP-595)
VP30 == [][(\A n \in Controller, at_2 \in offset : (VQ3(n, at_2) \/ VQ4(n, at_2)) => (high_watermark[epoch[n]]' = at_2
  /\ high_watermark[epoch[n]] < at_2))]_vars

VP30_where_nothing_changes == (\A n \in Controller, at_2 \in offset : (ENABLED (UNCHANGED vars /\ (VQ3(n, at_2) \/
  VQ4(n, at_2)))) => (high_watermark[epoch[n]] = at_2 /\ high_watermark[epoch[n]] < at_2))

\* No other request is answered with it. (KIP-853)
VP31 == [][(\A n \in Controller, c \in Controller, by \in Controller \union {None} : (VR1(n, c, by) \/ VR2(n, c, by) \/
  VR3(n, c, by) \/ VR4(n, c, by) \/ VR5(n, c, by) \/ VR6(n, c, by)) => (\A k \in Controller : by # k => replaces[k]' =
  replaces[k]))]_vars

\* Who is removed was a voter. (KIP-853)
VP32 == [][(\A n \in Controller, c \in Controller, by \in Controller \union {None} : (VR6(n, c, by)) => (\A k \in
  Controller : (k \in was_voter)' = (k \in was_voter \/ k = c)))]_vars

VP32_where_nothing_changes == (\A n \in Controller, c \in Controller, by \in Controller \union {None} : (ENABLED
  (UNCHANGED vars /\ (VR6(n, c, by)))) => (\A k \in Controller : (k \in was_voter) = (k \in was_voter \/ k = c)))

\* A controller asks to join where its log has no voter of its node. (KIP-853)
VP33 == [][(\A c \in Controller : (VJ1(c)) => (joins[c]' /\ ~(\E k \in Controller : k \in voters_at(c) /\ node_id[k] =
  node_id[c])))]_vars

VP33_where_nothing_changes == (\A c \in Controller : (ENABLED (UNCHANGED vars /\ (VJ1(c)))) => (joins[c] /\ ~(\E k \in
  Controller : k \in voters_at(c) /\ node_id[k] = node_id[c])))

\* A controller asks to remove a voter that its log has. (KIP-853)
VP34 == [][(\A c \in Controller, k \in Controller : (VJ2(c, k)) => ((replaces[c] = k)' /\ k \in voters_at(c)))]_vars

VP34_where_nothing_changes == (\A c \in Controller, k \in Controller : (ENABLED (UNCHANGED vars /\ (VJ2(c, k)))) =>
  (replaces[c] = k /\ k \in voters_at(c)))

\* Only a follower with auto-join asks, whose log has kraft.version 1. (KIP-853)
VP35 == [][(\A c \in Controller : (VJ1(c)) => (auto_join[c] /\ ~leads[c] /\ (IF end[c] = 0 THEN formatted ELSE
  level[follows[c], end[c]]))) /\ (\A c \in Controller, k \in Controller : (VJ2(c, k)) => (auto_join[c] /\ ~leads[c] /\
  (IF end[c] = 0 THEN formatted ELSE level[follows[c], end[c]])))]_vars

VP35_where_nothing_changes == (\A c \in Controller : (ENABLED (UNCHANGED vars /\ (VJ1(c)))) => (auto_join[c] /\
  ~leads[c] /\ (IF end[c] = 0 THEN formatted ELSE level[follows[c], end[c]]))) /\ (\A c \in Controller, k \in Controller
  : (ENABLED (UNCHANGED vars /\ (VJ2(c, k)))) => (auto_join[c] /\ ~leads[c] /\ (IF end[c] = 0 THEN formatted ELSE
  level[follows[c], end[c]])))

\* All else is checked once a record of the leader's epoch is committed. (KIP-853)
VP36 == [][(\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (VA3(n, c, own, seen) \/ VA4(n,
  c, own, seen) \/ VA5(n, c, own, seen) \/ VA6(n, c, own, seen) \/ VA7(n, c, own, seen)) => (established(n))) /\ (\A n
  \in Controller, c \in Controller, by \in Controller \union {None} : (VR3(n, c, by) \/ VR4(n, c, by) \/ VR5(n, c, by))
  => (established(n))) /\ (\A n \in Controller, c \in Controller : (VU6(n, c)) => (established(n))) /\ (\A n \in
  Controller : (VK4(n)) => (established(n)))]_vars

VP36_where_nothing_changes == (\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (ENABLED
  (UNCHANGED vars /\ (VA3(n, c, own, seen) \/ VA4(n, c, own, seen) \/ VA5(n, c, own, seen) \/ VA6(n, c, own, seen) \/
  VA7(n, c, own, seen)))) => (established(n))) /\ (\A n \in Controller, c \in Controller, by \in Controller \union
  {None} : (ENABLED (UNCHANGED vars /\ (VR3(n, c, by) \/ VR4(n, c, by) \/ VR5(n, c, by)))) => (established(n))) /\ (\A n
  \in Controller, c \in Controller : (ENABLED (UNCHANGED vars /\ (VU6(n, c)))) => (established(n))) /\ (\A n \in
  Controller : (ENABLED (UNCHANGED vars /\ (VK4(n)))) => (established(n))) /\ (\A n \in Controller, c \in Controller :
  (VU3_is_enabled(n, c)) => (established(n))) /\ (\A n \in Controller, c \in Controller : (VU4_is_enabled(n, c)) =>
  (established(n))) /\ (\A n \in Controller, c \in Controller : (VU5_is_enabled(n, c)) => (established(n))) /\ (\A n \in
  Controller : (VK2_is_enabled(n)) => (established(n))) /\ (\A n \in Controller : (VK3_is_enabled(n)) =>
  (established(n)))

\* Then, whether kraft.version is 1. (KIP-853)
VP37 == [][(\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (VA4(n, c, own, seen) \/ VA5(n,
  c, own, seen) \/ VA6(n, c, own, seen) \/ VA7(n, c, own, seen) \/ VA8(n, c, own, seen)) => (dynamic(n))) /\ (\A n \in
  Controller, c \in Controller, by \in Controller \union {None} : (VR4(n, c, by) \/ VR5(n, c, by) \/ VR6(n, c, by)) =>
  (dynamic(n))) /\ (\A n \in Controller, c \in Controller : (VU7(n, c)) => (dynamic(n)))]_vars

VP37_where_nothing_changes == (\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (ENABLED
  (UNCHANGED vars /\ (VA4(n, c, own, seen) \/ VA5(n, c, own, seen) \/ VA6(n, c, own, seen) \/ VA7(n, c, own, seen) \/
  VA8(n, c, own, seen)))) => (dynamic(n))) /\ (\A n \in Controller, c \in Controller, by \in Controller \union {None} :
  (ENABLED (UNCHANGED vars /\ (VR4(n, c, by) \/ VR5(n, c, by) \/ VR6(n, c, by)))) => (dynamic(n))) /\ (\A n \in
  Controller, c \in Controller : (ENABLED (UNCHANGED vars /\ (VU7(n, c)))) => (dynamic(n))) /\ (\A n \in Controller, c
  \in Controller : (VU3_is_enabled(n, c)) => (dynamic(n))) /\ (\A n \in Controller : (VK2_is_enabled(n)) =>
  (dynamic(n)))

\* Then, whether a change is not committed. (KIP-853)
VP38 == [][(\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (VA5(n, c, own, seen) \/ VA6(n,
  c, own, seen) \/ VA7(n, c, own, seen)) => (dynamic(n) => ~pending(n))) /\ (\A n \in Controller, c \in Controller, by
  \in Controller \union {None} : (VR5(n, c, by)) => (dynamic(n) => ~pending(n)))]_vars

VP38_where_nothing_changes == (\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (ENABLED
  (UNCHANGED vars /\ (VA5(n, c, own, seen) \/ VA6(n, c, own, seen) \/ VA7(n, c, own, seen)))) => (dynamic(n) =>
  ~pending(n))) /\ (\A n \in Controller, c \in Controller, by \in Controller \union {None} : (ENABLED (UNCHANGED vars /\
  (VR5(n, c, by)))) => (dynamic(n) => ~pending(n))) /\ (\A n \in Controller, c \in Controller : (VU4_is_enabled(n, c))
  => (dynamic(n) => ~pending(n))) /\ (\A n \in Controller, c \in Controller : (VU5_is_enabled(n, c)) => (dynamic(n) =>
  ~pending(n)))

\* Then, whether the node is a voter. (KIP-853)
VP39 == [][(\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (VA6(n, c, own, seen) \/ VA7(n,
  c, own, seen)) => (~(\E k \in Controller : k \in latest(n) /\ node_id[k] = node_id[c])))]_vars

VP39_where_nothing_changes == (\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (ENABLED
  (UNCHANGED vars /\ (VA6(n, c, own, seen) \/ VA7(n, c, own, seen)))) => (~(\E k \in Controller : k \in latest(n) /\
  node_id[k] = node_id[c])))

\* Then, whether the controller knows the version. (KIP-853)
VP40 == [][(\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (VA7(n, c, own, seen) \/ VA8(n,
  c, own, seen)) => (dynamic(n) => supports[c])) /\ (\A n \in Controller, c \in Controller : (VU7(n, c)) => (dynamic(n)
  => supports[c]))]_vars

VP40_where_nothing_changes == (\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (ENABLED
  (UNCHANGED vars /\ (VA7(n, c, own, seen) \/ VA8(n, c, own, seen)))) => (dynamic(n) => supports[c])) /\ (\A n \in
  Controller, c \in Controller : (ENABLED (UNCHANGED vars /\ (VU7(n, c)))) => (dynamic(n) => supports[c])) /\ (\A n \in
  Controller, c \in Controller : (VU5_is_enabled(n, c)) => (dynamic(n) => supports[c]))

\* An upgrade is checked against what voters know only where it raises the version. (KAFKA-16538)
VP41 == [][TRUE]_vars

VP41_where_nothing_changes == (\A n \in Controller : (VK3_is_enabled(n)) => (~dynamic(n)))

\* A controller's epoch never goes back. (KIP-595)
VP42 == [][\A k \in Controller : epoch[k] <= epoch[k]']_vars

\* An election is between those that vote in it: they know its epoch, and one leads. (KIP-595)
VP43 == [][(\A n \in Controller, e \in leader_epoch, q \in SUBSET Controller : (VQ1(n, e, q)) => (\A k \in Controller :
  IF k \in q THEN epoch[k]' = e /\ leads[k]' = (k = n) ELSE epoch[k]' = epoch[k] /\ leads[k]' = leads[k]))]_vars

VP43_where_nothing_changes == (\A n \in Controller, e \in leader_epoch, q \in SUBSET Controller : (ENABLED (UNCHANGED
  vars /\ (VQ1(n, e, q)))) => (\A k \in Controller : IF k \in q THEN epoch[k] = e /\ leads[k] = (k = n) ELSE epoch[k] =
  epoch[k] /\ leads[k] = leads[k]))

\* A voter votes for no controller whose log is behind its own: by the epoch of the last record, then by the end.
\* (KIP-595)
VP44 == [][(\A n \in Controller, e \in leader_epoch, q \in SUBSET Controller : (VQ1(n, e, q)) => (\A k \in Controller :
  (k \in q /\ 0 < end[k]) => (0 < end[n] /\ (IF At(wrote, <<follows[k], end[k] - 1>>, 0) = At(wrote, <<follows[n],
  end[n] - 1>>, 0) THEN end[k] <= end[n] ELSE At(wrote, <<follows[k], end[k] - 1>>, 0) < At(wrote, <<follows[n], end[n]
  - 1>>, 0)))))]_vars

VP44_where_nothing_changes == (\A n \in Controller, e \in leader_epoch, q \in SUBSET Controller : (ENABLED (UNCHANGED
  vars /\ (VQ1(n, e, q)))) => (\A k \in Controller : (k \in q /\ 0 < end[k]) => (0 < end[n] /\ (IF At(wrote,
  <<follows[k], end[k] - 1>>, 0) = At(wrote, <<follows[n], end[n] - 1>>, 0) THEN end[k] <= end[n] ELSE At(wrote,
  <<follows[k], end[k] - 1>>, 0) < At(wrote, <<follows[n], end[n] - 1>>, 0)))))

\* A fetch is from another controller, and takes no record away that the leader's log has. (KIP-595)
VP45 == [][(\A c \in Controller, e \in leader_epoch, at_2 \in offset : (VQ2(c, e, at_2)) => (leader_of[e] # c /\ (\A o
  \in offset : (o < end[c] /\ o < log_end[e] /\ wrote[follows[c], o] = wrote[e, o]) => o < end[c]')))]_vars

VP45_where_nothing_changes == (\A c \in Controller, e \in leader_epoch, at_2 \in offset : (ENABLED (UNCHANGED vars /\
  (VQ2(c, e, at_2)))) => (leader_of[e] # c /\ (\A o \in offset : (o < end[c] /\ o < log_end[e] /\ wrote[follows[c], o] =
  wrote[e, o]) => o < end[c])))

\* VB4 is about all voters that have what is committed. (KIP-853)
VP46 == [][(\A n \in Controller, at_2 \in offset : (VQ3(n, at_2) \/ VQ4(n, at_2)) => (\A k \in Controller : (k \in
  committed_by)' = (k \in latest(n) /\ follows[k] = epoch[n] /\ at_2 <= end[k])))]_vars

VP46_where_nothing_changes == (\A n \in Controller, at_2 \in offset : (ENABLED (UNCHANGED vars /\ (VQ3(n, at_2) \/
  VQ4(n, at_2)))) => (\A k \in Controller : (k \in committed_by) = (k \in latest(n) /\ follows[k] = epoch[n] /\ at_2 <=
  end[k])))

\* A leader resigns at a commit where it is no voter, and with this every change is committed. (KIP-853)
VP47 == [][(\A n \in Controller, at_2 \in offset : (VQ4(n, at_2)) => (n \notin latest(n) /\ (\A o \in offset :
  changes[epoch[n], o] => o < high_watermark[epoch[n]]') /\ ~leads[n]'))]_vars

VP47_where_nothing_changes == (\A n \in Controller, at_2 \in offset : (ENABLED (UNCHANGED vars /\ (VQ4(n, at_2)))) => (n
  \notin latest(n) /\ (\A o \in offset : changes[epoch[n], o] => o < high_watermark[epoch[n]]) /\ ~leads[n]))

\* New voters are a KRaftVoters in the log. (KIP-853)
VP48 == [][(\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (VA8(n, c, own, seen)) =>
  (At(changes, <<epoch[n], log_end[epoch[n]] - 1>>, FALSE)')) /\ (\A n \in Controller, c \in Controller, by \in
  Controller \union {None} : (VR6(n, c, by)) => (At(changes, <<epoch[n], log_end[epoch[n]] - 1>>, FALSE)')) /\ (\A n \in
  Controller, c \in Controller : (VU7(n, c)) => (At(changes, <<epoch[n], log_end[epoch[n]] - 1>>, FALSE)')) /\ (\A n \in
  Controller : (VK4(n)) => (At(changes, <<epoch[n], log_end[epoch[n]] - 1>>, FALSE)'))]_vars

VP48_where_nothing_changes == (\A n \in Controller, c \in Controller, own \in BOOLEAN, seen \in BOOLEAN : (ENABLED
  (UNCHANGED vars /\ (VA8(n, c, own, seen)))) => (At(changes, <<epoch[n], log_end[epoch[n]] - 1>>, FALSE))) /\ (\A n \in
  Controller, c \in Controller, by \in Controller \union {None} : (ENABLED (UNCHANGED vars /\ (VR6(n, c, by)))) =>
  (At(changes, <<epoch[n], log_end[epoch[n]] - 1>>, FALSE))) /\ (\A n \in Controller, c \in Controller : (ENABLED
  (UNCHANGED vars /\ (VU7(n, c)))) => (At(changes, <<epoch[n], log_end[epoch[n]] - 1>>, FALSE))) /\ (\A n \in Controller
  : (ENABLED (UNCHANGED vars /\ (VK4(n)))) => (At(changes, <<epoch[n], log_end[epoch[n]] - 1>>, FALSE)))

\* A change is committed. (KIP-853)
\* TLC is asked that this never holds; a violation is the witness.
VX1 == ~(\E e \in leader_epoch, o \in offset : changes[e, o] /\ 0 < o /\ o < high_watermark[e])

\* A voter is removed. (KIP-853)
\* TLC is asked that this never holds; a violation is the witness.
VX2 == ~(\E c \in Controller : c \in was_voter /\ (\E n \in Controller : leads[n] /\ ~pending(n) /\ c \notin latest(n)))

\* A leader leads that is no voter any more. (KIP-853)
\* TLC is asked that this never holds; a violation is the witness.
VX3 == ~(\E n \in Controller : leads[n] /\ n \notin latest(n))

\* The removal of a leader is committed. (KIP-853)
\* TLC is asked that this never holds; a violation is the witness.
VX4 == ~(\E e \in leader_epoch, n \in Controller : leader_of[e] = n /\ n \notin voters[e, log_end[e]] /\ ~(\E o \in
  offset : changes[e, o] /\ high_watermark[e] <= o))

\* For VL3: nothing is there of epochs to come.
VL1 == \A e \in leader_epoch : (raft_epoch < e \/ e = 0) => (log_end[e] = 0 /\ epoch_start[e] = 0 /\ leader_of[e] = None
  /\ high_watermark[e] = 0)

\* For VL3: a record is in the log of the epoch in which it was written.
VL2 == \A e \in leader_epoch, o \in offset : o < log_end[e] => (1 <= wrote[e, o] /\ wrote[e, o] <= e /\ o <
  log_end[wrote[e, o]])

\* For VL3: as written in it.
VL2w == \A e \in leader_epoch, o \in offset : o < log_end[e] => wrote[wrote[e, o], o] = wrote[e, o]

\* For VP1: logs that share a record share all before it.
VL3 == \A d \in leader_epoch, e \in leader_epoch, o \in offset, p \in offset : (o < log_end[d] /\ o < log_end[e] /\
  wrote[d, o] = wrote[e, o] /\ p <= o) => (wrote[d, p] = wrote[e, p] /\ changes[d, p] = changes[e, p] /\ At(level, <<d,
  p + 1>>, FALSE) = At(level, <<e, p + 1>>, FALSE))

\* For VP3: and the voters.
VL3v == \A d \in leader_epoch, e \in leader_epoch, o \in offset, p \in offset, k \in Controller : (o < log_end[d] /\ o <
  log_end[e] /\ wrote[d, o] = wrote[e, o] /\ p <= o) => (k \in At(voters, <<d, p + 1>>, {})) = (k \in At(voters, <<e, p
  + 1>>, {}))

\* For VL5: a controller has what there is.
VL4 == \A c \in Controller : end[c] <= log_end[follows[c]] /\ follows[c] <= epoch[c] /\ epoch[c] <= raft_epoch

\* For VP2: a leader has the log of its epoch.
VL5 == \A n \in Controller : leads[n] => (leader_of[epoch[n]] = n /\ follows[n] = epoch[n] /\ end[n] = log_end[epoch[n]]
  /\ 1 <= epoch[n])

\* For VP2: what is committed is in the log.
VL6 == \A e \in leader_epoch : high_watermark[e] <= log_end[e] /\ (0 < high_watermark[e] => epoch_start[e] <
  high_watermark[e]) /\ (leader_of[e] # None => epoch_start[e] < log_end[e])

\* For VP1: from where an epoch began on its leader wrote.
VL7 == \A e \in leader_epoch, o \in offset : (o < log_end[e] /\ epoch_start[e] <= o) => wrote[e, o] = e

\* For VP1: voters come with kraft.version 1, which stays.
VL8 == \A e \in leader_epoch, o \in offset, s \in offset : (o < s /\ s <= log_end[e] /\ changes[e, o]) => level[e, s]

\* For VP1: no log has a KRaftVoters beyond its end.
VL8c == \A e \in leader_epoch, o \in offset : changes[e, o] => o < log_end[e]

\* For VP8: what a leader was notified of holds.
VL9 == \A e \in leader_epoch, c \in Controller : told[e, c] => supports[c]

\* For VP15: who asks has auto-join.
VL10 == \A c \in Controller : joins[c] => auto_join[c]

\* For VP17: who asks asks for its own node.
VL11 == \A c \in Controller, k \in Controller : replaces[c] = k => (node_id[k] = node_id[c] /\ k # c)

\* No epoch has two leaders, and none begins after a later one. (KIP-595)
VB1 == [][(\A n \in Controller, e \in leader_epoch, q \in SUBSET Controller : (VQ1(n, e, q)) => (raft_epoch < e /\ 0 <
  e))]_vars

VB1_where_nothing_changes == (\A n \in Controller, e \in leader_epoch, q \in SUBSET Controller : (ENABLED (UNCHANGED
  vars /\ (VQ1(n, e, q)))) => (raft_epoch < e /\ 0 < e))

\* The log with which a leader begins has all that is committed: of the majority that elects one has it. (KIP-595,
\* KIP-853)
VB2 == [][(\A n \in Controller, e \in leader_epoch, q \in SUBSET Controller : (VQ1(n, e, q)) => (\A d \in leader_epoch :
  has_log(d, n)))]_vars

VB2_where_nothing_changes == (\A n \in Controller, e \in leader_epoch, q \in SUBSET Controller : (ENABLED (UNCHANGED
  vars /\ (VQ1(n, e, q)))) => (\A d \in leader_epoch : has_log(d, n)))

\* What an earlier leader commits late is in the logs of the later ones: it was when they were elected. (KIP-595)
VB3 == [][(\A n \in Controller, at_2 \in offset : (VQ3(n, at_2) \/ VQ4(n, at_2)) => (\A d \in leader_epoch : epoch[n] <
  d => (leader_of[d] = None \/ has_log_2(at_2, d, n))))]_vars

VB3_where_nothing_changes == (\A n \in Controller, at_2 \in offset : (ENABLED (UNCHANGED vars /\ (VQ3(n, at_2) \/ VQ4(n,
  at_2)))) => (\A d \in leader_epoch : epoch[n] < d => (leader_of[d] = None \/ has_log_2(at_2, d, n))))

\* The majority that elects and the majority that committed last have a voter in common. (KIP-853)
VB4 == [][(\A n \in Controller, e \in leader_epoch, q \in SUBSET Controller : (VQ1(n, e, q)) => ((\E k \in Controller :
  k \in committed_by) => (\E k \in Controller : k \in committed_by /\ k \in q)))]_vars

VB4_where_nothing_changes == (\A n \in Controller, e \in leader_epoch, q \in SUBSET Controller : (ENABLED (UNCHANGED
  vars /\ (VQ1(n, e, q)))) => ((\E k \in Controller : k \in committed_by) => (\E k \in Controller : k \in committed_by
  /\ k \in q)))

\* What is committed a majority of the voters has, those that the leader's log has last. (KIP-595, KIP-853)
VB5 == [][(\A n \in Controller, at_2 \in offset : (VQ3(n, at_2) \/ VQ4(n, at_2)) => (majority_of_3(n)))]_vars

VB5_where_nothing_changes == (\A n \in Controller, at_2 \in offset : (ENABLED (UNCHANGED vars /\ (VQ3(n, at_2) \/ VQ4(n,
  at_2)))) => (~(Cardinality(latest(n) \ {k \in Controller : k \in latest(n) /\ follows[k] = epoch[n] /\
  high_watermark[epoch[n]] <= end[k]}) >= Cardinality({k \in Controller : k \in latest(n) /\ follows[k] = epoch[n] /\
  high_watermark[epoch[n]] <= end[k]}))))

\* Where no controller leads, one can be elected. (KIP-853)
VB6 == (\E n \in Controller : leads[n]) \/ (\E n \in Controller : n \in voters_at(n) /\ majority_of_4(n))
================================================================================
