package org.restorej.redset.internal.protocol;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.restorej.redset.Scheme;
import org.restorej.redset.SmallSets;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.sets.RedundancySets;

/**
 * How the application wants its files protected. All but the failure group is the same on all ranks.
 *
 * @param scheme redundancy scheme
 * @param setSize least number of processes in a set
 * @param smallSets what becomes of sets that are too small
 * @param failureGroup what this process shares with those that it fails together with
 */
public record SetWish(Scheme scheme, int setSize, SmallSets smallSets, String failureGroup) {
    private static final System.Logger LOG = System.getLogger(SetWish.class.getName());
    /** Not in the text of any scheme; a label may hold it, as it comes last. */
    private static final String SEPARATOR = "/";

    /** Checks the number. */
    public SetWish {
        if (setSize < 1) {
            throw new IllegalArgumentException("setSize must be at least 1: setSize=" + setSize);
        }
    }

    private String common() {
        return scheme + SEPARATOR + setSize + SEPARATOR + smallSets + SEPARATOR;
    }

    byte[] encode() {
        return (common() + failureGroup).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The place of every rank, from the wishes of all. All ranks come to the same, errors included.
     *
     * @param wishes of all ranks, as encoded
     * @throws IllegalArgumentException when the wishes differ, or a set can't have the scheme
     */
    List<Descriptor> places(List<byte[]> wishes) {
        List<String> labels = new ArrayList<>();
        String first = new String(wishes.get(0), StandardCharsets.UTF_8);
        for (int rank = 0; rank < wishes.size(); rank++) {
            String wish = new String(wishes.get(rank), StandardCharsets.UTF_8);
            String theirs = common(wish);
            if (!theirs.equals(common(first))) {
                throw new IllegalArgumentException("all ranks must wish for the same scheme, set size and treatment of "
                        + "small sets: rank 0 " + common(first) + ", rank " + rank + " " + theirs);
            }
            labels.add(wish.substring(theirs.length()));
        }
        RedundancySets sets = RedundancySets.of(scheme, labels, setSize);
        List<Descriptor> places = new ArrayList<>();
        for (int rank = 0; rank < labels.size(); rank++) {
            places.add(sets.descriptor(schemeOf(sets.members(sets.setOf(rank)), labels), rank));
        }
        return places;
    }

    private static String common(String wish) {
        int end = -1;
        for (int separator = 0; separator < 3; separator++) {
            end = wish.indexOf(SEPARATOR, end + 1);
        }
        return wish.substring(0, end + 1);
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

    /** Says so when a rank gets less than was wished for. */
    void warnOf(Descriptor place) {
        if (!place.scheme().equals(scheme)) {
            LOG.log(System.Logger.Level.WARNING,
                    "rank {0} is in a set of {1} processes, too few for {2}: it gets {3}{4}",
                    place.worldRank(), place.ranks(), scheme, place.scheme(),
                    place.ranks() == 1 ? ", and its files can't be rebuilt when they are lost" : "");
        }
    }
}
