--------------------------------- MODULE lease ---------------------------------
\* lease: Time leases: a broker believes while its own timer runs, the controller waits until its timer for the broker
\* is over.
\* Made from the tables of lease a7c1ad2ef4c3; not to be edited.
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS NumberBroker, Maxunits, Maxleader_epoch, Bound, None

Broker == 0..(NumberBroker - 1)
Exchange == {"NONE", "SENT", "ANSWERED", "REFUSED"}
units == 0..Maxunits
leader_epoch == 0..Maxleader_epoch

VARIABLES exchange, in_time, due, lease_2, session, offered, shortest_lease, longest_lease, shortest_session,
  longest_session, fenced, leads, from_send, longest_delay, leader, epoch, read_epoch, last

vars == <<exchange, in_time, due, lease_2, session, offered, shortest_lease, longest_lease, shortest_session,
  longest_session, fenced, leads, from_send, longest_delay, leader, epoch, read_epoch, last>>

never_written == <<in_time, shortest_lease, longest_lease, shortest_session, longest_session, from_send, longest_delay>>

Given_Elect(b) == CASE Bound = "tiny" -> epoch < 3 [] Bound = "drift" -> epoch < 3 [] OTHER -> TRUE

less(x) == IF 0 < lease_2[x] THEN lease_2[x] - 1 ELSE lease_2[x]

less_2(x) == IF 0 < session[x] THEN session[x] - 1 ELSE session[x]

less_3(x) == IF 0 < offered[x] THEN offered[x] - 1 ELSE offered[x]

less_4(x) == IF 0 < due[x] THEN due[x] - 1 ELSE due[x]

believes(b) == leads[b] /\ 0 < lease_2[b]

\* S0:42,48
LC1 ==
  /\ (\A x \in Broker : (exchange[x] = "ANSWERED" /\ in_time) => 0 < due[x]) = TRUE
  /\ lease_2' = [x \in Broker |-> less(x)]
  /\ session' = [x \in Broker |-> less_2(x)]
  /\ offered' = [x \in Broker |-> less_3(x)]
  /\ due' = [x \in Broker |-> less_4(x)]
  /\ lease_2' \in [Broker -> units]
  /\ session' \in [Broker -> units]
  /\ offered' \in [Broker -> units]
  /\ due' \in [Broker -> units]
  /\ UNCHANGED <<exchange, fenced, leads, leader, epoch, read_epoch, last, never_written>>

\* S2:34,425
LR1_is_enabled(b, lasts, runs) ==
  /\ shortest_lease <= lasts
  /\ lasts <= longest_lease
  /\ lease_2[b] <= lasts
  /\ shortest_session <= runs
  /\ runs <= longest_session
  /\ session[b] <= runs
  /\ fenced[b]
  /\ (~leads[b]) = TRUE
  /\ exchange[b] = "NONE"

LR1(b, lasts, runs) ==
  /\ LR1_is_enabled(b, lasts, runs)
  /\ fenced' = [fenced EXCEPT ![b] = FALSE]
  /\ lease_2' = [lease_2 EXCEPT ![b] = lasts]
  /\ session' = [session EXCEPT ![b] = runs]
  /\ UNCHANGED <<exchange, due, offered, leads, leader, epoch, read_epoch, last, never_written>>

\* S0:42, S2:41
LH1_is_enabled(b, lasts) ==
  /\ shortest_lease <= lasts
  /\ lasts <= longest_lease
  /\ lease_2[b] <= lasts
  /\ exchange[b] = "NONE"
  /\ from_send

LH1(b, lasts) ==
  /\ LH1_is_enabled(b, lasts)
  /\ exchange' = [exchange EXCEPT ![b] = "SENT"]
  /\ offered' = [offered EXCEPT ![b] = lasts]
  /\ UNCHANGED <<due, lease_2, session, fenced, leads, leader, epoch, read_epoch, last, never_written>>

