package org.restorej.redset.internal.protocol;

import java.util.ArrayList;
import java.util.List;

/**
 * What a member does with each piece of a strand: as a source, receive the partial results from the left, add its own
 * part, and send them on to the right; as a target, receive the result.
 *
 * @param strand the strand
 * @param step number of members that have had the piece before; targets come after all sources
 * @param station index among the sources or among the targets
 */
public record Turn(Strand strand, int step, int station) {
    static Turn ofSource(Strand strand, int source) {
        return new Turn(strand, source, source);
    }

    static Turn ofTarget(Strand strand, int target) {
        return new Turn(strand, strand.sources().size(), target);
    }

    /** Whether the member adds its own part; otherwise it gets the result. */
    public boolean isSource() {
        return step < strand.sources().size();
    }

    /** The member whose turn it is, and its place. */
    public Station own() {
        return isSource() ? strand.sources().get(station) : strand.targets().get(station);
    }

    /** Rank that the piece comes from, or -1 when it begins here. */
    public int receivesFrom() {
        return step == 0 ? -1 : strand.sources().get(step - 1).rank();
    }

    /** Pieces received together. */
    public int receivedPieces() {
        return isSource() ? strand.carriedPieces() : 1;
    }

    /** Whether the member is the last source, which delivers the results. */
    public boolean delivers() {
        return step == strand.sources().size() - 1;
    }

    /** A message that a member sends in its turn. */
    public record Outgoing(int receiver, int firstPiece, int pieces) {}

    /** Where the pieces go: all of them to the next source, or each to its target. */
    public List<Outgoing> outgoing() {
        if (!isSource()) {
            return List.of();
        }
        if (!delivers()) {
            return List.of(new Outgoing(strand.sources().get(step + 1).rank(), 0, strand.carriedPieces()));
        }
        List<Outgoing> delivered = new ArrayList<>();
        for (int target = 0; target < strand.targets().size(); target++) {
            delivered.add(new Outgoing(strand.targets().get(target).rank(), strand.pieceFor(target), 1));
        }
        return delivered;
    }
}
