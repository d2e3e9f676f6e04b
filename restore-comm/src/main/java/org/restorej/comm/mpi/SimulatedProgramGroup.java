package org.restorej.comm.mpi;

import java.util.List;
import org.restorej.comm.Communicator;
import org.restorej.comm.Communicator.PendingAgreement;
import org.restorej.comm.Settlement;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.program.Attempt;
import org.restorej.internal.program.ProgramGroup;

/** PEs that run a program, where failures are simulated: each attempt is a group of its own. */
final class SimulatedProgramGroup implements ProgramGroup {
    private SimulatedFailureCommunicator own;

    SimulatedProgramGroup(SimulatedFailureCommunicator own) {
        this.own = own;
    }

    @Override
    public Communicator own() {
        return own;
    }

    @Override
    public boolean shrink() {
        own = own.shrink();
        return false;
    }

    @Override
    public Attempt begin() {
        int groupsBefore = own.failures().process().groups().size();
        return new SimulatedAttempt(own, Settlement.settle(own, "beginning the program", own::beginAttempt),
                groupsBefore);
    }

    /**
     * One attempt.
     *
     * @param groupsBefore how many groups this process was in before: later ones are made by the program
     */
    private record SimulatedAttempt(SimulatedFailureCommunicator own, SimulatedFailureCommunicator communicator,
            int groupsBefore) implements Attempt {
        @Override
        public boolean ends(boolean returned) {
            SimulatedProcess process = own.failures().process();
            List<SimulatedFailures> all = process.groups();
            List<SimulatedFailures> given = List.copyOf(all.subList(groupsBefore, all.size()));
            if (!returned) {
                given.forEach(SimulatedFailures::giveUp);
            }
            PendingAgreement vote = own.iAgree(returned ? 1 : 0);
            while (!vote.test()) {
                if (returned && given.stream().anyMatch(SimulatedFailures::isAwaited)) {
                    // They go on with what this PE has submitted.
                    die(process);
                }
            }
            given.forEach(SimulatedFailures::isOver);
            return (vote.agreement().flags() & 1) != 0;
        }

        private static void die(SimulatedProcess process) {
            try {
                process.die();
            } catch (MpiException e) {
                throw new Mpi.CallException("the end of the program", e);
            }
        }

        /** It ends the job. */
        @Override
        public void endsByException() {}
    }
}
