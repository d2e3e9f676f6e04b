package org.restorej.bench.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.restorej.bench.c.CompiledRival;
import org.restorej.bench.c.ScratchFolder;
import org.restorej.bench.floor.FloorNbx;
import org.restorej.bench.floor.FloorShare;
import org.restorej.bench.floor.FloorXor;
import org.restorej.bench.mpi.DatasetsLife;
import org.restorej.bench.mpi.FileLife;
import org.restorej.bench.mpi.FileScheme;
import org.restorej.bench.mpi.JobLife;
import org.restorej.bench.mpi.LoopLife;
import org.restorej.bench.mpi.RecoveryLife;
import org.restorej.bench.mpi.RestartLife;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.JmhResults;
import org.restorej.bench.result.Measurement;
import org.restorej.bench.result.ProgramTimes;

/**
 * Measures jobs from their first call, one after the other. Jobs of the library and of rivals are interleaved, so that
 * other load affects all of them. Not thread-safe.
 */
final class LifeSuite {
    /** The method of the floor programs. */
    static final String FLOOR = "plain Java";
    /** As the JDK starts: without what bin/mpirun-java adds, a cache and other thresholds of the second compiler. */
    private static final List<String> AS_THE_JDK_STARTS = List.of("--vm", "-Xshare:auto", "--vm",
            "-XX:Tier4InvocationThreshold=5000", "--vm", "-XX:Tier4CompileThreshold=15000");
    private static final String RECOVERY = "recovery";
    /** How many turns of other jobs a round of a loop takes the place of, since it takes half a minute. */
    private static final int TURNS_PER_ROUND = 20;

    private final LifeSettings settings;
    private final RankJobs ranks;
    private final PrintStream progress;
    private final Path folder;
    private final List<Measurement> results = new ArrayList<>();
    private final List<String> leftOut = new ArrayList<>();

    /**
     * Measures nothing yet.
     *
     * @param settings what was chosen
     * @param ranks starts ranks
     * @param progress what goes on
     * @param folder for files between
     */
    LifeSuite(LifeSettings settings, RankJobs ranks, PrintStream progress, Path folder) {
        this.settings = settings;
        this.ranks = ranks;
        this.progress = progress;
        this.folder = folder;
    }

    /**
     * Runs it, once.
     *
     * @throws BenchmarkFailedException when a job fails, or can't be started
     */
    Suite.Outcome run() throws IOException {
        String missing = ranks.missing();
        if (!missing.isEmpty()) {
            throw new BenchmarkFailedException("MPI can't be used here: " + missing);
        }
        Optional<Path> cpp = compiled(CompiledRival.CPP_RESTORE, settings.cpp());
        Optional<Path> redset = compiled(CompiledRival.REDSET, settings.redset());
        for (int job = 1; job <= settings.jobs(); job++) {
            for (int pes : settings.pes()) {
                progress.println("bench: job " + job + " of " + settings.jobs() + ", " + pes + " ranks");
                ofStores(pes, cpp);
                ofFiles(pes, redset);
                if (pes > 1) {
                    ofPlainJava(pes);
                }
            }
        }
        if (results.isEmpty()) {
            throw new BenchmarkFailedException("there is no such job: --only=" + settings.only());
        }
        if (redset.isEmpty() && isWanted(CompiledRival.REDSET)) {
            leftOut.add("redset, beside protected files: --redset doesn't say where it is installed");
        }
        return new Suite.Outcome(JmhResults.merge(results), leftOut);
    }

    private boolean isWanted(CompiledRival rival) {
        return settings.isWanted(rival.text());
    }

    private Optional<Path> compiled(CompiledRival rival, Optional<Path> installed) {
        return installed.filter(_ -> isWanted(rival)).map(where -> {
            try {
                return rival.compile(where, folder);
            } catch (IOException impossible) {
                throw new BenchmarkFailedException(rival.text() + " can't be measured: " + impossible.getMessage(),
                        impossible);
            }
        });
    }

    private void ofStores(int pes, Optional<Path> cpp) throws IOException {
        Times store = new Times("JobLife", pes, settings.bytes(), CallGroups.EARLY_AND_LATER);
        ours(pes, JobLife.class, settings.bytes(), settings.turns()).ifPresent(store::note);
        if (pes > 1) {
            ours(pes, RecoveryLife.class, settings.bytes()).ifPresent(store::note);
            lived(pes, List.of("--restarts", "1"), RestartLife.class, settings.bytes(), System.currentTimeMillis())
                    .ifPresent(new Times("RestartLife", pes, settings.bytes(), CallGroups.ALL)::note);
        }
        if (pes > 1 && pes == settings.pes().getFirst()) {
            ours(pes, LoopLife.class, settings.bytes(), Math.ceilDiv(settings.turns(), TURNS_PER_ROUND))
                    .ifPresent(new Times("LoopLife", pes, settings.bytes(), CallGroups.ALL)::note);
        }
        if (cpp.isPresent()) {
            Path file = file();
            ranks.live(pes, cpp.get(), file, settings.bytes(), settings.turns(), pes);
            Map<String, List<Double>> times = ProgramTimes.read(file);
            // The nearest that it has to a first recovery as a whole.
            times.put(RECOVERY, times.getOrDefault("share", List.of()).subList(0, 1));
            store.note(times, CompiledRival.CPP_RESTORE.text());
        }
    }

