"""A second formulation of the invariants, in SQL, as an oracle for `conform`.

It imports nothing of `model` or `checkers`, and of `traces` only what decodes records. `columns` decodes logs into one
table, a row a record; `state.sql` makes intervals of state of it by windows; `invariants.sql` says where invariants
are false, each under the id of the property that it states again; `judge` runs them in DuckDB. `claims` and the tests
check `conform` against it, on recordings and on the faulty logs of `faults`.

Scopes: *record* is after every record; *result* is at the end of a unit, the batches that hold whole results; *log* is
over neighbouring batches; *row* is of every record, where the tables claim it of rows, or have it as their guard: where
it is broken no row explains the record. What SQL does not state is in `unsaid`, with the reasons.

Beside that it leaves open: a step of a whole result of a partition that one unit changes more than once, since several
results may share a batch; where a replica is that got no directory in the record that adds it, though it was a replica
before; what is in front of the first batch of a log, where the name of the first segment promises more.
"""
