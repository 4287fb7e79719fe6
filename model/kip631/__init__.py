"""KIP-631 in its two versions: v1 with leases and target states, v2 with want-fence and want-shutdown (S2).

Both versions share `tail.py`, the uncommitted tail that a failover loses, and `claimants.py`, which controllers take
themselves for the active one.
"""