    private void ofFiles(int pes, Optional<Path> redset) throws IOException {
        for (FileScheme scheme : FileScheme.of(pes)) {
            Times files = timesOfFiles(pes, scheme);
            ours(pes, FileLife.class, settings.fileBytes(), scheme)
                    .ifPresent(times -> files.note(withBothTogether(times)));
            if (redset.isPresent()) {
                files.note(withBothTogether(redset(pes, redset.get(), 1, scheme)), CompiledRival.REDSET.text());
            }
        }
        if (pes > 1) {
            Times datasets = new Times("DatasetsLife", pes, settings.fileBytes(), CallGroups.THIRD);
            ours(pes, DatasetsLife.class, settings.fileBytes()).ifPresent(datasets::note);
            if (redset.isPresent()) {
                datasets.note(Map.of("checkpoint", redset(pes, redset.get(), DatasetsLife.FILES, FileScheme.XOR)
                        .getOrDefault("apply", List.of())), CompiledRival.REDSET.text());
            }
        }
    }

    private Times timesOfFiles(int pes, FileScheme scheme) {
        return new Times("FileLife", pes, settings.fileBytes(), CallGroups.THIRD).with("scheme", scheme.name());
    }

    /** Times of both operations, and, turn by turn, of both together. */
    private static Map<String, List<Double>> withBothTogether(Map<String, List<Double>> times) {
        List<Double> apply = times.getOrDefault("apply", List.of());
        List<Double> recover = times.getOrDefault("recover", List.of());
        return Map.of("apply", apply, "recover", recover, "together",
                IntStream.range(0, apply.size()).mapToObj(turn -> apply.get(turn) + recover.get(turn)).toList());
    }

    private Map<String, List<Double>> redset(int pes, Path program, int fileCount, FileScheme scheme)
            throws IOException {
        Path file = file();
        try (ScratchFolder files = ScratchFolder.in(ranks.filesIn())) {
            List<Object> arguments = new ArrayList<>(
                    List.of(file, files.path(), settings.fileBytes(), fileCount, FileLife.TURNS));
            arguments.addAll(scheme.redsetArguments());
            ranks.live(pes, program, arguments.toArray());
        }
        return ProgramTimes.read(file);
    }

    /** What plain Java takes for the same, under Open MPI and with ISA-L; a failure is no failure of ours. */
    private void ofPlainJava(int pes) throws IOException {
        Times store = new Times("JobLife", pes, settings.bytes(), CallGroups.EARLY_AND_LATER);
        try (ScratchFolder files = ScratchFolder.in(ranks.filesIn())) {
            lived(pes, AS_THE_JDK_STARTS, FloorShare.class, settings.bytes(), settings.turns())
                    .ifPresent(times -> store.note(times, FLOOR));
            lived(pes, AS_THE_JDK_STARTS, FloorNbx.class, settings.turns())
                    .ifPresent(times -> store.note(times, FLOOR));
            lived(pes, AS_THE_JDK_STARTS, FloorXor.class, files.path(), settings.fileBytes(), FileLife.TURNS)
                    .ifPresent(times -> timesOfFiles(pes, FileScheme.XOR).note(withBothTogether(times), FLOOR));
        } catch (BenchmarkFailedException failure) {
            leftOut.add(FLOOR + ": " + failure.getMessage());
        }
    }

    private Optional<Map<String, List<Double>>> ours(int pes, Class<?> job, Object... arguments) throws IOException {
        return lived(pes, List.of(), job, arguments);
    }

    /** Times of a job, if that is wanted; it has run then. Its arguments follow the file for its times. */
    private Optional<Map<String, List<Double>>> lived(int pes, List<String> options, Class<?> job,
            Object... arguments) throws IOException {
        if (!settings.isWanted(job.getSimpleName())) {
            return Optional.empty();
        }
        Path file = file();
        List<Object> all = new ArrayList<>(List.of(arguments));
        all.addFirst(file);
        ranks.live(pes, options, job, all.toArray());
        return Optional.of(ProgramTimes.read(file));
    }

    private Path file() {
        return folder.resolve("times-" + results.size() + ".txt");
    }

    /** Makes measurements of times: what they are called, and which parameters they have. */
    private final class Times {
        private final BenchmarkKey key;
        private final CallGroups groups;

        private Times(BenchmarkKey key, CallGroups groups) {
            this.key = key;
            this.groups = groups;
        }

        Times(String job, int pes, long bytes, CallGroups groups) {
            this(BenchmarkKey.of(job).with("pes", Integer.toString(pes)).with("bytes", Long.toString(bytes)), groups);
        }

        Times with(String param, String value) {
            return new Times(key.with(param, value), groups);
        }

        void note(Map<String, List<Double>> times) {
            note(times, BenchmarkKey.OURS);
        }

        void note(Map<String, List<Double>> times, String method) {
            times.forEach((name, all) -> {
                String[] words = name.split("/", 2);
                BenchmarkKey named = new BenchmarkKey(key.benchmark() + "." + words[0], key.params())
                        .with(BenchmarkKey.METHOD, words.length > 1 ? words[1] : method);
                groups.of(all).forEach((calls, some) -> results
                        .add(Measurement.ofMillis(calls.isEmpty() ? named : named.with("calls", calls), some)));
            });
        }
    }
}
