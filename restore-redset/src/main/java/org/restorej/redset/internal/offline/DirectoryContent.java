package org.restorej.redset.internal.offline;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.RedsetFileNames;

/**
 * What of a directory's redundancy files counts.
 *
 * @param sets of the encodings that count, in order of prefix and group
 * @param stale files of encodings that don't count any more, with what they are; nobody touches them
 * @param undecided by prefix, one file of each encoding, with what it is, where it can't be told which counts
 * @param unreadable redundancy files without a sound header, with what is wrong
 */
public record DirectoryContent(List<FoundSet> sets, NavigableMap<Path, String> stale,
        NavigableMap<String, NavigableMap<String, Path>> undecided, NavigableMap<Path, String> unreadable) {
    private static final String CHECKSUM_EXTENSION = ".checksums";

    /** All files of one prefix. */
    private record Prefixed(List<LiveEncoding.Claim> claims, List<DirectoryScan.FoundHeader> headers) {}

    /**
     * Finds the encodings that count.
     *
     * @param named names of files of encodings that count, whatever descriptor files say
     * @throws IOException when a file that is named so isn't there or can't be read
     */
    static DirectoryContent of(DirectoryScan scan, Set<String> named) throws IOException {
        NavigableMap<String, Prefixed> byPrefix = new TreeMap<>();
        for (DirectoryScan.FoundHeader header : scan.headers()) {
            Prefixed prefixed = byPrefix.computeIfAbsent(header.prefix(),
                    absent -> new Prefixed(new ArrayList<>(), new ArrayList<>()));
            prefixed.claims().add(LiveEncoding.Claim.of(header));
            prefixed.headers().add(header);
        }
        for (DirectoryScan.FoundDescriptor descriptor : scan.descriptors()) {
            Optional.ofNullable(byPrefix.get(descriptor.prefix()))
                    .ifPresent(prefixed -> prefixed.claims().add(LiveEncoding.Claim.of(descriptor)));
        }
        requireThere(byPrefix.values().stream().flatMap(prefixed -> prefixed.claims().stream()).toList(), named);
        DirectoryContent content = new DirectoryContent(new ArrayList<>(), new TreeMap<>(), new TreeMap<>(),
                new TreeMap<>(scan.unreadable()));
        byPrefix.forEach((prefix, prefixed) -> content.add(prefix, prefixed, named));
        content.sets().sort(Comparator.comparing(FoundSet::prefix).thenComparingInt(set -> set.place().group()));
        return content;
    }

    private static void requireThere(List<LiveEncoding.Claim> claims, Set<String> named) throws IOException {
        Set<String> unknown = new HashSet<>(named);
        claims.forEach(claim -> unknown.remove(String.valueOf(claim.path().getFileName())));
        if (!unknown.isEmpty()) {
            throw new IOException("no redundancy file, or none that can be read: " + unknown);
        }
    }

    private void add(String prefix, Prefixed prefixed, Set<String> named) {
        LiveEncoding encoding = LiveEncoding.of(prefixed.claims(), named);
        if (encoding.isUndecided()) {
            NavigableMap<String, Path> encodings = undecided.computeIfAbsent(prefix, absent -> new TreeMap<>());
            prefixed.claims().forEach(claim -> encodings.putIfAbsent(claim.encoding(), claim.path()));
            return;
        }
        Set<Path> live = new HashSet<>();
        encoding.live().forEach(claim -> live.add(claim.path()));
        encoding.stale().stream().filter(claim -> !live.contains(claim.path())).forEach(this::addStale);
        NavigableMap<Integer, FoundSet> found = new TreeMap<>();
        for (DirectoryScan.FoundHeader header : prefixed.headers()) {
            Descriptor place = header.header().own().descriptor();
            if (live.contains(header.path())) {
                found.computeIfAbsent(place.group(), absent -> new FoundSet(prefix, place, new TreeMap<>())).headers()
                        .put(place.rank(), header);
            }
        }
        sets.addAll(found.values());
        moveStaleOfUnreadable(prefix, encoding);
    }

    private void addStale(LiveEncoding.Claim claim) {
        stale.put(claim.path(), claim.encoding());
        Path checksums = claim.path().resolveSibling(claim.path().getFileName() + CHECKSUM_EXTENSION);
        if (!claim.isDescriptor() && Files.exists(checksums)) {
            stale.put(checksums, claim.encoding());
        }
    }

    /** Moves unreadable files of encodings that don't count to the stale ones. */
    private void moveStaleOfUnreadable(String prefix, LiveEncoding encoding) {
        for (Path path : List.copyOf(unreadable.keySet())) {
            if (path.toString().startsWith(prefix)) {
                RedsetFileNames.parseRedundancy(path.toString().substring(prefix.length()))
                        .filter(name -> name.prefix().isEmpty() && !encoding.mayHave(name))
                        .ifPresent(name -> stale.put(path, name.typeName() + ", unreadable"));
            }
        }
        stale.keySet().forEach(unreadable::remove);
    }

    /**
     * Sets of which no file is there, although files of other sets say how many sets there are. One line for each
     * prefix.
     */
    public List<String> absentSets() {
        NavigableMap<String, List<FoundSet>> byPrefix = new TreeMap<>();
        for (FoundSet set : sets) {
            byPrefix.computeIfAbsent(set.prefix(), absent -> new ArrayList<>()).add(set);
        }
        List<String> absentSets = new ArrayList<>();
        for (List<FoundSet> found : byPrefix.values()) {
            int groups = found.get(0).place().groups();
            if (found.size() < groups) {
                List<Integer> present = found.stream().map(set -> set.place().group() + 1).toList();
                absentSets.add(found.get(0).prefix() + ": there are files of sets " + present + " only, of " + groups);
            }
        }
        return absentSets;
    }

    /**
     * A set that at least one header tells of.
     *
     * @param prefix what the names of its files begin with, directory included
     * @param place the place of one of its members
     * @param headers by rank in the set
     */
    record FoundSet(String prefix, Descriptor place, Map<Integer, DirectoryScan.FoundHeader> headers) {}
}
