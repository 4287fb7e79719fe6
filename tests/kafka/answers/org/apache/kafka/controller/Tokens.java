package org.apache.kafka.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.kafka.common.message.CreateDelegationTokenRequestData;
import org.apache.kafka.common.message.CreateDelegationTokenRequestData.CreatableRenewers;
import org.apache.kafka.common.message.ExpireDelegationTokenRequestData;
import org.apache.kafka.common.message.RenewDelegationTokenRequestData;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.metadata.DelegationTokenRecord;
import org.apache.kafka.common.metadata.RemoveDelegationTokenRecord;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.token.delegation.DelegationToken;
import org.apache.kafka.common.security.token.delegation.internals.DelegationTokenCache;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.SecurityUtils;
import org.apache.kafka.metadata.DelegationTokenData;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.MetadataVersion;

import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * Requests about delegation tokens, to a manager at the time of a line whose cache has the tokens that the line says.
 *
 * The manager's clock is the system's, and no builder takes another: it is put in its place. A token is asked for by its
 * HMAC; here that is its id, which is put into the cache and not computed.
 */
final class Tokens {
    static final Set<String> OPERATIONS = Set.of("createToken", "renewToken", "expireToken", "sweepTokens");
    private static final String KEY = "secret";

    private final JsonNode asked;
    private final DelegationTokenCache cache = new DelegationTokenCache(List.of());
    private final DelegationTokenControlManager manager;
    private final ObjectNode out = JsonNodeFactory.instance.objectNode();

    Tokens(JsonNode asked) throws ReflectiveOperationException {
        this.asked = asked;
        for (JsonNode one : asked.get("tokens")) {
            add(new DelegationTokenRecord().setTokenId(one.get(0).asText()).setOwner(one.get(1).asText())
                .setRequester(one.get(2).asText()).setRenewers(texts(one.get(3))).setIssueTimestamp(one.get(4).asLong())
                .setMaxTimestamp(one.get(5).asLong()).setExpirationTimestamp(one.get(6).asLong()));
        }
        for (int number = 0; number < asked.path("many").asInt(); number++) {
            add(new DelegationTokenRecord().setTokenId("many" + number).setOwner("User:many").setRequester("User:many"));
        }
        manager = new DelegationTokenControlManager.Builder().setTokenCache(cache)
            .setDelegationTokenSecretKey(asked.get("enabled").asBoolean() ? KEY : null)
            .setDelegationTokenMaxLifeMs(asked.path("maxLifetime").asLong())
            .setDelegationTokenExpiryTimeMs(asked.path("expiry").asLong()).build();
        Field time = DelegationTokenControlManager.class.getDeclaredField("time");
        time.setAccessible(true);
        time.set(manager, clock(asked.get("now").asLong()));
    }

    private void add(DelegationTokenRecord record) {
        byte[] hmac = record.tokenId().getBytes(StandardCharsets.UTF_8);
        cache.updateCache(new DelegationToken(DelegationTokenData.fromRecord(record).tokenInformation(), hmac), Map.of());
    }

    private static Time clock(long now) {
        return (Time) Proxy.newProxyInstance(Time.class.getClassLoader(), new Class<?>[] {Time.class},
            (proxy, method, arguments) -> {
                if (!method.getName().equals("milliseconds")) {
                    throw new UnsupportedOperationException(method.getName());
                }
                return now;
            });
    }

    private static List<String> texts(JsonNode told) {
        List<String> found = new ArrayList<>();
        told.forEach(one -> found.add(one.asText()));
        return found;
    }

    private MetadataVersion level() {
        return MetadataVersion.fromVersionString(asked.get("mv").asText(), true);
    }

    private ControllerRequestContext by() {
        KafkaPrincipal principal = SecurityUtils.parseKafkaPrincipal(asked.get("by").asText());
        return new ControllerRequestContext(new RequestHeaderData(), principal, OptionalLong.empty());
    }

    private byte[] hmac() {
        return asked.get("token").asText().getBytes(StandardCharsets.UTF_8);
    }

    ObjectNode answer() {
        switch (asked.get("op").asText()) {
            case "createToken" -> create();
            case "renewToken" -> renew();
            case "expireToken" -> expire();
            default -> sweep();
        }
        return out;
    }

    private void create() {
        CreateDelegationTokenRequestData request = new CreateDelegationTokenRequestData()
            .setMaxLifetimeMs(asked.get("lifetime").asLong());
        if (!asked.get("owner").isNull()) {
            KafkaPrincipal owner = SecurityUtils.parseKafkaPrincipal(asked.get("owner").asText());
            request.setOwnerPrincipalType(owner.getPrincipalType()).setOwnerPrincipalName(owner.getName());
        }
        for (String one : texts(asked.get("renewers"))) {
            KafkaPrincipal renewer = SecurityUtils.parseKafkaPrincipal(one);
            request.renewers().add(new CreatableRenewers().setPrincipalType(renewer.getPrincipalType())
                .setPrincipalName(renewer.getName()));
        }
        var result = manager.createDelegationToken(by(), request, level());
        var response = result.response();
        out.put("error", Errors.forCode(response.errorCode()).name()).put("issued", response.issueTimestampMs())
            .put("latest", response.maxTimestampMs()).put("expires", response.expiryTimestampMs());
        records(result.records(), response.tokenId());
    }

    private void renew() {
        var result = manager.renewDelegationToken(by(),
            new RenewDelegationTokenRequestData().setHmac(hmac()).setRenewPeriodMs(asked.get("period").asLong()), level());
        out.put("error", Errors.forCode(result.response().errorCode()).name())
            .put("expires", result.response().expiryTimestampMs());
        records(result.records(), "");
    }

    private void expire() {
        var result = manager.expireDelegationToken(by(),
            new ExpireDelegationTokenRequestData().setHmac(hmac()).setExpiryTimePeriodMs(asked.get("period").asLong()),
            level());
        out.put("error", Errors.forCode(result.response().errorCode()).name())
            .put("expires", result.response().expiryTimestampMs());
        records(result.records(), "");
    }

    /** Tokens are removed in the order of a hash of their ids: here in that of the ids, and of many only how many. */
    private void sweep() {
        ControllerResult<Boolean> result = manager.sweepExpiredDelegationTokens();
        out.put("more", result.response());
        if (asked.has("many")) {
            out.put("count", result.records().size());
            return;
        }
        TreeSet<String> removed = new TreeSet<>();
        result.records().forEach(one -> removed.add(((RemoveDelegationTokenRecord) one.message()).tokenId()));
        ArrayNode records = out.putArray("recs");
        removed.forEach(one -> records.addObject().put("t", "RemoveDelegationToken").put("token", one));
    }

    private void records(List<ApiMessageAndVersion> written, String issued) {
        ArrayNode records = out.putArray("recs");
        for (ApiMessageAndVersion one : written) {
            if (one.message() instanceof DelegationTokenRecord record) {
                ObjectNode told = records.addObject().put("t", "DelegationToken")
                    .put("token", record.tokenId().equals(issued) ? "new" : record.tokenId())
                    .put("owner", record.owner()).put("requester", record.requester());
                ArrayNode renewers = told.putArray("renewers");
                record.renewers().forEach(renewers::add);
                told.put("issued", record.issueTimestamp()).put("latest", record.maxTimestamp())
                    .put("expires", record.expirationTimestamp());
            } else {
                records.addObject().put("t", "RemoveDelegationToken")
                    .put("token", ((RemoveDelegationTokenRecord) one.message()).tokenId());
            }
        }
    }
}
