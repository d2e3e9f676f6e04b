package org.restorej.demo.phylo.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.restorej.cli.command.InputText;
import org.restorej.cli.command.Redundancy;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.comm.mpi.Mpi;
import org.restorej.demo.phylo.Primates;
import org.restorej.demo.phylo.alignment.Alignment;
import org.restorej.demo.phylo.alignment.AlignmentReader;
import org.restorej.demo.phylo.alignment.SitePatterns;
import org.restorej.demo.phylo.tree.NewickParser;
import org.restorej.demo.phylo.tree.Tree;
import org.restorej.loop.Recovery;
import org.restorej.redset.LoopFiles;

/** The distributed likelihood on threads, against the answers of IQ-TREE 2.0.7. */
class PhyloRunTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private static final Progress SILENT = new Progress() {
        @Override
        public void iterationDone(int iteration, double value) {}

        @Override
        public void recovered(RecoverySummary recovery) {}
    };

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
        return new RunSettings(mode, iterations, Redundancy.copies(replication), schedule, true, true, false, false);
    }

    private static RunOutcome run(int pes, Analysis analysis, RunSettings settings) {
        return run(pes, analysis, settings, Optional.empty());
    }

    /** What the survivors say, which is the same of all. */
    private static RunOutcome run(int pes, Analysis analysis, RunSettings settings, Optional<LoopFiles> files) {
        try (LocalCluster cluster = LocalCluster.builder(pes).timeout(TIMEOUT).build()) {
            List<RunOutcome> outcomes = PeOutcome.values(
                    cluster.run(world -> new PhyloRun(world, analysis, settings, files, SILENT).run()));
            for (RunOutcome outcome : outcomes) {
                assertEquals(outcomes.getFirst().recoveries(), outcome.recoveries());
                assertEquals(outcomes.getFirst().exitCode(), outcome.exitCode());
            }
            assertEquals(0, cluster.unreceivedMessages());
            return outcomes.getFirst();
        }
    }

    private static RunOutcome.Finished finished(int pes, Analysis analysis, RunSettings settings) {
        return finished(pes, analysis, settings, Optional.empty());
    }

    private static RunOutcome.Finished finished(int pes, Analysis analysis, RunSettings settings,
            Optional<LoopFiles> files) {
        RunOutcome.Finished finished = assertInstanceOf(RunOutcome.Finished.class, run(pes, analysis, settings, files));
        assertTrue(finished.agrees(), () -> "relative difference " + finished.relativeDifference());
        assertEquals(0, finished.exitCode());
        return finished;
    }

    private static Stream<Arguments> evaluations() {
        return EVALUATED.stream().flatMap(answer -> answer.model().equals(Primates.GTR_GAMMA)
                ? Stream.of(Arguments.of(1, 1, "", answer), Arguments.of(3, 2, "1@2", answer),
                        Arguments.of(3, 3, "0@1,2@3", answer), Arguments.of(8, 3, "0@1,7@1,3@2,4@3", answer))
                : Stream.of(Arguments.of(8, 3, "2@2,6@3", answer)));
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
    void tracesWhenFailuresAndValuesWere() {
        RunTrace trace = finished(8, analysis("JC", 1), settings(Mode.EVALUATE, 4, 3, "2@2,6@3,4@4")).trace();
        assertEquals(8, trace.pes());
        assertEquals(3, trace.recoveries().size());
        assertEquals(List.of(1, 2, 3, 4), trace.values().stream().map(RunTrace.Value::iteration).toList());
        long before = 0;
        for (RunTrace.Value value : trace.values()) {
            for (RecoverySummary recovery : trace.recoveries()) {
                if (recovery.iteration() == value.iteration()) {
                    assertTrue(recovery.failureNanos() > before, trace::toString);
                    before = recovery.failureNanos();
                }
            }
            assertTrue(value.nanos() > before, trace::toString);
            before = value.nanos();
        }
        assertTrue(trace.endNanos() > before, trace::toString);
    }

    private static Stream<Arguments> optimizations() {
        return OPTIMIZED.stream().flatMap(answer -> Stream.concat(Stream.of(Arguments.of(8, 3, "0@1,5@1,2@2", answer)),
                answer.model().equals(Primates.GTR_GAMMA)
                        ? Stream.of(Arguments.of(1, 1, "", answer), Arguments.of(3, 3, "1@1,0@2", answer))
                        : Stream.of()));
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
        String gamma = "primates.gtrg4.sitelh";
        return Stream.of(Arguments.of(8, "0@1,6@2,3@2", "JC", "primates.jc.sitelh"),
                Arguments.of(1, "", Primates.GTR_GAMMA, gamma), Arguments.of(3, "1@2", Primates.GTR_GAMMA, gamma),
                Arguments.of(8, "0@1,6@2,3@2", Primates.GTR_GAMMA, gamma));
    }

    @ParameterizedTest
    @MethodSource("siteAnswers")
    void hasTheLogLikelihoodOfIqTreeAtEverySite(int pes, String failures, String model, String answers) {
        Analysis analysis = analysis(model, 2);
        double[] ofBlocks = finished(pes, analysis, settings(Mode.EVALUATE, 2, Math.min(3, pes), failures))
                .patternLogLikelihoods().orElseThrow();
        assertEquals(2 * 898, analysis.siteCount());
        Primates.requireSiteLogLikelihoods(answers, 2 * 898, site -> ofBlocks[(int) analysis.blockOfSite(site)]);
    }

    @Test
    void pullsWhatTheFailedHadAndNothingElse() {
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
        assertTrue(Objects.requireNonNull(recovery.detectionNanos()) < TIMEOUT.toNanos());
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
    void namesThePatternsWhoseHoldersHaveAllFailed() {
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

    private static Optional<LoopFiles> in(Path folder) {
        return Optional.of(LoopFiles.in(folder, "phylo"));
    }

    @Test
    void endsToBeContinuedWhenAllHoldersOfPatternsHaveFailedAndAnotherRunGoesOn(@TempDir Path folder) {
        Analysis analysis = analysis(Primates.GTR_GAMMA, 1);
        RunSettings settings = settings(Mode.OPTIMIZE, 100, 2, "1@3,5@3");
        RunOutcome.Ended ended = assertInstanceOf(RunOutcome.Ended.class, run(8, analysis, settings, in(folder)));
        assertEquals(Mpi.EXIT_CODE_CONTINUED, ended.exitCode());
        assertTrue(ended.reason().contains("goes on from iteration 2"), ended.reason());
        RunSettings unharmed = settings(Mode.OPTIMIZE, 100, 2, "");
        RunOutcome.Finished expected = finished(2, analysis, unharmed);
        RunOutcome.Finished finished = finished(3, analysis, unharmed, in(folder));
        assertSameBits(expected, finished, "went on");
        assertEquals(expected.iterations(), finished.iterations());
        // What has converged does so once.
        assertSameBits(expected, finished(4, analysis, unharmed, in(folder)), "was complete");
    }

    /** The answer that is saved with the rest is that of as many iterations at most. */
    @Test
    void aLongerRunIsComparedWithOneThatIsAsLong(@TempDir Path folder) {
        Analysis analysis = analysis("JC+G4", 1);
        RunOutcome.Finished first = finished(3, analysis, settings(Mode.OPTIMIZE, 1, 2, ""), in(folder));
        RunOutcome.Finished longer = finished(2, analysis, settings(Mode.OPTIMIZE, 100, 2, ""), in(folder));
        assertTrue(longer.logLikelihoodWithoutFailures() > first.logLikelihoodWithoutFailures());
    }

    @Test
    void goesOnWithTheSameAnalysisOnly(@TempDir Path folder) {
        RunSettings settings = settings(Mode.EVALUATE, 2, 2, "");
        finished(4, twoTaxa(">x\nAACA\n>y\nACCG\n", "JC", 0.05), settings, in(folder));
        for (Analysis other : List.of(twoTaxa(">x\nGGTG\n>y\nGTAA\n", "JC", 0.05),
                twoTaxa(">x\nAACA\n>y\nACCG\n", "JC", 0.06),
                twoTaxa(">x\nAACA\n>y\nACCG\n", "HKY{2}+F{0.1,0.2,0.3,0.4}", 0.05), analysis("JC", 1))) {
            assertRefused(run(3, other, settings, in(folder)));
        }
        assertRefused(
                run(3, twoTaxa(">x\nAACA\n>y\nACCG\n", "JC", 0.05), settings(Mode.OPTIMIZE, 2, 2, ""), in(folder)));
    }

    private static void assertRefused(RunOutcome outcome) {
        RunOutcome.Ended ended = assertInstanceOf(RunOutcome.Ended.class, outcome);
        assertTrue(ended.reason().contains("is of another program"), ended.reason());
        assertEquals(1, ended.exitCode());
    }

    private static Analysis twoTaxa(String rows, String model, double length) {
        Alignment alignment = AlignmentReader.parse(new InputText("two taxa", rows), List.of());
        Tree tree = NewickParser.parse(new InputText("two taxa", "(x:0.05,y:" + length + ");"));
        return new Analysis(SitePatterns.of(alignment), 1, tree.alignedTo(alignment.taxa()), Primates.model(model));
    }

    @Test
    void losesPatternsOfASingleFailureWithoutReplication() {
        RunOutcome outcome = run(8, analysis("JC", 1), settings(Mode.EVALUATE, 2, 1, "3@2"));
        RunOutcome.PatternsLost lost = assertInstanceOf(RunOutcome.PatternsLost.class, outcome);
        assertEquals(52, lost.lostPatterns().blockCount());
    }
}
