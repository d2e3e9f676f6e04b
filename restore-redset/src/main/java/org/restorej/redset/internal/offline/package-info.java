/**
 * Looks at directories that hold the redundancy files of many ranks, says what is damaged, and rebuilds it: in one
 * process, without MPI. The members of a set may lie in the directories of several nodes ({@code SpreadSets}).
 *
 * <p>
 * The command line and {@code scr} call it; it calls {@code protocol}, {@code sets}, {@code coding} and what these call.
 *
 * <p>
 * To change what one process says of a set, start at {@code SetInspector}; how it rebuilds, at
 * {@code redset.internal.protocol.SetRecovery}; which encoding's files count, at {@code LiveEncoding}, which refuses when
 * it can't be decided.
 */
@NullMarked
package org.restorej.redset.internal.offline;

import org.jspecify.annotations.NullMarked;
