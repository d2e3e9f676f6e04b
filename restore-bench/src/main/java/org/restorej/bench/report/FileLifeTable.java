package org.restorej.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.restorej.bench.mpi.FileLife;
import org.restorej.bench.mpi.JobLife;
import org.restorej.bench.mpi.MpiTransport;
import org.restorej.bench.result.Measurement;

/** How files are protected in the life of a job, and how far that is from what it is to be. Pure. */
final class FileLifeTable {
    private static final String NAME = "FileLife.";
    private static final String DEFAULT = "default";
    private static final long FILE_BYTES = 64 << 20;
    private static final long MAIN_PES = 4;
    private static final List<String> SCHEMES = List.of("XOR", "RS");
    private static final List<String> OPERATIONS = List.of("apply", "recover");
    private static final String INTRODUCTION = """
            Jobs that protect a file of each rank, lose those of one rank (XOR) or two (RS, k = 2), and recover them, by
            turns and with nothing warmed up. Milliseconds: the first call / the third / the median of the later ones.
            """;

    private final Selection all;

    private FileLifeTable(List<Measurement> measurements) {
        all = new Selection(measurements.stream().filter(each -> each.key().shortName().startsWith(NAME)).toList());
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
        for (Measurement job : all.of(NAME + "apply").with(FileLife.SCHEME, "XOR").with(JobLife.CALLS, JobLife.FIRST)
                .measurements()) {
            Selection of = all.with("pes", job.key().param("pes")).with("bytes", job.key().param("bytes"))
                    .with(JobLife.SETTING, job.key().param(JobLife.SETTING))
                    .with(MpiTransport.PARAM, job.key().param(MpiTransport.PARAM));
            List<String> cells = new ArrayList<>(List.of(job.key().param("pes"),
                    Quantity.bytes(Long.parseLong(job.key().param("bytes"))), setting(job)));
            SCHEMES.forEach(scheme -> OPERATIONS.forEach(operation -> cells.add(calls(
                    of.of(NAME + operation).with(FileLife.SCHEME, scheme)))));
            table.add(cells);
        }
        return table.toString();
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
        Selection usual = new Selection(Transports.main(all.measurements())).with("bytes", FILE_BYTES)
                .with("pes", MAIN_PES).with(JobLife.SETTING, DEFAULT);
        return RedsetGoal.ALL.stream().flatMap(reference -> {
            Selection calls = usual.with(FileLife.SCHEME, reference.scheme()).with(JobLife.CALLS, reference.calls());
            Optional<Measurement> apply = calls.of(NAME + "apply").first();
            return apply.flatMap(ours -> calls.of(NAME + "recover").first()
                    .map(recover -> TargetRow.ofTimes(
                            "apply and recover, " + reference.scheme() + ", call " + reference.calls(),
                            MAIN_PES + " PEs", ours.medianSeconds() + recover.medianSeconds(), "redset",
                            reference.redsetSeconds(), reference.most())))
                    .stream();
        }).toList();
    }
}
