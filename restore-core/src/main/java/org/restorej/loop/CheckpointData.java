package org.restorej.loop;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.restorej.PendingOperation;
import org.restorej.ReStore;
import org.restorej.balance.LoadBalancer;
import org.restorej.comm.Communicator;
import org.restorej.internal.settlement.Meeting;
import org.restorej.internal.settlement.Outcome;
import org.restorej.internal.access.StoreAccess;
import org.restorej.internal.message.Completely;
import org.restorej.placement.FailedRanks;

/** The data that a {@link CheckpointLoop} keeps: blocks of stores, and values. Not thread-safe. */
final class CheckpointData {
    private final List<LoopData> blocks = new ArrayList<>();
    private final List<LoopValue<?>> values = new ArrayList<>();
    private boolean background;
    /** Whether an earlier job's checkpoint may exist; the initial functions are not called until that is known. */
    private boolean awaitsEarlierJob;
    /** Replenishments that are under way after a failure. */
    private final List<PendingOperation<Long>> replenishing = new ArrayList<>();

    /** The numbers of changing stores, constant stores and values, packed into one number. */
    long counts() {
        long changing = blocks.stream().filter(LoopData::changes).count();
        return changing | (blocks.size() - changing) << 5 | (long) values.size() << 9;
    }

    /**
     * Keeps the blocks of another store, which must fit the balancer.
     *
     * @param later whether to initialize them only after the checkpoint of an earlier job has been tried
     */
    void add(LoopData added, LoadBalancer balancer, boolean later) {
        ReStore store = added.store();
        long handedOut = balancer.assignment().blockCount();
        if (handedOut != added.partCount()) {
            throw new IllegalArgumentException("the balancer must hand out as many blocks as the store has: it has "
                    + handedOut + ", the store " + added.partCount());
        }
        int pes = balancer.assignment().peCount();
        if (pes != store.placement().peCount()) {
            throw new IllegalArgumentException(
                    "the balancer must hand out blocks to as many PEs as the store has, without"
                            + " spares: it has " + pes + ", the store " + store.placement().peCount());
        }
        if (stores().contains(store)) {
            throw new IllegalArgumentException("data must be of a store that the loop doesn't keep yet: this one is"
                    + " kept already");
        }
        added.keepBy(balancer);
        if (!added.isSubmitted() && !later) {
            added.begin(added.mine());
        }
        awaitsEarlierJob |= later;
        blocks.add(added);
    }

    void add(LoopValue<?> value) {
        values.add(value);
    }

    boolean isEmpty() {
        return blocks.isEmpty() && values.isEmpty();
    }

    /** The shape that a checkpoint in files must have to be loaded: a line for each store, and one for the values. */
    List<String> shape() {
        List<String> shape = new ArrayList<>(blocks.stream().map(LoopData::shape).toList());
        shape.add(values.size() + (values.size() == 1 ? " value" : " values"));
        return shape;
    }

    List<ReStore> stores() {
        return blocks.stream().map(LoopData::store).toList();
    }

    List<LoopData> blocks() {
        return blocks;
    }

    /**
     * Starts with the state that an earlier job has saved and that has been loaded into the stores, or with the initial
     * one.
     */
    void restore(Optional<LoopStorage.Saved> saved) {
        awaitsEarlierJob = false;
        if (saved.isPresent()) {
            blocks.forEach(LoopData::loaded);
            for (int value = 0; value < values.size(); value++) {
                values.get(value).restore(saved.get().values().get(value));
            }
        } else {
            blocks.stream().filter(data -> !data.isSubmitted()).forEach(LoopData::beginInstead);
        }
    }

    void submitInBackground() {
        background = true;
    }

    boolean isSubmittedInBackground() {
        return background;
    }

    /** The first data whose blocks the balancer assigns; balancers are compared by identity. */
    @SuppressWarnings("ReferenceEquality") // Two balancers that hand out the same blocks change each by itself.
    Optional<LoopData> of(LoadBalancer balancer) {
        return blocks.stream().filter(data -> data.balancer() == balancer).findFirst();
    }

    /** The data that were kept first. */
    Optional<LoopData> any() {
        return blocks.stream().findFirst();
    }

