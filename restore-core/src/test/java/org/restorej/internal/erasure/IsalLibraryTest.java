package org.restorej.internal.erasure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class IsalLibraryTest {
    @Test
    void keepsTheReasonWhenALibraryIsAbsent() {
        IsalLibrary.Loaded loaded = IsalLibrary.load("libno-such-isal.so.2");
        assertTrue(loaded.library().isEmpty());
        assertTrue(loaded.reason().contains("libno-such-isal.so.2"), loaded.reason());
    }

    @Test
    void isLoadedByOneOfItsNamesWhereTheKernelIsThereAndElseSaysWhatEachNameLacks() {
        IsalLibrary.Loaded loaded = IsalLibrary.load();
        assertEquals(ErasureKernels.isalAbsence().isEmpty(), loaded.library().isPresent());
        if (loaded.library().isPresent()) {
            assertEquals(loaded.library(), IsalLibrary.load(loaded.reason()).library());
        } else {
            assertTrue(loaded.reason().matches("libisal\\.so\\.2: .+; libisal\\.2\\.dylib: .+"), loaded.reason());
        }
    }

    @Test
    void addsUpVectorsAndSaysThatItDeclinesTooFew() {
        Assumptions.assumeTrue(ErasureKernels.isalAbsence().isEmpty(), () -> ErasureKernels.isalAbsence().orElse(""));
        IsalLibrary library = IsalLibrary.load().library().orElseThrow();
        try (Arena arena = Arena.ofConfined()) {
            int bytes = 64;
            MemorySegment left = arena.allocate(bytes, 64).fill((byte) 3);
            MemorySegment right = arena.allocate(bytes, 64).fill((byte) 5);
            MemorySegment sum = arena.allocate(bytes, 64);
            MemorySegment pointers = arena.allocateFrom(ValueLayout.JAVA_LONG, left.address(), right.address(),
                    sum.address());
            assertFalse(library.xorGenerate(2, bytes, pointers));
            assertTrue(library.xorGenerate(3, bytes, pointers));
            MemorySegment six = arena.allocate(bytes).fill((byte) 6);
            assertArrayEquals(six.toArray(ValueLayout.JAVA_BYTE), sum.toArray(ValueLayout.JAVA_BYTE));
        }
    }
}
