package org.restorej.bench.mpi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the times that a rival's program writes: a line for each operation, its name and the milliseconds of all calls. */
final class ProgramTimes {
    private ProgramTimes() {}

    /**
     * Reads times.
     *
     * @param operations which must be there, in this order
     * @return milliseconds of all calls, at least one, by operation
     * @throws IOException when the file can't be read, or is not what the program writes; the message names the file
     */
    static Map<String, List<Double>> read(Path times, List<String> operations) throws IOException {
        Map<String, List<Double>> millis = new LinkedHashMap<>();
        for (String line : Files.readAllLines(times)) {
            List<String> words = List.of(line.split(" ", -1));
            millis.put(words.getFirst(), millis(times, line, words));
        }
        if (!List.copyOf(millis.keySet()).equals(operations)) {
            throw new IOException(
                    times + " must have a line for each of " + operations + ", but has " + millis.keySet());
        }
        return millis;
    }

    private static List<Double> millis(Path times, String line, List<String> words) throws IOException {
        List<Double> millis = new ArrayList<>();
        try {
            for (String word : words.subList(1, words.size())) {
                millis.add(Double.valueOf(word));
            }
        } catch (NumberFormatException wrong) {
            throw new IOException(times + " must have milliseconds after an operation's name: '" + line + "'", wrong);
        }
        if (millis.isEmpty()) {
            throw new IOException(times + " must have a time for each call, but has none: '" + line + "'");
        }
        return millis;
    }
}