    /** Whether a store has a generation, before the loop has committed the first one; the same on all PEs. */
    boolean isAnySubmitted() {
        return blocks.stream().anyMatch(LoopData::isSubmitted);
    }

    /**
     * Prepares the next generation, so that submitting it can't fail because of one PE: makes copies, or references to
     * blocks that don't change until they are sent.
     *
     * @param first whether nothing has been committed yet; constant data are then submitted too
     * @param copied whether iterations may change the blocks during the submit
     */
    void prepare(Checkpoint next, boolean first, boolean copied) {
        for (LoopData data : blocks) {
            if (first ? !data.isSubmitted() : data.changes()) {
                next.add(data.prepare(copied));
            }
        }
        values.forEach(value -> next.add(value.captured()));
    }

    /** Sets the state to which values roll back. Takes no memory. */
    void commit(List<byte[]> captured) {
        for (int value = 0; value < values.size(); value++) {
            values.get(value).commit(captured.get(value));
        }
    }

    /**
     * Recovers all stores on the survivors, and lets all balancers propose assignments. Collective.
     *
     * @param compared adds to the proposals what compares them with those of the other PEs
     */
    Outcome<List<LoadBalancer>> recover(Meeting meeting, Communicator survivors,
            Function<List<LoadBalancer>, Outcome<List<LoadBalancer>>> compared) {
        return StoreAccess.recover(stores(), meeting, survivors,
                failedRanks -> compared.apply(proposeAssignments(failedRanks)));
    }

    /** Lets all balancers propose; returns them in the same order on all PEs, to commit their proposals. */
    @SuppressWarnings("ReferenceEquality") // An application may override equals of its data.
    private List<LoadBalancer> proposeAssignments(List<FailedRanks> failedRanks) {
        List<LoadBalancer> balancers = new ArrayList<>();
        for (int store = 0; store < blocks.size(); store++) {
            LoopData data = blocks.get(store);
            LoadBalancer balancer = data.balancer();
            if (of(balancer).orElseThrow() == data) {
                balancer.rebalance(failedRanks.get(store));
                balancers.add(balancer);
            }
        }
        return balancers;
    }

    /**
     * Announces that the other PEs are about to pull. Takes no memory: if this threw, they wouldn't learn of it in the
     * pull.
     */
    void expectPull() {
        for (int store = 0; store < blocks.size(); store++) {
            if (isReadable(blocks.get(store))) {
                StoreAccess.expect(blocks.get(store).store());
                return;
            }
        }
    }

    /** Whether a store has a generation to be read; false as long as an earlier job's checkpoint may replace it. */
    private boolean isReadable(LoopData data) {
        return data.isSubmitted() && !awaitsEarlierJob;
    }

    /**
     * Reads blocks of the last generation. Collective.
     *
     * @param back whether to read all of this PE's blocks that change; otherwise only those that it lacks
     */
    void pull(boolean back) {
        for (LoopData data : blocks) {
            if (isReadable(data)) {
                StoreAccess.expect(data.store());
                data.pull(back);
            }
        }
    }

    /**
     * Passes the pulled blocks to the data, and returns their bytes.
     *
     * @param back whether to roll back to the last generation, or to the initial state if there is none
     */
    long takeOver(boolean back) {
        long bytes = 0;
        for (LoopData data : blocks) {
            if (isReadable(data)) {
                bytes += data.gainPulled();
            } else if (back && !awaitsEarlierJob) {
                data.begin(data.mine());
            }
        }
        if (back) {
            values.forEach(LoopValue::goBack);
        }
        return bytes;
    }

    /** Frees the memory of the last {@link #pull}. */
    void releasePulled() {
        Completely.forEach(blocks, LoopData::releasePulled);
    }

    /** Starts to re-replicate lost replicas. Collective. */
    void beginReplenish() {
        replenishing.clear();
        blocks.forEach(data -> replenishing.add(data.store().replenishAsync()));
    }

    /** Waits until lost replicas have been re-replicated. Collective. */
    void awaitReplicas() {
        List<PendingOperation<Long>> awaited = List.copyOf(replenishing);
        replenishing.clear();
        awaited.forEach(PendingOperation::await);
    }
}
