package org.restorej.redset;

import static java.util.Objects.requireNonNull;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.restorej.ReStore;
import org.restorej.ReStoreBuilder;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.codec.Codecs;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.Reduction;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.loop.LoopStorage;
import org.restorej.loop.LoopData;
import org.restorej.loop.LoopValue;
import org.restorej.objects.LocalObjects;
import org.restorej.objects.ReplicatedObjects;
import org.restorej.objects.ReplicatedStreams;
import org.restorej.rows.LocalRows;
import org.restorej.rows.ReplicatedArray;

/**
 * A job whose loop keeps data of every kind: rows that change and rows that don't, objects of different sizes, parts
 * written into streams, and a value. What it comes to doesn't depend on the number of PEs, nor on who fails. Set up by
 * one thread, then run by all PEs.
 */
final class LoopJob {
    static final long ROWS = 23;
    private static final int PARTS = 5;
    private static final int MODULUS = 1_000_003;

    private final long until;
    private long rows = ROWS;
    private String description = "";
    private Consumer<CheckpointLoop> settings = loop -> {};
    private boolean coded;
    private long startValue;
    private int replication = 2;
    private boolean inSingleRuns;
    private boolean converges;
    private boolean withInput;
    private Step before = (comm, iteration) -> {};

    /** What a PE does before each iteration, such as to fail. */
    @FunctionalInterface
    interface Step {
        void run(Communicator comm, long iteration) throws Exception;
    }

    /**
     * What one PE has seen.
     *
     * @param sums over all that is kept
     * @param firstIteration that this job has done; -1 without any
     * @param made calls of functions that make initial data
     */
    record Result(List<Long> sums, long firstIteration, int made) {}

    LoopJob(long until) {
        this.until = until;
    }

    LoopJob rows(long count) {
        rows = count;
        return this;
    }

    LoopJob described(String text) {
        description = text;
        return this;
    }

    /** Has the PE with the highest rank fail. */
    LoopJob lastPeFailsBefore(long iteration) {
        return before((comm, number) -> {
            if (number == iteration && comm.size() == comm.ranks().originalSize()) {
                FailureSimulation.of(comm).fail(comm.size() - 1);
            }
        });
    }

    /** Saves in these levels after each iteration. */
    LoopJob in(LoopStorage... levels) {
        return with(loop -> {
            for (LoopStorage level : levels) {
                loop.persist(level, CheckpointInterval.iterations(1));
            }
        });
    }

    LoopJob with(Consumer<CheckpointLoop> further) {
        settings = settings.andThen(further);
        return this;
    }

    /** Rows are coded instead of replicated; objects and streams have different sizes, and stay replicated. */
    LoopJob coded() {
        coded = true;
        return this;
    }

    LoopJob startValue(long first) {
        startValue = first;
        return this;
    }

    /** As many replicas, or as there are PEs. */
    LoopJob replication(int replicas) {
        replication = replicas;
        return this;
    }

    /** The last iteration says itself that none is to follow. */
    LoopJob converging() {
        converges = true;
        return this;
    }

    /** The rows that don't change are in their store before the loop keeps them. */
    LoopJob withInput() {
        withInput = true;
        return this;
    }

    /** Calls the loop again after each iteration. */
    LoopJob inSingleRuns() {
        inSingleRuns = true;
        return this;
    }

    LoopJob before(Step step) {
        Step earlier = before;
        before = (comm, iteration) -> {
            earlier.run(comm, iteration);
            step.run(comm, iteration);
        };
        return this;
    }

    /** Asks for the end of the job in an iteration. */
    LoopJob stoppingAt(long last, Path place) {
        return before((comm, iteration) -> {
            if (iteration == last && comm.rank() == 0) {
                Files.writeString(place.resolve("stop"), "");
            }
        });
    }

    /** What every PE comes to after so many iterations, computed without a store. */
    static List<Long> expected(long iterations) {
        long[] sums = new long[4];
        for (long row = 0; row < ROWS; row++) {
            sums[0] += after(iterations, row, row * row);
            sums[1] += after(iterations, row, 3);
        }
        for (long part = 0; part < PARTS; part++) {
            sums[2] += after(iterations, part, 7);
        }
        sums[3] = after(iterations, 0, 11);
        return List.of(sums[0], sums[1], sums[2], sums[3]);
    }

    private static long after(long iterations, long first, long addend) {
        long value = first;
        for (long iteration = 0; iteration < iterations; iteration++) {
            value = next(value, addend, iteration);
        }
        return value;
    }

    private static long next(long value, long addend, long iteration) {
        return (value * 31 + addend + iteration) % MODULUS;
    }

