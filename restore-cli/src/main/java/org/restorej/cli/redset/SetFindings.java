package org.restorej.cli.redset;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.offline.OfflineRedset;
import org.restorej.redset.internal.offline.SetInspection;

/**
 * The findings in directories, of redset and of SCR itself.
 *
 * @param content the sets, and errors besides those of sets
 * @param files all files of the sets, there or missing
 */
record SetFindings(OfflineRedset.Content content, List<SetFile> files) {
    /** Message if no directory has files of redset or of SCR. */
    static final String NOTHING = "no redundancy set was found";

    static SetFindings of(OfflineRedset.Content content) {
        return new SetFindings(content, files(content.sets(), content.stale().keySet()));
    }

    /**
     * A file of a set, or of an encoding that is not current: then there is no set.
     *
     * @param kind what it is for
     * @param missing whether it is not there
     */
    record SetFile(Optional<SetInspection> set, String kind, Path path, boolean missing) {
        SetFile(Optional<SetInspection> set, String kind, Path path) {
            this(set, kind, path, Files.notExists(path));
        }
    }

    private static List<SetFile> files(List<SetInspection> sets, Set<Path> stale) {
        List<SetFile> files = new ArrayList<>();
        for (SetInspection inspection : sets) {
            Optional<SetInspection> set = Optional.of(inspection);
            for (SetInspection.Member member : inspection.members().values()) {
                MemberLocation location = member.location();
                location.files().forEach(file -> files.add(new SetFile(set, "data", file)));
                files.add(new SetFile(set, "redundancy", location.redundancy()));
                location.small().ifPresent(small -> {
                    files.add(new SetFile(set, "descriptor", small.descriptor()));
                    files.add(new SetFile(set, "checksums", small.checksums()));
                });
            }
        }
        stale.forEach(file -> files.add(new SetFile(Optional.empty(), "stale", file)));
        return files;
    }

    /** Whether no directory has files of redset or of SCR, so that the directories are probably wrong. */
    boolean isNothing() {
        return content.sets().isEmpty() && content.problems().isEmpty() && content.interruptions().isEmpty();
    }

    /** The exit code of the findings. */
    int exitCode() {
        if (isNothing()) {
            return RedsetCommand.USAGE;
        }
        int worst = content.interruptions().isEmpty() ? RedsetCommand.WHOLE : RedsetCommand.REPAIRABLE;
        for (OfflineRedset.Problem problem : content.problems()) {
            worst = RedsetCommand.worse(worst, problem.mayBeIntact() ? RedsetCommand.FAILED : RedsetCommand.LOST);
        }
        return content.sets().stream().mapToInt(SetFindings::exitCode).reduce(worst, RedsetCommand::worse);
    }

    private static int exitCode(SetInspection set) {
        return switch (set.state()) {
            case WHOLE -> RedsetCommand.WHOLE;
            case REPAIRABLE -> RedsetCommand.REPAIRABLE;
            case UNPLACED -> RedsetCommand.USAGE;
            case LOST -> RedsetCommand.LOST;
            case UNREACHABLE -> RedsetCommand.FAILED;
        };
    }

    /** Prints everything as text. */
    void print(PrintWriter out) {
        content.sets().forEach(set -> printSet(out, set));
        content.stale().forEach((path, encoding) -> out.println("stale: " + path + ": " + encoding));
        content.problems().forEach(problem -> out.println(problem.message()));
        content.interruptions().forEach(out::println);
        out.flush();
    }

    /** Prints the damage of sets, without their members. */
    void printDamages(PrintWriter err) {
        for (SetInspection set : content.sets()) {
            if (set.state() != SetInspection.State.WHOLE) {
                printState(err, set);
                printDamages(err, set);
            }
        }
        content.problems().forEach(problem -> err.println(problem.message()));
        err.flush();
    }

    private static void printDamages(PrintWriter out, SetInspection inspection) {
        for (SetInspection.Damage damage : inspection.damages()) {
            out.println("  damage: " + (damage.rank() < 0 ? "" : "rank " + damage.rank() + ": ") + damage.message());
        }
    }

    private static void printState(PrintWriter out, SetInspection inspection) {
        Descriptor place = inspection.place();
        String state = switch (inspection.state()) {
            case WHOLE -> "whole";
            case REPAIRABLE -> "damaged, can be rebuilt";
            case UNPLACED -> "damaged, can be rebuilt when it is known where";
            case LOST -> "damaged, CAN'T be rebuilt";
            case UNREACHABLE -> "unknown, since a file can't be reached";
        };
        out.println(inspection.name().shown() + ": " + place.scheme() + ", " + place.ranks()
                + (place.ranks() == 1 ? " rank: " : " ranks: ") + state);
    }

    private static void printSet(PrintWriter out, SetInspection inspection) {
        printState(out, inspection);
        if (!inspection.members().isEmpty()) {
            out.println("  rank  world rank  files         bytes  state");
            inspection.members().forEach((rank, member) -> out.printf(Locale.ROOT, "  %4d  %10d  %5d  %12d  %s%n",
                    rank, member.record().descriptor().worldRank(), member.record().files().size(),
                    member.record().totalBytes(), member.missing() ? "missing" : "present"));
        }
        printDamages(out, inspection);
        inspection.notes().forEach(note -> out.println("  note: " + note));
    }
}
