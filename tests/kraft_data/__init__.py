"""Tests of `kraft-data`: what is proved, what is assumed, what is explored, and what the controller gives for it."""
