package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.ints.IntAVLTreeSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.Request;
import mpi.Status;
import org.restorej.comm.Agreement;
import org.restorej.comm.Communicator;
import org.restorej.comm.CommunicatorRevokedException;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.ProcessFailedException;
import org.restorej.comm.RankMap;

/**
 * On MPI without fault tolerance, where one process that dies takes the job with it: PEs only count as dead, all PEs of
 * their group know it at once, and the dead one's process waits for the end of the job.
 *
 * <p>
 * A revocation is told to all PEs alive, who hear of it while they wait. PEs that have given operations up wait for
 * each other's receives; so while one waits in {@link #agree}, {@link #shrink} or a cancelled request, it receives and
 * throws away what it is sent on communicators with a failure.
 */
final class SimulatedFailureCommunicator extends OpenMpiCommunicator {
    private static final int WITHOUT_TAG = 0;

    private final SimulatedFailures failures;
    private final int number;
    private boolean revoked;
    /** Memory of collective operations that were given up: MPI can't cancel them, and may still use it. */
    private final List<ByteBuffer> abandoned = new ArrayList<>();

    SimulatedFailureCommunicator(Intracomm intracomm, RankMap ranks, SimulatedFailures failures) throws MPIException {
        super(intracomm, ranks);
        this.failures = failures;
        number = failures.opened(this);
    }

    @Override
    void requirePeer(String operation, int peer) {
        failures.requireSelfAlive();
        requireOpen(operation);
        requireNotRevoked(operation);
        if (!failures.dead().isEmpty() && failures.dead().contains(ranks().originalRankOf(peer))) {
            throw new ProcessFailedException(operation, failedRanks());
        }
    }

    @Override
    void requireAll(String operation) {
        failures.requireSelfAlive();
        requireOpen(operation);
        requireNotRevoked(operation);
        if (hasDead()) {
            throw new ProcessFailedException(operation, failedRanks());
        }
    }

    @Override
    void requireNobodyDead(String operation) {
        requireAll(operation);
    }

    private void requireNotRevoked(String operation) {
        try {
            failures.notices().glance();
        } catch (MPIException e) {
            throw failure(operation, e);
        }
        if (revoked) {
            throw new CommunicatorRevokedException(operation);
        }
        if (knowsRevoked()) {
            // All know of a death at once, so that is why.
            throw hasDead()
                    ? new ProcessFailedException(operation, failedRanks())
                    : new CommunicatorRevokedException(operation);
        }
    }

    private boolean knowsRevoked() {
        return revoked || failures.notices().isRevoked(number);
    }

    /** By a non-blocking operation, since a blocking one would not hear of a revocation. */
    @Override
    void gather(ByteBuffer sent, int bytes, ByteBuffer received) throws MPIException {
        await("allGather", intracomm().iAllGather(sent, bytes, MPI.BYTE, received, bytes, MPI.BYTE), sent, received);
    }

    @Override
    void reduce(ByteBuffer sent, ByteBuffer received, int count, Datatype type, Op operation) throws MPIException {
        await("allReduce", intracomm().iAllReduce(sent, received, count, type, operation), sent, received);
    }

    private void await(String operation, Request request, ByteBuffer sent, ByteBuffer received) throws MPIException {
        while (!request.test()) {
            try {
                requireAll(operation);
            } catch (RuntimeException interrupted) {
                abandoned.add(sent);
                abandoned.add(received);
                throw interrupted;
            }
        }
    }

    private boolean hasDead() {
        return failures.hasDead(ranks());
    }

    @Override
    RuntimeException failure(String operation, MPIException error) {
        return new MpiCallException(operation, error);
    }

    @Override
    boolean isQuiet() {
        return !knowsRevoked() && !hasDead();
    }

    @Override
    void awaitRelease() throws MPIException {
        failures.process().awaitOthers();
    }

    /** Receives and throws away every message that is there. */
    void swallow() throws MPIException {
        while (true) {
            Status status = intracomm().iProbe(MPI.ANY_SOURCE, MPI.ANY_TAG);
            if (status == null) {
                return;
            }
            int bytes = status.getCount(MPI.BYTE);
            intracomm().recv(ByteBuffer.allocateDirect(bytes), bytes, MPI.BYTE, status.getSource(), status.getTag());
        }
    }

    @Override
    public Agreement agree(int flags) {
        failures.requireSelfAlive();
        requireOpen("agree");
        try {
            return failures.agree(flags, ranks());
        } catch (MPIException e) {
            throw failure("agree", e);
        }
    }

