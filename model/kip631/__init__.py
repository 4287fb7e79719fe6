"""KIP-631 in its two versions: v1 with leases and target states, v2 with want-fence and want-shutdown (S2)."""
