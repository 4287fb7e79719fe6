-------------------------------- MODULE zk_data --------------------------------
\* zk-data: Replication of one partition in the ZooKeeper era: a record acknowledged with acks=all survives every clean
\* election.
\* Made from the tables of zk-data cf7c5a28526b; not to be edited.
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS Maxpartition_epoch, NumberBroker, Maxleader_epoch, Maxbroker_epoch, Maxoffset, None

partition_epoch_2 == 0..Maxpartition_epoch
Broker == 0..(NumberBroker - 1)
leader_epoch == 0..Maxleader_epoch
broker_epoch_2 == 0..Maxbroker_epoch
offset == 0..Maxoffset

At(f, k, initial) == IF k \in DOMAIN f THEN f[k] ELSE initial
Pick(S) == CHOOSE x \in S : TRUE
Put(f, updates) == [k \in DOMAIN f |-> LET u == {x \in updates : x.at = k} IN IF u = {} THEN f[k] ELSE Pick(u).to]
PutCell(value, updates) == IF updates = {} THEN value ELSE Pick(updates)

VARIABLES partition_epoch, leader_at, epoch_at, isr_at, elected_in, crashed, broker_epoch, known_epoch, truncated,
  slowest, log_end, slowest_end, leader_of, epoch_start, leader_end, leader_log, log, known_partition_epoch, known_isr,
  fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark, unclean_at

vars == <<partition_epoch, leader_at, epoch_at, isr_at, elected_in, crashed, broker_epoch, known_epoch, truncated,
  slowest, log_end, slowest_end, leader_of, epoch_start, leader_end, leader_log, log, known_partition_epoch, known_isr,
  fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark, unclean_at>>

partition_epoch_and_others == <<partition_epoch, leader_at, epoch_at, isr_at>>

leader_epoch_2 == epoch_at[partition_epoch]

isr == isr_at[partition_epoch]

leader == leader_at[partition_epoch]

leads(e, b) == leader_of[e] = b /\ known_epoch[b] = e /\ ~crashed[b]

knows_the_version(e, b) == leads(e, b) /\ known_partition_epoch[e] = partition_epoch

isr_has(e, b, n) == \A x \in Broker : x \in known_isr[e] => (x = b \/ n <= fetched[e, x])

\* Somebody who knows the znode's version writes it: leader, leader epoch, ISR, under the next version.
write(to_2, under, new_isr) ==
  [partition_epoch |-> {partition_epoch + 1}, leader_at |-> {[at |-> partition_epoch + 1, to |-> to_2]}, epoch_at |->
      {[at |-> partition_epoch + 1, to |-> under]}, isr_at |-> {[at |-> partition_epoch + 1, to |-> new_isr]}]

\* S4:21
ZDC1_is_enabled(g, members) ==
  /\ partition_epoch = 0
  /\ g \in members

ZDC1(g, members) ==
  /\ ZDC1_is_enabled(g, members)
  /\ LET write_1 == write(g, leader_epoch_2 + 1, members)
     IN
     /\ partition_epoch' = PutCell(partition_epoch, write_1.partition_epoch)
     /\ leader_at' = Put(leader_at, write_1.leader_at)
     /\ epoch_at' = Put(epoch_at, write_1.epoch_at)
     /\ isr_at' = Put(isr_at, write_1.isr_at)
     /\ elected_in' = [elected_in EXCEPT ![g] = leader_epoch_2 + 1]
     /\ partition_epoch' \in partition_epoch_2
     /\ epoch_at' \in [partition_epoch_2 -> leader_epoch]
     /\ elected_in' \in [Broker -> leader_epoch]
  /\ UNCHANGED <<crashed, broker_epoch, known_epoch, truncated, slowest, log_end, slowest_end, leader_of, epoch_start,
         leader_end, leader_log, log, known_partition_epoch, known_isr, fetch_broker_epoch, fetch_offset, fetched,
         fetched_broker_epoch, high_watermark, unclean_at>>

\* S4:53, KAFKA-5083
ZDC2(b) ==
  /\ b \in isr
  /\ LET write_1 == write(IF leader = b THEN None ELSE leader, leader_epoch_2 + 1, IF isr = {b} THEN isr ELSE isr \ {b})
     IN
     /\ partition_epoch' = PutCell(partition_epoch, write_1.partition_epoch)
     /\ leader_at' = Put(leader_at, write_1.leader_at)
     /\ epoch_at' = Put(epoch_at, write_1.epoch_at)
     /\ isr_at' = Put(isr_at, write_1.isr_at)
     /\ elected_in' = [x \in Broker |-> IF leader = x /\ x # b THEN leader_epoch_2 + 1 ELSE elected_in[x]]
     /\ partition_epoch' \in partition_epoch_2
     /\ epoch_at' \in [partition_epoch_2 -> leader_epoch]
     /\ elected_in' \in [Broker -> leader_epoch]
  /\ UNCHANGED <<crashed, broker_epoch, known_epoch, truncated, slowest, log_end, slowest_end, leader_of, epoch_start,
         leader_end, leader_log, log, known_partition_epoch, known_isr, fetch_broker_epoch, fetch_offset, fetched,
         fetched_broker_epoch, high_watermark, unclean_at>>

\* S4:24-28
ZDC3_is_enabled(g, members) ==
  /\ g \in members
  /\ members \subseteq isr

