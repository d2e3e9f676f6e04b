package org.restorej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.SmallLoops.ROWS;
import static org.restorej.SmallLoops.array;
import static org.restorej.SmallLoops.dieOnce;
import static org.restorej.SmallLoops.loop;
import static org.restorej.SmallLoops.misused;
import static org.restorej.SmallLoops.refused;
import static org.restorej.SmallLoops.sameText;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.codec.BlockSerializer;
import org.restorej.codec.Codecs;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.local.LocalCluster;
import org.restorej.loop.CheckpointLoop;
import org.restorej.loop.LoopData;
import org.restorej.loop.LoopValue;
import org.restorej.objects.LocalObjects;
import org.restorej.objects.ReplicatedObjects;
import org.restorej.rows.LocalRows;
import org.restorej.rows.ReplicatedArray;

/** What the loop does with programs that use it wrongly. */
class CheckpointLoopMisuseTest {
    @Test
    void wrongUseIsRefused() {
        LocalCluster.run(1, world -> {
            try (ReplicatedArray<int[]> array = ReplicatedArray.ofInts(ReStore.builder(world).replication(1), 10, 1);
                    CheckpointLoop other = loop(world, 11);
                    CheckpointLoop loop = loop(world, 10)) {
                assertEquals("the balancer must hand out as many blocks as the store has: it has 11, the store 10",
                        refused(() -> other.keep(array.local(SmallLoops::zeros))));
                assertEquals("values must be 10 rows of 1 elements: length=3",
                        refused(() -> loop.keep(array.local(mine -> new int[3]))));
                loop.keep(array.local(SmallLoops::zeros));
                assertEquals("data must be of a store that the loop doesn't keep yet: this one is kept already",
                        refused(() -> loop.keep(array.local(SmallLoops::zeros))));
                LoopValue<Long> value = loop.value(Codecs.LONG, 0L);
                assertEquals("a value of a loop is set in an iteration, so that the loop can go back to what it was"
                        + " before: value=1", misused(() -> value.set(1L)));
                assertEquals(2, loop.runWhile(Long.MAX_VALUE, (comm, iteration) -> iteration < 1));
                assertEquals("keep must be called before the first run or evaluate",
                        misused(() -> loop.keep(array.local(SmallLoops::zeros))));
                assertEquals("value must be called before the first run or evaluate",
                        misused(() -> loop.value(Codecs.LONG, 0L)));
                return 0;
            }
        });
    }

    @Test
    void stepsThatDisagreeOnTheEndAreRefusedOnAllPes() {
        List<String> messages = LocalCluster.run(3, world -> {
            try (CheckpointLoop loop = loop(world, 10)) {
                return misused(() -> loop.runWhile(5, (comm, iteration) -> comm.rank() != 1 || iteration < 2));
            }
        });
        assertEquals(1, Set.copyOf(messages).size(), messages::toString);
        assertTrue(messages.getFirst().startsWith("all PEs must do the same iterations: of those from 0 on"),
                messages::toString);
    }

    /** Somebody does an iteration less, and both go on. */
    @Test
    void differentNumbersOfIterationsAreRefusedOnAllPes() {
        List<String> messages = LocalCluster.run(3, world -> {
            try (CheckpointLoop loop = loop(world, 10)) {
                return misused(() -> loop.run(4 + world.rank(), (comm, iteration) -> {}));
            }
        });
        assertEquals(
                Set.of("all PEs must do the same iterations: of those from 0 on some PEs have done more than others"),
                Set.copyOf(messages));
    }

    @Test
    void theLoopIsNotCalledFromInside() {
        LocalCluster.run(1, world -> {
            CheckpointLoop loop = loop(world, 10);
            loop.run(1, (comm, iteration) -> assertEquals(
                    "what the loop calls, such as an iteration, must not call the loop",
                    misused(() -> loop.evaluate(Communicator::rank))));
            loop.evaluate(comm -> misused(() -> loop.run(2, (inner, iteration) -> {})));
            assertEquals(1, loop.iteration());
            loop.close();
            return sameText("the loop is closed", misused(() -> loop.run(2, (comm, iteration) -> {})));
        });
    }

    /** Otherwise a failure would bring back what somebody else has submitted. */
    @Test
    void nobodyElseSubmitsToAStoreThatALoopKeeps() {
        LocalCluster.run(2, world -> {
            try (ReplicatedArray<int[]> array = array(world); CheckpointLoop loop = loop(world, ROWS)) {
                LocalRows<int[]> rows = loop.keep(array.local(SmallLoops::zeros));
                loop.run(1, (comm, iteration) -> {});
                return sameText("the blocks of this PE can't be submitted after iteration 2: "
                        + "java.lang.IllegalStateException: only the loop may submit to a store that it keeps: "
                        + "generation 2 was the loop's last, and now it is 3",
                        refused(() -> loop.run(2, (comm, iteration) -> array.submit(rows.ids(), rows.values()))));
            }
        });
    }

