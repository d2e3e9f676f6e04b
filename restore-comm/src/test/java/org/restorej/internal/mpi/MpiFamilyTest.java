package org.restorej.internal.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MpiFamilyTest {
    @ParameterizedTest
    @CsvSource({"MPICH Version: 4.0.2, true", "Intel(R) MPI Library 2021.11 for Linux* OS, true",
            "MVAPICH2 Version: 2.3.7, true", "MPI VERSION : CRAY MPICH version 8.1.28, true", "HPE HMPT 2.28, true",
            "'HPE MPT 2.23  08/26/20', false", "'Open MPI v5.0.7, an attempt', false"})
    void knowsMpichsFamilyByWhatItSaysOfItself(String version, boolean expected) {
        assertEquals(expected, MpiFamily.isMpich(version));
    }
}
