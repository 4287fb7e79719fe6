------------------------------ MODULE kraft_whole ------------------------------
\* kraft-whole: Two brokers and one partition on controllers with a Raft log: results are cut in the middle, and
\* reverted.
\* Made from the tables of kraft-whole 018ac2be88c8; not to be edited.
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS Maxleader_epoch, Maxoffset, NumberController, NumberBroker, Maxpartition_epoch, NumberRequest, Bound, None

leader_epoch == 0..Maxleader_epoch
offset == 0..Maxoffset
Controller == 0..(NumberController - 1)
RecordKind == {"DATA", "VERSION", "BEGIN", "END", "ABORT"}
What == {"NOTHING", "FENCE", "UNFENCE", "CHANGE"}
Broker == 0..(NumberBroker - 1)
partition_epoch == 0..Maxpartition_epoch
Contact == {"NOTHING", "RECENT", "EXPIRED"}
Request == 0..(NumberRequest - 1)
Future == {"NONE", "QUEUED", "PARKED", "ANSWERED", "REFUSED", "NOT_CONTROLLER", "TIMED_OUT", "UNKNOWN", "LOST"}

At(f, k, initial) == IF k \in DOMAIN f THEN f[k] ELSE initial
Pick(S) == CHOOSE x \in S : TRUE
Put(f, updates) == [k \in DOMAIN f |-> LET u == {x \in updates : x.at = k} IN IF u = {} THEN f[k] ELSE Pick(u).to]
Elements(s) == {s[i] : i \in DOMAIN s}
KeepIn(s, S) == SelectSeq(s, LAMBDA x : x \in S)
FirstIn(s, S) == IF KeepIn(s, S) = <<>> THEN None ELSE Head(KeepIn(s, S))
OnlyItem(x) == IF x = None THEN <<>> ELSE <<x>>
Lists(S) == UNION {{s \in [1..n -> S] : Cardinality(Elements(s)) = n} : n \in 0..Cardinality(S)}
InOrder(S) == [i \in 1..Cardinality(S) |-> CHOOSE x \in S : Cardinality({y \in S : y <= x}) = i]

VARIABLES raft_epoch, log_end, log_ends, high_watermark, log, leader_of, epoch_start, log_kind, undone_by, log_open,
  logged_record, logged_broker, logged_says_isr, logged_isr, logged_says_leader, logged_leader, image_fenced, image_isr,
  image_leader, image_leader_epoch, image_partition_epoch, known_epoch, claim, left_epoch, applied, next_write,
  activating, snapshot, stable, kept, effect, node_soft_fenced, node_fenced, node_contact, armed, committed,
  transaction, future, asked, kept_fenced, node_isr, kept_isr, node_leader, kept_leader, node_leader_epoch,
  kept_leader_epoch, node_partition_epoch, kept_partition_epoch, first_pending_record, first_pending_broker,
  first_pending_says_isr, first_pending_isr, first_pending_says_leader, first_pending_leader, second_pending_record,
  second_pending_broker, second_pending_says_isr, second_pending_isr, second_pending_says_leader, second_pending_leader,
  first_fenced, first_isr, first_leader, first_leader_epoch, first_partition_epoch, parked_at, transactions

vars == <<raft_epoch, log_end, log_ends, high_watermark, log, leader_of, epoch_start, log_kind, undone_by, log_open,
  logged_record, logged_broker, logged_says_isr, logged_isr, logged_says_leader, logged_leader, image_fenced, image_isr,
  image_leader, image_leader_epoch, image_partition_epoch, known_epoch, claim, left_epoch, applied, next_write,
  activating, snapshot, stable, kept, effect, node_soft_fenced, node_fenced, node_contact, armed, committed,
  transaction, future, asked, kept_fenced, node_isr, kept_isr, node_leader, kept_leader, node_leader_epoch,
  kept_leader_epoch, node_partition_epoch, kept_partition_epoch, first_pending_record, first_pending_broker,
  first_pending_says_isr, first_pending_isr, first_pending_says_leader, first_pending_leader, second_pending_record,
  second_pending_broker, second_pending_says_isr, second_pending_isr, second_pending_says_leader, second_pending_leader,
  first_fenced, first_isr, first_leader, first_leader_epoch, first_partition_epoch, parked_at, transactions>>

raft_epoch_and_others == <<raft_epoch, leader_of, epoch_start, undone_by>>

log_end_and_others == <<log_end, log_ends, log, log_kind, log_open, logged_record, logged_broker, logged_says_isr,
  logged_isr, logged_says_leader, logged_leader, image_fenced, image_isr, image_leader, image_leader_epoch,
  image_partition_epoch>>

applied_and_others == <<applied, effect, node_fenced, node_isr, node_leader, node_leader_epoch, node_partition_epoch>>

never_written == <<asked, first_fenced, first_isr, first_leader, first_leader_epoch, first_partition_epoch, parked_at,
  transactions>>

kept_fenced_and_others == <<kept_fenced, kept_isr, kept_leader, kept_leader_epoch, kept_partition_epoch>>

first_pending_broker_and_others == <<first_pending_broker, second_pending_says_isr, second_pending_isr,
  second_pending_says_leader, second_pending_leader>>

first_pending_says_isr_and_others == <<first_pending_says_isr, first_pending_isr, first_pending_says_leader,
  first_pending_leader>>

Given_Silence(n, b) == CASE Bound = "cut-fence" -> b = 0 [] Bound = "cut-unfence" -> FALSE [] Bound = "cut-again" -> b =
  0 [] Bound = "cut-both" -> b = 0 [] Bound = "cut-alone" -> b = 0 [] OTHER -> TRUE

Given_Silence_b == CASE Bound = "cut-fence" -> {0} [] Bound = "cut-again" -> {0} [] Bound = "cut-both" -> {0} [] Bound =
  "cut-alone" -> {0} [] OTHER -> Broker

Given_Heartbeat(n, b) == CASE Bound = "cut-fence" -> FALSE [] Bound = "cut-unfence" -> b = 0 [] Bound = "cut-again" ->
  FALSE [] Bound = "cut-both" -> b = 0 [] Bound = "cut-alone" -> FALSE [] OTHER -> TRUE

Given_Heartbeat_b == CASE Bound = "cut-unfence" -> {0} [] Bound = "cut-both" -> {0} [] OTHER -> Broker

Given_Balance(n) == CASE Bound = "cut-fence" -> FALSE [] Bound = "cut-again" -> FALSE [] Bound = "cut-alone" -> FALSE []
  OTHER -> TRUE

ends_batch(at_2, d) == at_2 = 0 \/ log_ends[d, at_2]

has_committed(at_2, d) == high_watermark[raft_epoch] <= at_2 /\ (high_watermark[raft_epoch] = 0 \/ At(log, <<d,
  high_watermark[raft_epoch] - 1>>, 0) = At(log, <<raft_epoch, high_watermark[raft_epoch] - 1>>, 0))

ends_batch_2(at_2) == at_2 = 0 \/ log_ends[raft_epoch, at_2]

is_active(n) == 0 < claim[n]

caught_up(n) == applied[n] = epoch_start[known_epoch[n]]

same_log(n) == epoch_start[known_epoch[n]] = next_write[n] /\ (next_write[n] = 0 \/ At(log, <<known_epoch[n],
  next_write[n] - 1>>, 0) = At(log, <<claim[n], next_write[n] - 1>>, 0))

leads_yet(n) == 0 < claim[n] /\ known_epoch[n] = claim[n]

ends_batch_3(to_2, n) == to_2 = 0 \/ log_ends[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], to_2]

delivered(to_2, n) == to_2 <= high_watermark[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n]] /\ committed[n] < to_2
  /\ ends_batch_3(to_2, n) /\ (\A s \in offset : (committed[n] < s /\ s < to_2) => ~ends_batch_3(s, n))

open_when_committed(n, to_2) == log_open[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], to_2]

stable_end(n, to_2) == IF stable[n] < (IF open_when_committed(n, to_2) = 0 THEN to_2 ELSE open_when_committed(n, to_2) -
  1) THEN IF open_when_committed(n, to_2) = 0 THEN to_2 ELSE open_when_committed(n, to_2) - 1 ELSE stable[n]

stable_end_2(n, to_2) == IF stable[n] < (IF transaction[n] = 0 THEN to_2 ELSE transaction[n] - 1) THEN IF transaction[n]
  = 0 THEN to_2 ELSE transaction[n] - 1 ELSE stable[n]

replicas1 == InOrder({x \in Broker : TRUE})

active_broker(n, x) == ~node_fenced[n, x]

electable(n) == {x \in Broker : active_broker(n, x)}

isr1(n, b) == KeepIn(node_isr[n], Elements(node_isr[n]) \ {b})

elr_on == 1 <= 0

candidates == IF elr_on THEN {} ELSE {}

valid(n, b) == (electable(n) \ {b}) \intersect (IF isr1(n, b) = <<>> THEN candidates ELSE Elements(isr1(n, b)))

clean(n, b) == IF "ONLINE" = "PREFERRED" /\ FirstIn(replicas1, Elements(replicas1)) \in valid(n, b) THEN
  FirstIn(replicas1, Elements(replicas1)) ELSE IF node_leader[n] \in valid(n, b) THEN node_leader[n] ELSE
  FirstIn(replicas1, valid(n, b))

recalled(n, b) == IF elr_on /\ isr1(n, b) = <<>> /\ candidates = {} THEN FirstIn(<<>>, electable(n) \ {b}) ELSE None

elected(n, b) == IF clean(n, b) # None THEN clean(n, b) ELSE IF recalled(n, b) # None THEN recalled(n, b) ELSE IF
  "ONLINE" = "UNCLEAN" THEN FirstIn(replicas1, electable(n) \ {b}) ELSE None

moves(n, b) == elected(n, b) # node_leader[n]

loses(n, b) == moves(n, b) /\ clean(n, b) = None /\ elected(n, b) # None

from_elr(n, b) == moves(n, b) /\ elected(n, b) \in candidates

isr2(n, b) == IF from_elr(n, b) THEN OnlyItem(elected(n, b)) ELSE isr1(n, b)

isr_said(n, b) == loses(n, b) \/ ((isr2(n, b) # <<>> \/ elr_on) /\ isr2(n, b) # node_isr[n])

gives_up(n, b) == ~moves(n, b) /\ ~(Elements(InOrder({x \in Broker : TRUE})) \subseteq Elements(replicas1))

isr3(n, b) == IF loses(n, b) THEN OnlyItem(elected(n, b)) ELSE isr2(n, b)

shrinks(n, b) == 8 < 12 /\ ~moves(n, b) /\ ~gives_up(n, b) /\ isr_said(n, b) /\ ~(Elements(node_isr[n]) \subseteq
  Elements(isr3(n, b)))

leader_said(n, b) == moves(n, b) \/ gives_up(n, b) \/ shrinks(n, b)

removing1 == {}

adding1 == {}

recovery1(n, b) == IF loses(n, b) /\ "RECOVERED" = "RECOVERED" THEN "RECOVERING" ELSE "RECOVERED"

elr3(n, b) == IF elr_on /\ ~loses(n, b) THEN IF from_elr(n, b) THEN candidates \ ({elected(n, b)} \ {None}) ELSE
  candidates ELSE {}

elr_said(n, b) == elr3(n, b) # {}

remembers(n, b) == elr_on /\ leader_said(n, b) /\ (elected(n, b) = None) = (<<>> = <<>>)

known == -1 = -1

is_fenced(n, b) == -1 < 0 /\ node_soft_fenced[n, b]

caught_up_2 == -1 <= -1

returning(n, b) == {x \in Broker : active_broker(n, x) \/ x = b}

isr1_2(n) == node_isr[n]

valid_2(n, b) == returning(n, b) \intersect (IF isr1_2(n) = <<>> THEN candidates ELSE Elements(isr1_2(n)))

clean_2(n, b) == IF "ONLINE" = "PREFERRED" /\ FirstIn(replicas1, Elements(replicas1)) \in valid_2(n, b) THEN
  FirstIn(replicas1, Elements(replicas1)) ELSE IF node_leader[n] \in valid_2(n, b) THEN node_leader[n] ELSE
  FirstIn(replicas1, valid_2(n, b))

recalled_2(n, b) == IF elr_on /\ isr1_2(n) = <<>> /\ candidates = {} THEN FirstIn(<<>>, returning(n, b)) ELSE None

elected_2(n, b) == IF clean_2(n, b) # None THEN clean_2(n, b) ELSE IF recalled_2(n, b) # None THEN recalled_2(n, b) ELSE
  IF "ONLINE" = "UNCLEAN" THEN FirstIn(replicas1, returning(n, b)) ELSE None

moves_2(n, b) == elected_2(n, b) # node_leader[n]

loses_2(n, b) == moves_2(n, b) /\ clean_2(n, b) = None /\ elected_2(n, b) # None

from_elr_2(n, b) == moves_2(n, b) /\ elected_2(n, b) \in candidates

isr2_2(n, b) == IF from_elr_2(n, b) THEN OnlyItem(elected_2(n, b)) ELSE isr1_2(n)

isr_said_2(n, b) == loses_2(n, b) \/ ((isr2_2(n, b) # <<>> \/ elr_on) /\ isr2_2(n, b) # node_isr[n])

gives_up_2(n, b) == ~moves_2(n, b) /\ ~(Elements(InOrder({x \in Broker : TRUE})) \subseteq Elements(replicas1))

isr3_2(n, b) == IF loses_2(n, b) THEN OnlyItem(elected_2(n, b)) ELSE isr2_2(n, b)

shrinks_2(n, b) == 8 < 12 /\ ~moves_2(n, b) /\ ~gives_up_2(n, b) /\ isr_said_2(n, b) /\ ~(Elements(node_isr[n])
  \subseteq Elements(isr3_2(n, b)))

leader_said_2(n, b) == moves_2(n, b) \/ gives_up_2(n, b) \/ shrinks_2(n, b)

recovery1_2(n, b) == IF loses_2(n, b) /\ "RECOVERED" = "RECOVERED" THEN "RECOVERING" ELSE "RECOVERED"

elr3_2(n, b) == IF elr_on /\ ~loses_2(n, b) THEN IF from_elr_2(n, b) THEN candidates \ ({elected_2(n, b)} \ {None}) ELSE
  candidates ELSE {}

elr_said_2(n, b) == elr3_2(n, b) # {}

remembers_2(n, b) == elr_on /\ leader_said_2(n, b) /\ (elected_2(n, b) = None) = (<<>> = <<>>)

led_by_preferred(n) == node_leader[n] # None /\ FirstIn(InOrder({x \in Broker : TRUE}), Elements(InOrder({x \in Broker :
  TRUE}))) = node_leader[n]