    @Override
    public void revoke() {
        failures.requireSelfAlive();
        if (knowsRevoked()) {
            // Whoever revoked it first has told all.
            revoked = true;
            return;
        }
        revoked = true;
        try {
            failures.notices().tellRevoked(number, failures.peers());
        } catch (MPIException e) {
            throw failure("revoke", e);
        }
    }

    @Override
    public boolean isRevoked() {
        try {
            failures.notices().look();
        } catch (MPIException e) {
            throw failure("isRevoked", e);
        }
        return knowsRevoked();
    }

    @Override
    public SortedSet<OriginalRank> failedRanks() {
        SortedSet<OriginalRank> failed = new TreeSet<>();
        failures.dead().forEach((int originalRank) -> {
            if (ranks().currentRankOf(originalRank) >= 0) {
                failed.add(OriginalRank.of(originalRank));
            }
        });
        return failed;
    }

    @Override
    public SimulatedFailureCommunicator shrink() {
        failures.requireSelfAlive();
        try {
            failures.notices().joins(number);
            failures.notices().tellShrinking(number, failures.peers());
            // It lets nobody go on before all have ended what they had pending here.
            failures.excludeDead();
            return new SimulatedFailureCommunicator(failures.communicatorOfAlive(), failures.aliveRanks(), failures);
        } catch (MPIException e) {
            throw failure("shrink", e);
        }
    }

    @Override
    public Communicator duplicate() {
        try {
            return new SimulatedFailureCommunicator(duplicateIntracomm(), ranks(), failures);
        } catch (MPIException e) {
            throw failure("duplicate", e);
        }
    }

    @Override
    Intracomm duplicateIntracomm() {
        awaitAll();
        try {
            return failures.communicatorOfAlive();
        } catch (MPIException e) {
            throw failure("duplicate", e);
        }
    }

    SimulatedFailures failures() {
        return failures;
    }

    /** A duplicate for an attempt of a program: a group with failures of its own. Called by all PEs. */
    SimulatedFailureCommunicator beginAttempt() {
        awaitAll();
        try {
            SimulatedFailures own = new SimulatedFailures(failures.process(), failures.communicatorOfAlive(), ranks());
            return new SimulatedFailureCommunicator(own.communicatorOfAlive(), ranks(), own);
        } catch (MPIException e) {
            throw failure("duplicate", e);
        }
    }

    private void awaitAll() {
        // MPI_Comm_dup blocks, deaf to revocations. Behind the barrier nobody can be missing: whoever knows of one has not
        // entered it.
        org.restorej.comm.Request everybody = barrier();
        while (!everybody.test()) {
            Thread.onSpinWait();
        }
    }

    @Override
    OpenMpiCommunicator splitOff(int color, RankMap group) throws MPIException {
        // MPI_Comm_split blocks, but nobody can be missing: each PE has told its color, and does nothing else until then.
        Intracomm own = intracomm().split(color, rank());
        own.setErrhandler(MPI.ERRORS_RETURN);
        SimulatedFailures failuresOfGroup = new SimulatedFailures(failures.process(), own, group);
        return new SimulatedFailureCommunicator(failuresOfGroup.communicatorOfAlive(), group, failuresOfGroup);
    }

    @Override
    void splitOffNothing() throws MPIException {
        intracomm().split(MPI.UNDEFINED, rank());
    }

    /** {@inheritDoc} Never, since all communicators of a process share what simulates failures. */
    @Override
    public boolean allowsConcurrentUse() {
        return false;
    }

    @Override
    public boolean survivesFailures() {
        return false;
    }

    @Override
    public void fail(IntSet currentRanks) {
        failures.requireSelfAlive();
        requireOpen("fail");
        checkRanksToEnd(currentRanks);
        IntSortedSet originalRanks = new IntAVLTreeSet();
        currentRanks.forEach((int currentRank) -> originalRanks.add(ranks().originalRankOf(currentRank)));
        try {
            failures.fail(originalRanks);
        } catch (MPIException e) {
            throw failure("fail", e);
        }
    }

    /** See {@link OpenMpi#without}. */
    Communicator without(IntSet leaving) {
        requireAll("without");
        checkRanksToEnd(leaving);
        RankMap staying = ranks().without(leaving);
        try {
            // Failures of their own: the agreement on those must not wait for who has left.
            SimulatedFailures own = new SimulatedFailures(new SimulatedProcess(),
                    SimulatedFailures.subset(intracomm(), ranks(), staying, WITHOUT_TAG), staying);
            return new SimulatedFailureCommunicator(own.communicatorOfAlive(), staying, own);
        } catch (MPIException e) {
            throw failure("without", e);
        }
    }

    @Override
    public void close() {
        if (failures.selfIsDead()) {
            // It is still needed, for what others have sent before they knew.
            return;
        }
        failures.closed(this);
        super.close();
    }
}