\* S0:42, S2:41
LH1a_is_enabled(b, lasts) ==
  /\ shortest_lease <= lasts
  /\ lasts <= longest_lease
  /\ lease_2[b] <= lasts
  /\ exchange[b] = "NONE"
  /\ (~from_send) = TRUE
  /\ lasts = longest_lease

LH1a(b, lasts) ==
  /\ LH1a_is_enabled(b, lasts)
  /\ exchange' = [exchange EXCEPT ![b] = "SENT"]
  /\ UNCHANGED <<due, lease_2, session, offered, fenced, leads, leader, epoch, read_epoch, last, never_written>>

\* S0:48, S2:43
LH2_is_enabled(b, runs) ==
  /\ shortest_session <= runs
  /\ runs <= longest_session
  /\ session[b] <= runs
  /\ exchange[b] = "SENT"
  /\ (~fenced[b]) = TRUE

LH2(b, runs) ==
  /\ LH2_is_enabled(b, runs)
  /\ session' = [session EXCEPT ![b] = runs]
  /\ exchange' = [exchange EXCEPT ![b] = "ANSWERED"]
  /\ due' = [due EXCEPT ![b] = IF in_time THEN longest_delay ELSE due[b]]
  /\ UNCHANGED <<lease_2, offered, fenced, leads, leader, epoch, read_epoch, last, never_written>>

\* S2:41
LH3_is_enabled(b) ==
  /\ exchange[b] = "SENT"
  /\ fenced[b]

LH3(b) ==
  /\ LH3_is_enabled(b)
  /\ exchange' = [exchange EXCEPT ![b] = "REFUSED"]
  /\ UNCHANGED <<due, lease_2, session, offered, fenced, leads, leader, epoch, read_epoch, last, never_written>>

\* S0:42, S2:43
LH4_is_enabled(b, lasts) ==
  /\ shortest_lease <= lasts
  /\ lasts <= longest_lease
  /\ lease_2[b] <= lasts
  /\ exchange[b] = "ANSWERED"
  /\ from_send
  /\ lasts = longest_lease

LH4(b, lasts) ==
  /\ LH4_is_enabled(b, lasts)
  /\ lease_2' = [lease_2 EXCEPT ![b] = IF lease_2[b] < offered[b] THEN offered[b] ELSE lease_2[b]]
  /\ exchange' = [exchange EXCEPT ![b] = "NONE"]
  /\ offered' = [offered EXCEPT ![b] = 0]
  /\ due' = [due EXCEPT ![b] = 0]
  /\ UNCHANGED <<session, fenced, leads, leader, epoch, read_epoch, last, never_written>>

\* S0:42, S2:43
LH5_is_enabled(b, lasts) ==
  /\ shortest_lease <= lasts
  /\ lasts <= longest_lease
  /\ lease_2[b] <= lasts
  /\ exchange[b] = "ANSWERED"
  /\ (~from_send) = TRUE

LH5(b, lasts) ==
  /\ LH5_is_enabled(b, lasts)
  /\ lease_2' = [lease_2 EXCEPT ![b] = lasts]
  /\ exchange' = [exchange EXCEPT ![b] = "NONE"]
  /\ due' = [due EXCEPT ![b] = 0]
  /\ UNCHANGED <<session, offered, fenced, leads, leader, epoch, read_epoch, last, never_written>>

\* S2:41,443
LH6(b) ==
  /\ exchange[b] = "REFUSED"
  /\ leads' = [leads EXCEPT ![b] = FALSE]
  /\ exchange' = [exchange EXCEPT ![b] = "NONE"]
  /\ offered' = [offered EXCEPT ![b] = 0]
  /\ UNCHANGED <<due, lease_2, session, fenced, leader, epoch, read_epoch, last, never_written>>

