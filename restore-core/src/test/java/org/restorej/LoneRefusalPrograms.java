package org.restorej;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.codec.Codecs;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.loop.LoopStorage;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.objects.ReplicatedObjects;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.StoreRank;
import org.restorej.comm.collective.ReproducibleSums;
import org.restorej.rows.ReplicatedArray;

/**
 * Every collective method of the library, called with an argument that is wrong on one PE alone: nobody waits, and all
 * go on together. Which methods there are, their marks say; a method whose arguments nobody has told fails its program.
 */
public final class LoneRefusalPrograms implements ContractSuite {
    private static final long ROWS = 40;
    private static final TestBlocks CONTENT = new TestBlocks(Integer.BYTES, 1);

    /** Who passes none of these has no means to tell anybody. */
    private static final Set<Class<?>> COMMUNICATORS = Set.of(Communicator.class, ReStoreBuilder.class);

    /** Any number is right, or ends the call on this PE alone as documented. */
    private static final Set<Class<?>> WITH_ANY_NUMBER = Set.of(CheckpointLoop.class, PendingOperation.class);

    /** What these refuse on one PE, the loop refuses on all when it is run. */
    private static final Set<String> KEEPING = Set.of("keep", "value");

    private static final String PERSIST = "persist";

    @Override
    public List<ContractProgram> programs() {
        List<ContractProgram> programs = new ArrayList<>();
        for (Executable method : CollectiveMethods.all()) {
            Class<?>[] types = method.getParameterTypes();
            for (int place = 0; place < types.length; place++) {
                int wrong = place;
                if (canBeWrong(method, types[place])) {
                    programs.add(new ContractProgram(CollectiveMethods.nameOf(method) + "-" + place, 2,
                            world -> run(world, method, wrong)).ofSurvivors());
                }
            }
        }
        return programs;
    }

    private static boolean canBeWrong(Executable method, Class<?> type) {
        if (type.isPrimitive()) {
            return type != double.class && !WITH_ANY_NUMBER.contains(method.getDeclaringClass());
        }
        return !COMMUNICATORS.contains(type) || method.getName().equals("recover");
    }

    /** What the methods are called on, and with. */
    private static final class Subjects implements AutoCloseable {
        /** Of the loop that is the latest target. */
        private @Nullable LoadBalancer loopBalancer;

        private final Communicator world;
        private final ReStore store;
        private final ReplicatedArray<int[]> rows;
        /** Of which no generation is submitted. */
        private final ReplicatedArray<int[]> loopRows;
        private final ReplicatedObjects<String> objects;
        private final BlockRange mine;
        private final Arena arena = Arena.ofShared();

        Subjects(Communicator world) {
            this.world = world;
            mine = BlockRange.between(ROWS * world.rank() / world.size(), ROWS * (world.rank() + 1) / world.size());
            store = builder().blocks(ROWS).blockSizeBytes(Integer.BYTES).build();
            store.submit(submission());
            rows = ReplicatedArray.ofInts(builder(), ROWS, 1);
            rows.submit(BlockRanges.of(mine), new int[(int) mine.count()]);
            loopRows = ReplicatedArray.ofInts(builder(), ROWS, 1);
            objects = ReplicatedObjects.of(builder(), ROWS, Codecs.STRING);
            objects.submit(BlockRanges.of(mine), id -> "object " + id);
        }

        ReStoreBuilder builder() {
            return ReStore.builder(world).replication(2);
        }

        Submission submission() {
            return new Submission().add(mine, (BlockRange.Writer) CONTENT::write);
        }

        LoadBalancer balancer() {
            return LoadBalancer.equal(world.size(), ROWS);
        }

        Object target(Class<?> type) {
            if (type == Communicator.class) {
                return world;
            } else if (type == ReStore.class) {
                return store;
            } else if (type == ReStoreBuilder.class) {
                return builder().blocks(ROWS).blockSizeBytes(Integer.BYTES);
            } else if (type == ReplicatedArray.class) {
                return rows;
            } else if (type == ReplicatedObjects.class) {
                return objects;
            } else if (type == StagedSubmission.class) {
                return store.stage(submission());
            } else if (type == PendingOperation.class) {
                return store.submitAsync(submission());
            } else if (type == ReproducibleSums.class) {
                return new ReproducibleSums(2);
            } else if (type == CheckpointLoop.class) {
                loopBalancer = balancer();
                CheckpointLoop loop = new CheckpointLoop(world, loopBalancer, CheckpointInterval.iterations(2));
                loop.keep(loopRows.local(own -> new int[(int) own.blockCount()]));
                return loop;
            }
            throw new AssertionError("no object whose collective methods could be called: " + type);
        }

