package org.restorej.bench.cli;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Which collective operations are measured, and with which parameters. Pure. */
final class CollectiveSuite {
    private static final String PACKAGE = "org.restorej.bench.mpi.";
    private static final String METHOD = "method";
    private static final int QUICK_ITERATIONS = 15;
    private static final int FULL_ITERATIONS = 25;
    private static final int CHEAP_ITERATIONS = 50;

    private final SuiteSettings settings;

    CollectiveSuite(SuiteSettings settings) {
        this.settings = settings;
    }

    /** All jobs, small ones first. */
    List<MpiJob> jobs() {
        List<MpiJob> jobs = new ArrayList<>();
        for (int pes : settings.pes()) {
            add(jobs, pes, runs(pes));
        }
        return jobs;
    }

    private void add(List<MpiJob> jobs, int pes, List<JmhRun> runs) {
        List<JmhRun> wanted = runs.stream().filter(run -> settings.only().matcher(run.include()).find()).toList();
        if (!wanted.isEmpty()) {
            jobs.add(new MpiJob(pes, wanted));
        }
    }

    private List<JmhRun> runs(int pes) {
        List<JmhRun> runs = new ArrayList<>();
        runs.add(cheapRun("Barrier"));
        runs.addAll(overBytes(pes));
        if (settings.full() || pes == settings.mainPes()) {
            runs.addAll(others());
            runs.addAll(recovery(pes));
            runs.addAll(redset(pes));
        }
        if (settings.full() && pes == settings.mainPes()) {
            runs.addAll(overShapes());
        }
        return runs;
    }

    private static String pattern(String benchmark) {
        return PACKAGE.replace(".", "\\.") + benchmark + "Benchmark\\.";
    }

    private JmhRun run(String benchmark) {
        return run(benchmark, settings.full() ? FULL_ITERATIONS : QUICK_ITERATIONS);
    }

    /** Of what takes little time: so that a disturbance of some milliseconds doesn't last through most of them. */
    private JmhRun cheapRun(String benchmark) {
        return run(benchmark, CHEAP_ITERATIONS);
    }

    private JmhRun run(String benchmark, int iterations) {
        return JmhRun.of(pattern(benchmark)).options("-i",
                Integer.toString(settings.iterations().orElse(iterations)));
    }

    private JmhRun withMainBytes(String benchmark) {
        return run(benchmark).with("bytes", Long.toString(settings.mainBytes()));
    }

    /**
     * Ours and the raw MPI baseline: the main size first, since goals are stated for it, then others from large to
     * small, which run the code that is warm by then. With fewer ranks than the main number the quick suite has the
     * main size only.
     */
    private List<JmhRun> overBytes(int pes) {
        List<JmhRun> runs = new ArrayList<>(List.of(submits(withMainBytes("Submit")), pulls(withMainBytes("Pull"))));
        List<String> others = new ArrayList<>(settings.byteValues());
        others.remove(Long.toString(settings.mainBytes()));
        if (!others.isEmpty() && (settings.full() || pes >= settings.mainPes())) {
            Collections.reverse(others);
            runs.add(submits(cheapRun("Submit").with("bytes", others)));
            runs.add(pulls(cheapRun("Pull").with("bytes", others)));
        }
        return runs;
    }

    private static JmhRun submits(JmhRun run) {
        return run.with(METHOD, "restore", "wire");
    }

    private static JmhRun pulls(JmhRun run) {
        return run.with("pattern", "SHARE", "ALL").with(METHOD, "restore", "wire");
    }

    /** What else there is, at one size. */
    private List<JmhRun> others() {
        return List.of(withMainBytes("Submit").with(METHOD, "changes"), withMainBytes("Loop"));
    }

    private List<JmhRun> recovery(int pes) {
        return pes < 2 ? List.of() : List.of(withMainBytes("Recovery"));
    }

    /** Files of four times the data. */
    private List<JmhRun> redset(int pes) {
        if (pes < 2) {
            return List.of();
        }
        List<String> schemes = new ArrayList<>(List.of("XOR"));
        if (pes >= 3) {
            schemes.add("RS");
        }
        if (settings.full()) {
            schemes.add("PARTNER");
        }
        return List.of(run("Redset").with("bytes", Long.toString(4 * settings.mainBytes())).with("scheme", schemes));
    }

    /** Other pulls, numbers of replicas, sizes of blocks and permutation ranges. */
    private List<JmhRun> overShapes() {
        List<JmhRun> runs = new ArrayList<>(List.of(withMainBytes("Pull").with("pattern", "ONE_TO_ONE", "PERCENT")
                .with(METHOD, "restore", "wire")));
        Map<String, List<String>> others = Map.of("replication", List.of("2", "3"), "blockBytes",
                List.of("16", "1024", "65536"), "permutationRangeBytes", List.of("4096", "65536", "4194304"));
        others.forEach((param, values) -> {
            runs.add(submits(withMainBytes("Submit").with(param, values)));
            runs.add(pulls(withMainBytes("Pull").with(param, values)));
        });
        return runs;
    }
}
