------------------------------ MODULE kraft_data -------------------------------
\* kraft-data: Replication of one partition of kraft: a record acknowledged with acks=all survives, short of an unclean
\* election.
\* Made from the tables of kraft-data 9730f13d5ec4; not to be edited.
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS Maxpartition_epoch, NumberBroker, Maxleader_epoch, Maxconfiguration, Maxsize, Maxbroker_epoch, Maxoffset, None

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
  proposed_isr, proposed_broker_epoch, alter_refused, slowest, log_end, slowest_end, leader_of, epoch_start, leader_end,
  leader_log, log, known_partition_epoch, known_isr, known_config, first_high_watermark, known_high_watermark,
  first_acknowledged_in, acknowledged_in, proposing, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch,
  high_watermark

vars == <<partition_epoch, leader_at, epoch_at, isr_at, elr_at, first_config, config, last_config, was_enough,
  min_isr_in, unclean_at, elected_in, crashed, broker_epoch, known_epoch, truncated, alter_sent, proposed_under,
  proposed_isr, proposed_broker_epoch, alter_refused, slowest, log_end, slowest_end, leader_of, epoch_start, leader_end,
  leader_log, log, known_partition_epoch, known_isr, known_config, first_high_watermark, known_high_watermark,
  first_acknowledged_in, acknowledged_in, proposing, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch,
  high_watermark>>

partition_epoch_and_others == <<partition_epoch, leader_at, epoch_at, isr_at, elr_at, first_config>>

leader_of_and_others == <<leader_of, epoch_start, first_high_watermark, first_acknowledged_in>>

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

cut_at(f, n, k, e, asked) == \A i \in offset : i < log_end[f] => (i < n) = (log[f, i] <= k /\ i < leader_end[e] /\
  leader_log[e, i] <= asked)

agrees(f, e) == log_end[f] = 0 \/ (log_end[f] <= leader_end[e] /\ At(leader_log, <<e, log_end[f] - 1>>, 0) <= last(f) /\
  (\E i \in offset : i < leader_end[e] /\ leader_log[e, i] = last(f)))

told(n, e) == n <= high_watermark[e] \/ n <= first_high_watermark[e]

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

\* The controller writes ClearElr with a configuration: nobody is eligible any more; that takes a partition epoch.
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
         proposed_isr, proposed_broker_epoch, alter_refused, slowest, log_end, slowest_end, leader_end, leader_log, log,
         known_partition_epoch, known_isr, known_config, known_high_watermark, acknowledged_in, proposing,
         fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark, leader_of_and_others>>

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
         proposed_under, proposed_isr, proposed_broker_epoch, alter_refused, slowest, log_end, slowest_end, leader_end,
         leader_log, log, known_partition_epoch, known_isr, known_config, known_high_watermark, acknowledged_in,
         proposing, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark,
         leader_of_and_others>>

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
         proposed_under, proposed_isr, proposed_broker_epoch, alter_refused, slowest, log_end, slowest_end, leader_end,
         leader_log, log, known_partition_epoch, known_isr, known_config, known_high_watermark, acknowledged_in,
         proposing, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark,
         leader_of_and_others>>

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
         proposed_isr, proposed_broker_epoch, alter_refused, slowest, log_end, slowest_end, leader_end, leader_log, log,
         known_partition_epoch, known_isr, known_config, known_high_watermark, acknowledged_in, proposing,
         fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark, leader_of_and_others>>

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
         proposed_isr, proposed_broker_epoch, alter_refused, slowest, log_end, slowest_end, leader_end, leader_log, log,
         known_partition_epoch, known_isr, known_config, known_high_watermark, acknowledged_in, proposing,
         fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark, leader_of_and_others>>

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
         proposed_isr, proposed_broker_epoch, alter_refused, slowest, log_end, slowest_end, leader_end, leader_log, log,
         known_partition_epoch, known_isr, known_config, known_high_watermark, acknowledged_in, proposing,
         fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark, leader_of_and_others>>

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
         proposed_isr, proposed_broker_epoch, alter_refused, slowest, log_end, slowest_end, leader_end, leader_log, log,
         known_partition_epoch, known_isr, known_config, known_high_watermark, acknowledged_in, proposing,
         fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark, partition_epoch_and_others,
         leader_of_and_others>>

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
         alter_refused, slowest, log_end, slowest_end, leader_end, leader_log, log, known_partition_epoch, known_isr,
         known_config, known_high_watermark, acknowledged_in, proposing, fetch_broker_epoch, fetch_offset, fetched,
         fetched_broker_epoch, high_watermark, leader_of_and_others>>

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
         alter_refused, slowest, log_end, slowest_end, leader_end, leader_log, log, known_partition_epoch, known_isr,
         known_config, known_high_watermark, acknowledged_in, proposing, fetch_broker_epoch, fetch_offset, fetched,
         fetched_broker_epoch, high_watermark, leader_of_and_others>>

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
         alter_refused, slowest, log_end, slowest_end, leader_end, leader_log, log, known_partition_epoch, known_isr,
         known_config, known_high_watermark, acknowledged_in, proposing, fetch_broker_epoch, fetch_offset, fetched,
         fetched_broker_epoch, high_watermark, leader_of_and_others>>

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
         slowest, log_end, slowest_end, leader_end, leader_log, log, known_partition_epoch, known_isr, known_config,
         known_high_watermark, acknowledged_in, proposing, fetch_broker_epoch, fetch_offset, fetched,
         fetched_broker_epoch, high_watermark, leader_of_and_others>>

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
         proposed_under, proposed_isr, proposed_broker_epoch, alter_refused, slowest, log_end, slowest_end, leader_end,
         leader_log, log, known_partition_epoch, known_isr, known_config, known_high_watermark, acknowledged_in,
         proposing, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark,
         leader_of_and_others>>

\* KIP-497, KIP-903
DC13_is_enabled(e, queued) ==
  /\ (~queued) = TRUE
  /\ in_flight(e) = TRUE

DC13(e, queued) ==
  /\ DC13_is_enabled(e, queued)
  /\ alter_sent' = [alter_sent EXCEPT ![e] = queued]
  /\ alter_refused' = [alter_refused EXCEPT ![e] = TRUE]
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, crashed, broker_epoch,
         known_epoch, truncated, proposed_under, proposed_isr, proposed_broker_epoch, slowest, log_end, slowest_end,
         leader_end, leader_log, log, known_partition_epoch, known_isr, known_config, known_high_watermark,
         acknowledged_in, proposing, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark,
         partition_epoch_and_others, leader_of_and_others>>

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
         proposed_isr, proposed_broker_epoch, alter_refused, slowest, log_end, slowest_end, leader_end, leader_log, log,
         known_partition_epoch, known_isr, known_config, known_high_watermark, acknowledged_in, proposing,
         fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark, leader_of_and_others>>

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
         slowest, log_end, slowest_end, leader_end, leader_log, log, known_partition_epoch, known_isr, known_config,
         known_high_watermark, acknowledged_in, proposing, fetch_broker_epoch, fetch_offset, fetched,
         fetched_broker_epoch, high_watermark, leader_of_and_others>>

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
         proposed_isr, proposed_broker_epoch, alter_refused, slowest, log_end, slowest_end, leader_end, leader_log, log,
         known_partition_epoch, known_isr, known_config, known_high_watermark, acknowledged_in, proposing,
         fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark, leader_of_and_others>>

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
         proposed_under, proposed_isr, proposed_broker_epoch, alter_refused, slowest, log_end, slowest_end, leader_end,
         leader_log, log, known_partition_epoch, known_isr, known_config, known_high_watermark, acknowledged_in,
         proposing, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark,
         partition_epoch_and_others, leader_of_and_others>>

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
         proposed_under, proposed_isr, proposed_broker_epoch, alter_refused, slowest, log_end, slowest_end, leader_end,
         leader_log, log, known_partition_epoch, known_isr, known_config, known_high_watermark, acknowledged_in,
         proposing, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark,
         leader_of_and_others>>

