package org.restorej.cli.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.ProgramRun;
import org.restorej.redset.RankDirectory;
import org.restorej.redset.Redset;
import org.restorej.redset.RedsetJob;
import org.restorej.redset.Scheme;

/** What the commands do where files of an earlier encoding lie beside those of the one that counts. */
class StaleFilesTest {
    private static final int SETS_OF_ALL = 8;

    private final RankDirectory shared = new RankDirectory();

    /** How files are protected. */
    record ProtectionState(int ranks, Scheme scheme, int setSize) {
        ProtectionState(int ranks, Scheme scheme) {
            this(ranks, scheme, SETS_OF_ALL);
        }
    }

    @AfterEach
    void remove() {
        shared.close();
    }

    static Stream<Arguments> protections() {
        ProtectionState rs = new ProtectionState(4, Scheme.rs(2));
        ProtectionState xor = new ProtectionState(4, Scheme.xor());
        return Stream.of(Arguments.of(rs, xor), Arguments.of(xor, rs),
                Arguments.of(xor, new ProtectionState(4, Scheme.xor(), 2)),
                Arguments.of(new ProtectionState(4, Scheme.xor(), 2), xor),
                Arguments.of(new ProtectionState(4, Scheme.partner(1)), rs),
                Arguments.of(new ProtectionState(4, Scheme.rs(3)), new ProtectionState(3, Scheme.xor())),
                Arguments.of(new ProtectionState(4, Scheme.partner(3)), new ProtectionState(3, Scheme.partner(1))),
                Arguments.of(new ProtectionState(4, Scheme.xor()), new ProtectionState(3, Scheme.rs(1))),
                Arguments.of(new ProtectionState(3, Scheme.rs(2)), new ProtectionState(4, Scheme.rs(2))));
    }

    /** The earlier files stay as redset leaves them: all that the later encoding doesn't replace. */
    @ParameterizedTest
    @MethodSource("protections")
    void newDataIsNeverReplacedByThatOfAnEarlierEncoding(ProtectionState earlier, ProtectionState later) {
        Map<String, byte[]> whole = applyBoth(earlier, later);
        for (String command : List.of("info", "list", "verify", "rebuild")) {
            run(command).assertExit(RedsetCommand.WHOLE, command).assertSays("stale");
            shared.require(whole, "after " + command);
        }
        for (int rank = 0; rank < later.ranks(); rank++) {
            lose(rank, later);
            run("rebuild").assertExit(RedsetCommand.REPAIRABLE).assertSays("rebuilt: set");
            shared.require(whole, "after the loss of rank " + rank);
        }
    }

    /** On 4 ranks and then on 3, without any simulation of redset: rank 3 is not there to remove what it had. */
    @ParameterizedTest
    @MethodSource("protections")
    void newDataOfFewerRanksIsNeverReplaced(ProtectionState earlier, ProtectionState later) {
        apply(earlier, "old");
        apply(later, "new");
        Map<String, byte[]> whole = shared.snapshot();
        run("verify").assertExit(RedsetCommand.WHOLE);
        run("rebuild").assertExit(RedsetCommand.WHOLE);
        shared.require(whole, "after rebuild");
    }

    @Test
    void damageToStaleFilesIsNone() {
        Map<String, byte[]> whole = applyBoth(new ProtectionState(4, Scheme.rs(2)),
                new ProtectionState(3, Scheme.xor()));
        for (String name : whole.keySet()) {
            if (name.contains(".rs.") || name.equals("rank.3.redset")) {
                shared.write(name, new byte[]{1, 2, 3});
            }
        }
        run("verify").assertExit(RedsetCommand.WHOLE);
    }

    @Test
    void nothingIsGuessedWhenNoDescriptorFileIsLeft() {
        Map<String, byte[]> whole = applyBoth(new ProtectionState(4, Scheme.rs(2)),
                new ProtectionState(4, Scheme.xor()));
        descriptors(whole).forEach(shared::delete);
        shared.delete("data.1");
        Map<String, byte[]> before = shared.snapshot();
        run("rebuild").assertExit(RedsetCommand.LOST).assertSays("XOR, 4 ranks", "RS with 2 checksums, 4 ranks",
                "move the redundancy files of the others elsewhere");
        shared.require(before, "after nothing was rebuilt");
        Predicate<String> isOld = name -> name.matches("rank.\\d.rs.*");
        before.keySet().stream().filter(isOld).forEach(shared::delete);
        run("rebuild").assertExit(RedsetCommand.REPAIRABLE);
        whole.keySet().removeIf(isOld);
        shared.require(whole, "after the others were moved away");
    }

