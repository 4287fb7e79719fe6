------------------------------ MODULE kraft_loop -------------------------------
\* kraft-loop: The event loop of the KRaft controller: what every node of the quorum does between a request and its
\* committed records.
\* Made from the tables of kraft-loop 07f37cbb1739; not to be edited.
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS Maxleader_epoch, Maxoffset, NumberController, NumberRequest, Bound, None

leader_epoch == 0..Maxleader_epoch
offset == 0..Maxoffset
Controller == 0..(NumberController - 1)
RecordKind == {"DATA", "VERSION", "BEGIN", "END", "ABORT"}
Request == 0..(NumberRequest - 1)
Future == {"NONE", "QUEUED", "PARKED", "ANSWERED", "REFUSED", "NOT_CONTROLLER", "TIMED_OUT", "UNKNOWN", "LOST"}

At(f, k, initial) == IF k \in DOMAIN f THEN f[k] ELSE initial
Pick(S) == CHOOSE x \in S : TRUE
Put(f, updates) == [k \in DOMAIN f |-> LET u == {x \in updates : x.at = k} IN IF u = {} THEN f[k] ELSE Pick(u).to]

VARIABLES raft_epoch, log_end, log_ends, high_watermark, log, leader_of, epoch_start, log_kind, undone_by, log_open,
  known_epoch, claim, left_epoch, applied, next_write, activating, snapshot, stable, kept, effect, armed, committed,
  transaction, future, asked, transactions, expired, wrote_in, wrote_from, parked_at

vars == <<raft_epoch, log_end, log_ends, high_watermark, log, leader_of, epoch_start, log_kind, undone_by, log_open,
  known_epoch, claim, left_epoch, applied, next_write, activating, snapshot, stable, kept, effect, armed, committed,
  transaction, future, asked, transactions, expired, wrote_in, wrote_from, parked_at>>

raft_epoch_and_others == <<raft_epoch, leader_of, epoch_start>>

log_end_and_others == <<log_end, log_ends, log, log_kind, log_open>>

Given_FaultInEvent(n) == CASE Bound = "handover" -> FALSE [] Bound = "snapshots" -> FALSE [] Bound = "replays" -> FALSE
  [] OTHER -> TRUE

Given_ProcessEnds(n) == CASE Bound = "handover" -> FALSE [] OTHER -> TRUE

Given_Send(r, n) == CASE Bound = "snapshots" -> FALSE [] Bound = "replays" -> FALSE [] OTHER -> TRUE

Given_PassDeadline(r) == CASE Bound = "two-requests" -> FALSE [] Bound = "handover" -> FALSE [] OTHER -> TRUE

Given_RunPeriodicTask(n, to_2) == CASE Bound = "replays" -> FALSE [] OTHER -> TRUE

ends_batch(at_2, d) == at_2 = 0 \/ log_ends[d, at_2]

has_committed(at_2, d) == high_watermark[raft_epoch] <= at_2 /\ (high_watermark[raft_epoch] = 0 \/ At(log, <<d,
  high_watermark[raft_epoch] - 1>>, 0) = At(log, <<raft_epoch, high_watermark[raft_epoch] - 1>>, 0))

ends_batch_2(at_2) == at_2 = 0 \/ log_ends[raft_epoch, at_2]

is_active(n) == 0 < claim[n]

caught_up(n) == applied[n] = epoch_start[known_epoch[n]]

same_log(n) == epoch_start[known_epoch[n]] = next_write[n] /\ (next_write[n] = 0 \/ At(log, <<known_epoch[n],
  next_write[n] - 1>>, 0) = At(log, <<claim[n], next_write[n] - 1>>, 0))

leads_yet(n) == 0 < claim[n] /\ known_epoch[n] = claim[n]

bootstrapped(n) == \E o \in offset : 0 < effect[n, o] /\ log_kind[claim[n], o] = "VERSION" /\ (transaction[n] = 0 \/ o <
  transaction[n])

ends_batch_3(to_2, n) == to_2 = 0 \/ log_ends[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], to_2]

delivered(to_2, n) == to_2 <= high_watermark[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n]] /\ committed[n] < to_2
  /\ ends_batch_3(to_2, n) /\ (\A s \in offset : (committed[n] < s /\ s < to_2) => ~ends_batch_3(s, n))

open_when_committed(n, to_2) == log_open[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], to_2]

stable_end(n, to_2) == IF stable[n] < (IF open_when_committed(n, to_2) = 0 THEN to_2 ELSE open_when_committed(n, to_2) -
  1) THEN IF open_when_committed(n, to_2) = 0 THEN to_2 ELSE open_when_committed(n, to_2) - 1 ELSE stable[n]

stable_end_2(n, to_2) == IF stable[n] < (IF transaction[n] = 0 THEN to_2 ELSE transaction[n] - 1) THEN IF transaction[n]
  = 0 THEN to_2 ELSE transaction[n] - 1 ELSE stable[n]

stable_end_3(n, to_2) == IF stable[n] < (IF to_2 = 0 THEN to_2 ELSE to_2 - 1) THEN IF to_2 = 0 THEN to_2 ELSE to_2 - 1
  ELSE stable[n]

stable_end_4(n, to_2) == IF stable[n] < (IF 0 = 0 THEN to_2 ELSE 0 - 1) THEN IF 0 = 0 THEN to_2 ELSE 0 - 1 ELSE
  stable[n]

reverted(n, o) == At(kept, <<n, transaction[n] - 1, o>>, 0)

ends_batch_4(e, s) == log_open[e, s] - 1 = 0 \/ At(log_ends, <<e, log_open[e, s] - 1>>, FALSE)

ends_batch_5(n) == committed[n] = 0 \/ log_ends[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], committed[n]]

ends_batch_6(n) == applied[n] = 0 \/ log_ends[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], applied[n]]

\* The node is a standby again: the state is that of the snapshot at the stable offset, and the purgatory is answered.
renounces(n) ==
  LET
    reverted_2(o) == At(kept, <<n, stable[n], o>>, 0)
  IN
    [claim |-> {[at |-> n, to |-> 0]}, next_write |-> {[at |-> n, to |-> 0]}, activating |-> {[at |-> n, to |-> FALSE]},
        armed |-> {[at |-> n, to |-> FALSE]}, effect |-> {[at |-> <<n, o>>, to |-> reverted_2(o)] : o \in offset},
        applied |-> {[at |-> n, to |-> stable[n]]}, committed |-> {[at |-> n, to |-> stable[n]]}, transaction |-> {[at
        |-> n, to |-> 0]}, snapshot |-> {[at |-> <<n, s>>, to |-> snapshot[n, s] /\ s <= stable[n]] : s \in offset},
        kept |-> UNION {{[at |-> <<n, s, o>>, to |-> IF snapshot[n, s] /\ s <= stable[n] THEN kept[n, s, o] ELSE 0] : o
        \in offset} : s \in offset}, future |-> {[at |-> x, to |-> "NOT_CONTROLLER"] : x \in {x \in Request : future[x]
        = "PARKED" /\ asked[x] = n}}]

\* The process ends and starts again with an empty state; who waited for it gets no answer, and it leads no epoch any
\* more.
restarts(n) ==
  [claim |-> {[at |-> n, to |-> 0]}, left_epoch |-> {[at |-> n, to |-> known_epoch[n]]}, next_write |-> {[at |-> n, to
      |-> 0]}, applied |-> {[at |-> n, to |-> 0]}, committed |-> {[at |-> n, to |-> 0]}, stable |-> {[at |-> n, to |->
      0]}, transaction |-> {[at |-> n, to |-> 0]}, activating |-> {[at |-> n, to |-> FALSE]}, armed |-> {[at |-> n, to
      |-> FALSE]}, effect |-> {[at |-> <<n, o>>, to |-> 0] : o \in offset}, snapshot |-> {[at |-> <<n, s>>, to |->
      FALSE] : s \in offset}, kept |-> UNION {{[at |-> <<n, s, o>>, to |-> IF FALSE THEN 0 ELSE 0] : o \in offset} : s
      \in offset}, future |-> {[at |-> x, to |-> "LOST"] : x \in {x \in Request : asked[x] = n /\ (future[x] = "QUEUED"
      \/ future[x] = "PARKED")}}]

\* The active controller appends Begin, the bootstrap records and End, and applies them.
bootstraps(n) ==
  [log |-> {[at |-> <<claim[n], next_write[n]>>, to |-> claim[n]]}, log_kind |-> {[at |-> <<claim[n], next_write[n]>>,
      to |-> "BEGIN"]}, log_ends |-> {[at |-> <<claim[n], next_write[n] + 1>>, to |-> TRUE]}, log_open |-> {[at |->
      <<claim[n], next_write[n] + 1>>, to |-> next_write[n] + 1]}, log_2 |-> {[at |-> <<claim[n], next_write[n] + 1>>,
      to |-> claim[n]]}, log_kind_2 |-> {[at |-> <<claim[n], next_write[n] + 1>>, to |-> "VERSION"]}, log_ends_2 |->
      {[at |-> <<claim[n], (next_write[n] + 1) + 1>>, to |-> TRUE]}, log_open_2 |-> {[at |-> <<claim[n], (next_write[n]
      + 1) + 1>>, to |-> next_write[n] + 1]}, log_3 |-> {[at |-> <<claim[n], next_write[n] + 2>>, to |-> claim[n]]},
      log_kind_3 |-> {[at |-> <<claim[n], next_write[n] + 2>>, to |-> "END"]}, log_ends_3 |-> {[at |-> <<claim[n],
      (next_write[n] + 2) + 1>>, to |-> TRUE]}, log_open_3 |-> {[at |-> <<claim[n], (next_write[n] + 2) + 1>>, to |->
      0]}, log_end |-> {[at |-> claim[n], to |-> next_write[n] + 3]}, next_write |-> {[at |-> n, to |-> next_write[n] +
      3]}, applied |-> {[at |-> n, to |-> next_write[n] + 3]}, effect |-> {[at |-> <<n, o>>, to |-> IF o = next_write[n]
      + 1 THEN claim[n] ELSE effect[n, o]] : o \in offset}, snapshot |-> {[at |-> <<n, s>>, to |-> snapshot[n, s] \/
      (next_write[n] <= s /\ s <= next_write[n] + 3)] : s \in offset}, kept |-> UNION {{[at |-> <<n, s, o>>, to |-> IF
      snapshot[n, s] \/ (next_write[n] <= s /\ s <= next_write[n] + 3) THEN IF snapshot[n, s] THEN kept[n, s, o] ELSE IF
      o = next_write[n] + 1 /\ next_write[n] + 1 < s THEN claim[n] ELSE effect[n, o] ELSE 0] : o \in offset} : s \in
      offset}]

\* The active controller appends the bootstrap records as one batch without a transaction, and applies them.
bootstraps_at_once(n) ==
  [log |-> {[at |-> <<claim[n], next_write[n]>>, to |-> claim[n]]}, log_kind |-> {[at |-> <<claim[n], next_write[n]>>,
      to |-> "VERSION"]}, log_ends |-> {[at |-> <<claim[n], next_write[n] + 1>>, to |-> TRUE]}, log_open |-> {[at |->
      <<claim[n], next_write[n] + 1>>, to |-> 0]}, log_end |-> {[at |-> claim[n], to |-> next_write[n] + 1]}, next_write
      |-> {[at |-> n, to |-> next_write[n] + 1]}, applied |-> {[at |-> n, to |-> next_write[n] + 1]}, effect |-> {[at
      |-> <<n, next_write[n]>>, to |-> claim[n]]}, snapshot |-> {[at |-> <<n, s>>, to |-> snapshot[n, s] \/ s =
      next_write[n] + 1] : s \in offset}, kept |-> UNION {{[at |-> <<n, s, o>>, to |-> IF snapshot[n, s] \/ s =
      next_write[n] + 1 THEN IF snapshot[n, s] THEN kept[n, s, o] ELSE IF o = next_write[n] THEN claim[n] ELSE effect[n,
      o] ELSE 0] : o \in offset} : s \in offset}]

\* The active controller appends Abort, then Begin, the bootstrap records and End, and applies them.
aborts_and_bootstraps(n) ==
  LET
    reverted_2(o) == At(kept, <<n, transaction[n] - 1, o>>, 0)
  IN
    [log |-> {[at |-> <<claim[n], next_write[n]>>, to |-> claim[n]]}, log_kind |-> {[at |-> <<claim[n], next_write[n]>>,
        to |-> "ABORT"]}, log_ends |-> {[at |-> <<claim[n], next_write[n] + 1>>, to |-> TRUE]}, log_open |-> {[at |->
        <<claim[n], next_write[n] + 1>>, to |-> 0]}, undone_by |-> {[at |-> <<claim[n], o>>, to |-> next_write[n]] : o
        \in {o \in offset : transaction[n] - 1 <= o /\ o < next_write[n]}}, transaction |-> {[at |-> n, to |-> 0]},
        log_2 |-> {[at |-> <<claim[n], next_write[n] + 1>>, to |-> claim[n]]}, log_kind_2 |-> {[at |-> <<claim[n],
        next_write[n] + 1>>, to |-> "BEGIN"]}, log_ends_2 |-> {[at |-> <<claim[n], (next_write[n] + 1) + 1>>, to |->
        TRUE]}, log_open_2 |-> {[at |-> <<claim[n], (next_write[n] + 1) + 1>>, to |-> (next_write[n] + 1) + 1]}, log_3
        |-> {[at |-> <<claim[n], (next_write[n] + 1) + 1>>, to |-> claim[n]]}, log_kind_3 |-> {[at |-> <<claim[n],
        (next_write[n] + 1) + 1>>, to |-> "VERSION"]}, log_ends_3 |-> {[at |-> <<claim[n], ((next_write[n] + 1) + 1) +
        1>>, to |-> TRUE]}, log_open_3 |-> {[at |-> <<claim[n], ((next_write[n] + 1) + 1) + 1>>, to |-> (next_write[n] +
        1) + 1]}, log_4 |-> {[at |-> <<claim[n], (next_write[n] + 1) + 2>>, to |-> claim[n]]}, log_kind_4 |-> {[at |->
        <<claim[n], (next_write[n] + 1) + 2>>, to |-> "END"]}, log_ends_4 |-> {[at |-> <<claim[n], ((next_write[n] + 1)
        + 2) + 1>>, to |-> TRUE]}, log_open_4 |-> {[at |-> <<claim[n], ((next_write[n] + 1) + 2) + 1>>, to |-> 0]},
        log_end |-> {[at |-> claim[n], to |-> (next_write[n] + 1) + 3]}, next_write |-> {[at |-> n, to |->
        (next_write[n] + 1) + 3]}, applied |-> {[at |-> n, to |-> (next_write[n] + 1) + 3]}, effect |-> {[at |-> <<n,
        o>>, to |-> IF o = (next_write[n] + 1) + 1 THEN claim[n] ELSE reverted_2(o)] : o \in offset}, snapshot |-> {[at
        |-> <<n, s>>, to |-> (snapshot[n, s] /\ s <= transaction[n] - 1) \/ (next_write[n] + 1 <= s /\ s <=
        next_write[n] + 4)] : s \in offset}, kept |-> UNION {{[at |-> <<n, s, o>>, to |-> IF (snapshot[n, s] /\ s <=
        transaction[n] - 1) \/ (next_write[n] + 1 <= s /\ s <= next_write[n] + 4) THEN IF s <= transaction[n] - 1 THEN
        kept[n, s, o] ELSE IF o = (next_write[n] + 1) + 1 /\ (next_write[n] + 1) + 1 < s THEN claim[n] ELSE
        reverted_2(o) ELSE 0] : o \in offset} : s \in offset}]

