//! `peers two_phase SIZE` and `peers lease SIZE BOUND`: count every state, and print the counts as JSON.

use peers::breadth_first::{search, Found};
use peers::{lease, two_phase};

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let size = |most| given.get(1).and_then(|text| text.parse().ok()).filter(|size| (1..=most).contains(size));
    let bound = given.get(2).map(String::as_str);
    let found = match given.first().map(String::as_str) {
        Some("two_phase") => size(two_phase::MOST).map(|managers| search(&two_phase::TwoPhase { managers })),
        Some("lease") if matches!(bound, Some("tiny" | "drift")) => {
            size(lease::MOST).map(|brokers| search(&lease::Lease::new(brokers, bound == Some("drift"))))
        }
        _ => None,
    };
    match found {
        Some(Found { violated: Some(number), .. }) => {
            eprintln!("peers: the claim is false of state {number}");
            std::process::exit(1);
        }
        Some(Found { distinct, transitions, depth, bytes, .. }) => println!(
            "{{\"distinct\": {distinct}, \"transitions\": {transitions}, \"depth\": {depth}, \"bytes\": {bytes}}}"
        ),
        None => {
            eprintln!("peers: write two_phase SIZE, up to {}, or lease SIZE tiny|drift, up to {}", two_phase::MOST, lease::MOST);
            std::process::exit(2);
        }
    }
}
