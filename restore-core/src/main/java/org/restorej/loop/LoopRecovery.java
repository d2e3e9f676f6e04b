package org.restorej.loop;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.balance.Assignment;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.OriginalRank;
import org.restorej.internal.message.ComparedNumber;
import org.restorej.internal.settlement.Meeting;
import org.restorej.internal.settlement.Outcome;
import org.restorej.loop.Recovery.Phase;
import org.restorej.placement.FailedRanks;

/**
 * Reassigns the blocks of a {@link CheckpointLoop} and moves them to their PEs: after a failure, when the survivors
 * roll back to the last generation, or without one, for a new assignment. Not thread-safe.
 */
final class LoopRecovery {
    /** Number of recoveries without a failed PE after which the program is taken as the cause. */
    private static final int MAX_WITHOUT_FAILURE = 10;

    /** Flag: this PE has no observer. */
    private static final int UNOBSERVED = 1 << 1;

    private final LoopCommunicator communicator;
    private final CheckpointData data;
    private final LoopGenerations generations;
    private final RepeatedExceptions exceptions;
    /** Recoveries since the last generation or failure. */
    private int withoutFailure;
    private long commitsBefore;
    /** Bytes read in the recovery under way, including attempts that another failure has interrupted. */
    private long readBytes;
    private @Nullable Consumer<Recovery> observer;

    LoopRecovery(LoopCommunicator communicator, CheckpointData data, LoopGenerations generations,
            RepeatedExceptions exceptions) {
        this.communicator = communicator;
        this.data = data;
        this.generations = generations;
        this.exceptions = exceptions;
    }

    void onRecovery(Consumer<Recovery> consumer) {
        observer = consumer;
    }

    /** Throws when the same iterations have failed too often; the count is the same on all survivors. */
    void checkNotInVain(CommunicationFailedException failure) {
        forgetAtCommit();
        if (withoutFailure > MAX_WITHOUT_FAILURE) {
            withoutFailure = 0;
            throw new IllegalStateException("the same iterations have failed " + MAX_WITHOUT_FAILURE
                    + " times although no PE has failed: " + (exceptions.wereThrown()
                            ? "exceptions of the application have ended them, and the program has called the loop again"
                            : "they must use the communicator that they are given"),
                    failure);
        }
    }

    private void forgetAtCommit() {
        if (generations.commits() > commitsBefore) {
            commitsBefore = generations.commits();
            withoutFailure = 0;
        }
    }

    /** Records the exception that has ended the work on this PE. */
    void met(Throwable thrown) {
        exceptions.met(generations.committedIteration(), thrown);
    }

    /**
     * Rolls all survivors back to the last generation. Collective.
     *
     * @param noticedNanos when the failure was noticed, as of {@link System#nanoTime}
     * @param check called after each shrink, on all survivors
     */
    void recover(long noticedNanos, Runnable check) {
        generations.end();
        BlockRanges had = blocks();
        FailedRanks before = failedRanks();
        readBytes = 0;
        while (true) {
            try {
                recoverOnce(new Clock(noticedNanos), before, had, check);
                return;
            } catch (CommunicationFailedException again) {
                met(again);
                // Another PE has failed: start again with the remaining ones.
                communicator.current().revoke(again);
                generations.end();
                checkNotInVain(again);
            } catch (Throwable own) {
                met(own);
                generations.end();
                throw own;
            }
        }
    }

    private void recoverOnce(Clock clock, FailedRanks before, BlockRanges had, Runnable check) {
        int size = communicator.current().size();
        Communicator survivors = communicator.shrink();
        exceptions.shrunk(survivors);
        forgetAtCommit();
        withoutFailure = survivors.size() < size ? 0 : withoutFailure + 1;
        clock.lap(Phase.SHRINK);
        check.run();
        // One agreement covers the stores and the assignments.
        Outcome<List<LoadBalancer>> proposed = data.recover(communicator.meet(), survivors, LoopRecovery::compared);
        clock.lap(Phase.RECOVER);
        // Assignments take effect before the blocks arrive; each PE then reads whatever it lacks.
        commit(proposed);
        clock.lap(Phase.BALANCE);
        boolean observed = bring(true, () -> clock.lap(Phase.PULL));
        clock.lap(Phase.TAKE_OVER);
        data.beginReplenish();
        clock.lap(Phase.REPLENISH);
        if (observed) {
            tell(communicator.meet(), () -> new Recovery(failedRanks().minus(before), failedRanks(), survivors.size(),
                    blocks().minus(had).blockCount(), readBytes, clock.laps()));
        }
    }

