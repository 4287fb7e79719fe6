"""Tests of `kraft-loop`: what is proved, and what is explored."""
