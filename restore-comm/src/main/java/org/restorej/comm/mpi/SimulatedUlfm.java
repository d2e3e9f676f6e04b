package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.ints.IntAVLTreeSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
import java.util.stream.IntStream;
import org.restorej.comm.RankMap;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.Ulfm;

/** ULFM by messages, on an MPI that has none; of each {@link SimulatedComm}. */
final class SimulatedUlfm implements Ulfm {
    private static SimulatedComm simulated(MpiComm communicator) {
        return (SimulatedComm) communicator;
    }

    @Override
    public boolean survivesFailures() {
        return false;
    }

    /** {@inheritDoc} Not one for calls of the program's own, whose messages MPI can't interrupt. */
    @Override
    public void revoke(MpiComm communicator) throws MpiException {
        if (communicator instanceof SimulatedComm simulated) {
            simulated.revoke();
        }
    }

    @Override
    public boolean isRevoked(MpiComm communicator) throws MpiException {
        simulated(communicator).failures().look();
        return simulated(communicator).isKnownRevoked();
    }

    /** {@inheritDoc} It lets nobody go on before all have ended what they had pending. */
    @Override
    public MpiComm shrink(MpiComm communicator) throws MpiException {
        SimulatedFailures failures = simulated(communicator).failures();
        failures.requireSelfAlive();
        failures.tellShrinking(simulated(communicator).number());
        failures.excludeDead();
        return failures.communicatorOfAlive();
    }

    @Override
    public IntSortedSet missingRanks(MpiComm communicator, MpiComm shrunk) {
        RankMap before = simulated(communicator).ranks();
        RankMap after = simulated(shrunk).ranks();
        return new IntAVLTreeSet(IntStream.range(0, before.size())
                .filter(rank -> after.currentRankOf(before.originalRankOf(rank)) < 0).toArray());
    }

    @Override
    public PendingAgreement startAgreement(MpiComm communicator, int flags, boolean waits) throws MpiException {
        SimulatedFailures failures = simulated(communicator).failures();
        failures.requireSelfAlive();
        return failures.agree(waits ? Notice.Kind.WAITING : Notice.Kind.BEGUN, flags,
                simulated(communicator).number(), simulated(communicator).ranks());
    }

    @Override
    public IntSortedSet failedRanks(MpiComm communicator) {
        return simulated(communicator).failedRanks();
    }

    @Override
    public void fail(MpiComm communicator, IntSet ranks) throws MpiException {
        SimulatedFailures failures = simulated(communicator).failures();
        failures.requireSelfAlive();
        failures.fail(new IntAVLTreeSet(
                ranks.intStream().map(simulated(communicator).ranks()::originalRankOf).toArray()));
    }
}
