package org.restorej.bench.mpi;

import org.restorej.bench.mpi.rival.Exchange;

/** One iteration of a loop that changes all of its rows, and the checkpoint of these. */
public class LoopBenchmark extends StoreBenchmark {
    @Override
    Exchange open(RankWorld ranks) {
        return new LoopCheckpoint(shape(ranks), ranks.communicator());
    }
}
