//! Two-phase commit, as Lamport's TwoPhase states it: resource managers and one transaction manager.

use crate::{Fields, Model};

const WORKING: u8 = 0;
const PREPARED: u8 = 1;
const COMMITTED: u8 = 2;
const ABORTED: u8 = 3;

pub const MOST: usize = 14;

pub struct TwoPhase {
    pub managers: usize,
}

#[derive(Clone, Copy)]
struct State {
    progress: [u8; MOST],
    /// Sets of resource managers, a bit each.
    counted: u64,
    said: u64,
    decided: bool,
    commit_sent: bool,
    abort_sent: bool,
}

impl TwoPhase {
    #[inline(always)]
    fn pack(&self, state: &State) -> u64 {
        let many = self.managers as u32;
        let mut into = Fields::new();
        into.put(state.counted, many);
        into.put(state.said, many);
        into.put(state.decided as u64, 1);
        into.put(state.commit_sent as u64, 1);
        into.put(state.abort_sent as u64, 1);
        for one in &state.progress[..self.managers] {
            into.put(*one as u64, 2);
        }
        into.word()
    }

    #[inline(always)]
    fn unpack(&self, word: u64) -> State {
        let many = self.managers as u32;
        let mut from = Fields::of(word);
        let mut state = State {
            counted: from.take(many),
            said: from.take(many),
            decided: from.take(1) == 1,
            commit_sent: from.take(1) == 1,
            abort_sent: from.take(1) == 1,
            progress: [WORKING; MOST],
        };
        for one in &mut state.progress[..self.managers] {
            *one = from.take(2) as u8;
        }
        state
    }
}

impl Model for TwoPhase {
    fn starts(&self) -> Vec<u64> {
        vec![0]
    }

    fn successors(&self, word: u64, found: &mut dyn FnMut(u64)) {
        let now = self.unpack(word);
        let mut give = |change: &dyn Fn(&mut State)| {
            let mut next = now;
            change(&mut next);
            found(self.pack(&next));
        };
        if !now.decided {
            if now.counted == (1 << self.managers) - 1 {
                give(&|next| {
                    next.decided = true;
                    next.commit_sent = true;
                });
            }
            give(&|next| {
                next.decided = true;
                next.abort_sent = true;
            });
        }
        for r in 0..self.managers {
            if !now.decided && now.said & (1 << r) != 0 {
                give(&|next| next.counted |= 1 << r);
            }
            if now.progress[r] == WORKING {
                give(&|next| {
                    next.progress[r] = PREPARED;
                    next.said |= 1 << r;
                });
                give(&|next| next.progress[r] = ABORTED);
            }
            if now.commit_sent {
                give(&|next| next.progress[r] = COMMITTED);
            }
            if now.abort_sent {
                give(&|next| next.progress[r] = ABORTED);
            }
        }
    }

    /// No resource manager commits what another has aborted.
    fn holds(&self, word: u64) -> bool {
        let progress = &self.unpack(word).progress[..self.managers];
        !(progress.contains(&COMMITTED) && progress.contains(&ABORTED))
    }
}
