package org.apache.kafka.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.AlterClientQuotasRequestData;
import org.apache.kafka.common.message.AlterUserScramCredentialsRequestData;
import org.apache.kafka.common.message.AlterUserScramCredentialsRequestData.ScramCredentialDeletion;
import org.apache.kafka.common.message.AlterUserScramCredentialsRequestData.ScramCredentialUpsertion;
import org.apache.kafka.common.metadata.AccessControlEntryRecord;
import org.apache.kafka.common.metadata.ClientQuotaRecord;
import org.apache.kafka.common.metadata.RemoveAccessControlEntryRecord;
import org.apache.kafka.common.metadata.RemoveUserScramCredentialRecord;
import org.apache.kafka.common.metadata.UserScramCredentialRecord;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.requests.AlterClientQuotasRequest;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourcePatternFilter;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.utils.internals.LogContext;
import org.apache.kafka.server.authorizer.AclCreateResult;
import org.apache.kafka.server.authorizer.AclDeleteResult;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.MetadataVersion;
import org.apache.kafka.timeline.SnapshotRegistry;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Requests about access control, SCRAM credentials and client quotas, each to a manager with the state of a line. */
final class Secured {
    static final Set<String> OPERATIONS = Set.of("createAcls", "deleteAcls", "alterScram", "alterQuotas");
    private static final long IDS = 6;
    private static final byte[] SALT = "salt".getBytes(StandardCharsets.UTF_8);
    private static final byte[] SALTED = "salted password".getBytes(StandardCharsets.UTF_8);

    private final JsonNode asked;
    private final SnapshotRegistry registry = new SnapshotRegistry(new LogContext());
    private final ObjectNode out = JsonNodeFactory.instance.objectNode();

    Secured(JsonNode asked) {
        this.asked = asked;
    }

    ObjectNode answer() {
        try {
            switch (asked.get("op").asText()) {
                case "createAcls" -> createAcls();
                case "deleteAcls" -> deleteAcls();
                case "alterScram" -> alterScram();
                default -> alterQuotas();
            }
        } catch (RuntimeException fault) {
            // The whole request is refused.
            out.removeAll();
            out.put("error", Errors.forException(fault).name());
        }
        return out;
    }

    private MetadataVersion level() {
        return MetadataVersion.fromVersionString(asked.get("mv").asText(), true);
    }

    private static String text(JsonNode told) {
        return told.isNull() ? null : told.asText();
    }

    private static String error(Optional<ApiException> exception) {
        return exception.map(one -> Errors.forException(one).name()).orElse("NONE");
    }

    // -- access control --------------------------------------------------------------------------------------------------
    private AclControlManager acls() {
        AclControlManager manager = new AclControlManager.Builder().setSnapshotRegistry(registry).build();
        int number = 0;
        for (JsonNode one : asked.get("acls")) {
            number++;
            manager.replay(new AccessControlEntryRecord().setId(new Uuid(IDS, number))
                .setResourceType((byte) one.get(0).asInt()).setResourceName(one.get(1).asText())
                .setPatternType((byte) one.get(2).asInt()).setPrincipal(one.get(3).asText()).setHost(one.get(4).asText())
                .setOperation((byte) one.get(5).asInt()).setPermissionType((byte) one.get(6).asInt()));
        }
        return manager;
    }

    private static AclBinding binding(JsonNode one) {
        return new AclBinding(
            new ResourcePattern(ResourceType.fromCode((byte) one.get(0).asInt()), text(one.get(1)),
                PatternType.fromCode((byte) one.get(2).asInt())),
            new AccessControlEntry(text(one.get(3)), text(one.get(4)), AclOperation.fromCode((byte) one.get(5).asInt()),
                AclPermissionType.fromCode((byte) one.get(6).asInt())));
    }

    private static AclBindingFilter filter(JsonNode one) {
        return new AclBindingFilter(
            new ResourcePatternFilter(ResourceType.fromCode((byte) one.get(0).asInt()), text(one.get(1)),
                PatternType.fromCode((byte) one.get(2).asInt())),
            new AccessControlEntryFilter(text(one.get(3)), text(one.get(4)),
                AclOperation.fromCode((byte) one.get(5).asInt()), AclPermissionType.fromCode((byte) one.get(6).asInt())));
    }

    private void createAcls() {
        AclControlManager manager = acls();
        List<AclBinding> bindings = new ArrayList<>();
        asked.get("asked").forEach(one -> bindings.add(binding(one)));
        ControllerResult<List<AclCreateResult>> result = manager.createAcls(bindings, level());
        ArrayNode answers = out.putArray("answers");
        result.response().forEach(one -> answers.add(error(one.exception())));
        ArrayNode records = out.putArray("recs");
        for (ApiMessageAndVersion written : result.records()) {
            AccessControlEntryRecord record = (AccessControlEntryRecord) written.message();
            ObjectNode told = records.addObject().put("t", "AccessControlEntry");
            told.putArray("says").add(record.resourceType()).add(record.resourceName()).add(record.patternType())
                .add(record.principal()).add(record.host()).add(record.operation()).add(record.permissionType());
            manager.replay(record);
        }
        out.put("entries", manager.idToAcl().size());
    }

