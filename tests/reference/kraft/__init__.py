"""Tests of the KRaft controller of the reference."""
