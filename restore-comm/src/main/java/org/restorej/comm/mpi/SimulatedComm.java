package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.ints.IntAVLTreeSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.RankMap;
import org.restorej.comm.Reduction;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiOperation;
import org.restorej.internal.program.Background;

/**
 * A communicator on MPI without fault tolerance, where one process that fails takes the job with it: PEs only count as
 * failed, all PEs of their group know it at once, and the failed one's process waits for the end of the job. Calls end
 * with the errors that ULFM has for failures and revocations.
 *
 * <p>
 * A revocation is told to all PEs alive, who hear of it while they wait. PEs that have given operations up wait for
 * each other's receives; so while one waits, whatever for, it receives and throws away what it is sent on communicators
 * that are revoked, or that it has closed after a failure.
 */
final class SimulatedComm implements MpiComm {
    private static final int WITHOUT_TAG = 0;

    private final MpiComm mpi;
    private final RankMap ranks;
    private final SimulatedFailures failures;
    private final int number;
    private boolean revoked;
    private boolean revokedByAnother;

    /**
     * Takes over an MPI communicator.
     *
     * @param failures of the group of its PEs
     */
    SimulatedComm(MpiComm mpi, RankMap ranks, SimulatedFailures failures) {
        this.mpi = mpi;
        this.ranks = ranks;
        this.failures = failures;
        number = failures.opened(this);
    }

    RankMap ranks() {
        return ranks;
    }

    SimulatedFailures failures() {
        return failures;
    }

    /** The same on all PEs of the group. */
    int number() {
        return number;
    }

    /** Throws what an operation between this PE and a peer must fail with already, as far as is known here. */
    private void requirePeer(int peer) throws MpiException {
        requireNotRevoked();
        if (!failures.dead().isEmpty() && failures.dead().contains(ranks.originalRankOf(peer))) {
            throw processFailed();
        }
    }

    /** Throws what an operation that needs all PEs must fail with already, as far as is known here. */
    private void requireAll() throws MpiException {
        requireNotRevoked();
        if (failures.hasDead(ranks)) {
            throw processFailed();
        }
    }

    private void requireNotRevoked() throws MpiException {
        failures.requireSelfAlive();
        SimulatedProcess.glance();
        // All know of a failure at once, so that is why another one has revoked it.
        if (!revoked && revokedByAnother && failures.hasDead(ranks)) {
            throw processFailed();
        }
        if (isKnownRevoked()) {
            throw new MpiException(0, 0, "MPIX_ERR_REVOKED: simulated");
        }
    }

    static MpiException processFailed() {
        return new MpiException(0, 0, "MPIX_ERR_PROC_FAILED: simulated");
    }

    /** Whether somebody has revoked it, as far as is known here. */
    boolean isKnownRevoked() {
        return revoked || revokedByAnother;
    }

    /** Another PE has revoked the communicator of this number. */
    void isToldOfRevocation(int revokedNumber) {
        revokedByAnother |= revokedNumber == number;
    }

    /** This PE revokes it. */
    void revoke() throws MpiException {
        failures.requireSelfAlive();
        boolean known = isKnownRevoked();
        revoked = true;
        // Else whoever revoked it first has told all.
        if (!known) {
            failures.tellRevoked(number);
        }
    }

    /** Current ranks of PEs that have failed. */
    IntSortedSet failedRanks() {
        return new IntAVLTreeSet(failures.dead().intStream().map(ranks::currentRankOf).filter(rank -> rank >= 0)
                .toArray());
    }

    /** Receives and throws away every message that is there. */
    void swallow() throws MpiException {
        while (true) {
            Message message = mpi.probe(ANY_SOURCE, ANY_TAG);
            if (message == null) {
                return;
            }
            try (Arena arena = Arena.ofConfined()) {
                mpi.receiveNow(arena.allocate(message.bytes()), message);
            }
        }
    }

    @Override
    public int rank() {
        return mpi.rank();
    }

    @Override
    public int size() {
        return mpi.size();
    }

    @Override
    public long handle() {
        return mpi.handle();
    }

    @Override
    public MpiComm ofLibrary() {
        return mpi;
    }

    @Override
    public boolean isFreed() {
        return mpi.isFreed();
    }

    @Override
    public boolean isErrorOfMpi(Throwable thrown) {
        return mpi.isErrorOfMpi(thrown);
    }

    @Override
    public MpiOperation send(MemorySegment message, int destination, int tag) throws MpiException {
        requirePeer(destination);
        return new Operation(MpiRequest.Kind.SEND, destination, mpi.send(message, destination, tag));
    }

    @Override
    public MpiOperation sendSynchronous(MemorySegment message, int destination, int tag) throws MpiException {
        requirePeer(destination);
        return new Operation(MpiRequest.Kind.SYNCHRONOUS_SEND, destination,
                mpi.sendSynchronous(message, destination, tag));
    }

    @Override
    public MpiOperation receive(MemorySegment buffer, int source, int tag) throws MpiException {
        requirePeer(source);
        return new Operation(MpiRequest.Kind.RECEIVE, source, mpi.receive(buffer, source, tag));
    }

    @Override
    public @Nullable Message probe(int source, int tag) throws MpiException {
        requireAll();
        Message message = mpi.probe(source, tag);
        if (message == null) {
            SimulatedProcess.glanceInVain();
            requireAll();
        }
        return message;
    }

    @Override
    public MpiOperation barrier() throws MpiException {
        requireAll();
        return new Operation(MpiRequest.Kind.BARRIER, rank(), mpi.barrier());
    }

    /** By a non-blocking operation, since a blocking one would not hear of a revocation. */
    @Override
    public void allGather(MemorySegment sent, MemorySegment received) throws MpiException {
        await(startAllGather(sent, received));
    }

