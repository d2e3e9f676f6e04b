package org.restorej.internal.foreign;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/**
 * Calls functions of C, all by one method handle: it passes eight integers of 64 bits, and takes another as the result,
 * of which the lower half is what a function returns as an {@code int}.
 *
 * <p>
 * A function that takes fewer doesn't look at the rest, one that takes an {@code int} looks at the lower half, and one
 * that takes an address at all of it: so it is in the calling conventions of x86-64 (System V) and AArch64 (AAPCS64)
 * for functions whose arguments are all integers or addresses. For a handle of each shape the JVM would generate
 * classes, at 25 to 50 ms of CPU each in a rank's first calls; this one costs about 1 ns a call instead (measured with
 * seven integers).
 *
 * <p>
 * The memory behind an address must be open, and is the caller's to keep: the JVM knows nothing of it. Any thread.
 */
public final class ForeignCall {
    private static final int ARGUMENTS = 8;

    private ForeignCall() {}

    /** Made at the first call, so that {@link #requireAllowed} can say why there can be none. */
    private static final class Handle {
        static final MethodHandle CALL = link();
    }

    private static MethodHandle link() {
        MemoryLayout[] arguments = new MemoryLayout[ARGUMENTS];
        Arrays.fill(arguments, ValueLayout.JAVA_LONG);
        return Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(ValueLayout.JAVA_LONG, arguments));
    }

    /**
     * Throws where the library may not call functions of C; a first call would make this class unusable instead.
     *
     * @throws IllegalCallerException when the JVM was told to deny it ({@code --illegal-native-access=deny})
     * @throws UnsupportedOperationException when the JVM can't
     */
    public static void requireAllowed() {
        link();
    }

    /** A function with up to eight arguments whose result has 64 bits. */
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

    /** A function without arguments whose result has 64 bits. */
    public static long callLong(MemorySegment function) {
        return callLong(function, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /** A function with up to eight arguments. */
    public static int call(MemorySegment function, long a, long b, long c, long d, long e, long f, long g, long h) {
        return (int) callLong(function, a, b, c, d, e, f, g, h);
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
