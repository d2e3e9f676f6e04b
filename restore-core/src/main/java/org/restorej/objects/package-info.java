/**
 * Data that are objects, which serializers write, or parts, which the application writes into streams.
 *
 * <p>
 * For a change: {@code ReplicatedObjects} and {@code LocalObjects} make blocks of objects, {@code ReplicatedStreams} and
 * {@code LocalStreams} those of parts, by {@code PartOutput} and {@code PartInput}. Calls the store, {@code LoopData} of loops, and
 * serializers.
 */
@NullMarked
package org.restorej.objects;

import org.jspecify.annotations.NullMarked;
