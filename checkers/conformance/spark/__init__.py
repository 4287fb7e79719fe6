"""Many logs under Spark: several small logs a task, and tables of verdicts, violations, findings and rows come back.

No data is shuffled: the driver finds the logs and spreads them by size, a task reads and checks its logs, and its
results come back as Arrow columns. The verdicts are those of the single process, since the tasks run the same monitor.

`cluster.py` finds or builds the session, `hadoop.py` reads through Spark's filesystems, `inputs.py` lists what is
given, `schema.py` has the columns that are read and how they are cast, `planning.py` spreads logs over tasks;
`shipped.py` and `tasks.py` run there, `tables.py` has the schemas, `written.py` writes Parquet, `attempts.py` continues
a run that was stopped. `records.py` and `part_plan.py` plan records without logs, lines without files, and
a large log in parts.
"""
