//! A breadth-first search on one thread: words and parents in the order found, and an index with linear probing.

use crate::Model;

pub struct Found {
    pub distinct: usize,
    /// Starts, and one for each instance of a row that is enabled in a state.
    pub transitions: u64,
    /// Levels, that of the starts included.
    pub depth: usize,
    /// The first state of which the claim is false, as its number.
    pub violated: Option<usize>,
    /// Bytes of states, parents and index.
    pub bytes: usize,
}

struct Store {
    words: Vec<u64>,
    parents: Vec<u32>,
    /// The number of a state and one, 0 where there is none; its length is a power of two.
    index: Vec<u32>,
}

impl Store {
    #[inline(always)]
    fn slot(&self, word: u64) -> usize {
        let mixed = (word ^ (word >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> (64 - self.index.len().trailing_zeros())) as usize
    }

    #[inline(always)]
    fn add(&mut self, word: u64, parent: u32) {
        let last = self.index.len() - 1;
        let mut at = self.slot(word);
        loop {
            match self.index[at] {
                0 => break,
                number if self.words[number as usize - 1] == word => return,
                _ => at = (at + 1) & last,
            }
        }
        self.words.push(word);
        self.parents.push(parent);
        self.index[at] = self.words.len() as u32;
        if self.words.len() * 2 > self.index.len() {
            self.grow();
        }
    }

    fn grow(&mut self) {
        self.index = vec![0; self.index.len() * 2];
        let last = self.index.len() - 1;
        for number in 0..self.words.len() {
            let mut at = self.slot(self.words[number]);
            while self.index[at] != 0 {
                at = (at + 1) & last;
            }
            self.index[at] = number as u32 + 1;
        }
    }
}

/// Find every state; each is asked of once whether the claim holds of it.
pub fn search<M: Model>(model: &M) -> Found {
    let mut store = Store { words: Vec::new(), parents: Vec::new(), index: vec![0; 1 << 16] };
    let (mut transitions, mut depth, mut violated) = (0, 0, None);
    for start in model.starts() {
        transitions += 1;
        store.add(start, u32::MAX);
    }
    let mut low = 0;
    while low < store.words.len() {
        let high = store.words.len();
        depth += 1;
        for number in low..high {
            let word = store.words[number];
            if violated.is_none() && !model.holds(word) {
                violated = Some(number);
            }
            model.successors(word, &mut |next| {
                transitions += 1;
                store.add(next, number as u32);
            });
        }
        low = high;
    }
    let bytes = 8 * store.words.capacity() + 4 * (store.parents.capacity() + store.index.capacity());
    Found { distinct: store.words.len(), transitions, depth, violated, bytes }
}
