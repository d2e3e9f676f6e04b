package org.restorej.internal.program;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.restorej.comm.Communicator;

/** How transports make communicators of groups, see {@link Communicator#split}, and of all PEs. */
public final class GroupCommunicators {
    private static final Map<Communicator, Communicator> SUCCESSORS = Collections.synchronizedMap(new WeakHashMap<>());

    private GroupCommunicators() {}

    /** Notes that the survivors of a communicator have another one. */
    public static void succeeds(Communicator survivors, Communicator before) {
        SUCCESSORS.put(before, survivors);
    }

    /** What this PE has come to by calls of {@code shrink}: a communicator, or the latest one of its survivors. */
    public static Communicator latest(Communicator communicator) {
        Communicator latest = communicator;
        for (Communicator next = latest; next != null; next = SUCCESSORS.get(next)) {
            latest = next;
        }
        return latest;
    }

    /** A communicator, and those that calls of {@code shrink} have made of it, one after the other. */
    public static List<Communicator> successors(Communicator communicator) {
        List<Communicator> successors = new ArrayList<>();
        for (Communicator next = communicator; next != null; next = SUCCESSORS.get(next)) {
            successors.add(next);
        }
        return successors;
    }

    /**
     * Returns when all PEs have made the communicators of their groups. When that fails here, the group is revoked and
     * closed, so that nobody for whom it has not failed waits for this PE in it: nobody can get further before this PE
     * has its communicator. No agreement, since PEs that have failed before would not come to it.
     *
     * @param all whose PEs make groups
     * @param made this PE's group, or another communicator of all
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
