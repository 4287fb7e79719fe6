import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A producer with acks=all that writes down what was acknowledged, and an administrator, both driven by lines.
 *
 * Arguments: bootstrap servers, the ledger's file. Each command is one line of standard input and is answered by one
 * line, "OK ..." or "FAILED ...". A line of the ledger is a JSON object: the id of a record (its value begins with it),
 * topic, partition, when it was sent, and either offset and time of the acknowledgement or the error that the
 * producer gave up with (then the record may be in the log all the same).
 */
public final class Driver {
    private final Properties clients = new Properties();
    private final BufferedWriter ledger;
    private volatile boolean running;
    private Thread writer;
    private long next;

    private Driver(String servers, Path path) throws Exception {
        clients.put("bootstrap.servers", servers);
        clients.put("request.timeout.ms", "3000");
        clients.put("default.api.timeout.ms", "15000");
        clients.put("reconnect.backoff.max.ms", "500");
        ledger = Files.newBufferedWriter(path, StandardCharsets.UTF_8);
    }

    public static void main(String[] arguments) throws Exception {
        Driver driver = new Driver(arguments[0], Path.of(arguments[1]));
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String answer;
            try {
                answer = "OK " + driver.obey(line.trim().split(" +"));
            } catch (Exception error) {
                Throwable cause = error.getCause() == null ? error : error.getCause();
                answer = "FAILED " + String.valueOf(cause).replace('\n', ' ');
            }
            System.out.println(answer);
            System.out.flush();
        }
        driver.stop();
        driver.ledger.close();
        System.exit(0);
    }

    private String obey(String[] words) throws Exception {
        switch (words[0]) {
            case "create":
                return create(words);
            case "configure":
                return configure(words);
            case "write":
                return write(words);
            case "stop":
                return stop();
            case "describe":
                return describe(words[1]);
            case "elect":
                return elect(words[1]);
            case "reassign":
                return reassign(words[1], Integer.parseInt(words[2]), words[3]);
            case "send":
                return send(words[1], Integer.parseInt(words[2]), Integer.parseInt(words[3]));
            case "end":
                return end(new TopicPartition(words[1], Integer.parseInt(words[2])));
            default:
                throw new IllegalArgumentException("no command: " + words[0]);
        }
    }

    private String create(String[] words) throws Exception {
        NewTopic topic = new NewTopic(words[1], Integer.parseInt(words[2]), Short.parseShort(words[3]));
        Map<String, String> configs = new HashMap<>();
        for (String word : Arrays.asList(words).subList(4, words.length)) {
            configs.put(word.split("=")[0], word.split("=")[1]);
        }
        try (Admin admin = Admin.create(clients)) {
            return admin.createTopics(List.of(topic.configs(configs))).topicId(words[1]).get().toString();
        }
    }

    private String configure(String[] words) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, words[1]);
        ConfigEntry entry = new ConfigEntry(words[2].split("=")[0], words[2].split("=")[1]);
        Collection<AlterConfigOp> operations = List.of(new AlterConfigOp(entry, AlterConfigOp.OpType.SET));
        try (Admin admin = Admin.create(clients)) {
            admin.incrementalAlterConfigs(Map.of(resource, operations)).all().get();
            return words[2];
        }
    }

    private String elect(String topic) throws Exception {
        try (Admin admin = Admin.create(clients)) {
            int partitions = admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions().size();
            Set<TopicPartition> all = new java.util.HashSet<>();
            for (int partition = 0; partition < partitions; partition++) {
                all.add(new TopicPartition(topic, partition));
            }
            Map<TopicPartition, Optional<Throwable>> answers =
                admin.electLeaders(ElectionType.PREFERRED, all).partitions().get();
            return answers.values().stream().filter(Optional::isEmpty).count() + " of " + answers.size();
        }
    }

    /** reassign TOPIC PARTITION BROKER,BROKER...: gives a partition these replicas. */
    private String reassign(String topic, int partition, String replicas) throws Exception {
        List<Integer> target = Arrays.stream(replicas.split(",")).map(Integer::valueOf).toList();
        try (Admin admin = Admin.create(clients)) {
            var wanted = Map.of(new TopicPartition(topic, partition), Optional.of(new NewPartitionReassignment(target)));
            admin.alterPartitionReassignments(wanted).all().get();
            return replicas;
        }
    }

    /** end TOPIC PARTITION: where the log ends for a consumer. */
    private String end(TopicPartition partition) throws Exception {
        try (Admin admin = Admin.create(clients)) {
            var found = admin.listOffsets(Map.of(partition, OffsetSpec.latest())).partitionResult(partition).get();
            return String.valueOf(found.offset());
        }
    }

    private String describe(String topic) throws Exception {
        try (Admin admin = Admin.create(clients)) {
            StringBuilder text = new StringBuilder();
            for (TopicPartitionInfo one : admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions()) {
                text.append(text.length() == 0 ? "" : "; ").append(one.partition())
                    .append(" leader ").append(one.leader() == null ? -1 : one.leader().id())
                    .append(" isr ").append(ids(one.isr())).append(" elr ").append(ids(one.elr()));
            }
            return text.toString();
        }
    }

    private static String ids(List<Node> nodes) {
        return nodes == null ? "-" : nodes.stream().map(node -> String.valueOf(node.id())).sorted().toList().toString().replace(" ", "");
    }

    /** write PAUSE_MS TOPIC:PARTITIONS...: goes round the partitions until it is stopped. */
    private String write(String[] words) {
        stop();
        running = true;
        writer = new Thread(() -> rounds(words), "writer");
        writer.start();
        return "writing";
    }

    /** send TOPIC PARTITION COUNT: sends so many records and prints how many were sent once all are answered. */
    private String send(String topic, int partition, int count) {
        try (KafkaProducer<String, String> producer = producer()) {
            for (int sent = 0; sent < count; sent++) {
                send(producer, topic, partition);
            }
            producer.flush();
        }
        return String.valueOf(count);
    }

    private KafkaProducer<String, String> producer() {
        Properties settings = new Properties();
        settings.putAll(clients);
        settings.put("key.serializer", StringSerializer.class.getName());
        settings.put("value.serializer", StringSerializer.class.getName());
        settings.put("acks", "all");
        settings.put("enable.idempotence", "true");
        settings.put("linger.ms", "0");
        settings.put("max.block.ms", "3000");
        settings.put("delivery.timeout.ms", "8000");
        return new KafkaProducer<>(settings);
    }

    private void rounds(String[] words) {
        long pause = Long.parseLong(words[1]);
        try (KafkaProducer<String, String> producer = producer()) {
            while (running) {
                for (String word : Arrays.asList(words).subList(2, words.length)) {
                    String topic = word.split(":")[0];
                    int partitions = Integer.parseInt(word.split(":")[1]);
                    for (int partition = 0; partition < partitions && running; partition++) {
                        send(producer, topic, partition);
                        try {
                            TimeUnit.MILLISECONDS.sleep(pause);
                        } catch (InterruptedException stopped) {
                            return;
                        }
                    }
                }
            }
        }
    }

    private void send(KafkaProducer<String, String> producer, String topic, int partition) {
        String id = String.format("r%06d", next++);
        long sent = System.currentTimeMillis();
        String head = String.format("{\"id\":\"%s\",\"topic\":\"%s\",\"partition\":%d,\"sent_ms\":%d", id, topic, partition, sent);
        producer.send(new ProducerRecord<>(topic, partition, null, id), (metadata, error) -> {
            if (error == null) {
                line(String.format("%s,\"offset\":%d,\"acknowledged_ms\":%d}", head, metadata.offset(), System.currentTimeMillis()));
            } else {
                line(String.format("%s,\"error\":\"%s\"}", head, error.getClass().getSimpleName()));
            }
        });
    }

    private synchronized void line(String text) {
        try {
            ledger.write(text);
            ledger.newLine();
            ledger.flush();
        } catch (java.io.IOException error) {
            throw new java.io.UncheckedIOException(error);
        }
    }

    private String stop() {
        running = false;
        if (writer != null) {
            try {
                writer.join();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            writer = null;
        }
        return "stopped after " + next;
    }
}
