package org.apache.kafka.controller;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Questions to Kafka's controller classes: each line of the input is an object that says a state and a request; it is printed
 * again with the answer, the records, and what holds after them, as its field "out".
 */
public final class Answers {
    private Answers() { }

    public static void main(String[] arguments) throws Exception {
        ObjectMapper json = new ObjectMapper();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        BufferedWriter printed = new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            ObjectNode question = (ObjectNode) json.readTree(line);
            question.set("out", answer(question));
            printed.write(json.writeValueAsString(question));
            printed.newLine();
            if (!lines.ready()) {
                printed.flush();
            }
        }
        printed.flush();
    }

    private static ObjectNode answer(ObjectNode question) throws Exception {
        String asked = question.get("op").asText();
        if (Secured.OPERATIONS.contains(asked)) {
            return new Secured(question).answer();
        }
        if (Tokens.OPERATIONS.contains(asked)) {
            return new Tokens(question).answer();
        }
        return new Requests(new Situation(question), question).answer();
    }
}
