package org.restorej;

import static org.restorej.comm.testing.Checks.equal;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.Reduction;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.loop.LoopData;
import org.restorej.objects.ReplicatedStreams;

/**
 * An application that has its restart files written by code of its own: parts of very different lengths, which grow and
 * shrink, some of them empty.
 */
final class StreamProgram {
    private static final int PARTS = 5;
    private static final int ITERATIONS = 6;

    /** An iteration that isn't done. */
    static final long NEVER = -1;

    private final UnaryOperator<CheckpointLoop> options;
    private final long failureAt;
    /** The numbers of each part of this PE. */
    private final TreeMap<Long, List<Long>> parts = new TreeMap<>();

    private StreamProgram(UnaryOperator<CheckpointLoop> options, long failureAt) {
        this.options = options;
        this.failureAt = failureAt;
    }

    /**
     * Runs the application; returns a sum that shows every number.
     *
     * @param failureAt iteration in which the last PE fails, or {@link #NEVER}
     */
    static long run(Communicator world, UnaryOperator<CheckpointLoop> options, long failureAt) {
        return new StreamProgram(options, failureAt).run(world);
    }

    private long run(Communicator world) {
        ReStoreBuilder builder = ReStore.builder(world).replication(Math.min(3, world.size()));
        try (ReplicatedStreams streams = ReplicatedStreams.of(builder, PARTS);
                CheckpointLoop loop = options.apply(new CheckpointLoop(world,
                        LoadBalancer.contiguous(world.size(), PARTS), CheckpointInterval.iterations(2)))) {
            equal((long) PARTS, streams.count(), "parts");
            LoopData mine = loop.keep(streams.local(part -> parts.put(part, new ArrayList<>()), this::write,
                    this::read));
            loop.run(ITERATIONS, (comm, iteration) -> {
                iterate(comm, iteration, mine.ids());
                if (iteration == failureAt && comm.size() == world.size()) {
                    FailureSimulation.of(comm).fail(comm.size() - 1);
                }
            });
            long sum = loop.evaluate(comm -> {
                equal(loop.blocks(), mine.ids(), "parts of this PE");
                return comm.allReduce(hash(mine.ids()), Reduction.SUM);
            });
            equal((long) ITERATIONS, loop.iteration(), "iterations");
            return sum;
        }
    }

    private void iterate(Communicator comm, long iteration, BlockRanges mine) {
        long sum = comm.allReduce(hash(mine), Reduction.SUM);
        for (long place = 0; place < mine.blockCount(); place++) {
            long part = mine.blockAt(place);
            List<Long> numbers = numbers(part);
            if (iteration % 3 == part % 3) {
                numbers.clear();
            }
            for (int i = 0; i < part * part * 60; i++) {
                numbers.add(sum * 31 + i * part + iteration);
            }
        }
        // A second call, so that PEs die between changes of the same iteration.
        comm.allReduce(sum, Reduction.MAX);
    }

    private List<Long> numbers(long part) {
        return parts.computeIfAbsent(part, absent -> {
            throw new IllegalStateException("part " + absent + " isn't here");
        });
    }

    private long hash(BlockRanges mine) {
        long hash = 0;
        for (long place = 0; place < mine.blockCount(); place++) {
            long part = mine.blockAt(place);
            hash += (part + 1) * numbers(part).hashCode();
        }
        return hash;
    }

    /** Even parts as objects, odd ones number by number. */
    private void write(long part, OutputStream out) throws IOException {
        List<Long> numbers = numbers(part);
        if (part % 2 == 0) {
            if (!numbers.isEmpty()) {
                try (ObjectOutputStream objects = new ObjectOutputStream(out)) {
                    objects.writeObject(numbers.toArray(Long[]::new));
                }
            }
            return;
        }
        DataOutputStream data = new DataOutputStream(out);
        data.writeInt(numbers.size());
        for (long number : numbers) {
            data.writeLong(number);
        }
    }

    private void read(long part, InputStream in) throws IOException, ClassNotFoundException {
        List<Long> numbers = new ArrayList<>();
        if (part % 2 == 0) {
            if (in.available() > 0) {
                try (ObjectInputStream objects = new ObjectInputStream(in)) {
                    numbers.addAll(List.of((Long[]) objects.readObject()));
                }
            }
        } else {
            DataInputStream data = new DataInputStream(in);
            int count = data.readInt();
            for (int i = 0; i < count; i++) {
                numbers.add(data.readLong());
            }
        }
        equal(-1, in.read(), "what is behind part " + part);
        parts.put(part, numbers);
    }
}
