package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.testing.Deep;

class LocaleTest {
    @TempDir
    Path temporary;

    @Test
    void everyNameIsProtectedInALocaleOfAscii() throws IOException, InterruptedException {
        protectNames("C");
    }

    @Deep
    @Test
    void everyNameIsProtectedInALocaleOfUnicode() throws IOException, InterruptedException {
        protectNames("C.UTF-8");
    }

    private void protectNames(String locale) throws IOException, InterruptedException {
        ProgramRun run = ProgramRun.inOwnJvm(LocaleProgram.class,
                process -> process.environment().put("LC_ALL", locale), temporary).assertExit(0)
                .assertSays("all came back");
        assertEquals(locale.equals("C.UTF-8"), run.text().contains("encoding UTF-8"), run::text);
    }
}
