-------------------------------- MODULE kip343 ---------------------------------
\* kip343: KIP-343: brokers heartbeat to the controller, which declares the silent ones Inactive; the cut off fence
\* themselves.
\* Made from the tables of kip343 2f2bab86fd9e; not to be edited.
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS NumberBroker, Maxczxid, Maxtime, Maxduration, NumberPartition, Maxleader_epoch, None

Broker == 0..(NumberBroker - 1)
BrokerState == {"INITIAL", "INACTIVE", "ACTIVE", "STOPPING"}
czxid_2 == 0..Maxczxid
Error == {"NONE", "INVALID_INCARNATION_ID", "INVALID_REQUEST", "NOT_CONTROLLER", "NOT_LEADER_FOR_PARTITION", "BAD_VERSION"}
time == 0..Maxtime
duration == 0..Maxduration
Partition == 0..(NumberPartition - 1)
leader_epoch_2 == -1..Maxleader_epoch

Pick(S) == CHOOSE x \in S : TRUE
Put(f, updates) == [k \in DOMAIN f |-> LET u == {x \in updates : x.at = k} IN IF u = {} THEN f[k] ELSE Pick(u).to]

VARIABLES controller, asked, asked_target, answered, running, own_incarnation, answer_error, answer_state, of_former,
  incarnation, state, last_contact, now, known_legacy, accepted, unanswered, timed_out, controller_timeout, legacy,
  shutting_down, asked_incarnation, other, registered, last_reply, fenced, heard, broker_timeout, leader, isr,
  leader_epoch, leader_in, metadata, believes, replicas, czxid

vars == <<controller, asked, asked_target, answered, running, own_incarnation, answer_error, answer_state, of_former,
  incarnation, state, last_contact, now, known_legacy, accepted, unanswered, timed_out, controller_timeout, legacy,
  shutting_down, asked_incarnation, other, registered, last_reply, fenced, heard, broker_timeout, leader, isr,
  leader_epoch, leader_in, metadata, believes, replicas, czxid>>

answered_and_others == <<answered, answer_error, answer_state>>

never_written == <<controller_timeout, broker_timeout, replicas>>

leader_and_others == <<leader, leader_epoch, leader_in>>

wants_stopping(target) == target = "STOPPING"

wants_active(target) == target = "ACTIVE"

handles_traffic(b) == state[b] = "ACTIVE" \/ state[b] = "STOPPING"

watched(b) == controller /\ ~known_legacy[b] /\ handles_traffic(b)

in_cluster(current_state) == current_state = "ACTIVE" \/ current_state = "STOPPING"

fences_itself(x) == running[x] /\ ~legacy[x] /\ ~fenced[x]

