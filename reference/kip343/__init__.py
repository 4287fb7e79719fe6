"""KIP-343's controller heartbeat in a small simulated cluster: a broker that cannot reach the controller fences itself.

Read `controller.py` first: it follows a heartbeat from its arrival to its effects. `broker.py` sends heartbeats and
fences itself without answers, `zookeeper.py` has the registrations that both compare with. The design was proposed in
2018 and never built; nothing here is Kafka's.
"""
