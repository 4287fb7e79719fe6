package org.apache.kafka.controller;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.BrokerIdNotRegisteredException;
import org.apache.kafka.common.errors.StaleBrokerEpochException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData.ReassignablePartition;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData.ReassignableTopic;
import org.apache.kafka.common.message.AlterPartitionRequestData;
import org.apache.kafka.common.message.AssignReplicasToDirsRequestData;
import org.apache.kafka.common.message.BrokerHeartbeatRequestData;
import org.apache.kafka.common.message.BrokerRegistrationRequestData;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsAssignment;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableReplicaAssignment;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicConfig;
import org.apache.kafka.common.message.ElectLeadersRequestData;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.metadata.BrokerRegistrationChangeRecord;
import org.apache.kafka.common.metadata.ClearElrRecord;
import org.apache.kafka.common.metadata.ConfigRecord;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.common.metadata.MetadataJsonConverters;
import org.apache.kafka.common.metadata.MetadataRecordType;
import org.apache.kafka.common.metadata.PartitionChangeRecord;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.ProducerIdsRecord;
import org.apache.kafka.common.metadata.RegisterBrokerRecord;
import org.apache.kafka.common.metadata.RemoveTopicRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.metadata.UnregisterBrokerRecord;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.LogContext;
import org.apache.kafka.metadata.placement.StripedReplicaPlacer;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.KRaftVersion;
import org.apache.kafka.timeline.SnapshotRegistry;

/**
 * Requests of a scenario, one a line, to the managers of an active controller: each line says the time, the offset of the next
 * record, what is asked; printed are the errors or states of the answer and the records, as kafka-dump-log has them.
 *
 * A line with "levels" begins a controller anew. Ids of topics are those of the lines: Kafka's own are replaced by them.
 */
public final class Scenarios {
    private static final int CONTROLLER = 3000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final SnapshotRegistry registry = new SnapshotRegistry(new LogContext());
    private final FeatureControlManager features;
    private final ConfigurationControlManager configurations;
    private final ClusterControlManager cluster;
    private final ReplicationControlManager replication;
    private final ProducerIdControlManager producers;
    private final Map<String, Uuid> kafkas = new HashMap<>();
    private final Map<String, String> theirs = new HashMap<>();
    private long now;
    private long offset;