\* The active controller appends Abort and applies it: the state is again as it was before Begin; later snapshots are
\* gone.
aborts(n) ==
  LET
    reverted_2(o) == At(kept, <<n, transaction[n] - 1, o>>, 0)
  IN
    [log |-> {[at |-> <<claim[n], next_write[n]>>, to |-> claim[n]]}, log_kind |-> {[at |-> <<claim[n], next_write[n]>>,
        to |-> "ABORT"]}, log_ends |-> {[at |-> <<claim[n], next_write[n] + 1>>, to |-> TRUE]}, log_open |-> {[at |->
        <<claim[n], next_write[n] + 1>>, to |-> 0]}, undone_by |-> {[at |-> <<claim[n], o>>, to |-> next_write[n]] : o
        \in {o \in offset : transaction[n] - 1 <= o /\ o < next_write[n]}}, transaction |-> {[at |-> n, to |-> 0]},
        log_end |-> {[at |-> claim[n], to |-> next_write[n] + 1]}, next_write |-> {[at |-> n, to |-> next_write[n] +
        1]}, applied |-> {[at |-> n, to |-> next_write[n] + 1]}, effect |-> {[at |-> <<n, o>>, to |-> reverted_2(o)] : o
        \in offset}, snapshot |-> {[at |-> <<n, s>>, to |-> (snapshot[n, s] /\ s <= transaction[n] - 1) \/ s =
        next_write[n] + 1] : s \in offset}, kept |-> UNION {{[at |-> <<n, s, o>>, to |-> IF (snapshot[n, s] /\ s <=
        transaction[n] - 1) \/ s = next_write[n] + 1 THEN IF s <= transaction[n] - 1 THEN kept[n, s, o] ELSE
        reverted_2(o) ELSE 0] : o \in offset} : s \in offset}]

\* The active controller appends data records up to an offset and applies them: one batch if atomic, else one batch
\* each.
writes(n, to_2, atomic) ==
  [log |-> {[at |-> <<claim[n], o>>, to |-> claim[n]] : o \in {o \in offset : next_write[n] <= o /\ o < to_2}}, log_kind
      |-> {[at |-> <<claim[n], o>>, to |-> "DATA"] : o \in {o \in offset : next_write[n] <= o /\ o < to_2}}, effect |->
      {[at |-> <<n, o>>, to |-> claim[n]] : o \in {o \in offset : next_write[n] <= o /\ o < to_2}}, log_ends |-> {[at
      |-> <<claim[n], s>>, to |-> ~atomic \/ s = to_2] : s \in {s \in offset : next_write[n] < s /\ s <= to_2}},
      log_open |-> {[at |-> <<claim[n], s>>, to |-> transaction[n]] : s \in {s \in offset : next_write[n] < s /\ s <=
      to_2}}, log_end |-> {[at |-> claim[n], to |-> to_2]}, next_write |-> {[at |-> n, to |-> to_2]}, applied |-> {[at
      |-> n, to |-> to_2]}, snapshot |-> {[at |-> <<n, s>>, to |-> snapshot[n, s] \/ (next_write[n] < s /\ s <= to_2 /\
      (~atomic \/ s = to_2))] : s \in offset}, kept |-> UNION {{[at |-> <<n, s, o>>, to |-> IF snapshot[n, s] \/
      (next_write[n] < s /\ s <= to_2 /\ (~atomic \/ s = to_2)) THEN IF snapshot[n, s] THEN kept[n, s, o] ELSE IF
      next_write[n] <= o /\ o < to_2 /\ o < s THEN claim[n] ELSE effect[n, o] ELSE 0] : o \in offset} : s \in offset}]

\* The active controller appends Begin and applies it: a snapshot of what was before, and one after.
begins(n) ==
  [log |-> {[at |-> <<claim[n], next_write[n]>>, to |-> claim[n]]}, log_kind |-> {[at |-> <<claim[n], next_write[n]>>,
      to |-> "BEGIN"]}, log_ends |-> {[at |-> <<claim[n], next_write[n] + 1>>, to |-> TRUE]}, log_open |-> {[at |->
      <<claim[n], next_write[n] + 1>>, to |-> next_write[n] + 1]}, log_end |-> {[at |-> claim[n], to |-> next_write[n] +
      1]}, next_write |-> {[at |-> n, to |-> next_write[n] + 1]}, applied |-> {[at |-> n, to |-> next_write[n] + 1]},
      transaction |-> {[at |-> n, to |-> next_write[n] + 1]}, snapshot |-> {[at |-> <<n, s>>, to |-> snapshot[n, s] \/ s
      = next_write[n] \/ s = next_write[n] + 1] : s \in offset}, kept |-> UNION {{[at |-> <<n, s, o>>, to |-> IF
      snapshot[n, s] \/ s = next_write[n] \/ s = next_write[n] + 1 THEN IF snapshot[n, s] THEN kept[n, s, o] ELSE
      effect[n, o] ELSE 0] : o \in offset} : s \in offset}]

\* The active controller appends End and applies it: no transaction is open any more.
ends(n) ==
  [log |-> {[at |-> <<claim[n], next_write[n]>>, to |-> claim[n]]}, log_kind |-> {[at |-> <<claim[n], next_write[n]>>,
      to |-> "END"]}, log_ends |-> {[at |-> <<claim[n], next_write[n] + 1>>, to |-> TRUE]}, log_open |-> {[at |->
      <<claim[n], next_write[n] + 1>>, to |-> 0]}, log_end |-> {[at |-> claim[n], to |-> next_write[n] + 1]}, next_write
      |-> {[at |-> n, to |-> next_write[n] + 1]}, applied |-> {[at |-> n, to |-> next_write[n] + 1]}, transaction |->
      {[at |-> n, to |-> 0]}, snapshot |-> {[at |-> <<n, s>>, to |-> snapshot[n, s] \/ s = next_write[n] + 1] : s \in
      offset}, kept |-> UNION {{[at |-> <<n, s, o>>, to |-> IF snapshot[n, s] \/ s = next_write[n] + 1 THEN IF
      snapshot[n, s] THEN kept[n, s, o] ELSE effect[n, o] ELSE 0] : o \in offset} : s \in offset}]

\* S3:11, KIP-595
QR1_is_enabled(n, d, at_2) ==
  /\ d <= raft_epoch
  /\ at_2 <= log_end[d]
  /\ ends_batch(at_2, d) = TRUE
  /\ has_committed(at_2, d) = TRUE

QR1(n, d, at_2) ==
  /\ QR1_is_enabled(n, d, at_2)
  /\ raft_epoch <= Maxleader_epoch - 1
  /\ raft_epoch + 1 \in leader_epoch
  /\ raft_epoch' = raft_epoch + 1
  /\ leader_of' = [leader_of EXCEPT ![raft_epoch + 1] = n]
  /\ epoch_start' = [epoch_start EXCEPT ![raft_epoch + 1] = at_2]
  /\ log_end' = [log_end EXCEPT ![raft_epoch + 1] = at_2]
  /\ high_watermark' = [high_watermark EXCEPT ![raft_epoch + 1] = high_watermark[raft_epoch]]
  /\ log' = Put(log, {[at |-> <<raft_epoch + 1, o>>, to |-> log[d, o]] : o \in {o \in offset : o < at_2}})
  /\ log_kind' = Put(log_kind, {[at |-> <<raft_epoch + 1, o>>, to |-> log_kind[d, o]] : o \in {o \in offset : o <
         at_2}})
  /\ undone_by' = Put(undone_by, {[at |-> <<raft_epoch + 1, o>>, to |-> IF undone_by[d, o] < at_2 THEN undone_by[d, o]
         ELSE 0] : o \in {o \in offset : o < at_2}})
  /\ log_ends' = Put(log_ends, {[at |-> <<raft_epoch + 1, s>>, to |-> log_ends[d, s]] : s \in {s \in offset : s <=
         at_2}})
  /\ log_open' = Put(log_open, {[at |-> <<raft_epoch + 1, s>>, to |-> log_open[d, s]] : s \in {s \in offset : s <=
         at_2}})
  /\ UNCHANGED <<known_epoch, claim, left_epoch, applied, next_write, activating, snapshot, stable, kept, effect, armed,
         committed, transaction, future, asked, transactions, expired, wrote_in, wrote_from, parked_at>>

\* S3:168, KIP-595
QR2_is_enabled(n, e) ==
  /\ known_epoch[n] < e
  /\ e <= raft_epoch

QR2(n, e) ==
  /\ QR2_is_enabled(n, e)
  /\ known_epoch' = [known_epoch EXCEPT ![n] = e]
  /\ UNCHANGED <<high_watermark, undone_by, claim, left_epoch, applied, next_write, activating, snapshot, stable, kept,
         effect, armed, committed, transaction, future, asked, transactions, expired, wrote_in, wrote_from, parked_at,
         raft_epoch_and_others, log_end_and_others>>

\* S3:77, KIP-595
QR3_is_enabled(at_2) ==
  /\ high_watermark[raft_epoch] < at_2
  /\ at_2 <= log_end[raft_epoch]
  /\ ends_batch_2(at_2) = TRUE

QR3(at_2) ==
  /\ QR3_is_enabled(at_2)
  /\ high_watermark' = [high_watermark EXCEPT ![raft_epoch] = at_2]
  /\ UNCHANGED <<undone_by, known_epoch, claim, left_epoch, applied, next_write, activating, snapshot, stable, kept,
         effect, armed, committed, transaction, future, asked, transactions, expired, wrote_in, wrote_from, parked_at,
         raft_epoch_and_others, log_end_and_others>>

\* S3:170
QK1_is_enabled(n) ==
  /\ (~is_active(n)) = TRUE
  /\ leader_of[known_epoch[n]] = n
  /\ left_epoch[n] < known_epoch[n]
  /\ caught_up(n) = TRUE

QK1(n) ==
  /\ QK1_is_enabled(n)
  /\ claim' = [claim EXCEPT ![n] = known_epoch[n]]
  /\ left_epoch' = [left_epoch EXCEPT ![n] = known_epoch[n]]
  /\ next_write' = [next_write EXCEPT ![n] = log_end[known_epoch[n]]]
  /\ activating' = [activating EXCEPT ![n] = TRUE]
  /\ snapshot' = Put(snapshot, {[at |-> <<n, s>>, to |-> snapshot[n, s] \/ s = stable[n]] : s \in offset})
  /\ kept' = Put(kept, UNION {{[at |-> <<n, s, o>>, to |-> IF snapshot[n, s] \/ s = stable[n] THEN IF snapshot[n, s]
         THEN kept[n, s, o] ELSE effect[n, o] ELSE 0] : o \in offset} : s \in offset})
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, applied, stable, effect, armed, committed, transaction, future,
         asked, transactions, expired, wrote_in, wrote_from, parked_at, raft_epoch_and_others, log_end_and_others>>

\* Kafka 4.4
QK2_is_enabled(n) ==
  /\ is_active(n) = TRUE
  /\ leader_of[known_epoch[n]] = n
  /\ left_epoch[n] < known_epoch[n]
  /\ leader_of[known_epoch[n]] = n
  /\ left_epoch[n] < known_epoch[n]
  /\ same_log(n) = TRUE
  /\ applied[n] = epoch_start[known_epoch[n]]

QK2(n) ==
  /\ QK2_is_enabled(n)
  /\ claim' = [claim EXCEPT ![n] = known_epoch[n]]
  /\ left_epoch' = [left_epoch EXCEPT ![n] = known_epoch[n]]
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, applied, next_write, activating, snapshot, stable, kept,
         effect, armed, committed, transaction, future, asked, transactions, expired, wrote_in, wrote_from, parked_at,
         raft_epoch_and_others, log_end_and_others>>

\* S3:171
QK3_is_enabled(n) ==
  /\ is_active(n) = TRUE
  /\ claim[n] < known_epoch[n]

QK3(n) ==
  /\ QK3_is_enabled(n)
  /\ LET renounces_1 == renounces(n)
     IN
     /\ claim' = Put(claim, renounces_1.claim)
     /\ next_write' = Put(next_write, renounces_1.next_write)
     /\ activating' = Put(activating, renounces_1.activating)
     /\ armed' = Put(armed, renounces_1.armed)
     /\ effect' = Put(effect, renounces_1.effect)
     /\ applied' = Put(applied, renounces_1.applied)
     /\ committed' = Put(committed, renounces_1.committed)
     /\ transaction' = Put(transaction, renounces_1.transaction)
     /\ snapshot' = Put(snapshot, renounces_1.snapshot)
     /\ kept' = Put(kept, renounces_1.kept)
     /\ future' = Put(future, renounces_1.future)
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, left_epoch, stable, asked, transactions, expired, wrote_in,
         wrote_from, parked_at, raft_epoch_and_others, log_end_and_others>>

\* S3:313
QK4_is_enabled(n) ==
  /\ is_active(n) = TRUE
  /\ Given_FaultInEvent(n) = TRUE