ZDC3(g, members) ==
  /\ ZDC3_is_enabled(g, members)
  /\ LET write_1 == write(g, leader_epoch_2 + 1, members)
     IN
     /\ partition_epoch' = PutCell(partition_epoch, write_1.partition_epoch)
     /\ leader_at' = Put(leader_at, write_1.leader_at)
     /\ epoch_at' = Put(epoch_at, write_1.epoch_at)
     /\ isr_at' = Put(isr_at, write_1.isr_at)
     /\ elected_in' = [elected_in EXCEPT ![g] = leader_epoch_2 + 1]
     /\ partition_epoch' \in partition_epoch_2
     /\ epoch_at' \in [partition_epoch_2 -> leader_epoch]
     /\ elected_in' \in [Broker -> leader_epoch]
  /\ UNCHANGED <<crashed, broker_epoch, known_epoch, truncated, slowest, log_end, slowest_end, leader_of, epoch_start,
         leader_end, leader_log, log, known_partition_epoch, known_isr, fetch_broker_epoch, fetch_offset, fetched,
         fetched_broker_epoch, high_watermark, unclean_at>>

\* KIP-380
ZDC4_is_enabled(b, read) ==
  /\ read <= leader_epoch_2
  /\ isr # {b}
  /\ leader # b
  /\ (b \notin isr \/ isr = {b}) = TRUE
  /\ read = leader_epoch_2
  /\ crashed[b]

ZDC4(b, read) ==
  /\ ZDC4_is_enabled(b, read)
  /\ broker_epoch' = [broker_epoch EXCEPT ![b] = broker_epoch[b] + 1]
  /\ crashed' = [crashed EXCEPT ![b] = FALSE]
  /\ known_epoch' = [known_epoch EXCEPT ![b] = read]
  /\ truncated' = [truncated EXCEPT ![b] = FALSE]
  /\ broker_epoch' \in [Broker -> broker_epoch_2]
  /\ UNCHANGED <<elected_in, slowest, log_end, slowest_end, leader_of, epoch_start, leader_end, leader_log, log,
         known_partition_epoch, known_isr, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch,
         high_watermark, unclean_at, partition_epoch_and_others>>

\* S4:12,22
ZDM1_is_enabled(b, v) ==
  /\ v <= partition_epoch
  /\ 0 < v
  /\ (~crashed[b]) = TRUE
  /\ known_epoch[b] < epoch_at[v]
  /\ leader_at[v] = b

ZDM1(b, v) ==
  /\ ZDM1_is_enabled(b, v)
  /\ known_epoch' = [known_epoch EXCEPT ![b] = epoch_at[v]]
  /\ slowest' = [k \in leader_epoch |-> IF known_epoch[b] <= k /\ k < epoch_at[v] /\ (b \in isr \/ (k < elected_in[b] /\
         known_epoch[b] < elected_in[b])) /\ (slowest[k] = None \/ (IF truncated[b] /\ known_epoch[b] = k THEN
         log_end[b] ELSE 0) < slowest_end[k]) THEN b ELSE slowest[k]]
  /\ slowest_end' = [k \in leader_epoch |-> IF known_epoch[b] <= k /\ k < epoch_at[v] /\ (b \in isr \/ (k <
         elected_in[b] /\ known_epoch[b] < elected_in[b])) /\ (slowest[k] = None \/ (IF truncated[b] /\ known_epoch[b] =
         k THEN log_end[b] ELSE 0) < slowest_end[k]) THEN IF truncated[b] /\ known_epoch[b] = k THEN log_end[b] ELSE 0
         ELSE slowest_end[k]]
  /\ truncated' = [truncated EXCEPT ![b] = TRUE]
  /\ leader_of' = [leader_of EXCEPT ![epoch_at[v]] = b]
  /\ epoch_start' = [epoch_start EXCEPT ![epoch_at[v]] = log_end[b]]
  /\ leader_end' = [leader_end EXCEPT ![epoch_at[v]] = log_end[b]]
  /\ leader_log' = Put(leader_log, {[at |-> <<epoch_at[v], o>>, to |-> log[b, o]] : o \in {o \in offset : o <
         log_end[b]}})
  /\ known_partition_epoch' = [known_partition_epoch EXCEPT ![epoch_at[v]] = v]
  /\ known_isr' = [known_isr EXCEPT ![epoch_at[v]] = isr_at[v]]
  /\ UNCHANGED <<elected_in, crashed, broker_epoch, log_end, log, fetch_broker_epoch, fetch_offset, fetched,
         fetched_broker_epoch, high_watermark, unclean_at, partition_epoch_and_others>>

\* S4:12,22
ZDM2_is_enabled(b, v) ==
  /\ v <= partition_epoch
  /\ 0 < v
  /\ (~crashed[b]) = TRUE
  /\ known_epoch[b] < epoch_at[v]
  /\ leader_at[v] # b

