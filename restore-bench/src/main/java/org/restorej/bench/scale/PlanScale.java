package org.restorej.bench.scale;

import com.sun.management.ThreadMXBean;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.JmhResults;

/**
 * Measures what one PE does alone for each operation, by the CPU time and the allocations of the measuring thread:
 * other load on the machine has no part in it. Writes what JMH would. One thread.
 */
public final class PlanScale {
    /** Name of the parameter that is the number of PEs. */
    public static final String PES = "peCount";
    /** Name of the counter of allocated bytes, of one call. */
    public static final String ALLOCATED = "allocatedBytes";
    /** For how many PEs, unless something else is asked for. */
    public static final List<Integer> DEFAULT_PES = List.of(1024, 4096, 24_576, 1_000_000);

    /** Fewer have too few failed ones among one in a hundred. */
    public static final int LEAST_PES = 1000;

    private static final int SAMPLES = 11;
    /** Of warming up, and of measuring; what takes longer is called once, and measured three times. */
    private static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(400);
    private static final int FEWEST_SAMPLES = 3;

    /** Reads the numbers of the calling thread. */
    private final ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    private final List<JmhResults.Timed> results = new ArrayList<>();

    /** Nothing measured yet. */
    public PlanScale() {}

    /**
     * Measures all operations.
     *
     * @param pes numbers of PEs, each at least {@link #LEAST_PES}
     * @param progress what goes on
     */
    public void measure(List<Integer> pes, PrintStream progress) {
        for (int peCount : pes) {
            progress.println("bench: plans for " + peCount + " PEs");
            new PlanCases(peCount).all().forEach((name, call) -> measure(name, peCount, call));
        }
    }

    private void measure(String name, int peCount, Supplier<?> call) {
        long warm = 0;
        long calls = 0;
        while (warm < MOST_NANOS || calls == 0) {
            warm += nanos(call);
            calls++;
        }
        long each = warm / calls;
        // Of short calls many together, since the clock of a thread ticks in microseconds.
        int together = Math.clamp(MOST_NANOS / SAMPLES / Math.max(1, each), 1, 1000);
        int samples = Math.clamp(MOST_NANOS / Math.max(1, each), FEWEST_SAMPLES, SAMPLES);
        List<Double> millis = new ArrayList<>();
        for (int sample = 0; sample < samples; sample++) {
            long nanos = 0;
            for (int i = 0; i < together; i++) {
                nanos += nanos(call);
            }
            millis.add(nanos / 1e6 / together);
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        use(call);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        results.add(new JmhResults.Timed(new BenchmarkKey(PlanScale.class.getName() + "." + name,
                new TreeMap<>(Map.of(PES, Integer.toString(peCount)))), millis, Map.of(ALLOCATED, allocated)));
    }

    private long nanos(Supplier<?> call) {
        long start = threads.getCurrentThreadCpuTime();
        use(call);
        return threads.getCurrentThreadCpuTime() - start;
    }

    private static void use(Supplier<?> call) {
        @Nullable
        Object result = null;
        try {
            result = call.get();
        } finally {
            // So that no call is left out for being of no use.
            Reference.reachabilityFence(result);
        }
    }

    /** All that was measured. */
    public JmhResults results() {
        return JmhResults.of(results);
    }
}