valid_3(n) == electable(n) \intersect (IF isr1_2(n) = <<>> THEN candidates ELSE Elements(isr1_2(n)))

clean_3(n) == IF "PREFERRED" = "PREFERRED" /\ FirstIn(replicas1, Elements(replicas1)) \in valid_3(n) THEN
  FirstIn(replicas1, Elements(replicas1)) ELSE IF node_leader[n] \in valid_3(n) THEN node_leader[n] ELSE
  FirstIn(replicas1, valid_3(n))

recalled_3(n) == IF elr_on /\ isr1_2(n) = <<>> /\ candidates = {} THEN FirstIn(<<>>, electable(n)) ELSE None

elected_3(n) == IF clean_3(n) # None THEN clean_3(n) ELSE IF recalled_3(n) # None THEN recalled_3(n) ELSE IF "PREFERRED"
  = "UNCLEAN" THEN FirstIn(replicas1, electable(n)) ELSE None

moves_3(n) == elected_3(n) # node_leader[n]

loses_3(n) == moves_3(n) /\ clean_3(n) = None /\ elected_3(n) # None

from_elr_3(n) == moves_3(n) /\ elected_3(n) \in candidates

isr2_3(n) == IF from_elr_3(n) THEN OnlyItem(elected_3(n)) ELSE isr1_2(n)

isr_said_3(n) == loses_3(n) \/ ((isr2_3(n) # <<>> \/ elr_on) /\ isr2_3(n) # node_isr[n])

gives_up_3(n) == ~moves_3(n) /\ ~(Elements(InOrder({x \in Broker : TRUE})) \subseteq Elements(replicas1))

isr3_3(n) == IF loses_3(n) THEN OnlyItem(elected_3(n)) ELSE isr2_3(n)

shrinks_3(n) == 8 < 12 /\ ~moves_3(n) /\ ~gives_up_3(n) /\ isr_said_3(n) /\ ~(Elements(node_isr[n]) \subseteq
  Elements(isr3_3(n)))

leader_said_3(n) == moves_3(n) \/ gives_up_3(n) \/ shrinks_3(n)

recovery1_3(n) == IF loses_3(n) /\ "RECOVERED" = "RECOVERED" THEN "RECOVERING" ELSE "RECOVERED"

elr3_3(n) == IF elr_on /\ ~loses_3(n) THEN IF from_elr_3(n) THEN candidates \ ({elected_3(n)} \ {None}) ELSE candidates
  ELSE {}

elr_said_3(n) == elr3_3(n) # {}

remembers_3(n) == elr_on /\ leader_said_3(n) /\ (elected_3(n) = None) = (<<>> = <<>>)

\* The node is a standby again: the state is that of the snapshot at the stable offset, and the purgatory is answered.
renounces(n) ==
  LET
    reverted(o) == At(kept, <<n, stable[n], o>>, 0)
  IN
    [claim |-> {[at |-> n, to |-> 0]}, next_write |-> {[at |-> n, to |-> 0]}, activating |-> {[at |-> n, to |-> FALSE]},
        armed |-> {[at |-> n, to |-> FALSE]}, effect |-> {[at |-> <<n, o>>, to |-> reverted(o)] : o \in offset}, applied
        |-> {[at |-> n, to |-> stable[n]]}, committed |-> {[at |-> n, to |-> stable[n]]}, transaction |-> {[at |-> n, to
        |-> 0]}, snapshot |-> {[at |-> <<n, s>>, to |-> snapshot[n, s] /\ s <= stable[n]] : s \in offset}, kept |->
        UNION {{[at |-> <<n, s, o>>, to |-> IF snapshot[n, s] /\ s <= stable[n] THEN kept[n, s, o] ELSE 0] : o \in
        offset} : s \in offset}, future |-> {[at |-> x, to |-> "NOT_CONTROLLER"] : x \in {x \in Request : future[x] =
        "PARKED" /\ asked[x] = n}}]

\* The process ends and starts again with an empty state; who waited for it gets no answer, and it leads no epoch any
\* more.
restarts(n) ==
  [claim |-> {[at |-> n, to |-> 0]}, left_epoch |-> {[at |-> n, to |-> known_epoch[n]]}, next_write |-> {[at |-> n, to
      |-> 0]}, applied |-> {[at |-> n, to |-> 0]}, committed |-> {[at |-> n, to |-> 0]}, stable |-> {[at |-> n, to |->
      0]}, transaction |-> {[at |-> n, to |-> 0]}, activating |-> {[at |-> n, to |-> FALSE]}, armed |-> {[at |-> n, to
      |-> FALSE]}, effect |-> {[at |-> <<n, o>>, to |-> 0] : o \in offset}, snapshot |-> {[at |-> <<n, s>>, to |->
      FALSE] : s \in offset}, kept |-> UNION {{[at |-> <<n, s, o>>, to |-> 0] : o \in offset} : s \in offset}, future
      |-> {[at |-> x, to |-> "LOST"] : x \in {x \in Request : asked[x] = n /\ (future[x] = "QUEUED" \/ future[x] =
      "PARKED")}}]

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
  /\ logged_record' = Put(logged_record, {[at |-> <<raft_epoch + 1, o>>, to |-> logged_record[d, o]] : o \in {o \in
         offset : o < at_2}})
  /\ logged_broker' = Put(logged_broker, {[at |-> <<raft_epoch + 1, o>>, to |-> logged_broker[d, o]] : o \in {o \in
         offset : o < at_2}})
  /\ logged_says_isr' = Put(logged_says_isr, {[at |-> <<raft_epoch + 1, o>>, to |-> logged_says_isr[d, o]] : o \in {o
         \in offset : o < at_2}})
  /\ logged_isr' = Put(logged_isr, {[at |-> <<raft_epoch + 1, o>>, to |-> logged_isr[d, o]] : o \in {o \in offset : o <
         at_2}})
  /\ logged_says_leader' = Put(logged_says_leader, {[at |-> <<raft_epoch + 1, o>>, to |-> logged_says_leader[d, o]] : o
         \in {o \in offset : o < at_2}})
  /\ logged_leader' = Put(logged_leader, {[at |-> <<raft_epoch + 1, o>>, to |-> logged_leader[d, o]] : o \in {o \in
         offset : o < at_2}})
  /\ image_fenced' = Put(image_fenced, UNION {{[at |-> <<raft_epoch + 1, s, x>>, to |-> image_fenced[d, s, x]] : x \in
         Broker} : s \in {s \in offset : s <= at_2}})
  /\ image_isr' = Put(image_isr, {[at |-> <<raft_epoch + 1, s>>, to |-> image_isr[d, s]] : s \in {s \in offset : s <=
         at_2}})
  /\ image_leader' = Put(image_leader, {[at |-> <<raft_epoch + 1, s>>, to |-> image_leader[d, s]] : s \in {s \in offset
         : s <= at_2}})
  /\ image_leader_epoch' = Put(image_leader_epoch, {[at |-> <<raft_epoch + 1, s>>, to |-> image_leader_epoch[d, s]] : s
         \in {s \in offset : s <= at_2}})
  /\ image_partition_epoch' = Put(image_partition_epoch, {[at |-> <<raft_epoch + 1, s>>, to |-> image_partition_epoch[d,
         s]] : s \in {s \in offset : s <= at_2}})
  /\ UNCHANGED <<known_epoch, claim, left_epoch, next_write, activating, snapshot, stable, kept, node_soft_fenced,
         node_contact, armed, committed, transaction, future, first_pending_record, second_pending_record,
         second_pending_broker, applied_and_others, never_written, kept_fenced_and_others,
         first_pending_broker_and_others, first_pending_says_isr_and_others>>

\* S3:168, KIP-595
QR2_is_enabled(n, e) ==
  /\ known_epoch[n] < e
  /\ e <= raft_epoch

QR2(n, e) ==
  /\ QR2_is_enabled(n, e)
  /\ known_epoch' = [known_epoch EXCEPT ![n] = e]
  /\ UNCHANGED <<high_watermark, claim, left_epoch, next_write, activating, snapshot, stable, kept, node_soft_fenced,
         node_contact, armed, committed, transaction, future, first_pending_record, second_pending_record,
         second_pending_broker, raft_epoch_and_others, log_end_and_others, applied_and_others, never_written,
         kept_fenced_and_others, first_pending_broker_and_others, first_pending_says_isr_and_others>>

\* S3:77, KIP-595
QR3_is_enabled(at_2) ==
  /\ high_watermark[raft_epoch] < at_2
  /\ at_2 <= log_end[raft_epoch]
  /\ ends_batch_2(at_2) = TRUE

QR3(at_2) ==
  /\ QR3_is_enabled(at_2)
  /\ high_watermark' = [high_watermark EXCEPT ![raft_epoch] = at_2]
  /\ UNCHANGED <<known_epoch, claim, left_epoch, next_write, activating, snapshot, stable, kept, node_soft_fenced,
         node_contact, armed, committed, transaction, future, first_pending_record, second_pending_record,
         second_pending_broker, raft_epoch_and_others, log_end_and_others, applied_and_others, never_written,
         kept_fenced_and_others, first_pending_broker_and_others, first_pending_says_isr_and_others>>

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
  /\ node_soft_fenced' = Put(node_soft_fenced, {[at |-> <<n, x>>, to |-> node_fenced[n, x]] : x \in Broker})
  /\ node_contact' = Put(node_contact, {[at |-> <<n, x>>, to |-> IF node_fenced[n, x] THEN "NOTHING" ELSE "RECENT"] : x
         \in Broker})
  /\ UNCHANGED <<high_watermark, known_epoch, stable, armed, committed, transaction, future, first_pending_record,
         second_pending_record, second_pending_broker, raft_epoch_and_others, log_end_and_others, applied_and_others,
         never_written, kept_fenced_and_others, first_pending_broker_and_others, first_pending_says_isr_and_others>>

\* Kafka 4.4
QK2_is_enabled(n) ==
  /\ is_active(n) = TRUE
  /\ leader_of[known_epoch[n]] = n
  /\ left_epoch[n] < known_epoch[n]
  /\ same_log(n) = TRUE
  /\ applied[n] = epoch_start[known_epoch[n]]

