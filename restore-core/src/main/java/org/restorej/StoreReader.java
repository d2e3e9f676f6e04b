package org.restorej;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRanges;
import org.restorej.block.StoreRank;
import org.restorej.comm.Communicator;
import org.restorej.internal.placement.DamagedReplicas;
import org.restorej.internal.plan.PullPlanner;
import org.restorej.internal.plan.PushPlanner;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.storage.CheckedMemory;
import org.restorej.internal.storage.PooledMemory;
import org.restorej.internal.transfer.TransferEngine;

/** Reads from one generation, and keeps what that has shown of damaged replicas. */
final class StoreReader {
    private final OperationContext context;
    private final StoreRanks ranks;
    private final Generation generation;
    private final @Nullable BlockFallback fallback;
    private DamagedReplicas damaged;

    StoreReader(OperationContext context, StoreRanks ranks, Generation generation, @Nullable BlockFallback fallback) {
        this.context = context;
        this.ranks = ranks;
        this.generation = generation;
        this.fallback = fallback;
        damaged = generation.directory().damaged();
    }

    /** All damage that is known now. */
    DamagedReplicas damaged() {
        return damaged;
    }

    PulledBlocks pull(BlockRanges wanted, ReadDestination destination) {
        return read("pull", wanted, destination, new ReadOperation.Exchange() {
            @Override
            public ReadOperation.Delivery run(OperationContext context, BlockDirectory directory,
                    CheckedMemory memory, ReadOperation.Target target, PooledMemory scratch) {
                PullPlanner planner = new PullPlanner(directory, context.peers(), target.wanted(),
                        context.configuration().blockSizeBytes());
                boolean sound = new TransferEngine(context.channel()).pull(planner, memory, target.layout(),
                        target.memory(), scratch);
                return new ReadOperation.Delivery(sound, planner.lost());
            }

            @Override
            public boolean sendsUnasked() {
                return false;
            }
        });
    }

    PulledBlocks push(Function<StoreRank, BlockRanges> wishes, ReadDestination destination) {
        Communicator communicator = context.communicator();
        int[] peers = new int[communicator.size()];
        BlockRanges[] wanted = new BlockRanges[peers.length];
        for (int current = 0; current < peers.length; current++) {
            peers[current] = ranks.originalRankAt(current, communicator);
            wanted[current] = peers[current] == StoreRanks.NO_RANK
                    ? BlockRanges.EMPTY
                    : wish(wishes, StoreRank.of(peers[current]));
            if (!context.configuration().contains(wanted[current])) {
                throw new IllegalArgumentException(context.configuration()
                        .outOfRange("wishes of store rank " + peers[current], wanted[current]));
            }
        }
        return read("push", wanted[communicator.rank()], destination, new ReadOperation.Exchange() {
            @Override
            public ReadOperation.Delivery run(OperationContext context, BlockDirectory directory,
                    CheckedMemory memory, ReadOperation.Target target, PooledMemory scratch) {
                PushPlanner planner = new PushPlanner(directory, context.peers(), peers, wanted,
                        context.configuration().blockSizeBytes());
                boolean sound = new TransferEngine(context.channel()).push(planner, memory, target.layout(),
                        target.memory(), scratch);
                return new ReadOperation.Delivery(sound, planner.lost());
            }

            @Override
            public boolean sendsUnasked() {
                return true;
            }
        });
    }

    /** What a function throws that is the application's: the others are told, since they can't do without this PE. */
    private BlockRanges wish(Function<StoreRank, BlockRanges> wishes, StoreRank rank) {
        try {
            return Objects.requireNonNull(wishes.apply(rank), "wishes of store rank " + rank);
        } catch (Throwable thrown) {
            context.leave("push", thrown);
            throw thrown;
        }
    }

    private PulledBlocks read(String name, BlockRanges wanted, ReadDestination destination,
            ReadOperation.Exchange exchange) {
        ReadOperation operation = new ReadOperation(name, context, generation, fallback, wanted, destination, exchange);
        boolean whole;
        try {
            whole = operation.run();
        } finally {
            damaged = operation.damaged();
        }
        if (!whole) {
            RuntimeException loss = loss(name);
            operation.fallbackFailures().forEach(loss::addSuppressed);
            throw loss;
        }
        return operation.pulled();
    }

    private RuntimeException loss(String name) {
        if (generation.number() == Generation.NOTHING && ranks.failedRanks().isEmpty()) {
            return new IllegalStateException(
                    name + " needs a submission: nothing has been submitted, and no fallback has "
                            + "read all blocks that were wanted");
        }
        return generation.number() == Generation.NOTHING
                ? IrrecoverableDataLossException.withoutSubmission(generation.directory().lostBlocks(),
                        ranks.failedRanks())
                : new IrrecoverableDataLossException(generation.directory().with(damaged).lostBlocks(),
                        ranks.failedRanks());
    }
}
