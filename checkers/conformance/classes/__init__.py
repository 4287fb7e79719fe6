"""Cells of one log: tables, changes, and entities of one sort that have the same cells kept as one class."""
