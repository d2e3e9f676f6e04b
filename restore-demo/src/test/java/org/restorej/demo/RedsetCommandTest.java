package org.restorej.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.cli.testing.CommandRun;

/** What programs get to know of protected files: those of a demo. */
class RedsetCommandTest {
    @TempDir
    private Path folder = Path.of("");
    private Path files = Path.of("");

    @BeforeEach
    void protectFiles() throws IOException {
        Path configuration = Files.writeString(folder.resolve("scr.conf"),
                "SCR_COPY_TYPE=FILE\nSTORE=" + folder + "\nCKPT=0 INTERVAL=1 GROUP=NODE STORE=" + folder
                        + " TYPE=XOR SET_SIZE=8\n");
        CommandRun run = CommandRun.of("demo", "phylo", "--pes", "4", "--iterations", "1", "--fail", "none",
                "--files", configuration.toString());
        assertEquals(0, run.exitCode(), run.errors());
        files = folder.resolve("demo.constant/checkpoint.1");
    }

    private JsonNode json(int exitCode, String command) throws IOException {
        CommandRun run = CommandRun.of("redset", command, "--json", files.toString());
        assertEquals(exitCode, run.exitCode(), run::errors);
        JsonNode json = run.anyJson();
        assertEquals(exitCode, json.get("exitCode").asInt());
        return json;
    }

    @Test
    void namesAllFilesOfASet() throws IOException {
        JsonNode listed = json(0, "list").get("files");
        assertEquals(4 * 4, listed.size());
        for (JsonNode file : listed) {
            assertTrue(Files.exists(Path.of(file.get("path").asText())), file::toString);
            assertEquals(1, file.get("set").asInt());
        }
        assertEquals("data", listed.at("/0/kind").asText());
    }

    @Test
    void describesSetsBeforeAndAfterARebuild() throws IOException {
        JsonNode set = json(0, "info").at("/sets/0");
        assertEquals("XOR", set.get("scheme").asText());
        assertEquals("whole", set.get("state").asText());
        assertEquals(4, set.get("members").size());
        assertFalse(set.at("/members/2/missing").asBoolean());
        Files.delete(files.resolve("2.store0"));
        JsonNode damaged = json(1, "verify").at("/sets/0");
        assertEquals("repairable", damaged.get("state").asText());
        assertTrue(damaged.at("/members/2/missing").asBoolean());
        assertEquals(2, damaged.at("/damages/0/rank").asInt());
        json(1, "rebuild");
        assertEquals("whole", json(0, "verify").at("/sets/0/state").asText());
    }

    @Test
    void saysWhatIsWrongWithADirectoryWithoutSets() throws IOException {
        files = Files.createDirectory(folder.resolve("empty"));
        assertEquals("no redundancy set was found", json(2, "info").at("/problems/0").asText());
    }
}
