package org.restorej.bench.model;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.restorej.ReStore;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;

/** What the PEs of a real store call, here threads. */
final class CountedRun {
    private CountedRun() {}

    /**
     * What one PE has called.
     *
     * @param messages sent to other PEs
     * @param bytes of these
     * @param collectives that it took part in
     */
    record Calls(long messages, long bytes, Collectives collectives) {}

    /** Runs every call once on as many PEs as the shape has, and returns what each PE has called, by rank. */
    static List<Map<ModelledCall, Calls>> of(ModelShape shape) {
        return LocalCluster.run(shape.pes(), world -> run(shape, world));
    }

    private static Map<ModelledCall, Calls> run(ModelShape shape, Communicator world) {
        CallCounter counter = new CallCounter();
        Map<ModelledCall, Calls> calls = new EnumMap<>(ModelledCall.class);
        try (ReStore store = shape.store(counter.count(world)); Arena arena = Arena.ofShared()) {
            for (ModelledCall call : ModelledCall.values()) {
                BlockRange blocks = call == ModelledCall.SUBMIT
                        ? shape.share(world.rank())
                        : call.wish(shape, world.rank());
                MemorySegment memory = arena.allocate(blocks.count() * shape.blockBytes(), Long.BYTES);
                counter.reset();
                if (call == ModelledCall.SUBMIT) {
                    store.submit(blocks, memory);
                } else {
                    store.pull(BlockRanges.of(blocks), memory);
                }
                calls.put(call, new Calls(counter.messages(), counter.bytes(), counter.collectives()));
            }
        }
        return calls;
    }
}
