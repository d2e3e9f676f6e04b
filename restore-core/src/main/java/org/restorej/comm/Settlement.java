package org.restorej.comm;

import java.util.SortedSet;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Brings a collective operation to the same end on every survivor, whatever fails while it runs.
 *
 * <p>
 * Every PE does its part and says how that went in flags. A PE that meets a failure revokes the communicator, so that
 * nobody waits for it in vain, and has no flags set. All survivors then agree on the bitwise and. So when
 * {@link #DONE} is agreed, every PE alive has done its part, also where a process has died since; otherwise all of them
 * learn that the operation has failed.
 */
public final class Settlement {
    /** This PE has done its part: everything it was to send has left, everything it was to receive is here. */
    public static final int DONE = 1;

    /** Nothing that the application handed in was wrong. */
    public static final int VALID = 1 << 1;

    /** Everything that was asked for has a holder. */
    public static final int COMPLETE = 1 << 2;

    /** Every replica that was read fits its checksum. */
    public static final int SOUND = 1 << 3;

    /** All of the above. */
    public static final int ALL = DONE | VALID | COMPLETE | SOUND;

    private static final System.Logger LOGGER = System.getLogger("org.restorej");

    /**
     * What the last agreement of this thread has ended with that did not come about. Kept beside the exception: an
     * OutOfMemoryError of the JVM takes no suppressed ones, and there may be no memory for a mark.
     */
    private static final ThreadLocal<@Nullable Throwable[]> MISSED_AGREEMENT = ThreadLocal
            .withInitial(() -> new @Nullable Throwable[1]);

    private Settlement() {}

    /** The flags of a PE that has done its part. */
    public static int flags(boolean valid, boolean complete, boolean sound) {
        return DONE | (valid ? VALID : 0) | (complete ? COMPLETE : 0) | (sound ? SOUND : 0);
    }

    /**
     * Runs this PE's part of an operation and settles it with the others. Called by all PEs.
     *
     * @param communicator whose PEs take part
     * @param abort gives up what the part has under way, after the communicator was revoked
     * @param operation what it is called in messages
     * @param part does this PE's part and returns its flags, {@link #DONE} among them
     * @return the flags that all PEs have in common, {@link #DONE} among them
     * @throws ProcessFailedException when it was not done by all; the same on every survivor
     * @throws CommunicatorRevokedException when it was not done by all although no process has failed
     */
    public static int settle(Communicator communicator, Runnable abort, String operation, IntSupplier part) {
        @Nullable
        Throwable[] missed = MISSED_AGREEMENT.get();
        missed[0] = null;
        int flags = 0;
        Throwable unexpected = null;
        RuntimeException failure = null;
        try {
            flags = part.getAsInt();
        } catch (ProcessFailedException | CommunicatorRevokedException met) {
            if (met.equals(missed[0])) {
                throw met;
            }
            failure = met;
            giveUp(communicator, abort);
        } catch (SimulatedDeathError death) {
            throw death;
        } catch (Throwable met) {
            if (met.equals(missed[0])) {
                throw Settlement.<RuntimeException>asItIs(met);
            }
            // Not a failure of a process, but the others must not wait for this one, whatever a callback has thrown.
            unexpected = met;
            communicator.revoke();
            if (!(met instanceof KnownToAll)) {
                // At once: the others may compute for long before they come to the agreement.
                LOGGER.log(System.Logger.Level.WARNING, () -> "PE " + communicator.originalRank().value()
                        + " gives up " + operation + ", and throws when the others have given it up too", met);
            }
            abort.run();
        }
        Agreement agreement = agree(communicator, flags, missed);
        if (unexpected != null) {
            throw Settlement.<RuntimeException>asItIs(unexpected);
        }
        if ((agreement.flags() & DONE) == 0) {
            giveUp(communicator, abort);
            throw failed(communicator, operation, agreement, failure);
        }
        return agreement.flags();
    }

    /**
     * Throws what a callback of the application has thrown: also a checked exception that the compiler doesn't know of,
     * since another language or a generic cast can throw it all the same.
     *
     * @return never
     */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // The cast is to nothing: X is erased.
    public static <X extends Throwable> RuntimeException asItIs(Throwable thrown) throws X {
        throw (X) thrown;
    }

    /**
     * A PE that can't agree leaves the others waiting for it, and must not wait for them in the agreement of an
     * operation around this one: they would wait for each other. So the exception goes all the way up.
     */
    private static Agreement agree(Communicator communicator, int flags, @Nullable Throwable[] missed) {
        try {
            return communicator.agree(flags);
        } catch (RuntimeException | VirtualMachineError met) {
            missed[0] = met;
            throw met;
        }
    }

    private static void giveUp(Communicator communicator, Runnable abort) {
        communicator.revoke();
        abort.run();
    }

    private static RuntimeException failed(Communicator communicator, String operation, Agreement agreement,
            @Nullable RuntimeException failure) {
        SortedSet<OriginalRank> failedRanks = communicator.failedRanks();
        RuntimeException uniform = agreement.processFailed()
                ? new ProcessFailedException(operation, failedRanks)
                : new CommunicatorRevokedException(operation);
        if (failure != null) {
            uniform.initCause(failure);
        }
        return uniform;
    }
}
