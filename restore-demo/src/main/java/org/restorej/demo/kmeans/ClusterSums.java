package org.restorej.demo.kmeans;

import java.util.Arrays;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.demo.run.FixedPoint;

/**
 * What one iteration sums over points: coordinates and numbers by nearest centre, squared distances, a hash of the
 * assignment. All of them are whole numbers, so that it does not matter which PE has which point.
 */
final class ClusterSums {
    private static final FixedPoint DISTANCE = new FixedPoint(16);

    private final int clusters;
    private final int dimensions;
    /** Sums of coordinates by cluster; then sizes; then the inertia and the hash. */
    private final long[] sums;

    ClusterSums(int clusters, int dimensions) {
        this.clusters = clusters;
        this.dimensions = dimensions;
        sums = new long[clusters * dimensions + clusters + 2];
    }

    /** The numbers, to be added up over PEs in place. */
    long[] values() {
        return sums;
    }

    /** Adds points with these numbers. */
    void add(BlockRanges numbers, double[] points, double[] centres) {
        int point = 0;
        for (BlockRange run : numbers.runs()) {
            for (long number = run.first(); number < run.end(); number++) {
                add(number, points, point, centres);
                point += dimensions;
            }
        }
    }

    private void add(long number, double[] points, int point, double[] centres) {
        int nearest = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int cluster = 0; cluster < clusters; cluster++) {
            double distance = squaredDistance(points, point, centres, cluster * dimensions);
            if (distance < least) {
                least = distance;
                nearest = cluster;
            }
        }
        for (int dimension = 0; dimension < dimensions; dimension++) {
            sums[nearest * dimensions + dimension] += PointCloud.COORDINATE.of(points[point + dimension]);
        }
        sums[clusters * dimensions + nearest]++;
        sums[sums.length - 2] += DISTANCE.of(least);
        sums[sums.length - 1] += hash(number, nearest);
    }

    private double squaredDistance(double[] points, int point, double[] centres, int centre) {
        double sum = 0;
        for (int dimension = 0; dimension < dimensions; dimension++) {
            double difference = points[point + dimension] - centres[centre + dimension];
            sum += difference * difference;
        }
        return sum;
    }

    static long hash(long number, int cluster) {
        long mixed = (number * 0x9E3779B97F4A7C15L + cluster) * 0xBF58476D1CE4E5B9L;
        return (mixed ^ (mixed >>> 31)) * 0x94D049BB133111EBL;
    }

    /** Moves each centre to the mean of its points; one that has none stays. */
    Clustering moved(double[] before) {
        double[] centres = before.clone();
        long[] sizes = Arrays.copyOfRange(sums, clusters * dimensions, clusters * dimensions + clusters);
        for (int slot = 0; slot < centres.length; slot++) {
            long size = sizes[slot / dimensions];
            if (size > 0) {
                centres[slot] = PointCloud.COORDINATE.value(sums[slot]) / size;
            }
        }
        return new Clustering(centres, sizes, DISTANCE.value(sums[sums.length - 2]), sums[sums.length - 1]);
    }
}
