package org.restorej.demo.phylo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.restorej.cli.command.OutputPath;
import org.restorej.cli.command.Redundancy;
import org.restorej.comm.Communicator;
import org.restorej.demo.phylo.run.FailureSchedule;
import org.restorej.redset.LoopFiles;
import org.restorej.redset.ScrConfigurationParser;

/**
 * The PEs of a run and their failures: options that have been checked.
 *
 * @param transport threads or MPI
 * @param pes number of PEs
 * @param redundancy how the store keeps blocks
 * @param failures the PEs that fail, by iteration
 * @param kills whether PEs are processes that are killed
 * @param restarts maximum number of restarts of the job
 * @param files where the run is saved, if anywhere
 */
record RunPlan(Transport transport, int pes, Redundancy redundancy, FailureSchedule failures, boolean kills,
        int restarts, Optional<LoopFiles> files) {
    private static final int DEFAULT_REPLICATION = 3;
    /** {@link org.restorej.comm.local.LocalCluster} has no more. */
    private static final int MAX_THREADS = 4096;
    /** A folder of this run in that of the files. */
    private static final String RUN = "demo";
    private static final int MAX_RESTARTS = 999;

    /**
     * Checks options.
     *
     * @param iterations how many there are at most
     * @param surelyReached how many there are at least: when failures that the user has not named happen
     * @param errors takes a message for each mistake, and may have some already
     */
    static RunPlan of(PhyloOptions options, int iterations, int surelyReached, List<String> errors) {
        Transport transport = options.restarts > 0 ? Transport.MPI : options.transport;
        if (transport == Transport.LOCAL && options.mpi != null) {
            errors.add("--mpi needs --transport mpi: --mpi=" + options.mpi);
        }
        Redundancy redundancy = redundancy(options, transport, errors);
        FailureSchedule failures = failures(options, iterations, surelyReached, redundancy, errors);
        if (options.restarts < 0 || options.restarts > MAX_RESTARTS) {
            errors.add("--restarts must be in 0.." + MAX_RESTARTS + ": --restarts=" + options.restarts);
        }
        return new RunPlan(transport, options.pes, redundancy, failures,
                transport == Transport.MPI && options.kill != null, options.restarts, files(options, errors));
    }

    private static Optional<LoopFiles> files(PhyloOptions options, List<String> errors) {
        if (options.files == null) {
            if (options.fresh) {
                errors.add("--fresh needs " + PhyloOptions.FILES + ": without files each run begins at iteration 1");
            }
            // Kept by the launcher as long as it may start the job again.
            return Optional.ofNullable(System.getenv("RESTOREJ_JOB_STATE"))
                    .filter(state -> options.restarts > 0 && !state.isEmpty())
                    .map(state -> LoopFiles.in(Path.of(state + ".files"), RUN));
        }
        if (!Files.isRegularFile(options.files)) {
            OutputPath.checkDirectory(PhyloOptions.FILES, options.files, errors);
            return Optional.of(LoopFiles.in(options.files, RUN).startFresh(options.fresh));
        }
        try {
            return Optional.of(LoopFiles.in(ScrConfigurationParser.parse(Files.readString(options.files)), RUN)
                    .degradeSmallSets(true).startFresh(options.fresh));
        } catch (IOException wrong) {
            String.valueOf(wrong.getMessage()).lines()
                    .forEach(mistake -> errors.add(PhyloOptions.FILES + ": " + options.files + ": " + mistake));
            return Optional.empty();
        }
    }

    /** The files as a PE sees them: each thread counts as a node. */
    Optional<LoopFiles> filesOf(Communicator pe) {
        return transport == Transport.MPI ? files : files.map(all -> all.host("pe" + pe.rank()));
    }

    private static Redundancy redundancy(PhyloOptions options, Transport transport, List<String> errors) {
        int max = transport == Transport.LOCAL ? MAX_THREADS : Integer.MAX_VALUE;
        if (options.pes < 1 || options.pes > max) {
            errors.add("--pes must be in 1.." + max + ": --pes=" + options.pes);
            return Redundancy.copies(DEFAULT_REPLICATION);
        }
        if (options.coded != null && options.replication != null) {
            errors.add("only one of --replication and --coded can be given");
        }
        Redundancy copies = Redundancy.copies(Math.min(DEFAULT_REPLICATION, options.pes));
        if (options.coded != null) {
            return Redundancy.code(options.coded, options.pes, errors).orElse(copies);
        }
        if (options.replication == null) {
            return copies;
        }
        if (options.replication < 1 || options.replication > options.pes) {
            errors.add("--replication must be in 1.." + options.pes + ", the number of PEs: --replication="
                    + options.replication);
        }
        return Redundancy.copies(options.replication);
    }

    private static FailureSchedule failures(PhyloOptions options, int iterations, int surelyReached,
            Redundancy redundancy, List<String> errors) {
        if (options.fail != null && options.kill != null) {
            errors.add("only one of --fail and --kill can be given");
        }
        if (options.fail != null) {
            return parsed("--fail", options.fail, options, iterations, errors);
        }
        if (options.kill != null) {
            return parsed("--kill", options.kill, options, iterations, errors);
        }
        return errors.isEmpty() ? standard(options.pes, surelyReached, redundancy) : FailureSchedule.NONE;
    }

    private static FailureSchedule parsed(String option, String text, PhyloOptions options, int iterations,
            List<String> errors) {
        List<String> mistakes = new ArrayList<>();
        FailureSchedule schedule = FailureSchedule.parse(text, mistakes);
        if (options.pes >= 1 && iterations >= 1) {
            mistakes.addAll(schedule.errors(options.pes, iterations));
        }
        mistakes.forEach(mistake -> errors.add(option + ": " + mistake));
        return schedule;
    }

    /** Two PEs, one after the other, where there are as many that can be spared. */
    private static FailureSchedule standard(int pes, int surelyReached, Redundancy redundancy) {
        List<FailureSchedule.Failure> failures = new ArrayList<>();
        if (redundancy.parityParts() > 0) {
            failures.add(new FailureSchedule.Failure(pes / 4, (surelyReached + 2) / 3));
        }
        // With as many iterations, lost replicas are restored in between.
        if (redundancy.parityParts() > 0 && pes > 2 && surelyReached > 1) {
            failures.add(new FailureSchedule.Failure(pes / 4 + pes / 2, (2 * surelyReached + 2) / 3));
        }
        return new FailureSchedule(failures);
    }

    /** Whether processes are killed and the job is not restarted. */
    boolean mustSurviveKills() {
        return kills && restarts == 0;
    }

    /** What carries the PEs, for people. */
    String peKind() {
        return transport == Transport.LOCAL ? "threads" : "processes under MPI";
    }
}
