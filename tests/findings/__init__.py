"""The findings: the tables show each, the repaired rows do not, and a recording does."""