QK2(n) ==
  /\ QK2_is_enabled(n)
  /\ claim' = [claim EXCEPT ![n] = known_epoch[n]]
  /\ left_epoch' = [left_epoch EXCEPT ![n] = known_epoch[n]]
  /\ UNCHANGED <<high_watermark, known_epoch, next_write, activating, snapshot, stable, kept, node_soft_fenced,
         node_contact, armed, committed, transaction, future, first_pending_record, second_pending_record,
         second_pending_broker, raft_epoch_and_others, log_end_and_others, applied_and_others, never_written,
         kept_fenced_and_others, first_pending_broker_and_others, first_pending_says_isr_and_others>>

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
     /\ node_fenced' = Put(node_fenced, {[at |-> <<n, x>>, to |-> IF stable[n] = applied[n] THEN node_fenced[n, x] ELSE
            kept_fenced[n, stable[n], x]] : x \in Broker})
     /\ node_isr' = [node_isr EXCEPT ![n] = IF stable[n] = applied[n] THEN node_isr[n] ELSE kept_isr[n, stable[n]]]
     /\ node_leader' = [node_leader EXCEPT ![n] = IF stable[n] = applied[n] THEN node_leader[n] ELSE kept_leader[n,
            stable[n]]]
     /\ node_leader_epoch' = [node_leader_epoch EXCEPT ![n] = IF stable[n] = applied[n] THEN node_leader_epoch[n] ELSE
            kept_leader_epoch[n, stable[n]]]
     /\ node_partition_epoch' = [node_partition_epoch EXCEPT ![n] = IF stable[n] = applied[n] THEN
            node_partition_epoch[n] ELSE kept_partition_epoch[n, stable[n]]]
     /\ kept_fenced' = Put(kept_fenced, UNION {{[at |-> <<n, s, x>>, to |-> FALSE] : x \in Broker} : s \in offset})
     /\ kept_isr' = Put(kept_isr, {[at |-> <<n, s>>, to |-> <<>>] : s \in offset})
     /\ kept_leader' = Put(kept_leader, {[at |-> <<n, s>>, to |-> None] : s \in offset})
     /\ kept_leader_epoch' = Put(kept_leader_epoch, {[at |-> <<n, s>>, to |-> 0] : s \in offset})
     /\ kept_partition_epoch' = Put(kept_partition_epoch, {[at |-> <<n, s>>, to |-> 0] : s \in offset})
     /\ node_contact' = Put(node_contact, {[at |-> <<n, x>>, to |-> "NOTHING"] : x \in Broker})
     /\ node_soft_fenced' = Put(node_soft_fenced, {[at |-> <<n, x>>, to |-> FALSE] : x \in Broker})
     /\ first_pending_record' = [first_pending_record EXCEPT ![n] = "NOTHING"]
     /\ first_pending_broker' = [first_pending_broker EXCEPT ![n] = 0]
     /\ first_pending_says_isr' = [first_pending_says_isr EXCEPT ![n] = FALSE]
     /\ first_pending_isr' = [first_pending_isr EXCEPT ![n] = <<>>]
     /\ first_pending_says_leader' = [first_pending_says_leader EXCEPT ![n] = FALSE]
     /\ first_pending_leader' = [first_pending_leader EXCEPT ![n] = None]
     /\ second_pending_record' = [second_pending_record EXCEPT ![n] = "NOTHING"]
     /\ second_pending_broker' = [second_pending_broker EXCEPT ![n] = 0]
     /\ second_pending_says_isr' = [second_pending_says_isr EXCEPT ![n] = FALSE]
     /\ second_pending_isr' = [second_pending_isr EXCEPT ![n] = <<>>]
     /\ second_pending_says_leader' = [second_pending_says_leader EXCEPT ![n] = FALSE]
     /\ second_pending_leader' = [second_pending_leader EXCEPT ![n] = None]
  /\ UNCHANGED <<high_watermark, known_epoch, left_epoch, stable, raft_epoch_and_others, log_end_and_others,
         never_written>>

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
     /\ node_fenced' = Put(node_fenced, {[at |-> <<n, x>>, to |-> IF stable[n] = applied[n] THEN node_fenced[n, x] ELSE
            kept_fenced[n, stable[n], x]] : x \in Broker})
     /\ node_isr' = [node_isr EXCEPT ![n] = IF stable[n] = applied[n] THEN node_isr[n] ELSE kept_isr[n, stable[n]]]
     /\ node_leader' = [node_leader EXCEPT ![n] = IF stable[n] = applied[n] THEN node_leader[n] ELSE kept_leader[n,
            stable[n]]]
     /\ node_leader_epoch' = [node_leader_epoch EXCEPT ![n] = IF stable[n] = applied[n] THEN node_leader_epoch[n] ELSE
            kept_leader_epoch[n, stable[n]]]
     /\ node_partition_epoch' = [node_partition_epoch EXCEPT ![n] = IF stable[n] = applied[n] THEN
            node_partition_epoch[n] ELSE kept_partition_epoch[n, stable[n]]]
     /\ kept_fenced' = Put(kept_fenced, UNION {{[at |-> <<n, s, x>>, to |-> FALSE] : x \in Broker} : s \in offset})
     /\ kept_isr' = Put(kept_isr, {[at |-> <<n, s>>, to |-> <<>>] : s \in offset})
     /\ kept_leader' = Put(kept_leader, {[at |-> <<n, s>>, to |-> None] : s \in offset})
     /\ kept_leader_epoch' = Put(kept_leader_epoch, {[at |-> <<n, s>>, to |-> 0] : s \in offset})
     /\ kept_partition_epoch' = Put(kept_partition_epoch, {[at |-> <<n, s>>, to |-> 0] : s \in offset})
     /\ node_contact' = Put(node_contact, {[at |-> <<n, x>>, to |-> "NOTHING"] : x \in Broker})
     /\ node_soft_fenced' = Put(node_soft_fenced, {[at |-> <<n, x>>, to |-> FALSE] : x \in Broker})
     /\ first_pending_record' = [first_pending_record EXCEPT ![n] = "NOTHING"]
     /\ first_pending_broker' = [first_pending_broker EXCEPT ![n] = 0]
     /\ first_pending_says_isr' = [first_pending_says_isr EXCEPT ![n] = FALSE]
     /\ first_pending_isr' = [first_pending_isr EXCEPT ![n] = <<>>]
     /\ first_pending_says_leader' = [first_pending_says_leader EXCEPT ![n] = FALSE]
     /\ first_pending_leader' = [first_pending_leader EXCEPT ![n] = None]
     /\ second_pending_record' = [second_pending_record EXCEPT ![n] = "NOTHING"]
     /\ second_pending_broker' = [second_pending_broker EXCEPT ![n] = 0]
     /\ second_pending_says_isr' = [second_pending_says_isr EXCEPT ![n] = FALSE]
     /\ second_pending_isr' = [second_pending_isr EXCEPT ![n] = <<>>]
     /\ second_pending_says_leader' = [second_pending_says_leader EXCEPT ![n] = FALSE]
     /\ second_pending_leader' = [second_pending_leader EXCEPT ![n] = None]
  /\ UNCHANGED <<high_watermark, known_epoch, left_epoch, stable, raft_epoch_and_others, log_end_and_others,
         never_written>>

\* S3:312
QK5(n) ==
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
     /\ node_fenced' = Put(node_fenced, {[at |-> <<n, x>>, to |-> first_fenced[x]] : x \in Broker})
     /\ node_isr' = [node_isr EXCEPT ![n] = first_isr]
     /\ node_leader' = [node_leader EXCEPT ![n] = first_leader]
     /\ node_leader_epoch' = [node_leader_epoch EXCEPT ![n] = first_leader_epoch]
     /\ node_partition_epoch' = [node_partition_epoch EXCEPT ![n] = first_partition_epoch]
     /\ kept_fenced' = Put(kept_fenced, UNION {{[at |-> <<n, s, x>>, to |-> FALSE] : x \in Broker} : s \in offset})
     /\ kept_isr' = Put(kept_isr, {[at |-> <<n, s>>, to |-> <<>>] : s \in offset})
     /\ kept_leader' = Put(kept_leader, {[at |-> <<n, s>>, to |-> None] : s \in offset})
     /\ kept_leader_epoch' = Put(kept_leader_epoch, {[at |-> <<n, s>>, to |-> 0] : s \in offset})
     /\ kept_partition_epoch' = Put(kept_partition_epoch, {[at |-> <<n, s>>, to |-> 0] : s \in offset})
     /\ node_contact' = Put(node_contact, {[at |-> <<n, x>>, to |-> "NOTHING"] : x \in Broker})
     /\ node_soft_fenced' = Put(node_soft_fenced, {[at |-> <<n, x>>, to |-> FALSE] : x \in Broker})
     /\ first_pending_record' = [first_pending_record EXCEPT ![n] = "NOTHING"]
     /\ first_pending_broker' = [first_pending_broker EXCEPT ![n] = 0]
     /\ first_pending_says_isr' = [first_pending_says_isr EXCEPT ![n] = FALSE]
     /\ first_pending_isr' = [first_pending_isr EXCEPT ![n] = <<>>]
     /\ first_pending_says_leader' = [first_pending_says_leader EXCEPT ![n] = FALSE]
     /\ first_pending_leader' = [first_pending_leader EXCEPT ![n] = None]
     /\ second_pending_record' = [second_pending_record EXCEPT ![n] = "NOTHING"]
     /\ second_pending_broker' = [second_pending_broker EXCEPT ![n] = 0]
     /\ second_pending_says_isr' = [second_pending_says_isr EXCEPT ![n] = FALSE]
     /\ second_pending_isr' = [second_pending_isr EXCEPT ![n] = <<>>]
     /\ second_pending_says_leader' = [second_pending_says_leader EXCEPT ![n] = FALSE]
     /\ second_pending_leader' = [second_pending_leader EXCEPT ![n] = None]
  /\ UNCHANGED <<high_watermark, known_epoch, raft_epoch_and_others, log_end_and_others, never_written>>

\* S3:173, S3:203
QA5_is_enabled(n) ==
  /\ leads_yet(n) = TRUE
  /\ activating[n]
  /\ TRUE = TRUE
  /\ (~(0 < transaction[n])) = TRUE

QA5(n) ==
  /\ QA5_is_enabled(n)
  /\ activating' = [activating EXCEPT ![n] = FALSE]
  /\ armed' = [armed EXCEPT ![n] = TRUE]
  /\ UNCHANGED <<high_watermark, known_epoch, claim, left_epoch, next_write, snapshot, stable, kept, node_soft_fenced,
         node_contact, committed, transaction, future, first_pending_record, second_pending_record,
         second_pending_broker, raft_epoch_and_others, log_end_and_others, applied_and_others, never_written,
         kept_fenced_and_others, first_pending_broker_and_others, first_pending_says_isr_and_others>>

