/**
 * Benchmarks of the arithmetic behind file redundancy: GF(2^8) kernels, exclusive or, checksums; and ISA-L called from
 * Java against ISA-L called from C. Calls {@code restore-redset}; the command asks it what
 * can be measured.
 */
@NullMarked
package org.restorej.bench.kernel;

import org.jspecify.annotations.NullMarked;
