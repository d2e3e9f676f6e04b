package org.restorej.redset;

import org.restorej.testing.SeededRandom;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

/**
 * Writes files as SCR itself did, by what SCR's documentation of its XOR scheme says, and by what its public sources
 * show of the packing of hashes. Uses nothing of the library.
 */
public final class ScrFiles {
    private final int[] worldRanks;
    private final int jobRanks;
    private final List<Map<String, byte[]>> data;
    private boolean crcs;
    private boolean sorted;
    private boolean released;
    private String created = "1312850690668536";

    /**
     * A set.
     *
     * @param worldRanks of its members
     * @param jobRanks ranks of the job
     * @param data files of each member, by name, in order
     */
    public ScrFiles(int[] worldRanks, int jobRanks, List<Map<String, byte[]>> data) {
        this.worldRanks = worldRanks.clone();
        this.jobRanks = jobRanks;
        this.data = data;
    }

    /** Members with some files of different sizes: rank r has r % 3 + 1 of them, one of them empty. */
    public static ScrFiles random(SeededRandom random, int ranks, int maxBytes) {
        List<Map<String, byte[]>> data = new ArrayList<>();
        int[] worldRanks = new int[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            worldRanks[rank] = 2 * rank + 1;
            Map<String, byte[]> files = new LinkedHashMap<>();
            for (int file = 0; file <= rank % 3; file++) {
                byte[] content = new byte[file == 1 ? 0 : random.nextInt(maxBytes + 1)];
                random.nextBytes(content);
                files.put("rank_" + worldRanks[rank] + "." + file + ".ckpt", content);
            }
            data.add(files);
        }
        return new ScrFiles(worldRanks, 2 * ranks, data);
    }

    /** All ranks of a job with a file each; that of rank r has {@code bytes + r} random bytes. */
    public static ScrFiles wholeJob(int ranks, int bytes) {
        SeededRandom random = SeededRandom.forTest("ScrFiles");
        List<Map<String, byte[]>> data = IntStream.range(0, ranks)
                .mapToObj(rank -> Map.of("rank_" + rank + ".ckpt", random.bytes(bytes + rank))).toList();
        return new ScrFiles(IntStream.range(0, ranks).toArray(), ranks, data);
    }

    /** With the CRC-32 of each data file in the headers ({@code SCR_CRC_ON_COPY=1}). */
    public ScrFiles withCrcs() {
        crcs = true;
        return this;
    }

    /** With the keys of headers sorted, as the library writes them; SCR has no order. */
    public ScrFiles sorted() {
        sorted = true;
        return this;
    }

    /** Under the names that releases 1.1.8 to 2.0.0 give, not those of SCR's documentation. */
    public ScrFiles released() {
        released = true;
        return this;
    }

    /** As if written at another time, in microseconds. */
    public ScrFiles created(String microseconds) {
        created = microseconds;
        return this;
    }

    /** Members. */
    public int ranks() {
        return worldRanks.length;
    }

    /** Files of a member, by name. */
    public Map<String, byte[]> data(int rank) {
        return data.get(rank);
    }

    /** Name of the XOR file of a member. */
    public String xorName(int rank) {
        String member = (rank + 1) + "_of_" + ranks();
        return released ? "xor." + worldRanks[0] + "_" + member + ".scr" : member + "_in_" + worldRanks[0] + ".xor";
    }

    /** Writes the files of a member: data files and XOR file. */
    public void write(int rank, Path dataDirectory, Path xorDirectory) throws IOException {
        Files.createDirectories(dataDirectory);
        Files.createDirectories(xorDirectory);
        for (Map.Entry<String, byte[]> file : data.get(rank).entrySet()) {
            Files.write(dataDirectory.resolve(file.getKey()), file.getValue());
        }
        Files.write(xorDirectory.resolve(xorName(rank)), xorFile(rank));
    }

    /** Writes all members to one directory, as on a node where all of them ran. */
    public void write(Path directory) throws IOException {
        write(directory, directory);
    }

    /** Writes all members to one directory for data files and one for XOR files. */
    public void write(Path dataDirectory, Path xorDirectory) throws IOException {
        for (int rank = 0; rank < ranks(); rank++) {
            write(rank, dataDirectory, xorDirectory);
        }
    }

    /** Writes the XOR file of a member with another header. */
    public void writeXor(int rank, Map<String, Object> header, Path directory) throws IOException {
        Files.write(directory.resolve(xorName(rank)), join(pack(header), chunk(rank)));
    }

    /** Deletes the files of a member: data files and XOR file. */
    public void delete(int rank, Path dataDirectory, Path xorDirectory) throws IOException {
        for (String name : data.get(rank).keySet()) {
            Files.delete(dataDirectory.resolve(name));
        }
        Files.delete(xorDirectory.resolve(xorName(rank)));
    }

    /** Header and chunk. */
    public byte[] xorFile(int rank) {
        return join(pack(sorted ? sort(header(rank)) : header(rank)), chunk(rank));
    }

