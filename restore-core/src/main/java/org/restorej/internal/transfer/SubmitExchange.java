package org.restorej.internal.transfer;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.placement.ChunkGrid;
import org.restorej.internal.storage.BlockMemory;
import org.restorej.internal.storage.PooledMemory;

/**
 * Brings submitted blocks into the replica memories of their holders.
 *
 * <p>
 * A sender tells each holder, by the sparse all-to-all, which runs of positions it has for it; the holder then knows
 * which bytes come from whom and where they go, and receives long runs straight into its replica memory while the
 * sender sends straight from the application's. For n submitted bytes a PE sends {@code K * n} bytes, and as many
 * messages as there are holders plus long runs. The sender also makes the checksums, of each chunk that it has all
 * blocks of; those of other chunks are left to the holders. One exchange does one submission, in one round or several.
 */
public final class SubmitExchange {
    private final Channel channel;
    private final BlockDirectory directory;
    private final BlockMemory memory;
    private final boolean checksums;
    private final @Nullable Coverage coverage;
    private final LongSet unsealedChunks = new LongOpenHashSet();
    private final Coverage.FaultyBlocks homeless = new Coverage.FaultyBlocks();

    /**
     * An exchange.
     *
     * @param directory where the replicas are to be
     * @param memory this PE's part of them, to be filled
     * @param checksums whether the memory has room for checksums
     * @param coverage told of what arrives here, unless null
     */
    public SubmitExchange(Channel channel, BlockDirectory directory, BlockMemory memory, boolean checksums,
            @Nullable Coverage coverage) {
        this.channel = channel;
        this.directory = directory;
        this.memory = memory;
        this.checksums = checksums;
        this.coverage = coverage;
    }

    /** Blocks that this PE has submitted and that no PE alive holds. */
    public Optional<String> homeless() {
        return homeless.isEmpty() ? Optional.empty() : Optional.of(homeless.toString());
    }

    /**
     * Chunks of this PE's memory whose blocks have come in several pieces, so that it must make the checksums itself.
     */
    public LongSet unsealedChunks() {
        return unsealedChunks;
    }

    /**
     * Sends these runs to their holders and receives what the other PEs send in the same round. Called by all PEs, the
     * same number of times. The memory of the runs is free to use afterwards.
     */
    public void round(List<SourceRun> sources) {
        SourceRuns runs = new SourceRuns(sources);
        PooledMemory scratch = channel.openScratch();
        boolean through = false;
        try {
            SourceChecksums made = new SourceChecksums(directory.grid(), runs);
            PieceTable pieces = pieces(runs, made);
            SourceChecksums.Messages sums = made.messages(channel.size(), scratch);
            channel.beginTransfers();
            for (int group = 0; group < pieces.peerCount(); group++) {
                int peer = pieces.peer(group);
                if (peer != channel.rank()) {
                    channel.transfers().send(peer,
                            ByteRuns.concat(pieces.runs(group, runs.blocks()), sums.of(peer)));
                }
            }
            channel.announceAndTransfer(List.of(pieces).iterator(), (source, message) -> {
                PieceTable announced = PieceTable.decode(source, message);
                note(announced, 0);
                channel.transfers().receive(source, target(announced, 0));
            }, own -> keep(own, runs, sums));
            through = true;
        } finally {
            if (!through) {
                channel.stopSending();
            }
            channel.release(scratch::close);
        }
    }

    /** The pieces of the runs by current rank of holder. */
    private PieceTable pieces(SourceRuns runs, SourceChecksums made) {
        PieceTable.Builder builder = new PieceTable.Builder();
        int[] holders = new int[directory.replication()];
        runs.split(directory, (range, part, position, count, slot) -> {
            if (checksums) {
                made.begin(position, count, slot);
            }
            if (directory.holders(range, part, position, holders) == 0) {
                homeless.add(directory.permutation(), position, count);
            }
            // A damaged replica gets its changes, too: it may still be repaired.
            int holderCount = directory.residency().holders(range, part, holders);
            for (int i = 0; i < holderCount; i++) {
                int holder = channel.currentRankOf(holders[i]);
                builder.add(holder, position, count, slot);
                if (checksums) {
                    made.addHolder(holder);
                }
            }
        });
        return builder.build(channel.size());
    }

    private ByteRuns target(PieceTable pieces, int group) {
        ByteRuns blocks = pieces.runs(group, PieceTable.PieceMemory.blocks(memory));
        return checksums
                ? ByteRuns.concat(blocks, pieces.runs(group, PieceTable.PieceMemory.checksums(memory)))
                : blocks;
    }

    /** This PE may be a holder of its own blocks. */
    private void keep(PieceTable pieces, SourceRuns runs, SourceChecksums.Messages sums) {
        int group = pieces.groupOf(channel.rank());
        if (group < 0) {
            return;
        }
        note(pieces, group);
        ByteRuns source = ByteRuns.concat(pieces.runs(group, runs.blocks()), sums.of(channel.rank()));
        ByteRuns target = target(pieces, group);
        int from = 0;
        for (int run = 0; run < target.count(); run++) {
            if (target.bytes(run) > 0) {
                while (source.bytes(from) == 0) {
                    from++;
                }
                target.segment(run).copyFrom(source.segment(from++));
            }
        }
    }

    private void note(PieceTable pieces, int group) {
        for (int piece = pieces.start(group); piece < pieces.start(group + 1); piece++) {
            long position = pieces.position(piece);
            long count = pieces.count(piece);
            if (coverage != null) {
                coverage.mark(position, count);
            }
            if (checksums) {
                noteCutChunks(position, position + count);
            }
        }
    }

    private void noteCutChunks(long position, long end) {
        ChunkGrid grid = directory.grid();
        if (grid.chunkFirst(position) != position) {
            unsealedChunks.add(grid.chunkFirst(position));
        }
        if (grid.chunkEnd(end - 1) != end) {
            unsealedChunks.add(grid.chunkFirst(end - 1));
        }
    }
}
