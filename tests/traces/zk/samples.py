"""A line, or several, of every class of message of state-change.log: message and lines after its head's sender.

Those of the recordings are as Kafka 3.9.2 wrote them; the others are put together from Kafka's sources.
"""

STATE = (
    "LeaderAndIsrPartitionState(topicName='alone-x', partitionIndex=1, controllerEpoch=1, leader=1, leaderEpoch=0, "
    "isr=[1, 2], partitionEpoch=0, replicas=[1, 2], addingReplicas=[], removingReplicas=[2], isNew=true, "
    "leaderRecoveryState=0)"
)
CACHED = (
    "UpdateMetadataPartitionState(topicName='alone', partitionIndex=1, controllerEpoch=1, leader=1, leaderEpoch=0, "
    "isr=[1], zkVersion=0, replicas=[1], offlineReplicas=[])"
)
STOP = "StopReplicaPartitionState(partitionIndex=0, leaderEpoch=-2, deletePartition=true)"
OLD = "(Leader:3,ISR:3,4,LeaderRecoveryState:RECOVERED,LeaderEpoch:2,ZkVersion:7,ControllerEpoch:3)"
ANSWER = (
    "LeaderAndIsrResponseData(errorCode=0, partitionErrors=[], topics=[LeaderAndIsrTopicError("
    "topicId=AqAvl--8TkGZoa8F-mySVQ, partitionErrors=[LeaderAndIsrPartitionError(topicName='', partitionIndex=1, "
    "errorCode=0), LeaderAndIsrPartitionError(topicName='', partitionIndex=0, errorCode=56)]), LeaderAndIsrTopicError("
    "topicId=BqAvl--8TkGZoa8F-mySVQ, partitionErrors=[])])"
)
OLD_ANSWER = (
    "LeaderAndIsrResponseData(errorCode=0, partitionErrors=[LeaderAndIsrPartitionError(topicName='a', "
    "partitionIndex=1, errorCode=0)], topics=[])"
)
STOPPED = (
    "StopReplicaResponseData(errorCode=0, partitionErrors=[StopReplicaPartitionError(topicName='slow', "
    "partitionIndex=0, errorCode=0), StopReplicaPartitionError(topicName='slow', partitionIndex=1, errorCode=0)])"
)
FROM = "from controller 1 epoch 6"
ID = "Some(AqAvl--8TkGZoa8F-mySVQ)"
MOVED = "with correlation id 23 since its controller epoch 3 is old. Latest known controller epoch is 4"