ZDM2(b, v) ==
  /\ ZDM2_is_enabled(b, v)
  /\ known_epoch' = [known_epoch EXCEPT ![b] = epoch_at[v]]
  /\ slowest' = [k \in leader_epoch |-> IF known_epoch[b] <= k /\ k < epoch_at[v] /\ (b \in isr \/ (k < elected_in[b] /\
         known_epoch[b] < elected_in[b])) /\ (slowest[k] = None \/ (IF truncated[b] /\ known_epoch[b] = k THEN
         log_end[b] ELSE 0) < slowest_end[k]) THEN b ELSE slowest[k]]
  /\ slowest_end' = [k \in leader_epoch |-> IF known_epoch[b] <= k /\ k < epoch_at[v] /\ (b \in isr \/ (k <
         elected_in[b] /\ known_epoch[b] < elected_in[b])) /\ (slowest[k] = None \/ (IF truncated[b] /\ known_epoch[b] =
         k THEN log_end[b] ELSE 0) < slowest_end[k]) THEN IF truncated[b] /\ known_epoch[b] = k THEN log_end[b] ELSE 0
         ELSE slowest_end[k]]
  /\ truncated' = [truncated EXCEPT ![b] = FALSE]
  /\ UNCHANGED <<elected_in, crashed, broker_epoch, log_end, leader_of, epoch_start, leader_end, leader_log, log,
         known_partition_epoch, known_isr, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch,
         high_watermark, unclean_at, partition_epoch_and_others>>

\* KIP-966
DL1(b, e) ==
  /\ leads(e, b) = TRUE
  /\ log' = [log EXCEPT ![b, log_end[b]] = e]
  /\ log_end' = [log_end EXCEPT ![b] = log_end[b] + 1]
  /\ leader_log' = [leader_log EXCEPT ![e, log_end[b]] = e]
  /\ leader_end' = [leader_end EXCEPT ![e] = log_end[b] + 1]
  /\ log_end' \in [Broker -> offset]
  /\ leader_end' \in [leader_epoch -> offset]
  /\ UNCHANGED <<elected_in, crashed, broker_epoch, known_epoch, truncated, slowest, slowest_end, leader_of,
         epoch_start, known_partition_epoch, known_isr, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch,
         high_watermark, unclean_at, partition_epoch_and_others>>

\* KIP-903
DL2_is_enabled(f, b, e, n) ==
  /\ leads(e, b) = TRUE
  /\ 0 < fetch_broker_epoch[e, f]
  /\ n <= fetch_offset[e, f]

DL2(f, b, e, n) ==
  /\ DL2_is_enabled(f, b, e, n)
  /\ fetched' = [fetched EXCEPT ![e, f] = n]
  /\ fetched_broker_epoch' = [fetched_broker_epoch EXCEPT ![e, f] = fetch_broker_epoch[e, f]]
  /\ UNCHANGED <<elected_in, crashed, broker_epoch, known_epoch, truncated, slowest, log_end, slowest_end, leader_of,
         epoch_start, leader_end, leader_log, log, known_partition_epoch, known_isr, fetch_broker_epoch, fetch_offset,
         high_watermark, unclean_at, partition_epoch_and_others>>

\* KAFKA-7128
ZDL1_is_enabled(f, b, e, answered) ==
  /\ fetched_broker_epoch[e, f] = broker_epoch[f]
  /\ answered
  /\ knows_the_version(e, b) = TRUE
  /\ f \notin known_isr[e]
  /\ 0 < fetched_broker_epoch[e, f]
  /\ high_watermark[e] <= fetched[e, f]
  /\ epoch_start[e] <= fetched[e, f]

ZDL1(f, b, e, answered) ==
  /\ ZDL1_is_enabled(f, b, e, answered)
  /\ LET write_1 == write(b, e, known_isr[e] \union {f})
     IN
     /\ partition_epoch' = PutCell(partition_epoch, write_1.partition_epoch)
     /\ leader_at' = Put(leader_at, write_1.leader_at)
     /\ epoch_at' = Put(epoch_at, write_1.epoch_at)
     /\ isr_at' = Put(isr_at, write_1.isr_at)
     /\ known_partition_epoch' = [known_partition_epoch EXCEPT ![e] = IF answered THEN partition_epoch + 1 ELSE
            known_partition_epoch[e]]
     /\ known_isr' = [known_isr EXCEPT ![e] = IF answered THEN known_isr[e] \union {f} ELSE known_isr[e]]
     /\ partition_epoch' \in partition_epoch_2
     /\ epoch_at' \in [partition_epoch_2 -> leader_epoch]
     /\ known_partition_epoch' \in [leader_epoch -> partition_epoch_2]
  /\ UNCHANGED <<elected_in, crashed, broker_epoch, known_epoch, truncated, slowest, log_end, slowest_end, leader_of,
         epoch_start, leader_end, leader_log, log, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch,
         high_watermark, unclean_at>>

\* KIP-497
ZDL2_is_enabled(f, b, e, answered) ==
  /\ knows_the_version(e, b) = TRUE
  /\ f \in known_isr[e]
  /\ f # b

ZDL2(f, b, e, answered) ==
  /\ ZDL2_is_enabled(f, b, e, answered)
  /\ LET write_1 == write(b, e, known_isr[e] \ {f})
     IN
     /\ partition_epoch' = PutCell(partition_epoch, write_1.partition_epoch)
     /\ leader_at' = Put(leader_at, write_1.leader_at)
     /\ epoch_at' = Put(epoch_at, write_1.epoch_at)
     /\ isr_at' = Put(isr_at, write_1.isr_at)
     /\ known_partition_epoch' = [known_partition_epoch EXCEPT ![e] = IF answered THEN partition_epoch + 1 ELSE
            known_partition_epoch[e]]
     /\ known_isr' = [known_isr EXCEPT ![e] = IF answered THEN known_isr[e] \ {f} ELSE known_isr[e]]
     /\ partition_epoch' \in partition_epoch_2
     /\ epoch_at' \in [partition_epoch_2 -> leader_epoch]
     /\ known_partition_epoch' \in [leader_epoch -> partition_epoch_2]
  /\ UNCHANGED <<elected_in, crashed, broker_epoch, known_epoch, truncated, slowest, log_end, slowest_end, leader_of,
         epoch_start, leader_end, leader_log, log, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch,
         high_watermark, unclean_at>>

