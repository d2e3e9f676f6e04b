package org.restorej.internal.operation;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Reduction;
import org.restorej.comm.Request;
import org.restorej.internal.message.ComparedNumber;
import org.restorej.internal.settlement.Meeting;
import org.restorej.internal.settlement.Outcome;
import org.restorej.internal.settlement.Task;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.DamagedReplicas;
import org.restorej.internal.storage.PooledMemory;
import org.restorej.report.StoreReport.Operation;

/**
 * An operation that all PEs of a store perform together.
 *
 * <p>
 * Each PE does its part in one or two passes. If blocks have different sizes, the sizes are sent first, since a block
 * begins where all blocks before it end. Then all PEs settle whether all parts are done. A PE with an error of its own,
 * such as a block writer that throws, still takes part to the end, so that no other PE waits; then all PEs throw,
 * with the errors of all. If a PE finds a damaged replica, all PEs learn which one, and the operation may be repeated
 * without it ({@link #repeatsAfterDamage}). Not thread-safe.
 *
 * @param <T> result of a PE's part
 */
public abstract class CollectiveOperation<T> {
    /** Flag: this PE's contribution is valid. */
    private static final int VALID = 1 << 1;
    /** Flag: every replica that this PE read, or from which it received blocks, matches its checksum. */
    private static final int SOUND = 1 << 2;
    /** Flag: this PE received everything that it requested. */
    private static final int COMPLETE = 1 << 3;

    private static final long UNSOUND_SOMEWHERE = 1;
    private static final long INVALID_SOMEWHERE = 2;

    final StoreState state;
    /** The name in messages. */
    final String name;

    private final Operation kind;
    private Meeting meeting;
    private final LongSet damagedChunks = new LongOpenHashSet();
    private BlockDirectory directory;
    private boolean valid;
    private boolean sound;
    private boolean complete;
    /** The present generation, with the damage found. */
    private @Nullable Generation marked;
    /** The current stage; null before the first. */
    private @Nullable Stage stage;
    /** The exchange of the state of sizes among all PEs. */
    private @Nullable Request comparing;
    private final long[] worst = new long[1];
    /** Result of this PE's part of the last attempt. */
    private @Nullable T last;
    private @Nullable T result;

    /**
     * Creates an operation without starting it.
     *
     * @param kind the operation in the monitor
     * @param name the name in messages
     * @param directory the replicas that it uses
     */
    CollectiveOperation(Operation kind, String name, StoreState state, BlockDirectory directory) {
        this.kind = kind;
        this.name = name;
        this.state = state;
        meeting = state.calls().meeting();
        this.directory = directory;
    }

    /**
     * Begins an attempt and discards the findings of the previous one.
     *
     * @param scratch memory until the end of the attempt
     */
    void begin(PooledMemory scratch) {}

    /** Transfers the sizes of blocks; called only if they differ. */
    abstract Task<?> moveSizes(PooledMemory scratch);

    /** Transfers the blocks, after all PEs know all sizes. */
    abstract Task<T> moveBlocks(PooledMemory scratch);

    /** Whether this PE's contribution is valid. */
    boolean isValid() {
        return true;
    }

    /** Exchanges the errors if a PE is not valid. */
    Task<String> faults() {
        return Task.done("");
    }

    /**
     * The exception of this PE if a PE is not valid.
     *
     * @param faults the errors that all PEs know
     */
    RuntimeException invalid(String faults) {
        return new IllegalStateException(name + " is invalid: " + faults);
    }

    /** Called when an attempt is settled: this PE no longer reads for the others. */
    void settledAttempt() {}

    /** Records damage that all PEs now know. Returns whether to make another attempt. */
    abstract boolean repeatsAfterDamage();

    /** Frees what this PE created in an attempt that failed or is repeated. */
    void discard() {}

    /**
     * Prepares everything that {@link #publish} needs. The last step of this PE before all agree that the operation is
     * done. Called again if more damage becomes known then.
     *
     * @param result of this PE's last attempt
     */
    void prepareEnd(T result) {}