QK4(n) ==
  /\ QK4_is_enabled(n)
  /\ LET renounces_1 == renounces(n)
     IN
     /\ claim' = Put(claim, renounces_1.claim)
     /\ next_write' = Put(next_write, renounces_1.next_write)
     /\ activating' = Put(activating, renounces_1.activating)
     /\ armed' = Put(armed, renounces_1.armed)
     /\ effect' = Put(effect, renounces_1.effect)
     /\ applied' = Put(applied, renounces_1.applied)
     /\ committed' = Put(committed, renounces_1.committed)
     /\ transaction' = Put(transaction, renounces_1.transaction)
     /\ snapshot' = Put(snapshot, renounces_1.snapshot)
     /\ kept' = Put(kept, renounces_1.kept)
     /\ future' = Put(future, renounces_1.future)
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, left_epoch, stable, asked, transactions, expired, wrote_in,
         wrote_from, parked_at, raft_epoch_and_others, log_end_and_others>>

\* S3:312
QK5(n) ==
  /\ Given_ProcessEnds(n) = TRUE
  /\ LET restarts_1 == restarts(n)
     IN
     /\ claim' = Put(claim, restarts_1.claim)
     /\ left_epoch' = Put(left_epoch, restarts_1.left_epoch)
     /\ next_write' = Put(next_write, restarts_1.next_write)
     /\ applied' = Put(applied, restarts_1.applied)
     /\ committed' = Put(committed, restarts_1.committed)
     /\ stable' = Put(stable, restarts_1.stable)
     /\ transaction' = Put(transaction, restarts_1.transaction)
     /\ activating' = Put(activating, restarts_1.activating)
     /\ armed' = Put(armed, restarts_1.armed)
     /\ effect' = Put(effect, restarts_1.effect)
     /\ snapshot' = Put(snapshot, restarts_1.snapshot)
     /\ kept' = Put(kept, restarts_1.kept)
     /\ future' = Put(future, restarts_1.future)
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, asked, transactions, expired, wrote_in, wrote_from, parked_at,
         raft_epoch_and_others, log_end_and_others>>

\* S3:173, S3:203
QA1_is_enabled(n) ==
  /\ leads_yet(n) = TRUE
  /\ activating[n]
  /\ (~bootstrapped(n)) = TRUE
  /\ (~(0 < transaction[n])) = TRUE
  /\ transactions

QA1(n) ==
  /\ QA1_is_enabled(n)
  /\ LET bootstraps_1 == bootstraps(n)
     IN
     /\ log' = Put(log, (bootstraps_1.log) \union (bootstraps_1.log_2) \union (bootstraps_1.log_3))
     /\ log_kind' = Put(log_kind, (bootstraps_1.log_kind) \union (bootstraps_1.log_kind_2) \union
            (bootstraps_1.log_kind_3))
     /\ log_ends' = Put(log_ends, (bootstraps_1.log_ends) \union (bootstraps_1.log_ends_2) \union
            (bootstraps_1.log_ends_3))
     /\ log_open' = Put(log_open, (bootstraps_1.log_open) \union (bootstraps_1.log_open_2) \union
            (bootstraps_1.log_open_3))
     /\ log_end' = Put(log_end, bootstraps_1.log_end)
     /\ next_write' = Put(next_write, bootstraps_1.next_write)
     /\ applied' = Put(applied, bootstraps_1.applied)
     /\ effect' = Put(effect, bootstraps_1.effect)
     /\ snapshot' = Put(snapshot, bootstraps_1.snapshot)
     /\ kept' = Put(kept, bootstraps_1.kept)
     /\ activating' = [activating EXCEPT ![n] = FALSE]
     /\ armed' = [armed EXCEPT ![n] = TRUE]
     /\ log_open' \in [leader_epoch \X offset -> offset]
     /\ log_end' \in [leader_epoch -> offset]
     /\ next_write' \in [Controller -> offset]
     /\ applied' \in [Controller -> offset]
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, claim, left_epoch, stable, committed, transaction, future,
         asked, transactions, expired, wrote_in, wrote_from, parked_at, raft_epoch_and_others>>

\* S3:173, S3:203
QA2_is_enabled(n) ==
  /\ leads_yet(n) = TRUE
  /\ activating[n]
  /\ (~bootstrapped(n)) = TRUE
  /\ (~(0 < transaction[n])) = TRUE
  /\ (~transactions) = TRUE

QA2(n) ==
  /\ QA2_is_enabled(n)
  /\ LET bootstraps_at_once_1 == bootstraps_at_once(n)
     IN
     /\ log' = Put(log, bootstraps_at_once_1.log)
     /\ log_kind' = Put(log_kind, bootstraps_at_once_1.log_kind)
     /\ log_ends' = Put(log_ends, bootstraps_at_once_1.log_ends)
     /\ log_open' = Put(log_open, bootstraps_at_once_1.log_open)
     /\ log_end' = Put(log_end, bootstraps_at_once_1.log_end)
     /\ next_write' = Put(next_write, bootstraps_at_once_1.next_write)
     /\ applied' = Put(applied, bootstraps_at_once_1.applied)
     /\ effect' = Put(effect, bootstraps_at_once_1.effect)
     /\ snapshot' = Put(snapshot, bootstraps_at_once_1.snapshot)
     /\ kept' = Put(kept, bootstraps_at_once_1.kept)
     /\ activating' = [activating EXCEPT ![n] = FALSE]
     /\ armed' = [armed EXCEPT ![n] = TRUE]
     /\ log_end' \in [leader_epoch -> offset]
     /\ next_write' \in [Controller -> offset]
     /\ applied' \in [Controller -> offset]
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, claim, left_epoch, stable, committed, transaction, future,
         asked, transactions, expired, wrote_in, wrote_from, parked_at, raft_epoch_and_others>>

\* S3:173, S3:203
QA3_is_enabled(n) ==
  /\ leads_yet(n) = TRUE
  /\ activating[n]
  /\ (~bootstrapped(n)) = TRUE
  /\ 0 < transaction[n]

QA3(n) ==
  /\ QA3_is_enabled(n)
  /\ LET aborts_and_bootstraps_1 == aborts_and_bootstraps(n)
     IN
     /\ log' = Put(log, (aborts_and_bootstraps_1.log) \union (aborts_and_bootstraps_1.log_2) \union
            (aborts_and_bootstraps_1.log_3) \union (aborts_and_bootstraps_1.log_4))
     /\ log_kind' = Put(log_kind, (aborts_and_bootstraps_1.log_kind) \union (aborts_and_bootstraps_1.log_kind_2) \union
            (aborts_and_bootstraps_1.log_kind_3) \union (aborts_and_bootstraps_1.log_kind_4))
     /\ log_ends' = Put(log_ends, (aborts_and_bootstraps_1.log_ends) \union (aborts_and_bootstraps_1.log_ends_2) \union
            (aborts_and_bootstraps_1.log_ends_3) \union (aborts_and_bootstraps_1.log_ends_4))
     /\ log_open' = Put(log_open, (aborts_and_bootstraps_1.log_open) \union (aborts_and_bootstraps_1.log_open_2) \union
            (aborts_and_bootstraps_1.log_open_3) \union (aborts_and_bootstraps_1.log_open_4))
     /\ undone_by' = Put(undone_by, aborts_and_bootstraps_1.undone_by)
     /\ transaction' = Put(transaction, aborts_and_bootstraps_1.transaction)
     /\ log_end' = Put(log_end, aborts_and_bootstraps_1.log_end)
     /\ next_write' = Put(next_write, aborts_and_bootstraps_1.next_write)
     /\ applied' = Put(applied, aborts_and_bootstraps_1.applied)
     /\ effect' = Put(effect, aborts_and_bootstraps_1.effect)
     /\ snapshot' = Put(snapshot, aborts_and_bootstraps_1.snapshot)
     /\ kept' = Put(kept, aborts_and_bootstraps_1.kept)
     /\ activating' = [activating EXCEPT ![n] = FALSE]
     /\ armed' = [armed EXCEPT ![n] = TRUE]
     /\ log_open' \in [leader_epoch \X offset -> offset]
     /\ log_end' \in [leader_epoch -> offset]
     /\ next_write' \in [Controller -> offset]
     /\ applied' \in [Controller -> offset]
  /\ UNCHANGED <<high_watermark, known_epoch, claim, left_epoch, stable, committed, future, asked, transactions,
         expired, wrote_in, wrote_from, parked_at, raft_epoch_and_others>>

\* S3:173, S3:203
QA4_is_enabled(n) ==
  /\ leads_yet(n) = TRUE
  /\ activating[n]
  /\ bootstrapped(n) = TRUE
  /\ 0 < transaction[n]

QA4(n) ==
  /\ QA4_is_enabled(n)
  /\ LET aborts_1 == aborts(n)
     IN
     /\ log' = Put(log, aborts_1.log)
     /\ log_kind' = Put(log_kind, aborts_1.log_kind)
     /\ log_ends' = Put(log_ends, aborts_1.log_ends)
     /\ log_open' = Put(log_open, aborts_1.log_open)
     /\ undone_by' = Put(undone_by, aborts_1.undone_by)
     /\ transaction' = Put(transaction, aborts_1.transaction)
     /\ log_end' = Put(log_end, aborts_1.log_end)
     /\ next_write' = Put(next_write, aborts_1.next_write)
     /\ applied' = Put(applied, aborts_1.applied)
     /\ effect' = Put(effect, aborts_1.effect)
     /\ snapshot' = Put(snapshot, aborts_1.snapshot)
     /\ kept' = Put(kept, aborts_1.kept)
     /\ activating' = [activating EXCEPT ![n] = FALSE]
     /\ armed' = [armed EXCEPT ![n] = TRUE]
     /\ log_end' \in [leader_epoch -> offset]
     /\ next_write' \in [Controller -> offset]
     /\ applied' \in [Controller -> offset]
  /\ UNCHANGED <<high_watermark, known_epoch, claim, left_epoch, stable, committed, future, asked, transactions,
         expired, wrote_in, wrote_from, parked_at, raft_epoch_and_others>>

\* S3:173, S3:203
QA5_is_enabled(n) ==
  /\ leads_yet(n) = TRUE
  /\ activating[n]
  /\ bootstrapped(n) = TRUE
  /\ (~(0 < transaction[n])) = TRUE

QA5(n) ==
  /\ QA5_is_enabled(n)
  /\ activating' = [activating EXCEPT ![n] = FALSE]
  /\ armed' = [armed EXCEPT ![n] = TRUE]
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, claim, left_epoch, applied, next_write, snapshot, stable, kept,
         effect, committed, transaction, future, asked, transactions, expired, wrote_in, wrote_from, parked_at,
         raft_epoch_and_others, log_end_and_others>>

\* S3:83, S3:91
QW1_is_enabled(r, n) ==
  /\ future[r] = "NONE"
  /\ Given_Send(r, n) = TRUE

QW1(r, n) ==
  /\ QW1_is_enabled(r, n)
  /\ future' = [future EXCEPT ![r] = "QUEUED"]
  /\ asked' = [asked EXCEPT ![r] = n]
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, claim, left_epoch, applied, next_write, activating, snapshot,
         stable, kept, effect, armed, committed, transaction, transactions, expired, wrote_in, wrote_from, parked_at,
         raft_epoch_and_others, log_end_and_others>>

\* S3:83
QW2_is_enabled(r) ==
  /\ future[r] = "QUEUED"
  /\ (~expired[r]) = TRUE
  /\ Given_PassDeadline(r) = TRUE

QW2(r) ==
  /\ QW2_is_enabled(r)
  /\ expired' = [expired EXCEPT ![r] = TRUE]
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, claim, left_epoch, applied, next_write, activating, snapshot,
         stable, kept, effect, armed, committed, transaction, future, asked, transactions, wrote_in, wrote_from,
         parked_at, raft_epoch_and_others, log_end_and_others>>

\* S3:83
QW3_is_enabled(r) ==
  /\ future[r] = "QUEUED"
  /\ expired[r]

QW3(r) ==
  /\ QW3_is_enabled(r)
  /\ future' = [future EXCEPT ![r] = "TIMED_OUT"]
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, claim, left_epoch, applied, next_write, activating, snapshot,
         stable, kept, effect, armed, committed, transaction, asked, transactions, expired, wrote_in, wrote_from,
         parked_at, raft_epoch_and_others, log_end_and_others>>

\* S3:117
QW4_is_enabled(r, n) ==
  /\ future[r] = "QUEUED"
  /\ asked[r] = n
  /\ (~expired[r]) = TRUE
  /\ (~is_active(n)) = TRUE

QW4(r, n) ==
  /\ QW4_is_enabled(r, n)
  /\ future' = [future EXCEPT ![r] = "NOT_CONTROLLER"]
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, claim, left_epoch, applied, next_write, activating, snapshot,
         stable, kept, effect, armed, committed, transaction, asked, transactions, expired, wrote_in, wrote_from,
         parked_at, raft_epoch_and_others, log_end_and_others>>

\* S3:120
QW5_is_enabled(r, n, to_2, atomic) ==
  /\ next_write[n] < to_2
  /\ future[r] = "QUEUED"
  /\ asked[r] = n
  /\ (~expired[r]) = TRUE
  /\ is_active(n) = TRUE
  /\ (~activating[n]) = TRUE
  /\ leads_yet(n) = TRUE

QW5(r, n, to_2, atomic) ==
  /\ QW5_is_enabled(r, n, to_2, atomic)
  /\ LET writes_1 == writes(n, to_2, atomic)
     IN
     /\ log' = Put(log, writes_1.log)
     /\ log_kind' = Put(log_kind, writes_1.log_kind)
     /\ effect' = Put(effect, writes_1.effect)
     /\ log_ends' = Put(log_ends, writes_1.log_ends)
     /\ log_open' = Put(log_open, writes_1.log_open)
     /\ log_end' = Put(log_end, writes_1.log_end)
     /\ next_write' = Put(next_write, writes_1.next_write)
     /\ applied' = Put(applied, writes_1.applied)
     /\ snapshot' = Put(snapshot, writes_1.snapshot)
     /\ kept' = Put(kept, writes_1.kept)
     /\ future' = [future EXCEPT ![r] = "PARKED"]
     /\ wrote_in' = [wrote_in EXCEPT ![r] = claim[n]]
     /\ wrote_from' = [wrote_from EXCEPT ![r] = next_write[n]]
     /\ parked_at' = [parked_at EXCEPT ![r] = to_2]
     /\ log_end' \in [leader_epoch -> offset]
     /\ next_write' \in [Controller -> offset]
     /\ applied' \in [Controller -> offset]
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, claim, left_epoch, activating, stable, armed, committed,
         transaction, asked, transactions, expired, raft_epoch_and_others>>

\* S3:120
QW6_is_enabled(r, n, to_2, atomic) ==
  /\ next_write[n] < to_2
  /\ future[r] = "QUEUED"
  /\ asked[r] = n
  /\ (~expired[r]) = TRUE
  /\ is_active(n) = TRUE
  /\ claim[n] < known_epoch[n]

