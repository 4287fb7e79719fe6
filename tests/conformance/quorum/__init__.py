"""The logs of a quorum checked together: recorded ones, altered ones, simulated ones."""
