package org.restorej.bench.mpi;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.restorej.bench.c.CompiledRival;
import org.restorej.bench.result.BenchmarkKey;
import org.restorej.bench.result.JmhResults;

/** Reads what the program {@code cpp_restore.cpp} writes, which lives as {@link JobLife} does with C++ ReStore. */
public final class CppLife {
    /** The method of its measurements. */
    public static final String METHOD = CompiledRival.CPP_RESTORE.text();

    private static final String SHARE = "share";
    private static final List<String> OPERATIONS = List.of("submit", SHARE, "wholes");

    private CppLife() {}

    /**
     * Reads times.
     *
     * @param times what the program has written
     * @param bytes of a rank
     * @return what JMH would have written of them
     * @throws IOException when the file can't be read, or is not what the program writes; the message names the file
     */
    public static JmhResults read(Path times, int pes, long bytes) throws IOException {
        Map<BenchmarkKey, List<Double>> millis = new LinkedHashMap<>();
        ProgramTimes.read(times, OPERATIONS).forEach((operation, calls) -> {
            millis.putAll(LifeResults.ofProgram(operation, pes, bytes, METHOD, calls));
            if (operation.equals(SHARE)) {
                // The nearest that it has to a first recovery as a whole.
                millis.putAll(LifeResults.ofProgram(RecoveryLife.NAME, pes, bytes, METHOD, calls.subList(0, 1)));
            }
        });
        return JmhResults.ofMillis(millis);
    }
}
