package org.restorej.internal.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.restorej.internal.coding.Decoding;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.CodedLayout;
import org.restorej.testing.Failures;
import org.restorej.testing.SeededLaw;

/** What is read to compute lost blocks, compared with what the rules say, written down once more and slowly. */
class DecodingPlannerTest {
    private static final long FIRST_SLOT = 1000;

    /** One planner of a PE alive, and who has which part of a row. */
    private static final class Plans {
        private final CodedLayout layout;
        private final BlockDirectory directory;
        private final int requester;
        private final DecodingPlanner planner;
        private final int[] holderOfPart;
        private long row = -1;

        Plans(CodedScenario scenario, int requester, boolean readsOnce) {
            layout = scenario.layout();
            directory = scenario.directory();
            this.requester = requester;
            planner = new DecodingPlanner(directory, layout, requester, FIRST_SLOT, readsOnce);
            holderOfPart = new int[layout.parts()];
        }

        /** Plans positions, and says what has been planned; nothing when they are lost. */
        private Optional<Decoding> plan(long position, long count, long slot) {
            row = layout.rowOf(position);
            directory.soundParts(position, holderOfPart);
            return planner.plan(position, count, slot)
                    ? Optional.of(planner.take().getLast())
                    : Optional.empty();
        }

        private IntStream sound() {
            return IntStream.range(0, layout.parts()).filter(part -> holderOfPart[part] != BlockDirectory.LOST);
        }

        /** Parts whose turn comes first among those that are alike. */
        private int turn(int part) {
            return (int) Math.floorMod(part - row, (long) layout.parts());
        }

        private boolean isEmpty(int part) {
            return layout.blocksIn(row, part) == 0;
        }

        /** The order in which parts are chosen: empty ones, the requester's, others by turn. */
        private int rankOf(int part) {
            int turns = layout.parts();
            if (isEmpty(part)) {
                return part;
            }
            return holderOfPart[part] == requester ? turns + part : 2 * turns + turn(part);
        }

        private int[] expectedParts() {
            return sound().boxed().sorted(Comparator.comparingInt(this::rankOf)).limit(layout.dataParts())
                    .mapToInt(part -> part).sorted().toArray();
        }

        /** Blocks of a part in the same places of the same rows. */
        private long blocksBeside(int part, long position, long count) {
            return LongStream.range(position, position + count)
                    .filter(each -> each % layout.cellBlocks() < layout.blocksIn(layout.rowOf(each), part)).count();
        }

        private void check(Decoding planned, long position, long count, long slot, int[] expectedParts) {
            assertEquals(List.of(position, count, slot),
                    List.of(planned.position(), planned.count(), planned.slot()));
            assertArrayEquals(expectedParts, planned.sourceParts());
            long nextSlot = planned.sourceSlots()[0];
            for (int i = 0; i < expectedParts.length; i++) {
                assertEquals(nextSlot, planned.sourceSlots()[i]);
                nextSlot += count;
                assertEquals(blocksBeside(expectedParts[i], position, count), planned.sourceCounts()[i]);
            }
            assertEquals(nextSlot, planner.endSlot());
        }
    }

    private static long maxCount(CodedLayout layout, long position, Random random) {
        long end = layout.cellEnd(position);
        if (random.nextBoolean()) {
            // The rows behind it in the same part of the range are next.
            long row = layout.rowOf(position);
            int range = layout.placement().rangeOf(position);
            end += (layout.firstRow(range) + layout.rowsIn(range) - 1 - row) * layout.cellBlocks();
        }
        return end - position;
    }

    /** Some lost positions, with as many as are computed together. */
    private interface LostPositions {
        void accept(Plans plans, long position, long count);
    }

    private static void forLostPositions(Random random, boolean readsOnce, LostPositions test) {
        CodedScenario whole = CodedScenario.random(random);
        CodedScenario scenario = whole.without(
                Failures.some(whole.peCount(), random.nextInt(whole.layout().parityParts() + 2), random));
        int[] alive = Failures.alive(scenario.directory().replicaMap().everFailed(), whole.peCount());
        if (alive.length == 0) {
            return;
        }
        Plans plans = new Plans(scenario, alive[random.nextInt(alive.length)], readsOnce);
        CodedLayout layout = scenario.layout();
        for (long position = 0; position < layout.placement().blockCount(); position++) {
            if (scenario.directory().replicaMap().holderOfPart(position) == BlockDirectory.LOST) {
                test.accept(plans, position, 1 + random.nextLong(maxCount(layout, position, random)));
            }
        }
    }

