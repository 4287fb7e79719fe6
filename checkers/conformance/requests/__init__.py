"""Requests to a controller, each evaluated by the rows: `adapters` read them, `outcomes` has the answers.

An adapter is the one description of a request: its columns as parameters of rows, its answer, and the errors that no
row is about. `traces` checks event traces beside a log; `lockstep` reads the steps of a running controller, and
`answers` recorded answers of Kafka's own classes, by the same adapters.

Hard cells are those of the log, soft cells those of the rows along the trace; the answer and the records must be
those of the rows that apply.
"""
