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
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.RedsetFileNames;
import org.restorej.redset.internal.sets.EncodingFacts;

/**
 * The current redundancy files of a directory.
 *
 * @param sets sets of current encodings, in order of prefix and group
 * @param stale files of encodings that are no longer current, with descriptions; never changed
 * @param undecided prefixes of which it is unknown which encoding is current, as text
 * @param unreadable redundancy files that are damaged or can't be read, with the reasons
 */
record DirectoryContent(List<FoundSet> sets, NavigableMap<Path, String> stale, List<String> undecided,
        NavigableMap<Path, IOException> unreadable) {
    /** Determines the current encodings. */
    static DirectoryContent of(DirectoryScan scan) {
        NavigableMap<String, List<LiveEncoding.Claim>> byPrefix = new TreeMap<>();
        for (DirectoryScan.FoundHeader header : scan.headers()) {
            byPrefix.computeIfAbsent(header.prefix(), absent -> new ArrayList<>()).add(LiveEncoding.Claim.of(header));
        }
        for (LiveEncoding.Claim descriptor : scan.descriptors()) {
            byPrefix.computeIfPresent(descriptor.prefix(), (prefix, claims) -> {
                claims.add(descriptor);
                return claims;
            });
        }
        DirectoryContent content = new DirectoryContent(new ArrayList<>(), new TreeMap<>(), new ArrayList<>(),
                new TreeMap<>(scan.unreadable()));
        byPrefix.forEach((prefix, claims) -> content.add(prefix, claims));
        content.sets().sort(Comparator.comparing(FoundSet::prefix).thenComparingInt(set -> set.place().group()));
        return content;
    }

    private void add(String prefix, List<LiveEncoding.Claim> claims) {
        LiveEncoding encoding = LiveEncoding.of(claims);
        if (encoding.isUndecided()) {
            NavigableMap<String, Path> encodings = new TreeMap<>();
            claims.forEach(claim -> encodings.putIfAbsent(claim.encoding(), claim.path()));
            undecided.add(
                    prefix + "*: files of several encodings lie here, and the descriptor files don't tell which of "
                            + "them counts: "
                            + encodings.entrySet().stream().map(each -> each.getKey() + " (" + each.getValue() + ")")
                                    .collect(Collectors.joining("; "))
                            + ": move the redundancy files of the others elsewhere");
            return;
        }
        Set<Path> live = new HashSet<>();
        NavigableMap<Integer, FoundSet> found = new TreeMap<>();
        for (LiveEncoding.Claim claim : encoding.live()) {
            live.add(claim.path());
            claim.header().ifPresent(header -> found.computeIfAbsent(claim.own().group(),
                    absent -> new FoundSet(prefix, claim.own(), new TreeMap<>(), "")).headers()
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

    /** Moves unreadable files of encodings that are not current to the stale ones. */
    private void moveStaleOfUnreadable(String prefix, LiveEncoding encoding) {
        EncodingFacts current = encoding.facts();
        for (Path path : List.copyOf(unreadable.keySet())) {
            redundancy(prefix, path.toString()).filter(name -> !current.mayHave(name))
                    .ifPresent(name -> stale.put(path, name.typeName() + ", unreadable"));
        }
        stale.keySet().forEach(unreadable::remove);
    }

    /** The name of a redundancy file, if it is one with this prefix. */
    static Optional<RedsetFileNames.Redundancy> redundancy(String prefix, String path) {
        return path.startsWith(prefix)
                ? RedsetFileNames.parseRedundancy(path.substring(prefix.length()))
                        .filter(name -> name.prefix().isEmpty())
                : Optional.empty();
    }

    /**
     * A set of which at least one header tells.
     *
     * @param prefix prefix of its file names, with the directory; that of one member if they are in several directories
     * @param place the place of one of its members
     * @param headers by rank in the set
     * @param doubt why members in other directories are excluded although they may belong to the set, or empty
     */
    record FoundSet(String prefix, Descriptor place, Map<Integer, DirectoryScan.FoundHeader> headers,
            String doubt) {
        /** The prefix of file names without the directory. */
        String namePrefix() {
            return prefix.substring(prefix.lastIndexOf('/') + 1);
        }

        SetInspection.SetName name() {
            return new SetInspection.SetName.OfRedset(
                    headers.values().stream().map(DirectoryScan.FoundHeader::prefix).distinct().sorted().toList(),
                    place.group(), place.groups());
        }

        /**
         * Whether more than one member is in one directory and none in another, so that the missing ones belong there
         * too.
         */
        boolean isTogether() {
            return headers.size() > 1 && directories().stream().distinct().count() == 1;
        }

        /**
         * The redundancy files of its other members that can't be read, by rank in the set.
         *
         * @param all all files of redset that were found
         */
        SortedMap<Integer, UnreadableFile> unreadable(LostMemberPlaces places, DirectoryScan all) throws IOException {
            EncodingFacts known = new LiveEncoding(headers.values().stream().map(LiveEncoding.Claim::of).toList(),
                    List.of()).facts();
            SortedMap<Integer, UnreadableFile> ofSet = new TreeMap<>();
            for (Map.Entry<Path, IOException> file : all.unreadable().entrySet()) {
                Path path = file.getKey();
                Optional<Descriptor> member = redundancy(namePrefix(), String.valueOf(path.getFileName()))
                        .filter(name -> name.group() == place.group() && known.mayHave(name)
                                && !headers.containsKey(name.rank()))
                        .map(name -> place.ofMember(name.rank(), name.worldRank()));
                if (member.isPresent() && belongsIn(path.resolveSibling(""), member.get(), places, all)) {
                    ofSet.putIfAbsent(member.get().rank(), new UnreadableFile(path, file.getValue()));
                }
            }
            return ofSet;
        }

        /** Whether a lost member may have been in a directory that has a file with the name of its redundancy file. */
        private boolean belongsIn(Path directory, Descriptor member, LostMemberPlaces places, DirectoryScan all)
                throws IOException {
            try {
                return folderOf(member, places, all).equals(directory);
            } catch (UnknownPlaceException unknown) {
                return content(directory, member, all) == LostMemberPlaces.Content.REMAINS;
            }
        }

        /**
         * The directory of a lost member.
         *
         * @param all all files of redset that were found
         * @throws UnknownPlaceException if it is unknown
         */
        Path folderOf(Descriptor member, LostMemberPlaces places, DirectoryScan all) throws IOException {
            return places.folderOf(
                    new LostMemberPlaces.LostMember(member, "the files of rank " + member.worldRank(), directories(),
                            headers.size() + 1 == member.ranks()),
                    given -> new LostMemberPlaces.Candidate(given, content(given, member, all)));
        }

        /** The directories of the members that were found, one for each. */
        List<Path> directories() {
            return headers.values().stream().map(DirectoryScan.FoundHeader::directory).toList();
        }

        /** The prefix of its file names in a directory. */
        String prefixIn(Path directory) {
            String name = directory.toString();
            return (name.isEmpty() || name.endsWith("/") ? name : name + "/") + namePrefix();
        }

        /**
         * What a directory has of a lost member.
         *
         * @param all all files of redset that were found
         */
        LostMemberPlaces.Content content(Path directory, Descriptor member, DirectoryScan all) {
            String prefixIn = prefixIn(directory);
            Path descriptor = Path.of(RedsetFileNames.descriptor(prefixIn, member.worldRank()));
            List<DirectoryScan.FoundHeader> there = all.headers().stream()
                    .filter(header -> header.prefix().equals(prefixIn)).toList();
            if (!directories().contains(directory) && (!all.alone().getOrDefault(descriptor, member).equals(member)
                    || there.stream().anyMatch(header -> header.header().own().descriptor().isSameSet(place)))) {
                return LostMemberPlaces.Content.OF_OTHER_TIME;
            }
            Path redundancy = Path.of(RedsetFileNames.redundancy(prefixIn, member));
            if (Files.exists(descriptor) || Files.exists(redundancy) || all.unreadable().containsKey(redundancy)) {
                return LostMemberPlaces.Content.REMAINS;
            }
            return there.isEmpty() ? LostMemberPlaces.Content.NOTHING : LostMemberPlaces.Content.OF_OTHERS;
        }
    }
}
