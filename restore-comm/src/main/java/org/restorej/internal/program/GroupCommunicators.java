package org.restorej.internal.program;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.restorej.comm.Communicator;

/** Confirms that all PEs have created a communicator, and records which communicators were shrunk to which. */
public final class GroupCommunicators {
    private static final Map<Communicator, Communicator> SUCCESSORS = Collections.synchronizedMap(new WeakHashMap<>());

    private GroupCommunicators() {}

    /** Records the communicator to which another one was shrunk. */
    public static void succeeds(Communicator survivors, Communicator before) {
        SUCCESSORS.put(before, survivors);
    }

    /** The communicator itself, or the last one to which it was shrunk on this PE. */
    public static Communicator latest(Communicator communicator) {
        Communicator latest = communicator;
        for (Communicator next = latest; next != null; next = SUCCESSORS.get(next)) {
            latest = next;
        }
        return latest;
    }

    /** The communicator, and those to which it was shrunk, in order. */
    public static List<Communicator> successors(Communicator communicator) {
        List<Communicator> successors = new ArrayList<>();
        for (Communicator next = communicator; next != null; next = SUCCESSORS.get(next)) {
            successors.add(next);
        }
        return successors;
    }

    /**
     * Returns when all PEs have created their communicators. If that fails here, the new one is revoked and closed, so
     * that no PE for which it has not failed waits for this one in it: no PE gets further before this one has its
     * communicator. Not by an agreement, since PEs that have failed before would not join it.
     *
     * @param all communicator of all PEs
     * @param made this PE's group, or another communicator of all PEs
     */
    public static void confirm(Communicator all, Communicator made) {
        try {
            all.barrier();
        } catch (RuntimeException | Error failure) {
            try {
                made.revoke(failure);
            } finally {
                made.close();
            }
            throw failure;
        }
    }
}
