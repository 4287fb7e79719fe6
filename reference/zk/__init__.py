"""The ZooKeeper-era controller over a small simulated ZooKeeper, with the brokers and the network around it.

The files here are the vocabulary of the folders below: `names` (states, partitions, assignments, leadership), `paths`
(of znodes and what is in them), `messages`. Read `controller/controller.py` first: one event thread takes one event
after the other, and every operation of the page is a generator that pauses wherever the process could die.

A crash, an expired session or another controller can come between any two writes. A controller that lost its session
continues until it receives the event. Nothing is reverted, so that `timeline` is not needed. Brokers keep no data.
"""
