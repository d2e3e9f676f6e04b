package org.restorej.bench.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.restorej.bench.c.CompiledCppRestore;
import org.restorej.bench.c.CompiledFloor;
import org.restorej.bench.mpi.CppLife;
import org.restorej.bench.mpi.FileLife;
import org.restorej.bench.mpi.MpiTransport;
import org.restorej.bench.result.JmhResults;

/**
 * Measures the lives of jobs, one after the other: by turns one of each kind, so that what else goes on happens to all.
 * One thread.
 *
 * @param settings what was chosen
 * @param ranks starts ranks
 * @param progress what goes on
 */
record LifeSuite(LifeSettings settings, RankJobs ranks, PrintStream progress) {
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
        Optional<Path> cpp = compiledCpp(folder);
        NbxLibrary nbx = NbxLibrary.compiled(folder);
        List<FloorProgram> floors = floors(folder);
        List<JmhResults> results = new ArrayList<>();
        for (int job = 0; job < settings.jobs(); job++) {
            for (int pes : settings.pes()) {
                for (JvmSetting setting : settings.jvmSettings(job)) {
                    for (MpiTransport transport : settings.transports(job)) {
                        say(job, pes, setting.text() + ", " + transport.text());
                        live(pes, setting, new RankSettings(transport, nbx.file()), folder, results);
                    }
                }
                if (cpp.isPresent()) {
                    say(job, pes, CppLife.METHOD);
                    Path times = folder.resolve("cpp-" + results.size() + ".txt");
                    ranks.liveInCpp(settings, pes, cpp.get(), times);
                    results.add(CppLife.read(times, pes, settings.bytes()));
                }
                for (FloorProgram floor : floors) {
                    say(job, pes, floor.name());
                    floor.run(pes).ifPresent(results::add);
                }
            }
        }
        return new Suite.Outcome(JmhResults.merge(results), Stream.concat(nbx.leftOut().stream(),
                floors.stream().flatMap(floor -> floor.leftOut().stream())).toList());
    }

    /** Their processes are all of this machine, and bound to no core. */
    private List<FloorProgram> floors(Path folder) {
        return Stream.of(CompiledFloor.values()).map(floor -> ranks.oneRankPerCore()
                ? FloorProgram.without(floor, new IOException("ranks are bound to cores, perhaps of other nodes"))
                : FloorProgram.compiled(floor, folder, settings, ranks.filesIn())).toList();
    }

    private void say(int job, int pes, String what) {
        progress.println("bench: job " + (job + 1) + " of " + settings.jobs() + ", " + pes + " ranks, " + what);
    }

    private void live(int pes, JvmSetting setting, RankSettings ofRanks, Path folder, List<JmhResults> results)
            throws IOException {
        Path result = folder.resolve("life-" + results.size() + ".json");
        ranks.live(settings, pes, setting, ofRanks, result);
        results.add(JmhResults.read(result));
        if (setting.isMain() && pes > 1) {
            Path ofRecovery = folder.resolve("recovery-" + results.size() + ".json");
            ranks.liveWithRecovery(settings, pes, setting, ofRanks, ofRecovery);
            results.add(JmhResults.read(ofRecovery));
        }
        for (String scheme : setting.isMain() ? FileLife.schemes(pes) : List.<String>of()) {
            Path ofFiles = folder.resolve("files-" + results.size() + ".json");
            ranks.liveWithFiles(settings, pes, scheme, setting, ofRanks, ofFiles);
            results.add(JmhResults.read(ofFiles));
        }
    }

    private Optional<Path> compiledCpp(Path folder) {
        return settings.cpp().map(headers -> {
            try {
                return CompiledCppRestore.compile(headers, folder);
            } catch (IOException impossible) {
                throw new BenchmarkFailedException("C++ ReStore can't be measured: " + impossible.getMessage(),
                        impossible);
            }
        });
    }
}
