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
 * An operation that all PEs of a store do together.
 *
 * <p>
 * Each PE does its part in one or two passes: where blocks have different sizes, the sizes move first, since a block
 * begins where all blocks before it end. Then all PEs settle whether everybody is through. A PE that is at fault by
 * itself, such as by a block writer that throws, keeps nobody waiting: it takes part to the end, and then all PEs throw
 * what each of them has found wrong. When a PE has found a replica damaged, all learn which one, and the operation is
 * repeated without it if that makes sense. One thread.
 *
 * @param <T> what a PE's part comes to
 */
public abstract class CollectiveOperation<T> {
    /** Flag: nothing that this PE contributes is wrong. */
    private static final int VALID = 1 << 1;
    /** Flag: every replica that this PE has read, or got blocks of, fits its checksum. */
    private static final int SOUND = 1 << 2;
    /** Flag: this PE has got all that it asked for. */
    private static final int COMPLETE = 1 << 3;

    private static final long UNSOUND_SOMEWHERE = 1;
    private static final long INVALID_SOMEWHERE = 2;

    final StoreState state;
    /** What it is called in messages. */
    final String name;

    private final Operation kind;
    private Meeting meeting;
    private final LongSet damagedChunks = new LongOpenHashSet();
    private BlockDirectory directory;
    private boolean valid;
    private boolean sound;
    private boolean complete;
    private boolean prepared;
    private boolean endsAlone;
    /** The present generation with the damage that was found. */
    private @Nullable Generation marked;
    /** What is under way; null before it has begun. */
    private @Nullable Stage stage;
    /** What all PEs tell each other of the sizes. */
    private @Nullable Request comparing;
    private final long[] worst = new long[1];
    /** What this PE's part of the last attempt has returned. */
    private @Nullable T last;
    private @Nullable T result;

    /**
     * An operation that has not begun.
     *
     * @param kind what the monitor notes it as
     * @param name what it is called in messages
     * @param directory where the replicas are that it is about
     */
    CollectiveOperation(Operation kind, String name, StoreState state, BlockDirectory directory) {
        this.kind = kind;
        this.name = name;
        this.state = state;
        meeting = state.calls().meeting();
        this.directory = directory;
    }

    /** Prepares what every attempt needs, before anything is sent; what it throws ends the operation on this PE. */
    void prepare() {}

    /**
     * Begins an attempt: what the one before has noted counts no more.
     *
     * @param scratch memory until the end of the attempt
     */
    void begin(PooledMemory scratch) {}

    /** Moves the sizes of blocks; called only where they differ. */
    abstract Task<?> moveSizes(PooledMemory scratch);

    /** Moves the blocks, when all PEs know all sizes. */
    abstract Task<T> moveBlocks(PooledMemory scratch);

    /** Whether nothing that this PE contributes is wrong. */
    boolean isValid() {
        return true;
    }

    /** Tells all PEs what is wrong where some PE is not valid. */
    Task<String> faults() {
        return Task.done("");
    }

    /**
     * What this PE throws when some PE is not valid.
     *
     * @param faults as all PEs know them
     */
    RuntimeException invalid(String faults) {
        return new IllegalStateException(name + " is invalid: " + faults);
    }

    /** An attempt is settled: this PE reads nothing for the others any more. */
    void settledAttempt() {}

    /** Takes note of damage that all PEs know now, and says whether to make another attempt. */
    abstract boolean repeatsAfterDamage();

    /** Frees what this PE has made in an attempt that has failed or is repeated. */
    void discard() {}

    /**
     * Makes ready what {@link #publish} needs: the last thing that this PE does before all agree that the operation is
     * done. Called again when more damage is known then.
     *
     * @param result of this PE's last attempt
     */
    void prepareEnd(T result) {}

    /**
     * What the operation returns when all PEs have done their part. What it throws, it throws without communication.
     *
     * @param result of this PE's last attempt
     * @param completeOnAll whether no PE has called {@link #foundIncomplete}
     */
    abstract T end(T result, boolean completeOnAll);

    /**
     * Puts the result into the store; can't fail. From the agreement to here nothing is allocated: a PE whose heap is
     * full would stay behind the others.
     */
    void publish(T result) {}

