package org.restorej.redset.internal.scr;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.restorej.redset.internal.coding.MemberCheck;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.coding.SetFormat;
import org.restorej.redset.internal.files.AccessTimes;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.RedundancyHeader;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.protocol.ProtectedFiles;
import org.restorej.redset.internal.offline.SetParts;

/**
 * The files of one member of a set that SCR itself has written.
 *
 * @param operations the file system
 * @param found XOR file of the member, or of another one if the member has no valid one
 * @param places determines paths of members
 * @param comparesCrcs whether files are read to compare them with recorded CRCs
 */
record ScrMemberFiles(FileOperations operations, ScrSet.XorFile found, SetParts.Places places,
        boolean comparesCrcs) implements ProtectedFiles {
    private ScrHeader readHeader(KvTree header, int rank) throws IOException {
        return ScrHeader.read(header, found.header().name().ofMember(rank));
    }

    @Override
    public RedundancyHeader read(KvTree header, int rank) throws IOException {
        return readHeader(header, rank).redundancy();
    }

    @Override
    public MemberLocation locate(RankRecord member) throws IOException {
        return places.locate(member);
    }

    @Override
    public List<String> losses(FoundHeader header, MemberLocation location) throws IOException {
        List<String> losses = new ArrayList<>();
        MemberCheck.checkFile(location.redundancy().toString(), location.redundancy(),
                header.headerBytes() + header.header().payloadBytes(), losses);
        losses.addAll(MemberCheck.files(header.header().own(), location));
        if (comparesCrcs && losses.isEmpty()) {
            try (var _ = new AccessTimes(operations, location.files())) {
                losses.addAll(MemberCheck.crcs(operations,
                        found.header().current().stream().map(ScrHeader.ScrFile::crc).toList(), location));
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
            throw new IOException(found.directory() + ": " + notOneSet.getMessage(), notOneSet);
        }
    }
}
