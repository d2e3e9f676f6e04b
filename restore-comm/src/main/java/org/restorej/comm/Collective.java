package org.restorej.comm;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Called by all PEs, in the same order. What one PE does wrong leaves nobody waiting: where a call is refused on one PE
 * alone, because of an argument or for want of memory, the call of the others throws as well, or returns when they have
 * what they asked for.
 *
 * <p>
 * One argument is beyond that: who passes null for a communicator, or for what has it, has no means to tell anybody.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface Collective {
    /** Marks an exception that every PE throws from the same call: nobody need be warned of it, and nobody waits. */
    interface KnownToAll {
        /**
         * The exit code of a job whose program ends by it on all PEs; see
         * {@link org.restorej.comm.mpi.Mpi#EXIT_CODE_LOSS}.
         */
        int EXIT_CODE = 3;

        /** The exit code of a job whose program ends by it. */
        default int exitCode() {
            return EXIT_CODE;
        }
    }
}
