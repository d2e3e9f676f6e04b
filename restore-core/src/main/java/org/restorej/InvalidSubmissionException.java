package org.restorej;

import org.restorej.comm.KnownToAll;

/**
 * What the PEs submitted together is not a data set: ids that nobody or more than one PE submitted, lengths that don't
 * fit, a writer that threw. Thrown on every PE, with what each of them found; the generation before is untouched.
 */
public class InvalidSubmissionException extends IllegalArgumentException implements KnownToAll {
    private static final long serialVersionUID = 1L;

    /**
     * A refusal.
     *
     * @param message what is wrong, by PE
     */
    public InvalidSubmissionException(String message) {
        super(message);
    }
}
