package org.restorej.bench.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.restorej.bench.mpi.MpiTransport;
import org.restorej.cli.command.Redundancy;

/**
 * What is chosen of the lives of jobs.
 *
 * @param jobs how many of each kind
 * @param pes numbers of ranks, ascending
 * @param bytes data of a rank
 * @param turns how often each operation is called
 * @param transports how ranks call MPI, alternately
 * @param cpp the folder with the headers of C++ ReStore, when that is to be measured, too
 * @param redset where LLNL's redset is installed, when that is to be measured, too
 * @param codes of which stores are to be measured, too
 * @param only leaves out jobs in whose names this is not found
 */
record LifeSettings(int jobs, List<Integer> pes, long bytes, int turns,
        List<MpiTransport> transports, Optional<Path> cpp, Optional<Path> redset, List<Redundancy> codes,
        Pattern only) {
    private static final int FILE_FACTOR = 4;

    /** Copies. */
    LifeSettings {
        pes = List.copyOf(pes);
        transports = List.copyOf(transports);
        codes = List.copyOf(codes);
    }

    /** Codes that so many ranks have enough PEs for. */
    List<Redundancy> codesOn(int ranks) {
        return codes.stream().filter(code -> code.parts() <= ranks).toList();
    }

    boolean isWanted(String job) {
        return only.matcher(job).find();
    }

    /** Of a rank's file: a state and what it was made from take some times the data. */
    long fileBytes() {
        return FILE_FACTOR * bytes;
    }

    /**
     * How JVMs are started, in the order of a job: where transports are compared, only with all that is done for a
     * start, and with nothing. Who comes first, and gets memory that the system has not used for a while, changes from
     * job to job.
     */
    List<JvmSetting> jvmSettings(int job) {
        List<JvmSetting> all = new ArrayList<>(List.of(JvmSetting.values()));
        all.removeIf(setting -> transports.size() > 1 && !setting.isMain());
        Collections.rotate(all, -job);
        return all;
    }

    /** In the order of a job: who comes first changes from job to job. */
    List<MpiTransport> transports(int job) {
        return job % 2 == 0 ? transports : transports.reversed();
    }
}