\* S3:173, Kafka 4.4
QW12f_is_enabled(n, to_2) ==
  /\ next_write[n] < to_2
  /\ leads_yet(n) = TRUE
  /\ (~activating[n]) = TRUE
  /\ armed[n]
  /\ to_2 = next_write[n] + 1
  /\ (IF first_pending_record[n] # "NOTHING" THEN first_pending_record[n] ELSE second_pending_record[n]) = "FENCE"

QW12f(n, to_2) ==
  /\ QW12f_is_enabled(n, to_2)
  /\ LET writes_1 == writes(n, to_2, FALSE)
     IN
     /\ next_write[n] + 1 \in offset
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
     /\ kept_fenced' = Put(kept_fenced, {[at |-> <<n, next_write[n], x>>, to |-> node_fenced[n, x]] : x \in Broker})
     /\ kept_isr' = [kept_isr EXCEPT ![n, next_write[n]] = node_isr[n]]
     /\ kept_leader' = [kept_leader EXCEPT ![n, next_write[n]] = node_leader[n]]
     /\ kept_leader_epoch' = [kept_leader_epoch EXCEPT ![n, next_write[n]] = node_leader_epoch[n]]
     /\ kept_partition_epoch' = [kept_partition_epoch EXCEPT ![n, next_write[n]] = node_partition_epoch[n]]
     /\ logged_record' = [logged_record EXCEPT ![claim[n], next_write[n]] = IF first_pending_record[n] # "NOTHING" THEN
            first_pending_record[n] ELSE second_pending_record[n]]
     /\ logged_broker' = [logged_broker EXCEPT ![claim[n], next_write[n]] = IF first_pending_record[n] # "NOTHING" THEN
            first_pending_broker[n] ELSE second_pending_broker[n]]
     /\ logged_says_isr' = [logged_says_isr EXCEPT ![claim[n], next_write[n]] = IF first_pending_record[n] # "NOTHING"
            THEN first_pending_says_isr[n] ELSE second_pending_says_isr[n]]
     /\ logged_isr' = [logged_isr EXCEPT ![claim[n], next_write[n]] = IF first_pending_record[n] # "NOTHING" THEN
            first_pending_isr[n] ELSE second_pending_isr[n]]
     /\ logged_says_leader' = [logged_says_leader EXCEPT ![claim[n], next_write[n]] = IF first_pending_record[n] #
            "NOTHING" THEN first_pending_says_leader[n] ELSE second_pending_says_leader[n]]
     /\ logged_leader' = [logged_leader EXCEPT ![claim[n], next_write[n]] = IF first_pending_record[n] # "NOTHING" THEN
            first_pending_leader[n] ELSE second_pending_leader[n]]
     /\ node_fenced' = Put(node_fenced, {[at |-> <<n, x>>, to |-> IF x = (IF first_pending_record[n] # "NOTHING" THEN
            first_pending_broker[n] ELSE second_pending_broker[n]) THEN TRUE ELSE node_fenced[n, x]] : x \in Broker})
     /\ node_isr' = [node_isr EXCEPT ![n] = node_isr[n]]
     /\ node_leader' = [node_leader EXCEPT ![n] = node_leader[n]]
     /\ node_leader_epoch' = [node_leader_epoch EXCEPT ![n] = node_leader_epoch[n]]
     /\ node_partition_epoch' = [node_partition_epoch EXCEPT ![n] = node_partition_epoch[n]]
     /\ image_fenced' = Put(image_fenced, {[at |-> <<claim[n], next_write[n] + 1, x>>, to |-> IF x = (IF
            first_pending_record[n] # "NOTHING" THEN first_pending_broker[n] ELSE second_pending_broker[n]) THEN TRUE
            ELSE IF next_write[n] = 0 THEN first_fenced[x] ELSE image_fenced[claim[n], next_write[n], x]] : x \in
            Broker})
     /\ image_isr' = [image_isr EXCEPT ![claim[n], next_write[n] + 1] = IF next_write[n] = 0 THEN first_isr ELSE
            image_isr[claim[n], next_write[n]]]
     /\ image_leader' = [image_leader EXCEPT ![claim[n], next_write[n] + 1] = IF next_write[n] = 0 THEN first_leader
            ELSE image_leader[claim[n], next_write[n]]]
     /\ image_leader_epoch' = [image_leader_epoch EXCEPT ![claim[n], next_write[n] + 1] = IF next_write[n] = 0 THEN
            first_leader_epoch ELSE image_leader_epoch[claim[n], next_write[n]]]
     /\ image_partition_epoch' = [image_partition_epoch EXCEPT ![claim[n], next_write[n] + 1] = IF next_write[n] = 0
            THEN first_partition_epoch ELSE image_partition_epoch[claim[n], next_write[n]]]
     /\ first_pending_record' = [first_pending_record EXCEPT ![n] = "NOTHING"]
     /\ first_pending_broker' = [first_pending_broker EXCEPT ![n] = 0]
     /\ first_pending_says_isr' = [first_pending_says_isr EXCEPT ![n] = FALSE]
     /\ first_pending_isr' = [first_pending_isr EXCEPT ![n] = <<>>]
     /\ first_pending_says_leader' = [first_pending_says_leader EXCEPT ![n] = FALSE]
     /\ first_pending_leader' = [first_pending_leader EXCEPT ![n] = None]
     /\ second_pending_record' = [second_pending_record EXCEPT ![n] = IF first_pending_record[n] = "NOTHING" THEN
            "NOTHING" ELSE second_pending_record[n]]
     /\ second_pending_broker' = [second_pending_broker EXCEPT ![n] = IF first_pending_record[n] = "NOTHING" THEN 0 ELSE
            second_pending_broker[n]]
     /\ second_pending_says_isr' = [second_pending_says_isr EXCEPT ![n] = IF first_pending_record[n] = "NOTHING" THEN
            FALSE ELSE second_pending_says_isr[n]]
     /\ second_pending_isr' = [second_pending_isr EXCEPT ![n] = IF first_pending_record[n] = "NOTHING" THEN <<>> ELSE
            second_pending_isr[n]]
     /\ second_pending_says_leader' = [second_pending_says_leader EXCEPT ![n] = IF first_pending_record[n] = "NOTHING"
            THEN FALSE ELSE second_pending_says_leader[n]]
     /\ second_pending_leader' = [second_pending_leader EXCEPT ![n] = IF first_pending_record[n] = "NOTHING" THEN None
            ELSE second_pending_leader[n]]
     /\ log_end' \in [leader_epoch -> offset]
     /\ next_write' \in [Controller -> offset]
     /\ applied' \in [Controller -> offset]
  /\ UNCHANGED <<high_watermark, known_epoch, claim, left_epoch, activating, stable, node_soft_fenced, node_contact,
         armed, committed, transaction, future, raft_epoch_and_others, never_written>>

\* S3:173, Kafka 4.4
QW12u_is_enabled(n, to_2) ==
  /\ next_write[n] < to_2
  /\ leads_yet(n) = TRUE
  /\ (~activating[n]) = TRUE
  /\ armed[n]
  /\ to_2 = next_write[n] + 1
  /\ (IF first_pending_record[n] # "NOTHING" THEN first_pending_record[n] ELSE second_pending_record[n]) = "UNFENCE"

QW12u(n, to_2) ==
  /\ QW12u_is_enabled(n, to_2)
  /\ LET writes_1 == writes(n, to_2, FALSE)
     IN
     /\ next_write[n] + 1 \in offset
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
     /\ kept_fenced' = Put(kept_fenced, {[at |-> <<n, next_write[n], x>>, to |-> node_fenced[n, x]] : x \in Broker})
     /\ kept_isr' = [kept_isr EXCEPT ![n, next_write[n]] = node_isr[n]]
     /\ kept_leader' = [kept_leader EXCEPT ![n, next_write[n]] = node_leader[n]]
     /\ kept_leader_epoch' = [kept_leader_epoch EXCEPT ![n, next_write[n]] = node_leader_epoch[n]]
     /\ kept_partition_epoch' = [kept_partition_epoch EXCEPT ![n, next_write[n]] = node_partition_epoch[n]]
     /\ logged_record' = [logged_record EXCEPT ![claim[n], next_write[n]] = IF first_pending_record[n] # "NOTHING" THEN
            first_pending_record[n] ELSE second_pending_record[n]]
     /\ logged_broker' = [logged_broker EXCEPT ![claim[n], next_write[n]] = IF first_pending_record[n] # "NOTHING" THEN
            first_pending_broker[n] ELSE second_pending_broker[n]]
     /\ logged_says_isr' = [logged_says_isr EXCEPT ![claim[n], next_write[n]] = IF first_pending_record[n] # "NOTHING"
            THEN first_pending_says_isr[n] ELSE second_pending_says_isr[n]]
     /\ logged_isr' = [logged_isr EXCEPT ![claim[n], next_write[n]] = IF first_pending_record[n] # "NOTHING" THEN
            first_pending_isr[n] ELSE second_pending_isr[n]]
     /\ logged_says_leader' = [logged_says_leader EXCEPT ![claim[n], next_write[n]] = IF first_pending_record[n] #
            "NOTHING" THEN first_pending_says_leader[n] ELSE second_pending_says_leader[n]]
     /\ logged_leader' = [logged_leader EXCEPT ![claim[n], next_write[n]] = IF first_pending_record[n] # "NOTHING" THEN
            first_pending_leader[n] ELSE second_pending_leader[n]]
     /\ node_fenced' = Put(node_fenced, {[at |-> <<n, x>>, to |-> IF x = (IF first_pending_record[n] # "NOTHING" THEN
            first_pending_broker[n] ELSE second_pending_broker[n]) THEN FALSE ELSE node_fenced[n, x]] : x \in Broker})
     /\ node_isr' = [node_isr EXCEPT ![n] = node_isr[n]]
     /\ node_leader' = [node_leader EXCEPT ![n] = node_leader[n]]
     /\ node_leader_epoch' = [node_leader_epoch EXCEPT ![n] = node_leader_epoch[n]]
     /\ node_partition_epoch' = [node_partition_epoch EXCEPT ![n] = node_partition_epoch[n]]
     /\ image_fenced' = Put(image_fenced, {[at |-> <<claim[n], next_write[n] + 1, x>>, to |-> IF x = (IF
            first_pending_record[n] # "NOTHING" THEN first_pending_broker[n] ELSE second_pending_broker[n]) THEN FALSE
            ELSE IF next_write[n] = 0 THEN first_fenced[x] ELSE image_fenced[claim[n], next_write[n], x]] : x \in
            Broker})
     /\ image_isr' = [image_isr EXCEPT ![claim[n], next_write[n] + 1] = IF next_write[n] = 0 THEN first_isr ELSE
            image_isr[claim[n], next_write[n]]]
     /\ image_leader' = [image_leader EXCEPT ![claim[n], next_write[n] + 1] = IF next_write[n] = 0 THEN first_leader
            ELSE image_leader[claim[n], next_write[n]]]
     /\ image_leader_epoch' = [image_leader_epoch EXCEPT ![claim[n], next_write[n] + 1] = IF next_write[n] = 0 THEN
            first_leader_epoch ELSE image_leader_epoch[claim[n], next_write[n]]]
     /\ image_partition_epoch' = [image_partition_epoch EXCEPT ![claim[n], next_write[n] + 1] = IF next_write[n] = 0
            THEN first_partition_epoch ELSE image_partition_epoch[claim[n], next_write[n]]]
     /\ first_pending_record' = [first_pending_record EXCEPT ![n] = "NOTHING"]
     /\ first_pending_broker' = [first_pending_broker EXCEPT ![n] = 0]
     /\ first_pending_says_isr' = [first_pending_says_isr EXCEPT ![n] = FALSE]
     /\ first_pending_isr' = [first_pending_isr EXCEPT ![n] = <<>>]
     /\ first_pending_says_leader' = [first_pending_says_leader EXCEPT ![n] = FALSE]
     /\ first_pending_leader' = [first_pending_leader EXCEPT ![n] = None]
     /\ second_pending_record' = [second_pending_record EXCEPT ![n] = IF first_pending_record[n] = "NOTHING" THEN
            "NOTHING" ELSE second_pending_record[n]]
     /\ second_pending_broker' = [second_pending_broker EXCEPT ![n] = IF first_pending_record[n] = "NOTHING" THEN 0 ELSE
            second_pending_broker[n]]
     /\ second_pending_says_isr' = [second_pending_says_isr EXCEPT ![n] = IF first_pending_record[n] = "NOTHING" THEN
            FALSE ELSE second_pending_says_isr[n]]
     /\ second_pending_isr' = [second_pending_isr EXCEPT ![n] = IF first_pending_record[n] = "NOTHING" THEN <<>> ELSE
            second_pending_isr[n]]
     /\ second_pending_says_leader' = [second_pending_says_leader EXCEPT ![n] = IF first_pending_record[n] = "NOTHING"
            THEN FALSE ELSE second_pending_says_leader[n]]
     /\ second_pending_leader' = [second_pending_leader EXCEPT ![n] = IF first_pending_record[n] = "NOTHING" THEN None
            ELSE second_pending_leader[n]]
     /\ log_end' \in [leader_epoch -> offset]
     /\ next_write' \in [Controller -> offset]
     /\ applied' \in [Controller -> offset]
  /\ UNCHANGED <<high_watermark, known_epoch, claim, left_epoch, activating, stable, node_soft_fenced, node_contact,
         armed, committed, transaction, future, raft_epoch_and_others, never_written>>

