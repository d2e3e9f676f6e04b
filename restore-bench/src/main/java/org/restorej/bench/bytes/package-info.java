/** Bytes that benchmarks move and can recognise afterwards. Calls nothing; called by all benchmarks that move bytes. */
@NullMarked
package org.restorej.bench.bytes;

import org.jspecify.annotations.NullMarked;
