package org.restorej.loop;

import java.time.Instant;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.ReStore;
import org.restorej.balance.Assignment;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.codec.BlockSerializer;
import org.restorej.comm.ApplicationFailedException;
import org.restorej.comm.Collective;
import org.restorej.comm.Communicator;
import org.restorej.internal.settlement.Settlement;
import org.restorej.internal.message.MessageArguments;
import org.restorej.objects.ReplicatedObjects;
import org.restorej.rows.ReplicatedArray;

/**
 * Runs the iterations of a program with checkpoints in memory, and repeats them from the last checkpoint when a PE
 * fails.
 *
 * <pre>{@code
 * try (ReplicatedArray<double[]> array = ReplicatedArray.ofDoubles(ReStore.builder(world), rows, columns);
 *         CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.contiguous(world.size(), rows),
 *                 CheckpointInterval.iterations(10))) {
 *     LocalRows<double[]> grid = loop.keep(array.local(mine -> initialRows(mine)));
 *     loop.run(1000, (comm, iteration) -> sweep(comm, grid.values()));
 *     return loop.evaluate(comm -> sum(comm, grid.values()));
 * }
 * }</pre>
 *
 * <p>
 * The loop owns the data, the iteration number and the generation. At each checkpoint it submits all data together.
 * After a failure the survivors shrink the communicator, reassign the blocks, and roll back to the last generation:
 * each PE reads all its blocks that change, reads those constant blocks that are newly assigned to it, and restores its
 * {@linkplain #value values} and the iteration number. An iteration that is repeated therefore starts from the same
 * state, and may change its data in place. After a failure before the first generation the survivors create the initial
 * blocks again. Lost replicas are re-replicated in the background: until the next generation is submitted, or the call
 * of the loop returns. Until then the store's report and risk show the missing ones.
 *
 * <p>
 * If only values change from iteration to iteration, or nothing, then no block is submitted after the first generation:
 * a checkpoint, and an {@link #evaluate}, then cost one agreement each.
 *
 * <p>
 * The program follows three rules. Data change only inside iterations, and all data that change are registered by
 * {@code keep} or {@code value}: other variables are not rolled back, and changes between two runs are lost. Iterations
 * communicate only through the communicator that they are given. Side effects of an iteration, such as printing, may
 * happen twice.
 *
 * <p>
 * {@code keep} and {@code value} don't communicate. If one of them throws on one PE only, the next call of the loop
 * throws an {@link IllegalStateException} on all PEs, since they don't keep the same data.
 *
 * <p>
 * Cost: one agreement for each checkpoint, none for an iteration. Besides the stores' memory the loop needs a copy of
 * data that write their blocks anew ({@link LoopData#isCopied}), with {@link #inBackground} of all that change. The constructor and all methods are called by
 * all PEs, in the same order. Not thread-safe.
 */
public final class CheckpointLoop implements AutoCloseable {
    /** One iteration. */
    @FunctionalInterface
    public interface Step {
        /**
         * Runs one iteration. Exceptions of the communicator, and of the program's own MPI calls
         * ({@link Communicator#failureBehind}), must not be caught.
         *
         * @param communicator of the PEs that have not failed
         * @param iteration its number, from 0
         * @throws Exception rethrown unchanged on its PE, although the loop's methods declare no exception
         */
        void run(Communicator communicator, long iteration) throws Exception;
    }

    /** One iteration that decides whether another one follows. */
    @FunctionalInterface
    public interface ConvergingStep {
        /**
         * Runs one iteration; see {@link Step#run}. Returns the same on every PE: false when the loop has converged.
         */
        boolean run(Communicator communicator, long iteration) throws Exception;
    }

    /**
     * One PE's part of a computation by all PEs of a loop.
     *
     * @param <T> its result
     */
    @FunctionalInterface
    public interface Evaluation<T extends @Nullable Object> {
        /**
         * Computes the result of this PE. Exceptions of the communicator, and of the program's own MPI calls
         * ({@link Communicator#failureBehind}), must not be caught.
         *
         * @param communicator of the PEs that have not failed
         * @throws Exception rethrown unchanged on its PE, although the loop's methods declare no exception
         */
        T apply(Communicator communicator) throws Exception;
    }

    private final CheckpointProtocol protocol;
    private final LoadBalancer balancer;
    /** The store that maps ranks of the loop's balancer to PEs; null until one is kept. */
    private @Nullable ReStore balanced;

    /**
     * Creates a loop at iteration 0.
     *
     * @param communicator of all PEs; stays the caller's, and is revoked at the first rollback. The loop then continues
     *        with shrunk communicators of its own
     * @param balancer assigns the blocks; the same on every PE
     * @param interval how often a generation is submitted; the same on every PE
     */
    @Collective
    public CheckpointLoop(Communicator communicator, LoadBalancer balancer, CheckpointInterval interval) {
        Objects.requireNonNull(communicator, "communicator");
        try {
            MessageArguments.checkGiven("balancer", balancer);
            MessageArguments.checkGiven("interval", interval);
            this.balancer = balancer;
            protocol = new CheckpointProtocol(communicator, balancer, interval);
        } catch (RuntimeException | Error met) {
            throw Settlement.revoke(communicator, met);
        }
    }

