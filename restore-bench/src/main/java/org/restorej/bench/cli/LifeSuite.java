package org.restorej.bench.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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
        NbxLibrary nbx = NbxLibrary.compiled(folder);
        FloorProgram floor = FloorProgram.compiled(folder);
        List<JmhResults> results = new ArrayList<>();
        for (int job = 0; job < settings.jobs(); job++) {
            for (int pes : settings.pes()) {
                for (JvmSetting setting : settings.jvmSettings()) {
                    for (MpiTransport transport : settings.transports(job)) {
                        progress.println("bench: job " + (job + 1) + " of " + settings.jobs() + ", " + pes + " ranks, "
                                + setting.text() + ", " + transport.text());
                        RankSettings ofRanks = new RankSettings(transport, nbx.file());
                        Path result = folder.resolve("life-" + results.size() + ".json");
                        ranks.live(settings, pes, setting, ofRanks, result);
                        results.add(JmhResults.read(result));
                        for (String scheme : setting.isMain() ? FileLife.schemes(pes) : List.<String>of()) {
                            Path ofFiles = folder.resolve("files-" + results.size() + ".json");
                            ranks.liveWithFiles(settings, pes, scheme, setting, ofRanks, ofFiles);
                            results.add(JmhResults.read(ofFiles));
                        }
                    }
                }
                floor.run(pes, settings.fileBytes(), ranks.filesIn()).ifPresent(results::add);
            }
        }
        return new Suite.Outcome(JmhResults.merge(results),
                Stream.of(nbx.leftOut(), floor.leftOut()).flatMap(List::stream).toList());
    }
}
