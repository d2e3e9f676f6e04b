package org.restorej.redset.internal.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.testing.SeededRandom;
import org.restorej.redset.internal.format.CommitJournal.Move;
import org.restorej.testing.Deep;

/** A journal names files that will be deleted, so nothing it says is believed unchecked. */
class CommitJournalTest {
    private static final String PREFIX = "rank.0.";
    private static final String REDUNDANCY = "rank.0.xor.grp_1_of_2.mem_3_of_4.redset";
    private static final int FUZZED_INPUTS = 10_000;
    private static final int DEEPLY_FUZZED_INPUTS = 400_000;

    private static CommitJournal journal(String... names) {
        return new CommitJournal(new UUID(1, 2), 4, List.of(names).stream().map(name -> new Move(name, true)).toList());
    }

    @Test
    void isReadAsItWasWritten() throws FormatException {
        CommitJournal journal = journal(REDUNDANCY, REDUNDANCY + ".checksums", "rank.0.redset");
        assertEquals(journal, CommitJournal.read(journal.toTree(), PREFIX));
    }

    @ParameterizedTest
    @ValueSource(strings = {"precious.dat", "rank.7.redset", "..", "", "rank.0.", "rank.0...", "rank.0.x/../redset",
            "/rank.0.redset", "rank.0.redset/", "rank.0.redset\n", "rank.0.redset.checksums", "rank.0.0.redset",
            "rank.0.7.xor.grp_1_of_2.mem_3_of_4.redset", "rank.0.xor.grp_3_of_2.mem_3_of_4.redset",
            "rank.0.restorej-new.0", "rank.0.restorej-decided", "rank.0.dat", REDUNDANCY + ".checksums.checksums"})
    void namesOnlyFilesOfItsRank(String name) {
        FormatException refused = assertThrows(FormatException.class,
                () -> CommitJournal.read(journal("rank.0.redset", name).toTree(), PREFIX));
        assertEquals("journal/MOVE/1/NAME must be a descriptor, redundancy or checksum file of rank.0.*: " + name,
                refused.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "precious.", "rank.00", "rank.", "rank.0", "rank.x."})
    void isOfARank(String prefix) {
        assertFalse(RedsetFileNames.isOfRank(prefix, prefix + "redset"));
    }

    @Test
    void namesEachFileOnceAndAtLeastOne() {
        FormatException twice = assertThrows(FormatException.class,
                () -> CommitJournal.read(journal("rank.0.redset", "rank.0.redset").toTree(), PREFIX));
        assertEquals("journal/MOVE/1/NAME must not be there twice: rank.0.redset", twice.getMessage());
        assertThrows(FormatException.class, () -> CommitJournal.read(journal().toTree(), PREFIX));
    }

    @Test
    void namesAsManyFilesAsItSays() {
        KvTree tree = journal(REDUNDANCY, "rank.0.redset").toTree();
        KvTree.Builder fewer = KvTree.builder().put("MOVES", 1);
        tree.keys().stream().filter(key -> !key.equals("MOVES"))
                .forEach(key -> fewer.put(key, Objects.requireNonNull(tree.child(key))));
        FormatException refused = assertThrows(FormatException.class, () -> CommitJournal.read(fewer.build(), PREFIX));
        assertEquals("journal/MOVES must be the number of entries of MOVE, 2: 1", refused.getMessage());
    }

    @Test
    void changedBytesAreRefusedOrStillNameOnlyFilesOfTheRank() {
        readChanged(FUZZED_INPUTS, SeededRandom.forTest("changedBytes"));
    }

    @Deep
    @Test
    void manyChangedBytesAreRefusedOrStillNameOnlyFilesOfTheRank() {
        readChanged(DEEPLY_FUZZED_INPUTS, SeededRandom.forTest("manyChangedBytes"));
    }

    private static void readChanged(int inputs, SeededRandom random) {
        byte[] sound = KvTreeBlock
                .encode(journal(REDUNDANCY, REDUNDANCY + ".checksums", "rank.0.redset").toTree());
        int accepted = 0;
        int refused = 0;
        for (int i = 0; i < inputs; i++) {
            byte[] bytes = sealed(mutated(random, sound));
            try {
                CommitJournal journal = CommitJournal.read(KvTreeBlock.decode(bytes).tree(), PREFIX);
                requireHarmless(journal);
                accepted++;
            } catch (FormatException damaged) {
                refused++;
            }
        }
        assertTrue(accepted > 100 && refused > inputs / 2, "accepted " + accepted + ", refused " + refused);
    }

    private static void requireHarmless(CommitJournal journal) {
        Set<String> names = new HashSet<>();
        for (Move move : journal.moves()) {
            assertTrue(names.add(move.name()), move.name());
            assertTrue(move.name().startsWith(PREFIX), move.name());
            assertTrue(move.name().matches("[a-z0-9._]+\\.redset(\\.checksums)?"), move.name());
        }
        assertFalse(names.isEmpty());
    }

    private static byte[] mutated(SeededRandom random, byte[] sound) {
        byte[] bytes = sound.clone();
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] = (byte) random.nextInt();
                case 1 -> bytes[at] = (byte) ('0' + random.nextInt(10));
                case 2 -> bytes[at] = (byte) "/.\0".charAt(random.nextInt(3));
                default -> {
                    int from = random.nextInt(bytes.length);
                    int length = Math.min(random.nextInt(64), bytes.length - Math.max(at, from));
                    System.arraycopy(bytes.clone(), from, bytes, at, length);
                }
            }
        }
        return bytes;
    }

    /** With its CRC right again, or no change would get beyond it. */
    private static byte[] sealed(byte[] block) {
        CRC32 crc = new CRC32();
        crc.update(block, 0, block.length - Integer.BYTES);
        ByteBuffer.wrap(block).putInt(block.length - Integer.BYTES, (int) crc.getValue());
        return block;
    }
}