        /** A right argument. */
        Object argument(Executable method, int place) {
            Class<?> type = method.getParameterTypes()[place];
            boolean ofRows = method.getDeclaringClass() == ReplicatedArray.class;
            if (method.getDeclaringClass() == CheckpointLoop.class && KEEPING.contains(method.getName())) {
                return kept(type);
            } else if (type == Object.class) {
                return ofRows && method.getName().startsWith("pull")
                        ? new int[0]
                        : ofRows ? new int[(int) mine.count()] : new double[3];
            } else if (type == Object[].class) {
                return new double[world.size()][2];
            } else if (type == MemorySegment.class) {
                return arena.allocate(memoryBytes(method, place));
            } else if (type == long.class) {
                return ROWS;
            } else if (type == int.class) {
                // Of sendReceive: around in a ring.
                return method.getName().equals("sendReceive")
                        ? switch (place) {
                            case 1 -> (world.rank() + 1) % world.size();
                            case 3 -> (world.rank() + world.size() - 1) % world.size();
                            default -> 5;
                        }
                        : 1;
            } else if (type == Function.class) {
                return (Function<StoreRank, BlockRanges>) rank -> BlockRanges.of(3, 2);
            } else if (type == BlockRanges.class && method.getName().equals("submit")) {
                return BlockRanges.of(mine);
            } else if (type == CheckpointLoop.Evaluation.class) {
                return (CheckpointLoop.Evaluation<Long>) comm -> comm.allReduce(1L, Reduction.SUM);
            } else if (type == BlockRanges.class && method.getDeclaringClass().getSimpleName().startsWith("Local")) {
                // What another PE has.
                return BlockRanges.of((mine.end() + 1) % ROWS, 1);
            } else if (type == LoopStorage.class) {
                return (LoopStorage) communicator -> {
                    communicator.barrier();
                    throw new AssertionError("a PE opens no storage, and so all must throw");
                };
            } else if (type == Supplier.class) {
                return (Supplier<Object>) () -> Objects.requireNonNull(loopBalancer).rebalance(FailedRanks.NONE);
            }
            return simple(type);
        }

        /** One that keeps nothing yet. */
        private CheckpointLoop emptyLoop() {
            return new CheckpointLoop(world, balancer(), CheckpointInterval.iterations(2));
        }

        private Object kept(Class<?> type) {
            List<Object> values = List.of(rows.local(own -> new int[(int) own.blockCount()]), balancer(), Codecs.STRING,
                    "a value");
            return values.stream().filter(type::isInstance).reduce((first, last) -> type == Object.class ? last : first)
                    .orElseThrow(() -> new AssertionError("no right argument is known here of type " + type));
        }

        private long memoryBytes(Executable method, int place) {
            if (method.getName().equals("submit")) {
                return mine.count() * Integer.BYTES;
            }
            return method.getName().equals("allGather") && place == 1 ? 8L * world.size() : 8;
        }

        private Object simple(Class<?> type) {
            List<Object> values = List.of(BlockRanges.of(3, 2), mine, arena, (PulledBlocks.Consumer) (id, block) -> {},
                    (BlockRange.Writer) CONTENT::write, (LongFunction<String>) id -> "object " + id, submission(),
                    world,
                    Codecs.STRING, Reduction.MAX, new long[2], new double[2], new int[2], new float[2], 2.5,
                    balancer(), CheckpointInterval.iterations(2), store, builder(),
                    (CheckpointLoop.Step) (comm, iteration) -> {},
                    (CheckpointLoop.ConvergingStep) (comm, iteration) -> iteration < 3);
            if (type == double.class) {
                return 2.5;
            }
            if (type == List.class) {
                return List.of(store.stage(submission()));
            }
            return values.stream().filter(type::isInstance).findFirst()
                    .orElseThrow(() -> new AssertionError("no right argument is known here of type " + type));
        }

        @Override
        public void close() {
            store.close();
            rows.close();
            loopRows.close();
            objects.close();
            arena.close();
        }
    }

