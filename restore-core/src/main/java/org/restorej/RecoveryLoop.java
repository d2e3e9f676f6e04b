package org.restorej;

import java.lang.foreign.Arena;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.balance.Assignment;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.comm.ApplicationFailedException;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Collective;
import org.restorej.comm.Communicator;
import org.restorej.comm.MessageArguments;
import org.restorej.comm.Settlement;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.placement.FailedRanks;

/**
 * Runs the steps of an application on <b>blocks that never change</b>, and repeats a step in which a process has died,
 * with the work of the dead handed out again. <b>It doesn't go back.</b> After a death the blocks of the dead come back
 * as they were submitted last, and the living keep theirs as they are now. So blocks that change from step to step are
 * of different steps after a death, and all results from then on are wrong, without an exception: for those use
 * {@link CheckpointLoop}, which takes all PEs back to the same generation.
 *
 * <pre>{@code
 * RecoveryLoop loop = new RecoveryLoop(world, store, balancer, GainedBlocks.each(myBlocks::append));
 * while (!converged) {
 *     double sum = loop.step(comm -> iterate(comm, myBlocks));
 * }
 * }</pre>
 *
 * <p>
 * After a failure the survivors revoke and shrink the communicator, recover the store, re-balance, pull the blocks they
 * have gained, replenish the lost replicas, and do the step again; a further failure at any point of that begins it
 * anew. A step counts as done only when all PEs alive have done it, so it must not change what it starts from: it
 * returns its result, and the caller takes that over afterwards. By hand the same is possible with the methods of
 * {@link ReStore}; this class holds nothing that they need.
 *
 * <p>
 * A step may contain the first submission, too. When a process dies before that is done, its blocks are nowhere but
 * with the store's {@linkplain ReStoreBuilder#fallback fallback}, from which the others then get them; without one that
 * is an {@link IrrecoverableDataLossException}.
 *
 * <p>
 * The loop is created and its methods are called by all PEs, in the same order. One thread.
 */
public final class RecoveryLoop {
    /** Takes over the blocks that a PE has gained. */
    @FunctionalInterface
    public interface GainedBlocks {
        /**
         * Takes them over; called once in each recovery, also where this PE has gained nothing. When it throws, and the
         * loop is called again, it gets the same blocks again: so it takes over all of them or none, or blocks that it
         * has already in the place of those.
         *
         * @param gained the blocks, perhaps none; their bytes are valid only during the call
         * @param mine all blocks of this PE from now on: some balancers take blocks from the living too, so an
         *        application lets go of those that are not among them
         */
        void accept(PulledBlocks gained, BlockRanges mine);

        /** Takes them over one by one, in ascending order of their ids, and keeps whatever is there already. */
        static GainedBlocks each(BlockConsumer consumer) {
            Objects.requireNonNull(consumer, "consumer");
            return (gained, mine) -> gained.forEach(consumer);
        }
    }

    private final ReStore store;
    private final LoadBalancer balancer;
    private final GainedBlocks gainedBlocks;
    private final LoopCommunicator communicator;
    private final RepeatedExceptions exceptions;
    private final RecoveryObserver observer = new RecoveryObserver();
    /** What the application has accepted, and has not been told to let go of. */
    private BlockRanges mine;
    /** Whether the work of the dead is still to be handed out: also after a recovery that has met a loss. */
    private boolean recovering;
    /** Bytes gained in the recovery under way, also in attempts that another death has cut short. */
    private long gainedBytes;

