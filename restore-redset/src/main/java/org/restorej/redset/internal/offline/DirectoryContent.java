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
 * @param alone descriptor files without any redundancy file, with what they describe
 */
public record DirectoryContent(List<FoundSet> sets, NavigableMap<Path, String> stale,
        NavigableMap<String, NavigableMap<String, Path>> undecided, NavigableMap<Path, String> unreadable,
        NavigableMap<Path, String> alone) {
    /**
     * Finds the encodings that count.
     *
     * @param named names of files of encodings that count, whatever descriptor files say
     * @throws IOException when a file that is named so isn't there or can't be read
     */
    static DirectoryContent of(DirectoryScan scan, Set<String> named) throws IOException {
        NavigableMap<String, List<LiveEncoding.Claim>> byPrefix = new TreeMap<>();
        for (DirectoryScan.FoundHeader header : scan.headers()) {
            byPrefix.computeIfAbsent(header.prefix(), absent -> new ArrayList<>()).add(LiveEncoding.Claim.of(header));
        }
        for (DirectoryScan.FoundDescriptor descriptor : scan.descriptors()) {
            byPrefix.computeIfPresent(descriptor.prefix(), (prefix, claims) -> {
                claims.add(LiveEncoding.Claim.of(descriptor));
                return claims;
            });
        }
        requireThere(byPrefix.values().stream().flatMap(List::stream).toList(), named);
        DirectoryContent content = new DirectoryContent(new ArrayList<>(), new TreeMap<>(), new TreeMap<>(),
                new TreeMap<>(scan.unreadable()), new TreeMap<>(scan.alone()));
        byPrefix.forEach((prefix, claims) -> content.add(prefix, claims, named));
        content.sets().sort(Comparator.comparing(FoundSet::prefix).thenComparingInt(set -> set.place().group()));
        return content;
    }

    private static void requireThere(List<LiveEncoding.Claim> claims, Set<String> named) throws IOException {
        Set<String> unknown = new HashSet<>(named);
        claims.forEach(claim -> unknown.remove(claim.fileName()));
        if (!unknown.isEmpty()) {
            throw new IOException("no redundancy file, or none that can be read: " + unknown);
        }
    }

    private void add(String prefix, List<LiveEncoding.Claim> claims, Set<String> named) {
        LiveEncoding encoding = LiveEncoding.of(claims, named);
        if (encoding.isUndecided()) {
            NavigableMap<String, Path> encodings = undecided.computeIfAbsent(prefix, absent -> new TreeMap<>());
            claims.forEach(claim -> encodings.putIfAbsent(claim.encoding(), claim.path()));
            return;
        }
        Set<Path> live = new HashSet<>();
        NavigableMap<Integer, FoundSet> found = new TreeMap<>();
        for (LiveEncoding.Claim claim : encoding.live()) {
            live.add(claim.path());
            claim.header().ifPresent(header -> found.computeIfAbsent(claim.own().group(),
                    absent -> new FoundSet(prefix, claim.own(), new TreeMap<>())).headers()
                    .put(claim.own().rank(), header));
        }
        encoding.stale().stream().filter(claim -> !live.contains(claim.path())).forEach(this::addStale);
        sets.addAll(found.values());
        moveStaleOfUnreadable(prefix, encoding);
    }

    private void addStale(LiveEncoding.Claim claim) {
        stale.put(claim.path(), claim.encoding());
        Path checksums = RedsetFileNames.checksums(claim.path());
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
        alone.forEach((path, described) -> absentSets.add(path + " describes " + described
                + ", but none of its redundancy files is there"));
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
