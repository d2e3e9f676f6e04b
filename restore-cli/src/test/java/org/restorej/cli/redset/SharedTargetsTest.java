package org.restorej.cli.redset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.ProgramRun;
import org.restorej.redset.RankDirectory;
import org.restorej.redset.Redset;
import org.restorej.redset.RedsetJob;
import org.restorej.redset.Scheme;

/** What the commands do where a file is one of several members, or of several sets. */
class SharedTargetsTest {
    private static final int RANKS = 4;

    private final RankDirectory shared = new RankDirectory();

    @AfterEach
    void remove() {
        shared.close();
    }

    private static byte[] content(String word) {
        return (word + ", ").repeat(30).getBytes(StandardCharsets.UTF_8);
    }

    private void apply(String prefix, Scheme scheme, IntFunction<Path> fileOf) {
        RedsetJob.run(LocalCluster.builder(RANKS), world -> {
            try (Redset redset = Redset.builder(world).scheme(scheme).failureGroup("host" + world.rank())
                    .directory(shared.path()).namePrefix(prefix).build()) {
                redset.apply(List.of(fileOf.apply(world.rank())));
            }
            return true;
        });
    }

    private ProgramRun run(Object... arguments) {
        return RedsetRun.of(Stream.concat(Stream.of(arguments), Stream.of(shared.path()))
                .toArray());
    }

    /** Ranks 2 and 3 have written their files again since, and only the newer set knows these. */
    private void applyTwice() {
        apply("old.", Scheme.rs(2), rank -> shared.write("state." + rank, content("old " + rank)));
        apply("new.", Scheme.xor(), rank -> rank < 2
                ? shared.path().resolve("state." + rank)
                : shared.write("state." + rank, content("new " + rank)));
    }

    @Test
    void filesOfANewerSetAreNotReplacedByThoseOfAnOlderOne() {
        applyTwice();
        Map<String, byte[]> whole = shared.snapshot();
        for (String command : List.of("verify", "rebuild")) {
            run(command).assertExit(RedsetCommand.LOST)
                    .assertSays("state.2 belongs to another set, too: the file of one would replace that of the other");
            shared.require(whole, "after " + command);
        }
        run("rebuild", "--partial").assertExit(RedsetCommand.LOST);
        shared.require(whole, "after what can be rebuilt was");
    }

    /** The older set is beyond repair; the newer one has nothing else there than it has. */
    @Test
    void aFileThatTwoSetsHaveWithOneContentIsRebuilt() {
        applyTwice();
        Map<String, byte[]> whole = shared.snapshot();
        shared.delete("state.0");
        run("rebuild", "--partial").assertExit(RedsetCommand.LOST)
                .assertSays("rebuilt: set 1 of 1 of " + shared.path());
        shared.require(whole, "after state.0 was rebuilt");
    }

    @Test
    void aFileThatSeveralMembersHaveWithOneContentIsRebuilt() {
        Path mesh = shared.write("mesh", content("mesh"));
        apply("rank.", Scheme.rs(2), rank -> rank < 2 ? mesh : shared.write("state." + rank, content("of " + rank)));
        Map<String, byte[]> whole = shared.snapshot();
        shared.delete("mesh");
        run("rebuild").assertExit(RedsetCommand.REPAIRABLE);
        shared.require(whole, "after the file of two members was rebuilt");
    }

    /** As when local files of several nodes were copied to one place, where one of them has replaced another. */
    @Test
    void theFileOfAnotherMemberIsNotReplaced() {
        apply("rank.", Scheme.rs(2), rank -> shared.write("node" + rank + "/state", content("of " + rank)));
        Path together = shared.write("together/state", content("of 0"));
        Stream<Object> maps = Stream.of(0, 1).flatMap(node -> Stream.of("--map",
                shared.path().resolve("node" + node) + "=" + together.getParent()));
        Map<String, byte[]> before = shared.snapshot();
        run(Stream.concat(Stream.of("rebuild"), maps).toArray()).assertExit(RedsetCommand.LOST)
                .assertSays("together/state belongs to two members of the set");
        assertArrayEquals(content("of 0"), Objects.requireNonNull(shared.snapshot().get("together/state")));
        shared.require(before, "after nothing was rebuilt");
    }
}
