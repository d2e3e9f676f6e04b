package org.restorej.comm;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method that all PEs call, in the same order. An error on one PE leaves no PE waiting: if a call is rejected
 * on one PE only, because of an argument or a lack of memory, the calls of the others throw too, or return when they
 * have what they requested.
 *
 * <p>
 * Exception: a null communicator, or null for an object that has one, can't be reported; the other PEs wait.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface Collective {
    /** Marks an exception that every PE throws from the same call, so that no PE needs to be notified. */
    interface KnownToAll {
        /**
         * Exit code of a job whose program ends by this exception on all PEs; see
         * {@link org.restorej.comm.mpi.Mpi#EXIT_CODE_LOSS}.
         */
        int EXIT_CODE = 3;

        /** Exit code of a job whose program ends by this exception. */
        default int exitCode() {
            return EXIT_CODE;
        }
    }
}
