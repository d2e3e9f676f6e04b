package org.restorej.demo.examples;

import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.restorej.ReStore;
import org.restorej.balance.LoadBalancer;
import org.restorej.codec.Codecs;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.mpi.Programs;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.objects.LocalObjects;
import org.restorej.objects.ReplicatedObjects;

/**
 * A distributed hash table: how often each k-mer, a word of {@value #K} letters, occurs in the reads of a sequencer.
 * The reads never change; the tables of counts do.
 */
public final class Kmers {
    static final int K = 5;
    static final int READS = 120;
    private static final int READ_LENGTH = 50;
    private static final int TABLES = 32;

    /** An iteration counts one read in so many. */
    private static final int ITERATIONS = 12;

    private Kmers() {}

    /** Returns how often each word occurs, and reports it (again, if a PE fails meanwhile). In iteration {@code failureAt} a PE fails, for show. */
    static Map<String, Integer> run(Communicator world, long failureAt, Consumer<String> output) {
        try (ReplicatedObjects<String> readStore = ReplicatedObjects.of(ReStore.builder(world), READS, Codecs.STRING);
                ReplicatedObjects<Map<String, Integer>> tableStore = ReplicatedObjects.of(ReStore.builder(world),
                        TABLES,
                        Codecs.map(Codecs.STRING, Codecs.INT));
                CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(world.size(), TABLES),
                        CheckpointInterval.iterations(3))) {
            LocalObjects<Map<String, Integer>> tables = loop.keep(tableStore.local(table -> new TreeMap<>()));
            LocalObjects<String> reads = loop.keep(readStore.constant(Kmers::read),
                    LoadBalancer.equal(world.size(), READS));
            loop.run(ITERATIONS, (comm, iteration) -> {
                if (iteration == failureAt && comm.size() == world.size()) {
                    FailureSimulation.of(comm).fail(1);
                }
                count(comm, loop, reads, iteration, tables);
            });
            return loop.evaluate(comm -> {
                Map<String, Integer> counts = all(comm, tables);
                if (comm.rank() == 0) {
                    output.accept(summary(counts));
                }
                return counts;
            });
        }
    }

    /** Runs on eight threads, or on the ranks that a launcher has started. */
    public static void main(String[] args) {
        Programs.run(args, 8, world -> run(world, 7, System.out::println));
    }

    /** In a real program: from a file. */
    static String read(long id) {
        SplittableRandom random = new SplittableRandom(id);
        return random.ints(READ_LENGTH, 0, 4).mapToObj(base -> "ACGT".substring(base, base + 1))
                .collect(Collectors.joining());
    }

    private static void count(Communicator comm, CheckpointLoop loop, LocalObjects<String> reads, long iteration,
            LocalObjects<Map<String, Integer>> tables) {
        StringBuilder[] words = new StringBuilder[comm.size()];
        Arrays.setAll(words, rank -> new StringBuilder());
        reads.forEach((id, read) -> {
            for (int at = 0; id % ITERATIONS == iteration && at + K <= read.length(); at++) {
                words[loop.rankOf(table(read.substring(at, at + K)))].append(read, at, at + K);
            }
        });
        byte[][] messages = Arrays.stream(words).map(String::valueOf).map(Codecs.STRING::toBytes)
                .toArray(byte[][]::new);
        for (byte[] message : comm.allToAll(messages)) {
            String received = Codecs.STRING.fromBytes(message);
            for (int at = 0; at < received.length(); at += K) {
                String word = received.substring(at, at + K);
                tables.get(table(word)).merge(word, 1, Integer::sum);
            }
        }
    }

    private static long table(String word) {
        return Math.floorMod(word.hashCode() * 0x9E3779B9, TABLES);
    }

    private static Map<String, Integer> all(Communicator comm, LocalObjects<Map<String, Integer>> tables) {
        Map<String, Integer> mine = new TreeMap<>();
        tables.values().forEach(mine::putAll);
        Map<String, Integer> all = new TreeMap<>();
        for (byte[] message : comm.allGather(Codecs.map(Codecs.STRING, Codecs.INT).toBytes(mine))) {
            all.putAll(Codecs.map(Codecs.STRING, Codecs.INT).fromBytes(message));
        }
        return all;
    }

    private static String summary(Map<String, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum() + " words, " + counts.size()
                + " different ones, most often " + Collections.max(counts.entrySet(), Map.Entry.comparingByValue());
    }
}
