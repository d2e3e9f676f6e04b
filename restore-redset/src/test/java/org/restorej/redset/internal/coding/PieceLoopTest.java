package org.restorej.redset.internal.coding;

import org.restorej.redset.internal.coding.ReductionChain.MemberExtent;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.restorej.testing.ErrorMessages.assertSays;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.LocalCluster.PeOutcome;
import org.restorej.internal.erasure.ErasureKernels;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.FileTransaction;
import org.restorej.redset.internal.files.ForwardingFileOperations;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.FileMetadata;
import org.restorej.redset.internal.format.RankRecord.FileRecord;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.ChecksumFile.RankChecksums;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.offline.OneDirectory;
import org.restorej.redset.internal.format.FileMetadata.Timestamp;
import org.restorej.redset.internal.protocol.RedsetChannel;
import org.restorej.testing.SeededRandom;

/** What processes compute together, whichever members each of them owns, beside the formulas of redset's format. */
class PieceLoopTest {
    private static final FileOperations FILES = FileOperations.system();
    private static final FileMetadata PLAIN = new FileMetadata(0_100644, 0, 0, new Timestamp(0, 0),
            new Timestamp(0, 0), new Timestamp(0, 0));

    @TempDir
    Path directory = Path.of("");

    /** A set with its files, and who owns which member. */
    private record Case(SetDescription set, List<MemberLocation> locations, List<byte[]> logicalFiles,
            List<Integer> owners, int processes, int pieceBytes) {}

    private static List<Scheme> schemes(int ranks) {
        List<Scheme> schemes = new ArrayList<>(List.of(Scheme.xor()));
        for (int k = 1; k < ranks; k++) {
            schemes.add(Scheme.rs(k));
            schemes.add(Scheme.partner(k));
        }
        return schemes;
    }

