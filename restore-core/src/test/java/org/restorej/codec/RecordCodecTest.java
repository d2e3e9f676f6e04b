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

    private record Seven(int a, int b, int c, int d, int e, int f, int g) {}

    private record Eight(Three a, Two b, Five c, List<Three> d, List<String> e, int f, Four g, One h) {}

    private final BlockSerializer<One> codecOfOne = Codecs.record(One::new, STRING.of(One::a));
    private final BlockSerializer<Two> codecOfTwo = Codecs.record(Two::new, INT.of(Two::a), STRING.of(Two::b));
    private final BlockSerializer<Three> codecOfThree = Codecs.record(Three::new, DOUBLE.of(Three::a),
            DOUBLE.of(Three::b), DOUBLE.of(Three::c));
    private final BlockSerializer<Four> codecOfFour = Codecs.record(Four::new, STRING.of(Four::a), INT.of(Four::b),
            STRING.of(Four::c), LONG.of(Four::d));
    private final BlockSerializer<Five> codecOfFive = Codecs.record(Five::new, INT.of(Five::a), INT.of(Five::b),
            INT.of(Five::c), INT.of(Five::d), INT.of(Five::e));
    private final BlockSerializer<Six> codecOfSix = Codecs.record(Six::new, BOOLEAN.of(Six::a), INT.of(Six::b),
            LONG.of(Six::c), FLOAT.of(Six::d), DOUBLE.of(Six::e), STRING.of(Six::f));
    private final BlockSerializer<Seven> codecOfSeven = Codecs.record(Seven::new, INT.of(Seven::a), INT.of(Seven::b),
            INT.of(Seven::c), INT.of(Seven::d), INT.of(Seven::e), INT.of(Seven::f), INT.of(Seven::g));
    private final BlockSerializer<Eight> codecOfEight = Codecs.record(Eight::new, codecOfThree.of(Eight::a),
            codecOfTwo.of(Eight::b),
            codecOfFive.of(Eight::c), codecOfThree.list().of(Eight::d), STRING.list().of(Eight::e), INT.of(Eight::f),
            codecOfFour.of(Eight::g), codecOfOne.of(Eight::h));

    private static final Four OF_FOUR = new Four("first", 2, "", 4L);
    private static final Eight OF_EIGHT = new Eight(new Three(1, 2, 3), new Two(4, "vier"), new Five(5, 6, 7, 8, 9),
            List.of(new Three(10, 11, 12), new Three(13, 14, 15)), List.of("", "x"), 16, OF_FOUR, new One("end"));

    @Test
    void recordsOfAnyNumberOfComponentsComeBack() {
        assertEquals(new One("one"), CodecsTest.copyOf(codecOfOne, new One("one")));
        assertEquals(new Two(1, "two"), CodecsTest.copyOf(codecOfTwo, new Two(1, "two")));
        assertEquals(new Three(1, -0.0, Double.NaN), CodecsTest.copyOf(codecOfThree, new Three(1, -0.0, Double.NaN)));
        assertEquals(OF_FOUR, CodecsTest.copyOf(codecOfFour, OF_FOUR));
        assertEquals(new Five(1, 2, 3, 4, 5), CodecsTest.copyOf(codecOfFive, new Five(1, 2, 3, 4, 5)));
        Six six = new Six(true, 2, 3, 4, 5, "six");
        assertEquals(six, CodecsTest.copyOf(codecOfSix, six));
        assertEquals(new Seven(1, 2, 3, 4, 5, 6, 7), CodecsTest.copyOf(codecOfSeven, new Seven(1, 2, 3, 4, 5, 6, 7)));
        assertEquals(OF_EIGHT, CodecsTest.copyOf(codecOfEight, OF_EIGHT));
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
        byte[] bytes = bytesOf(codecOfEight, OF_EIGHT);
        Random random = new Random(7);
        int errors = 0;
        for (int trial = 0; trial < 5_000; trial++) {
            byte[] damaged = Arrays.copyOf(bytes, random.nextInt(4) == 0 ? random.nextInt(300) : bytes.length);
            for (int i = random.nextInt(4); i >= 0 && damaged.length > 0; i--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            try {
                assertTrue(Arrays.equals(damaged, bytesOf(codecOfEight, CodecsTest.readFrom(codecOfEight, damaged))));
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
        assertEquals("component 1 of a record must not be null",
                assertThrows(NullPointerException.class, () -> codecOfTwo.sizeBytes(withoutText())).getMessage());
    }

    private record Growing(List<Integer> a, int b) {}

    /** What is left over would be read as another component. */
    @Test
    void aComponentThatShrinksWhileItIsSubmittedIsRefused() {
        BlockSerializer<Growing> codec = Codecs.record(Growing::new, INT.list().of(Growing::a), INT.of(Growing::b));
        List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
        Growing object = new Growing(list, 4);
        MemorySegment block = MemorySegment.ofArray(new byte[(int) codec.sizeBytes(object)]);
        list.removeLast();
        assertEquals("an object must not shrink between asking for its size and writing it: 4 of 20 bytes are not "
                + "written",
                assertThrows(IllegalArgumentException.class, () -> codec.write(object, block)).getMessage());
    }
}
