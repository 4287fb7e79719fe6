"""Rows prepared for matching: what each writes and in which order, and what records show of hidden cells."""
