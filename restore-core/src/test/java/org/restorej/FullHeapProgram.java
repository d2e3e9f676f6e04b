package org.restorej;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.balance.Assignment;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.mpi.Mpi;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;

/**
 * Rank 1 has no memory left on its heap when it makes a collective call, catches what it gets, frees memory, and goes on
 * with the others.
 */
public final class FullHeapProgram {
    /** What the rank without memory prints of each call. */
    static final String WITHOUT_MEMORY = "was without memory in ";
    /** What every rank prints at the end. */
    static final String END = "all went on";

    private static final long BLOCKS = 300;
    private static final TestBlocks CONTENT = new TestBlocks(64, 1);
    private static final String COMMIT = "commitTogether";

    private Communicator comm;
    private final ReStore store;
    private final ReStore loopStore;
    private Submission submission = new Submission();
    private List<StagedSubmission> staged = List.of();
    private final BlockRanges all = BlockRanges.of(0, BLOCKS);
    private final Arena arena = Arena.ofAuto();
    private final MemorySegment destination = arena.allocate(BLOCKS * CONTENT.blockSizeBytes());
    // Made beforehand: what the program itself allocates for a call is not the library's.
    private final PulledBlocks.Consumer check = CONTENT::check;
    @SuppressWarnings("UnnecessaryLambda")
    private final LoadBalancer balancer;
    private final Supplier<Assignment> proposal;
    private @Nullable CheckpointLoop loop;
    private final double[] array = new double[1000];
    private final double[][] arrays;
    private final long[] numbers = new long[10];
    private final FullHeap heap = new FullHeap();

    private FullHeapProgram(Communicator world) {
        comm = world;
        store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(CONTENT.blockSizeBytes()).replication(2).build();
        loopStore = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(CONTENT.blockSizeBytes()).replication(2)
                .build();
        arrays = new double[world.size()][100];
        balancer = LoadBalancer.equal(world.size(), BLOCKS);
        proposal = () -> balancer.rebalance(loopStore.failedRanks());
        prepare();
        store.submit(submission);
    }

    /** Runs. */
    public static void main(String[] args) {
        Communicator world = Mpi.world(args);
        FullHeapProgram program = new FullHeapProgram(world);
        program.run();
        System.out.println(END);
        program.store.close();
        program.loopStore.close();
        Mpi.finish(program.comm);
    }

    static Map<String, Runnable> calls(FullHeapProgram on) {
        Map<String, Runnable> calls = new LinkedHashMap<>();
        calls.put("pull into a consumer", () -> on.store.pull(on.all, on.check));
        calls.put("pull into an arena", () -> on.store.pull(on.all, on.arena));
        calls.put("pull", () -> on.store.pull(on.all, on.destination));
        calls.put("submit", () -> on.store.submit(on.submission));
        calls.put("submitChanges", () -> on.store.submitChanges(on.submission));
        calls.put("scrub", () -> on.store.scrub());
        calls.put("replenish", () -> on.store.replenish());
        calls.put("adopt", on::adopt);
        calls.put("stage", () -> on.store.stage(on.submission).discard());
        calls.put(COMMIT, () -> StagedSubmission.commitTogether(on.staged));
        calls.put("broadcast", () -> on.comm.broadcast(on.array, 0));
        calls.put("allGather", () -> on.comm.allGather(on.array));
        calls.put("gather", () -> on.comm.gather(on.array, 1));
        calls.put("allToAll", () -> on.comm.allToAll(on.arrays));
        calls.put("allReduce", () -> on.comm.allReduce(on.numbers, Reduction.SUM));
        calls.put("split", () -> on.comm.split(0).orElseThrow().close());
        calls.put("duplicate", () -> on.comm.duplicate().close());
        return calls;
    }

    private void prepare() {
        submission = new Submission().add(BlockRange.between(BLOCKS * comm.rank() / comm.size(),
                BLOCKS * (comm.rank() + 1) / comm.size()), (BlockRange.Writer) CONTENT::write);
        // It goes on with the blocks that the loop before has submitted.
        loop = new CheckpointLoop(comm, balancer, CheckpointInterval.iterations(1));
        loop.keep(HeldBlocks.of(loopStore, CONTENT));
        loop.evaluate(Communicator::size);
    }

    /** After an exception the others recover, and wait for this rank to call the loop again. */
    private void adopt() {
        CheckpointLoop adopting = Objects.requireNonNull(loop);
        try {
            adopting.adopt(proposal);
        } catch (OutOfMemoryError full) {
            heap.clear();
            adopting.evaluate(Communicator::size);
            throw full;
        }
        adopting.evaluate(Communicator::size);
    }

    private void run() {
        Map<String, Runnable> calls = calls(this);
        // Twice in good times: nothing is loaded any more.
        for (int time = 0; time < 2; time++) {
            calls.forEach((name, call) -> {
                prepareCall(name);
                call.run();
            });
        }
        calls.forEach((name, call) -> {
            prepareCall(name);
            comm.barrier();
            Throwable met = withoutMemory(call);
            if (met instanceof OutOfMemoryError) {
                System.out.println(WITHOUT_MEMORY + name);
            }
            if ((comm.agree(met == null ? 1 : 0).flags() & 1) == 0) {
                comm.revoke();
                comm = comm.shrink();
                store.recover(comm);
                loopStore.recover(comm);
                prepare();
            }
            store.pull(all, check);
        });
    }

    private void prepareCall(String name) {
        if (name.equals(COMMIT)) {
            staged = List.of(store.stage(submission));
        }
    }

    private @Nullable Throwable withoutMemory(Runnable call) {
        try {
            if (comm.rank() == 1) {
                heap.fill();
            }
            call.run();
            return null;
        } catch (RuntimeException | OutOfMemoryError met) {
            return met;
        } finally {
            heap.clear();
        }
    }
}
