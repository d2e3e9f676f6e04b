package org.restorej.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.Measurement;
import org.restorej.bench.result.Samples;

class GoalTest {
    private static final Goal WIRE = Goal.parse("Submit ; bytes=64 ; wire ; 1.3");

    private static BenchmarkKey submit(String method, String... more) {
        BenchmarkKey key = Samples.key("SubmitBenchmark.run", "pes", "4", "bytes", "64", "method", method);
        for (int i = 0; i < more.length; i += 2) {
            key = key.with(more[i], more[i + 1]);
        }
        return key;
    }

    private static String text(Measurement... measurements) {
        return MarkdownReport.goals(List.of(WIRE), List.of(measurements));
    }

    @Test
    void comparesWithARivalOfTheSameRun() {
        assertTrue(text(Samples.of(submit("restore"), 26), Samples.of(submit("wire"), 20),
                Samples.of(submit("files"), 1)).contains("""
                        | Submit | bytes 64 B, pes 4 | 26.0 ms | wire | 20.0 ms | 1.30 | 1.30 | yes |
                        """));
        assertTrue(text(Samples.of(submit("restore"), 27), Samples.of(submit("wire"), 20))
                .contains("| 1.35 | 1.30 | no |"));
    }

    @Test
    void aRivalNeedsOnlyTheParametersThatItHas() {
        String text = text(Samples.of(submit("restore", "calls", "1", "transport", "native"), 26),
                Samples.of(submit("wire", "pes", "8"), 1), Samples.of(submit("wire"), 20));
        assertTrue(text.contains("| bytes 64 B, calls 1, pes 4, transport native | 26.0 ms | wire | 20.0 ms |"), text);
    }

    @Test
    void saysNothingWithoutTheRivalOrOfOtherParameters() {
        assertEquals("", text(Samples.of(submit("restore"), 26)));
        assertEquals("", text(Samples.of(submit("restore"), 26), Samples.of(submit("wire", "pes", "8"), 20)));
        assertEquals("", text(Samples.of(submit("restore", "bytes", "16"), 26),
                Samples.of(submit("wire", "bytes", "16"), 20)));
        assertEquals("", text(Samples.of(submit("wire"), 26), Samples.of(submit("restore", "pes", "8"), 20)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Submit", "Submit ; pes=4 ; wire ; fast", "Submit ; 64 ; wire ; 1"})
    void refusesALineThatIsNoGoalAndShowsIt(String line) {
        IllegalArgumentException wrong = assertThrows(IllegalArgumentException.class, () -> Goal.parse(line));
        assertTrue(String.valueOf(wrong.getMessage()).endsWith("'" + line + "'"), wrong::toString);
    }

    @Test
    void theFileHasGoals() {
        assertFalse(Goal.ALL.isEmpty());
    }
}
