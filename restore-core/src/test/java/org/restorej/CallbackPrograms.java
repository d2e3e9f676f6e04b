package org.restorej;

import static org.restorej.FailingStorePrograms.BLOCKS;
import static org.restorej.FailingStorePrograms.kill;
import static org.restorej.FailingStorePrograms.submit;
import static org.restorej.StorePrograms.ownRun;
import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;
import static org.restorej.comm.testing.Checks.throwing;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;
import org.restorej.ReStoreBuilder.Fallback;
import org.restorej.balance.Assignment;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.Reduction;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.loop.Recovery;
import org.restorej.placement.FailedRanks;

/**
 * What a store promises when something of the application's throws on one PE, rank 0, that is not a RuntimeException:
 * that PE gets what was thrown, the others an exception of their own or what they wanted, and the store is as it was.
 */
public final class CallbackPrograms implements ContractSuite {
    /** All programs. */
    static final List<ContractProgram> ALL = List.of(
            new ContractProgram("anErrorOfAWriterRefusesTheSubmission", 2, CallbackPrograms::writer),
            new ContractProgram("anErrorOfAWriterInTheBackgroundRefusesTheSubmission", 2,
                    CallbackPrograms::writerInTheBackground),
            new ContractProgram("anErrorOfSizesRefusesTheSubmission", 2, CallbackPrograms::sizes),
            new ContractProgram("anErrorOfAConsumerIsThatPesAlone", 2, CallbackPrograms::consumer),
            new ContractProgram("anErrorOfAnUnneededFallbackHarmsNobodyElse", 2, CallbackPrograms::unneededFallback),
            new ContractProgram("anErrorOfAFallbackThatReadsLeavesTheLossToTheOthers", 2,
                    world -> fallback(world, true)),
            new ContractProgram("anErrorOfAFallbackOfNoGenerationLeavesTheLossToTheOthers", 2,
                    world -> fallback(world, false)),
            new ContractProgram("anErrorOfABalancerIsOneMoreRecovery", 3, CallbackPrograms::balancer),
            new ContractProgram("anErrorOfAProposalIsOneMoreRecovery", 2, CallbackPrograms::proposal),
            new ContractProgram("anErrorOfAnObserverEndsTheNextStep", 3, CallbackPrograms::observer),
            new ContractProgram("anErrorOfAStepIsOneMoreRecovery", 2, CallbackPrograms::step));

    private static final TestBlocks OLD = new TestBlocks(24, 1);
    private static final BlockRanges EVERYTHING = BlockRanges.of(0, BLOCKS);
    private static final List<Throwable> THROWN = List.of(new StackOverflowError("deep"), new AssertionError("wrong"),
            new OutOfMemoryError("full"), new IOException("sneaked"));

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    private static ReStoreBuilder builder(Communicator world, int replication) {
        return ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(OLD.blockSizeBytes())
                .replication(Math.min(replication, world.size())).permutationRangeBlocks(7);
    }

    private static ReStore store(Communicator world) {
        ReStore store = builder(world, 2).build();
        submit(world, store, OLD);
        return store;
    }

