package org.restorej.demo.phylo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.awt.Color;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.cli.plot.Picture;
import org.restorej.cli.testing.SvgText;
import org.restorej.demo.phylo.run.RecoverySummary;
import org.restorej.demo.phylo.run.RunTrace;
import org.restorej.loop.Recovery.Phase;

class RunPictureTest {
    private static final Color ORANGE = Picture.COLOURS.get(4);
    private static final Color GREEN = Picture.COLOURS.get(2);
    private static final long MILLI = 1_000_000;

    @BeforeEach
    void needsFonts() {
        SvgText.requireFonts();
    }

    private static RecoverySummary recovery(int iteration, long atMillis, Integer... ranks) {
        return new RecoverySummary(iteration, List.of(ranks), 3, 0, 0, atMillis * MILLI, 5 * MILLI,
                Map.of(Phase.PULL, 5 * MILLI, Phase.REPLENISH, 2 * MILLI), 12 * MILLI);
    }

    private static RunTrace trace(int pes, RecoverySummary... recoveries) {
        return new RunTrace(pes, List.of(recoveries), null,
                List.of(new RunTrace.Value(1, 5 * MILLI, 1000), new RunTrace.Value(2, 60 * MILLI, 250)), 100 * MILLI);
    }

    /** All PEs but number 1 go through one recovery. */
    private static RunTrace trace(int pes) {
        return trace(pes, recovery(3, 20, 1));
    }

    private static RunTrace lossy(int pes, Integer... ranks) {
        RunTrace trace = trace(pes, recovery(2, 10, 0));
        return new RunTrace(pes, trace.recoveries(), new RunTrace.Loss(List.of(ranks), 3), trace.values(), 100 * MILLI);
    }

    private static SvgText draw(RunTrace trace) throws IOException {
        return SvgText.of(RunPicture.of(trace, "phylo <8 PEs>").svg());
    }

    @Test
    void hasALaneForEachPeWhatItDidAndWhatWasRecoveredFrom() throws IOException {
        SvgText svg = draw(trace(4));
        List<String> texts = svg.all("text");
        for (String text : List.of("phylo <8 PEs>", "PE 0", "PE 1", "PE 2", "PE 3", "log-likelihood", "time (ms)",
                "100", "PE 1 fails in iteration 3, recovered after 12.0 ms", "noticing a failure", "replenishing",
                "failed")) {
            assertTrue(texts.contains(text), () -> text + " is not in " + texts);
        }
        assertEquals(List.of("phylo <8 PEs>"), svg.all("title"));
        // Each of three survivors, and the legend.
        assertEquals(4, svg.filledIn(ORANGE));
        assertEquals(4, svg.filledIn(GREEN));
    }

    @Test
    void saysOfEachFailureWhoFailedAndOfManyHowManyFollow() {
        assertEquals(List.of("PEs 2 and 4 fail in iteration 5, recovered after 12.0 ms"),
                RunPicture.notes(trace(8, recovery(5, 20, 2, 4))));
        assertEquals(List.of("PEs 1, 2 and 4 fail in iteration 5, recovered after 12.0 ms",
                "7 PEs fail in iteration 6, recovered after 12.0 ms"),
                RunPicture.notes(trace(16, recovery(5, 20, 1, 2, 4), recovery(6, 40, 5, 6, 7, 8, 9, 10, 11))));
        List<String> many = RunPicture.notes(trace(64, IntStream.range(0, 30).mapToObj(i -> recovery(i, 20 + i, i))
                .toArray(RecoverySummary[]::new)));
        assertEquals(9, many.size());
        assertEquals("and 22 more failures", many.getLast());
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 0", "9, 1, 0", "30, 1, 2", "60, 1, 1", "5, 3, 10", "4, 16, 1", "9, 1, 10"})
    void tellsOfFailuresWithNoTextOnAnother(int count, int ranksEach, long millisApart) throws IOException {
        RunTrace trace = trace(64, IntStream.range(0, count)
                .mapToObj(i -> recovery(3 + i, 20 + i * millisApart,
                        IntStream.range(i * ranksEach, (i + 1) * ranksEach).boxed().toArray(Integer[]::new)))
                .toArray(RecoverySummary[]::new));
        SvgText svg = draw(trace);
        svg.assertReadable();
        assertTrue(svg.all("text").containsAll(RunPicture.notes(trace)), svg.all("text")::toString);
    }

    @Test
    void leavesOutLivingPesWhenThereAreTooManyToTellApart() throws IOException {
        SvgText svg = draw(trace(1000));
        assertEquals(RunPicture.MAX_LANES - 1 + 1, svg.filledIn(ORANGE));
        assertTrue(svg.all("text").contains("PE 1 fails in iteration 3, recovered after 12.0 ms"));
    }

    @Test
    void drawsARunInWhichNothingHappened() throws IOException {
        assertFalse(draw(new RunTrace(1, List.of(), null, List.of(), 0)).all("text").isEmpty());
    }

    @Test
    void travelsBetweenProcesses() throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        RecoverySummary unplanned = new RecoverySummary(1, List.of(0), 3, 5, 40, MILLI, null, Map.of(), 2 * MILLI);
        for (RunTrace trace : List.of(trace(3), lossy(3, 1), trace(4, unplanned))) {
            assertEquals(trace, mapper.readValue(mapper.writeValueAsString(trace), RunTrace.class));
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 0.4", "3, 3, 3", "-5719.4281, -5719.42786, -5719.428",
            "-5719.43, -5711.5, -5715"})
    void labelsValuesWithRoundNumbers(double first, double last, String expected) throws IOException {
        SvgText svg = draw(new RunTrace(2, trace(2).recoveries(), null, List.of(new RunTrace.Value(1, 5 * MILLI, first),
                new RunTrace.Value(2, 60 * MILLI, last)), 100 * MILLI));
        svg.assertReadable();
        assertTrue(svg.all("text").contains(expected), svg.all("text")::toString);
    }

    @ParameterizedTest
    @CsvSource({"100, time (ms), 0 50 100", "3000, time (s), 0 1 2 3"})
    void labelsTheTimeInMillisecondsOrSeconds(long millis, String label, String expected) throws IOException {
        SvgText svg = draw(new RunTrace(2, trace(2).recoveries(), null, trace(2).values(), millis * MILLI));
        List<String> texts = svg.all("text");
        assertTrue(texts.contains(label) && texts.containsAll(List.of(expected.split(" ", -1))), texts::toString);
    }
}
