package org.restorej.redset.internal.erasure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.redset.ErrorMessages.assertSays;

import org.junit.jupiter.api.Test;

class ErasureKernelsTest {
    @Test
    void prefersIsalWhenItIsThereAndElseTheWordKernel() {
        String expected = ErasureKernels.isalAbsence().isEmpty() ? "isal" : "swar";
        assertEquals(expected, ErasureKernels.named("auto").name());
        assertSame(ErasureKernels.preferred(), ErasureKernels.preferred());
    }

    @Test
    void canBeForcedByName() {
        assertEquals("swar", ErasureKernels.named("SWAR").name());
        assertEquals("scalar", ErasureKernels.named("scalar").name());
    }

    @Test
    void refusesAnUnknownNameAndSaysWhichThereAre() {
        assertSays(assertThrows(IllegalArgumentException.class, () -> ErasureKernels.named("gpu")),
                "isal, swar, scalar or auto", "gpu");
    }

    @Test
    void keepsTheReasonWhenALibraryIsAbsent() {
        IsalLibrary.Loaded loaded = IsalLibrary.load("libno-such-isal.so.2");
        assertTrue(loaded.library().isEmpty());
        assertTrue(loaded.reason().contains("libno-such-isal.so.2"), loaded.reason());
    }
}
