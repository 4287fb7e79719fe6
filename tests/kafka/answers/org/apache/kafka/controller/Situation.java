package org.apache.kafka.controller;

import com.fasterxml.jackson.databind.JsonNode;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.metadata.ClearElrRecord;
import org.apache.kafka.common.metadata.ConfigRecord;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.common.metadata.PartitionChangeRecord;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.RegisterBrokerRecord;
import org.apache.kafka.common.metadata.RemoveTopicRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.LogContext;
import org.apache.kafka.metadata.KafkaConfigSchema;
import org.apache.kafka.metadata.SupportedConfigChecker;
import org.apache.kafka.metadata.VersionRange;
import org.apache.kafka.metadata.placement.ClusterDescriber;
import org.apache.kafka.metadata.placement.PartitionAssignment;
import org.apache.kafka.metadata.placement.PlacementSpec;
import org.apache.kafka.metadata.placement.TopicAssignment;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.KRaftVersion;
import org.apache.kafka.server.common.MetadataVersion;
import org.apache.kafka.server.config.ServerTopicConfigSynonyms;
import org.apache.kafka.server.policy.AlterConfigPolicy;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.timeline.SnapshotRegistry;

import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The managers of an active controller, brought into the state that a question begins with by records, as its log would.
 *
 * A question gives the surroundings of the managers in a controller: where new replicas are placed, whether the policy
 * permits a change; the validator of values refuses the value "bad", and a topic exists that the state has.
 */
final class Situation {
    static final int CONTROLLER = 3000;
    static final long EPOCHS = 100;
    private static final Map<String, Uuid> RESERVED = Map.of(
        "UNASSIGNED", Uuid.fromString("AAAAAAAAAAAAAAAAAAAAAQ"),
        "MIGRATING", Uuid.fromString("AAAAAAAAAAAAAAAAAAAAAA"),
        "LOST", Uuid.fromString("AAAAAAAAAAAAAAAAAAAAAg"));

    final FeatureControlManager features;
    final ConfigurationControlManager configurations;
    final ClusterControlManager cluster;
    final ReplicationControlManager replication;
    private final Map<String, Uuid> topics = new HashMap<>();
    private long offset;

    Situation(JsonNode question) {
        LogContext context = new LogContext();
        SnapshotRegistry registry = new SnapshotRegistry(context);
        features = new FeatureControlManager.Builder()
            .setSnapshotRegistry(registry)
            .setQuorumFeatures(new QuorumFeatures(CONTROLLER, localRanges(question), List.of(CONTROLLER)))
            .setClusterFeatureSupportDescriber(describer(question))
            .setKRaftVersionAccessor(raft())
            .build();
        configurations = new ConfigurationControlManager.Builder()
            .setSnapshotRegistry(registry)
            .setFeatureControl(features)
            .setNodeId(CONTROLLER)
            .setKafkaConfigSchema(schema())
            .setSupportedConfigChecker(SupportedConfigChecker.TRUE)
            .setStaticConfig(Map.of("min.insync.replicas", question.path("staticMin").asText("1")))
            .setExistenceChecker(this::check)
            .setValidator(validator())
            .setAlterConfigPolicy(Optional.of(policy(question.path("permitted").asBoolean(true))))
            .build();
        cluster = new ClusterControlManager.Builder()
            .setSnapshotRegistry(registry)
            .setTime(Time.SYSTEM)
            .setSessionTimeoutNs(Long.MAX_VALUE / 2)
            .setFeatureControlManager(features)
            .setBrokerShutdownHandler((broker, clean, records) -> { })
            .setReplicaPlacer((spec, described) -> placed(lists(question.get("placed")), spec, described))
            .build();
        replication = new ReplicationControlManager.Builder()
            .setSnapshotRegistry(registry)
            .setConfigurationControl(configurations)
            .setClusterControl(cluster)
            .setFeatureControl(features)
            .build();
        cluster.activate();
        begin(question);
    }

