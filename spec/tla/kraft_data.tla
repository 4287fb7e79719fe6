------------------------------ MODULE kraft_data -------------------------------
\* kraft-data: Replication of one partition of kraft: a record acknowledged with acks=all survives, short of an unclean
\* election.
\* Made from the tables of kraft-data 3bc34281d90e; not to be edited.
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS Maxpartition_epoch, NumberBroker, Maxleader_epoch, Maxconfiguration, Maxsize, Maxbroker_epoch, Maxoffset,
  Bound, None

partition_epoch_2 == 0..Maxpartition_epoch
Broker == 0..(NumberBroker - 1)
leader_epoch == 0..Maxleader_epoch
configuration == 1..Maxconfiguration
size == 1..Maxsize
broker_epoch_2 == 0..Maxbroker_epoch
offset == 0..Maxoffset

At(f, k, initial) == IF k \in DOMAIN f THEN f[k] ELSE initial
Pick(S) == CHOOSE x \in S : TRUE
Put(f, updates) == [k \in DOMAIN f |-> LET u == {x \in updates : x.at = k} IN IF u = {} THEN f[k] ELSE Pick(u).to]
PutCell(value, updates) == IF updates = {} THEN value ELSE Pick(updates)

VARIABLES partition_epoch, leader_at, epoch_at, isr_at, elr_at, first_config, config, last_config, was_enough,
  min_isr_in, unclean_at, elected_in, crashed, broker_epoch, known_epoch, truncated, alter_sent, proposed_under,
  proposed_isr, proposed_broker_epoch, alter_refused, leader_of, epoch_start, log_end, leader_end, leader_log, log,
  known_partition_epoch, known_isr, known_config, proposing, fetch_broker_epoch, fetch_offset, fetched,
  fetched_broker_epoch, high_watermark, first_high_watermark

vars == <<partition_epoch, leader_at, epoch_at, isr_at, elr_at, first_config, config, last_config, was_enough,
  min_isr_in, unclean_at, elected_in, crashed, broker_epoch, known_epoch, truncated, alter_sent, proposed_under,
  proposed_isr, proposed_broker_epoch, alter_refused, leader_of, epoch_start, log_end, leader_end, leader_log, log,
  known_partition_epoch, known_isr, known_config, proposing, fetch_broker_epoch, fetch_offset, fetched,
  fetched_broker_epoch, high_watermark, first_high_watermark>>

partition_epoch_and_others == <<partition_epoch, leader_at, epoch_at, isr_at, elr_at, first_config>>

Given_ElectUncleanly(g) == CASE Bound = "tiny" -> FALSE [] Bound = "members" -> FALSE [] Bound = "records" -> FALSE []
  Bound = "minimum" -> FALSE [] Bound = "restarts" -> FALSE [] Bound = "configurations" -> FALSE [] OTHER -> TRUE

Given_RegisterUncleanlyElectsUncleanly(b, g, read) == CASE Bound = "tiny" -> FALSE [] Bound = "members" -> FALSE []
  Bound = "records" -> FALSE [] Bound = "minimum" -> FALSE [] Bound = "restarts" -> FALSE [] Bound = "configurations" ->
  FALSE [] OTHER -> TRUE

min_isr == min_isr_in[config]

leader_epoch_2 == epoch_at[partition_epoch]

isr == isr_at[partition_epoch]

leader == leader_at[partition_epoch]

elr == elr_at[partition_epoch]

eligible(b) == IF Cardinality(isr \ {b}) >= min_isr THEN {} ELSE ((elr \union isr) \ (isr \ {b})) \ {}

eligible_2 == IF Cardinality(isr \ ({leader} \ {None})) >= min_isr THEN {} ELSE ((elr \union isr) \ (isr \ ({leader} \
  {None}))) \ {}

eligible_3(b) == IF Cardinality(isr \ {b}) >= min_isr THEN {} ELSE ((elr \union isr) \ (isr \ {b})) \ {b}

in_flight(e) == alter_sent[e] /\ e = leader_epoch_2 /\ proposed_under[e] = partition_epoch

none_restarted(e) == \A x \in Broker : x \in proposed_isr[e] => (x \in isr \/ proposed_broker_epoch[e, x] =
  broker_epoch[x])

eligible_4(e) == IF Cardinality(proposed_isr[e]) >= min_isr THEN {} ELSE ((elr \union isr) \ proposed_isr[e]) \ {}

leads(v, b) == leader_of[epoch_at[v]] = b /\ known_epoch[b] = epoch_at[v] /\ ~crashed[b]

leads_2(e, b) == leader_of[e] = b /\ known_epoch[b] = e /\ ~crashed[b]

enough(e) == Cardinality(known_isr[e]) >= min_isr_in[known_config[e]]

all_have(e, b, n) == \A x \in Broker : (x \in known_isr[e] \/ (proposing[e] /\ x \in proposed_isr[e])) => (x = b \/ n <=
  fetched[e, x])

begins(f, e) == known_epoch[f] = e /\ leader_of[e] # None /\ ~truncated[f] /\ ~crashed[f]

last(f) == At(log, <<f, log_end[f] - 1>>, 0)

answered_epoch(e, k, asked) == (\A i \in offset : i < leader_end[e] => (leader_log[e, i] <= k \/ asked < leader_log[e,
  i])) /\ (k = 0 \/ (\E i \in offset : i < leader_end[e] /\ leader_log[e, i] = k))

knows_answered(f, k) == \E o \in offset : o < log_end[f] /\ log[f, o] = k

cut_at(f, n, k, e, asked) == \A i \in offset : i < log_end[f] => (i < n) = (log[f, i] <= k /\ (~knows_answered(f, k) \/
  (i < leader_end[e] /\ leader_log[e, i] <= asked)))

agrees(f, e) == log_end[f] = 0 \/ (log_end[f] <= leader_end[e] /\ At(leader_log, <<e, log_end[f] - 1>>, 0) <= last(f) /\
  (\E i \in offset : i < leader_end[e] /\ leader_log[e, i] = last(f)))

\* The controller writes a partition change, under the next partition epoch: leader, leader epoch, ISR, ELR.
change(to_2, under, new_isr, new_elr, unclean) ==
  [partition_epoch |-> {partition_epoch + 1}, leader_at |-> {[at |-> partition_epoch + 1, to |-> to_2]}, epoch_at |->
      {[at |-> partition_epoch + 1, to |-> under]}, isr_at |-> {[at |-> partition_epoch + 1, to |-> new_isr]}, elr_at
      |-> {[at |-> partition_epoch + 1, to |-> new_elr]}, first_config |-> {[at |-> partition_epoch + 1, to |->
      config]}, last_config |-> {[at |-> partition_epoch + 1, to |-> config]}, was_enough |-> {[at |-> partition_epoch +
      1, to |-> Cardinality(new_isr) >= min_isr]}, unclean_at |-> {[at |-> under, to |-> unclean]}]

\* A broker that has lost records is back under a new broker epoch, and has read the metadata up to a leader epoch.
registers(b, read) ==
  [broker_epoch |-> {[at |-> b, to |-> broker_epoch[b] + 1]}, crashed |-> {[at |-> b, to |-> FALSE]}, known_epoch |->
      {[at |-> b, to |-> read]}, truncated |-> {[at |-> b, to |-> FALSE]}]

\* The controller writes ClearElr with a configuration: the ELR is empty afterwards; that takes a partition epoch.
clears(c) ==
  [partition_epoch |-> {partition_epoch + 1}, leader_at |-> {[at |-> partition_epoch + 1, to |-> leader]}, epoch_at |->
      {[at |-> partition_epoch + 1, to |-> leader_epoch_2]}, isr_at |-> {[at |-> partition_epoch + 1, to |-> isr]},
      elr_at |-> {[at |-> partition_epoch + 1, to |-> {}]}, first_config |-> {[at |-> partition_epoch + 1, to |->
      config]}, last_config |-> {[at |-> partition_epoch + 1, to |-> c]}, was_enough |-> {[at |-> partition_epoch + 1,
      to |-> Cardinality(isr) >= min_isr \/ Cardinality(isr) >= min_isr_in[c]]}]

\* KIP-966
DC1_is_enabled(g, members) ==
  /\ partition_epoch = 0
  /\ g \in members

DC1(g, members) ==
  /\ DC1_is_enabled(g, members)
  /\ LET change_1 == change(g, leader_epoch_2 + 1, members, {}, unclean_at[leader_epoch_2])
     IN
     /\ partition_epoch' = PutCell(partition_epoch, change_1.partition_epoch)
     /\ leader_at' = Put(leader_at, change_1.leader_at)
     /\ epoch_at' = Put(epoch_at, change_1.epoch_at)
     /\ isr_at' = Put(isr_at, change_1.isr_at)
     /\ elr_at' = Put(elr_at, change_1.elr_at)
     /\ first_config' = Put(first_config, change_1.first_config)
     /\ last_config' = Put(last_config, change_1.last_config)
     /\ was_enough' = Put(was_enough, change_1.was_enough)
     /\ unclean_at' = Put(unclean_at, change_1.unclean_at)
     /\ elected_in' = Put(elected_in, {[at |-> <<g, k>>, to |-> leader_epoch_2 + 1] : k \in {k \in leader_epoch :
            unclean_at[leader_epoch_2] <= k}})
     /\ partition_epoch' \in partition_epoch_2
     /\ epoch_at' \in [partition_epoch_2 -> leader_epoch]
     /\ unclean_at' \in [leader_epoch -> leader_epoch]
     /\ elected_in' \in [Broker \X leader_epoch -> leader_epoch]
  /\ UNCHANGED <<config, min_isr_in, crashed, broker_epoch, known_epoch, truncated, alter_sent, proposed_under,
         proposed_isr, proposed_broker_epoch, alter_refused, leader_of, epoch_start, log_end, leader_end, leader_log,
         log, known_partition_epoch, known_isr, known_config, proposing, fetch_broker_epoch, fetch_offset, fetched,
         fetched_broker_epoch, high_watermark, first_high_watermark>>

