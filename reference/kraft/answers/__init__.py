"""Answers of the reference to the recorded questions of `traces/recorded/oracle`, in the terms of the recording.

A line has a state, a question, and what Kafka's own classes answered.
`situation` brings the managers into the state of a line; `registrations`, `requests` and `security` evaluate the
questions of their subjects, and `kinds` has those about partitions and heartbeats and the table of all of them.
"""
