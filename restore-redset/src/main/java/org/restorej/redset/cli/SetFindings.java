package org.restorej.redset.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.restorej.redset.offline.DirectoryScan;
import org.restorej.redset.offline.SetInspection;

/**
 * What was found in a directory.
 *
 * @param sets every set that a file tells of
 * @param problems what is wrong beside them, for people
 * @param interruptions what was under way when all processes ended
 */
record SetFindings(List<SetInspection> sets, List<String> problems, Interruptions interruptions) {
    static SetFindings of(DirectoryScan scan, List<SetInspection> inspections, Interruptions interruptions) {
        Set<Path> known = new HashSet<>();
        inspections.forEach(set -> set.locations().forEach(location -> known.add(location.redundancy())));
        // Files that were moved aside are absent, too.
        List<String> problems = new ArrayList<>(interruptions.isEmpty() ? scan.absentSets() : List.of());
        for (Map.Entry<Path, String> file : scan.unreadable().entrySet()) {
            if (!known.contains(file.getKey())) {
                problems.add(file.getKey() + ": " + file.getValue());
            }
        }
        for (Path file : scan.scrFiles()) {
            problems.add(file + ": is of SCR's own, older format, which is not read; rebuild it by SCR");
        }
        if (inspections.isEmpty() && interruptions.isEmpty()) {
            problems.add("no redundancy set was found");
        }
        return new SetFindings(interruptions.explain(inspections), problems, interruptions);
    }

    /** The exit code that says how bad it is. */
    int exitCode() {
        if (!problems.isEmpty()) {
            return RedsetCommand.LOST;
        }
        return Math.max(exitCode(sets), interruptions.isEmpty() ? RedsetCommand.WHOLE : RedsetCommand.REPAIRABLE);
    }

    /** The exit code of the worst of some sets. */
    static int exitCode(List<SetInspection> sets) {
        return sets.stream().mapToInt(SetFindings::exitCode).max().orElse(RedsetCommand.WHOLE);
    }

    private static int exitCode(SetInspection set) {
        return switch (set.state()) {
            case WHOLE -> RedsetCommand.WHOLE;
            case REPAIRABLE -> RedsetCommand.REPAIRABLE;
            case LOST -> RedsetCommand.LOST;
        };
    }
}
