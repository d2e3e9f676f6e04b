package org.restorej.redset.protocol;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.coding.MemberEncoding;
import org.restorej.redset.coding.MemberLocation;
import org.restorej.redset.coding.MemberReader;
import org.restorej.redset.coding.SmallFiles;
import org.restorej.redset.erasure.ErasureKernel;
import org.restorej.redset.files.FileCommit;
import org.restorej.redset.format.ChecksumFile;
import org.restorej.redset.format.Descriptor;
import org.restorej.redset.format.FileRecord;
import org.restorej.redset.format.KvTreeBlock;
import org.restorej.redset.format.RankChecksums;
import org.restorej.redset.format.RankRecord;
import org.restorej.redset.format.SetDescription;

/**
 * Protects the files of all ranks. New files take the place of old ones when all ranks have theirs complete on the disk;
 * when not all could be put in their places, the old ones come back on all ranks that are alive. When all ranks are killed
 * at once, the next operation in the same directories brings to an end what was begun ({@link FileCommit}).
 */
public final class EncodeOperation {
    private static final System.Logger LOG = System.getLogger(EncodeOperation.class.getName());
    private static final String NAME = "apply";

    private final RedsetChannel channel;
    private final RankFiles files;
    private final FileCommit commit;
    private final long mostPieceBytes;

    /**
     * An operation.
     *
     * @param files of this rank
     * @param mostPieceBytes most bytes of a piece; the least of all ranks counts
     */
    public EncodeOperation(RedsetChannel channel, RankFiles files, long mostPieceBytes) {
        this.channel = channel;
        this.files = files;
        this.commit = files.commit();
        this.mostPieceBytes = mostPieceBytes;
    }

    /** What all ranks have in common. */
    private record Agreed(List<Descriptor> places, long pieceBytes, UUID commit) {}

    /** What is known of the own set. */
    private record OwnSet(SetMembers members, SetDescription description, MemberLocation location) {}

    /**
     * Runs it. Called by all ranks.
     *
     * @param wish how to protect
     * @param kernel gives the arithmetic, or says why it can't
     * @param paths the files of this rank
     * @throws IllegalArgumentException on all ranks, when something is wrong with what one of them has passed
     */
    public void run(SetWish wish, Supplier<ErasureKernel> kernel, @Nullable List<Path> paths) {
        List<FileRecord> records = new ArrayList<>();
        List<ErasureKernel> kernels = new ArrayList<>();
        channel.localStep(NAME, () -> {
            kernels.add(kernel.get());
            records.addAll(files.record(paths));
        });
        InterruptedCommits.settle(channel, NAME, commit, false);
        Agreed agreed = agree(wish);
        wish.warnOf(agreed.places().get(channel.rank()));
        OwnSet set = describe(agreed.places(), records);
        try (commit) {
            prepare(set, kernels.get(0), agreed);
            channel.localStep(NAME, commit::complete);
        } catch (RedsetException failure) {
            withdrawTogether(failure);
            throw failure;
        } catch (RuntimeException failure) {
            withdrawAlone(failure);
            throw failure;
        }
        end();
    }

    private Agreed agree(SetWish wish) {
        // The least of what all ranks have drawn is unlike that of any other commit, too.
        UUID drawn = UUID.randomUUID();
        long[] least = {mostPieceBytes, drawn.getMostSignificantBits(), drawn.getLeastSignificantBits()};
        List<byte[]> wishes = new ArrayList<>();
        channel.step(NAME, () -> {
            channel.least(least);
            wishes.addAll(channel.allGather(wish.encode()));
        });
        return new Agreed(wish.places(wishes), least[0], new UUID(least[1], least[2]));
    }

