package org.restorej.redset.internal.format;

import java.util.ArrayList;
import java.util.List;

/**
 * A process of a set of SCR with its files ({@code CURRENT} and {@code PARTNER} in a header).
 *
 * @param worldRank rank in the job
 * @param files in the order in which they make its logical file
 */
public record ScrMember(int worldRank, List<ScrFile> files) {
    /** Copies the list. */
    public ScrMember {
        files = List.copyOf(files);
    }

    static ScrMember read(TreeFields fields) throws FormatException {
        int worldRank = fields.integer("RANK", 0, Integer.MAX_VALUE);
        int count = fields.integer("FILES", 0, Integer.MAX_VALUE);
        TreeFields list = fields.has("FILE") ? fields.child("FILE") : new TreeFields(fields.place(), KvTree.EMPTY);
        if (list.tree().count() != count) {
            throw new FormatException(fields.place() + "/FILES must be the number of files, " + list.tree().count()
                    + ": " + count);
        }
        List<ScrFile> files = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            files.add(ScrFile.read(list.child(Integer.toString(i))));
        }
        return new ScrMember(worldRank, files);
    }

    /** The same as redset describes it. */
    RankRecord toRecord(Descriptor place) {
        return new RankRecord(place, files.stream().map(ScrFile::record).toList());
    }
}
