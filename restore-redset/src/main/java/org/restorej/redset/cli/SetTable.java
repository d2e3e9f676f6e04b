package org.restorej.redset.cli;

import java.io.PrintWriter;
import java.util.Locale;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.offline.SetInspection;

/** Prints what was found, for people. */
final class SetTable {
    private SetTable() {}

    static void print(PrintWriter out, SetFindings findings) {
        findings.sets().forEach(set -> printSet(out, set));
        findings.stale().forEach((path, encoding) -> out.println("stale: " + path + ": " + encoding));
        findings.problems().forEach(out::println);
        findings.interruptions().lines().forEach(out::println);
        out.flush();
    }

    /** What is wrong with a set, without its members. */
    static void printDamages(PrintWriter out, SetInspection inspection) {
        printState(out, inspection);
        for (SetInspection.Damage damage : inspection.damages()) {
            out.println("  damage: " + (damage.rank() < 0 ? "" : "rank " + damage.rank() + ": ") + damage.message());
        }
    }

    private static void printState(PrintWriter out, SetInspection inspection) {
        Descriptor place = inspection.place();
        String state = switch (inspection.state()) {
            case WHOLE -> "whole";
            case REPAIRABLE -> "damaged, can be rebuilt";
            case LOST -> "damaged, CAN'T be rebuilt";
        };
        out.println(inspection.name().shown() + ": " + place.scheme() + ", " + place.ranks()
                + (place.ranks() == 1 ? " rank: " : " ranks: ") + state);
    }

    private static void printSet(PrintWriter out, SetInspection inspection) {
        printState(out, inspection);
        SetDescription set = inspection.description();
        if (set != null) {
            out.println("  rank  world rank  files         bytes  state");
            for (RankRecord member : set.members()) {
                int rank = member.descriptor().rank();
                out.printf(Locale.ROOT, "  %4d  %10d  %5d  %12d  %s%n", rank, member.descriptor().worldRank(),
                        member.files().size(), member.totalBytes(),
                        inspection.missing().get(rank) ? "missing" : "present");
            }
        }
        for (SetInspection.Damage damage : inspection.damages()) {
            out.println("  damage: " + (damage.rank() < 0 ? "" : "rank " + damage.rank() + ": ") + damage.message());
        }
        inspection.notes().forEach(note -> out.println("  note: " + note));
    }
}
