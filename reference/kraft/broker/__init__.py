"""Brokers: lifecycle, metadata image, partition leaders and followers that replicate small logs.

`broker` is the process, `broker_run` one life of it; `lifecycle` talks to the controller, `loader` and `image` read its
log, `replica_manager` and `partition` lead and follow, `fetcher` and `fetch_server` are the two ends of a fetch. What
survives is in `disk` and `replica_log`. `producers` write, the `ledger` checks the logs against the acknowledgements.
"""
