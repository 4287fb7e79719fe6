"""KIP-46's self healing in a small simulated cluster: the partitions of a dead broker move to others, chunk by chunk.

Read `controller.py` first: it follows a failure from the callback over the entry in ZooKeeper and the timer to the
tasks that move the replicas. The design was proposed in 2016 and never built; nothing here is Kafka's.
"""
