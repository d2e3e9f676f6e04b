package org.restorej.bench.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.Measurement;

/** What the library is to reach, and how far it is: a row for each goal that the measurements tell of. Pure. */
final class Goals {
    private static final String FILE = "goals.txt";
    private static final List<String> HEAD = List.of("", "at", "measured", "beside", "", "ratio", "at most", "reached");

    /** All of the file. */
    static final List<Goal> ALL = read();

    private Goals() {}

    private static List<Goal> read() {
        try (InputStream file = Objects.requireNonNull(Goals.class.getResourceAsStream(FILE), FILE)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8).lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#")).map(Goal::parse).toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The section of a report; nothing when no goal is about what was measured. */
    static String text(List<Goal> goals, List<Measurement> measurements) {
        MarkdownTable table = new MarkdownTable(HEAD);
        List<List<String>> rows = goals.stream().flatMap(goal -> ofQuantity(goal, measurements).stream()).toList();
        rows.forEach(table::add);
        return rows.isEmpty() ? "" : "## Goals\n\nBeside what was measured in the same run.\n\n" + table + "\n";
    }

    private static List<List<String>> ofQuantity(Goal goal, List<Measurement> all) {
        List<List<String>> rows = new ArrayList<>();
        for (Measurement ours : all) {
            Optional<Double> quantity = goal.isFor(ours.key()) ? goal.quantityOf(ours) : Optional.empty();
            boolean alone = goal.beside().equals(Goal.NOTHING);
            Optional<Double> reference = alone ? Optional.of(1.0) : goal.reference(ours, all);
            if (quantity.isPresent() && reference.isPresent()) {
                rows.add(row(goal, ours.key(), text(goal, quantity.get()), alone ? "" : text(goal, reference.get()),
                        quantity.get() / reference.get()));
            }
        }
        return rows;
    }

    private static List<String> row(Goal goal, BenchmarkKey key, String measured, String reference, double ratio) {
        SortedMap<String, String> at = new TreeMap<>(key.params());
        at.keySet().removeAll(goal.params().keySet());
        boolean alone = goal.beside().equals(Goal.NOTHING);
        return List.of(key.shortName() + (goal.quantity().equals(Goal.TIME) ? "" : ", " + goal.quantity()),
                ParamText.list(at), measured,
                alone ? "" : goal.beside(), reference, alone ? "" : Quantity.digits(ratio),
                alone ? text(goal, goal.most()) : Quantity.digits(goal.most()), ratio <= goal.most() ? "yes" : "no");
    }

    private static String text(Goal goal, double quantity) {
        return goal.quantity().equals(Goal.TIME) ? Quantity.time(quantity) : Quantity.mebibytes(quantity);
    }
}