    @Test
    void aDirectoryGivenTwiceCountsOnce() throws IOException {
        apply(new ProtectionState(3, Scheme.xor()), "only");
        shared.delete("data.1");
        Path link = Files.createSymbolicLink(shared.path().resolveSibling(shared.path().getFileName() + ".link"),
                shared.path());
        try {
            ProgramRun rebuild = run("rebuild", link.toString(), shared.path().resolve(".").toString())
                    .assertExit(RedsetCommand.REPAIRABLE);
            assertEquals(1, rebuild.text().lines().filter(line -> line.startsWith("rebuilt:")).count(), rebuild::text);
        } finally {
            Files.delete(link);
        }
    }

    /** As redset leaves it when it is killed while ranks replace their files, each by itself. */
    @Test
    void nothingIsGuessedWhenDescriptorFilesContradictOneAnother() {
        apply(new ProtectionState(4, Scheme.rs(2)), "old");
        Map<String, byte[]> old = shared.snapshot();
        apply(new ProtectionState(3, Scheme.xor()), "new");
        for (String rank : List.of("0", "1", "2")) {
            old.keySet().stream().filter(name -> name.startsWith("rank." + rank + ".rs"))
                    .forEach(name -> shared.write(name, value(old, name)));
        }
        shared.write("rank.1.redset", value(old, "rank.1.redset"));
        Map<String, byte[]> before = shared.snapshot();
        run("rebuild").assertExit(RedsetCommand.LOST);
        shared.require(before, "after nothing was rebuilt");
    }

    @Test
    void whatCanBeRebuiltIsNotWhenAnotherSetIsLost() {
        apply(new ProtectionState(4, Scheme.xor(), 2), "only");
        Map<String, byte[]> whole = shared.snapshot();
        shared.delete("data.0");
        shared.delete("data.2");
        shared.delete("data.3");
        Map<String, byte[]> before = shared.snapshot();
        run("rebuild").assertExit(RedsetCommand.LOST).assertSays("--partial");
        shared.require(before, "after nothing was rebuilt");
        run("rebuild", "--partial").assertExit(RedsetCommand.LOST);
        assertTrue(Arrays.equals(value(whole, "data.0"), shared.snapshot().get("data.0")), "data.0 is rebuilt");
    }

    private Map<String, byte[]> applyBoth(ProtectionState earlier, ProtectionState later) {
        apply(earlier, "old");
        Map<String, byte[]> old = shared.snapshot();
        apply(later, "new");
        Map<String, byte[]> now = shared.snapshot();
        old.keySet().removeAll(now.keySet());
        old.forEach(shared::write);
        return shared.snapshot();
    }

    private static List<String> descriptors(Map<String, byte[]> files) {
        return files.keySet().stream().filter(name -> name.matches("rank\\.\\d+\\.redset")).toList();
    }

    private void lose(int rank, ProtectionState later) {
        shared.delete("data." + rank);
        for (String name : shared.snapshot().keySet()) {
            String scheme = later.scheme().typeName().toLowerCase(Locale.ROOT);
            if (name.equals("rank." + rank + ".redset") || name.matches("rank\\." + rank + "\\." + scheme
                    + "\\..*mem_\\d+_of_" + Math.min(later.ranks(), later.setSize()) + "\\.redset.*")) {
                shared.delete(name);
            }
        }
    }

    private static byte[] value(Map<String, byte[]> files, String name) {
        byte[] content = files.get(name);
        if (content == null) {
            throw new AssertionError(name + " is not among " + files.keySet());
        }
        return content;
    }

    private void apply(ProtectionState protection, String word) {
        RedsetJob.run(LocalCluster.builder(protection.ranks()), world -> {
            byte[] content = (word + " data of " + world.rank() + ", ").repeat(20 + world.rank())
                    .getBytes(StandardCharsets.UTF_8);
            try (Redset redset = Redset.builder(world).scheme(protection.scheme()).setSize(protection.setSize())
                    .failureGroup("host" + world.rank()).directory(shared.path()).build()) {
                redset.apply(List.of(shared.write("data." + world.rank(), content)));
            }
            return true;
        });
    }

    private ProgramRun run(String... arguments) {
        return RedsetRun.of(
                Stream.concat(Stream.of(arguments), Stream.of(shared.path())).toArray());
    }
}