CONTROLLER: dict[str, list[str]] = {
    "PartitionAssigned": [
        "Changed partition a-b-0 state from NonExistentPartition to NewPartition with assigned replicas 1,2,3",
        "Changed partition a.b_c-12 state from NonExistentPartition to NewPartition with assigned replicas ",
    ],
    "PartitionElected": [
        "Changed partition a-0 from NewPartition to OnlinePartition with state LeaderAndIsr(leader=1, leaderEpoch=0, "
        "isrWithBrokerEpoch=List(BrokerState(brokerId=1, brokerEpoch=-1), BrokerState(brokerId=2, brokerEpoch=77)), "
        "leaderRecoveryState=RECOVERED, partitionEpoch=0)",
        "Changed partition a-0 from OnlinePartition to OnlinePartition with state LeaderAndIsr(leader=-1, "
        "leaderEpoch=3, isrWithBrokerEpoch=List(), leaderRecoveryState=RECOVERING, partitionEpoch=9)",
    ],
    "PartitionChanged": [
        "Changed partition two-2 state from OnlinePartition to OfflinePartition",
        "Changed partition two-2 state from OfflinePartition to NonExistentPartition",
    ],
    "ReplicaChanged": ["Changed state of replica 1 for partition alone-0 from NonExistentReplica to NewReplica"],
    "RemovedFromIsr": [
        f"Partition three-2 state changed to {OLD} after removing replica 1 from the ISR as part of transition "
        "to OfflineReplica"
    ],
    "ReassignmentSent": [
        f"Sent LeaderAndIsr request {OLD} with new replica assignment ReplicaAssignment(replicas=1,4,2,3, "
        "addingReplicas=1,4, removingReplicas=2,3) to leader 2 for partition being reassigned slow-1"
    ],
    "ReassignmentNotSent": [
        "Failed to send LeaderAndIsr request with new replica assignment ReplicaAssignment(replicas=1,4, "
        "addingReplicas=, removingReplicas=) to leader for partition being reassigned slow-1"
    ],
    "PartitionChangeFailed": [
        "Controller 2 epoch 3 failed to change state for partition one-1 from OfflinePartition to OnlinePartition"
    ],
    "ReplicaChangeFailed": [
        "Controller 1 epoch 3 initiated state change of replica 1 for partition slow-1 "
        "from OnlineReplica to NewReplica failed"
    ],
    "ReplicasMarkedOffline": ["Mark replicas b-3,doomed-4,b-0 on broker 1 as offline"],
    "LeaderAndIsrSent": [
        f"Sending become-leader LeaderAndIsr request {STATE} to broker 1 for partition alone-x-1",
        f"Sending become-follower LeaderAndIsr request {STATE} to broker 2 for partition alone-x-1",
    ],
    "LeaderAndIsrSummary": [
        "Sending LeaderAndIsr request to broker 1 with 2 become-leader and 0 become-follower partitions"
    ],
    "StopReplicaSent": [f"Sending StopReplica request {STOP} to broker 1 for partition slow-0"],
    "StopReplicaSummary": ["Sending StopReplica request for 1 replicas to broker 1"],
    "StopReplicaOldSummary": ["Sending StopReplica request (delete = true) for 3 replicas to broker 1"],
    "UpdateMetadataSummary": [
        "Sending UpdateMetadata request to brokers HashSet(1, 2) for 0 partitions",
        "Sending UpdateMetadata request to brokers HashSet() for 12 partitions",
        "Sending UpdateMetadata request to brokers Set(3) for 12 partitions",
    ],
    "ResponseReceived": [
        f"Received response {answer} for request {request} with correlation id 37 sent to broker {node}"
        for answer, request, node in (
            (STOPPED, "STOP_REPLICA", "127.0.0.1:18192 (id: 2 rack: null)"),
            (ANSWER, "LEADER_AND_ISR", "kafka-2.example:9092 (id: 2 rack: rack (one): a)"),
            (OLD_ANSWER, "LEADER_AND_ISR", "::1:9092 (id: 2 rack: b)"),
            ("UpdateMetadataResponseData(errorCode=11)", "UPDATE_METADATA", "127.0.0.1:1 (id: 2 rack: null)"),
        )
    ],
    "ResponseRefused": [
        "Received error STALE_BROKER_EPOCH in UpdateMetadata response UpdateMetadataResponseData(errorCode=77) "
        "from broker 3",
        f"Received error UNKNOWN_SERVER_ERROR in LeaderAndIsr response {OLD_ANSWER} from broker 3",
    ],
}
"""Messages of controllers by the names of their classes."""

