/**
 * The files of a rank: read and written as one logical file, and replaced atomically with their modes and times. All
 * changes on disk go through {@link org.restorej.redset.internal.files.FileOperations}. Calls {@code format} only.
 *
 * <p>
 * To change when protected files replace older ones, start at {@code FileCommit}: {@code redset.Redset.apply} is a
 * commit over the journals of all ranks; a journal is a {@code redset.internal.format.CommitJournal}. To change which
 * files recorded names may refer to, also after a move, start at {@code PathPolicy}.
 */
@NullMarked
package org.restorej.redset.internal.files;

import org.jspecify.annotations.NullMarked;
