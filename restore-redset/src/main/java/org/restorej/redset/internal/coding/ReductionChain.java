package org.restorej.redset.internal.coding;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.erasure.GaloisMatrix;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.format.ChunkLayout;

/**
 * A computation on bytes of the members of a set. Each source sends its bytes to one member, the reducer. The reducer
 * computes all results by one multiplication, and sends its result to every target. Without a matrix there is one
 * source, which is the reducer, and every target gets a copy of its bytes.
 *
 * @param number orders the chains of a set
 * @param bytes length of the bytes of each source and target
 * @param sources members whose bytes are read, in the order of the matrix's columns
 * @param targets members that get a result, in the order of the matrix's rows
 * @param reducer rank of the member that computes; one of the sources or targets
 * @param matrix the coefficients, or null for copies
 */
public record ReductionChain(int number, long bytes, List<Member> sources, List<Member> targets, int reducer,
        @Nullable GaloisMatrix matrix) {
    /**
     * A member of a chain, with its bytes in it.
     *
     * @param rank rank in the set
     * @param extent place of its bytes
     */
    public record Member(int rank, MemberExtent extent) {}

    /** Checks the consistency of the values. */
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

    /** This chain with some of its targets. */
    ReductionChain withTargets(Predicate<Member> wanted) {
        int[] kept = IntStream.range(0, targets.size()).filter(target -> wanted.test(targets.get(target))).toArray();
        return new ReductionChain(number, bytes, sources, IntStream.of(kept).mapToObj(targets::get).toList(), reducer,
                matrix == null
                        ? null
                        : matrix.select(kept, IntStream.range(0, sources.size()).toArray()));
    }

    /**
     * Consecutive bytes of a member, in its logical file or in a section of the payload of its redundancy file. A
     * section is a checksum or a copy, see
     * {@link org.restorej.redset.internal.format.RedundancyHeader#payloadSections}.
     *
     * @param section number of the section, or -1 for the logical file
     * @param start position of the first byte, in the logical file or in the payload
     */
    public record MemberExtent(int section, long start) {
        private static final int LOGICAL_FILE = -1;

        /** An extent in the logical file. */
        public static MemberExtent inFiles(long position) {
            return new MemberExtent(LOGICAL_FILE, position);
        }

        /** A holder's copy of the left neighbour at a distance. It follows the copies of nearer ones. */
        public static MemberExtent ofCopy(SetDescription set, int holder, int distance) {
            long start = 0;
            for (int nearer = 1; nearer < distance; nearer++) {
                start += set.member(Math.floorMod(holder - nearer, set.ranks())).totalBytes();
            }
            return new MemberExtent(distance - 1, start);
        }

        /** The cell of a rank in a row of a coded set with chunks of this size. */
        public static MemberExtent ofCell(long chunkBytes, ChunkLayout layout, int row, int rank) {
            int checksum = layout.checksumAt(row, rank);
            return checksum >= 0
                    ? new MemberExtent(checksum, checksum * chunkBytes)
                    : inFiles(layout.chunkAt(row, rank) * chunkBytes);
        }

        /** Whether it is in the logical file. */
        public boolean isInFiles() {
            return section == LOGICAL_FILE;
        }
    }
}