    /**
     * Calls the observer. Settled, so that the other PEs learn of its exception even if the call of the loop has
     * nothing else to do. Collective.
     */
    private void tell(Meeting meeting, Supplier<Recovery> recovery) {
        meeting.settle("telling of a recovery",
                () -> RepeatedExceptions.reported(generations::iteration, () -> {
                    Consumer<Recovery> consumer = observer;
                    if (consumer != null) {
                        consumer.accept(recovery.get());
                    }
                    return this;
                }));
    }

    /**
     * Reassigns the blocks without a failure. Collective.
     *
     * @param proposal makes the balancer propose
     */
    void adopt(LoadBalancer balancer, @Nullable Supplier<Assignment> proposal) {
        commit(communicator.meet().settle(() -> {}, "proposing a balance",
                () -> RepeatedExceptions.reported(generations::iteration, () -> {
                    Assignment proposed = Objects.requireNonNull(proposal, "proposal").get();
                    if (!balancer.proposal().equals(Optional.ofNullable(proposed))) {
                        throw new IllegalArgumentException(
                                "proposal must return what the loop's balancer has proposed last");
                    }
                    return compared(List.of(balancer));
                })));
        bring(false, () -> {});
    }

    /** The proposals of the balancers, with a digest by which PEs compare them. */
    private static Outcome<List<LoadBalancer>> compared(List<LoadBalancer> balancers) {
        int digest = 0;
        for (LoadBalancer balancer : balancers) {
            digest = 31 * digest + balancer.proposal().orElseThrow().digest();
        }
        return new Outcome<>(ComparedNumber.flagsOfDigest(digest), balancers);
    }

    /**
     * Commits the proposals if all PEs have made the same ones; otherwise blocks would belong to two PEs, or to none.
     */
    private void commit(Outcome<List<LoadBalancer>> proposed) {
        if (!ComparedNumber.isSame(proposed.flags())) {
            throw new IllegalStateException("all PEs must propose the same balance: they have proposed different ones, "
                    + "perhaps by costs or speeds that were measured and not exchanged, or by a balancer that uses "
                    + "what only one PE knows");
        }
        communicator.meet();
        data.expectPull();
        proposed.result().forEach(LoadBalancer::commit);
    }

    /** Reads the generations that stores had before the loop kept them. Collective. */
    void readFirst() {
        communicator.meet();
        data.expectPull();
        bring(false, () -> {});
    }

    /**
     * Moves blocks to the PEs to which they are assigned. Collective.
     *
     * @param back whether all roll back to the last generation; otherwise a PE keeps what it has
     * @return whether all PEs have an observer; the same on all PEs
     */
    private boolean bring(boolean back, Runnable pulled) {
        try {
            data.pull(back);
            communicator.meet();
            pulled.run();
            String what = back ? "going back to iteration " + generations.committedIteration() : "taking over blocks";
            return !communicator.meet().settle(() -> {}, what,
                    () -> RepeatedExceptions.reported(generations::iteration, () -> {
                        generations.giveUp();
                        readBytes += data.takeOver(back);
                        data.releasePulled();
                        if (back) {
                            generations.goBack();
                        }
                        return new Outcome<>(observer == null ? UNOBSERVED : 0, this);
                    })).has(UNOBSERVED);
        } finally {
            data.releasePulled();
        }
    }

    /** The blocks of this PE in the first store. */
    private BlockRanges blocks() {
        return data.any().map(LoopData::mine).orElse(BlockRanges.EMPTY);
    }

    private FailedRanks failedRanks() {
        return data.any().map(first -> first.store().failedRanks()).orElseGet(() -> FailedRanks.of(
                communicator.current().ranks().absentRanks().stream().mapToInt(OriginalRank::value).toArray()));
    }

    /** Measures consecutive phases. */
    private static final class Clock {
        private final Map<Phase, Long> laps = new EnumMap<>(Phase.class);
        private long last;

        Clock(long startNanos) {
            last = startNanos;
        }

        void lap(Phase phase) {
            long now = System.nanoTime();
            laps.put(phase, now - last);
            last = now;
        }

        Map<Phase, Long> laps() {
            return laps;
        }
    }
}
