package org.restorej.internal.settlement;

import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.Collective.KnownToAll;

import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.memory.HeapReserve;

/**
 * Brings a collective operation to the same end on every survivor, whatever fails while it runs.
 *
 * <p>
 * Every PE does its part and says in flags how that went. A PE that meets a failure revokes the communicator, so that
 * nobody waits for it in vain, and has no flag set. All survivors then agree on the bitwise and of the flags. When
 * every PE alive has done its part, all of them get the agreed flags, also where a process has failed since. Otherwise
 * all of them throw.
 */
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

    /**
     * What a part returns, and, with the flags that all PEs have in common, what {@link #settle} returns.
     *
     * @param flags any bits but the lowest and the two highest, which are the settlement's own; their meaning is the
     *        caller's
     * @param result of this PE
     */
    public record Outcome<T extends @Nullable Object>(int flags, T result) {
        /** A result without flags. */
        public static <T extends @Nullable Object> Outcome<T> of(T result) {
            return new Outcome<>(0, result);
        }

        /** Whether a flag is set. */
        public boolean has(int flag) {
            return (flags & flag) != 0;
        }
    }

    private static final System.Logger LOGGER = System.getLogger("org.restorej");

    /** What a PE has met that takes part in nothing; its caller gets something better. */
    @SuppressWarnings("StaticAssignmentOfThrowable") // There may be no memory to make it; it has no trace.
    private static final RuntimeException CANNOT = new Cannot();

    /** Who has thrown an exception of its own in a settlement, as one of its PEs knows it. */
    public enum Thrower {
        /** Nobody: processes have failed, or all PEs throw alike. */
        NOBODY,
        /** Another PE, or several. */
        ANOTHER_PE,
        /** This PE, and perhaps others. */
        THIS_PE
    }

    private static final class Cannot extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Cannot() {
            super("this PE can't take part", null, false, false);
        }
    }

    /** What a part has under way. */
    @FunctionalInterface
    public interface Underway {
        /** Aborts it, after the communicator was revoked. */
        void abort();

        /** Whether the others may still need something of this PE when its own part is done. */
        default boolean isNeeded() {
            return false;
        }

        /** Does now what the others need of this PE; called until all have done their parts, and never waits. */
        default void serve() {}

        /** Ends it when all have done their parts, and nobody needs anything of this PE any more. */
        default void finish() {}

        /**
         * Whether it counts only when no process has failed. An agreement leaves out the flags of failed PEs: what
         * those would have said against it, nobody alive may know. The same on all PEs.
         */
        default boolean needsEverybody() {
            return false;
        }
    }

    /**
     * Work that goes on in steps, none of which waits for other PEs: so one thread can do something else in between.
     * One thread.
     *
     * @param <T> what it comes to
     */
    public interface Task<T extends @Nullable Object> {
        /**
         * Does what can be done now, and says whether all is done. Not to be called again after it has answered true or
         * thrown.
         */
        boolean progress();

        /** What it has come to, once it is done. */
        T result();

        /** Waits until all is done. */
        default T await() {
            while (!progress()) {
                Thread.onSpinWait();
            }
            return result();
        }

        /** This, and then something that waits for nobody, done in the step that ends this. */
        default <R extends @Nullable Object> Task<R> then(Function<? super T, ? extends R> next) {
            return inOneStep(this::progress, () -> next.apply(result()));
        }

        /** This, and then something else that goes on in steps, begun in the step that ends this. */
        default <R extends @Nullable Object> Task<R> thenBegin(Function<? super T, ? extends Task<R>> next) {
            Task<Task<R>> begun = then(next);
            return new Task<>() {
                private @Nullable Task<R> second;

                @Override
                public boolean progress() {
                    Task<R> current = second;
                    if (current == null) {
                        if (!begun.progress()) {
                            return false;
                        }
                        current = begun.result();
                        second = current;
                    }
                    return current.progress();
                }

                @Override
                public R result() {
                    return Objects.requireNonNull(second).result();
                }
            };
        }

        /** Work that is done already. */
        static <T extends @Nullable Object> Task<T> done(T result) {
            return inOneStep(() -> result);
        }

        /** Work that is done in one step, which may wait for others. */
        static <T extends @Nullable Object> Task<T> inOneStep(Supplier<T> work) {
            return inOneStep(() -> true, work);
        }

        /**
         * Work that is done in one step.
         *
         * @param isDue whether it can be done now; does what helps to come to that
         */
        static <T extends @Nullable Object> Task<T> inOneStep(BooleanSupplier isDue, Supplier<? extends T> work) {
            return new Task<>() {
                private @Nullable T result;

                @Override
                public boolean progress() {
                    if (!isDue.getAsBoolean()) {
                        return false;
                    }
                    result = work.get();
                    return true;
                }

                @Override
                @SuppressWarnings("NullAway") // null only where T may be
                public T result() {
                    return result;
                }
            };
        }
    }

    private Settlement() {}

    /**
     * A collective call begins that ends in {@link #settle}: the others come there, whatever becomes of this PE's call
     * before. Every such call ends by {@link #leave}.
     */
    public static void expect(Communicator communicator) {
        SettlingThread.current().awaitedOn = communicator;
        HeapReserve.keep();
    }

    /** Nobody waits for this thread: the call ends alike on all PEs, or goes on in another thread. */
    public static void expectNothing() {
        SettlingThread.current().awaitedOn = null;
    }

    /**
     * A collective call is over, whether it returns or throws. Where it throws before it has come to the settlement at
     * which the others wait for this PE, it comes there now, as one that can't take part: then the others throw as
     * well. Throws nothing of its own, since the call throws already.
     */
    public static void leave(String operation) {
        Communicator awaited = SettlingThread.current().awaitedOn;
        if (awaited != null) {
            HeapReserve.release();
            try {
                settle(awaited, operation, () -> {
                    throw CANNOT;
                });
            } catch (RuntimeException met) {
                // The others throw it. This PE's caller gets what has kept it from its part.
            }
            HeapReserve.keep();
        }
    }

    /**
     * Goes on with an operation that is under way, perhaps inside another call: what the others wait for in the one and
     * in the other stays apart.
     *
     * @param operation what it is called in messages
     */
    public static <T extends @Nullable Object> T aside(String operation, Supplier<T> step) {
        SettlingThread thread = SettlingThread.current();
        Communicator outer = thread.awaitedOn;
        Throwable outerMissed = thread.missed;
        thread.awaitedOn = null;
        try {
            return step.get();
        } finally {
            leave(operation);
            thread.awaitedOn = outer;
            thread.missed = outerMissed;
        }
    }

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
        throw Settlement.<RuntimeException>asItIs(met);
    }

    /**
     * Who has thrown an exception of its own in the settlement that has ended with this one, when it was the last
     * settlement of this thread: all PEs in it know alike whether anybody has.
     */
    public static Thrower throwerOf(Throwable thrown) {
        return SettlingThread.current().throwerOf(thrown);
    }

    /** Takes over from another thread what {@link #throwerOf} has said there. */
    public static void takeOver(Throwable thrown, Thrower thrower) {
        SettlingThread.current().threw(thrown, thrower);
    }

    /**
     * Runs a part that has no flags and leaves nothing under way; see
     * {@link #settle(Communicator, Underway, String, Supplier)}.
     *
     * @return what this PE's part has returned
     */
    public static <T extends @Nullable Object> T settle(Communicator communicator, String operation,
            Supplier<T> part) {
        return settle(communicator, () -> {}, operation, () -> Outcome.of(part.get())).result();
    }

    /**
     * Runs this PE's part of an operation and settles it with the others. Called by all PEs.
     *
     * <p>
     * What the part throws, this PE throws when all have agreed. On a PE that has failed nothing else happens: its
     * communicator throws its failure again. A part may be done while the others still need something of this PE: then
     * it goes on with that until all have agreed, so that one agreement ends the operation.
     *
     * @param communicator whose PEs take part
     * @param underway what the part has under way
     * @param operation what it is called in messages
     * @param part does this PE's part
     * @return the result of this PE's part, and the flags that the parts of all PEs have in common
     * @throws org.restorej.comm.ProcessFailedException when it was not done by all; the same on every survivor
     * @throws org.restorej.comm.CommunicatorRevokedException when it was not done by all although no process has failed
     */
    public static <T extends @Nullable Object> Outcome<T> settle(Communicator communicator, Underway underway,
            String operation, Supplier<Outcome<T>> part) {
        return begin(communicator, underway, operation, Task.inOneStep(part)).await();
    }

    /**
     * Begins a part that goes on in steps, and its settlement with it; as
     * {@link #settle(Communicator, Underway, String, Supplier)}, but waits for nothing. Called by all PEs.
     */
    public static <T extends @Nullable Object> Task<Outcome<T>> begin(Communicator communicator, Underway underway,
            String operation, Task<Outcome<T>> part) {
        return new PendingSettlement<>(communicator, underway, operation, part);
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
        return met instanceof Cannot;
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
    public static <X extends Throwable> RuntimeException asItIs(Throwable thrown) throws X {
        throw (X) thrown;
    }
}
