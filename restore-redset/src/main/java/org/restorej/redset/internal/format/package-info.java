/**
 * Bytes of redset's files: KVTree blocks, descriptor files, headers of redundancy files, file names; and of our own
 * file of checksums beside them. What is written is byte for byte what redset writes; what is read may be hostile.
 *
 * <p>
 * Knows {@code scheme} only, and opens no files but through channels it is given. Used by everything above.
 */
@NullMarked
package org.restorej.redset.internal.format;

import org.jspecify.annotations.NullMarked;