\* KIP-704, KIP-966
DC19_is_enabled(g) ==
  /\ 0 < partition_epoch
  /\ g \notin isr
  /\ g \notin elr

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
         proposed_under, proposed_isr, proposed_broker_epoch, alter_refused, slowest, log_end, slowest_end, leader_end,
         leader_log, log, known_partition_epoch, known_isr, known_config, known_high_watermark, acknowledged_in,
         proposing, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark,
         leader_of_and_others>>

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
         alter_refused, slowest, log_end, slowest_end, leader_end, leader_log, log, known_partition_epoch, known_isr,
         known_config, known_high_watermark, acknowledged_in, proposing, fetch_broker_epoch, fetch_offset, fetched,
         fetched_broker_epoch, high_watermark, leader_of_and_others>>

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
  /\ slowest' = [k \in leader_epoch |-> IF known_epoch[b] <= k /\ k < epoch_at[v] /\ ((unclean_at[leader_epoch_2] <= k
         /\ (b \in isr \/ b \in elr)) \/ (k < elected_in[b, k] /\ known_epoch[b] < elected_in[b, k])) /\ (slowest[k] =
         None \/ (IF truncated[b] /\ known_epoch[b] = k THEN log_end[b] ELSE 0) < slowest_end[k]) THEN b ELSE
         slowest[k]]
  /\ slowest_end' = [k \in leader_epoch |-> IF known_epoch[b] <= k /\ k < epoch_at[v] /\ ((unclean_at[leader_epoch_2] <=
         k /\ (b \in isr \/ b \in elr)) \/ (k < elected_in[b, k] /\ known_epoch[b] < elected_in[b, k])) /\ (slowest[k] =
         None \/ (IF truncated[b] /\ known_epoch[b] = k THEN log_end[b] ELSE 0) < slowest_end[k]) THEN IF truncated[b]
         /\ known_epoch[b] = k THEN log_end[b] ELSE 0 ELSE slowest_end[k]]
  /\ truncated' = [truncated EXCEPT ![b] = TRUE]
  /\ leader_of' = [leader_of EXCEPT ![epoch_at[v]] = b]
  /\ epoch_start' = [epoch_start EXCEPT ![epoch_at[v]] = log_end[b]]
  /\ leader_end' = [leader_end EXCEPT ![epoch_at[v]] = log_end[b]]
  /\ leader_log' = Put(leader_log, {[at |-> <<epoch_at[v], o>>, to |-> log[b, o]] : o \in {o \in offset : o <
         log_end[b]}})
  /\ known_partition_epoch' = [known_partition_epoch EXCEPT ![epoch_at[v]] = v]
  /\ known_isr' = [known_isr EXCEPT ![epoch_at[v]] = isr_at[v]]
  /\ known_config' = [known_config EXCEPT ![epoch_at[v]] = c]
  /\ first_high_watermark' = [first_high_watermark EXCEPT ![epoch_at[v]] = known_high_watermark[b]]
  /\ first_acknowledged_in' = [first_acknowledged_in EXCEPT ![epoch_at[v]] = acknowledged_in[b]]
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, crashed, broker_epoch, alter_sent,
         proposed_under, proposed_isr, proposed_broker_epoch, alter_refused, log_end, log, known_high_watermark,
         acknowledged_in, proposing, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark,
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
  /\ slowest' = [k \in leader_epoch |-> IF known_epoch[b] <= k /\ k < epoch_at[v] /\ ((unclean_at[leader_epoch_2] <= k
         /\ (b \in isr \/ b \in elr)) \/ (k < elected_in[b, k] /\ known_epoch[b] < elected_in[b, k])) /\ (slowest[k] =
         None \/ (IF truncated[b] /\ known_epoch[b] = k THEN log_end[b] ELSE 0) < slowest_end[k]) THEN b ELSE
         slowest[k]]
  /\ slowest_end' = [k \in leader_epoch |-> IF known_epoch[b] <= k /\ k < epoch_at[v] /\ ((unclean_at[leader_epoch_2] <=
         k /\ (b \in isr \/ b \in elr)) \/ (k < elected_in[b, k] /\ known_epoch[b] < elected_in[b, k])) /\ (slowest[k] =
         None \/ (IF truncated[b] /\ known_epoch[b] = k THEN log_end[b] ELSE 0) < slowest_end[k]) THEN IF truncated[b]
         /\ known_epoch[b] = k THEN log_end[b] ELSE 0 ELSE slowest_end[k]]
  /\ truncated' = [truncated EXCEPT ![b] = FALSE]
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, crashed, broker_epoch, alter_sent,
         proposed_under, proposed_isr, proposed_broker_epoch, alter_refused, log_end, leader_end, leader_log, log,
         known_partition_epoch, known_isr, known_config, known_high_watermark, acknowledged_in, proposing,
         fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark, partition_epoch_and_others,
         leader_of_and_others>>

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
         known_epoch, truncated, alter_sent, proposed_under, proposed_isr, proposed_broker_epoch, slowest, log_end,
         slowest_end, leader_end, leader_log, log, known_high_watermark, acknowledged_in, fetch_broker_epoch,
         fetch_offset, fetched, fetched_broker_epoch, high_watermark, partition_epoch_and_others, leader_of_and_others>>

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
         slowest, log_end, slowest_end, leader_end, leader_log, log, known_partition_epoch, known_isr,
         known_high_watermark, acknowledged_in, proposing, fetch_broker_epoch, fetch_offset, fetched,
         fetched_broker_epoch, high_watermark, partition_epoch_and_others, leader_of_and_others>>

\* KIP-966
DL1(b, e) ==
  /\ leads_2(e, b) = TRUE
  /\ log' = [log EXCEPT ![b, log_end[b]] = e]
  /\ log_end' = [log_end EXCEPT ![b] = log_end[b] + 1]
  /\ leader_log' = [leader_log EXCEPT ![e, log_end[b]] = e]
  /\ leader_end' = [leader_end EXCEPT ![e] = log_end[b] + 1]
  /\ log_end' \in [Broker -> offset]
  /\ leader_end' \in [leader_epoch -> offset]
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, crashed, broker_epoch,
         known_epoch, truncated, alter_sent, proposed_under, proposed_isr, proposed_broker_epoch, alter_refused,
         slowest, slowest_end, known_partition_epoch, known_isr, known_config, known_high_watermark, acknowledged_in,
         proposing, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark,
         partition_epoch_and_others, leader_of_and_others>>

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
         slowest, log_end, slowest_end, leader_end, leader_log, log, known_partition_epoch, known_isr, known_config,
         known_high_watermark, acknowledged_in, proposing, fetch_broker_epoch, fetch_offset, high_watermark,
         partition_epoch_and_others, leader_of_and_others>>

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
         known_epoch, truncated, slowest, log_end, slowest_end, leader_end, leader_log, log, known_partition_epoch,
         known_isr, known_config, known_high_watermark, acknowledged_in, fetch_broker_epoch, fetch_offset, fetched,
         fetched_broker_epoch, high_watermark, partition_epoch_and_others, leader_of_and_others>>

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
         known_epoch, truncated, proposed_broker_epoch, slowest, log_end, slowest_end, leader_end, leader_log, log,
         known_partition_epoch, known_isr, known_config, known_high_watermark, acknowledged_in, fetch_broker_epoch,
         fetch_offset, fetched, fetched_broker_epoch, high_watermark, partition_epoch_and_others, leader_of_and_others>>

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
         known_epoch, truncated, alter_sent, proposed_under, proposed_isr, proposed_broker_epoch, slowest, log_end,
         slowest_end, leader_end, leader_log, log, known_partition_epoch, known_isr, known_config, known_high_watermark,
         acknowledged_in, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark,
         partition_epoch_and_others, leader_of_and_others>>

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
  /\ known_high_watermark' = [known_high_watermark EXCEPT ![b] = IF known_high_watermark[b] < n THEN n ELSE
         known_high_watermark[b]]
  /\ acknowledged_in' = [acknowledged_in EXCEPT ![b] = IF known_high_watermark[b] < n THEN e ELSE acknowledged_in[b]]
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, crashed, broker_epoch,
         known_epoch, truncated, alter_sent, proposed_under, proposed_isr, proposed_broker_epoch, alter_refused,
         slowest, log_end, slowest_end, leader_end, leader_log, log, known_partition_epoch, known_isr, known_config,
         proposing, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, partition_epoch_and_others,
         leader_of_and_others>>

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
  /\ known_high_watermark' = [known_high_watermark EXCEPT ![f] = IF n < known_high_watermark[f] THEN n ELSE
         known_high_watermark[f]]
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, crashed, broker_epoch,
         known_epoch, truncated, alter_sent, proposed_under, proposed_isr, proposed_broker_epoch, alter_refused,
         slowest, slowest_end, leader_end, leader_log, known_partition_epoch, known_isr, known_config, acknowledged_in,
         proposing, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark,
         partition_epoch_and_others, leader_of_and_others>>