    /** In which order the entries are named is that of a hash of their ids, which are random: here by number. */
    private void deleteAcls() {
        AclControlManager manager = acls();
        List<AclBindingFilter> filters = new ArrayList<>();
        asked.get("filters").forEach(one -> filters.add(filter(one)));
        List<AclBinding> present = new ArrayList<>();
        asked.get("acls").forEach(one -> present.add(binding(one)));
        ControllerResult<List<AclDeleteResult>> result = manager.deleteAcls(filters);
        ArrayNode answers = out.putArray("answers");
        ArrayNode deleted = out.putArray("deleted");
        for (AclDeleteResult one : result.response()) {
            answers.add(error(one.exception()));
            List<Integer> numbers = new ArrayList<>();
            one.aclBindingDeleteResults().forEach(gone -> numbers.add(present.indexOf(gone.aclBinding()) + 1));
            ArrayNode list = deleted.addArray();
            numbers.stream().sorted().forEach(list::add);
        }
        ArrayNode records = out.putArray("recs");
        result.records().stream().map(one -> (RemoveAccessControlEntryRecord) one.message())
            .sorted((one, other) -> one.id().compareTo(other.id())).forEach(record -> {
                records.addObject().put("t", "RemoveAccessControlEntry").put("entry", record.id().getLeastSignificantBits());
                manager.replay(record);
            });
        out.put("entries", manager.idToAcl().size());
    }

    // -- SCRAM credentials -----------------------------------------------------------------------------------------------
    private void alterScram() {
        ScramControlManager manager = new ScramControlManager.Builder().setSnapshotRegistry(registry).build();
        asked.get("credentials").forEach(one -> manager.replay(new UserScramCredentialRecord().setName(one.get(0).asText())
            .setMechanism((byte) one.get(1).asInt()).setSalt(SALT).setStoredKey(SALT).setServerKey(SALT).setIterations(4096)));
        AlterUserScramCredentialsRequestData request = new AlterUserScramCredentialsRequestData();
        asked.get("deletions").forEach(one -> request.deletions().add(
            new ScramCredentialDeletion().setName(one.get(0).asText()).setMechanism((byte) one.get(1).asInt())));
        asked.get("upsertions").forEach(one -> request.upsertions().add(
            new ScramCredentialUpsertion().setName(one.get(0).asText()).setMechanism((byte) one.get(1).asInt())
                .setIterations(one.get(2).asInt()).setSalt(SALT).setSaltedPassword(SALTED)));
        var result = manager.alterCredentials(request, level());
        ArrayNode answers = out.putArray("answers");
        result.response().results().forEach(
            one -> answers.addArray().add(one.user()).add(Errors.forCode(one.errorCode()).name()));
        ArrayNode records = out.putArray("recs");
        for (ApiMessageAndVersion written : result.records()) {
            if (written.message() instanceof UserScramCredentialRecord record) {
                records.addObject().put("t", "UserScramCredential").put("user", record.name())
                    .put("mechanism", record.mechanism()).put("iterations", record.iterations())
                    .put("stored", Base64.getEncoder().encodeToString(record.storedKey()))
                    .put("server", Base64.getEncoder().encodeToString(record.serverKey()));
                manager.replay(record);
            } else {
                RemoveUserScramCredentialRecord record = (RemoveUserScramCredentialRecord) written.message();
                records.addObject().put("t", "RemoveUserScramCredential").put("user", record.name())
                    .put("mechanism", record.mechanism());
                manager.replay(record);
            }
        }
    }

    // -- client quotas ---------------------------------------------------------------------------------------------------
    private static double number(JsonNode told) {
        return told.isTextual() ? Double.parseDouble(told.asText()) : told.asDouble();
    }

    private void alterQuotas() {
        ClientQuotaControlManager manager = new ClientQuotaControlManager.Builder().setSnapshotRegistry(registry).build();
        for (JsonNode one : asked.get("quotas")) {
            ClientQuotaRecord record = new ClientQuotaRecord().setKey(one.get(1).asText()).setValue(one.get(2).asDouble());
            one.get(0).forEach(part -> record.entity().add(new ClientQuotaRecord.EntityData()
                .setEntityType(part.get(0).asText()).setEntityName(text(part.get(1)))));
            manager.replay(record);
        }
        // The request makes entities of what was sent, as for a controller.
        var data = new AlterClientQuotasRequestData().setValidateOnly(asked.get("dry").asBoolean());
        for (JsonNode one : asked.get("asked")) {
            var entry = new AlterClientQuotasRequestData.EntryData();
            one.get(0).forEach(part -> entry.entity().add(new AlterClientQuotasRequestData.EntityData()
                .setEntityType(part.get(0).asText()).setEntityName(text(part.get(1)))));
            one.get(1).forEach(change -> entry.ops().add(new AlterClientQuotasRequestData.OpData()
                .setKey(change.get(0).asText()).setRemove(change.get(1).isNull())
                .setValue(change.get(1).isNull() ? 0.0 : number(change.get(1)))));
            data.entries().add(entry);
        }
        List<ClientQuotaAlteration> alterations = new AlterClientQuotasRequest(data, (short) 1).entries();
        ControllerResult<Map<ClientQuotaEntity, ApiError>> result = manager.alterClientQuotas(alterations);
        Set<ClientQuotaEntity> entities = new LinkedHashSet<>();
        alterations.forEach(one -> entities.add(one.entity()));
        ArrayNode answers = out.putArray("answers");
        entities.forEach(one -> answers.add(result.response().get(one).error().name()));
        ArrayNode records = out.putArray("recs");
        // As QuorumController does for a request that only validates.
        for (ApiMessageAndVersion written : data.validateOnly() ? List.<ApiMessageAndVersion>of() : result.records()) {
            ClientQuotaRecord record = (ClientQuotaRecord) written.message();
            ObjectNode told = records.addObject().put("t", "ClientQuota");
            ArrayNode entity = told.putArray("entity");
            record.entity().forEach(part -> entity.addArray().add(part.entityType()).add(part.entityName()));
            told.put("key", record.key()).put("value", record.value()).put("remove", record.remove());
            manager.replay(record);
        }
        out.put("quotas", manager.clientQuotaData.values().stream().mapToInt(Map::size).sum());
    }
}
