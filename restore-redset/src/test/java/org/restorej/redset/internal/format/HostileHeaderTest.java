package org.restorej.redset.internal.format;

import org.restorej.redset.internal.format.RankRecord.FileRecord;
import org.restorej.redset.internal.format.FileMetadata.Timestamp;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.redset.Scheme;

/** Headers whose numbers don't go together: each is refused with the place of the number. */
class HostileHeaderTest {
    private static final Timestamp TIME = new Timestamp(1, 2);
    private static final FileMetadata PLAIN = new FileMetadata(0_100644, 1, 2, TIME, TIME, TIME);
    /** Every member has 300 bytes: three chunks of 100 with two checksums. */
    private static final long BYTES = 300;
    private static final int RANKS = 5;
    private static final int WORLD_RANKS = 10;

    private static RankRecord member(Scheme scheme, int rank, int ranks) {
        return new RankRecord(new Descriptor(scheme, 1, 2, rank, ranks, 2 * rank + 1, WORLD_RANKS),
                List.of(new FileRecord("f" + rank, BYTES, PLAIN)));
    }

    private static SetDescription set(Scheme scheme) {
        List<RankRecord> members = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            members.add(member(scheme, rank, RANKS));
        }
        return new SetDescription(members);
    }

    /** A tree with one value, at a path of keys. */
    private static KvTree with(KvTree tree, List<String> path, String value) {
        if (path.isEmpty()) {
            return KvTree.builder().put(value, KvTree.EMPTY).build();
        }
        KvTree.Builder changed = KvTree.builder();
        for (String key : tree.keys()) {
            KvTree child = Objects.requireNonNull(tree.child(key));
            changed.put(key, key.equals(path.get(0)) ? with(child, path.subList(1, path.size()), value) : child);
        }
        return changed.build();
    }

    @Test
    void headersAndDescriptorFilesOfASetAreReadAsTheyWereWritten() throws FormatException {
        for (Scheme scheme : List.of(Scheme.rs(2), Scheme.xor(), Scheme.partner(2), Scheme.rs(4))) {
            SetDescription set = set(scheme);
            for (int rank = 0; rank < RANKS; rank++) {
                assertEquals(set.header(rank), RedundancyHeader.read(set.header(rank).toTree(), rank));
                assertEquals(set.descriptorFile(rank), DescriptorFile.read(set.descriptorFile(rank).toTree()));
                assertEquals(1 + scheme.neighbours(), set.header(rank).byRank().size());
            }
            long chunk = set.chunkBytes();
            assertEquals(scheme instanceof Scheme.Coded coded ? Math.ceilDiv(BYTES, RANKS - coded.checksums()) : 0,
                    chunk);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "DESC/4/DESC/GROUP   | 0  | header/DESC/4 must be of the same set as rank 0",
            "DESC/4/DESC/GROUPS  | 3  | header/DESC/4 must be of the same set as rank 0",
            "DESC/4/DESC/RANKS   | 6  | header/DESC/4 must be of the same set as rank 0",
            "DESC/4/DESC/WRANKS  | 11 | header/DESC/4 must be of the same set as rank 0",
            "DESC/4/DESC/CKSUM   | 3  | header/DESC/4 must be of the same set as rank 0",
            "DESC/3/DESC/GROUP   | 0  | header/DESC/3 must be of the same set as rank 0",
            "DESC/4/DESC/RANK    | 3  | header/DESC/4 must describe that rank: RANK=3",
            "DESC/0/DESC/RANK    | 5  | rank must be at least 0 and less than ranks: rank=5, ranks=5",
            "DESC/0/DESC/RANK    | -1 | header/DESC/0/DESC/RANK must be a number in [0, 2147483647]: -1",
            "DESC/0/DESC/GROUP   | 2  | group must be at least 0 and less than groups: group=2, groups=2",
            "DESC/0/DESC/WRANK   | 10 | worldRank must be at least 0 and less than worldRanks: worldRank=10",
            "DESC/0/DESC/RANKS   | 2  | needs sets of at least 3",
            "DESC/0/DESC/RANKS   | 11 | ranks and groups must be at most worldRanks: ranks=11",
            "DESC/0/DESC/GROUPS  | 11 | ranks and groups must be at most worldRanks: ranks=5, groups=11",
            "DESC/0/DESC/ENABLED | 0  | is of a descriptor that is not enabled",
            "DESC/0/DESC/TYPE    | RAID | header/DESC/0/DESC/TYPE must be SINGLE, PARTNER, XOR or RS: RAID",
            "DESC/0/FILES        | 2  | header/DESC/0/FILES must be the number of entries of FILE, 1: 2",
            "DESC/0/FILE/0/f0/SIZE | x | header/DESC/0/FILE/0/f0/SIZE must be a number",
            "DESC/0/FILE/0/f0/MODE | 4294967296 | MODE must be a number in [0, 4294967295]: 4294967296",
            "GROUP/RANK/2        | 10 | header/GROUP/RANK/2 must be a number in [0, 9]: 10",
            "GROUP/RANK/2        | x  | header/GROUP/RANK/2 must be a number in [0, 9]: x",
            "GROUP/RANK/2        | 05 | header/GROUP/RANK/2 must be a number in [0, 9]: 05",
            "GROUP/RANK/2        | +5 | header/GROUP/RANK/2 must be a number in [0, 9]: +5",
            "GROUP/RANK/4        | 1  | header/GROUP/RANK/4 must be the WRANK of that rank: 1",
            "GROUP/RANKS         | 4  | header/GROUP/RANKS must be the number of entries of RANK, 5: 4",
            "GROUP/RANK          | 0  | header/GROUP/RANKS must be the number of entries of RANK, 1: 5",
            "CHUNK               | 99 | header/CHUNK is too small for the files of rank",
            "CHUNK               | 0  | header/CHUNK must be a number in [1, 9223372036854775807]: 0",
            "CHUNK               | 9223372036854775807 | the payload must have less than 2^63 bytes",
            "RANK                | 1  | header/RANK must be 0, as the file's name says"})
    void refusesNumbersThatDoNotGoTogether(String path, String value, String rule) {
        KvTree hostile = with(set(Scheme.rs(2)).header(0).toTree(), List.of(path.split("/")), value);
        assertSays(assertThrows(FormatException.class, () -> RedundancyHeader.read(hostile, 0)), rule);
    }

    @Test
    void takesAnyChunkThatIsLargeEnough() throws FormatException {
        KvTree tree = set(Scheme.xor()).header(0).toTree();
        for (long chunk : new long[]{75, 76, Long.MAX_VALUE / 4, Long.MAX_VALUE / 4 + 1, Long.MAX_VALUE}) {
            assertEquals(chunk, RedundancyHeader.read(with(tree, List.of("CHUNK"), Long.toString(chunk)), 0)
                    .chunkBytes());
        }
        assertSays(assertThrows(FormatException.class,
                () -> RedundancyHeader.read(with(tree, List.of("CHUNK"), "74"), 0)), "is too small");
    }

    /** All chunks together have three bytes less than the largest number. */
    @Test
    void refusesAFileThatIsLargerThanTheLargestChunksWhoseSumIsANumber() throws FormatException {
        KvTree tree = with(set(Scheme.xor()).header(0).toTree(), List.of("DESC", "0", "FILE", "0", "f0", "SIZE"),
                Long.toString(Long.MAX_VALUE));
        String chunk = Long.toString(Long.MAX_VALUE / 4);
        assertSays(assertThrows(FormatException.class,
                () -> RedundancyHeader.read(with(tree, List.of("CHUNK"), chunk), 0)), "is too small");
        String larger = Long.toString(Long.MAX_VALUE / 4 + 1);
        assertEquals(Long.MAX_VALUE,
                RedundancyHeader.read(with(tree, List.of("CHUNK"), larger), 0).own().totalBytes());
    }

    @Test
    void refusesRecordsThatAreNoSet() {
        Scheme scheme = Scheme.rs(2);
        List<RankRecord> members = set(scheme).members();
        RankRecord other = new RankRecord(new Descriptor(scheme, 0, 2, 4, RANKS, 9, WORLD_RANKS), List.of());
        for (List<RankRecord> wrong : List.of(List.<RankRecord>of(), members.subList(0, 4),
                List.of(members.get(1), members.get(0), members.get(2), members.get(3), members.get(4)),
                List.of(members.get(0), members.get(1), members.get(2), members.get(3), other))) {
            assertThrows(IllegalArgumentException.class, () -> new SetDescription(wrong), wrong.toString());
        }
    }
}
