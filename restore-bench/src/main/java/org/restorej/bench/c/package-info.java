/**
 * C and C++ code to compare with, compiled when it is measured by the compiler that is there. Calls the compiler;
 * called by the benchmarks and by what starts them.
 *
 * <p>
 * To add a program in C to compare with, start at {@code CompiledRival}; sources are in {@code src/main/native}.
 */
@NullMarked
package org.restorej.bench.c;

import org.jspecify.annotations.NullMarked;
