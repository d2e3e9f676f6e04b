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
import org.restorej.bench.mpi.BackgroundLife;
import org.restorej.bench.mpi.CppLife;
import org.restorej.bench.mpi.FileLife;
import org.restorej.bench.mpi.FileScheme;
import org.restorej.bench.mpi.JobLife;
import org.restorej.bench.mpi.MpiTransport;
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
    private static final int MOST_TURNS_IN_BACKGROUND = 15;

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
        FloorProgram floor = floor(folder);
        List<JmhResults> results = new ArrayList<>();
        String missingNodes = ranks.missingNodes();
        for (int job = 0; job < settings.jobs(); job++) {
            for (int pes : settings.pes()) {
                for (JvmSetting setting : settings.jvmSettings(job)) {
                    for (MpiTransport transport : settings.transports(job)) {
                        say(job, pes, setting.text() + ", " + transport.text());
                        RankSettings ofRanks = new RankSettings(transport, nbx);
                        live(pes, setting, ofRanks, folder, results);
                        if (setting.isMain()) {
                            protect(pes, setting, ofRanks, redset, folder, results);
                        }
                    }
                }
                if (cpp.isPresent()) {
                    say(job, pes, CppLife.METHOD);
                    Path times = folder.resolve("cpp-" + results.size() + ".txt");
                    ranks.live(pes, cpp.get(), times, settings.bytes(), settings.turns(), pes);
                    results.add(CppLife.read(times, pes, settings.bytes()));
                }
                say(job, pes, FloorProgram.NAME);
                floor.run(pes).ifPresent(results::add);
            }
            if (missingNodes.isEmpty()) {
                say(job, 2, "on two nodes");
                Path betweenNodes = folder.resolve("nodes-" + job + ".json");
                ranks.liveBetweenNodes(BackgroundLife.class, betweenNodes, settings.bytes(), turnsInBackground(),
                        JvmSetting.DEFAULT.text(), 0);
                results.add(JmhResults.read(betweenNodes));
            }
        }
        leftOut.addAll(floor.leftOut());
        if (redset.isEmpty()) {
            leftOut.add(RedsetLife.METHOD + ", beside protected files: --redset doesn't say where it is installed");
        }
        if (!missingNodes.isEmpty()) {
            leftOut.add("submits between nodes: " + missingNodes);
        }
        return new Suite.Outcome(JmhResults.merge(results), leftOut);
    }

    /** Its processes are all of this machine, and bound to no core. */
    private FloorProgram floor(Path folder) {
        return ranks.oneRankPerCore()
                ? FloorProgram.without(new IOException("ranks are bound to cores, perhaps of other nodes"), settings)
                : FloorProgram.compiled(folder, settings);
    }

    private void say(int job, int pes, String what) {
        progress.println("bench: job " + (job + 1) + " of " + settings.jobs() + ", " + pes + " ranks, " + what);
    }

    private void live(int pes, JvmSetting setting, RankSettings ofRanks, Path folder, List<JmhResults> results)
            throws IOException {
        Path result = folder.resolve("life-" + results.size() + ".json");
        ranks.live(pes, setting, ofRanks, JobLife.class, result, settings.bytes(), settings.turns(), setting.text());
        results.add(JmhResults.read(result));
        if (setting.isMain() && pes > 1) {
            Path ofRecovery = folder.resolve("recovery-" + results.size() + ".json");
            ranks.live(pes, setting, ofRanks, RecoveryLife.class, ofRecovery, settings.bytes(), setting.text());
            results.add(JmhResults.read(ofRecovery));
            Path ofBackground = folder.resolve("background-" + results.size() + ".json");
            ranks.live(pes, setting, ofRanks, BackgroundLife.class, ofBackground, settings.bytes(),
                    turnsInBackground(), setting.text(), LATE_MILLIS);
            results.add(JmhResults.read(ofBackground));
        }
    }

    private int turnsInBackground() {
        return Math.min(settings.turns(), MOST_TURNS_IN_BACKGROUND);
    }

    /** Jobs that protect files, each by one scheme, and redset's beside those that start as jobs do. */
    private void protect(int pes, JvmSetting setting, RankSettings ofRanks, Optional<Path> redset, Path folder,
            List<JmhResults> results) throws IOException {
        for (FileScheme scheme : FileScheme.of(pes)) {
            if (setting == JvmSetting.DEFAULT || scheme.isMain()) {
                Path ofFiles = folder.resolve("files-" + results.size() + ".json");
                ranks.live(pes, setting, ofRanks, FileLife.class, ofFiles, settings.fileBytes(), scheme.name(),
                        setting.text());
                results.add(JmhResults.read(ofFiles));
            }
            if (setting == JvmSetting.DEFAULT && redset.isPresent()) {
                Path times = folder.resolve("redset-" + results.size() + ".txt");
                try (ScratchFolder files = ScratchFolder.in(ranks.filesIn())) {
                    List<Object> arguments = new ArrayList<>(
                            List.of(times, files.path(), settings.fileBytes(), FileLife.TURNS));
                    arguments.addAll(scheme.redsetArguments());
                    ranks.live(pes, redset.get(), arguments.toArray());
                }
                results.add(RedsetLife.read(times, pes, settings.fileBytes(), scheme));
            }
        }
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
