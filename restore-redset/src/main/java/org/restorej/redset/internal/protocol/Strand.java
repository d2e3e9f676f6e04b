package org.restorej.redset.internal.protocol;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.erasure.GaloisMatrix;

/**
 * A run of bytes that members compute together. Partial results travel from source to source, each adds what its own
 * bytes contribute, and the last one delivers to every target what is its own. Without a matrix there is one source,
 * whose bytes every target gets as they are.
 *
 * @param index number of the strand; orders strands where nothing else does
 * @param bytes length of the bytes of each source and target
 * @param sources who contributes, in the order of the matrix' columns and of the way
 * @param targets who gets a result, in the order of the matrix' rows
 * @param matrix the coefficients, or null for copies
 */
public record Strand(int index, long bytes, List<Station> sources, List<Station> targets,
        @Nullable GaloisMatrix matrix) {
    /** Checks that the numbers go together. */
    public Strand {
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
