package org.restorej.internal.erasure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;

class ErasureKernelsTest {
    @Test
    void prefersIsalWhenItIsThereAndElseTheWordKernel() {
        String expected = ErasureKernels.isalAbsence().isEmpty() ? "isal" : "swar";
        assertEquals(expected, ErasureKernels.named("auto").name());
    }

    @Test
    void choosesTheKernelOfThePropertyAndKeepsItForTheJvm() {
        String forced = System.getProperty(ErasureKernels.PROPERTY);
        ErasureKernel preferred = ErasureKernels.preferred();
        assertEquals(ErasureKernels.named(forced == null ? "auto" : forced).name(), preferred.name());
        System.setProperty(ErasureKernels.PROPERTY, "no kernel's name");
        try {
            assertSame(preferred, ErasureKernels.preferred());
        } finally {
            if (forced == null) {
                System.clearProperty(ErasureKernels.PROPERTY);
            } else {
                System.setProperty(ErasureKernels.PROPERTY, forced);
            }
        }
    }

    @Test
    void canBeForcedByName() {
        assertEquals("swar", ErasureKernels.named("SWAR").name());
    }

    @Test
    void saysWhichKernelComputesWhereThatIsNotIsal() {
        List<String> logged = new ArrayList<>();
        Logger logger = Logger.getLogger(ErasureKernels.class.getName());
        Handler handler = handler(logged);
        Level before = logger.getLevel();
        logger.setLevel(Level.INFO);
        logger.addHandler(handler);
        try {
            ErasureKernels.logChoice(ErasureKernels.named("swar"), Optional.of("no such file"));
            ErasureKernels.available().stream().filter(IsalKernel.class::isInstance)
                    .forEach(isal -> ErasureKernels.logChoice(isal, Optional.empty()));
        } finally {
            logger.removeHandler(handler);
            logger.setLevel(before);
        }
        assertEquals(List.of("INFO: erasure kernel: swar, as ISA-L is absent (no such file)"), logged);
    }

    private static Handler handler(List<String> logged) {
        SimpleFormatter formatter = new SimpleFormatter();
        return new Handler() {
            @Override
            public void publish(LogRecord line) {
                logged.add(line.getLevel() + ": " + formatter.formatMessage(line));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }

    @Test
    void refusesAnUnknownNameAndSaysWhichThereAre() {
        assertSays(assertThrows(IllegalArgumentException.class, () -> ErasureKernels.named("gpu")),
                "isal, swar or auto", "gpu");
    }
}
