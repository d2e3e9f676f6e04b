/**
 * Files of a rank: read and written in pieces as one logical file, replaced atomically, with mode, owner and times.
 *
 * <p>
 * The only package that changes anything on disk, and all of it through {@code FileOperations}. Knows the records of
 * {@code format}; encoders, decoders and protocols call it.
 */
@NullMarked
package org.restorej.redset.internal.files;

import org.jspecify.annotations.NullMarked;
