package org.restorej.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.restorej.bench.mpi.FileFloor;
import org.restorej.bench.mpi.FileLife;
import org.restorej.bench.mpi.JobLife;
import org.restorej.bench.mpi.MpiTransport;
import org.restorej.bench.result.Measurement;

/** How files are protected in the life of a job, and how far that is from what it is to be. Pure. */
final class FileLifeTable {
    private static final String NAME = "FileLife.";
    private static final String FLOOR_NAME = "FileFloor.";
    private static final String DEFAULT = "default";
    private static final long FILE_BYTES = 64 << 20;
    private static final long MAIN_PES = 4;
    private static final List<String> SCHEMES = List.of("XOR", "RS");
    private static final List<String> OPERATIONS = List.of("apply", "recover");
    private static final String INTRODUCTION = """
            Jobs that protect a file of each rank, lose those of one rank (XOR) or two (RS, k = 2), and recover them, by
            turns and with nothing warmed up. Milliseconds: the first call / the third / the median of the later ones.
            The floor is a program in C (`file_floor.c`) whose processes do nothing but read, compute CRC-32C, copy the
            pieces of others, add, write and replace. `shared+spare` is the fastest way that was found, which the
            library can't go: pieces lie in memory that all see, and the file of the generation before the last is
            kept, to be written again.
            """;

    private final Selection all;
    private final Selection floors;

    private FileLifeTable(List<Measurement> measurements) {
        all = named(NAME, measurements);
        floors = named(FLOOR_NAME, measurements);
    }

    private static Selection named(String name, List<Measurement> measurements) {
        return new Selection(measurements.stream().filter(each -> each.key().shortName().startsWith(name)).toList());
    }

    /** The section of a report, or nothing when none was measured. */
    static String text(List<Measurement> measurements) {
        FileLifeTable table = new FileLifeTable(measurements);
        if (table.all.measurements().isEmpty()) {
            return "";
        }
        return "## Files in the life of a job\n\n" + INTRODUCTION + "\n" + table.table() + "\n" + TargetRow.table(
                "Goals of protected files", "With 64 MiB a rank, and no options; redset's times are of another run.\n",
                table.goals());
    }

    private String table() {
        List<String> head = new ArrayList<>(List.of("ranks", "bytes", "JVM"));
        SCHEMES.forEach(scheme -> OPERATIONS.forEach(operation -> head.add(scheme + ", " + operation)));
        MarkdownTable table = new MarkdownTable(head);
        Selection jobs = all.of(NAME + "apply").with(FileLife.SCHEME, "XOR").with(JobLife.CALLS, JobLife.FIRST);
        for (long pes : jobs.numbers("pes")) {
            for (long bytes : jobs.with("pes", pes).numbers("bytes")) {
                addRows(table, pes, bytes, jobs.with("pes", pes).with("bytes", bytes).measurements());
            }
        }
        return table.toString();
    }

    private void addRows(MarkdownTable table, long pes, long bytes, List<Measurement> jobs) {
        Selection ofBytes = all.with("pes", pes).with("bytes", bytes);
        for (Measurement job : jobs) {
            Selection of = ofBytes.with(JobLife.SETTING, job.key().param(JobLife.SETTING)).with(MpiTransport.PARAM,
                    job.key().param(MpiTransport.PARAM));
            addRow(table, pes, bytes, setting(job), NAME, of);
        }
        Selection ofFloor = floors.with("pes", pes).with("bytes", bytes);
        for (String way : ofFloor.measurements().stream().map(each -> each.key().param(FileFloor.WAY)).distinct()
                .toList()) {
            addRow(table, pes, bytes, way.equals(FileFloor.BASE) ? FileFloor.FLOOR : FileFloor.FLOOR + ", " + way,
                    FLOOR_NAME,
                    ofFloor.with(FileFloor.WAY, way));
        }
    }

    private static void addRow(MarkdownTable table, long pes, long bytes, String how, String name, Selection of) {
        List<String> cells = new ArrayList<>(List.of(Long.toString(pes), Quantity.bytes(bytes), how));
        SCHEMES.forEach(scheme -> OPERATIONS.forEach(operation -> cells.add(calls(
                of.of(name + operation).with(FileLife.SCHEME, scheme)))));
        table.add(cells);
    }

    private static String setting(Measurement job) {
        String setting = job.key().param(JobLife.SETTING);
        return job.key().param(MpiTransport.PARAM).equals(MpiTransport.BINDINGS.text())
                ? setting + ", bindings"
                : setting;
    }

    private static String calls(Selection operation) {
        return Stream.of(JobLife.FIRST, FileLife.THIRD, JobLife.WARM)
                .flatMap(which -> operation.with(JobLife.CALLS, which).first().stream())
                .map(each -> Quantity.digits(each.medianSeconds() * 1e3)).collect(Collectors.joining(" / "));
    }

    private List<TargetRow> goals() {
        Selection usual = usual(new Selection(Transports.main(all.measurements())))
                .with(JobLife.SETTING, DEFAULT);
        Selection floor = usual(floors).with(FileFloor.WAY, FileFloor.BASE);
        List<TargetRow> rows = new ArrayList<>();
        for (RedsetGoal goal : RedsetGoal.ALL) {
            String what = "apply and recover, " + goal.scheme() + ", call " + goal.calls();
            String at = MAIN_PES + " PEs";
            both(NAME, usual, goal).ifPresent(ours -> {
                rows.add(TargetRow.ofTimes(what, at, ours, "redset", goal.redsetSeconds(), goal.most()));
                both(FLOOR_NAME, floor, goal)
                        .ifPresent(least -> rows.add(TargetRow.forComparison(what, at, ours, FileFloor.FLOOR, least)));
            });
        }
        return rows;
    }

    private static Selection usual(Selection of) {
        return of.with("bytes", FILE_BYTES).with("pes", MAIN_PES);
    }

    /** Seconds of both operations together, if both were measured. */
    private static Optional<Double> both(String name, Selection of, RedsetGoal goal) {
        Selection calls = of.with(FileLife.SCHEME, goal.scheme()).with(JobLife.CALLS, goal.calls());
        return calls.of(name + "apply").first().flatMap(apply -> calls.of(name + "recover").first()
                .map(recover -> apply.medianSeconds() + recover.medianSeconds()));
    }
}