    public static void main(String[] arguments) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        BufferedWriter printed = new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8));
        Scenarios scenario = null;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            JsonNode asked = JSON.readTree(line);
            if (asked.has("levels")) {
                scenario = new Scenarios(asked);
            }
            printed.write(scenario.answer(asked));
            printed.newLine();
            if (!lines.ready()) {
                printed.flush();
            }
        }
        printed.flush();
    }

    private Scenarios(JsonNode asked) {
        features = new FeatureControlManager.Builder()
            .setSnapshotRegistry(registry)
            .setQuorumFeatures(
                new QuorumFeatures(CONTROLLER, QuorumFeatures.defaultSupportedFeatureMap(true), List.of(CONTROLLER)))
            .setKRaftVersionAccessor(raft())
            .build();
        configurations = new ConfigurationControlManager.Builder()
            .setSnapshotRegistry(registry)
            .setFeatureControl(features)
            .setNodeId(CONTROLLER)
            .setKafkaConfigSchema(Situation.schema())
            .setStaticConfig(Map.of("min.insync.replicas", asked.get("static_min").asText()))
            .setExistenceChecker(this::check)
            .build();
        cluster = new ClusterControlManager.Builder()
            .setClusterId(asked.get("cluster").asText())
            .setSnapshotRegistry(registry)
            .setTime(time())
            .setSessionTimeoutNs(asked.get("session_ns").asLong())
            .setFeatureControlManager(features)
            .setReplicaPlacer(new StripedReplicaPlacer(new java.util.Random(1)))
            .setBrokerShutdownHandler((broker, clean, records) -> shutDown(broker, clean, records))
            .build();
        replication = new ReplicationControlManager.Builder()
            .setSnapshotRegistry(registry)
            .setConfigurationControl(configurations)
            .setClusterControl(cluster)
            .setFeatureControl(features)
            .build();
        producers = new ProducerIdControlManager.Builder()
            .setSnapshotRegistry(registry)
            .setClusterControlManager(cluster)
            .build();
        asked.get("levels").forEach(one -> replay(
            new FeatureLevelRecord().setName(one.get(0).asText()).setFeatureLevel((short) one.get(1).asInt())));
        asked.get("configs").forEach(one -> replay(new ConfigRecord().setResourceType((byte) one.get(0).asInt())
            .setResourceName(one.get(1).asText()).setName(one.get(2).asText()).setValue(one.get(3).asText())));
        cluster.activate();
    }

    private void shutDown(int broker, boolean clean, List<ApiMessageAndVersion> records) {
        replication.handleBrokerShutdown(broker, clean, records);
    }

    private Time time() {
        return (Time) Proxy.newProxyInstance(Scenarios.class.getClassLoader(), new Class<?>[] {Time.class},
            (proxy, method, given) -> method.getName().equals("nanoseconds") ? now : now / 1_000_000);
    }

    private static KRaftVersionAccessor raft() {
        return new KRaftVersionAccessor() {
            @Override
            public KRaftVersion kraftVersion() {
                return KRaftVersion.KRAFT_VERSION_0;
            }

            @Override
            public void upgradeKRaftVersion(int epoch, KRaftVersion version, boolean validateOnly) { }
        };
    }

    /** As QuorumController checks it: a topic or a node that there is not has no configuration. */
    private void check(ConfigResource resource) {
        if (resource.type() == ConfigResource.Type.TOPIC && replication.getTopicId(resource.name()) == null) {
            throw new UnknownTopicOrPartitionException();
        }
        boolean named = resource.type() == ConfigResource.Type.BROKER && !resource.name().isEmpty();
        if (named && cluster.registration(Integer.parseInt(resource.name())) == null) {
            throw new BrokerIdNotRegisteredException("no such node");
        }
    }

    // -- one line ----------------------------------------------------------------------------------------------------------
    private record Answered(List<String> said, List<ApiMessageAndVersion> records) {
        static Answered of(String said, ControllerResult<?> result) {
            return new Answered(List.of(said), result.records());
        }
    }

    private String answer(JsonNode asked) throws Exception {
        now = asked.path("now_ns").asLong(now);
        offset = asked.path("offset").asLong(offset);
        Answered answered;
        try {
            answered = ask(asked);
        } catch (ApiException refused) {
            answered = new Answered(List.of(Errors.forException(refused).name()), List.of());
        } catch (RuntimeException fault) {
            answered = new Answered(List.of(Errors.UNKNOWN_SERVER_ERROR.name()), List.of());
        }
        ObjectNode out = JSON.createObjectNode();
        out.set("said", JSON.valueToTree(answered.said()));
        ArrayNode records = out.putArray("records");
        for (ApiMessageAndVersion record : answered.records()) {
            replay(record.message());
            records.addArray().add(MetadataRecordType.fromId(record.message().apiKey()).name()).add(record.version())
                .add(MetadataJsonConverters.writeJson(record.message(), record.version()));
        }
        if (answered.said().equals(List.of("CONTROLLED_SHUTDOWN"))) {
            cluster.heartbeatManager().maybeUpdateControlledShutdownOffset(asked.get("broker").asInt(), offset - 1);
        }
        return renamed(JSON.writeValueAsString(out));
    }

    private String renamed(String text) {
        for (Map.Entry<String, String> one : theirs.entrySet()) {
            text = text.replace(one.getKey(), one.getValue());
        }
        return text;
    }

    private void replay(ApiMessage message) {
        long at = offset++;
        if (message instanceof FeatureLevelRecord record) {
            features.replay(record);
        } else if (message instanceof ConfigRecord record) {
            configurations.replay(record);
        } else if (message instanceof RegisterBrokerRecord record) {
            cluster.replay(record, at);
        } else if (message instanceof UnregisterBrokerRecord record) {
            cluster.replay(record);
        } else if (message instanceof BrokerRegistrationChangeRecord record) {
            cluster.replay(record);
        } else if (message instanceof TopicRecord record) {
            replication.replay(record);
        } else if (message instanceof PartitionRecord record) {
            replication.replay(record);
        } else if (message instanceof PartitionChangeRecord record) {
            replication.replay(record);
        } else if (message instanceof RemoveTopicRecord record) {
            replication.replay(record);
        } else if (message instanceof ClearElrRecord record) {
            replication.replay(record);
        } else if (message instanceof ProducerIdsRecord record) {
            producers.replay(record);
        } else {
            throw new IllegalArgumentException("no manager replays a " + message.getClass().getSimpleName());
        }
    }

    private Answered ask(JsonNode asked) {
        return switch (asked.path("op").asText()) {
            case "registerBroker" -> register(asked);
            case "processBrokerHeartbeat" -> heartbeat(asked);
            case "alterPartition" -> alter(asked);
            case "createTopics" -> create(asked);
            case "createPartitions" -> grow(asked);
            case "deleteTopics" -> delete(asked);
            case "electLeaders" -> elect(asked);
            case "alterPartitionReassignments" -> reassign(asked);
            case "incrementalAlterConfigs" -> configure(asked);
            case "updateFeatures" -> update(asked);
            case "assignReplicasToDirs" -> assign(asked);
            case "unregisterBroker" -> Answered.of("NONE", replication.unregisterBroker(asked.get("broker").asInt()));
            case "allocateProducerIds" -> Answered.of("NONE",
                producers.generateNextProducerId(asked.get("broker").asInt(), asked.get("epoch").asLong()));
            case "electPreferred" -> new Answered(List.of(), replication.maybeBalancePartitionLeaders().records());
            case "electUnclean" -> new Answered(List.of(), replication.maybeElectUncleanLeaders().records());
            case "maybeFenceStaleBroker" -> new Answered(List.of(), replication.maybeFenceOneStaleBroker().records());
            case "contact" -> {
                cluster.trackBrokerHeartbeat(asked.get("broker").asInt(), asked.get("epoch").asLong());
                yield new Answered(List.of(), List.of());
            }
            case "failover" -> {
                cluster.deactivate();
                cluster.activate();
                yield new Answered(List.of(), List.of());
            }
            default -> new Answered(List.of(), List.of());
        };
    }

    // -- brokers -----------------------------------------------------------------------------------------------------------
    private Answered register(JsonNode asked) {
        BrokerRegistrationRequestData request = new BrokerRegistrationRequestData()
            .setBrokerId(asked.get("broker").asInt()).setClusterId(asked.get("cluster").asText()).setRack(null)
            .setIncarnationId(Uuid.fromString(asked.get("incarnation").asText()))
            .setLogDirs(uuids(asked.get("directories"))).setPreviousBrokerEpoch(asked.get("previous").asLong());
        asked.get("listeners").forEach(one -> request.listeners().add(new BrokerRegistrationRequestData.Listener()
            .setName(one.get(0).asText()).setHost(one.get(1).asText()).setPort(one.get(2).asInt())
            .setSecurityProtocol((short) one.get(3).asInt())));
        asked.get("features").forEach(one -> request.features().add(new BrokerRegistrationRequestData.Feature()
            .setName(one.get(0).asText()).setMinSupportedVersion((short) one.get(1).asInt())
            .setMaxSupportedVersion((short) one.get(2).asInt())));
        var result = cluster.registerBroker(
            request, offset, features.finalizedFeatures(Long.MAX_VALUE), asked.get("version").asInt() >= 3);
        return Answered.of("epoch " + result.response().epoch(), result);
    }

    private Answered heartbeat(JsonNode asked) {
        int broker = asked.get("broker").asInt();
        BrokerHeartbeatRequestData request = new BrokerHeartbeatRequestData().setBrokerId(broker)
            .setBrokerEpoch(asked.get("epoch").asLong()).setCurrentMetadataOffset(asked.get("read").asLong())
            .setWantFence(asked.get("want_fence").asBoolean()).setWantShutDown(asked.get("want_shutdown").asBoolean())
            .setOfflineLogDirs(uuids(asked.get("failed")));
        if (!asked.get("cordoned").isNull()) {
            request.setCordonedLogDirs(uuids(asked.get("cordoned")));
        }
        cluster.trackBrokerHeartbeat(broker, request.brokerEpoch());
        OptionalLong registered = cluster.registerBrokerRecordOffset(broker);
        if (registered.isEmpty()) {
            throw new StaleBrokerEpochException("not registered");
        }
        var result = replication.processBrokerHeartbeat(request, registered.getAsLong());
        var reply = result.response();
        return Answered.of(reply.shouldShutDown() ? "SHUTDOWN_NOW" : reply.inControlledShutdown() ? "CONTROLLED_SHUTDOWN"
            : reply.isFenced() ? "FENCED" : "UNFENCED", result);
    }

    private Answered assign(JsonNode asked) {
        List<AssignReplicasToDirsRequestData.DirectoryData> places = new ArrayList<>();
        asked.get("assignments").forEach(one -> places.add(new AssignReplicasToDirsRequestData.DirectoryData()
            .setId(Uuid.fromString(one.get(0).asText())).setTopics(List.of(
                new AssignReplicasToDirsRequestData.TopicData().setTopicId(topic(one.get(1).asText())).setPartitions(
                    List.of(new AssignReplicasToDirsRequestData.PartitionData().setPartitionIndex(one.get(2).asInt())))))));
        var result = replication.handleAssignReplicasToDirs(new AssignReplicasToDirsRequestData()
            .setBrokerId(asked.get("broker").asInt()).setBrokerEpoch(asked.get("epoch").asLong()).setDirectories(places));
        List<String> said = new ArrayList<>();
        result.response().directories().forEach(place -> place.topics().forEach(topic -> topic.partitions().forEach(
            one -> said.add(Errors.forCode(one.errorCode()).name()))));
        return new Answered(said, result.records());
    }

    private Answered alter(JsonNode asked) {
        List<AlterPartitionRequestData.BrokerState> isr = new ArrayList<>();
        asked.get("isr").forEach(one -> isr.add(new AlterPartitionRequestData.BrokerState()
            .setBrokerId(one.get(0).asInt()).setBrokerEpoch(one.get(1).asLong())));
        var partition = new AlterPartitionRequestData.PartitionData().setPartitionIndex(asked.get("partition").asInt())
            .setLeaderEpoch(asked.get("leader_epoch").asInt()).setPartitionEpoch(asked.get("partition_epoch").asInt())
            .setNewIsrWithEpochs(isr).setLeaderRecoveryState((byte) asked.get("recovery").asInt());
        var request = new AlterPartitionRequestData().setBrokerId(asked.get("broker").asInt())
            .setBrokerEpoch(asked.get("epoch").asLong());
        request.topics().add(new AlterPartitionRequestData.TopicData().setTopicId(topic(asked.get("topic").asText()))
            .setPartitions(List.of(partition)));
        var result = replication.alterPartition(context(ApiKeys.ALTER_PARTITION), request);
        short code = result.response().errorCode() != 0 ? result.response().errorCode()
            : result.response().topics().get(0).partitions().get(0).errorCode();
        return Answered.of(Errors.forCode(code).name(), result);
    }

    // -- administrators ----------------------------------------------------------------------------------------------------
    private Answered create(JsonNode asked) {
        CreatableTopic topic = new CreatableTopic().setName(asked.get("name").asText()).setNumPartitions(-1)
            .setReplicationFactor((short) -1);
        int number = 0;
        for (JsonNode replicas : asked.get("assignment")) {
            topic.assignments().add(new CreatableReplicaAssignment().setPartitionIndex(number++)
                .setBrokerIds(Situation.numbers(replicas)));
        }
        asked.get("configs").forEach(one -> topic.configs().add(
            new CreatableTopicConfig().setName(one.get(0).asText()).setValue(one.get(1).asText())));
        CreateTopicsRequestData request = new CreateTopicsRequestData();
        request.topics().add(topic);
        var result = replication.createTopics(context(ApiKeys.CREATE_TOPICS), request, Set.of(), false);
        for (ApiMessageAndVersion record : result.records()) {
            if (record.message() instanceof TopicRecord made) {
                kafkas.put(asked.get("id").asText(), made.topicId());
                theirs.put(made.topicId().toString(), asked.get("id").asText());
            }
        }
        return Answered.of(Errors.forCode(result.response().topics().find(topic.name()).errorCode()).name(), result);
    }

    private Answered grow(JsonNode asked) {
        List<CreatePartitionsAssignment> assignments = new ArrayList<>();
        asked.get("assignment").forEach(
            one -> assignments.add(new CreatePartitionsAssignment().setBrokerIds(Situation.numbers(one))));
        var topic = new CreatePartitionsTopic().setName(asked.get("name").asText()).setCount(asked.get("count").asInt())
            .setAssignments(assignments);
        var result = replication.createPartitions(context(ApiKeys.CREATE_PARTITIONS), List.of(topic));
        return Answered.of(Errors.forCode(result.response().get(0).errorCode()).name(), result);
    }

    private Answered delete(JsonNode asked) {
        Uuid id = topic(asked.get("topic").asText());
        var result = replication.deleteTopics(context(ApiKeys.DELETE_TOPICS), List.of(id));
        return Answered.of(result.response().get(id).error().name(), result);
    }

    private Answered elect(JsonNode asked) {
        var request = new ElectLeadersRequestData().setElectionType((byte) asked.get("type").asInt());
        if (asked.get("partitions").isNull()) {
            request.setTopicPartitions(null);
        } else {
            var one = asked.get("partitions").get(0);
            request.topicPartitions().add(new ElectLeadersRequestData.TopicPartitions().setTopic(one.get(0).asText())
                .setPartitions(List.of(one.get(1).asInt())));
        }
        var result = replication.electLeaders(request);
        List<String> said = new ArrayList<>();
        result.response().replicaElectionResults().forEach(topic -> topic.partitionResult().forEach(
            one -> said.add(topic.topic() + "-" + one.partitionId() + " " + Errors.forCode(one.errorCode()).name())));
        return new Answered(said.stream().sorted().toList(), result.records());
    }

    private Answered reassign(JsonNode asked) {
        JsonNode replicas = asked.get("replicas");
        var partition = new ReassignablePartition().setPartitionIndex(asked.get("partition").asInt())
            .setReplicas(replicas.isNull() ? null : Situation.numbers(replicas));
        var request = new AlterPartitionReassignmentsRequestData()
            .setAllowReplicationFactorChange(asked.get("other_factor").asBoolean())
            .setTopics(List.of(new ReassignableTopic().setName(asked.get("name").asText()).setPartitions(List.of(partition))));
        var result = replication.alterPartitionReassignments(request);
        return Answered.of(
            Errors.forCode(result.response().responses().get(0).partitions().get(0).errorCode()).name(), result);
    }

    private Answered configure(JsonNode asked) {
        ConfigResource resource =
            new ConfigResource(ConfigResource.Type.forId((byte) asked.get("type").asInt()), asked.get("name").asText());
        JsonNode value = asked.get("value");
        Map.Entry<OpType, String> change = value.isNull() ? new SimpleImmutableEntry<>(OpType.DELETE, null)
            : new SimpleImmutableEntry<>(OpType.SET, value.asText());
        var result = configurations.incrementalAlterConfigs(
            Map.of(resource, Map.of(asked.get("key").asText(), change)), false, true);
        return Answered.of(result.response().get(resource).error().name(), result);
    }

    private Answered update(JsonNode asked) {
        Map<String, Short> levels = new HashMap<>();
        Map<String, UpgradeType> ways = new HashMap<>();
        asked.get("updates").forEach(one -> {
            levels.put(one.get(0).asText(), (short) one.get(1).asInt());
            ways.put(one.get(0).asText(), UpgradeType.fromCode(one.get(2).asInt()));
        });
        var result = configurations.updateFeatures(levels, ways, false, 0);
        return Answered.of(result.response().error().name(), result);
    }

    // -- names -------------------------------------------------------------------------------------------------------------
    private Uuid topic(String id) {
        return kafkas.getOrDefault(id, Uuid.fromString(id));
    }

    private static List<Uuid> uuids(JsonNode ids) {
        List<Uuid> found = new ArrayList<>();
        ids.forEach(one -> found.add(Uuid.fromString(one.asText())));
        return found;
    }

    private static ControllerRequestContext context(ApiKeys key) {
        RequestHeaderData header = new RequestHeaderData().setRequestApiKey(key.id).setRequestApiVersion(key.latestVersion());
        return new ControllerRequestContext(header, KafkaPrincipal.ANONYMOUS, OptionalLong.empty());
    }
}
