package org.restorej.redset;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.files.JobLock;
import org.restorej.redset.internal.protocol.RedsetChannel;

/** The datasets of one name in one store, each a directory {@code checkpoint.<id>}. Several ranks may share it. */
record DatasetStore(Path directory) {
    private static final Pattern NAME = Pattern.compile("checkpoint\\.(0|[1-9]\\d{0,17})");

    /** The stores, without those that are the directory of an earlier one on all ranks. Called by all ranks. */
    static List<DatasetStore> distinct(RedsetChannel channel, String operation, List<DatasetStore> all) {
        int count = all.size();
        long[] sameness = new long[count * count];
        for (int later = 0; later < count; later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                sameness[later * count + earlier] = all.get(later).isSame(all.get(earlier)) ? 1 : 0;
            }
        }
        channel.step(operation, () -> channel.min(sameness));
        return IntStream.range(0, count)
                .filter(later -> Arrays.stream(sameness, later * count, (later + 1) * count)
                        .allMatch(same -> same == 0))
                .mapToObj(all::get).toList();
    }

    private boolean isSame(DatasetStore other) {
        return FilePaths.withoutLinks(directory).equals(FilePaths.withoutLinks(other.directory));
    }

    /** The file that locks it. */
    Path lockFile() {
        return directory.resolve(JobLock.NAME);
    }

    Path directoryOf(long id) {
        return directory.resolve("checkpoint." + id);
    }

    /** Ids of all datasets in the store, complete or not. */
    SortedSet<Long> ids() throws IOException {
        SortedSet<Long> ids = new TreeSet<>();
        for (String name : DirectoryEntries.namesOf(directory)) {
            Matcher matcher = NAME.matcher(name);
            if (matcher.matches()) {
                ids.add(Long.parseLong(matcher.group(1)));
            }
        }
        return ids;
    }

    /**
     * Removes datasets that are older than the newest {@code count} that count, from the one just completed down.
     * Datasets with higher ids are kept: an earlier run wrote them, and this one could not recover them.
     *
     * @param counts whether a dataset is complete and was not found to be unrecoverable
     * @param beforeRemoval gets each directory before it is removed
     */
    void keepNewest(int count, long completed, LongPredicate counts, Consumer<Path> beforeRemoval)
            throws IOException {
        int kept = 0;
        for (long id : new ArrayList<>(ids().headSet(completed + 1)).reversed()) {
            if (kept >= count) {
                beforeRemoval.accept(directoryOf(id));
                remove(id);
            } else if (counts.test(id)) {
                kept++;
            }
        }
    }

    /** Removes a dataset. Other ranks may do the same at the same time. */
    void remove(long id) throws IOException {
        DirectoryEntries.deleteTree(directoryOf(id));
    }
}
