package org.restorej.internal.foreign;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/**
 * Calls C functions through a single method handle. It passes eight 64-bit integers and returns one, whose lower half
 * is the result of a function that returns an {@code int}.
 *
 * <p>
 * A function with fewer parameters ignores the rest, and one with {@code int} parameters reads the lower halves. This
 * holds in the calling conventions of x86-64 (System V) and AArch64 (AAPCS64) for functions with only integer and
 * pointer parameters. For a handle of each signature the JVM would generate classes, at 25 to 50 ms of CPU each in a
 * rank's first calls; this one costs about 1 ns a call instead (measured with seven integers).
 *
 * <p>
 * The caller must keep the memory behind an address allocated; the JVM doesn't check it. Thread-safe.
 */
public final class ForeignCall {
    private static final int ARGUMENTS = 8;

    private ForeignCall() {}

    /** Created at the first call, so that {@link #requireAllowed} can give the reason if it fails. */
    private static final class Handle {
        static final MethodHandle CALL = link();
    }

    private static MethodHandle link() {
        MemoryLayout[] arguments = new MemoryLayout[ARGUMENTS];
        Arrays.fill(arguments, ValueLayout.JAVA_LONG);
        return Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(ValueLayout.JAVA_LONG, arguments));
    }

    /**
     * Throws if the library may not call C functions; the first call would otherwise make this class unusable.
     *
     * @throws IllegalCallerException when the JVM denies it ({@code --illegal-native-access=deny})
     * @throws UnsupportedOperationException when the JVM doesn't support it
     */
    public static void requireAllowed() {
        link();
    }

    /** Calls a function with up to eight arguments and a 64-bit result. */
    public static long callLong(MemorySegment function, long a, long b, long c, long d, long e, long f, long g,
            long h) {
        try {
            return (long) Handle.CALL.invokeExact(function, a, b, c, d, e, f, g, h);
        } catch (RuntimeException | Error thrown) {
            throw thrown;
        } catch (Throwable impossible) {
            throw new IllegalStateException("a foreign function can't throw an exception", impossible);
        }
    }

    /** Calls a function without arguments and with a 64-bit result. */
    public static long callLong(MemorySegment function) {
        return callLong(function, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /** Calls a function with up to eight arguments. */
    public static int call(MemorySegment function, long a, long b, long c, long d, long e, long f, long g, long h) {
        return (int) callLong(function, a, b, c, d, e, f, g, h);
    }

    /** Calls a function with up to five arguments. */
    public static int call(MemorySegment function, long a, long b, long c, long d, long e) {
        return call(function, a, b, c, d, e, 0, 0, 0);
    }

    /** Calls a function with up to three arguments. */
    public static int call(MemorySegment function, long a, long b, long c) {
        return call(function, a, b, c, 0, 0, 0, 0, 0);
    }

    /** Calls a function with up to two arguments. */
    public static int call(MemorySegment function, long a, long b) {
        return call(function, a, b, 0, 0, 0, 0, 0, 0);
    }

    /** Calls a function with one argument, or none. */
    public static int call(MemorySegment function, long a) {
        return call(function, a, 0, 0, 0, 0, 0, 0, 0);
    }
}
