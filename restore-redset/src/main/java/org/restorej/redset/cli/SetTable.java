package org.restorej.redset.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.restorej.redset.format.Descriptor;
import org.restorej.redset.format.RankRecord;
import org.restorej.redset.format.SetDescription;
import org.restorej.redset.offline.DirectoryScan;
import org.restorej.redset.offline.SetInspection;

/** Prints what was found, and says what exit code it makes. */
final class SetTable {
    private SetTable() {}

    static int print(PrintWriter out, DirectoryScan scan, List<SetInspection> inspections) {
        int exitCode = RedsetCommand.WHOLE;
        Set<Path> known = new HashSet<>();
        for (SetInspection inspection : inspections) {
            printSet(out, inspection);
            inspection.locations().forEach(location -> known.add(location.redundancy()));
            exitCode = Math.max(exitCode, exitCode(inspection));
        }
        for (String absent : scan.absentSets()) {
            out.println(absent);
            exitCode = RedsetCommand.LOST;
        }
        for (Map.Entry<Path, String> file : scan.unreadable().entrySet()) {
            if (!known.contains(file.getKey())) {
                out.println(file.getKey() + ": " + file.getValue());
                exitCode = RedsetCommand.LOST;
            }
        }
        for (Path file : scan.scrFiles()) {
            out.println(file + ": is of SCR's own, older format, which is not read; rebuild it by SCR");
            exitCode = RedsetCommand.LOST;
        }
        if (inspections.isEmpty()) {
            out.println("no redundancy set was found");
            exitCode = RedsetCommand.LOST;
        }
        out.flush();
        return exitCode;
    }

    private static int exitCode(SetInspection inspection) {
        return switch (inspection.state()) {
            case WHOLE -> RedsetCommand.WHOLE;
            case REPAIRABLE -> RedsetCommand.REPAIRABLE;
            case LOST -> RedsetCommand.LOST;
        };
    }

    private static void printSet(PrintWriter out, SetInspection inspection) {
        Descriptor place = inspection.place();
        String state = switch (inspection.state()) {
            case WHOLE -> "whole";
            case REPAIRABLE -> "damaged, can be rebuilt";
            case LOST -> "damaged, CAN'T be rebuilt";
        };
        out.println("set " + (place.group() + 1L) + " of " + place.groups() + " of " + inspection.prefix() + "*: "
                + place.scheme()
                + ", " + place.ranks() + (place.ranks() == 1 ? " rank: " : " ranks: ") + state);
        SetDescription set = inspection.description();
        if (set != null) {
            out.println("  rank  world rank  files         bytes  state");
            for (RankRecord member : set.members()) {
                int rank = member.descriptor().rank();
                out.printf("  %4d  %10d  %5d  %12d  %s%n", rank, member.descriptor().worldRank(), member.files().size(),
                        member.totalBytes(), inspection.missing().get(rank) ? "missing" : "present");
            }
        }
        for (SetInspection.Damage damage : inspection.damages()) {
            out.println("  damage: " + (damage.rank() < 0 ? "" : "rank " + damage.rank() + ": ") + damage.message());
        }
        inspection.notes().forEach(note -> out.println("  note: " + note));
    }
}
