package org.restorej.redset.internal.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.restorej.redset.Scheme;
import org.restorej.testing.SeededRandom;
import org.restorej.redset.internal.coding.ReductionChain;
import org.restorej.redset.internal.coding.ReductionChains;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.FileMetadata;
import org.restorej.redset.internal.format.FileRecord;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.format.Timestamp;

class PiecePlanTest {
    private static final Timestamp EPOCH = new Timestamp(0, 0);
    private static final FileMetadata PLAIN = new FileMetadata(0_100644, 0, 0, EPOCH, EPOCH, EPOCH);

    private static SetDescription set(Scheme scheme, long... sizes) {
        List<RankRecord> members = new ArrayList<>();
        for (int rank = 0; rank < sizes.length; rank++) {
            members.add(new RankRecord(new Descriptor(scheme, 0, 1, rank, sizes.length, rank, sizes.length),
                    List.of(new FileRecord("f" + rank, sizes[rank], PLAIN))));
        }
        return new SetDescription(members);
    }

    private static List<Scheme> schemes(int ranks) {
        List<Scheme> schemes = new ArrayList<>(List.of(Scheme.xor()));
        for (int k = 1; k < ranks; k++) {
            schemes.add(Scheme.rs(k));
            schemes.add(Scheme.partner(k));
        }
        return schemes;
    }

    @Test
    void everyPieceIsReadOnceAndWrittenOnceAndEveryMessageIsReceived() {
        SeededRandom random = SeededRandom
                .forTest("everyPieceIsReadOnceAndWrittenOnceAndEveryMessageIsReceived");
        for (int ranks = 2; ranks <= 7; ranks++) {
            for (Scheme scheme : schemes(ranks)) {
                long[] sizes = random.longs(ranks, 0, 1000).toArray();
                SetDescription set = set(scheme, sizes);
                check(ReductionChains.encode(set), ranks, 100, scheme + " encode");
                for (int mask = 1; mask < 1 << ranks; mask++) {
                    BitSet missing = BitSet.valueOf(new long[]{mask});
                    if (scheme.canRebuild(missing, ranks)) {
                        check(ReductionChains.rebuild(set, missing), ranks, 100, scheme + " rebuild " + missing);
                    }
                }
            }
        }
    }

    /** Members have different numbers of tasks at once, and so would come to different sizes alone. */
    @Test
    void allMembersComeToTheSamePiecesWhenMemoryBoundsThem() {
        long large = 1L << 40;
        int uneven = 0;
        for (int ranks = 4; ranks <= 16; ranks += 3) {
            for (Scheme scheme : List.of(Scheme.xor(), Scheme.rs(2), Scheme.rs(3), Scheme.partner(2),
                    Scheme.partner(3))) {
                long[] sizes = new long[ranks];
                Arrays.fill(sizes, large);
                SetDescription set = set(scheme, sizes);
                for (BitSet missing : List.of(BitSet.valueOf(new long[]{1}), BitSet.valueOf(new long[]{2}))) {
                    List<ReductionChain> chains = ReductionChains.rebuild(set, missing);
                    Set<Long> lengths = new HashSet<>();
                    Set<Integer> tasks = new HashSet<>();
                    for (int rank = 0; rank < ranks; rank++) {
                        PiecePlan plan = PiecePlan.of(chains, ranks, rank, large);
                        lengths.add(plan.pieceBytes());
                        tasks.add(plan.tasks().size());
                        assertTrue(
                                (long) plan.slots() * plan.piecesPerSlot() * plan.pieceBytes() <= PiecePlan.MOST_BYTES);
                    }
                    assertEquals(1, lengths.size(), scheme + ", " + ranks + " ranks: " + lengths);
                    uneven += tasks.size() > 1 ? 1 : 0;
                }
            }
        }
        assertTrue(uneven > 10, uneven + " sets with different numbers of tasks");
    }

