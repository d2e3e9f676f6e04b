package org.restorej.comm;

/** How transports make communicators of groups, see {@link Communicator#split}, and of all PEs. */
public final class GroupCommunicators {
    private GroupCommunicators() {}

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
            all.barrier().await();
        } catch (RuntimeException | Error failure) {
            try {
                made.revoke();
            } finally {
                made.close();
            }
            throw failure;
        }
    }
}
