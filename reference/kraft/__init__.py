"""The KRaft controller in the shape of Kafka's own, with the Raft, the brokers and the disks around it.

The files here are the vocabulary of all folders below: `records`, `errors`, `messages`, `results`, `settings`, `levels`
(of metadata.version), `repairs`. `steps` and `answered_events` record a run as a trace;
`recorded_requests`, `recorded` and `recorded_differences` replay a trace of real Kafka, and the folder `answers` the
recorded calls of Kafka's own classes.

To follow one heartbeat from its arrival to its commit read `controller/quorum_controller.py` from
`process_broker_heartbeat` on.

A defect of Kafka 4.4 is there by default; its repair is an `if "D6c" in repaired` at its place, and a line in
`repairs.py`.
"""
