package org.restorej.bench.cli;

import java.util.ArrayList;
import java.util.List;

/** Which collective operations are measured, and with which parameters. Pure. */
final class CollectiveSuite {
    /** A JVM's first pull is one sample. */
    private static final int FIRST_PULLS = 5;
    private static final String PACKAGE = "org.restorej.bench.mpi.";
    private static final String METHOD = "method";

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
        for (int repetition = 1; repetition < FIRST_PULLS; repetition++) {
            add(jobs, settings.mainPes(), List.of(firstPull()));
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
        boolean everything = settings.full() || pes == settings.mainPes();
        if (pes == settings.mainPes()) {
            runs.add(firstPull());
        }
        runs.add(run("Barrier"));
        runs.addAll(overBytes(pes));
        if (everything) {
            runs.addAll(rivals(pes));
            runs.addAll(recovery(pes));
            runs.addAll(sparse());
            runs.add(run("Sums").with("sums", settings.full() ? List.of("1", "64", "4096") : List.of("1", "64")));
            runs.addAll(redset(pes));
        }
        if (pes == settings.mainPes()) {
            runs.addAll(overPermutationRange());
        }
        if (settings.full() && pes == settings.mainPes()) {
            runs.addAll(manyBlocks());
        }
        return runs;
    }

    private static JmhRun firstPull() {
        return JmhRun.of(pattern("FirstPull"));
    }

    private static String pattern(String benchmark) {
        return PACKAGE.replace(".", "\\.") + benchmark + "Benchmark\\.";
    }

    private JmhRun run(String benchmark) {
        JmhRun run = JmhRun.of(pattern(benchmark));
        if (settings.iterations().isPresent()) {
            int iterations = settings.iterations().getAsInt();
            return run.options("-wi", Integer.toString(Math.min(10, iterations)), "-i", Integer.toString(iterations));
        }
        return settings.full() ? run.options("-i", "25") : run;
    }

    private JmhRun withMainBytes(String benchmark) {
        return run(benchmark).with("bytes", Long.toString(settings.mainBytes()));
    }

    /** Ours and the wire limit: all sizes at the main number of ranks, the main size at others. */
    private List<JmhRun> overBytes(int pes) {
        List<String> bytes = settings.full() || pes == settings.mainPes()
                ? settings.byteValues()
                : List.of(Long.toString(settings.mainBytes()));
        return List.of(run("Submit").with("bytes", bytes).with(METHOD, "restore", "wire"),
                run("Pull").with("bytes", bytes).with("pattern", "SHARE", "ALL").with(METHOD, "restore", "wire"));
    }

    /** What else there is, at one size. */
    private List<JmhRun> rivals(int pes) {
        List<JmhRun> runs = new ArrayList<>();
        runs.add(withMainBytes("Submit").with(METHOD, "restore-async", "alltoallv", "files", "mpi-io"));
        runs.add(withMainBytes("Pull").with("pattern", "SHARE", "ALL").with(METHOD, "push", "alltoallv", "files",
                "mpi-io"));
        runs.add(withMainBytes("Pull").with("pattern", pes > 100
                ? List.of("ONE_TO_ONE", "PERCENT")
                : List.of("ONE_TO_ONE")).with(METHOD, "restore", "wire"));
        runs.add(withMainBytes("Pull").with("pattern", "ALL").with("permutationRangeBytes", "0").with(METHOD,
                "restore", "wire"));
        return runs;
    }

    private List<JmhRun> recovery(int pes) {
        return pes < 2 ? List.of() : List.of(withMainBytes("Recovery"));
    }

    private List<JmhRun> sparse() {
        return List.of(run("Sparse").with("receivers", settings.full()
                ? List.of("NEXT", "ALL", "FIRST")
                : List.of("NEXT", "ALL")).with("messages", "1", "16", "64", "256")
                .with("messageBytes", settings.full() ? List.of("64", "4096") : List.of("64")));
    }

    private List<JmhRun> redset(int pes) {
        List<String> schemes = new ArrayList<>();
        if (pes >= 2) {
            schemes.addAll(List.of("XOR", "PARTNER"));
        }
        if (pes >= 3) {
            schemes.add("RS");
        }
        if (!settings.full()) {
            schemes.remove("PARTNER");
        }
        return schemes.isEmpty() ? List.of() : List.of(withMainBytes("Redset").with("scheme", schemes));
    }

    private List<JmhRun> overPermutationRange() {
        List<String> others = List.of("4096", "16384", "65536", "1048576", "4194304");
        return List.of(withMainBytes("Submit").with("permutationRangeBytes", others).with(METHOD, "restore"),
                withMainBytes("Pull").with("permutationRangeBytes", others).with("pattern", "SHARE").with(METHOD,
                        "restore"));
    }

    /** 10^7 blocks of 16 bytes a rank, and the same bytes in blocks of 64. */
    private List<JmhRun> manyBlocks() {
        String bytes = "160000000";
        return List.of(
                run("Submit").with("bytes", bytes).with("blockBytes", "16", "64").with(METHOD, "restore", "wire"),
                run("Pull").with("bytes", bytes).with("blockBytes", "16", "64").with("pattern", "SHARE", "ALL")
                        .with(METHOD, "restore", "wire"));
    }
}
