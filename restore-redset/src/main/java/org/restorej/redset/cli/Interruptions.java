package org.restorej.redset.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.restorej.redset.internal.offline.SetInspection;

/**
 * Journals which say that files were being replaced when all processes ended. Until that is brought to an end, files of
 * two encodings lie there, and sets seem to be worse than they are.
 *
 * @param journals of commits that {@code rebuild} can bring to an end
 */
record Interruptions(List<Path> journals) {
    static final Interruptions NONE = new Interruptions(List.of());

    Interruptions {
        journals = List.copyOf(journals);
    }

    boolean isEmpty() {
        return journals.isEmpty();
    }

    /** What they say, for people. */
    List<String> lines() {
        return journals.stream().map(Interruptions::line).toList();
    }

    private static String line(Path journal) {
        return journal + ": files were being replaced when all processes ended: rebuild brings that to an end";
    }

    /** Adds to what was found of sets what the journals of their ranks say. */
    List<SetInspection> explain(List<SetInspection> sets) {
        return sets.stream().map(this::explain).toList();
    }

    private SetInspection explain(SetInspection set) {
        List<SetInspection.Damage> damages = new ArrayList<>(set.damages());
        journals.stream().filter(journal -> isOf(set.name(), journal.toString()))
                .forEach(journal -> damages.add(new SetInspection.Damage(-1, line(journal))));
        if (damages.size() == set.damages().size()) {
            return set;
        }
        SetInspection.State state = set.state() == SetInspection.State.LOST && !mayOnlyBeMoved(set)
                ? SetInspection.State.LOST
                : SetInspection.State.REPAIRABLE;
        return new SetInspection(set.name(), set.place(), set.format(), set.locations(), set.checksums(),
                set.missing(), damages, set.notes(), state);
    }

    /** Whether nothing else than the rank is between the prefix and the end of a journal's name. */
    private static boolean isOf(SetInspection.SetName set, String journal) {
        return set instanceof SetInspection.SetName.OfRedset(List<String> prefixes, int _, int _)
                && prefixes.stream().anyMatch(prefix -> journal.startsWith(prefix)
                        && journal.substring(prefix.length()).matches("\\d+\\.restorej-[a-z]+"));
    }

    /**
     * Whether headers contradict one another or are absent, and no data is known to be lost: only headers are moved.
     */
    private static boolean mayOnlyBeMoved(SetInspection set) {
        if (set.description() == null) {
            return true;
        }
        return !set.missing().isEmpty() && set.missing().stream()
                .allMatch(rank -> set.locations().get(rank).files().stream().allMatch(Files::isRegularFile));
    }
}
