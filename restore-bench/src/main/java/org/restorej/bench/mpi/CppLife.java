package org.restorej.bench.mpi;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.restorej.bench.c.CompiledRival;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.JmhResults;

/**
 * Reads what programs write that live as {@link JobLife} does: {@code cpp_restore.cpp} with C++ ReStore, and the floor
 * programs.
 */
public final class CppLife {
    /** The method of C++ ReStore's measurements. */
    public static final String METHOD = CompiledRival.CPP_RESTORE.text();

    private static final String SHARE = "share";
    private static final List<String> OPERATIONS = List.of("submit", SHARE, "wholes");

    private CppLife() {}

    /**
     * Reads times of C++ ReStore.
     *
     * @param times what the program has written
     * @param bytes of a rank
     * @return what JMH would have written of them
     * @throws IOException when the file can't be read, or is not what the program writes; the message names the file
     */
    public static JmhResults read(Path times, int pes, long bytes) throws IOException {
        Map<String, List<Double>> calls = ProgramTimes.read(times, OPERATIONS);
        // The nearest that it has to a first recovery as a whole.
        calls.put(RecoveryLife.NAME, calls.getOrDefault(SHARE, List.of()).subList(0, 1));
        return results(calls, pes, bytes, METHOD);
    }

    /** The same of a program with one operation. */
    public static JmhResults read(Path times, int pes, long bytes, String operation, String method)
            throws IOException {
        return results(ProgramTimes.read(times, List.of(operation)), pes, bytes, method);
    }

    private static JmhResults results(Map<String, List<Double>> operations, int pes, long bytes, String method) {
        Map<BenchmarkKey, List<Double>> millis = new LinkedHashMap<>();
        operations.forEach((operation, calls) -> millis
                .putAll(LifeResults.ofProgram(operation, pes, bytes, method, calls)));
        return JmhResults.ofMillis(millis);
    }
}
