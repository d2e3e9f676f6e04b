/**
 * Looks at a directory that holds the redundancy files of many ranks, says what is damaged, and rebuilds it: without
 * MPI, from one process. Also the command line for it.
 *
 * <p>
 * Top of this module beside the user API; calls {@code coding} and everything below it.
 */
@NullMarked
package org.restorej.redset.internal.offline;

import org.jspecify.annotations.NullMarked;
