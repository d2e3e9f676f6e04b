package org.restorej.internal.message;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Checks of arguments, shared by all communicators so that they reject the same arguments. */
public final class MessageArguments {
    /** The longest message in bytes: 1 GiB, below MPI's limit of 2 GiB - 1 for a count. */
    public static final int MAX_MESSAGE_BYTES = 1 << 30;

    private MessageArguments() {}

    /**
     * Checks a message to be sent.
     *
     * @throws IllegalArgumentException naming the argument, the rule and the value
     */
    public static void checkSend(MemorySegment message, int destination, int tag, int size) {
        checkRank("destination", destination, size);
        checkTag(tag);
        checkSegment("message", message);
    }

    /**
     * Checks a receive.
     *
     * @throws IllegalArgumentException naming the argument, the rule and the value
     */
    public static void checkReceive(MemorySegment buffer, int source, int tag, int size) {
        checkRank("source", source, size);
        checkTag(tag);
        checkSegment("buffer", buffer);
        checkWritable("buffer", buffer);
    }

    /**
     * Checks a tag.
     *
     * @throws IllegalArgumentException naming the rule and the value
     */
    public static void checkTag(int tag) {
        if (tag < 0 || (tag > ReservedTags.MAX_TAG && !ReservedTags.allows(tag))) {
            throw new IllegalArgumentException("tag must be in [0, " + ReservedTags.MAX_TAG + "]: tag=" + tag);
        }
    }

    /**
     * Checks the arguments of a reduction.
     *
     * @throws IllegalArgumentException naming the argument and the rule
     */
    public static void checkAllReduce(@Nullable Object values, @Nullable Object reduction) {
        checkGiven("values", values);
        checkGiven("reduction", reduction);
    }

    /**
     * Checks that an argument is not null.
     *
     * @throws IllegalArgumentException naming the argument and the rule
     */
    public static void checkGiven(String argument, @Nullable Object value) {
        if (value == null) {
            throw new IllegalArgumentException(argument + " must not be null");
        }
    }

    /**
     * Checks the segments of a gather.
     *
     * @throws IllegalArgumentException naming the argument, the rule and the value
     */
    public static void checkAllGather(MemorySegment mine, MemorySegment all, int size) {
        checkGiven("mine", mine);
        checkGiven("all", all);
        checkUsable("mine", mine);
        checkUsable("all", all);
        if (mine.byteSize() > MAX_MESSAGE_BYTES || all.byteSize() != size * mine.byteSize()) {
            throw new IllegalArgumentException("all.byteSize() must be size * mine.byteSize(), with mine at most "
                    + MAX_MESSAGE_BYTES + " bytes: all.byteSize()=" + all.byteSize() + ", size=" + size
                    + ", mine.byteSize()=" + mine.byteSize());
        }
        checkLength("all", all);
        checkWritable("all", all);
    }

    /** Checks that a segment is writable. */
    public static void checkWritable(String argument, MemorySegment segment) {
        if (segment.isReadOnly()) {
            throw new IllegalArgumentException(argument + " must be writable: a read-only segment of "
                    + segment.byteSize() + " bytes");
        }
    }

    /** Checks a rank among {@code size} PEs. */
    public static void checkRank(String argument, int rank, int size) {
        if (rank < 0 || rank >= size) {
            throw new IllegalArgumentException(argument + " must be in [0, " + size + "): " + argument + "=" + rank);
        }
    }

    private static void checkSegment(String argument, MemorySegment segment) {
        checkGiven(argument, segment);
        if (!segment.isNative()) {
            throw new IllegalArgumentException(argument + " must be off-heap, since it is used after the call returns: "
                    + "a heap segment of " + segment.byteSize() + " bytes");
        }
        checkLength(argument, segment);
        checkUsable(argument, segment);
    }

    /** Checks that a segment, or the array that it views, is not longer than a message. */
    public static void checkLength(String argument, MemorySegment segment) {
        if (segment.byteSize() > MAX_MESSAGE_BYTES) {
            throw new IllegalArgumentException(argument + ".byteSize() must be at most "
                    + MAX_MESSAGE_BYTES + ": " + argument + ".byteSize()=" + segment.byteSize());
        }
    }

    /** Checks that this thread may access a segment. */
    public static void checkUsable(String argument, MemorySegment segment) {
        if (!segment.scope().isAlive()) {
            throw new IllegalArgumentException(argument + " must be alive: its arena is closed");
        }
        if (!segment.isAccessibleBy(Thread.currentThread())) {
            throw new IllegalArgumentException(argument + " must be accessible by the calling thread "
                    + Thread.currentThread().getName() + ": its arena is confined to another one");
        }
    }
}
