"""Scenarios: steps in Kafka's words, run on the reference controller, each evaluated by the tables.

`words.py` has the steps as values, `parsing.py` reads them from text; `machine.py` is a controller over a log that
commits at once, with lock step beside it; `brokers.py` does what brokers do in a step, `running.py` runs a scenario;
`loading.py` begins with the state of a metadata log; `outlook.py` and `sentences.py` make the words of the report.
`plans.py` has what operators plan, `one_partition.py` the state of one partition, `exploring.py` what acts do to it in
every order, `planning.py` what a plan does to a cluster; `following.py` lets the reference follow other tables,
`against.py` compares the same scenario under two.
"""
