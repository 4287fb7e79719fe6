"""The controller in Kafka's shape: an event queue; write, commit, apply; a manager for each domain.

`quorum_controller` is where requests come in and where Raft reports. The loop: `event_queue`, `write_event`,
`offset_control`, `deferred_events`, `activation`, `periodic_tasks`; `observer` and `metrics` look on.

`managers` holds the managers: `cluster` (with `registrations`, `directory_ids`, `heartbeats`), `features`,
`configurations` (with `config_schema`), `producer_ids`, `replication`, and `security` with `acls`,
`scram_credentials`, `delegation_tokens` and `client_quotas`.
`replication` has its state (`replication_state`, `partitions`, `indexes`, `hash_tables`), its operations
(`broker_lifecycle`, `fan_out`, `alter_partition`, `topics`, `elections`, `reassignments`, `directories`), and what they
ask (`partition_change_builder`, `placer`). `snapshots` writes all of it down.
"""
