-------------------------------- MODULE zk_data --------------------------------
\* zk-data: Replication of one partition in the ZooKeeper era: a record acknowledged with acks=all survives every clean
\* election.
\* Made from the tables of zk-data f875e9e8fcb9; not to be edited.
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
  leader_of, epoch_start, log_end, leader_end, leader_log, log, known_partition_epoch, known_isr, fetch_broker_epoch,
  fetch_offset, fetched, fetched_broker_epoch, high_watermark, unclean_at

vars == <<partition_epoch, leader_at, epoch_at, isr_at, elected_in, crashed, broker_epoch, known_epoch, truncated,
  leader_of, epoch_start, log_end, leader_end, leader_log, log, known_partition_epoch, known_isr, fetch_broker_epoch,
  fetch_offset, fetched, fetched_broker_epoch, high_watermark, unclean_at>>

partition_epoch_and_others == <<partition_epoch, leader_at, epoch_at, isr_at>>

leader_epoch_2 == epoch_at[partition_epoch]

isr == isr_at[partition_epoch]

leader == leader_at[partition_epoch]

leads(e, b) == leader_of[e] = b /\ known_epoch[b] = e /\ ~crashed[b]

knows_the_version(e, b) == leads(e, b) /\ known_partition_epoch[e] = partition_epoch

isr_has(e, b, n) == \A x \in Broker : x \in known_isr[e] => (x = b \/ n <= fetched[e, x])

\* A broker or controller that knows the znode's version writes it: leader, leader epoch, ISR, under the next version.
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
  /\ UNCHANGED <<crashed, broker_epoch, known_epoch, truncated, leader_of, epoch_start, log_end, leader_end, leader_log,
         log, known_partition_epoch, known_isr, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch,
         high_watermark, unclean_at>>

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
  /\ UNCHANGED <<crashed, broker_epoch, known_epoch, truncated, leader_of, epoch_start, log_end, leader_end, leader_log,
         log, known_partition_epoch, known_isr, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch,
         high_watermark, unclean_at>>

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
  /\ UNCHANGED <<crashed, broker_epoch, known_epoch, truncated, leader_of, epoch_start, log_end, leader_end, leader_log,
         log, known_partition_epoch, known_isr, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch,
         high_watermark, unclean_at>>

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
  /\ broker_epoch[b] <= Maxbroker_epoch - 1
  /\ broker_epoch' = [broker_epoch EXCEPT ![b] = broker_epoch[b] + 1]
  /\ crashed' = [crashed EXCEPT ![b] = FALSE]
  /\ known_epoch' = [known_epoch EXCEPT ![b] = read]
  /\ truncated' = [truncated EXCEPT ![b] = FALSE]
  /\ UNCHANGED <<elected_in, leader_of, epoch_start, log_end, leader_end, leader_log, log, known_partition_epoch,
         known_isr, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark, unclean_at,
         partition_epoch_and_others>>

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
  /\ truncated' = [truncated EXCEPT ![b] = FALSE]
  /\ UNCHANGED <<elected_in, crashed, broker_epoch, leader_of, epoch_start, log_end, leader_end, leader_log, log,
         known_partition_epoch, known_isr, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch,
         high_watermark, unclean_at, partition_epoch_and_others>>

\* KIP-966
DL1(b, e) ==
  /\ leads(e, b) = TRUE
  /\ log_end[b] <= Maxoffset - 1
  /\ log' = [log EXCEPT ![b, log_end[b]] = e]
  /\ log_end' = [log_end EXCEPT ![b] = log_end[b] + 1]
  /\ leader_log' = [leader_log EXCEPT ![e, log_end[b]] = e]
  /\ leader_end' = [leader_end EXCEPT ![e] = log_end[b] + 1]
  /\ UNCHANGED <<elected_in, crashed, broker_epoch, known_epoch, truncated, leader_of, epoch_start,
         known_partition_epoch, known_isr, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch,
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
  /\ UNCHANGED <<elected_in, crashed, broker_epoch, known_epoch, truncated, leader_of, epoch_start, log_end, leader_end,
         leader_log, log, known_partition_epoch, known_isr, fetch_broker_epoch, fetch_offset, high_watermark,
         unclean_at, partition_epoch_and_others>>

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
  /\ UNCHANGED <<elected_in, crashed, broker_epoch, known_epoch, truncated, leader_of, epoch_start, log_end, leader_end,
         leader_log, log, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark, unclean_at>>

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
  /\ UNCHANGED <<elected_in, crashed, broker_epoch, known_epoch, truncated, leader_of, epoch_start, log_end, leader_end,
         leader_log, log, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch, high_watermark, unclean_at>>

