"""KIP-631 in its two versions (S2): the leases of the first, and the fencing that brokers ask for in the second."""
