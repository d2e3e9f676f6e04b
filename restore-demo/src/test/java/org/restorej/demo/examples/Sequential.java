package org.restorej.demo.examples;

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
}
