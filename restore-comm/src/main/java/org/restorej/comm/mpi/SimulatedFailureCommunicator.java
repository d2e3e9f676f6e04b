package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.ints.IntAVLTreeSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.restorej.comm.Communicator.Agreement;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.CommunicatorRevokedException;
import org.restorej.internal.program.GroupCommunicators;
import org.restorej.comm.OriginalRank;
import org.restorej.comm.Communicator.PendingAgreement;
import org.restorej.comm.ProcessFailedException;
import org.restorej.comm.RankMap;
import org.restorej.comm.Request;
import org.restorej.internal.mpi.ElementType;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiMessage;
import org.restorej.internal.mpi.MpiOperation;
import org.restorej.comm.Reduction;

/**
 * On MPI without fault tolerance, where one process that fails takes the job with it: PEs only count as dead, all PEs
 * of their group know it at once, and the dead one's process waits for the end of the job.
 *
 * <p>
 * A revocation is told to all PEs alive, who hear of it while they wait. PEs that have given operations up wait for
 * each other's receives; so while one waits in {@link #agree}, {@link #shrink} or a cancelled request, it receives and
 * throws away what it is sent on communicators with a failure.
 */
final class SimulatedFailureCommunicator extends MpiCommunicator {
    private static final System.Logger LOGGER = System.getLogger("org.restorej");
    private static final int WITHOUT_TAG = 0;

    private final SimulatedFailures failures;
    private final int number;
    private boolean revoked;
    private boolean revokedByAnother;

    SimulatedFailureCommunicator(MpiComm mpi, RankMap ranks, SimulatedFailures failures) throws MpiException {
        super(mpi, ranks);
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
        inVain(operation);
        requireAll(operation);
    }

    @Override
    void inVain(String operation) {
        try {
            SimulatedProcess.glanceInVain();
        } catch (MpiException e) {
            throw failure(operation, e);
        }
    }

