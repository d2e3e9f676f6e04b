package org.restorej.redset.internal.format;

import org.restorej.redset.internal.format.RankRecord.FileRecord;
import org.restorej.redset.internal.format.FileMetadata.Timestamp;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.testing.ErrorMessages.assertSays;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.restorej.redset.Scheme;
import org.restorej.redset.Vectors;

class RedsetFilesTest {
    static List<Vectors.Case> vectors() {
        return Vectors.all();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void writesDescriptorFilesAgainByteForByte(Vectors.Case vector) throws IOException {
        int seen = 0;
        for (Path file : vector.encodedFiles()) {
            String name = String.valueOf(file.getFileName());
            if (RedsetFileNames.isDescriptor(name)) {
                byte[] original = Files.readAllBytes(file);
                DescriptorFile read = DescriptorFile.decode(original);
                assertArrayEquals(original, KvTreeBlock.encode(read.toTree()), name);
                seen++;
            }
        }
        assertEquals(vector.manifest().get("p").asInt(), seen);
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void writesHeadersAgainByteForByteAndNamesThemTheSame(Vectors.Case vector) throws IOException {
        int seen = 0;
        for (Path file : vector.encodedFiles()) {
            String name = String.valueOf(file.getFileName());
            Optional<RedsetFileNames.Redundancy> parsed = RedsetFileNames.parseRedundancy(name);
            if (parsed.isPresent()) {
                byte[] original = Files.readAllBytes(file);
                KvTreeBlock block = KvTreeBlock.decode(original);
                RedundancyHeader header = RedundancyHeader.read(block.tree(), parsed.get().rank());
                byte[] headerBytes = Arrays.copyOf(original, block.sizeBytes());
                assertArrayEquals(headerBytes, KvTreeBlock.encode(header.toTree()), name);
                assertEquals(original.length, block.sizeBytes() + header.payloadBytes(), name);
                assertEquals(name, RedsetFileNames.redundancy("ckpt.", header.own().descriptor()));
                checkManifest(vector, header);
                seen++;
            }
        }
        assertEquals(vector.manifest().get("p").asInt(), seen);
    }

    private static void checkManifest(Vectors.Case vector, RedundancyHeader header) {
        Descriptor descriptor = header.own().descriptor();
        JsonNode rank = vector.manifest().get("ranks").get(descriptor.worldRank());
        assertEquals(vector.manifest().get("scheme").asText(), descriptor.scheme().typeName());
        assertEquals(rank.get("files").size(), header.own().files().size());
        for (int i = 0; i < header.own().files().size(); i++) {
            FileRecord file = header.own().files().get(i);
            JsonNode expected = rank.get("files").get(i);
            assertEquals(expected.get("name").asText(), file.name());
            assertEquals(expected.get("size").asLong(), file.sizeBytes());
            FileMetadata recorded = Objects.requireNonNull(file.metadata());
            assertEquals(expected.get("mode").asLong(), recorded.mode());
            Timestamp modified = recorded.modificationTime();
            assertEquals(expected.get("mtime_ns").asLong(),
                    modified.seconds() * 1_000_000_000 + modified.nanoseconds());
        }
    }

    @Test
    void readsTheSmallestWholeExample() throws IOException {
        byte[] file = Files.readAllBytes(Vectors.named("single_p4").directory().resolve("enc/ckpt.2.redset"));
        KvTreeBlock block = KvTreeBlock.decode(file);
        assertEquals(178, block.sizeBytes());
        assertEquals(0xD62C7B5D, KvTreeBlock.crcOf(file));
        assertEquals(new Descriptor(Scheme.single(), 2, 4, 0, 1, 2, 4),
                DescriptorFile.read(block.tree()).byWorldRank().get(2));
    }

    @Test
    void understandsTheHeadersThatRedsetLeavesAfterItsRebuilds() throws IOException {
        KvTree partner = headerTree("partner_p4_r2", "ckpt.1.partner.grp_1_of_1.mem_2_of_4.redset");
        KvTree twoRanks = KvTree.builder().put("1", KvTree.EMPTY).put("2", KvTree.EMPTY).build();
        RedundancyHeader repaired = RedundancyHeader.read(with(partner, "RANK", twoRanks), 1);
        assertEquals(partner, repaired.toTree());

        KvTree xor = headerTree("xor_p4", "ckpt.1.xor.grp_1_of_1.mem_2_of_4.redset");
        KvTree other = headerTree("xor_p4", "ckpt.3.xor.grp_1_of_1.mem_4_of_4.redset");
        KvTree records = child(xor, "DESC");
        KvTree threeRecords = KvTree.builder().put("0", child(records, "0")).put("1", child(records, "1"))
                .put("2", child(child(other, "DESC"), "2")).build();
        assertEquals(xor, RedundancyHeader.read(with(xor, "DESC", threeRecords), 1).toTree());
    }

    @Test
    void refusesHeadersThatContradictThemselves() throws IOException {
        KvTree xor = headerTree("xor_p4", "ckpt.1.xor.grp_1_of_1.mem_2_of_4.redset");
        assertSays(fails(xor, 2), "header/RANK", "must be 2");
        assertSays(fails(with(xor, "CHUNK", KvTree.value("0")), 1), "header/CHUNK", "0");
        assertSays(fails(with(xor, "CHUNK", KvTree.value("27310")), 1), "CHUNK is too small for the files of rank 1");
        for (String notCanonical : List.of("+27311", "-27311", "027311", " 27311", "27311 ", "x", "")) {
            assertSays(fails(with(xor, "CHUNK", KvTree.value(notCanonical)), 1), "header/CHUNK", notCanonical);
        }
        assertSays(fails(with(xor, "CHUNK", KvTree.value("9223372036854775808")), 1), "9223372036854775808");
        assertSays(fails(with(xor, "GROUP", KvTree.EMPTY), 1), "header/GROUP has no key RANK");
        assertSays(fails(with(xor, "DESC", KvTree.builder().put("1", child(child(xor, "DESC"), "1")).build()), 1),
                "no key 0");
    }

    private static FormatException fails(KvTree tree, int rank) {
        return assertThrows(FormatException.class, () -> RedundancyHeader.read(tree, rank));
    }

    private static KvTree headerTree(String vector, String file) throws IOException {
        return KvTreeBlock.decode(Files.readAllBytes(Vectors.named(vector).directory().resolve("enc").resolve(file)))
                .tree();
    }

    private static KvTree child(KvTree tree, String key) {
        return Objects.requireNonNull(tree.child(key), key);
    }

    private static KvTree with(KvTree tree, String changed, KvTree child) {
        KvTree.Builder builder = KvTree.builder();
        for (String key : tree.keys()) {
            builder.put(key, key.equals(changed) ? child : child(tree, key));
        }
        return builder.build();
    }

    @Test
    void takesFileNamesApart() {
        assertEquals(Optional.of(new RedsetFileNames.Redundancy("out/ckpt.", 12, "RS", 0, 3, 4, 5)),
                RedsetFileNames.parseRedundancy("out/ckpt.12.rs.grp_1_of_3.mem_5_of_5.redset"));
        assertTrue(RedsetFileNames.isDescriptor("a05.redset"));
        assertFalse(RedsetFileNames.isDescriptor("a5x.redset"));
        for (String wrong : List.of("ckpt.1.rs.grp_0_of_3.mem_1_of_5.redset", "ckpt.1.rs.grp_4_of_3.mem_1_of_5.redset",
                "ckpt.1.rs.grp_1_of_3.mem_6_of_5.redset", "ckpt.1.raid.grp_1_of_3.mem_1_of_5.redset",
                "ckpt.1.rs.grp_1_of_3.mem_1_of_9999999999.redset", "ckpt.99999999999.redset.old")) {
            assertEquals(Optional.empty(), RedsetFileNames.parseRedundancy(wrong), wrong);
        }
        assertFalse(RedsetFileNames.isDescriptor("ckpt.1.rs.grp_1_of_3.mem_5_of_5.redset"));
    }

    @Test
    void keepsNamesThatAreNotAscii() throws FormatException {
        Timestamp time = new Timestamp(-1, 999_999_999);
        FileRecord record = new FileRecord("dätä/№ 1", 5, new FileMetadata(33188, 1, 2, time, time, time));
        RankRecord rank = new RankRecord(new Descriptor(Scheme.single(), 0, 1, 0, 1, 0, 1), List.of(record));
        KvTree tree = rank.toTree();
        byte[] bytes = KvTreeBlock.encode(tree);
        assertEquals(rank, RankRecord.read(new TreeFields("", KvTreeBlock.decode(bytes).tree())));
        assertTrue(tree.toString().contains("18446744073709551615"), "seconds before 1970 are printed as unsigned");
    }
}
