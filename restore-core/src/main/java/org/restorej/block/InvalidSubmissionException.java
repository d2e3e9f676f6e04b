package org.restorej.block;

import org.restorej.comm.Collective.KnownToAll;

/**
 * Thrown on every PE when their submissions together are not a complete generation: an id was submitted by no PE or
 * more than once, a length doesn't fit, or a writer threw. The message has the errors of all PEs; the previous
 * generation is unchanged.
 */
public class InvalidSubmissionException extends IllegalArgumentException implements KnownToAll {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception for one PE; all PEs throw the same.
     *
     * @param message what is wrong, by original rank
     */
    public InvalidSubmissionException(String message) {
        super(message);
    }
}