\* S3:173, Kafka 4.4
QW12c_is_enabled(n, to_2) ==
  /\ next_write[n] < to_2
  /\ leads_yet(n) = TRUE
  /\ (~activating[n]) = TRUE
  /\ armed[n]
  /\ to_2 = next_write[n] + 1
  /\ (IF first_pending_record[n] # "NOTHING" THEN first_pending_record[n] ELSE second_pending_record[n]) = "CHANGE"

QW12c(n, to_2) ==
  /\ QW12c_is_enabled(n, to_2)
  /\ LET writes_1 == writes(n, to_2, FALSE)
     IN
     /\ next_write[n] + 1 \in offset
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
     /\ kept_fenced' = Put(kept_fenced, {[at |-> <<n, next_write[n], x>>, to |-> node_fenced[n, x]] : x \in Broker})
     /\ kept_isr' = [kept_isr EXCEPT ![n, next_write[n]] = node_isr[n]]
     /\ kept_leader' = [kept_leader EXCEPT ![n, next_write[n]] = node_leader[n]]
     /\ kept_leader_epoch' = [kept_leader_epoch EXCEPT ![n, next_write[n]] = node_leader_epoch[n]]
     /\ kept_partition_epoch' = [kept_partition_epoch EXCEPT ![n, next_write[n]] = node_partition_epoch[n]]
     /\ logged_record' = [logged_record EXCEPT ![claim[n], next_write[n]] = IF first_pending_record[n] # "NOTHING" THEN
            first_pending_record[n] ELSE second_pending_record[n]]
     /\ logged_broker' = [logged_broker EXCEPT ![claim[n], next_write[n]] = IF first_pending_record[n] # "NOTHING" THEN
            first_pending_broker[n] ELSE second_pending_broker[n]]
     /\ logged_says_isr' = [logged_says_isr EXCEPT ![claim[n], next_write[n]] = IF first_pending_record[n] # "NOTHING"
            THEN first_pending_says_isr[n] ELSE second_pending_says_isr[n]]
     /\ logged_isr' = [logged_isr EXCEPT ![claim[n], next_write[n]] = IF first_pending_record[n] # "NOTHING" THEN
            first_pending_isr[n] ELSE second_pending_isr[n]]
     /\ logged_says_leader' = [logged_says_leader EXCEPT ![claim[n], next_write[n]] = IF first_pending_record[n] #
            "NOTHING" THEN first_pending_says_leader[n] ELSE second_pending_says_leader[n]]
     /\ logged_leader' = [logged_leader EXCEPT ![claim[n], next_write[n]] = IF first_pending_record[n] # "NOTHING" THEN
            first_pending_leader[n] ELSE second_pending_leader[n]]
     /\ node_fenced' = Put(node_fenced, {[at |-> <<n, x>>, to |-> node_fenced[n, x]] : x \in Broker})
     /\ node_isr' = [node_isr EXCEPT ![n] = IF (IF first_pending_record[n] # "NOTHING" THEN first_pending_says_isr[n]
            ELSE second_pending_says_isr[n]) \/ (IF first_pending_record[n] # "NOTHING" THEN
            first_pending_says_leader[n] ELSE second_pending_says_leader[n]) THEN IF IF first_pending_record[n] #
            "NOTHING" THEN first_pending_says_isr[n] ELSE second_pending_says_isr[n] THEN IF first_pending_record[n] #
            "NOTHING" THEN first_pending_isr[n] ELSE second_pending_isr[n] ELSE node_isr[n] ELSE node_isr[n]]
     /\ node_leader' = [node_leader EXCEPT ![n] = IF (IF first_pending_record[n] # "NOTHING" THEN
            first_pending_says_isr[n] ELSE second_pending_says_isr[n]) \/ (IF first_pending_record[n] # "NOTHING" THEN
            first_pending_says_leader[n] ELSE second_pending_says_leader[n]) THEN IF IF first_pending_record[n] #
            "NOTHING" THEN first_pending_says_leader[n] ELSE second_pending_says_leader[n] THEN IF
            first_pending_record[n] # "NOTHING" THEN first_pending_leader[n] ELSE second_pending_leader[n] ELSE
            node_leader[n] ELSE node_leader[n]]
     /\ node_leader_epoch' = [node_leader_epoch EXCEPT ![n] = IF (IF first_pending_record[n] # "NOTHING" THEN
            first_pending_says_isr[n] ELSE second_pending_says_isr[n]) \/ (IF first_pending_record[n] # "NOTHING" THEN
            first_pending_says_leader[n] ELSE second_pending_says_leader[n]) THEN IF IF first_pending_record[n] #
            "NOTHING" THEN first_pending_says_leader[n] ELSE second_pending_says_leader[n] THEN node_leader_epoch[n] + 1
            ELSE node_leader_epoch[n] ELSE node_leader_epoch[n]]
     /\ node_partition_epoch' = [node_partition_epoch EXCEPT ![n] = IF (IF first_pending_record[n] # "NOTHING" THEN
            first_pending_says_isr[n] ELSE second_pending_says_isr[n]) \/ (IF first_pending_record[n] # "NOTHING" THEN
            first_pending_says_leader[n] ELSE second_pending_says_leader[n]) THEN node_partition_epoch[n] + 1 ELSE
            node_partition_epoch[n]]
     /\ image_fenced' = Put(image_fenced, {[at |-> <<claim[n], next_write[n] + 1, x>>, to |-> IF next_write[n] = 0 THEN
            first_fenced[x] ELSE image_fenced[claim[n], next_write[n], x]] : x \in Broker})
     /\ image_isr' = [image_isr EXCEPT ![claim[n], next_write[n] + 1] = IF (IF first_pending_record[n] # "NOTHING" THEN
            first_pending_says_isr[n] ELSE second_pending_says_isr[n]) \/ (IF first_pending_record[n] # "NOTHING" THEN
            first_pending_says_leader[n] ELSE second_pending_says_leader[n]) THEN IF IF first_pending_record[n] #
            "NOTHING" THEN first_pending_says_isr[n] ELSE second_pending_says_isr[n] THEN IF first_pending_record[n] #
            "NOTHING" THEN first_pending_isr[n] ELSE second_pending_isr[n] ELSE IF next_write[n] = 0 THEN first_isr ELSE
            image_isr[claim[n], next_write[n]] ELSE IF next_write[n] = 0 THEN first_isr ELSE image_isr[claim[n],
            next_write[n]]]
     /\ image_leader' = [image_leader EXCEPT ![claim[n], next_write[n] + 1] = IF (IF first_pending_record[n] # "NOTHING"
            THEN first_pending_says_isr[n] ELSE second_pending_says_isr[n]) \/ (IF first_pending_record[n] # "NOTHING"
            THEN first_pending_says_leader[n] ELSE second_pending_says_leader[n]) THEN IF IF first_pending_record[n] #
            "NOTHING" THEN first_pending_says_leader[n] ELSE second_pending_says_leader[n] THEN IF
            first_pending_record[n] # "NOTHING" THEN first_pending_leader[n] ELSE second_pending_leader[n] ELSE IF
            next_write[n] = 0 THEN first_leader ELSE image_leader[claim[n], next_write[n]] ELSE IF next_write[n] = 0
            THEN first_leader ELSE image_leader[claim[n], next_write[n]]]
     /\ image_leader_epoch' = [image_leader_epoch EXCEPT ![claim[n], next_write[n] + 1] = IF (IF first_pending_record[n]
            # "NOTHING" THEN first_pending_says_isr[n] ELSE second_pending_says_isr[n]) \/ (IF first_pending_record[n] #
            "NOTHING" THEN first_pending_says_leader[n] ELSE second_pending_says_leader[n]) THEN IF IF
            first_pending_record[n] # "NOTHING" THEN first_pending_says_leader[n] ELSE second_pending_says_leader[n]
            THEN (IF next_write[n] = 0 THEN first_leader_epoch ELSE image_leader_epoch[claim[n], next_write[n]]) + 1
            ELSE IF next_write[n] = 0 THEN first_leader_epoch ELSE image_leader_epoch[claim[n], next_write[n]] ELSE IF
            next_write[n] = 0 THEN first_leader_epoch ELSE image_leader_epoch[claim[n], next_write[n]]]
     /\ image_partition_epoch' = [image_partition_epoch EXCEPT ![claim[n], next_write[n] + 1] = IF (IF
            first_pending_record[n] # "NOTHING" THEN first_pending_says_isr[n] ELSE second_pending_says_isr[n]) \/ (IF
            first_pending_record[n] # "NOTHING" THEN first_pending_says_leader[n] ELSE second_pending_says_leader[n])
            THEN (IF next_write[n] = 0 THEN first_partition_epoch ELSE image_partition_epoch[claim[n], next_write[n]]) +
            1 ELSE IF next_write[n] = 0 THEN first_partition_epoch ELSE image_partition_epoch[claim[n], next_write[n]]]
     /\ first_pending_record' = [first_pending_record EXCEPT ![n] = "NOTHING"]
     /\ first_pending_broker' = [first_pending_broker EXCEPT ![n] = 0]
     /\ first_pending_says_isr' = [first_pending_says_isr EXCEPT ![n] = FALSE]
     /\ first_pending_isr' = [first_pending_isr EXCEPT ![n] = <<>>]
     /\ first_pending_says_leader' = [first_pending_says_leader EXCEPT ![n] = FALSE]
     /\ first_pending_leader' = [first_pending_leader EXCEPT ![n] = None]
     /\ second_pending_record' = [second_pending_record EXCEPT ![n] = IF first_pending_record[n] = "NOTHING" THEN
            "NOTHING" ELSE second_pending_record[n]]
     /\ second_pending_broker' = [second_pending_broker EXCEPT ![n] = IF first_pending_record[n] = "NOTHING" THEN 0 ELSE
            second_pending_broker[n]]
     /\ second_pending_says_isr' = [second_pending_says_isr EXCEPT ![n] = IF first_pending_record[n] = "NOTHING" THEN
            FALSE ELSE second_pending_says_isr[n]]
     /\ second_pending_isr' = [second_pending_isr EXCEPT ![n] = IF first_pending_record[n] = "NOTHING" THEN <<>> ELSE
            second_pending_isr[n]]
     /\ second_pending_says_leader' = [second_pending_says_leader EXCEPT ![n] = IF first_pending_record[n] = "NOTHING"
            THEN FALSE ELSE second_pending_says_leader[n]]
     /\ second_pending_leader' = [second_pending_leader EXCEPT ![n] = IF first_pending_record[n] = "NOTHING" THEN None
            ELSE second_pending_leader[n]]
     /\ log_end' \in [leader_epoch -> offset]
     /\ next_write' \in [Controller -> offset]
     /\ applied' \in [Controller -> offset]
     /\ node_leader_epoch' \in [Controller -> leader_epoch]
     /\ node_partition_epoch' \in [Controller -> partition_epoch]
     /\ image_leader_epoch' \in [leader_epoch \X offset -> leader_epoch]
     /\ image_partition_epoch' \in [leader_epoch \X offset -> partition_epoch]
  /\ UNCHANGED <<high_watermark, known_epoch, claim, left_epoch, activating, stable, node_soft_fenced, node_contact,
         armed, committed, transaction, future, raft_epoch_and_others, never_written>>

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
  /\ UNCHANGED <<high_watermark, known_epoch, claim, left_epoch, next_write, activating, node_soft_fenced, node_contact,
         armed, transaction, first_pending_record, second_pending_record, second_pending_broker, raft_epoch_and_others,
         log_end_and_others, applied_and_others, never_written, kept_fenced_and_others, first_pending_broker_and_others,
         first_pending_says_isr_and_others>>

\* S3:108-111, S3:122
QC2f_is_enabled(n, to_2) ==
  /\ (~is_active(n)) = TRUE
  /\ delivered(to_2, n) = TRUE
  /\ (log_kind[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], committed[n]] = "DATA" \/ log_kind[IF claim[n] = 0
         THEN known_epoch[n] ELSE claim[n], committed[n]] = "VERSION") = TRUE
  /\ logged_record[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], committed[n]] = "FENCE"

QC2f(n, to_2) ==
  /\ QC2f_is_enabled(n, to_2)
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
  /\ node_fenced' = Put(node_fenced, {[at |-> <<n, x>>, to |-> IF x = logged_broker[IF claim[n] = 0 THEN known_epoch[n]
         ELSE claim[n], committed[n]] THEN TRUE ELSE node_fenced[n, x]] : x \in Broker})
  /\ node_isr' = [node_isr EXCEPT ![n] = node_isr[n]]
  /\ node_leader' = [node_leader EXCEPT ![n] = node_leader[n]]
  /\ node_leader_epoch' = [node_leader_epoch EXCEPT ![n] = node_leader_epoch[n]]
  /\ node_partition_epoch' = [node_partition_epoch EXCEPT ![n] = node_partition_epoch[n]]
  /\ stable' \in [Controller -> offset]
  /\ UNCHANGED <<high_watermark, known_epoch, claim, left_epoch, next_write, activating, node_soft_fenced, node_contact,
         armed, future, first_pending_record, second_pending_record, second_pending_broker, raft_epoch_and_others,
         log_end_and_others, never_written, kept_fenced_and_others, first_pending_broker_and_others,
         first_pending_says_isr_and_others>>

