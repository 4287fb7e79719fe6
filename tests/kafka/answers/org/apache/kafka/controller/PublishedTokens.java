package org.apache.kafka.controller;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import org.apache.kafka.common.message.CreateDelegationTokenRequestData;
import org.apache.kafka.common.message.ExpireDelegationTokenRequestData;
import org.apache.kafka.common.message.RenewDelegationTokenRequestData;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.metadata.DelegationTokenRecord;
import org.apache.kafka.common.metadata.RemoveDelegationTokenRecord;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.token.delegation.internals.DelegationTokenCache;
import org.apache.kafka.image.DelegationTokenDelta;
import org.apache.kafka.image.DelegationTokenImage;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * Requests about one delegation token: each line of the input is a list of them ("create", "remove", "renew"), with
 * "publish" where the records so far are made an image and put into the cache that the manager looks tokens up in, as the publisher
 * of a node does. Printed are the error and the records of each, and at the end whether the image has the token.
 */
public final class PublishedTokens {
    private final DelegationTokenCache cache = new DelegationTokenCache(List.of());
    private final DelegationTokenControlManager manager = new DelegationTokenControlManager.Builder()
        .setTokenCache(cache).setDelegationTokenSecretKey("key").setDelegationTokenMaxLifeMs(3600000)
        .setDelegationTokenExpiryTimeMs(60000).build();
    private final ControllerRequestContext context = new ControllerRequestContext(
        new RequestHeaderData(), new KafkaPrincipal("User", "alice"), OptionalLong.empty());
    private DelegationTokenImage image = DelegationTokenImage.EMPTY;
    private DelegationTokenDelta delta = new DelegationTokenDelta(image);
    private byte[] hmac = new byte[0];

    private PublishedTokens() { }

    public static void main(String[] arguments) throws Exception {
        ObjectMapper json = new ObjectMapper();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            PublishedTokens tokens = new PublishedTokens();
            ArrayNode out = json.createArrayNode();
            for (var word : json.readTree(line)) {
                ArrayNode told = out.addArray();
                tokens.answer(word.asText()).forEach(told::add);
            }
            out.add(!tokens.delta.apply().tokens().isEmpty());
            System.out.println(json.writeValueAsString(out));
        }
    }

    private List<String> answer(String word) throws Exception {
        MetadataVersion version = MetadataVersion.latestProduction();
        switch (word) {
            case "create":
                var created = manager.createDelegationToken(context,
                    new CreateDelegationTokenRequestData().setMaxLifetimeMs(-1), version);
                hmac = created.response().hmac();
                return told(created.response().errorCode(), created.records());
            case "renew":
                var renewed = manager.renewDelegationToken(context,
                    new RenewDelegationTokenRequestData().setHmac(hmac).setRenewPeriodMs(-1), version);
                return told(renewed.response().errorCode(), renewed.records());
            case "remove":
                var removed = manager.expireDelegationToken(context,
                    new ExpireDelegationTokenRequestData().setHmac(hmac).setExpiryTimePeriodMs(-1), version);
                return told(removed.response().errorCode(), removed.records());
            default:
                delta.changes().forEach((id, data) -> {
                    if (data.isPresent()) {
                        cache.addToken(id, data.get().tokenInformation());
                        cache.updateCache(new org.apache.kafka.common.security.token.delegation.DelegationToken(
                            data.get().tokenInformation(), hmac), java.util.Map.of());
                    } else {
                        cache.removeCache(id);
                    }
                });
                image = delta.apply();
                delta = new DelegationTokenDelta(image);
                return List.of();
        }
    }

    private List<String> told(short error, List<ApiMessageAndVersion> records) {
        List<String> found = new ArrayList<>(List.of(Errors.forCode(error).name()));
        for (ApiMessageAndVersion record : records) {
            found.add(record.message().getClass().getSimpleName());
            if (record.message() instanceof DelegationTokenRecord) {
                manager.replay((DelegationTokenRecord) record.message());
                delta.replay((DelegationTokenRecord) record.message());
            } else {
                manager.replay((RemoveDelegationTokenRecord) record.message());
                delta.replay((RemoveDelegationTokenRecord) record.message());
            }
        }
        return found;
    }
}
