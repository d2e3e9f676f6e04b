package org.restorej.bench.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.restorej.bench.c.CompiledNbx;
import org.restorej.bench.kernel.MeasurableKernels;
import org.restorej.bench.mpi.MpiTransport;
import org.restorej.bench.result.JmhResults;

/**
 * Measures what was chosen. One thread.
 *
 * @param settings what was chosen
 * @param jvm whether also what one JVM does
 * @param ranks starts ranks
 * @param mpi whether also what ranks do together
 * @param transports how ranks call MPI, alternately
 * @param progress what goes on
 */
record Suite(SuiteSettings settings, boolean jvm, RankJobs ranks, boolean mpi, List<MpiTransport> transports,
        PrintStream progress) {
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
                files.addAll(runRanks(folder, leftOut));
            } else {
                leftOut.add("what ranks do together, since MPI can't be used here: " + missing);
            }
        }
        if (jvm) {
            JvmSuite suite = new JvmSuite(settings, MeasurableKernels.ofThisMachine());
            files.addAll(suite.run(folder, progress));
            leftOut.addAll(suite.leftOut());
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

    private List<Path> runRanks(Path folder, List<String> leftOut) throws IOException {
        List<Path> files = new ArrayList<>();
        boolean isSparseWanted = new CollectiveSuite(settings).jobs().stream().flatMap(job -> job.runs().stream())
                .anyMatch(run -> run.include().contains(CollectiveSuite.SPARSE));
        Optional<Path> nbx = isSparseWanted ? CompiledNbx.compileIfPossible(folder, leftOut) : Optional.empty();
        List<MpiJob> jobs = new CollectiveSuite(settings, nbx.isPresent()).jobs();
        for (int number = 0; number < jobs.size(); number++) {
            MpiJob job = jobs.get(number);
            for (MpiTransport transport : number % 2 == 0 ? transports : transports.reversed()) {
                progress.println("bench: job " + (number + 1) + " of " + jobs.size() + ", " + job.pes() + " ranks, "
                        + transport.text());
                files.addAll(ranks.run(job, folder, transports.size() * number + transports.indexOf(transport),
                        new RankSettings(transport, nbx)));
            }
        }
        return files;
    }
}
