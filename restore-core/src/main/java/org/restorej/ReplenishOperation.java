package org.restorej;

import org.jspecify.annotations.Nullable;
import org.restorej.exchange.Channel;
import org.restorej.exchange.ReplenishExchange;
import org.restorej.exchange.Settlement;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.Residency;
import org.restorej.storage.ReplicaMemory;

/**
 * One replenishment, from a generation that lacks replicas to the same with all that can be made anew.
 *
 * <p>
 * The new replicas get memory of their own beside the old ones, and belong to the generation once all PEs alive have
 * theirs; otherwise they are freed, and everybody has what it had before.
 */
final class ReplenishOperation {
    private final Channel channel;
    private final StoreConfiguration configuration;
    private final Generation current;
    private final int originalRank;
    private @Nullable ReplicaMemory extended;
    private long receivedBytes;

    ReplenishOperation(Channel channel, StoreConfiguration configuration, Generation current, int originalRank) {
        this.channel = channel;
        this.configuration = configuration;
        this.current = current;
        this.originalRank = originalRank;
    }

    /** Bytes that this PE received. */
    long receivedBytes() {
        return receivedBytes;
    }

    /** Runs it. Collective. Returns the healed generation, the same object where there was nothing to heal. */
    Generation run(FailedRanks failedRanks) {
        Residency wanted = current.residency().replenished(failedRanks);
        try {
            channel.settle("replenish", () -> {
                if (wanted != current.residency()) {
                    copyLostReplicas(wanted);
                }
                return Settlement.ALL;
            });
        } catch (RuntimeException | Error failure) {
            if (extended != null) {
                channel.release(extended::closeExtension);
            }
            throw failure;
        }
        return extended == null ? current : new Generation(current.number(), wanted, extended);
    }

    /** The memory is taken in here, since a PE that has none left must tell the others. */
    private void copyLostReplicas(Residency wanted) {
        ReplicaMemory memory = current.memory().extendedFor(wanted, originalRank);
        extended = memory;
        ReplenishExchange exchange = new ReplenishExchange(channel, current.residency(), wanted, memory,
                configuration.blockSizeBytes(), originalRank);
        exchange.run();
        receivedBytes = exchange.receivedBytes();
    }
}
