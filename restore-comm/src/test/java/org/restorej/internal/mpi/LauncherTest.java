package org.restorej.internal.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LauncherTest {
    @Test
    void isToldByTheEnvironment() {
        assertEquals(Launcher.OPEN_MPI, Launcher.of(Map.of("OMPI_COMM_WORLD_SIZE", "4", "PMIX_RANK", "0")));
        assertEquals(Launcher.PMIX, Launcher.of(Map.of("PMIX_RANK", "0", "SLURM_PROCID", "0")));
        assertEquals(Launcher.PMI, Launcher.of(Map.of("PMI_RANK", "0")));
        assertEquals(Launcher.NONE, Launcher.of(Map.of("HOME", "/nowhere")));
    }

    @Test
    void seesAnSrunWithoutMpi() {
        assertEquals(Launcher.SLURM, Launcher.of(Map.of("SLURM_PROCID", "1", "SLURM_STEP_NUM_TASKS", "4")));
        // A batch script itself.
        assertEquals(Launcher.NONE, Launcher.of(Map.of("SLURM_PROCID", "0", "SLURM_STEP_NUM_TASKS", "1")));
        assertEquals(Launcher.NONE, Launcher.of(Map.of("SLURM_JOB_ID", "7")));
    }

    private static String problem(int worldSize, String version, Map<String, String> environment) {
        return Launcher.problem(environment, worldSize, version).orElse("none");
    }

    @Test
    void aWorldOfFewerRanksThanTheNearestLauncherHasStartedIsAProblem() {
        Map<String, String> slurm = Map.of("PMIX_RANK", "0", "PMIX_NAMESPACE", "slurm.pmix.12.0", "SLURM_PROCID", "0",
                "SLURM_STEP_NUM_TASKS", "7");
        assertEquals("none", problem(7, "Open MPI v4.1.4", slurm));
        assertEquals("none", problem(8, "Open MPI v4.1.4", slurm));
        assertEquals("the launcher has started 7 ranks (SLURM_STEP_NUM_TASKS), but MPI only sees 1 of them, since "
                + "Open MPI v4.1.4 doesn't speak the launcher's protocol: say srun --mpi=pmix (srun --mpi=list tells "
                + "what there is)", problem(1, "Open MPI v4.1.4", slurm));
        assertTrue(problem(1, "MPICH Version: 4.0.2", slurm).contains("say srun --mpi=pmi2 "));
        Map<String, String> openMpi = new HashMap<>(slurm);
        openMpi.put("OMPI_COMM_WORLD_SIZE", "4");
        assertEquals("none", problem(4, "Open MPI v4.1.4", openMpi));
        assertTrue(problem(1, "Intel(R) MPI Library 2021", Map.of("PMI_RANK", "0", "PMI_SIZE", "3")).startsWith(
                "the launcher has started 3 ranks (PMI_SIZE)"));
    }

    /** A launcher's daemons are a step of Slurm's, of another number of tasks. */
    @Test
    void underALauncherThatOnlyRunsInsideSlurmNobodyTellsTheNumberOfRanks() {
        assertEquals("none", problem(1, "MPICH", Map.of("PMIX_RANK", "0", "PMIX_NAMESPACE", "prterun-node1-77@1",
                "SLURM_PROCID", "0", "SLURM_STEP_NUM_TASKS", "7")));
        assertEquals("none", problem(1, "MPICH", Map.of("PMI_RANK", "0")));
        assertEquals("none", problem(1, "MPICH", Map.of("PMI_RANK", "0", "PMI_SIZE", "many")));
        assertEquals("none", problem(1, "MPICH", Map.of("HOME", "/nowhere")));
    }
}
