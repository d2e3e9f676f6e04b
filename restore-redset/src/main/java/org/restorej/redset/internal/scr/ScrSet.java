package org.restorej.redset.internal.scr;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.offline.DirectoryScan;
import org.restorej.redset.internal.offline.SetInspection;

/**
 * A set of which at least one header tells. Its members may be in several directories.
 *
 * @param files by rank in the set; at least one
 * @param copies further files of the same members, in other directories
 */
record ScrSet(SortedMap<Integer, XorFile> files, List<XorFile> copies) {
    /**
     * An XOR file with a valid header.
     *
     * @param found the file
     * @param header its header as SCR has it
     */
    record XorFile(DirectoryScan.FoundHeader found, ScrHeader header) {
        Path directory() {
            return found.directory();
        }
    }

    /** The sets that headers describe, in order of data set and id. */
    static List<ScrSet> of(List<DirectoryScan.FoundHeader> headers) throws FormatException {
        Map<KvTree, ScrSet> byIdentity = new LinkedHashMap<>();
        for (DirectoryScan.FoundHeader found : headers) {
            ScrFileName name = ScrFileName.parse(String.valueOf(found.path().getFileName())).orElseThrow();
            XorFile file = new XorFile(found, ScrHeader.read(found.found().tree(), name));
            ScrSet set = byIdentity.computeIfAbsent(file.header().identity(),
                    first -> new ScrSet(new TreeMap<>(), new ArrayList<>()));
            if (set.files().putIfAbsent(name.rank(), file) != null) {
                set.copies().add(file);
            }
        }
        return byIdentity.values().stream().sorted(Comparator.comparing((ScrSet set) -> set.any().dataset())
                .thenComparingInt(set -> set.any().name().id())).toList();
    }

    /** One of its headers. */
    ScrHeader any() {
        return files.values().iterator().next().header();
    }

    /** The folders of its XOR files, one for each member that was found. */
    List<Path> folders() {
        return files.values().stream().map(XorFile::directory).toList();
    }

    /** A member's files as SCR records them, from its own header or that of its right neighbour. */
    List<ScrHeader.ScrFile> filesOf(int rank) throws IOException {
        XorFile own = files.get(rank);
        XorFile right = files.get((rank + 1) % any().name().ranks());
        if (own == null && right == null) {
            throw new IOException("no XOR file tells of the files of " + any().name().ofMember(rank));
        }
        return own == null ? Objects.requireNonNull(right).header().partner() : own.header().current();
    }

    /** Messages that say why nothing of it may be rebuilt; empty if it may. */
    List<String> doubts() {
        List<String> doubts = new ArrayList<>();
        for (XorFile copy : copies) {
            doubts.add(copy.found().path() + ": this member of its set is also in "
                    + Objects.requireNonNull(files.get(copy.header().name().rank())).found().path()
                    + ", and nothing tells which of them counts: leave one of the directories out");
        }
        SortedMap<Integer, ScrHeader> headers = new TreeMap<>();
        files.forEach((rank, file) -> headers.put(rank, file.header()));
        try {
            ScrFormat.of(headers);
        } catch (IllegalArgumentException | ArithmeticException notOneSet) {
            doubts.add(String.valueOf(notOneSet.getMessage()));
        }
        return doubts;
    }

    /** Identifies the job's data set. */
    Object job() {
        return List.of(any().datasetTree(), any().redundancy().own().descriptor().worldRanks());
    }

    SetInspection.SetName name() {
        return new ScrSets.Name(folders().stream().distinct().toList(), any().name().id(), any().dataset());
    }
}
