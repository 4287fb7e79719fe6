package org.apache.kafka.controller;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.ClearElrRecord;
import org.apache.kafka.common.metadata.ConfigRecord;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.common.metadata.NoOpRecord;
import org.apache.kafka.common.metadata.PartitionChangeRecord;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.RemoveTopicRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.server.common.ApiMessageAndVersion;

import java.util.List;

/** Records as the recordings write them: by short names, without ids; what a change does not say is left out. */
final class Told {
    private Told() { }

    static ArrayNode records(List<ApiMessageAndVersion> records) {
        ArrayNode told = JsonNodeFactory.instance.arrayNode();
        records.forEach(record -> told.add(record(record.message(), record.version())));
        return told;
    }

    private static ObjectNode record(ApiMessage message, short version) {
        ObjectNode told = JsonNodeFactory.instance.objectNode();
        String name = message.getClass().getSimpleName();
        told.put("t", name.substring(0, name.length() - "Record".length()));
        if (message instanceof PartitionChangeRecord record) {
            told.put("v", version);
            change(told, record);
        } else if (message instanceof PartitionRecord record) {
            told.put("v", version);
            partition(told, record);
        } else if (message instanceof TopicRecord record) {
            told.put("name", record.name());
        } else if (message instanceof ClearElrRecord record) {
            told.put("name", record.topicName());
        } else if (message instanceof ConfigRecord record) {
            told.put("type", record.resourceType());
            told.put("resource", record.resourceName());
            told.put("key", record.name());
            told.put("value", record.value());
        } else if (message instanceof FeatureLevelRecord record) {
            told.put("feature", record.name());
            told.put("level", record.featureLevel());
        } else if (!(message instanceof RemoveTopicRecord) && !(message instanceof NoOpRecord)) {
            throw new IllegalArgumentException("no fields are written of a " + name + " record");
        }
        return told;
    }

    private static void change(ObjectNode told, PartitionChangeRecord record) {
        told.put("p", record.partitionId());
        list(told, "isr", record.isr());
        if (record.leader() != -2) {
            told.put("ld", record.leader());
        }
        list(told, "rep", record.replicas());
        list(told, "rem", record.removingReplicas());
        list(told, "add", record.addingReplicas());
        if (record.leaderRecoveryState() != -1) {
            told.put("rec", record.leaderRecoveryState());
        }
        list(told, "elr", record.eligibleLeaderReplicas());
        list(told, "last", record.lastKnownElr());
        places(told, record.directories());
    }

    private static void partition(ObjectNode told, PartitionRecord record) {
        told.put("p", record.partitionId());
        list(told, "isr", record.isr());
        told.put("ld", record.leader());
        list(told, "rep", record.replicas());
        list(told, "rem", record.removingReplicas());
        list(told, "add", record.addingReplicas());
        told.put("rec", record.leaderRecoveryState());
        list(told, "elr", record.eligibleLeaderReplicas());
        list(told, "last", record.lastKnownElr());
        told.put("le", record.leaderEpoch());
        told.put("pe", record.partitionEpoch());
        places(told, record.directories());
    }

    private static void list(ObjectNode told, String name, List<Integer> members) {
        if (members != null) {
            ArrayNode list = told.putArray(name);
            members.forEach(list::add);
        }
    }

    private static void places(ObjectNode told, List<Uuid> directories) {
        if (directories != null && !directories.isEmpty()) {
            ArrayNode list = told.putArray("dirs");
            directories.forEach(one -> list.add(Situation.directory(one)));
        }
    }
}