gone(b) == registered[b] = 0 /\ (state[b] # "INACTIVE" \/ known_legacy[b])

reads_znode(x) == legacy[x] /\ 0 < registered[x]

must_move(p) == leader[p] = None \/ leader[p] \notin {x \in Broker : state[x] = "ACTIVE"}

candidates(p) == {x \in Broker : x \in isr[p] /\ state[x] = "ACTIVE"}

served == {x \in Broker : handles_traffic(x)}

lost_leader(p) == leader[p] # None /\ leader[p] \notin served /\ candidates(p) = {}

hears_metadata(b) == controller /\ running[b] /\ 0 < own_incarnation[b] /\ incarnation[b] = own_incarnation[b]

not_leader(p, b, leader_epoch_3) == leader[p] # b \/ leader_epoch_3 # leader_epoch[p]

malformed(isr_2, p, b) == isr_2 = {} \/ ~(isr_2 \subseteq replicas[p]) \/ b \notin isr_2

same_incarnation(b) == incarnation[b] = own_incarnation[b]

serves(x, p) == running[x] /\ ~fenced[x] /\ 0 <= believes[x, p]

waits(b) == running[b] /\ ~legacy[b] /\ registered[b] = own_incarnation[b] /\ 0 < registered[b] /\ state[b] = "INACTIVE"

bounced(b) == incarnation[b] < registered[b]

dead(b) == ~running[b] /\ handles_traffic(b)

overdue(b) == watched(b) /\ last_contact[b] + controller_timeout < now

shut_out(b) == running[b] /\ ~legacy[b] /\ fenced[b] /\ handles_traffic(b)

stranded(p) == controller /\ must_move(p) /\ candidates(p) # {}

\* The heartbeat is no longer on its way; its answer is, if the process that sent it is there.
answers(b, incarnation_2, error, state_2) ==
  [asked |-> {[at |-> b, to |-> FALSE]}, asked_target |-> {[at |-> b, to |-> "ACTIVE"]}, answered |-> {[at |-> b, to |->
      running[b] /\ incarnation_2 <= own_incarnation[b]]}, answer_error |-> {[at |-> b, to |-> IF running[b] /\
      incarnation_2 <= own_incarnation[b] THEN error ELSE "NONE"]}, answer_state |-> {[at |-> b, to |-> IF running[b] /\
      incarnation_2 <= own_incarnation[b] THEN state_2 ELSE "INITIAL"]}, of_former |-> {[at |-> b, to |-> FALSE]}]

\* The heartbeat counts as contact: of this incarnation, and of no legacy broker.
accepts(b, incarnation_2, state_2) ==
  [incarnation |-> {[at |-> b, to |-> incarnation_2]}, state |-> {[at |-> b, to |-> state_2]}, last_contact |-> {[at |->
      b, to |-> now]}, known_legacy |-> {[at |-> b, to |-> FALSE]}, accepted |-> {[at |-> b, to |-> incarnation_2]},
      unanswered |-> {[at |-> b, to |-> TRUE]}, timed_out |-> {[at |-> b, to |-> FALSE]}, asked |-> answers(b,
      incarnation_2, "NONE", state_2).asked, asked_target |-> answers(b, incarnation_2, "NONE", state_2).asked_target,
      answered |-> answers(b, incarnation_2, "NONE", state_2).answered, answer_error |-> answers(b, incarnation_2,
      "NONE", state_2).answer_error, answer_state |-> answers(b, incarnation_2, "NONE", state_2).answer_state, of_former
      |-> answers(b, incarnation_2, "NONE", state_2).of_former]

\* Nothing of the broker is under way.
clears_messages(b) ==
  [asked |-> {[at |-> b, to |-> FALSE]}, asked_incarnation |-> {[at |-> b, to |-> 0]}, asked_target |-> {[at |-> b, to
      |-> "ACTIVE"]}, answered |-> {[at |-> b, to |-> FALSE]}, answer_error |-> {[at |-> b, to |-> "NONE"]},
      answer_state |-> {[at |-> b, to |-> "INITIAL"]}, of_former |-> {[at |-> b, to |-> FALSE]}]

\* The process has no metadata and leads nothing.
knows_nothing(b) ==
  [metadata |-> {[at |-> b, to |-> {}]}, believes |-> {[at |-> <<b, p>>, to |-> -1] : p \in Partition}]

H3s_applies(b, incarnation_2, target) == incarnation[b] < incarnation_2 /\ wants_stopping(target)

H3a_applies(b, incarnation_2, target) == incarnation[b] < incarnation_2 /\ wants_active(target)

H8_applies(error, current_state) == error = "NONE" /\ in_cluster(current_state)

\* S0:90
H1_is_enabled(b, incarnation_2, target, valid) ==
  /\ controller
  /\ asked[b]
  /\ incarnation_2 = asked_incarnation[b]
  /\ target = asked_target[b]
  /\ (target = "ACTIVE" \/ target = "STOPPING") = TRUE
  /\ (~valid) = TRUE

H1(b, incarnation_2, target, valid) ==
  /\ H1_is_enabled(b, incarnation_2, target, valid)
  /\ LET answers_1 == answers(b, incarnation_2, "INVALID_REQUEST", "INITIAL")
     IN
     /\ asked' = Put(asked, answers_1.asked)
     /\ asked_target' = Put(asked_target, answers_1.asked_target)
     /\ answered' = Put(answered, answers_1.answered)
     /\ answer_error' = Put(answer_error, answers_1.answer_error)
     /\ answer_state' = Put(answer_state, answers_1.answer_state)
     /\ of_former' = Put(of_former, answers_1.of_former)
  /\ UNCHANGED <<controller, running, own_incarnation, incarnation, state, last_contact, now, known_legacy, accepted,
         unanswered, timed_out, legacy, shutting_down, asked_incarnation, other, registered, last_reply, fenced, heard,
         isr, metadata, believes, czxid, never_written, leader_and_others>>

\* S0:56,88
H2_is_enabled(b, incarnation_2, target, valid) ==
  /\ controller
  /\ asked[b]
  /\ incarnation_2 = asked_incarnation[b]
  /\ target = asked_target[b]
  /\ (target = "ACTIVE" \/ target = "STOPPING") = TRUE
  /\ incarnation_2 < incarnation[b]
  /\ valid

H2(b, incarnation_2, target, valid) ==
  /\ H2_is_enabled(b, incarnation_2, target, valid)
  /\ LET answers_1 == answers(b, incarnation_2, "INVALID_INCARNATION_ID", "INITIAL")
     IN
     /\ asked' = Put(asked, answers_1.asked)
     /\ asked_target' = Put(asked_target, answers_1.asked_target)
     /\ answered' = Put(answered, answers_1.answered)
     /\ answer_error' = Put(answer_error, answers_1.answer_error)
     /\ answer_state' = Put(answer_state, answers_1.answer_state)
     /\ of_former' = Put(of_former, answers_1.of_former)
  /\ UNCHANGED <<controller, running, own_incarnation, incarnation, state, last_contact, now, known_legacy, accepted,
         unanswered, timed_out, legacy, shutting_down, asked_incarnation, other, registered, last_reply, fenced, heard,
         isr, metadata, believes, czxid, never_written, leader_and_others>>

\* S0:26,56
H3s_is_enabled(b, incarnation_2, target, valid) ==
  /\ controller
  /\ asked[b]
  /\ incarnation_2 = asked_incarnation[b]
  /\ target = asked_target[b]
  /\ (target = "ACTIVE" \/ target = "STOPPING") = TRUE
  /\ incarnation[b] < incarnation_2
  /\ wants_stopping(target) = TRUE
  /\ valid
  /\ (~(incarnation_2 < incarnation[b])) = TRUE

H3s(b, incarnation_2, target, valid) ==
  /\ H3s_is_enabled(b, incarnation_2, target, valid)
  /\ LET accepts_1 == accepts(b, incarnation_2, "STOPPING")
     IN
     /\ incarnation' = Put(incarnation, accepts_1.incarnation)
     /\ state' = Put(state, accepts_1.state)
     /\ last_contact' = Put(last_contact, accepts_1.last_contact)
     /\ known_legacy' = Put(known_legacy, accepts_1.known_legacy)
     /\ accepted' = Put(accepted, accepts_1.accepted)
     /\ unanswered' = Put(unanswered, accepts_1.unanswered)
     /\ timed_out' = Put(timed_out, accepts_1.timed_out)
     /\ asked' = Put(asked, accepts_1.asked)
     /\ asked_target' = Put(asked_target, accepts_1.asked_target)
     /\ answered' = Put(answered, accepts_1.answered)
     /\ answer_error' = Put(answer_error, accepts_1.answer_error)
     /\ answer_state' = Put(answer_state, accepts_1.answer_state)
     /\ of_former' = Put(of_former, accepts_1.of_former)
     /\ incarnation' \in [Broker -> czxid_2]
     /\ accepted' \in [Broker -> czxid_2]
  /\ UNCHANGED <<controller, running, own_incarnation, now, legacy, shutting_down, asked_incarnation, other, registered,
         last_reply, fenced, heard, isr, metadata, believes, czxid, never_written, leader_and_others>>

\* S0:26,56
H3a_is_enabled(b, incarnation_2, target, valid) ==
  /\ controller
  /\ asked[b]
  /\ incarnation_2 = asked_incarnation[b]
  /\ target = asked_target[b]
  /\ (target = "ACTIVE" \/ target = "STOPPING") = TRUE
  /\ incarnation[b] < incarnation_2
  /\ wants_active(target) = TRUE
  /\ valid
  /\ (~(incarnation_2 < incarnation[b])) = TRUE
  /\ (~H3s_applies(b, incarnation_2, target)) = TRUE

H3a(b, incarnation_2, target, valid) ==
  /\ H3a_is_enabled(b, incarnation_2, target, valid)
  /\ LET accepts_1 == accepts(b, incarnation_2, "ACTIVE")
     IN
     /\ incarnation' = Put(incarnation, accepts_1.incarnation)
     /\ state' = Put(state, accepts_1.state)
     /\ last_contact' = Put(last_contact, accepts_1.last_contact)
     /\ known_legacy' = Put(known_legacy, accepts_1.known_legacy)
     /\ accepted' = Put(accepted, accepts_1.accepted)
     /\ unanswered' = Put(unanswered, accepts_1.unanswered)
     /\ timed_out' = Put(timed_out, accepts_1.timed_out)
     /\ asked' = Put(asked, accepts_1.asked)
     /\ asked_target' = Put(asked_target, accepts_1.asked_target)
     /\ answered' = Put(answered, accepts_1.answered)
     /\ answer_error' = Put(answer_error, accepts_1.answer_error)
     /\ answer_state' = Put(answer_state, accepts_1.answer_state)
     /\ of_former' = Put(of_former, accepts_1.of_former)
     /\ incarnation' \in [Broker -> czxid_2]
     /\ accepted' \in [Broker -> czxid_2]
  /\ UNCHANGED <<controller, running, own_incarnation, now, legacy, shutting_down, asked_incarnation, other, registered,
         last_reply, fenced, heard, isr, metadata, believes, czxid, never_written, leader_and_others>>

\* S0:58
H4_is_enabled(b, incarnation_2, target, valid) ==
  /\ controller
  /\ asked[b]
  /\ incarnation_2 = asked_incarnation[b]
  /\ target = asked_target[b]
  /\ (target = "ACTIVE" \/ target = "STOPPING") = TRUE
  /\ wants_stopping(target) = TRUE
  /\ valid
  /\ (~(incarnation_2 < incarnation[b])) = TRUE
  /\ (~H3s_applies(b, incarnation_2, target)) = TRUE
  /\ (~H3a_applies(b, incarnation_2, target)) = TRUE

H4(b, incarnation_2, target, valid) ==
  /\ H4_is_enabled(b, incarnation_2, target, valid)
  /\ LET accepts_1 == accepts(b, incarnation_2, "STOPPING")
     IN
     /\ incarnation' = Put(incarnation, accepts_1.incarnation)
     /\ state' = Put(state, accepts_1.state)
     /\ last_contact' = Put(last_contact, accepts_1.last_contact)
     /\ known_legacy' = Put(known_legacy, accepts_1.known_legacy)
     /\ accepted' = Put(accepted, accepts_1.accepted)
     /\ unanswered' = Put(unanswered, accepts_1.unanswered)
     /\ timed_out' = Put(timed_out, accepts_1.timed_out)
     /\ asked' = Put(asked, accepts_1.asked)
     /\ asked_target' = Put(asked_target, accepts_1.asked_target)
     /\ answered' = Put(answered, accepts_1.answered)
     /\ answer_error' = Put(answer_error, accepts_1.answer_error)
     /\ answer_state' = Put(answer_state, accepts_1.answer_state)
     /\ of_former' = Put(of_former, accepts_1.of_former)
     /\ incarnation' \in [Broker -> czxid_2]
     /\ accepted' \in [Broker -> czxid_2]
  /\ UNCHANGED <<controller, running, own_incarnation, now, legacy, shutting_down, asked_incarnation, other, registered,
         last_reply, fenced, heard, isr, metadata, believes, czxid, never_written, leader_and_others>>

\* S0:58
H5_is_enabled(b, incarnation_2, target, valid) ==
  /\ controller
  /\ asked[b]
  /\ incarnation_2 = asked_incarnation[b]
  /\ target = asked_target[b]
  /\ (target = "ACTIVE" \/ target = "STOPPING") = TRUE
  /\ wants_active(target) = TRUE
  /\ valid
  /\ (~(incarnation_2 < incarnation[b])) = TRUE
  /\ (~H3s_applies(b, incarnation_2, target)) = TRUE
  /\ (~H3a_applies(b, incarnation_2, target)) = TRUE
  /\ (~wants_stopping(target)) = TRUE

H5(b, incarnation_2, target, valid) ==
  /\ H5_is_enabled(b, incarnation_2, target, valid)
  /\ LET accepts_1 == accepts(b, incarnation_2, "ACTIVE")
     IN
     /\ incarnation' = Put(incarnation, accepts_1.incarnation)
     /\ state' = Put(state, accepts_1.state)
     /\ last_contact' = Put(last_contact, accepts_1.last_contact)
     /\ known_legacy' = Put(known_legacy, accepts_1.known_legacy)
     /\ accepted' = Put(accepted, accepts_1.accepted)
     /\ unanswered' = Put(unanswered, accepts_1.unanswered)
     /\ timed_out' = Put(timed_out, accepts_1.timed_out)
     /\ asked' = Put(asked, accepts_1.asked)
     /\ asked_target' = Put(asked_target, accepts_1.asked_target)
     /\ answered' = Put(answered, accepts_1.answered)
     /\ answer_error' = Put(answer_error, accepts_1.answer_error)
     /\ answer_state' = Put(answer_state, accepts_1.answer_state)
     /\ of_former' = Put(of_former, accepts_1.of_former)
     /\ incarnation' \in [Broker -> czxid_2]
     /\ accepted' \in [Broker -> czxid_2]
  /\ UNCHANGED <<controller, running, own_incarnation, now, legacy, shutting_down, asked_incarnation, other, registered,
         last_reply, fenced, heard, isr, metadata, believes, czxid, never_written, leader_and_others>>

\* S0:48
H6_is_enabled(b) ==
  /\ watched(b) = TRUE
  /\ last_contact[b] + controller_timeout < now

H6(b) ==
  /\ H6_is_enabled(b)
  /\ state' = [state EXCEPT ![b] = "INACTIVE"]
  /\ timed_out' = [timed_out EXCEPT ![b] = TRUE]
  /\ UNCHANGED <<controller, asked, asked_target, running, own_incarnation, of_former, incarnation, last_contact, now,
         known_legacy, accepted, unanswered, legacy, shutting_down, asked_incarnation, other, registered, last_reply,
         fenced, heard, isr, metadata, believes, czxid, answered_and_others, never_written, leader_and_others>>

\* S0:42,54
HS1_is_enabled(b, target) ==
  /\ running[b]
  /\ (~legacy[b]) = TRUE
  /\ target = (IF shutting_down[b] THEN "STOPPING" ELSE "ACTIVE")
  /\ (~asked[b]) = TRUE
  /\ (~answered[b]) = TRUE

HS1(b, target) ==
  /\ HS1_is_enabled(b, target)
  /\ asked' = [asked EXCEPT ![b] = TRUE]
  /\ asked_incarnation' = [asked_incarnation EXCEPT ![b] = own_incarnation[b]]
  /\ asked_target' = [asked_target EXCEPT ![b] = target]
  /\ UNCHANGED <<controller, running, own_incarnation, of_former, incarnation, state, last_contact, now, known_legacy,
         accepted, unanswered, timed_out, legacy, shutting_down, other, registered, last_reply, fenced, heard, isr,
         metadata, believes, czxid, answered_and_others, never_written, leader_and_others>>

\* S0:118
HS2_is_enabled(b) ==
  /\ other[b]
  /\ (~asked[b]) = TRUE
  /\ (~answered[b]) = TRUE

HS2(b) ==
  /\ HS2_is_enabled(b)
  /\ asked' = [asked EXCEPT ![b] = TRUE]
  /\ asked_incarnation' = [asked_incarnation EXCEPT ![b] = registered[b]]
  /\ asked_target' = [asked_target EXCEPT ![b] = "ACTIVE"]
  /\ UNCHANGED <<controller, running, own_incarnation, of_former, incarnation, state, last_contact, now, known_legacy,
         accepted, unanswered, timed_out, legacy, shutting_down, other, registered, last_reply, fenced, heard, isr,
         metadata, believes, czxid, answered_and_others, never_written, leader_and_others>>

\* S0:54
H8e_is_enabled(b, error, current_state) ==
  /\ running[b]
  /\ answered[b]
  /\ error = answer_error[b]
  /\ current_state = answer_state[b]
  /\ error # "NONE"

H8e(b, error, current_state) ==
  /\ H8e_is_enabled(b, error, current_state)
  /\ LET clears_messages_1 == clears_messages(b)
     IN
     /\ asked' = Put(asked, clears_messages_1.asked)
     /\ asked_incarnation' = Put(asked_incarnation, clears_messages_1.asked_incarnation)
     /\ asked_target' = Put(asked_target, clears_messages_1.asked_target)
     /\ answered' = Put(answered, clears_messages_1.answered)
     /\ answer_error' = Put(answer_error, clears_messages_1.answer_error)
     /\ answer_state' = Put(answer_state, clears_messages_1.answer_state)
     /\ of_former' = Put(of_former, clears_messages_1.of_former)
  /\ UNCHANGED <<controller, running, own_incarnation, incarnation, state, last_contact, now, known_legacy, accepted,
         unanswered, timed_out, legacy, shutting_down, other, registered, last_reply, fenced, heard, isr, metadata,
         believes, czxid, never_written, leader_and_others>>

\* S0:54,72-73
H8_is_enabled(b, error, current_state) ==
  /\ running[b]
  /\ answered[b]
  /\ error = answer_error[b]
  /\ current_state = answer_state[b]
  /\ error = "NONE"
  /\ in_cluster(current_state) = TRUE
  /\ error = "NONE"

H8(b, error, current_state) ==
  /\ H8_is_enabled(b, error, current_state)
  /\ LET clears_messages_1 == clears_messages(b)
     IN
     /\ last_reply' = [last_reply EXCEPT ![b] = now]
     /\ fenced' = [fenced EXCEPT ![b] = FALSE]
     /\ heard' = [heard EXCEPT ![b] = now]
     /\ unanswered' = [unanswered EXCEPT ![b] = FALSE]
     /\ asked' = Put(asked, clears_messages_1.asked)
     /\ asked_incarnation' = Put(asked_incarnation, clears_messages_1.asked_incarnation)
     /\ asked_target' = Put(asked_target, clears_messages_1.asked_target)
     /\ answered' = Put(answered, clears_messages_1.answered)
     /\ answer_error' = Put(answer_error, clears_messages_1.answer_error)
     /\ answer_state' = Put(answer_state, clears_messages_1.answer_state)
     /\ of_former' = Put(of_former, clears_messages_1.of_former)
  /\ UNCHANGED <<controller, running, own_incarnation, incarnation, state, last_contact, now, known_legacy, accepted,
         timed_out, legacy, shutting_down, other, registered, isr, metadata, believes, czxid, never_written,
         leader_and_others>>

\* S0:71
H8__is_enabled(b, error, current_state) ==
  /\ running[b]
  /\ answered[b]
  /\ error = answer_error[b]
  /\ current_state = answer_state[b]
  /\ error = "NONE"
  /\ error = "NONE"
  /\ (~H8_applies(error, current_state)) = TRUE

H8_2(b, error, current_state) ==
  /\ H8__is_enabled(b, error, current_state)
  /\ LET clears_messages_1 == clears_messages(b)
     IN
     /\ last_reply' = [last_reply EXCEPT ![b] = now]
     /\ fenced' = [fenced EXCEPT ![b] = TRUE]
     /\ heard' = [heard EXCEPT ![b] = now]
     /\ unanswered' = [unanswered EXCEPT ![b] = FALSE]
     /\ asked' = Put(asked, clears_messages_1.asked)
     /\ asked_incarnation' = Put(asked_incarnation, clears_messages_1.asked_incarnation)
     /\ asked_target' = Put(asked_target, clears_messages_1.asked_target)
     /\ answered' = Put(answered, clears_messages_1.answered)
     /\ answer_error' = Put(answer_error, clears_messages_1.answer_error)
     /\ answer_state' = Put(answer_state, clears_messages_1.answer_state)
     /\ of_former' = Put(of_former, clears_messages_1.of_former)
  /\ UNCHANGED <<controller, running, own_incarnation, incarnation, state, last_contact, now, known_legacy, accepted,
         timed_out, legacy, shutting_down, other, registered, isr, metadata, believes, czxid, never_written,
         leader_and_others>>

\* S0:18
HS3(b) ==
  /\ (asked[b] \/ answered[b]) = TRUE
  /\ LET clears_messages_1 == clears_messages(b)
     IN
     /\ asked' = Put(asked, clears_messages_1.asked)
     /\ asked_incarnation' = Put(asked_incarnation, clears_messages_1.asked_incarnation)
     /\ asked_target' = Put(asked_target, clears_messages_1.asked_target)
     /\ answered' = Put(answered, clears_messages_1.answered)
     /\ answer_error' = Put(answer_error, clears_messages_1.answer_error)
     /\ answer_state' = Put(answer_state, clears_messages_1.answer_state)
     /\ of_former' = Put(of_former, clears_messages_1.of_former)
  /\ UNCHANGED <<controller, running, own_incarnation, incarnation, state, last_contact, now, known_legacy, accepted,
         unanswered, timed_out, legacy, shutting_down, other, registered, last_reply, fenced, heard, isr, metadata,
         believes, czxid, never_written, leader_and_others>>

\* S0:50
HT1_is_enabled(to_2) ==
  /\ now < to_2
  /\ (\A x \in Broker : watched(x) => to_2 <= (last_contact[x] + controller_timeout) + 1) = TRUE
  /\ (\A x \in Broker : fences_itself(x) => to_2 <= (last_reply[x] + broker_timeout) + 1) = TRUE

HT1(to_2) ==
  /\ HT1_is_enabled(to_2)
  /\ now' = to_2
  /\ UNCHANGED <<controller, asked, asked_target, running, own_incarnation, of_former, incarnation, state, last_contact,
         known_legacy, accepted, unanswered, timed_out, legacy, shutting_down, asked_incarnation, other, registered,
         last_reply, fenced, heard, isr, metadata, believes, czxid, answered_and_others, never_written,
         leader_and_others>>

\* S0:42-44
H7_is_enabled(b) ==
  /\ fences_itself(b) = TRUE
  /\ last_reply[b] + broker_timeout < now

H7(b) ==
  /\ H7_is_enabled(b)
  /\ fenced' = [fenced EXCEPT ![b] = TRUE]
  /\ UNCHANGED <<controller, asked, asked_target, running, own_incarnation, of_former, incarnation, state, last_contact,
         now, known_legacy, accepted, unanswered, timed_out, legacy, shutting_down, asked_incarnation, other,
         registered, last_reply, heard, isr, metadata, believes, czxid, answered_and_others, never_written,
         leader_and_others>>

\* S0:28,34,138
H_reg_is_enabled(b) ==
  /\ controller
  /\ incarnation[b] < registered[b]
  /\ (~legacy[b]) = TRUE

H_reg(b) ==
  /\ H_reg_is_enabled(b)
  /\ incarnation' = [incarnation EXCEPT ![b] = registered[b]]
  /\ timed_out' = [timed_out EXCEPT ![b] = FALSE]
  /\ accepted' = [accepted EXCEPT ![b] = registered[b]]
  /\ known_legacy' = [known_legacy EXCEPT ![b] = FALSE]
  /\ state' = [state EXCEPT ![b] = "INACTIVE"]
  /\ UNCHANGED <<controller, asked, asked_target, running, own_incarnation, of_former, last_contact, now, unanswered,
         legacy, shutting_down, asked_incarnation, other, registered, last_reply, fenced, heard, isr, metadata,
         believes, czxid, answered_and_others, never_written, leader_and_others>>

\* S0:138
H9_is_enabled(b) ==
  /\ controller
  /\ incarnation[b] < registered[b]
  /\ legacy[b]

H9(b) ==
  /\ H9_is_enabled(b)
  /\ incarnation' = [incarnation EXCEPT ![b] = registered[b]]
  /\ timed_out' = [timed_out EXCEPT ![b] = FALSE]
  /\ accepted' = [accepted EXCEPT ![b] = registered[b]]
  /\ known_legacy' = [known_legacy EXCEPT ![b] = TRUE]
  /\ state' = [state EXCEPT ![b] = "ACTIVE"]
  /\ UNCHANGED <<controller, asked, asked_target, running, own_incarnation, of_former, last_contact, now, unanswered,
         legacy, shutting_down, asked_incarnation, other, registered, last_reply, fenced, heard, isr, metadata,
         believes, czxid, answered_and_others, never_written, leader_and_others>>

\* S0:34
H_gone_is_enabled(b) ==
  /\ controller
  /\ gone(b) = TRUE

H_gone(b) ==
  /\ H_gone_is_enabled(b)
  /\ known_legacy' = [known_legacy EXCEPT ![b] = FALSE]
  /\ state' = [state EXCEPT ![b] = "INACTIVE"]
  /\ timed_out' = [timed_out EXCEPT ![b] = FALSE]
  /\ UNCHANGED <<controller, asked, asked_target, running, own_incarnation, of_former, incarnation, last_contact, now,
         accepted, unanswered, legacy, shutting_down, asked_incarnation, other, registered, last_reply, fenced, heard,
         isr, metadata, believes, czxid, answered_and_others, never_written, leader_and_others>>

\* S0:42,56
HC1 ==
  /\ controller
  /\ controller' = FALSE
  /\ of_former' = [x \in Broker |-> answered[x]]
  /\ UNCHANGED <<asked, asked_target, running, own_incarnation, incarnation, state, last_contact, now, known_legacy,
         accepted, unanswered, timed_out, legacy, shutting_down, asked_incarnation, other, registered, last_reply,
         fenced, heard, isr, metadata, believes, czxid, answered_and_others, never_written, leader_and_others>>

\* S0:34,56
H12 ==
  /\ (~controller) = TRUE
  /\ controller' = TRUE
  /\ incarnation' = [x \in Broker |-> registered[x]]
  /\ known_legacy' = [x \in Broker |-> reads_znode(x)]
  /\ state' = [x \in Broker |-> IF reads_znode(x) THEN "ACTIVE" ELSE "INACTIVE"]
  /\ last_contact' = [x \in Broker |-> now]
  /\ timed_out' = [x \in Broker |-> FALSE]
  /\ UNCHANGED <<asked, asked_target, running, own_incarnation, of_former, now, accepted, unanswered, legacy,
         shutting_down, asked_incarnation, other, registered, last_reply, fenced, heard, isr, metadata, believes, czxid,
         answered_and_others, never_written, leader_and_others>>

\* S0:34-36,48
HE1_is_enabled(p, leader_2) ==
  /\ controller
  /\ must_move(p) = TRUE
  /\ leader_2 \in candidates(p)

HE1(p, leader_2) ==
  /\ HE1_is_enabled(p, leader_2)
  /\ leader_epoch[p] + 1 \in leader_epoch_2
  /\ leader' = [leader EXCEPT ![p] = leader_2]
  /\ leader_epoch' = [leader_epoch EXCEPT ![p] = leader_epoch[p] + 1]
  /\ isr' = [isr EXCEPT ![p] = isr[p] \intersect served]
  /\ leader_in' = [leader_in EXCEPT ![p, leader_epoch[p] + 1] = leader_2]
  /\ leader_epoch' \in [Partition -> leader_epoch_2]
  /\ UNCHANGED <<controller, asked, asked_target, running, own_incarnation, of_former, incarnation, state, last_contact,
         now, known_legacy, accepted, unanswered, timed_out, legacy, shutting_down, asked_incarnation, other,
         registered, last_reply, fenced, heard, metadata, believes, czxid, answered_and_others, never_written>>

\* S0:34-36,48
HE2_is_enabled(p, leader_2) ==
  /\ controller
  /\ lost_leader(p) = TRUE
  /\ leader_2 = None

HE2(p, leader_2) ==
  /\ HE2_is_enabled(p, leader_2)
  /\ leader_epoch[p] + 1 \in leader_epoch_2
  /\ leader' = [leader EXCEPT ![p] = None]
  /\ leader_epoch' = [leader_epoch EXCEPT ![p] = leader_epoch[p] + 1]
  /\ leader_in' = [leader_in EXCEPT ![p, leader_epoch[p] + 1] = None]
  /\ leader_epoch' \in [Partition -> leader_epoch_2]
  /\ UNCHANGED <<controller, asked, asked_target, running, own_incarnation, of_former, incarnation, state, last_contact,
         now, known_legacy, accepted, unanswered, timed_out, legacy, shutting_down, asked_incarnation, other,
         registered, last_reply, fenced, heard, isr, metadata, believes, czxid, answered_and_others, never_written>>

\* S0:26,34-36
HE3(b) ==
  /\ hears_metadata(b) = TRUE
  /\ metadata' = [metadata EXCEPT ![b] = served]
  /\ believes' = Put(believes, {[at |-> <<b, p>>, to |-> IF leader[p] = b THEN leader_epoch[p] ELSE -1] : p \in
         Partition})
  /\ UNCHANGED <<controller, asked, asked_target, running, own_incarnation, of_former, incarnation, state, last_contact,
         now, known_legacy, accepted, unanswered, timed_out, legacy, shutting_down, asked_incarnation, other,
         registered, last_reply, fenced, heard, isr, czxid, answered_and_others, never_written, leader_and_others>>

\* S0:126
H11_is_enabled(b, incarnation_2, p, leader_epoch_3, isr_2, to_controller) ==
  /\ (controller /\ to_controller) = TRUE
  /\ incarnation_2 = incarnation[b]
  /\ (~not_leader(p, b, leader_epoch_3)) = TRUE
  /\ (~malformed(isr_2, p, b)) = TRUE

