package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.ints.IntAVLTreeSet;
import it.unimi.dsi.fastutil.ints.IntIterator;
import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.ints.IntSets;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What a PE tells others of its group, where failures are simulated.
 *
 * @param about number of the communicator that it is about, or {@link #EXCLUSION}
 * @param flags of an agreement
 * @param dead original ranks of PEs that have failed, as far as that belongs to it
 */
record Notice(Kind kind, int about, int flags, IntSet dead) {
    /** What is told. */
    enum Kind {
        /** A communicator is revoked. */
        REVOKED,
        /** The sender waits in {@code shrink}. */
        SHRINKING,
        /** The sender has failed. */
        DEAD,
        /** The sender has begun to agree, and may do other things meanwhile. */
        BEGUN,
        /** The sender has begun to agree, and does nothing else until all have agreed. */
        WAITING,
        /** The sender has given up all that the group could agree on. */
        LEFT,
        /** What all have agreed on. */
        AGREED
    }

    /** Instead of a communicator: the PEs agree on whom to leave out. */
    static final int EXCLUSION = -1;

    private static final Kind[] KINDS = Kind.values();
    private static final long DEAD_AT = 3 * Integer.BYTES;

    /** A notice that isn't part of an agreement. */
    static Notice of(Kind kind, int about) {
        return new Notice(kind, about, 0, IntSets.EMPTY_SET);
    }

    /** The size of the longest one in a group. */
    static long maxBytes(int groupSize) {
        return DEAD_AT + (long) groupSize * Integer.BYTES;
    }

    static Notice decode(MemorySegment message) {
        IntSet dead = message.byteSize() == DEAD_AT
                ? IntSets.EMPTY_SET
                : new IntAVLTreeSet(message.asSlice(DEAD_AT).toArray(ValueLayout.JAVA_INT));
        return new Notice(KINDS[message.getAtIndex(ValueLayout.JAVA_INT, 0)],
                message.getAtIndex(ValueLayout.JAVA_INT, 1), message.getAtIndex(ValueLayout.JAVA_INT, 2), dead);
    }

    /** Writes it, and returns how many bytes it takes. */
    @SuppressWarnings("EnumOrdinal") // All processes of a job have the same version.
    long encode(MemorySegment message) {
        message.setAtIndex(ValueLayout.JAVA_INT, 0, kind.ordinal());
        message.setAtIndex(ValueLayout.JAVA_INT, 1, about);
        message.setAtIndex(ValueLayout.JAVA_INT, 2, flags);
        long end = DEAD_AT;
        for (IntIterator all = dead.iterator(); all.hasNext(); end += Integer.BYTES) {
            message.set(ValueLayout.JAVA_INT, end, all.nextInt());
        }
        return end;
    }
}
