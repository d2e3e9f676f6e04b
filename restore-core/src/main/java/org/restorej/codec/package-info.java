/**
 * How objects become the bytes of blocks, and come back.
 *
 * <p>
 * Calls nothing of this project, and communicates with nobody. Called by {@code ReplicatedObjects}, and by
 * applications that put objects into blocks themselves.
 */
@NullMarked
package org.restorej.codec;

import org.jspecify.annotations.NullMarked;
