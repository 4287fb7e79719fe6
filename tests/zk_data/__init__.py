"""Tests of `zk-data`: what is proved, what is assumed, what is explored, and what other designs keep of it."""
