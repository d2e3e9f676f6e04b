package org.restorej.bench.mpi;

/** Every PE submits a tenth of the ids of another, as what has changed. */
public class ChangesBenchmark extends StoreBenchmark {
    @Override
    Exchange open(RankWorld ranks) {
        StoreShape shape = shape(ranks);
        return StoreSubmit.ofChanges(shape, shape.filledStore(ranks.communicator()), shape.share(ranks.rank() + 1));
    }
}
