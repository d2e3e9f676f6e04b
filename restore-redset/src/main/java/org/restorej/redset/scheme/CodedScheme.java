package org.restorej.redset.scheme;

import java.util.BitSet;
import org.restorej.redset.erasure.GaloisMatrix;

/** A scheme of checksums over chunks of the files, laid out by {@link CodedLayout}. */
public sealed interface CodedScheme extends Scheme {
    /** One checksum, the exclusive or. */
    record Xor() implements CodedScheme {
        @Override
        public String typeName() {
            return "XOR";
        }

        @Override
        public int checksums() {
            return 1;
        }

        @Override
        public GaloisMatrix parity(int ranks) {
            return GaloisMatrix.parityOfOnes(ranks);
        }

        @Override
        public String toString() {
            return typeName();
        }
    }

    /**
     * Reed-Solomon checksums.
     *
     * @param checksums {@code k}, 1 to 127
     */
    record ReedSolomon(int checksums) implements CodedScheme {
        /** Processes and checksums of a set together: the field has no more elements. */
        private static final int MOST_POINTS = 256;

        /** Checks the number. */
        public ReedSolomon {
            // A set has at least one process more than checksums, and both together are at most 256.
            if (checksums < 1 || 2 * checksums + 1 > MOST_POINTS) {
                throw new IllegalArgumentException("checksums must be in [1, 127]: checksums=" + checksums);
            }
        }

        @Override
        public String typeName() {
            return "RS";
        }

        @Override
        public int largestSet() {
            return MOST_POINTS - checksums;
        }

        @Override
        public GaloisMatrix parity(int ranks) {
            return GaloisMatrix.reedSolomon(ranks, checksums);
        }

        @Override
        public String toString() {
            return typeName() + " with " + checksums + (checksums == 1 ? " checksum" : " checksums");
        }
    }

    /** {@code k}, number of checksums, and of processes that may be lost. */
    int checksums();

    /** The coefficients: one row a checksum, one column a rank of the set. */
    GaloisMatrix parity(int ranks);

    @Override
    default int neighbours() {
        return checksums();
    }

    @Override
    default boolean canRebuild(BitSet missing, int ranks) {
        return missing.cardinality() <= checksums();
    }

    /** Where chunks and checksums of a set are. */
    default CodedLayout layout(int ranks) {
        checkSetOf(ranks);
        return new CodedLayout(ranks, checksums());
    }
}
