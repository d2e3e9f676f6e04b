package org.restorej.demo.phylo.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.cli.command.InputText;
import org.restorej.cli.command.Redundancy;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.demo.phylo.Primates;
import org.restorej.demo.phylo.alignment.Alignment;
import org.restorej.demo.phylo.alignment.AlignmentReader;
import org.restorej.demo.phylo.alignment.SitePatterns;
import org.restorej.demo.phylo.tree.NewickParser;
import org.restorej.demo.phylo.tree.Tree;
import org.restorej.demo.run.Activity;
import org.restorej.demo.run.FailureSchedule;
import org.restorej.demo.run.Progress;
import org.restorej.demo.run.RecoverySummary;
import org.restorej.demo.run.RunTrace;
import org.restorej.loop.CheckpointLoop.Recovery;

/** The distributed likelihood on threads, against the answers of IQ-TREE 2.0.7. */
class PhyloRunTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    record Answer(String model, double logLikelihood) {}

    private static final List<Answer> EVALUATED = List.of(new Answer("JC", -6745.0906),
            new Answer("JC+G4{0.5}", -6335.3364), new Answer(Primates.GTR_GAMMA, -5719.4291));

    private static final List<Answer> OPTIMIZED = List.of(new Answer("JC", -6424.202),
            new Answer("JC+G4", -6272.469), new Answer(Primates.GTR_GAMMA, -5719.428));

    private static Analysis analysis(String model, int repeat) {
        return new Analysis(SitePatterns.of(Primates.alignment()), repeat, Primates.tree(), Primates.model(model));
    }

    private static RunSettings settings(Mode mode, int iterations, int replication, String failures) {
        List<String> errors = new ArrayList<>();
        FailureSchedule schedule = failures.isEmpty()
                ? FailureSchedule.NONE
                : FailureSchedule.parse(failures, errors);
        assertEquals(List.of(), errors);
        return new RunSettings(mode, iterations, Redundancy.copies(replication), schedule, true, Optional.empty());
    }

    /** What the survivors say, which is the same of all. */
    private static RunOutcome run(int pes, Analysis analysis, RunSettings settings) {
        try (LocalCluster cluster = LocalCluster.builder(pes).timeout(TIMEOUT).build()) {
            List<RunOutcome> outcomes = PeOutcome.values(
                    cluster.run(world -> new PhyloRun(world, analysis, settings, Progress.SILENT).run()));
            for (RunOutcome outcome : outcomes) {
                assertEquals(outcomes.getFirst().recoveries(), outcome.recoveries());
                assertEquals(outcomes.getFirst().exitCode(), outcome.exitCode());
            }
            assertEquals(0, cluster.unreceivedMessages());
            return outcomes.getFirst();
        }
    }

    private static RunOutcome.Finished finished(int pes, Analysis analysis, RunSettings settings) {
        RunOutcome.Finished finished = assertInstanceOf(RunOutcome.Finished.class, run(pes, analysis, settings));
        assertTrue(finished.agrees(), () -> "relative difference " + finished.relativeDifference());
        assertEquals(0, finished.exitCode());
        return finished;
    }

    private static Stream<Arguments> evaluations() {
        return EVALUATED.stream().flatMap(answer -> Stream.of(Arguments.of(1, 1, "", answer),
                Arguments.of(3, 3, "", answer), Arguments.of(3, 2, "1@2", answer),
                Arguments.of(3, 3, "0@1,2@3", answer),
                Arguments.of(8, 3, "", answer), Arguments.of(8, 3, "2@2,6@3", answer),
                Arguments.of(8, 3, "0@1,7@1,3@2,4@3", answer)));
    }

    @ParameterizedTest
    @MethodSource("evaluations")
    void evaluatesToTheLogLikelihoodOfIqTreeWhoeverFails(int pes, int replication, String failures, Answer answer) {
        RunSettings settings = settings(Mode.EVALUATE, 3, replication, failures);
        RunOutcome.Finished finished = finished(pes, analysis(answer.model(), 1), settings);
        assertEquals(answer.logLikelihood(), finished.result().logLikelihood(), 1e-3);
        assertEquals(answer.logLikelihood(), finished.logLikelihoodWithoutFailures(), 1e-3);
        assertEquals(3, finished.iterations());
        assertFailuresHappened(pes, settings.failures(), finished);
    }

    @Test
    void nobodyNoticesAFailureBeforeIt() {
        AtomicReference<RunTrace> seen = new AtomicReference<>();
        Progress progress = new Progress() {
            @Override
            public void iterationDone(int iteration, double value) {}

            @Override
            public void recovered(RecoverySummary recovery) {}

            @Override
            public boolean wantsTrace() {
                return true;
            }

            @Override
            public void traced(RunTrace trace) {
                seen.set(trace);
            }
        };
        RunSettings settings = settings(Mode.EVALUATE, 4, 3, "2@2,6@3,4@4");
        try (LocalCluster cluster = LocalCluster.builder(8).timeout(TIMEOUT).build()) {
            cluster.run(world -> new PhyloRun(world, analysis("JC", 1), settings, progress).run());
        }
        RunTrace trace = seen.get();
        assertEquals(3, trace.failures().size());
        for (RunTrace.Lane lane : trace.lanes()) {
            List<RunTrace.Span> noticing = lane.spans().stream().filter(span -> span.activity() == Activity.NOTICE)
                    .toList();
            for (int failure = 0; failure < noticing.size(); failure++) {
                assertTrue(noticing.get(failure).fromNanos() >= trace.failures().get(failure).nanos(),
                        () -> "PE " + lane.originalRank() + ": " + noticing + ", " + trace.failures());
            }
        }
    }

    private static Stream<Arguments> optimizations() {
        return OPTIMIZED.stream().flatMap(answer -> Stream.of(Arguments.of(1, 1, "", answer),
                Arguments.of(3, 3, "1@1,0@2", answer), Arguments.of(8, 3, "", answer),
                Arguments.of(8, 3, "0@1,5@1,2@2", answer)));
    }

    @ParameterizedTest
    @MethodSource("optimizations")
    void optimizesToTheLogLikelihoodOfIqTreeWhoeverFails(int pes, int replication, String failures, Answer answer) {
        RunSettings settings = settings(Mode.OPTIMIZE, 100, replication, failures);
        RunOutcome.Finished finished = finished(pes, analysis(answer.model(), 1), settings);
        assertEquals(answer.logLikelihood(), finished.result().logLikelihood(), 1e-2);
        assertTrue(finished.converged());
        assertFailuresHappened(pes, settings.failures(), finished);
    }

    private static void assertFailuresHappened(int pes, FailureSchedule failures, RunOutcome.Finished finished) {
        List<FailureSchedule.Failure> happened = finished.recoveries().stream().flatMap(recovery -> recovery
                .failedRanks().stream().map(rank -> new FailureSchedule.Failure(rank, recovery.iteration()))).toList();
        assertEquals(failures, new FailureSchedule(happened));
        assertEquals(failures.failures().stream().mapToInt(FailureSchedule.Failure::iteration).distinct().count(),
                finished.recoveries().size(), "who fails in the same iteration fails at the same time, and once");
        assertEquals(pes - failures.failures().size(), finished.survivors());
        assertTrue(finished.notReached().isEmpty());
    }

    private static Stream<Arguments> siteAnswers() {
        return Stream.of(Arguments.of(1, ""), Arguments.of(3, ""), Arguments.of(8, ""), Arguments.of(3, "1@2"),
                Arguments.of(8, "0@1,6@2,3@2")).flatMap(
                        run -> Stream.of(Arguments.of(run.get()[0], run.get()[1], "JC", "primates.jc.sitelh"),
                                Arguments.of(run.get()[0], run.get()[1], Primates.GTR_GAMMA, "primates.gtrg4.sitelh")));
    }

    @ParameterizedTest
    @MethodSource("siteAnswers")
    void hasTheLogLikelihoodOfIqTreeAtEverySite(int pes, String failures, String model, String answers) {
        double[] expected = Primates.siteLogLikelihoods(answers);
        Analysis analysis = analysis(model, 2);
        double[] ofBlocks = finished(pes, analysis, settings(Mode.EVALUATE, 2, Math.min(3, pes), failures))
                .patternLogLikelihoods().orElseThrow();
        assertEquals(2L * expected.length, analysis.siteCount());
        for (int site = 0; site < analysis.siteCount(); site++) {
            double answer = expected[site % expected.length];
            // Six significant digits are printed: half a unit of the last, and a little for rounding at a tie.
            double lastDigit = Math.pow(10, Math.floor(Math.log10(Math.abs(answer))) - 5);
            assertEquals(answer, ofBlocks[(int) analysis.blockOfSite(site)], 0.55 * lastDigit, "site " + site);
        }
    }

    @Test
    void pullsWhatTheDeadHadAndNothingElse() {
        RunOutcome.Finished finished = finished(8, analysis("JC", 1), settings(Mode.EVALUATE, 4, 3, "2@2,6@4"));
        // 413 patterns: of 8 PEs five have 52 and three 51, of 7 PEs all have 59.
        assertEquals(List.of(52L, 59L), finished.recoveries().stream().map(RecoverySummary::pulledBlocks).toList());
        assertEquals(List.of(52L * 16, 59L * 16),
                finished.recoveries().stream().map(RecoverySummary::pulledBytes).toList());
        assertEquals(69 * 16, finished.patternBytes(), "413 patterns on 6 PEs are at most 69 each");
        assertTrue(finished.storeBytes() >= 413L * 3 * 16 / 6, "six PEs hold three replicas of all");
    }

    @Test
    void measuresEveryPhase() {
        RunOutcome.Finished finished = finished(8, analysis("JC", 1), settings(Mode.EVALUATE, 2, 3, "2@2"));
        RecoverySummary recovery = finished.recoveries().getFirst();
        assertTrue(recovery.detectionNanos().orElseThrow() < TIMEOUT.toNanos());
        for (Recovery.Phase phase : Recovery.Phase.values()) {
            long nanos = recovery.phaseNanos().getOrDefault(phase, 0L);
            assertTrue(nanos > 0 && nanos <= recovery.totalNanos(), () -> phase + " took " + nanos + " ns");
        }
    }

    @Test
    void worksWithMorePesThanPatterns() {
        Alignment alignment = AlignmentReader.parse(new InputText("two taxa", ">x\nAACA\n>y\nACCG\n"), List.of());
        Tree tree = NewickParser.parse(new InputText("two taxa", "(x:0.05,y:0.05);"));
        Analysis analysis = new Analysis(SitePatterns.of(alignment), 1, tree.alignedTo(alignment.taxa()),
                Primates.model("JC"));
        assertEquals(4, analysis.blockCount());
        RunOutcome.Finished finished = finished(9, analysis, settings(Mode.EVALUATE, 3, 3, "3@1,2@2,8@3"));
        double decay = Math.exp(-4.0 / 3 * 0.1);
        double expected = 2 * Math.log(0.25 * (0.25 + 0.75 * decay)) + 2 * Math.log(0.25 * (0.25 - 0.25 * decay));
        assertEquals(expected, finished.result().logLikelihood(), 1e-9);
        assertEquals(List.of(1L, 1L, 0L),
                finished.recoveries().stream().map(RecoverySummary::pulledBlocks).toList());
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void isTheSameToTheLastBitOnAnyNumberOfPesWhoeverFails(Mode mode) {
        Analysis analysis = analysis(Primates.GTR_GAMMA, 1);
        RunOutcome.Finished alone = finished(1, analysis, settings(mode, 2, 1, ""));
        for (String failures : List.of("", "1@1", "0@1,1@2")) {
            assertSameBits(alone, finished(3, analysis, settings(mode, 2, 3, failures)), "3 PEs, " + failures);
        }
        for (String failures : List.of("", "2@2,6@2", "0@1,7@1,3@2,4@2")) {
            assertSameBits(alone, finished(8, analysis, settings(mode, 2, 3, failures)), "8 PEs, " + failures);
        }
    }

    private static void assertSameBits(RunOutcome.Finished expected, RunOutcome.Finished actual, String run) {
        assertEquals(expected.result().logLikelihood(), actual.result().logLikelihood(), run);
        assertEquals(expected.logLikelihoodWithoutFailures(), actual.logLikelihoodWithoutFailures(), run);
        assertArrayEquals(expected.result().branchLengths(), actual.result().branchLengths(), run);
        assertEquals(expected.result().alpha(), actual.result().alpha(), run);
    }

    @Test
    void tellsFailuresThatConvergenceCameBefore() {
        RunOutcome.Finished finished = finished(3, analysis("JC", 1), settings(Mode.OPTIMIZE, 100, 3, "1@1,2@90"));
        assertTrue(finished.iterations() < 90);
        assertEquals("2@90", finished.notReached().toString());
        assertEquals(2, finished.survivors());
    }

    @Test
    void stopsOptimizingAtTheLastIterationAllowed() {
        RunOutcome.Finished finished = finished(3, analysis("JC", 1), settings(Mode.OPTIMIZE, 1, 3, ""));
        assertEquals(1, finished.iterations());
        assertTrue(!finished.converged());
    }

    @Test
    void namesThePatternsWhoseHoldersAreAllDead() {
        RunOutcome outcome = run(8, analysis("JC", 1), settings(Mode.EVALUATE, 6, 2, "7@1,1@4,5@4"));
        RunOutcome.PatternsLost lost = assertInstanceOf(RunOutcome.PatternsLost.class, outcome);
        assertEquals(1, lost.exitCode());
        assertEquals(4, lost.iteration());
        assertEquals(List.of(1, 5, 7), lost.failedRanks());
        assertEquals(5, lost.survivors());
        assertEquals(1, lost.recoveries().size());
        // With K = 2 of 8, ranges 1 and 5 are on PEs 1 and 5 only.
        assertTrue(lost.lostPatterns().blockCount() >= 2 * 51, () -> lost.lostPatterns().toString());
        assertTrue(lost.lostPatterns().blockCount() < 413);
    }

    @Test
    void readsPatternsFromFilesWhenAllTheirHoldersHaveDied(@TempDir Path folder) {
        RunSettings memoryOnly = settings(Mode.EVALUATE, 3, 2, "1@2,5@2");
        assertInstanceOf(RunOutcome.PatternsLost.class, run(8, analysis(Primates.GTR_GAMMA, 1), memoryOnly));
        RunSettings withFiles = new RunSettings(memoryOnly.mode(), memoryOnly.iterations(), memoryOnly.redundancy(),
                memoryOnly.failures(), true,
                Optional.of(new CheckpointPlan(folder, CheckpointPlan.Protection.XOR, false)));
        RunOutcome.Finished finished = finished(8, analysis(Primates.GTR_GAMMA, 1), withFiles);
        assertEquals(-5719.4291, finished.result().logLikelihood(), 1e-3);
        assertEquals(6, finished.survivors());
    }

    private static RunSettings withFiles(Path folder, boolean restarts, String failures) {
        RunSettings memoryOnly = settings(Mode.EVALUATE, 2, 2, failures);
        return new RunSettings(memoryOnly.mode(), memoryOnly.iterations(), memoryOnly.redundancy(),
                memoryOnly.failures(), true,
                Optional.of(new CheckpointPlan(folder, CheckpointPlan.Protection.XOR, restarts)));
    }

    private static Analysis twoTaxa(String rows) {
        Alignment alignment = AlignmentReader.parse(new InputText("two taxa", rows), List.of());
        Tree tree = NewickParser.parse(new InputText("two taxa", "(x:0.05,y:0.05);"));
        return new Analysis(SitePatterns.of(alignment), 1, tree.alignedTo(alignment.taxa()), Primates.model("JC"));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 8})
    void isRestartedFromFilesByAnyNumberOfPesAndIsTheSameToTheLastBit(int pes, @TempDir Path folder) {
        Analysis first = twoTaxa(">x\nAACA\n>y\nACCG\n");
        double expected = finished(4, first, withFiles(folder, false, "")).result().logLikelihood();
        // As many patterns, and others: those of the files are not taken for them.
        RunOutcome.NotRestarted other = assertInstanceOf(RunOutcome.NotRestarted.class,
                run(pes, twoTaxa(">x\nGGTG\n>y\nGTAA\n"), withFiles(folder, true, "")));
        assertTrue(other.reason().contains("the checkpoint's blocks are described as"), other.reason());
        assertEquals(expected, finished(pes, first, withFiles(folder, true, "1@2")).result().logLikelihood());
    }

    @Test
    void saysWhyItCantBeRestarted(@TempDir Path folder) {
        RunOutcome nothing = run(3, twoTaxa(">x\nAACA\n>y\nACCG\n"), withFiles(folder, true, ""));
        assertEquals(new RunOutcome.NotRestarted("there are no files of an earlier run"), nothing);
        finished(4, twoTaxa(">x\nAACA\n>y\nACCG\n"), withFiles(folder, false, ""));
        RunOutcome.NotRestarted other = assertInstanceOf(RunOutcome.NotRestarted.class,
                run(3, analysis("JC", 1), withFiles(folder, true, "")));
        assertTrue(other.reason().contains("the checkpoint has 4 blocks of"), other.reason());
        assertEquals(1, other.exitCode());
    }

    @Test
    void losesPatternsOfASingleFailureWithoutReplication() {
        RunOutcome outcome = run(8, analysis("JC", 1), settings(Mode.EVALUATE, 2, 1, "3@2"));
        RunOutcome.PatternsLost lost = assertInstanceOf(RunOutcome.PatternsLost.class, outcome);
        assertEquals(52, lost.lostPatterns().blockCount());
    }
}
