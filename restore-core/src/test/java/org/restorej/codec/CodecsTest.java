package org.restorej.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.restorej.codec.Codecs.BOOLEAN;
import static org.restorej.codec.Codecs.BYTES;
import static org.restorej.codec.Codecs.DOUBLE;
import static org.restorej.codec.Codecs.DOUBLES;
import static org.restorej.codec.Codecs.FLOAT;
import static org.restorej.codec.Codecs.FLOATS;
import static org.restorej.codec.Codecs.INT;
import static org.restorej.codec.Codecs.INTS;
import static org.restorej.codec.Codecs.LONG;
import static org.restorej.codec.Codecs.LONGS;
import static org.restorej.codec.Codecs.STRING;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class CodecsTest {
    /** The bytes of an object, at an odd address: blocks may begin anywhere. */
    static <T> byte[] bytesOf(BlockSerializer<T> serializer, T object) {
        try (Arena arena = Arena.ofConfined()) {
            long size = serializer.sizeBytes(object);
            MemorySegment block = arena.allocate(size + 1, 8).asSlice(1);
            serializer.write(object, block);
            serializer.fixedSizeBytes().ifPresent(fixed -> assertEquals(fixed, size));
            return block.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    static <T> T readFrom(BlockSerializer<T> serializer, byte... bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment block = arena.allocate(bytes.length + 1L, 8).asSlice(1);
            block.copyFrom(MemorySegment.ofArray(bytes));
            T object = serializer.read(block.asReadOnly());
            // What was read must be a copy.
            block.fill((byte) -1);
            return object;
        }
    }

    static <T> T copyOf(BlockSerializer<T> serializer, T object) {
        return readFrom(serializer, bytesOf(serializer, object));
    }

    static <T> void assertUnreadable(String message, BlockSerializer<T> serializer, byte... bytes) {
        assertEquals(message,
                assertThrows(IllegalArgumentException.class, () -> readFrom(serializer, bytes)).getMessage());
    }

    @Test
    void numbersComeBackToTheLastBit() {
        for (long bits : new long[]{0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0x7FF0_0000_0000_0001L,
                0xFFF8_1234_5678_9ABCL}) {
            assertEquals(bits, copyOf(LONG, bits));
            assertEquals((int) bits, copyOf(INT, (int) bits));
            assertEquals(bits, Double.doubleToRawLongBits(copyOf(DOUBLE, Double.longBitsToDouble(bits))));
        }
        for (int bits : new int[]{0, 1, Integer.MIN_VALUE, 0x3F80_0000, 0xFFC1_2345}) {
            assertEquals(bits, Float.floatToRawIntBits(copyOf(FLOAT, Float.intBitsToFloat(bits))));
        }
        assertEquals(true, copyOf(BOOLEAN, true));
        assertEquals(false, copyOf(BOOLEAN, false));
    }

    @Test
    void numbersAreInNativeOrder() {
        byte first = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? (byte) 4 : 1;
        assertEquals(first, bytesOf(INT, 0x01020304)[0]);
        assertEquals(first, bytesOf(INTS, new int[]{0x01020304})[0]);
    }

    @Test
    void arraysComeBackWhateverTheirLength() {
        for (int length : new int[]{0, 1, 7, 64}) {
            byte[] bytes = new byte[length];
            int[] ints = new int[length];
            long[] longs = new long[length];
            float[] floats = new float[length];
            double[] doubles = new double[length];
            for (int i = 0; i < length; i++) {
                bytes[i] = (byte) (i * 37);
                ints[i] = i * 0x9E3779B9;
                longs[i] = i * 0x9E3779B97F4A7C15L;
                floats[i] = i * 0.1f;
                doubles[i] = i * 0.1;
            }
            assertArrayEquals(bytes, copyOf(BYTES, bytes));
            assertArrayEquals(ints, copyOf(INTS, ints));
            assertArrayEquals(longs, copyOf(LONGS, longs));
            assertArrayEquals(floats, copyOf(FLOATS, floats));
            assertArrayEquals(doubles, copyOf(DOUBLES, doubles));
            assertEquals(8L * length, bytesOf(DOUBLES, doubles).length);
        }
    }

    @Test
    void textsComeBackWhateverTheirCharacters() {
        for (String text : List.of("", "a", "nul\0", "äöü", "汉字", "𝕊😀", "\uFFFD is a character too",
                "\uD7FF\uE000",
                "\u007F\u0080\u07FF\u0800\uFFFF", "\uD800\uDC00\uDBFF\uDFFF")) {
            assertEquals(text, copyOf(STRING, text));
            assertEquals(text.getBytes(java.nio.charset.StandardCharsets.UTF_8).length, STRING.sizeBytes(text));
        }
    }

    @Test
    void halfASurrogatePairIsRefusedInsteadOfReplaced() {
        for (String text : List.of("x\uD83D", "x\uDE00", "x\uDE00\uD83D", "x\uD83Dy")) {
            String message = assertThrows(IllegalArgumentException.class, () -> STRING.sizeBytes(text)).getMessage();
            assertEquals("a text must not have half a surrogate pair: char 1 is 0x"
                    + Integer.toHexString(text.charAt(1)), message);
        }
    }

    @Test
    void bytesThatAreNoTextAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> readFrom(STRING, (byte) 'a', (byte) 0xC3));
        assertThrows(IllegalArgumentException.class, () -> readFrom(STRING, (byte) 0xED, (byte) 0xA0, (byte) 0x80));
    }

    @Test
    void bytesOfAnotherLengthAreRefused() {
        assertUnreadable("a double must have 8 bytes: block.byteSize()=7", DOUBLE, new byte[7]);
        assertUnreadable("an int must have 4 bytes: block.byteSize()=8", INT, new byte[8]);
        assertUnreadable("a boolean must be the byte 0 or 1: byte=2", BOOLEAN, (byte) 2);
        assertUnreadable("an array of longs must have a multiple of 8 bytes, for at most 2147483647 elements: "
                + "block.byteSize()=9", LONGS, new byte[9]);
    }

    @Test
    void listsOfObjectsOfOneSizeAreDense() {
        List<Integer> numbers = List.of(1, -2, 3);
        assertEquals(12, bytesOf(INT.list(), numbers).length);
        assertEquals(numbers, copyOf(INT.list(), numbers));
        assertEquals(List.of(), copyOf(INT.list(), List.of()));
        assertUnreadable("a part of 4 bytes must fit into the 1 bytes behind offset 8 of its block", INT.list(),
                new byte[9]);
    }

    @Test
    void listsOfAnythingComeBackAndCanGrow() {
        BlockSerializer<List<List<String>>> lists = STRING.list().list();
        List<List<String>> object = List.of(List.of("a", "", "ccc"), List.of(), List.of(""));
        List<List<String>> copy = copyOf(lists, object);
        assertEquals(object, copy);
        copy.getFirst().add("as it could before a failure");
        assertEquals(OptionalLong.empty(), lists.fixedSizeBytes());
    }

    @Test
    void sizesThatDoNotFitAreRefusedBeforeAnythingIsAllocated() {
        BlockSerializer<List<String>> texts = STRING.list();
        byte[] bytes = bytesOf(texts, List.of("ab", "c"));
        MemorySegment.ofArray(bytes).set(ValueLayout.JAVA_INT_UNALIGNED, 0, Integer.MAX_VALUE);
        assertUnreadable("a part of 2147483647 bytes must fit into the 7 bytes behind offset 4 of its block", texts,
                bytes);
        MemorySegment.ofArray(bytes).set(ValueLayout.JAVA_INT_UNALIGNED, 0, -1);
        assertUnreadable("a part of -1 bytes must fit into the 7 bytes behind offset 4 of its block", texts, bytes);
        assertUnreadable("the size of a part takes 4 bytes: there are 3 behind offset 0 of its block", texts,
                new byte[3]);
    }

    @Test
    void aListThatShrinksWhileItIsSubmittedIsRefused() {
        List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
        MemorySegment block = MemorySegment.ofArray(new byte[(int) INT.list().sizeBytes(list)]);
        list.removeLast();
        assertEquals("an object must not shrink between asking for its size and writing it: 4 of 12 bytes are not "
                + "written",
                assertThrows(IllegalArgumentException.class, () -> INT.list().write(list, block)).getMessage());
    }

    @Test
    void elementsWithoutBytesMakeNoList() {
        BlockSerializer<String> nothing = new FixedCodec<>("nothing", 0, (_, _) -> {}, _ -> "");
        assertEquals("the elements of a list must have at least 1 byte: fixedSizeBytes=0",
                assertThrows(IllegalArgumentException.class, nothing::list).getMessage());
    }

    @Test
    void aPartMayHaveNoBytesAndAsManyAsAnIntCounts() {
        assertEquals(4L + Integer.MAX_VALUE, listOfOneWith(Integer.MAX_VALUE));
        assertEquals(4L, listOfOneWith(0));
        for (long size : new long[]{-1, Integer.MAX_VALUE + 1L}) {
            assertEquals("the size of a part must be in 0..2147483647 bytes: sizeBytes=" + size,
                    assertThrows(IllegalArgumentException.class, () -> listOfOneWith(size)).getMessage());
        }
    }

    /** Size of a list of one object that says to have so many bytes. */
    private static long listOfOneWith(long size) {
        return new BlockSerializer<String>() {
            @Override
            public long sizeBytes(String object) {
                return size;
            }

            @Override
            public void write(String object, MemorySegment block) {}

            @Override
            public String read(MemorySegment block) {
                return "";
            }
        }.list().sizeBytes(List.of("one"));
    }
}
