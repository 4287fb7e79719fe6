"""Releases: edits of the tables, each with its source, found in the logs that show it."""
