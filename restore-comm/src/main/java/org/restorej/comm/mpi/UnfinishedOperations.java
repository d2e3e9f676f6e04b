package org.restorej.comm.mpi;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiOperation;

/**
 * Operations of this process that were given up, and can't be cancelled: MPI may still write to their memory, whatever
 * becomes of their communicator, so they are kept here until they have ended.
 */
final class UnfinishedOperations {
    private static final Set<MpiOperation> GIVEN_UP = new HashSet<>();

    /** Of communicators that were closed after a failure, and whose requests nobody has cancelled. */
    private static final Set<Object> FORGOTTEN = new HashSet<>();

    private UnfinishedOperations() {}

    /** Keeps an operation, and lets those go that have ended. */
    static synchronized void keep(MpiOperation operation) {
        GIVEN_UP.removeIf(UnfinishedOperations::hasEnded);
        GIVEN_UP.add(operation);
    }

    /** Keeps requests for good. */
    static synchronized void keepForgotten(Collection<MpiRequest> requests) {
        FORGOTTEN.addAll(requests);
    }

    private static boolean hasEnded(MpiOperation operation) {
        try {
            return operation.test();
        } catch (MpiException failed) {
            return true;
        }
    }
}