    private void requireNotRevoked(String operation) {
        try {
            SimulatedProcess.glance();
        } catch (MpiException e) {
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
        return revoked || revokedByAnother;
    }

    /** Another PE has revoked the communicator of this number. */
    void isToldOfRevocation(int revokedNumber) {
        revokedByAnother |= revokedNumber == number;
    }

    /** By a non-blocking operation, since a blocking one would not hear of a revocation. */
    @Override
    void gather(MemorySegment sent, MemorySegment received) throws MpiException {
        await("allGather", mpi().startAllGather(sent, received));
    }

    /** It is {@link #requireAll} that throws. */
    @Override
    void requireNotInterrupted(String operation) {}

    @Override
    void reduce(MemorySegment sent, MemorySegment received, ElementType type, Reduction operation)
            throws MpiException {
        await("allReduce", mpi().startAllReduce(sent, received, type, operation));
    }

    private void await(String operation, MpiOperation pending) throws MpiException {
        while (!pending.test()) {
            try {
                inVain(operation);
                requireAll(operation);
            } catch (RuntimeException interrupted) {
                UnfinishedOperations.keep(pending);
                throw interrupted;
            }
        }
    }

    private boolean hasDead() {
        return failures.hasDead(ranks());
    }

    @Override
    RuntimeException failure(String operation, MpiException error) {
        return new Mpi.CallException(operation, error);
    }

    /** {@inheritDoc} None: MPI knows nothing of the failures, so an error of it is another one. */
    @Override
    Optional<CommunicationFailedException> failureSeen(String operation) {
        return Optional.empty();
    }

    @Override
    boolean isQuiet() {
        return !knowsRevoked() && !hasDead();
    }

    @Override
    void awaitRelease() throws MpiException {
        SimulatedProcess.awaitOthers();
    }

    /** Receives and throws away every message that is there. */
    void swallow() throws MpiException {
        while (true) {
            MpiMessage message = mpi().probe(MpiComm.ANY_SOURCE, MpiComm.ANY_TAG);
            if (message == null) {
                return;
            }
            try (Arena arena = Arena.ofConfined()) {
                mpi().receiveNow(arena.allocate(message.bytes()), message.source(), message.tag());
            }
        }
    }

    @Override
    public PendingAgreement iAgree(int flags) {
        return begin(Notice.Kind.BEGUN, flags);
    }

    @Override
    public Agreement agree(int flags) {
        PendingAgreement pending = begin(Notice.Kind.WAITING, flags);
        pending.await();
        return pending.agreement();
    }

    private PendingAgreement begin(Notice.Kind kind, int flags) {
        failures.requireSelfAlive();
        requireOpen("agree");
        try {
            return failures.agree(kind, flags, number, ranks());
        } catch (MpiException e) {
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
            failures.tellRevoked(number);
        } catch (MpiException e) {
            throw failure("revoke", e);
        }
    }

    @Override
    public boolean isRevoked() {
        try {
            failures.look();
        } catch (MpiException e) {
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
            failures.tellShrinking(number);
            // It lets nobody go on before all have ended what they had pending here.
            failures.excludeDead();
            SimulatedFailureCommunicator survivors = new SimulatedFailureCommunicator(failures.communicatorOfAlive(),
                    failures.aliveRanks(), failures);
            GroupCommunicators.succeeds(survivors, this);
            return survivors;
        } catch (MpiException e) {
            throw failure("shrink", e);
        }
    }

    @Override
    public Communicator duplicate() {
        try {
            return new SimulatedFailureCommunicator(duplicateMpi(), ranks(), failures);
        } catch (MpiException | RuntimeException | Error met) {
            throw left("duplicate", met);
        }
    }

    @Override
    MpiComm duplicateMpi() {
        awaitAll();
        try {
            return failures.communicatorOfAlive();
        } catch (MpiException e) {
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
        } catch (MpiException e) {
            throw failure("duplicate", e);
        }
    }

    private void awaitAll() {
        // MPI_Comm_dup blocks, deaf to revocations. Behind the barrier nobody can be missing: whoever knows of one has
        // not entered it.
        Request everybody = iBarrier();
        while (!everybody.test()) {
            Thread.onSpinWait();
        }
    }

    @Override
    MpiCommunicator splitOff(int color, RankMap group) throws MpiException {
        // MPI_Comm_split blocks, but nobody can be missing: each PE has told its color, and does nothing else until
        // then.
        MpiComm own = Objects.requireNonNull(mpi().split(color));
        SimulatedFailures failuresOfGroup = new SimulatedFailures(failures.process(), own, group);
        return new SimulatedFailureCommunicator(failuresOfGroup.communicatorOfAlive(), group, failuresOfGroup);
    }

    @Override
    void splitOffNothing() throws MpiException {
        mpi().split(MpiComm.NO_COLOR);
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
        warnOfOwnCalls(currentRanks);
        IntSortedSet originalRanks = new IntAVLTreeSet();
        currentRanks.forEach((int currentRank) -> originalRanks.add(ranks().originalRankOf(currentRank)));
        try {
            failures.fail(originalRanks);
        } catch (MpiException e) {
            throw failure("fail", e);
        }
    }

    /** Before it happens: afterwards a PE may be in a call that never returns, and can't say so. */
    private void warnOfOwnCalls(IntSet currentRanks) {
        int first = 0;
        while (first < size() && currentRanks.contains(first)) {
            first++;
        }
        if (rank() == first && !givenOut().isEmpty()) {
            LOGGER.log(System.Logger.Level.WARNING, "failures are simulated on this MPI, and the program has "
                    + givenOut().size() + " communicator(s) of MPI from EmbeddedMpi for its own calls: nothing can "
                    + "interrupt such a call that waits for a PE that has failed now; with ULFM (bin/mpirun-java "
                    + "--ulfm) it would end with an error");
        }
    }

    /** See {@link Mpi#without}. */
    Communicator without(IntSet leaving) {
        requireAll("without");
        checkRanksToEnd(leaving);
        RankMap staying = ranks().without(leaving);
        try {
            // Failures of their own: the agreement on those must not wait for who has left.
            SimulatedFailures own = new SimulatedFailures(new SimulatedProcess(),
                    SimulatedFailures.subset(mpi(), ranks(), staying, WITHOUT_TAG), staying);
            return new SimulatedFailureCommunicator(own.communicatorOfAlive(), staying, own);
        } catch (MpiException e) {
            throw failure("without", e);
        }
    }

    @Override
    public void close() {
        if (failures.process().isDead()) {
            // It is still needed, for what others have sent before they knew.
            return;
        }
        failures.closed(this);
        super.close();
    }
}
