package org.restorej.placement;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A partition of the store ranks into failure domains, such as nodes or racks: the ranks of a domain fail together.
 * Domains are numbered from 0 in order of their first ranks. Immutable; eight bytes a PE.
 */
public final class FailureDomains {
    private final int[] domains;
    /** Ranks by domain: {@code ranks[starts[domain] .. starts[domain + 1] - 1]}, ascending. */
    private final int[] ranks;
    private final int[] starts;

    private FailureDomains(int[] domains, int domainCount) {
        this.domains = domains;
        starts = new int[domainCount + 1];
        for (int domain : domains) {
            starts[domain + 1]++;
        }
        Arrays.parallelPrefix(starts, Integer::sum);
        int[] next = starts.clone();
        ranks = new int[domains.length];
        for (int rank = 0; rank < domains.length; rank++) {
            ranks[next[domains[rank]]++] = rank;
        }
    }

    /**
     * Any partition.
     *
     * @param labels for each store rank the label of its domain, any number; at least one rank
     */
    public static FailureDomains of(int... labels) {
        if (labels.length == 0) {
            throw new IllegalArgumentException("labels must be those of at least 1 PE: there are none");
        }
        Int2IntOpenHashMap numbers = new Int2IntOpenHashMap();
        int[] domains = new int[labels.length];
        for (int rank = 0; rank < labels.length; rank++) {
            domains[rank] = numbers.computeIfAbsent(labels[rank], label -> numbers.size());
        }
        return new FailureDomains(domains, numbers.size());
    }

    /**
     * The usual partition, in which ranks fill one node after the other; for racks, {@code ranksPerDomain} counts the
     * ranks of all nodes of a rack.
     *
     * @param peCount number of PEs P, at least 1
     * @param ranksPerDomain consecutive store ranks in a domain, at least 1; the last domain may have fewer
     */
    public static FailureDomains consecutive(int peCount, int ranksPerDomain) {
        if (peCount < 1) {
            throw new IllegalArgumentException("peCount must be at least 1: peCount=" + peCount);
        }
        if (ranksPerDomain < 1) {
            throw new IllegalArgumentException("ranksPerDomain must be at least 1: ranksPerDomain=" + ranksPerDomain);
        }
        int[] domains = new int[peCount];
        Arrays.setAll(domains, rank -> rank / ranksPerDomain);
        return new FailureDomains(domains, domains[peCount - 1] + 1);
    }

    /**
     * Levels of domains, each of which is made to lie within those of the level before: a node that two racks share
     * becomes two nodes.
     *
     * @param largestFirst such as racks, then nodes, of the same PEs; at least one level
     */
    public static List<FailureDomains> nested(FailureDomains... largestFirst) {
        if (largestFirst.length == 0) {
            throw new IllegalArgumentException("there must be at least 1 level of failure domains: there is none");
        }
        List<FailureDomains> nested = new ArrayList<>();
        for (FailureDomains level : largestFirst) {
            if (level.peCount() != largestFirst[0].peCount()) {
                throw new IllegalArgumentException("all levels must be of " + largestFirst[0].peCount()
                        + " PEs as the first is: one is of " + level.peCount());
            }
            nested.add(nested.isEmpty() ? level : level.within(nested.getLast()));
        }
        return List.copyOf(nested);
    }

    private FailureDomains within(FailureDomains outer) {
        Long2IntOpenHashMap numbers = new Long2IntOpenHashMap();
        int[] labels = new int[peCount()];
        Arrays.setAll(labels, rank -> numbers.computeIfAbsent(
                (long) outer.domainOf(rank) << Integer.SIZE | domainOf(rank), pair -> numbers.size()));
        return of(labels);
    }

    /** Number of PEs P. */
    public int peCount() {
        return domains.length;
    }

    /** Number of domains. */
    public int domainCount() {
        return starts.length - 1;
    }

    /** The domain of a store rank. */
    public int domainOf(int storeRank) {
        return domains[storeRank];
    }

    /**
     * The ranges whose K replicas are in fewer than K domains, ascending. They may be lost when K - 1 domains fail, or
     * even one. Takes time {@code O(P K^2)}.
     *
     * @param placement of the same PEs
     */
    public IntStream rangesInTooFewDomains(Placement placement) {
        checkSamePes(placement);
        return IntStream.range(0, placement.peCount())
                .filter(range -> domainsOf(placement, range).length < placement.replication());
    }

    /** First index of a domain's ranks in {@link #rankAt}; they end where those of the next domain begin. */
    public int start(int domain) {
        return starts[domain];
    }

    /** The store ranks of all domains one after the other, ascending in each domain. */
    public int rankAt(int index) {
        return ranks[index];
    }

    /** Number of ranks in a domain. */
    public int size(int domain) {
        return starts[domain + 1] - starts[domain];
    }

    /** The domain with the most ranks, or the first of several. */
    public int largest() {
        int largest = 0;
        for (int domain = 1; domain < domainCount(); domain++) {
            if (size(domain) > size(largest)) {
                largest = domain;
            }
        }
        return largest;
    }

    /**
     * Whether a placement that {@linkplain Placement#separating separates} them has the replicas of every range in K
     * different domains. Takes time linear in the number of domains.
     *
     * @param replication replication level K
     */
    public boolean canSeparate(int replication) {
        return size(largest()) <= peCount() / replication;
    }

    /** Throws if a placement has another number of PEs. */
    public void checkSamePes(Placement placement) {
        if (placement.peCount() != peCount()) {
            throw new IllegalArgumentException("placement must be of " + peCount()
                    + " PEs as the failure domains are: it is of " + placement.peCount());
        }
    }

    /** The domains of a range's holders, ascending, without duplicates. */
    public int[] domainsOf(Placement placement, int range) {
        int[] found = new int[placement.replication()];
        int count = 0;
        for (int replica = 0; replica < found.length; replica++) {
            int domain = domains[placement.holder(range, replica)];
            int place = Arrays.binarySearch(found, 0, count, domain);
            if (place < 0) {
                int insertion = -place - 1;
                System.arraycopy(found, insertion, found, insertion + 1, count - insertion);
                found[insertion] = domain;
                count++;
            }
        }
        return Arrays.copyOf(found, count);
    }

    /**
     * Number of PEs in each domain, if all domains have the same number and their PEs are neighbours in the order of
     * the placement; otherwise 0.
     */
    public int neighboursIn(Placement placement) {
        int each = size(0);
        if (domains.length % each != 0) {
            return 0;
        }
        for (int seat = 0; seat < domains.length; seat++) {
            int domain = domains[placement.rankAtSeat(seat)];
            if (size(domain) != each || domain != domains[placement.rankAtSeat(seat - seat % each)]) {
                return 0;
            }
        }
        return each;
    }
}