H11(b, incarnation_2, p, leader_epoch_3, isr_2, to_controller) ==
  /\ H11_is_enabled(b, incarnation_2, p, leader_epoch_3, isr_2, to_controller)
  /\ isr' = [isr EXCEPT ![p] = isr_2]
  /\ UNCHANGED <<controller, asked, asked_target, running, own_incarnation, of_former, incarnation, state, last_contact,
         now, known_legacy, accepted, unanswered, timed_out, legacy, shutting_down, asked_incarnation, other,
         registered, last_reply, fenced, heard, metadata, believes, czxid, answered_and_others, never_written,
         leader_and_others>>

\* S0:134
H9w_is_enabled(b, p, isr_2) ==
  /\ running[b]
  /\ legacy[b]
  /\ registered[b] = own_incarnation[b]
  /\ b \in isr_2
  /\ isr_2 \subseteq replicas[p]
  /\ (~(leader[p] # b \/ believes[b, p] # leader_epoch[p])) = TRUE

H9w(b, p, isr_2) ==
  /\ H9w_is_enabled(b, p, isr_2)
  /\ isr' = [isr EXCEPT ![p] = isr_2]
  /\ UNCHANGED <<controller, asked, asked_target, running, own_incarnation, of_former, incarnation, state, last_contact,
         now, known_legacy, accepted, unanswered, timed_out, legacy, shutting_down, asked_incarnation, other,
         registered, last_reply, fenced, heard, metadata, believes, czxid, answered_and_others, never_written,
         leader_and_others>>

\* S0:28,136-138
HZ1_is_enabled(b, legacy_2, czxid_3) ==
  /\ czxid[b] < czxid_3
  /\ (~running[b]) = TRUE
  /\ registered[b] = 0

HZ1(b, legacy_2, czxid_3) ==
  /\ HZ1_is_enabled(b, legacy_2, czxid_3)
  /\ LET clears_messages_1 == clears_messages(b)
         knows_nothing_2 == knows_nothing(b)
     IN
     /\ czxid' = [czxid EXCEPT ![b] = czxid_3]
     /\ registered' = [registered EXCEPT ![b] = czxid_3]
     /\ own_incarnation' = [own_incarnation EXCEPT ![b] = czxid_3]
     /\ legacy' = [legacy EXCEPT ![b] = legacy_2]
     /\ running' = [running EXCEPT ![b] = TRUE]
     /\ fenced' = [fenced EXCEPT ![b] = ~legacy_2]
     /\ last_reply' = [last_reply EXCEPT ![b] = now]
     /\ shutting_down' = [shutting_down EXCEPT ![b] = FALSE]
     /\ heard' = [heard EXCEPT ![b] = now]
     /\ unanswered' = [unanswered EXCEPT ![b] = FALSE]
     /\ asked' = Put(asked, clears_messages_1.asked)
     /\ asked_incarnation' = Put(asked_incarnation, clears_messages_1.asked_incarnation)
     /\ asked_target' = Put(asked_target, clears_messages_1.asked_target)
     /\ answered' = Put(answered, clears_messages_1.answered)
     /\ answer_error' = Put(answer_error, clears_messages_1.answer_error)
     /\ answer_state' = Put(answer_state, clears_messages_1.answer_state)
     /\ of_former' = Put(of_former, clears_messages_1.of_former)
     /\ metadata' = Put(metadata, knows_nothing_2.metadata)
     /\ believes' = Put(believes, knows_nothing_2.believes)
  /\ UNCHANGED <<controller, incarnation, state, last_contact, now, known_legacy, accepted, timed_out, other, isr,
         never_written, leader_and_others>>

\* S0:18,28
HZ2(b) ==
  /\ 0 < registered[b]
  /\ registered' = [registered EXCEPT ![b] = 0]
  /\ other' = [other EXCEPT ![b] = FALSE]
  /\ UNCHANGED <<controller, asked, asked_target, running, own_incarnation, of_former, incarnation, state, last_contact,
         now, known_legacy, accepted, unanswered, timed_out, legacy, shutting_down, asked_incarnation, last_reply,
         fenced, heard, isr, metadata, believes, czxid, answered_and_others, never_written, leader_and_others>>

\* S0:28
HZ3_is_enabled(b, czxid_3) ==
  /\ czxid[b] < czxid_3
  /\ running[b]
  /\ registered[b] = 0

HZ3(b, czxid_3) ==
  /\ HZ3_is_enabled(b, czxid_3)
  /\ czxid' = [czxid EXCEPT ![b] = czxid_3]
  /\ registered' = [registered EXCEPT ![b] = czxid_3]
  /\ own_incarnation' = [own_incarnation EXCEPT ![b] = czxid_3]
  /\ UNCHANGED <<controller, asked, asked_target, running, of_former, incarnation, state, last_contact, now,
         known_legacy, accepted, unanswered, timed_out, legacy, shutting_down, asked_incarnation, other, last_reply,
         fenced, heard, isr, metadata, believes, answered_and_others, never_written, leader_and_others>>

\* S0:26,118
HZ4_is_enabled(b, czxid_3) ==
  /\ czxid[b] < czxid_3
  /\ running[b]
  /\ registered[b] = 0
  /\ (~legacy[b]) = TRUE

HZ4(b, czxid_3) ==
  /\ HZ4_is_enabled(b, czxid_3)
  /\ czxid' = [czxid EXCEPT ![b] = czxid_3]
  /\ registered' = [registered EXCEPT ![b] = czxid_3]
  /\ other' = [other EXCEPT ![b] = TRUE]
  /\ UNCHANGED <<controller, asked, asked_target, running, own_incarnation, of_former, incarnation, state, last_contact,
         now, known_legacy, accepted, unanswered, timed_out, legacy, shutting_down, asked_incarnation, last_reply,
         fenced, heard, isr, metadata, believes, answered_and_others, never_written, leader_and_others>>

\* S0:36
HZ5(b) ==
  /\ running[b]
  /\ running' = [running EXCEPT ![b] = FALSE]
  /\ answered' = [answered EXCEPT ![b] = FALSE]
  /\ answer_error' = [answer_error EXCEPT ![b] = "NONE"]
  /\ answer_state' = [answer_state EXCEPT ![b] = "INITIAL"]
  /\ of_former' = [of_former EXCEPT ![b] = FALSE]
  /\ UNCHANGED <<controller, asked, asked_target, own_incarnation, incarnation, state, last_contact, now, known_legacy,
         accepted, unanswered, timed_out, legacy, shutting_down, asked_incarnation, other, registered, last_reply,
         fenced, heard, isr, metadata, believes, czxid, never_written, leader_and_others>>

\* S0:36
HZ6_is_enabled(b) ==
  /\ running[b]
  /\ (~legacy[b]) = TRUE
  /\ (~shutting_down[b]) = TRUE

HZ6(b) ==
  /\ HZ6_is_enabled(b)
  /\ shutting_down' = [shutting_down EXCEPT ![b] = TRUE]
  /\ UNCHANGED <<controller, asked, asked_target, running, own_incarnation, of_former, incarnation, state, last_contact,
         now, known_legacy, accepted, unanswered, timed_out, legacy, asked_incarnation, other, registered, last_reply,
         fenced, heard, isr, metadata, believes, czxid, answered_and_others, never_written, leader_and_others>>

\* S0:58
HZ7_is_enabled(b) ==
  /\ running[b]
  /\ shutting_down[b]

HZ7(b) ==
  /\ HZ7_is_enabled(b)
  /\ shutting_down' = [shutting_down EXCEPT ![b] = FALSE]
  /\ UNCHANGED <<controller, asked, asked_target, running, own_incarnation, of_former, incarnation, state, last_contact,
         now, known_legacy, accepted, unanswered, timed_out, legacy, asked_incarnation, other, registered, last_reply,
         fenced, heard, isr, metadata, believes, czxid, answered_and_others, never_written, leader_and_others>>

\* S0:34,138
HF1_is_enabled(old_brokers) ==
  /\ now = 0
  /\ (~controller) = TRUE
  /\ (\A x \in Broker : czxid[x] = 0) = TRUE

HF1(old_brokers) ==
  /\ HF1_is_enabled(old_brokers)
  /\ controller' = TRUE
  /\ czxid' = [x \in Broker |-> 1]
  /\ registered' = [x \in Broker |-> 1]
  /\ own_incarnation' = [x \in Broker |-> 1]
  /\ incarnation' = [x \in Broker |-> 1]
  /\ accepted' = [x \in Broker |-> 1]
  /\ running' = [x \in Broker |-> TRUE]
  /\ fenced' = [x \in Broker |-> FALSE]
  /\ state' = [x \in Broker |-> "ACTIVE"]
  /\ legacy' = [x \in Broker |-> x \in old_brokers]
  /\ known_legacy' = [x \in Broker |-> x \in old_brokers]
  /\ czxid' \in [Broker -> czxid_2]
  /\ registered' \in [Broker -> czxid_2]
  /\ own_incarnation' \in [Broker -> czxid_2]
  /\ incarnation' \in [Broker -> czxid_2]
  /\ accepted' \in [Broker -> czxid_2]
  /\ UNCHANGED <<asked, asked_target, of_former, last_contact, now, unanswered, timed_out, shutting_down,
         asked_incarnation, other, last_reply, heard, isr, metadata, believes, answered_and_others, never_written,
         leader_and_others>>

\* S0:118
H10_is_enabled(b, incarnation_2, p, leader_epoch_3, isr_2, to_controller) ==
  /\ incarnation_2 # incarnation[b]
  /\ (controller /\ to_controller) = TRUE

\* S0:122
H11a_is_enabled(b, incarnation_2, p, leader_epoch_3, isr_2, to_controller) ==
  /\ not_leader(p, b, leader_epoch_3) = TRUE
  /\ (controller /\ to_controller) = TRUE
  /\ incarnation_2 = incarnation[b]

\* S0:124
H11b_is_enabled(b, incarnation_2, p, leader_epoch_3, isr_2, to_controller) ==
  /\ malformed(isr_2, p, b) = TRUE
  /\ (controller /\ to_controller) = TRUE
  /\ incarnation_2 = incarnation[b]
  /\ (~not_leader(p, b, leader_epoch_3)) = TRUE

\* S0:134
H9a_is_enabled(b, p, isr_2) ==
  /\ running[b]
  /\ legacy[b]
  /\ registered[b] = own_incarnation[b]
  /\ b \in isr_2
  /\ isr_2 \subseteq replicas[p]
  /\ (leader[p] # b \/ believes[b, p] # leader_epoch[p]) = TRUE

Init ==
  /\ controller = FALSE
  /\ asked = [k \in Broker |-> FALSE]
  /\ asked_target = [k \in Broker |-> "ACTIVE"]
  /\ answered = [k \in Broker |-> FALSE]
  /\ running = [k \in Broker |-> FALSE]
  /\ own_incarnation = [k \in Broker |-> 0]
  /\ answer_error = [k \in Broker |-> "NONE"]
  /\ answer_state = [k \in Broker |-> "INITIAL"]
  /\ of_former = [k \in Broker |-> FALSE]
  /\ incarnation = [k \in Broker |-> 0]
  /\ state = [k \in Broker |-> "INACTIVE"]
  /\ last_contact = [k \in Broker |-> 0]
  /\ now = 0
  /\ known_legacy = [k \in Broker |-> FALSE]
  /\ accepted = [k \in Broker |-> 0]
  /\ unanswered = [k \in Broker |-> FALSE]
  /\ timed_out = [k \in Broker |-> FALSE]
  /\ legacy = [k \in Broker |-> FALSE]
  /\ shutting_down = [k \in Broker |-> FALSE]
  /\ asked_incarnation = [k \in Broker |-> 0]
  /\ other = [k \in Broker |-> FALSE]
  /\ registered = [k \in Broker |-> 0]
  /\ last_reply = [k \in Broker |-> 0]
  /\ fenced = [k \in Broker |-> FALSE]
  /\ heard = [k \in Broker |-> 0]
  /\ leader = [k \in Partition |-> None]
  /\ leader_epoch = [k \in Partition |-> 0]
  /\ leader_in = [k \in Partition, k2 \in leader_epoch_2 |-> None]
  /\ metadata = [k \in Broker |-> {}]
  /\ believes = [k \in Broker, k2 \in Partition |-> -1]
  /\ czxid = [k \in Broker |-> 0]
  /\ controller_timeout \in duration
  /\ broker_timeout \in duration
  /\ controller_timeout < broker_timeout
  /\ isr \in [Partition -> SUBSET Broker]
  /\ replicas \in [Partition -> SUBSET Broker]
  /\ (\A p \in Partition : isr[p] = replicas[p] /\ replicas[p] # {})

Rows ==
  \/ \E b \in Broker :
       /\ asked[b]
       /\ \E incarnation_2 \in czxid_2 :
            /\ incarnation_2 = asked_incarnation[b]
            /\ \E target \in BrokerState :
                 /\ target = asked_target[b]
                 /\ (target = "ACTIVE" \/ target = "STOPPING") = TRUE
                 /\ \E valid \in BOOLEAN :
                      \/ H1(b, incarnation_2, target, valid)
                      \/ H2(b, incarnation_2, target, valid)
                      \/ H3s(b, incarnation_2, target, valid)
                      \/ H3a(b, incarnation_2, target, valid)
                      \/ H4(b, incarnation_2, target, valid)
                      \/ H5(b, incarnation_2, target, valid)
  \/ \E b \in Broker :
       \/ H6(b)
       \/ HS2(b)
       \/ HS3(b)
       \/ H7(b)
       \/ H_reg(b)
       \/ H9(b)
       \/ H_gone(b)
       \/ HE3(b)
       \/ HZ2(b)
       \/ HZ5(b)
       \/ HZ6(b)
       \/ HZ7(b)
  \/ \E b \in Broker, target \in BrokerState : HS1(b, target)
  \/ \E b \in Broker :
       /\ running[b]
       /\ answered[b]
       /\ \E error \in Error :
            /\ error = answer_error[b]
            /\ \E current_state \in BrokerState :
                 /\ current_state = answer_state[b]
                 /\ \/ H8e(b, error, current_state)
                    \/ H8(b, error, current_state)
                    \/ H8_2(b, error, current_state)
  \/ \E to_2 \in time : HT1(to_2)
  \/ HC1
  \/ H12
  \/ \E p \in Partition, leader_2 \in Broker \union {None} :
       \/ HE1(p, leader_2)
       \/ HE2(p, leader_2)
  \/ \E b \in Broker, incarnation_2 \in czxid_2, p \in Partition, leader_epoch_3 \in leader_epoch_2, isr_2 \in SUBSET
       Broker, to_controller \in BOOLEAN : H11(b, incarnation_2, p, leader_epoch_3, isr_2, to_controller)
  \/ \E b \in Broker, p \in Partition, isr_2 \in SUBSET Broker : H9w(b, p, isr_2)
  \/ \E b \in Broker, legacy_2 \in BOOLEAN, czxid_3 \in czxid_2 : HZ1(b, legacy_2, czxid_3)
  \/ \E b \in Broker :
       /\ running[b]
       /\ registered[b] = 0
       /\ \E czxid_3 \in czxid_2 :
            /\ czxid[b] < czxid_3
            /\ \/ HZ3(b, czxid_3)
               \/ HZ4(b, czxid_3)
  \/ \E old_brokers \in SUBSET Broker : HF1(old_brokers)

Next == Rows \/ UNCHANGED vars

Spec == Init /\ [][Next]_vars

\* The guard of some row holds: unlike in ENABLED Rows, of one too that only a range disables.
SomeRowIsEnabled ==
  \/ \E b \in Broker :
       /\ asked[b]
       /\ \E incarnation_2 \in czxid_2 :
            /\ incarnation_2 = asked_incarnation[b]
            /\ \E target \in BrokerState :
                 /\ target = asked_target[b]
                 /\ (target = "ACTIVE" \/ target = "STOPPING") = TRUE
                 /\ \E valid \in BOOLEAN :
                      \/ H1_is_enabled(b, incarnation_2, target, valid)
                      \/ H2_is_enabled(b, incarnation_2, target, valid)
                      \/ H3s_is_enabled(b, incarnation_2, target, valid)
                      \/ H3a_is_enabled(b, incarnation_2, target, valid)
                      \/ H4_is_enabled(b, incarnation_2, target, valid)
                      \/ H5_is_enabled(b, incarnation_2, target, valid)
  \/ \E b \in Broker :
       \/ H6_is_enabled(b)
       \/ HS2_is_enabled(b)
       \/ (asked[b] \/ answered[b]) = TRUE
       \/ H7_is_enabled(b)
       \/ H_reg_is_enabled(b)
       \/ H9_is_enabled(b)
       \/ H_gone_is_enabled(b)
       \/ hears_metadata(b) = TRUE
       \/ 0 < registered[b]
       \/ running[b]
       \/ HZ6_is_enabled(b)
       \/ HZ7_is_enabled(b)
  \/ \E b \in Broker, target \in BrokerState : HS1_is_enabled(b, target)
  \/ \E b \in Broker :
       /\ running[b]
       /\ answered[b]
       /\ \E error \in Error :
            /\ error = answer_error[b]
            /\ \E current_state \in BrokerState :
                 /\ current_state = answer_state[b]
                 /\ \/ H8e_is_enabled(b, error, current_state)
                    \/ H8_is_enabled(b, error, current_state)
                    \/ H8__is_enabled(b, error, current_state)
  \/ \E to_2 \in time : HT1_is_enabled(to_2)
  \/ controller
  \/ (~controller) = TRUE
  \/ \E p \in Partition, leader_2 \in Broker \union {None} :
       \/ HE1_is_enabled(p, leader_2)
       \/ HE2_is_enabled(p, leader_2)
  \/ \E b \in Broker, incarnation_2 \in czxid_2, p \in Partition, leader_epoch_3 \in leader_epoch_2, isr_2 \in SUBSET
       Broker, to_controller \in BOOLEAN : H11_is_enabled(b, incarnation_2, p, leader_epoch_3, isr_2, to_controller)
  \/ \E b \in Broker, p \in Partition, isr_2 \in SUBSET Broker : H9w_is_enabled(b, p, isr_2)
  \/ \E b \in Broker, legacy_2 \in BOOLEAN, czxid_3 \in czxid_2 : HZ1_is_enabled(b, legacy_2, czxid_3)
  \/ \E b \in Broker :
       /\ running[b]
       /\ registered[b] = 0
       /\ \E czxid_3 \in czxid_2 :
            /\ czxid[b] < czxid_3
            /\ \/ HZ3_is_enabled(b, czxid_3)
               \/ HZ4_is_enabled(b, czxid_3)
  \/ \E old_brokers \in SUBSET Broker : HF1_is_enabled(old_brokers)

\* A counter's range alone disables a row of the event.
Heartbeat_would_leave ==
  \/ \E valid \in BOOLEAN :
       /\ valid
       /\ \E b \in Broker :
            /\ asked[b]
            /\ \E incarnation_2 \in czxid_2 :
                 /\ (~(incarnation_2 < incarnation[b])) = TRUE
                 /\ incarnation_2 = asked_incarnation[b]
                 /\ \E target \in BrokerState :
                      /\ target = asked_target[b]
                      /\ (target = "ACTIVE" \/ target = "STOPPING") = TRUE
                      /\ \/ (H3s_is_enabled(b, incarnation_2, target, valid)) /\ ~ENABLED H3s(b, incarnation_2, target,
                           valid)
                         \/ (H3a_is_enabled(b, incarnation_2, target, valid)) /\ ~ENABLED H3a(b, incarnation_2, target,
                              valid)
                         \/ (H4_is_enabled(b, incarnation_2, target, valid)) /\ ~ENABLED H4(b, incarnation_2, target,
                              valid)
                         \/ (H5_is_enabled(b, incarnation_2, target, valid)) /\ ~ENABLED H5(b, incarnation_2, target,
                              valid)

ElectLeader_would_leave ==
  \/ \E p \in Partition, leader_2 \in Broker \union {None} :
       \/ (HE1_is_enabled(p, leader_2)) /\ ~ENABLED HE1(p, leader_2)
       \/ (HE2_is_enabled(p, leader_2)) /\ ~ENABLED HE2(p, leader_2)

FormCluster_would_leave ==
  \/ \E old_brokers \in SUBSET Broker : (HF1_is_enabled(old_brokers)) /\ ~ENABLED HF1(old_brokers)

\* As long as a controller is in office, the incarnation id that it takes for a broker's never decreases. (S0:56)
HI1 == [][\A b \in Broker : (controller /\ controller') => incarnation[b] <= incarnation[b]']_vars

\* Over all controllers the incarnation id of a broker never decreases: not so, it is in memory only and a session may
\* have expired. (S0:56)
HI1t == [][(\A b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : (H3s(b,
  incarnation_2, target, valid) \/ H3a(b, incarnation_2, target, valid)) => (accepted[b] <= accepted[b]'))]_vars

\* A broker that fences itself is Inactive already: while a controller is in office, and if no answer to an accepted
\* heartbeat was lost. (S0:50)
HI3 == [][(\A b \in Broker : (H7(b)) => ((controller /\ same_incarnation(b) /\ ~unanswered[b]) =>
  ~handles_traffic(b)))]_vars

HI3_where_nothing_changes == (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (H7(b)))) => ((controller /\
  same_incarnation(b) /\ ~unanswered[b]) => ~handles_traffic(b)))

\* A broker that fences itself is Inactive already, controller or none: not so if it is gone for longer than the
\* broker's timeout. (S0:50)
HI3c == [][(\A b \in Broker : (H7(b)) => ((same_incarnation(b) /\ ~unanswered[b]) => (controller /\
  ~handles_traffic(b))))]_vars

HI3c_where_nothing_changes == (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (H7(b)))) => ((same_incarnation(b) /\
  ~unanswered[b]) => (controller /\ ~handles_traffic(b))))

\* A broker that fences itself is Inactive already, answers lost or not: not so, heartbeats that arrive keep it Active.
\* (S0:50)
HI3r == [][(\A b \in Broker : (H7(b)) => ((controller /\ same_incarnation(b)) => ~handles_traffic(b)))]_vars

HI3r_where_nothing_changes == (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (H7(b)))) => ((controller /\
  same_incarnation(b)) => ~handles_traffic(b)))

\* A broker that sends no heartbeat is Inactive at the controller within its timeout. (S0:48)
HI8 == \A b \in Broker : watched(b) => now <= (last_contact[b] + controller_timeout) + 1

\* A broker that gets no answer is fenced within its own timeout. (S0:42)
HI8f == \A b \in Broker : fences_itself(b) => now <= (last_reply[b] + broker_timeout) + 1

\* A broker that is cut off from the controller, and not from ZooKeeper, serves at most its timeout longer. (S0:18)
HI10 == \A b \in Broker : fences_itself(b) => now <= (heard[b] + broker_timeout) + 1

\* A legacy broker that is cut off serves at most its timeout longer: not so, it never fences itself. (S0:18,134)
HI10l == \A b \in Broker : (running[b] /\ ~fenced[b]) => now <= (heard[b] + broker_timeout) + 1

\* A heartbeat that asks for Active, of the incarnation that is taken for valid, makes the broker Active. (S0:48,58)
HI9s == [][(\A b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : (H3a(b,
  incarnation_2, target, valid) \/ H5(b, incarnation_2, target, valid)) => (state[b]' = "ACTIVE"))]_vars

HI9s_where_nothing_changes == (\A b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN :
  (ENABLED (UNCHANGED vars /\ (H3a(b, incarnation_2, target, valid) \/ H5(b, incarnation_2, target, valid)))) =>
  (state[b] = "ACTIVE"))

\* A legacy broker is Active from when the controller sees its registration until it is gone. (S0:138)
HI6 == \A b \in Broker : (controller /\ legacy[b] /\ 0 < registered[b] /\ incarnation[b] = registered[b]) =>
  (known_legacy[b] /\ state[b] = "ACTIVE")

\* A broker is unfenced by an answer to its present incarnation: not so, an answer names none (S0:92 says that it does).
\* (S0:83-86,92)
HIu == [][(\A b \in Broker, error \in Error, current_state \in BrokerState : (H8(b, error, current_state)) =>
  (asked_incarnation[b] = own_incarnation[b]))]_vars

HIu_where_nothing_changes == (\A b \in Broker, error \in Error, current_state \in BrokerState : (ENABLED (UNCHANGED vars
  /\ (H8(b, error, current_state)))) => (asked_incarnation[b] = own_incarnation[b]))

\* An ISR change is applied only for the current leader, in its leader epoch, with the current incarnation id.
\* (S0:118,122)
HI2 == [][(\A b \in Broker, incarnation_2 \in czxid_2, p \in Partition, leader_epoch_3 \in leader_epoch_2, isr_2 \in
  SUBSET Broker, to_controller \in BOOLEAN : (H11(b, incarnation_2, p, leader_epoch_3, isr_2, to_controller)) =>
  (leader[p] = b /\ leader_epoch_3 = leader_epoch[p] /\ incarnation_2 = incarnation[b]))]_vars

HI2_where_nothing_changes == (\A b \in Broker, incarnation_2 \in czxid_2, p \in Partition, leader_epoch_3 \in
  leader_epoch_2, isr_2 \in SUBSET Broker, to_controller \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (H11(b,
  incarnation_2, p, leader_epoch_3, isr_2, to_controller)))) => (leader[p] = b /\ leader_epoch_3 = leader_epoch[p] /\
  incarnation_2 = incarnation[b]))

\* A legacy broker writes the ISR only as the current leader: ZooKeeper's version sees to that. (S0:134)
HI2w == [][(\A b \in Broker, p \in Partition, isr_2 \in SUBSET Broker : (H9w(b, p, isr_2)) => (leader[p] = b /\
  believes[b, p] = leader_epoch[p]))]_vars

HI2w_where_nothing_changes == (\A b \in Broker, p \in Partition, isr_2 \in SUBSET Broker : (ENABLED (UNCHANGED vars /\
  (H9w(b, p, isr_2)))) => (leader[p] = b /\ believes[b, p] = leader_epoch[p]))

\* Metadata that the controller sends has no Initial and no Inactive broker. (S0:34)
HI4 == [][(\A b \in Broker : (HE3(b)) => (\A x \in Broker : x \in metadata[b]' => (state[x] = "ACTIVE" \/ state[x] =
  "STOPPING")))]_vars

HI4_where_nothing_changes == (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (HE3(b)))) => (\A x \in Broker : x \in
  metadata[b] => (state[x] = "ACTIVE" \/ state[x] = "STOPPING")))