QW6(r, n, to_2, atomic) ==
  /\ QW6_is_enabled(r, n, to_2, atomic)
  /\ LET renounces_1 == renounces(n)
     IN
     /\ future' = Put(future, ({[at |-> r, to |-> "NOT_CONTROLLER"]}) \union (renounces_1.future))
     /\ claim' = Put(claim, renounces_1.claim)
     /\ next_write' = Put(next_write, renounces_1.next_write)
     /\ activating' = Put(activating, renounces_1.activating)
     /\ armed' = Put(armed, renounces_1.armed)
     /\ effect' = Put(effect, renounces_1.effect)
     /\ applied' = Put(applied, renounces_1.applied)
     /\ committed' = Put(committed, renounces_1.committed)
     /\ transaction' = Put(transaction, renounces_1.transaction)
     /\ snapshot' = Put(snapshot, renounces_1.snapshot)
     /\ kept' = Put(kept, renounces_1.kept)
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, left_epoch, stable, asked, transactions, expired, wrote_in,
         wrote_from, parked_at, raft_epoch_and_others, log_end_and_others>>

\* S3:119
QW7_is_enabled(r, n) ==
  /\ future[r] = "QUEUED"
  /\ asked[r] = n
  /\ (~expired[r]) = TRUE
  /\ is_active(n) = TRUE
  /\ (~activating[n]) = TRUE
  /\ stable[n] = next_write[n]

QW7(r, n) ==
  /\ QW7_is_enabled(r, n)
  /\ future' = [future EXCEPT ![r] = "ANSWERED"]
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, claim, left_epoch, applied, next_write, activating, snapshot,
         stable, kept, effect, armed, committed, transaction, asked, transactions, expired, wrote_in, wrote_from,
         parked_at, raft_epoch_and_others, log_end_and_others>>

\* S3:119
QW8_is_enabled(r, n) ==
  /\ future[r] = "QUEUED"
  /\ asked[r] = n
  /\ (~expired[r]) = TRUE
  /\ is_active(n) = TRUE
  /\ (~activating[n]) = TRUE
  /\ stable[n] # next_write[n]

QW8(r, n) ==
  /\ QW8_is_enabled(r, n)
  /\ future' = [future EXCEPT ![r] = "PARKED"]
  /\ parked_at' = [parked_at EXCEPT ![r] = next_write[n]]
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, claim, left_epoch, applied, next_write, activating, snapshot,
         stable, kept, effect, armed, committed, transaction, asked, transactions, expired, wrote_in, wrote_from,
         raft_epoch_and_others, log_end_and_others>>

\* Kafka 4.4
QW9_is_enabled(r, n) ==
  /\ future[r] = "QUEUED"
  /\ asked[r] = n
  /\ (~expired[r]) = TRUE
  /\ is_active(n) = TRUE
  /\ (~activating[n]) = TRUE

QW9(r, n) ==
  /\ QW9_is_enabled(r, n)
  /\ future' = [future EXCEPT ![r] = "REFUSED"]
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, claim, left_epoch, applied, next_write, activating, snapshot,
         stable, kept, effect, armed, committed, transaction, asked, transactions, expired, wrote_in, wrote_from,
         parked_at, raft_epoch_and_others, log_end_and_others>>

\* Kafka 4.4
QW10_is_enabled(r, n) ==
  /\ future[r] = "QUEUED"
  /\ asked[r] = n
  /\ (~expired[r]) = TRUE
  /\ is_active(n) = TRUE
  /\ (~activating[n]) = TRUE

QW10(r, n) ==
  /\ QW10_is_enabled(r, n)
  /\ LET renounces_1 == renounces(n)
     IN
     /\ future' = Put(future, ({[at |-> r, to |-> "UNKNOWN"]}) \union (renounces_1.future))
     /\ claim' = Put(claim, renounces_1.claim)
     /\ next_write' = Put(next_write, renounces_1.next_write)
     /\ activating' = Put(activating, renounces_1.activating)
     /\ armed' = Put(armed, renounces_1.armed)
     /\ effect' = Put(effect, renounces_1.effect)
     /\ applied' = Put(applied, renounces_1.applied)
     /\ committed' = Put(committed, renounces_1.committed)
     /\ transaction' = Put(transaction, renounces_1.transaction)
     /\ snapshot' = Put(snapshot, renounces_1.snapshot)
     /\ kept' = Put(kept, renounces_1.kept)
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, left_epoch, stable, asked, transactions, expired, wrote_in,
         wrote_from, parked_at, raft_epoch_and_others, log_end_and_others>>

\* S3:122, S3:312
QW11_is_enabled(r, n) ==
  /\ future[r] = "QUEUED"
  /\ asked[r] = n
  /\ (~expired[r]) = TRUE
  /\ is_active(n) = TRUE
  /\ (~activating[n]) = TRUE
  /\ leads_yet(n) = TRUE

QW11(r, n) ==
  /\ QW11_is_enabled(r, n)
  /\ LET restarts_1 == restarts(n)
     IN
     /\ claim' = Put(claim, restarts_1.claim)
     /\ left_epoch' = Put(left_epoch, restarts_1.left_epoch)
     /\ next_write' = Put(next_write, restarts_1.next_write)
     /\ applied' = Put(applied, restarts_1.applied)
     /\ committed' = Put(committed, restarts_1.committed)
     /\ stable' = Put(stable, restarts_1.stable)
     /\ transaction' = Put(transaction, restarts_1.transaction)
     /\ activating' = Put(activating, restarts_1.activating)
     /\ armed' = Put(armed, restarts_1.armed)
     /\ effect' = Put(effect, restarts_1.effect)
     /\ snapshot' = Put(snapshot, restarts_1.snapshot)
     /\ kept' = Put(kept, restarts_1.kept)
     /\ future' = Put(future, restarts_1.future)
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, asked, transactions, expired, wrote_in, wrote_from, parked_at,
         raft_epoch_and_others, log_end_and_others>>

\* S3:173, Kafka 4.4
QW12_is_enabled(n, to_2) ==
  /\ next_write[n] < to_2
  /\ leads_yet(n) = TRUE
  /\ (~activating[n]) = TRUE
  /\ armed[n]
  /\ Given_RunPeriodicTask(n, to_2) = TRUE

QW12(n, to_2) ==
  /\ QW12_is_enabled(n, to_2)
  /\ LET writes_1 == writes(n, to_2, FALSE)
     IN
     /\ log' = Put(log, writes_1.log)
     /\ log_kind' = Put(log_kind, writes_1.log_kind)
     /\ effect' = Put(effect, writes_1.effect)
     /\ log_ends' = Put(log_ends, writes_1.log_ends)
     /\ log_open' = Put(log_open, writes_1.log_open)
     /\ log_end' = Put(log_end, writes_1.log_end)
     /\ next_write' = Put(next_write, writes_1.next_write)
     /\ applied' = Put(applied, writes_1.applied)
     /\ snapshot' = Put(snapshot, writes_1.snapshot)
     /\ kept' = Put(kept, writes_1.kept)
     /\ log_end' \in [leader_epoch -> offset]
     /\ next_write' \in [Controller -> offset]
     /\ applied' \in [Controller -> offset]
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, claim, left_epoch, activating, stable, armed, committed,
         transaction, future, asked, transactions, expired, wrote_in, wrote_from, parked_at, raft_epoch_and_others>>

\* S3:164
QW13_is_enabled(n) ==
  /\ leads_yet(n) = TRUE
  /\ (~activating[n]) = TRUE
  /\ armed[n]
  /\ transactions
  /\ (~(0 < transaction[n])) = TRUE

QW13(n) ==
  /\ QW13_is_enabled(n)
  /\ LET begins_1 == begins(n)
     IN
     /\ log' = Put(log, begins_1.log)
     /\ log_kind' = Put(log_kind, begins_1.log_kind)
     /\ log_ends' = Put(log_ends, begins_1.log_ends)
     /\ log_open' = Put(log_open, begins_1.log_open)
     /\ log_end' = Put(log_end, begins_1.log_end)
     /\ next_write' = Put(next_write, begins_1.next_write)
     /\ applied' = Put(applied, begins_1.applied)
     /\ transaction' = Put(transaction, begins_1.transaction)
     /\ snapshot' = Put(snapshot, begins_1.snapshot)
     /\ kept' = Put(kept, begins_1.kept)
     /\ log_open' \in [leader_epoch \X offset -> offset]
     /\ log_end' \in [leader_epoch -> offset]
     /\ next_write' \in [Controller -> offset]
     /\ applied' \in [Controller -> offset]
     /\ transaction' \in [Controller -> offset]
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, claim, left_epoch, activating, stable, effect, armed,
         committed, future, asked, transactions, expired, wrote_in, wrote_from, parked_at, raft_epoch_and_others>>

\* S3:164
QW14_is_enabled(n) ==
  /\ leads_yet(n) = TRUE
  /\ (~activating[n]) = TRUE
  /\ armed[n]
  /\ 0 < transaction[n]

QW14(n) ==
  /\ QW14_is_enabled(n)
  /\ LET ends_1 == ends(n)
     IN
     /\ log' = Put(log, ends_1.log)
     /\ log_kind' = Put(log_kind, ends_1.log_kind)
     /\ log_ends' = Put(log_ends, ends_1.log_ends)
     /\ log_open' = Put(log_open, ends_1.log_open)
     /\ log_end' = Put(log_end, ends_1.log_end)
     /\ next_write' = Put(next_write, ends_1.next_write)
     /\ applied' = Put(applied, ends_1.applied)
     /\ transaction' = Put(transaction, ends_1.transaction)
     /\ snapshot' = Put(snapshot, ends_1.snapshot)
     /\ kept' = Put(kept, ends_1.kept)
     /\ log_end' \in [leader_epoch -> offset]
     /\ next_write' \in [Controller -> offset]
     /\ applied' \in [Controller -> offset]
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, claim, left_epoch, activating, stable, effect, armed,
         committed, future, asked, transactions, expired, wrote_in, wrote_from, parked_at, raft_epoch_and_others>>

\* S3:108-111, S3:122
QC1_is_enabled(n, to_2) ==
  /\ is_active(n) = TRUE
  /\ delivered(to_2, n) = TRUE

QC1(n, to_2) ==
  /\ QC1_is_enabled(n, to_2)
  /\ committed' = [committed EXCEPT ![n] = to_2]
  /\ stable' = [stable EXCEPT ![n] = stable_end(n, to_2)]
  /\ snapshot' = Put(snapshot, {[at |-> <<n, s>>, to |-> snapshot[n, s] /\ stable_end(n, to_2) <= s] : s \in offset})
  /\ kept' = Put(kept, UNION {{[at |-> <<n, s, o>>, to |-> IF snapshot[n, s] /\ stable_end(n, to_2) <= s THEN kept[n, s,
         o] ELSE 0] : o \in offset} : s \in offset})
  /\ future' = [x \in Request |-> IF future[x] = "PARKED" /\ asked[x] = n /\ parked_at[x] <= stable_end(n, to_2) THEN
         "ANSWERED" ELSE future[x]]
  /\ stable' \in [Controller -> offset]
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, claim, left_epoch, applied, next_write, activating, effect,
         armed, transaction, asked, transactions, expired, wrote_in, wrote_from, parked_at, raft_epoch_and_others,
         log_end_and_others>>

\* S3:108-111, S3:122
QC2_is_enabled(n, to_2) ==
  /\ (~is_active(n)) = TRUE
  /\ delivered(to_2, n) = TRUE
  /\ (log_kind[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], committed[n]] = "DATA" \/ log_kind[IF claim[n] = 0
         THEN known_epoch[n] ELSE claim[n], committed[n]] = "VERSION") = TRUE

QC2(n, to_2) ==
  /\ QC2_is_enabled(n, to_2)
  /\ committed' = [committed EXCEPT ![n] = to_2]
  /\ stable' = [stable EXCEPT ![n] = stable_end_2(n, to_2)]
  /\ applied' = [applied EXCEPT ![n] = to_2]
  /\ transaction' = [transaction EXCEPT ![n] = transaction[n]]
  /\ effect' = Put(effect, {[at |-> <<n, o>>, to |-> IF committed[n] <= o /\ o < to_2 THEN log[IF claim[n] = 0 THEN
         known_epoch[n] ELSE claim[n], o] ELSE effect[n, o]] : o \in offset})
  /\ snapshot' = Put(snapshot, {[at |-> <<n, s>>, to |-> (snapshot[n, s] /\ stable_end_2(n, to_2) <= s) \/ s =
         stable_end_2(n, to_2)] : s \in offset})
  /\ kept' = Put(kept, UNION {{[at |-> <<n, s, o>>, to |-> IF (snapshot[n, s] /\ stable_end_2(n, to_2) <= s) \/ s =
         stable_end_2(n, to_2) THEN IF snapshot[n, s] THEN kept[n, s, o] ELSE IF committed[n] <= o /\ o < to_2 THEN
         log[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], o] ELSE effect[n, o] ELSE 0] : o \in offset} : s \in
         offset})
  /\ stable' \in [Controller -> offset]
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, claim, left_epoch, next_write, activating, armed, future,
         asked, transactions, expired, wrote_in, wrote_from, parked_at, raft_epoch_and_others, log_end_and_others>>

\* S3:108-111, S3:122
QC3_is_enabled(n, to_2) ==
  /\ (~is_active(n)) = TRUE
  /\ delivered(to_2, n) = TRUE
  /\ log_kind[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], committed[n]] = "BEGIN"
  /\ to_2 = committed[n] + 1

QC3(n, to_2) ==
  /\ QC3_is_enabled(n, to_2)
  /\ committed' = [committed EXCEPT ![n] = to_2]
  /\ stable' = [stable EXCEPT ![n] = stable_end_3(n, to_2)]
  /\ applied' = [applied EXCEPT ![n] = to_2]
  /\ transaction' = [transaction EXCEPT ![n] = to_2]
  /\ effect' = Put(effect, {[at |-> <<n, o>>, to |-> effect[n, o]] : o \in offset})
  /\ snapshot' = Put(snapshot, {[at |-> <<n, s>>, to |-> (snapshot[n, s] /\ stable_end_3(n, to_2) <= s) \/ s =
         stable_end_3(n, to_2)] : s \in offset})
  /\ kept' = Put(kept, UNION {{[at |-> <<n, s, o>>, to |-> IF (snapshot[n, s] /\ stable_end_3(n, to_2) <= s) \/ s =
         stable_end_3(n, to_2) THEN IF snapshot[n, s] THEN kept[n, s, o] ELSE effect[n, o] ELSE 0] : o \in offset} : s
         \in offset})
  /\ stable' \in [Controller -> offset]
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, claim, left_epoch, next_write, activating, armed, future,
         asked, transactions, expired, wrote_in, wrote_from, parked_at, raft_epoch_and_others, log_end_and_others>>

