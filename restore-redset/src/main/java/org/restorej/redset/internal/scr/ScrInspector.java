package org.restorej.redset.internal.scr;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.coding.LocalPieces;
import org.restorej.redset.internal.coding.MemberCheck;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.internal.erasure.ErasureKernel;
import org.restorej.redset.internal.files.AccessTimes;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.offline.SetInspection;

/** Finds out what of one set of SCR is missing or damaged. Writes nothing; used once, by one thread. */
final class ScrInspector {
    private final FileOperations operations;
    private final ScrScan.FoundSet found;
    private final ScrScan scan;
    private final List<SetInspection.Damage> damages = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final BitSet missing = new BitSet();

    /** Looks at one of the sets of a scan. */
    ScrInspector(FileOperations operations, ScrScan.FoundSet found, ScrScan scan) {
        this.operations = operations;
        this.found = found;
        this.scan = scan;
    }

    /**
     * Looks at names and sizes, and at contents when there is a kernel to recompute redundancy with.
     *
     * @param places where files are, and where those of members go whose XOR file is gone
     */
    SetInspection inspect(ScrPlaces places, @Nullable ErasureKernel contents, int threads) throws IOException {
        ScrFormat format;
        List<MemberLocation> locations;
        try {
            SortedMap<Integer, ScrHeader> headers = new TreeMap<>();
            found.files().forEach((rank, file) -> headers.put(rank, file.header()));
            format = ScrFormat.of(headers);
            locations = places.locate(found, format);
        } catch (IllegalArgumentException | ArithmeticException | IOException refused) {
            damages.add(new SetInspection.Damage(-1, String.valueOf(refused.getMessage())));
            return result(null, List.of(), SetInspection.State.LOST);
        }
        for (int rank = 0; rank < format.set().ranks(); rank++) {
            checkPresence(format, rank, locations.get(rank));
        }
        boolean certain = checkUnknown();
        certain &= checkCopies();
        boolean ambiguous = contents != null && !contentsAreRight(format, locations, contents, threads);
        boolean lost = !certain || ambiguous || !format.set().scheme().canRebuild(missing, format.set().ranks());
        SetInspection.State damaged = lost ? SetInspection.State.LOST : SetInspection.State.REPAIRABLE;
        return result(format, locations, damages.isEmpty() ? SetInspection.State.WHOLE : damaged);
    }

    private SetInspection result(@Nullable ScrFormat format, List<MemberLocation> locations,
            SetInspection.State state) {
        return new SetInspection(found.name(), found.any().header().redundancy().own().descriptor(), format, locations,
                Collections.emptySortedMap(), missing, List.copyOf(damages), List.copyOf(notes), state);
    }

    private void lose(int rank, List<String> losses) {
        for (String loss : losses) {
            missing.set(rank);
            damages.add(new SetInspection.Damage(rank, loss));
        }
    }

    private void checkPresence(ScrFormat format, int rank, MemberLocation location) throws IOException {
        ScrScan.FoundFile file = found.files().get(rank);
        List<String> losses = new ArrayList<>();
        if (file == null) {
            String reason = scan.unreadable().get(location.redundancy());
            losses.add(location.redundancy() + (reason == null ? " is absent" : ": " + reason));
        } else {
            MemberCheck.checkFile(location.redundancy().toString(), location.redundancy(),
                    file.headerBytes() + format.set().chunkBytes(), losses);
        }
        List<ScrFile> files = format.member(rank).files();
        for (int i = 0; i < files.size(); i++) {
            Path path = location.files().get(i);
            MemberCheck.checkFile(path.toString(), path, files.get(i).record().sizeBytes(), losses);
            if (!files.get(i).complete()) {
                notes.add(path + ": the application has not said that it is complete (COMPLETE)");
            }
        }
        lose(rank, losses);
    }

    /** False when a member counts as lost whose file can't be read at the moment. */
    private boolean checkUnknown() {
        int before = damages.size();
        ScrFileName name = found.any().header().name();
        scan.unknown().forEach((path, reason) -> {
            ScrFileName unknown = ScrFileName.parse(String.valueOf(path.getFileName())).orElseThrow();
            if (unknown.mayBeInSetOf(name) && !found.files().containsKey(unknown.rank())) {
                damages.add(new SetInspection.Damage(-1, path + " can't be read at the moment, and may be good: "
                        + reason));
            }
        });
        return damages.size() == before;
    }

    /** False when a member has two files that differ, so that nothing tells which of them counts. */
    private boolean checkCopies() throws IOException {
        int before = damages.size();
        for (ScrScan.FoundFile copy : found.copies()) {
            Path path = Objects.requireNonNull(found.files().get(copy.header().name().rank())).path();
            if (Files.mismatch(path, copy.path()) < 0) {
                notes.add(copy.path() + " is the same as " + path + " and left alone");
            } else {
                damages.add(new SetInspection.Damage(-1, copy.path() + ": this member of its set is also in " + path
                        + ", and nothing tells which of them counts: leave one of the directories out"));
            }
        }
        return damages.size() == before;
    }

    /** False when contents are wrong and it is unknown on which ranks. */
    private boolean contentsAreRight(ScrFormat format, List<MemberLocation> locations, ErasureKernel kernel,
            int threads) throws IOException {
        List<Path> files = locations.stream().flatMap(location -> location.files().stream()).toList();
        try (var _ = new AccessTimes(operations, files)) {
            boolean proven = true;
            for (int rank = 0; rank < format.set().ranks(); rank++) {
                proven &= format.recordsCrcs(rank);
                if (!missing.get(rank)) {
                    lose(rank, MemberCheck.crcs(operations, format.crcs(rank), locations.get(rank)));
                }
            }
            if (!proven) {
                notes.add("SCR has not recorded CRCs of all data files: which of the others is damaged can't be told");
            }
            if (!missing.isEmpty()) {
                return true;
            }
            BitSet rows = new LocalPieces(operations, kernel, format.set(), locations, threads).disagreeing(missing);
            if (proven) {
                rows.stream().forEach(rank -> lose(rank, List.of(locations.get(rank).redundancy()
                        + " disagrees with data files whose CRCs are right")));
            }
            if (proven || rows.isEmpty()) {
                return true;
            }
        }
        damages.add(new SetInspection.Damage(-1, "redundancy and data disagree, and no CRC tells which is wrong"));
        return false;
    }
}