    private void begin(JsonNode question) {
        replay(new FeatureLevelRecord().setName("metadata.version")
            .setFeatureLevel(MetadataVersion.fromVersionString(question.get("mv").asText(), true).featureLevel()));
        replay(new FeatureLevelRecord().setName("eligible.leader.replicas.version")
            .setFeatureLevel((short) question.path("E").asInt()));
        for (JsonNode one : question.path("levels")) {
            replay(new FeatureLevelRecord().setName(one.get(0).asText()).setFeatureLevel((short) one.get(1).asInt()));
        }
        int broker = 0;
        for (JsonNode one : question.path("brokers")) {
            broker++;
            String state = one.get(0).asText();
            if (!state.equals("UNREGISTERED")) {
                replay(new RegisterBrokerRecord().setBrokerId(broker).setBrokerEpoch(EPOCHS + broker)
                    .setIncarnationId(new Uuid(7, broker))
                    .setFenced(state.equals("FENCED")).setInControlledShutdown(state.equals("ICS"))
                    .setLogDirs(directories(one.path(1))).setCordonedLogDirs(directories(one.path(2))));
            }
        }
        question.path("topics").properties().forEach(topic -> {
            Uuid id = topicId(topic.getKey());
            replay(new TopicRecord().setName(topic.getKey()).setTopicId(id));
            for (int number = 0; number < topic.getValue().size(); number++) {
                replay(partition(id, number, topic.getValue().get(number)));
            }
        });
        for (JsonNode one : question.path("configs")) {
            replay(new ConfigRecord().setResourceType(ConfigResource.Type.valueOf(one.get(0).asText()).id())
                .setResourceName(one.get(1).asText()).setName(one.get(2).asText()).setValue(one.get(3).asText()));
        }
    }

    private PartitionRecord partition(Uuid topic, int number, JsonNode one) {
        List<Uuid> places = one.has("dirs") ? directories(one.get("dirs"))
            : numbers(one.get("rep")).stream().map(replica -> RESERVED.get("UNASSIGNED")).toList();
        return new PartitionRecord().setTopicId(topic).setPartitionId(number)
            .setReplicas(numbers(one.get("rep"))).setIsr(numbers(one.get("isr"))).setLeader(one.get("ld").asInt())
            .setRemovingReplicas(numbers(one.path("rem"))).setAddingReplicas(numbers(one.path("add")))
            .setLeaderRecoveryState((byte) one.path("rec").asInt())
            .setEligibleLeaderReplicas(one.has("elr") ? numbers(one.get("elr")) : null)
            .setLastKnownElr(one.has("last") ? numbers(one.get("last")) : null)
            .setLeaderEpoch(one.path("le").asInt()).setPartitionEpoch(one.path("pe").asInt())
            .setDirectories(places);
    }

    // -- the log ---------------------------------------------------------------------------------------------------------
    void replay(List<ApiMessageAndVersion> records) {
        records.forEach(record -> replay(record.message()));
    }

    private void replay(ApiMessage message) {
        offset++;
        if (message instanceof FeatureLevelRecord record) {
            features.replay(record);
        } else if (message instanceof RegisterBrokerRecord record) {
            cluster.replay(record, offset);
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
        } else if (message instanceof ConfigRecord record) {
            configurations.replay(record);
        }
    }

    // -- the surroundings of the managers ---------------------------------------------------------------------------------
    private void check(ConfigResource resource) {
        if (resource.type() == ConfigResource.Type.TOPIC && replication.getTopicId(resource.name()) == null) {
            throw new UnknownTopicOrPartitionException();
        }
    }

    private static ConfigurationValidator validator() {
        return new ConfigurationValidator() {
            @Override
            public void validate(ConfigResource resource) { }

            @Override
            public void validate(ConfigResource resource, Map<String, String> changed, Map<String, String> present) {
                if (changed.containsValue("bad")) {
                    throw new InvalidConfigurationException("a bad value");
                }
            }
        };
    }

