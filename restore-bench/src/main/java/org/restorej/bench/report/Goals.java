package org.restorej.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.restorej.bench.result.Measurement;

/** What the library is to reach, and how far it is: a line for each goal that the measurements tell of. Pure. */
final class Goals {
    static final String INTRODUCTION = """
            With 16 MiB a rank, blocks of 64 bytes, K = 4 and permutation ranges of 256 KiB, where nothing else is said.
            The wire limit and ISA-L from C were measured in the same run: ratios to them carry over to other machines.
            Times of C++ ReStore and of redset come from another run on two cores, and are for orientation.
            """;

    private static final long FILE_BYTES = 64 << 20;
    private static final long FIXED_BYTES = 64 << 20;
    private static final int MAIN_PES = 4;
    /** A time of C++ ReStore in seconds. */
    private static final double CPP_FIRST_PULL = 18e-3;
    private static final double REDSET_RATE = 1.7e9;
    private static final double PORTABLE_RATE = 4e9;

    private final Selection all;

    private Goals(Selection all) {
        this.all = all;
    }

    static List<TargetRow> of(List<Measurement> measurements) {
        Goals goals = new Goals(new Selection(measurements));
        List<TargetRow> rows = new ArrayList<>();
        rows.addAll(goals.againstReference("submit", "wire limit", TimeGoal.SUBMIT));
        rows.addAll(goals.againstReference("pull: a dead PE's share, spread over all", "C++ ReStore",
                TimeGoal.SPREAD_PULL));
        rows.addAll(goals.againstReference("pull: everyone another's whole share", "wire limit",
                TimeGoal.WHOLE_SHARES));
        rows.addAll(goals.firstPull());
        rows.addAll(goals.memory());
        rows.addAll(goals.nbx());
        rows.addAll(goals.isal());
        rows.addAll(goals.portable());
        rows.addAll(goals.redset());
        return rows;
    }

    private Selection store(String name) {
        return all.of(name).ofUsualStores().with("bytes", TimeGoal.BYTES);
    }

    private static String pes(long pes) {
        return pes + " PEs";
    }

    private List<TargetRow> againstReference(String what, String referenceName, TimeGoal goal) {
        List<TargetRow> rows = new ArrayList<>();
        for (long pes : all.numbers("pes")) {
            for (Measurement ours : all.with("pes", pes).measurements()) {
                goal.referenceSeconds(ours, all.measurements())
                        .ifPresent(reference -> rows.add(TargetRow.ofTimes(what, pes(pes), ours.medianSeconds(),
                                referenceName, reference, goal.most())));
            }
        }
        return rows;
    }

    private List<TargetRow> firstPull() {
        return store("FirstPull").with("pes", MAIN_PES).measurements().stream()
                .map(pull -> new TargetRow("the first pull of a JVM's life", pes(MAIN_PES),
                        Quantity.time(pull.medianSeconds()), "C++ ReStore " + Quantity.time(CPP_FIRST_PULL),
                        Quantity.digits(pull.medianSeconds() / CPP_FIRST_PULL),
                        "≤ " + Quantity.time(TimeGoal.FIRST_PULL_SECONDS),
                        pull.medianSeconds() <= TimeGoal.FIRST_PULL_SECONDS))
                .toList();
    }

    private List<TargetRow> memory() {
        List<TargetRow> rows = new ArrayList<>();
        for (Measurement submit : store("FirstPull").measurements()) {
            double memory = submit.counters().getOrDefault("memoryBytes", 0.0);
            double replicas = submit.counters().getOrDefault("replicaBytes", 0.0);
            if (memory > 0 && replicas > 0) {
                rows.add(new TargetRow("memory of a PE at the peak of its first submit",
                        submit.key().param("pes") + " PEs", Quantity.mebibytes(memory),
                        "replicas " + Quantity.mebibytes(replicas), Quantity.digits(memory / replicas),
                        "≤ 1.05 × replicas + " + Quantity.bytes(FIXED_BYTES),
                        memory <= 1.05 * replicas + FIXED_BYTES));
            }
        }
        return rows;
    }

