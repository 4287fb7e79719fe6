-------------------------------- MODULE kip343 ---------------------------------
\* kip343: KIP-343: brokers heartbeat to the controller, which declares the silent ones Inactive; the cut off fence
\* themselves.
\* Made from the tables of kip343 239e6cd01ab3; not to be edited.
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS NumberBroker, Maxczxid, Maxtime, Maxduration, Bound, None

Broker == 0..(NumberBroker - 1)
BrokerState == {"INITIAL", "INACTIVE", "ACTIVE", "STOPPING"}
czxid_2 == 0..Maxczxid
Error == {"NONE", "INVALID_INCARNATION_ID", "INVALID_REQUEST", "NOT_CONTROLLER", "NOT_LEADER_FOR_PARTITION", "BAD_VERSION"}
time == 0..Maxtime
duration == 0..Maxduration

Pick(S) == CHOOSE x \in S : TRUE
Put(f, updates) == [k \in DOMAIN f |-> LET u == {x \in updates : x.at = k} IN IF u = {} THEN f[k] ELSE Pick(u).to]

VARIABLES controller, asked, asked_target, answered, running, own_incarnation, answer_error, answer_state, incarnation,
  state, last_contact, now, known_legacy, unanswered, timed_out, controller_timeout, legacy, shutting_down,
  asked_incarnation, other, registered, last_reply, fenced, heard, broker_timeout, czxid

vars == <<controller, asked, asked_target, answered, running, own_incarnation, answer_error, answer_state, incarnation,
  state, last_contact, now, known_legacy, unanswered, timed_out, controller_timeout, legacy, shutting_down,
  asked_incarnation, other, registered, last_reply, fenced, heard, broker_timeout, czxid>>

answered_and_others == <<answered, answer_error, answer_state>>

Given_Heartbeat(b, incarnation_2, target, valid) == CASE Bound = "tiny" -> valid [] OTHER -> TRUE

Given_Heartbeat_valid == CASE Bound = "tiny" -> {TRUE} [] OTHER -> BOOLEAN

Given_LoseMessage(b) == CASE Bound = "tiny" -> now = 1 [] OTHER -> TRUE

Given_TimePasses(to_2) == CASE Bound = "tiny" -> to_2 = now + 1 [] OTHER -> TRUE

Given_TimePasses_to == CASE Bound = "tiny" -> ({now + 1} \intersect time) [] OTHER -> time

Given_ControllerFails == CASE Bound = "tiny" -> now < 1 [] OTHER -> TRUE

Given_ControllerFailover == CASE Bound = "tiny" -> (\A x \in Broker : 0 < czxid[x]) [] OTHER -> TRUE

Given_StartBroker(b, legacy_2, czxid_3) == CASE Bound = "tiny" -> (czxid_3 = czxid[b] + 1 /\ ~legacy_2 /\ 0 < czxid[b])
  [] OTHER -> TRUE

Given_StartBroker_czxid(b) == CASE Bound = "tiny" -> ({czxid[b] + 1} \intersect czxid_2) [] OTHER -> czxid_2

Given_StartBroker_legacy == CASE Bound = "tiny" -> {FALSE} [] OTHER -> BOOLEAN

Given_ExpireSession(b) == CASE Bound = "tiny" -> ~running[b] [] OTHER -> TRUE

Given_Reregister(b, czxid_3) == CASE Bound = "tiny" -> FALSE [] OTHER -> TRUE

Given_StartAnother(b, czxid_3) == CASE Bound = "tiny" -> FALSE [] OTHER -> TRUE

Given_StopBroker(b) == CASE Bound = "tiny" -> now < 1 [] OTHER -> TRUE

Given_BeginShutdown(b) == CASE Bound = "tiny" -> now < 1 [] OTHER -> TRUE

Given_CancelShutdown(b) == CASE Bound = "tiny" -> now = 1 [] OTHER -> TRUE

Given_FormCluster(old_brokers) == CASE Bound = "tiny" -> old_brokers = {} [] OTHER -> TRUE

Given_FormCluster_old_brokers == CASE Bound = "tiny" -> {{}} [] OTHER -> SUBSET Broker

wants_stopping(target) == target = "STOPPING"

wants_active(target) == target = "ACTIVE"

handles_traffic(b) == state[b] = "ACTIVE" \/ state[b] = "STOPPING"

watched(b) == controller /\ ~known_legacy[b] /\ handles_traffic(b)

in_cluster(current_state) == current_state = "ACTIVE" \/ current_state = "STOPPING"

fences_itself(x) == running[x] /\ ~legacy[x] /\ ~fenced[x]

