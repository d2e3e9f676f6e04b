package org.restorej.internal.mpi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Calls functions of C, all by one method handle: it passes eight integers of 64 bits, and takes another as the result,
 * of which the lower half is what a function returns as an {@code int}.
 *
 * <p>
 * A function that takes fewer doesn't look at the rest, one that takes an {@code int} looks at the lower half, and one
 * that takes an address at all of it: so it is in the calling conventions of x86-64 (System V) and AArch64 (AAPCS64)
 * for functions whose arguments are all integers or addresses. A handle of its own for each of some twenty shapes would
 * cost 0.1 s of CPU at the start of a rank; this one costs about 1 ns a call instead (measured with seven integers).
 */
public final class ForeignCall {
    private static final MethodHandle CALL = Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(
            ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG));

    private ForeignCall() {}

    /** A function with up to eight arguments. */
    public static int call(MemorySegment function, long a, long b, long c, long d, long e, long f, long g, long h) {
        try {
            return (int) (long) CALL.invokeExact(function, a, b, c, d, e, f, g, h);
        } catch (RuntimeException | Error thrown) {
            throw thrown;
        } catch (Throwable impossible) {
            throw new IllegalStateException("a foreign function can't throw an exception", impossible);
        }
    }

    /** A function with up to five arguments. */
    public static int call(MemorySegment function, long a, long b, long c, long d, long e) {
        return call(function, a, b, c, d, e, 0, 0, 0);
    }

    /** A function with up to three arguments. */
    public static int call(MemorySegment function, long a, long b, long c) {
        return call(function, a, b, c, 0, 0, 0, 0, 0);
    }

    /** A function with up to two arguments. */
    public static int call(MemorySegment function, long a, long b) {
        return call(function, a, b, 0, 0, 0, 0, 0, 0);
    }

    /** A function with one argument, or none. */
    public static int call(MemorySegment function, long a) {
        return call(function, a, 0, 0, 0, 0, 0, 0, 0);
    }
}