\* KIP-101
ZDL3_is_enabled(n, b, e) ==
  /\ leads(e, b) = TRUE
  /\ high_watermark[e] < n
  /\ n <= log_end[b]
  /\ isr_has(e, b, n) = TRUE

ZDL3(n, b, e) ==
  /\ ZDL3_is_enabled(n, b, e)
  /\ high_watermark' = [high_watermark EXCEPT ![e] = n]
  /\ UNCHANGED <<elected_in, crashed, broker_epoch, known_epoch, truncated, slowest, log_end, slowest_end, leader_of,
         epoch_start, leader_end, leader_log, log, known_partition_epoch, known_isr, fetch_broker_epoch, fetch_offset,
         fetched, fetched_broker_epoch, unclean_at, partition_epoch_and_others>>

\* KIP-101, KIP-279
ZDF1_is_enabled(f, e, n) ==
  /\ known_epoch[f] = e
  /\ leader_of[e] # None
  /\ (~truncated[f]) = TRUE
  /\ (~crashed[f]) = TRUE
  /\ n <= log_end[f]
  /\ n <= leader_end[e]
  /\ (n = 0 \/ At(log, <<f, n - 1>>, 0) = At(leader_log, <<e, n - 1>>, 0)) = TRUE
  /\ (\A i \in offset : (n <= i /\ i < log_end[f] /\ i < leader_end[e]) => log[f, i] # leader_log[e, i]) = TRUE

ZDF1(f, e, n) ==
  /\ ZDF1_is_enabled(f, e, n)
  /\ truncated' = [truncated EXCEPT ![f] = TRUE]
  /\ log_end' = [log_end EXCEPT ![f] = n]
  /\ log' = Put(log, {[at |-> <<f, o>>, to |-> 0] : o \in {o \in offset : n <= o}})
  /\ UNCHANGED <<elected_in, crashed, broker_epoch, known_epoch, slowest, slowest_end, leader_of, epoch_start,
         leader_end, leader_log, known_partition_epoch, known_isr, fetch_broker_epoch, fetch_offset, fetched,
         fetched_broker_epoch, high_watermark, unclean_at, partition_epoch_and_others>>

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
  /\ UNCHANGED <<elected_in, crashed, broker_epoch, known_epoch, truncated, slowest, slowest_end, leader_of,
         epoch_start, leader_end, leader_log, known_partition_epoch, known_isr, fetch_broker_epoch, fetch_offset,
         fetched, fetched_broker_epoch, high_watermark, unclean_at, partition_epoch_and_others>>

\* KIP-320
DF3_is_enabled(f) ==
  /\ truncated[f]
  /\ (~crashed[f]) = TRUE
  /\ leader_of[known_epoch[f]] # f

DF3(f) ==
  /\ DF3_is_enabled(f)
  /\ fetch_offset' = [fetch_offset EXCEPT ![known_epoch[f], f] = log_end[f]]
  /\ fetch_broker_epoch' = [fetch_broker_epoch EXCEPT ![known_epoch[f], f] = broker_epoch[f]]
  /\ UNCHANGED <<elected_in, crashed, broker_epoch, known_epoch, truncated, slowest, log_end, slowest_end, leader_of,
         epoch_start, leader_end, leader_log, log, known_partition_epoch, known_isr, fetched, fetched_broker_epoch,
         high_watermark, unclean_at, partition_epoch_and_others>>

\* KIP-101
ZDX1_is_enabled(b, n) ==
  /\ (~crashed[b]) = TRUE
  /\ n <= log_end[b]
  /\ 0 < partition_epoch

ZDX1(b, n) ==
  /\ ZDX1_is_enabled(b, n)
  /\ crashed' = [crashed EXCEPT ![b] = TRUE]
  /\ log_end' = [log_end EXCEPT ![b] = n]
  /\ log' = Put(log, {[at |-> <<b, o>>, to |-> 0] : o \in {o \in offset : n <= o}})
  /\ UNCHANGED <<elected_in, broker_epoch, known_epoch, truncated, slowest, slowest_end, leader_of, epoch_start,
         leader_end, leader_log, known_partition_epoch, known_isr, fetch_broker_epoch, fetch_offset, fetched,
         fetched_broker_epoch, high_watermark, unclean_at, partition_epoch_and_others>>

Init ==
  /\ partition_epoch = 0
  /\ leader_at = [k \in partition_epoch_2 |-> None]
  /\ epoch_at = [k \in partition_epoch_2 |-> 0]
  /\ isr_at = [k \in partition_epoch_2 |-> {}]
  /\ elected_in = [k \in Broker |-> 0]
  /\ crashed = [k \in Broker |-> FALSE]
  /\ broker_epoch = [k \in Broker |-> 1]
  /\ known_epoch = [k \in Broker |-> 0]
  /\ truncated = [k \in Broker |-> FALSE]
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
  /\ fetch_broker_epoch = [k \in leader_epoch, k2 \in Broker |-> 0]
  /\ fetch_offset = [k \in leader_epoch, k2 \in Broker |-> 0]
  /\ fetched = [k \in leader_epoch, k2 \in Broker |-> 0]
  /\ fetched_broker_epoch = [k \in leader_epoch, k2 \in Broker |-> 0]
  /\ high_watermark = [k \in leader_epoch |-> 0]
  /\ unclean_at = [k \in leader_epoch |-> 0]

Rows ==
  \/ \E g \in Broker, members \in SUBSET Broker :
       /\ g \in members
       /\ \/ ZDC1(g, members)
          \/ ZDC3(g, members)
  \/ \E b \in Broker : ZDC2(b)
  \/ \E b \in Broker, read \in leader_epoch : ZDC4(b, read)
  \/ \E v \in partition_epoch_2 :
       /\ v <= partition_epoch
       /\ 0 < v
       /\ \E b \in Broker :
            /\ (~crashed[b]) = TRUE
            /\ known_epoch[b] < epoch_at[v]
            /\ \/ ZDM1(b, v)
               \/ ZDM2(b, v)
  \/ \E b \in Broker, e \in leader_epoch : DL1(b, e)
  \/ \E f \in Broker, b \in Broker, e \in leader_epoch, n \in offset : DL2(f, b, e, n)
  \/ \E e \in leader_epoch :
       /\ known_partition_epoch[e] = partition_epoch
       /\ \E b \in Broker :
            /\ knows_the_version(e, b) = TRUE
            /\ \E f \in Broker, answered \in BOOLEAN :
                 \/ ZDL1(f, b, e, answered)
                 \/ ZDL2(f, b, e, answered)
  \/ \E n \in offset, b \in Broker, e \in leader_epoch : ZDL3(n, b, e)
  \/ \E f \in Broker, e \in leader_epoch, n \in offset : ZDF1(f, e, n)
  \/ \E f \in Broker, e \in leader_epoch : DF2(f, e)
  \/ \E f \in Broker : DF3(f)
  \/ \E b \in Broker, n \in offset : ZDX1(b, n)

Next == Rows \/ UNCHANGED vars

Spec == Init /\ [][Next]_vars

\* The guard of some row holds: unlike in ENABLED Rows, of one too that only a range disables.
SomeRowIsEnabled ==
  \/ \E g \in Broker, members \in SUBSET Broker :
       /\ g \in members
       /\ \/ ZDC1_is_enabled(g, members)
          \/ ZDC3_is_enabled(g, members)
  \/ \E b \in Broker : b \in isr
  \/ \E b \in Broker, read \in leader_epoch : ZDC4_is_enabled(b, read)
  \/ \E v \in partition_epoch_2 :
       /\ v <= partition_epoch
       /\ 0 < v
       /\ \E b \in Broker :
            /\ (~crashed[b]) = TRUE
            /\ known_epoch[b] < epoch_at[v]
            /\ \/ ZDM1_is_enabled(b, v)
               \/ ZDM2_is_enabled(b, v)
  \/ \E b \in Broker, e \in leader_epoch : leads(e, b) = TRUE
  \/ \E f \in Broker, b \in Broker, e \in leader_epoch, n \in offset : DL2_is_enabled(f, b, e, n)
  \/ \E e \in leader_epoch :
       /\ known_partition_epoch[e] = partition_epoch
       /\ \E b \in Broker :
            /\ knows_the_version(e, b) = TRUE
            /\ \E f \in Broker, answered \in BOOLEAN :
                 \/ ZDL1_is_enabled(f, b, e, answered)
                 \/ ZDL2_is_enabled(f, b, e, answered)
  \/ \E n \in offset, b \in Broker, e \in leader_epoch : ZDL3_is_enabled(n, b, e)
  \/ \E f \in Broker, e \in leader_epoch, n \in offset : ZDF1_is_enabled(f, e, n)
  \/ \E f \in Broker, e \in leader_epoch : DF2_is_enabled(f, e)
  \/ \E f \in Broker : DF3_is_enabled(f)
  \/ \E b \in Broker, n \in offset : ZDX1_is_enabled(b, n)

\* A broker that leads has every record that was acknowledged in its leader epoch or in an earlier one, at its offset,
\* however late it was acknowledged. (KIP-101)
AcknowledgedIsKept == [][\A b \in Broker, d \in leader_epoch, e \in leader_epoch, o \in offset : (leads(d, b) /\ e <= d
  /\ o < high_watermark[e]) => (o < log_end[b] /\ log[b, o] = leader_log[e, o])]_vars

AcknowledgedIsKept_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (\A b \in Broker, d \in leader_epoch,
  e \in leader_epoch, o \in offset : (leads(d, b) /\ e <= d /\ o < high_watermark[e]) => (o < log_end[b] /\ log[b, o] =
  leader_log[e, o]))

\* It had those of earlier epochs when its own began, those that a replaced leader acknowledges afterwards, too.
\* (KIP-101)
ElectedHadAcknowledged == [][\A d \in leader_epoch, e \in leader_epoch, o \in offset : (e < d /\ leader_of[d] # None /\
  o < high_watermark[e]) => (o < epoch_start[d] /\ leader_log[d, o] = leader_log[e, o])]_vars

ElectedHadAcknowledged_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (\A d \in leader_epoch, e \in
  leader_epoch, o \in offset : (e < d /\ leader_of[d] # None /\ o < high_watermark[e]) => (o < epoch_start[d] /\
  leader_log[d, o] = leader_log[e, o]))

\* A broker that runs and is in the ISR, or has been elected and was not told yet, has every record that was
\* acknowledged. (KIP-101)
CandidatesHaveAcknowledged == [][\A b \in Broker, e \in leader_epoch, o \in offset : ((b \in isr \/ (e < elected_in[b]
  /\ known_epoch[b] < elected_in[b])) /\ ~crashed[b] /\ o < high_watermark[e]) => (o < log_end[b] /\ log[b, o] =
  leader_log[e, o])]_vars

CandidatesHaveAcknowledged_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (\A b \in Broker, e \in
  leader_epoch, o \in offset : ((b \in isr \/ (e < elected_in[b] /\ known_epoch[b] < elected_in[b])) /\ ~crashed[b] /\ o
  < high_watermark[e]) => (o < log_end[b] /\ log[b, o] = leader_log[e, o]))

\* No two leaders acknowledge different records at one offset. (KIP-101)
OneRecordIsAcknowledged == [][\A d \in leader_epoch, e \in leader_epoch, o \in offset : (o < high_watermark[e] /\ o <
  high_watermark[d]) => leader_log[d, o] = leader_log[e, o]]_vars

OneRecordIsAcknowledged_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (\A d \in leader_epoch, e \in
  leader_epoch, o \in offset : (o < high_watermark[e] /\ o < high_watermark[d]) => leader_log[d, o] = leader_log[e, o])

\* Who has read up to the high watermark of an epoch is not out of range at a broker that leads in it or later.
\* (KIP-320)
LeaderLogReachesAcknowledged == [][\A b \in Broker, d \in leader_epoch, e \in leader_epoch : (leads(d, b) /\ e <= d) =>
  high_watermark[e] <= log_end[b]]_vars

LeaderLogReachesAcknowledged_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (\A b \in Broker, d \in
  leader_epoch, e \in leader_epoch : (leads(d, b) /\ e <= d) => high_watermark[e] <= log_end[b])

\* A high watermark that has reached the start of its epoch, so that ListOffsets answers with it, is at or beyond those
\* of earlier epochs, whatever their leaders acknowledge afterwards. (KIP-207)
ToldEndDoesNotGoBack == [][\A d \in leader_epoch, e \in leader_epoch : (e < d /\ leader_of[d] # None /\ epoch_start[d]
  <= high_watermark[d]) => high_watermark[e] <= high_watermark[d]]_vars

ToldEndDoesNotGoBack_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (\A d \in leader_epoch, e \in
  leader_epoch : (e < d /\ leader_of[d] # None /\ epoch_start[d] <= high_watermark[d]) => high_watermark[e] <=
  high_watermark[d])

\* A record is acknowledged, and another epoch begins. (KIP-966)
\* TLC is asked that this never holds; a violation is the witness.
W1 == ~(\E e \in leader_epoch : 0 < high_watermark[e] /\ e < leader_epoch_2)

\* A record is acknowledged, and another broker leads. (KIP-966)
\* TLC is asked that this never holds; a violation is the witness.
W2 == ~(\E d \in leader_epoch, e \in leader_epoch : e < d /\ 0 < high_watermark[e] /\ leader_of[d] # None)

\* The high watermark of a new leader lags behind what was acknowledged: before it has reached the start of its epoch,
\* ListOffsets must not answer with it. (KIP-207)
\* TLC is asked that this never holds; a violation is the witness.
W12 == ~(\E d \in leader_epoch, e \in leader_epoch : e < d /\ unclean_at[d] <= e /\ high_watermark[d] <
  high_watermark[e] /\ leader_of[d] # None)

\* A partition begins with a leader, in its first leader epoch. (S4:21)
ZDP1 == [][(partition_epoch = 0 /\ partition_epoch' # partition_epoch) => ((leader # None)' /\ leader_epoch_2' =
  1)]_vars

\* A replica that goes Offline was in the ISR, and is the only one that leaves it; the last member stays. Who else leads
\* goes on. (S4:53, KAFKA-5083)
ZDP2 == [][(\A b \in Broker : (ZDC2(b)) => (b \in isr /\ (isr' = isr \ {b} \/ (isr = {b} /\ isr' = isr)) /\ leader' =
  (IF leader = b THEN None ELSE leader)))]_vars

ZDP2_where_nothing_changes == (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (ZDC2(b)))) => (b \in isr /\ (isr = isr \
  {b} \/ (isr = {b} /\ isr = isr)) /\ leader = (IF leader = b THEN None ELSE leader)))

\* A leader epoch stays with its leader, or rises by one. (S4:24-28)
ZDP3 == [][(leader_epoch_2' = leader_epoch_2 /\ leader' = leader) \/ leader_epoch_2' = leader_epoch_2 + 1]_vars

\* What a leader knew of its epoch, and what it acknowledged, stays as it was once it no longer leads there. (KIP-101,
\* KIP-320)
ZDP6 == [][\A e \in leader_epoch : (leader_of[e] # None /\ (\A b \in Broker : ~leads(e, b))) => (high_watermark[e]' =
  high_watermark[e] /\ leader_end[e]' = leader_end[e] /\ known_partition_epoch[e]' = known_partition_epoch[e] /\
  known_isr[e]' = known_isr[e] /\ (\A f \in Broker : fetched[e, f]' = fetched[e, f] /\ fetched_broker_epoch[e, f]' =
  fetched_broker_epoch[e, f]))]_vars

\* A broker that lost records runs again under the next broker epoch; no other gets another. (KIP-966)
DP5 == [][\A b \in Broker : (broker_epoch[b]' = broker_epoch[b] /\ ~(crashed[b] /\ (~crashed[b])')) \/ (crashed[b] /\
  (~crashed[b])' /\ broker_epoch[b]' = broker_epoch[b] + 1)]_vars

