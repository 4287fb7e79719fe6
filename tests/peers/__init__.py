"""Two models restated by hand for other checkers: Promela for SPIN, and Rust for a search of its own."""
