package org.restorej.redset.internal.sets;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.restorej.redset.Scheme;
import org.restorej.redset.SmallSets;
import org.restorej.redset.internal.format.Descriptor;

/**
 * How the application has asked for its files to be protected. All but the failure group is the same on all ranks.
 *
 * @param scheme redundancy scheme
 * @param setSize least number of processes in a set
 * @param smallSets what becomes of sets that are too small
 * @param failureGroup what this process shares with those that it fails together with
 */
public record ProtectionSettings(Scheme scheme, int setSize, SmallSets smallSets, String failureGroup) {
    private static final System.Logger LOG = System.getLogger(ProtectionSettings.class.getName());
    /** Not in the text of any scheme; a label may hold it, as it comes last. */
    private static final String SEPARATOR = "/";

    /** Checks the number. */
    public ProtectionSettings {
        if (setSize < 1) {
            throw new IllegalArgumentException("setSize must be at least 1: setSize=" + setSize);
        }
    }

    private String common() {
        return scheme + SEPARATOR + setSize + SEPARATOR + smallSets + SEPARATOR;
    }

    /** The settings as bytes, for the other ranks. */
    public byte[] encode() {
        return (common() + failureGroup).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Chooses the place of every rank, from the settings of all. All ranks compute the same, errors included.
     *
     * @param encoded settings of all ranks, by rank
     * @throws IllegalArgumentException when the settings differ, or a set can't have the scheme
     */
    public RankPlaces places(List<byte[]> encoded) {
        List<String> labels = new ArrayList<>();
        String first = new String(encoded.get(0), StandardCharsets.UTF_8);
        for (int rank = 0; rank < encoded.size(); rank++) {
            String other = new String(encoded.get(rank), StandardCharsets.UTF_8);
            String theirs = common(other);
            if (!theirs.equals(common(first))) {
                throw new IllegalArgumentException("all ranks must wish for the same scheme, set size and treatment of "
                        + "small sets: rank 0 " + common(first) + ", rank " + rank + " " + theirs);
            }
            labels.add(other.substring(theirs.length()));
        }
        RedundancySets sets = RedundancySets.of(scheme, labels, setSize);
        List<Descriptor> places = new ArrayList<>();
        for (int rank = 0; rank < labels.size(); rank++) {
            places.add(sets.descriptor(schemeOf(sets.membersOf(rank), labels), rank));
        }
        return new RankPlaces(places);
    }

    private static String common(String settings) {
        int end = -1;
        for (int separator = 0; separator < 3; separator++) {
            end = settings.indexOf(SEPARATOR, end + 1);
        }
        return settings.substring(0, end + 1);
    }

    private Scheme schemeOf(List<Integer> members, List<String> labels) {
        try {
            return smallSets.schemeFor(scheme, members.size());
        } catch (IllegalArgumentException unsuitable) {
            throw new IllegalArgumentException("ranks " + members + " form a set of their own, as they are of failure "
                    + "groups " + members.stream().map(labels::get).toList() + ", and " + unsuitable.getMessage()
                    + "; name failure groups that fail independently, or let small sets degrade", unsuitable);
        }
    }

    /** Logs a warning when the set of a rank is too small for the scheme, and gets less. */
    public void warnOf(Descriptor place) {
        if (!place.scheme().equals(scheme)) {
            LOG.log(System.Logger.Level.WARNING,
                    "rank {0} is in a set of {1} processes, too few for {2}: it gets {3}{4}",
                    place.worldRank(), place.ranks(), scheme, place.scheme(),
                    place.ranks() == 1 ? ", and its files can't be rebuilt when they are lost" : "");
        }
    }
}