\* S3:108-111, S3:122
QC4_is_enabled(n, to_2) ==
  /\ (~is_active(n)) = TRUE
  /\ delivered(to_2, n) = TRUE
  /\ log_kind[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], committed[n]] = "END"
  /\ to_2 = committed[n] + 1

QC4(n, to_2) ==
  /\ QC4_is_enabled(n, to_2)
  /\ committed' = [committed EXCEPT ![n] = to_2]
  /\ stable' = [stable EXCEPT ![n] = stable_end_4(n, to_2)]
  /\ applied' = [applied EXCEPT ![n] = to_2]
  /\ transaction' = [transaction EXCEPT ![n] = 0]
  /\ effect' = Put(effect, {[at |-> <<n, o>>, to |-> effect[n, o]] : o \in offset})
  /\ snapshot' = Put(snapshot, {[at |-> <<n, s>>, to |-> (snapshot[n, s] /\ stable_end_4(n, to_2) <= s) \/ s =
         stable_end_4(n, to_2)] : s \in offset})
  /\ kept' = Put(kept, UNION {{[at |-> <<n, s, o>>, to |-> IF (snapshot[n, s] /\ stable_end_4(n, to_2) <= s) \/ s =
         stable_end_4(n, to_2) THEN IF snapshot[n, s] THEN kept[n, s, o] ELSE effect[n, o] ELSE 0] : o \in offset} : s
         \in offset})
  /\ stable' \in [Controller -> offset]
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, claim, left_epoch, next_write, activating, armed, future,
         asked, transactions, expired, wrote_in, wrote_from, parked_at, raft_epoch_and_others, log_end_and_others>>

\* S3:108-111, S3:122
QC5_is_enabled(n, to_2) ==
  /\ (~is_active(n)) = TRUE
  /\ delivered(to_2, n) = TRUE
  /\ log_kind[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], committed[n]] = "ABORT"
  /\ to_2 = committed[n] + 1

QC5(n, to_2) ==
  /\ QC5_is_enabled(n, to_2)
  /\ committed' = [committed EXCEPT ![n] = to_2]
  /\ stable' = [stable EXCEPT ![n] = stable_end_4(n, to_2)]
  /\ applied' = [applied EXCEPT ![n] = to_2]
  /\ transaction' = [transaction EXCEPT ![n] = 0]
  /\ effect' = Put(effect, {[at |-> <<n, o>>, to |-> reverted(n, o)] : o \in offset})
  /\ snapshot' = Put(snapshot, {[at |-> <<n, s>>, to |-> (snapshot[n, s] /\ stable_end_4(n, to_2) <= s) \/ s =
         stable_end_4(n, to_2)] : s \in offset})
  /\ kept' = Put(kept, UNION {{[at |-> <<n, s, o>>, to |-> IF (snapshot[n, s] /\ stable_end_4(n, to_2) <= s) \/ s =
         stable_end_4(n, to_2) THEN IF snapshot[n, s] THEN kept[n, s, o] ELSE reverted(n, o) ELSE 0] : o \in offset} : s
         \in offset})
  /\ stable' \in [Controller -> offset]
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, claim, left_epoch, next_write, activating, armed, future,
         asked, transactions, expired, wrote_in, wrote_from, parked_at, raft_epoch_and_others, log_end_and_others>>

\* S3:314
QS1_is_enabled(n, m) ==
  /\ (~is_active(n)) = TRUE
  /\ snapshot[m, stable[m]]
  /\ applied[n] < stable[m]
  /\ stable[m] <= high_watermark[known_epoch[n]]

QS1(n, m) ==
  /\ QS1_is_enabled(n, m)
  /\ committed' = [committed EXCEPT ![n] = stable[m]]
  /\ stable' = [stable EXCEPT ![n] = stable[m]]
  /\ applied' = [applied EXCEPT ![n] = stable[m]]
  /\ transaction' = [transaction EXCEPT ![n] = 0]
  /\ effect' = Put(effect, {[at |-> <<n, o>>, to |-> kept[m, stable[m], o]] : o \in offset})
  /\ snapshot' = Put(snapshot, {[at |-> <<n, s>>, to |-> s = stable[m]] : s \in offset})
  /\ kept' = Put(kept, UNION {{[at |-> <<n, s, o>>, to |-> IF s = stable[m] THEN kept[m, stable[m], o] ELSE 0] : o \in
         offset} : s \in offset})
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, claim, left_epoch, next_write, activating, armed, future,
         asked, transactions, expired, wrote_in, wrote_from, parked_at, raft_epoch_and_others, log_end_and_others>>

\* S3:314
QS2_is_enabled(n, m) ==
  /\ is_active(n) = TRUE
  /\ next_write[n] < stable[m]
  /\ stable[m] <= high_watermark[known_epoch[n]]

QS2(n, m) ==
  /\ QS2_is_enabled(n, m)
  /\ LET restarts_1 == restarts(n)
     IN
     /\ claim' = Put(claim, restarts_1.claim)
     /\ left_epoch' = Put(left_epoch, restarts_1.left_epoch)
     /\ next_write' = Put(next_write, restarts_1.next_write)
     /\ applied' = Put(applied, restarts_1.applied)
     /\ committed' = Put(committed, restarts_1.committed)
     /\ stable' = Put(stable, restarts_1.stable)
     /\ transaction' = Put(transaction, restarts_1.transaction)
     /\ activating' = Put(activating, restarts_1.activating)
     /\ armed' = Put(armed, restarts_1.armed)
     /\ effect' = Put(effect, restarts_1.effect)
     /\ snapshot' = Put(snapshot, restarts_1.snapshot)
     /\ kept' = Put(kept, restarts_1.kept)
     /\ future' = Put(future, restarts_1.future)
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, asked, transactions, expired, wrote_in, wrote_from, parked_at,
         raft_epoch_and_others, log_end_and_others>>

\* S3:87
QW15_is_enabled(n, o) ==
  /\ (~activating[n]) = TRUE
  /\ 0 < kept[n, stable[n], o]

Init ==
  /\ raft_epoch = 0
  /\ log_end = [k \in leader_epoch |-> 0]
  /\ log_ends = [k \in leader_epoch, k2 \in offset |-> FALSE]
  /\ high_watermark = [k \in leader_epoch |-> 0]
  /\ log = [k \in leader_epoch, k2 \in offset |-> 0]
  /\ leader_of = [k \in leader_epoch |-> None]
  /\ epoch_start = [k \in leader_epoch |-> 0]
  /\ log_kind = [k \in leader_epoch, k2 \in offset |-> "DATA"]
  /\ undone_by = [k \in leader_epoch, k2 \in offset |-> 0]
  /\ log_open = [k \in leader_epoch, k2 \in offset |-> 0]
  /\ known_epoch = [k \in Controller |-> 0]
  /\ claim = [k \in Controller |-> 0]
  /\ left_epoch = [k \in Controller |-> 0]
  /\ applied = [k \in Controller |-> 0]
  /\ next_write = [k \in Controller |-> 0]
  /\ activating = [k \in Controller |-> FALSE]
  /\ snapshot = [k \in Controller, k2 \in offset |-> FALSE]
  /\ stable = [k \in Controller |-> 0]
  /\ kept = [k \in Controller, k2 \in offset, k3 \in offset |-> 0]
  /\ effect = [k \in Controller, k2 \in offset |-> 0]
  /\ armed = [k \in Controller |-> FALSE]
  /\ committed = [k \in Controller |-> 0]
  /\ transaction = [k \in Controller |-> 0]
  /\ future = [k \in Request |-> "NONE"]
  /\ asked = [k \in Request |-> None]
  /\ expired = [k \in Request |-> FALSE]
  /\ wrote_in = [k \in Request |-> 0]
  /\ wrote_from = [k \in Request |-> 0]
  /\ parked_at = [k \in Request |-> 0]
  /\ transactions \in BOOLEAN
  /\ Bound = "tiny" => (~transactions) = TRUE
  /\ Bound = "pair" => (~transactions) = TRUE
  /\ Bound = "trio" => (~transactions) = TRUE
  /\ Bound = "abort" => transactions
  /\ Bound = "bootstrap" => transactions
  /\ Bound = "two-requests" => (~transactions) = TRUE
  /\ Bound = "handover" => (~transactions) = TRUE
  /\ Bound = "snapshots" => (~transactions) = TRUE
  /\ Bound = "replays" => transactions

Rows ==
  \/ \E n \in Controller, d \in leader_epoch, at_2 \in offset : QR1(n, d, at_2)
  \/ \E n \in Controller, e \in leader_epoch : QR2(n, e)
  \/ \E at_2 \in offset : QR3(at_2)
  \/ \E n \in Controller :
       \/ QK1(n)
       \/ QK2(n)
       \/ QK3(n)
       \/ QK4(n)
       \/ QK5(n)
       \/ QA1(n)
       \/ QA2(n)
       \/ QA3(n)
       \/ QA4(n)
       \/ QA5(n)
       \/ QW13(n)
       \/ QW14(n)
  \/ \E r \in Request, n \in Controller :
       \/ QW1(r, n)
       \/ QW4(r, n)
       \/ QW7(r, n)
       \/ QW8(r, n)
       \/ QW9(r, n)
       \/ QW10(r, n)
       \/ QW11(r, n)
  \/ \E r \in Request :
       /\ future[r] = "QUEUED"
       /\ \/ QW2(r)
          \/ QW3(r)
  \/ \E r \in Request :
       /\ future[r] = "QUEUED"
       /\ (~expired[r]) = TRUE
       /\ \E n \in Controller :
            /\ asked[r] = n
            /\ is_active(n) = TRUE
            /\ \E to_2 \in offset :
                 /\ next_write[n] < to_2
                 /\ \E atomic \in BOOLEAN :
                      \/ QW5(r, n, to_2, atomic)
                      \/ QW6(r, n, to_2, atomic)
  \/ \E n \in Controller, to_2 \in offset :
       \/ QW12(n, to_2)
       \/ QC1(n, to_2)
       \/ QC2(n, to_2)
       \/ QC3(n, to_2)
       \/ QC4(n, to_2)
       \/ QC5(n, to_2)
  \/ \E n \in Controller, m \in Controller :
       /\ stable[m] <= high_watermark[known_epoch[n]]
       /\ \/ QS1(n, m)
          \/ QS2(n, m)

Next == Rows \/ UNCHANGED vars

Spec == Init /\ [][Next]_vars

\* The guard of some row holds: unlike in ENABLED Rows, of one too that only a range disables.
SomeRowIsEnabled ==
  \/ \E n \in Controller, d \in leader_epoch, at_2 \in offset : QR1_is_enabled(n, d, at_2)
  \/ \E n \in Controller, e \in leader_epoch : QR2_is_enabled(n, e)
  \/ \E at_2 \in offset : QR3_is_enabled(at_2)
  \/ \E n \in Controller :
       \/ QK1_is_enabled(n)
       \/ QK2_is_enabled(n)
       \/ QK3_is_enabled(n)
       \/ QK4_is_enabled(n)
       \/ Given_ProcessEnds(n) = TRUE
       \/ QA1_is_enabled(n)
       \/ QA2_is_enabled(n)
       \/ QA3_is_enabled(n)
       \/ QA4_is_enabled(n)
       \/ QA5_is_enabled(n)
       \/ QW13_is_enabled(n)
       \/ QW14_is_enabled(n)
  \/ \E r \in Request, n \in Controller :
       \/ QW1_is_enabled(r, n)
       \/ QW4_is_enabled(r, n)
       \/ QW7_is_enabled(r, n)
       \/ QW8_is_enabled(r, n)
       \/ QW9_is_enabled(r, n)
       \/ QW10_is_enabled(r, n)
       \/ QW11_is_enabled(r, n)
  \/ \E r \in Request :
       /\ future[r] = "QUEUED"
       /\ \/ QW2_is_enabled(r)
          \/ QW3_is_enabled(r)
  \/ \E r \in Request :
       /\ future[r] = "QUEUED"
       /\ (~expired[r]) = TRUE
       /\ \E n \in Controller :
            /\ asked[r] = n
            /\ is_active(n) = TRUE
            /\ \E to_2 \in offset :
                 /\ next_write[n] < to_2
                 /\ \E atomic \in BOOLEAN :
                      \/ QW5_is_enabled(r, n, to_2, atomic)
                      \/ QW6_is_enabled(r, n, to_2, atomic)
  \/ \E n \in Controller, to_2 \in offset :
       \/ QW12_is_enabled(n, to_2)
       \/ QC1_is_enabled(n, to_2)
       \/ QC2_is_enabled(n, to_2)
       \/ QC3_is_enabled(n, to_2)
       \/ QC4_is_enabled(n, to_2)
       \/ QC5_is_enabled(n, to_2)
  \/ \E n \in Controller, m \in Controller :
       /\ stable[m] <= high_watermark[known_epoch[n]]
       /\ \/ QS1_is_enabled(n, m)
          \/ QS2_is_enabled(n, m)

\* What is stable is committed, what is committed was applied; an active controller has applied all that it wrote.
\* (S3:77, S3:164)
QL1 == \A n \in Controller : stable[n] <= committed[n] /\ committed[n] <= applied[n] /\ (0 < claim[n] => applied[n] =
  next_write[n])