\* S0:42
LH7(b) ==
  /\ exchange[b] # "NONE"
  /\ exchange' = [exchange EXCEPT ![b] = "NONE"]
  /\ offered' = [offered EXCEPT ![b] = 0]
  /\ due' = [due EXCEPT ![b] = 0]
  /\ UNCHANGED <<lease_2, session, fenced, leads, leader, epoch, read_epoch, last, never_written>>

\* S0:48, S2:43
LX1_is_enabled(b) ==
  /\ (~fenced[b]) = TRUE
  /\ session[b] = 0

LX1(b) ==
  /\ LX1_is_enabled(b)
  /\ fenced' = [fenced EXCEPT ![b] = TRUE]
  /\ leader' = IF leader = b THEN None ELSE leader
  /\ epoch' = IF leader = b THEN epoch + 1 ELSE epoch
  /\ epoch' \in leader_epoch
  /\ UNCHANGED <<exchange, due, lease_2, session, offered, leads, read_epoch, last, never_written>>

\* S0:48
LX2_is_enabled(b) ==
  /\ leader = None
  /\ (~fenced[b]) = TRUE
  /\ Given_Elect(b) = TRUE

LX2(b) ==
  /\ LX2_is_enabled(b)
  /\ epoch <= Maxleader_epoch - 1
  /\ leader' = b
  /\ epoch' = epoch + 1
  /\ UNCHANGED <<exchange, due, lease_2, session, offered, fenced, leads, read_epoch, last, never_written>>

\* S0:26, S2:60
LB1_is_enabled(b) ==
  /\ leader = b
  /\ (~(leads[b] /\ read_epoch[b] = epoch)) = TRUE

LB1(b) ==
  /\ LB1_is_enabled(b)
  /\ leads' = [leads EXCEPT ![b] = TRUE]
  /\ read_epoch' = [read_epoch EXCEPT ![b] = epoch]
  /\ UNCHANGED <<exchange, due, lease_2, session, offered, fenced, leader, epoch, last, never_written>>

\* S0:26, S2:60
LB2_is_enabled(b) ==
  /\ leader # b
  /\ leads[b]

LB2(b) ==
  /\ LB2_is_enabled(b)
  /\ leads' = [leads EXCEPT ![b] = FALSE]
  /\ UNCHANGED <<exchange, due, lease_2, session, offered, fenced, leader, epoch, read_epoch, last, never_written>>

\* S0:44
LB3(b) ==
  /\ believes(b) = TRUE
  /\ last' = b
  /\ UNCHANGED <<exchange, due, lease_2, session, offered, fenced, leads, leader, epoch, read_epoch, never_written>>

Init ==
  /\ exchange = [k \in Broker |-> "NONE"]
  /\ due = [k \in Broker |-> 0]
  /\ lease_2 = [k \in Broker |-> 0]
  /\ session = [k \in Broker |-> 0]
  /\ offered = [k \in Broker |-> 0]
  /\ fenced = [k \in Broker |-> TRUE]
  /\ leads = [k \in Broker |-> FALSE]
  /\ leader = None
  /\ epoch = 0
  /\ read_epoch = [k \in Broker |-> 0]
  /\ last = None
  /\ in_time \in BOOLEAN
  /\ Bound = "tiny" => (~in_time) = TRUE
  /\ shortest_lease \in units
  /\ 0 < shortest_lease
  /\ Bound = "tiny" => shortest_lease = 1
  /\ longest_lease \in units
  /\ shortest_lease <= longest_lease
  /\ Bound = "tiny" => longest_lease = 1
  /\ shortest_session \in units
  /\ 0 < shortest_session
  /\ Bound = "tiny" => shortest_session = 2
  /\ longest_session \in units
  /\ shortest_session <= longest_session
  /\ Bound = "tiny" => longest_session = 2
  /\ from_send \in BOOLEAN
  /\ Bound = "tiny" => from_send
  /\ longest_delay \in units
  /\ (IF from_send THEN longest_lease <= shortest_session ELSE in_time /\ longest_lease + longest_delay <=
         shortest_session) = TRUE
  /\ Bound = "tiny" => longest_delay = 0
  /\ Bound = "drift" => ((from_send /\ shortest_lease = 1 /\ longest_lease = 2 /\ shortest_session = 2 /\
         longest_session = 3 /\ ~in_time /\ longest_delay = 0) \/ (~from_send /\ shortest_lease = 1 /\ longest_lease = 1
         /\ shortest_session = 2 /\ longest_session = 3 /\ in_time /\ longest_delay = 1)) = TRUE

