"""Evaluations kept for all entities of a class, so that a log with many equal partitions is checked once a class."""
