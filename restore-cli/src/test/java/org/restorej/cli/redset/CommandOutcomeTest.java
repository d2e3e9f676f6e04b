package org.restorej.cli.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.cli.testing.CommandRun;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.ProgramRun;
import org.restorej.redset.Redset;
import org.restorej.redset.RedsetException;
import org.restorej.redset.RedsetJob;
import org.restorej.redset.internal.files.FailingFileOperations;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.offline.DirectorySnapshot;
import org.restorej.testing.Deep;

/** What the commands say is how they end, and a rebuild that can't be done changes nothing. */
class CommandOutcomeTest {
    private static final int RANKS = 4;

    @TempDir
    private Path folder = Path.of("");

    private Path data(String name, int rank) {
        return folder.resolve(name + rank);
    }

    private boolean protect(String name, FileOperations operations, Runnable afterwards) {
        return LocalCluster.run(RANKS, world -> {
            try (Redset redset = RedsetJob.builder(world, operations).directory(folder).build()) {
                redset.apply(List
                        .of(Files.write(data(name, world.rank()), name.repeat(50).getBytes(StandardCharsets.UTF_8))));
                if (world.rank() == 0) {
                    afterwards.run();
                }
                world.barrier();
                return true;
            } catch (RedsetException killed) {
                return false;
            }
        }).getFirst();
    }

    private void protect() {
        assertTrue(protect("data", FileOperations.system(), () -> {}));
    }

    private List<Path> redundancy() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(path -> path.toString().matches(".*\\.mem_\\d_of_\\d\\.redset(\\.checksums)?")).sorted()
                    .toList();
        }
    }

    private static int exitCodeIn(ProgramRun run) {
        return Integer.parseInt(run.text().replaceFirst("(?s).*?\"exitCode\" : (\\d).*", "$1"));
    }

    @Test
    void numbersHaveTheDigits0To9InEveryLocale() {
        protect();
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
            for (String command : List.of("verify", "list")) {
                String text = RedsetRun.of(command, folder).assertExit(0).text();
                assertFalse(Pattern.compile("[\\p{Nd}&&[^0-9]]").matcher(text).find(), text);
            }
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void jsonOfARebuildIsPrintedWhenItsOutcomeIsKnown() throws IOException {
        protect();
        assertEquals(0, exitCodeIn(RedsetRun.of("rebuild", "--json", folder).assertExit(0)));
        Files.delete(data("data", 1));
        Files.createDirectories(data("data", 1).resolve("in the way"));
        ProgramRun failed = RedsetRun.of("rebuild", "--json", folder).assertExit(4)
                .assertSays("\"failures\"", data("data", 1) + " is a directory");
        assertEquals(4, exitCodeIn(failed));
        Files.delete(data("data", 1).resolve("in the way"));
        Files.delete(data("data", 1));
        assertEquals(1, exitCodeIn(RedsetRun.of("rebuild", "--json", folder).assertExit(1)
                .assertSays("\"rebuilt\" : [ \"set 1 of 1 of " + folder)));
        Files.delete(data("data", 1));
        Files.delete(data("data", 2));
        assertEquals(3, exitCodeIn(RedsetRun.of("rebuild", "--json", folder).assertExit(3)));
    }

    /** As {@code list} shows them as text. */
    @ParameterizedTest
    @ValueSource(strings = {"info", "list", "verify"})
    void jsonNamesTheFilesAndMarksThoseThatAreMissing(String command) throws IOException {
        protect();
        Files.delete(data("data", 1));
        JsonNode files = CommandRun.of("redset", command, "--json", folder.toString()).anyJson().get("files");
        List<String> lines = new ArrayList<>();
        files.forEach(file -> lines.add(String.format("%-12s%s%s", file.get("kind").asText(),
                file.get("path").asText(), file.get("missing").asBoolean() ? "  (missing)" : "")));
        assertEquals(1, lines.stream().filter(line -> line.endsWith("  (missing)")).count());
        assertEquals(CommandRun.of("redset", "list", folder.toString()).output().lines().toList(), lines);
    }

    @Test
    void descriptorsWithoutAnyRedundancySayThatItIsLost() throws IOException {
        protect();
        for (Path file : redundancy()) {
            Files.delete(file);
        }
        for (String command : List.of("info", "list", "verify", "rebuild")) {
            RedsetRun.of(command, folder).assertExit(3).assertSays(
                    folder.resolve("rank.2.redset") + " describes rank 2 of 4, XOR in a set of 4",
                    "none of its redundancy files is there");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"[1-3]", "[0-3]"})
    void listSaysSomethingWhenASetIsLost(String lost) throws IOException {
        protect();
        for (Path file : redundancy()) {
            if (file.getFileName().toString().matches("rank\\." + lost + "\\..*")) {
                Files.delete(file);
            }
        }
        RedsetRun.of("list", folder).assertExit(3).assertSays(lost.equals("[0-3]")
                ? "none of its redundancy files is there"
                : "set 1 of 1 of " + folder + "/rank.*: XOR, 4 ranks: damaged, CAN'T be rebuilt");
    }

    @Test
    void nothingIsRebuiltWhereAJobWorks() {
        protect("data", FileOperations.system(), () -> {
            try {
                Files.delete(data("data", 1));
            } catch (IOException failure) {
                throw new IllegalStateException(failure);
            }
            RedsetRun.of("rebuild", folder).assertExit(4).assertSays(folder + " is in use", "restorej-lock");
            RedsetRun.of("verify", folder).assertExit(1);
        });
        assertFalse(Files.exists(data("data", 1)));
        RedsetRun.of("rebuild", folder).assertExit(1);
    }

    @Deep
    @Test
    void anInterruptedApplyIsSettledOnlyIfTheRestCanBeRebuilt() throws IOException {
        protect();
        boolean tried = false;
        for (int failAt = 0; !tried; failAt++) {
            if (protect("new", new FailingFileOperations(failAt, true), () -> {})) {
                break;
            }
            boolean mayHaveMoved = DirectorySnapshot.of(folder).files().keySet().stream()
                    .anyMatch(name -> name.endsWith(".restorej-decided"));
            if (mayHaveMoved && RedsetRun.of("info", folder).text().contains("brings that to an end")) {
                tried = true;
                byte[] content = Files.readAllBytes(data("data", 1));
                for (String name : List.of("data", "new")) {
                    Files.delete(data(name, 1));
                    Files.delete(data(name, 2));
                }
                RedsetRun.assertWritesNothing(folder, 3, "rebuild", folder);
                Files.write(data("data", 1), content);
                Files.write(data("new", 1), "new".repeat(50).getBytes(StandardCharsets.UTF_8));
                RedsetRun.of("rebuild", folder).assertExit(1).assertSays("that was brought to an end");
                RedsetRun.of("verify", folder).assertExit(0);
            } else {
                RedsetRun.of("rebuild", folder);
            }
        }
        assertTrue(tried);
    }
}
