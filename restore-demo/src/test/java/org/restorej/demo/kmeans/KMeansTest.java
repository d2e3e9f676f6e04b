package org.restorej.demo.kmeans;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.cli.command.Redundancy;
import org.restorej.comm.Communicator;
import org.restorej.demo.run.DrillOutcome;
import org.restorej.demo.run.Drills;
import org.restorej.demo.run.PeTask;
import org.restorej.demo.run.Progress;
import org.restorej.demo.run.RecoverySummary;

class KMeansTest {
    private static final PointCloud CLOUD = new PointCloud(500, 7, 5, 1);
    private static final int CLUSTERS = 6;
    private static final int ITERATIONS = 5;

    private static Function<Communicator, PeTask<DrillOutcome<Clustering>>> task(PointCloud cloud, int clusters,
            int replication, String failures) {
        KMeansSettings settings = new KMeansSettings(cloud, clusters, ITERATIONS, Redundancy.copies(replication),
                Drills.failures(failures));
        return world -> new KMeans(world, settings, Progress.SILENT);
    }

    /** Lloyd's algorithm as it is in textbooks: one process, sums of doubles. */
    private static Clustering textbook(PointCloud cloud, int clusters) {
        int points = (int) cloud.points();
        int dimensions = cloud.dimensions();
        double[] all = cloud.rows(BlockRanges.of(0, points));
        double[][] centres = new double[clusters][dimensions];
        for (int cluster = 0; cluster < clusters; cluster++) {
            System.arraycopy(all, points * cluster / clusters * dimensions, centres[cluster], 0, dimensions);
        }
        long[] sizes = new long[clusters];
        double inertia = 0;
        long hash = 0;
        for (int iteration = 0; iteration < ITERATIONS; iteration++) {
            double[][] sums = new double[clusters][dimensions];
            sizes = new long[clusters];
            inertia = 0;
            hash = 0;
            for (int point = 0; point < points; point++) {
                double[] distances = new double[clusters];
                int nearest = 0;
                for (int cluster = 0; cluster < clusters; cluster++) {
                    for (int d = 0; d < dimensions; d++) {
                        distances[cluster] += Math.pow(all[point * dimensions + d] - centres[cluster][d], 2);
                    }
                    nearest = distances[cluster] < distances[nearest] ? cluster : nearest;
                }
                for (int d = 0; d < dimensions; d++) {
                    sums[nearest][d] += all[point * dimensions + d];
                }
                sizes[nearest]++;
                inertia += distances[nearest];
                hash += ClusterSums.hash(point, nearest);
            }
            for (int slot = 0; slot < clusters * dimensions; slot++) {
                if (sizes[slot / dimensions] > 0) {
                    centres[slot / dimensions][slot % dimensions] = sums[slot / dimensions][slot % dimensions]
                            / sizes[slot / dimensions];
                }
            }
        }
        double[] flat = Arrays.stream(centres).flatMapToDouble(Arrays::stream).toArray();
        return new Clustering(flat, sizes, inertia, hash);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, ''", "3, 3, ''", "3, 3, '0@1,2@3'", "8, 3, '2@2,6@3'", "8, 3, '0@1,7@1,3@2,4@5'", "5, 2, '4@5'"})
    void clustersAsTheTextbookWhoeverFails(int pes, int replication, String failures) {
        Clustering expected = textbook(CLOUD, CLUSTERS);
        Clustering actual = Drills.survived(pes, failures, task(CLOUD, CLUSTERS, replication, failures));
        assertArrayEquals(expected.sizes(), actual.sizes());
        assertEquals(expected.assignmentHash(), actual.assignmentHash());
        assertArrayEquals(expected.centres(), actual.centres(), 1e-12);
        // Each point's distance is rounded to a multiple of 2^-16.
        assertEquals(expected.inertia(), actual.inertia(), CLOUD.points() * Math.scalb(1, -17));
    }

    @Test
    void isTheSameToTheLastBitOnAnyNumberOfPes() {
        Clustering alone = Drills.survived(1, "", task(CLOUD, CLUSTERS, 1, ""));
        for (int pes : new int[]{2, 3, 8}) {
            assertEquals(alone, Drills.survived(pes, "", task(CLOUD, CLUSTERS, 2, "")), pes + " PEs");
        }
        PointCloud other = new PointCloud(500, 7, 5, 2);
        assertNotEquals(alone, Drills.survived(2, "", task(other, CLUSTERS, 2, "")), "another seed");
    }

    @Test
    void movesCentresToTheMeansOfTheirPoints() {
        // Points 1, 2, 6, 9 on a line; centres at 0 and 8, and one that is nearest to none.
        ClusterSums sums = new ClusterSums(3, 1);
        sums.add(BlockRanges.of(BlockRange.of(10, 3), BlockRange.of(20, 1)), new double[]{1, 2, 6, 9},
                new double[]{0, 8, 100});
        Clustering moved = sums.moved(new double[]{0, 8, 100});
        assertArrayEquals(new double[]{1.5, 7.5, 100}, moved.centres());
        assertArrayEquals(new long[]{2, 2, 0}, moved.sizes());
        assertEquals(1 + 4 + 4 + 1, moved.inertia());
        assertEquals(ClusterSums.hash(10, 0) + ClusterSums.hash(11, 0) + ClusterSums.hash(12, 1)
                + ClusterSums.hash(20, 1), moved.assignmentHash());
    }

    @Test
    void pullsThePointsOfTheDeadAndNothingElse() {
        DrillOutcome<Clustering> outcome = Drills.run(4, task(CLOUD, CLUSTERS, 3, "1@2,3@4"));
        assertEquals(List.of(125L, 166L),
                outcome.recoveries().stream().map(RecoverySummary::pulledBlocks).toList());
        assertEquals(List.of(125L * 56, 166L * 56),
                outcome.recoveries().stream().map(RecoverySummary::pulledBytes).toList());
        DrillOutcome.Times times = assertInstanceOf(DrillOutcome.Finished.class, outcome).times();
        assertTrue(times.plainNanos() > 0 && times.submitNanos() > 0);
        assertTrue(times.iterationNanos() > outcome.recoveries().getFirst().phaseNanos().values().stream()
                .mapToLong(Long::longValue).max().orElseThrow());
    }

    @Test
    void worksWithMorePesThanPoints() {
        PointCloud few = new PointCloud(4, 2, 2, 1);
        Clustering actual = Drills.survived(7, "0@1,5@2", task(few, 2, 3, "0@1,5@2"));
        assertArrayEquals(textbook(few, 2).sizes(), actual.sizes());
    }

    @Test
    void namesPointsWhoseHoldersAreAllDead() {
        DrillOutcome<Clustering> outcome = Drills.run(4, task(CLOUD, CLUSTERS, 2, "1@3,3@3"));
        DrillOutcome.BlocksLost<?> lost = assertInstanceOf(DrillOutcome.BlocksLost.class, outcome);
        assertEquals(3, lost.iteration());
        assertEquals(List.of(1, 3), lost.failedRanks());
        // With K = 2 of 4, ranges 1 and 3 are on PEs 1 and 3 only.
        assertEquals(250, lost.lostBlocks().blockCount());
        assertEquals(1, lost.exitCode());
    }

    @Test
    void overheadIsWhatStoreAndFailuresCost() {
        assertEquals(0.25, new DrillOutcome.Times(1000, 50, 1200).overhead());
    }
}
