package org.restorej.bench.mpi;

import org.openjdk.jmh.annotations.Param;

/** An operation of a store, or a rival's, on a data set of a size given by a parameter. */
public abstract class StoreBenchmark extends CollectiveBenchmark {
    /** Bytes that each PE submits. */
    @Param("16777216")
    long bytes;

    /** What the parameter says. */
    StoreShape shape(RankWorld ranks) {
        return new StoreShape(ranks.size(), bytes);
    }

    /** Whether a method is the store and not the raw MPI baseline. */
    static boolean isOurs(String method) {
        return switch (method) {
            case "restore" -> true;
            case "wire" -> false;
            default -> throw new IllegalArgumentException("no such method: method=" + method);
        };
    }
}