    private Case makeCase(int number, SeededRandom random) throws IOException {
        int ranks = 2 + random.nextInt(5);
        Scheme scheme = schemes(ranks).get(random.nextInt(schemes(ranks).size()));
        int longest = random.nextInt(3) == 0 ? 10 : 3000;
        List<RankRecord> members = new ArrayList<>();
        List<MemberLocation> locations = new ArrayList<>();
        List<byte[]> logicalFiles = new ArrayList<>();
        Path folder = Files.createDirectories(directory.resolve("" + number));
        for (int rank = 0; rank < ranks; rank++) {
            List<FileRecord> files = new ArrayList<>();
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int file = random.nextInt(5); file > 0; file--) {
                byte[] content = random.bytes(random.nextInt(4) == 0 ? 0 : random.nextInt(longest));
                String name = folder.resolve(rank + "-" + file).toString();
                Files.write(Path.of(name), content);
                files.add(new FileRecord(name, content.length, PLAIN));
                all.writeBytes(content);
            }
            members.add(new RankRecord(new Descriptor(scheme, 0, 1, rank, ranks, rank, ranks), files));
            locations.add(MemberLocation.of(folder + "/", members.getLast(), PathPolicy.within(folder)));
            logicalFiles.add(all.toByteArray());
        }
        int processes = 1 + random.nextInt(ranks);
        List<Integer> owners = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            owners.add(processes == ranks ? rank : random.nextInt(processes));
        }
        return new Case(new SetDescription(members), locations, logicalFiles, owners, processes,
                1 + random.nextInt(700));
    }

    /** What a process does with the files of those members that it owns. */
    private interface Share {
        BitSet run(Case of, RedsetChannel channel, FileTransaction transaction, OpenFiles open) throws IOException;
    }

    private static BitSet together(Case of, Share share) {
        BitSet disagreeing = new BitSet();
        try (LocalCluster cluster = LocalCluster.builder(of.processes()).timeout(Duration.ofMinutes(2)).build()) {
            PeOutcome.values(cluster.run((Communicator world) -> {
                try (RedsetChannel channel = new RedsetChannel(world.duplicate());
                        FileTransaction transaction = new FileTransaction(FILES);
                        OpenFiles open = new OpenFiles(FILES)) {
                    BitSet own = share.run(of, channel, transaction, open);
                    channel.step("test", transaction::publish);
                    return own;
                }
            })).forEach(disagreeing::or);
        }
        return disagreeing;
    }

    private static BitSet run(Case of, RedsetChannel channel, List<ReductionChain> chains, MemberBytes[] members)
            throws IOException {
        PieceLoop loop = new PieceLoop(channel, ErasureKernels::preferred, chains,
                of.owners().stream().mapToInt(Integer::intValue).toArray(), channel.rank(),
                members, of.pieceBytes(), bytes -> {});
        loop.run();
        return loop.disagreeing();
    }

    private static BitSet encode(Case of, RedsetChannel channel, FileTransaction transaction, OpenFiles open)
            throws IOException {
        MemberBytes[] members = new MemberBytes[of.owners().size()];
        Map<Integer, RedundancyFile> redundancy = new TreeMap<>();
        for (int rank = 0; rank < members.length; rank++) {
            if (of.owners().get(rank) == channel.rank()) {
                redundancy.put(rank, new RedundancyFile(transaction, of.set(), rank,
                        KvTreeBlock.encode(of.set().header(rank).toTree()), of.locations().get(rank)));
                members[rank] = MemberBytes.encoded(open, of.set().member(rank), of.locations().get(rank),
                        redundancy.get(rank));
            }
        }
        run(of, channel, ReductionChains.encode(of.set()), members);
        for (Map.Entry<Integer, RedundancyFile> own : redundancy.entrySet()) {
            own.getValue().finish();
            RankChecksums checksums = own.getValue().checksums(members[own.getKey()]);
            assertEquals(of.set().member(own.getKey()).files().size(), checksums.files().size());
            SmallFiles.write(transaction, of.set(), own.getKey(), of.locations().get(own.getKey()), Map.of());
        }
        return new BitSet();
    }

    private static Share rebuild(BitSet missing) {
        return (of, channel, transaction, open) -> {
            MemberBytes[] members = new MemberBytes[of.owners().size()];
            List<MemberRebuild> rebuilt = new ArrayList<>();
            for (int rank = 0; rank < members.length; rank++) {
                MemberLocation location = of.locations().get(rank);
                if (of.owners().get(rank) == channel.rank() && missing.get(rank)) {
                    rebuilt.add(new MemberRebuild(transaction, new SetFormat.OfRedset(of.set()), rank, location,
                            Map.of()));
                    members[rank] = rebuilt.getLast().bytes();
                } else if (of.owners().get(rank) == channel.rank()) {
                    members[rank] = MemberBytes.present(open, of.set().member(rank), location);
                }
            }
            BitSet disagreeing = run(of, channel, ReductionChains.rebuildAndCompare(of.set(), missing), members);
            for (MemberRebuild each : rebuilt) {
                each.finish();
            }
            return disagreeing;
        };
    }

    @Test
    void anyOwnersComputeWhatTheFormatSays() throws IOException {
        SeededRandom random = SeededRandom.forTest("anyOwnersComputeWhatTheFormatSays");
        int shared = 0;
        for (int number = 0; number < 60; number++) {
            Case of = makeCase(number, random);
            String what = "case " + number + ": " + of.set().scheme() + ", " + of.set().ranks() + " ranks on "
                    + of.processes() + " processes";
            shared += of.processes() < of.set().ranks() ? 1 : 0;
            together(of, PieceLoopTest::encode);
            for (int rank = 0; rank < of.set().ranks(); rank++) {
                assertArrayEquals(ReferencePayload.of(of.set(), of.logicalFiles(), rank), payload(of, rank), what);
            }
            BitSet missing = bearable(of.set(), random);
            Map<Path, byte[]> lost = remove(of, missing);
            assertTrue(together(of, rebuild(missing)).isEmpty(), what);
            for (Map.Entry<Path, byte[]> file : lost.entrySet()) {
                assertArrayEquals(file.getValue(), Files.readAllBytes(file.getKey()), what + ", missing " + missing);
            }
        }
        assertTrue(shared > 10, shared + " cases with processes that own several members");
    }

    @Test
    void whatDiffersIsNamedByItsChain() throws IOException {
        SeededRandom random = SeededRandom.forTest("whatDiffersIsNamedByItsChain");
        int found = 0;
        for (int number = 0; number < 20; number++) {
            Case of = makeCase(number, random);
            together(of, PieceLoopTest::encode);
            int rank = random.nextInt(of.set().ranks());
            Path redundancy = of.locations().get(rank).redundancy();
            byte[] content = Files.readAllBytes(redundancy);
            if (payload(of, rank).length > 0) {
                content[content.length - 1] ^= 1;
                Files.write(redundancy, content);
                assertEquals(1, together(of, rebuild(new BitSet())).cardinality(), "case " + number);
                found++;
            }
        }
        assertTrue(found > 10, found + " sets were damaged");
    }

    /** Two members with 200 small files each. */
    private Case manyFiles() throws IOException {
        Path folder = Files.createDirectories(directory.resolve("many"));
        List<RankRecord> members = new ArrayList<>();
        List<MemberLocation> locations = new ArrayList<>();
        List<byte[]> logicalFiles = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            List<FileRecord> files = new ArrayList<>();
            byte[] all = new byte[400];
            for (int file = 0; file < 200; file++) {
                all[2 * file] = (byte) file;
                all[2 * file + 1] = (byte) rank;
                Path path = Files.write(folder.resolve(rank + "-" + file), new byte[]{(byte) file, (byte) rank});
                files.add(new FileRecord(path.toString(), 2, PLAIN));
            }
            members.add(new RankRecord(new Descriptor(Scheme.xor(), 0, 1, rank, 2, rank, 2), files));
            locations.add(MemberLocation.of(folder + "/", members.getLast(), PathPolicy.within(folder)));
            logicalFiles.add(all);
        }
        return new Case(new SetDescription(members), locations, logicalFiles, List.of(0, 0), 1, 7);
    }

    /** The file system, and how many files this process had open at most. */
    private static final class CountingOpenFiles extends ForwardingFileOperations {
        private long most;

        static long open() {
            return Objects.requireNonNull(new File("/proc/self/fd").list()).length;
        }

        @Override
        public FileChannel createNew(Path path, int permissions) throws IOException {
            most = Math.max(most, open());
            return super.createNew(path, permissions);
        }

        @Override
        public void write(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
            most = Math.max(most, open());
            super.write(channel, bytes, position);
        }
    }

    @Test
    void membersOfManyFilesAreReadAndRebuiltWithFewOfThemOpen() throws IOException {
        Case of = manyFiles();
        together(of, PieceLoopTest::encode);
        assertArrayEquals(ReferencePayload.of(of.set(), of.logicalFiles(), 0), payload(of, 0));
        BitSet missing = BitSet.valueOf(new long[]{1});
        Map<Path, byte[]> lost = remove(of, missing);
        CountingOpenFiles counting = new CountingOpenFiles();
        long before = CountingOpenFiles.open();
        Path folder = directory.resolve("many");
        OneDirectory.redset(counting, folder, PathPolicy.within(folder)).inspect().sets().getFirst()
                .rebuild(total -> bytes -> {});
        for (Map.Entry<Path, byte[]> file : lost.entrySet()) {
            assertArrayEquals(file.getValue(), Files.readAllBytes(file.getKey()));
        }
        assertTrue(counting.most > before + 98, "files are kept open: " + (counting.most - before));
        assertTrue(counting.most < before + 140, "64 to read, and 64 to write: " + (counting.most - before));
    }

    @Test
    void saysSoWhenAFileHasBecomeShorter() throws IOException {
        Path file = Files.write(directory.resolve("short"), new byte[10]);
        RankRecord member = new RankRecord(new Descriptor(Scheme.single(), 0, 1, 0, 1, 0, 1),
                List.of(new FileRecord(file.toString(), 11, PLAIN)));
        MemberLocation location = MemberLocation.of(directory + "/", member, PathPolicy.within(directory));
        try (OpenFiles open = new OpenFiles(FILES)) {
            ExtentCursor cursor = new ExtentCursor(MemberBytes.present(open, member, location),
                    MemberExtent.inFiles(0));
            assertSays(assertThrows(IOException.class, () -> cursor.read(ByteBuffer.allocateDirect(20))),
                    "short", "11 bytes", "after 10");
        }
    }

    @Test
    void memoryHasABoundThatAllProcessesKnow() {
        for (int ranks : new int[]{2, 3, 4, 8, 16, 50}) {
            for (Scheme scheme : List.of(Scheme.xor(), Scheme.rs(1), Scheme.partner(1))) {
                SetDescription set = largeSet(scheme, ranks);
                int[] apart = new int[ranks];
                for (int rank = 0; rank < ranks; rank++) {
                    apart[rank] = rank;
                }
                for (List<ReductionChain> chains : List.of(ReductionChains.encode(set),
                        ReductionChains.rebuildAndCompare(set, BitSet.valueOf(new long[]{2})))) {
                    Set<Long> lengths = new HashSet<>();
                    for (int process = 0; process < ranks; process++) {
                        PieceProgram program = PieceCompiler.compile(chains, apart, process, present(set), 1L << 40);
                        lengths.add(program.pieceBytes());
                        assertTrue(program.slots() * program.pieceBytes() <= PieceCompiler.MAX_BYTES, scheme + "");
                    }
                    assertEquals(1, lengths.size(), scheme + ", " + ranks + " ranks: " + lengths);
                }
            }
        }
    }

    /** A lost member is not to receive what all others have: the rows are computed by those that are there, in turn. */
    @Test
    void allMembersComputeAboutAsMuch() {
        for (int ranks = 3; ranks < 12; ranks++) {
            SetDescription set = largeSet(Scheme.rs(2), ranks);
            Map<Integer, Integer> encoding = new HashMap<>();
            ReductionChains.encode(set).forEach(chain -> encoding.merge(chain.reducer(), 1, Integer::sum));
            assertEquals(ranks, encoding.size());
            Map<Integer, Integer> rebuilding = new HashMap<>();
            BitSet missing = BitSet.valueOf(new long[]{2});
            ReductionChains.rebuild(set, missing).forEach(chain -> {
                assertTrue(!missing.get(chain.reducer()));
                rebuilding.merge(chain.reducer(), 1, Integer::sum);
            });
            rebuilding.values().forEach(rows -> assertTrue(rows <= 3, rebuilding.toString()));
        }
    }

    private static SetDescription largeSet(Scheme scheme, int ranks) {
        List<RankRecord> members = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            members.add(new RankRecord(new Descriptor(scheme, 0, 1, rank, ranks, rank, ranks),
                    List.of(new FileRecord("f" + rank, 1L << 40, PLAIN))));
        }
        return new SetDescription(members);
    }

    private static MemberBytes[] present(SetDescription set) {
        MemberBytes[] members = new MemberBytes[set.ranks()];
        OpenFiles open = new OpenFiles(FILES);
        for (int rank = 0; rank < members.length; rank++) {
            members[rank] = MemberBytes.present(open, set.member(rank),
                    new MemberLocation(Path.of("r"), Optional.empty(), List.of(Path.of("f"))));
        }
        return members;
    }

    private static byte[] payload(Case of, int rank) throws IOException {
        byte[] all = Files.readAllBytes(of.locations().get(rank).redundancy());
        int header = KvTreeBlock.encode(of.set().header(rank).toTree()).length;
        return Arrays.copyOfRange(all, header, all.length);
    }

    private static BitSet bearable(SetDescription set, SeededRandom random) {
        while (true) {
            BitSet missing = BitSet.valueOf(new long[]{1 + random.nextInt((1 << set.ranks()) - 1)});
            if (set.scheme().canRebuild(missing, set.ranks())) {
                return missing;
            }
        }
    }

    private static Map<Path, byte[]> remove(Case of, BitSet missing) throws IOException {
        Map<Path, byte[]> lost = new TreeMap<>();
        for (int rank : missing.stream().toArray()) {
            MemberLocation location = of.locations().get(rank);
            List<Path> files = new ArrayList<>(location.files());
            files.add(location.redundancy());
            files.add(location.descriptor());
            for (Path file : files) {
                lost.put(file, Files.readAllBytes(file));
                Files.delete(file);
            }
        }
        return lost;
    }
}
