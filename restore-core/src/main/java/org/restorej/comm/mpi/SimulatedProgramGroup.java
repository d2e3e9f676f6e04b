package org.restorej.comm.mpi;

import java.util.List;
import org.restorej.comm.Communicator;
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
        return new SimulatedAttempt(own.failures(),
                Settlement.settle(own, "beginning the program", own::beginAttempt), groupsBefore);
    }

    /**
     * One attempt.
     *
     * @param groupsBefore how many groups this process was in before: later ones are made by the program
     */
    private record SimulatedAttempt(SimulatedFailures deciding, SimulatedFailureCommunicator communicator,
            int groupsBefore) implements Attempt {
        @Override
        public boolean ends(boolean returned) {
            List<SimulatedFailures> all = deciding.process().groups();
            List<SimulatedFailures> given = List.copyOf(all.subList(groupsBefore, all.size()));
            if (!returned) {
                given.forEach(SimulatedFailures::giveUp);
            }
            try {
                int agreed = deciding.vote(returned ? 1 : 0, () -> {
                    for (SimulatedFailures group : given) {
                        if (!returned) {
                            group.answer();
                        } else if (group.notices().isAwaited()) {
                            // They go on with what this PE has submitted.
                            deciding.process().die();
                        }
                    }
                });
                given.forEach(SimulatedFailures::isOver);
                return (agreed & 1) != 0;
            } catch (MpiException e) {
                throw new MpiCallException("the end of the program", e);
            }
        }

        /** It ends the job. */
        @Override
        public void endsByException() {}
    }
}
