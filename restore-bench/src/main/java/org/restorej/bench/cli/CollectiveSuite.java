package org.restorej.bench.cli;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Which collective operations are measured, and with which parameters. Pure. */
final class CollectiveSuite {
    /** A JVM's first pull is one sample. */
    private static final int FIRST_PULLS = 5;
    private static final String PACKAGE = "org.restorej.bench.mpi.";
    private static final String METHOD = "method";
    private static final int QUICK_ITERATIONS = 15;
    private static final int FULL_ITERATIONS = 25;
    private static final int CHEAP_ITERATIONS = 50;
    /** Of all ranks together: many small blocks. */
    private static final long MANY_BLOCKS = 10_000_000;
    private static final long SMALL_BLOCK_BYTES = 16;
    private static final long BLOCK_BYTES = 64;

    /** In the names of sparse all-to-alls. */
    static final String SPARSE = "Sparse";

    private final SuiteSettings settings;
    private final boolean hasNbxInC;

    CollectiveSuite(SuiteSettings settings) {
        this(settings, false);
    }

    /** Runs, also of the sparse all-to-all in C where it could be compiled. */
    CollectiveSuite(SuiteSettings settings, boolean hasNbxInC) {
        this.settings = settings;
        this.hasNbxInC = hasNbxInC;
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
        runs.add(firstPull());
        runs.add(cheapRun("Barrier"));
        runs.addAll(overBytes(pes));
        if (settings.full() || pes == settings.mainPes()) {
            runs.addAll(rivals(pes));
            runs.addAll(recovery(pes));
            runs.addAll(sparse(settings.full() && pes == settings.mainPes()));
            runs.add(cheapRun("Sums").with("sums", settings.full() ? List.of("1", "64", "4096") : List.of("1", "64")));
            runs.addAll(redset(pes));
        }
        if (pes == settings.mainPes()) {
            runs.addAll(overPermutationRange());
        }
        if (settings.full() && pes == settings.mainPes()) {
            runs.addAll(overShapes());
            runs.addAll(manyBlocks(pes));
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
    private List<JmhRun> rivals(int pes) {
        List<JmhRun> runs = new ArrayList<>();
        runs.add(withMainBytes("Submit").with(METHOD, "restore-async", "restore-huge", "no-checksums", "alltoallv",
                "files", "mpi-io"));
        runs.add(withMainBytes("Pull").with("pattern", "SHARE", "ALL").with(METHOD, "push", "no-checksums",
                "alltoallv", "files", "mpi-io"));
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

    /** Many small messages; on the main number of ranks all patterns, since no other part has as many combinations. */
    private List<JmhRun> sparse(boolean allPatterns) {
        return List.of(cheapRun(SPARSE).with("receivers", allPatterns
                ? List.of("NEXT", "ALL", "FIRST")
                : List.of("ALL")).with("messages", "1", "16", "64", "256")
                .with("messageBytes", allPatterns ? List.of("64", "4096") : List.of("64"))
                .with(METHOD, hasNbxInC ? List.of("nbx", "nbx-c", "alltoallv") : List.of("nbx", "alltoallv")));
    }

    /** Files of four times the data; their rival copies one of them, whatever the scheme. */
    private List<JmhRun> redset(int pes) {
        List<String> schemes = new ArrayList<>();
        if (pes >= 2) {
            schemes.add("XOR");
        }
        if (pes >= 3) {
            schemes.add("RS");
        }
        if (schemes.isEmpty()) {
            return List.of();
        }
        JmhRun redset = run("Redset").with("bytes", Long.toString(4 * settings.mainBytes()));
        if (settings.full()) {
            schemes.add("PARTNER");
            return List.of(redset.with("scheme", schemes));
        }
        return List.of(redset.with("scheme", schemes).with(METHOD, "restore"),
                redset.with("scheme", "XOR").with("operation", "apply").with(METHOD, "copy"));
    }

    private List<JmhRun> overPermutationRange() {
        List<String> others = settings.full()
                ? List.of("4096", "16384", "65536", "1048576", "4194304")
                : List.of("4096", "32768", "2097152");
        List<String> methods = settings.full() ? List.of("restore", "wire") : List.of("restore");
        return List.of(withMainBytes("Submit").with("permutationRangeBytes", others).with(METHOD, methods),
                withMainBytes("Pull").with("permutationRangeBytes", others).with("pattern", "SHARE").with(METHOD,
                        methods));
    }

    /** Other numbers of replicas, other sizes of blocks. */
    private List<JmhRun> overShapes() {
        List<JmhRun> runs = new ArrayList<>();
        Map<String, List<String>> others = Map.of("replication", List.of("1", "2", "3"), "blockBytes",
                List.of("16", "1024", "65536"));
        others.forEach((param, values) -> {
            runs.add(submits(withMainBytes("Submit").with(param, values)));
            runs.add(pulls(withMainBytes("Pull").with(param, values)));
        });
        return runs;
    }

    /** 10^7 blocks of 16 bytes, or as many as a rank may have bytes for; and the same bytes in blocks of 64. */
    private List<JmhRun> manyBlocks(int pes) {
        long wanted = MANY_BLOCKS * SMALL_BLOCK_BYTES / pes / BLOCK_BYTES * BLOCK_BYTES;
        long bytes = Math.min(wanted, settings.bytes().getLast());
        List<String> sizes = new ArrayList<>();
        // What the other runs have already is not measured twice.
        if (bytes != settings.mainBytes()) {
            sizes.add(Long.toString(SMALL_BLOCK_BYTES));
        }
        if (!settings.bytes().contains(bytes)) {
            sizes.add(Long.toString(BLOCK_BYTES));
        }
        return sizes.isEmpty()
                ? List.of()
                : List.of(submits(run("Submit").with("bytes", Long.toString(bytes)).with("blockBytes", sizes)),
                        pulls(run("Pull").with("bytes", Long.toString(bytes)).with("blockBytes", sizes)));
    }
}
