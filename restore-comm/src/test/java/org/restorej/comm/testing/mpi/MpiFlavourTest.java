package org.restorej.comm.testing.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class MpiFlavourTest {
    @Test
    void whatIsMissingIsToldInOneLine() {
        assertEquals(
                "######## NOT TESTED on Open MPI with ULFM by its Java bindings, which is not available here (missing: "
                        + "one; missing: two): 'bin/bootstrap --ulfm --bindings' makes it available, "
                        + "-Drestorej.require.ulfm.bindings=true turns this into a failure",
                MpiFlavour.ULFM_BINDINGS.notice("JDK 25 somewhere\nmissing: one\nmissing: two\n"));
        assertEquals(
                "######## NOT TESTED on MPICH, which is not available here (no such script): 'bin/bootstrap --mpich' "
                        + "makes it available, -Drestorej.require.mpich=true turns this into a failure",
                MpiFlavour.MPICH.notice("no such\n  script\n"));
    }
}
