/**
 * Serializers: they convert objects to the bytes of blocks and back. Start at {@link org.restorej.codec.Codecs}.
 *
 * <p>
 * Independent of the other packages, and without communication. Called by {@code ReplicatedObjects}, and by
 * applications that put objects into blocks themselves.
 *
 * <p>
 * To change how objects are serialized, start at {@code BlockSerializer}. {@code Codecs} has the provided serializers;
 * {@code RecordCodec} is the one of records; {@code PartWriter} and {@code PartReader} handle the parts of an object.
 */
@NullMarked
package org.restorej.codec;

import org.jspecify.annotations.NullMarked;
