package org.restorej.bench.model;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.restorej.block.BlockRanges;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.plan.Pass;
import org.restorej.internal.plan.Peers;
import org.restorej.internal.plan.PieceTable;
import org.restorej.internal.plan.ReadPlanner;
import org.restorej.internal.plan.SourceRuns;
import org.restorej.internal.plan.SubmitPlanner;
import org.restorej.internal.storage.UniformLayout;

/**
 * The messages of one call, from the plans of all PEs. A PE tells each other PE that it has to do with which pieces it
 * is about; pieces from 64 KiB on travel as messages of their own, shorter ones and what follows the blocks together in
 * frames of at most 1 MiB. One thread.
 */
final class PlannedTraffic {
    /** As the library's limits of transfers. */
    private static final long DIRECT_BYTES = 64 << 10;
    private static final long FRAME_BYTES = 1 << 20;

    private static final long CHECKSUM_BYTES = Integer.BYTES;
    /** Whether the blocks of a pull are sound. */
    private static final long SOUND_BYTES = Long.BYTES;

    private final ModelShape shape;
    private final BlockDirectory directory;
    private final Traffic traffic;

    private PlannedTraffic(ModelShape shape) {
        this.shape = shape;
        directory = shape.directory();
        traffic = new Traffic(shape.pes());
    }

    /** Counts the messages of a call. */
    static Traffic of(ModelShape shape, ModelledCall call) {
        PlannedTraffic planned = new PlannedTraffic(shape);
        for (int rank = 0; rank < shape.pes(); rank++) {
            if (call == ModelledCall.SUBMIT) {
                planned.submit(rank);
            } else {
                planned.pull(rank, BlockRanges.of(call.wish(shape, rank)));
            }
        }
        return planned.traffic;
    }

    private Peers peers(int rank) {
        return new Peers(rank, rank, shape.pes(), peer -> peer);
    }

    private void submit(int rank) {
        SourceRuns share = new SourceRuns(List.of(new SourceRuns.Run(shape.share(rank),
                new UniformLayout(shape.blocksPerPe(), shape.blockBytes()), MemorySegment.NULL)));
        // Checksums are counted below, not made.
        PieceTable pieces = new SubmitPlanner(directory, peers(rank), false, null, null).plan(share, Arena.ofAuto())
                .pieces();
        for (int group = 0; group < pieces.peerCount(); group++) {
            int holder = pieces.peer(group);
            if (holder != rank) {
                traffic.add(rank, holder, 1, pieces.wireBytes(group));
                Frames frames = new Frames(rank, holder);
                send(pieces, group, frames);
                for (int piece = pieces.start(group); piece < pieces.start(group + 1); piece++) {
                    frames.run(CHECKSUM_BYTES * chunksWithin(pieces.position(piece), pieces.count(piece)));
                }
                frames.end();
            }
        }
    }

    private void pull(int rank, BlockRanges wanted) {
        ReadPlanner planner = new ReadPlanner(directory, peers(rank), wanted, shape.blockBytes(), Pass.BLOCKS);
        while (planner.hasNext()) {
            PieceTable pieces = planner.next();
            for (int group = 0; group < pieces.peerCount(); group++) {
                int server = pieces.peer(group);
                if (server != rank) {
                    traffic.add(rank, server, 1, pieces.wireBytes(group));
                    Frames frames = new Frames(server, rank);
                    send(pieces, group, frames);
                    frames.run(SOUND_BYTES);
                    frames.end();
                }
            }
        }
    }

    private void send(PieceTable pieces, int group, Frames frames) {
        for (int piece = pieces.start(group); piece < pieces.start(group + 1); piece++) {
            frames.run(pieces.count(piece) * shape.blockBytes());
        }
    }

    /** Number of chunks that lie in a piece as a whole: their checksums go with it. */
    private long chunksWithin(long position, long count) {
        ChunkGrid grid = directory.grid();
        long end = position + count;
        long chunks = 0;
        long at = grid.chunkFirst(position) == position ? position : grid.chunkEnd(position);
        while (at < end && grid.chunkEnd(at) <= end) {
            chunks++;
            at = grid.chunkEnd(at);
        }
        return chunks;
    }

    /** Runs of bytes from one PE to another, as the messages that they become. */
    private final class Frames {
        private final int sender;
        private final int receiver;
        private long filled;

        Frames(int sender, int receiver) {
            this.sender = sender;
            this.receiver = receiver;
        }

        void run(long bytes) {
            if (bytes >= DIRECT_BYTES) {
                traffic.add(sender, receiver, 1, bytes);
            } else if (bytes > 0) {
                if (filled + bytes > FRAME_BYTES) {
                    end();
                }
                filled += bytes;
            }
        }

        void end() {
            if (filled > 0) {
                traffic.add(sender, receiver, 1, filled);
                filled = 0;
            }
        }
    }
}
