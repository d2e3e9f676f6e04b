package org.restorej.redset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The datasets of one name in one store, each a directory {@code checkpoint.<id>}. Several ranks may share it. */
record DatasetStore(Path directory) {
    private static final Pattern NAME = Pattern.compile("checkpoint\\.(0|[1-9]\\d{0,17})");

    Path directoryOf(long id) {
        return directory.resolve("checkpoint." + id);
    }

    /** Ids of the datasets that are there, whole or not. */
    SortedSet<Long> ids() throws IOException {
        SortedSet<Long> ids = new TreeSet<>();
        if (Files.isDirectory(directory)) {
            try (Stream<Path> entries = Files.list(directory)) {
                entries.forEach(entry -> {
                    Matcher matcher = NAME.matcher(String.valueOf(entry.getFileName()));
                    if (matcher.matches()) {
                        ids.add(Long.parseLong(matcher.group(1)));
                    }
                });
            }
        }
        return ids;
    }

    /** Removes what is older than the newest protected datasets. */
    void keepNewest(int count, String descriptorName) throws IOException {
        int kept = 0;
        for (long id : new ArrayList<>(ids()).reversed()) {
            if (kept >= count) {
                remove(id);
            } else if (Files.exists(directoryOf(id).resolve(descriptorName))) {
                kept++;
            }
        }
    }

    /** Removes a dataset; other ranks may be doing the same. */
    void remove(long id) throws IOException {
        List<Path> found;
        try (Stream<Path> files = Files.walk(directoryOf(id))) {
            found = files.sorted(Comparator.reverseOrder()).toList();
        } catch (NoSuchFileException gone) {
            return;
        }
        for (Path file : found) {
            Files.deleteIfExists(file);
        }
    }
}
