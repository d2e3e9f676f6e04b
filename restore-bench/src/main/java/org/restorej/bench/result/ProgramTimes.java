package org.restorej.bench.result;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Times that programs of whole jobs write, in Java, C or C++: a line for each operation, its name and the milliseconds
 * of all calls. A name is that of the operation, and of a rival behind a {@code /} where the program runs one, too.
 */
public final class ProgramTimes {
    private ProgramTimes() {}

    /**
     * Writes times.
     *
     * @throws UncheckedIOException if the file can't be written
     */
    public static void write(Path file, Map<String, List<Double>> millis) {
        try {
            Files.write(file, millis.entrySet().stream().map(each -> each.getKey() + " "
                    + each.getValue().stream().map(String::valueOf).collect(Collectors.joining(" "))).toList());
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    /**
     * Reads times.
     *
     * @return milliseconds of all calls, at least one, by the names of the file, in its order
     * @throws IOException when the file can't be read, or is not what such programs write; the message names the file
     */
    public static Map<String, List<Double>> read(Path file) throws IOException {
        Map<String, List<Double>> millis = new LinkedHashMap<>();
        for (String line : Files.readAllLines(file)) {
            List<String> words = List.of(line.split(" ", -1));
            List<Double> calls = new ArrayList<>();
            try {
                words.stream().skip(1).map(Double::valueOf).forEach(calls::add);
            } catch (NumberFormatException wrong) {
                throw new IOException(file + " must have milliseconds after an operation's name: '" + line + "'",
                        wrong);
            }
            if (calls.isEmpty()) {
                throw new IOException(file + " must have a time for each call, but has none: '" + line + "'");
            }
            millis.put(words.getFirst(), calls);
        }
        return millis;
    }
}
