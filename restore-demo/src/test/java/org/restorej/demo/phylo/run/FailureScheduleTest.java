package org.restorej.demo.phylo.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import it.unimi.dsi.fastutil.ints.IntSet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.RankMap;
import org.restorej.demo.phylo.run.FailureSchedule.Failure;

class FailureScheduleTest {
    private static FailureSchedule schedule(String text) {
        List<String> errors = new ArrayList<>();
        FailureSchedule schedule = FailureSchedule.parse(text, errors);
        assertEquals(List.of(), errors);
        return schedule;
    }

    @Test
    void readsFailuresInAnyOrderAndSortsThem() {
        assertEquals(List.of(new Failure(2, 4), new Failure(0, 9), new Failure(7, 9)),
                schedule("7@9, 2@4,0@9").failures());
        assertEquals("2@4,0@9,7@9", schedule("7@9,2@4,0@9").toString());
        assertEquals(FailureSchedule.NONE, schedule("none"));
        assertEquals("none", FailureSchedule.NONE.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "3", "@", "3@", "@3", "a@1", "1@b", "1@2@3", "1@2,", "99999999999@1", "1 @ 2"})
    void namesWhatIsNoFailure(String text) {
        List<String> errors = new ArrayList<>();
        FailureSchedule.parse("5@5," + text, errors);
        assertEquals(1, errors.size(), errors::toString);
        assertTrue(errors.getFirst().contains("RANK@ITERATION"), errors::toString);
    }

    @Test
    void reportsAllFailuresThatCanNotHappen() {
        assertEquals(List.of(), schedule("0@1,1@10,2@10").errors(4, 10));
        assertEquals(List.of("the iteration must be in 1..10: 1@0", "the rank must be in 0..3: -1@1",
                "the rank must be in 0..3: 4@2", "rank 1 can't fail twice: 1@3",
                "the iteration must be in 1..10: 2@11"), schedule("4@2,-1@1,1@0,2@11,1@3").errors(4, 10));
        assertEquals(List.of("a PE must be left: all 2 of them are to fail"), schedule("0@1,1@2").errors(2, 2));
    }

    @Test
    void namesThoseStillAliveByTheirRanksOfToday() {
        FailureSchedule schedule = schedule("1@2,3@2,5@3");
        RankMap everybody = RankMap.identity(6);
        assertEquals(IntSet.of(), schedule.currentRanksFailingAt(1, everybody));
        assertEquals(IntSet.of(1, 3), schedule.currentRanksFailingAt(2, everybody));
        RankMap withoutOne = everybody.without(1);
        assertEquals(IntSet.of(2), schedule.currentRanksFailingAt(2, withoutOne));
        assertEquals(IntSet.of(4), schedule.currentRanksFailingAt(3, withoutOne));
        assertEquals(IntSet.of(), schedule.currentRanksFailingAt(2, everybody.without(1, 3)));
    }

    @Test
    void knowsWhatIsStillToCome() {
        assertEquals(schedule("5@3"), schedule("1@2,5@3").after(2));
        assertTrue(schedule("1@2,5@3").after(3).isEmpty());
    }
}
