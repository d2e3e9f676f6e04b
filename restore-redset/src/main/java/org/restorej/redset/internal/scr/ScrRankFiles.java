package org.restorej.redset.internal.scr;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.coding.MemberCheck;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.coding.SetFormat;
import org.restorej.redset.internal.files.AccessTimes;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.DescriptorFile;
import org.restorej.redset.internal.format.FileRecord;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.RedundancyHeader;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.format.TreeFields;
import org.restorej.redset.internal.protocol.ForeignFiles;
import org.restorej.redset.internal.protocol.ProtectedFiles;
import org.restorej.redset.internal.protocol.RankFiles;

/**
 * The files of one rank that SCR itself has written, as in SCR's cache: data files in a folder, and an XOR file that is
 * hidden in it, or beside them as before 2014.
 *
 * @param operations the file system
 * @param folder holds the XOR file
 * @param policy where files may be
 * @param found XOR file of this rank, or null when there is none that is sound
 * @param name of an XOR file of its set
 */
public record ScrRankFiles(FileOperations operations, Path folder, PathPolicy policy,
        ScrScan.@Nullable FoundFile found, ScrFileName name) implements ProtectedFiles {
    /** What is told of all files of a directory; they may be many. */
    private static final int MAX_CHARS = 1000;

    /**
     * What a rank sees of files of SCR.
     *
     * @param ofRedset says where they are
     * @param own XOR file of the rank, or null when there is none that is sound
     * @param said which files there are, and what is wrong with them; empty when there are none
     */
    record Look(RankFiles ofRedset, ScrScan.@Nullable FoundFile own, String said) implements ForeignFiles.Look {
        private static final String FILE = "FILE";
        private static final String HIDDEN = "HIDDEN";

        @Override
        public Optional<DescriptorFile> places() {
            if (own == null) {
                return Optional.empty();
            }
            RedundancyHeader redundancy = own.header().redundancy();
            SortedMap<Integer, Descriptor> places = new TreeMap<>();
            for (int rank = 0; rank < redundancy.worldRanks().size(); rank++) {
                int worldRank = redundancy.worldRanks().get(rank);
                places.put(worldRank, redundancy.own().descriptor().ofMember(rank, worldRank));
            }
            return Optional.of(new DescriptorFile(places));
        }

        @Override
        public String dataset() {
            return own == null
                    ? ""
                    : shortened(own.header().dataset()) + " (CRC-32 of DSET "
                            + Integer.toHexString(KvTreeBlock.crcOf(KvTreeBlock.encode(own.header().datasetTree())))
                            + ")";
        }

        @Override
        public KvTree naming() {
            return own == null
                    ? KvTree.EMPTY
                    : KvTree.builder().put(FILE, own.header().name().toString())
                            .putText(HIDDEN, ScrFolder.of(own.directory()).hidden()).build();
        }

        @Override
        public ProtectedFiles files(KvTree naming) {
            try {
                TreeFields ofMember = new TreeFields("naming", naming);
                Path directory = ofRedset.directory();
                Path folder = own == null
                        ? new ScrFolder(directory, ofMember.longText(HIDDEN)).in(directory)
                        : own.directory();
                PathPolicy given = ofRedset.policy();
                List<Path> allowed = new ArrayList<>(given.allowed());
                allowed.add(ScrFolder.of(folder).data());
                return new ScrRankFiles(ofRedset.operations(), folder,
                        new PathPolicy(given.base(), allowed, given.anywhere(), given.moved()), own,
                        ScrFileName.parse(ofMember.text(FILE)).orElseThrow());
            } catch (FormatException impossible) {
                throw new IllegalStateException("every rank tells of a file that it has read itself", impossible);
            }
        }
    }

    /**
     * Looks for files of SCR in the directory of a rank, and where SCR hides them in it.
     *
     * @throws IOException when there are two XOR files of the rank
     */
    public static ForeignFiles.Look look(RankFiles ofRedset) throws IOException {
        ScrScan.FoundFile own = null;
        List<String> said = new ArrayList<>();
        for (Map.Entry<Path, ScrFileName> file : ScrFolder.xorFiles(ofRedset.directory()).entrySet()) {
            ScrScan.FoundFile found;
            try {
                found = ScrScan.FoundFile.read(ofRedset.operations(), file.getKey(), file.getValue());
            } catch (IOException damaged) {
                said.add(file.getKey() + ": " + damaged.getMessage());
                continue;
            }
            said.add(found.path().toString());
            if (found.header().current().worldRank() == ofRedset.worldRank()) {
                if (own != null) {
                    throw new IOException(found.path() + " is of rank " + ofRedset.worldRank() + ", and so is "
                            + own.path() + ": move away the one that doesn't count");
                }
                own = found;
            }
        }
        return new Look(ofRedset, own, shortened(String.join(", ", said)));
    }

    private static String shortened(String text) {
        return text.substring(0, Math.min(text.length(), MAX_CHARS));
    }

    @Override
    public @Nullable FoundHeader header(Descriptor descriptor) {
        return found != null && found.header().redundancy().own().descriptor().equals(descriptor)
                ? new FoundHeader(found.header().redundancy(), found.header().tree(), found.headerBytes())
                : null;
    }

    private ScrHeader readHeader(KvTree header, int rank) throws IOException {
        return ScrHeader.read(header, name.ofMember(rank));
    }

    @Override
    public RedundancyHeader read(KvTree header, int rank) throws IOException {
        return readHeader(header, rank).redundancy();
    }

    @Override
    public MemberLocation locate(RankRecord member) throws IOException {
        Path data = ScrFolder.of(folder).data();
        List<Path> files = new ArrayList<>();
        for (FileRecord file : member.files()) {
            Path path = data.resolve(FilePaths.of(file.name()));
            policy.resolve(FilePaths.nameOf(path.toAbsolutePath()));
            files.add(path);
        }
        String ofMember = name.ofMember(member.descriptor().rank()).toString();
        return new MemberLocation(folder.resolve(ofMember), Optional.empty(), files);
    }

    @Override
    public List<String> losses(FoundHeader header, MemberLocation location) throws IOException {
        List<String> losses = new ArrayList<>();
        MemberCheck.checkFile(location.redundancy().toString(), location.redundancy(),
                header.headerBytes() + header.header().payloadBytes(), losses);
        losses.addAll(MemberCheck.files(header.header().own(), location));
        if (losses.isEmpty() && found != null) {
            try (var _ = new AccessTimes(operations, location.files())) {
                losses.addAll(MemberCheck.crcs(operations, found.header().current().crcs(), location));
            }
        }
        return losses;
    }

    @Override
    public SetFormat format(SetDescription description, List<KvTree> headers) throws IOException {
        SortedMap<Integer, ScrHeader> told = new TreeMap<>();
        for (int rank = 0; rank < headers.size(); rank++) {
            if (!headers.get(rank).isEmpty()) {
                told.put(rank, readHeader(headers.get(rank), rank));
            }
        }
        if (told.isEmpty()) {
            throw new IOException("no XOR file of the set can be read");
        }
        try {
            return ScrFormat.of(told);
        } catch (IllegalArgumentException notOneSet) {
            throw new IOException(folder + ": " + notOneSet.getMessage(), notOneSet);
        }
    }
}
