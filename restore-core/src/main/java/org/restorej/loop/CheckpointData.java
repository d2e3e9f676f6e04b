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
import org.restorej.placement.FailedRanks;

/** All that a {@link CheckpointLoop} keeps: blocks of stores, and values. One thread at a time. */
final class CheckpointData {
    private final List<KeptData> blocks = new ArrayList<>();
    private final List<LoopValue<?>> values = new ArrayList<>();
    private boolean incremental;
    private boolean background;
    /** Whether nothing is made before it is known what an earlier job has left. */
    private boolean awaitsEarlierJob;
    /** Replicas that are being re-replicated after a failure. */
    private final List<PendingOperation<Long>> replenishing = new ArrayList<>();

    /** A number that says how many stores that change, stores that don't, and values are kept. */
    long counts() {
        long changing = blocks.stream().filter(KeptData::changes).count();
        return changing | (blocks.size() - changing) << 5 | (long) values.size() << 9;
    }

    /**
     * Keeps blocks of a further store, which must fit its balancer.
     *
     * @param later whether it isn't made before an earlier job's is tried
     */
    void add(KeptData added, boolean later) {
        ReStore store = added.store();
        long handedOut = added.balancer().assignment().blockCount();
        if (handedOut != added.partCount()) {
            throw new IllegalArgumentException("the balancer must hand out as many blocks as the store has: it has "
                    + handedOut + ", the store " + added.partCount());
        }
        int pes = added.balancer().assignment().peCount();
        if (pes != store.placement().peCount()) {
            throw new IllegalArgumentException(
                    "the balancer must hand out blocks to as many PEs as the store has, without"
                            + " spares: it has " + pes + ", the store " + store.placement().peCount());
        }
        if (blocks.stream().anyMatch(other -> other.store() == store)) {
            throw new IllegalArgumentException("data must be of a store that the loop doesn't keep yet: this one is"
                    + " kept already");
        }
        if (!added.isSubmitted() && !later) {
            added.initialize();
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

    /** What a checkpoint in files must be of, to be of these data: a line for each store, and one for the values. */
    List<String> shape() {
        List<String> shape = new ArrayList<>(blocks.stream().map(KeptData::shape).toList());
        shape.add(values.size() + (values.size() == 1 ? " value" : " values"));
        return shape;
    }

    List<ReStore> stores() {
        return blocks.stream().map(KeptData::store).toList();
    }

    List<KeptData> blocks() {
        return blocks;
    }

    /** Begins with what an earlier job has saved, which is in the stores; or as if there was none. */
    void restore(Optional<LoopStorage.Saved> saved) {
        awaitsEarlierJob = false;
        if (saved.isPresent()) {
            blocks.forEach(KeptData::loaded);
            for (int value = 0; value < values.size(); value++) {
                values.get(value).restore(saved.get().values().get(value));
            }
        } else {
            blocks.stream().filter(data -> !data.isSubmitted()).forEach(KeptData::initializeInstead);
        }
    }

    void submitOnlyChanges() {
        incremental = true;
    }

    void submitInBackground() {
        background = true;
    }

    boolean isSubmittedInBackground() {
        return background;
    }

    /** The data of the first store whose blocks a balancer hands out. */
    Optional<KeptData> of(LoadBalancer balancer) {
        return blocks.stream().filter(data -> data.isHandedOutBy(balancer)).findFirst();
    }

    /** The data of any store. */
    Optional<KeptData> any() {
        return blocks.stream().findFirst();
    }

    /** Whether a store had blocks before the loop kept it that are still to be read: the same on all PEs. */
    boolean isUnread() {
        return blocks.stream().anyMatch(KeptData::isUnread);
    }

    /**
     * Makes what the next generation gets, so that submitting it can't fail because of one PE: copies, or references
     * where nothing changes until it is sent.
     *
     * @param first whether nothing has been committed yet, so that also what never changes is submitted
     */
    void prepare(Checkpoint next, boolean first) {
        for (KeptData data : blocks) {
            if (first ? !data.isSubmitted() : data.changes()) {
                next.add(data.prepare(background, incremental));
            }
        }
        values.forEach(value -> next.add(value.captured()));
    }

    boolean submitsOnlyChanges() {
        return incremental;
    }

    /** Has all values be what they were in a generation that is committed. Takes no memory. */
    void commit(List<byte[]> captured) {
        for (int value = 0; value < values.size(); value++) {
            values.get(value).commit(captured.get(value));
        }
    }

    /**
     * Has all stores go on with the survivors, and all balancers propose. Collective.
     *
     * @param compared has the proposals compared with those of the other PEs
     */
    Outcome<List<LoadBalancer>> recover(Meeting meeting, Communicator survivors,
            Function<List<LoadBalancer>, Outcome<List<LoadBalancer>>> compared) {
        return StoreAccess.recover(stores(), meeting, survivors,
                failedRanks -> compared.apply(proposeAssignments(failedRanks)));
    }

    /** Has all balancers propose; returns them in the same order on all PEs, for their proposals to be committed. */
    private List<LoadBalancer> proposeAssignments(List<FailedRanks> failedRanks) {
        List<LoadBalancer> balancers = new ArrayList<>();
        for (int store = 0; store < blocks.size(); store++) {
            LoadBalancer balancer = blocks.get(store).balancer();
            if (blocks.subList(0, store).stream().noneMatch(before -> before.isHandedOutBy(balancer))) {
                balancer.rebalance(failedRanks.get(store));
                balancers.add(balancer);
            }
        }
        return balancers;
    }

    /** The others come to the pull now. Takes no memory: who threw here would not be known to come there. */
    void expectPull() {
        for (int store = 0; store < blocks.size(); store++) {
            if (isReadable(blocks.get(store))) {
                StoreAccess.expect(blocks.get(store).store());
                return;
            }
        }
    }

    /** Whether a store has a generation to read: none as long as an earlier job's blocks may replace it. */
    private boolean isReadable(KeptData data) {
        return data.isSubmitted() && !awaitsEarlierJob;
    }

    /**
     * Reads blocks of the last generation. Collective.
     *
     * @param back all of this PE's that change; else those that it doesn't have
     */
    void pull(boolean back) {
        for (KeptData data : blocks) {
            if (isReadable(data)) {
                StoreAccess.expect(data.store());
                data.pull(back);
            }
        }
    }

    /**
     * Takes over what was pulled; returns its bytes.
     *
     * @param back to the last generation, or to the beginning where there is none
     */
    long takeOver(boolean back) {
        long bytes = 0;
        for (KeptData data : blocks) {
            if (isReadable(data)) {
                bytes += data.takeOver(incremental);
            } else if (back && !awaitsEarlierJob) {
                data.initialize();
            }
        }
        if (back) {
            values.forEach(LoopValue::goBack);
        }
        return bytes;
    }

    /** Frees what {@link #pull} has brought. */
    void releasePulled() {
        blocks.forEach(KeptData::releasePulled);
    }

    /** Begins to re-replicate lost replicas. Collective. */
    void beginReplenish() {
        replenishing.clear();
        blocks.forEach(data -> replenishing.add(data.store().replenishAsync()));
    }

    /** Waits until lost replicas are there again. Collective. */
    void awaitReplicas() {
        List<PendingOperation<Long>> awaited = List.copyOf(replenishing);
        replenishing.clear();
        awaited.forEach(PendingOperation::await);
    }

    void close() {
        blocks.forEach(KeptData::dropCopies);
    }
}