\* The high watermark of a leader epoch never goes back. (KIP-101)
DP7 == [][\A e \in leader_epoch : high_watermark[e] <= high_watermark[e]']_vars

\* No broker fetches in a leader epoch that is its own. (KIP-101)
DP11 == \A v \in partition_epoch_2, f \in Broker : (v <= partition_epoch /\ leader_at[v] = f) =>
  fetch_broker_epoch[epoch_at[v], f] = 0

\* A broker that lost records and has not registered again reads, fetches and appends nothing. (KIP-631)
DP9 == [][\A b \in Broker : (crashed[b] /\ crashed[b]') => (log_end[b]' = log_end[b] /\ known_epoch[b]' = known_epoch[b]
  /\ (\A e \in leader_epoch : fetch_offset[e, b]' = fetch_offset[e, b] /\ fetch_broker_epoch[e, b]' =
  fetch_broker_epoch[e, b]))]_vars

\* No log has a record at its end or beyond. (KIP-101)
DP12 == \A b \in Broker, o \in offset : log_end[b] <= o => log[b, o] = 0

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

\* For LH1: before the first fetch there is none.
LS11 == \A e \in leader_epoch, f \in Broker : fetch_broker_epoch[e, f] = 0 => fetch_offset[e, f] = 0

\* For LS8: nobody fetches in an epoch that is not decided.
LS12 == \A e \in leader_epoch, f \in Broker : 0 < fetch_broker_epoch[e, f] => e <= leader_epoch_2

\* For LH4: the slowest of those that left an epoch will not be noted with more than it had.
LH1 == \A e \in leader_epoch, x \in Broker : slowest[e] = x => (e < known_epoch[x] /\ fetched[e, x] <= slowest_end[e] /\
  fetch_offset[e, x] <= slowest_end[e])

\* For ElectedHadAcknowledged: no more is acknowledged in an epoch than the slowest of those that left it had.
LH4 == \A e \in leader_epoch : slowest[e] # None => high_watermark[e] <= slowest_end[e]

\* For ZDH6: the leader is in the ISR, and was elected for its epoch or for a later one.
ZDM4 == \A v \in partition_epoch_2, b \in Broker : (v <= partition_epoch /\ leader_at[v] = b) => (b \in isr_at[v] /\
  epoch_at[v] <= elected_in[b])

\* For ZDM4: a broker is elected for a decided epoch.
ZDM5 == \A b \in Broker : elected_in[b] <= leader_epoch_2

\* For LG8: a broker that leads in an epoch was told that it does, and the ISR that it knows.
ZDM9 == \A e \in leader_epoch, b \in Broker : leader_of[e] = b => (leader_at[known_partition_epoch[e]] = b /\
  epoch_at[known_partition_epoch[e]] = e /\ 1 <= known_partition_epoch[e] /\ known_partition_epoch[e] <= partition_epoch
  /\ e <= known_epoch[b] /\ known_isr[e] = isr_at[known_partition_epoch[e]] /\ 1 <= e)

\* For ZDJ3: an epoch in which nobody has begun to lead is empty.
ZDM10 == \A e \in leader_epoch : leader_of[e] = None => (known_partition_epoch[e] = 0 /\ leader_end[e] = 0 /\
  high_watermark[e] = 0 /\ slowest_end[e] = 0 /\ (\A x \in Broker : fetched[e, x] = 0 /\ fetched_broker_epoch[e, x] =
  0))

\* For LM1: before the partition is created nothing is known of it.
ZDM11 == partition_epoch = 0 => (leader_epoch_2 = 0 /\ leader = None /\ isr = {} /\ (\A b \in Broker : ~crashed[b] /\
  broker_epoch[b] = 1 /\ known_epoch[b] = 0 /\ elected_in[b] = 0 /\ ~truncated[b]) /\ (\A b \in Broker, e \in
  leader_epoch : fetch_broker_epoch[e, b] = 0))

\* For LM2: under versions that are still to come nothing is written.
ZDM12 == \A v \in partition_epoch_2 : partition_epoch < v => (leader_at[v] = None /\ epoch_at[v] = 0 /\ isr_at[v] = {})

\* For ZDJ1: a candidate has not lost records since it fetched last.
ZDS8 == \A b \in Broker, e \in leader_epoch : ((b \in isr \/ (e < elected_in[b] /\ known_epoch[b] < elected_in[b])) /\
  known_epoch[b] <= e) => (fetch_broker_epoch[e, b] = 0 \/ fetch_broker_epoch[e, b] = broker_epoch[b])

\* For ZDJ6: nor since what the leader noted of it.
ZDS9 == \A b \in Broker, e \in leader_epoch : ((b \in isr \/ (e < elected_in[b] /\ known_epoch[b] < elected_in[b])) /\
  known_epoch[b] <= e) => (fetched_broker_epoch[e, b] = 0 \/ fetched_broker_epoch[e, b] = broker_epoch[b])

\* For ZDJ8: a candidate that is still in an epoch is in the ISR of the epoch's leader.
ZDJ1 == \A e \in leader_epoch, b \in Broker : (leader_of[e] # None /\ (b \in isr \/ (e < elected_in[b] /\ known_epoch[b]
  < elected_in[b])) /\ known_epoch[b] <= e) => b \in known_isr[e]

