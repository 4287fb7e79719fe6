------------------------------ MODULE kraft_loop -------------------------------
\* kraft-loop: The event loop of the KRaft controller: what every node of the quorum does between a request and its
\* committed records.
\* Made from the tables of kraft-loop b60d28388bfb; not to be edited.
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

Given_ProcessEnds(n) == CASE Bound = "lasting-pair" -> FALSE [] OTHER -> TRUE

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
  /\ raft_epoch' \in leader_epoch
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
QK4(n) ==
  /\ is_active(n) = TRUE
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
QW1(r, n) ==
  /\ future[r] = "NONE"
  /\ future' = [future EXCEPT ![r] = "QUEUED"]
  /\ asked' = [asked EXCEPT ![r] = n]
  /\ UNCHANGED <<high_watermark, undone_by, known_epoch, claim, left_epoch, applied, next_write, activating, snapshot,
         stable, kept, effect, armed, committed, transaction, transactions, expired, wrote_in, wrote_from, parked_at,
         raft_epoch_and_others, log_end_and_others>>

\* S3:83
QW2_is_enabled(r) ==
  /\ future[r] = "QUEUED"
  /\ (~expired[r]) = TRUE

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
  /\ Bound = "lasting" => ~transactions
  /\ Bound = "lasting-pair" => ~transactions

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
       \/ is_active(n) = TRUE
       \/ Given_ProcessEnds(n) = TRUE
       \/ QA1_is_enabled(n)
       \/ QA2_is_enabled(n)
       \/ QA3_is_enabled(n)
       \/ QA4_is_enabled(n)
       \/ QA5_is_enabled(n)
       \/ QW13_is_enabled(n)
       \/ QW14_is_enabled(n)
  \/ \E r \in Request, n \in Controller :
       \/ future[r] = "NONE"
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

\* Every request leaves the queue, whatever node has it and although no deadline passes. (S3:83)
Spec_QV1 == Spec /\ WF_vars((\E r \in Request : QW3(r))) /\ WF_vars((\E r \in Request, n \in Controller : QW4(r, n))) /\
  WF_vars((\E r \in Request, n \in Controller : QW7(r, n)) \/ (\E r \in Request, n \in Controller : QW8(r, n))) /\
  WF_vars((\E n \in Controller : QA1(n)) \/ (\E n \in Controller : QA2(n)) \/ (\E n \in Controller : QA3(n)) \/ (\E n
  \in Controller : QA4(n)) \/ (\E n \in Controller : QA5(n))) /\ WF_vars((\E n \in Controller : QK3(n)))
QV1 == (\E r \in Request : future[r] = "QUEUED") ~> (~(\E r \in Request : future[r] = "QUEUED"))

\* Whoever is in the purgatory is answered: when the records are stable, or when the node hears that it was replaced.
\* (S3:126, S3:171)
Spec_QV2 == Spec /\ WF_vars((\E n \in Controller, e \in leader_epoch : QR2(n, e))) /\ WF_vars((\E at_2 \in offset :
  QR3(at_2))) /\ WF_vars((\E n \in Controller, to_2 \in offset : QC1(n, to_2)) \/ (\E n \in Controller, to_2 \in offset
  : QC2(n, to_2)) \/ (\E n \in Controller, to_2 \in offset : QC3(n, to_2)) \/ (\E n \in Controller, to_2 \in offset :
  QC4(n, to_2)) \/ (\E n \in Controller, to_2 \in offset : QC5(n, to_2))) /\ WF_vars((\E n \in Controller : QK3(n))) /\
  WF_vars((\E n \in Controller : QW14(n)))
QV2 == (\E r \in Request : future[r] = "PARKED") ~> (~(\E r \in Request : future[r] = "PARKED"))

\* An activation that was begun ends: it completes, or another leader is known. (S3:173)
Spec_QV3 == Spec /\ WF_vars((\E n \in Controller : QA1(n)) \/ (\E n \in Controller : QA2(n)) \/ (\E n \in Controller :
  QA3(n)) \/ (\E n \in Controller : QA4(n)) \/ (\E n \in Controller : QA5(n))) /\ WF_vars((\E n \in Controller :
  QK3(n)))
QV3 == (\E n \in Controller : activating[n]) ~> (~(\E n \in Controller : activating[n]))

\* A transaction that a failed controller left open is closed by the next one. (S3:173, S3:315)
Spec_QV4 == Spec /\ WF_vars((\E n \in Controller, e \in leader_epoch : QR2(n, e))) /\ WF_vars((\E at_2 \in offset :
  QR3(at_2))) /\ WF_vars((\E n \in Controller, to_2 \in offset : QC1(n, to_2)) \/ (\E n \in Controller, to_2 \in offset
  : QC2(n, to_2)) \/ (\E n \in Controller, to_2 \in offset : QC3(n, to_2)) \/ (\E n \in Controller, to_2 \in offset :
  QC4(n, to_2)) \/ (\E n \in Controller, to_2 \in offset : QC5(n, to_2))) /\ WF_vars((\E n \in Controller : QK1(n)) \/
  (\E n \in Controller : QK2(n))) /\ WF_vars((\E n \in Controller : QK3(n))) /\ WF_vars((\E n \in Controller : QA1(n))
  \/ (\E n \in Controller : QA2(n)) \/ (\E n \in Controller : QA3(n)) \/ (\E n \in Controller : QA4(n)) \/ (\E n \in
  Controller : QA5(n))) /\ WF_vars((\E n \in Controller : QW14(n)))
QV4 == (0 < log_open[raft_epoch, log_end[raft_epoch]] /\ log_open[raft_epoch, log_end[raft_epoch]] <=
  epoch_start[raft_epoch]) ~> (~(0 < log_open[raft_epoch, log_end[raft_epoch]] /\ log_open[raft_epoch,
  log_end[raft_epoch]] <= epoch_start[raft_epoch]))
================================================================================