    /**
     * A loop with everybody alive, each PE having the blocks that the balancer's assignment gives it.
     *
     * @param communicator of all PEs of the store; stays the caller's; the loop goes on with shrunk ones of its own
     * @param store has the application's blocks
     * @param balancer hands out the blocks; the same on every PE
     * @param gainedBlocks takes over blocks after a failure
     */
    @Collective
    public RecoveryLoop(Communicator communicator, ReStore store, LoadBalancer balancer, GainedBlocks gainedBlocks) {
        this.communicator = new LoopCommunicator(communicator);
        exceptions = new RepeatedExceptions(this.communicator);
        this.store = store;
        this.balancer = balancer;
        this.gainedBlocks = gainedBlocks;
        try {
            MessageArguments.checkGiven("store", store);
            MessageArguments.checkGiven("balancer", balancer);
            MessageArguments.checkGiven("gainedBlocks", gainedBlocks);
            mine = blocksOfThisPe(checked(balancer.assignment()));
        } catch (RuntimeException | Error met) {
            throw Settlement.revoke(communicator, met);
        }
    }

    private Assignment checked(Assignment first) {
        if (first.blockCount() != store.blockCount() || first.peCount() != store.placement().peCount()) {
            throw new IllegalArgumentException("the balancer must hand out all blocks of the store to its PEs: it has "
                    + first.blockCount() + " blocks and " + first.peCount() + " PEs, the store " + store.blockCount()
                    + " and " + store.placement().peCount());
        }
        return first;
    }

    /** Tells of every recovery when it is complete; what the consumer throws ends the step that follows. */
    public RecoveryLoop onRecovery(Consumer<Recovery> consumer) {
        observer.set(consumer);
        return this;
    }

    /**
     * How many PEs may end by exceptions of the application in the same step: the next exception there stops the loop
     * on all PEs. As {@link CheckpointLoop#exceptionLimit}.
     *
     * @param endedPes 0 or more, the same on every PE; 1 unless {@link ApplicationFailedException#LIMIT_PROPERTY} says
     *        otherwise
     */
    public RecoveryLoop exceptionLimit(int endedPes) {
        exceptions.limit(endedPes);
        return this;
    }

    /** The communicator of those who are left: the caller's until the first failure, then the loop's. */
    public Communicator communicator() {
        return communicator.current();
    }

    /** The blocks that this PE works on; none on an idle spare. */
    public BlockRanges blocks() {
        return mine;
    }

    /**
     * Does a step on all PEs alive, again and again until nobody dies in it.
     *
     * @param step one PE's part; gets the communicator of those who are left, and lets pass what that throws; calls the
     *        store, if at all, before it uses the communicator, or in a step of its own: a PE inside a call of the
     *        store and one that has met a failure outside would wait for each other.
     *        What it throws itself, or a balancer, or {@link GainedBlocks}, is thrown on its PE alone; the others begin
     *        a recovery, in which they wait for this PE to end or to call {@code step} again
     * @return what the step returned
     * @throws IrrecoverableDataLossException on every survivor, when blocks of the dead are lost; again at the next
     *        step, since their work belongs to nobody
     */
    @Collective
    public <T extends @Nullable Object> T step(LoopFunction<T> step) {
        exceptions.throwStop();
        try {
            while (true) {
                if (recovering) {
                    recover(System.nanoTime());
                }
                Settlement.expect(communicator.current());
                try {
                    T result = attempt(step);
                    exceptions.progressed();
                    return result;
                } catch (CommunicationFailedException failure) {
                    recovering = true;
                    exceptions.met("a step", failure);
                } catch (Throwable own) {
                    // The others begin a recovery because of it. Should the caller go on, this PE takes part.
                    recovering = true;
                    exceptions.met("a step", own);
                    throw own;
                }
            }
        } finally {
            Settlement.leave("step");
        }
    }

    private <T extends @Nullable Object> T attempt(LoopFunction<T> step) {
        return Settlement.settle(communicator.current(), "step", () -> {
            observer.throwFailure();
            MessageArguments.checkGiven("step", step);
            return communicator.call(step);
        });
    }

    private void recover(long noticedNanos) {
        FailedRanks before = store.failedRanks();
        BlockRanges had = mine;
        gainedBytes = 0;
        while (true) {
            try {
                recoverOnce(noticedNanos, before, had);
                recovering = false;
                return;
            } catch (CommunicationFailedException again) {
                exceptions.met("the recovery of a step", again);
                // Another one has died: begin again with those who are left.
                communicator.current().revoke();
            } catch (Throwable own) {
                exceptions.met("the recovery of a step", own);
                throw own;
            }
        }
    }

