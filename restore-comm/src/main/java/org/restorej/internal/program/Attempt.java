package org.restorej.internal.program;

import java.util.Collection;
import org.restorej.comm.Communicator;
import org.restorej.comm.OriginalRank;

/** One run of a program by the PEs that had not failed when it started. */
public interface Attempt {
    /** The communicator of the program. Communicators that the program derives from it belong to the attempt. */
    Communicator communicator();

    /**
     * Decides whether the program has ended; called once by every survivor, when it has ended on this one. A PE whose
     * program was ended by a failure revokes its communicators, so that the others notice, too. It also takes part in
     * their agreements, with flags that make them fail.
     *
     * @param returned whether it was not ended by a failure
     * @return whether it was ended by a failure on no survivor; the same on all
     */
    boolean ends(boolean returned);

    /**
     * Notifies the others that the application has thrown on this PE, which ends; called instead of {@link #ends}.
     * Revokes the program's communicators, and waits until the others have decided or continue without this PE. The
     * decision is theirs.
     */
    void endsByException();

    /**
     * Whether the application had {@linkplain #endsByException thrown} on one of the PEs that were left out by the
     * shrink after it; the same on all.
     */
    boolean hasThrownOnOneOf(Collection<OriginalRank> gone);
}
