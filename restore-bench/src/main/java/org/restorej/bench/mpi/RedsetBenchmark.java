package org.restorej.bench.mpi;

import org.openjdk.jmh.annotations.Param;

/**
 * Files of all ranks are protected, or rebuilt after as many ranks as the scheme can bear have lost theirs. Needs more
 * PEs than that.
 */
public class RedsetBenchmark extends CollectiveBenchmark {
    /** Bytes of each rank's file. */
    @Param("16777216")
    long bytes;

    /** How files are protected. */
    @Param({"PARTNER", "XOR", "RS2"})
    FileScheme scheme = FileScheme.XOR;

    /** Protect or rebuild. */
    @Param({"apply", "recover"})
    String operation = "apply";

    @Override
    Exchange open(RankWorld ranks) {
        return new ProtectedFiles(ranks, scheme, bytes, operation.equals("recover"));
    }
}
