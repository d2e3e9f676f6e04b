/**
 * The files of a rank: read and written as one logical file; replaced atomically; with mode and times.
 *
 * <p>
 * All changes on disk go through {@link org.restorej.redset.internal.files.FileOperations}. Everything above calls this
 * package; it calls {@code format} only.
 *
 * <p>
 * To change when protected files replace older ones, start at {@code FileCommit}: {@code redset.Redset.apply} is a
 * commit over the journals of all ranks; a journal is a {@code redset.internal.format.CommitJournal}. To change where a
 * recorded name of a file may lead, or where it leads after a move, start at {@code PathPolicy}.
 */
@NullMarked
package org.restorej.redset.internal.files;

import org.jspecify.annotations.NullMarked;