\* The stable offset never goes back, also over claims and renunciations; only a process that ends begins again.
\* (S3:164)
QL1s == [][(\A n \in Controller, d \in leader_epoch, at_2 \in offset : (QR1(n, d, at_2)) => (\A n_2 \in Controller :
  stable[n_2] <= stable[n_2]')) /\ (\A n \in Controller, e \in leader_epoch : (QR2(n, e)) => (\A n_2 \in Controller :
  stable[n_2] <= stable[n_2]')) /\ (\A at_2 \in offset : (QR3(at_2)) => (\A n \in Controller : stable[n] <= stable[n]'))
  /\ (\A n \in Controller : (QK1(n) \/ QK2(n) \/ QK3(n) \/ QK4(n) \/ QA1(n) \/ QA2(n) \/ QA3(n) \/ QA4(n) \/ QA5(n) \/
  QW13(n) \/ QW14(n)) => (\A n_2 \in Controller : stable[n_2] <= stable[n_2]')) /\ (\A r \in Request, n \in Controller :
  (QW1(r, n) \/ QW4(r, n) \/ QW7(r, n) \/ QW8(r, n) \/ QW9(r, n) \/ QW10(r, n)) => (\A n_2 \in Controller : stable[n_2]
  <= stable[n_2]')) /\ (\A r \in Request : (QW2(r) \/ QW3(r)) => (\A n \in Controller : stable[n] <= stable[n]')) /\ (\A
  r \in Request, n \in Controller, to_2 \in offset, atomic \in BOOLEAN : (QW5(r, n, to_2, atomic) \/ QW6(r, n, to_2,
  atomic)) => (\A n_2 \in Controller : stable[n_2] <= stable[n_2]')) /\ (\A n \in Controller, to_2 \in offset : (QW12(n,
  to_2) \/ QC1(n, to_2) \/ QC2(n, to_2) \/ QC3(n, to_2) \/ QC4(n, to_2) \/ QC5(n, to_2)) => (\A n_2 \in Controller :
  stable[n_2] <= stable[n_2]')) /\ (\A n \in Controller, m \in Controller : (QS1(n, m)) => (\A n_2 \in Controller :
  stable[n_2] <= stable[n_2]'))]_vars

\* An active controller has an in-memory snapshot at its stable offset. (S3:160)
QL3 == \A n \in Controller : 0 < claim[n] => snapshot[n, stable[n]]

\* So has every node that may be read: where something is stable, a snapshot shows it. (S3:87, S3:160)
QL3s == \A n \in Controller : 0 < stable[n] => snapshot[n, stable[n]]

\* An in-memory snapshot is the state that one gets by applying the node's log up to its offset, also after reverts and
\* aborts. (S3:160, S3:152)
QL3k == \A n \in Controller, s \in offset, o \in offset : snapshot[n, s] => (s <= applied[n] /\ kept[n, s, o] = (IF o <
  s /\ (log_kind[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], o] = "DATA" \/ log_kind[IF claim[n] = 0 THEN
  known_epoch[n] ELSE claim[n], o] = "VERSION") /\ (undone_by[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], o] = 0
  \/ s <= undone_by[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], o]) THEN log[IF claim[n] = 0 THEN known_epoch[n]
  ELSE claim[n], o] ELSE 0))

\* The state of a node is what one gets by applying its log from the start: in effect are the data records that no Abort
\* has undone, while it is active, when it has renounced, and as a standby. (S3:171, S3:311, S3:323)
QL4 == \A n \in Controller, o \in offset : effect[n, o] = (IF o < applied[n] /\ (log_kind[IF claim[n] = 0 THEN
  known_epoch[n] ELSE claim[n], o] = "DATA" \/ log_kind[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], o] =
  "VERSION") /\ (undone_by[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], o] = 0 \/ applied[n] <= undone_by[IF
  claim[n] = 0 THEN known_epoch[n] ELSE claim[n], o]) THEN log[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], o]
  ELSE 0)

\* Who renounces has the state of what is stable, outside of any transaction: exactly what is not stable is thrown away.
\* (S3:160, S3:171)
QL4r == [][(\A n \in Controller : (QK3(n) \/ QK4(n)) => ((\A o \in offset : effect[n, o]' = (IF o < stable[n] /\
  (log_kind[claim[n], o] = "DATA" \/ log_kind[claim[n], o] = "VERSION") /\ (undone_by[claim[n], o] = 0 \/ stable[n] <=
  undone_by[claim[n], o]) THEN log[claim[n], o] ELSE 0)) /\ transaction[n]' = 0)) /\ (\A r \in Request, n \in
  Controller, to_2 \in offset, atomic \in BOOLEAN : (QW6(r, n, to_2, atomic)) => ((\A o \in offset : effect[n, o]' = (IF
  o < stable[n] /\ (log_kind[claim[n], o] = "DATA" \/ log_kind[claim[n], o] = "VERSION") /\ (undone_by[claim[n], o] = 0
  \/ stable[n] <= undone_by[claim[n], o]) THEN log[claim[n], o] ELSE 0)) /\ transaction[n]' = 0)) /\ (\A r \in Request,
  n \in Controller : (QW10(r, n)) => ((\A o \in offset : effect[n, o]' = (IF o < stable[n] /\ (log_kind[claim[n], o] =
  "DATA" \/ log_kind[claim[n], o] = "VERSION") /\ (undone_by[claim[n], o] = 0 \/ stable[n] <= undone_by[claim[n], o])
  THEN log[claim[n], o] ELSE 0)) /\ transaction[n]' = 0))]_vars

QL4r_where_nothing_changes == (\A n \in Controller : (ENABLED (UNCHANGED vars /\ (QK3(n) \/ QK4(n)))) => ((\A o \in
  offset : effect[n, o] = (IF o < stable[n] /\ (log_kind[claim[n], o] = "DATA" \/ log_kind[claim[n], o] = "VERSION") /\
  (undone_by[claim[n], o] = 0 \/ stable[n] <= undone_by[claim[n], o]) THEN log[claim[n], o] ELSE 0)) /\ transaction[n] =
  0)) /\ (\A r \in Request, n \in Controller, to_2 \in offset, atomic \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (QW6(r,
  n, to_2, atomic)))) => ((\A o \in offset : effect[n, o] = (IF o < stable[n] /\ (log_kind[claim[n], o] = "DATA" \/
  log_kind[claim[n], o] = "VERSION") /\ (undone_by[claim[n], o] = 0 \/ stable[n] <= undone_by[claim[n], o]) THEN
  log[claim[n], o] ELSE 0)) /\ transaction[n] = 0)) /\ (\A r \in Request, n \in Controller : (ENABLED (UNCHANGED vars /\
  (QW10(r, n)))) => ((\A o \in offset : effect[n, o] = (IF o < stable[n] /\ (log_kind[claim[n], o] = "DATA" \/
  log_kind[claim[n], o] = "VERSION") /\ (undone_by[claim[n], o] = 0 \/ stable[n] <= undone_by[claim[n], o]) THEN
  log[claim[n], o] ELSE 0)) /\ transaction[n] = 0))

\* Two standbys that have applied as much have the same state. (S3:323)
QL5 == [][\A n \in Controller, m \in Controller, o \in offset : (claim[n] = 0 /\ claim[m] = 0 /\ applied[n] =
  applied[m]) => effect[n, o] = effect[m, o]]_vars

QL5_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (\A n \in Controller, m \in Controller, o \in offset
  : (claim[n] = 0 /\ claim[m] = 0 /\ applied[n] = applied[m]) => effect[n, o] = effect[m, o])

\* Two nodes, active or not, with the same stable offset show the same to reads. (S3:323, S3:327)
QL5r == [][\A n \in Controller, m \in Controller, o \in offset : (snapshot[n, stable[n]] /\ snapshot[m, stable[m]] /\
  stable[n] = stable[m]) => kept[n, stable[n], o] = kept[m, stable[m], o]]_vars

QL5r_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (\A n \in Controller, m \in Controller, o \in offset
  : (snapshot[n, stable[n]] /\ snapshot[m, stable[m]] /\ stable[n] = stable[m]) => kept[n, stable[n], o] = kept[m,
  stable[m], o])

\* Who claims an epoch has applied every record that was committed before it, at its offset. (S3:177, S3:323)
QL5c == [][(\A n \in Controller : (QK1(n)) => (\A d \in leader_epoch, o \in offset : (d < known_epoch[n] /\ d <=
  raft_epoch /\ o < high_watermark[d]) => (o < applied[n] /\ log[known_epoch[n], o] = log[d, o])))]_vars

QL5c_where_nothing_changes == (\A n \in Controller : (ENABLED (UNCHANGED vars /\ (QK1(n)))) => (\A d \in leader_epoch, o
  \in offset : (d < known_epoch[n] /\ d <= raft_epoch /\ o < high_watermark[d]) => (o < applied[n] /\
  log[known_epoch[n], o] = log[d, o])))

\* Abort restores the state from before Begin. (S3:164)
QL12 == [][(\A n \in Controller : (QA4(n)) => (\A o \in offset : effect[n, o]' = (IF o < transaction[n] - 1 THEN
  effect[n, o] ELSE 0))) /\ (\A n \in Controller, to_2 \in offset : (QC5(n, to_2)) => (\A o \in offset : effect[n, o]' =
  (IF o < transaction[n] - 1 THEN effect[n, o] ELSE 0)))]_vars

QL12_where_nothing_changes == (\A n \in Controller : (ENABLED (UNCHANGED vars /\ (QA4(n)))) => (\A o \in offset :
  effect[n, o] = (IF o < transaction[n] - 1 THEN effect[n, o] ELSE 0))) /\ (\A n \in Controller, to_2 \in offset :
  (ENABLED (UNCHANGED vars /\ (QC5(n, to_2)))) => (\A o \in offset : effect[n, o] = (IF o < transaction[n] - 1 THEN
  effect[n, o] ELSE 0)))