\* S3:108-111, S3:122
QC2u_is_enabled(n, to_2) ==
  /\ (~is_active(n)) = TRUE
  /\ delivered(to_2, n) = TRUE
  /\ (log_kind[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], committed[n]] = "DATA" \/ log_kind[IF claim[n] = 0
         THEN known_epoch[n] ELSE claim[n], committed[n]] = "VERSION") = TRUE
  /\ logged_record[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], committed[n]] = "UNFENCE"

QC2u(n, to_2) ==
  /\ QC2u_is_enabled(n, to_2)
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
  /\ node_fenced' = Put(node_fenced, {[at |-> <<n, x>>, to |-> IF x = logged_broker[IF claim[n] = 0 THEN known_epoch[n]
         ELSE claim[n], committed[n]] THEN FALSE ELSE node_fenced[n, x]] : x \in Broker})
  /\ node_isr' = [node_isr EXCEPT ![n] = node_isr[n]]
  /\ node_leader' = [node_leader EXCEPT ![n] = node_leader[n]]
  /\ node_leader_epoch' = [node_leader_epoch EXCEPT ![n] = node_leader_epoch[n]]
  /\ node_partition_epoch' = [node_partition_epoch EXCEPT ![n] = node_partition_epoch[n]]
  /\ stable' \in [Controller -> offset]
  /\ UNCHANGED <<high_watermark, known_epoch, claim, left_epoch, next_write, activating, node_soft_fenced, node_contact,
         armed, future, first_pending_record, second_pending_record, second_pending_broker, raft_epoch_and_others,
         log_end_and_others, never_written, kept_fenced_and_others, first_pending_broker_and_others,
         first_pending_says_isr_and_others>>

\* S3:108-111, S3:122
QC2c_is_enabled(n, to_2) ==
  /\ (~is_active(n)) = TRUE
  /\ delivered(to_2, n) = TRUE
  /\ (log_kind[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], committed[n]] = "DATA" \/ log_kind[IF claim[n] = 0
         THEN known_epoch[n] ELSE claim[n], committed[n]] = "VERSION") = TRUE
  /\ logged_record[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], committed[n]] = "CHANGE"

QC2c(n, to_2) ==
  /\ QC2c_is_enabled(n, to_2)
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
  /\ node_fenced' = Put(node_fenced, {[at |-> <<n, x>>, to |-> node_fenced[n, x]] : x \in Broker})
  /\ node_isr' = [node_isr EXCEPT ![n] = IF logged_says_isr[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n],
         committed[n]] \/ logged_says_leader[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], committed[n]] THEN IF
         logged_says_isr[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], committed[n]] THEN logged_isr[IF claim[n] =
         0 THEN known_epoch[n] ELSE claim[n], committed[n]] ELSE node_isr[n] ELSE node_isr[n]]
  /\ node_leader' = [node_leader EXCEPT ![n] = IF logged_says_isr[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n],
         committed[n]] \/ logged_says_leader[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], committed[n]] THEN IF
         logged_says_leader[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], committed[n]] THEN logged_leader[IF
         claim[n] = 0 THEN known_epoch[n] ELSE claim[n], committed[n]] ELSE node_leader[n] ELSE node_leader[n]]
  /\ node_leader_epoch' = [node_leader_epoch EXCEPT ![n] = IF logged_says_isr[IF claim[n] = 0 THEN known_epoch[n] ELSE
         claim[n], committed[n]] \/ logged_says_leader[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], committed[n]]
         THEN IF logged_says_leader[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], committed[n]] THEN
         node_leader_epoch[n] + 1 ELSE node_leader_epoch[n] ELSE node_leader_epoch[n]]
  /\ node_partition_epoch' = [node_partition_epoch EXCEPT ![n] = IF logged_says_isr[IF claim[n] = 0 THEN known_epoch[n]
         ELSE claim[n], committed[n]] \/ logged_says_leader[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n],
         committed[n]] THEN node_partition_epoch[n] + 1 ELSE node_partition_epoch[n]]
  /\ stable' \in [Controller -> offset]
  /\ node_leader_epoch' \in [Controller -> leader_epoch]
  /\ node_partition_epoch' \in [Controller -> partition_epoch]
  /\ UNCHANGED <<high_watermark, known_epoch, claim, left_epoch, next_write, activating, node_soft_fenced, node_contact,
         armed, future, first_pending_record, second_pending_record, second_pending_broker, raft_epoch_and_others,
         log_end_and_others, never_written, kept_fenced_and_others, first_pending_broker_and_others,
         first_pending_says_isr_and_others>>

\* S3:246-248
SI1_is_enabled(n, b) ==
  /\ armed[n]
  /\ first_pending_record[n] = "NOTHING"
  /\ second_pending_record[n] = "NOTHING"
  /\ node_contact[n, b] = "RECENT"
  /\ Given_Silence(n, b) = TRUE

SI1(n, b) ==
  /\ SI1_is_enabled(n, b)
  /\ node_contact' = [node_contact EXCEPT ![n, b] = "EXPIRED"]
  /\ UNCHANGED <<high_watermark, known_epoch, claim, left_epoch, next_write, activating, snapshot, stable, kept,
         node_soft_fenced, armed, committed, transaction, future, first_pending_record, second_pending_record,
         second_pending_broker, raft_epoch_and_others, log_end_and_others, applied_and_others, never_written,
         kept_fenced_and_others, first_pending_broker_and_others, first_pending_says_isr_and_others>>

\* S3:246-248
F1_is_enabled(n, b) ==
  /\ armed[n]
  /\ first_pending_record[n] = "NOTHING"
  /\ second_pending_record[n] = "NOTHING"
  /\ node_contact[n, b] = "EXPIRED"
  /\ (~node_fenced[n, b]) = TRUE

F1(n, b) ==
  /\ F1_is_enabled(n, b)
  /\ first_pending_record' = [first_pending_record EXCEPT ![n] = IF b \in Elements(node_isr[n]) /\ (isr_said(n, b) \/
         leader_said(n, b) \/ replicas1 # InOrder({x \in Broker : TRUE}) \/ removing1 # {} \/ adding1 # {} \/
         recovery1(n, b) # "RECOVERED" \/ elr_said(n, b) \/ remembers(n, b) \/ (17 <= 8 /\ replicas1 # InOrder({x \in
         Broker : TRUE}))) THEN "CHANGE" ELSE "NOTHING"]
  /\ first_pending_says_isr' = [first_pending_says_isr EXCEPT ![n] = IF b \in Elements(node_isr[n]) /\ (isr_said(n, b)
         \/ leader_said(n, b) \/ replicas1 # InOrder({x \in Broker : TRUE}) \/ removing1 # {} \/ adding1 # {} \/
         recovery1(n, b) # "RECOVERED" \/ elr_said(n, b) \/ remembers(n, b) \/ (17 <= 8 /\ replicas1 # InOrder({x \in
         Broker : TRUE}))) THEN isr_said(n, b) ELSE FALSE]
  /\ first_pending_isr' = [first_pending_isr EXCEPT ![n] = IF b \in Elements(node_isr[n]) /\ (isr_said(n, b) \/
         leader_said(n, b) \/ replicas1 # InOrder({x \in Broker : TRUE}) \/ removing1 # {} \/ adding1 # {} \/
         recovery1(n, b) # "RECOVERED" \/ elr_said(n, b) \/ remembers(n, b) \/ (17 <= 8 /\ replicas1 # InOrder({x \in
         Broker : TRUE}))) /\ isr_said(n, b) THEN isr3(n, b) ELSE <<>>]
  /\ first_pending_says_leader' = [first_pending_says_leader EXCEPT ![n] = IF b \in Elements(node_isr[n]) /\
         (isr_said(n, b) \/ leader_said(n, b) \/ replicas1 # InOrder({x \in Broker : TRUE}) \/ removing1 # {} \/ adding1
         # {} \/ recovery1(n, b) # "RECOVERED" \/ elr_said(n, b) \/ remembers(n, b) \/ (17 <= 8 /\ replicas1 #
         InOrder({x \in Broker : TRUE}))) THEN leader_said(n, b) ELSE FALSE]
  /\ first_pending_leader' = [first_pending_leader EXCEPT ![n] = IF b \in Elements(node_isr[n]) /\ (isr_said(n, b) \/
         leader_said(n, b) \/ replicas1 # InOrder({x \in Broker : TRUE}) \/ removing1 # {} \/ adding1 # {} \/
         recovery1(n, b) # "RECOVERED" \/ elr_said(n, b) \/ remembers(n, b) \/ (17 <= 8 /\ replicas1 # InOrder({x \in
         Broker : TRUE}))) /\ leader_said(n, b) THEN elected(n, b) ELSE None]
  /\ second_pending_record' = [second_pending_record EXCEPT ![n] = "FENCE"]
  /\ second_pending_broker' = [second_pending_broker EXCEPT ![n] = b]
  /\ node_contact' = [node_contact EXCEPT ![n, b] = "NOTHING"]
  /\ node_soft_fenced' = [node_soft_fenced EXCEPT ![n, b] = TRUE]
  /\ UNCHANGED <<high_watermark, known_epoch, claim, left_epoch, next_write, activating, snapshot, stable, kept, armed,
         committed, transaction, future, raft_epoch_and_others, log_end_and_others, applied_and_others, never_written,
         kept_fenced_and_others, first_pending_broker_and_others>>

\* S2:59-65, S3:236-244
HB2_is_enabled(n, b) ==
  /\ armed[n]
  /\ first_pending_record[n] = "NOTHING"
  /\ second_pending_record[n] = "NOTHING"
  /\ known = TRUE
  /\ is_fenced(n, b) = TRUE
  /\ caught_up_2 = TRUE
  /\ Given_Heartbeat(n, b) = TRUE

HB2(n, b) ==
  /\ HB2_is_enabled(n, b)
  /\ first_pending_record' = [first_pending_record EXCEPT ![n] = "UNFENCE"]
  /\ first_pending_broker' = [first_pending_broker EXCEPT ![n] = b]
  /\ second_pending_record' = [second_pending_record EXCEPT ![n] = IF node_leader[n] = None /\ (isr_said_2(n, b) \/
         leader_said_2(n, b) \/ replicas1 # InOrder({x \in Broker : TRUE}) \/ removing1 # {} \/ adding1 # {} \/
         recovery1_2(n, b) # "RECOVERED" \/ elr_said_2(n, b) \/ remembers_2(n, b) \/ (17 <= 8 /\ replicas1 # InOrder({x
         \in Broker : TRUE}))) THEN "CHANGE" ELSE "NOTHING"]
  /\ second_pending_says_isr' = [second_pending_says_isr EXCEPT ![n] = IF node_leader[n] = None /\ (isr_said_2(n, b) \/
         leader_said_2(n, b) \/ replicas1 # InOrder({x \in Broker : TRUE}) \/ removing1 # {} \/ adding1 # {} \/
         recovery1_2(n, b) # "RECOVERED" \/ elr_said_2(n, b) \/ remembers_2(n, b) \/ (17 <= 8 /\ replicas1 # InOrder({x
         \in Broker : TRUE}))) THEN isr_said_2(n, b) ELSE FALSE]
  /\ second_pending_isr' = [second_pending_isr EXCEPT ![n] = IF node_leader[n] = None /\ (isr_said_2(n, b) \/
         leader_said_2(n, b) \/ replicas1 # InOrder({x \in Broker : TRUE}) \/ removing1 # {} \/ adding1 # {} \/
         recovery1_2(n, b) # "RECOVERED" \/ elr_said_2(n, b) \/ remembers_2(n, b) \/ (17 <= 8 /\ replicas1 # InOrder({x
         \in Broker : TRUE}))) /\ isr_said_2(n, b) THEN isr3_2(n, b) ELSE <<>>]
  /\ second_pending_says_leader' = [second_pending_says_leader EXCEPT ![n] = IF node_leader[n] = None /\ (isr_said_2(n,
         b) \/ leader_said_2(n, b) \/ replicas1 # InOrder({x \in Broker : TRUE}) \/ removing1 # {} \/ adding1 # {} \/
         recovery1_2(n, b) # "RECOVERED" \/ elr_said_2(n, b) \/ remembers_2(n, b) \/ (17 <= 8 /\ replicas1 # InOrder({x
         \in Broker : TRUE}))) THEN leader_said_2(n, b) ELSE FALSE]
  /\ second_pending_leader' = [second_pending_leader EXCEPT ![n] = IF node_leader[n] = None /\ (isr_said_2(n, b) \/
         leader_said_2(n, b) \/ replicas1 # InOrder({x \in Broker : TRUE}) \/ removing1 # {} \/ adding1 # {} \/
         recovery1_2(n, b) # "RECOVERED" \/ elr_said_2(n, b) \/ remembers_2(n, b) \/ (17 <= 8 /\ replicas1 # InOrder({x
         \in Broker : TRUE}))) /\ leader_said_2(n, b) THEN elected_2(n, b) ELSE None]
  /\ node_contact' = [node_contact EXCEPT ![n, b] = "RECENT"]
  /\ node_soft_fenced' = [node_soft_fenced EXCEPT ![n, b] = FALSE]
  /\ UNCHANGED <<high_watermark, known_epoch, claim, left_epoch, next_write, activating, snapshot, stable, kept, armed,
         committed, transaction, future, second_pending_broker, raft_epoch_and_others, log_end_and_others,
         applied_and_others, never_written, kept_fenced_and_others, first_pending_says_isr_and_others>>

