package org.restorej.cli.redset;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.offline.DirectoryContent;
import org.restorej.redset.internal.offline.OfflineRedset.Problem;
import org.restorej.redset.internal.offline.OfflineRedset;
import org.restorej.redset.internal.offline.SetInspection;

/**
 * The findings in directories, of redset and of SCR itself.
 *
 * @param sets all sets of which a file tells
 * @param problems errors besides those of sets
 * @param stale files of encodings that are no longer current, with a description; never changed
 * @param interruptions interrupted commits, as journals tell; {@code rebuild} ends them. Until then the directories
 *        have files of two encodings, and sets may look worse than they are
 * @param files all files of the sets, there or missing
 */
record SetFindings(List<SetInspection> sets, List<Problem> problems, Map<Path, String> stale,
        List<String> interruptions, List<SetFile> files) {
    /** Message if no directory has files of redset or of SCR. */
    static final String NOTHING = "no redundancy set was found";
    private static final String ONLY_STALE = "no redundancy file is left of the encoding that descriptor files describe";

    /** No findings. */
    static final SetFindings NONE = new SetFindings(List.of(), List.of(), Map.of(), List.of(), List.of());

    static SetFindings of(OfflineRedset.Content content, List<Path> journals) {
        List<String> interruptions = journals.stream().map(journal -> journal
                + ": files were being replaced when all ranks ended: rebuild brings that to an end").toList();
        List<Problem> problems = new ArrayList<>();
        Map<Path, String> stale = new TreeMap<>();
        boolean undecided = false;
        boolean isReachable = content.problems().stream().noneMatch(Problem::mayBeIntact);
        // Files of an interrupted commit may have been moved, and there are files of two encodings.
        if (interruptions.isEmpty()) {
            content.absentSets().forEach(absent -> problems.add(new Problem(absent, !isReachable)));
        }
        for (DirectoryContent ofDirectory : content.ofRedset()) {
            if (interruptions.isEmpty()) {
                ofDirectory.undecided().forEach(
                        (prefix, encodings) -> problems.add(new Problem(undecided(prefix, encodings), false)));
            }
            undecided |= !ofDirectory.undecided().isEmpty();
            stale.putAll(ofDirectory.stale());
        }
        problems.addAll(content.problems());
        if (content.sets().isEmpty() && !undecided && interruptions.isEmpty() && isReachable) {
            problems.add(new Problem(stale.isEmpty() ? NOTHING : ONLY_STALE, false));
        }
        List<SetInspection> sets = interruptions.isEmpty()
                ? content.sets()
                : content.sets().stream().map(set -> explained(set, interruptions)).toList();
        return new SetFindings(sets, problems, stale, interruptions, files(sets, stale.keySet()));
    }

    /** A set that seems lost may only have files that were moved. */
    private static SetInspection explained(SetInspection set, List<String> interruptions) {
        if (set.state() != SetInspection.State.LOST) {
            return set;
        }
        List<SetInspection.Damage> damages = new ArrayList<>(set.damages());
        interruptions.forEach(line -> damages.add(new SetInspection.Damage(-1, line)));
        return set.with(damages, SetInspection.State.REPAIRABLE);
    }

    private static String undecided(String prefix, Map<String, Path> encodings) {
        List<String> each = new ArrayList<>();
        encodings.forEach((encoding, path) -> each.add(encoding + " (" + path + ")"));
        return prefix
                + "*: files of several encodings lie here, and the descriptor files don't tell which of them counts: "
                + String.join("; ", each) + ": move the redundancy files of the others elsewhere";
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
        return sets.isEmpty() && problems.equals(List.of(new Problem(NOTHING, false)));
    }

    /** The exit code of the findings. */
    int exitCode() {
        if (isNothing()) {
            return RedsetCommand.USAGE;
        }
        int worst = interruptions.isEmpty() ? RedsetCommand.WHOLE : RedsetCommand.REPAIRABLE;
        for (Problem problem : problems) {
            worst = RedsetCommand.worse(worst, problem.mayBeIntact() ? RedsetCommand.FAILED : RedsetCommand.LOST);
        }
        return sets.stream().mapToInt(SetFindings::exitCode).reduce(worst, RedsetCommand::worse);
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
        sets.forEach(set -> printSet(out, set));
        stale.forEach((path, encoding) -> out.println("stale: " + path + ": " + encoding));
        problems.forEach(problem -> out.println(problem.message()));
        interruptions.forEach(out::println);
        out.flush();
    }

    /** Prints the damage of sets, without their members. */
    void printDamages(PrintWriter err) {
        for (SetInspection set : sets) {
            if (set.state() != SetInspection.State.WHOLE) {
                printState(err, set);
                printDamages(err, set);
            }
        }
        problems.forEach(problem -> err.println(problem.message()));
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
