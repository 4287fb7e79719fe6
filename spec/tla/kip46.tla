--------------------------------- MODULE kip46 ---------------------------------
\* kip46: A cluster that heals itself: the partitions of a broker that stays away are moved in chunks, one after the
\* other.
\* Made from the tables of kip46 d74037a8928c; not to be edited.
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS Maxtime, NumberBroker, NumberPartition, Maxchunk, Maxsize, Maxcontroller_epoch, Bound, None

time == -1..Maxtime
Broker == 0..(NumberBroker - 1)
Partition == 0..(NumberPartition - 1)
chunk_2 == 0..Maxchunk
size == 1..Maxsize
controller_epoch_2 == 0..Maxcontroller_epoch

Pick(S) == CHOOSE x \in S : TRUE
Put(f, updates) == [k \in DOMAIN f |-> LET u == {x \in updates : x.at = k} IN IF u = {} THEN f[k] ELSE Pick(u).to]
Elements(s) == {s[i] : i \in DOMAIN s}
KeepIn(s, S) == SelectSeq(s, LAMBDA x : x \in S)
FirstIn(s, S) == IF KeepIn(s, S) = <<>> THEN None ELSE Head(KeepIn(s, S))
InOrder(S) == [i \in 1..Cardinality(S) |-> CHOOSE x \in S : Cardinality({y \in S : y <= x}) = i]

VARIABLES now, alive, controller, back, failed, replicas, isr, caught, running, chunk, live, interval, settled, timer,
  gone_since, healing, listed, placed, plan, queued, heals, wanted, persisted, desired, next_chunk, chunk_limit,
  automatic, started, target, controller_epoch

vars == <<now, alive, controller, back, failed, replicas, isr, caught, running, chunk, live, interval, settled, timer,
  gone_since, healing, listed, placed, plan, queued, heals, wanted, persisted, desired, next_chunk, chunk_limit,
  automatic, started, target, controller_epoch>>

chunk_and_others == <<chunk, queued, target>>

never_written == <<interval, desired, chunk_limit>>

Given_TimePasses(to_2) == CASE Bound = "tiny" -> (to_2 = now + 1 /\ (\E x \in Broker : now < timer[x])) [] Bound =
  "small" -> (to_2 = now + 1 /\ (\E x \in Broker : now < timer[x])) [] Bound = "queue" -> (to_2 = now + 1 /\ (\E x \in
  Broker : now < timer[x])) [] Bound = "submitted" -> (to_2 = now + 1 /\ (\E x \in Broker : now < timer[x])) [] OTHER ->
  TRUE

Given_TimePasses_to == CASE Bound = "tiny" -> ({now + 1} \intersect time) [] Bound = "small" -> ({now + 1} \intersect
  time) [] Bound = "queue" -> ({now + 1} \intersect time) [] Bound = "submitted" -> ({now + 1} \intersect time) [] OTHER
  -> time

Given_BrokerFails(b) == CASE Bound = "tiny" -> (b = 0 /\ now <= 0) [] Bound = "small" -> (b = 0 /\ now <= 0) [] Bound =
  "queue" -> (b = 0 /\ now <= 0) [] Bound = "submitted" -> (b = 0 /\ now <= 0) [] OTHER -> TRUE

Given_BrokerFails_b == CASE Bound = "tiny" -> {0} [] Bound = "small" -> {0} [] Bound = "queue" -> {0} [] Bound =
  "submitted" -> {0} [] OTHER -> Broker

Given_PlaceReplicas(b, p, target_2) == CASE Bound = "queue" -> p = FirstIn(InOrder(listed[b]),
  Elements(InOrder(listed[b]))) [] OTHER -> TRUE

Given_SubmitReassignment(chunk_3, partitions, target_2) == CASE Bound = "tiny" -> FALSE [] Bound = "small" -> FALSE []
  Bound = "queue" -> FALSE [] Bound = "submitted" -> (next_chunk < 1 /\ target_2 = {1, 2}) [] OTHER -> TRUE

Given_SubmitReassignment_target == CASE Bound = "submitted" -> {{1, 2}} [] OTHER -> SUBSET Broker

Given_ControllerFails == CASE Bound = "tiny" -> controller_epoch < 1 [] Bound = "small" -> controller_epoch < 1 [] Bound
  = "queue" -> controller_epoch < 1 [] Bound = "submitted" -> controller_epoch < 1 [] OTHER -> TRUE

missed(b) == 0 <= failed[b]

being_moved(p) == \E k \in chunk_2 : running[k] /\ p \in chunk[k]

off == interval = -1

clock == now

written_before(b) == \E k \in chunk_2 : queued[k] /\ heals[k] = b

known_live == {x \in Broker : live[x]}

few(partitions) == partitions # {} /\ ~(Cardinality(partitions) >= chunk_limit)

head(chunk_3) == queued[chunk_3] /\ (\A j \in chunk_2 : j < chunk_3 => ~queued[j]) /\ (\A j \in chunk_2 : ~running[j])

satisfied(chunk_3) == \A q \in Partition : q \in chunk[chunk_3] => Cardinality(replicas[q] \intersect known_live) >=
  desired[q]

complete(chunk_3) == \A q \in Partition : q \in chunk[chunk_3] => target[chunk_3, q] \subseteq caught[q]

without(q) == IF isr[q] \ {x \in Broker : ~alive[x]} = {} THEN isr[q] ELSE isr[q] \ {x \in Broker : ~alive[x]}

on(b) == {q \in Partition : b \in replicas[q]}

\* The broker is live no more for the controller, and leaves every ISR that has another member.
takes_offline(b) ==
  LET
    without_2(q) == IF isr[q] \ {b} = {} THEN isr[q] ELSE isr[q] \ {b}
  IN
    [live |-> {[at |-> b, to |-> FALSE]}, isr |-> {[at |-> q, to |-> without_2(q)] : q \in {q \in Partition : b \in
        isr[q]}}, settled |-> {[at |-> q, to |-> FALSE] : q \in {q \in Partition : b \in replicas[q]}}]

\* Drop the pending healing of the broker.
forget_healing(b) ==
  [healing |-> {[at |-> b, to |-> FALSE]}, listed |-> {[at |-> b, to |-> {}]}, placed |-> {[at |-> b, to |-> {}]}, plan
      |-> {[at |-> <<b, q>>, to |-> {}] : q \in Partition}]

\* The broker's partitions are listed, and new replicas are to be found for each.
begins_healing(b) ==
  LET
    on_2 == {q \in Partition : b \in replicas[q]}
  IN
    [timer |-> {[at |-> b, to |-> -1]}, healing |-> {[at |-> b, to |-> TRUE]}, listed |-> {[at |-> b, to |-> on_2]},
        wanted |-> {[at |-> b, to |-> on_2]}, persisted |-> {[at |-> b, to |-> {}]}]

\* The znode of the task is deleted.
deletes_task(k) ==
  [queued |-> {[at |-> k, to |-> FALSE]}, running |-> {[at |-> k, to |-> FALSE]}, automatic |-> {[at |-> k, to |->
      FALSE]}, heals |-> {[at |-> k, to |-> None]}, chunk |-> {[at |-> k, to |-> {}]}, target |-> {[at |-> <<k, q>>, to
      |-> {}] : q \in Partition}]

\* S1:31
TM1_is_enabled(to_2) ==
  /\ now < to_2
  /\ Given_TimePasses(to_2) = TRUE

TM1(to_2) ==
  /\ TM1_is_enabled(to_2)
  /\ now' = to_2
  /\ UNCHANGED <<alive, controller, back, failed, replicas, isr, caught, running, live, settled, timer, gone_since,
         healing, listed, placed, plan, heals, wanted, persisted, next_chunk, automatic, started, controller_epoch,
         chunk_and_others, never_written>>

\* S1:63
BP1_is_enabled(b) ==
  /\ alive[b]
  /\ controller
  /\ Given_BrokerFails(b) = TRUE

BP1(b) ==
  /\ BP1_is_enabled(b)
  /\ alive' = [alive EXCEPT ![b] = FALSE]
  /\ UNCHANGED <<now, controller, back, failed, replicas, isr, caught, running, live, settled, timer, gone_since,
         healing, listed, placed, plan, heals, wanted, persisted, next_chunk, automatic, started, controller_epoch,
         chunk_and_others, never_written>>

\* S1:29,87
SH11_is_enabled(b) ==
  /\ alive[b]
  /\ (~controller) = TRUE
  /\ Given_BrokerFails(b) = TRUE

SH11(b) ==
  /\ SH11_is_enabled(b)
  /\ alive' = [alive EXCEPT ![b] = FALSE]
  /\ UNCHANGED <<now, controller, back, failed, replicas, isr, caught, running, live, settled, timer, gone_since,
         healing, listed, placed, plan, heals, wanted, persisted, next_chunk, automatic, started, controller_epoch,
         chunk_and_others, never_written>>

