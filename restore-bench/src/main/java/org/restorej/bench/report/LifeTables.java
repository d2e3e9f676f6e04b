package org.restorej.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.restorej.bench.mpi.CppLife;
import org.restorej.bench.mpi.JobLife;
import org.restorej.bench.mpi.MpiTransport;
import org.restorej.bench.mpi.RecoveryLife;
import org.restorej.bench.mpi.SubmitFloor;
import org.restorej.bench.result.Measurement;

/** The life of a job, as a table for each number of PEs, and how far its beginning is from what it is to be. Pure. */
final class LifeTables {
    private static final String NAME = "JobLife.";
    private static final String SUBMIT = "submit";
    private static final String SHARE = "share";
    private static final String WHOLES = "wholes";
    private static final String NBX = "nbx";
    private static final String NBX_IN_C = "nbx-c";
    private static final String RESTORE = "restore";
    private static final String DEFAULT = "default";
    private static final String PLAIN = "as the JDK starts";
    /** Of C++ ReStore on two cores, calls by turns as here, in seconds: its best, where a run hasn't measured it. */
    private static final double CPP_SHARE_ON_4 = 8.4e-3;
    private static final double CPP_SHARE_ON_8 = 3.5e-3;
    private static final double MOST_OF_CPP_SUBMIT = 0.3;
    private static final double MOST_OF_CPP_SHARE = 0.5;
    private static final double MOST_OF_MPI_CALLS = 1.5;
    private static final String FIRST_RECOVERY = "the first recovery, from a communicator to the data";
    /** Of programs that are none of the library's, by what stands in the place of how the JVM was started. */
    private static final Map<String, String> METHODS = Map.of(CppLife.SETTING, CppLife.METHOD, SubmitFloor.COPY,
            SubmitFloor.METHOD, SubmitFloor.SHARED, SubmitFloor.METHOD);
    private static final double MOST_RESIDENT_BYTES = 80 << 20;
    private static final String INTRODUCTION = """
            Jobs one after the other, nothing warmed up: a store is built, then by turns submitted to, a dead PE's share
            pulled, whole shares pulled, and beside each the same bytes moved by plain messages (wire limit); and 64
            messages of 64 bytes a PE exchanged by NBX, beside C. Milliseconds: the first call / the median of calls 2
            to 20 / the median of the later ones. From main: from the first line of the program's `main` until all PEs
            have built the store, by the clock of rank 0; what the JVM took before that is not in it.
            """;

    private static final String INTRODUCTION_OF_FLOOR = """
            The floor is a program in C (`submit_floor.c`) whose processes do nothing but bring each permutation range
            to its holders, into memory that nobody has touched before, and fetch whole shares out of that. They copy
            out of the sender's memory, as MPI does; or, where that is said, senders write into memory that all
            processes see.

            """;
    private static final String INTRODUCTION_OF_CPP = """
            C++ ReStore: a program of its own in the same run, between jobs of ours, with the same bytes, blocks,
            replicas, permutation ranges and requests. A store of its takes one submit, so each goes to a new one, whose
            making is not in the time.

            """;

    private final Selection all;

    private LifeTables(List<Measurement> measurements) {
        all = new Selection(measurements.stream().filter(each -> each.key().shortName().startsWith(NAME)).toList());
    }

