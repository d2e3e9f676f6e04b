package org.restorej.comm.mpi;

import java.util.Collection;
import java.util.List;
import org.restorej.comm.Communicator.PendingAgreement;
import org.restorej.comm.OriginalRank;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.program.Attempt;

/**
 * Of a program where failures are simulated: a group of its own.
 *
 * @param groupsBefore how many groups this process was in before: later ones are made by the program
 */
record SimulatedAttempt(MpiCommunicator own, MpiCommunicator communicator, SimulatedProcess process, int groupsBefore)
        implements
            Attempt {
    static Attempt begin(MpiCommunicator own) {
        SimulatedComm simulated = (SimulatedComm) own.mpi();
        SimulatedProcess process = simulated.failures().process();
        int groupsBefore = process.groups().size();
        try {
            return new SimulatedAttempt(own, simulated.group().communicator(), process, groupsBefore);
        } catch (MpiException e) {
            throw own.failure("duplicate", e);
        }
    }

    @Override
    public boolean ends(boolean returned) {
        List<SimulatedFailures> all = process.groups();
        List<SimulatedFailures> given = List.copyOf(all.subList(groupsBefore, all.size()));
        if (!returned) {
            given.forEach(SimulatedFailures::giveUp);
        }
        PendingAgreement vote = own.iAgree(returned ? 1 : 0);
        while (!vote.test()) {
            if (returned && given.stream().anyMatch(SimulatedFailures::isAwaited)) {
                // They go on with what this PE has submitted.
                die();
            }
        }
        given.forEach(SimulatedFailures::isOver);
        return (vote.agreement().flags() & 1) != 0;
    }

    private void die() {
        try {
            process.die();
        } catch (MpiException e) {
            throw new Mpi.CallException("the end of the program", e);
        }
    }

    /** It ends the job. */
    @Override
    public void endsByException() {}

    @Override
    public boolean hasThrownOnOneOf(Collection<OriginalRank> gone) {
        return false;
    }
}
