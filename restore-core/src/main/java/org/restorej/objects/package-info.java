/**
 * Data that are objects, which serializers write, or parts, which the application writes into streams.
 *
 * <p>
 * Calls the store, {@code LoopData} of loops, and serializers. Called by applications.
 *
 * <p>
 * To change how objects become blocks, start at {@code ReplicatedObjects} and {@code LocalObjects}; for parts, at
 * {@code ReplicatedStreams} and {@code LocalStreams}, with {@code PartOutput} and {@code PartInput}.
 */
@NullMarked
package org.restorej.objects;

import org.jspecify.annotations.NullMarked;