    private static CheckpointLoop loop(Communicator world, ReStore store, LoadBalancer balancer) {
        CheckpointLoop loop = new CheckpointLoop(world, balancer, CheckpointInterval.iterations(1));
        loop.keep(HeldBlocks.of(store, OLD));
        return loop;
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // As a callback in another language does.
    private static <X extends Throwable> RuntimeException sneaked(Throwable thrown) throws X {
        throw (X) thrown;
    }

    private static void throwOnRank0(Communicator world, Throwable thrown) {
        if (world.rank() == 0) {
            throw CallbackPrograms.<RuntimeException>sneaked(thrown);
        }
    }

    /** Runs it on all PEs: rank 0 gets what was thrown, or an exception because of it. */
    private static Throwable thrownIn(Communicator world, Throwable thrown, Runnable call) {
        Throwable met = throwing(Throwable.class, call::run, thrown.toString());
        if (world.rank() == 0) {
            holds(met.equals(thrown) || (!(thrown instanceof Error) && thrown.equals(met.getCause())),
                    "rank 0 gets what was thrown, " + thrown + ": " + met);
        }
        return met;
    }

    private static void refused(Communicator world, Throwable thrown, Runnable call) {
        Throwable met = thrownIn(world, thrown, call);
        if (world.rank() != 0) {
            holds(met instanceof InvalidSubmissionException && String.valueOf(met.getMessage())
                    .contains("original rank 0: ") && String.valueOf(met.getMessage()).contains(thrown.toString()),
                    "the others are told: " + met);
        }
    }

    private static void writer(Communicator world) {
        try (ReStore store = store(world)) {
            for (Throwable thrown : THROWN) {
                refused(world, thrown,
                        () -> store.submit(ownRun(world, BLOCKS), (id, block) -> throwOnRank0(world, thrown)));
                equal(1L, store.generation(), "generation");
                OLD.pullAndCheck(store, EVERYTHING);
            }
        }
    }

    private static void writerInTheBackground(Communicator world) {
        try (ReStore store = store(world)) {
            for (Throwable thrown : THROWN) {
                PendingOperation<Long> pending = store.submitAsync(
                        new Submission().add(ownRun(world, BLOCKS),
                                (BlockRange.Writer) (id, block) -> throwOnRank0(world, thrown)));
                refused(world, thrown, pending::await);
                OLD.pullAndCheck(store, EVERYTHING);
            }
        }
    }

    private static void sizes(Communicator world) {
        try (ReStore store = builder(world, 2).variableBlockSizes(8).build()) {
            for (Throwable thrown : THROWN) {
                refused(world, thrown, () -> store.submit(new Submission().add(ownRun(world, BLOCKS), id -> {
                    throwOnRank0(world, thrown);
                    return 8;
                }, (BlockRange.Writer) (id, block) -> {})));
            }
            store.submit(new Submission().add(ownRun(world, BLOCKS), id -> 8, (BlockRange.Writer) (id, block) -> {}));
            equal(1L, store.generation(), "generation");
        }
    }

    private static void consumer(Communicator world) {
        try (ReStore store = store(world)) {
            for (Throwable thrown : THROWN) {
                Runnable pull = () -> store.pull(EVERYTHING, (id, block) -> throwOnRank0(world, thrown));
                if (world.rank() == 0) {
                    thrownIn(world, thrown, pull);
                } else {
                    pull.run();
                }
                OLD.pullAndCheck(store, EVERYTHING);
            }
        }
    }

    /** A fallback that throws where it is to find its generation, or where it is to read. */
    private static Fallback throwingFallback(Communicator world, Throwable thrown, boolean whenItReads) {
        return new Fallback() {
            @Override
            public Fallback forGeneration(ReStore store, long generation) {
                if (!whenItReads) {
                    throwOnRank0(world, thrown);
                }
                return this;
            }

            @Override
            public void read(BlockRange blocks, MemorySegment destination) {
                throwOnRank0(world, thrown);
                for (long i = 0; i < blocks.count(); i++) {
                    OLD.write(blocks.first() + i, destination.asSlice(i * OLD.blockSizeBytes(), OLD.blockSizeBytes()));
                }
            }
        };
    }

    private static void unneededFallback(Communicator world) {
        for (Throwable thrown : THROWN) {
            try (ReStore store = builder(world, 2).fallback(throwingFallback(world, thrown, false)).build()) {
                submit(world, store, OLD);
                for (int times = 0; times < 2; times++) {
                    if (world.rank() == 0 && thrown instanceof Error) {
                        thrownIn(world, thrown, () -> OLD.pullAndCheck(store, EVERYTHING));
                    } else {
                        OLD.pullAndCheck(store, EVERYTHING);
                    }
                }
            }
        }
    }

    private static void fallback(Communicator world, boolean whenItReads) {
        try (ReStore one = builder(world, 1).fallback(throwingFallback(world, THROWN.get(0), whenItReads)).build();
                ReStore other = builder(world, 1).fallback(throwingFallback(world, THROWN.get(3), whenItReads))
                        .build()) {
            submit(world, one, OLD);
            submit(world, other, OLD);
            Communicator survivors = kill(world, world.size() - 1);
            for (ReStore store : List.of(one, other)) {
                store.recover(survivors);
                for (int times = 0; times < 2; times++) {
                    Throwable met = throwing(Throwable.class, () -> OLD.pullAndCheck(store, EVERYTHING), "a pull");
                    if (world.rank() == 0 && store.equals(one)) {
                        holds(met.equals(THROWN.get(0)), "rank 0 gets its own: " + met);
                    } else {
                        equal(store.lostBlocks(), ((IrrecoverableDataLossException) met).lostBlocks(), "lost blocks");
                        equal(world.rank() == 0, met.getSuppressed().length > 0, "what the fallback of rank 0 threw");
                    }
                }
                if (whenItReads || store.equals(other)) {
                    OLD.pullAndCheck(store, EVERYTHING.minus(store.lostBlocks()));
                }
            }
        }
    }

    /**
     * Gives the blocks of the failed to the first PE alive, but throws first, as often as there is something to throw.
     */
    private static final class ThrowingBalancer extends LoadBalancer {
        private final Communicator world;
        private int next;

        ThrowingBalancer(Communicator world) {
            super(LoadBalancer.equal(world.size(), BLOCKS).assignment());
            this.world = world;
        }

        @Override
        protected Assignment propose(Assignment inForce, FailedRanks failedRanks) {
            if (world.rank() == 0 && next < THROWN.size()) {
                throw CallbackPrograms.<RuntimeException>sneaked(THROWN.get(next++));
            }
            Assignment.Builder builder = new Assignment.Builder(inForce.peCount());
            for (int run = 0; run < inForce.runCount(); run++) {
                builder.give(failedRanks.contains(inForce.runOwner(run)) ? 0 : inForce.runOwner(run),
                        inForce.runBlocks(run));
            }
            return builder.build();
        }
    }

    /** Steps until one is done: rank 0 gets each throwable once. Every block is then with somebody, and once. */
    private static void stepUntilDone(Communicator world, CheckpointLoop loop, ReStore store, List<Throwable> thrown) {
        for (Throwable expected : world.rank() == 0 ? thrown : List.<Throwable>of()) {
            Throwable met = throwing(Throwable.class, () -> loop.evaluate(CallbackPrograms::size), "a step");
            holds(met.equals(expected), "rank 0 gets its own, " + expected + ": " + met);
        }
        int alive = loop.evaluate(CallbackPrograms::size);
        long[] blocks = {loop.blocks().blockCount()};
        loop.communicator().allReduce(blocks, Reduction.SUM);
        equal(BLOCKS, blocks[0], "blocks of all PEs");
        equal(loop.communicator().size(), alive, "PEs in the step");
        OLD.pullAndCheck(store, EVERYTHING);
    }

    private static int size(Communicator comm) {
        long[] one = {1};
        comm.allReduce(one, Reduction.SUM);
        return (int) one[0];
    }

    private static void balancer(Communicator world) {
        try (ReStore store = store(world); CheckpointLoop loop = loop(world, store, new ThrowingBalancer(world))) {
            FailureSimulation.of(world).fail(world.size() - 1);
            stepUntilDone(world, loop, store, THROWN);
            equal(world.size() - 1, loop.communicator().size(), "survivors");
        }
    }

    private static void proposal(Communicator world) {
        LoadBalancer balancer = LoadBalancer.equal(world.size(), BLOCKS);
        try (ReStore store = store(world); CheckpointLoop loop = loop(world, store, balancer)) {
            for (Throwable thrown : THROWN) {
                Runnable adopt = () -> loop.adopt(() -> {
                    throwOnRank0(world, thrown);
                    return balancer.rebalance(FailedRanks.NONE);
                });
                if (world.rank() == 0) {
                    thrownIn(world, thrown, adopt);
                } else {
                    adopt.run();
                }
                stepUntilDone(world, loop, store, List.of());
            }
        }
    }

    private static void observer(Communicator world) {
        try (ReStore store = store(world);
                CheckpointLoop loop = loop(world, store, LoadBalancer.equal(world.size(), BLOCKS))) {
            boolean[] once = {world.rank() == 0};
            Consumer<Recovery> throwing = recovery -> {
                if (once[0]) {
                    once[0] = false;
                    throwOnRank0(world, THROWN.get(1));
                }
            };
            loop.onRecovery(throwing);
            FailureSimulation.of(world).fail(world.size() - 1);
            stepUntilDone(world, loop, store, List.of(THROWN.get(1)));
            holds(!once[0], "the observer has thrown");
        }
    }

    private static void step(Communicator world) {
        try (ReStore store = store(world);
                CheckpointLoop loop = loop(world, store, LoadBalancer.equal(world.size(), BLOCKS))) {
            for (Throwable thrown : THROWN) {
                boolean[] once = {true};
                Runnable step = () -> loop.evaluate(comm -> {
                    if (once[0]) {
                        once[0] = false;
                        throwOnRank0(world, thrown);
                    }
                    return size(comm);
                });
                if (world.rank() == 0) {
                    thrownIn(world, thrown, step);
                    // The others wait for this PE, in the recovery.
                    loop.evaluate(CallbackPrograms::size);
                } else {
                    step.run();
                }
                stepUntilDone(world, loop, store, List.of());
            }
        }
    }
}
