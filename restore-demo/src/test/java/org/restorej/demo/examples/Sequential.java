package org.restorej.demo.examples;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.restorej.block.BlockRanges;
import org.restorej.demo.examples.Flock.Bird;

/** The same computations as the examples, by one thread, without any library. */
final class Sequential {
    private Sequential() {}

    static double[] heat(double precision) {
        int size = Heat.SIZE;
        double[][] plate = new double[size + 2][size + 2];
        Arrays.fill(plate[0], 100);
        double change;
        do {
            double[][] before = Arrays.stream(plate).map(double[]::clone).toArray(double[][]::new);
            change = 0;
            for (int y = 1; y <= size; y++) {
                for (int x = 1; x <= size; x++) {
                    plate[y][x] = (before[y - 1][x] + before[y + 1][x] + before[y][x - 1] + before[y][x + 1]) / 4;
                    change = Math.max(change, Math.abs(plate[y][x] - before[y][x]));
                }
            }
        } while (change > precision);
        return IntStream.range(0, size * size).mapToDouble(i -> plate[i / size + 1][i % size + 1]).toArray();
    }

    static List<Bird> flock(int iterations) {
        List<Bird> birds = new ArrayList<>(
                LongStream.range(0, Flock.CELLS).boxed().flatMap(cell -> Flock.initial(cell).stream()).toList());
        for (int iteration = 0; iteration < iterations; iteration++) {
            birds.sort(Comparator.comparingLong(Bird::id));
            Map<Long, List<Bird>> cells = birds.stream().collect(Collectors.groupingBy(Bird::cell));
            birds.replaceAll(bird -> {
                List<Bird> others = Objects.requireNonNull(cells.get(bird.cell()));
                return bird.next(others.stream().mapToDouble(Bird::dx).sum() / others.size(),
                        others.stream().mapToDouble(Bird::dy).sum() / others.size());
            });
        }
        birds.sort(Comparator.comparingLong(Bird::id));
        return birds;
    }

    static Map<String, Integer> kmers() {
        Map<String, Integer> counts = new TreeMap<>();
        for (long id = 0; id < Kmers.READS; id++) {
            String read = Kmers.read(id);
            for (int at = 0; at + Kmers.K <= read.length(); at++) {
                counts.merge(read.substring(at, at + Kmers.K), 1, Integer::sum);
            }
        }
        return counts;
    }

    static double[] kMeans(int iterations) {
        double[] points = KMeans.points(BlockRanges.of(0, KMeans.POINTS));
        double[] centres = Arrays.copyOf(points, KMeans.CLUSTERS * KMeans.DIMENSIONS);
        for (int iteration = 0; iteration < iterations; iteration++) {
            double[] before = centres.clone();
            for (int i = 0; i < centres.length; i++) {
                int cluster = i / KMeans.DIMENSIONS;
                int dimension = i % KMeans.DIMENSIONS;
                double[] own = IntStream.range(0, KMeans.POINTS)
                        .filter(point -> KMeans.nearest(points, point * KMeans.DIMENSIONS, before) == cluster)
                        .mapToDouble(point -> points[point * KMeans.DIMENSIONS + dimension]).toArray();
                centres[i] = own.length == 0 ? before[i] : exactSum(own) / own.length;
            }
        }
        return centres;
    }

    static double[] pageRank(int iterations) {
        PageRank.Graph graph = PageRank.Graph.of(PageRank.WIKIPEDIA);
        int[] ends = graph.ends();
        int vertices = graph.names().size();
        long[] degrees = new long[vertices];
        for (int edge = 0; edge < ends.length; edge += 2) {
            degrees[ends[edge]]++;
        }
        double[] ranks = new double[vertices];
        Arrays.fill(ranks, 1.0 / vertices);
        for (int iteration = 0; iteration < iterations; iteration++) {
            double[] before = ranks.clone();
            double dangling = IntStream.range(0, vertices).filter(vertex -> degrees[vertex] == 0)
                    .mapToDouble(vertex -> before[vertex]).reduce(0, Double::sum);
            for (int vertex = 0; vertex < vertices; vertex++) {
                int to = vertex;
                double[] incoming = IntStream.range(0, graph.edges()).filter(edge -> ends[2 * edge + 1] == to)
                        .mapToDouble(edge -> before[ends[2 * edge]] / degrees[ends[2 * edge]]).toArray();
                ranks[vertex] = (1 - PageRank.DAMPING + PageRank.DAMPING * dangling) / vertices
                        + PageRank.DAMPING * exactSum(incoming);
            }
        }
        return ranks;
    }

    /** Rounded once, as the library's sums are. */
    private static double exactSum(double[] terms) {
        return Arrays.stream(terms).mapToObj(BigDecimal::new).reduce(BigDecimal.ZERO, BigDecimal::add).doubleValue();
    }
}