\* KIP-841
DC2_is_enabled(b) ==
  /\ b \in isr
  /\ leader # b

DC2(b) ==
  /\ DC2_is_enabled(b)
  /\ LET change_1 == change(leader, leader_epoch_2, isr \ {b}, eligible(b), unclean_at[leader_epoch_2])
     IN
     /\ partition_epoch' = PutCell(partition_epoch, change_1.partition_epoch)
     /\ leader_at' = Put(leader_at, change_1.leader_at)
     /\ epoch_at' = Put(epoch_at, change_1.epoch_at)
     /\ isr_at' = Put(isr_at, change_1.isr_at)
     /\ elr_at' = Put(elr_at, change_1.elr_at)
     /\ first_config' = Put(first_config, change_1.first_config)
     /\ last_config' = Put(last_config, change_1.last_config)
     /\ was_enough' = Put(was_enough, change_1.was_enough)
     /\ unclean_at' = Put(unclean_at, change_1.unclean_at)
     /\ partition_epoch' \in partition_epoch_2
     /\ epoch_at' \in [partition_epoch_2 -> leader_epoch]
     /\ unclean_at' \in [leader_epoch -> leader_epoch]
  /\ UNCHANGED <<config, min_isr_in, elected_in, crashed, broker_epoch, known_epoch, truncated, alter_sent,
         proposed_under, proposed_isr, proposed_broker_epoch, alter_refused, leader_of, epoch_start, log_end,
         leader_end, leader_log, log, known_partition_epoch, known_isr, known_config, proposing, fetch_broker_epoch,
         fetch_offset, fetched, fetched_broker_epoch, high_watermark, first_high_watermark>>

\* KIP-841
DC3(b) ==
  /\ leader = b
  /\ LET change_1 == change(None, leader_epoch_2 + 1, isr \ {b}, eligible(b), unclean_at[leader_epoch_2])
     IN
     /\ partition_epoch' = PutCell(partition_epoch, change_1.partition_epoch)
     /\ leader_at' = Put(leader_at, change_1.leader_at)
     /\ epoch_at' = Put(epoch_at, change_1.epoch_at)
     /\ isr_at' = Put(isr_at, change_1.isr_at)
     /\ elr_at' = Put(elr_at, change_1.elr_at)
     /\ first_config' = Put(first_config, change_1.first_config)
     /\ last_config' = Put(last_config, change_1.last_config)
     /\ was_enough' = Put(was_enough, change_1.was_enough)
     /\ unclean_at' = Put(unclean_at, change_1.unclean_at)
     /\ partition_epoch' \in partition_epoch_2
     /\ epoch_at' \in [partition_epoch_2 -> leader_epoch]
     /\ unclean_at' \in [leader_epoch -> leader_epoch]
  /\ UNCHANGED <<config, min_isr_in, elected_in, crashed, broker_epoch, known_epoch, truncated, alter_sent,
         proposed_under, proposed_isr, proposed_broker_epoch, alter_refused, leader_of, epoch_start, log_end,
         leader_end, leader_log, log, known_partition_epoch, known_isr, known_config, proposing, fetch_broker_epoch,
         fetch_offset, fetched, fetched_broker_epoch, high_watermark, first_high_watermark>>

\* KIP-966
DC4_is_enabled(g) ==
  /\ g \in isr
  /\ leader # g

DC4(g) ==
  /\ DC4_is_enabled(g)
  /\ LET change_1 == change(g, leader_epoch_2 + 1, isr, elr, unclean_at[leader_epoch_2])
     IN
     /\ partition_epoch' = PutCell(partition_epoch, change_1.partition_epoch)
     /\ leader_at' = Put(leader_at, change_1.leader_at)
     /\ epoch_at' = Put(epoch_at, change_1.epoch_at)
     /\ isr_at' = Put(isr_at, change_1.isr_at)
     /\ elr_at' = Put(elr_at, change_1.elr_at)
     /\ first_config' = Put(first_config, change_1.first_config)
     /\ last_config' = Put(last_config, change_1.last_config)
     /\ was_enough' = Put(was_enough, change_1.was_enough)
     /\ unclean_at' = Put(unclean_at, change_1.unclean_at)
     /\ elected_in' = Put(elected_in, {[at |-> <<g, k>>, to |-> leader_epoch_2 + 1] : k \in {k \in leader_epoch :
            unclean_at[leader_epoch_2] <= k}})
     /\ partition_epoch' \in partition_epoch_2
     /\ epoch_at' \in [partition_epoch_2 -> leader_epoch]
     /\ unclean_at' \in [leader_epoch -> leader_epoch]
     /\ elected_in' \in [Broker \X leader_epoch -> leader_epoch]
  /\ UNCHANGED <<config, min_isr_in, crashed, broker_epoch, known_epoch, truncated, alter_sent, proposed_under,
         proposed_isr, proposed_broker_epoch, alter_refused, leader_of, epoch_start, log_end, leader_end, leader_log,
         log, known_partition_epoch, known_isr, known_config, proposing, fetch_broker_epoch, fetch_offset, fetched,
         fetched_broker_epoch, high_watermark, first_high_watermark>>

\* KIP-966
DC5_is_enabled(g) ==
  /\ g \in isr
  /\ leader # g

DC5(g) ==
  /\ DC5_is_enabled(g)
  /\ LET change_1 == change(g, leader_epoch_2 + 1, isr \ ({leader} \ {None}), eligible_2, unclean_at[leader_epoch_2])
     IN
     /\ partition_epoch' = PutCell(partition_epoch, change_1.partition_epoch)
     /\ leader_at' = Put(leader_at, change_1.leader_at)
     /\ epoch_at' = Put(epoch_at, change_1.epoch_at)
     /\ isr_at' = Put(isr_at, change_1.isr_at)
     /\ elr_at' = Put(elr_at, change_1.elr_at)
     /\ first_config' = Put(first_config, change_1.first_config)
     /\ last_config' = Put(last_config, change_1.last_config)
     /\ was_enough' = Put(was_enough, change_1.was_enough)
     /\ unclean_at' = Put(unclean_at, change_1.unclean_at)
     /\ elected_in' = Put(elected_in, {[at |-> <<g, k>>, to |-> leader_epoch_2 + 1] : k \in {k \in leader_epoch :
            unclean_at[leader_epoch_2] <= k}})
     /\ partition_epoch' \in partition_epoch_2
     /\ epoch_at' \in [partition_epoch_2 -> leader_epoch]
     /\ unclean_at' \in [leader_epoch -> leader_epoch]
     /\ elected_in' \in [Broker \X leader_epoch -> leader_epoch]
  /\ UNCHANGED <<config, min_isr_in, crashed, broker_epoch, known_epoch, truncated, alter_sent, proposed_under,
         proposed_isr, proposed_broker_epoch, alter_refused, leader_of, epoch_start, log_end, leader_end, leader_log,
         log, known_partition_epoch, known_isr, known_config, proposing, fetch_broker_epoch, fetch_offset, fetched,
         fetched_broker_epoch, high_watermark, first_high_watermark>>

\* KIP-966
DC6_is_enabled(g) ==
  /\ leader = None
  /\ isr = {}
  /\ g \in elr

DC6(g) ==
  /\ DC6_is_enabled(g)
  /\ LET change_1 == change(g, leader_epoch_2 + 1, {g}, elr \ {g}, unclean_at[leader_epoch_2])
     IN
     /\ partition_epoch' = PutCell(partition_epoch, change_1.partition_epoch)
     /\ leader_at' = Put(leader_at, change_1.leader_at)
     /\ epoch_at' = Put(epoch_at, change_1.epoch_at)
     /\ isr_at' = Put(isr_at, change_1.isr_at)
     /\ elr_at' = Put(elr_at, change_1.elr_at)
     /\ first_config' = Put(first_config, change_1.first_config)
     /\ last_config' = Put(last_config, change_1.last_config)
     /\ was_enough' = Put(was_enough, change_1.was_enough)
     /\ unclean_at' = Put(unclean_at, change_1.unclean_at)
     /\ elected_in' = Put(elected_in, {[at |-> <<g, k>>, to |-> leader_epoch_2 + 1] : k \in {k \in leader_epoch :
            unclean_at[leader_epoch_2] <= k}})
     /\ partition_epoch' \in partition_epoch_2
     /\ epoch_at' \in [partition_epoch_2 -> leader_epoch]
     /\ unclean_at' \in [leader_epoch -> leader_epoch]
     /\ elected_in' \in [Broker \X leader_epoch -> leader_epoch]
  /\ UNCHANGED <<config, min_isr_in, crashed, broker_epoch, known_epoch, truncated, alter_sent, proposed_under,
         proposed_isr, proposed_broker_epoch, alter_refused, leader_of, epoch_start, log_end, leader_end, leader_log,
         log, known_partition_epoch, known_isr, known_config, proposing, fetch_broker_epoch, fetch_offset, fetched,
         fetched_broker_epoch, high_watermark, first_high_watermark>>