    private OwnSet describe(List<Descriptor> places, List<FileRecord> records) {
        Descriptor own = places.get(channel.rank());
        List<Integer> ranks = places.stream().filter(own::isSameSet).map(Descriptor::worldRank).toList();
        SetMembers members = new SetMembers(own.rank(), ranks);
        List<byte[]> mine = new ArrayList<>();
        channel.localStep(NAME, () -> mine.add(requireReadable(records.size(),
                () -> KvTreeBlock.encode(new RankRecord(own, records).toTree()))));
        List<RankRecord> described = new ArrayList<>();
        List<MemberLocation> location = new ArrayList<>();
        channel.step(NAME, () -> {
            for (byte[] block : members.gather(channel, mine.get(0))) {
                described.add(RankRecord.read(KvTreeBlock.decode(block).tree()));
            }
            location.add(files.locate(described.get(own.rank())));
        });
        return new OwnSet(members, new SetDescription(described), location.get(0));
    }

    /** Says whose mistake it is when a description is too long. */
    private static byte[] requireReadable(int files, Supplier<byte[]> description) {
        try {
            return description.get();
        } catch (IllegalArgumentException tooLong) {
            throw new IllegalArgumentException(
                    "the names of a rank's files and those of its neighbours must be fewer or "
                            + "shorter: paths.size=" + files + ": " + tooLong.getMessage(),
                    tooLong);
        }
    }

    /** Brings everything to the disk, under other names, and the journal after it. */
    private void prepare(OwnSet set, ErasureKernel kernel, Agreed agreed) {
        int rank = set.members().rank();
        List<MemberEncoding> begun = new ArrayList<>();
        channel.localStep(NAME, () -> {
            commit.removeLeftovers();
            byte[] header = requireReadable(set.location().files().size(),
                    () -> KvTreeBlock.encode(set.description().header(rank).toTree()));
            begun.add(new MemberEncoding(commit, set.description(), rank, header, set.location()));
        });
        PiecePlan plan = PiecePlan.of(Strands.encode(set.description()), set.members().size(), rank,
                agreed.pieceBytes());
        List<RankChecksums> own = new ArrayList<>();
        channel.step(NAME, () -> {
            try (MemberReader reader = new MemberReader(files.operations(), set.description().member(rank),
                    set.location())) {
                new PieceExchange(channel, set.members(), plan, kernel, reader, begun.get(0)).run();
                own.add(begun.get(0).finish(reader.fileChecksums()));
            }
        });
        channel.step(NAME, () -> {
            Map<Integer, RankChecksums> checksums = gather(set.members(), own.get(0));
            SmallFiles.write(commit, set.description(), rank, set.location(), checksums);
            commit.stage(agreed.commit(), channel.size(), formerFiles(set.location()));
        });
    }

    private Map<Integer, RankChecksums> gather(SetMembers members, RankChecksums own) throws IOException {
        SortedMap<Integer, RankChecksums> checksums = new TreeMap<>();
        SortedMap<Integer, RankChecksums> mine = new TreeMap<>(Map.of(members.rank(), own));
        byte[] block = KvTreeBlock.encode(new ChecksumFile(members.rank(), mine).toTree());
        for (byte[] theirs : members.gather(channel, block)) {
            checksums.putAll(ChecksumFile.read(KvTreeBlock.decode(theirs).tree()).byRank());
        }
        return checksums;
    }

    /** Files of an encoding before, with other sets or another scheme, which protect nothing any more. */
    private List<Path> formerFiles(MemberLocation current) throws IOException {
        List<Path> former = new ArrayList<>(files.protectingFiles());
        former.removeAll(List.of(current.redundancy(), current.descriptor(), current.checksums()));
        return former;
    }

    /** When all ranks are alive. */
    private void withdrawTogether(RedsetException failure) {
        try {
            channel.localStep(NAME, commit::withdraw);
            end();
        } catch (RuntimeException again) {
            failure.addSuppressed(again);
        }
    }

    /** The journal stays, and tells the ranks that have died, should their disks come back, what became of it. */
    private void withdrawAlone(RuntimeException failure) {
        try {
            commit.withdraw();
        } catch (IOException again) {
            failure.addSuppressed(again);
        }
    }

    private void end() {
        try {
            commit.end();
            commit.removeLeftovers();
        } catch (IOException failure) {
            LOG.log(System.Logger.Level.WARNING, "files of a former encoding can''t be removed: {0}",
                    Objects.toString(failure.getMessage()));
        }
    }
}
