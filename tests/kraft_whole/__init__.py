"""Tests of how the event loop and the tables of `kraft` are composed."""
