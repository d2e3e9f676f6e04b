package org.restorej.bench.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.Measurement;
import org.restorej.bench.result.Slope;

/** How costs are to grow, and how they do: a line for each claim that the measurements tell of. Pure. */
final class Growth {
    static final String INTRODUCTION = """
            An exponent of 1 is linear growth, of 0 none; below 1 fixed costs show. Fitted to the medians of at least
            four values; times for each byte are the slope of a straight line over the bytes of one rank. Over PEs, each
            with as much data, costs are to grow as those of plain messages do: with more ranks than cores these have to
            share them.
            """;

    /** What noise may add to an exponent of 1. */
    private static final double LINEAR = 1.1;
    private static final double STEEPER_THAN_WIRE = 0.2;
    /** Over seven powers of ten a look-up may take about twice as long, for caches of other sizes. */
    private static final double INDEPENDENT = 0.05;
    private static final double SMALL_BLOCKS = 2;
    private static final long SMALL_BLOCK_BYTES = 16;
    private static final long BLOCK_BYTES = 64;

    private final Selection all;

    private Growth(Selection all) {
        this.all = all;
    }

    static List<TargetRow> of(List<Measurement> measurements) {
        Growth growth = new Growth(new Selection(measurements));
        List<TargetRow> rows = new ArrayList<>();
        growth.operations().forEach(operation -> rows.addAll(growth.overBytes(operation)));
        growth.operations().forEach(operation -> rows.addAll(growth.overPes(operation)));
        growth.steepestSparse().ifPresent(rows::add);
        growth.lookUps("Placement.", "peCount", "P").forEach(rows::add);
        growth.lookUps("Permutation.", "blockCount", "B").forEach(rows::add);
        growth.operations().forEach(operation -> rows.addAll(growth.manyBlocks(operation)));
        return rows;
    }

    /** An operation of a store, by the library and by plain messages. */
    private record Operation(String name, Selection measurements) {}

    private List<Operation> operations() {
        Selection pulls = all.of("Pull");
        return List.of(new Operation("submit", all.of("Submit")),
                new Operation("pull: a PE's share, spread", pulls.with("pattern", "SHARE")),
                new Operation("pull: whole shares", pulls.with("pattern", "ALL")));
    }

    private static Optional<Slope> wire(Slope ours, Selection measurements) {
        BenchmarkKey wire = ours.series().with(BenchmarkKey.METHOD, "wire");
        return Slope.over(ours.param(), measurements.measurements()).stream()
                .filter(each -> each.series().equals(wire)).findFirst();
    }

    private static List<Slope> ours(String param, Selection measurements) {
        return Slope.over(param, measurements.by("restore").measurements());
    }

    private List<TargetRow> overBytes(Operation operation) {
        Selection usual = operation.measurements.ofUsualStores();
        List<TargetRow> rows = new ArrayList<>();
        for (Slope slope : ours("bytes", usual)) {
            Optional<Slope> wire = wire(slope, usual);
            rows.add(new TargetRow(operation.name + ", over bytes", slope.series().param("pes") + " PEs",
                    "exponent " + exponent(slope) + ", " + perByte(slope),
                    wire.map(each -> "wire limit " + exponent(each) + ", " + perByte(each)).orElse(""),
                    wire.map(each -> Quantity.digits(slope.secondsPerUnit() / each.secondsPerUnit())).orElse(""),
                    "exponent " + TargetRow.atMost(LINEAR), slope.exponent() <= LINEAR));
        }
        return rows;
    }

    private List<TargetRow> overPes(Operation operation) {
        Selection usual = operation.measurements.ofUsualStores();
        List<TargetRow> rows = new ArrayList<>();
        for (Slope slope : ours("pes", usual)) {
            wire(slope, usual).ifPresent(wire -> rows.add(new TargetRow(operation.name + ", over PEs",
                    at(slope), "exponent " + exponent(slope), "wire limit " + exponent(wire),
                    "",
                    "exponent ≤ wire limit's + " + Quantity.digits(STEEPER_THAN_WIRE),
                    slope.exponent() <= wire.exponent() + STEEPER_THAN_WIRE)));
        }
        return rows;
    }

    private static String at(Slope slope) {
        return Quantity.bytes(Long.parseLong(slope.series().param("bytes"))) + " a PE";
    }

    private static String exponent(Slope slope) {
        return Quantity.digits(slope.exponent()) + " ± " + Quantity.digits(slope.exponentError());
    }

    private static String perByte(Slope slope) {
        return Quantity.digits(slope.secondsPerUnit() * 1e9) + " ns a byte";
    }

    private Optional<TargetRow> steepestSparse() {
        List<Slope> slopes = Slope.over("messages", all.of("Sparse").by("nbx").measurements());
        return slopes.stream().max(Comparator.comparingDouble(Slope::exponent))
                .map(slope -> new TargetRow("sparse all-to-all, over messages",
                        slope.series().param("pes") + " PEs, "
                                + slope.series().param("receivers").toLowerCase(Locale.ROOT) + ", steepest of "
                                + slopes.size(),
                        "exponent " + exponent(slope) + ", " + Quantity.time(slope.secondsPerUnit()) + " each", "", "",
                        "exponent " + TargetRow.atMost(LINEAR), slope.exponent() <= LINEAR));
    }

    private Stream<TargetRow> lookUps(String prefix, String param, String symbol) {
        Selection lookUps = new Selection(all.measurements().stream()
                .filter(each -> each.key().shortName().startsWith(prefix))
                .filter(each -> each.key().param("replication").isEmpty()
                        || (each.key().param("replication").equals("4") && each.key().param("permuted").equals("true")))
                .toList());
        return Slope.over(param, lookUps.measurements()).stream()
                .map(slope -> lookUp(slope, lookUps.of(slope.series().shortName()), symbol));
    }

    private static TargetRow lookUp(Slope slope, Selection lookUp, String symbol) {
        double[] seconds = lookUp.measurements().stream().mapToDouble(Measurement::medianSeconds).sorted().toArray();
        return new TargetRow(slope.series().shortName() + ", over " + symbol,
                symbol + " = " + lookUp.numbers(slope.param()).getFirst() + " to "
                        + lookUp.numbers(slope.param()).getLast(),
                "exponent " + exponent(slope) + ", " + Quantity.time(seconds[0]) + " to "
                        + Quantity.time(seconds[seconds.length - 1]),
                "", "", "exponent " + TargetRow.atMost(INDEPENDENT), slope.exponent() <= INDEPENDENT);
    }

    /** Times for the same bytes in small blocks and in those of 64 bytes. */
    private List<TargetRow> manyBlocks(Operation operation) {
        List<TargetRow> rows = new ArrayList<>();
        for (Measurement small : operation.measurements.by("restore").with("blockBytes", SMALL_BLOCK_BYTES)
                .measurements()) {
            BenchmarkKey counterpart = small.key().with("blockBytes", Long.toString(BLOCK_BYTES));
            long bytes = Long.parseLong(small.key().param("bytes"));
            long blocks = bytes / SMALL_BLOCK_BYTES * Long.parseLong(small.key().param("pes"));
            operation.measurements.measurements().stream().filter(each -> each.key().equals(counterpart)).findFirst()
                    .ifPresent(usual -> rows.add(TargetRow.ofTimes(operation.name + ", blocks of 16 bytes",
                            String.format(Locale.ROOT, "%,d blocks, %s PEs", blocks, small.key().param("pes")),
                            small.medianSeconds(), "blocks of 64 bytes", usual.medianSeconds(), SMALL_BLOCKS)));
        }
        return rows;
    }
}