\* KIP-966
DC7_is_enabled(b, read) ==
  /\ read <= (IF leader = b THEN leader_epoch_2 + 1 ELSE leader_epoch_2)
  /\ (IF leader = b THEN leader_epoch_2 + 1 ELSE leader_epoch_2) <= read
  /\ crashed[b]
  /\ b \notin isr
  /\ b \notin elr

DC7(b, read) ==
  /\ DC7_is_enabled(b, read)
  /\ LET registers_1 == registers(b, read)
     IN
     /\ broker_epoch' = Put(broker_epoch, registers_1.broker_epoch)
     /\ crashed' = Put(crashed, registers_1.crashed)
     /\ known_epoch' = Put(known_epoch, registers_1.known_epoch)
     /\ truncated' = Put(truncated, registers_1.truncated)
     /\ broker_epoch' \in [Broker -> broker_epoch_2]
     /\ known_epoch' \in [Broker -> leader_epoch]
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, alter_sent, proposed_under,
         proposed_isr, proposed_broker_epoch, alter_refused, leader_of, epoch_start, log_end, leader_end, leader_log,
         log, known_partition_epoch, known_isr, known_config, proposing, fetch_broker_epoch, fetch_offset, fetched,
         fetched_broker_epoch, high_watermark, first_high_watermark, partition_epoch_and_others>>

\* KIP-966
DC8_is_enabled(b, read) ==
  /\ read <= (IF leader = b THEN leader_epoch_2 + 1 ELSE leader_epoch_2)
  /\ (IF leader = b THEN leader_epoch_2 + 1 ELSE leader_epoch_2) <= read
  /\ crashed[b]
  /\ b \in elr

DC8(b, read) ==
  /\ DC8_is_enabled(b, read)
  /\ LET registers_1 == registers(b, read)
         change_2 == change(leader, leader_epoch_2, isr, elr \ {b}, unclean_at[leader_epoch_2])
     IN
     /\ broker_epoch' = Put(broker_epoch, registers_1.broker_epoch)
     /\ crashed' = Put(crashed, registers_1.crashed)
     /\ known_epoch' = Put(known_epoch, registers_1.known_epoch)
     /\ truncated' = Put(truncated, registers_1.truncated)
     /\ partition_epoch' = PutCell(partition_epoch, change_2.partition_epoch)
     /\ leader_at' = Put(leader_at, change_2.leader_at)
     /\ epoch_at' = Put(epoch_at, change_2.epoch_at)
     /\ isr_at' = Put(isr_at, change_2.isr_at)
     /\ elr_at' = Put(elr_at, change_2.elr_at)
     /\ first_config' = Put(first_config, change_2.first_config)
     /\ last_config' = Put(last_config, change_2.last_config)
     /\ was_enough' = Put(was_enough, change_2.was_enough)
     /\ unclean_at' = Put(unclean_at, change_2.unclean_at)
     /\ broker_epoch' \in [Broker -> broker_epoch_2]
     /\ known_epoch' \in [Broker -> leader_epoch]
     /\ partition_epoch' \in partition_epoch_2
     /\ epoch_at' \in [partition_epoch_2 -> leader_epoch]
     /\ unclean_at' \in [leader_epoch -> leader_epoch]
  /\ UNCHANGED <<config, min_isr_in, elected_in, alter_sent, proposed_under, proposed_isr, proposed_broker_epoch,
         alter_refused, leader_of, epoch_start, log_end, leader_end, leader_log, log, known_partition_epoch, known_isr,
         known_config, proposing, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark,
         first_high_watermark>>

\* KIP-966
DC9_is_enabled(b, read) ==
  /\ read <= (IF leader = b THEN leader_epoch_2 + 1 ELSE leader_epoch_2)
  /\ (IF leader = b THEN leader_epoch_2 + 1 ELSE leader_epoch_2) <= read
  /\ crashed[b]
  /\ b \in isr
  /\ leader # b

DC9(b, read) ==
  /\ DC9_is_enabled(b, read)
  /\ LET registers_1 == registers(b, read)
         change_2 == change(leader, leader_epoch_2, isr \ {b}, eligible_3(b), unclean_at[leader_epoch_2])
     IN
     /\ broker_epoch' = Put(broker_epoch, registers_1.broker_epoch)
     /\ crashed' = Put(crashed, registers_1.crashed)
     /\ known_epoch' = Put(known_epoch, registers_1.known_epoch)
     /\ truncated' = Put(truncated, registers_1.truncated)
     /\ partition_epoch' = PutCell(partition_epoch, change_2.partition_epoch)
     /\ leader_at' = Put(leader_at, change_2.leader_at)
     /\ epoch_at' = Put(epoch_at, change_2.epoch_at)
     /\ isr_at' = Put(isr_at, change_2.isr_at)
     /\ elr_at' = Put(elr_at, change_2.elr_at)
     /\ first_config' = Put(first_config, change_2.first_config)
     /\ last_config' = Put(last_config, change_2.last_config)
     /\ was_enough' = Put(was_enough, change_2.was_enough)
     /\ unclean_at' = Put(unclean_at, change_2.unclean_at)
     /\ broker_epoch' \in [Broker -> broker_epoch_2]
     /\ known_epoch' \in [Broker -> leader_epoch]
     /\ partition_epoch' \in partition_epoch_2
     /\ epoch_at' \in [partition_epoch_2 -> leader_epoch]
     /\ unclean_at' \in [leader_epoch -> leader_epoch]
  /\ UNCHANGED <<config, min_isr_in, elected_in, alter_sent, proposed_under, proposed_isr, proposed_broker_epoch,
         alter_refused, leader_of, epoch_start, log_end, leader_end, leader_log, log, known_partition_epoch, known_isr,
         known_config, proposing, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark,
         first_high_watermark>>

\* KIP-966
DC10_is_enabled(b, read) ==
  /\ read <= (IF leader = b THEN leader_epoch_2 + 1 ELSE leader_epoch_2)
  /\ (IF leader = b THEN leader_epoch_2 + 1 ELSE leader_epoch_2) <= read
  /\ crashed[b]
  /\ leader = b

DC10(b, read) ==
  /\ DC10_is_enabled(b, read)
  /\ LET registers_1 == registers(b, read)
         change_2 == change(None, leader_epoch_2 + 1, isr \ {b}, eligible_3(b), unclean_at[leader_epoch_2])
     IN
     /\ broker_epoch' = Put(broker_epoch, registers_1.broker_epoch)
     /\ crashed' = Put(crashed, registers_1.crashed)
     /\ known_epoch' = Put(known_epoch, registers_1.known_epoch)
     /\ truncated' = Put(truncated, registers_1.truncated)
     /\ partition_epoch' = PutCell(partition_epoch, change_2.partition_epoch)
     /\ leader_at' = Put(leader_at, change_2.leader_at)
     /\ epoch_at' = Put(epoch_at, change_2.epoch_at)
     /\ isr_at' = Put(isr_at, change_2.isr_at)
     /\ elr_at' = Put(elr_at, change_2.elr_at)
     /\ first_config' = Put(first_config, change_2.first_config)
     /\ last_config' = Put(last_config, change_2.last_config)
     /\ was_enough' = Put(was_enough, change_2.was_enough)
     /\ unclean_at' = Put(unclean_at, change_2.unclean_at)
     /\ broker_epoch' \in [Broker -> broker_epoch_2]
     /\ known_epoch' \in [Broker -> leader_epoch]
     /\ partition_epoch' \in partition_epoch_2
     /\ epoch_at' \in [partition_epoch_2 -> leader_epoch]
     /\ unclean_at' \in [leader_epoch -> leader_epoch]
  /\ UNCHANGED <<config, min_isr_in, elected_in, alter_sent, proposed_under, proposed_isr, proposed_broker_epoch,
         alter_refused, leader_of, epoch_start, log_end, leader_end, leader_log, log, known_partition_epoch, known_isr,
         known_config, proposing, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark,
         first_high_watermark>>

\* KIP-966
DC11_is_enabled(b, g, read) ==
  /\ read <= (IF leader = b THEN leader_epoch_2 + 1 ELSE leader_epoch_2)
  /\ (IF leader = b THEN leader_epoch_2 + 1 ELSE leader_epoch_2) <= read
  /\ crashed[b]
  /\ leader = b
  /\ g \in isr
  /\ b # g

DC11(b, g, read) ==
  /\ DC11_is_enabled(b, g, read)
  /\ LET registers_1 == registers(b, read)
         change_2 == change(g, leader_epoch_2 + 1, isr \ {b}, eligible_3(b), unclean_at[leader_epoch_2])
     IN
     /\ broker_epoch' = Put(broker_epoch, registers_1.broker_epoch)
     /\ crashed' = Put(crashed, registers_1.crashed)
     /\ known_epoch' = Put(known_epoch, registers_1.known_epoch)
     /\ truncated' = Put(truncated, registers_1.truncated)
     /\ partition_epoch' = PutCell(partition_epoch, change_2.partition_epoch)
     /\ leader_at' = Put(leader_at, change_2.leader_at)
     /\ epoch_at' = Put(epoch_at, change_2.epoch_at)
     /\ isr_at' = Put(isr_at, change_2.isr_at)
     /\ elr_at' = Put(elr_at, change_2.elr_at)
     /\ first_config' = Put(first_config, change_2.first_config)
     /\ last_config' = Put(last_config, change_2.last_config)
     /\ was_enough' = Put(was_enough, change_2.was_enough)
     /\ unclean_at' = Put(unclean_at, change_2.unclean_at)
     /\ elected_in' = Put(elected_in, {[at |-> <<g, k>>, to |-> leader_epoch_2 + 1] : k \in {k \in leader_epoch :
            unclean_at[leader_epoch_2] <= k}})
     /\ broker_epoch' \in [Broker -> broker_epoch_2]
     /\ known_epoch' \in [Broker -> leader_epoch]
     /\ partition_epoch' \in partition_epoch_2
     /\ epoch_at' \in [partition_epoch_2 -> leader_epoch]
     /\ unclean_at' \in [leader_epoch -> leader_epoch]
     /\ elected_in' \in [Broker \X leader_epoch -> leader_epoch]
  /\ UNCHANGED <<config, min_isr_in, alter_sent, proposed_under, proposed_isr, proposed_broker_epoch, alter_refused,
         leader_of, epoch_start, log_end, leader_end, leader_log, log, known_partition_epoch, known_isr, known_config,
         proposing, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark,
         first_high_watermark>>

