package org.restorej.internal.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
}