    private static AlterConfigPolicy policy(boolean permits) {
        return new AlterConfigPolicy() {
            @Override
            public void validate(RequestMetadata asked) {
                if (!permits && !asked.configs().isEmpty()) {
                    throw new PolicyViolationException("not permitted");
                }
            }

            @Override
            public void configure(Map<String, ?> configs) { }

            @Override
            public void close() { }
        };
    }

    /** Where the question says; a placer that is asked for other numbers is none that could have answered so. */
    private static TopicAssignment placed(List<List<Integer>> told, PlacementSpec spec, ClusterDescriber described) {
        if (told.size() != spec.numPartitions() || told.stream().anyMatch(one -> one.size() != spec.numReplicas())) {
            throw new IllegalStateException("the placer is asked for " + spec + ", not for " + told);
        }
        return new TopicAssignment(told.stream().map(one -> new PartitionAssignment(one, described)).toList());
    }

    static KafkaConfigSchema schema() {
        return new KafkaConfigSchema(
            Map.of(ConfigResource.Type.TOPIC, LogConfig.configDefCopy(), ConfigResource.Type.BROKER, brokerKeys()),
            ServerTopicConfigSynonyms.ALL_TOPIC_CONFIG_SYNONYMS);
    }

    private static ConfigDef brokerKeys() {
        return new ConfigDef()
            .define("min.insync.replicas", ConfigDef.Type.INT, 1, ConfigDef.Importance.HIGH, "")
            .define("unclean.leader.election.enable", ConfigDef.Type.BOOLEAN, false, ConfigDef.Importance.HIGH, "");
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

    private static Map<String, VersionRange> localRanges(JsonNode question) {
        return question.has("localRanges") ? ranges(question.get("localRanges"))
            : QuorumFeatures.defaultSupportedFeatureMap(true);
    }

    /** One broker and one other controller, each with what the question says that it supports. */
    private static ClusterFeatureSupportDescriber describer(JsonNode question) {
        return new ClusterFeatureSupportDescriber() {
            @Override
            public Iterator<Map.Entry<Integer, Map<String, VersionRange>>> brokerSupported() {
                return node(1, question.get("brokerRanges"));
            }

            @Override
            public Iterator<Map.Entry<Integer, Map<String, VersionRange>>> controllerSupported() {
                return node(CONTROLLER + 1, question.get("controllerRanges"));
            }
        };
    }

    private static Iterator<Map.Entry<Integer, Map<String, VersionRange>>> node(int id, JsonNode told) {
        List<Map.Entry<Integer, Map<String, VersionRange>>> found = new ArrayList<>();
        if (told != null && !told.isNull()) {
            found.add(new SimpleImmutableEntry<>(id, ranges(told)));
        }
        return found.iterator();
    }

    private static Map<String, VersionRange> ranges(JsonNode told) {
        Map<String, VersionRange> found = new HashMap<>();
        told.forEach(one -> found.put(one.get(0).asText(), VersionRange.of(one.get(1).asInt(), one.get(2).asInt())));
        return found;
    }

    // -- names -----------------------------------------------------------------------------------------------------------
    Uuid topicId(String name) {
        return topics.computeIfAbsent(name, any -> new Uuid(9, 1 + topics.size()));
    }

    static String directory(Uuid id) {
        return RESERVED.entrySet().stream().filter(one -> one.getValue().equals(id)).map(Map.Entry::getKey).findFirst()
            .orElse("d" + id.getLeastSignificantBits());
    }

    private static List<Uuid> directories(JsonNode words) {
        List<Uuid> found = new ArrayList<>();
        words.forEach(word -> found.add(RESERVED.containsKey(word.asText()) ? RESERVED.get(word.asText())
            : new Uuid(8, Long.parseLong(word.asText().substring(1)))));
        return found;
    }

    static List<Integer> numbers(JsonNode list) {
        List<Integer> found = new ArrayList<>();
        list.forEach(one -> found.add(one.asInt()));
        return found;
    }

    static List<List<Integer>> lists(JsonNode lists) {
        List<List<Integer>> found = new ArrayList<>();
        lists.forEach(one -> found.add(numbers(one)));
        return found;
    }
}
