package org.apache.kafka.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData.ReassignablePartition;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData.ReassignableTopic;
import org.apache.kafka.common.message.AlterPartitionReassignmentsResponseData;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsAssignment;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableReplicaAssignment;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicConfig;
import org.apache.kafka.common.message.ElectLeadersRequestData;
import org.apache.kafka.common.message.ElectLeadersRequestData.TopicPartitions;
import org.apache.kafka.common.message.ElectLeadersResponseData;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.metadata.PartitionChangeRecord;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.metadata.PartitionRegistration;
import org.apache.kafka.server.common.ApiMessageAndVersion;

import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** One request of one part: which method of which manager is called with it, and what its answer says of that part. */
final class Requests {
    private record Answered(String error, List<ApiMessageAndVersion> records) { }

    private static final String LONG_VALUE = "x".repeat(32768);

    private final Situation situation;
    private final JsonNode asked;

    Requests(Situation situation, JsonNode asked) {
        this.situation = situation;
        this.asked = asked;
    }

    /** The error by its name, the records that are written, and, once they are replayed, what holds. */
    ObjectNode answer() {
        ObjectNode out = JsonNodeFactory.instance.objectNode();
        Answered answered;
        try {
            answered = ask();
        } catch (Exception fault) {
            answered = new Answered(Errors.forException(fault).name(), List.of());
        }
        out.put("error", answered.error());
        out.set("recs", Told.records(answered.records()));
        situation.replay(answered.records());
        after(out);
        return out;
    }

    private Answered ask() {
        return switch (asked.get("op").asText()) {
            case "incremental" -> incremental();
            case "legacy" -> legacy();
            case "update" -> update();
            case "preferred" -> elect((byte) 0);
            case "unclean" -> elect((byte) 1);
            case "balance" -> new Answered("NONE", situation.replication.maybeBalancePartitionLeaders().records());
            case "rescue" -> new Answered("NONE", situation.replication.maybeElectUncleanLeaders().records());
            case "reassign" -> reassign();
            case "fence" -> fence();
            case "create" -> create();
            case "grow" -> grow();
            case "delete" -> delete();
            default -> throw new IllegalArgumentException("nothing is called " + asked.get("op"));
        };
    }

    // -- configurations --------------------------------------------------------------------------------------------------
    private ConfigResource resource() {
        return new ConfigResource(ConfigResource.Type.valueOf(asked.get("type").asText()), asked.get("name").asText());
    }

    private static String value(JsonNode told) {
        return told.asText().equals("long") ? LONG_VALUE : told.asText();
    }

    private Answered incremental() {
        JsonNode to = asked.get("value");
        Map<String, Map.Entry<OpType, String>> changes = Map.of(asked.get("key").asText(), to.isNull()
            ? new SimpleImmutableEntry<>(OpType.DELETE, null) : new SimpleImmutableEntry<>(OpType.SET, value(to)));
        return configured(situation.configurations.incrementalAlterConfigs(Map.of(resource(), changes), false, true));
    }

    private Answered legacy() {
        Map<String, String> wanted = new HashMap<>();
        asked.get("wanted").forEach(one -> wanted.put(one.get(0).asText(), value(one.get(1))));
        return configured(situation.configurations.legacyAlterConfigs(Map.of(resource(), wanted), false, true));
    }

    private Answered configured(ControllerResult<Map<ConfigResource, ApiError>> result) {
        // QuorumController answers a request that only validates with the same result, without its records.
        boolean dry = asked.path("dry").asBoolean();
        return new Answered(result.response().get(resource()).error().name(), dry ? List.of() : result.records());
    }

    private Answered update() {
        String name = asked.get("feature").asText();
        var result = situation.configurations.updateFeatures(Map.of(name, (short) asked.get("to").asInt()),
            Map.of(name, UpgradeType.fromCode(asked.get("way").asInt())), asked.path("dry").asBoolean(), 1);
        return new Answered(result.response().error().name(), result.records());
    }

    // -- partitions ------------------------------------------------------------------------------------------------------
    private Answered elect(byte type) {
        var topic = new TopicPartitions().setTopic(asked.get("topic").asText()).setPartitions(List.of(asked.get("p").asInt()));
        var request = new ElectLeadersRequestData().setElectionType(type)
            .setTopicPartitions(new ElectLeadersRequestData.TopicPartitionsCollection(List.of(topic).iterator()));
        ControllerResult<ElectLeadersResponseData> result = situation.replication.electLeaders(request);
        short code = result.response().replicaElectionResults().get(0).partitionResult().get(0).errorCode();
        return new Answered(Errors.forCode(code).name(), result.records());
    }

