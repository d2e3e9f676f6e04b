package org.restorej.bench.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.restorej.bench.c.CompiledNbx;
import org.restorej.bench.c.CompiledRival;
import org.restorej.bench.c.ScratchFolder;
import org.restorej.bench.floor.FloorNbx;
import org.restorej.bench.floor.FloorShare;
import org.restorej.bench.floor.FloorXor;
import org.restorej.bench.mpi.BackgroundLife;
import org.restorej.bench.mpi.CppLife;
import org.restorej.bench.mpi.DatasetsLife;
import org.restorej.bench.mpi.FileLife;
import org.restorej.bench.mpi.FileScheme;
import org.restorej.bench.mpi.JobLife;
import org.restorej.bench.mpi.LoopLife;
import org.restorej.bench.mpi.RecoveryLife;
import org.restorej.bench.mpi.RedsetLife;
import org.restorej.bench.result.JmhResults;

/**
 * Measures the lives of jobs, one after the other: alternately one of each kind, so that what else goes on happens to
 * all. One thread.
 *
 * @param settings what was chosen
 * @param ranks starts ranks
 * @param progress what goes on
 */
record LifeSuite(LifeSettings settings, RankJobs ranks, PrintStream progress) {
    private static final int LATE_MILLIS = 100;
    /** A turn takes about a second. */
    private static final int MAX_TURNS_IN_BACKGROUND = 15;
    /** Of a rank's checkpoint. */
    private static final List<Integer> FILE_COUNTS = List.of(1, 20);
    /** The method of the floor programs. */
    private static final String FLOOR = "plain Java";

    /** How the ranks of a job are started. */
    private record Start(int pes, JvmSetting setting, Optional<Path> nbx) {}

    /**
     * Runs it.
     *
     * @param folder for files between
     * @throws BenchmarkFailedException when a job fails, or can't be started
     */
    Suite.Outcome run(Path folder) throws IOException {
        String missing = ranks.missing();
        if (!missing.isEmpty()) {
            throw new BenchmarkFailedException("MPI can't be used here: " + missing);
        }
        Optional<Path> cpp = compiled(CompiledRival.CPP_RESTORE, settings.cpp(), folder);
        Optional<Path> redset = compiled(CompiledRival.REDSET, settings.redset(), folder);
        List<String> leftOut = new ArrayList<>();
        Optional<Path> nbx = CompiledNbx.compileIfPossible(folder, leftOut);
        List<JmhResults> results = new ArrayList<>();
        for (int job = 0; job < settings.jobs(); job++) {
            for (int pes : settings.pes()) {
                for (JvmSetting setting : settings.jvmSettings(job)) {
                    say(job, pes, setting.text());
                    Start start = new Start(pes, setting, nbx);
                    live(start, folder, results);
                    protect(start, redset, folder, results);
                    if (setting == JvmSetting.PLAIN && pes > 1) {
                        floor(pes, folder, results, leftOut);
                    }
                }
                if (cpp.isPresent() && settings.isWanted(CppLife.METHOD)) {
                    say(job, pes, CppLife.METHOD);
                    Path times = folder.resolve("cpp-" + results.size() + ".txt");
                    ranks.live(pes, cpp.get(), times, settings.bytes(), settings.turns(), pes);
                    results.add(CppLife.read(times, pes, settings.bytes()));
                }
            }
        }
        if (results.isEmpty()) {
            throw new BenchmarkFailedException("there is no such job: --only=" + settings.only());
        }
        if (redset.isEmpty() && settings.isWanted(RedsetLife.METHOD)) {
            leftOut.add(RedsetLife.METHOD + ", beside protected files: --redset doesn't say where it is installed");
        }
        return new Suite.Outcome(JmhResults.merge(results), leftOut);
    }

    private void say(int job, int pes, String what) {
        progress.println("bench: job " + (job + 1) + " of " + settings.jobs() + ", " + pes + " ranks, " + what);
    }

    private void live(Start start, Path folder, List<JmhResults> results) throws IOException {
        String jvm = start.setting().text();
        run(start, folder, results, JobLife.class, settings.bytes(), settings.turns(), jvm);
        if (start.pes() > 1) {
            run(start, folder, results, RecoveryLife.class, settings.bytes(), jvm);
            run(start, folder, results, BackgroundLife.class, settings.bytes(), turnsInBackground(), jvm, LATE_MILLIS);
        }
        if (start.setting() == JvmSetting.DEFAULT && start.pes() == settings.pes().getFirst() && start.pes() > 1) {
            run(start, folder, results, LoopLife.class, settings.bytes(), Math.ceilDiv(settings.turns(), 2), jvm);
        }
    }