\* KIP-497, KIP-903
DC12_is_enabled(e) ==
  /\ in_flight(e) = TRUE
  /\ none_restarted(e) = TRUE

DC12(e) ==
  /\ DC12_is_enabled(e)
  /\ LET change_1 == change(leader, leader_epoch_2, proposed_isr[e], eligible_4(e), unclean_at[leader_epoch_2])
     IN
     /\ partition_epoch' = PutCell(partition_epoch, change_1.partition_epoch)
     /\ leader_at' = Put(leader_at, change_1.leader_at)
     /\ epoch_at' = Put(epoch_at, change_1.epoch_at)
     /\ isr_at' = Put(isr_at, change_1.isr_at)
     /\ elr_at' = Put(elr_at, change_1.elr_at)
     /\ first_config' = Put(first_config, change_1.first_config)
     /\ last_config' = Put(last_config, change_1.last_config)
     /\ was_enough' = Put(was_enough, change_1.was_enough)
     /\ unclean_at' = Put(unclean_at, change_1.unclean_at)
     /\ partition_epoch' \in partition_epoch_2
     /\ epoch_at' \in [partition_epoch_2 -> leader_epoch]
     /\ unclean_at' \in [leader_epoch -> leader_epoch]
  /\ UNCHANGED <<config, min_isr_in, elected_in, crashed, broker_epoch, known_epoch, truncated, alter_sent,
         proposed_under, proposed_isr, proposed_broker_epoch, alter_refused, leader_of, epoch_start, log_end,
         leader_end, leader_log, log, known_partition_epoch, known_isr, known_config, proposing, fetch_broker_epoch,
         fetch_offset, fetched, fetched_broker_epoch, high_watermark, first_high_watermark>>

\* KIP-497, KIP-903
DC13_is_enabled(e, queued) ==
  /\ (~queued) = TRUE
  /\ in_flight(e) = TRUE

DC13(e, queued) ==
  /\ DC13_is_enabled(e, queued)
  /\ alter_sent' = [alter_sent EXCEPT ![e] = queued]
  /\ alter_refused' = [alter_refused EXCEPT ![e] = TRUE]
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, crashed, broker_epoch,
         known_epoch, truncated, proposed_under, proposed_isr, proposed_broker_epoch, leader_of, epoch_start, log_end,
         leader_end, leader_log, log, known_partition_epoch, known_isr, known_config, proposing, fetch_broker_epoch,
         fetch_offset, fetched, fetched_broker_epoch, high_watermark, first_high_watermark, partition_epoch_and_others>>

\* KIP-966
DC14_is_enabled(g) ==
  /\ leader # g
  /\ isr = {leader} \ {None}
  /\ g \in elr

DC14(g) ==
  /\ DC14_is_enabled(g)
  /\ LET change_1 == change(g, leader_epoch_2 + 1, {g}, (elr \union isr) \ {g}, unclean_at[leader_epoch_2])
     IN
     /\ partition_epoch' = PutCell(partition_epoch, change_1.partition_epoch)
     /\ leader_at' = Put(leader_at, change_1.leader_at)
     /\ epoch_at' = Put(epoch_at, change_1.epoch_at)
     /\ isr_at' = Put(isr_at, change_1.isr_at)
     /\ elr_at' = Put(elr_at, change_1.elr_at)
     /\ first_config' = Put(first_config, change_1.first_config)
     /\ last_config' = Put(last_config, change_1.last_config)
     /\ was_enough' = Put(was_enough, change_1.was_enough)
     /\ unclean_at' = Put(unclean_at, change_1.unclean_at)
     /\ elected_in' = Put(elected_in, {[at |-> <<g, k>>, to |-> leader_epoch_2 + 1] : k \in {k \in leader_epoch :
            unclean_at[leader_epoch_2] <= k}})
     /\ partition_epoch' \in partition_epoch_2
     /\ epoch_at' \in [partition_epoch_2 -> leader_epoch]
     /\ unclean_at' \in [leader_epoch -> leader_epoch]
     /\ elected_in' \in [Broker \X leader_epoch -> leader_epoch]
  /\ UNCHANGED <<config, min_isr_in, crashed, broker_epoch, known_epoch, truncated, alter_sent, proposed_under,
         proposed_isr, proposed_broker_epoch, alter_refused, leader_of, epoch_start, log_end, leader_end, leader_log,
         log, known_partition_epoch, known_isr, known_config, proposing, fetch_broker_epoch, fetch_offset, fetched,
         fetched_broker_epoch, high_watermark, first_high_watermark>>

\* KIP-966
DC15_is_enabled(b, g, read) ==
  /\ read <= (IF leader = b THEN leader_epoch_2 + 1 ELSE leader_epoch_2)
  /\ (IF leader = b THEN leader_epoch_2 + 1 ELSE leader_epoch_2) <= read
  /\ crashed[b]
  /\ leader = b
  /\ isr = {b}
  /\ g \in elr

DC15(b, g, read) ==
  /\ DC15_is_enabled(b, g, read)
  /\ LET registers_1 == registers(b, read)
         change_2 == change(g, leader_epoch_2 + 1, {g}, (elr \ {g}) \ {b}, unclean_at[leader_epoch_2])
     IN
     /\ broker_epoch' = Put(broker_epoch, registers_1.broker_epoch)
     /\ crashed' = Put(crashed, registers_1.crashed)
     /\ known_epoch' = Put(known_epoch, registers_1.known_epoch)
     /\ truncated' = Put(truncated, registers_1.truncated)
     /\ partition_epoch' = PutCell(partition_epoch, change_2.partition_epoch)
     /\ leader_at' = Put(leader_at, change_2.leader_at)
     /\ epoch_at' = Put(epoch_at, change_2.epoch_at)
     /\ isr_at' = Put(isr_at, change_2.isr_at)
     /\ elr_at' = Put(elr_at, change_2.elr_at)
     /\ first_config' = Put(first_config, change_2.first_config)
     /\ last_config' = Put(last_config, change_2.last_config)
     /\ was_enough' = Put(was_enough, change_2.was_enough)
     /\ unclean_at' = Put(unclean_at, change_2.unclean_at)
     /\ elected_in' = Put(elected_in, {[at |-> <<g, k>>, to |-> leader_epoch_2 + 1] : k \in {k \in leader_epoch :
            unclean_at[leader_epoch_2] <= k}})
     /\ broker_epoch' \in [Broker -> broker_epoch_2]
     /\ known_epoch' \in [Broker -> leader_epoch]
     /\ partition_epoch' \in partition_epoch_2
     /\ epoch_at' \in [partition_epoch_2 -> leader_epoch]
     /\ unclean_at' \in [leader_epoch -> leader_epoch]
     /\ elected_in' \in [Broker \X leader_epoch -> leader_epoch]
  /\ UNCHANGED <<config, min_isr_in, alter_sent, proposed_under, proposed_isr, proposed_broker_epoch, alter_refused,
         leader_of, epoch_start, log_end, leader_end, leader_log, log, known_partition_epoch, known_isr, known_config,
         proposing, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark,
         first_high_watermark>>

\* KIP-497, KIP-903
DC16_is_enabled(e, g) ==
  /\ in_flight(e) = TRUE
  /\ none_restarted(e) = TRUE
  /\ g \in proposed_isr[e]
  /\ leader # g

DC16(e, g) ==
  /\ DC16_is_enabled(e, g)
  /\ LET change_1 == change(g, leader_epoch_2 + 1, proposed_isr[e], eligible_4(e), unclean_at[leader_epoch_2])
     IN
     /\ partition_epoch' = PutCell(partition_epoch, change_1.partition_epoch)
     /\ leader_at' = Put(leader_at, change_1.leader_at)
     /\ epoch_at' = Put(epoch_at, change_1.epoch_at)
     /\ isr_at' = Put(isr_at, change_1.isr_at)
     /\ elr_at' = Put(elr_at, change_1.elr_at)
     /\ first_config' = Put(first_config, change_1.first_config)
     /\ last_config' = Put(last_config, change_1.last_config)
     /\ was_enough' = Put(was_enough, change_1.was_enough)
     /\ unclean_at' = Put(unclean_at, change_1.unclean_at)
     /\ elected_in' = Put(elected_in, {[at |-> <<g, k>>, to |-> leader_epoch_2 + 1] : k \in {k \in leader_epoch :
            unclean_at[leader_epoch_2] <= k}})
     /\ partition_epoch' \in partition_epoch_2
     /\ epoch_at' \in [partition_epoch_2 -> leader_epoch]
     /\ unclean_at' \in [leader_epoch -> leader_epoch]
     /\ elected_in' \in [Broker \X leader_epoch -> leader_epoch]
  /\ UNCHANGED <<config, min_isr_in, crashed, broker_epoch, known_epoch, truncated, alter_sent, proposed_under,
         proposed_isr, proposed_broker_epoch, alter_refused, leader_of, epoch_start, log_end, leader_end, leader_log,
         log, known_partition_epoch, known_isr, known_config, proposing, fetch_broker_epoch, fetch_offset, fetched,
         fetched_broker_epoch, high_watermark, first_high_watermark>>

