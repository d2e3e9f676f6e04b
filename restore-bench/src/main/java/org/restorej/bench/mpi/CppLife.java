package org.restorej.bench.mpi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.JmhResults;

/**
 * Reads what the program {@code cpp_restore.cpp} writes, which lives as {@link JobLife} does with the C++ library
 * ReStore: a line for each operation, its name and the milliseconds of all its calls.
 */
public final class CppLife {
    /** The method of its measurements. */
    public static final String METHOD = "C++ ReStore";

    private static final String SHARE = "share";
    private static final List<String> OPERATIONS = List.of("submit", SHARE, "wholes");

    private CppLife() {}

    /**
     * Reads times.
     *
     * @param times what the program has written
     * @param bytes of a rank
     * @return what JMH would have written of them
     * @throws IOException when the file can't be read, or is not what the program writes; the message names the file
     */
    public static JmhResults read(Path times, int pes, long bytes) throws IOException {
        Map<BenchmarkKey, List<Double>> millis = new LinkedHashMap<>();
        List<String> found = new ArrayList<>();
        for (String line : Files.readAllLines(times)) {
            List<String> words = List.of(line.split(" ", -1));
            found.add(words.getFirst());
            List<Double> calls = millis(times, line, words);
            millis.putAll(LifeResults.ofProgram(words.getFirst(), pes, bytes, METHOD, calls));
            if (words.getFirst().equals(SHARE)) {
                // The nearest that it has to a first recovery as a whole.
                millis.putAll(LifeResults.ofProgram(RecoveryLife.NAME, pes, bytes, METHOD, calls.subList(0, 1)));
            }
        }
        if (!found.equals(OPERATIONS)) {
            throw new IOException(times + " must have a line for each of " + OPERATIONS + ", but has " + found);
        }
        return JmhResults.ofMillis(millis);
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