\* No ISR is ever empty, and none has anybody but replicas. (S0:124)
HI5 == \A p \in Partition : isr[p] # {} /\ isr[p] \subseteq replicas[p]

\* Whoever leads is in the ISR. (S0:62,124)
HI5l == \A p \in Partition : leader[p] = None \/ leader[p] \in isr[p]

\* Whoever is made leader is Active: no Stopping broker gets a new leadership, and no Inactive one. (S0:36)
HI7 == [][\A p \in Partition, x \in Broker : (leader[p]' = x /\ leader[p] # x) => state[x] = "ACTIVE"]_vars

\* Whoever joins an ISR is not Inactive: not so, only the empty ISR is refused. (S0:124)
HIa == [][(\A b \in Broker, incarnation_2 \in czxid_2, p \in Partition, leader_epoch_3 \in leader_epoch_2, isr_2 \in
  SUBSET Broker, to_controller \in BOOLEAN : (H11(b, incarnation_2, p, leader_epoch_3, isr_2, to_controller)) => (isr_2
  \ isr[p] \subseteq served))]_vars

HIa_where_nothing_changes == (\A b \in Broker, incarnation_2 \in czxid_2, p \in Partition, leader_epoch_3 \in
  leader_epoch_2, isr_2 \in SUBSET Broker, to_controller \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (H11(b,
  incarnation_2, p, leader_epoch_3, isr_2, to_controller)))) => (isr_2 \ isr[p] \subseteq served))

\* An Inactive broker leads nothing: not so until another is elected, for state and leaders change one after the other.
\* (S0:34-36)
M1 == \A p \in Partition : leader[p] = None \/ leader[p] \in served

\* No two brokers take themselves for the leader of a partition in one leader epoch. (S0:118-122)
M2 == \A p \in Partition, x \in Broker, y \in Broker : (0 <= believes[x, p] /\ believes[x, p] = believes[y, p]) => x = y

\* No two brokers serve as leader at the same time: not so, the one that is cut off serves until its own timeout.
\* (S0:50)
M3 == \A p \in Partition, x \in Broker, y \in Broker : (serves(x, p) /\ serves(y, p)) => x = y

\* Nobody serves beside a leader that was cut off and replaced: not so, between the two timeouts both act. (S0:50)
M3c == \A p \in Partition, x \in Broker, y \in Broker : (controller /\ timed_out[x] /\ serves(x, p) /\ serves(y, p)) =>
  x = y

\* Whom the controller's timer made Inactive has fenced itself: not so, the broker's timeout is the longer one. (S0:50)
M3t == \A b \in Broker : (controller /\ timed_out[b] /\ same_incarnation(b)) => ~fences_itself(b)

\* A new leader comes from the ISR. (S0:34,122)
M5 == [][(\A p \in Partition, leader_2 \in Broker \union {None} : (HE1(p, leader_2)) => (leader_2 \in isr[p]))]_vars

M5_where_nothing_changes == (\A p \in Partition, leader_2 \in Broker \union {None} : (ENABLED (UNCHANGED vars /\ (HE1(p,
  leader_2)))) => (leader_2 \in isr[p]))

\* A new registration is a new incarnation, Inactive until its first heartbeat, whatever the former one was. (S0:26,34)
M6s == [][(\A b \in Broker : (H_reg(b) \/ H9(b)) => (incarnation[b]' = registered[b] /\ (legacy[b] \/
  (~handles_traffic(b))')))]_vars

M6s_where_nothing_changes == (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (H_reg(b) \/ H9(b)))) => (incarnation[b] =
  registered[b] /\ (legacy[b] \/ ~handles_traffic(b))))

\* A controller that has been replaced changes nothing: not so, its answer is contact for a broker, since it names
\* neither controller nor epoch. (S0:83-86)
M7 == [][(\A b \in Broker, error \in Error, current_state \in BrokerState : (H8(b, error, current_state)) => (controller
  => ~of_former[b]))]_vars

M7_where_nothing_changes == (\A b \in Broker, error \in Error, current_state \in BrokerState : (ENABLED (UNCHANGED vars
  /\ (H8(b, error, current_state)))) => (controller => ~of_former[b]))

\* Without a controller in office nothing changes at the controller, and no leader does. (S0:116)
M7w == [][(~controller /\ ~controller') => ((\A b \in Broker : state[b]' = state[b] /\ incarnation[b]' = incarnation[b]
  /\ last_contact[b]' = last_contact[b]) /\ (\A p \in Partition : leader[p]' = leader[p] /\ leader_epoch[p]' =
  leader_epoch[p]))]_vars

\* A broker is in the cluster, and serves. (S0:36)
\* TLC is asked that this never holds; a violation is the witness.
HW1 == ~(\E b \in Broker : fences_itself(b) /\ state[b] = "ACTIVE")

\* A broker has fenced itself, and the controller had made it Inactive. (S0:42-50)
\* TLC is asked that this never holds; a violation is the witness.
HW2 == ~(\E b \in Broker : running[b] /\ fenced[b] /\ controller /\ same_incarnation(b) /\ timed_out[b] /\ 0 <
  own_incarnation[b])

\* A broker shuts down. (S0:36)
\* TLC is asked that this never holds; a violation is the witness.
HW3 == ~(\E b \in Broker : state[b] = "STOPPING")