\* KIP-101
ZDL3_is_enabled(n, b, e) ==
  /\ leads(e, b) = TRUE
  /\ high_watermark[e] < n
  /\ n <= log_end[b]
  /\ isr_has(e, b, n) = TRUE

ZDL3(n, b, e) ==
  /\ ZDL3_is_enabled(n, b, e)
  /\ high_watermark' = [high_watermark EXCEPT ![e] = n]
  /\ UNCHANGED <<elected_in, crashed, broker_epoch, known_epoch, truncated, leader_of, epoch_start, log_end, leader_end,
         leader_log, log, known_partition_epoch, known_isr, fetch_broker_epoch, fetch_offset, fetched,
         fetched_broker_epoch, unclean_at, partition_epoch_and_others>>

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
  /\ UNCHANGED <<elected_in, crashed, broker_epoch, known_epoch, leader_of, epoch_start, leader_end, leader_log,
         known_partition_epoch, known_isr, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch,
         high_watermark, unclean_at, partition_epoch_and_others>>

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
  /\ UNCHANGED <<elected_in, crashed, broker_epoch, known_epoch, truncated, leader_of, epoch_start, leader_end,
         leader_log, known_partition_epoch, known_isr, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch,
         high_watermark, unclean_at, partition_epoch_and_others>>

\* KIP-320
DF3_is_enabled(f) ==
  /\ truncated[f]
  /\ (~crashed[f]) = TRUE
  /\ leader_of[known_epoch[f]] # f

DF3(f) ==
  /\ DF3_is_enabled(f)
  /\ fetch_offset' = [fetch_offset EXCEPT ![known_epoch[f], f] = log_end[f]]
  /\ fetch_broker_epoch' = [fetch_broker_epoch EXCEPT ![known_epoch[f], f] = broker_epoch[f]]
  /\ UNCHANGED <<elected_in, crashed, broker_epoch, known_epoch, truncated, leader_of, epoch_start, log_end, leader_end,
         leader_log, log, known_partition_epoch, known_isr, fetched, fetched_broker_epoch, high_watermark, unclean_at,
         partition_epoch_and_others>>

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
  /\ UNCHANGED <<elected_in, broker_epoch, known_epoch, truncated, leader_of, epoch_start, leader_end, leader_log,
         known_partition_epoch, known_isr, fetch_broker_epoch, fetch_offset, fetched, fetched_broker_epoch,
         high_watermark, unclean_at, partition_epoch_and_others>>

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
  /\ leader_of = [k \in leader_epoch |-> None]
  /\ epoch_start = [k \in leader_epoch |-> 0]
  /\ log_end = [k \in Broker |-> 0]
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
AcknowledgedIsKept == \A b \in Broker, d \in leader_epoch, e \in leader_epoch, o \in offset : (leads(d, b) /\ e <= d /\
  o < high_watermark[e]) => (o < log_end[b] /\ log[b, o] = leader_log[e, o])

\* It had those of earlier epochs when its own began, those that a replaced leader acknowledges afterwards, too.
\* (KIP-101)
ElectedHadAcknowledged == \A d \in leader_epoch, e \in leader_epoch, o \in offset : (e < d /\ leader_of[d] # None /\ o <
  high_watermark[e]) => (o < epoch_start[d] /\ leader_log[d, o] = leader_log[e, o])

\* A broker that runs and is in the ISR, or has been elected and was not notified yet, has every record that was
\* acknowledged. (KIP-101)
CandidatesHaveAcknowledged == \A b \in Broker, e \in leader_epoch, o \in offset : ((b \in isr \/ (e < elected_in[b] /\
  known_epoch[b] < elected_in[b])) /\ ~crashed[b] /\ o < high_watermark[e]) => (o < log_end[b] /\ log[b, o] =
  leader_log[e, o])

\* No two leaders acknowledge different records at one offset. (KIP-101)
OneRecordIsAcknowledged == \A d \in leader_epoch, e \in leader_epoch, o \in offset : (o < high_watermark[e] /\ o <
  high_watermark[d]) => leader_log[d, o] = leader_log[e, o]

\* Who has read up to the high watermark of an epoch is not out of range at a broker that leads in it or later.
\* (KIP-320)
LeaderLogReachesAcknowledged == \A b \in Broker, d \in leader_epoch, e \in leader_epoch : (leads(d, b) /\ e <= d) =>
  high_watermark[e] <= log_end[b]

\* A high watermark that has reached the start of its epoch, so that ListOffsets answers with it, is at or beyond those
\* of earlier epochs, whatever their leaders acknowledge afterwards. (KIP-207)
ToldEndDoesNotGoBack == \A d \in leader_epoch, e \in leader_epoch : (e < d /\ leader_of[d] # None /\ epoch_start[d] <=
  high_watermark[d]) => high_watermark[e] <= high_watermark[d]

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
================================================================================
