package org.restorej.block;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A run of consecutive block ids, {@code first .. first + count - 1}.
 *
 * @param first first block id, at least 0
 * @param count number of blocks, at least 0
 */
public record BlockRange(long first, long count) implements Comparable<BlockRange> {
    /** Writes the bytes of blocks that an application submits one by one. */
    @FunctionalInterface
    public interface Writer {
        /**
         * Writes one block. Called for each block of a range in ascending order: once in a submit, and once whenever
         * the submission is copied or written into a file. A {@link RunWriter} is called for blocks that were added
         * with sizes only.
         *
         * @param blockId id of the block
         * @param block its bytes, all zero; valid only during the call
         */
        void write(long blockId, MemorySegment block);
    }

    /** A writer that can also write consecutive blocks of one size at once, which is faster. */
    public interface RunWriter extends Writer {
        /**
         * Writes consecutive blocks, instead of calling {@link #write} for each. Called once or several times for a
         * range, in ascending order, each time for at most 32 MiB or one longer block; never for blocks that were added
         * with sizes.
         *
         * @param blocks their ids
         * @param bytes those of all these blocks, all zero; valid only during the call
         */
        void writeRun(BlockRange blocks, MemorySegment bytes);
    }

    /** The size of each block, if blocks have different sizes. */
    @FunctionalInterface
    public interface Sizes {
        /** Bytes of a block, 0 or more; the same at each call. */
        long bytesOf(long blockId);

        /**
         * The sizes of a run of blocks.
         *
         * @param blocks their ids
         * @param sizesBytes one for each block, in ascending order of ids; not copied
         */
        static Sizes of(BlockRange blocks, long... sizesBytes) {
            if (sizesBytes.length != blocks.count()) {
                throw new IllegalArgumentException("sizesBytes must have one size for each of the " + blocks.count()
                        + " blocks " + blocks + ": sizesBytes.length=" + sizesBytes.length);
            }
            return blockId -> sizesBytes[Math.toIntExact(Objects.checkIndex(blockId - blocks.first(), blocks.count()))];
        }
    }

    /**
     * Checks the run.
     *
     * @throws IllegalArgumentException when a value is negative or the end exceeds {@link Long#MAX_VALUE}
     */
    public BlockRange {
        if (first < 0) {
            throw new IllegalArgumentException("first must be at least 0: first=" + first);
        }
        if (count < 0) {
            throw new IllegalArgumentException("count must be at least 0: count=" + count);
        }
        if (first > Long.MAX_VALUE - count) {
            throw new IllegalArgumentException(
                    "first + count must be at most " + Long.MAX_VALUE + ": first=" + first + ", count=" + count);
        }
    }

    /** A run of {@code count} ids, starting with {@code first}. */
    public static BlockRange of(long first, long count) {
        return new BlockRange(first, count);
    }

    /** The run {@code first .. end - 1}. */
    public static BlockRange between(long first, long end) {
        return new BlockRange(first, end - first);
    }

    /** First id after the run. */
    public long end() {
        return first + count;
    }

    public boolean isEmpty() {
        return count == 0;
    }

    public boolean contains(long blockId) {
        return blockId >= first && blockId - first < count;
    }

    /** Orders by first id, then by count. */
    @Override
    public int compareTo(BlockRange other) {
        int byFirst = Long.compare(first, other.first);
        return byFirst != 0 ? byFirst : Long.compare(count, other.count);
    }

    /** {@code 7}, or {@code 7..9}, with both ends included. */
    @Override
    public String toString() {
        if (count == 0) {
            return "none";
        }
        return count == 1 ? Long.toString(first) : first + ".." + (end() - 1);
    }
}