\* S1:66
BP2(b) ==
  /\ (~alive[b]) = TRUE
  /\ alive' = [alive EXCEPT ![b] = TRUE]
  /\ back' = [back EXCEPT ![b] = IF missed(b) THEN TRUE ELSE @]
  /\ UNCHANGED <<now, controller, failed, replicas, isr, caught, running, live, settled, timer, gone_since, healing,
         listed, placed, plan, heals, wanted, persisted, next_chunk, automatic, started, controller_epoch,
         chunk_and_others, never_written>>

\* S1:72
RP1_is_enabled(p, b) ==
  /\ b \in replicas[p]
  /\ alive[b]
  /\ b \notin isr[p]
  /\ (\E x \in Broker : x \in isr[p] /\ alive[x]) = TRUE

RP1(p, b) ==
  /\ RP1_is_enabled(p, b)
  /\ isr' = [isr EXCEPT ![p] = isr[p] \union {b}]
  /\ caught' = [caught EXCEPT ![p] = IF being_moved(p) THEN caught[p] \union {b} ELSE @]
  /\ UNCHANGED <<now, alive, controller, back, failed, replicas, running, live, settled, timer, gone_since, healing,
         listed, placed, plan, heals, wanted, persisted, next_chunk, automatic, started, controller_epoch,
         chunk_and_others, never_written>>

\* S1:29-31,63
SH1_is_enabled(b) ==
  /\ controller
  /\ live[b]
  /\ (~alive[b]) = TRUE
  /\ (~off) = TRUE
  /\ (~missed(b)) = TRUE

SH1(b) ==
  /\ SH1_is_enabled(b)
  /\ LET takes_offline_1 == takes_offline(b)
     IN
     /\ live' = Put(live, takes_offline_1.live)
     /\ isr' = Put(isr, takes_offline_1.isr)
     /\ settled' = Put(settled, takes_offline_1.settled)
     /\ failed' = [failed EXCEPT ![b] = clock]
     /\ timer' = [timer EXCEPT ![b] = clock + interval]
     /\ gone_since' = [gone_since EXCEPT ![b] = now]
     /\ back' = [back EXCEPT ![b] = FALSE]
     /\ timer' \in [Broker -> time]
  /\ UNCHANGED <<now, alive, controller, replicas, caught, running, healing, listed, placed, plan, heals, wanted,
         persisted, next_chunk, automatic, started, controller_epoch, chunk_and_others, never_written>>

\* S1:29,33
SH1k_is_enabled(b) ==
  /\ controller
  /\ live[b]
  /\ (~alive[b]) = TRUE
  /\ (~off) = TRUE
  /\ missed(b) = TRUE

SH1k(b) ==
  /\ SH1k_is_enabled(b)
  /\ LET takes_offline_1 == takes_offline(b)
     IN
     /\ live' = Put(live, takes_offline_1.live)
     /\ isr' = Put(isr, takes_offline_1.isr)
     /\ settled' = Put(settled, takes_offline_1.settled)
  /\ UNCHANGED <<now, alive, controller, back, failed, replicas, caught, running, timer, gone_since, healing, listed,
         placed, plan, heals, wanted, persisted, next_chunk, automatic, started, controller_epoch, chunk_and_others,
         never_written>>

\* S1:112
SH10_is_enabled(b) ==
  /\ controller
  /\ live[b]
  /\ (~alive[b]) = TRUE
  /\ off = TRUE

SH10(b) ==
  /\ SH10_is_enabled(b)
  /\ LET takes_offline_1 == takes_offline(b)
     IN
     /\ live' = Put(live, takes_offline_1.live)
     /\ isr' = Put(isr, takes_offline_1.isr)
     /\ settled' = Put(settled, takes_offline_1.settled)
  /\ UNCHANGED <<now, alive, controller, back, failed, replicas, caught, running, timer, gone_since, healing, listed,
         placed, plan, heals, wanted, persisted, next_chunk, automatic, started, controller_epoch, chunk_and_others,
         never_written>>

\* S1:31,66,82
SH2_is_enabled(b) ==
  /\ controller
  /\ (~live[b]) = TRUE
  /\ alive[b]
  /\ missed(b) = TRUE

SH2(b) ==
  /\ SH2_is_enabled(b)
  /\ LET forget_healing_1 == forget_healing(b)
     IN
     /\ live' = [live EXCEPT ![b] = TRUE]
     /\ failed' = [failed EXCEPT ![b] = -1]
     /\ timer' = [timer EXCEPT ![b] = -1]
     /\ healing' = Put(healing, forget_healing_1.healing)
     /\ listed' = Put(listed, forget_healing_1.listed)
     /\ placed' = Put(placed, forget_healing_1.placed)
     /\ plan' = Put(plan, forget_healing_1.plan)
  /\ UNCHANGED <<now, alive, controller, back, replicas, isr, caught, running, settled, gone_since, heals, wanted,
         persisted, next_chunk, automatic, started, controller_epoch, chunk_and_others, never_written>>

\* S1:76
SH7_is_enabled(b) ==
  /\ controller
  /\ (~live[b]) = TRUE
  /\ alive[b]
  /\ (~missed(b)) = TRUE

SH7(b) ==
  /\ SH7_is_enabled(b)
  /\ live' = [live EXCEPT ![b] = TRUE]
  /\ UNCHANGED <<now, alive, controller, back, failed, replicas, isr, caught, running, settled, timer, gone_since,
         healing, listed, placed, plan, heals, wanted, persisted, next_chunk, automatic, started, controller_epoch,
         chunk_and_others, never_written>>

\* S1:31,67
SH3_is_enabled(b) ==
  /\ controller
  /\ 0 <= timer[b]
  /\ timer[b] <= now
  /\ missed(b) = TRUE
  /\ (~written_before(b)) = TRUE

SH3(b) ==
  /\ SH3_is_enabled(b)
  /\ LET begins_healing_1 == begins_healing(b)
     IN
     /\ timer' = Put(timer, begins_healing_1.timer)
     /\ healing' = Put(healing, begins_healing_1.healing)
     /\ listed' = Put(listed, begins_healing_1.listed)
     /\ wanted' = Put(wanted, begins_healing_1.wanted)
     /\ persisted' = Put(persisted, begins_healing_1.persisted)
  /\ UNCHANGED <<now, alive, controller, back, failed, replicas, isr, caught, running, live, settled, gone_since,
         placed, plan, heals, next_chunk, automatic, started, controller_epoch, chunk_and_others, never_written>>

\* S1:89-94
SH9_is_enabled(b) ==
  /\ controller
  /\ 0 <= timer[b]
  /\ timer[b] <= now
  /\ missed(b) = TRUE
  /\ written_before(b) = TRUE

SH9(b) ==
  /\ SH9_is_enabled(b)
  /\ LET begins_healing_1 == begins_healing(b)
     IN
     /\ timer' = Put(timer, begins_healing_1.timer)
     /\ healing' = Put(healing, begins_healing_1.healing)
     /\ listed' = Put(listed, begins_healing_1.listed)
     /\ wanted' = Put(wanted, begins_healing_1.wanted)
     /\ persisted' = Put(persisted, begins_healing_1.persisted)
  /\ UNCHANGED <<now, alive, controller, back, failed, replicas, isr, caught, running, live, settled, gone_since,
         placed, plan, heals, next_chunk, automatic, started, controller_epoch, chunk_and_others, never_written>>

\* S1:67
SH3a_is_enabled(b, p, target_2) ==
  /\ controller
  /\ healing[b]
  /\ p \in listed[b]
  /\ target_2 \subseteq known_live
  /\ b \notin target_2
  /\ (replicas[p] \intersect known_live) \ {b} \subseteq target_2
  /\ Cardinality(target_2) >= desired[p]
  /\ Given_PlaceReplicas(b, p, target_2) = TRUE

SH3a(b, p, target_2) ==
  /\ SH3a_is_enabled(b, p, target_2)
  /\ listed' = [listed EXCEPT ![b] = listed[b] \ {p}]
  /\ placed' = [placed EXCEPT ![b] = placed[b] \union {p}]
  /\ plan' = [plan EXCEPT ![b, p] = target_2]
  /\ UNCHANGED <<now, alive, controller, back, failed, replicas, isr, caught, running, live, settled, timer, gone_since,
         healing, heals, wanted, persisted, next_chunk, automatic, started, controller_epoch, chunk_and_others,
         never_written>>

\* S1:67
SH3b_is_enabled(b, chunk_3, partitions) ==
  /\ controller
  /\ healing[b]
  /\ listed[b] = {}
  /\ chunk_3 = next_chunk
  /\ partitions \subseteq placed[b]
  /\ few(partitions) = TRUE

