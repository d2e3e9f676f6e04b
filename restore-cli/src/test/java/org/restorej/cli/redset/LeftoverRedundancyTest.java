package org.restorej.cli.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.FileDamage;
import org.restorej.redset.IrrecoverableFilesException;
import org.restorej.redset.Redset;
import org.restorej.redset.Vectors;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.coding.ReductionChains;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.offline.DirectorySnapshot;
import org.restorej.redset.internal.offline.SetInspection;

/** Flipped bits in files that redset itself has written, without checksums: the ranks see what the command sees. */
class LeftoverRedundancyTest {
    @TempDir
    Path temporary;

    /** A set of a vector, as it lies in a directory. */
    private record Case(VectorDirectory work, SetInspection set, DirectorySnapshot whole) {
        SetDescription description() {
            return Objects.requireNonNull(set.recovery()).format().set();
        }

        MemberLocation location(int rank) {
            return set.member(rank).location();
        }

        int worldRank(int rank) {
            return description().member(rank).descriptor().worldRank();
        }

        Redset redset(Communicator world) {
            return Redset.builder(world).directory(work.resolve("enc")).namePrefix("ckpt.").base(work.resolve("."))
                    .pieceBytes(700).build();
        }
    }

    /** Something that is done to every set which leaves redundancy over when this many are lost. */
    @FunctionalInterface
    private interface Body {
        void run(Case each, String name) throws IOException;
    }

    private int forEachSet(Predicate<SetDescription> which, Body body) throws IOException {
        int sets = 0;
        for (Vectors.Case vector : Vectors.all()) {
            VectorDirectory work = VectorDirectory.copy(vector, temporary);
            for (SetInspection set : work.redset().inspect().sets()) {
                Case each = new Case(work, set, work.snapshot());
                if (which.test(each.description())) {
                    body.run(each, vector + ", set " + set.place().group());
                    sets++;
                }
            }
        }
        return sets;
    }

    /** Flips a bit of the first data file of a rank that has content, then of the end of its redundancy. */
    private static int forEachFlip(Case each, int rank, Body body) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path file : each.location(rank).files()) {
            if (files.isEmpty() && Files.size(file) > 0) {
                files.add(file);
            }
        }
        files.add(each.location(rank).redundancy());
        int flips = 0;
        for (Path file : files) {
            int size = (int) Files.size(file);
            boolean isRedundancy = file.equals(each.location(rank).redundancy());
            if (!isRedundancy || each.description().header(rank).payloadBytes() > 0) {
                int at = isRedundancy ? size - 1 : size / 2;
                FileDamage.flip(file, at);
                body.run(each, file + ", byte " + at);
                FileDamage.flip(file, at);
                flips++;
            }
        }
        return flips;
    }

    /** Fails unless ranks and command refuse a set for the same reason, and write nothing. */
    private void assertRefused(Case each, Consumer<Redset> recovery, String what) throws IOException {
        each.work().assertWritesNothing(RedsetCommand.LOST, "rebuild").assertSays(ReductionChains.DISAGREES);
        DirectorySnapshot before = each.work().snapshot();
        Set<Integer> members = new TreeSet<>();
        for (int rank = 0; rank < each.description().ranks(); rank++) {
            members.add(each.worldRank(rank));
        }
        LocalCluster.run(each.set().place().worldRanks(), world -> {
            try (Redset redset = each.redset(world)) {
                IrrecoverableFilesException refused = assertThrows(IrrecoverableFilesException.class,
                        () -> recovery.accept(redset), what);
                assertEquals(members, refused.lostRanks(), what);
                assertTrue(String.valueOf(refused.getMessage()).contains(ReductionChains.DISAGREES),
                        () -> what + ": " + refused.getMessage());
            }
            return true;
        });
        before.assertUnchanged(what);
    }

    private static BitSet ranks(int... ranks) {
        BitSet set = new BitSet();
        for (int rank : ranks) {
            set.set(rank);
        }
        return set;
    }

    @Test
    void nothingIsRebuiltFromBytesThatTheRedundancyLeftOverContradicts() throws IOException {
        int[] flips = {0};
        int sets = forEachSet(set -> set.scheme().canRebuild(ranks(0, 1), set.ranks()), (each, name) -> {
            int lost = each.description().ranks() - 1;
            VectorDirectory.remove(each.set(), ranks(lost));
            for (int rank = 0; rank < lost; rank++) {
                flips[0] += forEachFlip(each, rank,
                        (same, flip) -> assertRefused(same, Redset::recover, name + ": " + flip));
            }
            LocalCluster.run(each.set().place().worldRanks(), world -> {
                try (Redset redset = each.redset(world)) {
                    assertEquals(Set.of(each.worldRank(lost)), redset.recover().rebuiltRanks(), name);
                }
                return true;
            });
            each.whole().assertEquivalent(name);
        });
        assertTrue(sets >= 2 && flips[0] >= 2 * sets, sets + " sets, " + flips[0] + " flips");
    }

    @Test
    void aSetThatHasLostNothingIsNotWholeWhenItsRedundancyDisagrees() throws IOException {
        int sets = forEachSet(set -> set.scheme().neighbours() > 0, (each, name) -> {
            int flips = 0;
            for (int rank = 0; rank < each.description().ranks() && flips == 0; rank++) {
                flips += forEachFlip(each, rank,
                        (same, flip) -> assertRefused(same, Redset::verifyAndRecover, name + ": " + flip));
            }
            assertTrue(flips > 0, name);
        });
        assertTrue(sets >= 5, sets + " sets");
    }
}