    /** One PE's part. */
    Result run(Communicator world) {
        ReStoreBuilder builder = ReStore.builder(world).replication(Math.min(replication, world.size()));
        ReStoreBuilder ofRows = coded ? ReStore.builder(world).coded(2, 1) : builder;
        try (ReplicatedArray<long[]> changing = ReplicatedArray.ofLongs(ofRows, rows, 2);
                ReplicatedArray<int[]> fixed = ReplicatedArray.ofInts(ofRows, rows, 1);
                ReplicatedObjects<String> objects = ReplicatedObjects.of(builder, rows, Codecs.STRING);
                ReplicatedStreams streams = ReplicatedStreams.of(builder, PARTS);
                CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(world.size(), rows),
                        CheckpointInterval.iterations(1)).describe(description)) {
            if (withInput) {
                BlockRanges mine = LoadBalancer.equal(world.size(), rows).assignment().blocksOf(world.rank());
                fixed.submit(mine, Kept.squares(mine));
            }
            settings.accept(loop);
            return new Kept(changing, fixed, objects, streams).run(loop, LoadBalancer.equal(world.size(), PARTS));
        }
    }

    /** What one PE keeps. */
    private final class Kept {
        private final LocalRows<long[]> changing;
        private final LocalRows<int[]> fixed;
        private final LocalObjects<String> objects;
        private final LoopData streams;
        private final Map<Long, Long> parts = new TreeMap<>();
        private long firstIteration = -1;
        private int made;

        Kept(ReplicatedArray<long[]> changing, ReplicatedArray<int[]> fixed, ReplicatedObjects<String> objects,
                ReplicatedStreams streams) {
            this.changing = changing.local(mine -> {
                made++;
                long[] values = new long[2 * (int) mine.blockCount()];
                for (int row = 0; row < mine.blockCount(); row++) {
                    values[2 * row] = mine.blockAt(row);
                }
                return values;
            });
            this.fixed = fixed.constant(mine -> {
                made++;
                return squares(mine);
            });
            this.objects = objects.local(id -> {
                made++;
                return Long.toString(id);
            });
            this.streams = streams.local(part -> {
                made++;
                parts.put(part, part);
            }, (part, output) -> new DataOutputStream(output).writeLong(requireNonNull(parts.get(part))),
                    (part, input) -> parts.put(part, new DataInputStream(input).readLong()));
        }

        private static int[] squares(BlockRanges mine) {
            int[] values = new int[(int) mine.blockCount()];
            for (int row = 0; row < values.length; row++) {
                values[row] = (int) (mine.blockAt(row) * mine.blockAt(row));
            }
            return values;
        }

        Result run(CheckpointLoop loop, LoadBalancer balancer) {
            loop.keep(changing);
            loop.keep(fixed);
            loop.keep(objects);
            loop.keep(streams, balancer);
            LoopValue<Long> value = loop.value(Codecs.LONG, startValue);
            CheckpointLoop.Step step = (comm, iteration) -> {
                firstIteration = firstIteration < 0 ? iteration : firstIteration;
                before.run(comm, iteration);
                for (int row = 0; row < fixed.values().length; row++) {
                    changing.values()[2 * row] = next(changing.values()[2 * row], fixed.values()[row], iteration);
                }
                objects.forEach((id, text) -> objects.set(id,
                        Long.toString(next(Long.parseLong(text), 3, iteration))));
                streams.ids().runs().forEach(run -> {
                    for (long part = run.first(); part < run.end(); part++) {
                        parts.merge(part, 0L, (old, none) -> next(old, 7, iteration));
                    }
                });
                value.set(next(value.get(), 11, iteration));
                comm.barrier();
            };
            loop.run(0, step);
            if (converges && loop.iteration() < until) {
                loop.runWhile(Long.MAX_VALUE, (comm, iteration) -> {
                    step.run(comm, iteration);
                    return iteration + 1 < until;
                });
            }
            do {
                loop.run(inSingleRuns ? Math.min(until, loop.iteration() + 1) : until, step);
            } while (loop.iteration() < until);
            return loop.evaluate(comm -> new Result(sums(comm, value.get()), firstIteration, made));
        }

        private List<Long> sums(Communicator comm, long value) {
            long[] sums = new long[3];
            for (int row = 0; row < changing.count(); row++) {
                sums[0] += changing.values()[2 * row];
            }
            objects.values().forEach(text -> sums[1] += Long.parseLong(text));
            streams.ids().runs().forEach(run -> {
                for (long part = run.first(); part < run.end(); part++) {
                    sums[2] += requireNonNull(parts.get(part));
                }
            });
            comm.allReduce(sums, Reduction.SUM);
            return List.of(sums[0], sums[1], sums[2], value);
        }
    }
}
