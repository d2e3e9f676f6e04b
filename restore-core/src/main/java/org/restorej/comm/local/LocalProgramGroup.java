package org.restorej.comm.local;

import org.restorej.comm.Communicator;
import org.restorej.comm.Settlement;
import org.restorej.internal.program.Attempt;
import org.restorej.internal.program.ProgramGroup;

/** PEs of a local cluster that run a program. */
final class LocalProgramGroup implements ProgramGroup {
    private LocalCommunicator own;

    LocalProgramGroup(LocalCommunicator own) {
        this.own = own;
    }

    @Override
    public Communicator own() {
        return own;
    }

    @Override
    public void shrink() {
        own = own.shrink();
    }

    @Override
    public Attempt begin() {
        return new LocalAttempt(own, Settlement.settle(own, "beginning the program", own::beginAttempt));
    }

    private record LocalAttempt(LocalCommunicator own, LocalCommunicator communicator) implements Attempt {
        @Override
        public boolean ends(boolean returned) {
            communicator.leaveAttempt(returned);
            own.pe().waitsAtTheEnd(true);
            try {
                return (own.agree(returned ? 1 : 0).flags() & 1) != 0;
            } finally {
                own.pe().waitsAtTheEnd(false);
            }
        }
    }
}
