package org.restorej.cli.redset;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.restorej.cli.command.CommandErrors;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.RedsetFileNames;
import org.restorej.redset.internal.offline.LostMemberPlaces;
import org.restorej.redset.internal.offline.OfflineRedset;
import org.restorej.redset.internal.offline.UnknownPlaceException;
import org.restorej.redset.internal.scr.ScrFolder;
import org.restorej.redset.internal.scr.ScrSets;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Options and arguments of all commands that work on directories. */
final class DirectoryOptions {
    private static final Pattern RANK_AND_DIRECTORY = Pattern.compile("(?<rank>\\d{1,9})=(?<directory>.+)");

    /** How far a directory with sets is looked for, for a hint. */
    private static final int MAX_LEVELS = 3;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Parameters(arity = "1..*", paramLabel = "DIR",
            description = "directories with redundancy files; the members of a set may lie in several, such as those "
                    + "of the nodes of a job")
    private List<Path> directories = new ArrayList<>();

    @Option(names = "--base", paramLabel = "DIR", description = "where relative names of data files start; "
            + "default: the current directory")
    private Path base = Path.of("");

    @Option(names = "--allow", paramLabel = "DIR",
            description = "data files may be in this directory too; may be repeated")
    private List<Path> allowed = new ArrayList<>();

    @Option(names = "--map", paramLabel = "OLD=NEW",
            description = "data files that were at OLD, or below it, are at NEW now; may be repeated")
    private Map<String, String> moved = new LinkedHashMap<>();

    @Option(names = "--lost", paramLabel = "[RANK=]DIR",
            description = "where the files of a member go whose redundancy file is gone, of a set that lies in several "
                    + "directories; default: the one DIR without a member of its set; with its rank in the job where "
                    + "several members are lost, and may be repeated then")
    private List<String> lost = new ArrayList<>();

    @Option(names = "--json", description = "for programs: one object")
    private boolean json;

    /** Whether the output is for programs. */
    boolean json() {
        return json;
    }

    /**
     * Prints findings, as text or JSON.
     *
     * @return the exit code
     */
    int print(SetFindings findings) {
        PrintWriter out = command.commandLine().getOut();
        if (json) {
            SetJson.print(out, findings);
        } else if (findings.isNothing()) {
            throw new ParameterException(command.commandLine(), SetFindings.NOTHING + ": "
                    + directories.stream().map(Path::toString).collect(Collectors.joining(", "))
                    + near().map(near -> System.lineSeparator() + "DIR must have the files in itself, as " + near
                            + " has").orElse(""));
        } else {
            findings.print(out);
        }
        return findings.exitCode();
    }

    /**
     * Prints the files of sets, and their damage on standard error.
     *
     * @return the exit code
     */
    int printFiles(SetFindings findings) {
        if (findings.isNothing() || json) {
            return print(findings);
        }
        PrintWriter out = command.commandLine().getOut();
        findings.files().forEach(file -> out.printf(Locale.ROOT, "%-12s%s%s%n", file.kind(), file.path(),
                file.missing() ? "  (missing)" : ""));
        out.flush();
        findings.printDamages(command.commandLine().getErr());
        return findings.exitCode();
    }

    /** A directory with files of sets at most three levels above or below those given. */
    private Optional<Path> near() {
        for (Path directory : directories) {
            try (Stream<Path> below = Files.walk(directory, MAX_LEVELS)) {
                List<Path> near = new ArrayList<>(below.filter(Files::isDirectory).sorted().toList());
                Path above = directory.toAbsolutePath().normalize().getParent();
                for (int level = 0; level < MAX_LEVELS && above != null; level++) {
                    near.add(above);
                    above = above.getParent();
                }
                for (Path folder : near) {
                    if (hasSets(folder)) {
                        return Optional.of(folder);
                    }
                }
            } catch (IOException | UncheckedIOException unreadable) {
                // Only a hint.
            }
        }
        return Optional.empty();
    }

    private static boolean hasSets(Path folder) throws IOException {
        return DirectoryEntries.namesOf(folder).stream().anyMatch(RedsetFileNames::isOfSomeEncoding)
                || !ScrFolder.xorFiles(folder).isEmpty();
    }

    /** Inspects directories. */
    @FunctionalInterface
    interface Look {
        OfflineRedset.Content at() throws IOException;
    }

    /**
     * Inspects the directories; changes nothing.
     *
     * @throws ParameterException if {@code --lost} is wrong
     */
    SetFindings find(Look look) throws IOException {
        try {
            return SetFindings.of(look.at());
        } catch (UnknownPlaceException wrong) {
            throw new ParameterException(command.commandLine(), String.valueOf(wrong.getMessage()), wrong);
        }
    }

    /** As {@link #open(FileOperations)}, on the file system as it is. */
    OfflineRedset open() throws IOException {
        return open(FileOperations.system());
    }

    /** Checks all options together, and opens the directories. */
    OfflineRedset open(FileOperations operations) throws IOException {
        List<String> problems = CommandErrors.ofParsing(command);
        for (Path directory : directories) {
            if (!Files.isDirectory(directory)) {
                problems.add("DIR must be a directory: " + directory
                        + (Files.exists(directory) ? "" : ": in the place of a lost node's, make an empty one"));
            }
        }
        if (problems.isEmpty()) {
            directories = OfflineRedset.distinct(directories);
        }
        LostMemberPlaces places = lost(problems);
        if (!Files.isDirectory(base.toAbsolutePath())) {
            problems.add("--base must be a directory: " + base);
        }
        if (!problems.isEmpty()) {
            throw new ParameterException(command.commandLine(), String.join(System.lineSeparator(), problems));
        }
        PathPolicy policy = new PathPolicy(base, reachable(places.all()), false, moved);
        return new OfflineRedset(operations, places, new ScrSets(), policy);
    }

    private LostMemberPlaces lost(List<String> problems) {
        Map<Integer, Path> byRank = new HashMap<>();
        Path ofTheOne = null;
        for (String value : lost) {
            Matcher ranked = RANK_AND_DIRECTORY.matcher(value);
            Path directory = asGiven(Path.of(ranked.matches() ? ranked.group("directory") : value));
            if (!Files.isDirectory(directory)) {
                problems.add("--lost must be a directory: " + value);
            }
            boolean twice = ranked.matches()
                    ? byRank.put(Integer.parseInt(ranked.group("rank")), directory) != null
                    : ofTheOne != null;
            if (twice) {
                problems.add("--lost must name each rank once, and is given once without a rank: --lost=" + value);
            }
            ofTheOne = ranked.matches() ? ofTheOne : directory;
        }
        if (ofTheOne != null && !byRank.isEmpty()) {
            problems.add("--lost must have a rank each time or never: " + lost);
        }
        return new LostMemberPlaces(directories, ofTheOne, byRank);
    }

    /** The form in which DIR is written, if it is one of them, so that names of its files are equal. */
    private Path asGiven(Path directory) {
        return directories.stream().filter(given -> areSame(given, directory)).findFirst().orElse(directory);
    }

    private static boolean areSame(Path directory, Path other) {
        try {
            return Files.isSameFile(directory, other);
        } catch (IOException absent) {
            return false;
        }
    }

    /** Directories that data files may be in. SCR hides its own files below them. */
    private List<Path> reachable(List<Path> given) {
        List<Path> reachable = new ArrayList<>(allowed);
        for (Path directory : given) {
            reachable.add(directory);
            reachable.add(ScrFolder.of(directory).data());
        }
        return reachable;
    }
}