\* A write is answered when the stable offset has reached its last record, and not before. (S3:126, S3:325)
QL2 == [][\A r \in Request, n \in Controller : (future[r] # "ANSWERED" /\ (future[r] = "ANSWERED")' /\ asked[r] = n /\
  (0 < wrote_in[r])') => (parked_at[r] <= stable[n])']_vars

\* The records of a write that was answered are committed, and in the log of every later leader. (S3:325)
QL2d == \A r \in Request, o \in offset : (future[r] = "ANSWERED" /\ wrote_from[r] <= o /\ o < parked_at[r] /\ 0 <
  wrote_in[r]) => (o < high_watermark[raft_epoch] /\ log[raft_epoch, o] = wrote_in[r])

\* A write without records is answered only after all that was written before it is stable. (S3:119)
QL14 == [][\A r \in Request, n \in Controller : (future[r] # "ANSWERED" /\ (future[r] = "ANSWERED")' /\ asked[r] = n /\
  (wrote_in[r] = 0)') => (next_write[n] <= stable[n] \/ (future[r] = "ANSWERED" /\ 0 < parked_at[r] /\ parked_at[r] <=
  stable[n]))']_vars

\* What reads show is committed, in no open transaction, and never undone. (S3:164, S3:327)
QL7 == [][\A n \in Controller, o \in offset : 0 < kept[n, stable[n], o] => (o < stable[n] /\ stable[n] <=
  high_watermark[raft_epoch] /\ kept[n, stable[n], o] = log[raft_epoch, o] /\ log_open[raft_epoch, stable[n]] = 0 /\
  undone_by[raft_epoch, o] = 0)]_vars

QL7_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (\A n \in Controller, o \in offset : 0 < kept[n,
  stable[n], o] => (o < stable[n] /\ stable[n] <= high_watermark[raft_epoch] /\ kept[n, stable[n], o] = log[raft_epoch,
  o] /\ log_open[raft_epoch, stable[n]] = 0 /\ undone_by[raft_epoch, o] = 0))

\* A request that the queue timed out has written nothing. (S3:83)
QL15 == \A r \in Request : future[r] = "TIMED_OUT" => wrote_in[r] = 0

\* Only the node that Raft elected in an epoch claims it: no two nodes claim one epoch. (S3:331)
QL6 == \A n \in Controller : 0 < claim[n] => leader_of[claim[n]] = n

\* The epoch that a node claims is that in which Raft elected it. (S3:71)
QL6e == [][(\A n \in Controller : (QK1(n) \/ QK2(n)) => (claim[n]' = known_epoch[n]))]_vars

QL6e_where_nothing_changes == (\A n \in Controller : (ENABLED (UNCHANGED vars /\ (QK1(n) \/ QK2(n)))) => (claim[n] =
  known_epoch[n]))

\* Only its claimer appends to the log of an epoch, and not once its Raft client knows of a newer one. (S3:331)
QL6a == [][\A e \in leader_epoch, n \in Controller : (e <= raft_epoch /\ leader_of[e] = n /\ log_end[e]' # log_end[e])
  => (claim[n] = e /\ known_epoch[n] = e)]_vars

\* A controller that was replaced changes nothing that is committed: of an epoch that is over no more is committed, and
\* what is committed stays, in the log of the newest epoch too. (S3:331)
QL6c == [][(\A e \in leader_epoch : e < raft_epoch => high_watermark[e]' = high_watermark[e]) /\ (\A o \in offset : o <
  high_watermark[raft_epoch] => ((o < high_watermark[raft_epoch])' /\ log[raft_epoch, o]' = log[raft_epoch, o]))]_vars

\* What is in the log of an epoch stays there. (S3:331)
QL6n == [][\A e \in leader_epoch, o \in offset : o < log_end[e] => (o < log_end[e]' /\ log[e, o]' = log[e, o])]_vars

\* Logs and what is committed of them end with a batch: an atomic result is one batch, so it is there whole or not at
\* all. (S3:130)
QL8 == \A e \in leader_epoch : (0 < high_watermark[e] => log_ends[e, high_watermark[e]]) /\ (0 < log_end[e] =>
  log_ends[e, log_end[e]])

\* A Begin is applied outside of transactions only: they do not nest. (S3:164)
QL9 == [][(\A n \in Controller, to_2 \in offset : (QC3(n, to_2)) => (transaction[n] = 0))]_vars

QL9_where_nothing_changes == (\A n \in Controller, to_2 \in offset : (ENABLED (UNCHANGED vars /\ (QC3(n, to_2)))) =>
  (transaction[n] = 0))

\* An End and an Abort are applied inside of a transaction only. (S3:164)
QL9e == [][(\A n \in Controller, to_2 \in offset : (QC4(n, to_2) \/ QC5(n, to_2)) => (0 < transaction[n]))]_vars

QL9e_where_nothing_changes == (\A n \in Controller, to_2 \in offset : (ENABLED (UNCHANGED vars /\ (QC4(n, to_2) \/
  QC5(n, to_2)))) => (0 < transaction[n]))

\* The bootstrap is in effect at most once. (S3:173)
QL11 == [][\A n \in Controller, o \in offset, p \in offset : (0 < effect[n, o] /\ log_kind[IF claim[n] = 0 THEN
  known_epoch[n] ELSE claim[n], o] = "VERSION" /\ 0 < effect[n, p] /\ log_kind[IF claim[n] = 0 THEN known_epoch[n] ELSE
  claim[n], p] = "VERSION") => o = p]_vars

QL11_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (\A n \in Controller, o \in offset, p \in offset :
  (0 < effect[n, o] /\ log_kind[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], o] = "VERSION" /\ 0 < effect[n, p] /\
  log_kind[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], p] = "VERSION") => o = p)

\* It is in effect on every active controller whose activation is complete. (S3:173)
QL11r == \A n \in Controller : (0 < claim[n] /\ ~activating[n]) => (\E o \in offset : 0 < effect[n, o] /\ log_kind[IF
  claim[n] = 0 THEN known_epoch[n] ELSE claim[n], o] = "VERSION")

\* Only an active controller applies records that are not committed. (S3:17, S3:122)
QL16 == \A n \in Controller : claim[n] = 0 => (applied[n] <= high_watermark[known_epoch[n]] /\ ~activating[n])

\* Periodic tasks are scheduled while the node is active and its activation complete, and at no other time. (S3:173,
\* Kafka 4.4)
QL17 == \A n \in Controller : armed[n] = (0 < claim[n] /\ ~activating[n])

\* A record that cannot be applied comes into no log. (S3:122)
QL18 == [][(\A r \in Request, n \in Controller : (QW11(r, n)) => (\A e \in leader_epoch : log_end[e]' =
  log_end[e]))]_vars

\* A callback of a replaced listener changes nothing. (S3:307)
QL19 == [][TRUE]_vars

\* A write is answered. (S3:120)
\* TLC is asked that this never holds; a violation is the witness.
QX1 == ~(\E r \in Request : future[r] = "ANSWERED" /\ 0 < wrote_in[r])

\* A write is answered NOT_CONTROLLER, and its records are committed all the same. (S3:311)
\* TLC is asked that this never holds; a violation is the witness.
QX2 == ~(\E r \in Request : future[r] = "NOT_CONTROLLER" /\ 0 < wrote_in[r] /\ wrote_from[r] <
  high_watermark[raft_epoch] /\ log[raft_epoch, wrote_from[r]] = wrote_in[r])

\* A write is answered NOT_CONTROLLER, and another record is committed in its place. (S3:311)
\* TLC is asked that this never holds; a violation is the witness.
QX3 == ~(\E r \in Request : future[r] = "NOT_CONTROLLER" /\ 0 < wrote_in[r] /\ wrote_from[r] <
  high_watermark[raft_epoch] /\ log[raft_epoch, wrote_from[r]] # wrote_in[r])

\* Two controllers are active, in two epochs, and the one that was replaced goes on writing. (S3:331)
\* TLC is asked that this never holds; a violation is the witness.
QX4 == ~(\E n \in Controller, m \in Controller : 0 < claim[n] /\ 0 < claim[m] /\ n # m /\ 0 < next_write[n] /\ 0 <
  next_write[m])

\* A request is refused, and its controller stays active. (S3:313)
\* TLC is asked that this never holds; a violation is the witness.
QX8 == ~(\E r \in Request : future[r] = "REFUSED" /\ (\E n \in Controller : asked[r] = n /\ 0 < claim[n]))

\* A part of a transaction is committed, and no read shows it. (S3:164)
\* TLC is asked that this never holds; a violation is the witness.
QX5 == ~(\E n \in Controller : stable[n] < committed[n])

\* A transaction that a failed controller left open is aborted. (S3:173)
\* TLC is asked that this never holds; a violation is the witness.
QX6 == ~(\E e \in leader_epoch, o \in offset : 0 < undone_by[e, o] /\ undone_by[e, o] < high_watermark[e])

\* An active controller has applied more than is committed, of which not all is stable. (S3:77)
\* TLC is asked that this never holds; a violation is the witness.
QX7 == ~(\E k \in leader_epoch, n \in Controller : claim[n] = k /\ committed[n] < applied[n] /\ stable[n] <
  committed[n])

\* No request runs before its controller's activation is complete: it waits, or is answered NOT_CONTROLLER or timed out,
\* or the process ends. (S3:83, S3:173)
QL20 == [][\A r \in Request, n \in Controller : (future[r] = "QUEUED" /\ asked[r] = n /\ activating[n]) => ((future[r] =
  "QUEUED")' \/ (future[r] = "TIMED_OUT")' \/ (future[r] = "NOT_CONTROLLER")' \/ (future[r] = "LOST")')]_vars

\* Nothing is written before the activation is complete, by a request, a task or a transaction, but by the activation
\* itself. (S3:83, S3:173)
QL20w == [][(\A n \in Controller, d \in leader_epoch, at_2 \in offset : (QR1(n, d, at_2)) => (\A e \in leader_epoch, n_2
  \in Controller : (claim[n_2] = e /\ activating[n_2]) => log_end[e]' = log_end[e])) /\ (\A n \in Controller, e \in
  leader_epoch : (QR2(n, e)) => (\A e_2 \in leader_epoch, n_2 \in Controller : (claim[n_2] = e_2 /\ activating[n_2]) =>
  log_end[e_2]' = log_end[e_2])) /\ (\A at_2 \in offset : (QR3(at_2)) => (\A e \in leader_epoch, n \in Controller :
  (claim[n] = e /\ activating[n]) => log_end[e]' = log_end[e])) /\ (\A n \in Controller : (QK1(n) \/ QK2(n) \/ QK3(n) \/
  QK4(n) \/ QK5(n) \/ QW13(n) \/ QW14(n)) => (\A e \in leader_epoch, n_2 \in Controller : (claim[n_2] = e /\
  activating[n_2]) => log_end[e]' = log_end[e])) /\ (\A r \in Request, n \in Controller : (QW1(r, n) \/ QW4(r, n) \/
  QW7(r, n) \/ QW8(r, n) \/ QW9(r, n) \/ QW10(r, n) \/ QW11(r, n)) => (\A e \in leader_epoch, n_2 \in Controller :
  (claim[n_2] = e /\ activating[n_2]) => log_end[e]' = log_end[e])) /\ (\A r \in Request : (QW2(r) \/ QW3(r)) => (\A e
  \in leader_epoch, n \in Controller : (claim[n] = e /\ activating[n]) => log_end[e]' = log_end[e])) /\ (\A r \in
  Request, n \in Controller, to_2 \in offset, atomic \in BOOLEAN : (QW5(r, n, to_2, atomic) \/ QW6(r, n, to_2, atomic))
  => (\A e \in leader_epoch, n_2 \in Controller : (claim[n_2] = e /\ activating[n_2]) => log_end[e]' = log_end[e])) /\
  (\A n \in Controller, to_2 \in offset : (QW12(n, to_2) \/ QC1(n, to_2) \/ QC2(n, to_2) \/ QC3(n, to_2) \/ QC4(n, to_2)
  \/ QC5(n, to_2)) => (\A e \in leader_epoch, n_2 \in Controller : (claim[n_2] = e /\ activating[n_2]) => log_end[e]' =
  log_end[e])) /\ (\A n \in Controller, m \in Controller : (QS1(n, m) \/ QS2(n, m)) => (\A e \in leader_epoch, n_2 \in
  Controller : (claim[n_2] = e /\ activating[n_2]) => log_end[e]' = log_end[e]))]_vars

\* No read is answered before it is complete. (S3:83)
QL20r == [][TRUE]_vars

QL20r_where_nothing_changes == (\A n \in Controller, o \in offset : (QW15_is_enabled(n, o)) => (~activating[n]))

\* An activation ends outside of any transaction: one that was left open was aborted. (S3:173)
QL24 == [][(\A n \in Controller : (QA1(n) \/ QA2(n) \/ QA3(n) \/ QA4(n) \/ QA5(n)) => (transaction[n]' = 0))]_vars

QL24_where_nothing_changes == (\A n \in Controller : (ENABLED (UNCHANGED vars /\ (QA1(n) \/ QA2(n) \/ QA3(n) \/ QA4(n)
  \/ QA5(n)))) => (transaction[n] = 0))

\* A request to a node that is not active is answered NOT_CONTROLLER, if it is not timed out and the process does not
\* end. (S3:117)
QL21 == [][\A r \in Request, n \in Controller : (future[r] = "QUEUED" /\ asked[r] = n /\ claim[n] = 0) => ((future[r] =
  "QUEUED")' \/ (future[r] = "TIMED_OUT")' \/ (future[r] = "NOT_CONTROLLER")' \/ (future[r] = "LOST")')]_vars

\* NOT_CONTROLLER is answered only by a node that is not active, or renounces. (S3:117, S3:171)
QL21n == [][\A r \in Request, n \in Controller : (asked[r] = n /\ future[r] # "NOT_CONTROLLER" /\ (future[r] =
  "NOT_CONTROLLER")') => claim[n]' = 0]_vars

\* A future completes once. (S3:91)
QL22 == [][\A r \in Request : (future[r] = "ANSWERED" \/ future[r] = "REFUSED" \/ future[r] = "NOT_CONTROLLER" \/
  future[r] = "TIMED_OUT" \/ future[r] = "UNKNOWN" \/ future[r] = "LOST") => future[r]' = future[r]]_vars

\* An event in the purgatory has run: it is neither run again nor refused nor timed out. (S3:126)
QL22p == [][\A r \in Request : future[r] = "PARKED" => ((future[r] = "PARKED")' \/ (future[r] = "ANSWERED")' \/
  (future[r] = "NOT_CONTROLLER")' \/ (future[r] = "UNKNOWN")' \/ (future[r] = "LOST")')]_vars

\* An event in the purgatory of a node that renounces is answered NOT_CONTROLLER. (S3:171, S3:311)
QL23 == [][(\A n \in Controller : (QK3(n) \/ QK4(n)) => (\A q \in Request : (future[q] = "PARKED" /\ asked[q] = n) =>
  (future[q] = "NOT_CONTROLLER")')) /\ (\A r \in Request, n \in Controller, to_2 \in offset, atomic \in BOOLEAN :
  (QW6(r, n, to_2, atomic)) => (\A q \in Request : (future[q] = "PARKED" /\ asked[q] = n) => (future[q] =
  "NOT_CONTROLLER")')) /\ (\A r \in Request, n \in Controller : (QW10(r, n)) => (\A q \in Request : (future[q] =
  "PARKED" /\ asked[q] = n) => (future[q] = "NOT_CONTROLLER")'))]_vars

QL23_where_nothing_changes == (\A n \in Controller : (ENABLED (UNCHANGED vars /\ (QK3(n) \/ QK4(n)))) => (\A q \in
  Request : (future[q] = "PARKED" /\ asked[q] = n) => future[q] = "NOT_CONTROLLER")) /\ (\A r \in Request, n \in
  Controller, to_2 \in offset, atomic \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (QW6(r, n, to_2, atomic)))) => (\A q \in
  Request : (future[q] = "PARKED" /\ asked[q] = n) => future[q] = "NOT_CONTROLLER")) /\ (\A r \in Request, n \in
  Controller : (ENABLED (UNCHANGED vars /\ (QW10(r, n)))) => (\A q \in Request : (future[q] = "PARKED" /\ asked[q] = n)
  => future[q] = "NOT_CONTROLLER"))

\* A request whose deadline passed in the queue is not run. (S3:83)
QL25 == [][\A r \in Request : (future[r] = "QUEUED" /\ expired[r]) => ((future[r] = "QUEUED")' \/ (future[r] =
  "TIMED_OUT")' \/ (future[r] = "LOST")')]_vars

\* No other is timed out: in the purgatory there is no deadline. (S3:83)
QL25t == [][\A r \in Request : (future[r] # "TIMED_OUT" /\ (future[r] = "TIMED_OUT")') => (future[r] = "QUEUED" /\
  expired[r])]_vars

\* A deadline passes in the queue alone: a request that is not sent, is in the purgatory or has its answer has none.
\* (S3:83)
QL25q == [][\A r \in Request : (~expired[r] /\ expired[r]') => future[r] = "QUEUED"]_vars

\* UNKNOWN_SERVER_ERROR is a fault of the active controller, which renounces. (S3:313)
QL26 == [][\A r \in Request, n \in Controller : (asked[r] = n /\ future[r] # "UNKNOWN" /\ (future[r] = "UNKNOWN")') =>
  (0 < claim[n] /\ claim[n]' = 0)]_vars

\* An ApiException is an answer of the active controller, which stays active and writes nothing. (S3:313)
QL26r == [][\A r \in Request, n \in Controller : (asked[r] = n /\ future[r] # "REFUSED" /\ (future[r] = "REFUSED")') =>
  (0 < claim[n] /\ claim[n]' = claim[n] /\ next_write[n]' = next_write[n])]_vars

\* A request is left without an answer only by a process that ends. (S3:91, S3:312)
QL27 == [][(\A n \in Controller, d \in leader_epoch, at_2 \in offset : (QR1(n, d, at_2)) => (\A r \in Request :
  ~(future[r] # "LOST" /\ (future[r] = "LOST")'))) /\ (\A n \in Controller, e \in leader_epoch : (QR2(n, e)) => (\A r
  \in Request : ~(future[r] # "LOST" /\ (future[r] = "LOST")'))) /\ (\A at_2 \in offset : (QR3(at_2)) => (\A r \in
  Request : ~(future[r] # "LOST" /\ (future[r] = "LOST")'))) /\ (\A n \in Controller : (QK1(n) \/ QK2(n) \/ QK3(n) \/
  QK4(n) \/ QA1(n) \/ QA2(n) \/ QA3(n) \/ QA4(n) \/ QA5(n) \/ QW13(n) \/ QW14(n)) => (\A r \in Request : ~(future[r] #
  "LOST" /\ (future[r] = "LOST")'))) /\ (\A r \in Request, n \in Controller : (QW1(r, n) \/ QW4(r, n) \/ QW7(r, n) \/
  QW8(r, n) \/ QW9(r, n) \/ QW10(r, n)) => (\A r_2 \in Request : ~(future[r_2] # "LOST" /\ (future[r_2] = "LOST")'))) /\
  (\A r \in Request : (QW2(r) \/ QW3(r)) => (\A r_2 \in Request : ~(future[r_2] # "LOST" /\ (future[r_2] = "LOST")')))
  /\ (\A r \in Request, n \in Controller, to_2 \in offset, atomic \in BOOLEAN : (QW5(r, n, to_2, atomic) \/ QW6(r, n,
  to_2, atomic)) => (\A r_2 \in Request : ~(future[r_2] # "LOST" /\ (future[r_2] = "LOST")'))) /\ (\A n \in Controller,
  to_2 \in offset : (QW12(n, to_2) \/ QC1(n, to_2) \/ QC2(n, to_2) \/ QC3(n, to_2) \/ QC4(n, to_2) \/ QC5(n, to_2)) =>
  (\A r \in Request : ~(future[r] # "LOST" /\ (future[r] = "LOST")'))) /\ (\A n \in Controller, m \in Controller :
  (QS1(n, m)) => (\A r \in Request : ~(future[r] # "LOST" /\ (future[r] = "LOST")')))]_vars

\* When a process ends, the answers to all its requests are lost, and no others. (S3:312)
QL27r == [][(\A n \in Controller : (QK5(n)) => (\A r \in Request : (future[r] # "LOST" /\ (future[r] = "LOST")') =
  (asked[r] = n /\ (future[r] = "QUEUED" \/ future[r] = "PARKED")))) /\ (\A r \in Request, n \in Controller : (QW11(r,
  n)) => (\A r_2 \in Request : (future[r_2] # "LOST" /\ (future[r_2] = "LOST")') = (asked[r_2] = n /\ (future[r_2] =
  "QUEUED" \/ future[r_2] = "PARKED")))) /\ (\A n \in Controller, m \in Controller : (QS2(n, m)) => (\A r \in Request :
  (future[r] # "LOST" /\ (future[r] = "LOST")') = (asked[r] = n /\ (future[r] = "QUEUED" \/ future[r] =
  "PARKED"))))]_vars

QL27r_where_nothing_changes == (\A n \in Controller : (ENABLED (UNCHANGED vars /\ (QK5(n)))) => (\A r \in Request :
  (future[r] # "LOST" /\ future[r] = "LOST") = (asked[r] = n /\ (future[r] = "QUEUED" \/ future[r] = "PARKED")))) /\ (\A
  r \in Request, n \in Controller : (ENABLED (UNCHANGED vars /\ (QW11(r, n)))) => (\A r_2 \in Request : (future[r_2] #
  "LOST" /\ future[r_2] = "LOST") = (asked[r_2] = n /\ (future[r_2] = "QUEUED" \/ future[r_2] = "PARKED")))) /\ (\A n
  \in Controller, m \in Controller : (ENABLED (UNCHANGED vars /\ (QS2(n, m)))) => (\A r \in Request : (future[r] #
  "LOST" /\ future[r] = "LOST") = (asked[r] = n /\ (future[r] = "QUEUED" \/ future[r] = "PARKED"))))

\* An atomic result is one batch: none ends inside it, one ends with it. (S3:130)
QL8a == [][(\A r \in Request, n \in Controller, to_2 \in offset, atomic \in BOOLEAN : (QW5(r, n, to_2, atomic)) => (\A s
  \in offset : (next_write[n] < s /\ s <= to_2 /\ atomic) => log_ends[claim[n], s]' = (s = to_2)))]_vars

QL8a_where_nothing_changes == (\A r \in Request, n \in Controller, to_2 \in offset, atomic \in BOOLEAN : (ENABLED
  (UNCHANGED vars /\ (QW5(r, n, to_2, atomic)))) => (\A s \in offset : (next_write[n] < s /\ s <= to_2 /\ atomic) =>
  log_ends[claim[n], s] = (s = to_2)))

\* A read shows what the in-memory snapshot at the stable offset has, and nothing else: QL7 says what that is. (S3:87)
QL7r == [][TRUE]_vars

QL7r_where_nothing_changes == (\A n \in Controller, o \in offset : (QW15_is_enabled(n, o)) => (0 < kept[n, stable[n],
  o]))

\* For QM3: nothing is there of epochs to come.
QM1 == \A e \in leader_epoch : (raft_epoch < e \/ e = 0) => (log_end[e] = 0 /\ epoch_start[e] = 0 /\ leader_of[e] = None
  /\ high_watermark[e] = 0)

\* For QM3: a record is in the log of the epoch in which it was written.
QM2 == \A e \in leader_epoch, o \in offset : o < log_end[e] => (1 <= log[e, o] /\ log[e, o] <= e /\ o < log_end[log[e,
  o]])

\* For QM6: logs that share a record share all before it.
QM3 == \A d \in leader_epoch, e \in leader_epoch, o \in offset, p \in offset : (o < log_end[d] /\ o < log_end[e] /\
  log[d, o] = log[e, o] /\ p <= o) => (log[d, p] = log[e, p] /\ log_kind[d, p] = log_kind[e, p])

\* For QM6s: and batches and transactions up to it.
QM3s == \A d \in leader_epoch, e \in leader_epoch, o \in offset, s \in offset : (o < log_end[d] /\ o < log_end[e] /\
  log[d, o] = log[e, o] /\ s <= o + 1) => (log_open[d, s] = log_open[e, s] /\ (log_ends[d, s] => log_ends[e, s]))

\* For QM6: and what an Abort undid that they share.
QM4 == \A d \in leader_epoch, e \in leader_epoch, p \in offset : (0 < undone_by[d, p] /\ undone_by[d, p] < log_end[d] /\
  undone_by[d, p] < log_end[e] /\ log[d, undone_by[d, p]] = log[e, undone_by[d, p]]) => undone_by[e, p] = undone_by[d,
  p]

\* For QL7: what is committed is in the log.
QM5 == \A e \in leader_epoch : high_watermark[e] <= log_end[e] /\ epoch_start[e] <= log_end[e]

\* For QL7: also in that of every later epoch, when it begins.
QM5d == \A d \in leader_epoch, e \in leader_epoch : (d <= e /\ e <= raft_epoch) => (high_watermark[d] <=
  high_watermark[e] /\ (d < e => high_watermark[d] <= epoch_start[e]))

\* For QL7: two logs have the same committed records.
QM6 == \A d \in leader_epoch, e \in leader_epoch, o \in offset : (d <= raft_epoch /\ e <= raft_epoch /\ o <
  high_watermark[d] /\ o < high_watermark[e]) => (log[e, o] = log[d, o] /\ log_kind[e, o] = log_kind[d, o])

\* For QL7: in both the same Abort undoes them.
QM6u == \A d \in leader_epoch, e \in leader_epoch, o \in offset : (d <= raft_epoch /\ e <= raft_epoch /\ 0 <
  undone_by[d, o] /\ undone_by[d, o] < high_watermark[d] /\ undone_by[d, o] < high_watermark[e]) => undone_by[e, o] =
  undone_by[d, o]

\* For QN5: so are the ends of batches and transactions.
QM6s == \A d \in leader_epoch, e \in leader_epoch, s \in offset : (d <= raft_epoch /\ e <= raft_epoch /\ s <=
  high_watermark[d] /\ s <= high_watermark[e]) => (log_open[e, s] = log_open[d, s] /\ (log_ends[e, s] => log_ends[d,
  s]))

\* For QL4: a record of a transaction is in a batch of its own.
QM7 == \A e \in leader_epoch, o \in offset : (o < log_end[e] /\ ~(log_kind[e, o] = "DATA" \/ log_kind[e, o] =
  "VERSION")) => (ends_batch(o, e) /\ At(log_ends, <<e, o + 1>>, FALSE))

\* For QK1: what a leader begins with ends with a batch.
QM9s == \A e \in leader_epoch : 0 < epoch_start[e] => log_ends[e, epoch_start[e]]

\* For QT1: no transaction is open at the start.
QT0 == \A e \in leader_epoch : log_open[e, 0] = 0

\* For QT2: Begin opens a transaction where none is open, End and Abort close one.
QT1 == \A e \in leader_epoch, o \in offset : o < log_end[e] => ((log_kind[e, o] = "BEGIN" => (log_open[e, o] = 0 /\
  At(log_open, <<e, o + 1>>, 0) = o + 1)) /\ ((log_kind[e, o] = "DATA" \/ log_kind[e, o] = "VERSION") => At(log_open,
  <<e, o + 1>>, 0) = log_open[e, o]) /\ ((log_kind[e, o] = "END" \/ log_kind[e, o] = "ABORT") => (0 < log_open[e, o] /\
  At(log_open, <<e, o + 1>>, 0) = 0)))

\* For QT3: a transaction that is open has been so since its Begin.
QT2 == \A e \in leader_epoch, s \in offset, p \in offset : (s <= log_end[e] /\ 0 < log_open[e, s] /\ log_open[e, s] <= p
  /\ p <= s) => log_open[e, p] = log_open[e, s]

\* For QN9: none was open before it.
QT2b == \A e \in leader_epoch, s \in offset : (s <= log_end[e] /\ 0 < log_open[e, s]) => (log_open[e, s] <= s /\
  At(log_open, <<e, log_open[e, s] - 1>>, 0) = 0 /\ ends_batch_4(e, s))

\* For QN6: a batch of data records opens and closes none.
QT2c == \A e \in leader_epoch, s \in offset, p \in offset : (s < p /\ p <= log_end[e] /\ (log_kind[e, s] = "DATA" \/
  log_kind[e, s] = "VERSION") /\ (\A at_2 \in offset : (s < at_2 /\ at_2 < p) => ~ends_batch(at_2, e))) => log_open[e,
  p] = log_open[e, s]

\* For QL4: and has data records only.
QT2d == \A e \in leader_epoch, s \in offset, p \in offset, o \in offset : (s <= o /\ o < p /\ p <= log_end[e] /\
  ends_batch(p, e) /\ (log_kind[e, s] = "DATA" \/ log_kind[e, s] = "VERSION") /\ (\A at_2 \in offset : (s < at_2 /\ at_2
  < p) => ~ends_batch(at_2, e))) => (log_kind[e, o] = "DATA" \/ log_kind[e, o] = "VERSION")

\* For QL4: an Abort undoes all from its Begin on.
QT3 == \A e \in leader_epoch, o \in offset, p \in offset : (o < log_end[e] /\ log_kind[e, o] = "ABORT" /\ log_open[e, o]
  <= p + 1 /\ p < o) => undone_by[e, p] = o

\* For QL4: and nothing else is undone.
QT4 == \A e \in leader_epoch, p \in offset : 0 < undone_by[e, p] => (undone_by[e, p] < log_end[e] /\ p < undone_by[e, p]
  /\ log_kind[e, undone_by[e, p]] = "ABORT" /\ log_open[e, undone_by[e, p]] <= p + 1)

\* For QL7: what is outside of transactions is not undone later.
QT6 == \A e \in leader_epoch, s \in offset, o \in offset : (s <= log_end[e] /\ log_open[e, s] = 0 /\ o < s /\ 0 <
  undone_by[e, o]) => undone_by[e, o] < s

\* For QL11: a log has a second bootstrap only where the first was undone before.
QT5 == \A e \in leader_epoch, o \in offset, p \in offset : (o < p /\ p < log_end[e] /\ log_kind[e, o] = "VERSION" /\
  log_kind[e, p] = "VERSION") => (0 < undone_by[e, o] /\ undone_by[e, o] < p)

\* For QL6: a node knows of epochs that there were, and claims none twice.
QN1 == \A n \in Controller : known_epoch[n] <= raft_epoch /\ claim[n] <= left_epoch[n] /\ left_epoch[n] <=
  known_epoch[n]

\* For QL4: an active controller writes where the log of its epoch ends.
QN2 == \A n \in Controller : 0 < claim[n] => (log_end[claim[n]] = next_write[n] /\ applied[n] = next_write[n])

\* For QL16: a standby has applied what is committed.
QN3 == \A n \in Controller : claim[n] = 0 => (applied[n] = committed[n] /\ next_write[n] = 0 /\ ~activating[n] /\
  ~armed[n])

\* For QL7: no node is ahead of Raft.
QN4 == \A n \in Controller : committed[n] <= high_watermark[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n]] /\
  applied[n] <= log_end[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n]]

\* For QC2: a node's offsets are boundaries of batches.
QN5 == \A n \in Controller : ends_batch_5(n) /\ ends_batch_6(n)

\* For QL12: a node knows which transaction is open.
QN6 == \A n \in Controller : transaction[n] = log_open[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], applied[n]]

\* For QL7: stable is what is committed, up to the Begin of a transaction that is open there.
QN7 == \A n \in Controller : (log_open[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], committed[n]] = 0 => stable[n]
  = committed[n]) /\ (0 < log_open[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], committed[n]] => log_open[IF
  claim[n] = 0 THEN known_epoch[n] ELSE claim[n], committed[n]] = stable[n] + 1)

\* For QL7: no transaction is open at the stable offset.
QN7s == \A n \in Controller : log_open[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], stable[n]] = 0

\* For QK1: nothing is written in an epoch before it is claimed.
QN8 == \A n \in Controller, e \in leader_epoch : (leader_of[e] = n /\ left_epoch[n] < e) => log_end[e] = epoch_start[e]

\* For QL3: an active controller has a snapshot wherever the stable offset may come to stand.
QN9 == \A n \in Controller, s \in offset : (0 < claim[n] /\ stable[n] <= s /\ s <= applied[n] /\ ends_batch_3(s, n) /\
  log_open[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], s] = 0) => snapshot[n, s]

\* For QL12: and every node one from before Begin.
QN10 == \A n \in Controller : 0 < transaction[n] => At(snapshot, <<n, transaction[n] - 1>>, FALSE)

\* For QL7: nothing is kept of snapshots that are gone.
QN11 == \A n \in Controller, s \in offset, o \in offset : ~snapshot[n, s] => kept[n, s, o] = 0

\* For QK1: a standby has one where it matters.
QN12 == \A n \in Controller : (claim[n] = 0 /\ stable[n] < applied[n]) => snapshot[n, stable[n]]

\* For QL3k: what a standby has applied is stable, up to the Begin of the transaction that is open.
QN13 == \A n \in Controller : claim[n] = 0 => ((transaction[n] = 0 /\ stable[n] = applied[n]) \/ (transaction[n] =
  stable[n] + 1 /\ snapshot[n, stable[n]]))

\* For QL2d: only an active controller has a purgatory.
QF1 == \A r \in Request, n \in Controller : (future[r] = "PARKED" /\ asked[r] = n) => (0 < claim[n] /\ parked_at[r] <=
  next_write[n] /\ wrote_in[r] <= claim[n] /\ 0 < parked_at[r])

\* For QL2d: the records of what is parked are in the log of its epoch.
QF2 == \A r \in Request, n \in Controller, o \in offset : (future[r] = "PARKED" /\ asked[r] = n /\ 0 < wrote_in[r] /\
  wrote_from[r] <= o /\ o < parked_at[r]) => log[claim[n], o] = wrote_in[r]

\* For QL15: what is queued has not run.
QF3 == \A r \in Request : (future[r] = "NONE" \/ future[r] = "QUEUED") => (wrote_in[r] = 0 /\ parked_at[r] = 0)

\* For QF1: a node has it.
QF4 == \A r \in Request : future[r] = "PARKED" => asked[r] # None
================================================================================
