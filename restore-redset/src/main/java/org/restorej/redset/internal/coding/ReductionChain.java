package org.restorej.redset.internal.coding;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.erasure.GaloisMatrix;

/**
 * Bytes that members compute together, by passing them on. The first source sends what its own bytes contribute to the
 * results; each further source adds its contribution; the last one sends every target its result. Without a matrix
 * there is one source, and every target gets that source's bytes as they are.
 *
 * @param number orders the chains of a set
 * @param bytes length of the bytes of each source and target
 * @param sources who contributes, in the order of the matrix' columns and of the hops
 * @param targets who gets a result, in the order of the matrix' rows
 * @param matrix the coefficients, or null for copies
 */
public record ReductionChain(int number, long bytes, List<Member> sources, List<Member> targets,
        @Nullable GaloisMatrix matrix) {
    /**
     * A member of a chain, and which of its bytes take part.
     *
     * @param rank rank in the set
     * @param extent where its bytes are
     */
    public record Member(int rank, MemberExtent extent) {}

    /** Checks that the numbers go together. */
    public ReductionChain {
        sources = List.copyOf(sources);
        targets = List.copyOf(targets);
        if (sources.isEmpty() || (matrix == null && sources.size() > 1)) {
            throw new IllegalArgumentException("a copy has one source: sources=" + sources);
        }
        if (matrix != null && (matrix.columns() != sources.size() || matrix.rows() != targets.size())) {
            throw new IllegalArgumentException("the matrix must have a column a source and a row a target: "
                    + matrix.rows() + " x " + matrix.columns() + ", sources=" + sources + ", targets=" + targets);
        }
    }

    /** How many pieces travel together from source to source. */
    public int carriedPieces() {
        return matrix == null ? 1 : targets.size();
    }

    /** Which of the carried pieces is for a target. */
    public int pieceFor(int target) {
        return matrix == null ? 0 : target;
    }
}