    @Test
    void whatIsComparedIsAllThatRebuildingLeavesOver() {
        SeededRandom random = SeededRandom.forTest("whatIsComparedIsAllThatRebuildingLeavesOver");
        for (int ranks = 2; ranks <= 6; ranks++) {
            for (Scheme scheme : schemes(ranks)) {
                SetDescription set = set(scheme, random.longs(ranks, 0, 1000).toArray());
                for (int mask = 0; mask < 1 << ranks; mask++) {
                    BitSet missing = BitSet.valueOf(new long[]{mask});
                    if (scheme.canRebuild(missing, ranks)) {
                        checkCompared(set, missing, scheme + ", missing " + missing);
                    }
                }
            }
        }
    }

    private static void checkCompared(SetDescription set, BitSet missing, String what) {
        List<ReductionChain> chains = ReductionChains.rebuildAndCompare(set, missing);
        check(chains, set.ranks(), 100, what);
        int checksums = set.scheme() instanceof Scheme.Coded coded ? coded.checksums() : 0;
        for (ReductionChain chain : chains) {
            Set<Integer> sources = new HashSet<>(chain.sources().stream().map(ReductionChain.Member::rank).toList());
            Set<Integer> targets = new HashSet<>(chain.targets().stream().map(ReductionChain.Member::rank).toList());
            assertTrue(sources.stream().noneMatch(missing::get), what);
            if (set.scheme() instanceof Scheme.Coded) {
                assertEquals(checksums, targets.size(), what + ": as many as could be missing");
                assertEquals(set.ranks(), sources.size() + targets.size(), what);
            } else {
                targets.addAll(sources);
                assertEquals(1 + set.scheme().neighbours(), targets.size(), what + ": all that have a copy");
            }
        }
        assertEquals(set.ranks(), chains.size(), what);
    }

    /** Every byte of every place has its task once and in sequence, messages fit, and nobody waits for ever. */
    private static void check(List<ReductionChain> chains, int ranks, long pieceBytes, String what) {
        List<PiecePlan> plans = new ArrayList<>();
        List<Iterator<PiecePlan.Piece>> upcoming = new ArrayList<>();
        Set<String> cells = new HashSet<>();
        for (int rank = 0; rank < ranks; rank++) {
            plans.add(PiecePlan.of(chains, ranks, rank, pieceBytes));
            upcoming.add(plans.get(rank).pieces());
            upcoming.get(rank).forEachRemaining(piece -> {
                ReductionChain.Member own = piece.task().member();
                assertTrue(cells.add(own + "@" + piece.offset()), what + " twice: " + own + "@" + piece.offset());
            });
            assertEquals(plans.get(0).pieceBytes(), plans.get(rank).pieceBytes(), what);
        }
        Map<String, Long> inSequence = new HashMap<>();
        for (int rank = 0; rank < ranks; rank++) {
            plans.get(rank).pieces().forEachRemaining(piece -> {
                long expected = inSequence.getOrDefault(piece.task().member().toString(), 0L);
                assertEquals(expected, piece.offset(), what + ": the pieces of a place come in sequence");
                inSequence.put(piece.task().member().toString(), expected + piece.bytes());
            });
        }
        for (ReductionChain chain : chains) {
            for (ReductionChain.Member member : chain.sources()) {
                assertEquals(chain.bytes(), inSequence.getOrDefault(member.toString(), 0L), what);
            }
            for (ReductionChain.Member member : chain.targets()) {
                assertEquals(chain.bytes(), inSequence.getOrDefault(member.toString(), 0L), what);
            }
        }
        requireOrder(plans, what);
        assertTrue(comesToAnEnd(plans), what + " gets stuck");
    }