\* For ZDJ1: and it is in the ISR that a leader will be told when it begins.
ZDJ2 == \A v \in partition_epoch_2, b \in Broker : (v <= partition_epoch /\ known_partition_epoch[epoch_at[v]] < v /\ (b
  \in isr \/ (epoch_at[v] < elected_in[b] /\ known_epoch[b] < elected_in[b])) /\ known_epoch[b] <= epoch_at[v]) => b \in
  isr_at[v]

\* For ZDJ8: nothing is acknowledged before every candidate has begun to fetch.
ZDJ3 == \A e \in leader_epoch, b \in Broker : ((b \in isr \/ (e < elected_in[b] /\ known_epoch[b] < elected_in[b])) /\
  (known_epoch[b] < e \/ (known_epoch[b] = e /\ ~truncated[b]))) => high_watermark[e] = 0

\* For ZDJ8: the log of a candidate reaches what is acknowledged.
ZDJ4 == \A e \in leader_epoch, b \in Broker : ((b \in isr \/ (e < elected_in[b] /\ known_epoch[b] < elected_in[b])) /\
  ~crashed[b] /\ known_epoch[b] <= e) => high_watermark[e] <= log_end[b]

\* For ZDJ4: the log of a candidate reaches what the leader notes of it.
ZDJ6 == \A e \in leader_epoch, b \in Broker : ((b \in isr \/ (e < elected_in[b] /\ known_epoch[b] < elected_in[b])) /\
  ~crashed[b] /\ known_epoch[b] <= e) => fetched[e, b] <= log_end[b]