Rows ==
  \/ LC1
  \/ \E b \in Broker, lasts \in units, runs \in units : LR1(b, lasts, runs)
  \/ \E lasts \in units :
       /\ shortest_lease <= lasts
       /\ lasts <= longest_lease
       /\ \E b \in Broker :
            /\ lease_2[b] <= lasts
            /\ \/ LH1(b, lasts)
               \/ LH1a(b, lasts)
               \/ LH4(b, lasts)
               \/ LH5(b, lasts)
  \/ \E b \in Broker, runs \in units : LH2(b, runs)
  \/ \E b \in Broker :
       \/ LH3(b)
       \/ LH6(b)
       \/ LH7(b)
       \/ LX1(b)
       \/ LX2(b)
       \/ LB1(b)
       \/ LB2(b)
       \/ LB3(b)

Next == Rows \/ UNCHANGED vars

Spec == Init /\ [][Next]_vars

\* The guard of some row holds: unlike in ENABLED Rows, of one too that only a range disables.
SomeRowIsEnabled ==
  \/ (\A x \in Broker : (exchange[x] = "ANSWERED" /\ in_time) => 0 < due[x]) = TRUE
  \/ \E b \in Broker, lasts \in units, runs \in units : LR1_is_enabled(b, lasts, runs)
  \/ \E lasts \in units :
       /\ shortest_lease <= lasts
       /\ lasts <= longest_lease
       /\ \E b \in Broker :
            /\ lease_2[b] <= lasts
            /\ \/ LH1_is_enabled(b, lasts)
               \/ LH1a_is_enabled(b, lasts)
               \/ LH4_is_enabled(b, lasts)
               \/ LH5_is_enabled(b, lasts)
  \/ \E b \in Broker, runs \in units : LH2_is_enabled(b, runs)
  \/ \E b \in Broker :
       \/ LH3_is_enabled(b)
       \/ exchange[b] = "REFUSED"
       \/ exchange[b] # "NONE"
       \/ LX1_is_enabled(b)
       \/ LX2_is_enabled(b)
       \/ LB1_is_enabled(b)
       \/ LB2_is_enabled(b)
       \/ believes(b) = TRUE

\* no two brokers believe that they lead (S-a)
LE1 == \A x \in Broker, y \in Broker : (believes(x) /\ believes(y)) => x = y

\* a broker that believes that it leads is the leader (S2:43)
LE2 == \A x \in Broker : believes(x) => leader = x

\* what is appended is the leader's (S-a)
LE3 == [][(\A b \in Broker : (LB3(b)) => (leader = b))]_vars

LE3_where_nothing_changes == (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (LB3(b)))) => (leader = b))

\* a broker whose own timer is over is not taken for active any more (HI3) (S0:50)
LE4 == \A x \in Broker : (~fenced[x] /\ exchange[x] = "NONE" /\ lease_2[x] = 0) => session[x] = 0

\* a broker believes
\* TLC is asked that this never holds; a violation is the witness.
LW1 == ~(\E x \in Broker : believes(x) /\ ~fenced[x] /\ lease_2[x] < session[x])

\* a broker believes after another leadership was over
\* TLC is asked that this never holds; a violation is the witness.
LW2 == ~(\E x \in Broker : believes(x) /\ 1 < epoch)