    /** The header as a hash: a key with its hash; insertion order, as SCR's hashes have no other. */
    public Map<String, Object> header(int rank) {
        Map<String, Object> dataset = new LinkedHashMap<>();
        put(dataset, "COMPLETE", 1);
        // Of all sets, as if each rank had one: all headers of a job say the same of its data set.
        put(dataset, "FILES", jobRanks);
        put(dataset, "ID", 6);
        put(dataset, "NAME", "scr.dataset.6");
        put(dataset, "CREATED", created);
        put(dataset, "USER", "user1");
        put(dataset, "CKPT", 6);
        Map<String, Object> members = new LinkedHashMap<>();
        for (int member = 0; member < ranks(); member++) {
            put(members, Integer.toString(member), worldRanks[member]);
        }
        Map<String, Object> group = new LinkedHashMap<>();
        put(group, "RANKS", ranks());
        group.put("RANK", members);
        Map<String, Object> header = new LinkedHashMap<>();
        header.put("DSET", dataset);
        put(header, "RANKS", jobRanks);
        header.put("GROUP", group);
        put(header, "CHUNK", chunkBytes());
        header.put("CURRENT", member(rank));
        header.put("PARTNER", member((rank + ranks() - 1) % ranks()));
        return header;
    }

    private static Map<String, Object> sort(Map<String, Object> hash) {
        Map<String, Object> inOrder = new TreeMap<>();
        hash.forEach((key, value) -> inOrder.put(key, sort(hashOf(value))));
        return inOrder;
    }

    private Map<String, Object> member(int rank) {
        Map<String, Object> files = new LinkedHashMap<>();
        int index = 0;
        for (Map.Entry<String, byte[]> file : data.get(rank).entrySet()) {
            Map<String, Object> meta = new LinkedHashMap<>();
            put(meta, "FILE", file.getKey());
            put(meta, "TYPE", "FULL");
            put(meta, "RANKS", jobRanks);
            put(meta, "ORIG", file.getKey());
            put(meta, "PATH", "/p/lscratchb/user1/simulation123");
            put(meta, "NAME", file.getKey());
            put(meta, "SIZE", file.getValue().length);
            put(meta, "COMPLETE", 1);
            if (crcs) {
                CRC32 crc = new CRC32();
                crc.update(file.getValue());
                put(meta, "CRC", crc.getValue() == 0 ? "0" : "0x" + Long.toHexString(crc.getValue()));
            }
            files.put(Integer.toString(index++), meta);
        }
        Map<String, Object> member = new LinkedHashMap<>();
        put(member, "RANK", worldRanks[rank]);
        put(member, "FILES", files.size());
        member.put("FILE", files);
        return member;
    }

    /** Sets a value: a key whose hash is empty. */
    public static void put(Map<String, Object> hash, String key, Object value) {
        hash.put(key, new LinkedHashMap<>(Map.of(value.toString(), Map.of())));
    }

    private byte[] logicalFile(int rank) {
        byte[] whole = data.get(rank).values().stream().reduce(new byte[0], ScrFiles::join);
        return Arrays.copyOf(whole, Math.toIntExact(chunkBytes() * (ranks() - 1)));
    }

    /** The least that N - 1 chunks of it have room for the longest logical file. */
    public long chunkBytes() {
        long longest = data.stream()
                .mapToLong(files -> files.values().stream().mapToLong(content -> content.length).sum()).max().orElse(0);
        return Math.max(1, (longest + ranks() - 2) / (ranks() - 1));
    }

    /** With an empty chunk put in at the member's own position, the XOR of the others' chunks at that position. */
    private byte[] chunk(int rank) {
        byte[] chunk = new byte[Math.toIntExact(chunkBytes())];
        for (int other = 0; other < ranks(); other++) {
            if (other != rank) {
                byte[] logical = logicalFile(other);
                int position = rank < other ? rank : rank - 1;
                for (int i = 0; i < chunk.length; i++) {
                    chunk[i] ^= logical[position * chunk.length + i];
                }
            }
        }
        return chunk;
    }

    /** A hash as a file: magic number, type, version, size, flags, the hash, CRC-32. */
    public static byte[] pack(Map<String, Object> hash) {
        try {
            byte[] packed = packed(hash);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeInt(0x951fc3f5);
            out.writeShort(1);
            out.writeShort(1);
            out.writeLong(20 + packed.length + 4);
            out.writeInt(1);
            out.write(packed);
            CRC32 crc = new CRC32();
            crc.update(bytes.toByteArray());
            out.writeInt((int) crc.getValue());
            return bytes.toByteArray();
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static byte[] packed(Map<String, Object> hash) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(hash.size());
        for (Map.Entry<String, Object> entry : hash.entrySet()) {
            out.write(entry.getKey().getBytes(StandardCharsets.UTF_8));
            out.writeByte(0);
            out.write(packed(hashOf(entry.getValue())));
        }
        return bytes.toByteArray();
    }

    /** The hash of a key that is there. */
    public static Map<String, Object> inner(Map<String, Object> hash, String key) {
        return hashOf(Objects.requireNonNull(hash.get(key), key));
    }

    /** A hash of a hash. */
    @SuppressWarnings("unchecked") // Only hashes are put in.
    private static Map<String, Object> hashOf(Object value) {
        return (Map<String, Object>) value;
    }

    private static byte[] join(byte[] first, byte[] second) {
        byte[] joined = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, joined, first.length, second.length);
        return joined;
    }
}
