package org.restorej.comm;

import org.restorej.comm.Collective.KnownToAll;

/**
 * The application has thrown an exception in what the PEs were repeating because it had thrown there before: so that is
 * a mistake of the program or of its data, which would end one PE after the other. Thrown on all PEs alive; on the one
 * that has thrown, the cause is its exception, and on the others the message names it.
 *
 * <p>
 * Under {@link org.restorej.comm.mpi.Mpi#run} the job then ends with an
 * {@linkplain org.restorej.comm.mpi.Mpi#EXIT_CODE_EXCEPTION exit code} of its own. How many PEs may end by exceptions
 * before, the system property {@value #LIMIT_PROPERTY} says, where a loop has no other limit. Failures of processes,
 * such as by signals, don't count.
 */
public class ApplicationFailedException extends RuntimeException implements KnownToAll {
    /** The system property with the number of PEs that exceptions may end in the same work; {@value #DEFAULT_LIMIT}. */
    public static final String LIMIT_PROPERTY = "restorej.exceptionLimit";

    /** As {@link org.restorej.comm.mpi.Mpi#EXIT_CODE_EXCEPTION}, which is above this package. */
    private static final int EXIT_CODE = 4;

    private static final int DEFAULT_LIMIT = 1;

    private static final long serialVersionUID = 1L;

    /** With what was repeated, and what was thrown in it. */
    public ApplicationFailedException(String message) {
        super(message);
    }

    @Override
    public int exitCode() {
        return EXIT_CODE;
    }

    /**
     * What {@link #LIMIT_PROPERTY} says.
     *
     * @throws IllegalArgumentException when it isn't a number, 0 or more
     */
    public static int limit() {
        String value = System.getProperty(LIMIT_PROPERTY, Integer.toString(DEFAULT_LIMIT));
        try {
            return checkLimit(Integer.parseInt(value));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("the system property " + LIMIT_PROPERTY + " must be a number: " + value,
                    e);
        }
    }

    /** The limit, which must be 0 or more. */
    public static int checkLimit(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("the limit of exceptions must be 0 or more: " + limit);
        }
        return limit;
    }
}