    /** The section of a report, or nothing when no life was measured. */
    static String text(List<Measurement> measurements) {
        LifeTables tables = new LifeTables(measurements);
        if (tables.all.measurements().isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder("## The life of a job\n\n" + INTRODUCTION + "\n");
        tables.introduce(SubmitFloor.METHOD, INTRODUCTION_OF_FLOOR, text);
        tables.introduce(CppLife.METHOD, INTRODUCTION_OF_CPP, text);
        for (long pes : tables.all.numbers("pes")) {
            text.append(tables.table(pes)).append('\n');
        }
        return text.append(TargetRow.table("Goals of a job's beginning", "With 16 MiB a rank, and no options.\n",
                tables.goals())).toString();
    }

    private void introduce(String method, String introduction, StringBuilder text) {
        if (!all.by(method).measurements().isEmpty()) {
            text.append(introduction);
        }
    }

    private String table(long pes) {
        Selection ofPes = all.with("pes", pes);
        MarkdownTable table = new MarkdownTable(List.of(pes + " PEs", "from main", "build", "submit", "its wire limit",
                "a dead PE's share", "its wire limit", "whole shares", "its wire limit", "NBX", "NBX in C"));
        for (String setting : values(ofPes, JobLife.SETTING)) {
            Selection ofSetting = ofPes.with(JobLife.SETTING, setting);
            String method = METHODS.getOrDefault(setting, RESTORE);
            for (String transport : values(ofSetting, MpiTransport.PARAM)) {
                Selection of = ofSetting.with(MpiTransport.PARAM, transport);
                List<String> cells = new ArrayList<>(List.of(transport.equals(MpiTransport.BINDINGS.text())
                        ? setting + ", bindings"
                        : setting, calls(of, JobLife.FROM_MAIN, RESTORE), calls(of, "build", RESTORE)));
                for (String operation : List.of(SUBMIT, SHARE, WHOLES)) {
                    cells.add(calls(of, operation, method));
                    cells.add(calls(of, operation, "wire"));
                }
                cells.add(calls(of, NBX, NBX));
                cells.add(calls(of, NBX, NBX_IN_C));
                table.add(cells);
            }
        }
        return table.toString();
    }

    private static List<String> values(Selection of, String param) {
        return of.measurements().stream().map(each -> each.key().param(param)).distinct().toList();
    }

    private static String calls(Selection of, String operation, String method) {
        Selection calls = of.of(NAME + operation).by(method);
        return Stream.of(JobLife.FIRST, JobLife.EARLY, JobLife.WARM)
                .flatMap(which -> calls.with(JobLife.CALLS, which).first().stream())
                .map(each -> Quantity.digits(each.medianSeconds() * 1e3)).collect(Collectors.joining(" / "));
    }

    private List<TargetRow> goals() {
        List<TargetRow> rows = new ArrayList<>();
        Selection main = new Selection(Transports.main(all.measurements())).with("bytes", 16 << 20);
        Selection usual = main.with(JobLife.CALLS, JobLife.FIRST).by(RESTORE);
        for (long pes : List.of(4L, 8L)) {
            Selection first = usual.with("pes", pes);
            goal("a store's building", first.of(NAME + "build"), pes == 4 ? 0.5 : 1.2).ifPresent(rows::add);
            goal("the first submit", first.of(NAME + "submit"), pes == 4 ? 0.2 : 0.6).ifPresent(rows::add);
            goal("the first pull of a share", first.of(NAME + "share"), pes == 4 ? 8e-3 : 20e-3).ifPresent(rows::add);
            Selection usually = main.with("pes", pes).with(JobLife.SETTING, DEFAULT);
            ratio(usually, "submit", "submit", JobLife.FIRST, 3).ifPresent(rows::add);
            ratio(usually, "submit", "submit", JobLife.EARLY, 1.4).ifPresent(rows::add);
            ratio(usually, WHOLES, "pull: whole shares", JobLife.EARLY, 1.5).ifPresent(rows::add);
            rows.addAll(recovery(usually, main.with("pes", pes).by(CppLife.METHOD)));
            rows.addAll(besideFloor(usually, main.with("pes", pes).with(JobLife.SETTING, SubmitFloor.COPY)));
            rows.addAll(besideCpp(usually, main.with("pes", pes).by(CppLife.METHOD),
                    pes == 4 ? CPP_SHARE_ON_4 : CPP_SHARE_ON_8));
            memory(first.of(NAME + "submit")).ifPresent(rows::add);
            nbx(main.with("pes", pes)).ifPresent(rows::add);
        }
        return rows;
    }

    private static String named(String calls) {
        return calls.equals(JobLife.FIRST) ? "the first call" : "calls " + calls;
    }

    private static Optional<TargetRow> ratio(Selection of, String operation, String what, String calls, double most) {
        Selection these = of.of(NAME + operation).with(JobLife.CALLS, calls);
        return these.by(RESTORE).first().flatMap(ours -> these.by("wire").first()
                .map(wire -> TargetRow.ofTimes(what + ", " + named(calls), ours.key().param("pes") + " PEs",
                        ours.medianSeconds(), "wire limit", wire.medianSeconds(), most)));
    }

    /** A first recovery as a whole, beside its MPI calls and beside a first pull of C++ ReStore. */
    private static List<TargetRow> recovery(Selection ours, Selection cpp) {
        Selection recovery = ours.of(NAME + RecoveryLife.NAME);
        List<TargetRow> rows = new ArrayList<>();
        recovery.by(RESTORE).first().ifPresent(whole -> {
            String at = whole.key().param("pes") + " PEs";
            recovery.by("wire").first().ifPresent(calls -> rows.add(TargetRow.ofTimes(FIRST_RECOVERY, at,
                    whole.medianSeconds(), "its MPI calls alone", calls.medianSeconds(), MOST_OF_MPI_CALLS)));
            seconds(cpp, SHARE, JobLife.FIRST).ifPresent(pull -> rows.add(TargetRow.ofTimes(FIRST_RECOVERY, at,
                    whole.medianSeconds(), "first pull of C++ ReStore", pull, MOST_OF_CPP_SHARE)));
        });
        return rows;
    }

    /** Beside a program in C that only moves the bytes. */
    private static List<TargetRow> besideFloor(Selection ours, Selection floor) {
        return Stream.of(besideFloor(ours, floor, SUBMIT, SUBMIT, JobLife.FIRST),
                besideFloor(ours, floor, SUBMIT, SUBMIT, JobLife.EARLY),
                besideFloor(ours, floor, WHOLES, "pull: whole shares", JobLife.EARLY))
                .flatMap(Optional::stream).toList();
    }

    private static Optional<TargetRow> besideFloor(Selection ours, Selection floor, String operation, String what,
            String calls) {
        return ours.of(NAME + operation).with(JobLife.CALLS, calls).by(RESTORE).first()
                .flatMap(measured -> seconds(floor, operation, calls).map(least -> TargetRow.forComparison(
                        what + ", " + named(calls), measured.key().param("pes") + " PEs", measured.medianSeconds(),
                        SubmitFloor.COPY, least)));
    }

    /** Beside C++ ReStore in the same run; where that was not measured, beside another run's share. */
    private static List<TargetRow> besideCpp(Selection ours, Selection cpp, double shareOfAnotherRun) {
        if (cpp.measurements().isEmpty()) {
            return besideCpp(ours, SHARE, JobLife.EARLY, "C++ ReStore, another run", Optional.of(shareOfAnotherRun),
                    MOST_OF_CPP_SHARE).stream().toList();
        }
        return Stream.of(
                besideCpp(ours, SUBMIT, JobLife.FIRST, CppLife.SETTING, seconds(cpp, SUBMIT, JobLife.FIRST),
                        MOST_OF_CPP_SUBMIT),
                besideCpp(ours, SHARE, JobLife.FIRST, CppLife.SETTING, seconds(cpp, SHARE, JobLife.FIRST),
                        MOST_OF_CPP_SHARE),
                besideCpp(ours, SHARE, JobLife.EARLY, CppLife.SETTING, seconds(cpp, SHARE, JobLife.EARLY),
                        MOST_OF_CPP_SHARE))
                .flatMap(Optional::stream).toList();
    }

    private static Optional<TargetRow> besideCpp(Selection ours, String operation, String calls, String reference,
            Optional<Double> seconds, double most) {
        String what = operation.equals(SHARE) ? "pull: a dead PE's share" : operation;
        return ours.of(NAME + operation).with(JobLife.CALLS, calls).by(RESTORE).first()
                .flatMap(measured -> seconds.map(each -> TargetRow.ofTimes(what + ", " + named(calls),
                        measured.key().param("pes") + " PEs", measured.medianSeconds(), reference, each, most)));
    }

    private static Optional<Double> seconds(Selection of, String operation, String calls) {
        return of.of(NAME + operation).with(JobLife.CALLS, calls).first().map(Measurement::medianSeconds);
    }

    private static Optional<TargetRow> memory(Selection submit) {
        return submit.with(JobLife.SETTING, DEFAULT).first()
                .flatMap(ours -> Optional.ofNullable(ours.counters().get(JobLife.RESIDENT))
                        .map(bytes -> new TargetRow("memory of a rank beside data and replicas",
                                ours.key().param("pes") + " PEs", Quantity.mebibytes(bytes), "", "",
                                "≤ " + Quantity.mebibytes(MOST_RESIDENT_BYTES), bytes <= MOST_RESIDENT_BYTES)));
    }

    private static Optional<TargetRow> nbx(Selection ofPes) {
        Selection later = ofPes.of(NAME + NBX).with(JobLife.SETTING, DEFAULT).with(JobLife.CALLS, JobLife.WARM);
        return later.by(NBX).first().flatMap(ours -> later.by(NBX_IN_C).first()
                .map(c -> TargetRow.ofTimes("NBX, later calls", ours.key().param("pes") + " PEs", ours.medianSeconds(),
                        "C", c.medianSeconds(), TimeGoal.NBX.most())));
    }

    private static Optional<TargetRow> goal(String what, Selection first, double mostSeconds) {
        return first.with(JobLife.SETTING, DEFAULT).first().map(ours -> {
            Optional<Double> plain = first.with(JobLife.SETTING, PLAIN).first()
                    .map(Measurement::medianSeconds);
            double seconds = ours.medianSeconds();
            return new TargetRow(what, ours.key().param("pes") + " PEs", Quantity.time(seconds),
                    plain.map(each -> PLAIN + " " + Quantity.time(each)).orElse(""),
                    plain.map(each -> Quantity.digits(seconds / each)).orElse(""), "≤ " + Quantity.time(mostSeconds),
                    seconds <= mostSeconds);
        });
    }
}