    /**
     * The result of the operation after all PEs have done their parts. May throw, but must not communicate.
     *
     * @param result of this PE's last attempt
     * @param completeOnAll whether no PE has called {@link #foundIncomplete}
     */
    abstract T end(T result, boolean completeOnAll);

    /**
     * Puts the result into the store. Must not fail. Nothing is allocated between the agreement and the end of this
     * method: otherwise a PE with a full heap would keep the old state while the others have the new one.
     */
    void publish(T result) {}

    /**
     * Runs the operation and puts its result into the store. Collective. Records it in the store's report, also if it
     * throws.
     *
     * @throws org.restorej.block.InvalidSubmissionException on every PE if the contribution of one is invalid
     */
    public final T run() {
        StoreMonitor.Observation observation = observe();
        try {
            advance(true);
            publish(result());
        } catch (Throwable failure) {
            observation.end(state, failure);
            throw failure;
        }
        observation.end(state, null);
        return result();
    }

    /** Continues in the background with its own meeting. Called inside the call that starts the operation. */
    final void goOnAt(Meeting own) {
        meeting.handOverTo(own);
        meeting = own;
    }

    /** Records that the other PEs come to the next settlement. */
    private Meeting meet() {
        return meeting.at(state.channel().communicator());
    }

    final StoreMonitor.Observation observe() {
        return state.monitor().begin(kind);
    }

    /** The result, once settled. */
    final T result() {
        return Objects.requireNonNull(result, name);
    }

    /**
     * A part that all PEs settle: an attempt, or the exchange of findings after one.
     *
     * @param next called when it is settled; begins the next stage, or returns null at the end
     */
    private record Stage(Task<? extends Outcome<?>> settlement, Supplier<@Nullable Stage> next) {}

    /**
     * Continues the operation without changing the store. Throws the exception of the operation.
     *
     * @param waits whether to wait until it is settled; otherwise does what is possible now
     * @return whether it is settled
     */
    final boolean advance(boolean waits) {
        try {
            Stage current = stage == null ? attempt() : stage;
            while (current != null) {
                if (waits) {
                    current.settlement().await();
                } else if (!current.settlement().progress()) {
                    break;
                }
                current = current.next().get();
            }
            stage = current;
            return current == null;
        } catch (Throwable failure) {
            state.channel().release(this::discard);
            throw failure;
        }
    }

    /**
     * Begins an attempt. Memory that messages use is freed after it, or, if it failed, after the survivors have shrunk.
     */
    private Stage attempt() {
        PooledMemory scratch = state.channel().openScratch();
        // Memory is allocated inside the part, since a PE without memory must tell the others.
        Task<Outcome<@Nullable T>> part = Task.done(scratch).thenBegin(this::movedSizes)
                .thenBegin(moved -> moved ? moveBlocks(scratch).then(this::outcome) : Task.done(outcome(null)));
        Task<Outcome<@Nullable T>> settlement = meet().begin(state.channel(), changesReplicas(), name, part);
        return new Stage(settlement, () -> {
            Outcome<@Nullable T> outcome = settlement.result();
            state.channel().release(scratch);
            requireOneGeneration(outcome.flags());
            return afterAttempt(outcome);
        });
    }

    /** Begins an attempt up to the blocks. The result tells whether all PEs can continue with them. */
    private Task<Boolean> movedSizes(PooledMemory scratch) {
        damagedChunks.clear();
        valid = true;
        sound = true;
        complete = true;
        comparing = null;
        begin(scratch);
        if (!state.configuration().blocks().variable()) {
            return Task.done(true);
        }
        return moveSizes(scratch).thenBegin(_ -> {
            Request compared = comparing == null ? beginComparing(sound) : comparing;
            return Task.inOneStep(compared::test, () -> {
                valid = worst[0] != INVALID_SOMEWHERE;
                sound &= worst[0] == 0;
                return valid && sound;
            });
        });
    }

    private Outcome<@Nullable T> outcome(@Nullable T moved) {
        boolean validHere = valid && isValid();
        if (moved != null && validHere && sound) {
            prepareEnd(moved);
        }
        last = moved;
        return new Outcome<>(ComparedNumber.flags(state.generationNumber()) | (validHere ? VALID : 0)
                | (sound ? SOUND : 0) | (complete ? COMPLETE : 0), moved);
    }