    @Override
    public MpiOperation startAllGather(MemorySegment sent, MemorySegment received) throws MpiException {
        requireAll();
        return new Operation(MpiRequest.Kind.GATHER, rank(), mpi.startAllGather(sent, received));
    }

    /** As {@link #allGather}. */
    @Override
    public void allReduce(MemorySegment sent, MemorySegment received, ElementType type, Reduction operation)
            throws MpiException {
        await(startAllReduce(sent, received, type, operation));
    }

    @Override
    public MpiOperation startAllReduce(MemorySegment sent, MemorySegment received, ElementType type,
            Reduction operation) throws MpiException {
        requireAll();
        return new Operation(MpiRequest.Kind.REDUCTION, rank(), mpi.startAllReduce(sent, received, type, operation));
    }

    private static void await(MpiOperation pending) throws MpiException {
        while (!pending.test()) {
            Thread.onSpinWait();
        }
    }

    @Override
    public MpiComm duplicate() throws MpiException {
        awaitAll();
        return failures.communicatorOfAlive();
    }

    /** A duplicate with failures of its own. */
    SimulatedFailures group() throws MpiException {
        awaitAll();
        return new SimulatedFailures(failures.process(), failures.mpiOfAlive(), ranks);
    }

    /** One of some PEs, with failures of its own, since agreements on those must not wait for who has left. */
    SimulatedFailures without(IntSet leaving) throws MpiException {
        MpiFailures.requireRanks(leaving, ranks);
        requireAll();
        RankMap staying = ranks.without(leaving);
        return new SimulatedFailures(new SimulatedProcess(),
                SimulatedFailures.subset(mpi, ranks, staying, WITHOUT_TAG), staying);
    }

    /**
     * MPI_Comm_dup blocks, deaf to revocations. Behind the barrier nobody can be missing: whoever knows of one has not
     * entered it.
     */
    private void awaitAll() throws MpiException {
        MpiOperation everybody = barrier();
        while (!hasEnded(everybody)) {
            Background.progress();
        }
    }

    /** The others may be through already, so a PE without memory comes, too, before it says so. */
    private static boolean hasEnded(MpiOperation everybody) throws MpiException {
        try {
            return everybody.test();
        } catch (OutOfMemoryError full) {
            return false;
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>
     * MPI_Comm_split blocks, but nobody can be missing: each PE has told its color, and does nothing else until then.
     */
    @Override
    public @Nullable MpiComm split(int color) throws MpiException {
        MpiComm own = mpi.split(color);
        if (own == null) {
            return null;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment members = arena.allocate(ValueLayout.JAVA_INT, own.size());
            own.allGather(arena.allocateFrom(ValueLayout.JAVA_INT, rank()), members);
            IntSortedSet others = new IntAVLTreeSet(IntStream.range(0, size()).toArray());
            others.removeAll(IntSet.of(members.toArray(ValueLayout.JAVA_INT)));
            return new SimulatedFailures(failures.process(), own, ranks.without(others)).communicatorOfAlive();
        }
    }

    @Override
    public MpiComm subset(int[] members, int tag) throws MpiException {
        return mpi.subset(members, tag);
    }

    @Override
    public boolean isFinalized() throws MpiException {
        return mpi.isFinalized();
    }

    @Override
    public void free() throws MpiException {
        failures.closed(this);
        mpi.free();
    }

    /** {@inheritDoc} A PE that counts as failed still needs it, for what others have sent before they knew. */
    @Override
    public boolean abandon() {
        if (failures.process().isDead()) {
            return false;
        }
        failures.abandoned(this);
        return true;
    }

    /** When it ends with an error, this process has given it up, and MPI has let go of its memory, or that is kept. */
    private final class Operation implements MpiOperation {
        private final MpiRequest.Kind kind;
        private final int peer;
        private final MpiOperation pending;
        /** MPI has freed the request, and must not be asked again. */
        private boolean ended;

        /**
         * Takes over an operation of MPI. To be begun in the argument: then there is memory for this already.
         *
         * @param peer current rank of the other side
         */
        Operation(MpiRequest.Kind kind, int peer, MpiOperation pending) {
            this.kind = kind;
            this.peer = peer;
            this.pending = pending;
        }

        @Override
        public boolean test() throws MpiException {
            if (hasEnded()) {
                if (kind == MpiRequest.Kind.SYNCHRONOUS_SEND) {
                    // The process of a failed PE swallows what it is sent: that isn't received.
                    requireOthersAlive();
                }
                return true;
            }
            try {
                SimulatedProcess.glanceInVain();
                requireOthersAlive();
            } catch (MpiException failure) {
                try {
                    giveUp();
                } catch (MpiException further) {
                    failure.addSuppressed(further);
                }
                throw failure;
            }
            return false;
        }

        private boolean hasEnded() throws MpiException {
            ended = ended || pending.test();
            return ended;
        }

        private void requireOthersAlive() throws MpiException {
            if (kind.isOfAll()) {
                requireAll();
            } else {
                requirePeer(peer);
            }
        }

        private void giveUp() throws MpiException {
            if (kind.isOfAll()) {
                UnfinishedOperations.keep(pending);
                return;
            }
            if (kind == MpiRequest.Kind.RECEIVE) {
                cancel();
            }
            MpiRequest.awaitRelease(this, kind, peer);
        }

        @Override
        public void cancel() throws MpiException {
            if (!ended) {
                pending.cancel();
            }
        }

        /**
         * {@inheritDoc} Others may wait for this process to receive what they have given up; nobody does who only looks
         * whether a collective call has ended.
         */
        @Override
        public boolean isReleased() throws MpiException {
            if (hasEnded()) {
                return true;
            }
            if (!kind.isOfAll()) {
                SimulatedProcess.awaitOthers();
            }
            return false;
        }
    }
}
