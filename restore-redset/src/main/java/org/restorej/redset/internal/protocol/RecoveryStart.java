package org.restorej.redset.internal.protocol;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.restorej.redset.RedsetException;
import org.restorej.redset.internal.format.DescriptorFile;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.TreeFields;

/**
 * What a rank has found when a recovery begins, as it tells all others.
 *
 * @param descriptor a descriptor file: redset's, or what one would say of foreign files; empty when there is none
 * @param foreign of which files of another program this rank knows, and what is wrong with them; empty when there are
 *        none
 * @param naming what others need to name theirs; empty when none is sound
 * @param dataset which data set foreign files are of; empty when it is of none
 */
record RecoveryStart(KvTree descriptor, String foreign, KvTree naming, String dataset) {
    /** Foreign files count only where there is no descriptor file. */
    static RecoveryStart of(RankFiles files, ForeignFiles.Look look) throws IOException {
        Optional<DescriptorFile> own = Optional.ofNullable(files.descriptorFile());
        return own.isPresent()
                ? new RecoveryStart(own.get().toTree(), "", KvTree.EMPTY, "")
                : new RecoveryStart(look.places().map(DescriptorFile::toTree).orElse(KvTree.EMPTY), look.said(),
                        look.naming(), look.dataset());
    }

    KvTree toTree() {
        return KvTree.builder().put("DESC", descriptor).putText("FOREIGN", foreign).put("NAMING", naming)
                .putText("DSET", dataset).build();
    }

    static RecoveryStart read(KvTree tree) {
        try {
            TreeFields fields = new TreeFields("start", tree);
            return new RecoveryStart(fields.child("DESC").tree(), fields.longText("FOREIGN"),
                    fields.child("NAMING").tree(), fields.longText("DSET"));
        } catch (FormatException impossible) {
            throw new IllegalStateException("every rank tells what it has written itself", impossible);
        }
    }

    private boolean isForeign() {
        return !foreign.isEmpty();
    }

    /** What the descriptor says. */
    Optional<DescriptorFile> descriptorFile() {
        try {
            return descriptor.isEmpty() ? Optional.empty() : Optional.of(DescriptorFile.read(descriptor));
        } catch (FormatException impossible) {
            throw new IllegalStateException("every rank tells of a descriptor file that it has read itself",
                    impossible);
        }
    }

    /** Whether there is no descriptor of another number of ranks. */
    boolean isOf(int worldRanks) {
        return descriptorFile().stream().flatMap(file -> file.byWorldRank().values().stream())
                .allMatch(place -> place.worldRanks() == worldRanks);
    }

    /**
     * Whether foreign files are to be recovered. Every rank computes the same.
     *
     * @throws RedsetException when ranks have files of both kinds, or foreign ones of several data sets, or none of
     *         these can be used
     */
    static boolean areForeign(List<RecoveryStart> starts, String operation) {
        if (starts.stream().noneMatch(RecoveryStart::isForeign)) {
            return false;
        }
        boolean mixed = starts.stream().anyMatch(start -> !start.isForeign() && !start.descriptor.isEmpty());
        boolean useless = starts.stream().allMatch(start -> start.descriptor.isEmpty());
        if (mixed || useless) {
            SortedMap<Integer, String> failures = new TreeMap<>();
            for (int rank = 0; rank < starts.size(); rank++) {
                if (starts.get(rank).isForeign()) {
                    failures.put(rank, starts.get(rank).foreign
                            + (mixed ? ": is of SCR itself, while other ranks have files of redset" : ""));
                }
            }
            throw new RedsetException(operation, failures);
        }
        requireOneDataset(starts, operation);
        return true;
    }

    private static void requireOneDataset(List<RecoveryStart> starts, String operation) {
        SortedMap<Integer, String> failures = new TreeMap<>();
        Set<String> datasets = new HashSet<>();
        for (int rank = 0; rank < starts.size(); rank++) {
            String dataset = starts.get(rank).dataset;
            if (!dataset.isEmpty()) {
                datasets.add(dataset);
                failures.put(rank, starts.get(rank).foreign + ": is of data set " + dataset
                        + ", and all ranks must have files of the same one");
            }
        }
        if (datasets.size() > 1) {
            throw new RedsetException(operation, failures);
        }
    }

    /** The naming of a member of the set that a rank is in; there is one where its place is known. */
    static KvTree namingInSetOf(int worldRank, List<RecoveryStart> starts) {
        return starts.stream()
                .filter(start -> start.descriptorFile().filter(file -> file.byWorldRank().containsKey(worldRank))
                        .isPresent())
                .findFirst().orElseThrow().naming;
    }
}
