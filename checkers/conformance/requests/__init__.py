"""Requests to a controller, each asked of the rows: `adapters` read them, `outcomes` are what rows answer and write.

`traces` judges event traces beside a log; `lockstep` reads the steps of a running controller by the same adapters.

Hard cells are those of the log, soft cells those of the rows along the trace; the answer and the records must be
those of the rows that apply.
"""
