package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.ints.IntSortedSet;

import org.restorej.comm.RankMap;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiOperation;
import org.restorej.internal.mpi.Ulfm;

/**
 * What a communicator with these ranks knows of simulated failures, without any message.
 *
 * @param world of all ranks
 * @param ranks of the communicator
 */
record PlainUlfm(PlainMpi world, RankMap ranks) implements Ulfm {
    @Override
    public Ulfm of(RankMap others) {
        return new PlainUlfm(world, others);
    }

    @Override
    public boolean survivesFailures() {
        return false;
    }

    /** {@inheritDoc} For calls of the program's own, which nothing can interrupt. */
    @Override
    public void revoke(MpiComm communicator) {}

    /** {@inheritDoc} Others can't revoke it. */
    @Override
    public boolean isRevoked(MpiComm communicator) {
        return false;
    }

    @Override
    public MpiComm shrink(MpiComm communicator) throws MpiException {
        return world.shrink(communicator, ranks);
    }

    @Override
    public IntSortedSet missingRanks(MpiComm communicator, MpiComm shrunk) {
        return world.failedOf(ranks);
    }

    @Override
    public IntSortedSet failedRanks(MpiComm communicator) {
        return world.failedOf(ranks);
    }

    @Override
    public void fail(MpiComm communicator, IntSet currentRanks) throws MpiException {
        world.fail(ranks, currentRanks);
    }

    /** {@inheritDoc} Nobody of these ranks has failed. */
    @Override
    public void startAgreement(MpiComm communicator, MpiOperation agreement, int flags) throws MpiException {
        communicator.startAnd(agreement, flags);
    }
}
