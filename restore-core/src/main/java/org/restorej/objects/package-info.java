/**
 * Stores of objects, which serializers write ({@link org.restorej.objects.ReplicatedObjects}), and of parts, which the
 * application writes into streams ({@link org.restorej.objects.ReplicatedStreams}).
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