\* S3:268-276
BA1_is_enabled(n) ==
  /\ armed[n]
  /\ first_pending_record[n] = "NOTHING"
  /\ second_pending_record[n] = "NOTHING"
  /\ (~led_by_preferred(n)) = TRUE
  /\ Given_Balance(n) = TRUE

BA1(n) ==
  /\ BA1_is_enabled(n)
  /\ first_pending_record' = [first_pending_record EXCEPT ![n] = IF isr_said_3(n) \/ leader_said_3(n) \/ replicas1 #
         InOrder({x \in Broker : TRUE}) \/ removing1 # {} \/ adding1 # {} \/ recovery1_3(n) # "RECOVERED" \/
         elr_said_3(n) \/ remembers_3(n) \/ (17 <= 8 /\ replicas1 # InOrder({x \in Broker : TRUE})) THEN "CHANGE" ELSE
         "NOTHING"]
  /\ first_pending_says_isr' = [first_pending_says_isr EXCEPT ![n] = IF isr_said_3(n) \/ leader_said_3(n) \/ replicas1 #
         InOrder({x \in Broker : TRUE}) \/ removing1 # {} \/ adding1 # {} \/ recovery1_3(n) # "RECOVERED" \/
         elr_said_3(n) \/ remembers_3(n) \/ (17 <= 8 /\ replicas1 # InOrder({x \in Broker : TRUE})) THEN isr_said_3(n)
         ELSE FALSE]
  /\ first_pending_isr' = [first_pending_isr EXCEPT ![n] = IF (isr_said_3(n) \/ leader_said_3(n) \/ replicas1 #
         InOrder({x \in Broker : TRUE}) \/ removing1 # {} \/ adding1 # {} \/ recovery1_3(n) # "RECOVERED" \/
         elr_said_3(n) \/ remembers_3(n) \/ (17 <= 8 /\ replicas1 # InOrder({x \in Broker : TRUE}))) /\ isr_said_3(n)
         THEN isr3_3(n) ELSE <<>>]
  /\ first_pending_says_leader' = [first_pending_says_leader EXCEPT ![n] = IF isr_said_3(n) \/ leader_said_3(n) \/
         replicas1 # InOrder({x \in Broker : TRUE}) \/ removing1 # {} \/ adding1 # {} \/ recovery1_3(n) # "RECOVERED" \/
         elr_said_3(n) \/ remembers_3(n) \/ (17 <= 8 /\ replicas1 # InOrder({x \in Broker : TRUE})) THEN
         leader_said_3(n) ELSE FALSE]
  /\ first_pending_leader' = [first_pending_leader EXCEPT ![n] = IF (isr_said_3(n) \/ leader_said_3(n) \/ replicas1 #
         InOrder({x \in Broker : TRUE}) \/ removing1 # {} \/ adding1 # {} \/ recovery1_3(n) # "RECOVERED" \/
         elr_said_3(n) \/ remembers_3(n) \/ (17 <= 8 /\ replicas1 # InOrder({x \in Broker : TRUE}))) /\ leader_said_3(n)
         THEN elected_3(n) ELSE None]
  /\ UNCHANGED <<high_watermark, known_epoch, claim, left_epoch, next_write, activating, snapshot, stable, kept,
         node_soft_fenced, node_contact, armed, committed, transaction, future, second_pending_record,
         second_pending_broker, raft_epoch_and_others, log_end_and_others, applied_and_others, never_written,
         kept_fenced_and_others, first_pending_broker_and_others>>

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
  /\ logged_record = [k \in leader_epoch, k2 \in offset |-> "NOTHING"]
  /\ logged_broker = [k \in leader_epoch, k2 \in offset |-> 0]
  /\ logged_says_isr = [k \in leader_epoch, k2 \in offset |-> FALSE]
  /\ logged_isr = [k \in leader_epoch, k2 \in offset |-> <<>>]
  /\ logged_says_leader = [k \in leader_epoch, k2 \in offset |-> FALSE]
  /\ logged_leader = [k \in leader_epoch, k2 \in offset |-> None]
  /\ image_fenced = [k \in leader_epoch, k2 \in offset, k3 \in Broker |-> FALSE]
  /\ image_isr = [k \in leader_epoch, k2 \in offset |-> <<>>]
  /\ image_leader = [k \in leader_epoch, k2 \in offset |-> None]
  /\ image_leader_epoch = [k \in leader_epoch, k2 \in offset |-> 0]
  /\ image_partition_epoch = [k \in leader_epoch, k2 \in offset |-> 0]
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
  /\ node_soft_fenced = [k \in Controller, k2 \in Broker |-> FALSE]
  /\ node_contact = [k \in Controller, k2 \in Broker |-> "NOTHING"]
  /\ armed = [k \in Controller |-> FALSE]
  /\ committed = [k \in Controller |-> 0]
  /\ transaction = [k \in Controller |-> 0]
  /\ future = [k \in Request |-> "NONE"]
  /\ asked = [k \in Request |-> None]
  /\ kept_fenced = [k \in Controller, k2 \in offset, k3 \in Broker |-> FALSE]
  /\ kept_isr = [k \in Controller, k2 \in offset |-> <<>>]
  /\ kept_leader = [k \in Controller, k2 \in offset |-> None]
  /\ kept_leader_epoch = [k \in Controller, k2 \in offset |-> 0]
  /\ kept_partition_epoch = [k \in Controller, k2 \in offset |-> 0]
  /\ first_pending_record = [k \in Controller |-> "NOTHING"]
  /\ first_pending_broker = [k \in Controller |-> 0]
  /\ first_pending_says_isr = [k \in Controller |-> FALSE]
  /\ first_pending_isr = [k \in Controller |-> <<>>]
  /\ first_pending_says_leader = [k \in Controller |-> FALSE]
  /\ first_pending_leader = [k \in Controller |-> None]
  /\ second_pending_record = [k \in Controller |-> "NOTHING"]
  /\ second_pending_broker = [k \in Controller |-> 0]
  /\ second_pending_says_isr = [k \in Controller |-> FALSE]
  /\ second_pending_isr = [k \in Controller |-> <<>>]
  /\ second_pending_says_leader = [k \in Controller |-> FALSE]
  /\ second_pending_leader = [k \in Controller |-> None]
  /\ parked_at = [k \in Request |-> 0]
  /\ node_fenced \in [Controller \X Broker -> BOOLEAN]
  /\ node_isr \in [Controller -> Lists(Broker)]
  /\ node_leader \in [Controller -> Broker \union {None}]
  /\ node_leader_epoch \in [Controller -> leader_epoch]
  /\ node_partition_epoch \in [Controller -> partition_epoch]
  /\ first_fenced \in [Broker -> BOOLEAN]
  /\ Bound = "cut-fence" => (\A x \in Broker : ~first_fenced[x]) = TRUE
  /\ Bound = "cut-unfence" => (\A x \in Broker : first_fenced[x]) = TRUE
  /\ Bound = "cut-again" => (\A x \in Broker : ~first_fenced[x]) = TRUE
  /\ Bound = "cut-both" => (\A x \in Broker : ~first_fenced[x]) = TRUE
  /\ Bound = "cut-alone" => (\A x \in Broker : ~first_fenced[x]) = TRUE
  /\ first_isr \in Lists(Broker)
  /\ Bound = "cut-fence" => first_isr = InOrder({x \in Broker : TRUE})
  /\ Bound = "cut-unfence" => first_isr = OnlyItem(0)
  /\ Bound = "cut-again" => first_isr = InOrder({x \in Broker : TRUE})
  /\ Bound = "cut-both" => first_isr = InOrder({x \in Broker : TRUE})
  /\ Bound = "cut-alone" => first_isr = InOrder({x \in Broker : TRUE})
  /\ first_leader \in Broker \union {None}
  /\ Bound = "cut-fence" => first_leader = 0
  /\ Bound = "cut-unfence" => first_leader = None
  /\ Bound = "cut-again" => first_leader = 0
  /\ Bound = "cut-both" => first_leader = 0
  /\ Bound = "cut-alone" => first_leader = 0
  /\ first_leader_epoch \in leader_epoch
  /\ Bound = "cut-fence" => first_leader_epoch = 0
  /\ Bound = "cut-unfence" => first_leader_epoch = 0
  /\ Bound = "cut-again" => first_leader_epoch = 0
  /\ Bound = "cut-both" => first_leader_epoch = 0
  /\ Bound = "cut-alone" => first_leader_epoch = 0
  /\ first_partition_epoch \in partition_epoch
  /\ (\A n \in Controller : (\A x \in Broker : node_fenced[n, x] = first_fenced[x]) /\ node_isr[n] = first_isr /\
         node_leader[n] = first_leader /\ node_leader_epoch[n] = first_leader_epoch /\ node_partition_epoch[n] =
         first_partition_epoch) = TRUE
  /\ Bound = "cut-fence" => first_partition_epoch = 0
  /\ Bound = "cut-unfence" => first_partition_epoch = 0
  /\ Bound = "cut-again" => first_partition_epoch = 0
  /\ Bound = "cut-both" => first_partition_epoch = 0
  /\ Bound = "cut-alone" => first_partition_epoch = 0
  /\ transactions \in BOOLEAN
  /\ (~transactions) = TRUE

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
       \/ QA5(n)
       \/ BA1(n)
  \/ \E n \in Controller, to_2 \in offset :
       \/ QW12f(n, to_2)
       \/ QW12u(n, to_2)
       \/ QW12c(n, to_2)
       \/ QC1(n, to_2)
       \/ QC2f(n, to_2)
       \/ QC2u(n, to_2)
       \/ QC2c(n, to_2)
  \/ \E n \in Controller, b \in Given_Silence_b : SI1(n, b)
  \/ \E n \in Controller, b \in Broker : F1(n, b)
  \/ \E n \in Controller, b \in Given_Heartbeat_b : HB2(n, b)

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
       \/ TRUE
       \/ QA5_is_enabled(n)
       \/ BA1_is_enabled(n)
  \/ \E n \in Controller, to_2 \in offset :
       \/ QW12f_is_enabled(n, to_2)
       \/ QW12u_is_enabled(n, to_2)
       \/ QW12c_is_enabled(n, to_2)
       \/ QC1_is_enabled(n, to_2)
       \/ QC2f_is_enabled(n, to_2)
       \/ QC2u_is_enabled(n, to_2)
       \/ QC2c_is_enabled(n, to_2)
  \/ \E n \in Controller, b \in Given_Silence_b : SI1_is_enabled(n, b)
  \/ \E n \in Controller, b \in Broker : F1_is_enabled(n, b)
  \/ \E n \in Controller, b \in Given_Heartbeat_b : HB2_is_enabled(n, b)

\* The state of a node is what one gets by replaying its log up to what it has applied, active or not. (S3:323)
DW1 == \A n \in Controller : (\A x \in Broker : node_fenced[n, x] = (IF applied[n] = 0 THEN first_fenced[x] ELSE
  image_fenced[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], applied[n], x])) /\ node_isr[n] = (IF applied[n] = 0
  THEN first_isr ELSE image_isr[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], applied[n]]) /\ node_leader[n] = (IF
  applied[n] = 0 THEN first_leader ELSE image_leader[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], applied[n]]) /\
  node_leader_epoch[n] = (IF applied[n] = 0 THEN first_leader_epoch ELSE image_leader_epoch[IF claim[n] = 0 THEN
  known_epoch[n] ELSE claim[n], applied[n]]) /\ node_partition_epoch[n] = (IF applied[n] = 0 THEN first_partition_epoch
  ELSE image_partition_epoch[IF claim[n] = 0 THEN known_epoch[n] ELSE claim[n], applied[n]])

