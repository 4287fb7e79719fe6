"""A new release of Kafka compared with the one before: records, feature levels, and the methods that rows cite.

`releases` finds releases and fetches their jars; `bytecode` reads methods as text that can be compared; `records` and
`levels` read what a release writes, and which levels it has; `cited` finds what the tables cite; `reviewed` reads which
changes were looked at; `report` compares. `python -m fencepost.checkers.watch` is `make watch`.
"""
