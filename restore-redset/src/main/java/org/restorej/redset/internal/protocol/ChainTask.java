package org.restorej.redset.internal.protocol;

import java.util.ArrayList;
import java.util.List;
import org.restorej.redset.internal.coding.ReductionChain;

/**
 * What one member does with each piece of a chain. A source receives the partial results from the source before it,
 * adds its own contribution and sends them on; a target receives its result.
 *
 * @param chain the chain
 * @param hop number of members that have had the piece before; all targets come after the last source
 * @param index of the member among the sources or among the targets
 */
public record ChainTask(ReductionChain chain, int hop, int index) {
    static ChainTask ofSource(ReductionChain chain, int source) {
        return new ChainTask(chain, source, source);
    }

    static ChainTask ofTarget(ReductionChain chain, int target) {
        return new ChainTask(chain, chain.sources().size(), target);
    }

    /** Whether the member is a source; otherwise it is a target. */
    public boolean isSource() {
        return hop < chain.sources().size();
    }

    /** The member whose task it is. */
    public ReductionChain.Member member() {
        return isSource() ? chain.sources().get(index) : chain.targets().get(index);
    }

    /** Rank that the piece comes from, or -1 for the first source. */
    public int receivesFrom() {
        return hop == 0 ? -1 : chain.sources().get(hop - 1).rank();
    }

    /** Pieces received together. */
    public int receivedPieces() {
        return isSource() ? chain.carriedPieces() : 1;
    }

    /** A message of this task: consecutive pieces of those that the member has, and who gets them. */
    public record Outgoing(int receiver, int firstPiece, int pieces) {}

    /** Where the pieces go: all of them to the next source, or each to its target. */
    public List<Outgoing> outgoing() {
        if (!isSource()) {
            return List.of();
        }
        if (hop < chain.sources().size() - 1) {
            return List.of(new Outgoing(chain.sources().get(hop + 1).rank(), 0, chain.carriedPieces()));
        }
        List<Outgoing> results = new ArrayList<>();
        for (int target = 0; target < chain.targets().size(); target++) {
            results.add(new Outgoing(chain.targets().get(target).rank(), chain.pieceFor(target), 1));
        }
        return results;
    }
}
