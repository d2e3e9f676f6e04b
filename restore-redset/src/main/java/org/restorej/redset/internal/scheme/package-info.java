/**
 * The redundancy schemes and their layout: which chunk of which rank goes into which row, who stores which checksum,
 * and what can be rebuilt from what.
 *
 * <p>
 * Pure arithmetic on ranks of one set. Calls {@code erasure} for matrices only; formats, encoders and protocols call
 * it.
 */
@NullMarked
package org.restorej.redset.internal.scheme;

import org.jspecify.annotations.NullMarked;