    @Test
    void soundPartsAreReadAsTheRulesSay() {
        SeededLaw.holds(300, random -> forLostPositions(random, false, (plans, position, count) -> {
            Optional<Decoding> lostOrPlanned = plans.plan(position, count, position);
            CodedLayout layout = plans.layout;
            if (layout.blocksIn(plans.row, layout.partOf(position)) == 0) {
                Decoding planned = lostOrPlanned.orElseThrow();
                assertEquals(0, planned.sourceParts().length, "zeros");
                assertEquals(0, plans.planner.reads());
                assertEquals(List.of(position, count, position),
                        List.of(planned.position(), planned.count(), planned.slot()));
            } else if (plans.sound().count() < layout.dataParts()) {
                assertEquals(Optional.empty(), lostOrPlanned, "nothing that could be computed");
            } else {
                plans.check(lostOrPlanned.orElseThrow(), position, count, position, plans.expectedParts());
            }
        }));
    }

    @Test
    void whatIsReadIsThereAndHasItsSlots() {
        SeededLaw.holds(300, random -> forLostPositions(random, false, (plans, position, count) -> {
            DecodingPlanner planner = plans.planner;
            plans.directory.soundParts(position, plans.holderOfPart);
            CodedLayout layout = plans.layout;
            if (!planner.plan(position, count, 0)) {
                return;
            }
            for (int i = 0; i < planner.reads(); i++) {
                int part = layout.partOf(planner.position(i));
                assertEquals(plans.holderOfPart[part], planner.server(i));
                assertEquals(layout.rowOf(position), layout.rowOf(planner.position(i)));
                assertEquals(position % layout.cellBlocks(), planner.position(i) % layout.cellBlocks());
                assertTrue(planner.count(i) > 0);
            }
            List<Long> slots = IntStream.range(0, planner.reads()).mapToObj(planner::slot).toList();
            List<Long> counts = IntStream.range(0, planner.reads()).mapToObj(planner::count).toList();
            Decoding planned = planner.take().getFirst();
            long[] sourceCounts = planned.sourceCounts();
            long[] sourceSlots = planned.sourceSlots();
            int[] withBlocks = IntStream.range(0, sourceCounts.length).filter(i -> sourceCounts[i] > 0).toArray();
            assertEquals(IntStream.of(withBlocks).mapToObj(i -> sourceSlots[i]).toList(), slots);
            assertEquals(IntStream.of(withBlocks).mapToObj(i -> sourceCounts[i]).toList(), counts);
        }));
    }

    @Test
    void lostCellsOfTheSameRowsAreComputedFromTheSame() {
        SeededLaw.holds(300, random -> forLostPositions(random, true, (plans, position, count) -> {
            CodedLayout layout = plans.layout;
            DecodingPlanner planner = plans.planner;
            if (layout.blocksIn(layout.rowOf(position), layout.partOf(position)) == 0
                    || !planner.plan(position, count, 0)) {
                return;
            }
            long endSlot = planner.endSlot();
            for (int part = 0; part < layout.parts(); part++) {
                long row = layout.rowOf(position);
                long beside = layout.cell(row, part) + position % layout.cellBlocks();
                if (plans.directory.replicaMap().holderOfPart(beside) == BlockDirectory.LOST
                        && layout.blocksIn(row, part) > 0) {
                    assertTrue(planner.plan(beside, count, 7));
                    assertEquals(0, planner.reads(), "nothing is read again");
                    assertEquals(endSlot, planner.endSlot());
                }
            }
            List<Decoding> planned = planner.take();
            planned.forEach(each -> assertArrayEquals(planned.getFirst().sourceParts(), each.sourceParts()));
            planned.forEach(each -> assertArrayEquals(planned.getFirst().sourceSlots(), each.sourceSlots()));
            assertEquals(7, planned.getLast().slot());
        }));
    }
}
