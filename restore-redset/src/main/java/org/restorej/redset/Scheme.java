package org.restorej.redset;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A redundancy scheme: how the ranks of a redundancy set protect one another's files. Immutable values.
 *
 * <p>
 * In a set of {@code p} ranks whose largest logical file has {@code n} bytes, a rank stores, besides its own
 * files:
 * <table>
 * <caption>Cost and fault tolerance of the schemes</caption>
 * <tr><th>scheme</th><th>bytes stored</th><th>ranks that may be lost</th></tr>
 * <tr><td>SINGLE</td><td>0</td><td>none</td></tr>
 * <tr><td>PARTNER, k replicas</td><td>the files of k left neighbours</td><td>any, but not k + 1 in a row</td></tr>
 * <tr><td>XOR</td><td>n / (p - 1)</td><td>1</td></tr>
 * <tr><td>RS, k checksums</td><td>k n / (p - k)</td><td>k</td></tr>
 * </table>
 */
public sealed interface Scheme permits Scheme.Single, Scheme.Partner, Scheme.Coded {
    // equals and hashCode are written out: the JVM generates those of a record at the first call, which would delay the
    // first apply.

    /** No redundancy: files are described, so that they can be found and checked. */
    record Single() implements Scheme {
        @Override
        public String typeName() {
            return "SINGLE";
        }

        @Override
        public int neighbours() {
            return 0;
        }

        @Override
        public boolean canRebuild(BitSet missing, int ranks) {
            return missing.isEmpty();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Single;
        }

        @Override
        public int hashCode() {
            return 1;
        }

        @Override
        public String toString() {
            return typeName();
        }
    }

    /**
     * Complete copies of the files of the left neighbours.
     *
     * @param replicas {@code k}, number of left neighbours whose files a rank keeps, at least 1
     */
    record Partner(int replicas) implements Scheme {
        /** Checks the number. */
        public Partner {
            // A set has one rank more than replicas.
            if (replicas < 1 || replicas == Integer.MAX_VALUE) {
                throw new IllegalArgumentException(
                        "replicas must be in [1, " + (Integer.MAX_VALUE - 1) + "]: replicas=" + replicas);
            }
        }

        @Override
        public String typeName() {
            return "PARTNER";
        }

        @Override
        public int neighbours() {
            return replicas;
        }

        @Override
        public boolean canRebuild(BitSet missing, int ranks) {
            return missing.stream().allMatch(rank -> holderOf(rank, missing, ranks) >= 0);
        }

        /** The nearest right neighbour that is not missing and holds the rank's files, or -1. */
        public int holderOf(int rank, BitSet missing, int ranks) {
            for (int distance = 1; distance <= replicas; distance++) {
                int holder = (rank + distance) % ranks;
                if (!missing.get(holder)) {
                    return holder;
                }
            }
            return -1;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Partner partner && replicas == partner.replicas;
        }

        @Override
        public int hashCode() {
            return replicas;
        }

        @Override
        public String toString() {
            return typeName() + " with " + replicas + (replicas == 1 ? " replica" : " replicas");
        }
    }

    /** Checksums over chunks of the files. Rows of chunks and checksums are distributed over all ranks of a set. */
    sealed interface Coded extends Scheme {
        /** {@code k}, the number of checksums, and of ranks that may be lost. */
        int checksums();

        @Override
        default int neighbours() {
            return checksums();
        }

        @Override
        default boolean canRebuild(BitSet missing, int ranks) {
            return missing.cardinality() <= checksums();
        }
    }

    /** One checksum, the exclusive or. */
    record Xor() implements Coded {
        @Override
        public String typeName() {
            return "XOR";
        }

        @Override
        public int checksums() {
            return 1;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Xor;
        }

        @Override
        public int hashCode() {
            return 2;
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
    record ReedSolomon(int checksums) implements Coded {
        /** Maximum number of ranks plus checksums of a set: the size of the field. */
        private static final int MAX_POINTS = 256;

        /** Checks the number. */
        public ReedSolomon {
            // A set has at least one rank more than checksums, and their sum is at most 256.
            if (checksums < 1 || 2 * checksums + 1 > MAX_POINTS) {
                throw new IllegalArgumentException("checksums must be in [1, 127]: checksums=" + checksums);
            }
        }

        @Override
        public String typeName() {
            return "RS";
        }

        @Override
        public int largestSet() {
            return MAX_POINTS - checksums;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof ReedSolomon rs && checksums == rs.checksums;
        }

        @Override
        public int hashCode() {
            return -checksums;
        }

        @Override
        public String toString() {
            return typeName() + " with " + checksums + (checksums == 1 ? " checksum" : " checksums");
        }
    }

    /** Describes the files, without redundancy. */
    static Scheme single() {
        return new Single();
    }

    /** Copies on {@code replicas} right neighbours. */
    static Scheme partner(int replicas) {
        return new Partner(replicas);
    }

    /** One checksum by exclusive or: any one rank of a set may be lost. */
    static Scheme xor() {
        return new Xor();
    }

    /** Reed-Solomon: any {@code checksums} ranks of a set may be lost. */
    static Scheme rs(int checksums) {
        return new ReedSolomon(checksums);
    }

    /** The name in files: {@code SINGLE}, {@code PARTNER}, {@code XOR} or {@code RS}. */
    String typeName();

    /** {@code L}: number of left neighbours whose file descriptions a rank keeps. */
    int neighbours();

    /**
     * Whether the files of all missing ranks can be rebuilt.
     *
     * @param missing ranks in the set
     * @param ranks number of ranks in the set
     */
    boolean canRebuild(BitSet missing, int ranks);

    /** Minimum number of ranks in a set. */
    default int smallestSet() {
        return neighbours() + 1;
    }

    /** Maximum number of ranks in a set. */
    default int largestSet() {
        return Integer.MAX_VALUE;
    }

    /**
     * Checks that a set of this size can have the scheme.
     *
     * @throws IllegalArgumentException when it can't
     */
    default void checkSetOf(int ranks) {
        if (ranks < smallestSet() || ranks > largestSet()) {
            String most = largestSet() == Integer.MAX_VALUE ? "" : " and at most " + largestSet();
            throw new IllegalArgumentException(
                    this + " needs sets of at least " + smallestSet() + most + " ranks: ranks=" + ranks);
        }
    }
}