\* KIP-595
DF4_is_enabled(f, e) ==
  /\ begins(f, e) = TRUE
  /\ agrees(f, e) = TRUE

DF4(f, e) ==
  /\ DF4_is_enabled(f, e)
  /\ truncated' = [truncated EXCEPT ![f] = TRUE]
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, crashed, broker_epoch,
         known_epoch, alter_sent, proposed_under, proposed_isr, proposed_broker_epoch, alter_refused, slowest, log_end,
         slowest_end, leader_end, leader_log, log, known_partition_epoch, known_isr, known_config, known_high_watermark,
         acknowledged_in, proposing, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark,
         partition_epoch_and_others, leader_of_and_others>>

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
  /\ log' = [log EXCEPT ![f, log_end[f]] = leader_log[e, log_end[f]]]
  /\ log_end' = [log_end EXCEPT ![f] = log_end[f] + 1]
  /\ log_end' \in [Broker -> offset]
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, crashed, broker_epoch,
         known_epoch, truncated, alter_sent, proposed_under, proposed_isr, proposed_broker_epoch, alter_refused,
         slowest, slowest_end, leader_end, leader_log, known_partition_epoch, known_isr, known_config,
         known_high_watermark, acknowledged_in, proposing, fetch_broker_epoch, fetch_offset, fetched,
         fetched_broker_epoch, high_watermark, partition_epoch_and_others, leader_of_and_others>>

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
         slowest, log_end, slowest_end, leader_end, leader_log, log, known_partition_epoch, known_isr, known_config,
         known_high_watermark, acknowledged_in, proposing, fetched, fetched_broker_epoch, high_watermark,
         partition_epoch_and_others, leader_of_and_others>>

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
  /\ known_high_watermark' = [known_high_watermark EXCEPT ![b] = IF n < known_high_watermark[b] THEN n ELSE
         known_high_watermark[b]]
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, broker_epoch, known_epoch,
         truncated, alter_sent, proposed_under, proposed_isr, proposed_broker_epoch, alter_refused, slowest,
         slowest_end, leader_end, leader_log, known_partition_epoch, known_isr, known_config, acknowledged_in,
         proposing, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark,
         partition_epoch_and_others, leader_of_and_others>>

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
  /\ known_high_watermark' = [known_high_watermark EXCEPT ![b] = IF n < known_high_watermark[b] THEN n ELSE
         known_high_watermark[b]]
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, crashed, broker_epoch,
         known_epoch, truncated, alter_sent, proposed_under, proposed_isr, proposed_broker_epoch, alter_refused,
         slowest, slowest_end, leader_end, leader_log, known_partition_epoch, known_isr, known_config, acknowledged_in,
         proposing, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark,
         partition_epoch_and_others, leader_of_and_others>>

\* KIP-392
DF5_is_enabled(f, e, n) ==
  /\ truncated[f]
  /\ (~crashed[f]) = TRUE
  /\ known_epoch[f] = e
  /\ known_high_watermark[f] < n
  /\ n <= log_end[f]
  /\ told(n, e) = TRUE

DF5(f, e, n) ==
  /\ DF5_is_enabled(f, e, n)
  /\ known_high_watermark' = [known_high_watermark EXCEPT ![f] = n]
  /\ acknowledged_in' = [acknowledged_in EXCEPT ![f] = IF n <= high_watermark[e] THEN e ELSE first_acknowledged_in[e]]
  /\ UNCHANGED <<config, last_config, was_enough, min_isr_in, unclean_at, elected_in, crashed, broker_epoch,
         known_epoch, truncated, alter_sent, proposed_under, proposed_isr, proposed_broker_epoch, alter_refused,
         slowest, log_end, slowest_end, leader_end, leader_log, log, known_partition_epoch, known_isr, known_config,
         proposing, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark,
         partition_epoch_and_others, leader_of_and_others>>

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
  /\ slowest = [k \in leader_epoch |-> None]
  /\ log_end = [k \in Broker |-> 0]
  /\ slowest_end = [k \in leader_epoch |-> 0]
  /\ leader_of = [k \in leader_epoch |-> None]
  /\ epoch_start = [k \in leader_epoch |-> 0]
  /\ leader_end = [k \in leader_epoch |-> 0]
  /\ leader_log = [k \in leader_epoch, k2 \in offset |-> 0]
  /\ log = [k \in Broker, k2 \in offset |-> 0]
  /\ known_partition_epoch = [k \in leader_epoch |-> 0]
  /\ known_isr = [k \in leader_epoch |-> {}]
  /\ known_config = [k \in leader_epoch |-> 1]
  /\ first_high_watermark = [k \in leader_epoch |-> 0]
  /\ known_high_watermark = [k \in Broker |-> 0]
  /\ first_acknowledged_in = [k \in leader_epoch |-> 0]
  /\ acknowledged_in = [k \in Broker |-> 0]
  /\ proposing = [k \in leader_epoch |-> FALSE]
  /\ fetch_broker_epoch = [k \in leader_epoch, k2 \in Broker |-> 0]
  /\ fetch_offset = [k \in leader_epoch, k2 \in Broker |-> 0]
  /\ fetched = [k \in leader_epoch, k2 \in Broker |-> 0]
  /\ fetched_broker_epoch = [k \in leader_epoch, k2 \in Broker |-> 0]
  /\ high_watermark = [k \in leader_epoch |-> 0]
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
  \/ \E f \in Broker, e \in leader_epoch, n \in offset : DF5(f, e, n)

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
  \/ \E f \in Broker, e \in leader_epoch, n \in offset : DF5_is_enabled(f, e, n)

\* A broker that leads has every record that was acknowledged in its leader epoch or in an earlier one, at its offset,
\* however late it was acknowledged, unless an epoch between began with an unclean election. (KIP-966, Vanlightly/kafka-
\* tlaplus LeaderCompleteness)
AcknowledgedIsKept == [][\A b \in Broker, d \in leader_epoch, e \in leader_epoch, o \in offset : (leads_2(d, b) /\ e <=
  d /\ unclean_at[d] <= e /\ o < high_watermark[e]) => (o < log_end[b] /\ log[b, o] = leader_log[e, o])]_vars

AcknowledgedIsKept_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (\A b \in Broker, d \in leader_epoch,
  e \in leader_epoch, o \in offset : (leads_2(d, b) /\ e <= d /\ unclean_at[d] <= e /\ o < high_watermark[e]) => (o <
  log_end[b] /\ log[b, o] = leader_log[e, o]))

