package org.restorej.internal.program;

import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.CommunicatorRevokedException;
import org.restorej.comm.KnownToAll;
import org.restorej.comm.Settlement;

/** Runs a program to its end on all PEs alive, from its beginning after each failure that it lets escape. */
public final class ProgramRun {
    /**
     * A program of one PE.
     *
     * @param <T> what it hands back
     */
    @FunctionalInterface
    public interface Body<T extends @Nullable Object> {
        /** Runs it. */
        T run(Communicator world) throws Exception;
    }

    private ProgramRun() {}

    /**
     * Runs a program. Called by all PEs.
     *
     * @return what it has returned here, when it has returned on all PEs alive
     * @throws Exception what the program has thrown, at once, unless it is a failure; what all PEs alive have thrown
     *         ({@link KnownToAll}), or a revocation without a death, when all have
     */
    @SuppressWarnings("NullAway") // Where it has returned, the result is a T, whatever that is.
    public static <T extends @Nullable Object> T run(ProgramGroup group, Body<T> program) throws Exception {
        while (true) {
            Attempt attempt = begin(group);
            T result = null;
            Throwable met = null;
            try {
                result = program.run(attempt.communicator());
            } catch (Exception | ProgramAbandonedError thrown) {
                met = isFailure(thrown) ? thrown : meaning(attempt, thrown);
                if (!isFailure(met) && !(met instanceof KnownToAll)) {
                    throw thrown;
                }
            }
            boolean failed = met != null && isFailure(met);
            if (attempt.ends(!failed)) {
                if (met != null) {
                    throw Settlement.<RuntimeException>asItIs(met);
                }
                return result;
            }
            int before = group.own().size();
            group.shrink();
            if (group.own().size() == before) {
                // Nobody has died: it would only be met again.
                if (met instanceof RuntimeException own) {
                    throw own;
                }
                throw new CommunicatorRevokedException("the program");
            }
        }
    }

    private static Attempt begin(ProgramGroup group) {
        while (true) {
            try {
                return group.begin();
            } catch (RuntimeException failure) {
                if (!isFailure(failure)) {
                    throw failure;
                }
                group.shrink();
            }
        }
    }

    /** The failure that has made the program throw in MPI calls of its own; else what it has thrown. */
    private static Throwable meaning(Attempt attempt, Throwable thrown) {
        return attempt.communicator().failureBehind(thrown).<Throwable>map(failure -> failure).orElse(thrown);
    }

    /** Whether the survivors go on after it. */
    private static boolean isFailure(Throwable thrown) {
        return thrown instanceof CommunicationFailedException || thrown instanceof ProgramAbandonedError;
    }
}
