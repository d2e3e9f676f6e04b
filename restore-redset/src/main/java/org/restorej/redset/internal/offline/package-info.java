/**
 * Inspects directories with the redundancy files of many ranks, reports damage, and rebuilds files: in one process,
 * without MPI. The members of a set may be in the directories of several nodes ({@code SpreadSets}). Calls
 * {@code protocol}, {@code sets}, {@code coding} and the packages below them; the command line and {@code scr} call
 * this package.
 *
 * <p>
 * To change what one process reports of a set, start at {@code SetInspector}; how it rebuilds, at
 * {@code redset.internal.protocol.SetRecovery}; which encoding's files are current, at {@code LiveEncoding}, which
 * chooses none if that is unknown; which interrupted commits it settles, at {@code Journals}.
 */
@NullMarked
package org.restorej.redset.internal.offline;

import org.jspecify.annotations.NullMarked;
