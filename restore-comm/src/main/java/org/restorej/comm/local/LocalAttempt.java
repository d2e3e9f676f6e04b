package org.restorej.comm.local;

import java.util.Collection;
import org.restorej.comm.OriginalRank;
import org.restorej.internal.program.Attempt;

/** An attempt of a program on a local cluster. */
record LocalAttempt(LocalCommunicator own, LocalCommunicator communicator) implements Attempt {
    static Attempt begin(LocalCommunicator own) {
        return new LocalAttempt(own, own.beginAttempt());
    }

    @Override
    public boolean ends(boolean returned) {
        leave(returned);
        return (own.agree(returned ? 1 : 0).flags() & 1) != 0;
    }

    /** Records that the program has ended on this PE, and wakes the PEs that wait for it. */
    private void leave(boolean returned) {
        Pe pe = own.pe();
        communicator.attempt().isOver(pe, returned);
        for (Context given : communicator.attempt().contexts()) {
            int ownRank = given.ranks().currentRankOf(pe.originalRank().value());
            if (ownRank >= 0) {
                if (!returned) {
                    given.revokeBy(pe, ownRank);
                }
                given.signalMembers();
            }
        }
    }

    /** The other PEs learn of it with this PE's failure, so nothing is awaited. */
    @Override
    public void endsByException() {
        communicator.attempt().hasThrown(own.pe());
    }

    @Override
    public boolean hasThrownOnOneOf(Collection<OriginalRank> gone) {
        return communicator.attempt().hasThrownOnOneOf(gone);
    }
}
