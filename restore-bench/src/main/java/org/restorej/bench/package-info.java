/** JMH benchmarks of single parts in one JVM, and of collective operations under {@code mpirun}. */
@NullMarked
package org.restorej.bench;

import org.jspecify.annotations.NullMarked;