BROKER: dict[str, list[str]] = {
    "LeaderCached": [
        f"Cached leader info {CACHED} for partition alone-1 in response to UpdateMetadata request "
        "sent by controller 1 epoch 1 with correlation id 2"
    ],
    "PartitionForgotten": [
        "Deleted partition late-23 from metadata cache in response to UpdateMetadata request "
        "sent by controller 1 epoch 1 with correlation id 2"
    ],
    "MetadataUpdated": [
        "Add 2 partitions and deleted 0 partitions from metadata cache in response to UpdateMetadata request "
        "sent by controller 1 epoch 1 with correlation id 2"
    ],
    "StaleUpdateMetadata": [
        "Received update metadata request with correlation id 24 from an old controller 3 with epoch 3. "
        "Latest known controller epoch is 4"
    ],
    "LeaderAndIsrReceived": [f"Received LeaderAndIsr request {STATE} correlation id 1 {FROM}"],
    "TransitionStarted": [
        f"Handling LeaderAndIsr request correlationId 6 {FROM} starting the become-follower transition "
        "for partition orders-2 with leader -1",
        f"Handling LeaderAndIsr request correlationId 6 {FROM} starting the become-leader transition "
        "for partition orders-2",
    ],
    "LeaderAndIsrHandling": ["Handling LeaderAndIsr request correlationId 1 from controller 1 for 2 partitions"],
    "TransitionCompleted": [
        f"Completed LeaderAndIsr request correlationId 6 {FROM} for the become-follower transition "
        "for partition orders-2 with leader 4",
        f"Completed LeaderAndIsr request correlationId 6 {FROM} for the become-leader transition for partition a-2",
    ],
    "LeaderAndIsrFinished": [
        "Finished LeaderAndIsr request in 95ms correlationId 1 from controller 1 for 2 partitions"
    ],
    "LeaderFetchersStopped": [
        f"Stopped fetchers as part of LeaderAndIsr request correlationId 1 {FROM} "
        "as part of the become-leader transition for 2 partitions"
    ],
    "FollowerFetchersStopped": [
        f"Stopped fetchers as part of become-follower request {FROM} with correlation id 6 for 1 partitions"
    ],
    "LeaderStarted": [
        f"Leader alone-1 with topic id {ID} starts at leader epoch 0 from offset 0 with partition epoch 0, "
        f"high watermark 0, ISR [1,2], adding replicas [] and removing replicas [3] {below}. "
        f"Previous leader {previous} and previous leader epoch was -1."
        for below, previous in (("", "None"), ("(under-min-isr)", "Some(4)"), ("", "Some(-1)"))
    ],
    "LeaderStartedOf33": [
        f"Leader orders-0 with topic id {ID} starts at leader epoch 0 from offset 0 with partition epoch 0, "
        "high watermark 0, ISR [0], adding replicas [] and removing replicas []. Previous leader epoch was -1."
    ],
    "FollowerStarted": [
        "Follower orders-2 starts at leader epoch 0 from offset 0 with partition epoch 0 and high watermark 0. "
        "Current leader is 4. Previous leader Some(4) and previous leader epoch was 0."
    ],
    "LeaderAndIsrIgnored": [
        f"Ignoring LeaderAndIsr request from controller 3 with correlation id 12 epoch 1 for partition three-0 {why}"
        for why in (
            "since its associated leader epoch 2 matches the current leader epoch",
            "since its associated leader epoch 2 is smaller than the current leader epoch 5",
            "as the local replica for the partition is in an offline log directory",
            "as itself is not in assigned replica list 1,2",
        )
    ],
    "StaleLeaderAndIsr": [f"Ignoring LeaderAndIsr request from controller 3 {MOVED}"],
    "StopReplicaReceived": [
        f"Received StopReplica request {STOP} correlation id 36 from controller 4 epoch 1 for partition move-0"
    ],
    "StopReplicaHandling": ["Handling StopReplica request correlationId 36 from controller 4 for 1 partitions"],
    "StopReplicaIgnored": [
        f"Ignoring StopReplica request (delete={delete}) from controller 3 with correlation id 12 epoch 1 "
        f"for partition three-0 {why}"
        for delete, why in (
            ("false", "since its associated leader epoch 2 is smaller than the current leader epoch 5"),
            ("true", "as the local replica for the partition is in an offline log directory"),
            ("true", "due to an unexpected java.lang.RuntimeException exception: a (b): c"),
            ("true", "due to an unexpected java.lang.RuntimeException exception: null"),
        )
    ],
    "StaleStopReplica": [f"Ignoring StopReplica request from controller 3 {MOVED}"],
    "LeaderUnavailable": [
        f"Received LeaderAndIsrRequest with correlation id 1 {FROM} for partition three-3 "
        "(last update controller epoch 3) but cannot become follower since the new leader 4 is unavailable."
    ],
    "FetcherSkipped": [
        f"Skipped the adding-fetcher step of the become-follower state change with correlation id 65 {FROM} "
        "for partition move-1 with leader 2 since it is shutting down"
    ],
    "TopicIdSkipped": [
        f"Skipped the update topic ID step of the become-follower state change with correlation id 65 {FROM} "
        "for partition move-1 since it is shutting down"
    ],
    "MarkedRecovered": [
        "The topic partition unclean-1 was marked as RECOVERING. Marking the topic partition as RECOVERED."
    ],
    "NewerPartitionEpoch": [
        f"Skipped the become-{role} state change for a-1 with topic id {ID} and partition state {STATE} "
        f"since the {role} is already at a newer partition epoch 7."
        for role in ("leader", "follower")
    ],
    "AlreadyLeader": [
        f"Skipped the become-leader state change for a-1 with topic id None and partition state {STATE} "
        "since it is already the leader with leader epoch 4. Current high watermark 9, ISR [1,2], "
        "adding replicas [] and removing replicas []."
    ],
    "AlreadyFollower": [
        f"Skipped the become-follower state change for a-1 with topic id {ID} and partition state {STATE} "
        "since it is already a follower with leader epoch 4."
    ],
    "StorageFailed": [
        f"Skipped the become-leader state change with correlation id 5 {FROM} for partition a-1 "
        "(last update controller epoch 3) since the replica for the partition is offline due to storage error "
        "org.apache.kafka.common.errors.KafkaStorageException: Can not create log for a-1",
        f"Skipped the become-follower state change with correlation id 5 {FROM} for partition a-1 "
        "(last update controller epoch 3) with leader 2 since the replica for the partition is offline "
        "due to storage error org.apache.kafka.common.errors.KafkaStorageException",
    ],
    "BecomeLeaderFailed": [
        f"Error while processing LeaderAndIsr request correlationId 5 received {FROM} for partition a-1"
    ],
    "BecomeFollowerFailed": [
        f"Error while processing LeaderAndIsr request with correlationId 5 received {FROM}",
        f"Error while processing LeaderAndIsr request with correlationId 5 received {FROM} "
        "when trying to update topic IDs in the fetchers",
    ],
    "MakeLeaderSkipped": [
        "A ZooKeeper client exception has occurred and makeLeader will be skipping the state change "
        "for the partition a-1 with leader epoch: 4."
    ],
    "MakeFollowerSkipped": [
        "A ZooKeeper client exception has occurred. makeFollower will be skipping the state change "
        "for the partition a-1 with leader epoch: 4."
    ],
    "TopicIdInconsistent": [
        "Topic ID in memory: AqAvl--8TkGZoa8F-mySVQ does not match the topic ID for partition a-1 "
        "received: BqAvl--8TkGZoa8F-mySVQ."
    ],
    "TopicIdAssigned": [
        "Updating log for a-1 to assign topic ID AqAvl--8TkGZoa8F-mySVQ from LeaderAndIsr request "
        "from controller 1 with correlation id 2 epoch 3"
    ],
    "TopicIdRemoved": [
        "Updating PartitionFetchState for a-1 to remove log topic ID AqAvl--8TkGZoa8F-mySVQ since LeaderAndIsr request "
        "from controller 1 with correlation id 2 epoch 3 did not contain a topic ID"
    ],
    "StraysFound": [
        "While handling full LeaderAndIsr request from KRaft controller 1 with correlation id 2, "
        "found 3 stray partition(s)."
    ],
    "NotTakenAsFull": [
        "Received UpdateMetadataRequest with Type=FULL (2), but ZK migrations are not enabled on this broker. "
        "Not treating this as a full metadata update"
    ],
}
"""Messages of brokers by the names of their classes."""
