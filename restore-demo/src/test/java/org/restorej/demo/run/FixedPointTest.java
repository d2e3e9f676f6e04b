package org.restorej.demo.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.restorej.testing.SeededLaw;

class FixedPointTest {
    @Test
    void roundsToTheNearestMultiple() {
        FixedPoint quarters = new FixedPoint(2);
        assertEquals(5, quarters.of(1.25));
        assertEquals(5, quarters.of(1.3));
        assertEquals(-5, quarters.of(-1.3));
        assertEquals(1.25, quarters.value(5));
        assertEquals(1L << 60, new FixedPoint(60).of(1));
    }

    @Test
    void keepsWhatItHasRounded() {
        SeededLaw.holds(1000, random -> {
            FixedPoint fixed = new FixedPoint(random.nextInt(40));
            double value = random.nextGaussian() * 1000;
            double rounded = fixed.value(fixed.of(value));
            assertEquals(value, rounded, Math.scalb(0.5, -fixed.fractionBits()));
            assertEquals(fixed.of(value), fixed.of(rounded));
        });
    }

    @Test
    void sumsDoNotDependOnTheOrder() {
        FixedPoint fixed = new FixedPoint(40);
        double[] values = new Random(1).doubles(1000, -1, 1).toArray();
        long forward = 0;
        long backward = 0;
        double forwardOfDoubles = 0;
        double backwardOfDoubles = 0;
        for (int i = 0; i < values.length; i++) {
            forward += fixed.of(values[i]);
            backward += fixed.of(values[values.length - 1 - i]);
            forwardOfDoubles += values[i];
            backwardOfDoubles += values[values.length - 1 - i];
        }
        assertEquals(forward, backward);
        assertEquals(forwardOfDoubles, fixed.value(forward), 1e-9);
        assertEquals(backwardOfDoubles, fixed.value(forward), 1e-9);
    }

    @Test
    void refusesDigitsThatALongDoesNotHave() {
        assertEquals("fractionBits must be in 0..62: fractionBits=63",
                assertThrows(IllegalArgumentException.class, () -> new FixedPoint(63)).getMessage());
    }
}
