package org.restorej.redset.internal.sets;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.TreeFields;

/**
 * The application's settings for the protection of its files. All but the failure group are equal on all ranks.
 *
 * @param scheme redundancy scheme
 * @param setSize minimum number of processes in a set
 * @param degrades whether sets that are too small for the scheme get the redundancy possible; otherwise they are
 *        rejected
 * @param failureGroup label that this process shares with processes that fail together with it
 */
public record ProtectionSettings(Scheme scheme, int setSize, boolean degrades, String failureGroup) {
    private static final System.Logger LOG = System.getLogger(ProtectionSettings.class.getName());
    private static final String COMMON = "COMMON";
    private static final String GROUP = "GROUP";

    /** Checks the number. */
    public ProtectionSettings {
        if (setSize < 1) {
            throw new IllegalArgumentException("setSize must be at least 1: setSize=" + setSize);
        }
    }

    /** The settings as a message for the other ranks. */
    public KvTree toTree() {
        return KvTree.builder().putText(COMMON, scheme + "/" + setSize + "/" + (degrades ? "degrade" : "refuse"))
                .putText(GROUP, failureGroup).build();
    }

    /**
     * Chooses the place of every rank from the settings of all. All ranks compute the same result or error.
     *
     * @param told settings of all ranks, by rank
     * @throws IllegalArgumentException if the settings differ, or a set can't have the scheme
     * @throws FormatException if a message holds no settings
     */
    public RankPlaces places(List<KvTree> told) throws FormatException {
        List<String> labels = new ArrayList<>();
        String first = new TreeFields("settings", told.getFirst()).longText(COMMON);
        for (int rank = 0; rank < told.size(); rank++) {
            TreeFields settings = new TreeFields("settings", told.get(rank));
            String theirs = settings.longText(COMMON);
            if (!theirs.equals(first)) {
                throw new IllegalArgumentException("all ranks must wish for the same scheme, set size and treatment of "
                        + "small sets: rank 0 " + first + ", rank " + rank + " " + theirs);
            }
            labels.add(settings.longText(GROUP));
        }
        @Nullable
        Descriptor[] places = new Descriptor[labels.size()];
        List<List<Integer>> sets = sets(labels);
        for (int set = 0; set < sets.size(); set++) {
            List<Integer> members = sets.get(set);
            Scheme ofSet = schemeOf(members, labels);
            for (int rank = 0; rank < members.size(); rank++) {
                places[members.get(rank)] = new Descriptor(ofSet, set, sets.size(), rank, members.size(),
                        members.get(rank), labels.size());
            }
        }
        return new RankPlaces(List.of(places));
    }

    /**
     * The sets, chosen exactly as redset does: the i-th processes of all failure groups, in order of rank, are divided
     * into consecutive sets of at least {@link #setSize} processes, as even as possible. With SINGLE, each rank is a
     * set. Takes time linear in the number of ranks, plus sorting.
     *
     * @param failureGroups label of every world rank
     * @return world ranks of every set, ascending; sets in the order of their first ranks
     */
    public List<List<Integer>> sets(List<String> failureGroups) {
        if (failureGroups.isEmpty()) {
            throw new IllegalArgumentException("there must be at least one rank");
        }
        Map<String, Integer> seen = new HashMap<>();
        List<List<Integer>> across = new ArrayList<>();
        for (int worldRank = 0; worldRank < failureGroups.size(); worldRank++) {
            String label = scheme instanceof Scheme.Single ? "" : failureGroups.get(worldRank);
            int index = seen.merge(label, 1, Integer::sum) - 1;
            if (index == across.size()) {
                across.add(new ArrayList<>());
            }
            across.get(index).add(worldRank);
        }
        List<List<Integer>> sets = new ArrayList<>();
        across.forEach(ranks -> cut(ranks, sets));
        // Not by a comparator of parts, for which the JVM would generate classes in a job's first call.
        sets.sort((left, right) -> Integer.compare(left.get(0), right.get(0)));
        return sets;
    }

    private void cut(List<Integer> across, List<List<Integer>> sets) {
        int ranks = across.size();
        int count = ranks / setSize;
        int base = count == 0 ? ranks : setSize + (ranks - count * setSize) / count;
        int larger = ranks % base;
        int start = 0;
        for (int set = 0; start < ranks; set++) {
            int end = start + base + (set < larger ? 1 : 0);
            sets.add(List.copyOf(across.subList(start, end)));
            start = end;
        }
    }

    private Scheme schemeOf(List<Integer> members, List<String> labels) {
        try {
            return schemeFor(members.size());
        } catch (IllegalArgumentException unsuitable) {
            throw new IllegalArgumentException("ranks " + members + " form a set of their own, as they are of failure "
                    + "groups " + members.stream().map(labels::get).toList() + ", and " + unsuitable.getMessage()
                    + "; name failure groups that fail independently, or let small sets degrade", unsuitable);
        }
    }

    /**
     * The scheme of a set. A set of {@code p} processes has at most {@code p - 1} replicas or checksums; one process
     * alone has SINGLE.
     *
     * @throws IllegalArgumentException if the set can't have the requested scheme, and no lesser one is allowed or
     *         possible
     */
    public Scheme schemeFor(int ranks) {
        if (degrades && ranks < scheme.smallestSet()) {
            if (ranks == 1) {
                return Scheme.single();
            }
            return scheme instanceof Scheme.Coded ? Scheme.rs(ranks - 1) : Scheme.partner(ranks - 1);
        }
        scheme.checkSetOf(ranks);
        return scheme;
    }

    /** Logs a warning if the set of a rank is too small for the scheme and has a lesser one. */
    public void warnOf(Descriptor place) {
        if (!place.scheme().equals(scheme)) {
            LOG.log(System.Logger.Level.WARNING,
                    "rank {0} is in a set of {1} ranks, too few for {2}: it gets {3}{4}",
                    place.worldRank(), place.ranks(), scheme, place.scheme(),
                    place.ranks() == 1 ? ", and its files can't be rebuilt when they are lost" : "");
        }
    }
}
