package org.restorej.redset.internal.format;

import org.restorej.redset.internal.format.RankRecord.FileRecord;
import org.restorej.redset.internal.format.FileMetadata.Timestamp;
import org.restorej.redset.internal.format.ChecksumFile.RankChecksums;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.redset.Scheme;

/** The values that files are made of: each is read as it was written, up to the ends of its range and not beyond. */
class FormatValuesTest {
    private static final Timestamp TIME = new Timestamp(5, 6);
    private static final long UINT32_MAX = 0xFFFF_FFFFL;

    @Test
    void metadataHasNumbersOf32BitsAndTimesOfTheirNanoseconds() {
        new FileMetadata(0, 0, 0, new Timestamp(0, 0), TIME, new Timestamp(-1, 999_999_999));
        new FileMetadata(UINT32_MAX, UINT32_MAX, UINT32_MAX, TIME, TIME, TIME);
        for (long wrong : new long[]{-1, UINT32_MAX + 1}) {
            assertSays(assertThrows(IllegalArgumentException.class,
                    () -> new FileMetadata(wrong, 0, 0, TIME, TIME, TIME)), "mode=" + wrong);
            assertSays(assertThrows(IllegalArgumentException.class,
                    () -> new FileMetadata(0, wrong, 0, TIME, TIME, TIME)), "userId=" + wrong);
            assertSays(assertThrows(IllegalArgumentException.class,
                    () -> new FileMetadata(0, 0, wrong, TIME, TIME, TIME)), "groupId=" + wrong);
        }
        for (int wrong : new int[]{-1, 1_000_000_000}) {
            assertThrows(IllegalArgumentException.class, () -> new Timestamp(0, wrong));
        }
        FileTime time = FileTime.from(Instant.ofEpochSecond(-7, 123_456_789));
        assertEquals(new Timestamp(-7, 123_456_789), Timestamp.of(time));
        assertEquals(time, Timestamp.of(time).toFileTime());
    }

    @Test
    void aFileHasANameThatAKeyCanHoldAndASize() {
        new FileRecord("f", 0, null);
        new FileRecord("ä".repeat(511) + "a", Long.MAX_VALUE, null);
        assertThrows(IllegalArgumentException.class, () -> new FileRecord("", 0, null));
        assertThrows(IllegalArgumentException.class, () -> new FileRecord("ä".repeat(512), 0, null));
        assertThrows(IllegalArgumentException.class, () -> new FileRecord("\0a", 0, null));
        assertThrows(IllegalArgumentException.class, () -> new FileRecord("f", -1, null));
        assertEquals("\\x80f", new FileRecord("\uDC80f", 0, null).shownName());
    }

    @Test
    void everyStringOfBytesIsANameAndComesBack() {
        for (int first = 0; first < 256; first++) {
            for (int second = 0; second < 256; second++) {
                String key = "a" + (char) first + (char) second + "z";
                assertEquals(key, FileName.encode(FileName.decode(key)), first + ", " + second);
            }
        }
        assertEquals("α\uDC80\uDCFF", FileName.decode(new String("α".getBytes(StandardCharsets.UTF_8),
                StandardCharsets.ISO_8859_1) + "\u0080\u00FF"));
        assertEquals("α\\x80\\xFF\\xC3b", FileName.shown("α\uDC80\uDCFF\uDCC3b"));
        // A surrogate that is no escaped byte is no byte.
        assertNotEquals("\u007F", FileName.encode("\uDC7F"));
        assertNotEquals("\u0100", FileName.encode("\uDD00"));
    }

    private static KvTree.Builder without(KvTree tree, String key) {
        KvTree.Builder rest = KvTree.builder();
        tree.keys().stream().filter(each -> !each.equals(key))
                .forEach(each -> rest.put(each, Optional.ofNullable(tree.child(each)).orElseThrow()));
        return rest;
    }

    @Test
    void checksumsAreReadAsTheyWereWritten() throws IOException {
        RankChecksums own = new RankChecksums(-1, List.of(0, -1, Integer.MIN_VALUE), List.of(7));
        RankChecksums left = new RankChecksums(3, List.of(), List.of(-2, 5));
        ChecksumFile file = new ChecksumFile(4, new TreeMap<>(Map.of(4, own, 3, left)));
        assertEquals(file, ChecksumFile.decode(KvTreeBlock.encode(file.toTree())));
        assertThrows(IllegalArgumentException.class, () -> new ChecksumFile(2, file.byRank()));
        assertSays(assertThrows(FormatException.class,
                () -> ChecksumFile.read(without(file.toTree(), "RANK").put("RANK", 2).build())),
                "must hold the own rank: 2");
        assertSays(assertThrows(FormatException.class,
                () -> ChecksumFile.read(without(file.toTree(), "ALGORITHM").put("ALGORITHM", "MD5").build())),
                "ALGORITHM must be CRC32C: MD5");
        for (String count : List.of("FILES", "PAYLOADS")) {
            assertSays(assertThrows(FormatException.class, () -> RankChecksums
                    .read(new TreeFields("checksums", without(own.toTree(), count).put(count, 2).build()))),
                    "checksums/" + count + " must be the number of entries of ");
        }
    }