SH3b(b, chunk_3, partitions) ==
  /\ SH3b_is_enabled(b, chunk_3, partitions)
  /\ next_chunk <= Maxchunk - 1
  /\ queued' = [queued EXCEPT ![chunk_3] = TRUE]
  /\ automatic' = [automatic EXCEPT ![chunk_3] = TRUE]
  /\ heals' = [heals EXCEPT ![chunk_3] = b]
  /\ chunk' = [chunk EXCEPT ![chunk_3] = partitions]
  /\ started' = [started EXCEPT ![chunk_3] = FALSE]
  /\ target' = Put(target, {[at |-> <<chunk_3, q>>, to |-> plan[b, q]] : q \in {q \in Partition : q \in partitions}})
  /\ plan' = Put(plan, {[at |-> <<b, q>>, to |-> {}] : q \in {q \in Partition : q \in partitions}})
  /\ placed' = [placed EXCEPT ![b] = placed[b] \ partitions]
  /\ persisted' = [persisted EXCEPT ![b] = persisted[b] \union partitions]
  /\ next_chunk' = next_chunk + 1
  /\ UNCHANGED <<now, alive, controller, back, failed, replicas, isr, caught, running, live, settled, timer, gone_since,
         healing, listed, wanted, controller_epoch, never_written>>

\* S1:83
SH3c_is_enabled(b) ==
  /\ controller
  /\ healing[b]
  /\ listed[b] = {}
  /\ placed[b] = {}

SH3c(b) ==
  /\ SH3c_is_enabled(b)
  /\ failed' = [failed EXCEPT ![b] = -1]
  /\ healing' = [healing EXCEPT ![b] = FALSE]
  /\ UNCHANGED <<now, alive, controller, back, replicas, isr, caught, running, live, settled, timer, gone_since, listed,
         placed, plan, heals, wanted, persisted, next_chunk, automatic, started, controller_epoch, chunk_and_others,
         never_written>>

\* S1:68
SH4_is_enabled(chunk_3) ==
  /\ controller
  /\ head(chunk_3) = TRUE
  /\ (~(automatic[chunk_3] /\ satisfied(chunk_3))) = TRUE

SH4(chunk_3) ==
  /\ SH4_is_enabled(chunk_3)
  /\ running' = [running EXCEPT ![chunk_3] = TRUE]
  /\ started' = [started EXCEPT ![chunk_3] = TRUE]
  /\ replicas' = [q \in Partition |-> IF q \in chunk[chunk_3] THEN replicas[q] \union target[chunk_3, q] ELSE
         replicas[q]]
  /\ caught' = [q \in Partition |-> IF q \in chunk[chunk_3] THEN isr[q] ELSE caught[q]]
  /\ settled' = [q \in Partition |-> IF q \in chunk[chunk_3] THEN FALSE ELSE settled[q]]
  /\ UNCHANGED <<now, alive, controller, back, failed, isr, live, timer, gone_since, healing, listed, placed, plan,
         heals, wanted, persisted, next_chunk, automatic, controller_epoch, chunk_and_others, never_written>>

\* S1:76,92
SH5_is_enabled(chunk_3) ==
  /\ controller
  /\ head(chunk_3) = TRUE
  /\ automatic[chunk_3]
  /\ satisfied(chunk_3) = TRUE

SH5(chunk_3) ==
  /\ SH5_is_enabled(chunk_3)
  /\ LET deletes_task_1 == deletes_task(chunk_3)
     IN
     /\ queued' = Put(queued, deletes_task_1.queued)
     /\ running' = Put(running, deletes_task_1.running)
     /\ automatic' = Put(automatic, deletes_task_1.automatic)
     /\ heals' = Put(heals, deletes_task_1.heals)
     /\ chunk' = Put(chunk, deletes_task_1.chunk)
     /\ target' = Put(target, deletes_task_1.target)
  /\ UNCHANGED <<now, alive, controller, back, failed, replicas, isr, caught, live, settled, timer, gone_since, healing,
         listed, placed, plan, wanted, persisted, next_chunk, started, controller_epoch, never_written>>

\* S1:72
SH6_is_enabled(chunk_3) ==
  /\ controller
  /\ running[chunk_3]
  /\ complete(chunk_3) = TRUE

SH6(chunk_3) ==
  /\ SH6_is_enabled(chunk_3)
  /\ LET deletes_task_1 == deletes_task(chunk_3)
     IN
     /\ replicas' = [q \in Partition |-> IF q \in chunk[chunk_3] THEN target[chunk_3, q] ELSE replicas[q]]
     /\ isr' = [q \in Partition |-> IF q \in chunk[chunk_3] THEN isr[q] \intersect target[chunk_3, q] ELSE isr[q]]
     /\ caught' = [q \in Partition |-> IF q \in chunk[chunk_3] THEN {} ELSE caught[q]]
     /\ settled' = [q \in Partition |-> IF q \in chunk[chunk_3] THEN automatic[chunk_3] /\ target[chunk_3, q] \subseteq
            known_live ELSE settled[q]]
     /\ queued' = Put(queued, deletes_task_1.queued)
     /\ running' = Put(running, deletes_task_1.running)
     /\ automatic' = Put(automatic, deletes_task_1.automatic)
     /\ heals' = Put(heals, deletes_task_1.heals)
     /\ chunk' = Put(chunk, deletes_task_1.chunk)
     /\ target' = Put(target, deletes_task_1.target)
  /\ UNCHANGED <<now, alive, controller, back, failed, live, timer, gone_since, healing, listed, placed, plan, wanted,
         persisted, next_chunk, started, controller_epoch, never_written>>

\* S1:50-54
MT1_is_enabled(chunk_3, partitions, target_2) ==
  /\ chunk_3 = next_chunk
  /\ few(partitions) = TRUE
  /\ target_2 # {}
  /\ Given_SubmitReassignment(chunk_3, partitions, target_2) = TRUE

MT1(chunk_3, partitions, target_2) ==
  /\ MT1_is_enabled(chunk_3, partitions, target_2)
  /\ next_chunk <= Maxchunk - 1
  /\ queued' = [queued EXCEPT ![chunk_3] = TRUE]
  /\ chunk' = [chunk EXCEPT ![chunk_3] = partitions]
  /\ started' = [started EXCEPT ![chunk_3] = FALSE]
  /\ target' = Put(target, {[at |-> <<chunk_3, q>>, to |-> target_2] : q \in {q \in Partition : q \in partitions}})
  /\ next_chunk' = next_chunk + 1
  /\ UNCHANGED <<now, alive, controller, back, failed, replicas, isr, caught, running, live, settled, timer, gone_since,
         healing, listed, placed, plan, heals, wanted, persisted, automatic, controller_epoch, never_written>>

\* S1:87
CP1_is_enabled ==
  /\ controller
  /\ Given_ControllerFails = TRUE

CP1 ==
  /\ CP1_is_enabled
  /\ controller' = FALSE
  /\ live' = [b \in Broker |-> FALSE]
  /\ timer' = [b \in Broker |-> -1]
  /\ healing' = Put(healing, UNION {forget_healing(b).healing : b \in Broker})
  /\ listed' = Put(listed, UNION {forget_healing(b).listed : b \in Broker})
  /\ placed' = Put(placed, UNION {forget_healing(b).placed : b \in Broker})
  /\ plan' = Put(plan, UNION {forget_healing(b).plan : b \in Broker})
  /\ caught' = [q \in Partition |-> {}]
  /\ UNCHANGED <<now, alive, back, failed, replicas, isr, running, settled, gone_since, heals, wanted, persisted,
         next_chunk, automatic, started, controller_epoch, chunk_and_others, never_written>>

\* S1:33,87
SH8 ==
  /\ (~controller) = TRUE
  /\ controller_epoch <= Maxcontroller_epoch - 1
  /\ controller' = TRUE
  /\ controller_epoch' = controller_epoch + 1
  /\ live' = [b \in Broker |-> alive[b]]
  /\ timer' = [b \in Broker |-> IF missed(b) THEN failed[b] + interval ELSE timer[b]]
  /\ isr' = [q \in Partition |-> without(q)]
  /\ caught' = [q \in Partition |-> IF being_moved(q) THEN without(q) ELSE caught[q]]
  /\ settled' = [q \in Partition |-> IF ~(replicas[q] \subseteq {x \in Broker : alive[x]}) THEN FALSE ELSE settled[q]]
  /\ timer' \in [Broker -> time]
  /\ UNCHANGED <<now, alive, back, failed, replicas, running, gone_since, healing, listed, placed, plan, heals, wanted,
         persisted, next_chunk, automatic, started, chunk_and_others, never_written>>

