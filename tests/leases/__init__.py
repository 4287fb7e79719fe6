"""Leases in real time: the derived regions, the tables with an integer clock, and clocks that drift."""
