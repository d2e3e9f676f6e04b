package org.restorej.comm.local;

import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.comm.RankMap;
import org.restorej.comm.Settlement;
import org.restorej.internal.program.Attempt;
import org.restorej.internal.program.ProgramGroup;

/** PEs of a local cluster that run a program. */
final class LocalProgramGroup implements ProgramGroup {
    private LocalCommunicator own;
    private @Nullable AttemptState latest;

    LocalProgramGroup(LocalCommunicator own) {
        this.own = own;
    }

    @Override
    public Communicator own() {
        return own;
    }

    @Override
    public boolean shrink() {
        RankMap before = own.ranks();
        own = own.shrink();
        AttemptState attempt = latest;
        latest = null;
        return attempt != null && attempt.hasThrownOnOneOf(own.ranks().absentRanks().stream()
                .filter(rank -> before.currentRankOf(rank.value()) != Communicator.NO_RANK).toList());
    }

    @Override
    public Attempt begin() {
        LocalCommunicator given = Settlement.settle(own, "beginning the program", own::beginAttempt);
        latest = given.attempt();
        return new LocalAttempt(own, given);
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

        /** The others learn of it when they learn that this PE has failed, and wait for nothing else. */
        @Override
        public void endsByException() {
            communicator.attempt().hasThrown(own.pe());
        }
    }
}
