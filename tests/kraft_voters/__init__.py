"""Tests of `kraft-voters`: what is explored with counted majorities, and what is proved."""
