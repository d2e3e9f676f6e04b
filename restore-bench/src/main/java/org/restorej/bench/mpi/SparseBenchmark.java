package org.restorej.bench.mpi;

import java.nio.file.Path;
import org.openjdk.jmh.annotations.Param;
import org.restorej.bench.c.CompiledNbx;
import org.restorej.bench.mpi.rival.Exchange;

/**
 * Sparse all-to-alls: each PE sends some messages, and nobody knows from whom it will receive. The rival gathers what
 * goes to the same PE, tells everybody the lengths ({@code MPI_Alltoall}) and sends ({@code MPI_Alltoallv}). The other
 * one is the same protocol in C.
 */
public class SparseBenchmark extends CollectiveBenchmark {
    /** Who sends to whom: to the next PE, to all in turn, or all to the first. */
    @Param({"NEXT", "ALL", "FIRST"})
    String receivers = "NEXT";

    /** Messages that each PE sends. */
    @Param({"1", "16", "64", "256"})
    int messages;

    /** Length of each. */
    @Param({"64", "4096"})
    int messageBytes;

    /** The store's protocol or a rival; the one in C, {@code nbx-c}, needs {@link CompiledNbx#PROPERTY}. */
    @Param({"nbx", "alltoallv"})
    String method = "nbx";

    /** Who sends to whom. */
    enum Pattern {
        NEXT {
            @Override
            int destination(int rank, int message, int pes) {
                return (rank + 1) % pes;
            }
        },
        ALL {
            @Override
            int destination(int rank, int message, int pes) {
                return (rank + 1 + message) % pes;
            }
        },
        FIRST {
            @Override
            int destination(int rank, int message, int pes) {
                return 0;
            }
        };

        abstract int destination(int rank, int message, int pes);
    }

    @Override
    Exchange open(RankWorld ranks) {
        SparseMessages sent = SparseMessages.of(ranks, Pattern.valueOf(receivers), messages, messageBytes);
        return switch (method) {
            case "nbx" -> new NbxRound(ranks, sent);
            case "nbx-c" -> fromC(ranks, sent);
            case "alltoallv" -> new CountedAllToAll(ranks, sent);
            default -> throw StoreBenchmark.unknown(method);
        };
    }

    private static Exchange fromC(RankWorld ranks, SparseMessages sent) {
        Path library = NbxFromC.library();
        if (library == null) {
            throw new IllegalStateException("method=nbx-c needs the compiled nbx.c: -D" + CompiledNbx.PROPERTY + "="
                    + System.getProperty(CompiledNbx.PROPERTY));
        }
        return new NbxFromC(ranks, sent, library);
    }
}