    @Test
    void aRankWithItsFilesIsReadAsItWasWritten() throws FormatException {
        RankRecord record = new RankRecord(new Descriptor(Scheme.partner(2), 0, 1, 1, 3, 1, 3), List.of(
                new FileRecord("a", 1, new FileMetadata(1, 2, 3, TIME, TIME, TIME)),
                new FileRecord("b", 0, new FileMetadata(UINT32_MAX, 0, UINT32_MAX, TIME, new Timestamp(-9, 8), TIME))));
        assertEquals(record, RankRecord.read(record.toTree()));
        assertEquals(record.descriptor().ofMember(2, 2), new Descriptor(Scheme.partner(2), 0, 1, 2, 3, 2, 3));
    }

    @Test
    void treesAreTheSameWhenTheirKeysAndTheirValuesAre() {
        KvTree tree = KvTree.builder().put("a", 1).put("b", KvTree.builder().put("c", 2).build()).build();
        KvTree same = KvTree.builder().put("b", KvTree.builder().put("c", 2).build()).put("a", 1).build();
        assertEquals(tree, same);
        assertEquals(tree.hashCode(), same.hashCode());
        assertEquals("{a={1}, b={c={2}}}", tree.toString());
        for (KvTree other : List.of(KvTree.EMPTY, KvTree.builder().put("a", 1).build(),
                KvTree.builder().put("a", 2).put("b", KvTree.builder().put("c", 2).build()).build(),
                KvTree.builder().put("a", 1).put("x", KvTree.builder().put("c", 2).build()).build())) {
            assertNotEquals(tree, other);
            assertNotEquals(tree.hashCode(), other.hashCode());
        }
        assertNotEquals(null, tree);
        assertThrows(IllegalArgumentException.class, () -> KvTree.value("a\0"));
        assertThrows(IllegalArgumentException.class, () -> KvTree.value("a".repeat(KvTree.KEY_BYTES_LIMIT)));
    }

    @ParameterizedTest
    @CsvSource({"rank.3., rank.3.redset, true", "rank.3., rank.3.xor.grp_1_of_1.mem_1_of_2.redset, true",
            "rank.3., rank.3.xor.grp_1_of_1.mem_1_of_2.redset.checksums, true", "rank.3., rank.30.redset, false",
            "rank.3., rank.3.redset.checksums, false", "rank.3., rank.3.restorej-new.0, false",
            "rank.3., rank.3.4.redset, false", "rank.3., rank.3.4.xor.grp_1_of_1.mem_1_of_2.redset, false",
            "rank.3., data, false", "rank., rank.3.redset, false"})
    void onlyARanksOwnFilesAreThoseOfARank(String rankPrefix, String name, boolean own) {
        assertEquals(own, RedsetFileNames.isOfRank(rankPrefix, name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rank.0.redset", "0.redset", "a.7.rs.grp_2_of_3.mem_1_of_2.redset"})
    void filesOfAnyRankAndPrefixAreRedsets(String name) {
        assertTrue(RedsetFileNames.isOfRedset(name));
        assertFalse(RedsetFileNames.isOfRedset(name + ".checksums"));
        assertFalse(RedsetFileNames.isOfRedset("x" + name.substring(0, name.length() - 1)));
    }

    @Test
    void numbersInNamesAreThoseOfRanks() {
        String largest = Integer.toString(Integer.MAX_VALUE - 1);
        assertTrue(RedsetFileNames.isDescriptor("rank." + largest + ".redset"));
        assertFalse(RedsetFileNames.isDescriptor("rank." + Integer.MAX_VALUE + ".redset"));
        Descriptor place = new Descriptor(Scheme.rs(2), 1, 2, 3, 4, 5, 8);
        assertEquals("rank.5.rs.grp_2_of_2.mem_4_of_4.redset.checksums", RedsetFileNames.checksums("rank.", place));
    }
}
