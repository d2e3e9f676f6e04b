package org.restorej.comm.testing.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.comm.testing.ContractProgram;

class ContractJobsIT {
    private static final int RANKS = 3;

    @Test
    void whoFailsInOneProgramOfASharedJobLivesInTheNext() {
        ContractJobs jobs = new ContractJobs(MpiFlavour.OPEN_MPI).addWithFailures(new RevivalPrograms(), RANKS);
        List<String> names = new RevivalPrograms().programs().stream().map(ContractProgram::name)
                .filter(name -> !name.equals(RevivalPrograms.NOBODY_FAILS)).toList();
        assertEquals(3, names.size());
        names.forEach(name -> jobs.requireKept(RevivalPrograms.class, RANKS, name));
        // A program that is to kill somebody and doesn't would prove nothing.
        AssertionError nobody = assertThrows(AssertionError.class,
                () -> jobs.requireKept(RevivalPrograms.class, RANKS, RevivalPrograms.NOBODY_FAILS));
        assertTrue(String.valueOf(nobody.getMessage()).startsWith("0 of 3 ranks were killed"), nobody::getMessage);
    }
}
