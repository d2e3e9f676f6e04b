package org.restorej.demo.kmeans;

import java.util.Arrays;

/** State of k-means after an iteration: small, and the same on every PE. Immutable, its arrays excepted. */
public final class Clustering {
    private final double[] centres;
    private final long[] sizes;
    private final double inertia;
    private final long assignmentHash;

    /** Takes the arrays over. */
    Clustering(double[] centres, long[] sizes, double inertia, long assignmentHash) {
        this.centres = centres;
        this.sizes = sizes;
        this.inertia = inertia;
        this.assignmentHash = assignmentHash;
    }

    /** Coordinates of the centres, one behind the other: not a copy, not to be changed. */
    double[] centres() {
        return centres;
    }

    /** How many points were nearest to each centre before it moved: not a copy, not to be changed. */
    long[] sizes() {
        return sizes;
    }

    /** Sum of the squared distances of all points to the nearest centre before it moved. */
    public double inertia() {
        return inertia;
    }

    /** Changes with the assignment of any point, and with nothing else. */
    public long assignmentHash() {
        return assignmentHash;
    }

    /** Whether both are the same to the last bit. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Clustering that && Arrays.equals(centres, that.centres)
                && Arrays.equals(sizes, that.sizes) && Double.compare(inertia, that.inertia) == 0
                && assignmentHash == that.assignmentHash;
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(centres) ^ Long.hashCode(assignmentHash);
    }

    @Override
    public String toString() {
        return "inertia " + inertia + ", sizes " + Arrays.toString(sizes);
    }
}
