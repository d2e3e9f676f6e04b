package org.restorej.demo.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.restorej.cli.command.OutputPath;
import org.restorej.cli.command.PictureFile;
import org.restorej.cli.command.Redundancy;
import org.restorej.comm.Communicator;
import org.restorej.demo.run.FailureSchedule;
import org.restorej.demo.transport.LocalPes;
import org.restorej.demo.transport.MpiCalls;
import org.restorej.demo.transport.MpiChoice;
import org.restorej.demo.transport.Transport;
import org.restorej.redset.LoopFiles;
import org.restorej.redset.ScrConfigurationParser;

/**
 * Where a demo runs and who fails: options that have been checked.
 *
 * @param transport where the PEs are
 * @param pes how many
 * @param redundancy how the store keeps blocks
 * @param failures who fails when
 * @param mpi under which PEs run that are processes, and whether these are to be killed
 * @param output how results are written
 * @param picture where a picture of the run goes, if anywhere
 * @param files where it is saved, if anywhere
 */
public record RunPlan(Transport transport, int pes, Redundancy redundancy, FailureSchedule failures, MpiChoice mpi,
        OutputFormat output, Optional<Path> picture, Optional<LoopFiles> files) {
    static final String FILES = "--files";

    private static final int DEFAULT_REPLICATION = 3;
    /** A folder of this run in that of {@link #FILES}. */
    private static final String RUN = "demo";
    private static final int MAX_RESTARTS = 999;

    /**
     * Checks options.
     *
     * @param iterations how many there are at most
     * @param surelyReached how many there are at least: when failures that the user has not named happen
     * @param errors takes a message for each mistake, and may have some already
     */
    public static RunPlan of(RunOptions options, int iterations, int surelyReached, List<String> errors) {
        Redundancy redundancy = redundancy(options, errors);
        if (!RunPictureOutput.isDrawnElsewhere()) {
            PictureFile.check(RunPictureOutput.OPTION, options.picture, errors);
        }
        FailureSchedule failures = failures(options, iterations, surelyReached, redundancy, errors);
        if (options.restarts < 0 || options.restarts > MAX_RESTARTS) {
            errors.add("--restarts must be in 0.." + MAX_RESTARTS + ": --restarts=" + options.restarts);
        }
        return new RunPlan(transport(options), options.pes, redundancy, failures, mpi(options, errors),
                options.json ? OutputFormat.JSON : options.output, Optional.ofNullable(options.picture),
                files(options, errors));
    }

    private static Transport transport(RunOptions options) {
        return options.restarts > 0 ? Transport.MPI : options.transport;
    }

    private static Optional<LoopFiles> files(RunOptions options, List<String> errors) {
        // Kept by the launcher as long as it may start the job again.
        Optional<String> job = Optional.ofNullable(System.getenv("RESTOREJ_JOB_STATE"))
                .filter(state -> options.restarts > 0 && !state.isEmpty());
        if (options.files == null) {
            if (options.fresh) {
                errors.add("--fresh needs " + FILES + ": without files each run begins at iteration 1");
            }
            return job.map(state -> LoopFiles.in(Path.of(state + ".files"), RUN));
        }
        if (!Files.isRegularFile(options.files)) {
            OutputPath.checkDirectory(FILES, options.files, errors);
            return Optional.of(LoopFiles.in(options.files, RUN).beginAnew(options.fresh));
        }
        try {
            return Optional.of(LoopFiles.in(ScrConfigurationParser.parse(Files.readString(options.files)), RUN)
                    .degradeSmallSets(true).beginAnew(options.fresh));
        } catch (IOException wrong) {
            String.valueOf(wrong.getMessage()).lines()
                    .forEach(mistake -> errors.add(FILES + ": " + options.files + ": " + mistake));
            return Optional.empty();
        }
    }

    /** The files as a PE sees them: each thread counts as a node. */
    public Optional<LoopFiles> filesOf(Communicator pe) {
        return transport == Transport.MPI ? files : files.map(all -> all.host("pe" + pe.rank()));
    }

    private static MpiChoice mpi(RunOptions options, List<String> errors) {
        boolean mpi = transport(options) == Transport.MPI;
        MpiChoice choice = new MpiChoice(Optional.ofNullable(options.mpi), options.mpiCalls,
                mpi && options.kill != null, options.restarts);
        if (!mpi && options.mpi != null) {
            errors.add("--mpi needs --transport mpi: --mpi=" + options.mpi);
        }
        if (!mpi && options.mpiCalls != MpiCalls.NATIVE) {
            errors.add("--mpi-calls needs --transport mpi: --mpi-calls=" + options.mpiCalls);
        }
        errors.addAll(choice.errors());
        return choice;
    }

    private static Redundancy redundancy(RunOptions options, List<String> errors) {
        int most = transport(options) == Transport.LOCAL ? LocalPes.MAX_PES : Integer.MAX_VALUE;
        if (options.pes < 1 || options.pes > most) {
            errors.add("--pes must be in 1.." + most + ": --pes=" + options.pes);
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

    /** Reports a number that is too small. */
    public static void requireAtLeast(long least, String option, long value, List<String> errors) {
        if (value < least) {
            errors.add(option + " must be at least " + least + ": " + option + "=" + value);
        }
    }

    private static FailureSchedule failures(RunOptions options, int iterations, int surelyReached,
            Redundancy redundancy, List<String> errors) {
        if (Stream.of(options.fail, options.failRandom, options.kill).filter(given -> given != null).count() > 1) {
            errors.add("only one of --fail, --fail-random and --kill can be given");
        }
        FailureSchedule failures = FailureSchedule.NONE;
        if (options.fail != null) {
            failures = parsed("--fail", options.fail, options, iterations, errors);
        }
        if (options.kill != null) {
            failures = parsed("--kill", options.kill, options, iterations, errors);
        }
        if (options.failRandom != null) {
            failures = random(options, options.failRandom, surelyReached, errors);
        }
        boolean chosen = options.fail != null || options.kill != null || options.failRandom != null;
        return chosen || !errors.isEmpty() ? failures : standard(options, surelyReached, redundancy);
    }

    private static FailureSchedule parsed(String option, String text, RunOptions options, int iterations,
            List<String> errors) {
        List<String> mistakes = new ArrayList<>();
        FailureSchedule schedule = FailureSchedule.parse(text, mistakes);
        if (options.pes >= 1 && iterations >= 1) {
            mistakes.addAll(schedule.errors(options.pes, iterations));
        }
        mistakes.forEach(mistake -> errors.add(option + ": " + mistake));
        return schedule;
    }

    private static FailureSchedule random(RunOptions options, int count, int surelyReached, List<String> errors) {
        if (count < 0 || count >= Math.max(1, options.pes)) {
            errors.add("--fail-random must be in 0.." + Math.max(0, options.pes - 1)
                    + ", so that a PE is left: --fail-random=" + count);
        }
        return errors.isEmpty()
                ? FailureSchedule.random(count, options.seed, options.pes, surelyReached)
                : FailureSchedule.NONE;
    }

    /** Two PEs, one after the other, where there are as many that can be spared. */
    private static FailureSchedule standard(RunOptions options, int surelyReached, Redundancy redundancy) {
        List<FailureSchedule.Failure> failures = new ArrayList<>();
        if (redundancy.parityParts() > 0) {
            failures.add(new FailureSchedule.Failure(options.pes / 4, (surelyReached + 2) / 3));
        }
        // With as many iterations, the replicas are made anew in between.
        if (redundancy.parityParts() > 0 && options.pes > 2 && surelyReached > 1) {
            failures.add(new FailureSchedule.Failure(options.pes / 4 + options.pes / 2, (2 * surelyReached + 2) / 3));
        }
        return new FailureSchedule(failures);
    }

    /** Whether PEs are processes that are to be killed. */
    public boolean processesDie() {
        return mpi.kills();
    }

    /** What carries the PEs, for people. */
    public String peKind() {
        return transport == Transport.LOCAL ? "threads" : "processes under MPI";
    }
}
