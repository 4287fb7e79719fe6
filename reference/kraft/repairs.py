"""The defects of Kafka 4.4.0 that can be repaired, by the names of spec/findings; none is by default."""

from __future__ import annotations

REPAIRS: dict[str, str] = {
    "D1": "renouncing takes transaction start and committed offset back too; what is committed is delivered again",
    "D2": "a transaction is over when its End is committed, not when it is appended",
    "D4": "after loading a snapshot the stable offset is that of its last record",
    "D5": "removing a topic cleans the index of directories even if its ISRs are empty",
    "D6": "clearing eligible leader replicas cleans their index",
    "D6c": "as D6: a broker registers again after a topic whose eligible leaders were cleared is deleted",
    "D7": "a broker that is unregistered leaves the eligible leader replicas too",
    "D8": "a cancelled reassignment may elect an eligible leader replica cleanly",
    "D9": "a last known leader that is no replica any more is not asked for its directory",
    "D10": "a controlled shutdown goes on waiting for the other brokers after a failover",
    "D11": "a broker that is marked as shutting down is not unfenced",
    "D12": "that no directory is left can be written down",
    "D14": "a new reassignment overrides the running one even if it adds or removes no replica",
    "D15": "a replica that a reassignment takes away is no eligible leader any more",
    "D16": "a partition that a request names twice is changed one after the other",
    "D17": "partitions are added with as many replicas as were asked for, whatever is being reassigned",
    "D20": "a bootstrap that was cut is written again after it was aborted",
    "D21": "switching eligible leader replicas off forgets them all",
    "D22": "registering again keeps which directories are cordoned",
    "D23": "a fenced broker whose session is over is not fenced again",
    "D24": "setting the cluster's min.insync.replicas to what it is writes nothing",
    "D27": "white space around a configured number or truth value is left out when it is read",
    "D28": "a broker forgets a deleted topic's configurations even if it learns of both at once",
    "D29": "a leader that missed the term of another forgets what its followers had fetched before",
    "D30": "a refused request for more partitions adds none",
}
"""The behaviour that each repair changes (`--repaired NAME`)."""
