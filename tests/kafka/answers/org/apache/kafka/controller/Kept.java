package org.apache.kafka.controller;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/** Runs one of Kafka's tools after another in this process: a tool starts in a second, and works for a tenth of one. */
public final class Kept {
    private Kept() {
    }

    private static final class Ended extends Error {
        private Ended() {
            super(null, null, false, false);
        }
    }

    /** What a tool printed before it ended first: some catch what ends them here, print that, and end again. */
    private static String ended;
    private static final ByteArrayOutputStream OUT = new ByteArrayOutputStream();
    private static final ByteArrayOutputStream ERR = new ByteArrayOutputStream();

    /** Read a class and its arguments a line, between tabs; print exit code, output and error output of its main. */
    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        Class<?> exit = exit();
        Class<?> procedure = Class.forName(exit.getName() + "$Procedure");
        exit.getMethod("setExitProcedure", procedure).invoke(null,
            Proxy.newProxyInstance(procedure.getClassLoader(), new Class<?>[] {procedure}, (proxy, method, given) -> {
                end((int) given[0]);
                throw new Ended();
            }));
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split("\t", -1);
            ended = null;
            OUT.reset();
            ERR.reset();
            System.setOut(new PrintStream(OUT, true, StandardCharsets.UTF_8));
            System.setErr(new PrintStream(ERR, true, StandardCharsets.UTF_8));
            run(words[0], Arrays.copyOfRange(words, 1, words.length));
            answers.println(ended);
            answers.flush();
        }
        System.exit(0);
    }

    /** What Kafka's tools end with: 4.4.0 has it in another package than 4.3.1. */
    private static Class<?> exit() throws ClassNotFoundException {
        try {
            return Class.forName("org.apache.kafka.common.utils.internals.Exit");
        } catch (ClassNotFoundException older) {
            return Class.forName("org.apache.kafka.common.utils.Exit");
        }
    }

    private static void end(int code) {
        if (ended == null) {
            System.out.flush();
            System.err.flush();
            Base64.Encoder text = Base64.getEncoder();
            ended = code + "\t" + text.encodeToString(OUT.toByteArray()) + "\t" + text.encodeToString(ERR.toByteArray());
        }
    }

    private static void run(String tool, String[] arguments) throws Exception {
        try {
            Class.forName(tool).getMethod("main", String[].class).invoke(null, (Object) arguments);
            end(0);
        } catch (InvocationTargetException thrown) {
            thrown.getCause().printStackTrace();
            end(1);
        }
    }
}
