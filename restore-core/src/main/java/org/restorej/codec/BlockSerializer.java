package org.restorej.codec;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.OptionalLong;

/**
 * Converts objects of one type to the bytes of blocks and back. {@link Codecs} has serializers of numbers, texts and
 * arrays, and creates those of records. Your own implements three methods:
 *
 * <pre>{@code
 * final class Images implements BlockSerializer<Image> {
 *     public long sizeBytes(Image image) {
 *         return image.png().length;
 *     }
 *
 *     public void write(Image image, MemorySegment block) {
 *         block.copyFrom(MemorySegment.ofArray(image.png()));
 *     }
 *
 *     public Image read(MemorySegment block) {
 *         return new Image(block.toArray(ValueLayout.JAVA_BYTE));
 *     }
 * }
 * }</pre>
 *
 * <p>
 * Blocks may begin at any address, so layouts must be unaligned, such as
 * {@link java.lang.foreign.ValueLayout#JAVA_DOUBLE_UNALIGNED}. The same on every PE. Keeps no state between calls;
 * thread-safe.
 *
 * @param <T> type of the objects
 */
public interface BlockSerializer<T> {
    /** The size in bytes of every object, at least 1; empty if sizes differ. Always the same. */
    default OptionalLong fixedSizeBytes() {
        return OptionalLong.empty();
    }

    /** Size of an object in bytes, 0 or more; the same until the object is changed. */
    long sizeBytes(T object);

    /**
     * Writes an object, after a call of {@link #sizeBytes}.
     *
     * @param block to be filled, of the size that {@link #sizeBytes} has returned; valid only during the call
     */
    void write(T object, MemorySegment block);

    /**
     * Reads an object. Must copy what it needs, since the memory is freed or overwritten afterwards.
     *
     * @param block exactly the bytes of one object; valid only during the call
     * @return never null
     * @throws IllegalArgumentException when the bytes are not those of an object
     */
    T read(MemorySegment block);

    /** Serializes an object into an array, for example for a message between PEs. */
    default byte[] toBytes(T object) {
        byte[] bytes = new byte[Math.toIntExact(sizeBytes(object))];
        write(object, MemorySegment.ofArray(bytes));
        return bytes;
    }

    /**
     * Deserializes an object that {@link #toBytes} has written.
     *
     * @throws IllegalArgumentException when the bytes are not those of an object
     */
    default T fromBytes(byte[] bytes) {
        return read(MemorySegment.ofArray(bytes).asReadOnly());
    }

    /**
     * A serializer of lists of such objects. Objects of fixed size are stored one after another; others are preceded by
     * their size in 4 bytes, and must be smaller than 2 GiB. A list is read as a new {@link java.util.ArrayList}.
     *
     * @throws IllegalArgumentException when the fixed size is 0, since the number of objects could not be derived
     */
    default BlockSerializer<List<T>> list() {
        return new ListCodec<>(this);
    }
}
