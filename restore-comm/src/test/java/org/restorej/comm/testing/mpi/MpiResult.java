package org.restorej.comm.testing.mpi;

import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What is left of an MPI job.
 *
 * @param exitCode of {@code bin/mpirun-java}: mpirun's, or 124 after the timeout
 * @param outputs standard output and error of each rank
 * @param log what mpirun said, and the stacks of all ranks after a timeout
 * @param killedRanks whom {@link MpiJob#kill} has killed
 * @param duration from start to end
 */
public record MpiResult(int exitCode, List<String> outputs, String log, SortedSet<Integer> killedRanks,
        Duration duration) {
    /** Copies what can change. */
    public MpiResult {
        outputs = List.copyOf(outputs);
        killedRanks = new TreeSet<>(killedRanks);
    }

    /** Output of one rank. */
    public String output(int rank) {
        return outputs.get(rank);
    }

    /** This, when the job ended with exit code 0; else an error that shows all there is. */
    public MpiResult requireSuccess() {
        if (exitCode != 0) {
            throw new AssertionError("the MPI job failed\n" + describe());
        }
        return this;
    }

    /** Everything known, for a person. */
    public String describe() {
        StringBuilder text = new StringBuilder();
        text.append("exit code ").append(exitCode).append(" after ").append(duration.toMillis())
                .append(" ms, killed ranks ").append(killedRanks).append("\n--- mpirun\n").append(log);
        for (int rank = 0; rank < outputs.size(); rank++) {
            text.append("\n--- rank ").append(rank).append('\n').append(outputs.get(rank));
        }
        return text.toString();
    }
}
