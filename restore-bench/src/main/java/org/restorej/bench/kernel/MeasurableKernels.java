package org.restorej.bench.kernel;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.restorej.internal.erasure.ErasureKernels;

/**
 * Which kernels can be measured on a machine.
 *
 * @param names values for {@link ErasureKernelBenchmark}
 * @param noIsalFromC why {@link IsalBenchmark} can't be run; nothing when it can
 */
public record MeasurableKernels(List<String> names, Optional<String> noIsalFromC) {
    /** Copies. */
    public MeasurableKernels {
        names = List.copyOf(names);
    }

    /** Looks for ISA-L and a C compiler. */
    public static MeasurableKernels ofThisMachine() {
        List<String> names = new ArrayList<>(List.of("scalar", "swar"));
        Optional<String> noIsal = ErasureKernels.isalAbsence();
        if (noIsal.isEmpty()) {
            names.add("isal");
            noIsal = absenceFromC();
        }
        return new MeasurableKernels(names, noIsal);
    }

    private static Optional<String> absenceFromC() {
        try (Arena arena = Arena.ofConfined()) {
            IsalFromC.compile(KernelCase.of(arena, 2, 1, 64), arena);
            return Optional.empty();
        } catch (IOException absent) {
            return Optional.of(String.valueOf(absent.getMessage()));
        }
    }
}
