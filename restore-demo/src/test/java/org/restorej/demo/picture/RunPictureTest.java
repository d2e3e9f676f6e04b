package org.restorej.demo.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
    private static final String ORANGE = "rgb(230,159,0)";
    private static final String GREEN = "rgb(0,158,115)";
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
        assertEquals(4, svg.rectangles(ORANGE));
        assertEquals(4, svg.rectangles(GREEN));
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

    @Test
    void saysOfJoinedDeathsWhichLostData() {
        DeathNote recovered = new DeathNote(List.of(new RunTrace.Failure(List.of(1), 3, 20 * MILLI, 32 * MILLI)));
        DeathNote lost = new DeathNote(List.of(new RunTrace.Failure(List.of(2, 4), 5, 40 * MILLI, null)));
        assertEquals(
                "PEs 1, 2 and 4 fail in iterations 3 and 5, data lost in iteration 5, else recovered after 12.0 ms",
                recovered.and(lost).text());
        assertEquals("PEs 2, 4, 2 and 4 fail in iteration 5, data lost", lost.and(lost).text());
    }

    /** On 64 PEs; the ranks that each failure kills, in the iterations given. */
    private static SvgText drawDeaths(int[] iterations, int ranksEach, long millisApart) throws IOException {
        List<RunTrace.Failure> failures = new ArrayList<>();
        int rank = 0;
        for (int i = 0; i < iterations.length; i++) {
            long nanos = (20 + i * millisApart) * MILLI;
            failures.add(new RunTrace.Failure(IntStream.range(rank, rank + ranksEach).boxed().toList(), iterations[i],
                    nanos, nanos + (i + 1) * MILLI / 2));
            rank += ranksEach;
        }
        RunTrace plain = trace(64, null);
        SvgText svg = draw(new RunTrace(plain.lanes(), failures, plain.values(), plain.endNanos()));
        svg.assertReadable();
        return svg;
    }

    private static List<String> notes(SvgText svg) {
        return svg.all("text").stream().filter(text -> text.contains(" in iteration")).toList();
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 0", "3, 1, 0", "9, 1, 0", "30, 1, 2", "60, 1, 1", "5, 1, 17", "5, 3, 10", "4, 16, 1", "2, 1, 39",
            "8, 4, 3", "9, 1, 10"})
    void tellsOfAllDeathsWithNoTextOnAnother(int failures, int ranksEach, long millisApart) throws IOException {
        for (int[] iterations : List.of(IntStream.range(0, failures).map(i -> 3).toArray(),
                IntStream.range(0, failures).map(i -> 3 + i).toArray())) {
            List<String> notes = notes(drawDeaths(iterations, ranksEach, millisApart));
            long told = notes.stream().mapToLong(RunPictureTest::deathsIn).sum();
            assertEquals((long) failures * ranksEach, told, notes::toString);
        }
    }

    /** {@code PEs 1, 2 and 5 die in} and {@code 12 PEs fail in}. */
    private static long deathsIn(String note) {
        Matcher many = Pattern.compile("(\\d+) PEs fail .*").matcher(note);
        return many.matches()
                ? Long.parseLong(many.group(1))
                : Pattern.compile("\\d+").matcher(note.replaceAll(" fails? in .*", "")).results().count();
    }

    @Test
    void stacksNotesOfNeighbouringIterationsAndJoinsThemWhenThereAreMany() throws IOException {
        assertEquals(List.of("PE 0 fails in iteration 3, recovered after 0.5 ms",
                "PE 1 fails in iteration 4, recovered after 1.0 ms"), notes(drawDeaths(new int[]{3, 4}, 1, 1)));
        List<String> joined = notes(drawDeaths(new int[]{3, 3, 3, 4, 6, 6}, 1, 0));
        assertEquals(List.of("PE 0 fails in iteration 3, recovered after 0.5 ms",
                "PE 1 fails in iteration 3, recovered after 1.0 ms",
                "PE 2 fails in iteration 3, recovered after 1.5 ms",
                "PEs 3, 4 and 5 fail in iterations 4 and 6, recovered after 2.0 to 3.0 ms"), joined);
        // The first two are nearer to each other than any others; so there is room for the last one on its own.
        RunTrace plain = trace(8, null);
        List<RunTrace.Failure> failures = new ArrayList<>();
        for (int millis : new int[]{20, 21, 24, 27, 30, 95}) {
            failures.add(new RunTrace.Failure(List.of(failures.size()), millis, millis * MILLI,
                    (millis + 2) * MILLI));
        }
        SvgText svg = draw(new RunTrace(plain.lanes(), failures, plain.values(), plain.endNanos()));
        svg.assertReadable();
        assertTrue(notes(svg).contains("PEs 0 and 1 fail in iterations 20 and 21, recovered after 2.0 ms"),
                () -> notes(svg).toString());
        assertTrue(notes(svg).contains("PE 5 fails in iteration 95, recovered after 2.0 ms"),
                () -> notes(svg).toString());
        assertEquals(List.of("7 PEs fail in iteration 3, recovered after 0.5 ms"),
                notes(drawDeaths(new int[]{3}, 7, 0)));
    }

    @Test
    void leavesOutLivingPesWhenThereAreTooManyToTellApart() throws IOException {
        SvgText svg = draw(trace(1000, 32 * MILLI));
        assertEquals(LanePanel.MOST_LANES - 1 + 1, svg.rectangles(ORANGE));
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
    @CsvSource({"1e-7, 1, 1e-6 1e-4 0.01 1", "0, 1, 0 0.2 0.4 0.6 0.8 1", "3, 3, 2 3 4",
            "-5719.4281, -5719.42786, -5719.4281 -5719.42805 -5719.428 -5719.42795 -5719.4279",
            "-5719.43, -5711.5, -5718 -5716 -5714 -5712"})
    void labelsValuesWithRoundNumbers(double first, double last, String expected) throws IOException {
        RunTrace plain = trace(2, 32 * MILLI);
        SvgText svg = draw(
                new RunTrace(plain.lanes(), plain.failures(), List.of(new RunTrace.Value(1, 5 * MILLI, first),
                        new RunTrace.Value(2, 60 * MILLI, last)), plain.endNanos()));
        svg.assertReadable();
        List<String> up = svg.numbers().stream().filter(label -> label.box().getMaxX() < 88).map(SvgText.Label::text)
                .toList();
        assertEquals(List.of(expected.split(" ", -1)), up);
    }

    @ParameterizedTest
    @CsvSource({"100, time (ms), 0 20 40 60 80 100", "3000, time (s), 0 0.5 1 1.5 2 2.5 3"})
    void labelsTheTimeInMillisecondsOrSeconds(long millis, String label, String expected) throws IOException {
        RunTrace plain = trace(2, 32 * MILLI);
        SvgText svg = draw(new RunTrace(plain.lanes(), plain.failures(), plain.values(), millis * MILLI));
        assertTrue(svg.all("text").contains(label), () -> svg.all("text").toString());
        List<String> across = svg.numbers().stream().filter(each -> each.box().getMaxX() > 88).map(SvgText.Label::text)
                .toList();
        assertEquals(List.of(expected.split(" ", -1)), across);
    }
}
