//! Two models restated by hand, each state packed into one word, and a breadth-first search over any such model.

pub mod breadth_first;
pub mod lease;
pub mod two_phase;

/// A model whose states fit into a word.
pub trait Model {
    /// The states that it starts in.
    fn starts(&self) -> Vec<u64>;
    /// Call `found` with the state after each instance of a row that is enabled, whether it differs or not.
    fn successors(&self, state: u64, found: &mut dyn FnMut(u64));
    /// Whether what is claimed of every state is so of this one.
    fn holds(&self, state: u64) -> bool;
}

/// Fields of a word, written from the lowest bit up and read in the same order.
pub struct Fields {
    word: u64,
    at: u32,
}

impl Fields {
    pub fn new() -> Self {
        Fields { word: 0, at: 0 }
    }

    pub fn of(word: u64) -> Self {
        Fields { word, at: 0 }
    }

    #[inline(always)]
    pub fn put(&mut self, value: u64, bits: u32) {
        self.word |= value << self.at;
        self.at += bits;
    }

    #[inline(always)]
    pub fn take(&mut self, bits: u32) -> u64 {
        let value = (self.word >> self.at) & ((1 << bits) - 1);
        self.at += bits;
        value
    }

    pub fn word(&self) -> u64 {
        self.word
    }
}

impl Default for Fields {
    fn default() -> Self {
        Self::new()
    }
}
