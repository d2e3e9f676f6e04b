package org.restorej.internal.program;

import java.util.Collection;
import org.restorej.comm.Communicator;
import org.restorej.comm.OriginalRank;

/** One run of a program by the PEs that were alive when it began. */
public interface Attempt {
    /** What the program is given; and all that it makes of that belongs to the attempt. */
    Communicator communicator();

    /**
     * Decides whether the program is over; called once by every PE alive, when the program is over on this one. A PE
     * from which a failure has escaped takes back what the program was given, so that the others meet the failure too;
     * and it goes on to take part in their agreements, against.
     *
     * @param returned whether no failure has escaped
     * @return whether none has on any PE alive; the same on all
     */
    boolean ends(boolean returned);

    /**
     * Tells the others that the application has thrown an exception on this PE, which ends, instead of {@link #ends}.
     * Takes back what the program was given, waits until the others have decided or go on without this PE, and leaves
     * the decision to them.
     */
    void endsByException();

    /**
     * Whether the application had {@linkplain #endsByException thrown an exception} on one of the PEs that are left out
     * after it; the same on all.
     */
    boolean hasThrownOnOneOf(Collection<OriginalRank> gone);
}
