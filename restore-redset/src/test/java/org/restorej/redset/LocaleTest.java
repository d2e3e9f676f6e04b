package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocaleTest {
    private static final int MOST_SECONDS = 120;

    @TempDir
    Path temporary;

    @ParameterizedTest
    @ValueSource(strings = {"C", "C.UTF-8"})
    void everyNameIsProtectedInEveryLocale(String locale) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
                LocaleProgram.class.getName(), temporary.toString());
        builder.environment().put("LC_ALL", locale);
        Path output = temporary.resolveSibling(temporary.getFileName() + ".out");
        Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
        boolean ended = process.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly().waitFor();
        String said = Files.readString(output, StandardCharsets.ISO_8859_1);
        Files.delete(output);
        assertTrue(ended, said);
        assertEquals(0, process.exitValue(), said);
        assertTrue(said.contains("all came back"), said);
        assertEquals(locale.equals("C.UTF-8"), said.contains("encoding UTF-8"), said);
    }
}