    /** What plain Java takes for the same, under Open MPI and with ISA-L; a failure is no failure of ours. */
    private void floor(int pes, Path folder, List<JmhResults> results, List<String> leftOut) throws IOException {
        Path times = folder.resolve("floor-" + results.size() + ".txt");
        try (ScratchFolder files = ScratchFolder.in(ranks.filesIn())) {
            if (isLived(pes, FloorShare.class, times, settings.bytes(), settings.turns())) {
                results.add(CppLife.read(times, pes, settings.bytes(), "share", FLOOR));
            }
            if (isLived(pes, FloorNbx.class, times, settings.turns())) {
                results.add(CppLife.read(times, pes, settings.bytes(), "nbx", FLOOR));
            }
            if (isLived(pes, FloorXor.class, times, files.path(), settings.fileBytes(), FileLife.TURNS)) {
                results.add(RedsetLife.read(times, pes, settings.fileBytes(), FileScheme.XOR, FLOOR));
            }
        } catch (BenchmarkFailedException failure) {
            leftOut.add(FLOOR + ": " + failure.getMessage());
        }
    }

    /** Whether a floor program was wanted; it has run then. */
    private boolean isLived(int pes, Class<?> program, Object... arguments) throws IOException {
        boolean wanted = settings.isWanted(program.getSimpleName());
        if (wanted) {
            ranks.live(pes, JvmSetting.PLAIN, Optional.empty(), program, arguments);
        }
        return wanted;
    }

    /** Runs a job, if that is wanted. Its arguments follow the file for its results. */
    private void run(Start start, Path folder, List<JmhResults> results, Class<?> life, Object... arguments)
            throws IOException {
        if (settings.isWanted(life.getSimpleName())) {
            Path result = folder.resolve(life.getSimpleName() + "-" + results.size() + ".json");
            List<Object> all = new ArrayList<>(List.of(arguments));
            all.addFirst(result);
            ranks.live(start.pes(), start.setting(), start.nbx(), life, all.toArray());
            results.add(JmhResults.read(result));
        }
    }

    private int turnsInBackground() {
        return Math.min(settings.turns(), MAX_TURNS_IN_BACKGROUND);
    }

    /** Jobs that protect files, each by one scheme, and redset's beside those that start as jobs do. */
    private void protect(Start start, Optional<Path> redset, Path folder, List<JmhResults> results)
            throws IOException {
        boolean isDefault = start.setting() == JvmSetting.DEFAULT;
        for (FileScheme scheme : FileScheme.of(start.pes())) {
            if (isDefault || scheme.isMain()) {
                run(start, folder, results, FileLife.class, settings.fileBytes(), scheme.name(),
                        start.setting().text());
            }
            if (isDefault && redset.isPresent() && settings.isWanted(RedsetLife.METHOD)) {
                Path times = redset(start.pes(), redset.get(), 1, scheme, folder, results.size());
                results.add(RedsetLife.read(times, start.pes(), settings.fileBytes(), scheme, RedsetLife.METHOD));
            }
        }
        for (int files : isDefault && start.pes() > 1 ? FILE_COUNTS : List.<Integer>of()) {
            run(start, folder, results, DatasetsLife.class, settings.fileBytes(), files, start.setting().text());
            if (redset.isPresent() && settings.isWanted(RedsetLife.METHOD)) {
                Path times = redset(start.pes(), redset.get(), files, FileScheme.XOR, folder, results.size());
                results.add(RedsetLife.readCheckpoints(times, start.pes(), settings.fileBytes(), files));
            }
        }
    }

    private Path redset(int pes, Path program, int fileCount, FileScheme scheme, Path folder, int number)
            throws IOException {
        Path times = folder.resolve("redset-" + number + ".txt");
        try (ScratchFolder files = ScratchFolder.in(ranks.filesIn())) {
            List<Object> arguments = new ArrayList<>(
                    List.of(times, files.path(), settings.fileBytes(), fileCount, FileLife.TURNS));
            arguments.addAll(scheme.redsetArguments());
            ranks.live(pes, program, arguments.toArray());
        }
        return times;
    }

    private static Optional<Path> compiled(CompiledRival rival, Optional<Path> installed, Path folder) {
        return installed.map(where -> {
            try {
                return rival.compile(where, folder);
            } catch (IOException impossible) {
                throw new BenchmarkFailedException(rival.text() + " can't be measured: " + impossible.getMessage(),
                        impossible);
            }
        });
    }
}
