package org.restorej.redset.internal.scr;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.offline.SetInspection;

/**
 * Ranks of jobs that are in no set which was found, although headers tell how many have written. Where the members of
 * each set lie in folders of their own, as on the nodes of a job, the other sets are on nodes that were not given.
 * Where a set lies in one folder, all files of the job were brought there, and those that are not there are lost.
 *
 * @param found the sets
 * @param inspections what is known of them, in the same order
 */
record ScrJobs(List<ScrScan.FoundSet> found, List<SetInspection> inspections) {
    /**
     * The sets, with a note where others of their job were not given.
     *
     * @param problems get a line for each job of which ranks are lost
     */
    List<SetInspection> tellAbsentRanks(List<String> problems) {
        Map<KvTree, List<Integer>> setsOfJobs = new LinkedHashMap<>();
        for (int i = 0; i < found.size(); i++) {
            ScrHeader header = found.get(i).any().header();
            KvTree job = KvTree.builder().put("DSET", header.datasetTree())
                    .put("RANKS", header.redundancy().own().descriptor().worldRanks()).build();
            setsOfJobs.computeIfAbsent(job, absent -> new ArrayList<>()).add(i);
        }
        List<SetInspection> told = new ArrayList<>(inspections);
        for (List<Integer> sets : setsOfJobs.values()) {
            ScrHeader header = found.get(sets.getFirst()).any().header();
            Set<Integer> there = new HashSet<>();
            sets.forEach(set -> there.addAll(found.get(set).any().header().redundancy().worldRanks()));
            int ranks = header.redundancy().own().descriptor().worldRanks();
            if (there.size() < ranks) {
                String line = "SCR's data set " + header.dataset() + ": there are XOR files of the sets of "
                        + there.size() + " ranks only, of " + ranks;
                if (sets.stream().allMatch(this::isSpread)) {
                    sets.forEach(set -> told.set(set,
                            told.get(set).noting(line + "; those of the others are in directories not given")));
                } else {
                    problems.add(line);
                }
            }
        }
        return told;
    }

    private boolean isSpread(int set) {
        Set<Path> folders = new HashSet<>();
        found.get(set).files().values().forEach(file -> folders.add(file.directory()));
        for (MemberLocation location : inspections.get(set).locations()) {
            folders.add(location.redundancy().resolveSibling(""));
        }
        return folders.size() > 1;
    }
}
