package org.restorej.demo.examples;

import static org.restorej.codec.Codecs.DOUBLE;
import static org.restorej.codec.Codecs.LONG;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.restorej.ReStore;
import org.restorej.balance.LoadBalancer;
import org.restorej.codec.BlockSerializer;
import org.restorej.codec.Codecs;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.mpi.Programs;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.objects.LocalObjects;
import org.restorej.objects.ReplicatedObjects;

/**
 * Particles that move from PE to PE: birds over a square with sides of 1 that goes on at the opposite side, which
 * follow the others of their cell. Their velocities become equal; the mean velocity doesn't change.
 */
public final class Flock {
    /** Cells along a side. */
    private static final int SIDE = 6;

    static final int CELLS = SIDE * SIDE;
    private static final int BIRDS = 180;

    /** A bird, and how far it flies in an iteration. */
    record Bird(long id, double x, double y, double dx, double dy) {
        long cell() {
            long row = (long) (y * SIDE);
            return row * SIDE + (long) (x * SIDE);
        }

        /** Follows the others half, and flies on. */
        Bird next(double meanDx, double meanDy) {
            double nextDx = (dx + meanDx) / 2;
            double nextDy = (dy + meanDy) / 2;
            return new Bird(id, inside(x + nextDx), inside(y + nextDy), nextDx, nextDy);
        }

        private static double inside(double place) {
            double moved = place - Math.floor(place);
            return moved < 1 ? moved : 0;
        }
    }

    private static final BlockSerializer<List<Bird>> BIRDS_OF_A_CELL = Codecs
            .record(Bird.class, LONG, DOUBLE, DOUBLE, DOUBLE, DOUBLE).list();

    private Flock() {}

    /** Returns all birds by their ids, and reports them (again, if a PE fails meanwhile). In iteration {@code failureAt} a PE fails, for show. */
    static List<Bird> run(Communicator world, long failureAt, int iterations, Consumer<String> output) {
        try (ReplicatedObjects<List<Bird>> store = ReplicatedObjects.of(ReStore.builder(world), CELLS,
                BIRDS_OF_A_CELL);
                CheckpointLoop loop = new CheckpointLoop(world, LoadBalancer.equal(world.size(), CELLS),
                        CheckpointInterval.iterations(10))) {
            LocalObjects<List<Bird>> cells = loop.keep(store.local(Flock::initial));
            loop.run(iterations, (comm, iteration) -> {
                if (iteration == failureAt && comm.size() == world.size()) {
                    FailureSimulation.of(comm).fail(1);
                }
                fly(comm, loop, cells);
            });
            return loop.evaluate(comm -> {
                List<Bird> all = everybody(comm, cells);
                if (comm.rank() == 0) {
                    output.accept("after " + iterations + " iterations: " + summary(all));
                }
                return all;
            });
        }
    }

    /** Runs on eight threads, or on the ranks that a launcher has started. */
    public static void main(String[] args) {
        Programs.run(args, 8, world -> {
            run(world, -1, 0, System.out::println);
            run(world, 25, 200, System.out::println);
        });
    }

    static List<Bird> initial(long cell) {
        return new ArrayList<>(IntStream.range(0, BIRDS).mapToObj(Flock::bird).filter(bird -> bird.cell() == cell)
                .toList());
    }

    private static Bird bird(int id) {
        SplittableRandom random = new SplittableRandom(id);
        return new Bird(id, random.nextDouble(), random.nextDouble(), random.nextDouble(-0.02, 0.03),
                random.nextDouble(-0.03, 0.02));
    }

    private static void fly(Communicator comm, CheckpointLoop loop, LocalObjects<List<Bird>> cells) {
        List<List<Bird>> moved = new ArrayList<>();
        IntStream.range(0, comm.size()).forEach(rank -> moved.add(new ArrayList<>()));
        cells.forEach((id, birds) -> {
            double dx = birds.stream().mapToDouble(Bird::dx).sum() / birds.size();
            double dy = birds.stream().mapToDouble(Bird::dy).sum() / birds.size();
            birds.stream().map(bird -> bird.next(dx, dy))
                    .forEach(bird -> moved.get(loop.rankOf(bird.cell())).add(bird));
            birds.clear();
        });
        byte[][] messages = moved.stream().map(BIRDS_OF_A_CELL::toBytes).toArray(byte[][]::new);
        for (byte[] message : comm.allToAll(messages)) {
            BIRDS_OF_A_CELL.fromBytes(message).forEach(bird -> cells.get(bird.cell()).add(bird));
        }
        // Sums depend on the order of the birds, and that on the ranks that send them.
        cells.values().forEach(birds -> birds.sort(Comparator.comparingLong(Bird::id)));
    }

    private static List<Bird> everybody(Communicator comm, LocalObjects<List<Bird>> cells) {
        List<Bird> mine = cells.values().stream().flatMap(List::stream).toList();
        List<Bird> all = new ArrayList<>();
        for (byte[] message : comm.allGather(BIRDS_OF_A_CELL.toBytes(mine))) {
            all.addAll(BIRDS_OF_A_CELL.fromBytes(message));
        }
        all.sort(Comparator.comparingLong(Bird::id));
        return all;
    }

    private static String summary(List<Bird> birds) {
        double mean = birds.stream().collect(Collectors.averagingDouble(Bird::dx));
        double spread = Math.sqrt(birds.stream().mapToDouble(bird -> bird.dx() - mean).map(dx -> dx * dx).average()
                .orElse(0));
        return String.format(Locale.ROOT, "%d birds, dx %.6f in the mean, %.6f around it", birds.size(), mean, spread);
    }
}
