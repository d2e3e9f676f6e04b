package org.restorej.comm.local;

import java.util.Collection;
import org.restorej.comm.OriginalRank;
import org.restorej.internal.program.Attempt;

/** Of a program on a local cluster. */
record LocalAttempt(LocalCommunicator own, LocalCommunicator communicator) implements Attempt {
    static Attempt begin(LocalCommunicator own) {
        return new LocalAttempt(own, own.beginAttempt());
    }

    @Override
    public boolean ends(boolean returned) {
        leave(returned);
        return (own.agree(returned ? 1 : 0).flags() & 1) != 0;
    }

    /** The program is over on this PE. */
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

    /** The others learn of it when they learn that this PE has failed, and wait for nothing else. */
    @Override
    public void endsByException() {
        communicator.attempt().hasThrown(own.pe());
    }

    @Override
    public boolean hasThrownOnOneOf(Collection<OriginalRank> gone) {
        return communicator.attempt().hasThrownOnOneOf(gone);
    }
}
