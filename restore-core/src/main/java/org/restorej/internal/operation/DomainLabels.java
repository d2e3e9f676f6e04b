package org.restorej.internal.operation;

import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.restorej.comm.Communicator;
import org.restorej.internal.settlement.Meeting;
import org.restorej.placement.FailureDomains;

/**
 * The failure domains of one PE.
 *
 * @param largestFirst labels such as its rack and its node; empty if failure domains are not used
 * @param mayBeShared whether replicas of a range may be in one domain if it can't be avoided
 * @param byHost whether no domains were requested, and the label is the host; not used if all PEs are on one host
 */
public record DomainLabels(List<String> largestFirst, boolean mayBeShared, boolean byHost) {
    /** No failure domains. */
    public static final DomainLabels NONE = new DomainLabels(List.of(), false, false);

    public DomainLabels {
        largestFirst = List.copyOf(largestFirst);
    }

    /** Labels that were requested. */
    public static DomainLabels of(List<String> largestFirst, boolean mayBeShared) {
        return new DomainLabels(largestFirst, mayBeShared, false);
    }

    /** The host as domain, which replicas may share in any case. */
    public static DomainLabels ofHost(String host, boolean mayBeShared) {
        return new DomainLabels(List.of(host), mayBeShared, true);
    }

    /** A number that nearly always differs between hosts; 0 if labels were requested. */
    long hostFingerprint() {
        return byHost ? fingerprint(largestFirst.getFirst()) : 0;
    }

    /**
     * Exchanges the domains of all PEs. Collective; every PE gets 8 bytes from each of the others for each level, and
     * the same result. Labels are compared by 64-bit hashes. Two labels with equal hashes, which have a probability of
     * 2^-64, count as one domain: more replicas are then separated than requested, never fewer.
     *
     * @param peCount number of PEs P; those after them are spares, which have no store rank until they take one
     * @param replication replication level K, or number of parts of coded blocks
     * @param coded whether blocks are coded
     * @return from the largest domains to the smallest; empty if there are no labels
     * @throws IllegalArgumentException on every PE, when a domain is too large to have at most one replica of a range
     */
    List<FailureDomains> gather(Meeting meeting, Communicator communicator, int peCount, int replication,
            boolean coded) {
        if (largestFirst.isEmpty()) {
            return List.of();
        }
        long[] labels = meeting.at(communicator).settle("exchanging failure domains",
                () -> exchange(communicator));
        FailureDomains[] levels = new FailureDomains[largestFirst.size()];
        Arrays.setAll(levels, level -> domains(labels, level, peCount));
        List<FailureDomains> nested = FailureDomains.nested(levels);
        for (int level = 0; level < levels.length && !mayBeShared && !byHost; level++) {
            checkSeparated(nested.get(level), level, replication, coded);
        }
        return nested;
    }

    private long[] exchange(Communicator communicator) {
        long[] mine = largestFirst.stream().mapToLong(DomainLabels::fingerprint).toArray();
        long[] all = new long[mine.length * communicator.size()];
        communicator.allGather(MemorySegment.ofArray(mine), MemorySegment.ofArray(all));
        return all;
    }

    private static long fingerprint(String label) {
        long mixed = label.length();
        for (int i = 0; i < label.length(); i++) {
            mixed = (mixed ^ label.charAt(i)) * 0x9E3779B97F4A7C15L;
            mixed ^= mixed >>> 32;
        }
        return mixed;
    }

    private FailureDomains domains(long[] labels, int level, int peCount) {
        Long2IntOpenHashMap numbers = new Long2IntOpenHashMap();
        int[] domains = new int[peCount];
        Arrays.setAll(domains, rank -> numbers.computeIfAbsent(labels[rank * largestFirst.size() + level],
                label -> numbers.size()));
        return FailureDomains.of(domains);
    }

    private void checkSeparated(FailureDomains domains, int level, int replication, boolean coded) {
        if (!domains.canSeparate(replication)) {
            int largest = domains.largest();
            String kept = coded ? "parts" : "replicas";
            throw new IllegalArgumentException("failureDomain must be the same on at most floor(P / "
                    + (coded ? "(k + m)" : "replication") + ") = " + domains.peCount() / replication + " of "
                    + domains.peCount() + " PEs, so that the " + kept + " of a range lie in different domains: label "
                    + level
                    + " is the same on " + domains.size(largest) + " PEs, the first of them rank "
                    + domains.rankAt(domains.start(largest)) + "; here failureDomain=" + largestFirst
                    + ". sharedDomains(true) keeps " + kept + " apart as far as possible");
        }
    }
}
