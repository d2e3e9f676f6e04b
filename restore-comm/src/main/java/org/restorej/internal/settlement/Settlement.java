package org.restorej.internal.settlement;

import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.Collective.KnownToAll;

import org.restorej.internal.memory.HeapReserve;

/** The flags of settlements, and the rules about which PEs learn of an exception. */
public final class Settlement {
    /** Flag: this PE has done its part. All that it sends has been sent, all that it receives has been received. */
    static final int DONE = 1;
    /** Flag: this PE has not thrown an exception of its own. */
    static final int THREW_NOTHING = 1 << 30;
    /** Flag: this PE takes part in the agreement. A PE that has abandoned all agreements sets no flag. */
    static final int PRESENT = 1 << 31;

    /** The flags of a PE whose program has ended by an exception, in any settlement of the others. */
    public static final int EXCEPTION = PRESENT;

    static final int OWN = DONE | THREW_NOTHING | PRESENT;

    private static final System.Logger LOGGER = System.getLogger("org.restorej");

    /** The exception of a PE that doesn't do its part; its caller gets the original exception. */
    @SuppressWarnings("StaticAssignmentOfThrowable") // Preallocated, because memory may have run out; it has no trace.
    static final RuntimeException CANNOT = new UnableToTakePart();

    private static final class UnableToTakePart extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnableToTakePart() {
            super("this PE can't take part", null, false, false);
        }
    }

    private Settlement() {}

    /**
     * Ends a collective call of the communicator itself, which has no agreement. Revokes the communicator to wake the
     * PEs in the call, unless all PEs throw this anyway.
     *
     * @param met exception that ends the call on this PE
     * @return never
     */
    public static RuntimeException revoke(Communicator communicator, Throwable met) {
        if (!isThrownByAll(met)) {
            if (met instanceof OutOfMemoryError) {
                HeapReserve.release();
            }
            try {
                communicator.revoke(met);
            } catch (RuntimeException closed) {
                met.addSuppressed(closed);
            }
        }
        throw Settlement.<RuntimeException>sneakyThrow(met);
    }

    /** Whether it is a failure because of which all survivors throw the same. */
    static boolean isFailure(Throwable met) {
        return met instanceof CommunicationFailedException;
    }

    /** Whether all survivors throw this, so that no PE must be woken or told. */
    public static boolean isThrownByAll(Throwable met) {
        return isFailure(met) || met instanceof KnownToAll;
    }

    /** Whether it stands for another exception, which has ended a call of this PE before its part. */
    public static boolean isLeft(Throwable met) {
        return met instanceof UnableToTakePart;
    }

    /** Whether only this PE throws it. */
    static boolean isOwn(Throwable met) {
        return !isThrownByAll(met) && !isLeft(met);
    }

    /** Logs an exception at once, because the others may compute for long before they reach the agreement. */
    static void warn(Communicator communicator, String operation, Throwable met) {
        // Out of memory: the message can't be created.
        if (!isOwn(met) || met instanceof OutOfMemoryError) {
            return;
        }
        try {
            LOGGER.log(System.Logger.Level.WARNING, () -> "PE " + communicator.originalRank().value() + " gives up "
                    + operation + ", and throws when the others have given it up too: " + met);
        } catch (RuntimeException | Error untold) {
            // The message can't be created; the others wait in the agreement.
        }
    }

    /**
     * Throws an exception of a callback of the application, even if it is a checked exception that the compiler doesn't
     * know of: another language or a generic cast can throw it.
     *
     * @return never
     */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // The cast is to nothing: X is erased.
    public static <X extends Throwable> RuntimeException sneakyThrow(Throwable thrown) throws X {
        throw (X) thrown;
    }
}
