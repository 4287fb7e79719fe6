"""KIP-631 as it was first: a broker serves while its lease lasts, and gets one by a handshake of two heartbeats."""