\* A heartbeat of no lower incarnation is contact, and its incarnation and the state that it asks for are stored.
\* (S0:54-58)
HI11 == [][(\A b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : (H1(b,
  incarnation_2, target, valid) \/ H2(b, incarnation_2, target, valid) \/ H3s(b, incarnation_2, target, valid) \/ H3a(b,
  incarnation_2, target, valid) \/ H4(b, incarnation_2, target, valid) \/ H5(b, incarnation_2, target, valid)) =>
  ((valid /\ incarnation[b] <= incarnation_2) => (state[b]' = (IF target = "STOPPING" THEN "STOPPING" ELSE "ACTIVE") /\
  incarnation[b]' = incarnation_2 /\ last_contact[b]' = now)))]_vars

HI11_where_nothing_changes == (\A b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN :
  (ENABLED (UNCHANGED vars /\ (H1(b, incarnation_2, target, valid) \/ H2(b, incarnation_2, target, valid) \/ H3s(b,
  incarnation_2, target, valid) \/ H3a(b, incarnation_2, target, valid) \/ H4(b, incarnation_2, target, valid) \/ H5(b,
  incarnation_2, target, valid)))) => ((valid /\ incarnation[b] <= incarnation_2) => (state[b] = (IF target = "STOPPING"
  THEN "STOPPING" ELSE "ACTIVE") /\ incarnation[b] = incarnation_2 /\ last_contact[b] = now)))

\* A heartbeat that is refused changes nothing at the controller. (S0:56,88-90)
HI12 == [][(\A b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : (H1(b,
  incarnation_2, target, valid) \/ H2(b, incarnation_2, target, valid) \/ H3s(b, incarnation_2, target, valid) \/ H3a(b,
  incarnation_2, target, valid) \/ H4(b, incarnation_2, target, valid) \/ H5(b, incarnation_2, target, valid)) =>
  (~(valid /\ incarnation[b] <= incarnation_2) => (state[b]' = state[b] /\ incarnation[b]' = incarnation[b] /\
  last_contact[b]' = last_contact[b] /\ known_legacy[b]' = known_legacy[b])))]_vars

\* Whoever asked is answered with the state that the controller has it in, or by which error it is refused.
\* (S0:54,86-90)
HI13 == [][(\A b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : (H1(b,
  incarnation_2, target, valid) \/ H2(b, incarnation_2, target, valid) \/ H3s(b, incarnation_2, target, valid) \/ H3a(b,
  incarnation_2, target, valid) \/ H4(b, incarnation_2, target, valid) \/ H5(b, incarnation_2, target, valid)) =>
  (answered[b]' = (running[b] /\ incarnation_2 <= own_incarnation[b]) /\ (answered[b]' => (IF valid /\ incarnation[b] <=
  incarnation_2 THEN answer_error[b]' = "NONE" /\ answer_state[b]' = state[b]' ELSE answer_error[b]' = (IF valid THEN
  "INVALID_INCARNATION_ID" ELSE "INVALID_REQUEST")))))]_vars

HI13_where_nothing_changes == (\A b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN :
  (ENABLED (UNCHANGED vars /\ (H1(b, incarnation_2, target, valid) \/ H2(b, incarnation_2, target, valid) \/ H3s(b,
  incarnation_2, target, valid) \/ H3a(b, incarnation_2, target, valid) \/ H4(b, incarnation_2, target, valid) \/ H5(b,
  incarnation_2, target, valid)))) => (answered[b] = (running[b] /\ incarnation_2 <= own_incarnation[b]) /\ (answered[b]
  => (IF valid /\ incarnation[b] <= incarnation_2 THEN answer_error[b] = "NONE" /\ answer_state[b] = state[b] ELSE
  answer_error[b] = (IF valid THEN "INVALID_INCARNATION_ID" ELSE "INVALID_REQUEST")))))

\* A heartbeat has the incarnation of the process that sends it, and the state that this would like to be in. (S0:76-81)
HI14 == [][(\A b \in Broker, target \in BrokerState : (HS1(b, target)) => (asked[b]' /\ asked_incarnation[b]' =
  own_incarnation[b] /\ asked_target[b]' = (IF shutting_down[b] THEN "STOPPING" ELSE "ACTIVE")))]_vars

HI14_where_nothing_changes == (\A b \in Broker, target \in BrokerState : (ENABLED (UNCHANGED vars /\ (HS1(b, target))))
  => (asked[b] /\ asked_incarnation[b] = own_incarnation[b] /\ asked_target[b] = (IF shutting_down[b] THEN "STOPPING"
  ELSE "ACTIVE")))

\* Nothing is left of a heartbeat or an answer that is under way no more. (S0:54)
HI15 == \A b \in Broker : (asked[b] \/ asked_target[b] = "ACTIVE") /\ (answered[b] \/ (answer_error[b] = "NONE" /\
  answer_state[b] = "INITIAL" /\ ~of_former[b]))

\* While a controller is in office nobody becomes Active or Stopping but by its heartbeat, save legacy brokers.
\* (S0:48,58,138)
HI16 == [][(\A b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : (H1(b,
  incarnation_2, target, valid) \/ H2(b, incarnation_2, target, valid)) => (\A b_2 \in Broker : (controller /\
  state[b_2] # state[b_2]') => (state[b_2]' # "STOPPING" /\ (state[b_2]' = "ACTIVE" => (legacy[b_2] /\ 0 <
  registered[b_2]))))) /\ (\A b \in Broker : (H6(b) \/ HS2(b) \/ HS3(b) \/ H7(b) \/ H_reg(b) \/ H9(b) \/ H_gone(b) \/
  HE3(b) \/ HZ2(b) \/ HZ5(b) \/ HZ6(b) \/ HZ7(b)) => (\A b_2 \in Broker : (controller /\ state[b_2] # state[b_2]') =>
  (state[b_2]' # "STOPPING" /\ (state[b_2]' = "ACTIVE" => (legacy[b_2] /\ 0 < registered[b_2]))))) /\ (\A b \in Broker,
  target \in BrokerState : (HS1(b, target)) => (\A b_2 \in Broker : (controller /\ state[b_2] # state[b_2]') =>
  (state[b_2]' # "STOPPING" /\ (state[b_2]' = "ACTIVE" => (legacy[b_2] /\ 0 < registered[b_2]))))) /\ (\A b \in Broker,
  error \in Error, current_state \in BrokerState : (H8e(b, error, current_state) \/ H8(b, error, current_state) \/
  H8_2(b, error, current_state)) => (\A b_2 \in Broker : (controller /\ state[b_2] # state[b_2]') => (state[b_2]' #
  "STOPPING" /\ (state[b_2]' = "ACTIVE" => (legacy[b_2] /\ 0 < registered[b_2]))))) /\ (\A to_2 \in time : (HT1(to_2))
  => (\A b \in Broker : (controller /\ state[b] # state[b]') => (state[b]' # "STOPPING" /\ (state[b]' = "ACTIVE" =>
  (legacy[b] /\ 0 < registered[b]))))) /\ ((HC1 \/ H12) => (\A b \in Broker : (controller /\ state[b] # state[b]') =>
  (state[b]' # "STOPPING" /\ (state[b]' = "ACTIVE" => (legacy[b] /\ 0 < registered[b]))))) /\ (\A p \in Partition,
  leader_2 \in Broker \union {None} : (HE1(p, leader_2) \/ HE2(p, leader_2)) => (\A b \in Broker : (controller /\
  state[b] # state[b]') => (state[b]' # "STOPPING" /\ (state[b]' = "ACTIVE" => (legacy[b] /\ 0 < registered[b]))))) /\
  (\A b \in Broker, incarnation_2 \in czxid_2, p \in Partition, leader_epoch_3 \in leader_epoch_2, isr_2 \in SUBSET
  Broker, to_controller \in BOOLEAN : (H11(b, incarnation_2, p, leader_epoch_3, isr_2, to_controller)) => (\A b_2 \in
  Broker : (controller /\ state[b_2] # state[b_2]') => (state[b_2]' # "STOPPING" /\ (state[b_2]' = "ACTIVE" =>
  (legacy[b_2] /\ 0 < registered[b_2]))))) /\ (\A b \in Broker, p \in Partition, isr_2 \in SUBSET Broker : (H9w(b, p,
  isr_2)) => (\A b_2 \in Broker : (controller /\ state[b_2] # state[b_2]') => (state[b_2]' # "STOPPING" /\ (state[b_2]'
  = "ACTIVE" => (legacy[b_2] /\ 0 < registered[b_2]))))) /\ (\A b \in Broker, legacy_2 \in BOOLEAN, czxid_3 \in czxid_2
  : (HZ1(b, legacy_2, czxid_3)) => (\A b_2 \in Broker : (controller /\ state[b_2] # state[b_2]') => (state[b_2]' #
  "STOPPING" /\ (state[b_2]' = "ACTIVE" => (legacy[b_2] /\ 0 < registered[b_2]))))) /\ (\A b \in Broker, czxid_3 \in
  czxid_2 : (HZ3(b, czxid_3) \/ HZ4(b, czxid_3)) => (\A b_2 \in Broker : (controller /\ state[b_2] # state[b_2]') =>
  (state[b_2]' # "STOPPING" /\ (state[b_2]' = "ACTIVE" => (legacy[b_2] /\ 0 < registered[b_2]))))) /\ (\A old_brokers
  \in SUBSET Broker : (HF1(old_brokers)) => (\A b \in Broker : (controller /\ state[b] # state[b]') => (state[b]' #
  "STOPPING" /\ (state[b]' = "ACTIVE" => (legacy[b] /\ 0 < registered[b])))))]_vars

\* While a controller is in office nobody becomes Inactive who is not silent for its timeout, gone, or registered anew.
\* (S0:34,48)
HI17 == [][\A b \in Broker : (controller /\ handles_traffic(b) /\ ~handles_traffic(b)') => ((~known_legacy[b] /\
  last_contact[b] + controller_timeout < now) \/ registered[b] = 0 \/ incarnation[b] < registered[b])]_vars

\* Whoever is silent for the controller's timeout, or has no znode any more, becomes Inactive. (S0:34,48)
HI18 == [][(\A b \in Broker : (H6(b) \/ H_gone(b)) => (state[b]' = "INACTIVE"))]_vars

HI18_where_nothing_changes == (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (H6(b) \/ H_gone(b)))) => (state[b] =
  "INACTIVE"))

\* A new controller knows what ZooKeeper tells it: everybody is Inactive but the legacy brokers. (S0:34,56,138)
HI19 == [][((H12) => (\A x \in Broker : state[x]' = (IF legacy[x] /\ 0 < registered[x] THEN "ACTIVE" ELSE "INACTIVE") /\
  incarnation[x]' = registered[x]))]_vars

HI19_where_nothing_changes == ((ENABLED (UNCHANGED vars /\ (H12))) => (\A x \in Broker : state[x] = (IF legacy[x] /\ 0 <
  registered[x] THEN "ACTIVE" ELSE "INACTIVE") /\ incarnation[x] = registered[x]))

\* A znode has a czxid that no other of its id had, there is one at a time, and a process has that of the one it made.
\* (S0:26-28)
HI20 == [][\A b \in Broker : czxid[b] <= czxid[b]' /\ (registered[b]' = registered[b] \/ registered[b]' = 0 \/
  (registered[b] = 0 /\ czxid[b] < registered[b]' /\ czxid[b]' = registered[b]')) /\ (own_incarnation[b]' =
  own_incarnation[b] \/ own_incarnation[b]' = registered[b]')]_vars

\* Nothing but an answer unfences a broker: a new process is fenced. (S0:44,70-73)
HI21 == [][(\A b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : (H1(b,
  incarnation_2, target, valid) \/ H2(b, incarnation_2, target, valid) \/ H3s(b, incarnation_2, target, valid) \/ H3a(b,
  incarnation_2, target, valid) \/ H4(b, incarnation_2, target, valid) \/ H5(b, incarnation_2, target, valid)) => (\A
  b_2 \in Broker : (running[b_2]' /\ ~fenced[b_2]' /\ ~legacy[b_2]') => (running[b_2] /\ ~fenced[b_2]))) /\ (\A b \in
  Broker : (H6(b) \/ HS2(b) \/ HS3(b) \/ H7(b) \/ H_reg(b) \/ H9(b) \/ H_gone(b) \/ HE3(b) \/ HZ2(b) \/ HZ5(b) \/ HZ6(b)
  \/ HZ7(b)) => (\A b_2 \in Broker : (running[b_2]' /\ ~fenced[b_2]' /\ ~legacy[b_2]') => (running[b_2] /\
  ~fenced[b_2]))) /\ (\A b \in Broker, target \in BrokerState : (HS1(b, target)) => (\A b_2 \in Broker : (running[b_2]'
  /\ ~fenced[b_2]' /\ ~legacy[b_2]') => (running[b_2] /\ ~fenced[b_2]))) /\ (\A b \in Broker, error \in Error,
  current_state \in BrokerState : (H8e(b, error, current_state) \/ H8_2(b, error, current_state)) => (\A b_2 \in Broker
  : (running[b_2]' /\ ~fenced[b_2]' /\ ~legacy[b_2]') => (running[b_2] /\ ~fenced[b_2]))) /\ (\A to_2 \in time :
  (HT1(to_2)) => (\A b \in Broker : (running[b]' /\ ~fenced[b]' /\ ~legacy[b]') => (running[b] /\ ~fenced[b]))) /\ ((HC1
  \/ H12) => (\A b \in Broker : (running[b]' /\ ~fenced[b]' /\ ~legacy[b]') => (running[b] /\ ~fenced[b]))) /\ (\A p \in
  Partition, leader_2 \in Broker \union {None} : (HE1(p, leader_2) \/ HE2(p, leader_2)) => (\A b \in Broker :
  (running[b]' /\ ~fenced[b]' /\ ~legacy[b]') => (running[b] /\ ~fenced[b]))) /\ (\A b \in Broker, incarnation_2 \in
  czxid_2, p \in Partition, leader_epoch_3 \in leader_epoch_2, isr_2 \in SUBSET Broker, to_controller \in BOOLEAN :
  (H11(b, incarnation_2, p, leader_epoch_3, isr_2, to_controller)) => (\A b_2 \in Broker : (running[b_2]' /\
  ~fenced[b_2]' /\ ~legacy[b_2]') => (running[b_2] /\ ~fenced[b_2]))) /\ (\A b \in Broker, p \in Partition, isr_2 \in
  SUBSET Broker : (H9w(b, p, isr_2)) => (\A b_2 \in Broker : (running[b_2]' /\ ~fenced[b_2]' /\ ~legacy[b_2]') =>
  (running[b_2] /\ ~fenced[b_2]))) /\ (\A b \in Broker, legacy_2 \in BOOLEAN, czxid_3 \in czxid_2 : (HZ1(b, legacy_2,
  czxid_3)) => (\A b_2 \in Broker : (running[b_2]' /\ ~fenced[b_2]' /\ ~legacy[b_2]') => (running[b_2] /\
  ~fenced[b_2]))) /\ (\A b \in Broker, czxid_3 \in czxid_2 : (HZ3(b, czxid_3) \/ HZ4(b, czxid_3)) => (\A b_2 \in Broker
  : (running[b_2]' /\ ~fenced[b_2]' /\ ~legacy[b_2]') => (running[b_2] /\ ~fenced[b_2])))]_vars

\* Unless an answer says that it is Inactive nobody fences itself that has had one within its timeout. (S0:42,71)
HI22 == [][(\A b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : (H1(b,
  incarnation_2, target, valid) \/ H2(b, incarnation_2, target, valid) \/ H3s(b, incarnation_2, target, valid) \/ H3a(b,
  incarnation_2, target, valid) \/ H4(b, incarnation_2, target, valid) \/ H5(b, incarnation_2, target, valid)) => (\A
  b_2 \in Broker : (running[b_2] /\ ~fenced[b_2] /\ (running[b_2] /\ fenced[b_2])') => (~legacy[b_2] /\ last_reply[b_2]
  + broker_timeout < now))) /\ (\A b \in Broker : (H6(b) \/ HS2(b) \/ HS3(b) \/ H7(b) \/ H_reg(b) \/ H9(b) \/ H_gone(b)
  \/ HE3(b) \/ HZ2(b) \/ HZ5(b) \/ HZ6(b) \/ HZ7(b)) => (\A b_2 \in Broker : (running[b_2] /\ ~fenced[b_2] /\
  (running[b_2] /\ fenced[b_2])') => (~legacy[b_2] /\ last_reply[b_2] + broker_timeout < now))) /\ (\A b \in Broker,
  target \in BrokerState : (HS1(b, target)) => (\A b_2 \in Broker : (running[b_2] /\ ~fenced[b_2] /\ (running[b_2] /\
  fenced[b_2])') => (~legacy[b_2] /\ last_reply[b_2] + broker_timeout < now))) /\ (\A b \in Broker, error \in Error,
  current_state \in BrokerState : (H8e(b, error, current_state) \/ H8(b, error, current_state)) => (\A b_2 \in Broker :
  (running[b_2] /\ ~fenced[b_2] /\ (running[b_2] /\ fenced[b_2])') => (~legacy[b_2] /\ last_reply[b_2] + broker_timeout
  < now))) /\ (\A to_2 \in time : (HT1(to_2)) => (\A b \in Broker : (running[b] /\ ~fenced[b] /\ (running[b] /\
  fenced[b])') => (~legacy[b] /\ last_reply[b] + broker_timeout < now))) /\ ((HC1 \/ H12) => (\A b \in Broker :
  (running[b] /\ ~fenced[b] /\ (running[b] /\ fenced[b])') => (~legacy[b] /\ last_reply[b] + broker_timeout < now))) /\
  (\A p \in Partition, leader_2 \in Broker \union {None} : (HE1(p, leader_2) \/ HE2(p, leader_2)) => (\A b \in Broker :
  (running[b] /\ ~fenced[b] /\ (running[b] /\ fenced[b])') => (~legacy[b] /\ last_reply[b] + broker_timeout < now))) /\
  (\A b \in Broker, incarnation_2 \in czxid_2, p \in Partition, leader_epoch_3 \in leader_epoch_2, isr_2 \in SUBSET
  Broker, to_controller \in BOOLEAN : (H11(b, incarnation_2, p, leader_epoch_3, isr_2, to_controller)) => (\A b_2 \in
  Broker : (running[b_2] /\ ~fenced[b_2] /\ (running[b_2] /\ fenced[b_2])') => (~legacy[b_2] /\ last_reply[b_2] +
  broker_timeout < now))) /\ (\A b \in Broker, p \in Partition, isr_2 \in SUBSET Broker : (H9w(b, p, isr_2)) => (\A b_2
  \in Broker : (running[b_2] /\ ~fenced[b_2] /\ (running[b_2] /\ fenced[b_2])') => (~legacy[b_2] /\ last_reply[b_2] +
  broker_timeout < now))) /\ (\A b \in Broker, legacy_2 \in BOOLEAN, czxid_3 \in czxid_2 : (HZ1(b, legacy_2, czxid_3))
  => (\A b_2 \in Broker : (running[b_2] /\ ~fenced[b_2] /\ (running[b_2] /\ fenced[b_2])') => (~legacy[b_2] /\
  last_reply[b_2] + broker_timeout < now))) /\ (\A b \in Broker, czxid_3 \in czxid_2 : (HZ3(b, czxid_3) \/ HZ4(b,
  czxid_3)) => (\A b_2 \in Broker : (running[b_2] /\ ~fenced[b_2] /\ (running[b_2] /\ fenced[b_2])') => (~legacy[b_2] /\
  last_reply[b_2] + broker_timeout < now))) /\ (\A old_brokers \in SUBSET Broker : (HF1(old_brokers)) => (\A b \in
  Broker : (running[b] /\ ~fenced[b] /\ (running[b] /\ fenced[b])') => (~legacy[b] /\ last_reply[b] + broker_timeout <
  now)))]_vars

\* Whoever has had no answer for its timeout fences itself. (S0:42)
HI23 == [][(\A b \in Broker : (H7(b)) => (fenced[b]'))]_vars

HI23_where_nothing_changes == (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (H7(b)))) => (fenced[b]))

\* An answer without an error is contact: who is Active or Stopping by it takes requests, anybody else is fenced.
\* (S0:42,54,71-73)
HI24 == [][(\A b \in Broker, error \in Error, current_state \in BrokerState : (H8e(b, error, current_state) \/ H8(b,
  error, current_state) \/ H8_2(b, error, current_state)) => (IF error = "NONE" THEN last_reply[b]' = now /\ fenced[b]'
  = (~in_cluster(current_state)) ELSE last_reply[b]' = last_reply[b] /\ fenced[b]' = fenced[b]))]_vars

HI24_where_nothing_changes == (\A b \in Broker, error \in Error, current_state \in BrokerState : (ENABLED (UNCHANGED
  vars /\ (H8e(b, error, current_state) \/ H8(b, error, current_state) \/ H8_2(b, error, current_state)))) => (IF error
  = "NONE" THEN last_reply[b] = now /\ fenced[b] = (~in_cluster(current_state)) ELSE last_reply[b] = last_reply[b] /\
  fenced[b] = fenced[b]))

\* Nobody joins an ISR but by an ISR change of the leader: no election brings back who is not in sync. (S0:62)
HI25 == [][(\A b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : (H1(b,
  incarnation_2, target, valid) \/ H2(b, incarnation_2, target, valid) \/ H3s(b, incarnation_2, target, valid) \/ H3a(b,
  incarnation_2, target, valid) \/ H4(b, incarnation_2, target, valid) \/ H5(b, incarnation_2, target, valid)) => (\A p
  \in Partition : isr[p]' \subseteq isr[p])) /\ (\A b \in Broker : (H6(b) \/ HS2(b) \/ HS3(b) \/ H7(b) \/ H_reg(b) \/
  H9(b) \/ H_gone(b) \/ HE3(b) \/ HZ2(b) \/ HZ5(b) \/ HZ6(b) \/ HZ7(b)) => (\A p \in Partition : isr[p]' \subseteq
  isr[p])) /\ (\A b \in Broker, target \in BrokerState : (HS1(b, target)) => (\A p \in Partition : isr[p]' \subseteq
  isr[p])) /\ (\A b \in Broker, error \in Error, current_state \in BrokerState : (H8e(b, error, current_state) \/ H8(b,
  error, current_state) \/ H8_2(b, error, current_state)) => (\A p \in Partition : isr[p]' \subseteq isr[p])) /\ (\A
  to_2 \in time : (HT1(to_2)) => (\A p \in Partition : isr[p]' \subseteq isr[p])) /\ ((HC1 \/ H12) => (\A p \in
  Partition : isr[p]' \subseteq isr[p])) /\ (\A p \in Partition, leader_2 \in Broker \union {None} : (HE1(p, leader_2)
  \/ HE2(p, leader_2)) => (\A p_2 \in Partition : isr[p_2]' \subseteq isr[p_2])) /\ (\A b \in Broker, legacy_2 \in
  BOOLEAN, czxid_3 \in czxid_2 : (HZ1(b, legacy_2, czxid_3)) => (\A p \in Partition : isr[p]' \subseteq isr[p])) /\ (\A
  b \in Broker, czxid_3 \in czxid_2 : (HZ3(b, czxid_3) \/ HZ4(b, czxid_3)) => (\A p \in Partition : isr[p]' \subseteq
  isr[p])) /\ (\A old_brokers \in SUBSET Broker : (HF1(old_brokers)) => (\A p \in Partition : isr[p]' \subseteq
  isr[p]))]_vars

\* NONE is answered where the ISR is now the one that was asked for, and nothing else of the partition has changed.
\* (S0:107,126)
HI26 == [][(\A b \in Broker, incarnation_2 \in czxid_2, p \in Partition, leader_epoch_3 \in leader_epoch_2, isr_2 \in
  SUBSET Broker, to_controller \in BOOLEAN : (H11(b, incarnation_2, p, leader_epoch_3, isr_2, to_controller)) =>
  (isr[p]' = isr_2 /\ leader[p]' = leader[p] /\ leader_epoch[p]' = leader_epoch[p])) /\ (\A b \in Broker, p \in
  Partition, isr_2 \in SUBSET Broker : (H9w(b, p, isr_2)) => (isr[p]' = isr_2 /\ leader[p]' = leader[p] /\
  leader_epoch[p]' = leader_epoch[p]))]_vars

HI26_where_nothing_changes == (\A b \in Broker, incarnation_2 \in czxid_2, p \in Partition, leader_epoch_3 \in
  leader_epoch_2, isr_2 \in SUBSET Broker, to_controller \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (H11(b,
  incarnation_2, p, leader_epoch_3, isr_2, to_controller)))) => (isr[p] = isr_2 /\ leader[p] = leader[p] /\
  leader_epoch[p] = leader_epoch[p])) /\ (\A b \in Broker, p \in Partition, isr_2 \in SUBSET Broker : (ENABLED
  (UNCHANGED vars /\ (H9w(b, p, isr_2)))) => (isr[p] = isr_2 /\ leader[p] = leader[p] /\ leader_epoch[p] =
  leader_epoch[p]))

\* An ISR change is applied by the node that is the controller, and refused by another reason than NOT_CONTROLLER by it
\* alone. (S0:116)
HI27 == [][(\A b \in Broker, incarnation_2 \in czxid_2, p \in Partition, leader_epoch_3 \in leader_epoch_2, isr_2 \in
  SUBSET Broker, to_controller \in BOOLEAN : (H11(b, incarnation_2, p, leader_epoch_3, isr_2, to_controller)) =>
  (controller /\ to_controller))]_vars

HI27_where_nothing_changes == (\A b \in Broker, incarnation_2 \in czxid_2, p \in Partition, leader_epoch_3 \in
  leader_epoch_2, isr_2 \in SUBSET Broker, to_controller \in BOOLEAN : (ENABLED (UNCHANGED vars /\ (H11(b,
  incarnation_2, p, leader_epoch_3, isr_2, to_controller)))) => (controller /\ to_controller)) /\ (\A b \in Broker,
  incarnation_2 \in czxid_2, p \in Partition, leader_epoch_3 \in leader_epoch_2, isr_2 \in SUBSET Broker, to_controller
  \in BOOLEAN : (H10_is_enabled(b, incarnation_2, p, leader_epoch_3, isr_2, to_controller)) => (controller /\
  to_controller)) /\ (\A b \in Broker, incarnation_2 \in czxid_2, p \in Partition, leader_epoch_3 \in leader_epoch_2,
  isr_2 \in SUBSET Broker, to_controller \in BOOLEAN : (H11a_is_enabled(b, incarnation_2, p, leader_epoch_3, isr_2,
  to_controller)) => (controller /\ to_controller)) /\ (\A b \in Broker, incarnation_2 \in czxid_2, p \in Partition,
  leader_epoch_3 \in leader_epoch_2, isr_2 \in SUBSET Broker, to_controller \in BOOLEAN : (H11b_is_enabled(b,
  incarnation_2, p, leader_epoch_3, isr_2, to_controller)) => (controller /\ to_controller))

\* Whoever becomes leader was in the ISR, from which an election takes who is Inactive. (S0:34,62)
HI28 == [][\A p \in Partition, x \in Broker : (leader[p]' = x /\ leader[p] # x) => (x \in isr[p] /\ (isr[p] \subseteq
  served)')]_vars

\* A change of the leader raises the leader epoch by one, and nothing else does. (S0:107,122)
HI29 == [][\A p \in Partition : leader_epoch[p]' = (IF leader[p]' = leader[p] THEN leader_epoch[p] ELSE leader_epoch[p]
  + 1)]_vars

HI29_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (\A p \in Partition : leader_epoch[p] = (IF
  leader[p] = leader[p] THEN leader_epoch[p] ELSE leader_epoch[p] + 1))

\* An Active leader stays, and a partition is left without one only where nobody in the ISR is Active. (S0:34-36)
HI30 == [][\A p \in Partition : (\A x \in Broker : (leader[p] = x /\ state[x] = "ACTIVE") => leader[p]' = x) /\
  ((leader[p] # None /\ leader[p]' = None) => lost_leader(p))]_vars

\* Metadata has everybody who is Active or Stopping, and tells a broker of all that it leads, and in which epoch.
\* (S0:26,34-36)
HI31 == [][(\A b \in Broker : (HE3(b)) => (metadata[b]' = served /\ (\A p \in Partition : believes[b, p]' = (IF
  leader[p] = b THEN leader_epoch[p] ELSE -1))))]_vars

HI31_where_nothing_changes == (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (HE3(b)))) => (metadata[b] = served /\ (\A
  p \in Partition : believes[b, p] = (IF leader[p] = b THEN leader_epoch[p] ELSE -1))))

\* Only metadata for its own incarnation makes a process take itself for a leader; a new one leads nothing. (S0:26)
HI32 == [][(\A b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : (H1(b,
  incarnation_2, target, valid) \/ H2(b, incarnation_2, target, valid) \/ H3s(b, incarnation_2, target, valid) \/ H3a(b,
  incarnation_2, target, valid) \/ H4(b, incarnation_2, target, valid) \/ H5(b, incarnation_2, target, valid)) => (\A
  b_2 \in Broker : (\A p \in Partition : believes[b_2, p]' = believes[b_2, p] \/ believes[b_2, p]' = -1 \/ (controller
  /\ same_incarnation(b_2) /\ leader[p] = b_2 /\ believes[b_2, p]' = leader_epoch[p])) /\ ((~running[b_2] /\
  running[b_2]') => (\A p \in Partition : believes[b_2, p]' = -1)))) /\ (\A b \in Broker : (H6(b) \/ HS2(b) \/ HS3(b) \/
  H7(b) \/ H_reg(b) \/ H9(b) \/ H_gone(b) \/ HE3(b) \/ HZ2(b) \/ HZ5(b) \/ HZ6(b) \/ HZ7(b)) => (\A b_2 \in Broker : (\A
  p \in Partition : believes[b_2, p]' = believes[b_2, p] \/ believes[b_2, p]' = -1 \/ (controller /\
  same_incarnation(b_2) /\ leader[p] = b_2 /\ believes[b_2, p]' = leader_epoch[p])) /\ ((~running[b_2] /\ running[b_2]')
  => (\A p \in Partition : believes[b_2, p]' = -1)))) /\ (\A b \in Broker, target \in BrokerState : (HS1(b, target)) =>
  (\A b_2 \in Broker : (\A p \in Partition : believes[b_2, p]' = believes[b_2, p] \/ believes[b_2, p]' = -1 \/
  (controller /\ same_incarnation(b_2) /\ leader[p] = b_2 /\ believes[b_2, p]' = leader_epoch[p])) /\ ((~running[b_2] /\
  running[b_2]') => (\A p \in Partition : believes[b_2, p]' = -1)))) /\ (\A b \in Broker, error \in Error, current_state
  \in BrokerState : (H8e(b, error, current_state) \/ H8(b, error, current_state) \/ H8_2(b, error, current_state)) =>
  (\A b_2 \in Broker : (\A p \in Partition : believes[b_2, p]' = believes[b_2, p] \/ believes[b_2, p]' = -1 \/
  (controller /\ same_incarnation(b_2) /\ leader[p] = b_2 /\ believes[b_2, p]' = leader_epoch[p])) /\ ((~running[b_2] /\
  running[b_2]') => (\A p \in Partition : believes[b_2, p]' = -1)))) /\ (\A to_2 \in time : (HT1(to_2)) => (\A b \in
  Broker : (\A p \in Partition : believes[b, p]' = believes[b, p] \/ believes[b, p]' = -1 \/ (controller /\
  same_incarnation(b) /\ leader[p] = b /\ believes[b, p]' = leader_epoch[p])) /\ ((~running[b] /\ running[b]') => (\A p
  \in Partition : believes[b, p]' = -1)))) /\ ((HC1 \/ H12) => (\A b \in Broker : (\A p \in Partition : believes[b, p]'
  = believes[b, p] \/ believes[b, p]' = -1 \/ (controller /\ same_incarnation(b) /\ leader[p] = b /\ believes[b, p]' =
  leader_epoch[p])) /\ ((~running[b] /\ running[b]') => (\A p \in Partition : believes[b, p]' = -1)))) /\ (\A p \in
  Partition, leader_2 \in Broker \union {None} : (HE1(p, leader_2) \/ HE2(p, leader_2)) => (\A b \in Broker : (\A p_2
  \in Partition : believes[b, p_2]' = believes[b, p_2] \/ believes[b, p_2]' = -1 \/ (controller /\ same_incarnation(b)
  /\ leader[p_2] = b /\ believes[b, p_2]' = leader_epoch[p_2])) /\ ((~running[b] /\ running[b]') => (\A p_2 \in
  Partition : believes[b, p_2]' = -1)))) /\ (\A b \in Broker, incarnation_2 \in czxid_2, p \in Partition, leader_epoch_3
  \in leader_epoch_2, isr_2 \in SUBSET Broker, to_controller \in BOOLEAN : (H11(b, incarnation_2, p, leader_epoch_3,
  isr_2, to_controller)) => (\A b_2 \in Broker : (\A p_2 \in Partition : believes[b_2, p_2]' = believes[b_2, p_2] \/
  believes[b_2, p_2]' = -1 \/ (controller /\ same_incarnation(b_2) /\ leader[p_2] = b_2 /\ believes[b_2, p_2]' =
  leader_epoch[p_2])) /\ ((~running[b_2] /\ running[b_2]') => (\A p_2 \in Partition : believes[b_2, p_2]' = -1)))) /\
  (\A b \in Broker, p \in Partition, isr_2 \in SUBSET Broker : (H9w(b, p, isr_2)) => (\A b_2 \in Broker : (\A p_2 \in
  Partition : believes[b_2, p_2]' = believes[b_2, p_2] \/ believes[b_2, p_2]' = -1 \/ (controller /\
  same_incarnation(b_2) /\ leader[p_2] = b_2 /\ believes[b_2, p_2]' = leader_epoch[p_2])) /\ ((~running[b_2] /\
  running[b_2]') => (\A p_2 \in Partition : believes[b_2, p_2]' = -1)))) /\ (\A b \in Broker, legacy_2 \in BOOLEAN,
  czxid_3 \in czxid_2 : (HZ1(b, legacy_2, czxid_3)) => (\A b_2 \in Broker : (\A p \in Partition : believes[b_2, p]' =
  believes[b_2, p] \/ believes[b_2, p]' = -1 \/ (controller /\ same_incarnation(b_2) /\ leader[p] = b_2 /\ believes[b_2,
  p]' = leader_epoch[p])) /\ ((~running[b_2] /\ running[b_2]') => (\A p \in Partition : believes[b_2, p]' = -1)))) /\
  (\A b \in Broker, czxid_3 \in czxid_2 : (HZ3(b, czxid_3) \/ HZ4(b, czxid_3)) => (\A b_2 \in Broker : (\A p \in
  Partition : believes[b_2, p]' = believes[b_2, p] \/ believes[b_2, p]' = -1 \/ (controller /\ same_incarnation(b_2) /\
  leader[p] = b_2 /\ believes[b_2, p]' = leader_epoch[p])) /\ ((~running[b_2] /\ running[b_2]') => (\A p \in Partition :
  believes[b_2, p]' = -1))))]_vars

\* A heartbeat stays as it was sent, unless its sender sends another; one of another process with the same id names that
\* one's incarnation, and asks to be Active. (S0:26,76-81,118)
HI33 == [][(\A b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : (H1(b,
  incarnation_2, target, valid) \/ H2(b, incarnation_2, target, valid) \/ H3s(b, incarnation_2, target, valid) \/ H3a(b,
  incarnation_2, target, valid) \/ H4(b, incarnation_2, target, valid) \/ H5(b, incarnation_2, target, valid)) => (\A
  b_2 \in Broker : asked[b_2]' => (IF asked[b_2] THEN asked_incarnation[b_2]' = asked_incarnation[b_2] /\
  asked_target[b_2]' = asked_target[b_2] ELSE other[b_2] /\ asked_incarnation[b_2]' = registered[b_2] /\
  asked_target[b_2]' = "ACTIVE"))) /\ (\A b \in Broker : (H6(b) \/ HS2(b) \/ HS3(b) \/ H7(b) \/ H_reg(b) \/ H9(b) \/
  H_gone(b) \/ HE3(b) \/ HZ2(b) \/ HZ5(b) \/ HZ6(b) \/ HZ7(b)) => (\A b_2 \in Broker : asked[b_2]' => (IF asked[b_2]
  THEN asked_incarnation[b_2]' = asked_incarnation[b_2] /\ asked_target[b_2]' = asked_target[b_2] ELSE other[b_2] /\
  asked_incarnation[b_2]' = registered[b_2] /\ asked_target[b_2]' = "ACTIVE"))) /\ (\A b \in Broker, error \in Error,
  current_state \in BrokerState : (H8e(b, error, current_state) \/ H8(b, error, current_state) \/ H8_2(b, error,
  current_state)) => (\A b_2 \in Broker : asked[b_2]' => (IF asked[b_2] THEN asked_incarnation[b_2]' =
  asked_incarnation[b_2] /\ asked_target[b_2]' = asked_target[b_2] ELSE other[b_2] /\ asked_incarnation[b_2]' =
  registered[b_2] /\ asked_target[b_2]' = "ACTIVE"))) /\ (\A to_2 \in time : (HT1(to_2)) => (\A b \in Broker : asked[b]'
  => (IF asked[b] THEN asked_incarnation[b]' = asked_incarnation[b] /\ asked_target[b]' = asked_target[b] ELSE other[b]
  /\ asked_incarnation[b]' = registered[b] /\ asked_target[b]' = "ACTIVE"))) /\ ((HC1 \/ H12) => (\A b \in Broker :
  asked[b]' => (IF asked[b] THEN asked_incarnation[b]' = asked_incarnation[b] /\ asked_target[b]' = asked_target[b] ELSE
  other[b] /\ asked_incarnation[b]' = registered[b] /\ asked_target[b]' = "ACTIVE"))) /\ (\A p \in Partition, leader_2
  \in Broker \union {None} : (HE1(p, leader_2) \/ HE2(p, leader_2)) => (\A b \in Broker : asked[b]' => (IF asked[b] THEN
  asked_incarnation[b]' = asked_incarnation[b] /\ asked_target[b]' = asked_target[b] ELSE other[b] /\
  asked_incarnation[b]' = registered[b] /\ asked_target[b]' = "ACTIVE"))) /\ (\A b \in Broker, incarnation_2 \in
  czxid_2, p \in Partition, leader_epoch_3 \in leader_epoch_2, isr_2 \in SUBSET Broker, to_controller \in BOOLEAN :
  (H11(b, incarnation_2, p, leader_epoch_3, isr_2, to_controller)) => (\A b_2 \in Broker : asked[b_2]' => (IF asked[b_2]
  THEN asked_incarnation[b_2]' = asked_incarnation[b_2] /\ asked_target[b_2]' = asked_target[b_2] ELSE other[b_2] /\
  asked_incarnation[b_2]' = registered[b_2] /\ asked_target[b_2]' = "ACTIVE"))) /\ (\A b \in Broker, p \in Partition,
  isr_2 \in SUBSET Broker : (H9w(b, p, isr_2)) => (\A b_2 \in Broker : asked[b_2]' => (IF asked[b_2] THEN
  asked_incarnation[b_2]' = asked_incarnation[b_2] /\ asked_target[b_2]' = asked_target[b_2] ELSE other[b_2] /\
  asked_incarnation[b_2]' = registered[b_2] /\ asked_target[b_2]' = "ACTIVE"))) /\ (\A b \in Broker, legacy_2 \in
  BOOLEAN, czxid_3 \in czxid_2 : (HZ1(b, legacy_2, czxid_3)) => (\A b_2 \in Broker : asked[b_2]' => (IF asked[b_2] THEN
  asked_incarnation[b_2]' = asked_incarnation[b_2] /\ asked_target[b_2]' = asked_target[b_2] ELSE other[b_2] /\
  asked_incarnation[b_2]' = registered[b_2] /\ asked_target[b_2]' = "ACTIVE"))) /\ (\A b \in Broker, czxid_3 \in czxid_2
  : (HZ3(b, czxid_3) \/ HZ4(b, czxid_3)) => (\A b_2 \in Broker : asked[b_2]' => (IF asked[b_2] THEN
  asked_incarnation[b_2]' = asked_incarnation[b_2] /\ asked_target[b_2]' = asked_target[b_2] ELSE other[b_2] /\
  asked_incarnation[b_2]' = registered[b_2] /\ asked_target[b_2]' = "ACTIVE"))) /\ (\A old_brokers \in SUBSET Broker :
  (HF1(old_brokers)) => (\A b \in Broker : asked[b]' => (IF asked[b] THEN asked_incarnation[b]' = asked_incarnation[b]
  /\ asked_target[b]' = asked_target[b] ELSE other[b] /\ asked_incarnation[b]' = registered[b] /\ asked_target[b]' =
  "ACTIVE")))]_vars

HI33_where_nothing_changes == (\A b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN :
  (ENABLED (UNCHANGED vars /\ (H1(b, incarnation_2, target, valid) \/ H2(b, incarnation_2, target, valid) \/ H3s(b,
  incarnation_2, target, valid) \/ H3a(b, incarnation_2, target, valid) \/ H4(b, incarnation_2, target, valid) \/ H5(b,
  incarnation_2, target, valid)))) => (\A b_2 \in Broker : asked[b_2] => (IF asked[b_2] THEN asked_incarnation[b_2] =
  asked_incarnation[b_2] /\ asked_target[b_2] = asked_target[b_2] ELSE other[b_2] /\ asked_incarnation[b_2] =
  registered[b_2] /\ asked_target[b_2] = "ACTIVE"))) /\ (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (H6(b) \/ HS2(b)
  \/ HS3(b) \/ H7(b) \/ H_reg(b) \/ H9(b) \/ H_gone(b) \/ HE3(b) \/ HZ2(b) \/ HZ5(b) \/ HZ6(b) \/ HZ7(b)))) => (\A b_2
  \in Broker : asked[b_2] => (IF asked[b_2] THEN asked_incarnation[b_2] = asked_incarnation[b_2] /\ asked_target[b_2] =
  asked_target[b_2] ELSE other[b_2] /\ asked_incarnation[b_2] = registered[b_2] /\ asked_target[b_2] = "ACTIVE"))) /\
  (\A b \in Broker, error \in Error, current_state \in BrokerState : (ENABLED (UNCHANGED vars /\ (H8e(b, error,
  current_state) \/ H8(b, error, current_state) \/ H8_2(b, error, current_state)))) => (\A b_2 \in Broker : asked[b_2]
  => (IF asked[b_2] THEN asked_incarnation[b_2] = asked_incarnation[b_2] /\ asked_target[b_2] = asked_target[b_2] ELSE
  other[b_2] /\ asked_incarnation[b_2] = registered[b_2] /\ asked_target[b_2] = "ACTIVE"))) /\ (\A to_2 \in time :
  (ENABLED (UNCHANGED vars /\ (HT1(to_2)))) => (\A b \in Broker : asked[b] => (IF asked[b] THEN asked_incarnation[b] =
  asked_incarnation[b] /\ asked_target[b] = asked_target[b] ELSE other[b] /\ asked_incarnation[b] = registered[b] /\
  asked_target[b] = "ACTIVE"))) /\ ((ENABLED (UNCHANGED vars /\ (HC1 \/ H12))) => (\A b \in Broker : asked[b] => (IF
  asked[b] THEN asked_incarnation[b] = asked_incarnation[b] /\ asked_target[b] = asked_target[b] ELSE other[b] /\
  asked_incarnation[b] = registered[b] /\ asked_target[b] = "ACTIVE"))) /\ (\A p \in Partition, leader_2 \in Broker
  \union {None} : (ENABLED (UNCHANGED vars /\ (HE1(p, leader_2) \/ HE2(p, leader_2)))) => (\A b \in Broker : asked[b] =>
  (IF asked[b] THEN asked_incarnation[b] = asked_incarnation[b] /\ asked_target[b] = asked_target[b] ELSE other[b] /\
  asked_incarnation[b] = registered[b] /\ asked_target[b] = "ACTIVE"))) /\ (\A b \in Broker, incarnation_2 \in czxid_2,
  p \in Partition, leader_epoch_3 \in leader_epoch_2, isr_2 \in SUBSET Broker, to_controller \in BOOLEAN : (ENABLED
  (UNCHANGED vars /\ (H11(b, incarnation_2, p, leader_epoch_3, isr_2, to_controller)))) => (\A b_2 \in Broker :
  asked[b_2] => (IF asked[b_2] THEN asked_incarnation[b_2] = asked_incarnation[b_2] /\ asked_target[b_2] =
  asked_target[b_2] ELSE other[b_2] /\ asked_incarnation[b_2] = registered[b_2] /\ asked_target[b_2] = "ACTIVE"))) /\
  (\A b \in Broker, p \in Partition, isr_2 \in SUBSET Broker : (ENABLED (UNCHANGED vars /\ (H9w(b, p, isr_2)))) => (\A
  b_2 \in Broker : asked[b_2] => (IF asked[b_2] THEN asked_incarnation[b_2] = asked_incarnation[b_2] /\
  asked_target[b_2] = asked_target[b_2] ELSE other[b_2] /\ asked_incarnation[b_2] = registered[b_2] /\ asked_target[b_2]
  = "ACTIVE"))) /\ (\A b \in Broker, legacy_2 \in BOOLEAN, czxid_3 \in czxid_2 : (ENABLED (UNCHANGED vars /\ (HZ1(b,
  legacy_2, czxid_3)))) => (\A b_2 \in Broker : asked[b_2] => (IF asked[b_2] THEN asked_incarnation[b_2] =
  asked_incarnation[b_2] /\ asked_target[b_2] = asked_target[b_2] ELSE other[b_2] /\ asked_incarnation[b_2] =
  registered[b_2] /\ asked_target[b_2] = "ACTIVE"))) /\ (\A b \in Broker, czxid_3 \in czxid_2 : (ENABLED (UNCHANGED vars
  /\ (HZ3(b, czxid_3) \/ HZ4(b, czxid_3)))) => (\A b_2 \in Broker : asked[b_2] => (IF asked[b_2] THEN
  asked_incarnation[b_2] = asked_incarnation[b_2] /\ asked_target[b_2] = asked_target[b_2] ELSE other[b_2] /\
  asked_incarnation[b_2] = registered[b_2] /\ asked_target[b_2] = "ACTIVE"))) /\ (\A old_brokers \in SUBSET Broker :
  (ENABLED (UNCHANGED vars /\ (HF1(old_brokers)))) => (\A b \in Broker : asked[b] => (IF asked[b] THEN
  asked_incarnation[b] = asked_incarnation[b] /\ asked_target[b] = asked_target[b] ELSE other[b] /\ asked_incarnation[b]
  = registered[b] /\ asked_target[b] = "ACTIVE"))) /\ (\A b \in Broker, incarnation_2 \in czxid_2, p \in Partition,
  leader_epoch_3 \in leader_epoch_2, isr_2 \in SUBSET Broker, to_controller \in BOOLEAN : ((~(controller /\
  to_controller)) = TRUE) => (\A b_2 \in Broker : asked[b_2] => (IF asked[b_2] THEN asked_incarnation[b_2] =
  asked_incarnation[b_2] /\ asked_target[b_2] = asked_target[b_2] ELSE other[b_2] /\ asked_incarnation[b_2] =
  registered[b_2] /\ asked_target[b_2] = "ACTIVE"))) /\ (\A b \in Broker, incarnation_2 \in czxid_2, p \in Partition,
  leader_epoch_3 \in leader_epoch_2, isr_2 \in SUBSET Broker, to_controller \in BOOLEAN : (H10_is_enabled(b,
  incarnation_2, p, leader_epoch_3, isr_2, to_controller)) => (\A b_2 \in Broker : asked[b_2] => (IF asked[b_2] THEN
  asked_incarnation[b_2] = asked_incarnation[b_2] /\ asked_target[b_2] = asked_target[b_2] ELSE other[b_2] /\
  asked_incarnation[b_2] = registered[b_2] /\ asked_target[b_2] = "ACTIVE"))) /\ (\A b \in Broker, incarnation_2 \in
  czxid_2, p \in Partition, leader_epoch_3 \in leader_epoch_2, isr_2 \in SUBSET Broker, to_controller \in BOOLEAN :
  (H11a_is_enabled(b, incarnation_2, p, leader_epoch_3, isr_2, to_controller)) => (\A b_2 \in Broker : asked[b_2] => (IF
  asked[b_2] THEN asked_incarnation[b_2] = asked_incarnation[b_2] /\ asked_target[b_2] = asked_target[b_2] ELSE
  other[b_2] /\ asked_incarnation[b_2] = registered[b_2] /\ asked_target[b_2] = "ACTIVE"))) /\ (\A b \in Broker,
  incarnation_2 \in czxid_2, p \in Partition, leader_epoch_3 \in leader_epoch_2, isr_2 \in SUBSET Broker, to_controller
  \in BOOLEAN : (H11b_is_enabled(b, incarnation_2, p, leader_epoch_3, isr_2, to_controller)) => (\A b_2 \in Broker :
  asked[b_2] => (IF asked[b_2] THEN asked_incarnation[b_2] = asked_incarnation[b_2] /\ asked_target[b_2] =
  asked_target[b_2] ELSE other[b_2] /\ asked_incarnation[b_2] = registered[b_2] /\ asked_target[b_2] = "ACTIVE"))) /\
  (\A b \in Broker, p \in Partition, isr_2 \in SUBSET Broker : (H9a_is_enabled(b, p, isr_2)) => (\A b_2 \in Broker :
  asked[b_2] => (IF asked[b_2] THEN asked_incarnation[b_2] = asked_incarnation[b_2] /\ asked_target[b_2] =
  asked_target[b_2] ELSE other[b_2] /\ asked_incarnation[b_2] = registered[b_2] /\ asked_target[b_2] = "ACTIVE")))

\* No controller takes for a broker's an incarnation that ZooKeeper never gave. (S0:28,56)
HI34 == \A b \in Broker : accepted[b] <= czxid[b]

\* Whom the controller's timer made Inactive is so until it heartbeats or is registered anew, and is no legacy broker.
\* (S0:48,138)
HI35 == \A b \in Broker : timed_out[b] => (state[b] = "INACTIVE" /\ ~known_legacy[b])

\* Whatever answer is on its way while no controller is in office is that of a former one. (S0:83-86)
HI36 == ~controller => (\A b \in Broker : of_former[b] = answered[b])

\* There is one current controller at most: who fails was it, and another takes over when there is none. (S0:42,116)
HI37 == [][((HC1 \/ H12) => (controller' = (~controller)))]_vars

HI37_where_nothing_changes == ((ENABLED (UNCHANGED vars /\ (HC1 \/ H12))) => (controller = (~controller)))

\* A process ends that ran, and one starts where none did; a session ends that had a znode, and one begins that makes
\* it. (S0:28)
HI38 == [][(\A b \in Broker, legacy_2 \in BOOLEAN, czxid_3 \in czxid_2 : (HZ1(b, legacy_2, czxid_3)) => (running[b]' #
  running[b] \/ (registered[b]' = 0) # (registered[b] = 0))) /\ (\A b \in Broker : (HZ2(b) \/ HZ5(b)) => (running[b]' #
  running[b] \/ (registered[b]' = 0) # (registered[b] = 0))) /\ (\A b \in Broker, czxid_3 \in czxid_2 : (HZ3(b, czxid_3)
  \/ HZ4(b, czxid_3)) => (running[b]' # running[b] \/ (registered[b]' = 0) # (registered[b] = 0)))]_vars

HI38_where_nothing_changes == (\A b \in Broker, legacy_2 \in BOOLEAN, czxid_3 \in czxid_2 : (ENABLED (UNCHANGED vars /\
  (HZ1(b, legacy_2, czxid_3)))) => (running[b] # running[b] \/ (registered[b] = 0) # (registered[b] = 0))) /\ (\A b \in
  Broker : (ENABLED (UNCHANGED vars /\ (HZ2(b) \/ HZ5(b)))) => (running[b] # running[b] \/ (registered[b] = 0) #
  (registered[b] = 0))) /\ (\A b \in Broker, czxid_3 \in czxid_2 : (ENABLED (UNCHANGED vars /\ (HZ3(b, czxid_3) \/
  HZ4(b, czxid_3)))) => (running[b] # running[b] \/ (registered[b] = 0) # (registered[b] = 0)))

\* A process that runs begins its controlled shutdown once, and takes back only one that it has begun. (S0:36,58)
HI39 == [][(\A b \in Broker : (HZ6(b) \/ HZ7(b)) => (running[b] /\ shutting_down[b]' = (~shutting_down[b])))]_vars

HI39_where_nothing_changes == (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (HZ6(b) \/ HZ7(b)))) => (running[b] /\
  shutting_down[b] = (~shutting_down[b])))

\* Only a process of the new protocol asks for Stopping: a legacy broker sends no heartbeat that could. (S0:36,134)
HI40 == \A b \in Broker : shutting_down[b] => ~legacy[b]

\* A znode is that of the process that is followed, or that of another one with the same id. (S0:26,118)
HI41 == \A b \in Broker : 0 < registered[b] => other[b] = (registered[b] # own_incarnation[b])

\* The answer to a heartbeat that was accepted is lost. (S0:18)
\* TLC is asked that this never holds; a violation is the witness.
HW4 == ~(\E b \in Broker : running[b] /\ unanswered[b] /\ ~asked[b] /\ ~answered[b])

\* An Inactive broker that heartbeats becomes Active. (S0:48)
Spec_HI9 == Spec /\ WF_vars((H12)) /\ WF_vars((\E b \in Broker : H_reg(b)) \/ (\E b \in Broker : H9(b))) /\ WF_vars((\E
  b \in Broker : H_gone(b))) /\ ([]<>~((ENABLED <<(\E b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState,
  valid \in BOOLEAN : H1(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2, target \in
  BrokerState, valid \in BOOLEAN : H2(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2,
  target \in BrokerState, valid \in BOOLEAN : H3s(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2
  \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H3a(b, incarnation_2, target, valid)) \/ (\E b \in Broker,
  incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H4(b, incarnation_2, target, valid)) \/ (\E b
  \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H5(b, incarnation_2, target,
  valid))>>_vars) \/ Heartbeat_would_leave) \/ []<><<(\E b \in Broker, incarnation_2 \in czxid_2, target \in
  BrokerState, valid \in BOOLEAN : H1(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2,
  target \in BrokerState, valid \in BOOLEAN : H2(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2
  \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H3s(b, incarnation_2, target, valid)) \/ (\E b \in Broker,
  incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H3a(b, incarnation_2, target, valid)) \/ (\E b
  \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H4(b, incarnation_2, target,
  valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H5(b,
  incarnation_2, target, valid))>>_vars) /\ WF_vars((\E b \in Broker, error \in Error, current_state \in BrokerState :
  H8e(b, error, current_state)) \/ (\E b \in Broker, error \in Error, current_state \in BrokerState : H8(b, error,
  current_state)) \/ (\E b \in Broker, error \in Error, current_state \in BrokerState : H8_2(b, error, current_state)))
  /\ WF_vars((\E b \in Broker, target \in BrokerState : HS1(b, target))) /\ WF_vars((\E to_2 \in time : HT1(to_2))) /\
  WF_vars((\E b \in Broker : H6(b))) /\ WF_vars((\E b \in Broker : H7(b))) /\ WF_vars((\E b \in Broker : HZ2(b)))
HI9 == (\E b \in Broker : waits(b)) ~> (~(\E b \in Broker : waits(b)))

HI9_inside_the_ranges == (Heartbeat_would_leave \/ ElectLeader_would_leave \/ FormCluster_would_leave) => (~(\E b \in
  Broker : waits(b)))

\* A bounce is noticed. (S0:26)
Spec_M6 == Spec /\ WF_vars((H12)) /\ WF_vars((\E b \in Broker : H_reg(b)) \/ (\E b \in Broker : H9(b))) /\ WF_vars((\E b
  \in Broker : H_gone(b))) /\ ([]<>~((ENABLED <<(\E b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState,
  valid \in BOOLEAN : H1(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2, target \in
  BrokerState, valid \in BOOLEAN : H2(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2,
  target \in BrokerState, valid \in BOOLEAN : H3s(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2
  \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H3a(b, incarnation_2, target, valid)) \/ (\E b \in Broker,
  incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H4(b, incarnation_2, target, valid)) \/ (\E b
  \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H5(b, incarnation_2, target,
  valid))>>_vars) \/ Heartbeat_would_leave) \/ []<><<(\E b \in Broker, incarnation_2 \in czxid_2, target \in
  BrokerState, valid \in BOOLEAN : H1(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2,
  target \in BrokerState, valid \in BOOLEAN : H2(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2
  \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H3s(b, incarnation_2, target, valid)) \/ (\E b \in Broker,
  incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H3a(b, incarnation_2, target, valid)) \/ (\E b
  \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H4(b, incarnation_2, target,
  valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H5(b,
  incarnation_2, target, valid))>>_vars) /\ WF_vars((\E b \in Broker, error \in Error, current_state \in BrokerState :
  H8e(b, error, current_state)) \/ (\E b \in Broker, error \in Error, current_state \in BrokerState : H8(b, error,
  current_state)) \/ (\E b \in Broker, error \in Error, current_state \in BrokerState : H8_2(b, error, current_state)))
  /\ WF_vars((\E b \in Broker, target \in BrokerState : HS1(b, target))) /\ WF_vars((\E to_2 \in time : HT1(to_2))) /\
  WF_vars((\E b \in Broker : H6(b))) /\ WF_vars((\E b \in Broker : H7(b))) /\ WF_vars((\E b \in Broker : HZ2(b)))
M6 == (\E b \in Broker : bounced(b)) ~> (~(\E b \in Broker : bounced(b)))

M6_inside_the_ranges == (Heartbeat_would_leave \/ ElectLeader_would_leave \/ FormCluster_would_leave) => (~(\E b \in
  Broker : bounced(b)))

\* Every dead broker becomes Inactive. (S0:18,34,48)
Spec_M9 == Spec /\ WF_vars((H12)) /\ WF_vars((\E b \in Broker : H_reg(b)) \/ (\E b \in Broker : H9(b))) /\ WF_vars((\E b
  \in Broker : H_gone(b))) /\ ([]<>~((ENABLED <<(\E b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState,
  valid \in BOOLEAN : H1(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2, target \in
  BrokerState, valid \in BOOLEAN : H2(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2,
  target \in BrokerState, valid \in BOOLEAN : H3s(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2
  \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H3a(b, incarnation_2, target, valid)) \/ (\E b \in Broker,
  incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H4(b, incarnation_2, target, valid)) \/ (\E b
  \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H5(b, incarnation_2, target,
  valid))>>_vars) \/ Heartbeat_would_leave) \/ []<><<(\E b \in Broker, incarnation_2 \in czxid_2, target \in
  BrokerState, valid \in BOOLEAN : H1(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2,
  target \in BrokerState, valid \in BOOLEAN : H2(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2
  \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H3s(b, incarnation_2, target, valid)) \/ (\E b \in Broker,
  incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H3a(b, incarnation_2, target, valid)) \/ (\E b
  \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H4(b, incarnation_2, target,
  valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H5(b,
  incarnation_2, target, valid))>>_vars) /\ WF_vars((\E b \in Broker, error \in Error, current_state \in BrokerState :
  H8e(b, error, current_state)) \/ (\E b \in Broker, error \in Error, current_state \in BrokerState : H8(b, error,
  current_state)) \/ (\E b \in Broker, error \in Error, current_state \in BrokerState : H8_2(b, error, current_state)))
  /\ WF_vars((\E b \in Broker, target \in BrokerState : HS1(b, target))) /\ WF_vars((\E to_2 \in time : HT1(to_2))) /\
  WF_vars((\E b \in Broker : H6(b))) /\ WF_vars((\E b \in Broker : H7(b))) /\ WF_vars((\E b \in Broker : HZ2(b)))
M9 == (\E b \in Broker : dead(b)) ~> (~(\E b \in Broker : dead(b)))

M9_inside_the_ranges == (Heartbeat_would_leave \/ ElectLeader_would_leave \/ FormCluster_would_leave) => (~(\E b \in
  Broker : dead(b)))

\* Whoever is silent for the controller's timeout becomes Inactive, Active or Stopping, whatever becomes of its znode.
\* (S0:36,48)
Spec_HI42 == Spec /\ WF_vars((\E b \in Broker : H6(b)))
HI42 == (\E b \in Broker : overdue(b)) ~> (~(\E b \in Broker : overdue(b)))

HI42_inside_the_ranges == (Heartbeat_would_leave \/ ElectLeader_would_leave \/ FormCluster_would_leave) => (~(\E b \in
  Broker : overdue(b)))

\* An Inactive broker becomes Active, however many messages are lost, as long as heartbeats arrive again and again.
\* (S0:18,48)
Spec_HI43 == Spec /\ WF_vars((H12)) /\ WF_vars((\E b \in Broker : H_reg(b)) \/ (\E b \in Broker : H9(b))) /\ WF_vars((\E
  b \in Broker : H_gone(b))) /\ WF_vars((\E b \in Broker, target \in BrokerState : HS1(b, target))) /\ WF_vars((\E to_2
  \in time : HT1(to_2))) /\ WF_vars((\E b \in Broker : H6(b))) /\ WF_vars((\E b \in Broker : H7(b))) /\ WF_vars((\E b
  \in Broker : HZ2(b))) /\ WF_vars((\E b \in Broker, error \in Error, current_state \in BrokerState : H8e(b, error,
  current_state)) \/ (\E b \in Broker, error \in Error, current_state \in BrokerState : H8(b, error, current_state)) \/
  (\E b \in Broker, error \in Error, current_state \in BrokerState : H8_2(b, error, current_state))) /\ (<>[]~((ENABLED
  <<(\E b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H1(b, incarnation_2,
  target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H2(b,
  incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in
  BOOLEAN : H3s(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2, target \in
  BrokerState, valid \in BOOLEAN : H3a(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2,
  target \in BrokerState, valid \in BOOLEAN : H4(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2
  \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H5(b, incarnation_2, target, valid))>>_vars) \/
  Heartbeat_would_leave) \/ []<><<(\E b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN
  : H1(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid
  \in BOOLEAN : H2(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2, target \in
  BrokerState, valid \in BOOLEAN : H3s(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2,
  target \in BrokerState, valid \in BOOLEAN : H3a(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2
  \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H4(b, incarnation_2, target, valid)) \/ (\E b \in Broker,
  incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H5(b, incarnation_2, target, valid))>>_vars)
HI43 == (\E b \in Broker : waits(b)) ~> (~(\E b \in Broker : waits(b)))

HI43_inside_the_ranges == (Heartbeat_would_leave \/ ElectLeader_would_leave \/ FormCluster_would_leave) => (~(\E b \in
  Broker : waits(b)))

\* A broker that the controller has in the cluster does not stay fenced, however many messages are lost, as long as
\* heartbeats and answers arrive again and again. (S0:42-44,50)
Spec_HI44 == Spec /\ WF_vars((H12)) /\ WF_vars((\E b \in Broker : H_reg(b)) \/ (\E b \in Broker : H9(b))) /\ WF_vars((\E
  b \in Broker : H_gone(b))) /\ WF_vars((\E b \in Broker, target \in BrokerState : HS1(b, target))) /\ WF_vars((\E to_2
  \in time : HT1(to_2))) /\ WF_vars((\E b \in Broker : H6(b))) /\ WF_vars((\E b \in Broker : H7(b))) /\ WF_vars((\E b
  \in Broker : HZ2(b))) /\ (<>[]~((ENABLED <<(\E b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid
  \in BOOLEAN : H1(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2, target \in
  BrokerState, valid \in BOOLEAN : H2(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2,
  target \in BrokerState, valid \in BOOLEAN : H3s(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2
  \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H3a(b, incarnation_2, target, valid)) \/ (\E b \in Broker,
  incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H4(b, incarnation_2, target, valid)) \/ (\E b
  \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H5(b, incarnation_2, target,
  valid))>>_vars) \/ Heartbeat_would_leave) \/ []<><<(\E b \in Broker, incarnation_2 \in czxid_2, target \in
  BrokerState, valid \in BOOLEAN : H1(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2,
  target \in BrokerState, valid \in BOOLEAN : H2(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2
  \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H3s(b, incarnation_2, target, valid)) \/ (\E b \in Broker,
  incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H3a(b, incarnation_2, target, valid)) \/ (\E b
  \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H4(b, incarnation_2, target,
  valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H5(b,
  incarnation_2, target, valid))>>_vars) /\ SF_vars((\E b \in Broker, error \in Error, current_state \in BrokerState :
  H8e(b, error, current_state)) \/ (\E b \in Broker, error \in Error, current_state \in BrokerState : H8(b, error,
  current_state)) \/ (\E b \in Broker, error \in Error, current_state \in BrokerState : H8_2(b, error, current_state)))
HI44 == (\E b \in Broker : shut_out(b)) ~> (~(\E b \in Broker : shut_out(b)))

HI44_inside_the_ranges == (Heartbeat_would_leave \/ ElectLeader_would_leave \/ FormCluster_would_leave) => (~(\E b \in
  Broker : shut_out(b)))

\* Whoever must be replaced as leader is, over failovers too. (S0:34-36)
Spec_M8 == Spec /\ WF_vars((H12)) /\ WF_vars((\E b \in Broker : H_reg(b)) \/ (\E b \in Broker : H9(b))) /\ WF_vars((\E b
  \in Broker : H_gone(b))) /\ ([]<>~((ENABLED <<(\E b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState,
  valid \in BOOLEAN : H1(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2, target \in
  BrokerState, valid \in BOOLEAN : H2(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2,
  target \in BrokerState, valid \in BOOLEAN : H3s(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2
  \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H3a(b, incarnation_2, target, valid)) \/ (\E b \in Broker,
  incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H4(b, incarnation_2, target, valid)) \/ (\E b
  \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H5(b, incarnation_2, target,
  valid))>>_vars) \/ Heartbeat_would_leave) \/ []<><<(\E b \in Broker, incarnation_2 \in czxid_2, target \in
  BrokerState, valid \in BOOLEAN : H1(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2,
  target \in BrokerState, valid \in BOOLEAN : H2(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2
  \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H3s(b, incarnation_2, target, valid)) \/ (\E b \in Broker,
  incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H3a(b, incarnation_2, target, valid)) \/ (\E b
  \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H4(b, incarnation_2, target,
  valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in BOOLEAN : H5(b,
  incarnation_2, target, valid))>>_vars) /\ WF_vars((\E b \in Broker, error \in Error, current_state \in BrokerState :
  H8e(b, error, current_state)) \/ (\E b \in Broker, error \in Error, current_state \in BrokerState : H8(b, error,
  current_state)) \/ (\E b \in Broker, error \in Error, current_state \in BrokerState : H8_2(b, error, current_state)))
  /\ WF_vars((\E b \in Broker, target \in BrokerState : HS1(b, target))) /\ WF_vars((\E to_2 \in time : HT1(to_2))) /\
  WF_vars((\E b \in Broker : H6(b))) /\ WF_vars((\E b \in Broker : H7(b))) /\ WF_vars((\E b \in Broker : HZ2(b))) /\
  ([]<>~((ENABLED <<(\E p \in Partition, leader_2 \in Broker \union {None} : HE1(p, leader_2)) \/ (\E p \in Partition,
  leader_2 \in Broker \union {None} : HE2(p, leader_2))>>_vars) \/ ElectLeader_would_leave) \/ []<><<(\E p \in
  Partition, leader_2 \in Broker \union {None} : HE1(p, leader_2)) \/ (\E p \in Partition, leader_2 \in Broker \union
  {None} : HE2(p, leader_2))>>_vars)
M8 == (\E p \in Partition : stranded(p)) ~> (~(\E p \in Partition : stranded(p)))

M8_inside_the_ranges == (Heartbeat_would_leave \/ ElectLeader_would_leave \/ FormCluster_would_leave) => (~(\E p \in
  Partition : stranded(p)))

\* For HI3, HI6: no incarnation is larger than what ZooKeeper gave.
HL1 == \A b \in Broker : incarnation[b] <= czxid[b] /\ own_incarnation[b] <= czxid[b] /\ asked_incarnation[b] <=
  czxid[b] /\ registered[b] <= czxid[b]

\* For HI3: contact was in the past.
HL2 == \A b \in Broker : last_contact[b] <= now

\* For HI3: who has all answers heard last after the controller did.
HL3 == \A b \in Broker : (same_incarnation(b) /\ handles_traffic(b) /\ ~unanswered[b] /\ ~known_legacy[b] /\ 0 <
  own_incarnation[b]) => last_contact[b] <= last_reply[b]

\* For HI3: whom the controller holds for legacy is.
HL4 == \A b \in Broker : (known_legacy[b] /\ same_incarnation(b) /\ running[b]) => legacy[b]

\* For HI6: legacy brokers send no heartbeats.
HL5 == \A b \in Broker : (asked[b] => (~legacy[b] /\ 0 < asked_incarnation[b])) /\ (other[b] => (0 < registered[b] /\
  ~legacy[b]))

\* For HI3 and HI10: a process has registered, and an answer without an error is contact.
HL6 == \A b \in Broker : (running[b] => 0 < own_incarnation[b]) /\ heard[b] = last_reply[b]

\* For M2: who leads was chosen in the leader epoch.
HL7 == \A p \in Partition : leader_in[p, leader_epoch[p]] = leader[p] /\ 0 <= leader_epoch[p]

\* For M2: whoever takes itself for the leader was chosen in that epoch.
HL8 == \A p \in Partition, x \in Broker : 0 <= believes[x, p] => (leader_in[p, believes[x, p]] = x /\ believes[x, p] <=
  leader_epoch[p])

\* For M3 and HI40: who has never had a znode knows nothing, is not fenced or about to stop, and is not waited for.
HL9 == \A b \in Broker : czxid[b] = 0 => (~timed_out[b] /\ ~handles_traffic(b) /\ ~fenced[b] /\ ~shutting_down[b] /\ (\A
  p \in Partition : believes[b, p] = -1))
================================================================================