    private void requireOneGeneration(int flags) {
        if (!ComparedNumber.isSame(flags)) {
            throw new IllegalStateException(name + " needs the same generation on all PEs, and this one has generation "
                    + state.generationNumber() + " while another PE has a different one: build a new store");
        }
    }

    private @Nullable Stage afterAttempt(Outcome<@Nullable T> outcome) {
        if (outcome.has(VALID) && outcome.has(SOUND)) {
            return finish(outcome);
        }
        // All PEs know this and come to the next settlement.
        meet();
        if (!outcome.has(VALID)) {
            return comparison("comparing submissions", faults(), faults -> {
                throw invalid(faults);
            });
        }
        settledAttempt();
        return comparison("comparing damage", damageOnAllPes(), _ -> {
            if (repeatsAfterDamage()) {
                // All PEs come to another attempt.
                meet();
                discard();
                return attempt();
            }
            return finish(outcome);
        });
    }

    private @Nullable Stage finish(Outcome<@Nullable T> outcome) {
        result = end(Objects.requireNonNull(outcome.result(), name), outcome.has(COMPLETE));
        return null;
    }

    private <R> Stage comparison(String what, Task<R> told, Function<R, @Nullable Stage> next) {
        Task<Outcome<R>> settlement = meet().begin(state.channel(), false, what, told.then(Outcome::of));
        return new Stage(settlement, () -> next.apply(settlement.result().result()));
    }

    /** Tells the other PEs which replicas are damaged here. The result is all damage that all PEs know. */
    private Task<DamagedReplicas> damageOnAllPes() {
        long[] found = damagedChunks.isEmpty() ? null : damagedChunks.toLongArray();
        return GatheredRecords.of(state.channel().communicator(), found, Integer.MAX_VALUE).then(all -> {
            DamagedReplicas.Builder damaged = new DamagedReplicas.Builder(directory.damaged());
            all.first().forEach(told -> told.words()
                    .forEach((long chunk) -> damaged.add(chunk, state.rankAt(told.rank()))));
            directory = directory.with(damaged.build());
            marked = state.marked(directory.damaged());
            if (last != null) {
                prepareEnd(last);
            }
            return directory.damaged();
        });
    }

    /** Records in the store the damage that all PEs know. */
    final void noteDamage() {
        state.noteDamage(marked);
    }

    /**
     * Starts the reduction that shows all PEs whether one of them found errors in the sizes. Called once in an attempt,
     * before blocks are moved; in a pull as soon as this PE has its sizes.
     *
     * @param soundHere whether every replica of sizes from which this PE received data matches its checksum
     */
    final Request beginComparing(boolean soundHere) {
        worst[0] = !isValid() ? INVALID_SOMEWHERE : soundHere ? 0 : UNSOUND_SOMEWHERE;
        Request begun = state.channel().communicator().iAllReduce(worst, Reduction.MAX);
        comparing = begun;
        return begun;
    }

    /** The directory of replicas, with all damage that all PEs know. */
    final BlockDirectory directory() {
        return directory;
    }

    /** The damage that all PEs know. */
    public final DamagedReplicas damaged() {
        return directory.damaged();
    }

    /** Records chunks of this PE that don't match their checksums. */
    final void foundDamaged(LongSet chunks) {
        damagedChunks.addAll(chunks);
        sound &= chunks.isEmpty();
    }

    /** Records that data that another PE read for this one don't match their checksum. */
    final void foundUnsound() {
        sound = false;
    }

    /** Records that data that this PE requested are not available. */
    final void foundIncomplete() {
        complete = false;
    }

    /**
     * Whether the operation creates replicas on all PEs or on none. Then a failed PE makes it fail, since no other PE
     * knows whether the failed one's replicas are valid and sound.
     */
    private boolean changesReplicas() {
        return switch (kind) {
            case SUBMIT, SUBMIT_CHANGES, REPLENISH -> true;
            case PULL, RECOVER, SCRUB -> false;
        };
    }
}
