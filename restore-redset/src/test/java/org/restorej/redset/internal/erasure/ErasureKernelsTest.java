package org.restorej.redset.internal.erasure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.redset.ErrorMessages.assertSays;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
                "isal, swar, scalar, vector or auto", "gpu");
    }

    @Test
    void keepsTheReasonWhenALibraryIsAbsent() {
        IsalLibrary.Loaded loaded = IsalLibrary.load("libno-such-isal.so.2");
        assertTrue(loaded.library().isEmpty());
        assertTrue(loaded.reason().contains("libno-such-isal.so.2"), loaded.reason());
    }

    @Test
    void keepsTheReasonWhenTheVectorModuleIsAbsent() {
        VectorKernel.Loaded loaded = VectorKernel.load("no.such.module");
        assertTrue(loaded.kernel().isEmpty());
        assertTrue(loaded.reason().contains("--add-modules no.such.module"), loaded.reason());
    }

    @Test
    void worksInAJvmWithoutTheVectorModule() throws Exception {
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-cp",
                System.getProperty("java.class.path"), KernelNames.class.getName(), "vector").redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        assertTrue(output.contains("available swar") && !output.contains("available vector"), output);
        assertTrue(output.contains("refused: the Vector API is not there") && output.contains("--add-modules"),
                output);
    }
}
