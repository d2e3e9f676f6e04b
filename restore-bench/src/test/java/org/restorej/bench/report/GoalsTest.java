package org.restorej.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.Measurement;
import org.restorej.bench.result.Samples;

class GoalsTest {
    private static final Goal WIRE = Goal.parse("Submit ; method=restore, blockBytes=64 ; time ; method=wire ; 1.3");

    private static BenchmarkKey submit(String method, String... more) {
        BenchmarkKey key = Samples.key("SubmitBenchmark.run", "pes", "4", "blockBytes", "64", "method", method);
        for (int i = 0; i < more.length; i += 2) {
            key = key.with(more[i], more[i + 1]);
        }
        return key;
    }

    private static String text(Goal goal, Measurement... measurements) {
        return Goals.text(List.of(goal), List.of(measurements));
    }

    @Test
    void comparesWithARivalOfTheSameRun() {
        assertTrue(text(WIRE, Samples.of(submit("restore"), 26), Samples.of(submit("wire"), 20),
                Samples.of(submit("files"), 1)).contains("""
                        | Submit | pes 4 | 26.0 ms  | method=wire | 20.0 ms | 1.30  | 1.30    | yes     |
                        """));
        assertTrue(text(WIRE, Samples.of(submit("restore"), 27), Samples.of(submit("wire"), 20))
                .contains("| 1.35  | 1.30    | no      |"));
    }

    @Test
    void aRivalNeedsOnlyTheParametersThatItHas() {
        String text = text(WIRE, Samples.of(submit("restore", "jvm", "default", "transport", "native"), 26),
                Samples.of(submit("wire", "pes", "8"), 1), Samples.of(submit("wire"), 20));
        assertTrue(text.contains("| jvm default, pes 4, transport native | 26.0 ms  | method=wire | 20.0 ms |"), text);
    }

    @Test
    void saysNothingWithoutTheRivalOrOfOtherParameters() {
        assertEquals("", text(WIRE, Samples.of(submit("restore"), 26)));
        assertEquals("", text(WIRE, Samples.of(submit("restore"), 26), Samples.of(submit("wire", "pes", "8"), 20)));
        assertEquals("", text(WIRE, Samples.of(submit("restore", "blockBytes", "16"), 26),
                Samples.of(submit("wire", "blockBytes", "16"), 20)));
        assertEquals("", text(WIRE, Samples.of(submit("wire"), 26), Samples.of(submit("restore", "pes", "8"), 20)));
    }

    @Test
    void comparesWithAnotherValueOfAParameter() {
        Goal goal = Goal.parse("Submit ; method=restore, blockBytes=16 ; time ; blockBytes=64 ; 2");
        assertTrue(text(goal, Samples.of(submit("restore", "blockBytes", "16"), 50), Samples.of(submit("restore"), 20))
                .contains("| 50.0 ms  | blockBytes=64 | 20.0 ms | 2.50  | 2.00    | no      |"));
    }

    @Test
    void comparesCountersWithEachOtherOrWithANumber() {
        double mebibyte = 1 << 20;
        Measurement pull = new Measurement(submit("restore"), "ms/op", List.of(1.0), OptionalDouble.empty(),
                Map.of("memoryBytes", 131 * mebibyte, "replicaBytes", 64 * mebibyte));
        assertTrue(text(Goal.parse("Submit ; ; memoryBytes ; replicaBytes ; 2.05"), pull)
                .contains("| 131 MiB  | replicaBytes | 64.0 MiB | 2.05  | 2.05    | yes     |"));
        String alone = text(Goal.parse("Submit ; ; memoryBytes ; - ; 83886080"), pull);
        assertTrue(alone.contains("| Submit, memoryBytes |"), alone);
        assertTrue(alone.contains("| 131 MiB  |        |     |       | 80.0 MiB | no      |"), alone);
        assertEquals("", text(Goal.parse("Submit ; ; otherBytes ; - ; 1"), pull));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Submit", "Submit ; ; time ; method=wire ; fast", "Submit ; 64 ; time ; method=wire ; 1"})
    void refusesALineThatIsNoGoalAndShowsIt(String line) {
        IllegalArgumentException wrong = assertThrows(IllegalArgumentException.class, () -> Goal.parse(line));
        assertTrue(String.valueOf(wrong.getMessage()).endsWith("'" + line + "'"), wrong::toString);
    }

    @Test
    void noGoalOfTheFileIsATimeWithoutARival() {
        assertFalse(Goals.ALL.isEmpty());
        Goals.ALL.forEach(goal -> assertFalse(
                goal.quantity().equals(Goal.TIME) && !goal.beside().contains("="), goal::toString));
    }
}