Init ==
  /\ now = 0
  /\ alive = [k \in Broker |-> TRUE]
  /\ controller = TRUE
  /\ back = [k \in Broker |-> FALSE]
  /\ failed = [k \in Broker |-> -1]
  /\ caught = [k \in Partition |-> {}]
  /\ running = [k \in chunk_2 |-> FALSE]
  /\ chunk = [k \in chunk_2 |-> {}]
  /\ live = [k \in Broker |-> TRUE]
  /\ settled = [k \in Partition |-> FALSE]
  /\ timer = [k \in Broker |-> -1]
  /\ gone_since = [k \in Broker |-> -1]
  /\ healing = [k \in Broker |-> FALSE]
  /\ listed = [k \in Broker |-> {}]
  /\ placed = [k \in Broker |-> {}]
  /\ plan = [k \in Broker, k2 \in Partition |-> {}]
  /\ queued = [k \in chunk_2 |-> FALSE]
  /\ heals = [k \in chunk_2 |-> None]
  /\ wanted = [k \in Broker |-> {}]
  /\ persisted = [k \in Broker |-> {}]
  /\ next_chunk = 0
  /\ automatic = [k \in chunk_2 |-> FALSE]
  /\ started = [k \in chunk_2 |-> FALSE]
  /\ target = [k \in chunk_2, k2 \in Partition |-> {}]
  /\ controller_epoch = 0
  /\ replicas \in [Partition -> SUBSET Broker]
  /\ Bound = "tiny" => replicas[0] = {0, 1}
  /\ Bound = "small" => replicas[0] = {0, 1}
  /\ Bound = "small" => replicas[1] = {2, 0}
  /\ Bound = "queue" => replicas[0] = {0, 1}
  /\ Bound = "queue" => replicas[1] = {2, 0}
  /\ Bound = "queue" => replicas[2] = {0, 1}
  /\ Bound = "submitted" => replicas[0] = {0, 1}
  /\ Bound = "submitted" => replicas[1] = {2, 0}
  /\ isr \in [Partition -> SUBSET Broker]
  /\ Bound = "tiny" => isr[0] = {0, 1}
  /\ Bound = "small" => isr[0] = {0, 1}
  /\ Bound = "small" => isr[1] = {2, 0}
  /\ Bound = "queue" => isr[0] = {0, 1}
  /\ Bound = "queue" => isr[1] = {2, 0}
  /\ Bound = "queue" => isr[2] = {0, 1}
  /\ Bound = "submitted" => isr[0] = {0, 1}
  /\ Bound = "submitted" => isr[1] = {2, 0}
  /\ interval \in time
  /\ Bound = "tiny" => (interval = -1 \/ interval = 1) = TRUE
  /\ Bound = "small" => interval = 1
  /\ Bound = "queue" => interval = 1
  /\ Bound = "submitted" => interval = 1
  /\ desired \in [Partition -> size]
  /\ Bound = "tiny" => desired[0] = 2
  /\ Bound = "small" => desired[0] = 2
  /\ Bound = "small" => desired[1] = 2
  /\ Bound = "queue" => desired[0] = 2
  /\ Bound = "queue" => desired[1] = 2
  /\ Bound = "queue" => desired[2] = 2
  /\ Bound = "submitted" => desired[0] = 2
  /\ Bound = "submitted" => desired[1] = 2
  /\ chunk_limit \in size
  /\ Bound = "tiny" => chunk_limit = 2
  /\ Bound = "small" => chunk_limit = 2
  /\ Bound = "queue" => chunk_limit = 2
  /\ Bound = "submitted" => chunk_limit = 2

Rows ==
  \/ \E to_2 \in Given_TimePasses_to : TM1(to_2)
  \/ \E b \in Given_BrokerFails_b :
       /\ alive[b]
       /\ \/ BP1(b)
          \/ SH11(b)
  \/ \E b \in Broker :
       \/ BP2(b)
       \/ SH1(b)
       \/ SH1k(b)
       \/ SH10(b)
       \/ SH2(b)
       \/ SH7(b)
       \/ SH3(b)
       \/ SH9(b)
       \/ SH3c(b)
  \/ \E p \in Partition, b \in Broker : RP1(p, b)
  \/ \E b \in Broker, p \in Partition, target_2 \in SUBSET Broker : SH3a(b, p, target_2)
  \/ \E b \in Broker, chunk_3 \in chunk_2, partitions \in SUBSET Partition : SH3b(b, chunk_3, partitions)
  \/ \E chunk_3 \in chunk_2 :
       \/ SH4(chunk_3)
       \/ SH5(chunk_3)
       \/ SH6(chunk_3)
  \/ \E chunk_3 \in chunk_2, partitions \in SUBSET Partition, target_2 \in Given_SubmitReassignment_target :
       MT1(chunk_3, partitions, target_2)
  \/ CP1
  \/ SH8

Next == Rows \/ UNCHANGED vars

Spec == Init /\ [][Next]_vars

\* The guard of some row holds: unlike in ENABLED Rows, of one too that only a range disables.
SomeRowIsEnabled ==
  \/ \E to_2 \in Given_TimePasses_to : TM1_is_enabled(to_2)
  \/ \E b \in Given_BrokerFails_b :
       /\ alive[b]
       /\ \/ BP1_is_enabled(b)
          \/ SH11_is_enabled(b)
  \/ \E b \in Broker :
       \/ (~alive[b]) = TRUE
       \/ SH1_is_enabled(b)
       \/ SH1k_is_enabled(b)
       \/ SH10_is_enabled(b)
       \/ SH2_is_enabled(b)
       \/ SH7_is_enabled(b)
       \/ SH3_is_enabled(b)
       \/ SH9_is_enabled(b)
       \/ SH3c_is_enabled(b)
  \/ \E p \in Partition, b \in Broker : RP1_is_enabled(p, b)
  \/ \E b \in Broker, p \in Partition, target_2 \in SUBSET Broker : SH3a_is_enabled(b, p, target_2)
  \/ \E b \in Broker, chunk_3 \in chunk_2, partitions \in SUBSET Partition : SH3b_is_enabled(b, chunk_3, partitions)
  \/ \E chunk_3 \in chunk_2 :
       \/ SH4_is_enabled(chunk_3)
       \/ SH5_is_enabled(chunk_3)
       \/ SH6_is_enabled(chunk_3)
  \/ \E chunk_3 \in chunk_2, partitions \in SUBSET Partition, target_2 \in Given_SubmitReassignment_target :
       MT1_is_enabled(chunk_3, partitions, target_2)
  \/ CP1_is_enabled
  \/ (~controller) = TRUE

\* A counter's range alone disables a row of the event.
OnBrokerFailure_would_leave ==
  \/ \E b \in Broker : (SH1_is_enabled(b)) /\ ~ENABLED SH1(b)

PersistChunk_would_leave ==
  \/ \E b \in Broker, chunk_3 \in chunk_2, partitions \in SUBSET Partition : (SH3b_is_enabled(b, chunk_3, partitions))
       /\ ~ENABLED SH3b(b, chunk_3, partitions)

SubmitReassignment_would_leave ==
  \/ \E chunk_3 \in chunk_2, partitions \in SUBSET Partition, target_2 \in Given_SubmitReassignment_target :
       (MT1_is_enabled(chunk_3, partitions, target_2)) /\ ~ENABLED MT1(chunk_3, partitions, target_2)

ControllerFailover_would_leave ==
  \/ ((~controller) = TRUE) /\ ~ENABLED SH8

\* Healing begins when the interval is over since a controller first heard that the broker is gone, and for one that is
\* not back for all that the controller knows: not so where it came back while there was none, its entry is still there.
\* (S1:31)
SI1 == [][(\A b \in Broker : (SH3(b) \/ SH9(b)) => (~live[b] /\ gone_since[b] + interval <= now))]_vars

SI1_where_nothing_changes == (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (SH3(b) \/ SH9(b)))) => (~live[b] /\
  gone_since[b] + interval <= now))

\* A broker that was up again since is not healed: a return of which the controller has not heard yet is not noticed.
\* (S1:23)
M6 == [][(\A b \in Broker : (SH3(b) \/ SH9(b)) => (~back[b]))]_vars

M6_where_nothing_changes == (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (SH3(b) \/ SH9(b)))) => (~back[b]))

\* The time of the first failure survives the controller, and the timer is set by it. (S1:33)
SI2 == [][((CP1 \/ SH8) => (\A b \in Broker : failed[b]' = failed[b] /\ ((missed(b) /\ controller') => timer[b]' =
  failed[b] + interval)))]_vars

SI2_where_nothing_changes == ((ENABLED (UNCHANGED vars /\ (CP1 \/ SH8))) => (\A b \in Broker : failed[b] = failed[b] /\
  ((missed(b) /\ controller) => timer[b] = failed[b] + interval)))

\* At most one task runs. (S1:42,68)
SI3 == \A k \in chunk_2, j \in chunk_2 : (running[k] /\ running[j]) => k = j

\* No task has more partitions than kafka.heal.chunk.size. (S1:105)
SI3s == \A k \in chunk_2 : queued[k] => ~(Cardinality(chunk[k]) >= chunk_limit)

\* Only tasks are dropped that were generated automatically, and not started. (S1:76)
SI4 == [][(\A chunk_3 \in chunk_2 : (SH5(chunk_3)) => (automatic[chunk_3] /\ ~started[chunk_3] /\
  ~running[chunk_3]))]_vars

SI4_where_nothing_changes == (\A chunk_3 \in chunk_2 : (ENABLED (UNCHANGED vars /\ (SH5(chunk_3)))) =>
  (automatic[chunk_3] /\ ~started[chunk_3] /\ ~running[chunk_3]))