\* a broker whose lease is over has not read that another leads
\* TLC is asked that this never holds; a violation is the witness.
LW3 == ~(\E x \in Broker : leads[x] /\ leader # x)

\* whom the controller has given up does not lead (S0:48)
LE5 == \A x \in Broker : fenced[x] => leader # x

\* no broker is given up, or loses its leadership, before its session is over, and none is elected beside a leader
\* (S0:48, S2:43)
LE6 == [][\A x \in Broker : ((~fenced[x] /\ fenced[x]') => session[x] = 0) /\ ((leader = x /\ leader' # x) =>
  (session[x] = 0 /\ (leader = None)')) /\ ((leader # x /\ leader' = x) => (leader = None /\ ~fenced[x]))]_vars

\* a change of the leader raises the leader epoch by one, and nothing else does (S0:107)
LE7 == [][epoch' = (IF leader' = leader THEN epoch ELSE epoch + 1)]_vars

LE7_where_nothing_changes == (ENABLED (UNCHANGED vars /\ Rows)) => (epoch = (IF leader = leader THEN epoch ELSE epoch +
  1))

\* a heartbeat is sent when no other is under way, and then answered, or refused where its broker was given up (S2:41)
LE8 == [][\A x \in Broker : ((exchange[x] = "NONE" /\ ~(exchange[x] = "NONE")') => exchange[x]' = "SENT") /\
  ((exchange[x] # "SENT" /\ exchange[x]' = "SENT") => exchange[x] = "NONE") /\ ((exchange[x] # "ANSWERED" /\
  exchange[x]' = "ANSWERED") => (exchange[x] = "SENT" /\ ~fenced[x])) /\ ((exchange[x] # "REFUSED" /\ exchange[x]' =
  "REFUSED") => (exchange[x] = "SENT" /\ fenced[x]))]_vars

\* only an answer gives a broker more time, only a heartbeat the controller, and a registration both (S0:42,48)
LE9 == [][\A x \in Broker : (lease_2[x] < lease_2[x]' => (exchange[x] = "ANSWERED" \/ (fenced[x] /\ ~fenced[x]'))) /\
  (session[x] < session[x]' => (exchange[x] = "SENT" \/ (fenced[x] /\ ~fenced[x]'))) /\ ((fenced[x] /\ ~fenced[x]') =>
  (exchange[x] = "NONE" /\ ~leads[x]))]_vars

\* nothing is left of a heartbeat that is no longer under way (S0:42)
LE10 == \A x \in Broker : ((exchange[x] # "NONE" /\ from_send) \/ offered[x] = 0) /\ ((exchange[x] = "ANSWERED" /\
  in_time) \/ due[x] = 0)

\* a unit of time takes one off every timer that is not over (S0:42,48)
LE11 == [][((LC1) => (\A x \in Broker : lease_2[x]' = less(x) /\ session[x]' = less_2(x) /\ offered[x]' = less_3(x) /\
  due[x]' = less_4(x)))]_vars

LE11_where_nothing_changes == ((ENABLED (UNCHANGED vars /\ (LC1))) => (\A x \in Broker : lease_2[x] = less(x) /\
  session[x] = less_2(x) /\ offered[x] = less_3(x) /\ due[x] = less_4(x)))

\* a registration and a heartbeat give the session a new start (S0:48, S2:34)
LE12 == [][(\A b \in Broker, lasts \in units, runs \in units : (LR1(b, lasts, runs)) => (session[b]' = runs /\
  ~fenced[b]')) /\ (\A b \in Broker, runs \in units : (LH2(b, runs)) => (session[b]' = runs /\ ~fenced[b]'))]_vars

LE12_where_nothing_changes == (\A b \in Broker, lasts \in units, runs \in units : (ENABLED (UNCHANGED vars /\ (LR1(b,
  lasts, runs)))) => (session[b] = runs /\ ~fenced[b])) /\ (\A b \in Broker, runs \in units : (ENABLED (UNCHANGED vars
  /\ (LH2(b, runs)))) => (session[b] = runs /\ ~fenced[b]))

