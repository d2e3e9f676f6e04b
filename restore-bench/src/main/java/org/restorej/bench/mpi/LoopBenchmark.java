package org.restorej.bench.mpi;

/** One iteration of a loop that changes all of its rows, and the checkpoint of these. */
public class LoopBenchmark extends StoreBenchmark {
    @Override
    Exchange open(RankWorld ranks) {
        return new LoopCheckpoint(shape(ranks), ranks.communicator());
    }
}
