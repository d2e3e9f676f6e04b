package org.restorej.internal.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRanges;
import org.restorej.internal.coding.Decoding;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.CodedLayout;

/**
 * Goes through the reads that one PE's wish takes, in ascending order of its blocks: each is of consecutive positions
 * and has one server. A piece of the wish is read from its holders, each of which serves a share; or, where none is
 * left and blocks are coded, the cells are read from which it is computed. It stands at a read from the beginning on.
 * Not thread-safe.
 */
final class ReadCursor {
    private final BlockRanges wanted;
    private final PieceCursor pieces;
    private final ServerChoice choice;
    private final @Nullable DecodingPlanner decoding;
    private final int[] holders;
    private int nextRun;
    private boolean hasRead;
    /** How many reads the present piece takes, none where it is lost, and which of them is the present one. */
    private int reads;
    private int read;
    /** Where the present share of a piece that is read from its holders begins. */
    private long position;
    private long slot;
    /** Whether the present piece is computed from its reads. */
    private boolean isComputed;

    /**
     * A cursor at the first read.
     *
     * @param requester store rank of the PE, or -1
     * @param typicalBlockBytes about the size of a block, the same on every PE: decides which pieces are worth cutting
     */
    ReadCursor(BlockDirectory directory, BlockRanges wanted, int requester, long typicalBlockBytes, Pass pass) {
        this.wanted = wanted;
        pieces = new PieceCursor(directory);
        holders = new int[directory.replication()];
        choice = new ServerChoice(requester, typicalBlockBytes, holders.length);
        CodedLayout layout = directory.layout();
        decoding = layout == null
                ? null
                : new DecodingPlanner(directory, layout, requester, wanted.blockCount(), true, pass);
        advance();
    }

    /** Whether there is a read; false behind the last one. */
    boolean hasRead() {
        return hasRead;
    }

    /** Whether nobody alive has the present piece, and it can't be computed. */
    boolean isLost() {
        return reads == 0;
    }

    /** Whether the present read belongs to those before it: all that a piece is computed from is read together. */
    boolean continuesComputation() {
        return isComputed && read > 0;
    }

    /** The slot behind all that is read to compute something. */
    long decodingEnd() {
        return decoding == null ? 0 : decoding.endSlot();
    }

    /** What is to be computed from the reads since the last call, but for the present one. */
    List<Decoding> takeDecodings() {
        return decoding == null ? List.of() : decoding.take(hasRead && isComputed);
    }

    /** Store rank of who serves the present read. */
    int server() {
        DecodingPlanner computed = computed();
        return computed == null ? choice.server(read) : computed.server(read);
    }

    long position() {
        DecodingPlanner computed = computed();
        return computed == null ? position : computed.position(read);
    }

    long slot() {
        DecodingPlanner computed = computed();
        return computed == null ? slot : computed.slot(read);
    }

    long count() {
        DecodingPlanner computed = computed();
        if (computed != null) {
            return computed.count(read);
        }
        return isLost() ? pieces.count() : choice.count(read);
    }

    private @Nullable DecodingPlanner computed() {
        return isComputed ? decoding : null;
    }

    /** Goes on to the next read, if there is one. */
    void advance() {
        if (read + 1 < reads) {
            if (!isComputed) {
                position += choice.count(read);
                slot += choice.count(read);
            }
            read++;
            return;
        }
        do {
            if (!nextPiece()) {
                hasRead = false;
                return;
            }
            planPiece();
            // What it is computed from may be read already.
        } while (isComputed && reads == 0);
        hasRead = true;
    }

    private boolean nextPiece() {
        while (!pieces.next()) {
            if (nextRun == wanted.runCount()) {
                return false;
            }
            pieces.begin(wanted.runFirst(nextRun), wanted.runEnd(nextRun) - wanted.runFirst(nextRun),
                    wanted.blocksBefore(nextRun));
            nextRun++;
        }
        return true;
    }

    private void planPiece() {
        read = 0;
        position = pieces.position();
        slot = pieces.slot();
        reads = choice.choose(holders, pieces.soundHolders(holders), pieces.count());
        isComputed = reads == 0 && decoding != null && decoding.plan(position, pieces.count(), slot);
        if (isComputed && decoding != null) {
            reads = decoding.reads();
        }
    }
}