\* a registration and an answer give the lease a new start, from the send where it counts from there (S0:42, S2:43)
LE13 == [][(\A b \in Broker, lasts \in units, runs \in units : (LR1(b, lasts, runs)) => (lease_2[b]' = (IF from_send /\
  exchange[b] = "ANSWERED" THEN IF lease_2[b] < offered[b] THEN offered[b] ELSE lease_2[b] ELSE lasts) /\ exchange[b]' =
  "NONE")) /\ (\A b \in Broker, lasts \in units : (LH4(b, lasts) \/ LH5(b, lasts)) => (lease_2[b]' = (IF from_send /\
  exchange[b] = "ANSWERED" THEN IF lease_2[b] < offered[b] THEN offered[b] ELSE lease_2[b] ELSE lasts) /\ exchange[b]' =
  "NONE"))]_vars

LE13_where_nothing_changes == (\A b \in Broker, lasts \in units, runs \in units : (ENABLED (UNCHANGED vars /\ (LR1(b,
  lasts, runs)))) => (lease_2[b] = (IF from_send /\ exchange[b] = "ANSWERED" THEN IF lease_2[b] < offered[b] THEN
  offered[b] ELSE lease_2[b] ELSE lasts) /\ exchange[b] = "NONE")) /\ (\A b \in Broker, lasts \in units : (ENABLED
  (UNCHANGED vars /\ (LH4(b, lasts) \/ LH5(b, lasts)))) => (lease_2[b] = (IF from_send /\ exchange[b] = "ANSWERED" THEN
  IF lease_2[b] < offered[b] THEN offered[b] ELSE lease_2[b] ELSE lasts) /\ exchange[b] = "NONE"))

\* who reads the newest record knows whether it leads, and in which epoch (S0:26)
LE14 == [][(\A b \in Broker : (LB1(b) \/ LB2(b)) => (leads[b]' = (leader = b) /\ (leader = b => read_epoch[b]' =
  epoch)))]_vars

LE14_where_nothing_changes == (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (LB1(b) \/ LB2(b)))) => (leads[b] = (leader
  = b) /\ (leader = b => read_epoch[b] = epoch)))

\* a broker that is answered that it was given up no longer leads (S2:41)
LE15 == [][(\A b \in Broker : (LH6(b)) => (~leads[b]' /\ exchange[b]' = "NONE"))]_vars

LE15_where_nothing_changes == (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (LH6(b)))) => (~leads[b] /\ exchange[b] =
  "NONE"))

\* an append is stored (S0:44)
LE16 == [][(\A b \in Broker : (LB3(b)) => (last' = b))]_vars

LE16_where_nothing_changes == (\A b \in Broker : (ENABLED (UNCHANGED vars /\ (LB3(b)))) => (last = b))

\* the settings are in the safe region
LLr == 0 < shortest_lease /\ shortest_lease <= longest_lease /\ 0 < shortest_session /\ shortest_session <=
  longest_session /\ (IF from_send THEN longest_lease <= shortest_session ELSE in_time /\ longest_lease + longest_delay
  <= shortest_session)

\* the lease is over when the session is
LLs == \A x \in Broker : lease_2[x] <= session[x]

\* no lease is longer than it may be
LLl == \A x \in Broker : lease_2[x] <= longest_lease /\ offered[x] <= longest_lease

\* what an answer brings is over when the session is
LLa == \A x \in Broker : exchange[x] = "ANSWERED" => (IF from_send THEN offered[x] <= session[x] ELSE longest_lease +
  due[x] <= session[x])

\* the session of who is given up is over
LLf == \A x \in Broker : fenced[x] => session[x] = 0

\* who is refused was given up
LLg == \A x \in Broker : exchange[x] = "REFUSED" => fenced[x]

\* who has read that it leads does, or is given up
LLk == \A x \in Broker : (leads[x] /\ ~fenced[x]) => leader = x
================================================================================
