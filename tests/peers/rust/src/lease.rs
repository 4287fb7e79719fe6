//! The lease tables of the project (model/leases): brokers that believe while their own timer runs.

use crate::{Fields, Model};

const SILENT: u8 = 0;
const SENT: u8 = 1;
const ANSWERED: u8 = 2;
const REFUSED: u8 = 3;

pub const MOST: usize = 3;

/// What is fixed in a run. Of each timer the shortest and the longest that it lasts; `delay` is None where an answer may
/// take any time.
#[derive(Clone, Copy)]
struct Settings {
    from_send: bool,
    lease: (u8, u8),
    session: (u8, u8),
    delay: Option<u8>,
}

/// The bound `tiny` has the first settings of its own, `drift` two.
const TINY: [Settings; 1] = [Settings { from_send: true, lease: (1, 1), session: (2, 2), delay: None }];
const DRIFT: [Settings; 2] = [
    Settings { from_send: true, lease: (1, 2), session: (2, 3), delay: None },
    Settings { from_send: false, lease: (1, 1), session: (2, 3), delay: Some(1) },
];

pub struct Lease {
    pub brokers: usize,
    settings: &'static [Settings],
}

#[derive(Clone, Copy, Default)]
struct Broker {
    lease: u8,
    leads: bool,
    read_epoch: u8,
    session: u8,
    fenced: bool,
    exchange: u8,
    offered: u8,
    due: u8,
}

#[derive(Clone, Copy)]
struct State {
    brokers: [Broker; MOST],
    /// A broker's number, or MOST for nobody.
    leader: u8,
    epoch: u8,
    last: u8,
    setting: u8,
}

const NOBODY: u8 = MOST as u8;

impl Lease {
    pub fn new(brokers: usize, drift: bool) -> Self {
        Lease { brokers, settings: if drift { &DRIFT } else { &TINY } }
    }

    #[inline(always)]
    fn pack(&self, state: &State) -> u64 {
        let mut into = Fields::new();
        for one in &state.brokers[..self.brokers] {
            into.put(one.lease as u64, 2);
            into.put(one.leads as u64, 1);
            into.put(one.read_epoch as u64, 3);
            into.put(one.session as u64, 2);
            into.put(one.fenced as u64, 1);
            into.put(one.exchange as u64, 2);
            into.put(one.offered as u64, 2);
            into.put(one.due as u64, 2);
        }
        into.put(state.leader as u64, 2);
        into.put(state.epoch as u64, 3);
        into.put(state.last as u64, 2);
        into.put(state.setting as u64, 1);
        into.word()
    }

    #[inline(always)]
    fn unpack(&self, word: u64) -> State {
        let mut from = Fields::of(word);
        let mut brokers = [Broker::default(); MOST];
        for one in &mut brokers[..self.brokers] {
            one.lease = from.take(2) as u8;
            one.leads = from.take(1) == 1;
            one.read_epoch = from.take(3) as u8;
            one.session = from.take(2) as u8;
            one.fenced = from.take(1) == 1;
            one.exchange = from.take(2) as u8;
            one.offered = from.take(2) as u8;
            one.due = from.take(2) as u8;
        }
        State {
            brokers,
            leader: from.take(2) as u8,
            epoch: from.take(3) as u8,
            last: from.take(2) as u8,
            setting: from.take(1) as u8,
        }
    }
}

impl Model for Lease {
    fn starts(&self) -> Vec<u64> {
        let broker = Broker { fenced: true, ..Broker::default() };
        let start = |setting| State { brokers: [broker; MOST], leader: NOBODY, epoch: 0, last: NOBODY, setting };
        (0..self.settings.len()).map(|one| self.pack(&start(one as u8))).collect()
    }

    fn successors(&self, word: u64, found: &mut dyn FnMut(u64)) {
        let now = self.unpack(word);
        let set = &self.settings[now.setting as usize];
        let mut give = |change: &dyn Fn(&mut State)| {
            let mut next = now;
            change(&mut next);
            found(self.pack(&next));
        };
        let overdue = |one: &Broker| one.exchange == ANSWERED && set.delay.is_some() && one.due == 0;
        if !now.brokers[..self.brokers].iter().any(overdue) {
            give(&|next| {
                for one in &mut next.brokers[..self.brokers] {
                    one.lease = one.lease.saturating_sub(1);
                    one.session = one.session.saturating_sub(1);
                    one.offered = one.offered.saturating_sub(1);
                    one.due = one.due.saturating_sub(1);
                }
            });
        }
        for b in 0..self.brokers {
            let own = now.brokers[b];
            let silent = own.exchange == SILENT;
            // Drift decides how long a timer lasts; one that starts later ends no earlier.
            for lasts in set.lease.0.max(own.lease)..=set.lease.1 {
                if silent && set.from_send {
                    give(&|next| {
                        next.brokers[b].exchange = SENT;
                        next.brokers[b].offered = lasts;
                    });
                }
                if silent && !set.from_send && lasts == set.lease.1 {
                    give(&|next| next.brokers[b].exchange = SENT);
                }
                if own.exchange == ANSWERED && set.from_send && lasts == set.lease.1 {
                    give(&|next| {
                        let one = &mut next.brokers[b];
                        *one = Broker { lease: own.lease.max(own.offered), exchange: SILENT, offered: 0, due: 0, ..own };
                    });
                }
                if own.exchange == ANSWERED && !set.from_send {
                    give(&|next| {
                        next.brokers[b] = Broker { lease: lasts, exchange: SILENT, due: 0, ..own };
                    });
                }
                if own.fenced && !own.leads && silent {
                    for runs in set.session.0.max(own.session)..=set.session.1 {
                        give(&|next| {
                            next.brokers[b] = Broker { fenced: false, lease: lasts, session: runs, ..own };
                        });
                    }
                }
            }
            if own.exchange == SENT {
                if own.fenced {
                    give(&|next| next.brokers[b].exchange = REFUSED);
                } else {
                    for runs in set.session.0.max(own.session)..=set.session.1 {
                        give(&|next| {
                            let due = set.delay.unwrap_or(own.due);
                            next.brokers[b] = Broker { session: runs, exchange: ANSWERED, due, ..own };
                        });
                    }
                }
            }
            if own.exchange == REFUSED {
                give(&|next| next.brokers[b] = Broker { leads: false, exchange: SILENT, offered: 0, ..own });
            }
            if !silent {
                give(&|next| next.brokers[b] = Broker { exchange: SILENT, offered: 0, due: 0, ..own });
            }
            let leader = now.leader == b as u8;
            if !own.fenced && own.session == 0 {
                give(&|next| {
                    next.brokers[b].fenced = true;
                    if leader {
                        next.leader = NOBODY;
                        next.epoch += 1;
                    }
                });
            }
            if now.epoch < 3 && now.leader == NOBODY && !own.fenced {
                give(&|next| {
                    next.leader = b as u8;
                    next.epoch += 1;
                });
            }
            if leader && !(own.leads && own.read_epoch == now.epoch) {
                give(&|next| next.brokers[b] = Broker { leads: true, read_epoch: now.epoch, ..own });
            }
            if !leader && own.leads {
                give(&|next| next.brokers[b].leads = false);
            }
            if own.leads && own.lease > 0 {
                give(&|next| next.last = b as u8);
            }
        }
    }

    /// No two brokers believe that they lead, and who does is the leader.
    fn holds(&self, word: u64) -> bool {
        let now = self.unpack(word);
        let believes = |b: &usize| now.brokers[*b].leads && now.brokers[*b].lease > 0;
        (0..self.brokers).filter(believes).all(|b| now.leader == b as u8)
    }
}