\* For ZDJ3: of a candidate that has not begun to fetch nothing is noted.
ZDJ7 == \A e \in leader_epoch, b \in Broker : ((b \in isr \/ (e < elected_in[b] /\ known_epoch[b] < elected_in[b])) /\
  (known_epoch[b] < e \/ (known_epoch[b] = e /\ ~truncated[b]))) => (fetched[e, b] = 0 /\ leader_of[e] # b)

\* For CandidatesHaveAcknowledged: a candidate that is still in an epoch has what was acknowledged in it.
ZDJ8 == \A e \in leader_epoch, b \in Broker, o \in offset : ((b \in isr \/ (e < elected_in[b] /\ known_epoch[b] <
  elected_in[b])) /\ ~crashed[b] /\ known_epoch[b] <= e /\ o < high_watermark[e]) => (o < log_end[b] /\ log[b, o] =
  leader_log[e, o])

\* For ZDH8: a later leader began with a log that reaches what the slowest had.
ZDH10 == \A d \in leader_epoch, e \in leader_epoch : (leader_of[d] # None /\ e < d) => slowest_end[e] <= epoch_start[d]

\* For ZDH8: before an epoch begins, its leader has left all earlier ones.
ZDH6 == \A d \in leader_epoch, e \in leader_epoch : (leader_of[d] # None /\ e < d) => slowest[e] # None

\* For ElectedHadAcknowledged: a later leader began with what the slowest had.
ZDH8 == \A d \in leader_epoch, e \in leader_epoch, o \in offset : (leader_of[d] # None /\ e < d /\ o < slowest_end[e])
  => (o < epoch_start[d] /\ leader_log[d, o] = leader_log[e, o])

\* For ZDH7: the log of a candidate that left an epoch reaches what the slowest had.
ZDH9 == \A b \in Broker, e \in leader_epoch : (slowest[e] # None /\ (b \in isr \/ (e < elected_in[b] /\ known_epoch[b] <
  elected_in[b])) /\ ~crashed[b] /\ e < known_epoch[b]) => slowest_end[e] <= log_end[b]

\* For LH4: the slowest stays in the ISR of the epoch's leader.
ZDH2 == \A e \in leader_epoch, x \in Broker : (slowest[e] = x /\ leader_of[e] # None) => x \in known_isr[e]

\* For ZDH2: and it is in the ISR that a leader will be told when it begins.
ZDH3 == \A v \in partition_epoch_2, x \in Broker : (v <= partition_epoch /\ known_partition_epoch[epoch_at[v]] < v /\
  slowest[epoch_at[v]] = x) => x \in isr_at[v]

\* For ZDH7: once a candidate has left an epoch, one of them is the slowest.
ZDH5 == \A b \in Broker, e \in leader_epoch : ((b \in isr \/ (e < elected_in[b] /\ known_epoch[b] < elected_in[b])) /\ e
  < known_epoch[b]) => slowest[e] # None

\* For CandidatesHaveAcknowledged: a candidate that left an epoch has what the slowest had.
ZDH7 == \A b \in Broker, e \in leader_epoch, o \in offset : (slowest[e] # None /\ (b \in isr \/ (e < elected_in[b] /\
  known_epoch[b] < elected_in[b])) /\ ~crashed[b] /\ e < known_epoch[b] /\ o < slowest_end[e]) => (o < log_end[b] /\
  log[b, o] = leader_log[e, o])
================================================================================
