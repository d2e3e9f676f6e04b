package org.restorej.storm;

import org.restorej.ReStoreBuilder;

/**
 * How the store of a storm keeps its blocks: replicated, or coded.
 *
 * @param dataParts k, or 1 for replicas
 * @param parityParts m, or one less than the number of replicas
 */
record Redundancy(int dataParts, int parityParts) {
    static Redundancy replication(int replicas) {
        return new Redundancy(1, replicas - 1);
    }

    static Redundancy coded(int dataParts, int parityParts) {
        return new Redundancy(dataParts, parityParts);
    }

    /** The reverse of {@link #toString}. */
    static Redundancy of(String text) {
        String[] parts = text.split("\\+", -1);
        return new Redundancy(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
    }

    private boolean isCoded() {
        return dataParts > 1;
    }

    int parts() {
        return dataParts + parityParts;
    }

    ReStoreBuilder addTo(ReStoreBuilder builder) {
        return isCoded() ? builder.coded(dataParts, parityParts) : builder.replication(parts());
    }

    /**
     * How many of those alive may die at once. There are as many replicas as PEs, where that is less than K, and one of
     * them must be left. Coded blocks have all their parts, so that some PEs have several.
     */
    int bearableFailures(int alive) {
        return isCoded() ? parityParts / Math.ceilDiv(parts(), alive) : Math.min(parts(), alive) - 1;
    }

    /**
     * How many blocks are stored of so many, those included that the last row of a code lacks.
     *
     * @param rowBlocks length of a permutation range, which is a row of a code
     */
    long storedBlocks(long blocks, long rowBlocks, int alive) {
        return isCoded()
                ? Math.ceilDiv(blocks, rowBlocks) * rowBlocks / dataParts * parts()
                : blocks * Math.min(parts(), alive);
    }

    /** As {@code bin/restore plan --coded} has it. */
    @Override
    public String toString() {
        return dataParts + "+" + parityParts;
    }
}
