package org.restorej.block;

import org.restorej.comm.Collective.KnownToAll;

/**
 * What the PEs submitted together is not a data set: ids that nobody or more than one PE submitted, lengths that don't
 * fit, a writer that threw. Thrown on every PE, with what each of them found; the generation before is untouched.
 */
public class InvalidSubmissionException extends IllegalArgumentException implements KnownToAll {
    private static final long serialVersionUID = 1L;

    /**
     * An exception for every PE of the submission.
     *
     * @param message what is wrong, by original rank
     */
    public InvalidSubmissionException(String message) {
        super(message);
    }
}
