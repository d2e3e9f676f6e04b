/**
 * The files of a rank: read and written as one logical file; replaced atomically; with mode and times.
 *
 * <p>
 * All changes on disk go through {@link org.restorej.redset.internal.files.FileOperations}. Everything above calls this
 * package; it calls {@code format} only.
 */
@NullMarked
package org.restorej.redset.internal.files;

import org.jspecify.annotations.NullMarked;
