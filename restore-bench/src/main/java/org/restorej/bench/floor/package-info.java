/**
 * What the simplest Java needs for the same work, as rivals: straight loops and foreign functions to Open MPI and
 * ISA-L, started with the JDK's defaults. What lies between these programs and the library is the library's own, not
 * the JVM's.
 *
 * <p>
 * A program writes a line for each operation, as those in C and C++ do. Called by {@code bin/bench --life}; call
 * nothing of the project but the search for libmpi, the bytes that files have, and what writes the times.
 */
@NullMarked
package org.restorej.bench.floor;

import org.jspecify.annotations.NullMarked;