    private Answered reassign() {
        JsonNode target = asked.get("target");
        var partition = new ReassignablePartition().setPartitionIndex(asked.get("p").asInt())
            .setReplicas(target.isNull() ? null : Situation.numbers(target));
        var topic = new ReassignableTopic().setName(asked.get("topic").asText()).setPartitions(List.of(partition));
        var request = new AlterPartitionReassignmentsRequestData().setTopics(List.of(topic))
            .setAllowReplicationFactorChange(asked.path("allow").asBoolean(true));
        ControllerResult<AlterPartitionReassignmentsResponseData> result =
            situation.replication.alterPartitionReassignments(request);
        short code = result.response().responses().get(0).partitions().get(0).errorCode();
        return new Answered(Errors.forCode(code).name(), result.records());
    }

    private Answered fence() {
        List<ApiMessageAndVersion> records = new ArrayList<>();
        situation.replication.handleBrokerFenced(asked.get("broker").asInt(), records);
        // The change of the registration, which says only that the broker is fenced, is not written.
        return new Answered("NONE", records.stream().filter(one -> one.message() instanceof PartitionChangeRecord).toList());
    }

    // -- topics ----------------------------------------------------------------------------------------------------------
    private static ControllerRequestContext context() {
        return new ControllerRequestContext(new RequestHeaderData(), KafkaPrincipal.ANONYMOUS, OptionalLong.empty());
    }

    private Answered create() {
        CreatableTopic topic = new CreatableTopic().setName(asked.get("topic").asText());
        List<List<Integer>> placed = Situation.lists(asked.get("placed"));
        if (asked.get("manual").asBoolean()) {
            topic.setNumPartitions(-1).setReplicationFactor((short) -1);
            for (int number = 0; number < placed.size(); number++) {
                topic.assignments().add(new CreatableReplicaAssignment().setPartitionIndex(number)
                    .setBrokerIds(placed.get(number)));
            }
        } else {
            topic.setNumPartitions(placed.size()).setReplicationFactor((short) placed.get(0).size());
        }
        asked.path("settings").forEach(one -> topic.configs().add(
            new CreatableTopicConfig().setName(one.get(0).asText()).setValue(value(one.get(1)))));
        CreateTopicsRequestData request = new CreateTopicsRequestData().setValidateOnly(asked.path("dry").asBoolean());
        request.topics().add(topic);
        var result = situation.replication.createTopics(context(), request, Set.of(topic.name()), true);
        short code = result.response().topics().find(topic.name()).errorCode();
        return new Answered(Errors.forCode(code).name(), result.records());
    }

    private Answered grow() {
        CreatePartitionsTopic topic = new CreatePartitionsTopic().setName(asked.get("topic").asText())
            .setCount(asked.get("count").asInt()).setAssignments(null);
        if (asked.get("manual").asBoolean()) {
            List<CreatePartitionsAssignment> assignments = new ArrayList<>();
            Situation.lists(asked.get("placed")).forEach(one -> assignments.add(
                new CreatePartitionsAssignment().setBrokerIds(one)));
            topic.setAssignments(assignments);
        }
        var result = situation.replication.createPartitions(context(), List.of(topic));
        // As for configurations: a request that only validates is answered without its records.
        List<ApiMessageAndVersion> records = asked.path("dry").asBoolean() ? List.of() : result.records();
        return new Answered(Errors.forCode(result.response().get(0).errorCode()).name(), records);
    }

    private Answered delete() {
        Uuid id = situation.topicId(asked.get("topic").asText());
        var result = situation.replication.deleteTopics(context(), List.of(id));
        return new Answered(result.response().get(id).error().name(), result.records());
    }

    // -- what holds after it ---------------------------------------------------------------------------------------------
    private void after(ObjectNode out) {
        if (asked.path("topics").has("a")) {
            out.put("min",
                Integer.parseInt(situation.configurations.getTopicConfig("a", "min.insync.replicas").value()));
            out.put("unclean", situation.configurations.uncleanLeaderElectionEnabledForTopic("a"));
        }
        String feature = asked.path("feature").asText();
        if (!feature.isEmpty() && !feature.equals("kraft.version")) {
            out.put("level", situation.features.finalizedFeatures(Long.MAX_VALUE).get(feature).orElse((short) 0));
        }
        Uuid topic = situation.replication.getTopicId("t");
        PartitionRegistration partition = topic == null ? null : situation.replication.getPartition(topic, 0);
        if (partition != null) {
            out.put("le", partition.leaderEpoch);
            out.put("pe", partition.partitionEpoch);
        }
    }
}
