package org.restorej.internal.settlement;

import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.Collective.KnownToAll;

import org.restorej.internal.memory.HeapReserve;

/** What PEs that settle an operation say of it in flags, and who is told of what one of them throws. */
public final class Settlement {
    /** This PE has done its part: all that it was to send has left, all that it was to receive is here. */
    static final int DONE = 1;
    /** This PE has not thrown an exception of its own. */
    static final int THREW_NOTHING = 1 << 30;
    /** This PE has come to the agreement: whoever has given all agreements up votes with no flag at all. */
    static final int PRESENT = 1 << 31;

    /** The flags of a PE whose program has ended by an exception, in whatever the others settle meanwhile. */
    public static final int EXCEPTION = PRESENT;

    static final int OWN = DONE | THREW_NOTHING | PRESENT;

    private static final System.Logger LOGGER = System.getLogger("org.restorej");

    /** What a PE has met that takes part in nothing; its caller gets something better. */
    @SuppressWarnings("StaticAssignmentOfThrowable") // There may be no memory to make it; it has no trace.
    static final RuntimeException CANNOT = new UnableToTakePart();

    private static final class UnableToTakePart extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnableToTakePart() {
            super("this PE can't take part", null, false, false);
        }
    }

    private Settlement() {}

    /**
     * Leaves a collective call of the communicator itself, which ends in no agreement: others may be in it, and are
     * woken by a revocation, unless they know as much.
     *
     * @param met what ends the call on this PE
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

    /** Whether all survivors throw alike because of it. */
    static boolean isFailure(Throwable met) {
        return met instanceof CommunicationFailedException;
    }

    /** Whether all PEs alive throw this, so that nobody need be woken or told. */
    public static boolean isThrownByAll(Throwable met) {
        return isFailure(met) || met instanceof KnownToAll;
    }

    /** Whether it stands for another exception, which has ended a call of this PE before its part. */
    public static boolean isLeft(Throwable met) {
        return met instanceof UnableToTakePart;
    }

    /** Whether this PE alone throws it: of what has kept it from a call the others aren't told. */
    static boolean isOwn(Throwable met) {
        return !isThrownByAll(met) && !isLeft(met);
    }

    /** At once: the others may compute for long before they come to the agreement. */
    static void warn(Communicator communicator, String operation, Throwable met) {
        // Without memory there is none for that.
        if (!isOwn(met) || met instanceof OutOfMemoryError) {
            return;
        }
        try {
            LOGGER.log(System.Logger.Level.WARNING, () -> "PE " + communicator.originalRank().value() + " gives up "
                    + operation + ", and throws when the others have given it up too: " + met);
        } catch (RuntimeException | Error untold) {
            // Of a message that can't be made: the others wait in the agreement all the same.
        }
    }

    /**
     * Throws what a callback of the application has thrown: also a checked exception that the compiler doesn't know of,
     * since another language or a generic cast can throw it all the same.
     *
     * @return never
     */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // The cast is to nothing: X is erased.
    public static <X extends Throwable> RuntimeException sneakyThrow(Throwable thrown) throws X {
        throw (X) thrown;
    }
}