\* An in-memory snapshot is the state of its offset. (S3:160)
DW2 == \A n \in Controller, s \in offset : (0 < claim[n] /\ snapshot[n, s] /\ stable[n] <= s /\ s < applied[n]) => ((\A
  x \in Broker : kept_fenced[n, s, x] = (IF s = 0 THEN first_fenced[x] ELSE image_fenced[claim[n], s, x])) /\
  kept_isr[n, s] = (IF s = 0 THEN first_isr ELSE image_isr[claim[n], s]) /\ kept_leader[n, s] = (IF s = 0 THEN
  first_leader ELSE image_leader[claim[n], s]) /\ kept_leader_epoch[n, s] = (IF s = 0 THEN first_leader_epoch ELSE
  image_leader_epoch[claim[n], s]) /\ kept_partition_epoch[n, s] = (IF s = 0 THEN first_partition_epoch ELSE
  image_partition_epoch[claim[n], s]))

\* Who renounces has the state of what is stable: nothing of what is thrown away is left. (S3:160, S3:171)
DW3 == [][(\A n \in Controller : (QK3(n) \/ QK4(n)) => ((\A x \in Broker : node_fenced[n, x]' = (IF stable[n] = 0 THEN
  first_fenced[x] ELSE image_fenced[claim[n], stable[n], x])) /\ node_isr[n]' = (IF stable[n] = 0 THEN first_isr ELSE
  image_isr[claim[n], stable[n]]) /\ node_leader[n]' = (IF stable[n] = 0 THEN first_leader ELSE image_leader[claim[n],
  stable[n]]) /\ node_leader_epoch[n]' = (IF stable[n] = 0 THEN first_leader_epoch ELSE image_leader_epoch[claim[n],
  stable[n]]) /\ node_partition_epoch[n]' = (IF stable[n] = 0 THEN first_partition_epoch ELSE
  image_partition_epoch[claim[n], stable[n]])))]_vars

DW3_where_nothing_changes == (\A n \in Controller : (ENABLED (UNCHANGED vars /\ (QK3(n) \/ QK4(n)))) => ((\A x \in
  Broker : node_fenced[n, x] = (IF stable[n] = 0 THEN first_fenced[x] ELSE image_fenced[claim[n], stable[n], x])) /\
  node_isr[n] = (IF stable[n] = 0 THEN first_isr ELSE image_isr[claim[n], stable[n]]) /\ node_leader[n] = (IF stable[n]
  = 0 THEN first_leader ELSE image_leader[claim[n], stable[n]]) /\ node_leader_epoch[n] = (IF stable[n] = 0 THEN
  first_leader_epoch ELSE image_leader_epoch[claim[n], stable[n]]) /\ node_partition_epoch[n] = (IF stable[n] = 0 THEN
  first_partition_epoch ELSE image_partition_epoch[claim[n], stable[n]])))

\* Two standbys that have applied as much have the same state. (S3:323)
DW4 == \A n \in Controller, m \in Controller : (applied[n] = applied[m] /\ claim[n] = 0 /\ claim[m] = 0) => ((\A x \in
  Broker : node_fenced[n, x] = node_fenced[m, x]) /\ node_isr[n] = node_isr[m] /\ node_leader[n] = node_leader[m] /\
  node_leader_epoch[n] = node_leader_epoch[m] /\ node_partition_epoch[n] = node_partition_epoch[m])

\* What a node shows to reads is what the newest leader's log says up to there. (S3:327)
DW5 == \A n \in Controller : stable[n] <= high_watermark[raft_epoch] => ((\A x \in Broker : (IF stable[n] = applied[n]
  THEN node_fenced[n, x] ELSE kept_fenced[n, stable[n], x]) = (IF stable[n] = 0 THEN first_fenced[x] ELSE
  image_fenced[raft_epoch, stable[n], x])) /\ (IF stable[n] = applied[n] THEN node_isr[n] ELSE kept_isr[n, stable[n]]) =
  (IF stable[n] = 0 THEN first_isr ELSE image_isr[raft_epoch, stable[n]]) /\ (IF stable[n] = applied[n] THEN
  node_leader[n] ELSE kept_leader[n, stable[n]]) = (IF stable[n] = 0 THEN first_leader ELSE image_leader[raft_epoch,
  stable[n]]) /\ (IF stable[n] = applied[n] THEN node_leader_epoch[n] ELSE kept_leader_epoch[n, stable[n]]) = (IF
  stable[n] = 0 THEN first_leader_epoch ELSE image_leader_epoch[raft_epoch, stable[n]]) /\ (IF stable[n] = applied[n]
  THEN node_partition_epoch[n] ELSE kept_partition_epoch[n, stable[n]]) = (IF stable[n] = 0 THEN first_partition_epoch
  ELSE image_partition_epoch[raft_epoch, stable[n]]))

\* The leader is in the ISR; where neither D26 nor D34 has been. (ReplicationControlManager.validateAlterPartitionData)
P1vn == \A n \in Controller : TRUE => (node_leader[n] = None \/ node_leader[n] \in Elements(node_isr[n]))

\* The ISR is within the replicas, and there are replicas; where neither D26 nor D34 has been. (Replicas.java)
P2n == \A n \in Controller : TRUE => (Elements(node_isr[n]) \subseteq Elements(InOrder({x \in Broker : TRUE})) /\
  InOrder({x \in Broker : TRUE}) # <<>>)

\* No fenced broker is in an ISR, not even between the records of one result: their order ensures it; where neither D26
\* nor D34 has been. (KIP-841, S3:222-224)
P7rn == \A n \in Controller, x \in Broker : (TRUE /\ x \in Elements(node_isr[n])) => (~node_fenced[n, x] \/
  (node_leader[n] = None /\ node_isr[n] = OnlyItem(x)))

\* Every unfenced broker has a session that may end, after a failover too: its silence will be noticed. (S3:248,
\* KAFKA-18138)
B11a == \A n \in Controller : (armed[n] /\ first_pending_record[n] = "NOTHING" /\ second_pending_record[n] = "NOTHING")
  => (\A x \in Broker : ~node_fenced[n, x] => node_contact[n, x] # "NOTHING")

\* What the controller remembers of heartbeats agrees with the registrations: who is fenced, and who may be shutting
\* down. (S3:236)
B14a == \A n \in Controller : (armed[n] /\ first_pending_record[n] = "NOTHING" /\ second_pending_record[n] = "NOTHING")
  => (\A x \in Broker : node_soft_fenced[n, x] = node_fenced[n, x] /\ (0 <= -1 => FALSE))

\* The leader is in the ISR; where neither D26 nor D34 has been. (ReplicationControlManager.validateAlterPartitionData)
P1vc == \A o \in offset : o <= high_watermark[raft_epoch] => (TRUE => ((IF o = 0 THEN first_leader ELSE
  image_leader[raft_epoch, o]) = None \/ (IF o = 0 THEN first_leader ELSE image_leader[raft_epoch, o]) \in Elements(IF o
  = 0 THEN first_isr ELSE image_isr[raft_epoch, o])))

\* The ISR is within the replicas, and there are replicas; where neither D26 nor D34 has been. (Replicas.java)
P2c == \A o \in offset : o <= high_watermark[raft_epoch] => (TRUE => (Elements(IF o = 0 THEN first_isr ELSE
  image_isr[raft_epoch, o]) \subseteq Elements(InOrder({x \in Broker : TRUE})) /\ InOrder({x \in Broker : TRUE}) #
  <<>>))

\* No fenced broker is in an ISR, not even between the records of one result: their order ensures it; where neither D26
\* nor D34 has been. (KIP-841, S3:222-224)
P7rc == \A o \in offset : o <= high_watermark[raft_epoch] => (\A x \in Broker : (TRUE /\ x \in Elements(IF o = 0 THEN
  first_isr ELSE image_isr[raft_epoch, o])) => (~(IF o = 0 THEN first_fenced[x] ELSE image_fenced[raft_epoch, o, x]) \/
  ((IF o = 0 THEN first_leader ELSE image_leader[raft_epoch, o]) = None /\ (IF o = 0 THEN first_isr ELSE
  image_isr[raft_epoch, o]) = OnlyItem(x))))

\* No fenced or unregistered broker is in an ISR, except as last member of a leaderless partition (which without ELR, or
\* from the time before it, stays there); where neither D26 nor D34 has been. (KIP-841, KAFKA-13916)
P7c == \A o \in offset : o <= high_watermark[raft_epoch] => (\A x \in Broker : (TRUE /\ x \in Elements(IF o = 0 THEN
  first_isr ELSE image_isr[raft_epoch, o])) => (~(IF o = 0 THEN first_fenced[x] ELSE image_fenced[raft_epoch, o, x]) \/
  ((IF o = 0 THEN first_leader ELSE image_leader[raft_epoch, o]) = None /\ (IF o = 0 THEN first_isr ELSE
  image_isr[raft_epoch, o]) = OnlyItem(x))))

\* Half a fence is committed, and another controller elected: the partition has moved, the broker is not fenced.
\* (S3:122)
\* TLC is asked that this never holds; a violation is the witness.
DX1 == ~(0 < high_watermark[raft_epoch] /\ logged_record[raft_epoch, 0] = "CHANGE" /\ log[raft_epoch, 0] = 1 /\ ~(IF
  high_watermark[raft_epoch] = 0 THEN first_fenced[0] ELSE image_fenced[raft_epoch, high_watermark[raft_epoch], 0]) /\ 1
  < raft_epoch /\ high_watermark[raft_epoch] = 1)

\* The next controller fences the broker: the half that is left of the result is made whole. (S3:171)
\* TLC is asked that this never holds; a violation is the witness.
DX2 == ~(0 < high_watermark[raft_epoch] /\ logged_record[raft_epoch, 0] = "CHANGE" /\ log[raft_epoch, 0] = 1 /\ 1 <
  high_watermark[raft_epoch] /\ At(logged_record, <<raft_epoch, 1>>, "NOTHING") = "FENCE" /\ At(log, <<raft_epoch, 1>>,
  0) = 2)

\* Half an unfence is committed: the broker is back, the partition that it could lead is not led, under a new
\* controller. (S3:122)
\* TLC is asked that this never holds; a violation is the witness.
DX3 == ~(0 < high_watermark[raft_epoch] /\ logged_record[raft_epoch, 0] = "UNFENCE" /\ log[raft_epoch, 0] = 1 /\ (IF
  high_watermark[raft_epoch] = 0 THEN first_leader ELSE image_leader[raft_epoch, high_watermark[raft_epoch]]) = None /\
  0 \in Elements(IF high_watermark[raft_epoch] = 0 THEN first_isr ELSE image_isr[raft_epoch,
  high_watermark[raft_epoch]]) /\ ~(IF high_watermark[raft_epoch] = 0 THEN first_fenced[0] ELSE image_fenced[raft_epoch,
  high_watermark[raft_epoch], 0]) /\ 1 < raft_epoch /\ (\E n \in Controller : armed[n] /\ claim[n] = raft_epoch))

\* The balance of leaders elects the broker after all. (S3:268-276)
\* TLC is asked that this never holds; a violation is the witness.
DX4 == ~(0 < high_watermark[raft_epoch] /\ logged_record[raft_epoch, 0] = "UNFENCE" /\ log[raft_epoch, 0] = 1 /\ 1 <
  high_watermark[raft_epoch] /\ At(logged_record, <<raft_epoch, 1>>, "NOTHING") = "CHANGE" /\ At(log, <<raft_epoch, 1>>,
  0) = 2 /\ ~((IF high_watermark[raft_epoch] = 0 THEN first_leader ELSE image_leader[raft_epoch,
  high_watermark[raft_epoch]]) = None /\ 0 \in Elements(IF high_watermark[raft_epoch] = 0 THEN first_isr ELSE
  image_isr[raft_epoch, high_watermark[raft_epoch]]) /\ ~(IF high_watermark[raft_epoch] = 0 THEN first_fenced[0] ELSE
  image_fenced[raft_epoch, high_watermark[raft_epoch], 0])))

\* A broker is fenced in the state of a controller, and not yet in what reads show. (S3:77)
\* TLC is asked that this never holds; a violation is the witness.
DX5 == ~(\E n \in Controller : 0 < claim[n] /\ stable[n] < applied[n] /\ node_fenced[n, 0])
================================================================================
