package org.restorej.demo.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.restorej.ReStore;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.codec.Codecs;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.Reduction;
import org.restorej.comm.collective.ReproducibleSums;
import org.restorej.comm.mpi.Programs;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.loop.LoopValue;
import org.restorej.redset.LoopFiles;
import org.restorej.rows.LocalRows;
import org.restorej.rows.ReplicatedArray;

/**
 * PageRank by power iteration (Page, Brin, Motwani, Winograd, "The PageRank Citation Ranking: Bringing Order to the
 * Web", 1999). The edges never change, so they are submitted once; the ranks are on every PE.
 */
public final class PageRank {
    /** Part of a rank that flows along edges; the rest goes to all vertices. */
    static final double DAMPING = 0.85;

    /** The graph of Wikipedia's article on PageRank (https://en.wikipedia.org/wiki/File:PageRanks-Example.svg). */
    static final List<String> WIKIPEDIA = List.of("B C", "C B", "D A", "D B", "E B", "E D", "E F", "F B", "F E", "G B",
            "G E", "H B", "H E", "I B", "I E", "J E", "K E");

    private static final int SHOWN = 3;

    private PageRank() {}

    /** A directed graph. Immutable. */
    static final class Graph {
        private final List<String> names;
        /** From, to, from, to: numbers of vertices. */
        private final int[] ends;

        private Graph(List<String> names, int[] ends) {
            this.names = names;
            this.ends = ends;
        }

        /** Reads an edge a line, two names; lines that begin with # or % are left out. */
        static Graph of(List<String> lines) {
            Map<String, Integer> numbers = new LinkedHashMap<>();
            List<Integer> ends = new ArrayList<>();
            for (String line : lines) {
                // Some editors write a byte order mark.
                String edge = line.replace("\uFEFF", "").strip();
                if (!edge.isEmpty() && !edge.startsWith("#") && !edge.startsWith("%")) {
                    String[] names = edge.split("\\s+", -1);
                    if (names.length != 2) {
                        throw new IllegalArgumentException("an edge must be two names of vertices: '" + line + "'");
                    }
                    for (String name : names) {
                        numbers.putIfAbsent(name, numbers.size());
                        ends.add(numbers.get(name));
                    }
                }
            }
            return new Graph(List.copyOf(numbers.keySet()), ends.stream().mapToInt(Integer::intValue).toArray());
        }

        List<String> names() {
            return names;
        }

        int edges() {
            return ends.length / 2;
        }

        int[] ends() {
            return ends.clone();
        }

        String digest() {
            return Integer.toHexString(31 * names.hashCode() + Arrays.hashCode(ends));
        }

        int[] edges(BlockRanges numbers) {
            int[] some = new int[2 * (int) numbers.blockCount()];
            int next = 0;
            for (BlockRange run : numbers.runs()) {
                System.arraycopy(ends, 2 * (int) run.first(), some, next, 2 * (int) run.count());
                next += 2 * (int) run.count();
            }
            return some;
        }
    }

    /**
     * Returns the ranks, and reports the highest (again, if a PE fails meanwhile). In iteration {@code failAt} a PE
     * fails, for show. Goes on from {@code files}, where there are some of an earlier job with the same graph.
     */
    static double[] run(Communicator world, Graph graph, Optional<Path> files, int failAt, int iterations,
            Consumer<String> output) {
        try (ReplicatedArray<int[]> array = ReplicatedArray.ofInts(ReStore.builder(world), graph.edges(), 2);
                CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(world.size(), graph.edges()),
                        CheckpointInterval.iterations(1)).describe("a graph with the digest " + graph.digest())) {
            files.ifPresent(folder -> loop.persist(LoopFiles.in(folder, "pagerank"), CheckpointInterval.iterations(5)));
            int vertices = graph.names().size();
            double[] equal = new double[vertices];
            Arrays.fill(equal, 1.0 / vertices);
            LocalRows<int[]> mine = loop.keep(array.constant(graph::edges));
            LoopValue<double[]> ranks = loop.value(Codecs.DOUBLES, equal);
            // No iteration: the edges are submitted, or come from files.
            loop.run(0, (comm, iteration) -> {});
            long[] degrees = loop.evaluate(comm -> degrees(comm, vertices, mine.values()));
            loop.run(iterations, (comm, iteration) -> {
                if (iteration == failAt && comm.size() == world.size()) {
                    FailureSimulation.of(comm).fail(1);
                }
                ranks.set(next(comm, mine.values(), degrees, ranks.get()));
            });
            return loop.evaluate(comm -> {
                if (comm.rank() == 0) {
                    output.accept(summary(graph, ranks.get()));
                }
                return ranks.get();
            });
        }
    }

    /**
     * Runs on eight threads, or on the ranks that a launcher has started; with a file of edges, or without, and a folder
     * for the job's own files behind it, or without.
     */
    public static void main(String[] args) throws IOException {
        Graph graph = Graph.of(args.length == 0 ? WIKIPEDIA : Files.readAllLines(Path.of(args[0])));
        Optional<Path> files = Arrays.stream(args).skip(1).findFirst().map(Path::of);
        Programs.run(args, 8, world -> run(world, graph, files, 20, 100, System.out::println));
    }

    private static long[] degrees(Communicator comm, int vertices, int[] edges) {
        long[] degrees = new long[vertices];
        for (int edge = 0; edge < edges.length; edge += 2) {
            degrees[edges[edge]]++;
        }
        comm.allReduce(degrees, Reduction.SUM);
        return degrees;
    }

    /** The sums don't depend on which PE has which edge, so the ranks are the same to the last bit after any failure. */
    private static double[] next(Communicator comm, int[] edges, long[] degrees, double[] ranks) {
        ReproducibleSums incoming = new ReproducibleSums(ranks.length);
        for (int edge = 0; edge < edges.length; edge += 2) {
            incoming.add(edges[edge + 1], ranks[edges[edge]] / degrees[edges[edge]]);
        }
        incoming.allReduce(comm);
        double dangling = 0;
        for (int vertex = 0; vertex < ranks.length; vertex++) {
            dangling += degrees[vertex] == 0 ? ranks[vertex] : 0;
        }
        double[] next = new double[ranks.length];
        for (int vertex = 0; vertex < next.length; vertex++) {
            next[vertex] = (1 - DAMPING + DAMPING * dangling) / next.length + DAMPING * incoming.value(vertex);
        }
        return next;
    }

    private static String summary(Graph graph, double[] ranks) {
        return IntStream.range(0, ranks.length).boxed().sorted(Comparator.comparingDouble(vertex -> -ranks[vertex]))
                .limit(SHOWN)
                .map(vertex -> String.format(Locale.ROOT, "%s %.6f", graph.names().get(vertex), ranks[vertex]))
                .collect(Collectors.joining(", "));
    }
}
