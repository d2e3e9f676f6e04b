package org.restorej.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.codec.Codecs.BOOLEAN;
import static org.restorej.codec.Codecs.DOUBLE;
import static org.restorej.codec.Codecs.FLOAT;
import static org.restorej.codec.Codecs.INT;
import static org.restorej.codec.Codecs.LONG;
import static org.restorej.codec.Codecs.STRING;
import static org.restorej.codec.CodecsTest.assertUnreadable;
import static org.restorej.codec.CodecsTest.bytesOf;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecordCodecTest {
    private record One(String a) {}

    private record Two(int a, String b) {}

    private record Three(double a, double b, double c) {}

    private record Four(String a, int b, String c, long d) {}

    private record Five(int a, int b, int c, int d, int e) {}

    private record Six(boolean a, int b, long c, float d, double e, String f) {}

    private record Nine(Three a, Two b, Five c, List<Three> d, List<String> e, int f, Four g, boolean h, One i) {}

    private final BlockSerializer<One> codecOfOne = Codecs.record(One.class, STRING);
    private final BlockSerializer<Two> codecOfTwo = Codecs.record(Two.class, INT, STRING);
    private final BlockSerializer<Three> codecOfThree = Codecs.record(Three.class, DOUBLE, DOUBLE, DOUBLE);
    private final BlockSerializer<Four> codecOfFour = Codecs.record(Four.class, STRING, INT, STRING, LONG);
    private final BlockSerializer<Five> codecOfFive = Codecs.record(Five.class, INT, INT, INT, INT, INT);
    private final BlockSerializer<Six> codecOfSix = Codecs.record(Six.class, BOOLEAN, INT, LONG, FLOAT, DOUBLE, STRING);
    private final BlockSerializer<Nine> codecOfNine = Codecs.record(Nine.class, codecOfThree, codecOfTwo, codecOfFive,
            codecOfThree.list(), STRING.list(), INT, codecOfFour, BOOLEAN, codecOfOne);

    private static final Four OF_FOUR = new Four("first", 2, "", 4L);
    private static final Nine OF_NINE = new Nine(new Three(1, 2, 3), new Two(4, "vier"), new Five(5, 6, 7, 8, 9),
            List.of(new Three(10, 11, 12), new Three(13, 14, 15)), List.of("", "x"), 16, OF_FOUR, true, new One("end"));

    @Test
    void recordsOfAnyNumberOfComponentsComeBack() {
        assertEquals(new One("one"), CodecsTest.copyOf(codecOfOne, new One("one")));
        assertEquals(new Two(1, "two"), CodecsTest.copyOf(codecOfTwo, new Two(1, "two")));
        assertEquals(new Three(1, -0.0, Double.NaN), CodecsTest.copyOf(codecOfThree, new Three(1, -0.0, Double.NaN)));
        assertEquals(OF_FOUR, CodecsTest.copyOf(codecOfFour, OF_FOUR));
        assertEquals(new Five(1, 2, 3, 4, 5), CodecsTest.copyOf(codecOfFive, new Five(1, 2, 3, 4, 5)));
        Six six = new Six(true, 2, 3, 4, 5, "six");
        assertEquals(six, CodecsTest.copyOf(codecOfSix, six));
        assertEquals(OF_NINE, CodecsTest.copyOf(codecOfNine, OF_NINE));
    }

    @Test
    void recordsOfFixedComponentsHaveTheirSumAndMakeDenseLists() {
        assertEquals(OptionalLong.of(24), codecOfThree.fixedSizeBytes());
        assertEquals(OptionalLong.of(20), codecOfFive.fixedSizeBytes());
        assertEquals(OptionalLong.empty(), codecOfSix.fixedSizeBytes());
        assertEquals(72,
                bytesOf(codecOfThree.list(),
                        List.of(new Three(1, 2, 3), new Three(4, 5, 6), new Three(7, 8, 9))).length);
    }

    @Test
    void onlyTheLastComponentHasNoSizeBeforeIt() {
        assertEquals(4 + 3, bytesOf(codecOfTwo, new Two(1, "two")).length);
        assertEquals(4 + 5 + 4 + 4 + 0 + 8, bytesOf(codecOfFour, OF_FOUR).length);
    }

    @Test
    void bytesOfAnotherLengthAreRefused() {
        assertUnreadable("a block of 25 bytes must end with its last part: there are 1 bytes more", codecOfThree,
                new byte[25]);
        assertUnreadable("a part of 8 bytes must fit into the 7 bytes behind offset 16 of its block", codecOfThree,
                new byte[23]);
        assertUnreadable("a part of 4 bytes must fit into the 0 bytes behind offset 0 of its block", codecOfTwo,
                new byte[0]);
    }

    /** Whatever the bytes, the outcome is a record that has these very bytes, or an error: nothing worse. */
    @Test
    void damagedBytesAreARecordOrAnError() {
        byte[] bytes = bytesOf(codecOfNine, OF_NINE);
        Random random = new Random(7);
        int errors = 0;
        for (int trial = 0; trial < 5_000; trial++) {
            byte[] damaged = Arrays.copyOf(bytes, random.nextInt(4) == 0 ? random.nextInt(300) : bytes.length);
            for (int i = random.nextInt(4); i >= 0 && damaged.length > 0; i--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            try {
                assertTrue(Arrays.equals(damaged, bytesOf(codecOfNine, CodecsTest.readFrom(codecOfNine, damaged))));
            } catch (IllegalArgumentException refused) {
                errors++;
            }
        }
        assertTrue(errors > 100, "errors: " + errors);
    }

    @SuppressWarnings("NullAway") // on purpose: a program that has forgotten to set a component
    private static Two withoutText() {
        return new Two(1, null);
    }

    @Test
    void aComponentThatIsNullIsNamed() {
        assertEquals("component b of Two must not be null",
                assertThrows(NullPointerException.class, () -> codecOfTwo.sizeBytes(withoutText())).getMessage());
    }

    @Test
    void aSerializerOfAnotherTypeIsNamedWhenItWritesAndWhenItReads() {
        BlockSerializer<Two> wrong = Codecs.record(Two.class, FLOAT, STRING);
        Two two = new Two(1, "two");
        IllegalArgumentException writing = assertThrows(IllegalArgumentException.class, () -> bytesOf(wrong, two));
        assertTrue(String.valueOf(writing.getMessage())
                .startsWith("component a of Two must have a serializer of its type, Integer: "), writing::toString);
        assertUnreadable("component a of Two must be read as Integer: its serializer reads Float", wrong,
                bytesOf(codecOfTwo, two));
    }

    @Test
    void moreOrFewerSerializersThanComponentsAreRefused() {
        for (BlockSerializer<?>[] serializers : new BlockSerializer<?>[][]{{}, {INT}, {INT, STRING, INT}}) {
            assertEquals("components must be one serializer, and at least one, for each component of Two(a, b): "
                    + "components.length=" + serializers.length,
                    assertThrows(IllegalArgumentException.class, () -> Codecs.record(Two.class, serializers))
                            .getMessage());
        }
    }

    private record Positive(int a) {
        Positive {
            if (a < 1) {
                throw new IllegalArgumentException("a must be at least 1: a=" + a);
            }
        }
    }

    @Test
    void whatTheRecordRefusesIsThrown() {
        BlockSerializer<Positive> codec = Codecs.record(Positive.class, INT);
        assertEquals(new Positive(1), CodecsTest.copyOf(codec, new Positive(1)));
        assertUnreadable("a must be at least 1: a=0", codec, new byte[4]);
    }

    private record Growing(List<Integer> a, int b) {}

    /** What is left over would be read as another component. */
    @Test
    void aComponentThatShrinksWhileItIsSubmittedIsRefused() {
        BlockSerializer<Growing> codec = Codecs.record(Growing.class, INT.list(), INT);
        List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
        Growing object = new Growing(list, 4);
        MemorySegment block = MemorySegment.ofArray(new byte[(int) codec.sizeBytes(object)]);
        list.removeLast();
        assertEquals("an object must not shrink between asking for its size and writing it: 4 of 20 bytes are not "
                + "written",
                assertThrows(IllegalArgumentException.class, () -> codec.write(object, block)).getMessage());
    }
}