    @Test
    void aMemberWaitsForWhatWasSentAStepBefore() {
        for (int ranks = 2; ranks <= 7; ranks++) {
            for (Scheme scheme : schemes(ranks)) {
                SetDescription set = set(scheme, SeededRandom.forTest("aMemberWaitsForWhatWasSentAStepBefore")
                        .longs(ranks, 500, 1000).toArray());
                BitSet missing = BitSet.valueOf(new long[]{1});
                for (List<ReductionChain> chains : List.of(ReductionChains.encode(set),
                        ReductionChains.rebuild(set, missing))) {
                    int hops = chains.stream().mapToInt(chain -> chain.sources().size()).max().orElseThrow();
                    assertTrue(rounds(chains, ranks) <= PiecePlan.of(chains, ranks, 0, 10).waves() + hops,
                            scheme + ", " + ranks + " ranks: " + rounds(chains, ranks));
                }
            }
        }
    }

    /** How often members wait until what all others could send has come. */
    private static int rounds(List<ReductionChain> chains, int ranks) {
        List<Player> players = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            Player player = new Player();
            PiecePlan.of(chains, ranks, rank, 10).pieces().forEachRemaining(player.pieces::add);
            players.add(player);
        }
        Set<String> received = new HashSet<>();
        int rounds = 0;
        while (players.stream().anyMatch(player -> player.finished < player.pieces.size())) {
            Set<String> sent = new HashSet<>();
            boolean moved = false;
            for (int rank = 0; rank < ranks; rank++) {
                Player player = players.get(rank);
                while (player.finished < player.pieces.size()
                        && hasCome(rank, player.pieces.get(player.finished), received)) {
                    PiecePlan.Piece piece = player.pieces.get(player.finished);
                    piece.task().outgoing().forEach(outgoing -> sent.add(message(outgoing.receiver(), piece)));
                    player.finished++;
                    moved = true;
                }
            }
            assertTrue(moved, "stuck");
            received.addAll(sent);
            rounds++;
        }
        return rounds;
    }

    private static boolean hasCome(int rank, PiecePlan.Piece piece, Set<String> received) {
        return piece.task().receivesFrom() < 0 || received.contains(message(rank, piece));
    }

    /** A member that plays its plan, without bytes. */
    private static final class Player {
        private final List<PiecePlan.Piece> pieces = new ArrayList<>();
        private int begun;
        private int finished;
    }

    /**
     * Plays the plans of all members with as few buffers as can be: a message leaves its slot only when its receiver
     * has a slot for it, and a member begins no more than it must. Says whether all are through in the end.
     */
    private static boolean comesToAnEnd(List<PiecePlan> plans) {
        List<Player> players = new ArrayList<>();
        for (PiecePlan plan : plans) {
            Player player = new Player();
            plan.pieces().forEachRemaining(player.pieces::add);
            players.add(player);
        }
        Set<String> awaited = new HashSet<>();
        Set<String> sent = new HashSet<>();
        boolean moved = true;
        while (moved) {
            moved = false;
            for (int rank = 0; rank < plans.size(); rank++) {
                moved |= move(rank, players.get(rank), plans.get(rank), awaited, sent);
            }
        }
        return players.stream().allMatch(player -> player.finished == player.pieces.size());
    }

    private static String message(int receiver, PiecePlan.Piece piece) {
        return receiver + "<" + piece.task().chain().number() + "+" + piece.offset();
    }

    private static boolean move(int rank, Player player, PiecePlan plan, Set<String> awaited, Set<String> sent) {
        int slots = plan.slots();
        int before = player.begun + player.finished;
        while (player.begun < player.pieces.size() && player.begun - player.finished < plan.ahead()
                && (player.begun < slots || hasLeft(player.pieces.get(player.begun - slots), awaited))) {
            awaited.add(message(rank, player.pieces.get(player.begun)));
            player.begun++;
        }
        if (player.finished < player.begun) {
            PiecePlan.Piece piece = player.pieces.get(player.finished);
            if (hasCome(rank, piece, sent)) {
                piece.task().outgoing().forEach(outgoing -> sent.add(message(outgoing.receiver(), piece)));
                player.finished++;
            }
        }
        return player.begun + player.finished > before;
    }

    private static boolean hasLeft(PiecePlan.Piece piece, Set<String> awaited) {
        return piece.task().outgoing().stream()
                .allMatch(outgoing -> awaited.contains(message(outgoing.receiver(), piece)));
    }

    @Test
    void oneSlotWouldNotBeEnough() {
        List<ReductionChain> chains = ReductionChains.encode(set(Scheme.xor(), 100, 100, 100));
        List<PiecePlan> plans = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            PiecePlan plan = PiecePlan.of(chains, 3, rank, 10);
            plans.add(new PiecePlan(plan.tasks(), plan.pieceBytes(), 1, plan.piecesPerSlot(), plan.waves()));
        }
        assertFalse(comesToAnEnd(plans));
    }

    /** What two members send one another comes in the order in which it is awaited, since messages have one tag. */
    private static void requireOrder(List<PiecePlan> plans, String what) {
        Map<String, List<String>> sent = new HashMap<>();
        Map<String, List<String>> awaited = new HashMap<>();
        for (int rank = 0; rank < plans.size(); rank++) {
            int own = rank;
            plans.get(rank).pieces().forEachRemaining(piece -> {
                ChainTask task = piece.task();
                String name = task.chain().number() + "+" + piece.offset() + ":" + piece.bytes() + "*";
                task.outgoing().forEach(message -> sent
                        .computeIfAbsent(own + ">" + message.receiver(), absent -> new ArrayList<>())
                        .add(name + message.pieces()));
                if (task.receivesFrom() >= 0) {
                    awaited.computeIfAbsent(task.receivesFrom() + ">" + own, absent -> new ArrayList<>())
                            .add(name + task.receivedPieces());
                }
            });
        }
        assertEquals(sent, awaited, what);
    }

    @Test
    void placesBeyondFourGibibytesAreWhereTheyBelong() {
        long huge = (1L << 40) + 5;
        for (Scheme scheme : List.of(Scheme.xor(), Scheme.rs(2), Scheme.partner(2))) {
            SetDescription set = set(scheme, huge, 1, 0, 7, huge - 1);
            List<ReductionChain> chains = ReductionChains.encode(set);
            for (int rank = 0; rank < set.ranks(); rank++) {
                PiecePlan plan = PiecePlan.of(chains, set.ranks(), rank, 1 << 20);
                long longest = chains.stream().mapToLong(ReductionChain::bytes).max().orElseThrow();
                assertEquals(Math.ceilDiv(longest, plan.pieceBytes()), plan.waves());
                assertTrue(plan.pieceBytes() * plan.slots() * plan.piecesPerSlot() <= PiecePlan.MOST_BYTES);
                int member = rank;
                chains.forEach(chain -> chain.targets().stream().filter(target -> target.rank() == member)
                        .forEach(target -> assertTrue(
                                target.extent().start() + chain.bytes() <= set.header(member).payloadBytes())));
            }
            long largestStart = chains.stream().flatMap(chain -> chain.sources().stream())
                    .mapToLong(source -> source.extent().start()).max().orElseThrow();
            assertEquals(scheme instanceof Scheme.Partner ? 0 : set.chunkBytes() * (4 - scheme.neighbours()),
                    largestStart);
        }
    }

    @Test
    void aPlanOfAHugeFileIsComputedAsItIsCarriedOut() {
        SetDescription set = set(Scheme.xor(), 1L << 50, 0, 0);
        Iterator<PiecePlan.Piece> pieces = PiecePlan.of(ReductionChains.encode(set), 3, 0, 1 << 20).pieces();
        for (int wave : new int[]{0, 1, 0, 2, 1, 0, 3, 2, 1, 4, 3, 2}) {
            assertEquals(wave * (1L << 20), pieces.next().offset());
        }
    }
}