gone(b) == registered[b] = 0 /\ (state[b] # "INACTIVE" \/ known_legacy[b])

reads_znode(x) == legacy[x] /\ 0 < registered[x]

same_incarnation(b) == incarnation[b] = own_incarnation[b]

waits(b) == running[b] /\ ~legacy[b] /\ registered[b] = own_incarnation[b] /\ 0 < registered[b] /\ state[b] = "INACTIVE"

bounced(b) == incarnation[b] < registered[b]

dead(b) == ~running[b] /\ handles_traffic(b)

overdue(b) == watched(b) /\ last_contact[b] + controller_timeout < now

\* The heartbeat is no longer on its way; its answer is, if the process that sent it is there.
answers(b, incarnation_2, error, state_2) ==
  [asked |-> {[at |-> b, to |-> FALSE]}, asked_target |-> {[at |-> b, to |-> "ACTIVE"]}, answered |-> {[at |-> b, to |->
      running[b] /\ incarnation_2 <= own_incarnation[b]]}, answer_error |-> {[at |-> b, to |-> IF running[b] /\
      incarnation_2 <= own_incarnation[b] THEN error ELSE "NONE"]}, answer_state |-> {[at |-> b, to |-> IF running[b] /\
      incarnation_2 <= own_incarnation[b] THEN state_2 ELSE "INITIAL"]}]

\* The heartbeat counts as contact: of this incarnation, and of no legacy broker.
accepts(b, incarnation_2, state_2) ==
  [incarnation |-> {[at |-> b, to |-> incarnation_2]}, state |-> {[at |-> b, to |-> state_2]}, last_contact |-> {[at |->
      b, to |-> now]}, known_legacy |-> {[at |-> b, to |-> FALSE]}, unanswered |-> {[at |-> b, to |-> TRUE]}, timed_out
      |-> {[at |-> b, to |-> FALSE]}, asked |-> answers(b, incarnation_2, "NONE", state_2).asked, asked_target |->
      answers(b, incarnation_2, "NONE", state_2).asked_target, answered |-> answers(b, incarnation_2, "NONE",
      state_2).answered, answer_error |-> answers(b, incarnation_2, "NONE", state_2).answer_error, answer_state |->
      answers(b, incarnation_2, "NONE", state_2).answer_state]

\* Nothing of the broker is under way.
clears_messages(b) ==
  [asked |-> {[at |-> b, to |-> FALSE]}, asked_incarnation |-> {[at |-> b, to |-> 0]}, asked_target |-> {[at |-> b, to
      |-> "ACTIVE"]}, answered |-> {[at |-> b, to |-> FALSE]}, answer_error |-> {[at |-> b, to |-> "NONE"]},
      answer_state |-> {[at |-> b, to |-> "INITIAL"]}]

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
  /\ Given_Heartbeat(b, incarnation_2, target, valid) = TRUE

H1(b, incarnation_2, target, valid) ==
  /\ H1_is_enabled(b, incarnation_2, target, valid)
  /\ LET answers_1 == answers(b, incarnation_2, "INVALID_REQUEST", "INITIAL")
     IN
     /\ asked' = Put(asked, answers_1.asked)
     /\ asked_target' = Put(asked_target, answers_1.asked_target)
     /\ answered' = Put(answered, answers_1.answered)
     /\ answer_error' = Put(answer_error, answers_1.answer_error)
     /\ answer_state' = Put(answer_state, answers_1.answer_state)
  /\ UNCHANGED <<controller, running, own_incarnation, incarnation, state, last_contact, now, known_legacy, unanswered,
         timed_out, controller_timeout, legacy, shutting_down, asked_incarnation, other, registered, last_reply, fenced,
         heard, broker_timeout, czxid>>

\* S0:56,88
H2_is_enabled(b, incarnation_2, target, valid) ==
  /\ controller
  /\ asked[b]
  /\ incarnation_2 = asked_incarnation[b]
  /\ target = asked_target[b]
  /\ (target = "ACTIVE" \/ target = "STOPPING") = TRUE
  /\ incarnation_2 < incarnation[b]
  /\ valid
  /\ Given_Heartbeat(b, incarnation_2, target, valid) = TRUE

H2(b, incarnation_2, target, valid) ==
  /\ H2_is_enabled(b, incarnation_2, target, valid)
  /\ LET answers_1 == answers(b, incarnation_2, "INVALID_INCARNATION_ID", "INITIAL")
     IN
     /\ asked' = Put(asked, answers_1.asked)
     /\ asked_target' = Put(asked_target, answers_1.asked_target)
     /\ answered' = Put(answered, answers_1.answered)
     /\ answer_error' = Put(answer_error, answers_1.answer_error)
     /\ answer_state' = Put(answer_state, answers_1.answer_state)
  /\ UNCHANGED <<controller, running, own_incarnation, incarnation, state, last_contact, now, known_legacy, unanswered,
         timed_out, controller_timeout, legacy, shutting_down, asked_incarnation, other, registered, last_reply, fenced,
         heard, broker_timeout, czxid>>

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
  /\ Given_Heartbeat(b, incarnation_2, target, valid) = TRUE

H3s(b, incarnation_2, target, valid) ==
  /\ H3s_is_enabled(b, incarnation_2, target, valid)
  /\ LET accepts_1 == accepts(b, incarnation_2, "STOPPING")
     IN
     /\ incarnation' = Put(incarnation, accepts_1.incarnation)
     /\ state' = Put(state, accepts_1.state)
     /\ last_contact' = Put(last_contact, accepts_1.last_contact)
     /\ known_legacy' = Put(known_legacy, accepts_1.known_legacy)
     /\ unanswered' = Put(unanswered, accepts_1.unanswered)
     /\ timed_out' = Put(timed_out, accepts_1.timed_out)
     /\ asked' = Put(asked, accepts_1.asked)
     /\ asked_target' = Put(asked_target, accepts_1.asked_target)
     /\ answered' = Put(answered, accepts_1.answered)
     /\ answer_error' = Put(answer_error, accepts_1.answer_error)
     /\ answer_state' = Put(answer_state, accepts_1.answer_state)
     /\ incarnation' \in [Broker -> czxid_2]
  /\ UNCHANGED <<controller, running, own_incarnation, now, controller_timeout, legacy, shutting_down,
         asked_incarnation, other, registered, last_reply, fenced, heard, broker_timeout, czxid>>

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
  /\ Given_Heartbeat(b, incarnation_2, target, valid) = TRUE

H3a(b, incarnation_2, target, valid) ==
  /\ H3a_is_enabled(b, incarnation_2, target, valid)
  /\ LET accepts_1 == accepts(b, incarnation_2, "ACTIVE")
     IN
     /\ incarnation' = Put(incarnation, accepts_1.incarnation)
     /\ state' = Put(state, accepts_1.state)
     /\ last_contact' = Put(last_contact, accepts_1.last_contact)
     /\ known_legacy' = Put(known_legacy, accepts_1.known_legacy)
     /\ unanswered' = Put(unanswered, accepts_1.unanswered)
     /\ timed_out' = Put(timed_out, accepts_1.timed_out)
     /\ asked' = Put(asked, accepts_1.asked)
     /\ asked_target' = Put(asked_target, accepts_1.asked_target)
     /\ answered' = Put(answered, accepts_1.answered)
     /\ answer_error' = Put(answer_error, accepts_1.answer_error)
     /\ answer_state' = Put(answer_state, accepts_1.answer_state)
     /\ incarnation' \in [Broker -> czxid_2]
  /\ UNCHANGED <<controller, running, own_incarnation, now, controller_timeout, legacy, shutting_down,
         asked_incarnation, other, registered, last_reply, fenced, heard, broker_timeout, czxid>>

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
  /\ Given_Heartbeat(b, incarnation_2, target, valid) = TRUE

H4(b, incarnation_2, target, valid) ==
  /\ H4_is_enabled(b, incarnation_2, target, valid)
  /\ LET accepts_1 == accepts(b, incarnation_2, "STOPPING")
     IN
     /\ incarnation' = Put(incarnation, accepts_1.incarnation)
     /\ state' = Put(state, accepts_1.state)
     /\ last_contact' = Put(last_contact, accepts_1.last_contact)
     /\ known_legacy' = Put(known_legacy, accepts_1.known_legacy)
     /\ unanswered' = Put(unanswered, accepts_1.unanswered)
     /\ timed_out' = Put(timed_out, accepts_1.timed_out)
     /\ asked' = Put(asked, accepts_1.asked)
     /\ asked_target' = Put(asked_target, accepts_1.asked_target)
     /\ answered' = Put(answered, accepts_1.answered)
     /\ answer_error' = Put(answer_error, accepts_1.answer_error)
     /\ answer_state' = Put(answer_state, accepts_1.answer_state)
     /\ incarnation' \in [Broker -> czxid_2]
  /\ UNCHANGED <<controller, running, own_incarnation, now, controller_timeout, legacy, shutting_down,
         asked_incarnation, other, registered, last_reply, fenced, heard, broker_timeout, czxid>>

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
  /\ Given_Heartbeat(b, incarnation_2, target, valid) = TRUE

H5(b, incarnation_2, target, valid) ==
  /\ H5_is_enabled(b, incarnation_2, target, valid)
  /\ LET accepts_1 == accepts(b, incarnation_2, "ACTIVE")
     IN
     /\ incarnation' = Put(incarnation, accepts_1.incarnation)
     /\ state' = Put(state, accepts_1.state)
     /\ last_contact' = Put(last_contact, accepts_1.last_contact)
     /\ known_legacy' = Put(known_legacy, accepts_1.known_legacy)
     /\ unanswered' = Put(unanswered, accepts_1.unanswered)
     /\ timed_out' = Put(timed_out, accepts_1.timed_out)
     /\ asked' = Put(asked, accepts_1.asked)
     /\ asked_target' = Put(asked_target, accepts_1.asked_target)
     /\ answered' = Put(answered, accepts_1.answered)
     /\ answer_error' = Put(answer_error, accepts_1.answer_error)
     /\ answer_state' = Put(answer_state, accepts_1.answer_state)
     /\ incarnation' \in [Broker -> czxid_2]
  /\ UNCHANGED <<controller, running, own_incarnation, now, controller_timeout, legacy, shutting_down,
         asked_incarnation, other, registered, last_reply, fenced, heard, broker_timeout, czxid>>

\* S0:48
H6_is_enabled(b) ==
  /\ watched(b) = TRUE
  /\ last_contact[b] + controller_timeout < now

H6(b) ==
  /\ H6_is_enabled(b)
  /\ state' = [state EXCEPT ![b] = "INACTIVE"]
  /\ timed_out' = [timed_out EXCEPT ![b] = TRUE]
  /\ UNCHANGED <<controller, asked, asked_target, running, own_incarnation, incarnation, last_contact, now,
         known_legacy, unanswered, controller_timeout, legacy, shutting_down, asked_incarnation, other, registered,
         last_reply, fenced, heard, broker_timeout, czxid, answered_and_others>>

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
  /\ UNCHANGED <<controller, running, own_incarnation, incarnation, state, last_contact, now, known_legacy, unanswered,
         timed_out, controller_timeout, legacy, shutting_down, other, registered, last_reply, fenced, heard,
         broker_timeout, czxid, answered_and_others>>

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
  /\ UNCHANGED <<controller, running, own_incarnation, incarnation, state, last_contact, now, known_legacy, unanswered,
         timed_out, controller_timeout, legacy, shutting_down, other, registered, last_reply, fenced, heard,
         broker_timeout, czxid, answered_and_others>>

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
  /\ UNCHANGED <<controller, running, own_incarnation, incarnation, state, last_contact, now, known_legacy, unanswered,
         timed_out, controller_timeout, legacy, shutting_down, other, registered, last_reply, fenced, heard,
         broker_timeout, czxid>>

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
  /\ UNCHANGED <<controller, running, own_incarnation, incarnation, state, last_contact, now, known_legacy, timed_out,
         controller_timeout, legacy, shutting_down, other, registered, broker_timeout, czxid>>

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
  /\ UNCHANGED <<controller, running, own_incarnation, incarnation, state, last_contact, now, known_legacy, timed_out,
         controller_timeout, legacy, shutting_down, other, registered, broker_timeout, czxid>>

\* S0:18
HS3_is_enabled(b) ==
  /\ (asked[b] \/ answered[b]) = TRUE
  /\ Given_LoseMessage(b) = TRUE

HS3(b) ==
  /\ HS3_is_enabled(b)
  /\ LET clears_messages_1 == clears_messages(b)
     IN
     /\ asked' = Put(asked, clears_messages_1.asked)
     /\ asked_incarnation' = Put(asked_incarnation, clears_messages_1.asked_incarnation)
     /\ asked_target' = Put(asked_target, clears_messages_1.asked_target)
     /\ answered' = Put(answered, clears_messages_1.answered)
     /\ answer_error' = Put(answer_error, clears_messages_1.answer_error)
     /\ answer_state' = Put(answer_state, clears_messages_1.answer_state)
  /\ UNCHANGED <<controller, running, own_incarnation, incarnation, state, last_contact, now, known_legacy, unanswered,
         timed_out, controller_timeout, legacy, shutting_down, other, registered, last_reply, fenced, heard,
         broker_timeout, czxid>>

\* S0:50
HT1_is_enabled(to_2) ==
  /\ now < to_2
  /\ (\A x \in Broker : watched(x) => to_2 <= (last_contact[x] + controller_timeout) + 1) = TRUE
  /\ (\A x \in Broker : fences_itself(x) => to_2 <= (last_reply[x] + broker_timeout) + 1) = TRUE
  /\ Given_TimePasses(to_2) = TRUE

HT1(to_2) ==
  /\ HT1_is_enabled(to_2)
  /\ now' = to_2
  /\ UNCHANGED <<controller, asked, asked_target, running, own_incarnation, incarnation, state, last_contact,
         known_legacy, unanswered, timed_out, controller_timeout, legacy, shutting_down, asked_incarnation, other,
         registered, last_reply, fenced, heard, broker_timeout, czxid, answered_and_others>>

\* S0:42-44
H7_is_enabled(b) ==
  /\ fences_itself(b) = TRUE
  /\ last_reply[b] + broker_timeout < now

H7(b) ==
  /\ H7_is_enabled(b)
  /\ fenced' = [fenced EXCEPT ![b] = TRUE]
  /\ UNCHANGED <<controller, asked, asked_target, running, own_incarnation, incarnation, state, last_contact, now,
         known_legacy, unanswered, timed_out, controller_timeout, legacy, shutting_down, asked_incarnation, other,
         registered, last_reply, heard, broker_timeout, czxid, answered_and_others>>

\* S0:28,34,138
H_reg_is_enabled(b) ==
  /\ controller
  /\ incarnation[b] < registered[b]
  /\ (~legacy[b]) = TRUE

H_reg(b) ==
  /\ H_reg_is_enabled(b)
  /\ incarnation' = [incarnation EXCEPT ![b] = registered[b]]
  /\ timed_out' = [timed_out EXCEPT ![b] = FALSE]
  /\ known_legacy' = [known_legacy EXCEPT ![b] = FALSE]
  /\ state' = [state EXCEPT ![b] = "INACTIVE"]
  /\ UNCHANGED <<controller, asked, asked_target, running, own_incarnation, last_contact, now, unanswered,
         controller_timeout, legacy, shutting_down, asked_incarnation, other, registered, last_reply, fenced, heard,
         broker_timeout, czxid, answered_and_others>>

\* S0:138
H9_is_enabled(b) ==
  /\ controller
  /\ incarnation[b] < registered[b]
  /\ legacy[b]

H9(b) ==
  /\ H9_is_enabled(b)
  /\ incarnation' = [incarnation EXCEPT ![b] = registered[b]]
  /\ timed_out' = [timed_out EXCEPT ![b] = FALSE]
  /\ known_legacy' = [known_legacy EXCEPT ![b] = TRUE]
  /\ state' = [state EXCEPT ![b] = "ACTIVE"]
  /\ UNCHANGED <<controller, asked, asked_target, running, own_incarnation, last_contact, now, unanswered,
         controller_timeout, legacy, shutting_down, asked_incarnation, other, registered, last_reply, fenced, heard,
         broker_timeout, czxid, answered_and_others>>

\* S0:34
H_gone_is_enabled(b) ==
  /\ controller
  /\ gone(b) = TRUE

H_gone(b) ==
  /\ H_gone_is_enabled(b)
  /\ known_legacy' = [known_legacy EXCEPT ![b] = FALSE]
  /\ state' = [state EXCEPT ![b] = "INACTIVE"]
  /\ timed_out' = [timed_out EXCEPT ![b] = FALSE]
  /\ UNCHANGED <<controller, asked, asked_target, running, own_incarnation, incarnation, last_contact, now, unanswered,
         controller_timeout, legacy, shutting_down, asked_incarnation, other, registered, last_reply, fenced, heard,
         broker_timeout, czxid, answered_and_others>>

\* S0:42,56
HC1_is_enabled ==
  /\ controller
  /\ Given_ControllerFails = TRUE

HC1 ==
  /\ HC1_is_enabled
  /\ controller' = FALSE
  /\ UNCHANGED <<asked, asked_target, running, own_incarnation, incarnation, state, last_contact, now, known_legacy,
         unanswered, timed_out, controller_timeout, legacy, shutting_down, asked_incarnation, other, registered,
         last_reply, fenced, heard, broker_timeout, czxid, answered_and_others>>

\* S0:34,56
H12_is_enabled ==
  /\ (~controller) = TRUE
  /\ Given_ControllerFailover = TRUE

H12 ==
  /\ H12_is_enabled
  /\ controller' = TRUE
  /\ incarnation' = [x \in Broker |-> registered[x]]
  /\ known_legacy' = [x \in Broker |-> reads_znode(x)]
  /\ state' = [x \in Broker |-> IF reads_znode(x) THEN "ACTIVE" ELSE "INACTIVE"]
  /\ last_contact' = [x \in Broker |-> now]
  /\ timed_out' = [x \in Broker |-> FALSE]
  /\ UNCHANGED <<asked, asked_target, running, own_incarnation, now, unanswered, controller_timeout, legacy,
         shutting_down, asked_incarnation, other, registered, last_reply, fenced, heard, broker_timeout, czxid,
         answered_and_others>>

\* S0:28,136-138
HZ1_is_enabled(b, legacy_2, czxid_3) ==
  /\ czxid[b] < czxid_3
  /\ (~running[b]) = TRUE
  /\ registered[b] = 0
  /\ Given_StartBroker(b, legacy_2, czxid_3) = TRUE

HZ1(b, legacy_2, czxid_3) ==
  /\ HZ1_is_enabled(b, legacy_2, czxid_3)
  /\ LET clears_messages_1 == clears_messages(b)
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
  /\ UNCHANGED <<controller, incarnation, state, last_contact, now, known_legacy, timed_out, controller_timeout, other,
         broker_timeout>>

\* S0:18,28
HZ2_is_enabled(b) ==
  /\ 0 < registered[b]
  /\ Given_ExpireSession(b) = TRUE

HZ2(b) ==
  /\ HZ2_is_enabled(b)
  /\ registered' = [registered EXCEPT ![b] = 0]
  /\ other' = [other EXCEPT ![b] = FALSE]
  /\ UNCHANGED <<controller, asked, asked_target, running, own_incarnation, incarnation, state, last_contact, now,
         known_legacy, unanswered, timed_out, controller_timeout, legacy, shutting_down, asked_incarnation, last_reply,
         fenced, heard, broker_timeout, czxid, answered_and_others>>

\* S0:28
HZ3_is_enabled(b, czxid_3) ==
  /\ czxid[b] < czxid_3
  /\ running[b]
  /\ registered[b] = 0
  /\ Given_Reregister(b, czxid_3) = TRUE

HZ3(b, czxid_3) ==
  /\ HZ3_is_enabled(b, czxid_3)
  /\ czxid' = [czxid EXCEPT ![b] = czxid_3]
  /\ registered' = [registered EXCEPT ![b] = czxid_3]
  /\ own_incarnation' = [own_incarnation EXCEPT ![b] = czxid_3]
  /\ UNCHANGED <<controller, asked, asked_target, running, incarnation, state, last_contact, now, known_legacy,
         unanswered, timed_out, controller_timeout, legacy, shutting_down, asked_incarnation, other, last_reply, fenced,
         heard, broker_timeout, answered_and_others>>

\* S0:26,118
HZ4_is_enabled(b, czxid_3) ==
  /\ czxid[b] < czxid_3
  /\ running[b]
  /\ registered[b] = 0
  /\ (~legacy[b]) = TRUE
  /\ Given_StartAnother(b, czxid_3) = TRUE

HZ4(b, czxid_3) ==
  /\ HZ4_is_enabled(b, czxid_3)
  /\ czxid' = [czxid EXCEPT ![b] = czxid_3]
  /\ registered' = [registered EXCEPT ![b] = czxid_3]
  /\ other' = [other EXCEPT ![b] = TRUE]
  /\ UNCHANGED <<controller, asked, asked_target, running, own_incarnation, incarnation, state, last_contact, now,
         known_legacy, unanswered, timed_out, controller_timeout, legacy, shutting_down, asked_incarnation, last_reply,
         fenced, heard, broker_timeout, answered_and_others>>

\* S0:36
HZ5_is_enabled(b) ==
  /\ running[b]
  /\ Given_StopBroker(b) = TRUE

HZ5(b) ==
  /\ HZ5_is_enabled(b)
  /\ running' = [running EXCEPT ![b] = FALSE]
  /\ answered' = [answered EXCEPT ![b] = FALSE]
  /\ answer_error' = [answer_error EXCEPT ![b] = "NONE"]
  /\ answer_state' = [answer_state EXCEPT ![b] = "INITIAL"]
  /\ UNCHANGED <<controller, asked, asked_target, own_incarnation, incarnation, state, last_contact, now, known_legacy,
         unanswered, timed_out, controller_timeout, legacy, shutting_down, asked_incarnation, other, registered,
         last_reply, fenced, heard, broker_timeout, czxid>>

\* S0:36
HZ6_is_enabled(b) ==
  /\ running[b]
  /\ (~legacy[b]) = TRUE
  /\ (~shutting_down[b]) = TRUE
  /\ Given_BeginShutdown(b) = TRUE

HZ6(b) ==
  /\ HZ6_is_enabled(b)
  /\ shutting_down' = [shutting_down EXCEPT ![b] = TRUE]
  /\ UNCHANGED <<controller, asked, asked_target, running, own_incarnation, incarnation, state, last_contact, now,
         known_legacy, unanswered, timed_out, controller_timeout, legacy, asked_incarnation, other, registered,
         last_reply, fenced, heard, broker_timeout, czxid, answered_and_others>>

\* S0:58
HZ7_is_enabled(b) ==
  /\ running[b]
  /\ shutting_down[b]
  /\ Given_CancelShutdown(b) = TRUE

HZ7(b) ==
  /\ HZ7_is_enabled(b)
  /\ shutting_down' = [shutting_down EXCEPT ![b] = FALSE]
  /\ UNCHANGED <<controller, asked, asked_target, running, own_incarnation, incarnation, state, last_contact, now,
         known_legacy, unanswered, timed_out, controller_timeout, legacy, asked_incarnation, other, registered,
         last_reply, fenced, heard, broker_timeout, czxid, answered_and_others>>

\* S0:34,138
HF1_is_enabled(old_brokers) ==
  /\ now = 0
  /\ (~controller) = TRUE
  /\ (\A x \in Broker : czxid[x] = 0) = TRUE
  /\ Given_FormCluster(old_brokers) = TRUE

HF1(old_brokers) ==
  /\ HF1_is_enabled(old_brokers)
  /\ controller' = TRUE
  /\ czxid' = [x \in Broker |-> 1]
  /\ registered' = [x \in Broker |-> 1]
  /\ own_incarnation' = [x \in Broker |-> 1]
  /\ incarnation' = [x \in Broker |-> 1]
  /\ running' = [x \in Broker |-> TRUE]
  /\ fenced' = [x \in Broker |-> FALSE]
  /\ state' = [x \in Broker |-> "ACTIVE"]
  /\ legacy' = [x \in Broker |-> x \in old_brokers]
  /\ known_legacy' = [x \in Broker |-> x \in old_brokers]
  /\ czxid' \in [Broker -> czxid_2]
  /\ registered' \in [Broker -> czxid_2]
  /\ own_incarnation' \in [Broker -> czxid_2]
  /\ incarnation' \in [Broker -> czxid_2]
  /\ UNCHANGED <<asked, asked_target, last_contact, now, unanswered, timed_out, controller_timeout, shutting_down,
         asked_incarnation, other, last_reply, heard, broker_timeout, answered_and_others>>

Init ==
  /\ controller = FALSE
  /\ asked = [k \in Broker |-> FALSE]
  /\ asked_target = [k \in Broker |-> "ACTIVE"]
  /\ answered = [k \in Broker |-> FALSE]
  /\ running = [k \in Broker |-> FALSE]
  /\ own_incarnation = [k \in Broker |-> 0]
  /\ answer_error = [k \in Broker |-> "NONE"]
  /\ answer_state = [k \in Broker |-> "INITIAL"]
  /\ incarnation = [k \in Broker |-> 0]
  /\ state = [k \in Broker |-> "INACTIVE"]
  /\ last_contact = [k \in Broker |-> 0]
  /\ now = 0
  /\ known_legacy = [k \in Broker |-> FALSE]
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
  /\ czxid = [k \in Broker |-> 0]
  /\ controller_timeout \in duration
  /\ Bound = "tiny" => controller_timeout = 0
  /\ broker_timeout \in duration
  /\ controller_timeout < broker_timeout
  /\ Bound = "tiny" => broker_timeout = 1

Rows ==
  \/ \E b \in Broker :
       /\ asked[b]
       /\ \E incarnation_2 \in czxid_2 :
            /\ incarnation_2 = asked_incarnation[b]
            /\ \E target \in BrokerState :
                 /\ target = asked_target[b]
                 /\ (target = "ACTIVE" \/ target = "STOPPING") = TRUE
                 /\ \E valid \in Given_Heartbeat_valid :
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
  \/ \E to_2 \in Given_TimePasses_to : HT1(to_2)
  \/ HC1
  \/ H12
  \/ \E b \in Broker, legacy_2 \in Given_StartBroker_legacy : \E czxid_3 \in Given_StartBroker_czxid(b) : HZ1(b,
       legacy_2, czxid_3)
  \/ \E b \in Broker :
       /\ running[b]
       /\ registered[b] = 0
       /\ \E czxid_3 \in czxid_2 :
            /\ czxid[b] < czxid_3
            /\ \/ HZ3(b, czxid_3)
               \/ HZ4(b, czxid_3)
  \/ \E old_brokers \in Given_FormCluster_old_brokers : HF1(old_brokers)

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
                 /\ \E valid \in Given_Heartbeat_valid :
                      \/ H1_is_enabled(b, incarnation_2, target, valid)
                      \/ H2_is_enabled(b, incarnation_2, target, valid)
                      \/ H3s_is_enabled(b, incarnation_2, target, valid)
                      \/ H3a_is_enabled(b, incarnation_2, target, valid)
                      \/ H4_is_enabled(b, incarnation_2, target, valid)
                      \/ H5_is_enabled(b, incarnation_2, target, valid)
  \/ \E b \in Broker :
       \/ H6_is_enabled(b)
       \/ HS2_is_enabled(b)
       \/ HS3_is_enabled(b)
       \/ H7_is_enabled(b)
       \/ H_reg_is_enabled(b)
       \/ H9_is_enabled(b)
       \/ H_gone_is_enabled(b)
       \/ HZ2_is_enabled(b)
       \/ HZ5_is_enabled(b)
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
  \/ \E to_2 \in Given_TimePasses_to : HT1_is_enabled(to_2)
  \/ HC1_is_enabled
  \/ H12_is_enabled
  \/ \E b \in Broker, legacy_2 \in Given_StartBroker_legacy : \E czxid_3 \in Given_StartBroker_czxid(b) :
       HZ1_is_enabled(b, legacy_2, czxid_3)
  \/ \E b \in Broker :
       /\ running[b]
       /\ registered[b] = 0
       /\ \E czxid_3 \in czxid_2 :
            /\ czxid[b] < czxid_3
            /\ \/ HZ3_is_enabled(b, czxid_3)
               \/ HZ4_is_enabled(b, czxid_3)
  \/ \E old_brokers \in Given_FormCluster_old_brokers : HF1_is_enabled(old_brokers)

\* A counter's range alone disables a row of the event.
Heartbeat_would_leave ==
  \/ \E valid \in Given_Heartbeat_valid :
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

FormCluster_would_leave ==
  \/ \E old_brokers \in Given_FormCluster_old_brokers : (HF1_is_enabled(old_brokers)) /\ ~ENABLED HF1(old_brokers)

\* As long as a controller is in office, the incarnation id that it takes for a broker's never decreases. (S0:56)
HI1 == [][\A b \in Broker : (controller /\ controller') => incarnation[b] <= incarnation[b]']_vars

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

\* A heartbeat that asks for Active, of the incarnation that is taken for valid, makes the broker Active. (S0:48,58)
HI9s == [][(\A b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in Given_Heartbeat_valid :
  (H3a(b, incarnation_2, target, valid) \/ H5(b, incarnation_2, target, valid)) => (state[b]' = "ACTIVE"))]_vars

HI9s_where_nothing_changes == (\A b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in
  Given_Heartbeat_valid : (ENABLED (UNCHANGED vars /\ (H3a(b, incarnation_2, target, valid) \/ H5(b, incarnation_2,
  target, valid)))) => (state[b] = "ACTIVE"))

\* A legacy broker is Active from when the controller sees its registration until it is gone. (S0:138)
HI6 == \A b \in Broker : (controller /\ legacy[b] /\ 0 < registered[b] /\ incarnation[b] = registered[b]) =>
  (known_legacy[b] /\ state[b] = "ACTIVE")

\* A new registration is a new incarnation, Inactive until its first heartbeat, whatever the former one was. (S0:26,34)
M6s == [][(\A b \in Broker : (H_reg(b) \/ H9(b)) => (incarnation[b]' = registered[b] /\ (legacy[b] \/
  (~handles_traffic(b))')))]_vars

M6s_where_nothing_changes == (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (H_reg(b) \/ H9(b)))) => (incarnation[b] =
  registered[b] /\ (legacy[b] \/ ~handles_traffic(b))))

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

\* Whom the controller's timer made Inactive is so until it heartbeats or is registered anew, and is no legacy broker.
\* (S0:48,138)
HI35 == \A b \in Broker : timed_out[b] => (state[b] = "INACTIVE" /\ ~known_legacy[b])

\* There is one current controller at most: who fails was it, and another takes over when there is none. (S0:42,116)
HI37 == [][((HC1 \/ H12) => (controller' = (~controller)))]_vars

HI37_where_nothing_changes == ((ENABLED (UNCHANGED vars /\ (HC1 \/ H12))) => (controller = (~controller)))

\* A process ends that ran, and one starts where none did; a session ends that had a znode, and one begins that makes
\* it. (S0:28)
HI38 == [][(\A b \in Broker, legacy_2 \in Given_StartBroker_legacy : \A czxid_3 \in Given_StartBroker_czxid(b) : (HZ1(b,
  legacy_2, czxid_3)) => (running[b]' # running[b] \/ (registered[b]' = 0) # (registered[b] = 0))) /\ (\A b \in Broker :
  (HZ2(b) \/ HZ5(b)) => (running[b]' # running[b] \/ (registered[b]' = 0) # (registered[b] = 0))) /\ (\A b \in Broker,
  czxid_3 \in czxid_2 : (HZ3(b, czxid_3) \/ HZ4(b, czxid_3)) => (running[b]' # running[b] \/ (registered[b]' = 0) #
  (registered[b] = 0)))]_vars

HI38_where_nothing_changes == (\A b \in Broker, legacy_2 \in Given_StartBroker_legacy : \A czxid_3 \in
  Given_StartBroker_czxid(b) : (ENABLED (UNCHANGED vars /\ (HZ1(b, legacy_2, czxid_3)))) => (running[b] # running[b] \/
  (registered[b] = 0) # (registered[b] = 0))) /\ (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (HZ2(b) \/ HZ5(b)))) =>
  (running[b] # running[b] \/ (registered[b] = 0) # (registered[b] = 0))) /\ (\A b \in Broker, czxid_3 \in czxid_2 :
  (ENABLED (UNCHANGED vars /\ (HZ3(b, czxid_3) \/ HZ4(b, czxid_3)))) => (running[b] # running[b] \/ (registered[b] = 0)
  # (registered[b] = 0)))

\* A process that runs begins its controlled shutdown once, and takes back only one that it has begun. (S0:36,58)
HI39 == [][(\A b \in Broker : (HZ6(b) \/ HZ7(b)) => (running[b] /\ shutting_down[b]' = (~shutting_down[b])))]_vars

HI39_where_nothing_changes == (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (HZ6(b) \/ HZ7(b)))) => (running[b] /\
  shutting_down[b] = (~shutting_down[b])))

\* A znode is that of the process that is followed, or that of another one with the same id. (S0:26,118)
HI41 == \A b \in Broker : 0 < registered[b] => other[b] = (registered[b] # own_incarnation[b])

\* The answer to a heartbeat that was accepted is lost. (S0:18)
\* TLC is asked that this never holds; a violation is the witness.
HW4 == ~(\E b \in Broker : running[b] /\ unanswered[b] /\ ~asked[b] /\ ~answered[b])

\* An Inactive broker that heartbeats becomes Active. (S0:48)
Spec_HI9 == Spec /\ WF_vars((H12)) /\ WF_vars((\E b \in Broker : H_reg(b)) \/ (\E b \in Broker : H9(b))) /\ WF_vars((\E
  b \in Broker : H_gone(b))) /\ ([]<>~((ENABLED <<(\E b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState,
  valid \in Given_Heartbeat_valid : H1(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2,
  target \in BrokerState, valid \in Given_Heartbeat_valid : H2(b, incarnation_2, target, valid)) \/ (\E b \in Broker,
  incarnation_2 \in czxid_2, target \in BrokerState, valid \in Given_Heartbeat_valid : H3s(b, incarnation_2, target,
  valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in Given_Heartbeat_valid :
  H3a(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid
  \in Given_Heartbeat_valid : H4(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2,
  target \in BrokerState, valid \in Given_Heartbeat_valid : H5(b, incarnation_2, target, valid))>>_vars) \/
  Heartbeat_would_leave) \/ []<><<(\E b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in
  Given_Heartbeat_valid : H1(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2, target
  \in BrokerState, valid \in Given_Heartbeat_valid : H2(b, incarnation_2, target, valid)) \/ (\E b \in Broker,
  incarnation_2 \in czxid_2, target \in BrokerState, valid \in Given_Heartbeat_valid : H3s(b, incarnation_2, target,
  valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in Given_Heartbeat_valid :
  H3a(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid
  \in Given_Heartbeat_valid : H4(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2,
  target \in BrokerState, valid \in Given_Heartbeat_valid : H5(b, incarnation_2, target, valid))>>_vars) /\ WF_vars((\E
  b \in Broker, error \in Error, current_state \in BrokerState : H8e(b, error, current_state)) \/ (\E b \in Broker,
  error \in Error, current_state \in BrokerState : H8(b, error, current_state)) \/ (\E b \in Broker, error \in Error,
  current_state \in BrokerState : H8_2(b, error, current_state))) /\ WF_vars((\E b \in Broker, target \in BrokerState :
  HS1(b, target))) /\ WF_vars((\E to_2 \in Given_TimePasses_to : HT1(to_2))) /\ WF_vars((\E b \in Broker : H6(b))) /\
  WF_vars((\E b \in Broker : H7(b))) /\ WF_vars((\E b \in Broker : HZ2(b)))
HI9 == (\E b \in Broker : waits(b)) ~> (~(\E b \in Broker : waits(b)))

HI9_inside_the_ranges == (Heartbeat_would_leave \/ FormCluster_would_leave) => (~(\E b \in Broker : waits(b)))

\* A bounce is noticed. (S0:26)
Spec_M6 == Spec /\ WF_vars((H12)) /\ WF_vars((\E b \in Broker : H_reg(b)) \/ (\E b \in Broker : H9(b))) /\ WF_vars((\E b
  \in Broker : H_gone(b))) /\ ([]<>~((ENABLED <<(\E b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState,
  valid \in Given_Heartbeat_valid : H1(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2,
  target \in BrokerState, valid \in Given_Heartbeat_valid : H2(b, incarnation_2, target, valid)) \/ (\E b \in Broker,
  incarnation_2 \in czxid_2, target \in BrokerState, valid \in Given_Heartbeat_valid : H3s(b, incarnation_2, target,
  valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in Given_Heartbeat_valid :
  H3a(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid
  \in Given_Heartbeat_valid : H4(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2,
  target \in BrokerState, valid \in Given_Heartbeat_valid : H5(b, incarnation_2, target, valid))>>_vars) \/
  Heartbeat_would_leave) \/ []<><<(\E b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in
  Given_Heartbeat_valid : H1(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2, target
  \in BrokerState, valid \in Given_Heartbeat_valid : H2(b, incarnation_2, target, valid)) \/ (\E b \in Broker,
  incarnation_2 \in czxid_2, target \in BrokerState, valid \in Given_Heartbeat_valid : H3s(b, incarnation_2, target,
  valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid \in Given_Heartbeat_valid :
  H3a(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2, target \in BrokerState, valid
  \in Given_Heartbeat_valid : H4(b, incarnation_2, target, valid)) \/ (\E b \in Broker, incarnation_2 \in czxid_2,
  target \in BrokerState, valid \in Given_Heartbeat_valid : H5(b, incarnation_2, target, valid))>>_vars) /\ WF_vars((\E
  b \in Broker, error \in Error, current_state \in BrokerState : H8e(b, error, current_state)) \/ (\E b \in Broker,
  error \in Error, current_state \in BrokerState : H8(b, error, current_state)) \/ (\E b \in Broker, error \in Error,
  current_state \in BrokerState : H8_2(b, error, current_state))) /\ WF_vars((\E b \in Broker, target \in BrokerState :
  HS1(b, target))) /\ WF_vars((\E to_2 \in Given_TimePasses_to : HT1(to_2))) /\ WF_vars((\E b \in Broker : H6(b))) /\
  WF_vars((\E b \in Broker : H7(b))) /\ WF_vars((\E b \in Broker : HZ2(b)))
M6 == (\E b \in Broker : bounced(b)) ~> (~(\E b \in Broker : bounced(b)))

M6_inside_the_ranges == (Heartbeat_would_leave \/ FormCluster_would_leave) => (~(\E b \in Broker : bounced(b)))

\* Every dead broker becomes Inactive. (S0:18,34,48)
Spec_M9 == Spec /\ (\A b \in Broker : WF_vars((HZ2(b)))) /\ (\A b \in Broker : WF_vars((H_gone(b)))) /\ WF_vars((H12))
M9 == \A b \in Broker : ((dead(b)) ~> (~dead(b)))

M9_inside_the_ranges == \A b \in Broker : ((Heartbeat_would_leave \/ FormCluster_would_leave) => (~dead(b)))

\* A broker that is silent for the controller's timeout becomes Inactive, Active or Stopping, whatever becomes of its
\* znode. (S0:36,48)
Spec_HI42 == Spec /\ (\A b \in Broker : WF_vars((H6(b))))
HI42 == \A b \in Broker : ((overdue(b)) ~> (~overdue(b)))

HI42_inside_the_ranges == \A b \in Broker : ((Heartbeat_would_leave \/ FormCluster_would_leave) => (~overdue(b)))
================================================================================