    /**
     * Submits a copy of the blocks while the next iterations run. The submit makes progress while the loop's thread
     * waits in calls of a {@link Communicator} or starts a collective one, but not while it computes. A generation is
     * committed when the next one is due, which takes one more agreement.
     */
    public CheckpointLoop inBackground() {
        checkNotCalled("inBackground");
        protocol.data().submitInBackground();
        return this;
    }

    /**
     * Also saves what the loop keeps to files, for a later job: after a failure that the MPI library does not survive,
     * the loss of all replicas of a block, or the end of the job's time. The same program, started again on any number
     * of PEs, resumes from the newest saved iteration: the first call of the loop reads the saved data, and the initial
     * functions are not called. Each further call adds a level that is more durable than the previous ones.
     *
     * <p>
     * The files are of one iteration: all blocks, in the order of {@code keep}, and all values, which must be equal on
     * all PEs. They are written between two iterations, where a generation is due, from the application's memory; with
     * {@link #inBackground} the next iterations run while the files are flushed to disk. If saving fails, the loop logs
     * a warning and continues in memory. Called before {@code keep} and {@code value}. Two loops of a program need
     * different places. All values together take at most 48 MiB.
     *
     * @param interval minimum time or iterations between two saves; the same on every PE
     */
    @Collective
    public CheckpointLoop persist(LoopStorage storage, CheckpointInterval interval) {
        try {
            MessageArguments.checkGiven("storage", storage);
            MessageArguments.checkGiven("interval", interval);
            if (!protocol.data().isEmpty()) {
                throw new IllegalStateException("persist must be called before keep and value");
            }
            protocol.levels().add(storage, interval);
            return this;
        } catch (RuntimeException | Error met) {
            protocol.exceptions().refused(0, met);
            throw Settlement.revoke(communicator(), met);
        }
    }

    /**
     * Describes the data, for example by a digest of the input. The description is saved with the data, and only a job
     * with the same description resumes from them.
     *
     * @param text the same on every PE
     */
    public CheckpointLoop describe(String text) {
        checkNotCalled("describe");
        protocol.levels().restart().describe(Objects.requireNonNull(text, "text"));
        return this;
    }

    /**
     * Sets the end of the job: the loop saves in time and throws a {@link ToBeContinuedException}. The default is the
     * environment variable {@code SLURM_JOB_END_TIME}. The loop ends when twice the duration of the iterations since
     * the last generation plus twice that of the last saves would reach to within five seconds of the end. To measure
     * the cost of a save, the last level saves after the first generation. Has no effect without {@link #persist}.
     */
    public CheckpointLoop endBefore(Instant end) {
        protocol.levels().endBefore(Objects.requireNonNull(end, "end"));
        return this;
    }

    /** Whether the last run has done all its iterations; false if it threw. */
    public boolean isComplete() {
        return protocol.isComplete();
    }

    /**
     * Limits how many PEs may end by exceptions of the application in the same iterations. After that many, an
     * exception in the repeated iterations stops the loop on all PEs: it is an error of the program or its data, which
     * would otherwise end one PE after the other. PEs that call the loop again after an exception don't count, nor do
     * other failures, such as by a signal.
     *
     * @param endedPes 0 or more, the same on every PE; by default 1, or
     *        {@link ApplicationFailedException#LIMIT_PROPERTY}
     */
    public CheckpointLoop exceptionLimit(int endedPes) {
        protocol.exceptions().limit(endedPes);
        return this;
    }

    /**
     * Sets an observer of completed recoveries. An exception of the consumer ends the current call on its PE only; the
     * other PEs recover, and wait until this PE ends or calls the loop again.
     */
    public CheckpointLoop onRecovery(Consumer<Recovery> consumer) {
        protocol.onRecovery(Objects.requireNonNull(consumer, "consumer"));
        return this;
    }

    /**
     * Sets an observer of the blocks that the loop's balancer assigns to this PE. It is called before the first
     * iteration, and after each recovery or {@link #adopt} that has changed them. For what an application derives from
     * its blocks, such as lists of neighbours or buffers. Called before the next iteration or evaluation, when all kept
     * data are available; an exception of the consumer counts as thrown by that iteration or evaluation.
     */
    public CheckpointLoop onBlocksChanged(Consumer<BlockRanges> consumer) {
        protocol.onBlocksChanged(Objects.requireNonNull(consumer, "consumer"));
        return this;
    }

    /**
     * Keeps blocks of a store, such as rows ({@link ReplicatedArray#local}, {@link ReplicatedArray#constant}) or
     * objects ({@link ReplicatedObjects#local}, {@link ReplicatedObjects#constant}), and initializes them. If the store
     * has a generation already, for example read from files, the first call of the loop reads it instead.
     *
     * @param data of a store on the loop's communicator, with as many blocks as the balancer has; the store stays the
     *        caller's
     * @return {@code data}. The loop replaces their values at a rollback, so {@code values()} is called again in each
     *         iteration
     */
    @Collective
    public <D extends LoopData> D keep(D data) {
        return keep(data, balancer);
    }

