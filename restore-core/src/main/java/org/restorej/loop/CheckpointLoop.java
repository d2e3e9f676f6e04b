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
 * Runs iterations, and repeats them from the last generation when a process fails.
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
 * The loop owns the data, the number of the iteration, and the generation. It submits all data together every so many
 * iterations. After a failure the survivors shrink the communicator, hand out the blocks again, and all of them go back
 * to the last generation: each reads all its blocks that change from there, the ones that it has gained and the ones
 * that it had, and of those that never change the ones that it has gained; and it gets back its {@linkplain #value
 * values} and the iteration. So an iteration that is repeated finds what it found the first time, and may change its
 * data where they are. A failure before the first generation is no special case: the survivors make the initial blocks
 * again, among themselves. Lost replicas are re-replicated while the application goes on: they are there when the next
 * generation is submitted, or the call of the loop returns, and till then the store's report and risk say which are
 * missing.
 *
 * <p>
 * Where nothing but values changes from iteration to iteration, or nothing at all, no block is submitted after the first
 * generation: a checkpoint after each iteration, and an {@link #evaluate}, cost one agreement each.
 *
 * <p>
 * Three rules are left. Data change only in iterations, and all that changes is in {@code keep} and {@code value}:
 * other variables stay as they are when the loop goes back, and changes between two runs are lost. Iterations
 * communicate by the communicator that they are given. What they do outside, such as printing, may be done twice.
 *
 * <p>
 * {@code keep} and {@code value} communicate with nobody. What one of them refuses on one PE, it throws there; the loop
 * then throws an {@link IllegalStateException} on all PEs, since they don't keep the same.
 *
 * <p>
 * PEs agree for each checkpoint, not for each iteration. Beside the stores' memory the loop takes none; with
 * {@link #inBackground} or {@link #incremental} up to two copies of this PE's blocks that change. The loop is created
 * and its methods are called by all PEs, in the same order. One thread.
 */
public final class CheckpointLoop implements AutoCloseable {
    /** One iteration. */
    @FunctionalInterface
    public interface Step {
        /**
         * Does it; lets pass what the communicator throws, and what calls of MPI throw that it makes itself
         * ({@link Communicator#failureBehind}).
         *
         * @param communicator of those who are left
         * @param iteration its number, from 0
         * @throws Exception of any kind, thrown on its PE as it is, although the loop's methods declare none
         */
        void run(Communicator communicator, long iteration) throws Exception;
    }

    /** One iteration that says whether another one is to follow. */
    @FunctionalInterface
    public interface ConvergingStep {
        /** As {@link Step#run}; returns the same on every PE: true to go on, false when the loop has converged. */
        boolean run(Communicator communicator, long iteration) throws Exception;
    }

    /**
     * One PE's part of what a loop has all PEs compute together.
     *
     * @param <T> what it comes to
     */
    @FunctionalInterface
    public interface Evaluation<T extends @Nullable Object> {
        /**
         * Computes it; lets pass what the communicator throws, and what calls of MPI throw that it makes itself
         * ({@link Communicator#failureBehind}).
         *
         * @param communicator of those who are left
         * @throws Exception of any kind, thrown on its PE as it is, although the loop's methods declare none
         */
        T apply(Communicator communicator) throws Exception;
    }

    private final CheckpointProtocol protocol;
    private final LoadBalancer balancer;
    /** The store that says which process has a rank of the loop's balancer; null as long as none is kept. */
    private @Nullable ReStore balanced;

    /**
     * A loop with everybody alive, at iteration 0.
     *
     * @param communicator of all PEs; stays the caller's, and is revoked when the loop goes back for the first time. It
     *        then goes on with shrunk ones of its own
     * @param balancer hands out the blocks; the same on every PE
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
     * Submits only the blocks that differ from the last generation. The loop finds them by comparing with a copy of
     * that one, which takes as much memory as this PE's blocks that change, and twice as much during a submit. Where a
     * fallback has read lost blocks, the next generation gets all blocks.
     */
    public CheckpointLoop incremental() {
        checkNotCalled("incremental");
        protocol.data().submitOnlyChanges();
        return this;
    }

    /**
     * Submits a copy of the blocks while the next iterations run. It goes on while the loop's thread waits in calls of
     * a {@link Communicator}, and when it begins a collective one; not while it computes. A generation counts when the
     * next one is due, and takes one agreement more.
     */
    public CheckpointLoop inBackground() {
        checkNotCalled("inBackground");
        protocol.data().submitInBackground();
        return this;
    }

    /**
     * Saves what the loop keeps in files, too, for a later job: for when an MPI survives no failure, all replicas of a
     * block are lost, or the job's time is over. The same program then goes on from the newest iteration that is saved,
     * on any number of PEs; what it keeps is read in the first call of the loop, and isn't made by the functions that
     * were given for it. Called again, it adds a further level, each more durable than those before.
     *
     * <p>
     * The files are of one iteration: all blocks, in the order of {@code keep}, and all values, which must be the same
     * on all PEs. They are written between two iterations, where a generation is due, from the application's own
     * memory; with {@link #inBackground} the next iterations go on while the files reach the disk. When that fails,
     * the loop goes on in memory, and says so. Called before {@code keep} and {@code value}.
     *
     * @param interval how often, at least; the same on every PE
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
            throw Settlement.revoke(communicator(), met);
        }
    }

    /**
     * Says what the data mean, such as a digest of the input: saved with them, and a job that says something else
     * doesn't take them for its own.
     *
     * @param text the same on every PE
     */
    public CheckpointLoop describe(String text) {
        checkNotCalled("describe");
        protocol.levels().describe(Objects.requireNonNull(text, "text"));
        return this;
    }

    /**
     * When the job ends: the loop saves in time and throws a {@link ToBeContinuedException}. Unless said, it is what
     * the variable {@code SLURM_JOB_END_TIME} says. In time: when twice the iterations since the last generation and twice
     * the last saves would end within five seconds of it. What a save costs is measured after the first generation, for
     * which the last level saves then. Nothing without {@link #persist}.
     */
    public CheckpointLoop endBefore(Instant end) {
        protocol.levels().endBefore(Objects.requireNonNull(end, "end"));
        return this;
    }

    /** Whether the last run has done all its iterations: false as well when it has thrown. */
    public boolean isComplete() {
        return protocol.isComplete();
    }

    /**
     * How many PEs may end by exceptions of the application in the same iterations: the next exception there, in what
     * is repeated, stops the loop on all PEs, since it is a mistake of the program or of its data that would end one PE
     * after the other. PEs that call the loop again after an exception don't count, nor do those that fail otherwise,
     * such as by a signal.
     *
     * @param endedPes 0 or more, the same on every PE; 1 unless {@link ApplicationFailedException#LIMIT_PROPERTY} says
     *        otherwise
     */
    public CheckpointLoop exceptionLimit(int endedPes) {
        protocol.exceptions().limit(endedPes);
        return this;
    }

    /**
     * Tells of every recovery when it is complete; what the consumer throws ends the call that is under way on its PE
     * alone. The others recover, and wait for this PE to end or to call the loop again.
     */
    public CheckpointLoop onRecovery(Consumer<Recovery> consumer) {
        protocol.onRecovery(Objects.requireNonNull(consumer, "consumer"));
        return this;
    }

    /**
     * Tells which blocks this PE works on, by the loop's balancer, whenever they have changed: before the first
     * iteration, and after each recovery or {@link #adopt} that has given it others. For what an application derives
     * from its blocks, such as lists of neighbours or buffers. Told before the next iteration or evaluation, when all
     * that the loop keeps is there; what the consumer throws counts as thrown by that.
     */
    public CheckpointLoop onBlocksChanged(Consumer<BlockRanges> consumer) {
        protocol.onBlocksChanged(Objects.requireNonNull(consumer, "consumer"));
        return this;
    }

    /**
     * Keeps blocks of a store, such as rows ({@link ReplicatedArray#local}, {@link ReplicatedArray#constant}) or objects
     * ({@link ReplicatedObjects#local}, {@link ReplicatedObjects#constant}), and makes them as they are before the first
     * iteration. Where their store has a generation already, such as one read from files, that is what they begin with:
     * it is read in the first call of the loop.
     *
     * @param data of a store on the loop's communicator, with as many blocks as the balancer has; the store stays the
     *        caller's
     * @return the data, which the loop replaces when it goes back: {@code values()} is asked for again in each
     * iteration
     */
    @Collective
    public <D extends LoopData> D keep(D data) {
        return keep(data, balancer);
    }

    /** As {@link #keep(LoopData)}, of blocks with a balancer of their own. */
    @Collective
    public <D extends LoopData> D keep(D data, LoadBalancer blockBalancer) {
        checkNotCalled("keep");
        MessageArguments.checkGiven("data", data);
        MessageArguments.checkGiven("balancer", blockBalancer);
        protocol.keep(new KeptData(data, blockBalancer));
        balanced = protocol.data().of(balancer).map(KeptData::store).orElse(null);
        return data;
    }

    /**
     * Keeps a value of this PE.
     *
     * @param serializer copies it when a generation is submitted, and back
     * @param initial before the first iteration
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
     * Does iterations until there are {@code until} of them in all, and submits what they have come to. Collective.
     *
     * @param until number of iterations of this and all earlier runs together; nothing is done where there are as many
     * @param step one PE's part of an iteration. What it throws itself is thrown on its PE alone; the others recover,
     *        and wait for this PE to end or to call the loop again
     * @throws IrrecoverableDataLossException on every survivor, when blocks of the generation are lost; again at the
     *         next call
     * @throws InvalidSubmissionException on every PE, when blocks can't be submitted; the loop goes back at the next
     *         call
     * @throws ApplicationFailedException on every PE, when iterations that are repeated after an exception that has
     *         ended a PE throw again, see {@link #exceptionLimit}; again at the next call
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
     * As {@link #run}, until an iteration says that it was the last one.
     *
     * @return number of iterations in all
     * @throws IllegalStateException on every PE, when PEs have done different numbers of iterations. Where those that
     *         go on wait for one that has stopped, they wait for ever, as in MPI
     */
    @Collective
    public long runWhile(long until, ConvergingStep step) {
        return protocol.retryAfterFailures(() -> protocol.advance(until, step));
    }

    /**
     * Computes something from the data as they are after the last run, again until no PE fails in it. Collective.
     *
     * @param function one PE's part; changes nothing that the loop keeps
     * @return what it has returned
     */
    @Collective
    public <T extends @Nullable Object> T evaluate(Evaluation<T> function) {
        return protocol.retryAfterFailures(() -> protocol.evaluate(function));
    }

    /**
     * Assigns the blocks by the loop's balancer again without a failure, for when PEs have turned out to be slower or
     * blocks dearer than was thought. PEs read the blocks that they gain from the last generation, and keep the others.
     * When a process fails meanwhile, the blocks are handed out as after any failure instead.
     *
     * @param proposal has the loop's balancer propose, the same on every PE, and returns that. What it throws is thrown on
     *        its PE alone; the others recover, and wait for this PE to end or to call the loop again
     * @throws IllegalStateException on all PEs, when they have proposed different balances
     */
    @Collective
    public void adopt(Supplier<Assignment> proposal) {
        protocol.adopt(proposal);
    }

    /**
     * The communicator of those who are left: the caller's until the first failure, then the loop's, which the next
     * recovery revokes and closes: what is to outlive that uses a duplicate. Stays open when the loop is closed.
     */
    public Communicator communicator() {
        return protocol.communicator();
    }

    /** Number of iterations done; less again after the loop has gone back. */
    public long iteration() {
        return protocol.iteration();
    }

    /** The blocks that this PE works on, by the loop's balancer; none on an idle spare, and before any are kept. */
    public BlockRanges blocks() {
        return protocol.blocks();
    }

    /**
     * Current rank, in {@link #communicator}, of the PE that works on a block, by the loop's balancer. Asked for again
     * in each iteration.
     *
     * @return {@link Communicator#NO_RANK} when there is no such block, as beyond the edge of a grid
     * @throws IllegalStateException when the loop keeps nothing that its balancer hands out
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

    /** Waits for a submit in the background, and frees copies. Local. To be called before the stores are closed. */
    @Override
    public void close() {
        protocol.close();
    }
}
