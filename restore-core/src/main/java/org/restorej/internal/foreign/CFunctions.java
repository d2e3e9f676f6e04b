package org.restorej.internal.foreign;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/**
 * The one shape in which the library calls functions of C: eight integers of 64 bits, and another as the result, of
 * which the lower half is what a function returns as an {@code int}.
 *
 * <p>
 * A function that takes fewer doesn't look at the rest, one that takes an {@code int} looks at the lower half, and one
 * that takes an address at all of it: so it is in the calling conventions of x86-64 (System V) and AArch64 (AAPCS64)
 * for functions whose arguments are all integers or addresses. The JVM generates classes for each shape, which costs 25
 * to 50 ms of CPU at a rank's start, and shares them among all who ask for the same; this one costs about 1 ns a call
 * instead (measured with seven integers).
 */
public final class CFunctions {
    private static final int ARGUMENTS = 8;

    private CFunctions() {}

    /**
     * A handle whose arguments are the address of a function as a {@code MemorySegment} and eight values of type
     * {@code long}, and whose result is a {@code long}.
     *
     * @throws IllegalCallerException when this module may not call native code
     * @throws UnsupportedOperationException when the JVM can't on this platform
     */
    public static MethodHandle handle() {
        MemoryLayout[] arguments = new MemoryLayout[ARGUMENTS];
        Arrays.fill(arguments, ValueLayout.JAVA_LONG);
        return Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(ValueLayout.JAVA_LONG, arguments));
    }
}