    /** Keeps blocks that have a balancer of their own; see {@link #keep(LoopData)}. */
    @Collective
    public <D extends LoopData> D keep(D data, LoadBalancer blockBalancer) {
        checkNotCalled("keep");
        MessageArguments.checkGiven("data", data);
        MessageArguments.checkGiven("balancer", blockBalancer);
        protocol.keep(data, blockBalancer);
        balanced = protocol.data().of(balancer).map(LoopData::store).orElse(null);
        return data;
    }

    /**
     * Keeps a value of this PE.
     *
     * @param serializer copies the value at each checkpoint, and back
     * @param initial value before the first iteration
     */
    @Collective
    public <T> LoopValue<T> value(BlockSerializer<T> serializer, T initial) {
        checkNotCalled("value");
        LoopValue<T> value = new LoopValue<>(serializer, initial, protocol::isInIteration);
        protocol.data().add(value);
        return value;
    }

    private void checkNotCalled(String method) {
        if (protocol.wasCalled()) {
            throw new IllegalStateException(method + " must be called before the first run or evaluate");
        }
    }

    /**
     * Runs iterations until {@code until} are done in all, and submits the result. Collective.
     *
     * @param until number of iterations of this and all earlier runs together; nothing is done if there are as many
     * @param step one PE's part of an iteration. An exception of its own is thrown on its PE only; the other PEs
     *        recover, and wait until this PE ends or calls the loop again
     * @throws IrrecoverableDataLossException on every survivor, when blocks of the generation are lost; also at the
     *         next call
     * @throws InvalidSubmissionException on every PE, when blocks can't be submitted; the next call rolls back
     * @throws ApplicationFailedException on every PE, when repeated iterations throw again after an exception has ended
     *         a PE, see {@link #exceptionLimit}; also at the next call
     */
    @Collective
    public void run(long until, Step step) {
        runWhile(until, (comm, iteration) -> {
            MessageArguments.checkGiven("step", step);
            step.run(comm, iteration);
            return true;
        });
    }

    /**
     * Runs iterations as {@link #run} does, until an iteration returns false.
     *
     * @return number of iterations in all
     * @throws IllegalStateException on every PE, when PEs have done different numbers of iterations. PEs that continue
     *         may wait forever for one that has stopped, as in MPI
     */
    @Collective
    public long runWhile(long until, ConvergingStep step) {
        return protocol.run(until, step);
    }

    /**
     * Computes a result from the data after the last run; repeated until no PE fails in it. Collective.
     *
     * @param function one PE's part; changes nothing that the loop keeps
     * @return the result of {@code function}
     */
    @Collective
    public <T extends @Nullable Object> T evaluate(Evaluation<T> function) {
        return protocol.retryAfterFailures(() -> protocol.evaluate(function));
    }

    /**
     * Reassigns the blocks by the loop's balancer without a failure, for example when PEs are slower or blocks are more
     * expensive than estimated. PEs read the blocks that they gain from the last generation, and keep the others. If a
     * PE fails meanwhile, the blocks are reassigned as after any failure instead.
     *
     * @param proposal makes the loop's balancer propose an assignment, the same on every PE, and returns it. An
     *        exception of its own is thrown on its PE only; the other PEs recover, and wait until this PE ends or
     *        calls the loop again
     * @throws IllegalStateException on all PEs, when they have proposed different assignments
     */
    @Collective
    public void adopt(Supplier<Assignment> proposal) {
        protocol.adopt(proposal);
    }

    /**
     * The communicator of the PEs that have not failed: the caller's until the first failure, then the loop's. The next
     * recovery revokes and closes it, so what must outlast it uses a duplicate. Stays open when the loop is
     * closed.
     */
    public Communicator communicator() {
        return protocol.communicator();
    }

    /** Number of iterations done; decreases at a rollback. */
    public long iteration() {
        return protocol.iteration();
    }

    /** The blocks that the loop's balancer assigns to this PE; none on an idle spare, and before any are kept. */
    public BlockRanges blocks() {
        return protocol.blocks();
    }

    /**
     * Current rank, in {@link #communicator}, of the PE to which the loop's balancer assigns a block. It changes with a
     * recovery or {@link #adopt}.
     *
     * @return {@link Communicator#NO_RANK} if there is no such block, for example beyond the edge of a grid
     * @throws IllegalStateException when the loop keeps no blocks that its balancer assigns
     */
    public int rankOf(long block) {
        if (block < 0 || block >= balancer.assignment().blockCount()) {
            return Communicator.NO_RANK;
        }
        ReStore store = balanced;
        if (store == null) {
            throw new IllegalStateException("the loop keeps no blocks that its balancer hands out");
        }
        return store.processOf(balancer.assignment().ownerOf(block))
                .map(process -> communicator().ranks().currentRankOf(process.value())).orElse(Communicator.NO_RANK);
    }

    /** Waits for a submit in the background, and frees copies. Local. Called before the stores are closed. */
    @Override
    public void close() {
        protocol.close();
    }
}
