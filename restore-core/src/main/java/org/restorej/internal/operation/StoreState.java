package org.restorej.internal.operation;

import it.unimi.dsi.fastutil.longs.LongList;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.comm.ProcessFailedException;
import org.restorej.internal.program.GroupCommunicators;
import org.restorej.internal.settlement.Meeting;
import org.restorej.internal.settlement.Outcome;
import org.restorej.internal.coding.Decoder;
import org.restorej.internal.coding.RowCode;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.DamagedReplicas;
import org.restorej.internal.plan.Peers;
import org.restorej.internal.storage.CheckedMemory;
import org.restorej.internal.storage.ReplicaMemory;
import org.restorej.internal.storage.SegmentPool;
import org.restorej.internal.transfer.Channel;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.FailureDomains;
import org.restorej.report.StoreReport;

/** The state of a store: its PEs and its present generation. Not thread-safe. */
public final class StoreState {
    /** The name of a settlement in messages. */
    static final String OPENING = "opening the store's communicator";

    private final StoreConfiguration configuration;
    private final StoreLayout layout;
    private final StoreMonitor monitor = new StoreMonitor();
    private final SegmentPool pool = new SegmentPool();
    private final StoreCalls calls = new StoreCalls();
    /** The communicator that the application built the store on or last recovered it with. */
    private Communicator applications;
    private StoreRanks ranks;
    private Channel channel;
    private @Nullable Generation generation;
    /** The submission that is neither committed nor discarded. */
    private @Nullable Staging staged;
    /** Of the staged submission, while its commit is being agreed on. */
    private @Nullable Succession succession;

    /**
     * Creates a store without a generation. Collective.
     *
     * @param meeting of its builder, for which the others wait
     */
    public StoreState(Meeting meeting, Communicator communicator, StoreConfiguration configuration) {
        this.configuration = configuration;
        applications = communicator;
        ranks = StoreRanks.of(communicator, configuration.spares());
        List<FailureDomains> domains = configuration.labels().gather(meeting, communicator, ranks.peCount(),
                configuration.redundancy().parts(), configuration.redundancy().isCoded());
        layout = StoreLayout.of(configuration, ranks.peCount(), domains);
        meeting.at(communicator);
        channel = firstChannel(meeting, communicator);
    }

    /** Opens a channel on all PEs, or on none. */
    private Channel firstChannel(Meeting meeting, Communicator communicator) {
        List<Channel> opened = new ArrayList<>();
        try {
            return meeting.settle(OPENING, () -> {
                opened.add(openChannel(communicator));
                return opened.getFirst();
            });
        } catch (Throwable failure) {
            opened.forEach(Channel::close);
            throw failure;
        }
    }

    /** Opens a channel. Collective, inside a part that all PEs settle. */
    private Channel openChannel(Communicator communicator) {
        if (!communicator.failedRanks().isEmpty()) {
            throw new ProcessFailedException(OPENING, communicator.failedRanks());
        }
        Communicator duplicate = communicator.duplicate();
        try {
            return new Channel(duplicate, pool);
        } catch (Throwable failure) {
            duplicate.close();
            throw failure;
        }
    }

    public StoreConfiguration configuration() {
        return configuration;
    }

    public StoreLayout layout() {
        return layout;
    }

    public StoreMonitor monitor() {
        return monitor;
    }

    public StoreCalls calls() {
        return calls;
    }

    public StoreRanks ranks() {
        return ranks;
    }

    public Channel channel() {
        return channel;
    }

    /** Store rank of this PE, or {@link StoreRanks#NO_RANK}. */
    public int rank() {
        return rankAt(channel.communicator().rank());
    }

    /** Store rank of the PE with a current rank, or {@link StoreRanks#NO_RANK}. */
    int rankAt(int currentRank) {
        return ranks.storeRankAt(currentRank, channel.communicator());
    }

    public FailedRanks failedRanks() {
        return ranks.failedRanks();
    }

    /** The PEs in the form that plans use. */
    Peers peers() {
        Communicator communicator = channel.communicator();
        StoreRanks present = ranks;
        return new Peers(rank(), communicator.size(),
                storeRank -> present.currentRankOf(storeRank, communicator));
    }

    /** Blocks to read, or their sizes, checked when they are read. */
    CheckedMemory checked(ReplicaMemory blocks) {
        return new CheckedMemory(blocks, layout.grid());
    }

    /** Computes lost blocks; null if blocks are not coded. */
    @Nullable
    Decoder decoder(SegmentAllocator memory) {
        RowCode code = layout.code();
        return code == null ? null : new Decoder(code, configuration.blocks().sizeBytes(), memory);
    }

    /**
     * Records that the other PEs come to the end of an operation and wait there for this PE; see {@link Meeting#at}.
     */
    public Meeting meet() {
        return calls.meeting().at(channel.communicator());
    }

    /**
     * Begins a collective call other than a recovery. It runs alone, after operations that are still in progress. From
     * now on the other PEs come to its settlement. If this PE's call ends before, it joins the settlement without a
     * contribution.
     */
    public StoreCalls.Call begin(String operation) {
        StoreCalls.Call call = calls.beginNext(operation);
        meet();
        return call;
    }

    /** An exception for a reason that is the same on all PEs, so no PE waits. */
    private IllegalStateException refusedByAll(String message) {
        calls.callOff();
        return new IllegalStateException(message);
    }

