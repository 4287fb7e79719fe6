"""The KRaft controller in the shape of Kafka's own, with the Raft, the brokers and the disks around it.

The files here are the vocabulary of all folders below: `records`, `errors`, `messages`, `results`, `settings`, `levels`
(of metadata.version), `repairs`. `steps` and `answered_events` tell what a controller does as a trace; the other way
round `recorded_requests`, `recorded` and `recorded_differences` put a trace of real Kafka to it, and the folder
`answers` what Kafka's own classes were asked.

To follow one heartbeat from its arrival to its commit read `controller/quorum_controller.py` from
`process_broker_heartbeat` on.

A defect of Kafka 4.4 is there by default; its repair is an `if "D6c" in repaired` at its place, and a line in
`repairs.py`.
"""