    /**
     * Runs it, and puts its result into the store. Collective. Notes in the store's report what it did, also when it
     * throws.
     *
     * @throws org.restorej.block.InvalidSubmissionException on every PE, when one has an error
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

    /** Goes on in the background, and so at a meeting of its own; inside of the call that begins it. */
    final void goOnAt(Meeting own) {
        meeting.handOverTo(own);
        meeting = own;
    }

    /** The others come to the next settlement. */
    private Meeting meet() {
        return meeting.at(state.channel().communicator());
    }

    final StoreMonitor.Observation observe() {
        return state.monitor().begin(kind);
    }

    /** What it has come to, when it is settled. */
    final T result() {
        return Objects.requireNonNull(result, name);
    }

    /**
     * What all PEs settle: an attempt, or, after one, what they have found wrong in it.
     *
     * @param next called when it is settled: begins the stage after it; null when nothing is left to do
     */
    private record Stage(Task<? extends Outcome<?>> settlement, Supplier<@Nullable Stage> next) {}

    /**
     * Goes on with it, and leaves the store as it is. Throws what the operation throws.
     *
     * @param waits whether to wait until it is settled; else it does what can be done now
     * @return whether it is settled
     */
    final boolean advance(boolean waits) {
        if (!prepared) {
            prepared = true;
            prepare();
        }
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
     * One attempt. Memory that messages use is freed afterwards, or, when that has failed, after the survivors have
     * shrunk.
     */
    private Stage attempt() {
        PooledMemory scratch = state.channel().openScratch();
        // Memory is taken in the part, since a PE that has none left must tell the others.
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

    /** Begins an attempt, up to the blocks; comes to whether all PEs can go on to those. */
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
        // All PEs know, and come to the next settlement.
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
        boolean completeOnAll = outcome.has(COMPLETE);
        // Where something is missing on some PE, all of them throw.
        endsAlone = completeOnAll;
        result = end(Objects.requireNonNull(outcome.result(), name), completeOnAll);
        return null;
    }

    /** Of an operation that has thrown: whether it has done so on this PE, while on others it may have returned. */
    final boolean hasThrownAlone() {
        return endsAlone;
    }

    private <R> Stage comparison(String what, Task<R> told, Function<R, @Nullable Stage> next) {
        Task<Outcome<R>> settlement = meet().begin(state.channel(), false, what, told.then(Outcome::of));
        return new Stage(settlement, () -> next.apply(settlement.result().result()));
    }

    /** Tells the others which replicas are damaged here, and comes to all that all PEs know of then. */
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

    /** Has the store know of the damage that all PEs know of now. */
    final void noteDamage() {
        state.noteDamage(marked);
    }

    /**
     * Tells all PEs whether any has found something wrong with the sizes: without them, nobody can go on to the blocks.
     * Once in an attempt; a pull does it where its sizes have come.
     *
     * @param soundHere whether every replica of sizes that this PE has got something of fits its checksum
     */
    final Request beginComparing(boolean soundHere) {
        worst[0] = !isValid() ? INVALID_SOMEWHERE : soundHere ? 0 : UNSOUND_SOMEWHERE;
        Request begun = state.channel().communicator().iAllReduce(worst, Reduction.MAX);
        comparing = begun;
        return begun;
    }

    /** Where the replicas are, with all damage that all PEs know of. */
    final BlockDirectory directory() {
        return directory;
    }

    /** The damage that all PEs know of. */
    public final DamagedReplicas damaged() {
        return directory.damaged();
    }

    /** Chunks of this PE don't fit their checksums. */
    final void foundDamaged(LongSet chunks) {
        damagedChunks.addAll(chunks);
        sound &= chunks.isEmpty();
    }

    /** What another PE has read for this one didn't fit its checksum. */
    final void foundUnsound() {
        sound = false;
    }

    /** Something that this PE asked for could not be had. */
    final void foundIncomplete() {
        complete = false;
    }

    /**
     * Whether it brings about replicas on all PEs, or on none: then nobody knows that all of them are valid and sound
     * unless everybody lives to say so.
     */
    private boolean changesReplicas() {
        return switch (kind) {
            case SUBMIT, SUBMIT_CHANGES, REPLENISH -> true;
            case PULL, RECOVER, SCRUB -> false;
        };
    }
}
