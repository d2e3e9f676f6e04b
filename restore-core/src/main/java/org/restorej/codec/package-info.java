/**
 * How objects become the bytes of blocks, and come back.
 *
 * <p>
 * Calls nothing of this project, and communicates with nobody. Called by {@code ReplicatedObjects}, and by
 * applications that put objects into blocks themselves.
 *
 * <p>
 * To change how objects are serialized, start at {@code BlockSerializer}. {@code Codecs} has the ready ones,
 * {@code RecordCodec} is the one of records; {@code PartWriter} and {@code PartReader} are for parts of an object.
 */
@NullMarked
package org.restorej.codec;

import org.jspecify.annotations.NullMarked;
