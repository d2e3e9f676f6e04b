package org.restorej.demo.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.awt.Color;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.cli.plot.Picture;
import org.restorej.cli.testing.SvgText;
import org.restorej.demo.run.Activity;
import org.restorej.demo.run.RunTrace;

class RunPictureTest {
    private static final Color ORANGE = Picture.COLOURS.get(4);
    private static final Color GREEN = Picture.COLOURS.get(2);
    private static final long MILLI = 1_000_000;

    @BeforeEach
    void needsFonts() {
        SvgText.requireFonts();
    }

    private static RunTrace.Span span(Activity activity, long fromMillis, long toMillis) {
        return new RunTrace.Span(activity, fromMillis * MILLI, toMillis * MILLI);
    }

    /** All PEs but number 1 go through one recovery. */
    private static RunTrace trace(int pes, @Nullable Long recoveredNanos) {
        List<RunTrace.Lane> lanes = IntStream.range(0, pes).mapToObj(rank -> new RunTrace.Lane(rank, rank == 1
                ? List.of(span(Activity.COMPUTE, 0, 10), span(Activity.COMPUTE, 10, 20))
                : List.of(span(Activity.COMPUTE, 0, 20), span(Activity.NOTICE, 20, 25), span(Activity.PULL, 25, 30),
                        span(Activity.REPLENISH, 30, 32), span(Activity.COMPUTE, 32, 100))))
                .toList();
        return new RunTrace(lanes, List.of(new RunTrace.Failure(List.of(1), 3, 20 * MILLI, recoveredNanos)),
                List.of(new RunTrace.Value(1, 5 * MILLI, 1000), new RunTrace.Value(2, 60 * MILLI, 250)), 100 * MILLI);
    }

    private static SvgText draw(RunTrace trace) throws IOException {
        return SvgText.of(RunPicture.of(trace, "kmeans <8 PEs>", "inertia").svg());
    }

    @Test
    void hasALaneForEachPeWhatItDidAndWhatWasRecoveredFrom() throws IOException {
        SvgText svg = draw(trace(4, 32 * MILLI));
        List<String> texts = svg.all("text");
        for (String text : List.of("kmeans <8 PEs>", "PE 0", "PE 1", "PE 2", "PE 3", "inertia", "time (ms)", "100",
                "PE 1 fails in iteration 3, recovered after 12.0 ms", "noticing a failure", "replenishing", "failed")) {
            assertTrue(texts.contains(text), () -> text + " is not in " + texts);
        }
        assertEquals(List.of("kmeans <8 PEs>"), svg.all("title"));
        // Each of three survivors, and the legend.
        assertEquals(4, svg.filledIn(ORANGE));
        assertEquals(4, svg.filledIn(GREEN));
    }

    @Test
    void isTheSameToTheLastByteEveryTime() {
        Picture picture = RunPicture.of(trace(8, 32 * MILLI), "title", "inertia");
        assertEquals(picture.svg(), RunPicture.of(trace(8, 32 * MILLI), "title", "inertia").svg());
    }

    @Test
    void saysThatDataAreLost() throws IOException {
        assertTrue(draw(trace(2, null)).all("text").contains("PE 1 fails in iteration 3, data lost"));
    }

    private static RunTrace.Failure failure(int iteration, Integer... ranks) {
        return new RunTrace.Failure(List.of(ranks), iteration, 20 * MILLI, 32 * MILLI);
    }

    @Test
    void saysOfEachFailureWhoFailedAndOfManyHowManyFollow() {
        assertEquals(List.of("PEs 2 and 4 fail in iteration 5, recovered after 12.0 ms"),
                FailureNote.of(List.of(failure(5, 2, 4))));
        assertEquals(List.of("PEs 1, 2 and 4 fail in iteration 5, recovered after 12.0 ms",
                "7 PEs fail in iteration 6, recovered after 12.0 ms"),
                FailureNote.of(List.of(failure(5, 1, 2, 4), failure(6, 5, 6, 7, 8, 9, 10, 11))));
        List<String> many = FailureNote.of(Collections.nCopies(30, failure(5, 2, 4)));
        assertEquals(9, many.size());
        assertEquals("and 44 more PEs in 22 failures", many.getLast());
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 0", "9, 1, 0", "30, 1, 2", "60, 1, 1", "5, 3, 10", "4, 16, 1", "9, 1, 10"})
    void tellsOfFailuresWithNoTextOnAnother(int count, int ranksEach, long millisApart) throws IOException {
        List<RunTrace.Failure> failures = IntStream.range(0, count)
                .mapToObj(i -> new RunTrace.Failure(
                        IntStream.range(i * ranksEach, (i + 1) * ranksEach).boxed().toList(), 3 + i,
                        (20 + i * millisApart) * MILLI, (21 + i * millisApart) * MILLI))
                .toList();
        RunTrace plain = trace(64, null);
        SvgText svg = draw(new RunTrace(plain.lanes(), failures, plain.values(), plain.endNanos()));
        svg.assertReadable();
        assertTrue(svg.all("text").containsAll(FailureNote.of(failures)), svg.all("text")::toString);
    }

    @Test
    void leavesOutLivingPesWhenThereAreTooManyToTellApart() throws IOException {
        SvgText svg = draw(trace(1000, 32 * MILLI));
        assertEquals(RunPicture.MAX_LANES - 1 + 1, svg.filledIn(ORANGE));
        assertTrue(svg.all("text").contains("PE 1 fails in iteration 3, recovered after 12.0 ms"));
    }

    @Test
    void drawsARunInWhichNothingHappened() throws IOException {
        RunTrace nothing = new RunTrace(List.of(new RunTrace.Lane(0, List.of())), List.of(), List.of(), 0);
        assertFalse(draw(nothing).all("text").isEmpty());
    }

    @Test
    void travelsBetweenProcesses() throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        for (RunTrace trace : List.of(trace(3, 32 * MILLI), trace(3, null))) {
            assertEquals(trace, mapper.readValue(mapper.writeValueAsString(trace), RunTrace.class));
        }
    }

    @Test
    void refusesSpansThatEndBeforeTheyBegin() {
        assertEquals("a span can't end before it begins: fromNanos=2000000, toNanos=1000000",
                assertThrows(IllegalArgumentException.class, () -> span(Activity.PULL, 2, 1)).getMessage());
    }

    @ParameterizedTest
    @CsvSource({"1e-7, 1, 1e-6", "0, 1, 0.4", "3, 3, 3", "-5719.4281, -5719.42786, -5719.428",
            "-5719.43, -5711.5, -5715"})
    void labelsValuesWithRoundNumbers(double first, double last, String expected) throws IOException {
        RunTrace plain = trace(2, 32 * MILLI);
        SvgText svg = draw(
                new RunTrace(plain.lanes(), plain.failures(), List.of(new RunTrace.Value(1, 5 * MILLI, first),
                        new RunTrace.Value(2, 60 * MILLI, last)), plain.endNanos()));
        svg.assertReadable();
        assertTrue(svg.all("text").contains(expected), svg.all("text")::toString);
    }

    @ParameterizedTest
    @CsvSource({"100, time (ms), 0 50 100", "3000, time (s), 0 1 2 3"})
    void labelsTheTimeInMillisecondsOrSeconds(long millis, String label, String expected) throws IOException {
        RunTrace plain = trace(2, 32 * MILLI);
        SvgText svg = draw(new RunTrace(plain.lanes(), plain.failures(), plain.values(), millis * MILLI));
        List<String> texts = svg.all("text");
        assertTrue(texts.contains(label) && texts.containsAll(List.of(expected.split(" ", -1))), texts::toString);
    }
}
