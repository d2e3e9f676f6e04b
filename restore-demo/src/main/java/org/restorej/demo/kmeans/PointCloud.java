package org.restorej.demo.kmeans;

import java.util.SplittableRandom;
import org.restorej.block.BlockRanges;
import org.restorej.demo.run.FixedPoint;

/**
 * Points around some centres, each a function of its number and a seed alone, so that every PE can make its own.
 *
 * @param points how many
 * @param dimensions coordinates of a point
 * @param centres around how many centres they lie
 * @param seed chooses centres and points
 */
public record PointCloud(long points, int dimensions, int centres, long seed) {
    /** Coordinates have so many binary digits behind the point, so that sums of them are exact. */
    static final FixedPoint COORDINATE = new FixedPoint(20);

    /** Centres are in a cube from minus this to this. */
    private static final double CUBE = 8;

    /** Standard deviation around a centre: wide enough that neighbouring clouds touch, and the iterations have work. */
    private static final double SPREAD = 4;

    /** Tells the random numbers of centres from those of points. */
    private static final long CENTRES_SALT = 0x9E3779B97F4A7C15L;

    /** The points of some numbers, one behind the other. */
    double[] rows(BlockRanges numbers) {
        double[] coordinates = new double[Math.toIntExact(numbers.blockCount() * dimensions)];
        int next = 0;
        for (int run = 0; run < numbers.runCount(); run++) {
            for (long number = numbers.runFirst(run); number < numbers.runEnd(run); number++) {
                write(number, coordinates, next);
                next += dimensions;
            }
        }
        return coordinates;
    }

    private void write(long number, double[] coordinates, int first) {
        SplittableRandom random = new SplittableRandom(mixed(number));
        SplittableRandom centre = new SplittableRandom(mixed(random.nextInt(centres)) ^ CENTRES_SALT);
        for (int dimension = 0; dimension < dimensions; dimension++) {
            double exact = centre.nextDouble(-CUBE, CUBE) + SPREAD * random.nextGaussian();
            coordinates[first + dimension] = COORDINATE.value(COORDINATE.of(exact));
        }
    }

    private long mixed(long number) {
        return (number * 0xBF58476D1CE4E5B9L + seed) * 0x94D049BB133111EBL;
    }
}
