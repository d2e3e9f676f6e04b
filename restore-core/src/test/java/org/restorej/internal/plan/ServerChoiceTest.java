package org.restorej.internal.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.restorej.testing.SeededLaw;

class ServerChoiceTest {
    private static final long LONG_BLOCK_BYTES = 256 << 10;

    private record Served(int server, long position, long count, long slot) {}

    private final List<Served> served = new ArrayList<>();

    private static ServerChoice choice(int requester, long blockSizeBytes) {
        return new ServerChoice(requester, blockSizeBytes, 5);
    }

    private void serve(ServerChoice choice, int[] holders, int holderCount, long first, long count, long firstSlot) {
        int shares = choice.choose(holders, holderCount, count);
        long done = 0;
        for (int share = 0; share < shares; share++) {
            served.add(new Served(choice.server(share), first + done, choice.count(share), firstSlot + done));
            done += choice.count(share);
        }
    }

    @Test
    void aPeServesItselfWhenItCan() {
        serve(choice(7, LONG_BLOCK_BYTES), new int[]{3, 5, 7}, 3, 100, 9, 40);
        assertEquals(List.of(new Served(7, 100, 9, 40)), served);
    }

    @Test
    void whoIsNoAliveHolderServesNothing() {
        serve(choice(7, 1), new int[]{3, 5, 7}, 2, 100, 9, 40);
        assertTrue(served.getFirst().server() != 7);
    }

    @Test
    void nobodyServesWhatIsLost() {
        serve(choice(7, 8), new int[]{3, 5, 7}, 0, 100, 9, 40);
        assertEquals(List.of(), served);
    }

    @Test
    void aLongPieceIsSharedByAllHolders() {
        serve(choice(0, LONG_BLOCK_BYTES), new int[]{3, 5, 7}, 3, 100, 10, 40);
        assertEquals(List.of(new Served(3, 100, 4, 40), new Served(5, 104, 3, 44), new Served(7, 107, 3, 47)),
                served);
    }

    @Test
    void aShortPieceStaysWhole() {
        serve(choice(0, LONG_BLOCK_BYTES / 4), new int[]{3, 5}, 2, 100, 7, 40);
        assertEquals(1, served.size());
        assertEquals(7, served.getFirst().count());
    }

    @Test
    void servedPiecesCoverTheWishExactlyAndComeFromHolders() {
        SeededLaw.holds(1000, random -> {
            served.clear();
            int[] holders = random.ints(0, 20).distinct().limit(1 + random.nextInt(5)).toArray();
            long position = random.nextInt(1000);
            long slot = random.nextInt(1000);
            long count = 1L + random.nextInt(50_000);
            serve(choice(random.nextInt(20), 1L << random.nextInt(20)), holders, holders.length, position, count,
                    slot);
            long done = 0;
            for (Served piece : served) {
                assertTrue(Arrays.stream(holders).anyMatch(rank -> rank == piece.server()));
                assertTrue(piece.count() > 0);
                assertEquals(position + done, piece.position());
                assertEquals(slot + done, piece.slot());
                done += piece.count();
            }
            assertEquals(count, done);
        });
    }

    @Test
    void theLoadsOfServersDifferByAtMostOnePiece() {
        SeededLaw.holds(300, random -> {
            served.clear();
            int[] holders = random.ints(0, 20).distinct().limit(1 + random.nextInt(5)).toArray();
            ServerChoice choice = choice(20 + random.nextInt(20), 1);
            int pieces = random.nextInt(30);
            for (int piece = 0; piece < pieces; piece++) {
                serve(choice, holders, holders.length, piece * 10L, 4, piece * 4L);
            }
            Map<Integer, Integer> load = new TreeMap<>();
            served.forEach(piece -> load.merge(piece.server(), 1, Integer::sum));
            int least = load.size() < holders.length ? 0 : load.values().stream().min(Integer::compare).orElse(0);
            load.values().forEach(most -> assertTrue(most <= least + 1, () -> "loads " + load));
        });
    }

    @Test
    void pesThatWantOnePieceEachBeginWithDifferentHolders() {
        for (int requester = 10; requester < 13; requester++) {
            serve(choice(requester, 1), new int[]{3, 5, 7}, 3, 0, 1, 0);
        }
        assertEquals(3, served.stream().map(Served::server).distinct().count());
    }

    @Test
    void equallyLoadedHoldersServeInTurnFromThatOfTheRequester() {
        ServerChoice choice = choice(10, 1);
        for (int piece = 0; piece < 4; piece++) {
            serve(choice, new int[]{3, 5, 7}, 3, piece, 1, piece);
        }
        assertEquals(List.of(5, 7, 3, 5), served.stream().map(Served::server).toList());
    }

    /** 256 KiB are four blocks here. */
    @Test
    void aPieceIsSharedAsSoonAsEachShareHas256Kibibytes() {
        serve(choice(0, LONG_BLOCK_BYTES / 4), new int[]{3, 5}, 2, 100, 8, 40);
        assertEquals(List.of(new Served(3, 100, 4, 40), new Served(5, 104, 4, 44)), served);
    }
}
