package org.restorej.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hipparchus.stat.regression.SimpleRegression;
import org.restorej.bench.result.Measurement;
import org.restorej.bench.scale.PlanScale;

/** What one PE does alone for an operation, and how that grows with the number of PEs. Pure. */
final class ScaleTable {
    private static final String NAME = "PlanScale.";
    private static final String INTRODUCTION = """
            The part of one PE in each operation that needs no communication, with 16 MiB of data a PE, blocks of 64
            bytes, four replicas, permutation ranges of 256 KiB; where PEs are dead, one in a hundred. CPU time of the
            thread and bytes that it allocates. The exponents are those of power laws: 1 is linear growth, 0 none.
            """;
    /** What no plan is to take, by the number of PEs. */
    private static final Map<Long, Double> MOST_SECONDS = Map.of(24_576L, 10e-3, 1_000_000L, 100e-3);

    private final Selection all;

    private ScaleTable(List<Measurement> measurements) {
        all = new Selection(measurements.stream().filter(each -> each.key().shortName().startsWith(NAME)).toList());
    }

    /** The section of a report, or nothing when no plan was measured. */
    static String text(List<Measurement> measurements) {
        ScaleTable table = new ScaleTable(measurements);
        return table.all.measurements().isEmpty()
                ? ""
                : "## What grows with P\n\n" + INTRODUCTION + "\n" + table.table() + "\n"
                        + TargetRow.table("Goals of plans", "Of every plan.\n", table.goals());
    }

    private String table() {
        List<Long> pes = all.numbers(PlanScale.PES);
        List<String> head = new ArrayList<>(List.of(""));
        pes.forEach(each -> head.add("P = " + each));
        head.addAll(List.of("exponent of time", "of bytes"));
        MarkdownTable table = new MarkdownTable(head);
        for (String name : all.measurements().stream().map(each -> each.key().shortName()).distinct().toList()) {
            Selection plan = all.of(name);
            SimpleRegression time = new SimpleRegression();
            SimpleRegression bytes = new SimpleRegression();
            List<String> cells = new ArrayList<>(List.of(name.substring(NAME.length())));
            for (long each : pes) {
                Optional<Measurement> measured = plan.with(PlanScale.PES, each).first();
                measured.ifPresent(one -> {
                    time.addData(Math.log((double) each), Math.log(one.medianSeconds()));
                    bytes.addData(Math.log((double) each), Math.log(allocated(one)));
                });
                cells.add(measured.map(one -> Quantity.time(one.medianSeconds()) + ", "
                        + Quantity.mebibytes(allocated(one))).orElse(""));
            }
            cells.addAll(List.of(exponent(time), exponent(bytes)));
            table.add(cells);
        }
        return table.toString();
    }

    private static double allocated(Measurement measurement) {
        return measurement.counters().getOrDefault(PlanScale.ALLOCATED, Double.NaN);
    }

    private static String exponent(SimpleRegression power) {
        return power.getN() < 2 ? "" : Quantity.digits(power.getSlope());
    }

    private List<TargetRow> goals() {
        List<TargetRow> rows = new ArrayList<>();
        for (long pes : all.numbers(PlanScale.PES)) {
            Double most = MOST_SECONDS.get(pes);
            if (most == null) {
                continue;
            }
            for (Measurement plan : all.with(PlanScale.PES, pes).measurements()) {
                rows.add(new TargetRow(plan.key().shortName().substring(NAME.length()), pes + " PEs",
                        Quantity.time(plan.medianSeconds()), "", "", "≤ " + Quantity.time(most),
                        plan.medianSeconds() <= most));
            }
        }
        return rows;
    }
}
