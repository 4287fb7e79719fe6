"""Tests of the reference controllers, each part apart and all together."""
