package org.restorej.comm.local;

import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;

/**
 * What every PE of a {@link LocalCluster} runs, each in a thread of its own.
 *
 * @param <T> what a PE hands back
 */
@FunctionalInterface
public interface PeProgram<T extends @Nullable Object> {
    /**
     * Runs the program of one PE.
     *
     * @param world all PEs; the cluster closes it
     * @throws Exception ends this PE, which the others then see as a failed process
     */
    T run(Communicator world) throws Exception;
}
