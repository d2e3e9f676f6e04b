package org.restorej.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What the number of ring points {@code g} costs and gains, as Markdown tables on standard output: balance of the
 * replicas made anew against the likelihood that further deaths lose something. Computed from the placement alone, the
 * same in every run; no communication and no clock. {@code docs/replenish.md} has the tables and what follows from
 * them.
 */
public final class RingPointsReport {
    private static final int[] RING_POINTS = {1, 2, 4, 8, 16, 32, 64, 128, 256};
    private static final int[] PE_COUNTS = {8, 64, 1024, 10_000};
    private static final int[] REPLICATIONS = {3, 4};
    /** Each is another ring and other failures. */
    private static final int SEEDS = 8;
    /** Of further deaths, for each seed: 4,000 for a number in the table, which so has an error of 0.8 % at 50 %. */
    private static final int TRIALS = 500;

    private RingPointsReport() {}

    /**
     * One line of a table.
     *
     * @param furtherDeaths PEs that die at once after the replenishment: one in fifty, but more than K
     */
    private record Case(int replication, int peCount, int failures, int furtherDeaths) {}

    /** Medians, or sums, over the seeds, for one case and one g. */
    private record Cell(double imbalance, double growth, double copysets, double lossProbability) {}

    /** Writes the tables. */
    public static void main(String[] args) {
        List<Case> cases = cases();
        List<List<Cell>> cells = cases.stream().map(RingPointsReport::cells).toList();
        print("Heaviest survivor's extra replicas, against the mean of all survivors", cases, cells,
                cell -> format(cell.imbalance, 1, ""));
        print("Growth of the heaviest survivor's memory, in per cent of what it had", cases, cells,
                cell -> format(100 * cell.growth, 1, " %"));
        print("Distinct copysets: sets of K PEs that must not die together", cases, cells,
                cell -> String.format(Locale.ROOT, "%,.0f", cell.copysets));
        print("Probability that `s` further deaths at once lose something", cases, cells,
                cell -> cell.lossProbability == 0 ? "0" : format(100 * cell.lossProbability, 2, " %"));
    }

    private static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (int replication : REPLICATIONS) {
            for (int peCount : PE_COUNTS) {
                IntStream.of(1, peCount / 100, peCount / 10).filter(failures -> failures > 0).distinct()
                        .forEach(failures -> cases.add(new Case(replication, peCount, failures,
                                Math.max(replication + 1, peCount / 50))));
            }
        }
        return cases;
    }

    private static List<Cell> cells(Case of) {
        return IntStream.of(RING_POINTS).mapToObj(ringPoints -> cell(of, ringPoints)).toList();
    }

    private static Cell cell(Case of, int ringPoints) {
        double[] imbalances = new double[SEEDS];
        double[] growths = new double[SEEDS];
        double[] copysets = new double[SEEDS];
        int losses = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            HealedPlacement healed = new HealedPlacement(of.peCount, of.replication, of.failures, ringPoints, seed);
            imbalances[seed] = healed.imbalance();
            growths[seed] = healed.growth();
            copysets[seed] = healed.copysets();
            losses += healed.losses(of.furtherDeaths, TRIALS, new Random(seed));
        }
        return new Cell(median(imbalances), median(growths), median(copysets), (double) losses / (SEEDS * TRIALS));
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return (values[(values.length - 1) / 2] + values[values.length / 2]) / 2;
    }

    private static String format(double value, int decimals, String unit) {
        return String.format(Locale.ROOT, "%." + decimals + "f%s", value, unit);
    }

    private static void print(String title, List<Case> cases, List<List<Cell>> cells,
            ToText text) {
        System.out.println("### " + title + "\n");
        System.out.println(IntStream.of(RING_POINTS).mapToObj(g -> " g = " + g + " |")
                .collect(Collectors.joining("", "| K | P | f | s |", "")));
        System.out.println("|" + " ---: |".repeat(4 + RING_POINTS.length));
        for (int line = 0; line < cases.size(); line++) {
            Case of = cases.get(line);
            System.out.println(cells.get(line).stream().map(cell -> " " + text.of(cell) + " |")
                    .collect(Collectors.joining("", String.format(Locale.ROOT, "| %d | %,d | %,d | %,d |",
                            of.replication, of.peCount, of.failures, of.furtherDeaths), "")));
        }
        System.out.println();
    }

    /** What a table shows of a cell. */
    @FunctionalInterface
    private interface ToText {
        String of(Cell cell);
    }
}