\* KIP-966
DC17_is_enabled(c) ==
  /\ 0 < partition_epoch
  /\ c = config + 1
  /\ elr = {}

DC17(c) ==
  /\ DC17_is_enabled(c)
  /\ config' = c
  /\ last_config' = [last_config EXCEPT ![partition_epoch] = c]
  /\ was_enough' = [was_enough EXCEPT ![partition_epoch] = was_enough[partition_epoch] \/ Cardinality(isr) >=
         min_isr_in[c]]
  /\ UNCHANGED <<min_isr_in, unclean_at, elected_in, crashed, broker_epoch, known_epoch, truncated, alter_sent,
         proposed_under, proposed_isr, proposed_broker_epoch, alter_refused, leader_of, epoch_start, log_end,
         leader_end, leader_log, log, known_partition_epoch, known_isr, known_config, proposing, fetch_broker_epoch,
         fetch_offset, fetched, fetched_broker_epoch, high_watermark, first_high_watermark, partition_epoch_and_others>>

\* KIP-966
DC18_is_enabled(c) ==
  /\ 0 < partition_epoch
  /\ c = config + 1

DC18(c) ==
  /\ DC18_is_enabled(c)
  /\ LET clears_1 == clears(c)
     IN
     /\ config' = c
     /\ partition_epoch' = PutCell(partition_epoch, clears_1.partition_epoch)
     /\ leader_at' = Put(leader_at, clears_1.leader_at)
     /\ epoch_at' = Put(epoch_at, clears_1.epoch_at)
     /\ isr_at' = Put(isr_at, clears_1.isr_at)
     /\ elr_at' = Put(elr_at, clears_1.elr_at)
     /\ first_config' = Put(first_config, clears_1.first_config)
     /\ last_config' = Put(last_config, clears_1.last_config)
     /\ was_enough' = Put(was_enough, clears_1.was_enough)
     /\ partition_epoch' \in partition_epoch_2
     /\ last_config' \in [partition_epoch_2 -> configuration]
  /\ UNCHANGED <<min_isr_in, unclean_at, elected_in, crashed, broker_epoch, known_epoch, truncated, alter_sent,
         proposed_under, proposed_isr, proposed_broker_epoch, alter_refused, leader_of, epoch_start, log_end,
         leader_end, leader_log, log, known_partition_epoch, known_isr, known_config, proposing, fetch_broker_epoch,
         fetch_offset, fetched, fetched_broker_epoch, high_watermark, first_high_watermark>>

\* KIP-704, KIP-966
DC19_is_enabled(g) ==
  /\ 0 < partition_epoch
  /\ g \notin isr
  /\ g \notin elr
  /\ Given_ElectUncleanly(g) = TRUE

DC19(g) ==
  /\ DC19_is_enabled(g)
  /\ LET change_1 == change(g, leader_epoch_2 + 1, {g}, {}, leader_epoch_2 + 1)
     IN
     /\ partition_epoch' = PutCell(partition_epoch, change_1.partition_epoch)
     /\ leader_at' = Put(leader_at, change_1.leader_at)
     /\ epoch_at' = Put(epoch_at, change_1.epoch_at)
     /\ isr_at' = Put(isr_at, change_1.isr_at)
     /\ elr_at' = Put(elr_at, change_1.elr_at)
     /\ first_config' = Put(first_config, change_1.first_config)
     /\ last_config' = Put(last_config, change_1.last_config)
     /\ was_enough' = Put(was_enough, change_1.was_enough)
     /\ unclean_at' = Put(unclean_at, change_1.unclean_at)
     /\ partition_epoch' \in partition_epoch_2
     /\ epoch_at' \in [partition_epoch_2 -> leader_epoch]
     /\ unclean_at' \in [leader_epoch -> leader_epoch]
  /\ UNCHANGED <<config, min_isr_in, elected_in, crashed, broker_epoch, known_epoch, truncated, alter_sent,
         proposed_under, proposed_isr, proposed_broker_epoch, alter_refused, leader_of, epoch_start, log_end,
         leader_end, leader_log, log, known_partition_epoch, known_isr, known_config, proposing, fetch_broker_epoch,
         fetch_offset, fetched, fetched_broker_epoch, high_watermark, first_high_watermark>>

\* KIP-704, KIP-966
DC20_is_enabled(b, g, read) ==
  /\ read <= leader_epoch_2 + 1
  /\ leader_epoch_2 + 1 <= read
  /\ crashed[b]
  /\ (leader = b \/ (leader = None /\ (b \in isr \/ b \in elr))) = TRUE
  /\ b # g
  /\ 0 < partition_epoch
  /\ g \notin isr
  /\ g \notin elr
  /\ Given_RegisterUncleanlyElectsUncleanly(b, g, read) = TRUE

DC20(b, g, read) ==
  /\ DC20_is_enabled(b, g, read)
  /\ LET registers_1 == registers(b, read)
         change_2 == change(g, leader_epoch_2 + 1, {g}, {}, leader_epoch_2 + 1)
     IN
     /\ broker_epoch' = Put(broker_epoch, registers_1.broker_epoch)
     /\ crashed' = Put(crashed, registers_1.crashed)
     /\ known_epoch' = Put(known_epoch, registers_1.known_epoch)
     /\ truncated' = Put(truncated, registers_1.truncated)
     /\ partition_epoch' = PutCell(partition_epoch, change_2.partition_epoch)
     /\ leader_at' = Put(leader_at, change_2.leader_at)
     /\ epoch_at' = Put(epoch_at, change_2.epoch_at)
     /\ isr_at' = Put(isr_at, change_2.isr_at)
     /\ elr_at' = Put(elr_at, change_2.elr_at)
     /\ first_config' = Put(first_config, change_2.first_config)
     /\ last_config' = Put(last_config, change_2.last_config)
     /\ was_enough' = Put(was_enough, change_2.was_enough)
     /\ unclean_at' = Put(unclean_at, change_2.unclean_at)
     /\ broker_epoch' \in [Broker -> broker_epoch_2]
     /\ known_epoch' \in [Broker -> leader_epoch]
     /\ partition_epoch' \in partition_epoch_2
     /\ epoch_at' \in [partition_epoch_2 -> leader_epoch]
     /\ unclean_at' \in [leader_epoch -> leader_epoch]
  /\ UNCHANGED <<config, min_isr_in, elected_in, alter_sent, proposed_under, proposed_isr, proposed_broker_epoch,
         alter_refused, leader_of, epoch_start, log_end, leader_end, leader_log, log, known_partition_epoch, known_isr,
         known_config, proposing, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark,
         first_high_watermark>>

\* KIP-500
DM1_is_enabled(b, v, c) ==
  /\ v <= partition_epoch
  /\ 0 < v
  /\ c <= last_config[v]
  /\ 1 <= c
  /\ first_config[v] <= c
  /\ (~crashed[b]) = TRUE
  /\ known_epoch[b] < epoch_at[v]
  /\ leader_at[v] = b

DM1(b, v, c) ==
  /\ DM1_is_enabled(b, v, c)
  /\ known_epoch' = [known_epoch EXCEPT ![b] = epoch_at[v]]
  /\ truncated' = [truncated EXCEPT ![b] = TRUE]
  /\ leader_of' = [leader_of EXCEPT ![epoch_at[v]] = b]
  /\ epoch_start' = [epoch_start EXCEPT ![epoch_at[v]] = log_end[b]]
  /\ leader_end' = [leader_end EXCEPT ![epoch_at[v]] = log_end[b]]
  /\ leader_log' = Put(leader_log, {[at |-> <<epoch_at[v], o>>, to |-> log[b, o]] : o \in {o \in offset : o <
         log_end[b]}})
  /\ known_partition_epoch' = [known_partition_epoch EXCEPT ![epoch_at[v]] = v]
  /\ known_isr' = [known_isr EXCEPT ![epoch_at[v]] = isr_at[v]]
  /\ known_config' = [known_config EXCEPT ![epoch_at[v]] = c]
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, crashed, broker_epoch, alter_sent,
         proposed_under, proposed_isr, proposed_broker_epoch, alter_refused, log_end, log, proposing,
         fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark, first_high_watermark,
         partition_epoch_and_others>>

\* KIP-500
DM2_is_enabled(b, v, c) ==
  /\ v <= partition_epoch
  /\ 0 < v
  /\ c <= last_config[v]
  /\ 1 <= c
  /\ first_config[v] <= c
  /\ (~crashed[b]) = TRUE
  /\ known_epoch[b] < epoch_at[v]
  /\ leader_at[v] # b

DM2(b, v, c) ==
  /\ DM2_is_enabled(b, v, c)
  /\ known_epoch' = [known_epoch EXCEPT ![b] = epoch_at[v]]
  /\ truncated' = [truncated EXCEPT ![b] = FALSE]
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, crashed, broker_epoch, alter_sent,
         proposed_under, proposed_isr, proposed_broker_epoch, alter_refused, leader_of, epoch_start, log_end,
         leader_end, leader_log, log, known_partition_epoch, known_isr, known_config, proposing, fetch_broker_epoch,
         fetch_offset, fetched, fetched_broker_epoch, high_watermark, first_high_watermark, partition_epoch_and_others>>

