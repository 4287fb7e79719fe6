package org.apache.kafka.controller;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.BrokerHeartbeatRequestData;
import org.apache.kafka.common.message.BrokerRegistrationRequestData;
import org.apache.kafka.common.message.ControllerRegistrationRequestData;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.UpdateFeaturesRequestData;
import org.apache.kafka.common.message.UpdateFeaturesRequestData.FeatureUpdateKey;
import org.apache.kafka.common.message.UpdateFeaturesResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.BrokerRegistrationReply;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.raft.Batch;
import org.apache.kafka.raft.BatchReader;
import org.apache.kafka.raft.LeaderAndEpoch;
import org.apache.kafka.raft.RaftClient;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.KRaftVersion;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * Questions to a whole QuorumController that is active: each line of the input says the level of kraft.version and requests, one
 * after the other; what each is answered, with the types of the records that it writes, is printed as the field "out".
 *
 * Raft is a log that commits at once. A heartbeat that is "late" has a deadline that is over when it comes to the queue.
 */
public final class Active {
    private static final int NODE = 3000;
    private static final int EPOCH = 1;
    private static final String CLUSTER = "AAAAAAAAAAAAAAAAAAAAAg";
    private static final short NEWEST = 4;

    private final List<ApiMessageAndVersion> log = new ArrayList<>();
    private List<ApiMessageAndVersion> prepared = List.of();
    private RaftClient.Listener<ApiMessageAndVersion> listener;
    private KRaftVersion kraft;
    private long brokerEpoch;
    private final QuorumController controller;

    private Active(JsonNode question) throws Exception {
        kraft = KRaftVersion.fromFeatureLevel((short) question.path("kraft").asInt());
        controller = new QuorumController.Builder(NODE, CLUSTER)
            .setRaftClient(raft())
            .setQuorumFeatures(new QuorumFeatures(NODE, QuorumFeatures.defaultSupportedFeatureMap(true), List.of(NODE)))
            .setBootstrapMetadata(BootstrapMetadata.fromVersions(
                MetadataVersion.fromVersionString(question.path("mv").asText("4.4-IV2"), true), Map.of(), "asked"))
            .setConfigSchema(Situation.schema())
            .setStaticConfig(Map.of("min.insync.replicas", "1"))
            .setNonFatalFaultHandler(Active::fault)
            .setFatalFaultHandler(Active::fault)
            .setMaxIdleIntervalNs(OptionalLong.empty())
            .setLeaderImbalanceCheckIntervalNs(OptionalLong.empty())
            .build();
        listener.handleLeaderChange(new LeaderAndEpoch(OptionalInt.of(NODE), EPOCH));
        // The activation is in front of the first read, its commit in front of the second.
        controller.findAllTopicIds(context(false)).get();
        controller.findAllTopicIds(context(false)).get();
    }

