/**
 * Looks at a directory that holds the redundancy files of many ranks, says what is damaged, and rebuilds it: in one
 * process, without MPI.
 *
 * <p>
 * The command line and {@code blocks} call it; it calls {@code coding} and what that calls.
 */
@NullMarked
package org.restorej.redset.internal.offline;

import org.jspecify.annotations.NullMarked;
