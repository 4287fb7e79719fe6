/* Two-phase commit with N resource managers (1 to 10), as Lamport's TwoPhase states it. `spin -DN=8 -a two_phase.pml`.

   One process, one loop, one d_step an instance of a row: control is at the head of the loop in every stored state, so
   that stored states are valuations of the variables and nothing else. Sets of resource managers are bit masks. */

#define WORKING   0
#define PREPARED  1
#define COMMITTED 2
#define ABORTED   3

#define ALL ((1 << N) - 1)

byte progress[N];          /* how far a resource manager has come */
unsigned counted : N;      /* the transaction manager has seen that it is prepared */
unsigned said : N;         /* its message that it is prepared is in the air */
unsigned decided : 1;      /* the transaction manager has decided */
unsigned commit_sent : 1;
unsigned abort_sent : 1;

#define INSTANCES(r) \
  :: d_step { !decided && (said & (1 << r)) -> counted = counted | (1 << r) } \
  :: d_step { progress[r] == WORKING -> progress[r] = PREPARED; said = said | (1 << r) } \
  :: d_step { progress[r] == WORKING -> progress[r] = ABORTED } \
  :: d_step { commit_sent -> progress[r] = COMMITTED } \
  :: d_step { abort_sent -> progress[r] = ABORTED }

active proctype Rows() {
end:
  do
  :: d_step { !decided && counted == ALL -> decided = 1; commit_sent = 1 }
  :: d_step { !decided -> decided = 1; abort_sent = 1 }
  INSTANCES(0)
#if N > 1
  INSTANCES(1)
#endif
#if N > 2
  INSTANCES(2)
#endif
#if N > 3
  INSTANCES(3)
#endif
#if N > 4
  INSTANCES(4)
#endif
#if N > 5
  INSTANCES(5)
#endif
#if N > 6
  INSTANCES(6)
#endif
#if N > 7
  INSTANCES(7)
#endif
#if N > 8
  INSTANCES(8)
#endif
#if N > 9
  INSTANCES(9)
#endif
  od
}
