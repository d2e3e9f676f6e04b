/**
 * The replica memory of one PE: off-heap segments that hold blocks by position.
 *
 * <p>
 * Calls {@code placement} and {@code memory}; knows nothing of communication. {@code exchange} reads and fills it, the
 * store owns it.
 */
@NullMarked
package org.restorej.internal.storage;

import org.jspecify.annotations.NullMarked;