    /** The places of the replicas of a generation that is submitted now. */
    BlockDirectory newDirectory() {
        return layout.directory(failedRanks());
    }

    @Nullable
    public Generation generation() {
        return generation;
    }

    public long generationNumber() {
        return generation == null ? 0 : generation.number();
    }

    /** The generation that an operation uses. */
    public Generation submitted(String operation) {
        if (generation == null) {
            throw refusedByAll(operation + " needs a submission: nothing has been submitted");
        }
        return generation;
    }

    /**
     * The generation to read. Before the first submission, one all of whose blocks are lost, so that the fallback is
     * used.
     */
    public Generation readable() {
        return generation == null ? Generation.ofNothing(this) : generation;
    }

    public SegmentPool pool() {
        return pool;
    }

    /** Replaces the present generation. Can't fail on this PE alone, since all PEs have agreed on it. */
    void commit(Succession next) {
        next.overwrite();
        generation = next.generation();
        next.free();
    }

    /** Keeps what all PEs have received until it is committed or discarded. */
    void stage(Staging received) {
        staged = received;
    }

    public boolean isStaged(Staging submission) {
        return staged == submission;
    }

    public void checkNothingStaged(String operation) {
        if (staged != null) {
            throw refusedByAll(operation + " needs the staged submission to be committed or discarded first");
        }
    }

    /** Rejects a submission of changes if blocks would move or parity change. */
    void checkTakesChanges() {
        if (configuration.blocks().variable() || configuration.redundancy().isCoded()) {
            throw refusedByAll("submitChanges needs replicas of blocks of one size, and this store has "
                    + (configuration.redundancy().isCoded() ? "coded blocks" : "blocks of different sizes")
                    + ": submit all blocks");
        }
    }

    /** Prepares everything that {@link #commitStaged} needs. The number is higher than the present one. */
    public void prepareStaged(long number) {
        succession = Objects.requireNonNull(staged, "staged").prepare(generation, number);
    }

    /** Makes the staged generation the present one, as {@link #commit} does. */
    public void commitStaged() {
        Succession next = succession;
        if (next != null) {
            staged = null;
            succession = null;
            commit(next);
        }
    }

    public void discardStaged() {
        Staging given = staged;
        if (given != null) {
            staged = null;
            succession = null;
            channel.release(given::discard);
        }
    }

    /** The present generation with known damage; null before the first one. */
    @Nullable
    Generation marked(DamagedReplicas damaged) {
        return generation == null ? null : generation.with(damaged);
    }

    /** Records known damage, as {@link #marked} has prepared it. */
    void noteDamage(@Nullable Generation marked) {
        Generation before = generation;
        if (before != null && marked != null) {
            generation = marked;
            monitor.damageFound(before.directory().damaged().count(), marked.directory().damaged().count());
        }
    }

    /**
     * Moves the store to the survivors and records that. Collective.
     *
     * @param survivors null by mistake of the application
     */
    public void recover(@Nullable Communicator survivors) {
        StoreRecovery.endBefore(this);
        // A PE whose application passed null uses the communicator of the last shrink.
        calls.meeting().at(survivors == null ? GroupCommunicators.latest(applications) : survivors);
        if (survivors == null) {
            throw new IllegalArgumentException("survivors must not be null");
        }
        StoreRecovery.recover(List.of(this), calls.meeting(), survivors, _ -> Outcome.of(this));
    }

    /** Creates what moves this store to the survivors. Collective, inside a part that is settled. */
    StoreRecovery.Move moveTo(Communicator survivors) {
        StoreRanks recovered = ranks.among(survivors);
        Generation left = generation == null ? null : generation.without(ranks.lostUntil(recovered));
        return new StoreRecovery.Move(survivors, recovered, left, openChannel(survivors));
    }

    /**
     * Moves the store to the survivors, as all PEs have agreed.
     *
     * @return the former channel, to be closed
     */
    Channel take(StoreRecovery.Move move) {
        Channel old = channel;
        channel = move.channel();
        generation = move.generation();
        ranks = move.ranks();
        applications = move.survivors();
        return old;
    }

    int damagedReplicas() {
        return generation == null ? 0 : generation.directory().damaged().count();
    }

    /** Frees everything, once. Waits for no PE, except for a submit in the background. */
    public void close() {
        if (!calls.close() || channel.hasAborted()) {
            // MPI may still use this memory until the survivors have shrunk.
            return;
        }
        discardStaged();
        channel.close();
        if (generation != null) {
            generation.close();
        }
        // After the channel, which gives back the staged memory of failed submissions.
        pool.close();
    }

    public StoreReport report() {
        Generation current = generation;
        long blockBytes = current == null ? 0 : current.blockBytes();
        long sizeBytes = current == null || current.sizes() == null ? 0 : current.sizes().bytes();
        long overheadBytes = current == null ? 0 : current.overheadBytes() - sizeBytes;
        StoreReport.Memory memory = new StoreReport.Memory(blockBytes, sizeBytes, overheadBytes,
                staged == null ? 0 : staged.bytes(),
                pool.spareBytes(), channel.keptBytes());
        if (current == null) {
            long[] none = new long[configuration.redundancy().failuresUntilLoss() + 1];
            return new StoreReport(0, memory, LongList.of(none), 0, monitor.totals());
        }
        BlockDirectory directory = current.directory();
        return new StoreReport(current.number(), memory, LongList.of(directory.blocksByReplicas()),
                directory.damaged().count(), monitor.totals());
    }
}