\* The entry of a broker that is away is deleted only once a task was written for each of its partitions. (S1:83)
SI5 == [][\A b \in Broker : (missed(b) /\ failed[b]' < 0 /\ ~live[b]') => (\A p \in Partition : (p \in wanted[b] /\ b
  \in replicas[p]) => (p \in persisted[b] \/ (\E k \in chunk_2 : queued[k] /\ p \in chunk[k] /\ b \notin target[k,
  p])))]_vars

SI5_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (\A b \in Broker : (missed(b) /\ failed[b] < 0 /\
  ~live[b]) => (\A p \in Partition : (p \in wanted[b] /\ b \in replicas[p]) => (p \in persisted[b] \/ (\E k \in chunk_2
  : queued[k] /\ p \in chunk[k] /\ b \notin target[k, p]))))

\* While the tasks of a broker are being written its entry is there. (S1:83,89)
SI5h == \A b \in Broker : healing[b] => (missed(b) /\ controller)

\* The clock goes on. (S1:31)
SI1t == [][(\A to_2 \in Given_TimePasses_to : (TM1(to_2)) => (now < now'))]_vars

SI1t_where_nothing_changes == (\A to_2 \in Given_TimePasses_to : (ENABLED (UNCHANGED vars /\ (TM1(to_2)))) => (now <
  now))

\* A broker that fails was alive, and is not any more; one that returns was not, and is. (S1:63,66)
SI1p == [][(\A b \in Given_BrokerFails_b : (BP1(b) \/ SH11(b)) => (alive[b]' = (~alive[b]))) /\ (\A b \in Broker :
  (BP2(b)) => (alive[b]' = (~alive[b])))]_vars

SI1p_where_nothing_changes == (\A b \in Given_BrokerFails_b : (ENABLED (UNCHANGED vars /\ (BP1(b) \/ SH11(b)))) =>
  (alive[b] = (~alive[b]))) /\ (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (BP2(b)))) => (alive[b] = (~alive[b])))

\* It is noted of a broker with an entry, and of no other, that it was back. (S1:66)
SI1b == [][(\A b \in Broker : (BP2(b)) => (back[b]' = (back[b] \/ missed(b))))]_vars

SI1b_where_nothing_changes == (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (BP2(b)))) => (back[b] = (back[b] \/
  missed(b))))

\* A controller fails that there is, and one comes where there is none, under the next epoch. (S1:87)
SI2c == [][((CP1 \/ SH8) => (controller' = (~controller) /\ controller_epoch' = (IF controller THEN controller_epoch
  ELSE controller_epoch + 1)))]_vars

SI2c_where_nothing_changes == ((ENABLED (UNCHANGED vars /\ (CP1 \/ SH8))) => (controller = (~controller) /\
  controller_epoch = (IF controller THEN controller_epoch ELSE controller_epoch + 1)))

\* Healing begins with every partition that the broker has then, and with no task written for any of them. (S1:67,89-94)
SI6b == [][(\A b \in Broker : (SH3(b) \/ SH9(b)) => (listed[b]' = on(b) /\ wanted[b]' = on(b) /\ (persisted[b] =
  {})'))]_vars

SI6b_where_nothing_changes == (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (SH3(b) \/ SH9(b)))) => (listed[b] = on(b)
  /\ wanted[b] = on(b) /\ persisted[b] = {}))

\* A task has the partitions that are written with it, each with the brokers that were found for it. (S1:41,67)
SI6c == [][(\A b \in Broker, chunk_3 \in chunk_2, partitions \in SUBSET Partition : (SH3b(b, chunk_3, partitions)) =>
  ((queued[chunk_3] /\ heals[chunk_3] = b /\ chunk[chunk_3] = partitions)' /\ (\A p \in Partition : p \in partitions =>
  target[chunk_3, p]' = plan[b, p])))]_vars

SI6c_where_nothing_changes == (\A b \in Broker, chunk_3 \in chunk_2, partitions \in SUBSET Partition : (ENABLED
  (UNCHANGED vars /\ (SH3b(b, chunk_3, partitions)))) => (queued[chunk_3] /\ heals[chunk_3] = b /\ chunk[chunk_3] =
  partitions /\ (\A p \in Partition : p \in partitions => target[chunk_3, p] = plan[b, p])))

\* A task that was written again after a failover moves nothing that was healed, and has kept its brokers. (S1:92)
SI6 == [][(\A chunk_3 \in chunk_2 : (SH4(chunk_3)) => ((\E p \in Partition : p \in chunk[chunk_3] /\ ~settled[p]) \/
  ~automatic[chunk_3]))]_vars

SI6_where_nothing_changes == (\A chunk_3 \in chunk_2 : (ENABLED (UNCHANGED vars /\ (SH4(chunk_3)))) => ((\E p \in
  Partition : p \in chunk[chunk_3] /\ ~settled[p]) \/ ~automatic[chunk_3]))

\* A task that ends leaves a member in the ISR: violated if 'in ISR once' is meant, and that member has left. (S1:72)
M5 == [][(\A chunk_3 \in chunk_2 : (SH6(chunk_3)) => (\A p \in Partition : p \in chunk[chunk_3] => isr[p] \intersect
  target[chunk_3, p] # {}))]_vars

M5_where_nothing_changes == (\A chunk_3 \in chunk_2 : (ENABLED (UNCHANGED vars /\ (SH6(chunk_3)))) => (\A p \in
  Partition : p \in chunk[chunk_3] => isr[p] \intersect target[chunk_3, p] # {}))

\* A controller that goes and one that comes lose no entry and no task. (S1:33,87)
M8 == [][((CP1 \/ SH8) => ((\A b \in Broker : failed[b]' = failed[b]) /\ (\A k \in chunk_2 : queued[k]' = queued[k] /\
  running[k]' = running[k]) /\ (\A k \in chunk_2 : chunk[k]' = chunk[k])))]_vars

\* A broker that stays away has all its replicas moved: violated if it left while there was no controller. (S1:67-68)
Spec_SI7 == Spec /\ WF_vars((\E to_2 \in Given_TimePasses_to : TM1(to_2))) /\ ([]<>~((ENABLED <<(\E b \in Broker :
  SH1(b)) \/ (\E b \in Broker : SH1k(b)) \/ (\E b \in Broker : SH10(b))>>_vars) \/ OnBrokerFailure_would_leave) \/
  []<><<(\E b \in Broker : SH1(b)) \/ (\E b \in Broker : SH1k(b)) \/ (\E b \in Broker : SH10(b))>>_vars) /\ WF_vars((\E
  b \in Broker : SH2(b)) \/ (\E b \in Broker : SH7(b))) /\ WF_vars((\E b \in Broker : SH3(b)) \/ (\E b \in Broker :
  SH9(b))) /\ WF_vars((\E b \in Broker, p \in Partition, target_2 \in SUBSET Broker : SH3a(b, p, target_2))) /\
  ([]<>~((ENABLED <<(\E b \in Broker, chunk_3 \in chunk_2, partitions \in SUBSET Partition : SH3b(b, chunk_3,
  partitions))>>_vars) \/ PersistChunk_would_leave) \/ []<><<(\E b \in Broker, chunk_3 \in chunk_2, partitions \in
  SUBSET Partition : SH3b(b, chunk_3, partitions))>>_vars) /\ WF_vars((\E b \in Broker : SH3c(b))) /\ WF_vars((\E
  chunk_3 \in chunk_2 : SH4(chunk_3))) /\ WF_vars((\E chunk_3 \in chunk_2 : SH5(chunk_3))) /\ WF_vars((\E p \in
  Partition, b \in Broker : RP1(p, b))) /\ WF_vars((\E chunk_3 \in chunk_2 : SH6(chunk_3))) /\ ([]<>~((ENABLED
  <<(SH8)>>_vars) \/ ControllerFailover_would_leave) \/ []<><<(SH8)>>_vars)
SI7 == ((\E p \in Partition, b \in Broker : b \in replicas[p] /\ ~alive[b]) /\ interval # -1) ~> (~((\E p \in Partition,
  b \in Broker : b \in replicas[p] /\ ~alive[b]) /\ interval # -1))

SI7_inside_the_ranges == (OnBrokerFailure_would_leave \/ PersistChunk_would_leave \/ SubmitReassignment_would_leave \/
  ControllerFailover_would_leave) => (~((\E p \in Partition, b \in Broker : b \in replicas[p] /\ ~alive[b]) /\ interval
  # -1))

\* Some broker is healed. (S1:67)
\* TLC is asked that this never holds; a violation is the witness.
SIw1 == ~(\E b \in Broker : healing[b])

\* Some task runs. (S1:68)
\* TLC is asked that this never holds; a violation is the witness.
SIw2 == ~(\E k \in chunk_2 : running[k])

\* Some partition was healed. (S1:68)
\* TLC is asked that this never holds; a violation is the witness.
SIw3 == ~(\E p \in Partition : settled[p] /\ replicas[p] # {})

\* For SI3: what runs is in the queue.
SL1 == \A k \in chunk_2 : running[k] => queued[k]

\* For SI3: numbers still to come are free.
SL2 == \A k \in chunk_2 : next_chunk <= k => (~queued[k] /\ ~automatic[k] /\ heals[k] = None)

\* For SI4: what was started runs.
SL3 == \A k \in chunk_2 : (queued[k] /\ started[k]) => running[k]

\* For SI5: what is to be covered is listed, placed, or written.
SL4 == \A b \in Broker : healing[b] => (\A p \in Partition : p \in wanted[b] => (p \in listed[b] \/ p \in placed[b] \/ p
  \in persisted[b]))

\* For SI5h: no timer without an entry, or when it has fired.
SL5 == \A b \in Broker : ((missed(b) /\ ~healing[b]) \/ timer[b] < 0) /\ (missed(b) \/ failed[b] = -1)

\* For SI5h: timers are of a controller that lives.
SL6 == controller \/ (\A b \in Broker : timer[b] < 0)

\* For SI6: every task leads to as many replicas as there are to be.
SL7 == \A k \in chunk_2, p \in Partition : (queued[k] /\ automatic[k] /\ p \in chunk[k]) => Cardinality(target[k, p]) >=
  desired[p]

\* For SL7: so does every plan.
SL8 == \A b \in Broker, p \in Partition : p \in placed[b] => Cardinality(plan[b, p]) >= desired[p]

\* For SI6: what was healed has its replicas.
SL9 == \A p \in Partition : settled[p] => (Cardinality(replicas[p]) >= desired[p] /\ (~controller \/ replicas[p]
  \subseteq known_live))

\* Memory is of a controller that lives.
SL10 == \A b \in Broker : live[b] => controller

\* For SI5h: the clock does not go back.
SL11 == 0 <= now

\* For SI1: the entry has the time of the death.
SL12 == \A b \in Broker : missed(b) => failed[b] = gone_since[b]

\* For SI1: timers are of entries.
SL13 == \A b \in Broker : 0 <= timer[b] => timer[b] = failed[b] + interval

\* For M5 where it is repaired: every task has a target.
SL14 == \A k \in chunk_2, p \in Partition : (queued[k] /\ p \in chunk[k]) => target[k, p] # {}

\* With an interval of -1 no broker is ever considered failed. (S1:112)
SI8 == off => (\A b \in Broker : ~missed(b))

\* While there is a controller a timer runs for every entry, to the time of the first failure and the interval.
\* (S1:31,33,65)
SI9 == \A b \in Broker : (controller /\ missed(b) /\ ~healing[b]) => timer[b] = failed[b] + interval

\* An entry is made when a controller first hears that a broker is dead, with that time, which stays. (S1:29-33)
SI10 == [][(\A to_2 \in Given_TimePasses_to : (TM1(to_2)) => (\A b \in Broker : (missed(b) => (failed[b]' = failed[b] \/
  failed[b]' = -1)) /\ ((~missed(b) /\ missed(b)') => (controller /\ live[b] /\ ~alive[b] /\ failed[b]' = now /\
  ~live[b]')))) /\ (\A b \in Given_BrokerFails_b : (BP1(b) \/ SH11(b)) => (\A b_2 \in Broker : (missed(b_2) =>
  (failed[b_2]' = failed[b_2] \/ failed[b_2]' = -1)) /\ ((~missed(b_2) /\ missed(b_2)') => (controller /\ live[b_2] /\
  ~alive[b_2] /\ failed[b_2]' = now /\ ~live[b_2]')))) /\ (\A b \in Broker : (BP2(b) \/ SH1(b) \/ SH1k(b) \/ SH10(b) \/
  SH2(b) \/ SH7(b) \/ SH3(b) \/ SH9(b) \/ SH3c(b)) => (\A b_2 \in Broker : (missed(b_2) => (failed[b_2]' = failed[b_2]
  \/ failed[b_2]' = -1)) /\ ((~missed(b_2) /\ missed(b_2)') => (controller /\ live[b_2] /\ ~alive[b_2] /\ failed[b_2]' =
  now /\ ~live[b_2]')))) /\ (\A p \in Partition, b \in Broker : (RP1(p, b)) => (\A b_2 \in Broker : (missed(b_2) =>
  (failed[b_2]' = failed[b_2] \/ failed[b_2]' = -1)) /\ ((~missed(b_2) /\ missed(b_2)') => (controller /\ live[b_2] /\
  ~alive[b_2] /\ failed[b_2]' = now /\ ~live[b_2]')))) /\ (\A b \in Broker, p \in Partition, target_2 \in SUBSET Broker
  : (SH3a(b, p, target_2)) => (\A b_2 \in Broker : (missed(b_2) => (failed[b_2]' = failed[b_2] \/ failed[b_2]' = -1)) /\
  ((~missed(b_2) /\ missed(b_2)') => (controller /\ live[b_2] /\ ~alive[b_2] /\ failed[b_2]' = now /\ ~live[b_2]')))) /\
  (\A b \in Broker, chunk_3 \in chunk_2, partitions \in SUBSET Partition : (SH3b(b, chunk_3, partitions)) => (\A b_2 \in
  Broker : (missed(b_2) => (failed[b_2]' = failed[b_2] \/ failed[b_2]' = -1)) /\ ((~missed(b_2) /\ missed(b_2)') =>
  (controller /\ live[b_2] /\ ~alive[b_2] /\ failed[b_2]' = now /\ ~live[b_2]')))) /\ (\A chunk_3 \in chunk_2 :
  (SH4(chunk_3) \/ SH5(chunk_3) \/ SH6(chunk_3)) => (\A b \in Broker : (missed(b) => (failed[b]' = failed[b] \/
  failed[b]' = -1)) /\ ((~missed(b) /\ missed(b)') => (controller /\ live[b] /\ ~alive[b] /\ failed[b]' = now /\
  ~live[b]')))) /\ (\A chunk_3 \in chunk_2, partitions \in SUBSET Partition, target_2 \in
  Given_SubmitReassignment_target : (MT1(chunk_3, partitions, target_2)) => (\A b \in Broker : (missed(b) => (failed[b]'
  = failed[b] \/ failed[b]' = -1)) /\ ((~missed(b) /\ missed(b)') => (controller /\ live[b] /\ ~alive[b] /\ failed[b]' =
  now /\ ~live[b]'))))]_vars

\* A broker that is found dead has an entry, is live no more, and leaves every ISR that has another member.
\* (S1:29,63-64)
SI11 == [][(\A b \in Broker : (SH1(b) \/ SH1k(b) \/ SH10(b)) => (~live[b]' /\ (\A q \in Partition : isr[q]' = (IF isr[q]
  \ {b} = {} THEN isr[q] ELSE isr[q] \ {b})) /\ missed(b)' = (~off)))]_vars

SI11_where_nothing_changes == (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (SH1(b) \/ SH1k(b) \/ SH10(b)))) =>
  (~live[b] /\ (\A q \in Partition : isr[q] = (IF isr[q] \ {b} = {} THEN isr[q] ELSE isr[q] \ {b})) /\ missed(b) =
  (~off)))

\* A broker that is found to be back is live, and has no entry and no timer: nothing of it is healed any more.
\* (S1:31,66,82)
SI12 == [][(\A b \in Broker : (SH2(b) \/ SH7(b)) => (live[b]' /\ ~missed(b)' /\ timer[b]' < 0 /\ ~healing[b]'))]_vars

SI12_where_nothing_changes == (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (SH2(b) \/ SH7(b)))) => (live[b] /\
  ~missed(b) /\ timer[b] < 0 /\ ~healing[b]))

\* A new controller knows who is there. (S1:87)
SI13 == [][((SH8) => (\A b \in Broker : live[b]' = alive[b]))]_vars

SI13_where_nothing_changes == ((ENABLED (UNCHANGED vars /\ (SH8))) => (\A b \in Broker : live[b] = alive[b]))

\* Without a controller no entry comes or goes, no task is begun or ended, and no partition is moved. (S1:33,87)
SI14 == [][(\A to_2 \in Given_TimePasses_to : (TM1(to_2)) => (~controller => ((\A b \in Broker : failed[b]' = failed[b])
  /\ (\A k \in chunk_2 : running[k]' = running[k] /\ (queued[k] => queued[k]')) /\ (\A q \in Partition : replicas[q]' =
  replicas[q])))) /\ (\A b \in Given_BrokerFails_b : (BP1(b) \/ SH11(b)) => (~controller => ((\A b_2 \in Broker :
  failed[b_2]' = failed[b_2]) /\ (\A k \in chunk_2 : running[k]' = running[k] /\ (queued[k] => queued[k]')) /\ (\A q \in
  Partition : replicas[q]' = replicas[q])))) /\ (\A b \in Broker : (BP2(b) \/ SH1(b) \/ SH1k(b) \/ SH10(b) \/ SH2(b) \/
  SH7(b) \/ SH3(b) \/ SH9(b) \/ SH3c(b)) => (~controller => ((\A b_2 \in Broker : failed[b_2]' = failed[b_2]) /\ (\A k
  \in chunk_2 : running[k]' = running[k] /\ (queued[k] => queued[k]')) /\ (\A q \in Partition : replicas[q]' =
  replicas[q])))) /\ (\A p \in Partition, b \in Broker : (RP1(p, b)) => (~controller => ((\A b_2 \in Broker :
  failed[b_2]' = failed[b_2]) /\ (\A k \in chunk_2 : running[k]' = running[k] /\ (queued[k] => queued[k]')) /\ (\A q \in
  Partition : replicas[q]' = replicas[q])))) /\ (\A b \in Broker, p \in Partition, target_2 \in SUBSET Broker : (SH3a(b,
  p, target_2)) => (~controller => ((\A b_2 \in Broker : failed[b_2]' = failed[b_2]) /\ (\A k \in chunk_2 : running[k]'
  = running[k] /\ (queued[k] => queued[k]')) /\ (\A q \in Partition : replicas[q]' = replicas[q])))) /\ (\A b \in
  Broker, chunk_3 \in chunk_2, partitions \in SUBSET Partition : (SH3b(b, chunk_3, partitions)) => (~controller => ((\A
  b_2 \in Broker : failed[b_2]' = failed[b_2]) /\ (\A k \in chunk_2 : running[k]' = running[k] /\ (queued[k] =>
  queued[k]')) /\ (\A q \in Partition : replicas[q]' = replicas[q])))) /\ (\A chunk_3 \in chunk_2 : (SH4(chunk_3) \/
  SH5(chunk_3) \/ SH6(chunk_3)) => (~controller => ((\A b \in Broker : failed[b]' = failed[b]) /\ (\A k \in chunk_2 :
  running[k]' = running[k] /\ (queued[k] => queued[k]')) /\ (\A q \in Partition : replicas[q]' = replicas[q])))) /\ (\A
  chunk_3 \in chunk_2, partitions \in SUBSET Partition, target_2 \in Given_SubmitReassignment_target : (MT1(chunk_3,
  partitions, target_2)) => (~controller => ((\A b \in Broker : failed[b]' = failed[b]) /\ (\A k \in chunk_2 :
  running[k]' = running[k] /\ (queued[k] => queued[k]')) /\ (\A q \in Partition : replicas[q]' = replicas[q]))))]_vars

\* The clock does not go back. (S1:31)
SI15 == [][now <= now']_vars

\* When the timer fires all partitions of the broker are listed, once. (S1:37,67)
SI16 == [][(\A b \in Broker : (SH3(b) \/ SH9(b)) => (healing[b]' /\ listed[b]' = on(b) /\ timer[b]' < 0))]_vars

SI16_where_nothing_changes == (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (SH3(b) \/ SH9(b)))) => (healing[b] /\
  listed[b] = on(b) /\ timer[b] < 0))

\* What is planned is for a broker that is being healed, and for partitions that are no longer to be placed. (S1:67)
SI17 == \A b \in Broker : (healing[b] \/ (listed[b] = {} /\ placed[b] = {})) /\ (\A p \in Partition : (p \in placed[b]
  /\ p \notin listed[b]) \/ plan[b, p] = {})

\* New replicas are on live brokers, and those that are live stay. (S1:13,67)
SI18 == [][(\A b \in Broker, p \in Partition, target_2 \in SUBSET Broker : (SH3a(b, p, target_2)) => (target_2 \subseteq
  known_live /\ (replicas[p] \intersect known_live) \ {b} \subseteq target_2 /\ plan[b, p]' = target_2))]_vars

SI18_where_nothing_changes == (\A b \in Broker, p \in Partition, target_2 \in SUBSET Broker : (ENABLED (UNCHANGED vars
  /\ (SH3a(b, p, target_2)))) => (target_2 \subseteq known_live /\ (replicas[p] \intersect known_live) \ {b} \subseteq
  target_2 /\ plan[b, p] = target_2))

\* No plan and no task for a failed broker leaves anything on it. (S1:13,37)
SI19 == \A b \in Broker : (\A p \in Partition : (p \in placed[b] \/ p \in listed[b]) => b \notin plan[b, p]) /\ (\A k
  \in chunk_2 : heals[k] = b => (\A p \in Partition : b \notin target[k, p]))

\* A chunk that is written is a task of its own at the end of the queue, and has the next number. (S1:52,67)
SI20 == [][(\A b \in Broker, chunk_3 \in chunk_2, partitions \in SUBSET Partition : (SH3b(b, chunk_3, partitions)) =>
  (queued[chunk_3]' /\ (\A k \in chunk_2 : queued[k] => k < chunk_3) /\ next_chunk' = chunk_3 + 1 /\ chunk[chunk_3]' =
  partitions /\ partitions # {} /\ ~running[chunk_3]')) /\ (\A chunk_3 \in chunk_2, partitions \in SUBSET Partition,
  target_2 \in Given_SubmitReassignment_target : (MT1(chunk_3, partitions, target_2)) => (queued[chunk_3]' /\ (\A k \in
  chunk_2 : queued[k] => k < chunk_3) /\ next_chunk' = chunk_3 + 1 /\ chunk[chunk_3]' = partitions /\ partitions # {} /\
  ~running[chunk_3]'))]_vars

SI20_where_nothing_changes == (\A b \in Broker, chunk_3 \in chunk_2, partitions \in SUBSET Partition : (ENABLED
  (UNCHANGED vars /\ (SH3b(b, chunk_3, partitions)))) => (queued[chunk_3] /\ (\A k \in chunk_2 : queued[k] => k <
  chunk_3) /\ next_chunk = chunk_3 + 1 /\ chunk[chunk_3] = partitions /\ partitions # {} /\ ~running[chunk_3])) /\ (\A
  chunk_3 \in chunk_2, partitions \in SUBSET Partition, target_2 \in Given_SubmitReassignment_target : (ENABLED
  (UNCHANGED vars /\ (MT1(chunk_3, partitions, target_2)))) => (queued[chunk_3] /\ (\A k \in chunk_2 : queued[k] => k <
  chunk_3) /\ next_chunk = chunk_3 + 1 /\ chunk[chunk_3] = partitions /\ partitions # {} /\ ~running[chunk_3]))

\* Once new replicas are found for all partitions they are written, chunk by chunk, with the broker that they are for.
\* (S1:67)
SI21 == [][(\A b \in Broker, chunk_3 \in chunk_2, partitions \in SUBSET Partition : (SH3b(b, chunk_3, partitions)) =>
  (heals[chunk_3]' = b /\ listed[b] = {} /\ (\A q \in Partition : q \in partitions => (target[chunk_3, q]' = plan[b, q]
  /\ ~(q \in placed[b])'))))]_vars

SI21_where_nothing_changes == (\A b \in Broker, chunk_3 \in chunk_2, partitions \in SUBSET Partition : (ENABLED
  (UNCHANGED vars /\ (SH3b(b, chunk_3, partitions)))) => (heals[chunk_3] = b /\ listed[b] = {} /\ (\A q \in Partition :
  q \in partitions => (target[chunk_3, q] = plan[b, q] /\ q \notin placed[b]))))

\* A task is marked as generated where it is for a failed broker, has some partition, and leaves nothing when it is
\* over. (S1:58,76)
SI22 == \A k \in chunk_2 : automatic[k] = (heals[k] # None) /\ (queued[k] \/ (~automatic[k] /\ chunk[k] = {})) /\
  (chunk[k] = {}) = (~queued[k]) /\ (\A p \in Partition : p \in chunk[k] \/ target[k, p] = {})

\* Once the tasks are written the entry is deleted. (S1:83)
SI23 == [][(\A b \in Broker : (SH3c(b)) => (~missed(b)' /\ ~healing[b]'))]_vars

SI23_where_nothing_changes == (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (SH3c(b)))) => (~missed(b) /\ ~healing[b]))

\* Tasks are begun, ended and dropped in their order. (S1:52,58,68)
SI24 == [][\A k \in chunk_2 : ((queued[k] /\ ~queued[k]') \/ (~running[k] /\ running[k]')) => (queued[k] /\ (\A j \in
  chunk_2 : queued[j] => k <= j))]_vars

\* The task that runs is the first of the queue. (S1:58,68)
SI34 == \A k \in chunk_2 : running[k] => (\A j \in chunk_2 : queued[j] => k <= j)

\* A generated task is dropped where all its partitions have the desired number of replicas, and begun elsewhere.
\* (S1:76,92)
SI25 == [][(\A chunk_3 \in chunk_2 : (SH4(chunk_3) \/ SH5(chunk_3)) => (running[chunk_3]' = (~(automatic[chunk_3] /\
  satisfied(chunk_3))) /\ queued[chunk_3]' = running[chunk_3]'))]_vars

SI25_where_nothing_changes == (\A chunk_3 \in chunk_2 : (ENABLED (UNCHANGED vars /\ (SH4(chunk_3) \/ SH5(chunk_3)))) =>
  (running[chunk_3] = (~(automatic[chunk_3] /\ satisfied(chunk_3))) /\ queued[chunk_3] = running[chunk_3]))

\* A task that is begun adds its targets to the replicas of its partitions. (S1:48-50)
SI26 == [][(\A chunk_3 \in chunk_2 : (SH4(chunk_3)) => (\A q \in Partition : replicas[q]' = (IF q \in chunk[chunk_3]
  THEN replicas[q] \union target[chunk_3, q] ELSE replicas[q]) /\ isr[q]' = isr[q]))]_vars

SI26_where_nothing_changes == (\A chunk_3 \in chunk_2 : (ENABLED (UNCHANGED vars /\ (SH4(chunk_3)))) => (\A q \in
  Partition : replicas[q] = (IF q \in chunk[chunk_3] THEN replicas[q] \union target[chunk_3, q] ELSE replicas[q]) /\
  isr[q] = isr[q]))

\* A task ends when all its targets have been in the ISR once, and leaves its partitions on them alone. (S1:58,72)
SI27 == [][(\A chunk_3 \in chunk_2 : (SH6(chunk_3)) => ((\A q \in Partition : IF q \in chunk[chunk_3] THEN
  target[chunk_3, q] \subseteq caught[q] /\ replicas[q]' = target[chunk_3, q] /\ isr[q]' = isr[q] \intersect
  target[chunk_3, q] ELSE replicas[q]' = replicas[q] /\ isr[q]' = isr[q]) /\ ~queued[chunk_3]' /\ controller))]_vars

SI27_where_nothing_changes == (\A chunk_3 \in chunk_2 : (ENABLED (UNCHANGED vars /\ (SH6(chunk_3)))) => ((\A q \in
  Partition : IF q \in chunk[chunk_3] THEN target[chunk_3, q] \subseteq caught[q] /\ replicas[q] = target[chunk_3, q] /\
  isr[q] = isr[q] \intersect target[chunk_3, q] ELSE replicas[q] = replicas[q] /\ isr[q] = isr[q]) /\ ~queued[chunk_3]
  /\ controller))

\* Nothing but a task moves a partition. (S1:48-50)
SI28 == [][(\A to_2 \in Given_TimePasses_to : (TM1(to_2)) => (\A q \in Partition : replicas[q]' = replicas[q])) /\ (\A b
  \in Given_BrokerFails_b : (BP1(b) \/ SH11(b)) => (\A q \in Partition : replicas[q]' = replicas[q])) /\ (\A b \in
  Broker : (BP2(b) \/ SH1(b) \/ SH1k(b) \/ SH10(b) \/ SH2(b) \/ SH7(b) \/ SH3(b) \/ SH9(b) \/ SH3c(b)) => (\A q \in
  Partition : replicas[q]' = replicas[q])) /\ (\A p \in Partition, b \in Broker : (RP1(p, b)) => (\A q \in Partition :
  replicas[q]' = replicas[q])) /\ (\A b \in Broker, p \in Partition, target_2 \in SUBSET Broker : (SH3a(b, p, target_2))
  => (\A q \in Partition : replicas[q]' = replicas[q])) /\ (\A b \in Broker, chunk_3 \in chunk_2, partitions \in SUBSET
  Partition : (SH3b(b, chunk_3, partitions)) => (\A q \in Partition : replicas[q]' = replicas[q])) /\ (\A chunk_3 \in
  chunk_2 : (SH5(chunk_3)) => (\A q \in Partition : replicas[q]' = replicas[q])) /\ (\A chunk_3 \in chunk_2, partitions
  \in SUBSET Partition, target_2 \in Given_SubmitReassignment_target : (MT1(chunk_3, partitions, target_2)) => (\A q \in
  Partition : replicas[q]' = replicas[q])) /\ ((CP1 \/ SH8) => (\A q \in Partition : replicas[q]' = replicas[q]))]_vars

\* In a partition that a task moves every ISR member counts as caught up, in others no broker does. (S1:72)
SI29 == \A p \in Partition : IF being_moved(p) THEN ~controller \/ isr[p] \subseteq caught[p] ELSE caught[p] = {}

\* Only current and former ISR members count as caught up. (S1:72)
SI30 == [][\A q \in Partition : caught[q]' \subseteq caught[q] \union isr[q]']_vars

SI30_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (\A q \in Partition : caught[q] \subseteq caught[q]
  \union isr[q])

\* Only a replica that has caught up joins an ISR: no task adds a broker that is not in sync. (S1:72)
SI31 == [][(\A to_2 \in Given_TimePasses_to : (TM1(to_2)) => (\A q \in Partition : isr[q]' \subseteq isr[q])) /\ (\A b
  \in Given_BrokerFails_b : (BP1(b) \/ SH11(b)) => (\A q \in Partition : isr[q]' \subseteq isr[q])) /\ (\A b \in Broker
  : (BP2(b) \/ SH1(b) \/ SH1k(b) \/ SH10(b) \/ SH2(b) \/ SH7(b) \/ SH3(b) \/ SH9(b) \/ SH3c(b)) => (\A q \in Partition :
  isr[q]' \subseteq isr[q])) /\ (\A b \in Broker, p \in Partition, target_2 \in SUBSET Broker : (SH3a(b, p, target_2))
  => (\A q \in Partition : isr[q]' \subseteq isr[q])) /\ (\A b \in Broker, chunk_3 \in chunk_2, partitions \in SUBSET
  Partition : (SH3b(b, chunk_3, partitions)) => (\A q \in Partition : isr[q]' \subseteq isr[q])) /\ (\A chunk_3 \in
  chunk_2 : (SH4(chunk_3) \/ SH5(chunk_3) \/ SH6(chunk_3)) => (\A q \in Partition : isr[q]' \subseteq isr[q])) /\ (\A
  chunk_3 \in chunk_2, partitions \in SUBSET Partition, target_2 \in Given_SubmitReassignment_target : (MT1(chunk_3,
  partitions, target_2)) => (\A q \in Partition : isr[q]' \subseteq isr[q])) /\ ((CP1 \/ SH8) => (\A q \in Partition :
  isr[q]' \subseteq isr[q]))]_vars

\* A broker that joins an ISR is a replica that is live, and no member leaves for it. (S1:72)
SI32 == [][(\A p \in Partition, b \in Broker : (RP1(p, b)) => (b \in replicas[p] /\ alive[b] /\ isr[p] # {} /\ (b \in
  isr[p])' /\ (\A x \in Broker : x \in isr[p] => (x \in isr[p])')))]_vars

SI32_where_nothing_changes == (\A p \in Partition, b \in Broker : (ENABLED (UNCHANGED vars /\ (RP1(p, b)))) => (b \in
  replicas[p] /\ alive[b] /\ isr[p] # {} /\ b \in isr[p] /\ (\A x \in Broker : x \in isr[p] => x \in isr[p])))

\* No failure empties an ISR: its last member stays. (S1:29)
SI33 == [][(\A to_2 \in Given_TimePasses_to : (TM1(to_2)) => (\A q \in Partition : isr[q] # {} => ~(isr[q] = {})')) /\
  (\A b \in Given_BrokerFails_b : (BP1(b) \/ SH11(b)) => (\A q \in Partition : isr[q] # {} => ~(isr[q] = {})')) /\ (\A b
  \in Broker : (BP2(b) \/ SH1(b) \/ SH1k(b) \/ SH10(b) \/ SH2(b) \/ SH7(b) \/ SH3(b) \/ SH9(b) \/ SH3c(b)) => (\A q \in
  Partition : isr[q] # {} => ~(isr[q] = {})')) /\ (\A p \in Partition, b \in Broker : (RP1(p, b)) => (\A q \in Partition
  : isr[q] # {} => ~(isr[q] = {})')) /\ (\A b \in Broker, p \in Partition, target_2 \in SUBSET Broker : (SH3a(b, p,
  target_2)) => (\A q \in Partition : isr[q] # {} => ~(isr[q] = {})')) /\ (\A b \in Broker, chunk_3 \in chunk_2,
  partitions \in SUBSET Partition : (SH3b(b, chunk_3, partitions)) => (\A q \in Partition : isr[q] # {} => ~(isr[q] =
  {})')) /\ (\A chunk_3 \in chunk_2 : (SH4(chunk_3) \/ SH5(chunk_3)) => (\A q \in Partition : isr[q] # {} => ~(isr[q] =
  {})')) /\ (\A chunk_3 \in chunk_2, partitions \in SUBSET Partition, target_2 \in Given_SubmitReassignment_target :
  (MT1(chunk_3, partitions, target_2)) => (\A q \in Partition : isr[q] # {} => ~(isr[q] = {})')) /\ ((CP1 \/ SH8) => (\A
  q \in Partition : isr[q] # {} => ~(isr[q] = {})'))]_vars
================================================================================
