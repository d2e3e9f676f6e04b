package org.restorej.comm;

import org.restorej.comm.Collective.KnownToAll;

/**
 * Thrown on all survivors when work that was repeated after an exception of the application threw again. The cause is
 * then the program or its data, which would otherwise end one PE after the other. On the PE that has thrown, the cause
 * is its exception; on the others the message names it.
 *
 * <p>
 * Under {@link org.restorej.comm.mpi.Mpi#run} the job ends with its own exit code,
 * {@link org.restorej.comm.mpi.Mpi#EXIT_CODE_EXCEPTION}. The system property {@value #LIMIT_PROPERTY} sets how many PEs
 * may end by exceptions before, unless a loop has its own limit. Other failures of processes, such as by signals, don't
 * count.
 */
public class ApplicationFailedException extends RuntimeException implements KnownToAll {
    /**
     * System property: the number of PEs that may end by exceptions in the same work; default {@value #DEFAULT_LIMIT}.
     */
    public static final String LIMIT_PROPERTY = "restorej.exceptionLimit";

    /** Equals {@link org.restorej.comm.mpi.Mpi#EXIT_CODE_EXCEPTION}, which this package can't use. */
    private static final int EXIT_CODE = 4;

    private static final int DEFAULT_LIMIT = 1;

    private static final long serialVersionUID = 1L;

    /** Creates the exception with a message that names the repeated work and what was thrown in it. */
    public ApplicationFailedException(String message) {
        super(message);
    }

    @Override
    public int exitCode() {
        return EXIT_CODE;
    }

    /**
     * The value of {@link #LIMIT_PROPERTY}.
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

    /** Returns the limit if it is 0 or more, and throws otherwise. */
    public static int checkLimit(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("the limit of exceptions must be 0 or more: " + limit);
        }
        return limit;
    }
}