    private List<TargetRow> nbx() {
        List<TargetRow> rows = new ArrayList<>();
        for (Measurement ours : all.of("Sparse").measurements()) {
            TimeGoal.NBX.referenceSeconds(ours, all.measurements())
                    .ifPresent(c -> rows.add(TargetRow.ofTimes("NBX, " + ours.key().param("messages") + " messages of "
                            + Quantity.bytes(Long.parseLong(ours.key().param("messageBytes"))) + " a PE, receivers "
                            + ours.key().param("receivers"), ours.key().param("pes") + " PEs", ours.medianSeconds(),
                            "C", c, TimeGoal.NBX.most())));
        }
        return rows;
    }

    private List<TargetRow> isal() {
        List<TargetRow> rows = new ArrayList<>();
        Selection encodings = all.of("Isal.encode");
        for (long pieceBytes : encodings.numbers("pieceBytes")) {
            Optional<Double> java = rate(encodings.with("pieceBytes", pieceBytes).by("isal"));
            Optional<Double> c = rate(encodings.with("pieceBytes", pieceBytes).by("isal-c"));
            if (java.isPresent() && c.isPresent()) {
                double ratio = java.get() / c.get();
                rows.add(new TargetRow("RS, k = 2, p = 8, one core, by ISA-L",
                        "pieces of " + Quantity.bytes(pieceBytes),
                        Quantity.rate(java.get()), "ISA-L from C " + Quantity.rate(c.get()), Quantity.digits(ratio),
                        "≥ 0.90", ratio >= 0.9));
            }
        }
        return rows;
    }

    private List<TargetRow> portable() {
        List<TargetRow> rows = new ArrayList<>();
        Map<String, String> methods = new LinkedHashMap<>();
        methods.put("apply", "all sources at once");
        methods.put("accumulate", "one source after the other");
        methods.forEach((method, how) -> {
            Selection kernels = all.of("ErasureKernel." + method).with("kernel", "swar").with("members", 8)
                    .with("checksums", 2);
            for (long pieceBytes : kernels.numbers("pieceBytes")) {
                rate(kernels.with("pieceBytes", pieceBytes)).ifPresent(rate -> rows.add(new TargetRow(
                        "RS, k = 2, p = 8, one core, without ISA-L, " + how, "pieces of " + Quantity.bytes(pieceBytes),
                        Quantity.rate(rate), "redset's best build " + Quantity.rate(REDSET_RATE),
                        Quantity.digits(rate / REDSET_RATE), "≥ " + Quantity.rate(PORTABLE_RATE),
                        rate >= PORTABLE_RATE)));
            }
        });
        return rows;
    }

    private static Optional<Double> rate(Selection of) {
        return of.first().map(each -> each.bytesPerSecond().orElse(0)).filter(rate -> rate > 0);
    }

    private List<TargetRow> redset() {
        List<TargetRow> rows = new ArrayList<>();
        for (RedsetGoal goal : RedsetGoal.later()) {
            String scheme = goal.scheme();
            Selection files = all.of("Redset").with("bytes", FILE_BYTES).with("pes", MAIN_PES).with("scheme", scheme)
                    .by("redset");
            Optional<Measurement> apply = files.with("operation", "apply").first();
            Optional<Measurement> recover = files.with("operation", "recover").first();
            if (apply.isPresent() && recover.isPresent()) {
                rows.add(TargetRow.ofTimes("files of 64 MiB: apply and recover, " + scheme
                        + (scheme.equals("RS") ? ", k = 2" : ""), pes(MAIN_PES),
                        apply.get().medianSeconds() + recover.get().medianSeconds(), "redset",
                        goal.redsetSeconds(), goal.most()));
            }
        }
        return rows;
    }
}
