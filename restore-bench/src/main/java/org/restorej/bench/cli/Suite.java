package org.restorej.bench.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.restorej.bench.result.JmhResults;

/**
 * Measures what was chosen. One thread.
 *
 * @param settings what was chosen
 * @param jvm whether also what one JVM does
 * @param ranks starts ranks
 * @param mpi whether also what ranks do together
 * @param progress what goes on
 */
record Suite(SuiteSettings settings, boolean jvm, RankJobs ranks, boolean mpi, PrintStream progress) {
    /**
     * What a suite has left.
     *
     * @param results of all that was measured
     * @param leftOut what was not, and why
     */
    record Outcome(JmhResults results, List<String> leftOut) {}

    /**
     * Runs it.
     *
     * @param folder for files between
     * @throws BenchmarkFailedException when a benchmark fails, or there is none
     */
    Outcome run(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        List<String> leftOut = new ArrayList<>();
        if (mpi) {
            String missing = ranks.missing();
            if (missing.isEmpty()) {
                files.addAll(runRanks(folder));
            } else {
                leftOut.add("what ranks do together, since MPI can't be used here: " + missing);
            }
        }
        if (jvm) {
            files.addAll(new JvmSuite(settings).run(folder, progress));
        }
        List<JmhResults> results = new ArrayList<>();
        for (Path file : files) {
            results.add(JmhResults.read(file));
        }
        if (results.isEmpty()) {
            throw new BenchmarkFailedException(leftOut.isEmpty()
                    ? "there is no such benchmark: --only=" + settings.only()
                    : String.join("; ", leftOut));
        }
        return new Outcome(JmhResults.merge(results), leftOut);
    }

    private List<Path> runRanks(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        List<MpiJob> jobs = new CollectiveSuite(settings).jobs();
        for (int number = 0; number < jobs.size(); number++) {
            MpiJob job = jobs.get(number);
            progress.println("bench: job " + (number + 1) + " of " + jobs.size() + ", " + job.pes() + " ranks");
            files.addAll(ranks.run(job, folder, number));
        }
        return files;
    }
}
