package org.restorej.redset.protocol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.restorej.redset.coding.MemberEncoding;
import org.restorej.redset.coding.MemberLocation;
import org.restorej.redset.coding.MemberReader;
import org.restorej.redset.coding.SmallFiles;
import org.restorej.redset.erasure.ErasureKernel;
import org.restorej.redset.files.FileTransaction;
import org.restorej.redset.files.KeptFiles;
import org.restorej.redset.format.ChecksumFile;
import org.restorej.redset.format.Descriptor;
import org.restorej.redset.format.FileRecord;
import org.restorej.redset.format.KvTreeBlock;
import org.restorej.redset.format.RankChecksums;
import org.restorej.redset.format.RankRecord;
import org.restorej.redset.format.SetDescription;

/**
 * Protects the files of all ranks. New files take the place of old ones when all ranks have theirs complete on the disk;
 * when not all could be put in their places, the old ones come back on all ranks that are alive.
 */
public final class EncodeOperation {
    private static final System.Logger LOG = System.getLogger(EncodeOperation.class.getName());
    private static final String NAME = "apply";

    private final RedsetChannel channel;
    private final RankFiles files;
    private final ErasureKernel kernel;
    private long pieceBytes;

    /**
     * An operation.
     *
     * @param files of this rank
     * @param kernel the arithmetic
     * @param pieceBytes most bytes of a piece; the least of all ranks counts
     */
    public EncodeOperation(RedsetChannel channel, RankFiles files, ErasureKernel kernel, long pieceBytes) {
        this.channel = channel;
        this.files = files;
        this.kernel = kernel;
        this.pieceBytes = pieceBytes;
    }

    /** What is known of the own set. */
    private record OwnSet(SetMembers members, SetDescription description, MemberLocation location) {}

    /**
     * Runs it. Called by all ranks.
     *
     * @param wish how to protect
     * @param paths the files of this rank
     */
    public void run(SetWish wish, List<Path> paths) {
        List<FileRecord> records = new ArrayList<>();
        channel.step(NAME, () -> records.addAll(files.record(paths)));
        List<byte[]> wishes = new ArrayList<>();
        channel.step(NAME, () -> {
            pieceBytes = channel.least(pieceBytes);
            wishes.addAll(channel.allGather(wish.encode()));
        });
        List<Descriptor> places = wish.places(wishes);
        wish.warnOf(places.get(channel.rank()));
        OwnSet set = describe(places, records);
        try (FileTransaction transaction = new FileTransaction(files.operations())) {
            prepare(set, transaction);
            publish(set, transaction);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private OwnSet describe(List<Descriptor> places, List<FileRecord> records) {
        Descriptor own = places.get(channel.rank());
        List<Integer> ranks = places.stream().filter(own::isSameSet).map(Descriptor::worldRank).toList();
        SetMembers members = new SetMembers(own.rank(), ranks);
        List<RankRecord> described = new ArrayList<>();
        MemberLocation[] location = new MemberLocation[1];
        channel.step(NAME, () -> {
            RankRecord mine = new RankRecord(own, records);
            List<byte[]> blocks = members.gather(channel, KvTreeBlock.encode(mine.toTree()));
            for (byte[] block : blocks) {
                described.add(RankRecord.read(KvTreeBlock.decode(block).tree()));
            }
            location[0] = files.locate(mine);
        });
        return new OwnSet(members, new SetDescription(described), location[0]);
    }

    /** Brings everything to the disk, under other names. */
    private void prepare(OwnSet set, FileTransaction transaction) throws IOException {
        int rank = set.members().rank();
        List<MemberEncoding> begun = new ArrayList<>();
        channel.step(NAME,
                () -> begun.add(new MemberEncoding(transaction, set.description(), rank, set.location())));
        List<RankChecksums> own = new ArrayList<>();
        try (MemberReader reader = new MemberReader(files.operations(), set.description().member(rank),
                set.location())) {
            PiecePlan plan = PiecePlan.of(Strands.encode(set.description()), set.members().size(), rank, pieceBytes);
            channel.step(NAME, () -> {
                new PieceExchange(channel, set.members(), plan, kernel, reader, begun.get(0)).run();
                own.add(begun.get(0).finish(reader.fileChecksums()));
            });
        }
        Map<Integer, RankChecksums> checksums = gather(set.members(), own.get(0));
        channel.step(NAME,
                () -> SmallFiles.write(transaction, set.description(), rank, set.location(), checksums));
    }

    private Map<Integer, RankChecksums> gather(SetMembers members, RankChecksums own) {
        SortedMap<Integer, RankChecksums> checksums = new TreeMap<>();
        SortedMap<Integer, RankChecksums> mine = new TreeMap<>(Map.of(members.rank(), own));
        channel.step(NAME, () -> {
            byte[] block = KvTreeBlock.encode(new ChecksumFile(members.rank(), mine).toTree());
            for (byte[] theirs : members.gather(channel, block)) {
                checksums.putAll(ChecksumFile.read(KvTreeBlock.decode(theirs).tree()).byRank());
            }
        });
        return checksums;
    }

    private void publish(OwnSet set, FileTransaction transaction) {
        KeptFiles former = new KeptFiles(files.operations());
        try {
            channel.step(NAME, () -> {
                former.keep(set.location().redundancy());
                former.keep(set.location().descriptor());
                former.keep(set.location().checksums());
            });
            channel.step(NAME, transaction::publish);
        } catch (RuntimeException failure) {
            try {
                former.putBack();
            } catch (IOException again) {
                failure.addSuppressed(again);
            }
            throw failure;
        }
        removeFormer(set.location(), former);
    }

    /** Files of an encoding before, with other sets or another scheme, protect nothing any more. */
    private void removeFormer(MemberLocation current, KeptFiles former) {
        try {
            former.forget();
            List<Path> stay = List.of(current.redundancy(), current.descriptor(), current.checksums());
            for (Path path : files.protectingFiles()) {
                if (!stay.contains(path)) {
                    files.operations().delete(path);
                }
            }
        } catch (IOException failure) {
            LOG.log(System.Logger.Level.WARNING, "files of a former encoding can''t be removed: {0}",
                    failure.getMessage());
        }
    }
}
