"""What an operator asks of a metadata log: how the cluster is at an offset or a time, and why it came to that.

`replaying.py` reads a log batch by batch and evaluates no row, `watching.py` keeps since when a condition holds.
`health.py`, `why.py`, `story.py` and `records.py` make the documents; `differences.py` compares two moments,
`intervals.py` has the time spans of a condition, `zk_cluster.py` reads the history of znodes. `on_spark.py` evaluates
the same for many logs.
"""
