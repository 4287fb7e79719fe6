//! `peers-stateright two_phase SIZE` and `peers-stateright lease SIZE BOUND`: the breadth-first checker of stateright, on
//! as many threads as THREADS says, or two. A state is the word that the crate beside it packs.

use peers::{lease::Lease, two_phase::TwoPhase, Model};
use stateright::{Checker, Property};

#[derive(Clone)]
struct Words<M>(M);

impl<M: Model + Send + Sync + 'static> stateright::Model for Words<M> {
    type State = u64;
    /// The state after the step: rows and their instances need no name here.
    type Action = u64;

    fn init_states(&self) -> Vec<u64> {
        self.0.starts()
    }

    fn actions(&self, state: &u64, actions: &mut Vec<u64>) {
        self.0.successors(*state, &mut |next| actions.push(next));
    }

    fn next_state(&self, _: &u64, next: u64) -> Option<u64> {
        Some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("claim", |model: &Self, state| model.0.holds(*state))]
    }
}

fn visit<M: Model + Send + Sync + 'static>(model: M) {
    use stateright::Model;
    let threads = std::env::var("THREADS").ok().and_then(|text| text.parse().ok()).unwrap_or(2);
    let found = Words(model).checker().threads(threads).spawn_bfs().join();
    found.assert_properties();
    let (distinct, transitions) = (found.unique_state_count(), found.state_count());
    println!("{{\"distinct\": {distinct}, \"transitions\": {transitions}, \"threads\": {threads}}}");
}

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let size: usize = given.get(1).and_then(|text| text.parse().ok()).unwrap_or(0);
    let bound = given.get(2).map(String::as_str);
    match (given.first().map(String::as_str), bound) {
        (Some("two_phase"), _) if (1..=peers::two_phase::MOST).contains(&size) => visit(TwoPhase { managers: size }),
        (Some("lease"), Some("tiny" | "drift")) if (1..=peers::lease::MOST).contains(&size) => {
            visit(Lease::new(size, bound == Some("drift")))
        }
        _ => {
            eprintln!("peers-stateright: write two_phase SIZE, or lease SIZE tiny|drift");
            std::process::exit(2);
        }
    }
}