    /** Also where no iteration has come to its end since. */
    @Test
    void aGenerationOfSomebodyElseIsNotReadAfterAFailure() {
        List<String> messages = LocalCluster.run(3, world -> {
            try (ReplicatedArray<int[]> array = array(world); CheckpointLoop loop = loop(world, ROWS)) {
                LocalRows<int[]> rows = loop.keep(array.local(SmallLoops::zeros));
                loop.run(1, (comm, iteration) -> {});
                array.submit(rows.ids(), rows.values());
                return misused(() -> loop.run(2, (comm, iteration) -> {
                    dieOnce(comm, world, 2);
                    comm.allReduce(1L, Reduction.SUM);
                }));
            }
        });
        assertEquals(List.of("only the loop may submit to a store that it keeps: generation 2 was the loop's last, and "
                + "now it is 3"), messages.stream().distinct().toList());
    }

    @Test
    void aBalancerOfOtherPesIsRefused() {
        LocalCluster.run(3, world -> {
            try (ReplicatedArray<int[]> array = ReplicatedArray.ofInts(ReStore.builder(world).spares(1), ROWS, 1);
                    CheckpointLoop loop = loop(world, ROWS)) {
                return sameText("the balancer must hand out blocks to as many PEs as the store has, without spares: "
                        + "it has 3, the store 2",
                        refused(() -> loop.keep(array.local(SmallLoops::zeros))));
            }
        });
    }

    /** Its communicator is revoked by the first recovery, and would be again and again. */
    @Test
    void iterationsThatUseAnotherCommunicatorAreFound() {
        List<String> messages = LocalCluster.run(3, world -> {
            try (ReplicatedArray<int[]> array = array(world); CheckpointLoop loop = loop(world, ROWS)) {
                loop.keep(array.local(SmallLoops::zeros));
                int[] tries = {0};
                return misused(() -> loop.run(3, (comm, iteration) -> {
                    assertTrue(tries[0]++ < 100, "tried again and again");
                    dieOnce(comm, world, 2);
                    world.allReduce(1L, Reduction.SUM);
                }));
            }
        });
        assertEquals(Set.of("the same iterations have failed 10 times although no PE has failed: they must use the "
                + "communicator that they are given"), Set.copyOf(messages));
    }

    /** Also in the background: all PEs throw, and all can go on when the mistake is mended. */
    @Test
    void anObjectThatCantBeSerializedIsRefusedOnAllPes() {
        for (UnaryOperator<CheckpointLoop> options : List.<UnaryOperator<CheckpointLoop>>of(loop -> loop,
                CheckpointLoop::inBackground)) {
            LocalCluster.run(3, world -> {
                try (ReplicatedObjects<Long> store = ReplicatedObjects.of(ReStore.builder(world), ROWS, new Positive());
                        CheckpointLoop loop = options.apply(loop(world, ROWS))) {
                    LocalObjects<Long> objects = loop.keep(store.local(id -> id + 1));
                    boolean[] mistaken = {true};
                    CheckpointLoop.Step step = (comm, iteration) -> {
                        if (mistaken[0] && world.rank() == 1) {
                            objects.set(objects.ids().blockAt(0), -1L);
                        }
                    };
                    assertThrows(InvalidSubmissionException.class, () -> loop.run(2, step));
                    mistaken[0] = false;
                    loop.run(2, step);
                    assertEquals(List.copyOf(objects.values()), objects.values().stream().map(Math::abs).toList());
                    return loop.communicator().size();
                }
            }).forEach(size -> assertEquals(3, size, "nobody has ended"));
        }
    }

    /** A PE that doesn't submit one of its blocks would keep an old one of it. */
    @Test
    void blocksThatAreLeftOutAreFound() {
        for (UnaryOperator<CheckpointLoop> options : List.<UnaryOperator<CheckpointLoop>>of(loop -> loop,
                CheckpointLoop::inBackground)) {
            LocalCluster.run(2, world -> {
                try (ReStore store = ReStore.builder(world).blocks(ROWS).blockSizeBytes(8).build();
                        CheckpointLoop loop = options.apply(loop(world, ROWS))) {
                    Forgetful data = new Forgetful(store);
                    loop.keep(data);
                    loop.run(1, (comm, iteration) -> {});
                    data.forgets = world.rank() == 1;
                    assertThrows(InvalidSubmissionException.class, () -> loop.run(2, (comm, iteration) -> {}));
                    return 0;
                }
            });
        }
    }

    private static final class Positive implements BlockSerializer<Long> {
        @Override
        public OptionalLong fixedSizeBytes() {
            return OptionalLong.of(Long.BYTES);
        }

        @Override
        public long sizeBytes(Long object) {
            return Long.BYTES;
        }

        @Override
        public void write(Long object, MemorySegment block) {
            if (object < 0) {
                throw new ArithmeticException("negative: " + object);
            }
            Codecs.LONG.write(object, block);
        }

        @Override
        public Long read(MemorySegment block) {
            return Codecs.LONG.read(block);
        }
    }

    private static final class Forgetful extends LoopData {
        private BlockRanges mine = BlockRanges.EMPTY;
        private boolean forgets;

        Forgetful(ReStore store) {
            super(store);
        }

        @Override
        protected void initialize(BlockRanges blocks) {
            mine = blocks;
        }

        @Override
        protected Submission submission() {
            Submission submission = new Submission();
            for (BlockRange run : mine.runs()) {
                submission.add(forgets ? BlockRange.of(run.first(), run.count() - 1) : run, (id, block) -> {});
            }
            return submission;
        }

        @Override
        protected void takeOver(PulledBlocks blocks, BlockRanges all) {
            mine = all;
        }
    }
}