\* KIP-500
DM3_is_enabled(b, v, c) ==
  /\ v <= partition_epoch
  /\ 0 < v
  /\ c <= last_config[v]
  /\ 1 <= c
  /\ first_config[v] <= c
  /\ leads(v, b) = TRUE
  /\ known_partition_epoch[epoch_at[v]] < v

DM3(b, v, c) ==
  /\ DM3_is_enabled(b, v, c)
  /\ known_partition_epoch' = [known_partition_epoch EXCEPT ![epoch_at[v]] = v]
  /\ known_isr' = [known_isr EXCEPT ![epoch_at[v]] = isr_at[v]]
  /\ known_config' = [known_config EXCEPT ![epoch_at[v]] = c]
  /\ proposing' = [proposing EXCEPT ![epoch_at[v]] = FALSE]
  /\ alter_refused' = [alter_refused EXCEPT ![epoch_at[v]] = FALSE]
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, crashed, broker_epoch,
         known_epoch, truncated, alter_sent, proposed_under, proposed_isr, proposed_broker_epoch, leader_of,
         epoch_start, log_end, leader_end, leader_log, log, fetch_broker_epoch, fetch_offset, fetched,
         fetched_broker_epoch, high_watermark, first_high_watermark, partition_epoch_and_others>>

\* KIP-500
DM4_is_enabled(b, v, c) ==
  /\ v <= partition_epoch
  /\ 0 < v
  /\ c <= last_config[v]
  /\ 1 <= c
  /\ first_config[v] <= c
  /\ leads(v, b) = TRUE
  /\ v = known_partition_epoch[epoch_at[v]]
  /\ known_config[epoch_at[v]] < c

DM4(b, v, c) ==
  /\ DM4_is_enabled(b, v, c)
  /\ known_config' = [known_config EXCEPT ![epoch_at[v]] = c]
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, crashed, broker_epoch,
         known_epoch, truncated, alter_sent, proposed_under, proposed_isr, proposed_broker_epoch, alter_refused,
         leader_of, epoch_start, log_end, leader_end, leader_log, log, known_partition_epoch, known_isr, proposing,
         fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark, first_high_watermark,
         partition_epoch_and_others>>

\* KIP-966
DL1(b, e) ==
  /\ leads_2(e, b) = TRUE
  /\ log_end[b] <= Maxoffset - 1
  /\ log' = [log EXCEPT ![b, log_end[b]] = e]
  /\ log_end' = [log_end EXCEPT ![b] = log_end[b] + 1]
  /\ leader_log' = [leader_log EXCEPT ![e, log_end[b]] = e]
  /\ leader_end' = [leader_end EXCEPT ![e] = log_end[b] + 1]
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, crashed, broker_epoch,
         known_epoch, truncated, alter_sent, proposed_under, proposed_isr, proposed_broker_epoch, alter_refused,
         leader_of, epoch_start, known_partition_epoch, known_isr, known_config, proposing, fetch_broker_epoch,
         fetch_offset, fetched, fetched_broker_epoch, high_watermark, first_high_watermark, partition_epoch_and_others>>

\* KIP-903
DL2_is_enabled(f, b, e, n) ==
  /\ leads_2(e, b) = TRUE
  /\ 0 < fetch_broker_epoch[e, f]
  /\ n <= fetch_offset[e, f]

DL2(f, b, e, n) ==
  /\ DL2_is_enabled(f, b, e, n)
  /\ fetched' = [fetched EXCEPT ![e, f] = n]
  /\ fetched_broker_epoch' = [fetched_broker_epoch EXCEPT ![e, f] = fetch_broker_epoch[e, f]]
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, crashed, broker_epoch,
         known_epoch, truncated, alter_sent, proposed_under, proposed_isr, proposed_broker_epoch, alter_refused,
         leader_of, epoch_start, log_end, leader_end, leader_log, log, known_partition_epoch, known_isr, known_config,
         proposing, fetch_broker_epoch, fetch_offset, high_watermark, first_high_watermark, partition_epoch_and_others>>

\* KIP-497
DL3_is_enabled(f, b, e) ==
  /\ leads_2(e, b) = TRUE
  /\ (~proposing[e]) = TRUE
  /\ f \notin known_isr[e]
  /\ 0 < fetched_broker_epoch[e, f]
  /\ high_watermark[e] <= fetched[e, f]
  /\ epoch_start[e] <= fetched[e, f]

DL3(f, b, e) ==
  /\ DL3_is_enabled(f, b, e)
  /\ proposing' = [proposing EXCEPT ![e] = TRUE]
  /\ alter_sent' = [alter_sent EXCEPT ![e] = TRUE]
  /\ alter_refused' = [alter_refused EXCEPT ![e] = FALSE]
  /\ proposed_isr' = [proposed_isr EXCEPT ![e] = known_isr[e] \union {f}]
  /\ proposed_under' = [proposed_under EXCEPT ![e] = known_partition_epoch[e]]
  /\ proposed_broker_epoch' = [proposed_broker_epoch EXCEPT ![e, f] = fetched_broker_epoch[e, f]]
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, crashed, broker_epoch,
         known_epoch, truncated, leader_of, epoch_start, log_end, leader_end, leader_log, log, known_partition_epoch,
         known_isr, known_config, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark,
         first_high_watermark, partition_epoch_and_others>>

\* KIP-497
DL4_is_enabled(f, b, e) ==
  /\ leads_2(e, b) = TRUE
  /\ (~proposing[e]) = TRUE
  /\ f \in known_isr[e]
  /\ f # b

DL4(f, b, e) ==
  /\ DL4_is_enabled(f, b, e)
  /\ proposing' = [proposing EXCEPT ![e] = TRUE]
  /\ alter_sent' = [alter_sent EXCEPT ![e] = TRUE]
  /\ alter_refused' = [alter_refused EXCEPT ![e] = FALSE]
  /\ proposed_isr' = [proposed_isr EXCEPT ![e] = known_isr[e] \ {f}]
  /\ proposed_under' = [proposed_under EXCEPT ![e] = known_partition_epoch[e]]
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, crashed, broker_epoch,
         known_epoch, truncated, proposed_broker_epoch, leader_of, epoch_start, log_end, leader_end, leader_log, log,
         known_partition_epoch, known_isr, known_config, fetch_broker_epoch, fetch_offset, fetched,
         fetched_broker_epoch, high_watermark, first_high_watermark, partition_epoch_and_others>>

\* KIP-497
DL5_is_enabled(b, e) ==
  /\ leads_2(e, b) = TRUE
  /\ proposing[e]
  /\ alter_refused[e]

DL5(b, e) ==
  /\ DL5_is_enabled(b, e)
  /\ proposing' = [proposing EXCEPT ![e] = FALSE]
  /\ alter_refused' = [alter_refused EXCEPT ![e] = FALSE]
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, crashed, broker_epoch,
         known_epoch, truncated, alter_sent, proposed_under, proposed_isr, proposed_broker_epoch, leader_of,
         epoch_start, log_end, leader_end, leader_log, log, known_partition_epoch, known_isr, known_config,
         fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark, first_high_watermark,
         partition_epoch_and_others>>

\* KIP-966
DL6_is_enabled(n, b, e) ==
  /\ leads_2(e, b) = TRUE
  /\ high_watermark[e] < n
  /\ n <= log_end[b]
  /\ enough(e) = TRUE
  /\ all_have(e, b, n) = TRUE

DL6(n, b, e) ==
  /\ DL6_is_enabled(n, b, e)
  /\ high_watermark' = [high_watermark EXCEPT ![e] = n]
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, crashed, broker_epoch,
         known_epoch, truncated, alter_sent, proposed_under, proposed_isr, proposed_broker_epoch, alter_refused,
         leader_of, epoch_start, log_end, leader_end, leader_log, log, known_partition_epoch, known_isr, known_config,
         proposing, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, first_high_watermark,
         partition_epoch_and_others>>

\* KIP-101, KIP-279
DF1_is_enabled(f, e, asked, k, n) ==
  /\ begins(f, e) = TRUE
  /\ 0 < log_end[f]
  /\ last(f) <= asked
  /\ asked < e
  /\ answered_epoch(e, k, asked) = TRUE
  /\ cut_at(f, n, k, e, asked) = TRUE
  /\ n < log_end[f]

DF1(f, e, asked, k, n) ==
  /\ DF1_is_enabled(f, e, asked, k, n)
  /\ log_end' = [log_end EXCEPT ![f] = n]
  /\ log' = Put(log, {[at |-> <<f, o>>, to |-> 0] : o \in {o \in offset : n <= o}})
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, crashed, broker_epoch,
         known_epoch, truncated, alter_sent, proposed_under, proposed_isr, proposed_broker_epoch, alter_refused,
         leader_of, epoch_start, leader_end, leader_log, known_partition_epoch, known_isr, known_config, proposing,
         fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark, first_high_watermark,
         partition_epoch_and_others>>

\* KIP-595
DF4_is_enabled(f, e) ==
  /\ begins(f, e) = TRUE
  /\ agrees(f, e) = TRUE