\* It had those of earlier epochs when its own began, those that a replaced leader acknowledges afterwards, too.
\* (KIP-966, Vanlightly/kafka-tlaplus LeaderCompleteness)
ElectedHadAcknowledged == [][\A d \in leader_epoch, e \in leader_epoch, o \in offset : (e < d /\ unclean_at[d] <= e /\
  leader_of[d] # None /\ o < high_watermark[e]) => (o < epoch_start[d] /\ leader_log[d, o] = leader_log[e, o])]_vars

ElectedHadAcknowledged_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (\A d \in leader_epoch, e \in
  leader_epoch, o \in offset : (e < d /\ unclean_at[d] <= e /\ leader_of[d] # None /\ o < high_watermark[e]) => (o <
  epoch_start[d] /\ leader_log[d, o] = leader_log[e, o]))

\* A broker that runs and is in the ISR or the ELR, or has been elected and has not read it, has every record that was
\* acknowledged. (KIP-966, Vanlightly/kafka-tlaplus LeaderCandidateCompleteness)
CandidatesHaveAcknowledged == [][\A b \in Broker, e \in leader_epoch, o \in offset : (((unclean_at[leader_epoch_2] <= e
  /\ (b \in isr \/ b \in elr)) \/ (e < elected_in[b, e] /\ known_epoch[b] < elected_in[b, e])) /\ ~crashed[b] /\ o <
  high_watermark[e]) => (o < log_end[b] /\ log[b, o] = leader_log[e, o])]_vars

CandidatesHaveAcknowledged_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (\A b \in Broker, e \in
  leader_epoch, o \in offset : (((unclean_at[leader_epoch_2] <= e /\ (b \in isr \/ b \in elr)) \/ (e < elected_in[b, e]
  /\ known_epoch[b] < elected_in[b, e])) /\ ~crashed[b] /\ o < high_watermark[e]) => (o < log_end[b] /\ log[b, o] =
  leader_log[e, o]))

\* No two leaders acknowledge different records at one offset, unless an epoch between began with an unclean election.
\* (KIP-101)
OneRecordIsAcknowledged == [][\A d \in leader_epoch, e \in leader_epoch, o \in offset : (e <= d /\ unclean_at[d] <= e /\
  o < high_watermark[e] /\ o < high_watermark[d]) => leader_log[d, o] = leader_log[e, o]]_vars

OneRecordIsAcknowledged_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (\A d \in leader_epoch, e \in
  leader_epoch, o \in offset : (e <= d /\ unclean_at[d] <= e /\ o < high_watermark[e] /\ o < high_watermark[d]) =>
  leader_log[d, o] = leader_log[e, o])

\* Who has read up to the high watermark of an epoch is not out of range at a broker that leads in it or later, unless
\* an epoch between began with an unclean election. (KIP-320, KIP-392)
LeaderLogReachesAcknowledged == [][\A b \in Broker, d \in leader_epoch, e \in leader_epoch : (leads_2(d, b) /\ e <= d /\
  unclean_at[d] <= e) => high_watermark[e] <= log_end[b]]_vars

LeaderLogReachesAcknowledged_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (\A b \in Broker, d \in
  leader_epoch, e \in leader_epoch : (leads_2(d, b) /\ e <= d /\ unclean_at[d] <= e) => high_watermark[e] <= log_end[b])

\* A high watermark that has reached the start of its epoch, so that ListOffsets answers with it, is at or beyond those
\* of earlier epochs, whatever their leaders acknowledge afterwards, unless an epoch between began with an unclean
\* election. (KIP-207)
ToldEndDoesNotGoBack == [][\A d \in leader_epoch, e \in leader_epoch : (e < d /\ unclean_at[d] <= e /\ leader_of[d] #
  None /\ (epoch_start[d] <= high_watermark[d] \/ epoch_start[d] <= first_high_watermark[d])) => (high_watermark[e] <=
  high_watermark[d] \/ high_watermark[e] <= first_high_watermark[d])]_vars

ToldEndDoesNotGoBack_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (\A d \in leader_epoch, e \in
  leader_epoch : (e < d /\ unclean_at[d] <= e /\ leader_of[d] # None /\ (epoch_start[d] <= high_watermark[d] \/
  epoch_start[d] <= first_high_watermark[d])) => (high_watermark[e] <= high_watermark[d] \/ high_watermark[e] <=
  first_high_watermark[d]))

\* Every record that a broker lets consumers read was acknowledged by the leader of an epoch up to its own, and is as
\* that leader has it. (KIP-392)
ReadIsAcknowledged == [][\A b \in Broker, o \in offset : o < known_high_watermark[b] => (acknowledged_in[b] <=
  known_epoch[b] /\ o < high_watermark[acknowledged_in[b]] /\ o < log_end[b] /\ log[b, o] =
  leader_log[acknowledged_in[b], o])]_vars

ReadIsAcknowledged_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (\A b \in Broker, o \in offset : o <
  known_high_watermark[b] => (acknowledged_in[b] <= known_epoch[b] /\ o < high_watermark[acknowledged_in[b]] /\ o <
  log_end[b] /\ log[b, o] = leader_log[acknowledged_in[b], o]))

\* A broker that leads has every record that any broker lets consumers read, at its offset, if it leads in the epoch of
\* the acknowledgement or in a later one, unless an epoch between began with an unclean election. (KIP-392)
ReadIsKept == [][\A b \in Broker, x \in Broker, d \in leader_epoch, o \in offset : (leads_2(d, x) /\ o <
  known_high_watermark[b] /\ acknowledged_in[b] <= d /\ unclean_at[d] <= acknowledged_in[b]) => (o < log_end[x] /\
  log[x, o] = log[b, o])]_vars

ReadIsKept_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (\A b \in Broker, x \in Broker, d \in
  leader_epoch, o \in offset : (leads_2(d, x) /\ o < known_high_watermark[b] /\ acknowledged_in[b] <= d /\ unclean_at[d]
  <= acknowledged_in[b]) => (o < log_end[x] /\ log[x, o] = log[b, o]))

\* No two consumers read different records at one offset, whichever brokers they read from, unless an epoch between
\* began with an unclean election. (KIP-392)
OneRecordIsRead == [][\A b \in Broker, f \in Broker, o \in offset : (o < known_high_watermark[b] /\ o <
  known_high_watermark[f] /\ acknowledged_in[b] <= acknowledged_in[f] /\ unclean_at[acknowledged_in[f]] <=
  acknowledged_in[b]) => log[b, o] = log[f, o]]_vars

OneRecordIsRead_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (\A b \in Broker, f \in Broker, o \in
  offset : (o < known_high_watermark[b] /\ o < known_high_watermark[f] /\ acknowledged_in[b] <= acknowledged_in[f] /\
  unclean_at[acknowledged_in[f]] <= acknowledged_in[b]) => log[b, o] = log[f, o])

\* A follower cuts off no record that its leader has at the same offset. (KIP-101, KIP-279)
TruncationKeepsShared == [][(\A f \in Broker, e \in leader_epoch, asked \in leader_epoch, k \in leader_epoch, n \in
  offset : (DF1(f, e, asked, k, n)) => (\A o \in offset : (o < log_end[f] /\ o < leader_end[e] /\ log[f, o] =
  leader_log[e, o]) => o < n))]_vars

TruncationKeepsShared_where_nothing_changes == (\A f \in Broker, e \in leader_epoch, asked \in leader_epoch, k \in
  leader_epoch, n \in offset : (ENABLED (UNCHANGED vars /\ (DF1(f, e, asked, k, n)))) => (\A o \in offset : (o <
  log_end[f] /\ o < leader_end[e] /\ log[f, o] = leader_log[e, o]) => o < n))

\* A follower cuts off no record that it has let consumers read, and its leader has it at the same offset, unless an
\* epoch since the acknowledgement began with an unclean election. (KIP-101, KIP-392)
TruncationKeepsRead == [][(\A f \in Broker, e \in leader_epoch, asked \in leader_epoch, k \in leader_epoch, n \in offset
  : (DF1(f, e, asked, k, n)) => (unclean_at[e] <= acknowledged_in[f] => (\A o \in offset : known_high_watermark[f] <= o
  \/ (o < n /\ log[f, o] = leader_log[e, o]))))]_vars

TruncationKeepsRead_where_nothing_changes == (\A f \in Broker, e \in leader_epoch, asked \in leader_epoch, k \in
  leader_epoch, n \in offset : (ENABLED (UNCHANGED vars /\ (DF1(f, e, asked, k, n)))) => (unclean_at[e] <=
  acknowledged_in[f] => (\A o \in offset : known_high_watermark[f] <= o \/ (o < n /\ log[f, o] = leader_log[e, o]))))

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

\* A follower has let consumers read more than its new leader has acknowledged yet: Kafka lowers the follower's high
\* watermark then. (KIP-392)
\* TLC is asked that this never holds; a violation is the witness.
W13 == ~(\E b \in Broker, e \in leader_epoch : leader_of[e] # b /\ known_epoch[b] = e /\ high_watermark[e] <
  known_high_watermark[b])

\* A leader begins with the high watermark that it has learned as a follower. (KIP-392)
\* TLC is asked that this never holds; a violation is the witness.
W14 == ~(\E e \in leader_epoch : 0 < first_high_watermark[e] /\ high_watermark[e] < first_high_watermark[e])

\* A partition begins with its creation: with a leader, in its first leader epoch, under the configuration that there
\* is. (KIP-500)
DP1 == [][partition_epoch = 0 => (config' = config /\ (partition_epoch' = partition_epoch \/ ((leader # None)' /\
  leader_epoch_2' = 1 /\ unclean_at[leader_epoch_2]' = 0)))]_vars

\* The leader epoch rises only where the leader changes. (KAFKA-15021)
DP2 == [][leader_epoch_2' # leader_epoch_2 => leader' # leader]_vars

\* An election is marked as unclean only where somebody leads who was neither in the ISR nor in the ELR. (KIP-704,
\* KIP-966)
DP3 == [][(unclean_at[leader_epoch_2]' # unclean_at[leader_epoch_2] /\ 0 < partition_epoch) =>
  ((unclean_at[leader_epoch_2] = leader_epoch_2)' /\ (leader # None)' /\ (\A x \in Broker : leader' = x => (x \notin isr
  /\ x \notin elr)))]_vars

\* Whoever leaves the ISR while that is below min.insync.replicas is eligible, and stays so until he lost records,
\* another minimum is set or an election is unclean. (KIP-966)
DP4 == [][\A x \in Broker : ((x \in isr \/ x \in elr) /\ ~(x \in isr)' /\ ~(Cardinality(isr) >= min_isr)' /\ config' =
  config /\ unclean_at[leader_epoch_2]' = unclean_at[leader_epoch_2] /\ broker_epoch[x]' = broker_epoch[x]) => (x \in
  elr)']_vars

\* A broker that lost records runs again under the next broker epoch; no other gets another. (KIP-966)
DP5 == [][\A b \in Broker : (broker_epoch[b]' = broker_epoch[b] /\ ~(crashed[b] /\ (~crashed[b])')) \/ (crashed[b] /\
  (~crashed[b])' /\ broker_epoch[b]' = broker_epoch[b] + 1)]_vars

\* What a leader knew of its epoch, and what it acknowledged, stays as it was once it no longer leads there. (KIP-101,
\* KIP-320)
DP6 == [][\A e \in leader_epoch : (leader_of[e] # None /\ (\A b \in Broker : ~leads_2(e, b))) => (proposing[e]' =
  proposing[e] /\ high_watermark[e]' = high_watermark[e] /\ leader_end[e]' = leader_end[e] /\ known_partition_epoch[e]'
  = known_partition_epoch[e] /\ known_config[e]' = known_config[e] /\ known_isr[e]' = known_isr[e] /\ (\A f \in Broker :
  fetched[e, f]' = fetched[e, f] /\ fetched_broker_epoch[e, f]' = fetched_broker_epoch[e, f]))]_vars

\* The high watermark of a leader epoch never goes back. (KIP-101)
DP7 == [][\A e \in leader_epoch : high_watermark[e] <= high_watermark[e]']_vars

\* A leader reads no partition epoch that is older than the one it knows, and under one partition epoch no older
\* minimum. (KIP-500)
DP8 == [][\A e \in leader_epoch : known_partition_epoch[e] <= known_partition_epoch[e]' /\ (known_partition_epoch[e]' =
  known_partition_epoch[e] => known_config[e] <= known_config[e]')]_vars

\* A refusal that is on its way answers the proposal that is pending. (KIP-497, KAFKA-12686)
DP10 == \A e \in leader_epoch : alter_refused[e] => proposing[e]

\* No broker fetches in a leader epoch that is its own. (KIP-101)
DP11 == \A v \in partition_epoch_2, f \in Broker : (v <= partition_epoch /\ leader_at[v] = f) =>
  fetch_broker_epoch[epoch_at[v], f] = 0

\* A broker that lost records and has not registered again reads, fetches and appends nothing. (KIP-631)
DP9 == [][\A b \in Broker : (crashed[b] /\ crashed[b]') => (log_end[b]' = log_end[b] /\ known_epoch[b]' = known_epoch[b]
  /\ (\A e \in leader_epoch : fetch_offset[e, b]' = fetch_offset[e, b] /\ fetch_broker_epoch[e, b]' =
  fetch_broker_epoch[e, b]))]_vars

\* No log has a record at its end or beyond. (KIP-101)
DP12 == \A b \in Broker, o \in offset : log_end[b] <= o => log[b, o] = 0

\* What a broker knows to be acknowledged never shrinks, but to the end of a log that is cut. (KIP-392)
DP13 == [][\A b \in Broker : known_high_watermark[b] <= known_high_watermark[b]' \/ (known_high_watermark[b]' =
  log_end[b]' /\ log_end[b]' < log_end[b])]_vars

\* A broker lets consumers read to the end of its log at most, and what the leader of an epoch up to its own has
\* acknowledged. (KIP-392)
DP14 == \A b \in Broker : known_high_watermark[b] <= log_end[b] /\ known_high_watermark[b] <=
  high_watermark[acknowledged_in[b]] /\ acknowledged_in[b] <= known_epoch[b]

\* Each record that it lets them read is as that leader has it. (KIP-392)
DP15 == \A b \in Broker, o \in offset : o < known_high_watermark[b] => log[b, o] = leader_log[acknowledged_in[b], o]

\* What a leader tells its followers at first was in its log when it began, and the leader of an earlier epoch has
\* acknowledged it. (KIP-392)
DP16 == \A e \in leader_epoch : 0 < first_high_watermark[e] => (leader_of[e] # None /\ first_high_watermark[e] <=
  epoch_start[e] /\ first_high_watermark[e] <= high_watermark[first_acknowledged_in[e]] /\ first_acknowledged_in[e] < e)

\* Each of these records is as that leader has it. (KIP-392)
DP17 == \A e \in leader_epoch, o \in offset : o < first_high_watermark[e] => leader_log[e, o] =
  leader_log[first_acknowledged_in[e], o]

\* For LM12: the partition epoch is 0 or later.
LN1 == 0 <= partition_epoch

\* For LS8: broker epochs begin at 1.
LN2 == \A b \in Broker : 1 <= broker_epoch[b]

\* For LJ4: a log ends at 0 or later.
LN3 == \A b \in Broker : 0 <= log_end[b]

\* For LM9: leader epochs that are known are 0 or later.
LN4 == \A b \in Broker : 0 <= known_epoch[b]

\* For LG1: an epoch starts at offset 0 or later.
LN5 == \A e \in leader_epoch : 0 <= epoch_start[e]

\* For LG8: a leader's log ends at 0 or later.
LN6 == \A e \in leader_epoch : 0 <= leader_end[e]

\* For LJ3: a high watermark is 0 or later.
LN7 == \A e \in leader_epoch : 0 <= high_watermark[e]

\* For LH9: nobody fetches from below 0.
LN8 == \A e \in leader_epoch : 0 <= slowest_end[e]

\* For LQ1: a leader knows partition epoch 0 or a later one.
LN9 == \A e \in leader_epoch : 0 <= known_partition_epoch[e]

\* For LJ7: nobody has fetched from below 0.
LN10 == \A e \in leader_epoch, x \in Broker : 0 <= fetched[e, x]

\* For LS11: nobody fetches from below 0.
LN11 == \A e \in leader_epoch, x \in Broker : 0 <= fetch_offset[e, x] /\ 0 <= fetch_broker_epoch[e, x]

\* For LH6: nobody knows a leader epoch that is not decided.
LM1 == \A b \in Broker : known_epoch[b] <= leader_epoch_2

\* For LM3: leader epochs rise with the partition epoch.
LM2 == \A v \in partition_epoch_2, w \in partition_epoch_2 : (v <= w /\ w <= partition_epoch) => epoch_at[v] <=
  epoch_at[w]

\* For LM9: a leader epoch has one leader.
LM3 == \A v \in partition_epoch_2, w \in partition_epoch_2 : (v <= partition_epoch /\ w <= partition_epoch /\
  epoch_at[v] = epoch_at[w]) => leader_at[v] = leader_at[w]

\* For LJ1: the leader is in the ISR.
LM4 == \A v \in partition_epoch_2, b \in Broker : (v <= partition_epoch /\ leader_at[v] = b) => b \in isr_at[v]

\* For LH6: the leader was elected for its epoch or for a later one.
LU1 == \A v \in partition_epoch_2, b \in Broker, e \in leader_epoch : (v <= partition_epoch /\ leader_at[v] = b /\
  unclean_at[epoch_at[v]] <= e /\ e < epoch_at[v]) => epoch_at[v] <= elected_in[b, e]

\* For LU3: epochs of unclean elections rise.
LU2 == \A d \in leader_epoch, e \in leader_epoch : (d <= e /\ e <= leader_epoch_2) => (unclean_at[d] <= unclean_at[e] /\
  unclean_at[d] <= d)

\* For LU4: from the epoch for which a broker is noted to the one for which it was elected no election was unclean.
LU3 == \A b \in Broker, e \in leader_epoch : e < elected_in[b, e] => unclean_at[elected_in[b, e]] <= e

\* For LU2: epochs of unclean elections are 0 or later.
LU5 == \A d \in leader_epoch : 0 <= unclean_at[d]

\* For LM7: the configurations that were in force under a partition epoch.
LM17 == last_config[partition_epoch] = config /\ (\A v \in partition_epoch_2 : 1 <= first_config[v] /\ first_config[v]
  <= last_config[v] /\ last_config[v] <= config)

\* For LM19: whether the ISR was ever large enough under a partition epoch.
LM18 == \A v \in partition_epoch_2, c \in configuration : (v <= partition_epoch /\ first_config[v] <= c /\ c <=
  last_config[v] /\ Cardinality(isr_at[v]) >= min_isr_in[c]) => was_enough[v]

\* For LH4: where a leader may acknowledge, the ISR was large enough.
LM19 == \A e \in leader_epoch : (leader_of[e] # None /\ enough(e)) => was_enough[known_partition_epoch[e]]

\* For LH2: a leader that knows the newest partition epoch leads in the newest leader epoch.
LM21 == \A e \in leader_epoch : leader_of[e] # None => epoch_at[known_partition_epoch[e]] = e

\* For LJ1: a leader knows a partition epoch that is decided.
LM20 == \A e \in leader_epoch : known_partition_epoch[e] <= partition_epoch

\* For LM4: a broker is elected for a decided epoch.
LM5 == \A b \in Broker, e \in leader_epoch : elected_in[b, e] <= leader_epoch_2 /\ 0 <= elected_in[b, e]

\* For LJ5: where the ISR is large enough nobody else may lead.
LM7 == \A v \in partition_epoch_2 : (v <= partition_epoch /\ was_enough[v]) => elr_at[v] = {}

\* For LM7: if one replica is enough, at most one is in the ELR.
LM8 == \A x \in Broker, b \in Broker, f \in Broker : (Cardinality({x}) >= min_isr /\ b \in elr /\ f \in elr) => b = f

\* For LG8: a broker that leads in an epoch has read that it does, and the ISR that it knows.
LM9 == \A e \in leader_epoch, b \in Broker : leader_of[e] = b => (leader_at[known_partition_epoch[e]] = b /\
  epoch_at[known_partition_epoch[e]] = e /\ 1 <= known_partition_epoch[e] /\ known_partition_epoch[e] <= partition_epoch
  /\ e <= known_epoch[b] /\ known_isr[e] = isr_at[known_partition_epoch[e]] /\ first_config[known_partition_epoch[e]] <=
  known_config[e] /\ known_config[e] <= last_config[known_partition_epoch[e]] /\ 1 <= e)

\* For LJ3: an epoch in which nobody has begun to lead is empty.
LM10 == \A e \in leader_epoch : leader_of[e] = None => (known_partition_epoch[e] = 0 /\ leader_end[e] = 0 /\
  high_watermark[e] = 0 /\ slowest_end[e] = 0 /\ ~proposing[e] /\ ~alter_sent[e] /\ (\A x \in Broker : fetched[e, x] = 0
  /\ fetched_broker_epoch[e, x] = 0))

\* For LM1: before the partition is created nothing is known of it.
LM11 == partition_epoch = 0 => (leader_epoch_2 = 0 /\ leader = None /\ isr = {} /\ elr = {} /\ (\A b \in Broker :
  ~crashed[b] /\ broker_epoch[b] = 1 /\ known_epoch[b] = 0 /\ ~truncated[b]) /\ (\A b \in Broker, e \in leader_epoch :
  elected_in[b, e] = 0 /\ fetch_broker_epoch[e, b] = 0) /\ (\A e \in leader_epoch : unclean_at[e] = 0))

\* For LM2: under partition epochs that are still to come nothing is decided.
LM12 == \A v \in partition_epoch_2 : partition_epoch < v => (leader_at[v] = None /\ epoch_at[v] = 0 /\ isr_at[v] = {} /\
  elr_at[v] = {})

\* For LM7: nobody is both in the ISR and in the ELR.
LM13 == \A v \in partition_epoch_2, b \in Broker : v <= partition_epoch => ~(b \in isr_at[v] /\ b \in elr_at[v])

\* For LM10: a leader that has not read of its election has not begun to lead.
LM14 == \A v \in partition_epoch_2, b \in Broker : (v <= partition_epoch /\ leader_at[v] = b /\ known_epoch[b] <
  epoch_at[v]) => leader_of[epoch_at[v]] = None

\* For LH8: nobody leads in an epoch that is not decided.
LM15 == \A e \in leader_epoch : leader_of[e] # None => e <= leader_epoch_2

\* For LQ7: in the newest epoch nobody leads but the leader that was decided.
LM16 == \A b \in Broker : leader_of[leader_epoch_2] = b => leader = b

\* For LG5: a record in a log was appended by the leader of its epoch, within that epoch.
LG1 == \A b \in Broker, o \in offset, k \in leader_epoch : (o < log_end[b] /\ log[b, o] = k) => (leader_of[k] # None /\
  epoch_start[k] <= o /\ o < leader_end[k] /\ leader_log[k, o] = k /\ k <= known_epoch[b])

\* For LG6: so was a record in a leader's log.
LG2 == \A e \in leader_epoch, o \in offset, k \in leader_epoch : (o < leader_end[e] /\ leader_log[e, o] = k) =>
  (leader_of[k] # None /\ epoch_start[k] <= o /\ o < leader_end[k] /\ leader_log[k, o] = k /\ k <= e)

\* For LG1: a leader appends under its epoch.
LG3 == \A e \in leader_epoch, o \in offset : (epoch_start[e] <= o /\ o < leader_end[e]) => leader_log[e, o] = e

\* For LG3: a leader's log does not end before its epoch started.
LG4 == \A e \in leader_epoch : epoch_start[e] <= leader_end[e]

\* For LG8: log matching: two logs that share a record share all before it.
LG5 == \A b \in Broker, f \in Broker, o \in offset, i \in offset : (o < log_end[b] /\ o < log_end[f] /\ log[b, o] =
  log[f, o] /\ i < o) => log[b, i] = log[f, i]

\* For LG8: log matching with what leaders had.
LG6 == \A b \in Broker, e \in leader_epoch, o \in offset, i \in offset : (o < log_end[b] /\ o < leader_end[e] /\ log[b,
  o] = leader_log[e, o] /\ i < o) => log[b, i] = leader_log[e, i]

\* For LG6: log matching among what leaders had.
LG7 == \A d \in leader_epoch, e \in leader_epoch, o \in offset, i \in offset : (o < leader_end[d] /\ o < leader_end[e]
  /\ leader_log[d, o] = leader_log[e, o] /\ i < o) => leader_log[d, i] = leader_log[e, i]

\* For LH7: the leader epochs of a log's records rise.
LG11 == \A b \in Broker, o \in offset, i \in offset : (o < log_end[b] /\ i < o) => log[b, i] <= log[b, o]

\* For LG8: so do those of a leader's log.
LG12 == \A e \in leader_epoch, o \in offset, i \in offset : (o < leader_end[e] /\ i < o) => leader_log[e, i] <=
  leader_log[e, o]

\* For LJ8: the log of a broker that has truncated is the beginning of its leader's.
LG8 == \A b \in Broker : truncated[b] => (leader_of[known_epoch[b]] # None /\ log_end[b] <= leader_end[known_epoch[b]]
  /\ (\A o \in offset : o < log_end[b] => log[b, o] = leader_log[known_epoch[b], o]))

\* For LG1: a leader has its own log.
LG9 == \A e \in leader_epoch, b \in Broker : (leader_of[e] = b /\ known_epoch[b] = e) => (truncated[b] /\ (crashed[b] \/
  log_end[b] = leader_end[e]))

\* For LH8: only what was appended is acknowledged, or noted for the proof.
LG10 == \A e \in leader_epoch : high_watermark[e] <= leader_end[e] /\ slowest_end[e] <= leader_end[e]

\* For LS8: a fetch carries a broker epoch that was registered.
LS1 == \A e \in leader_epoch, f \in Broker : fetch_broker_epoch[e, f] <= broker_epoch[f]

\* For LS5: a fetch of this broker epoch carries a leader epoch that its sender has read.
LS2 == \A e \in leader_epoch, f \in Broker : fetch_broker_epoch[e, f] = broker_epoch[f] => e <= known_epoch[f]

\* For LS5: and, if that is still its epoch, an offset that its log has reached.
LS3 == \A e \in leader_epoch, f \in Broker : (fetch_broker_epoch[e, f] = broker_epoch[f] /\ known_epoch[f] = e) =>
  (truncated[f] /\ (crashed[f] \/ fetch_offset[e, f] <= log_end[f]))

\* For LS5: what a leader notes was asked for.
LS4 == \A e \in leader_epoch, f \in Broker : fetched_broker_epoch[e, f] <= fetch_broker_epoch[e, f]

\* For LQ6: what a leader notes of this broker epoch is there, while the follower stays in the leader epoch.
LS5 == \A e \in leader_epoch, f \in Broker : fetched_broker_epoch[e, f] = broker_epoch[f] => (e <= known_epoch[f] /\
  (known_epoch[f] = e => (truncated[f] /\ (crashed[f] \/ fetched[e, f] <= log_end[f]))))

\* For LJ7: of a follower that has not fetched nothing is noted.
LS6 == \A e \in leader_epoch, f \in Broker : fetched_broker_epoch[e, f] = 0 => fetched[e, f] = 0

\* For LS9: a candidate that is still in an epoch has not lost records since it fetched in it.
LS8 == \A b \in Broker, e \in leader_epoch : (((unclean_at[leader_epoch_2] <= e /\ (b \in isr \/ b \in elr)) \/ (e <
  elected_in[b, e] /\ known_epoch[b] < elected_in[b, e])) /\ known_epoch[b] <= e) => (fetch_broker_epoch[e, b] = 0 \/
  fetch_broker_epoch[e, b] = broker_epoch[b])

\* For LJ6: nor since what the leader noted of it.
LS9 == \A b \in Broker, e \in leader_epoch : (((unclean_at[leader_epoch_2] <= e /\ (b \in isr \/ b \in elr)) \/ (e <
  elected_in[b, e] /\ known_epoch[b] < elected_in[b, e])) /\ known_epoch[b] <= e) => (fetched_broker_epoch[e, b] = 0 \/
  fetched_broker_epoch[e, b] = broker_epoch[b])

\* For LH1: before the first fetch there is none.
LS11 == \A e \in leader_epoch, f \in Broker : fetch_broker_epoch[e, f] = 0 => fetch_offset[e, f] = 0

\* For LS8: nobody fetches in an epoch that is not decided.
LS12 == \A e \in leader_epoch, f \in Broker : 0 < fetch_broker_epoch[e, f] => e <= leader_epoch_2

\* For LQ3: a proposal is made under a partition epoch that its leader knew.
LQ1 == \A e \in leader_epoch : proposed_under[e] <= known_partition_epoch[e]

\* For LQ7: a proposal that may still be accepted counts for the maximal ISR.
LQ2 == \A e \in leader_epoch : (alter_sent[e] /\ proposed_under[e] = known_partition_epoch[e]) => (proposing[e] /\
  ~alter_refused[e])

\* For LQ2: what counts was proposed under the partition epoch that the leader knows.
LQ3 == \A e \in leader_epoch : proposing[e] => (proposed_under[e] = known_partition_epoch[e] /\ leader_of[e] # None)

\* For LQ6: a proposed member has fetched, under the broker epoch of the proposal or an earlier one.
LQ4 == \A e \in leader_epoch, x \in Broker : (proposing[e] /\ x \in proposed_isr[e] /\ x \notin known_isr[e]) => (1 <=
  proposed_broker_epoch[e, x] /\ proposed_broker_epoch[e, x] <= fetched_broker_epoch[e, x])

\* For LJ8: a member that may come in by a proposal has all that is acknowledged.
LQ6 == \A e \in leader_epoch, x \in Broker : (alter_sent[e] /\ e = leader_epoch_2 /\ proposed_under[e] = partition_epoch
  /\ x \in proposed_isr[e] /\ x \notin isr /\ proposed_broker_epoch[e, x] = broker_epoch[x]) => (known_epoch[x] = e /\
  truncated[x] /\ fetched_broker_epoch[e, x] = broker_epoch[x] /\ fetch_broker_epoch[e, x] = broker_epoch[x] /\
  (crashed[x] \/ (high_watermark[e] <= log_end[x] /\ epoch_start[e] <= log_end[x])))

\* For LQ6: a proposal that may be accepted is the present one of the newest leader.
LQ7 == \A e \in leader_epoch : (alter_sent[e] /\ e = leader_epoch_2 /\ proposed_under[e] = partition_epoch) =>
  (known_partition_epoch[e] = partition_epoch /\ proposing[e] /\ ~alter_refused[e] /\ known_isr[e] = isr /\ leader_of[e]
  # None)

\* For LM4: a leader does not propose to leave.
LQ5 == \A e \in leader_epoch, b \in Broker : (proposing[e] /\ leader_of[e] = b) => b \in proposed_isr[e]

\* For LJ8: a candidate that is still in an epoch counts for the leader of the epoch.
LJ1 == \A e \in leader_epoch, b \in Broker : (leader_of[e] # None /\ was_enough[known_partition_epoch[e]] /\
  ((unclean_at[leader_epoch_2] <= e /\ (b \in isr \/ b \in elr)) \/ (e < elected_in[b, e] /\ known_epoch[b] <
  elected_in[b, e])) /\ known_epoch[b] <= e) => (b \in known_isr[e] \/ (proposing[e] /\ ~alter_refused[e] /\ b \in
  proposed_isr[e]))

\* For LJ1: and it will count in every ISR that this leader may still read.
LJ2 == \A v \in partition_epoch_2, b \in Broker : (v <= partition_epoch /\ known_partition_epoch[epoch_at[v]] < v /\
  was_enough[v] /\ ((unclean_at[leader_epoch_2] <= epoch_at[v] /\ (b \in isr \/ b \in elr)) \/ (epoch_at[v] <
  elected_in[b, epoch_at[v]] /\ known_epoch[b] < elected_in[b, epoch_at[v]])) /\ known_epoch[b] <= epoch_at[v]) => b \in
  isr_at[v]

\* For LJ8: nothing is acknowledged before every candidate has begun to fetch.
LJ3 == \A e \in leader_epoch, b \in Broker : (((unclean_at[leader_epoch_2] <= e /\ (b \in isr \/ b \in elr)) \/ (e <
  elected_in[b, e] /\ known_epoch[b] < elected_in[b, e])) /\ (known_epoch[b] < e \/ (known_epoch[b] = e /\
  ~truncated[b]))) => high_watermark[e] = 0

\* For LJ8: the log of a candidate reaches what is acknowledged.
LJ4 == \A e \in leader_epoch, b \in Broker : (((unclean_at[leader_epoch_2] <= e /\ (b \in isr \/ b \in elr)) \/ (e <
  elected_in[b, e] /\ known_epoch[b] < elected_in[b, e])) /\ ~crashed[b] /\ known_epoch[b] <= e) => high_watermark[e] <=
  log_end[b]

\* For LJ4: the log of a candidate reaches what the leader notes of it.
LJ6 == \A e \in leader_epoch, b \in Broker : (((unclean_at[leader_epoch_2] <= e /\ (b \in isr \/ b \in elr)) \/ (e <
  elected_in[b, e] /\ known_epoch[b] < elected_in[b, e])) /\ ~crashed[b] /\ known_epoch[b] <= e) => fetched[e, b] <=
  log_end[b]

\* For LJ3: of a candidate that has not begun to fetch nothing is noted.
LJ7 == \A e \in leader_epoch, b \in Broker : (((unclean_at[leader_epoch_2] <= e /\ (b \in isr \/ b \in elr)) \/ (e <
  elected_in[b, e] /\ known_epoch[b] < elected_in[b, e])) /\ (known_epoch[b] < e \/ (known_epoch[b] = e /\
  ~truncated[b]))) => (fetched[e, b] = 0 /\ leader_of[e] # b)

\* For CandidatesHaveAcknowledged: a candidate that is still in an epoch has what was acknowledged in it.
LJ8 == \A e \in leader_epoch, b \in Broker, o \in offset : (((unclean_at[leader_epoch_2] <= e /\ (b \in isr \/ b \in
  elr)) \/ (e < elected_in[b, e] /\ known_epoch[b] < elected_in[b, e])) /\ ~crashed[b] /\ known_epoch[b] <= e /\ o <
  high_watermark[e]) => (o < log_end[b] /\ log[b, o] = leader_log[e, o])

\* For LJ1: the newest leader may acknowledge only where the ELR is empty.
LJ5 == \A e \in leader_epoch : (e = leader_epoch_2 /\ known_partition_epoch[e] = partition_epoch /\ leader_of[e] # None
  /\ was_enough[known_partition_epoch[e]]) => elr = {}

\* For LH9: a candidate has followed leaders only that were elected cleanly since.
LU4 == \A b \in Broker, e \in leader_epoch : ((unclean_at[leader_epoch_2] <= e /\ (b \in isr \/ b \in elr)) \/ (e <
  elected_in[b, e] /\ known_epoch[b] < elected_in[b, e])) => unclean_at[known_epoch[b]] <= e

\* For LH7: the log of a candidate that left an epoch reaches what the slowest had.
LH9 == \A b \in Broker, e \in leader_epoch : (slowest[e] # None /\ ((unclean_at[leader_epoch_2] <= e /\ (b \in isr \/ b
  \in elr)) \/ (e < elected_in[b, e] /\ known_epoch[b] < elected_in[b, e])) /\ ~crashed[b] /\ e < known_epoch[b]) =>
  slowest_end[e] <= log_end[b]

\* For LH8: a later leader began with a log that reaches what the slowest had.
LH10 == \A d \in leader_epoch, e \in leader_epoch : (leader_of[d] # None /\ e < d /\ unclean_at[d] <= e) =>
  slowest_end[e] <= epoch_start[d]

\* For LH4: the slowest of those that left an epoch will not be noted with more than it had.
LH1 == \A e \in leader_epoch, x \in Broker : slowest[e] = x => (e < known_epoch[x] /\ fetched[e, x] <= slowest_end[e] /\
  fetch_offset[e, x] <= slowest_end[e])

\* For LH3: nobody has left the newest epoch.
LH11 == \A e \in leader_epoch : slowest[e] # None => e < leader_epoch_2

\* For LH4: it counts for the leader of the epoch.
LH2 == \A e \in leader_epoch, x \in Broker : (slowest[e] = x /\ leader_of[e] # None /\
  was_enough[known_partition_epoch[e]]) => (x \in known_isr[e] \/ (proposing[e] /\ ~alter_refused[e] /\ x \in
  proposed_isr[e]))

\* For LH2: and it will count in every ISR that this leader may still read.
LH3 == \A v \in partition_epoch_2, x \in Broker : (v <= partition_epoch /\ known_partition_epoch[epoch_at[v]] < v /\
  was_enough[v] /\ slowest[epoch_at[v]] = x) => x \in isr_at[v]

\* For ElectedHadAcknowledged: no more is acknowledged in an epoch than the slowest of those that left it had.
LH4 == \A e \in leader_epoch : slowest[e] # None => high_watermark[e] <= slowest_end[e]

\* For LH7: once a candidate has left an epoch, one of them is the slowest.
LH5 == \A b \in Broker, e \in leader_epoch : (((unclean_at[leader_epoch_2] <= e /\ (b \in isr \/ b \in elr)) \/ (e <
  elected_in[b, e] /\ known_epoch[b] < elected_in[b, e])) /\ e < known_epoch[b]) => slowest[e] # None

\* For LH8: before an epoch begins, its leader has left all earlier ones.
LH6 == \A d \in leader_epoch, e \in leader_epoch : (leader_of[d] # None /\ e < d /\ unclean_at[d] <= e) => slowest[e] #
  None

\* For CandidatesHaveAcknowledged: a candidate that left an epoch has what the slowest had.
LH7 == \A b \in Broker, e \in leader_epoch, o \in offset : (slowest[e] # None /\ ((unclean_at[leader_epoch_2] <= e /\ (b
  \in isr \/ b \in elr)) \/ (e < elected_in[b, e] /\ known_epoch[b] < elected_in[b, e])) /\ ~crashed[b] /\ e <
  known_epoch[b] /\ o < slowest_end[e]) => (o < log_end[b] /\ log[b, o] = leader_log[e, o])

\* For ElectedHadAcknowledged: a later leader began with what the slowest had.
LH8 == \A d \in leader_epoch, e \in leader_epoch, o \in offset : (leader_of[d] # None /\ e < d /\ unclean_at[d] <= e /\
  o < slowest_end[e]) => (o < epoch_start[d] /\ leader_log[d, o] = leader_log[e, o])
================================================================================
