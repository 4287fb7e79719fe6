"""Queries of a metadata log for operators: the state of the cluster at an offset or a time, and what led to it.

`replaying.py` reads a log batch by batch and evaluates no row, `watching.py` keeps since when a condition holds.
`health.py`, `why.py`, `story.py` and `records.py` make the documents; `differences.py` compares two moments,
`intervals.py` has the time spans of a condition, `zk_cluster.py` reads the history of znodes. `on_spark.py` evaluates
the same for many logs.
"""