    public static void main(String[] arguments) throws Exception {
        ObjectMapper json = new ObjectMapper();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            ObjectNode question = (ObjectNode) json.readTree(line);
            Active active = new Active(question);
            ArrayNode out = json.createArrayNode();
            for (JsonNode request : question.get("ask")) {
                out.add(active.answer(json, request));
            }
            active.controller.close();
            question.set("out", out);
            System.out.println(json.writeValueAsString(question));
        }
    }

    private static RuntimeException fault(String message, Throwable cause) {
        System.err.println(message);
        cause.printStackTrace();
        System.exit(1);
        return new RuntimeException(message, cause);
    }

    private ObjectNode answer(ObjectMapper json, JsonNode request) throws Exception {
        int before = log.size();
        String error = "NONE";
        try {
            Object reply = ask(request).get();
            if (reply instanceof BrokerRegistrationReply registered) {
                brokerEpoch = registered.epoch();
            } else if (reply instanceof UpdateFeaturesResponseData updated) {
                error = Errors.forCode(updated.errorCode()).name();
            }
        } catch (ExecutionException refused) {
            error = Errors.forException(refused.getCause()).name();
        }
        ObjectNode out = json.createObjectNode().put("error", error);
        ArrayNode records = out.putArray("recs");
        log.subList(before, log.size()).forEach(record ->
            records.add(record.message().getClass().getSimpleName().replace("Record", "")));
        remembered(out);
        return out;
    }

    private CompletableFuture<?> ask(JsonNode request) {
        return switch (request.get("req").asText()) {
            case "unregisterController" -> controller.unregisterController(context(false), request.get("controller").asInt());
            case "registerController" -> controller.registerController(context(false), new ControllerRegistrationRequestData()
                .setControllerId(request.get("controller").asInt()).setIncarnationId(new Uuid(5, 5)));
            case "registerBroker" -> controller.registerBroker(context(false), registration(request));
            case "updateFeatures" -> controller.updateFeatures(context(false), update(request));
            case "heartbeat" -> controller.processBrokerHeartbeat(context(request.path("late").asBoolean()),
                new BrokerHeartbeatRequestData().setBrokerId(1)
                    .setBrokerEpoch(brokerEpoch + request.path("stale").asInt())
                    .setCurrentMetadataOffset(request.get("offset").asLong())
                    .setWantFence(request.path("wantFence").asBoolean()));
            default -> throw new IllegalArgumentException("nothing is called " + request.get("req"));
        };
    }

    private static BrokerRegistrationRequestData registration(JsonNode request) {
        var features = new BrokerRegistrationRequestData.FeatureCollection();
        request.get("features").forEach(one -> features.add(new BrokerRegistrationRequestData.Feature()
            .setName(one.get(0).asText())
            .setMinSupportedVersion((short) one.get(1).asInt()).setMaxSupportedVersion((short) one.get(2).asInt())));
        return new BrokerRegistrationRequestData().setBrokerId(1).setClusterId(CLUSTER).setIncarnationId(new Uuid(4, 4))
            .setFeatures(features).setLogDirs(List.of(new Uuid(3, 3)));
    }

    private static UpdateFeaturesRequestData update(JsonNode request) {
        var updates = new UpdateFeaturesRequestData.FeatureUpdateKeyCollection();
        updates.add(new FeatureUpdateKey().setFeature(request.get("feature").asText())
            .setMaxVersionLevel((short) request.get("to").asInt())
            .setUpgradeType(UpgradeType.fromCode(request.get("way").asInt()).code()));
        return new UpdateFeaturesRequestData().setFeatureUpdates(updates);
    }

    private static ControllerRequestContext context(boolean late) {
        OptionalLong deadline = late ? OptionalLong.of(Time.SYSTEM.nanoseconds() - 1) : OptionalLong.empty();
        return new ControllerRequestContext(new RequestHeaderData().setRequestApiVersion(NEWEST), KafkaPrincipal.ANONYMOUS, deadline);
    }

    /** What the controller remembers of broker 1 and no record says. */
    private void remembered(ObjectNode out) throws Exception {
        BrokerHeartbeatManager heartbeats = ((ClusterControlManager) of(controller, "clusterControl")).heartbeatManager();
        for (BrokerHeartbeatManager.BrokerHeartbeatState one : heartbeats.brokers()) {
            out.putObject("soft").put("fenced", one.fenced()).put("reported", one.metadataOffset())
                .put("session", heartbeats.hasValidSession(1, brokerEpoch));
        }
    }

    private static Object of(Object owner, String name) throws Exception {
        Field field = owner.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(owner);
    }

    // -- Raft ------------------------------------------------------------------------------------------------------------
    @SuppressWarnings("unchecked")
    private RaftClient<ApiMessageAndVersion> raft() {
        return (RaftClient<ApiMessageAndVersion>) Proxy.newProxyInstance(
            Active.class.getClassLoader(), new Class<?>[] {RaftClient.class}, (proxy, method, given) -> switch (method.getName()) {
                case "register" -> {
                    listener = (RaftClient.Listener<ApiMessageAndVersion>) given[0];
                    yield null;
                }
                case "leaderAndEpoch" -> new LeaderAndEpoch(OptionalInt.of(NODE), EPOCH);
                case "nodeId" -> OptionalInt.of(NODE);
                case "logEndOffset" -> (long) log.size();
                case "kraftVersion" -> kraft;
                case "upgradeKRaftVersion" -> {
                    kraft = (Boolean) given[2] ? kraft : (KRaftVersion) given[1];
                    yield null;
                }
                case "prepareAppend" -> {
                    prepared = List.copyOf((List<ApiMessageAndVersion>) given[1]);
                    yield (long) log.size() + prepared.size() - 1;
                }
                case "schedulePreparedAppend" -> {
                    commit();
                    yield null;
                }
                case "highWatermark" -> OptionalLong.of(log.size());
                case "latestSnapshotId", "createSnapshot", "voterNode" -> Optional.empty();
                case "shutdown" -> CompletableFuture.completedFuture(null);
                default -> null;
            });
    }

    private void commit() {
        long base = log.size();
        log.addAll(prepared);
        Iterator<Batch<ApiMessageAndVersion>> batches =
            List.of(Batch.data(base, EPOCH, Time.SYSTEM.milliseconds(), 0, prepared)).iterator();
        listener.handleCommit(new BatchReader<>() {
            @Override
            public long baseOffset() {
                return base;
            }

            @Override
            public OptionalLong lastOffset() {
                return OptionalLong.of(log.size() - 1);
            }

            @Override
            public boolean hasNext() {
                return batches.hasNext();
            }

            @Override
            public Batch<ApiMessageAndVersion> next() {
                return batches.next();
            }

            @Override
            public void close() { }
        });
    }
}