DF4(f, e) ==
  /\ DF4_is_enabled(f, e)
  /\ truncated' = [truncated EXCEPT ![f] = TRUE]
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, crashed, broker_epoch,
         known_epoch, alter_sent, proposed_under, proposed_isr, proposed_broker_epoch, alter_refused, leader_of,
         epoch_start, log_end, leader_end, leader_log, log, known_partition_epoch, known_isr, known_config, proposing,
         fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark, first_high_watermark,
         partition_epoch_and_others>>

\* KIP-320
DF2_is_enabled(f, e) ==
  /\ known_epoch[f] = e
  /\ truncated[f]
  /\ (~crashed[f]) = TRUE
  /\ leader_of[known_epoch[f]] # f
  /\ leader_of[e] # f
  /\ log_end[f] < leader_end[e]

DF2(f, e) ==
  /\ DF2_is_enabled(f, e)
  /\ log_end[f] <= Maxoffset - 1
  /\ log' = [log EXCEPT ![f, log_end[f]] = leader_log[e, log_end[f]]]
  /\ log_end' = [log_end EXCEPT ![f] = log_end[f] + 1]
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, crashed, broker_epoch,
         known_epoch, truncated, alter_sent, proposed_under, proposed_isr, proposed_broker_epoch, alter_refused,
         leader_of, epoch_start, leader_end, leader_log, known_partition_epoch, known_isr, known_config, proposing,
         fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark, first_high_watermark,
         partition_epoch_and_others>>

\* KIP-320
DF3_is_enabled(f) ==
  /\ truncated[f]
  /\ (~crashed[f]) = TRUE
  /\ leader_of[known_epoch[f]] # f

DF3(f) ==
  /\ DF3_is_enabled(f)
  /\ fetch_offset' = [fetch_offset EXCEPT ![known_epoch[f], f] = log_end[f]]
  /\ fetch_broker_epoch' = [fetch_broker_epoch EXCEPT ![known_epoch[f], f] = broker_epoch[f]]
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, crashed, broker_epoch,
         known_epoch, truncated, alter_sent, proposed_under, proposed_isr, proposed_broker_epoch, alter_refused,
         leader_of, epoch_start, log_end, leader_end, leader_log, log, known_partition_epoch, known_isr, known_config,
         proposing, fetched, fetched_broker_epoch, high_watermark, first_high_watermark, partition_epoch_and_others>>

\* KIP-966
DX1_is_enabled(b, n, noticed) ==
  /\ (noticed \/ n = log_end[b]) = TRUE
  /\ (~crashed[b]) = TRUE
  /\ n <= log_end[b]
  /\ 0 < partition_epoch
  /\ noticed

DX1(b, n, noticed) ==
  /\ DX1_is_enabled(b, n, noticed)
  /\ crashed' = [crashed EXCEPT ![b] = TRUE]
  /\ log_end' = [log_end EXCEPT ![b] = n]
  /\ log' = Put(log, {[at |-> <<b, o>>, to |-> 0] : o \in {o \in offset : n <= o}})
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, broker_epoch, known_epoch,
         truncated, alter_sent, proposed_under, proposed_isr, proposed_broker_epoch, alter_refused, leader_of,
         epoch_start, leader_end, leader_log, known_partition_epoch, known_isr, known_config, proposing,
         fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark, first_high_watermark,
         partition_epoch_and_others>>

\* KIP-966
DX2_is_enabled(b, n, noticed) ==
  /\ (noticed \/ n = log_end[b]) = TRUE
  /\ (~crashed[b]) = TRUE
  /\ n <= log_end[b]
  /\ 0 < partition_epoch
  /\ (~noticed) = TRUE

DX2(b, n, noticed) ==
  /\ DX2_is_enabled(b, n, noticed)
  /\ log_end' = [log_end EXCEPT ![b] = n]
  /\ log' = Put(log, {[at |-> <<b, o>>, to |-> 0] : o \in {o \in offset : n <= o}})
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, crashed, broker_epoch,
         known_epoch, truncated, alter_sent, proposed_under, proposed_isr, proposed_broker_epoch, alter_refused,
         leader_of, epoch_start, leader_end, leader_log, known_partition_epoch, known_isr, known_config, proposing,
         fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark, first_high_watermark,
         partition_epoch_and_others>>

Init ==
  /\ partition_epoch = 0
  /\ leader_at = [k \in partition_epoch_2 |-> None]
  /\ epoch_at = [k \in partition_epoch_2 |-> 0]
  /\ isr_at = [k \in partition_epoch_2 |-> {}]
  /\ elr_at = [k \in partition_epoch_2 |-> {}]
  /\ first_config = [k \in partition_epoch_2 |-> 1]
  /\ config = 1
  /\ last_config = [k \in partition_epoch_2 |-> 1]
  /\ was_enough = [k \in partition_epoch_2 |-> FALSE]
  /\ unclean_at = [k \in leader_epoch |-> 0]
  /\ elected_in = [k \in Broker, k2 \in leader_epoch |-> 0]
  /\ crashed = [k \in Broker |-> FALSE]
  /\ broker_epoch = [k \in Broker |-> 1]
  /\ known_epoch = [k \in Broker |-> 0]
  /\ truncated = [k \in Broker |-> FALSE]
  /\ alter_sent = [k \in leader_epoch |-> FALSE]
  /\ proposed_under = [k \in leader_epoch |-> 0]
  /\ proposed_isr = [k \in leader_epoch |-> {}]
  /\ proposed_broker_epoch = [k \in leader_epoch, k2 \in Broker |-> 0]
  /\ alter_refused = [k \in leader_epoch |-> FALSE]
  /\ leader_of = [k \in leader_epoch |-> None]
  /\ epoch_start = [k \in leader_epoch |-> 0]
  /\ log_end = [k \in Broker |-> 0]
  /\ leader_end = [k \in leader_epoch |-> 0]
  /\ leader_log = [k \in leader_epoch, k2 \in offset |-> 0]
  /\ log = [k \in Broker, k2 \in offset |-> 0]
  /\ known_partition_epoch = [k \in leader_epoch |-> 0]
  /\ known_isr = [k \in leader_epoch |-> {}]
  /\ known_config = [k \in leader_epoch |-> 1]
  /\ proposing = [k \in leader_epoch |-> FALSE]
  /\ fetch_broker_epoch = [k \in leader_epoch, k2 \in Broker |-> 0]
  /\ fetch_offset = [k \in leader_epoch, k2 \in Broker |-> 0]
  /\ fetched = [k \in leader_epoch, k2 \in Broker |-> 0]
  /\ fetched_broker_epoch = [k \in leader_epoch, k2 \in Broker |-> 0]
  /\ high_watermark = [k \in leader_epoch |-> 0]
  /\ first_high_watermark = [k \in leader_epoch |-> 0]
  /\ min_isr_in \in [configuration -> size]

Rows ==
  \/ \E g \in Broker, members \in SUBSET Broker : DC1(g, members)
  \/ \E b \in Broker :
       \/ DC2(b)
       \/ DC3(b)
  \/ \E g \in Broker :
       \/ DC4(g)
       \/ DC5(g)
       \/ DC6(g)
       \/ DC14(g)
       \/ DC19(g)
  \/ \E b \in Broker :
       /\ crashed[b]
       /\ \E read \in leader_epoch :
            /\ read <= (IF leader = b THEN leader_epoch_2 + 1 ELSE leader_epoch_2)
            /\ (IF leader = b THEN leader_epoch_2 + 1 ELSE leader_epoch_2) <= read
            /\ \/ DC7(b, read)
               \/ DC8(b, read)
               \/ DC9(b, read)
               \/ DC10(b, read)
  \/ \E b \in Broker :
       /\ crashed[b]
       /\ \E g \in Broker, read \in leader_epoch :
            \/ DC11(b, g, read)
            \/ DC15(b, g, read)
            \/ DC20(b, g, read)
  \/ \E e \in leader_epoch : DC12(e)
  \/ \E e \in leader_epoch, queued \in BOOLEAN : DC13(e, queued)
  \/ \E e \in leader_epoch, g \in Broker : DC16(e, g)
  \/ \E c \in configuration :
       /\ c = config + 1
       /\ \/ DC17(c)
          \/ DC18(c)
  \/ \E v \in partition_epoch_2 :
       /\ v <= partition_epoch
       /\ 0 < v
       /\ \E c \in configuration :
            /\ c <= last_config[v]
            /\ 1 <= c
            /\ first_config[v] <= c
            /\ \E b \in Broker :
                 \/ DM1(b, v, c)
                 \/ DM2(b, v, c)
                 \/ DM3(b, v, c)
                 \/ DM4(b, v, c)
  \/ \E b \in Broker, e \in leader_epoch :
       /\ leads_2(e, b) = TRUE
       /\ \/ DL1(b, e)
          \/ DL5(b, e)
  \/ \E f \in Broker, b \in Broker, e \in leader_epoch, n \in offset : DL2(f, b, e, n)
  \/ \E e \in leader_epoch :
       /\ (~proposing[e]) = TRUE
       /\ \E b \in Broker :
            /\ leads_2(e, b) = TRUE
            /\ \E f \in Broker :
                 \/ DL3(f, b, e)
                 \/ DL4(f, b, e)
  \/ \E n \in offset, b \in Broker, e \in leader_epoch : DL6(n, b, e)
  \/ \E f \in Broker, e \in leader_epoch, asked \in leader_epoch, k \in leader_epoch, n \in offset : DF1(f, e, asked, k,
       n)
  \/ \E f \in Broker, e \in leader_epoch :
       \/ DF4(f, e)
       \/ DF2(f, e)
  \/ \E f \in Broker : DF3(f)
  \/ \E b \in Broker :
       /\ (~crashed[b]) = TRUE
       /\ \E n \in offset :
            /\ n <= log_end[b]
            /\ \E noticed \in BOOLEAN :
                 /\ (noticed \/ n = log_end[b]) = TRUE
                 /\ \/ DX1(b, n, noticed)
                    \/ DX2(b, n, noticed)