    private static void run(Communicator world, Executable method, int wrong) {
        boolean alone = world.rank() == world.size() - 1;
        try (Subjects subjects = new Subjects(world)) {
            Object target = isStatic(method)
                    ? null
                    : method.getName().equals(PERSIST)
                            ? subjects.emptyLoop()
                            : subjects.target(method.getDeclaringClass());
            Object[] right = new Object[method.getParameterCount()];
            for (int place = 0; place < right.length; place++) {
                right[place] = subjects.argument(method, place);
            }
            @Nullable
            Object[] given = right.clone();
            if (alone) {
                given[wrong] = wrongValue(method.getParameterTypes()[wrong]);
            }
            Throwable met = call(method, target, given);
            if (alone && !method.getParameterTypes()[wrong].isPrimitive()) {
                holds(met instanceof RuntimeException && !(met instanceof CommunicationFailedException)
                        && met.getMessage() != null, "an exception that says what is wrong: " + met);
            } else if (met instanceof IllegalArgumentException refused && !alone) {
                holds(("" + refused.getMessage()).contains("rank " + (world.size() - 1)),
                        "it says who is at fault: " + met);
            }
            if (KEEPING.contains(method.getName())) {
                CheckpointLoop loop = (CheckpointLoop) Objects.requireNonNull(target);
                for (int time = 0; time < 2; time++) {
                    Throwable told = runOnce(loop);
                    holds(String.valueOf(told).contains("all PEs must keep the same"),
                            "all are told as often as they ask: " + told);
                }
            } else if (method.getName().equals("adopt")) {
                // As documented: the others recover, and wait for this PE to call the loop again.
                CheckpointLoop loop = (CheckpointLoop) Objects.requireNonNull(target);
                equal(world.size(), loop.<Integer>evaluate(Communicator::size), "PEs that go on");
            } else if (alone && target != null && !method.getName().equals(PERSIST)
                    && target.getClass().getSimpleName().endsWith("Loop")) {
                equal(null, call(method, target, right), "what the loop has come to");
            }
            goOn(subjects, met);
        }
    }

    private static @Nullable RuntimeException runOnce(CheckpointLoop loop) {
        try {
            loop.run(1, (comm, iteration) -> {});
            return null;
        } catch (RuntimeException met) {
            return met;
        }
    }

    /** Whatever has become of the call, all PEs go on together: at once where the stores are as they were. */
    private static void goOn(Subjects subjects, @Nullable Throwable met) {
        Communicator world = subjects.world;
        boolean whole = (world.agree(met instanceof CommunicationFailedException || world.isRevoked() ? 0 : 1).flags()
                & 1) != 0;
        Communicator all = world;
        if (!whole) {
            world.revoke();
            all = world.shrink();
            subjects.store.recover(all);
            subjects.rows.store().recover(all);
            subjects.loopRows.store().recover(all);
            subjects.objects.store().recover(all);
        }
        equal(world.size(), all.size(), "PEs that go on");
        long[] seen = {0};
        subjects.store.pull(BlockRanges.of(0, ROWS), (id, block) -> {
            CONTENT.check(id, block);
            seen[0]++;
        });
        equal(ROWS, seen[0], "blocks");
        equal((int) ROWS, subjects.rows.pull(BlockRanges.of(0, ROWS)).length, "rows");
        equal((int) ROWS, subjects.objects.pull(BlockRanges.of(0, ROWS)).size(), "objects");
        equal((long) world.size(), all.allReduce(1L, Reduction.SUM), "PEs in a reduction");
        if (!whole) {
            all.close();
        }
    }

    private static boolean isStatic(Executable method) {
        return method instanceof Constructor || Modifier.isStatic(method.getModifiers());
    }

    private static @Nullable Object wrongValue(Class<?> type) {
        return type == int.class ? (Object) Integer.MIN_VALUE : type == long.class ? Long.MIN_VALUE : null;
    }

    private static @Nullable Throwable call(Executable method, @Nullable Object target, @Nullable Object[] arguments) {
        try {
            Object made;
            if (method instanceof Method called) {
                called.setAccessible(true);
                made = called.invoke(target, arguments);
            } else {
                made = ((Constructor<?>) method).newInstance(arguments);
            }
            if (made instanceof PendingOperation<?> pending) {
                pending.await();
            }
            if (made instanceof AutoCloseable closeable) {
                closeable.close();
            }
            return null;
        } catch (InvocationTargetException thrown) {
            return thrown.getCause();
        } catch (RuntimeException awaited) {
            return awaited;
        } catch (Exception e) {
            throw new AssertionError(method + ": " + e, e);
        }
    }
}
