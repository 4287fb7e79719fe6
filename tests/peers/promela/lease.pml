/* The lease tables of the project (model/leases), with N brokers (1 to 4) and timers of up to UNITS (2 or 3) units.
   `spin -o2 -DN=3 -DUNITS=2 -a lease.pml` is the bound `tiny`, `-DUNITS=3 -DDRIFT` is `drift`; without `-o2` spin
   leaves out of the state what is not read (`last`).

   One process: it chooses the settings, then loops, with one d_step an instance of a row. Control is at the head of the
   loop in every stored state but the first, so that these are valuations of the variables and nothing else. */

#define SILENT   0 /* where a heartbeat is */
#define SENT     1
#define ANSWERED 2
#define REFUSED  3

#define NOBODY N

typedef Broker {
  unsigned lease : 2;      /* what is left of its own timer */
  unsigned leads : 1;      /* the newest record that it has read says so */
  unsigned read_epoch : 3; /* the leader epoch in that record */
  unsigned session : 2;    /* what is left of the controller's timer for it */
  unsigned fenced : 1;     /* the controller has given it up, or never met it */
  unsigned exchange : 2;
  unsigned offered : 2;    /* what is left of the lease that counts from the send of this heartbeat */
  unsigned due : 2         /* how much longer the answer may be under way */
};

Broker b[N];
unsigned leader : 3 = NOBODY; /* whom the controller decided on last */
unsigned epoch : 3;
unsigned last : 3 = NOBODY;   /* who appended last */

/* Settings: the shortest and the longest that each timer lasts, and the longest delay. */
unsigned from_send : 1;
unsigned shortest_lease : 2;
unsigned longest_lease : 2;
unsigned shortest_session : 2;
unsigned longest_session : 2;
unsigned in_time : 1;
unsigned longest_delay : 2;

#define LEASE_GIVEN(i, lasts) (shortest_lease <= lasts && lasts <= longest_lease && b[i].lease <= lasts)
#define SESSION_GIVEN(i, runs) (shortest_session <= runs && runs <= longest_session && b[i].session <= runs)
#define LESS(timer) timer = (timer > 0 -> timer - 1 : 0)

#define OVERDUE(i) (b[i].exchange == ANSWERED && in_time && b[i].due == 0)
#define PASSES(i) LESS(b[i].lease); LESS(b[i].session); LESS(b[i].offered); LESS(b[i].due);

/* Rows with a length of the lease, with one of the session, and with both. */
#define OF_LEASE(i, lasts) \
  :: d_step { LEASE_GIVEN(i, lasts) && b[i].exchange == SILENT && from_send -> \
       b[i].exchange = SENT; b[i].offered = lasts } \
  :: d_step { LEASE_GIVEN(i, lasts) && b[i].exchange == SILENT && !from_send && lasts == longest_lease -> \
       b[i].exchange = SENT } \
  :: d_step { LEASE_GIVEN(i, lasts) && b[i].exchange == ANSWERED && from_send && lasts == longest_lease -> \
       b[i].lease = (b[i].lease < b[i].offered -> b[i].offered : b[i].lease); \
       b[i].exchange = SILENT; b[i].offered = 0; b[i].due = 0 } \
  :: d_step { LEASE_GIVEN(i, lasts) && b[i].exchange == ANSWERED && !from_send -> \
       b[i].lease = lasts; b[i].exchange = SILENT; b[i].due = 0 }

#define OF_SESSION(i, runs) \
  :: d_step { SESSION_GIVEN(i, runs) && b[i].exchange == SENT && !b[i].fenced -> \
       b[i].session = runs; b[i].exchange = ANSWERED; b[i].due = (in_time -> longest_delay : b[i].due) }

#define OF_BOTH(i, lasts, runs) \
  :: d_step { LEASE_GIVEN(i, lasts) && SESSION_GIVEN(i, runs) \
         && b[i].fenced && !b[i].leads && b[i].exchange == SILENT -> \
       b[i].fenced = 0; b[i].lease = lasts; b[i].session = runs }

#if UNITS > 2
#define LENGTHS(i) \
  OF_LEASE(i, 1) OF_LEASE(i, 2) OF_LEASE(i, 3) OF_SESSION(i, 1) OF_SESSION(i, 2) OF_SESSION(i, 3) \
  OF_BOTH(i, 1, 1) OF_BOTH(i, 1, 2) OF_BOTH(i, 1, 3) OF_BOTH(i, 2, 1) OF_BOTH(i, 2, 2) OF_BOTH(i, 2, 3) \
  OF_BOTH(i, 3, 1) OF_BOTH(i, 3, 2) OF_BOTH(i, 3, 3)
#else
#define LENGTHS(i) \
  OF_LEASE(i, 1) OF_LEASE(i, 2) OF_SESSION(i, 1) OF_SESSION(i, 2) \
  OF_BOTH(i, 1, 1) OF_BOTH(i, 1, 2) OF_BOTH(i, 2, 1) OF_BOTH(i, 2, 2)
#endif

/* In this order: a refusal is sent, and is heard; a message is lost; a session is over; an election; records are read;
   something is appended. */
#define INSTANCES(i) \
  LENGTHS(i) \
  :: d_step { b[i].exchange == SENT && b[i].fenced -> b[i].exchange = REFUSED } \
  :: d_step { b[i].exchange == REFUSED -> b[i].leads = 0; b[i].exchange = SILENT; b[i].offered = 0 } \
  :: d_step { b[i].exchange != SILENT -> b[i].exchange = SILENT; b[i].offered = 0; b[i].due = 0 } \
  :: d_step { !b[i].fenced && b[i].session == 0 -> \
       b[i].fenced = 1; epoch = (leader == i -> epoch + 1 : epoch); leader = (leader == i -> NOBODY : leader) } \
  :: d_step { epoch < 3 && leader == NOBODY && !b[i].fenced -> leader = i; epoch = epoch + 1 } \
  :: d_step { leader == i && !(b[i].leads && b[i].read_epoch == epoch) -> b[i].leads = 1; b[i].read_epoch = epoch } \
  :: d_step { leader != i && b[i].leads -> b[i].leads = 0 } \
  :: d_step { b[i].leads && b[i].lease > 0 -> last = i }

#define START(i) b[i].fenced = 1;

#if N == 1
#define ANY(OF) OF(0)
#define EACH(OF) OF(0)
#elif N == 2
#define ANY(OF) OF(0) || OF(1)
#define EACH(OF) OF(0) OF(1)
#elif N == 3
#define ANY(OF) OF(0) || OF(1) || OF(2)
#define EACH(OF) OF(0) OF(1) OF(2)
#else
#define ANY(OF) OF(0) || OF(1) || OF(2) || OF(3)
#define EACH(OF) OF(0) OF(1) OF(2) OF(3)
#endif

active proctype Rows() {
  if
#ifdef DRIFT
  :: d_step { EACH(START) from_send = 1; shortest_lease = 1; longest_lease = 2; shortest_session = 2;
       longest_session = 3 }
  :: d_step { EACH(START) shortest_lease = 1; longest_lease = 1; shortest_session = 2; longest_session = 3;
       in_time = 1; longest_delay = 1 }
#else
  :: d_step { EACH(START) from_send = 1; shortest_lease = 1; longest_lease = 1; shortest_session = 2;
       longest_session = 2 }
#endif
  fi;
end:
  do
  :: d_step { !(ANY(OVERDUE)) -> EACH(PASSES) skip }
  EACH(INSTANCES)
  od
}