Next == Rows \/ UNCHANGED vars

Spec == Init /\ [][Next]_vars

\* The guard of some row holds: unlike in ENABLED Rows, of one too that only a range disables.
SomeRowIsEnabled ==
  \/ \E g \in Broker, members \in SUBSET Broker : DC1_is_enabled(g, members)
  \/ \E b \in Broker :
       \/ DC2_is_enabled(b)
       \/ leader = b
  \/ \E g \in Broker :
       \/ DC4_is_enabled(g)
       \/ DC5_is_enabled(g)
       \/ DC6_is_enabled(g)
       \/ DC14_is_enabled(g)
       \/ DC19_is_enabled(g)
  \/ \E b \in Broker :
       /\ crashed[b]
       /\ \E read \in leader_epoch :
            /\ read <= (IF leader = b THEN leader_epoch_2 + 1 ELSE leader_epoch_2)
            /\ (IF leader = b THEN leader_epoch_2 + 1 ELSE leader_epoch_2) <= read
            /\ \/ DC7_is_enabled(b, read)
               \/ DC8_is_enabled(b, read)
               \/ DC9_is_enabled(b, read)
               \/ DC10_is_enabled(b, read)
  \/ \E b \in Broker :
       /\ crashed[b]
       /\ \E g \in Broker, read \in leader_epoch :
            \/ DC11_is_enabled(b, g, read)
            \/ DC15_is_enabled(b, g, read)
            \/ DC20_is_enabled(b, g, read)
  \/ \E e \in leader_epoch : DC12_is_enabled(e)
  \/ \E e \in leader_epoch, queued \in BOOLEAN : DC13_is_enabled(e, queued)
  \/ \E e \in leader_epoch, g \in Broker : DC16_is_enabled(e, g)
  \/ \E c \in configuration :
       /\ c = config + 1
       /\ \/ DC17_is_enabled(c)
          \/ DC18_is_enabled(c)
  \/ \E v \in partition_epoch_2 :
       /\ v <= partition_epoch
       /\ 0 < v
       /\ \E c \in configuration :
            /\ c <= last_config[v]
            /\ 1 <= c
            /\ first_config[v] <= c
            /\ \E b \in Broker :
                 \/ DM1_is_enabled(b, v, c)
                 \/ DM2_is_enabled(b, v, c)
                 \/ DM3_is_enabled(b, v, c)
                 \/ DM4_is_enabled(b, v, c)
  \/ \E b \in Broker, e \in leader_epoch :
       /\ leads_2(e, b) = TRUE
       /\ \/ leads_2(e, b) = TRUE
          \/ DL5_is_enabled(b, e)
  \/ \E f \in Broker, b \in Broker, e \in leader_epoch, n \in offset : DL2_is_enabled(f, b, e, n)
  \/ \E e \in leader_epoch :
       /\ (~proposing[e]) = TRUE
       /\ \E b \in Broker :
            /\ leads_2(e, b) = TRUE
            /\ \E f \in Broker :
                 \/ DL3_is_enabled(f, b, e)
                 \/ DL4_is_enabled(f, b, e)
  \/ \E n \in offset, b \in Broker, e \in leader_epoch : DL6_is_enabled(n, b, e)
  \/ \E f \in Broker, e \in leader_epoch, asked \in leader_epoch, k \in leader_epoch, n \in offset : DF1_is_enabled(f,
       e, asked, k, n)
  \/ \E f \in Broker, e \in leader_epoch :
       \/ DF4_is_enabled(f, e)
       \/ DF2_is_enabled(f, e)
  \/ \E f \in Broker : DF3_is_enabled(f)
  \/ \E b \in Broker :
       /\ (~crashed[b]) = TRUE
       /\ \E n \in offset :
            /\ n <= log_end[b]
            /\ \E noticed \in BOOLEAN :
                 /\ (noticed \/ n = log_end[b]) = TRUE
                 /\ \/ DX1_is_enabled(b, n, noticed)
                    \/ DX2_is_enabled(b, n, noticed)

\* A broker that leads has every record that was acknowledged in its leader epoch or in an earlier one, at its offset,
\* however late it was acknowledged, unless an epoch between began with an unclean election. (KIP-966, Vanlightly/kafka-
\* tlaplus LeaderCompleteness)
AcknowledgedIsKept == \A b \in Broker, d \in leader_epoch, e \in leader_epoch, o \in offset : (leads_2(d, b) /\ e <= d
  /\ unclean_at[d] <= e /\ o < high_watermark[e]) => (o < log_end[b] /\ log[b, o] = leader_log[e, o])

\* It had those of earlier epochs when its own began, those that a replaced leader acknowledges afterwards, too.
\* (KIP-966, Vanlightly/kafka-tlaplus LeaderCompleteness)
ElectedHadAcknowledged == \A d \in leader_epoch, e \in leader_epoch, o \in offset : (e < d /\ unclean_at[d] <= e /\
  leader_of[d] # None /\ o < high_watermark[e]) => (o < epoch_start[d] /\ leader_log[d, o] = leader_log[e, o])

\* A broker that runs and is in the ISR or the ELR, or has been elected and has not read it, has every record that was
\* acknowledged. (KIP-966, Vanlightly/kafka-tlaplus LeaderCandidateCompleteness)
CandidatesHaveAcknowledged == \A b \in Broker, e \in leader_epoch, o \in offset : (((unclean_at[leader_epoch_2] <= e /\
  (b \in isr \/ b \in elr)) \/ (e < elected_in[b, e] /\ known_epoch[b] < elected_in[b, e])) /\ ~crashed[b] /\ o <
  high_watermark[e]) => (o < log_end[b] /\ log[b, o] = leader_log[e, o])

\* No two leaders acknowledge different records at one offset, unless an epoch between began with an unclean election.
\* (KIP-101)
OneRecordIsAcknowledged == \A d \in leader_epoch, e \in leader_epoch, o \in offset : (e <= d /\ unclean_at[d] <= e /\ o
  < high_watermark[e] /\ o < high_watermark[d]) => leader_log[d, o] = leader_log[e, o]

\* Who has read up to the high watermark of an epoch is not out of range at a broker that leads in it or later, unless
\* an epoch between began with an unclean election. (KIP-320, KIP-392)
LeaderLogReachesAcknowledged == \A b \in Broker, d \in leader_epoch, e \in leader_epoch : (leads_2(d, b) /\ e <= d /\
  unclean_at[d] <= e) => high_watermark[e] <= log_end[b]

\* A high watermark that has reached the start of its epoch, so that ListOffsets answers with it, is at or beyond those
\* of earlier epochs, whatever their leaders acknowledge afterwards, unless an epoch between began with an unclean
\* election. (KIP-207)
ToldEndDoesNotGoBack == \A d \in leader_epoch, e \in leader_epoch : (e < d /\ unclean_at[d] <= e /\ leader_of[d] # None
  /\ (epoch_start[d] <= high_watermark[d] \/ epoch_start[d] <= first_high_watermark[d])) => (high_watermark[e] <=
  high_watermark[d] \/ high_watermark[e] <= first_high_watermark[d])

\* A follower cuts off no record that its leader has at the same offset. (KIP-101, KIP-279)
TruncationKeepsShared == [][(\A f \in Broker, e \in leader_epoch, asked \in leader_epoch, k \in leader_epoch, n \in
  offset : (DF1(f, e, asked, k, n)) => (\A o \in offset : (o < log_end[f] /\ o < leader_end[e] /\ log[f, o] =
  leader_log[e, o]) => o < n))]_vars

TruncationKeepsShared_where_nothing_changes == (\A f \in Broker, e \in leader_epoch, asked \in leader_epoch, k \in
  leader_epoch, n \in offset : (ENABLED (UNCHANGED vars /\ (DF1(f, e, asked, k, n)))) => (\A o \in offset : (o <
  log_end[f] /\ o < leader_end[e] /\ log[f, o] = leader_log[e, o]) => o < n))

\* A record is acknowledged, and another epoch begins. (KIP-966)
\* TLC is asked that this never holds; a violation is the witness.
W1 == ~(\E e \in leader_epoch : 0 < high_watermark[e] /\ e < leader_epoch_2)

\* After an unclean election a broker leads without a record that was acknowledged. (KIP-966)
\* TLC is asked that this never holds; a violation is the witness.
W3 == ~(\E d \in leader_epoch, e \in leader_epoch : e < d /\ epoch_start[d] < high_watermark[e] /\ leader_of[d] # None)

\* A record is acknowledged, and another broker leads. (KIP-966)
\* TLC is asked that this never holds; a violation is the witness.
W2 == ~(\E d \in leader_epoch, e \in leader_epoch : e < d /\ 0 < high_watermark[e] /\ leader_of[d] # None)

\* The high watermark of a new leader lags behind what was acknowledged: before it has reached the start of its epoch,
\* ListOffsets must not answer with it. (KIP-207)
\* TLC is asked that this never holds; a violation is the witness.
W12 == ~(\E d \in leader_epoch, e \in leader_epoch : e < d /\ unclean_at[d] <= e /\ high_watermark[d] <
  high_watermark[e] /\ leader_of[d] # None)
================================================================================
