package org.restorej.bench.mpi;

import org.openjdk.jmh.annotations.Param;
import org.restorej.bench.mpi.rival.Exchange;
import org.restorej.redset.Scheme;

/**
 * Files of all ranks are protected, or rebuilt after as many ranks as the scheme can bear have lost theirs. Needs as
 * many PEs as the scheme: {@code RS} with two lost ranks needs three.
 */
public class RedsetBenchmark extends CollectiveBenchmark {
    /** Bytes of each rank's file. */
    @Param("16777216")
    long bytes;

    /** How files are protected; RS has two checksums. */
    @Param({"PARTNER", "XOR", "RS"})
    String scheme = "XOR";

    /** Protect or rebuild. */
    @Param({"apply", "recover"})
    String operation = "apply";

    @Override
    Exchange open(RankWorld ranks) {
        return new ProtectedFiles(ranks, chosenScheme(), bytes,
                operation.equals("apply") ? 0 : scheme.equals("RS") ? 2 : 1);
    }

    private Scheme chosenScheme() {
        return switch (scheme) {
            case "PARTNER" -> Scheme.partner(1);
            case "XOR" -> Scheme.xor();
            case "RS" -> Scheme.rs(2);
            default -> throw new IllegalArgumentException("no such scheme: scheme=" + scheme);
        };
    }
}
