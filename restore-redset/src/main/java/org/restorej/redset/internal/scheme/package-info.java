/**
 * The layout of the coded schemes: which rank has which chunk or checksum of a row, and how cells of a row are computed
 * from others.
 *
 * <p>
 * Pure arithmetic on ranks of one set. {@code protocol}, {@code coding} and {@code format} call it; it calls
 * {@code erasure}.
 *
 * <p>
 * To change which rank has which chunk, start at {@code ChunkLayout}; which checksums lost data are computed from, at
 * {@code RowPlan}.
 */
@NullMarked
package org.restorej.redset.internal.scheme;

import org.jspecify.annotations.NullMarked;
