package org.restorej.redset.internal.sets;

import java.util.ArrayList;
import java.util.List;
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
        RedundancySets sets = RedundancySets.of(scheme, labels, setSize);
        List<Descriptor> places = new ArrayList<>();
        for (int rank = 0; rank < labels.size(); rank++) {
            places.add(sets.descriptor(schemeOf(sets.membersOf(rank), labels), rank));
        }
        return new RankPlaces(places);
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
