package org.apache.kafka.controller;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.AccessControlEntryRecord;
import org.apache.kafka.common.metadata.RemoveAccessControlEntryRecord;

/**
 * Records of access control entries, replayed: each line of the input is a list of them, each a host and an id, or null and the id
 * of the entry that is removed; which were replayed is printed, true for those that were and false for those that are faults.
 */
public final class Acls {
    private Acls() { }

    public static void main(String[] arguments) throws Exception {
        ObjectMapper json = new ObjectMapper();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            AclControlManager manager = new AclControlManager.Builder().build();
            ArrayNode out = json.createArrayNode();
            json.readTree(line).forEach(record -> out.add(replayed(manager, record)));
            System.out.println(json.writeValueAsString(out));
        }
    }

    private static boolean replayed(AclControlManager manager, JsonNode record) {
        Uuid id = new Uuid(6, record.get(1).asInt());
        try {
            if (record.get(0).isNull()) {
                manager.replay(new RemoveAccessControlEntryRecord().setId(id));
            } else {
                manager.replay(new AccessControlEntryRecord().setId(id).setResourceType((byte) 2).setResourceName("a")
                    .setPatternType((byte) 3).setPrincipal("User:a").setHost(record.get(0).asText())
                    .setOperation((byte) 3).setPermissionType((byte) 3));
            }
            return true;
        } catch (RuntimeException fault) {
            return false;
        }
    }
}
