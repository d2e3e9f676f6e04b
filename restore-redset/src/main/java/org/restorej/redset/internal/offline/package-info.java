/**
 * Looks at directories that hold the redundancy files of many ranks, says what is damaged, and rebuilds it: in one
 * process, without MPI. The members of a set may lie in the directories of several nodes ({@code SpreadSets}).
 *
 * <p>
 * The command line, {@code scr} and {@code blocks} call it; it calls {@code sets}, {@code coding} and what these call.
 *
 * <p>
 * To change what is rebuilt in one process, start at {@code SetRepair}; which encoding counts there, at
 * {@code LiveEncoding}, which refuses when it can't be decided.
 */
@NullMarked
package org.restorej.redset.internal.offline;

import org.jspecify.annotations.NullMarked;
