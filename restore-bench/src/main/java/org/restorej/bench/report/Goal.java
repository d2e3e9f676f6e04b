package org.restorej.bench.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.Measurement;

/**
 * A line of {@code goals.txt}, which says what each column means: how long the library may take beside a rival. Pure.
 *
 * @param benchmark its short name
 * @param params that a measurement must have for the goal to be one for it
 * @param rival which method it is compared with
 * @param most what the ratio may be
 */
record Goal(String benchmark, Map<String, String> params, String rival, double most) {
    private static final String FILE = "goals.txt";

    /** All of the file. */
    static final List<Goal> ALL = read();

    /** Copies. */
    Goal {
        params = Map.copyOf(params);
    }

    private static List<Goal> read() {
        try (InputStream file = Objects.requireNonNull(Goal.class.getResourceAsStream(FILE), FILE)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8).lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#")).map(Goal::parse).toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * A line.
     *
     * @throws IllegalArgumentException when it isn't one, with the line
     */
    static Goal parse(String line) {
        List<String> columns = Pattern.compile(";").splitAsStream(line).map(String::strip).toList();
        Map<String, String> params = new TreeMap<>();
        try {
            for (String param : columns.get(1).split(", *", -1)) {
                int equals = param.indexOf('=');
                params.put(param.substring(0, equals), param.substring(equals + 1));
            }
            return new Goal(columns.get(0), params, columns.get(2), Double.parseDouble(columns.get(3)));
        } catch (NumberFormatException | IndexOutOfBoundsException wrong) {
            throw new IllegalArgumentException(
                    "a goal must be 'benchmark ; parameters ; rival ; at most': '" + line + "'", wrong);
        }
    }

    boolean isFor(BenchmarkKey key) {
        return key.shortName().equals(benchmark)
                && params.entrySet().stream().allMatch(param -> key.param(param.getKey()).equals(param.getValue()));
    }

    /** The rival's measurement of the same run that one of the library's is compared with, if there is one. */
    Optional<Measurement> beside(Measurement ours, List<Measurement> all) {
        return all.stream().filter(each -> each.key().isRivalOf(ours.key())
                && each.key().param(BenchmarkKey.METHOD).equals(rival)).findFirst();
    }
}