    private void recoverOnce(long noticedNanos, FailedRanks before, BlockRanges had) {
        Recovery.Clock clock = new Recovery.Clock(noticedNanos);
        Communicator survivors = communicator.shrink();
        exceptions.shrunk(survivors);
        clock.lap(Recovery.Phase.SHRINK);
        store.recover(survivors);
        clock.lap(Recovery.Phase.RECOVER);
        takeOver(() -> {
            Assignment proposal = balancer.rebalance(store.failedRanks());
            clock.lap(Recovery.Phase.BALANCE);
            return proposal;
        }, () -> clock.lap(Recovery.Phase.PULL));
        clock.lap(Recovery.Phase.TAKE_OVER);
        store.replenish();
        clock.lap(Recovery.Phase.REPLENISH);
        // Blocks gained in an attempt that another death cut short after the pull count too.
        long gainedInAll = mine.minus(had).blockCount();
        observer.tell(new Recovery(store.failedRanks().minus(before), store.failedRanks(), survivors.size(),
                gainedInAll, gainedBytes, clock.laps()));
    }

    /**
     * Hands out the work anew without a failure, for when PEs have turned out to be slower or blocks dearer than was
     * thought. When a process dies meanwhile, the work is handed out as after any failure instead.
     *
     * @param proposal has this loop's balancer propose, the same on every PE; committed when all PEs have the blocks
     *        that they gain. What it throws is thrown on its PE alone; the others begin a recovery, in which they wait
     *        for this PE to end or to call the loop again
     */
    @Collective
    public void adopt(Supplier<Assignment> proposal) {
        exceptions.throwStop();
        try {
            if (recovering) {
                // The others are in it, and adopt nothing.
                recover(System.nanoTime());
            } else {
                tryToAdopt(proposal);
            }
        } finally {
            Settlement.leave("adopt");
        }
    }

    private void tryToAdopt(Supplier<Assignment> proposal) {
        try {
            takeOver(proposal, () -> {});
        } catch (CommunicationFailedException failure) {
            recovering = true;
            exceptions.met("taking over", failure);
            recover(System.nanoTime());
        } catch (Throwable own) {
            recovering = true;
            exceptions.met("taking over", own);
            throw own;
        }
    }

    /** Settled twice: by the pull, and, so that a PE that can't take over leaves nobody waiting, by the loop. */
    private void takeOver(Supplier<Assignment> proposal, Runnable pulled) {
        store.expect();
        Gain gain = gain(proposal);
        try {
            PulledBlocks blocks = store.pull(gain.blocks(), gain.memory());
            Settlement.expect(communicator.current());
            pulled.run();
            Settlement.settle(communicator.current(), "taking over", () -> {
                // The pull has succeeded on every survivor, so all of them commit.
                balancer.commit();
                gainedBytes += blocks.bytes().byteSize();
                // What the application throws leaves open which of its blocks it has let go of.
                mine = mine.intersect(gain.next());
                gainedBlocks.accept(blocks, gain.next());
                mine = gain.next();
                return mine;
            });
        } finally {
            store.release(gain.memory());
        }
    }

    /** What this PE gains. */
    private record Gain(BlockRanges next, BlockRanges blocks, Arena memory) {}

    /** The others are at the pull: where this PE can't come, nobody has pulled, and nobody commits. */
    private Gain gain(Supplier<Assignment> proposal) {
        try {
            BlockRanges next = blocksOfThisPe(proposal.get());
            return new Gain(next, next.minus(mine), NativeMemory.openShared());
        } catch (Throwable own) {
            store.leave("pull", own);
            throw own;
        }
    }

    private BlockRanges blocksOfThisPe(Assignment assignment) {
        return store.isIdleSpare() ? BlockRanges.EMPTY : assignment.blocksOf(store.rank());
    }
}
