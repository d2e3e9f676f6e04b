package org.restorej.redset.internal.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.format.FileName;

/**
 * Which files recorded names may lead to. Anyone may have written the records. So a name is refused that leaves the
 * allowed directories: by {@code ..}, as an absolute path or through a symbolic link.
 *
 * @param base directory that relative names start from
 * @param allowed further directories that files may be in
 * @param anywhere whether names may lead everywhere, as the application's own names may
 * @param moved where files were, or directories above them, and where these are now; first match first
 * @param home a directory that holds its own files wherever it was copied to: a name with the last two elements of it
 *        leads to what is behind these, in this directory; null for none
 */
public record PathPolicy(Path base, List<Path> allowed, boolean anywhere, Map<String, String> moved,
        @Nullable Path home) {
    /** Makes directories absolute and copies the collections. */
    public PathPolicy {
        home = home == null ? null : home.toAbsolutePath().normalize();
        base = base.toAbsolutePath().normalize();
        List<Path> absolute = new ArrayList<>();
        for (Path directory : allowed) {
            absolute.add(directory.toAbsolutePath().normalize());
        }
        allowed = List.copyOf(absolute);
        moved = Collections.unmodifiableMap(new LinkedHashMap<>(moved));
    }

    /** As the other, without a directory that may be a copy. */
    public PathPolicy(Path base, List<Path> allowed, boolean anywhere, Map<String, String> moved) {
        this(base, allowed, anywhere, moved, null);
    }

    /** The same, for the files of a directory that may be a copy. */
    public PathPolicy at(Path directory) {
        return new PathPolicy(base, allowed, anywhere, moved, directory);
    }

    /** Names must stay within one of some directories; relative ones start from the first. */
    public static PathPolicy within(Path base, Path... allowed) {
        return new PathPolicy(base, List.of(allowed), false, Map.of());
    }

    /** Names may lead everywhere, as the application's own may. */
    public static PathPolicy trusted(Path base) {
        return new PathPolicy(base, List.of(), true, Map.of());
    }

    /**
     * The file of a recorded name.
     *
     * @throws IOException when the name is no path, or leads out of the directories allowed
     */
    public Path resolve(String name) throws IOException {
        Path path;
        try {
            path = inHome(base.resolve(FilePaths.of(translate(name))).normalize());
        } catch (InvalidPathException invalid) {
            throw new IOException("not a file name: " + FileName.shown(name), invalid);
        }
        if (anywhere || (isAllowed(path) && isAllowed(withoutLinks(FilePaths.throughLinks(path))))) {
            return path;
        }
        throw new IOException("the file name leads out of the directories allowed, "
                + Stream.concat(Stream.of(base), allowed.stream()).distinct().map(Path::toString)
                        .collect(Collectors.joining(", "))
                + ": " + FileName.shown(name));
    }

    private Path inHome(Path path) {
        Path directory = home;
        if (directory == null || directory.getNameCount() < 2) {
            return path;
        }
        Path end = directory.subpath(directory.getNameCount() - 2, directory.getNameCount());
        for (int i = path.getNameCount() - 3; i >= 0; i--) {
            if (path.subpath(i, i + 2).equals(end)) {
                return directory.resolve(path.subpath(i + 2, path.getNameCount()));
            }
        }
        return path;
    }

    private String translate(String name) {
        for (Map.Entry<String, String> entry : moved.entrySet()) {
            if (isAtOrBelow(name, entry.getKey())) {
                return entry.getValue() + name.substring(entry.getKey().length());
            }
        }
        return name;
    }

    /** Whether a recorded name is this one or below it: /scratch2 is not below /scratch. */
    private static boolean isAtOrBelow(String name, String start) {
        return name.startsWith(start)
                && (name.length() == start.length() || start.endsWith("/") || name.charAt(start.length()) == '/');
    }

    private boolean isAllowed(Path path) throws IOException {
        if (isInside(path, base)) {
            return true;
        }
        for (Path directory : allowed) {
            if (isInside(path, directory)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isInside(Path path, Path directory) throws IOException {
        return !path.equals(directory) && (path.startsWith(directory) || path.startsWith(withoutLinks(directory)));
    }

    /** The path with the links of what exists of it followed. */
    private static Path withoutLinks(Path path) throws IOException {
        Path existing = path;
        while (existing != null && !Files.exists(existing)) {
            if (Files.isSymbolicLink(existing)) {
                throw new IOException("a symbolic link leads nowhere: " + existing);
            }
            existing = existing.getParent();
        }
        return existing == null ? path : existing.toRealPath().resolve(existing.relativize(path)).normalize();
    }
}
